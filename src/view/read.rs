//! Reads a log into a [`Sequence`]: one pass over the events, then the retries are folded and the fan-outs merged.
//!
//! The pass keeps what an observer would keep on a sheet of paper: which messages are under way, who holds which record on which node,
//! who believes what, who wrote what last. It never asks a node anything; facts and messages are enough. Where a service of several
//! nodes does not say when its majority came together, it is counted here.

use super::fold;
use super::group;
use super::lanes::Lanes;
use super::sequence::*;
use crate::base::fact::Loss;
use crate::base::{AcqId, Fact, LockId, Message, MsgId, NodeId, OpKey, Payload, Span, Thread, TrueTime};
use crate::trace::{EndWhy, Ending, EventKind, EventSeq, Fate, LostWhy, Roster, TraceEvent, TraceLog};
use std::collections::{BTreeMap, BTreeSet};

/// A message of the log with all that became of it.
#[derive(Clone, Debug)]
pub struct Flight {
    pub msg: MsgId,
    pub seq: EventSeq,
    pub from: NodeId,
    pub to: NodeId,
    pub sent: TrueTime,
    pub arrival: Option<(EventSeq, TrueTime)>,
    pub lost: Option<LostWhy>,
    pub what: Message,
    pub fate: Fate,
    /// What the resource made of it.
    pub effect: Effect,
    /// Its call had ended when it came.
    pub ignored: bool,
    /// Folded away.
    pub hidden: bool,
}

