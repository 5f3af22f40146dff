//! The chip over a column and the one sentence under it.
//!
//! A violation brings its own sentence. Where nothing broke, the log says what held: the resource that refused, the worker that stopped at its
//! deadline, the answer that was given a second time instead of the effect.

use super::sequence::{Asked, BarEnd, Sequence, What};
use super::text::{grouped, instant, said, whole};
use super::{Chip, Shown};
use crate::base::fact::StopWhy;
use crate::base::message::Reject;
use crate::base::{NodeId, TrueTime};
use crate::check::report::{Property, Violation};
use crate::trace::EndWhy;

impl Chip {
    /// The word on the chip.
    pub const fn word(self) -> &'static str {
        match self {
            Chip::Unsafe => "Unsafe",
            Chip::Safe => "Safe",
            Chip::Stuck => "Stuck",
            Chip::CutShort => "Cut short",
        }
    }

    /// The sign before the word: colour never stands alone.
    pub const fn glyph(self) -> &'static str {
        match self {
            Chip::Unsafe => "✕",
            Chip::Safe => "✓",
            Chip::Stuck => "ⓘ",
            Chip::CutShort => "…",
        }
    }
}

/// The judgement about a run.
pub fn chip(s: &Shown, judged: &[Property]) -> Chip {
    let broken = |p: &Property| s.report.violated(*p);
    if judged.iter().any(|p| *p != Property::NoProgress && broken(p)) {
        Chip::Unsafe
    } else if s.ending.why == EndWhy::Events {
        Chip::CutShort
    } else if judged.iter().any(broken) {
        Chip::Stuck
    } else {
        Chip::Safe
    }
}

/// The violation that says most: what was done to the data before what was done to the lock; of equals the earliest.
pub fn telling<'a>(s: &'a Shown, judged: &[Property]) -> Option<&'a Violation> {
    let weight = |p: Property| match p {
        Property::StaleWrite => 0,
        Property::DuplicateEffect => 1,
        Property::LostUpdate => 2,
        Property::NonOwnerWrite => 3,
        Property::ForeignRelease => 4,
        Property::ForeignRenewal => 5,
        Property::BrokenPromise => 6,
        Property::NoProgress => 8,
        _ => 7,
    };
    let broken = s.report.verdicts.iter().filter(|(p, _)| judged.contains(p)).filter_map(|(_, v)| v.violation());
    broken.min_by_key(|v| (weight(v.property), v.at))
}

/// The sentence under the chip. `alike`: the name of an earlier column in which the same happens at every instant.
pub fn sentence(s: &Shown, seq: &Sequence, judged: &[Property], alike: Option<&str>) -> String {
    if let Some(name) = alike {
        return said("As {a}, at every instant.", &[name]);
    }
    match chip(s, judged) {
        Chip::Unsafe | Chip::Stuck => telling(s, judged).map(|v| v.sentence.clone()).unwrap_or_default(),
        Chip::CutShort => said(
            "Cut short after {a} events, at {b}. What comes after is not known.",
            &[&grouped(s.log.len() as u64), &instant(s.ending.at)],
        ),
        Chip::Safe => held(seq),
    }
}

