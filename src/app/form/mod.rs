//! The scenario as fields: which keys the form shows, what they are, and what an edit of one makes of the text.
//!
//! Everything here is driven by the registry: a card is a list of its rows, and a row that is added there is in the form by itself. A
//! card shows what matters in every story and whatever is set; opened, it shows all that its service knows, and a search in it. General
//! yields to particular: a field of lock, client or resource shows the value under the design in front, and an edit goes to where it has
//! an effect (a value that the design sets itself is changed in the design). Every edit writes keys into the text; comments and order
//! survive. A field is valid if the text that it makes can be run.
//!
//! Paths name entries by their place (`worker.0.start`), as diagnostics do, so that what is wrong stands beside its field.

mod bench;
mod cards;
mod change;
mod help;
mod steps;

pub use bench::{Bench, FormAction};
pub use cards::{
    FaultCard, WorkerCard, block_fields, card, clocks, count_at, faults, hue, name_of, steps_of, unused, workers,
};
pub use change::{Change, attempt, change};
pub use help::{Help, help};
pub use steps::{Parts, parts, step_fields, step_says};

use crate::app::text;
use crate::base::pieces::{count, cut, joined, part, split, tail};
use crate::scenario::quantity::{signed_time, write_time};
use crate::scenario::registry::claims::PROPERTIES;
use crate::scenario::registry::services::service;
use crate::scenario::registry::{Row, Section, Type, by_path};
use crate::scenario::scenario;
use crate::scenario::tree::{Node, Table};
use crate::scenario::{Layer, Scenario};

/// One value that can be edited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where an edit is written.
    pub path: String,
    pub label: String,
    /// As it would stand in the text, without quotes.
    pub value: String,
    pub kind: Kind,
    /// Nobody has set it.
    pub default: bool,
    /// One sentence about the key.
    pub says: &'static str,
    /// Which table its key stands in.
    pub section: Section,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Typed.
    Line,
    /// Typed, over several lines.
    Lines,
    /// One of these words, each with what people read.
    Choice(Vec<(&'static str, &'static str)>),
    /// Some of these words.
    Words(Vec<&'static str>),
}

/// A field of a key.
#[inline(never)]
fn field(path: String, row: &Row, value: String, default: bool) -> Field {
    Field { path, label: text::label(row), value, kind: kind_of(row), default, says: row.says(), section: row.section }
}

/// The node at a path whose entries are numbered, in what the text says.
pub fn at<'a>(of: &'a Table, path: &str) -> Option<&'a Node> {
    let (key, mut rest) = cut(path, ".").unwrap_or((path, ""));
    let mut node = of.get(key)?;
    while !rest.is_empty() {
        let (key, after) = cut(rest, ".").unwrap_or((rest, ""));
        node = match count(key) {
            Some(i) => node.items().get(i)?,
            None => node.as_table()?.get(key)?,
        };
        rest = after;
    }
    Some(node)
}

/// A key that has one place only.
fn of_place(scenario: &Scenario, path: String, row: &Row) -> Field {
    let node = at(&scenario.tree, &path);
    let value = match node {
        Some(node) => shown(node, row.ty),
        None => signed_time(row.default).map_or(row.default.to_string(), write_time),
    };
    field(path, row, value, node.is_none())
}

/// A key that designs may set, with the value it has under one of them; `None`: the service in force has no use for it.
#[inline(never)]
fn of_design(scenario: &Scenario, design: usize, row: &Row) -> Option<Field> {
    let path = row.path();
    let (value, layer) = scenario.resolved(design, &path)?;
    if !row.uses.has(&scenario.resolved(design, "lock.service")?.0) {
        return None;
    }
    let place = match layer {
        // What the protection says yields to the design's own word.
        Layer::Design | Layer::Protection => scenario::path("design", design, &path),
        _ => path,
    };
    let mut out = field(place, row, value, !matches!(layer, Layer::Story | Layer::Design));
    if row.key == "service"
        && let Some(service) = service(&out.value)
    {
        out.says = service.says();
    }
    if layer == Layer::Protection {
        out.says = text::SET_BY_PROTECTION;
    }
    Some(out)
}

/// A value as a field shows it.
fn shown(node: &Node, ty: Type) -> String {
    let between = match ty {
        Type::Groups => " | ",
        Type::Texts | Type::Instants | Type::MeasureClaims => "\n",
        Type::Table | Type::Ends => {
            let mut lines = Vec::new();
            for e in node.as_table().map_or(&[][..], |t| &t.entries) {
                lines.push([&e.key, " = ", &e.node.shown()].concat());
            }
            return joined(&lines, "\n");
        }
        _ => return node.shown(),
    };
    let mut all = Vec::new();
    for one in node.items() {
        all.push(one.shown());
    }
    joined(&all, between)
}

fn kind_of(row: &Row) -> Kind {
    let mut choices = Vec::new();
    match row.ty {
        Type::Bool => choices.extend([("true", text::YES), ("false", text::NO)]),
        Type::Word => {
            for w in row.words.iter().filter(|w| w.built) {
                // A service has a name; other words are read as they are written.
                let label = service(w.text).filter(|_| row.key == "service").map(|s| s.label);
                choices.push((w.text, label.unwrap_or(w.text)));
            }
        }
        Type::Words | Type::Properties => {
            let mut words = Vec::new();
            for w in row.words.iter().filter(|w| w.built) {
                words.push(w.text);
            }
            for p in PROPERTIES.iter().filter(|p| row.ty == Type::Properties && p.word.built) {
                words.push(p.word.text);
            }
            return Kind::Words(words);
        }
        Type::Texts | Type::Instants | Type::MeasureClaims | Type::Table | Type::Ends | Type::Steps => {
            return Kind::Lines;
        }
        Type::Text if !["title", "name", "design", "next"].contains(&row.key) => return Kind::Lines,
        _ => return Kind::Line,
    }
    if row.default.is_empty() {
        choices.insert(0, ("", text::NOT_SET));
    }
    Kind::Choice(choices)
}

/// The list with a word more, or without it, as it would be typed. A word for "none of them" stands alone.
pub fn with_word(value: &str, word: &str, on: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for one in split(value, ", ") {
        if !one.is_empty()
            && one != word
            && one != "none"
            && !(on && (word == "none" || one == "judge" || word == "judge"))
        {
            kept.push(one);
        }
    }
    if on {
        kept.push(word);
    }
    if kept.is_empty() { "[]".to_string() } else { kept.join(", ") }
}

/// A value as people read it in a field: the number, and its unit beside it. What is more than one number has no unit of its own.
pub fn split_unit(value: &str) -> (&str, &str) {
    let at = value.bytes().position(|b| !matches!(b, b'0'..=b'9' | b'.' | b'-')).unwrap_or(value.len());
    let (number, unit) = (part(value, 0, at), tail(value, at));
    if !number.is_empty() && ["us", "ms", "s", "min", "h", "d", "%"].contains(&unit) {
        (number, unit)
    } else {
        (value, "")
    }
}

/// What was typed into a field that shows `unit` beside it: a bare number is in that unit.
pub fn with_unit(typed: &str, unit: &str) -> String {
    let typed = typed.trim();
    let bare = !typed.is_empty() && typed.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '-');
    if bare { [typed, unit].concat() } else { typed.to_string() }
}

/// Is this a key of the table of keys, and not the verb of a fault?
fn is_key(path: &str) -> bool {
    by_path(path).is_some()
}
