//! Jeopardy: the client's own lease is over, and whether its session lives it does not know (Chubby).
//!
//! A client library of a service with a grace period does not give up at its deadline. It tells the application, keeps it from acting, and
//! goes on asking. Word of the session within the grace period, and everything is as before; the session was never lost. Else it is given
//! up. A new master, which lets every session live for a whole lease more, may well be heard of in time.

use super::super::{Due, Host};
use super::hold::{self, Hold};
use super::{DEADLINE, MAIN, Phase, Setting, Then, Worker};
use crate::base::fact::Loss;
use crate::base::{Fact, LocalTime, LockId, Span, Thread};

/// Sets the timer of what comes next: a deadline, or the end of a grace period.
pub(super) fn arm(w: &Worker, set: &Setting, host: &mut impl Host) {
    let next = |h: &Hold| h.until.map(|until| if h.in_jeopardy { until + h.grace } else { until });
    let watched = |h: &&Hold| h.believes && (h.grace > Span::ZERO || set.client.deadline_timer);
    match w.holds.iter().filter(watched).filter_map(next).min() {
        Some(until) => host.timer(DEADLINE, Thread::Main, Due::Reading(set.client.clock, until)),
        None => host.cancel(DEADLINE),
    }
}

/// Deadlines have passed: what has a grace period is in jeopardy from now on.
pub(super) fn passed(w: &mut Worker, now: LocalTime, host: &mut impl Host) {
    for h in w.holds.iter_mut().filter(|h| h.believes && h.grace > Span::ZERO && !h.in_jeopardy) {
        if h.is_over(now) {
            h.in_jeopardy = true;
            host.did(Fact::Suspended);
            // It knows no more than that its deadline has passed; the tenure goes on if there is word.
            host.did(Fact::BeliefEnded { lock: h.lock, acq: h.acq, why: Loss::Deadline });
        }
    }
}

/// Is it over for good?
pub(super) fn is_lost(h: &Hold, now: LocalTime) -> bool {
    h.until.is_some_and(|until| now >= until + h.grace)
}

/// The program wants to act. True: it has to wait for word of a session.
pub(super) fn blocks(w: &mut Worker, now: LocalTime, then: Then) -> bool {
    let waits = |h: &Hold| h.believes && h.grace > Span::ZERO && h.is_over(now) && !is_lost(h, now);
    let blocks = w.holds.iter().any(waits);
    if blocks {
        w.phase = Phase::Blocked(then);
    }
    blocks
}

/// Word of the session has come.
pub(super) fn ends(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) {
    if let Some(h) = hold::find(w, lock)
        && std::mem::take(&mut h.in_jeopardy)
    {
        host.did(Fact::Reconnected);
        let Hold { acq, token, until, .. } = *h;
        host.did(Fact::Believed { lock, acq, token, until, clock: set.client.clock });
    }
    if matches!(w.phase, Phase::Blocked(_)) {
        // The main thread goes on at its next turn, which a pause may put off.
        host.timer(MAIN, Thread::Main, Due::Sleep(Span::ZERO));
    }
}
