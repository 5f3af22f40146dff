//! TOML text to the tree, with the place of every key and value.

use super::{Entry, Node, Pos, Table, Value, syntax};
use crate::scenario::diagnostic::Diagnostics;

/// Byte offsets to lines and columns.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Lines { text, starts }
    }

    fn pos(&self, offset: usize) -> Pos {
        let line = self.starts.partition_point(|s| *s <= offset).max(1);
        let start = self.starts[line - 1];
        let column = self.text.get(start..offset.min(self.text.len())).map_or(0, |s| s.chars().count());
        Pos::new(line as u32, column as u32 + 1)
    }

    fn line_text(&self, line: u32) -> &'a str {
        self.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or("")
    }
}

pub(super) fn read(text: &str, found: &mut Diagnostics) -> Option<Table> {
    let lines = Lines::new(text);
    match toml_edit::Document::parse(text) {
        Ok(doc) => Some(toml_table(doc.as_table(), &lines, found)),
        Err(e) => {
            let at = e.span().map_or(Pos::UNKNOWN, |s| lines.pos(s.start));
            let line = at.line().map_or("", |l| lines.line_text(l));
            let offending = e.span().and_then(|s| text.get(s)).unwrap_or("");
            found.push(syntax(at, plain_sentence(e.message(), line, offending)));
            None
        }
    }
}

/// The parser's message in words for somebody who does not know its grammar.
fn plain_sentence(message: &str, line: &str, offending: &str) -> String {
    let starts = |p: &str| message.starts_with(p);
    if starts("duplicate key") {
        format!("\"{offending}\" is said twice. Keep one of the two.")
    } else if starts("string values must be quoted") && offending.is_empty() {
        "a value is missing after the \"=\".".to_string()
    } else if starts("string values must be quoted") {
        match offending {
            "yes" | "on" | "True" | "TRUE" => format!("{offending} is not a value. Write true."),
            "no" | "off" | "False" | "FALSE" => format!("{offending} is not a value. Write false."),
            _ => format!("a text needs quotes. Write \"{offending}\"."),
        }
    } else if starts("invalid basic string") || starts("invalid literal string") {
        "a text is not closed: its last quote is missing.".to_string()
    } else if starts("missing comma between array elements") {
        "a comma or a closing \"]\" is missing in a list.".to_string()
    } else if starts("missing comma between key-value pairs") {
        "a comma or a closing \"}\" is missing in an inline table.".to_string()
    } else if starts("key with no value") {
        format!("\"{}\" has no value: an \"=\" is missing.", line.trim())
    } else if starts("unclosed") {
        "a heading is not closed: a \"]\" is missing.".to_string()
    } else if starts("unexpected key or value") {
        "something stands after the value. One key and one value to a line.".to_string()
    } else if starts("unquoted keys cannot be empty") {
        "a key is missing before the \"=\".".to_string()
    } else if starts("missing escaped value") {
        "a backslash in a text stands for nothing here. Write it twice.".to_string()
    } else if starts("integer number overflowed") {
        format!("{offending} is too large a number.")
    } else if starts("recursion limit") || starts("cannot recurse further") {
        "tables and lists are nested too deeply.".to_string()
    } else {
        format!("this is not TOML: {message}.")
    }
}

fn toml_table(table: &toml_edit::Table, lines: &Lines, found: &mut Diagnostics) -> Table {
    let mut out = Table::default();
    for (name, item) in table.iter() {
        let at = table.key(name).and_then(|k| k.span()).map_or(Pos::UNKNOWN, |s| lines.pos(s.start));
        if let Some(node) = toml_item(item, at, lines, found) {
            out.entries.push(Entry { key: name.to_string(), at, node });
        }
    }
    out
}

fn toml_item(item: &toml_edit::Item, key_at: Pos, lines: &Lines, found: &mut Diagnostics) -> Option<Node> {
    let at = |span: Option<std::ops::Range<usize>>| span.map_or(key_at, |s| lines.pos(s.start));
    match item {
        toml_edit::Item::None => None,
        toml_edit::Item::Value(v) => toml_value(v, key_at, lines, found),
        // A table made of dotted keys has no place of its own: that of its key serves.
        toml_edit::Item::Table(t) => Some(Node { value: Value::Table(toml_table(t, lines, found)), at: at(t.span()) }),
        toml_edit::Item::ArrayOfTables(list) => {
            let nodes = list
                .iter()
                .map(|t| Node { value: Value::Table(toml_table(t, lines, found)), at: at(t.span()) })
                .collect();
            Some(Node { value: Value::List(nodes), at: key_at })
        }
    }
}

fn toml_value(value: &toml_edit::Value, key_at: Pos, lines: &Lines, found: &mut Diagnostics) -> Option<Node> {
    let at = value.span().map_or(key_at, |s| lines.pos(s.start));
    let value = match value {
        toml_edit::Value::String(s) => Value::Text(s.value().clone()),
        toml_edit::Value::Integer(n) => Value::Int(*n.value()),
        toml_edit::Value::Float(d) if !d.value().is_finite() => {
            found.push(syntax(at, format!("{} is not a number that a scenario can hold.", d.value())));
            return None;
        }
        toml_edit::Value::Float(d) => Value::Decimal(*d.value()),
        toml_edit::Value::Boolean(b) => Value::Bool(*b.value()),
        toml_edit::Value::Datetime(d) => {
            found.push(syntax(
                at,
                format!("{} is a date; a scenario has none. Times are texts such as \"10s\".", d.value()),
            ));
            return None;
        }
        toml_edit::Value::Array(a) => Value::List(a.iter().filter_map(|v| toml_value(v, at, lines, found)).collect()),
        toml_edit::Value::InlineTable(t) => {
            let mut out = Table::default();
            for (name, v) in t.iter() {
                let key_at = t.key(name).and_then(|k| k.span()).map_or(at, |s| lines.pos(s.start));
                if let Some(node) = toml_value(v, key_at, lines, found) {
                    out.entries.push(Entry { key: name.to_string(), at: key_at, node });
                }
            }
            Value::Table(out)
        }
    };
    Some(Node { value, at })
}
