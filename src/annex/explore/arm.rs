//! One design's search, put together from parts that were walked anywhere and come in any order.
//!
//! The counts are those of [`Search`]: parts are added in the order of their first decisions, and one that goes beyond the limit on schedules
//! is walked again up to the limit. What is beyond a limit does not count.

use super::setting::Ready;
use crate::explore::search::{Answer, Bounds, Count, Level, Limit, Search};
use serde::{Deserialize, Serialize};

/// Some of the first decisions of one depth, to be walked by one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Part {
    /// Which design, among those that are searched.
    pub arm: usize,
    pub faults: u8,
    pub from: u64,
    pub to: u64,
    /// No more schedules than this.
    pub most: u64,
}

impl Part {
    /// As it goes through the page, which does not look into it.
    pub fn write(&self) -> String {
        format!("{} {} {} {} {}", self.arm, self.faults, self.from, self.to, self.most)
    }

    pub fn read(text: &str) -> Option<Part> {
        let n: Vec<u64> = text.split(' ').filter_map(|n| n.parse().ok()).collect();
        let [arm, faults, from, to, most] = n[..] else { return None };
        Some(Part { arm: arm as usize, faults: u8::try_from(faults).ok()?, from, to, most })
    }
}

/// What a part has come to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Walked {
    pub part: Part,
    pub count: Count,
    /// First decisions whose schedules have all been looked at.
    pub done: u64,
    /// Nothing of it is left.
    pub whole: bool,
}

pub(super) fn looked_at(count: &Count) -> u64 {
    count.schedules + count.merged
}

#[derive(Serialize, Deserialize)]
pub(super) struct Arm {
    /// First decisions, and the first of those that have not been added.
    units: u64,
    next: u64,
    pub levels: Vec<Level>,
    pub over: bool,
    /// The next part has to be walked again, up to so many schedules.
    again: Option<u64>,
    /// Parts that came before their turn.
    early: Vec<Walked>,
    /// Parts under way, as far as they have come.
    pub under: Vec<Walked>,
}

/// Of the usual story each first decision leads to about so many schedules with one fault.
const USUAL: f64 = 20.0;

impl Arm {
    pub fn of(ready: &Ready, design: usize) -> Arm {
        let bounds = ready.bounds(design);
        let search = Search::new(&ready.scenario, design, bounds.clone());
        let mut arm = Arm {
            units: search.units() as u64,
            next: 0,
            levels: search.root_answer().levels,
            over: false,
            again: None,
            early: Vec::new(),
            under: Vec::new(),
        };
        arm.deepen(&bounds);
        arm
    }

    /// What is known by now, without what is under way.
    pub fn answer(&self, bounds: &Bounds) -> Answer {
        Answer { levels: self.levels.clone(), total: bounds.total, properties: bounds.properties }
    }

    /// The same, with what parts under way or out of their turn have found. Nothing is taken to be complete for it.
    pub fn answer_so_far(&self, bounds: &Bounds) -> Answer {
        let mut answer = self.answer(bounds);
        if let Some(level) = answer.levels.last_mut() {
            self.early
                .iter()
                .chain(&self.under)
                .for_each(|w| level.count.merge(&Count { limit: None, ..w.count.clone() }));
        }
        answer
    }

    /// One fault more, unless all is known.
    fn deepen(&mut self, bounds: &Bounds) {
        let faults = self.levels.len() as u8;
        self.next = 0;
        self.over = faults > bounds.total || self.units == 0 || self.answer(bounds).all_broken();
        if self.over && self.units == 0 {
            // There is nothing to decide: with more faults, too.
            self.levels.extend((faults..=bounds.total).map(|faults| Level { faults, ..Level::default() }));
        }
        if !self.over {
            self.levels.push(Level { faults, count: Count::default(), done: 0, units: self.units });
        }
    }

    pub fn add(&mut self, walked: Walked, bounds: &Bounds) {
        self.under.retain(|w| w.part != walked.part);
        if self.over || usize::from(walked.part.faults) + 1 != self.levels.len() || walked.part.from < self.next {
            return;
        }
        if walked.whole {
            self.early.retain(|w| w.part.from != walked.part.from);
            self.early.push(walked);
            while self.settle(bounds) {}
        } else {
            self.under.push(walked);
        }
    }

