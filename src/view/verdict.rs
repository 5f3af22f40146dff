//! The chip over a column and the one sentence under it.
//!
//! A violation brings its own sentence. Where nothing broke, the log says what held: the resource that refused, the worker that stopped at its
//! deadline, the answer that was given a second time instead of the effect.

use super::sequence::{Asked, BarEnd, Sequence, What};
use super::text::{NBSP, grouped, instant};
use super::{Chip, Shown};
use crate::base::fact::StopWhy;
use crate::base::message::Reject;
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
        return format!("As {name}, at every instant.");
    }
    match chip(s, judged) {
        Chip::Unsafe | Chip::Stuck => telling(s, judged).map(|v| v.sentence.clone()).unwrap_or_default(),
        Chip::CutShort => {
            format!(
                "Cut short after {} events, at {}. What comes after is not known.",
                grouped(s.log.len() as u64),
                instant(s.ending.at)
            )
        }
        Chip::Safe => held(seq),
    }
}

/// What held, from the strongest barrier to the weakest.
fn held(seq: &Sequence) -> String {
    let name = |n| seq.lanes.name(n);
    let find = |f: &dyn Fn(&What) -> Option<String>| seq.moments.iter().find_map(|m| f(&m.what));
    let refusal = find(&|w| match w {
        What::Rejected { why, worker, rightful: false, .. } => Some(refused(*why, name(*worker))),
        _ => None,
    });
    let wronged = find(&|w| match w {
        What::Rejected { worker, rightful: true, .. } => {
            Some(format!("The resource refused {}, which had the lock.", name(*worker)))
        }
        _ => None,
    });
    let replay = find(&|w| match w {
        What::Replayed { worker } => {
            Some(format!("The resource gave {} its first answer again and changed nothing.", name(*worker)))
        }
        _ => None,
    });
    let stop = seq.moments.iter().find_map(|m| match m.what {
        What::Stops { why: StopWhy::Deadline } => Some(format!("{} stopped at its deadline.", name(m.node))),
        What::Stops { why: StopWhy::LostLease } => {
            Some(format!("{} stopped when it learned that its lease was gone.", name(m.node)))
        }
        What::Stops { why: StopWhy::GaveUp } => Some(format!("{} gave up; nobody else was harmed.", name(m.node))),
        _ => None,
    });
    let left = find(&|w| match w {
        What::LeftAlone { worker, holder, renewal } => {
            let what = if *renewal { "renewal" } else { "release" };
            Some(format!("{}’s late {what} could not touch {}’s lease.", name(*worker), name(*holder)))
        }
        _ => None,
    });
    let over = seq.moments.iter().find_map(|m| match &m.what {
        What::LeaseEnds { worker, end: BarEnd::Expired, .. } => {
            let next = seq.moments.iter().find(|o| o.at >= m.at && matches!(o.what, What::Granted { .. }));
            next.and_then(|o| match o.what {
                What::Granted { worker: w, .. } if w != *worker => {
                    Some(format!("{}’s lease ran out, and {} took over at {}.", name(*worker), name(w), instant(o.at)))
                }
                _ => None,
            })
        }
        _ => None,
    });
    refusal
        .or(wronged)
        .or(replay)
        .or(stop)
        .or(left)
        .or(over)
        .or_else(|| built_on(seq))
        .unwrap_or_else(|| "Nothing went wrong.".to_string())
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
    Some(format!(
        "{} waited until {} was done, and built on its value.",
        seq.lanes.name(later),
        seq.lanes.name(earlier)
    ))
}

fn refused(why: Reject, worker: &str) -> String {
    match why {
        Reject::Token { token: Some(t), mark } if t < mark => {
            format!("The resource refused token{NBSP}{t} because it had seen {mark}.")
        }
        Reject::Token { token: Some(t), mark } => {
            format!("The resource refused token{NBSP}{t}, which is not above {mark}.")
        }
        Reject::Token { token: None, .. } => format!("The resource refused {worker}, which showed no token."),
        Reject::Owner => format!("The resource refused {worker}, which did not own the lock."),
        Reject::Version { base, current } => {
            format!("The resource refused {worker}’s write: it was computed from {base}, and the value was {current}.")
        }
        Reject::Exists => format!("The resource refused {worker}’s write: the object existed already."),
        Reject::Sequence { number, last } => {
            format!("The resource refused {worker}’s request {number}: it had seen {last}.")
        }
    }
}
