//! Every word that the page says itself, in one place, ready for translation.
//!
//! What a run or a scenario says about itself (verdicts, captions, diagnostics, events) comes from `check`, `view` and `scenario`,
//! in the words of their catalogues. House rules for all of it: a sentence has a subject, a time and one fact; a grant is what a
//! service did, a belief is what a worker thinks; no word stands for a picture that a screen reader cannot see.

use super::state::{Speed, Theme};

pub const BRAND: &str = "Fencepost";

pub fn document_title(story: &str) -> String {
    if story.is_empty() { BRAND.to_string() } else { format!("{story} · {BRAND}") }
}

// --- top bar
pub const STORIES: &str = "Stories";
pub const EDITED: &str = "edited";
pub const UNDO: &str = "Undo";
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
    format!("Tick “{design}”")
}

/// Over the last good run, while the text has an error.
pub fn stale(line: Option<u32>) -> String {
    match line {
        Some(line) => format!("Shows the last scenario that ran, from before line {line}."),
        None => "Shows the last scenario that ran, from before the last change.".to_string(),
    }
}

pub fn go_to_line(line: u32) -> String {
    format!("Go to line {line}")
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
    format!("Speed {}, change it", speed(s))
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
    format!("two for {length}")
}

pub fn events_of(design: &str) -> String {
    format!("Events under “{design}”")
}

// --- notices
pub fn unknown_story(id: &str) -> String {
    format!("The link names a story “{id}”, which this version does not have. Here is the first story instead.")
}

pub const UNKNOWN_LINK: &str = "The link says something that this version does not understand. Here is the first story instead.";
