//! What can be decided next: read off the log of a run.
//!
//! A fault *begins* at a seam: a process at a point of its program, a message when it is sent, a node just after something happened.
//! A fault that lasts *ends* just after something happened. "Something" is what can matter to a verdict: a grant, its end, a read, an
//! effect, a refusal at the resource, a time-out. Between two such instants it makes no difference to the order of events when a fault
//! begins or ends, and "just after" is the least time there is, a microsecond.

mod rare;

use super::alike::Alike;
use super::bounds::{Bounds, Kind};
use super::case::{Case, Key, Strike};
use crate::base::{Edge, Fact, Fingerprint, LockId, NodeId, PointKind, Span, TrueTime, Verb};
use crate::protocol::params::{Draw, Family};
use crate::sim::SimConfig;
use crate::sim::config::{FaultSpec, FaultVerb, MessageFault, MessageVerb, Moment, Target, Until};
use crate::trace::{EventKind, Fate, Role, TraceEvent};
use std::hash::{Hash, Hasher};

/// The least time there is.
const JUST: Span = Span::from_us(1);

/// One more decision.
#[derive(Clone, Debug)]
pub enum Move {
    /// A fault begins.
    Begin(Key, Box<Strike>),
    /// The fault with this number ends.
    End(Key, usize),
}

impl Move {
    pub fn key(&self) -> Key {
        match self {
            Move::Begin(key, _) | Move::End(key, _) => *key,
        }
    }

    /// The case after this decision.
    pub fn after(&self, case: &Case) -> Case {
        let mut strikes = case.strikes.clone();
        match self {
            Move::Begin(_, strike) => strikes.push(Strike::clone(strike)),
            Move::End(key, i) => strikes[*i].close(key.at),
        }
        Case { strikes, last: self.key() }
    }
}

/// What does not change from run to run.
pub struct Menu {
    /// By node: those that share its process, itself among them.
    threads: Vec<Vec<NodeId>>,
    workers: usize,
    lock_nodes: Vec<NodeId>,
    shards: Vec<NodeId>,
    /// The longest lease.
    lease: Span,
    /// Some service has another server that could answer.
    fails_over: bool,
    /// The first lock of every service.
    served: Vec<LockId>,
    evicts: bool,
    expires: bool,
    connects: bool,
    alike: Alike,
}

impl Menu {
    pub fn of(config: &SimConfig) -> Menu {
        let process = |id: NodeId| match config.roster.role(id) {
            Some(Role::Worker { process }) => Some(*process),
            _ => None,
        };
        let threads = |id: NodeId| match process(id) {
            Some(p) => config.roster.ids().filter(|o| process(*o) == Some(p)).collect(),
            None => vec![id],
        };
        let served = |id: &NodeId| config.locks.iter().any(|l| !l.params.in_process && l.nodes.contains(id));
        let family = |f: &[Family]| config.locks.iter().any(|l| !l.params.in_process && f.contains(&l.params.family));
        let replicated = |l: &crate::sim::config::LockSpec| l.params.family == Family::TtlKey && l.nodes.len() > 1;
        Menu {
            threads: config.roster.ids().map(threads).collect(),
            workers: config.workers.len(),
            lock_nodes: config.roster.ids().filter(served).collect(),
            shards: config.roster.ids().filter(|id| config.roster.is_shard(*id)).collect(),
            lease: config.locks.iter().filter_map(|l| l.params.ttl).max().unwrap_or(Span::from_ms(10_000)),
            fails_over: config.locks.iter().any(replicated) || family(&[Family::Consensus, Family::SessionQueue]),
            served: (0..config.locks.len())
                .filter(|i| {
                    let lock = &config.locks[*i];
                    let is_first = config.locks[..*i].iter().all(|o| o.nodes != lock.nodes);
                    !lock.params.in_process && !lock.nodes.is_empty() && is_first
                })
                .map(|i| LockId(i as u8))
                .collect(),
            evicts: family(&[Family::TtlKey, Family::Quorum]),
            expires: family(&[Family::SessionQueue]),
            connects: family(&[Family::SessionQueue, Family::Connection]),
            alike: Alike::of(config),
        }
    }

