//! A log, and what a story asks of it again and again: who granted what to whom, how that ended, who slept meanwhile.

use super::words::{THE_RESOURCE, THE_SERVICE};
use crate::base::fact::{Grant, VoteEnd};
use crate::base::{AcqId, Fact, LockId, MsgId, NodeId, Payload, Span, TrueTime};
use crate::trace::names::Names;
use crate::trace::{EventKind, EventSeq, Roster, TraceEvent, TraceLog, Values};

/// A log with its index.
pub struct Tale<'a> {
    pub roster: &'a Roster,
    pub names: Names<'a>,
    pub events: &'a [TraceEvent],
    values: Values,
    /// By message: where it was sent, and where it arrived or was lost.
    fates: Vec<(MsgId, EventSeq, Option<EventSeq>)>,
    /// What a message usually takes.
    pub typical: Span,
}

impl<'a> Tale<'a> {
    pub fn new(roster: &'a Roster, log: &'a TraceLog) -> Tale<'a> {
        let events = log.events();
        let mut values = Values::new();
        let mut fates: Vec<(MsgId, EventSeq, Option<EventSeq>)> = Vec::new();
        let mut flights = Vec::new();
        for e in events {
            values.observe(e);
            match e.kind {
                EventKind::Sent { msg, .. } => {
                    let at = fates.partition_point(|f| f.0 < msg);
                    fates.insert(at, (msg, e.seq, None));
                }
                EventKind::Arrived { msg, .. } | EventKind::Lost { msg, .. } => {
                    if let Ok(i) = fates.binary_search_by_key(&msg, |f| f.0) {
                        let sent = &events[fates[i].1.0 as usize];
                        flights.push(e.at.since(sent.at));
                        fates[i].2 = Some(e.seq);
                    }
                }
                _ => {}
            }
        }
        let typical = crate::view::axis::typical(flights);
        Tale { roster, names: Names::new(roster), events, values, fates, typical }
    }

    pub fn event(&self, seq: EventSeq) -> &'a TraceEvent {
        &self.events[seq.0 as usize]
    }

    /// Facts before an event, the latest first.
    pub fn facts_before(&self, seq: EventSeq) -> impl Iterator<Item = (&'a TraceEvent, &'a Fact)> {
        let before = &self.events[..seq.0 as usize];
        before.iter().rev().filter_map(|e| if let EventKind::Did(f) = &e.kind { Some((e, f)) } else { None })
    }

    /// Facts after an event, the earliest first.
    pub fn facts_after(&self, seq: EventSeq) -> impl Iterator<Item = (&'a TraceEvent, &'a Fact)> {
        let after = &self.events[seq.0 as usize + 1..];
        after.iter().filter_map(|e| if let EventKind::Did(f) = &e.kind { Some((e, f)) } else { None })
    }

    /// Where a message arrived or was lost.
    pub fn end_of(&self, msg: MsgId) -> Option<&'a TraceEvent> {
        let i = self.fates.binary_search_by_key(&msg, |f| f.0).ok()?;
        self.fates[i].2.map(|seq| self.event(seq))
    }

    /// Where a message was sent.
    pub fn sending_of(&self, msg: MsgId) -> Option<&'a TraceEvent> {
        let i = self.fates.binary_search_by_key(&msg, |f| f.0).ok()?;
        Some(self.event(self.fates[i].1))
    }

    /// The request that made a node do this: the event's own cause, back to the sending.
    pub fn request_behind(&self, e: &TraceEvent) -> Option<&'a TraceEvent> {
        let arrived = self.event(e.cause?);
        match arrived.kind {
            EventKind::Arrived { msg, .. } => self.sending_of(msg),
            EventKind::Sent { .. } => Some(arrived),
            _ => None,
        }
    }

    /// The grant of an acquisition, as it stood last before `seq`.
    pub fn grant_before(&self, acq: AcqId, seq: EventSeq) -> Option<(&'a TraceEvent, &'a Grant)> {
        self.facts_before(seq).find_map(|(e, f)| match f {
            Fact::Granted(g) if g.acq == acq => Some((e, g)),
            _ => None,
        })
    }

    /// The last grant of a lock before `seq` to another acquisition.
    pub fn rival_before(&self, lock: LockId, acq: AcqId, seq: EventSeq) -> Option<(&'a TraceEvent, &'a Grant)> {
        self.facts_before(seq).find_map(|(e, f)| match f {
            Fact::Granted(g) if g.lock == lock && g.acq != acq => Some((e, g)),
            _ => None,
        })
    }

    /// The end of an acquisition's record before `seq`: it ran out, was given back, taken away or forgotten.
    pub fn end_before(&self, acq: AcqId, seq: EventSeq) -> Option<&'a TraceEvent> {
        self.facts_before(seq).find(|(_, f)| ends(f) == Some(acq)).map(|(e, _)| e)
    }

    /// Whose acquisition it is, as far as the log says.
    pub fn owner(&self, acq: AcqId) -> Option<NodeId> {
        self.events.iter().find_map(|e| match &e.kind {
            EventKind::Did(Fact::Granted(g) | Fact::Voted(g)) if g.acq == acq => Some(g.worker),
            EventKind::Did(Fact::Believed { acq: a, .. } | Fact::TryFailed { acq: a, .. }) if *a == acq => Some(e.node),
            EventKind::Did(Fact::Queued { acq: a, worker, .. }) if *a == acq => Some(*worker),
            EventKind::Sent { what, .. } if what.payload.acq() == Some(acq) && self.roster.is_worker(e.node) => {
                Some(e.node)
            }
            _ => None,
        })
    }

    /// "W1", or "somebody" where the log never says whose it was.
    pub fn owner_name(&self, acq: AcqId) -> &'a str {
        self.owner(acq).map_or("somebody", |w| self.names.node(w))
    }

    /// Is it a lock of which a majority of nodes decides?
    pub fn by_votes(&self, acq: AcqId) -> bool {
        self.events.iter().any(|e| matches!(&e.kind, EventKind::Did(Fact::Voted(g)) if g.acq == acq))
    }

    /// The nodes that hold a record of an acquisition when `seq` happens, in their order.
    pub fn voters(&self, acq: AcqId, seq: EventSeq) -> Vec<NodeId> {
        let mut out: Vec<NodeId> = Vec::new();
        for e in &self.events[..=seq.0 as usize] {
            match &e.kind {
                EventKind::Did(Fact::Voted(g)) if g.acq == acq && !out.contains(&e.node) => out.push(e.node),
                EventKind::Did(Fact::VoteEnded { acq: a, .. }) if *a == acq => out.retain(|n| *n != e.node),
                _ => {}
            }
        }
        crate::base::flat::sort(&mut out);
        out
    }

    /// Does this worker believe in this acquisition right before `seq`?
    pub fn believes(&self, worker: NodeId, acq: Option<AcqId>, seq: EventSeq) -> bool {
        for e in self.events[..seq.0 as usize].iter().rev().filter(|e| e.node == worker) {
            match &e.kind {
                EventKind::Did(Fact::Believed { acq: a, .. }) if acq.is_none_or(|x| x == *a) => return true,
                EventKind::Did(Fact::BeliefEnded { acq: a, .. }) if acq.is_none_or(|x| x == *a) => return false,
                EventKind::Crashed { thread: None } => return false,
                _ => {}
            }
        }
        false
    }

    /// When the worker began to believe in this acquisition, last before `seq`.
    pub fn belief_before(&self, acq: AcqId, seq: EventSeq) -> Option<&'a TraceEvent> {
        let begun = |f: &Fact| matches!(f, Fact::Believed { acq: a, .. } if *a == acq);
        self.facts_before(seq).find(|(_, f)| begun(f)).map(|(e, _)| e)
    }

    /// What a worker asked for, at an event or next after it: the request, and the lock.
    pub fn wanted(&self, e: &TraceEvent) -> Option<(&'a TraceEvent, LockId)> {
        self.events[e.seq.0 as usize..].iter().filter(|o| o.node == e.node).find_map(|o| match &o.kind {
            EventKind::Sent { what, .. } => asks_for(&what.payload).map(|lock| (o, lock)),
            _ => None,
        })
    }

    /// The value that people read for a version.
    pub fn value(&self, shard: NodeId, version: u64) -> u64 {
        self.values.value(shard, version)
    }

    /// "the service", "the resource", "W1", "redis-0".
    pub fn the(&self, node: NodeId) -> &'a str {
        match self.names.node(node) {
            "lock" if self.roster.is_lock_node(node) => THE_SERVICE,
            "resource" if self.roster.is_shard(node) => THE_RESOURCE,
            name => name,
        }
    }

    pub fn who(&self, node: NodeId) -> &'a str {
        self.names.node(node)
    }

    /// The waking that ends a pause.
    pub fn waking(&self, pause: &TraceEvent) -> Option<&'a TraceEvent> {
        let EventKind::Paused { thread } = pause.kind else { return None };
        self.events[pause.seq.0 as usize..].iter().find(|e| {
            e.node == pause.node
                && matches!(e.kind, EventKind::Resumed { thread: t, since } if t == thread && since == pause.at)
        })
    }

    /// Pauses of a node (or a thread of it) that reach into a stretch of time.
    pub fn pauses(&self, node: NodeId, from: TrueTime, to: TrueTime) -> Vec<&'a TraceEvent> {
        let paused = self.events.iter().filter(|e| e.node == node && matches!(e.kind, EventKind::Paused { .. }));
        let reach = |e: &&TraceEvent| e.at < to && self.waking(e).is_none_or(|w| w.at > from);
        paused.filter(reach).collect()
    }
}

/// The acquisition whose record a fact ends.
pub fn ends(f: &Fact) -> Option<AcqId> {
    match f {
        Fact::Expired { acq, .. }
        | Fact::Released { acq, .. }
        | Fact::Forgotten { acq, .. }
        | Fact::TakenOver { acq, .. }
        | Fact::Closed { acq, .. } => Some(*acq),
        _ => None,
    }
}

/// A vote that ended by itself, or by somebody who had no right to it.
pub fn vote_lost(f: &Fact) -> Option<AcqId> {
    match f {
        Fact::VoteEnded { acq, why: VoteEnd::Expired | VoteEnd::Forgotten, .. } => Some(*acq),
        Fact::VoteEnded { acq, why: VoteEnd::Released { by }, .. } if *by != Some(*acq) => Some(*acq),
        _ => None,
    }
}

/// The lock that a request asks for.
pub fn asks_for(payload: &Payload) -> Option<LockId> {
    match *payload {
        Payload::Acquire { lock, .. }
        | Payload::Set { lock, .. }
        | Payload::Enqueue { lock, .. }
        | Payload::Enter { lock, .. }
        | Payload::Inspect { lock, .. } => Some(lock),
        _ => None,
    }
}
