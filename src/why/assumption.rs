//! Which assumption of the design this story broke, found by taking it back.
//!
//! An assumption is named only if a run bears it out: the same story without the fault, or with a shorter one, or with another setting, in
//! which the property holds. Where the fault has a length, the length is searched for at which the verdict turns, to the millisecond; both
//! neighbours have been run.

use super::answers::says;
use super::settings::SETTINGS;
use super::variant::Variant;
use super::words::*;
use crate::base::text::{number, said};
use crate::base::{NodeId, Span};
use crate::check::report::Property;
use crate::protocol::params::Draw;
use crate::run::Run;
use crate::scenario::quantity::{shortest, signed_time, write_time};
use crate::scenario::registry::by_path;
use crate::scenario::scenario::Fault;
use crate::scenario::{Layer, Scenario};
use crate::trace::names::length;
use crate::trace::{EventKind, EventSeq, Fate, LostWhy, TraceEvent};

/// Something that the design relies on, and that was not so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// "a bounded pause".
    pub name: String,
    /// "under 9.505 s".
    pub needed: String,
    /// "14.5 s".
    pub was: String,
    /// The event at which it breaks, if the log shows one.
    pub seq: Option<EventSeq>,
    /// Which fault of the story breaks it, from 0.
    pub fault: Option<usize>,
}

impl Assumption {
    /// "Needed: under 9.505 s; was: 14.5 s."
    pub fn values(&self) -> String {
        said(NEEDED, &[&self.needed, &self.was])
    }
}

/// What is asked, and what has been run.
pub struct Asked<'a> {
    pub scenario: &'a Scenario,
    pub design: usize,
    pub run: &'a Run,
    pub property: Property,
    pub base: Variant,
}

impl Asked<'_> {
    /// Does the property hold in this variant? `None`: it cannot be run.
    pub fn holds(&self, v: Option<Variant>) -> Option<bool> {
        v?.run().map(|r| !r.report.violated(self.property))
    }

    fn cures(&self, v: Option<Variant>) -> bool {
        self.holds(v) == Some(true)
    }
}

/// The assumptions that this violation needs broken, the most telling first: each alone, put right, and the property holds.
pub fn assumptions(a: &Asked) -> Vec<Assumption> {
    let mut found: Vec<(u8, Assumption)> = Vec::new();
    for (i, fault) in a.scenario.faults.iter().enumerate() {
        if a.run.struck.get(i) == Some(&true) && a.cures(a.base.clone().without_fault(i)) {
            found.push((rank(fault), of_fault(a, i, fault)));
        }
    }
    crate::base::flat::sort_by_key(&mut found, |f| f.0);
    let mut out: Vec<Assumption> = found.into_iter().map(|f| f.1).collect();
    // What did not happen is mostly a matter of settings.
    let waiting = matches!(a.property, Property::NoProgress | Property::Leak | Property::Deadlock);
    if out.is_empty() && waiting {
        out.extend(of_settings(a));
    }
    if out.is_empty() {
        out.extend(of_clocks(a));
    }
    if out.is_empty() {
        out.extend(of_links(a));
    }
    if out.is_empty() && !a.scenario.faults.is_empty() && a.cures(Some(a.base.clone().without_faults())) {
        out.push(of_all_faults(a));
    }
    if out.is_empty() && !waiting {
        out.extend(of_settings(a));
    }
    out
}

/// The telling ones first: what was done to the lock's record, then to time, then to messages, then to links.
fn rank(f: &Fault) -> u8 {
    match f.verb.word {
        "crash" | "fail_over" | "evict" | "step_clock" | "drift_clock" => 0,
        "pause" | "delay" | "stall" | "duplicate" | "drop" | "fail" => 1,
        "cut" | "partition" => 3,
        _ => 2,
    }
}

