//! Counting votes: what the nodes of a quorum did, and what it comes to for the lock.
//!
//! The nodes know nothing of each other, and no client sees them all, so only an observer can say when a quorum has a grant: from the
//! instant at which the last vote of a majority is stored until the instant at which so few are left that it is none. Ghost state:
//! nothing in a run is decided by it, but a fault may wait for a grant.

use super::config::SimConfig;
use crate::base::fact::{Grant, VoteEnd};
use crate::base::{AcqId, CallId, Fact, LocalTime, LockId, NodeId, TrueTime};
use crate::protocol::params::Family;

/// The votes of one lock.
#[derive(Clone, Hash, Debug)]
pub(super) struct Tally {
    lock: LockId,
    nodes: Vec<NodeId>,
    quorum: u32,
    votes: Vec<Votes>,
    /// Acquisitions that some nodes refused, the latest last, and which nodes.
    noes: Vec<(AcqId, u16)>,
}

/// So many refused acquisitions are remembered: enough for everybody who can be asking at once.
const REMEMBERED: usize = 64;

/// The votes for one acquisition.
#[derive(Clone, Copy, Hash, Debug)]
struct Votes {
    grant: Grant,
    /// Nodes that have it, one bit each.
    yes: u16,
    granted: bool,
    extension: Extension,
}

/// The nodes that carried out one call of extension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
struct Extension {
    /// Who asked, by which call: the requests of one call need not be sent at one instant.
    call: Option<(NodeId, CallId)>,
    /// When the first of them was sent.
    asked: TrueTime,
    yes: u16,
}

