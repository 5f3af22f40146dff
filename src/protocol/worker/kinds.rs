//! What a client does with locks that count, that have several holders, or that it asks for together.
//!
//! Who holds a lock and asks for it again says how often it will be in. Each inner hold may bring a token of its own, and the outer one's
//! is used again when the inner one is given back: that an owner can fence itself in this way is the point of the exercise.
//!
//! Several locks at once are asked for one after another. Who is refused one of them keeps what it has and asks again, or, if its discipline
//! is to clean up after a failed try, or too few are left for a majority, gives it all back and begins anew with the first.

use super::super::Host;
use super::super::params::{Cleanup, LockKind, Locks, OnCancel, Op, Reentrant};
use super::hold::{self, Hold};
use super::{
    MAIN, PATIENCE, Phase, Setting, Worker, acquire, ballot, held, next_call, op_at, patience, program, release, wait,
};
use crate::base::fact::{Loss, TryEnd};
use crate::base::message::{Compare, Mode, Topic};
use crate::base::{Fact, LocalTime, LockId, Message, Payload, Span, Thread, Token};

/// How often the worker is in beyond the first time.
pub(super) fn depth(w: &Worker, lock: LockId) -> usize {
    w.outer.iter().filter(|(l, _)| *l == lock).count()
}

/// Begins a step that asks for several locks, or in a certain way. False if there is no service to ask.
#[cold]
pub(super) fn begin(w: &mut Worker, set: &Setting, op: Op, host: &mut impl Host) -> bool {
    let (locks, mode, ttl, patience) = match op {
        Op::AcquireAs { locks, mode, ttl, patience } => (locks, mode, ttl, patience),
        Op::Convert { lock, mode } => (Locks::one(lock), mode, None, None),
        _ => return false,
    };
    if !acquire::begin(w, set, locks.at(0), ttl, patience, host) {
        return false;
    }
    (w.want.mode, w.want.locks) = (mode, locks);
    if mode == Mode::Downgrade
        && let Some(h) = hold::find(w, locks.at(0))
    {
        // From the sending on it may not write any more.
        hold::end_belief(h, Loss::Released, host);
    }
    true
}

/// The request of a try, where the service counts or has several holders.
#[cold]
pub(super) fn entry(w: &mut Worker, set: &Setting, margin: Span) -> Payload {
    let lock = w.want.lock;
    let kind = &set.locks[lock.index()].params.kind;
    let converts = matches!(w.want.mode, Mode::Upgrade | Mode::Downgrade);
    let counts = kind.reentrant != Reentrant::No && kind.holders != LockKind::Semaphore;
    let mut n = 1;
    if let Some(h) = held(w, lock).filter(|_| counts || converts) {
        w.want.owner = h.owner;
        n += depth(w, lock) as u16 + u16::from(!converts);
    }
    let acquire::Want { acq, owner, ttl, mode, .. } = w.want;
    Payload::Enter { lock, acq, owner, ttl, margin, mode, n }
}

/// A grant for what is held already: one more entry of the same tenure. False if it begins one.
#[cold]
pub(super) fn entered_again(
    w: &mut Worker,
    set: &Setting,
    token: Option<Token>,
    until: Option<LocalTime>,
    host: &mut impl Host,
) -> bool {
    let acquire::Want { lock, acq, sent, mode, .. } = w.want;
    if let Some(h) = hold::find(w, lock)
        && h.acq == acq
        && h.believes
    {
        let outer = h.token;
        h.token = token;
        h.until = until;
        h.confirmed = sent;
        w.outer.push((lock, outer));
        if token != outer {
            w.number = 0;
        }
        host.did(Fact::Reckoned { lock, acq, until });
        hold::arm_deadline(w, set, None, host);
        return true;
    }
    if mode == Mode::Upgrade
        && let Some(h) = hold::find(w, lock)
    {
        hold::end_belief(h, Loss::Released, host);
    }
    if mode != Mode::Upgrade && mode != Mode::Downgrade {
        w.outer.retain(|(l, _)| *l != lock);
    }
    false
}

/// An entry was given back: the one around it counts again. False if there is none.
pub(super) fn left(w: &mut Worker, lock: LockId) -> bool {
    let Some(i) = w.outer.iter().rposition(|(l, _)| *l == lock) else { return false };
    let (_, token) = w.outer.remove(i);
    if let Some(h) = hold::find(w, lock)
        && h.token != token
    {
        h.token = token;
        w.number = 0;
    }
    true
}

// ------------------------------------------------------------------ several at once

/// Behind a grant: the next lock of the same step. False if this was the last.
pub(super) fn next_lock(w: &mut Worker, set: &Setting, host: &mut impl Host) -> bool {
    if w.want.locks.len() < 2 {
        return false;
    }
    w.want.got |= 1 << w.want.place;
    go_to(w, set, w.want.place + 1, host)
}

/// Asks for the lock at this place. False if there is none.
#[cold]
fn go_to(w: &mut Worker, set: &Setting, place: u8, host: &mut impl Host) -> bool {
    if usize::from(place) >= w.want.locks.len() {
        host.cancel(PATIENCE);
        return false;
    }
    aim(w, set, place);
    acquire::ask(w, set, host);
    true
}

fn aim(w: &mut Worker, set: &Setting, place: u8) {
    let lock = w.want.locks.at(place.into());
    let own = match op_at(w, set) {
        Some(Op::AcquireAs { ttl, .. }) => *ttl,
        _ => None,
    };
    (w.want.place, w.want.lock) = (place, lock);
    w.want.ttl = own.unwrap_or(set.locks[lock.index()].params.ttl);
}

