//! From a scenario to what the loop runs: one design, resolved, with every name an index.
//!
//! This is the only place that knows both the language and the parameters of the engine. What the language can say and the engine cannot run has
//! been refused before; here nothing can fail.

mod params;

use super::layers::Resolver;
use super::moment::When;
use super::names::Names;
use super::registry::Section;
use super::scenario::{Design, End, Fault, Scenario, Settings, Worker, read};
use super::step::{self as steps, Action, Step, StepTime};
use super::tree::{Node, Table};
use super::value::{as_bool, as_int, not_yet};
use crate::base::message::{Kind, Mode, Topic};
use crate::base::pieces::{has, split};
use crate::base::prng::mix;
use crate::base::text::said;
use crate::base::{LockId, NodeId, Span, TrueTime, Verb as StepVerb};
use crate::protocol::params::{Draw, Family, Key, LockParams, Locks, Op, Program};
use crate::sim::config::*;

/// What checkers and people must know about a design beyond its run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Words of the properties that count as wrong.
    pub judged: Vec<String>,
    /// Whether properties about owners apply: there is a lock service.
    pub owners: bool,
    /// The word of the service in force.
    pub service: String,
}

impl Scenario {
    /// The answers to the story, in the order of the file; at least one.
    pub fn designs(&self) -> &[Design] {
        &self.designs
    }

    /// What a design's run is judged by.
    ///
    /// # Panics
    /// If there is no such design.
    pub fn setup(&self, design: usize) -> Setup {
        let service = Resolver::new(self, &self.designs[design]).service(None);
        Setup { judged: self.judge.clone(), owners: service != "none", service: service.to_string() }
    }

    /// The nodes that these names stand for under this design.
    ///
    /// # Panics
    /// If there is no such design.
    pub fn nodes(&self, design: usize, names: &[&str]) -> Vec<NodeId> {
        Names::of(self, &self.designs[design]).union(names, false)
    }

    /// Everything a run of one design needs.
    ///
    /// # Panics
    /// If there is no such design.
    pub fn config(&self, design: usize) -> SimConfig {
        let design = &self.designs[design];
        let resolver = Resolver::new(self, design);
        let names = Names::of(self, design);
        Build { scenario: self, resolver, names }.config()
    }
}

struct Build<'a> {
    scenario: &'a Scenario,
    resolver: Resolver<'a>,
    names: Names<'a>,
}

impl<'a> Build<'a> {
    fn config(&self) -> SimConfig {
        let s = self.scenario;
        let network = read::table(&s.tree, "network");
        let mut config = SimConfig {
            roster: self.roster(),
            clocks: self.names.clocks(read::table(&s.tree, "clock")),
            network: LinkSpec {
                one_way: read::draw(network, "one_way").unwrap_or(Draw::ms(5)),
                loss_ppm: read::loss(network).unwrap_or(0),
                ordered: read::flag(network, "ordered"),
            },
            links: Vec::new(),
            workers: Vec::new(),
            locks: Vec::new(),
            shards: Vec::new(),
            faults: Vec::new(),
            horizon: s.horizon,
            seed: s.seed,
            max_events: s.max_events,
        };
        for node in read::items(&s.tree, "link") {
            config.links.push(self.link(read::of(node)));
        }
        for w in &s.workers {
            config.workers.push(self.worker(w));
        }
        for (i, l) in self.names.locks.iter().enumerate() {
            let nodes = l.nodes.iter().filter_map(|n| self.names.node(n)).collect();
            config.locks.push(LockSpec { nodes, params: self.lock(nth(&s.more_locks, i)) });
        }
        for k in 0..self.names.mutexes.len() {
            let params = LockParams {
                family: Family::Connection,
                ttl: None,
                stored_ttl: None,
                renew_ttl: None,
                in_process: true,
                of_process: true,
                ..LockParams::default()
            };
            config.locks.push(LockSpec { nodes: vec![self.mutex_node(k)], params });
        }
        for (i, r) in self.names.resources.iter().enumerate() {
            let params = self.resource(nth(&s.more_resources, i));
            for node in r.nodes.clone() {
                config.shards.push(ShardSpec { node: NodeId(node as u16), params: params.clone() });
            }
        }
        for f in &s.faults {
            config.faults.push(self.fault(f));
        }
        config
    }

