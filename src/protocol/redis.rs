//! A key with a TTL on one Redis server: the state of the server, and one atomic step for each request.
//!
//! The whole essay is `docs/protocols/redis.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/redis.md")]

mod answer;
mod disk;
mod fair;
mod key;
mod replica;
mod session;
mod shared;
mod wake;

use answer::{lock_of, on_request};
pub use disk::needs_journal;
use key::{Key, Record, arm, delay};
use replica::Waiting;
use wake::Waiters;

use super::params::{Family, LockParams, Persistence, TokenKind};
use super::{Host, Input, Slot};
use crate::base::{Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload};

/// What the server knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Server {
    /// By `LockId`; only the locks that this server serves are ever filled.
    keys: Vec<Key>,
    /// Earlier states, oldest first, kept only if a crash may fall back to one of them: (monotonic reading, keys from then on).
    journal: Vec<(LocalTime, Vec<Key>)>,
    /// It copies another server and answers nobody.
    is_replica: bool,
    /// Number of the last change that was sent to replicas, or taken from a primary. The upper half counts primaries, so that whatever a
    /// new one sends is newer than all that an old one did.
    changes: u32,
    /// By `LockId`: number of the last change of this key that was taken from a primary.
    taken: Vec<u32>,
    /// The process has ended; only its disk is left.
    is_down: bool,
    /// Answers that wait for replicas.
    waiting: Vec<Waiting>,
    waiters: Waiters,
    /// Locks whose records were taken over from another side of the group.
    adopted: Vec<LockId>,
    /// When each of the other servers was last heard of, by the monotonic clock.
    heard: Vec<LocalTime>,
}

/// What stands for one lock, as it can be read at a real server: whose record until when, and the last token given out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stored {
    pub record: Option<(OwnerId, Option<LocalTime>)>,
    pub counter: Option<u64>,
}

impl Server {
    /// For tests that hold the model against a real server. A record whose end has come stands until the next request or timer.
    pub fn stored(&self, lock: LockId) -> Stored {
        let key = &self.keys[lock.index()];
        Stored { record: key.record.map(|r| (r.owner, r.until)), counter: key.counter }
    }

    /// Whose the lock is at this reading of the server's clock: for a resource in the same store.
    pub fn owner(&self, lock: usize, now: LocalTime) -> Option<OwnerId> {
        let record = self.keys[lock].record.filter(|r| r.until.is_none_or(|until| now < until));
        record.map(|r| r.owner)
    }

    pub fn new(locks: usize) -> Server {
        Server { keys: vec![Key::default(); locks], taken: vec![0; locks], ..Server::default() }
    }

    /// One that copies another.
    pub fn replica(locks: usize) -> Server {
        Server { is_replica: true, ..Server::new(locks) }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self, is_replica: bool) {
        self.is_replica = is_replica;
        self.changes = 0;
        self.taken.iter_mut().for_each(|n| *n = 0);
        self.is_down = false;
        self.waiting.clear();
        self.waiters.reset();
        self.adopted.clear();
        self.heard.clear();
        self.keys.iter_mut().for_each(|k| *k = Key::default());
        self.journal.clear();
    }
}

/// What one server serves.
pub struct Served<'a> {
    /// By `LockId`; `None` where another node serves it.
    pub locks: &'a [Option<&'a LockParams>],
    /// The other servers of a service with replicas.
    pub others: &'a [NodeId],
    pub journal: bool,
}

