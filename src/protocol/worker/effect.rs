//! What the lock is for: reading, announcing the token, writing, calling out.
//!
//! A write carries everything that a guard may look at (base version, token, owner id, the name of the operation, a number under the
//! token). It waits for its answer without limit unless the client has a write time-out; then the *identical* request goes out
//! again, since its outcome is unknown.

use super::super::params::{OnError, OnReject, Op, TokenKind};
use super::super::{Due, Host, Purpose};
use super::{
    MAIN, Phase, Setting, Then, Worker, arm, copies, hold, next_call, op_at, op_key, owner_of, program, stop, tenure,
    transact,
};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::{Topic, Write};
use crate::base::{Edge, Fact, Message, NodeId, Payload, PointKind, Span, Thread, Verb};

/// Begins a read. True if the thread now waits.
pub(super) fn read(w: &mut Worker, set: &Setting, shard: NodeId, host: &mut impl Host) -> bool {
    if set.client.cache_kept && w.bases.iter().any(|(s, _)| *s == shard) {
        w.phase = Phase::After; // What was read in an earlier tenure is good enough for this client.
        return false;
    }
    let (acq, _, _, token) = owner_of(tenure(w));
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Reading { shard };
    copies::send(w, set, shard, Message::request(Topic::Read, w.call, Payload::Read { acq, token }), host);
    true
}

pub(super) fn on_read_reply(w: &mut Worker, set: &Setting, shard: NodeId, message: &Message, host: &mut impl Host) {
    match message.payload {
        Payload::Value { version } => {
            set_base(w, shard, version);
            w.phase = Phase::After;
            program::turn(w, set, host);
        }
        Payload::Failed => on_error(w, set, host),
        _ => rejected(w, set, host),
    }
}

pub(super) fn set_base(w: &mut Worker, shard: NodeId, version: u64) {
    match w.bases.iter_mut().find(|(s, _)| *s == shard) {
        Some(b) => b.1 = version,
        None => w.bases.push((shard, version)),
    }
}

/// An error instead of an answer.
fn on_error(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    match set.client.on_error {
        OnError::Retry => {
            let retry = host.draw(Purpose::Retry, &set.client.retry);
            w.phase = Phase::ReadRetry;
            host.timer(MAIN, Thread::Main, Due::Sleep(retry));
        }
        OnError::Fail => stop(w, set, StopWhy::Failed, host),
        OnError::Proceed => {
            w.phase = Phase::After;
            program::turn(w, set, host);
        }
    }
}

/// Announces the token on every shard at once. False if there is nothing to announce it to, or nothing to announce.
pub(super) fn activate(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) -> bool {
    if set.shards.is_empty() || tenure(w).is_none() {
        return false;
    }
    w.call = next_call(w, Thread::Main);
    w.again = set.client.write_retries;
    w.awaiting.clear();
    w.awaiting.extend_from_slice(set.shards);
    send_activation(w, set, then, host);
    true
}

fn send_activation(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) {
    let (acq, owner, lock, token) = owner_of(tenure(w));
    let minted = set.locks.get(lock.index()).is_some_and(|l| l.params.token == TokenKind::Resource);
    let payload = if minted { Payload::Mint { acq, lock, owner } } else { Payload::Activate { acq, owner, token } };
    for i in 0..w.awaiting.len() {
        copies::send(w, set, w.awaiting[i], Message::request(Topic::Activate, w.call, payload), host);
    }
    w.phase = Phase::Activating(then);
    arm(&set.client.write_timeout, host);
}

pub(super) fn on_activation_reply(
    w: &mut Worker,
    set: &Setting,
    from: NodeId,
    message: &Message,
    then: Then,
    host: &mut impl Host,
) {
    match (message.payload, set.client.on_error) {
        (Payload::Rejected(_), _) => {
            host.cancel(MAIN);
            return match set.client.on_reject {
                OnReject::Continue => activated(w, set, then, host),
                OnReject::Stop | OnReject::Retry => rejected(w, set, host),
            };
        }
        (Payload::Failed, OnError::Fail) => return stop(w, set, StopWhy::Failed, host),
        (Payload::Failed, OnError::Retry) => {
            if w.phase == Phase::Activating(then) {
                let retry = host.draw(Purpose::Retry, &set.client.retry);
                w.phase = Phase::ActivateRetry(then);
                host.timer(MAIN, Thread::Main, Due::Sleep(retry));
            }
            return;
        }
        (Payload::Minted { token }, _) => {
            // Of several shards the highest: none of them has seen more.
            if let Some(h) = w.holds.last_mut() {
                h.token = h.token.max(Some(token));
            }
        }
        // Acts as if it had been acknowledged.
        (Payload::Failed, OnError::Proceed) | (_, _) => {}
    }
    w.awaiting.retain(|s| *s != from);
    if w.awaiting.is_empty() {
        host.cancel(MAIN);
        activated(w, set, then, host);
    }
}

fn activated(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) {
    match then {
        Then::Next => {
            w.phase = program::advance(w);
            if host.pass(PointKind::Step(Edge::After, Verb::Activate), Thread::Main) {
                program::turn(w, set, host);
            }
        }
        Then::After | Then::Effect => {
            w.phase = Phase::After;
            program::turn(w, set, host);
        }
    }
}

