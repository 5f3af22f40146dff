//! Who checks the checkers: logs written by hand, good and bad.
//!
//! [`table`] shows for every property a log that breaks it and a twin that differs in one thing and keeps it. [`relations`] pins what
//! follows from what. [`owners`], [`leases`] and [`clients`] hold the single decisions of the definitions, one test each. [`costs`] is
//! about the measures, [`digests`] about what a search may take for one state.

mod clients;
mod costs;
mod digests;
mod leases;
mod owners;
mod relations;
mod table;

use super::{Checker, Property, Report, Setup, Verdict, Violation};
use crate::base::fact::Loss;
use crate::base::{Span, Verb};
use crate::trace::story::{Story, W1, W2};
use crate::trace::{Ending, EventSink};

/// The report about a story that ended at its horizon, with a bound of 30 s on waiting.
pub fn judge(story: &Story) -> Report {
    judge_with(story, |_| {}, story.horizon())
}

pub fn judge_with(story: &Story, change: impl FnOnce(&mut Setup), ending: Ending) -> Report {
    story.log.check_form(&story.roster).expect("a test tells a well-formed log");
    let mut setup = Setup::new(story.roster.clone(), true, Span::from_ms(30_000));
    change(&mut setup);
    let mut checker = Checker::new(&setup);
    let tell = |checker: &mut Checker| {
        for e in story.log.events() {
            checker.on_event(e);
        }
        checker.finish(ending)
    };
    let first = tell(&mut checker);
    checker.reset();
    assert_eq!(first, tell(&mut checker), "a checker that is used again answers as a new one");
    first
}

/// The violation of this property, with its sentence in plain spaces.
pub fn broken(report: &Report, p: Property) -> Violation {
    match report.verdict(p) {
        Verdict::Violated(v) => Violation { sentence: v.sentence.replace('\u{a0}', " "), ..v.clone() },
        other => panic!("{p} should be violated: {other:?}"),
    }
}

pub fn holds(report: &Report, p: Property) {
    assert_eq!(report.verdict(p), &Verdict::Holds, "{p}");
}

pub fn not_reached(report: &Report, p: Property) {
    assert_eq!(report.verdict(p), &Verdict::NotReached, "{p}");
}

/// The story of the guide: W1 pauses through the end of its lease and writes after W2.
pub fn gc_pause() -> Story {
    let mut s = Story::new();
    s.at(0).before(W1, Verb::Acquire).ask(W1, 1);
    s.at(5).grant(W1, 1);
    s.at(10).believe(W1, 1, 10_000).after(W1, Verb::Acquire);
    s.at(15).read(W1, 1, 0);
    s.at(20).before(W1, Verb::Work);
    s.at(500).pause(W1);
    s.at(2_000).before(W2, Verb::Acquire).ask(W2, 2);
    s.at(10_005).expire(1);
    s.at(10_190).ask(W2, 3).at(10_195).grant(W2, 3);
    s.at(10_200).believe(W2, 3, 20_190).after(W2, Verb::Acquire);
    s.at(10_205).read(W2, 3, 0).at(10_210).before(W2, Verb::Work);
    s.at(11_210).after(W2, Verb::Work).send_write(W2, 3, 0, 2);
    s.at(11_215).apply_op(W2, 3, 2, 0, 0);
    s.at(11_220).doubt(W2, 3, Loss::Released).at(11_225).release(3, 3).at(11_230).finish(W2);
    s.at(15_000).resume(W1).after(W1, Verb::Work).send_write(W1, 1, 0, 1);
    s.at(15_005).apply_op(W1, 1, 1, 0, 1);
    s.at(15_010).doubt(W1, 1, Loss::Released).at(15_015).not_held(W1, 1).at(15_020).finish(W1);
    s
}
