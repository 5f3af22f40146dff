//! From a grip of the picture to the value of the scenario that it stands for.

use super::held::{Change, Held, Tells};
use crate::app::story::Scene;
use crate::app::text::drag as text;
use crate::base::message::Topic;
use crate::base::{Fact, Kind, LockId, Message, NodeId, Span, TrueTime};
use crate::run::Run;
use crate::scenario::quantity::time;
use crate::scenario::registry::faults::NO_REPLY;
use crate::scenario::scenario::{End, Fault};
use crate::scenario::{Layer, Scenario};
use crate::trace::{EventKind, EventSeq, Fate, Role};
use crate::view::{Grip, Hold};

/// Takes hold of a grip of a column.
///
/// # Errors
/// Why it cannot be moved: a sentence for people.
pub fn take(scene: &Scene, column: usize, id: &str) -> Result<Held, String> {
    let grip = scene.picture.columns.get(column).and_then(|c| c.grips.iter().find(|g| g.id == id));
    let (Some(grip), Some(run)) = (grip, scene.story.runs.get(column)) else { return Err(text::GONE.to_string()) };
    let scenario = &*scene.story.scenario;
    let name = name(run, grip.node, true);
    let verbs: &[&str] = match grip.hold {
        Hold::Pause | Hold::Wake => &["pause"],
        Hold::Crash | Hold::Restart => &["crash"],
        Hold::Step => &["step_clock"],
        Hold::Cut | Hold::Heal => &["cut", "partition"],
        Hold::Start | Hold::Lease | Hold::Arrival => &[],
    };
    let (change, least, tells) = match grip.hold {
        Hold::Start => start(scenario, grip, &name)?,
        Hold::Lease => lease(scenario, run, grip)?,
        Hold::Arrival => arrival(scenario, run, grip)?,
        Hold::Wake | Hold::Restart | Hold::Heal => end(fault(scenario, run, verbs, grip, &name)?, grip),
        _ => {
            let fault = fault(scenario, run, verbs, grip, &name)?;
            let change = Change::Moment { path: fault.path("at"), was: fault.start.clone() };
            (change, earliest(&fault.start, grip.at), Tells::At)
        }
    };
    Ok(Held { column, id: id.to_string(), hold: grip.hold, from: grip.at, least, change, tells })
}

type Found = Result<(Change, TrueTime, Tells), String>;

/// The fault that began what is taken.
fn fault<'a>(scenario: &'a Scenario, run: &Run, verbs: &[&str], grip: &Grip, name: &str) -> Result<&'a Fault, String> {
    let begun = run.begun.iter().filter(|(_, at)| *at == grip.from);
    let all: Vec<&Fault> = begun
        .filter_map(|(i, _)| scenario.faults.get(usize::from(*i)))
        .filter(|f| verbs.contains(&f.verb.word))
        .collect();
    // Where several begin at once, the one that names it.
    let named =
        all.iter().find(|f| f.verb.word != "partition" && f.whom().iter().any(|w| w.split('.').next() == Some(name)));
    named.or(all.first()).copied().ok_or_else(|| text::no_fault(name))
}

/// A moment cannot come before the point that it follows.
fn earliest(when: &crate::scenario::moment::When, at: TrueTime) -> TrueTime {
    match when {
        crate::scenario::moment::When::Point { offset, .. } => TrueTime::from_us((at.as_us() - offset.as_us()).max(0)),
        crate::scenario::moment::When::At(_) => TrueTime::ZERO,
    }
}

/// The end of what a fault does: `until` or `for`, whichever stands there.
fn end(fault: &Fault, grip: &Grip) -> (Change, TrueTime, Tells) {
    let tells = Tells::Since(grip.from);
    match &fault.end {
        End::Until(when) => {
            let change = Change::Moment { path: fault.path("until"), was: when.clone() };
            (change, earliest(when, grip.at).max(grip.from), tells)
        }
        End::For(_) => {
            // One that was drawn by chance is as long as it is, and fixed from now on.
            let written = fault.shown("for").and_then(|t| time(&t).ok());
            let was = written.unwrap_or(grip.at.since(grip.from));
            (Change::Length { path: fault.path("for"), was, rate_ppm: 1_000_000 }, grip.from, tells)
        }
        End::WithTheRun => {
            let was = crate::scenario::moment::When::START;
            (Change::Moment { path: fault.path("until"), was }, grip.from, tells)
        }
    }
}

