//! What some runs of one design came to, as counts.

use super::stats::{Histogram, Interval, wilson};
use crate::base::Span;
use crate::check::Property;
use crate::check::report::{Measures, PropertySet, Summary};
use serde::{Deserialize, Serialize};

/// What a run costs. Lengths are microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cost {
    /// From the beginning of each acquire step to its end, over all workers.
    Wait,
    /// Time during which workers believed that they held a lock.
    Held,
    /// Time during which two or more believed so of one lock.
    BeliefOverlap,
    /// Time during which somebody waited for a lock that nobody used.
    Blocked,
    /// From the end of a holder that gave nothing back to the next grant; only of runs in which that happened.
    Recovery,
    /// Work for what was done already, or whose effect was overwritten.
    WorkTwice,
    /// Work whose effect never was accepted.
    WorkWasted,
    /// Messages put on the wire.
    Messages,
    /// Accepted updates that were overwritten by one computed from an older version.
    UpdatesLost,
}

impl Cost {
    pub const ALL: [Cost; 9] = [
        Cost::Wait,
        Cost::Held,
        Cost::BeliefOverlap,
        Cost::Blocked,
        Cost::Recovery,
        Cost::WorkTwice,
        Cost::WorkWasted,
        Cost::Messages,
        Cost::UpdatesLost,
    ];

    /// The word in scenario files and in outputs.
    pub const fn word(self) -> &'static str {
        match self {
            Cost::Wait => "wait",
            Cost::Held => "held",
            Cost::BeliefOverlap => "belief-overlap",
            Cost::Blocked => "blocked",
            Cost::Recovery => "recovery",
            Cost::WorkTwice => "work-twice",
            Cost::WorkWasted => "work-wasted",
            Cost::Messages => "messages",
            Cost::UpdatesLost => "updates-lost",
        }
    }

    /// Microseconds; otherwise a number of things.
    pub const fn is_length(self) -> bool {
        !matches!(self, Cost::Messages | Cost::UpdatesLost)
    }

    fn of(self, m: &Measures) -> Option<u64> {
        let us = |s: Span| s.as_us().max(0) as u64;
        Some(match self {
            Cost::Wait => m.workers.iter().map(|w| us(w.wait)).sum(),
            Cost::Held => m.workers.iter().map(|w| us(w.held)).sum(),
            Cost::BeliefOverlap => us(m.belief_overlap),
            Cost::Blocked => us(m.blocked),
            Cost::Recovery => us(m.recovery?),
            Cost::WorkTwice => us(m.work_twice),
            Cost::WorkWasted => us(m.work_wasted),
            Cost::Messages => u64::from(m.messages),
            Cost::UpdatesLost => u64::from(m.updates_lost),
        })
    }
}

/// Counts over some runs of one design at one point. Two of them add up to that of all their runs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    pub runs: u64,
    /// Runs in which some judged property was violated.
    pub broken: u64,
    /// The number of the first seed among them.
    pub first_broken: Option<u64>,
    /// Runs in which nobody ever held the lock: they prove nothing.
    pub idle: u64,
    /// By property, in the order of [`Property::ALL`]: runs that violate it.
    violated: Vec<u64>,
    /// By cost, in the order of [`Cost::ALL`].
    costs: Vec<Histogram>,
}

impl Tally {
    /// One more run, under the seed of this number, judged by these properties.
    pub fn add(&mut self, n: u64, summary: Summary, measures: &Measures, judged: PropertySet) {
        self.runs += 1;
        if !summary.violated.and(judged).is_empty() {
            self.broken += 1;
            self.first_broken = Some(self.first_broken.map_or(n, |first| first.min(n)));
        }
        self.idle += u64::from(!summary.held);
        self.violated.resize(Property::ALL.len(), 0);
        for p in summary.violated.iter() {
            self.violated[p as usize] += 1;
        }
        self.costs.resize_with(Cost::ALL.len(), Histogram::default);
        for (cost, histogram) in Cost::ALL.into_iter().zip(&mut self.costs) {
            if let Some(value) = cost.of(measures) {
                histogram.add(value);
            }
        }
    }

    pub fn merge(&mut self, other: &Tally) {
        self.runs += other.runs;
        self.broken += other.broken;
        self.first_broken = match (self.first_broken, other.first_broken) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.idle += other.idle;
        self.violated.resize(Property::ALL.len(), 0);
        for (mine, its) in self.violated.iter_mut().zip(&other.violated) {
            *mine += its;
        }
        self.costs.resize_with(Cost::ALL.len(), Histogram::default);
        for (mine, its) in self.costs.iter_mut().zip(&other.costs) {
            mine.merge(its);
        }
    }

    /// Runs that violate this property.
    pub fn violated(&self, p: Property) -> u64 {
        self.violated.get(p as usize).copied().unwrap_or(0)
    }

    /// The rate of runs in which something judged was violated.
    pub fn rate(&self) -> (f64, Interval) {
        let rate = if self.runs == 0 { 0.0 } else { self.broken as f64 / self.runs as f64 };
        (rate, wilson(self.broken, self.runs))
    }

    /// How a cost is distributed.
    pub fn cost(&self, cost: Cost) -> Option<&Histogram> {
        self.costs.get(cost as usize)
    }
}
