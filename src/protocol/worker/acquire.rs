//! Asking for the lock until it is held, or until nobody waits for it any more.
//!
//! The first request is sent at once. On a refusal, or on a time-out (whose outcome is unknown), the client waits its retry time and
//! asks again; unless told otherwise every try is a new acquisition with a new owner id, so that a grant whose answer was lost is
//! an orphan that blocks everybody, its own client included, until it runs out.

use super::super::params::{Draw, LateGrant, OnError, OwnerIdKind, ValidFrom};
use super::super::{Ctx, Due, Out, Purpose};
use super::{Hold, MAIN, PATIENCE, Phase, Setting, Worker, hold, next_call, payload_is_failure, program, stop};
use crate::base::fact::{StopWhy, TryEnd};
use crate::base::message::{Compare, Topic};
use crate::base::{AcqId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, PointKind, Span, Thread, Token};

/// The acquisition under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Want {
    pub lock: LockId,
    pub ttl: Option<Span>,
    pub acq: AcqId,
    pub owner: OwnerId,
    /// The client's clock at the sending of this try, and of the first one.
    pub sent: LocalTime,
    pub first_sent: LocalTime,
    pub tries: u32,
}

impl Default for Want {
    fn default() -> Self {
        Want {
            lock: LockId::default(),
            ttl: None,
            acq: AcqId(u32::MAX),
            owner: OwnerId(0),
            sent: LocalTime::default(),
            first_sent: LocalTime::default(),
            tries: 0,
        }
    }
}

fn node_of(set: &Setting, lock: LockId) -> Option<NodeId> {
    set.locks.get(lock.index()).and_then(|l| l.1)
}

/// Begins an acquire step. False if there is no service to ask: the step is over at once and means nothing.
pub(super) fn begin(
    w: &mut Worker,
    set: &Setting,
    ctx: &mut Ctx,
    lock: LockId,
    ttl: Option<Option<Span>>,
    patience: Option<Draw>,
    out: &mut Out,
) -> bool {
    if node_of(set, lock).is_none() {
        return false;
    }
    let ttl = ttl.unwrap_or(set.locks[lock.index()].0.ttl);
    w.want = Want { lock, ttl, ..Want::default() };
    if let Some(patience) = patience.or(set.client.patience) {
        let patience = ctx.draw(Purpose::Patience, patience);
        out.timer(PATIENCE, Thread::Main, Due::Sleep(patience));
    }
    w.phase = Phase::Ask;
    true
}

/// Sends one try.
pub(super) fn ask(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    let lock = w.want.lock;
    let (Some(node), Some((params, _))) = (node_of(set, lock), set.locks.get(lock.index())) else { return };
    let sent = ctx.read(set.client.clock);
    let acq = ctx.acquisition();
    let first = w.want.tries == 0;
    w.want.acq = acq;
    w.want.sent = sent;
    w.want.tries += 1;
    if first {
        w.want.first_sent = sent;
    }
    w.want.owner = match set.client.owner_id {
        OwnerIdKind::PerTry => OwnerId(1 << 40 | u64::from(acq.0)),
        OwnerIdKind::PerAcquire if first => OwnerId(1 << 40 | u64::from(acq.0)),
        OwnerIdKind::PerAcquire => w.want.owner,
        OwnerIdKind::PerProcess => OwnerId(1 << 41 | u64::from(ctx.me.0) << 20 | u64::from(w.incarnation)),
        OwnerIdKind::Constant => OwnerId(1),
    };
    let Want { ttl, owner, .. } = w.want;
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    let payload = if params.acquire_two_step {
        Payload::Set { lock, acq, owner, margin }
    } else {
        Payload::Acquire { lock, acq, owner, ttl, margin }
    };
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Asking;
    out.send(node, Message::request(Topic::Acquire, w.call, payload));
    if set.client.believes_request {
        // Says "acquired" before anybody has answered; the answer will find nobody waiting.
        let until = deadline(w, set, sent, sent);
        take(w, set, ctx, None, until, out);
        w.phase = Phase::Believed;
        return program::turn(w, set, ctx, out);
    }
    if let Some(limit) = set.client.acquire_timeout {
        let limit = ctx.draw(Purpose::TimeOut, limit);
        out.timer(MAIN, Thread::Main, Due::Sleep(limit));
    }
}

/// The client's own deadline, on its own clock.
fn deadline(w: &Worker, set: &Setting, sent: LocalTime, now: LocalTime) -> Option<LocalTime> {
    let ttl = set.client.believed_ttl.unwrap_or(w.want.ttl)?;
    let from = match set.client.valid_from {
        ValidFrom::Send => sent,
        ValidFrom::FirstTry => w.want.first_sent,
        ValidFrom::Reply => now,
    };
    Some(from + ttl - set.client.margin.of(ttl))
}

