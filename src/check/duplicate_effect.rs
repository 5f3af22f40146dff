//! ONCE: each logical operation changes the resource at most once.
//!
//! An operation is one write of one round of one worker, or a business key that several workers share; the log carries it as a key.
//! Every node is judged for itself: the same key at two shards, at two replicas, or at a resource and at a service outside is one
//! operation with several effects and no repetition. Effects outside a resource (`Called`) count like mutations. Not reached while
//! nothing took effect.

use super::found::{Found, Hole};
use crate::base::{NodeId, OpKey, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct DuplicateEffect {
    pub found: Found,
    /// First effects, sorted by node and key.
    done: Vec<Done>,
}

#[derive(Clone, Copy, Debug)]
struct Done {
    key: (NodeId, OpKey),
    worker: NodeId,
    at: TrueTime,
    seq: EventSeq,
}

impl DuplicateEffect {
    pub fn reset(&mut self) {
        self.found.reset();
        self.done.clear();
    }

    pub fn took_effect(&mut self, e: &TraceEvent, worker: NodeId, op: OpKey) {
        self.found.reach();
        let now = Done { key: (e.node, op), worker, at: e.at, seq: e.seq };
        match self.done.binary_search_by_key(&now.key, |d| d.key) {
            Ok(i) => {
                let first = &self.done[i];
                let who = Hole::Who(first.worker);
                let (sentence, third) = if first.worker == worker {
                    ("*’s operation took effect at * and again at *.", Hole::At(e.at))
                } else {
                    ("The same operation took effect twice: for * at * and for * at *.", Hole::Who(worker))
                };
                let holes = [who, Hole::At(first.at), third, Hole::At(e.at)];
                self.found.breach(e.at, sentence, &holes, &[first.seq, e.seq]);
            }
            Err(i) => self.done.insert(i, now),
        }
    }
}

impl DuplicateEffect {
    /// What must not happen again.
    pub fn keys(&self) -> impl Iterator<Item = (NodeId, OpKey)> {
        self.done.iter().map(|d| d.key)
    }
}
