//! OWNER: every accepted mutation carries the latest grant of its lock.
//!
//! The grant, not merely its worker: an owner's write from a tenure before somebody else's is as wrong as a stranger's. A latest
//! grant that has ended but has no successor still counts, since nobody else can have been hurt. A mutation under an acquisition
//! that was never granted, or under none, is a non-owner's too: the story has a lock and this writer went around it. Stories
//! without a lock service have no owners, and nothing here applies. Not reached while nothing was written.
//!
//! Where several may hold a lock, the latest grant is not the only one that counts: a reader's does until a writer is let in, and a
//! permit's until it has ended and all permits are in use by others.
//!
//! It is the strongest of the promises about writes: a run that keeps it keeps STALE as well, because mutations that each carry the
//! latest grant come in the order of grants.

use super::found::{Found, Hole};
use super::ledger::Ledger;
use super::overlap::Overlaps;
use crate::base::fact::Effect;
use crate::trace::TraceEvent;

#[derive(Clone, Default, Debug)]
pub struct NonOwnerWrite {
    pub found: Found,
}

impl NonOwnerWrite {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    pub fn applied(&mut self, e: &TraceEvent, effect: &Effect, ledger: &Ledger, in_force: &Overlaps) {
        self.found.reach();
        let (who, at) = (Hole::Who(effect.worker), Hole::At(e.at));
        match (effect.acq, ledger.grant_of(effect.acq)) {
            (_, Some(old)) => {
                if let Some(latest) = ledger.superseded(old, in_force) {
                    // It counts under an old grant, and another was made since.
                    self.found.breach(
                        e.at,
                        "* wrote under grant\u{a0}* at *, when * was the latest.",
                        &[who, Hole::Grant(old), at, Hole::Whose(latest, effect.worker)],
                        &[ledger.grant(old).seq, ledger.grant(latest).seq, e.seq],
                    );
                }
            }
            // It believed, or acted as if it did, without a grant.
            (Some(_), None) => {
                let sentence = "* wrote at *, and had not been granted the lock.";
                self.found.breach(e.at, sentence, &[who, at], &[e.seq]);
            }
            // It did not even ask.
            (None, None) => {
                self.found.breach(e.at, "* wrote at * without asking for the lock.", &[who, at], &[e.seq]);
            }
        }
    }
}
