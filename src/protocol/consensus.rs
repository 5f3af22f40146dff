//! A lease in a replicated log: several members, one of them the leader, and an effect that exists only once a majority has it.
//!
//! The whole essay is `docs/protocols/consensus.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/consensus.md")]

use super::queue::{self, Queue};
use super::redis::{self, Served, Server};
use super::{Host, Input};
use crate::base::message::Topic;
use crate::base::{CallId, LocalTime, LockId, Message, NodeId, OwnerId, Payload};

/// One member of the group.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Member {
    lead: Option<Lead>,
    /// Number of the youngest entry that it ever appended as a leader. It only grows: an answer to an entry of an earlier leadership is
    /// none to one of this.
    last: u32,
    /// What it knew when it was replaced, if nobody told it that it was.
    past: Option<Queue>,
}

/// What the group agrees on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Machine {
    /// Keys with a TTL.
    Keys(Server),
    /// Sessions, and a line of entries for each lock.
    Line(Queue),
}

impl Machine {
    pub fn new(locks: usize, is_queue: bool) -> Machine {
        if is_queue { Machine::Line(Queue::new(locks)) } else { Machine::Keys(Server::new(locks)) }
    }

    fn reset(&mut self) {
        match self {
            Machine::Keys(s) => s.reset(false),
            Machine::Line(q) => q.reset(),
        }
    }

    fn rearm(&mut self, served: &Served, host: &mut impl Host) {
        match self {
            Machine::Keys(s) => redis::rearm(s, served, host),
            Machine::Line(q) => queue::rearm(q, served, host),
        }
    }

    fn evict(&mut self, served: &Served, lock: Option<LockId>, host: &mut impl Host) {
        match self {
            Machine::Keys(s) => redis::evict(s, served, lock, host),
            Machine::Line(q) => queue::evict(q, lock, host),
        }
    }

    /// Carries out an entry that a majority has.
    fn apply(&mut self, served: &Served, what: What, host: &mut impl Host) {
        match (self, what) {
            (Machine::Keys(s), What::Request { from, message }) => redis::serve(s, served, from, &message, host),
            (Machine::Keys(s), What::Expiry) => redis::purge_all(s, served, host),
            (Machine::Keys(s), What::EndOf { worker, .. }) => redis::expire_of(s, served, worker, host),
            (Machine::Line(q), What::Request { from, message }) => queue::serve(q, served, from, &message, host),
            (Machine::Line(q), What::Expiry) => queue::expire_overdue(q, served, host),
            (Machine::Line(q), What::EndOf { worker, session }) => queue::expire(q, served, worker, session, host),
            (Machine::Line(q), What::Disconnect { worker }) => queue::disconnected(q, served, worker, host),
            (Machine::Keys(_), What::Disconnect { .. }) => {} // A lease knows no connections.
        }
    }
}

/// What only the leader has: the committed state, and what is not committed yet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Lead {
    state: Machine,
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
    /// The leader saw a lease or a session run out; it is over when the group says so.
    Expiry,
    /// What this worker has, or this session, is ended.
    EndOf {
        worker: Option<NodeId>,
        session: Option<OwnerId>,
    },
    /// The connection of this worker is broken.
    Disconnect {
        worker: NodeId,
    },
}

/// What a member knows besides its state.
pub struct Group<'a> {
    pub served: Served<'a>,
    /// All members, itself included.
    pub members: &'a [NodeId],
}

impl Member {
    /// The leader of the beginning has the empty state; the others follow.
    pub fn new(locks: usize, is_queue: bool, leads: bool) -> Member {
        Member { lead: leads.then(|| Lead::new(Machine::new(locks, is_queue))), ..Member::default() }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self, locks: usize, is_queue: bool, leads: bool) {
        match (&mut self.lead, leads) {
            (Some(lead), true) => {
                lead.state.reset();
                lead.entries.clear();
                self.last = 0;
                self.past = None;
            }
            _ => *self = Member::new(locks, is_queue, leads),
        }
    }

    /// Whose the lock is, if this member leads: for a resource in the same store.
    pub fn owner(&self, lock: usize, now: LocalTime) -> Option<OwnerId> {
        match &self.lead.as_ref()?.state {
            Machine::Keys(server) => server.owner(lock, now),
            Machine::Line(queue) => queue.owner(lock),
        }
    }

