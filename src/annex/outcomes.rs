//! How a story ends under the nine standard designs.

use crate::app::outcomes::{Outcome, design};
use crate::check::Property;
use crate::run::{self, Run};
use crate::scenario;
use crate::scenario::profile::PROTECTIONS;
use crate::trace::EndWhy;

/// One letter for each standard design, in the order of [`PROTECTIONS`].
pub(super) fn letters(text: &str) -> String {
    let scenario = scenario::parse(text).scenario;
    let of = |word: &str| match &scenario {
        Some(s) => design(s, word).map_or(Outcome::None, |i| outcome(&run::run(s, i))),
        None => Outcome::None,
    };
    PROTECTIONS.iter().map(|p| of(p.word).letter()).collect()
}

/// How a run ended. That a lease ended too early is a promise of the service which is broken; where it is the only one, nothing has
/// happened to the data.
pub(super) fn outcome(run: &Run) -> Outcome {
    let broken = |p: &Property| run.report.violated(*p);
    let counts = |p: &&Property| !matches!(p, Property::NoProgress | Property::BrokenPromise);
    if run.judged.iter().filter(counts).any(broken) {
        Outcome::Broken
    } else if run.ending.why == EndWhy::Events {
        Outcome::CutShort
    } else if run.judged.contains(&Property::NoProgress) && broken(&Property::NoProgress) {
        Outcome::Stuck
    } else if run.judged.contains(&Property::BrokenPromise) && broken(&Property::BrokenPromise) {
        Outcome::CutLease
    } else {
        Outcome::Safe
    }
}
