//! Hand-written logs for the tests of the pictures: preset 09 and small stories for the other marks.
//!
//! Written event by event rather than simulated, so that a picture can be judged before, and apart from, any engine.

use super::Shown;
use crate::base::fact::{Effect, Grant, Loss, VoteEnd};
use crate::base::message::{Compare, Reject, Topic, Write};
use crate::base::{
    AcqId, CallId, ClockKind, Fact, Kind, LocalTime, LockId, Message, MsgId, NodeId, OpKey, OwnerId, Payload, Span,
    Token, TrueTime,
};
use crate::check::report::{Property, Report, Verdict, Violation};
use crate::trace::{
    EndWhy, Ending, EventKind, EventSeq, EventSink, Fate, LostWhy, Participant, Role, Roster, TraceEvent, TraceLog,
};

/// A run written by hand.
pub struct Sample {
    pub name: &'static str,
    pub roster: Roster,
    pub log: TraceLog,
    pub report: Report,
    pub ending: Ending,
}

impl Sample {
    pub fn shown(&self) -> Shown<'_> {
        Shown { name: self.name, roster: &self.roster, log: &self.log, report: &self.report, ending: self.ending }
    }
}

pub const LOCK: LockId = LockId(0);
/// One way, ms.
const HOP: i64 = 5;

/// Events in any order; sorted and numbered at the end.
pub struct Script {
    name: &'static str,
    pub roster: Roster,
    events: Vec<(i64, NodeId, Option<usize>, EventKind)>,
    /// Local minus true, ms, by node, from an instant on.
    pub offsets: Vec<(NodeId, i64, i64)>,
    msgs: u32,
    calls: u32,
    acqs: u32,
    grants: u64,
}

/// How the service answers.
#[derive(Clone, Copy, PartialEq)]
pub enum Reply {
    /// With a token, or without.
    Grant(Option<u64>),
    No,
}

impl Script {
    pub fn new(name: &'static str, workers: usize, locks: &[&str], shards: &[&str]) -> Script {
        let mut nodes: Vec<Participant> = (1..=workers)
            .map(|i| Participant { name: format!("W{i}"), role: Role::Worker { process: i as u16 } })
            .collect();
        nodes.extend(
            locks.iter().map(|n| Participant { name: n.to_string(), role: Role::LockNode { service: "lock".into() } }),
        );
        nodes.extend(
            shards
                .iter()
                .map(|n| Participant { name: n.to_string(), role: Role::Shard { resource: "resource".into() } }),
        );
        let roster = Roster { nodes, locks: vec!["lock".into()], horizon: TrueTime::from_ms(60_000) };
        Script { name, roster, events: Vec::new(), offsets: Vec::new(), msgs: 0, calls: 0, acqs: 0, grants: 0 }
    }

    pub fn event(&mut self, at: i64, node: NodeId, cause: Option<usize>, kind: EventKind) -> usize {
        self.events.push((at, node, cause, kind));
        self.events.len() - 1
    }

    pub fn count(&self) -> usize {
        self.events.len()
    }

    pub fn kind(&self, i: usize) -> EventKind {
        self.events[i].3
    }

    pub fn msg(&mut self) -> MsgId {
        self.msgs += 1;
        MsgId(self.msgs)
    }

    /// Something that a node did. What a node of a quorum does is a vote.
    pub fn did(&mut self, at: i64, node: NodeId, cause: Option<usize>, fact: Fact) -> usize {
        let quorum = self.roster.ids().filter(|id| self.roster.is_lock_node(*id)).count() > 2;
        let ended = |acq, why| Fact::VoteEnded { lock: LOCK, acq, why };
        let fact = match fact {
            Fact::Granted(grant) if quorum => Fact::Voted(grant),
            Fact::Released { acq, by, .. } if quorum => ended(acq, VoteEnd::Released { by }),
            Fact::Expired { acq, .. } if quorum => ended(acq, VoteEnd::Expired),
            Fact::Forgotten { acq, .. } if quorum => ended(acq, VoteEnd::Forgotten),
            fact => fact,
        };
        self.event(at, node, cause, EventKind::Did(fact))
    }

