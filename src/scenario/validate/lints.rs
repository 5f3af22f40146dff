//! What is allowed and probably not meant, and what may surprise.

use super::points::may_occur;
use super::{Context, PerDesign, Place, Subject, of_fault, of_worker, table_at};
use crate::base::text::{number, said};
use crate::base::time::scaled;
use crate::base::{Span, TrueTime, Verb as StepVerb};
use crate::protocol::params::Draw;
use crate::scenario::diagnostic::{Diagnostics, Phase, Severity};
use crate::scenario::layers::Resolver;
use crate::scenario::moment::When;
use crate::scenario::quantity::{shortest, write_time};
use crate::scenario::registry::{Section, services};
use crate::scenario::scenario::read::table;
use crate::scenario::scenario::{End, Worker, path};
use crate::scenario::step::{Action, Step, StepTime};

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    let mut warnings = PerDesign::new(Severity::Warning, Phase::Lints);
    let mut notes = PerDesign::new(Severity::Note, Phase::Lints);
    let mut told = Vec::new();
    for (i, d) in c.scenario.designs.iter().enumerate() {
        let r = Resolver::new(c.scenario, d);
        if r.service(None) != "none" {
            for w in &c.scenario.workers {
                leases(i, &r, w, &mut warnings);
                clocks(c, i, &r, w, &mut told, found);
            }
            guards(i, &r, &mut warnings);
            copies(i, &r, c.names[i].locks[0].nodes.len(), &mut warnings);
        }
        points(c, i, &r, &mut notes);
    }
    horizon(c, found);
    warnings.finish(c.scenario, found);
    notes.finish(c.scenario, found);
    facts_of_workers(c, found);
}

// ------------------------------------------------------------------ leases

/// Work longer than the lease that nothing extends; a period of extension longer than the lease.
fn leases<'a>(i: usize, r: &Resolver<'a>, w: &'a Worker, warnings: &mut PerDesign) {
    let Some(ttl) = r.ttl(None) else { return };
    let every = r.span(Section::Client, "renew_every", Some(&w.client), Some(ttl));
    let Some(held) = longest_hold(&w.steps, ttl) else { return };
    let too_long = |ttl| held.length.is_none_or(|l| l > ttl);
    let length = held.length.map_or("for ever".to_string(), write_time);
    let steps = of_worker(w, "steps");
    let (place, template, told, ttl) = match every {
        None if too_long(held.ttl) => {
            let template = "{0} works {1}, ttl is {2}, nothing renews: the lease will end during the work.";
            (steps, template, length, held.ttl)
        }
        Some(every) if every >= held.ttl && too_long(held.ttl) => {
            let template = "{0} renews every {1}, ttl is {2}: the lease ends before the first extension.";
            (table_at(w.at, "client.renew_every"), template, write_time(every), held.ttl)
        }
        _ => return,
    };
    warnings.say(i, place, said(template, &[&w.name, &told, &write_time(ttl)]));
}

/// The longest time that surely passes between an acquire and what ends or extends the hold. `length` `None`: for ever.
struct Hold {
    length: Option<Span>,
    ttl: Span,
}

fn longest_hold(steps: &[Step], ttl: Span) -> Option<Hold> {
    let mut walk = HoldWalk { ttl, held: None, longest: None };
    walk.steps(steps);
    walk.note();
    walk.longest
}

struct HoldWalk {
    ttl: Span,
    /// Of the hold under way: its length so far (`None`: for ever) and its TTL.
    held: Option<(Option<Span>, Span)>,
    longest: Option<Hold>,
}

impl HoldWalk {
    fn steps(&mut self, steps: &[Step]) {
        for s in steps {
            match s {
                Step::One(a) => self.action(a),
                Step::Loop { times, steps, .. } => {
                    let before = self.held;
                    self.steps(steps);
                    // A block inside a hold that neither begins nor ends one adds its turns.
                    if let (Some((Some(a), _)), Some((Some(b), t))) = (before, self.held) {
                        let turn = b - a;
                        let length = times.map(|n| a + turn.times(i64::from(n)));
                        let forever = times.is_none() && turn > Span::ZERO;
                        self.held = Some((if forever { None } else { length.or(Some(b)) }, t));
                    }
                }
            }
        }
    }