    /// Every decision that can follow this case, in the order of their keys.
    pub fn moves(&self, case: &Case, log: &[TraceEvent], bounds: &Bounds) -> Vec<Move> {
        let mut out = Vec::new();
        let instants = self.instants(log, bounds.edges);
        for (i, s) in case.strikes.iter().enumerate().filter(|(_, s)| s.open) {
            self.ends(i, s, &instants, &mut out);
        }
        if case.strikes.len() < usize::from(bounds.total) {
            self.begins(log, &instants, bounds, &mut out);
            let used = case.counts();
            let may = |kind| used.of(kind) < bounds.each.of(kind);
            out.retain(|m| match m {
                Move::Begin(_, s) if s.kind == Kind::Drop => may(Kind::Drop) || may(Kind::Delay),
                Move::Begin(_, s) => may(s.kind),
                Move::End(..) => true,
            });
        }
        out.retain(|m| m.key() > case.last);
        if bounds.reduces {
            self.alike.reduce(case, log, &mut out);
        }
        out.sort_by_key(Move::key);
        out.dedup_by_key(|m| m.key());
        out
    }

    /// When something happened that can matter to a verdict.
    fn instants(&self, log: &[TraceEvent], edges: u32) -> Vec<TrueTime> {
        let times_out = |e: &TraceEvent| matches!(e.kind, EventKind::Did(Fact::TimedOut { .. }));
        let mut last = vec![(0u32, 0u32); self.threads.len()];
        for e in log.iter().filter(|e| times_out(e)) {
            last[e.node.index()].1 += 1;
        }
        let mut out: Vec<TrueTime> = Vec::new();
        for e in log {
            let is_one = if times_out(e) {
                let (n, all) = &mut last[e.node.index()];
                *n += 1;
                *n <= edges || *n + edges > *all
            } else {
                matters(&e.kind)
            };
            if is_one && out.last() != Some(&e.at) {
                out.push(e.at);
            }
        }
        out
    }

    fn ends(&self, i: usize, s: &Strike, instants: &[TrueTime], out: &mut Vec<Move>) {
        let what = word(&(99u8, i));
        // A crash that is over at once.
        if s.kind == Kind::Crash {
            out.push(Move::End(Key { at: s.began + JUST, what }, i));
        }
        for at in instants.iter().filter(|at| **at >= s.began) {
            out.push(Move::End(Key { at: *at + JUST, what }, i));
        }
    }

    fn begins(&self, log: &[TraceEvent], instants: &[TrueTime], bounds: &Bounds, out: &mut Vec<Move>) {
        self.at_points(log, bounds, out);
        self.at_messages(log, bounds, out);
        self.at_arrivals(log, bounds, out);
        self.rarely(instants, bounds, out);
        let has = |kind| bounds.each.of(kind) > 0;
        for (id, _) in bounds.targets.iter().enumerate().filter(|(_, may)| **may) {
            let node = NodeId(id as u16);
            if self.threads[id][0] != node {
                continue; // Its process was looked at already.
            }
            if has(Kind::DriftClock) {
                for rate_ppm in [2_000_000, 500_000] {
                    let verb = FaultVerb::DriftClock { nodes: vec![node], rate_ppm };
                    begin(out, Kind::DriftClock, verb, Moment::At(Draw::ms(0)), TrueTime::ZERO, false);
                }
            }
            for at in instants.iter().map(|at| *at + JUST) {
                self.at_instant(node, at, out, &has);
            }
        }
        if self.fails_over && has(Kind::FailOver) && self.lock_nodes.iter().any(|n| bounds.targets[n.index()]) {
            for at in instants.iter().map(|at| *at + JUST) {
                let verb = FaultVerb::FailOver { locks: self.served.clone(), serves: false };
                begin(out, Kind::FailOver, verb, instant(at), at, false);
            }
        }
    }

