//! What checkers answer.

use crate::base::{NodeId, Span, TrueTime};
use crate::trace::EventSeq;
use std::fmt;

/// What can be asked of a run. The first eight are judged unless a story says otherwise; the others are notes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Property {
    /// STALE: on one shard, after a mutation of a grant, none of an earlier grant.
    StaleWrite,
    /// OWNER: every accepted mutation carries the latest grant.
    NonOwnerWrite,
    /// LOST: a mutation computed from version v is accepted only while the current version is v.
    LostUpdate,
    /// REL: a release issued for a grant changes only that grant.
    ForeignRelease,
    /// EXT: an extension issued for a grant changes only that grant.
    ForeignRenewal,
    /// ONCE: each logical operation changes the resource at most once.
    DuplicateEffect,
    /// KEEP: no other grant starts before the promised end.
    BrokenPromise,
    /// PROG: a healthy requester is granted in bounded time.
    NoProgress,

    /// MX-B: no two workers believe at once. Informational: no lease has it without timing assumptions.
    BeliefOverlap,
    /// MX-S: no two grants of one lock overlap at the service.
    GrantOverlap,
    /// STOP: no protected request is sent after the client's own deadline by its own clock.
    LateSend,
    /// TOKEN: later grants carry higher tokens.
    TokenRegress,
    /// HWM: a shard's mark never decreases.
    MarkRegress,
    /// AGREE: all or none of one grant's mutations follow another grant's activation.
    SplitShards,
}

impl Property {
    pub const ALL: [Property; 14] = [
        Property::StaleWrite,
        Property::NonOwnerWrite,
        Property::LostUpdate,
        Property::ForeignRelease,
        Property::ForeignRenewal,
        Property::DuplicateEffect,
        Property::BrokenPromise,
        Property::NoProgress,
        Property::BeliefOverlap,
        Property::GrantOverlap,
        Property::LateSend,
        Property::TokenRegress,
        Property::MarkRegress,
        Property::SplitShards,
    ];

    /// What a story judges unless it says otherwise.
    pub const JUDGED: [Property; 8] = [
        Property::StaleWrite,
        Property::NonOwnerWrite,
        Property::LostUpdate,
        Property::ForeignRelease,
        Property::ForeignRenewal,
        Property::DuplicateEffect,
        Property::BrokenPromise,
        Property::NoProgress,
    ];

    /// The word in scenario files, JSON and links.
    pub const fn word(self) -> &'static str {
        match self {
            Property::StaleWrite => "stale-write",
            Property::NonOwnerWrite => "non-owner-write",
            Property::LostUpdate => "lost-update",
            Property::ForeignRelease => "foreign-release",
            Property::ForeignRenewal => "foreign-renewal",
            Property::DuplicateEffect => "duplicate-effect",
            Property::BrokenPromise => "broken-promise",
            Property::NoProgress => "no-progress",
            Property::BeliefOverlap => "belief-overlap",
            Property::GrantOverlap => "grant-overlap",
            Property::LateSend => "late-send",
            Property::TokenRegress => "token-regress",
            Property::MarkRegress => "mark-regress",
            Property::SplitShards => "split-shards",
        }
    }

    /// The promise, as a column head of the verdict table.
    pub const fn promise(self) -> &'static str {
        match self {
            Property::StaleWrite => "No stale write",
            Property::NonOwnerWrite => "Only the owner writes",
            Property::LostUpdate => "No lost update",
            Property::ForeignRelease => "Own release only",
            Property::ForeignRenewal => "Own renewal only",
            Property::DuplicateEffect => "Each effect once",
            Property::BrokenPromise => "Leases last as promised",
            Property::NoProgress => "Work goes on",
            Property::BeliefOverlap => "One believer at a time",
            Property::GrantOverlap => "One grant at a time",
            Property::LateSend => "Nothing sent too late",
            Property::TokenRegress => "Tokens grow",
            Property::MarkRegress => "The mark never falls",
            Property::SplitShards => "All shards or none",
        }
    }

    pub fn from_word(word: &str) -> Option<Property> {
        Property::ALL.into_iter().find(|p| p.word() == word)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A broken promise of the simulated design.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub property: Property,
    /// When it was broken for the first time.
    pub at: TrueTime,
    /// For what lasts (overlapping beliefs), how long in all.
    pub length: Option<Span>,
    /// One plain sentence: who, when, by whose clock, what should have held.
    pub sentence: String,
    /// Events that prove it, in order, ending with the one that broke it.
    pub witnesses: Vec<EventSeq>,
}

/// The answer about one property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Holds,
    Violated(Violation),
    /// The run never came to where it could be judged (nobody was ever granted the lock, nothing was written, the run was cut short).
    NotReached,
}

impl Verdict {
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Verdict::Violated(v) => Some(v),
            _ => None,
        }
    }
}

/// The answers about one run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// One per property, in the order of [`Property::ALL`].
    pub verdicts: Vec<(Property, Verdict)>,
    pub measures: Measures,
    /// Somebody was granted the lock at least once.
    pub held: bool,
}

impl Report {
    pub fn verdict(&self, p: Property) -> &Verdict {
        self.verdicts.iter().find(|(q, _)| *q == p).map_or(&Verdict::NotReached, |(_, v)| v)
    }

    pub fn violated(&self, p: Property) -> bool {
        matches!(self.verdict(p), Verdict::Violated(_))
    }
}

/// What a run cost, over all and per worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// Time during which two or more workers believed, in all.
    pub belief_overlap: Span,
    /// Messages put on the wire.
    pub messages: u32,
    /// Longest time from the end of a holder that never came back to the next grant.
    pub recovery: Option<Span>,
    /// Time during which some worker waited for the lock while nobody used it.
    pub blocked: Span,
    /// Work whose effect was lost or done again by somebody.
    pub work_twice: Span,
    /// Work whose effect never was accepted.
    pub work_wasted: Span,
    /// Accepted mutations whose effect was overwritten from an older base.
    pub updates_lost: u32,
    /// Who wrote last.
    pub last_writer: Option<NodeId>,
    pub workers: Vec<WorkerMeasures>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkerMeasures {
    /// From each first request to its belief, summed; an unanswered one counts to the end.
    pub wait: Span,
    /// Time it believed, summed.
    pub held: Span,
    pub end: WorkerEnd,
}

/// How a worker ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum WorkerEnd {
    #[default]
    NotStarted,
    /// Still in a step other than acquire when the run ended.
    Busy,
    /// All rounds done.
    Done,
    /// In an acquire when the run ended.
    Waiting,
    Stopped,
    Crashed,
    GaveUp,
}
