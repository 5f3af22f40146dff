//! Every word that the page says itself, in one place, ready for translation.
//!
//! What a run or a scenario says about itself (verdicts, captions, diagnostics, events) comes from `check`, `view` and `scenario`,
//! in the words of their catalogues. House rules for all of it: a sentence has a subject, a time and one fact; a grant is what a
//! service did, a belief is what a worker thinks; no word stands for a picture that a screen reader cannot see.

pub mod drag;
mod fetched;

pub use fetched::*;

use super::state::{Speed, Theme};
use crate::base::TrueTime;
use crate::base::text::said;
use crate::view::Chip;

mod annex;
mod compare;
mod editor;
pub mod explore;
pub mod share;
pub mod sweep;
mod why;

pub use annex::*;
pub use compare::*;
pub use editor::*;
pub use why::*;

pub const BRAND: &str = "Fencepost";

pub fn document_title(story: &str) -> String {
    if story.is_empty() { BRAND.to_string() } else { said("{0} · {1}", &[story, BRAND]) }
}

// --- top bar
pub const STORIES: &str = "Stories";
pub const EDITED: &str = "edited";
pub const UNTITLED: &str = "Untitled";
pub const UNDO: &str = "Undo";
pub const UNDO_TITLE: &str = "Undo (Ctrl Z)";
pub const REDO_TITLE: &str = "Redo (Ctrl Shift Z)";
pub const HELP_TITLE: &str = "Help (?)";
pub const REDO: &str = "Redo";
pub const HELP: &str = "Help";
pub const SHARE: &str = "Share";
pub const CLOSE: &str = "Close";
pub const THEME: &str = "Theme";
pub const SKIP: &str = "Skip to the picture";

pub fn theme(t: Theme) -> &'static str {
    match t {
        Theme::Auto => "As the system",
        Theme::Light => "Light",
        Theme::Dark => "Dark",
    }
}

// --- scenario
pub const SCENARIO: &str = "Scenario";
pub const FORM: &str = "Form";
pub const TEXT: &str = "Text";
pub const FOLD: &str = "Fold the scenario";
pub const UNFOLD: &str = "Open the scenario";
pub const RESET: &str = "Reset";
pub const RESET_TITLE: &str = "Back to the story as it was opened. Can be undone.";
pub const DONE: &str = "Done";
pub const TEXT_LABEL: &str = "Scenario as text, TOML";
pub const DESIGNS: &str = "Designs";

// --- the picture
pub const TRUE_TIME: &str = "true time";
pub const TRUE_TIME_TITLE: &str = "The simulator’s time. No node can read this clock.";
pub const DESIGN: &str = "Design";
pub const NO_DESIGN: &str = "No design is ticked. ";
pub const NO_DESIGN_TICK: &str = "to see what happens.";
pub const NOTHING_YET: &str = "This scenario does not run yet. Mend what is marked in it, or choose a story.";
pub const KEY: &str = "Key";

pub fn tick(design: &str) -> String {
    said("Tick “{0}”", &[design])
}

/// Over the last good run, while the text has an error.
pub fn stale(line: Option<u32>) -> String {
    match line {
        Some(line) => said("Shows the last scenario that ran, from before line {0}.", &[&line.to_string()]),
        None => "Shows the last scenario that ran, from before the last change.".to_string(),
    }
}

pub fn go_to_line(line: u32) -> String {
    said("Go to line {0}", &[&line.to_string()])
}

// --- transport
pub const TRANSPORT: &str = "Transport";
pub const PLAY: &str = "Play";
pub const PAUSE: &str = "Stop playing";
pub const STEP: &str = "Step";
pub const STEP_BACK: &str = "Step back";
pub const TIME: &str = "Time";

pub fn speed(s: Speed) -> &'static str {
    match s {
        Speed::Half => "½×",
        Speed::One => "1×",
        Speed::Two => "2×",
        Speed::Four => "4×",
    }
}

