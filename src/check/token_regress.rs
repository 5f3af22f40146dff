//! TOKEN: of two grants to different acquisitions of one lock, the later one carries the higher token.
//!
//! A resource that compares tokens can be no better than this: two owners with one number both pass. Grants of one acquisition may
//! repeat a token, as re-entrant grants do. Not reached while no grant carried a token.

use super::found::{Found, Hole};
use super::ledger::{GrantId, Ledger};
use crate::base::{LockId, Token};
use crate::trace::TraceEvent;

#[derive(Clone, Default, Debug)]
pub struct TokenRegress {
    pub found: Found,
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
            let holes = [
                Hole::Grant(id),
                Hole::Number(new.get()),
                Hole::Who(g.worker),
                Hole::At(e.at),
                Hole::Who(ledger.grant(before.0).worker),
                Hole::Grant(before.0),
                Hole::Number(before.1.get()),
            ];
            let sentence = if new == before.1 {
                "Grant\u{a0}* carried token\u{a0}* to * at *; *’s earlier grant\u{a0}* also had it."
            } else {
                "Grant\u{a0}* carried token\u{a0}* to * at *; *’s earlier grant\u{a0}* had token\u{a0}*."
            };
            self.found.breach(e.at, sentence, &holes, &[ledger.grant(before.0).seq, g.seq]);
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