impl<'a> Served<'a> {
    /// The locks that it serves.
    pub fn each(&self) -> impl Iterator<Item = (LockId, &'a LockParams)> + use<'a> {
        self.locks.iter().enumerate().filter_map(|(i, p)| p.map(|p| (LockId(i as u8), p)))
    }
}

pub fn on_input(s: &mut Server, served: &Served, input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, .. } => match message.payload {
            Payload::Replicate { .. } | Payload::Replicated { .. } | Payload::Alive => {
                replica::on_message(s, served, from, message, host)
            }
            _ => serve(s, served, from, message, host),
        },
        Input::Timer { slot: replica::HEARTBEAT } => replica::beat(s, served, host),
        Input::Timer { slot } => {
            let lock = LockId(slot.0 as u8);
            if let Some(params) = served.locks.get(lock.index()).copied().flatten() {
                let before = s.keys[lock.index()].clone();
                purge(s, lock, params, host);
                replica::copy(s, served, lock, &before, host);
                disk::journal(s, served, host);
            }
        }
        Input::Crash { loses } => {
            s.is_down = true;
            s.waiting.clear();
            replica::disconnected(s, served);
            s.waiters.crash(each(served).all(|(_, p)| p.persistence == Persistence::Always));
            if s.is_replica {
                replica::crash(s, served);
            } else {
                disk::crash(s, served, loses, host);
                for (lock, params) in each(served) {
                    forget_counter(&mut s.keys[lock.index()], lock, params, host);
                }
            }
        }
        Input::Evict { lock } => evict(s, served, lock, host),
        Input::Promoted => replica::promote(s, served, host),
        Input::Replaced => {
            // Whatever it had acknowledged and the others have not heard of is gone with it.
            for (id, params) in each(served) {
                forget(s, id, params, host);
            }
            s.is_replica = true;
            s.is_down = true;
            s.waiting.clear();
            s.waiters.crash(false);
        }
        Input::Expire { worker } => expire_of(s, served, Some(worker), host),
        Input::Demoted => {
            for (id, params) in each(served) {
                forget(s, id, params, host);
            }
            s.is_replica = true;
            s.waiting.clear();
        }
        Input::Merged { epoch } => replica::merged(s, served, epoch, host),
        Input::Start => replica::start(s, served, host),
        // A server is what its disk is, whether it is up or not. It has one thread, which a crash ends with the process, no points and no
        // life span.
        Input::Go { .. } | Input::ThreadDied { .. } | Input::EndOfLife | Input::Cancel | Input::ShutDown => {}
        // A lease knows no connections.
        Input::Disconnected { .. } => {}
    }
}

/// One request, answered at once (or when enough replicas have what came of it).
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn serve(s: &mut Server, served: &Served, from: NodeId, message: &Message, host: &mut impl Host) {
    let Some((lock, params)) = lock_of(&message.payload, served) else {
        return; // Not a question for a lock server.
    };
    if s.is_replica {
        return host.send(from, message.answer(Payload::Failed)); // "READONLY You can't write against a read only replica."
    }
    if params.min_replicas > 0 && replica::too_few(s, served, params, &message.payload, host) {
        return host.send(from, message.answer(Payload::Failed)); // "NOREPLICAS Not enough good replicas to write."
    }
    if wake::tells(params) {
        return serve_and_tell(s, served, (lock, params), from, message, host);
    }
    serve_silently(s, served, (lock, params), from, message, host);
}

/// The same, where those who wait listen.
#[cold]
#[inline(never)]
fn serve_and_tell(
    s: &mut Server,
    served: &Served,
    (lock, params): (LockId, &LockParams),
    from: NodeId,
    message: &Message,
    host: &mut impl Host,
) {
    purge(s, lock, params, host);
    let had = s.keys[lock.index()].held();
    match wake::answer(s, lock, params, from, &message.payload, host) {
        // Nobody waits for the answer to that.
        Some(Payload::Listening { .. }) if matches!(message.payload, Payload::Listen { on: false, .. }) => {}
        Some(answer) => host.send(from, message.answer(answer)),
        None => serve_silently(s, served, (lock, params), from, message, host),
    }
    if s.keys[lock.index()].held() < had {
        wake::publish(s, lock, params, host);
    }
}

#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn serve_silently(
    s: &mut Server,
    served: &Served,
    (lock, params): (LockId, &LockParams),
    from: NodeId,
    message: &Message,
    host: &mut impl Host,
) {
    if served.others.is_empty() {
        purge(s, lock, params, host);
        let answer = on_request(s, lock, params, from, &message.payload, host);
        disk::journal(s, served, host);
        return host.send(from, message.answer(answer));
    }
    serve_with_copies(s, served, (lock, params), from, message, host);
}

/// The same, where the change goes to other servers as well.
#[cold]
#[inline(never)]
fn serve_with_copies(
    s: &mut Server,
    served: &Served,
    (lock, params): (LockId, &LockParams),
    from: NodeId,
    message: &Message,
    host: &mut impl Host,
) {
    let before = s.keys[lock.index()].clone();
    purge(s, lock, params, host);
    let asked = s.keys[lock.index()].clone();
    let answer = message.answer(on_request(s, lock, params, from, &message.payload, host));
    disk::journal(s, served, host);
    replica::copy(s, served, lock, &before, host);
    // Whoever only found a record over has changed nothing, and waits for nobody.
    if s.keys[lock.index()] != asked && params.wait_replicas > 0 {
        replica::wait(s, lock, params, from, answer);
    } else {
        host.send(from, answer);
    }
}

