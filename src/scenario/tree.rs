//! One tree of keys, whatever it was written in.
//!
//! People write a scenario as TOML and programs write it as JSON; both are the same tree of tables, lists, texts, whole numbers, decimals and
//! yes/no. This file turns either text into that tree and remembers where each key and value stood (TOML: line and column; JSON is named by
//! path), so that nothing further down needs to know which of the two it was.
//!
//! It is also the door against hostile text: a link can carry anything. Too long a text is refused before it is looked at, nesting is bounded
//! by both parsers, and nothing here recurses without a bound.

use super::diagnostic::{Diagnostic, Diagnostics, Phase, Severity};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

/// The deepest nesting that is read. The language itself needs eight levels and one for each block of steps.
pub const MAX_DEPTH: usize = 48;

/// Where something stands in a TOML text; in a JSON text nobody knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Pos {
    line: u32,
    column: u32,
}

impl Pos {
    pub const UNKNOWN: Pos = Pos { line: 0, column: 0 };

    pub const fn new(line: u32, column: u32) -> Pos {
        Pos { line, column }
    }

    /// From 1.
    pub fn line(self) -> Option<u32> {
        (self.line > 0).then_some(self.line)
    }

    /// In characters, from 1.
    pub fn column(self) -> Option<u32> {
        (self.line > 0).then_some(self.column)
    }
}

/// A value and where it stood. Two nodes are equal if their values are, wherever they stood.
#[derive(Clone, Debug)]
pub struct Node {
    pub value: Value,
    pub at: Pos,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Text(String),
    Int(i64),
    Decimal(f64),
    Bool(bool),
    List(Vec<Node>),
    Table(Table),
}

/// Keys in the order of the text, each once.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    pub entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub key: String,
    /// Where the key stood.
    pub at: Pos,
    pub node: Node,
}

impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.value == other.value
    }
}

/// Sound because a tree that was read holds finite decimals only.
impl Eq for Value {}
impl Eq for Node {}
impl Eq for Entry {}
impl Eq for Table {}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.key == other.key && self.node == other.node
    }
}

impl Table {
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|e| e.key == key).map(|e| &mut e.node)
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == key)
    }

    /// Replaces the value, or adds the key at the end.
    pub fn set(&mut self, key: &str, node: Node) {
        match self.get_mut(key) {
            Some(old) => *old = node,
            None => self.entries.push(Entry { key: key.to_string(), at: Pos::UNKNOWN, node }),
        }
    }

    pub fn remove(&mut self, key: &str) -> Option<Node> {
        let i = self.entries.iter().position(|e| e.key == key)?;
        Some(self.entries.remove(i).node)
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Node {
    pub fn new(value: Value) -> Node {
        Node { value, at: Pos::UNKNOWN }
    }

    pub fn text(s: impl Into<String>) -> Node {
        Node::new(Value::Text(s.into()))
    }

    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(s) => Some(s),
            _ => None,
        }
    }

    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(t) => Some(t),
            _ => None,
        }
    }

    pub fn as_table_mut(&mut self) -> Option<&mut Table> {
        match &mut self.value {
            Value::Table(t) => Some(t),
            _ => None,
        }
    }

    /// The elements; one value stands for a list of one.
    pub fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(l) => l,
            _ => std::slice::from_ref(self),
        }
    }

    /// What it is, for a sentence: `a text`, `a whole number`.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a text",
            Value::Int(_) => "a whole number",
            Value::Decimal(_) => "a decimal number",
            Value::Bool(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// For people: a text as it is, a list with commas.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.value {
            Value::Text(s) => f.write_str(s),
            Value::Int(n) => n.fmt(f),
            Value::Decimal(d) => d.fmt(f),
            Value::Bool(b) => b.fmt(f),
            Value::List(l) => {
                for (i, n) in l.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    n.fmt(f)?;
                }
                Ok(())
            }
            Value::Table(t) => {
                f.write_str("{ ")?;
                for (i, e) in t.entries.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{} = {}", e.key, e.node)?;
                }
                f.write_str(" }")
            }
        }
    }
}

/// Is this text JSON? It is if the first character that is not space opens an object; no TOML text begins so.
pub fn is_json(text: &str) -> bool {
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{')
}

/// Reads TOML or JSON into a tree.
///
/// # Errors
/// The text is too long, is not TOML or JSON, says a key twice, or holds something that the language does not know (a date, null). Of a syntax
/// error only the first is known.
pub fn read(text: &str) -> Result<Table, Vec<Diagnostic>> {
    if text.len() > MAX_TEXT {
        let length = if text.len() >= 1 << 20 {
            format!("{:.1} MiB", text.len() as f64 / f64::from(1 << 20))
        } else {
            format!("{:.1} KiB", text.len() as f64 / 1024.0)
        };
        return Err(vec![syntax(Pos::UNKNOWN, format!("The text is {length} long; a scenario has at most 64 KiB."))]);
    }
    let mut found = Diagnostics::default();
    let table = if is_json(text) { read_json(text, &mut found) } else { read_toml(text, &mut found) };
    match table {
        Some(t) if !found.has_errors() => Ok(t),
        _ => Err(found.finish()),
    }
}

fn syntax(at: Pos, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, Phase::Syntax, at, "", message)
}

