//! TOKEN: of two grants to different acquisitions of one lock, the later one carries the higher token.
//!
//! A resource that compares tokens can be no better than this: two owners with one number both pass. Grants of one acquisition may
//! repeat a token, as re-entrant grants do. Not reached while no grant carried a token.

use super::found::{Breach, Found};
use super::ledger::{GrantId, Ledger};
use super::words::{Words, at, token};
use crate::base::{LockId, Token, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct TokenRegress {
    pub found: Found<Regress>,
    /// By lock.
    locks: Vec<Highest>,
}

/// The grants with the highest token of one lock.
#[derive(Clone, Copy, Default, Hash, Debug)]
pub struct Highest {
    /// Of all so far.
    first: Option<(GrantId, Token)>,
    /// The highest of another acquisition than that of `first`.
    second: Option<(GrantId, Token)>,
}

/// `next` carries no higher token than `before`.
#[derive(Clone, Copy, Debug)]
pub struct Regress {
    at: TrueTime,
    before: (GrantId, Token),
    next: (GrantId, Token),
}

impl TokenRegress {
    pub fn reset(&mut self) {
        self.found.reset();
        self.locks.fill(Highest::default());
    }

    pub fn granted(&mut self, e: &TraceEvent, id: GrantId, ledger: &Ledger) {
        let g = ledger.grant(id);
        let Some(new) = g.token else { return };
        self.found.reach();
        let lock: LockId = g.lock;
        if lock.index() >= self.locks.len() {
            self.locks.resize(lock.index() + 1, Highest::default());
        }
        let highest = &mut self.locks[lock.index()];
        let same_as_first = highest.first.is_some_and(|(f, _)| ledger.grant(f).acq == g.acq);
        let rival = if same_as_first { highest.second } else { highest.first };
        if let Some(before) = rival
            && new <= before.1
        {
            self.found.breach(Regress { at: e.at, before, next: (id, new) });
        }
        match highest.first {
            Some((_, top)) if new <= top => {
                if !same_as_first && highest.second.is_none_or(|(_, t)| new > t) {
                    highest.second = Some((id, new));
                }
            }
            _ => {
                if !same_as_first {
                    highest.second = highest.first;
                }
                highest.first = Some((id, new));
            }
        }
    }
}

impl TokenRegress {
    /// Per lock, the tokens that a later one is compared with, and whose they are.
    pub fn highest(&self) -> impl Iterator<Item = Highest> {
        self.locks.iter().copied()
    }
}

impl Breach for Regress {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let (before, next) = (words.record(self.before.0), words.record(self.next.0));
        let had = if self.before.1 == self.next.1 {
            "also had it".to_string()
        } else {
            format!("had {}", token(self.before.1))
        };
        format!(
            "{} carried {} to {} at {}; {}’s earlier {} {had}.",
            capital(&words.grant(self.next.0)),
            token(self.next.1),
            words.who(next.worker),
            at(self.at),
            words.who(before.worker),
            words.grant(self.before.0)
        )
    }

    fn witnesses(&self, words: &Words) -> Vec<EventSeq> {
        vec![words.record(self.before.0).seq, words.record(self.next.0).seq]
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}
