//! When those were last heard of who stand in line: what a grant without a request of its own counts from.
//!
//! A service of sessions hands a lock over when the one before goes, long after the next one asked. What was promised to it rests on its
//! last sign of life that the service carried out; when that was sent, no handler can see. Ghost state: nothing in a run is decided by it.
//! Empty, and never looked at, in runs without such a service.

use super::config::SimConfig;
use crate::base::{AcqId, Fact, NodeId, TrueTime};
use crate::protocol::params::Family;

/// Signs of life, when they were sent.
#[derive(Clone, Hash, Debug)]
pub(super) struct Asks {
    /// By node: its last request that reached the group.
    sent: Vec<TrueTime>,
    /// For each entry that waits: the last that was carried out.
    counted: Vec<(AcqId, TrueTime)>,
}

impl Asks {
    /// `None` where nobody stands in line.
    pub fn of(config: &SimConfig) -> Option<Asks> {
        let any = config.locks.iter().any(|l| l.params.family == Family::SessionQueue);
        any.then(|| Asks { sent: vec![TrueTime::ZERO; config.roster.nodes.len()], counted: Vec::new() })
    }

    pub fn reset(&mut self) {
        self.sent.fill(TrueTime::ZERO);
        self.counted.clear();
    }

    /// A message of this node reached a member of the group. What comes of it may be told only when others have stored it.
    pub fn arrived(&mut self, from: NodeId, sent: TrueTime) {
        self.sent[from.index()] = sent;
    }

    /// The fact with the instant that it counts from.
    pub fn stamp(&mut self, fact: Fact) -> Fact {
        match fact {
            Fact::Queued { acq, worker, .. } | Fact::Kept { acq, worker, .. } => {
                let sent = self.sent[worker.index()];
                match self.counted.iter_mut().find(|c| c.0 == acq) {
                    Some(c) => c.1 = sent,
                    None => self.counted.push((acq, sent)),
                }
                fact
            }
            Fact::Granted(g) => {
                let i = self.counted.iter().position(|c| c.0 == g.acq);
                fact.with_asked(i.map_or(self.sent[g.worker.index()], |i| self.counted.remove(i).1))
            }
            Fact::Extended { worker, .. } => fact.with_asked(self.sent[worker.index()]),
            _ => fact,
        }
    }
}
