//! A worker's program: its steps, compiled.

use super::{Draw, Locks};
use crate::base::message::Mode;
use crate::base::{LockId, NodeId, Span};

/// A worker's steps, compiled: a flat list with jumps.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Program {
    pub ops: Vec<Op>,
    /// How often the list runs; `None`: for ever.
    pub rounds: Option<u32>,
    /// Pause between the end of a round and the next.
    pub gap: Option<Draw>,
    /// Rounds begin on this grid; a busy round skips a beat.
    pub every: Option<Draw>,
}

/// One step, or a jump.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Ask until held. `ttl`, `patience`: of this one only.
    Acquire {
        lock: LockId,
        ttl: Option<Option<Span>>,
        patience: Option<Draw>,
    },
    Renew {
        lock: LockId,
    },
    Release {
        lock: LockId,
    },
    /// Stop using it and tell nobody.
    Abandon {
        lock: LockId,
    },
    Check,
    Activate,
    Read {
        shard: NodeId,
    },
    /// `blind`: without a base.
    Write {
        shard: NodeId,
        key: Option<Key>,
        blind: bool,
    },
    Delete {
        shard: NodeId,
        key: Option<Key>,
    },
    /// An effect outside the resource, at the node `shard`, that is done so long after the request's arrival.
    Call {
        shard: NodeId,
        key: Option<Key>,
        takes: Option<Draw>,
    },
    /// Busy; `None`: for ever.
    Work {
        length: Option<Draw>,
    },
    /// Idle; `None`: for ever.
    Wait {
        length: Option<Draw>,
    },
    /// Idle until the worker's own clock shows this.
    WaitUntil {
        reading: Span,
    },
    /// Remove the lock, whoever has it; `older`: only if its stamp is as old as that.
    Break {
        lock: LockId,
        older: Option<Span>,
    },
    Stop,
    /// Start of a block that runs `times` times (`None`: for ever); `end` is the index of its [`Op::LoopEnd`].
    LoopBegin {
        times: Option<u32>,
        every: Option<Draw>,
        end: u16,
    },
    LoopEnd {
        begin: u16,
    },
    /// Writes to these nodes, the parts of one resource, take effect at the commit from here on.
    Begin {
        first: NodeId,
        last: NodeId,
    },
    /// They do, on all shards of a resource at once, or none does.
    Commit,
    /// Hand out the number after the value last read.
    Issue {
        shard: NodeId,
        takes: Option<Draw>,
    },
    /// Ask until all of these are held (or a majority), one after another; in a certain way.
    AcquireAs {
        locks: Locks,
        mode: Mode,
        ttl: Option<Option<Span>>,
        patience: Option<Draw>,
    },
    /// From reading to writing, or back.
    Convert {
        lock: LockId,
        mode: Mode,
    },
    /// Go on when the record of the lock has stood unchanged for so long, by the worker's own clock.
    Reap {
        lock: LockId,
        length: Span,
    },
}

/// A business key, as a number; `per_round`: a new one each round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Key {
    pub hash: u64,
    pub per_round: bool,
}