impl Flight {
    /// A message as it was sent, before anything became of it.
    pub fn alone(e: &TraceEvent, msg: MsgId, to: NodeId, what: Message, fate: Fate) -> Flight {
        Flight {
            msg,
            seq: e.seq,
            from: e.node,
            to,
            sent: e.at,
            arrival: None,
            lost: (fate == Fate::Lost).then_some(LostWhy::Dropped),
            what,
            fate,
            effect: Effect::None,
            ignored: false,
            hidden: false,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    None,
    Late,
    /// The answer to a late one.
    LateAnswer,
    TurnedBack,
}

/// Who has a record of one acquisition, and since when that is a lease.
#[derive(Clone, Debug)]
struct Holding {
    worker: NodeId,
    /// By node: the bar of its record.
    nodes: BTreeMap<NodeId, usize>,
    /// Place among the grants of all locks, once a majority holds it.
    order: Option<u32>,
    /// The bar of the majority, on a group's lane.
    lease: Option<usize>,
    ended: Option<(TrueTime, BarEnd)>,
}

/// What a shard has seen.
#[derive(Clone, Debug, Default)]
struct Shard {
    /// Order of the latest grant that wrote, and its worker.
    latest: Option<(u32, NodeId)>,
    writer: Option<NodeId>,
    read: bool,
}

/// The sheet of paper.
pub(super) struct Reader<'a> {
    log: &'a TraceLog,
    pub seq: Sequence,
    pub flights: Vec<Flight>,
    /// By event: the flight it sends or lands.
    by_event: Vec<Option<u32>>,
    by_msg: BTreeMap<MsgId, usize>,
    holdings: BTreeMap<(LockId, AcqId), Holding>,
    worker_of: BTreeMap<AcqId, NodeId>,
    /// Lengths as asked for, where no fact tells them.
    ttl_of: BTreeMap<AcqId, Span>,
    /// By lock: the latest grant.
    latest: BTreeMap<LockId, (u32, NodeId, AcqId)>,
    grants: u32,
    beliefs: BTreeMap<(NodeId, LockId, AcqId), usize>,
    pauses: BTreeMap<(NodeId, Option<Thread>), usize>,
    downs: BTreeMap<NodeId, usize>,
    forgot: BTreeSet<NodeId>,
    shards: BTreeMap<NodeId, Shard>,
    applied: BTreeSet<OpKey>,
    /// By flight: where the shard's mark went with it.
    marks: BTreeMap<usize, u64>,
    /// By moment that stands for a flight.
    of_flight: Vec<(usize, usize)>,
    cut: BTreeMap<(usize, usize), BTreeSet<(NodeId, NodeId)>>,
    cuts_open: BTreeMap<(usize, usize), usize>,
    clocks: BTreeMap<NodeId, Gutter>,
}

/// What is drawn of a run. Events in `keep` are never folded away: where designs first differ, and what a verdict points at.
pub fn read(roster: &Roster, log: &TraceLog, ending: Ending, keep: &BTreeSet<EventSeq>) -> Sequence {
    let lanes = Lanes::of(roster);
    let mut r = Reader {
        log,
        seq: Sequence { lanes, ..Sequence::default() },
        flights: Vec::new(),
        by_event: vec![None; log.len()],
        by_msg: BTreeMap::new(),
        holdings: BTreeMap::new(),
        worker_of: BTreeMap::new(),
        ttl_of: BTreeMap::new(),
        latest: BTreeMap::new(),
        grants: 0,
        beliefs: BTreeMap::new(),
        pauses: BTreeMap::new(),
        downs: BTreeMap::new(),
        forgot: BTreeSet::new(),
        shards: BTreeMap::new(),
        applied: BTreeSet::new(),
        marks: BTreeMap::new(),
        of_flight: Vec::new(),
        cut: BTreeMap::new(),
        cuts_open: BTreeMap::new(),
        clocks: BTreeMap::new(),
    };
    for e in log.events() {
        r.event(e);
    }
    r.finish(ending, keep)
}

impl Reader<'_> {
    fn event(&mut self, e: &TraceEvent) {
        self.clock(e);
        let lane = self.seq.lanes.lane(e.node);
        match e.kind {
            EventKind::Sent { msg, to, what, fate } => self.sent(e, msg, to, what, fate),
            EventKind::Arrived { msg, .. } => {
                if let Some(i) = self.by_msg.get(&msg).copied() {
                    self.flights[i].arrival = Some((e.seq, e.at));
                    self.note_event(e.seq, i);
                }
            }
            EventKind::Lost { msg, why, .. } => {
                if let Some(i) = self.by_msg.get(&msg).copied() {
                    self.flights[i].lost = Some(why);
                    self.note_event(e.seq, i);
                    if why == LostWhy::Down {
                        self.flights[i].arrival = Some((e.seq, e.at));
                    }
                }
            }
            EventKind::Did(fact) => self.fact(e, fact),
            EventKind::Paused { thread } => {
                self.pauses.insert((e.node, thread), self.seq.pauses.len());
                self.seq.pauses.push(Pause { node: e.node, lane, thread, from: e.at, to: None, seq: e.seq });
                self.moment(e, What::Pauses { thread, until: None });
            }
            EventKind::Resumed { thread, .. } => {
                if let Some(i) = self.pauses.remove(&(e.node, thread)) {
                    self.seq.pauses[i].to = Some(e.at);
                    let from = self.seq.pauses[i].seq;
                    let until = Some(e.at);
                    if let Some(m) = self.seq.moments.iter_mut().find(|m| m.seq == from) {
                        m.what = What::Pauses { thread, until };
                    }
                }
                self.moment(e, What::Wakes { thread });
            }
            EventKind::Crashed { thread } => {
                self.moment(e, What::Crashes { thread });
                if thread.is_none() {
                    self.downs.insert(e.node, self.seq.downs.len());
                    self.seq.downs.push(Down { node: e.node, lane, from: e.at, to: None, seq: e.seq });
                    let open: Vec<_> = self.beliefs.keys().filter(|k| k.0 == e.node).copied().collect();
                    for key in open {
                        self.end_belief(key, e.at, Loss::Crashed);
                    }
                }
            }
            EventKind::Restarted => {
                if let Some(i) = self.downs.remove(&e.node) {
                    self.seq.downs[i].to = Some(e.at);
                }
                let empty = self.forgot.remove(&e.node);
                self.moment(e, What::Restarts { empty });
            }
            EventKind::ClockStepped { by } => self.moment(e, What::ClockStep(by)),
            EventKind::ClockRateSet { ppm } => self.moment(e, What::ClockRate(ppm)),
            EventKind::CutFrom { peer } => self.cut(e, peer),
            EventKind::Healed { peer } => {
                let key = self.lane_pair(e.node, peer);
                self.cut.remove(&key);
                if let Some(i) = self.cuts_open.remove(&key) {
                    self.seq.cuts[i].to = Some(e.at);
                }
            }
        }
    }

