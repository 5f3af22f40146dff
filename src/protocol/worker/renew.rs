//! Renewal: by hand, between slices of work, or by a thread of its own.
//!
//! A renewal is counted from its *sending*: one that reaches the service in time is safe however late its answer. An answer that never
//! comes is unknown, so the old deadline stands. A refusal is certain: the lease is somebody else's, or nobody's.
//!
//! Of several leases each is renewed by a call of its own, one after another in the order of acquisition; such a round ends when none
//! is due any more.

use super::super::params::{Family, OnLost, OnUnknown, RenewBy, RenewIf, ValidFrom};
use super::super::{Due, Host};
use super::ballot::Outcome;
use super::hold::{self, Hold};
use super::{MAIN, Phase, RENEW, Setting, Worker, ballot, jeopardy, next_call, observe, program, session};
use crate::base::fact::Loss;
use crate::base::message::Topic;
use crate::base::row::Version;
use crate::base::{CallId, Fact, LocalTime, LockId, Message, Payload, Span, Thread};

/// The renewal thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Renewer {
    Off,
    Sleeping {
        progress: u32,
    },
    Calling {
        call: CallId,
        lock: LockId,
        sent: LocalTime,
    },
    /// The thread died; nobody starts it again.
    Dead,
}

/// May this tenure be renewed once more? Caps bound how long a hung worker can keep a lock.
pub(super) fn may_renew(h: &Hold, set: &Setting, host: &impl Host) -> bool {
    is_kept(h)
        && set.client.renew_max.is_none_or(|most| h.renewals < most)
        && set.client.renew_hold.is_none_or(|most| host.read(set.client.clock).since(h.since) < most)
}

/// Is it still on the list of what is renewed?
pub(super) fn is_kept(h: &Hold) -> bool {
    (h.believes || h.forgotten) && !h.dropped
}

/// Is there anything that may be renewed?
pub(super) fn any(w: &Worker, set: &Setting, host: &impl Host) -> bool {
    w.holds.iter().any(|h| may_renew(h, set, host))
}

/// Sends one extension, of the `i`-th hold.
pub(super) fn send(w: &mut Worker, set: &Setting, thread: Thread, i: usize, host: &mut impl Host) -> Option<CallId> {
    let h = w.holds.get_mut(i)?;
    if set.client.shares_id {
        h.owner = host.shared_id(h.lock).unwrap_or(h.owner);
    }
    h.renewals += 1;
    h.due = false;
    let h = *h;
    if set.nodes(h.lock).is_empty() {
        return None;
    }
    let params = &set.locks[h.lock.index()].params;
    let ttl = if params.renew_ttl == params.ttl { h.ttl } else { params.renew_ttl };
    let call = next_call(w, thread);
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    let payload = if params.family == Family::Record {
        let now = host.read(set.client.clock);
        let h = &mut w.holds[i];
        h.next = Version::of(host.me(), call);
        h.trying = h.trying.or(Some(now));
        observe::rewrite(h, set, ttl, params.renew, false, host)
    } else {
        Payload::Renew { lock: h.lock, acq: h.acq, owner: h.owner, ttl, margin, compare: params.renew }
    };
    ballot::ask(w, set, h.lock, Message::request(Topic::Renew, call, payload), host);
    Some(call)
}

