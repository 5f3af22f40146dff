//! A run as rows, for formats that draw a sequence: messages, and a note for everything else that the list of events tells.
//!
//! Read from the same sequence as the picture: retries are folded, a call to a group is one message and one answer, and so is the wording.

use super::shown;
use crate::base::flat::FlatSet;
use crate::base::{Span, TrueTime};
use crate::run::Run;
use crate::trace::{EventKind, EventSeq};
use crate::view::sequence::{Arrow, ArrowFate, Sequence};
use crate::view::{EventLine, events, read, text};

/// A run, ready to be written row by row.
pub struct Rows {
    pub seq: Sequence,
    /// In the order in which they stand: by arrival of messages, by instant of everything else.
    pub rows: Vec<Row>,
    /// The typical latency.
    pub typical: Span,
}

/// One row.
pub enum Row {
    /// An index into the arrows of the sequence.
    Message(usize),
    /// A lane, and what happened there.
    Note(usize, EventLine),
}

impl Rows {
    pub fn of(run: &Run) -> Rows {
        let mut keep: FlatSet<EventSeq> = FlatSet::new();
        for property in run.violated() {
            if let Some(v) = run.report.verdict(property).violation() {
                v.witnesses.iter().for_each(|seq| {
                    keep.insert(*seq);
                });
            }
        }
        let seq = read::read(&run.roster, &run.log, run.ending, &keep);
        let mut latencies: Vec<Span> = Vec::new();
        seq.latencies(&mut latencies);
        let typical = crate::view::axis::typical(latencies);
        let drawn = |seq_of: EventSeq| seq.arrows.iter().any(|a| a.seq == seq_of);
        let mut rows: Vec<(TrueTime, u32, Row)> = Vec::new();
        for line in events::events(&shown(run), &seq) {
            let Some(event) = run.log.get(line.seq) else { continue };
            let message = matches!(event.kind, EventKind::Sent { .. } | EventKind::Lost { .. });
            if !(message && drawn(line.seq)) {
                rows.push((line.at, line.seq.0, Row::Note(seq.lanes.lane(event.node), line)));
            }
        }
        for (i, a) in seq.arrows.iter().enumerate() {
            let (at, place) = match (a.arrived, a.arrival) {
                (Some(at), Some(place)) => (at, place),
                _ => (a.sent, a.seq),
            };
            rows.push((at, place.0, Row::Message(i)));
        }
        // Of one instant in the order of the log; a message before what its arrival brings about.
        rows.sort_by_key(|(at, place, row)| (*at, *place, matches!(row, Row::Note(..))));
        Rows { seq, typical, rows: rows.into_iter().map(|r| r.2).collect() }
    }

    /// What stands on a message: its longest words.
    pub fn label(arrow: &Arrow) -> &str {
        let label = text::longest(&arrow.label);
        if label.is_empty() { arrow.kind.topic.word() } else { label }
    }

    /// When it was sent and when it arrived, or what became of it.
    pub fn times(arrow: &Arrow) -> String {
        use crate::app::text::share as words;
        let sent = seconds(arrow.sent);
        match (arrow.arrived, arrow.fate) {
            (_, ArrowFate::Lost(_)) => words::sent_lost(&sent),
            (Some(at), _) => words::sent_arrived(&sent, &seconds(at)),
            (None, _) => words::sent_under_way(&sent),
        }
    }
}

/// Seconds with three decimals, as lists show them.
pub fn seconds(at: TrueTime) -> String {
    crate::base::time::seconds(at.as_us())
}
