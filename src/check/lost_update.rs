//! LOST: a mutation computed from version v is accepted only while the current version is v.
//!
//! The base is what the writer read; a blind write has none and cannot lose anything in this sense. The promise is about the data and
//! knows no locks: a compare-and-set resource keeps it with no lock at all, and fencing alone does not, because between the new
//! owner's read and its first write an old write with the old token is not yet "backwards". A request that is carried out twice
//! breaks it too: the second time its base is no longer current. Not reached while no mutation with a base was accepted.

use super::found::{Breach, Found};
use super::words::{Words, at, version};
use crate::base::fact::Effect;
use crate::base::{NodeId, OpKey, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct LostUpdate {
    pub found: Found<Lost>,
    /// By shard: who wrote last.
    last: Vec<Option<Last>>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    worker: NodeId,
    op: OpKey,
    seq: EventSeq,
}

/// A mutation accepted from another base than the current version.
#[derive(Clone, Copy, Debug)]
pub struct Lost {
    at: TrueTime,
    seq: EventSeq,
    worker: NodeId,
    op: OpKey,
    base: u64,
    before: u64,
    last: Option<Last>,
}

impl LostUpdate {
    pub fn new(nodes: usize) -> LostUpdate {
        LostUpdate { found: Found::default(), last: vec![None; nodes] }
    }

    pub fn reset(&mut self) {
        self.found.reset();
        self.last.fill(None);
    }

    pub fn applied(&mut self, e: &TraceEvent, effect: &Effect) {
        let last = self.last.get(e.node.index()).copied().flatten();
        if let Some(base) = effect.base {
            self.found.reach();
            if base != effect.before {
                let Effect { worker, op, before, .. } = *effect;
                self.found.breach(Lost { at: e.at, seq: e.seq, worker, op, base, before, last });
            }
        }
        if let Some(slot) = self.last.get_mut(e.node.index()) {
            *slot = Some(Last { worker: effect.worker, op: effect.op, seq: e.seq });
        }
    }
}

impl Breach for Lost {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let (who, when, base, before) = (words.who(self.worker), at(self.at), version(self.base), version(self.before));
        let replaced = match self.last {
            Some(l) if l.worker == self.worker && l.op == self.op => format!("its own first effect, {before}"),
            Some(l) if l.worker == self.worker => format!("its own {before}"),
            Some(l) => format!("{}’s {before}", words.who(l.worker)),
            None => before,
        };
        format!("{who}’s write, computed from {base}, replaced {replaced}, at {when}.")
    }

    fn witnesses(&self, _: &Words) -> Vec<EventSeq> {
        self.last.map(|l| l.seq).into_iter().chain([self.seq]).collect()
    }
}
