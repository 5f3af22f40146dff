//! REL and EXT: a release or an extension that was issued for one grant changes only that grant.
//!
//! The service cannot see it go wrong: a plain DEL removes whatever is there. The observer knows for which acquisition a request was
//! issued and which acquisition's record it hit, and the two must be one; an owner that removes its *own later* grant by a copy of
//! an old request has broken it as well. An administrator's order is issued for no grant and is judged by
//! [`super::broken_promise`] instead. Each is not reached while no request of its kind was handled, whatever came of it.

use super::found::{Found, Hole};
use super::ledger::{GrantId, Ledger};
use crate::base::AcqId;
use crate::trace::TraceEvent;

/// Both properties: they differ in nothing but the request.
#[derive(Clone, Default, Debug)]
pub struct Foreign {
    pub found: Found,
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
        let (grant, issued) = match own {
            Some(g) => ("grant\u{a0}", Hole::Grant(g)),
            None => ("no grant at all", Hole::Text("")),
        };
        let holes = [
            worker.map_or(Hole::Text("Somebody"), Hole::Who),
            Hole::Text(grant),
            issued,
            match (hit, worker) {
                (Some(g), Some(w)) => Hole::Whose(g, w),
                (Some(g), None) => Hole::Their(g),
                (None, _) => Hole::Text("another record"),
            },
            Hole::At(e.at),
        ];
        let sentence = match what {
            Request::Release => "*’s release, issued for **, removed *, at *.",
            Request::Renewal => "*’s renewal, issued for **, extended *, at *.",
        };
        let proof = |grant: Option<GrantId>| grant.map_or(e.seq, |g| ledger.grant(g).seq);
        self.found.breach(e.at, sentence, &holes, &[proof(own), proof(hit), e.seq]);
    }
}
