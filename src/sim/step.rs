//! The one transition function: pop, advance, deliver to one node, carry out what it asks for.
//!
//! Ties are broken by the queue (story before nodes, then first in, first out). What falls due at a paused node waits and is handled
//! when the pause ends, in the order in which it fell due, after the story and before anything that a node has due at that instant.

use super::chooser::Chooser;
use super::door::KEY_FAULT;
use super::host::Turn;
use super::queue::{Place, Rank};
use super::world::{Action, Actor, Flight, Item, Pending, World};
use crate::base::{NodeId, Payload, Span, Thread, TrueTime};
use crate::protocol::{Input, redis, resource, worker};
use crate::trace::{EndWhy, Ending, EventKind, EventSeq, EventSink, LostWhy};

/// What one step came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    Progressed,
    Ended(Ending),
}

impl<C: Chooser> World<'_, C> {
    /// Handles the next event.
    #[inline]
    pub fn step<S: EventSink>(&mut self, sink: &mut S) -> Progress {
        let next = self.body.queue.peek();
        if !self.body.ready.is_empty() {
            let story_first = next.is_some_and(|p| p.is_story() && p.at == self.body.now);
            if !story_first {
                return self.step_ready(sink);
            }
        }
        let Some(place) = next else {
            return self.ended(self.body.now, EndWhy::Quiet);
        };
        if place.at > self.config.horizon {
            return self.ended(self.config.horizon, EndWhy::Horizon);
        }
        if !self.count() {
            return self.ended(self.body.now, EndWhy::Events);
        }
        let Some((_, pending)) = self.body.queue.pop() else { return Progress::Progressed };
        assert!(place.at >= self.body.now, "time went back from {} to {}", self.body.now, place.at);
        self.body.now = place.at;
        match pending {
            Pending::Deliver { flight } => self.arrive(place, flight, sink),
            Pending::Timer { node, slot } => {
                self.body.nodes[node.index()].timers[slot.0 as usize].ticket = None;
                self.handle_item(place, node, Item::Timer { slot }, sink);
            }
            Pending::Handle { flight } => self.let_go(place, flight, sink),
            Pending::Start { node } => {
                self.body.nodes[node.index()].due = true;
                self.handle_item(place, node, Item::Start, sink);
            }
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

    #[cold]
    fn step_ready<S: EventSink>(&mut self, sink: &mut S) -> Progress {
        if !self.count() {
            return self.ended(self.body.now, EndWhy::Events);
        }
        if let Some((place, node, item)) = self.body.ready.pop() {
            self.handle_item(place, node, item, sink);
        }
        Progress::Progressed
    }

    #[cold]
    fn ended(&mut self, at: TrueTime, why: EndWhy) -> Progress {
        self.body.now = at;
        Progress::Ended(Ending { at, why })
    }

    /// One more handled event; false if that is more than the story allows.
    #[inline]
    fn count(&mut self) -> bool {
        self.body.handled += 1;
        self.body.handled <= self.config.max_events
    }

    #[inline]
    fn arrive<S: EventSink>(&mut self, place: Place, flight: u32, sink: &mut S) {
        let f = &self.body.flights[flight as usize];
        let (from, to, sent) = (f.from, f.to, f.sent);
        if !self.body.nodes[to.index()].up {
            return self.arrive_at_the_dead(flight, sink);
        }
        let cause = if S::LOOKS {
            let arrived = EventKind::Arrived { msg: f.msg, from, what: f.message };
            self.body.emit(to, Some(sent), arrived, sink)
        } else {
            EventSeq::default()
        };
        self.handle_item(place, to, Item::Message { flight, cause }, sink);
    }

    #[cold]
    fn arrive_at_the_dead<S: EventSink>(&mut self, flight: u32, sink: &mut S) {
        let f = *self.body.land(flight);
        let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why: LostWhy::Down };
        let cause = self.body.emit(f.to, Some(f.sent), lost, sink);
        if self.body.nodes[f.to.index()].refuses && !f.message.kind.reply {
            self.body.send(f.to, f.from, f.message.answer(Payload::Failed), Some(cause), sink);
        }
    }

    /// Hands an item to its node, or keeps it until the pause is over.
    #[inline]
    fn handle_item<S: EventSink>(&mut self, place: Place, id: NodeId, item: Item, sink: &mut S) {
        let actor = &self.actors[id.index()];
        let node = &mut self.body.nodes[id.index()];
        let thread = match item {
            Item::Message { flight, .. } => actor.addressee(&self.body.flights[flight as usize].message),
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
                let f = *self.body.land(flight);
                if f.stall.is_some() && self.hold(id, f, cause) {
                    return;
                }
                let input = Input::Message { from: f.from, message: &f.message, stall: f.stall };
                self.dispatch(id, input, Some(cause), f.sent_at, sink);
            }
            Item::Timer { slot } => {
                let cause = node.timers[slot.0 as usize].cause;
                // A server that is down still has what is on its disk, and that runs out.
                if node.up || matches!(actor, Actor::Server(_)) {
                    self.dispatch(id, Input::Timer { slot }, cause, self.body.now, sink);
                }
            }
            Item::Go { thread } => self.dispatch(id, Input::Go { thread }, None, self.body.now, sink),
            Item::Start if node.up => self.start(id, None, sink),
            Item::EndOfLife if node.up => self.dispatch(id, Input::EndOfLife, None, self.body.now, sink),
            Item::Start | Item::EndOfLife => {}
        }
    }

    // -------------------------------------------------------------- stalls

    /// Holds a stalled message before its handler, while others are served. False if the handler itself has a seam: the stall lies there.
    #[cold]
    fn hold(&mut self, id: NodeId, f: Flight, cause: EventSeq) -> bool {
        let shard = id.index().checked_sub(self.setup.first_shard);
        if shard.is_some_and(|s| resource::two_steps(&self.config.shards[s].params, &f.message)) {
            return false;
        }
        let until = self.body.now + f.stall.unwrap_or(Span::ZERO);
        let flight = self.body.flight(Flight { stall: None, ..f });
        let ticket = self.body.queue.push(until, Rank::Nodes, Pending::Handle { flight });
        self.body.held.push((ticket, id, Item::Message { flight, cause }));
        true
    }

    #[cold]
    fn let_go<S: EventSink>(&mut self, place: Place, flight: u32, sink: &mut S) {
        let is_it = |item: &Item| matches!(item, Item::Message { flight: f, .. } if *f == flight);
        if let Some(i) = self.body.held.iter().position(|(_, _, item)| is_it(item)) {
            let (_, id, item) = self.body.held.remove(i);
            self.handle_item(place, id, item, sink);
        }
    }

    // -------------------------------------------------------------- turns

    /// A process begins: a worker at its moment, or when it is back if that is later.
    pub(super) fn start<S: EventSink>(&mut self, id: NodeId, cause: Option<EventSeq>, sink: &mut S) {
        let again = std::mem::replace(&mut self.body.nodes[id.index()].begun, true);
        if let Some(life) = self.config.workers.get(id.index()).and_then(|w| w.life.filter(|_| !again)) {
            let life = self.body.chance.length(life, [KEY_FAULT, 3 << 16 | u64::from(id.0), 0, 0]);
            self.body.queue.push(self.body.now + life, Rank::Story, Pending::EndOfLife { node: id });
        }
        self.dispatch(id, Input::Start, cause, self.body.now, sink);
    }

    /// One node's turn. It runs on through every point that nothing strikes at; where something does, it happens now, and the turn goes
    /// on if the thread may still run.
    #[inline]
    pub(super) fn dispatch<S: EventSink>(
        &mut self,
        id: NodeId,
        input: Input,
        cause: Option<EventSeq>,
        asked: TrueTime,
        sink: &mut S,
    ) {
        if let Some(thread) = self.take_turn(id, input, cause, asked, sink) {
            self.strike_and_go_on(id, thread, sink);
        }
    }

    #[cold]
    fn strike_and_go_on<S: EventSink>(&mut self, id: NodeId, mut thread: Thread, sink: &mut S) {
        loop {
            let cause = self.body.last_of_turn;
            for action in std::mem::take(&mut self.body.struck_here) {
                match action {
                    Action::BeginFault(f) => self.begin_fault(f, sink),
                    Action::EndFault(f) => self.end_fault(f, self.body.faults[f as usize].round, sink),
                    Action::StartWorker(_) => self.body.act_at(self.body.now, action),
                }
            }
            let node = &mut self.body.nodes[id.index()];
            if !node.up || self.actors[id.index()].is_dead(thread) {
                return;
            }
            if node.is_paused(thread) {
                let place = self.body.queue.here(self.body.now);
                node.backlog.push((place, thread, Item::Go { thread }));
                return;
            }
            match self.take_turn(id, Input::Go { thread }, cause, self.body.now, sink) {
                Some(t) => thread = t,
                None => return,
            }
        }
    }

    /// Calls the handler. Returns the thread that has to stop at a point, if any.
    #[inline]
    fn take_turn<S: EventSink>(
        &mut self,
        id: NodeId,
        input: Input,
        cause: Option<EventSeq>,
        asked: TrueTime,
        sink: &mut S,
    ) -> Option<Thread> {
        let setup = &self.setup;
        let mut turn = Turn { body: &mut self.body, id, cause, asked, stopped: None, sink };
        match &mut self.actors[id.index()] {
            Actor::Worker(w) => {
                let spec = &self.config.workers[id.index()];
                let set = worker::Setting {
                    program: &spec.program,
                    client: &spec.client,
                    locks: &setup.locks,
                    shards: &setup.shards,
                };
                worker::on_input(w, &set, input, &mut turn);
            }
            Actor::Server(s) => {
                let served = redis::Served { locks: &setup.served[id.index() - setup.workers], journal: setup.journal };
                redis::on_input(s, &served, input, &mut turn);
            }
            Actor::Shard(s) => {
                let set = resource::Setting {
                    params: &self.config.shards[id.index() - setup.first_shard].params,
                    lock_nodes: &setup.lock_nodes,
                };
                resource::on_input(s, &set, input, &mut turn);
            }
        }
        let (last, stopped) = (turn.cause, turn.stopped);
        if S::LOOKS {
            self.body.last_of_turn = last;
        }
        stopped
    }
}
