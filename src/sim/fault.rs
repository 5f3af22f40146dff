//! What the story does to its actors: pauses, crashes, cuts, clocks, evictions. Faults come in pairs: pause and resume, crash and
//! restart, cut and heal.

use super::chooser::Chooser;
use super::config::{FaultVerb, Target, Until};
use super::door::KEY_FAULT;
use super::queue::Rank;
use super::world::{Action, Actor, Pending, World};
use crate::base::{NodeId, Span, Thread};
use crate::protocol::{Input, Slot};
use crate::trace::{EventKind, EventSeq, EventSink, LostWhy};

impl<C: Chooser> World<'_, C> {
    pub(super) fn begin_fault<S: EventSink>(&mut self, fault: u16, sink: &mut S) {
        let i = fault as usize;
        let spec = &self.config.faults[i];
        self.body.faults[i].round += 1;
        let round = self.body.faults[i].round;
        if let Some(every) = spec.every {
            let gap = self.body.chance.length(every, [KEY_FAULT, 4 << 16 | i as u64, u64::from(round), 0]);
            // A fault that would begin again at once would hold the run at this instant.
            self.body.act_at(self.body.now + gap.max(Span::from_us(1)), Action::BeginFault(fault));
        }
        if self.body.faults[i].active {
            return; // Still under way from last time.
        }
        let strikes = !matches!(spec.verb, FaultVerb::Message(_));
        self.body.used[i] |= strikes;
        self.body.faults[i].active = true;
        if S::LOOKS {
            self.body.begun.push((fault, self.body.now));
        }
        match &spec.verb {
            FaultVerb::Pause { targets } => targets.iter().for_each(|t| self.pause(*t, sink)),
            FaultVerb::Crash { targets, loses, answers_error } => {
                for t in targets {
                    self.crash(*t, *loses, *answers_error, sink);
                }
            }
            FaultVerb::Cut { from, to, one_sided } => self.each_link(from, to, *one_sided, true, sink),
            FaultVerb::Partition { groups } => self.partition(groups, true, sink),
            FaultVerb::Message(_) => self.body.network.strike_with(i),
            FaultVerb::StepClock { nodes, by } => {
                for id in nodes {
                    self.body.clocks[id.index()].step(*by);
                    self.body.emit(*id, None, EventKind::ClockStepped { by: *by }, sink);
                    self.body.rearm(&mut self.sites[id.index()].node, *id);
                }
                self.body.faults[i].active = false;
            }
            FaultVerb::DriftClock { nodes, rate_ppm } => {
                for id in nodes {
                    self.set_rate(*id, *rate_ppm, sink);
                }
            }
            FaultVerb::FailOver { locks, serves } => {
                self.fail_over(locks, *serves, sink);
                self.body.faults[i].active = false;
            }
            FaultVerb::Evict { nodes, lock } => {
                for id in nodes {
                    self.interrupt(*id, Input::Evict { lock: *lock }, None, sink);
                }
                self.body.faults[i].active = false;
            }
            FaultVerb::Expire { workers, nodes } => {
                for worker in workers {
                    for id in nodes {
                        self.interrupt(*id, Input::Expire { worker: *worker }, None, sink);
                    }
                }
                self.body.faults[i].active = false;
            }
            FaultVerb::Disconnect { workers } => {
                for worker in workers {
                    self.disconnect(*worker, sink);
                }
                self.body.faults[i].active = false;
            }
            FaultVerb::Cancel { workers } => self.tell_all(i, workers, Input::Cancel, sink),
            FaultVerb::ShutDown { workers } => self.tell_all(i, workers, Input::ShutDown, sink),
        }
        if strikes && self.body.groups.iter().any(|g| g.merge.is_some()) {
            self.look_at_sides(sink);
        }
        match spec.until {
            Until::EndOfRun => {}
            Until::For(length) => {
                let length = self.body.chance.length(length, [KEY_FAULT, 5 << 16 | i as u64, u64::from(round), 0]);
                self.body.act_at(self.body.now + length, Action::EndFault(fault));
            }
            Until::Moment(moment) => {
                if round == 1 {
                    self.body.schedule(moment, Action::EndFault(fault));
                }
            }
        }
    }

    pub(super) fn end_fault<S: EventSink>(&mut self, fault: u16, round: u32, sink: &mut S) {
        let i = fault as usize;
        if !self.body.faults[i].active || self.body.faults[i].round < round {
            return;
        }
        self.body.faults[i].active = false;
        match &self.config.faults[i].verb {
            FaultVerb::Pause { targets } => targets.iter().for_each(|t| self.resume(*t, sink)),
            FaultVerb::Crash { targets, .. } => {
                for t in targets {
                    if t.thread.is_none() {
                        self.come_back(t.node, sink);
                    }
                }
            }
            FaultVerb::Cut { from, to, one_sided } => self.each_link(from, to, *one_sided, false, sink),
            FaultVerb::Partition { groups } => self.partition(groups, false, sink),
            FaultVerb::Message(_) => self.body.network.active.retain(|a| *a != i),
            FaultVerb::DriftClock { nodes, .. } => {
                for id in nodes {
                    self.set_rate(*id, self.config.clocks[id.index()].rate_ppm, sink);
                }
            }
            // Over at once.
            FaultVerb::StepClock { .. }
            | FaultVerb::Evict { .. }
            | FaultVerb::FailOver { .. }
            | FaultVerb::Expire { .. }
            | FaultVerb::Disconnect { .. }
            | FaultVerb::Cancel { .. }
            | FaultVerb::ShutDown { .. } => {}
        }
        self.seek_leaders(sink);
    }

    /// What happens to these workers at once, if they are up.
    fn tell_all<S: EventSink>(&mut self, fault: usize, workers: &[NodeId], input: Input, sink: &mut S) {
        for id in workers.iter().filter(|id| self.sites[id.index()].node.up).copied().collect::<Vec<_>>() {
            self.interrupt(id, input, None, sink);
        }
        self.body.faults[fault].active = false;
    }

    // -------------------------------------------------------------- pause, resume

    fn pause<S: EventSink>(&mut self, t: Target, sink: &mut S) {
        let node = &mut self.sites[t.node.index()].node;
        let slot = t.thread.map_or(0, |th| 1 + th.index());
        node.pauses[slot] += 1;
        node.any_pause = true;
        if node.pauses[slot] == 1 {
            node.paused_since[slot] = self.body.now;
            self.body.emit(t.node, None, EventKind::Paused { thread: t.thread }, sink);
        }
    }

    fn resume<S: EventSink>(&mut self, t: Target, sink: &mut S) {
        let now = self.body.now;
        let node = &mut self.sites[t.node.index()].node;
        let slot = t.thread.map_or(0, |th| 1 + th.index());
        node.pauses[slot] = node.pauses[slot].saturating_sub(1);
        node.any_pause = node.pauses.iter().any(|n| *n > 0);
        if node.pauses[slot] > 0 {
            return;
        }
        let since = node.paused_since[slot];
        if t.thread.is_none() {
            self.body.clocks[t.node.index()].suspended(since, now);
        }
        let seq = self.body.emit(t.node, None, EventKind::Resumed { thread: t.thread, since }, sink);
        // What fell due is handled now, in the order in which it fell due.
        let node = &mut self.sites[t.node.index()].node;
        let mut kept = std::mem::take(&mut node.backlog);
        kept.retain(|(place, thread, pending)| {
            if node.is_paused(*thread) {
                return true;
            }
            if let Pending::Timer { slot, .. } = pending {
                node.timers[slot.0 as usize].cause = Some(seq);
            }
            let i = self.body.ready.partition_point(|(p, _, _)| p > place);
            self.body.ready.insert(i, (*place, t.node, *pending));
            false
        });
        node.backlog = kept;
    }

    // -------------------------------------------------------------- crash, restart

    fn crash<S: EventSink>(&mut self, t: Target, loses: Option<Span>, refuses: bool, sink: &mut S) {
        if !self.sites[t.node.index()].node.up {
            return;
        }
        if let Some(thread) = t.thread {
            let cause = self.body.emit(t.node, None, EventKind::Crashed { thread: t.thread }, sink);
            self.drop_backlog(t.node, Some(thread), sink);
            self.interrupt(t.node, Input::ThreadDied { thread }, Some(cause), sink);
            return;
        }
        let cause = self.goes_down(t.node, refuses, sink);
        self.interrupt(t.node, Input::Crash { loses }, Some(cause), sink);
        self.leader_lost(t.node);
        self.side_lost(t.node, sink);
    }

    /// The process on this node ends; what that means to its actor is the caller's to say.
    pub(super) fn goes_down<S: EventSink>(&mut self, id: NodeId, refuses: bool, sink: &mut S) -> EventSeq {
        let cause = self.body.emit(id, None, EventKind::Crashed { thread: None }, sink);
        let node = &mut self.sites[id.index()].node;
        node.up = false;
        node.crashed_at = self.body.now;
        node.refuses = refuses;
        let slots = node.timers.len();
        if !self.body.shared_ids.is_empty() {
            let process = self.body.process(id);
            self.body.shared_ids.retain(|s| s.0 != process);
        }
        let keeps_timers = matches!(self.sites[id.index()].actor, Actor::Server(..));
        self.drop_backlog(id, None, sink);
        if !keeps_timers {
            for slot in 0..slots {
                self.body.cancel_timer(&mut self.sites[id.index()].node, id, Slot(slot as u16));
            }
        }
        cause
    }

    /// What the dead had not looked at yet is lost with it.
    fn drop_backlog<S: EventSink>(&mut self, id: NodeId, thread: Option<Thread>, sink: &mut S) {
        let mut dropped = std::mem::take(&mut self.sites[id.index()].node.backlog);
        let mut i = 0;
        while i < dropped.len() {
            let (_, th, pending) = dropped[i];
            if thread.is_some_and(|t| t != th) {
                i += 1;
                continue;
            }
            dropped.remove(i);
            self.lose(id, pending, sink);
        }
        self.sites[id.index()].node.backlog = dropped;
        if thread.is_none() {
            self.drop_held(id, sink);
        }
        let mut i = 0;
        while i < self.body.ready.len() {
            let (_, node, pending) = self.body.ready[i];
            if node == id && thread.is_none() {
                self.body.ready.remove(i);
                self.lose(id, pending, sink);
            } else {
                i += 1;
            }
        }
    }

    /// So is what a stall held in its handler.
    fn drop_held<S: EventSink>(&mut self, id: NodeId, sink: &mut S) {
        let mut i = 0;
        while i < self.body.held.len() {
            let (ticket, node, flight) = self.body.held[i];
            if node == id {
                self.body.held.remove(i);
                self.body.queue.withdraw(ticket);
                self.lose(id, Pending::Handle { flight }, sink);
            } else {
                i += 1;
            }
        }
    }

    fn lose<S: EventSink>(&mut self, id: NodeId, pending: Pending, sink: &mut S) {
        if let Pending::Handle { flight } = pending {
            let f = self.body.flights[flight as usize];
            self.body.land(flight);
            let why = LostWhy::Down;
            let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why };
            self.body.emit(id, Some(f.cause), lost, sink);
        }
    }

    /// The end of a crash; a service that must stay out for longer does.
    fn come_back<S: EventSink>(&mut self, id: NodeId, sink: &mut S) {
        let stays_out = self
            .config
            .locks
            .iter()
            .filter(|l| l.nodes.contains(&id))
            .map(|l| l.params.delayed_restart)
            .max()
            .unwrap_or(Span::ZERO);
        let earliest = self.sites[id.index()].node.crashed_at + stays_out;
        if self.body.now < earliest {
            self.body.queue.push(earliest, Rank::Story, Pending::Restart { node: id });
        } else {
            self.restart(id, sink);
        }
    }

    pub(super) fn restart<S: EventSink>(&mut self, id: NodeId, sink: &mut S) {
        let node = &mut self.sites[id.index()].node;
        if node.up {
            return;
        }
        node.up = true;
        let due = node.due;
        let cause = self.body.emit(id, None, EventKind::Restarted, sink);
        if matches!(self.sites[id.index()].actor, Actor::Worker(..)) && !due {
            return; // Its moment is still to come.
        }
        self.seek_leaders(sink);
        if self.sites[id.index()].node.is_paused(Thread::Main) {
            let place = self.body.queue.here(self.body.now);
            self.sites[id.index()].node.backlog.push((place, Thread::Main, Pending::Start { node: id }));
        } else {
            self.start(id, Some(cause), sink);
        }
    }

    // -------------------------------------------------------------- connections

    /// What was under way between this worker and its services is lost, and both ends notice.
    fn disconnect<S: EventSink>(&mut self, worker: NodeId, sink: &mut S) {
        let broken = self.body.emit(worker, None, EventKind::Disconnected, sink);
        let roster = &self.config.roster;
        let servers: Vec<NodeId> = roster.ids().filter(|id| roster.is_lock_node(*id)).collect();
        let flights = &self.body.flights;
        let on_it = |p: &Pending| match *p {
            Pending::Arrive { flight } => {
                let f = &flights[flight as usize];
                (f.from == worker && servers.contains(&f.to)) || (f.to == worker && servers.contains(&f.from))
            }
            _ => false,
        };
        let mut lost = Vec::new();
        while let Some((ticket, pending)) = self.body.queue.find(on_it) {
            self.body.queue.withdraw(ticket);
            lost.push(pending);
        }
        for pending in lost {
            if let Pending::Arrive { flight } = pending {
                let f = self.body.flights[flight as usize];
                self.body.land(flight);
                let why = LostWhy::Cut;
                let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why };
                self.body.emit(f.from, Some(f.cause), lost, sink);
            }
        }
        for id in servers {
            self.interrupt(id, Input::Disconnected { peer: worker }, Some(broken), sink);
            if self.sites[worker.index()].node.up {
                self.interrupt(worker, Input::Disconnected { peer: id }, Some(broken), sink);
            }
        }
    }

    // -------------------------------------------------------------- links, clocks

    fn each_link<S: EventSink>(&mut self, from: &[NodeId], to: &[NodeId], one_sided: bool, cut: bool, sink: &mut S) {
        for a in from {
            for b in to {
                if a == b {
                    continue;
                }
                self.link(*a, *b, cut, sink);
                if !one_sided {
                    self.link(*b, *a, cut, sink);
                }
            }
        }
    }

    fn link<S: EventSink>(&mut self, from: NodeId, to: NodeId, cut: bool, sink: &mut S) {
        if cut && self.body.network.cut(from, to) {
            self.body.emit(from, None, EventKind::CutFrom { peer: to }, sink);
        } else if !cut && self.body.network.heal(from, to) {
            self.body.emit(from, None, EventKind::Healed { peer: to }, sink);
        }
    }

    fn partition<S: EventSink>(&mut self, groups: &[Vec<NodeId>], cut: bool, sink: &mut S) {
        for (i, a) in groups.iter().enumerate() {
            for b in &groups[i + 1..] {
                self.each_link(a, b, false, cut, sink);
            }
        }
    }

    fn set_rate<S: EventSink>(&mut self, id: NodeId, ppm: i64, sink: &mut S) {
        self.body.clocks[id.index()].set_rate(ppm, self.body.now);
        self.body.emit(id, None, EventKind::ClockRateSet { ppm }, sink);
        self.body.rearm(&mut self.sites[id.index()].node, id);
    }
}
