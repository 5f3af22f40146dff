//! All checkers at once, as a place where a log can stand: events go in, a report comes out.
//!
//! One `match` on what happened says which fold listens to what; it is the table of contents of this module. The shared folds (ledger,
//! lifelines, clocks) come first, so that every property sees the world as it is *after* the event.
//!
//! A checker can be used again: [`Checker::reset`] forgets the run and keeps the memory. Until [`Checker::finish`] nothing is put into
//! words, so a sweep that asks for a [`Summary`] and for [`Checker::measures`] only does not allocate once it has warmed up.

use super::broken_promise::BrokenPromise;
use super::clocks::Clocks;
use super::duplicate_effect::DuplicateEffect;
use super::foreign::{Foreign, Request};
use super::late_send::LateSend;
use super::ledger::Ledger;
use super::lifelines::{Lifelines, end_of};
use super::lost_update::LostUpdate;
use super::mark_regress::MarkRegress;
use super::measures::Meter;
use super::no_progress::NoProgress;
use super::non_owner_write::NonOwnerWrite;
use super::overlap::Overlaps;
use super::report::{Measures, Property, PropertySet, Report, Standing, Summary, Verdict, WorkerEnd};
use super::split_shards::SplitShards;
use super::stale_write::StaleWrite;
use super::token_regress::TokenRegress;
use super::{belief_overlap, grant_overlap};
use crate::base::{Edge, Fact, LockId, NodeId, Payload, PointKind, Span, Thread, TrueTime, Verb};
use crate::trace::{EndWhy, Ending, EventKind, EventSink, Fate, Names, Roster, TraceEvent};

/// What a checker must be told, because no log says it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub roster: Roster,
    /// There is a lock: properties about owners mean something.
    pub owners_apply: bool,
    /// Who has waited for longer than this at the end of the run was not served.
    pub liveness_bound: Span,
    /// By `LockId`: who serves it. For a lock that is not listed, half of all lock nodes are a quorum.
    pub services: Vec<Service>,
    /// By `NodeId`: what the wall clock is ahead of the monotonic one at the start; 0 for those not listed.
    pub wall_offsets: Vec<Span>,
}

/// Which nodes serve a lock, and how many of them a requester must be able to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Service {
    pub nodes: Vec<NodeId>,
    pub quorum: usize,
}

impl Setup {
    pub fn new(roster: Roster, owners_apply: bool, liveness_bound: Span) -> Setup {
        Setup { roster, owners_apply, liveness_bound, services: Vec::new(), wall_offsets: Vec::new() }
    }
}

/// Folds a run into verdicts and measures.
#[derive(Clone, Debug)]
pub struct Checker {
    setup: Setup,
    /// Workers come first in a roster: their ids are below this.
    workers: usize,
    ending: Option<Ending>,

    ledger: Ledger,
    lifelines: Lifelines,
    clocks: Clocks,

    stale_write: StaleWrite,
    non_owner_write: NonOwnerWrite,
    lost_update: LostUpdate,
    foreign_release: Foreign,
    foreign_renewal: Foreign,
    duplicate_effect: DuplicateEffect,
    broken_promise: BrokenPromise,
    no_progress: NoProgress,
    beliefs: Overlaps,
    grants: Overlaps,
    late_send: LateSend,
    token_regress: TokenRegress,
    mark_regress: MarkRegress,
    split_shards: SplitShards,

    meter: Meter,
    measures: Measures,
}

impl Checker {
    pub fn new(setup: &Setup) -> Checker {
        let nodes = setup.roster.nodes.len();
        let mut checker = Checker {
            workers: setup.roster.workers().map(|w| w.index() + 1).max().unwrap_or(0),
            setup: setup.clone(),
            ending: None,
            ledger: Ledger::default(),
            lifelines: Lifelines::new(nodes),
            clocks: Clocks::new(nodes),
            stale_write: StaleWrite::new(nodes),
            non_owner_write: NonOwnerWrite::default(),
            lost_update: LostUpdate::new(nodes),
            foreign_release: Foreign::default(),
            foreign_renewal: Foreign::default(),
            duplicate_effect: DuplicateEffect::default(),
            broken_promise: BrokenPromise::default(),
            no_progress: NoProgress::default(),
            beliefs: belief_overlap::beliefs(),
            grants: grant_overlap::grants(),
            late_send: LateSend::default(),
            token_regress: TokenRegress::default(),
            mark_regress: MarkRegress::new(nodes),
            split_shards: SplitShards::default(),
            meter: Meter::new(nodes),
            measures: Measures::default(),
        };
        checker.clocks.reset(&setup.wall_offsets);
        checker
    }

