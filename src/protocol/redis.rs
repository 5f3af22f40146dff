//! A key with a TTL on one Redis server: the state of the server, and one atomic step for each request.
//!
//! The whole essay is `docs/protocols/redis.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/redis.md")]

mod disk;

pub use disk::needs_journal;

use super::params::{Family, LockParams, TokenKind};
use super::{Due, Host, Input, Purpose, Slot};
use crate::base::fact::Grant;
use crate::base::message::Compare;
use crate::base::{AcqId, Fact, LocalTime, LockId, NodeId, OwnerId, Payload, Span, Thread, Token};

/// What the server knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Server {
    /// By `LockId`; only the locks that this server serves are ever filled.
    keys: Vec<Key>,
    /// Earlier states, oldest first, kept only if a crash may fall back to one of them: (monotonic reading, keys from then on).
    journal: Vec<(LocalTime, Vec<Key>)>,
}

/// One lock's key, and what stands beside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Key {
    record: Option<Record>,
    /// Last token given out.
    counter: Option<u64>,
    /// Lock-delay: nobody gets it before this reading.
    blocked_until: Option<LocalTime>,
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
}

impl Server {
    pub fn new(locks: usize) -> Server {
        Server { keys: vec![Key::default(); locks], ..Server::default() }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self) {
        self.keys.iter_mut().for_each(|k| *k = Key::default());
        self.journal.clear();
    }
}

/// What one server serves.
pub struct Served<'a> {
    /// By `LockId`; `None` where another node serves it.
    pub locks: &'a [Option<&'a LockParams>],
    pub journal: bool,
}

pub fn on_input(s: &mut Server, served: &Served, input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, .. } => {
            let Some((lock, params)) = lock_of(&message.payload, served) else {
                return; // Not a question for a lock server.
            };
            purge(s, lock, params, host);
            let answer = on_request(s, lock, params, from, &message.payload, host);
            disk::journal(s, served, host);
            host.send(from, message.answer(answer));
        }
        Input::Timer { slot } => {
            let lock = LockId(slot.0 as u8);
            if let Some(params) = served.locks.get(lock.index()).copied().flatten() {
                purge(s, lock, params, host);
                disk::journal(s, served, host);
            }
        }
        Input::Crash { loses } => disk::crash(s, served, loses, host),
        Input::Evict { lock } => {
            for (id, params) in each(served) {
                if lock.is_none_or(|l| l == id) {
                    forget(s, id, params, host);
                }
            }
            disk::journal(s, served, host);
        }
        // A server is what its disk is, whether it is up or not. It has one thread, which a crash ends with the process, no points and no
        // life span.
        Input::Start | Input::Go { .. } | Input::ThreadDied { .. } | Input::EndOfLife => {}
    }
}

fn each<'a>(served: &'a Served<'a>) -> impl Iterator<Item = (LockId, &'a LockParams)> {
    served.locks.iter().enumerate().filter_map(|(i, p)| p.map(|p| (LockId(i as u8), p)))
}

fn lock_of<'a>(payload: &Payload, served: &'a Served<'a>) -> Option<(LockId, &'a LockParams)> {
    let lock = match *payload {
        Payload::Acquire { lock, .. }
        | Payload::Set { lock, .. }
        | Payload::Expire { lock, .. }
        | Payload::Renew { lock, .. }
        | Payload::Release { lock, .. }
        | Payload::Get { lock, .. }
        | Payload::Break { lock }
        | Payload::Ask { lock, .. } => lock,
        _ => return None,
    };
    served.locks.get(lock.index()).copied().flatten().map(|p| (lock, p))
}

/// One request, one atomic step.
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
    match *request {
        Payload::Acquire { acq, owner, ttl, margin, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            grant(key, params, ask, stored(params, ttl), now, host)
        }
        // Set-if-absent alone: a lock without an end until EXPIRE comes, for ever if it never does.
        Payload::Set { acq, owner, margin, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl: None, margin };
            grant(key, params, ask, None, now, host)
        }
        Payload::Expire { acq, ttl, margin, .. } => match &mut key.record {
            Some(r) => {
                r.until = stored(params, ttl).map(|t| now + t);
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
            Some(r) if compare == Compare::Nothing || r.owner == owner => {
                release(key, lock, params, r, Some(acq), now, host);
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
        return Payload::Refused { lock, acq };
    }
    let token = match params.token {
        TokenKind::None => None,
        TokenKind::Ordered => {
            let next = key.counter.map_or(params.first_token.get(), |n| n + 1);
            let next = if params.max_token.is_some_and(|max| next > max.get()) { 1 } else { next };
            key.counter = Some(next);
            Some(Token::new(next))
        }
        TokenKind::Random => Some(Token::new(host.number(Purpose::Token, 1_000))),
    };
    let record = Record { owner, until: ttl.map(|t| now + t), since: now, token, acq, worker };
    key.record = Some(record);
    key.blocked_until = None;
    arm(lock, params, &record, host);
    host.did(Fact::Granted(Grant {
        lock,
        acq,
        worker,
        owner,
        token,
        ttl: ask.ttl,
        margin: ask.margin,
        asked: Default::default(),
        until: record.until,
    }));
    Payload::Granted { lock, acq, token }
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
    let Asked { lock, acq, owner, worker, ttl, margin } = ask;
    let blocked = is_blocked(key, now);
    match &mut key.record {
        Some(r) if compare == Compare::Nothing || r.owner == owner => {
            if ttl == Some(Span::ZERO) {
                // PEXPIRE with zero deletes the key: a rounding mistake becomes a release.
                let r = *r;
                release(key, lock, params, r, Some(acq), now, host);
            } else {
                r.until = ttl.map(|t| now + t);
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
fn purge(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    let key = &mut s.keys[lock.index()];
    let Some(r) = &key.record else { return };
    if let Some(until) = r.until
        && host.read(params.clock) >= until
    {
        host.cancel(Slot(u16::from(lock.0)));
        host.did(Fact::Expired { lock, acq: r.acq });
        key.record = None;
        delay(key, params, until);
    }
}

/// The record vanishes without anybody's request.
fn forget(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) {
    let key = &mut s.keys[lock.index()];
    if let Some(r) = key.record.take() {
        host.cancel(Slot(u16::from(lock.0)));
        host.did(Fact::Forgotten { lock, acq: r.acq });
        delay(key, params, host.read(params.clock));
    }
}

fn delay(key: &mut Key, params: &LockParams, from: LocalTime) {
    if params.lock_delay > Span::ZERO {
        key.blocked_until = Some(from + params.lock_delay);
    }
}

/// Whether this family needs a server at all.
pub fn has_server(params: &LockParams) -> bool {
    matches!(params.family, Family::TtlKey | Family::Quorum)
}
