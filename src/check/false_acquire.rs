//! False acquire: a worker begins to believe that it holds the lock when the service has no grant for it.
//!
//! It is told so by an answer that is no longer true, or takes it so from a sign that is none: a waiter whose session died in line is woken by
//! the release before it. Without any grant since, or with one that is over. Not reached while nobody has begun to believe.

use super::found::{Found, Hole};
use super::ledger::Ledger;
use super::overlap::Overlaps;
use crate::base::{AcqId, LockId};
use crate::trace::TraceEvent;

#[derive(Clone, Default, Debug)]
pub struct FalseAcquire {
    pub found: Found,
}

impl FalseAcquire {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    #[inline]
    pub fn believed(&mut self, e: &TraceEvent, lock: LockId, acq: AcqId, grants: &Overlaps, ledger: &Ledger) {
        self.found.reach();
        if !grants.has(lock, acq) && !self.found.is_breached() {
            let (who, at) = (Hole::Who(e.node), Hole::At(e.at));
            match ledger.latest_of(acq) {
                Some(id) => {
                    let holes = [who, Hole::Lock(lock), at, Hole::Grant(id)];
                    let witnesses = [ledger.grant(id).seq, e.seq];
                    self.found.breach(
                        e.at,
                        "* began to believe that it held *, at *; its grant * was over.",
                        &holes,
                        &witnesses,
                    );
                }
                None => {
                    let holes = [who, Hole::Lock(lock), at];
                    self.found.breach(
                        e.at,
                        "* began to believe that it held *, at *, without any grant.",
                        &holes,
                        &[e.seq],
                    );
                }
            }
        }
    }
}
