//! What several checkers need to know, folded once: which grants there were, in which order, and who relies on which.
//!
//! The log names *acquisitions* ([`AcqId`]): one try of one worker to get one lock. A **grant** is what a service made of it. [`GrantId`]
//! is the place among all grants of the run, and since the log is in order of true time, comparing two `GrantId`s of one lock
//! compares their grant instants t(g).
//!
//! A **tenure** is what an acquisition means at its worker: the grant its effects count under, and the deadline the worker set itself.
//!
//! An acquisition can be granted again: a straggling copy of its request finds the lock free, or a server comes back with an old
//! record. If its worker has already begun to believe, it goes on acting on what it learned then, so the record has *come back* and
//! no grant was made: old effects do not become young, and nobody who was granted in between is superseded by a ghost. If the worker
//! has not learned of anything yet, the second grant is the one it will act on, and t(g) is its instant.

use super::overlap::Overlaps;
use super::words::Words;
use crate::base::fact::{Grant, Share};
use crate::base::{AcqId, ClockKind, LocalTime, LockId, NodeId, Span, Token, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

/// Place among all grants of the run, from 0, in order of the grant instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GrantId(pub u32);

/// One grant, as the observer sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GrantRecord {
    pub lock: LockId,
    pub acq: AcqId,
    pub worker: NodeId,
    /// 1 for the first acquisition of its lock that was granted; people know a grant by it.
    pub number: u32,
    pub token: Option<Token>,
    /// t(g), and the event.
    pub at: TrueTime,
    pub seq: EventSeq,
    /// e(g): until when the owner may rely on it. `NEVER` without a TTL.
    pub promised: TrueTime,
    /// The event that the present promise rests on: the grant or an extension.
    pub promise: EventSeq,
    /// When the request behind the present promise was sent.
    asked: TrueTime,
    /// Its owner gave it back: nothing is promised any more.
    pub given_back: bool,
    /// Beside whom it may be in force.
    pub share: Share,
}

/// What an acquisition means at its worker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tenure {
    pub acq: AcqId,
    pub worker: NodeId,
    pub lock: LockId,
    /// The grant that its effects count under; `None` if the worker believes without one.
    pub grant: Option<GrantId>,
    /// The last grant made for it.
    latest: Option<GrantId>,
    /// When the worker began to believe.
    pub believed: Option<EventSeq>,
    /// The worker's own deadline, on its clock of this kind.
    pub until: Option<LocalTime>,
    pub clock: ClockKind,
    /// Since when its worker has not believed in it; `NEVER` while it does.
    idle: TrueTime,
}

/// The grants of a run and the tenures built on them.
#[derive(Clone, Default, Debug)]
pub struct Ledger {
    grants: Vec<GrantRecord>,
    /// Sorted by acquisition. Acquisitions that were refused have no entry, so this stays short however often somebody retries.
    tenures: Vec<Tenure>,
    /// By lock: number of acquisitions granted, and the latest grant.
    locks: Vec<(u32, Option<GrantId>)>,
}

impl GrantRecord {
    /// When the request behind the present promise was sent.
    pub fn asked(&self) -> TrueTime {
        self.asked
    }
}

impl Ledger {
    /// Forgets the run, keeps the memory.
    pub fn reset(&mut self) {
        self.grants.clear();
        self.tenures.clear();
        self.locks.clear();
    }

    pub fn grant(&self, id: GrantId) -> &GrantRecord {
        &self.grants[id.0 as usize]
    }

    pub fn any_grant(&self) -> bool {
        !self.grants.is_empty()
    }

    /// The latest grant of a lock so far.
    #[inline]
    pub fn latest(&self, lock: LockId) -> Option<GrantId> {
        self.locks.get(lock.index()).and_then(|l| l.1)
    }

