//! Asking for the lock until it is held, or until nobody waits for it any more.
//!
//! The first request is sent at once. On a refusal, or on a time-out (whose outcome is unknown), the client waits its retry time and
//! asks again; unless told otherwise every try is a new acquisition with a new owner id, so that a grant whose answer was lost is
//! an orphan that blocks everybody, its own client included, until it runs out.

use super::super::params::{Cleanup, Draw, Family, LateGrant, Locks, OnError, OwnerIdKind, ValidFrom};
use super::super::{Due, Host, Purpose};
use super::hold::{self, Hold};
use super::patience::{self, Tried};
use super::{
    LOOSE, MAIN, PATIENCE, Phase, Setting, Worker, ballot, connect, kinds, next_call, observe, payload_is_failure,
    program, session, stop, wait,
};
use crate::base::fact::{StopWhy, TryEnd};
use crate::base::message::{Compare, Mode, Topic};
use crate::base::row::Version;
use crate::base::{AcqId, Fact, LocalTime, LockId, Message, OwnerId, Payload, PointKind, Span, Thread, Token};

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
    /// Which nodes of a quorum granted this try, one bit each.
    pub yes: u16,
    pub mode: Mode,
    /// All locks of the step, if they are several; which of them this try is for, which were got, and how many were not.
    pub locks: Locks,
    pub place: u8,
    pub got: u16,
    pub missed: u8,
    /// What was got is being given back.
    pub rolling: bool,
    /// There is no other try after this one.
    pub last: bool,
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
            yes: 0,
            mode: Mode::Write,
            locks: Locks::default(),
            place: 0,
            got: 0,
            missed: 0,
            rolling: false,
            last: false,
        }
    }
}

/// Begins an acquire step. False if there is no service to ask: the step is over at once and means nothing.
pub(super) fn begin(
    w: &mut Worker,
    set: &Setting,
    lock: LockId,
    ttl: Option<Option<Span>>,
    patience: Option<Draw>,
    host: &mut impl Host,
) -> bool {
    if set.nodes(lock).is_empty() {
        return false;
    }
    if !set.client.remembers {
        w.seen.clear();
    }
    let params = &set.locks[lock.index()].params;
    let ttl = ttl.unwrap_or(params.ttl).filter(|_| params.family != Family::Connection);
    w.want = Want { lock, ttl, ..Want::default() };
    if let Some(patience) = patience.or(set.client.patience) {
        patience::begin(w, &patience, host);
    }
    w.phase = Phase::Ask;
    true
}

/// Sends one try.
pub(super) fn ask(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if let Some(payload) = next_try(w, set, host) {
        request(w, set, payload, host);
    }
}

/// Sends the request that makes the lock one's own.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn request(w: &mut Worker, set: &Setting, payload: Payload, host: &mut impl Host) {
    let Want { lock, owner, sent, .. } = w.want;
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Asking;
    let request = Message::request(Topic::Acquire, w.call, payload);
    if set.client.believes_request {
        ballot::tell(set, lock, request, host);
    } else {
        ballot::ask(w, set, lock, request, host);
    }
    if set.client.late_grant == LateGrant::Release {
        patience::remember(w, Tried { call: w.call, lock, owner });
    }
    if set.client.believes_request {
        // Says "acquired" before anybody has answered; the answer will find nobody waiting.
        let until = deadline(w, set, sent, sent);
        w.phase = Phase::Stamped { token: None, until };
        if host.pass(PointKind::Stamp, Thread::Main) {
            program::turn(w, set, host);
        }
        return;
    }
    ballot::arm(set, lock, Topic::Acquire, Thread::Main, host);
}