pub(super) fn activation_timed_out(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Activate });
    if w.again > 0 {
        w.again -= 1;
        activate_again(w, set, then, host);
    } else {
        stop(w, set, StopWhy::Failed, host);
    }
}

/// To all shards that have not acknowledged it yet.
pub(super) fn activate_again(w: &mut Worker, set: &Setting, then: Then, host: &mut impl Host) {
    w.call = next_call(w, Thread::Main);
    send_activation(w, set, then, host);
}

/// Sends the effect of the step at `pc`.
pub(super) fn send(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(op) = op_at(w, set) else { return };
    let (acq, owner, lock, token) = owner_of(tenure(w));
    let (shard, topic, payload) = match *op {
        Op::Write { shard, key, blind } => {
            let op = op_key(w, host.me(), key);
            let base = w.bases.iter().find(|(s, _)| *s == shard).map(|b| b.1).filter(|_| !blind);
            let write = Write { acq, owner, lock, token, base, op, number: w.number, delete: false };
            (shard, Topic::Write, transact::staged(w, shard, write))
        }
        Op::Delete { shard, key } => {
            let op = op_key(w, host.me(), key);
            let base = w.bases.iter().find(|(s, _)| *s == shard).map(|b| b.1);
            let write = Write { acq, owner, lock, token, base, op, number: w.number, delete: true };
            (shard, Topic::Write, transact::staged(w, shard, write))
        }
        Op::Issue { shard, takes } => {
            let last = w.bases.iter().find(|(s, _)| *s == shard).map_or(0, |b| b.1);
            let takes = takes.map_or(Span::ZERO, |d| host.draw(Purpose::Work, &d));
            (shard, Topic::Call, Payload::Issue { acq, token, number: last + 1, takes })
        }
        Op::Commit => {
            transact::send(w, set, host);
            return arm(&set.client.write_timeout, host);
        }
        Op::Call { shard, key, takes } => {
            let op = op_key(w, host.me(), key);
            let call = match takes {
                Some(d) => Payload::LongCall { acq, op, takes: host.draw(Purpose::Work, &d) },
                None => Payload::Call { acq, op },
            };
            (shard, Topic::Call, call)
        }
        _ => return,
    };
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Writing;
    copies::send(w, set, shard, Message::request(topic, w.call, payload), host);
    arm(&set.client.write_timeout, host);
}

pub(super) fn on_write_reply(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    if set.client.write_timeout.is_some() {
        host.cancel(MAIN);
    }
    match message.payload {
        Payload::Written { version } | Payload::Replayed { version } => {
            // The writer knows what it wrote: a later write of its own is computed from that.
            if let Some(Op::Write { shard, .. } | Op::Delete { shard, .. }) = op_at(w, set) {
                set_base(w, *shard, version);
            }
            done(w, set, host);
        }
        Payload::Called => done(w, set, host),
        Payload::Issued { number } => {
            if let Some(Op::Issue { shard, .. }) = op_at(w, set) {
                set_base(w, *shard, number);
            }
            done(w, set, host);
        }
        Payload::Staged => {
            // Its own transaction sees what it wrote.
            if let Some(Op::Write { shard, .. } | Op::Delete { shard, .. }) = op_at(w, set)
                && let Some(b) = w.bases.iter_mut().find(|(s, _)| s == shard)
            {
                b.1 += 1;
            }
            done(w, set, host);
        }
        Payload::Committed { version, freed } => transact::committed(w, set, version, freed, host),
        Payload::Failed if set.client.on_error == OnError::Proceed => done(w, set, host),
        Payload::Failed => on_error(w, set, host),
        Payload::Rejected(_) if matches!(op_at(w, set), Some(Op::Commit)) => transact::refused(w, set, host),
        // What goes on behind a refusal is another operation.
        _ if set.client.on_reject == OnReject::Continue => done(w, set, host),
        _ => rejected(w, set, host),
    }
}

fn done(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.writes += 1;
    w.phase = Phase::After;
    program::turn(w, set, host);
}

pub(super) fn write_timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let topic = match op_at(w, set) {
        Some(Op::Call { .. } | Op::Issue { .. }) => Topic::Call,
        Some(Op::Commit) => Topic::Commit,
        _ => Topic::Write,
    };
    host.did(Fact::TimedOut { topic });
    if w.again > 0 {
        w.again -= 1;
        send(w, set, host);
    } else if set.client.on_error == OnError::Proceed {
        done(w, set, host);
    } else {
        stop(w, set, StopWhy::Failed, host);
    }
}

/// The resource said no.
pub(super) fn rejected(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    match set.client.on_reject {
        OnReject::Stop => {
            if let Some(h) = w.holds.last_mut() {
                hold::end_belief(h, Loss::Rejected, host);
            }
            stop(w, set, StopWhy::Rejected, host);
        }
        OnReject::Continue => {
            w.phase = Phase::After;
            program::turn(w, set, host);
        }
        OnReject::Retry => program::back_to_read(w, set, host),
    }
}
