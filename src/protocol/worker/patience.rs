//! The end of a caller's patience, and what outlives it.
//!
//! Who gives up may leave something behind: a request that is still under way, votes of a quorum, or the loop of tries itself, which then
//! gets a lock for nobody.

use super::super::params::{Cleanup, Draw, LateGrant};
use super::super::{Due, Host, Purpose};
use super::acquire::{self, Want};
use super::{
    LOOSE, MAIN, PATIENCE, Phase, Setting, Worker, ballot, connect, kinds, next_call, payload_is_failure, program,
    session, wait,
};
use crate::base::fact::TryEnd;
use crate::base::message::{Compare, Topic};
use crate::base::{CallId, Fact, LockId, Message, NodeId, OwnerId, Payload, Span, Thread};

/// So many tries back a late grant is still recognised.
const REMEMBERED: usize = 8;

/// A try whose answer may come late; remembered only by clients that hand a late grant back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Tried {
    pub call: CallId,
    pub lock: LockId,
    pub owner: OwnerId,
}

/// A loop of tries whose caller has given up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Loose {
    want: Want,
    /// The request under way, if it does not wait for the next one.
    call: Option<CallId>,
}

/// An acquire step begins that has only so much time. With none at all it is a try-lock: one try, and its answer decides.
#[cold]
pub(super) fn begin(w: &mut Worker, patience: &Draw, host: &mut impl Host) {
    let patience = host.draw(Purpose::Patience, patience);
    if patience == Span::ZERO {
        w.want.last = true;
    } else {
        host.timer(PATIENCE, Thread::Main, Due::Sleep(patience));
    }
}

/// The caller gives up; its request may still be carried out. Votes that a quorum has given already are taken back as after any other try.
pub(super) fn ran_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let asks = matches!(w.phase, Phase::Asking | Phase::Expiring);
    let sleeps = matches!(w.phase, Phase::Subscribing | Phase::Listening);
    let in_line = matches!(w.phase, Phase::InLine { .. } | Phase::Looking { .. });
    if !asks && !sleeps && !in_line && !matches!(w.phase, Phase::RetryWait | Phase::Withdrawing | Phase::Inspecting) {
        return;
    }
    if in_line || (w.phase == Phase::Asking && set.is_line(w.want.lock)) {
        session::leave(w, set, host);
    }
    if w.connected {
        connect::cancel(w, set, host);
    }
    let is_quorum = set.is_quorum(w.want.lock);
    if set.client.keeps_trying && !is_quorum && !set.is_record(w.want.lock) && !sleeps && w.loose.is_none() {
        return let_loose(w, set, host);
    }
    if asks {
        host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::TimedOut });
    }
    if is_quorum && set.client.cleanup != Cleanup::None {
        w.want.last = true;
        match w.phase {
            Phase::Withdrawing => {}
            Phase::RetryWait => acquire::wait_to_retry(w, set, host),
            _ => {
                host.cancel(MAIN);
                ballot::break_off(w, Thread::Main);
                acquire::withdraw(w, set, host);
            }
        }
        return;
    }
    host.cancel(MAIN);
    ballot::forget(w, Thread::Main);
    w.call = Default::default();
    give_up(w, set, host);
}

#[cold]
pub(super) fn give_up(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    kinds::let_go(w, set, host);
    host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::GaveUp });
    wait::ends(w, set, host);
    program::skip_round(w, set, host);
}

// ------------------------------------------------------------------ tries that nobody waits for

/// The caller is told that it did not work, and the loop goes on.
fn let_loose(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let waits = matches!(w.phase, Phase::RetryWait | Phase::Withdrawing);
    w.loose = Some(Loose { want: w.want, call: Some(w.call).filter(|_| !waits) });
    if w.phase != Phase::RetryWait {
        // The time-out of the request under way, counted from its sending.
        let limit = set.client.acquire_timeout.map(|l| host.draw(Purpose::TimeOut, &l));
        if let Some(limit) = limit {
            host.timer(LOOSE, Thread::Main, Due::Reading(set.client.clock, w.want.sent + limit));
        }
    }
    host.cancel(MAIN);
    w.call = Default::default();
    give_up(w, set, host);
}

