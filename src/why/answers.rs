//! Counterfactuals: the same story under every standard protection, and under what else the language can say; each answer with its reason,
//! read from its own run.

use super::say::noun;
use super::variant::Variant;
use super::words::*;
use crate::base::fact::StopWhy;
use crate::base::message::{Reject, Topic};
use crate::base::text::{natural, said};
use crate::base::{AcqId, Fact, NodeId, Span, TrueTime};
use crate::check::report::{Property, Violation};
use crate::run::Run;
use crate::scenario::Scenario;
use crate::scenario::profile::{PROTECTIONS, protection_row};
use crate::scenario::quantity::{signed_time, write_time};
use crate::trace::names::{Names, at, length};
use crate::trace::{EventKind, Roster};

/// What one protection would have come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// "Fencing at the resource".
    pub name: &'static str,
    /// The property holds in its run.
    pub stops: bool,
    /// Why, from its own run, without a full stop.
    pub reason: String,
}

/// A run of the story under something else.
pub struct Tried {
    pub name: &'static str,
    /// One of the nine standard answers.
    pub standard: bool,
    pub run: Run,
    /// The story as it was run.
    pub variant: Variant,
    /// How long the lease is that was tried; only for a longer one.
    pub lease: Option<Span>,
}

/// Runs a variant, if it can be run.
fn attempt(name: &'static str, standard: bool, variant: Option<Variant>, lease: Option<Span>) -> Option<Tried> {
    let variant = variant?;
    let run = variant.run()?;
    Some(Tried { name, standard, run, variant, lease })
}

/// What else the language can say, one thing at a time.
const OTHERS: &[(&str, &[(&str, &str)])] = &[
    (CAS, &[("resource.guard", "version")]),
    (ASK, &[("resource.guard", "ask")]),
    (CHECK, &[("client.check_deadline", "true")]),
    (TIMER, &[("client.deadline_timer", "true")]),
    (RENEWAL, &[("client.renew_every", "ttl/3")]),
    (THREAD, &[("client.renew_every", "ttl/3"), ("client.renew_by", "thread")]),
    (LOCK_DELAY, &[("lock.lock_delay", "10s")]),
    (ON_DISK, &[("lock.persistence", "always")]),
    (WAIT_COPY, &[("lock.wait_replicas", "1")]),
    (ENDING, &[("lock.ttl", "10s")]),
    (DRAWN_RETRY, &[("client.retry", "50ms..250ms")]),
];

/// Runs the story under each of them. What cannot be said of this story, or would change nothing, is left out.
pub fn tried(scenario: &Scenario, design: usize, base: &Variant, run: &Run) -> Vec<Tried> {
    let own = scenario.designs()[design].protection.as_deref();
    let mut out: Vec<Tried> = Vec::new();
    for p in PROTECTIONS.iter().filter(|p| own != Some(p.word)) {
        out.extend(attempt(p.label, true, base.clone().protected(p.word, p.sets), None));
    }
    let says = |path: &str| says(scenario, design, path);
    for (name, sets) in OTHERS {
        // An end for what has one, and a copy or a disk for who needs none, is no answer.
        let idle = match *name {
            ENDING => says("lock.ttl") != "never",
            WAIT_COPY => says("lock.replicas") == "0",
            ON_DISK => !scenario.faults.iter().any(|f| matches!(f.verb.word, "crash" | "fail_over")),
            _ => false,
        };
        if idle || sets.iter().all(|(path, value)| says(path) == *value) {
            continue;
        }
        // A run that is the same to the last event says that the setting had nothing to act on.
        out.extend(attempt(name, false, base.clone().set(sets), None).filter(|t| t.run.digest != run.digest));
    }
    out
}

/// What the design says of a key; nothing if some worker says something of its own.
pub fn says(scenario: &Scenario, design: usize, path: &str) -> String {
    let own = path.strip_prefix("client.").is_some_and(|k| scenario.workers.iter().any(|w| w.client.get(k).is_some()));
    if own { String::new() } else { scenario.resolved(design, path).map(|r| r.0).unwrap_or_default() }
}

/// A lease twice, four, eight … times as long, up to the first that passes this story.
pub fn longer(scenario: &Scenario, design: usize, base: &Variant, property: Property) -> Option<Tried> {
    let ttl = signed_time(&scenario.resolved(design, "lock.ttl")?.0).ok()?;
    let mut lease = ttl;
    for _ in 0..6 {
        lease = lease.times(2);
        let t = attempt(LONGER_LEASE, false, base.clone().set(&[("lock.ttl", &write_time(lease))]), Some(lease))?;
        if !t.run.report.violated(property) {
            return Some(t);
        }
    }
    None
}