fn of_fault(a: &Asked, i: usize, f: &Fault) -> Assumption {
    let seq = struck(a.run, a.scenario, i).first().copied();
    let made = |name: &str, needed: String, was: String| Assumption {
        name: name.to_string(),
        needed,
        was,
        seq,
        fault: Some(i),
    };
    let whom = f.whom();
    let worker = whom.iter().any(|w| a.scenario.workers.iter().any(|x| x.name == w.split('.').next().unwrap_or(w)));
    match f.verb.word {
        "pause" => {
            let was = lasted(a, seq);
            let longest = was.unwrap_or_else(|| a.run.ending.at.since(begun(a, seq)));
            let needed = turn(longest, |l| a.cures(a.base.clone().fault_lasts(i, l)));
            made(BOUNDED_PAUSE, under(needed), was.map_or(TO_THE_END.to_string(), length))
        }
        "delay" | "stall" => {
            let was = match f.draw("takes") {
                Some(Draw::Fixed(s)) => s,
                _ => f.span("takes").unwrap_or(Span::ZERO),
            };
            let name = if f.verb.word == "stall" { BOUNDED_HANDLING } else { BOUNDED_DELAY };
            let needed = turn(was, |l| a.cures(a.base.clone().fault_has(i, "takes", &write_time(l))));
            made(name, under(needed), spelled(&f.shown("takes").unwrap_or_default()))
        }
        "drop" => made(DELIVERY, ARRIVES.to_string(), IS_LOST.to_string()),
        "duplicate" => made(ONE_COPY, ARRIVES_ONCE.to_string(), ARRIVES_TWICE.to_string()),
        "fail" => made(ANSWERING, ANSWERS.to_string(), FAILS.to_string()),
        "step_clock" => {
            let by = f.span("by").unwrap_or(Span::ZERO);
            let (size, sign) = if by.is_negative() { (-by, -1) } else { (by, 1) };
            let step = |l: Span| write_time(Span::from_us(l.as_us() * sign));
            let needed = turn(size, |l| a.cures(a.base.clone().fault_has(i, "by", &step(l))));
            let way = if sign < 0 { BACK } else { AHEAD };
            made(NO_STEP, under(needed), said(way, &[&length(size)]))
        }
        "drift_clock" => {
            made(CLOCK_RATE_BOUND, said(RATE, &["1"]), said(RATE, &[&f.shown("rate").unwrap_or_default()]))
        }
        "crash" if worker && shown(a, "lock.ttl") == "never" && a.cures(a.base.clone().set(&[("lock.ttl", "10s")])) => {
            made(ENDING_LEASE, ENDS_AFTER.to_string(), NEVER.to_string())
        }
        "crash" if worker => made(LIVING_HOLDER, GIVES_BACK.to_string(), CRASHED.to_string()),
        "crash" => {
            let shard = whom.iter().any(|w| is_resource(a, w));
            if shard && a.cures(a.base.clone().set(&[("resource.mark_durable", "true")])) {
                return made(DURABLE_MARK, KEPT_ON_DISK.to_string(), FORGOTTEN.to_string());
            }
            if a.cures(a.base.clone().set(&[("lock.persistence", "always")])) {
                return made(DURABLE_RECORD, ON_DISK_FIRST.to_string(), shown(a, "lock.persistence"));
            }
            made(STANDING_SERVER, STAYS_UP.to_string(), CRASHED.to_string())
        }
        "fail_over" => {
            if a.cures(a.base.clone().set(&[("lock.wait_replicas", "1")])) {
                return made(
                    SYNC_REPLICATION,
                    COPY_FIRST.to_string(),
                    said(BEHIND, &[&spelled(&shown(a, "lock.replication_lag"))]),
                );
            }
            made(ONE_PRIMARY, STAYS_PRIMARY.to_string(), REPLACED.to_string())
        }
        "cut" | "partition" => {
            let longest = a.run.ending.at.since(begun(a, seq));
            let ends = |l: Span| a.cures(a.base.clone().fault_lasts(i, l));
            let needed = turn(cut_for(a, seq).unwrap_or(longest), ends);
            made(CONNECTED, under(needed), cut_for(a, seq).map_or(TO_THE_END.to_string(), length))
        }
        "evict" => made(STAYING_RECORD, STAYS.to_string(), EVICTED.to_string()),
        "expire" => made(OWN_SESSION, ENDS_WITH_CLIENT.to_string(), ENDED_EARLY.to_string()),
        "disconnect" => made(STAYING_CONNECTION, STAYS.to_string(), BROKE.to_string()),
        "cancel" => made(WANTED_REQUEST, STAYS_WANTED.to_string(), WAS_CANCELLED.to_string()),
        _ => made(RUNNING_WORKER, GIVES_BACK.to_string(), WAS_STOPPED.to_string()),
    }
}

fn is_resource(a: &Asked, word: &str) -> bool {
    word == "resource" || a.run.roster.ids().any(|n| a.run.roster.is_shard(n) && a.run.roster.name(n) == word)
}

fn begun(a: &Asked, seq: Option<EventSeq>) -> crate::base::TrueTime {
    seq.and_then(|s| a.run.log.get(s)).map_or(crate::base::TrueTime::ZERO, |e| e.at)
}

/// How long the pause that begins here lasted; `None`: to the end.
fn lasted(a: &Asked, seq: Option<EventSeq>) -> Option<Span> {
    let from = a.run.log.get(seq?)?;
    let ends =
        |e: &&TraceEvent| e.node == from.node && matches!(e.kind, EventKind::Resumed { since, .. } if since == from.at);
    a.run.log.events().iter().find(ends).map(|e| e.at.since(from.at))
}

