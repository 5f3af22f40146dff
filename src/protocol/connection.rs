//! A lock that lives as long as a connection: no lease and no clock, held until it is given back or its owner's connection is gone.
//!
//! The whole essay is `docs/protocols/connections.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/connections.md")]

use super::params::{LockParams, TokenKind};
use super::redis::Served;
use super::{Due, Host, Input, Purpose, Slot};
use crate::base::fact::Grant;
use crate::base::message::{Compare, Over, Topic};
use crate::base::{AcqId, Fact, LockId, Message, NodeId, OwnerId, Payload, Span, Thread, Token};

/// What the server knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Server {
    /// By `LockId`; only the locks that this server serves are ever filled.
    locks: Vec<Lock>,
    /// Connections that are closed if they stay silent; the timer of each has its place behind those of the locks.
    watched: Vec<OwnerId>,
}

/// One lock.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Lock {
    holder: Option<Holder>,
    /// First come, first served.
    queue: Vec<Waiter>,
    /// Last token given out: a row of a table, so it survives.
    counter: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Holder {
    connection: OwnerId,
    worker: NodeId,
    acq: AcqId,
    token: Option<Token>,
    /// How often this connection has taken it: it is free when it was given back as often.
    times: u32,
}

/// A request that has no answer yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Waiter {
    connection: OwnerId,
    worker: NodeId,
    request: Message,
}

impl Server {
    pub fn new(locks: usize) -> Server {
        Server { locks: vec![Lock::default(); locks], watched: Vec::new() }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self) {
        for lock in &mut self.locks {
            lock.holder = None;
            lock.queue.clear();
            lock.counter = None;
        }
        self.watched.clear();
    }

    /// Whose the lock is: for a resource in the same store.
    pub fn owner(&self, lock: usize) -> Option<OwnerId> {
        self.locks[lock].holder.map(|h| h.connection)
    }
}

pub fn on_input(s: &mut Server, served: &Served, input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, .. } => {
            if let Payload::Hangup { connection, over } = message.payload {
                return closed(s, served, (from, connection), over, host);
            }
            serve(s, served, from, message, host);
        }
        Input::Timer { slot } => {
            let place = (slot.0 as usize).checked_sub(s.locks.len());
            if let Some(connection) = place.and_then(|i| s.watched.get(i)).copied() {
                let silent = s.locks.iter().find_map(|l| l.holder.filter(|h| h.connection == connection));
                let worker = silent.map_or(NodeId::default(), |h| h.worker);
                closed(s, served, (worker, Some(connection)), Over::Connection, host);
            }
        }
        // Broken on the way, or ended by the server: the same to both.
        Input::Disconnected { peer } | Input::Expire { worker: peer } => {
            closed(s, served, (peer, None), Over::Connection, host);
        }
        Input::Crash { .. } => crash(s, served, host),
        Input::Evict { lock } => {
            for (id, params) in served.each() {
                if lock.is_none_or(|l| l == id) {
                    forget(s, id, params, host);
                }
            }
        }
        // Locks are in memory only. A server has one thread, no points and no life span, and no other takes its place.
        Input::Start
        | Input::Go { .. }
        | Input::ThreadDied { .. }
        | Input::EndOfLife
        | Input::Promoted
        | Input::Replaced
        | Input::Demoted
        | Input::Merged { .. }
        | Input::Cancel
        | Input::ShutDown => {}
    }
}

