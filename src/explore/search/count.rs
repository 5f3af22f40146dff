//! What some schedules came to: counts that add up exactly, and the plainest case that was found for each property.

use super::case::Case;
use crate::check::Property;
use crate::check::report::Summary;
use crate::trace::Roster;
use serde::{Deserialize, Serialize};

const PROPERTIES: usize = Property::ALL.len();

/// The faults of a case as the scenario language writes them: for each its keys and values.
pub type Faults = Vec<Vec<(String, String)>>;

/// A schedule that broke a property.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Found {
    /// How odd it is: the plainest one is kept.
    pub oddness: u32,
    /// Its place in the order of the search: the first decision, and how many schedules came before it under that.
    pub unit: u64,
    pub order: u64,
    pub faults: Faults,
}

impl Found {
    fn rank(&self) -> (u32, u64, u64) {
        (self.oddness, self.unit, self.order)
    }
}

/// Why a search ended before everything within its bounds was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    Schedules,
    Memory,
}

/// Counts of some schedules with equally many faults.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Count {
    /// Schedules that were run to their end.
    pub schedules: u64,
    /// Schedules that came to a state from which everything had been looked at already.
    pub merged: u64,
    /// By property, in the order of [`Property::ALL`]: how many broke it, and in how many it had something to judge.
    pub broken: Vec<u64>,
    pub reached: Vec<u64>,
    pub found: Vec<Option<Found>>,
    /// Which sets of properties were broken together, each once, in order: one bit for each property.
    pub outcomes: Vec<u32>,
    pub limit: Option<Limit>,
}

impl Default for Count {
    fn default() -> Count {
        Count {
            schedules: 0,
            merged: 0,
            broken: vec![0; PROPERTIES],
            reached: vec![0; PROPERTIES],
            found: vec![None; PROPERTIES],
            outcomes: Vec::new(),
            limit: None,
        }
    }
}

impl Count {
    /// One more schedule, run to its end.
    pub fn add(&mut self, case: &Case, unit: u64, summary: Summary, roster: &Roster) {
        let order = self.schedules;
        self.schedules += 1;
        for p in summary.reached.iter() {
            self.reached[p as usize] += 1;
        }
        self.comes_to(summary.violated.iter().fold(0, |bits, p| bits | 1 << p as u32));
        for p in summary.violated.iter() {
            self.broken[p as usize] += 1;
            let oddness = case.oddness();
            let old = &mut self.found[p as usize];
            if old.as_ref().is_none_or(|f| f.rank() > (oddness, unit, order)) {
                let faults = case.strikes.iter().map(|s| s.written(roster)).collect();
                *old = Some(Found { oddness, unit, order, faults });
            }
        }
    }

    fn comes_to(&mut self, outcome: u32) {
        if let Err(place) = self.outcomes.binary_search(&outcome) {
            self.outcomes.insert(place, outcome);
        }
    }

    /// Adds what others have counted. The order makes no difference.
    pub fn merge(&mut self, more: &Count) {
        self.schedules += more.schedules;
        self.merged += more.merged;
        for p in 0..PROPERTIES {
            self.broken[p] += more.broken[p];
            self.reached[p] += more.reached[p];
            let theirs = more.found[p].as_ref().map(Found::rank);
            if theirs.is_some() && self.found[p].as_ref().is_none_or(|f| Some(f.rank()) > theirs) {
                self.found[p].clone_from(&more.found[p]);
            }
        }
        more.outcomes.iter().for_each(|outcome| self.comes_to(*outcome));
        self.limit = self.limit.or(more.limit);
    }

    pub fn broken(&self, p: Property) -> u64 {
        self.broken[p as usize]
    }

    pub fn found(&self, p: Property) -> Option<&Found> {
        self.found[p as usize].as_ref()
    }
}
