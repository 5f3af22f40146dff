//! One key and its value.

use super::{Place, Unknown, Walk};
use crate::base::pieces::{listed, split};
use crate::base::text::said;
use crate::scenario::diagnostic::{Phase, Severity};
use crate::scenario::quantity::Problem;
use crate::scenario::registry::claims::ENDS;
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::registry::words::{guess_key, nearest_of};
use crate::scenario::registry::{Row, Section, Type, by_path, row};
use crate::scenario::tree::{Entry, Node, Pos, Table, Value};
use crate::scenario::value::normalize;

impl Walk<'_> {
    #[inline(never)]
    pub(super) fn key(&mut self, place: &Place, e: &Entry) -> Option<Value> {
        match row(place.section, &e.key) {
            Some(row) => self.value(place, row, e),
            None => self.unknown_key(place, e),
        }
    }

    #[inline(never)]
    pub(super) fn unknown_key(&mut self, place: &Place, e: &Entry) -> Option<Value> {
        if self.unknown == Unknown::IsKept {
            let message = "the key \"{0}\" is not known to this version. It is kept and ignored.";
            self.wrong_key(Phase::Keys, place, e, message, &[&e.key]).severity = Severity::Note;
            return Some(e.node.value.clone());
        }
        // Two tables and a misplaced list have reasons of their own.
        if matches!(place.section, Section::Lock | Section::Resource) && e.key == "also" {
            let message = "{0}.also belongs to the story; a design sets the keys of all.";
            self.wrong_key(Phase::Keys, place, e, message, &[place.section.word()]);
            return None;
        }
        let guess = if self.found.is_long() { None } else { guess_key(place.section, &e.key) };
        let keys = place.section.keys();
        let (says, path) = match guess {
            Some(guess) => (guess.says, Some(guess.path)),
            None if keys.len() > 16 => ("Its keys are in the reference.".to_string(), None),
            None => (said("Its keys are {0}.", &[&listed(&keys)]), None),
        };
        self.wrong_key(Phase::Keys, place, e, "unknown key \"{0}\". {1}", &[&e.key, &says]).suggestion = path;
        None
    }

    #[inline(never)]
    pub(super) fn value(&mut self, place: &Place, row: &Row, e: &Entry) -> Option<Value> {
        // In `[lock]` the place is the key itself; in one of several workers or faults the place is that one, and the message names the key.
        let named = match row.section {
            _ if !place.listed => "",
            Section::Fault if row.ty == Type::Moment => "",
            _ if place.section == Section::Client && place.words.starts_with("worker") => "client.{0}: ",
            _ if place.words.starts_with("design") && place.section != Section::Design => "{1}: ",
            _ => "{0}: ",
        };
        let named = said(named, &[&e.key, &row.path()]);
        let path = place.join(&e.key);
        let place = Place { words: if place.listed { place.words } else { &path }, path: &path, ..*place };
        if !row.built {
            let message = "{0}part of the language, but this version cannot run it yet.";
            self.wrong(Phase::Values, e.at, &place, message, &[&named]).not_built = true;
            return None;
        }
        match row.ty {
            Type::Ends => return self.ends(&place, &e.node),
            Type::Table if row.section == Section::Sweep => return self.axes(&place, &e.node),
            Type::Table if row.section == Section::Explore => return self.budgets(&place, &e.node),
            _ => {}
        }
        match normalize(row, &e.node) {
            Ok(node) => Some(node.value),
            Err(problem) => {
                let at = place_of(&problem, &e.node);
                self.refuse(Phase::Values, at, &place, &named, *problem);
                None
            }
        }
    }

    /// Says why a value is not one of its key; `named` stands before.
    #[inline(never)]
    pub(super) fn refuse(&mut self, phase: Phase, at: Pos, place: &Place, named: &str, problem: Problem) {
        let said = self.wrong(phase, at, place, "{0}{1}", &[named, &problem.message]);
        said.suggestion = problem.suggestion;
        said.not_built = problem.not_built;
    }

    /// `ends = { W1 = "stopped" }`.
    fn ends(&mut self, place: &Place, node: &Node) -> Option<Value> {
        let place = Place { section: Section::Expect, listed: true, ..*place };
        for e in &self.expect_table(&place, node)?.entries {
            let word = e.node.as_text().unwrap_or("");
            if !ENDS.contains(&word) {
                let message = "ends: \"{0}\" is no end. A worker is {1} in the end.";
                let near = nearest_of(word, &ENDS).map(str::to_string);
                self.wrong(Phase::Values, e.node.at, &place, message, &[word, &listed(&ENDS)]).suggestion = near;
            }
        }
        Some(node.value.clone())
    }

    /// `axes = { "lock.ttl" = ["5s", "10s"] }`.
    fn axes(&mut self, place: &Place, node: &Node) -> Option<Value> {
        let place = Place { section: Section::Sweep, listed: true, ..*place };
        let mut out = Table::default();
        for e in &self.expect_table(&place, node)?.entries {
            let Some(row) = axis_row(&e.key) else {
                let message = "\"{0}\" is no path of a key. Write \"lock.ttl\" or \"fault.gc.for\".";
                self.wrong(Phase::Values, e.at, &place, message, &[&e.key]);
                continue;
            };
            let mut values = Vec::new();
            for item in e.node.items() {
                match normalize(row, item) {
                    Ok(n) => values.push(n),
                    Err(problem) => {
                        let problem = Problem { not_built: false, ..*problem };
                        self.refuse(Phase::Values, item.at, &place, &said("{0}: ", &[&e.key]), problem);
                    }
                }
            }
            out.push_as(e, Value::List(values));
        }
        Some(Value::Table(out))
    }

    /// `faults = { pause = 1, drop = 2 }`.
    fn budgets(&mut self, place: &Place, node: &Node) -> Option<Value> {
        let place = Place { section: Section::Explore, listed: true, ..*place };
        for e in &self.expect_table(&place, node)?.entries {
            let (message, not_built) = match (fault_verb(&e.key), &e.node.value) {
                (None, _) => ("there is no verb \"{0}\".", false),
                (Some(v), _) if !v.built => {
                    ("\"{0}\" is part of the language, but this version cannot run it yet.", true)
                }
                (Some(_), Value::Int(0..=16)) => continue,
                (Some(_), _) => ("{0}: at most how many? A number from 0 to 16.", false),
            };
            self.wrong(Phase::Values, e.at, &place, message, &[&e.key]).not_built = not_built;
        }
        Some(node.value.clone())
    }
}

/// Where a problem with a value is: at an element, if it is one of a list.
#[inline(never)]
pub(super) fn place_of(problem: &Problem, node: &Node) -> Pos {
    problem.item.and_then(|i| node.items().get(i)).map_or(node.at, |n| n.at)
}

/// The row of a sweep's axis: `lock.ttl`, `fault.gc.for`, `worker.W1.start`.
#[inline(never)]
pub(crate) fn axis_row(path: &str) -> Option<&'static Row> {
    match split(path, ".")[..] {
        ["worker", _, "client", key] => row(Section::Client, key),
        [table @ ("fault" | "worker" | "link" | "clock"), _, key] => row(Section::from_word(table)?, key),
        [_] | [_, _] => by_path(path),
        _ => None,
    }
}
