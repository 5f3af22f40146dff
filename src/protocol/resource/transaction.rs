//! Transactions at a resource: what is written between `begin` and `commit` takes effect at the commit, on all parts at once.
//!
//! A write inside a transaction passes the guards when it arrives, and is kept. At the commit every kept write is looked at again; if one
//! does not pass any more, none takes effect. The parts of a resource (its shards) are one store: they decide at one instant. For
//! that the loop asks each part for its [`objection`] and then tells each how it [`end`]s; a part sees no other part.

use super::super::Host;
use super::{Setting, Shard, answer, check, effect, remembered};
use crate::base::message::{Reject, Write};
use crate::base::{CallId, Fact, Message, NodeId, OpKey, Payload};

/// What is under way at one part.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Open {
    kept: Vec<Kept>,
    /// How the latest transaction of each worker ended, for a commit that goes out again: worker, its first call, the refusal.
    ended: Vec<(NodeId, CallId, Option<Reject>)>,
    /// A commit that has arrived and is to be decided.
    pub(super) due: Option<(NodeId, Message)>,
}

/// A write that waits for its commit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Kept {
    worker: NodeId,
    /// The sender's number of its request: tells which transaction it belongs to.
    call: CallId,
    write: Write,
}

impl Open {
    pub(super) fn reset(&mut self) {
        self.kept.clear();
        self.ended.clear();
        self.due = None;
    }
}

/// Keeps a write for its commit. The same request again (its answer was lost) is kept once.
#[cold]
pub(super) fn stage(s: &mut Shard, from: NodeId, message: &Message, write: Write, host: &mut impl Host) {
    let same = |k: &Kept| k.worker == from && (k.write.op, k.write.number) == (write.op, write.number);
    s.transactions.kept.retain(|k| !same(k));
    s.transactions.kept.push(Kept { worker: from, call: message.call, write });
    host.did(Fact::Staged { worker: from, acq: write.acq, op: write.op });
    answer(from, message, Payload::Staged, host);
}

/// Which of the worker's kept writes would not pass now, and why. `since`: the first call of the transaction.
pub fn objection(
    s: &mut Shard,
    set: &Setting,
    (worker, since): (NodeId, CallId),
    host: &mut impl Host,
) -> Option<(OpKey, Reject)> {
    let mut own = false;
    for i in 0..s.transactions.kept.len() {
        let k = s.transactions.kept[i];
        if k.worker != worker || k.call < since || remembered(s, set.params, host, k.write.op).is_some() {
            continue;
        }
        // A later write of the same transaction was computed from what the earlier one will make of it.
        let base = k.write.base.filter(|_| !own);
        own = true;
        if let Err(why) = check(s, set, host, worker, &Write { base, ..k.write }) {
            return Some((k.write.op, why));
        }
    }
    None
}

/// The transaction ends here: its writes take effect, or because of an objection (here or at another part) none does. The part that was
/// asked answers, and remembers what.
pub fn end(
    s: &mut Shard,
    set: &Setting,
    (worker, since): (NodeId, CallId),
    refused: Option<(OpKey, Reject)>,
    asked: Option<(&Message, bool)>,
    host: &mut impl Host,
) {
    let before = s.transactions.ended.iter().find(|e| (e.0, e.1) == (worker, since)).map(|e| e.2);
    let mut kept = std::mem::take(&mut s.transactions.kept);
    let mut own = false;
    for k in kept.iter().filter(|k| k.worker == worker && k.call >= since) {
        let Write { acq, op, token, .. } = k.write;
        match refused {
            Some((refused, why)) if refused == op => host.did(Fact::Rejected { worker, acq, op, token, why }),
            Some(_) => host.did(Fact::RolledBack { worker, acq, op }),
            None if remembered(s, set.params, host, op).is_some() => host.did(Fact::Replayed { worker, acq, op }),
            None => {
                let base = if own { k.write.base.and(Some(s.version)) } else { k.write.base };
                own = true;
                effect(s, set, worker, Write { base, ..k.write }, host);
            }
        }
    }
    // What an older transaction of this worker has left is gone with this one.
    kept.retain(|k| k.worker != worker);
    s.transactions.kept = kept;
    if let Some((message, freed)) = asked {
        let why = before.unwrap_or(refused.map(|r| r.1));
        s.transactions.ended.retain(|e| e.0 != worker);
        s.transactions.ended.push((worker, since, why));
        let said = why.map_or(Payload::Committed { version: s.version, freed }, Payload::Rejected);
        answer(worker, message, said, host);
    }
}

/// What is not committed is lost.
pub(super) fn crash(s: &mut Shard, host: &mut impl Host) {
    for k in &s.transactions.kept {
        host.did(Fact::RolledBack { worker: k.worker, acq: k.write.acq, op: k.write.op });
    }
    s.transactions.kept.clear();
    s.transactions.due = None;
}
