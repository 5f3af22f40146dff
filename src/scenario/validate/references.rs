//! Names: unique, free, and leading somewhere.
//!
//! A name that exists under one design only (a node of Redlock's) is fine: under the others it strikes nobody. A name that exists under none is a
//! slip. Workers belong to the story, so a moment or a claim about a worker must name one that exists.

use super::{Context, Place, Subject, of_fault, of_worker, table_at};
use crate::base::pieces::{cut, divide, listed, split};
use crate::base::text::{number, said};
use crate::protocol::params::Locks;
use crate::scenario::diagnostic::{Diagnostics, Phase, Severity};
use crate::scenario::expect::MeasureValue;
use crate::scenario::moment::When;
use crate::scenario::names::{GROUPS, Names};
use crate::scenario::registry::faults::Victim;
use crate::scenario::registry::words::nearest;
use crate::scenario::scenario::read::{items, of, table, texts, words};
use crate::scenario::scenario::{End, Worker};
use crate::scenario::step::Action;
use crate::scenario::tree::{Entry, Node, Pos};

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    // Where workers or services could not be read, everything that names them would look wrong.
    let workers_known = !found.error_at(|p| {
        p == "worker"
            || p.strip_prefix("worker.").is_some_and(|rest| {
                let key = cut(rest, ".").map(|(_, key)| key);
                key.is_none_or(|k| ["name", "count", "process"].contains(&k))
            })
    });
    let nodes_known = workers_known
        && !found.error_at(|p| {
            let last = split(p, ".").pop().unwrap_or(p);
            ["service", "nodes", "shards", "protection", "also", "lock", "resource"].contains(&last)
                || (p.starts_with("lock.also") || p.starts_with("resource"))
                || p == "lock.name"
        });
    let mut check = Check { c, found };
    check.unique(workers_known);
    if workers_known {
        check.free();
        check.moments();
        check.claims();
    }
    if nodes_known {
        check.named();
        check.steps();
    }
}

struct Check<'a, 'b> {
    c: &'a Context<'a>,
    found: &'b mut Diagnostics,
}

impl Check<'_, '_> {
    #[inline(never)]
    fn say(&mut self, place: Place, template: &str, args: &[&str]) {
        self.found.tell(Severity::Error, Phase::Names, place, said(template, args));
    }

    // -------------------------------------------------------------- unique and free

    fn unique(&mut self, workers_known: bool) {
        let s = self.c.scenario;
        let mut seen: Vec<&str> = Vec::new();
        for w in s.workers.iter().filter(|_| workers_known) {
            let template = "there are two workers \"{0}\". Give one another name.";
            self.once(&mut seen, &w.name, of_worker(w, ""), template);
        }
        seen.clear();
        for (i, d) in s.designs.iter().enumerate() {
            let place = Place { at: d.at, of: Subject::Design(d, i), key: "" };
            self.once(&mut seen, &d.name, place, "there are two designs of this name. Give one another name.");
        }
        seen.clear();
        for f in &s.faults {
            if let Some(name) = f.name() {
                let template = "there are two faults of this name. Give one another name.";
                self.once(&mut seen, name, of_fault(f, ""), template);
            }
        }
        // A name that is there twice is so under every design.
        let (mut locks, mut resources) = (Vec::new(), Vec::new());
        for names in &self.c.names {
            seen.clear();
            for l in &names.locks {
                let told = twice(&mut seen, l.name) && !twice(&mut locks, l.name);
                self.two(told, "lock", "there are two locks \"{0}\". Give one another name.", l.name);
            }
            seen.clear();
            for r in &names.resources {
                let told = twice(&mut seen, r.name) && !twice(&mut resources, r.name);
                self.two(told, "resource", "there are two resources \"{0}\". Give one another name.", r.name);
            }
        }
    }

