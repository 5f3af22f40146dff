//! Every number that is handed out is higher than all that were handed out before, whoever handed it out.
//!
//! It is what a timestamp service, a sequence or an allocator of ids promises. Judged at the place that the numbers go to, in the order in
//! which they get there. Not reached while no number was handed out.

use super::found::{Found, Hole};
use crate::base::NodeId;
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct IssueRegress {
    pub found: Found,
    /// By issuer: the highest number so far, by whom, and the event.
    highest: Vec<Option<(u64, NodeId, EventSeq)>>,
}

impl IssueRegress {
    pub fn new(nodes: usize) -> IssueRegress {
        IssueRegress { found: Found::default(), highest: vec![None; nodes] }
    }

    pub fn reset(&mut self) {
        self.found.reset();
        self.highest.fill(None);
    }

    /// What may still be undercut.
    pub fn highest(&self) -> impl Iterator<Item = u64> + '_ {
        self.highest.iter().flatten().map(|(number, ..)| *number)
    }

    pub fn issued(&mut self, e: &TraceEvent, worker: NodeId, number: u64) {
        self.found.reach();
        let Some(highest) = self.highest.get_mut(e.node.index()) else { return };
        match *highest {
            Some((before, by, event)) if number <= before => {
                let holes =
                    [Hole::Who(worker), Hole::Number(number), Hole::At(e.at), Hole::Who(by), Hole::Number(before)];
                self.found.breach(e.at, "* handed out * at *, after * had handed out *.", &holes, &[event, e.seq]);
            }
            _ => *highest = Some((number, worker, e.seq)),
        }
    }
}
