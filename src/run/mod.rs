//! `(Scenario, Design, Schedule) → Run`: what the page, the command line, the tests and a worker all call.
//!
//! A run is computed, never edited. It holds the log, the verdicts about it, how it ended, and every answer of chance that it was
//! given, so that [`replay`] gives the same run again without the generator.

pub mod expect;
pub mod json;
mod patience;

use crate::base::{Fingerprint, TrueTime};
use crate::check::{Checker, Property, Report, Service, Setup};
use crate::protocol::params::{Family, LockParams};
use crate::scenario::Scenario;
use crate::sim::{Chooser, Replay, Schedule, Seeded, SimConfig, World};
use crate::trace::{Ending, Fork, Roster, TraceLog};

/// Version of the engine, quoted wherever an outcome is shared: what a run means may only change together with it.
pub const ENGINE: &str = env!("CARGO_PKG_VERSION");

/// One design's answer to a story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Name of the design.
    pub design: String,
    pub roster: Roster,
    pub log: TraceLog,
    pub report: Report,
    pub ending: Ending,
    pub schedule: Schedule,
    /// Digest of everything that happened.
    pub digest: Fingerprint,
    /// What counts as wrong in this story; other violated properties are notes.
    pub judged: Vec<Property>,
    /// By fault of the story: has it struck? One that waits for a point that never came has not.
    pub struck: Vec<bool>,
    /// Which fault of the story began when, in that order.
    pub begun: Vec<(u16, TrueTime)>,
}

impl Run {
    /// The judged properties that this run violates, in the order of [`Property::ALL`].
    pub fn violated(&self) -> Vec<Property> {
        self.judged.iter().copied().filter(|p| self.report.violated(*p)).collect()
    }
}

/// Runs one design of a scenario under the scenario's seed.
///
/// # Panics
/// If there is no such design.
pub fn run(scenario: &Scenario, design: usize) -> Run {
    let config = scenario.config(design);
    finish(scenario, design, &config, Seeded { seed: config.seed })
}

/// Runs one design with the recorded answers of an earlier run.
///
/// # Panics
/// If there is no such design.
pub fn replay(scenario: &Scenario, design: usize, schedule: &Schedule) -> Run {
    let config = scenario.config(design);
    finish(scenario, design, &config, Replay::new(schedule.clone()))
}

fn finish<C: Chooser>(scenario: &Scenario, design: usize, config: &SimConfig, chooser: C) -> Run {
    let mut run = simulate_with(config, chooser);
    run.design = scenario.designs()[design].name.clone();
    let judged = scenario.setup(design).judged;
    run.judged = Property::ALL.into_iter().filter(|p| judged.iter().any(|w| w == p.word())).collect();
    run
}

/// Runs a description under its seed, judged by the usual properties.
pub fn simulate(config: &SimConfig) -> Run {
    simulate_with(config, Seeded { seed: config.seed })
}

/// Runs a description with answers from anywhere.
pub fn simulate_with<C: Chooser>(config: &SimConfig, chooser: C) -> Run {
    let mut world = World::new(config, chooser);
    let mut log = TraceLog::new();
    let mut checker = Checker::new(&setup(config));
    let ending = world.run(&mut Fork(&mut log, &mut checker));
    let report = checker.finish(ending);
    Run {
        design: String::new(),
        roster: config.roster.clone(),
        digest: log.fingerprint(),
        log,
        report,
        ending,
        schedule: world.schedule_so_far().clone(),
        judged: Property::JUDGED.to_vec(),
        struck: world.struck().to_vec(),
        begun: world.begun().to_vec(),
    }
}

/// Of how many of its servers a service needs to be within reach.
fn needed(params: &LockParams, servers: usize) -> usize {
    match params.family {
        Family::Quorum => usize::from(params.quorum),
        Family::Consensus | Family::SessionQueue => servers / 2 + 1,
        // Of a primary and its replicas whoever answers.
        Family::TtlKey | Family::None | Family::Connection | Family::Record => 1,
    }
}

/// What the checkers must be told about a run that its log does not say.
pub fn setup(config: &SimConfig) -> Setup {
    let owners_apply = config.locks.iter().any(|l| l.params.family != Family::None);
    let mut setup = Setup::new(config.roster.clone(), owners_apply, patience::liveness_bound(config));
    setup.services = config
        .locks
        .iter()
        .map(|l| Service { nodes: l.nodes.clone(), quorum: needed(&l.params, l.nodes.len()) })
        .collect();
    setup.wall_offsets = config.clocks.iter().map(|c| c.offset).collect();
    setup
}
