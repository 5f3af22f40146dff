//! From a scenario to what the loop runs: one design, resolved, with every name an index.
//!
//! This is the only place that knows both the language and the parameters of the engine. What the language can say and the engine cannot run has
//! been refused before; here nothing can fail.

mod params;

use super::layers::Resolver;
use super::moment::When;
use super::names::Names;
use super::scenario::{Design, End, Fault, Scenario, Verb, Worker};
use super::step::{Action, Step, StepTime};
use super::value::not_yet;
use crate::base::message::{Kind, Topic};
use crate::base::prng::mix;
use crate::base::{LockId, TrueTime, Verb as StepVerb};
use crate::protocol::params::{Draw, Key, Op, Program};
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
        Setup { judged: self.judge.clone(), owners: service != "none", service }
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
    names: Names,
}

impl Build<'_> {
    fn config(&self) -> SimConfig {
        let s = self.scenario;
        SimConfig {
            roster: self.roster(),
            clocks: self.clocks(),
            network: LinkSpec { one_way: s.network.one_way, loss_ppm: s.network.loss_ppm, ordered: s.network.ordered },
            links: self.links(),
            workers: s.workers.iter().map(|w| self.worker(w)).collect(),
            locks: self.locks(),
            shards: self.shards(),
            faults: s.faults.iter().map(|f| self.fault(f)).collect(),
            horizon: s.horizon,
            seed: s.seed,
            max_events: s.max_events,
        }
    }

    fn roster(&self) -> Roster {
        let mut processes: Vec<&str> = Vec::new();
        let mut nodes = Vec::new();
        for w in &self.scenario.workers {
            let process = processes.iter().position(|p| *p == w.process).unwrap_or_else(|| {
                processes.push(&w.process);
                processes.len() - 1
            });
            nodes.push(Participant { name: w.name.clone(), role: Role::Worker { process: process as u16 } });
        }
        for name in &self.names.lock_nodes {
            nodes.push(Participant { name: name.clone(), role: Role::LockNode { service: "lock".to_string() } });
        }
        for r in &self.names.resources {
            for shard in &r.shards {
                nodes.push(Participant { name: shard.clone(), role: Role::Shard { resource: r.name.clone() } });
            }
        }
        Roster {
            nodes,
            locks: self.names.locks.iter().map(|l| l.name.clone()).collect(),
            horizon: self.scenario.horizon,
        }
    }

    fn clocks(&self) -> Vec<ClockSpec> {
        self.names
            .clocks(&self.scenario.clocks)
            .into_iter()
            .map(|(rate_ppm, offset)| ClockSpec { rate_ppm, offset })
            .collect()
    }

    fn links(&self) -> Vec<LinkOverride> {
        let end =
            |names: &Option<Vec<String>>| names.as_ref().map_or_else(|| self.names.all(), |n| self.names.nodes_of(n));
        let links = self.scenario.links.iter().map(|l| LinkOverride {
            from: end(&l.from),
            to: end(&l.to),
            one_way: l.one_way,
            loss_ppm: l.loss_ppm,
            ordered: l.ordered,
            one_sided: l.one_sided,
        });
        links.collect()
    }

    // -------------------------------------------------------------- the service

    fn locks(&self) -> Vec<LockSpec> {
        let ids = |nodes: &[String]| nodes.iter().filter_map(|n| self.names.node(n)).collect();
        let lock = |i: usize| (i > 0).then(|| &self.scenario.more_locks[i - 1].1);
        self.names
            .locks
            .iter()
            .enumerate()
            .map(|(i, l)| LockSpec { nodes: ids(&l.nodes), params: self.lock(lock(i)) })
            .collect()
    }

    // -------------------------------------------------------------- the resource

    fn shards(&self) -> Vec<ShardSpec> {
        let mut out = Vec::new();
        for (i, r) in self.names.resources.iter().enumerate() {
            let params = self.resource((i > 0).then(|| &self.scenario.more_resources[i - 1].1));
            for shard in &r.shards {
                let node = self.names.node(shard).expect("every shard of the list is a node");
                out.push(ShardSpec { node, params: params.clone() });
            }
        }
        out
    }

    // -------------------------------------------------------------- workers

    fn worker(&self, w: &Worker) -> WorkerSpec {
        WorkerSpec {
            start: self.moment(&w.start),
            life: w.life,
            program: self.program(w),
            client: self.client(&w.client),
        }
    }

    fn program(&self, w: &Worker) -> Program {
        let mut ops = Vec::new();
        self.compile(&w.steps, &mut ops);
        Program { ops, rounds: Some(w.rounds), gap: w.gap, every: w.every }
    }

    fn compile(&self, steps: &[Step], ops: &mut Vec<Op>) {
        for step in steps {
            match step {
                Step::One(a) => ops.extend(self.op(a)),
                Step::Loop { times, every, steps } => {
                    let begin = ops.len();
                    ops.push(Op::LoopBegin { times: *times, every: *every, end: 0 });
                    self.compile(steps, ops);
                    let end = ops.len();
                    // A scenario has at most a thousand steps, so indices fit.
                    ops.push(Op::LoopEnd { begin: begin as u16 });
                    ops[begin] = Op::LoopBegin { times: *times, every: *every, end: end as u16 };
                }
            }
        }
    }

    fn op(&self, a: &Action) -> Option<Op> {
        let lock = self.names.lock(a.target.as_deref()).unwrap_or(LockId(0));
        let shard = || self.names.shard(a.target.as_deref()).ok();
        let length = match a.time {
            Some(StepTime::Length(d)) => Some(d),
            _ => None,
        };
        Some(match a.verb {
            StepVerb::Acquire => Op::Acquire { lock, ttl: a.ttl, patience: a.patience },
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
                let name = a.target.as_deref().unwrap_or("");
                let node = self.names.shard(Some(name)).ok().or_else(|| self.names.first_shard())?;
                Op::Call { shard: node, key: a.key.as_deref().map(|k| key(&format!("{name} {k}"))) }
            }
            StepVerb::Work => Op::Work { length },
            StepVerb::Wait => match a.time {
                Some(StepTime::Until(reading)) => Op::WaitUntil { reading },
                _ => Op::Wait { length },
            },
            StepVerb::Break => Op::Break { lock },
            StepVerb::Stop => Op::Stop,
            // Refused when the file was read.
            StepVerb::Upgrade
            | StepVerb::Downgrade
            | StepVerb::Issue
            | StepVerb::Begin
            | StepVerb::Commit
            | StepVerb::Reap
            | StepVerb::Hand
            | StepVerb::Receive => return None,
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
            name: f.name.clone(),
            verb: self.verb(&f.verb),
            at: self.moment(&f.start),
            until: match &f.end {
                End::WithTheRun => Until::EndOfRun,
                End::Until(w) => Until::Moment(self.moment(w)),
                End::For(d) => Until::For(*d),
            },
            every: f.every,
        }
    }

    fn verb(&self, v: &Verb) -> FaultVerb {
        let names = |list: &[String]| self.names.nodes_of(list);
        // Messages are of one worker, not of all threads of its process.
        let ends = |list: &Option<Vec<String>>| list.as_ref().map(|l| self.names.ends(l));
        match v {
            Verb::Pause { targets } => FaultVerb::Pause { targets: self.names.targets(targets) },
            Verb::Crash { targets, loses, answers_error } => {
                FaultVerb::Crash { targets: self.names.targets(targets), loses: *loses, answers_error: *answers_error }
            }
            Verb::Cut { from, to, one_sided } => FaultVerb::Cut {
                from: names(from),
                to: to.as_ref().map_or_else(|| self.names.all(), |t| names(t)),
                one_sided: *one_sided,
            },
            Verb::Partition { groups } => FaultVerb::Partition { groups: groups.iter().map(|g| names(g)).collect() },
            Verb::Message { what, kinds: words, from, to, nth, takes, applied } => FaultVerb::Message(MessageFault {
                what: *what,
                kinds: kinds(words),
                from: ends(from),
                to: ends(to),
                nth: nth.clone(),
                takes: *takes,
                applied: *applied,
            }),
            Verb::StepClock { names: who, by } => FaultVerb::StepClock { nodes: names(who), by: *by },
            Verb::DriftClock { names: who, rate_ppm } => {
                FaultVerb::DriftClock { nodes: names(who), rate_ppm: *rate_ppm }
            }
            Verb::FailOver { names: who, serves } => {
                FaultVerb::FailOver { locks: self.names.locks_on(&names(who)), serves: *serves }
            }
            Verb::Evict { names: who, lock } => {
                FaultVerb::Evict { nodes: names(who), lock: lock.as_deref().and_then(|l| self.names.lock(Some(l))) }
            }
        }
    }
}

