//! Holding: belief, its deadline, its renewal, and what happens when it is lost.
//!
//! A renewal is counted from its *sending*: one that reaches the service in time is safe however late its answer. An answer that never
//! comes is unknown, so the old deadline stands. A refusal is certain: the lease is somebody else's, or nobody's.

use super::super::params::{CheckBy, OnLost, OnUnknown, RenewBy, RenewIf};
use super::super::{Due, Host, Purpose};
use super::{DEADLINE, LAG, MAIN, Phase, RENEW, Setting, Then, Worker, arm_call, next_call, program, stop, tenure};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::Topic;
use crate::base::{
    AcqId, CallId, Edge, Fact, LocalTime, LockId, Message, OwnerId, Payload, PointKind, Span, Thread, Token, Verb,
};

/// One tenure, as the worker knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Hold {
    pub lock: LockId,
    pub acq: AcqId,
    pub owner: OwnerId,
    pub token: Option<Token>,
    pub ttl: Option<Span>,
    /// Own deadline; `None`: none.
    pub until: Option<LocalTime>,
    /// Sending of the last request that succeeded, and of the first.
    pub confirmed: LocalTime,
    pub since: LocalTime,
    pub renewals: u32,
    /// False once the worker knows that it is over; the ids are kept for a release that its program still makes.
    pub believes: bool,
}

/// The renewal thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Renewer {
    Off,
    Sleeping {
        progress: u32,
    },
    Calling {
        call: CallId,
        sent: LocalTime,
        progress: u32,
    },
    /// The thread died; nobody starts it again.
    Dead,
}

pub(super) fn end_belief(h: &mut Hold, why: Loss, host: &mut impl Host) {
    if h.believes {
        h.believes = false;
        host.did(Fact::BeliefEnded { lock: h.lock, acq: h.acq, why });
    }
}

/// A tenure has begun: the deadline's timer and the renewal thread start.
pub(super) fn begin_watch(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    arm_deadline(w, set, host);
    if let (RenewBy::Thread, Some(every)) = (set.client.renew_by, set.client.renew_every)
        && w.renewer != Renewer::Dead
        && may_renew(w, set, host)
    {
        w.renewer = Renewer::Sleeping { progress: w.progress };
        host.timer(RENEW, Thread::Renewer, Due::Sleep(every));
    }
}

/// A tenure has ended: if it was the last, nothing is left to watch.
pub(super) fn settle(w: &mut Worker, host: &mut impl Host) {
    if w.holds.iter().all(|h| !h.believes) {
        host.cancel(DEADLINE);
        if w.renewer != Renewer::Dead {
            w.renewer = Renewer::Off;
            host.cancel(RENEW);
        }
    }
}

fn arm_deadline(w: &Worker, set: &Setting, host: &mut impl Host) {
    if set.client.deadline_timer {
        match tenure(w).filter(|h| h.believes).and_then(|h| h.until) {
            Some(until) => host.timer(DEADLINE, Thread::Main, Due::Reading(set.client.clock, until)),
            None => host.cancel(DEADLINE),
        }
    }
}

/// May this tenure be renewed once more? Caps bound how long a hung worker can keep a lock.
pub(super) fn may_renew(w: &Worker, set: &Setting, host: &impl Host) -> bool {
    tenure(w).is_some_and(|h| {
        h.believes
            && set.client.renew_max.is_none_or(|most| h.renewals < most)
            && set.client.renew_hold.is_none_or(|most| host.read(set.client.clock).since(h.since) < most)
    })
}

fn send_renewal(
    w: &mut Worker,
    set: &Setting,
    thread: Thread,
    lock: Option<LockId>,
    host: &mut impl Host,
) -> Option<CallId> {
    let h = match lock {
        Some(lock) => w.holds.iter_mut().find(|h| h.lock == lock)?,
        None => w.holds.last_mut()?,
    };
    h.renewals += 1;
    let h = *h;
    let (params, node) = set.locks.get(h.lock.index())?;
    let node = (*node)?;
    let ttl = if params.renew_ttl == params.ttl { h.ttl } else { params.renew_ttl };
    let call = next_call(w, thread);
    let margin = ttl.map_or(Span::ZERO, |t| set.client.margin.of(t));
    let payload = Payload::Renew { lock: h.lock, acq: h.acq, owner: h.owner, ttl, margin, compare: params.renew };
    host.send(node, Message::request(Topic::Renew, call, payload));
    Some(call)
}