/// How long the cut that begins here lasted; `None`: to the end.
fn cut_for(a: &Asked, seq: Option<EventSeq>) -> Option<Span> {
    let from = a.run.log.get(seq?)?;
    let EventKind::CutFrom { peer } = from.kind else { return None };
    let heals = |e: &&TraceEvent| {
        e.seq > from.seq && e.node == from.node && matches!(e.kind, EventKind::Healed { peer: p } if p == peer)
    };
    a.run.log.events().iter().find(heals).map(|e| e.at.since(from.at))
}

/// The least length, in whole milliseconds, at which the property no longer holds: one millisecond less has been run, and holds. `None`:
/// it does not hold at the least either.
fn turn(broken: Span, holds: impl Fn(Span) -> bool) -> Option<Span> {
    let (mut lo, mut hi) = (0i64, (broken.as_us() + 999) / 1_000);
    if hi <= 1 || !holds(Span::ZERO) {
        return None;
    }
    while hi - lo > 1 {
        let mid = lo + (hi - lo) / 2;
        if holds(Span::from_ms(mid)) { lo = mid } else { hi = mid }
    }
    (hi > 1).then(|| Span::from_ms(hi))
}

fn under(least: Option<Span>) -> String {
    least.map_or(NONE_OF_IT.to_string(), |l| said(UNDER, &[&length(l)]))
}

/// The story says how fast somebody's clock runs.
fn of_clocks(a: &Asked) -> Option<Assumption> {
    for (name, keys) in a.base.clocks() {
        for (key, was) in keys {
            if !a.cures(a.base.clone().clock(&name, &key, None)) {
                continue;
            }
            if key != "rate" {
                let needed = said(RIGHT_CLOCK, &[&name]);
                return Some(plain(SET_CLOCKS, needed, said(AHEAD, &[&was])));
            }
            let needed = rate_that_holds(a, &name, &was).unwrap_or_else(|| "1".to_string());
            let template = if was.starts_with('0') { RATE_ABOVE } else { RATE_UNDER };
            return Some(plain(CLOCK_RATE_BOUND, said(template, &[&needed]), said(RATE_OF, &[&was, &name])));
        }
    }
    None
}

/// The rate between 1 and the one that breaks it at which the verdict turns, to four decimals.
fn rate_that_holds(a: &Asked, name: &str, was: &str) -> Option<String> {
    let broken = ten_thousandths(was)?;
    let (mut good, mut bad) = (10_000i64, broken);
    while (bad - good).abs() > 1 {
        let mid = good + (bad - good) / 2;
        if a.cures(a.base.clone().clock(name, "rate", Some(&shortest(mid, 10_000)))) { good = mid } else { bad = mid }
    }
    Some(shortest(bad, 10_000))
}

/// A rate as people write it, in ten-thousandths.
fn ten_thousandths(text: &str) -> Option<i64> {
    let (whole, part) = crate::base::pieces::cut(text, ".").unwrap_or((text, ""));
    let mut digits = part.to_string();
    while digits.len() < 4 {
        digits.push('0');
    }
    Some(crate::base::pieces::whole(whole)? * 10_000 + crate::base::pieces::whole(&digits[..4])?)
}

/// The story says that some link is slow or loses messages.
fn of_links(a: &Asked) -> Option<Assumption> {
    for i in 0..a.base.count("link") {
        if a.cures(a.base.clone().without("link", i)) {
            let was = said(LINK, &[&number(i + 1)]);
            return Some(plain(BOUNDED_DELAY, AS_OTHERS.to_string(), was));
        }
    }
    None
}

/// A time as it is set in running text; anything else as it is.
fn spelled(text: &str) -> String {
    signed_time(text).map_or_else(|_| text.to_string(), length)
}

/// No fault alone: any of several is enough.
fn of_all_faults(a: &Asked) -> Assumption {
    let first = (0..a.scenario.faults.len()).find(|i| a.run.struck.get(*i) == Some(&true)).unwrap_or(0);
    let mut made = of_fault(a, first, &a.scenario.faults[first]);
    made.needed = said(NONE_OF, &[&number(a.scenario.faults.len())]);
    made
}

/// No fault at all: a setting of the design is what breaks it.
fn of_settings(a: &Asked) -> Option<Assumption> {
    for s in SETTINGS {
        let was = shown(a, s.key);
        if s.sets.iter().any(|(path, value)| *path == s.key && *value == says(a.scenario, a.design, s.key)) {
            continue;
        }
        if a.cures(a.base.clone().set(s.sets)) {
            return Some(plain(s.name, s.needed.to_string(), said(s.was, &[&spelled(&was)])));
        }
    }
    of_any_setting(a)
}

