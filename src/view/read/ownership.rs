//! Who holds what: records on nodes, majorities, and the beliefs of workers.

use super::{About, Holding, Reader};
use crate::base::fact::{Grant, Loss, Share};
use crate::base::{AcqId, LockId, NodeId, Span, TrueTime};
use crate::trace::TraceEvent;
use crate::view::sequence::{Bar, BarEnd, BarKind, What};

/// So many bars of one lock stand beside each other; further ones cover the last.
const PLACES: u8 = 6;

impl Reader<'_> {
    /// A request that found nothing of its own is worth a word if somebody else's lease was in its reach.
    pub(super) fn left_alone(&mut self, e: &TraceEvent, lock: LockId, worker: NodeId, renewal: bool) {
        let standing = |h: &Holding| h.order.is_some() && h.ended.is_none() && h.worker != worker;
        let holder = self.holdings.iter().find(|h| h.lock == lock && standing(h)).map(|h| h.worker);
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
    pub(super) fn store(&mut self, e: &TraceEvent, g: &Grant, vote: bool) {
        let Grant { lock, acq, worker, ttl, share, .. } = *g;
        let lane = self.seq.lanes.lane(e.node);
        let grouped = vote && self.seq.lanes.in_group(e.node);
        let needed = self.needed(e.node, vote);
        let asked = || self.known.get(About::Ttl, acq.0.into(), 0).map(|us| Span::from_us(us as i64));
        let ttl = if grouped { ttl.or_else(asked) } else { ttl };
        let h = self.known.or_insert(About::Holding, acq.0.into(), 0, self.holdings.len() as u64) as usize;
        if h == self.holdings.len() {
            self.holdings.push(Holding {
                lock,
                worker,
                nodes: 0,
                votes: vote,
                order: None,
                lease: None,
                ended: None,
                share,
            });
        }
        self.known.or_insert(About::Worker, acq.0.into(), 0, worker.0.into());
        if let Some(i) = self.known.get(About::Record, e.node.0.into(), h as u64) {
            self.seq.bars[i].ttl = self.seq.bars[i].ttl.or(ttl);
            return;
        }
        // Who holds it beside others has the first place on the lane that is free.
        let taken = |place: u8| {
            let beside = |b: &&Bar| b.lane == lane && b.lock == lock && b.kind == BarKind::Lease;
            self.seq.bars.iter().filter(beside).any(|b| b.to.is_none() && b.place == place)
        };
        let place = if share == Share::Alone { 0 } else { (0..PLACES).find(|p| !taken(*p)).unwrap_or(PLACES - 1) };
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
            share,
            place,
        };
        self.known.insert(About::Record, e.node.0.into(), h as u64, self.seq.bars.len() as u64);
        self.seq.bars.push(bar);
        let holding = &mut self.holdings[h];
        holding.nodes += 1;
        if holding.nodes == needed && holding.order.is_none() {
            if grouped {
                holding.lease = Some(self.seq.bars.len());
                self.seq.bars.push(Bar { kind: BarKind::Lease, ..bar });
            }
            holding.order = Some(self.grants);
            let after = self.latest(lock).map(|l| l.1).filter(|w| *w != worker && share == Share::Alone);
            self.known.insert(About::Latest, lock.0.into(), 0, h as u64);
            self.grants += 1;
            self.moment(e, What::Granted { lock, acq, worker, after });
        }
    }

    pub(super) fn unstore(&mut self, e: &TraceEvent, lock: LockId, acq: AcqId, end: BarEnd) {
        let Some(h) = self.known.get(About::Holding, acq.0.into(), 0) else { return };
        let mut record = self.known.remove(About::Record, e.node.0.into(), h as u64);
        if record.is_none() && !self.holdings[h].votes && self.seq.lanes.in_group(e.node) {
            // A record of a group is its leader's; the leader may be another than the one that stored it.
            let lane = self.seq.lanes.lane(e.node);
            for n in 0..self.seq.lanes.lanes[lane].nodes.len() {
                let node = self.seq.lanes.lanes[lane].nodes[n];
                record = record.or_else(|| self.known.remove(About::Record, node.0.into(), h as u64));
            }
        }
        let Some(i) = record else { return };
        let needed = self.needed(e.node, self.holdings[h].votes);
        let holding = &mut self.holdings[h];
        holding.nodes -= 1;
        self.seq.bars[i].to = Some(e.at);
        self.seq.bars[i].end = end;
        if holding.order.is_some() && holding.nodes < needed && holding.ended.is_none() {
            // Of a group only the majority is gone; that it was by somebody's wish counts only if that was the holder's.
            let end = match (holding.lease, end) {
                (Some(_), BarEnd::Released) | (None, _) => end,
                (Some(_), BarEnd::Expired) if holding.nodes == 0 => end,
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

    /// Ends a bar if it is a belief that still lasts.
    pub(super) fn end_belief(&mut self, bar: usize, at: TrueTime, why: Loss) {
        let b = &mut self.seq.bars[bar];
        if b.kind == BarKind::Belief && b.to.is_none() {
            b.to = Some(at);
            b.end = BarEnd::Belief(why);
        }
    }

    pub(super) fn holding(&self, acq: AcqId) -> Option<&Holding> {
        self.known.get(About::Holding, acq.0.into(), 0).map(|h| &self.holdings[h])
    }

    /// The grant of an acquisition: its place among all grants, and its lock.
    pub(super) fn grant_of(&self, acq: AcqId) -> Option<(u32, LockId)> {
        self.holding(acq).and_then(|h| h.order.map(|o| (o, h.lock)))
    }

    /// The latest grant of a lock: its place among all grants, and its worker.
    pub(super) fn latest(&self, lock: LockId) -> Option<(u32, NodeId)> {
        let latest = self.known.get(About::Latest, lock.0.into(), 0).map(|h| &self.holdings[h]);
        latest.and_then(|h| h.order.map(|o| (o, h.worker)))
    }
}
