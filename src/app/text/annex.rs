//! What is said about the second program and its answers.

use crate::app::outcomes::Outcome;
use crate::base::text::said;

pub const WORKING: &str = "Working …";
pub const STOP: &str = "Stop";
pub const STOPPED: &str = "Stopped.";
pub const GO_ON: &str = "Go on";
pub const TRY_AGAIN: &str = "Try again";

pub const fn outcome(o: Outcome) -> &'static str {
    match o {
        Outcome::Broken => "broken",
        Outcome::Safe => "safe",
        Outcome::CutLease => "safe, though a lease was cut short",
        Outcome::Stuck => "stuck",
        Outcome::CutShort => "cut short",
        Outcome::None => "no such case",
    }
}

/// Why a job has no answer.
pub const ANNEX_OTHER: &str = "A part of Fencepost is of another version than the page. Load the page again.";
pub const ANNEX_UNFETCHED: &str = "A part of Fencepost could not be fetched.";
pub const ANNEX_UNKNOWN: &str = "The page asked for something that this version cannot do.";

pub fn annex_broke(what: &str) -> String {
    said("Fencepost broke while it worked on this: {0}", &[what])
}