    /// The latest grant of the same lock that was not made to be in force beside this one, if it is later than this one.
    ///
    /// A permit that has ended is not taken over by one grant alone: any of those that were made since may use another.
    pub fn superseded(&self, old: GrantId, in_force: &Overlaps) -> Option<GrantId> {
        let g = self.grant(old);
        let latest = self.latest(g.lock).filter(|l| *l != old)?;
        match g.share {
            Share::Alone => Some(latest),
            Share::Read => {
                let later = self.grants.iter().enumerate().skip(old.0 as usize + 1);
                let writer = later.rev().find(|(_, h)| h.lock == g.lock && h.share == Share::Alone);
                writer.map(|(i, _)| GrantId(i as u32))
            }
            Share::Permit(of) => {
                let others = in_force.held(g.lock);
                (!in_force.has(g.lock, g.acq) && others >= usize::from(of)).then_some(latest)
            }
        }
    }

    /// Beside whom this acquisition was granted to be in force.
    pub fn share_of(&self, acq: AcqId) -> Share {
        self.latest_of(acq).map_or(Share::Alone, |id| self.grant(id).share)
    }

    /// The latest grant of each lock that has one.
    pub fn latest_grants(&self) -> impl Iterator<Item = GrantId> {
        self.locks.iter().filter_map(|l| l.1)
    }

    #[inline]
    pub fn tenure(&self, acq: AcqId) -> Option<&Tenure> {
        self.find(acq).ok().map(|i| &self.tenures[i])
    }

    /// The grant that effects of this acquisition count under.
    #[inline]
    pub fn grant_of(&self, acq: Option<AcqId>) -> Option<GrantId> {
        self.tenure(acq?)?.grant
    }

    /// The last grant made for this acquisition, whether or not its worker knows.
    pub fn latest_of(&self, acq: AcqId) -> Option<GrantId> {
        self.tenure(acq)?.latest
    }

    /// The latest grant of each acquisition.
    pub fn latest_records(&self) -> impl Iterator<Item = (GrantId, &GrantRecord)> {
        self.tenures.iter().filter_map(|t| t.latest.map(|id| (id, self.grant(id))))
    }

    /// Under which grant each acquisition acts, which was its latest, and whether its worker has learned of one.
    pub fn bindings(&self) -> impl Iterator<Item = (AcqId, Option<GrantId>, Option<GrantId>, bool)> {
        self.tenures.iter().map(|t| (t.acq, t.grant, t.latest, t.believed.is_some()))
    }

    /// The deadlines that workers have set themselves.
    pub fn deadlines(&self) -> impl Iterator<Item = (AcqId, Option<LocalTime>, ClockKind)> {
        self.tenures.iter().filter(|t| t.believed.is_some()).map(|t| (t.acq, t.until, t.clock))
    }

    /// For sentences about grants.
    pub fn words<'a>(&'a self, names: crate::trace::Names<'a>) -> Words<'a> {
        Words { names, ledger: self }
    }

    // ------------------------------------------------------------- the fold

    /// A record was stored. `None` if that is no grant of its own, but an earlier one that came back.
    pub fn granted(&mut self, e: &TraceEvent, g: &Grant) -> Option<GrantId> {
        let before = self.tenure(g.acq).and_then(|t| t.latest.map(|id| (id, t.believed)));
        if let Some((_, Some(_))) = before {
            return None;
        }
        let id = GrantId(self.grants.len() as u32);
        let lock = self.lock_entry(g.lock);
        lock.1 = Some(id);
        let number = match before {
            Some((earlier, _)) => {
                let earlier = &mut self.grants[earlier.0 as usize];
                // What was promised to this acquisition is now promised by the second grant.
                earlier.given_back = true;
                earlier.number
            }
            None => {
                let lock = self.lock_entry(g.lock);
                lock.0 += 1;
                lock.0
            }
        };
        self.grants.push(GrantRecord {
            lock: g.lock,
            acq: g.acq,
            worker: g.worker,
            number,
            token: g.token,
            at: e.at,
            seq: e.seq,
            promised: promised_end(g.asked, g.ttl, g.margin),
            promise: e.seq,
            asked: g.asked,
            given_back: false,
            share: g.share,
        });
        let tenure = self.entry(g.acq, g.worker, g.lock);
        tenure.latest = Some(id);
        if tenure.believed.is_none() {
            tenure.idle = e.at;
        }
        // Who believes already built on what it knew then; who believed without any grant has one from now on.
        if tenure.believed.is_none() || tenure.grant.is_none() {
            tenure.grant = Some(id);
        }
        Some(id)
    }

