//! The verbs of steps.

use super::meaning::of_verb;
use super::words_of;
use crate::base::Verb;
use crate::base::pieces::cut;

/// One verb of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepRow {
    pub verb: Verb,
    /// What may stand behind it, for a sentence, with commas: `lock` (one, or several joined by `+`), `shard` (a resource or one of its shards:
    /// `R`, `R.debit`), `name` (of an effect outside), `worker`, `time` (or a draw, or `forever`), `until <time>` (by the worker's own clock), and
    /// words with an `=`.
    pub takes: &'static str,
    /// Can this version run it?
    pub built: bool,
}

impl StepRow {
    /// May this word of `takes` stand behind the verb?
    pub fn takes(&self, what: &str) -> bool {
        words_of(self.takes).contains(&what)
    }

    /// What the verb acts on, if it acts on something.
    pub fn target(&self) -> Option<&'static str> {
        let first = words_of(self.takes).first().copied()?;
        ["lock", "shard", "name", "worker"].contains(&first).then_some(first)
    }

    /// The words before an `=` that it takes.
    pub fn keys(&self) -> Vec<&'static str> {
        let mut out = Vec::new();
        for word in words_of(self.takes) {
            if let Some((key, _)) = cut(word, "=") {
                out.push(key);
            }
        }
        out
    }

    /// One sentence.
    pub fn says(&self) -> &'static str {
        of_verb("steps", self.verb.word()).0
    }

    pub fn example(&self) -> &'static str {
        of_verb("steps", self.verb.word()).1
    }
}

/// Words with an `=` that this version cannot run.
pub const NOT_BUILT: [&str; 0] = [];

const fn now(verb: Verb, takes: &'static str) -> StepRow {
    StepRow { verb, takes, built: true }
}

const fn later(verb: Verb, takes: &'static str) -> StepRow {
    StepRow { verb, takes, built: false }
}

/// In the order of the reference.
pub const STEPS: &[StepRow] = &[
    now(Verb::Acquire, "lock, mode=, ttl=, patience="),
    now(Verb::Renew, "lock"),
    now(Verb::Release, "lock"),
    now(Verb::Abandon, "lock"),
    now(Verb::Upgrade, "lock"),
    now(Verb::Downgrade, "lock"),
    now(Verb::Check, ""),
    now(Verb::Activate, ""),
    now(Verb::Read, "shard"),
    now(Verb::Write, "shard, key=, base=none"),
    now(Verb::Delete, "shard, key="),
    now(Verb::Call, "name, key=, takes="),
    now(Verb::Issue, "shard, takes="),
    now(Verb::Begin, "shard"),
    now(Verb::Commit, "shard"),
    now(Verb::Work, "time"),
    now(Verb::Wait, "time, until <time>"),
    now(Verb::Reap, "lock, time"),
    now(Verb::Break, "lock, older="),
    later(Verb::Hand, "worker"),
    later(Verb::Receive, "worker"),
    now(Verb::Stop, ""),
];

pub fn step_row(word: &str) -> Option<&'static StepRow> {
    STEPS.iter().find(|r| r.verb.word() == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::step::Action;

    #[test]
    fn every_verb_has_a_row_and_its_example_is_a_step() {
        for verb in Verb::ALL {
            let row = step_row(verb.word()).unwrap();
            let action = Action::parse(row.example()).unwrap();
            assert_eq!(action.verb, verb);
            assert_eq!(action.to_string(), row.example());
        }
        assert_eq!(STEPS.len(), Verb::ALL.len());
    }
}
