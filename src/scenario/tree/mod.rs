//! One tree of keys, whatever it was written in.
//!
//! People write a scenario as TOML and programs write it as JSON; both are the same tree of tables, lists, texts, whole numbers, decimals and
//! yes/no. This file turns either text into that tree and remembers where each key and value stood (TOML: line and column; JSON is named by
//! path), so that nothing further down needs to know which of the two it was.
//!
//! It is also the door against hostile text: a link can carry anything. Too long a text is refused before it is looked at, nesting is bounded
//! by both parsers, and nothing here recurses without a bound.

pub mod json;
pub(crate) mod scan;
pub(crate) mod statement;
mod toml;
mod write;

pub use scan::Decimal;
pub(crate) use write::Form;

use super::diagnostic::{Diagnostic, Diagnostics, Phase, Severity};
use crate::base::text::{number, said};
use std::fmt;

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

const TWICE: &str = "\"{0}\" is said twice. Keep one of the two.";
const TOO_LARGE: &str = "{0} is too large a number.";

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

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Text(String),
    Int(i64),
    Decimal(Decimal),
    Bool(bool),
    List(Vec<Node>),
    Table(Table),
}

/// Keys in the order of the text, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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

impl Eq for Node {}
impl Eq for Entry {}

impl PartialEq for Entry {
    fn eq(&self, other: &Entry) -> bool {
        self.key == other.key && self.node == other.node
    }
}

impl Table {
    #[inline(never)]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|e| e.key == key).map(|e| &e.node)
    }

    #[inline(never)]
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.iter_mut().find(|e| e.key == key).map(|e| &mut e.node)
    }

    #[inline(never)]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|e| e.key == key)
    }

    /// Replaces the value, or adds the key at the end.
    #[inline(never)]
    pub fn set(&mut self, key: &str, node: Node) {
        match self.get_mut(key) {
            Some(old) => *old = node,
            None => self.entries.push(Entry { key: key.to_string(), at: Pos::UNKNOWN, node }),
        }
    }

    /// Adds what an entry of another table has become.
    #[inline(never)]
    pub(crate) fn push_as(&mut self, e: &Entry, value: Value) {
        self.entries.push(Entry { key: e.key.clone(), at: e.at, node: Node { value, at: e.node.at } });
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

impl Node {
    /// For people: a text as it is, a list with commas.
    #[inline(never)]
    pub fn shown(&self) -> String {
        self.value.written(Form::Shown)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.shown())
    }
}

/// A number as somebody types it, whole or decimal.
pub fn read_number(text: &str) -> Option<Value> {
    scan::number(text).ok()
}

/// Is this text JSON? It is if the first character that is not space opens an object; no TOML text begins so.
pub fn is_json(text: &str) -> bool {
    let space = |c: &char| matches!(c, '\u{feff}' | ' ' | '\t' | '\r' | '\n');
    text.chars().find(|c| !space(c)) == Some('{')
}

/// A JSON text with line breaks; what is none stays as it is.
pub fn json_lines(text: &str) -> String {
    let table = json::read(text, &mut Diagnostics::default());
    table.map_or_else(|| text.to_string(), |t| Value::Table(t).written(Form::JsonLines))
}

/// Reads TOML or JSON into a tree.
///
/// # Errors
/// The text is too long, is not TOML or JSON, says a key twice, or holds something that the language does not know (a date, null). Of a syntax
/// error only the first is known.
pub fn read(text: &str) -> Result<Table, Vec<Diagnostic>> {
    if text.len() > MAX_TEXT {
        let (unit, size) = if text.len() >= 1 << 20 { ("MiB", 1 << 20) } else { ("KiB", 1 << 10) };
        // Rounded to tenths.
        let tenths = (text.len() * 10 + size / 2) / size;
        let length = [number(tenths / 10), number(tenths % 10)];
        let message = "The text is {0}.{1} {2} long; a scenario has at most 64 KiB.";
        return Err(vec![syntax(Pos::UNKNOWN, said(message, &[&length[0], &length[1], unit]))]);
    }
    let mut found = Diagnostics::default();
    let table = if is_json(text) { json::read(text, &mut found) } else { toml::read(text, &mut found) };
    match table {
        Some(t) if !found.has_errors() => Ok(t),
        _ => Err(found.finish()),
    }
}

fn syntax(at: Pos, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, Phase::Syntax, at, "", message)
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
            ("lock = { ttl = ", "line 1 · a value is missing after the \"=\"."),
            ("lock = { ttl = \"1s\"", "line 1 · a comma or a closing \"}\" is missing in an inline table."),
            ("lock = {", "line 1 · a comma or a closing \"}\" is missing in an inline table."),
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