    /// The record of `acq` was extended by a request of its own. Returns the grant whose promise moved.
    ///
    /// An extension that a foreign acquisition asked for was promised to nobody: the record's owner does not know of it, and the
    /// asker has no record. It moves no promise. Of several extensions the last one *sent* counts, since an old one that straggles
    /// in is news to nobody.
    pub fn extended(
        &mut self,
        e: &TraceEvent,
        acq: AcqId,
        asked: TrueTime,
        ttl: Option<Span>,
        margin: Span,
    ) -> Option<GrantId> {
        let id = self.latest_of(acq)?;
        let g = &mut self.grants[id.0 as usize];
        if asked >= g.asked {
            g.asked = asked;
            g.promised = promised_end(asked, ttl, margin);
            g.promise = e.seq;
        }
        Some(id)
    }

    /// A release issued for `acq` reached the service, whether or not it found a record: its owner asks for nothing more.
    pub fn given_back(&mut self, acq: AcqId) {
        if let Some(id) = self.latest_of(acq) {
            self.grants[id.0 as usize].given_back = true;
        }
    }

    pub fn believed(
        &mut self,
        e: &TraceEvent,
        lock: LockId,
        acq: AcqId,
        until: Option<LocalTime>,
        clock: ClockKind,
    ) -> &Tenure {
        let seq = e.seq;
        let tenure = self.entry(acq, e.node, lock);
        tenure.believed = Some(seq);
        tenure.grant = tenure.latest;
        tenure.until = until;
        tenure.clock = clock;
        tenure.idle = TrueTime::NEVER;
        tenure
    }

    /// Its worker uses it no more.
    pub fn doubted(&mut self, acq: AcqId, at: TrueTime) {
        if let Ok(i) = self.find(acq) {
            self.tenures[i].idle = at;
        }
    }

    /// This worker uses nothing any more.
    pub fn worker_ends(&mut self, worker: NodeId, at: TrueTime) {
        for t in self.tenures.iter_mut().filter(|t| t.worker == worker) {
            t.idle = t.idle.min(at);
        }
    }

    /// Each acquisition, and since when nobody uses what it was granted.
    pub fn idle(&self) -> impl Iterator<Item = (AcqId, TrueTime)> {
        self.tenures.iter().map(|t| (t.acq, t.idle))
    }

    /// Since when nobody uses what this acquisition was granted.
    pub fn idle_since(&self, acq: AcqId) -> Option<TrueTime> {
        self.tenure(acq).map(|t| t.idle)
    }

    /// The belief got a new deadline.
    pub fn reckoned(&mut self, acq: AcqId, until: Option<LocalTime>) {
        if let Ok(i) = self.find(acq) {
            self.tenures[i].until = until;
        }
    }

    // ------------------------------------------------------------- lookup

    #[inline]
    fn find(&self, acq: AcqId) -> Result<usize, usize> {
        // Nearly every question is about one of the latest acquisitions.
        for back in 1..=2 {
            if let Some(i) = self.tenures.len().checked_sub(back)
                && self.tenures[i].acq == acq
            {
                return Ok(i);
            }
        }
        self.tenures.binary_search_by_key(&acq, |t| t.acq)
    }

    fn entry(&mut self, acq: AcqId, worker: NodeId, lock: LockId) -> &mut Tenure {
        let i = self.find(acq).unwrap_or_else(|i| {
            let fresh = Tenure {
                acq,
                worker,
                lock,
                grant: None,
                latest: None,
                believed: None,
                until: None,
                clock: ClockKind::Wall,
                idle: TrueTime::ZERO,
            };
            self.tenures.insert(i, fresh);
            i
        });
        &mut self.tenures[i]
    }

    fn lock_entry(&mut self, lock: LockId) -> &mut (u32, Option<GrantId>) {
        let i = lock.index();
        if i >= self.locks.len() {
            self.locks.resize(i + 1, (0, None));
        }
        &mut self.locks[i]
    }
}

/// Until when a lease may be relied on: it cannot be longer than what was asked for, counted from the asking.
fn promised_end(asked: TrueTime, ttl: Option<Span>, margin: Span) -> TrueTime {
    ttl.map_or(TrueTime::NEVER, |ttl| asked + (ttl - margin))
}
