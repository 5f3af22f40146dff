//! The one transition function: pop, advance, deliver to one node, turn its commands into facts and new pending events.
//!
//! Ties are broken by the queue (story before nodes, then first in, first out). What falls due at a paused node waits and is handled
//! when the pause ends, in the order in which it fell due, before anything that is due at that instant.

use super::chooser::{Chooser, Question};
use super::door::KEY_LINK;
use super::network::{Failure, Struck, strike};
use super::queue::{Place, Rank};
use super::world::{Action, Actor, Flight, Item, Pending, Timer, World, passed};
use crate::base::{ClockKind, Fact, Message, MsgId, NodeId, Payload, PointKind, Span, Thread, TrueTime};
use crate::protocol::params::Draw;
use crate::protocol::{Command, Ctx, Due, Input, Slot, redis, resource, worker};
use crate::trace::{EndWhy, Ending, EventKind, EventSeq, EventSink, Fate, LostWhy, TraceEvent};

/// What one step came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    Progressed,
    Ended(Ending),
}

impl<C: Chooser> World<'_, C> {
    /// Handles the next event.
    pub fn step<S: EventSink>(&mut self, sink: &mut S) -> Progress {
        let next = self.queue.peek();
        let story_first = next.is_some_and(|p| p.is_story() && p.at == self.now);
        if !story_first && let Some((place, node, item)) = self.ready.pop() {
            if let Some(end) = self.count() {
                return end;
            }
            self.handle_item(place, node, item, sink);
            return Progress::Progressed;
        }
        let Some(place) = next else {
            return Progress::Ended(Ending { at: self.now, why: EndWhy::Quiet });
        };
        if place.at > self.config.horizon {
            self.now = self.config.horizon;
            return Progress::Ended(Ending { at: self.now, why: EndWhy::Horizon });
        }
        if let Some(end) = self.count() {
            return end;
        }
        let Some((place, pending)) = self.queue.pop() else { return Progress::Progressed };
        assert!(place.at >= self.now, "time went back from {} to {}", self.now, place.at);
        self.now = place.at;
        match pending {
            Pending::Deliver { flight } => self.arrive(place, flight, sink),
            Pending::Timer { node, slot } => {
                self.nodes[node.index()].timers[slot.0 as usize].place = None;
                self.handle_item(place, node, Item::Timer { slot }, sink);
            }
            Pending::Start { node } => self.handle_item(place, node, Item::Start, sink),
            Pending::EndOfLife { node } => self.handle_item(place, node, Item::EndOfLife, sink),
            Pending::FaultBegins { fault } => self.begin_fault(fault, sink),
            Pending::FaultEnds { fault, round } => self.end_fault(fault, round, sink),
            Pending::Restart { node } => self.restart(node, sink),
        }
        Progress::Progressed
    }

    /// Steps until the run ends.
    pub fn run<S: EventSink>(&mut self, sink: &mut S) -> Ending {
        loop {
            if let Progress::Ended(ending) = self.step(sink) {
                return ending;
            }
        }
    }

    #[inline]
    fn count(&mut self) -> Option<Progress> {
        if self.handled >= self.config.max_events {
            return Some(Progress::Ended(Ending { at: self.now, why: EndWhy::Events }));
        }
        self.handled += 1;
        None
    }

    #[inline]
    pub(super) fn emit<S: EventSink>(
        &mut self,
        node: NodeId,
        cause: Option<EventSeq>,
        kind: EventKind,
        sink: &mut S,
    ) -> EventSeq {
        let seq = EventSeq(self.next_seq);
        self.next_seq += 1;
        let local = self.nodes[node.index()].clock.read(ClockKind::Wall, self.now);
        sink.on_event(&TraceEvent { seq, at: self.now, node, local, cause, kind });
        seq
    }

    // -------------------------------------------------------------- delivery

    fn arrive<S: EventSink>(&mut self, place: Place, flight: u32, sink: &mut S) {
        let f = self.flights[flight as usize];
        let node = &self.nodes[f.to.index()];
        if !node.up {
            let refuses = node.refuses && !f.message.kind.reply;
            self.land(flight);
            let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why: LostWhy::Down };
            let cause = self.emit(f.to, Some(f.sent), lost, sink);
            if refuses {
                self.send(f.to, f.from, f.message.answer(Payload::Failed), Some(cause), sink);
            }
            return;
        }
        let arrived = EventKind::Arrived { msg: f.msg, from: f.from, what: f.message };
        let cause = self.emit(f.to, Some(f.sent), arrived, sink);
        self.handle_item(place, f.to, Item::Message { flight, cause }, sink);
    }

    /// Hands an item to its node, or keeps it until the pause is over.
    fn handle_item<S: EventSink>(&mut self, place: Place, id: NodeId, item: Item, sink: &mut S) {
        let node = &mut self.nodes[id.index()];
        let thread = match item {
            Item::Message { flight, .. } => match node.actor {
                Actor::Worker(_) => worker::addressee(&self.flights[flight as usize].message),
                Actor::Server(_) | Actor::Shard(_) => Thread::Main,
            },
            Item::Timer { slot } => node.timers[slot.0 as usize].thread,
            Item::Go { thread } => thread,
            Item::Start | Item::EndOfLife => Thread::Main,
        };
        if node.is_paused(thread) {
            node.backlog.push((place, thread, item));
            return;
        }
        match item {
            Item::Message { flight, cause } => {
                let f = self.land(flight);
                let input = Input::Message { from: f.from, message: f.message, stall: f.stall };
                self.dispatch(id, input, Some(cause), f.sent_at, sink);
            }
            Item::Timer { slot } => {
                let cause = node.timers[slot.0 as usize].cause;
                // A server that is down still has what is on its disk, and that runs out.
                if node.up || matches!(node.actor, Actor::Server(_)) {
                    self.dispatch(id, Input::Timer { slot }, cause, self.now, sink);
                }
            }
            Item::Go { thread } => self.dispatch(id, Input::Go { thread }, None, self.now, sink),
            Item::Start => {
                if node.up {
                    if let Some(life) = self.config.workers.get(id.index()).and_then(|w| w.life) {
                        let life = self.chance.length(life, [super::door::KEY_FAULT, 3 << 16 | u64::from(id.0), 0, 0]);
                        self.queue.push(self.now + life, Rank::Story, Pending::EndOfLife { node: id });
                    }
                    self.dispatch(id, Input::Start, None, self.now, sink);
                }
            }
            Item::EndOfLife => {
                if node.up {
                    self.dispatch(id, Input::EndOfLife, None, self.now, sink);
                }
            }
        }
    }

    /// One node's turn: handler, commands, and on through every point that no fault strikes at.
    pub(super) fn dispatch<S: EventSink>(
        &mut self,
        id: NodeId,
        mut input: Input,
        mut cause: Option<EventSeq>,
        asked: TrueTime,
        sink: &mut S,
    ) {
        loop {
            let mut out = std::mem::take(&mut self.out);
            out.commands.clear();
            self.handle(id, input, &mut out);
            let pass = passed(&out);
            for command in &out.commands {
                self.obey(id, *command, &mut cause, asked, sink);
            }
            self.out = out;
            let Some((point, thread)) = pass else { return };
            self.pass(id, point, &mut cause, sink);
            let node = &mut self.nodes[id.index()];
            if !node.up || is_dead(node, thread) {
                return;
            }
            if node.is_paused(thread) {
                let place = self.queue.here(self.now);
                self.nodes[id.index()].backlog.push((place, thread, Item::Go { thread }));
                return;
            }
            input = Input::Go { thread };
        }
    }

    #[inline]
    fn handle(&mut self, id: NodeId, input: Input, out: &mut crate::protocol::Out) {
        let node = &mut self.nodes[id.index()];
        let mut ctx = Ctx::new(id, &node.clock, self.now, &mut self.chance);
        let setup = &self.setup;
        match &mut node.actor {
            Actor::Worker(w) => {
                let spec = &self.config.workers[id.index()];
                let set = worker::Setting {
                    program: &spec.program,
                    client: &spec.client,
                    locks: &setup.locks,
                    shards: &setup.shards,
                };
                worker::on_input(w, &set, &mut ctx, input, out);
            }
            Actor::Server(s) => {
                let served = redis::Served { locks: &setup.served[id.index() - setup.workers], journal: setup.journal };
                redis::on_input(s, &served, &mut ctx, input, out);
            }
            Actor::Shard(s) => {
                let set = resource::Setting {
                    params: &self.config.shards[id.index() - setup.first_shard].params,
                    lock_nodes: &setup.lock_nodes,
                };
                resource::on_input(s, &set, &mut ctx, input, out);
            }
        }
    }

    #[inline]
    fn obey<S: EventSink>(
        &mut self,
        id: NodeId,
        command: Command,
        cause: &mut Option<EventSeq>,
        asked: TrueTime,
        sink: &mut S,
    ) {
        match command {
            Command::Send { to, message } => {
                *cause = Some(self.send(id, to, message, *cause, sink));
            }
            Command::SetTimer { slot, thread, due } => self.set_timer(id, slot, thread, due, *cause),
            Command::CancelTimer { slot } => self.cancel_timer(id, slot),
            Command::Did(fact) => {
                *cause = Some(self.emit(id, *cause, EventKind::Did(fact.with_asked(asked)), sink));
                self.note(&fact);
            }
            Command::Pass { .. } => {} // The dispatcher looks at it when all else is done.
        }
    }

    // -------------------------------------------------------------- points

    /// The program passes a point: the log says so, and what waits for it happens now, before the next step.
    fn pass<S: EventSink>(&mut self, id: NodeId, point: PointKind, cause: &mut Option<EventSeq>, sink: &mut S) {
        let n = self.count_point(id, point);
        *cause = Some(self.emit(id, *cause, EventKind::Did(Fact::Passed { point, n }), sink));
        if self.is_watched(id, point) {
            for i in 0..self.triggers.len() {
                let t = self.triggers[i];
                if t.worker == id && t.point == point && t.n == n {
                    match t.action {
                        Action::BeginFault(f) if t.offset == Span::ZERO => self.begin_fault(f, sink),
                        Action::EndFault(f) if t.offset == Span::ZERO => {
                            let round = self.faults[f as usize].round;
                            self.end_fault(f, round, sink);
                        }
                        _ => self.act_at(self.now + t.offset, t.action),
                    }
                }
            }
        }
    }

    /// A fact at a service or resource is a point of the worker it concerns. What waits for it happens at this instant, when the
    /// atomic step that the fact belongs to is over.
    #[inline]
    fn note(&mut self, fact: &Fact) {
        let (worker, point) = match *fact {
            Fact::Granted(g) => (g.worker, PointKind::Grant),
            Fact::Refused { worker, .. } => (worker, PointKind::Refuse),
            Fact::Expired { acq, .. } => (self.chance.owners[acq.0 as usize], PointKind::Expiry),
            Fact::Applied(e) => (e.worker, PointKind::Apply),
            Fact::Rejected { worker, .. } | Fact::ActivationRejected { worker, .. } => (worker, PointKind::Reject),
            _ => return,
        };
        let n = self.count_point(worker, point);
        if self.is_watched(worker, point) {
            for i in 0..self.triggers.len() {
                let t = self.triggers[i];
                if t.worker == worker && t.point == point && t.n == n {
                    self.act_at(self.now + t.offset, t.action);
                }
            }
        }
    }

    #[inline]
    fn count_point(&mut self, worker: NodeId, point: PointKind) -> u32 {
        let n = &mut self.points[worker.index() * PointKind::COUNT + point.index()];
        *n += 1;
        *n
    }

    // -------------------------------------------------------------- timers

    fn set_timer(&mut self, id: NodeId, slot: Slot, thread: Thread, due: Due, cause: Option<EventSeq>) {
        self.cancel_timer(id, slot);
        let node = &mut self.nodes[id.index()];
        let now = self.now;
        let (at, target) = match due {
            Due::Busy(length) => (now + length, None),
            Due::Sleep(length) => {
                let target = node.clock.read(ClockKind::Monotonic, now) + length;
                (node.clock.when(ClockKind::Monotonic, target, now), Some((ClockKind::Monotonic, target)))
            }
            Due::Reading(kind, target) => (node.clock.when(kind, target, now), Some((kind, target))),
        };
        let place = self.queue.push(at, Rank::Nodes, Pending::Timer { node: id, slot });
        if node.timers.len() <= slot.0 as usize {
            node.timers.resize(slot.0 as usize + 1, Timer::default());
        }
        node.timers[slot.0 as usize] = Timer { place: Some(place), thread, target, cause };
    }

    /// Withdraws a timer, also one that ran out during a pause and was not looked at yet.
    pub(super) fn cancel_timer(&mut self, id: NodeId, slot: Slot) {
        let node = &mut self.nodes[id.index()];
        if let Some(timer) = node.timers.get_mut(slot.0 as usize)
            && let Some(place) = timer.place.take()
        {
            self.queue.withdraw(place);
        }
        let is_it = |item: &Item| *item == Item::Timer { slot };
        if !node.backlog.is_empty() {
            node.backlog.retain(|(_, _, item)| !is_it(item));
        }
        if !self.ready.is_empty() {
            self.ready.retain(|(_, n, item)| *n != id || !is_it(item));
        }
    }

    /// A clock has changed: timers that follow it run out at another true instant.
    pub(super) fn rearm(&mut self, id: NodeId) {
        for slot in 0..self.nodes[id.index()].timers.len() {
            let node = &mut self.nodes[id.index()];
            let Timer { place: Some(place), target: Some((kind, target)), .. } = node.timers[slot] else { continue };
            let at = node.clock.when(kind, target, self.now);
            if at != place.at {
                self.queue.withdraw(place);
                let pending = Pending::Timer { node: id, slot: Slot(slot as u16) };
                node.timers[slot].place = Some(self.queue.push(at, Rank::Nodes, pending));
            }
        }
    }

    // -------------------------------------------------------------- the network

    /// Puts a message on the wire and decides its fate. Returns the sending.
    pub(super) fn send<S: EventSink>(
        &mut self,
        from: NodeId,
        to: NodeId,
        mut message: Message,
        cause: Option<EventSeq>,
        sink: &mut S,
    ) -> EventSeq {
        if !message.kind.reply {
            message.nth = self.number(from, &message);
        } else if !self.muted.is_empty()
            && let Some(i) = self.muted.iter().position(|m| *m == (to, message.call.0))
            && message.payload != Payload::Failed
        {
            self.muted.swap_remove(i);
            return cause.unwrap_or_default();
        }
        let struck = if self.network.active.is_empty() {
            Struck::default()
        } else {
            strike(self.config, &self.network.active, from, to, message.kind, message.nth, &mut self.used)
        };
        let latency = self.latency(from, to, &message, struck.delay, 0);
        let why = self.lost(from, to, &message, &struck);
        let fate = match (why, struck.delay) {
            (Some(_), _) => Fate::Lost,
            (None, Some(_)) => Fate::Delayed,
            (None, None) => Fate::Plain,
        };
        let msg = MsgId(self.next_msg);
        self.next_msg += 1;
        let sent = self.emit(from, cause, EventKind::Sent { msg, to, what: message, fate }, sink);
        let stall = match struck.stall {
            Some(draw) => Some(self.chance.length(draw, self.key(from, to, &message, 3))),
            None => None,
        };
        let flight = Flight { msg, from, to, message, sent_at: self.now, sent, stall };
        match why {
            Some(why) => {
                let lost = EventKind::Lost { msg, from, to, kind: message.kind, why };
                self.emit(from, Some(sent), lost, sink);
            }
            None => self.take_off(flight, latency),
        }
        if let Some(takes) = struck.copy {
            let copy_msg = MsgId(self.next_msg);
            self.next_msg += 1;
            let latency = self.latency(from, to, &message, Some(takes), 1);
            let copy = EventKind::Sent { msg: copy_msg, to, what: message, fate: Fate::Copy { of: msg } };
            let sent = self.emit(from, cause, copy, sink);
            self.take_off(Flight { msg: copy_msg, sent, ..flight }, latency);
        }
        if let Some(Failure { after, .. }) = struck.fail {
            self.fail_back(flight, after, sink);
        }
        sent
    }

    fn take_off(&mut self, flight: Flight, latency: Span) {
        let arrival = self.network.in_order(flight.from, flight.to, self.now + latency);
        let flight = self.flight(flight);
        self.queue.push(arrival, Rank::Nodes, Pending::Deliver { flight });
    }

    /// The sender gets an error, `after` its sending; the real answer, if there is one, never reaches it.
    fn fail_back<S: EventSink>(&mut self, request: Flight, after: Option<Draw>, sink: &mut S) {
        let Flight { from, to, message, .. } = request;
        let there_and_back = self.latency(from, to, &message, None, 0) + self.latency(to, from, &message, None, 0);
        let after = match after {
            Some(draw) => self.chance.length(draw, self.key(from, to, &message, 4)),
            None => there_and_back,
        };
        self.muted.push((from, message.call.0));
        let answer = message.answer(Payload::Failed);
        let msg = MsgId(self.next_msg);
        self.next_msg += 1;
        let sent = self.emit(
            to,
            Some(request.sent),
            EventKind::Sent { msg, to: from, what: answer, fate: Fate::Delayed },
            sink,
        );
        let back = Flight { msg, from: to, to: from, message: answer, sent_at: self.now, sent, stall: None };
        self.take_off(back, after);
    }

    /// The number of this operation among its sender's of this kind; requests of one call share it.
    #[inline]
    fn number(&mut self, from: NodeId, message: &Message) -> u32 {
        let last = &mut self.numbered[from.index() * 32 + message.kind.index()];
        if last.0 != message.call.0 || message.call.0 == 0 {
            *last = (message.call.0, last.1 + 1);
        }
        last.1
    }

    #[inline]
    fn key(&self, from: NodeId, to: NodeId, message: &Message, what: u64) -> [u64; 4] {
        let link = KEY_LINK | u64::from(from.0) << 16 | u64::from(to.0);
        [link, message.kind.index() as u64, u64::from(message.nth), what]
    }

    #[inline]
    fn latency(&mut self, from: NodeId, to: NodeId, message: &Message, by_fault: Option<Draw>, what: u64) -> Span {
        match by_fault.unwrap_or(self.network.link(from, to).one_way) {
            Draw::Fixed(span) => span,
            draw => self.chance.length(draw, self.key(from, to, message, what)),
        }
    }

    fn lost(&mut self, from: NodeId, to: NodeId, message: &Message, struck: &Struck) -> Option<LostWhy> {
        let ppm = self.network.link(from, to).loss_ppm;
        // Asked first and always, so that a fault added elsewhere does not shift later answers.
        let by_chance = ppm > 0 && self.chance.choose(Question::Lost { ppm }, self.key(from, to, message, 2)) == 1;
        if struck.dropped || struck.fail.is_some_and(|f| !f.applied) {
            Some(LostWhy::Dropped)
        } else if self.network.is_cut(from, to) {
            Some(LostWhy::Cut)
        } else if by_chance {
            Some(LostWhy::Loss)
        } else {
            None
        }
    }
}

/// Has this thread of the process died?
fn is_dead(node: &super::world::Node, thread: Thread) -> bool {
    matches!(&node.actor, Actor::Worker(w) if w.is_dead(thread))
}
