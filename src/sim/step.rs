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
use super::world::{Action, Actor, Pending, Post, Site, World};
use crate::base::message::Topic;
use crate::base::{CallId, Message, NodeId, Payload, Span, Thread, TrueTime};
use crate::protocol::{Input, connection, consensus, record, redis, resource, worker};
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
        let Some((place, pending)) = self.next() else { return self.ended() };
        self.handle(place, pending, sink);
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

    /// Takes out what is next and moves time to it. Nothing if the run is over.
    #[inline]
    fn next(&mut self) -> Option<(Place, Pending)> {
        let next = self.body.queue.peek();
        if !self.body.ready.is_empty() {
            let story_first = next.is_some_and(|(p, _)| p.is_story() && p.at == self.body.now);
            if !story_first {
                return self.next_ready();
            }
        }
        let (place, pending) = next?;
        if place.at > self.config.horizon || !self.count() {
            return None;
        }
        assert!(place.at >= self.body.now, "time went back from {} to {}", self.body.now, place.at);
        self.body.now = place.at;
        self.body.queue.pop();
        Some((place, pending))
    }

    #[cold]
    fn next_ready(&mut self) -> Option<(Place, Pending)> {
        if !self.count() {
            return None;
        }
        self.body.ready.pop().map(|(place, _, pending)| (place, pending))
    }

    /// One more handled event; false if that is more than the story allows.
    #[inline]
    fn count(&mut self) -> bool {
        self.body.handled += 1;
        self.body.handled <= self.config.max_events
    }

    #[cold]
    fn ended(&mut self) -> Progress {
        let why = match self.body.queue.peek() {
            _ if self.body.handled > self.config.max_events => EndWhy::Events,
            None => EndWhy::Quiet,
            Some(_) => EndWhy::Horizon,
        };
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
                let f = &self.body.flights[flight as usize];
                let (id, from, stall, sent_at, msg) = (f.to, f.from, f.stall, f.sent_at, f.msg);
                message = f.message;
                let mut cause = f.cause;
                let (up, any_pause) = (self.sites[id.index()].node.up, self.sites[id.index()].node.any_pause);
                if matches!(pending, Pending::Arrive { .. }) {
                    if !up {
                        return self.arrive_at_the_dead(flight, sink);
                    }
                    if message.kind.topic == Topic::Replicate && self.lost_with_its_sender(flight, sink) {
                        return;
                    }
                    if S::LOOKS {
                        let arrived = EventKind::Arrived { msg, from, what: message };
                        cause = self.body.emit(id, Some(cause), arrived, sink);
                        self.body.flights[flight as usize].cause = cause;
                    }
                } else {
                    self.body.held.retain(|(_, _, held)| *held != flight);
                }
                if any_pause && self.keep(place, id, Pending::Handle { flight }) {
                    return;
                }
                if stall.is_some() && self.hold(id, flight) {
                    return;
                }
                self.body.land(flight);
                (id, Input::Message { from, message: &message, stall }, Some(cause), sent_at)
            }
            Pending::Timer { node: id, slot } => {
                let node = &mut self.sites[id.index()].node;
                let (up, any_pause) = (node.up, node.any_pause);
                let timer = node.timer(slot);
                timer.ticket = None;
                let cause = timer.cause;
                if any_pause && self.keep(place, id, pending) {
                    return;
                }
                // A server that is down still has what is on its disk, and that runs out.
                if !up && !matches!(self.sites[id.index()].actor, Actor::Server(..)) {
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
                self.sites[node.index()].node.due = true;
                if !self.keep(place, node, pending) && self.sites[node.index()].node.up {
                    self.start(node, None, sink);
                }
            }
            Pending::EndOfLife { node } => {
                if !self.keep(place, node, pending) && self.sites[node.index()].node.up {
                    self.interrupt(node, Input::EndOfLife, None, sink);
                }
            }
            Pending::Arrive { .. } | Pending::Handle { .. } | Pending::Timer { .. } => {} // No rarities.
        }
    }

    /// A copy that lags is still at the primary, so it ends with it.
    #[cold]
    fn lost_with_its_sender<S: EventSink>(&mut self, flight: u32, sink: &mut S) -> bool {
        let f = self.body.flights[flight as usize];
        let sender = &self.sites[f.from.index()].node;
        let lost = !f.message.kind.reply && !sender.up && sender.crashed_at >= f.sent_at;
        if lost {
            self.body.land(flight);
            let why = LostWhy::Gone;
            let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why };
            self.body.emit(f.from, Some(f.cause), lost, sink);
        }
        lost
    }

    #[cold]
    fn arrive_at_the_dead<S: EventSink>(&mut self, flight: u32, sink: &mut S) {
        let f = self.body.flights[flight as usize];
        self.body.land(flight);
        let lost = EventKind::Lost { msg: f.msg, from: f.from, to: f.to, kind: f.message.kind, why: LostWhy::Down };
        let cause = self.body.emit(f.to, Some(f.cause), lost, sink);
        let Site { actor, node } = &self.sites[f.to.index()];
        // Where one connects first, the machine of a process that is down says so.
        let refuses = node.refuses || matches!(actor, Actor::Sessions(..));
        if refuses && !f.message.kind.reply {
            self.body.send(f.to, f.from, f.message.answer(Payload::Failed), Some(cause), sink);
        }
    }

    /// If the thread that this is for is paused: keeps it until the pause is over.
    #[cold]
    fn keep(&mut self, place: Place, id: NodeId, pending: Pending) -> bool {
        let Site { actor, node } = &mut self.sites[id.index()];
        let thread = match pending {
            Pending::Handle { flight } => actor.addressee(&self.body.flights[flight as usize].message),
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
        if let Actor::Shard(_, params) = &self.sites[id.index()].actor
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
        let again = std::mem::replace(&mut self.sites[id.index()].node.begun, true);
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
        if !self.sites[id.index()].node.up || self.sites[id.index()].actor.is_dead(thread) {
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
        // What a store may read of its own locks is read before its turn.
        let rows = if self.setup.one_store { self.lock_rows() } else { Vec::new() };
        let setup = &self.setup;
        let mut commit = None;
        let Site { actor, node } = &mut self.sites[id.index()];
        let call = match &input {
            Input::Message { message, .. } if S::LOOKS => message.call,
            _ => CallId::default(),
        };
        let mut turn = Turn::new(&mut self.body, node, id, cause, (asked, call), sink);
        match actor {
            Actor::Worker(w, spec) => {
                let set = worker::Setting {
                    program: &spec.program,
                    client: &spec.client,
                    locks: &setup.locks,
                    shards: &setup.shards,
                    copied: &setup.copied,
                };
                worker::on_input(w, &set, input, &mut turn);
            }
            Actor::Server(s, Post { locks, peers, .. }) => {
                let served = redis::Served { locks, others: peers, journal: setup.journal };
                redis::on_input(s, &served, input, &mut turn);
            }
            Actor::Member(m, Post { locks, peers, .. }) => {
                if let (Input::Message { from, .. }, Some(asks)) = (&input, &mut turn.body.asks) {
                    asks.arrived(*from, asked);
                }
                let served = redis::Served { locks, others: &[], journal: false };
                consensus::on_input(m, &consensus::Group { served, members: peers }, input, &mut turn);
            }
            Actor::Sessions(s, Post { locks, .. }) => {
                let served = redis::Served { locks, others: &[], journal: false };
                connection::on_input(s, &served, input, &mut turn);
            }
            Actor::Store(s, Post { locks, .. }) => record::on_input(s, locks, input, &mut turn),
            Actor::Shard(s, params) => {
                let set = resource::Setting { params, locks: &setup.locks, rows: &rows };
                resource::on_input(s, &set, input, &mut turn);
                commit = s.due();
            }
        }
        let (last, stopped) = (turn.cause, turn.stopped);
        if S::LOOKS {
            self.body.last_of_turn = last;
        }
        if let Some((from, message)) = commit {
            self.commit(id, (from, &message), &rows, last, sink);
        }
        stopped
    }
}
