//! Where runs first differ.
//!
//! The earliest event whose (time, node, kind, outcome) differ. Tokens, versions and other payload do not count: a design that hands out
//! tokens and never needs them has behaved like one that does not. Between services of different kinds messages differ from the first
//! instant, so there only decisions are compared: grants and ends of leases by worker, refusals, what the resource does; in their order,
//! not by the millisecond.

use super::Shown;
use super::read::read;
use super::sequence::{Asked, Moment, What};
use crate::base::flat::FlatSet;
use crate::base::{Fact, NodeId, Payload, TrueTime};
use crate::trace::{EventKind, EventSeq, TraceEvent};

/// The first difference of some runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub at: TrueTime,
    /// By run: its event at that instant that some other run does not have.
    pub events: Vec<Option<EventSeq>>,
}

/// What counts of an event: its kind and outcome as a number, and a second node it is about.
type Mark = (TrueTime, u16, u32, u16);

/// The first difference between the first run and any other; `None` if all behave alike (or there is only one).
pub fn first_difference(shown: &[Shown]) -> Option<Difference> {
    let first = shown.first()?;
    let same_cast = shown[1..].iter().all(|s| s.roster.nodes == first.roster.nodes);
    if !same_cast {
        return by_decision(shown);
    }
    let mut at: Option<TrueTime> = None;
    for other in &shown[1..] {
        if let Some(t) = by_instant(first, other) {
            at = Some(at.map_or(t, |a| a.min(t)));
        }
    }
    let at = at?;
    let mut here: Vec<Vec<Seen>> = Vec::new();
    for s in shown {
        let events = s.log.events();
        let mut own = Vec::new();
        take(events, &mut events.partition_point(|e| e.at < at), at, &mut own);
        here.push(own);
    }
    let mut events = Vec::new();
    for own in &here {
        // Of several, the one that says most: what the resource or a service decided rather than what was sent.
        let mut best: Option<(bool, EventSeq)> = None;
        for (m, seq) in own {
            let foreign = here.iter().any(|o| !o.iter().any(|(x, _)| x == m));
            let rank = (m.2 < DECISION, *seq);
            if foreign && best.is_none_or(|b| rank < b) {
                best = Some(rank);
            }
        }
        events.push(best.map(|b| b.1));
    }
    Some(Difference { at, events })
}

/// The two runs do the same at every instant.
pub fn alike(a: &Shown, b: &Shown) -> bool {
    a.roster.nodes == b.roster.nodes && by_instant(a, b).is_none()
}

/// A mark and its event.
type Seen = (Mark, EventSeq);

/// The marks of the events at an instant, from the `next` event on, which then is the one behind them.
fn take(events: &[TraceEvent], next: &mut usize, at: TrueTime, out: &mut Vec<Seen>) {
    out.clear();
    while let Some(e) = events.get(*next).filter(|e| e.at == at) {
        *next += 1;
        if let Some((kind, about)) = mark(e) {
            out.push(((e.at, e.node.0, kind, about), e.seq));
        }
    }
}

/// The first instant at which two runs differ.
fn by_instant(a: &Shown, b: &Shown) -> Option<TrueTime> {
    let (a, b) = (a.log.events(), b.log.events());
    let (mut of_a, mut of_b): (Vec<Seen>, Vec<Seen>) = (Vec::new(), Vec::new());
    let (mut i, mut j) = (0, 0);
    loop {
        let at = match (a.get(i), b.get(j)) {
            (None, None) => return None,
            (Some(x), Some(y)) => x.at.min(y.at),
            (Some(x), None) | (None, Some(x)) => x.at,
        };
        take(a, &mut i, at, &mut of_a);
        take(b, &mut j, at, &mut of_b);
        in_order(&mut of_a);
        in_order(&mut of_b);
        if of_a.len() != of_b.len() || !of_a.iter().zip(&of_b).all(|(x, y)| x.0 == y.0) {
            return Some(at);
        }
    }
}

/// Marks of one instant.
fn in_order(seen: &mut [Seen]) {
    if seen.len() > 1 {
        super::order::by_key(seen, |(m, _)| (i64::from(m.1) << 32 | i64::from(m.2), m.3.into()));
    }
}

/// The first decision that is not the same; where one run decides earlier, that is the instant. The casts differ, so workers are told
/// apart by name, and what counts of a group of nodes is its majority.
fn by_decision(shown: &[Shown]) -> Option<Difference> {
    let lists: Vec<Vec<Decision>> = shown.iter().map(decisions).collect();
    let same =
        |i: usize| lists.iter().all(|l| l.get(i).map(|d| &d.2) == lists[0].get(i).map(|d| &d.2) && l.get(i).is_some());
    let agreed = (0..).take_while(|i| same(*i)).count();
    let at = lists.iter().filter_map(|l| l.get(agreed)).map(|d| d.0).min()?;
    let events = lists.iter().map(|l| l.get(agreed).filter(|d| d.0 == at).map(|d| d.1)).collect();
    Some(Difference { at, events })
}

/// When something was decided, where in the log, and what about whom.
type Decision = (TrueTime, EventSeq, (u8, String));

