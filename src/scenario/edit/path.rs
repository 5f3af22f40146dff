//! Paths: from names to places in the tree.

use super::nowhere;
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::scenario::{MAX_WORKERS, design_name};
use crate::scenario::tree::{Node, Table, Value};

/// One step into the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Seg {
    Key(String),
    /// An element of a list, from 0.
    At(usize),
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
pub(super) fn resolve(table: &Table, path: &str) -> Result<Vec<Seg>, Diagnostic> {
    let parts = split(path);
    if parts.iter().any(String::is_empty) {
        return Err(nowhere(path, "this is no path of a key.".to_string()));
    }
    let mut segs = vec![Seg::Key(parts[0].clone())];
    let mut rest = &parts[1..];
    if let (list @ ("worker" | "fault" | "design" | "link"), Some(name)) = (parts[0].as_str(), rest.first()) {
        segs.push(Seg::At(entry(table, list, name)?));
        rest = &rest[1..];
        if rest.is_empty() {
            return Err(nowhere(path, "which key of it?".to_string()));
        }
    } else if let ("lock" | "resource", [also, name, ..]) = (parts[0].as_str(), rest)
        && also == "also"
    {
        let list = table.get(&parts[0]).and_then(Node::as_table).and_then(|t| t.get("also"));
        segs.push(Seg::Key("also".to_string()));
        segs.push(Seg::At(named(list, name).ok_or_else(|| nowhere(path, format!("there is no \"{name}\".")))?));
        rest = &rest[2..];
    }
    // A number further in is a place in a list: of steps, of claims.
    segs.extend(rest.iter().map(|p| p.parse().map_or_else(|_| Seg::Key(p.clone()), Seg::At)));
    Ok(segs)
}

/// The entry that a name or a number stands for.
fn entry(table: &Table, list: &str, name: &str) -> Result<usize, Diagnostic> {
    let missing = || nowhere(list, format!("there is no {list} \"{name}\"."));
    let node = table.get(list);
    let items = node.map_or(&[][..], Node::items);
    let found = match list {
        "worker" => {
            let names = worker_names(table);
            if items.is_empty() && name == "W1" {
                // The worker that every file has is written down by the first edit of it.
                return Ok(0);
            }
            match names.iter().find(|(n, ..)| n == name) {
                Some((_, _, count)) if *count > 1 => {
                    let message =
                        format!("\"{name}\" is one of {count} that a count makes. Give it an entry of its own first.");
                    return Err(nowhere(list, message));
                }
                Some((_, i, _)) => Some(*i),
                None => None,
            }
        }
        "design" => items.iter().enumerate().position(|(i, d)| {
            let text = |key| d.as_table().and_then(|t: &Table| t.get(key)).and_then(Node::as_text);
            design_name(text("name"), text("protection"), i) == name
        }),
        _ => named(node, name),
    };
    let number = || name.parse::<usize>().ok().filter(|i| *i < items.len());
    found.or_else(number).ok_or_else(missing)
}

fn named(list: Option<&Node>, name: &str) -> Option<usize> {
    let items = list.map_or(&[][..], Node::items);
    let by_name =
        items.iter().position(|t| t.as_table().and_then(|t| t.get("name")).and_then(Node::as_text) == Some(name));
    by_name.or_else(|| name.parse().ok().filter(|i| *i < items.len()))
}

/// Names of all workers, with the entry and the count that make them.
pub(super) fn worker_names(table: &Table) -> Vec<(String, usize, i64)> {
    let mut out: Vec<(String, usize, i64)> = Vec::new();
    for (i, node) in table.get("worker").map_or(&[][..], Node::items).iter().enumerate() {
        let Some(t) = node.as_table() else { continue };
        let count = match t.get("count").map(|n| &n.value) {
            Some(Value::Int(n)) => (*n).clamp(1, MAX_WORKERS as i64),
            _ => 1,
        };
        let name = t.get("name").and_then(Node::as_text);
        for copy in 1..=count {
            let name = match name {
                None => format!("W{}", out.len() + 1),
                Some(name) if count == 1 => name.to_string(),
                Some(name) => format!("{name}{copy}"),
            };
            out.push((name, i, count));
        }
    }
    out
}