/// What the next try says; it is a new acquisition.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn next_try(w: &mut Worker, set: &Setting, host: &mut impl Host) -> Option<Payload> {
    let lock = w.want.lock;
    let params = set.locks.get(lock.index()).map(|l| &l.params)?;
    let sent = host.read(set.client.clock);
    let acq = host.acquisition();
    let first = w.want.tries == 0;
    let before = w.want.owner;
    w.want.acq = acq;
    w.want.sent = sent;
    w.want.yes = 0;
    w.want.tries += 1;
    if first {
        w.want.first_sent = sent;
    }
    // A fresh id: the client draws it at random, which for us means that nobody else has it.
    let fresh = OwnerId(1 << 30 | acq.0);
    w.want.owner = match set.client.owner_id {
        // A service that names owners itself names each request anew, unless it recognises a repeated one.
        _ if params.mints_ids && (first || !params.request_id) => fresh,
        _ if params.mints_ids => w.want.owner,
        _ if params.family == Family::Connection => connect::current(w, set, host),
        OwnerIdKind::PerTry => fresh,
        OwnerIdKind::PerAcquire if first => fresh,
        OwnerIdKind::PerAcquire => w.want.owner,
        OwnerIdKind::PerProcess => OwnerId(1 << 31 | u32::from(host.me().0) << 16 | w.incarnation & 0xffff),
        OwnerIdKind::Constant => OwnerId(1),
        OwnerIdKind::Stamp => stamp_id(host.read(crate::base::ClockKind::Wall)),
        // Nothing is stored that could tell one owner from another.
        OwnerIdKind::None => OwnerId(2),
    };
    if params.family == Family::Record {
        observe::look(w, set, lock, host);
        return None; // What it says depends on what it sees.
    }
    let Want { ttl, owner, .. } = w.want;
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    Some(if set.is_line(lock) {
        session::request(w, set, first, before)
    } else if !params.kind.is_plain() {
        kinds::entry(w, set, margin)
    } else if params.acquire_two_step {
        Payload::Set { lock, acq, owner, margin }
    } else {
        // A lock that lives with a connection has no lease: zero says that the client does not wait in the queue.
        let ttl = if w.want.last && params.family == Family::Connection { Some(Span::ZERO) } else { ttl };
        Payload::Acquire { lock, acq, owner, ttl, margin }
    })
}

/// A time stamp as an owner id: two clients that ask in one millisecond of their clocks have the same. It tells some days apart.
#[cold]
fn stamp_id(now: LocalTime) -> OwnerId {
    OwnerId(1 << 29 | (now.as_us().div_euclid(1_000) + (1 << 28)) as u32 & 0x1fff_ffff)
}

/// The same where a session is what counts.
#[cold]
pub(super) fn deadline_of(
    w: &Worker,
    set: &Setting,
    lock: LockId,
    ttl: Option<Span>,
    host: &impl Host,
) -> Option<LocalTime> {
    let ttl = set.client.believed_ttl.unwrap_or(ttl)?;
    let now = host.read(set.client.clock);
    // A lock without a session is believed in from now on, for what that is worth.
    let (sent, heard) = session::confirmed(w, set, lock).unwrap_or((now, now));
    let from = if set.client.valid_from == ValidFrom::Reply { heard } else { sent };
    Some(from + ttl - set.client.margin.of(ttl))
}

/// The client's own deadline, on its own clock.
fn deadline(w: &Worker, set: &Setting, sent: LocalTime, now: LocalTime) -> Option<LocalTime> {
    let ttl = set.client.believed_ttl.unwrap_or(w.want.ttl)?;
    let from = match set.client.valid_from {
        ValidFrom::Send => sent,
        ValidFrom::FirstTry => w.want.first_sent,
        ValidFrom::Reply => now,
        ValidFrom::Quorum if set.is_quorum(w.want.lock) => w.decided,
        ValidFrom::Quorum => now,
    };
    Some(from + ttl - set.client.margin.of(ttl))
}

