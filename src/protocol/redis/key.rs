//! The life of one lock's key: taken, extended, released, at its end.

use super::super::params::{LockParams, TokenKind};
use super::super::{Due, Host, Purpose, Slot};
use super::{session, shared, wake};
use crate::base::fact::Grant;
use crate::base::message::{Compare, Mode};
use crate::base::{AcqId, Fact, LocalTime, LockId, NodeId, OwnerId, Payload, Span, Thread, Token};

/// One lock's key, and what stands beside it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Key {
    pub(super) record: Option<Record>,
    /// Last token given out.
    pub(super) counter: Option<u64>,
    /// Lock-delay: nobody gets it before this reading.
    pub(super) blocked_until: Option<LocalTime>,
    /// Those who hold it where several may; then there is no `record`.
    pub(super) holders: Vec<Record>,
    /// An end of the key that is no holder's own, where extensions move only that.
    pub(super) end: Option<LocalTime>,
}

/// A stored lock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Record {
    pub(super) owner: OwnerId,
    /// End by the server's clock; `None` never ends.
    pub(super) until: Option<LocalTime>,
    pub(super) since: LocalTime,
    pub(super) token: Option<Token>,
    /// The observer's name for whose it is.
    pub(super) acq: AcqId,
    pub(super) worker: NodeId,
    /// How often its owner is in; more than once only where that is counted.
    pub(super) holds: u16,
    pub(super) mode: Mode,
}

/// Who asks for what.
pub(super) struct Asked {
    pub(super) lock: LockId,
    pub(super) acq: AcqId,
    pub(super) owner: OwnerId,
    pub(super) worker: NodeId,
    pub(super) ttl: Option<Span>,
    pub(super) margin: Span,
}

/// What is written is usually what was asked for; a unit mistake makes it something else.
pub(super) fn stored(params: &LockParams, asked: Option<Span>) -> Option<Span> {
    if params.stored_ttl == params.ttl { asked } else { params.stored_ttl }
}

#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn grant(
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
pub(super) fn store(
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
pub(super) fn made(
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
pub(super) fn mint(key: &mut Key, params: &LockParams, host: &mut impl Host) -> Option<Token> {
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
pub(super) fn told(params: &LockParams, ask: &Asked, r: &Record) -> Fact {
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

pub(super) fn is_blocked(key: &Key, now: LocalTime) -> bool {
    key.blocked_until.is_some_and(|until| now < until)
}

pub(super) fn renew(
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
pub(super) fn extend(
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

pub(super) fn extended(lock: LockId, r: &Record, by: AcqId, worker: NodeId, ttl: Option<Span>, margin: Span) -> Fact {
    Fact::Extended { lock, acq: r.acq, by, worker, ttl, margin, asked: Default::default(), until: r.until }
}

/// An old record is back, with a server or on its copy: told as granted, as its first time was.
pub(super) fn back(lock: LockId, params: &LockParams, r: &Record) -> Fact {
    let Record { acq, owner, worker, .. } = *r;
    told(params, &Asked { lock, acq, owner, worker, ttl: params.ttl, margin: Span::ZERO }, r)
}

/// A lock that must be held for a least time stays taken, ownerless, until then.
pub(super) fn release(
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
pub(super) fn arm(lock: LockId, params: &LockParams, r: &Record, host: &mut impl Host) {
    let slot = Slot(u16::from(lock.0));
    match r.until {
        Some(until) => host.timer(slot, Thread::Main, Due::Reading(params.clock, until)),
        None => host.cancel(slot),
    }
}

/// A lock was lost, not released.
pub(super) fn delay(key: &mut Key, lock: LockId, params: &LockParams, from: LocalTime, host: &mut impl Host) {
    if params.lock_delay > Span::ZERO {
        key.blocked_until = Some(from + params.lock_delay);
    }
    if params.token_restarts {
        session::delete(key, lock, host);
    }
}