/// What the story or the design says of any key, put back to what the language would have said.
fn of_any_setting(a: &Asked) -> Option<Assumption> {
    for row in crate::scenario::registry::rows() {
        let path = row.path();
        let Some((was, layer)) = a.scenario.resolved(a.design, &path) else { continue };
        if layer == Layer::Default || was == row.default || row.default.is_empty() || by_path(&path).is_none() {
            continue;
        }
        if a.cures(a.base.clone().set(&[(&path, row.default)])) {
            return Some(plain(&said(SETTING, &[&path]), row.default.to_string(), was));
        }
    }
    None
}

fn plain(name: &str, needed: String, was: String) -> Assumption {
    Assumption { name: name.to_string(), needed, was, seq: None, fault: None }
}

/// A setting of the design at hand, as people write it.
fn shown(a: &Asked, path: &str) -> String {
    a.scenario.resolved(a.design, path).map_or(String::new(), |r| r.0)
}

/// The events in which a fault of the story shows, in their order. A fault that shows in nothing that the log says has none.
pub fn struck(run: &Run, scenario: &Scenario, i: usize) -> Vec<EventSeq> {
    let Some(f) = scenario.faults.get(i) else { return Vec::new() };
    let whom = f.whom();
    let all = run.log.events().iter().filter(|e| shows(run, f, &whom, e)).map(|e| (e.seq, e.at));
    let mut all: Vec<(EventSeq, crate::base::TrueTime)> = all.collect();
    // Of faults alike, each has its own instant.
    if let crate::scenario::moment::When::At(Draw::Fixed(at)) = f.start
        && f.message().is_none()
    {
        let at = crate::base::TrueTime::ZERO + at;
        if all.iter().any(|e| e.1 == at) {
            all.retain(|e| e.1 == at);
        }
    }
    all.into_iter().map(|e| e.0).collect()
}

/// Is this an event of such a fault?
fn shows(run: &Run, f: &Fault, whom: &[&str], e: &TraceEvent) -> bool {
    let name = run.roster.name(e.node);
    let is = |n: NodeId, words: &[&str]| {
        let name = run.roster.name(n);
        words.iter().any(|w| {
            *w == name
                || w.split('.').next() == Some(name)
                || (run.roster.is_lock_node(n) && matches!(*w, "lock" | "lock-node"))
                || (run.roster.is_shard(n) && *w == "resource")
                || (run.roster.is_worker(n) && *w == "workers")
        })
    };
    let here = is(e.node, whom) || whom.iter().any(|w| w.contains(name));
    match (f.verb.word, &e.kind) {
        ("pause", EventKind::Paused { .. })
        | ("crash", EventKind::Crashed { .. })
        | ("step_clock", EventKind::ClockStepped { .. })
        | ("drift_clock", EventKind::ClockRateSet { .. })
        | ("disconnect", EventKind::Disconnected) => here,
        ("cut" | "partition", EventKind::CutFrom { .. }) => {
            here || f.verb.word == "partition" || f.names("to").is_some_and(|t| is(e.node, &t))
        }
        ("fail_over", EventKind::Promoted) => true,
        ("evict", EventKind::Did(crate::base::Fact::Forgotten { .. })) => true,
        ("expire", EventKind::Did(crate::base::Fact::Expired { .. } | crate::base::Fact::Unqueued { .. })) => true,
        ("cancel", EventKind::Did(crate::base::Fact::TryFailed { .. })) => here,
        ("shut_down", EventKind::Did(crate::base::Fact::Stopped { .. } | crate::base::Fact::Finished)) => here,
        (verb, EventKind::Sent { to, what, fate, .. }) if f.message().is_some() => {
            let kind = crate::base::text::said("{0}", &[&what.kind.to_string()]);
            let about = whom.iter().any(|w| *w == "any" || *w == kind);
            let from = f.names("from").is_none_or(|n| is(e.node, &n));
            let to = f.names("to").is_none_or(|n| is(*to, &n));
            let done = match verb {
                "delay" => *fate == Fate::Delayed,
                "drop" => *fate == Fate::Lost,
                "duplicate" => matches!(fate, Fate::Copy { .. }),
                "fail" => what.payload == crate::base::Payload::Failed || *fate != Fate::Plain,
                _ => false,
            };
            done && about && from && to
        }
        ("fail", EventKind::Lost { why: LostWhy::Dropped, .. }) => true,
        _ => false,
    }
}