impl Votes {
    /// One more node has carried out an extension. If it is the last of a quorum: when the first request of that call was sent.
    fn extend(&mut self, now: Extension, quorum: u32) -> Option<TrueTime> {
        let e = &mut self.extension;
        if e.call != now.call {
            *e = Extension { yes: 0, ..now };
        }
        let before = e.yes.count_ones();
        e.yes |= now.yes;
        (before < quorum && e.yes.count_ones() >= quorum).then_some(e.asked)
    }
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
                noes: Vec::new(),
            })
        };
        config.locks.iter().enumerate().filter_map(tally).collect()
    }

    pub fn reset(&mut self) {
        self.votes.clear();
        self.noes.clear();
    }

    /// Counts what a node did; `None` if it is none of its nodes, or not about its lock.
    pub fn count(&mut self, node: NodeId, request: Request, fact: Fact) -> Option<Counted> {
        let bit = 1 << self.nodes.iter().position(|n| *n == node)?;
        let mine = |lock: LockId| (lock == self.lock).then_some(());
        Some(match fact {
            Fact::Granted(grant) => {
                mine(grant.lock)?;
                let grant = Grant { asked: request.sent, ..grant };
                let now = Extension { call: Some((grant.worker, request.call)), asked: request.sent, yes: bit };
                (Some(Fact::Voted(grant)), self.voted(grant, now))
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
            // A no of one node is no event for the lock; its answer says it. So many that no quorum is left are.
            Fact::Refused { lock, acq, .. } => {
                mine(lock)?;
                (None, self.refused(acq, bit).then_some(fact))
            }
            _ => return None,
        })
    }

    fn voted(&mut self, grant: Grant, now: Extension) -> Option<Fact> {
        let quorum = self.quorum;
        let i = self.votes.iter().position(|v| v.grant.acq == grant.acq).unwrap_or_else(|| {
            // The call that stores the records extends none of them.
            let extension = Extension { yes: u16::MAX, ..now };
            self.votes.push(Votes { grant, yes: 0, granted: false, extension });
            self.votes.len() - 1
        });
        let v = &mut self.votes[i];
        // Nodes may be asked one after another; what a client counts on, it counts from the first.
        v.grant = Grant { asked: if v.yes == 0 { grant.asked } else { v.grant.asked }, ..grant };
        v.yes |= now.yes;
        if v.granted {
            // A node that had lost the record has it again: as good as an extension.
            let Grant { lock, acq, worker, ttl, margin, until, .. } = grant;
            let asked = v.extend(now, quorum)?;
            return Some(Fact::Extended { lock, acq, by: acq, worker, ttl, margin, asked, until });
        }
        v.granted = v.yes.count_ones() >= quorum;
        v.granted.then_some(Fact::Granted(v.grant))
    }

    fn refused(&mut self, acq: AcqId, bit: u16) -> bool {
        let i = self.noes.iter().rposition(|(a, _)| *a == acq).unwrap_or_else(|| {
            if self.noes.len() == REMEMBERED {
                self.noes.remove(0);
            }
            self.noes.push((acq, 0));
            self.noes.len() - 1
        });
        let no = &mut self.noes[i].1;
        let enough = |no: u16| no.count_ones() + self.quorum > self.nodes.len() as u32;
        let before = enough(*no);
        *no |= bit;
        enough(*no) && !before
    }

    fn extended(&mut self, acq: AcqId, now: Extension, until: Option<LocalTime>, fact: Fact) -> Counted {
        let quorum = self.quorum;
        let Some(v) = self.votes.iter_mut().find(|v| v.grant.acq == acq) else { return (None, None) };
        let vote = Fact::Voted(Grant { until, asked: now.asked, ..v.grant });
        let decided = v.extend(now, quorum).filter(|_| v.granted);
        (Some(vote), decided.map(|asked| fact.with_asked(asked)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::OwnerId;

    const LOCK: LockId = LockId(0);

    fn five() -> Tally {
        Tally { lock: LOCK, nodes: (1..=5).map(NodeId).collect(), quorum: 3, votes: Vec::new(), noes: Vec::new() }
    }

    fn at(call: u32, ms: i64) -> Request {
        Request { call: CallId(call), sent: TrueTime::from_ms(ms) }
    }

    fn grant(acq: u32) -> Fact {
        Fact::Granted(Grant {
            lock: LOCK,
            acq: AcqId(acq),
            worker: NodeId(0),
            owner: OwnerId(acq),
            token: None,
            ttl: None,
            margin: Default::default(),
            asked: Default::default(),
            until: None,
            share: Default::default(),
        })
    }

    fn extension(acq: u32) -> Fact {
        let (acq, lock, worker) = (AcqId(acq), LOCK, NodeId(0));
        let (margin, asked) = (Default::default(), Default::default());
        Fact::Extended { lock, acq, by: acq, worker, ttl: None, margin, asked, until: None }
    }

    fn gone(acq: u32) -> Fact {
        Fact::Expired { lock: LOCK, acq: AcqId(acq) }
    }

    /// What it comes to for the lock.
    fn whole(t: &mut Tally, node: u16, request: Request, fact: Fact) -> Option<Fact> {
        t.count(NodeId(node), request, fact).expect("its node and its lock").1
    }

    #[test]
    fn the_last_vote_of_a_quorum_is_the_grant_and_counts_from_the_first() {
        let mut t = five();
        assert_eq!(whole(&mut t, 5, at(2, 100), grant(1)), None);
        assert_eq!(whole(&mut t, 5, at(2, 100), grant(1)), None, "one node has one vote");
        assert_eq!(whole(&mut t, 1, at(2, 130), grant(1)), None);
        let Some(Fact::Granted(g)) = whole(&mut t, 2, at(2, 150), grant(1)) else { panic!("three of five") };
        assert_eq!(g.asked, TrueTime::from_ms(100));
        assert_eq!(whole(&mut t, 3, at(2, 170), grant(1)), None, "told once");
    }

    #[test]
    fn it_ends_when_no_quorum_is_left_and_may_come_back() {
        let mut t = five();
        for n in 1..=4 {
            whole(&mut t, n, at(2, 0), grant(1));
        }
        assert_eq!(whole(&mut t, 1, at(0, 0), gone(1)), None, "three are left");
        assert_eq!(whole(&mut t, 2, at(0, 0), gone(1)), Some(gone(1)));
        assert_eq!(whole(&mut t, 3, at(0, 0), gone(1)), None, "it was over already");
        assert_eq!(whole(&mut t, 1, at(4, 9), grant(1)), None);
        assert!(matches!(whole(&mut t, 2, at(4, 9), grant(1)), Some(Fact::Granted(_))));
    }

    #[test]
    fn it_is_refused_once_no_quorum_is_left() {
        let mut t = five();
        let no = Fact::Refused { lock: LOCK, acq: AcqId(1), worker: NodeId(0) };
        for n in [1, 2, 2] {
            assert_eq!(whole(&mut t, n, at(2, 0), no), None);
        }
        assert_eq!(whole(&mut t, 3, at(2, 0), no), Some(no));
        assert_eq!(whole(&mut t, 4, at(2, 0), no), None, "told once");
    }

    #[test]
    fn votes_for_two_do_not_add_up() {
        let mut t = five();
        for (n, acq) in [(1, 1), (2, 1), (3, 2), (4, 2)] {
            assert_eq!(whole(&mut t, n, at(acq * 2, 0), grant(acq)), None);
        }
        assert!(matches!(whole(&mut t, 5, at(4, 0), grant(2)), Some(Fact::Granted(g)) if g.acq == AcqId(2)));
    }

    #[test]
    fn an_extension_is_one_call_sent_when_it_may() {
        let mut t = five();
        for n in 1..=5 {
            whole(&mut t, n, at(2, 0), grant(1));
        }
        // Two nodes of one call and two of the next are no three of either.
        for (n, call) in [(1, 4), (2, 4), (3, 6), (4, 6)] {
            assert_eq!(whole(&mut t, n, at(call, i64::from(n) * 10), extension(1)), None);
        }
        let told = whole(&mut t, 5, at(6, 50), extension(1));
        assert_eq!(told, Some(extension(1).with_asked(TrueTime::from_ms(30))), "from its first request");
        assert_eq!(whole(&mut t, 1, at(6, 60), extension(1)), None, "told once");
    }

    #[test]
    fn a_record_that_is_stored_again_is_part_of_the_extension() {
        let mut t = five();
        for n in 1..=5 {
            whole(&mut t, n, at(2, 0), grant(1));
        }
        whole(&mut t, 1, at(0, 0), Fact::Forgotten { lock: LOCK, acq: AcqId(1) });
        whole(&mut t, 2, at(4, 10), extension(1));
        whole(&mut t, 3, at(4, 10), extension(1));
        assert!(matches!(whole(&mut t, 1, at(4, 10), grant(1)), Some(Fact::Extended { .. })), "the third");
    }

    #[test]
    fn a_late_vote_of_the_acquire_extends_nothing() {
        let mut t = Tally { quorum: 2, ..five() };
        let told: Vec<bool> = (1..=5).map(|n| whole(&mut t, n, at(2, 0), grant(1)).is_some()).collect();
        assert_eq!(told, [false, true, false, false, false]);
    }

    #[test]
    fn other_nodes_and_other_locks_are_not_counted() {
        let mut t = five();
        assert_eq!(t.count(NodeId(9), at(2, 0), grant(1)), None);
        assert_eq!(t.count(NodeId(1), at(2, 0), Fact::Expired { lock: LockId(1), acq: AcqId(1) }), None);
    }
}
