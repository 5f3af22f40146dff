//! Faults: one verb each, with the keys that belong to it.

use super::{Place, Walk};
use crate::base::pieces::listed;
use crate::scenario::diagnostic::Phase;
use crate::scenario::registry::faults::{COMMON, FaultVerb, fault_verb, verb_words};
use crate::scenario::registry::{Section, row, words_of};
use crate::scenario::tree::{Entry, Pos, Table, Value};

impl Walk<'_> {
    pub(super) fn of_fault(&mut self, place: &Place, e: &Entry) -> Option<Value> {
        match fault_verb(&e.key) {
            Some(verb) => self.victim(place, verb, e),
            None => self.key(place, e),
        }
    }

    /// Does the fault have one verb? Says so if not, and what does not belong to the one that it has.
    pub(super) fn verbs(&mut self, place: &Place, at: Pos, t: &Table) -> bool {
        let mut verbs: Vec<&FaultVerb> = Vec::new();
        for e in &t.entries {
            verbs.extend(fault_verb(&e.key));
        }
        let mut say = |at: Pos, template: &str, args: &[&str]| {
            self.wrong(Phase::Faults, at, place, template, args);
        };
        let verb = match verbs.as_slice() {
            [one] => one,
            [] => {
                say(at, "has no verb. Verbs are {0}.", &[&listed(&verb_words(false))]);
                return false;
            }
            [others @ .., last] => {
                let count = if others.len() == 1 { "two".to_string() } else { verbs.len().to_string() };
                let mut words = Vec::new();
                for verb in others {
                    words.push(verb.word);
                }
                say(at, "has {0} verbs, {1} and {2}. Split it.", &[&count, &listed(&words), last.word]);
                return false;
            }
        };
        for e in &t.entries {
            let key = e.key.as_str();
            if row(Section::Fault, key).is_some() && !verb.has(key) && !words_of(COMMON).contains(&key) {
                let own = if verb.keys.is_empty() { "none of its own" } else { verb.keys };
                let message = "{0} does not belong to {1}. Its keys are {2}, and {3}.";
                say(e.at, message, &[key, verb.word, own, COMMON]);
            }
        }
        if !verb.needs.is_empty() && t.get(verb.needs).is_none() {
            say(at, "{0} needs {1}.", &[verb.word, verb.needs]);
        }
        let (until, length) = (t.entry("until"), t.entry("for"));
        if !verb.lasts
            && let Some(e) = t.entries.iter().find(|e| e.key == "until" || e.key == "for")
        {
            say(e.at, "{0} happens at one instant; it has no {1}.", &[verb.word, &e.key]);
        }
        if until.is_some() && length.is_some() {
            say(at, "has both until and for. Keep one.", &[]);
        } else if t.get("every").is_some() && length.is_none() && verb.lasts {
            say(at, "every needs for: how long each time.", &[]);
        }
        true
    }

    /// The value of a verb.
    fn victim(&mut self, place: &Place, verb: &FaultVerb, e: &Entry) -> Option<Value> {
        if !verb.built {
            let message = "\"{0}\" is part of the language, but this version cannot run it yet. It can run: {1}.";
            let can = listed(&verb_words(true));
            self.wrong_key(Phase::Faults, place, e, message, &[verb.word, &can]).not_built = true;
        }
        let value = self.value(place, &verb.row(), e)?;
        if matches!(&value, Value::List(l) if l.is_empty()) {
            let path = place.join(verb.word);
            let place = Place { path: &path, ..*place };
            self.wrong(Phase::Faults, e.node.at, &place, "{0} names nobody.", &[verb.word]);
        }
        Some(value)
    }
}