/// One request: answered at once, but for an acquire, which is answered when the lock is the asker's.
fn serve(s: &mut Server, served: &Served, from: NodeId, message: &Message, host: &mut impl Host) {
    let (lock, connection) = match message.payload {
        Payload::Acquire { lock, owner, .. }
        | Payload::Renew { lock, owner, .. }
        | Payload::Release { lock, owner, .. }
        | Payload::Get { lock, owner, .. }
        | Payload::Ask { lock, owner, .. } => (lock, Some(owner)),
        Payload::Break { lock } => (lock, None),
        _ => return, // Not a question for a lock server.
    };
    let Some(params) = served.locks.get(lock.index()).copied().flatten() else { return };
    if let (Some(connection), Some(limit)) = (connection, params.idle_timeout) {
        watch(s, connection, limit, host);
    }
    let l = &mut s.locks[lock.index()];
    if message.kind.topic == Topic::Withdraw {
        // The statement that waits is cancelled.
        l.queue.retain(|w| Some(w.connection) != connection);
    }
    let mine = |h: &Holder| Some(h.connection) == connection;
    let answer = match message.payload {
        Payload::Acquire { acq, owner, ttl, .. } => {
            if let Some(h) = l.holder.as_mut().filter(|h| mine(h)) {
                // The same session again: counted, and no new grant.
                h.times += 1;
                Payload::Granted { lock, acq: h.acq, token: h.token }
            } else if ttl == Some(Span::ZERO) && l.holder.is_some() {
                // A try-lock: it does not wait.
                host.did(Fact::Refused { lock, acq, worker: from });
                Payload::Refused { lock, acq }
            } else if deadlocked(s, lock, owner) {
                host.did(Fact::Refused { lock, acq, worker: from });
                Payload::Failed
            } else {
                let waiter = Waiter { connection: owner, worker: from, request: *message };
                let l = &mut s.locks[lock.index()];
                // A connection runs one statement at a time: an older one was cancelled.
                l.queue.retain(|w| w.connection != owner);
                l.queue.push(waiter);
                return next(s, lock, params, host);
            }
        }
        // Nothing to extend: a statement that shows both sides that the connection is there.
        Payload::Renew { acq, .. } if l.holder.as_ref().is_some_and(mine) => Payload::Extended { lock, acq },
        Payload::Renew { acq, .. } => {
            host.did(Fact::NotExtended { lock, by: acq, worker: from });
            Payload::NotExtended { lock, acq }
        }
        Payload::Release { acq, compare, .. } => match &mut l.holder {
            Some(h) if mine(h) && h.times > 1 => {
                h.times -= 1;
                Payload::Released { lock, acq }
            }
            Some(h) if mine(h) || compare == Compare::Nothing => {
                host.did(Fact::Released { lock, acq: h.acq, by: Some(acq) });
                host.send(from, message.answer(Payload::Released { lock, acq }));
                return free(s, lock, params, host);
            }
            _ => {
                host.did(Fact::NotHeld { lock, by: acq, worker: from });
                Payload::NotHeld { lock, acq }
            }
        },
        Payload::Get { acq, .. } => Payload::Owned { lock, acq, mine: l.holder.as_ref().is_some_and(mine) },
        Payload::Ask { re, .. } => Payload::Answer { lock, owns: l.holder.as_ref().is_some_and(mine), re },
        _ => {
            if let Some(h) = l.holder {
                host.did(Fact::Released { lock, acq: h.acq, by: None });
                host.send(from, message.answer(Payload::Broken { lock }));
                return free(s, lock, params, host);
            }
            Payload::Broken { lock }
        }
    };
    host.send(from, message.answer(answer));
}

/// A connection that stays silent for so long is closed; one that waits for an answer is not silent.
#[cold]
fn watch(s: &mut Server, connection: OwnerId, limit: Span, host: &mut impl Host) {
    let i = s.watched.iter().position(|c| *c == connection).unwrap_or_else(|| {
        s.watched.push(connection);
        s.watched.len() - 1
    });
    let slot = Slot((s.locks.len() + i) as u16);
    host.timer(slot, Thread::Main, Due::Sleep(limit));
}

/// Would this wait close a circle: does the holder wait, over others perhaps, for the asker?
fn deadlocked(s: &Server, mut lock: LockId, asker: OwnerId) -> bool {
    for _ in 0..s.locks.len() {
        let Some(holder) = s.locks[lock.index()].holder else { return false };
        if holder.connection == asker {
            return true;
        }
        let waits = |l: &Lock| l.queue.iter().any(|w| w.connection == holder.connection);
        let Some(next) = s.locks.iter().position(waits) else { return false };
        lock = LockId(next as u8);
    }
    false
}

