//! What happens at one instant: the raw material of notes, beats, chips and lists.

use super::sequence::BarEnd;
use crate::base::fact::StopWhy;
use crate::base::message::{Reject, Topic};
use crate::base::{AcqId, LockId, NodeId, Span, Thread, TrueTime};
use crate::trace::EventSeq;

/// Something that happened at one instant on one node.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    pub at: TrueTime,
    pub seq: EventSeq,
    pub node: NodeId,
    pub what: What,
}

#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// A worker asks for a lock and did not just before (a first try).
    Asks {
        lock: LockId,
        answer: Asked,
    },
    /// It still waits when the run ends.
    StillWaits,
    Granted {
        lock: LockId,
        acq: AcqId,
        worker: NodeId,
        after: Option<NodeId>,
    },
    LeaseEnds {
        lock: LockId,
        acq: AcqId,
        worker: NodeId,
        end: BarEnd,
    },
    CounterLost {
        from: u64,
        to: u64,
    },
    Pauses {
        thread: Option<Thread>,
        until: Option<TrueTime>,
    },
    Wakes {
        thread: Option<Thread>,
    },
    Crashes {
        thread: Option<Thread>,
    },
    /// It answers for its service from now on.
    Leads,
    Restarts {
        empty: bool,
    },
    ClockStep(Span),
    ClockRate(i64),
    TimedOut {
        topic: Topic,
    },
    Ignored {
        topic: Topic,
    },
    Stops {
        why: StopWhy,
    },
    /// It has heard nothing of its session for too long, or hears of it again.
    Touch {
        lost: bool,
    },
    /// The worker checked its deadline and found itself in time.
    ChecksInTime {
        acq: AcqId,
    },
    /// The first read at a shard.
    FirstRead {
        version: u64,
    },
    Writes(Written),
    Rejected {
        worker: NodeId,
        why: Reject,
        activation: bool,
        rightful: bool,
        kept: Option<NodeId>,
    },
    Replayed {
        worker: NodeId,
    },
    Activated {
        worker: NodeId,
        mark: Option<u64>,
    },
    Called {
        worker: NodeId,
        again: bool,
    },
    /// A renewal prolonged somebody else's lease.
    ExtendsForeign {
        worker: NodeId,
        holder: Option<NodeId>,
    },
    /// A late release or renewal that found nothing of its own, while somebody else held the lock.
    LeftAlone {
        worker: NodeId,
        holder: NodeId,
        renewal: bool,
    },
    /// A shard's mark fell, or was forgotten (`None`).
    MarkFell {
        to: Option<u64>,
    },
    /// A guard in two steps said yes; the effect comes later.
    CheckPassed {
        worker: NodeId,
    },
    /// An entry that waited is gone with its session.
    Unqueued,
    /// Its connections break.
    Disconnects,
    /// A number was handed out; `again`: one that is not higher than all before.
    Issued {
        worker: NodeId,
        number: u64,
        again: bool,
    },
    /// A write that was kept for a commit is thrown away.
    RolledBack {
        worker: NodeId,
    },
}

/// What a worker learned from its first try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    Granted,
    Refused,
    Nothing,
}

/// A mutation that took effect.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    pub worker: NodeId,
    pub acq: Option<AcqId>,
    pub base: Option<u64>,
    pub version: u64,
    /// The shard's mark moved to this with it.
    pub mark: Option<u64>,
    pub wrong: Option<Wrong>,
}

/// What is wrong with an accepted mutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It was computed from an older version: this worker's write is gone.
    Lost(NodeId),
    /// The same operation had taken effect before.
    Again,
    /// It comes after a mutation of a later grant, by this worker.
    After(NodeId),
    /// This worker has the latest grant.
    NotOwner(NodeId),
}

impl What {
    /// It is drawn at its own instant, so that instant must be a knot of the axis.
    pub(super) fn has_row(&self) -> bool {
        !matches!(
            self,
            What::Asks { .. }
                | What::StillWaits
                | What::ChecksInTime { .. }
                | What::Ignored { .. }
                | What::LeftAlone { .. }
        )
    }
}
