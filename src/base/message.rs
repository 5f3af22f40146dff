//! One closed vocabulary of what nodes send each other.
//!
//! A message is what the wire carries, plus the observer's annotations that a protocol must not decide by ([`AcqId`], `margin`):
//! they let a checker say which grant a write was computed under even where the protocol itself cannot tell.

mod words;

pub use words::*;

use super::id::{AcqId, CallId, LockId, NodeId, OpKey, OwnerId};
use super::row::{Put, Seen};
use super::time::{LocalTime, Span};
use super::token::Token;
use std::hash::{Hash, Hasher};

/// What a message says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Payload {
    /// Set if absent, with a TTL, in one step. `ttl: None` never expires.
    Acquire {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
        ttl: Option<Span>,
        margin: Span,
    },
    /// First half of a two-step acquire: set if absent, no TTL.
    Set {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
        margin: Span,
    },
    /// Second half: give the key a TTL, whoever has it.
    Expire {
        lock: LockId,
        acq: AcqId,
        ttl: Option<Span>,
        margin: Span,
    },
    Renew {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
        ttl: Option<Span>,
        margin: Span,
        compare: Compare,
    },
    Release {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
        compare: Compare,
    },
    /// First half of a two-step release: is it mine?
    Get {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
    },
    /// Remove the lock, whoever has it (an administrator).
    Break {
        lock: LockId,
    },
    /// Does this owner hold the lock? `re` is the asker's own number for the question.
    Ask {
        lock: LockId,
        owner: OwnerId,
        re: u32,
    },

    Granted {
        lock: LockId,
        acq: AcqId,
        token: Option<Token>,
    },
    Refused {
        lock: LockId,
        acq: AcqId,
    },
    Extended {
        lock: LockId,
        acq: AcqId,
    },
    NotExtended {
        lock: LockId,
        acq: AcqId,
    },
    Released {
        lock: LockId,
        acq: AcqId,
    },
    NotHeld {
        lock: LockId,
        acq: AcqId,
    },
    Owned {
        lock: LockId,
        acq: AcqId,
        mine: bool,
    },
    Broken {
        lock: LockId,
    },
    Answer {
        lock: LockId,
        owns: bool,
        re: u32,
    },

    Read {
        acq: Option<AcqId>,
        token: Option<Token>,
    },
    Write(Write),
    Activate {
        acq: Option<AcqId>,
        owner: OwnerId,
        token: Option<Token>,
    },
    /// An effect outside that nothing but a key can check.
    Call {
        acq: Option<AcqId>,
        op: OpKey,
    },

    Value {
        version: u64,
    },
    Written {
        version: u64,
    },
    /// The stored first outcome of this operation.
    Replayed {
        version: u64,
    },
    Activated,
    Rejected(Reject),
    Called,
    /// The service or resource answered with an error.
    Failed,
    /// Leader to member: store the entry of the log that the call is numbered by, and all before it.
    Append,
    Appended,
    /// Primary to replica: the key as it is now. The call numbers the changes.
    Replicate {
        lock: LockId,
        record: Option<Copied>,
        /// The last token given out.
        counter: Option<u64>,
    },
    /// The replica has this key as it was at that change.
    Replicated {
        lock: LockId,
    },
    /// A place in line for the lock, as an entry that hangs on a session.
    Enqueue {
        lock: LockId,
        acq: AcqId,
        session: OwnerId,
        owner: OwnerId,
        /// Length of the session.
        ttl: Option<Span>,
        margin: Span,
        find: FindEntry,
        /// The session is new: opened together with the entry.
        opens: bool,
        /// The client wants to be told if the session ends.
        tell: bool,
    },
    /// Where in line does my entry stand now?
    Look {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
    },
    /// A session's heartbeat; the lock says by which service.
    Ping {
        session: OwnerId,
        lock: LockId,
    },
    /// The entry stands in line, behind one of this worker.
    Queued {
        lock: LockId,
        acq: AcqId,
        token: Option<Token>,
        behind: NodeId,
    },
    /// There is no such session any more, and no entry of it.
    SessionOver {
        lock: LockId,
        acq: AcqId,
    },
    Pong {
        lock: LockId,
        alive: bool,
    },
    /// To a waiter: what it watched has gone.
    Notify {
        lock: LockId,
        acq: AcqId,
    },
    /// A former leader to the others: end this session.
    Revoke {
        session: OwnerId,
    },
    /// A mutation inside a transaction: it takes effect at the commit.
    Stage(Write),
    /// The resource keeps it for the commit.
    Staged,
    /// Everything that the sender has staged since this call of its own takes effect, or nothing of it does.
    Commit {
        acq: Option<AcqId>,
        since: CallId,
    },
    /// It took effect. `version`: of the part that was asked. `freed`: what the transaction had locked in the same store is free.
    Committed {
        version: u64,
        freed: bool,
    },
    /// A call that takes so long to carry out.
    LongCall {
        acq: Option<AcqId>,
        op: OpKey,
        takes: Span,
    },
    /// A connection to a lock server is gone (`None`: all of the sender's), or the transaction on it is over: what it held is free.
    Hangup {
        connection: Option<OwnerId>,
        over: Over,
    },
    /// A number is handed out, from the sender's memory; that takes so long.
    Issue {
        acq: Option<AcqId>,
        token: Option<Token>,
        number: u64,
        takes: Span,
    },
    Issued {
        number: u64,
    },
    /// A refusal that says how long the record has left, for who would rather be told than ask again.
    Taken {
        lock: LockId,
        acq: AcqId,
        left: Option<Span>,
    },
    /// A waiter wants to be told of a release from now on, or no longer.
    Listen {
        lock: LockId,
        acq: AcqId,
        on: bool,
    },
    Listening {
        lock: LockId,
    },
    /// Replica to primary: it lives, and has nothing to say.
    Alive,
    /// Announces an owner, and asks for a token that the resource mints: one above its mark.
    Mint {
        acq: Option<AcqId>,
        lock: LockId,
        owner: OwnerId,
    },
    Minted {
        token: Token,
    },
    /// Acquire, where the service counts its holder's entries or has several holders.
    Enter {
        lock: LockId,
        acq: AcqId,
        owner: OwnerId,
        ttl: Option<Span>,
        margin: Span,
        mode: Mode,
        /// How often the sender will be in, by its own count: tells a repeated call from one more.
        n: u16,
    },
    /// What stands in the record of this lock? Asking changes nothing.
    /// `acq`: by whom it is wanted; a third party wants nothing.
    Inspect {
        lock: LockId,
        acq: Option<AcqId>,
    },
    /// The record as it stands; `None`: there is none.
    Seen {
        lock: LockId,
        record: Option<Seen>,
    },
    /// The whole record, to be written under a condition: to acquire, to renew, to release, as the kind of the message says.
    Put(Put),
}

