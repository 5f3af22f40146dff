//! What is said about searches: what is the least that breaks a design, and does anything within these bounds.

use crate::base::text::said;
use crate::check::Property;

pub const BREAK_IT: &str = "Try to break it";
pub const SAYS: &str = "Every schedule of this story, with the fewest faults first.";
pub const START: &str = "Search";
pub const STOP: &str = "Stop";
pub const GO_ON: &str = "Go on";
pub const ALL_DONE: &str = "All searched";
pub const WAITS: &str = "The scenario cannot be read as it stands. The search begins when it can.";

// --- what it is set to
pub const SETTING: &str = "Search";
pub const FAULTS: &str = "Faults it may use";
pub const MORE_FAULTS: &str = "More faults";
pub const BOUNDS: &str = "Bounds";
pub const TOTAL: &str = "Faults at most";
pub const SCHEDULES: &str = "Schedules";
pub const SCHEDULES_SAYS: &str = "It stops after so many schedules of each design.";
pub const MEMORY: &str = "Memory";
pub const MEMORY_SAYS: &str = "What the search remembers never takes more than this.";
pub const EDGES: &str = "Repetitions";
pub const EDGES_SAYS: &str =
    "Of what repeats itself, such as a worker's requests, only the first and the last can be struck.";
pub const OWN: &str = "Keep the story's own faults";
pub const DESIGNS: &str = "Designs";
pub const MORE_DESIGNS: &str = "More designs";
pub const PROMISES: &str = "Promises";
pub const MORE_PROMISES: &str = "More promises";

/// One number of the first and one of the last.
pub fn edges(n: &str) -> String {
    if n == "1" { "first and last".to_string() } else { said("{0} first, {0} last", &[n]) }
}

pub fn at_most(kind: &str) -> String {
    said("{0}, at most", &[kind])
}

/// Kinds of faults, by the word of the language: as a heading, one of them, several of them.
pub fn kind(word: &str) -> [&'static str; 3] {
    match word {
        "pause" => ["Pauses", "pause", "pauses"],
        "delay" => ["Delays", "delay", "delays"],
        "drop" => ["Lost messages", "lost message", "lost messages"],
        "crash" => ["Crashes", "crash", "crashes"],
        "duplicate" => ["Second copies", "second copy", "second copies"],
        "step_clock" => ["Clock steps", "clock step", "clock steps"],
        "drift_clock" => ["Clock drift", "wrong clock rate", "wrong clock rates"],
        "fail_over" => ["Failovers", "failover", "failovers"],
        "evict" => ["Evictions", "eviction", "evictions"],
        "expire" => ["Ended sessions", "ended session", "ended sessions"],
        "disconnect" => ["Broken connections", "broken connection", "broken connections"],
        _ => ["Cut links", "cut link", "cut links"],
    }
}

/// A promise, as the head of a column: what has happened when it is broken.
pub fn broken(p: Property) -> &'static str {
    match p {
        Property::StaleWrite => "Stale write",
        Property::NonOwnerWrite => "Write without the lock",
        Property::LostUpdate => "Lost update",
        Property::ForeignRelease => "Another’s lock released",
        Property::ForeignRenewal => "Another’s lock renewed",
        Property::DuplicateEffect => "Effect twice",
        Property::BrokenPromise => "Lease cut short",
        Property::NoProgress => "No progress",
        Property::BeliefOverlap => "Two believers",
        Property::GrantOverlap => "Two grants",
        Property::LateSend => "Sent too late",
        Property::TokenRegress => "Token not higher",
        Property::MarkRegress => "Mark falls",
        Property::SplitShards => "Split shards",
        Property::FalseAcquire => "False acquire",
        Property::IssueRegress => "Numbers fall",
        Property::Leak => "Leak",
        Property::Deadlock => "Deadlock",
    }
}

// --- what was found
pub const FEWEST: &str = "Fewest faults that break it";
pub const CELL: &str = "A cell shows its smallest case.";
pub const DESIGN: &str = "Design";
pub const SEARCHED: &str = "Schedules searched";
pub const AS_IT_IS: &str = "as it is";
pub const HOLDS: &str = "holds";
pub const NONE_YET: &str = "none yet";
pub const NEVER: &str = "never came up";
pub const NOT_RUN: &str = "not searched";
pub const NO_FAULTS: &str = "No kind of fault is ticked, so there is nothing to search.";
pub const NO_DESIGN: &str = "No design is ticked, so there is nothing to search.";
pub const NO_PROMISE: &str = "No promise is ticked, so there is nothing to look for.";

pub const FAULT: &str = "Fault";
pub const SEEN: &str = "Found in";
pub const ALSO: &str = "Also breaks";
pub const STOPPED_BY: &str = "Stopped by";
pub const OPEN: &str = "Open as scenario";
pub const NO_ONE: &str = "none of the designs searched";

