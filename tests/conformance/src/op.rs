//! What is done at a server, what it answers, and what stands there afterwards. Both sides speak this vocabulary.

use fencepost::base::message::Compare;
use proptest::prelude::*;
use std::fmt;

/// Keys, and so locks, of one server.
pub const LOCKS: u8 = 3;
/// Owner ids. There are few, and each is used for many acquisitions: that is what makes comparing them go wrong.
pub const OWNERS: u32 = 3;

/// One operation. Lengths are whole milliseconds, as the commands take them; `None` never ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// Set if absent, with its TTL, in one step, and the counter raised in the same step.
    Acquire {
        lock: u8,
        owner: u32,
        ttl: Option<u16>,
    },
    /// First half of an acquire in two steps: set if absent, without an end.
    SetIfAbsent {
        lock: u8,
        owner: u32,
    },
    /// Second half: an end for whatever record is there.
    Expire {
        lock: u8,
        ttl: u16,
    },
    Extend {
        lock: u8,
        owner: u32,
        ttl: Option<u16>,
        compare: Compare,
    },
    Release {
        lock: u8,
        owner: u32,
        compare: Compare,
    },
    /// Is it mine? Also the first half of a release in two steps.
    Ask {
        lock: u8,
        owner: u32,
    },
    /// An administrator deletes the record.
    Break {
        lock: u8,
    },
    /// The record goes without a request of any client of the lock.
    Vanish {
        lock: u8,
    },
    /// The server runs short of memory and evicts everything that has an end.
    Evict,
    /// The process is killed and started again; the disk keeps what `Kept` says.
    Crash(Kept),
}

/// What of the past a restarted server finds on its disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kept {
    /// What the process had handed to the operating system: the computer goes on.
    Process,
    /// What was there so many operations ago: the computer loses power too. The end of the file may be torn.
    Older { operations: u8, torn: bool },
    /// What was older than one second: what "every second" promises to keep when the computer loses power.
    OneSecond,
}

/// One operation, and how long to wait before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub wait: Wait,
    pub op: Op,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    No,
    Us(u32),
    /// Until so many milliseconds before or after the next end of a record; not at all if none ends soon.
    NextEnd {
        plus_ms: i64,
    },
}

/// What a server answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Carried out; it is mine; there was one to remove.
    Yes,
    No,
    /// Stored for a new hold, with the number that goes with it.
    Granted(Option<u64>),
    /// An error, or anything else that the other side cannot say.
    Odd,
    /// Nothing, as long as no replica has what was changed.
    Waits,
}

/// What stands for one lock: whose record, the last instant at which it is there (ms), and the last number given out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct State {
    pub record: Option<(u32, Option<i64>)>,
    pub counter: Option<u64>,
}

/// Random steps, with ends up to `longest_ms` away.
pub fn step(longest_ms: u16) -> impl Strategy<Value = Step> {
    (wait(), op(longest_ms)).prop_map(|(wait, op)| Step { wait, op })
}

/// A crash, in every way that a disk can come out of it.
pub fn crash() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => wait().prop_map(|wait| (wait, Kept::Process)),
        9 => (wait(), 0..20u8, any::<bool>()).prop_map(|(wait, operations, torn)| (wait, Kept::Older { operations, torn })),
        // After a wait that leaves some operations on each side of the second.
        1 => (400_000..1_100_000u32).prop_map(|us| (Wait::Us(us), Kept::OneSecond)),
    ]
    .prop_map(|(wait, kept)| Step { wait, op: Op::Crash(kept) })
}

fn wait() -> impl Strategy<Value = Wait> {
    prop_oneof![
        6 => Just(Wait::No),
        2 => (0..2_000u32).prop_map(Wait::Us),
        3 => (-1..=2i64).prop_map(|plus_ms| Wait::NextEnd { plus_ms }),
    ]
}

fn op(longest_ms: u16) -> impl Strategy<Value = Op> {
    let lock = || 0..LOCKS;
    let owner = || 0..OWNERS;
    let end = move || prop_oneof![12 => (1..=longest_ms).prop_map(Some), 1 => Just(None)];
    let compare = || prop_oneof![3 => Just(Compare::Owner), 1 => Just(Compare::Nothing)];
    let extension = prop_oneof![
        6 => (compare(), end()),
        2 => (Just(Compare::OwnerOrAbsent), end()),
        // Zero deletes.
        1 => (compare(), Just(Some(0))),
    ];
    prop_oneof![
        10 => (lock(), owner(), end()).prop_map(|(lock, owner, ttl)| Op::Acquire { lock, owner, ttl }),
        2 => (lock(), owner()).prop_map(|(lock, owner)| Op::SetIfAbsent { lock, owner }),
        3 => (lock(), 0..=longest_ms).prop_map(|(lock, ttl)| Op::Expire { lock, ttl }),
        6 => (lock(), owner(), extension)
            .prop_map(|(lock, owner, (compare, ttl))| Op::Extend { lock, owner, ttl, compare }),
        5 => (lock(), owner(), compare()).prop_map(|(lock, owner, compare)| Op::Release { lock, owner, compare }),
        2 => (lock(), owner()).prop_map(|(lock, owner)| Op::Ask { lock, owner }),
        1 => lock().prop_map(|lock| Op::Break { lock }),
        1 => lock().prop_map(|lock| Op::Vanish { lock }),
        1 => Just(Op::Evict),
    ]
}

// --- in words ---------------------------------------------------------------------------------------------------------

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Op::Acquire { lock, owner, ttl } => write!(f, "acquire L{lock} for owner {owner}, ttl {}", Ms(ttl)),
            Op::SetIfAbsent { lock, owner } => write!(f, "set L{lock} if absent, for owner {owner}"),
            Op::Expire { lock, ttl } => write!(f, "expire L{lock} in {ttl} ms"),
            Op::Extend { lock, owner, ttl, compare } => {
                write!(f, "extend L{lock} by owner {owner} ({compare:?}), ttl {}", Ms(ttl))
            }
            Op::Release { lock, owner, compare } => write!(f, "release L{lock} by owner {owner} ({compare:?})"),
            Op::Ask { lock, owner } => write!(f, "ask whether L{lock} is owner {owner}'s"),
            Op::Break { lock } => write!(f, "break L{lock}"),
            Op::Vanish { lock } => write!(f, "the record of L{lock} is deleted by a stranger"),
            Op::Evict => write!(f, "everything with an end is evicted"),
            Op::Crash(kept) => write!(f, "crash and restart; the disk keeps {kept:?}"),
        }
    }
}

struct Ms(Option<u16>);

impl fmt::Display for Ms {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => f.write_str("none"),
            Some(ms) => write!(f, "{ms} ms"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::Yes => f.write_str("yes"),
            Answer::No => f.write_str("no"),
            Answer::Granted(None) => f.write_str("granted"),
            Answer::Granted(Some(token)) => write!(f, "granted, token {token}"),
            Answer::Odd => f.write_str("an error"),
            Answer::Waits => f.write_str("nothing yet"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.record {
            None => f.write_str("free")?,
            Some((owner, None)) => write!(f, "owner {owner} without an end")?,
            Some((owner, Some(last))) => write!(f, "owner {owner} through {last} ms")?,
        }
        self.counter.map_or(Ok(()), |counter| write!(f, ", counter {counter}"))
    }
}
