//! Who exists under a design, and what a name stands for.
//!
//! A name may be a worker, a process of several workers, a node of the lock service, a resource, one of its shards, or a group of them:
//! `workers`, `resources`, `lock` (all nodes of the service), `lock-node` (one of them). Groups mean the right thing under each design, so that
//! one fault fits all.

use super::layers::Resolver;
use super::profile::default_nodes;
use super::registry::{Section, services};
use super::scenario::{ClockSetting, Design, Scenario};
use crate::base::{LockId, NodeId, Span, Thread};
use crate::sim::config::Target;

/// Words that stand for groups; nobody else may have them as a name.
pub const GROUPS: [&str; 4] = ["workers", "resources", "lock", "lock-node"];

/// The participants of one design, in the order of their ids: workers, lock nodes, shards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Names {
    /// Name and process.
    pub workers: Vec<(String, String)>,
    pub lock_nodes: Vec<String>,
    pub resources: Vec<ResourceNames>,
    pub locks: Vec<LockNames>,
    /// The node that stands for the whole service where only one is meant.
    lock_node: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ResourceNames {
    pub name: String,
    /// Names of its nodes: its shards, or itself.
    pub shards: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LockNames {
    pub name: String,
    pub service: String,
    pub nodes: Vec<String>,
}

impl Names {
    pub fn of(scenario: &Scenario, design: &Design) -> Names {
        let r = Resolver::new(scenario, design);
        let workers = scenario.workers.iter().map(|w| (w.name.clone(), w.process.clone())).collect();

        let mut locks: Vec<LockNames> = Vec::new();
        let others = scenario.more_locks.iter().map(|(name, s)| (name.clone(), Some(s)));
        for (name, named) in std::iter::once((r.word(Section::Lock, "name", None), None)).chain(others) {
            let service = r.service(named);
            // A further lock lives on the same servers unless it says otherwise.
            let own = named.is_none_or(|s| s.contains_key("nodes"));
            let nodes = match locks.first() {
                Some(main) if !own && main.service == service => main.nodes.clone(),
                _ => nodes(&r, &service, named),
            };
            locks.push(LockNames { name, service, nodes });
        }
        let mut lock_nodes: Vec<String> = Vec::new();
        for node in locks.iter().flat_map(|l| &l.nodes) {
            if !lock_nodes.contains(node) {
                lock_nodes.push(node.clone());
            }
        }

        let mut resources = Vec::new();
        let others = scenario.more_resources.iter().map(|(name, s)| (name.clone(), Some(s)));
        for (name, named) in std::iter::once((r.word(Section::Resource, "name", None), None)).chain(others) {
            // The shards of `[resource]` are its own; another resource has those that it says.
            let shards = match named {
                Some(s) if !s.contains_key("shards") => Vec::new(),
                _ => r.texts(Section::Resource, "shards", named),
            };
            let shards = if shards.is_empty() { vec![name.clone()] } else { shards };
            resources.push(ResourceNames { name, shards });
        }
        // The middle one of a quorum, the first (the server, the primary, a follower's place) of anything else.
        let lock_node = locks.first().and_then(|l| match services::family(&l.service) {
            "redlock" => l.nodes.get(l.nodes.len() / 2).cloned(),
            "consensus" => l.nodes.get(1).or(l.nodes.first()).cloned(),
            _ => l.nodes.first().cloned(),
        });
        Names { workers, lock_nodes, resources, locks, lock_node }
    }

    pub fn len(&self) -> usize {
        self.workers.len() + self.lock_nodes.len() + self.shard_names().count()
    }

    pub fn shard_names(&self) -> impl Iterator<Item = &String> {
        self.resources.iter().flat_map(|r| &r.shards)
    }

    pub fn all(&self) -> Vec<NodeId> {
        (0..self.len() as u16).map(NodeId).collect()
    }

    /// Every name with a lifeline, in the order of the ids.
    pub fn node_names(&self) -> impl Iterator<Item = &String> {
        self.workers.iter().map(|(n, _)| n).chain(&self.lock_nodes).chain(self.shard_names())
    }

    pub fn node(&self, name: &str) -> Option<NodeId> {
        self.node_names().position(|n| n == name).map(|i| NodeId(i as u16))
    }

    pub fn worker(&self, name: &str) -> Option<NodeId> {
        self.workers.iter().position(|(n, _)| n == name).map(|i| NodeId(i as u16))
    }

    /// All threads of a process.
    fn process(&self, process: &str) -> Vec<NodeId> {
        let threads = self.workers.iter().enumerate().filter(|(_, (_, p))| p == process);
        threads.map(|(i, _)| NodeId(i as u16)).collect()
    }

    /// The nodes that a name stands for; a worker stands for its process. Empty if this design has nobody of that name.
    pub fn nodes(&self, name: &str) -> Vec<NodeId> {
        let (workers, locks) = (self.workers.len(), self.lock_nodes.len());
        let ids = |range: std::ops::Range<usize>| range.map(|i| NodeId(i as u16)).collect::<Vec<_>>();
        match name {
            "workers" => return ids(0..workers),
            "lock" => return ids(workers..workers + locks),
            "resources" => return ids(workers + locks..self.len()),
            "lock-node" => return self.lock_node.as_deref().and_then(|n| self.node(n)).into_iter().collect(),
            _ => {}
        }
        if let Some((_, process)) = self.workers.iter().find(|(n, _)| n == name) {
            return self.process(process);
        }
        let process = self.process(name);
        if !process.is_empty() {
            return process;
        }
        if let Some(r) = self.resources.iter().find(|r| r.name == name) {
            return r.shards.iter().filter_map(|s| self.node(s)).collect();
        }
        if let Some((resource, shard)) = name.split_once('.') {
            let known = self.resources.iter().any(|r| r.name == resource && r.shards.iter().any(|s| s == shard));
            return if known { self.node(shard).into_iter().collect() } else { Vec::new() };
        }
        self.node(name).into_iter().collect()
    }

    /// Rate in ppm and offset of every node. What names fewer nodes beats what names more, whatever the order in the text; equals go by name.
    pub fn clocks(&self, settings: &[ClockSetting]) -> Vec<(i64, Span)> {
        let mut order: Vec<(&ClockSetting, Vec<NodeId>)> = settings.iter().map(|c| (c, self.nodes(&c.name))).collect();
        crate::base::flat::sort_by(&mut order, |(a, x), (b, y)| {
            let group = |c: &ClockSetting| !GROUPS.contains(&c.name.as_str());
            (group(a), y.len(), &a.name).cmp(&(group(b), x.len(), &b.name))
        });
        let mut clocks = vec![(1_000_000, Span::ZERO); self.len()];
        for (c, nodes) in order {
            for node in nodes {
                let (rate, offset) = &mut clocks[node.index()];
                *rate = c.rate_ppm.unwrap_or(*rate);
                *offset = c.offset.unwrap_or(*offset);
            }
        }
        clocks
    }

    /// The nodes of several names, each once, in order.
    pub fn nodes_of(&self, names: &[String]) -> Vec<NodeId> {
        let mut out: Vec<NodeId> = names.iter().flat_map(|n| self.nodes(n)).collect();
        crate::base::flat::sort(&mut out);
        out.dedup();
        out
    }

    /// As [`Names::nodes_of`], but a worker is itself and not its process: who sends or gets a message.
    pub fn ends(&self, names: &[String]) -> Vec<NodeId> {
        let mut out: Vec<NodeId> =
            names.iter().flat_map(|n| self.worker(n).map_or_else(|| self.nodes(n), |id| vec![id])).collect();
        crate::base::flat::sort(&mut out);
        out.dedup();
        out
    }

    /// What `pause` and `crash` strike: processes, nodes, or one thread of a worker.
    pub fn targets(&self, names: &[String]) -> Vec<Target> {
        let mut out: Vec<Target> = Vec::new();
        for name in names {
            let found = match self.thread(name) {
                Some(t) => vec![t],
                None => self.nodes(name).into_iter().map(|node| Target { node, thread: None }).collect(),
            };
            for t in found {
                if !out.contains(&t) {
                    out.push(t);
                }
            }
        }
        out
    }

    /// `W1.main`, `W1.renewer`.
    pub fn thread(&self, name: &str) -> Option<Target> {
        let (worker, thread) = name.split_once('.')?;
        let thread = match thread {
            "main" => Thread::Main,
            "renewer" => Thread::Renewer,
            _ => return None,
        };
        self.worker(worker).map(|node| Target { node, thread: Some(thread) })
    }

    pub fn lock(&self, name: Option<&str>) -> Option<LockId> {
        match name {
            None => Some(LockId(0)),
            Some(name) => self.locks.iter().position(|l| l.name == name).map(|i| LockId(i as u8)),
        }
    }

    /// The first lock of every service that has one of these nodes.
    pub fn locks_on(&self, nodes: &[NodeId]) -> Vec<LockId> {
        let mut seen: Vec<&[String]> = Vec::new();
        let mut out = Vec::new();
        for (i, l) in self.locks.iter().enumerate() {
            let has = l.nodes.iter().any(|n| self.node(n).is_some_and(|id| nodes.contains(&id)));
            if has && !seen.contains(&l.nodes.as_slice()) {
                seen.push(&l.nodes);
                out.push(LockId(i as u8));
            }
        }
        out
    }

    pub fn first_shard(&self) -> Option<NodeId> {
        self.shard_names().next().and_then(|n| self.node(n))
    }

    /// The shard that a step means.
    ///
    /// # Errors
    /// A sentence: nobody of that name, or a resource whose shard must be said.
    pub fn shard(&self, target: Option<&str>) -> Result<NodeId, String> {
        let one = |r: &ResourceNames| match r.shards.as_slice() {
            [shard] => Ok(self.node(shard).expect("every shard of the list is a node")),
            several => {
                Err(format!("{} has the shards {}. Say which: {}.{}.", r.name, several.join(", "), r.name, several[0]))
            }
        };
        let Some(target) = target else { return one(&self.resources[0]) };
        if let Some(r) = self.resources.iter().find(|r| r.name == target) {
            return one(r);
        }
        let found = match target.split_once('.') {
            Some((resource, shard)) => self
                .resources
                .iter()
                .find(|r| r.name == resource)
                .and_then(|r| r.shards.iter().find(|s| *s == shard))
                .and_then(|s| self.node(s)),
            None => self.shard_names().find(|s| *s == target).and_then(|s| self.node(s)),
        };
        found.ok_or_else(|| {
            let all: Vec<String> = self
                .resources
                .iter()
                .flat_map(|r| r.shards.iter().map(|s| if *s == r.name { s.clone() } else { format!("{}.{s}", r.name) }))
                .collect();
            format!("there is no shard \"{target}\". There is {}.", all.join(", "))
        })
    }
}

fn service_has_replicas(service: &str) -> bool {
    services::family(service) == "redis"
}

/// The servers of a service, written or by default; a service without servers has none whatever is written.
fn nodes(r: &Resolver, service: &str, named: Option<&super::scenario::Settings>) -> Vec<String> {
    let default = default_nodes(service);
    if default.is_empty() {
        return Vec::new();
    }
    let written = match named {
        Some(s) => s.get("nodes").map(super::value::as_texts),
        None => r.written_nodes(),
    };
    let replicas = r.int(Section::Lock, "replicas", named).unwrap_or(0) as usize;
    if service_has_replicas(service) && replicas > 0 {
        return match written {
            Some(names) if names.len() == replicas + 1 => names,
            _ => (1..=replicas + 1).map(|i| format!("M{i}")).collect(),
        };
    }
    written.unwrap_or_else(|| default.iter().map(|n| (*n).to_string()).collect())
}
