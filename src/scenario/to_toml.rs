//! A tree as TOML for people: in the order in which one tells a story, one block for each worker, fault and design.
//!
//! For what comes without a text of its own: a link, a JSON file, a case that a search has found. Texts that people wrote are never rewritten;
//! they are edited (see `edit`).

use super::registry::{Section, rows};
use super::step::is_name;
use super::tree::{Entry, Form, Table, Value, json};
use std::fmt::Write as _;

/// Tables in the order of the text, after the header.
const ORDER: [Section; 13] = [
    Section::Network,
    Section::Link,
    Section::Clock,
    Section::Lock,
    Section::Client,
    Section::Resource,
    Section::Worker,
    Section::Fault,
    Section::Expect,
    Section::Design,
    Section::Sweep,
    Section::Explore,
    Section::Lesson,
];

/// TOML text of a tree. What it holds is written as it is, in a good order; reading it gives the same tree again, up to that order.
pub fn to_toml(tree: &Table) -> String {
    let mut out = String::new();
    let of_section = |key: &str| ORDER.iter().any(|s| s.word() == key);
    let header: Vec<&Entry> =
        in_order(Section::Header, tree).into_iter().filter(|e| !is_block(e, of_section(&e.key))).collect();
    lines(&mut out, &header);
    for section in ORDER {
        if let Some(e) = tree.entry(section.word()).filter(|e| is_block(e, true)) {
            block(&mut out, section, e);
        }
    }
    // What no version of this language knows is kept where it was: at the top.
    for e in tree.entries.iter().filter(|e| is_block(e, false) && !of_section(&e.key)) {
        let _ = writeln!(out, "\n[{}]", key(&e.key));
        if let Value::Table(t) = &e.node.value {
            lines(&mut out, &t.entries.iter().collect::<Vec<_>>());
        }
    }
    out
}

/// Does the entry get a heading of its own?
fn is_block(e: &Entry, known: bool) -> bool {
    match &e.node.value {
        Value::Table(_) => true,
        Value::List(l) => known && !l.is_empty() && l.iter().all(|n| n.as_table().is_some()),
        _ => false,
    }
}

fn block(out: &mut String, section: Section, e: &Entry) {
    let word = section.word();
    match section {
        Section::Worker | Section::Fault | Section::Design | Section::Link => {
            for t in e.node.items().iter().filter_map(|n| n.as_table()) {
                let _ = writeln!(out, "\n[[{word}]]");
                lines(out, &in_order(section, t));
            }
        }
        Section::Clock => {
            for c in e.node.as_table().map_or(&[][..], |t| &t.entries) {
                let _ = writeln!(out, "\n[clock.{}]", key(&c.key));
                if let Some(t) = c.node.as_table() {
                    lines(out, &in_order(section, t));
                }
            }
        }
        _ => {
            let Some(t) = e.node.as_table() else { return };
            let own: Vec<&Entry> = in_order(section, t).into_iter().filter(|e| e.key != "also").collect();
            let also = t.entry("also");
            if !own.is_empty() || also.is_none() {
                let _ = writeln!(out, "\n[{word}]");
                lines(out, &own);
            }
            for a in also.map_or(&[][..], |e| e.node.items()).iter().filter_map(|n| n.as_table()) {
                let _ = writeln!(out, "\n[[{word}.also]]");
                lines(out, &in_order(section, a));
            }
        }
    }
}

/// Keys in the order of the registry; of a fault, name and verb come first.
fn in_order(section: Section, t: &Table) -> Vec<&Entry> {
    let place = |e: &&Entry| {
        let known = rows().filter(|r| r.section == section).position(|r| r.key == e.key);
        let verb = section == Section::Fault && super::registry::faults::fault_verb(&e.key).is_some();
        match (verb, known) {
            _ if section == Section::Fault && e.key == "name" => 0,
            (true, _) => 1,
            // When it begins and ends comes last.
            (_, Some(i)) if section == Section::Fault && i < 4 => 100 + i,
            (_, Some(i)) => 2 + i,
            (_, None) => 1_000,
        }
    };
    let mut entries: Vec<&Entry> = t.entries.iter().collect();
    crate::base::flat::sort_by_key(&mut entries, place);
    entries
}

/// `key = value` lines with their `=` below each other; tables inside become dotted keys.
fn lines(out: &mut String, entries: &[&Entry]) {
    let mut pairs: Vec<(String, &Value)> = Vec::new();
    for e in entries {
        dotted(key(&e.key), &e.node.value, &mut pairs);
    }
    let width = pairs.iter().filter(|(k, _)| !k.contains('.')).map(|(k, _)| k.chars().count()).max().unwrap_or(0);
    for (k, v) in pairs {
        let _ = write!(out, "{k:width$} = ");
        out.push_str(&v.written(Form::Toml));
        out.push('\n');
    }
}

fn dotted<'a>(path: String, v: &'a Value, pairs: &mut Vec<(String, &'a Value)>) {
    match v {
        // Keys that are paths or names of somebody read better inside braces.
        Value::Table(t)
            if !t.is_empty() && !path.ends_with("axes") && !path.ends_with("ends") && !path.ends_with("faults") =>
        {
            for e in &t.entries {
                dotted(format!("{path}.{}", key(&e.key)), &e.node.value, pairs);
            }
        }
        _ => pairs.push((path, v)),
    }
}

pub(super) fn key(k: &str) -> String {
    if is_name(k) {
        return k.to_string();
    }
    let mut out = String::new();
    json::quote_toml(k, &mut out);
    out
}
