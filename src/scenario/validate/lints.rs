//! What is allowed and probably not meant, and what may surprise.

use super::points::may_occur;
use super::{Context, PerDesign, place};
use crate::base::{Span, Verb as StepVerb};
use crate::protocol::params::Draw;
use crate::scenario::diagnostic::{Diagnostics, Phase, Severity};
use crate::scenario::layers::Resolver;
use crate::scenario::moment::When;
use crate::scenario::quantity::{shortest, write_time};
use crate::scenario::registry::Section;
use crate::scenario::scenario::{End, Worker};
use crate::scenario::step::{Action, Step, StepTime};

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    let mut warnings = PerDesign::new(Severity::Warning, Phase::Lints);
    let mut notes = PerDesign::new(Severity::Note, Phase::Lints);
    for (i, d) in c.scenario.designs.iter().enumerate() {
        let r = Resolver::new(c.scenario, d);
        for w in &c.scenario.workers {
            leases(i, &r, w, &mut warnings);
            clocks(c, i, &r, w, &mut warnings);
        }
        guards(i, &r, &mut warnings);
        points(c, i, &r, &mut notes);
    }
    horizon(c, found);
    warnings.finish(c.scenario, found);
    notes.finish(c.scenario, found);
    facts_of_workers(c, found);
}

// ------------------------------------------------------------------ leases

