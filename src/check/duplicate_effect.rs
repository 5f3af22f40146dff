//! ONCE: each logical operation changes the resource at most once.
//!
//! An operation is one write of one round of one worker, or a business key that several workers share; the log carries it as a key.
//! Every node is judged for itself: the same key at two shards, at two replicas, or at a resource and at a service outside is one
//! operation with several effects and no repetition. Effects outside a resource (`Called`) count like mutations. Not reached while
//! nothing took effect.

use super::found::{Breach, Found};
use super::words::{Words, at};
use crate::base::{NodeId, OpKey, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct DuplicateEffect {
    pub found: Found<Twice>,
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

/// An operation that took effect again.
#[derive(Clone, Copy, Debug)]
pub struct Twice {
    first: Done,
    again: Done,
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
            Ok(i) => self.found.breach(Twice { first: self.done[i], again: now }),
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

impl Breach for Twice {
    fn at(&self) -> TrueTime {
        self.again.at
    }

    fn sentence(&self, words: &Words) -> String {
        let (first, again) = (&self.first, &self.again);
        if first.worker == again.worker {
            let who = words.who(first.worker);
            return format!("{who}’s operation took effect at {} and again at {}.", at(first.at), at(again.at));
        }
        format!(
            "The same operation took effect twice: for {} at {} and for {} at {}.",
            words.who(first.worker),
            at(first.at),
            words.who(again.worker),
            at(again.at)
        )
    }

    fn witnesses(&self, _: &Words) -> Vec<EventSeq> {
        vec![self.first.seq, self.again.seq]
    }
}