/// What a longer lease is worth: it passes this story, and the same story with a longer pause or delay breaks it.
pub fn of_longer(scenario: &Scenario, base: &Variant, property: Property, t: &Tried) -> Answer {
    let lease = t.lease.unwrap_or(Span::ZERO);
    let set = |v: Variant| v.set(&[("lock.ttl", &write_time(lease))]);
    for (i, f) in scenario.faults.iter().enumerate() {
        let (longer, what) = match f.verb.word {
            "pause" => (base.clone().fault_lasts(i, lease.times(2)), PAUSE),
            "delay" | "stall" => (base.clone().fault_has(i, "takes", &write_time(lease.times(2))), DELAY),
            _ => continue,
        };
        let broken = longer.and_then(set).and_then(|v| v.run());
        if let Some(v) = broken.as_ref().and_then(|r| r.report.verdict(property).violation()) {
            let reason = said(LONGER, &[&length(lease), what, &at(v.at)]);
            return Answer { name: t.name, stops: false, reason };
        }
    }
    Answer { name: t.name, stops: true, reason: said(LONGER_ONLY, &[&length(lease)]) }
}

/// What a check before each write is worth: it cannot see a pause that comes right after it.
pub fn of_check(scenario: &Scenario, property: Property, t: &Tried, mut told: Answer) -> Answer {
    if t.name != CHECK || !told.stops {
        return told;
    }
    for (i, f) in scenario.faults.iter().enumerate().filter(|(_, f)| f.verb.word == "pause") {
        for who in f.whom() {
            let moved = t.variant.clone().fault_has(i, "at", &said(AFTER_CHECK, &[who]));
            let broken = moved.and_then(|v| v.run()).is_some_and(|r| r.report.violated(property));
            if broken {
                told.reason = said(NOT_AFTER_CHECK, &[&told.reason]);
                return told;
            }
        }
    }
    told
}

/// What became of the story under this protection.
pub fn answer(base: &Run, property: Property, t: &Tried) -> Answer {
    let before = base.report.verdict(property).violation();
    let (stops, mut reason) = match t.run.report.verdict(property).violation() {
        Some(v) => {
            let end = if before.is_some_and(|b| b.at == v.at) { SAME_END } else { OTHER_END };
            let end = said(end, &[&at(v.at)]);
            if let Some(h) = hint(base, v, t.name).filter(|_| before.is_some_and(|b| b.at == v.at)) {
                return Answer { name: t.name, stops: false, reason: said(BOTH, &[h, &end]) };
            }
            let moved = moved_grant(base, &t.run).filter(|m| m.1 < v.at);
            (false, moved.map_or(end.clone(), |m| said(BOTH, &[&m.0, &end])))
        }
        None => (true, held(base, &t.run, before.map_or(TrueTime::ZERO, |v| v.at))),
    };
    if stops {
        let worse = t.run.judged.iter().find(|p| t.run.report.violated(**p) && !base.report.violated(**p));
        if let Some(v) = worse.and_then(|p| t.run.report.verdict(*p).violation()) {
            reason = said(BUT_BREAKS, &[&reason, v.property.promise(), &at(v.at)]);
        }
    }
    Answer { name: t.name, stops, reason }
}

/// Why a standard answer has nothing to act on here, as far as the runs show it.
fn hint(base: &Run, v: &Violation, name: &str) -> Option<&'static str> {
    let events = || base.log.events().iter();
    let did = |is: fn(&Fact) -> bool| events().any(|e| matches!(&e.kind, EventKind::Did(f) if is(f)));
    let last = base.log.get(*v.witnesses.last()?).map(|e| e.kind);
    let is = |word: &str| protection_row(word).is_some_and(|p| p.label == name);
    if is("safe-release") && matches!(last, Some(EventKind::Did(Fact::Applied(_) | Fact::Called { .. }))) {
        return Some(NOT_A_RELEASE);
    }
    let forgot = |f: &Fact| matches!(f, Fact::Forgotten { .. } | Fact::CounterLost { .. });
    let moved = |k: &EventKind| matches!(k, EventKind::Promoted | EventKind::ClockStepped { .. });
    if is("consensus") && !did(forgot) && !events().any(|e| base.roster.is_lock_node(e.node) && moved(&e.kind)) {
        return Some(NOTHING_FORGOTTEN);
    }
    let Some(EventKind::Did(Fact::Applied(x))) = last else { return None };
    let twice = events().any(
        |e| matches!(&e.kind, EventKind::Did(Fact::Applied(y)) if y.op == x.op && Some(&e.seq) != v.witnesses.last()),
    );
    (is("idempotency") && !twice).then_some(OTHER_KEYS)
}

/// What held: the first thing of its kind that the broken run does not have, the strongest kind first.
fn held(base: &Run, run: &Run, broken: TrueTime) -> String {
    let names = Names::new(&run.roster);
    let mut best: Option<(u8, String)> = None;
    for e in run.log.events() {
        let EventKind::Did(fact) = &e.kind else { continue };
        let Some((strength, said)) = barrier(&names, &run.roster, e.node, e.at, fact) else { continue };
        if best.as_ref().is_some_and(|b| b.0 <= strength) || has(base, e.node, e.at, fact) || idle(base, fact) {
            continue;
        }
        best = Some((strength, said));
    }
    match (best, moved_grant(base, run)) {
        (Some(b), _) => b.1,
        (None, Some(m)) => m.0,
        (None, None) => never_granted(base, run, broken).unwrap_or_else(|| NOTHING_HAPPENS.to_string()),
    }
}

