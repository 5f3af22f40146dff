//! The transport's track: the same run with time unsqueezed, so that nobody is misled by the axis.

use super::lanes::hue;
use super::read::read;
use super::sequence::{BarKind, Sequence};
use super::text::said;
use super::{Picture, Shown};
use crate::base::flat::FlatSet;
use crate::base::{NodeId, Span, TrueTime};

/// What the track shows of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Track {
    /// The track goes from zero to here: a round length a little beyond the run.
    pub total: Span,
    pub leases: Vec<Stretch>,
    pub pauses: Vec<Stretch>,
}

/// A stretch of the track.
#[derive(Clone, PartialEq, Debug)]
pub struct Stretch {
    /// Percent of the whole track.
    pub left: f64,
    pub width: f64,
    /// Class of the worker's hue.
    pub hue: &'static str,
    /// What it is, and shorter for later ones: "W1’s lease", "W2’s".
    pub label: String,
    /// Percent that the label may take before the next one begins.
    pub room: f64,
}

/// The track of one run. `end`: where the picture's axis ends, so that all runs share one length.
pub fn track(s: &Shown, end: TrueTime) -> Track {
    let seq = read(s.roster, s.log, s.ending, &FlatSet::new());
    of_sequence(&seq, end)
}

pub(super) fn of_sequence(seq: &Sequence, end: TrueTime) -> Track {
    let total = round_up(end.since(TrueTime::ZERO));
    let percent =
        |t: TrueTime| (t.since(TrueTime::ZERO).as_us() as f64 / total.as_us() as f64 * 100.0).clamp(0.0, 100.0);
    let stretch = |from: TrueTime, to: Option<TrueTime>, worker: NodeId, label: String| {
        let (a, b) = (percent(from), percent(to.unwrap_or(end)));
        Stretch { left: a, width: b - a, hue: hue(worker), label, room: 100.0 - a }
    };
    let mut leases: Vec<Stretch> = Vec::new();
    for b in seq.bars.iter().filter(|b| b.kind == BarKind::Lease) {
        let name = seq.lanes.name(b.worker);
        let label = said(if leases.is_empty() { "{a}’s lease" } else { "{a}’s" }, &[name]);
        leases.push(stretch(b.from, b.to, b.worker, label));
    }
    let mut pauses: Vec<Stretch> = Vec::new();
    for p in &seq.pauses {
        if seq.lanes.is_worker(p.node) {
            pauses.push(stretch(p.from, p.to, p.node, said("{a} paused", &[seq.lanes.name(p.node)])));
        }
    }
    for list in [&mut leases, &mut pauses] {
        // Percents are not negative, and so their bits are in their order.
        super::order::by_key(list, |s| (s.left.to_bits() as i64, 0));
        for i in 1..list.len() {
            list[i - 1].room = list[i].left - list[i - 1].left;
        }
    }
    Track { total, leases, pauses }
}

/// The next round length above `d`: 15.02 s is shown on a track of 16 s.
fn round_up(d: Span) -> Span {
    let us = d.as_us().max(1);
    let mut unit = 1i64;
    'grow: loop {
        for step in [1, 2, 5] {
            if unit * step * 12 > us {
                break 'grow;
            }
        }
        unit *= 10;
    }
    // The largest of 1, 2, 5 × 10ⁿ that is at most a twelfth of the length.
    let mut best = 1;
    for step in [1, 2, 5, 10, 20, 50] {
        let u = (unit / 10).max(1) * step;
        if u * 12 <= us {
            best = best.max(u);
        }
    }
    Span::from_us((us + best - 1) / best * best)
}

/// The instants at which playing stops and stepping goes to: every row of the axis.
pub fn steps(p: &Picture) -> &[TrueTime] {
    p.axis.instants()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_track_has_a_round_length() {
        for (ms, want) in [(15_020, 16_000), (5_270, 5_400), (60_000, 60_000), (16_000, 16_000), (7, 7)] {
            assert_eq!(round_up(Span::from_ms(ms)), Span::from_ms(want), "{ms} ms");
        }
    }
}
