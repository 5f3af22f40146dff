//! What the form says about the field that has the keyboard: what its key means, what it is when it is left out, and what may be written.

use super::cards::names;
use super::{at, step_says};
use crate::app::text;
use crate::base::pieces::cut;
use crate::scenario::registry::faults::{KINDS, fault_verb};
use crate::scenario::registry::services::service;
use crate::scenario::registry::{Section, Type};
use crate::scenario::{Scenario, edit};

/// About one field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Help {
    /// The key as the language has it; of a step, its verb.
    pub key: String,
    pub says: &'static str,
    /// What may be typed.
    pub hint: &'static str,
    pub default: &'static str,
    /// Values that can be taken as they are.
    pub values: Vec<String>,
}

/// The most values that are offered.
const MOST: usize = 14;

/// What is to be said about the field at a path.
pub fn help(scenario: &Scenario, design: usize, path: &str) -> Option<Help> {
    let of_names = || names(scenario, design);
    if let Some((step, part)) = cut(path, "#") {
        let verb = at(&scenario.tree, step).and_then(|n| n.as_text()).map_or("", |s| super::parts(s).verb);
        let ty = if part == "time" || part == "takes" { Type::Draw } else { Type::Text };
        let values = if ty == Type::Draw { texts(&["forever", "500ms..2s", "exp 2s"]) } else { Vec::new() };
        return Some(Help {
            key: [verb, " ", part].concat(),
            says: step_says(verb),
            hint: text::hint(ty),
            default: "",
            values,
        });
    }
    let row = edit::row_of(path)?;
    let mut says = row.says();
    if row.key == "service"
        && let Some(known) = at(&scenario.tree, path).and_then(|n| service(n.as_text()?))
    {
        says = known.text();
    }
    if let Some(verb) = fault_verb(row.key).filter(|_| row.section == Section::Fault) {
        says = verb.says();
    }
    let mut values = Vec::new();
    if !matches!(row.ty, Type::Word | Type::Words | Type::Properties) {
        for w in row.words.iter().filter(|w| w.built) {
            values.push(w.text.to_string());
        }
    }
    match row.ty {
        Type::Draw => {
            values.extend(texts(&["0ms..200ms", "exp 2s", "lognormal 50ms 2s", "pareto 1ms 2s", "5ms|7ms|120ms"]))
        }
        Type::Period => values.extend(texts(&["ttl/3", "ttl/2"])),
        Type::Names => values.extend(of_names()),
        Type::Name if row.key == "process" => values.extend(of_names()),
        Type::Kinds => {
            for k in KINDS.iter().filter(|k| k.built) {
                values.push(k.text.to_string());
            }
        }
        Type::Moment => {
            for w in &scenario.workers {
                for point in ["grant", "check", "write"] {
                    values.push(["after ", &w.name, " ", point].concat());
                }
            }
        }
        _ => {}
    }
    values.truncate(MOST);
    let default = if row.section == Section::Worker && row.key == "name" { "" } else { row.default };
    Some(Help { key: row.path(), says, hint: text::hint(row.ty), default, values })
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| w.to_string()).collect()
}
