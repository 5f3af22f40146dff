//! What every property remembers: whether the run ever came to where it can be judged, and its first breach.

use super::report::{Property, Standing, Verdict, Violation};
use super::words::Words;
use crate::base::{Span, TrueTime};
use crate::trace::EventSeq;

/// A breach as it is kept while events are folded: ids only, so that keeping it costs nothing.
pub trait Breach {
    fn at(&self) -> TrueTime;
    /// One plain sentence.
    fn sentence(&self, words: &Words) -> String;
    /// Events that prove it; the report sorts them and drops repetitions.
    fn witnesses(&self, words: &Words) -> Vec<EventSeq>;
    /// For what lasts, how long in all.
    fn length(&self) -> Option<Span> {
        None
    }
}

/// The state of one property, whatever else it keeps.
#[derive(Clone, Debug)]
pub struct Found<B> {
    reached: bool,
    pub first: Option<B>,
}

impl<B> Default for Found<B> {
    fn default() -> Self {
        Found { reached: false, first: None }
    }
}

impl<B> Found<B> {
    pub fn reset(&mut self) {
        self.reached = false;
        self.first = None;
    }

    /// There is something to judge: from here on "holds" means something.
    #[inline]
    pub fn reach(&mut self) {
        self.reached = true;
    }

    /// Keeps the breach unless there was one before.
    #[inline]
    pub fn breach(&mut self, b: B) {
        self.reached = true;
        if self.first.is_none() {
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
}

impl<B: Breach> Found<B> {
    pub fn verdict(&self, property: Property, words: &Words) -> Verdict {
        match &self.first {
            Some(b) => {
                let mut witnesses = b.witnesses(words);
                crate::base::flat::sort(&mut witnesses);
                witnesses.dedup();
                let (at, length, sentence) = (b.at(), b.length(), b.sentence(words));
                Verdict::Violated(Violation { property, at, length, sentence, witnesses })
            }
            None if self.reached => Verdict::Holds,
            None => Verdict::NotReached,
        }
    }
}
