//! Two at once: the tool behind "one believer at a time" and "one grant at a time".
//!
//! Intervals are half-open: who lets go at the instant at which somebody else begins does not overlap with it, in whatever order the
//! log tells the two. So an overlap counts only once time has moved on in it.

use super::found::{Found, Hole};
use crate::base::fact::Share;
use crate::base::{AcqId, Fingerprint, LockId, NodeId, Span, TrueTime};
use crate::trace::EventSeq;
use std::hash::Hash;

/// Who holds what at present, in one sense of holding, and since when two workers do.
#[derive(Clone, Debug)]
pub struct Overlaps {
    pub found: Found,
    kind: Kind,
    total: Span,
    times: u32,
    /// By lock.
    locks: Vec<Held>,
}

/// In which sense of holding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Belief,
    Grant,
}

#[derive(Clone, Default, Debug)]
struct Held {
    holders: Vec<Holder>,
    since: Option<(TrueTime, Holder, Holder)>,
}

impl Held {
    /// Somebody who may not hold it beside some other worker that does.
    fn too_many(&self) -> Option<Holder> {
        let (one, others) = self.holders.split_first()?;
        if others.is_empty() {
            return None;
        }
        let clash = |a: &Holder, b: &Holder| a.worker != b.worker && !a.share.allows(b.share);
        if let Share::Permit(of) = one.share
            && self.holders.len() > usize::from(of)
        {
            return Some(*one);
        }
        let all = self.holders.iter().enumerate();
        all.rev().find_map(|(i, b)| self.holders[..i].iter().find(|a| clash(a, b))).copied()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Holder {
    worker: NodeId,
    acq: AcqId,
    seq: EventSeq,
    share: Share,
}

impl Overlaps {
    pub fn new(kind: Kind) -> Overlaps {
        Overlaps { found: Found::default(), kind, total: Span::ZERO, times: 0, locks: Vec::new() }
    }

    pub fn reset(&mut self) {
        self.found.reset();
        (self.total, self.times) = (Span::ZERO, 0);
        for held in &mut self.locks {
            held.holders.clear();
            held.since = None;
        }
    }

    /// Time during which two or more workers held one lock, in all.
    pub fn total(&self) -> Span {
        self.total
    }

    /// Workers that hold the lock, some perhaps twice.
    pub fn holders(&self, lock: LockId) -> impl Iterator<Item = NodeId> {
        self.locks.get(lock.index()).into_iter().flat_map(|h| h.holders.iter().map(|h| h.worker))
    }

    /// Is this acquisition among them?
    pub fn has(&self, lock: LockId, acq: AcqId) -> bool {
        self.locks.get(lock.index()).is_some_and(|l| l.holders.iter().any(|h| h.acq == acq))
    }

    /// Each lock with each of its holders.
    pub fn each(&self) -> impl Iterator<Item = (LockId, NodeId, AcqId, Share)> {
        let of = |(i, l)| {
            let l: &Held = l;
            l.holders.iter().map(move |h| (LockId(i as u8), h.worker, h.acq, h.share))
        };
        self.locks.iter().enumerate().flat_map(of)
    }

    /// How many hold it.
    pub fn held(&self, lock: LockId) -> usize {
        self.locks.get(lock.index()).map_or(0, |l| l.holders.len())
    }

    /// Does this worker hold any lock?
    pub fn holds(&self, worker: NodeId) -> bool {
        self.locks.iter().any(|l| l.holders.iter().any(|h| h.worker == worker))
    }

    pub fn begins(&mut self, lock: LockId, worker: NodeId, acq: AcqId, share: Share, (at, seq): (TrueTime, EventSeq)) {
        self.found.reach();
        if lock.index() >= self.locks.len() {
            self.locks.resize_with(lock.index() + 1, Held::default);
        }
        let held = &mut self.locks[lock.index()];
        if held.holders.iter().any(|h| h.acq == acq) {
            return;
        }
        if self.kind == Kind::Belief {
            // A worker has one opinion about a lock: the latest.
            held.holders.retain(|h| h.worker != worker);
        }
        let new = Holder { worker, acq, seq, share };
        held.holders.push(new);
        if held.since.is_none()
            && let Some(other) = held.too_many()
        {
            held.since = Some((at, other, new));
        }
    }

    pub fn ends(&mut self, lock: LockId, acq: AcqId, at: TrueTime) {
        if let Some(held) = self.locks.get_mut(lock.index()) {
            held.holders.retain(|h| h.acq != acq);
            self.settle(lock.index(), at);
        }
    }

    /// The worker lets go of everything.
    pub fn worker_ends(&mut self, worker: NodeId, at: TrueTime) {
        for i in 0..self.locks.len() {
            self.locks[i].holders.retain(|h| h.worker != worker);
            self.settle(i, at);
        }
    }

    pub fn finish(&mut self, at: TrueTime) {
        for i in 0..self.locks.len() {
            self.locks[i].holders.clear();
            self.settle(i, at);
        }
        if let Some(first) = &mut self.found.first {
            // Of all overlaps, whoever takes part.
            first.length = Some(self.total);
            first.holes[4] = Hole::Length(self.total);
            first.holes[5] = Hole::Text(if self.times > 1 { " in all" } else { "" });
        }
    }

    /// Who holds what, and whether two have done so for some time already: that will be a breach whatever comes.
    pub fn digest(&self, now: TrueTime, h: &mut Fingerprint) {
        for held in &self.locks {
            let overlaps = held.since.is_some_and(|(since, ..)| since < now);
            (held.holders.len(), overlaps).hash(h);
            held.holders.iter().for_each(|holder| (holder.worker, holder.acq).hash(h));
        }
    }

    /// Closes an overlap that has ended.
    fn settle(&mut self, lock: usize, at: TrueTime) {
        let held = &mut self.locks[lock];
        if held.since.is_none() || held.too_many().is_some() {
            return;
        }
        let Some((since, one, other)) = held.since.take() else { return };
        if at <= since {
            return;
        }
        self.total += at.since(since);
        self.times += 1;
        // Overlaps end in another order than they began if there are several locks.
        if self.found.first.is_none_or(|f| since < f.at) {
            let lock = LockId(lock as u8);
            let pair = [one.worker.min(other.worker), one.worker.max(other.worker)].map(Hole::Who);
            let (lock, at) = (Hole::Lock(lock), Hole::At(since));
            let (sentence, [a, b, c]) = match self.kind {
                Kind::Belief => ("* and * both believed that they held *, from *, for **.", [pair[0], pair[1], lock]),
                Kind::Grant => {
                    ("The service had granted * to * and * at once, from *, for **.", [lock, pair[0], pair[1]])
                }
            };
            self.found.first = None;
            self.found.breach(since, sentence, &[a, b, c, at], &[one.seq, other.seq]);
        }
    }
}
