//! The verbs of steps.

use crate::base::Verb;

/// What may stand behind a verb.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// One lock, or several joined by `+`.
    Lock,
    /// A resource or one of its shards: `R`, `R.debit`.
    Shard,
    /// The name of an effect outside.
    Name,
    Worker,
    /// A time, a draw or `forever`.
    Time,
    /// `until` and a reading of the worker's own clock.
    Until,
    Mode,
    Ttl,
    Patience,
    Key,
    Base,
    Takes,
    Older,
}

impl Arg {
    /// For a sentence.
    pub const fn word(self) -> &'static str {
        match self {
            Arg::Lock => "lock",
            Arg::Shard => "shard",
            Arg::Name => "name",
            Arg::Worker => "worker",
            Arg::Time => "time",
            Arg::Until => "until <time>",
            Arg::Mode => "mode=",
            Arg::Ttl => "ttl=",
            Arg::Patience => "patience=",
            Arg::Key => "key=",
            Arg::Base => "base=none",
            Arg::Takes => "takes=",
            Arg::Older => "older=",
        }
    }

    /// The word before the `=`.
    pub const fn key(self) -> Option<&'static str> {
        match self {
            Arg::Mode => Some("mode"),
            Arg::Ttl => Some("ttl"),
            Arg::Patience => Some("patience"),
            Arg::Key => Some("key"),
            Arg::Base => Some("base"),
            Arg::Takes => Some("takes"),
            Arg::Older => Some("older"),
            _ => None,
        }
    }

    /// Can this version run it?
    pub const fn built(self) -> bool {
        !matches!(self, Arg::Mode | Arg::Takes | Arg::Older)
    }
}

/// One verb of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepRow {
    pub verb: Verb,
    pub takes: &'static [Arg],
    /// Can this version run it?
    pub built: bool,
    /// One sentence.
    pub says: &'static str,
    pub example: &'static str,
}

impl StepRow {
    /// "lock, ttl=, patience=", or "nothing".
    pub fn takes_words(&self) -> String {
        if self.takes.is_empty() {
            return "nothing".to_string();
        }
        let words: Vec<&str> = self.takes.iter().map(|a| a.word()).collect();
        words.join(", ")
    }
}

const fn now(verb: Verb, takes: &'static [Arg], says: &'static str, example: &'static str) -> StepRow {
    StepRow { verb, takes, built: true, says, example }
}

const fn later(verb: Verb, takes: &'static [Arg], says: &'static str, example: &'static str) -> StepRow {
    StepRow { verb, takes, built: false, says, example }
}

/// In the order of the reference.
pub const STEPS: &[StepRow] = &[
    now(
        Verb::Acquire,
        &[Arg::Lock, Arg::Mode, Arg::Ttl, Arg::Patience],
        "Ask until held; `ttl=` and `patience=` are of this one only.",
        "acquire main ttl=5s",
    ),
    now(Verb::Renew, &[Arg::Lock], "Extend the lease by hand.", "renew"),
    now(Verb::Release, &[Arg::Lock], "Give the lock back.", "release"),
    now(Verb::Abandon, &[Arg::Lock], "Stop using it and tell nobody.", "abandon"),
    later(Verb::Upgrade, &[Arg::Lock], "From a read lock to a write lock.", "upgrade"),
    later(Verb::Downgrade, &[Arg::Lock], "From a write lock to a read lock.", "downgrade"),
    now(
        Verb::Check,
        &[],
        "Marks where the deadline is looked at; a worker that has one has no automatic ones. The design decides whether it does anything.",
        "check",
    ),
    now(
        Verb::Activate,
        &[],
        "Marks where the token is announced to the shards; a worker that has one has no automatic one. The design decides whether it does anything.",
        "activate",
    ),
    now(Verb::Read, &[Arg::Shard], "Read one shard.", "read R.debit"),
    now(
        Verb::Write,
        &[Arg::Shard, Arg::Key, Arg::Base],
        "Write one shard; its base is the last read, or none. `key=` is a business key, in which `{round}` counts.",
        "write R.debit key=slot-{round}",
    ),
    now(Verb::Delete, &[Arg::Shard, Arg::Key], "Delete one shard.", "delete R"),
    now(
        Verb::Call,
        &[Arg::Name, Arg::Key, Arg::Takes],
        "An effect outside that nothing but a key can check.",
        "call mail key=job-42",
    ),
    later(
        Verb::Issue,
        &[Arg::Name, Arg::Key, Arg::Takes],
        "Hand out the number after the value last read.",
        "issue number",
    ),
    later(Verb::Begin, &[Arg::Shard], "Writes from here take effect at the commit.", "begin"),
    later(Verb::Commit, &[Arg::Shard], "End of a transaction.", "commit"),
    now(Verb::Work, &[Arg::Time], "Busy for so long; extensions run between slices of it.", "work 1s"),
    now(
        Verb::Wait,
        &[Arg::Time, Arg::Until],
        "Idle for so long, or until the own clock shows a time.",
        "wait until 20s",
    ),
    later(
        Verb::Reap,
        &[Arg::Lock, Arg::Time],
        "Go on when the lock's record was unchanged for so long by the own clock.",
        "reap 5min",
    ),
    now(Verb::Break, &[Arg::Lock, Arg::Older], "Remove the lock, whoever has it: an administrator.", "break"),
    later(Verb::Hand, &[Arg::Worker], "Pass the hold to another worker.", "hand W2"),
    later(Verb::Receive, &[Arg::Worker], "Wait for a hold to be passed.", "receive W1"),
    now(Verb::Stop, &[], "End here, without the rest.", "stop"),
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
            let action = Action::parse(row.example).unwrap();
            assert_eq!(action.verb, verb);
            assert_eq!(action.to_string(), row.example);
        }
        assert_eq!(STEPS.len(), Verb::ALL.len());
    }
}