/// An extension succeeded: a new deadline, counted from its sending. False if it took longer than it is worth.
fn extended(w: &mut Worker, set: &Setting, lock: LockId, sent: LocalTime, host: &mut impl Host) -> bool {
    let now = host.read(set.client.clock);
    let Some(h) = w.holds.iter_mut().find(|h| h.lock == lock) else { return false };
    let Some((params, _)) = set.locks.get(lock.index()) else { return false };
    let ttl = if params.renew_ttl == params.ttl { h.ttl } else { params.renew_ttl };
    let ttl = set.client.believed_ttl.unwrap_or(ttl);
    let from = if set.client.valid_from == super::super::params::ValidFrom::Reply { now } else { sent };
    let until = ttl.map(|t| from + t - set.client.margin.of(t));
    if set.client.elapsed_check && until.is_some_and(|u| now >= u) {
        return false;
    }
    h.until = until;
    h.confirmed = sent;
    host.did(Fact::Reckoned { lock: h.lock, acq: h.acq, until });
    arm_deadline(w, set, host);
    true
}

// ------------------------------------------------------------------ renewal by the worker itself

/// Between two slices of work. False if there is nothing (more) to renew.
pub(super) fn renew_in_work(w: &mut Worker, set: &Setting, left: Option<Span>, host: &mut impl Host) -> bool {
    let slices = set.client.renew_by == RenewBy::Worker && set.client.renew_every.is_some();
    if !slices || !may_renew(w, set, host) {
        return false;
    }
    let sent = host.read(set.client.clock);
    let Some(call) = send_renewal(w, set, Thread::Main, None, host) else { return false };
    w.call = call;
    w.phase = Phase::Renewing { left, sent, work: true };
    arm_call(set, host);
    true
}

/// A `renew` step. False if nothing is held.
pub(super) fn renew_by_hand(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) -> bool {
    let sent = host.read(set.client.clock);
    let Some(call) = send_renewal(w, set, Thread::Main, Some(lock), host) else { return false };
    w.call = call;
    w.phase = Phase::Renewing { left: None, sent, work: false };
    arm_call(set, host);
    true
}

#[allow(clippy::too_many_arguments)]
pub(super) fn on_renewed(
    w: &mut Worker,
    set: &Setting,
    payload: Payload,
    left: Option<Span>,
    sent: LocalTime,
    work: bool,
    host: &mut impl Host,
) {
    host.cancel(MAIN);
    let ok = match payload {
        Payload::Extended { lock, .. } => extended(w, set, lock, sent, host),
        Payload::Failed => return go_on(w, set, left, work, host),
        _ => false,
    };
    if !ok && !lost(w, set, Loss::Refused, host) {
        return;
    }
    go_on(w, set, left, work, host);
}

pub(super) fn renewal_timed_out(w: &mut Worker, set: &Setting, left: Option<Span>, work: bool, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Renew });
    if set.client.on_unknown == OnUnknown::Stop && !lost(w, set, Loss::Unrenewed, host) {
        return;
    }
    go_on(w, set, left, work, host);
}

fn go_on(w: &mut Worker, set: &Setting, left: Option<Span>, work: bool, host: &mut impl Host) {
    if work {
        program::work(w, set, left, host);
    } else {
        w.phase = Phase::After;
        program::turn(w, set, host);
    }
}

// ------------------------------------------------------------------ renewal by a thread of its own