    /// Says so if the name was there before.
    #[inline(never)]
    fn once<'n>(&mut self, seen: &mut Vec<&'n str>, name: &'n str, place: Place, template: &str) {
        if twice(seen, name) {
            self.say(place, template, &[name]);
        }
    }

    /// Says of a section that two in it have one name.
    fn two(&mut self, told: bool, section: &str, template: &str, name: &str) {
        if told {
            let at = self.c.scenario.tree.entry(section).map_or(Pos::UNKNOWN, |e| e.at);
            self.say(table_at(at, section), template, &[name]);
        }
    }

    /// Nobody is called like a group, and no two of different kinds share a name.
    fn free(&mut self) {
        let c = self.c;
        let mut said: Vec<&str> = Vec::new();
        for names in &c.names {
            let workers = names.workers.len();
            // Everybody who has a name, and what he is: workers, their processes, and who else has a lifeline.
            let taken = |i: usize| match i.checked_sub(workers) {
                None => (names.workers[i].name.as_str(), "worker"),
                Some(i) if i < workers => (names.workers[i].process.as_str(), "process"),
                Some(i) if i < workers + names.lock_nodes().len() => (names.nodes[i], "lock server"),
                Some(i) if names.mutexes.contains(&names.nodes[i]) => (names.nodes[i], "process"),
                Some(i) => (names.nodes[i], "resource"),
            };
            for i in 0..workers + names.nodes.len() {
                let (name, kind) = taken(i);
                let mut before = (0..i).map(taken).filter(|(n, _)| *n == name);
                let twice_a_shard = kind == "resource" && before.clone().any(|(_, k)| k == kind);
                let other = before.find(|(_, k)| *k != kind).map(|(_, k)| k);
                let worker = c.scenario.workers.iter().find(|w| w.name == name || w.process == name);
                let at = worker.map_or(Pos::UNKNOWN, |w| w.at);
                let mut say = |at, words, path, template| {
                    if !twice(&mut said, name) {
                        self.say(
                            Place { at, of: Subject::Table(words, path), key: "" },
                            template,
                            &[name, kind, other.unwrap_or_default()],
                        );
                    }
                };
                if GROUPS.contains(&name) {
                    say(at, kind, "", "\"{0}\" stands for a group, so no {1} can have that name.");
                }
                if other.is_some_and(|o| o != "worker" || kind != "process") {
                    say(at, "", "", "\"{0}\" is a {2} and a {1}. Give one of them another name.");
                }
                if twice_a_shard {
                    let template = "two resources have a shard \"{0}\". Give one another name.";
                    say(Pos::UNKNOWN, "resource", "resource", template);
                }
            }
        }
    }

    // -------------------------------------------------------------- workers in moments and claims

    fn moments(&mut self) {
        for w in self.c.written_workers() {
            self.moment(&w.start, of_worker(w, "start"));
        }
        for f in &self.c.scenario.faults {
            self.moment(&f.start, Place { at: f.moments_at.0, ..of_fault(f, "at") });
            if let End::Until(until) = &f.end {
                self.moment(until, Place { at: f.moments_at.1, ..of_fault(f, "until") });
            }
        }
    }

    fn moment(&mut self, w: &When, place: Place) {
        if let When::Point { worker, .. } = w {
            self.worker(worker, place, "");
        }
    }

    /// Says so if there is no such worker; `before` names the claim.
    #[inline(never)]
    fn worker(&mut self, name: &str, place: Place, before: &str) {
        let workers: Vec<&str> = self.c.scenario.workers.iter().map(|w| w.name.as_str()).collect();
        if !workers.contains(&name) {
            let message = said("{0}there is no worker \"{1}\". Workers: {2}.", &[before, name, &some(&workers)]);
            self.unknown(name, &workers, place, message);
        }
    }

    /// A name that does not exist, with the one that may have been meant.
    #[inline(never)]
    fn unknown(&mut self, name: &str, all: &[&str], place: Place, message: String) {
        let near = nearest(name, all.iter().copied()).map(str::to_string);
        self.found.tell(Severity::Error, Phase::Names, place, message).suggestion = near;
    }

    fn claims(&mut self) {
        let s = self.c.scenario;
        for (i, d) in s.designs.iter().enumerate() {
            // A claim of the story stands in every design; once is enough.
            let own = items(&s.tree, "design").get(i).map(of).and_then(|t| t.get("expect")).map(of);
            let mut claim = |key: &str, name: &str, at: Pos| {
                if i == 0 || own.is_some_and(|t| t.get(key).is_some()) {
                    let in_design = ["expect.", key].concat();
                    let (of, path) = match d.written {
                        true => (Subject::Design(d, i), in_design.as_str()),
                        false => (Subject::Table("expect", "expect"), key),
                    };
                    self.worker(name, Place { at, of, key: path }, &[key, ": "].concat());
                }
            };
            let claim: &mut dyn FnMut(&str, &str, Pos) = &mut claim;
            for c in &d.expect.instants {
                claim("instants", &c.value.worker, c.at);
            }
            for c in &d.expect.measures {
                if let Some(who) = &c.value.who {
                    claim("measures", who, c.at);
                }
                if let MeasureValue::Worker(w) = &c.value.value {
                    claim("measures", w, c.at);
                }
            }
            for c in &d.expect.ends {
                claim("ends", &c.value.0, c.at);
            }
        }
        if let Some(node) = table(&s.tree, "lesson").get("design")
            && let Some(name) = node.as_text()
            && s.design(name).is_none()
        {
            let all: Vec<&str> = s.designs.iter().map(|d| d.name.as_str()).collect();
            self.say(
                table_at(node.at, "lesson.design"),
                "there is no design \"{0}\". Designs: {1}.",
                &[name, &some(&all)],
            );
        }
        for e in &table(table(&s.tree, "sweep"), "axes").entries {
            self.axis(e);
        }
    }

    /// A path of a sweep that goes through a name.
    fn axis(&mut self, e: &Entry) {
        let s = self.c.scenario;
        let parts: Vec<&str> = split(&e.key, ".");
        let (kind, name) = match parts[..] {
            ["fault", name, _] if s.fault(name).is_none() => ("fault", name),
            ["worker", name, ..] if s.worker(name).is_none() => ("worker", name),
            _ => return,
        };
        self.say(table_at(e.at, "sweep.axes"), "{0}: there is no {1} \"{2}\".", &[&e.key, kind, name]);
    }

    // -------------------------------------------------------------- nodes

    fn named(&mut self) {
        let s = self.c.scenario;
        for (i, node) in items(&s.tree, "link").iter().enumerate() {
            for key in ["from", "to"] {
                self.names(&texts(of(node), key), false, Place { at: node.at, of: Subject::Link(i), key });
            }
        }
        for e in &table(&s.tree, "clock").entries {
            let of = Subject::Table("clock", "clock");
            self.names(&[&e.key], false, Place { at: e.at, of, key: &e.key });
        }
        for f in &s.faults {
            let place = of_fault(f, f.verb.word);
            match f.verb.victim {
                // Words of messages, which are no names.
                Victim::Kinds => {}
                Victim::Groups => f.victims().items().iter().for_each(|g| self.names(&words(g), false, place)),
                victim => self.names(&words(f.victims()), victim == Victim::Targets, place),
            }
            for key in ["from", "to"] {
                if f.verb.has(key) {
                    self.names(&texts(&f.keys, key), false, of_fault(f, key));
                }
            }
            if let "evict" | "fail_over" = f.verb.word {
                self.evicted(f.verb.word, f.victims(), place);
                if let Some(lock) = f.text("lock_name") {
                    self.lock(lock, of_fault(f, "lock_name"));
                }
            }
        }
        if let Some(e) = s.tree.entry("explore") {
            let targets = table(&s.tree, "explore").get("targets").map_or(vec!["workers"], words);
            self.names(&targets, false, table_at(e.at, "explore.targets"));
        }
    }

    /// Names of nodes, processes and groups; with `threads` also of threads.
    #[inline(never)]
    fn names(&mut self, list: &[&str], threads: bool, place: Place) {
        let c = self.c;
        for name in list {
            let thread = c.names.iter().any(|n| n.thread(name).is_some());
            let known = GROUPS.contains(name) || c.names.iter().any(|n| !n.nodes_of(name).is_empty());
            if known || (threads && thread) {
                continue;
            }
            let mut all = everybody(c);
            let message = if thread {
                let process = divide(name, ".").0;
                said("\"{0}\" is a thread; only pause and crash strike one. Write \"{1}\".", &[name, process])
            } else {
                let groups = listed(&GROUPS);
                said("there is no \"{0}\". There are {1}, and the groups {2}.", &[name, &some(&all), &groups])
            };
            all.extend(GROUPS);
            self.unknown(name, &all, place, message);
        }
    }

    fn evicted(&mut self, verb: &str, victims: &Node, place: Place) {
        for name in words(victims) {
            let of_lock = |n: &Names| name == "lock" || name == "lock-node" || n.lock_nodes().contains(&name);
            let exists = self.c.names.iter().any(|n| !n.nodes_of(name).is_empty());
            if exists && !self.c.names.iter().any(of_lock) {
                self.say(place, "{1} strikes servers of the lock, and \"{0}\" is none.", &[name, verb]);
            }
        }
    }

    fn lock(&mut self, name: &str, place: Place) {
        if self.c.names.iter().all(|n| n.lock(Some(name)).is_none()) {
            let message = no_lock(&self.c.names[0], name);
            self.say(place, "{0}", &[&message]);
        }
    }

    // -------------------------------------------------------------- steps

    fn steps(&mut self) {
        for w in self.c.written_workers() {
            for a in w.actions() {
                self.step(w, a);
            }
        }
    }

    fn step(&mut self, w: &Worker, a: &Action) {
        // One design that knows it is enough here; the others are looked at when they are resolved.
        let mut message = None;
        for names in self.c.names.iter().rev() {
            message = target_problem(names, a);
            if message.is_none() {
                return;
            }
        }
        let message = said("\"{0}\": {1}", &[&a.text(), &message.unwrap_or_default()]);
        let place = Place { at: self.step_place(w), ..of_worker(w, "steps") };
        self.found.tell(Severity::Error, Phase::Steps, place, message);
    }

    fn step_place(&self, w: &Worker) -> Pos {
        let tree = &self.c.scenario.tree;
        let entry = items(tree, "worker").get(w.entry).and_then(|n| of(n).get("steps")).map(|n| n.at);
        // The default steps stand nowhere; then the shards that they do not name are the place to look.
        let shards = || table(tree, "resource").entry("shards").map(|e| e.at);
        entry.or_else(shards).unwrap_or(w.at)
    }
}