fn start(scenario: &Scenario, grip: &Grip, name: &str) -> Found {
    let worker = scenario.worker(name).map(|i| &scenario.workers[i]).ok_or_else(|| text::no_fault(name))?;
    if worker.count > 1 {
        return Err(text::one_of_many(name, worker.count as usize));
    }
    let path = ["worker.", name, ".start"].concat();
    Ok((Change::Moment { path, was: worker.start.clone() }, earliest(&worker.start, grip.at), Tells::At))
}

/// The lock and the node of a grant.
fn granted(run: &Run, seq: EventSeq) -> Option<(LockId, NodeId)> {
    let event = run.log.get(seq)?;
    match &event.kind {
        EventKind::Did(Fact::Granted(g) | Fact::Voted(g)) => Some((g.lock, event.node)),
        _ => None,
    }
}

/// How long a lease lasts, in the design if that says so, else in the story.
fn lease(scenario: &Scenario, run: &Run, grip: &Grip) -> Found {
    let design = scenario.design(&run.design).unwrap_or(0);
    let (lock, node) = granted(run, grip.seq).unwrap_or((LockId(0), grip.node));
    // What a service really keeps may differ from what it was asked for.
    let stored = scenario.resolved(design, "lock.stored_ttl").filter(|v| time(&v.0).is_ok());
    let key = if stored.is_some() { "lock.stored_ttl" } else { "lock.ttl" };
    let also = lock.index().checked_sub(1).and_then(|i| scenario.more_locks.get(i));
    let also = also.and_then(|t| t.get("name")).and_then(|n| n.as_text());
    let (value, layer) = scenario.resolved_for(design, key, also).ok_or_else(|| text::NO_LENGTH.to_string())?;
    let was = time(&value).map_err(|_| text::NO_LENGTH.to_string())?;
    let rate_ppm = rate(run, node, grip.at);
    if lasted(run, grip, lock).as_us() * rate_ppm / 1_000_000 + 2_000 < was.as_us() {
        return Err(text::ENDED_EARLY.to_string());
    }
    let own = ["lock.also.", also.unwrap_or_default(), crate::base::pieces::tail(key, 4)].concat();
    let path = match (also, layer) {
        (Some(_), _) => own,
        (None, Layer::Design | Layer::Protection) => crate::scenario::scenario::path("design", design, key),
        (None, _) => key.to_string(),
    };
    let us = (grip.at.as_us() - was.as_us() + 1_000).max(grip.from.as_us());
    Ok((Change::Length { path, was, rate_ppm }, TrueTime::from_us(us), Tells::Length(was)))
}

/// From the last sign of life that a lease had to its end.
fn lasted(run: &Run, grip: &Grip, lock: LockId) -> Span {
    let before = run.log.events().iter().rev().skip_while(|e| e.at >= grip.at);
    let mut last = grip.from;
    for e in before.take_while(|e| e.at >= grip.from) {
        let EventKind::Did(fact) = &e.kind else { continue };
        let of = match fact {
            Fact::Granted(g) | Fact::Voted(g) => g.lock,
            Fact::Extended { lock, .. } | Fact::Kept { lock, .. } => *lock,
            _ => continue,
        };
        if of == lock {
            last = e.at;
            break;
        }
    }
    grip.at.since(last)
}

/// How fast a node's clock runs just before an instant.
fn rate(run: &Run, node: NodeId, at: TrueTime) -> i64 {
    let here = |e: &&crate::trace::TraceEvent| e.node == node && e.at <= at;
    let mut before = run.log.events().iter().rev().filter(here);
    let Some(last) = before.next() else { return 1_000_000 };
    let Some(earlier) = before.find(|e| e.at < last.at) else { return 1_000_000 };
    let (shown, passed) = (last.local.since(earlier.local).as_us(), last.at.since(earlier.at).as_us());
    let rate = (shown as f64 / passed as f64 * 1_000_000.0) as i64;
    // A step of the clock in between is no rate.
    if (100_000..10_000_000).contains(&rate) { rate } else { 1_000_000 }
}

