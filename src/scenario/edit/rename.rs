//! A worker gets another name, and everything that names it follows.

use super::{nowhere, path, read, set};
use crate::base::pieces::{divide, joined, split};
use crate::base::text::said;
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::scenario::path as path_of;
use crate::scenario::step::is_name;
use crate::scenario::tree::{Node, Table, Value};

/// Renames a worker in its own entry, in links, clocks, faults, moments and claims.
///
/// # Errors
/// The text cannot be read; there is no such worker, or a count makes it; the new name is none, or is taken.
pub fn rename_worker(text: &str, old: &str, new: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let names = path::worker_names(&table);
    let entry = path::entry(&table, "worker", old)?;
    let own = path_of("worker", entry, "name");
    // The worker that every file has is called so before anybody says it.
    let (old, several) = names.iter().find(|n| n.1 == entry).map_or(("W1", false), |n| (n.0.as_str(), n.2 > 1));
    if old == new {
        return Ok(text.to_string());
    }
    if several {
        return set(text, &own, &Value::Text(new.to_string()));
    }
    if !is_name(new) {
        let message = "\"{0}\" is no name. A name is a letter, then letters, digits, - or _.";
        return Err(nowhere("worker", &said(message, &[new])));
    }
    if names.iter().any(|(n, ..)| n == new) {
        return Err(nowhere("worker", &said("there is a worker \"{0}\" already.", &[new])));
    }
    let mut edits = vec![(own, Value::Text(new.to_string()))];
    let renamed = |s: &str| rename_in(s, old, new);
    for (list, keys) in
        [("worker", &["start", "process"][..]), ("link", &["from", "to"]), ("fault", &["from", "to", "at", "until"])]
    {
        for (i, entry) in tables(&table, list) {
            for e in &entry.entries {
                if keys.contains(&e.key.as_str()) || (list == "fault" && fault_verb(&e.key).is_some()) {
                    change(&mut edits, path_of(list, i, &e.key), &e.node, &renamed);
                }
            }
        }
    }
    let claims = |edits: &mut Vec<(String, Value)>, at: &str, t: &Table| {
        for key in ["instants", "measures"] {
            if let Some(node) = t.get(key) {
                change(edits, [at, ".", key].concat(), node, &renamed);
            }
        }
    };
    if let Some(t) = table.get("expect").and_then(Node::as_table) {
        claims(&mut edits, "expect", t);
    }
    for (i, d) in tables(&table, "design") {
        if let Some(t) = d.get("expect").and_then(Node::as_table) {
            claims(&mut edits, &path_of("design", i, "expect"), t);
        }
    }
    let mut text = text.to_string();
    // The worker's own entry last: until then its old name leads to it.
    for (path, value) in edits.iter().skip(1).chain(edits.first()) {
        text = set(&text, path, value)?;
    }
    keys_of(&text, &table, old, new)
}

/// Tables whose keys are names of workers: `[clock.W1]`, `ends = { W1 = … }`.
fn keys_of(text: &str, table: &Table, old: &str, new: &str) -> Result<String, Diagnostic> {
    let mut text = text.to_string();
    let ends = |t: &Table| t.get("expect").and_then(Node::as_table).and_then(|e| e.get("ends")).cloned();
    let mut tables_of =
        vec![("clock".to_string(), table.get("clock").cloned()), ("expect.ends".to_string(), ends(table))];
    for (i, d) in tables(table, "design") {
        tables_of.push((path_of("design", i, "expect.ends"), ends(d)));
    }
    for (path, node) in tables_of {
        if let Some(value) = node.as_ref().and_then(Node::as_table).and_then(|t| t.get(old)) {
            text = set(&text, &[&path, ".", new].concat(), &value.value)?;
            text = super::remove(&text, &[&path, ".", old].concat())?;
        }
    }
    Ok(text)
}

fn tables<'a>(table: &'a Table, list: &str) -> impl Iterator<Item = (usize, &'a Table)> {
    table.get(list).map_or(&[][..], Node::items).iter().enumerate().filter_map(|(i, n)| n.as_table().map(|t| (i, t)))
}

fn change(edits: &mut Vec<(String, Value)>, path: String, node: &Node, renamed: &dyn Fn(&str) -> String) {
    let new = deep(&node.value, renamed);
    if new != node.value {
        edits.push((path, new));
    }
}

fn deep(value: &Value, renamed: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Text(s) => Value::Text(renamed(s)),
        Value::List(l) => Value::List(l.iter().map(|n| Node { value: deep(&n.value, renamed), at: n.at }).collect()),
        other => other.clone(),
    }
}

/// The name as a word of its own, also before a dot (`W1.renewer`).
fn rename_in(s: &str, old: &str, new: &str) -> String {
    let mut out = Vec::new();
    for word in split(s, " ") {
        let (name, thread) = divide(word, ".");
        out.push(match name == old {
            true if thread.is_empty() => new.to_string(),
            true => [new, ".", thread].concat(),
            false => word.to_string(),
        });
    }
    joined(&out, " ")
}
