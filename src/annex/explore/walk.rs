//! Goes on with a part of a search.

use super::arm::{Part, Walked, looked_at};
use super::setting::Ready;
use crate::app::text;
use crate::explore::search::{Count, Search, Unit};
use std::cell::RefCell;

/// A part under way.
struct Walk {
    walked: Walked,
    /// The first decision at hand.
    at: u64,
    unit: Option<Unit>,
}

/// What the last job left: the story and its setting, the design, the search, and its part.
struct Kept {
    story: String,
    changes: String,
    arm: usize,
    search: Search,
    walk: Option<Walk>,
}

thread_local! {
    static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Gives back what is kept for the next job.
pub(in super::super) fn forget() {
    KEPT.with(|k| *k.borrow_mut() = None);
}

/// Goes on with a part: the story, what was changed of its setting, the part, and for about how many schedules. The answer is what the part
/// has come to, and a word if something of it is left.
pub(in super::super) fn walk(texts: &[&str]) -> Result<Vec<String>, String> {
    let [story, changes, part, slice] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let part = Part::read(part).ok_or(text::ANNEX_UNKNOWN)?;
    let slice: u64 = slice.parse().map_err(|_| text::ANNEX_UNKNOWN.to_string())?;
    let last = KEPT.with(|k| k.borrow_mut().take());
    let same = |k: &Kept| k.story == *story && k.changes == *changes && k.arm == part.arm;
    let mut kept = match last.filter(same) {
        Some(kept) => kept,
        None => {
            let ready = Ready::of(story, changes)?;
            let design = *ready.chosen().get(part.arm).ok_or(text::ANNEX_UNKNOWN)?;
            let search = Search::new(&ready.scenario, design, ready.bounds(design));
            Kept { story: story.to_string(), changes: changes.to_string(), arm: part.arm, search, walk: None }
        }
    };
    if part.to > kept.search.units() as u64 || part.from >= part.to {
        return Err(text::ANNEX_UNKNOWN.into());
    }
    let mut walk = kept.walk.take().filter(|w| w.walked.part == part).unwrap_or_else(|| Walk::of(part));
    walk.go_on(&kept.search, slice);
    let mut so_far = walk.walked.clone();
    if let Some(unit) = &walk.unit {
        so_far.count.merge(unit.count());
    }
    let more = !so_far.whole;
    kept.walk = more.then_some(walk);
    KEPT.with(|k| *k.borrow_mut() = Some(kept));
    let walked = serde_json::to_string(&so_far).map_err(|e| e.to_string())?;
    Ok(vec![walked, if more { "more" } else { "" }.to_string()])
}

impl Walk {
    fn of(part: Part) -> Walk {
        Walk { walked: Walked { part, count: Count::default(), done: 0, whole: false }, at: part.from, unit: None }
    }

    fn go_on(&mut self, search: &Search, slice: u64) {
        let (part, mut left) = (self.walked.part, slice);
        while left > 0 && !self.walked.whole {
            let unit = self.unit.get_or_insert_with(|| search.begin(part.faults, self.at as usize));
            let before = unit.seen_so_far();
            let more = search.go_on(unit, left, part.most.saturating_sub(looked_at(&self.walked.count)));
            // To begin one costs something, too.
            left = left.saturating_sub((unit.seen_so_far() - before).max(1));
            if more {
                continue;
            }
            if let Some(unit) = self.unit.take() {
                self.walked.count.merge(unit.count());
            }
            let stopped = self.walked.count.limit.is_some();
            self.walked.done += u64::from(!stopped);
            self.at += 1;
            self.walked.whole = stopped || self.at >= part.to;
        }
    }
}
