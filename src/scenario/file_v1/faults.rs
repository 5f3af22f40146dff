//! Faults: one verb each, with the keys that belong to it.

use super::{Place, Walk};
use crate::scenario::diagnostic::{Phase, Severity};
use crate::scenario::registry::faults::{COMMON, FaultVerb, VERBS, Victim, fault_verb};
use crate::scenario::registry::{Row, Section, Type, row};
use crate::scenario::tree::{Entry, Node, Pos, Table};
use crate::scenario::value::not_yet;

impl Walk<'_> {
    pub(super) fn fault(&mut self, i: usize, item: &Node) -> Option<Table> {
        let name = item.as_table().and_then(|t| t.get("name")).and_then(Node::as_text);
        let words = name.map_or(format!("fault {}", i + 1), |n| format!("fault {n}"));
        let place = Place { section: Section::Fault, words, path: format!("fault.{i}"), listed: true };
        let t = self.expect_table(&place, item)?;
        let verbs: Vec<&FaultVerb> = t.entries.iter().filter_map(|e| fault_verb(&e.key)).collect();
        let mut out = Table::default();
        for e in &t.entries {
            let node = match fault_verb(&e.key) {
                Some(v) => self.victim(&place, v, e),
                None => self.key(&place, e),
            };
            if let Some(node) = node {
                out.entries.push(Entry { key: e.key.clone(), at: e.at, node });
            }
        }
        let mut say =
            |at: Pos, message: String| self.found.error(Phase::Faults, at, &place.words, &place.path, message);
        match verbs.as_slice() {
            [] => {
                let words: Vec<&str> = VERBS.iter().map(|v| v.word).collect();
                say(item.at, format!("has no verb. Verbs are {}.", words.join(", ")));
                return None;
            }
            [verb] => {
                for e in t.entries.iter().filter(|e| row(Section::Fault, &e.key).is_some()) {
                    let key = e.key.as_str();
                    if !verb.keys.contains(&key) && !COMMON.contains(&key) {
                        let own =
                            if verb.keys.is_empty() { "none of its own".to_string() } else { verb.keys.join(", ") };
                        say(
                            e.at,
                            format!(
                                "{key} does not belong to {}. Its keys are {own}, and {}.",
                                verb.word,
                                COMMON.join(", ")
                            ),
                        );
                    }
                }
                for key in verb.needs.iter().filter(|k| t.get(k).is_none()) {
                    say(item.at, format!("{} needs {key}.", verb.word));
                }
                if !verb.lasts
                    && let Some(e) = t.entries.iter().find(|e| e.key == "until" || e.key == "for")
                {
                    say(e.at, format!("{} happens at one instant; it has no {}.", verb.word, e.key));
                }
                if t.get("until").is_some() && t.get("for").is_some() {
                    say(item.at, "has both until and for. Keep one.".into());
                } else if t.get("every").is_some() && t.get("for").is_none() && verb.lasts {
                    say(item.at, "every needs for: how long each time.".into());
                }
            }
            several => {
                let words: Vec<&str> = several.iter().map(|v| v.word).collect();
                let count = if words.len() == 2 { "two".to_string() } else { words.len().to_string() };
                let (last, others) = words.split_last().expect("there are several");
                say(item.at, format!("has {count} verbs, {} and {last}. Split it.", others.join(", ")));
                return None;
            }
        }
        Some(out)
    }

    /// The value of a verb.
    pub(super) fn victim(&mut self, place: &Place, verb: &FaultVerb, e: &Entry) -> Option<Node> {
        if !verb.built {
            let words: Vec<&str> = VERBS.iter().filter(|v| v.built).map(|v| v.word).collect();
            let message = format!("{} It can run: {}.", not_yet(&format!("\"{}\"", verb.word)), words.join(", "));
            self.found
                .say(Severity::Error, Phase::Faults, e.at, &place.words, &place.join(verb.word), message)
                .not_built = true;
        }
        let ty = match verb.victim {
            Victim::Kinds => Type::Kinds,
            Victim::Groups => Type::Groups,
            _ => Type::Names,
        };
        let node = self.value(place, &Row::new(Section::Fault, verb.word, ty, "", verb.says, verb.example), e)?;
        if node.items().is_empty() {
            self.found.error(
                Phase::Faults,
                e.node.at,
                &place.words,
                &place.join(verb.word),
                format!("{} names nobody.", verb.word),
            );
        }
        Some(node)
    }
}
