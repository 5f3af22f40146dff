//! What is known only at the end of a log: which beliefs had outlived their lease, what is folded, where the drawing ends.

use super::{About, Reader, fold, group};
use crate::base::fact::{Loss, Share};
use crate::base::flat::FlatSet;
use crate::base::message::Topic;
use crate::base::{AcqId, Fact, TrueTime};
use crate::trace::{EndWhy, Ending, EventKind, EventSeq};
use crate::view::lanes::LaneKind;
use crate::view::order;
use crate::view::sequence::{Asked, Bar, BarEnd, BarKind, Moment, Sequence, Value, What, Zone};

impl Reader<'_> {
    pub(super) fn finish(&mut self, ending: Ending, keep: &FlatSet<EventSeq>) {
        for (m, i) in &self.of_flight {
            if let (What::Writes(w), Some(mark)) = (&mut self.seq.moments[*m].what, self.flights[*i].mark) {
                w.mark = Some(mark);
            }
        }
        for b in self.seq.bars.iter_mut().filter(|b| b.kind == BarKind::Belief) {
            let holding = self.known.get(About::Holding, b.acq.0.into(), 0).map(|h| &self.holdings[h]);
            // Who never had a record believes in nothing.
            let ended = holding.map_or(Some((b.from, BarEnd::Open)), |h| h.ended);
            // A reader that has become the writer, or the other way round, had a lease all the time.
            let ended = ended.filter(|e| e.1 != BarEnd::Released || b.end != BarEnd::Belief(Loss::Released));
            b.stale = ended.map(|(at, end)| (at.max(b.from), end)).filter(|(at, _)| b.to.is_none_or(|to| *at < to));
        }
        self.seq.clocks.retain(|g| g.readings.iter().any(|r| r.0.as_us() != r.1));
        self.seq.zones = zones(self.seq);
        for i in 0..self.seq.lanes.len() {
            if self.seq.lanes.kind(i) == LaneKind::Shard && !self.seq.values.iter().any(|v| v.lane == i) {
                self.seq.values.push(Value { lane: i, from: TrueTime::ZERO, to: None, writer: None });
            }
        }
        let folds = fold::fold(&mut self.flights, &self.seq.lanes, keep);
        self.fold_votes();
        // What is said about a message that is not drawn is not drawn either.
        let mut silent = vec![false; self.seq.moments.len()];
        for (m, i) in &self.of_flight {
            silent[*m] |= self.flights[*i].hidden
                && matches!(self.seq.moments[*m].what, What::TimedOut { .. } | What::Ignored { .. });
        }
        let mut index = 0;
        self.seq.moments.retain(|_| {
            index += 1;
            !silent[index - 1]
        });
        fold::first_tries(self.seq, &self.flights);
        if ending.why != EndWhy::Quiet {
            self.still_waiting(ending.at);
        }
        let (arrows, ballots) = group::arrows(&self.flights, self.seq);
        self.seq.arrows = arrows;
        self.seq.ballots = ballots;
        self.seq.folds = folds;
        self.seq.hidden = self.hidden_events();
        let mut end = TrueTime::ZERO;
        self.seq.arrows.iter().for_each(|a| end = end.max(a.arrived.unwrap_or(a.sent)));
        self.seq.moments.iter().for_each(|m| end = end.max(m.at));
        self.seq.folds.iter().for_each(|f| end = end.max(f.to));
        if ending.why != EndWhy::Quiet {
            end = end.max(ending.at);
        }
        self.seq.end = end;
        for z in &mut self.seq.zones {
            z.to = z.to.min(end);
        }
    }

    /// What a try that is counted got from single nodes is not drawn either, unless it came to a majority.
    fn fold_votes(&mut self) {
        let mut acqs: FlatSet<AcqId> = FlatSet::new();
        for hidden in [true, false] {
            for f in self.flights.iter().filter(|f| f.hidden == hidden && f.what.kind.topic == Topic::Acquire) {
                match f.what.payload.acq() {
                    Some(acq) if hidden => {
                        acqs.insert(acq);
                    }
                    Some(acq) => {
                        acqs.remove(&acq);
                    }
                    None => {}
                }
            }
        }
        let granted = |acq: AcqId| self.holding(acq).is_some_and(|h| h.order.is_some());
        let gone: Vec<bool> =
            self.seq.bars.iter().map(|b| b.kind == BarKind::Vote && acqs.contains(&b.acq) && !granted(b.acq)).collect();
        let mut index = 0;
        self.seq.bars.retain(|_| {
            index += 1;
            !gone[index - 1]
        });
    }

    /// Workers that asked, were not granted, and neither stopped nor crashed since.
    pub(super) fn still_waiting(&mut self, at: TrueTime) {
        let seq = self.log.events().last().map_or(EventSeq(0), |e| e.seq);
        for w in 0..self.seq.lanes.len() {
            let node = self.seq.lanes.lanes[w].nodes[0];
            let last = self.seq.moments.iter().rev().find(|m| match m.what {
                What::Granted { worker, .. } => worker == node,
                What::Asks { .. } | What::Stops { .. } | What::Crashes { .. } => m.node == node,
                _ => false,
            });
            if matches!(last.map(|m| &m.what), Some(What::Asks { answer: Asked::Refused | Asked::Nothing, .. })) {
                self.seq.moments.push(Moment { at, seq, node, what: What::StillWaits });
            }
        }
    }

    /// Which events are left out of the list because their retry is folded.
    pub(super) fn hidden_events(&self) -> Vec<bool> {
        let mut hidden: Vec<bool> =
            self.by_event.iter().map(|i| i.is_some_and(|i| self.flights[i as usize].hidden)).collect();
        for e in self.log.events() {
            let folded = e.cause.is_some_and(|c| hidden.get(c.0 as usize).copied().unwrap_or(false));
            if folded && matches!(e.kind, EventKind::Did(ref f) if is_routine(f)) {
                hidden[e.seq.0 as usize] = true;
            }
        }
        hidden
    }
}

