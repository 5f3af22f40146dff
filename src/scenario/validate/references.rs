//! Names: unique, free, and leading somewhere.
//!
//! A name that exists under one design only (a node of Redlock's) is fine: under the others it strikes nobody. A name that exists under none is a
//! slip. Workers belong to the story, so a moment or a claim about a worker must name one that exists.

use super::{Context, place};
use crate::base::flat::FlatSet;
use crate::scenario::diagnostic::{Diagnostic, Diagnostics, Phase, Severity};
use crate::scenario::moment::When;
use crate::scenario::names::{GROUPS, Names};
use crate::scenario::registry::words::nearest;
use crate::scenario::scenario::{End, Verb, Worker};
use crate::scenario::step::Action;
use crate::scenario::tree::{Pos, Table};

pub(super) fn check(c: &Context, found: &mut Diagnostics) {
    // Where workers or services could not be read, everything that names them would look wrong.
    let workers_known = !found.error_at(|p| {
        p == "worker"
            || p.strip_prefix("worker.").is_some_and(|rest| {
                let key = rest.split_once('.').map(|(_, key)| key);
                key.is_none_or(|k| ["name", "count", "process"].contains(&k))
            })
    });
    let nodes_known = workers_known
        && !found.error_at(|p| {
            let last = p.rsplit('.').next().unwrap_or(p);
            ["service", "nodes", "shards", "protection", "also", "lock", "resource"].contains(&last)
                || (p.starts_with("lock.also") || p.starts_with("resource"))
                || p == "lock.name"
        });
    let mut check = Check { c, found, workers_known };
    check.unique();
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
    workers_known: bool,
}

impl Check<'_, '_> {
    fn say(&mut self, phase: Phase, at: Pos, words: &str, path: &str, message: String) {
        self.found.say(Severity::Error, phase, at, words, path, message);
    }

    // -------------------------------------------------------------- unique and free

    fn unique(&mut self) {
        let s = self.c.scenario;
        let mut seen = FlatSet::new();
        for w in s.workers.iter().filter(|_| self.workers_known) {
            if !seen.insert(w.name.clone()) {
                let message = format!("there are two workers \"{}\". Give one another name.", w.name);
                self.found.error(Phase::Names, w.at, &format!("worker {}", w.name), &worker_path(w), message);
            }
        }
        let mut seen = FlatSet::new();
        for (i, d) in s.designs.iter().enumerate() {
            if !seen.insert(d.name.clone()) {
                let message = "there are two designs of this name. Give one another name.".to_string();
                self.found.error(Phase::Names, d.at, &place(s, i), &format!("design.{i}"), message);
            }
        }
        let mut seen = FlatSet::new();
        for f in &s.faults {
            let i = f.entry;
            if let Some(name) = &f.name
                && !seen.insert(name.clone())
            {
                let message = "there are two faults of this name. Give one another name.".to_string();
                self.found.error(Phase::Names, f.at, &f.place(), &format!("fault.{i}"), message);
            }
        }
        let mut said = FlatSet::new();
        for names in &self.c.names {
            let lists = [
                ("lock", "locks", names.locks.iter().map(|l| l.name.clone()).collect::<Vec<_>>()),
                ("resource", "resources", names.resources.iter().map(|r| r.name.clone()).collect()),
            ];
            for (section, word, list) in lists {
                let mut seen = FlatSet::new();
                for name in list {
                    if !seen.insert(name.clone()) && said.insert((section, name.clone())) {
                        let at = self.c.tree.entry(section).map_or(Pos::UNKNOWN, |e| e.at);
                        let message = format!("there are two {word} \"{name}\". Give one another name.");
                        self.found.error(Phase::Names, at, section, section, message);
                    }
                }
            }
        }
    }