    /// Forgets the run and keeps the memory, for the next run of the same setup.
    pub fn reset(&mut self) {
        self.ending = None;
        self.ledger.reset();
        self.lifelines.reset();
        self.clocks.reset(&self.setup.wall_offsets);
        self.stale_write.reset();
        self.non_owner_write.reset();
        self.lost_update.reset();
        self.foreign_release.reset();
        self.foreign_renewal.reset();
        self.duplicate_effect.reset();
        self.broken_promise.reset();
        self.no_progress.reset();
        self.beliefs.reset();
        self.grants.reset();
        self.late_send.reset();
        self.token_regress.reset();
        self.mark_regress.reset();
        self.split_shards.reset();
        self.meter.reset();
    }

    /// The run is over: verdicts in words, with measures.
    pub fn finish(&mut self, ending: Ending) -> Report {
        let summary = self.close(ending);
        let words = self.ledger.words(Names::new(&self.setup.roster));
        let verdicts = Property::ALL.into_iter().map(|p| (p, self.verdict(p, &words))).collect();
        Report { verdicts, measures: self.measures.clone(), held: summary.held }
    }

    /// The run is over: verdicts without words. [`Checker::measures`] is valid from here on.
    ///
    /// A run that went quiet before its horizon would have stayed as it was up to there, and is measured and judged there.
    pub fn close(&mut self, ending: Ending) -> Summary {
        let ending = match ending.why {
            EndWhy::Quiet => Ending { at: ending.at.max(self.setup.roster.horizon), ..ending },
            EndWhy::Horizon | EndWhy::Events => ending,
        };
        if self.ending.is_none() {
            self.ending = Some(ending);
            self.beliefs.finish(ending.at);
            self.grants.finish(ending.at);
            self.no_progress.finish(ending, &self.lifelines, &self.setup);
            self.meter.finish(ending);
            self.meter.write(&mut self.measures, ending, &self.lifelines, &self.beliefs, self.workers);
            if !self.setup.owners_apply {
                self.measures.belief_overlap = Span::ZERO;
            }
        }
        let with = |s| Property::ALL.into_iter().filter(|p| self.standing(*p) == s).collect::<PropertySet>();
        let violated = with(Standing::Violated);
        let reached = violated.or(with(Standing::Holds));
        Summary { violated, reached, held: self.ledger.any_grant() || !self.setup.owners_apply }
    }

    /// What the run cost. Valid after [`Checker::close`] or [`Checker::finish`].
    pub fn measures(&self) -> &Measures {
        &self.measures
    }

    fn applies(&self, p: Property) -> bool {
        self.setup.owners_apply || !p.about_owners()
    }

    fn standing(&self, p: Property) -> Standing {
        if !self.applies(p) {
            return Standing::NotReached;
        }
        match p {
            Property::StaleWrite => self.stale_write.found.standing(),
            Property::NonOwnerWrite => self.non_owner_write.found.standing(),
            Property::LostUpdate => self.lost_update.found.standing(),
            Property::ForeignRelease => self.foreign_release.found.standing(),
            Property::ForeignRenewal => self.foreign_renewal.found.standing(),
            Property::DuplicateEffect => self.duplicate_effect.found.standing(),
            Property::BrokenPromise => self.broken_promise.found.standing(),
            Property::NoProgress => self.no_progress.found.standing(),
            Property::BeliefOverlap => self.beliefs.found.standing(),
            Property::GrantOverlap => self.grants.found.standing(),
            Property::LateSend => self.late_send.found.standing(),
            Property::TokenRegress => self.token_regress.found.standing(),
            Property::MarkRegress => self.mark_regress.found.standing(),
            Property::SplitShards => self.split_shards.found.standing(),
        }
    }

