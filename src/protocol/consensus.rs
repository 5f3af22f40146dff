//! A lease in a replicated log: several members, one of them the leader, and an effect that exists only once a majority has it.
//!
//! The whole essay is `docs/protocols/consensus.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/consensus.md")]

use super::redis::{self, Served, Server};
use super::{Host, Input};
use crate::base::message::Topic;
use crate::base::{CallId, LocalTime, Message, NodeId, OwnerId, Payload};

/// One member of the group.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Member {
    lead: Option<Lead>,
    /// Number of the youngest entry that it ever appended as a leader. It only grows: an answer to an entry of an earlier leadership is
    /// none to one of this.
    last: u32,
}

/// What only the leader has: the committed state, and what is not committed yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Lead {
    state: Server,
    /// Entries without a majority, oldest first.
    entries: Vec<Entry>,
}

/// One entry of the log.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Entry {
    number: u32,
    /// Members that have it, one bit each.
    stored: u16,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum What {
    Request {
        from: NodeId,
        message: Message,
    },
    /// The leader saw a lease run out; it is over when the group says so.
    Expiry,
}

/// What a member knows besides its state.
pub struct Group<'a> {
    pub served: Served<'a>,
    /// All members, itself included.
    pub members: &'a [NodeId],
}

impl Member {
    /// The leader of the beginning has the empty state; the others follow.
    pub fn new(locks: usize, leads: bool) -> Member {
        Member { lead: leads.then(|| Lead::new(Server::new(locks))), last: 0 }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self, locks: usize, leads: bool) {
        match (&mut self.lead, leads) {
            (Some(lead), true) => {
                lead.state.reset(false);
                lead.entries.clear();
                self.last = 0;
            }
            _ => *self = Member::new(locks, leads),
        }
    }

    /// Whose the lock is, if this member leads: for a resource in the same store.
    pub fn owner(&self, lock: usize, now: LocalTime) -> Option<OwnerId> {
        self.lead.as_ref().and_then(|l| l.state.owner(lock, now))
    }

    /// Ends its leadership. What was committed is on a majority of disks, so whoever comes next has it; what was not is gone.
    pub fn step_down(&mut self) -> Option<Server> {
        self.lead.take().map(|l| l.state)
    }

    /// Gives it what was committed, for the leadership that [`Input::Promoted`] begins.
    pub fn seat(&mut self, state: Server) {
        self.lead = Some(Lead::new(state));
    }
}

impl Lead {
    fn new(state: Server) -> Lead {
        Lead { state, entries: Vec::new() }
    }
}

pub fn on_input(m: &mut Member, group: &Group, input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, .. } => match message.payload {
            // Whoever has an entry has all before it, so the answer speaks for them too.
            Payload::Append => host.send(from, message.answer(Payload::Appended)),
            Payload::Appended => stored(m, group, from, message.call.0, host),
            _ => propose(m, group, What::Request { from, message: *message }, host),
        },
        Input::Timer { .. } => propose(m, group, What::Expiry, host),
        Input::Evict { lock } => {
            if let Some(lead) = &mut m.lead {
                redis::evict(&mut lead.state, &group.served, lock, host);
            }
        }
        Input::Crash { .. } => {
            if let Some(lead) = &mut m.lead {
                lead.entries.clear();
            }
        }
        Input::Promoted => {
            // No lease may end before its owner expects it, and how much of each is over only the old leader knew: all begin anew, at
            // full length, by this leader's clock.
            if let Some(lead) = &mut m.lead {
                redis::rearm(&mut lead.state, &group.served, host);
            }
        }
        // A member is what the log is; it has one thread, no points and no life span.
        Input::Start | Input::Go { .. } | Input::ThreadDied { .. } | Input::EndOfLife | Input::Replaced => {}
    }
}

/// Appends an entry and asks the others to store it.
fn propose(m: &mut Member, group: &Group, what: What, host: &mut impl Host) {
    // Who does not lead says nothing; the client's library goes on to another member.
    let Some(lead) = &mut m.lead else { return };
    m.last += 1;
    let me = host.me();
    let entry = Entry { number: m.last, stored: bit(group, me), what };
    let append = Message::request(Topic::Replicate, CallId(entry.number), Payload::Append);
    lead.entries.push(entry);
    for member in group.members.iter().filter(|n| **n != me) {
        host.send(*member, append);
    }
    commit(lead, group, host);
}

/// A follower has this entry, and all before it.
fn stored(m: &mut Member, group: &Group, from: NodeId, number: u32, host: &mut impl Host) {
    let Some(lead) = &mut m.lead else { return };
    for e in lead.entries.iter_mut().filter(|e| e.number <= number) {
        e.stored |= bit(group, from);
    }
    commit(lead, group, host);
}

/// Carries out, in the order of the log, what a majority has.
fn commit(lead: &mut Lead, group: &Group, host: &mut impl Host) {
    let majority = group.members.len() as u32 / 2 + 1;
    while lead.entries.first().is_some_and(|e| e.stored.count_ones() >= majority) {
        match lead.entries.remove(0).what {
            What::Request { from, message } => redis::serve(&mut lead.state, &group.served, from, &message, host),
            What::Expiry => redis::purge_all(&mut lead.state, &group.served, host),
        }
    }
}

fn bit(group: &Group, node: NodeId) -> u16 {
    group.members.iter().position(|n| *n == node).map_or(0, |i| 1 << i)
}
