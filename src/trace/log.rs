//! The log, and what may stand where a log stands.
//!
//! The loop writes into an [`EventSink`]: a [`TraceLog`] keeps the events, a checker folds them, a sweep keeps [`Nothing`]. The same
//! loop serves all three, so nobody re-runs a handler to learn what happened.

use super::event::{EventKind, EventSeq, TraceEvent};
use crate::base::{Fingerprint, NodeId, TrueTime};
use std::hash::Hash;

/// Receives events in order.
pub trait EventSink {
    /// False for a sink that looks at nothing: then events need not be made.
    const LOOKS: bool = true;

    fn on_event(&mut self, e: &TraceEvent);
}

/// A sink that keeps nothing; with it the optimiser removes the making of events as well.
#[derive(Clone, Copy, Default, Debug)]
pub struct Nothing;

impl EventSink for Nothing {
    const LOOKS: bool = false;

    #[inline(always)]
    fn on_event(&mut self, _: &TraceEvent) {}
}

/// Two sinks at once, for instance a log and the checkers.
pub struct Fork<'a, A: EventSink, B: EventSink>(pub &'a mut A, pub &'a mut B);

impl<A: EventSink, B: EventSink> EventSink for Fork<'_, A, B> {
    const LOOKS: bool = A::LOOKS || B::LOOKS;

    #[inline]
    fn on_event(&mut self, e: &TraceEvent) {
        self.0.on_event(e);
        self.1.on_event(e);
    }
}

/// Who takes part in a run, in the order of their [`NodeId`]s.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Roster {
    pub nodes: Vec<Participant>,
    /// Names of the locks, by `LockId`.
    pub locks: Vec<String>,
    /// When the run ends at the latest.
    pub horizon: TrueTime,
}

/// One lifeline.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Participant {
    pub name: String,
    pub role: Role,
}

/// What kind of node a participant is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Runs a program. Workers with one `process` are its threads; the number is that of the process.
    Worker { process: u16 },
    /// A node of the lock service called `service`.
    LockNode { service: String },
    /// A shard of the resource called `resource`; the only one has the resource's own name.
    Shard { resource: String },
}

impl Roster {
    pub fn name(&self, id: NodeId) -> &str {
        self.nodes.get(id.index()).map_or("?", |p| p.name.as_str())
    }

    pub fn role(&self, id: NodeId) -> Option<&Role> {
        self.nodes.get(id.index()).map(|p| &p.role)
    }

    pub fn is_worker(&self, id: NodeId) -> bool {
        matches!(self.role(id), Some(Role::Worker { .. }))
    }

    pub fn is_lock_node(&self, id: NodeId) -> bool {
        matches!(self.role(id), Some(Role::LockNode { .. }))
    }

    pub fn is_shard(&self, id: NodeId) -> bool {
        matches!(self.role(id), Some(Role::Shard { .. }))
    }

    /// Ids of all nodes.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u16).map(NodeId)
    }

    pub fn workers(&self) -> impl Iterator<Item = NodeId> {
        self.ids().filter(|id| self.is_worker(*id))
    }
}

/// The append-only log of one run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TraceLog {
    events: Vec<TraceEvent>,
}

impl EventSink for TraceLog {
    #[inline]
    fn on_event(&mut self, e: &TraceEvent) {
        self.events.push(*e);
    }
}

impl TraceLog {
    pub fn new() -> TraceLog {
        TraceLog::default()
    }

    pub fn events(&self) -> &[TraceEvent] {
        &self.events
    }

    pub fn get(&self, seq: EventSeq) -> Option<&TraceEvent> {
        self.events.get(seq.0 as usize)
    }

    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    pub fn clear(&mut self) {
        self.events.clear();
    }

    /// Digest of everything that happened: equal natively and in wasm.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut f = Fingerprint::new();
        self.events.hash(&mut f);
        f
    }

    /// What a log must be whatever was simulated: numbered without a gap, in order of true time, causes before effects, every arrival
    /// after its sending. Returns the first fault found.
    pub fn check_form(&self, roster: &Roster) -> Result<(), String> {
        let mut last = TrueTime::ZERO;
        for (i, e) in self.events.iter().enumerate() {
            if e.seq.0 as usize != i {
                return Err(format!("event {i} carries number {}", e.seq.0));
            }
            if e.at < last {
                return Err(format!("event {i} at {} comes after one at {last}", e.at));
            }
            last = e.at;
            if e.node.index() >= roster.nodes.len() {
                return Err(format!("event {i} is on node {}, which does not exist", e.node.0));
            }
            if let Some(c) = e.cause
                && c >= e.seq
            {
                return Err(format!("event {i} is caused by {}, which is not before it", c.0));
            }
            if let EventKind::Arrived { msg, from, .. } = e.kind {
                let sent = e.cause.and_then(|c| self.get(c));
                match sent.map(|s| (s.node, s.kind)) {
                    Some((node, EventKind::Sent { msg: m, to, .. })) if m == msg && node == from && to == e.node => {}
                    _ => return Err(format!("event {i}: message {msg} arrived without having been sent to this node")),
                }
            }
        }
        Ok(())
    }
}