    fn note_event(&mut self, seq: EventSeq, flight: usize) {
        if let Some(slot) = self.by_event.get_mut(seq.0 as usize) {
            *slot = Some(flight as u32);
        }
    }

    pub(super) fn moment(&mut self, e: &TraceEvent, what: What) {
        self.seq.moments.push(Moment { at: e.at, seq: e.seq, node: e.node, what });
    }

    fn sent(&mut self, e: &TraceEvent, msg: MsgId, to: NodeId, what: Message, fate: Fate) {
        let i = self.flights.len();
        self.by_msg.insert(msg, i);
        self.note_event(e.seq, i);
        let answers = if what.kind.reply { self.flight_of(e) } else { None };
        let late = answers.is_some_and(|a| self.flights[a].effect == Effect::Late);
        let effect = if late { Effect::LateAnswer } else { Effect::None };
        self.flights.push(Flight { effect, ..Flight::alone(e, msg, to, what, fate) });
        if let Some(acq) = what.payload.acq()
            && self.seq.lanes.is_worker(e.node)
            && !what.kind.reply
        {
            self.worker_of.entry(acq).or_insert(e.node);
        }
        if let Payload::Acquire { acq, ttl: Some(ttl), .. } = what.payload {
            self.ttl_of.insert(acq, ttl);
        }
        // A node of a group says what it did in its answer, whether or not it also left a fact.
        if self.seq.lanes.in_group(e.node) {
            match what.payload {
                Payload::Granted { lock, acq, .. } => self.store(e, lock, acq, to, None),
                Payload::Released { lock, acq } => self.unstore(e, lock, acq, BarEnd::Released),
                _ => {}
            }
        }
    }

    /// The message whose handling led to this event.
    fn flight_of(&self, e: &TraceEvent) -> Option<usize> {
        let mut cause = e.cause;
        // A fact may follow the arrival by way of timers (a handler that stalls); the chain is short and always goes back.
        for _ in 0..16 {
            let c = cause?;
            let event = self.log.get(c)?;
            if matches!(event.kind, EventKind::Arrived { .. }) {
                return self.by_event[c.0 as usize].map(|i| i as usize);
            }
            cause = event.cause;
        }
        None
    }

