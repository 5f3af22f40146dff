//! The rail's beats: the story in at most eight short lines, chosen over all shown runs.
//!
//! A candidate is an instant at which somebody takes, waits, pauses, loses, writes. The important ones are chosen first and keep their distance;
//! the first difference is always there.

use super::Beat;
use super::Shown;
use super::axis::Axis;
use super::compare::Difference;
use super::layout::{Layout, Words};
use super::sequence::{Asked, BarEnd, BarKind, Moment, Sequence, What};
use super::text;
use crate::base::flat::FlatMap;
use crate::base::{NodeId, Thread, TrueTime};
use crate::check::report::Property;
use crate::trace::EventSeq;

/// At most so many beats.
const MOST: usize = 8;
/// A line of words needs so much below the line before it. px.
const APART: f64 = 28.0;
/// Two lines of words need this. px.
const APART_TWO: f64 = 42.0;
/// Times alone may stand closer. px.
const APART_BARE: f64 = 16.0;

/// What a beat is about, the least important first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Weight {
    Ask,
    Write,
    Pause,
    Grant,
    LeaseEnd,
    Violation,
    Difference,
}

#[derive(Clone, Debug)]
struct Candidate {
    weight: Weight,
    /// See [`text::forms`].
    caption: String,
    /// Bit per run in which it happens.
    runs: u64,
}

/// Chooses the beats.
pub fn beats(
    shown: &[Shown],
    seqs: &[Sequence],
    judged: &[Property],
    difference: Option<&Difference>,
    axis: &Axis,
    layout: &Layout,
) -> Vec<Beat> {
    let mut all: FlatMap<TrueTime, Candidate> = FlatMap::new();
    for (run, seq) in seqs.iter().enumerate() {
        for m in &seq.moments {
            if let Some((weight, caption)) = caption(m, seq) {
                add(&mut all, m.at, weight, caption, run);
            }
        }
    }
    for (run, s) in shown.iter().enumerate() {
        let broken = s.report.verdicts.iter().filter(|(p, _)| judged.contains(p)).filter_map(|(_, v)| v.violation());
        for v in broken.filter(|v| v.property != Property::NoProgress) {
            // What is no moment of its own has no words; the instant counts all the same.
            if let Some(c) = all.get_mut(&v.at) {
                c.weight = c.weight.max(Weight::Violation);
                c.runs |= 1 << run.min(63);
            }
        }
    }
    if let Some(d) = difference {
        let own = all.get(&d.at).map(|c| c.caption.clone()).or_else(|| described(d, seqs));
        let caption = own.unwrap_or_default();
        all.insert(d.at, Candidate { weight: Weight::Difference, caption, runs: u64::MAX });
    }
    // Behind tabs there is no left and right.
    let runs = if layout.columns > 1 { shown.len() } else { 0 };
    choose(all, difference.map(|d| d.at), runs, axis, layout)
}

fn add(all: &mut FlatMap<TrueTime, Candidate>, at: TrueTime, weight: Weight, caption: String, run: usize) {
    let bit = 1 << run.min(63);
    match all.get_mut(&at) {
        Some(c) if c.weight >= weight => c.runs |= if c.caption == caption { bit } else { 0 },
        Some(c) if c.caption == caption => {
            c.weight = weight;
            c.runs |= bit;
        }
        _ => {
            all.insert(at, Candidate { weight, caption, runs: bit });
        }
    }
}

/// What an instant says on the rail.
fn caption(m: &Moment, seq: &Sequence) -> Option<(Weight, String)> {
    let (weight, node, templates) = template(m, seq)?;
    // A rail has room for short names only.
    Some((weight, text::forms(templates, &[&text::clip(seq.lanes.name(node), 9)])))
}