/// What held, from the strongest barrier to the weakest.
fn held(seq: &Sequence) -> String {
    let name = |n: NodeId| seq.lanes.name(n);
    let mut best: Option<(u8, String)> = None;
    for (i, m) in seq.moments.iter().enumerate() {
        // The first of each barrier counts.
        let Some(strength) = barrier(seq, i).filter(|s| best.as_ref().is_none_or(|b| *s < b.0)) else { continue };
        let sentence = match &m.what {
            What::Rejected { why, worker, rightful: false, .. } => refused(*why, name(*worker)),
            What::Rejected { worker, .. } => said("The resource refused {a}, which had the lock.", &[name(*worker)]),
            What::Replayed { worker } => {
                said("The resource gave {a} its first answer again and changed nothing.", &[name(*worker)])
            }
            What::Stops { why } => {
                let template = match why {
                    StopWhy::Deadline => "{a} stopped at its deadline.",
                    StopWhy::LostLease => "{a} stopped when it learned that its lease was gone.",
                    _ => "{a} gave up; nobody else was harmed.",
                };
                said(template, &[name(m.node)])
            }
            What::LeftAlone { worker, holder, renewal } => {
                let what = if *renewal { "renewal" } else { "release" };
                said("{a}’s late {b} could not touch {c}’s lease.", &[name(*worker), what, name(*holder)])
            }
            What::LeaseEnds { worker, .. } => {
                let Some((next, at)) = granted_after(seq, m.at) else { continue };
                said("{a}’s lease ran out, and {b} took over at {c}.", &[name(*worker), name(next), &instant(at)])
            }
            _ => continue,
        };
        best = Some((strength, sentence));
    }
    best.map(|b| b.1).or_else(|| built_on(seq)).unwrap_or_else(|| "Nothing went wrong.".to_string())
}

/// How strong the barrier is that held at a moment, 0 the strongest; `None`: none did.
fn barrier(seq: &Sequence, moment: usize) -> Option<u8> {
    let m = &seq.moments[moment];
    match &m.what {
        What::Rejected { rightful: false, .. } => Some(0),
        What::Rejected { .. } => Some(1),
        What::Replayed { .. } => Some(2),
        What::Stops { why: StopWhy::Deadline | StopWhy::LostLease | StopWhy::GaveUp } => Some(3),
        What::LeftAlone { .. } => Some(4),
        What::LeaseEnds { worker, end: BarEnd::Expired, .. } => {
            granted_after(seq, m.at).filter(|(next, _)| next != worker).map(|_| 5)
        }
        _ => None,
    }
}

/// The first grant from an instant on: to whom, and when.
fn granted_after(seq: &Sequence, at: TrueTime) -> Option<(NodeId, TrueTime)> {
    for m in &seq.moments {
        if let What::Granted { worker, .. } = m.what
            && m.at >= at
        {
            return Some((worker, m.at));
        }
    }
    None
}

/// One worker waited for another and went on from what it had written.
fn built_on(seq: &Sequence) -> Option<String> {
    let writes =
        || seq.moments.iter().filter_map(|m| if let What::Writes(w) = &m.what { Some((m.node, w)) } else { None });
    let waited =
        |n| seq.moments.iter().any(|m| m.node == n && matches!(m.what, What::Asks { answer: Asked::Refused, .. }));
    let (later, earlier) = writes().find_map(|(node, w)| {
        let before = writes().find(|(n, o)| *n == node && Some(o.version) == w.base && o.worker != w.worker)?;
        (w.wrong.is_none() && waited(w.worker)).then_some((w.worker, before.1.worker))
    })?;
    Some(said(
        "{a} waited until {b} was done, and built on its value.",
        &[seq.lanes.name(later), seq.lanes.name(earlier)],
    ))
}

fn refused(why: Reject, worker: &str) -> String {
    let (template, a, b) = match why {
        Reject::Token { token: Some(t), mark } if t < mark => {
            ("The resource refused token\u{a0}{b} because it had seen {c}.", t.get(), mark.get())
        }
        Reject::Token { token: Some(t), mark } => {
            ("The resource refused token\u{a0}{b}, which is not above {c}.", t.get(), mark.get())
        }
        Reject::Token { token: None, .. } => ("The resource refused {a}, which showed no token.", 0, 0),
        Reject::Owner => ("The resource refused {a}, which did not own the lock.", 0, 0),
        Reject::Version { base, current } => {
            ("The resource refused {a}’s write: it was computed from {b}, and the value was {c}.", base, current)
        }
        Reject::Exists => ("The resource refused {a}’s write: the object existed already.", 0, 0),
        Reject::Sequence { number, last } => {
            ("The resource refused {a}’s request {b}: it had seen {c}.", number.into(), last.into())
        }
    };
    said(template, &[worker, &whole(a), &whole(b)])
}
