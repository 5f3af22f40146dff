//! What the lock is for: reading, announcing the token, writing, calling out.
//!
//! A write carries everything that a guard may look at (base version, token, owner id, the name of the operation, a number under the
//! token). It waits for its answer without limit unless the client has a write time-out; then the *identical* request goes out
//! again, since its outcome is unknown.

use super::super::params::{OnError, OnReject, Op};
use super::super::{Ctx, Due, Out, Purpose};
use super::{MAIN, Phase, Setting, Then, Worker, hold, next_call, op_at, op_key, owner_of, program, stop, tenure};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::{Topic, Write};
use crate::base::{Edge, Fact, Message, NodeId, Payload, PointKind, Thread, Verb};

/// Begins a read. True if the thread now waits.
pub(super) fn read(w: &mut Worker, set: &Setting, _ctx: &mut Ctx, shard: NodeId, out: &mut Out) -> bool {
    if set.client.cache_kept && w.bases.iter().any(|(s, _)| *s == shard) {
        w.phase = Phase::After; // What was read in an earlier tenure is good enough for this client.
        return false;
    }
    let (acq, _, _, token) = owner_of(tenure(w));
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Reading { shard };
    out.send(shard, Message::request(Topic::Read, w.call, Payload::Read { acq, token }));
    true
}

pub(super) fn on_read_reply(
    w: &mut Worker,
    set: &Setting,
    ctx: &mut Ctx,
    shard: NodeId,
    message: Message,
    out: &mut Out,
) {
    match message.payload {
        Payload::Value { version } => {
            set_base(w, shard, version);
            w.phase = Phase::After;
            program::turn(w, set, ctx, out);
        }
        Payload::Failed => on_error(w, set, ctx, out),
        _ => rejected(w, set, ctx, out),
    }
}

fn set_base(w: &mut Worker, shard: NodeId, version: u64) {
    match w.bases.iter_mut().find(|(s, _)| *s == shard) {
        Some(b) => b.1 = version,
        None => w.bases.push((shard, version)),
    }
}

/// An error instead of an answer.
fn on_error(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    match set.client.on_error {
        OnError::Retry => {
            let retry = ctx.draw(Purpose::Retry, set.client.retry);
            w.phase = Phase::ReadRetry;
            out.timer(MAIN, Thread::Main, Due::Sleep(retry));
        }
        OnError::Fail => stop(w, set, StopWhy::Failed, out),
        OnError::Proceed => {
            w.phase = Phase::After;
            program::turn(w, set, ctx, out);
        }
    }
}

/// Announces the token on every shard at once. False if there is nothing to announce it to, or nothing to announce.
pub(super) fn activate(w: &mut Worker, set: &Setting, ctx: &mut Ctx, then: Then, out: &mut Out) -> bool {
    if set.shards.is_empty() || tenure(w).is_none() {
        return false;
    }
    w.call = next_call(w, Thread::Main);
    w.again = set.client.write_retries;
    w.awaiting.clear();
    w.awaiting.extend_from_slice(set.shards);
    send_activation(w, set, ctx, then, out);
    true
}

fn send_activation(w: &mut Worker, set: &Setting, ctx: &mut Ctx, then: Then, out: &mut Out) {
    let (acq, owner, _, token) = owner_of(tenure(w));
    for shard in &w.awaiting {
        out.send(*shard, Message::request(Topic::Activate, w.call, Payload::Activate { acq, owner, token }));
    }
    w.phase = Phase::Activating(then);
    arm_write(set, ctx, out);
}

fn arm_write(set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    if let Some(limit) = set.client.write_timeout {
        let limit = ctx.draw(Purpose::TimeOut, limit);
        out.timer(MAIN, Thread::Main, Due::Sleep(limit));
    }
}

pub(super) fn on_activation_reply(
    w: &mut Worker,
    set: &Setting,
    ctx: &mut Ctx,
    from: NodeId,
    message: Message,
    then: Then,
    out: &mut Out,
) {
    if matches!(message.payload, Payload::Rejected(_)) {
        out.cancel(MAIN);
        return rejected(w, set, ctx, out);
    }
    w.awaiting.retain(|s| *s != from);
    if w.awaiting.is_empty() {
        out.cancel(MAIN);
        activated(w, set, ctx, then, out);
    }
}

