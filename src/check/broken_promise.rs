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
//! A second grant of the *same* acquisition is no other grant. Not reached while nothing was granted.

use super::found::{Breach, Found};
use super::ledger::{GrantId, GrantRecord, Ledger};
use super::words::{Words, at, length};
use crate::base::TrueTime;
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct BrokenPromise {
    pub found: Found<Broken>,
    /// Grants whose promise may still run.
    live: Vec<GrantId>,
}

/// `next` started while `grant` was still promised.
#[derive(Clone, Copy, Debug)]
pub struct Broken {
    at: TrueTime,
    grant: GrantId,
    next: GrantId,
    /// Kept here, because a later extension moves it in the ledger.
    promised: TrueTime,
    /// The event that it rests on: the grant or an extension.
    promise: EventSeq,
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
        let mut i = 0;
        while let Some(&id) = self.live.get(i) {
            let g = ledger.grant(id);
            if g.given_back || g.promised <= e.at {
                self.live.swap_remove(i);
                continue;
            }
            if g.lock == new.lock && g.acq != new.acq {
                let GrantRecord { promised, promise, .. } = *g;
                self.found.breach(Broken { at: e.at, grant: id, next, promised, promise });
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

impl Breach for Broken {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let next = words.record(self.next).worker;
        let whose = words.whose_grant(self.grant, next);
        let owed = if self.promised == TrueTime::NEVER {
            format!("though {whose} was to last until it is released")
        } else {
            format!("{} before {whose} was to end", length(self.promised.since(self.at)))
        };
        format!("{} was granted the lock at {}, {owed}.", words.who(next), at(self.at))
    }

    fn witnesses(&self, words: &Words) -> Vec<EventSeq> {
        vec![words.record(self.grant).seq, self.promise, words.record(self.next).seq]
    }
}
