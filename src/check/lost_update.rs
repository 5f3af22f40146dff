//! LOST: a mutation computed from version v is accepted only while the current version is v.
//!
//! The base is what the writer read; a blind write has none and cannot lose anything in this sense. The promise is about the data and
//! knows no locks: a compare-and-set resource keeps it with no lock at all, and fencing alone does not, because between the new
//! owner's read and its first write an old write with the old token is not yet "backwards". A request that is carried out twice
//! breaks it too: the second time its base is no longer current. Not reached while no mutation with a base was accepted.

use super::found::{Found, Hole};
use crate::base::fact::Effect;
use crate::base::{NodeId, OpKey};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct LostUpdate {
    pub found: Found,
    /// By shard: who wrote last.
    last: Vec<Option<Last>>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    worker: NodeId,
    op: OpKey,
    seq: EventSeq,
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
                let (sentence, whose) = match last {
                    Some(l) if l.worker == effect.worker && l.op == effect.op => (
                        "*’s write, computed from version\u{a0}*, replaced *its own first effect, version\u{a0}*, at *.",
                        None,
                    ),
                    Some(l) if l.worker == effect.worker => {
                        ("*’s write, computed from version\u{a0}*, replaced *its own version\u{a0}*, at *.", None)
                    }
                    Some(l) => {
                        ("*’s write, computed from version\u{a0}*, replaced *’s version\u{a0}*, at *.", Some(l.worker))
                    }
                    None => ("*’s write, computed from version\u{a0}*, replaced *version\u{a0}*, at *.", None),
                };
                let holes = [
                    Hole::Who(effect.worker),
                    Hole::Number(base),
                    whose.map_or(Hole::Text(""), Hole::Who),
                    Hole::Number(effect.before),
                    Hole::At(e.at),
                ];
                self.found.breach(e.at, sentence, &holes, &[last.map_or(e.seq, |l| l.seq), e.seq]);
            }
        }
        if let Some(slot) = self.last.get_mut(e.node.index()) {
            *slot = Some(Last { worker: effect.worker, op: effect.op, seq: e.seq });
        }
    }
}
