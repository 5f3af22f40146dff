//! A grid of parameters, run under many seeds.

use super::tally::Tally;
use crate::check::report::PropertySet;
use crate::check::{Checker, Property, Setup};
use crate::run;
use crate::scenario::{self, Diagnostic, Scenario, Severity, edit};
use crate::sim::{Seeded, SimConfig, World};
use std::ops::Range;

/// One point of the grid: the story with these values.
pub struct Point {
    /// By axis.
    pub values: Vec<String>,
    pub scenario: Scenario,
    /// By chosen design.
    arms: Vec<Arm>,
}

/// One design at one point, ready to run.
struct Arm {
    config: SimConfig,
    setup: Setup,
    judged: PropertySet,
}

/// What a sweep runs.
pub struct Plan {
    /// Paths of keys, each with its values as text.
    pub axes: Vec<(String, Vec<String>)>,
    /// Names of the chosen designs.
    pub designs: Vec<String>,
    /// All combinations of the values; the last axis varies fastest.
    pub points: Vec<Point>,
    /// The first seed.
    pub seed: u64,
}

/// A value that the story cannot have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The path and the value that was put there; `None`: the story itself has an error.
    pub at: Option<(String, String)>,
    pub diagnostic: Diagnostic,
}

impl Plan {
    /// The story of `text` at every combination of the axes' values, under the chosen designs.
    ///
    /// # Errors
    /// The first value that the story cannot have.
    ///
    /// # Panics
    /// If there is no such design.
    pub fn new(text: &str, axes: &[(String, Vec<String>)], designs: &[usize]) -> Result<Plan, Box<Problem>> {
        let base = read(text, None)?;
        let mut texts = vec![(Vec::new(), text.to_string())];
        for (path, values) in axes {
            let mut next = Vec::with_capacity(texts.len() * values.len());
            for (before, text) in &texts {
                for value in values {
                    let at = Some((path.clone(), value.clone()));
                    let text = edit::set_typed(text, path, value)
                        .map_err(|diagnostic| Box::new(Problem { at: at.clone(), diagnostic }))?;
                    read(&text, at)?;
                    let mut values = before.clone();
                    values.push(value.clone());
                    next.push((values, text));
                }
            }
            texts = next;
        }
        let mut points = Vec::with_capacity(texts.len());
        for (values, text) in texts {
            let scenario = read(&text, None)?;
            let arms = designs.iter().map(|d| Arm::of(&scenario, *d)).collect();
            points.push(Point { values, scenario, arms });
        }
        let names = designs.iter().map(|d| base.designs()[*d].name.clone()).collect();
        Ok(Plan { axes: axes.to_vec(), designs: names, points, seed: base.seed })
    }

    /// Runs one design at one point under the seeds with these numbers, counted from the story's own seed.
    ///
    /// # Panics
    /// If there is no such point or design.
    pub fn run(&self, point: usize, design: usize, seeds: Range<u64>) -> Tally {
        let arm = &self.points[point].arms[design];
        let seed = |n: u64| Seeded { seed: self.seed.wrapping_add(n) };
        let mut world = World::new(&arm.config, seed(seeds.start));
        let mut checker = Checker::new(&arm.setup);
        let mut tally = Tally::default();
        for n in seeds {
            world.reset(seed(n));
            checker.reset();
            let ending = world.run(&mut checker);
            let summary = checker.close(ending);
            tally.add(n, summary, checker.measures(), arm.judged);
        }
        tally
    }
}

impl Arm {
    fn of(scenario: &Scenario, design: usize) -> Arm {
        let config = scenario.config(design);
        let setup = run::setup(&config);
        let judged = scenario.setup(design).judged.iter().filter_map(|w| Property::from_word(w)).collect();
        Arm { config, setup, judged }
    }
}

fn read(text: &str, at: Option<(String, String)>) -> Result<Scenario, Box<Problem>> {
    let parsed = scenario::parse(text);
    match (parsed.scenario, parsed.diagnostics.into_iter().find(|d| d.severity == Severity::Error)) {
        (Some(scenario), _) => Ok(scenario),
        (None, Some(diagnostic)) => Err(Box::new(Problem { at, diagnostic })),
        (None, None) => unreachable!("a text that is no scenario has an error"),
    }
}

/// A sweep under way: it can be stopped after any slice, and what it has by then is an answer.
pub struct Sweep {
    pub plan: Plan,
    /// By point, then by design.
    pub tallies: Vec<Vec<Tally>>,
    /// Numbers of the seeds to be run.
    seeds: Range<u64>,
    /// The slice that comes next.
    next: u64,
}

/// Seeds in a slice: after one round over the grid every point has so many runs, and early answers are as good everywhere.
const SLICE: u64 = 250;

impl Sweep {
    pub fn new(plan: Plan, seeds: Range<u64>) -> Sweep {
        let tallies = plan.points.iter().map(|_| vec![Tally::default(); plan.designs.len()]).collect();
        Sweep { plan, tallies, seeds, next: 0 }
    }

