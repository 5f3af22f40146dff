//! Which fold listens to what: the table of contents of this module, as code.
//!
//! The shared folds (ledger, lifelines, clocks) come first, so that every property sees the world as it is *after* the event. Both
//! matches are exhaustive: a new kind of event or fact does not compile until somebody has said who listens.

use super::checker::Checker;
use super::foreign::Request;
use super::lifelines::end_of;
use super::report::WorkerEnd;
use crate::base::fact::TryEnd;
use crate::base::{Edge, Fact, LockId, NodeId, Payload, PointKind, Thread, TrueTime, Verb};
use crate::trace::{EventKind, EventSink, Fate, TraceEvent};

impl EventSink for Checker {
    #[inline]
    fn on_event(&mut self, e: &TraceEvent) {
        assert!(self.ending.is_none(), "event {} after the end of the run: reset the checker first", e.seq.0);
        match &e.kind {
            EventKind::Sent { to, what, fate, .. } => self.sent(e, *to, &what.payload, *fate),
            EventKind::Did(fact) => self.did(e, fact),
            EventKind::Paused { thread } => {
                if thread.is_none() {
                    self.clocks.suspended(e);
                }
                self.pauses(e, *thread, true);
            }
            EventKind::Resumed { thread, .. } => {
                if thread.is_none() {
                    self.clocks.resumed(e);
                }
                self.pauses(e, *thread, false);
            }
            EventKind::Crashed { thread: None | Some(Thread::Main) } => self.ends(e, WorkerEnd::Crashed),
            EventKind::Restarted => self.lifelines.restarts(e.node),
            EventKind::ClockStepped { by } => self.clocks.stepped(e.node, *by),
            EventKind::CutFrom { peer } => self.lifelines.cuts(e.node, *peer, true),
            EventKind::Healed { peer } => self.lifelines.cuts(e.node, *peer, false),
            // A renewer's end shows in what is no longer renewed. Arrivals show in what they cause. A rate shows in readings.
            EventKind::Crashed { thread: Some(Thread::Renewer) }
            | EventKind::Promoted
            | EventKind::Disconnected
            | EventKind::Arrived { .. }
            | EventKind::Lost { .. }
            | EventKind::ClockRateSet { .. } => {}
        }
    }
}

/// Who listens to what.
impl Checker {
    #[inline]
    fn sent(&mut self, e: &TraceEvent, to: NodeId, what: &Payload, fate: Fate) {
        self.meter.messages += 1;
        // A copy was not sent by anybody, and lock nodes among themselves (primary and replica) do not ask for a lock.
        if matches!(fate, Fate::Copy { .. }) || e.node.index() >= self.workers {
            return;
        }
        match *what {
            Payload::Acquire { lock, .. }
            | Payload::Set { lock, .. }
            | Payload::Enqueue { lock, .. }
            | Payload::Enter { lock, .. }
            | Payload::Inspect { lock, acq: Some(_) } => {
                self.no_progress.asked();
                if self.lifelines.asks(e.node, lock, e.at, e.seq) {
                    self.look(e.at, lock);
                }
            }
            Payload::Write(w) | Payload::Stage(w) => {
                self.late_send.sent(e, w.acq, false, &self.ledger, &self.clocks);
                self.meter.work.sends(e.node, to, w.op);
            }
            Payload::Call { acq, op } | Payload::LongCall { acq, op, .. } => {
                self.late_send.sent(e, acq, true, &self.ledger, &self.clocks);
                self.meter.work.sends(e.node, to, op);
            }
            Payload::Issue { acq, .. } => self.late_send.sent(e, acq, true, &self.ledger, &self.clocks),
            // Only now does what was written count.
            Payload::Commit { acq, .. } => self.late_send.sent(e, acq, false, &self.ledger, &self.clocks),
            _ => {}
        }
    }

