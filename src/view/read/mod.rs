//! Reads a log into a [`Sequence`]: one pass over the events, then the retries are folded and the fan-outs merged.
//!
//! The pass keeps what an observer would keep on a sheet of paper: which messages are under way, who holds which record on which node,
//! who believes what, who wrote what last. It never asks a node anything; facts and messages are enough. Where a service of several
//! nodes does not say when its majority came together, it is counted here.

mod fold;
mod group;
mod index;
mod outcome;
mod ownership;
mod settle;

use super::lanes::Lanes;
use super::sequence::*;
use crate::base::fact::{Loss, Share, VoteEnd};
use crate::base::flat::FlatSet;
use crate::base::message::Topic;
use crate::base::row::Put;
use crate::base::{AcqId, Fact, LockId, Message, MsgId, NodeId, Payload, Thread, TrueTime};
use crate::trace::{Ending, EventKind, EventSeq, Fate, LostWhy, Roster, TraceEvent, TraceLog};
use index::{About, Index};

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
    /// It waited in a handler and then came to what it should not have.
    pub stalled: bool,
    /// The shard's mark went there with it.
    pub mark: Option<u64>,
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
            stalled: false,
            mark: None,
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
    /// Turned back although it had the right; and the answer that says so.
    Wronged,
    WrongedAnswer,
}

/// Who has a record of one acquisition, and since when that is a lease.
#[derive(Clone, Copy, Debug)]
struct Holding {
    lock: LockId,
    worker: NodeId,
    /// How many nodes have its record.
    nodes: usize,
    /// A quorum's: its nodes have a vote each.
    votes: bool,
    /// Place among the grants of all locks, once a majority holds it.
    order: Option<u32>,
    /// The bar of the majority, on a group's lane.
    lease: Option<usize>,
    ended: Option<(TrueTime, BarEnd)>,
    share: Share,
}

/// What a shard has seen.
#[derive(Clone, Copy, Debug, Default)]
struct Shard {
    /// Order of the latest grant that wrote, and its worker.
    latest: Option<(u32, NodeId)>,
    writer: Option<NodeId>,
    read: bool,
}

/// The sheet of paper.
pub(super) struct Reader<'a> {
    log: &'a TraceLog,
    pub seq: &'a mut Sequence,
    pub flights: Vec<Flight>,
    /// By event: the flight it sends or lands.
    by_event: Vec<Option<u32>>,
    known: Index,
    holdings: Vec<Holding>,
    grants: u32,
    /// By node.
    shards: Vec<Shard>,
    /// By moment that stands for a flight.
    of_flight: Vec<(usize, usize)>,
    /// Links that are cut, by their lanes and nodes.
    cut: Vec<(usize, usize, NodeId, NodeId)>,
}

/// What is drawn of a run. Events in `keep` are never folded away: where designs first differ, and what a verdict points at.
pub fn read(roster: &Roster, log: &TraceLog, ending: Ending, keep: &FlatSet<EventSeq>) -> Sequence {
    let lanes = Lanes::of(roster);
    let clock = |node| Gutter { node, lane: lanes.lane(node), readings: Vec::new(), steps: Vec::new() };
    let clocks = roster.ids().map(clock).collect();
    let mut seq = Sequence { lanes, clocks, ..Sequence::default() };
    let mut r = Reader {
        log,
        seq: &mut seq,
        flights: Vec::new(),
        by_event: vec![None; log.len()],
        known: Index::default(),
        holdings: Vec::new(),
        grants: 0,
        shards: vec![Shard::default(); roster.nodes.len()],
        of_flight: Vec::new(),
        cut: Vec::new(),
    };
    for e in log.events() {
        r.event(e);
    }
    r.finish(ending, keep);
    seq
}

/// A thread, or the whole node, as a number.
fn place(thread: Option<Thread>) -> u64 {
    thread.map_or(0, |t| 1 + t as u64)
}

