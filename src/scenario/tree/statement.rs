//! The statements of a TOML text: headings, and keys with their values.
//!
//! [`Toml::statement`] reads one after the other and says where each stands: for the tree, and for edits, which change a text statement by
//! statement.

use super::scan::{MAX_DEPTH, NoNumber, Read, Scan, Stop, number, stop};
use super::toml::Tables;
use super::{Node, Table, Value};
use crate::base::pieces::times;
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
    pub fn statement(&mut self) -> Read<Option<Statement>> {
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
                return Err(stop(self.scan.at, "a heading is not closed: a \"]\" is missing.", &[]));
            }
        } else {
            head = Head::Pair;
            (keys, node, value) = self.pair(start)?;
        }
        self.space();
        self.comment()?;
        if !self.scan.ended() && !self.line_break() {
            let message = "something stands after the value. One key and one value to a line.";
            return Err(stop(self.scan.at, message, &[]));
        }
        Ok(Some(Statement { head, keys, node, value, start, end: self.scan.at }))
    }

    /// A key and its value, with the place of the value.
    pub fn pair(&mut self, start: usize) -> Read<(Vec<Key>, Node, Range<usize>)> {
        let keys = self.keys()?;
        if !self.scan.eat(b'=') {
            self.scan.until(b"\r\n");
            let line = self.scan.slice(start, self.scan.at).trim_ascii();
            return Err(stop(start, "\"{0}\" has no value: an \"=\" is missing.", &[line]));
        }
        self.space();
        let at = self.scan.at;
        let node = self.value()?;
        Ok((keys, node, at..self.scan.at))
    }

    fn space(&mut self) {
        self.scan.skip(b" \t");
    }

    #[inline(never)]
    fn line_break(&mut self) -> bool {
        self.scan.eat(b'\n') || self.scan.eat_word("\r\n")
    }

    fn comment(&mut self) -> Read<()> {
        if self.scan.eat(b'#') {
            while !self.scan.ended() && !matches!(self.scan.peek(), b'\r' | b'\n') {
                self.letter()?;
                self.scan.at += 1;
            }
        }
        Ok(())
    }

    /// A control character is none that a text may hold.
    #[inline(never)]
    fn letter(&self) -> Read<()> {
        match self.scan.peek() {
            b'\t' | 0x20..=0x7e | 0x80.. => Ok(()),
            _ => Err(stop(self.scan.at, "this is not TOML: a control character stands in it.", &[])),
        }
    }

    /// White space, line breaks and comments.
    pub fn blank(&mut self) -> Read<()> {
        loop {
            self.space();
            self.comment()?;
            if !self.line_break() {
                return Ok(());
            }
        }
    }

    pub fn keys(&mut self) -> Read<Vec<Key>> {
        let mut keys = Vec::new();
        loop {
            self.space();
            let start = self.scan.at;
            let mut name = String::new();
            match self.scan.peek() {
                quote @ (b'"' | b'\'') => self.string(quote, &mut name, false)?,
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
                        return Err(stop(start, message, &[]));
                    }
                }
            }
            keys.push(Key { name, at: start..self.scan.at });
            self.space();
            if keys.len() >= MAX_DEPTH {
                return Err(stop(start, TOO_DEEP, &[]));
            }
            if !self.scan.eat(b'.') {
                return Ok(keys);
            }
        }
    }

    pub fn value(&mut self) -> Read<Node> {
        let start = self.scan.at;
        let at = self.scan.pos(start);
        if self.depth >= MAX_DEPTH {
            return Err(stop(start, TOO_DEEP, &[]));
        }
        self.depth += 1;
        let mut s = String::new();
        let value = match self.scan.peek() {
            quote @ (b'"' | b'\'') => {
                let long = self.scan.ahead(1) == quote && self.scan.ahead(2) == quote;
                self.string(quote, &mut s, long)?;
                Value::Text(s)
            }
            b'[' => self.list()?,
            b'{' => self.inline()?,
            _ => self.word()?,
        };
        self.depth -= 1;
        Ok(Node { value, at })
    }

    /// Is the list or table that a bracket opened over here? `first`: nothing stands in it yet.
    fn closed_by(&mut self, bracket: u8, first: bool) -> Read<bool> {
        self.blank()?;
        let comma = first || self.scan.eat(b',');
        self.blank()?;
        if self.scan.eat(bracket) {
            return Ok(true);
        }
        if comma && !self.scan.ended() {
            return Ok(false);
        }
        let template = match bracket {
            b']' => "a comma or a closing \"]\" is missing in a list.",
            _ => "a comma or a closing \"}\" is missing in an inline table.",
        };
        Err(stop(self.scan.at, template, &[]))
    }

    fn list(&mut self) -> Read<Value> {
        let mut list = Vec::new();
        self.scan.at += 1;
        while !self.closed_by(b']', list.is_empty())? {
            list.push(self.value()?);
        }
        Ok(Value::List(list))
    }

    fn inline(&mut self) -> Read<Value> {
        let (mut out, mut tables) = (Table::default(), Tables::default());
        self.scan.at += 1;
        while !self.closed_by(b'}', out.is_empty())? {
            let (keys, node, _) = self.pair(self.scan.at)?;
            tables.put(&mut out, String::new(), &keys, 0, node, &mut self.scan)?;
        }
        Ok(Value::Table(out))
    }

    /// A text in quotes, or in three of them. In double quotes a backslash begins an escape.
    fn string(&mut self, quote: u8, out: &mut String, long: bool) -> Read<()> {
        self.scan.at += if long { 3 } else { 1 };
        let start = self.scan.at - usize::from(!long);
        if long {
            self.line_break();
        }
        loop {
            let from = self.scan.at;
            let mut byte = self.scan.peek();
            while !self.scan.ended()
                && byte != quote
                && !matches!(byte, b'\r' | b'\n')
                && (byte, quote) != (b'\\', b'"')
            {
                self.letter()?;
                self.scan.at += 1;
                byte = self.scan.peek();
            }
            out.push_str(self.scan.slice(from, self.scan.at));
            if byte == quote {
                if self.closed(out, quote, long) {
                    return Ok(());
                }
            } else if self.scan.eat(b'\\') {
                self.escape(out, long)?;
            } else if long && self.line_break() {
                out.push('\n');
            } else {
                return Err(stop(start, "a text is not closed: its last quote is missing.", &[]));
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

    fn escape(&mut self, out: &mut String, long: bool) -> Read<()> {
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
                let message = "a backslash in a text stands for nothing here. Write it twice.";
                return Err(stop(at - 1, message, &[]));
            }
        }
        Ok(())
    }

    /// A value without quotes: true, a number, a date, a slip.
    fn word(&mut self) -> Read<Value> {
        let start = self.scan.at;
        let word = self.scan.until(b" \t\r\n,]}#=");
        match word {
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            _ => {}
        }
        let plain = without_marks(word);
        if let Some(n) = based(&plain) {
            return Ok(Value::Int(n));
        }
        let none = match number(&plain) {
            Ok(n) => return Ok(n),
            Err(none) => none,
        };
        let odd = if matches!(word.trim_start_matches(['+', '-']), "inf" | "nan") {
            "{0} is not a number that a scenario can hold."
        } else if is_date(word) {
            "{0} is a date; a scenario has none. Times are texts such as \"10s\"."
        } else {
            ""
        };
        // What TOML has and a scenario has not: the text is read to its end all the same.
        if !odd.is_empty() {
            self.odd.push(*stop(start, odd, &[word]));
            return Ok(Value::Bool(false));
        }
        let message = match word {
            _ if none == NoNumber::TooLarge => super::TOO_LARGE,
            "" => "a value is missing after the \"=\".",
            "yes" | "on" | "True" | "TRUE" => "{0} is not a value. Write true.",
            "no" | "off" | "False" | "FALSE" => "{0} is not a value. Write false.",
            _ => "a text needs quotes. Write \"{0}\".",
        };
        Err(stop(start, message, &[word]))
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
        n = times(n, i64::from(radix), i64::from(c.to_digit(radix)?))?;
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