    fn action(&mut self, a: &Action) {
        match a.verb {
            StepVerb::Acquire => {
                self.note();
                let ttl = match a.ttl {
                    Some(Some(own)) => Some(own),
                    Some(None) => None,
                    None => Some(self.ttl),
                };
                self.held = ttl.map(|t| (Some(Span::ZERO), t));
            }
            StepVerb::Release | StepVerb::Abandon | StepVerb::Stop => {
                self.note();
                self.held = None;
            }
            StepVerb::Renew => {
                self.note();
                if let Some((length, _)) = &mut self.held {
                    *length = Some(Span::ZERO);
                }
            }
            StepVerb::Work | StepVerb::Wait => {
                if let Some((length, _)) = &mut self.held {
                    *length = match (*length, a.time) {
                        (Some(sum), Some(StepTime::Length(d))) => Some(sum + d.least()),
                        (_, Some(StepTime::Forever)) | (None, _) => None,
                        (sum, _) => sum,
                    };
                }
            }
            _ => {}
        }
    }

    /// The hold so far, if it is the longest.
    fn note(&mut self) {
        let Some((length, ttl)) = self.held else { return };
        let longer = match (&self.longest, length) {
            (None, _) => true,
            (Some(Hold { length: None, .. }), _) => false,
            (Some(_), None) => true,
            (Some(Hold { length: Some(old), .. }), Some(new)) => new > *old,
        };
        if longer {
            self.longest = Some(Hold { length, ttl });
        }
    }
}

// ------------------------------------------------------------------ clocks

/// Whose clock, at which rate, and for which lease.
type Told<'a> = (Option<&'a str>, i64, Span);

/// A worker that counts on its lease longer than the server keeps it, or than another worker watches its record, because their clocks run
/// at different rates: told once for each clock and lease, not of every worker and design that it concerns.
fn clocks<'a>(
    c: &Context<'a>,
    i: usize,
    r: &Resolver<'a>,
    w: &'a Worker,
    told: &mut Vec<Told<'a>>,
    found: &mut Diagnostics,
) {
    let Some(ttl) = r.ttl(None) else { return };
    let names = &c.names[i];
    let Some(server) = names.lock_nodes().first() else { return };
    let clocks = names.clocks(table(&c.scenario.tree, "clock"));
    let rate = |name: &str| names.node(name).map_or(1_000_000, |n| clocks[n.index()].rate_ppm);
    let mut counted = ttl - r.margin(Some(&w.client)).of(ttl);
    let mut server: &str = server;
    if services::family(r.service(None)) == "observed-record" {
        // Observers count, and a stamp is compared with a clock, not with a rate.
        if r.text(Section::Lock, "takeover", None) == "timestamp" {
            return;
        }
        let others = c.scenario.workers.iter().map(|o| o.name.as_str()).filter(|o| *o != w.name);
        let Some(other) = others.max_by_key(|o| rate(o)) else { return };
        server = other;
        let span = |key| r.span(Section::Client, key, Some(&w.client), Some(ttl));
        if let (Some(every), Some(patience)) = (span("renew_every"), span("renew_deadline")) {
            counted = every + patience; // Then it stops, whatever its lease says.
        }
    }
    let (own, theirs) = (rate(&w.name), rate(server));
    if own == theirs {
        return;
    }
    let truly =
        |length: Span, rate: i64| Span::from_us(scaled(length.as_us(), 1_000_000, rate).unwrap_or(i64::MAX / 2));
    let (client, service) = (truly(counted, own), truly(ttl, theirs));
    if client > service {
        let (whose, who, rate) = match own {
            1_000_000 => (None, server, theirs),
            _ => (Some(w.name.as_str()), w.name.as_str(), own),
        };
        if told.contains(&(whose, rate, ttl)) {
            return;
        }
        told.push((whose, rate, ttl));
        let template = "clock of {0} runs at {1}: {2}'s {3} may last longer than {4}'s {5}, by {6}.";
        let rate = shortest(rate, 1_000_000);
        let (counted, ttl, by) = (write_time(counted), write_time(ttl), (client - service).text(" "));
        let message = said(template, &[who, &rate, &w.name, &counted, server, &ttl, &by]);
        let place = Place { at: w.at, of: Subject::Table("", "clock"), key: "" };
        found.tell(Severity::Warning, Phase::Lints, place, message);
    }
}