/// The design, what happened to it, and by what.
pub fn title(design: &str, what: &str, by: &str) -> String {
    said("{0}: {1}, with {2}", &[design, what, by])
}

pub fn cell(design: &str, what: &str, by: &str) -> String {
    said("{0}, {1}: {2}", &[design, what, by])
}

pub fn found_in(broken: &str, all: &str, faults: &str) -> String {
    said("{0} of {1} schedules with {2}", &[broken, all, faults])
}

/// So many faults, in words.
pub fn faults(n: u8) -> String {
    match n {
        0 => "no fault".to_string(),
        1 => "1 fault".to_string(),
        n => said("{0} faults", &[&n.to_string()]),
    }
}

/// How far a search is: schedules looked at, and with how many faults they are.
pub fn far(schedules: &str, faults: &str) -> String {
    said("{0} schedules, by now with {1}", &[schedules, faults])
}

pub fn far_done(schedules: &str) -> String {
    said("{0} schedules", &[schedules])
}

/// How many a second, and seconds left.
pub fn pace(rate: &str, left: &str) -> String {
    match left {
        "" => said(" · {0} a second", &[rate]),
        _ => said(" · {0} a second · about {1} s left", &[rate, left]),
    }
}

pub fn all_within(faults: &str) -> String {
    said("all with at most {0}", &[faults])
}

pub fn all_broken(faults: &str) -> String {
    said("all is broken with {0}", &[faults])
}

/// A limit was reached: which, with how many faults, first decisions done and in all.
pub fn stopped_at(limit: &str, faults: &str, done: &str, all: &str) -> String {
    said("stopped by the limit on {0}, with {1}: {2} of {3} first decisions done", &[limit, faults, done, all])
}

/// Still under way, or stopped by hand.
pub fn so_far(faults: &str, done: &str, all: &str) -> String {
    said("with {0}: {1} of {2} first decisions done", &[faults, done, all])
}

pub const LIMIT_SCHEDULES: &str = "schedules";
pub const LIMIT_MEMORY: &str = "memory";

/// What was searched, exactly.
pub fn searched(faults: &str, kinds: &str, targets: &str, edges: &str) -> String {
    said(
        "Searched are schedules with at most {0}, of these kinds: {1}. Faults strike {2}; a message is struck at the end that is one of these. Of what repeats itself {3} can be struck. A fault begins at a seam of a program or of the protocol, and ends just after something happened, or never.",
        &[faults, kinds, targets, edges],
    )
}

pub fn means(most: &str, more: &str) -> String {
    said(
        "“Holds”: in all of these schedules, with at most {0}. “Never came up”: there was nothing to judge. “None yet”: not all has been looked at. Nothing is said about {1} or other stories.",
        &[most, more],
    )
}

pub const OWN_OUT: &str = "The story's own faults are left out.";
pub const OWN_IN: &str = "The story's own faults stay, and do not count.";

/// A kind of faults, and the most of it.
pub const AT_MOST: &str = "{0} (at most {1})";

/// Whom faults strike, by the word of the language.
pub fn target(word: &str) -> &str {
    match word {
        "workers" => "the workers",
        "lock" => "the lock service",
        "resources" => "the resource",
        name => name,
    }
}

// --- what is announced
pub fn searching(faults: &str) -> String {
    said("Searching schedules with {0}.", &[faults])
}

pub fn stopped(schedules: &str) -> String {
    said("Stopped after {0} schedules.", &[schedules])
}

pub fn done(schedules: &str, broken: &str) -> String {
    said("All searched: {0} schedules. Broken: {1}.", &[schedules, broken])
}

// --- faults in sentences: whom, when, until
pub const FOR_EVER: &str = ", for ever";

pub fn whom(word: &str) -> &'static str {
    match word {
        "pause" => "{0} stands still",
        "crash" => "{0} crashes",
        "delay" => "{0} is late",
        "drop" => "{0} is lost",
        "duplicate" => "{0} arrives a second time",
        "step_clock" => "the clock of {0} jumps",
        "drift_clock" => "the clock of {0} runs wrong",
        "fail_over" => "another server answers for {0}",
        "evict" => "{0} forgets its records",
        "expire" => "the session of {0} ends",
        "disconnect" => "the connections of {0} break",
        _ => "no message passes from {0}",
    }
}

/// A key of a fault with its value.
pub fn detail(key: &str) -> &'static str {
    match key {
        "from" => " from {0}",
        "to" => " to {0}",
        "nth" => " (number {0})",
        "takes" => ", {0} on its way",
        "by" => " by {0}",
        "rate" => ", at {0} times the rate",
        "until" => ", until {0}",
        "at" => " at {0}",
        _ => ", {0}",
    }
}
