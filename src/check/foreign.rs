//! REL and EXT: a release or an extension that was issued for one grant changes only that grant.
//!
//! The service cannot see it go wrong: a plain DEL removes whatever is there. The observer knows for which acquisition a request was
//! issued and which acquisition's record it hit, and the two must be one; an owner that removes its *own later* grant by a copy of
//! an old request has broken it as well. An administrator's order is issued for no grant and is judged by
//! [`super::broken_promise`] instead. Each is not reached while no request of its kind was handled, whatever came of it.

use super::found::{Breach, Found};
use super::ledger::{GrantId, Ledger};
use super::words::{Words, at};
use crate::base::{AcqId, NodeId, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

/// Both properties: they differ in nothing but the request.
#[derive(Clone, Default, Debug)]
pub struct Foreign {
    pub found: Found<Struck>,
}

/// A request that changed a grant it was not issued for.
#[derive(Clone, Copy, Debug)]
pub struct Struck {
    at: TrueTime,
    seq: EventSeq,
    what: Request,
    /// Whose request, and the grant it was issued for, if that ever was one.
    worker: Option<NodeId>,
    own: Option<GrantId>,
    /// The grant that it hit.
    hit: Option<GrantId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    Release,
    Renewal,
}

impl Foreign {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    /// A request issued for `by` was handled and found nothing to change.
    pub fn missed(&mut self) {
        self.found.reach();
    }

    /// A request issued for `by` changed the record of `acq`.
    pub fn changed(&mut self, e: &TraceEvent, what: Request, acq: AcqId, by: AcqId, ledger: &Ledger) {
        self.found.reach();
        if acq == by {
            return;
        }
        let worker = ledger.tenure(by).map(|t| t.worker);
        let (own, hit) = (ledger.latest_of(by), ledger.latest_of(acq));
        self.found.breach(Struck { at: e.at, seq: e.seq, what, worker, own, hit });
    }
}

impl Breach for Struck {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let who = self.worker.map_or("Somebody", |w| words.who(w));
        let issued = self.own.map_or("no grant at all".to_string(), |g| words.grant(g));
        let hit = match (self.hit, self.worker) {
            (Some(g), Some(w)) => words.whose_grant(g, w),
            (Some(g), None) => format!("{}’s {}", words.who(words.record(g).worker), words.grant(g)),
            (None, _) => "another record".to_string(),
        };
        let (noun, did) = match self.what {
            Request::Release => ("release", "removed"),
            Request::Renewal => ("renewal", "extended"),
        };
        format!("{who}’s {noun}, issued for {issued}, {did} {hit}, at {}.", at(self.at))
    }

    fn witnesses(&self, words: &Words) -> Vec<EventSeq> {
        let grants = [self.own, self.hit].into_iter().flatten().map(|g| words.record(g).seq);
        grants.chain([self.seq]).collect()
    }
}
