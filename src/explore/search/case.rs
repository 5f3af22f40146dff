//! A case: the faults that a search has added to a story, as the engine takes them and as the scenario language writes them.

use super::bounds::{Counts, Kind};
use crate::base::{NodeId, Span, TrueTime};
use crate::protocol::params::Draw;
use crate::scenario::quantity::write_time;
use crate::sim::config::{FaultSpec, FaultVerb, MessageVerb, Moment, Until};
use crate::trace::Roster;

/// The order of decisions: by instant, and what is decided for the same instant by what it is. A decision is only ever followed by later
/// ones, so that a set of faults comes up once and not in every order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Key {
    pub at: TrueTime,
    pub what: u64,
}

impl Key {
    pub const START: Key = Key { at: TrueTime::ZERO, what: 0 };
}

/// One fault that was added.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strike {
    pub kind: Kind,
    pub spec: FaultSpec,
    /// When it began, in the run in which it was decided.
    pub began: TrueTime,
    /// It has not ended yet, and may.
    pub open: bool,
    /// Of a message that is held: what it says, as a digest. The world has no trace of it.
    pub holds: u64,
}

impl Strike {
    /// Does it do anything yet? A copy that has no time to arrive does not exist.
    pub fn acts(&self) -> bool {
        !(self.open && self.kind == Kind::Duplicate)
    }

    /// Ends at this instant.
    pub fn close(&mut self, at: TrueTime) {
        self.open = false;
        self.holds = 0;
        if let FaultVerb::Message(f) = &mut self.spec.verb {
            f.takes = Some(Draw::Fixed(at.since(self.began)));
            if f.what == MessageVerb::Drop {
                f.what = MessageVerb::Delay;
                self.kind = Kind::Delay;
            }
        } else {
            self.spec.until = Until::Moment(Moment::At(Draw::Fixed(at.since(TrueTime::ZERO))));
        }
    }

    /// Its keys and values in the scenario language.
    pub fn written(&self, roster: &Roster) -> Vec<(String, String)> {
        let names = |ids: &[NodeId]| ids.iter().map(|id| roster.name(*id)).collect::<Vec<_>>().join(", ");
        let mut out: Vec<(String, String)> = Vec::new();
        let mut put = |key: &str, value: String| out.push((key.to_string(), value));
        match &self.spec.verb {
            FaultVerb::Pause { targets } | FaultVerb::Crash { targets, .. } => {
                put(self.kind.word(), names(&targets.iter().map(|t| t.node).collect::<Vec<_>>()));
            }
            FaultVerb::Message(f) => {
                let kind = (0..32).find(|i| f.kinds & (1 << i) != 0).unwrap_or(0);
                let topic = crate::base::message::Topic::ALL[kind / 2].word();
                put(self.kind.word(), [topic, if kind % 2 == 1 { "-reply" } else { "" }].concat());
                if let Some(from) = &f.from {
                    put("from", names(from));
                }
                if let Some(to) = &f.to {
                    put("to", names(to));
                }
                if let Some(nth) = &f.nth {
                    put("nth", nth.iter().map(u32::to_string).collect::<Vec<_>>().join(", "));
                }
                if let Some(Draw::Fixed(takes)) = f.takes {
                    put("takes", write_time(takes));
                }
            }
            FaultVerb::StepClock { nodes, by } => {
                put(self.kind.word(), names(nodes));
                put("by", write_time(*by));
            }
            FaultVerb::DriftClock { nodes, rate_ppm } => {
                put(self.kind.word(), names(nodes));
                put("rate", crate::scenario::quantity::shortest(*rate_ppm, 1_000_000));
            }
            FaultVerb::FailOver { .. } => put(self.kind.word(), "lock".to_string()),
            FaultVerb::Evict { nodes, .. } => put(self.kind.word(), names(nodes)),
            FaultVerb::Expire { workers, .. } | FaultVerb::Disconnect { workers } => {
                put(self.kind.word(), names(workers));
            }
            FaultVerb::Cut { from, to, .. } => {
                put(self.kind.word(), names(from));
                put("to", names(to));
            }
            FaultVerb::Cancel { workers } | FaultVerb::ShutDown { workers } => put(self.kind.word(), names(workers)),
            FaultVerb::Partition { groups } => {
                put(self.kind.word(), groups.iter().map(|g| names(g)).collect::<Vec<_>>().join(" | "));
            }
        }
        match self.spec.at {
            Moment::At(Draw::Fixed(Span::ZERO)) => {}
            at => put("at", moment(at, roster)),
        }
        if let Until::Moment(until) = self.spec.until {
            put("until", moment(until, roster));
        }
        out
    }
}

/// A moment as people write it.
fn moment(m: Moment, roster: &Roster) -> String {
    use crate::base::{Edge, PointKind};
    match m {
        Moment::At(Draw::Fixed(at)) => write_time(at),
        Moment::At(_) => unreachable!("a search draws nothing"),
        Moment::Point { worker, point, n, .. } => {
            let edge = if matches!(point, PointKind::Step(Edge::Before, _)) { "before" } else { "after" };
            let nth = if n > 1 { [" ", &n.to_string()].concat() } else { String::new() };
            [edge, " ", roster.name(worker), " ", point.word(), &nth].concat()
        }
    }
}

/// Faults added to a story, in the order in which they were decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    pub strikes: Vec<Strike>,
    /// The latest decision.
    pub last: Key,
}

impl Case {
    /// The story as it is.
    pub const NONE: Case = Case { strikes: Vec::new(), last: Key::START };

    /// How many faults of each kind.
    pub fn counts(&self) -> Counts {
        self.strikes.iter().fold(Counts::default(), |n, s| n.with(s.kind))
    }

    /// A message is held whose time of arrival is still to be decided, and which may not stay away: then this is no schedule yet.
    pub fn is_whole(&self, most: Counts) -> bool {
        self.strikes.iter().all(Strike::acts) && self.counts().within(most)
    }

    /// How odd it is: of two cases with equally many faults the lesser one is shown.
    pub fn oddness(&self) -> u32 {
        self.strikes.iter().map(|s| s.kind as u32 * 2 + u32::from(s.open)).sum()
    }
}