    pub fn call(&mut self) -> CallId {
        self.calls += 1;
        CallId(self.calls)
    }

    pub fn acq(&mut self) -> AcqId {
        self.acqs += 1;
        AcqId(self.acqs)
    }

    /// A message that arrives after `takes` ms: the arrival.
    #[allow(clippy::too_many_arguments)]
    pub fn send(
        &mut self,
        at: i64,
        from: NodeId,
        to: NodeId,
        cause: Option<usize>,
        call: CallId,
        kind: Kind,
        payload: Payload,
        takes: i64,
    ) -> usize {
        let fate = if takes > 100 { Fate::Delayed } else { Fate::Plain };
        let (msg, sent) = self.put(at, from, to, cause, call, kind, payload, fate);
        let what = Message { call, kind, nth: 1, payload };
        self.event(at + takes, to, Some(sent), EventKind::Arrived { msg, from, what })
    }

    /// A message that is lost on its way.
    #[allow(clippy::too_many_arguments)]
    pub fn lose(
        &mut self,
        at: i64,
        from: NodeId,
        to: NodeId,
        cause: Option<usize>,
        call: CallId,
        kind: Kind,
        payload: Payload,
        why: LostWhy,
    ) {
        let (msg, sent) = self.put(at, from, to, cause, call, kind, payload, Fate::Lost);
        self.event(at, from, Some(sent), EventKind::Lost { msg, from, to, kind, why });
    }

    #[allow(clippy::too_many_arguments)]
    fn put(
        &mut self,
        at: i64,
        from: NodeId,
        to: NodeId,
        cause: Option<usize>,
        call: CallId,
        kind: Kind,
        payload: Payload,
        fate: Fate,
    ) -> (MsgId, usize) {
        let msg = self.msg();
        let sent = self.event(
            at,
            from,
            cause,
            EventKind::Sent { msg, to, what: Message { call, kind, nth: 1, payload }, fate },
        );
        (msg, sent)
    }

    /// A try for the lock. Returns the acquisition.
    pub fn acquire(&mut self, at: i64, w: NodeId, lock: NodeId, reply: Reply, ttl: Option<i64>) -> AcqId {
        let (call, acq) = (self.call(), self.acq());
        let ttl = ttl.map(Span::from_ms);
        let ask = Payload::Acquire { lock: LOCK, acq, owner: OwnerId(7), ttl, margin: Span::ZERO };
        let a = self.send(at, w, lock, None, call, Kind::request(Topic::Acquire), ask, HOP);
        let answer = match reply {
            Reply::Grant(token) => {
                self.grant(at + HOP, w, lock, acq, a, token, ttl);
                Payload::Granted { lock: LOCK, acq, token: token.map(Token::new) }
            }
            Reply::No => {
                self.did(at + HOP, lock, Some(a), Fact::Refused { lock: LOCK, acq, worker: w });
                Payload::Refused { lock: LOCK, acq }
            }
        };
        let b = self.send(at + HOP, lock, w, Some(a), call, Kind::reply(Topic::Acquire), answer, HOP);
        if let Reply::Grant(token) = reply {
            self.believe(at + 2 * HOP, w, acq, Some(b), token);
        }
        acq
    }

    #[allow(clippy::too_many_arguments)]
    pub fn grant(
        &mut self,
        at: i64,
        w: NodeId,
        lock: NodeId,
        acq: AcqId,
        cause: usize,
        token: Option<u64>,
        ttl: Option<Span>,
    ) {
        self.grants += 1;
        let until = ttl.map(|t| LocalTime::from_us(at * 1_000) + t);
        let grant = Grant {
            lock: LOCK,
            acq,
            worker: w,
            owner: OwnerId(7),
            token: token.map(Token::new),
            ttl,
            margin: Span::ZERO,
            asked: TrueTime::from_ms(at - HOP),
            until,
            share: Default::default(),
        };
        self.did(at, lock, Some(cause), Fact::Granted(grant));
    }

