//! Waiting to be told: a client that listens for the release instead of asking again and again.
//!
//! Who listens first and looks then misses nothing that is sent. Who looks, is refused, and listens then, misses a release that falls between.
//! In either case the message may be lost, so a client asks anyway after a while: when the record that it saw has run out, or sooner
//! (`poll`).

use super::super::params::{Family, Wake};
use super::super::{Due, Host, Purpose};
use super::{MAIN, Phase, Setting, Worker, acquire, ballot, next_call};
use crate::base::message::Topic;
use crate::base::{Fact, LockId, Message, Payload, Span, Thread};

/// After a refusal: sleeps until it is told, if this client and this service do that. `left`: how long the record has left; `None`: no end.
pub(super) fn sleeps(w: &mut Worker, set: &Setting, left: Option<Span>, host: &mut impl Host) -> bool {
    let lock = w.want.lock;
    let tells = |l: &super::Access| l.params.wake == Wake::Notify && l.params.family != Family::Quorum;
    if w.want.last || !set.locks.get(lock.index()).is_some_and(tells) {
        return false;
    }
    if set.client.attempts.is_some_and(|most| w.want.tries >= most) {
        return false;
    }
    host.cancel(MAIN);
    w.left = left;
    if w.listens == Some(lock) {
        listen(w, set, host);
    } else {
        w.woken = false;
        w.listens = Some(lock);
        w.call = next_call(w, Thread::Main);
        w.phase = Phase::Subscribing;
        tell(w, set, true, host);
        ballot::arm(set, lock, Topic::Notify, Thread::Main, host);
    }
    true
}

/// The service knows that this client listens. Who looked before that looks again, unless it is a client that does not.
pub(super) fn subscribed(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.cancel(MAIN);
    if set.client.looks_then_listens { listen(w, set, host) } else { acquire::ask(w, set, host) }
}

/// Nobody knows whether the service has heard; the client asks again as after any other time-out.
pub(super) fn subscription_timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Notify });
    w.listens = None;
    acquire::wait_to_retry(w, set, host);
}

fn listen(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if std::mem::take(&mut w.woken) {
        return acquire::ask(w, set, host); // It was told while it asked.
    }
    w.phase = Phase::Listening;
    let poll = set.client.poll.map(|p| host.draw(Purpose::Retry, &p)).or(w.left);
    if let Some(poll) = poll {
        host.timer(MAIN, Thread::Main, Due::Sleep(poll));
    }
}

/// The lock has been given back, says the service.
pub(super) fn told(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) {
    if w.listens != Some(lock) {
        return host.did(Fact::Ignored { topic: Topic::Notify });
    }
    if w.phase == Phase::Listening {
        host.cancel(MAIN);
        acquire::ask(w, set, host);
    } else {
        w.woken = true;
    }
}

/// It waits no longer: the service need not tell it any more.
pub(super) fn ends(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if w.listens.is_some() {
        w.call = next_call(w, Thread::Main);
        tell(w, set, false, host);
        w.listens = None;
        w.woken = false;
    }
}

fn tell(w: &Worker, set: &Setting, on: bool, host: &mut impl Host) {
    if let Some(lock) = w.listens {
        let payload = Payload::Listen { lock, acq: w.want.acq, on };
        ballot::tell(set, lock, Message::request(Topic::Notify, w.call, payload), host);
    }
}
