//! KEEP: no other grant of a lock starts before the promised end of the one before.
//!
//! A lease promises its owner the lock until e(g): the true instant at which the successful request was *sent*, or the last extension
//! that the service carried out, plus the TTL, less the margin that the client does not use. Clocks do not enter: a service whose
//! clock runs fast breaks its promise. Without a TTL the promise has no end.
//!
//! Only the owner can lift it: a release issued for this very grant, carried out or not, says that it needs the lock no longer. A
//! release issued for another grant does not, and neither does an administrator who breaks the lock: that may be right, but the
//! owner relied on a promise and it was not kept. A worker that crashed is still owed its lease, since the service cannot know.
//!
//! Readers are promised nothing against each other, and of a semaphore so many are promised as it has permits.
//!
//! A second grant of the *same* acquisition is no other grant. Not reached while nothing was granted.

use super::found::{Found, Hole};
use super::ledger::{GrantId, Ledger};
use crate::base::TrueTime;
use crate::base::fact::Share;
use crate::trace::TraceEvent;

#[derive(Clone, Default, Debug)]
pub struct BrokenPromise {
    pub found: Found,
    /// Grants whose promise may still run.
    live: Vec<GrantId>,
}

impl BrokenPromise {
    pub fn reset(&mut self) {
        self.found.reset();
        self.live.clear();
    }

    pub fn granted(&mut self, e: &TraceEvent, next: GrantId, ledger: &Ledger) {
        self.found.reach();
        if self.found.is_breached() {
            return;
        }
        let new = ledger.grant(next);
        if let Share::Permit(of) = new.share {
            // So many may be promised at once; one more takes somebody's place.
            let promised = |id: &&GrantId| {
                let g = ledger.grant(**id);
                !g.given_back && g.promised > e.at && g.lock == new.lock && g.acq != new.acq
            };
            if self.live.iter().filter(promised).count() < usize::from(of) {
                return self.live.push(next);
            }
        }
        let mut i = 0;
        while let Some(&id) = self.live.get(i) {
            let g = ledger.grant(id);
            if g.given_back || g.promised <= e.at {
                self.live.swap_remove(i);
                continue;
            }
            let beside = g.share == Share::Read && new.share == Share::Read;
            if g.lock == new.lock && g.acq != new.acq && !beside {
                let who = Hole::Who(new.worker);
                let whose = Hole::Whose(id, new.worker);
                let (sentence, holes) = if g.promised == TrueTime::NEVER {
                    (
                        "* was granted the lock at *, though * was to last until it is released.",
                        [who, Hole::At(e.at), whose, Hole::Text("")],
                    )
                } else {
                    // A later extension moves the end in the ledger.
                    let early = Hole::Length(g.promised.since(e.at));
                    ("* was granted the lock at *, * before * was to end.", [who, Hole::At(e.at), early, whose])
                };
                self.found.breach(e.at, sentence, &holes, &[g.seq, g.promise, new.seq]);
                return;
            }
            i += 1;
        }
        self.live.push(next);
    }

    /// The promise of this grant moved, perhaps after it had run out.
    pub fn extended(&mut self, id: GrantId) {
        if !self.live.contains(&id) {
            self.live.push(id);
        }
    }
}

impl BrokenPromise {
    /// Would a grant to somebody else be compared with this promise?
    pub fn watches(&self, id: GrantId) -> bool {
        self.live.contains(&id)
    }
}