/// Work longer than the lease that nothing extends; a period of extension longer than the lease.
fn leases(i: usize, r: &Resolver, w: &Worker, warnings: &mut PerDesign) {
    if r.service(None) == "none" {
        return;
    }
    let Some(ttl) = r.ttl(None) else { return };
    let path = format!("worker.{}.steps", w.entry);
    let every = r.span(Section::Client, "renew_every", Some(&w.client), Some(ttl));
    let Some(held) = longest_hold(&w.steps, ttl) else { return };
    match every {
        None => {
            if let Some(length) = held.length
                && length > held.ttl
            {
                let message = format!(
                    "{} works {}, ttl is {}, nothing renews: the lease will end during the work.",
                    w.name,
                    write_time(length),
                    write_time(held.ttl)
                );
                warnings.say(i, w.at, &path, message);
            } else if held.length.is_none() {
                let message = format!(
                    "{} works for ever, ttl is {}, nothing renews: the lease will end during the work.",
                    w.name,
                    write_time(held.ttl)
                );
                warnings.say(i, w.at, &path, message);
            }
        }
        Some(every) if every >= ttl && held.length.is_none_or(|l| l > ttl) => {
            let message = format!(
                "{} renews every {}, ttl is {}: the lease ends before the first extension.",
                w.name,
                write_time(every),
                write_time(ttl)
            );
            warnings.say(i, w.at, "client.renew_every", message);
        }
        Some(_) => {}
    }
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
                        let length = times.map(|n| a + Span::from_us(turn.as_us().saturating_mul(i64::from(n))));
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

/// A worker that counts on its lease longer than the server keeps it, because their clocks run at different rates.
fn clocks(c: &Context, i: usize, r: &Resolver, w: &Worker, warnings: &mut PerDesign) {
    let Some(ttl) = r.ttl(None) else { return };
    if r.service(None) == "none" {
        return;
    }
    let names = &c.names[i];
    if c.scenario.clocks.is_empty() {
        return;
    }
    let clocks = names.clocks(&c.scenario.clocks);
    let rate = |name: &str| names.node(name).map_or(1_000_000, |n| clocks[n.index()].0);
    let Some(server) = names.lock_nodes.first() else { return };
    let (own, theirs) = (rate(&w.name), rate(server));
    if own == theirs {
        return;
    }
    let counted = ttl - r.margin(Some(&w.client)).of(ttl);
    let truly =
        |length: Span, rate: i64| Span::from_us((i128::from(length.as_us()) * 1_000_000 / i128::from(rate)) as i64);
    let (client, service) = (truly(counted, own), truly(ttl, theirs));
    if client > service {
        let who = if own == 1_000_000 { (server.as_str(), theirs) } else { (w.name.as_str(), own) };
        let message = format!(
            "clock of {} runs at {}: {}'s {} may last longer than {server}'s {}, by {}.",
            who.0,
            shortest(who.1, 1_000_000),
            w.name,
            write_time(counted),
            write_time(ttl),
            client - service
        );
        warnings.say(i, w.at, "clock", message);
    }
}

// ------------------------------------------------------------------ guards

fn guards(i: usize, r: &Resolver, warnings: &mut PerDesign) {
    let guards = r.texts(Section::Resource, "guard", None);
    let has = |g: &str| guards.iter().any(|x| x == g);
    let at = |key: &str, s: Section| r.get(s, key, None).at;
    if has("fence") && r.service(None) != "none" && r.word(Section::Lock, "token", None) == "none" {
        let message = "resource.guard is fence, and lock.token is none: no write carries a token.".to_string();
        warnings.say(i, at("guard", Section::Resource), "resource.guard", message);
    }
    if r.flag(Section::Client, "activate", None) && !has("fence") && !has("owner") && r.service(None) != "none" {
        let message =
            "client.activate is set, and the resource compares neither tokens nor owners: activation changes nothing."
                .to_string();
        warnings.say(i, at("activate", Section::Client), "client.activate", message);
    }
}

// ------------------------------------------------------------------ points and the horizon

fn points(c: &Context, i: usize, r: &Resolver, notes: &mut PerDesign) {
    let s = c.scenario;
    let missing = |w: &When| match w {
        When::Point { worker, point, .. } => {
            let worker = &s.workers[s.worker(worker)?];
            (!may_occur(r, worker, *point))
                .then(|| format!("the point \"{} {}\" does not occur", worker.name, point.word()))
        }
        When::At(_) => None,
    };
    for f in &s.faults {
        let n = f.entry;
        if let Some(what) = missing(&f.start) {
            notes.say(i, f.moments_at.0, &format!("fault.{n}.at"), format!("{what}; {} does not strike.", f.place()));
        } else if let End::Until(until) = &f.end
            && let Some(what) = missing(until)
        {
            notes.say(i, f.moments_at.1, &format!("fault.{n}.until"), format!("{what}; {} does not end.", f.place()));
        }
    }
    for w in &s.workers {
        if let Some(what) = missing(&w.start) {
            notes.say(i, w.at, &format!("worker.{}.start", w.entry), format!("{what}; {} does not start.", w.name));
        }
    }
}

fn horizon(c: &Context, found: &mut Diagnostics) {
    let s = c.scenario;
    let end = s.horizon.since(crate::base::TrueTime::ZERO);
    let late = |w: &When| matches!(w, When::At(Draw::Fixed(t)) if *t >= end);
    let mut say = |at, path: String, what: String| {
        let message = format!("{what} after the end of the run at {}.", write_time(end));
        found.say(Severity::Warning, Phase::Lints, at, "", &path, message);
    };
    for f in &s.faults {
        let i = f.entry;
        if late(&f.start) {
            say(f.at, format!("fault.{i}.at"), format!("{} begins", f.place()));
        }
    }
    for w in &s.workers {
        if late(&w.start) {
            say(w.at, format!("worker.{}.start", w.entry), format!("{} starts", w.name));
        }
    }
}

// ------------------------------------------------------------------ facts of workers

/// A key that a worker sets itself is out of a design's reach.
fn facts_of_workers(c: &Context, found: &mut Diagnostics) {
    let s = c.scenario;
    for w in s.workers.iter().filter(|w| w.copy == 0) {
        for (i, d) in s.designs.iter().enumerate() {
            for (key, node) in &d.client {
                if w.client.get(key).is_some_and(|own| own != node) {
                    let name = place(s, i);
                    let message = format!("worker {} sets client.{key} itself; {name} cannot change it there.", w.name);
                    let path = format!("design.{i}.client.{key}");
                    found.say(Severity::Note, Phase::Lints, node.at, "", &path, message);
                }
            }
        }
    }
}
