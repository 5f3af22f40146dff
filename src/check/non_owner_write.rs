//! OWNER: every accepted mutation carries the latest grant of its lock.
//!
//! The grant, not merely its worker: an owner's write from a tenure before somebody else's is as wrong as a stranger's. A latest
//! grant that has ended but has no successor still counts, since nobody else can have been hurt. A mutation under an acquisition
//! that was never granted, or under none, is a non-owner's too: the story has a lock and this writer went around it. Stories
//! without a lock service have no owners, and nothing here applies. Not reached while nothing was written.
//!
//! It is the strongest of the promises about writes: a run that keeps it keeps STALE as well, because mutations that each carry the
//! latest grant come in the order of grants.

use super::found::{Breach, Found};
use super::ledger::{GrantId, Ledger};
use super::words::{Words, at};
use crate::base::fact::Effect;
use crate::base::{NodeId, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct NonOwnerWrite {
    pub found: Found<NonOwner>,
}

/// A mutation by somebody who does not own the lock.
#[derive(Clone, Copy, Debug)]
pub struct NonOwner {
    at: TrueTime,
    seq: EventSeq,
    worker: NodeId,
    why: Why,
}

#[derive(Clone, Copy, Debug)]
enum Why {
    /// It counts under `old`, and `latest` was granted since.
    Superseded { old: GrantId, latest: GrantId },
    /// It believed, or acted as if it did, without a grant.
    NeverGranted,
    /// It did not even ask.
    NoLock,
}

impl NonOwnerWrite {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    pub fn applied(&mut self, e: &TraceEvent, effect: &Effect, ledger: &Ledger) {
        self.found.reach();
        let why = match (effect.acq, ledger.grant_of(effect.acq)) {
            (_, Some(old)) => match ledger.latest(ledger.grant(old).lock) {
                Some(latest) if latest != old => Why::Superseded { old, latest },
                _ => return,
            },
            (Some(_), None) => Why::NeverGranted,
            (None, None) => Why::NoLock,
        };
        self.found.breach(NonOwner { at: e.at, seq: e.seq, worker: effect.worker, why });
    }
}

impl Breach for NonOwner {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let (who, when) = (words.who(self.worker), at(self.at));
        match self.why {
            Why::Superseded { old, latest } => format!(
                "{who} wrote under {} at {when}, when {} was the latest.",
                words.grant(old),
                words.whose_grant(latest, self.worker)
            ),
            Why::NeverGranted => format!("{who} wrote at {when}, and had not been granted the lock."),
            Why::NoLock => format!("{who} wrote at {when} without asking for the lock."),
        }
    }

    fn witnesses(&self, words: &Words) -> Vec<EventSeq> {
        match self.why {
            Why::Superseded { old, latest } => vec![words.record(old).seq, words.record(latest).seq, self.seq],
            Why::NeverGranted | Why::NoLock => vec![self.seq],
        }
    }
}