/// A request that finds nothing of its own tells something only where, in the broken run, its sender hit somebody else's.
fn idle(base: &Run, fact: &Fact) -> bool {
    let (Fact::NotHeld { worker, .. } | Fact::NotExtended { worker, .. }) = fact else { return false };
    let owner = |acq: AcqId| {
        base.log.events().iter().find_map(|e| match &e.kind {
            EventKind::Did(Fact::Granted(g)) if g.acq == acq => Some(g.worker),
            _ => None,
        })
    };
    base.log.events().iter().all(|e| match &e.kind {
        EventKind::Did(Fact::Released { acq, by: Some(by), .. }) => acq == by || owner(*by) != Some(*worker),
        EventKind::Did(Fact::Extended { acq, by, worker: w, .. }) => acq == by || w != worker,
        _ => true,
    })
}

/// Did the same thing happen there too?
fn has(run: &Run, node: NodeId, at: TrueTime, fact: &Fact) -> bool {
    let same = |f: &Fact| std::mem::discriminant(f) == std::mem::discriminant(fact);
    run.log.events().iter().any(|e| e.at == at && e.node == node && matches!(&e.kind, EventKind::Did(f) if same(f)))
}

fn the<'a>(names: &Names<'a>, roster: &Roster, node: NodeId) -> &'a str {
    match names.node(node) {
        "resource" if roster.is_shard(node) => THE_RESOURCE,
        "lock" if roster.is_lock_node(node) => THE_SERVICE,
        name => name,
    }
}

/// A refusal, a stop, a request that found nothing: how strong it is, 0 the strongest, and how it is told.
fn barrier(names: &Names, roster: &Roster, node: NodeId, when: TrueTime, fact: &Fact) -> Option<(u8, String)> {
    let (here, when) = (the(names, roster, node), at(when));
    let refusal = |worker: &NodeId, why: &Reject| {
        let who = names.node(*worker);
        let none = String::new();
        let (template, a, b) = match why {
            Reject::Token { token: Some(t), mark } => (REFUSES_TOKEN, natural(t.get()), natural(mark.get())),
            Reject::Token { token: None, .. } => (REFUSES_NO_TOKEN, none.clone(), none),
            Reject::Owner => (REFUSES_OWNER, none.clone(), none),
            Reject::Version { base, current } => (REFUSES_VERSION, natural(*base), natural(*current)),
            Reject::Exists | Reject::Sequence { .. } => (REFUSES, none.clone(), none),
        };
        said(template, &[here, who, &when, &a, &b])
    };
    Some(match fact {
        Fact::Rejected { worker, why, .. } | Fact::IssueRejected { worker, why, .. } => (0, refusal(worker, why)),
        Fact::Replayed { worker, .. } => (1, said(REPLAYS, &[here, names.node(*worker), &when])),
        Fact::Stopped { why: StopWhy::Deadline } => (2, said(STOPS_DEADLINE, &[here, &when])),
        Fact::Stopped { why: StopWhy::LostLease } => (2, said(STOPS_LOST, &[here, &when])),
        Fact::ActivationRejected { worker, why, .. } | Fact::ReadRejected { worker, why, .. } => {
            (3, refusal(worker, why))
        }
        Fact::NotHeld { worker, .. } => (4, said(LEAVES_ALONE, &[names.node(*worker), noun(Topic::Release), &when])),
        Fact::NotExtended { worker, .. } => (4, said(LEAVES_ALONE, &[names.node(*worker), noun(Topic::Renew), &when])),
        Fact::Stopped { why: StopWhy::GaveUp } => (5, said(STOPS_OTHER, &[here, &when])),
        _ => return None,
    })
}

/// The grants of a run: to whom, and when.
fn grants(run: &Run) -> Vec<(NodeId, TrueTime)> {
    let granted = run.log.events().iter().filter_map(|e| match &e.kind {
        EventKind::Did(Fact::Granted(g)) => Some((g.worker, e.at)),
        _ => None,
    });
    granted.collect()
}

/// The first grant that is made to another or at another instant than in the broken run.
fn moved_grant(base: &Run, run: &Run) -> Option<(String, TrueTime)> {
    let (old, new) = (grants(base), grants(run));
    let at_first = new.iter().enumerate().find(|(i, g)| old.get(*i) != Some(g) && *i > 0)?;
    let (worker, when) = *at_first.1;
    let names = Names::new(&run.roster);
    Some((said(GRANTED_AT, &[names.node(worker), &at(when)]), when))
}

/// Who was granted the lock in the broken run, and is not in this one.
fn never_granted(base: &Run, run: &Run, until: TrueTime) -> Option<String> {
    let new = grants(run);
    let missing = grants(base).into_iter().find(|g| g.1 <= until && new.iter().all(|n| n.0 != g.0))?;
    Some(said(NEVER_GRANTED, &[Names::new(&run.roster).node(missing.0)]))
}
