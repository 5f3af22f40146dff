//! What is said about sweeps: how often a story goes wrong, and what that costs.

use crate::base::text::{number, said};

pub const HOW_OFTEN: &str = "How often";
pub const SAYS: &str = "Many runs of this story, each with its own luck: pauses, delays and starts are drawn anew. Every point and every design gets the same seeds, so that what differs between them is not luck.";
pub const START: &str = "Run";
pub const STOP: &str = "Stop";
pub const GO_ON: &str = "Go on";
pub const ALL_RUN: &str = "All run";
pub const VARY: &str = "Vary";
pub const AND: &str = "and";
pub const NOTHING: &str = "nothing";
pub const VALUES: &str = "over";
pub const RUNS: &str = "Runs at each point";
pub const COST: &str = "Cost";
pub const RATES: &str = "Runs that broke a promise";
pub const BANDS: &str = "bands are 95 % intervals; a mark opens one run";
pub const TRADE: &str = "What safety costs";
pub const TRADE_SAYS: &str = "down and left is better";
pub const SPREAD: &str = "How the cost is spread";
pub const TABLE: &str = "All points";
pub const AS_CSV: &str = "Counts as CSV";
pub const AS_SVG: &str = "Chart as SVG";
pub const READY: &str = "Sweeps to start from";
pub const NO_VALUES: &str = "Write at least one value, and commas between several.";
pub const NO_RUNS: &str = "Nothing has been run yet: press Run.";
pub const NO_DESIGN: &str = "No design is shown, so there is nothing to run. Tick one beside the picture.";
pub const DESIGN: &str = "Design";
pub const BROKE: &str = "Broke a promise";
pub const HALF: &str = "half within";
pub const MOST: &str = "95 % within";
pub const NO_LUCK: &str = "Nothing in this story is left to chance: at each point every run is the same. Give a pause, a delay or a start a distribution, such as exp 5s or 0s..5s, or start from one of the sweeps below.";
pub const NONE_MEANS: &str =
    "\"None\" is no run of those that were made, not a rate of zero: the band says how much it may be.";

pub fn too_many(arms: usize, most: usize) -> String {
    said(
        "These values make {0} points, all designs counted; at most {1} are run. Leave some out.",
        &[&number(arms), &number(most)],
    )
}

/// A value that the story cannot have, or the story itself.
pub fn problem(at: &Option<(String, String)>, why: &str) -> String {
    match at {
        Some((path, value)) => said("{0} = {1}: {2}", &[path, value, why]),
        None => why.to_string(),
    }
}

/// What a cost counts, by its word.
pub fn counts(cost: &str) -> &'static str {
    match cost {
        "wait" => "wait: from the beginning of every acquire to its end, all workers added up",
        "held" => "held: how long workers believed that they held a lock, added up",
        "belief-overlap" => "belief-overlap: how long two or more believed so at once",
        "blocked" => "blocked: how long somebody waited for a lock that nobody used",
        "recovery" => {
            "recovery: from the end of a holder that gave nothing back to the next grant; only of runs that had one"
        }
        "work-twice" => "work-twice: work that was done already, or whose effect was overwritten",
        "work-wasted" => "work-wasted: work whose effect was never accepted",
        "messages" => "messages: all that were sent, in one run",
        "updates-lost" => "updates-lost: accepted updates that were overwritten from an older version",
        _ => "",
    }
}

/// How far it has come: runs done and to do, how many a second, seconds left.
pub fn progress(done: &str, all: &str, rate: &str, left: &str) -> String {
    let how_far = said("{0} of {1} runs", &[done, all]);
    match (rate, left) {
        ("", _) => how_far,
        (_, "") => said("{0} · {1} a second", &[&how_far, rate]),
        _ => said("{0} · {1} a second · {2} s left", &[&how_far, rate, left]),
    }
}

pub fn open_case(design: &str, point: &str) -> String {
    said("Open one run of {0} at {1}", &[design, point])
}
