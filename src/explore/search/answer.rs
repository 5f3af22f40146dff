//! What a search has to say about one design.

use super::count::{Count, Found, Limit};
use crate::check::Property;
use crate::check::report::PropertySet;
use serde::{Deserialize, Serialize};

/// All schedules with equally many faults, as far as they were looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Level {
    pub faults: u8,
    pub count: Count,
    /// First decisions whose schedules have all been looked at, and how many there are.
    pub done: u64,
    pub units: u64,
}

impl Level {
    pub fn is_complete(&self) -> bool {
        self.done == self.units && self.count.limit.is_none()
    }
}

/// What is known about one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<'a> {
    /// Broken by so many faults, and by no fewer.
    Broken { faults: u8, by: &'a Found },
    /// In all schedules within the bounds it holds. `reached`: in how many of them there was something to judge.
    Holds { schedules: u64, reached: u64 },
    /// Not broken as far as the search has come.
    NoneYet,
}

/// The answer of a search, complete or on the way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// By number of faults, from none.
    pub levels: Vec<Level>,
    /// At most so many faults.
    pub total: u8,
    /// What is asked for.
    pub properties: PropertySet,
}

impl Answer {
    /// Schedules that were looked at: run to their end, or up to where they go on like another.
    pub fn schedules(&self) -> u64 {
        self.levels.iter().map(|l| l.count.schedules + l.count.merged).sum()
    }

    /// The limit that ended the search, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.levels.iter().find_map(|l| l.count.limit)
    }

    /// Everything within the bounds that could matter was looked at.
    pub fn is_complete(&self) -> bool {
        let all = self.levels.len() == usize::from(self.total) + 1 || self.all_broken();
        all && self.levels.iter().all(Level::is_complete)
    }

    /// Everything that is asked for is broken: more faults are not needed.
    pub fn all_broken(&self) -> bool {
        self.properties.iter().all(|p| self.levels.iter().any(|l| l.count.broken(p) > 0))
    }

    /// Nothing is known about what was not asked for.
    pub fn verdict(&self, p: Property) -> Verdict<'_> {
        if !self.properties.has(p) {
            return Verdict::NoneYet;
        }
        let found = self.levels.iter().find_map(|l| l.count.found(p).map(|by| (l.faults, by)));
        match found {
            Some((faults, by)) => Verdict::Broken { faults, by },
            None if self.levels.len() == usize::from(self.total) + 1 && self.levels.iter().all(Level::is_complete) => {
                let reached = self.levels.iter().map(|l| l.count.reached[p as usize]).sum();
                Verdict::Holds { schedules: self.schedules(), reached }
            }
            None => Verdict::NoneYet,
        }
    }

    /// The fewest faults that break this property.
    pub fn fewest(&self, p: Property) -> Option<u8> {
        match self.verdict(p) {
            Verdict::Broken { faults, .. } => Some(faults),
            Verdict::Holds { .. } | Verdict::NoneYet => None,
        }
    }
}
