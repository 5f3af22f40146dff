//! A shard that has copies, as an observer sees it: one shard.
//!
//! No single copy is the resource. A mutation has happened when the copy that makes the quorum has stored it, it is refused when so many
//! copies refused it that no quorum is left, and the mark is the highest that a quorum of copies has reached. The rest is the copies' own
//! affair and is not told. Ghost state: nothing in a run is decided by it, but a fault may wait for what is told.

use super::config::SimConfig;
use super::setup;
use crate::base::fact::Effect;
use crate::base::{Fact, NodeId, OpKey, Token};
use crate::protocol::worker;

/// The copies of one shard.
#[derive(Clone, Hash, Debug)]
pub(super) struct Copied {
    shard: worker::Copied,
    polls: Vec<Poll>,
    /// By copy: its mark; and that of the whole.
    marks: Vec<Token>,
    mark: Token,
    /// Where all begin.
    start: Token,
    /// Mutations that a quorum has stored.
    version: u64,
}

/// What the copies did with one request.
#[derive(Clone, Copy, Hash, Debug)]
struct Poll {
    of: Request,
    worker: NodeId,
    yes: u16,
    no: u16,
    decided: bool,
    /// What is told if it is a yes: an effect rather than its repetition.
    did: Option<Fact>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Request {
    Read,
    Activate,
    Op(OpKey),
}

/// So many requests are remembered: enough for everybody whose request can be under way.
const REMEMBERED: usize = 64;

impl Copied {
    pub fn of(config: &SimConfig) -> Vec<Copied> {
        let start = |node| config.shards.iter().find(|s| s.node == node).map_or(Token::new(0), |s| s.params.mark);
        let one = |shard: worker::Copied| {
            let start = start(shard.first);
            let marks = vec![start; usize::from(shard.quorums.count)];
            Copied { shard, polls: Vec::new(), marks, mark: start, start, version: 0 }
        };
        setup::copied(config).map(one).collect()
    }

    pub fn reset(&mut self) {
        self.polls.clear();
        self.marks.fill(self.start);
        self.mark = self.start;
        self.version = 0;
    }

    pub fn has(&self, node: NodeId) -> bool {
        self.shard.place(node).is_some()
    }

    /// The node that stands for all.
    pub fn first(&self) -> NodeId {
        self.shard.first
    }

    /// What a copy did: what it comes to for the shard, if it decides anything.
    pub fn count(&mut self, node: NodeId, fact: Fact) -> Option<Fact> {
        let place = self.shard.place(node)?;
        let q = self.shard.quorums;
        let (worker, of, quorum, yes) = match fact {
            Fact::MarkMoved { to, .. } => return self.moved(usize::from(place), to.unwrap_or(self.start)),
            Fact::ReadServed { worker, .. } => (worker, Request::Read, q.read, true),
            Fact::ReadRejected { worker, .. } => (worker, Request::Read, q.read, false),
            Fact::Activated { worker, .. } => (worker, Request::Activate, q.mark, true),
            Fact::ActivationRejected { worker, .. } => (worker, Request::Activate, q.mark, false),
            Fact::Applied(Effect { worker, op, .. })
            | Fact::Replayed { worker, op, .. }
            | Fact::Called { worker, op, .. } => (worker, Request::Op(op), q.ack, true),
            Fact::Rejected { worker, op, .. } => (worker, Request::Op(op), q.ack, false),
            _ => return None, // That a check has passed is no event for the shard.
        };
        let bit = 1 << place;
        // A copy that answers again answers a request that was sent again.
        let same = |p: &Poll| p.of == of && p.worker == worker && (p.yes | p.no) & bit == 0;
        let i = self.polls.iter().position(same).unwrap_or_else(|| {
            if self.polls.len() == REMEMBERED {
                self.polls.remove(0);
            }
            self.polls.push(Poll { of, worker, yes: 0, no: 0, decided: false, did: None });
            self.polls.len() - 1
        });
        let p = &mut self.polls[i];
        *(if yes { &mut p.yes } else { &mut p.no }) |= bit;
        if yes && p.did.is_none_or(|did| more(&fact, &did)) {
            p.did = Some(fact);
        }
        let (count, quorum) = (u32::from(q.count), u32::from(quorum));
        let enough = p.yes.count_ones() >= quorum || p.no.count_ones() + quorum > count;
        let tells = enough && !std::mem::replace(&mut p.decided, enough);
        let told = if yes { p.did } else { Some(fact) };
        if (p.yes | p.no).count_ones() == count {
            self.polls.remove(i);
        }
        match told.filter(|_| tells)? {
            Fact::Applied(e) => {
                // The writer may have read what a copy has stored and no quorum: then it goes on from there, and nothing is lost.
                let before = self.version.max(e.base.unwrap_or(0));
                self.version = before + 1;
                Some(Fact::Applied(Effect { before, after: self.version, ..e }))
            }
            told => Some(told),
        }
    }