/// An extension succeeded: a new deadline, counted from its sending, and a new token if the record had to be created again. False if the
/// answer is none, or took longer than it is worth.
pub(super) fn extended(w: &mut Worker, set: &Setting, payload: Payload, sent: LocalTime, host: &mut impl Host) -> bool {
    let (lock, token) = match payload {
        Payload::Extended { lock, .. } => (lock, None),
        Payload::Granted { lock, token, .. } => (lock, token),
        _ => return false,
    };
    let now = host.read(set.client.clock);
    let Some(params) = set.locks.get(lock.index()).map(|l| &l.params) else { return false };
    let Some(ttl) = hold::find(w, lock).map(|h| h.ttl) else { return false };
    let ttl = if params.renew_ttl == params.ttl { ttl } else { params.renew_ttl };
    let ttl = set.client.believed_ttl.unwrap_or(ttl);
    let is_quorum = set.is_quorum(lock);
    let decided = w.decided;
    let from = match set.client.valid_from {
        ValidFrom::Reply => now,
        ValidFrom::Quorum if is_quorum => decided,
        ValidFrom::Quorum => now,
        ValidFrom::Send | ValidFrom::FirstTry => sent,
    };
    let Some(h) = hold::find(w, lock) else { return false };
    let until = ttl.map(|t| from + t - set.client.margin.of(t));
    if set.client.elapsed_check && until.is_some_and(|u| now >= u) {
        return false;
    }
    h.until = until;
    h.confirmed = sent;
    h.version = h.next;
    h.trying = None;
    h.token = token.or(h.token);
    host.did(Fact::Reckoned { lock: h.lock, acq: h.acq, until });
    if h.grace > Span::ZERO {
        jeopardy::ends(w, set, lock, host);
    }
    hold::arm_deadline(w, set, None, host);
    true
}

/// Everything that may be renewed is due.
fn begin(w: &mut Worker, set: &Setting, host: &impl Host) {
    for h in &mut w.holds {
        h.due = may_renew(h, set, host);
    }
}

/// What is due next behind `after`, in the order of acquisition, round and round.
fn next(w: &Worker, set: &Setting, after: Option<LockId>, host: &impl Host) -> Option<usize> {
    let from = after.and_then(|lock| w.holds.iter().position(|h| h.lock == lock)).map_or(0, |i| i + 1);
    (from..w.holds.len()).chain(0..from).find(|i| w.holds[*i].due && may_renew(&w.holds[*i], set, host))
}

// ------------------------------------------------------------------ by the worker itself

/// Where the main thread goes on after an extension of its own.
#[derive(Clone, Copy)]
pub(super) struct Renewal {
    pub lock: LockId,
    pub sent: LocalTime,
    /// Between slices of work, with so much left.
    pub left: Option<Span>,
    pub work: bool,
}

/// Between two slices of work. False if there is nothing (more) to renew.
pub(super) fn in_work(w: &mut Worker, set: &Setting, left: Option<Span>, host: &mut impl Host) -> bool {
    let slices = set.client.renew_by == RenewBy::Worker && set.client.renew_every.is_some();
    if slices {
        begin(w, set, host);
    }
    slices && next_in_work(w, set, left, None, host)
}

fn next_in_work(
    w: &mut Worker,
    set: &Setting,
    left: Option<Span>,
    after: Option<LockId>,
    host: &mut impl Host,
) -> bool {
    next(w, set, after, host).is_some_and(|i| by_main(w, set, i, left, true, host))
}

/// A `renew` step. False if nothing is held.
pub(super) fn by_hand(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) -> bool {
    let held = w.holds.iter().position(|h| h.lock == lock);
    held.is_some_and(|i| by_main(w, set, i, None, false, host))
}

fn by_main(w: &mut Worker, set: &Setting, i: usize, left: Option<Span>, work: bool, host: &mut impl Host) -> bool {
    let sent = host.read(set.client.clock);
    let lock = w.holds[i].lock;
    let Some(call) = send(w, set, Thread::Main, i, host) else { return false };
    w.call = call;
    w.phase = Phase::Renewing { lock, left, sent, work };
    ballot::arm(set, lock, Topic::Renew, Thread::Main, host);
    true
}

pub(super) fn on_renewed(w: &mut Worker, set: &Setting, payload: Payload, r: Renewal, host: &mut impl Host) {
    host.cancel(MAIN);
    if payload == Payload::Failed || too_late(w, set, r.lock, payload, host) {
        return unknown(w, set, r, host);
    }
    if !extended(w, set, payload, r.sent, host) && !hold::lost(w, set, r.lock, Loss::Refused, host) {
        return;
    }
    go_on(w, set, r, host);
}

