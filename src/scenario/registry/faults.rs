//! Faults: one verb each, and when, which message, how.

use super::meaning::of_verb;
use super::{Row, Section, Type, Word, later, w, words_of};

/// What the value of a verb names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Victim {
    /// Processes, threads, nodes, resources.
    Targets,
    Names,
    Groups,
    Kinds,
    /// Lock nodes.
    LockNodes,
    Workers,
}

/// One verb of a fault.
#[derive(Clone, Copy, Debug)]
pub struct FaultVerb {
    pub word: &'static str,
    pub victim: Victim,
    /// Keys of its own, beside those of every fault; with commas.
    pub keys: &'static str,
    /// The key of its own that it cannot do without, if there is one.
    pub needs: &'static str,
    /// Lasts from `at` to `until`; otherwise it happens at `at`.
    pub lasts: bool,
    pub built: bool,
}

const fn verb(word: &'static str, victim: Victim, keys: &'static str) -> FaultVerb {
    FaultVerb { word, victim, keys, needs: "", lasts: true, built: true }
}

impl FaultVerb {
    /// Is this one of its own keys?
    pub fn has(&self, key: &str) -> bool {
        words_of(self.keys).contains(&key)
    }

    /// One sentence.
    pub fn says(&self) -> &'static str {
        of_verb("faults", self.word).0
    }

    /// A line of TOML.
    pub fn example(&self) -> &'static str {
        of_verb("faults", self.word).1
    }

    /// The row of its value: whom it strikes, or which messages.
    pub fn row(&self) -> Row {
        let ty = match self.victim {
            Victim::Kinds => Type::Kinds,
            Victim::Groups => Type::Groups,
            _ => Type::Names,
        };
        Row::new(Section::Fault, self.word, ty)
    }

    const fn needs(mut self, needs: &'static str) -> FaultVerb {
        self.needs = needs;
        self
    }

    const fn sudden(mut self) -> FaultVerb {
        self.lasts = false;
        self
    }

    const fn later(mut self) -> FaultVerb {
        self.built = false;
        self
    }
}

/// Keys that every fault may have.
pub const COMMON: &str = "at, until, for, every, name";

pub const VERBS: &[FaultVerb] = &[
    verb("pause", Victim::Targets, ""),
    verb("crash", Victim::Targets, "loses, answers"),
    verb("cut", Victim::Names, "to, one_sided"),
    verb("partition", Victim::Groups, ""),
    verb("delay", Victim::Kinds, "from, to, nth, takes").needs("takes"),
    verb("drop", Victim::Kinds, "from, to, nth"),
    verb("duplicate", Victim::Kinds, "from, to, nth, takes"),
    verb("fail", Victim::Kinds, "from, to, nth, takes, applied"),
    verb("stall", Victim::Kinds, "from, to, nth, takes").needs("takes"),
    verb("step_clock", Victim::Names, "by").needs("by").sudden(),
    verb("drift_clock", Victim::Names, "rate").needs("rate"),
    verb("fail_over", Victim::LockNodes, "old").sudden(),
    verb("evict", Victim::LockNodes, "lock_name").sudden(),
    verb("expire", Victim::Workers, "lock_name").sudden(),
    verb("disconnect", Victim::Workers, "").sudden(),
    verb("change_identity", Victim::Workers, "").sudden().later(),
    verb("cancel", Victim::Workers, "").sudden(),
    verb("shut_down", Victim::Workers, "").sudden(),
];

/// Every verb, or those that this version can run.
pub fn verb_words(built_only: bool) -> Vec<&'static str> {
    let mut out = Vec::new();
    for v in VERBS {
        if v.built || !built_only {
            out.push(v.word);
        }
    }
    out
}

#[inline(never)]
pub fn fault_verb(word: &str) -> Option<&'static FaultVerb> {
    VERBS.iter().find(|v| v.word == word)
}

/// Message kinds; most exist with `-reply` as well.
pub const KINDS: &[Word] = &[
    w("acquire"),
    w("renew"),
    w("release"),
    w("read"),
    w("write"),
    w("activate"),
    w("call"),
    w("commit"),
    w("break"),
    w("ask"),
    w("ping"),
    w("notify"),
    later("replicate"),
    w("withdraw"),
    w("any"),
];

/// Kinds without a reply of their own.
pub const NO_REPLY: [&str; 4] = ["ping", "notify", "replicate", "any"];
