//! One walk: all schedules with so many faults that begin with one decision, depth first.
//!
//! A case is run from the start on the engine itself, its faults standing among the story's. What can follow is read off its log. Walks know
//! nothing of each other, so that counts do not depend on who walks what, or where.

use super::bounds::{Bounds, Counts};
use super::case::Case;
use super::count::{Count, Limit};
use super::menu::{Menu, Move};
use super::seen::Seen;
use crate::base::{Fingerprint, TrueTime};
use crate::check::report::Summary;
use crate::check::{Checker, Setup};
use crate::scenario::Scenario;
use crate::sim::{Progress, Seeded, SimConfig, World};
use crate::trace::{Fork, TraceLog};
use std::hash::Hash;

/// One design of a story, and what may be done to it.
pub struct Ground {
    pub config: SimConfig,
    pub setup: Setup,
    pub bounds: Bounds,
    pub menu: Menu,
    /// How many faults the story has of its own.
    own: usize,
}

impl Ground {
    pub fn new(scenario: &Scenario, design: usize, bounds: Bounds) -> Ground {
        let config = scenario.config(design);
        let setup = crate::run::setup(&config);
        let menu = Menu::of(&config);
        Ground { own: config.faults.len(), config, setup, bounds, menu }
    }
}

/// A case whose decisions are being tried.
struct Frame {
    case: Case,
    used: Counts,
    moves: Vec<Move>,
    next: usize,
}

/// A walk under way.
pub struct Walk {
    /// The story with the faults of the case at hand.
    config: SimConfig,
    checker: Checker,
    log: TraceLog,
    seen: Seen,
    stack: Vec<Frame>,
    /// How many faults the schedules have that are counted.
    faults: usize,
    unit: u64,
    pub count: Count,
}

/// What became of a case.
enum Played {
    Whole(Summary),
    /// It came to a state from which everything has been looked at, or will be.
    Merged,
}

impl Walk {
    /// The schedules with so many faults, of which the one that comes first is that of this move after the story as it is.
    /// It remembers no more than so many bytes.
    pub fn new(ground: &Ground, faults: usize, unit: usize, first: &Move, memory: u64) -> Walk {
        let mut walk = Walk::over(ground, faults, unit as u64, memory);
        // The story as it is: what it comes to needs no second look.
        if ground.bounds.reduces {
            walk.play(ground, &Case::NONE, Counts::default(), faults > 0);
        }
        walk.stack.push(Frame { case: Case::NONE, used: Counts::default(), moves: vec![first.clone()], next: 0 });
        walk
    }

    fn over(ground: &Ground, faults: usize, unit: u64, memory: u64) -> Walk {
        Walk {
            config: ground.config.clone(),
            checker: Checker::new(&ground.setup),
            log: TraceLog::new(),
            seen: Seen::within(memory),
            stack: Vec::new(),
            faults,
            unit,
            count: Count::default(),
        }
    }

    /// The story as it is: its count, and all first decisions.
    pub fn root(ground: &Ground) -> (Count, Vec<Move>) {
        let mut walk = Walk::over(ground, 0, 0, 0);
        if let Played::Whole(summary) = walk.play(ground, &Case::NONE, Counts::default(), false) {
            walk.count.add(&Case::NONE, 0, summary, &ground.config.roster);
        }
        let moves = ground.menu.moves(&Case::NONE, walk.log.events(), &ground.bounds);
        (walk.count, moves)
    }

    /// Goes on until so many schedules have been counted in all, or to the end. True if something is left.
    pub fn run_until(&mut self, ground: &Ground, schedules: u64) -> bool {
        while let Some(frame) = self.stack.last_mut() {
            if self.count.schedules + self.count.merged >= schedules {
                return true;
            }
            if self.seen.is_full() {
                self.count.limit = Some(Limit::Memory);
                return false;
            }
            let Some(one) = frame.moves.get(frame.next) else {
                self.stack.pop();
                continue;
            };
            frame.next += 1;
            let case = one.after(&frame.case);
            self.enter(ground, case);
        }
        false
    }

