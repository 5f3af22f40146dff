//! Logs by hand, for tests: a few words per event, times in milliseconds.
//!
//! The cast is fixed: three workers, one lock server, two shards. The defaults are those of the presets: a lease of 10 s asked for 5 ms
//! before it is granted, no token, no margin. Everything else is said. The acquisition numbers are the test's own.

use super::{EndWhy, EventSink};
use super::{Ending, EventKind, EventSeq, Fate, Participant, Role, Roster, TraceEvent, TraceLog};
use crate::base::fact::{Effect, Grant, Loss, StopWhy};
use crate::base::message::{Compare, Topic, Write};
use crate::base::{
    AcqId, CallId, ClockKind, Edge, Fact, Kind, LocalTime, LockId, Message, MsgId, NodeId, OpKey, OwnerId, Payload,
    PointKind, Span, Thread, Token, TrueTime, Verb,
};

pub const W1: NodeId = NodeId(0);
pub const W2: NodeId = NodeId(1);
pub const W3: NodeId = NodeId(2);
pub const LOCK: NodeId = NodeId(3);
pub const R: NodeId = NodeId(4);
/// A second shard.
pub const Q: NodeId = NodeId(5);
const L: LockId = LockId(0);

/// A log being written.
#[derive(Clone, Debug)]
pub struct Story {
    pub roster: Roster,
    pub log: TraceLog,
    now: TrueTime,
    /// What each node's wall clock is ahead of true time.
    ahead: [Span; 6],
    ops: u64,
    messages: u32,
}

impl Story {
    /// With both shards, "R" and "Q".
    pub fn two_shards() -> Story {
        let worker = |name: &str, process| Participant { name: name.into(), role: Role::Worker { process } };
        let shard = |name: &str| Participant { name: name.into(), role: Role::Shard { resource: "R".into() } };
        let nodes = vec![
            worker("W1", 0),
            worker("W2", 1),
            worker("W3", 2),
            Participant { name: "redis".into(), role: Role::LockNode { service: "redis".into() } },
            shard("R"),
            shard("Q"),
        ];
        Story {
            roster: Roster { nodes, locks: vec!["lock".into()], horizon: TrueTime::from_ms(60_000) },
            log: TraceLog::new(),
            now: TrueTime::ZERO,
            ahead: [Span::ZERO; 6],
            ops: 0,
            messages: 0,
        }
    }

    /// With the one shard "R".
    pub fn new() -> Story {
        let mut story = Story::two_shards();
        story.roster.nodes.pop();
        story
    }

    /// What follows happens at this instant, in milliseconds.
    pub fn at(&mut self, ms: i64) -> &mut Story {
        self.now = TrueTime::from_ms(ms);
        self
    }

    pub fn push(&mut self, node: NodeId, kind: EventKind) -> &mut Story {
        let local = LocalTime::from_us(self.now.as_us()) + self.ahead[node.index()];
        let seq = EventSeq(self.log.len() as u32);
        self.log.on_event(&TraceEvent { seq, at: self.now, node, local, cause: None, kind });
        self
    }

    pub fn fact(&mut self, node: NodeId, fact: Fact) -> &mut Story {
        self.push(node, EventKind::Did(fact))
    }

    pub fn send(&mut self, from: NodeId, to: NodeId, payload: Payload) -> &mut Story {
        self.send_with(from, to, payload, Fate::Plain)
    }

    pub fn send_with(&mut self, from: NodeId, to: NodeId, payload: Payload, fate: Fate) -> &mut Story {
        let (topic, reply) = subject(&payload);
        let what = Message { call: CallId(0), kind: Kind { topic, reply }, nth: 1, payload };
        self.messages += 1;
        self.push(from, EventKind::Sent { msg: MsgId(self.messages), to, what, fate })
    }

    // ------------------------------------------------------------- at the lock

    /// A lease of 10 s, asked for 5 ms ago.
    pub fn grant(&mut self, worker: NodeId, acq: u32) -> &mut Story {
        self.grant_with(worker, acq, |_| {})
    }

