//! Paths: from names to places in the tree.
//!
//! A place is one text: each step into the tree, a key or a place in a list, ends with a character that no key has. So what lies below a place is
//! what begins with its text.

use super::nowhere;
use crate::base::pieces::{count, cut, part};
use crate::base::text::{number, said};
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::scenario::read::{items, of, text};
use crate::scenario::scenario::{MAX_WORKERS, design_name};
use crate::scenario::to_toml;
use crate::scenario::tree::{Node, Table, Value};

/// Ends a step.
const END: &str = "\u{1f}";
/// Begins a step to an element of a list.
const PLACE: char = '\u{1e}';

/// One step into the tree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seg<'a> {
    Key(&'a str),
    /// An element of a list, from 0.
    At(usize),
}

#[inline(never)]
pub(super) fn push(path: &mut String, seg: Seg) {
    match seg {
        Seg::Key(key) => path.push_str(key),
        Seg::At(i) => {
            path.push(PLACE);
            path.push_str(&number(i));
        }
    }
    path.push_str(END);
}

/// A path of some steps.
pub(super) fn path(segs: &[Seg]) -> String {
    let mut path = String::new();
    for seg in segs {
        push(&mut path, *seg);
    }
    path
}

/// The first step and the rest.
#[inline(never)]
pub(super) fn first(path: &str) -> Option<(Seg<'_>, &str)> {
    let (step, rest) = cut(path, END)?;
    let seg = match step.strip_prefix(PLACE) {
        Some(i) => Seg::At(count(i).unwrap_or(0)),
        None => Seg::Key(step),
    };
    Some((seg, rest))
}

/// The last step and what is before it.
#[inline(never)]
pub(super) fn last(path: &str) -> Option<(Seg<'_>, &str)> {
    let (mut step, mut parents) = (path, "");
    // The end of a path ends its last step.
    while let Some((_, rest)) = cut(step, END).filter(|(_, rest)| !rest.is_empty()) {
        step = rest;
        parents = part(path, 0, path.len() - rest.len());
    }
    first(step).map(|(seg, _)| (seg, parents))
}

/// The last key in it.
pub(super) fn last_key(mut path: &str) -> &str {
    while let Some((seg, parents)) = last(path) {
        match seg {
            Seg::Key(key) => return key,
            Seg::At(_) => path = parents,
        }
    }
    ""
}

/// Does it begin with an element of a list?
pub(super) fn is_element(path: &str) -> bool {
    path.starts_with(PLACE)
}

/// Without the first `0` for which this holds of what is before it: where one table stands for a list of one.
pub(super) fn without_first(path: &str, holds: &dyn Fn(&str) -> bool) -> String {
    let zero = self::path(&[Seg::At(0)]);
    let mut rest = path;
    while let Some((_, after)) = cut(rest, &zero) {
        let before = part(path, 0, path.len() - after.len() - zero.len());
        if !after.is_empty() && holds(before) {
            return [before, after].concat();
        }
        rest = after;
    }
    path.to_string()
}

/// `client.retry`.
#[inline(never)]
pub(super) fn dotted(mut path: &str) -> String {
    let mut out = String::new();
    while let Some((seg, rest)) = first(path) {
        if !out.is_empty() {
            out.push('.');
        }
        out.push_str(&match seg {
            Seg::Key(key) => to_toml::key(key),
            Seg::At(i) => number(i),
        });
        path = rest;
    }
    out
}

/// `design."No fencing".note` has three parts.
pub(super) fn split(path: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in path.chars() {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(String::new()),
            c => parts.last_mut().expect("there is always a last part").push(c),
        }
    }
    parts
}

/// Where a path leads in this file. Names become numbers; a number is one already.
pub(super) fn resolve(table: &Table, path: &str) -> Result<String, Diagnostic> {
    let parts = split(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    if parts.contains(&"") {
        return Err(nowhere(path, "this is no path of a key."));
    }
    let mut out = String::new();
    push(&mut out, Seg::Key(parts[0]));
    let rest = match parts[..] {
        [list @ ("worker" | "fault" | "design" | "link"), name, ref rest @ ..] => {
            push(&mut out, Seg::At(entry(table, list, name)?));
            if rest.is_empty() {
                return Err(nowhere(path, "which key of it?"));
            }
            rest
        }
        [section @ ("lock" | "resource"), "also", name, ref rest @ ..] => {
            let list = table.get(section).map_or(&[][..], |n| items(of(n), "also"));
            let Some(i) = named(list, name) else {
                return Err(nowhere(path, &said("there is no \"{0}\".", &[name])));
            };
            push(&mut out, Seg::Key("also"));
            push(&mut out, Seg::At(i));
            rest
        }
        _ => &parts[1..],
    };
    // A number further in is a place in a list: of steps, of claims.
    for part in rest {
        push(&mut out, count(part).map_or(Seg::Key(part), Seg::At));
    }
    Ok(out)
}

/// The entry that a name or a number stands for. A name begins with a letter; a design may be called "2", and then the number counts.
pub(super) fn entry(table: &Table, list: &str, name: &str) -> Result<usize, Diagnostic> {
    let all = items(table, list);
    if let Some(at) = numbered(all, name) {
        return Ok(at);
    }
    let found = match list {
        "worker" => {
            if all.is_empty() && (name == "W1" || name == "0") {
                // The worker that every file has is written down by the first edit of it.
                return Ok(0);
            }
            match worker_names(table).into_iter().find(|w| w.0 == name) {
                Some((_, _, count)) if count > 1 => {
                    let template = "\"{0}\" is one of {1} that a count makes. Give it an entry of its own first.";
                    return Err(nowhere(list, &said(template, &[name, &number(count as usize)])));
                }
                found => found.map(|w| w.1),
            }
        }
        "design" => all
            .iter()
            .enumerate()
            .position(|(i, d)| design_name(text(of(d), "name"), text(of(d), "protection"), i) == name),
        _ => None,
    };
    let found = found.or_else(|| if list == "worker" || list == "design" { None } else { named(all, name) });
    found.ok_or_else(|| missing(list, name))
}

pub(super) fn missing(list: &str, name: &str) -> Diagnostic {
    nowhere(list, &said("there is no {0} \"{1}\".", &[list, name]))
}

fn named(all: &[Node], name: &str) -> Option<usize> {
    all.iter().position(|t| text(of(t), "name") == Some(name)).or_else(|| numbered(all, name))
}

fn numbered(all: &[Node], name: &str) -> Option<usize> {
    count(name).filter(|i| *i < all.len())
}

/// Names of all workers, with the entry and the count that make them.
pub(super) fn worker_names(table: &Table) -> Vec<(String, usize, i64)> {
    let mut out: Vec<(String, usize, i64)> = Vec::new();
    for (i, node) in items(table, "worker").iter().enumerate() {
        let Some(t) = node.as_table() else { continue };
        let count = match t.get("count").map(|n| &n.value) {
            Some(Value::Int(n)) => (*n).clamp(1, MAX_WORKERS as i64),
            _ => 1,
        };
        for copy in 1..=count {
            let name = match text(t, "name") {
                None => ["W", &number(out.len() + 1)].concat(),
                Some(name) if count == 1 => name.to_string(),
                Some(name) => [name, &number(copy as usize)].concat(),
            };
            out.push((name, i, count));
        }
    }
    out
}
