//! Messages on their way: numbered, given a fate when they are sent, and put on the wire.

use super::chooser::{Chooser, Question};
use super::network::{Failure, Struck, strike};
use super::queue::Rank;
use super::world::{Body, Flight, Pending};
use crate::base::message::Topic;
use crate::base::{Message, MsgId, NodeId, Payload, Span};
use crate::protocol::params::Draw;
use crate::trace::{EventKind, EventSeq, EventSink, Fate, LostWhy};

impl<C: Chooser> Body<'_, C> {
    /// Puts a message on the wire and decides its fate. Returns the sending.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn send<S: EventSink>(
        &mut self,
        from: NodeId,
        mut to: NodeId,
        mut message: Message,
        cause: Option<EventSeq>,
        sink: &mut S,
    ) -> EventSeq {
        if !message.kind.reply {
            message.nth = self.number(from, to, &message);
            if !self.groups.is_empty() {
                to = self.route(from, to);
            }
        }
        match self.network.plain(from, to) {
            Some(latency) => {
                let msg = MsgId(self.next_msg);
                self.next_msg += 1;
                let sent = self.emit(from, cause, EventKind::Sent { msg, to, what: message, fate: Fate::Plain }, sink);
                // Field by field, so that the message is made in its place.
                let flight = self.free_flight();
                let f = &mut self.flights[flight as usize];
                f.message = message;
                (f.msg, f.from, f.to) = (msg, from, to);
                (f.sent_at, f.cause, f.stall) = (self.now, sent, None);
                self.queue.push(self.now + latency, Rank::Nodes, Pending::Arrive { flight });
                sent
            }
            _ => self.send_with_care(from, to, message, cause, sink),
        }
    }

    /// Sending while something may happen to messages: chance, cuts, faults.
    #[cold]
    fn send_with_care<S: EventSink>(
        &mut self,
        from: NodeId,
        to: NodeId,
        message: Message,
        cause: Option<EventSeq>,
        sink: &mut S,
    ) -> EventSeq {
        if message.kind.reply
            && message.payload != Payload::Failed
            && let Some(i) = self.muted.iter().position(|m| *m == (to, from, message.call.0))
        {
            // The story has this operation answered by an error instead.
            self.muted.swap_remove(i);
            return cause.unwrap_or_default();
        }
        let struck = strike(self.config, &self.network.active, from, to, message.kind, message.nth, &mut self.used);
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
        let stall = struck.stall.map(|draw| {
            let key = self.chance.key_of_message(from, to, &message, 3);
            self.chance.length(draw, key)
        });
        let flight = Flight { message, msg, from, to, sent_at: self.now, cause: sent, stall };
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
            let latency = self.latency(from, to, &message, takes, 1);
            let copy = EventKind::Sent { msg: copy_msg, to, what: message, fate: Fate::Copy { of: msg } };
            let sent = self.emit(from, cause, copy, sink);
            self.take_off(Flight { msg: copy_msg, cause: sent, ..flight }, latency);
        }
        if let Some(Failure { after, .. }) = struck.fail {
            self.fail_back(flight, after, sink);
        }
        sent
    }

    fn take_off(&mut self, flight: Flight, latency: Span) {
        let arrival = self.network.in_order(flight.from, flight.to, self.now + latency);
        let free = self.free_flight();
        self.flights[free as usize] = flight;
        self.queue.push(arrival, Rank::Nodes, Pending::Arrive { flight: free });
    }

    /// The sender gets an error, `after` its sending; the real answer, if there is one, never reaches it.
    fn fail_back<S: EventSink>(&mut self, request: Flight, after: Option<Draw>, sink: &mut S) {
        let Flight { from, to, message, .. } = request;
        let after = match after {
            Some(draw) => {
                let key = self.chance.key_of_message(from, to, &message, 4);
                self.chance.length(draw, key)
            }
            None => self.latency(from, to, &message, None, 0) + self.latency(to, from, &message, None, 0),
        };
        self.muted.push((from, to, message.call.0));
        let answer = message.answer(Payload::Failed);
        let msg = MsgId(self.next_msg);
        self.next_msg += 1;
        let event = EventKind::Sent { msg, to: from, what: answer, fate: Fate::Delayed };
        let sent = self.emit(to, Some(request.cause), event, sink);
        let back = Flight { message: answer, msg, from: to, to: from, sent_at: self.now, cause: sent, stall: None };
        self.take_off(back, after);
    }

    /// The number of this operation among its sender's of this kind; requests of one call share it.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn number(&mut self, from: NodeId, to: NodeId, message: &Message) -> u32 {
        if message.kind.topic == Topic::Notify {
            // Nobody asked for it: it counts by whom it is for.
            let last = &mut self.numbered[to.index() * 32 + message.kind.index()];
            last.1 += 1;
            return last.1;
        }
        let last = &mut self.numbered[from.index() * 32 + message.kind.index()];
        if last.0 != message.call.0 || message.call.0 == 0 {
            // Set and expire are two calls, and one acquire to whoever counts.
            let one_more = u32::from(!matches!(message.payload, Payload::Expire { .. }));
            *last = (message.call.0, last.1 + one_more);
        }
        last.1
    }

    fn latency(&mut self, from: NodeId, to: NodeId, message: &Message, by_fault: Option<Draw>, what: u64) -> Span {
        let draw = by_fault.unwrap_or(self.network.link(from, to).one_way);
        let key = self.chance.key_of_message(from, to, message, what);
        self.chance.length(draw, key)
    }

    fn lost(&mut self, from: NodeId, to: NodeId, message: &Message, struck: &Struck) -> Option<LostWhy> {
        let ppm = self.network.link(from, to).loss_ppm;
        // Asked first and always, so that a fault added elsewhere does not shift later answers.
        let key = self.chance.key_of_message(from, to, message, 2);
        let by_chance = ppm > 0 && self.chance.choose(Question::Lost { ppm }, key) == 1;
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
