//! What happened: the one log. Diagram, verdicts, statistics, exports and the text for a screen reader all read it.

pub mod event;
pub mod log;
pub mod names;
pub mod text;
pub mod values;

#[cfg(test)]
pub(crate) mod story;

pub use event::{EndWhy, Ending, EventKind, EventSeq, Fate, LostWhy, TraceEvent};
pub use log::{EventSink, Fork, Nothing, Participant, Role, Roster, TraceLog};
pub use names::Names;
pub use text::Narrator;
pub use values::Values;
