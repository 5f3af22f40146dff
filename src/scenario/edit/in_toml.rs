//! Edits of TOML that leave everything else as it was.
//!
//! An edit is done on the text itself: its statements say where every key and value stands, and only those bytes change. A list of tables may be
//! written under headings (`[[worker]]`), as an array of inline tables, or as one table that stands for a list of one; an edit keeps whichever it
//! finds. A table that does not exist yet becomes a dotted key (`lock.ttl = "5s"`), which needs no heading and can stand anywhere.

use super::inside::{self, slice, spliced};
use super::path::{Seg, dotted, first, is_element, last, last_key, path, push, without_first};
use crate::base::pieces::{self, find, tail};
use crate::base::text::said;
use crate::scenario::tree::statement::{Head, Toml};
use crate::scenario::tree::{Form, Table, Value};
use std::ops::Range;

/// A statement with its whole path.
struct Line {
    head: Head,
    path: String,
    /// How much of the path its heading gives, in bytes.
    heading: usize,
    /// Number of the heading, from 1; 0 above the first.
    section: usize,
    value: Range<usize>,
    /// With the comments before it: from the end of the statement before.
    from: usize,
    start: usize,
    end: usize,
}

impl Line {
    /// Is it below a place, or the place itself?
    fn is_in(&self, place: &str) -> bool {
        self.path.starts_with(place)
    }
}

struct Doc<'a> {
    text: &'a str,
    lines: Vec<Line>,
}

impl<'a> Doc<'a> {
    fn new(text: &'a str) -> Result<Doc<'a>, String> {
        let mut toml = Toml::new(text);
        let mut lines: Vec<Line> = Vec::new();
        let (mut heading, mut section, mut from) = (String::new(), 0, 0);
        while let Some(s) = toml.statement().map_err(|_| "the text cannot be read.".to_string())? {
            let mut path = heading.clone();
            if s.head == Head::Pair {
                s.keys.iter().for_each(|k| push(&mut path, Seg::Key(&k.name)));
            } else {
                section += 1;
                path.clear();
                for (i, key) in s.keys.iter().enumerate() {
                    push(&mut path, Seg::Key(&key.name));
                    let headings = lines.iter().filter(|l| l.head == Head::List);
                    let count = headings.filter(|l| last(&l.path).is_some_and(|(_, list)| list == path)).count();
                    // Below a list, a heading means its last element, or a new one.
                    if s.head == Head::List && i + 1 == s.keys.len() {
                        push(&mut path, Seg::At(count));
                    } else if count > 0 {
                        push(&mut path, Seg::At(count - 1));
                    }
                }
                heading.clone_from(&path);
            }
            let given = heading.len();
            lines.push(Line {
                head: s.head,
                path,
                heading: given,
                section,
                value: s.value,
                from,
                start: s.start,
                end: s.end,
            });
            from = s.end;
        }
        Ok(Doc { text, lines })
    }

    /// The path in this text: one table stands for a list of one.
    fn written(&self, path: &str) -> String {
        without_first(path, &|list| {
            let one = |l: &Line| match l.path.strip_prefix(list) {
                Some("") => l.head == Head::Table,
                Some(rest) => !is_element(rest),
                None => false,
            };
            self.lines.iter().any(one)
        })
    }

    /// The key or the inline value that a path leads to.
    fn pair(&self, path: &str) -> Option<&Line> {
        self.lines.iter().find(|l| l.head == Head::Pair && path.starts_with(&l.path))
    }

    fn has(&self, place: &str) -> bool {
        self.lines.iter().any(|l| l.is_in(place))
    }

    /// Without what is at a place and below it.
    fn without(&self, place: &str) -> String {
        let mut left = String::new();
        let mut at = 0;
        for l in &self.lines {
            if !l.is_in(place) {
                left.push_str(slice(self.text, l.from..l.end));
            }
            at = l.end;
        }
        left.push_str(slice(self.text, at..self.text.len()));
        left
    }

    /// The last statement for which this holds.
    fn last(&self, holds: &dyn Fn(&Line) -> bool) -> Option<&Line> {
        self.lines.iter().rev().find(|l| holds(l))
    }
}

/// The text with whole lines more at a place between two lines.
fn with_lines(text: &str, at: usize, lines: &str) -> String {
    let before = slice(text, 0..at);
    let brk = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    spliced(text, at..at, &[brk, lines].concat())
}

/// `ttl = "5s"`.
fn pair_line(path: &str, value: &str) -> String {
    [&dotted(path), " = ", value, "\n"].concat()
}

/// A heading of a list's element, with lines below it.
fn headed(list: &str, lines: &str) -> String {
    ["\n[[", list, "]]\n", lines].concat()
}

pub(super) fn set(text: &str, path: &str, value: &Value) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let new = value.written(Form::Toml);
    let path = doc.written(path);
    if let Some(line) = doc.pair(&path) {
        return inside::set(text, line.value.clone(), tail(&path, line.path.len()), &new, last_key(&line.path));
    }
    // A whole table gives way to a value.
    if doc.has(&path) {
        return set(&doc.without(&path), &path, value);
    }
    match last(&path) {
        Some((Seg::At(i), list)) => {
            let key = last_key(list);
            new_key(&doc, list, &inside::with_first(key, i, &new, key)?)
        }
        _ => new_key(&doc, &path, &new),
    }
}

