//! A key with a TTL on one Redis server: the state of the server, and one atomic step for each request.
//!
//! The whole essay is `docs/protocols/redis.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/redis.md")]

mod disk;
mod fair;
mod replica;
mod session;
mod shared;
mod wake;

pub use disk::needs_journal;
use replica::Waiting;
use wake::Waiters;

use super::params::{Family, LockKind, LockParams, Persistence, TokenKind};
use super::record::lease_seen;
use super::{Due, Host, Input, Purpose, Slot};
use crate::base::fact::Grant;
use crate::base::message::{Compare, Mode};
use crate::base::{AcqId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, Span, Thread, Token};

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

/// One lock's key, and what stands beside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Key {
    record: Option<Record>,
    /// Last token given out.
    counter: Option<u64>,
    /// Lock-delay: nobody gets it before this reading.
    blocked_until: Option<LocalTime>,
    /// Those who hold it where several may; then there is no `record`.
    holders: Vec<Record>,
    /// An end of the key that is no holder's own, where extensions move only that.
    end: Option<LocalTime>,
}

/// A stored lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Record {
    owner: OwnerId,
    /// End by the server's clock; `None` never ends.
    until: Option<LocalTime>,
    since: LocalTime,
    token: Option<Token>,
    /// The observer's name for whose it is.
    acq: AcqId,
    worker: NodeId,
    /// How often its owner is in; more than once only where that is counted.
    holds: u16,
    mode: Mode,
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

fn lock_of<'a>(payload: &Payload, served: &'a Served<'a>) -> Option<(LockId, &'a LockParams)> {
    let lock = match *payload {
        Payload::Acquire { lock, .. }
        | Payload::Enter { lock, .. }
        | Payload::Set { lock, .. }
        | Payload::Expire { lock, .. }
        | Payload::Renew { lock, .. }
        | Payload::Release { lock, .. }
        | Payload::Get { lock, .. }
        | Payload::Break { lock }
        | Payload::Listen { lock, .. }
        | Payload::Inspect { lock, .. }
        | Payload::Ask { lock, .. } => lock,
        _ => return None,
    };
    served.locks.get(lock.index()).copied().flatten().map(|p| (lock, p))
}

/// One request, one atomic step.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn on_request(
    s: &mut Server,
    lock: LockId,
    params: &LockParams,
    worker: NodeId,
    request: &Payload,
    host: &mut impl Host,
) -> Payload {
    let now = host.read(params.clock);
    let key = &mut s.keys[lock.index()];
    if params.kind.holders != LockKind::Mutex {
        return shared::on_request(key, lock, params, worker, request, now, host);
    }
    match *request {
        Payload::Acquire { acq, owner, ttl, margin, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            grant(key, params, ask, stored(params, ttl), now, host)
        }
        Payload::Enter { acq, owner, ttl, margin, n, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            shared::enter_mutex(key, params, ask, n, now, host)
        }
        // Set-if-absent alone: a lock without an end until EXPIRE comes, for ever if it never does.
        Payload::Set { acq, owner, margin, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl: None, margin };
            grant(key, params, ask, None, now, host)
        }
        Payload::Expire { acq, ttl, margin, .. } => match &mut key.record {
            Some(r) => {
                r.until = session::end(params, stored(params, ttl), now);
                let r = *r;
                arm(lock, params, &r, host);
                host.did(extended(lock, &r, acq, worker, ttl, margin));
                Payload::Granted { lock, acq, token: r.token }
            }
            None => {
                host.did(Fact::NotExtended { lock, by: acq, worker });
                Payload::Refused { lock, acq }
            }
        },
        Payload::Renew { acq, owner, ttl, margin, compare, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            renew(key, params, ask, compare, now, host)
        }
        Payload::Release { acq, owner, compare, .. } => match key.record {
            Some(r) if compare.meets(r.owner, owner) => {
                if r.holds > 1 {
                    shared::count_down(key.record.as_mut(), lock, acq, host);
                } else {
                    release(key, lock, params, r, Some(acq), now, host);
                }
                Payload::Released { lock, acq }
            }
            _ => {
                host.did(Fact::NotHeld { lock, by: acq, worker });
                Payload::NotHeld { lock, acq }
            }
        },
        Payload::Get { acq, owner, .. } => {
            Payload::Owned { lock, acq, mine: key.record.is_some_and(|r| r.owner == owner) }
        }
        Payload::Break { .. } => {
            if let Some(r) = key.record {
                release(key, lock, params, r, None, now, host);
            }
            Payload::Broken { lock }
        }
        Payload::Inspect { .. } => {
            Payload::Seen { lock, record: key.record.map(|r| lease_seen(r.acq, r.owner, r.until, params.ttl, r.since)) }
        }
        Payload::Ask { owner, re, .. } => {
            Payload::Answer { lock, owns: key.record.is_some_and(|r| r.owner == owner), re }
        }
        _ => Payload::Failed,
    }
}

/// Who asks for what.
struct Asked {
    lock: LockId,
    acq: AcqId,
    owner: OwnerId,
    worker: NodeId,
    ttl: Option<Span>,
    margin: Span,
}

/// What is written is usually what was asked for; a unit mistake makes it something else.
fn stored(params: &LockParams, asked: Option<Span>) -> Option<Span> {
    if params.stored_ttl == params.ttl { asked } else { params.stored_ttl }
}