/// The next try of a loop without a caller, or the end of the time for the one under way.
pub(super) fn loose_timer(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(loose) = w.loose else {
        // Its caller still waits.
        if w.phase == Phase::RetryWait {
            acquire::ask(w, set, host);
        }
        return;
    };
    if loose.call.is_some() {
        host.did(Fact::TimedOut { topic: Topic::Acquire });
        return loose_again(w, set, host);
    }
    // It asks as its caller did; what the main thread itself wants by now is put aside meanwhile.
    let own = std::mem::replace(&mut w.want, loose.want);
    let payload = acquire::next_try(w, set, host);
    let want = std::mem::replace(&mut w.want, own);
    let call = next_call(w, Thread::Main);
    w.loose = Some(Loose { want, call: Some(call) });
    let (Some(payload), Some(node)) = (payload, set.nodes(want.lock).first()) else { return };
    host.send(*node, Message::request(Topic::Acquire, call, payload));
    if let Some(limit) = set.client.acquire_timeout {
        let limit = host.draw(Purpose::TimeOut, &limit);
        host.timer(LOOSE, Thread::Main, Due::Sleep(limit));
    }
}

/// An answer to a loop without a caller. A grant is for nobody: it is handed back, or left to run out, if it ever does. False if it is none.
pub(super) fn loose_answer(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) -> bool {
    let Some(Loose { want, call }) = w.loose else { return false };
    if call != Some(message.call) {
        return false;
    }
    let Want { lock, acq, owner, ttl, .. } = want;
    match message.payload {
        Payload::Granted { .. } => {
            host.cancel(LOOSE);
            w.loose = None;
            let Some(l) = set.locks.get(lock.index()) else { return true };
            let call = next_call(w, Thread::Main);
            if set.client.late_grant == LateGrant::Release {
                let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
                ballot::tell(set, lock, Message::request(Topic::Withdraw, call, payload), host);
            } else if l.params.acquire_two_step {
                let payload = Payload::Expire { lock, acq, ttl, margin: Span::ZERO };
                ballot::tell(set, lock, Message::request(Topic::Acquire, call, payload), host);
            }
        }
        ref p => {
            let why = if payload_is_failure(p) { TryEnd::Failed } else { TryEnd::Refused };
            host.did(Fact::TryFailed { lock, acq, why });
            loose_again(w, set, host);
        }
    }
    true
}

fn loose_again(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(loose) = &mut w.loose else { return };
    loose.call = None;
    if set.client.attempts.is_some_and(|most| loose.want.tries >= most) {
        w.loose = None;
        return host.cancel(LOOSE);
    }
    let retry = host.draw(Purpose::Retry, &set.client.retry);
    host.timer(LOOSE, Thread::Main, Due::Sleep(retry));
}

// ------------------------------------------------------------------ grants that come late

#[cold]
pub(super) fn remember(w: &mut Worker, tried: Tried) {
    if w.tried.len() == REMEMBERED {
        w.tried.remove(0);
    }
    w.tried.push(tried);
}

/// An answer that nobody waits for any more; a late grant may be handed back, unless what is held or asked for goes by the same owner id:
/// then the client cannot tell the two apart.
pub(super) fn late_answer(w: &mut Worker, from: NodeId, message: &Message, host: &mut impl Host) {
    if let Payload::Granted { lock, acq, .. } = message.payload
        && let Some(i) = w.tried.iter().position(|t| t.call == message.call && t.lock == lock)
    {
        let owner = w.tried[i].owner;
        let asks = matches!(w.phase, Phase::Asking | Phase::SetDone { .. } | Phase::Expiring | Phase::Stamped { .. });
        let wanted = asks && w.want.lock == lock && w.want.owner == owner;
        if !wanted && w.holds.iter().all(|h| h.lock != lock || h.owner != owner) {
            let call = next_call(w, Thread::Main);
            let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
            host.send(from, Message::request(Topic::Withdraw, call, payload));
        }
    }
}