    /// Nobody is called like a group, and no two of different kinds share a name.
    fn free(&mut self) {
        let s = self.c.scenario;
        let mut said = FlatSet::new();
        for names in &self.c.names {
            let mut taken: Vec<(&String, &str)> = Vec::new();
            let workers = names.workers.iter().map(|(n, _)| (n, "worker"));
            let processes = names.workers.iter().map(|(_, p)| (p, "process"));
            let nodes = names.lock_nodes.iter().map(|n| (n, "lock server"));
            let shards = names.shard_names().map(|n| (n, "resource"));
            for (name, kind) in workers.chain(processes).chain(nodes).chain(shards) {
                if GROUPS.contains(&name.as_str()) && said.insert(name.clone()) {
                    let message = format!("\"{name}\" stands for a group, so no {kind} can have that name.");
                    self.found.error(Phase::Names, self.place_of(name), kind, "", message);
                }
                let other = taken.iter().find(|(n, k)| *n == name && *k != kind);
                if let Some((_, other)) = other
                    && !(*other == "worker" && kind == "process")
                    && said.insert(name.clone())
                {
                    let at =
                        s.workers.iter().find(|w| w.name == *name || w.process == *name).map_or(Pos::UNKNOWN, |w| w.at);
                    let message = format!("\"{name}\" is a {other} and a {kind}. Give one of them another name.");
                    self.found.error(Phase::Names, at, "", "", message);
                }
                let twice = taken.iter().any(|(n, k)| *n == name && *k == kind && kind == "resource");
                if twice && said.insert(name.clone()) {
                    let message = format!("two resources have a shard \"{name}\". Give one another name.");
                    self.found.error(Phase::Names, Pos::UNKNOWN, "resource", "resource", message);
                }
                taken.push((name, kind));
            }
        }
    }

    fn place_of(&self, name: &str) -> Pos {
        let worker = self.c.scenario.workers.iter().find(|w| w.name == name || w.process == name);
        worker.map_or(Pos::UNKNOWN, |w| w.at)
    }

    // -------------------------------------------------------------- workers in moments and claims

    fn moments(&mut self) {
        let s = self.c.scenario;
        for w in s.workers.iter().filter(|w| w.copy == 0) {
            self.moment(&w.start, w.at, &format!("worker {}", w.name), &format!("{}.start", worker_path(w)));
        }
        for f in &s.faults {
            let i = f.entry;
            let words = f.place();
            self.moment(&f.start, f.moments_at.0, &words, &format!("fault.{i}.at"));
            if let End::Until(until) = &f.end {
                self.moment(until, f.moments_at.1, &words, &format!("fault.{i}.until"));
            }
        }
    }

    fn moment(&mut self, w: &When, at: Pos, words: &str, path: &str) {
        if let When::Point { worker, .. } = w {
            self.worker(worker, Phase::Names, at, words, path, "");
        }
    }

    fn worker(&mut self, name: &str, phase: Phase, at: Pos, words: &str, path: &str, before: &str) {
        let workers: Vec<&str> = self.c.scenario.workers.iter().map(|w| w.name.as_str()).collect();
        if !workers.contains(&name) {
            let message = format!("{before}there is no worker \"{name}\". Workers: {}.", some(&workers));
            let near = nearest(name, workers.iter().copied()).map(str::to_string);
            self.found.push(Diagnostic::new(Severity::Error, phase, at, words, message).at_path(path).suggest(near));
        }
    }

    fn claims(&mut self) {
        let s = self.c.scenario;
        for (i, d) in s.designs.iter().enumerate() {
            // A claim of the story stands in every design; once is enough.
            let own = self.c.tree.get("design").map_or(&[][..], |n| n.items());
            let own = own.get(i).and_then(|n| n.as_table()).and_then(|t| t.get("expect")).and_then(|n| n.as_table());
            let has = |key: &str| own.is_some_and(|t: &Table| t.get(key).is_some());
            let (words, path) = if d.written {
                (place(s, i), format!("design.{i}.expect"))
            } else {
                ("expect".to_string(), "expect".to_string())
            };
            let first = i == 0;
            if has("instants") || first {
                for claim in &d.expect.instants {
                    self.worker(
                        &claim.value.worker,
                        Phase::Names,
                        claim.at,
                        &words,
                        &format!("{path}.instants"),
                        "instants: ",
                    );
                }
            }
            if has("measures") || first {
                for claim in &d.expect.measures {
                    let value = match &claim.value.value {
                        crate::scenario::expect::MeasureValue::Worker(w) => Some(w),
                        _ => None,
                    };
                    for name in claim.value.who.iter().chain(value) {
                        self.worker(name, Phase::Names, claim.at, &words, &format!("{path}.measures"), "measures: ");
                    }
                }
            }
            if has("ends") || first {
                for claim in &d.expect.ends {
                    self.worker(&claim.value.0, Phase::Names, claim.at, &words, &format!("{path}.ends"), "ends: ");
                }
            }
        }
        let lesson = self.c.tree.get("lesson").and_then(|n| n.as_table());
        if let Some(e) = lesson.and_then(|t| t.entry("design"))
            && let Some(name) = e.node.as_text()
            && s.design(name).is_none()
        {
            let all: Vec<&str> = s.designs.iter().map(|d| d.name.as_str()).collect();
            let message = format!("there is no design \"{name}\". Designs: {}.", some(&all));
            self.say(Phase::Names, e.node.at, "lesson.design", "lesson.design", message);
        }
        self.axes();
    }

