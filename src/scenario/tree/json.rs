//! JSON text to the tree and back.
//!
//! A general JSON reader keeps the last of two equal keys and says nothing; a slip would then be silent, so this one refuses.

use super::scan::{NoNumber, Read, Scan, number, stop};
use super::{Entry, Node, Table, Value, syntax};
use crate::base::FlatSet;
use crate::scenario::diagnostic::Diagnostics;

/// Nesting of objects and arrays, at most.
const MAX_DEPTH: usize = 127;

pub(super) fn read(text: &str, found: &mut Diagnostics) -> Option<Table> {
    let mut json = Json { scan: Scan::new(text), depth: 0 };
    match json.whole() {
        Ok(Value::Table(t)) => Some(t),
        Ok(_) => None,
        Err(stop) => {
            let at = json.scan.pos(stop.at);
            found.push(syntax(at, stop.message));
            None
        }
    }
}

struct Json<'a> {
    scan: Scan<'a>,
    depth: usize,
}

impl Json<'_> {
    fn whole(&mut self) -> Read<Value> {
        self.space();
        let value = self.value()?;
        self.space();
        if self.scan.ended() { Ok(value) } else { self.wrong("trailing characters") }
    }

    fn space(&mut self) {
        self.scan.skip(b" \t\r\n");
    }

    #[inline(never)]
    fn wrong<T>(&self, what: &str) -> Read<T> {
        let template = if self.scan.ended() {
            "the text ends too early: a quote, a \"]\" or a \"}\" is missing."
        } else {
            "this is not JSON: {0}."
        };
        Err(stop(self.scan.at, template, &[what]))
    }

    /// Is the list or object over here? If not, a comma leads to its next element.
    fn closed(&mut self, bracket: u8, wanted: &str) -> Read<bool> {
        self.space();
        if self.scan.eat(bracket) {
            return Ok(true);
        }
        if self.scan.eat(b',') {
            self.space();
            return Ok(false);
        }
        self.wrong(wanted)
    }

    fn value(&mut self) -> Read<Value> {
        if self.depth >= MAX_DEPTH {
            return Err(stop(self.scan.at, "objects and arrays are nested too deeply.", &[]));
        }
        self.depth += 1;
        let value = match self.scan.peek() {
            b'{' => self.object()?,
            b'[' => self.array()?,
            b'"' => Value::Text(self.text()?),
            _ => self.word()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Read<Value> {
        let mut table = Table::default();
        // A sorted copy of the keys keeps the search for repeated ones cheap in a table of thousands.
        let mut seen = FlatSet::new();
        self.scan.at += 1;
        self.space();
        let mut over = self.scan.eat(b'}');
        while !over {
            if self.scan.peek() != b'"' {
                return self.wrong("key must be a string");
            }
            let at = self.scan.at;
            let key = self.text()?;
            if !seen.insert(key.clone()) {
                return Err(stop(at, super::TWICE, &[&key]));
            }
            self.space();
            if !self.scan.eat(b':') {
                return self.wrong("expected `:`");
            }
            self.space();
            let node = Node::new(self.value()?);
            table.entries.push(Entry { key, at: super::Pos::UNKNOWN, node });
            over = self.closed(b'}', "expected `,` or `}`")?;
        }
        Ok(Value::Table(table))
    }

    fn array(&mut self) -> Read<Value> {
        let mut list = Vec::new();
        self.scan.at += 1;
        self.space();
        let mut over = self.scan.eat(b']');
        while !over {
            list.push(Node::new(self.value()?));
            over = self.closed(b']', "expected `,` or `]`")?;
        }
        Ok(Value::List(list))
    }

    fn text(&mut self) -> Read<String> {
        let mut out = String::new();
        self.scan.at += 1;
        loop {
            let from = self.scan.at;
            while !self.scan.ended() && !matches!(self.scan.peek(), b'"' | b'\\' | 0..0x20) {
                self.scan.at += 1;
            }
            out.push_str(self.scan.slice(from, self.scan.at));
            if self.scan.eat(b'"') {
                return Ok(out);
            }
            if !self.scan.eat(b'\\') {
                return self.wrong("a control character stands in a text");
            }
            match self.escape() {
                Some(c) => out.push(c),
                None => return self.wrong("invalid escape"),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        const SIMPLE: &[u8] = b"\"\"\\\\//b\x08f\x0cn\nr\rt\t";
        let kind = self.scan.peek();
        if kind != b'u' {
            let pair = SIMPLE.chunks_exact(2).find(|p| p[0] == kind)?;
            self.scan.at += 1;
            return Some(char::from(pair[1]));
        }
        self.scan.at += 1;
        let mut n = self.scan.hex(4)?;
        // Two escapes together stand for a character beyond the first 65,536.
        if (0xd800..0xdc00).contains(&n) && self.scan.eat_word("\\u") {
            let low = self.scan.hex(4)?;
            n = 0x10000 + ((n - 0xd800) << 10) + low.checked_sub(0xdc00).filter(|l| *l < 0x400)?;
        }
        char::from_u32(n)
    }

    fn word(&mut self) -> Read<Value> {
        let start = self.scan.at;
        let word = self.scan.until(b" \t\r\n,]}[{:\"");
        match word {
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            "null" => return Err(stop(start, "null says nothing. Leave the key out.", &[])),
            _ if word.starts_with('+') => {}
            _ => match number(word) {
                Ok(n) => return Ok(n),
                Err(NoNumber::TooLarge) => return Err(stop(start, super::TOO_LARGE, &[word])),
                Err(NoNumber::NotOne) => {}
            },
        }
        if !word.is_empty() {
            self.scan.at = start;
        }
        self.wrong("expected value")
    }
}

/// A JSON string.
pub fn quote(s: &str, out: &mut String) {
    escaped(s, '\0', out);
}

/// A TOML string: as in JSON, but that it may not hold the control character DEL either.
pub fn quote_toml(s: &str, out: &mut String) {
    escaped(s, '\x7f', out);
}

#[inline(never)]
fn escaped(s: &str, also: char, out: &mut String) {
    out.push('"');
    for c in s.chars() {
        let short = match c {
            '"' | '\\' => c,
            '\n' => 'n',
            '\r' => 'r',
            '\t' => 't',
            c if c < ' ' || c == also => {
                out.push_str("\\u00");
                for digit in [u32::from(c) / 16, u32::from(c) % 16] {
                    out.extend(char::from_digit(digit, 16));
                }
                continue;
            }
            _ => {
                out.push(c);
                continue;
            }
        };
        out.push('\\');
        out.push(short);
    }
    out.push('"');
}
