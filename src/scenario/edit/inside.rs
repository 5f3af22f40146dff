//! Edits inside one value of a TOML text: an array, or a table in braces.

use super::missing_list;
use super::path::{Seg, dotted, first, last, last_key, path, push};
use crate::base::pieces::{cut, find, part, split, tail};
use crate::base::text::{number, said};
use crate::scenario::tree::Form;
use crate::scenario::tree::statement::Toml;
use std::ops::Range;

/// One element of an array, or one key of a table, with its value.
pub(super) struct Member {
    /// Its path in the table; empty in an array.
    keys: String,
    value: Range<usize>,
    start: usize,
    end: usize,
    /// Behind its comma, if it has one.
    comma: Option<usize>,
}

pub(super) enum Inside {
    List(Vec<Member>),
    Table(Vec<Member>),
    Plain,
}

/// What stands in a value.
pub(super) fn read(text: &str, at: Range<usize>) -> Inside {
    let mut toml = Toml::new(text);
    toml.scan.at = at.start;
    let table = toml.scan.eat(b'{');
    if !table && !toml.scan.eat(b'[') {
        return Inside::Plain;
    }
    let mut members = Vec::new();
    // The text was read before: nothing is wrong with it.
    while toml.blank().is_ok() && !toml.scan.ended() && !matches!(toml.scan.peek(), b']' | b'}') {
        let start = toml.scan.at;
        let mut keys = String::new();
        let value = if table {
            let Ok((read, _, value)) = toml.pair(start) else { break };
            read.iter().for_each(|k| push(&mut keys, Seg::Key(&k.name)));
            value
        } else {
            if toml.value().is_err() {
                break;
            }
            start..toml.scan.at
        };
        let end = toml.scan.at;
        let comma = (toml.blank().is_ok() && toml.scan.eat(b',')).then_some(toml.scan.at);
        members.push(Member { keys, value, start, end, comma });
    }
    if table { Inside::Table(members) } else { Inside::List(members) }
}

/// What stands in a place.
#[inline(never)]
pub(super) fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("")
}

/// The text with other bytes in a place.
#[inline(never)]
pub(super) fn spliced(text: &str, range: Range<usize>, with: &str) -> String {
    [slice(text, 0..range.start), with, slice(text, range.end..text.len())].concat()
}

/// `key` is the one whose value this is.
pub(super) fn set(text: &str, at: Range<usize>, rest: &str, new: &str, key: &str) -> Result<String, String> {
    let Some((step, after)) = first(rest) else { return Ok(spliced(text, at, new)) };
    match (read(text, at.clone()), step) {
        (Inside::List(items), Seg::At(i)) => match items.get(i) {
            Some(item) => set(text, item.value.clone(), after, new, key),
            None if !after.is_empty() => Err(said("there is no such {0}.", &[key])),
            None if i == items.len() => Ok(append(text, at, &items, "[", new, "]")),
            None => Err(said("there are {0} of them.", &[&number(items.len())])),
        },
        // One value stands for a list of one.
        (_, Seg::At(0)) => set(text, at, after, new, key),
        (_, Seg::At(1)) if after.is_empty() => Ok(pair_of(text, at, new)),
        (_, Seg::At(_)) => Err(said("there is no such element of {0}.", &[key])),
        (Inside::Table(members), Seg::Key(_)) => {
            if let Some(m) = members.iter().find(|m| rest.starts_with(&m.keys)) {
                let key = dotted(&path(&[Seg::Key(last_key(&m.keys))]));
                return set(text, m.value.clone(), tail(rest, m.keys.len()), new, &key);
            }
            let Some((Seg::At(i), list)) = last(rest) else {
                let line = [&dotted(rest), " = ", new].concat();
                // Beside the keys of the same table.
                let table = part(rest, 0, rest.len() - after.len());
                let near = members.iter().rposition(|m| m.keys.len() > table.len() && m.keys.starts_with(table));
                let upto = near.map_or(members.len(), |i| i + 1);
                return Ok(append(text, at, &members[..upto], "{ ", &line, " }"));
            };
            let name = if let Some((Seg::Key(name), _)) = last(list) { name } else { "" };
            set(text, at, list, &with_first(name, i, new, key)?, key)
        }
        (_, Seg::Key(_)) => Err(said("\"{0}\" is no table.", &[key])),
    }
}

/// The list `name`, which is not there yet, with an element set.
pub(super) fn with_first(name: &str, i: usize, new: &str, key: &str) -> Result<String, String> {
    let all = missing_list(name).written(Form::Toml);
    set(&all, 0..all.len(), &path(&[Seg::At(i)]), new, key)
}

