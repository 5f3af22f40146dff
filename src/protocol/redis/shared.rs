//! Locks that several hold at once, and locks that count how often their owner is in.
//!
//! A mutex that counts is one record with a number beside it: its owner is recognised, counted up under the same or a new token, and
//! given a whole lease again; each release counts down, and the last one removes the record. A read-write lock and a semaphore have
//! one record for each holder. Whose end counts then is a matter of the service: each its own, or that of the whole key, which is
//! the latest of all or whatever was said last.
//!
//! The whole essay is `docs/protocols/kinds.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../../docs/protocols/kinds.md")]

use super::super::params::{LockKind, LockParams, Reentrant, SharedTtl};
use super::super::{Due, Host, Slot};
use super::key::{Asked, Key, Record, delay, extend, extended, grant, is_blocked, made, mint, stored, told};
use super::session;
use crate::base::message::{Compare, Mode};
use crate::base::{AcqId, Fact, LocalTime, LockId, NodeId, Payload, Span, Thread};

// ------------------------------------------------------------------ a mutex that counts

/// Acquire at a mutex that counts.
#[cold]
pub(super) fn enter_mutex(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    n: u16,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    match key.record {
        Some(r) if r.owner == ask.owner => {
            let mut r = r;
            let answer = once_more(key, &mut r, params, &ask, n, host);
            if answer.1 {
                r.until = session::end(params, stored(params, ask.ttl), now);
                super::arm(ask.lock, params, &r, host);
                host.did(reentered(&ask, &r, r.until));
            }
            key.record = Some(r);
            answer.0
        }
        _ => {
            let ttl = stored(params, ask.ttl);
            grant(key, params, ask, ttl, now, host)
        }
    }
}

/// Counts the owner of a record once more, unless this call was counted before. The answer, and whether it was counted.
fn once_more(
    key: &mut Key,
    r: &mut Record,
    params: &LockParams,
    ask: &Asked,
    n: u16,
    host: &mut impl Host,
) -> (Payload, bool) {
    let repeated = params.request_id && r.holds >= n;
    if !repeated {
        r.holds += 1;
        if params.kind.reentrant == Reentrant::NewToken {
            r.token = mint(key, params, host);
        }
    }
    (Payload::Granted { lock: ask.lock, acq: r.acq, token: r.token }, !repeated)
}

fn reentered(ask: &Asked, r: &Record, until: Option<LocalTime>) -> Fact {
    Fact::Reentered {
        lock: ask.lock,
        acq: r.acq,
        by: ask.acq,
        worker: ask.worker,
        token: r.token,
        holds: r.holds,
        ttl: ask.ttl,
        margin: ask.margin,
        asked: Default::default(),
        until,
    }
}

/// A release that is not the last one of its owner.
#[cold]
pub(super) fn count_down(r: Option<&mut Record>, lock: LockId, by: AcqId, host: &mut impl Host) {
    if let Some(r) = r {
        r.holds -= 1;
        host.did(Fact::CountedDown { lock, acq: r.acq, by, holds: r.holds });
    }
}

/// An extension that brings a new token: what was sent under the old one is an older owner's.
#[cold]
pub(super) fn renew_anew(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    compare: Compare,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    let (lock, acq) = (ask.lock, ask.acq);
    let answer = extend(key, params, ask, compare, now, host);
    if matches!(answer, Payload::Extended { .. }) && key.record.is_some() {
        let token = mint(key, params, host);
        if let Some(r) = &mut key.record {
            r.token = token;
        }
        return Payload::Granted { lock, acq, token };
    }
    answer
}

// ------------------------------------------------------------------ several holders

