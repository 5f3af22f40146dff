//! Edits of TOML that leave everything else as it was.
//!
//! An edit is done on the text itself: its statements say where every key and value stands, and only those bytes change. A list of tables may be
//! written under headings (`[[worker]]`), as an array of inline tables, or as one table that stands for a list of one; an edit keeps whichever it
//! finds. A table that does not exist yet becomes a dotted key (`lock.ttl = "5s"`), which needs no heading and can stand anywhere.

use super::inside::{self, Inside, spliced};
use super::path::Seg;
use crate::scenario::step::Step;
use crate::scenario::to_toml;
use crate::scenario::tree::statement::{Head, Toml};
use crate::scenario::tree::{Node, Table, Value};
use std::ops::Range;

/// A statement with its whole path.
struct Line {
    head: Head,
    path: Vec<Seg>,
    /// How much of the path its heading gives.
    heading: usize,
    /// Number of the heading, from 1; 0 above the first.
    section: usize,
    value: Range<usize>,
    /// With the comments before it: from the end of the statement before.
    from: usize,
    start: usize,
    end: usize,
}

struct Doc<'a> {
    text: &'a str,
    lines: Vec<Line>,
}

impl<'a> Doc<'a> {
    fn new(text: &'a str) -> Result<Doc<'a>, String> {
        let mut toml = Toml::new(text);
        let mut lines: Vec<Line> = Vec::new();
        let (mut heading, mut section, mut from) = (Vec::new(), 0, 0);
        while let Some(s) = toml.statement().map_err(|_| "the text cannot be read.".to_string())? {
            let mut path = if s.head == Head::Pair { heading } else { Vec::new() };
            let given = path.len();
            for key in s.keys {
                path.push(Seg::Key(key.name));
                // Below a list, a heading means its last element.
                if s.head != Head::Pair {
                    let count = lines.iter().filter(|l| l.head == Head::List && is_element(&l.path, &path)).count();
                    if count > 0 {
                        path.push(Seg::At(count - 1));
                    }
                }
            }
            if s.head != Head::Pair {
                section += 1;
            }
            if s.head == Head::List {
                // A new element of the list.
                match path.last_mut() {
                    Some(Seg::At(i)) => *i += 1,
                    _ => path.push(Seg::At(0)),
                }
            }
            heading = match s.head {
                Head::Pair => path[..given].to_vec(),
                _ => path.clone(),
            };
            let heading = if s.head == Head::Pair { given } else { path.len() };
            lines.push(Line { head: s.head, path, heading, section, value: s.value, from, start: s.start, end: s.end });
            from = s.end;
        }
        Ok(Doc { text, lines })
    }

    /// The path in this text: one table stands for a list of one.
    fn written(&self, segs: &[Seg]) -> Vec<Seg> {
        let mut segs = segs.to_vec();
        for i in 1..segs.len().saturating_sub(1) {
            if segs[i] == Seg::At(0) {
                let before = &segs[..i];
                let one = |l: &Line| {
                    matches!(l.path.get(i), Some(Seg::Key(_))) || (l.head == Head::Table && l.path == before)
                };
                if self.lines.iter().any(|l| l.path.starts_with(before) && one(l)) {
                    segs.remove(i);
                    break;
                }
            }
        }
        segs
    }

    /// The key or the inline value that a path leads to, and how much of the path leads there.
    fn pair(&self, segs: &[Seg]) -> Option<&Line> {
        self.lines.iter().find(|l| l.head == Head::Pair && segs.starts_with(&l.path))
    }

    /// Without the statements for which this holds.
    fn without(&self, out: &dyn Fn(&Line) -> bool) -> String {
        let mut left = String::new();
        let mut at = 0;
        for l in &self.lines {
            if !out(l) {
                left.push_str(slice(self.text, l.from..l.end));
            }
            at = l.end;
        }
        left.push_str(slice(self.text, at..self.text.len()));
        left
    }

    /// Behind the last statement for which this holds.
    fn behind(&self, holds: &dyn Fn(&Line) -> bool) -> Option<&Line> {
        self.lines.iter().rev().find(|l| holds(l))
    }
}

fn is_element(path: &[Seg], list: &[Seg]) -> bool {
    path.len() == list.len() + 1 && path.starts_with(list)
}

fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("")
}

