//! Counting votes: what the nodes of a quorum did, and what it comes to for the lock.
//!
//! The nodes know nothing of each other, and no client sees them all, so only an observer can say when a quorum has a grant: from the
//! instant at which the last vote of a majority is stored until the instant at which so few are left that it is none. Ghost state:
//! nothing in a run is decided by it, but a fault may wait for a grant.

use super::config::SimConfig;
use crate::base::fact::{Grant, VoteEnd};
use crate::base::{AcqId, CallId, Fact, LockId, NodeId, TrueTime};
use crate::protocol::params::Family;

/// The votes of one lock.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    lock: LockId,
    nodes: Vec<NodeId>,
    quorum: u32,
    votes: Vec<Votes>,
}

/// The votes for one acquisition.
#[derive(Clone, Copy, Debug)]
struct Votes {
    grant: Grant,
    /// Nodes that have it, one bit each.
    yes: u16,
    granted: bool,
    extension: Extension,
}

/// The nodes that carried out one call of extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Extension {
    /// Who asked, by which call: the requests of one call need not be sent at one instant.
    call: Option<(NodeId, CallId)>,
    /// When the first of them was sent.
    asked: TrueTime,
    yes: u16,
}

/// A request, as an observer knows it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Request {
    pub call: CallId,
    pub sent: TrueTime,
}

/// What a node's fact is for the log: the node's part, and what it means for the lock.
pub(super) type Counted = (Option<Fact>, Option<Fact>);

impl Tally {
    /// One for each lock that is served by a quorum.
    pub fn of(config: &SimConfig) -> Vec<Tally> {
        let is_quorum = |l: &&super::config::LockSpec| l.params.family == Family::Quorum;
        let tally = |(i, l): (usize, &super::config::LockSpec)| {
            Some(l).filter(is_quorum).map(|l| Tally {
                lock: LockId(i as u8),
                nodes: l.nodes.clone(),
                quorum: u32::from(l.params.quorum),
                votes: Vec::new(),
            })
        };
        config.locks.iter().enumerate().filter_map(tally).collect()
    }

    pub fn reset(&mut self) {
        self.votes.clear();
    }

    /// Counts what a node did; `None` if it is none of its nodes, or not about its lock.
    pub fn count(&mut self, node: NodeId, request: Request, fact: Fact) -> Option<Counted> {
        let bit = 1 << self.nodes.iter().position(|n| *n == node)?;
        let mine = |lock: LockId| (lock == self.lock).then_some(());
        Some(match fact {
            Fact::Granted(grant) => {
                mine(grant.lock)?;
                let grant = Grant { asked: request.sent, ..grant };
                (Some(Fact::Voted(grant)), self.voted(grant, bit))
            }
            Fact::Extended { lock, acq, until, worker, .. } => {
                mine(lock)?;
                let now = Extension { call: Some((worker, request.call)), asked: request.sent, yes: bit };
                self.extended(acq, now, until, fact)
            }
            Fact::Released { lock, acq, by } => {
                mine(lock)?;
                self.ended(acq, bit, VoteEnd::Released { by }, fact)
            }
            Fact::Expired { lock, acq } => {
                mine(lock)?;
                self.ended(acq, bit, VoteEnd::Expired, fact)
            }
            Fact::Forgotten { lock, acq } => {
                mine(lock)?;
                self.ended(acq, bit, VoteEnd::Forgotten, fact)
            }
            // A no of one node is no event for the lock; its answer says it.
            Fact::Refused { lock, .. } => {
                mine(lock)?;
                (None, None)
            }
            _ => return None,
        })
    }

    fn voted(&mut self, grant: Grant, bit: u16) -> Option<Fact> {
        let quorum = self.quorum;
        let i = self.votes.iter().position(|v| v.grant.acq == grant.acq).unwrap_or_else(|| {
            self.votes.push(Votes { grant, yes: 0, granted: false, extension: Extension::default() });
            self.votes.len() - 1
        });
        let v = &mut self.votes[i];
        // Nodes may be asked one after another; what a client counts on, it counts from the first.
        v.grant = Grant { asked: if v.yes == 0 { grant.asked } else { v.grant.asked }, ..grant };
        v.yes |= bit;
        let now = v.yes.count_ones() >= quorum;
        (now && !std::mem::replace(&mut v.granted, now)).then_some(Fact::Granted(v.grant))
    }

    fn extended(&mut self, acq: AcqId, now: Extension, until: Option<crate::base::LocalTime>, fact: Fact) -> Counted {
        let quorum = self.quorum;
        let Some(v) = self.votes.iter_mut().find(|v| v.grant.acq == acq) else { return (None, None) };
        let vote = Fact::Voted(Grant { until, asked: now.asked, ..v.grant });
        let bit = now.yes;
        if v.extension.call != now.call {
            v.extension = Extension { yes: 0, ..now };
        }
        let before = v.extension.yes.count_ones();
        v.extension.yes |= bit;
        // The last node of the majority decides.
        let decides = v.granted && before < quorum && v.extension.yes.count_ones() >= quorum;
        (Some(vote), decides.then(|| fact.with_asked(v.extension.asked)))
    }

    fn ended(&mut self, acq: AcqId, bit: u16, why: VoteEnd, fact: Fact) -> Counted {
        let Some(i) = self.votes.iter().position(|v| v.grant.acq == acq) else { return (None, None) };
        let v = &mut self.votes[i];
        v.yes &= !bit;
        let lost = v.granted && v.yes.count_ones() < self.quorum;
        v.granted &= !lost;
        if v.yes == 0 {
            self.votes.remove(i);
        }
        (Some(Fact::VoteEnded { lock: self.lock, acq, why }), lost.then_some(fact))
    }
}