impl Reader<'_> {
    fn event(&mut self, e: &TraceEvent) {
        self.clock(e);
        let lane = self.seq.lanes.lane(e.node);
        match e.kind {
            EventKind::Sent { msg, to, ref what, fate } => self.sent(e, msg, to, what, fate),
            EventKind::Arrived { msg, .. } => {
                if let Some(i) = self.known.get(About::Message, msg.0.into(), 0) {
                    self.flights[i].arrival = Some((e.seq, e.at));
                    self.note_event(e.seq, i);
                }
            }
            EventKind::Lost { msg, why, .. } => {
                if let Some(i) = self.known.get(About::Message, msg.0.into(), 0) {
                    self.flights[i].lost = Some(why);
                    self.note_event(e.seq, i);
                    if why == LostWhy::Down {
                        self.flights[i].arrival = Some((e.seq, e.at));
                    }
                }
            }
            EventKind::Did(ref fact) => self.fact(e, fact),
            EventKind::Paused { thread } => {
                self.known.insert(About::Pause, e.node.0.into(), place(thread), self.seq.pauses.len() as u64);
                self.seq.pauses.push(Pause { node: e.node, lane, thread, from: e.at, to: None, seq: e.seq });
                self.moment(e, What::Pauses { thread, until: None });
            }
            EventKind::Resumed { thread, .. } => {
                if let Some(i) = self.known.remove(About::Pause, e.node.0.into(), place(thread)) {
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
                    self.known.insert(About::Down, e.node.0.into(), 0, self.seq.downs.len() as u64);
                    self.seq.downs.push(Down { node: e.node, lane, from: e.at, to: None, seq: e.seq });
                    for i in 0..self.seq.bars.len() {
                        if self.seq.bars[i].node == e.node {
                            self.end_belief(i, e.at, Loss::Crashed);
                        }
                    }
                }
            }
            EventKind::Disconnected => self.moment(e, What::Disconnects),
            EventKind::Promoted => self.moment(e, What::Leads),
            EventKind::Restarted => {
                if let Some(i) = self.known.remove(About::Down, e.node.0.into(), 0) {
                    self.seq.downs[i].to = Some(e.at);
                }
                let empty = self.known.remove(About::Forgot, e.node.0.into(), 0).is_some();
                self.moment(e, What::Restarts { empty });
            }
            EventKind::ClockStepped { by } => self.moment(e, What::ClockStep(by)),
            EventKind::ClockRateSet { ppm } => self.moment(e, What::ClockRate(ppm)),
            EventKind::CutFrom { peer } => self.cut(e, peer),
            EventKind::Healed { peer } => {
                let key = self.lane_pair(e.node, peer);
                self.cut.retain(|c| (c.0, c.1) != key);
                if let Some(i) = self.known.remove(About::Cut, key.0 as u64, key.1 as u64) {
                    self.seq.cuts[i].to = Some(e.at);
                }
            }
        }
    }

    /// The worker of an acquisition, if it was heard of.
    fn worker(&self, acq: AcqId) -> Option<NodeId> {
        self.known.get(About::Worker, acq.0.into(), 0).map(|n| NodeId(n as u16))
    }

    fn note_event(&mut self, seq: EventSeq, flight: usize) {
        if let Some(slot) = self.by_event.get_mut(seq.0 as usize) {
            *slot = Some(flight as u32);
        }
    }

    pub(super) fn moment(&mut self, e: &TraceEvent, what: What) {
        self.seq.moments.push(Moment { at: e.at, seq: e.seq, node: e.node, what });
    }

    fn sent(&mut self, e: &TraceEvent, msg: MsgId, to: NodeId, what: &Message, fate: Fate) {
        let i = self.flights.len();
        self.known.insert(About::Message, msg.0.into(), 0, i as u64);
        self.note_event(e.seq, i);
        let answers = if what.kind.reply { self.flight_of(e) } else { None };
        let late = answers.is_some_and(|a| self.flights[a].effect == Effect::Late || self.flights[a].stalled);
        let wronged = answers.is_some_and(|a| self.flights[a].effect == Effect::Wronged);
        let effect = if late {
            Effect::LateAnswer
        } else if wronged {
            Effect::WrongedAnswer
        } else {
            Effect::None
        };
        let mut flight = Flight::alone(e, msg, to, *what, fate);
        flight.effect = effect;
        self.flights.push(flight);
        if let Some(acq) = what.payload.acq()
            && self.seq.lanes.is_worker(e.node)
            && !what.kind.reply
        {
            self.known.or_insert(About::Worker, acq.0.into(), 0, e.node.0.into());
        }
        if let Payload::Acquire { acq, ttl: Some(ttl), .. } | Payload::Put(Put { acq, ttl: Some(ttl), .. }) =
            what.payload
        {
            self.known.insert(About::Ttl, acq.0.into(), 0, ttl.as_us() as u64);
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

    fn fact(&mut self, e: &TraceEvent, fact: &Fact) {
        match *fact {
            Fact::Granted(ref g) => self.store(e, g, false),
            Fact::Voted(ref g) => self.store(e, g, true),
            Fact::VoteEnded { lock, acq, why } => {
                let end = match why {
                    VoteEnd::Released { by } if by == Some(acq) => BarEnd::Released,
                    VoteEnd::Released { by } => BarEnd::Taken(by.and_then(|b| self.worker(b))),
                    VoteEnd::Expired => BarEnd::Expired,
                    VoteEnd::Forgotten => {
                        self.known.insert(About::Forgot, e.node.0.into(), 0, 0);
                        BarEnd::Forgotten
                    }
                };
                self.unstore(e, lock, acq, end);
            }
            Fact::Released { lock, acq, by } => {
                let own = by == Some(acq);
                let end = if own { BarEnd::Released } else { BarEnd::Taken(by.and_then(|b| self.worker(b))) };
                self.unstore(e, lock, acq, end);
            }
            Fact::Closed { lock, acq } => self.unstore(e, lock, acq, BarEnd::Closed),
            Fact::Expired { lock, acq } => self.unstore(e, lock, acq, BarEnd::Expired),
            Fact::Forgotten { lock, acq } => {
                self.known.insert(About::Forgot, e.node.0.into(), 0, 0);
                self.unstore(e, lock, acq, BarEnd::Forgotten);
            }
            Fact::TakenOver { lock, acq, by } => {
                let by = self.worker(by);
                self.unstore(e, lock, acq, BarEnd::TakenOver(by));
            }
            Fact::Extended { acq, by, worker, .. } if acq != by => {
                let holder = self.worker(acq);
                self.moment(e, What::ExtendsForeign { worker, holder });
            }
            Fact::NotHeld { lock, worker, .. } => self.left_alone(e, lock, worker, false),
            Fact::NotExtended { lock, worker, .. } => self.left_alone(e, lock, worker, true),
            Fact::CounterLost { from, to, .. } => self.moment(e, What::CounterLost { from, to }),
            Fact::Believed { lock, acq, .. } => {
                self.known.or_insert(About::Worker, acq.0.into(), 0, e.node.0.into());
                let lane = self.seq.lanes.lane(e.node);
                self.known.insert(About::Belief, e.node.0.into(), acq.0.into(), self.seq.bars.len() as u64);
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
                    share: self.holding(acq).map_or(Share::Alone, |h| h.share),
                    place: 0,
                });
            }
            Fact::BeliefEnded { acq, why, .. } => {
                if let Some(i) = self.known.get(About::Belief, e.node.0.into(), acq.0.into()) {
                    self.end_belief(i, e.at, why);
                }
            }
            Fact::Checked { acq, valid: true } => self.moment(e, What::ChecksInTime { acq }),
            Fact::Unqueued { acq, why: VoteEnd::Expired | VoteEnd::Forgotten, .. } => {
                // The service does it; whose it is matters.
                if let Some(worker) = self.worker(acq) {
                    self.seq.moments.push(Moment { at: e.at, seq: e.seq, node: worker, what: What::Unqueued });
                }
            }
            // A heartbeat without an answer is no news but for the first, which suspends.
            Fact::TimedOut { topic: Topic::Ping } => {}
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
            Fact::Issued { worker, number, .. } => {
                let before = self.known.get(About::Issued, e.node.0.into(), 0).unwrap_or(0) as u64;
                self.known.insert(About::Issued, e.node.0.into(), 0, before.max(number));
                let again = number <= before;
                if again && let Some(i) = self.flight_of(e) {
                    self.flights[i].effect = Effect::Late;
                }
                self.moment(e, What::Issued { worker, number, again });
            }
            Fact::IssueRejected { worker, acq, why, .. } => self.rejected(e, worker, acq, why, false),
            Fact::RolledBack { worker, .. } => self.moment(e, What::RolledBack { worker }),
            Fact::Suspended => self.moment(e, What::Touch { lost: true }),
            Fact::Reconnected => self.moment(e, What::Touch { lost: false }),
            Fact::CheckPassed { worker, .. } => self.moment(e, What::CheckPassed { worker }),
            Fact::ReadServed { version, .. } => self.first_read(e, version),
            Fact::Applied(effect) => self.applied(e, effect),
            Fact::Rejected { worker, acq, why, .. } => self.rejected(e, worker, acq, why, false),
            Fact::ReadRejected { worker, acq, why } => self.rejected(e, worker, acq, why, false),
            Fact::ActivationRejected { worker, acq, why } => self.rejected(e, worker, acq, why, true),
            Fact::Replayed { worker, .. } => self.moment(e, What::Replayed { worker }),
            Fact::Activated { worker, token, .. } => {
                self.moment(e, What::Activated { worker, mark: token.map(|t| t.get()) });
            }
            Fact::MarkMoved { from, to } => {
                if to < from {
                    self.moment(e, What::MarkFell { to: to.map(|t| t.get()) });
                } else if let (Some(i), Some(to)) = (self.flight_of(e), to) {
                    self.flights[i].mark = Some(to.get());
                }
            }
            Fact::Called { worker, op, .. } => {
                let again = !self.known.insert(About::Done, e.node.0.into(), op.0, 0);
                if again && let Some(i) = self.flight_of(e) {
                    self.flights[i].effect = Effect::Late;
                }
                self.moment(e, What::Called { worker, again });
            }
            _ => {}
        }
    }
}
