//! A value, written out: for people, as TOML or as JSON. One walk for all of them, and a table of what stands between.

use super::Value;
use super::json::{quote, quote_toml};
use crate::scenario::quantity::shortest;
use crate::scenario::to_toml::key;

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// For people: a text as it is, a list with commas.
    Shown,
    /// As it stands behind a key.
    Toml,
    /// Compact: keys in the order given, no white space, numbers shortest.
    Json,
    /// With two spaces to a level; lists of tables go one to a line, lists of words stay on one.
    JsonLines,
}

/// What stands around lists, around tables that hold something, around empty ones, between members, and behind a key.
type Marks = ([&'static str; 2], [&'static str; 2], &'static str, &'static str, &'static str);

impl Form {
    const fn marks(self) -> Marks {
        match self {
            Form::Shown => (["", ""], ["{ ", " }"], "{  }", ", ", " = "),
            Form::Toml => (["[", "]"], ["{ ", " }"], "{ }", ", ", " = "),
            Form::Json => (["[", "]"], ["{", "}"], "{}", ",", ":"),
            Form::JsonLines => (["[", "]"], ["{", "}"], "{}", ", ", ": "),
        }
    }

    fn text(self, s: &str, out: &mut String) {
        match self {
            Form::Shown => out.push_str(s),
            Form::Toml => quote_toml(s, out),
            Form::Json | Form::JsonLines => quote(s, out),
        }
    }
}

impl Value {
    pub(crate) fn written(&self, form: Form) -> String {
        let mut out = String::new();
        self.write(form, 0, &mut out);
        out
    }

    /// `depth`: how far in its lines stand, if it has several.
    fn write(&self, form: Form, depth: usize, out: &mut String) {
        let (list, table, empty, comma, is) = form.marks();
        let (around, count, several) = match self {
            Value::Text(s) => return form.text(s, out),
            Value::Int(n) => return out.push_str(&shortest(*n, 1)),
            Value::Decimal(d) => {
                out.push_str(&d.text());
                // TOML tells 1 from 1.0.
                let whole = form == Form::Toml && d.places() == 0;
                return out.push_str(if whole { ".0" } else { "" });
            }
            Value::Bool(b) => return out.push_str(if *b { "true" } else { "false" }),
            Value::Table(t) if t.is_empty() => return out.push_str(empty),
            Value::Table(t) => (table, t.entries.len(), true),
            Value::List(l) => (list, l.len(), l.iter().any(|n| n.as_table().is_some())),
        };
        let several = several && form == Form::JsonLines;
        let line = |out: &mut String, depth: usize| {
            if several {
                out.push('\n');
                (0..depth).for_each(|_| out.push_str("  "));
            }
        };
        out.push_str(around[0]);
        for i in 0..count {
            if i > 0 {
                out.push_str(if several { "," } else { comma });
            }
            line(out, depth + 1);
            let inner = match self {
                Value::Table(t) => {
                    let e = &t.entries[i];
                    match form {
                        Form::Toml => out.push_str(&key(&e.key)),
                        _ => form.text(&e.key, out),
                    }
                    out.push_str(is);
                    &e.node
                }
                Value::List(l) => &l[i],
                _ => return,
            };
            inner.value.write(form, depth + usize::from(several), out);
        }
        line(out, depth);
        out.push_str(around[1]);
    }
}
