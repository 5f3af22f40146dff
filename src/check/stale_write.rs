//! STALE: once a mutation of a grant was accepted by a shard, none of an earlier grant is accepted there.
//!
//! This is what fencing promises. "Earlier" is judged by the grant instant and not by the token, because a token may repeat after a
//! fail-over and the resource then cannot tell the two apart; the observer can. Grants of different locks have no order between
//! them, so each lock is judged for itself. Not reached while nothing was written under a grant.

use super::found::{Breach, Found};
use super::ledger::{GrantId, Ledger};
use super::words::{Words, at};
use crate::base::fact::Effect;
use crate::base::{LockId, NodeId, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct StaleWrite {
    pub found: Found<Stale>,
    /// By shard: for each lock the youngest grant that wrote here, and its last write.
    shards: Vec<Vec<Youngest>>,
}

#[derive(Clone, Copy, Debug)]
struct Youngest {
    lock: LockId,
    grant: GrantId,
    write: EventSeq,
}

/// A mutation of `old` accepted after one of `young`.
#[derive(Clone, Copy, Debug)]
pub struct Stale {
    at: TrueTime,
    seq: EventSeq,
    old: GrantId,
    young: GrantId,
    young_write: EventSeq,
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
            Some(y) if grant < y.grant => {
                self.found.breach(Stale { at: e.at, seq: e.seq, old: grant, young: y.grant, young_write: y.write });
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

impl Breach for Stale {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let (old, young) = (words.record(self.old), words.record(self.young));
        let after =
            |by: NodeId| if by == old.worker { "its own later one".into() } else { format!("{}’s", words.who(by)) };
        format!(
            "{}’s write, computed under {}, landed after {}, at {}.",
            words.who(old.worker),
            words.grant(self.old),
            after(young.worker),
            at(self.at)
        )
    }

    fn witnesses(&self, words: &Words) -> Vec<EventSeq> {
        vec![words.record(self.old).seq, words.record(self.young).seq, self.young_write, self.seq]
    }
}
