//! Words of what is done on the picture itself: taking hold of something, menus, stops of the keyboard.

use crate::base::text::{number, said};
use crate::view::Hold;

/// What stands beside the pointer while something moves: from what to what.
pub fn moved(hold: Hold, from: &str, to: &str) -> String {
    said("{0} {1} → {2}", &[verb(hold), from, to])
}

/// How something stands now.
pub fn stands(hold: Hold, value: &str) -> String {
    said("{0} {1}", &[verb(hold), value])
}

const fn verb(hold: Hold) -> &'static str {
    match hold {
        Hold::Pause => "pauses at",
        Hold::Wake => "paused",
        Hold::Arrival => "takes",
        Hold::Lease => "lease",
        Hold::Start => "starts at",
        Hold::Crash => "crashes at",
        Hold::Restart => "down for",
        Hold::Step => "clock jumps at",
        Hold::Cut => "cut at",
        Hold::Heal => "cut for",
    }
}

/// What a grip is called.
pub fn grip(hold: Hold, whose: &str) -> String {
    let what = match hold {
        Hold::Pause => "Start of {0}’s pause",
        Hold::Wake => "End of {0}’s pause",
        Hold::Arrival => "Arrival: {0}",
        Hold::Lease => "End of {0}’s lease",
        Hold::Start => "Start of {0}",
        Hold::Crash => "Crash of {0}",
        Hold::Restart => "Return of {0}",
        Hold::Step => "Jump of {0}’s clock",
        Hold::Cut => "Start of the cut",
        Hold::Heal => "End of the cut",
    };
    said(what, &[whose])
}

/// A message, named as a fault would name it.
pub fn message(kind: &str, nth: &str, from: &str, to: &str) -> String {
    said("{0} {1}, {2} → {3}", &[kind, nth, from, to])
}

/// A length, and when it is over.
pub fn until(length: &str, at: &str) -> String {
    said("{0}, until {1}", &[length, at])
}

/// How a design has come out, after something else that was said.
pub fn outcome(design: &str, chip: &str, sentence: &str) -> String {
    said(". {0}: {1}. {2}", &[design, chip, sentence])
}

pub const GRIPS: &str = "What can be moved";
pub const GONE: &str = "This is no longer there.";
pub const UNNAMED: &str = "The scenario language has no word for this answer, so no fault can name it.";
pub const ENDED_EARLY: &str = "Something else ended this lease before its time, so its length decides nothing here.";
pub const NO_LENGTH: &str = "This lease has no length that could be changed.";
pub const COPY: &str = "How long this copy takes follows from a fault about several messages; change it there.";

pub fn no_fault(name: &str) -> String {
    said("No fault of the story does this to {0}: it follows from what else happens.", &[name])
}

pub fn one_of_many(name: &str, count: usize) -> String {
    said(
        "{0} is one of {1} workers that one entry makes. Give it an entry of its own to move it.",
        &[name, &number(count)],
    )
}

// --- menus
pub const DROP: &str = "Lose it";
pub const LET_ARRIVE: &str = "Let it arrive";
pub const DELAY: &str = "Delay it by 1 s more";
pub const IN_TIME: &str = "As fast as the link";
pub const DUPLICATE: &str = "Send it twice";
pub const ONCE: &str = "Send it once";
pub const REORDER: &str = "Let the next one overtake it";
pub const LOST_ALREADY: &str = "It is lost already, by what else happens.";
pub const DROPPED_WITH_OTHERS: &str = "The fault that loses it is about other messages too; change it in the form.";
pub const BEHIND_ALREADY: &str = "The next one is there before it already.";
pub const NOTHING_FOLLOWS: &str = "Nothing follows it between these two.";
pub const PAUSE_HERE: &str = "Pause here, for 2 s";
pub const CRASH_HERE: &str = "Crash here";
pub const RESTART_HERE: &str = "Crash here, back after 2 s";
pub const CLOCK_AHEAD: &str = "Clock jumps ahead by 5 s";
pub const CLOCK_BACK: &str = "Clock jumps back by 5 s";
pub const CUT_ANY: &str = "Cut from here";
pub const NO_LINK: &str = "Nobody exchanges messages across this place.";
pub const LINK: &str = "Link";

pub fn cut(one: &str, other: &str) -> String {
    said("Cut {0} from {1} here, for 2 s", &[one, other])
}

/// Whom, and when.
pub fn at(whom: &str, at: &str) -> String {
    said("{0}, {1}", &[whom, at])
}

// --- how the picture is looked at
pub const UNFOLD_NODES: &str = "Show each node";
pub const FOLD_NODES: &str = "Show the nodes as one";
pub const SHOW_TRIES: &str = "Show every try";
pub const FOLD_TRIES: &str = "Count equal tries";
pub const MOVE_LEFT: &str = "Move left";
pub const MOVE_RIGHT: &str = "Move right";
pub const AT_THE_EDGE: &str = "It stands at the edge already.";
pub const HIDE: &str = "Hide";
pub const THE_LAST_LANE: &str = "Nobody else is shown.";
pub const SHOW_ALL: &str = "Show everybody, in the usual order";
pub const LOOK: &str = "What the rows are";
pub const TIME: &str = "Time";
pub const ORDER: &str = "Order";
pub const STEPS: &str = "steps, not time";
pub const STEPS_SAYS: &str =
    "One row is one step; rows have no length. An arrow is level unless something happens while it is under way.";
pub const ZOOM: &str = "Zoom";
pub const ZOOM_IN: &str = "Zoom in (+)";
pub const ZOOM_OUT: &str = "Zoom out (−)";
pub const ZOOM_FIT: &str = "Zoom to fit (0)";

/// A participant's head, as a button.
pub fn head(name: &str) -> String {
    said("{0}: hide, move, strike", &[name])
}

/// Marks that only some stories have: under the picture, and in the help.
pub const SIGNS: [(&str, &str); 5] = [
    ("out of service", "A node crashes; dots follow until it comes back."),
    ("link cut", "What is sent across while it lasts is lost."),
    ("vote", "One of a group’s nodes says yes, in the caller’s hue; grey where the call changes no lease."),
    ("no vote, no answer", "A ring: that node says no. A cross: it does not answer."),
    ("own clock", "A node’s own clock where it is off; a kink is a jump."),
];