/// One of several was not got. True if the step goes on all the same, or gives back what it has; false if there is nothing to do but wait
/// and ask again, for this one if the client keeps what it has, else for the first.
#[cold]
pub(super) fn missed(w: &mut Worker, set: &Setting, host: &mut impl Host) -> bool {
    let n = w.want.locks.len();
    let majority = set.locks[w.want.locks.at(0).index()].params.kind.majority;
    if !majority && matches!(set.client.cleanup, Cleanup::None | Cleanup::AtEnd) {
        return false;
    }
    w.want.missed += 1;
    let needed = if majority { n / 2 + 1 } else { n };
    if usize::from(w.want.missed) + needed > n {
        return roll_back(w, set, host);
    }
    if !go_to(w, set, w.want.place + 1, host) {
        // The last one is missing, and enough were got.
        w.phase = Phase::Believed;
        program::turn(w, set, host);
    }
    true
}

/// Gives back the latest of what was got. False if nothing is left: everything begins again with the first.
pub(super) fn roll_back(w: &mut Worker, set: &Setting, host: &mut impl Host) -> bool {
    if w.want.locks.len() < 2 {
        return false;
    }
    w.want.rolling = true;
    while w.want.got != 0 {
        let place = 15 - w.want.got.leading_zeros() as u8;
        w.want.got &= !(1 << place);
        let Some(h) = take_out(w, set, w.want.locks.at(place.into()), host) else { continue };
        w.call = next_call(w, Thread::Main);
        w.phase = Phase::Withdrawing;
        let compare = set.locks[h.lock.index()].params.release;
        let payload = Payload::Release { lock: h.lock, acq: h.acq, owner: h.owner, compare };
        ballot::ask(w, set, h.lock, Message::request(Topic::Withdraw, w.call, payload), host);
        ballot::arm(set, h.lock, Topic::Withdraw, Thread::Main, host);
        return true;
    }
    (w.want.missed, w.want.rolling) = (0, false);
    aim(w, set, 0);
    false
}

/// The hold of a lock, which is the worker's no more; if it is in more than once, one entry less.
fn take_out(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) -> Option<Hold> {
    let i = w.holds.iter().position(|h| h.lock == lock)?;
    let h = w.holds[i];
    if !left(w, lock) {
        hold::end_belief(&mut w.holds[i], Loss::Released, host);
        w.holds.remove(i);
        hold::settle(w, set, host);
    }
    Some(h)
}

/// The step is given up: what it has got of several is given back, and nobody waits for the answers.
pub(super) fn let_go(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    for place in 0..w.want.locks.len() {
        if w.want.got & 1 << place != 0
            && let Some(h) = take_out(w, set, w.want.locks.at(place), host)
        {
            let call = next_call(w, Thread::Main);
            release::send(w, &h, set, call, host);
        }
    }
    w.want.got = 0;
}

// ------------------------------------------------------------------ cancelled from outside

/// Is an acquisition under way?
fn is_under_way(w: &Worker) -> bool {
    matches!(
        w.phase,
        Phase::Asking
            | Phase::Expiring
            | Phase::RetryWait
            | Phase::Withdrawing
            | Phase::Subscribing
            | Phase::Listening
            | Phase::InLine { .. }
            | Phase::Looking { .. }
    )
}

/// The caller does not want the lock any more. What becomes of what was got, and of the try under way, is the client's discipline.
#[cold]
pub(super) fn cancelled(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if !is_under_way(w) {
        return;
    }
    let acquire::Want { lock, acq, .. } = w.want;
    let asked = asks(w);
    host.cancel(MAIN);
    host.cancel(PATIENCE);
    ballot::forget(w, Thread::Main);
    w.call = Default::default();
    host.did(Fact::TryFailed { lock, acq, why: TryEnd::Cancelled });
    match set.client.on_cancel {
        OnCancel::Release => {
            if asked {
                take_back(w, set, host);
            }
            let_go(w, set, host);
        }
        OnCancel::Keep => {
            // The program has nothing in its hands. What the library holds for it, it goes on renewing.
            for place in 0..w.want.locks.len() {
                let lock = w.want.locks.at(place);
                if w.want.got & 1 << place != 0
                    && let Some(h) = hold::find(w, lock)
                {
                    hold::end_belief(h, Loss::Abandoned, host);
                    h.forgotten = true;
                }
            }
        }
    }
    wait::ends(w, set, host);
    program::skip_round(w, set, host);
}

/// Is there a try that may be granted yet?
fn asks(w: &Worker) -> bool {
    matches!(w.phase, Phase::Asking | Phase::Expiring | Phase::InLine { .. } | Phase::Looking { .. })
}

/// The try under way may be granted yet, or stand in line: whatever it leaves is to be removed.
fn take_back(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let acquire::Want { lock, acq, owner, .. } = w.want;
    let call = next_call(w, Thread::Main);
    let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
    ballot::tell(set, lock, Message::request(Topic::Withdraw, call, payload), host);
}

/// A polite end has been asked for.
#[cold]
pub(super) fn shut_down(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if super::over(w.phase) {
        return;
    }
    w.closing = true;
    if set.client.release_first {
        // Before the work is done: what it still writes, it writes without the lock.
        while let Some(h) = w.holds.pop() {
            let call = next_call(w, Thread::Main);
            release::send(w, &h, set, call, host);
            let mut h = h;
            hold::end_belief(&mut h, Loss::Released, host);
        }
        w.outer.clear();
        hold::settle(w, set, host);
    }
    if is_under_way(w) {
        if asks(w) {
            take_back(w, set, host);
        }
        host.cancel(MAIN);
        host.cancel(PATIENCE);
        ballot::forget(w, Thread::Main);
        w.call = Default::default();
        patience::give_up(w, set, host);
    }
}
