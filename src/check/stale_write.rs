//! STALE: once a mutation of a grant was accepted by a shard, none of an earlier grant is accepted there.
//!
//! This is what fencing promises. "Earlier" is judged by the grant instant and not by the token, because a token may repeat after a
//! fail-over and the resource then cannot tell the two apart; the observer can. Grants of different locks have no order between
//! them, so each lock is judged for itself. Not reached while nothing was written under a grant.

use super::found::{Found, Hole};
use super::ledger::{GrantId, Ledger};
use crate::base::LockId;
use crate::base::fact::Effect;
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct StaleWrite {
    pub found: Found,
    /// By shard: for each lock the youngest grant that wrote here, and its last write.
    shards: Vec<Vec<Youngest>>,
}

#[derive(Clone, Copy, Debug)]
struct Youngest {
    lock: LockId,
    grant: GrantId,
    write: EventSeq,
}

impl StaleWrite {
    pub fn new(nodes: usize) -> StaleWrite {
        StaleWrite { found: Found::default(), shards: vec![Vec::new(); nodes] }
    }

    pub fn reset(&mut self) {
        self.found.reset();
        self.shards.iter_mut().for_each(Vec::clear);
    }

    pub fn applied(&mut self, e: &TraceEvent, effect: &Effect, ledger: &Ledger) {
        let Some(grant) = ledger.grant_of(effect.acq) else { return };
        let lock = ledger.grant(grant).lock;
        self.found.reach();
        let Some(shard) = self.shards.get_mut(e.node.index()) else { return };
        match shard.iter_mut().find(|y| y.lock == lock) {
            None => shard.push(Youngest { lock, grant, write: e.seq }),
            // Those who may hold it at once write in whatever order they like.
            Some(y) if grant < y.grant && ledger.grant(grant).share.allows(ledger.grant(y.grant).share) => {}
            Some(y) if grant < y.grant => {
                let (old, young) = (ledger.grant(grant), ledger.grant(y.grant));
                let (sentence, whose) = if young.worker == old.worker {
                    ("*’s write, computed under grant\u{a0}*, landed after *, at *.", Hole::Text("its own later one"))
                } else {
                    ("*’s write, computed under grant\u{a0}*, landed after *’s, at *.", Hole::Who(young.worker))
                };
                let holes = [Hole::Who(old.worker), Hole::Grant(grant), whose, Hole::At(e.at)];
                self.found.breach(e.at, sentence, &holes, &[old.seq, young.seq, y.write, e.seq]);
            }
            Some(y) => (y.grant, y.write) = (grant, e.seq),
        }
    }
}

impl StaleWrite {
    /// Per shard and lock, the youngest grant that wrote: all that a later write is compared with.
    pub fn youngest(&self) -> impl Iterator<Item = (usize, LockId, GrantId)> {
        self.shards.iter().enumerate().flat_map(|(i, s)| s.iter().map(move |y| (i, y.lock, y.grant)))
    }
}