    fn roster(&self) -> Roster {
        let (mut processes, mut nodes): (Vec<&str>, Vec<Participant>) = (Vec::new(), Vec::new());
        let mut add = |name: &str, role| nodes.push(Participant { name: name.to_string(), role });
        for w in &self.scenario.workers {
            let process = processes.iter().position(|p| *p == w.process).unwrap_or(processes.len());
            if process == processes.len() {
                processes.push(&w.process);
            }
            add(&w.name, Role::Worker { process: process as u16 });
        }
        for name in self.names.lock_nodes() {
            add(name, Role::LockNode { service: "lock".to_string() });
        }
        for process in &self.names.mutexes {
            add(process, Role::LockNode { service: "mutex".to_string() });
        }
        for r in &self.names.resources {
            for (i, shard) in self.names.nodes[r.nodes.clone()].iter().enumerate() {
                let mut resource = r.name.to_string();
                if r.copies > 1 && r.parts.len() > 1 {
                    resource = [&resource, ".", r.parts[i / r.copies]].concat();
                }
                add(shard, Role::Shard { resource });
            }
        }
        let mutexes = self.names.mutexes.iter().map(|process| [*process, " mutex"].concat());
        let locks = self.names.locks.iter().map(|l| l.name.to_string()).chain(mutexes).collect();
        Roster { nodes, locks, horizon: self.scenario.horizon }
    }

    fn link(&self, t: &Table) -> LinkOverride {
        LinkOverride {
            from: self.end(t.get("from")),
            to: self.end(t.get("to")),
            one_way: read::draw(t, "one_way"),
            loss_ppm: read::loss(t),
            ordered: t.get("ordered").map(as_bool),
            one_sided: read::flag(t, "one_sided"),
        }
    }

    /// The nodes of some names; everybody if there are none.
    fn end(&self, names: Option<&Node>) -> Vec<NodeId> {
        names.map_or_else(|| self.names.all(), |n| self.names.union(&read::words(n), false))
    }

    // -------------------------------------------------------------- workers

    fn worker(&self, w: &'a Worker) -> WorkerSpec {
        let mut ops = Vec::new();
        let place = self.names.mutexes.iter().position(|process| *process == w.process);
        let queues = self.resolver.flag(Section::Client, "local_mutex", Some(&w.client));
        let mutex = place.filter(|_| queues).map(|k| LockId((self.names.locks.len() + k) as u8));
        self.compile(mutex, &w.steps, &mut ops);
        WorkerSpec {
            start: self.moment(&w.start),
            life: w.draw("life"),
            program: Program { ops, rounds: Some(w.rounds()), gap: w.gap(), every: w.draw("every") },
            client: self.client(&w.client),
        }
    }

    /// The node of a process's mutex: behind those of the locks.
    fn mutex_node(&self, k: usize) -> NodeId {
        NodeId((self.names.workers.len() + self.names.lock_nodes().len() + k) as u16)
    }

    /// With a mutex every acquire takes it first, and every release gives it back afterwards.
    fn compile(&self, mutex: Option<LockId>, steps: &[Step], ops: &mut Vec<Op>) {
        for step in steps {
            match step {
                Step::One(a) if a.verb != StepVerb::Acquire && names_several(a) => {
                    // Each by a call of its own, one after another.
                    for name in split(a.target.as_deref().unwrap_or_default(), "+") {
                        ops.extend(self.op(a, Some(name)));
                    }
                }
                Step::One(a) => {
                    if a.verb == StepVerb::Acquire {
                        ops.extend(mutex.map(|lock| Op::Acquire { lock, ttl: None, patience: a.patience }));
                    }
                    ops.extend(self.op(a, a.target.as_deref()));
                    if a.verb == StepVerb::Release {
                        ops.extend(mutex.map(|lock| Op::Release { lock }));
                    }
                }
                Step::Loop { times, every, steps } => {
                    let begin = ops.len();
                    ops.push(Op::LoopBegin { times: *times, every: *every, end: 0 });
                    self.compile(mutex, steps, ops);
                    let end = ops.len();
                    // A scenario has at most a thousand steps, so indices fit.
                    ops.push(Op::LoopEnd { begin: begin as u16 });
                    ops[begin] = Op::LoopBegin { times: *times, every: *every, end: end as u16 };
                }
            }
        }
    }