// ------------------------------------------------------------------ TOML

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

fn read_toml(text: &str, found: &mut Diagnostics) -> Option<Table> {
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

// ------------------------------------------------------------------ JSON

fn read_json(text: &str, found: &mut Diagnostics) -> Option<Table> {
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
        let mut seen = std::collections::BTreeSet::new();
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
pub fn write_json(value: &Value, out: &mut String) {
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
                write_json(&n.value, out);
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
                write_json(&e.node.value, out);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> String {
        match read(text) {
            Ok(t) => panic!("read as {t:?}"),
            Err(found) => found[0].to_string(),
        }
    }

    #[test]
    fn toml_and_json_are_the_same_tree() {
        let toml = "a = 1\nb.c = \"x\"\n[[w]]\nname = \"W1\"\n[[w]]\nrate = 1.5\nok = true\n";
        let json = r#" {"a":1,"b":{"c":"x"},"w":[{"name":"W1"},{"rate":1.5,"ok":true}]}"#;
        assert_eq!(read(toml).unwrap(), read(json).unwrap());
    }

    #[test]
    fn keys_and_values_know_where_they_stood() {
        let t = read("a = 1\n\n[lock]\nttl = \"1s\"\n[[worker]]\nclient.x = 2\n").unwrap();
        let lock = t.entry("lock").unwrap();
        assert_eq!(lock.at, Pos::new(3, 2));
        let ttl = lock.node.as_table().unwrap().entry("ttl").unwrap();
        assert_eq!((ttl.at, ttl.node.at), (Pos::new(4, 1), Pos::new(4, 7)));
        let worker = t.get("worker").unwrap().items()[0].as_table().unwrap();
        assert_eq!(worker.get("client").unwrap().as_table().unwrap().entry("x").unwrap().at, Pos::new(6, 8));
    }

    #[test]
    fn the_first_syntax_error_is_a_plain_sentence() {
        for (text, says) in [
            ("a = 1\nb = 2s\n", "line 2 · a text needs quotes. Write \"2s\"."),
            ("a = yes", "line 1 · yes is not a value. Write true."),
            ("a = \"x\nb=1", "line 1 · a text is not closed: its last quote is missing."),
            ("a = \n", "line 1 · a value is missing after the \"=\"."),
            ("a = [1,2\nb=3\n", "line 2 · a comma or a closing \"]\" is missing in a list."),
            ("a=1\na=2\n", "line 2 · \"a\" is said twice. Keep one of the two."),
            ("[lock]\n[lock]\n", "line 2 · \"lock\" is said twice. Keep one of the two."),
            ("foo\n", "line 1 · \"foo\" has no value: an \"=\" is missing."),
            ("[[design]\n", "line 1 · a heading is not closed: a \"]\" is missing."),
            ("a=99999999999999999999", "line 1 · 99999999999999999999 is too large a number."),
            (
                "x = 1979-05-27\n",
                "line 1 · 1979-05-27 is a date; a scenario has none. Times are texts such as \"10s\".",
            ),
            ("{\"a\":1,\"a\":2}", "line 1 · \"a\" is said twice. Keep one of the two."),
            ("{\"a\":null}", "line 1 · null says nothing. Leave the key out."),
            ("{\"a\":", "line 1 · the text ends too early: a quote, a \"]\" or a \"}\" is missing."),
            ("{\"a\":18446744073709551615}", "line 1 · 18446744073709551615 is too large a number."),
        ] {
            assert_eq!(first(text), says, "{text:?}");
        }
    }

    #[test]
    fn hostile_texts_are_refused_at_once() {
        assert_eq!(first(&"a".repeat(10 << 20)), "The text is 10.0 MiB long; a scenario has at most 64 KiB.");
        let dots = vec!["a"; 30_000].join(".");
        for text in [
            format!("{dots} = 1"),
            format!("[{dots}]"),
            format!("a = {}", "[".repeat(60_000)),
            format!("a = {}", "{a=".repeat(20_000)),
        ] {
            assert!(first(&text).contains("too deeply"), "{}", first(&text));
        }
        assert!(first(&"{\"a\":".repeat(10_000)).contains("too deeply"));
        assert!(first(&format!("{{\"a\":{}", "[".repeat(60_000))).contains("too deeply"));
    }
}