    #[inline]
    fn did(&mut self, e: &TraceEvent, fact: &Fact) {
        match fact {
            // --- at a lock service
            Fact::Granted(g) => {
                if let Some(id) = self.ledger.granted(e, g) {
                    self.broken_promise.granted(e, id, &self.ledger);
                    self.token_regress.granted(e, id, &self.ledger);
                    self.meter.granted(id, e.at, &self.ledger);
                }
                self.grants.begins(g.lock, g.worker, g.acq, g.share, (e.at, e.seq));
            }
            Fact::Extended { lock, acq, by, worker, ttl, margin, asked, .. } => {
                self.foreign_renewal.changed(e, Request::Renewal, *acq, *by, &self.ledger);
                if acq == by
                    && let Some(id) = self.ledger.extended(e, *acq, *asked, *ttl, *margin)
                {
                    self.broken_promise.extended(id);
                    // An extension may have brought the record back.
                    let share = self.ledger.share_of(*acq);
                    self.grants.begins(*lock, *worker, *acq, share, (e.at, e.seq));
                }
            }
            // Its owner is in once more: to the promise that is an extension.
            Fact::Reentered { acq, ttl, margin, asked, .. } => {
                if let Some(id) = self.ledger.extended(e, *acq, *asked, *ttl, *margin) {
                    self.broken_promise.extended(id);
                }
            }
            Fact::CountedDown { acq, by, .. } => {
                self.foreign_release.changed(e, Request::Release, *acq, *by, &self.ledger);
            }
            Fact::NotExtended { .. } => self.foreign_renewal.missed(),
            Fact::Released { lock, acq, by } => {
                if let Some(by) = by {
                    self.foreign_release.changed(e, Request::Release, *acq, *by, &self.ledger);
                    self.ledger.given_back(*by);
                }
                self.grants.ends(*lock, *acq, e.at);
            }
            Fact::Closed { lock, acq } => {
                // It was promised for as long as the connection lasts.
                self.ledger.given_back(*acq);
                self.grants.ends(*lock, *acq, e.at);
            }
            Fact::NotHeld { by, .. } => {
                self.foreign_release.missed();
                self.ledger.given_back(*by);
            }
            // A vote is not a grant; what it comes to is told as one.
            Fact::Voted(_) | Fact::VoteEnded { .. } => {}
            Fact::Expired { lock, acq } | Fact::Forgotten { lock, acq } | Fact::TakenOver { lock, acq, .. } => {
                self.grants.ends(*lock, *acq, e.at)
            }

            // --- at a worker
            Fact::Passed { point: PointKind::Step(edge, verb), .. } => self.step(e, *edge, *verb),
            Fact::Passed { .. } => {}
            Fact::Believed { lock, acq, until, clock, .. } => {
                self.false_acquire.believed(e, *lock, *acq, &self.grants, &self.ledger);
                self.ledger.believed(e, *lock, *acq, *until, *clock);
                let share = self.ledger.share_of(*acq);
                self.beliefs.begins(*lock, e.node, *acq, share, (e.at, e.seq));
                self.lifelines.served(e.node, e.at);
                self.meter.holds(e.node, true, e.at);
                self.look(e.at, *lock);
            }
            Fact::TryFailed { why: TryEnd::GaveUp | TryEnd::Cancelled, .. } => {
                self.lifelines.served(e.node, e.at);
                self.look_all(e.at);
            }
            Fact::TryFailed { .. } => self.lifelines.fails(e.node, e.at),
            Fact::Reckoned { acq, until, .. } => self.ledger.reckoned(*acq, *until),
            Fact::BeliefEnded { lock, acq, .. } => {
                self.beliefs.ends(*lock, *acq, e.at);
                self.ledger.doubted(*acq, e.at);
                self.meter.holds(e.node, self.beliefs.holds(e.node), e.at);
                self.look(e.at, *lock);
            }
            Fact::Stopped { why } => self.ends(e, end_of(*why)),
            Fact::Finished => self.ends(e, WorkerEnd::Done),

            // --- at a resource
            Fact::ReadServed { worker, .. } => self.meter.work.reads(*worker),
            Fact::Applied(effect) => {
                self.stale_write.applied(e, effect, &self.ledger);
                self.non_owner_write.applied(e, effect, &self.ledger, &self.grants);
                self.lost_update.applied(e, effect);
                self.duplicate_effect.took_effect(e, effect.worker, effect.op);
                self.split_shards.applied(e, effect, &self.ledger);
                self.meter.updates += 1;
                self.meter.last_writer = Some(effect.worker);
                self.meter.work.applied(e.node, effect);
            }
            Fact::Called { worker, op, .. } => {
                self.duplicate_effect.took_effect(e, *worker, *op);
                self.meter.work.accepted(e.node, *worker, *op);
            }
            Fact::Replayed { worker, op, .. } => {
                self.meter.work.accepted(e.node, *worker, *op);
            }
            Fact::Rejected { worker, op, .. } | Fact::RolledBack { worker, op, .. } => {
                self.meter.work.rejected(e.node, *worker, *op)
            }
            Fact::Activated { acq, .. } => self.split_shards.activated(e, *acq, &self.ledger),
            Fact::Issued { worker, number, .. } => self.issue_regress.issued(e, *worker, *number),
            Fact::MarkMoved { from, to } => self.mark_regress.moved(e, *from, *to),

            // Nothing that a property or a measure is about.
            Fact::Refused { .. }
            | Fact::CounterLost { .. }
            | Fact::Checked { .. }
            | Fact::TimedOut { .. }
            | Fact::Ignored { .. }
            | Fact::CheckPassed { .. }
            | Fact::Queued { .. }
            | Fact::Kept { .. }
            | Fact::Unqueued { .. }
            | Fact::Suspended
            | Fact::Reconnected
            | Fact::Staged { .. }
            | Fact::IssueRejected { .. }
            | Fact::ActivationRejected { .. }
            | Fact::ReadRejected { .. } => {}
        }
    }