/// What was decided in a run, in order.
fn decisions(s: &Shown) -> Vec<Decision> {
    let seq = read(s.roster, s.log, s.ending, &FlatSet::new());
    let named = |k: u8, worker: NodeId| Some((k, seq.lanes.name(worker).to_string()));
    let decided = |m: &Moment| match &m.what {
        What::Asks { answer: Asked::Refused, .. } => named(1, m.node),
        What::Granted { worker, .. } => named(2, *worker),
        What::LeaseEnds { worker, end, .. } => named(if end.is_sudden() { 3 } else { 4 }, *worker),
        What::Writes(w) => named(if w.wrong.is_some() { 5 } else { 6 }, w.worker),
        What::Rejected { worker, .. } => named(7, *worker),
        What::Replayed { worker } => named(8, *worker),
        What::Called { worker, .. } => named(9, *worker),
        What::Stops { .. } => named(10, m.node),
        _ => None,
    };
    seq.moments.iter().filter_map(|m| decided(m).map(|d| (m.at, m.seq, d))).collect()
}

/// Kinds from here on are decisions.
const DECISION: u32 = 10_000;

/// What counts of an event: kind with outcome, and whom it is about. `None`: nobody sees it.
fn mark(e: &TraceEvent) -> Option<(u32, u16)> {
    const NOBODY: u16 = u16::MAX;
    Some(match e.kind {
        EventKind::Sent { to, ref what, .. } => (1_000 + 64 * what.kind.index() as u32 + payload(&what.payload), to.0),
        EventKind::Arrived { from, ref what, .. } => {
            (4_000 + 64 * what.kind.index() as u32 + payload(&what.payload), from.0)
        }
        EventKind::Lost { to, kind, .. } => (7_000 + kind.index() as u32, to.0),
        EventKind::Paused { .. } => (1, NOBODY),
        EventKind::Resumed { .. } => (2, NOBODY),
        EventKind::Crashed { .. } => (3, NOBODY),
        EventKind::Restarted => (4, NOBODY),
        EventKind::ClockStepped { .. } => (5, NOBODY),
        EventKind::ClockRateSet { .. } => (6, NOBODY),
        EventKind::CutFrom { peer } => (7, peer.0),
        EventKind::Healed { peer } => (8, peer.0),
        EventKind::Promoted => (9, NOBODY),
        EventKind::Disconnected => (10, NOBODY),
        EventKind::Did(ref fact) => return did(fact, e.node),
    })
}

/// The outcome that a message carries; its numbers do not count.
fn payload(p: &Payload) -> u32 {
    match p {
        Payload::Granted { .. }
        | Payload::Extended { .. }
        | Payload::Released { .. }
        | Payload::Owned { mine: true, .. }
        | Payload::Written { .. }
        | Payload::Committed { .. } => 1,
        Payload::Refused { .. }
        | Payload::Taken { .. }
        | Payload::NotExtended { .. }
        | Payload::NotHeld { .. }
        | Payload::Owned { .. } => 2,
        Payload::Rejected(_) => 3,
        Payload::Replayed { .. } => 4,
        Payload::Failed => 5,
        Payload::Answer { owns, .. } => 6 + u32::from(*owns),
        Payload::Seen { record, .. } => 8 + u32::from(record.is_some_and(|r| !r.released)),
        _ => 0,
    }
}

fn did(fact: &Fact, node: NodeId) -> Option<(u32, u16)> {
    let decision = |k: u32, worker: NodeId| Some((DECISION + k, worker.0));
    match fact {
        Fact::Granted(g) => decision(1, g.worker),
        Fact::Expired { acq, .. } => decision(2, NodeId(acq.0 as u16)),
        Fact::TakenOver { acq, .. } => decision(14, NodeId(acq.0 as u16)),
        Fact::Forgotten { acq, .. } => decision(3, NodeId(acq.0 as u16)),
        Fact::Released { acq, by, .. } => decision(if *by == Some(*acq) { 4 } else { 5 }, NodeId(acq.0 as u16)),
        Fact::Refused { worker, .. } => decision(6, *worker),
        Fact::Applied(x) => decision(7, x.worker),
        Fact::Rejected { worker, .. } => decision(8, *worker),
        Fact::Replayed { worker, .. } => decision(9, *worker),
        Fact::ActivationRejected { worker, .. } => decision(10, *worker),
        Fact::Called { worker, .. } => decision(11, *worker),
        Fact::ReadRejected { worker, .. } => decision(13, *worker),
        Fact::Stopped { .. } => decision(12, node),
        Fact::Closed { acq, .. } => decision(14, NodeId(acq.0 as u16)),
        Fact::RolledBack { worker, .. } => decision(15, *worker),
        Fact::Issued { worker, .. } => decision(16, *worker),
        Fact::IssueRejected { worker, .. } => decision(17, *worker),
        Fact::Unqueued { .. } => decision(18, node),
        Fact::Believed { .. } => Some((20, 0)),
        Fact::BeliefEnded { .. } => Some((21, 0)),
        Fact::TimedOut { topic } => Some((30 + *topic as u32, 0)),
        Fact::Checked { valid: false, .. } => Some((22, 0)),
        _ => None,
    }
}