/// One request about a lock that several may hold, one atomic step.
#[cold]
pub(super) fn on_request(
    key: &mut Key,
    lock: LockId,
    params: &LockParams,
    worker: NodeId,
    request: &Payload,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    let own = |key: &Key, owner| key.holders.iter().position(|r| r.owner == owner);
    // Whoever compares nothing gets at the first holder if it has no entry itself.
    let hit = |key: &Key, owner, compare| {
        own(key, owner).or((compare == Compare::Nothing && !key.holders.is_empty()).then_some(0))
    };
    match *request {
        Payload::Enter { acq, owner, ttl, margin, mode, n, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            enter(key, params, ask, mode, n, now, host)
        }
        Payload::Renew { acq, owner, ttl, margin, compare, .. } => {
            let Some(i) = hit(key, owner, compare) else {
                host.did(Fact::NotExtended { lock, by: acq, worker });
                return Payload::NotExtended { lock, acq };
            };
            if ttl == Some(Span::ZERO) {
                leave(key, lock, i, Some(acq), host);
            } else {
                let until = session::end(params, ttl, now);
                if params.kind.renews_key_only {
                    key.end = until;
                } else {
                    set_end(key, params, i, until);
                }
                let told = Record { until: end_of(key, params, i), ..key.holders[i] };
                host.did(extended(lock, &told, acq, worker, ttl, margin));
            }
            arm(key, lock, params, host);
            Payload::Extended { lock, acq }
        }
        Payload::Release { acq, owner, compare, .. } => {
            let Some(i) = hit(key, owner, compare) else {
                host.did(Fact::NotHeld { lock, by: acq, worker });
                return Payload::NotHeld { lock, acq };
            };
            if key.holders[i].holds > 1 {
                count_down(key.holders.get_mut(i), lock, acq, host);
            } else {
                leave(key, lock, i, Some(acq), host);
                purge(key, lock, params, now, host);
            }
            Payload::Released { lock, acq }
        }
        Payload::Get { acq, owner, .. } => Payload::Owned { lock, acq, mine: own(key, owner).is_some() },
        Payload::Ask { owner, re, .. } => Payload::Answer { lock, owns: own(key, owner).is_some(), re },
        Payload::Break { .. } => {
            while !key.holders.is_empty() {
                leave(key, lock, 0, None, host);
            }
            arm(key, lock, params, host);
            Payload::Broken { lock }
        }
        _ => Payload::Failed,
    }
}

fn enter(
    key: &mut Key,
    params: &LockParams,
    ask: Asked,
    mode: Mode,
    n: u16,
    now: LocalTime,
    host: &mut impl Host,
) -> Payload {
    let Asked { lock, acq, worker, .. } = ask;
    let kind = &params.kind;
    let own = key.holders.iter().position(|r| r.owner == ask.owner);
    let until = session::end(params, stored(params, ask.ttl), now);
    let semaphore = kind.holders == LockKind::Semaphore;
    if let Some(i) = own
        && matches!(mode, Mode::Read | Mode::Write)
        && !semaphore
        && kind.reentrant != Reentrant::No
        // Who reads and asks to write is not let in once more; it waits for the readers to go, as everybody does.
        && (mode == Mode::Read || key.holders[i].mode == Mode::Write)
    {
        let mut r = key.holders[i];
        let (answer, counted) = once_more(key, &mut r, params, &ask, n, host);
        key.holders[i] = r;
        if counted {
            set_end(key, params, i, until);
            let until = end_of(key, params, i);
            host.did(reentered(&ask, &r, until));
            arm(key, lock, params, host);
        }
        return answer;
    }
    if let Some(i) = own
        && params.request_id
        && key.holders[i].holds >= n
        && matches!(mode, Mode::Read | Mode::Write)
    {
        let r = &key.holders[i];
        return Payload::Granted { lock, acq: r.acq, token: r.token };
    }
    let others = key.holders.len() - usize::from(own.is_some());
    let free = match mode {
        _ if semaphore => key.holders.len() < usize::from(kind.permits),
        Mode::Write => key.holders.is_empty(),
        Mode::Read => key.holders.iter().all(|r| r.mode == Mode::Read),
        Mode::Upgrade => others == 0 && (own.is_none() || !kind.waits_for_own_read),
        Mode::Downgrade => key.holders.iter().enumerate().all(|(i, r)| own == Some(i) || r.mode == Mode::Read),
    };
    if !free || is_blocked(key, now) {
        host.did(Fact::Refused { lock, acq, worker });
        if super::wake::tells(params) && !free {
            // When the next of them ends, at the latest something may be had.
            let next = (0..key.holders.len()).filter_map(|i| end_of(key, params, i)).min();
            return super::wake::taken(lock, acq, next, now);
        }
        return Payload::Refused { lock, acq };
    }
    // From reading to writing, or back: its entry is replaced in one step, so that nobody comes between.
    let before = own.filter(|_| !semaphore).map(|i| key.holders.remove(i));
    if let Some(r) = before {
        host.did(Fact::Released { lock, acq: r.acq, by: Some(r.acq) });
    }
    let mut record = made(key, params, &ask, None, now, host);
    record.mode = if kind.share(mode) == crate::base::fact::Share::Read { Mode::Read } else { Mode::Write };
    record.holds = before.map_or(1, |r| r.holds);
    key.holders.push(record);
    key.blocked_until = None;
    let i = key.holders.len() - 1;
    set_end(key, params, i, until);
    arm(key, lock, params, host);
    let shown = Record { until: end_of(key, params, i), ..key.holders[i] };
    host.did(told(params, &ask, &shown));
    Payload::Granted { lock, acq, token: record.token }
}