/// A stored lock on its way to a replica.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copied {
    pub acq: AcqId,
    pub owner: OwnerId,
    pub worker: NodeId,
    /// End by the primary's clock.
    pub until: Option<LocalTime>,
    /// How often its holder is in.
    pub holds: u16,
}

/// Whoever is in once is as it was before anybody counted.
impl Hash for Copied {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (self.acq, self.owner, self.worker, self.until).hash(h);
        if self.holds > 1 {
            self.holds.hash(h);
        }
    }
}

/// A mutation, with everything a guard can look at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Write {
    pub acq: Option<AcqId>,
    pub owner: OwnerId,
    pub lock: LockId,
    pub token: Option<Token>,
    /// The version it was computed from; `None` is a blind write.
    pub base: Option<u64>,
    pub op: OpKey,
    /// Number of this request under its token, for guards with `sequence`.
    pub number: u32,
    pub delete: bool,
}

/// A payload, and which call of which thread it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    pub call: CallId,
    pub kind: Kind,
    /// The sender's n-th operation of this kind, from 1; copies to several nodes and replies share it. Filled in by the loop for
    /// requests; what nobody asked for counts on its link.
    pub nth: u32,
    pub payload: Payload,
}

impl Message {
    /// A request; the loop numbers it.
    pub const fn request(topic: Topic, call: CallId, payload: Payload) -> Message {
        Message { call, kind: Kind::request(topic), nth: 0, payload }
    }

    /// The answer to this request.
    pub const fn answer(self, payload: Payload) -> Message {
        Message { kind: Kind::reply(self.kind.topic), payload, ..self }
    }
}

impl Payload {
    /// The acquisition that the message speaks for, if any.
    pub fn acq(&self) -> Option<AcqId> {
        match *self {
            Payload::Acquire { acq, .. }
            | Payload::Enter { acq, .. }
            | Payload::Set { acq, .. }
            | Payload::Expire { acq, .. }
            | Payload::Renew { acq, .. }
            | Payload::Release { acq, .. }
            | Payload::Get { acq, .. }
            | Payload::Granted { acq, .. }
            | Payload::Refused { acq, .. }
            | Payload::Extended { acq, .. }
            | Payload::NotExtended { acq, .. }
            | Payload::Released { acq, .. }
            | Payload::NotHeld { acq, .. }
            | Payload::Owned { acq, .. }
            | Payload::Enqueue { acq, .. }
            | Payload::Look { acq, .. }
            | Payload::Queued { acq, .. }
            | Payload::SessionOver { acq, .. }
            | Payload::Notify { acq, .. }
            | Payload::Taken { acq, .. }
            | Payload::Listen { acq, .. } => Some(acq),
            Payload::Read { acq, .. }
            | Payload::Activate { acq, .. }
            | Payload::Call { acq, .. }
            | Payload::LongCall { acq, .. }
            | Payload::Issue { acq, .. }
            | Payload::Mint { acq, .. }
            | Payload::Inspect { acq, .. }
            | Payload::Commit { acq, .. } => acq,
            Payload::Put(p) => Some(p.acq),
            Payload::Write(w) | Payload::Stage(w) => w.acq,
            _ => None,
        }
    }

    /// The fencing token on the message, if any.
    pub fn token(&self) -> Option<Token> {
        match *self {
            Payload::Granted { token, .. }
            | Payload::Read { token, .. }
            | Payload::Activate { token, .. }
            | Payload::Issue { token, .. } => token,
            Payload::Minted { token } => Some(token),
            Payload::Write(w) | Payload::Stage(w) => w.token,
            _ => None,
        }
    }
}