    fn fact(&mut self, e: &TraceEvent, fact: Fact) {
        match fact {
            Fact::Granted(g) => self.store(e, g.lock, g.acq, g.worker, g.ttl),
            Fact::Released { lock, acq, by } => {
                let own = by == Some(acq);
                let end = if own {
                    BarEnd::Released
                } else {
                    BarEnd::Taken(by.and_then(|b| self.worker_of.get(&b).copied()))
                };
                self.unstore(e, lock, acq, end);
            }
            Fact::Expired { lock, acq } => self.unstore(e, lock, acq, BarEnd::Expired),
            Fact::Forgotten { lock, acq } => {
                self.forgot.insert(e.node);
                self.unstore(e, lock, acq, BarEnd::Forgotten);
            }
            Fact::Extended { acq, by, worker, .. } if acq != by => {
                let holder = self.worker_of.get(&acq).copied();
                self.moment(e, What::ExtendsForeign { worker, holder });
            }
            Fact::CounterLost { from, to, .. } => self.moment(e, What::CounterLost { from, to }),
            Fact::Believed { lock, acq, .. } => {
                self.worker_of.entry(acq).or_insert(e.node);
                let lane = self.seq.lanes.lane(e.node);
                self.beliefs.insert((e.node, lock, acq), self.seq.bars.len());
                self.seq.bars.push(Bar {
                    kind: BarKind::Belief,
                    lane,
                    node: e.node,
                    lock,
                    acq,
                    worker: e.node,
                    from: e.at,
                    to: None,
                    end: BarEnd::Open,
                    seq: e.seq,
                    ttl: None,
                    stale: None,
                });
            }
            Fact::BeliefEnded { lock, acq, why } => self.end_belief((e.node, lock, acq), e.at, why),
            Fact::Checked { acq, valid: true } => self.moment(e, What::ChecksInTime { acq }),
            Fact::TimedOut { topic } => {
                let last = self.flights.iter().rposition(|f| f.from == e.node && f.what.kind.topic == topic);
                if let Some(i) = last {
                    self.of_flight.push((self.seq.moments.len(), i));
                }
                self.moment(e, What::TimedOut { topic });
            }
            Fact::Ignored { topic } => {
                if let Some(i) = self.flight_of(e) {
                    self.flights[i].ignored = true;
                    self.of_flight.push((self.seq.moments.len(), i));
                }
                self.moment(e, What::Ignored { topic });
            }
            Fact::Stopped { why } => self.moment(e, What::Stops { why }),
            Fact::ReadServed { version, .. } => {
                if !std::mem::replace(&mut self.shards.entry(e.node).or_default().read, true) {
                    self.moment(e, What::FirstRead { version });
                }
            }
            Fact::Applied(effect) => self.applied(e, effect),
            Fact::Rejected { worker, acq, why, .. } => self.rejected(e, worker, acq, why, false),
            Fact::ActivationRejected { worker, acq, why } => self.rejected(e, worker, acq, why, true),
            Fact::Replayed { worker, .. } => self.moment(e, What::Replayed { worker }),
            Fact::Activated { worker, token, .. } => {
                self.moment(e, What::Activated { worker, mark: token.map(|t| t.get()) });
            }
            Fact::MarkMoved { from, to } => {
                if to < from {
                    self.moment(e, What::MarkFell);
                } else if let (Some(i), Some(to)) = (self.flight_of(e), to) {
                    self.marks.insert(i, to.get());
                }
            }
            Fact::Called { worker, op, .. } => {
                let again = !self.applied.insert(op);
                if again && let Some(i) = self.flight_of(e) {
                    self.flights[i].effect = Effect::Late;
                }
                self.moment(e, What::Called { worker, again });
            }
            _ => {}
        }
    }

    /// How many nodes must hold a record for it to be a lease.
    fn needed(&self, node: NodeId) -> usize {
        let lane = self.seq.lanes.lane(node);
        if self.seq.lanes.in_group(node) { self.seq.lanes.lanes[lane].nodes.len() / 2 + 1 } else { 1 }
    }

    fn store(&mut self, e: &TraceEvent, lock: LockId, acq: AcqId, worker: NodeId, ttl: Option<Span>) {
        let lane = self.seq.lanes.lane(e.node);
        let grouped = self.seq.lanes.in_group(e.node);
        let needed = self.needed(e.node);
        let ttl = ttl.or_else(|| self.ttl_of.get(&acq).copied().filter(|_| grouped));
        let holding = self.holdings.entry((lock, acq)).or_insert_with(|| Holding {
            worker,
            nodes: BTreeMap::new(),
            order: None,
            lease: None,
            ended: None,
        });
        self.worker_of.entry(acq).or_insert(worker);
        if let Some(i) = holding.nodes.get(&e.node) {
            self.seq.bars[*i].ttl = self.seq.bars[*i].ttl.or(ttl);
            return;
        }
        let bar = Bar {
            kind: if grouped { BarKind::Vote } else { BarKind::Lease },
            lane,
            node: e.node,
            lock,
            acq,
            worker,
            from: e.at,
            to: None,
            end: BarEnd::Open,
            seq: e.seq,
            ttl,
            stale: None,
        };
        holding.nodes.insert(e.node, self.seq.bars.len());
        self.seq.bars.push(bar);
        if holding.nodes.len() == needed && holding.order.is_none() {
            if grouped {
                holding.lease = Some(self.seq.bars.len());
                self.seq.bars.push(Bar { kind: BarKind::Lease, ..bar });
            }
            holding.order = Some(self.grants);
            let after = self.latest.get(&lock).map(|l| l.1).filter(|w| *w != worker);
            self.latest.insert(lock, (self.grants, worker, acq));
            self.grants += 1;
            self.moment(e, What::Granted { lock, acq, worker, after });
        }
    }

