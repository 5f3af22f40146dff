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
use super::registry::faults::fault_verb;
use super::registry::{Row, Section, Type, by_path, row};
use super::scenario::read::{items, of, table as section_of, text as text_at};
use super::step::Step;
use super::tree::{self, Node, Pos, Table, Value};
use crate::base::pieces::{cut, has, split};
use crate::base::text::{number, said};
use path::{Seg, resolve};

/// The lists of tables that entries can be added to and taken from.
pub const LISTS: [&str; 6] = ["worker", "fault", "design", "link", "lock.also", "resource.also"];

/// Sets a key to a value, or adds it.
///
/// # Errors
/// The text cannot be read, or the path leads nowhere.
pub fn set(text: &str, path: &str, value: &Value) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let place = resolve(&table, path)?;
    let made = if tree::is_json(text) {
        in_json::set(table, &place, value.clone())
    } else {
        in_toml::set(text, &place, value)
    };
    made.map_err(|message| nowhere(path, &message))
}

/// As [`set`], from what somebody typed into a field: the key's kind in the registry says whether it is a text, a number or a list.
///
/// # Errors
/// As [`set`].
pub fn set_typed(text: &str, path: &str, typed: &str) -> Result<String, Diagnostic> {
    set(text, path, &typed_value(row_of(path).as_ref(), typed))
}

/// Takes a key out, so that its default holds again. A key that is not there is no error.
///
/// # Errors
/// The text cannot be read, or the path leads nowhere.
pub fn remove(text: &str, path: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let place = resolve(&table, path)?;
    take_out(text, table, &place).map_err(|message| nowhere(path, &message))
}

fn take_out(text: &str, table: Table, place: &str) -> Result<String, String> {
    if tree::is_json(text) { Ok(in_json::remove(table, place)) } else { in_toml::remove(text, place) }
}

/// Adds an entry at the end of a list of [`LISTS`].
///
/// # Errors
/// The text cannot be read, or there is no such list.
pub fn add(text: &str, list: &str, entry: &Table) -> Result<String, Diagnostic> {
    if !LISTS.contains(&list) {
        return Err(nowhere(list, &said("there is no list \"{0}\".", &[list])));
    }
    let table = read(text)?;
    let count = match cut(list, ".") {
        Some((section, also)) => items(section_of(&table, section), also).len(),
        None => items(&table, list).len(),
    };
    // A file without workers has one: beside a second one it must be said.
    if list == "worker" && count == 0 {
        let mut first = Table::default();
        first.set("name", Node::text("W1"));
        let text = add_entry(text, table, list, 0, &first)?;
        return add_entry(&text, read(&text)?, list, 1, entry);
    }
    add_entry(text, table, list, count, entry)
}

/// The place of a list: `worker`, or `lock.also`.
fn place_of(list: &str) -> String {
    let mut place = String::new();
    for key in split(list, ".") {
        path::push(&mut place, Seg::Key(key));
    }
    place
}

fn add_entry(text: &str, table: Table, list: &str, count: usize, entry: &Table) -> Result<String, Diagnostic> {
    let made = if tree::is_json(text) {
        let mut place = place_of(list);
        path::push(&mut place, Seg::At(count));
        in_json::set(table, &place, Value::Table(entry.clone()))
    } else {
        in_toml::add(text, list, entry)
    };
    made.map_err(|message| nowhere(list, &message))
}

/// Takes an entry out: `worker` `"W2"`, `fault` `"0"`, `design` `"Fencing"`.
///
/// # Errors
/// The text cannot be read, or there is no such entry.
pub fn remove_entry(text: &str, list: &str, key: &str) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let (at, count) = (path::entry(&table, list, key)?, items(&table, list).len());
    if at >= count {
        return Err(path::missing(list, key));
    }
    // With the last one goes the list.
    let place = [Seg::Key(list), Seg::At(at)];
    let place = path::path(&place[..if count == 1 { 1 } else { 2 }]);
    take_out(text, table, &place).map_err(|message| nowhere(list, &message))
}