/// The text with whole lines more at a place between two lines.
fn with_lines(text: &str, at: usize, lines: &str) -> String {
    let before = slice(text, 0..at);
    let brk = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    [before, brk, lines, slice(text, at..text.len())].concat()
}

fn last_key(segs: &[Seg]) -> &str {
    segs.iter().rev().find_map(|s| if let Seg::Key(k) = s { Some(k.as_str()) } else { None }).unwrap_or("")
}

pub(super) fn set(text: &str, segs: &[Seg], value: &Value) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let new = to_toml::inline(value);
    let segs = doc.written(segs);
    if let Some(line) = doc.pair(&segs) {
        let key = last_key(&line.path).to_string();
        return inside::set(text, line.value.clone(), &segs[line.path.len()..], &new, &key);
    }
    // A whole table gives way to a value.
    if doc.lines.iter().any(|l| l.path.starts_with(&segs)) {
        let without = doc.without(&|l| l.path.starts_with(&segs));
        return set(&without, &segs, value);
    }
    match segs.split_last() {
        Some((Seg::At(i), list)) => {
            // Steps that were not written are the default ones.
            let default = if last_key(list) == "steps" { Step::default_list() } else { Vec::new() };
            let all = to_toml::inline(&Value::List(default.iter().map(Step::node).collect()));
            let all = inside::set(&all, 0..all.len(), &[Seg::At(*i)], &new, last_key(list))?;
            new_key(&doc, list, &all)
        }
        _ => new_key(&doc, &segs, &new),
    }
}

/// Adds a key to the deepest table that is there.
fn new_key(doc: &Doc, segs: &[Seg], value: &str) -> Result<String, String> {
    let line = |keys: &[Seg]| [&inside::dotted(keys), " = ", value, "\n"].concat();
    let parents = &segs[..segs.len().saturating_sub(1)];
    for n in (1..=parents.len()).rev() {
        let table = &segs[..n];
        // Under its heading, behind the keys there.
        if let Some(h) = doc.lines.iter().find(|l| l.head != Head::Pair && l.path == table) {
            let last = doc.behind(&|l| l.section == h.section).unwrap_or(h);
            return Ok(with_lines(doc.text, last.end, &line(&segs[n..])));
        }
        // Behind the dotted keys that make it.
        if let Some(last) = doc.behind(&|l| l.head == Head::Pair && l.path.starts_with(table) && l.heading < n) {
            return Ok(with_lines(doc.text, last.end, &line(&segs[last.heading..])));
        }
        if let Some((Seg::At(i), list)) = table.split_last() {
            let [Seg::Key(name)] = list else { return Err(["there is no such ", last_key(list), "."].concat()) };
            if *i > 0 || doc.lines.iter().any(|l| l.path.starts_with(list)) {
                return Err(["there is no such ", name, "."].concat());
            }
            // The worker that every file has, and that nobody has written down yet.
            let entry = ["\n[[", name, "]]\n", &line(&segs[n..])].concat();
            return Ok(with_lines(doc.text, doc.text.len(), &entry));
        }
    }
    let at = doc.behind(&|l| l.section == 0).map_or(0, |l| l.end);
    Ok(with_lines(doc.text, at, &line(segs)))
}

pub(super) fn remove(text: &str, segs: &[Seg]) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let segs = doc.written(segs);
    match doc.pair(&segs) {
        Some(line) if line.path.len() < segs.len() => {
            Ok(inside::remove(text, line.value.clone(), &segs[line.path.len()..]))
        }
        _ => Ok(doc.without(&|l| l.path.starts_with(&segs))),
    }
}

