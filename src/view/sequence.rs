//! What is drawn of one run, in true time and without a single pixel: lanes, arrows, bars, marks.
//!
//! [`read`](super::read::read) makes it from a log; the axis, the notes, the beats and the painter read it. It depends on the log alone, not
//! on how much room there is.

pub use super::moments::{Asked, Moment, What, Written, Wrong};

use super::lanes::Lanes;
use crate::base::fact::{Loss, Share};
use crate::base::message::Topic;
use crate::base::{AcqId, Kind, LockId, NodeId, Span, Thread, TrueTime};
use crate::trace::{EventSeq, LostWhy};

/// One run, ready to be placed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sequence {
    pub lanes: Lanes,
    pub arrows: Vec<Arrow>,
    pub bars: Vec<Bar>,
    pub pauses: Vec<Pause>,
    pub downs: Vec<Down>,
    pub values: Vec<Value>,
    pub zones: Vec<Zone>,
    pub cuts: Vec<Cut>,
    pub clocks: Vec<Gutter>,
    pub ballots: Vec<Ballot>,
    pub stalls: Vec<Stall>,
    pub folds: Vec<Fold>,
    /// Everything else worth a word, in order.
    pub moments: Vec<Moment>,
    /// Where the drawing ends.
    pub end: TrueTime,
    /// By event: it belongs to a folded retry.
    pub hidden: Vec<bool>,
    /// Of a picture in order, by arrow: where it begins and where it arrives. px
    pub levels: Vec<(f64, f64)>,
}

/// A message, or a whole fan-out to a group and its answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrow {
    /// Its sending (of a fan-out: the first).
    pub seq: EventSeq,
    /// Its arrival.
    pub arrival: Option<EventSeq>,
    /// Lanes.
    pub from: usize,
    pub to: usize,
    pub sent: TrueTime,
    /// For a lost message: `None`, it would have taken the typical latency.
    pub arrived: Option<TrueTime>,
    /// The worker it is about.
    pub worker: Option<NodeId>,
    pub kind: Kind,
    /// Its forms, see [`crate::view::text::forms`].
    pub label: String,
    pub token: Option<u64>,
    /// A write or another effect: drawn thick, in the worker's hue.
    pub heavy: bool,
    pub one_way: bool,
    pub fate: ArrowFate,
    /// 0 is always worth its label, 4 is the first to lose it.
    pub rank: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArrowFate {
    Plain,
    /// Its time was set by a fault.
    Delayed,
    /// It was sent twice; this is the second copy.
    Copy,
    Lost(LostWhy),
    /// A mutation that was accepted although it should not have been.
    Late,
    /// A mutation or activation that was turned back.
    TurnedBack,
    /// The answer that says so.
    AnswerNo,
    /// An answer that came after its call had ended.
    Ignored,
    /// Still under way when the run ended.
    UnderWay,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BarKind {
    /// Truth, at a service; of a group: while a majority holds it.
    Lease,
    /// Opinion, at a worker.
    Belief,
    /// One node's key in a group.
    Vote,
}

/// How a bar ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BarEnd {
    Open,
    /// By its holder's own request.
    Released,
    /// By a request issued for somebody else's grant, or by an administrator (`None`).
    Taken(Option<NodeId>),
    Expired,
    Forgotten,
    /// It went with its owner's connection.
    Closed,
    /// A majority no longer holds it.
    MajorityLost,
    Belief(Loss),
    /// Replaced by somebody who took it for dead.
    TakenOver(Option<NodeId>),
}

impl BarEnd {
    /// Something ended it that its holder did not ask for.
    pub fn is_sudden(self) -> bool {
        matches!(
            self,
            BarEnd::Taken(_)
                | BarEnd::TakenOver(_)
                | BarEnd::Expired
                | BarEnd::Forgotten
                | BarEnd::Closed
                | BarEnd::MajorityLost
        )
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    pub kind: BarKind,
    pub lane: usize,
    /// The node it stands on.
    pub node: NodeId,
    pub lock: LockId,
    pub acq: AcqId,
    pub worker: NodeId,
    pub from: TrueTime,
    /// `None`: to the end of the picture.
    pub to: Option<TrueTime>,
    pub end: BarEnd,
    /// The event that began it.
    pub seq: EventSeq,
    /// Length as asked for (leases).
    pub ttl: Option<Span>,
    /// From here on a belief has no lease behind it, and how the lease ended.
    pub stale: Option<(TrueTime, BarEnd)>,
    /// Beside whom it may be in force.
    pub share: Share,
    /// Where it stands among those of its lock that are in force at once, from the left.
    pub place: u8,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pause {
    pub node: NodeId,
    pub lane: usize,
    pub thread: Option<Thread>,
    pub from: TrueTime,
    pub to: Option<TrueTime>,
    pub seq: EventSeq,
}

/// A node out of service.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Down {
    pub node: NodeId,
    pub lane: usize,
    pub from: TrueTime,
    pub to: Option<TrueTime>,
    pub seq: EventSeq,
}

/// Whose value a shard carries.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    pub lane: usize,
    pub from: TrueTime,
    pub to: Option<TrueTime>,
    pub writer: Option<NodeId>,
}

