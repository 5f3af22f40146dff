//! Edits of JSON: of the tree, which is then written again with two spaces to a level.

use super::missing_list;
use super::path::{Seg, first, is_element};
use crate::base::text::{number, said};
use crate::scenario::tree::{Form, Node, Table, Value};

pub(super) fn set(mut table: Table, path: &str, value: Value) -> Result<String, String> {
    *place(&mut table, path)? = Node::new(value);
    Ok(write(table))
}

/// The node of a path; tables and lists on the way are made.
fn place<'a>(table: &'a mut Table, path: &str) -> Result<&'a mut Node, String> {
    let Some((Seg::Key(key), mut rest)) = first(path) else {
        return Err("a key is wanted here, not a number.".into());
    };
    if table.get(key).is_none() {
        let new = if is_element(rest) { missing_list(key) } else { Value::Table(Table::default()) };
        table.set(key, Node::new(new));
    }
    let mut node = table.get_mut(key).expect("it was put there just now");
    if let Some((Seg::At(i), after)) = first(rest) {
        node = element(node, i, !after.is_empty())?;
        rest = after;
    }
    if rest.is_empty() {
        return Ok(node);
    }
    match &mut node.value {
        Value::Table(t) => place(t, rest),
        _ => Err(said("\"{0}\" is no table.", &[key])),
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
    list.get_mut(i).ok_or_else(|| said("there are {0} of them.", &[&number(count)]))
}

pub(super) fn remove(mut table: Table, path: &str) -> String {
    remove_from(&mut table, path);
    write(table)
}

fn remove_from(table: &mut Table, path: &str) {
    let Some((Seg::Key(key), rest)) = first(path) else { return };
    let Some((step, after)) = first(rest) else {
        table.remove(key);
        return;
    };
    let Some(node) = table.get_mut(key) else { return };
    match (step, &mut node.value) {
        (Seg::At(i), Value::List(l)) if i < l.len() => {
            if after.is_empty() {
                l.remove(i);
            } else if let Some(t) = l[i].as_table_mut() {
                remove_from(t, after);
            }
        }
        (Seg::At(0), Value::Table(t)) => remove_from(t, after),
        (Seg::Key(_), Value::Table(t)) => {
            remove_from(t, rest);
            if t.is_empty() {
                table.remove(key);
            }
        }
        _ => {}
    }
}

pub(super) fn move_entry(mut table: Table, list: &str, from: usize, to: usize) -> String {
    if let Some(Value::List(items)) = table.get_mut(list).map(|n| &mut n.value) {
        let one = items.remove(from);
        items.insert(to, one);
    }
    write(table)
}

fn write(table: Table) -> String {
    [&Value::Table(table).written(Form::JsonLines), "\n"].concat()
}
