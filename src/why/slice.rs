//! Which events of a log are causes: backwards from what proves the violation.
//!
//! Everything before a moment may have led to it, and most of it has not. So this does not follow every edge of the log; it asks, for each
//! kind of event, what a person would ask next. A write: who let its sender believe, what had it read, did it sleep meanwhile? A grant:
//! how had the lock become free? A lease that ran out: until when was it granted, and why did nobody extend it? What nobody would ask
//! about ends a line of causes: a program that starts, an owner that gives back what it has.

use super::tale::{Tale, asks_for, vote_lost};
use crate::base::fact::{Effect, Grant, VoteEnd};
use crate::base::message::Topic;
use crate::base::{AcqId, Fact, FlatSet, NodeId, Payload, TrueTime};
use crate::check::report::Violation;
use crate::trace::{EventKind, EventSeq, Fate, LostWhy, TraceEvent};

/// The causes of a violation, in the order of the log, its witnesses among them.
pub fn causes(tale: &Tale, violation: &Violation) -> Vec<EventSeq> {
    let mut s = Slice { tale, found: FlatSet::new(), open: Vec::new() };
    let end = violation.witnesses.last();
    for w in &violation.witnesses {
        // Of a rightful write in between nobody asks how it came about.
        let rightful = Some(w) != end && matches!(tale.event(*w).kind, EventKind::Did(Fact::Applied(_)));
        if rightful { s.note(*w) } else { s.ask(*w) }
    }
    s.about(violation);
    while let Some(seq) = s.open.pop() {
        s.because(tale.event(seq));
    }
    s.found.iter().copied().collect()
}

pub(super) struct Slice<'a> {
    pub(super) tale: &'a Tale<'a>,
    found: FlatSet<EventSeq>,
    /// Found, and to be asked about.
    open: Vec<EventSeq>,
}