    fn unstore(&mut self, e: &TraceEvent, lock: LockId, acq: AcqId, end: BarEnd) {
        let needed = self.needed(e.node);
        let Some(holding) = self.holdings.get_mut(&(lock, acq)) else { return };
        let Some(i) = holding.nodes.remove(&e.node) else { return };
        self.seq.bars[i].to = Some(e.at);
        self.seq.bars[i].end = end;
        if holding.order.is_some() && holding.nodes.len() < needed && holding.ended.is_none() {
            // Of a group only the majority is gone; that it was by somebody's wish counts only if that was the holder's.
            let end = match (holding.lease, end) {
                (Some(_), BarEnd::Released) | (None, _) => end,
                (Some(_), BarEnd::Expired) if holding.nodes.is_empty() => end,
                (Some(_), _) => BarEnd::MajorityLost,
            };
            if let Some(l) = holding.lease {
                self.seq.bars[l].to = Some(e.at);
                self.seq.bars[l].end = end;
            }
            holding.ended = Some((e.at, end));
            let worker = holding.worker;
            self.moment(e, What::LeaseEnds { lock, acq, worker, end });
        }
    }

    fn end_belief(&mut self, key: (NodeId, LockId, AcqId), at: TrueTime, why: Loss) {
        if let Some(i) = self.beliefs.remove(&key) {
            self.seq.bars[i].to = Some(at);
            self.seq.bars[i].end = BarEnd::Belief(why);
        }
    }

    /// The grant of an acquisition: its place among all grants, and its lock.
    fn grant_of(&self, acq: AcqId) -> Option<(u32, LockId)> {
        let mut of_acq = self.holdings.iter().filter(|(k, _)| k.1 == acq);
        of_acq.find_map(|(k, h)| h.order.map(|o| (o, k.0)))
    }

    fn applied(&mut self, e: &TraceEvent, x: crate::base::fact::Effect) {
        let grant = x.acq.and_then(|a| self.grant_of(a));
        let owner = grant.and_then(|g| self.latest.get(&g.1)).copied();
        let again = !self.applied.insert(x.op);
        let shard = self.shards.entry(e.node).or_default();
        let lost = x.base.is_some_and(|b| b != x.before);
        let wrong = match (shard.writer, grant, shard.latest, owner) {
            (Some(w), ..) if again && w == x.worker => Some(Wrong::Again),
            (Some(w), ..) if lost => Some(Wrong::Lost(w)),
            _ if again => Some(Wrong::Again),
            (_, Some((order, _)), Some((latest, w)), _) if order < latest => Some(Wrong::After(w)),
            (_, Some((order, _)), _, Some((latest, w, _))) if order < latest => Some(Wrong::NotOwner(w)),
            _ => None,
        };
        if let Some((order, _)) = grant
            && shard.latest.is_none_or(|l| l.0 <= order)
        {
            shard.latest = Some((order, x.worker));
        }
        shard.writer = Some(x.worker);
        if let Some(i) = self.flight_of(e) {
            if wrong.is_some() {
                self.flights[i].effect = Effect::Late;
            }
            self.of_flight.push((self.seq.moments.len(), i));
        }
        let lane = self.seq.lanes.lane(e.node);
        if let Some(v) = self.seq.values.iter_mut().rev().find(|v| v.lane == lane) {
            v.to = Some(e.at);
        } else {
            self.seq.values.push(Value { lane, from: TrueTime::ZERO, to: Some(e.at), writer: None });
        }
        self.seq.values.push(Value { lane, from: e.at, to: None, writer: Some(x.worker) });
        let written = Written { worker: x.worker, acq: x.acq, base: x.base, version: x.after, mark: None, wrong };
        self.moment(e, What::Writes(written));
    }

