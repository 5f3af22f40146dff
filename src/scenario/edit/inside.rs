//! Edits inside one value of a TOML text: an array, or a table in braces.

use super::path::Seg;
use crate::scenario::to_toml;
use crate::scenario::tree::statement::Toml;
use std::ops::Range;

/// One element of an array, or one key of a table, with its value.
pub(super) struct Member {
    /// Empty in an array.
    keys: Vec<Seg>,
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
        let mut keys = Vec::new();
        let value = if table {
            let Ok((read, _, value)) = toml.pair(start) else { break };
            keys.extend(read.into_iter().map(|k| Seg::Key(k.name)));
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

/// The text with other bytes in a place.
#[inline(never)]
pub(super) fn spliced(text: &str, range: Range<usize>, with: &str) -> String {
    [text.get(..range.start).unwrap_or(""), with, text.get(range.end..).unwrap_or("")].concat()
}

/// `client.retry`.
pub(super) fn dotted(keys: &[Seg]) -> String {
    let mut out = String::new();
    for seg in keys {
        if !out.is_empty() {
            out.push('.');
        }
        match seg {
            Seg::Key(k) => out.push_str(&to_toml::key(k)),
            Seg::At(i) => out.push_str(&i.to_string()),
        }
    }
    out
}

/// `key` is the one whose value this is.
pub(super) fn set(text: &str, at: Range<usize>, rest: &[Seg], new: &str, key: &str) -> Result<String, String> {
    let Some(first) = rest.first() else { return Ok(spliced(text, at, new)) };
    match (read(text, at.clone()), first) {
        (Inside::List(items), Seg::At(i)) => match items.get(*i) {
            Some(item) if rest.len() == 1 => Ok(spliced(text, item.value.clone(), new)),
            Some(item) => set(text, item.value.clone(), &rest[1..], new, key),
            None if rest.len() > 1 => Err(["there is no such ", key, "."].concat()),
            None if *i == items.len() => Ok(append(text, at, &items, "[", new, "]")),
            None => Err(["there are ", &items.len().to_string(), " of them."].concat()),
        },
        // One value stands for a list of one.
        (_, Seg::At(0)) => set(text, at, &rest[1..], new, key),
        (_, Seg::At(1)) if rest.len() == 1 => {
            let old = text.get(at.clone()).unwrap_or("");
            Ok(spliced(text, at, &["[", old, ", ", new, "]"].concat()))
        }
        (_, Seg::At(_)) => Err(["there is no such element of ", key, "."].concat()),
        (Inside::Table(members), Seg::Key(_)) => {
            if let Some(m) = members.iter().find(|m| rest.starts_with(&m.keys)) {
                let key = dotted(&m.keys[m.keys.len() - 1..]);
                return set(text, m.value.clone(), &rest[m.keys.len()..], new, &key);
            }
            let Some((Seg::At(i), list)) = rest.split_last() else {
                let line = [&dotted(rest), " = ", new].concat();
                // Beside the keys of the same table.
                let near = members.iter().rposition(|m| m.keys.len() > 1 && m.keys.first() == Some(first));
                let upto = near.map_or(members.len(), |i| i + 1);
                return Ok(append(text, at, &members[..upto], "{ ", &line, " }"));
            };
            // An element of a list that is not there yet.
            let default = if list.last() == Some(&Seg::Key("steps".to_string())) {
                crate::scenario::step::Step::default_list()
            } else {
                Vec::new()
            };
            let nodes = default.iter().map(crate::scenario::step::Step::node).collect();
            let all = to_toml::inline(&crate::scenario::tree::Value::List(nodes));
            let all = set(&all, 0..all.len(), &[Seg::At(*i)], new, key)?;
            set(text, at, list, &all, key)
        }
        (_, Seg::Key(_)) => Err(["\"", key, "\" is no table."].concat()),
    }
}

/// Behind the last member, or alone.
fn append(text: &str, at: Range<usize>, members: &[Member], open: &str, new: &str, close: &str) -> String {
    match members.last() {
        Some(last) => spliced(text, last.end..last.end, &[", ", new].concat()),
        None => spliced(text, at, &[open, new, close].concat()),
    }
}

/// Adds to an array as its other elements stand: on a line of its own if they do.
pub(super) fn push(text: &str, at: Range<usize>, new: &str) -> String {
    let Inside::List(items) = read(text, at.clone()) else {
        let old = text.get(at.clone()).unwrap_or("");
        return spliced(text, at, &["[", old, ", ", new, "]"].concat());
    };
    let Some((last, before)) = items.split_last() else { return append(text, at, &items, "[", new, "]") };
    let from = before.last().map_or(at.start + 1, |m| m.comma.unwrap_or(m.end));
    let space = text.get(from..last.start).unwrap_or("");
    let Some((_, indent)) = space.rsplit_once('\n') else { return append(text, at, &items, "[", new, "]") };
    let mut out = text.to_string();
    let mut behind = last.comma.unwrap_or(last.end);
    // What stands on the rest of the line is about the element before.
    let trailing = text.get(behind..at.end).unwrap_or("");
    let tail = match trailing.find('\n') {
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

pub(super) fn remove(text: &str, at: Range<usize>, rest: &[Seg]) -> String {
    match (read(text, at.clone()), rest) {
        (Inside::List(items), [Seg::At(i)]) if *i < items.len() => without(text, at, &items, *i),
        (Inside::List(items), [Seg::At(i), after @ ..]) if *i < items.len() => {
            remove(text, items[*i].value.clone(), after)
        }
        (Inside::Table(_), [Seg::At(0), after @ ..]) if !after.is_empty() => remove(text, at, after),
        (Inside::Table(members), [Seg::Key(_), ..]) => {
            if let Some(m) = members.iter().find(|m| rest.len() > m.keys.len() && rest.starts_with(&m.keys)) {
                return remove(text, m.value.clone(), &rest[m.keys.len()..]);
            }
            let Some(i) = members.iter().position(|m| m.keys.starts_with(rest)) else { return text.to_string() };
            let m = &members[i];
            let range = match (i.checked_sub(1).and_then(|i| members.get(i)), members.get(i + 1)) {
                (Some(before), _) => before.end..m.end,
                (None, Some(next)) => m.start..next.start,
                (None, None) => return spliced(text, at, "{}"),
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
    let before = text.get(from..item.start).unwrap_or("");
    let after = text.get(item.comma.unwrap_or(item.end)..to).unwrap_or("");
    let about_predecessor = before.split_once('\n').map(|(head, _)| head);
    let joined = match (about_predecessor, after.find('\n')) {
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
        out = spliced(&out, slot.value.clone(), text.get(items[*source].value.clone()).unwrap_or(""));
    }
    out
}