/// Its weight, whom it names, and ways to say it.
fn template(m: &Moment, seq: &Sequence) -> Option<(Weight, NodeId, &'static str)> {
    let here = |weight, templates| Some((weight, m.node, templates));
    match &m.what {
        What::Asks { answer: Asked::Granted, .. } => {
            here(Weight::Grant, "{a} takes the lock|{a} gets the lock|{a} takes it")
        }
        What::Asks { answer: Asked::Nothing, .. } => here(Weight::Ask, "{a} asks in vain|{a} asks"),
        What::StillWaits => here(Weight::LeaseEnd, "{a} still waits"),
        What::Asks { answer: Asked::Refused, .. } => here(Weight::Ask, "{a} must wait|{a} waits"),
        // A grant right after the asking is told at the asking.
        What::Granted { worker, after, acq, .. } => {
            let waited = seq.moments.iter().any(|o| {
                o.node == *worker
                    && o.at < m.at
                    && matches!(o.what, What::Asks { answer: Asked::Refused | Asked::Nothing, .. })
            });
            if !waited {
                return None;
            }
            let heard = seq.bars.iter().any(|b| b.kind == BarKind::Belief && b.acq == *acq);
            Some(match after {
                _ if !heard => (Weight::Ask, *worker, "{a} granted, unheard|granted, unheard"),
                Some(_) => (Weight::Grant, *worker, "{a} takes over"),
                None => (Weight::Grant, *worker, "{a} takes the lock"),
            })
        }
        What::LeaseEnds { worker, end, .. } => {
            let templates = match end {
                BarEnd::Expired => "{a}’s lease runs out|{a}’s lease ends|lease runs out",
                BarEnd::Closed => "{a}’s connection is gone|{a}’s lock is gone|connection gone",
                BarEnd::Forgotten => "{a}’s lease forgotten|{a}’s lease is lost|lease forgotten",
                BarEnd::MajorityLost => "{a} loses its majority|{a}’s majority lost|majority lost",
                BarEnd::TakenOver(_) => "{a}’s lease taken over|{a} taken over|taken over",
                BarEnd::Taken(_) => "{a}’s lease taken away|{a}’s lease is taken|{a}’s lease taken",
                _ => return None,
            };
            Some((Weight::LeaseEnd, *worker, templates))
        }
        What::Pauses { thread: None, .. } => here(Weight::Pause, "{a} pauses"),
        What::Pauses { thread: Some(Thread::Main), .. } => here(Weight::Pause, "{a} hangs"),
        What::Pauses { thread: Some(Thread::Renewer), .. } => {
            here(Weight::Pause, "{a} stops renewing|{a} renews no more")
        }
        What::Crashes { .. } => here(Weight::LeaseEnd, "{a} crashes"),
        What::Unqueued => here(Weight::LeaseEnd, "{a} loses its place|place lost"),
        What::Leads => here(Weight::Pause, "{a} now answers"),
        What::Restarts { .. } => here(Weight::Pause, "{a} restarts"),
        What::ClockStep(_) => here(Weight::LeaseEnd, "{a}’s clock jumps"),
        What::ClockRate(_) => here(Weight::Pause, "{a}’s clock drifts"),
        What::Stops { .. } => here(Weight::Pause, "{a} stops"),
        What::Touch { lost: true } => here(Weight::LeaseEnd, "{a} loses touch"),
        What::Touch { lost: false } => here(Weight::Pause, "{a} is in touch again|{a} in touch"),
        What::Writes(w) => Some(match w.wrong {
            Some(super::sequence::Wrong::Again) => (Weight::Violation, w.worker, "{a} writes again"),
            Some(_) => (Weight::Violation, w.worker, "{a}’s late write"),
            None => (Weight::Write, w.worker, "{a} writes"),
        }),
        What::Rejected { worker, rightful: true, .. } => Some((Weight::Write, *worker, "{a} is refused")),
        // The same words whether or not it is let through: in another column it may be.
        What::Activated { worker, .. } => Some((Weight::Ask, *worker, "{a} activates")),
        What::Rejected { worker, activation: false, .. } => Some((Weight::Write, *worker, "{a}’s late write")),
        What::Rejected { worker, .. } => Some((Weight::Write, *worker, "{a} activates")),
        What::Replayed { worker } => Some((Weight::Write, *worker, "{a} asks again")),
        What::Called { worker, .. } => Some((Weight::Write, *worker, "{a} acts")),
        What::MarkFell { .. } | What::CounterLost { .. } => here(Weight::LeaseEnd, "{a} forgets"),
        What::ExtendsForeign { worker, .. } => Some((Weight::Violation, *worker, "{a}’s late renewal")),
        _ => None,
    }
}