/// A list of the value that stood for a list of one, and a second.
fn pair_of(text: &str, at: Range<usize>, new: &str) -> String {
    let old = slice(text, at.clone());
    spliced(text, at, &["[", old, ", ", new, "]"].concat())
}

/// Behind the last member, or alone.
fn append(text: &str, at: Range<usize>, members: &[Member], open: &str, new: &str, close: &str) -> String {
    match members.last() {
        Some(last) => spliced(text, last.end..last.end, &[", ", new].concat()),
        None => spliced(text, at, &[open, new, close].concat()),
    }
}

/// Adds to an array as its other elements stand: on a line of its own if they do.
pub(super) fn pushed(text: &str, at: Range<usize>, new: &str) -> String {
    let Inside::List(items) = read(text, at.clone()) else { return pair_of(text, at, new) };
    let Some((last, before)) = items.split_last() else { return append(text, at, &items, "[", new, "]") };
    let from = before.last().map_or(at.start + 1, |m| m.comma.unwrap_or(m.end));
    let space = slice(text, from..last.start);
    let Some(indent) = split(space, "\n").into_iter().skip(1).next_back() else {
        return append(text, at, &items, "[", new, "]");
    };
    let mut out = text.to_string();
    let mut behind = last.comma.unwrap_or(last.end);
    // What stands on the rest of the line is about the element before.
    let trailing = slice(text, behind..at.end);
    let tail = match find(trailing, "\n") {
        Some(i) => {
            behind += i;
            ""
        }
        None => "\n",
    };
    out.insert_str(behind, &["\n", indent, new, ",", tail].concat());
    if last.comma.is_none() {
        out.insert(last.end, ',');
    }
    out
}

pub(super) fn remove(text: &str, at: Range<usize>, rest: &str) -> String {
    let Some((step, after)) = first(rest) else { return text.to_string() };
    match (read(text, at.clone()), step) {
        (Inside::List(items), Seg::At(i)) if i < items.len() => {
            if after.is_empty() {
                without(text, at, &items, i)
            } else {
                remove(text, items[i].value.clone(), after)
            }
        }
        (Inside::Table(_), Seg::At(0)) => remove(text, at, after),
        (Inside::Table(members), Seg::Key(_)) => {
            if let Some(m) = members.iter().find(|m| rest.len() > m.keys.len() && rest.starts_with(&m.keys)) {
                return remove(text, m.value.clone(), tail(rest, m.keys.len()));
            }
            let Some(i) = members.iter().position(|m| m.keys.starts_with(rest)) else { return text.to_string() };
            let range = if i > 0 {
                members[i - 1].end..members[i].end
            } else if let Some(next) = members.get(1) {
                members[0].start..next.start
            } else {
                return spliced(text, at, "{}");
            };
            let left = range.end - range.start;
            let text = spliced(text, range, "");
            // A table of several dotted keys goes with all of them.
            remove(&text, at.start..at.end - left, rest)
        }
        _ => text.to_string(),
    }
}

/// Takes an element out of an array, with the comment behind it and without the one behind its predecessor: up to the end of the line a comment
/// is about what came before.
fn without(text: &str, at: Range<usize>, items: &[Member], i: usize) -> String {
    let item = &items[i];
    let predecessor = i.checked_sub(1).and_then(|i| items.get(i));
    let from = predecessor.map_or(at.start + 1, |m| m.comma.unwrap_or(m.end));
    let to = items.get(i + 1).map_or(at.end - 1, |m| m.start);
    let before = slice(text, from..item.start);
    let after = slice(text, item.comma.unwrap_or(item.end)..to);
    let about_predecessor = cut(before, "\n").map(|(head, _)| head);
    let joined = match (about_predecessor, find(after, "\n")) {
        (Some(head), Some(brk)) => [head, after.get(brk..).unwrap_or("")].concat(),
        // On one line: the first element stands as the old first one did.
        _ if i == 0 => before.to_string(),
        _ => after.to_string(),
    };
    // Without a comma behind the last one, there is none behind the new last one.
    let from = match predecessor {
        Some(m) if item.comma.is_none() => m.end,
        _ => from,
    };
    spliced(text, from..to, &joined)
}

/// The elements trade places; the white space and the comments between them stay.
pub(super) fn moved(text: &str, at: Range<usize>, from: usize, to: usize) -> String {
    let Inside::List(items) = read(text, at) else { return text.to_string() };
    if from >= items.len() || to >= items.len() {
        return text.to_string();
    }
    let mut order: Vec<usize> = (0..items.len()).collect();
    let one = order.remove(from);
    order.insert(to, one);
    let mut out = text.to_string();
    // From the last to the first, so that what is still to do stays where it is.
    for (slot, source) in items.iter().zip(&order).rev() {
        out = spliced(&out, slot.value.clone(), slice(text, items[*source].value.clone()));
    }
    out
}
