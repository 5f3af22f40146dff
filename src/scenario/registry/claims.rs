//! The words of expectations: properties, measures, ends.

use super::{Word, later, w};

/// A property of a run: what can be asked, and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    pub word: Word,
    /// Judged unless the story says otherwise; the others are notes.
    pub judged: bool,
    pub says: &'static str,
}

const fn judged(word: &'static str, says: &'static str) -> Property {
    Property { word: w(word), judged: true, says }
}

const fn note(word: Word, says: &'static str) -> Property {
    Property { word, judged: false, says }
}

pub const PROPERTIES: &[Property] = &[
    judged("stale-write", "On one shard, after a write of one grant, a write of an earlier grant took effect."),
    judged("non-owner-write", "A write took effect that did not carry the latest grant."),
    judged("lost-update", "A write computed from an old version took effect."),
    judged("foreign-release", "A release issued for one grant removed another."),
    judged("foreign-renewal", "An extension issued for one grant extended another."),
    judged("duplicate-effect", "One operation took effect twice."),
    judged("broken-promise", "A grant was forgotten or handed on before its promised end."),
    judged("no-progress", "Somebody who could have been granted the lock was not."),
    note(w("belief-overlap"), "Two workers believed at once that they held the lock."),
    note(w("grant-overlap"), "Two grants of one lock overlapped at the service."),
    note(w("late-send"), "A worker sent a protected request after its own deadline by its own clock."),
    note(w("token-regress"), "A later grant carried a token that was not higher."),
    note(w("mark-regress"), "The mark of a shard fell."),
    note(w("split-shards"), "Of one grant's writes some came before, some after another grant's activation."),
    note(later("false-acquire"), "A worker believed without a grant."),
    note(later("bad-validity"), "A client counted with a lease longer than the service's."),
    note(later("resurrection"), "A lock that had ended came back."),
    note(later("stale-read"), "A holder read an old version."),
    note(later("lost-ack"), "A write took effect and its sender never knew."),
    note(later("issue-regress"), "A number was handed out that was not higher."),
    note(later("leak"), "A permit was never given back."),
    note(later("deadlock"), "Workers waited for each other."),
    note(later("starvation"), "One requester was passed over again and again."),
    note(later("needless-stop"), "A worker stopped although it still held the lock."),
];

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
    pub says: &'static str,
}

const fn measure(word: &'static str, unit: Unit, of_worker: bool, says: &'static str) -> MeasureRow {
    MeasureRow { word, unit, of_worker, says }
}

pub const MEASURES: &[MeasureRow] = &[
    measure("belief-overlap", Unit::Time, false, "How long two or more workers believed at once, in all."),
    measure("wait", Unit::Time, true, "From asking for the lock to believing that one holds it, in all."),
    measure("held", Unit::Time, true, "How long a worker believed, in all."),
    measure("recovery", Unit::Time, false, "From the end of a holder that never came back to the next grant."),
    measure("blocked", Unit::Time, false, "How long somebody waited while nobody used the lock."),
    measure("work-twice", Unit::Time, false, "Work that was lost, or done again by somebody else."),
    measure("work-wasted", Unit::Time, false, "Work whose effect was never accepted."),
    measure("messages", Unit::Count, false, "Messages put on the wire."),
    measure("violated", Unit::Count, false, "How many of the judged properties were violated."),
    measure("last-writer", Unit::Worker, false, "Whose write was the last to take effect."),
];

pub fn measure_row(word: &str) -> Option<&'static MeasureRow> {
    MEASURES.iter().find(|m| m.word == word)
}

/// How a worker can end.
pub const ENDS: &[(&str, &str)] = &[
    ("done", "all rounds done"),
    ("stopped", "stopped by itself"),
    ("waiting", "waiting for the lock when the run ended"),
    ("busy", "in another step when the run ended"),
    ("crashed", "crashed, or its process ended"),
    ("gave-up", "out of patience or tries"),
];
