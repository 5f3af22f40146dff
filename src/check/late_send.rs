//! STOP: no protected request is sent after the client's own deadline, by the client's own clock.
//!
//! This is the client's part of the bargain, and it is judged by the client's means: a worker whose clock lies keeps it and does harm
//! all the same. The deadline is the one the worker last set itself for the acquisition that the request speaks for, on the clock it
//! set it on; it binds whether or not the worker has noticed that it has passed. At the deadline is too late: the lease has ended
//! when the clock *shows* its end. Protected requests are writes and calls; copies made by the network were not sent by the worker.
//! Not reached while nobody with a deadline sent one.

use super::clocks::Clocks;
use super::found::{Breach, Found};
use super::ledger::Ledger;
use super::words::{Words, at, reading};
use crate::base::{AcqId, LocalTime, NodeId, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct LateSend {
    pub found: Found<Late>,
}

/// A request sent when the sender's clock had passed its deadline.
#[derive(Clone, Copy, Debug)]
pub struct Late {
    at: TrueTime,
    seq: EventSeq,
    worker: NodeId,
    call: bool,
    believed: EventSeq,
    showed: LocalTime,
    until: LocalTime,
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
            self.found.breach(Late { at: e.at, seq: e.seq, worker: e.node, call, believed, showed, until });
        }
    }
}

impl Breach for Late {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let what = if self.call { "call" } else { "write" };
        // A clock that is right needs no second time.
        let clock = if self.showed.as_us() == self.at.as_us() {
            String::new()
        } else {
            format!(", {} by its own clock", reading(self.showed))
        };
        format!(
            "{} sent a {what} at {}{clock}; its own deadline was {}.",
            words.who(self.worker),
            at(self.at),
            reading(self.until)
        )
    }

    fn witnesses(&self, _: &Words) -> Vec<EventSeq> {
        vec![self.believed, self.seq]
    }
}