/// Takes one entry out.
fn leave(key: &mut Key, lock: LockId, i: usize, by: Option<AcqId>, host: &mut impl Host) {
    let r = key.holders.remove(i);
    host.did(Fact::Released { lock, acq: r.acq, by });
    // What the key's end is without it follows from those who are left.
    key.end = None;
}

// ------------------------------------------------------------------ ends

/// Do all entries go when the key does, and not before?
fn goes_as_one(params: &LockParams) -> bool {
    params.kind.shared_ttl != SharedTtl::PerHolder || params.kind.renews_key_only
}

fn set_end(key: &mut Key, params: &LockParams, i: usize, until: Option<LocalTime>) {
    match params.kind.shared_ttl {
        SharedTtl::Overwrite => key.holders.iter_mut().for_each(|r| r.until = until),
        SharedTtl::PerHolder | SharedTtl::Max => key.holders[i].until = until,
    }
}

/// When this entry is gone; `None`: never by itself.
fn end_of(key: &Key, params: &LockParams, i: usize) -> Option<LocalTime> {
    let own = key.holders[i].until?;
    if !goes_as_one(params) {
        return Some(own);
    }
    let mut end = own.max(key.end.unwrap_or(own));
    for r in &key.holders {
        end = end.max(r.until?);
    }
    Some(end)
}

/// Sets the timer of the earliest end.
fn arm(key: &Key, lock: LockId, params: &LockParams, host: &mut impl Host) {
    let slot = Slot(u16::from(lock.0));
    match (0..key.holders.len()).filter_map(|i| end_of(key, params, i)).min() {
        Some(until) => host.timer(slot, Thread::Main, Due::Reading(params.clock, until)),
        None => host.cancel(slot),
    }
}

/// Removes the entries whose end has come.
#[cold]
pub(super) fn purge(key: &mut Key, lock: LockId, params: &LockParams, now: LocalTime, host: &mut impl Host) {
    let mut over = Vec::new();
    for i in 0..key.holders.len() {
        over.push(end_of(key, params, i).filter(|end| now >= *end));
    }
    for i in (0..over.len()).rev() {
        if let Some(until) = over[i] {
            let r = key.holders.remove(i);
            host.did(Fact::Expired { lock, acq: r.acq });
            key.end = None;
            delay(key, lock, params, until, host);
        }
    }
    arm(key, lock, params, host);
}

/// The entries of this worker run out now.
#[cold]
pub(super) fn expire_of(key: &mut Key, lock: LockId, params: &LockParams, worker: NodeId, host: &mut impl Host) {
    for i in (0..key.holders.len()).rev() {
        if key.holders[i].worker == worker {
            let r = key.holders.remove(i);
            host.did(Fact::Expired { lock, acq: r.acq });
            delay(key, lock, params, host.read(params.clock), host);
        }
    }
    arm(key, lock, params, host);
}

/// Every entry vanishes without anybody's request.
#[cold]
pub(super) fn forget(key: &mut Key, lock: LockId, params: &LockParams, host: &mut impl Host) {
    for r in std::mem::take(&mut key.holders) {
        host.did(Fact::Forgotten { lock, acq: r.acq });
    }
    key.end = None;
    delay(key, lock, params, host.read(params.clock), host);
    arm(key, lock, params, host);
}

/// Every entry begins anew at full length.
#[cold]
pub(super) fn rearm(key: &mut Key, lock: LockId, params: &LockParams, now: LocalTime, host: &mut impl Host) {
    for r in &mut key.holders {
        r.until = session::end(params, params.ttl.filter(|_| r.until.is_some()), now);
    }
    arm(key, lock, params, host);
}

/// A crash: entries that the disk does not have are forgotten.
pub(super) fn lost(key: &Key, kept: &Key, lock: LockId, host: &mut impl Host) {
    for r in key.holders.iter().filter(|r| kept.holders.iter().all(|k| k.acq != r.acq)) {
        host.cancel(Slot(u16::from(lock.0)));
        host.did(Fact::Forgotten { lock, acq: r.acq });
    }
}

/// Older entries are back, perhaps such as their owners had released.
pub(super) fn back(key: &Key, before: &Key, lock: LockId, params: &LockParams, host: &mut impl Host) {
    for r in key.holders.iter().filter(|r| before.holders.iter().all(|k| k.acq != r.acq)) {
        host.did(super::key::back(lock, params, r));
    }
    if !key.holders.is_empty() {
        arm(key, lock, params, host);
    }
}
