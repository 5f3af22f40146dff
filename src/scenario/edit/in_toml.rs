//! Edits of TOML that leave everything else as it was.
//!
//! A list of tables may be written under headings (`[[worker]]`), as an array of inline tables, or as one table that stands for a list of one; an
//! edit keeps whichever it finds. A table that does not exist yet becomes a dotted key (`lock.ttl = "5s"`), which needs no heading and can stand
//! anywhere.

use super::path::Seg;
use crate::scenario::step::Step;
use crate::scenario::tree::Value;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike};

fn document(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|_| "the text cannot be read.".to_string())
}

pub(super) fn set(text: &str, segs: &[Seg], value: &Value) -> Result<String, String> {
    let mut doc = document(text)?;
    let value = item_value(value);
    // The worker that every file has, and that nobody has written down yet.
    if let [Seg::Key(list), Seg::At(0), ..] = segs
        && !doc.contains_key(list)
    {
        let mut tables = ArrayOfTables::new();
        tables.push(headed());
        doc.insert(list, Item::ArrayOfTables(tables));
    }
    set_in(doc.as_table_mut(), false, segs, value)?;
    Ok(doc.to_string())
}

/// `inline`: the table is written in braces, and so must be what is put into it.
fn set_in(table: &mut dyn TableLike, inline: bool, segs: &[Seg], value: toml_edit::Value) -> Result<(), String> {
    // The space before a closing brace belongs to whatever comes last.
    let new = matches!(segs.first(), Some(Seg::Key(key)) if !table.contains_key(key));
    let space = if inline && new { last_value(table).and_then(take_suffix) } else { None };
    set_below(table, inline, segs, value)?;
    if let (Some(space), Some(last)) = (space, last_value(table)) {
        last.decor_mut().set_prefix(" ");
        last.decor_mut().set_suffix(space);
    }
    Ok(())
}

/// The value written last in a table, inside dotted keys too.
fn last_value(table: &mut dyn TableLike) -> Option<&mut toml_edit::Value> {
    let (_, Item::Value(v)) = table.iter_mut().last()? else { return None };
    if v.as_inline_table().is_some_and(InlineTable::is_dotted) {
        let inner = v.as_inline_table_mut().expect("it was looked at just now");
        return last_value(inner);
    }
    Some(v)
}

fn take_suffix(value: &mut toml_edit::Value) -> Option<toml_edit::RawString> {
    let suffix = value.decor().suffix().cloned()?;
    value.decor_mut().set_suffix("");
    Some(suffix)
}

fn set_below(table: &mut dyn TableLike, inline: bool, segs: &[Seg], value: toml_edit::Value) -> Result<(), String> {
    let Some((Seg::Key(key), rest)) = segs.split_first() else {
        return Err("a key is wanted here, not a number.".into());
    };
    match rest {
        [] => {
            put(table, key, value);
            Ok(())
        }
        [Seg::At(i)] => set_element(table, key, *i, value),
        [Seg::At(i), after @ ..] => {
            let item = table.get_mut(key).ok_or_else(|| format!("there is no {key}."))?;
            let (entry, inline) = element(item, *i).ok_or_else(|| format!("there is no such {key}."))?;
            set_in(entry, inline, after, value)
        }
        [Seg::Key(_), ..] => {
            if !table.contains_key(key) {
                table.insert(key, dotted(inline));
            }
            let item = table.get_mut(key).expect("it was put there just now");
            let braces = item.is_inline_table();
            let inner = item.as_table_like_mut().ok_or_else(|| format!("\"{key}\" is no table."))?;
            set_in(inner, inline || braces, rest, value)
        }
    }
}

/// Replaces a value and keeps the white space and the comment around it.
fn put(table: &mut dyn TableLike, key: &str, mut value: toml_edit::Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        Some(item) => *item = Item::Value(value),
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// One element of a list of values: a step, a claim.
fn set_element(table: &mut dyn TableLike, key: &str, i: usize, mut value: toml_edit::Value) -> Result<(), String> {
    if !table.contains_key(key) {
        let default = if key == "steps" { Step::default_list() } else { Vec::new() };
        let list: Array = default.iter().map(|s| item_value(&s.node().value)).collect();
        table.insert(key, Item::Value(toml_edit::Value::Array(list)));
    }
    let item = table.get_mut(key).expect("it was put there just now");
    match item {
        Item::Value(toml_edit::Value::Array(list)) => {
            if i == list.len() {
                list.push(value);
                return Ok(());
            }
            let count = list.len();
            let old = list.get_mut(i).ok_or_else(|| format!("there are {count} of them."))?;
            *value.decor_mut() = old.decor().clone();
            *old = value;
            Ok(())
        }
        // One value stands for a list of one.
        Item::Value(old) if i == 0 => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
            Ok(())
        }
        Item::Value(old) if i == 1 => {
            let mut list = Array::new();
            let mut first = old.clone();
            first.decor_mut().clear();
            list.push(first);
            list.push(value);
            *old = toml_edit::Value::Array(list);
            Ok(())
        }
        _ => Err(format!("there is no such element of {key}.")),
    }
}