impl Slice<'_> {
    /// It is a cause, and what led to it is asked as well.
    pub(super) fn ask(&mut self, seq: EventSeq) {
        if self.found.insert(seq) {
            self.open.push(seq);
        }
    }

    /// It is a cause, and nobody asks further.
    pub(super) fn note(&mut self, seq: EventSeq) {
        self.found.insert(seq);
    }

    /// What led to an event.
    fn because(&mut self, e: &TraceEvent) {
        match &e.kind {
            EventKind::Arrived { msg, .. } => {
                if let Some(sent) = self.tale.sending_of(*msg) {
                    self.ask(sent.seq);
                }
            }
            EventKind::Sent { what, fate, .. } => self.sent(e, &what.payload, *fate),
            EventKind::Lost { msg, why, .. } => {
                if let Some(sent) = self.tale.sending_of(*msg) {
                    self.note(sent.seq);
                }
                if *why == LostWhy::Down {
                    self.fell(e.node, e.seq);
                }
            }
            EventKind::Resumed { since, .. } => {
                let pause =
                    |p: &&TraceEvent| p.node == e.node && p.at == *since && matches!(p.kind, EventKind::Paused { .. });
                if let Some(p) = self.tale.events[..e.seq.0 as usize].iter().rev().find(pause) {
                    self.note(p.seq);
                }
            }
            EventKind::Did(fact) => self.did(e, fact),
            _ => {}
        }
    }

    /// A request: what its sender knew, and whether it slept.
    fn sent(&mut self, e: &TraceEvent, payload: &Payload, fate: Fate) {
        if !self.tale.roster.is_worker(e.node) {
            // An answer is asked about only where it is told.
            return;
        }
        if let Fate::Copy { of } = fate
            && let Some(first) = self.tale.sending_of(of)
        {
            return self.ask(first.seq);
        }
        let Some(acq) = payload.acq() else { return };
        if asks_for(payload).is_some() {
            return;
        }
        let since = match self.tale.belief_before(acq, e.seq) {
            Some(b) => {
                self.learned(b, acq);
                b.at
            }
            None => TrueTime::ZERO,
        };
        self.slept(e.node, since, e.at);
        self.clock(e.node, e.seq);
        let base = match payload {
            Payload::Write(w) | Payload::Stage(w) => w.base,
            _ => None,
        };
        if let (Some(base), EventKind::Sent { to, .. }) = (base, e.kind) {
            self.read(e.node, to, base, e.seq);
        }
        let checked = |f: &Fact| matches!(f, Fact::Checked { acq: a, valid: true } if *a == acq);
        // A check is worth a word if what it found was no longer true when it mattered.
        let soon = |c: &TraceEvent| c.at == e.at && c.local.as_us() == c.at.as_us() && !self.strange(e);
        if let Some((c, _)) =
            self.tale.facts_before(e.seq).find(|(c, f)| c.node == e.node && checked(f)).filter(|(c, _)| !soon(c))
        {
            self.note(c.seq);
        }
    }

    /// How a worker came to believe: the grant, and what lay between the grant and its knowing.
    fn learned(&mut self, b: &TraceEvent, acq: AcqId) {
        match self.tale.grant_before(acq, b.seq) {
            Some((g, _)) => {
                self.found.insert(g.seq);
                self.slow_answer(b);
            }
            None => self.note(b.seq),
        }
    }

    /// The answer that an event rests on, if it was slow, a copy, or read late.
    pub(super) fn slow_answer(&mut self, e: &TraceEvent) {
        if let Some(sent) = self.tale.request_behind(e)
            && self.strange(sent)
        {
            self.note(sent.seq);
        }
    }

    /// Something was done to this message.
    fn strange(&self, sent: &TraceEvent) -> bool {
        let EventKind::Sent { msg, fate, .. } = sent.kind else { return false };
        let slow = self.tale.end_of(msg).is_some_and(|a| a.at.since(sent.at) > self.tale.typical.times(4));
        fate != Fate::Plain || slow
    }

    /// The worker's pauses between two instants.
    pub(super) fn slept(&mut self, node: NodeId, from: TrueTime, to: TrueTime) {
        for p in self.tale.pauses(node, from, to) {
            self.note(p.seq);
            if let Some(w) = self.tale.waking(p).filter(|w| w.at <= to) {
                self.note(w.seq);
            }
        }
    }

    /// What was done to a node's clock before `seq`.
    pub(super) fn clock(&mut self, node: NodeId, seq: EventSeq) {
        let before = self.tale.events[..seq.0 as usize].iter().filter(|e| e.node == node);
        for e in before {
            if matches!(e.kind, EventKind::ClockStepped { .. } | EventKind::ClockRateSet { .. }) {
                self.note(e.seq);
            }
        }
    }

    /// The read that a write was computed from.
    pub(super) fn read(&mut self, worker: NodeId, shard: NodeId, base: u64, seq: EventSeq) {
        let served = |e: &TraceEvent, f: &Fact| {
            e.node == shard
                && matches!(f, Fact::ReadServed { worker: w, version, .. } if *w == worker && *version == base)
        };
        if let Some((r, _)) = self.tale.facts_before(seq).find(|(e, f)| served(e, f)) {
            self.note(r.seq);
        }
    }

    /// A node that fell, came back or took over, last before `seq`.
    fn fell(&mut self, node: NodeId, seq: EventSeq) {
        let before = || self.tale.events[..seq.0 as usize].iter().rev().filter(|e| e.node == node);
        let back = before().find(|e| matches!(e.kind, EventKind::Restarted | EventKind::Promoted));
        let down = before().find(|e| matches!(e.kind, EventKind::Crashed { .. }));
        for e in [back, down].into_iter().flatten() {
            self.note(e.seq);
        }
    }

    fn did(&mut self, e: &TraceEvent, fact: &Fact) {
        match fact {
            Fact::Granted(g) => self.granted(e, g),
            Fact::Applied(effect) => self.applied(e, effect),
            Fact::Called { .. } | Fact::Issued { .. } | Fact::CheckPassed { .. } => self.requested(e),
            Fact::Believed { acq, .. } => {
                self.slow_answer(e);
                if let Some((g, grant)) = self.tale.grant_before(*acq, e.seq) {
                    self.ask(g.seq);
                    self.slept(e.node, grant.asked, e.at);
                }
            }
            Fact::Expired { acq, .. } | Fact::TakenOver { acq, .. } => self.ran_out(e, *acq),
            Fact::Forgotten { acq, .. } => {
                self.fell(e.node, EventSeq(e.seq.0 + 1));
                if let Some((g, _)) = self.tale.grant_before(*acq, e.seq) {
                    self.note(g.seq);
                }
            }
            Fact::Closed { acq, .. } => {
                if let Some(w) = self.tale.owner(*acq) {
                    self.trouble(w, TrueTime::ZERO, e.seq);
                }
            }
            Fact::VoteEnded { acq, .. } => {
                self.fell(e.node, EventSeq(e.seq.0 + 1));
                self.clock(e.node, e.seq);
                if let Some((g, _)) = self.tale.grant_before(*acq, e.seq) {
                    self.note(g.seq);
                }
                if matches!(fact, Fact::VoteEnded { why: VoteEnd::Released { .. }, .. }) {
                    self.requested(e);
                }
            }
            Fact::Released { acq, by, .. } if *by != Some(*acq) => {
                self.requested(e);
                if let Some((g, _)) = self.tale.grant_before(*acq, e.seq) {
                    self.ask(g.seq);
                }
                if let Some(end) = by.and_then(|b| self.tale.end_before(b, e.seq)) {
                    self.ask(end.seq);
                }
            }
            Fact::Extended { acq, by, .. } if acq != by => {
                self.requested(e);
                if let Some((g, _)) = self.tale.grant_before(*acq, e.seq) {
                    self.ask(g.seq);
                }
                if let Some(end) = self.tale.end_before(*by, e.seq) {
                    self.ask(end.seq);
                }
            }
            Fact::Unqueued { acq, .. } => {
                if let Some(w) = self.tale.owner(*acq) {
                    self.trouble(w, TrueTime::ZERO, e.seq);
                }
            }
            Fact::MarkMoved { .. } | Fact::CounterLost { .. } => {
                self.fell(e.node, EventSeq(e.seq.0 + 1));
                self.slow_answer(e);
            }
            _ => {}
        }
    }

    /// The request behind what a service or a resource did.
    fn requested(&mut self, e: &TraceEvent) {
        if let Some(sent) = self.tale.request_behind(e) {
            self.ask(sent.seq);
        }
    }

    /// How the lock had become free.
    fn granted(&mut self, e: &TraceEvent, g: &Grant) {
        self.slow_answer(e);
        let Some((prior, old)) = self.tale.rival_before(g.lock, g.acq, e.seq) else { return };
        let risen = |o: &&TraceEvent| o.node == e.node && matches!(o.kind, EventKind::Promoted);
        if let Some(p) = self.tale.events[prior.seq.0 as usize..e.seq.0 as usize].iter().rev().find(risen) {
            self.note(p.seq);
        }
        match self.tale.end_before(old.acq, e.seq) {
            Some(end) => {
                // That an owner gives back what it has explains nothing.
                let given_back =
                    matches!(&end.kind, EventKind::Did(Fact::Released { acq, by, .. }) if *by == Some(*acq));
                if !given_back {
                    self.ask(end.seq);
                }
            }
            None => {
                // It is in force still: somebody has forgotten it, or was never told.
                self.note(prior.seq);
                for v in self.tale.voters(g.acq, e.seq) {
                    self.fell(v, e.seq);
                }
                self.fell(e.node, e.seq);
                self.unheard(prior.seq, e.seq);
                self.apart(prior.node, e.seq);
            }
        }
        if self.tale.by_votes(old.acq) {
            let voters = self.tale.voters(g.acq, e.seq);
            let lost = |e: &&TraceEvent| {
                voters.contains(&e.node) && matches!(&e.kind, EventKind::Did(f) if vote_lost(f) == Some(old.acq))
            };
            let lost: Vec<EventSeq> = self.tale.events[..e.seq.0 as usize].iter().filter(lost).map(|e| e.seq).collect();
            lost.into_iter().for_each(|s| self.ask(s));
        }
    }

    /// The cuts that set a node of the service apart.
    fn apart(&mut self, node: NodeId, before: EventSeq) {
        for e in &self.tale.events[..before.0 as usize] {
            if e.node == node && matches!(e.kind, EventKind::CutFrom { .. }) {
                self.note(e.seq);
            }
        }
    }

    /// What a replica was never told.
    fn unheard(&mut self, from: EventSeq, to: EventSeq) {
        for e in &self.tale.events[from.0 as usize..to.0 as usize] {
            let gone = matches!(e.kind, EventKind::Lost { why: LostWhy::Gone, .. });
            if gone || matches!(e.kind, EventKind::Promoted) {
                self.note(e.seq);
            }
        }
    }

    /// Why a lease ended under its owner: until when it was granted, and why nobody extended it.
    fn ran_out(&mut self, e: &TraceEvent, acq: AcqId) {
        self.clock(e.node, e.seq);
        let Some((g, grant)) = self.tale.grant_before(acq, e.seq) else { return };
        self.note(g.seq);
        let extended = |f: &Fact| matches!(f, Fact::Extended { acq: a, .. } if *a == acq);
        let since = match self.tale.facts_before(e.seq).find(|(_, f)| extended(f)) {
            Some((x, _)) => {
                self.note(x.seq);
                x.at
            }
            None => g.at,
        };
        self.trouble(grant.worker, since, e.seq);
    }

    /// What kept a worker from holding on to what it had: it slept, it died, its renewals did not arrive.
    pub(super) fn trouble(&mut self, worker: NodeId, since: TrueTime, until: EventSeq) {
        let end = self.tale.event(until).at;
        for p in self.tale.pauses(worker, since, end) {
            self.note(p.seq);
        }
        for e in self.tale.events[..until.0 as usize].iter().filter(|e| e.at >= since) {
            match &e.kind {
                EventKind::Crashed { .. } | EventKind::Disconnected | EventKind::CutFrom { .. } if e.node == worker => {
                    self.note(e.seq)
                }
                EventKind::Sent { to, what, fate, .. }
                    if matches!(what.kind.topic, Topic::Renew | Topic::Ping)
                        && (e.node == worker || *to == worker)
                        && *fate != Fate::Plain =>
                {
                    self.note(e.seq);
                }
                _ => {}
            }
        }
    }

    /// What let a mutation in.
    fn applied(&mut self, e: &TraceEvent, effect: &Effect) {
        self.requested(e);
        let passed = |f: &Fact| matches!(f, Fact::CheckPassed { op, worker, .. } if *op == effect.op && *worker == effect.worker);
        if let Some((c, _)) = self.tale.facts_before(e.seq).find(|(c, f)| c.node == e.node && passed(f)) {
            self.note(c.seq);
            if self.tale.event(c.seq).at < e.at {
                self.requested(c);
            }
        }
        let falls = |f: &Fact| matches!(f, Fact::MarkMoved { from, to } if to < from);
        if let Some((m, _)) = self.tale.facts_before(e.seq).find(|(m, f)| m.node == e.node && falls(f)) {
            self.ask(m.seq);
        }
    }
}