/// An extension by a quorum counts only inside the validity that it extends: until then the nodes' records may have run out one by one,
/// and no majority of them need have had the lock all the time.
pub(super) fn too_late(w: &mut Worker, set: &Setting, lock: LockId, payload: Payload, host: &mut impl Host) -> bool {
    let now = host.read(set.client.clock);
    set.is_quorum(lock)
        && matches!(payload, Payload::Extended { .. } | Payload::Granted { .. })
        && hold::find(w, lock).is_some_and(|h| h.until.is_some_and(|until| now >= until))
}

pub(super) fn timed_out(w: &mut Worker, set: &Setting, r: Renewal, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Renew });
    unknown(w, set, r, host);
}

/// Nobody knows whether the extension was carried out: an error, or no answer.
fn unknown(w: &mut Worker, set: &Setting, r: Renewal, host: &mut impl Host) {
    if set.client.on_unknown == OnUnknown::Stop && !hold::lost(w, set, r.lock, Loss::Unrenewed, host) {
        return;
    }
    go_on(w, set, r, host);
}

fn go_on(w: &mut Worker, set: &Setting, r: Renewal, host: &mut impl Host) {
    if !r.work {
        w.phase = Phase::After;
        program::turn(w, set, host);
    } else if !next_in_work(w, set, r.left, Some(r.lock), host) {
        program::work(w, set, r.left, host);
    }
}

// ------------------------------------------------------------------ by a thread of its own

pub(super) fn thread_timer(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    match w.renewer {
        Renewer::Sleeping { progress } => {
            if set.client.renew_if == RenewIf::Progress && progress == w.progress {
                // A heartbeat that proves more than that its own thread is alive.
                return sleep(w, set, host);
            }
            begin(w, set, host);
            match next(w, set, None, host) {
                Some(i) => by_thread(w, set, i, host),
                None => haunt(w, set, host),
            }
        }
        Renewer::Calling { call, lock, sent } => {
            match ballot::timed_out(w, set, call, host) {
                Outcome::Open => return,
                Outcome::Answer(message) => return thread_answer(w, set, message.payload, lock, sent, host),
                Outcome::Plain | Outcome::Unknown(_) => {}
            }
            host.did(Fact::TimedOut { topic: Topic::Renew });
            thread_unknown(w, set, lock, host);
        }
        Renewer::Off | Renewer::Dead => {}
    }
}

/// The renewal thread has nobody left to wait for.
pub(super) fn thread_undecided(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if let Renewer::Calling { lock, .. } = w.renewer {
        host.cancel(RENEW);
        thread_unknown(w, set, lock, host);
    }
}

/// Nobody knows whether the thread's extension was carried out.
fn thread_unknown(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) {
    let now = host.read(set.client.clock);
    let elected = set.is_record(lock);
    // Who leads by a record gives up so long after its first renewal that failed; others so long after the last that worked.
    let confirmed = hold::find(w, lock).and_then(|h| if elected { h.trying } else { Some(h.confirmed) });
    let too_long = set.client.renew_deadline.is_some_and(|most| confirmed.is_some_and(|c| now.since(c) >= most));
    let stops = set.client.on_unknown == OnUnknown::Stop;
    let ignores = set.client.on_unknown == OnUnknown::Ignore;
    if stops || (too_long && !ignores) {
        return strike_off(w, set, lock, Loss::Unrenewed, host);
    }
    if set.client.renew_retry
        && let Some(h) = hold::find(w, lock)
    {
        h.due = true;
    }
    next_by_thread(w, set, lock, host);
}

/// A library whose renewal sets the next one going when it is answered, whatever has been released meanwhile: the one under way
/// outlives its tenure.
#[cold]
pub(super) fn outlives(w: &mut Worker) -> bool {
    if let Renewer::Calling { lock, .. } = w.renewer
        && let Some(h) = hold::find(w, lock).copied()
    {
        w.ghost = Some(Box::new(h));
    }
    w.ghost.is_some()
}

