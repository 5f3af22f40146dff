//! Steps, loops and rounds: how a worker walks through its program.

use super::super::params::{Op, RenewBy};
use super::super::{Due, Host, Purpose};
use super::{
    DEADLINE, Frame, MAIN, PATIENCE, Phase, Renewer, Setting, Then, Worker, acquire, ballot, connect, effect, held,
    hold, kinds, next_call, observe, op_at, release, renew, stop, transact,
};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::{Mode, Over, Topic};
use crate::base::{ClockKind, Edge, Fact, LocalTime, LockId, Message, Payload, PointKind, Span, Thread, Verb};

/// Runs the main thread until it waits, passes a point, or ends.
pub(super) fn turn(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    loop {
        match w.phase {
            Phase::Begin => {
                let Some(op) = op_at(w, set) else {
                    return round_over(w, set, host);
                };
                match *op {
                    Op::LoopBegin { times, every, end } => {
                        if enter_loop(w, times, every, end, host) {
                            return;
                        }
                    }
                    Op::LoopEnd { begin } => w.pc = begin,
                    ref op => {
                        w.phase = Phase::Enter;
                        if !host.pass(PointKind::Step(Edge::Before, verb(op)), Thread::Main) {
                            return;
                        }
                    }
                }
            }
            Phase::Enter => {
                let Some(op) = op_at(w, set) else { return };
                if enter(w, set, *op, host) {
                    return;
                }
            }
            Phase::Ask => return acquire::ask(w, set, host),
            Phase::Stamped { token, until } => return acquire::stamped(w, set, token, until, host),
            Phase::SetDone { .. } => return acquire::expire(w, set, host),
            Phase::Believed => w.phase = Phase::After,
            Phase::Check(then) => {
                if !hold::check(w, set, then, host) {
                    return;
                }
                w.phase = Phase::Checked(then);
                if then == Then::Effect && !host.pass(PointKind::Step(Edge::After, Verb::Check), Thread::Main) {
                    return;
                }
            }
            Phase::Checked(Then::Effect) => w.phase = Phase::Effect,
            Phase::Checked(_) => w.phase = Phase::After,
            Phase::Activate(then) => {
                if effect::activate(w, set, then, host) {
                    return;
                }
                // Nothing to announce it to.
                w.phase = if then == Then::Next { advance(w) } else { Phase::After };
            }
            Phase::Effect => return effect::send(w, set, host),
            Phase::CompareDone => return release::delete(w, set, host),
            Phase::After => {
                let Some(op) = op_at(w, set) else { return };
                w.progress += 1;
                w.phase = Phase::Next;
                if !host.pass(PointKind::Step(Edge::After, verb(op)), Thread::Main) {
                    return;
                }
            }
            Phase::Next => {
                if activates_now(w, set) {
                    w.phase = Phase::Activate(Then::Next);
                    if !host.pass(PointKind::Step(Edge::Before, Verb::Activate), Thread::Main) {
                        return;
                    }
                } else {
                    w.phase = advance(w);
                }
            }
            // All others wait for a time or a reply, or are over.
            _ => return,
        }
    }
}

pub(super) fn advance(w: &mut Worker) -> Phase {
    w.pc += 1;
    Phase::Begin
}

/// A worker that activates does so right after its acquire, unless its program says where.
fn activates_now(w: &Worker, set: &Setting) -> bool {
    let lock = match op_at(w, set) {
        Some(Op::Acquire { lock, .. }) => *lock,
        Some(Op::AcquireAs { locks, mode: Mode::Write, .. }) => locks.at(0),
        Some(Op::Convert { lock, mode: Mode::Upgrade }) => *lock,
        _ => return false,
    };
    set.client.activate && held(w, lock).is_some() && !set.program.ops.iter().any(|op| matches!(op, Op::Activate))
}

