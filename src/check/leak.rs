//! Nothing is left behind: no record stands at the end of a run that nobody has used for longer than the bound.
//!
//! A grant is *used* while its worker believes in it. What a crashed holder leaves runs out with its lease, so that it is gone when the
//! bound of [`super::no_progress`] has passed; not so a record without an end, and one that somebody goes on extending for nobody: a
//! permit of a killed process, half of several locks whose acquisition was cancelled, an entry that was counted twice. Judged where
//! the run ends. Not reached if nothing was granted, or if the run was cut short by its limit on events.

use super::checker::Setup;
use super::found::{Found, Hole};
use super::ledger::Ledger;
use super::overlap::Overlaps;
use crate::base::TrueTime;
use crate::trace::{EndWhy, Ending};

#[derive(Clone, Default, Debug)]
pub struct Leak {
    pub found: Found,
}

impl Leak {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    pub fn finish(&mut self, ending: Ending, in_force: &Overlaps, ledger: &Ledger, setup: &Setup) {
        if ending.why == EndWhy::Events {
            return;
        }
        if ledger.any_grant() {
            self.found.reach();
        }
        // Of several, what has been of no use for longest.
        let mut worst = None;
        for (_, _, acq, _) in in_force.each() {
            let (Some(since), Some(grant)) = (ledger.idle_since(acq), ledger.latest_of(acq)) else { continue };
            let long = since != TrueTime::NEVER && ending.at.since(since) > setup.liveness_bound;
            if long && worst.is_none_or(|(_, s)| since < s) {
                worst = Some((grant, since));
            }
        }
        if let Some((grant, since)) = worst {
            let holes = [Hole::Their(grant), Hole::At(ending.at), Hole::At(since)];
            let g = ledger.grant(grant);
            let sentence = "* is still in force at *, and nobody has used it since *.";
            self.found.breach(ending.at, sentence, &holes, &[g.seq, g.promise]);
        }
    }
}
