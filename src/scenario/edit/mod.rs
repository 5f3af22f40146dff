//! Edits of a text: what a form, a gesture in a diagram or a menu does.
//!
//! Every gesture writes keys, and the text that a person wrote stays theirs: comments, order and white space survive in TOML. JSON has no
//! comments; it is edited as a tree and written again. An edit never asks whether the result makes sense: reading it again says so, with a
//! place, and the editor shows it beside the field.
//!
//! Paths name what they mean: `lock.ttl`, `network.one_way`, `worker.W1.start`, `worker.W1.client.retry`, `worker.W1.steps.2`, `fault.gc.until`,
//! `fault.0.until`, `design.2.lock.ttl`, `design."No fencing".note`, `clock.W1.rate`, `lock.also.cache.ttl`.

mod in_json;
mod in_toml;
mod inside;
mod path;
mod rename;

pub use rename::rename_worker;

use super::diagnostic::{Diagnostic, Phase, Severity};
use super::registry::{Row, Type};
use super::tree::{self, Node, Pos, Table, Value};
use path::{Seg, resolve};

/// The lists of tables that entries can be added to and taken from.
pub const LISTS: [&str; 4] = ["worker", "fault", "design", "link"];

/// Sets a key to a value, or adds it.
///
/// # Errors
/// The text cannot be read, or the path leads nowhere.
pub fn set(text: &str, path: &str, value: &Value) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let segs = resolve(&table, path)?;
    if tree::is_json(text) {
        return in_json::set(table, &segs, value.clone()).map_err(|m| nowhere(path, m));
    }
    in_toml::set(text, &segs, value).map_err(|m| nowhere(path, m))
}

/// As [`set`], from what somebody typed into a field: the key's kind in the registry says whether it is a text, a number or a list.
///
/// # Errors
/// As [`set`].
pub fn set_typed(text: &str, path: &str, typed: &str) -> Result<String, Diagnostic> {
    set(text, path, &typed_value(row_of(path), typed))
}

/// Takes a key out, so that its default holds again. A key that is not there is no error.
///
/// # Errors
/// The text cannot be read, or the path leads nowhere.
pub fn remove(text: &str, path: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let segs = resolve(&table, path)?;
    if tree::is_json(text) {
        return Ok(in_json::remove(table, &segs));
    }
    in_toml::remove(text, &segs).map_err(|m| nowhere(path, m))
}

/// Adds an entry at the end of `worker`, `fault`, `design` or `link`.
///
/// # Errors
/// The text cannot be read, or there is no such list.
pub fn add(text: &str, list: &str, entry: &Table) -> Result<String, Diagnostic> {
    if !LISTS.contains(&list) {
        return Err(nowhere(list, format!("there is no list \"{list}\".")));
    }
    let table = read(text)?;
    // A file without workers has one: beside a second one it must be said.
    if list == "worker" && entries(&table, list) == 0 {
        let mut first = Table::default();
        first.set("name", Node::text("W1"));
        return add_entry(&add_entry(text, list, &first)?, list, entry);
    }
    add_entry(text, list, entry)
}

fn add_entry(text: &str, list: &str, entry: &Table) -> Result<String, Diagnostic> {
    if tree::is_json(text) {
        return Ok(in_json::add(read(text)?, list, entry.clone()));
    }
    in_toml::add(text, list, entry).map_err(|m| nowhere(list, m))
}

/// Takes an entry out: `worker` `"W2"`, `fault` `"0"`, `design` `"Fencing"`.
///
/// # Errors
/// The text cannot be read, or there is no such entry.
pub fn remove_entry(text: &str, list: &str, key: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let at = entry_of(&table, list, key)?;
    if tree::is_json(text) {
        return Ok(in_json::remove_entry(table, list, at));
    }
    in_toml::remove_entry(text, list, at).map_err(|m| nowhere(list, m))
}

/// Moves an entry of a list to another place, both counted from 0: the order of lanes or of columns.
///
/// # Errors
/// The text cannot be read, or there is no such entry.
pub fn move_entry(text: &str, list: &str, from: usize, to: usize) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let count = entries(&table, list);
    if from >= count || to >= count {
        return Err(nowhere(list, format!("there are {count} of them.")));
    }
    if tree::is_json(text) {
        return Ok(in_json::move_entry(table, list, from, to));
    }
    in_toml::move_entry(text, list, from, to).map_err(|m| nowhere(list, m))
}

/// Adds a worker with the default steps; its name is the first of `W1`, `W2` … that is free. Returns the text and the name.
///
/// # Errors
/// The text cannot be read.
pub fn add_worker(text: &str) -> Result<(String, String), Diagnostic> {
    let table = read(text)?;
    let mut taken = path::worker_names(&table);
    if taken.is_empty() {
        taken.push(("W1".to_string(), 0, 1));
    }
    let mut numbers = 1..;
    let name = numbers.find_map(|n| Some(format!("W{n}")).filter(|n| !taken.iter().any(|(t, ..)| t == n)));
    let name = name.expect("there are more numbers than workers");
    let mut entry = Table::default();
    entry.set("name", Node::text(name.clone()));
    Ok((add(text, "worker", &entry)?, name))
}

