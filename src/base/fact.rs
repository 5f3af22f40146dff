//! What nodes do that an observer can see: the vocabulary of the log, of every checker and of every picture.
//!
//! A *grant* is what a service did; a *belief* is what a worker thinks. Commands are imperative, facts are past tense. A handler
//! emits facts; the loop stamps them with true time, the node's local time and their cause.

use super::clock::ClockKind;
use super::id::{AcqId, LockId, NodeId, OpKey, OwnerId};
use super::message::{Reject, Topic};
use super::point::PointKind;
use super::time::{LocalTime, Span, TrueTime};
use super::token::Token;
use std::hash::{Hash, Hasher};

/// One observable fact about the node it happened on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fact {
    // --- at a lock service: truth about ownership
    /// A record was stored for this acquisition (a quorum: the deciding vote), or an old one came back with a server.
    Granted(Grant),
    Refused {
        lock: LockId,
        acq: AcqId,
        worker: NodeId,
    },
    /// The record of `acq` got a new end, by a request issued for `by`.
    Extended {
        lock: LockId,
        acq: AcqId,
        by: AcqId,
        worker: NodeId,
        ttl: Option<Span>,
        margin: Span,
        /// True instant at which the extension was sent. Filled in by the loop: handlers cannot see it.
        asked: TrueTime,
        until: Option<LocalTime>,
    },
    NotExtended {
        lock: LockId,
        by: AcqId,
        worker: NodeId,
    },
    /// The record of `acq` was deleted by a request issued for `by` (`None`: an administrator).
    Released {
        lock: LockId,
        acq: AcqId,
        by: Option<AcqId>,
    },
    /// A release found nothing of its own.
    NotHeld {
        lock: LockId,
        by: AcqId,
        worker: NodeId,
    },
    /// The record ran out by the service's clock.
    Expired {
        lock: LockId,
        acq: AcqId,
    },
    /// The record vanished without anybody's request: a crash without durability, an eviction, a fail-over.
    Forgotten {
        lock: LockId,
        acq: AcqId,
    },
    /// The service's token counter fell from one value to a lower one.
    CounterLost {
        lock: LockId,
        from: u64,
        to: u64,
    },

    // --- at a worker: opinion, and progress of its program
    /// The program passed a point; `n` counts this kind at this worker. Points at other nodes are found by their own facts.
    Passed {
        point: PointKind,
        n: u32,
    },
    Believed {
        lock: LockId,
        acq: AcqId,
        token: Option<Token>,
        /// The worker's own deadline, on its clock of the given kind; `None` if it has none.
        until: Option<LocalTime>,
        clock: ClockKind,
    },
    /// The belief got a new deadline.
    Reckoned {
        lock: LockId,
        acq: AcqId,
        until: Option<LocalTime>,
    },
    BeliefEnded {
        lock: LockId,
        acq: AcqId,
        why: Loss,
    },
    /// The worker looked at its deadline (or asked) before an effect.
    Checked {
        acq: AcqId,
        valid: bool,
    },
    /// A call ran into its time-out: its outcome is unknown, it may still take effect.
    TimedOut {
        topic: Topic,
    },
    /// An answer to a call that had already ended was thrown away.
    Ignored {
        topic: Topic,
    },
    /// An attempt to get the lock ended without it.
    TryFailed {
        lock: LockId,
        acq: AcqId,
        why: TryEnd,
    },
    Stopped {
        why: StopWhy,
    },
    /// All steps of all rounds done.
    Finished,

    // --- at a resource
    ReadServed {
        worker: NodeId,
        acq: Option<AcqId>,
        version: u64,
    },
    /// A mutation took effect.
    Applied(Effect),
    Rejected {
        worker: NodeId,
        acq: Option<AcqId>,
        op: OpKey,
        token: Option<Token>,
        why: Reject,
    },
    /// The first outcome of this operation was returned again; nothing changed.
    Replayed {
        worker: NodeId,
        acq: Option<AcqId>,
        op: OpKey,
    },
    /// A guard in two steps: the check passed, the effect comes later.
    CheckPassed {
        worker: NodeId,
        acq: Option<AcqId>,
        op: OpKey,
    },
    Activated {
        worker: NodeId,
        acq: Option<AcqId>,
        token: Option<Token>,
    },
    ActivationRejected {
        worker: NodeId,
        acq: Option<AcqId>,
        why: Reject,
    },
    /// The shard's high-water mark changed. A mark that falls is a broken promise of the resource (HWM).
    MarkMoved {
        from: Option<Token>,
        to: Option<Token>,
    },
    /// An effect outside the resource was carried out.
    Called {
        worker: NodeId,
        acq: Option<AcqId>,
        op: OpKey,
    },
    /// A read did not pass the fence.
    ReadRejected {
        worker: NodeId,
        acq: Option<AcqId>,
        why: Reject,
    },

    // --- at a node of a quorum
    /// A node of a quorum stored a record for this acquisition, or gave it a new end. Whether there is a grant is for the majority.
    Voted(Grant),
    /// A node of a quorum has no record for this acquisition any more.
    VoteEnded {
        lock: LockId,
        acq: AcqId,
        why: VoteEnd,
    },

    // --- at a service of sessions
    /// An entry was stored behind others; no grant yet.
    Queued {
        lock: LockId,
        acq: AcqId,
        worker: NodeId,
        /// Whose entry is next before it.
        behind: AcqId,
    },
    /// The session of an entry that waits got a new end.
    Kept {
        lock: LockId,
        acq: AcqId,
        worker: NodeId,
        until: Option<LocalTime>,
    },
    /// An entry that waited is gone.
    Unqueued {
        lock: LockId,
        acq: AcqId,
        why: VoteEnd,
    },
    /// A worker has not heard of its service for too long; whether its session lives it does not know.
    Suspended,
    /// It hears of it again, and its session is alive.
    Reconnected,
    // --- at a resource with transactions
    /// A mutation inside a transaction is kept for the commit.
    Staged {
        worker: NodeId,
        acq: Option<AcqId>,
        op: OpKey,
    },
    /// The record of `acq` went with the connection that it was bound to; longer than that nobody had promised it.
    Closed {
        lock: LockId,
        acq: AcqId,
    },
    /// A kept mutation is thrown away: another one of its transaction was refused, or the resource crashed.
    RolledBack {
        worker: NodeId,
        acq: Option<AcqId>,
        op: OpKey,
    },

    // --- at an issuer
    /// A number was handed out.
    Issued {
        worker: NodeId,
        acq: Option<AcqId>,
        number: u64,
    },
    /// A number was turned back.
    IssueRejected {
        worker: NodeId,
        acq: Option<AcqId>,
        number: u64,
        why: Reject,
    },

    // --- at a lock service that counts
    /// The holder of `acq` was let in once more, by a request issued for `by`: the record has a new end, and perhaps a new token.
    Reentered {
        lock: LockId,
        acq: AcqId,
        by: AcqId,
        worker: NodeId,
        token: Option<Token>,
        /// How often it is in now.
        holds: u16,
        ttl: Option<Span>,
        margin: Span,
        /// True instant at which that was asked for. Filled in by the loop: handlers cannot see it.
        asked: TrueTime,
        until: Option<LocalTime>,
    },
    /// A release issued for `by` was counted, and the record of `acq` stays: its holder is in `holds` times still.
    CountedDown {
        lock: LockId,
        acq: AcqId,
        by: AcqId,
        holds: u16,
    },
    // --- at a store without a clock
    /// The record of `acq`, which its owner had not given back, was replaced by one for `by`: whoever asked for that took it for dead.
    TakenOver {
        lock: LockId,
        acq: AcqId,
        by: AcqId,
    },
}