/// The `i`-th table of a list, however the list is written.
fn element(item: &mut Item, i: usize) -> Option<(&mut dyn TableLike, bool)> {
    match item {
        Item::ArrayOfTables(tables) => tables.get_mut(i).map(|t| (t as &mut dyn TableLike, false)),
        Item::Value(toml_edit::Value::Array(list)) => {
            list.get_mut(i).and_then(toml_edit::Value::as_inline_table_mut).map(|t| (t as &mut dyn TableLike, true))
        }
        Item::Table(t) if i == 0 => Some((t as &mut dyn TableLike, false)),
        Item::Value(toml_edit::Value::InlineTable(t)) if i == 0 => Some((t as &mut dyn TableLike, true)),
        _ => None,
    }
}

// ------------------------------------------------------------------ removing

pub(super) fn remove(text: &str, segs: &[Seg]) -> Result<String, String> {
    let mut doc = document(text)?;
    remove_in(doc.as_table_mut(), false, segs);
    Ok(doc.to_string())
}

fn remove_in(table: &mut dyn TableLike, inline: bool, segs: &[Seg]) {
    // The space before a closing brace stays, whatever is last then.
    let space = if inline { last_value(table).and_then(|v| v.decor().suffix().cloned()) } else { None };
    remove_below(table, inline, segs);
    if let (Some(space), Some(last)) = (space, last_value(table)) {
        last.decor_mut().set_suffix(space);
    }
}

fn remove_below(table: &mut dyn TableLike, inline: bool, segs: &[Seg]) {
    let Some((Seg::Key(key), rest)) = segs.split_first() else { return };
    match rest {
        [] => {
            table.remove(key);
        }
        [Seg::At(i)] => {
            if let Some(Item::Value(toml_edit::Value::Array(list))) = table.get_mut(key)
                && *i < list.len()
            {
                remove_element(list, *i);
            }
        }
        [Seg::At(i), after @ ..] => {
            if let Some((entry, inline)) = table.get_mut(key).and_then(|item| element(item, *i)) {
                remove_in(entry, inline, after);
            }
        }
        [Seg::Key(_), ..] => {
            let Some(item) = table.get_mut(key) else { return };
            let inline = inline || item.is_inline_table();
            let Some(inner) = item.as_table_like_mut() else { return };
            remove_in(inner, inline, rest);
            // A heading that a person wrote stays, empty or not; a dotted key goes with its last part.
            if inner.is_empty() && inner.is_dotted() {
                table.remove(key);
            }
        }
    }
}

/// Takes an element out of an array, with the comment behind it and without the one behind its predecessor. In TOML both stand before the
/// *next* element: up to the end of the line a comment is about what came before.
fn remove_element(array: &mut Array, i: usize) {
    let prefix = |v: &toml_edit::Value| v.decor().prefix().and_then(|p| p.as_str()).unwrap_or("").to_string();
    let before = array.get(i).map(prefix).unwrap_or_default();
    array.remove(i);
    let about_predecessor = before.split_once('\n').map(|(head, _)| head);
    let after = match array.get(i) {
        Some(next) => prefix(next),
        None => array.trailing().as_str().unwrap_or("").to_string(),
    };
    let rest = after.split_once('\n').map(|(_, tail)| format!("\n{tail}"));
    let joined = match (about_predecessor, rest) {
        (Some(head), Some(rest)) => format!("{head}{rest}"),
        // On one line: the first element stands as the old first one did.
        _ if i == 0 => before,
        _ => after,
    };
    match array.get_mut(i) {
        Some(next) => next.decor_mut().set_prefix(joined),
        None => array.set_trailing(joined),
    }
}

// ------------------------------------------------------------------ entries of lists