/// One bit per kind.
fn kinds(words: &[String]) -> u32 {
    let mut mask = 0;
    for topic in Topic::ALL {
        for kind in [Kind::request(topic), Kind::reply(topic)] {
            if words.iter().any(|w| w == "any" || *w == kind.to_string()) {
                mask |= 1 << kind.index();
            }
        }
    }
    mask
}

/// A business key as a number; `{round}` in it makes a new one each round.
fn key(text: &str) -> Key {
    Key { hash: text.bytes().fold(0x6b65_7973, |h, b| mix(h, u64::from(b))), per_round: text.contains("{round}") }
}

/// What of this step the engine cannot run, in a sentence.
pub(crate) fn not_built(a: &Action) -> Option<String> {
    let row = super::registry::steps::step_row(a.verb.word()).expect("every verb has a row");
    if !row.built {
        return Some(not_yet(&format!("\"{a}\"")));
    }
    let missing = [(a.mode.is_some(), "mode="), (a.takes.is_some(), "takes="), (a.older.is_some(), "older=")];
    if let Some((_, what)) = missing.into_iter().find(|(has, _)| *has) {
        return Some(not_yet(&format!("\"{a}\": {what}")));
    }
    if a.verb == StepVerb::Acquire && a.target.as_deref().is_some_and(|t| t.contains('+')) {
        return Some(not_yet(&format!("\"{a}\": several locks at once")));
    }
    None
}
