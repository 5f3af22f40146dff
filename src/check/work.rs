//! Work: what was done for nothing, and what was done twice.
//!
//! A worker works between the two edges of a `work` step, pauses of its main thread left out. What it has worked since its last protected
//! request rides on the next one: when a write or a call is *sent*, the work so far is what that effect costs. Then
//!
//! - refused by the resource, or never accepted by the end of the run → **wasted**;
//! - accepted, and later overwritten by a mutation computed from an older version → **twice**: it must be done again;
//! - accepted (or answered from memory) although another worker had done the same operation → **twice**;
//! - a worker that stops or crashes with work it has not sent: **wasted**, if it has ever read or sent at a resource. A worker that only
//!   holds a lock and works (a leader) has no effect that could be wasted.
//!
//! A request repeated by its own sender costs nothing more: no work was done between.

use crate::base::fact::Effect;
use crate::base::{NodeId, OpKey, Span, TrueTime};

#[derive(Clone, Default, Debug)]
pub struct Work {
    pub twice: Span,
    pub wasted: Span,
    pub lost: u32,
    workers: Vec<Hand>,
    jobs: Vec<Job>,
    /// By shard: accepted mutations, in order.
    shards: Vec<Vec<Mutation>>,
}

/// What one worker has in hand.
#[derive(Clone, Copy, Default, Debug)]
struct Hand {
    /// Since when it has been working without a pause.
    since: Option<TrueTime>,
    /// In a work step, perhaps paused.
    working: bool,
    paused: bool,
    /// Worked and not sent yet.
    done: Span,
    /// Has read or sent at a resource.
    protected: bool,
}

/// One operation of one worker at one node.
#[derive(Clone, Copy, Debug)]
struct Job {
    worker: NodeId,
    at: NodeId,
    op: OpKey,
    work: Span,
    decided: bool,
    accepted: bool,
}

#[derive(Clone, Copy, Debug)]
struct Mutation {
    after: u64,
    op: OpKey,
    job: Option<u32>,
    lost: bool,
}

impl Work {
    pub fn new(nodes: usize) -> Work {
        Work { workers: vec![Hand::default(); nodes], shards: vec![Vec::new(); nodes], ..Work::default() }
    }

    pub fn reset(&mut self) {
        (self.twice, self.wasted, self.lost) = (Span::ZERO, Span::ZERO, 0);
        self.workers.fill(Hand::default());
        self.jobs.clear();
        self.shards.iter_mut().for_each(Vec::clear);
    }

    pub fn begins(&mut self, worker: NodeId, at: TrueTime) {
        if let Some(h) = self.workers.get_mut(worker.index()) {
            h.working = true;
            h.since = if h.paused { None } else { Some(at) };
        }
    }

    pub fn ends(&mut self, worker: NodeId, at: TrueTime) {
        if let Some(h) = self.workers.get_mut(worker.index()) {
            h.bank(at);
            h.working = false;
        }
    }

    /// The main thread came to stand still, or goes on.
    pub fn pauses(&mut self, worker: NodeId, paused: bool, at: TrueTime) {
        if let Some(h) = self.workers.get_mut(worker.index()) {
            h.bank(at);
            h.paused = paused;
            h.since = if h.working && !paused { Some(at) } else { None };
        }
    }

    pub fn reads(&mut self, worker: NodeId) {
        if let Some(h) = self.workers.get_mut(worker.index()) {
            h.protected = true;
        }
    }

    pub fn sends(&mut self, worker: NodeId, to: NodeId, op: OpKey) {
        let Some(h) = self.workers.get_mut(worker.index()) else { return };
        h.protected = true;
        let work = std::mem::take(&mut h.done);
        match self.find(worker, to, op) {
            Some(i) => {
                let job = &mut self.jobs[i as usize];
                job.work += work;
                job.decided &= work == Span::ZERO;
            }
            None => self.jobs.push(Job { worker, at: to, op, work, decided: false, accepted: false }),
        }
    }

    pub fn applied(&mut self, node: NodeId, effect: &Effect) {
        let job = self.accepted(node, effect.worker, effect.op);
        let Some(shard) = self.shards.get_mut(node.index()) else { return };
        if let Some(base) = effect.base {
            for m in shard.iter_mut().rev().take_while(|m| m.after > base) {
                if !m.lost {
                    m.lost = true;
                    self.lost += 1;
                    // Overwritten by itself, nothing is gone.
                    if m.op != effect.op {
                        self.twice += m.job.map_or(Span::ZERO, |j| self.jobs[j as usize].work);
                    }
                }
            }
        }
        shard.push(Mutation { after: effect.after, op: effect.op, job, lost: false });
    }

    /// The effect was carried out, or the first outcome of the same operation was given again.
    pub fn accepted(&mut self, node: NodeId, worker: NodeId, op: OpKey) -> Option<u32> {
        let others = self.jobs.iter().any(|j| j.at == node && j.op == op && j.worker != worker && j.accepted);
        let i = self.find(worker, node, op)?;
        let job = &mut self.jobs[i as usize];
        if others && !job.accepted {
            self.twice += job.work;
            // Counted: a later loss of this effect costs nothing more.
            job.work = Span::ZERO;
        }
        (job.accepted, job.decided) = (true, true);
        Some(i)
    }

    pub fn rejected(&mut self, node: NodeId, worker: NodeId, op: OpKey) {
        if let Some(i) = self.find(worker, node, op) {
            let job = &mut self.jobs[i as usize];
            if !job.accepted {
                self.wasted += std::mem::take(&mut job.work);
            }
            job.decided = true;
        }
    }

    /// The worker stopped or crashed. A worker that finished has done what it wanted.
    pub fn breaks_off(&mut self, worker: NodeId, at: TrueTime) {
        if let Some(h) = self.workers.get_mut(worker.index()) {
            h.bank(at);
            h.working = false;
            if h.protected {
                self.wasted += h.done;
            }
            h.done = Span::ZERO;
        }
    }

    pub fn finish(&mut self) {
        for job in &self.jobs {
            if !job.decided {
                self.wasted += job.work;
            }
        }
    }

    fn find(&self, worker: NodeId, at: NodeId, op: OpKey) -> Option<u32> {
        self.jobs.iter().rposition(|j| j.worker == worker && j.op == op && j.at == at).map(|i| i as u32)
    }
}

impl Hand {
    fn bank(&mut self, at: TrueTime) {
        if let Some(since) = self.since.take() {
            self.done += at.since(since);
        }
    }
}