/// Moves an entry of a list to another place, both counted from 0: the order of lanes or of columns.
///
/// # Errors
/// The text cannot be read, or there is no such entry.
pub fn move_entry(text: &str, list: &str, from: usize, to: usize) -> Result<String, Diagnostic> {
    let table = read(text)?;
    let count = items(&table, list).len();
    if from >= count || to >= count {
        return Err(nowhere(list, &said("there are {0} of them.", &[&number(count)])));
    }
    if tree::is_json(text) {
        return Ok(in_json::move_entry(table, list, from, to));
    }
    in_toml::move_entry(text, list, from, to).map_err(|message| nowhere(list, &message))
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
    let mut n = 1;
    let mut name = "W1".to_string();
    while taken.iter().any(|(t, ..)| *t == name) {
        n += 1;
        name = ["W", &number(n)].concat();
    }
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
    let found = items(&table, "design").iter().position(|d| text_at(of(d), "protection") == Some(protection));
    match found {
        Some(i) => remove_entry(text, "design", &number(i)),
        None => add_design(text, None, Some(protection)),
    }
}

// ------------------------------------------------------------------ shared

fn read(text: &str) -> Result<Table, Diagnostic> {
    // A text with only white space is an empty file; JSON begins with a brace.
    tree::read(text)
        .map_err(|found| found.into_iter().next().unwrap_or_else(|| nowhere("", "the text cannot be read.")))
}

#[inline(never)]
fn nowhere(path: &str, message: &str) -> Diagnostic {
    Diagnostic::new(Severity::Error, Phase::Keys, Pos::UNKNOWN, path, message.to_string()).at_path(path)
}

/// What a list holds before anybody writes it: steps that were not written are the default ones.
fn missing_list(key: &str) -> Value {
    let steps = if key == "steps" { Step::default_list() } else { Vec::new() };
    Value::List(steps.iter().map(Step::node).collect())
}

/// The registry's row of an editable path; of a fault's verb, the row of its value.
pub fn row_of(path: &str) -> Option<Row> {
    let parts = path::split(path);
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let (section, key) = match parts[..] {
        ["design", _, section, key] => (section, key),
        ["worker", _, "client", key] => ("client", key),
        [section @ ("lock" | "resource"), "also", _, key] => (section, key),
        ["fault", _, verb] if fault_verb(verb).is_some() => return fault_verb(verb).map(|v| v.row()),
        [section @ ("worker" | "fault" | "design" | "link" | "clock"), _, key, ..] => (section, key),
        _ => return by_path(path).copied(),
    };
    Section::ALL.into_iter().find(|s| s.word() == section).and_then(|s| row(s, key)).copied()
}

/// What somebody typed, as the kind of value that the key takes. What does not fit stays a text, and reading it says why. `[]` is an empty list.
/// Groups stand apart by `|`, as `W1, lock | R`; texts that may hold commas of their own, and keys of a table with their values, each on a line.
pub fn typed_value(row: Option<&Row>, typed: &str) -> Value {
    let typed = typed.trim();
    let separator = match row.map(|r| r.ty) {
        Some(Type::Groups) => "|",
        Some(Type::Table | Type::Ends) => return typed_table(typed),
        Some(Type::Texts | Type::Instants | Type::MeasureClaims) => "\n",
        Some(ty) if ty.is_list() => ",",
        _ => return typed_one(row, typed),
    };
    if typed == "[]" || typed.is_empty() {
        return Value::List(Vec::new());
    }
    let groups = separator == "|";
    if !groups && !has(typed, separator) {
        return typed_one(row, typed);
    }
    let names = Row::new(Section::Fault, "", Type::Names);
    let mut all = Vec::new();
    for one in split(typed, separator) {
        let one = one.trim();
        if !one.is_empty() {
            all.push(Node::new(if groups { typed_value(Some(&names), one) } else { typed_one(row, one) }));
        }
    }
    Value::List(all)
}

/// `key = value` on each line; several values with commas.
fn typed_table(typed: &str) -> Value {
    let several = Row::new(Section::Fault, "", Type::Counts);
    let mut table = Table::default();
    for line in split(typed, "\n") {
        if let Some((key, value)) = cut(line, "=") {
            table.set(key.trim(), Node::new(typed_value(Some(&several), value)));
        } else if !line.trim().is_empty() {
            return Value::Text(typed.to_string());
        }
    }
    Value::Table(table)
}

fn typed_one(row: Option<&Row>, typed: &str) -> Value {
    let value = match row.map(|r| r.ty) {
        Some(Type::Bool) if typed == "true" || typed == "false" => Some(Value::Bool(typed == "true")),
        Some(Type::Int { .. } | Type::Counts | Type::Rate | Type::Votes) => tree::read_number(typed),
        _ => None,
    };
    value.unwrap_or_else(|| Value::Text(typed.to_string()))
}