/// Records vanish without anybody's request: of one lock, or of all.
pub(super) fn evict(s: &mut Server, served: &Served, lock: Option<LockId>, host: &mut impl Host) {
    for (id, params) in each(served) {
        if lock.is_none_or(|l| l == id) {
            let before = s.keys[id.index()].clone();
            forget(s, id, params, host);
            replica::copy(s, served, id, &before, host);
        }
    }
    disk::journal(s, served, host);
}

/// Removes every record whose end has come.
pub(super) fn purge_all(s: &mut Server, served: &Served, host: &mut impl Host) {
    for (lock, params) in each(served) {
        purge(s, lock, params, host);
    }
}

/// The records of this worker run out now.
#[cold]
pub(super) fn expire_of(s: &mut Server, served: &Served, worker: Option<NodeId>, host: &mut impl Host) {
    for (lock, params) in each(served) {
        if s.keys[lock.index()].record.is_some_and(|r| worker == Some(r.worker)) {
            let before = s.keys[lock.index()].clone();
            expire(s, lock, params, host.read(params.clock), host);
            replica::copy(s, served, lock, &before, host);
        }
        if let (Some(worker), false) = (worker, s.keys[lock.index()].holders.is_empty()) {
            shared::expire_of(&mut s.keys[lock.index()], lock, params, worker, host);
        }
    }
    disk::journal(s, served, host);
}

/// Every lease begins anew, at full length, by this machine's clock; so does every delay.
pub(super) fn rearm(s: &mut Server, served: &Served, host: &mut impl Host) {
    for (lock, params) in each(served) {
        let now = host.read(params.clock);
        let key = &mut s.keys[lock.index()];
        if let Some(r) = &mut key.record {
            let until = session::end(params, params.ttl.filter(|_| r.until.is_some()), now);
            r.until = until.map(|until| until + params.cleanup_after);
            let r = *r;
            arm(lock, params, &r, host);
        }
        if key.blocked_until.is_some() {
            key.blocked_until = session::delay_after_a_change(params, now);
        }
        forget_counter(key, lock, params, host);
        if !key.holders.is_empty() {
            shared::rearm(key, lock, params, now, host);
        }
    }
}

/// A counter that lives in memory ends with the leader or the process that had it.
fn forget_counter(key: &mut Key, lock: LockId, params: &LockParams, host: &mut impl Host) {
    if params.token == TokenKind::Memory
        && let Some(from) = key.counter.take()
    {
        host.did(Fact::CounterLost { lock, from, to: 0 });
    }
}

fn each<'a>(served: &'a Served<'a>) -> impl Iterator<Item = (LockId, &'a LockParams)> {
    served.each()
}

/// Removes the record if its end has come.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn purge(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    if let Some(Record { until: Some(until), .. }) = &s.keys[lock.index()].record
        && host.read(params.clock) >= *until
    {
        let until = *until;
        expire(s, lock, params, until, host);
    }
    if !s.keys[lock.index()].holders.is_empty() {
        let now = host.read(params.clock);
        shared::purge(&mut s.keys[lock.index()], lock, params, now, host);
    }
}

#[cold]
#[inline(never)]
fn expire(s: &mut Server, lock: LockId, params: &LockParams, until: LocalTime, host: &mut impl Host) {
    let key = &mut s.keys[lock.index()];
    if let Some(r) = key.record.take() {
        host.cancel(Slot(u16::from(lock.0)));
        host.did(Fact::Expired { lock, acq: r.acq });
        delay(key, lock, params, until, host);
        if params.tells_of_ends {
            wake::publish(s, lock, params, host);
        }
    }
}

/// The record vanishes without anybody's request.
fn forget(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    let key = &mut s.keys[lock.index()];
    if let Some(r) = key.record.take() {
        host.cancel(Slot(u16::from(lock.0)));
        host.did(Fact::Forgotten { lock, acq: r.acq });
        delay(key, lock, params, host.read(params.clock), host);
    }
    if !key.holders.is_empty() {
        shared::forget(key, lock, params, host);
    }
}

/// Whether this family needs a server at all.
pub fn has_server(params: &LockParams) -> bool {
    params.family != Family::None
}
