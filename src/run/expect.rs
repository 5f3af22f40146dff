//! What a file claims about its runs, compared with the runs.
//!
//! The claims are the scenario's ([`crate::scenario::expect`]); the comparison reads the log and the report only. A claim that fails is
//! told in one sentence: which design, what was expected, what was found.

use super::Run;
use crate::base::flat::FlatMap;
use crate::base::{Fact, NodeId, PointKind, Span, TrueTime, Verb};
use crate::check::{Property, WorkerEnd};
use crate::scenario::{Expect, ExpectInstant, ExpectMeasure, MeasureValue, Scenario};
use crate::trace::EventKind;

/// A claim that the run does not bear out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// Line of the claim, from 1, where the file has lines.
    pub line: Option<u32>,
    /// Key of the claim: `violates`, `instants`, …
    pub key: &'static str,
    /// What was expected and what was found.
    pub sentence: String,
}

/// Compares a run with everything that its design claims. Empty: all claims hold.
pub fn check(scenario: &Scenario, design: usize, run: &Run) -> Vec<Failed> {
    let expect = &scenario.designs()[design].expect;
    let mut failed = Vec::new();
    violates(expect, run, &mut failed);
    notes(expect, run, &mut failed);
    instants(expect, run, &mut failed);
    measures(expect, run, &mut failed);
    ends(expect, run, &mut failed);
    failed
}

/// How many single claims a design makes.
pub fn count(scenario: &Scenario, design: usize) -> usize {
    let e = &scenario.designs()[design].expect;
    usize::from(e.violates.is_some())
        + usize::from(e.notes.is_some())
        + e.instants.len()
        + e.measures.len()
        + e.ends.len()
}

fn list(words: &[&str]) -> String {
    if words.is_empty() { "none".to_string() } else { words.join(", ") }
}

/// Exactly these of the judged properties, and somebody held at all (unless that is what went wrong): a run in which nobody got the lock
/// proves nothing.
fn violates(expect: &Expect, run: &Run, failed: &mut Vec<Failed>) {
    let Some(claim) = &expect.violates else { return };
    let found = run.violated();
    let mut expected: Vec<&str> = claim.value.iter().map(String::as_str).collect();
    let mut words: Vec<&str> = found.iter().map(|p| p.word()).collect();
    crate::base::flat::sort(&mut expected);
    crate::base::flat::sort(&mut words);
    if expected != words {
        let mut sentence = format!("violates: expected {}, found {}", list(&expected), list(&words));
        let surprise = found.iter().find(|p| !expected.contains(&p.word()));
        if let Some(v) = surprise.and_then(|p| run.report.verdict(*p).violation()) {
            sentence.push_str(&format!(" ({})", v.sentence.trim_end_matches('.')));
        }
        failed.push(Failed { line: claim.at.line(), key: "violates", sentence: sentence + "." });
    } else if !run.report.held && !found.contains(&Property::NoProgress) {
        let sentence = "violates: nobody ever held the lock, so that nothing could go wrong.".to_string();
        failed.push(Failed { line: claim.at.line(), key: "violates", sentence });
    }
}

/// At least these other properties.
fn notes(expect: &Expect, run: &Run, failed: &mut Vec<Failed>) {
    let Some(claim) = &expect.notes else { return };
    for word in &claim.value {
        if !Property::from_word(word).is_some_and(|p| run.report.violated(p)) {
            let found: Vec<&str> = Property::ALL
                .iter()
                .filter(|p| run.report.violated(**p) && !run.judged.contains(p))
                .map(|p| p.word())
                .collect();
            let sentence = format!("notes: expected {word}, found {}.", list(&found));
            failed.push(Failed { line: claim.at.line(), key: "notes", sentence });
        }
    }
}

fn worker(run: &Run, name: &str) -> Option<NodeId> {
    run.roster.workers().find(|id| run.roster.name(*id) == name)
}

fn instants(expect: &Expect, run: &Run, failed: &mut Vec<Failed>) {
    if expect.instants.is_empty() {
        return;
    }
    let all = Instants::of(run);
    for claim in &expect.instants {
        let ExpectInstant { worker: name, point, n, at } = &claim.value;
        let found = worker(run, name).and_then(|w| all.nth(w, *point, *n));
        if found != *at {
            let when = |t: Option<TrueTime>| t.map_or("never".to_string(), |t| format!("at {t}"));
            let sentence = format!("instants: {}, found {}.", claim.value, when(found));
            failed.push(Failed { line: claim.at.line(), key: "instants", sentence });
        }
    }
}

/// Every instant of a run that an expectation can name.
pub struct Instants {
    by: FlatMap<(NodeId, PointKind), Vec<TrueTime>>,
}