/// Beside whom a grant may be in force.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Share {
    /// Beside nobody.
    #[default]
    Alone,
    /// Beside other readers.
    Read,
    /// One of so many permits.
    Permit(u16),
}

impl Share {
    /// May the two be in force at once, as far as that does not depend on how many there are?
    pub fn allows(self, other: Share) -> bool {
        self != Share::Alone && std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

/// A grant as the service stored it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grant {
    pub lock: LockId,
    pub acq: AcqId,
    pub worker: NodeId,
    pub owner: OwnerId,
    pub token: Option<Token>,
    /// Length as asked for; `None` never ends.
    pub ttl: Option<Span>,
    /// What the client deducts: the promise it may rely on is shorter by this.
    pub margin: Span,
    /// True instant at which the acquisition was sent. Filled in by the loop: handlers cannot see it.
    pub asked: TrueTime,
    /// End by the service's own clock.
    pub until: Option<LocalTime>,
    pub share: Share,
}

/// A grant beside nobody is as it was before there were others.
impl Hash for Grant {
    fn hash<H: Hasher>(&self, h: &mut H) {
        let Grant { lock, acq, worker, owner, token, ttl, margin, asked, until, share } = self;
        (lock, acq, worker, owner, token, ttl, margin, asked, until).hash(h);
        if *share != Share::Alone {
            share.hash(h);
        }
    }
}

/// Why a node of a quorum no longer holds a record, or a line an entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VoteEnd {
    /// By a request issued for `by` (`None`: an administrator).
    Released {
        by: Option<AcqId>,
    },
    Expired,
    /// It vanished without anybody's request.
    Forgotten,
}

/// A mutation as the resource applied it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect {
    pub worker: NodeId,
    pub acq: Option<AcqId>,
    pub op: OpKey,
    pub token: Option<Token>,
    /// Version it was computed from; `None` is a blind write.
    pub base: Option<u64>,
    /// Version before and after.
    pub before: u64,
    pub after: u64,
}

/// Why a belief ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Loss {
    /// The worker sent its release.
    Released,
    /// The worker noticed that its own deadline has passed.
    Deadline,
    /// The service refused an extension.
    Refused,
    /// The resource refused the worker.
    Rejected,
    /// No extension succeeded for too long.
    Unrenewed,
    /// The worker stopped for another reason, or its program ended.
    Ended,
    /// For readers of a log: a worker that crashes tells nothing any more, so no log contains it.
    Crashed,
    Abandoned,
}

/// Why a try for the lock ended without it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TryEnd {
    /// The service refused, or its grant came too late to be of use.
    Refused,
    /// Unknown: the request may still be carried out.
    TimedOut,
    Failed,
    /// Nobody waits any more: out of patience, or of attempts. Told after what became of the last try.
    GaveUp,
    /// The caller cancelled it.
    Cancelled,
}

/// Why a worker stopped for good.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StopWhy {
    /// Its own deadline has passed.
    Deadline,
    /// It learned that it lost the lease.
    LostLease,
    /// The resource refused it.
    Rejected,
    /// It ran out of attempts or of patience.
    GaveUp,
    /// An error, and its policy is to fail.
    Failed,
    /// A `stop` step, or the end of its life.
    Ended,
}

impl Fact {
    /// Fills in the true instant at which the request behind this fact was sent. Only the loop knows it.
    pub fn with_asked(mut self, at: TrueTime) -> Fact {
        match &mut self {
            Fact::Granted(g) | Fact::Voted(g) => g.asked = at,
            Fact::Extended { asked, .. } | Fact::Reentered { asked, .. } => *asked = at,
            _ => {}
        }
        self
    }
}
