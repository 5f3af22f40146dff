//! Lists of values, and the kinds that only occur in lists: names, properties, message kinds, claims.

use super::*;
use crate::base::pieces::{listed, split};
use crate::scenario::expect::{ExpectInstant, ExpectMeasure};
use crate::scenario::registry::claims::{measure_row, measure_words, property, property_words};
use crate::scenario::registry::faults::{KINDS, NO_REPLY};

pub(super) fn list(row: &Row, node: &Node) -> Read<Value> {
    if node.as_table().is_some() {
        return Err(kind(row.ty, node));
    }
    let in_list = matches!(node.value, Value::List(_));
    let mut items = Vec::new();
    for (i, item) in node.items().iter().enumerate() {
        match element(row, item) {
            Ok(value) => items.push(Node { value, at: item.at }),
            Err(mut problem) => {
                problem.item = in_list.then_some(i);
                return Err(problem);
            }
        }
    }
    // The one list that has a word for all: it stands alone.
    if row.ty == Type::Counts && items.len() > 1 && items.iter().any(|n| n.as_text().is_some()) {
        return Err(wrong("\"all\" stands alone.", &[]));
    }
    Ok(Value::List(items))
}

fn element(row: &Row, item: &Node) -> Read<Value> {
    let one = match row.ty {
        Type::Counts => return int(row, item, 1, i64::from(u32::MAX)),
        Type::Names => Type::Name,
        Type::Texts | Type::MeasureClaims | Type::Instants => Type::Text,
        _ => Type::Word,
    };
    let s = text(one, item)?;
    match row.ty {
        Type::MeasureClaims => return Ok(Value::Text(ExpectMeasure::parse(s)?.text())),
        Type::Instants => return Ok(Value::Text(ExpectInstant::parse(s)?.text())),
        Type::Words => one_of(row, row.words, s)?,
        Type::Kinds => {
            let base = s.strip_suffix("-reply").filter(|b| !NO_REPLY.contains(b)).unwrap_or(s);
            one_of(row, KINDS, base)?;
        }
        Type::Names => {
            // Groups are allowed and, in some places, threads; which ones exist is checked where all names are known.
            let parts = split(s, ".");
            if parts.len() > 2 || !parts.into_iter().all(is_name) {
                return Err(no_name(s));
            }
        }
        Type::Properties if row.word(s).is_none() => match property(s) {
            Some(p) if p.word.built => {}
            Some(_) => {
                let message = "\"{0}\" is part of the language, but this version cannot judge it yet.";
                return Err(not_built(wrong(message, &[s])));
            }
            None => return Err(unknown("property", "Properties", &property_words(), s)),
        },
        Type::Measures if measure_row(s).is_none() => return Err(unknown("measure", "Measures", &measure_words(), s)),
        _ => {}
    }
    Ok(Value::Text(s.to_string()))
}

/// A word that nobody knows, of a kind of which there are several.
fn unknown(one: &str, several: &str, words: &[&str], s: &str) -> Box<Problem> {
    match nearest_of(s, words) {
        Some(near) => better("there is no {0} \"{1}\". Did you mean \"{2}\"?", &[one, s, near]),
        None => wrong("there is no {0} \"{1}\". {2} are {3}.", &[one, s, several, &listed(words)]),
    }
}

pub(super) fn groups(row: &Row, node: &Node) -> Read<Value> {
    let Value::List(all) = &node.value else { return Err(kind(row.ty, node)) };
    if all.len() < 2 {
        return Err(wrong("a partition has at least two groups: [[\"W1\", \"lock\"], [\"R\"]].", &[]));
    }
    let names_row = Row { ty: Type::Names, ..*row };
    let mut out = Vec::new();
    for group in all {
        let names = Node { value: list(&names_row, group)?, at: group.at };
        if names.items().is_empty() {
            return Err(wrong("a group of a partition is empty.", &[]));
        }
        out.push(names);
    }
    Ok(Value::List(out))
}