    fn arms(&self) -> u64 {
        (self.plan.points.len() * self.plan.designs.len()) as u64
    }

    fn slices(&self) -> u64 {
        (self.seeds.end - self.seeds.start).div_ceil(SLICE) * self.arms()
    }

    /// Runs done, and runs to be done in all.
    pub fn progress(&self) -> (u64, u64) {
        let done = self.tallies.iter().flatten().map(|t| t.runs).sum();
        (done, (self.seeds.end - self.seeds.start) * self.arms())
    }

    /// The next slice; false when there is none left.
    pub fn step(&mut self) -> bool {
        if self.next >= self.slices() {
            return false;
        }
        let (block, arm) = (self.next / self.arms(), (self.next % self.arms()) as usize);
        let (point, design) = (arm / self.plan.designs.len(), arm % self.plan.designs.len());
        let from = self.seeds.start + block * SLICE;
        let seeds = from..self.seeds.end.min(from + SLICE);
        let more = self.plan.run(point, design, seeds);
        self.tallies[point][design].merge(&more);
        self.next += 1;
        self.next < self.slices()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cost, Histogram, SAMPLE as STORY, wilson};
    use super::*;

    fn axes(path: &str, values: &[&str]) -> Vec<(String, Vec<String>)> {
        vec![(path.to_string(), values.iter().map(|v| v.to_string()).collect())]
    }

    fn violated(text: &str, design: usize, pause: &str) -> bool {
        let text = edit::set_typed(text, "fault.gc.for", pause).expect("a length");
        let scenario = scenario::parse(&text).scenario.expect("a story");
        !run::run(&scenario, design).violated().is_empty()
    }

    /// The shortest pause, in ms, that breaks the design, found by halving.
    fn critical(text: &str, design: usize) -> u64 {
        let (mut safe, mut broken) = (0, 40_000);
        assert!(violated(text, design, "40s"));
        while broken - safe > 1 {
            let middle = (safe + broken) / 2;
            let unsafe_ = violated(text, design, &format!("{middle}ms"));
            *(if unsafe_ { &mut broken } else { &mut safe }) = middle;
        }
        broken
    }

    #[test]
    fn a_rate_is_what_the_distribution_says() {
        // A pause breaks the first design if it is longer than some length, which single runs find. So the rate is exp(-length / mean).
        let plan = Plan::new(STORY, &axes("lock.ttl", &["5s", "10s"]), &[0, 1]).expect("a plan");
        for (point, ttl) in ["5s", "10s"].into_iter().enumerate() {
            let text = edit::set_typed(STORY, "lock.ttl", ttl).expect("a length");
            let expected = libm::exp(-(critical(&text, 0) as f64) / 6_000.0);
            let tally = plan.run(point, 0, 0..4_000);
            let within = wilson(tally.broken, tally.runs);
            assert!(within.low <= expected && expected <= within.high, "{ttl}: {expected} not in {within:?}");
            assert!(tally.broken > 0, "rarer, never never");
            let fenced = plan.run(point, 1, 0..4_000);
            assert_eq!(fenced.violated(Property::StaleWrite), 0);
            assert_eq!(tally.cost(Cost::Messages).map(Histogram::count), Some(4_000));
        }
    }
    #[test]
    fn shards_add_up_to_the_whole_and_slices_too() {
        let plan = || Plan::new(STORY, &axes("lock.ttl", &["5s", "20s"]), &[0, 1]).expect("a plan");
        let mut whole = Sweep::new(plan(), 0..600);
        while whole.step() {}
        assert_eq!(whole.progress(), (2_400, 2_400));
        let mut parts = [Sweep::new(plan(), 0..170), Sweep::new(plan(), 170..600)];
        parts.iter_mut().for_each(|p| while p.step() {});
        let [mut left, right] = parts.map(|p| p.tallies);
        for (mine, its) in left.iter_mut().flatten().zip(right.iter().flatten()) {
            mine.merge(its);
        }
        assert_eq!(left, whole.tallies);
    }

    #[test]
    fn a_sweep_can_stop_early_and_is_as_far_everywhere() {
        let mut sweep =
            Sweep::new(Plan::new(STORY, &axes("lock.ttl", &["5s", "20s"]), &[0, 1]).expect("a plan"), 0..1_000);
        for _ in 0..4 {
            assert!(sweep.step());
        }
        assert!(sweep.tallies.iter().flatten().all(|t| t.runs == SLICE));
    }

    #[test]
    fn what_the_story_cannot_have_is_told() {
        let Err(problem) = Plan::new(STORY, &axes("lock.ttl", &["5s", "soon"]), &[0]) else { panic!("no error") };
        assert_eq!(problem.at, Some(("lock.ttl".to_string(), "soon".to_string())));
        assert!(Plan::new(STORY, &axes("fault.none.for", &["5s"]), &[0]).is_err());
    }
}