pub(super) fn renewer_timer(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    match w.renewer {
        Renewer::Sleeping { progress } => {
            let idle = set.client.renew_if == RenewIf::Progress && progress == w.progress;
            if idle {
                // A heartbeat that proves more than that its own thread is alive.
                sleep(w, set, host);
            } else {
                renew_now(w, set, host);
            }
        }
        Renewer::Calling { .. } => {
            host.did(Fact::TimedOut { topic: Topic::Renew });
            let now = host.read(set.client.clock);
            let too_long = set
                .client
                .renew_deadline
                .is_some_and(|most| w.holds.last().is_some_and(|h| now.since(h.confirmed) >= most));
            let stops = set.client.on_unknown == OnUnknown::Stop;
            let ignores = set.client.on_unknown == OnUnknown::Ignore;
            if stops || (too_long && !ignores) {
                w.renewer = Renewer::Off;
                lost(w, set, Loss::Unrenewed, host);
            } else if set.client.renew_retry {
                renew_now(w, set, host);
            } else {
                sleep(w, set, host);
            }
        }
        Renewer::Off | Renewer::Dead => {}
    }
}

fn sleep(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if let Some(every) = set.client.renew_every {
        w.renewer = Renewer::Sleeping { progress: w.progress };
        host.timer(RENEW, Thread::Renewer, Due::Sleep(every));
    }
}

fn renew_now(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if !may_renew(w, set, host) {
        w.renewer = Renewer::Off;
        return;
    }
    let sent = host.read(set.client.clock);
    if let Some(call) = send_renewal(w, set, Thread::Renewer, None, host) {
        w.renewer = Renewer::Calling { call, sent, progress: w.progress };
        if let Some(limit) = set.client.call_timeout {
            let limit = host.draw(Purpose::TimeOut, limit);
            host.timer(RENEW, Thread::Renewer, Due::Sleep(limit));
        }
    }
}

pub(super) fn renewer_reply(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    let Renewer::Calling { call, sent, .. } = w.renewer else {
        return host.did(Fact::Ignored { topic: message.kind.topic });
    };
    if message.call != call {
        return host.did(Fact::Ignored { topic: message.kind.topic });
    }
    host.cancel(RENEW);
    match message.payload {
        Payload::Extended { lock, .. } if extended(w, set, lock, sent, host) => sleep(w, set, host),
        Payload::Failed => sleep(w, set, host),
        _ => {
            // Dropped from the renewal list, whatever the program is told.
            w.renewer = Renewer::Off;
            lost(w, set, Loss::Refused, host);
        }
    }
}

// ------------------------------------------------------------------ the deadline

fn in_time(w: &Worker, set: &Setting, host: &impl Host) -> bool {
    let now = host.read(set.client.clock);
    tenure(w).and_then(|h| h.until).is_none_or(|until| now < until)
}

/// Looks whether the worker may go on. True: yes. False: it waits for an answer, or has stopped.
pub(super) fn check(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) -> bool {
    let Some(h) = tenure(w).copied() else { return true };
    if !set.client.check_deadline || !h.believes {
        return true;
    }
    match set.client.check_by {
        CheckBy::Clock => checked(w, set, h.acq, then, host),
        CheckBy::Poll => {
            let Some(node) = set.locks.get(h.lock.index()).and_then(|l| l.1) else { return true };
            let sent = host.read(set.client.clock);
            w.call = next_call(w, Thread::Main);
            let ask = Payload::Ask { lock: h.lock, owner: h.owner, re: 0 };
            host.send(node, Message::request(Topic::Ask, w.call, ask));
            w.phase = Phase::Polling { then, sent };
            arm_call(set, host);
            false
        }
        CheckBy::Refresh => {
            let sent = host.read(set.client.clock);
            let Some(call) = send_renewal(w, set, Thread::Main, None, host) else { return true };
            w.call = call;
            w.phase = Phase::Polling { then, sent };
            arm_call(set, host);
            false
        }
    }
}

/// The verdict by the worker's own clock.
fn checked(w: &mut Worker, set: &Setting, acq: AcqId, then: Then, host: &mut impl Host) -> bool {
    let valid = in_time(w, set, host);
    host.did(Fact::Checked { acq, valid });
    if valid { true } else { failed_check(w, set, Loss::Deadline, then, host) }
}