fn activated(w: &mut Worker, set: &Setting, ctx: &mut Ctx, then: Then, out: &mut Out) {
    match then {
        Then::Next => {
            w.phase = program::advance(w);
            out.pass(PointKind::Step(Edge::After, Verb::Activate), Thread::Main);
        }
        Then::After | Then::Effect => {
            w.phase = Phase::After;
            program::turn(w, set, ctx, out);
        }
    }
}

pub(super) fn activation_timed_out(w: &mut Worker, set: &Setting, ctx: &mut Ctx, then: Then, out: &mut Out) {
    out.did(Fact::TimedOut { topic: Topic::Activate });
    if w.again > 0 {
        w.again -= 1;
        w.call = next_call(w, Thread::Main);
        send_activation(w, set, ctx, then, out);
    } else {
        stop(w, set, StopWhy::Failed, out);
    }
}

/// Sends the effect of the step at `pc`.
pub(super) fn send(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    let Some(op) = op_at(w, set) else { return };
    let (acq, owner, lock, token) = owner_of(tenure(w));
    let (shard, topic, payload) = match *op {
        Op::Write { shard, key, blind } => {
            let op = op_key(w, ctx.me, key);
            let base = w.bases.iter().find(|(s, _)| *s == shard).map(|b| b.1).filter(|_| !blind);
            let write = Write { acq, owner, lock, token, base, op, number: w.number, delete: false };
            (shard, Topic::Write, Payload::Write(write))
        }
        Op::Delete { shard, key } => {
            let op = op_key(w, ctx.me, key);
            let base = w.bases.iter().find(|(s, _)| *s == shard).map(|b| b.1);
            let write = Write { acq, owner, lock, token, base, op, number: w.number, delete: true };
            (shard, Topic::Write, Payload::Write(write))
        }
        Op::Call { shard, key } => (shard, Topic::Call, Payload::Call { acq, op: op_key(w, ctx.me, key) }),
        _ => return,
    };
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Writing;
    out.send(shard, Message::request(topic, w.call, payload));
    arm_write(set, ctx, out);
}

pub(super) fn on_write_reply(w: &mut Worker, set: &Setting, ctx: &mut Ctx, message: Message, out: &mut Out) {
    if set.client.write_timeout.is_some() {
        out.cancel(MAIN);
    }
    match message.payload {
        Payload::Written { version } | Payload::Replayed { version } => {
            // The writer knows what it wrote: a later write of its own is computed from that.
            if let Some(Op::Write { shard, .. } | Op::Delete { shard, .. }) = op_at(w, set) {
                set_base(w, *shard, version);
            }
            done(w, set, ctx, out);
        }
        Payload::Called => done(w, set, ctx, out),
        Payload::Failed => on_error(w, set, ctx, out),
        _ => rejected(w, set, ctx, out),
    }
}

fn done(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    w.writes += 1;
    w.phase = Phase::After;
    program::turn(w, set, ctx, out);
}

pub(super) fn write_timed_out(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    let topic = if matches!(op_at(w, set), Some(Op::Call { .. })) { Topic::Call } else { Topic::Write };
    out.did(Fact::TimedOut { topic });
    if w.again > 0 {
        w.again -= 1;
        send(w, set, ctx, out);
    } else if set.client.on_error == OnError::Proceed {
        done(w, set, ctx, out);
    } else {
        stop(w, set, StopWhy::Failed, out);
    }
}

/// The resource said no.
fn rejected(w: &mut Worker, set: &Setting, ctx: &mut Ctx, out: &mut Out) {
    match set.client.on_reject {
        OnReject::Stop => {
            if let Some(h) = w.holds.last_mut() {
                hold::end_belief(h, Loss::Rejected, out);
            }
            stop(w, set, StopWhy::Rejected, out);
        }
        OnReject::Continue => {
            w.phase = Phase::After;
            program::turn(w, set, ctx, out);
        }
        OnReject::Retry => program::back_to_read(w, set, ctx, out),
    }
}