    fn step(&mut self, e: &TraceEvent, edge: Edge, verb: Verb) {
        match (edge, verb) {
            (Edge::Before, Verb::Acquire | Verb::Upgrade) => {
                self.no_progress.asked();
                self.lifelines.waits(e.node, e.at, e.seq);
            }
            (Edge::After, Verb::Acquire | Verb::Upgrade) => {
                self.lifelines.served(e.node, e.at);
                self.look_all(e.at);
            }
            (Edge::Before, Verb::Work) => {
                self.moves_on(e);
                self.meter.work.begins(e.node, e.at);
            }
            (Edge::After, Verb::Work) => self.meter.work.ends(e.node, e.at),
            (Edge::Before, _) => self.moves_on(e),
            (Edge::After, _) => {}
        }
    }

    fn moves_on(&mut self, e: &TraceEvent) {
        let waited = self.lifelines.get(e.node).is_some_and(|l| l.waiting.is_some());
        self.lifelines.moves_on(e.node);
        if waited {
            self.look_all(e.at);
        }
    }

    fn pauses(&mut self, e: &TraceEvent, thread: Option<Thread>, paused: bool) {
        self.lifelines.pauses(e.node, thread, paused);
        let stands = self.lifelines.get(e.node).is_some_and(|l| l.is_paused());
        self.meter.work.pauses(e.node, stands, e.at);
        self.look_all(e.at);
    }

    /// The worker (or node) finished, stopped or crashed.
    fn ends(&mut self, e: &TraceEvent, end: WorkerEnd) {
        self.lifelines.ends(e.node, e.at, end);
        self.beliefs.worker_ends(e.node, e.at);
        self.ledger.worker_ends(e.node, e.at);
        self.meter.holds(e.node, false, e.at);
        if end != WorkerEnd::Done {
            self.meter.work.breaks_off(e.node, e.at);
        }
        self.meter.ends(e.node, e.at, &self.ledger, &self.grants);
        self.look_all(e.at);
    }

    fn look(&mut self, at: TrueTime, lock: LockId) {
        self.meter.look(at, lock, &self.lifelines, &self.beliefs);
    }

    fn look_all(&mut self, at: TrueTime) {
        self.meter.look_all(at, &self.lifelines, &self.beliefs);
    }
}
