//! A line of waiters beside the key: who came first is served first (Redisson's fair lock).
//!
//! The line is data of the server, and nobody in it says that he is still there. So each place has an end, so long after the lease before it:
//! who is first and past that end counts as dead, and is removed by whoever asks next. A waiter that sleeps until it is told of a release
//! does not ask; it can be taken for dead while it waits.

use super::super::Host;
use super::super::params::LockParams;
use super::key::{Asked, is_blocked};
use super::{Server, wake};
use crate::base::fact::VoteEnd;
use crate::base::{AcqId, Fact, LocalTime, LockId, NodeId, OwnerId, Payload};

/// One who waits in line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    lock: LockId,
    owner: OwnerId,
    worker: NodeId,
    acq: AcqId,
    /// From then on it counts as dead; `None`: never.
    until: Option<LocalTime>,
}

/// Somebody asks for the lock. `None`: it is free, and the asker's turn.
pub(super) fn ask(s: &mut Server, params: &LockParams, ask: &Asked, host: &mut impl Host) -> Option<Payload> {
    let Asked { lock, acq, owner, worker, .. } = *ask;
    let now = host.read(params.clock);
    remove_dead(s, lock, now, host);
    let key = &s.keys[lock.index()];
    let record = key.record;
    if params.request_id && record.is_some_and(|r| r.owner == owner) {
        return None; // It has the lock already, and is told so again.
    }
    let line = &mut s.waiters.line;
    let first = line.iter().position(|p| p.lock == lock);
    let is_first = first.is_none_or(|i| line[i].owner == owner);
    if record.is_none() && !is_blocked(key, now) && is_first {
        if let Some(i) = first {
            line.remove(i);
            // Everybody moves up by one, and is expected so much sooner.
            for p in line.iter_mut().filter(|p| p.lock == lock) {
                p.until = p.until.zip(params.waiter_timeout).map(|(until, wait)| until - wait);
            }
        }
        return None;
    }
    host.did(Fact::Refused { lock, acq, worker });
    let until = record.and_then(|r| r.until);
    if let Some(p) = line.iter().find(|p| p.lock == lock && p.owner == owner) {
        // Who asks again is told when its turn may come; its place has the end that it had.
        let turn = match (p.until, params.waiter_timeout) {
            (Some(until), Some(wait)) => Some(until - wait).filter(|turn| *turn >= now),
            _ => until,
        };
        return Some(wake::taken(lock, acq, turn, now));
    }
    let last = line.iter().rev().find(|p| p.lock == lock).copied();
    let turn = match last {
        Some(last) => last.until,
        None => Some(until.unwrap_or(now)),
    };
    let end = turn.zip(params.waiter_timeout).map(|(turn, wait)| turn + wait);
    line.push(Place { lock, owner, worker, acq, until: end });
    if let Some(behind) = last.map(|p| p.acq).or(record.map(|r| r.acq)) {
        wake::queued(lock, acq, worker, behind, host);
    }
    let turn = if params.waiter_timeout.is_some() { turn } else { until };
    Some(wake::taken(lock, acq, turn, now))
}

/// Whose turn it is, after those who count as dead are gone.
pub(super) fn first(s: &mut Server, lock: LockId, params: &LockParams, host: &mut impl Host) -> Option<NodeId> {
    let now = host.read(params.clock);
    remove_dead(s, lock, now, host);
    s.waiters.line.iter().find(|p| p.lock == lock).map(|p| p.worker)
}

/// Only from the head: a place behind a living one stays, whatever its end.
fn remove_dead(s: &mut Server, lock: LockId, now: LocalTime, host: &mut impl Host) {
    while let Some(i) = s.waiters.line.iter().position(|p| p.lock == lock)
        && s.waiters.line[i].until.is_some_and(|until| until <= now)
    {
        let dead = s.waiters.line.remove(i);
        host.did(Fact::Unqueued { lock, acq: dead.acq, why: VoteEnd::Expired });
    }
}
