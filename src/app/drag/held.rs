//! Something taken hold of: where it may go, what it writes there, and how that is said.

use crate::app::history::EditKey;
use crate::app::state::Draft;
use crate::app::text::drag as text;
use crate::base::{Span, TrueTime};
use crate::scenario::edit;
use crate::scenario::moment::When;
use crate::scenario::quantity::write_time;
use crate::scenario::registry::{Section, row};
use crate::scenario::tree::{Node, Table};
use crate::view::Axis;
pub use crate::view::Hold;

/// Something taken hold of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    pub column: usize,
    /// The grip's id: what it is, whatever happens to the run.
    pub id: String,
    pub hold: Hold,
    /// Where it was taken.
    pub from: TrueTime,
    /// It goes no further back.
    pub least: TrueTime,
    pub(super) change: Change,
    pub(super) tells: Tells,
}

/// Which value of the text it stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Change {
    /// A moment: an instant, or so long after a point.
    Moment {
        path: String,
        was: When,
    },
    /// A length of time.
    Length {
        path: String,
        was: Span,
        rate_ppm: i64,
    },
    /// How long a message takes, in a fault that is there; or in a new one with these keys.
    Takes {
        path: String,
    },
    New {
        keys: Vec<(&'static str, String)>,
    },
}

/// What is said of it: a length from somewhere, or an instant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tells {
    At,
    /// From here on.
    Since(TrueTime),
    /// A length that was so long where it was taken.
    Length(Span),
}

impl Held {
    /// Steps of one drag are one change.
    pub fn key(&self) -> EditKey {
        EditKey::Field(["drag ", &self.id].concat())
    }

    /// The text with it at `to`, if that can be run; otherwise what is in the way.
    ///
    /// # Errors
    /// A sentence for people.
    pub fn draft(&self, text: &str, to: TrueTime) -> Result<Draft, String> {
        let to = to.max(self.least);
        let moved = to.since(self.from);
        let made = match &self.change {
            Change::Moment { path, was } => edit::set_typed(text, path, &moment(was, moved, to)),
            Change::Length { path, was, rate_ppm } => {
                let us = was.as_us() + moved.as_us() * rate_ppm / 1_000_000;
                edit::set_typed(text, path, &write_time(Span::from_us(us.max(0))))
            }
            Change::Takes { path } => edit::set_typed(text, path, &write_time(to.since(self.least))),
            Change::New { keys } => {
                let takes = write_time(to.since(self.least));
                add_fault(text, keys.iter().map(|(k, v)| (*k, v.as_str())).chain([("takes", takes.as_str())]))
            }
        };
        super::runnable(made.map_err(|d| d.message)?)
    }

    /// `paused 14.5 s → 12.3 s`.
    pub fn says(&self, to: TrueTime) -> String {
        text::moved(self.hold, &self.value(self.from), &self.value(to.max(self.least)))
    }

    /// `paused 12.3 s`.
    pub fn says_at(&self, to: TrueTime) -> String {
        text::stands(self.hold, &self.value(to.max(self.least)))
    }

    fn value(&self, to: TrueTime) -> String {
        match self.tells {
            Tells::At => crate::view::text::instant(to),
            Tells::Since(start) => crate::view::text::span(to.since(start)),
            Tells::Length(was) => {
                let us = was.as_us() + to.since(self.from).as_us();
                crate::view::text::span(Span::from_us(us.max(0)))
            }
        }
    }
}

/// A moment, moved. What is fixed to a point stays so.
fn moment(was: &When, moved: Span, to: TrueTime) -> String {
    match was {
        When::Point { offset, worker, point, n } => {
            let offset = Span::from_us((offset.as_us() + moved.as_us()).max(0));
            When::Point { offset, worker: worker.clone(), point: *point, n: *n }.text()
        }
        When::At(_) => {
            // Of what comes again and again, the first time moves by as much. What was drawn by chance is fixed from now on.
            let was = crate::scenario::quantity::time(&was.text());
            let us = was.map_or(to.as_us(), |was| was.as_us() + moved.as_us());
            write_time(Span::from_us(us.max(0)))
        }
    }
}

/// The text with a fault more: its verb first.
pub(super) fn add_fault<'a>(
    text: &str,
    keys: impl Iterator<Item = (&'static str, &'a str)>,
) -> Result<String, crate::scenario::Diagnostic> {
    let mut entry = Table::default();
    for (key, typed) in keys {
        entry.set(key, Node::new(edit::typed_value(row(Section::Fault, key), typed)));
    }
    edit::add(text, "fault", &entry)
}

/// How far one step goes where a px is so long, µs: a power of ten, and at least a millisecond.
pub fn stride(us_per_px: f64) -> i64 {
    let mut step = 1_000;
    while step < 100_000_000 && (step * 10) as f64 <= us_per_px {
        step *= 10;
    }
    step
}

/// The instant at a height of the picture, in steps that a hand can aim at. `coarse`: ten times as far.
pub fn instant_at(axis: &Axis, y: f64, coarse: bool) -> TrueTime {
    let (us, per_px) = axis.reach(y);
    let step = stride(per_px) * if coarse { 10 } else { 1 };
    TrueTime::from_us((us / step as f64 + 0.5) as i64 * step)
}
