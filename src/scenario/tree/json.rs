//! JSON text to the tree and back.
//!
//! A general JSON reader keeps the last of two equal keys and says nothing; a slip would then be silent, so this one refuses.

use super::{Entry, Node, Pos, Table, Value, syntax};
use crate::scenario::diagnostic::Diagnostics;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

pub(super) fn read(text: &str, found: &mut Diagnostics) -> Option<Table> {
    match serde_json::from_str::<Json>(text.trim_start_matches('\u{feff}')) {
        Ok(Json(node)) => match node.value {
            Value::Table(t) => Some(t),
            _ => None,
        },
        Err(e) => {
            let at = if e.line() > 0 { Pos::new(e.line() as u32, e.column() as u32) } else { Pos::UNKNOWN };
            // The position is said by the diagnostic; the parser says it once more at the end.
            let message = e.to_string();
            let message = message.split(" at line ").next().unwrap_or("").trim_end_matches('.');
            let message = match message {
                "recursion limit exceeded" => "objects and arrays are nested too deeply.".to_string(),
                m if m.starts_with("EOF") => {
                    "the text ends too early: a quote, a \"]\" or a \"}\" is missing.".to_string()
                }
                m if m.starts_with('!') => format!("{}.", &m[1..]),
                m => format!("this is not JSON: {m}."),
            };
            found.push(syntax(at, message));
            None
        }
    }
}

/// A JSON value on its way into the tree. Messages of our own begin with `!`.
struct Json(Node);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Json, D::Error> {
        d.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: serde::de::Error>(self, s: &str) -> Result<Json, E> {
        Ok(Json(Node::text(s)))
    }

    fn visit_bool<E: serde::de::Error>(self, b: bool) -> Result<Json, E> {
        Ok(Json(Node::new(Value::Bool(b))))
    }

    fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Json, E> {
        Ok(Json(Node::new(Value::Int(n))))
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Json, E> {
        match i64::try_from(n) {
            Ok(n) => self.visit_i64(n),
            Err(_) => Err(E::custom(format!("!{n} is too large a number"))),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, d: f64) -> Result<Json, E> {
        Ok(Json(Node::new(Value::Decimal(d))))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Json, E> {
        Err(E::custom("!null says nothing. Leave the key out"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(Json(node)) = seq.next_element()? {
            list.push(node);
        }
        Ok(Json(Node::new(Value::List(list))))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut table = Table::default();
        // A sorted copy of the keys keeps the search for repeated ones cheap in a table of thousands.
        let mut seen = crate::base::flat::FlatSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !seen.insert(key.clone()) {
                return Err(serde::de::Error::custom(format!("!\"{key}\" is said twice. Keep one of the two")));
            }
            let Json(node) = map.next_value()?;
            table.entries.push(Entry { key, at: Pos::UNKNOWN, node });
        }
        Ok(Json(Node::new(Value::Table(table))))
    }
}

/// Compact JSON: keys in the order given, no white space, numbers shortest.
pub fn write(value: &Value, out: &mut String) {
    match value {
        Value::Text(s) => quote(s, out),
        Value::Int(n) => out.push_str(&n.to_string()),
        Value::Decimal(d) if d.is_finite() => out.push_str(&d.to_string()),
        // No key of the language takes one; a tree that was not checked may still hold one.
        Value::Decimal(_) => out.push('0'),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::List(l) => {
            out.push('[');
            for (i, n) in l.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write(&n.value, out);
            }
            out.push(']');
        }
        Value::Table(t) => {
            out.push('{');
            for (i, e) in t.entries.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                quote(&e.key, out);
                out.push(':');
                write(&e.node.value, out);
            }
            out.push('}');
        }
    }
}

/// A JSON string.
pub fn quote(s: &str, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
