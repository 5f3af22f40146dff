//! A record in a store that has no clock: a row of a table, an object in a bucket, a lease object of a cluster.
//!
//! The store does one thing: it writes a record if the record is what the writer thinks it is, in one atomic step. It ends nothing by
//! itself. Who wants the lock looks at the record, and replaces it after a time by its own judgement (`worker/observe.rs`).
//!
//! The whole essay is `docs/protocols/observed-record.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/observed-record.md")]

use super::params::{LockParams, Takeover, TokenKind};
use super::{Host, Input, Purpose};
use crate::base::fact::{Grant, Share};
use crate::base::message::{Compare, Topic};
use crate::base::prng::mix;
use crate::base::row::{Put, Seen, Stamp, Version};
use crate::base::{AcqId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, Span, Token};

/// What the store knows: a row for each lock, by `LockId`. It is replicated inside, so a crash keeps all of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Store {
    rows: Vec<Row>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Row {
    record: Option<Record>,
    /// A column that grows with each owner; it stays when an owner gives the lock back.
    counter: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Record {
    owner: OwnerId,
    version: Version,
    /// The length of the lease, as the owner wrote it down.
    ttl: Option<Span>,
    /// When it was last written, by the clock of the writer or of the store.
    stamp: LocalTime,
    released: bool,
    token: Option<Token>,
    /// The observer's name for whose it is.
    acq: AcqId,
    worker: NodeId,
}

impl Store {
    pub fn new(locks: usize) -> Store {
        Store { rows: vec![Row::default(); locks] }
    }

    /// Whose record of this lock stands: what a transaction of the same store reads.
    pub fn owner(&self, lock: usize) -> Option<OwnerId> {
        self.rows.get(lock).and_then(standing).map(|r| r.owner)
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self) {
        self.rows.fill(Row::default());
    }
}

/// `locks`, by `LockId`: what this store serves.
pub fn on_input(s: &mut Store, locks: &[Option<&LockParams>], input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, .. } => {
            let Some((lock, params)) = lock_of(&message.payload, locks) else { return };
            let answer = on_request(&mut s.rows[lock.index()], lock, params, from, message, host);
            host.send(from, message.answer(answer));
        }
        Input::Evict { lock } => {
            for (i, row) in s.rows.iter_mut().enumerate() {
                let id = LockId(i as u8);
                if locks.get(i).is_some_and(Option::is_some) && lock.is_none_or(|l| l == id) {
                    forget(row, id, host);
                }
            }
        }
        Input::Expire { worker } => {
            for (i, row) in s.rows.iter_mut().enumerate() {
                if row.record.is_some_and(|r| r.worker == worker) {
                    forget(row, LockId(i as u8), host);
                }
            }
        }
        // It sets no timers, has no program, knows no connections, and what it has stored is stored.
        Input::Start
        | Input::Disconnected { .. }
        | Input::Cancel
        | Input::ShutDown
        | Input::Demoted
        | Input::Merged { .. }
        | Input::Timer { .. }
        | Input::Go { .. }
        | Input::Crash { .. }
        | Input::ThreadDied { .. }
        | Input::EndOfLife
        | Input::Promoted
        | Input::Replaced => {}
    }
}

fn lock_of<'a>(payload: &Payload, locks: &[Option<&'a LockParams>]) -> Option<(LockId, &'a LockParams)> {
    let lock = match *payload {
        Payload::Inspect { lock, .. }
        | Payload::Put(Put { lock, .. })
        | Payload::Release { lock, .. }
        | Payload::Ask { lock, .. }
        | Payload::Break { lock } => lock,
        _ => return None,
    };
    locks.get(lock.index()).copied().flatten().map(|p| (lock, p))
}

/// One request, one atomic step.
fn on_request(
    row: &mut Row,
    lock: LockId,
    params: &LockParams,
    from: NodeId,
    m: &Message,
    host: &mut impl Host,
) -> Payload {
    match m.payload {
        Payload::Inspect { .. } => Payload::Seen { lock, record: row.record.map(|r| seen(&r, params, host)) },
        Payload::Put(p) => {
            let met = is_met(row, params, &p, host);
            match m.kind.topic {
                Topic::Release | Topic::Withdraw => release(row, lock, p.acq, met, from, host),
                topic => write(row, params, topic, from, Version::of(from, m.call), p, met, host),
            }
        }
        // Of a client that hands a late grant back: it knows its id and no version.
        Payload::Release { acq, owner, compare, .. } => {
            let met = standing(row).is_some_and(|r| compare.meets(r.owner, owner));
            release(row, lock, acq, met, from, host)
        }
        Payload::Ask { owner, re, .. } => {
            Payload::Answer { lock, owns: standing(row).is_some_and(|r| r.owner == owner), re }
        }
        Payload::Break { .. } => {
            if let Some(r) = standing(row) {
                host.did(Fact::Released { lock, acq: r.acq, by: None });
            }
            row.record = None;
            Payload::Broken { lock }
        }
        _ => Payload::Failed,
    }
}

/// The record, unless its owner has given it back.
fn standing(row: &Row) -> Option<Record> {
    row.record.filter(|r| !r.released)
}

