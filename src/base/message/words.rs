//! The words that messages are made of: what they are about, under which condition, why not.

use crate::base::{OwnerId, Token};
use std::fmt;

/// What a message is about, as faults name it; a reply has the kind of its request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Topic {
    Acquire,
    Renew,
    Release,
    Read,
    Write,
    Activate,
    Call,
    Commit,
    Break,
    /// A resource or a worker asks the lock service who owns the lock.
    Ask,
    /// A session's heartbeat.
    Ping,
    /// The service tells a waiter that it may try.
    Notify,
    /// Primary to replica.
    Replicate,
    /// Removal of what a failed try has left behind.
    Withdraw,
}

impl Topic {
    pub const ALL: [Topic; 14] = [
        Topic::Acquire,
        Topic::Renew,
        Topic::Release,
        Topic::Read,
        Topic::Write,
        Topic::Activate,
        Topic::Call,
        Topic::Commit,
        Topic::Break,
        Topic::Ask,
        Topic::Ping,
        Topic::Notify,
        Topic::Replicate,
        Topic::Withdraw,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            Topic::Acquire => "acquire",
            Topic::Renew => "renew",
            Topic::Release => "release",
            Topic::Read => "read",
            Topic::Write => "write",
            Topic::Activate => "activate",
            Topic::Call => "call",
            Topic::Commit => "commit",
            Topic::Break => "break",
            Topic::Ask => "ask",
            Topic::Ping => "ping",
            Topic::Notify => "notify",
            Topic::Replicate => "replicate",
            Topic::Withdraw => "withdraw",
        }
    }
}

/// A topic and a direction: `write`, `write-reply`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind {
    pub topic: Topic,
    pub reply: bool,
}

impl Kind {
    pub const fn request(topic: Topic) -> Kind {
        Kind { topic, reply: false }
    }

    pub const fn reply(topic: Topic) -> Kind {
        Kind { topic, reply: true }
    }

    /// Below 32: usable as a bit in a mask.
    pub const fn index(self) -> usize {
        self.topic as usize * 2 + self.reply as usize
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.topic.word(), if self.reply { "-reply" } else { "" })
    }
}

/// What must be true of the record for a release or an extension to be carried out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Compare {
    /// The stored owner is mine: compare and act in one atomic step.
    #[default]
    Owner,
    /// Whoever has it: a plain DEL or PEXPIRE.
    Nothing,
    /// Mine, or gone (then it is created again).
    OwnerOrAbsent,
    /// The stored id, a time stamp, is not younger than mine.
    Stamp,
}

impl Compare {
    /// Is this true of a record that stands?
    #[inline]
    pub fn meets(self, stored: OwnerId, own: OwnerId) -> bool {
        match self {
            Compare::Nothing => true,
            Compare::Owner | Compare::OwnerOrAbsent => stored == own,
            Compare::Stamp => stored.0 <= own.0,
        }
    }
}

/// How a service of sessions recognises an entry that its client has already made, when the answer to the first request was lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum FindEntry {
    /// One entry of a session in each line.
    #[default]
    BySession,
    /// The client's name for it, which stays the same from try to try.
    ByName,
    /// Not at all: every request makes another one.
    Never,
}

/// In which way a lock with several holders, or one that counts its holder's entries, is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Mode {
    /// Beside nobody: a writer, the holder of a mutex. Of a semaphore: one permit.
    #[default]
    Write,
    /// Beside other readers.
    Read,
    /// What is held for reading, for writing from now on.
    Upgrade,
    /// What is held for writing, for reading from now on.
    Downgrade,
}

/// Why a resource refused.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reject {
    /// The token is below the mark (rule `>=`), or not above it (rule `>`).
    Token { token: Option<Token>, mark: Token },
    /// The owner id is not the one stored by the last activation, or the service says that it does not own the lock.
    Owner,
    /// The base version is not the current one.
    Version { base: u64, current: u64 },
    /// Create-only, and it exists.
    Exists,
    /// The request's number under its token is not above the last one.
    Sequence { number: u32, last: u32 },
}

/// What is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Over {
    /// The process at the other end, or its use of the connection: it was closed in good order.
    Process,
    /// The connection: it broke, and whoever waits on it gets an error.
    Connection,
    Transaction,
    /// The process, without a word: its machine closes what it had.
    Crash,
}