#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn grant(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    ttl: Option<Span>,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    let Asked { lock, acq, owner, worker, .. } = ask;
    if let Some(r) = &key.record
        && params.request_id
        && r.owner == owner
    {
        // The same request again: its first answer. No new grant; the one that stands is told again.
        return Payload::Granted { lock, acq: r.acq, token: r.token };
    }
    if key.record.is_some() || is_blocked(key, now) {
        host.did(Fact::Refused { lock, acq, worker });
        return match key.record {
            Some(r) if wake::tells(params) => wake::taken(lock, acq, r.until, now),
            _ => Payload::Refused { lock, acq },
        };
    }
    store(key, params, ask, ttl, now, host)
}

/// The lock is free: writes the record.
#[inline(never)]
fn store(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    ttl: Option<Span>,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    let (lock, acq) = (ask.lock, ask.acq);
    let record = made(key, params, &ask, ttl, now, host);
    key.record = Some(record);
    key.blocked_until = None;
    arm(lock, params, &record, host);
    host.did(told(params, &ask, &record));
    Payload::Granted { lock, acq, token: record.token }
}

/// A record for whoever asks, with its token.
fn made(
    key: &mut Key,
    params: &LockParams,
    ask: &Asked,
    ttl: Option<Span>,
    now: LocalTime,
    host: &mut impl Host,
) -> Record {
    let token = mint(key, params, host);
    let Asked { acq, owner, worker, .. } = *ask;
    let until = session::end(params, ttl, now);
    Record { owner, until, since: now, token, acq, worker, holds: 1, mode: Mode::Write }
}

/// The next token.
fn mint(key: &mut Key, params: &LockParams, host: &mut impl Host) -> Option<Token> {
    match params.token {
        TokenKind::None | TokenKind::Resource => None,
        TokenKind::Ordered | TokenKind::Memory => {
            let next = key.counter.map_or(params.first_token.get(), |n| n + 1);
            let next = if params.max_token.is_some_and(|max| next > max.get()) { 1 } else { next };
            key.counter = Some(next);
            Some(Token::new(next))
        }
        TokenKind::Random => Some(Token::new(host.number(Purpose::Token, 1_000))),
    }
}

/// A record as it is told when it is there.
fn told(params: &LockParams, ask: &Asked, r: &Record) -> Fact {
    Fact::Granted(Grant {
        lock: ask.lock,
        acq: r.acq,
        worker: r.worker,
        owner: r.owner,
        token: r.token,
        ttl: ask.ttl,
        margin: ask.margin,
        asked: Default::default(),
        until: r.until,
        share: params.kind.share(r.mode),
    })
}

fn is_blocked(key: &Key, now: LocalTime) -> bool {
    key.blocked_until.is_some_and(|until| now < until)
}

fn renew(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    compare: Compare,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    if params.kind.renew_token {
        return shared::renew_anew(key, params, ask, compare, now, host);
    }
    extend(key, params, ask, compare, now, host)
}

/// An extension under the token that the record has.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn extend(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    compare: Compare,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    let Asked { lock, acq, owner, worker, ttl, margin } = ask;
    let blocked = is_blocked(key, now);
    match &mut key.record {
        Some(r) if compare.meets(r.owner, owner) => {
            if ttl == Some(Span::ZERO) {
                // PEXPIRE with zero deletes the key: a rounding mistake becomes a release.
                let r = *r;
                release(key, lock, params, r, Some(acq), now, host);
            } else {
                r.until = session::end(params, ttl, now);
                let r = *r;
                arm(lock, params, &r, host);
                host.did(extended(lock, &r, acq, worker, ttl, margin));
            }
            Payload::Extended { lock, acq }
        }
        // A grant like any other, and answered like one: with the token that goes with it.
        None if compare == Compare::OwnerOrAbsent && !blocked => {
            grant(key, params, Asked { lock, acq, owner, worker, ttl, margin }, ttl, now, host)
        }
        _ => {
            host.did(Fact::NotExtended { lock, by: acq, worker });
            Payload::NotExtended { lock, acq }
        }
    }
}

fn extended(lock: LockId, r: &Record, by: AcqId, worker: NodeId, ttl: Option<Span>, margin: Span) -> Fact {
    Fact::Extended { lock, acq: r.acq, by, worker, ttl, margin, asked: Default::default(), until: r.until }
}

/// An old record is back, with a server or on its copy: told as granted, as its first time was.
fn back(lock: LockId, params: &LockParams, r: &Record) -> Fact {
    let Record { acq, owner, worker, .. } = *r;
    told(params, &Asked { lock, acq, owner, worker, ttl: params.ttl, margin: Span::ZERO }, r)
}

/// A lock that must be held for a least time stays taken, ownerless, until then.
fn release(
    key: &mut Key,
    lock: LockId,
    params: &LockParams,
    r: Record,
    by: Option<AcqId>,
    now: LocalTime,
    host: &mut impl Host,
) {
    host.did(Fact::Released { lock, acq: r.acq, by });
    host.cancel(Slot(u16::from(lock.0)));
    key.record = None;
    let least = r.since + params.min_hold;
    if now < least {
        key.blocked_until = Some(least);
    }
}

/// Sets the timer of a record's end. The timer is for the observer's eye only: every request looks at the stamp itself.
fn arm(lock: LockId, params: &LockParams, r: &Record, host: &mut impl Host) {
    let slot = Slot(u16::from(lock.0));
    match r.until {
        Some(until) => host.timer(slot, Thread::Main, Due::Reading(params.clock, until)),
        None => host.cancel(slot),
    }
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

/// A lock was lost, not released.
fn delay(key: &mut Key, lock: LockId, params: &LockParams, from: LocalTime, host: &mut impl Host) {
    if params.lock_delay > Span::ZERO {
        key.blocked_until = Some(from + params.lock_delay);
    }
    if params.token_restarts {
        session::delete(key, lock, host);
    }
}

/// Whether this family needs a server at all.
pub fn has_server(params: &LockParams) -> bool {
    params.family != Family::None
}
