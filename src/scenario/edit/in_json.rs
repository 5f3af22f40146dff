//! Edits of JSON: of the tree, which is then written again with two spaces to a level.

use super::path::Seg;
use crate::scenario::step::Step;
use crate::scenario::tree::{Node, Table, Value, json};

pub(super) fn set(mut table: Table, segs: &[Seg], value: Value) -> Result<String, String> {
    *place(&mut table, segs)? = Node::new(value);
    Ok(write(table))
}

/// The node of a path; tables and lists on the way are made.
fn place<'a>(table: &'a mut Table, segs: &[Seg]) -> Result<&'a mut Node, String> {
    let Some((Seg::Key(key), rest)) = segs.split_first() else {
        return Err("a key is wanted here, not a number.".into());
    };
    if table.get(key).is_none() {
        let new = match rest.first() {
            // Steps that were not written are the default ones.
            Some(Seg::At(_)) if key == "steps" => Value::List(Step::default_list().iter().map(Step::node).collect()),
            Some(Seg::At(_)) => Value::List(Vec::new()),
            _ => Value::Table(Table::default()),
        };
        table.set(key, Node::new(new));
    }
    let mut node = table.get_mut(key).expect("it was put there just now");
    let mut rest = rest;
    if let Some((Seg::At(i), after)) = rest.split_first() {
        node = element(node, *i, !after.is_empty())?;
        rest = after;
    }
    if rest.is_empty() {
        return Ok(node);
    }
    match &mut node.value {
        Value::Table(t) => place(t, rest),
        _ => Err(format!("\"{key}\" is no table.")),
    }
}

fn element(node: &mut Node, i: usize, table: bool) -> Result<&mut Node, String> {
    if !matches!(node.value, Value::List(_)) {
        let one = std::mem::replace(&mut node.value, Value::Bool(false));
        node.value = Value::List(vec![Node::new(one)]);
    }
    let Value::List(list) = &mut node.value else { return Err("it is no list.".into()) };
    if i == list.len() {
        list.push(Node::new(if table { Value::Table(Table::default()) } else { Value::Bool(false) }));
    }
    let count = list.len();
    list.get_mut(i).ok_or_else(|| format!("there are {count} of them."))
}

pub(super) fn remove(mut table: Table, segs: &[Seg]) -> String {
    remove_from(&mut table, segs);
    write(table)
}

fn remove_from(table: &mut Table, segs: &[Seg]) {
    let Some((Seg::Key(key), rest)) = segs.split_first() else { return };
    if rest.is_empty() {
        table.remove(key);
        return;
    }
    let Some(node) = table.get_mut(key) else { return };
    match (rest.split_first(), &mut node.value) {
        (Some((Seg::At(i), [])), Value::List(l)) if *i < l.len() => {
            l.remove(*i);
        }
        (Some((Seg::At(i), after)), Value::List(l)) => {
            if let Some(t) = l.get_mut(*i).and_then(Node::as_table_mut) {
                remove_from(t, after);
            }
        }
        (Some((Seg::At(0), after)), Value::Table(t)) => remove_from(t, after),
        (Some((Seg::Key(_), _)), Value::Table(t)) => {
            remove_from(t, rest);
            if t.is_empty() {
                table.remove(key);
            }
        }
        _ => {}
    }
}

pub(super) fn add(mut table: Table, list: &str, entry: Table) -> String {
    let entry = Node::new(Value::Table(entry));
    match table.get_mut(list) {
        None => table.set(list, Node::new(Value::List(vec![entry]))),
        Some(node) => {
            let mut items = node.items().to_vec();
            items.push(entry);
            node.value = Value::List(items);
        }
    }
    write(table)
}

pub(super) fn remove_entry(mut table: Table, list: &str, at: usize) -> String {
    if let Some(node) = table.get_mut(list) {
        let mut items = node.items().to_vec();
        items.remove(at);
        if items.is_empty() {
            table.remove(list);
        } else {
            node.value = Value::List(items);
        }
    }
    write(table)
}

pub(super) fn move_entry(mut table: Table, list: &str, from: usize, to: usize) -> String {
    if let Some(Value::List(items)) = table.get_mut(list).map(|n| &mut n.value) {
        let one = items.remove(from);
        items.insert(to, one);
    }
    write(table)
}

pub(super) fn write(table: Table) -> String {
    let mut out = String::new();
    pretty(&Value::Table(table), 0, &mut out);
    out.push('\n');
    out
}

fn pretty(value: &Value, depth: usize, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    };
    match value {
        Value::Table(t) if !t.is_empty() => {
            out.push('{');
            for (i, e) in t.entries.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                json::quote(&e.key, out);
                out.push_str(": ");
                pretty(&e.node.value, depth + 1, out);
            }
            line(out, depth);
            out.push('}');
        }
        // Lists of tables go one to a line, lists of words stay on one.
        Value::List(l) if l.iter().any(|n| n.as_table().is_some()) => {
            out.push('[');
            for (i, n) in l.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                line(out, depth + 1);
                pretty(&n.value, depth + 1, out);
            }
            line(out, depth);
            out.push(']');
        }
        Value::List(l) => {
            out.push('[');
            for (i, n) in l.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                pretty(&n.value, depth, out);
            }
            out.push(']');
        }
        other => json::write(other, out),
    }
}