    fn rejected(
        &mut self,
        e: &TraceEvent,
        worker: NodeId,
        acq: Option<AcqId>,
        why: crate::base::message::Reject,
        activation: bool,
    ) {
        if let Some(i) = self.flight_of(e) {
            self.flights[i].effect = Effect::TurnedBack;
            self.of_flight.push((self.seq.moments.len(), i));
        }
        // Whoever has the latest grant, and still has it, was right to write.
        let rightful = acq.and_then(|a| self.grant_of(a).map(|g| (a, g))).is_some_and(|(a, (order, lock))| {
            self.latest.get(&lock).is_some_and(|l| l.0 == order)
                && self.holdings.get(&(lock, a)).is_some_and(|h| h.ended.is_none())
        });
        let kept = self.shards.get(&e.node).and_then(|s| s.writer).filter(|w| *w != worker);
        self.moment(e, What::Rejected { worker, why, activation, rightful, kept });
    }

    fn lane_pair(&self, a: NodeId, b: NodeId) -> (usize, usize) {
        let (a, b) = (self.seq.lanes.lane(a), self.seq.lanes.lane(b));
        (a.min(b), a.max(b))
    }

    /// A band is drawn once nothing gets through between two lanes; a group's lane has several links.
    fn cut(&mut self, e: &TraceEvent, peer: NodeId) {
        let (a, b) = self.lane_pair(e.node, peer);
        let links = self.cut.entry((a, b)).or_default();
        links.insert((e.node.min(peer), e.node.max(peer)));
        let all = self.seq.lanes.lanes[a].nodes.len() * self.seq.lanes.lanes[b].nodes.len();
        if a != b && links.len() == all && !self.cuts_open.contains_key(&(a, b)) {
            self.cuts_open.insert((a, b), self.seq.cuts.len());
            self.seq.cuts.push(Cut { a, b, from: e.at, to: None, seq: e.seq });
        }
    }

    /// Keeps the readings that describe a node's clock: the first, the last, and both sides of every change.
    fn clock(&mut self, e: &TraceEvent) {
        let (at, local) = (e.at, e.local.as_us());
        let lane = self.seq.lanes.lane(e.node);
        let g = self.clocks.entry(e.node).or_insert_with(|| Gutter {
            node: e.node,
            lane,
            readings: Vec::new(),
            steps: Vec::new(),
        });
        match e.kind {
            EventKind::ClockStepped { by } => {
                // Whether the log shows the reading before or after the step is told by what the clock showed until then.
                let expected = g.readings.last().map_or(at.as_us(), |r| r.1 + at.since(r.0).as_us());
                let before = if (local - expected).abs() < by.as_us().abs() / 2 { local } else { local - by.as_us() };
                g.readings.push((at, before));
                g.readings.push((at, before + by.as_us()));
                g.steps.push((at, by));
                g.readings.push((at, before + by.as_us()));
            }
            EventKind::ClockRateSet { .. } => g.readings.extend([(at, local), (at, local)]),
            _ => {
                // The last reading of a stretch is overwritten by later ones on the same line.
                match g.readings.len() {
                    0 => g.readings.extend([(at, local), (at, local)]),
                    n => g.readings[n - 1] = (at, local),
                }
            }
        }
    }

