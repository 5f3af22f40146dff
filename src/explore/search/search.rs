//! A search under way: it goes on for as long as it is told, and what it has by then is an answer.
//!
//! It deepens by the number of faults: first the story as it is, then all schedules with one fault more, then with two. So the first that
//! breaks a property has the fewest. The schedules of one depth are cut into *units*, one for each first decision; a unit can be walked anywhere.

use super::answer::{Answer, Level};
use super::bounds::Bounds;
use super::count::{Count, Limit};
use super::menu::Move;
use super::walk::{Ground, Walk};
use crate::scenario::Scenario;

/// A search for what breaks one design.
pub struct Search {
    ground: Ground,
    /// First decisions, in the order of the walk.
    first: Vec<Move>,
    answer: Answer,
    /// Of the depth at hand: the unit that comes next, and that under way.
    next: usize,
    walk: Option<Walk>,
    is_over: bool,
}

/// One unit under way.
pub struct Unit {
    walk: Walk,
}

impl Unit {
    pub fn count(&self) -> &Count {
        &self.walk.count
    }

    /// Schedules looked at.
    pub fn seen_so_far(&self) -> u64 {
        self.walk.count.schedules + self.walk.count.merged
    }
}

impl Search {
    /// # Panics
    /// If there is no such design.
    pub fn new(scenario: &Scenario, design: usize, bounds: Bounds) -> Search {
        let (total, properties) = (bounds.total, bounds.properties);
        let ground = Ground::new(scenario, design, bounds);
        let (count, first) = Walk::root(&ground);
        let root = Level { faults: 0, count, done: 1, units: 1 };
        let answer = Answer { levels: vec![root], total, properties };
        let mut search = Search { ground, first, answer, next: 0, walk: None, is_over: false };
        search.deepen();
        search
    }

    /// What is known of the story as it is.
    pub fn root_answer(&self) -> Answer {
        Answer { levels: self.answer.levels[..1].to_vec(), ..self.answer.clone() }
    }

    /// What is known by now.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    pub fn into_answer(self) -> Answer {
        self.answer
    }

    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// First decisions: into so many units each depth is cut.
    pub fn units(&self) -> usize {
        self.first.len()
    }

    /// Looks at about so many schedules more. True if something is left to look at.
    pub fn run_for(&mut self, schedules: u64) -> bool {
        let mut left = schedules;
        while !self.is_over && left > 0 {
            let before = self.seen_so_far();
            let may = self.ground.bounds.schedules.saturating_sub(self.answer.schedules());
            if self.walk.is_none() {
                match self.first.get(self.next) {
                    Some(first) => {
                        let faults = self.answer.levels.len() - 1;
                        let memory = self.ground.bounds.memory;
                        self.walk = Some(Walk::new(&self.ground, faults, self.next, first, memory));
                    }
                    None => {
                        self.deepen();
                        continue;
                    }
                }
            }
            let Some(walk) = &mut self.walk else { continue };
            let until = may.min(walk.count.schedules + walk.count.merged + left);
            let more = walk.run_until(&self.ground, until);
            let stops = more && until == may;
            left = left.saturating_sub(self.seen_so_far() - before);
            if !more || stops {
                let mut count = self.walk.take().map(|w| w.count).unwrap_or_default();
                if stops {
                    count.limit = Some(Limit::Schedules);
                }
                self.add(&count);
            }
        }
        !self.is_over
    }

    /// Schedules looked at, those of the unit under way among them.
    pub fn seen_so_far(&self) -> u64 {
        self.answer.schedules() + self.walk.as_ref().map_or(0, |w| w.count.schedules + w.count.merged)
    }

    /// All schedules with so many faults that begin with this first decision, up to a limit. For who walks units in any order, on any
    /// machine; [`Search::add_unit`] puts them together.
    pub fn unit(&self, faults: u8, unit: usize, schedules: u64) -> Count {
        self.unit_within(faults, unit, schedules, self.ground.bounds.memory)
    }

    /// The same, in so many bytes.
    pub fn unit_within(&self, faults: u8, unit: usize, schedules: u64, memory: u64) -> Count {
        let mut unit = self.begin_within(faults, unit, memory);
        self.go_on(&mut unit, schedules, schedules);
        unit.walk.count
    }

    /// A unit, for who walks it in slices.
    pub fn begin(&self, faults: u8, unit: usize) -> Unit {
        self.begin_within(faults, unit, self.ground.bounds.memory)
    }

    fn begin_within(&self, faults: u8, unit: usize, memory: u64) -> Unit {
        Unit { walk: Walk::new(&self.ground, usize::from(faults), unit, &self.first[unit], memory) }
    }

    /// Goes on with a unit for about so many schedules, up to so many in all. True if something is left to look at. What it has counted in
    /// the end is the same, however it was sliced.
    pub fn go_on(&self, unit: &mut Unit, schedules: u64, most: u64) -> bool {
        let until = most.min(unit.seen_so_far().saturating_add(schedules));
        let more = unit.walk.run_until(&self.ground, until);
        if more && until == most {
            unit.walk.count.limit = Some(Limit::Schedules);
        }
        more && until < most
    }

    /// The depth whose units are wanted now, and the first of them; nothing if the search is over.
    pub fn wants(&self) -> Option<(u8, usize)> {
        (!self.is_over).then(|| (self.answer.levels.len() as u8 - 1, self.next))
    }

    /// The next unit of the depth at hand, walked elsewhere without regard to what came before it. One that goes beyond the limit on
    /// schedules is walked again up to the limit, so that the answer is the same as if all had been walked here in their order.
    pub fn add_unit(&mut self, count: &Count) {
        let Some((faults, unit)) = self.wants() else { return };
        let may = self.ground.bounds.schedules.saturating_sub(self.answer.schedules());
        let is_too_long = count.schedules + count.merged > may || count.limit == Some(Limit::Schedules);
        if is_too_long {
            let part = self.unit(faults, unit, may);
            self.add(&part);
        } else {
            self.add(count);
        }
    }

    fn add(&mut self, count: &Count) {
        let Some(level) = self.answer.levels.last_mut() else { return };
        level.count.merge(count);
        level.done += u64::from(count.limit.is_none());
        self.next += 1;
        if count.limit.is_some() {
            self.is_over = true;
        } else if self.next >= self.first.len() {
            self.deepen();
        }
    }

    /// One fault more, unless all is known.
    fn deepen(&mut self) {
        let faults = self.answer.levels.len() as u8;
        if faults > self.answer.total || self.answer.all_broken() {
            self.is_over = true;
            return;
        }
        let units = self.first.len() as u64;
        self.answer.levels.push(Level { faults, count: Count::default(), done: 0, units });
        self.next = 0;
        if units == 0 {
            self.deepen();
        }
    }
}
