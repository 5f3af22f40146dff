//! The statements of a TOML text: headings, and keys with their values.
//!
//! [`Toml::statement`] reads one after the other and says where each stands: for the tree, and for edits, which change a text statement by
//! statement.

use super::scan::{MAX_DEPTH, NoNumber, Scan, Stop, number};
use super::toml::Tables;
use super::{Node, Table, Value};
use std::ops::Range;

const TOO_DEEP: &str = "tables and lists are nested too deeply.";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Head {
    /// `key = value`.
    Pair,
    /// `[table]`.
    Table,
    /// `[[list]]`.
    List,
}

pub(crate) struct Key {
    pub name: String,
    pub at: Range<usize>,
}

pub(crate) struct Statement {
    pub head: Head,
    /// A dotted key has several.
    pub keys: Vec<Key>,
    /// Of a heading, an empty table.
    pub node: Node,
    /// Bytes of the value.
    pub value: Range<usize>,
    pub start: usize,
    /// Behind the line break.
    pub end: usize,
}

pub(crate) struct Toml<'a> {
    pub scan: Scan<'a>,
    depth: usize,
    /// Values that TOML has and a scenario has not.
    pub(super) odd: Vec<Stop>,
}

impl<'a> Toml<'a> {
    pub fn new(text: &'a str) -> Toml<'a> {
        Toml { scan: Scan::new(text), depth: 0, odd: Vec::new() }
    }

    /// The next statement, without the blank lines and comments before it.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn statement(&mut self) -> Result<Option<Statement>, Stop> {
        self.blank()?;
        if self.scan.ended() {
            return Ok(None);
        }
        let start = self.scan.at;
        let mut node = Node::new(Value::Table(Table::default()));
        let mut value = start..start;
        let (head, keys);
        if self.scan.eat(b'[') {
            node.at = self.scan.pos(start);
            head = if self.scan.eat(b'[') { Head::List } else { Head::Table };
            keys = self.keys()?;
            if !self.scan.eat(b']') || (head == Head::List && !self.scan.eat(b']')) {
                return self.scan.stop(self.scan.at, &["a heading is not closed: a \"]\" is missing."]);
            }
        } else {
            head = Head::Pair;
            (keys, node, value) = self.pair(start)?;
        }
        self.space();
        self.comment()?;
        if !self.scan.ended() && !self.line_break() {
            let message = "something stands after the value. One key and one value to a line.";
            return self.scan.stop(self.scan.at, &[message]);
        }
        Ok(Some(Statement { head, keys, node, value, start, end: self.scan.at }))
    }

    /// A key and its value, with the place of the value.
    pub fn pair(&mut self, start: usize) -> Result<(Vec<Key>, Node, Range<usize>), Stop> {
        let keys = self.keys()?;
        if !self.scan.eat(b'=') {
            self.scan.until(b"\r\n");
            let line = self.scan.slice(start, self.scan.at).trim_ascii();
            return self.scan.stop(start, &["\"", line, "\" has no value: an \"=\" is missing."]);
        }
        self.space();
        let at = self.scan.at;
        let node = self.value()?;
        Ok((keys, node, at..self.scan.at))
    }

    fn space(&mut self) {
        while matches!(self.scan.peek(), b' ' | b'\t') {
            self.scan.at += 1;
        }
    }

    fn line_break(&mut self) -> bool {
        self.scan.eat(b'\n') || self.scan.eat_word("\r\n")
    }

    fn comment(&mut self) -> Result<(), Stop> {
        if self.scan.eat(b'#') {
            while !self.scan.ended() && !matches!(self.scan.peek(), b'\r' | b'\n') {
                self.letter()?;
                self.scan.at += 1;
            }
        }
        Ok(())
    }

    /// A control character is none that a text may hold.
    fn letter(&self) -> Result<(), Stop> {
        match self.scan.peek() {
            b'\t' | 0x20..=0x7e | 0x80.. => Ok(()),
            _ => self.scan.stop(self.scan.at, &["this is not TOML: a control character stands in it."]),
        }
    }

    /// White space, line breaks and comments.
    pub fn blank(&mut self) -> Result<(), Stop> {
        loop {
            self.space();
            self.comment()?;
            if !self.line_break() {
                return Ok(());
            }
        }
    }

