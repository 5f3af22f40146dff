//! Pictures of runs: a log in, SVG text out. Pure, and equal natively and in wasm.
//!
//! One picture, read downwards. Colour says whose, shape says what, words say so. Everything that is drawn comes from the log of a run and
//! the verdicts about it; nothing here can reach the simulator.

pub mod axis;
pub mod layout;

pub use axis::Axis;
pub use layout::Layout;

use crate::base::TrueTime;
use crate::check::report::{Property, Report};
use crate::trace::{Ending, EventSeq, Roster, TraceLog};

/// One run to be drawn, under the name of its design.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub name: &'a str,
    pub roster: &'a Roster,
    pub log: &'a TraceLog,
    pub report: &'a Report,
    pub ending: Ending,
}

/// All columns of a comparison on one axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    pub layout: Layout,
    pub axis: Axis,
    /// px of rail and columns, without the heads.
    pub height: f64,
    /// SVG of the rail.
    pub rail: String,
    /// One per shown run, in their order.
    pub columns: Vec<Column>,
    pub beats: Vec<Beat>,
    pub first_difference: Option<TrueTime>,
}

/// One run of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// SVG of the participants, for the sticky head.
    pub heads: String,
    /// px of the head.
    pub heads_height: f64,
    /// SVG of the diagram.
    pub body: String,
    /// px; wider than the layout's column if the lanes do not fit.
    pub width: f64,
    pub chip: Chip,
    /// The one sentence under the chip.
    pub sentence: String,
    /// Where text and badges stand, for tests of the geometry.
    pub boxes: Vec<PlacedBox>,
}

/// A rectangle taken by a piece of text or a badge. px.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedBox {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
    pub text: String,
}

/// A line of the story on the rail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Beat {
    pub at: TrueTime,
    /// At most two short lines; empty where the rail shows times only.
    pub caption: Vec<String>,
}

/// The judgement over a column's head.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Chip {
    /// A judged property other than progress is broken.
    Unsafe,
    Safe,
    /// Only progress is broken.
    Stuck,
    /// The run hit the limit on events; what comes after is not known.
    CutShort,
}

/// One line of the event list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventLine {
    /// From 1; the number that stands for a label that found no room.
    pub n: u32,
    pub at: TrueTime,
    pub text: String,
    /// This is where a promise broke.
    pub hot: bool,
    /// The event it tells of; of folded retries the first one that is not drawn.
    pub seq: EventSeq,
}

/// Draws `shown` on one axis. `judged`: the properties that decide about the chips.
pub fn picture(shown: &[Shown], judged: &[Property], layout: &Layout) -> Picture {
    let _ = judged;
    Picture {
        layout: layout.clone(),
        axis: Axis::default(),
        height: layout.height,
        rail: String::new(),
        columns: shown
            .iter()
            .map(|_| Column {
                heads: String::new(),
                heads_height: 46.0,
                body: String::new(),
                width: layout.column,
                chip: Chip::Safe,
                sentence: String::new(),
                boxes: Vec::new(),
            })
            .collect(),
        beats: Vec::new(),
        first_difference: None,
    }
}

pub fn events(_: &Shown) -> Vec<EventLine> {
    Vec::new()
}
pub enum TrackKind {
    Lease,
    Pause,
}
pub struct TrackSpan {
    pub kind: TrackKind,
    pub from: TrueTime,
    pub to: TrueTime,
    pub hue: String,
    pub label: Option<String>,
}
pub fn track(_: &Shown) -> Vec<TrackSpan> {
    Vec::new()
}