    pub fn grant_token(&mut self, worker: NodeId, acq: u32, token: u64) -> &mut Story {
        self.grant_with(worker, acq, |g| g.token = Some(Token::new(token)))
    }

    pub fn grant_with(&mut self, worker: NodeId, acq: u32, change: impl FnOnce(&mut Grant)) -> &mut Story {
        let ttl = Span::from_ms(10_000);
        let mut grant = Grant {
            lock: L,
            acq: AcqId(acq),
            worker,
            owner: OwnerId(acq),
            token: None,
            ttl: Some(ttl),
            margin: Span::ZERO,
            asked: self.now - Span::from_ms(5),
            until: Some(LocalTime::from_us(self.now.as_us()) + ttl),
            share: Default::default(),
        };
        change(&mut grant);
        self.fact(LOCK, Fact::Granted(grant))
    }

    /// The record of `acq` gets 10 s more, by a request issued for `by` and sent 5 ms ago.
    pub fn extend(&mut self, acq: u32, by: u32, worker: NodeId) -> &mut Story {
        let ttl = Span::from_ms(10_000);
        let asked = self.now - Span::from_ms(5);
        let until = Some(LocalTime::from_us(self.now.as_us()) + ttl);
        let (acq, by) = (AcqId(acq), AcqId(by));
        self.fact(LOCK, Fact::Extended { lock: L, acq, by, worker, ttl: Some(ttl), margin: Span::ZERO, asked, until })
    }

    /// The record of `acq` goes, by a release issued for `by`.
    pub fn release(&mut self, acq: u32, by: u32) -> &mut Story {
        self.fact(LOCK, Fact::Released { lock: L, acq: AcqId(acq), by: Some(AcqId(by)) })
    }

    /// An administrator removes the record of `acq`.
    pub fn break_up(&mut self, acq: u32) -> &mut Story {
        self.fact(LOCK, Fact::Released { lock: L, acq: AcqId(acq), by: None })
    }

    /// A release issued for `by` finds nothing.
    pub fn not_held(&mut self, worker: NodeId, by: u32) -> &mut Story {
        self.fact(LOCK, Fact::NotHeld { lock: L, by: AcqId(by), worker })
    }

    pub fn expire(&mut self, acq: u32) -> &mut Story {
        self.fact(LOCK, Fact::Expired { lock: L, acq: AcqId(acq) })
    }

    pub fn forget(&mut self, acq: u32) -> &mut Story {
        self.fact(LOCK, Fact::Forgotten { lock: L, acq: AcqId(acq) })
    }

    // ------------------------------------------------------------- at a worker

    pub fn before(&mut self, worker: NodeId, verb: Verb) -> &mut Story {
        self.fact(worker, Fact::Passed { point: PointKind::Step(Edge::Before, verb), n: 1 })
    }

    pub fn after(&mut self, worker: NodeId, verb: Verb) -> &mut Story {
        self.fact(worker, Fact::Passed { point: PointKind::Step(Edge::After, verb), n: 1 })
    }

    /// Sends a request for the lock.
    pub fn ask(&mut self, worker: NodeId, acq: u32) -> &mut Story {
        let (acq, owner) = (AcqId(acq), OwnerId(acq));
        let ttl = Some(Span::from_ms(10_000));
        self.send(worker, LOCK, Payload::Acquire { lock: L, acq, owner, ttl, margin: Span::ZERO })
    }

    /// Believes up to its wall clock's `until_ms`.
    pub fn believe(&mut self, worker: NodeId, acq: u32, until_ms: i64) -> &mut Story {
        self.believe_by(worker, acq, until_ms, ClockKind::Wall)
    }

    pub fn believe_by(&mut self, worker: NodeId, acq: u32, until_ms: i64, clock: ClockKind) -> &mut Story {
        let until = Some(LocalTime::from_us(until_ms * 1_000));
        self.fact(worker, Fact::Believed { lock: L, acq: AcqId(acq), token: None, until, clock })
    }