    fn verdict(&self, p: Property, words: &super::words::Words) -> Verdict {
        if !self.applies(p) {
            return Verdict::NotReached;
        }
        match p {
            Property::StaleWrite => self.stale_write.found.verdict(p, words),
            Property::NonOwnerWrite => self.non_owner_write.found.verdict(p, words),
            Property::LostUpdate => self.lost_update.found.verdict(p, words),
            Property::ForeignRelease => self.foreign_release.found.verdict(p, words),
            Property::ForeignRenewal => self.foreign_renewal.found.verdict(p, words),
            Property::DuplicateEffect => self.duplicate_effect.found.verdict(p, words),
            Property::BrokenPromise => self.broken_promise.found.verdict(p, words),
            Property::NoProgress => self.no_progress.found.verdict(p, words),
            Property::BeliefOverlap => self.beliefs.found.verdict(p, words),
            Property::GrantOverlap => self.grants.found.verdict(p, words),
            Property::LateSend => self.late_send.found.verdict(p, words),
            Property::TokenRegress => self.token_regress.found.verdict(p, words),
            Property::MarkRegress => self.mark_regress.found.verdict(p, words),
            Property::SplitShards => self.split_shards.found.verdict(p, words),
        }
    }
}

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
            Payload::Acquire { lock, .. } | Payload::Set { lock, .. } => {
                self.no_progress.asked();
                if self.lifelines.asks(e.node, lock, e.at, e.seq) {
                    self.look(e.at, lock);
                }
            }
            Payload::Write(w) => {
                self.late_send.sent(e, w.acq, false, &self.ledger, &self.clocks);
                self.meter.work.sends(e.node, to, w.op);
            }
            Payload::Call { acq, op } => {
                self.late_send.sent(e, acq, true, &self.ledger, &self.clocks);
                self.meter.work.sends(e.node, to, op);
            }
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
                self.grants.begins(g.lock, g.worker, g.acq, e.at, e.seq);
            }
            Fact::Extended { lock, acq, by, worker, ttl, margin, asked, .. } => {
                self.foreign_renewal.changed(e, Request::Renewal, *acq, *by, &self.ledger);
                if acq == by
                    && let Some(id) = self.ledger.extended(e, *acq, *asked, *ttl, *margin)
                {
                    self.broken_promise.extended(id);
                    // An extension may have brought the record back.
                    self.grants.begins(*lock, *worker, *acq, e.at, e.seq);
                }
            }
            Fact::NotExtended { .. } => self.foreign_renewal.missed(),
            Fact::Released { lock, acq, by } => {
                if let Some(by) = by {
                    self.foreign_release.changed(e, Request::Release, *acq, *by, &self.ledger);
                    self.ledger.given_back(*by);
                }
                self.grants.ends(*lock, *acq, e.at);
            }
            Fact::NotHeld { by, .. } => {
                self.foreign_release.missed();
                self.ledger.given_back(*by);
            }
            Fact::Expired { lock, acq } | Fact::Forgotten { lock, acq } => self.grants.ends(*lock, *acq, e.at),

            // --- at a worker
            Fact::Passed { point: PointKind::Step(edge, verb), .. } => self.step(e, *edge, *verb),
            Fact::Passed { .. } => {}
            Fact::Believed { lock, acq, until, clock, .. } => {
                self.ledger.believed(e, *lock, *acq, *until, *clock);
                self.beliefs.begins(*lock, e.node, *acq, e.at, e.seq);
                self.lifelines.served(e.node, e.at);
                self.meter.holds(e.node, true, e.at);
                self.look(e.at, *lock);
            }
            Fact::TryFailed { .. } => self.lifelines.fails(e.node, e.at),
            Fact::Reckoned { acq, until, .. } => self.ledger.reckoned(*acq, *until),
            Fact::BeliefEnded { lock, acq, .. } => {
                self.beliefs.ends(*lock, *acq, e.at);
                self.meter.holds(e.node, self.beliefs.holds(e.node), e.at);
                self.look(e.at, *lock);
            }
            Fact::Stopped { why } => self.ends(e, end_of(*why)),
            Fact::Finished => self.ends(e, WorkerEnd::Done),

            // --- at a resource
            Fact::ReadServed { worker, .. } => self.meter.work.reads(*worker),
            Fact::Applied(effect) => {
                self.stale_write.applied(e, effect, &self.ledger);
                self.non_owner_write.applied(e, effect, &self.ledger);
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
            Fact::Rejected { worker, op, .. } => self.meter.work.rejected(e.node, *worker, *op),
            Fact::Activated { acq, .. } => self.split_shards.activated(e, *acq, &self.ledger),
            Fact::MarkMoved { from, to } => self.mark_regress.moved(e, *from, *to),

            // Nothing that a property or a measure is about.
            Fact::Refused { .. }
            | Fact::CounterLost { .. }
            | Fact::Checked { .. }
            | Fact::TimedOut { .. }
            | Fact::Ignored { .. }
            | Fact::CheckPassed { .. }
            | Fact::ActivationRejected { .. } => {}
        }
    }

    fn step(&mut self, e: &TraceEvent, edge: Edge, verb: Verb) {
        match (edge, verb) {
            (Edge::Before, Verb::Acquire) => {
                self.no_progress.asked();
                self.lifelines.waits(e.node, e.at, e.seq);
            }
            (Edge::After, Verb::Acquire) => {
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