pub(super) fn add(text: &str, list: &str, entry: &crate::scenario::tree::Table) -> Result<String, String> {
    let mut doc = document(text)?;
    match doc.get_mut(list) {
        None => {
            let mut tables = ArrayOfTables::new();
            tables.push(filled(entry));
            doc.insert(list, Item::ArrayOfTables(tables));
        }
        Some(Item::ArrayOfTables(tables)) => tables.push(filled(entry)),
        Some(Item::Value(toml_edit::Value::Array(array))) => push_inline(array, inline_table(entry)),
        Some(item) => {
            // One table stood for a list of one: now there are two.
            let old = std::mem::take(item);
            *item = match old {
                Item::Table(mut t) => {
                    let mut tables = ArrayOfTables::new();
                    t.set_dotted(false);
                    t.set_implicit(false);
                    tables.push(t);
                    tables.push(filled(entry));
                    Item::ArrayOfTables(tables)
                }
                Item::Value(mut one) => {
                    one.decor_mut().clear();
                    let mut array = Array::new();
                    array.push(one);
                    push_inline(&mut array, inline_table(entry));
                    Item::Value(toml_edit::Value::Array(array))
                }
                other => other,
            };
        }
    }
    Ok(doc.to_string())
}

/// Adds to an array as its other elements stand: on a line of its own if they do.
fn push_inline(array: &mut Array, table: InlineTable) {
    let like = array.iter().last().and_then(|v| v.decor().prefix()).and_then(|p| p.as_str()).map(str::to_string);
    let mut value = toml_edit::Value::InlineTable(table);
    if let Some(prefix) = like.filter(|p| p.contains('\n')) {
        // A comment before the last element is not the new one's.
        let indent = prefix.rsplit('\n').next().unwrap_or("").to_string();
        value.decor_mut().set_prefix(format!("\n{indent}"));
        array.push_formatted(value);
        array.set_trailing_comma(true);
        if !array.trailing().as_str().is_some_and(|t| t.contains('\n')) {
            array.set_trailing("\n");
        }
        return;
    }
    array.push(value);
}

pub(super) fn remove_entry(text: &str, list: &str, at: usize) -> Result<String, String> {
    let mut doc = document(text)?;
    let empty = match doc.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.remove(at);
            tables.is_empty()
        }
        Some(Item::Value(toml_edit::Value::Array(array))) => {
            remove_element(array, at);
            array.is_empty()
        }
        // The only one, written as a table.
        Some(_) => true,
        None => false,
    };
    if empty {
        doc.remove(list);
    }
    Ok(doc.to_string())
}

pub(super) fn move_entry(text: &str, list: &str, from: usize, to: usize) -> Result<String, String> {
    let mut doc = document(text)?;
    match doc.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) => {
            // Headings are written by position, so the tables trade places and keep the positions.
            let positions: Vec<Option<isize>> = tables.iter().map(Table::position).collect();
            let mut all: Vec<Table> = tables.iter().cloned().collect();
            let one = all.remove(from);
            all.insert(to, one);
            let mut moved = ArrayOfTables::new();
            for (mut t, position) in all.into_iter().zip(positions) {
                t.set_position(position);
                moved.push(t);
            }
            *tables = moved;
        }
        Some(Item::Value(toml_edit::Value::Array(array))) => {
            let one = array.remove(from);
            array.insert_formatted(to, one);
        }
        _ => {}
    }
    Ok(doc.to_string())
}

// ------------------------------------------------------------------ values

/// A table that will stand under a heading, with an empty line before it.
fn headed() -> Table {
    let mut t = Table::new();
    t.decor_mut().set_prefix("\n");
    t
}

fn filled(entry: &crate::scenario::tree::Table) -> Table {
    let mut t = headed();
    for e in &entry.entries {
        match e.node.as_table() {
            Some(inner) => {
                let mut sub = Table::new();
                sub.set_dotted(true);
                for e in &inner.entries {
                    sub.insert(&e.key, Item::Value(item_value(&e.node.value)));
                }
                t.insert(&e.key, Item::Table(sub));
            }
            None => {
                t.insert(&e.key, Item::Value(item_value(&e.node.value)));
            }
        }
    }
    t
}

fn inline_table(entry: &crate::scenario::tree::Table) -> InlineTable {
    entry.entries.iter().map(|e| (e.key.as_str(), item_value(&e.node.value))).collect()
}

/// A table without a heading, whose keys are dotted.
fn dotted(inline: bool) -> Item {
    if inline {
        let mut t = InlineTable::new();
        t.set_dotted(true);
        Item::Value(toml_edit::Value::InlineTable(t))
    } else {
        let mut t = Table::new();
        t.set_dotted(true);
        Item::Table(t)
    }
}

fn item_value(v: &Value) -> toml_edit::Value {
    match v {
        Value::Text(s) => s.as_str().into(),
        Value::Int(n) => (*n).into(),
        Value::Decimal(d) => (*d).into(),
        Value::Bool(b) => (*b).into(),
        Value::List(l) => toml_edit::Value::Array(l.iter().map(|n| item_value(&n.value)).collect()),
        Value::Table(t) => toml_edit::Value::InlineTable(inline_table(t)),
    }
}