pub(super) fn on_reply(w: &mut Worker, set: &Setting, ctx: &mut Ctx, message: Message, out: &mut Out) {
    match message.payload {
        Payload::Granted { token, .. } => {
            let two_step = set.locks.get(w.want.lock.index()).is_some_and(|(p, _)| p.acquire_two_step);
            out.cancel(MAIN);
            if two_step && w.phase == Phase::Asking {
                w.phase = Phase::SetDone { token };
                return out.pass(PointKind::Set, Thread::Main);
            }
            let now = ctx.read(set.client.clock);
            let until = deadline(w, set, w.want.sent, now);
            w.phase = Phase::Stamped { token, until };
            out.pass(PointKind::Stamp, Thread::Main);
        }
        ref p if payload_is_failure(p) && set.client.on_error == OnError::Fail => {
            out.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::Failed });
            stop(w, set, StopWhy::Failed, out);
        }
        ref p if payload_is_failure(p) && set.client.on_error == OnError::Proceed => {
            // Acts as if it held.
            out.cancel(MAIN);
            let now = ctx.read(set.client.clock);
            let until = deadline(w, set, w.want.sent, now);
            w.phase = Phase::Stamped { token: None, until };
            out.pass(PointKind::Stamp, Thread::Main);
        }
        ref p => {
            let why = if payload_is_failure(p) { TryEnd::Failed } else { TryEnd::Refused };
            out.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why });
            out.cancel(MAIN);
            wait_to_retry(w, set, ctx, out);
        }
    }
}

/// Second half of a two-step acquire.
pub(super) fn expire(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    let Some(node) = node_of(set, w.want.lock) else { return };
    let Want { lock, acq, ttl, .. } = w.want;
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    w.phase = Phase::Expiring;
    out.send(node, Message::request(Topic::Acquire, w.call, Payload::Expire { lock, acq, ttl, margin }));
    if let Some(limit) = set.client.acquire_timeout {
        let limit = ctx.draw(Purpose::TimeOut, limit);
        out.timer(MAIN, Thread::Main, Due::Sleep(limit));
    }
}

/// A grant is here and the deadline is known: hold it, or find that it came too late.
pub(super) fn stamped(
    w: &mut Worker,
    set: &Setting,
    ctx: &mut Ctx,
    token: Option<Token>,
    until: Option<LocalTime>,
    out: &mut Out,
) {
    let now = ctx.read(set.client.clock);
    if set.client.elapsed_check && until.is_some_and(|u| now >= u) {
        out.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::Refused });
        return withdraw(w, set, ctx, out);
    }
    take(w, set, ctx, token, until, out);
    w.phase = Phase::Believed;
    out.pass(PointKind::Belief, Thread::Main);
}

/// From here on the worker believes.
fn take(w: &mut Worker, set: &Setting, ctx: &mut Ctx, token: Option<Token>, until: Option<LocalTime>, out: &mut Out) {
    out.cancel(PATIENCE);
    let Want { lock, acq, owner, ttl, sent, .. } = w.want;
    let hold = Hold { lock, acq, owner, token, ttl, until, confirmed: sent, since: sent, renewals: 0, believes: true };
    w.holds.retain(|h| h.lock != lock);
    w.holds.push(hold);
    w.number = 0;
    if !set.client.cache_kept {
        w.bases.clear();
    }
    out.did(Fact::Believed { lock, acq, token, until, clock: set.client.clock });
    hold::begin_watch(w, set, ctx, out);
}

pub(super) fn timed_out(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    out.did(Fact::TimedOut { topic: Topic::Acquire });
    out.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::TimedOut });
    withdraw(w, set, ctx, out);
}

/// A failed try may have left a record behind; some clients clean it up before they wait.
fn withdraw(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    match node_of(set, w.want.lock) {
        Some(node) if set.client.cleanup => {
            w.call = next_call(w, Thread::Main);
            w.phase = Phase::Withdrawing;
            out.send(node, withdrawal(w.call, &w.want));
            super::arm_call(set, ctx, out);
        }
        _ => wait_to_retry(w, set, ctx, out),
    }
}

fn withdrawal(call: crate::base::CallId, want: &Want) -> Message {
    let Want { lock, acq, owner, .. } = *want;
    Message::request(Topic::Withdraw, call, Payload::Release { lock, acq, owner, compare: Compare::Owner })
}

pub(super) fn withdrawn(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    out.cancel(MAIN);
    wait_to_retry(w, set, ctx, out);
}

fn wait_to_retry(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    if set.client.attempts.is_some_and(|most| w.want.tries >= most) {
        out.cancel(PATIENCE);
        return program::skip_round(w, set, ctx, out);
    }
    let retry = ctx.draw(Purpose::Retry, set.client.retry);
    w.phase = Phase::RetryWait;
    out.timer(MAIN, Thread::Main, Due::Sleep(retry));
}

/// The caller gives up; its request may still be carried out.
pub(super) fn out_of_patience(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    if matches!(w.phase, Phase::Asking | Phase::Expiring | Phase::RetryWait | Phase::Withdrawing) {
        if matches!(w.phase, Phase::Asking | Phase::Expiring) {
            out.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::TimedOut });
        }
        out.cancel(MAIN);
        w.call = Default::default();
        program::skip_round(w, set, ctx, out);
    }
}

/// An answer that nobody waits for any more; a late grant may be handed back.
pub(super) fn late_answer(w: &mut Worker, set: &Setting, message: Message, out: &mut Out) {
    if let Payload::Granted { lock, acq, .. } = message.payload
        && set.client.late_grant == LateGrant::Release
        && w.holds.iter().all(|h| h.acq != acq)
        && let Some(node) = node_of(set, lock)
    {
        // The id of that try is gone from the state; it is a function of the try's number for per-try ids, else the current one.
        let owner = match set.client.owner_id {
            OwnerIdKind::PerTry => OwnerId(1 << 40 | u64::from(acq.0)),
            _ => w.want.owner,
        };
        let call = next_call(w, Thread::Main);
        let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
        out.send(node, Message::request(Topic::Withdraw, call, payload));
    }
}