/// If the lock is free, it is the first waiter's.
fn next(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    let l = &mut s.locks[lock.index()];
    if l.holder.is_some() || l.queue.is_empty() {
        return;
    }
    let Waiter { connection, worker, request } = l.queue.remove(0);
    let Payload::Acquire { acq, margin, .. } = request.payload else { return };
    let token = match params.token {
        TokenKind::None | TokenKind::Resource => None,
        TokenKind::Ordered | TokenKind::Memory => {
            l.counter = Some(l.counter.map_or(params.first_token.get(), |n| n + 1));
            l.counter.map(Token::new)
        }
        TokenKind::Random => Some(Token::new(host.number(Purpose::Token, 1_000))),
    };
    l.holder = Some(Holder { connection, worker, acq, token, times: 1 });
    let (asked, until, ttl, share) = (Default::default(), None, None, Default::default());
    host.did(Fact::Granted(Grant { lock, acq, worker, owner: connection, token, ttl, margin, asked, until, share }));
    if let Some(limit) = params.idle_timeout {
        watch(s, connection, limit, host); // Its statement has ended: from now on it may be silent.
    }
    host.send(worker, request.answer(Payload::Granted { lock, acq, token }));
}

/// The lock is free again.
fn free(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    s.locks[lock.index()].holder = None;
    next(s, lock, params, host);
}

/// The record vanishes without anybody's request.
fn forget(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    if let Some(h) = s.locks[lock.index()].holder {
        host.did(Fact::Forgotten { lock, acq: h.acq });
        free(s, lock, params, host);
    }
}

/// A connection is gone (all of a worker's, if none is named), or a transaction is over: what it held is free, what it waited for is not
/// wanted any more.
fn closed(
    s: &mut Server,
    served: &Served,
    (worker, connection): (NodeId, Option<OwnerId>),
    over: Over,
    host: &mut impl Host,
) {
    let concerns = |w: NodeId, c: OwnerId| connection.map_or(w == worker, |named| named == c);
    for (lock, params) in served.each() {
        let stays = match over {
            Over::Transaction => !params.until_commit,
            Over::Crash => params.keep_on_disconnect,
            Over::Process | Over::Connection => params.keep_on_disconnect || params.of_process,
        };
        if stays {
            continue;
        }
        let queue = &mut s.locks[lock.index()].queue;
        let mut i = 0;
        while i < queue.len() && over != Over::Transaction {
            let w = queue[i];
            if !concerns(w.worker, w.connection) {
                i += 1;
                continue;
            }
            queue.remove(i);
            if over == Over::Connection {
                // Both ends of a broken connection hear of it, if somebody listens.
                host.send(w.worker, w.request.answer(Payload::Failed));
            }
        }
        if let Some(h) = s.locks[lock.index()].holder
            && concerns(h.worker, h.connection)
        {
            // A client that ends gives back what it has; one that was cut off is not asked.
            host.did(match over {
                Over::Connection => Fact::Closed { lock, acq: h.acq },
                Over::Process | Over::Crash | Over::Transaction => Fact::Released { lock, acq: h.acq, by: Some(h.acq) },
            });
            free(s, lock, params, host);
        }
    }
}

/// All connections break, and nothing was on disk but the counters.
fn crash(s: &mut Server, served: &Served, host: &mut impl Host) {
    for (lock, params) in served.each() {
        let l = &mut s.locks[lock.index()];
        for w in &l.queue {
            host.send(w.worker, w.request.answer(Payload::Failed));
        }
        l.queue.clear();
        if let Some(h) = l.holder.take() {
            host.did(Fact::Closed { lock, acq: h.acq });
        }
        if params.token == TokenKind::Memory
            && let Some(from) = l.counter.take()
        {
            host.did(Fact::CounterLost { lock, from, to: 0 });
        }
    }
    s.watched.clear();
}