/// Adds a key to the deepest table that is there.
fn new_key(doc: &Doc, path: &str, value: &str) -> Result<String, String> {
    let mut table = path;
    while let Some((_, parents)) = last(table)
        && !parents.is_empty()
    {
        table = parents;
        let line = |from: usize| pair_line(pieces::tail(path, from), value);
        // Under its heading, behind the keys there.
        if let Some(h) = doc.lines.iter().find(|l| l.head != Head::Pair && l.path == table) {
            let last = doc.last(&|l| l.section == h.section).unwrap_or(h);
            return Ok(with_lines(doc.text, last.end, &line(table.len())));
        }
        // Behind the dotted keys that make it.
        if let Some(last) = doc.last(&|l| l.head == Head::Pair && l.is_in(table) && l.heading < table.len()) {
            return Ok(with_lines(doc.text, last.end, &line(last.heading)));
        }
        if let Some((Seg::At(i), list)) = last(table) {
            let name = last_key(list);
            // The worker that every file has, and that nobody has written down yet, is the only entry that can be added so.
            if i > 0 || last(list).is_none_or(|(_, above)| !above.is_empty()) || doc.has(list) {
                return Err(said("there is no such {0}.", &[name]));
            }
            return Ok(with_lines(doc.text, doc.text.len(), &headed(name, &line(table.len()))));
        }
    }
    let at = doc.last(&|l| l.section == 0).map_or(0, |l| l.end);
    Ok(with_lines(doc.text, at, &pair_line(path, value)))
}

pub(super) fn remove(text: &str, path: &str) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let path = doc.written(path);
    match doc.pair(&path) {
        Some(line) if line.path.len() < path.len() => {
            Ok(inside::remove(text, line.value.clone(), tail(&path, line.path.len())))
        }
        _ => Ok(doc.without(&path)),
    }
}

// ------------------------------------------------------------------ entries of lists

/// The keys of an entry, a line each; those of a table in it are dotted.
fn entry_lines(entry: &Table) -> String {
    let mut out = String::new();
    for e in &entry.entries {
        match e.node.as_table() {
            Some(inner) => {
                for i in &inner.entries {
                    let path = path(&[Seg::Key(&e.key), Seg::Key(&i.key)]);
                    out.push_str(&pair_line(&path, &i.node.value.written(Form::Toml)));
                }
            }
            None => out.push_str(&pair_line(&path(&[Seg::Key(&e.key)]), &e.node.value.written(Form::Toml))),
        }
    }
    out
}

pub(super) fn add(text: &str, list: &str, entry: &Table) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let whole = super::place_of(list);
    let lines = headed(list, &entry_lines(entry));
    let Some(last) = doc.last(&|l| l.is_in(&whole)) else {
        return Ok(with_lines(text, text.len(), &lines));
    };
    if let Some(pair) = doc.pair(&whole) {
        let new = Value::Table(entry.clone()).written(Form::Toml);
        return Ok(inside::pushed(text, pair.value.clone(), &new));
    }
    if is_element(tail(&last.path, whole.len())) {
        return Ok(with_lines(text, last.end, &lines));
    }
    // One table stood for a list of one: now there are two.
    if let Some(h) = doc.lines.iter().find(|l| l.head == Head::Table && l.path == whole) {
        let both = with_lines(text, last.end, &lines);
        let closing = find(slice(text, h.start..h.end), "]").map_or(h.start, |i| h.start + i);
        let both = spliced(&both, closing..closing, "]");
        return Ok(spliced(&both, h.start..h.start, "["));
    }
    let mut keys = String::new();
    for l in doc.lines.iter().filter(|l| l.head == Head::Pair && l.is_in(&whole)) {
        keys.push_str(&pair_line(tail(&l.path, whole.len()), slice(text, l.value.clone())));
    }
    let rest = doc.without(&whole);
    Ok(with_lines(&rest, rest.len(), &[headed(list, &keys), lines].concat()))
}

pub(super) fn move_entry(text: &str, list: &str, from: usize, to: usize) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let whole = path(&[Seg::Key(list)]);
    if let Some(pair) = doc.pair(&whole) {
        return Ok(inside::moved(text, pair.value.clone(), from, to));
    }
    let element = |l: &Line| match l.path.strip_prefix(&whole).and_then(first) {
        Some((Seg::At(i), rest)) => Some((i, l.head == Head::List && rest.is_empty())),
        _ => None,
    };
    // Each entry with everything of it, and the entries in their new order.
    let mut entries: Vec<String> = Vec::new();
    for l in &doc.lines {
        let Some((i, _)) = element(l) else { continue };
        if i == entries.len() {
            entries.push(String::new());
        }
        if let Some(e) = entries.get_mut(i) {
            e.push_str(slice(text, l.from..l.end));
            if !e.ends_with('\n') {
                e.push('\n');
            }
        }
    }
    if from >= entries.len() || to >= entries.len() {
        return Ok(text.to_string());
    }
    let one = entries.remove(from);
    entries.insert(to, one);
    let (mut out, mut at) = (String::new(), 0);
    for l in &doc.lines {
        match element(l) {
            None => out.push_str(slice(text, l.from..l.end)),
            Some((i, true)) => out.push_str(&entries[i]),
            Some(_) => {}
        }
        at = l.end;
    }
    out.push_str(slice(text, at..text.len()));
    Ok(out)
}
