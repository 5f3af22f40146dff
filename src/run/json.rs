//! Runs as JSON, for programs: `docs/trace-format.md` describes every key.
//!
//! The document is `fencepost.trace/1`. Within version 1, keys and words are only added. Times are milliseconds of true time with up to
//! three decimals; `local_ms` is the node's wall clock. Names of nodes are those of the scenario.

mod events;
mod words;

use super::expect::end_word;
use super::{ENGINE, Run};
use crate::base::{LocalTime, Span, TrueTime};
use crate::check::Verdict;
use crate::trace::EndWhy;
use serde_json::{Map, Value, json};

/// Name and version of the format.
pub const FORMAT: &str = "fencepost.trace/1";

/// The document for some runs of one scenario. `scenario` is its canonical text as a value.
pub fn document(scenario: Value, runs: &[Run]) -> Value {
    json!({
        "format": FORMAT,
        "engine": ENGINE,
        "scenario": scenario,
        "designs": runs.iter().map(design).collect::<Vec<_>>(),
    })
}

fn design(run: &Run) -> Value {
    json!({
        "name": run.design,
        "verdicts": run.report.verdicts.iter().map(|(p, v)| verdict(p.word(), run.judged.contains(p), v)).collect::<Vec<_>>(),
        "metrics": metrics(run),
        "ended": { "at_ms": ms(run.ending.at), "why": end_why(run.ending.why) },
        "digest": run.digest.to_string(),
        "nodes": run.roster.ids().map(|id| run.roster.name(id)).collect::<Vec<_>>(),
        "schedule": run.schedule.0,
        "events": events::events(run),
    })
}

fn verdict(word: &str, judged: bool, v: &Verdict) -> Value {
    let mut o = json!({
        "property": word,
        "judged": judged,
        "verdict": match v {
            Verdict::Holds => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::NotReached => "not-reached",
        },
        "at_ms": null,
        "sentence": null,
        "witnesses": [],
    });
    if let Verdict::Violated(v) = v {
        o["at_ms"] = ms(v.at);
        o["sentence"] = json!(v.sentence);
        o["witnesses"] = json!(v.witnesses.iter().map(|w| w.0).collect::<Vec<_>>());
        if let Some(length) = v.length {
            o["length_ms"] = span(length);
        }
    }
    o
}

fn metrics(run: &Run) -> Value {
    let m = &run.report.measures;
    let workers: Map<String, Value> = run
        .roster
        .workers()
        .filter_map(|id| m.workers.get(id.index()).map(|w| (id, w)))
        .map(|(id, w)| {
            let of = json!({ "wait_ms": span(w.wait), "held_ms": span(w.held), "end": end_word(w.end) });
            (run.roster.name(id).to_string(), of)
        })
        .collect();
    json!({
        "belief_overlap_ms": span(m.belief_overlap),
        "messages": m.messages,
        "recovery_ms": m.recovery.map(span),
        "blocked_ms": span(m.blocked),
        "work_twice_ms": span(m.work_twice),
        "work_wasted_ms": span(m.work_wasted),
        "updates": m.updates,
        "updates_lost": m.updates_lost,
        "last_writer": m.last_writer.map(|id| run.roster.name(id)),
        "workers": workers,
    })
}

fn end_why(why: EndWhy) -> &'static str {
    match why {
        EndWhy::Quiet => "quiet",
        EndWhy::Horizon => "horizon",
        EndWhy::Events => "events",
    }
}

/// A whole number where it is one, else three decimals.
fn thousandths(us: i64) -> Value {
    if us % 1_000 == 0 { json!(us / 1_000) } else { json!(us as f64 / 1_000.0) }
}

fn ms(t: TrueTime) -> Value {
    thousandths(t.as_us())
}

fn span(s: Span) -> Value {
    thousandths(s.as_us())
}

fn local(t: LocalTime) -> Value {
    thousandths(t.as_us())
}