    fn finish(mut self, ending: Ending, keep: &BTreeSet<EventSeq>) -> Sequence {
        for (m, i) in &self.of_flight {
            if let (What::Writes(w), Some(mark)) = (&mut self.seq.moments[*m].what, self.marks.get(i)) {
                w.mark = Some(*mark);
            }
        }
        for b in self.seq.bars.iter_mut().filter(|b| b.kind == BarKind::Belief) {
            let ended = self.holdings.get(&(b.lock, b.acq)).and_then(|h| h.ended);
            b.stale = ended.map(|(at, end)| (at.max(b.from), end)).filter(|(at, _)| b.to.is_none_or(|to| *at < to));
        }
        self.seq.clocks =
            self.clocks.values().filter(|g| g.readings.iter().any(|r| r.0.as_us() != r.1)).cloned().collect();
        self.seq.zones = zones(&self.seq);
        for i in 0..self.seq.lanes.len() {
            if self.seq.lanes.kind(i) == super::lanes::LaneKind::Shard && !self.seq.values.iter().any(|v| v.lane == i) {
                self.seq.values.push(Value { lane: i, from: TrueTime::ZERO, to: None, writer: None });
            }
        }
        let folds = fold::fold(&mut self.flights, &self.seq.lanes, keep);
        // What is said about a message that is not drawn is not drawn either.
        let silent: BTreeSet<usize> = self
            .of_flight
            .iter()
            .filter(|(m, i)| {
                self.flights[*i].hidden
                    && matches!(self.seq.moments[*m].what, What::TimedOut { .. } | What::Ignored { .. })
            })
            .map(|(m, _)| *m)
            .collect();
        let mut index = 0;
        self.seq.moments.retain(|_| {
            index += 1;
            !silent.contains(&(index - 1))
        });
        fold::first_tries(&mut self.seq, &self.flights);
        let (arrows, ballots) = group::arrows(&self.flights, &self.seq);
        self.seq.arrows = arrows;
        self.seq.ballots = ballots;
        self.seq.folds = folds;
        self.seq.hidden = self.hidden_events();
        let mut end = self.seq.arrows.iter().map(|a| a.arrived.unwrap_or(a.sent)).max().unwrap_or_default();
        end = end.max(self.seq.moments.iter().map(|m| m.at).max().unwrap_or_default());
        end = end.max(self.seq.folds.iter().map(|f| f.to).max().unwrap_or_default());
        if ending.why != EndWhy::Quiet {
            end = end.max(ending.at);
        }
        self.seq.end = end;
        for z in &mut self.seq.zones {
            z.to = z.to.min(end);
        }
        self.seq
    }

    /// Which events are left out of the list because their retry is folded.
    fn hidden_events(&self) -> Vec<bool> {
        let mut hidden: Vec<bool> =
            self.by_event.iter().map(|i| i.is_some_and(|i| self.flights[i as usize].hidden)).collect();
        for e in self.log.events() {
            let folded = e.cause.is_some_and(|c| hidden[c.0 as usize]);
            if folded && matches!(e.kind, EventKind::Did(f) if is_routine(&f)) {
                hidden[e.seq.0 as usize] = true;
            }
        }
        hidden
    }
}

/// Facts of a try that say no more than its messages.
fn is_routine(fact: &Fact) -> bool {
    matches!(
        fact,
        Fact::Refused { .. }
            | Fact::TryFailed { .. }
            | Fact::TimedOut { .. }
            | Fact::Ignored { .. }
            | Fact::Extended { .. }
            | Fact::NotExtended { .. }
            | Fact::Reckoned { .. }
            | Fact::NotHeld { .. }
    )
}

/// Stretches in which two or more workers believe that they hold one lock.
fn zones(seq: &Sequence) -> Vec<Zone> {
    let mut changes: BTreeMap<LockId, Vec<(TrueTime, bool, usize)>> = BTreeMap::new();
    for b in seq.bars.iter().filter(|b| b.kind == BarKind::Belief && b.to != Some(b.from)) {
        let list = changes.entry(b.lock).or_default();
        list.push((b.from, true, b.lane));
        list.push((b.to.unwrap_or(TrueTime::NEVER), false, b.lane));
    }
    let mut out: Vec<Zone> = Vec::new();
    for list in changes.values_mut() {
        list.sort();
        let (mut inside, mut open): (Vec<usize>, Option<Zone>) = (Vec::new(), None);
        for (at, begins, lane) in list.iter().copied() {
            if begins {
                inside.push(lane);
            } else if let Some(i) = inside.iter().position(|l| *l == lane) {
                inside.remove(i);
            }
            let n = inside.iter().collect::<BTreeSet<_>>().len();
            match (&mut open, n) {
                (None, 2..) => open = Some(Zone { from: at, to: at, believers: n, first: inside[0] }),
                (Some(z), 2..) => z.believers = z.believers.max(n),
                (Some(z), _) => {
                    z.to = at;
                    out.extend(open.take().filter(|z| z.from < z.to));
                }
                (None, _) => {}
            }
        }
    }
    out.sort_by_key(|z| z.from);
    out
}
