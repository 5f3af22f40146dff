//! Who is interchangeable: workers with one program, nodes of one quorum.
//!
//! Where two of them have lived through the same up to an instant, a fault that strikes the one then leads to the same as one that strikes
//! the other, with the names exchanged. So only the first of those that no fault has struck yet is struck.
//!
//! This holds up to the order of what happens at one instant: the engine takes first what was scheduled first, which follows the order
//! of the names. Two that are still alike send and receive at the same instants, and what is exchanged with their names is who of them
//! comes first. Where that may decide something (a line of waiters, a call that ends with a majority and forgets the rest), nobody is taken
//! to be interchangeable.

use super::case::{Case, Strike};
use super::menu::Move;
use crate::base::{Fact, NodeId, TrueTime};
use crate::protocol::params::{Family, Order, Take, Wake};
use crate::sim::SimConfig;
use crate::sim::config::FaultVerb;
use crate::trace::{EventKind, Fate, TraceEvent};
use std::mem::{Discriminant, discriminant};

/// By node: who it could be exchanged with has the same number.
pub struct Alike(Vec<Option<usize>>);

/// What one has lived through, without names and numbers.
type Life = Vec<(TrueTime, Lived)>;

#[derive(PartialEq, Eq, Debug)]
enum Lived {
    Sent(usize, Discriminant<crate::base::Payload>, Fate),
    Got(usize, Discriminant<crate::base::Payload>),
    Passed(usize, u32),
    Did(Discriminant<Fact>),
    Other(Discriminant<EventKind>),
}

impl Alike {
    pub fn of(config: &SimConfig) -> Alike {
        let n = config.roster.nodes.len();
        let mut alike = Alike(vec![None; n]);
        // A story that says something of some of them makes a difference between them; so does a lock that somebody knows best.
        let is_plain =
            config.links.is_empty() && config.faults.is_empty() && config.clocks.windows(2).all(|w| w[0] == w[1]);
        if !is_plain || config.locks.len() != 1 {
            return alike;
        }
        let lock = &config.locks[0];
        if lock.params.family == Family::Quorum && lock.params.order == Order::Parallel && lock.params.take == Take::All
        {
            for id in &lock.nodes {
                alike.0[id.index()] = Some(n);
            }
        }
        let asks = matches!(lock.params.family, Family::TtlKey | Family::Quorum | Family::None);
        if asks && lock.params.wake == Wake::Poll {
            for (i, w) in config.workers.iter().enumerate() {
                alike.0[i] = config.workers.iter().position(|o| o == w);
            }
        }
        alike
    }

    /// Leaves out what would strike one while another, alike up to then and untouched, has a lower number.
    pub fn reduce(&self, case: &Case, log: &[TraceEvent], moves: &mut Vec<Move>) {
        let classes = &self.0;
        if (0..classes.len()).all(|i| classes[i].is_none_or(|c| (0..i).all(|j| classes[j] != Some(c)))) {
            return;
        }
        let touched: Vec<NodeId> = case.strikes.iter().flat_map(struck).collect();
        let lives: Vec<Life> = (0..classes.len()).map(|i| life(log, NodeId(i as u16))).collect();
        let upto = |id: usize, at: TrueTime| &lives[id][..lives[id].partition_point(|l| l.0 <= at)];
        moves.retain(|m| {
            let Move::Begin(key, strike) = m else { return true };
            struck(strike).iter().all(|id| {
                let i = id.index();
                let Some(class) = classes[i] else { return true };
                touched.contains(id)
                    || !(0..i).any(|j| {
                        classes[j] == Some(class)
                            && !touched.contains(&NodeId(j as u16))
                            && upto(j, key.at) == upto(i, key.at)
                    })
            })
        });
    }
}

/// The single ones that a fault is about; who is struck together with all of its kind is not meant.
fn struck(s: &Strike) -> Vec<NodeId> {
    let one = |nodes: &[NodeId]| if nodes.len() == 1 { nodes.to_vec() } else { Vec::new() };
    match &s.spec.verb {
        FaultVerb::Pause { targets } | FaultVerb::Crash { targets, .. } => {
            one(&targets.iter().map(|t| t.node).collect::<Vec<_>>())
        }
        FaultVerb::Message(f) => [&f.from, &f.to].into_iter().flatten().flat_map(|n| one(n)).collect(),
        FaultVerb::StepClock { nodes, .. } | FaultVerb::DriftClock { nodes, .. } | FaultVerb::Evict { nodes, .. } => {
            one(nodes)
        }
        FaultVerb::Expire { workers, .. }
        | FaultVerb::Disconnect { workers }
        | FaultVerb::Cancel { workers }
        | FaultVerb::ShutDown { workers } => one(workers),
        FaultVerb::Cut { from, to, .. } => [one(from), one(to)].concat(),
        _ => Vec::new(),
    }
}

fn life(log: &[TraceEvent], id: NodeId) -> Life {
    let own = log.iter().filter(|e| e.node == id);
    own.map(|e| (e.at, lived(&e.kind))).collect()
}

fn lived(kind: &EventKind) -> Lived {
    match kind {
        EventKind::Sent { what, fate, .. } => Lived::Sent(what.kind.index(), discriminant(&what.payload), *fate),
        EventKind::Arrived { what, .. } => Lived::Got(what.kind.index(), discriminant(&what.payload)),
        EventKind::Did(Fact::Passed { point, n }) => Lived::Passed(point.index(), *n),
        EventKind::Did(fact) => Lived::Did(discriminant(fact)),
        other => Lived::Other(discriminant(other)),
    }
}
