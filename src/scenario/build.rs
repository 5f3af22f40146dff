//! From a scenario to what the loop runs: one design, resolved, with every name an index.
//!
//! This is the only place that knows both the language and the parameters of the engine. What the language can say and the engine cannot run has
//! been refused before; here nothing can fail.

use super::layers::Resolver;
use super::moment::When;
use super::names::Names;
use super::registry::Section;
use super::scenario::{Design, End, Fault, Scenario, Settings, Verb, Worker};
use super::step::{Action, Step, StepTime};
use super::value::not_yet;
use crate::base::message::{Compare, Kind, Topic};
use crate::base::prng::mix;
use crate::base::{ClockKind, LockId, Span, Token, TrueTime, Verb as StepVerb};
use crate::protocol::params::*;
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
        let mut clocks = vec![ClockSpec { rate_ppm: 1_000_000, offset: Span::ZERO }; self.names.len()];
        for c in &self.scenario.clocks {
            for node in self.names.nodes(&c.name) {
                clocks[node.index()] = ClockSpec { rate_ppm: c.rate_ppm, offset: c.offset };
            }
        }
        clocks
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

    fn lock(&self, named: Option<&Settings>) -> LockParams {
        let r = &self.resolver;
        let ttl = r.ttl(named);
        let word = |key| r.word(Section::Lock, key, named);
        let flag = |key| r.flag(Section::Lock, key, named);
        let span = |key| r.span(Section::Lock, key, named, ttl);
        let length = |key| span(key).unwrap_or(Span::ZERO);
        let token = |key| r.int(Section::Lock, key, named).map(|n| Token::new(n as u64));
        LockParams {
            family: if r.service(named) == "none" { Family::None } else { Family::TtlKey },
            ttl,
            stored_ttl: span("stored_ttl"),
            clock: clock(&word("clock")),
            acquire_two_step: word("acquire") == "two-step",
            request_id: flag("request_id"),
            release: compare(&word("release")),
            release_two_steps: word("release_in") == "two-steps",
            renew: compare(&word("renew")),
            renew_ttl: span("renew_ttl"),
            token: match word("token").as_str() {
                "ordered" => TokenKind::Ordered,
                "random" => TokenKind::Random,
                _ => TokenKind::None,
            },
            first_token: token("first_token").unwrap_or(Token::new(1)),
            max_token: token("max_token"),
            persistence: match word("persistence").as_str() {
                "everysec" => Persistence::EverySecond,
                "always" => Persistence::Always,
                _ => Persistence::None,
            },
            delayed_restart: length("delayed_restart"),
            lock_delay: length("lock_delay"),
            min_hold: length("min_hold"),
        }
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

    fn resource(&self, named: Option<&Settings>) -> ResourceParams {
        let r = &self.resolver;
        let word = |key| r.word(Section::Resource, key, named);
        let flag = |key| r.flag(Section::Resource, key, named);
        let span = |key| r.span(Section::Resource, key, named, None);
        let listed = r.texts(Section::Resource, "guard", named);
        let guard = |word: &str| listed.iter().any(|g| g == word);
        ResourceParams {
            guards: Guards {
                fence: guard("fence"),
                owner: guard("owner"),
                ask: guard("ask"),
                version: guard("version"),
                absent: guard("absent"),
                idempotency: guard("idempotency"),
            },
            rule: if word("rule") == ">" { Rule::Above } else { Rule::AtLeast },
            atomic: flag("atomic"),
            sequence: flag("sequence"),
            reads_fence: flag("reads_fence"),
            mark: Token::new(r.int(Section::Resource, "mark", named).unwrap_or(0) as u64),
            mark_durable: flag("mark_durable"),
            mark_survives_delete: flag("mark_survives_delete"),
            mark_retention: span("mark_retention"),
            mark_per_worker: word("mark_scope") == "worker",
            retention: span("retention"),
            handling: r.draw(Section::Resource, "handling", named).unwrap_or(Draw::Fixed(Span::ZERO)),
        }
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

    fn client(&self, own: &Settings) -> ClientParams {
        let r = &self.resolver;
        let named = Some(own);
        let ttl = r.ttl(None);
        let word = |key| r.word(Section::Client, key, named);
        let flag = |key| r.flag(Section::Client, key, named);
        let draw = |key| r.draw(Section::Client, key, named);
        let span = |key| r.span(Section::Client, key, named, ttl);
        let count = |key| r.int(Section::Client, key, named).map(|n| n as u32);
        let acquire_timeout =
            if word("acquire_timeout") == "call_timeout" { draw("call_timeout") } else { draw("acquire_timeout") };
        ClientParams {
            call_timeout: draw("call_timeout"),
            acquire_timeout,
            write_timeout: draw("write_timeout"),
            write_retries: count("write_retries").unwrap_or(0),
            retry: draw("retry").unwrap_or(Draw::ms(200)),
            attempts: count("attempts"),
            patience: draw("patience"),
            late_grant: if word("late_grant") == "release" { LateGrant::Release } else { LateGrant::Keep },
            cleanup: word("cleanup") == "all",
            on_error: match word("on_error").as_str() {
                "fail" => OnError::Fail,
                "proceed" => OnError::Proceed,
                _ => OnError::Retry,
            },
            believes_request: word("believes") == "request",
            owner_id: match word("owner_id").as_str() {
                "per-acquire" => OwnerIdKind::PerAcquire,
                "per-process" => OwnerIdKind::PerProcess,
                "constant" => OwnerIdKind::Constant,
                _ => OwnerIdKind::PerTry,
            },
            valid_from: match word("valid_from").as_str() {
                "first-try" => ValidFrom::FirstTry,
                "reply" => ValidFrom::Reply,
                _ => ValidFrom::Send,
            },
            margin: r.margin(named),
            elapsed_check: flag("elapsed_check"),
            believed_ttl: if word("believed_ttl") == "ttl" { None } else { Some(span("believed_ttl")) },
            clock: clock(&word("clock")),
            check_deadline: flag("check_deadline"),
            check_by: match word("check_by").as_str() {
                "poll" => CheckBy::Poll,
                "refresh" => CheckBy::Refresh,
                _ => CheckBy::Clock,
            },
            deadline_timer: flag("deadline_timer"),
            renew_every: span("renew_every"),
            renew_by: if word("renew_by") == "thread" { RenewBy::Thread } else { RenewBy::Worker },
            renew_deadline: span("renew_deadline"),
            renew_retry: word("renew_retry") == "until-deadline",
            renew_max: count("renew_max"),
            renew_hold: span("renew_hold"),
            renew_if: if word("renew_if") == "progress" { RenewIf::Progress } else { RenewIf::Alive },
            on_lost: match word("on_lost").as_str() {
                "log" => OnLost::Log,
                "reacquire" => OnLost::Reacquire,
                _ => OnLost::Stop,
            },
            on_unknown: match word("on_unknown").as_str() {
                "stop" => OnUnknown::Stop,
                "ignore" => OnUnknown::Ignore,
                _ => OnUnknown::UntilDeadline,
            },
            reaction_lag: draw("reaction_lag").unwrap_or(Draw::Fixed(Span::ZERO)),
            on_reject: match word("on_reject").as_str() {
                "continue" => OnReject::Continue,
                "retry" => OnReject::Retry,
                _ => OnReject::Stop,
            },
            activate: flag("activate"),
            cache_kept: word("cache") == "kept",
            release_on_stop: flag("release_on_stop"),
            release_retry: count("release_retry").unwrap_or(0),
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
            Verb::Evict { names: who, lock } => {
                FaultVerb::Evict { nodes: names(who), lock: lock.as_deref().and_then(|l| self.names.lock(Some(l))) }
            }
        }
    }
}

fn clock(word: &str) -> ClockKind {
    match word {
        "monotonic" => ClockKind::Monotonic,
        "suspend-blind" => ClockKind::SuspendBlind,
        _ => ClockKind::Wall,
    }
}

fn compare(word: &str) -> Compare {
    match word {
        "unconditional" => Compare::Nothing,
        "if-owner-or-absent" => Compare::OwnerOrAbsent,
        _ => Compare::Owner,
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
