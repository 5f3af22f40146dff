//! What is written beside bars and marks: which notes a run gets, before anybody knows where they fit.
//!
//! Notes say what a bar is, how it ended and what the resource made of a write. Those that belong to a stretch of time stand in a squeezed gap of
//! it, where no message is in flight; those that belong to an instant stand at it. Each has shorter forms; the placing takes the longest
//! that fits.

mod writer;

use super::axis::{Knots, Need};
use super::lanes;
use super::layout::{Layout, Words};
use super::sequence::Sequence;
use super::text;
use crate::base::{NodeId, TrueTime};

/// A note without a place.
#[derive(Clone, PartialEq, Debug)]
pub struct Note {
    pub anchor: Anchor,
    pub when: When,
    /// What it says, see [`text::forms`]; an empty form may be left out. Ways to set it stand between [`text::BLOCK`]s.
    pub text: String,
    pub tone: Tone,
    /// It carries the story: it stays where there is room for few words only.
    pub key: bool,
    /// Order of placing: 0 gets the best places.
    pub rank: u8,
}

/// What a note stands beside.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Anchor {
    /// A lane; the other side is tried if `flips`.
    Lane { lane: usize, left: bool, flips: bool },
    /// The cross of a lost message: index of the arrow.
    Cross(usize),
}

#[derive(Clone, PartialEq, Debug)]
pub enum When {
    /// At an instant, its first baseline so many px below it.
    At(TrueTime, f64),
    /// In the middle of one of these stretches, best first.
    In(Vec<(TrueTime, TrueTime)>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// In the hue of a worker.
    Of(NodeId),
    Ink,
    Ink2,
    Ink3,
    Bad,
    BadBold,
    Good,
}

impl Tone {
    pub fn class(self) -> &'static str {
        match self {
            Tone::Of(w) => lanes::hue(w),
            Tone::Ink => "ink",
            Tone::Ink2 => "ink2",
            Tone::Ink3 => "ink3",
            Tone::Bad => "bad",
            Tone::BadBold => "badb",
            Tone::Good => "good",
        }
    }

    pub fn bold(self) -> bool {
        matches!(self, Tone::BadBold | Tone::Good)
    }
}

/// All notes of a run that the layout has words for, in the order of placing.
pub fn notes(seq: &Sequence, knots: &Knots, layout: &Layout) -> Vec<Note> {
    if layout.words == Words::None {
        return Vec::new();
    }
    let mut out = writer::Writer::write(seq, knots, layout);
    if layout.words == Words::Few {
        out.retain(|n| n.key);
    }
    super::order::by_key(&mut out, |n| (n.rank.into(), 0));
    out
}

/// Room that the notes need along the axis.
pub fn needs(notes: &[Note], layout: &Layout, out: &mut Vec<Need>) {
    for n in notes {
        if let When::In(gaps) = &n.when
            && let Some((from, to)) = gaps.first()
        {
            let lines = text::parts(text::part(&n.text, text::BLOCK, 0).unwrap_or_default(), text::LINE) as f64;
            out.push(Need { from: *from, to: *to, px: lines * layout.line() + 3.0 });
        }
    }
}
