//! One entry of the log.

use crate::base::{Fact, Kind, LocalTime, Message, MsgId, NodeId, Span, Thread, TrueTime};

/// Position in the log, from 0. A cause always has a smaller one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EventSeq(pub u32);

/// Something that happened on one node at one true instant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TraceEvent {
    pub seq: EventSeq,
    /// The observer's time. No node can read it.
    pub at: TrueTime,
    pub node: NodeId,
    /// The node's wall clock at `at`.
    pub local: LocalTime,
    /// The event without which this one would not have happened now: the arrival that a fact answers, the sending that an arrival
    /// completes, the timer's setting that a wake-up completes. `None` for what the story itself does.
    pub cause: Option<EventSeq>,
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EventKind {
    /// The node put a message on the wire.
    Sent {
        msg: MsgId,
        to: NodeId,
        what: Message,
        fate: Fate,
    },
    /// It reached the node (a paused node has it queued and looks at it later).
    Arrived {
        msg: MsgId,
        from: NodeId,
        what: Message,
    },
    /// It will never be handled. On the sender's node when it was lost on the way, on the receiver's when that was down.
    Lost {
        msg: MsgId,
        from: NodeId,
        to: NodeId,
        kind: Kind,
        why: LostWhy,
    },
    /// A protocol, a worker or a resource did something.
    Did(Fact),
    /// No local step from here on, of one thread or (`None`) of all.
    Paused {
        thread: Option<Thread>,
    },
    /// `since` is when the pause began.
    Resumed {
        thread: Option<Thread>,
        since: TrueTime,
    },
    /// Volatile state is gone. `thread`: only that thread ended.
    Crashed {
        thread: Option<Thread>,
    },
    Restarted,
    ClockStepped {
        by: Span,
    },
    ClockRateSet {
        ppm: i64,
    },
    /// Messages sent between this node and `peer` are lost from here on.
    CutFrom {
        peer: NodeId,
    },
    /// The link to `peer` works again.
    Healed {
        peer: NodeId,
    },
    /// It answers for its service from now on: a replica that is the primary, a member that leads.
    Promoted,
    /// Its connections break; only the servers at the other end are told.
    Disconnected,
}

/// What the network was told to do with a message when it was sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fate {
    /// The link's ordinary latency.
    Plain,
    /// A fault set its time.
    Delayed,
    /// It is a second copy of another message.
    Copy { of: MsgId },
    /// It will not arrive.
    Lost,
}

/// Why a message is never handled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LostWhy {
    /// The link loses some share of its messages.
    Loss,
    /// A fault dropped it.
    Dropped,
    /// The link was cut when it was sent.
    Cut,
    /// The receiver was down when it arrived.
    Down,
    /// Its sender ended before it had left it: a change that no replica had heard of.
    Gone,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    pub at: TrueTime,
    pub why: EndWhy,
}

/// Why a run ended. Every run does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EndWhy {
    /// Nothing was left to happen.
    Quiet,
    /// The story's horizon was reached with things still going on.
    Horizon,
    /// The limit on events was reached: the run is cut short, and liveness cannot be judged.
    Events,
}
