//! Each design's own configuration: what its service has, and what fits together.

use super::references::target_problem;
use super::{Context, Place, Subject, of_fault, of_worker};
use crate::base::pieces::cut;
use crate::base::text::{number, said};
use crate::base::{Span, Verb};
use crate::protocol::params::Draw;
use crate::scenario::diagnostic::{Diagnostics, Phase, Severity};
use crate::scenario::layers::{Layer, Resolver};
use crate::scenario::moment::When;
use crate::scenario::names::with_more;
use crate::scenario::quantity::write_time;
use crate::scenario::registry::{Section, by_path, row, services};
use crate::scenario::scenario::read::{items, of};
use crate::scenario::scenario::{Design, End, Settings, Worker};
use crate::scenario::step::{Mode, Step, StepTime};

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    story(c, found);
    for (i, d) in c.scenario.designs.iter().enumerate() {
        let r = Resolver::new(c.scenario, d);
        own_keys(i, d, &r, found);
        fits(c, i, &r, found);
        watches(c, i, d, &r, found);
        targets(c, i, d, found);
        kinds(c, i, d, &r, found);
        for w in c.written_workers() {
            spinning(c, i, w, found);
        }
    }
    keys_of_the_story(c, found);
}

// ------------------------------------------------------------------ the story

/// Lengths that must be above zero, and sums that must exist.
fn story(c: &Context, found: &mut Diagnostics) {
    let zero = |d: Option<Draw>| d.is_some_and(|d| !above_zero(d));
    for w in c.written_workers() {
        let mut say = |severity, key, message: &str| {
            found.tell(severity, Phase::Values, of_worker(w, key), message.to_string());
        };
        if zero(w.draw("every")) {
            say(Severity::Error, "every", "every: rounds need a grid above 0s.");
        }
        // The worker of a file without workers has no entry.
        let Some(entry) = items(&c.scenario.tree, "worker").get(w.entry).map(of) else { continue };
        if entry.get("stagger").is_none_or(|n| n.as_text() == Some("0s")) {
            continue;
        }
        if matches!(w.start, When::At(d) if !matches!(d, Draw::Fixed(_) | Draw::Uniform(..))) {
            let message = "stagger: only a start at an instant or from a range can be staggered.";
            say(Severity::Error, "stagger", message);
        }
        if entry.get("count").is_none() {
            let message = "stagger: one worker has nobody to be apart from. Give it a count.";
            say(Severity::Note, "", message);
        }
    }
    for f in &c.scenario.faults {
        if zero(f.draw("every")) {
            let message = "every: needs a length above 0s.".to_string();
            found.tell(Severity::Error, Phase::Values, of_fault(f, "every"), message);
        }
        if let (When::At(Draw::Fixed(a)), End::Until(When::At(Draw::Fixed(b)))) = (&f.start, &f.end)
            && b < a
        {
            let message = said("ends at {0}, before it begins at {1}.", &[&write_time(*b), &write_time(*a)]);
            found.tell(Severity::Error, Phase::Faults, of_fault(f, "until"), message);
        }
    }
}

// ------------------------------------------------------------------ keys and services

/// Keys of a design that its service does not use.
fn own_keys(i: usize, d: &Design, r: &Resolver, found: &mut Diagnostics) {
    let service = r.service(None);
    for (section, keys) in d.own.sections() {
        for e in &keys.entries {
            let Some(row) = row(section, &e.key).filter(|r| !r.uses.has(service)) else { continue };
            let (key, services) = (row.path(), row.uses.words());
            let message = said("{0}: {1} has none. Services with it: {2}.", &[&key, subject(service), &services]);
            let place = Place { at: e.node.at, of: Subject::Design(d, i), key: &key };
            found.tell(Severity::Error, Phase::Resolved, place, message);
        }
    }
}

/// Keys of the story: what some design uses is well said, whatever the others make of it; what none uses is worth a note.
fn keys_of_the_story(c: &Context, found: &mut Diagnostics) {
    let services: Vec<&str> = c.names.iter().map(|n| n.locks[0].service).collect();
    let of_all = services.iter().all(|s| *s == services[0]);
    for (section, keys) in c.scenario.written.sections() {
        for e in &keys.entries {
            let Some(row) = row(section, &e.key).filter(|r| !services.iter().any(|s| r.uses.has(s))) else { continue };
            let key = row.path();
            let template =
                if of_all { "{0} is not used: {1} has none." } else { "{0} is not used: no service here has one." };
            let place = Place { at: e.node.at, of: Subject::Table("", &key), key: "" };
            found.tell(Severity::Note, Phase::Resolved, place, said(template, &[&key, subject(services[0])]));
        }
    }
}