fn seen(r: &Record, params: &LockParams, host: &impl Host) -> Seen {
    let stamp = match params.stamped_by_client {
        true => Stamp::At(r.stamp),
        // By its own clock alone: what that shows now goes with every answer.
        false => Stamp::Ago(host.read(params.clock).since(r.stamp)),
    };
    Seen { acq: r.acq, owner: r.owner, version: r.version, released: r.released, ttl: r.ttl, stamp }
}

/// The condition: the state that the writer has seen is still the state, and the record is the writer's, if that was asked. Where stamps
/// count, a store may insist that the end does not move back: whose clock was set back waits until it has caught up.
fn is_met(row: &Row, params: &LockParams, p: &Put, host: &impl Host) -> bool {
    let version = row.record.map_or(Version::ABSENT, |r| r.version);
    let expected = p.expect == Version::ANY || p.expect == version;
    expected
        && match standing(row) {
            Some(r) => p.compare.meets(r.owner, p.owner) && !moves_back(&r, params, p, host),
            None => matches!(p.compare, Compare::Nothing | Compare::OwnerOrAbsent),
        }
}

fn moves_back(r: &Record, params: &LockParams, p: &Put, host: &impl Host) -> bool {
    let judged = params.end_is_monotone && params.takeover == Takeover::Timestamp;
    let ends = |stamp: LocalTime, ttl: Option<Span>| ttl.map(|t| stamp + t);
    judged && ends(stamp(params, p, host), p.ttl).zip(ends(r.stamp, r.ttl)).is_some_and(|(new, old)| new < old)
}

/// A put that acquires or renews.
#[allow(clippy::too_many_arguments)]
fn write(
    row: &mut Row,
    params: &LockParams,
    topic: Topic,
    worker: NodeId,
    version: Version,
    p: Put,
    met: bool,
    host: &mut impl Host,
) -> Payload {
    let Put { lock, acq, owner, ttl, margin, .. } = p;
    let renews = topic == Topic::Renew;
    if !met {
        if renews {
            host.did(Fact::NotExtended { lock, by: acq, worker });
            return Payload::NotExtended { lock, acq };
        }
        host.did(Fact::Refused { lock, acq, worker });
        return Payload::Refused { lock, acq };
    }
    let before = standing(row);
    let stamp = stamp(params, &p, host);
    // The same owner again: it extends what it has. A client that knows its own id in the record takes that for the answer it lost.
    if let Some(r) = before
        && r.owner == owner
        && (renews || params.request_id)
    {
        row.record = Some(Record { version, ttl, stamp, ..r });
        let (by, asked) = (if renews { acq } else { r.acq }, Default::default());
        host.did(Fact::Extended { lock, acq: r.acq, by, worker, ttl, margin, asked, until: None });
        return match renews {
            true => Payload::Extended { lock, acq },
            false => Payload::Granted { lock, acq: r.acq, token: r.token },
        };
    }
    if let Some(r) = before {
        host.did(Fact::TakenOver { lock, acq: r.acq, by: acq });
    }
    let token = match params.token {
        TokenKind::None | TokenKind::Resource => None,
        TokenKind::Ordered | TokenKind::Memory => {
            let next = row.counter.map_or(params.first_token.get(), |n| n + 1);
            let next = if params.max_token.is_some_and(|max| next > max.get()) { 1 } else { next };
            row.counter = Some(next);
            Some(Token::new(next))
        }
        TokenKind::Random => Some(Token::new(host.number(Purpose::Token, 1_000))),
    };
    row.record = Some(Record { owner, version, ttl, stamp, released: false, token, acq, worker });
    let (asked, until) = (Default::default(), None);
    host.did(Fact::Granted(Grant { lock, acq, worker, owner, token, ttl, margin, asked, until, share: Share::Alone }));
    Payload::Granted { lock, acq, token }
}

/// What is stored as the time of this write.
fn stamp(params: &LockParams, p: &Put, host: &impl Host) -> LocalTime {
    if params.stamped_by_client { p.stamp } else { host.read(params.clock) }
}

/// Given back: the record is marked and stays, with its counter.
fn release(row: &mut Row, lock: LockId, by: AcqId, met: bool, worker: NodeId, host: &mut impl Host) -> Payload {
    match &mut row.record {
        Some(r) if met && !r.released => {
            r.released = true;
            host.did(Fact::Released { lock, acq: r.acq, by: Some(by) });
            Payload::Released { lock, acq: by }
        }
        _ => {
            host.did(Fact::NotHeld { lock, by, worker });
            Payload::NotHeld { lock, acq: by }
        }
    }
}

/// The row vanishes without anybody's request, and its counter with it.
fn forget(row: &mut Row, lock: LockId, host: &mut impl Host) {
    if let Some(r) = standing(row) {
        host.did(Fact::Forgotten { lock, acq: r.acq });
    }
    *row = Row::default();
}

/// A lease of a service with a clock, for somebody who only looks. Its end is what changes with every extension; how long it was extended
/// for is not stored.
#[cold]
pub(super) fn lease_seen(
    acq: AcqId,
    owner: OwnerId,
    until: Option<LocalTime>,
    ttl: Option<Span>,
    since: LocalTime,
) -> Seen {
    let written = until.zip(ttl).map_or(since, |(until, ttl)| until - ttl);
    let version = Version(mix(u64::from(acq.0), until.map_or(0, |u| u.as_us() as u64)) as u32);
    Seen { acq, owner, version, released: false, ttl: None, stamp: Stamp::At(written.max(since)) }
}
