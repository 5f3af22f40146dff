//! What a run cost, by fold: see [`Measures`] for what each number means.
//!
//! - **belief overlap**: the length of [`super::belief_overlap`], summed over locks.
//! - **wait**: from the beginning of each acquire step to its end, summed; see [`super::lifelines`].
//! - **held**: time during which the worker believed that it held some lock.
//! - **recovery**: a holder that crashed, stopped or finished without a release leaves an orphan if its record is still in force; from
//!   then to the next grant of that lock. A release of its own that was still on its way clears the orphan. The longest of these; none
//!   if nobody was granted afterwards.
//! - **blocked**: for each lock, the time during which somebody wanted it while no worker that stood on its feet believed in it. A
//!   paused believer does not use the lock.
//! - **work twice, work wasted, updates lost**: see [`super::work`].

use super::ledger::{GrantId, Ledger};
use super::lifelines::Lifelines;
use super::overlap::Overlaps;
use super::report::{Measures, WorkerMeasures};
use super::work::Work;
use crate::base::{LockId, NodeId, Span, TrueTime};
use crate::trace::Ending;

#[derive(Clone, Default, Debug)]
pub struct Meter {
    pub messages: u32,
    pub updates: u32,
    pub last_writer: Option<NodeId>,
    pub work: Work,
    recovery: Option<Span>,
    /// Grants whose owner ended without giving them back.
    orphans: Vec<(GrantId, TrueTime)>,
    blocked: Span,
    /// By lock: since when somebody waits for it in vain.
    blocked_since: Vec<Option<TrueTime>>,
    /// By node.
    held: Vec<(Span, Option<TrueTime>)>,
}

impl Meter {
    pub fn new(nodes: usize) -> Meter {
        Meter { work: Work::new(nodes), held: vec![(Span::ZERO, None); nodes], ..Meter::default() }
    }

    pub fn reset(&mut self) {
        (self.messages, self.updates, self.last_writer) = (0, 0, None);
        (self.recovery, self.blocked) = (None, Span::ZERO);
        self.work.reset();
        self.orphans.clear();
        self.blocked_since.fill(None);
        self.held.fill((Span::ZERO, None));
    }

    /// Looks again who waits and who uses, after something of that changed.
    pub fn look(&mut self, at: TrueTime, lock: LockId, lifelines: &Lifelines, beliefs: &Overlaps) {
        let wanted = lifelines.iter().any(|(_, l)| l.wants == Some(lock));
        let used = || beliefs.holders(lock).any(|w| lifelines.get(w).is_some_and(|l| !l.is_paused()));
        let blocked = wanted && !used();
        if lock.index() >= self.blocked_since.len() {
            if !blocked {
                return;
            }
            self.blocked_since.resize(lock.index() + 1, None);
        }
        let since = &mut self.blocked_since[lock.index()];
        match *since {
            None if blocked => *since = Some(at),
            Some(from) if !blocked => {
                self.blocked += at.since(from);
                *since = None;
            }
            _ => {}
        }
    }

    /// As [`Meter::look`], for all locks that anybody has wanted: a worker changed that may want or use several.
    pub fn look_all(&mut self, at: TrueTime, lifelines: &Lifelines, beliefs: &Overlaps) {
        for i in 0..self.blocked_since.len().max(1) {
            self.look(at, LockId(i as u8), lifelines, beliefs);
        }
    }

    /// The worker began or ended a belief.
    pub fn holds(&mut self, worker: NodeId, holds: bool, at: TrueTime) {
        let Some((sum, since)) = self.held.get_mut(worker.index()) else { return };
        match (*since, holds) {
            (None, true) => *since = Some(at),
            (Some(from), false) => {
                *sum += at.since(from);
                *since = None;
            }
            _ => {}
        }
    }

    /// The worker came to its end: what it holds is an orphan.
    pub fn ends(&mut self, worker: NodeId, at: TrueTime, ledger: &Ledger, grants: &Overlaps) {
        for id in ledger.latest_grants() {
            let g = ledger.grant(id);
            let in_force = g.worker == worker && grants.has(g.lock, g.acq);
            if in_force && !g.given_back && self.orphans.iter().all(|(o, _)| *o != id) {
                self.orphans.push((id, at));
            }
        }
    }

    pub fn granted(&mut self, id: GrantId, at: TrueTime, ledger: &Ledger) {
        let lock = ledger.grant(id).lock;
        let recovery = &mut self.recovery;
        self.orphans.retain(|(orphan, since)| {
            let g = ledger.grant(*orphan);
            if g.lock == lock && !g.given_back {
                *recovery = (*recovery).max(Some(at.since(*since)));
            }
            g.lock != lock
        });
    }

    pub fn finish(&mut self, ending: Ending) {
        for since in &mut self.blocked_since {
            if let Some(from) = since.take() {
                self.blocked += ending.at.since(from);
            }
        }
        for (sum, since) in &mut self.held {
            if let Some(from) = since.take() {
                *sum += ending.at.since(from);
            }
        }
        self.work.finish();
    }

    /// Writes the numbers down, reusing the memory of `out`. Valid after [`Meter::finish`].
    pub fn write(&self, out: &mut Measures, ending: Ending, lifelines: &Lifelines, beliefs: &Overlaps, workers: usize) {
        out.belief_overlap = beliefs.total();
        out.messages = self.messages;
        out.recovery = self.recovery;
        out.blocked = self.blocked;
        out.work_twice = self.work.twice;
        out.work_wasted = self.work.wasted;
        out.updates = self.updates;
        out.updates_lost = self.work.lost;
        out.last_writer = self.last_writer;
        out.workers.clear();
        out.workers.extend(lifelines.iter().take(workers).map(|(id, life)| WorkerMeasures {
            wait: life.wait_until(ending.at),
            held: self.held.get(id.index()).map_or(Span::ZERO, |h| h.0),
            end: life.end(),
        }));
    }
}
