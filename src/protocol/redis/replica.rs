//! Copies on other servers: sent after each change, in no hurry; and the copy that becomes the service.
//!
//! The primary answers before any replica has what it answers, unless `wait_replicas` asks it to wait (Redis' `WAIT`). Even then the server
//! that is promoted need not be one of those that have it.

use super::super::Host;
use super::super::params::{LockParams, Persistence};
use super::{Key, Record, Served, Server, arm, each, purge};
use crate::base::fact::Grant;
use crate::base::message::{Copied, Topic};
use crate::base::{CallId, Fact, LockId, Message, NodeId, Payload, Token};

/// An answer that waits until enough replicas have what it tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Waiting {
    change: u32,
    lacks: u8,
    to: NodeId,
    answer: Message,
}

/// After a change of this key, sends it to the replicas. False if nothing changed.
pub(super) fn copy(s: &mut Server, served: &Served, lock: LockId, before: &Key, host: &mut impl Host) -> bool {
    let key = &s.keys[lock.index()];
    if served.others.is_empty() || s.is_replica || key == before {
        return false;
    }
    s.changes += 1;
    let record = key.record.map(|r| Copied { acq: r.acq, owner: r.owner, worker: r.worker, until: r.until });
    let payload = Payload::Replicate { lock, record, counter: key.counter };
    let message = Message::request(Topic::Replicate, CallId(s.changes), payload);
    for replica in served.others {
        host.send(*replica, message);
    }
    true
}

/// The answer goes out when so many replicas have the last change.
pub(super) fn wait(s: &mut Server, params: &LockParams, to: NodeId, answer: Message) {
    s.waiting.push(Waiting { change: s.changes, lacks: params.wait_replicas, to, answer });
}

pub(super) fn on_message(s: &mut Server, from: NodeId, message: &Message, host: &mut impl Host) {
    match message.payload {
        Payload::Replicate { lock, record, counter } if s.is_replica => {
            // What was overtaken on its way is older than what is here; each change carries the whole key.
            if message.call.0 > s.changes {
                s.changes = message.call.0;
                let now = host.read(crate::base::ClockKind::Wall);
                let token = counter.map(Token::new);
                let copied = |r: Copied| Record {
                    owner: r.owner,
                    until: r.until,
                    since: now,
                    token,
                    acq: r.acq,
                    worker: r.worker,
                };
                s.keys[lock.index()] = Key { record: record.map(copied), counter, blocked_until: None };
            }
            host.send(from, message.answer(Payload::Replicated));
        }
        Payload::Replicated => {
            // A stream is in order: who has this change has all before it.
            let mut i = 0;
            while i < s.waiting.len() {
                let w = &mut s.waiting[i];
                w.lacks -= u8::from(w.change <= message.call.0);
                if w.lacks == 0 {
                    let Waiting { to, answer, .. } = s.waiting.remove(i);
                    host.send(to, answer);
                } else {
                    i += 1;
                }
            }
        }
        // From an old primary that does not know that it is one.
        _ => {}
    }
}

/// The copy is the service from now on. It expires by its own clock, and knows nothing of what had not arrived.
pub(super) fn promote(s: &mut Server, served: &Served, host: &mut impl Host) {
    s.is_replica = false;
    s.changes = 0;
    for (lock, params) in each(served) {
        purge(s, lock, params, host);
        let key = &mut s.keys[lock.index()];
        if params.promotion_hold > crate::base::Span::ZERO {
            key.blocked_until = Some(host.read(params.clock) + params.promotion_hold);
        }
        let Some(r) = key.record else { continue };
        arm(lock, params, &r, host);
        host.did(Fact::Granted(Grant {
            lock,
            acq: r.acq,
            worker: r.worker,
            owner: r.owner,
            token: r.token,
            ttl: params.ttl,
            margin: Default::default(),
            asked: Default::default(),
            until: r.until,
        }));
    }
}

/// A replica's process ends: nobody held anything by its copy.
pub(super) fn crash(s: &mut Server, served: &Served) {
    for (lock, params) in each(served) {
        if params.persistence != Persistence::Always {
            s.keys[lock.index()] = Key::default();
        }
    }
}
