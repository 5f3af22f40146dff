//! Which marks a picture has: what its key explains.

use super::axis::Axis;
use super::placing::{Mark as Disc, mark};
use super::sequence::{Answer, ArrowFate, BarKind, Sequence};

/// Kinds of marks, in the order of the key; a set of them is one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Sign {
    Lease,
    Belief,
    Stale,
    Pause,
    Token,
    Tear,
    Difference,
    Request,
    Reply,
    Write,
    Lost,
    TooLate,
    Refused,
    Zone,
    Down,
    Cut,
    Vote,
    NoVote,
    Clock,
}

/// All that occur in some column.
pub fn marks(seqs: &[Sequence], axis: &Axis, difference: bool) -> u32 {
    let mut out = 0;
    let mut has = |sign: Sign, is: bool| out |= u32::from(is) << sign as u8;
    has(Sign::Difference, difference);
    has(Sign::Tear, !axis.tears().is_empty());
    for s in seqs {
        for b in &s.bars {
            has(Sign::Lease, b.kind != BarKind::Belief);
            has(Sign::Belief, b.kind == BarKind::Belief);
            has(Sign::Stale, b.stale.is_some());
        }
        for a in &s.arrows {
            has(Sign::Token, a.token.is_some());
            has(Sign::Write, a.heavy);
            has(Sign::Reply, a.kind.reply);
            has(Sign::Request, !a.heavy && !a.kind.reply);
            has(Sign::Lost, matches!(a.fate, ArrowFate::Lost(_)));
        }
        for m in &s.moments {
            let disc = mark(&m.what);
            has(Sign::TooLate, disc == Some(Disc::Bad));
            has(Sign::Refused, matches!(disc, Some(Disc::Good | Disc::Quiet)));
        }
        for v in s.ballots.iter().flat_map(|b| &b.votes) {
            has(Sign::Vote, v.0 == Answer::Yes);
            has(Sign::NoVote, v.0 != Answer::Yes);
        }
        has(Sign::Pause, !s.pauses.is_empty());
        has(Sign::Zone, !s.zones.is_empty());
        has(Sign::Down, !s.downs.is_empty());
        has(Sign::Cut, !s.cuts.is_empty());
        has(Sign::Clock, !s.clocks.is_empty());
    }
    out
}