    pub fn keys(&mut self) -> Result<Vec<Key>, Stop> {
        let mut keys = Vec::new();
        loop {
            self.space();
            let start = self.scan.at;
            let mut name = String::new();
            match self.scan.peek() {
                b'"' => self.quoted(&mut name, false)?,
                b'\'' => self.literal(&mut name, false)?,
                _ => {
                    while self.scan.peek().is_ascii_alphanumeric() || matches!(self.scan.peek(), b'-' | b'_') {
                        self.scan.at += 1;
                    }
                    name.push_str(self.scan.slice(start, self.scan.at));
                    if name.is_empty() {
                        let message = match self.scan.peek() {
                            b'=' => "a key is missing before the \"=\".",
                            _ => "this is not TOML: a key is wanted here.",
                        };
                        return self.scan.stop(start, &[message]);
                    }
                }
            }
            keys.push(Key { name, at: start..self.scan.at });
            self.space();
            if keys.len() >= MAX_DEPTH {
                return self.scan.stop(start, &[TOO_DEEP]);
            }
            if !self.scan.eat(b'.') {
                return Ok(keys);
            }
        }
    }

    pub fn value(&mut self) -> Result<Node, Stop> {
        let start = self.scan.at;
        let at = self.scan.pos(start);
        if self.depth >= MAX_DEPTH {
            return self.scan.stop(start, &[TOO_DEEP]);
        }
        self.depth += 1;
        let mut s = String::new();
        let value = match self.scan.peek() {
            b'"' => {
                let long = self.scan.eat_word("\"\"\"");
                self.quoted(&mut s, long)?;
                Value::Text(s)
            }
            b'\'' => {
                let long = self.scan.eat_word("'''");
                self.literal(&mut s, long)?;
                Value::Text(s)
            }
            b'[' => self.list()?,
            b'{' => self.inline()?,
            _ => self.word()?,
        };
        self.depth -= 1;
        Ok(Node { value, at })
    }

    fn list(&mut self) -> Result<Value, Stop> {
        let mut list = Vec::new();
        self.scan.at += 1;
        loop {
            self.blank()?;
            if self.scan.eat(b']') {
                return Ok(Value::List(list));
            }
            if self.scan.ended() {
                return self.unclosed("]", "a list");
            }
            list.push(self.value()?);
            self.blank()?;
            if !self.scan.eat(b',') && self.scan.peek() != b']' {
                return self.unclosed("]", "a list");
            }
        }
    }

    fn inline(&mut self) -> Result<Value, Stop> {
        let (mut out, mut tables) = (Table::default(), Tables::default());
        self.scan.at += 1;
        loop {
            self.blank()?;
            if self.scan.eat(b'}') {
                return Ok(Value::Table(out));
            }
            if self.scan.ended() {
                return self.unclosed("}", "an inline table");
            }
            let (keys, node, _) = self.pair(self.scan.at)?;
            tables.put(&mut out, String::new(), &keys, 0, node, &mut self.scan)?;
            self.blank()?;
            if !self.scan.eat(b',') && self.scan.peek() != b'}' {
                return self.unclosed("}", "an inline table");
            }
        }
    }

    fn unclosed<T>(&self, bracket: &str, what: &str) -> Result<T, Stop> {
        self.scan.stop(self.scan.at, &["a comma or a closing \"", bracket, "\" is missing in ", what, "."])
    }

    /// `"…"` or, with its three quotes read, `"""…"""`.
    fn quoted(&mut self, out: &mut String, long: bool) -> Result<(), Stop> {
        let start = self.scan.at;
        if long {
            self.line_break();
        } else {
            self.scan.at += 1;
        }
        loop {
            let from = self.scan.at;
            while !self.scan.ended() && !matches!(self.scan.peek(), b'"' | b'\\' | b'\r' | b'\n') {
                self.letter()?;
                self.scan.at += 1;
            }
            out.push_str(self.scan.slice(from, self.scan.at));
            match self.scan.peek() {
                b'"' if self.closed(out, b'"', long) => return Ok(()),
                b'"' => {}
                b'\\' => {
                    self.scan.at += 1;
                    self.escape(out, long)?;
                }
                _ if long && self.line_break() => out.push('\n'),
                _ => return self.open_text(start),
            }
        }
    }

    fn literal(&mut self, out: &mut String, long: bool) -> Result<(), Stop> {
        let start = self.scan.at;
        if long {
            self.line_break();
        } else {
            self.scan.at += 1;
        }
        loop {
            let from = self.scan.at;
            while !self.scan.ended() && !matches!(self.scan.peek(), b'\'' | b'\r' | b'\n') {
                self.letter()?;
                self.scan.at += 1;
            }
            out.push_str(self.scan.slice(from, self.scan.at));
            match self.scan.peek() {
                b'\'' if self.closed(out, b'\'', long) => return Ok(()),
                b'\'' => {}
                _ if long && self.line_break() => out.push('\n'),
                _ => return self.open_text(start),
            }
        }
    }

