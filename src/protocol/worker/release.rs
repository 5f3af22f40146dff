//! Giving the lock back.
//!
//! The belief ends when the release is *sent*: from then on the worker may not act. Whether the release is safe is a matter of what it
//! compares: the stored owner id in the same step, or nothing, or the id in an earlier step of its own.

use super::super::Host;
use super::super::params::{Family, Op, Pool};
use super::{
    Hold, MAIN, Phase, Renewer, Setting, Worker, ballot, connect, hold, kinds, next_call, observe, program, transact,
};
use crate::base::fact::Loss;
use crate::base::message::{Compare, Topic};
use crate::base::{CallId, Fact, LockId, Message, Payload, PointKind, Thread};

/// Begins a release step. False if there is nothing to release.
pub(super) fn begin(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) -> bool {
    let Some(i) = w.holds.iter().position(|h| h.lock == lock) else { return false };
    if w.outer.is_empty() || kinds::depth(w, lock) == 0 {
        hold::end_belief(&mut w.holds[i], Loss::Released, host);
        hold::settle(w, set, host);
    }
    if set.client.shares_id {
        // The slot holds whatever was put there last; a release takes it out.
        let Some(owner) = host.shared_id(lock) else {
            w.holds.remove(i);
            return false; // "Cannot release an unlocked lock."
        };
        w.holds[i].owner = owner;
        host.share_id(lock, None);
    }
    w.again = set.client.release_retry;
    go(w, set, i, host)
}

fn go(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) -> bool {
    let mut h = w.holds[i];
    if set.nodes(h.lock).is_empty() {
        return false;
    }
    if set.client.pool == Pool::PerTransaction && set.locks[h.lock.index()].params.family == Family::Connection {
        // Over whatever connection is lent for it; whose lock it is the server looks up by that.
        h.owner = connect::current(w, set, host);
    }
    w.call = next_call(w, Thread::Main);
    let params = &set.locks[h.lock.index()].params;
    if params.release_by_clock && h.until.is_some_and(|until| host.read(set.client.clock) >= until) {
        return false; // By its own clock there is nothing left to give back.
    }
    let payload = if params.release_two_steps {
        w.phase = Phase::Comparing;
        Payload::Get { lock: h.lock, acq: h.acq, owner: h.owner }
    } else {
        w.phase = Phase::Releasing;
        order(w, &h, set, host)
    };
    call(w, set, h.lock, payload, host);
    true
}

/// Sends a request of this release, and waits for its answer.
fn call(w: &mut Worker, set: &Setting, lock: LockId, payload: Payload, host: &mut impl Host) {
    ballot::ask(w, set, lock, Message::request(Topic::Release, w.call, payload), host);
    ballot::arm(set, lock, Topic::Release, Thread::Main, host);
}

/// Sends the release of a tenure; nobody need wait for the answer.
pub(super) fn send(w: &Worker, h: &Hold, set: &Setting, call: CallId, host: &mut impl Host) {
    if h.lock.index() < set.locks.len() {
        let payload = order(w, h, set, host);
        ballot::tell(set, h.lock, Message::request(Topic::Release, call, payload), host);
    }
}

/// The release of a tenure in one step.
#[inline]
fn order(w: &Worker, h: &Hold, set: &Setting, host: &impl Host) -> Payload {
    let params = &set.locks[h.lock.index()].params;
    if params.family == Family::Record {
        // A renewal under way makes another state: whoever releases meanwhile asks only whose the record is.
        let under_way = matches!(w.renewer, Renewer::Calling { lock, .. } if lock == h.lock);
        observe::rewrite(h, set, h.ttl, params.release, under_way, host)
    } else {
        Payload::Release { lock: h.lock, acq: h.acq, owner: h.owner, compare: params.release }
    }
}

/// The answer to "is it mine?": what was true when it was given.
pub(super) fn on_compared(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    host.cancel(MAIN);
    match message.payload {
        Payload::Owned { mine: true, .. } => {
            w.phase = Phase::CompareDone;
            if host.pass(PointKind::Compare, Thread::Main) {
                program::turn(w, set, host);
            }
        }
        Payload::Failed if w.again > 0 => again(w, set, host),
        _ => done(w, set, host),
    }
}

/// Second half of a two-step release: delete, whoever has it now. To the program both halves are one call.
pub(super) fn delete(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(h) = releasing(w, set).map(|i| w.holds[i]) else { return };
    w.phase = Phase::Releasing;
    let payload = Payload::Release { lock: h.lock, acq: h.acq, owner: h.owner, compare: Compare::Nothing };
    if set.nodes(h.lock).len() > 1 {
        // Each node is a lock of its own: deleted is where the answer was yes.
        let mine = w.mine;
        ballot::ask_some(w, set, h.lock, mine, Message::request(Topic::Release, w.call, payload), host);
        ballot::arm(set, h.lock, Topic::Release, Thread::Main, host);
    } else {
        call(w, set, h.lock, payload, host);
    }
}

/// Which hold the release under way is about.
fn releasing(w: &Worker, set: &Setting) -> Option<usize> {
    let lock = transact::giving_back(w, set)?;
    w.holds.iter().position(|h| h.lock == lock)
}

pub(super) fn on_reply(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    host.cancel(MAIN);
    if message.payload == Payload::Failed && w.again > 0 {
        return again(w, set, host);
    }
    if set.client.unlocks_remote_first && matches!(message.payload, Payload::NotHeld { .. }) {
        thrown(w, set);
    }
    done(w, set, host);
}

pub(super) fn timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Release });
    if w.again > 0 {
        return again(w, set, host);
    }
    done(w, set, host);
}

/// The release of the remote half throws: the local half, which comes next, is left out.
#[cold]
fn thrown(w: &mut Worker, set: &Setting) {
    if let Some(i) = releasing(w, set) {
        w.holds.remove(i);
    }
    if let Some(Op::Release { lock }) = set.program.ops.get(w.pc as usize + 1)
        && set.locks.get(lock.index()).is_some_and(|l| l.params.of_process)
    {
        w.pc += 1;
        w.skipped = true;
    }
}

fn again(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.again -= 1;
    match releasing(w, set) {
        Some(i) if go(w, set, i, host) => {}
        _ => done(w, set, host),
    }
}

fn done(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if !std::mem::take(&mut w.skipped)
        && let Some(i) = releasing(w, set)
        && (w.outer.is_empty() || !kinds::left(w, w.holds[i].lock))
    {
        w.holds.remove(i);
    }
    transact::given_back(w, set, host);
}