    pub fn doubt(&mut self, worker: NodeId, acq: u32, why: Loss) -> &mut Story {
        self.fact(worker, Fact::BeliefEnded { lock: L, acq: AcqId(acq), why })
    }

    /// Sends a write computed from version `base`.
    pub fn send_write(&mut self, worker: NodeId, acq: u32, base: u64, op: u64) -> &mut Story {
        let owner = OwnerId(acq);
        let (acq, base, op) = (Some(AcqId(acq)), Some(base), OpKey(op));
        let write = Write { acq, owner, lock: L, token: None, base, op, number: 1, delete: false };
        self.send(worker, R, Payload::Write(write))
    }

    pub fn stop(&mut self, worker: NodeId, why: StopWhy) -> &mut Story {
        self.fact(worker, Fact::Stopped { why })
    }

    pub fn finish(&mut self, worker: NodeId) -> &mut Story {
        self.fact(worker, Fact::Finished)
    }

    // ------------------------------------------------------------- at a resource

    pub fn read(&mut self, worker: NodeId, acq: u32, version: u64) -> &mut Story {
        self.fact(R, Fact::ReadServed { worker, acq: Some(AcqId(acq)), version })
    }

    /// R accepts a write, an operation of its own, computed from the current version.
    pub fn write(&mut self, worker: NodeId, acq: u32, base: u64) -> &mut Story {
        self.write_over(worker, acq, base, base)
    }

    /// R accepts a write computed from `base` while its version is `before`.
    pub fn write_over(&mut self, worker: NodeId, acq: u32, base: u64, before: u64) -> &mut Story {
        self.ops += 1;
        let op = OpKey(1_000 + self.ops);
        self.apply(R, worker, Some(acq), op, Some(base), before)
    }

    /// `shard` accepts a write from its current version.
    pub fn write_at(&mut self, shard: NodeId, worker: NodeId, acq: u32, base: u64) -> &mut Story {
        self.ops += 1;
        let op = OpKey(1_000 + self.ops);
        self.apply(shard, worker, Some(acq), op, Some(base), base)
    }

    pub fn apply(
        &mut self,
        shard: NodeId,
        worker: NodeId,
        acq: Option<u32>,
        op: OpKey,
        base: Option<u64>,
        before: u64,
    ) -> &mut Story {
        let acq = acq.map(AcqId);
        self.fact(shard, Fact::Applied(Effect { worker, acq, op, token: None, base, before, after: before + 1 }))
    }

    /// R accepts the operation `op`.
    pub fn apply_op(&mut self, worker: NodeId, acq: u32, op: u64, base: u64, before: u64) -> &mut Story {
        self.apply(R, worker, Some(acq), OpKey(op), Some(base), before)
    }

    pub fn activate(&mut self, shard: NodeId, worker: NodeId, acq: u32) -> &mut Story {
        self.fact(shard, Fact::Activated { worker, acq: Some(AcqId(acq)), token: None })
    }

    /// A number is handed out at R.
    pub fn issue(&mut self, worker: NodeId, number: u64) -> &mut Story {
        self.fact(R, Fact::Issued { worker, acq: None, number })
    }

    pub fn mark(&mut self, from: Option<u64>, to: Option<u64>) -> &mut Story {
        self.fact(R, Fact::MarkMoved { from: from.map(Token::new), to: to.map(Token::new) })
    }

    // ------------------------------------------------------------- what the story itself does

    pub fn pause(&mut self, node: NodeId) -> &mut Story {
        self.push(node, EventKind::Paused { thread: None })
    }

    pub fn resume(&mut self, node: NodeId) -> &mut Story {
        let since = TrueTime::ZERO;
        self.push(node, EventKind::Resumed { thread: None, since })
    }

    pub fn crash(&mut self, node: NodeId) -> &mut Story {
        self.push(node, EventKind::Crashed { thread: None })
    }

    pub fn crash_thread(&mut self, node: NodeId, thread: Thread) -> &mut Story {
        self.push(node, EventKind::Crashed { thread: Some(thread) })
    }