/// Takes a worker out.
///
/// # Errors
/// The text cannot be read, or there is no such worker.
pub fn remove_worker(text: &str, name: &str) -> Result<String, Diagnostic> {
    remove_entry(text, "worker", name)
}

/// Adds a fault: its verb, whom it strikes, and the rest of its keys.
///
/// # Errors
/// The text cannot be read.
pub fn add_fault(text: &str, verb: &str, victim: &Value, rest: &Table) -> Result<String, Diagnostic> {
    let mut entry = Table::default();
    entry.set(verb, Node::new(victim.clone()));
    entry.entries.extend(rest.entries.iter().cloned());
    add(text, "fault", &entry)
}

/// Takes a fault out, by name or by number from 0.
///
/// # Errors
/// The text cannot be read, or there is no such fault.
pub fn remove_fault(text: &str, key: &str) -> Result<String, Diagnostic> {
    remove_entry(text, "fault", key)
}

/// Adds a design, from a protection or under a name of its own.
///
/// # Errors
/// The text cannot be read.
pub fn add_design(text: &str, name: Option<&str>, protection: Option<&str>) -> Result<String, Diagnostic> {
    let mut entry = Table::default();
    for (key, value) in [("name", name), ("protection", protection)] {
        if let Some(value) = value {
            entry.set(key, Node::text(value));
        }
    }
    add(text, "design", &entry)
}

/// Takes a design out, by name or by number from 0.
///
/// # Errors
/// The text cannot be read, or there is no such design.
pub fn remove_design(text: &str, key: &str) -> Result<String, Diagnostic> {
    remove_entry(text, "design", key)
}

/// Adds the design of a protection, or takes it out if there is one.
///
/// # Errors
/// The text cannot be read.
pub fn toggle_design(text: &str, protection: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let designs = table.get("design").map_or(&[][..], Node::items);
    let found = designs
        .iter()
        .position(|d| d.as_table().and_then(|t| t.get("protection")).and_then(Node::as_text) == Some(protection));
    match found {
        Some(i) => remove_entry(text, "design", &i.to_string()),
        None => add_design(text, None, Some(protection)),
    }
}

// ------------------------------------------------------------------ shared

fn read(text: &str) -> Result<Table, Diagnostic> {
    // A text with only white space is an empty file; JSON begins with a brace.
    tree::read(text)
        .map_err(|found| found.into_iter().next().unwrap_or_else(|| nowhere("", "the text cannot be read.".into())))
}

fn nowhere(path: &str, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Error, Phase::Keys, Pos::UNKNOWN, path, message).at_path(path)
}

fn entries(table: &Table, list: &str) -> usize {
    table.get(list).map_or(0, |n| n.items().len())
}

fn entry_of(table: &Table, list: &str, key: &str) -> Result<usize, Diagnostic> {
    match resolve(table, &format!("{list}.\"{key}\".x"))?.get(1) {
        Some(Seg::At(i)) if *i < entries(table, list) => Ok(*i),
        _ => Err(nowhere(list, format!("there is no {list} \"{key}\"."))),
    }
}

/// The registry's row of an editable path.
pub fn row_of(path: &str) -> Option<&'static Row> {
    use super::registry::{Section, by_path, row};
    let parts = path::split(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let section = |word: &str| Section::ALL.into_iter().find(|s| s.word() == word);
    match parts.as_slice() {
        ["design", _, inner, key] => section(inner).and_then(|s| row(s, key)),
        ["worker", _, "client", key] => row(Section::Client, key),
        ["lock" | "resource", "also", _, key] => section(parts[0]).and_then(|s| row(s, key)),
        ["worker" | "fault" | "design" | "link" | "clock", _, key, ..] => section(parts[0]).and_then(|s| row(s, key)),
        _ => by_path(path),
    }
}

/// What somebody typed, as the kind of value that the key takes. What does not fit stays a text, and reading it says why.
pub fn typed_value(row: Option<&Row>, typed: &str) -> Value {
    let typed = typed.trim();
    let one = |s: &str| match row.map(|r| r.ty) {
        Some(Type::Bool) if s == "true" || s == "false" => Value::Bool(s == "true"),
        Some(Type::Int { .. } | Type::Counts | Type::Rate | Type::Votes) => {
            tree::read_number(s).unwrap_or_else(|| Value::Text(s.to_string()))
        }
        _ => Value::Text(s.to_string()),
    };
    // Texts may hold commas of their own; a form gives lists of texts one by one.
    let list = row.is_some_and(|r| r.ty.is_list() && r.ty != Type::Texts);
    if list && typed.is_empty() {
        return Value::List(Vec::new());
    }
    if list && typed.contains(',') {
        return Value::List(
            typed.split(',').map(str::trim).filter(|s| !s.is_empty()).map(|s| Node::new(one(s))).collect(),
        );
    }
    one(typed)
}