    /// Adds the part whose turn it is, if it is there.
    fn settle(&mut self, bounds: &Bounds) -> bool {
        let Some(at) = self.early.iter().position(|w| w.part.from == self.next) else { return false };
        let walked = self.early.swap_remove(at);
        let may = bounds.schedules.saturating_sub(self.answer(bounds).schedules());
        let too_long = looked_at(&walked.count) > may || walked.count.limit == Some(Limit::Schedules);
        if too_long && walked.part.most > may {
            self.again = Some(may);
            return false;
        }
        self.again = None;
        let Some(level) = self.levels.last_mut() else { return false };
        level.count.merge(&walked.count);
        level.done += walked.done;
        self.next = walked.part.to;
        if walked.count.limit.is_some() {
            self.over = true;
        } else if self.next >= self.units {
            self.deepen(bounds);
        }
        if self.over || self.next == 0 {
            (self.early, self.under) = (Vec::new(), Vec::new());
        }
        !self.over
    }

    /// What is to be walked next, in order.
    pub fn wants(&self, arm: usize, bounds: &Bounds) -> Vec<Part> {
        let faults = self.levels.len().saturating_sub(1) as u8;
        // A first decision leads to a handful of schedules with one fault, to hundreds with two.
        let size = match faults {
            0 | 1 => self.units.div_ceil(4).max(1),
            2 => 8,
            _ => 1,
        };
        let part = |from: u64, most| Part { arm, faults, from, to: (from + size).min(self.units), most };
        if self.over {
            return Vec::new();
        }
        if let Some(may) = self.again {
            return vec![part(self.next, may)];
        }
        let waiting: u64 = self.early.iter().map(|w| looked_at(&w.count)).sum();
        if self.answer(bounds).schedules() + waiting > bounds.schedules && !self.early.is_empty() {
            // What is there already goes beyond the limit: only what comes before it can count.
            let last = self.early.iter().map(|w| w.part.from).max().unwrap_or(0);
            return self.starts(size).filter(|f| *f < last).map(|f| part(f, bounds.schedules)).collect();
        }
        self.starts(size).map(|from| part(from, bounds.schedules)).collect()
    }

    /// First decisions with which parts begin that are still to be walked.
    fn starts(&self, size: u64) -> impl Iterator<Item = u64> {
        (self.next..self.units).step_by(size as usize).filter(|from| self.early.iter().all(|w| w.part.from != *from))
    }

    /// Schedules that were looked at, what is under way among them; and how many there may be in all. That is a guess: nobody knows
    /// how many go on like others before having looked.
    pub fn schedules(&self, bounds: &Bounds) -> (u64, u64) {
        let whole = self.answer(bounds).schedules();
        let waiting: u64 = self.early.iter().chain(&self.under).map(|w| looked_at(&w.count)).sum();
        let done = whole + waiting;
        if self.over {
            return (done, done);
        }
        let all = |level: Option<&Level>| level.map_or(0, |l| looked_at(&l.count)) as f64;
        let each = if self.levels.len() > 2 { all(self.levels.get(1)) / self.units.max(1) as f64 } else { USUAL };
        let mut sum = 0.0;
        for faults in 0..=usize::from(bounds.total) {
            let is_last = faults + 1 == self.levels.len();
            let known = all(self.levels.get(faults)) + if is_last { waiting as f64 } else { 0.0 };
            if faults + 1 < self.levels.len() || faults == 0 {
                sum += known;
                continue;
            }
            // A first decision is followed by later ones: the earlier it is, the more there are.
            let weight = |unit: u64| ((self.units - unit) as f64).powi(faults as i32 - 1);
            let (gone, whole): (f64, f64) = ((0..self.next).map(weight).sum(), (0..self.units).map(weight).sum());
            let share = if is_last && whole > 0.0 { gone / whole } else { 0.0 };
            let orders = (1..faults).map(|n| n as f64).product::<f64>();
            let guess = if share > 0.1 {
                all(self.levels.get(faults)) / share
            } else {
                each.powi(faults as i32) * whole / orders
            };
            sum += guess.max(known);
        }
        (done, (sum as u64).clamp(done, bounds.schedules.max(done)))
    }
}
