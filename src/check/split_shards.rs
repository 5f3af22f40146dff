//! AGREE: of one grant's mutations, all or none follow the activation of a later grant.
//!
//! An operation over several shards is meant as a whole. If a successor takes over while only half of it has arrived, and the other half
//! is accepted afterwards on a shard that has not met the successor, the data is half old and half new, though no single shard has
//! seen anything wrong. A grant is *activated* at its first accepted activation on any shard, or else by its first accepted
//! mutation, whichever the log has first.
//!
//! Judged are grants that wrote on two shards or more; with one shard there is nothing to disagree and
//! [`super::stale_write`] says it all. Only a *later* grant of the same lock splits an earlier one: that an old owner's straggler falls
//! between two writes of the rightful owner is a stale write, and leaves the shards as the rightful owner wrote them. Not reached
//! while no grant wrote on two shards.

use super::found::{Found, Hole};
use super::ledger::{GrantId, Ledger};
use crate::base::fact::Effect;
use crate::base::{AcqId, Fingerprint, NodeId, TrueTime};
use crate::trace::{EventSeq, TraceEvent};
use std::hash::Hash;

#[derive(Clone, Default, Debug)]
pub struct SplitShards {
    pub found: Found,
    /// Grants that have been activated, in the order of that.
    seen: Vec<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    grant: GrantId,
    activated: EventSeq,
    /// Its first mutation.
    first: Option<Mutation>,
    /// It wrote on another shard than that of its first mutation.
    spans: bool,
}

#[derive(Clone, Copy, Debug)]
struct Mutation {
    at: TrueTime,
    seq: EventSeq,
    shard: NodeId,
}

impl SplitShards {
    pub fn reset(&mut self) {
        self.found.reset();
        self.seen.clear();
    }

    pub fn activated(&mut self, e: &TraceEvent, acq: Option<AcqId>, ledger: &Ledger) {
        if let Some(grant) = ledger.grant_of(acq) {
            self.entry(grant, e.seq);
        }
    }

    pub fn applied(&mut self, e: &TraceEvent, effect: &Effect, ledger: &Ledger) {
        let Some(grant) = ledger.grant_of(effect.acq) else { return };
        let now = Mutation { at: e.at, seq: e.seq, shard: e.node };
        let own = self.entry(grant, e.seq);
        let first = *own.first.get_or_insert(now);
        own.spans |= first.shard != e.node;
        if !own.spans || self.found.is_breached() {
            return;
        }
        self.found.reach();
        let lock = ledger.grant(grant).lock;
        let between = |s: &&Seen| s.grant > grant && s.activated > first.seq && ledger.grant(s.grant).lock == lock;
        if let Some(&Seen { grant: later, activated, .. }) = self.seen.iter().find(between) {
            let g = ledger.grant(grant);
            self.found.breach(
                e.at,
                "* wrote * at * and * at *, on both sides of *.",
                &[
                    Hole::Who(g.worker),
                    Hole::Who(first.shard),
                    Hole::At(first.at),
                    Hole::Who(e.node),
                    Hole::At(e.at),
                    Hole::Their(later),
                ],
                &[g.seq, first.seq, ledger.grant(later).seq, activated, e.seq],
            );
        }
    }

    fn entry(&mut self, grant: GrantId, seq: EventSeq) -> &mut Seen {
        let i = self.seen.iter().rposition(|s| s.grant == grant).unwrap_or_else(|| {
            self.seen.push(Seen { grant, activated: seq, first: None, spans: false });
            self.seen.len() - 1
        });
        &mut self.seen[i]
    }
}

impl SplitShards {
    /// Who wrote where in which order relative to the activations. Only order counts, so events are told by their rank.
    pub fn digest(&self, h: &mut Fingerprint) {
        for s in &self.seen {
            let rank = |m: Mutation| (self.seen.iter().filter(|o| o.activated <= m.seq).count(), m.shard);
            (s.grant, s.spans, s.first.map(rank)).hash(h);
        }
    }
}
