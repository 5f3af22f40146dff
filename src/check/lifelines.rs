//! Who is up, who waits, who can reach whom: the state of every node, folded once for progress and for the measures.
//!
//! A worker *waits* from the beginning of an acquire step to its end, however many tries that takes; a log without steps (an imported
//! one) counts from the first request to the belief. It has *ended* when it finished, stopped or crashed for good; a restart makes
//! it go on.

use super::report::WorkerEnd;
use crate::base::fact::StopWhy;
use crate::base::{LockId, NodeId, Span, Thread, TrueTime};
use crate::trace::EventSeq;

/// One node.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lifeline {
    started: bool,
    /// Since when it has been waiting for a lock, and the event.
    pub waiting: Option<(TrueTime, EventSeq)>,
    /// Which lock it asked for last, if it has asked since the wait began.
    pub wants: Option<LockId>,
    /// When its last try failed.
    failed: TrueTime,
    /// All its waits that are over, summed.
    waited: Span,
    /// Pauses in force: of the whole node, of its main thread, of its renewer.
    paused: [bool; 3],
    /// Finished, stopped, or down.
    pub ended: Option<WorkerEnd>,
}

impl Lifeline {
    /// The main thread stands still.
    #[inline]
    pub fn is_paused(&self) -> bool {
        self.paused[0] || self.paused[1]
    }

    /// How it ended, or what it was at when the run did.
    pub fn end(&self) -> WorkerEnd {
        match self.ended {
            Some(end) => end,
            None if !self.started => WorkerEnd::NotStarted,
            None if self.waiting.is_some() => WorkerEnd::Waiting,
            None => WorkerEnd::Busy,
        }
    }

    /// Time spent waiting up to `now`.
    pub fn wait_until(&self, now: TrueTime) -> Span {
        self.waiting.map_or(self.waited, |(since, _)| self.waited + now.since(since))
    }
}

/// All nodes, and the cuts between them.
#[derive(Clone, Default, Debug)]
pub struct Lifelines {
    nodes: Vec<Lifeline>,
    /// `cut[a * n + b]`: messages from a to b are lost.
    cut: Vec<bool>,
}

impl Lifelines {
    pub fn new(nodes: usize) -> Lifelines {
        Lifelines { nodes: vec![Lifeline::default(); nodes], cut: vec![false; nodes * nodes] }
    }

    pub fn reset(&mut self) {
        self.nodes.fill(Lifeline::default());
        self.cut.fill(false);
    }

    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Lifeline)> {
        self.nodes.iter().enumerate().map(|(i, l)| (NodeId(i as u16), l))
    }

    #[inline]
    pub fn get(&self, id: NodeId) -> Option<&Lifeline> {
        self.nodes.get(id.index())
    }

    /// Messages arrive, and so do the answers: no cut in either direction, and `to` is up.
    pub fn reaches(&self, from: NodeId, to: NodeId) -> bool {
        let cut = |a: NodeId, b: NodeId| self.cut.get(a.index() * self.nodes.len() + b.index()) == Some(&true);
        !cut(from, to) && !cut(to, from) && self.get(to).is_some_and(|l| l.ended != Some(WorkerEnd::Crashed))
    }

    // ------------------------------------------------------------- the fold

    /// An acquire step begins.
    pub fn waits(&mut self, id: NodeId, at: TrueTime, seq: EventSeq) {
        self.moves_on(id);
        if let Some(l) = self.nodes.get_mut(id.index()) {
            l.waiting = Some((at, seq));
        }
    }

    /// A step begins. If the worker was still waiting, it had given up after its last try.
    pub fn moves_on(&mut self, id: NodeId) {
        if let Some(l) = self.nodes.get_mut(id.index()) {
            l.started = true;
            if let Some((since, _)) = l.waiting {
                let until = l.failed.max(since);
                self.served(id, until);
            }
        }
    }

    /// A try ended without the lock.
    pub fn fails(&mut self, id: NodeId, at: TrueTime) {
        if let Some(l) = self.nodes.get_mut(id.index()) {
            l.failed = at;
        }
    }

    /// A request for the lock left the node. Returns whether that is news.
    pub fn asks(&mut self, id: NodeId, lock: LockId, at: TrueTime, seq: EventSeq) -> bool {
        let Some(l) = self.nodes.get_mut(id.index()) else { return false };
        if l.ended.is_some() || l.wants == Some(lock) {
            return false;
        }
        l.started = true;
        l.waiting.get_or_insert((at, seq));
        l.wants = Some(lock);
        true
    }

    /// The wait is over, one way or another.
    pub fn served(&mut self, id: NodeId, at: TrueTime) {
        if let Some(l) = self.nodes.get_mut(id.index()) {
            l.wants = None;
            if let Some((since, _)) = l.waiting.take() {
                l.waited += at.since(since);
            }
        }
    }

    pub fn ends(&mut self, id: NodeId, at: TrueTime, end: WorkerEnd) {
        self.served(id, at);
        if let Some(l) = self.nodes.get_mut(id.index()) {
            l.started = true;
            // What was done stays done: a crash of a finished worker ends nothing.
            l.ended.get_or_insert(end);
        }
    }

    pub fn restarts(&mut self, id: NodeId) {
        if let Some(l) = self.nodes.get_mut(id.index())
            && l.ended == Some(WorkerEnd::Crashed)
        {
            l.ended = None;
        }
    }

    pub fn pauses(&mut self, id: NodeId, thread: Option<Thread>, paused: bool) {
        if let Some(l) = self.nodes.get_mut(id.index()) {
            l.paused[thread.map_or(0, |t| t.index() + 1)] = paused;
        }
    }

    /// What `from` sends to `to` is lost from here on, or arrives again.
    pub fn cuts(&mut self, from: NodeId, to: NodeId, cut: bool) {
        let n = self.nodes.len();
        if from.index() < n && to.index() < n {
            self.cut[from.index() * n + to.index()] = cut;
        }
    }
}

/// How a worker that stopped ended.
pub fn end_of(why: StopWhy) -> WorkerEnd {
    match why {
        StopWhy::GaveUp => WorkerEnd::GaveUp,
        StopWhy::Deadline | StopWhy::LostLease | StopWhy::Rejected | StopWhy::Failed | StopWhy::Ended => {
            WorkerEnd::Stopped
        }
    }
}
