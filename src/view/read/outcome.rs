//! What became of an effect at a resource, and of links and clocks on the way.

use super::{About, Effect, Reader};
use crate::base::fact::Share;
use crate::base::{AcqId, NodeId, TrueTime};
use crate::trace::{EventKind, TraceEvent};
use crate::view::sequence::{Cut, Stall, Value, What, Written, Wrong};

impl Reader<'_> {
    pub(super) fn first_read(&mut self, e: &TraceEvent, version: u64) {
        if let Some(shard) = self.shards.get_mut(e.node.index())
            && !std::mem::replace(&mut shard.read, true)
        {
            self.moment(e, What::FirstRead { version });
        }
    }

    /// What a request came to. If that is later than its arrival, it waited in the handler, and the arrow itself says nothing of it.
    fn became(&mut self, e: &TraceEvent, worker: NodeId, effect: Effect) {
        let Some(i) = self.flight_of(e) else { return };
        self.of_flight.push((self.seq.moments.len(), i));
        match self.flights[i].arrival {
            Some((_, from)) if from < e.at => {
                let lane = self.seq.lanes.lane(e.node);
                self.seq.stalls.push(Stall { lane, worker, from, to: e.at, seq: e.seq });
                // Its answer is late all the same.
                self.flights[i].stalled = effect == Effect::Late;
            }
            _ => self.flights[i].effect = effect,
        }
    }

    pub(super) fn applied(&mut self, e: &TraceEvent, x: crate::base::fact::Effect) {
        let grant = x.acq.and_then(|a| self.grant_of(a));
        // Who may hold it beside others is no late-comer for having been granted before them.
        let alone = x.acq.and_then(|a| self.holding(a)).is_none_or(|h| h.share == Share::Alone);
        let owner = grant.and_then(|g| self.latest(g.1));
        let again = !self.known.insert(About::Done, e.node.0.into(), x.op.0, 0);
        let Some(shard) = self.shards.get_mut(e.node.index()) else { return };
        let lost = x.base.is_some_and(|b| b != x.before);
        let wrong = match (shard.writer, grant, shard.latest, owner) {
            (Some(w), ..) if again && w == x.worker => Some(Wrong::Again),
            (Some(w), ..) if lost => Some(Wrong::Lost(w)),
            _ if again => Some(Wrong::Again),
            (_, Some((order, _)), Some((latest, w)), _) if order < latest && alone => Some(Wrong::After(w)),
            (_, Some((order, _)), _, Some((latest, w))) if order < latest && alone => Some(Wrong::NotOwner(w)),
            _ => None,
        };
        if let Some((order, _)) = grant
            && shard.latest.is_none_or(|l| l.0 <= order)
        {
            shard.latest = Some((order, x.worker));
        }
        shard.writer = Some(x.worker);
        self.became(e, x.worker, if wrong.is_some() { Effect::Late } else { Effect::None });
        let lane = self.seq.lanes.lane(e.node);
        if let Some(v) = self.seq.values.iter_mut().rev().find(|v| v.lane == lane) {
            v.to = Some(e.at);
        } else {
            self.seq.values.push(Value { lane, from: TrueTime::ZERO, to: Some(e.at), writer: None });
        }
        self.seq.values.push(Value { lane, from: e.at, to: None, writer: Some(x.worker) });
        let written = Written { worker: x.worker, acq: x.acq, base: x.base, version: x.after, mark: None, wrong };
        self.moment(e, What::Writes(written));
    }

    pub(super) fn rejected(
        &mut self,
        e: &TraceEvent,
        worker: NodeId,
        acq: Option<AcqId>,
        why: crate::base::message::Reject,
        activation: bool,
    ) {
        // Whoever has the latest grant, and still has it, was right to write.
        let rightful = acq.and_then(|a| self.grant_of(a).map(|g| (a, g))).is_some_and(|(a, (order, lock))| {
            self.latest(lock).is_some_and(|l| l.0 == order) && self.holding(a).is_some_and(|h| h.ended.is_none())
        });
        self.became(e, worker, if rightful { Effect::Wronged } else { Effect::TurnedBack });
        let kept = self.shards.get(e.node.index()).and_then(|s| s.writer).filter(|w| *w != worker);
        self.moment(e, What::Rejected { worker, why, activation, rightful, kept });
    }

    pub(super) fn lane_pair(&self, a: NodeId, b: NodeId) -> (usize, usize) {
        let (a, b) = (self.seq.lanes.lane(a), self.seq.lanes.lane(b));
        (a.min(b), a.max(b))
    }

    /// A band is drawn once nothing gets through between two lanes; a group's lane has several links.
    pub(super) fn cut(&mut self, e: &TraceEvent, peer: NodeId) {
        let (a, b) = self.lane_pair(e.node, peer);
        let link = (a, b, e.node.min(peer), e.node.max(peer));
        if !self.cut.contains(&link) {
            self.cut.push(link);
        }
        let links = self.cut.iter().filter(|c| (c.0, c.1) == (a, b)).count();
        let all = self.seq.lanes.lanes[a].nodes.len() * self.seq.lanes.lanes[b].nodes.len();
        if a != b && links == all && self.known.get(About::Cut, a as u64, b as u64).is_none() {
            self.known.insert(About::Cut, a as u64, b as u64, self.seq.cuts.len() as u64);
            self.seq.cuts.push(Cut { a, b, from: e.at, to: None, seq: e.seq });
        }
    }

    /// Keeps the readings that describe a node's clock: the first, the last, and both sides of every change.
    pub(super) fn clock(&mut self, e: &TraceEvent) {
        let (at, local) = (e.at, e.local.as_us());
        let Some(g) = self.seq.clocks.get_mut(e.node.index()) else { return };
        match e.kind {
            EventKind::ClockStepped { by } => {
                // Whether the log shows the reading before or after the step is told by what the clock showed until then.
                let expected = g.readings.last().map_or(at.as_us(), |r| r.1 + at.since(r.0).as_us());
                let before = if (local - expected).abs() < by.as_us().abs() / 2 { local } else { local - by.as_us() };
                g.readings.push((at, before));
                g.readings.push((at, before + by.as_us()));
                g.steps.push((at, by));
                g.readings.push((at, before + by.as_us()));
            }
            EventKind::ClockRateSet { .. } => g.readings.extend([(at, local), (at, local)]),
            _ => {
                // The last reading of a stretch is overwritten by later ones on the same line.
                match g.readings.len() {
                    0 => g.readings.extend([(at, local), (at, local)]),
                    n => g.readings[n - 1] = (at, local),
                }
            }
        }
    }
}