/// The names of all designs together, each once.
fn everybody<'a>(c: &Context<'a>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for names in &c.names {
        for name in &names.nodes {
            if !all.contains(name) {
                all.push(name);
            }
        }
    }
    all
}

/// Was the name seen before? From now on it was.
#[inline(never)]
fn twice<'a>(seen: &mut Vec<&'a str>, name: &'a str) -> bool {
    let known = seen.contains(&name);
    seen.push(name);
    known
}

/// What is wrong with the target of a step under one design.
#[inline(never)]
pub(super) fn target_problem(names: &Names, a: &Action) -> Option<String> {
    use crate::base::Verb as V;
    match a.verb {
        V::Acquire | V::Renew | V::Release | V::Abandon | V::Break | V::Upgrade | V::Downgrade => {
            let all = split(a.target.as_deref()?, "+");
            if all.len() > Locks::MOST {
                return Some(said("at most {0} locks at once.", &[&number(Locks::MOST)]));
            }
            let unknown = all.into_iter().find(|name| names.lock(Some(name)).is_none());
            unknown.map(|name| no_lock(names, name))
        }
        V::Begin | V::Commit if names.resource(a.target.as_deref()).is_some() => None,
        V::Read | V::Write | V::Delete | V::Issue | V::Begin | V::Commit => names.shard(a.target.as_deref()).err(),
        _ => None,
    }
}

fn no_lock(names: &Names, name: &str) -> String {
    let all: Vec<&str> = names.locks.iter().map(|l| l.name).collect();
    said("there is no lock \"{0}\". Locks: {1}.", &[name, &some(&all)])
}

/// The first dozen, with commas.
#[inline(never)]
fn some(names: &[&str]) -> String {
    match names.get(12..) {
        Some(more) if !more.is_empty() => [&listed(&names[..12]), " and ", &number(more.len()), " more"].concat(),
        _ => listed(names),
    }
}
