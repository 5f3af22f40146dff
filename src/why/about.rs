//! What a property asks besides its witnesses: who had come in between a write and its grant, why a belief outlasts its lease, who has the
//! lock that somebody waits for.

use super::slice::Slice;
use super::tale::ends;
use crate::base::fact::Effect;
use crate::base::message::Topic;
use crate::base::{AcqId, Fact, LockId, NodeId};
use crate::check::report::{Property, Violation};
use crate::trace::{EventKind, EventSeq, Fate, TraceEvent};

impl Slice<'_> {
    pub(super) fn about(&mut self, v: &Violation) {
        let Some(last) = v.witnesses.last().map(|s| self.tale.event(*s)) else { return };
        match (&last.kind, v.property) {
            (EventKind::Did(Fact::Applied(effect)), _) => self.wrong_write(last, effect),
            (EventKind::Did(Fact::Called { acq: Some(acq), .. }), _) => self.superseded(last, *acq),
            (EventKind::Did(Fact::Granted(g)), Property::GrantOverlap | Property::BrokenPromise) => {
                if let Some((old, _)) = self.tale.rival_before(g.lock, g.acq, last.seq) {
                    self.note(old.seq);
                }
            }
            (EventKind::Did(Fact::Granted(g)), Property::TokenRegress) => {
                let lost = |f: &Fact| matches!(f, Fact::CounterLost { lock, .. } if *lock == g.lock);
                if let Some((c, _)) = self.tale.facts_before(last.seq).find(|(_, f)| lost(f)) {
                    self.ask(c.seq);
                }
            }
            (EventKind::Did(Fact::Believed { acq, .. }), Property::FalseAcquire) => self.alone(last, *acq),
            (_, Property::NoProgress | Property::Deadlock) => {
                for w in v.witnesses.clone() {
                    let asking = self.tale.event(w);
                    if let Some((asked, lock)) = self.tale.wanted(asking) {
                        self.note(asked.seq);
                        self.held(lock, asking.node);
                    }
                }
            }
            (_, Property::Leak) => self.left_behind(v),
            _ => {}
        }
        if v.property == Property::BeliefOverlap {
            for w in v.witnesses.clone() {
                let e = self.tale.event(w);
                if let EventKind::Did(Fact::Believed { acq, .. }) = e.kind {
                    self.overstays(e, acq, last);
                }
            }
        }
        if v.property == Property::LateSend
            && let EventKind::Sent { what, .. } = &last.kind
            && let Some(acq) = what.payload.acq()
        {
            self.missed_renewals(acq, last.seq);
        }
    }

    /// A write that should not have been let in: who had come in between.
    fn wrong_write(&mut self, e: &TraceEvent, effect: &Effect) {
        if let Some(base) = effect.base.filter(|b| *b != effect.before) {
            self.read(effect.worker, e.node, base, e.seq);
            let made = |f: &Fact| matches!(f, Fact::Applied(x) if x.after == effect.before);
            if let Some((lost, Fact::Applied(x))) =
                self.tale.facts_before(e.seq).find(|(m, f)| m.node == e.node && made(f))
            {
                // What is lost may be the very write that came too late.
                let grant = |acq: Option<AcqId>| acq.and_then(|a| self.tale.grant_before(a, e.seq)).map(|g| g.0.seq);
                if x.acq != effect.acq && grant(x.acq) < grant(effect.acq) && x.acq.is_some() {
                    self.ask(lost.seq);
                    self.superseded(lost, x.acq.unwrap_or(AcqId(0)));
                } else {
                    self.note(lost.seq);
                }
                if let Some(theirs) = x.base
                    && x.worker != effect.worker
                {
                    self.read(x.worker, e.node, theirs, lost.seq);
                }
                if let Some((g, _)) = x.acq.and_then(|a| self.tale.grant_before(a, lost.seq)) {
                    self.ask(g.seq);
                }
            }
        }
        // Done twice: the first time, and why it was sent again.
        let same = |f: &Fact| matches!(f, Fact::Applied(x) if x.op == effect.op);
        if let Some((first, _)) = self.tale.facts_before(e.seq).find(|(m, f)| m.node == e.node && same(f)) {
            self.note(first.seq);
            self.unanswered(first.seq, e.seq, effect.worker);
        }
        if let Some(acq) = effect.acq {
            self.superseded(e, acq);
        }
    }

    /// The grant that made this one old.
    fn superseded(&mut self, e: &TraceEvent, acq: AcqId) {
        let Some((own, g)) = self.tale.grant_before(acq, e.seq) else { return self.alone(e, acq) };
        if let Some((next, _)) = self.tale.rival_before(g.lock, acq, e.seq).filter(|(n, _)| n.seq > own.seq) {
            self.ask(next.seq);
        }
    }

    /// Believed or acted without any grant: what the try had come to.
    fn alone(&mut self, e: &TraceEvent, acq: AcqId) {
        for (f, fact) in self.tale.facts_before(e.seq) {
            let about = match fact {
                Fact::Granted(g) => g.acq == acq,
                Fact::Refused { acq: a, .. } | Fact::TryFailed { acq: a, .. } | Fact::Unqueued { acq: a, .. } => {
                    *a == acq
                }
                Fact::TimedOut { topic: Topic::Acquire } => f.node == e.node,
                _ => ends(fact) == Some(acq),
            };
            if about {
                self.ask(f.seq);
                self.slow_answer(f);
            }
        }
        if let Some(sent) = self.tale.request_behind(e) {
            self.note(sent.seq);
        }
    }

    /// Messages of a worker between two events that got no answer, and what it made of that.
    fn unanswered(&mut self, from: EventSeq, to: EventSeq, worker: NodeId) {
        for e in &self.tale.events[from.0 as usize..to.0 as usize] {
            match &e.kind {
                EventKind::Sent { to, fate, .. } if (*to == worker || e.node == worker) && *fate != Fate::Plain => {
                    self.note(e.seq)
                }
                EventKind::Did(Fact::TimedOut { .. }) if e.node == worker => self.note(e.seq),
                EventKind::Crashed { .. } | EventKind::Restarted if e.node == worker => self.note(e.seq),
                _ => {}
            }
        }
    }

    /// A belief that goes on while somebody else believes: why it was not given up.
    fn overstays(&mut self, e: &TraceEvent, acq: AcqId, last: &TraceEvent) {
        self.slept(e.node, e.at, last.at);
        self.clock(e.node, last.seq);
        if let Some(end) = self.tale.end_before(acq, last.seq) {
            self.ask(end.seq);
        }
    }

    fn missed_renewals(&mut self, acq: AcqId, until: EventSeq) {
        if let Some(b) = self.tale.belief_before(acq, until) {
            self.trouble(b.node, b.at, until);
        }
        if let Some(end) = self.tale.end_before(acq, until) {
            self.ask(end.seq);
        }
    }

    /// Who holds a lock at the end that somebody waits for, and why it is not given back.
    fn held(&mut self, lock: LockId, waiter: NodeId) {
        let end = EventSeq(self.tale.events.len() as u32);
        let granted = |f: &Fact| match f {
            Fact::Granted(g) if g.lock == lock => Some(g.acq),
            _ => None,
        };
        let in_force = self
            .tale
            .facts_before(end)
            .filter_map(|(e, f)| granted(f).map(|acq| (e, acq)))
            .filter(|(e, acq)| self.tale.facts_after(e.seq).all(|(_, f)| ends(f) != Some(*acq)));
        let in_force: Vec<(EventSeq, AcqId)> = in_force.map(|(e, a)| (e.seq, a)).collect();
        for (seq, acq) in &in_force {
            self.note(*seq);
            self.kept(*acq, *seq);
        }
        if in_force.is_empty() {
            self.in_vain(lock, waiter);
        }
    }

    /// What became of a grant that nobody gave back.
    fn kept(&mut self, acq: AcqId, from: EventSeq) {
        let Some(owner) = self.tale.owner(acq) else { return };
        // Who had given up by then will not give anything back.
        let ended = |f: &Fact| matches!(f, Fact::TryFailed { acq: a, .. } if *a == acq);
        if let Some((f, _)) = self.tale.facts_before(from).find(|(_, f)| ended(f)) {
            self.note(f.seq);
        }
        let last = self.tale.events[from.0 as usize..].iter().rev().find(|e| {
            matches!(&e.kind, EventKind::Did(Fact::Extended { acq: a, .. } | Fact::Reentered { acq: a, .. }) if *a == acq)
        });
        if let Some(x) = last {
            self.note(x.seq);
        }
        for e in &self.tale.events[from.0 as usize..] {
            let told = match &e.kind {
                EventKind::Paused { .. } | EventKind::Crashed { .. } | EventKind::Disconnected => e.node == owner,
                EventKind::Sent { to, what, fate, .. } => {
                    (e.node == owner || *to == owner)
                        && *fate != Fate::Plain
                        && matches!(what.kind.topic, Topic::Release | Topic::Acquire | Topic::Withdraw)
                }
                EventKind::Did(Fact::Stopped { .. } | Fact::Finished | Fact::TryFailed { .. }) => e.node == owner,
                EventKind::Did(Fact::CountedDown { acq: a, .. }) => *a == acq,
                _ => false,
            };
            if told {
                self.note(e.seq);
            }
        }
    }

    /// Nobody holds it, and still somebody waits: what its last tries came to.
    fn in_vain(&mut self, lock: LockId, waiter: NodeId) {
        let last = self.tale.events.iter().rev().find(|e| {
            e.node == waiter && matches!(&e.kind, EventKind::Did(Fact::TryFailed { lock: l, .. }) if *l == lock)
        });
        if let Some(e) = last {
            self.note(e.seq);
        }
        let queued = |f: &Fact| matches!(f, Fact::Queued { worker, .. } if *worker == waiter);
        if let Some(e) = self.tale.events.iter().rev().find(|e| matches!(&e.kind, EventKind::Did(f) if queued(f))) {
            self.note(e.seq);
        }
        for e in self.tale.events {
            match &e.kind {
                EventKind::Sent { to, what, fate, .. }
                    if *fate != Fate::Plain
                        && matches!(what.kind.topic, Topic::Notify | Topic::Acquire)
                        && (*to == waiter || e.node == waiter) =>
                {
                    self.note(e.seq);
                }
                EventKind::CutFrom { .. } if e.node == waiter => self.note(e.seq),
                EventKind::Crashed { .. } if self.tale.roster.is_lock_node(e.node) => self.note(e.seq),
                _ => {}
            }
        }
    }

    /// Something that stands and nobody uses.
    fn left_behind(&mut self, v: &Violation) {
        for w in v.witnesses.clone() {
            let e = self.tale.event(w);
            if let EventKind::Did(Fact::Granted(g)) = e.kind {
                self.kept(g.acq, e.seq);
                self.slow_answer(e);
            }
        }
    }
}
