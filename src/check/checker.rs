//! All checkers at once, as a place where a log can stand: events go in, a report comes out.
//!
//! Which fold listens to what stands in [`super::listen`].
//!
//! A checker can be used again: [`Checker::reset`] forgets the run and keeps the memory. Until [`Checker::finish`] nothing is put into
//! words, so a sweep that asks for a [`Summary`] and for [`Checker::measures`] only does not allocate once it has warmed up.

use super::broken_promise::BrokenPromise;
use super::clocks::Clocks;
use super::deadlock::Deadlock;
use super::duplicate_effect::DuplicateEffect;
use super::false_acquire::FalseAcquire;
use super::foreign::Foreign;
use super::found::Found;
use super::issue_regress::IssueRegress;
use super::late_send::LateSend;
use super::leak::Leak;
use super::ledger::Ledger;
use super::lifelines::Lifelines;
use super::lost_update::LostUpdate;
use super::mark_regress::MarkRegress;
use super::measures::Meter;
use super::no_progress::NoProgress;
use super::non_owner_write::NonOwnerWrite;
use super::overlap::Overlaps;
use super::report::{Measures, Property, PropertySet, Report, Standing, Summary, Verdict};
use super::split_shards::SplitShards;
use super::stale_write::StaleWrite;
use super::token_regress::TokenRegress;
use super::{belief_overlap, grant_overlap};
use crate::base::{NodeId, Span};
use crate::trace::{EndWhy, Ending, Names, Roster};

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
    pub(super) setup: Setup,
    /// Workers come first in a roster: their ids are below this.
    pub(super) workers: usize,
    pub(super) ending: Option<Ending>,

    pub(super) ledger: Ledger,
    pub(super) lifelines: Lifelines,
    pub(super) clocks: Clocks,

    pub(super) stale_write: StaleWrite,
    pub(super) non_owner_write: NonOwnerWrite,
    pub(super) lost_update: LostUpdate,
    pub(super) foreign_release: Foreign,
    pub(super) foreign_renewal: Foreign,
    pub(super) duplicate_effect: DuplicateEffect,
    pub(super) broken_promise: BrokenPromise,
    pub(super) no_progress: NoProgress,
    pub(super) beliefs: Overlaps,
    pub(super) grants: Overlaps,
    pub(super) late_send: LateSend,
    pub(super) token_regress: TokenRegress,
    pub(super) mark_regress: MarkRegress,
    pub(super) issue_regress: IssueRegress,
    pub(super) split_shards: SplitShards,
    pub(super) false_acquire: FalseAcquire,
    pub(super) leak: Leak,
    pub(super) deadlock: Deadlock,

    pub(super) meter: Meter,
    pub(super) measures: Measures,
}

impl Checker {
    pub fn new(setup: &Setup) -> Checker {
        let nodes = setup.roster.nodes.len();
        Checker {
            workers: setup.roster.workers().map(|w| w.index() + 1).max().unwrap_or(0),
            setup: setup.clone(),
            ending: None,
            ledger: Ledger::default(),
            lifelines: Lifelines::new(nodes),
            clocks: Clocks::new(nodes, &setup.wall_offsets),
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
            issue_regress: IssueRegress::new(nodes),
            split_shards: SplitShards::default(),
            false_acquire: FalseAcquire::default(),
            leak: Leak::default(),
            deadlock: Deadlock::default(),
            meter: Meter::new(nodes),
            measures: Measures::default(),
        }
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
        self.issue_regress.reset();
        self.split_shards.reset();
        self.false_acquire.reset();
        self.leak.reset();
        self.deadlock.reset();
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
            self.leak.finish(ending, &self.grants, &self.ledger, &self.setup);
            let asked = self.no_progress.has_asked();
            self.deadlock.finish(ending, asked, &self.lifelines, &self.grants, &self.setup);
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

    pub(super) fn applies(&self, p: Property) -> bool {
        self.setup.owners_apply || !p.about_owners()
    }

    pub(super) fn standing(&self, p: Property) -> Standing {
        if !self.applies(p) {
            return Standing::NotReached;
        }
        self.found(p).standing()
    }

    fn verdict(&self, p: Property, words: &super::words::Words) -> Verdict {
        if !self.applies(p) {
            return Verdict::NotReached;
        }
        self.found(p).verdict(p, words)
    }

    fn found(&self, p: Property) -> &Found {
        match p {
            Property::StaleWrite => &self.stale_write.found,
            Property::NonOwnerWrite => &self.non_owner_write.found,
            Property::LostUpdate => &self.lost_update.found,
            Property::ForeignRelease => &self.foreign_release.found,
            Property::ForeignRenewal => &self.foreign_renewal.found,
            Property::DuplicateEffect => &self.duplicate_effect.found,
            Property::BrokenPromise => &self.broken_promise.found,
            Property::NoProgress => &self.no_progress.found,
            Property::BeliefOverlap => &self.beliefs.found,
            Property::GrantOverlap => &self.grants.found,
            Property::LateSend => &self.late_send.found,
            Property::TokenRegress => &self.token_regress.found,
            Property::MarkRegress => &self.mark_regress.found,
            Property::IssueRegress => &self.issue_regress.found,
            Property::SplitShards => &self.split_shards.found,
            Property::FalseAcquire => &self.false_acquire.found,
            Property::Leak => &self.leak.found,
            Property::Deadlock => &self.deadlock.found,
        }
    }
}
