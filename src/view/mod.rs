//! Pictures of runs: a log in, SVG text out. Pure, and equal natively and in wasm.
//!
//! One picture, read downwards. Colour says whose, shape says what, words say so. Everything that is drawn comes from the log of a run and
//! the verdicts about it; nothing here can reach the simulator.
//!
//! Read in this order. [`read`] turns a log into a [`sequence`] in true time, on [`lanes`]. [`compare`] finds where runs first differ.
//! [`axis`] squeezes time, [`layout`] knows how much room there is. [`notes`] and [`labels`] say what is written, [`placing`] where it
//! stands. [`beats`] tells the story on the rail, [`verdict`] judges it in one sentence, [`events`] lists it, [`track`] shows it to scale.
//! [`paint`] turns all of it into text. [`picture`] is all of that in one call, [`standalone`] a whole document.

pub mod arrange;
pub mod axis;
pub mod beats;
mod clock;
pub mod compare;
pub mod events;
#[cfg(test)]
mod gallery;
pub mod grid;
pub mod grips;
pub mod labels;
pub mod lanes;
pub mod layout;
pub mod marks;
mod moments;
pub mod notes;
pub(crate) mod order;
pub mod paint;
pub mod placing;
pub mod read;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod samples_more;
#[cfg(test)]
mod samples_random;
pub mod sequence;
pub mod sight;
pub mod steps;
pub mod text;
pub mod track;
pub mod verdict;
mod words;

pub use axis::Axis;
pub use grips::{Grip, Hold};
pub use layout::Layout;
pub use paint::Body;
pub use paint::standalone::standalone;
pub use sight::Sight;
pub use track::Track;

use crate::base::flat::FlatSet;
use crate::base::{NodeId, Span, TrueTime};
use crate::check::report::{Property, Report};
use crate::trace::{Ending, EventSeq, Roster, TraceLog};
use axis::{Knots, Need};
use compare::Difference;
use grid::Rect;
use lanes::{Lane, LaneKind};
use layout::Places;
use notes::Note;
use paint::Words;
use placing::Scene;
use sequence::Sequence;
use std::rc::Rc;

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
    pub layout: Rc<Layout>,
    pub axis: Rc<Axis>,
    /// px of rail and columns, without the heads.
    pub height: f64,
    /// One per shown run, in their order.
    pub columns: Vec<Column>,
    pub beats: Vec<Beat>,
    pub first_difference: Option<TrueTime>,
    /// Which marks occur, a bit for each [`marks::Sign`].
    pub marks: u32,
}

/// One run of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// SVG of the participants, for the sticky head.
    pub heads: String,
    /// px of the head.
    pub heads_height: f64,
    /// The diagram, to be written down as SVG.
    pub body: Body,
    /// px; wider than the layout's column if the lanes do not fit.
    pub width: f64,
    pub chip: Chip,
    /// The one sentence under the chip.
    pub sentence: String,
    /// The same run as a list; `data-n` of a message is its line's number.
    pub events: Vec<EventLine>,
    /// The same run unsqueezed.
    pub track: Track,
    /// What of it can be moved, for a picture that can be worked with.
    pub grips: Vec<Grip>,
    /// Where its lanes stand.
    pub lanes: Vec<PlacedLane>,
}

/// What a message says that found no room for it. px
#[derive(Clone, PartialEq, Debug)]
pub struct Tip {
    /// The middle of its arrow.
    pub x: f64,
    pub y: f64,
    pub text: String,
}

/// A lane of a column. px
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedLane {
    pub x: f64,
    /// The right edge of its marks.
    pub right: f64,
    pub nodes: Vec<NodeId>,
    pub name: String,
    pub kind: LaneKind,
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

impl Picture {
    /// What of the rail is in sight, as SVG of the size of the whole.
    pub fn rail(&self, sight: &Sight) -> String {
        paint::rail::rail(&self.axis, &self.layout, &self.beats, self.first_difference, sight)
    }
}

/// Draws `shown` on one axis. `judged`: the properties that decide about the chips.
pub fn picture(shown: &[Shown], judged: &[Property], layout: &Layout) -> Picture {
    let mut drawn = Drawn::new(shown, judged, layout);
    if layout.steps {
        let more: Vec<TrueTime> = drawn.difference.iter().map(|d| d.at).collect();
        let axis = steps::rows(&mut drawn.seqs, drawn.q, &more, layout.top, layout.tail);
        return drawn.paint(Rc::new(axis));
    }
    let mut needs: Vec<Need> = Vec::new();
    for n in &drawn.notes {
        notes::needs(n, layout, &mut needs);
    }
    let pitch = layout.pitch.unwrap_or_else(|| drawn.knots.pitch_for(layout.height, layout.top, layout.tail, &needs));
    // Zoomed out, it may be closer than is good to read, and zoomed in as far apart as somebody wants.
    let pitch = if layout.zoom == 1.0 { pitch } else { (pitch * layout.zoom).clamp(3.0, 120.0) };
    let axis = Axis::new(&drawn.knots, pitch, layout.top, layout.tail, &needs);
    drawn.paint(Rc::new(axis))
}

/// Draws `shown` on an axis that stays as it is: while something is dragged, rows must not move under the pointer.
pub fn picture_on(axis: &Rc<Axis>, shown: &[Shown], judged: &[Property], layout: &Layout) -> Picture {
    Drawn::new(shown, judged, layout).paint(axis.clone())
}

/// Everything about a picture that needs no axis.
struct Drawn<'a> {
    shown: &'a [Shown<'a>],
    judged: &'a [Property],
    layout: &'a Layout,
    difference: Option<Difference>,
    seqs: Vec<Sequence>,
    q: Span,
    knots: Knots,
    notes: Vec<Vec<Note>>,
}

