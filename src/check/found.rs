//! What every property remembers: whether the run ever came to where it can be judged, and its first breach.

use super::ledger::GrantId;
use super::report::{Property, Standing, Verdict, Violation};
use super::words::Words;
use crate::base::{LocalTime, LockId, NodeId, Span, Token, TrueTime};
use crate::trace::EventSeq;

/// A breach as it is kept while events are folded: a sentence with holes and the ids that belong there, so that keeping it costs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Breach {
    pub at: TrueTime,
    /// One plain sentence, with an asterisk for each hole.
    pub sentence: &'static str,
    /// What belongs into the holes, in their order.
    pub holes: [Hole; 7],
    /// Events that prove it; the report sorts them and drops repetitions.
    pub witnesses: [EventSeq; 5],
    /// For what lasts, how long in all.
    pub length: Option<Span>,
}

/// What stands in a hole of a sentence.
#[derive(Clone, Copy, Debug)]
pub enum Hole {
    Text(&'static str),
    Number(u64),
    /// "W1".
    Who(NodeId),
    /// "R1"; "the resource" where there is only one.
    The(NodeId),
    /// "the lock", or "lock jobs".
    Lock(LockId),
    /// "1" or "1 of jobs": what follows the word "grant".
    Grant(GrantId),
    /// "W2’s grant 2".
    Their(GrantId),
    /// "its own grant 2" if this node owns it, else "W2’s grant 2".
    Whose(GrantId, NodeId),
    At(TrueTime),
    Reading(LocalTime),
    Length(Span),
}

impl Hole {
    /// A token's number, or "nothing".
    pub fn mark(token: Option<Token>) -> Hole {
        token.map_or(Hole::Text("nothing"), |t| Hole::Number(t.get()))
    }
}

/// The state of one property, whatever else it keeps.
#[derive(Clone, Default, Debug)]
pub struct Found {
    reached: bool,
    pub first: Option<Breach>,
}

impl Found {
    pub fn reset(&mut self) {
        *self = Found::default();
    }

    /// There is something to judge: from here on "holds" means something.
    #[inline]
    pub fn reach(&mut self) {
        self.reached = true;
    }

    /// Keeps the breach unless there was one before. `sentence` has as many asterisks as there are `holes`; `witnesses` are events that
    /// prove it, at least one.
    #[inline(never)]
    pub fn breach(&mut self, at: TrueTime, sentence: &'static str, holes: &[Hole], witnesses: &[EventSeq]) {
        self.reached = true;
        if self.first.is_none() {
            let mut b = Breach { at, sentence, holes: [Hole::Text(""); 7], witnesses: [witnesses[0]; 5], length: None };
            b.holes[..holes.len()].copy_from_slice(holes);
            b.witnesses[..witnesses.len()].copy_from_slice(witnesses);
            self.first = Some(b);
        }
    }

    pub fn is_breached(&self) -> bool {
        self.first.is_some()
    }

    pub fn standing(&self) -> Standing {
        match (&self.first, self.reached) {
            (Some(_), _) => Standing::Violated,
            (None, true) => Standing::Holds,
            (None, false) => Standing::NotReached,
        }
    }

    pub fn verdict(&self, property: Property, words: &Words) -> Verdict {
        match &self.first {
            Some(b) => {
                let mut witnesses = b.witnesses.to_vec();
                crate::base::flat::sort(&mut witnesses);
                witnesses.dedup();
                Verdict::Violated(Violation {
                    property,
                    at: b.at,
                    length: b.length,
                    sentence: words.sentence(b),
                    witnesses,
                })
            }
            None if self.reached => Verdict::Holds,
            None => Verdict::NotReached,
        }
    }
}
