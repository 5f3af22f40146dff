//! Holding: belief, its deadline, the look at it, and what happens when a lease is lost.
//!
//! A worker may hold several locks. Each has a deadline and a belief of its own; an effect needs all of them, and the loss of one is the
//! loss that the client's policy is about.

use super::super::params::{CheckBy, OnLost, OnUnknown, RenewBy};
use super::super::{Due, Host, Purpose};
use super::renew::{self, Renewer};
use super::{DEADLINE, LAG, MAIN, Phase, RENEW, Setting, Then, Worker, ballot, jeopardy, next_call, program, stop};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::Topic;
use crate::base::row::Version;
use crate::base::{
    AcqId, Edge, Fact, LocalTime, LockId, Message, OwnerId, Payload, PointKind, Span, Thread, Token, Verb,
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
    /// The round of renewals under way has yet to come to it.
    pub due: bool,
    /// The renewal thread has given it up, whatever the program believes.
    pub dropped: bool,
    /// So long after its deadline there may still be word of the session.
    pub grace: Span,
    /// The deadline has passed without word: the program is kept from acting.
    pub in_jeopardy: bool,
    /// The program has nothing of it, and the renewal thread goes on: what a cancelled acquisition may leave behind.
    pub forgotten: bool,
    /// The state of the record that it last wrote, as far as it knows, and the one that its renewal under way will have made.
    pub version: Version,
    pub next: Version,
    /// Since when renewals have gone unanswered.
    pub trying: Option<LocalTime>,
}

impl Hold {
    /// A tenure that begins; the request for it was sent at `sent`.
    pub fn new(lock: LockId, acq: AcqId, owner: OwnerId, sent: LocalTime) -> Hold {
        Hold {
            lock,
            acq,
            owner,
            token: None,
            ttl: None,
            until: None,
            confirmed: sent,
            since: sent,
            renewals: 0,
            believes: true,
            due: false,
            dropped: false,
            grace: Span::ZERO,
            in_jeopardy: false,
            forgotten: false,
            version: Version::ABSENT,
            next: Version::ABSENT,
            trying: None,
        }
    }

    pub fn is_over(&self, now: LocalTime) -> bool {
        self.until.is_some_and(|until| now >= until)
    }
}

pub(super) fn find(w: &mut Worker, lock: LockId) -> Option<&mut Hold> {
    w.holds.iter_mut().find(|h| h.lock == lock)
}

pub(super) fn end_belief(h: &mut Hold, why: Loss, host: &mut impl Host) {
    if std::mem::take(&mut h.believes) && !h.in_jeopardy {
        host.did(Fact::BeliefEnded { lock: h.lock, acq: h.acq, why });
    }
}

/// A tenure has begun: the deadline's timer and the renewal thread start. If the thread renews other locks already, this one joins them.
pub(super) fn begin_watch(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    arm_deadline(w, set, None, host);
    if let (RenewBy::Thread, Some(every)) = (set.client.renew_by, set.client.renew_every)
        && let Some((new, others)) = w.holds.split_last()
        && w.renewer != Renewer::Dead
        && renew::may_renew(new, set, host)
        && (w.renewer == Renewer::Off || !others.iter().any(renew::is_kept))
    {
        w.renewer = Renewer::Sleeping { progress: w.progress };
        host.timer(RENEW, Thread::Renewer, Due::Sleep(every));
    }
}

/// A tenure has ended: if it was the last, nothing is left to watch.
pub(super) fn settle(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if w.holds.iter().any(|h| h.believes) {
        return arm_deadline(w, set, None, host);
    }
    host.cancel(DEADLINE);
    if set.client.renews_after_release && renew::outlives(w) {
        return;
    }
    if w.renewer != Renewer::Dead && !w.holds.iter().any(renew::is_kept) {
        w.renewer = Renewer::Off;
        ballot::forget(w, Thread::Renewer);
        host.cancel(RENEW);
    }
}

/// Sets the timer of the earliest deadline, of those that lie after `passed`.
pub(super) fn arm_deadline(w: &Worker, set: &Setting, passed: Option<LocalTime>, host: &mut impl Host) {
    if w.holds.iter().any(|h| h.grace > Span::ZERO) {
        return jeopardy::arm(w, set, host);
    }
    if set.client.deadline_timer {
        let ends = w.holds.iter().filter(|h| h.believes).filter_map(|h| h.until);
        match ends.filter(|until| passed.is_none_or(|p| *until > p)).min() {
            Some(until) => host.timer(DEADLINE, Thread::Main, Due::Reading(set.client.clock, until)),
            None => host.cancel(DEADLINE),
        }
    }
}

// ------------------------------------------------------------------ the look before an effect

/// Looks whether the worker may go on. True: yes. False: it waits for an answer, or has stopped.
pub(super) fn check(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) -> bool {
    if !set.client.check_deadline || w.holds.iter().all(|h| !h.believes) {
        return true;
    }
    match set.client.check_by {
        CheckBy::Clock => check_clock(w, set, then, host),
        CheckBy::Poll | CheckBy::Refresh => ask_next(w, set, then, None, host),
    }
}

/// The verdict by the worker's own clock: every lease must last.
fn check_clock(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) -> bool {
    let now = host.read(set.client.clock);
    if jeopardy::blocks(w, now, then) {
        return false;
    }
    let mut all = true;
    for h in w.holds.iter_mut().filter(|h| h.believes) {
        let valid = !h.is_over(now);
        host.did(Fact::Checked { acq: h.acq, valid });
        if !valid {
            end_belief(h, Loss::Deadline, host);
            all = false;
        }
    }
    all || failed_check(w, set, Loss::Deadline, then, host)
}