/// "none has none" would be a riddle.
fn subject(service: &str) -> &str {
    if service == "none" { "a design without a lock" } else { service }
}

/// Says of a key of a lock, a client or a resource what does not fit there.
#[inline(never)]
fn unfit<'a>(
    r: &Resolver<'a>,
    named: Option<&'a Settings>,
    found: &mut Diagnostics,
    path: &str,
    template: &str,
    args: &[&str],
) {
    let row = by_path(path).expect("these are paths of the registry");
    let words = if r.design.written { r.design.place() } else { String::new() };
    let message = said("{0}: {1}", &[path, &said(template, args)]);
    found.error(Phase::Resolved, r.look(row, named).0.at(), &words, path, message);
}

/// Values that must fit each other.
fn fits(c: &Context, i: usize, r: &Resolver, found: &mut Diagnostics) {
    let s = c.scenario;
    let mut say = |path: &str, template: &str, args: &[&str]| unfit(r, None, found, path, template, args);
    for lock in &c.names[i].locks {
        let replicas = r.int(Section::Lock, "replicas", None).unwrap_or(0);
        if lock.service == "redis" && replicas == 0 && lock.nodes.len() != 1 {
            say("lock.nodes", "redis is one server, and {0} are named.", &[&number(lock.nodes.len())]);
        }
    }
    for named in with_more(&s.more_resources) {
        let guards = r.texts(Section::Resource, "guard", named);
        if guards.len() > 1 && guards.contains(&"none") {
            say("resource.guard", "none stands alone.", &[]);
        }
        if guards.contains(&"same-store")
            && let Some(lock) = c.names[i].locks.iter().find(|l| services::family(l.service) == "redlock")
        {
            say("resource.guard", "same-store needs one store, and {0} is several.", &[lock.service]);
        }
        let int = |key| r.int(Section::Resource, key, named).map(|n| n as usize);
        let copies = int("replicas").unwrap_or(1);
        for (path, key) in [
            ("resource.ack_quorum", "ack_quorum"),
            ("resource.mark_quorum", "mark_quorum"),
            ("resource.read_quorum", "read_quorum"),
        ] {
            if let Some(n) = int(key).filter(|n| *n > copies) {
                say(path, "{0} of {1} copies cannot answer.", &[&number(n), &number(copies)]);
            }
        }
        let one_store = guards.contains(&"same-store") || guards.contains(&"lease-id");
        if copies > 1 && (one_store || r.text(Section::Resource, "kind", named) == "issuer") {
            say("resource.replicas", "copies share no store and no count; this goes with one.", &[]);
        }
        if copies > 1 && c.written_workers().any(|w| w.actions().into_iter().any(|a| a.verb == Verb::Begin)) {
            say("resource.replicas", "a transaction goes with one copy.", &[]);
        }
    }
    for named in with_more(&s.more_locks) {
        let int = |key| r.int(Section::Lock, key, named);
        if let (Some(first), Some(max)) = (int("first_token"), int("max_token"))
            && first > max
        {
            let args = [number(max as usize), number(first as usize)];
            say("lock.max_token", "{0} is below the first token, {1}.", &[&args[0], &args[1]]);
        }
    }
    for w in c.written_workers() {
        if r.span(Section::Client, "renew_every", Some(&w.client), r.ttl(None)) == Some(Span::ZERO) {
            say("client.renew_every", "{0} would extend without end; it needs a length above 0s.", &[&w.name]);
        }
    }
}

/// Only lines of sessions have something to watch; elsewhere those who wait ask again.
fn watches(c: &Context, i: usize, d: &Design, r: &Resolver, found: &mut Diagnostics) {
    let (wake, layer) = r.look(by_path("lock.wake").expect("a path of the registry"), None);
    let keeps_lines = |service: &str| services::family(service) == "session-queue";
    let nobody = || c.names.iter().all(|n| n.locks.iter().all(|l| !keeps_lines(l.service)));
    if wake.text().starts_with("watch-")
        && !keeps_lines(r.service(None))
        && (layer == Layer::Design || (i == 0 && nobody()))
    {
        let message = said("lock.wake: {0} has nothing to watch; who waits asks again.", &[subject(r.service(None))]);
        let of = if d.written { Subject::Design(d, i) } else { Subject::Table("", "lock.wake") };
        let place = Place { at: wake.at(), of, key: "lock.wake" };
        found.tell(Severity::Note, Phase::Resolved, place, message);
    }
}

