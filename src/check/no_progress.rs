//! PROG: a healthy requester is granted the lock in bounded time.
//!
//! "For ever" cannot be seen in a finite run, so this is a bound on the run, judged where the run ends: who is in an acquire then and has
//! been there for longer than the bound has made no progress. If the run went quiet before its horizon, nothing would have happened
//! up to the horizon either, so it is judged there. Who gave up in time did not wait for ever and does not count. Nor does who is not
//! healthy: crashed, paused at the end, or out of reach of so many lock nodes (cut off, or these down) that no quorum is left; no
//! protocol promises anything to those. Not reached if nobody asked, or if the run was cut short by its limit on events.

use super::checker::Setup;
use super::found::{Found, Hole};
use super::lifelines::Lifelines;
use crate::base::{LockId, NodeId};
use crate::trace::{EndWhy, Ending};

#[derive(Clone, Default, Debug)]
pub struct NoProgress {
    pub found: Found,
    asked: bool,
}

impl NoProgress {
    pub fn reset(&mut self) {
        self.found.reset();
        self.asked = false;
    }

    pub fn asked(&mut self) {
        self.asked = true;
    }

    pub fn has_asked(&self) -> bool {
        self.asked
    }

    pub fn finish(&mut self, ending: Ending, lifelines: &Lifelines, setup: &Setup) {
        if ending.why == EndWhy::Events {
            return;
        }
        let judged = ending.at;
        if self.asked {
            self.found.reach();
        }
        // Of several, who has waited longest.
        let mut worst = None;
        for (worker, life) in lifelines.iter() {
            let Some((since, seq)) = life.waiting else { continue };
            let healthy = life.ended.is_none() && !life.is_paused();
            if !healthy
                || judged.since(since) <= setup.liveness_bound
                || !reaches_quorum(worker, life.wants, lifelines, setup)
            {
                continue;
            }
            if worst.is_none_or(|(_, _, w, _)| since < w) {
                worst = Some((worker, life.wants, since, seq));
            }
        }
        if let Some((worker, lock, since, seq)) = worst {
            let lock = lock.map_or(Hole::Text("the lock"), Hole::Lock);
            let holes = [Hole::Who(worker), Hole::At(since), lock, Hole::At(judged)];
            self.found.breach(judged, "* asked from * on and was not granted * by *.", &holes, &[seq]);
        }
    }
}

fn reaches_quorum(worker: NodeId, lock: Option<LockId>, lifelines: &Lifelines, setup: &Setup) -> bool {
    let lock = lock.unwrap_or_default();
    match setup.services.get(lock.index()) {
        Some(s) => s.nodes.iter().filter(|n| lifelines.reaches(worker, **n)).count() >= s.quorum,
        None => {
            let nodes = || setup.roster.ids().filter(|n| setup.roster.is_lock_node(*n));
            nodes().filter(|n| lifelines.reaches(worker, *n)).count() * 2 >= nodes().count()
        }
    }
}
