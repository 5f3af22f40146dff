//! The high-water mark of a shard: the highest token it has seen, of all workers or of each.

use super::super::Host;
use super::super::params::{ResourceParams, Rule};
use super::Shard;
use crate::base::message::Reject;
use crate::base::{ClockKind, Fact, LocalTime, NodeId, Token};
use std::hash::{Hash, Hasher};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Mark {
    /// `None`: of all workers.
    worker: Option<NodeId>,
    token: Token,
    moved: LocalTime,
}

impl Shard {
    /// Adds to `h` what its future depends on: when a mark moved, or an outcome was stored, only if that is forgotten some day.
    pub fn digest(&self, p: &ResourceParams, h: &mut impl Hasher) {
        let Shard { version, exists, marks, owner, outcomes, last, pending, questions, transactions, minted } = self;
        (version, exists, owner, last, pending, questions, transactions, minted).hash(h);
        for m in marks {
            (m.worker, m.token, p.mark_retention.map(|_| m.moved)).hash(h);
        }
        for o in outcomes {
            (o.op, o.version, p.retention.map(|_| o.stored)).hash(h);
        }
    }
}

/// The token against the mark. A request without a token cannot show that it is current.
pub(super) fn against_mark(
    s: &Shard,
    p: &ResourceParams,
    host: &impl Host,
    worker: NodeId,
    token: Option<Token>,
) -> Result<(), Reject> {
    let mark = mark_of(s, p, host, worker);
    let passes = match p.rule {
        Rule::AtLeast => token.is_some_and(|t| t >= mark),
        Rule::Above => token.is_some_and(|t| t > mark),
    };
    if passes { Ok(()) } else { Err(Reject::Token { token, mark }) }
}

fn scope(p: &ResourceParams, worker: NodeId) -> Option<NodeId> {
    p.mark_per_worker.then_some(worker)
}

pub(super) fn mark_of(s: &Shard, p: &ResourceParams, host: &impl Host, worker: NodeId) -> Token {
    let now = host.read(ClockKind::Wall);
    let live = |m: &&Mark| p.mark_retention.is_none_or(|kept| now < m.moved + kept);
    s.marks.iter().find(|m| m.worker == scope(p, worker)).filter(live).map_or(p.mark, |m| m.token)
}

/// Moves the mark up to the token.
pub(super) fn raise(s: &mut Shard, p: &ResourceParams, worker: NodeId, token: Option<Token>, host: &mut impl Host) {
    let mark = mark_of(s, p, host, worker);
    if let Some(token) = token
        && token > mark
    {
        set_mark(s, p, worker, token, host);
    }
}

pub(super) fn set_mark(s: &mut Shard, p: &ResourceParams, worker: NodeId, token: Token, host: &mut impl Host) {
    let from = mark_of(s, p, host, worker);
    let mark = Mark { worker: scope(p, worker), token, moved: host.read(ClockKind::Wall) };
    match s.marks.iter_mut().find(|m| m.worker == mark.worker) {
        Some(m) => *m = mark,
        None => s.marks.push(mark),
    }
    if from != token {
        host.did(Fact::MarkMoved { from: Some(from), to: Some(token) });
    }
}

pub(super) fn lose_marks(s: &mut Shard, p: &ResourceParams, host: &mut impl Host) {
    // In order of the workers' names, so that the log does not depend on who came first.
    let mut marks = std::mem::take(&mut s.marks);
    crate::base::flat::sort_by_key(&mut marks, |m| m.worker);
    for m in &marks {
        let live = p.mark_retention.is_none_or(|kept| host.read(ClockKind::Wall) < m.moved + kept);
        if live && m.token != p.mark {
            host.did(Fact::MarkMoved { from: Some(m.token), to: Some(p.mark) });
        }
    }
    marks.clear();
    s.marks = marks; // Keeps its memory for the next run.
}