    /// Paths of a sweep that go through a name.
    fn axes(&mut self) {
        let s = self.c.scenario;
        let sweep = self.c.tree.get("sweep").and_then(|n| n.as_table());
        let axes = sweep.and_then(|t| t.get("axes")).and_then(|n| n.as_table());
        for e in axes.map_or(&[][..], |t| &t.entries) {
            let parts: Vec<&str> = e.key.split('.').collect();
            let message = match parts.as_slice() {
                ["fault", name, _] if s.fault(name).is_none() => format!("{}: there is no fault \"{name}\".", e.key),
                ["worker", name, ..] if s.worker(name).is_none() => {
                    format!("{}: there is no worker \"{name}\".", e.key)
                }
                _ => continue,
            };
            self.say(Phase::Names, e.at, "sweep.axes", "sweep.axes", message);
        }
    }

    // -------------------------------------------------------------- nodes

    fn named(&mut self) {
        let s = self.c.scenario;
        for (i, l) in s.links.iter().enumerate() {
            let words = format!("link {}", i + 1);
            for (key, list) in [("from", &l.from), ("to", &l.to)] {
                self.names(list.as_deref().unwrap_or(&[]), false, l.at, &words, &format!("link.{i}.{key}"));
            }
        }
        for c in &s.clocks {
            self.names(std::slice::from_ref(&c.name), false, c.at, "clock", &format!("clock.{}", c.name));
        }
        for f in &s.faults {
            let i = f.entry;
            let (words, path) = (f.place(), format!("fault.{i}"));
            match &f.verb {
                Verb::Pause { targets } => self.names(targets, true, f.at, &words, &format!("{path}.pause")),
                Verb::Crash { targets, .. } => self.names(targets, true, f.at, &words, &format!("{path}.crash")),
                Verb::Cut { from, to, .. } => {
                    self.names(from, false, f.at, &words, &format!("{path}.cut"));
                    self.names(to.as_deref().unwrap_or(&[]), false, f.at, &words, &format!("{path}.to"));
                }
                Verb::Partition { groups } => {
                    for g in groups {
                        self.names(g, false, f.at, &words, &format!("{path}.partition"));
                    }
                }
                Verb::Message { from, to, .. } => {
                    self.names(from.as_deref().unwrap_or(&[]), false, f.at, &words, &format!("{path}.from"));
                    self.names(to.as_deref().unwrap_or(&[]), false, f.at, &words, &format!("{path}.to"));
                }
                Verb::StepClock { names, .. } => self.names(names, false, f.at, &words, &format!("{path}.step_clock")),
                Verb::DriftClock { names, .. } => {
                    self.names(names, false, f.at, &words, &format!("{path}.drift_clock"))
                }
                Verb::FailOver { names, .. } => {
                    self.names(names, false, f.at, &words, &format!("{path}.fail_over"));
                    self.evicted(names, f.at, &words, &path);
                }
                Verb::Evict { names, lock } => {
                    self.names(names, false, f.at, &words, &format!("{path}.evict"));
                    self.evicted(names, f.at, &words, &path);
                    if let Some(lock) = lock {
                        self.lock(lock, Phase::Names, f.at, &words, &format!("{path}.lock_name"), "");
                    }
                }
            }
        }
        if let Some(e) = &s.explore {
            let at = self.c.tree.entry("explore").map_or(Pos::UNKNOWN, |e| e.at);
            self.names(&e.targets, false, at, "explore.targets", "explore.targets");
        }
    }

