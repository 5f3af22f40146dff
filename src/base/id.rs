//! Who is who. Every id is an index with a type, so that a worker is never mistaken for a message.

use std::fmt;

/// A participant with a lifeline: a worker, a node of a lock service, or one shard of a resource. Workers come first, then lock
/// nodes, then shards; the names stand in the run's roster.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct NodeId(pub u16);

/// A lock (a name that can be held), by its place in the scenario: `[lock]` is 0, then `[[lock.also]]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LockId(pub u8);

/// One acquisition: one attempt of one worker to get one lock, numbered over the run. It is the *observer's* name for what a grant
/// belongs to; no protocol may decide anything by it (protocols have [`OwnerId`] and tokens), so that two acquisitions that share
/// an owner id or a token can still be told apart by a checker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AcqId(pub u32);

/// The value that a client stores in the lock to recognise it as its own. Supports equality only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OwnerId(pub u32);

/// One message on the wire; a copy has a number of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MsgId(pub u32);

/// One call of one thread of a worker: request and replies share it; an answer to an earlier call is ignored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CallId(pub u32);

/// A logical operation, as counted by ONCE and remembered by an idempotent resource: one write of one round of one worker, or a
/// business key that workers share. Equal keys are one operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OpKey(pub u64);

/// A thread of a node. Lock nodes and shards have only `Main`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Thread {
    #[default]
    Main,
    Renewer,
}

impl NodeId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl LockId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Thread {
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for MsgId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}