pub fn speed_label(s: Speed) -> String {
    said("Speed {0}, change it", &[speed(s)])
}

// --- verdicts, events, footer
pub const VERDICTS: &str = "Verdicts";
pub const HELD: &str = "held";
pub const BROKEN: &str = "broken";
pub const NOT_REACHED: &str = "not reached";
pub const NOT_REACHED_TITLE: &str = "The run never came to where this could be judged.";
pub const CLEAR: &str = "Show everything again";
pub const EVENTS: &str = "Events";

pub fn two_for(length: &str) -> String {
    said("two for {0}", &[length])
}

pub fn events_of(design: &str) -> String {
    said("Events under “{0}”", &[design])
}

// --- notices
/// At a link that was followed while another story was open.
pub fn unknown_story_here(id: &str) -> String {
    said("The link names a story “{0}”, which this version does not have.", &[id])
}

pub fn unknown_story(id: &str) -> String {
    said("The link names a story “{0}”, which this version does not have. Here is the first story instead.", &[id])
}

pub const UNKNOWN_LINK: &str =
    "The link says something that this version does not understand. Here is the first story instead.";
pub const RESTORED_AFTER_CRASH: &str =
    "The page broke while your last scenario was open. It is kept: Undo brings it back.";

pub fn too_much_pasted(units: u32) -> String {
    said(
        "What you pasted has {0} thousand characters; a scenario has at most 64. Nothing was pasted, and your scenario is as it was.",
        &[&(units / 1_000).to_string()],
    )
}

// --- handing on
pub const COPY_LINK: &str = "Copy the link to this story";
pub const COPY_TEXT: &str = "Copy the scenario as text";
pub const DOWNLOAD: &str = "Save the scenario as a file";
pub const COPIED: &str = "Copied.";
pub const COPY_REFUSED: &str =
    "The browser did not let the page copy. Select the text under Scenario, Text, and copy it there.";
pub const SHARE_NAMED: &str = "The link names the story; whoever opens it runs it anew.";
pub const SHARE_EDITED: &str = "An edited scenario travels as text or as a file.";

// --- stories
pub const SEARCH: &str = "Search stories";
pub const SEARCH_HINT: &str = "A fault, a word of a key, a product: pause, drop, redis";
pub const GROUPS: &str = "Groups";
pub const ALL: &str = "All";
pub const PICK_MOVE: &str = " choose";
pub const PICK_OPEN: &str = " open";
pub const PICK_UNDO: &str = "Opening a story can be undone.";

pub fn pick_keep(title: &str) -> String {
    if title.is_empty() { " close".to_string() } else { said(" keep {0}", &[title]) }
}

pub fn no_story(query: &str) -> String {
    said("No story has “{0}”. Try a fault: pause, crash, drop, delay, clock.", &[query])
}

// --- text form
pub const WARNING: &str = "warning";
pub const NOTE: &str = "note";
pub const SHOW_WHAT_IS_WRONG: &str = "Show what is wrong";

pub fn line(n: u32) -> String {
    said("line {0}", &[&n.to_string()])
}

pub fn write(word: &str) -> String {
    said("Write {0}", &[word])
}

pub fn chip(c: Chip) -> &'static str {
    match c {
        Chip::Unsafe => "Unsafe",
        Chip::Safe => "Safe",
        Chip::Stuck => "Stuck",
        Chip::CutShort => "Cut short",
    }
}

pub fn more_events(shown: usize, all: usize) -> String {
    said("Showing {0} of {1} events (limit).", &[&shown.to_string(), &all.to_string()])
}

pub fn ended_quiet(at: TrueTime) -> String {
    said("quiet from {0} on", &[&at.to_string()])
}

pub fn ended_horizon(at: TrueTime) -> String {
    said("ended at the horizon, {0}", &[&at.to_string()])
}

pub fn ended_events(count: usize) -> String {
    said("cut short at {0} events", &[&count.to_string()])
}