    fn names(&mut self, list: &[String], threads: bool, at: Pos, words: &str, path: &str) {
        for name in list {
            let known = |n: &Names| GROUPS.contains(&name.as_str()) || !n.nodes(name).is_empty();
            if self.c.names.iter().any(|n| known(n) || (threads && n.thread(name).is_some())) {
                continue;
            }
            let thread = self.c.names.iter().find_map(|n| n.thread(name));
            let message = if thread.is_some() {
                let process = name.split('.').next().unwrap_or(name);
                format!("\"{name}\" is a thread; only pause and crash strike one. Write \"{process}\".")
            } else {
                format!(
                    "there is no \"{name}\". There are {}, and the groups {}.",
                    some(&self.everybody()),
                    GROUPS.join(", ")
                )
            };
            let everybody = self.everybody();
            let near = nearest(name, everybody.iter().copied().chain(GROUPS)).map(str::to_string);
            self.found
                .push(Diagnostic::new(Severity::Error, Phase::Names, at, words, message).at_path(path).suggest(near));
        }
    }

    /// The names of all designs together, each once.
    fn everybody(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for name in self.c.names.iter().flat_map(Names::node_names) {
            if !all.contains(&name.as_str()) {
                all.push(name);
            }
        }
        all
    }

    fn evicted(&mut self, list: &[String], at: Pos, words: &str, path: &str) {
        for name in list {
            let of_lock = |n: &Names| name == "lock" || name == "lock-node" || n.lock_nodes.contains(name);
            let exists = self.c.names.iter().any(|n| !n.nodes(name).is_empty());
            if exists && !self.c.names.iter().any(of_lock) {
                let message = format!("evict strikes servers of the lock, and \"{name}\" is none.");
                self.say(Phase::Names, at, words, &format!("{path}.evict"), message);
            }
        }
    }

    fn lock(&mut self, name: &str, phase: Phase, at: Pos, words: &str, path: &str, before: &str) {
        if self.c.names.iter().any(|n| n.lock(Some(name)).is_some()) {
            return;
        }
        let all: Vec<&str> = self.c.names[0].locks.iter().map(|l| l.name.as_str()).collect();
        self.say(phase, at, words, path, format!("{before}there is no lock \"{name}\". Locks: {}.", some(&all)));
    }

    // -------------------------------------------------------------- steps

    fn steps(&mut self) {
        for w in self.c.scenario.workers.iter().filter(|w| w.copy == 0) {
            let mut actions = Vec::new();
            w.steps.iter().for_each(|s| s.actions(&mut actions));
            for a in actions {
                self.step(w, a);
            }
        }
    }

    fn step(&mut self, w: &Worker, a: &Action) {
        let (words, path) = (format!("worker {}", w.name), format!("{}.steps", worker_path(w)));
        let problem = |n: &Names| target_problem(n, a);
        // One design that knows it is enough here; the others are looked at when they are resolved.
        if self.c.names.iter().all(|n| problem(n).is_some())
            && let Some(message) = self.c.names.first().and_then(problem)
        {
            let at = self.step_place(w);
            self.say(Phase::Steps, at, &words, &path, format!("\"{a}\": {message}"));
        }
    }

    fn step_place(&self, w: &Worker) -> Pos {
        let list = self.c.tree.get("worker").map_or(&[][..], |n| n.items());
        let entry = list.get(w.entry).and_then(|n| n.as_table()).and_then(|t| t.entry("steps"));
        // The default steps stand nowhere; then the shards that they do not name are the place to look.
        let shards =
            || self.c.tree.get("resource").and_then(|n| n.as_table()).and_then(|t| t.entry("shards")).map(|e| e.at);
        entry.map(|e| e.node.at).or_else(shards).unwrap_or(w.at)
    }
}

/// What is wrong with the target of a step under one design.
pub(super) fn target_problem(names: &Names, a: &Action) -> Option<String> {
    use crate::base::Verb as V;
    match a.verb {
        V::Acquire | V::Renew | V::Release | V::Abandon | V::Break => {
            let name = a.target.as_deref()?;
            if names.lock(Some(name)).is_some() || name.contains('+') {
                return None;
            }
            let all: Vec<&str> = names.locks.iter().map(|l| l.name.as_str()).collect();
            Some(format!("there is no lock \"{name}\". Locks: {}.", some(&all)))
        }
        V::Read | V::Write | V::Delete => names.shard(a.target.as_deref()).err(),
        _ => None,
    }
}

fn worker_path(w: &Worker) -> String {
    format!("worker.{}", w.entry)
}

/// The first dozen, with commas.
fn some(names: &[&str]) -> String {
    let shown = names.iter().take(12).copied().collect::<Vec<_>>().join(", ");
    if names.len() > 12 { format!("{shown} and {} more", names.len() - 12) } else { shown }
}
