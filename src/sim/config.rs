//! Everything a run needs, resolved: one design of one scenario as data. The scenario reader builds it; the loop reads it.

use crate::base::{LockId, NodeId, PointKind, Span, Thread, TrueTime};
use crate::protocol::params::{ClientParams, Draw, LockParams, Program, ResourceParams};
pub use crate::trace::{Participant, Role, Roster};

/// One run, described.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SimConfig {
    /// Names and roles of all nodes: workers first, then lock nodes, then shards.
    pub roster: Roster,
    /// Clocks by node: rate in ppm and wall offset.
    pub clocks: Vec<ClockSpec>,
    pub network: LinkSpec,
    /// Overrides between pairs of nodes; a later one wins.
    pub links: Vec<LinkOverride>,
    /// By node id: `workers[i]` is node `i`.
    pub workers: Vec<WorkerSpec>,
    /// By `LockId`.
    pub locks: Vec<LockSpec>,
    /// In node order, after workers and lock nodes.
    pub shards: Vec<ShardSpec>,
    pub faults: Vec<FaultSpec>,
    pub horizon: TrueTime,
    pub seed: u64,
    /// The run is cut short after so many handled events.
    pub max_events: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockSpec {
    pub rate_ppm: i64,
    pub offset: Span,
}

/// What a link does to a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LinkSpec {
    pub one_way: Draw,
    /// Share of messages lost, in parts per million.
    pub loss_ppm: u32,
    /// No overtaking on one link.
    pub ordered: bool,
}

/// An override between `from` and `to`; what is `None` stays as it was.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LinkOverride {
    pub from: Vec<NodeId>,
    pub to: Vec<NodeId>,
    pub one_way: Option<Draw>,
    pub loss_ppm: Option<u32>,
    pub ordered: Option<bool>,
    /// Only from → to, not back.
    pub one_sided: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WorkerSpec {
    pub start: Moment,
    /// The process ends by itself after so long.
    pub life: Option<Draw>,
    pub program: Program,
    pub client: ClientParams,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LockSpec {
    /// Which nodes serve it; empty for a family without a server.
    pub nodes: Vec<NodeId>,
    pub params: LockParams,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ShardSpec {
    pub node: NodeId,
    pub params: ResourceParams,
}

/// When something in the story happens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Moment {
    /// At a true instant, so long after the start.
    At(Draw),
    /// `offset` after the worker's program (or its request at a node) passed a point for the n-th time.
    Point { offset: Span, worker: NodeId, point: PointKind, n: u32 },
}

/// When a fault ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Until {
    EndOfRun,
    Moment(Moment),
    For(Draw),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FaultSpec {
    pub name: Option<String>,
    pub verb: FaultVerb,
    pub at: Moment,
    pub until: Until,
    /// Again so long after the last beginning.
    pub every: Option<Draw>,
}

/// A process or node, or one of its threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    pub node: NodeId,
    /// `None`: all of it.
    pub thread: Option<Thread>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum FaultVerb {
    Pause {
        targets: Vec<Target>,
    },
    /// `loses`: comes back with a state so much older. `answers_error`: refuses instead of silence.
    Crash {
        targets: Vec<Target>,
        loses: Option<Span>,
        answers_error: bool,
    },
    Cut {
        from: Vec<NodeId>,
        to: Vec<NodeId>,
        one_sided: bool,
    },
    /// Nodes of different groups cannot reach each other; a node in no group reaches all.
    Partition {
        groups: Vec<Vec<NodeId>>,
    },
    Message(MessageFault),
    StepClock {
        nodes: Vec<NodeId>,
        by: Span,
    },
    DriftClock {
        nodes: Vec<NodeId>,
        rate_ppm: i64,
    },
    /// Another server answers for these locks from now on; `serves`: the old one is cut off and goes on.
    FailOver {
        locks: Vec<LockId>,
        serves: bool,
    },
    /// The record of this lock (`None`: of all) vanishes from the nodes.
    Evict {
        nodes: Vec<NodeId>,
        lock: Option<LockId>,
    },
    /// The services end the sessions and leases of these workers.
    Expire {
        workers: Vec<NodeId>,
        nodes: Vec<NodeId>,
    },
    /// The connections of these workers to the lock nodes break.
    Disconnect {
        workers: Vec<NodeId>,
    },
    /// The acquisition under way is not wanted any more.
    Cancel {
        workers: Vec<NodeId>,
    },
    /// A polite end.
    ShutDown {
        workers: Vec<NodeId>,
    },
}

/// What happens to some messages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MessageFault {
    pub what: MessageVerb,
    /// One bit per `Kind::index`.
    pub kinds: u32,
    /// `None`: from anybody. For a reply, `from` is still the node that sends it.
    pub from: Option<Vec<NodeId>>,
    pub to: Option<Vec<NodeId>>,
    /// Which of the worker's operations of that kind, from 1; `None`: all.
    pub nth: Option<Vec<u32>>,
    /// Whole time of the message, of the second copy, until the error, in the handler.
    pub takes: Option<Draw>,
    /// The failed operation had taken effect.
    pub applied: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MessageVerb {
    Delay,
    Drop,
    Duplicate,
    /// The sender gets an error; `applied` says whether it had taken effect.
    Fail,
    /// It waits in the receiver's handler; others are served meanwhile.
    Stall,
}