impl Instants {
    pub fn of(run: &Run) -> Instants {
        let mut all = Instants { by: FlatMap::new() };
        let mut owners: Vec<Option<NodeId>> = Vec::new();
        for e in run.log.events() {
            let EventKind::Did(fact) = e.kind else { continue };
            let (who, point) = match fact {
                Fact::Passed { point, .. } => (e.node, point),
                Fact::Granted(g) => {
                    let i = g.acq.0 as usize;
                    owners.resize(owners.len().max(i + 1), None);
                    owners[i] = Some(g.worker);
                    (g.worker, PointKind::Grant)
                }
                Fact::Reentered { worker, .. } => (worker, PointKind::Grant),
                Fact::Refused { worker, .. } => (worker, PointKind::Refuse),
                Fact::Expired { acq, .. } | Fact::TakenOver { acq, .. } => {
                    match owners.get(acq.0 as usize).copied().flatten() {
                        Some(worker) => (worker, PointKind::Expiry),
                        None => continue,
                    }
                }
                Fact::Applied(x) => (x.worker, PointKind::Apply),
                Fact::Rejected { worker, .. }
                | Fact::ActivationRejected { worker, .. }
                | Fact::ReadRejected { worker, .. }
                | Fact::IssueRejected { worker, .. } => (worker, PointKind::Reject),
                Fact::Issued { worker, .. } => (worker, PointKind::Apply),
                // A worker that stops has reached its last step, whatever its program says.
                Fact::Stopped { .. } => (e.node, PointKind::Step(crate::base::Edge::After, Verb::Stop)),
                _ => continue,
            };
            all.by.entry((who, point)).or_default().push(e.at);
        }
        all
    }

    /// The n-th (from 1) of this kind by this worker.
    pub fn nth(&self, worker: NodeId, point: PointKind, n: u32) -> Option<TrueTime> {
        self.by.get(&(worker, point))?.get(n.checked_sub(1)? as usize).copied()
    }
}

/// A measure's value in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Found {
    Time(Span),
    Count(u64),
    Worker(Option<String>),
    /// There was nothing to measure.
    Nothing,
}

fn measured(run: &Run, claim: &ExpectMeasure) -> Found {
    let m = &run.report.measures;
    let who = claim.who.as_deref().and_then(|name| worker(run, name)).map(NodeId::index);
    let of_workers = |f: fn(&crate::check::WorkerMeasures) -> Span| match who {
        Some(i) => m.workers.get(i).map_or(Found::Nothing, |w| Found::Time(f(w))),
        None => Found::Time(m.workers.iter().map(f).fold(Span::ZERO, |a, b| a + b)),
    };
    match claim.measure {
        "belief-overlap" => Found::Time(m.belief_overlap),
        "wait" => of_workers(|w| w.wait),
        "held" => of_workers(|w| w.held),
        "recovery" => m.recovery.map_or(Found::Nothing, Found::Time),
        "blocked" => Found::Time(m.blocked),
        "work-twice" => Found::Time(m.work_twice),
        "work-wasted" => Found::Time(m.work_wasted),
        "messages" => Found::Count(u64::from(m.messages)),
        "violated" => Found::Count(run.violated().len() as u64),
        "last-writer" => Found::Worker(m.last_writer.map(|id| run.roster.name(id).to_string())),
        _ => Found::Nothing,
    }
}

fn measures(expect: &Expect, run: &Run, failed: &mut Vec<Failed>) {
    for claim in &expect.measures {
        let ExpectMeasure { cmp, value, .. } = &claim.value;
        let found = measured(run, &claim.value);
        let holds = match (&found, value) {
            (Found::Time(f), MeasureValue::Time(v)) => cmp.holds(f, v),
            (Found::Count(f), MeasureValue::Count(v)) => cmp.holds(f, v),
            (Found::Worker(f), MeasureValue::Worker(v)) => f.as_ref() == Some(v),
            _ => false,
        };
        if !holds {
            let found = match found {
                Found::Time(t) => t.to_string(),
                Found::Count(n) => n.to_string(),
                Found::Worker(Some(name)) => name,
                Found::Worker(None) => "nobody".to_string(),
                Found::Nothing => "nothing to measure".to_string(),
            };
            let sentence = format!("measures: {}, found {found}.", claim.value);
            failed.push(Failed { line: claim.at.line(), key: "measures", sentence });
        }
    }
}

/// The word for how a worker ended, as `ends` claims it.
pub fn end_word(end: WorkerEnd) -> &'static str {
    match end {
        WorkerEnd::NotStarted => "not-started",
        WorkerEnd::Busy => "busy",
        WorkerEnd::Done => "done",
        WorkerEnd::Waiting => "waiting",
        WorkerEnd::Stopped => "stopped",
        WorkerEnd::Crashed => "crashed",
        WorkerEnd::GaveUp => "gave-up",
    }
}

fn ends(expect: &Expect, run: &Run, failed: &mut Vec<Failed>) {
    for claim in &expect.ends {
        let (name, word) = &claim.value;
        let end = worker(run, name).and_then(|w| run.report.measures.workers.get(w.index())).map(|w| end_word(w.end));
        if end != Some(word.as_str()) {
            let sentence = format!("ends: expected {name} {word}, found {}.", end.unwrap_or("no such worker"));
            failed.push(Failed { line: claim.at.line(), key: "ends", sentence });
        }
    }
}