    /// A copy's mark is another: where is that of the whole, the highest that a quorum has?
    fn moved(&mut self, place: usize, to: Token) -> Option<Fact> {
        self.marks[place] = to;
        let quorum = usize::from(self.shard.quorums.mark);
        let reached = |t: Token| self.marks.iter().filter(|m| **m >= t).count() >= quorum;
        let mark = self.marks.iter().copied().filter(|m| reached(*m)).max()?;
        let from = std::mem::replace(&mut self.mark, mark);
        (from != mark).then_some(Fact::MarkMoved { from: Some(from), to: Some(mark) })
    }
}

/// Does this say more than what another copy did?
fn more(fact: &Fact, than: &Fact) -> bool {
    match (fact, than) {
        (Fact::ReadServed { version, .. }, Fact::ReadServed { version: other, .. }) => version > other,
        (Fact::Activated { token, .. }, Fact::Activated { token: other, .. }) => token > other,
        (_, Fact::Replayed { .. }) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::message::Reject;
    use crate::protocol::params::Copies;

    fn three() -> Copied {
        let shard = worker::Copied { first: NodeId(5), quorums: Copies { count: 3, ack: 2, mark: 2, read: 2 } };
        let zero = Token::new(0);
        Copied { shard, polls: Vec::new(), marks: vec![zero; 3], mark: zero, start: zero, version: 0 }
    }

    fn write(op: u64, base: u64) -> Fact {
        let (worker, acq, token) = (NodeId(0), None, None);
        Fact::Applied(Effect { worker, acq, op: OpKey(op), token, base: Some(base), before: 7, after: 8 })
    }

    fn no(op: u64) -> Fact {
        Fact::Rejected { worker: NodeId(0), acq: None, op: OpKey(op), token: None, why: Reject::Owner }
    }

    #[test]
    fn the_copy_that_makes_the_quorum_is_the_effect() {
        let mut c = three();
        assert_eq!(c.count(NodeId(5), write(1, 0)), None);
        let told = c.count(NodeId(7), write(1, 0));
        assert!(matches!(told, Some(Fact::Applied(e)) if (e.before, e.after) == (0, 1)), "versions of the whole");
        assert_eq!(c.count(NodeId(6), write(1, 0)), None, "told once");
        assert_eq!(c.count(NodeId(5), write(2, 3)), None);
        let told = c.count(NodeId(6), write(2, 3));
        assert!(matches!(told, Some(Fact::Applied(e)) if e.before == 3), "the writer has read more than a quorum has");
    }

    #[test]
    fn it_is_refused_when_no_quorum_is_left() {
        let mut c = three();
        assert_eq!(c.count(NodeId(5), write(1, 0)), None);
        assert_eq!(c.count(NodeId(6), no(1)), None);
        assert_eq!(c.count(NodeId(7), no(1)), Some(no(1)));
    }

    #[test]
    fn a_request_that_comes_twice_does_not_make_a_quorum_of_one_copy() {
        let mut c = three();
        for _ in 0..3 {
            assert_eq!(c.count(NodeId(5), write(1, 0)), None);
        }
        assert!(c.count(NodeId(6), write(1, 0)).is_some());
    }

    #[test]
    fn the_mark_is_the_highest_that_a_quorum_has() {
        let mut c = three();
        let to = |t| Fact::MarkMoved { from: Some(Token::new(0)), to: Some(Token::new(t)) };
        assert_eq!(c.count(NodeId(5), to(3)), None);
        assert_eq!(c.count(NodeId(6), to(2)), Some(to(2)));
        let falls = Fact::MarkMoved { from: Some(Token::new(2)), to: Some(Token::new(0)) };
        assert_eq!(c.count(NodeId(6), falls), Some(falls), "and falls with it");
        assert_eq!(c.count(NodeId(7), to(2)), Some(to(2)));
    }
}