/// Facts of a try that say no more than its messages.
fn is_routine(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Refused { .. }
            | Fact::TryFailed { .. }
            | Fact::TimedOut { .. }
            | Fact::Ignored { .. }
            | Fact::Extended { .. }
            | Fact::Reentered { .. }
            | Fact::NotExtended { .. }
            | Fact::Reckoned { .. }
            | Fact::NotHeld { .. }
    )
}

/// Readers, or as many as there are permits.
fn may_be_together(shares: &[Share]) -> bool {
    shares.iter().all(|s| match *s {
        Share::Permit(of) => shares.len() <= usize::from(of),
        _ => s.allows(shares[0]),
    })
}

/// Stretches in which two or more workers believe that they hold one lock.
fn zones(seq: &Sequence) -> Vec<Zone> {
    let beliefs = || seq.bars.iter().filter(|b| b.kind == BarKind::Belief && b.to != Some(b.from));
    let end = |b: &Bar| b.to.unwrap_or(TrueTime::NEVER);
    let (mut instants, mut locks): (Vec<TrueTime>, usize) = (Vec::new(), 0);
    for b in beliefs() {
        instants.push(b.from);
        instants.push(end(b));
        locks = locks.max(b.lock.index() + 1);
    }
    order::instants(&mut instants);
    let mut out: Vec<Zone> = Vec::new();
    // By lock: the zone that lasts.
    let mut open: Vec<Option<usize>> = vec![None; locks];
    for at in instants {
        for (lock, open) in open.iter_mut().enumerate() {
            let mut lanes: Vec<usize> = Vec::new();
            let mut shares: Vec<Share> = Vec::new();
            for b in beliefs() {
                if b.lock.index() == lock && b.from <= at && at < end(b) && !lanes.contains(&b.lane) {
                    lanes.push(b.lane);
                    shares.push(b.share);
                }
            }
            if may_be_together(&shares) {
                lanes.truncate(1);
            }
            match *open {
                None if lanes.len() >= 2 => {
                    *open = Some(out.len());
                    out.push(Zone { from: at, to: at, believers: lanes.len(), first: lanes[0] });
                }
                Some(i) if lanes.len() >= 2 => out[i].believers = out[i].believers.max(lanes.len()),
                Some(i) => {
                    out[i].to = at;
                    *open = None;
                }
                None => {}
            }
        }
    }
    out
}
