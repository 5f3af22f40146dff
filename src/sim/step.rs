//! The one transition function: pop, advance, deliver to one node, carry out what it asks for.
//!
//! Ties are broken by the queue (story before nodes, then first in, first out). What falls due at a paused node waits and is handled
//! when the pause ends, in the order in which it fell due, after the story and before anything that a node has due at that instant.
//!
//! What happens to nearly every event is inlined into one function from the queue to the handler; what is rare stands apart.

use super::chooser::Chooser;
use super::door::KEY_FAULT;
use super::host::Turn;
use super::queue::{Place, Rank};
use super::world::{Action, Actor, Pending, Post, World};
use crate::base::{Message, NodeId, Payload, Span, Thread, TrueTime};
use crate::protocol::{Input, consensus, redis, resource, worker};
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
        match self.next() {
            Ok((place, pending)) => {
                self.handle(place, pending, sink);
                Progress::Progressed
            }
            Err(why) => self.ended(why),
        }
    }

    /// Steps until the run ends.
    pub fn run<S: EventSink>(&mut self, sink: &mut S) -> Ending {
        loop {
            if let Progress::Ended(ending) = self.step(sink) {
                return ending;
            }
        }
    }

    /// Takes out what is next and moves time to it, or says why the run is over.
    #[inline]
    fn next(&mut self) -> Result<(Place, Pending), EndWhy> {
        let next = self.body.queue.peek();
        if !self.body.ready.is_empty() {
            let story_first = next.is_some_and(|p| p.is_story() && p.at == self.body.now);
            if !story_first {
                return self.next_ready();
            }
        }
        let Some(place) = next else { return Err(EndWhy::Quiet) };
        if place.at > self.config.horizon {
            return Err(EndWhy::Horizon);
        }
        self.count()?;
        assert!(place.at >= self.body.now, "time went back from {} to {}", self.body.now, place.at);
        self.body.now = place.at;
        self.body.queue.pop().ok_or(EndWhy::Quiet)
    }

    #[cold]
    fn next_ready(&mut self) -> Result<(Place, Pending), EndWhy> {
        self.count()?;
        let ready = self.body.ready.pop();
        ready.map(|(place, _, pending)| (place, pending)).ok_or(EndWhy::Quiet)
    }

    /// One more handled event; an error if that is more than the story allows.
    #[inline]
    fn count(&mut self) -> Result<(), EndWhy> {
        self.body.handled += 1;
        if self.body.handled > self.config.max_events { Err(EndWhy::Events) } else { Ok(()) }
    }

    #[cold]
    fn ended(&mut self, why: EndWhy) -> Progress {
        if why == EndWhy::Horizon {
            self.body.now = self.config.horizon;
        }
        Progress::Ended(Ending { at: self.body.now, why })
    }

    /// Hands what is due to its node, or keeps it until the node's pause is over.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn handle<S: EventSink>(&mut self, place: Place, pending: Pending, sink: &mut S) {
        let message: Message;
        let (id, input, cause, asked) = match pending {
            Pending::Arrive { flight } | Pending::Handle { flight } => {
                let f = &mut self.body.flights[flight as usize];
                let (id, from, sent_at) = (f.to, f.from, f.sent_at);
                let node = &mut self.nodes[id.index()];
                if matches!(pending, Pending::Arrive { .. }) {
                    if !node.up {
                        return self.arrive_at_the_dead(flight, sink);
                    }
                    if S::LOOKS {
                        let arrived = EventKind::Arrived { msg: f.msg, from, what: f.message };
                        let cause = Some(f.cause);
                        let arrival = self.body.emit(id, cause, arrived, sink);
                        self.body.flights[flight as usize].cause = arrival;
                    }
                } else if !self.body.held.is_empty() {
                    self.body.held.retain(|(_, _, held)| *held != flight);
                }
                if node.any_pause && self.keep(place, id, Pending::Handle { flight }) {
                    return;
                }
                let f = &self.body.flights[flight as usize];
                let stall = f.stall;
                if stall.is_some() && self.hold(id, flight) {
                    return;
                }
                let f = self.body.land(flight);
                message = f.message;
                let input = Input::Message { from, message: &message, stall };
                (id, input, Some(f.cause), sent_at)
            }
            Pending::Timer { node: id, slot } => {
                let node = &mut self.nodes[id.index()];
                let timer = node.timer(slot);
                timer.ticket = None;
                let cause = timer.cause;
                if node.any_pause && self.keep(place, id, pending) {
                    return;
                }
                // A server that is down still has what is on its disk, and that runs out.
                if !self.nodes[id.index()].up && !matches!(self.actors[id.index()], Actor::Server(..)) {
                    return;
                }
                (id, Input::Timer { slot }, cause, self.body.now)
            }
            _ => return self.handle_rare(place, pending, sink),
        };
        self.dispatch(id, input, cause, asked, sink);
    }

    /// What happens once or twice in a story.
    #[cold]
    fn handle_rare<S: EventSink>(&mut self, place: Place, pending: Pending, sink: &mut S) {
        match pending {
            Pending::FaultBegins { fault } => self.begin_fault(fault, sink),
            Pending::FaultEnds { fault, round } => self.end_fault(fault, round, sink),
            Pending::Restart { node } => self.restart(node, sink),
            Pending::Promote { group } => self.promote(group as usize, sink),
            Pending::Go { node, thread } => {
                if !self.keep(place, node, pending) {
                    self.interrupt(node, Input::Go { thread }, None, sink);
                }
            }
            Pending::Start { node } => {
                self.nodes[node.index()].due = true;
                if !self.keep(place, node, pending) && self.nodes[node.index()].up {
                    self.start(node, None, sink);
                }
            }
            Pending::EndOfLife { node } => {
                if !self.keep(place, node, pending) && self.nodes[node.index()].up {
                    self.interrupt(node, Input::EndOfLife, None, sink);
                }
            }
            Pending::Arrive { .. } | Pending::Handle { .. } | Pending::Timer { .. } => {} // No rarities.
        }
    }

    #[cold]
    fn arrive_at_the_dead<S: EventSink>(&mut self, flight: u32, sink: &mut S) {
        let f = *self.body.land(flight);
        let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why: LostWhy::Down };
        let cause = self.body.emit(f.to, Some(f.cause), lost, sink);
        if self.nodes[f.to.index()].refuses && !f.message.kind.reply {
            self.body.send(f.to, f.from, f.message.answer(Payload::Failed), Some(cause), sink);
        }
    }

    /// If the thread that this is for is paused: keeps it until the pause is over.
    #[cold]
    fn keep(&mut self, place: Place, id: NodeId, pending: Pending) -> bool {
        let node = &mut self.nodes[id.index()];
        let thread = match pending {
            Pending::Handle { flight } => {
                self.actors[id.index()].addressee(&self.body.flights[flight as usize].message)
            }
            Pending::Timer { slot, .. } => node.timer(slot).thread,
            Pending::Go { thread, .. } => thread,
            _ => Thread::Main,
        };
        let paused = node.is_paused(thread);
        if paused {
            node.backlog.push((place, thread, pending));
        }
        paused
    }

    /// Holds a stalled message before its handler, while others are served. False if the stall is over, or if the handler itself has a
    /// seam: then it lies there.
    #[cold]
    fn hold(&mut self, id: NodeId, flight: u32) -> bool {
        let f = &mut self.body.flights[flight as usize];
        if let Actor::Shard(_, params) = &self.actors[id.index()]
            && resource::two_steps(params, &f.message)
        {
            return false;
        }
        let until = self.body.now + f.stall.take().unwrap_or(Span::ZERO);
        let ticket = self.body.queue.push(until, Rank::Nodes, Pending::Handle { flight });
        self.body.held.push((ticket, id, flight));
        true
    }

    // -------------------------------------------------------------- turns

    /// A process begins: a worker at its moment, or when it is back if that is later.
    pub(super) fn start<S: EventSink>(&mut self, id: NodeId, cause: Option<EventSeq>, sink: &mut S) {
        let again = std::mem::replace(&mut self.nodes[id.index()].begun, true);
        if let Some(life) = self.config.workers.get(id.index()).and_then(|w| w.life.filter(|_| !again)) {
            let life = self.body.chance.length(life, [KEY_FAULT, 3 << 16 | u64::from(id.0), 0, 0]);
            self.body.queue.push(self.body.now + life, Rank::Story, Pending::EndOfLife { node: id });
        }
        self.interrupt(id, Input::Start, cause, sink);
    }

    /// A turn that neither a message nor a timer begins.
    #[cold]
    #[inline(never)]
    pub(super) fn interrupt<S: EventSink>(&mut self, id: NodeId, input: Input, cause: Option<EventSeq>, sink: &mut S) {
        self.dispatch(id, input, cause, self.body.now, sink);
    }

    /// One node's turn. It runs on through every point that nothing strikes at; where something does, it happens now, and the turn goes
    /// on if the thread may still run.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn dispatch<S: EventSink>(
        &mut self,
        id: NodeId,
        mut input: Input,
        mut cause: Option<EventSeq>,
        mut asked: TrueTime,
        sink: &mut S,
    ) {
        while let Some(thread) = self.take_turn(id, input, cause, asked, sink) {
            cause = self.body.last_of_turn;
            if !self.strike(id, thread, sink) {
                return;
            }
            input = Input::Go { thread };
            asked = self.body.now;
        }
    }

    /// What waits for the point that this thread has just passed happens. True if the thread may go on at once.
    #[cold]
    fn strike<S: EventSink>(&mut self, id: NodeId, thread: Thread, sink: &mut S) -> bool {
        for action in std::mem::take(&mut self.body.struck_here) {
            match action {
                Action::BeginFault(f) => self.begin_fault(f, sink),
                Action::EndFault(f) => self.end_fault(f, self.body.faults[f as usize].round, sink),
                Action::StartWorker(_) => self.body.act_at(self.body.now, action),
            }
        }
        if !self.nodes[id.index()].up || self.actors[id.index()].is_dead(thread) {
            return false;
        }
        let place = self.body.queue.here(self.body.now);
        !self.keep(place, id, Pending::Go { node: id, thread })
    }

    /// Calls the handler. Returns the thread that has to stop at a point, if any.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn take_turn<S: EventSink>(
        &mut self,
        id: NodeId,
        input: Input,
        cause: Option<EventSeq>,
        asked: TrueTime,
        sink: &mut S,
    ) -> Option<Thread> {
        let setup = &self.setup;
        let node = &mut self.nodes[id.index()];
        let mut turn = Turn::new(&mut self.body, node, id, cause, asked, sink);
        match &mut self.actors[id.index()] {
            Actor::Worker(w, spec) => {
                let set = worker::Setting {
                    program: &spec.program,
                    client: &spec.client,
                    locks: &setup.locks,
                    shards: &setup.shards,
                };
                worker::on_input(w, &set, input, &mut turn);
            }
            Actor::Server(s, Post { locks, peers, .. }) => {
                let served = redis::Served { locks, others: peers, journal: setup.journal };
                redis::on_input(s, &served, input, &mut turn);
            }
            Actor::Member(m, Post { locks, peers, .. }) => {
                let served = redis::Served { locks, others: &[], journal: false };
                consensus::on_input(m, &consensus::Group { served, members: peers }, input, &mut turn);
            }
            Actor::Shard(s, params) => {
                resource::on_input(s, &resource::Setting { params, lock_nodes: &setup.lock_nodes }, input, &mut turn);
            }
        }
        let (last, stopped) = (turn.cause, turn.stopped);
        if S::LOOKS {
            self.body.last_of_turn = last;
        }
        stopped
    }
}