    pub fn believe(&mut self, at: i64, w: NodeId, acq: AcqId, cause: Option<usize>, token: Option<u64>) {
        self.did(
            at,
            w,
            cause,
            Fact::Believed { lock: LOCK, acq, token: token.map(Token::new), until: None, clock: ClockKind::Wall },
        );
    }

    pub fn end_belief(&mut self, at: i64, w: NodeId, acq: AcqId, why: Loss) {
        self.did(at, w, None, Fact::BeliefEnded { lock: LOCK, acq, why });
    }

    pub fn expire(&mut self, at: i64, lock: NodeId, acq: AcqId) {
        self.did(at, lock, None, Fact::Expired { lock: LOCK, acq });
    }

    pub fn read(&mut self, at: i64, w: NodeId, shard: NodeId, acq: AcqId, version: u64) {
        let call = self.call();
        let a = self.send(
            at,
            w,
            shard,
            None,
            call,
            Kind::request(Topic::Read),
            Payload::Read { acq: Some(acq), token: None },
            HOP,
        );
        self.did(at + HOP, shard, Some(a), Fact::ReadServed { worker: w, acq: Some(acq), version });
        self.send(at + HOP, shard, w, Some(a), call, Kind::reply(Topic::Read), Payload::Value { version }, HOP);
    }

    /// A write that is applied on `before`, or refused because `mark` was seen. Returns when the answer is back.
    #[allow(clippy::too_many_arguments)]
    pub fn write(
        &mut self,
        at: i64,
        w: NodeId,
        shard: NodeId,
        acq: AcqId,
        token: Option<u64>,
        base: u64,
        before: u64,
        mark: Option<u64>,
        takes: i64,
    ) -> i64 {
        let (call, op) = (self.call(), OpKey(u64::from(acq.0) * 100 + u64::from(shard.0)));
        let token = token.map(Token::new);
        let write = Write {
            acq: Some(acq),
            owner: OwnerId(7),
            lock: LOCK,
            token,
            base: Some(base),
            op,
            number: 1,
            delete: false,
        };
        let a = self.send(at, w, shard, None, call, Kind::request(Topic::Write), Payload::Write(write), takes);
        let now = at + takes;
        let mark = mark.map(Token::new);
        let answer = match (token, mark) {
            (Some(t), Some(m)) if t < m => {
                let why = Reject::Token { token, mark: m };
                self.did(now, shard, Some(a), Fact::Rejected { worker: w, acq: Some(acq), op, token, why });
                Payload::Rejected(why)
            }
            _ => {
                if token.is_some() {
                    self.did(now, shard, Some(a), Fact::MarkMoved { from: mark, to: token });
                }
                let effect =
                    Effect { worker: w, acq: Some(acq), op, token, base: Some(base), before, after: before + 1 };
                self.did(now, shard, Some(a), Fact::Applied(effect));
                Payload::Written { version: before + 1 }
            }
        };
        self.send(now, shard, w, Some(a), call, Kind::reply(Topic::Write), answer, HOP);
        now + HOP
    }

    /// A release; `of`: which record it removes, if any.
    pub fn release(&mut self, at: i64, w: NodeId, lock: NodeId, acq: AcqId, of: Option<AcqId>) {
        let call = self.call();
        let ask = Payload::Release { lock: LOCK, acq, owner: OwnerId(7), compare: Compare::Owner };
        self.end_belief(at, w, acq, Loss::Released);
        let a = self.send(at, w, lock, None, call, Kind::request(Topic::Release), ask, HOP);
        let answer = match of {
            Some(of) => {
                self.did(at + HOP, lock, Some(a), Fact::Released { lock: LOCK, acq: of, by: Some(acq) });
                Payload::Released { lock: LOCK, acq }
            }
            None => {
                self.did(at + HOP, lock, Some(a), Fact::NotHeld { lock: LOCK, by: acq, worker: w });
                Payload::NotHeld { lock: LOCK, acq }
            }
        };
        self.send(at + HOP, lock, w, Some(a), call, Kind::reply(Topic::Release), answer, HOP);
    }

