//! Each design's own configuration: what its service has, and what fits together.

use super::references::target_problem;
use super::{Context, PerDesign, place};
use crate::base::Span;
use crate::protocol::params::Draw;
use crate::scenario::diagnostic::{Diagnostics, Phase, Severity};
use crate::scenario::layers::Resolver;
use crate::scenario::moment::When;
use crate::scenario::registry::{Row, Section, by_path, row};
use crate::scenario::scenario::{Design, End, Settings, Worker};
use crate::scenario::step::{Step, StepTime};
use crate::scenario::tree::{Pos, Table};

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    story(c, found);
    let mut unused = PerDesign::new(Severity::Note, Phase::Resolved);
    for (i, d) in c.scenario.designs.iter().enumerate() {
        let r = Resolver::new(c.scenario, d);
        own_keys(c, i, d, &r, found);
        story_keys(c, i, &r, &mut unused);
        fits(c, i, &r, found);
        targets(c, i, found);
        for w in c.scenario.workers.iter().filter(|w| w.copy == 0) {
            spinning(c, i, w, found);
        }
    }
    unused.finish(c.scenario, found);
}

// ------------------------------------------------------------------ the story

/// Lengths that must be above zero, and sums that must exist.
fn story(c: &Context, found: &mut Diagnostics) {
    let zero = |d: Option<Draw>| d == Some(Draw::Fixed(Span::ZERO));
    for w in c.scenario.workers.iter().filter(|w| w.copy == 0) {
        let (words, path) = (format!("worker {}", w.name), format!("worker.{}", w.entry));
        if zero(w.every) {
            found.error(
                Phase::Values,
                w.at,
                &words,
                &format!("{path}.every"),
                "every: rounds need a grid above 0s.".into(),
            );
        }
        let entry = entry(c, w);
        let stagger = entry.and_then(|t| t.get("stagger")).is_some_and(|n| n.as_text() != Some("0s"));
        if stagger && matches!(w.start, When::At(Draw::Exponential(_) | Draw::LogNormal(..))) {
            let message = "stagger: a start drawn by exp or lognormal cannot be staggered; use a range.".to_string();
            found.error(Phase::Values, w.at, &words, &format!("{path}.stagger"), message);
        }
        if stagger && entry.is_some_and(|t| t.get("count").is_none()) {
            let message = "stagger: one worker has nobody to be apart from. Give it a count.".to_string();
            found.say(Severity::Note, Phase::Values, w.at, &words, &path, message);
        }
    }
    for f in &c.scenario.faults {
        let i = f.entry;
        let (words, path) = (f.place(), format!("fault.{i}"));
        if zero(f.every) {
            found.error(
                Phase::Values,
                f.at,
                &words,
                &format!("{path}.every"),
                "every: needs a length above 0s.".into(),
            );
        }
        if let (When::At(Draw::Fixed(a)), End::Until(When::At(Draw::Fixed(b)))) = (&f.start, &f.end)
            && b < a
        {
            let message = format!("ends at {}, before it begins at {}.", text(*b), text(*a));
            found.error(Phase::Faults, f.at, &words, &format!("{path}.until"), message);
        }
    }
}

fn entry<'a>(c: &'a Context, w: &Worker) -> Option<&'a Table> {
    c.tree.get("worker").map_or(&[][..], |n| n.items()).get(w.entry).and_then(|n| n.as_table())
}

fn text(s: Span) -> String {
    crate::scenario::quantity::write_time(s)
}

// ------------------------------------------------------------------ keys and services

/// In a design, a key that its service does not use is a mistake.
fn own_keys(c: &Context, i: usize, d: &Design, r: &Resolver, found: &mut Diagnostics) {
    let service = r.service(None);
    for (section, keys) in [(Section::Lock, &d.lock), (Section::Client, &d.client), (Section::Resource, &d.resource)] {
        for (row, at) in rows(section, keys) {
            if row.uses.has(&service) {
                continue;
            }
            let message =
                format!("{}: {} has none. Services with it: {}.", row.path(), subject(&service), row.uses.words());
            let path = format!("design.{i}.{}", row.path());
            found.say(Severity::Error, Phase::Resolved, at, &place(c.scenario, i), &path, message);
        }
    }
}

/// Elsewhere it is fine, and worth a note where a design makes nothing of it.
fn story_keys(c: &Context, i: usize, r: &Resolver, unused: &mut PerDesign) {
    let service = r.service(None);
    let s = c.scenario;
    for (section, keys) in [(Section::Lock, &s.lock), (Section::Client, &s.client), (Section::Resource, &s.resource)] {
        for (row, at) in rows(section, keys) {
            if !row.uses.has(&service) {
                unused.say(i, at, &row.path(), format!("{} is not used: {} has none.", row.path(), subject(&service)));
            }
        }
    }
}

/// "none has none" would be a riddle.
fn subject(service: &str) -> &str {
    if service == "none" { "a design without a lock" } else { service }
}