/// A check said no. True only if the policy is to go on all the same.
fn failed_check(w: &mut Worker, set: &Setting, why: Loss, then: Then, host: &mut impl Host) -> bool {
    settle(w, set, host);
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

/// Asks the service about the next lease behind `after`, one after another. True if there is none.
fn ask_next(w: &mut Worker, set: &Setting, then: Then, after: Option<LockId>, host: &mut impl Host) -> bool {
    let from = after.and_then(|lock| w.holds.iter().position(|h| h.lock == lock)).map_or(0, |i| i + 1);
    for i in from..w.holds.len() {
        let mut h = w.holds[i];
        if !h.believes || set.nodes(h.lock).is_empty() {
            continue;
        }
        if set.client.shares_id {
            h.owner = host.shared_id(h.lock).unwrap_or(h.owner);
        }
        let sent = host.read(set.client.clock);
        if set.client.check_by == CheckBy::Refresh {
            let Some(call) = renew::send(w, set, Thread::Main, i, host) else { continue };
            w.call = call;
        } else {
            w.call = next_call(w, Thread::Main);
            let ask = Payload::Ask { lock: h.lock, owner: h.owner, re: 0 };
            ballot::ask(w, set, h.lock, Message::request(Topic::Ask, w.call, ask), host);
        }
        w.phase = Phase::Polling { then, lock: h.lock, sent };
        ballot::arm(set, h.lock, Topic::Ask, Thread::Main, host);
        return false;
    }
    true
}

/// A check of one lease that had to ask.
#[derive(Clone, Copy)]
pub(super) struct Poll {
    pub then: Then,
    pub lock: LockId,
    pub sent: LocalTime,
}

/// The service's answer to a check.
pub(super) fn on_polled(w: &mut Worker, set: &Setting, payload: Payload, poll: Poll, host: &mut impl Host) {
    host.cancel(MAIN);
    let valid = match payload {
        _ if renew::too_late(w, set, poll.lock, payload, host) => return poll_unknown(w, set, poll, host),
        Payload::Answer { owns, .. } => owns,
        Payload::Extended { .. } | Payload::Granted { .. } => renew::extended(w, set, payload, poll.sent, host),
        Payload::Failed => return poll_unknown(w, set, poll, host),
        _ => false,
    };
    polled(w, set, poll, valid, Loss::Refused, host);
}

pub(super) fn poll_timed_out(w: &mut Worker, set: &Setting, poll: Poll, host: &mut impl Host) {
    let topic = if set.client.check_by == CheckBy::Refresh { Topic::Renew } else { Topic::Ask };
    host.did(Fact::TimedOut { topic });
    poll_unknown(w, set, poll, host);
}

/// No answer, or an error, says nothing about the lease.
fn poll_unknown(w: &mut Worker, set: &Setting, poll: Poll, host: &mut impl Host) {
    let now = host.read(set.client.clock);
    let valid = match set.client.on_unknown {
        OnUnknown::Ignore => true,
        OnUnknown::UntilDeadline => find(w, poll.lock).is_none_or(|h| !h.is_over(now)),
        OnUnknown::Stop => false,
    };
    polled(w, set, poll, valid, Loss::Unrenewed, host);
}

fn polled(w: &mut Worker, set: &Setting, poll: Poll, valid: bool, why: Loss, host: &mut impl Host) {
    if let Some(h) = find(w, poll.lock) {
        host.did(Fact::Checked { acq: h.acq, valid });
        if !valid {
            end_belief(h, why, host);
        }
    }
    let goes_on = valid || failed_check(w, set, why, poll.then, host);
    if goes_on && ask_next(w, set, poll.then, Some(poll.lock), host) {
        passed(w, set, poll.then, host);
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

// ------------------------------------------------------------------ loss

/// The deadline's timer: it stops the worker even in the middle of its work.
pub(super) fn deadline_passed(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let now = host.read(set.client.clock);
    jeopardy::passed(w, now, host);
    for i in 0..w.holds.len() {
        let h = w.holds[i];
        let watched = h.grace > Span::ZERO || set.client.deadline_timer;
        if watched && h.believes && jeopardy::is_lost(&h, now) && !lost(w, set, h.lock, Loss::Deadline, host) {
            return;
        }
    }
    arm_deadline(w, set, Some(now), host);
}

/// The worker learns that a tenure is over. True: it goes on (the policy is to log, or it has not reacted yet).
pub(super) fn lost(w: &mut Worker, set: &Setting, lock: LockId, why: Loss, host: &mut impl Host) -> bool {
    if set.client.on_lost == OnLost::Log && why != Loss::Deadline {
        // A line in a log file; nobody tells the program, which goes on believing.
        return true;
    }
    if let Some(h) = find(w, lock) {
        end_belief(h, why, host);
    }
    settle(w, set, host);
    if super::over(w.phase) {
        return false;
    }
    if w.stopping.is_some() {
        return true; // It is about to stop for an earlier loss.
    }
    w.stopping = Some(if why == Loss::Deadline { StopWhy::Deadline } else { StopWhy::LostLease });
    let lag = host.draw(Purpose::Lag, &set.client.reaction_lag);
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

/// What the worker was about to react to is of the past: its round is over, or it has begun anew.
pub(super) fn forget_loss(w: &mut Worker, host: &mut impl Host) {
    if w.stopping.take().is_some() {
        host.cancel(LAG);
    }
}

/// Does the thread that learned of the loss run the program itself?
fn thread_may_act(w: &Worker) -> bool {
    matches!(w.phase, Phase::Renewing { .. })
}