/// A check said no. True only if the policy is to go on all the same.
fn failed_check(w: &mut Worker, set: &Setting, why: Loss, then: Then, host: &mut impl Host) -> bool {
    if let Some(h) = w.holds.last_mut() {
        end_belief(h, why, host);
    }
    settle(w, host);
    match set.client.on_lost {
        OnLost::Stop => {
            let why = if why == Loss::Deadline { StopWhy::Deadline } else { StopWhy::LostLease };
            stop(w, set, why, host);
            false
        }
        OnLost::Log => {
            w.phase = Phase::Check(then);
            true
        }
        OnLost::Reacquire => {
            program::again_from_start(w, set, host);
            false
        }
    }
}

/// The service's answer to a check.
pub(super) fn on_polled(
    w: &mut Worker,
    set: &Setting,
    payload: Payload,
    then: Then,
    sent: LocalTime,
    host: &mut impl Host,
) {
    host.cancel(MAIN);
    let valid = match payload {
        Payload::Answer { owns, .. } => owns,
        Payload::Extended { lock, .. } => extended(w, set, lock, sent, host),
        _ => false,
    };
    if let Some(h) = tenure(w) {
        host.did(Fact::Checked { acq: h.acq, valid });
    }
    if valid || failed_check(w, set, Loss::Refused, then, host) {
        passed(w, set, then, host);
    }
}

pub(super) fn poll_timed_out(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Ask });
    let valid = match set.client.on_unknown {
        OnUnknown::Ignore => true,
        OnUnknown::UntilDeadline => in_time(w, set, host),
        OnUnknown::Stop => false,
    };
    if valid || failed_check(w, set, Loss::Unrenewed, then, host) {
        passed(w, set, then, host);
    }
}

/// Goes on behind a check that had to ask.
fn passed(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) {
    w.phase = Phase::Checked(then);
    if then == Then::Effect {
        if host.pass(PointKind::Step(Edge::After, Verb::Check), Thread::Main) {
            program::turn(w, set, host);
        }
    } else {
        program::turn(w, set, host);
    }
}

/// The deadline's timer: it stops the worker even in the middle of its work.
pub(super) fn deadline_passed(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if w.holds.last().is_some_and(|h| h.believes) {
        lost(w, set, Loss::Deadline, host);
    }
}

/// The worker learns that its tenure is over. True: it goes on (the policy is to log, or it has not reacted yet).
fn lost(w: &mut Worker, set: &Setting, why: Loss, host: &mut impl Host) -> bool {
    if set.client.on_lost == OnLost::Log {
        // A line in a log file; nobody tells the program, which goes on believing.
        return true;
    }
    if let Some(h) = w.holds.last_mut() {
        end_belief(h, why, host);
    }
    settle(w, host);
    if super::over(w.phase) {
        return false;
    }
    w.stopping = Some(if why == Loss::Deadline { StopWhy::Deadline } else { StopWhy::LostLease });
    let lag = host.draw(Purpose::Lag, set.client.reaction_lag);
    if lag > Span::ZERO {
        host.timer(LAG, Thread::Main, Due::Sleep(lag));
        return true;
    }
    if thread_may_act(w) {
        react(w, set, host);
    } else {
        // Another thread learned it; the main thread reacts at its next turn, which a pause may put off.
        host.timer(LAG, Thread::Main, Due::Sleep(Span::ZERO));
    }
    false
}

/// The main thread reacts to a loss that it knows of.
pub(super) fn react(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(why) = w.stopping.take() else { return };
    match set.client.on_lost {
        OnLost::Reacquire => program::again_from_start(w, set, host),
        OnLost::Stop | OnLost::Log => stop(w, set, why, host),
    }
}

/// Does the thread that learned of the loss run the program itself?
fn thread_may_act(w: &Worker) -> bool {
    matches!(w.phase, Phase::Renewing { .. })
}