    /// The node's wall clock jumps.
    pub fn step_clock(&mut self, node: NodeId, by_ms: i64) -> &mut Story {
        let by = Span::from_ms(by_ms);
        self.ahead[node.index()] += by;
        self.push(node, EventKind::ClockStepped { by })
    }

    pub fn cut(&mut self, node: NodeId, peer: NodeId) -> &mut Story {
        self.push(node, EventKind::CutFrom { peer })
    }

    /// The end at the horizon.
    pub fn horizon(&self) -> Ending {
        Ending { at: self.roster.horizon, why: EndWhy::Horizon }
    }
}

/// What a payload is about.
fn subject(payload: &Payload) -> (Topic, bool) {
    match payload {
        Payload::Acquire { .. } | Payload::Enter { .. } | Payload::Set { .. } | Payload::Expire { .. } => {
            (Topic::Acquire, false)
        }
        Payload::Renew { .. } => (Topic::Renew, false),
        Payload::Release { .. } | Payload::Get { .. } => (Topic::Release, false),
        Payload::Break { .. } => (Topic::Break, false),
        Payload::Ask { .. } => (Topic::Ask, false),
        Payload::Read { .. } => (Topic::Read, false),
        Payload::Write(_) | Payload::Stage(_) => (Topic::Write, false),
        Payload::Commit { .. } => (Topic::Commit, false),
        Payload::Committed { .. } => (Topic::Commit, true),
        Payload::Staged => (Topic::Write, true),
        Payload::Issue { .. } => (Topic::Call, false),
        Payload::Issued { .. } => (Topic::Call, true),
        Payload::Mint { .. } => (Topic::Activate, false),
        Payload::Minted { .. } => (Topic::Activate, true),
        Payload::Hangup { .. } => (Topic::Withdraw, false),
        Payload::Activate { .. } => (Topic::Activate, false),
        Payload::Call { .. } | Payload::LongCall { .. } => (Topic::Call, false),
        Payload::Granted { .. } | Payload::Refused { .. } => (Topic::Acquire, true),
        Payload::Extended { .. } | Payload::NotExtended { .. } => (Topic::Renew, true),
        Payload::Released { .. } | Payload::NotHeld { .. } | Payload::Owned { .. } => (Topic::Release, true),
        Payload::Broken { .. } => (Topic::Break, true),
        Payload::Answer { .. } => (Topic::Ask, true),
        Payload::Value { .. } => (Topic::Read, true),
        Payload::Written { .. } | Payload::Replayed { .. } | Payload::Rejected(_) | Payload::Failed => {
            (Topic::Write, true)
        }
        Payload::Activated => (Topic::Activate, true),
        Payload::Called => (Topic::Call, true),
        Payload::Append | Payload::Replicate { .. } | Payload::Alive => (Topic::Replicate, false),
        Payload::Appended | Payload::Replicated { .. } => (Topic::Replicate, true),
        Payload::Enqueue { .. } => (Topic::Acquire, false),
        Payload::Queued { .. } | Payload::SessionOver { .. } => (Topic::Acquire, true),
        Payload::Look { .. } => (Topic::Ask, false),
        Payload::Ping { .. } => (Topic::Ping, false),
        Payload::Pong { .. } => (Topic::Ping, true),
        Payload::Revoke { .. } => (Topic::Replicate, false),
        Payload::Taken { .. } => (Topic::Acquire, true),
        Payload::Notify { .. } | Payload::Listen { .. } => (Topic::Notify, false),
        Payload::Listening { .. } => (Topic::Notify, true),
        Payload::Inspect { .. } => (Topic::Ask, false),
        Payload::Seen { .. } => (Topic::Ask, true),
        Payload::Put(_) => (Topic::Acquire, false),
    }
}

/// The release of the worker's own record.
pub fn release_of(acq: u32) -> Payload {
    let compare = Compare::Owner;
    Payload::Release { lock: L, acq: AcqId(acq), owner: OwnerId(acq), compare }
}
