//! A line of sessions: what is done, what can be seen of it, and our side, the pure state machine of `fencepost::protocol::queue`.
//!
//! Compared are order and outcome: who stands in line before whom, who is told what, which entry is younger than which. How long a session
//! lasts is compared in one direction only, that no server may end one early; how much later it does depends on the machine.

use fencepost::base::message::{Compare, Topic};
use fencepost::base::{AcqId, CallId, ClockKind, LockId, Message, NodeId, OwnerId, Payload, Span, TrueTime};
use fencepost::protocol::params::{Family, FindEntry, LockParams, TokenKind, Wake};
use fencepost::protocol::queue::{self, Queue};
use fencepost::protocol::redis::Served;
use fencepost::protocol::{Command, Recorder};
use proptest::prelude::*;

/// Locks of one server.
pub const LOCKS: u8 = 2;
/// Clients. Each has at most one session at a time, and a new one after the old has ended.
pub const CLIENTS: u8 = 5;

/// A session's number: it counts all that were ever opened.
pub type Session = u32;

/// One operation. A client that has no session has one opened first, except where it acts by one that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// A place at the end of the line.
    Enter { lock: u8, client: u8 },
    /// The same request again, as after a lost answer.
    EnterAgain { lock: u8, client: u8 },
    /// Removes the client's youngest entry.
    Leave { lock: u8, client: u8 },
    /// Where does my entry stand now?
    Look { lock: u8, client: u8 },
    /// A change of some data in one step with a look whether my entry is still there.
    Guarded { lock: u8, client: u8 },
    /// An administrator removes the first entry.
    Break { lock: u8 },
    /// The client ends its session.
    End { client: u8 },
    /// The client's session is used once more after it has ended.
    Late { lock: u8, client: u8 },
}

/// What the server answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Yes,
    No,
    /// The entry is the first.
    First,
    /// It stands behind one of this session.
    Behind(Session),
    /// There is no entry, for there is no session.
    Over,
}

/// One entry in line: whose it is, and which of all entries that were ever made. The first of a line owns the lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Entry {
    pub session: Session,
    pub name: u32,
}

/// Random operations.
pub fn op() -> impl Strategy<Value = Op> {
    let at = || (0..LOCKS, 0..CLIENTS);
    prop_oneof![
        10 => at().prop_map(|(lock, client)| Op::Enter { lock, client }),
        2 => at().prop_map(|(lock, client)| Op::EnterAgain { lock, client }),
        6 => at().prop_map(|(lock, client)| Op::Leave { lock, client }),
        4 => at().prop_map(|(lock, client)| Op::Look { lock, client }),
        3 => at().prop_map(|(lock, client)| Op::Guarded { lock, client }),
        1 => (0..LOCKS).prop_map(|lock| Op::Break { lock }),
        2 => (0..CLIENTS).prop_map(|client| Op::End { client }),
        1 => at().prop_map(|(lock, client)| Op::Late { lock, client }),
    ]
}

/// A mistake made on purpose, to see that it is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// A client that asks again gets a second entry where it has one, or none where it would get one.
    FindsWrongly,
    /// The end of a session leaves its entries.
    KeepsEntries,
}

/// The state machine, with a clock that the test sets.
pub struct Model {
    queue: Queue,
    params: LockParams,
    host: Recorder,
    find: FindEntry,
    ttl: Span,
    mistake: Mistake,
}

impl Model {
    pub fn new(find: FindEntry, ttl_ms: i64, mistake: Mistake) -> Model {
        let params = LockParams {
            family: Family::SessionQueue,
            clock: ClockKind::Monotonic,
            token: TokenKind::Ordered,
            wake: Wake::WatchPrevious,
            ..LockParams::default()
        };
        let find = match (mistake, find) {
            (Mistake::FindsWrongly, FindEntry::Never) => FindEntry::BySession,
            (Mistake::FindsWrongly, _) => FindEntry::Never,
            _ => find,
        };
        let host = Recorder::new(NodeId(100));
        Model { queue: Queue::new(usize::from(LOCKS)), params, host, find, ttl: Span::from_ms(ttl_ms), mistake }
    }

    /// The clock shows so many milliseconds.
    pub fn at(&mut self, at_ms: i64) -> &mut Model {
        self.host.now = TrueTime::from_ms(at_ms);
        self
    }

    /// An entry of this name, and a new session if `opens`.
    pub fn enter(&mut self, lock: u8, session: Session, name: u32, opens: bool) -> (Answer, Vec<u32>) {
        let owner = OwnerId(name);
        let (lock, acq, ttl, margin) = (LockId(lock), AcqId(name), Some(self.ttl), Span::ZERO);
        let (find, tell) = (self.find, false);
        let enqueue = Payload::Enqueue { lock, acq, session: OwnerId(session), owner, ttl, margin, find, opens, tell };
        self.serve(session, enqueue)
    }