    fn enter(&mut self, ground: &Ground, case: Case) {
        let used = case.counts();
        let is_inner = case.strikes.len() < self.faults;
        let goes_on = is_inner || case.strikes.iter().any(|s| s.open);
        let is_whole = case.is_whole(ground.bounds.each);
        if !goes_on && !is_whole {
            return;
        }
        let played = self.play(ground, &case, used, is_inner);
        let counts = !is_inner && is_whole;
        match played {
            Played::Whole(summary) => {
                if counts {
                    self.count.add(&case, self.unit, summary, &ground.config.roster);
                }
                if is_whole && summary.violated == ground.bounds.properties {
                    return; // More faults cannot break more.
                }
            }
            Played::Merged => self.count.merged += u64::from(counts),
        }
        if !goes_on {
            return;
        }
        let mut moves = ground.menu.moves(&case, self.log.events(), &ground.bounds);
        if !is_inner {
            moves.retain(|m| matches!(m, Move::End(..)));
        }
        self.stack.push(Frame { case, used, moves, next: 0 });
    }

    /// Runs a case, up to where it is known how it goes on. What comes of it is remembered if it will be looked at with more faults.
    fn play(&mut self, ground: &Ground, case: &Case, used: Counts, records: bool) -> Played {
        self.config.faults.truncate(ground.own);
        self.config.faults.extend(case.strikes.iter().filter(|s| s.acts()).map(|s| s.spec.clone()));
        self.log.clear();
        self.checker.reset();
        let goes_on = records || self.faults == 0 || case.strikes.iter().any(|s| s.open);
        let mut ancestors: Vec<Counts> = Vec::new();
        if ground.bounds.reduces {
            ancestors.extend(self.stack.iter().map(|f| f.used).filter(|u| *u != used && u.within(used)));
            ancestors.dedup();
            ancestors.push(used);
        }
        let Walk { config, checker, log, seen, .. } = self;
        let mut world = World::new(config, Seeded { seed: config.seed });
        let known = Known { ground, case, ancestors: &ancestors, used, records };
        if goes_on {
            known.drive(&mut world, checker, seen, |world, checker| world.step(&mut Fork(&mut *log, checker)))
        } else {
            known.drive(&mut world, checker, seen, |world, checker| world.step(checker))
        }
    }
}

/// What is known about where a run may come.
struct Known<'a> {
    ground: &'a Ground,
    case: &'a Case,
    ancestors: &'a [Counts],
    used: Counts,
    records: bool,
}

impl Known<'_> {
    fn drive(
        &self,
        world: &mut World<Seeded>,
        checker: &mut Checker,
        seen: &mut Seen,
        mut step: impl FnMut(&mut World<Seeded>, &mut Checker) -> Progress,
    ) -> Played {
        let (mut looks, mut next_look) = (0u32, 1);
        loop {
            if let Progress::Ended(ending) = step(world, checker) {
                // Of what is not asked for nothing is known: states are taken for one that differ in it.
                let asked = self.ground.bounds.properties;
                let s = checker.close(ending);
                return Played::Whole(Summary { violated: s.violated.and(asked), reached: s.reached.and(asked), ..s });
            }
            if self.ancestors.is_empty() || world.now() < self.case.last.at {
                continue;
            }
            let Some(next) = world.between() else { continue };
            looks += 1;
            let is_look = looks == next_look && !self.case.strikes.is_empty();
            if !is_look && !self.records {
                continue;
            }
            let state = self.state(world, checker, next);
            if is_look {
                next_look *= 2;
                if self.ancestors.iter().any(|used| seen.has(with(state, *used))) {
                    return Played::Merged;
                }
            }
            if self.records {
                seen.insert(with(state, self.used));
            }
        }
    }

    /// World, pending, what the checkers may still look at, and what is held.
    fn state(&self, world: &World<Seeded>, checker: &Checker, next: TrueTime) -> Fingerprint {
        let mut h = Fingerprint::new();
        next.hash(&mut h);
        world.digest(&mut h);
        checker.digest(next, self.ground.bounds.properties, &mut h);
        for s in self.case.strikes.iter().filter(|s| s.holds != 0) {
            (s.kind, s.holds).hash(&mut h);
        }
        h
    }
}

fn with(mut state: Fingerprint, used: Counts) -> u64 {
    used.hash(&mut state);
    std::hash::Hasher::finish(&state)
}