/// Enters the step at `pc`. True if the thread now waits (or has passed a point).
fn enter(w: &mut Worker, set: &Setting, op: Op, host: &mut impl Host) -> bool {
    match op {
        Op::Acquire { lock, ttl, patience } => {
            if !acquire::begin(w, set, lock, ttl, patience, host) {
                w.phase = Phase::After;
            }
        }
        Op::AcquireAs { .. } | Op::Convert { .. } => {
            if !kinds::begin(w, set, op, host) {
                w.phase = Phase::After;
            }
        }
        Op::Renew { lock } => {
            if !renew::by_hand(w, set, lock, host) {
                w.phase = Phase::After;
                return false;
            }
            return true;
        }
        Op::Release { lock } => {
            if transact::puts_off(w, set, lock) || !release::begin(w, set, lock, host) {
                w.phase = Phase::After;
                return false;
            }
            return true;
        }
        Op::Abandon { lock } => {
            if let Some(i) = w.holds.iter().position(|h| h.lock == lock) {
                hold::end_belief(&mut w.holds[i], Loss::Abandoned, host);
                w.holds.remove(i);
                hold::settle(w, set, host);
            }
            w.phase = Phase::After;
        }
        Op::Check => w.phase = Phase::Check(Then::After),
        Op::Activate => {
            // The step marks the place; the design decides whether it does anything.
            w.phase = if set.client.activate { Phase::Activate(Then::After) } else { Phase::After };
        }
        Op::Read { shard } => return effect::read(w, set, shard, host),
        Op::Write { .. } | Op::Delete { .. } | Op::Call { .. } | Op::Issue { .. } => {
            w.number += 1;
            w.again = set.client.write_retries;
            if set.program.ops.iter().any(|op| matches!(op, Op::Check)) {
                w.phase = Phase::Effect;
            } else {
                w.phase = Phase::Check(Then::Effect);
                return !host.pass(PointKind::Step(Edge::Before, Verb::Check), Thread::Main);
            }
        }
        Op::Work { length } => {
            let left = length.map(|d| host.draw(Purpose::Work, &d));
            work(w, set, left, host);
            return true;
        }
        Op::Wait { length } => {
            w.phase = Phase::Busy { left: Some(Span::ZERO) };
            match length.map(|d| host.draw(Purpose::Wait, &d)) {
                Some(length) => host.timer(MAIN, Thread::Main, Due::Sleep(length)),
                None => host.cancel(MAIN),
            }
            return true;
        }
        Op::WaitUntil { reading } => {
            w.phase = Phase::Busy { left: Some(Span::ZERO) };
            let reading = LocalTime::from_us(reading.as_us());
            host.timer(MAIN, Thread::Main, Due::Reading(ClockKind::Wall, reading));
            return true;
        }
        Op::Break { lock, .. } | Op::Reap { lock, .. } if set.nodes(lock).is_empty() => w.phase = Phase::After,
        Op::Break { lock, older: None } => {
            order(w, set, lock, host);
            return true;
        }
        Op::Break { lock, .. } | Op::Reap { lock, .. } => {
            observe::begin(w, set, lock, host);
            return true;
        }
        Op::Begin { first, last } => {
            transact::begin(w, first, last);
            w.phase = Phase::After;
        }
        Op::Commit => return transact::enter(w, set, host),
        Op::Stop => {
            stop(w, set, StopWhy::Ended, host);
            return true;
        }
        // Jumps have no edges; `turn` takes them before a step begins.
        Op::LoopBegin { .. } | Op::LoopEnd { .. } => w.phase = Phase::Begin,
    }
    false
}

/// The order to remove a lock, whoever has it.
pub(super) fn order(w: &mut Worker, set: &Setting, lock: LockId, host: &mut impl Host) {
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Breaking;
    ballot::ask(w, set, lock, Message::request(Topic::Break, w.call, Payload::Break { lock }), host);
    ballot::arm(set, lock, Topic::Break, Thread::Main, host);
}

/// Works for `left` (`None`: for ever), in slices if this thread renews between them.
pub(super) fn work(w: &mut Worker, set: &Setting, left: Option<Span>, host: &mut impl Host) {
    let slice = match (set.client.renew_by, set.client.renew_every) {
        (RenewBy::Worker, Some(every)) if renew::any(w, set, host) => Some(every),
        _ => None,
    };
    let now = match (left, slice) {
        (Some(left), Some(slice)) => Some(left.min(slice)),
        (Some(left), None) => Some(left),
        (None, slice) => slice,
    };
    match now {
        Some(now) => {
            w.phase = Phase::Busy { left: left.map(|l| l - now) };
            host.timer(MAIN, Thread::Main, Due::Busy(now));
        }
        None => {
            w.phase = Phase::Busy { left: None };
            host.cancel(MAIN);
        }
    }
}

/// A slice of work, or all of it, or a sleep, is over.
pub(super) fn slice_done(w: &mut Worker, set: &Setting, left: Option<Span>, host: &mut impl Host) {
    if left == Some(Span::ZERO) {
        w.phase = Phase::After;
        return turn(w, set, host);
    }
    if !renew::in_work(w, set, left, host) {
        work(w, set, left, host);
    }
}

/// At the head of a block. True if the thread now waits for the block's next beat.
fn enter_loop(
    w: &mut Worker,
    times: Option<u32>,
    every: Option<super::super::params::Draw>,
    end: u16,
    host: &mut impl Host,
) -> bool {
    let now = host.read(ClockKind::Monotonic);
    let begin = w.pc;
    let again = w.loops.last().is_some_and(|f| f.begin == begin);
    if !again {
        w.loops.push(Frame { begin, left: times, due: now, began: now });
    }
    let Some(frame) = w.loops.last_mut() else { return false };
    if frame.left == Some(0) {
        w.loops.pop();
        w.pc = end + 1;
        return false;
    }
    frame.left = frame.left.map(|n| n - 1);
    w.pc = begin + 1;
    if again && let Some(every) = every {
        let beat = host.draw(Purpose::Every, &every);
        frame.due = next_beat(frame.due, beat, now);
        if frame.due > now {
            host.timer(MAIN, Thread::Main, Due::Reading(ClockKind::Monotonic, frame.due));
            w.phase = Phase::LoopWait;
            return true;
        }
    }
    if again && frame.began == now {
        // A block that takes no time goes through the queue, whose limit ends it; it must not hold the loop.
        host.timer(MAIN, Thread::Main, Due::Sleep(Span::ZERO));
        w.phase = Phase::LoopWait;
        return true;
    }
    frame.began = now;
    false
}