    /// One step; `target` is one of those that it names, or all of them as written.
    fn op(&self, a: &Action, target: Option<&str>) -> Option<Op> {
        let lock = self.names.lock(target).unwrap_or(LockId(0));
        let shard = || self.names.shard(target).ok();
        let length = match a.time {
            Some(StepTime::Length(d)) => Some(d),
            _ => None,
        };
        Some(match a.verb {
            StepVerb::Acquire if a.mode == Some(steps::Mode::Read) || names_several(a) => {
                let mut locks = Locks::default();
                for name in split(target.unwrap_or_default(), "+") {
                    locks.push(self.names.lock(Some(name).filter(|n| !n.is_empty())).unwrap_or_default());
                }
                let mode = if a.mode == Some(steps::Mode::Read) { Mode::Read } else { Mode::Write };
                Op::AcquireAs { locks, mode, ttl: a.ttl, patience: a.patience }
            }
            StepVerb::Acquire => Op::Acquire { lock, ttl: a.ttl, patience: a.patience },
            StepVerb::Upgrade => Op::Convert { lock, mode: Mode::Upgrade },
            StepVerb::Downgrade => Op::Convert { lock, mode: Mode::Downgrade },
            StepVerb::Renew => Op::Renew { lock },
            StepVerb::Release => Op::Release { lock },
            StepVerb::Abandon => Op::Abandon { lock },
            StepVerb::Check => Op::Check,
            StepVerb::Activate => Op::Activate,
            StepVerb::Read => Op::Read { shard: shard()? },
            StepVerb::Write => Op::Write { shard: shard()?, key: a.key.as_deref().map(key), blind: a.blind },
            StepVerb::Delete => Op::Delete { shard: shard()?, key: a.key.as_deref().map(key) },
            StepVerb::Call => {
                // The effect is named, not placed: it is carried out at a resource of that name, or at the first shard. Its key is its own.
                let name = target.unwrap_or_default();
                let shard = self.names.shard(Some(name)).ok();
                let shard = shard.or_else(|| self.names.shard_names().first().and_then(|n| self.names.node(n)))?;
                Op::Call { shard, key: a.key.as_deref().map(|k| key(&[name, " ", k].concat())), takes: a.takes }
            }
            StepVerb::Work => Op::Work { length },
            StepVerb::Wait => match a.time {
                Some(StepTime::Until(reading)) => Op::WaitUntil { reading },
                _ => Op::Wait { length },
            },
            StepVerb::Break => Op::Break { lock, older: a.older },
            StepVerb::Reap => Op::Reap { lock, length: length.map_or(Span::ZERO, Draw::least) },
            StepVerb::Stop => Op::Stop,
            StepVerb::Issue => Op::Issue { shard: shard()?, takes: a.takes },
            StepVerb::Begin => {
                let nodes = self.names.resource(target)?;
                Op::Begin { first: NodeId(nodes.start as u16), last: NodeId(nodes.end as u16 - 1) }
            }
            StepVerb::Commit => Op::Commit,
            // Refused when the file was read.
            StepVerb::Hand | StepVerb::Receive => return None,
        })
    }

    // -------------------------------------------------------------- faults

    fn moment(&self, w: &When) -> Moment {
        match w {
            When::At(d) => Moment::At(*d),
            When::Point { offset, worker, point, n } => match self.names.worker(worker) {
                Some(worker) => Moment::Point { offset: *offset, worker, point: *point, n: *n },
                // Nobody of this name: a moment that does not come. Names are checked before, so this is never reached.
                None => Moment::At(Draw::Fixed(TrueTime::NEVER.since(TrueTime::ZERO))),
            },
        }
    }

