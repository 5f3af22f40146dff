//! Our own reader of TOML against a general one, on thousands of texts that somebody's slip could make of a good one: both read it or both
//! refuse it, and what they read is the same.
#![cfg(not(target_arch = "wasm32"))]

use fencepost::base::prng::{answer, up_to};
use fencepost::scenario::tree::{self, Node, Table, Value};
use fencepost::scenario::{preset, random, to_toml};

/// What TOML has and a scenario has not makes a text neither right nor wrong here.
struct NotOurs;

fn table<'a>(entries: impl Iterator<Item = (&'a str, Result<Value, NotOurs>)>) -> Result<Value, NotOurs> {
    let mut out = Table::default();
    for (key, value) in entries {
        out.set(key, Node::new(value?));
    }
    Ok(Value::Table(out))
}

fn list(values: impl Iterator<Item = Result<Value, NotOurs>>) -> Result<Value, NotOurs> {
    values.map(|v| v.map(Node::new)).collect::<Result<_, _>>().map(Value::List)
}

fn of_table(t: &toml_edit::Table) -> Result<Value, NotOurs> {
    use toml_edit::Item;
    table(t.iter().filter(|(_, item)| !item.is_none()).map(|(key, item)| {
        let value = match item {
            Item::None => Err(NotOurs),
            Item::Value(v) => of_value(v),
            Item::Table(t) => of_table(t),
            Item::ArrayOfTables(a) => list(a.iter().map(of_table)),
        };
        (key, value)
    }))
}

fn of_value(v: &toml_edit::Value) -> Result<Value, NotOurs> {
    use toml_edit::Value as V;
    match v {
        V::String(s) => Ok(Value::Text(s.value().clone())),
        V::Integer(n) => Ok(Value::Int(*n.value())),
        // Seventeen digits are more than a scenario keeps, and nineteen more than it takes.
        V::Float(d) => {
            let shortest = format!("{:?}", d.value());
            tree::read_number(&shortest).filter(|_| d.value().abs() < 1e15).ok_or(NotOurs)
        }
        V::Boolean(b) => Ok(Value::Bool(*b.value())),
        V::Datetime(_) => Err(NotOurs),
        V::Array(a) => list(a.iter().map(of_value)),
        V::InlineTable(t) => table(t.iter().map(|(k, v)| (k, of_value(v)))),
    }
}

/// Keys in code-point order, because the general reader keeps those of dotted keys elsewhere; and one kind of line break, which a reader may
/// choose.
fn sorted(mut v: Value) -> Value {
    match &mut v {
        Value::Table(t) => {
            t.entries.sort_by(|a, b| a.key.cmp(&b.key));
            for e in &mut t.entries {
                e.node.value = sorted(e.node.value.clone());
            }
        }
        Value::Text(s) => *s = s.replace("\r\n", "\n"),
        Value::List(l) => l.iter_mut().for_each(|n| n.value = sorted(n.value.clone())),
        _ => {}
    }
    v
}

const SNIPPETS: [&str; 4] = [
    "a.b.c = 1\na.b.d = [1, 2.5, \"x\", { p.q = 1, p.r = 2 },]\n[x.y]\nz = '''a\nb'''\n[x]\nw = \"\"\"\\\n  q\"\"\"\n",
    "[[l]]\n[[l.m]]\nn=0x1F\n[l.o]\np=1_000\n[[l]]\nq=1e3\nr=-0.5\ns=0b101\nt=+7\n",
    "\"a b\" = 'c\\d' # e\r\n'f'.\"g\\u00e9\" = \"\"\"h\"\"i\"\"\"\r\nk = [\n  1, # one\n  [2, 3],\n]\n",
    "lock = { ttl = \"1s\", nodes = [\"A\", \"B\"] }\nworker = [{ name = \"W1\" }, {}]\nfault.at = \"a\\tb\\x41\\e\"\n",
];

const SLIPS: [&str; 33] = [
    "=", "[", "]", "{", "}", ",", ".", "\"", "'", "#", "\n", "\r\n", " ", "\\", "\"\"\"", "'''", "[[", "]]", "1", "-",
    "_", "e", "true", "a", "a.b", "é", "\t", "0x", "\\u00e9", "inf", "+1", "1.5", "\u{7f}",
];

struct Dice {
    key: u64,
    n: u64,
}

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.n += 1;
        up_to(answer(self.key, &[self.n]), n as u64 - 1) as usize
    }

    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Some lines of a text, with up to three slips.
    fn text(&mut self, corpus: &[String]) -> String {
        let whole = &corpus[self.below(corpus.len())];
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let first = self.below(lines.len());
        let mut text = lines[first..(first + 1 + self.below(12)).min(lines.len())].concat();
        for _ in 0..self.below(4) {
            let at = self.place(&text);
            match self.below(3) {
                0 => text.insert_str(at, SLIPS[self.below(SLIPS.len())]),
                1 => drop((at < text.len()).then(|| text.remove(at))),
                _ => {
                    let other = self.place(&text);
                    let piece = text[at.min(other)..at.max(other)].to_string();
                    if piece.len() < 40 {
                        text.insert_str(at, &piece);
                    }
                }
            }
        }
        text
    }
}

/// Inside `{ … }` the general reader takes a value from the line after its `=`, where the language (`keyval-sep`) has no line break.
fn breaks_after_equals(text: &str) -> bool {
    text.split('=').skip(1).any(|rest| rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n'))
}

#[test]
fn mutated_texts_are_read_as_a_general_reader_reads_them() {
    let mut corpus: Vec<String> = preset::all().into_iter().map(|p| p.text.to_string()).collect();
    corpus.extend((0..20).map(random::scenario));
    corpus.extend(SNIPPETS.map(str::to_string));
    let mut dice = Dice { key: 7, n: 0 };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..6_000 {
        let text = dice.text(&corpus);
        if tree::is_json(&text) || breaks_after_equals(&text) {
            continue;
        }
        let ours = tree::read(&text);
        match text.parse::<toml_edit::DocumentMut>() {
            Err(_) => {
                assert!(ours.is_err(), "only we read {text:?}");
                refused += 1;
            }
            Ok(theirs) => {
                let Ok(theirs) = of_table(theirs.as_table()) else { continue };
                let ours = ours.unwrap_or_else(|e| panic!("only we refuse {text:?}: {}", e[0]));
                assert_eq!(sorted(Value::Table(ours)), sorted(theirs), "{text:?}");
                read += 1;
            }
        }
    }
    assert!(read > 1_000 && refused > 1_000, "{read} read, {refused} refused: these texts say little");
}

#[test]
fn what_is_written_can_be_read_by_both() {
    for text in ["a\u{7f}b", "\0\u{1}\u{1f}", "\"\\\n\r\t", "é…", "\u{80}\u{feff}"] {
        let mut t = Table::default();
        t.set("story", Node::text(text));
        t.set(text, Node::new(Value::Int(1)));
        let written = to_toml(&t);
        assert_eq!(tree::read(&written).unwrap(), t, "{written:?}");
        assert!(written.parse::<toml_edit::DocumentMut>().is_ok(), "{written:?}");
    }
}