pub fn footer(version: &str, seed: u64, digests: &str, endings: &str) -> String {
    said("Engine {0} · seed {1} · outcome {2} · {3}", &[version, &seed.to_string(), digests, endings])
}

// --- the marks, by their place in `ui::legend::Sign`
const SIGNS: [(&str, &str); 14] = [
    (
        "lease, at the service",
        "A lease: from the grant to its end, on the service, in the holder’s hue. A bar across its foot: it ran out.",
    ),
    ("belief, at the worker", "A belief: from learning of the grant to giving it up, on the worker."),
    ("belief without a lease", "A belief after the lease has ended: the worker is wrong and cannot know it."),
    ("paused", "Paused: no step of that node, while time goes on elsewhere."),
    ("fencing token", "A fencing token: the number of the grant, sent along with a write."),
    (
        "idle time squeezed",
        "Idle time is squeezed; what was left out stands beside the axis. Nothing else is out of proportion.",
    ),
    ("first difference", "The first instant at which the shown designs differ."),
    ("request", "A message. It slants by its true latency."),
    ("reply", "The answer to one."),
    ("write", "A write, in the hue of its worker."),
    ("lost", "A message that never arrives."),
    ("accepted too late", "The resource accepted what it should not have."),
    ("refused", "The resource refused, and says why."),
    ("two believe", "Two workers believe that they hold the lock. No lease can rule that out."),
];

/// Under the picture.
pub fn sign(index: usize) -> &'static str {
    SIGNS.get(index).or(drag::SIGNS.get(index.wrapping_sub(SIGNS.len()))).map_or("", |s| s.0)
}

/// In the help.
pub fn sign_long(index: usize) -> &'static str {
    SIGNS.get(index).or(drag::SIGNS.get(index.wrapping_sub(SIGNS.len()))).map_or("", |s| s.1)
}

// --- help
pub const HELP_HEAD: &str = "What one looks at";
pub const HELP_MARKS: &str = "Marks";
pub const HELP_KEYS: &str = "Keys";
pub const HELP_SERVICES: &str = "Lock services";
pub const HELP_TOKEN: &str = "Token:";
pub const HELP_RESTS: &str = "Rests on:";
pub const HELP_SOURCE: &str = "Source:";

pub const HELP_TEXT: &[(&str, &str)] = &[
    (
        "The picture",
        "is one run of a story, read downwards in true time, which no node can see. The same story runs under every ticked design, so what differs between columns is what the design did.",
    ),
    ("A grant", "is what the lock service did: it stored who holds, and until when by its own clock."),
    ("A belief", "is what a worker thinks: that it holds. It may be wrong, and a paused worker cannot find out."),
    (
        "Safe and unsafe",
        "speak about effects at the resource, not about beliefs. That two workers believe at once is shown as information: no lease prevents it without bounds on pauses, delays and clocks.",
    ),
    ("Every time", "on the page is exact. Colour says whose, shape says what, words say so."),
];

pub const KEYS: &[(&str, &str)] = &[
    ("Space", "play, and stop"),
    ("← →, PgUp PgDn .", "to the event before, to the next"),
    ("Home End", "to the beginning, to the end"),
    ("[ ]", "to the fault before, to the next"),
    ("↑ ↓", "on the picture: to the next event or thing that can be moved"),
    ("← →, PgUp PgDn", "on a thing that can be moved: by a step, by ten; with Alt by a millisecond"),
    ("M, menu key", "on the picture: what can happen there"),
    ("+ − 0", "the picture taller, less tall, as it fits"),
    ("Ctrl Z, Ctrl Shift Z", "undo, redo"),
    ("?", "this panel"),
    ("Esc", "close what is open, show everything again"),
];

/// The first letter large: names of groups stand at the beginning of a line.
pub fn capital(s: &str) -> String {
    let mut chars = s.chars();
    chars.next().map_or(String::new(), |c| std::iter::once(c.to_ascii_uppercase()).chain(chars).collect())
}