    /// A quote: the closing one, or three of them; up to two more belong to a long text.
    fn closed(&mut self, out: &mut String, quote: u8, long: bool) -> bool {
        let mut quotes = 0;
        while quotes < 5 && self.scan.ahead(quotes) == quote {
            quotes += 1;
        }
        if !long {
            self.scan.at += 1;
            return true;
        }
        self.scan.at += quotes;
        let inside = if quotes >= 3 { quotes - 3 } else { quotes };
        for _ in 0..inside {
            out.push(char::from(quote));
        }
        quotes >= 3
    }

    fn open_text<T>(&self, start: usize) -> Result<T, Stop> {
        self.scan.stop(start, &["a text is not closed: its last quote is missing."])
    }

    fn escape(&mut self, out: &mut String, long: bool) -> Result<(), Stop> {
        let at = self.scan.at;
        let kind = self.scan.peek();
        if long && matches!(kind, b' ' | b'\t' | b'\r' | b'\n') {
            self.space();
            if self.line_break() {
                while matches!(self.scan.peek(), b' ' | b'\t') || self.line_break() {
                    self.space();
                }
                return Ok(());
            }
            self.scan.at = at;
        }
        const SIMPLE: &[u8] = b"b\x08t\tn\nf\x0cr\re\x1b\"\"\\\\";
        self.scan.at += usize::from(kind.is_ascii());
        let digits = match kind {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => 0,
        };
        let c = if digits > 0 {
            self.scan.hex(digits).and_then(char::from_u32)
        } else {
            SIMPLE.chunks_exact(2).find(|p| p[0] == kind).map(|p| char::from(p[1]))
        };
        match c {
            Some(c) => out.push(c),
            None => {
                return self.scan.stop(at - 1, &["a backslash in a text stands for nothing here. Write it twice."]);
            }
        }
        Ok(())
    }

    /// A value without quotes: true, a number, a date, a slip.
    fn word(&mut self) -> Result<Value, Stop> {
        let start = self.scan.at;
        let word = self.scan.until(b" \t\r\n,]}#=");
        match word {
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            _ => {}
        }
        let plain = without_marks(word);
        let message = match (based(&plain), number(&plain)) {
            (Some(n), _) => return Ok(Value::Int(n)),
            (None, Ok(n)) => return Ok(n),
            (None, Err(NoNumber::TooLarge)) => [word, " is too large a number.", ""],
            _ if word.is_empty() => ["a value is missing after the \"=\".", "", ""],
            _ if matches!(word.trim_start_matches(['+', '-']), "inf" | "nan") => {
                let message = [word, " is not a number that a scenario can hold."].concat();
                self.odd.push(Stop { at: start, message });
                return Ok(Value::Bool(false));
            }
            _ if is_date(word) => {
                let message = [word, " is a date; a scenario has none. Times are texts such as \"10s\"."].concat();
                self.odd.push(Stop { at: start, message });
                return Ok(Value::Bool(false));
            }
            _ => match word {
                "yes" | "on" | "True" | "TRUE" => [word, " is not a value. Write true.", ""],
                "no" | "off" | "False" | "FALSE" => [word, " is not a value. Write false.", ""],
                _ => ["a text needs quotes. Write \"", word, "\"."],
            },
        };
        self.scan.stop(start, &message)
    }
}

/// Without underscores between digits; what stands elsewhere stays and makes the number none.
fn without_marks(word: &str) -> String {
    let bytes = word.as_bytes();
    let mut out = String::new();
    for (i, c) in word.char_indices() {
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        if c != '_' || i == 0 || !digit(i - 1) || !digit(i + 1) {
            out.push(c);
        }
    }
    out
}

/// `0x2a`, `0o52`, `0b101010`.
fn based(word: &str) -> Option<i64> {
    let radix = match word.as_bytes() {
        [b'0', b'x', ..] => 16,
        [b'0', b'o', ..] => 8,
        [b'0', b'b', ..] => 2,
        _ => return None,
    };
    let digits = word.get(2..)?;
    let mut n: i64 = 0;
    for c in digits.chars() {
        n = n.checked_mul(i64::from(radix))?.checked_add(i64::from(c.to_digit(radix)?))?;
    }
    (!digits.is_empty()).then_some(n)
}

/// `1979-05-27…` or `07:32…`.
fn is_date(word: &str) -> bool {
    let shape = |pattern: &[u8]| {
        let bytes = word.as_bytes();
        bytes.len() >= pattern.len()
            && pattern.iter().zip(bytes).all(|(p, b)| if *p == b'0' { b.is_ascii_digit() } else { p == b })
    };
    shape(b"0000-00-00") || shape(b"00:00")
}