// ------------------------------------------------------------------ guards

fn guards(i: usize, r: &Resolver, warnings: &mut PerDesign) {
    let guards = r.texts(Section::Resource, "guard", None);
    let fence = guards.contains(&"fence");
    let mut say = |section: Section, key: &str, message: &str| {
        let place = Place { at: r.get(section, key, None).at(), of: Subject::Table("", section.word()), key };
        warnings.say(i, place, message.to_string());
    };
    if fence && r.text(Section::Lock, "token", None) == "none" {
        let message = "resource.guard is fence, and lock.token is none: no write carries a token.";
        say(Section::Resource, "guard", message);
    }
    if r.flag(Section::Client, "activate", None) && !fence && !guards.contains(&"owner") {
        let message =
            "client.activate is set, and the resource compares neither tokens nor owners: activation changes nothing.";
        say(Section::Client, "activate", message);
    }
}

/// An answer that waits for more replicas than there are.
fn copies(i: usize, r: &Resolver, servers: usize, warnings: &mut PerDesign) {
    if servers > 1 && r.int(Section::Lock, "wait_replicas", None).is_some_and(|n| n as usize >= servers) {
        let place = Place {
            at: r.get(Section::Lock, "wait_replicas", None).at(),
            of: Subject::Table("", "lock"),
            key: "wait_replicas",
        };
        let template = "lock.wait_replicas is more than there are ({0}): no change is ever answered.";
        warnings.say(i, place, said(template, &[&number(servers - 1)]));
    }
}

// ------------------------------------------------------------------ points and the horizon

fn points<'a>(c: &Context<'a>, i: usize, r: &Resolver<'a>, notes: &mut PerDesign) {
    let s = c.scenario;
    // Says so if the moment never comes under this design.
    let mut missing = |w: &When, place: Place, what: &str| {
        let When::Point { worker, point, .. } = w else { return false };
        let Some(worker) = s.worker(worker).map(|i| &s.workers[i]) else { return false };
        let never = !may_occur(r, worker, *point);
        if never {
            let template = "the point \"{0} {1}\" does not occur; {2} does not {3}.";
            notes.say(i, place, said(template, &[&worker.name, point.word(), &place.who(), what]));
        }
        never
    };
    for f in &s.faults {
        if !missing(&f.start, Place { at: f.moments_at.0, ..of_fault(f, "at") }, "strike")
            && let End::Until(until) = &f.end
        {
            missing(until, Place { at: f.moments_at.1, ..of_fault(f, "until") }, "end");
        }
    }
    for w in &s.workers {
        missing(&w.start, of_worker(w, "start"), "start");
    }
}

fn horizon(c: &Context, found: &mut Diagnostics) {
    let s = c.scenario;
    let end = s.horizon.since(TrueTime::ZERO);
    let mut late = |w: &When, place: Place, what: &str| {
        if matches!(w, When::At(Draw::Fixed(t)) if *t >= end) {
            let message = said("{0} {1} after the end of the run at {2}.", &[&place.who(), what, &write_time(end)]);
            found.say(Severity::Warning, Phase::Lints, place.at, "", &place.path(), message);
        }
    };
    for f in &s.faults {
        late(&f.start, of_fault(f, "at"), "begins");
    }
    for w in &s.workers {
        late(&w.start, of_worker(w, "start"), "starts");
    }
}

// ------------------------------------------------------------------ facts of workers

/// A key that a worker sets itself is out of a design's reach.
fn facts_of_workers(c: &Context, found: &mut Diagnostics) {
    for w in c.written_workers() {
        for (i, d) in c.scenario.designs.iter().enumerate() {
            for e in &d.own.client.entries {
                if w.client.get(&e.key).is_some_and(|own| *own != e.node) {
                    let template = "worker {0} sets client.{1} itself; {2} cannot change it there.";
                    let message = said(template, &[&w.name, &e.key, &d.place()]);
                    let path = path("design", i, &["client.", &e.key].concat());
                    found.say(Severity::Note, Phase::Lints, e.node.at, "", &path, message);
                }
            }
        }
    }
}