/// Renews for a tenure that was given back.
#[cold]
fn haunt(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(h) = w.ghost.as_deref().copied() else { return w.renewer = Renewer::Off };
    let sent = host.read(set.client.clock);
    w.holds.push(h);
    let call = send(w, set, Thread::Renewer, w.holds.len() - 1, host);
    w.ghost = w.holds.pop().map(Box::new);
    if let Some(call) = call {
        w.renewer = Renewer::Calling { call, lock: h.lock, sent };
        ballot::arm(set, h.lock, Topic::Renew, Thread::Renewer, host);
    }
}

/// What became of that.
#[cold]
fn haunted(w: &mut Worker, set: &Setting, payload: Payload, host: &mut impl Host) {
    let refused = matches!(payload, Payload::NotExtended { .. } | Payload::Refused { .. });
    if refused && set.client.on_lost != OnLost::Log {
        w.ghost = None;
        return w.renewer = Renewer::Off;
    }
    if let Some(h) = &mut w.ghost
        && !refused
    {
        h.version = h.next;
    }
    sleep(w, set, host);
}

fn sleep(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if let Some(every) = set.client.renew_every {
        w.renewer = Renewer::Sleeping { progress: w.progress };
        host.timer(RENEW, Thread::Renewer, Due::Sleep(every));
    }
}

/// The next call of this round; if there is none, the thread sleeps until the next round, if there will be one.
fn next_by_thread(w: &mut Worker, set: &Setting, after: LockId, host: &mut impl Host) {
    match next(w, set, Some(after), host) {
        Some(i) => by_thread(w, set, i, host),
        None if w.ghost.is_some() || w.holds.iter().any(is_kept) => sleep(w, set, host),
        None => w.renewer = Renewer::Off,
    }
}

fn by_thread(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) {
    let sent = host.read(set.client.clock);
    let lock = w.holds[i].lock;
    if let Some(call) = send(w, set, Thread::Renewer, i, host) {
        w.renewer = Renewer::Calling { call, lock, sent };
        ballot::arm(set, lock, Topic::Renew, Thread::Renewer, host);
        if set.is_record(lock) {
            observe::within_deadline(&w.holds[i], set, host);
        }
    }
}

pub(super) fn thread_reply(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    match w.renewer {
        _ if matches!(message.kind.topic, Topic::Ping | Topic::Notify) => session::heard(w, set, message, host),
        Renewer::Calling { call, lock, sent } if call == message.call => {
            thread_answer(w, set, message.payload, lock, sent, host);
        }
        _ if w.repair == Some(message.call) => {}
        _ => host.did(Fact::Ignored { topic: message.kind.topic }),
    }
}

fn thread_answer(w: &mut Worker, set: &Setting, payload: Payload, lock: LockId, sent: LocalTime, host: &mut impl Host) {
    host.cancel(RENEW);
    // A lease that was given back in the meantime is nobody's concern any more.
    if hold::find(w, lock).is_some_and(|h| is_kept(h)) {
        if payload == Payload::Failed || too_late(w, set, lock, payload, host) {
            return thread_unknown(w, set, lock, host);
        }
        if !extended(w, set, payload, sent, host) {
            return strike_off(w, set, lock, Loss::Refused, host);
        }
    } else if w.ghost.is_some() {
        return haunted(w, set, payload, host);
    }
    next_by_thread(w, set, lock, host);
}

/// A lease leaves the list of what is renewed, whatever the program is told. The others stay, unless the worker stops.
fn strike_off(w: &mut Worker, set: &Setting, lock: LockId, why: Loss, host: &mut impl Host) {
    if let Some(h) = hold::find(w, lock) {
        h.dropped = true;
    }
    w.renewer = Renewer::Off;
    // A main thread that has died stops nothing.
    if hold::lost(w, set, lock, why, host) || w.phase == Phase::Dead {
        next_by_thread(w, set, lock, host);
    }
}