#[inline(always)]
pub(super) fn on_reply(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    match message.payload {
        Payload::Queued { .. } | Payload::SessionOver { .. } => session::on_answer(w, set, message, host),
        Payload::Granted { acq, token, .. } => {
            // Where a repeated request gets its first answer, the tenure is that of the first.
            w.want.acq = acq;
            if set.is_line(w.want.lock) {
                return session::on_answer(w, set, message, host);
            }
            let two_step = set.locks.get(w.want.lock.index()).is_some_and(|l| l.params.acquire_two_step);
            host.cancel(MAIN);
            if two_step && w.phase == Phase::Asking {
                w.phase = Phase::SetDone { token };
                if host.pass(PointKind::Set, Thread::Main) {
                    program::turn(w, set, host);
                }
                return;
            }
            let now = host.read(set.client.clock);
            let until = deadline(w, set, w.want.sent, now);
            w.phase = Phase::Stamped { token, until };
            if host.pass(PointKind::Stamp, Thread::Main) {
                program::turn(w, set, host);
            }
        }
        ref p if payload_is_failure(p) && set.client.on_error == OnError::Fail => {
            host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::Failed });
            stop(w, set, StopWhy::Failed, host);
        }
        ref p if payload_is_failure(p) && set.client.on_error == OnError::Proceed => {
            // Acts as if it held.
            host.cancel(MAIN);
            let now = host.read(set.client.clock);
            let until = deadline(w, set, w.want.sent, now);
            w.phase = Phase::Stamped { token: None, until };
            if host.pass(PointKind::Stamp, Thread::Main) {
                program::turn(w, set, host);
            }
        }
        ref p => {
            let why = if payload_is_failure(p) { TryEnd::Failed } else { TryEnd::Refused };
            if why == TryEnd::Refused && !w.tried.is_empty() {
                w.tried.retain(|t| t.call != message.call); // It is answered.
            }
            host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why });
            if let Payload::Taken { left, .. } = *p
                && wait::sleeps(w, set, left, host)
            {
                return;
            }
            if set.is_quorum(w.want.lock) {
                host.cancel(MAIN);
                // Some node may have granted it, or will yet.
                withdraw(w, set, host);
            } else if w.want.locks.len() < 2 || !kinds::missed(w, set, host) {
                wait_to_retry(w, set, host);
            }
        }
    }
}

/// Second half of a two-step acquire.
pub(super) fn expire(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Want { lock, acq, ttl, owner, .. } = w.want;
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    w.phase = Phase::Expiring;
    // A call of its own, so that a late answer to the first half is none to the second.
    w.call = next_call(w, Thread::Main);
    let request = Message::request(Topic::Acquire, w.call, Payload::Expire { lock, acq, ttl, margin });
    if set.nodes(lock).len() > 1 {
        // Only where the record is one's own: elsewhere it would prolong somebody else's.
        let yes = w.want.yes;
        ballot::ask_some(w, set, lock, yes, request, host);
    } else {
        ballot::ask(w, set, lock, request, host);
    }
    if set.client.late_grant == LateGrant::Release {
        patience::remember(w, Tried { call: w.call, lock, owner });
    }
    ballot::arm(set, lock, Topic::Acquire, Thread::Main, host);
}

/// A grant is here and the deadline is known: hold it, or find that it came too late.
pub(super) fn stamped(
    w: &mut Worker,
    set: &Setting,
    token: Option<Token>,
    until: Option<LocalTime>,
    host: &mut impl Host,
) {
    let now = host.read(set.client.clock);
    if set.client.elapsed_check && until.is_some_and(|u| now >= u) {
        host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::Refused });
        return withdraw(w, set, host);
    }
    take(w, set, token, until, host);
    if kinds::next_lock(w, set, host) {
        return;
    }
    w.phase = Phase::Believed;
    if host.pass(PointKind::Belief, Thread::Main) {
        program::turn(w, set, host);
    }
}

