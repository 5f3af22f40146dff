//! Copies on other servers: sent after each change, in no hurry; and the copy that becomes the service.
//!
//! The primary answers before any replica has what it answers, unless `wait_replicas` asks it to wait (Redis' `WAIT`). Even then the server
//! that is promoted need not be one of those that have it.

use super::super::params::{LockParams, Persistence};
use super::super::{Due, Host, Slot};
use super::key::{Key, Record, arm, back};
use super::{Served, Server, disk, each, purge};
use crate::base::message::{Copied, Topic};
use crate::base::{CallId, ClockKind, LocalTime, LockId, Message, NodeId, Payload, Span, Thread, Token};

/// An answer that waits until enough replicas have what it tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Waiting {
    lock: LockId,
    change: u32,
    /// So many replicas are waited for; who has it, one bit each.
    wanted: u8,
    stored: u16,
    to: NodeId,
    answer: Message,
}

/// After a change of this key, sends it to the replicas.
pub(super) fn copy(s: &mut Server, served: &Served, lock: LockId, before: &Key, host: &mut impl Host) {
    let key = &s.keys[lock.index()];
    // What runs out on the disk of the dead is nobody's news until it is back.
    if !served.others.is_empty() && !s.is_replica && !s.is_down && key != before {
        send(s, served, lock, host);
    }
}

/// Sends a key as it is to every replica.
fn send(s: &mut Server, served: &Served, lock: LockId, host: &mut impl Host) {
    let key = &s.keys[lock.index()];
    s.changes += 1;
    let copied = |r: Record| Copied { acq: r.acq, owner: r.owner, worker: r.worker, until: r.until, holds: r.holds };
    let record = key.record.map(copied);
    let payload = Payload::Replicate { lock, record, counter: key.counter };
    let message = Message::request(Topic::Replicate, CallId(s.changes), payload);
    for replica in served.others {
        host.send(*replica, message);
    }
}

/// A process begins. A primary that is back tells its replicas what it still knows, which may be less than they do.
pub(super) fn start(s: &mut Server, served: &Served, host: &mut impl Host) {
    beat(s, served, host);
    if std::mem::take(&mut s.is_down) && !s.is_replica && !served.others.is_empty() {
        for (lock, params) in each(served) {
            purge(s, lock, params, host);
            send(s, served, lock, host);
        }
    }
}

/// The timer of a copy that says that it lives.
pub(super) const HEARTBEAT: Slot = Slot(256);
/// How often it says so: Redis' replicas acknowledge once a second.
const BEAT: Span = Span::from_ms(1_000);
/// Longer ago than any lag.
const NEVER: LocalTime = LocalTime::from_us(i64::MIN / 4);

/// A copy says that it lives, if its primary wants to know.
pub(super) fn beat(s: &Server, served: &Served, host: &mut impl Host) {
    if each(served).any(|(_, p)| p.min_replicas > 0) {
        if s.is_replica && !s.is_down {
            for other in served.others {
                host.send(*other, Message::request(Topic::Replicate, CallId(0), Payload::Alive));
            }
        }
        host.timer(HEARTBEAT, Thread::Main, Due::Sleep(BEAT));
    }
}

/// A primary that has heard of too few copies lately writes nothing. At the beginning of the run all are connected.
#[cold]
pub(super) fn too_few(
    s: &Server,
    served: &Served,
    params: &LockParams,
    request: &Payload,
    host: &mut impl Host,
) -> bool {
    let now = host.read(ClockKind::Monotonic);
    let heard = |i: usize| s.heard.get(i).copied().unwrap_or_default();
    let near = (0..served.others.len()).filter(|i| now.since(heard(*i)) <= params.max_lag).count();
    let reads = matches!(request, Payload::Get { .. } | Payload::Ask { .. } | Payload::Listen { .. });
    !reads && near < usize::from(params.min_replicas)
}

/// No copy is connected any more, or yet.
pub(super) fn disconnected(s: &mut Server, served: &Served) {
    s.heard.clear();
    s.heard.resize(served.others.len(), NEVER);
}