    pub fn pause(&mut self, from: i64, to: Option<i64>, node: NodeId, thread: Option<crate::base::Thread>) {
        let p = self.event(from, node, None, EventKind::Paused { thread });
        if let Some(to) = to {
            self.event(to, node, Some(p), EventKind::Resumed { thread, since: TrueTime::from_ms(from) });
        }
    }

    /// Sorts and numbers the events.
    pub fn done(self, end: i64, why: EndWhy, violations: &[(Property, i64, &str)]) -> Sample {
        let mut order: Vec<usize> = (0..self.events.len()).collect();
        order.sort_by_key(|i| (self.events[*i].0, *i));
        let mut seq_of = vec![0u32; order.len()];
        for (seq, i) in order.iter().enumerate() {
            seq_of[*i] = seq as u32;
        }
        let mut log = TraceLog::new();
        for i in order {
            let (at, node, cause, kind) = self.events[i];
            let offset: i64 = self.offsets.iter().filter(|o| o.0 == node && o.1 <= at).map(|o| o.2).sum();
            log.on_event(&TraceEvent {
                seq: EventSeq(seq_of[i]),
                at: TrueTime::from_ms(at),
                node,
                local: LocalTime::from_us((at + offset) * 1_000),
                cause: cause.map(|c| EventSeq(seq_of[c])),
                kind,
            });
        }
        let mut report = Report { held: true, ..Report::default() };
        for p in Property::ALL {
            let broken = violations.iter().find(|v| v.0 == p);
            let verdict = broken.map_or(Verdict::Holds, |(property, at, sentence)| {
                Verdict::Violated(Violation {
                    property: *property,
                    at: TrueTime::from_ms(*at),
                    length: None,
                    sentence: sentence.to_string(),
                    witnesses: Vec::new(),
                })
            });
            report.verdicts.push((p, verdict));
        }
        log.check_form(&self.roster).expect("the script is well formed");
        Sample { name: self.name, roster: self.roster, log, report, ending: Ending { at: TrueTime::from_ms(end), why } }
    }
}

pub const W1: NodeId = NodeId(0);
pub const W2: NodeId = NodeId(1);

/// Preset 09: TTL 10 000, one way 5, retry 200; W1 pauses 500..15 000; W2 starts at 2 000.
pub fn gc_pause(fenced: bool) -> Sample {
    let (l, r) = (NodeId(2), NodeId(3));
    let mut s = Script::new(if fenced { "Fencing at the resource" } else { "No fencing" }, 2, &["lock"], &["resource"]);
    let token = |n: u64| fenced.then_some(n);
    let a1 = s.acquire(0, W1, l, Reply::Grant(token(1)), Some(10_000));
    s.read(10, W1, r, a1, 0);
    s.pause(500, Some(15_000), W1, None);
    for i in 0..39 {
        s.acquire(2_000 + 210 * i, W2, l, Reply::No, Some(10_000));
    }
    s.expire(10_005, l, a1);
    let a2 = s.acquire(10_190, W2, l, Reply::Grant(token(2)), Some(10_000));
    s.read(10_200, W2, r, a2, 0);
    s.write(11_210, W2, r, a2, token(2), 0, 0, token(1), HOP);
    s.release(11_220, W2, l, a2, Some(a2));
    s.write(15_000, W1, r, a1, token(1), 0, 1, token(2), HOP);
    if fenced {
        s.end_belief(15_010, W1, a1, Loss::Rejected);
        s.did(15_010, W1, None, Fact::Stopped { why: crate::base::fact::StopWhy::Rejected });
        return s.done(15_020, EndWhy::Quiet, &[]);
    }
    s.release(15_010, W1, l, a1, None);
    let broken = "W1’s write, computed under grant\u{a0}1, landed after W2’s, at 15.005\u{a0}s.";
    s.done(
        15_020,
        EndWhy::Quiet,
        &[
            (Property::StaleWrite, 15_005, broken),
            (Property::NonOwnerWrite, 15_005, "W1 wrote while W2 had the latest grant."),
            (Property::LostUpdate, 15_005, "W2’s update was lost."),
        ],
    )
}