// ------------------------------------------------------------------ entries of lists

fn entry_lines(list: &str, entry: &Table) -> String {
    let mut out = ["\n[[", list, "]]\n"].concat();
    let mut line = |keys: &[Seg], node: &Node| {
        out.push_str(&[&inside::dotted(keys), " = ", &to_toml::inline(&node.value), "\n"].concat());
    };
    for e in &entry.entries {
        let key = Seg::Key(e.key.clone());
        match e.node.as_table() {
            Some(inner) => {
                for i in &inner.entries {
                    line(&[key.clone(), Seg::Key(i.key.clone())], &i.node);
                }
            }
            None => line(&[key], &e.node),
        }
    }
    out
}

pub(super) fn add(text: &str, list: &str, entry: &Table) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let whole = [Seg::Key(list.to_string())];
    let lines = entry_lines(list, entry);
    let Some(last) = doc.behind(&|l| l.path.starts_with(&whole)) else {
        return Ok(with_lines(text, text.len(), &lines));
    };
    if let Some(pair) = doc.pair(&whole) {
        let new = to_toml::inline(&Value::Table(entry.clone()));
        return Ok(inside::push(text, pair.value.clone(), &new));
    }
    if last.path.len() > 1 && matches!(last.path[1], Seg::At(_)) {
        return Ok(with_lines(text, last.end, &lines));
    }
    // One table stood for a list of one: now there are two.
    let heading = doc.lines.iter().find(|l| l.head == Head::Table && l.path == whole);
    if let Some(h) = heading {
        let both = with_lines(text, last.end, &lines);
        let closing = slice(text, h.start..h.end).find(']').map_or(h.start, |i| h.start + i);
        let both = spliced(&both, closing..closing, "]");
        return Ok(spliced(&both, h.start..h.start, "["));
    }
    let mut first = ["\n[[", list, "]]\n"].concat();
    for l in doc.lines.iter().filter(|l| l.path.starts_with(&whole) && l.head == Head::Pair) {
        first.push_str(&[&inside::dotted(&l.path[1..]), " = ", slice(text, l.value.clone()), "\n"].concat());
    }
    let rest = doc.without(&|l| l.path.starts_with(&whole));
    Ok(with_lines(&rest, rest.len(), &[first, lines].concat()))
}

pub(super) fn remove_entry(text: &str, list: &str, at: usize) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let whole = [Seg::Key(list.to_string())];
    let entry = [whole[0].clone(), Seg::At(at)];
    if let Some(pair) = doc.pair(&whole)
        && let Inside::List(items) = inside::read(text, pair.value.clone())
        && items.len() > 1
    {
        return Ok(inside::remove(text, pair.value.clone(), &entry[1..]));
    }
    let headed = doc.lines.iter().any(|l| l.path.starts_with(&entry));
    // Otherwise it is the only one, written as a table.
    Ok(doc.without(&|l| l.path.starts_with(if headed { &entry[..] } else { &whole })))
}

pub(super) fn move_entry(text: &str, list: &str, from: usize, to: usize) -> Result<String, String> {
    let doc = Doc::new(text)?;
    let whole = [Seg::Key(list.to_string())];
    if let Some(pair) = doc.pair(&whole) {
        return Ok(inside::moved(text, pair.value.clone(), from, to));
    }
    let element = |l: &Line| match l.path.get(1) {
        Some(Seg::At(i)) if l.path.starts_with(&whole) => Some(*i),
        _ => None,
    };
    // Each entry with everything of it, and the entries in their new order.
    let mut entries: Vec<String> = Vec::new();
    for l in &doc.lines {
        let Some(i) = element(l) else { continue };
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
            Some(i) if l.head == Head::List && l.path.len() == 2 => out.push_str(&entries[i]),
            Some(_) => {}
        }
        at = l.end;
    }
    out.push_str(slice(text, at..text.len()));
    Ok(out)
}
