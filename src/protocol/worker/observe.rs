//! Watching a record that nobody but clients judges: acquire, renew and release where the store has no clock; and third parties that
//! look at the record of any service.
//!
//! Who wants the lock looks. No record, or one that was given back: it writes its own, on condition that nothing has changed since. A
//! record of somebody else's: it remembers which state it saw and when, by its own clock, and looks again after its retry time. When it
//! has seen one state for the whole length of a lease it replaces it, on the same condition. It counts from *after* its look, and an
//! owner counts from *before* its put: both err on the safe side.
//!
//! The whole essay is `docs/protocols/observed-record.md`.

use super::super::params::{LockParams, Takeover};
use super::super::{Due, Host, Purpose};
use super::hold::Hold;
use super::{MAIN, Op, Phase, RENEW, Setting, Worker, acquire, next_call, op_at, program};
use crate::base::fact::TryEnd;
use crate::base::message::{Compare, Topic};
use crate::base::row::{Put, Seen, Stamp, Version};
use crate::base::{ClockKind, Fact, LocalTime, LockId, Message, Payload, Span, Thread};

/// The last state of a record that this process has seen, and since when.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Observation {
    lock: LockId,
    version: Version,
    since: LocalTime,
}

/// Asks for the record of a lock. A third party looks at one server, also of a quorum.
pub(super) fn look(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) {
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Inspecting;
    let acq = (!is_third_party(w, set)).then_some(w.want.acq);
    if let Some(node) = set.nodes(lock).first() {
        host.send(*node, Message::request(Topic::Ask, w.call, Payload::Inspect { lock, acq }));
    }
    super::arm(&set.client.call_timeout, host);
}

fn is_third_party(w: &Worker, set: &Setting) -> bool {
    matches!(op_at(w, set), Some(Op::Reap { .. } | Op::Break { .. }))
}

/// The lock that the step under way looks at.
fn looked_at(w: &Worker, set: &Setting) -> LockId {
    match op_at(w, set) {
        Some(Op::Reap { lock, .. } | Op::Break { lock, .. }) => *lock,
        _ => w.want.lock,
    }
}

/// A step of a third party begins; what it has seen before does not count.
pub(super) fn begin(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) {
    w.seen.retain(|o| o.lock != lock);
    look(w, set, lock, host);
}

/// Here is the record.
pub(super) fn on_seen(w: &mut Worker, set: &Setting, payload: Payload, host: &mut impl Host) {
    host.cancel(MAIN);
    let lock = looked_at(w, set);
    let Payload::Seen { record, .. } = payload else {
        return again(w, set, TryEnd::Failed, host); // An error.
    };
    match op_at(w, set).copied() {
        Some(Op::Reap { length, .. }) => match record.filter(|r| !r.released) {
            Some(r) if unchanged(w, set, lock, r.version, host) >= length => over(w, set, host),
            Some(_) => again(w, set, TryEnd::Refused, host),
            None => {
                w.seen.retain(|o| o.lock != lock); // Nothing is there that could go stale.
                again(w, set, TryEnd::Refused, host);
            }
        },
        Some(Op::Break { older, .. }) => match record.filter(|r| !r.released) {
            Some(r) if age(r.stamp, host) >= older.unwrap_or(Span::ZERO) => program::order(w, set, lock, host),
            _ => over(w, set, host),
        },
        _ => decide(w, set, lock, record, host),
    }
}

pub(super) fn timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Ask });
    again(w, set, TryEnd::TimedOut, host);
}

/// Looks again after the retry time; a look that failed left nothing behind.
fn again(w: &mut Worker, set: &Setting, why: TryEnd, host: &mut impl Host) {
    if is_third_party(w, set) {
        let retry = host.draw(Purpose::Retry, &set.client.retry);
        w.phase = Phase::InspectWait;
        return host.timer(MAIN, Thread::Main, Due::Sleep(retry));
    }
    host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why });
    acquire::wait_to_retry(w, set, host);
}

pub(super) fn look_again(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let lock = looked_at(w, set);
    look(w, set, lock, host);
}

