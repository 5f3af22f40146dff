//! One key and its value.

use super::Unknown;
use super::{Place, Walk};
use crate::scenario::diagnostic::{Phase, Severity};
use crate::scenario::registry::claims::ENDS;
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::registry::words::{guess_key, nearest};
use crate::scenario::registry::{self, Row, Section, Type, row};
use crate::scenario::tree::{Entry, Node, Table, Value};
use crate::scenario::value::{normalize, not_yet};

impl Walk<'_> {
    pub(super) fn key(&mut self, place: &Place, e: &Entry) -> Option<Node> {
        let Some(row) = row(place.section, &e.key) else { return self.unknown_key(place, e) };
        self.value(place, row, e)
    }

    pub(super) fn unknown_key(&mut self, place: &Place, e: &Entry) -> Option<Node> {
        if self.unknown == Unknown::IsKept {
            self.found.say(
                Severity::Note,
                Phase::Keys,
                e.at,
                &place.words,
                &place.join(&e.key),
                format!("the key \"{}\" is not known to this version. It is kept and ignored.", e.key),
            );
            return Some(e.node.clone());
        }
        // Two tables and a misplaced list have reasons of their own.
        let special = match (place.section, e.key.as_str()) {
            (Section::Lock | Section::Resource, "also") => {
                Some(format!("{}.also belongs to the story; a design sets the keys of all.", place.section.word()))
            }
            _ => None,
        };
        let guess = if special.is_none() && !self.found.is_long() { guess_key(place.section, &e.key) } else { None };
        let message = match (&special, &guess) {
            (Some(s), _) => s.clone(),
            (None, Some(g)) => format!("unknown key \"{}\". {}", e.key, g.says),
            (None, None) => {
                let keys: Vec<&str> = place.section.rows().map(|r| r.key).collect();
                let keys = if keys.len() > 16 {
                    "Its keys are in the reference.".to_string()
                } else {
                    format!("Its keys are {}.", keys.join(", "))
                };
                format!("unknown key \"{}\". {keys}", e.key)
            }
        };
        self.found.say(Severity::Error, Phase::Keys, e.at, &place.words, &place.join(&e.key), message).suggestion =
            guess.map(|g| g.path);
        None
    }

    pub(super) fn value(&mut self, place: &Place, row: &Row, e: &Entry) -> Option<Node> {
        // In `[lock]` the place is the key itself; in one of several workers or faults the place is that one, and the message names the key.
        let path = place.join(&e.key);
        let named = match row.section {
            Section::Fault if row.ty == Type::Moment => String::new(),
            _ if place.section == Section::Client && place.words.starts_with("worker") => format!("client.{}: ", e.key),
            _ if place.words.starts_with("design") && place.section != Section::Design => format!("{}: ", row.path()),
            _ => format!("{}: ", e.key),
        };
        let (words, named) = if place.listed { (place.words.clone(), named) } else { (path.clone(), String::new()) };
        if !row.built {
            let message = format!("{named}part of the language, but this version cannot run it yet.");
            self.found.say(Severity::Error, Phase::Values, e.at, &words, &path, message).not_built = true;
            return None;
        }
        let result = match row.ty {
            Type::Ends => return self.ends(&words, &path, &e.node),
            Type::Table if row.section == Section::Sweep => return self.axes(&words, &path, &e.node),
            Type::Table if row.section == Section::Explore => return self.budgets(&words, &path, &e.node),
            _ => normalize(row, &e.node),
        };
        match result {
            Ok(node) => Some(node),
            Err(r) => {
                let at = r.item.and_then(|i| e.node.items().get(i)).map_or(e.node.at, |n| n.at);
                let d = self.found.say(
                    Severity::Error,
                    Phase::Values,
                    at,
                    &words,
                    &path,
                    format!("{named}{}", r.problem.message),
                );
                d.suggestion = r.problem.suggestion;
                d.not_built = r.not_built;
                None
            }
        }
    }

    /// `ends = { W1 = "stopped" }`.
    fn ends(&mut self, words: &str, path: &str, node: &Node) -> Option<Node> {
        let place = Place { section: Section::Expect, words: words.to_string(), path: path.to_string(), listed: true };
        for e in &self.expect_table(&place, node)?.entries {
            let word = e.node.as_text().unwrap_or("");
            if !ENDS.iter().any(|(w, _)| *w == word) {
                let all: Vec<&str> = ENDS.iter().map(|(w, _)| *w).collect();
                let guess = nearest(word, all.iter().copied());
                let message = format!("ends: \"{word}\" is no end. A worker is {} in the end.", all.join(", "));
                self.found.say(Severity::Error, Phase::Values, e.node.at, words, path, message).suggestion =
                    guess.map(str::to_string);
            }
        }
        Some(node.clone())
    }

    /// `axes = { "lock.ttl" = ["5s", "10s"] }`.
    fn axes(&mut self, words: &str, path: &str, node: &Node) -> Option<Node> {
        let place = Place { section: Section::Sweep, words: words.to_string(), path: path.to_string(), listed: true };
        let mut out = Table::default();
        for e in &self.expect_table(&place, node)?.entries {
            let known = axis_row(&e.key);
            let Some(row) = known else {
                let message = format!("\"{}\" is no path of a key. Write \"lock.ttl\" or \"fault.gc.for\".", e.key);
                self.found.error(Phase::Values, e.at, words, path, message);
                continue;
            };
            let mut values = Vec::new();
            for item in e.node.items() {
                match normalize(row, item) {
                    Ok(n) => values.push(n),
                    Err(r) => {
                        self.found
                            .say(
                                Severity::Error,
                                Phase::Values,
                                item.at,
                                words,
                                path,
                                format!("{}: {}", e.key, r.problem.message),
                            )
                            .suggestion = r.problem.suggestion;
                    }
                }
            }
            out.entries.push(Entry {
                key: e.key.clone(),
                at: e.at,
                node: Node { value: Value::List(values), at: e.node.at },
            });
        }
        Some(Node { value: Value::Table(out), at: node.at })
    }

    /// `faults = { pause = 1, drop = 2 }`.
    fn budgets(&mut self, words: &str, path: &str, node: &Node) -> Option<Node> {
        let place = Place { section: Section::Explore, words: words.to_string(), path: path.to_string(), listed: true };
        for e in &self.expect_table(&place, node)?.entries {
            let message = match (fault_verb(&e.key), &e.node.value) {
                (None, _) => format!("there is no verb \"{}\".", e.key),
                (Some(v), _) if !v.built => {
                    self.found
                        .say(Severity::Error, Phase::Values, e.at, words, path, not_yet(&format!("\"{}\"", e.key)))
                        .not_built = true;
                    continue;
                }
                (Some(_), Value::Int(0..=16)) => continue,
                (Some(_), _) => format!("{}: at most how many? A number from 0 to 16.", e.key),
            };
            self.found.error(Phase::Values, e.at, words, path, message);
        }
        Some(node.clone())
    }
}

/// The row of a sweep's axis: `lock.ttl`, `fault.gc.for`, `worker.W1.start`.
pub(crate) fn axis_row(path: &str) -> Option<&'static Row> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["fault", _, key] => row(Section::Fault, key),
        ["worker", _, "client", key] => row(Section::Client, key),
        ["worker", _, key] => row(Section::Worker, key),
        ["link", _, key] => row(Section::Link, key),
        ["clock", _, key] => row(Section::Clock, key),
        [_] | [_, _] => registry::by_path(path),
        _ => None,
    }
}