fn rows<'a>(section: Section, keys: &'a Settings) -> impl Iterator<Item = (&'static Row, Pos)> + 'a {
    keys.iter().filter_map(move |(key, node)| row(section, key).map(|r| (r, node.at)))
}

/// Values that must fit each other.
fn fits(c: &Context, i: usize, r: &Resolver, found: &mut Diagnostics) {
    let s = c.scenario;
    let words = if s.designs[i].written { place(s, i) } else { String::new() };
    let mut say = |path: &str, message: String| {
        let row = by_path(path).expect("these are paths of the registry");
        let at = r.look(row, None).0.at;
        found.say(Severity::Error, Phase::Resolved, at, &words, path, message);
    };
    for lock in &c.names[i].locks {
        let replicas = r.int(Section::Lock, "replicas", None).unwrap_or(0) as usize;
        if lock.service == "redis" && replicas == 0 && lock.nodes.len() != 1 {
            let message = format!("lock.nodes: redis is one server, and {} are named.", lock.nodes.len());
            say("lock.nodes", message);
        }
    }
    for named in std::iter::once(None).chain(s.more_resources.iter().map(|(_, n)| Some(n))) {
        let guards = r.texts(Section::Resource, "guard", named);
        if guards.len() > 1 && guards.iter().any(|g| g == "none") {
            say("resource.guard", "resource.guard: none stands alone.".to_string());
        }
    }
    for named in std::iter::once(None).chain(s.more_locks.iter().map(|(_, n)| Some(n))) {
        let int = |key| r.int(Section::Lock, key, named);
        if let (Some(first), Some(max)) = (int("first_token"), int("max_token"))
            && first > max
        {
            say("lock.max_token", format!("lock.max_token: {max} is below the first token, {first}."));
        }
    }
    let ttl = r.ttl(None);
    for w in s.workers.iter().filter(|w| w.copy == 0) {
        let every = r.span(Section::Client, "renew_every", Some(&w.client), ttl);
        if every == Some(Span::ZERO) {
            say(
                "client.renew_every",
                format!("client.renew_every: {} would extend without end; it needs a length above 0s.", w.name),
            );
        }
    }
}

/// Locks and shards of steps that this design does not have, though another does.
fn targets(c: &Context, i: usize, found: &mut Diagnostics) {
    for w in c.scenario.workers.iter().filter(|w| w.copy == 0) {
        let mut actions = Vec::new();
        w.steps.iter().for_each(|s| s.actions(&mut actions));
        for a in actions {
            if let Some(problem) = target_problem(&c.names[i], a) {
                let message = format!("worker {}, \"{a}\": {problem}", w.name);
                found.say(
                    Severity::Error,
                    Phase::Resolved,
                    w.at,
                    &place(c.scenario, i),
                    &format!("worker.{}.steps", w.entry),
                    message,
                );
            }
        }
    }
}

// ------------------------------------------------------------------ programs without end

/// So many steps in a row that take no time are let through.
const MOST_IDLE_STEPS: u64 = 10_000;

/// A block that repeats without taking any time would never let the run go on.
fn spinning(c: &Context, design: usize, w: &Worker, found: &mut Diagnostics) {
    let locks = c.names[design].locks.first().is_some_and(|l| l.service != "none");
    let pause = w.gap.is_some() || w.every.is_some() || takes_time(&w.steps, locks);
    let rounds = if pause { 1 } else { u64::from(w.rounds) };
    if idle_steps(&w.steps, locks).saturating_mul(rounds) <= MOST_IDLE_STEPS {
        return;
    }
    let path = format!("worker.{}.steps", w.entry);
    if !found.error_at(|p| p == path) {
        let message = "steps: some of them repeat without taking any time. Put a wait into the block.".to_string();
        found.error(Phase::Steps, w.at, &format!("worker {}", w.name), &path, message);
    }
}

/// How many steps may run in a row without time going by.
fn idle_steps(steps: &[Step], locks: bool) -> u64 {
    let each = steps.iter().map(|s| match s {
        Step::One(_) => 1,
        Step::Loop { times, every, steps } => {
            let inner = idle_steps(steps, locks);
            let turns = if every.is_some_and(above_zero) || takes_time(steps, locks) { Some(1) } else { *times };
            turns.map_or(u64::MAX, |n| inner.saturating_mul(u64::from(n)))
        }
    });
    each.fold(0, u64::saturating_add)
}

/// Does going through these steps take any time? Steps that may find nothing to do count as taking none.
fn takes_time(steps: &[Step], locks: bool) -> bool {
    use crate::base::Verb as V;
    steps.iter().any(|s| match s {
        Step::Loop { every, steps, .. } => every.is_some_and(above_zero) || takes_time(steps, locks),
        Step::One(a) => match a.verb {
            V::Work | V::Wait => a.time != Some(StepTime::Length(Draw::Fixed(Span::ZERO))),
            V::Read | V::Write | V::Delete | V::Call | V::Stop => true,
            V::Acquire | V::Break => locks,
            _ => false,
        },
    })
}

fn above_zero(d: Draw) -> bool {
    d != Draw::Fixed(Span::ZERO)
}
