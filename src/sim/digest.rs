//! What of a world can still matter: a digest for a search that prunes.
//!
//! Two worlds with one digest go on in the same way: every node has the same state, the same things are pending in the same order at the
//! same instants, clocks read the same, and no fault in force differs. Numbers of events and messages are left out, and so is what counts
//! occurrences: they name things for people and decide nothing.
//!
//! It may tell apart what could be one; it must not take for one what is two.

use super::chooser::Chooser;
use super::config::{FaultVerb, MessageFault, MessageVerb};
use super::node::Node;
use super::world::{Actor, Body, Pending, Site, World};
use crate::base::{ClockKind, Fingerprint, TrueTime};
use crate::protocol::Slot;
use std::hash::Hash;

impl<C: Chooser> World<'_, C> {
    /// Between two instants: when the next thing happens. Nothing if something is left to be done now, or if nothing is left at all.
    #[inline]
    pub fn between(&self) -> Option<TrueTime> {
        let (place, _) = self.body.queue.peek()?;
        (self.body.ready.is_empty() && place.at > self.body.now).then_some(place.at)
    }

    /// Adds to `h` all that the rest of the run depends on. Only between two instants.
    pub fn digest(&self, h: &mut Fingerprint) {
        for site in &self.sites {
            self.site(site, h);
        }
        let body = &self.body;
        body.queue.each(|place, pending| {
            (place.at, place.is_story()).hash(h);
            self.pending(pending, h);
        });
        body.held.len().hash(h);
        let is_blind = |w: &super::config::WorkerSpec| w.client.clock == ClockKind::SuspendBlind;
        let any_blind = self.config.workers.iter().any(is_blind);
        for clock in &body.clocks {
            if any_blind { *clock } else { clock.sighted() }.hash(h);
        }
        body.network.digest(h);
        for &i in &body.network.active {
            if let FaultVerb::Message(f) = &self.config.faults[i].verb
                && !body.is_spent(i, f)
            {
                f.hash(h);
            }
        }
        body.muted.hash(h);
        body.shared_ids.hash(h);
        body.tallies.hash(h);
        body.copies.hash(h);
        body.asks.hash(h);
        body.groups.hash(h);
        body.chance.digest(h);
        for t in &body.triggers {
            if body.points[t.worker.index() * crate::base::PointKind::COUNT + t.point.index()] < t.n {
                (t.worker, t.point, t.n, t.offset).hash(h);
            }
        }
    }

    fn site(&self, site: &Site, h: &mut Fingerprint) {
        match &site.actor {
            Actor::Worker(w, spec) => w.digest(spec.program.every.is_some(), h),
            Actor::Server(s, _) => s.hash(h),
            Actor::Member(m, _) => m.hash(h),
            Actor::Store(s, _) => s.hash(h),
            Actor::Shard(s, params) => s.digest(params, h),
            Actor::Sessions(s, _) => s.hash(h),
        }
        let n: &Node = &site.node;
        (n.up, n.due, n.begun, n.pauses).hash(h);
        if !n.up {
            (n.crashed_at, n.refuses).hash(h);
        }
        for (pauses, since) in n.pauses.iter().zip(&n.paused_since) {
            if *pauses > 0 {
                since.hash(h);
            }
        }
        for (place, thread, pending) in &n.backlog {
            (place.at, thread).hash(h);
            self.pending(*pending, h);
        }
        for (slot, t) in n.timers.iter().enumerate() {
            let waits = |p: &Pending| matches!(p, Pending::Timer { slot: s, .. } if *s == Slot(slot as u16));
            if t.ticket.is_some() || n.backlog.iter().any(|(_, _, p)| waits(p)) {
                (slot, t.thread, t.clock, t.target).hash(h);
            }
        }
    }

    /// Messages by what they say, faults by what they do: their numbers depend on how one came here.
    fn pending(&self, pending: Pending, h: &mut Fingerprint) {
        std::mem::discriminant(&pending).hash(h);
        match pending {
            Pending::Arrive { flight } | Pending::Handle { flight } => {
                let f = &self.body.flights[flight as usize];
                (f.from, f.to, f.message, f.sent_at, f.stall).hash(h);
            }
            Pending::Timer { node, slot } => (node, slot).hash(h),
            Pending::Go { node, thread } => (node, thread).hash(h),
            Pending::Start { node } | Pending::EndOfLife { node } | Pending::Restart { node } => node.hash(h),
            Pending::FaultBegins { fault } => self.config.faults[fault as usize].hash(h),
            Pending::FaultEnds { fault, .. } => self.config.faults[fault as usize].verb.hash(h),
            Pending::Promote { group } => group.hash(h),
        }
    }
}

impl<C: Chooser> Body<'_, C> {
    /// A fault that strikes one message only, and has: nothing will match it any more. Where one operation is two messages, or may be sent
    /// again by a copy, nobody knows.
    fn is_spent(&self, i: usize, f: &MessageFault) -> bool {
        let once = f.nth.as_ref().is_some_and(|n| n.len() == 1)
            && f.from.as_ref().is_some_and(|n| n.len() == 1)
            && f.to.as_ref().is_some_and(|n| n.len() == 1);
        let is_copy = |v: &FaultVerb| matches!(v, FaultVerb::Message(m) if m.what == MessageVerb::Duplicate);
        let in_two = |l: &super::config::LockSpec| l.params.acquire_two_step || l.params.release_two_steps;
        self.used[i]
            && once
            && !self.config.workers.iter().any(|w| w.client.write_retries > 0)
            && !self.config.locks.iter().any(in_two)
            && !self.config.faults.iter().any(|f| is_copy(&f.verb))
    }
}
