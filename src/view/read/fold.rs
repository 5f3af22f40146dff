//! Retries: of a worker's equal answers the first is drawn, the others are counted.
//!
//! A *try* is one call for the lock with the cleaning up that follows it (or one renewal). Tries in a row that went the same way, node by node
//! and answer by answer, are one picture; "38 more tries" stands in the gap. A try is never folded if a fault touched one of its
//! messages or if somebody points at it (the first difference between designs, a verdict's witness).

use super::Flight;
use super::index::{About, Index};
use crate::base::flat::FlatSet;
use crate::base::message::Topic;
use crate::base::row::Put;
use crate::base::{LockId, NodeId, Payload, TrueTime};
use crate::trace::{EventSeq, Fate, LostWhy};
use crate::view::lanes::Lanes;
use crate::view::order;
use crate::view::sequence::{Asked, Fold, Moment, Sequence, What};
use std::mem::Discriminant;

/// Request and replies of one call of one worker.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub worker: NodeId,
    pub topic: Topic,
    /// Indices of flights, in order of sending.
    pub flights: Vec<usize>,
}

/// The calls of all workers, in order of their first sending.
pub(super) fn calls(flights: &[Flight], lanes: &Lanes) -> Vec<Call> {
    let mut index = Index::default();
    let mut out: Vec<Call> = Vec::new();
    for (i, f) in flights.iter().enumerate() {
        let worker = if f.what.kind.reply { f.to } else { f.from };
        if !lanes.is_worker(worker) {
            continue;
        }
        let about = u64::from(worker.0) << 8 | f.what.kind.topic as u64;
        let at = index.or_insert(About::Call, f.what.call.0.into(), about, out.len() as u64) as usize;
        if at == out.len() {
            out.push(Call { worker, topic: f.what.kind.topic, flights: Vec::new() });
        }
        out[at].flights.push(i);
    }
    out
}

/// What must be equal for two messages of two tries to be "the same again".
type Trace = (NodeId, NodeId, bool, Discriminant<Payload>, Option<LockId>, Option<LostWhy>, bool);

/// A call for the lock and the cleaning up after it.
struct Try {
    worker: NodeId,
    topic: Topic,
    flights: Vec<usize>,
    /// Something of it was still under way when the run ended.
    unfinished: bool,
    /// A fault touched it, it was answered with a grant, or somebody points at it.
    special: bool,
    traces: Vec<Trace>,
}

impl Try {
    fn of(call: &Call, flights: &[Flight], keep: &FlatSet<EventSeq>) -> Try {
        let mut t = Try {
            worker: call.worker,
            topic: call.topic,
            flights: Vec::new(),
            unfinished: false,
            special: false,
            traces: Vec::new(),
        };
        t.add(call, flights, keep);
        t
    }

    fn add(&mut self, call: &Call, flights: &[Flight], keep: &FlatSet<EventSeq>) {
        let mut traces: Vec<Trace> = Vec::new();
        for i in &call.flights {
            let f = &flights[*i];
            self.unfinished |= f.arrival.is_none() && f.lost.is_none();
            self.special |= matches!(f.fate, Fate::Delayed | Fate::Copy { .. })
                || keep.contains(&f.seq)
                || f.arrival.is_some_and(|a| keep.contains(&a.0))
                || (call.topic == Topic::Acquire
                    && matches!(f.what.payload, Payload::Granted { .. })
                    && f.to == call.worker
                    && call.flights.len() <= 2);
            let lock = lock_of(&f.what.payload);
            traces.push((
                f.from,
                f.to,
                f.what.kind.reply,
                std::mem::discriminant(&f.what.payload),
                lock,
                f.lost,
                f.ignored,
            ));
        }
        order::by_key(&mut traces, |t| (t.2.into(), i64::from(t.0.0) << 16 | i64::from(t.1.0)));
        self.traces.extend(traces);
        self.flights.extend(&call.flights);
    }

    /// This try looks like that one, as far as it went.
    fn repeats(&self, first: &Try) -> bool {
        let same = self.worker == first.worker && self.topic == first.topic && !self.special;
        same && matches!(self.topic, Topic::Acquire | Topic::Renew | Topic::Ping | Topic::Ask)
            && (self.unfinished || self.traces == first.traces)
    }
}

fn lock_of(p: &Payload) -> Option<LockId> {
    match *p {
        Payload::Acquire { lock, .. }
        | Payload::Enter { lock, .. }
        | Payload::Set { lock, .. }
        | Payload::Renew { lock, .. }
        | Payload::Enqueue { lock, .. }
        | Payload::Queued { lock, .. }
        | Payload::Inspect { lock, .. }
        | Payload::Put(Put { lock, .. })
        | Payload::Refused { lock, .. }
        | Payload::Taken { lock, .. } => Some(lock),
        _ => None,
    }
}