/// The keys that name one message: its kind, whose it is, and which of these it is.
pub(super) fn keys_of(
    run: &Run,
    node: NodeId,
    to: NodeId,
    what: &Message,
    verb: &'static str,
) -> Vec<(&'static str, String)> {
    let kind = kind_word(what.kind);
    let nth = crate::base::text::number(what.nth as usize);
    // Of what nobody asked for, and of answers, whom they reach says more.
    let by_receiver = what.kind.reply || what.kind.topic == Topic::Notify;
    let whom = if by_receiver { ("to", name(run, to, false)) } else { ("from", name(run, node, false)) };
    vec![(verb, kind), whom, ("nth", nth)]
}

pub(super) fn kind_word(kind: Kind) -> String {
    [kind.topic.word(), if kind.reply { "-reply" } else { "" }].concat()
}

/// The fault of the story that says of exactly this message what becomes of it.
pub(super) fn fault_of<'a>(scenario: &'a Scenario, keys: &[(&'static str, String)]) -> Option<&'a Fault> {
    let verb = keys.first()?.0;
    let says = |f: &Fault, key: &str, value: &str| match f.names(key) {
        Some(list) => list == [value],
        None => false,
    };
    scenario.faults.iter().find(|f| {
        f.verb.word == verb
            && f.whom() == [keys[0].1.as_str()]
            && says(f, keys[1].0, &keys[1].1)
            && f.shown("nth").as_deref() == Some(keys[2].1.as_str())
    })
}

/// How long a message is on its way.
fn arrival(scenario: &Scenario, run: &Run, grip: &Grip) -> Found {
    let event = run.log.get(grip.seq).ok_or_else(|| text::GONE.to_string())?;
    let EventKind::Sent { to, what, fate, .. } = &event.kind else { return Err(text::GONE.to_string()) };
    // The language has no word for the answer to what needs none.
    if what.kind.reply && NO_REPLY.contains(&what.kind.topic.word()) {
        return Err(text::UNNAMED.to_string());
    }
    let verb = if matches!(fate, Fate::Copy { .. }) { "duplicate" } else { "delay" };
    let keys = keys_of(run, event.node, *to, what, verb);
    let change = match fault_of(scenario, &keys) {
        Some(f) => Change::Takes { path: f.path("takes") },
        None if verb == "duplicate" => return Err(text::COPY.to_string()),
        None => Change::New { keys },
    };
    Ok((change, event.at, Tells::Since(event.at)))
}

/// What a story calls a node. A service's nodes differ from design to design, so it is called by what is true in all of them: `one` of
/// its nodes, or all.
pub(super) fn name(run: &Run, node: NodeId, one: bool) -> String {
    let own = run.roster.nodes.get(node.index()).map_or(String::new(), |p| p.name.clone());
    match run.roster.role(node) {
        Some(Role::LockNode { .. }) => {
            let mut services = Vec::new();
            for id in run.roster.ids() {
                if let Some(Role::LockNode { service }) = run.roster.role(id)
                    && !services.contains(&service)
                {
                    services.push(service);
                }
            }
            match (services.len(), one) {
                (1, true) => "lock-node".to_string(),
                (1, false) => "lock".to_string(),
                _ => own,
            }
        }
        _ => own,
    }
}

/// What a grip is called, and how it stands: for those who do not see it.
pub fn words(scene: &Scene, column: usize, grip: &Grip) -> (String, String) {
    let Some(run) = scene.story.runs.get(column) else { return Default::default() };
    let whose = match run.log.get(grip.seq).map(|e| &e.kind) {
        Some(EventKind::Sent { to, what, .. }) if grip.hold == Hold::Arrival => {
            let nth = crate::base::text::number(what.nth as usize);
            let (a, b) = (name(run, grip.node, false), name(run, *to, false));
            text::message(&kind_word(what.kind), &nth, &a, &b)
        }
        _ => name(run, grip.node, false),
    };
    let at = crate::view::text::instant(grip.at);
    let stands = match grip.hold {
        Hold::Wake | Hold::Restart | Hold::Heal | Hold::Lease | Hold::Arrival => {
            let length = crate::view::text::span(grip.at.since(grip.from));
            text::until(&text::stands(grip.hold, &length), &at)
        }
        _ => text::stands(grip.hold, &at),
    };
    (text::grip(grip.hold, &whose), stands)
}
