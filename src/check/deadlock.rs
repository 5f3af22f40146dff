//! Nobody waits in a ring: no workers wait, each for a lock that the next of them holds and does not give back because it waits.
//!
//! The smallest ring is one worker that waits for itself: a reader that wants to write, at a service that waits for all readers. A worker
//! waits for as long as any other that it waits for; where there are several permits, for as long as all of their holders. Judged
//! where the run ends, of those who have waited for longer than the bound of [`super::no_progress`] by then: a lease that is
//! not extended ends before, and the ring with it. Not reached if nobody asked, or if the run was cut short.

use super::checker::Setup;
use super::found::{Found, Hole};
use super::lifelines::Lifelines;
use super::overlap::Overlaps;
use crate::base::fact::Share;
use crate::base::{LockId, NodeId, TrueTime};
use crate::trace::{EndWhy, Ending, EventSeq};

#[derive(Clone, Default, Debug)]
pub struct Deadlock {
    pub found: Found,
}

/// Somebody who has waited for long.
#[derive(Clone, Copy)]
struct Waiter {
    who: NodeId,
    lock: LockId,
    since: TrueTime,
    seq: EventSeq,
}

impl Deadlock {
    pub fn reset(&mut self) {
        self.found.reset();
    }

    pub fn finish(&mut self, ending: Ending, asked: bool, life: &Lifelines, in_force: &Overlaps, setup: &Setup) {
        if ending.why == EndWhy::Events || !asked {
            return;
        }
        self.found.reach();
        let mut waiters: Vec<Waiter> = Vec::new();
        for (who, l) in life.iter() {
            if let (Some((since, seq)), Some(lock), None) = (l.waiting, l.wants, l.ended)
                && ending.at.since(since) > setup.liveness_bound
            {
                waiters.push(Waiter { who, lock, since, seq });
            }
        }
        // Takes out, again and again, who waits for somebody that does not wait.
        loop {
            let stuck = |w: &Waiter| holder(w, &waiters, in_force).is_some();
            let Some(free) = waiters.iter().position(|w| !stuck(w)) else { break };
            waiters.remove(free);
        }
        let Some(first) = waiters.first() else { return };
        let Some(other) = holder(first, &waiters, in_force) else { return };
        let (who, lock, since) = (Hole::Who(first.who), Hole::Lock(first.lock), Hole::At(first.since));
        if other.who == first.who {
            let sentence = "* has waited since * for *, which it holds itself.";
            self.found.breach(ending.at, sentence, &[who, since, lock], &[first.seq]);
        } else {
            let sentence = "* has waited since * for *, which * holds, who waits as well.";
            let holes = [who, since, lock, Hole::Who(other.who)];
            self.found.breach(ending.at, sentence, &holes, &[first.seq, other.seq]);
        }
    }
}

/// One of those waiters in whose hands it is when this one is served, if it is in their hands alone.
fn holder(w: &Waiter, waiters: &[Waiter], in_force: &Overlaps) -> Option<Waiter> {
    let waiting = |who: NodeId| waiters.iter().find(|x| x.who == who).copied();
    let mut found = None;
    for (lock, who, _, share) in in_force.each() {
        if lock != w.lock {
            continue;
        }
        match waiting(who) {
            Some(x) => found = found.or(Some(x)),
            // A permit that comes free is as good as any other.
            None if matches!(share, Share::Permit(_)) => return None,
            None => {}
        }
    }
    found
}
