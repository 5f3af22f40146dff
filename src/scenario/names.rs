//! Who exists under a design, and what a name stands for.
//!
//! A name may be a worker, a process of several workers, a node of the lock service, a resource, one of its shards, or a group of them:
//! `workers`, `resources`, `lock` (all nodes of the service), `lock-node` (one of them). Groups mean the right thing under each design, so that
//! one fault fits all.

use super::layers::Resolver;
use super::profile::default_nodes;
use super::registry::{Section, services};
use super::scenario::read::{of, ppm, span};
use super::scenario::{Design, Scenario, Settings, Worker};
use super::tree::{Entry, Table};
use crate::base::pieces::{cut, joined, listed};
use crate::base::text::{number, said};
use crate::base::{LockId, NodeId, Span, Thread};
use crate::sim::config::{ClockSpec, Target};
use std::ops::Range;

/// Words that stand for groups; nobody else may have them as a name.
pub const GROUPS: [&str; 4] = ["workers", "resources", "lock", "lock-node"];

/// A primary and its replicas, where nobody names them.
const PRIMARIES: [&str; 9] = ["M1", "M2", "M3", "M4", "M5", "M6", "M7", "M8", "M9"];

/// The participants of one design, in the order of their ids: workers, lock nodes, shards.
pub(crate) struct Names<'a> {
    pub workers: &'a [Worker],
    /// Every name with a lifeline, in the order of the ids.
    pub nodes: Vec<&'a str>,
    /// Where the shards begin among them.
    shards: usize,
    pub resources: Vec<ResourceNames<'a>>,
    pub locks: Vec<LockNames<'a>>,
    /// Processes whose threads queue among themselves first, each with a mutex of its name; their nodes follow those of the locks.
    pub mutexes: Vec<&'a str>,
    /// The node that stands for the whole service where only one is meant.
    lock_node: Option<&'a str>,
}

pub(crate) struct ResourceNames<'a> {
    pub name: &'a str,
    /// Its shards, or itself.
    pub parts: Vec<&'a str>,
    /// Its nodes: the copies of each part side by side.
    pub nodes: Range<usize>,
    /// How many copies of each part there are.
    pub copies: usize,
}

impl ResourceNames<'_> {
    /// The nodes of the part of this name.
    fn part(&self, name: &str) -> Option<Range<usize>> {
        let first = self.nodes.start + self.parts.iter().position(|p| *p == name)? * self.copies;
        Some(first..first + self.copies)
    }
}

pub(crate) struct LockNames<'a> {
    pub name: &'a str,
    pub service: &'a str,
    pub nodes: Vec<&'a str>,
}

/// `[lock]` or `[resource]`, and those beside it.
pub(crate) fn with_more(more: &[Settings]) -> Vec<Option<&Settings>> {
    let mut all = vec![None];
    for settings in more {
        all.push(Some(settings));
    }
    all
}

