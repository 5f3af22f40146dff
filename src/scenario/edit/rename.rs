//! A worker gets another name, and everything that names it follows.

use super::{nowhere, path, read, set};
use crate::scenario::diagnostic::Diagnostic;
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::step::is_name;
use crate::scenario::tree::{Node, Table, Value};

/// Renames a worker in its own entry, in links, clocks, faults, moments and claims.
///
/// # Errors
/// The text cannot be read; there is no such worker, or a count makes it; the new name is none, or is taken.
pub fn rename_worker(text: &str, old: &str, new: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    if !is_name(new) {
        let message = format!("\"{new}\" is no name. A name is a letter, then letters, digits, - or _.");
        return Err(nowhere("worker", &message));
    }
    if path::worker_names(&table).iter().any(|(n, ..)| n == new) {
        return Err(nowhere("worker", &format!("there is a worker \"{new}\" already.")));
    }
    let entry = path::entry(&table, "worker", old)?;
    let mut edits = vec![(format!("worker.{entry}.name"), Value::Text(new.to_string()))];
    let renamed = |s: &str| rename_in(s, old, new);
    for (list, keys) in
        [("worker", &["start", "process"][..]), ("link", &["from", "to"]), ("fault", &["from", "to", "at", "until"])]
    {
        for (i, entry) in tables(&table, list) {
            for e in &entry.entries {
                if keys.contains(&e.key.as_str()) || (list == "fault" && fault_verb(&e.key).is_some()) {
                    change(&mut edits, &format!("{list}.{i}.{}", e.key), &e.node, &renamed);
                }
            }
        }
    }
    let claims = |edits: &mut Vec<(String, Value)>, at: &str, t: &Table| {
        for key in ["instants", "measures"] {
            if let Some(node) = t.get(key) {
                change(edits, &format!("{at}.{key}"), node, &renamed);
            }
        }
    };
    if let Some(t) = table.get("expect").and_then(Node::as_table) {
        claims(&mut edits, "expect", t);
    }
    for (i, d) in tables(&table, "design") {
        if let Some(t) = d.get("expect").and_then(Node::as_table) {
            claims(&mut edits, &format!("design.{i}.expect"), t);
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
    let mut tables_of = vec![("clock".to_string(), table.get("clock"))];
    let ends = |t: &Table| t.get("expect").and_then(Node::as_table).and_then(|e| e.get("ends")).cloned();
    let story_ends = ends(table);
    let design_ends: Vec<(usize, Option<Node>)> = tables(table, "design").map(|(i, d)| (i, ends(d))).collect();
    tables_of.push(("expect.ends".to_string(), story_ends.as_ref()));
    for (i, node) in &design_ends {
        tables_of.push((format!("design.{i}.expect.ends"), node.as_ref()));
    }
    for (path, node) in tables_of {
        if let Some(value) = node.and_then(Node::as_table).and_then(|t| t.get(old)) {
            text = set(&text, &format!("{path}.{new}"), &value.value)?;
            text = super::remove(&text, &format!("{path}.{old}"))?;
        }
    }
    Ok(text)
}

fn tables<'a>(table: &'a Table, list: &str) -> impl Iterator<Item = (usize, &'a Table)> {
    table.get(list).map_or(&[][..], Node::items).iter().enumerate().filter_map(|(i, n)| n.as_table().map(|t| (i, t)))
}

fn change(edits: &mut Vec<(String, Value)>, path: &str, node: &Node, renamed: &impl Fn(&str) -> String) {
    let new = deep(&node.value, renamed);
    if new != node.value {
        edits.push((path.to_string(), new));
    }
}

fn deep(value: &Value, renamed: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::Text(s) => Value::Text(renamed(s)),
        Value::List(l) => Value::List(l.iter().map(|n| Node { value: deep(&n.value, renamed), at: n.at }).collect()),
        other => other.clone(),
    }
}

/// The name as a word of its own, also before a dot (`W1.renewer`).
fn rename_in(s: &str, old: &str, new: &str) -> String {
    let word = |w: &str| match w.split_once('.') {
        Some((name, thread)) if name == old => format!("{new}.{thread}"),
        _ if w == old => new.to_string(),
        _ => w.to_string(),
    };
    s.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