/// Marks what is not drawn and says how much that is.
pub(super) fn fold(flights: &mut [Flight], lanes: &Lanes, keep: &FlatSet<EventSeq>) -> Vec<Fold> {
    let all = calls(flights, lanes);
    let mut folds = Vec::new();
    for lane in &lanes.lanes {
        let worker = lane.nodes[0];
        let mut tries: Vec<Try> = Vec::new();
        for call in &all {
            match tries.last_mut() {
                _ if call.worker != worker => {}
                Some(t) if t.topic == Topic::Acquire && call.topic == Topic::Withdraw => t.add(call, flights, keep),
                _ => tries.push(Try::of(call, flights, keep)),
            }
        }
        let mut i = 0;
        while i < tries.len() {
            let mut j = i + 1;
            while j < tries.len() && tries[j].repeats(&tries[i]) {
                j += 1;
            }
            if j > i + 1 {
                let (first, hidden) = (&tries[i], &tries[i + 1..j]);
                for t in hidden {
                    for f in &t.flights {
                        flights[*f].hidden = true;
                    }
                }
                let next = tries.get(j).and_then(|t| t.flights.first()).map(|f| flights[*f].sent);
                let head = &flights[hidden[0].flights[0]];
                folds.push(Fold {
                    worker,
                    lane: lanes.lane(worker),
                    n: hidden.len(),
                    topic: first.topic,
                    from: landed(first, flights),
                    to: next.unwrap_or_else(|| landed(&tries[j - 1], flights)),
                    seq: head.seq,
                    at: head.sent,
                    outcome: outcome(first, flights),
                });
            }
            i = j;
        }
    }
    order::by_key(&mut folds, |f| (f.seq.0.into(), 0));
    folds
}

/// When the last of a try arrived, or was sent if it did not.
#[inline(never)]
fn landed(t: &Try, flights: &[Flight]) -> TrueTime {
    let mut last = TrueTime::ZERO;
    for i in &t.flights {
        let f = &flights[*i];
        last = last.max(f.arrival.map_or(f.sent, |a| a.1));
    }
    last
}

/// What became of a try, in two or three words.
fn outcome(t: &Try, flights: &[Flight]) -> &'static str {
    let (mut heard, mut granted) = (0, 0);
    for i in &t.flights {
        let f = &flights[*i];
        if f.what.kind.reply && f.arrival.is_some() && f.what.kind.topic == t.topic {
            heard += 1;
            granted += usize::from(matches!(
                f.what.payload,
                Payload::Extended { .. } | Payload::Granted { .. } | Payload::Pong { alive: true, .. }
            ));
        }
    }
    match heard {
        0 => "no answer",
        n if n == granted => "granted each time",
        _ if t.topic == Topic::Ask => "taken each time",
        _ => "refused each time",
    }
}

/// Notes where a worker begins to ask for a lock, and whether its first try succeeds.
pub(super) fn first_tries(seq: &mut Sequence, flights: &[Flight]) {
    let mut asking = Index::default();
    let mut asks = Vec::new();
    for call in &calls(flights, &seq.lanes) {
        let first = &flights[call.flights[0]];
        let looks = matches!(first.what.payload, Payload::Inspect { acq: Some(_), .. });
        if call.topic != Topic::Acquire && !looks {
            continue;
        }
        let lock = lock_of(&first.what.payload);
        let (mut nodes, mut heard, mut yes) = (0, 0, 0);
        for i in &call.flights {
            let f = &flights[*i];
            if !f.what.kind.reply {
                nodes += 1;
            } else if f.arrival.is_some() && f.lost.is_none() {
                heard += 1;
                yes += usize::from(match f.what.payload {
                    Payload::Granted { .. } => true,
                    // What it looked for is free: its next call will have it.
                    Payload::Seen { record, .. } => record.is_none_or(|r| r.released),
                    _ => false,
                });
            }
        }
        let answer = match heard {
            0 => Asked::Nothing,
            _ if yes > nodes / 2 => Asked::Granted,
            _ => Asked::Refused,
        };
        let about = lock.map_or(0, |l| 1 + l.index() as u64);
        let again = asking.get(About::Asking, call.worker.0.into(), about) == Some(1);
        asking.insert(About::Asking, call.worker.0.into(), about, u64::from(answer != Asked::Granted));
        if !again {
            let lock = lock.unwrap_or_default();
            asks.push(Moment { at: first.sent, seq: first.seq, node: call.worker, what: What::Asks { lock, answer } });
        }
    }
    seq.moments.extend(asks);
    order::by_key(&mut seq.moments, |m| (m.seq.0.into(), 0));
}