    /// What can happen to a node at an instant that is no point of its program.
    fn at_instant(&self, node: NodeId, at: TrueTime, out: &mut Vec<Move>, has: &impl Fn(Kind) -> bool) {
        let is_worker = node.index() < self.workers;
        let mut put = |kind, verb, open| {
            begin(out, kind, verb, instant(at), at, open);
        };
        if has(Kind::StepClock) {
            for by in [self.lease, Span::ZERO - self.lease] {
                put(Kind::StepClock, FaultVerb::StepClock { nodes: vec![node], by }, false);
            }
        }
        if is_worker {
            if has(Kind::Cut) && !self.lock_nodes.is_empty() {
                let verb = FaultVerb::Cut {
                    from: self.threads[node.index()].clone(),
                    to: self.lock_nodes.clone(),
                    one_sided: false,
                };
                put(Kind::Cut, verb, true);
            }
            if has(Kind::Expire) && self.expires {
                let verb = FaultVerb::Expire { workers: vec![node], nodes: self.lock_nodes.clone() };
                put(Kind::Expire, verb, false);
            }
            if has(Kind::Disconnect) && self.connects {
                put(Kind::Disconnect, FaultVerb::Disconnect { workers: vec![node] }, false);
            }
            return;
        }
        let targets = vec![Target { node, thread: None }];
        if has(Kind::Pause) {
            put(Kind::Pause, FaultVerb::Pause { targets: targets.clone() }, true);
        }
        if has(Kind::Crash) {
            put(Kind::Crash, FaultVerb::Crash { targets, loses: None, answers_error: false }, true);
        }
        if has(Kind::Evict) && self.evicts && self.lock_nodes.contains(&node) {
            put(Kind::Evict, FaultVerb::Evict { nodes: vec![node], lock: None }, false);
        }
    }

    /// A process can be paused or end at every point of its program.
    fn at_points(&self, log: &[TraceEvent], bounds: &Bounds, out: &mut Vec<Move>) {
        let mut last = Ends::default();
        let passed = |e: &TraceEvent| match e.kind {
            EventKind::Did(Fact::Passed { point, n }) => Some((point, n)),
            _ => None,
        };
        for e in log {
            if let Some((point, n)) = passed(e) {
                last.note((u32::from(e.node.0) << 16) | point.index() as u32, n);
            }
        }
        for (i, e) in log.iter().enumerate().filter(|(_, e)| bounds.targets[e.node.index()]) {
            let Some((point, n)) = passed(e) else { continue };
            if !last.is_edge((u32::from(e.node.0) << 16) | point.index() as u32, n, bounds.edges) {
                continue;
            }
            // Between two points with nothing in between it makes no difference at which of them a thread stops.
            let next = log[i + 1..].iter().find(|o| o.node == e.node);
            let same = next.is_some_and(|o| o.at == e.at && passed(o).is_some());
            if same && bounds.reduces && !reads_a_clock_next(point) {
                continue;
            }
            let at = Moment::Point { offset: Span::ZERO, worker: e.node, point, n };
            let threads = &self.threads[e.node.index()];
            let targets: Vec<Target> = threads.iter().map(|t| Target { node: *t, thread: None }).collect();
            if bounds.each.of(Kind::Pause) > 0 {
                begin(out, Kind::Pause, FaultVerb::Pause { targets: targets.clone() }, at, e.at, true);
            }
            if bounds.each.of(Kind::Crash) > 0 {
                let verb = FaultVerb::Crash { targets, loses: None, answers_error: false };
                begin(out, Kind::Crash, verb, at, e.at, true);
            }
        }
    }

