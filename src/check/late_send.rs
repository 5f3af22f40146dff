//! STOP: no protected request is sent after the client's own deadline, by the client's own clock.
//!
//! This is the client's part of the bargain, and it is judged by the client's means: a worker whose clock lies keeps it and does harm
//! all the same. The deadline is the one the worker last set itself for the acquisition that the request speaks for, on the clock it
//! set it on; it binds whether or not the worker has noticed that it has passed. At the deadline is too late: the lease has ended
//! when the clock *shows* its end. Protected requests are writes and calls; copies made by the network were not sent by the worker.
//! Not reached while nobody with a deadline sent one.

use super::clocks::Clocks;
use super::found::{Found, Hole};
use super::ledger::Ledger;
use crate::base::AcqId;
use crate::trace::TraceEvent;

#[derive(Clone, Default, Debug)]
pub struct LateSend {
    pub found: Found,
}

impl LateSend {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    /// A worker sent a write or a call for this acquisition.
    pub fn sent(&mut self, e: &TraceEvent, acq: Option<AcqId>, call: bool, ledger: &Ledger, clocks: &Clocks) {
        let Some(tenure) = acq.and_then(|a| ledger.tenure(a)) else { return };
        let (Some(believed), Some(until)) = (tenure.believed, tenure.until) else { return };
        self.found.reach();
        let showed = clocks.read(tenure.clock, e);
        if showed >= until {
            // A clock that is right needs no second time.
            let (by, clock) = if showed.as_us() == e.at.as_us() {
                ("", Hole::Text(""))
            } else {
                (" by its own clock", Hole::Reading(showed))
            };
            let holes = [
                Hole::Who(e.node),
                Hole::Text(if call { "call" } else { "write" }),
                Hole::At(e.at),
                clock,
                Hole::Text(by),
                Hole::Reading(until),
            ];
            let sentence = if by.is_empty() {
                "* sent a * at ***; its own deadline was *."
            } else {
                "* sent a * at *, **; its own deadline was *."
            };
            self.found.breach(e.at, sentence, &holes, &[believed, e.seq]);
        }
    }
}