    fn fault(&self, f: &Fault) -> FaultSpec {
        FaultSpec {
            name: f.name().map(str::to_string),
            verb: self.verb(f),
            at: self.moment(&f.start),
            until: match &f.end {
                End::WithTheRun => Until::EndOfRun,
                End::Until(w) => Until::Moment(self.moment(w)),
                End::For(d) => Until::For(*d),
            },
            every: f.draw("every"),
        }
    }

    fn verb(&self, f: &Fault) -> FaultVerb {
        let victims = f.victims();
        let names = |node| self.names.union(&read::words(node), false);
        if let Some(what) = f.message() {
            // Messages are of one worker, not of all threads of its process.
            let end = |key| f.names(key).map(|n| self.names.union(&n, true));
            let nth = f.keys.get("nth").and_then(|n| n.items().iter().map(|i| as_int(i).map(|n| n as u32)).collect());
            return FaultVerb::Message(MessageFault {
                what,
                kinds: kinds(&read::words(victims)),
                from: end("from"),
                to: end("to"),
                nth,
                takes: f.draw("takes"),
                applied: f.flag("applied"),
            });
        }
        let targets = || self.names.targets(&read::words(victims));
        match f.verb.word {
            "pause" => FaultVerb::Pause { targets: targets() },
            "crash" => FaultVerb::Crash {
                targets: targets(),
                loses: f.span("loses"),
                answers_error: f.text("answers") == Some("error"),
            },
            "cut" => {
                FaultVerb::Cut { from: names(victims), to: self.end(f.keys.get("to")), one_sided: f.flag("one_sided") }
            }
            "partition" => FaultVerb::Partition { groups: victims.items().iter().map(names).collect() },
            "step_clock" => FaultVerb::StepClock { nodes: names(victims), by: f.span("by").unwrap_or(Span::ZERO) },
            "drift_clock" => FaultVerb::DriftClock {
                nodes: names(victims),
                rate_ppm: read::ppm(&f.keys, "rate").unwrap_or(1_000_000),
            },
            "fail_over" => FaultVerb::FailOver {
                locks: self.names.locks_on(&names(victims)),
                serves: f.text("old") == Some("serves"),
            },
            "evict" => FaultVerb::Evict {
                nodes: names(victims),
                lock: f.text("lock_name").and_then(|l| self.names.lock(Some(l))),
            },
            "expire" => {
                let lock = f.text("lock_name").and_then(|l| self.names.lock(Some(l)));
                FaultVerb::Expire { workers: names(victims), nodes: self.names.servers_of(lock) }
            }
            "disconnect" => FaultVerb::Disconnect { workers: names(victims) },
            "cancel" => FaultVerb::Cancel { workers: names(victims) },
            "shut_down" => FaultVerb::ShutDown { workers: names(victims) },
            other => unreachable!("{other} is a verb that is built"),
        }
    }
}

/// The settings of the n-th lock or resource; the first is the main one and has none of its own.
fn nth(more: &[Settings], i: usize) -> Option<&Settings> {
    i.checked_sub(1).and_then(|i| more.get(i))
}

/// One bit per kind.
fn kinds(words: &[&str]) -> u32 {
    let mut mask = 0;
    for topic in Topic::ALL {
        for kind in [Kind::request(topic), Kind::reply(topic)] {
            let named = |w: &&str| match w.strip_suffix("-reply") {
                Some(topic) => kind.reply && topic == kind.topic.word(),
                None => *w == "any" || (!kind.reply && *w == kind.topic.word()),
            };
            if words.iter().any(named) {
                mask |= 1 << kind.index();
            }
        }
    }
    mask
}

/// A business key as a number; `{round}` in it makes a new one each round.
fn key(text: &str) -> Key {
    Key { hash: text.bytes().fold(0x6b65_7973, |h, b| mix(h, u64::from(b))), per_round: has(text, "{round}") }
}

/// `a+b`.
fn names_several(a: &Action) -> bool {
    a.target.as_deref().is_some_and(|t| has(t, "+"))
}

/// What of this step the engine cannot run, in a sentence.
pub(crate) fn not_built(a: &Action) -> Option<String> {
    let row = super::registry::steps::step_row(a.verb.word()).expect("every verb has a row");
    (!row.built).then(|| not_yet(&said("\"{0}\"", &[&a.text()])))
}