impl<'a> Names<'a> {
    pub fn of(scenario: &'a Scenario, design: &'a Design) -> Names<'a> {
        let r = Resolver::new(scenario, design);
        let mut nodes: Vec<&str> = Vec::new();
        for w in &scenario.workers {
            nodes.push(&w.name);
        }
        let mut locks: Vec<LockNames> = Vec::new();
        for named in with_more(&scenario.more_locks) {
            let service = r.service(named);
            // A further lock lives on the same servers unless it says otherwise.
            let own = named.is_none_or(|s| s.get("nodes").is_some());
            let servers = match locks.first() {
                Some(main) if !own && main.service == service => main.nodes.clone(),
                _ => servers(&r, service, named),
            };
            for node in &servers {
                if !nodes[scenario.workers.len()..].contains(node) {
                    nodes.push(node);
                }
            }
            locks.push(LockNames { name: r.text(Section::Lock, "name", named), service, nodes: servers });
        }
        let mut mutexes: Vec<&str> = Vec::new();
        for w in &scenario.workers {
            let threads = scenario.workers.iter().filter(|o| o.process == w.process).count();
            let queues = threads > 1 && r.flag(Section::Client, "local_mutex", Some(&w.client));
            if queues && !mutexes.contains(&w.process.as_str()) {
                mutexes.push(&w.process);
            }
        }
        nodes.extend(&mutexes);
        let shards = nodes.len();
        let mut resources = Vec::new();
        for named in with_more(&scenario.more_resources) {
            let (name, from) = (r.text(Section::Resource, "name", named), nodes.len());
            let (parts, copies) = parts(&r, named);
            if copies == 1 {
                nodes.extend(&parts);
            } else {
                name_copies(&mut nodes, scenario, &parts, copies);
            }
            resources.push(ResourceNames { name, parts, nodes: from..nodes.len(), copies });
        }
        // The middle one of a quorum, a follower of a replicated group, the server or the primary of anything else.
        let lock_node = locks.first().and_then(|l| {
            let place = match services::family(l.service) {
                "redlock" => l.nodes.len() / 2,
                "consensus" if l.nodes.len() > 1 => 1,
                _ => 0,
            };
            l.nodes.get(place).copied()
        });
        Names { workers: &scenario.workers, nodes, shards, resources, locks, mutexes, lock_node }
    }

    pub fn lock_nodes(&self) -> &[&'a str] {
        &self.nodes[self.workers.len()..self.shards - self.mutexes.len()]
    }

    pub fn shard_names(&self) -> &[&'a str] {
        &self.nodes[self.shards..]
    }

    pub fn all(&self) -> Vec<NodeId> {
        ids(0..self.nodes.len())
    }

    pub fn node(&self, name: &str) -> Option<NodeId> {
        self.nodes.iter().position(|n| *n == name).map(id)
    }

    pub fn worker(&self, name: &str) -> Option<NodeId> {
        self.workers.iter().position(|w| w.name == name).map(id)
    }

    /// The nodes that a name stands for; a worker stands for its process. Empty if this design has nobody of that name.
    #[inline(never)]
    pub fn nodes_of(&self, name: &str) -> Vec<NodeId> {
        let one = |i: usize| ids(i..i + 1);
        let place = |name: &str| self.nodes.iter().position(|n| *n == name);
        match name {
            "workers" => return ids(0..self.workers.len()),
            "lock" => return ids(self.workers.len()..self.shards - self.mutexes.len()),
            "resources" => return ids(self.shards..self.nodes.len()),
            "lock-node" => return self.lock_node.and_then(place).map_or(Vec::new(), one),
            _ => {}
        }
        let process = self.workers.iter().find(|w| w.name == name).map_or(name, |w| &w.process);
        let mut threads = Vec::new();
        for (i, w) in self.workers.iter().enumerate() {
            if w.process == process {
                threads.push(id(i));
            }
        }
        if !threads.is_empty() {
            return threads;
        }
        if let Some(r) = self.resources.iter().find(|r| r.name == name) {
            return ids(r.nodes.clone());
        }
        match self.part(name) {
            Some(nodes) => ids(nodes),
            None => place(name).map_or(Vec::new(), one),
        }
    }

    /// `R.debit`, or `debit`: a shard of a resource, with all its copies.
    fn part(&self, name: &str) -> Option<Range<usize>> {
        match cut(name, ".") {
            Some((resource, shard)) => self.resources.iter().find(|r| r.name == resource)?.part(shard),
            None => self.resources.iter().find_map(|r| r.part(name)),
        }
    }

    /// Rate and offset of every node. What names fewer nodes beats what names more, whatever the order in the text; equals go by name.
    pub fn clocks(&self, settings: &Table) -> Vec<ClockSpec> {
        // What beats comes later.
        let mut order: Vec<((bool, usize), &Entry, Vec<NodeId>)> = Vec::new();
        for e in &settings.entries {
            let nodes = self.nodes_of(&e.key);
            let rank = (!GROUPS.contains(&e.key.as_str()), usize::MAX - nodes.len());
            let at = order.iter().position(|o| (o.0, &o.1.key) > (rank, &e.key)).unwrap_or(order.len());
            order.insert(at, (rank, e, nodes));
        }
        let mut clocks = vec![ClockSpec { rate_ppm: 1_000_000, offset: Span::ZERO }; self.nodes.len()];
        for (_, e, nodes) in order {
            for node in nodes {
                let clock = &mut clocks[node.index()];
                clock.rate_ppm = ppm(of(&e.node), "rate").unwrap_or(clock.rate_ppm);
                clock.offset = span(of(&e.node), "offset").unwrap_or(clock.offset);
            }
        }
        clocks
    }

    /// The nodes of several names, each once, in order. `apart`: a worker is itself and not its process, as who sends or gets a message.
    #[inline(never)]
    pub fn union(&self, names: &[&str], apart: bool) -> Vec<NodeId> {
        let mut named = vec![false; self.nodes.len()];
        for name in names {
            match self.worker(name).filter(|_| apart) {
                Some(worker) => named[worker.index()] = true,
                None => self.nodes_of(name).iter().for_each(|n| named[n.index()] = true),
            }
        }
        let mut out = self.all();
        out.retain(|n| named[n.index()]);
        out
    }

    /// What `pause` and `crash` strike: processes, nodes, or one thread of a worker.
    pub fn targets(&self, names: &[&str]) -> Vec<Target> {
        let mut out: Vec<Target> = Vec::new();
        let mut add = |t: Target| {
            if !out.contains(&t) {
                out.push(t);
            }
        };
        for name in names {
            match self.thread(name) {
                Some(t) => add(t),
                None => self.nodes_of(name).into_iter().for_each(|node| add(Target { node, thread: None })),
            }
        }
        out
    }

    /// `W1.main`, `W1.renewer`.
    pub fn thread(&self, name: &str) -> Option<Target> {
        let (worker, thread) = cut(name, ".")?;
        let thread = match thread {
            "main" => Thread::Main,
            "renewer" => Thread::Renewer,
            _ => return None,
        };
        self.worker(worker).map(|node| Target { node, thread: Some(thread) })
    }

    /// The first lock of every service that has one of these nodes.
    pub fn locks_on(&self, nodes: &[NodeId]) -> Vec<LockId> {
        let mut out: Vec<LockId> = Vec::new();
        for (i, l) in self.locks.iter().enumerate() {
            let has = l.nodes.iter().any(|n| self.node(n).is_some_and(|id| nodes.contains(&id)));
            if has && out.iter().all(|o| self.locks[o.index()].nodes != l.nodes) {
                out.push(LockId(i as u8));
            }
        }
        out
    }

    /// The servers of this lock, or of all.
    pub fn servers_of(&self, lock: Option<LockId>) -> Vec<NodeId> {
        let mut out = Vec::new();
        for node in self.lock_nodes() {
            if lock.is_none_or(|l| self.locks[l.index()].nodes.contains(node)) {
                out.extend(self.node(node));
            }
        }
        out
    }

    pub fn lock(&self, name: Option<&str>) -> Option<LockId> {
        match name {
            None => Some(LockId(0)),
            Some(name) => self.locks.iter().position(|l| l.name == name).map(|i| LockId(i as u8)),
        }
    }

    /// The nodes of the resource that a transaction is about: all parts of the one that is named, or that has a part of that name.
    pub fn resource(&self, target: Option<&str>) -> Option<Range<usize>> {
        let name = target.map_or("", |t| cut(t, ".").map_or(t, |(resource, _)| resource));
        let is_it = |r: &&ResourceNames| target.is_none() || r.name == name || r.parts.contains(&name);
        self.resources.iter().find(is_it).map(|r| r.nodes.clone())
    }

    /// The shard that a step means.
    ///
    /// # Errors
    /// A sentence: nobody of that name, or a resource whose shard must be said.
    pub fn shard(&self, target: Option<&str>) -> Result<NodeId, String> {
        let resource = match target {
            None => self.resources.first(),
            Some(name) => self.resources.iter().find(|r| r.name == name),
        };
        if let Some(r) = resource {
            return match &r.parts[..] {
                [_] => Ok(id(r.nodes.start)),
                parts => Err(said("{0} has the shards {1}. Say which: {0}.{2}.", &[r.name, &listed(parts), parts[0]])),
            };
        }
        let target = target.unwrap_or_default();
        self.part(target).map(|nodes| id(nodes.start)).ok_or_else(|| {
            let mut all: Vec<String> = Vec::new();
            for r in &self.resources {
                for shard in &r.parts {
                    all.push(if *shard == r.name { r.name.to_string() } else { [r.name, ".", shard].concat() });
                }
            }
            said("there is no shard \"{0}\". There is {1}.", &[target, &joined(&all, ", ")])
        })
    }
}