impl<'a> Drawn<'a> {
    fn new(shown: &'a [Shown<'a>], judged: &'a [Property], layout: &'a Layout) -> Drawn<'a> {
        let difference = compare::first_difference(shown);
        let mut seqs: Vec<Sequence> = Vec::with_capacity(shown.len());
        for (i, s) in shown.iter().enumerate() {
            let mut keep: FlatSet<EventSeq> = FlatSet::new();
            for (p, v) in &s.report.verdicts {
                if judged.contains(p)
                    && *p != Property::NoProgress
                    && let Some(v) = v.violation()
                {
                    for seq in &v.witnesses {
                        keep.insert(*seq);
                    }
                }
            }
            if let Some(seq) = difference.as_ref().and_then(|d| d.events[i]) {
                keep.insert(seq);
            }
            if layout.tries {
                s.log.events().iter().for_each(|e| {
                    keep.insert(e.seq);
                });
            }
            let mut seq = read::read(s.roster, s.log, s.ending, &keep);
            arrange::arrange(&mut seq, &layout.arrange);
            seqs.push(seq);
        }
        let mut latencies: Vec<Span> = Vec::new();
        for s in &seqs {
            s.latencies(&mut latencies);
        }
        let q = axis::typical(latencies);
        let (mut instants, mut flights): (Vec<TrueTime>, Vec<(TrueTime, TrueTime)>) = (Vec::new(), Vec::new());
        for s in &seqs {
            s.instants(q, &mut instants);
            for a in &s.arrows {
                flights.push((a.sent, a.lands(q)));
            }
        }
        if let Some(d) = &difference {
            instants.push(d.at);
        }
        let knots = Knots::new(instants, &flights, q);
        let notes = seqs.iter().map(|s| notes::notes(s, &knots, layout)).collect();
        Drawn { shown, judged, layout, difference, seqs, q, knots, notes }
    }

    fn paint(self, axis: Rc<Axis>) -> Picture {
        let layout: Rc<Layout> = Rc::new(self.layout.clone());
        let beats = beats::beats(self.shown, &self.seqs, self.judged, self.difference.as_ref(), &axis, self.layout);
        let at: Rc<[TrueTime]> = beats.iter().map(|b| b.at).collect();
        let first_difference = self.difference.as_ref().map(|d| d.at);
        let marks = marks::marks(&self.seqs, &axis, first_difference.is_some());
        let room = Room { axis: &axis, layout: &layout, beats: &at, first_difference };
        let mut columns = Vec::with_capacity(self.shown.len());
        for (i, (seq, notes)) in self.seqs.into_iter().zip(self.notes).enumerate() {
            columns.push(column(self.shown, i, Rc::new(seq), &notes, self.judged, &room));
        }
        Picture { layout, height: axis.height(), marks, axis, columns, beats, first_difference }
    }
}

/// What all columns of a picture share.
struct Room<'a> {
    axis: &'a Rc<Axis>,
    layout: &'a Rc<Layout>,
    beats: &'a Rc<[TrueTime]>,
    first_difference: Option<TrueTime>,
}

fn column(shown: &[Shown], i: usize, seq: Rc<Sequence>, notes: &[Note], judged: &[Property], room: &Room) -> Column {
    let (s, layout) = (&shown[i], room.layout);
    let uid = text::said("{a}{b}", &[&layout.prefix, &text::whole(i as u64)]);
    let places = Rc::new(layout.place(&seq.lanes.lanes));
    let mut scene = Scene::new(seq.clone(), room.axis.clone(), layout.clone(), places.clone());
    scene.notes(notes);
    let alike = shown[..i].iter().find(|o| compare::alike(o, s)).map(|o| o.name);
    let sentence = verdict::sentence(s, &seq, judged, alike);
    let chip = verdict::chip(s, judged);
    Column {
        heads: paint::heads::heads(&seq, layout, &places, &uid),
        heads_height: layout.heads,
        width: places.width,
        chip,
        events: events::events(s, &seq),
        track: track::of_sequence(&seq, room.axis.last()),
        lanes: seq.lanes.lanes.iter().enumerate().map(|(i, l)| PlacedLane::new(i, l, &places, layout)).collect(),
        grips: if layout.live && !layout.steps { grips::grips(&scene, s.log) } else { Vec::new() },
        body: Body::new(
            scene,
            Words {
                uid,
                title: text::said("{a}: {b}", &[s.name, chip.word()]),
                description: sentence.clone(),
                beats: room.beats.clone(),
                first_difference: room.first_difference,
                numbers: events::numbers(s, &seq),
            },
        ),
        sentence,
    }
}

impl PlacedLane {
    fn new(i: usize, lane: &Lane, places: &Places, layout: &Layout) -> PlacedLane {
        PlacedLane {
            x: places.x(i),
            right: places.right_edge(i, layout),
            nodes: lane.nodes.clone(),
            name: lane.name.clone(),
            kind: lane.kind,
        }
    }
}

impl PlacedBox {
    #[inline(never)]
    fn new(r: &Rect, text: &str) -> PlacedBox {
        PlacedBox { x: r.x0, y: r.y0, w: r.x1 - r.x0, h: r.y1 - r.y0, text: text.to_string() }
    }
}
