//! The words of expectations: properties, measures, ends.

use super::meaning::meaning;
use super::{Word, later, w};

/// A property of a run: what can be asked, and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    pub word: Word,
    /// Judged unless the story says otherwise; the others are notes.
    pub judged: bool,
}

impl Property {
    /// One sentence.
    pub fn says(&self) -> &'static str {
        meaning("properties", self.word.text).0
    }
}

const fn judged(word: &'static str) -> Property {
    Property { word: w(word), judged: true }
}

const fn note(word: Word) -> Property {
    Property { word, judged: false }
}

pub const PROPERTIES: &[Property] = &[
    judged("stale-write"),
    judged("non-owner-write"),
    judged("lost-update"),
    judged("foreign-release"),
    judged("foreign-renewal"),
    judged("duplicate-effect"),
    judged("broken-promise"),
    judged("no-progress"),
    note(w("belief-overlap")),
    note(w("grant-overlap")),
    note(w("late-send")),
    note(w("token-regress")),
    note(w("mark-regress")),
    note(w("split-shards")),
    note(w("false-acquire")),
    note(later("bad-validity")),
    note(later("resurrection")),
    note(later("stale-read")),
    note(later("lost-ack")),
    note(w("issue-regress")),
    note(w("leak")),
    note(w("deadlock")),
    note(later("starvation")),
    note(later("needless-stop")),
];

#[inline(never)]
pub fn property(word: &str) -> Option<&'static Property> {
    PROPERTIES.iter().find(|p| p.word.text == word)
}

/// What a measure is counted in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unit {
    Time,
    Count,
    Worker,
}

/// A measure of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeasureRow {
    pub word: &'static str,
    pub unit: Unit,
    /// Of one worker as well as of the run.
    pub of_worker: bool,
}

impl MeasureRow {
    /// One sentence.
    pub fn says(&self) -> &'static str {
        meaning("measures", self.word).0
    }
}

const fn measure(word: &'static str, unit: Unit, of_worker: bool) -> MeasureRow {
    MeasureRow { word, unit, of_worker }
}

pub const MEASURES: &[MeasureRow] = &[
    measure("belief-overlap", Unit::Time, false),
    measure("wait", Unit::Time, true),
    measure("held", Unit::Time, true),
    measure("recovery", Unit::Time, false),
    measure("blocked", Unit::Time, false),
    measure("work-twice", Unit::Time, false),
    measure("work-wasted", Unit::Time, false),
    measure("messages", Unit::Count, false),
    measure("violated", Unit::Count, false),
    measure("last-writer", Unit::Worker, false),
];

#[inline(never)]
pub fn measure_row(word: &str) -> Option<&'static MeasureRow> {
    MEASURES.iter().find(|m| m.word == word)
}

/// The word of every measure.
#[inline(never)]
pub fn measure_words() -> Vec<&'static str> {
    let mut out = Vec::new();
    for m in MEASURES {
        out.push(m.word);
    }
    out
}

/// The word of every property.
pub fn property_words() -> Vec<&'static str> {
    let mut out = Vec::new();
    for p in PROPERTIES {
        out.push(p.word.text);
    }
    out
}

/// How a worker can end.
pub const ENDS: [&str; 6] = ["done", "stopped", "waiting", "busy", "crashed", "gave-up"];
