//! What is said where designs and stories are compared.

use crate::app::outcomes::Outcome;
use crate::base::text::said;
use crate::check::Property;

pub const COMPARED: &str = "Designs shown";
pub const SIDE_BY_SIDE: &str = "Side by side";
pub const ALL_NINE: &str = "All nine";
pub const ALL_STORIES: &str = "All stories";
pub const ALL_STORIES_SAY: &str = "Stories under the nine standard designs; those that have none of them are left out. A cell opens its story with that design.";
pub const ONE_STORY: &str = "Story";

pub const BETTER_LOCKS: &str = "Better locks";
pub const BETTER_LOCKS_SAYS: &str = "the resource takes every write";
pub const CHECKING: &str = "A resource that checks";
pub const CHECKING_SAYS: &str = "it refuses what is older than what it has seen";
pub const NO_CASE: &str = "This story has no such case.";
pub const NO_STANDARD: &str = "This story has none of the nine standard designs.";
pub const ANNEX_UNREADABLE: &str = "The scenario cannot be read as it stands.";

/// A standard design, by the word of its protection, as short as a column's head.
pub fn standard(word: &str) -> &'static str {
    match word {
        "none" => "No protection",
        "safe-release" => "Safe release",
        "consensus" => "Consensus lease",
        "redlock" => "Redlock",
        "idempotency" => "Idempotency key",
        "fencing" => "Fencing",
        "activation" => "Activation fence",
        "consensus+fencing" => "Consensus + fencing",
        _ => "Consensus + activation",
    }
}

/// What it adds.
pub fn adds(word: &str) -> &'static str {
    match word {
        "none" => "One service, released without looking.",
        "safe-release" => "Deletes only its own lock.",
        "consensus" => "Never forgets a grant.",
        "redlock" => "A majority of five nodes.",
        "idempotency" => "One effect per operation.",
        "fencing" => "A token on every write, checked.",
        "activation" => "The mark is raised before the first read.",
        "consensus+fencing" => "And the token survives a failover.",
        _ => "Both; the strongest here.",
    }
}

pub fn open_design(name: &str) -> String {
    said("Open {0}", &[name])
}

/// A cell of the table, for those who do not see its sign.
pub fn case(design: &str, outcome: Outcome) -> String {
    said("{0}: {1}", &[design, super::outcome(outcome)])
}

/// How far the table is.
pub fn stories_done(known: &str, all: &str) -> String {
    said("{0} of {1} stories", &[known, all])
}

/// What broke, and when.
pub fn breach_at(property: Property, at: &str) -> String {
    let what = match property {
        Property::StaleWrite => "Stale write at {0}.",
        Property::NonOwnerWrite => "A write without the lock at {0}.",
        Property::LostUpdate => "Lost update at {0}.",
        Property::ForeignRelease => "Another’s lock released at {0}.",
        Property::ForeignRenewal => "Another’s lock renewed at {0}.",
        Property::DuplicateEffect => "Done twice at {0}.",
        Property::BrokenPromise => "Lease cut short at {0}.",
        Property::NoProgress => "No progress by {0}.",
        _ => "A promise broken at {0}.",
    };
    said(what, &[at])
}
