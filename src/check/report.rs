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
    /// Nobody begins to believe without a grant that is alive.
    FalseAcquire,
    /// Numbers that are handed out grow.
    IssueRegress,
    /// Nothing stands that nobody uses.
    Leak,
    /// Nobody waits in a ring.
    Deadlock,
}

impl Property {
    pub const ALL: [Property; 18] = [
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
        Property::FalseAcquire,
        Property::IssueRegress,
        Property::Leak,
        Property::Deadlock,
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
            Property::FalseAcquire => "false-acquire",
            Property::IssueRegress => "issue-regress",
            Property::Leak => "leak",
            Property::Deadlock => "deadlock",
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
            Property::FalseAcquire => "Acquired means granted",
            Property::IssueRegress => "Numbers grow",
            Property::Leak => "Nothing left behind",
            Property::Deadlock => "Nobody waits in a ring",
        }
    }

    /// Says nothing where there is no lock at all: it is about grants, and about what workers think of them.
    pub const fn about_owners(self) -> bool {
        match self {
            Property::LostUpdate
            | Property::DuplicateEffect
            | Property::NoProgress
            | Property::MarkRegress
            | Property::IssueRegress => false,
            Property::StaleWrite
            | Property::NonOwnerWrite
            | Property::ForeignRelease
            | Property::ForeignRenewal
            | Property::BrokenPromise
            | Property::BeliefOverlap
            | Property::GrantOverlap
            | Property::LateSend
            | Property::TokenRegress
            | Property::SplitShards
            | Property::FalseAcquire
            | Property::Leak
            | Property::Deadlock => true,
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

/// Some of the properties, as bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PropertySet(u32);

impl PropertySet {
    pub const NONE: PropertySet = PropertySet(0);

    pub const fn with(self, p: Property) -> PropertySet {
        PropertySet(self.0 | 1 << p as u16)
    }

    pub const fn has(self, p: Property) -> bool {
        self.0 & (1 << p as u16) != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of either.
    pub const fn or(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 | other.0)
    }

    /// Those of both.
    pub const fn and(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 & other.0)
    }

    /// In the order of [`Property::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |p| self.has(*p))
    }
}

impl FromIterator<Property> for PropertySet {
    fn from_iter<I: IntoIterator<Item = Property>>(all: I) -> Self {
        all.into_iter().fold(PropertySet::NONE, PropertySet::with)
    }
}

/// A verdict without its words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    Holds,
    Violated,
    NotReached,
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
    /// Events that prove it, in order, ending with the one that broke it. For what did *not* happen (no progress), the event since
    /// which it was awaited.
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

/// The answers about one run without words: what a sweep needs, made without allocating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Summary {
    pub violated: PropertySet,
    /// Those that had something to judge.
    pub reached: PropertySet,
    /// Somebody was granted the lock at least once, or there is none.
    pub held: bool,
}

/// The answers about one run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// One per property, in the order of [`Property::ALL`].
    pub verdicts: Vec<(Property, Verdict)>,
    pub measures: Measures,
    /// Somebody was granted the lock at least once, or there is none.
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

/// What a run cost, over all and per worker. The definitions are those of [`super::measures`] and [`super::work`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// Time during which two or more workers believed that they held one lock, in all.
    pub belief_overlap: Span,
    /// Messages put on the wire, copies and lost ones included.
    pub messages: u32,
    /// Longest time from the end of a holder that crashed or stopped without a release to the next grant.
    pub recovery: Option<Span>,
    /// Time during which some worker waited for a lock while nobody used it: no believer, or only paused ones.
    pub blocked: Span,
    /// Work whose effect was accepted and then overwritten from an older base, and work for what somebody else had done already.
    pub work_twice: Span,
    /// Work whose effect never was accepted.
    pub work_wasted: Span,
    /// Accepted mutations, repetitions included.
    pub updates: u32,
    /// Of these, how many were overwritten by one computed from an older version.
    pub updates_lost: u32,
    /// Whose mutation was accepted last.
    pub last_writer: Option<NodeId>,
    /// By node id; workers come first in every roster.
    pub workers: Vec<WorkerMeasures>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkerMeasures {
    /// From each first request to its answer, summed; an unanswered one counts to the end of the worker or of the run.
    pub wait: Span,
    /// Time it believed that it held some lock.
    pub held: Span,
    pub end: WorkerEnd,
}

/// How a worker ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum WorkerEnd {
    #[default]
    NotStarted,
    /// In a step other than acquire, or between steps, when the run ended.
    Busy,
    /// All rounds done.
    Done,
    /// In an acquire when the run ended.
    Waiting,
    Stopped,
    Crashed,
    GaveUp,
}