/// Two or more workers believe at once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Zone {
    pub from: TrueTime,
    pub to: TrueTime,
    /// How many believe, at most.
    pub believers: usize,
    /// The lane of the first of them.
    pub first: usize,
}

/// A cut link.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cut {
    /// Lanes, left and right.
    pub a: usize,
    pub b: usize,
    pub from: TrueTime,
    pub to: Option<TrueTime>,
    pub seq: EventSeq,
}

/// A node's own clock where it is off: readings (true, local), in µs; two with one true time are a step.
#[derive(Clone, PartialEq, Debug)]
pub struct Gutter {
    pub node: NodeId,
    pub lane: usize,
    pub readings: Vec<(TrueTime, i64)>,
    pub steps: Vec<(TrueTime, Span)>,
}

/// A request that waits in a shard's handler: from its arrival to what became of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stall {
    pub lane: usize,
    pub worker: NodeId,
    pub from: TrueTime,
    pub to: TrueTime,
    pub seq: EventSeq,
}

/// What one node of a group did with one call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Yes,
    No,
    Silent,
}

/// One call to a group: a row of discs.
#[derive(Clone, PartialEq, Debug)]
pub struct Ballot {
    pub lane: usize,
    pub worker: NodeId,
    /// The call changes no lease: its discs are grey.
    pub quiet: bool,
    /// By member of the group: what it did and when the call reached it (for a silent one, when it would have).
    pub votes: Vec<(Answer, TrueTime)>,
    /// Members whose vote breaks an earlier promise.
    pub again: Vec<usize>,
}

/// Retries that are not drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Fold {
    pub worker: NodeId,
    pub lane: usize,
    /// How many.
    pub n: usize,
    /// What they were.
    pub topic: Topic,
    /// From the last drawn arrival of the worker to its next drawn message (or the end).
    pub from: TrueTime,
    pub to: TrueTime,
    /// The first hidden sending, and all hidden events' range.
    pub seq: EventSeq,
    pub at: TrueTime,
    /// What became of them, for the list: "refused each time".
    pub outcome: &'static str,
}

impl Sequence {
    /// All instants that get a row. `q`: the typical latency, which lost messages would have taken.
    pub fn instants(&self, q: Span, out: &mut Vec<TrueTime>) {
        let mut stretch = |from: TrueTime, to: Option<TrueTime>| {
            out.push(from);
            if let Some(to) = to {
                out.push(to);
            }
        };
        for a in &self.arrows {
            stretch(a.sent, Some(a.lands(q)));
        }
        for b in &self.bars {
            stretch(b.from, b.to);
            if let Some((at, _)) = b.stale {
                stretch(at, None);
            }
        }
        for p in &self.pauses {
            stretch(p.from, p.to);
        }
        for d in &self.downs {
            stretch(d.from, d.to);
        }
        for c in &self.cuts {
            stretch(c.from, c.to);
        }
        for b in &self.ballots {
            for (_, at) in &b.votes {
                stretch(*at, None);
            }
        }
        for c in &self.clocks {
            for (at, _) in &c.steps {
                stretch(*at, None);
            }
        }
        for m in &self.moments {
            if m.what.has_row() {
                stretch(m.at, None);
            }
        }
        stretch(self.end, None);
    }

    /// How long the messages that arrived were under way.
    pub fn latencies(&self, out: &mut Vec<Span>) {
        for a in &self.arrows {
            if let Some(t) = a.arrived {
                out.push(t.since(a.sent));
            }
        }
    }
}

impl Arrow {
    /// When it arrives, or would have.
    pub fn lands(&self, q: Span) -> TrueTime {
        self.arrived.unwrap_or(self.sent + q)
    }

    pub fn is_lost(&self) -> bool {
        matches!(self.fate, ArrowFate::Lost(_))
    }
}
