//! Who listens for a release, and who is told of one.
//!
//! A release is published to those who listen at that instant (Redis' `PUBLISH`): nothing is kept for who comes a moment later, nobody
//! acknowledges it, and a message that is lost is lost. Only a release is published; a lease that runs out is not.

use super::super::Host;
use super::super::params::{LockParams, Wake};
use super::Server;
use super::fair::{self, Place};
use super::key::{Asked, Key};
use crate::base::message::Topic;
use crate::base::{AcqId, CallId, Fact, LocalTime, LockId, Message, NodeId, Payload};

/// Those who wait for locks of this server.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Waiters {
    /// Who listens for the release of which lock, in the order of their coming, and what for.
    listening: Vec<(LockId, NodeId, AcqId)>,
    /// A fair lock's line, over all locks.
    pub line: Vec<Place>,
}

impl Waiters {
    /// The process has ended, and with it every connection.
    pub fn crash(&mut self, keeps_line: bool) {
        self.listening.clear();
        if !keeps_line {
            self.line.clear();
        }
    }

    pub fn reset(&mut self) {
        self.crash(false);
    }
}

impl Key {
    /// How many have it.
    pub(super) fn held(&self) -> usize {
        usize::from(self.record.is_some()) + self.holders.len()
    }
}

/// Requests of those who listen, and of those who stand in line. `None`: to be handled as usual.
pub(super) fn answer(
    s: &mut Server,
    lock: LockId,
    params: &LockParams,
    worker: NodeId,
    request: &Payload,
    host: &mut impl Host,
) -> Option<Payload> {
    match *request {
        Payload::Listen { acq, on, .. } => {
            s.waiters.listening.retain(|l| (l.0, l.1) != (lock, worker));
            if on {
                s.waiters.listening.push((lock, worker, acq));
            }
            Some(Payload::Listening { lock })
        }
        Payload::Acquire { acq, owner, ttl, margin, .. } if params.fair => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            fair::ask(s, params, &ask, host)
        }
        _ => None,
    }
}

/// The lock is taken: how long its record has left, for who wants to sleep so long at most.
#[cold]
pub(super) fn taken(lock: LockId, acq: AcqId, until: Option<LocalTime>, now: LocalTime) -> Payload {
    Payload::Taken { lock, acq, left: until.map(|u| u.since(now)) }
}

/// The lock has been given back: all who listen are told, or the first in line.
#[cold]
pub(super) fn publish(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    let first = if params.fair { Some(fair::first(s, lock, params, host)) } else { None };
    for (of, worker, acq) in &s.waiters.listening {
        if *of == lock && first.is_none_or(|first| first == Some(*worker)) {
            host.send(*worker, Message::request(Topic::Notify, CallId(0), Payload::Notify { lock, acq: *acq }));
        }
    }
}

/// Does this service tell of releases at all?
pub(super) fn tells(params: &LockParams) -> bool {
    params.wake == Wake::Notify
}

/// The number of a place in line, for those who are told who stands before them.
pub(super) fn queued(lock: LockId, acq: AcqId, worker: NodeId, behind: AcqId, host: &mut impl Host) {
    host.did(Fact::Queued { lock, acq, worker, behind });
}