fn id(i: usize) -> NodeId {
    NodeId(i as u16)
}

#[inline(never)]
fn ids(range: Range<usize>) -> Vec<NodeId> {
    let mut out = Vec::new();
    for i in range {
        out.push(id(i));
    }
    out
}

/// The parts of a resource, and how many copies of each there are. The shards of `[resource]` are its own; another resource has those that
/// it says.
fn parts<'a>(r: &Resolver<'a>, named: Option<&'a Settings>) -> (Vec<&'a str>, usize) {
    let mut parts = Vec::new();
    if named.is_none_or(|s| s.get("shards").is_some()) {
        parts = r.texts(Section::Resource, "shards", named);
    }
    if parts.is_empty() {
        parts.push(r.text(Section::Resource, "name", named));
    }
    (parts, r.int(Section::Resource, "replicas", named).map_or(1, |n| n.clamp(1, MOST_COPIES) as usize))
}

const MOST_COPIES: i64 = 9;

#[cold]
fn name_copies<'a>(nodes: &mut Vec<&'a str>, scenario: &'a Scenario, parts: &[&str], copies: usize) {
    for part in parts {
        for i in 1..=copies {
            let name = [*part, &number(i)].concat();
            nodes.extend(scenario.copies.iter().find(|n| **n == name).map(String::as_str));
        }
    }
}

/// The names of all copies of all designs: a copy is called like its shard, with its number.
pub(crate) fn copies(scenario: &Scenario) -> Vec<String> {
    let mut out = Vec::new();
    for design in &scenario.designs {
        let r = Resolver::new(scenario, design);
        for named in with_more(&scenario.more_resources) {
            let (parts, copies) = parts(&r, named);
            for part in parts {
                for i in (1..=copies).filter(|_| copies > 1) {
                    out.push([part, &number(i)].concat());
                }
            }
        }
    }
    out
}

/// The servers of a service, written or by default; a service without servers has none whatever is written.
fn servers<'a>(r: &Resolver<'a>, service: &str, named: Option<&'a Settings>) -> Vec<&'a str> {
    let default = default_nodes(service);
    if default.is_empty() {
        return Vec::new();
    }
    let written = match named {
        Some(s) => s.get("nodes").map(super::scenario::read::words),
        None => r.written_nodes(),
    };
    let replicas = r.int(Section::Lock, "replicas", named).unwrap_or(0) as usize;
    if service == "redis" && replicas > 0 && written.as_ref().is_none_or(|w| w.len() != replicas + 1) {
        return PRIMARIES[..=replicas].to_vec();
    }
    written.unwrap_or_else(|| default.to_vec())
}