    /// Ends its leadership. What was committed is on a majority of disks, so whoever comes next has it; what was not is gone. `unaware`: it
    /// goes on as if it still led, as far as one can alone: it answers heartbeats, and wants sessions ended whose time has come.
    pub fn step_down(&mut self, unaware: bool) -> Option<Machine> {
        let state = self.lead.take().map(|l| l.state);
        self.past = match &state {
            Some(Machine::Line(q)) if unaware => Some(q.clone()),
            _ => None,
        };
        state
    }

    /// Gives it what was committed, for the leadership that [`Input::Promoted`] begins.
    pub fn seat(&mut self, state: Machine) {
        self.lead = Some(Lead::new(state));
        self.past = None;
    }
}

impl Lead {
    fn new(state: Machine) -> Lead {
        Lead { state, entries: Vec::new() }
    }
}

pub fn on_input(m: &mut Member, group: &Group, input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, .. } => match message.payload {
            // Whoever has an entry has all before it, so the answer speaks for them too.
            Payload::Append => host.send(from, message.answer(Payload::Appended)),
            Payload::Appended => stored(m, group, from, message.call.0, host),
            Payload::Ping { .. } => on_ping(m, group, from, message, host),
            Payload::Revoke { session } => {
                propose(m, group, What::EndOf { worker: None, session: Some(session) }, host);
            }
            _ => propose(m, group, What::Request { from, message: *message }, host),
        },
        Input::Timer { .. } if m.past.is_some() => revoke_overdue(m, group, host),
        Input::Timer { .. } => propose(m, group, What::Expiry, host),
        Input::Evict { lock } => {
            if let Some(lead) = &mut m.lead {
                lead.state.evict(&group.served, lock, host);
            }
        }
        Input::Expire { worker } => propose(m, group, What::EndOf { worker: Some(worker), session: None }, host),
        Input::Disconnected { peer } => propose(m, group, What::Disconnect { worker: peer }, host),
        Input::Crash { .. } => {
            m.past = None;
            if let Some(lead) = &mut m.lead {
                lead.entries.clear();
            }
        }
        Input::Promoted => {
            // No lease may end before its owner expects it, and how much of each is over only the old leader knew: all begin anew, at
            // full length, by this leader's clock.
            if let Some(lead) = &mut m.lead {
                lead.state.rearm(&group.served, host);
            }
        }
        // A member is what the log is; it has one thread, no points and no life span.
        Input::Start
        | Input::Go { .. }
        | Input::ThreadDied { .. }
        | Input::EndOfLife
        | Input::Replaced
        | Input::Demoted
        | Input::Merged { .. }
        | Input::Cancel
        | Input::ShutDown => {}
    }
}

/// A heartbeat: the leader answers at once, and no log hears of it; so does who takes itself for the leader.
fn on_ping(m: &mut Member, group: &Group, from: NodeId, message: &Message, host: &mut impl Host) {
    let lead = m.lead.as_mut().map(|l| &mut l.state);
    if let (Some(Machine::Line(q)), _) | (None, Some(q)) = (lead, &mut m.past) {
        queue::on_ping(q, &group.served, from, message, host);
    }
}

/// Who was replaced and does not know it sees sessions run out that were kept elsewhere. It cannot end them itself; it tells the others to.
#[cold]
fn revoke_overdue(m: &mut Member, group: &Group, host: &mut impl Host) {
    let Some(q) = &mut m.past else { return };
    let me = host.me();
    for session in queue::take_overdue(q, &group.served, host) {
        m.last += 1;
        let revoke = Message::request(Topic::Replicate, CallId(m.last), Payload::Revoke { session });
        for member in group.members.iter().filter(|n| **n != me) {
            host.send(*member, revoke);
        }
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
        let what = lead.entries.remove(0).what;
        lead.state.apply(&group.served, what, host);
    }
}

fn bit(group: &Group, node: NodeId) -> u16 {
    group.members.iter().position(|n| *n == node).map_or(0, |i| 1 << i)
}