/// From here on the worker believes.
fn take(w: &mut Worker, set: &Setting, token: Option<Token>, until: Option<LocalTime>, host: &mut impl Host) {
    if w.want.locks.len() < 2 {
        host.cancel(PATIENCE);
    }
    wait::ends(w, set, host);
    let Want { lock, acq, owner, ttl, sent, .. } = w.want;
    if set.client.shares_id {
        host.share_id(lock, Some(owner));
    }
    let params = &set.locks[lock.index()].params;
    if !params.kind.is_plain() && kinds::entered_again(w, set, token, until, host) {
        return;
    }
    let grace = params.grace;
    let unrenewed = w.want.mode == Mode::Downgrade && set.client.stops_at_downgrade;
    let dropped = unrenewed || session::keeps(set, lock);
    let version = Version::of(host.me(), w.call);
    let hold = Hold { token, ttl, until, grace, dropped, version, ..Hold::new(lock, acq, owner, sent) };
    w.holds.retain(|h| h.lock != lock);
    w.holds.push(hold);
    w.number = 0;
    if !set.client.cache_kept {
        w.bases.clear();
    }
    host.did(Fact::Believed { lock, acq, token, until, clock: set.client.clock });
    if w.connected {
        connect::given_back(w, set, owner, host);
    }
    hold::begin_watch(w, set, host);
}

pub(super) fn timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Acquire });
    host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::TimedOut });
    withdraw(w, set, host);
}

/// A failed try may have left a record behind; some clients clean it up before they wait.
pub(super) fn withdraw(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.again = set.client.release_retry;
    let due = match set.client.cleanup {
        Cleanup::None | Cleanup::AtEnd => false,
        Cleanup::Granted => w.want.yes != 0,
        Cleanup::All => true,
        Cleanup::UnlessLate => {
            let now = host.read(set.client.clock);
            deadline(w, set, w.want.sent, now).is_none_or(|until| now < until)
        }
    };
    if due {
        send_withdrawal(w, set, host);
    } else if w.want.locks.len() < 2 || !kinds::missed(w, set, host) {
        wait_to_retry(w, set, host);
    }
}

fn send_withdrawal(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Want { lock, acq, owner, .. } = w.want;
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Withdrawing;
    let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
    let request = Message::request(Topic::Withdraw, w.call, payload);
    if set.client.cleanup == Cleanup::Granted && set.is_quorum(lock) {
        ballot::ask_some(w, set, lock, w.want.yes, request, host);
    } else {
        ballot::ask(w, set, lock, request, host);
    }
    ballot::arm(set, lock, Topic::Withdraw, Thread::Main, host);
}

pub(super) fn withdrawn(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    withdrawal_ended(w, set, message.payload != Payload::Failed, host);
}

pub(super) fn withdrawal_timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Withdraw });
    withdrawal_ended(w, set, false, host);
}

/// A clean-up call without an answer, or with an error, goes out again like a release.
fn withdrawal_ended(w: &mut Worker, set: &Setting, answered: bool, host: &mut impl Host) {
    if !answered && w.again > 0 {
        w.again -= 1;
        return send_withdrawal(w, set, host);
    }
    if set.client.cleanup == Cleanup::AtEnd {
        host.cancel(PATIENCE);
        return patience::give_up(w, set, host);
    }
    if w.want.locks.len() >= 2 {
        // Either the try was cleaned up, or one more of those that were got.
        let again = if w.want.rolling { kinds::roll_back(w, set, host) } else { kinds::missed(w, set, host) };
        if again {
            return;
        }
    }
    wait_to_retry(w, set, host);
}

/// The time to the next try takes the place of the time-out of the call that has ended.
pub(super) fn wait_to_retry(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if w.want.last || set.client.attempts.is_some_and(|most| w.want.tries >= most) {
        if set.client.cleanup == Cleanup::AtEnd {
            // Only now does this client clean up what all its tries may have left.
            return send_withdrawal(w, set, host);
        }
        host.cancel(MAIN);
        host.cancel(PATIENCE);
        return patience::give_up(w, set, host);
    }
    let retry = host.draw(Purpose::Retry, &set.client.retry);
    w.phase = Phase::RetryWait;
    let mut slot = MAIN;
    if set.client.keeps_trying && w.loose.is_none() {
        // A loop that may outlive its caller has an alarm clock of its own.
        host.cancel(MAIN);
        slot = LOOSE;
    }
    host.timer(slot, Thread::Main, Due::Sleep(retry));
}