/// Locks and shards of steps that this design does not have, though another does.
fn targets(c: &Context, i: usize, d: &Design, found: &mut Diagnostics) {
    for w in c.written_workers() {
        for a in w.actions() {
            if let Some(problem) = target_problem(&c.names[i], a) {
                let message = said("worker {0}, \"{1}\": {2}", &[&w.name, &a.text(), &problem]);
                found.error(Phase::Resolved, w.at, &d.place(), &w.path("steps"), message);
            }
        }
    }
}

/// Steps that need a read-write lock, and kinds that need a service of a certain shape.
fn kinds(c: &Context, i: usize, d: &Design, r: &Resolver, found: &mut Diagnostics) {
    let s = c.scenario;
    let knows_kinds = |n: usize| ["redis", "consensus"].contains(&services::family(c.names[i].locks[n].service));
    for (n, named) in with_more(&s.more_locks).into_iter().enumerate() {
        let word = |key| r.text(Section::Lock, key, named);
        let kind = word("kind");
        if !knows_kinds(n) || (kind == "mutex" && word("reentrant") == "no") {
            continue;
        }
        let mut say = |path: &str, template: &str| unfit(r, named, found, path, template, &[kind]);
        if word("acquire") == "two-step" {
            say("lock.acquire", "only a plain mutex is set and then given its end.");
        }
        if kind != "mutex" && r.int(Section::Lock, "replicas", named).unwrap_or(0) > 0 {
            say("lock.replicas", "copies of a {0} are not built; a copy carries one holder.");
        }
    }
    for w in c.written_workers() {
        for a in w.actions() {
            let converts = matches!(a.verb, Verb::Upgrade | Verb::Downgrade);
            let reads = a.verb == Verb::Acquire && a.mode == Some(Mode::Read);
            let Some(lock) = c.names[i].lock(a.target.as_deref().map(first_name)) else { continue };
            let named = with_more(&s.more_locks).get(lock.index()).copied().flatten();
            let served = c.names[i].locks[lock.index()].service != "none";
            if !(converts || reads) || !served {
                continue;
            }
            if !knows_kinds(lock.index()) || r.text(Section::Lock, "kind", named) != "read-write" {
                let name = c.names[i].locks[lock.index()].name;
                let message = "worker {0}, \"{1}\": lock {2} is no read-write lock.";
                let message = said(message, &[&w.name, &a.text(), name]);
                found.error(Phase::Resolved, w.at, &d.place(), &w.path("steps"), message);
            }
        }
    }
}

fn first_name(target: &str) -> &str {
    cut(target, "+").map_or(target, |(first, _)| first)
}

// ------------------------------------------------------------------ programs without end

/// So many steps in a row that take no time are let through.
const MOST_IDLE_STEPS: u64 = 10_000;

/// A block that repeats without taking any time would never let the run go on.
fn spinning(c: &Context, design: usize, w: &Worker, found: &mut Diagnostics) {
    let locks = c.names[design].locks[0].service != "none";
    let pause = w.gap().is_some() || w.draw("every").is_some() || takes_time(&w.steps, locks);
    let rounds = if pause { 1 } else { u64::from(w.rounds()) };
    if idle_steps(&w.steps, locks).saturating_mul(rounds) <= MOST_IDLE_STEPS {
        return;
    }
    let place = of_worker(w, "steps");
    let path = place.path();
    if !found.error_at(|p| p == path) {
        let message = "steps: some of them repeat without taking any time. Put a wait into the block.".to_string();
        found.tell(Severity::Error, Phase::Steps, place, message);
    }
}

/// How many steps may run in a row without time going by.
fn idle_steps(steps: &[Step], locks: bool) -> u64 {
    let mut sum: u64 = 0;
    for s in steps {
        sum = sum.saturating_add(match s {
            Step::One(_) => 1,
            Step::Loop { times, every, steps } => {
                let turns = if every.is_some_and(above_zero) || takes_time(steps, locks) { Some(1) } else { *times };
                turns.map_or(u64::MAX, |n| idle_steps(steps, locks).saturating_mul(u64::from(n)))
            }
        });
    }
    sum
}

/// Does going through these steps take any time? Steps that may find nothing to do count as taking none.
fn takes_time(steps: &[Step], locks: bool) -> bool {
    use crate::base::Verb as V;
    steps.iter().any(|s| match s {
        Step::Loop { every, steps, .. } => every.is_some_and(above_zero) || takes_time(steps, locks),
        Step::One(a) => match a.verb {
            V::Work | V::Wait => a.time != Some(StepTime::Length(Draw::Fixed(Span::ZERO))),
            V::Read | V::Write | V::Delete | V::Call | V::Issue | V::Commit | V::Stop => true,
            V::Acquire | V::Break => locks,
            _ => false,
        },
    })
}

fn above_zero(d: Draw) -> bool {
    d != Draw::Fixed(Span::ZERO)
}
