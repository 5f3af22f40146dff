//! The loop as a host: what a node asks for is done at once.
//!
//! Invariant: a node's turn is atomic. Whatever its facts set off (a fault "after W1 grant") happens when the turn is over; only at a
//! *point* of its own program can a turn be stopped.

use super::chooser::Chooser;
use super::node::{Node, Timer};
use super::queue::{Rank, Ticket};
use super::tally::Request;
use super::world::{Action, Body, Pending};
use crate::base::{
    AcqId, CallId, Clock, ClockKind, Fact, LocalTime, LockId, Message, NodeId, OwnerId, PointKind, Span, Thread,
    TrueTime,
};
use crate::protocol::params::{Draw, Family};
use crate::protocol::{Due, Host, Purpose, Slot};
use crate::trace::{EventKind, EventSeq, EventSink, TraceEvent};

/// One node's turn.
pub(super) struct Turn<'t, 'c, C: Chooser, S: EventSink> {
    pub body: &'t mut Body<'c, C>,
    pub node: &'t mut Node,
    pub id: NodeId,
    /// The latest event of this turn: cause of the next.
    pub cause: Option<EventSeq>,
    /// When what is being answered was sent.
    pub asked: TrueTime,
    /// Of which call that was; none for what nobody asked.
    pub call: CallId,
    /// The turn has to end: something strikes at the point that this thread has just passed.
    pub stopped: Option<Thread>,
    pub sink: &'t mut S,
}

impl<'t, 'c, C: Chooser, S: EventSink> Turn<'t, 'c, C, S> {
    #[inline]
    pub fn new(
        body: &'t mut Body<'c, C>,
        node: &'t mut Node,
        id: NodeId,
        cause: Option<EventSeq>,
        (asked, call): (TrueTime, CallId),
        sink: &'t mut S,
    ) -> Self {
        // What only events tell is not even remembered where nobody looks.
        let nothing = (None, TrueTime::ZERO, CallId(0));
        let (cause, asked, call) = if S::LOOKS { (cause, asked, call) } else { nothing };
        Turn { body, node, id, cause, asked, call, stopped: None, sink }
    }

    /// What comes next comes of this.
    #[inline]
    fn then(&mut self, event: EventSeq) {
        if S::LOOKS {
            self.cause = Some(event);
        }
    }
}

impl<C: Chooser, S: EventSink> Host for Turn<'_, '_, C, S> {
    #[inline]
    fn me(&self) -> NodeId {
        self.id
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn read(&self, kind: ClockKind) -> LocalTime {
        self.body.reading(self.id, kind)
    }

    #[inline]
    fn draw(&mut self, purpose: Purpose, draw: &Draw) -> Span {
        match *draw {
            Draw::Fixed(span) => span,
            _ => self.body.chance.draw(self.id, purpose, *draw),
        }
    }

    fn number(&mut self, purpose: Purpose, below: u64) -> u64 {
        self.body.chance.number(self.id, purpose, below)
    }

    #[inline]
    fn acquisition(&mut self) -> AcqId {
        self.body.chance.acquisition(self.id)
    }

    // Inlined by force (but in the page, where size counts for more), with all it calls: the message is then made in its place among
    // the flights, not made and copied twice. That is a sixth of the time of a run.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn send(&mut self, to: NodeId, message: Message) {
        let sent = self.body.send(self.id, to, message, self.cause, self.sink);
        self.then(sent);
    }

    #[cold]
    fn shared_id(&self, lock: LockId) -> Option<OwnerId> {
        let process = self.body.process(self.id);
        self.body.shared_ids.iter().find(|s| s.0 == process && s.1 == lock).map(|s| s.2)
    }

    #[cold]
    fn share_id(&mut self, lock: LockId, id: Option<OwnerId>) {
        let process = self.body.process(self.id);
        self.body.shared_ids.retain(|s| s.0 != process || s.1 != lock);
        self.body.shared_ids.extend(id.map(|id| (process, lock, id)));
    }