/// The first beat of the grid that is not over yet; a busy round skips.
fn next_beat(last: LocalTime, beat: Span, now: LocalTime) -> LocalTime {
    if beat <= Span::ZERO {
        return now;
    }
    let late = now.since(last).as_us();
    let skipped = (late - 1).div_euclid(beat.as_us()).max(0);
    last + Span::from_us(beat.as_us() * (skipped + 1))
}

fn round_over(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.round += 1;
    w.transaction = Default::default();
    hold::forget_loss(w, host);
    if set.program.rounds.is_some_and(|n| w.round >= n) || set.program.ops.is_empty() || w.closing {
        for h in &mut w.holds {
            hold::end_belief(h, Loss::Ended, host);
        }
        super::session::close(w, host);
        if w.connected {
            connect::hang_up(w, set, Over::Process, host);
        }
        for slot in [MAIN, DEADLINE, PATIENCE] {
            host.cancel(slot);
        }
        if w.ghost.is_none() && !w.holds.iter().any(renew::is_kept) {
            w.renewer = Renewer::Off;
            host.cancel(super::RENEW);
        }
        if w.gave_up {
            w.phase = Phase::Stopped;
            host.did(Fact::Stopped { why: StopWhy::GaveUp });
        } else {
            w.phase = Phase::Done;
            host.did(Fact::Finished);
        }
        return;
    }
    w.pc = 0;
    w.gave_up = false;
    w.phase = Phase::GapWait;
    let gap = set.program.gap.map_or(Span::ZERO, |d| host.draw(Purpose::Gap, &d));
    match set.program.every {
        Some(every) => {
            let now = host.read(ClockKind::Monotonic);
            let beat = host.draw(Purpose::Every, &every);
            w.round_due = next_beat(w.round_due, beat, now + gap);
            host.timer(MAIN, Thread::Main, Due::Reading(ClockKind::Monotonic, w.round_due));
        }
        // Through the queue even without a gap: an endless round without a wait must not hold the loop.
        None => host.timer(MAIN, Thread::Main, Due::Sleep(gap)),
    }
}

/// Gives up this round: the rest of its steps is skipped.
pub(super) fn skip_round(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.gave_up = true;
    w.loops.clear();
    w.pc = set.program.ops.len() as u16;
    w.phase = Phase::Begin;
    turn(w, set, host);
}

/// Starts the steps again within the round.
pub(super) fn again_from_start(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    for h in &mut w.holds {
        hold::end_belief(h, Loss::Abandoned, host);
    }
    w.holds.clear();
    hold::settle(w, set, host);
    hold::forget_loss(w, host);
    super::ballot::forget(w, Thread::Main);
    w.loops.clear();
    w.transaction = Default::default();
    w.pc = 0;
    w.phase = Phase::Begin;
    host.cancel(MAIN);
    host.cancel(PATIENCE);
    turn(w, set, host);
}

/// Goes back to the last read before this step (or to the first step).
pub(super) fn back_to_read(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let here = w.pc as usize;
    let read = set.program.ops[..here].iter().rposition(|op| matches!(op, Op::Read { .. }));
    w.pc = read.unwrap_or(0) as u16;
    transact::goes_back(w);
    w.phase = Phase::Begin;
    turn(w, set, host);
}

fn verb(op: &Op) -> Verb {
    match op {
        Op::Acquire { .. } | Op::AcquireAs { .. } => Verb::Acquire,
        Op::Convert { mode: Mode::Upgrade, .. } => Verb::Upgrade,
        Op::Convert { .. } => Verb::Downgrade,
        Op::Renew { .. } => Verb::Renew,
        Op::Release { .. } => Verb::Release,
        Op::Abandon { .. } => Verb::Abandon,
        Op::Check => Verb::Check,
        Op::Activate => Verb::Activate,
        Op::Read { .. } => Verb::Read,
        Op::Write { .. } => Verb::Write,
        Op::Delete { .. } => Verb::Delete,
        Op::Call { .. } => Verb::Call,
        Op::Issue { .. } => Verb::Issue,
        Op::Work { .. } => Verb::Work,
        Op::Wait { .. } | Op::WaitUntil { .. } | Op::LoopBegin { .. } | Op::LoopEnd { .. } => Verb::Wait,
        Op::Break { .. } => Verb::Break,
        Op::Reap { .. } => Verb::Reap,
        Op::Stop => Verb::Stop,
        Op::Begin { .. } => Verb::Begin,
        Op::Commit => Verb::Commit,
    }
}