/// The first difference in words, where nothing else happens at its instant and the runs that have it agree on what it is.
fn described(d: &Difference, seqs: &[Sequence]) -> Option<String> {
    let told = |(seq, event): (&Sequence, &Option<EventSeq>)| {
        let event = (*event)?;
        if let Some(What::Granted { worker, .. }) = seq.moments.iter().find(|m| m.seq == event).map(|m| &m.what) {
            return Some(text::said("{a} is granted", &[seq.lanes.name(*worker)]));
        }
        let arrow = seq.arrows.iter().find(|a| a.seq == event || a.arrival == Some(event))?;
        Some(text::said(
            "{a}: {b}",
            &[
                seq.lanes.name(arrow.worker?),
                text::part(&arrow.label, text::FORM, text::parts(&arrow.label, text::FORM) - 1)?,
            ],
        ))
    };
    let all: Vec<String> = seqs.iter().zip(&d.events).filter_map(told).collect();
    let first = all.first()?;
    all.iter().all(|s| s == first).then(|| first.clone())
}

fn choose(
    all: FlatMap<TrueTime, Candidate>,
    first: Option<TrueTime>,
    runs: usize,
    axis: &Axis,
    layout: &Layout,
) -> Vec<Beat> {
    let all: Vec<(TrueTime, Candidate)> = all.into_iter().filter(|c| c.0 <= axis.last()).collect();
    let apart = if layout.captions { APART } else { APART_BARE };
    // The most important first; of equals the earlier.
    let mut chosen = vec![false; all.len()];
    let mut left = MOST;
    // A picture without words is told by its turning points.
    let least = if layout.words == Words::None { Weight::LeaseEnd } else { Weight::Ask };
    for weight in (Weight::Ask as u8..=Weight::Difference as u8).rev() {
        for (i, (at, c)) in all.iter().enumerate() {
            let y = axis.y(*at);
            let free = |j: usize| !chosen[j] || (axis.y(all[j].0) - y).abs() >= apart;
            if c.weight as u8 == weight
                && weight >= least as u8
                && left > 0
                && (first == Some(*at) || (0..all.len()).all(free))
            {
                chosen[i] = true;
                left -= 1;
            }
        }
    }
    let mut chosen: Vec<&(TrueTime, Candidate)> = all.iter().zip(&chosen).filter(|c| *c.1).map(|c| c.0).collect();
    // Where time begins is said in any case.
    let begins = axis
        .instants()
        .first()
        .map(|at| (*at, Candidate { weight: Weight::Ask, caption: String::new(), runs: u64::MAX }));
    if let Some(b) = begins.as_ref().filter(|b| chosen.first().is_none_or(|c| axis.y(c.0) - axis.y(b.0) >= APART_BARE))
    {
        chosen.insert(0, b);
    }
    // Letters end 10 px before the axis; the page's own margin is for fonts that are wider than they are reckoned to be.
    let room = layout.axis_x - 2.0;
    let mut out = Vec::with_capacity(chosen.len());
    for (i, (at, c)) in chosen.iter().copied().enumerate() {
        let next = chosen.get(i + 1).map_or(f64::INFINITY, |n| axis.y(n.0) - axis.y(*at));
        let caption = if layout.captions { words(c, first == Some(*at), next, runs, room) } else { Vec::new() };
        out.push(Beat { at: *at, caption });
    }
    out
}

/// At most two lines for a beat.
fn words(c: &Candidate, first: bool, next: f64, runs: usize, room: f64) -> Vec<String> {
    // With two columns a beat of one of them says of which; a colon says that it is told on.
    let after = match (runs, c.runs) {
        _ if first => ":",
        (2, 1) => ", left",
        (2, 2) => ", right",
        _ => "",
    };
    let fitting = |after: &str| {
        let mut n = 0;
        loop {
            let form = text::part(&c.caption, text::FORM, n).filter(|f| !f.is_empty())?;
            let form = text::said("{a}{b}", &[form, after]);
            if text::width(&form, 12.0) <= room {
                return Some(form);
            }
            n += 1;
        }
    };
    let own = fitting(after);
    if first {
        // Where there is no room for two lines the diamond on the axis says that this is it.
        return match own {
            Some(mut s) if next < APART_TWO => {
                s.pop();
                vec![s]
            }
            own => own.into_iter().chain(["first difference".to_string()]).collect(),
        };
    }
    // What does not fit on one line may have a second.
    if own.is_none()
        && next >= APART_TWO
        && let (Some(first), Some(side)) = (fitting(","), after.strip_prefix(", "))
    {
        return vec![first, side.to_string()];
    }
    let shortest = || text::part(&c.caption, text::FORM, text::parts(&c.caption, text::FORM) - 1).map(str::to_string);
    own.or_else(|| fitting("")).or_else(shortest).filter(|s| !s.is_empty()).into_iter().collect()
}