    /// A message can be lost, held back or sent twice.
    fn at_messages(&self, log: &[TraceEvent], bounds: &Bounds, out: &mut Vec<Move>) {
        let stream =
            |e: &TraceEvent, to: NodeId, kind: usize| u32::from(e.node.0) << 20 | u32::from(to.0) << 8 | kind as u32;
        let struck = |n: NodeId| n.index() < self.workers && bounds.targets[n.index()];
        let mut last = Ends::default();
        for e in log {
            if let EventKind::Sent { to, what, .. } = e.kind {
                last.note(stream(e, to, what.kind.index()), what.nth);
            }
        }
        let loses = bounds.each.of(Kind::Drop) > 0 || bounds.each.of(Kind::Delay) > 0;
        for e in log {
            let EventKind::Sent { to, what, fate: Fate::Plain, .. } = e.kind else { continue };
            let at_a_worker = struck(e.node) || struck(to);
            if !at_a_worker || !last.is_edge(stream(e, to, what.kind.index()), what.nth, bounds.edges) {
                continue;
            }
            let fault = |what_happens| {
                FaultVerb::Message(MessageFault {
                    what: what_happens,
                    kinds: 1 << what.kind.index(),
                    from: Some(vec![e.node]),
                    to: Some(vec![to]),
                    nth: Some(vec![what.nth]),
                    takes: None,
                    applied: false,
                })
            };
            let holds = word(&(e.node, to, what));
            let from_the_start = Moment::At(Draw::ms(0));
            if loses {
                // Where nothing may be delayed, what is held never comes.
                let open = bounds.each.of(Kind::Delay) > 0;
                let strike = begin(out, Kind::Drop, fault(MessageVerb::Drop), from_the_start, e.at, open);
                strike.holds = if open { holds } else { 0 };
            }
            if bounds.each.of(Kind::Duplicate) > 0 {
                begin(out, Kind::Duplicate, fault(MessageVerb::Duplicate), from_the_start, e.at, true).holds = holds;
            }
        }
    }
}

/// The last number of each stream.
#[derive(Default)]
struct Ends(Vec<(u32, u32)>);

impl Ends {
    fn note(&mut self, stream: u32, n: u32) {
        match self.0.iter_mut().find(|s| s.0 == stream) {
            Some(s) => s.1 = s.1.max(n),
            None => self.0.push((stream, n)),
        }
    }

    /// Is this one of the first, or one of the last?
    fn is_edge(&self, stream: u32, n: u32, edges: u32) -> bool {
        let last = self.0.iter().find(|s| s.0 == stream).map_or(0, |s| s.1);
        n <= edges || n + edges > last
    }
}

fn instant(at: TrueTime) -> Moment {
    Moment::At(Draw::Fixed(at.since(TrueTime::ZERO)))
}

fn begin(out: &mut Vec<Move>, kind: Kind, verb: FaultVerb, moment: Moment, began: TrueTime, open: bool) -> &mut Strike {
    let what = word(&(kind as u8, moment, &verb));
    let spec = FaultSpec { name: None, verb, at: moment, until: Until::EndOfRun, every: None };
    out.push(Move::Begin(Key { at: began, what }, Box::new(Strike { kind, spec, began, open, holds: 0 })));
    match out.last_mut() {
        Some(Move::Begin(_, strike)) => strike,
        _ => unreachable!("it was put there just now"),
    }
}

fn word(what: &impl Hash) -> u64 {
    let mut h = Fingerprint::new();
    what.hash(&mut h);
    h.finish()
}

/// After this point the thread looks at its clock before it does anything else.
fn reads_a_clock_next(point: PointKind) -> bool {
    matches!(point, PointKind::Stamp | PointKind::Step(Edge::Before, Verb::Check))
}

/// Can this matter to a verdict, or to what a service or resource does next?
fn matters(kind: &EventKind) -> bool {
    let EventKind::Did(fact) = kind else { return matches!(kind, EventKind::Promoted) };
    matches!(
        fact,
        Fact::Granted(_)
            | Fact::Extended { .. }
            | Fact::Reentered { .. }
            | Fact::Released { .. }
            | Fact::Expired { .. }
            | Fact::Closed { .. }
            | Fact::Forgotten { .. }
            | Fact::TakenOver { .. }
            | Fact::ReadServed { .. }
            | Fact::Applied(_)
            | Fact::Activated { .. }
            | Fact::Rejected { .. }
            | Fact::CheckPassed { .. }
            | Fact::Staged { .. }
            | Fact::Called { .. }
            | Fact::Issued { .. }
    )
}
