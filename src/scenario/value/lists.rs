//! Lists of values, and the kinds that only occur in lists: names, properties, message kinds, claims.

use super::*;
use crate::scenario::expect::{ExpectInstant, ExpectMeasure};
use crate::scenario::registry::claims::{MEASURES, PROPERTIES, measure_row, property};
use crate::scenario::registry::faults::{KINDS, NO_REPLY};

pub(super) fn list(row: &Row, node: &Node) -> Result<Node, Refusal> {
    if node.as_table().is_some() {
        return Err(kind(row, node));
    }
    let mut items = Vec::new();
    for (i, item) in node.items().iter().enumerate() {
        match element(row, item) {
            Ok(value) => items.push(Node { value, at: item.at }),
            Err(r) => return Err(Refusal { item: matches!(node.value, Value::List(_)).then_some(i), ..r }),
        }
    }
    // The one list that has a word for all: it stands alone.
    if row.ty == Type::Counts && items.iter().any(|n| n.as_text().is_some()) && items.len() > 1 {
        return Err(wrong("\"all\" stands alone."));
    }
    Ok(Node { value: Value::List(items), at: node.at })
}

fn element(row: &Row, item: &Node) -> Result<Value, Refusal> {
    let one = |ty| Row { ty, ..*row };
    match row.ty {
        Type::Texts => Ok(Value::Text(text(&one(Type::Text), item)?.to_string())),
        Type::Names => names(row, text(&one(Type::Name), item)?).map(Value::Text),
        Type::Words => word(row, text(&one(Type::Word), item)?).map(Value::Text),
        Type::Kinds => {
            let s = text(&one(Type::Word), item)?;
            let base = s.strip_suffix("-reply").filter(|b| !NO_REPLY.contains(b)).unwrap_or(s);
            one_of("a message kind", KINDS, base)?;
            Ok(Value::Text(s.to_string()))
        }
        Type::Counts => int(row, item, 1, i64::from(u32::MAX)),
        Type::Properties => {
            let s = text(&one(Type::Word), item)?;
            if row.word(s).is_some() {
                return Ok(Value::Text(s.to_string()));
            }
            match property(s) {
                Some(p) if p.word.built => Ok(Value::Text(s.to_string())),
                Some(_) => {
                    Err(not_built(format!("\"{s}\" is part of the language, but this version cannot judge it yet.")))
                }
                None => {
                    let words: Vec<&str> = PROPERTIES.iter().map(|p| p.word.text).collect();
                    Err(match nearest(s, words.iter().copied()) {
                        Some(near) => {
                            Problem::with(format!("there is no property \"{s}\". Did you mean \"{near}\"?"), near)
                                .into()
                        }
                        None => wrong(format!("there is no property \"{s}\". Properties are {}.", words.join(", "))),
                    })
                }
            }
        }
        Type::Measures => {
            let s = text(&one(Type::Word), item)?;
            if measure_row(s).is_some() {
                return Ok(Value::Text(s.to_string()));
            }
            let words: Vec<&str> = MEASURES.iter().map(|m| m.word).collect();
            Err(match nearest(s, words.iter().copied()) {
                Some(near) => {
                    Problem::with(format!("there is no measure \"{s}\". Did you mean \"{near}\"?"), near).into()
                }
                None => wrong(format!("there is no measure \"{s}\". Measures are {}.", words.join(", "))),
            })
        }
        Type::MeasureClaims => Ok(Value::Text(ExpectMeasure::parse(text(&one(Type::Text), item)?)?.to_string())),
        Type::Instants => Ok(Value::Text(ExpectInstant::parse(text(&one(Type::Text), item)?)?.to_string())),
        _ => unreachable!("{} is no list", row.path()),
    }
}

/// A name where groups and, in some places, threads are allowed; which ones exist is checked where all names are known.
fn names(row: &Row, s: &str) -> Result<String, Refusal> {
    if s.split('.').all(is_name) && s.matches('.').count() <= 1 {
        return Ok(s.to_string());
    }
    let _ = row;
    Err(wrong(format!("\"{s}\" is no name. A name is a letter, then letters, digits, - or _, at most 40 of them.")))
}

pub(super) fn groups(row: &Row, node: &Node) -> Result<Value, Refusal> {
    let Value::List(all) = &node.value else { return Err(kind(row, node)) };
    if all.len() < 2 {
        return Err(wrong("a partition has at least two groups: [[\"W1\", \"lock\"], [\"R\"]]."));
    }
    let names_row = Row { ty: Type::Names, ..*row };
    let mut out = Vec::new();
    for group in all {
        let group = list(&names_row, group)?;
        if group.items().is_empty() {
            return Err(wrong("a group of a partition is empty."));
        }
        out.push(group);
    }
    Ok(Value::List(out))
}