    fn timer(&mut self, slot: Slot, thread: Thread, due: Due) {
        let Turn { body, node, id, .. } = self;
        let (at, clock, target) = body.due(*id, due);
        let ticket = body.queue.push(at, Rank::Nodes, Pending::Timer { node: *id, slot });
        let cause = if S::LOOKS { self.cause } else { None };
        let timer = Timer { ticket: Some(ticket), thread, clock, target, cause };
        let before = std::mem::replace(node.timer(slot), timer);
        body.withdraw(node, *id, slot, before.ticket);
    }

    #[inline]
    fn cancel(&mut self, slot: Slot) {
        self.body.cancel_timer(self.node, self.id, slot);
    }

    #[inline]
    fn did(&mut self, fact: Fact) {
        if !S::LOOKS && !self.body.waits {
            return; // Nobody hears it.
        }
        if !self.body.interprets {
            self.tell(fact);
        } else {
            self.count(fact);
        }
    }

    #[inline]
    fn pass(&mut self, point: PointKind, thread: Thread) -> bool {
        if !S::LOOKS && !self.body.waits {
            return true;
        }
        let n = self.body.count_point(self.id, point);
        let passed = EventKind::Did(Fact::Passed { point, n });
        let passed = self.body.emit(self.id, self.cause, passed, self.sink);
        self.then(passed);
        if self.body.is_watched(self.id, point) && self.body.strikes(self.id, point, n) {
            self.stopped = Some(thread);
            return false;
        }
        true
    }
}

impl<C: Chooser, S: EventSink> Turn<'_, '_, C, S> {
    #[inline]
    fn tell(&mut self, fact: Fact) {
        self.tell_as_it_is(fact.with_asked(self.asked));
    }

    #[inline]
    fn tell_as_it_is(&mut self, fact: Fact) {
        if S::LOOKS {
            let done = self.body.emit(self.id, self.cause, EventKind::Did(fact), self.sink);
            self.then(done);
        }
        if self.body.waits {
            self.body.note(&fact);
        }
    }

    /// What one node of a quorum did is a vote; what it comes to is told as well. What a service of sessions did may count from an earlier
    /// request than the one at hand.
    #[cold]
    fn count(&mut self, fact: Fact) {
        let id = self.id;
        if let Some(copied) = self.body.copies.iter_mut().find(|c| c.has(id)) {
            // Told of the first, as of the one shard that they are.
            let first = copied.first();
            if let Some(fact) = copied.count(id, fact) {
                self.id = first;
                self.tell(fact);
                self.id = id;
            }
            return;
        }
        let request = Request { call: self.call, sent: self.asked };
        match self.body.tallies.iter_mut().find_map(|t| t.count(id, request, fact)) {
            None if self.is_of_a_line(&fact) => {
                let fact = self.body.asks.as_mut().map_or(fact, |asks| asks.stamp(fact));
                self.tell_as_it_is(fact);
            }
            None => self.tell(fact),
            Some((vote, whole)) => {
                for fact in [vote, whole].into_iter().flatten() {
                    self.tell_as_it_is(fact);
                }
            }
        }
    }
}

impl<C: Chooser, S: EventSink> Turn<'_, '_, C, S> {
    /// Is this node one of a service of sessions?
    fn is_of_a_line(&self, fact: &Fact) -> bool {
        let lock = match *fact {
            Fact::Granted(g) => g.lock,
            Fact::Extended { lock, .. } | Fact::Queued { lock, .. } | Fact::Kept { lock, .. } => lock,
            _ => return false,
        };
        self.body.config.locks[lock.index()].params.family == Family::SessionQueue
    }
}