fn hears(s: &mut Server, served: &Served, from: NodeId, host: &impl Host) {
    if each(served).any(|(_, p)| p.min_replicas > 0)
        && let Some(i) = served.others.iter().position(|n| *n == from)
    {
        s.heard.resize(served.others.len(), LocalTime::default());
        s.heard[i] = host.read(ClockKind::Monotonic);
    }
}

/// Two sides are one again: everybody copies this one.
pub(super) fn merged(s: &mut Server, served: &Served, epoch: u32, host: &mut impl Host) {
    s.changes = epoch << 16;
    for (lock, params) in each(served) {
        purge(s, lock, params, host);
        if s.adopted.contains(&lock)
            && let Some(r) = s.keys[lock.index()].record
        {
            arm(lock, params, &r, host);
            host.did(back(lock, params, &r));
        }
        send(s, served, lock, host);
    }
    s.adopted.clear();
}

impl Server {
    /// When it last granted anything, by the clock of whoever granted it.
    pub fn youngest(&self) -> Option<LocalTime> {
        self.keys.iter().filter_map(|k| k.record.map(|r| r.since)).max()
    }

    /// Takes over what another side had granted, where nothing stands here.
    pub fn adopt(&mut self, other: &Server) {
        for (i, key) in other.keys.iter().enumerate() {
            if self.keys[i].record.is_none() && key.record.is_some() {
                self.keys[i] = key.clone();
                self.adopted.push(LockId(i as u8));
            }
        }
    }
}

/// The answer goes out when so many replicas have the last change.
pub(super) fn wait(s: &mut Server, lock: LockId, params: &LockParams, to: NodeId, answer: Message) {
    s.waiting.push(Waiting { lock, change: s.changes, wanted: params.wait_replicas, stored: 0, to, answer });
}

pub(super) fn on_message(s: &mut Server, served: &Served, from: NodeId, message: &Message, host: &mut impl Host) {
    if !s.is_replica {
        hears(s, served, from, host);
    }
    match message.payload {
        Payload::Replicate { lock, record, counter } if s.is_replica => {
            // What was overtaken on its way is older than what is here; each change carries the whole key.
            let number = message.call.0;
            if number > s.taken[lock.index()] && number >> 16 >= s.changes >> 16 {
                s.taken[lock.index()] = number;
                s.changes = s.changes.max(number);
                let now = host.read(ClockKind::Wall);
                let token = counter.map(Token::new);
                let copied = |r: Copied| Record {
                    owner: r.owner,
                    until: r.until,
                    since: now,
                    token,
                    acq: r.acq,
                    worker: r.worker,
                    holds: r.holds,
                    mode: Default::default(),
                };
                s.keys[lock.index()] = Key { record: record.map(copied), counter, ..Key::default() };
                disk::journal(s, served, host);
            }
            host.send(from, message.answer(Payload::Replicated { lock }));
        }
        Payload::Replicated { lock } => {
            let bit = served.others.iter().position(|n| *n == from).map_or(0, |i| 1 << i);
            let mut i = 0;
            while i < s.waiting.len() {
                let w = &mut s.waiting[i];
                // Each change carries the whole key: who has a later one has this one too.
                if w.lock == lock && w.change <= message.call.0 {
                    w.stored |= bit;
                }
                if w.stored.count_ones() >= u32::from(w.wanted) {
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
    disconnected(s, served);
    s.changes = ((s.changes >> 16) + 1) << 16;
    for (lock, params) in each(served) {
        purge(s, lock, params, host);
        let key = &mut s.keys[lock.index()];
        if params.promotion_hold > Span::ZERO {
            key.blocked_until = Some(host.read(params.clock) + params.promotion_hold);
        }
        let Some(r) = key.record else { continue };
        arm(lock, params, &r, host);
        host.did(back(lock, params, &r));
    }
    disk::journal(s, served, host);
}

/// A replica's process ends: nobody held anything by its copy.
pub(super) fn crash(s: &mut Server, served: &Served) {
    for (lock, params) in each(served) {
        if params.persistence != Persistence::Always {
            s.keys[lock.index()] = Key::default();
        }
    }
}
