//! Transactions, as who runs one sees it: from `begin` on writes are kept by the resource, and the commit makes them count.
//!
//! `begin` sends nothing (a driver sends it with the first statement). The commit goes to the part of the resource that was written first,
//! which speaks for all. A release inside a transaction goes out at its step, unless the client is one that waits for the end of the
//! transaction; a lock that lasts as long as the transaction cannot be given back earlier.

use super::super::Host;
use super::super::params::{OnReject, Op};
use super::{Phase, Setting, Then, Worker, effect, hold, next_call, op_at, program, release, tenure};
use crate::base::fact::Loss;
use crate::base::message::{Topic, Write};
use crate::base::{CallId, Edge, LockId, Message, NodeId, Payload, PointKind, Thread, Verb};

/// The transaction under way.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Transaction {
    open: bool,
    /// Where: the parts of one resource.
    first: NodeId,
    last: NodeId,
    /// No request of it has a lower number.
    since: CallId,
    /// Who is asked to commit: the part that was written first.
    at: Option<NodeId>,
    /// Locks that are given back at its end.
    waiting: Vec<LockId>,
}

impl Transaction {
    /// The number of its first call, while it is open.
    pub(super) fn lent_since(&self) -> Option<u32> {
        self.open.then_some(self.since.0 >> 1)
    }
}

/// Whatever was open before is never committed.
#[cold]
pub(super) fn begin(w: &mut Worker, first: NodeId, last: NodeId) {
    w.transaction = Transaction { open: true, first, last, ..Transaction::default() };
    again(w);
}

/// The transaction starts anew: what it has written so far does not count.
fn again(w: &mut Worker) {
    w.transaction.since = CallId((w.calls + 1) << 1);
    w.transaction.at = None;
}

/// What a write becomes inside a transaction.
pub(super) fn staged(w: &mut Worker, shard: NodeId, write: Write) -> Payload {
    let t = &mut w.transaction;
    if !t.open || shard < t.first || shard > t.last {
        return Payload::Write(write);
    }
    t.at.get_or_insert(shard);
    Payload::Stage(write)
}

/// Does this release wait for the end of the transaction? Then it is noted.
pub(super) fn puts_off(w: &mut Worker, set: &Setting, lock: LockId) -> bool {
    let waits = w.transaction.open && (set.client.release_at_commit || until_commit(set, lock));
    if waits && !w.transaction.waiting.contains(&lock) {
        w.transaction.waiting.push(lock);
    }
    waits
}

/// Does the lock last as long as the transaction that took it?
fn until_commit(set: &Setting, lock: LockId) -> bool {
    set.locks.get(lock.index()).is_some_and(|l| l.params.until_commit)
}

/// Enters a commit step. True if the thread now waits, or has passed a point.
#[cold]
pub(super) fn enter(w: &mut Worker, set: &Setting, host: &mut impl Host) -> bool {
    if !w.transaction.open {
        w.phase = Phase::After;
        return false;
    }
    if w.transaction.at.is_none() {
        // Nothing was written: only locks are to be given back.
        end(w, set, host);
        return true;
    }
    w.again = set.client.write_retries;
    if set.program.ops.iter().any(|op| matches!(op, Op::Check)) {
        w.phase = Phase::Effect;
        return false;
    }
    w.phase = Phase::Check(Then::Effect);
    !host.pass(PointKind::Step(Edge::Before, Verb::Check), Thread::Main)
}

/// Sends the commit.
#[cold]
pub(super) fn send(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(at) = w.transaction.at else { return };
    let acq = tenure(w).map(|h| h.acq);
    for h in w.holds.iter_mut().filter(|h| until_commit(set, h.lock)) {
        // Whatever the answer is, these end with it.
        hold::end_belief(h, Loss::Released, host);
    }
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Writing;
    let commit = Payload::Commit { acq, since: w.transaction.since };
    host.send(at, Message::request(Topic::Commit, w.call, commit));
}

/// All of it took effect. `freed`: so are the locks that lasted as long as it did.
#[cold]
pub(super) fn committed(w: &mut Worker, set: &Setting, version: u64, freed: bool, host: &mut impl Host) {
    if let Some(at) = w.transaction.at {
        effect::set_base(w, at, version);
    }
    if freed {
        forget(w, set, host);
    }
    w.writes += 1;
    end(w, set, host);
}

/// Locks that ended with their transaction are nobody's to give back.
fn forget(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    w.holds.retain(|h| !until_commit(set, h.lock));
    hold::settle(w, set, host);
}

/// None of it did. Who tries again does so under the locks that it has.
#[cold]
pub(super) fn refused(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    match set.client.on_reject {
        OnReject::Continue => end(w, set, host),
        OnReject::Stop | OnReject::Retry => effect::rejected(w, set, host),
    }
}

/// A refused write or commit sends the program back to its last read: a transaction starts anew there.
pub(super) fn goes_back(w: &mut Worker) {
    if w.transaction.open {
        again(w);
    }
}

/// Nothing is open any more; what waited for the end is given back, one after another.
fn end(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    for h in &w.holds {
        if until_commit(set, h.lock) && !w.transaction.waiting.contains(&h.lock) {
            w.transaction.waiting.push(h.lock);
        }
    }
    w.transaction.open = false;
    w.transaction.at = None;
    next_release(w, set, host);
}

fn next_release(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    while let Some(lock) = w.transaction.waiting.first().copied() {
        if release::begin(w, set, lock, host) {
            return;
        }
        w.transaction.waiting.remove(0);
    }
    w.phase = Phase::After;
    program::turn(w, set, host);
}

/// Which lock the release under way is about: that of its step, or the first that waited for the commit.
pub(super) fn giving_back(w: &Worker, set: &Setting) -> Option<LockId> {
    match op_at(w, set) {
        Some(Op::Release { lock }) => Some(*lock),
        Some(Op::Commit) => w.transaction.waiting.first().copied(),
        _ => None,
    }
}

/// A release is done: the next one, or the next step.
pub(super) fn given_back(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if !w.transaction.waiting.is_empty() && matches!(op_at(w, set), Some(Op::Commit)) {
        w.transaction.waiting.remove(0);
        return next_release(w, set, host);
    }
    w.phase = Phase::After;
    program::turn(w, set, host);
}
