//! Who holds what: records on nodes, majorities, and the beliefs of workers.

use super::{Holding, Index, Reader};
use crate::base::fact::Loss;
use crate::base::{AcqId, LockId, NodeId, Span, TrueTime};
use crate::trace::TraceEvent;
use crate::view::sequence::{Bar, BarEnd, BarKind, What};

impl Reader<'_> {
    /// A request that found nothing of its own is worth a word if somebody else's lease was in its reach.
    pub(super) fn left_alone(&mut self, e: &TraceEvent, lock: LockId, worker: NodeId, renewal: bool) {
        let standing = |h: &Holding| h.order.is_some() && h.ended.is_none() && h.worker != worker;
        let holder = self.holdings.iter().find(|(k, h)| k.0 == lock && standing(h)).map(|(_, h)| h.worker);
        if let Some(holder) = holder {
            self.moment(e, What::LeftAlone { worker, holder, renewal });
        }
    }

    /// How many nodes must hold a record for it to be a lease.
    fn needed(&self, node: NodeId, votes: bool) -> usize {
        let lane = self.seq.lanes.lane(node);
        if votes { self.seq.lanes.lanes[lane].nodes.len() / 2 + 1 } else { 1 }
    }

    /// A record was stored: the lease itself, or one node's vote for it.
    pub(super) fn store(
        &mut self,
        e: &TraceEvent,
        lock: LockId,
        acq: AcqId,
        worker: NodeId,
        ttl: Option<Span>,
        vote: bool,
    ) {
        let lane = self.seq.lanes.lane(e.node);
        let grouped = vote && self.seq.lanes.in_group(e.node);
        let needed = self.needed(e.node, vote);
        let ttl = ttl.or_else(|| self.ttl_of.get(&acq).copied().filter(|_| grouped));
        let holding = self.holdings.entry((lock, acq)).or_insert_with(|| Holding {
            worker,
            nodes: Index::default(),
            votes: vote,
            order: None,
            lease: None,
            ended: None,
        });
        self.worker_of.or_insert(acq.0.into(), 0, worker.0.into());
        if let Some(i) = holding.nodes.get(e.node.0.into(), 0) {
            self.seq.bars[i].ttl = self.seq.bars[i].ttl.or(ttl);
            return;
        }
        let bar = Bar {
            kind: if grouped { BarKind::Vote } else { BarKind::Lease },
            lane,
            node: e.node,
            lock,
            acq,
            worker,
            from: e.at,
            to: None,
            end: BarEnd::Open,
            seq: e.seq,
            ttl,
            stale: None,
        };
        holding.nodes.insert(e.node.0.into(), 0, self.seq.bars.len() as u64);
        self.seq.bars.push(bar);
        if holding.nodes.len() == needed && holding.order.is_none() {
            if grouped {
                holding.lease = Some(self.seq.bars.len());
                self.seq.bars.push(Bar { kind: BarKind::Lease, ..bar });
            }
            holding.order = Some(self.grants);
            let after = self.latest.get(&lock).map(|l| l.1).filter(|w| *w != worker);
            self.latest.insert(lock, (self.grants, worker, acq));
            self.grants += 1;
            self.moment(e, What::Granted { lock, acq, worker, after });
        }
    }

    pub(super) fn unstore(&mut self, e: &TraceEvent, lock: LockId, acq: AcqId, end: BarEnd) {
        let votes = self.holdings.get(&(lock, acq)).is_some_and(|h| h.votes);
        let needed = self.needed(e.node, votes);
        let Some(holding) = self.holdings.get_mut(&(lock, acq)) else { return };
        let Some(i) = holding.nodes.remove(e.node.0.into(), 0) else { return };
        self.seq.bars[i].to = Some(e.at);
        self.seq.bars[i].end = end;
        if holding.order.is_some() && holding.nodes.len() < needed && holding.ended.is_none() {
            // Of a group only the majority is gone; that it was by somebody's wish counts only if that was the holder's.
            let end = match (holding.lease, end) {
                (Some(_), BarEnd::Released) | (None, _) => end,
                (Some(_), BarEnd::Expired) if holding.nodes.len() == 0 => end,
                (Some(_), _) => BarEnd::MajorityLost,
            };
            if let Some(l) = holding.lease {
                self.seq.bars[l].to = Some(e.at);
                self.seq.bars[l].end = end;
            }
            holding.ended = Some((e.at, end));
            let worker = holding.worker;
            self.moment(e, What::LeaseEnds { lock, acq, worker, end });
        }
    }

    pub(super) fn end_belief(&mut self, key: (NodeId, LockId, AcqId), at: TrueTime, why: Loss) {
        if let Some(i) = self.beliefs.remove(&key) {
            self.seq.bars[i].to = Some(at);
            self.seq.bars[i].end = BarEnd::Belief(why);
        }
    }

    /// The grant of an acquisition: its place among all grants, and its lock.
    pub(super) fn grant_of(&self, acq: AcqId) -> Option<(u32, LockId)> {
        let mut of_acq = self.holdings.iter().filter(|(k, _)| k.1 == acq);
        of_acq.find_map(|(k, h)| h.order.map(|o| (o, k.0)))
    }
}
