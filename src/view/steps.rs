//! The picture in order, not in time: one row per message and per local event, in all columns alike. A row has no length.
//!
//! An arrow is level unless something happens while it is under way; then it arrives where that is over. What an arrival sets off stands
//! on the arrival's row. So every instant has a height, as on the axis of true time, and only where an arrow begins is its own.

use super::axis::Axis;
use super::sequence::Sequence;
use crate::base::{Span, TrueTime};

/// px from row to row.
pub const ROW: f64 = 20.0;

/// What gets a row: a message by its lanes and its kind, and which of its equals it is; something local by its instant alone.
#[derive(Clone, PartialEq)]
struct Row {
    at: TrueTime,
    message: Option<(usize, usize, usize, usize)>,
}

/// Gives every arrow its row, and says where every instant stands.
pub fn rows(seqs: &mut [Sequence], q: Span, more: &[TrueTime], top: f64, tail: f64) -> Axis {
    let mut rows: Vec<Row> = Vec::new();
    let mut of_arrow: Vec<Vec<usize>> = Vec::new();
    let (mut local, mut touched): (Vec<TrueTime>, Vec<TrueTime>) = (more.to_vec(), Vec::new());
    for seq in seqs.iter() {
        let mut own = Vec::new();
        for (i, a) in seq.arrows.iter().enumerate() {
            let same = |b: &&super::sequence::Arrow| (b.sent, b.from, b.to, b.kind) == (a.sent, a.from, a.to, a.kind);
            let nth = seq.arrows[..i].iter().rev().take_while(|b| b.sent == a.sent).filter(same).count();
            let row = Row { at: a.sent, message: Some((a.from, a.to, a.kind.index(), nth)) };
            let known = rows.iter().rposition(|r| *r == row);
            own.push(known.unwrap_or_else(|| {
                rows.push(row);
                rows.len() - 1
            }));
            touched.push(a.sent);
            touched.push(a.lands(q));
        }
        of_arrow.push(own);
        seq.instants(q, &mut local);
        local.extend(seq.folds.iter().map(|f| f.at));
    }
    super::order::instants(&mut touched);
    super::order::instants(&mut local);
    for at in local.iter().filter(|t| touched.binary_search(t).is_err()) {
        rows.push(Row { at: *at, message: None });
    }
    // In order of time, and of equals as they were found.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    super::order::by_key(&mut order, |i| (rows[*i].at.as_us(), 0));
    let mut place = vec![0; rows.len()];
    for (to, from) in order.iter().enumerate() {
        place[*from] = to;
    }
    let times: Vec<TrueTime> = order.iter().map(|i| rows[*i].at).collect();
    let y = |row: usize| top + ROW * row as f64;
    // Where arrivals stand, and by that every instant.
    let mut known: Vec<(TrueTime, usize)> = Vec::new();
    for (seq, own) in seqs.iter().zip(&of_arrow) {
        for (a, row) in seq.arrows.iter().zip(own) {
            let (lands, row) = (a.lands(q), place[*row]);
            let after = times.partition_point(|t| *t <= a.sent);
            let before = times.partition_point(|t| *t < lands);
            known.push((lands, if after < before { before - 1 } else { row }));
        }
    }
    for (i, at) in times.iter().enumerate() {
        if i == 0 || times[i - 1] != *at {
            known.push((*at, i));
        }
    }
    super::order::by_key(&mut known, |(t, row)| (t.as_us(), *row as i64));
    let (mut t, mut h): (Vec<TrueTime>, Vec<f64>) = (Vec::new(), Vec::new());
    let mut last = 0;
    for (at, row) in known {
        last = last.max(row);
        // What arrives at an instant comes before what is sent then: of several rows it is the first, but for arrivals among each other.
        if t.last() != Some(&at) {
            t.push(at);
            h.push(y(last));
        }
    }
    let axis = Axis::of_rows(t, h, times.iter().enumerate().map(|(i, t)| (*t, y(i))).collect(), q, tail);
    for (seq, own) in seqs.iter_mut().zip(&of_arrow) {
        seq.levels = seq
            .arrows
            .iter()
            .zip(own)
            .map(|(a, row)| {
                let (row, lands) = (place[*row], a.lands(q));
                let quiet = times.partition_point(|t| *t <= a.sent) >= times.partition_point(|t| *t < lands);
                (y(row), if quiet { y(row) } else { axis.y(lands) })
            })
            .collect();
    }
    axis
}