/// The step of a third party is done.
fn over(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.phase = Phase::After;
    program::turn(w, set, host);
}

/// How long the record has been in this state, as far as this process has seen.
fn unchanged(w: &mut Worker, set: &Setting, lock: LockId, version: Version, host: &impl Host) -> Span {
    let now = host.read(set.client.clock);
    match w.seen.iter_mut().find(|o| o.lock == lock) {
        Some(o) if o.version == version => now.since(o.since),
        Some(o) => {
            *o = Observation { lock, version, since: now };
            Span::ZERO
        }
        None => {
            w.seen.push(Observation { lock, version, since: now });
            Span::ZERO
        }
    }
}

/// How old a record is by its stamp: by this machine's wall clock, or as the service says.
fn age(stamp: Stamp, host: &impl Host) -> Span {
    match stamp {
        Stamp::At(t) => host.read(ClockKind::Wall).since(t),
        Stamp::Ago(age) => age,
    }
}

/// Whether to write, and over what.
fn decide(w: &mut Worker, set: &Setting, lock: LockId, record: Option<Seen>, host: &mut impl Host) {
    let params = &set.locks[lock.index()].params;
    let Some(r) = record else { return put(w, set, Version::ABSENT, host) };
    let mine = params.request_id && r.owner == w.want.owner;
    if r.released || mine || is_over(w, set, params, &r, host) {
        return put(w, set, r.version, host);
    }
    again(w, set, TryEnd::Refused, host);
}

/// Is the lease of whoever wrote this over, in this observer's judgement?
fn is_over(w: &mut Worker, set: &Setting, params: &LockParams, r: &Seen, host: &impl Host) -> bool {
    let own = w.want.ttl;
    let unchanged = unchanged(w, set, w.want.lock, r.version, host);
    let (length, waited) = match params.takeover {
        // The service would have to end it, and this one ends nothing.
        Takeover::Expiry => return false,
        Takeover::UnchangedOwn => (own, unchanged),
        Takeover::UnchangedRecorded => (r.ttl, unchanged),
        Takeover::Timestamp => (r.ttl, age(r.stamp, host) - params.skew_bound),
    };
    length.is_some_and(|length| waited >= length)
}

/// The conditional write that makes the lock one's own. The owner counts from before it.
fn put(w: &mut Worker, set: &Setting, expect: Version, host: &mut impl Host) {
    let acquire::Want { lock, acq, owner, ttl, .. } = w.want;
    w.want.sent = host.read(set.client.clock);
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    let stamp = host.read(ClockKind::Wall);
    let put = Put { lock, acq, owner, ttl, margin, stamp, expect, compare: Compare::Nothing };
    acquire::request(w, set, Payload::Put(put), host);
}

/// The put that extends (or gives back) what is held. A client that knows its own id in the record (or asks only for that, `any`) needs
/// to have seen no version.
#[cold]
#[inline(never)]
pub(super) fn rewrite(
    h: &Hold,
    set: &Setting,
    ttl: Option<Span>,
    compare: Compare,
    any: bool,
    host: &impl Host,
) -> Payload {
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    let any = any || set.locks[h.lock.index()].params.request_id || compare != Compare::Owner;
    Payload::Put(Put {
        lock: h.lock,
        acq: h.acq,
        owner: h.owner,
        ttl,
        margin,
        stamp: host.read(ClockKind::Wall),
        expect: if any { Version::ANY } else { h.version },
        compare,
    })
}

/// The renewal thread's call ends with its patience, if that comes first: an elected leader gives up so long after its first renewal
/// that failed, whatever it is waiting for.
#[cold]
pub(super) fn within_deadline(h: &Hold, set: &Setting, host: &mut impl Host) {
    let (Some(most), Some(since)) = (set.client.renew_deadline, h.trying) else { return };
    let left = most - host.read(set.client.clock).since(since);
    if set.client.call_timeout.is_none_or(|limit| limit.least() > left) {
        host.timer(RENEW, Thread::Renewer, Due::Sleep(left.max(Span::ZERO)));
    }
}