impl<C: Chooser> Body<'_, C> {
    #[inline]
    pub fn emit<S: EventSink>(
        &mut self,
        node: NodeId,
        cause: Option<EventSeq>,
        kind: EventKind,
        sink: &mut S,
    ) -> EventSeq {
        let seq = EventSeq(self.next_seq);
        if S::LOOKS {
            self.next_seq += 1;
            let local = self.reading(node, ClockKind::Wall);
            sink.on_event(&TraceEvent { seq, at: self.now, node, local, cause, kind });
        }
        seq
    }

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn reading(&self, id: NodeId, kind: ClockKind) -> LocalTime {
        if self.clocks_matter || kind == ClockKind::SuspendBlind {
            self.clocks[id.index()].read(kind, self.now)
        } else {
            Clock::right(self.now)
        }
    }

    // -------------------------------------------------------------- points

    /// What waits for this very point. What is due at once is kept for the end of the turn; true if there is any.
    #[cold]
    fn strikes(&mut self, id: NodeId, point: PointKind, n: u32) -> bool {
        for i in 0..self.triggers.len() {
            let t = self.triggers[i];
            if t.worker == id && t.point == point && t.n == n {
                match t.action {
                    Action::BeginFault(_) | Action::EndFault(_) if t.offset == Span::ZERO => {
                        self.struck_here.push(t.action);
                    }
                    _ => self.act_at(self.now + t.offset, t.action),
                }
            }
        }
        !self.struck_here.is_empty()
    }

    /// A fact at a service or resource is a point of the worker it concerns.
    #[cold]
    fn note(&mut self, fact: &Fact) {
        let (worker, point) = match *fact {
            Fact::Granted(g) => (g.worker, PointKind::Grant),
            Fact::Reentered { worker, .. } => (worker, PointKind::Grant),
            Fact::Refused { worker, .. } => (worker, PointKind::Refuse),
            Fact::Expired { acq, .. } | Fact::TakenOver { acq, .. } => {
                (self.chance.owners[acq.0 as usize], PointKind::Expiry)
            }
            Fact::Applied(e) => (e.worker, PointKind::Apply),
            Fact::Rejected { worker, .. }
            | Fact::ActivationRejected { worker, .. }
            | Fact::ReadRejected { worker, .. }
            | Fact::IssueRejected { worker, .. } => (worker, PointKind::Reject),
            Fact::Issued { worker, .. } => (worker, PointKind::Apply),
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

    /// When a timer set now runs out, and which clock and reading it follows.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn due(&self, id: NodeId, due: Due) -> (TrueTime, Option<ClockKind>, LocalTime) {
        let now = self.now;
        match due {
            Due::Busy(length) => (now + length, None, LocalTime::default()),
            Due::Sleep(length) if !self.clocks_matter => (now + length, None, LocalTime::default()),
            Due::Sleep(length) => {
                let clock = &self.clocks[id.index()];
                let target = clock.read(ClockKind::Monotonic, now) + length;
                (clock.when(ClockKind::Monotonic, target, now), Some(ClockKind::Monotonic), target)
            }
            Due::Reading(kind, target) => (self.clocks[id.index()].when(kind, target, now), Some(kind), target),
        }
    }

    /// Withdraws a timer, also one that ran out during a pause and was not looked at yet.
    #[inline]
    pub fn cancel_timer(&mut self, node: &mut Node, id: NodeId, slot: Slot) {
        let ticket = node.timer(slot).ticket.take();
        self.withdraw(node, id, slot, ticket);
    }

    /// What was in the slot until now does not happen.
    #[inline]
    fn withdraw(&mut self, node: &mut Node, id: NodeId, slot: Slot, ticket: Option<Ticket>) {
        match ticket {
            Some(ticket) => {
                self.queue.withdraw(ticket);
            }
            None if node.backlog.is_empty() && self.ready.is_empty() => {}
            None => self.cancel_waiting(node, id, slot),
        }
    }

    #[cold]
    fn cancel_waiting(&mut self, node: &mut Node, id: NodeId, slot: Slot) {
        let timer = Pending::Timer { node: id, slot };
        node.backlog.retain(|(_, _, pending)| *pending != timer);
        self.ready.retain(|(_, _, pending)| *pending != timer);
    }

    /// A clock has changed: timers that follow it run out at another true instant.
    pub fn rearm(&mut self, node: &mut Node, id: NodeId) {
        for (slot, timer) in node.timers.iter_mut().enumerate() {
            let Timer { ticket: Some(ticket), clock: Some(kind), target, .. } = *timer else { continue };
            let at = self.clocks[id.index()].when(kind, target, self.now);
            let pending = Pending::Timer { node: id, slot: Slot(slot as u16) };
            if self.queue.withdraw(ticket) != Some(at) {
                timer.ticket = Some(self.queue.push(at, Rank::Nodes, pending));
            } else {
                self.queue.put_back(at, ticket, pending);
            }
        }
    }
}