    pub fn leave(&mut self, lock: u8, session: Session, name: u32) -> (Answer, Vec<u32>) {
        let (acq, owner, compare) = (AcqId(name), OwnerId(name), Compare::Owner);
        self.serve(session, Payload::Release { lock: LockId(lock), acq, owner, compare })
    }

    pub fn look(&mut self, lock: u8, session: Session, name: u32) -> (Answer, Vec<u32>) {
        self.serve(session, Payload::Look { lock: LockId(lock), acq: AcqId(name), owner: OwnerId(name) })
    }

    pub fn break_lock(&mut self, lock: u8) -> (Answer, Vec<u32>) {
        let there = !self.line(lock).is_empty();
        let (_, told) = self.serve(0, Payload::Break { lock: LockId(lock) });
        (if there { Answer::Yes } else { Answer::No }, told)
    }

    /// The session ends now. The answer says which entries' owners are told to look.
    pub fn end(&mut self, session: Session) -> Vec<u32> {
        if self.mistake == Mistake::KeepsEntries {
            return Vec::new();
        }
        let locks = [Some(&self.params); LOCKS as usize];
        let served = Served { locks: &locks, others: &[], journal: false };
        queue::expire(&mut self.queue, &served, None, Some(OwnerId(session)), &mut self.host);
        told(&self.host.take())
    }

    /// A sign of life.
    pub fn ping(&mut self, session: Session) {
        let ping = Payload::Ping { session: OwnerId(session), lock: LockId(0) };
        let locks = [Some(&self.params); LOCKS as usize];
        let served = Served { locks: &locks, others: &[], journal: false };
        let message = Message::request(Topic::Ping, CallId(0), ping);
        queue::on_ping(&mut self.queue, &served, NodeId(0), &message, &mut self.host);
        self.host.take();
    }

    /// Sessions whose end has come by this clock are ended.
    pub fn expire(&mut self) -> Vec<u32> {
        let locks = [Some(&self.params); LOCKS as usize];
        let served = Served { locks: &locks, others: &[], journal: false };
        queue::expire_overdue(&mut self.queue, &served, &mut self.host);
        told(&self.host.take())
    }

    /// The server starts again: every session has its full length before it.
    pub fn restart(&mut self) {
        let locks = [Some(&self.params); LOCKS as usize];
        let served = Served { locks: &locks, others: &[], journal: false };
        queue::rearm(&mut self.queue, &served, &mut self.host);
        self.host.take();
    }

    pub fn line(&self, lock: u8) -> Vec<Entry> {
        let line = self.queue.line(LockId(lock));
        line.iter().map(|it| Entry { session: it.session.0, name: it.owner.0 }).collect()
    }

    /// Entries of all lines, oldest first.
    pub fn by_age(&self) -> Vec<Entry> {
        let mut all: Vec<_> = (0..LOCKS).flat_map(|lock| self.queue.line(LockId(lock))).collect();
        all.sort_by_key(|it| it.index);
        all.iter().map(|it| Entry { session: it.session.0, name: it.owner.0 }).collect()
    }

    pub fn sessions(&self) -> Vec<Session> {
        self.queue.open_sessions().iter().map(|it| it.0.0).collect()
    }

    fn serve(&mut self, session: Session, payload: Payload) -> (Answer, Vec<u32>) {
        let locks = [Some(&self.params); LOCKS as usize];
        let served = Served { locks: &locks, others: &[], journal: false };
        let message = Message::request(Topic::Acquire, CallId(0), payload);
        // A node for each session, so that "behind whom" says which.
        queue::serve(&mut self.queue, &served, node(session), &message, &mut self.host);
        let done = self.host.take();
        let answer = done.iter().find_map(|it| match it {
            Command::Send { message, .. } => answer(&message.payload),
            _ => None,
        });
        (answer.expect("every request is answered"), told(&done))
    }
}

fn node(session: Session) -> NodeId {
    NodeId(u16::try_from(session).expect("not that many in one sequence"))
}

fn answer(payload: &Payload) -> Option<Answer> {
    Some(match *payload {
        Payload::Granted { .. } => Answer::First,
        Payload::Queued { behind, .. } => Answer::Behind(u32::from(behind.0)),
        Payload::SessionOver { .. } => Answer::Over,
        Payload::Released { .. } | Payload::Broken { .. } => Answer::Yes,
        Payload::NotHeld { .. } => Answer::No,
        _ => return None,
    })
}

/// Names of the entries whose owners are told.
fn told(done: &[Command]) -> Vec<u32> {
    let mut names: Vec<u32> = done
        .iter()
        .filter_map(|it| match it {
            Command::Send { message, .. } => match message.payload {
                Payload::Notify { acq, .. } => Some(acq.0),
                _ => None,
            },
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names
}
