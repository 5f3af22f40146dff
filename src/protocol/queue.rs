//! Sessions, and a line of entries for each lock: whoever stands first owns it.
//!
//! The whole essay is `docs/protocols/session-queue.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/session-queue.md")]

mod sessions;

pub use sessions::{disconnected, expire, expire_overdue, on_ping, rearm, take_overdue};

use super::params::{FindEntry, LockParams, TokenKind, Wake};
use super::record::lease_seen;
use super::redis::Served;
use super::{Host, Purpose};
use crate::base::fact::{Grant, VoteEnd};
use crate::base::message::{Compare, Topic};
use crate::base::row::Seen;
use crate::base::{AcqId, CallId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, Span, Token};
use sessions::Session;

/// What the service knows: what a group agrees on, and until when each session lasts, which only its leader knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Queue {
    /// In the order in which they were opened.
    sessions: Vec<Session>,
    /// By `LockId`: who stands in line, the owner first.
    lines: Vec<Vec<Entry>>,
    watches: Vec<Watch>,
    /// Number of the last change that was agreed on.
    index: u64,
    /// The reading that the timer waits for.
    armed: Option<LocalTime>,
}

/// One place in a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Entry {
    session: OwnerId,
    /// The entry's own name, which its client chose.
    owner: OwnerId,
    /// Number of the change that created it: it orders the line, and it is the token.
    index: u64,
    token: Option<Token>,
    margin: Span,
    worker: NodeId,
    /// The observer's name for it.
    acq: AcqId,
}

/// Somebody wants to be told, once. It is a matter of the connection: it outlives the session and the entry of whoever asked for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Watch {
    lock: LockId,
    on: On,
    /// The entry of whoever watches.
    own: u64,
    worker: NodeId,
    call: CallId,
    acq: AcqId,
}

/// What is watched.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum On {
    /// The end of this entry.
    Entry(u64),
    /// The end of the first entry, whichever it is.
    First,
    /// That the watcher's own entry is the first.
    Turn,
}

/// An entry, as it can be read at a real server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InLine {
    pub session: OwnerId,
    pub owner: OwnerId,
    pub index: u64,
}

impl Queue {
    /// Whose entry is first in line: for a resource in the same store.
    pub fn owner(&self, lock: usize) -> Option<OwnerId> {
        self.lines[lock].first().map(|e| e.owner)
    }

    pub fn new(locks: usize) -> Queue {
        Queue { lines: vec![Vec::new(); locks], ..Queue::default() }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self) {
        self.sessions.clear();
        self.lines.iter_mut().for_each(Vec::clear);
        self.watches.clear();
        self.index = 0;
        self.armed = None;
    }

    /// For tests that hold the model against a real server: who stands in line, the owner first.
    pub fn line(&self, lock: LockId) -> Vec<InLine> {
        let shown = |e: &Entry| InLine { session: e.session, owner: e.owner, index: e.index };
        self.lines[lock.index()].iter().map(shown).collect()
    }

    /// For the same: open sessions with their ends. One whose end has come stands until the next change that is agreed on.
    pub fn open_sessions(&self) -> Vec<(OwnerId, Option<LocalTime>)> {
        self.sessions.iter().map(|s| (s.id, s.until)).collect()
    }

    /// Number of the last change.
    pub fn index(&self) -> u64 {
        self.index
    }
}

/// One request that the group has agreed on: one atomic step, answered at once.
pub fn serve(q: &mut Queue, served: &Served, from: NodeId, message: &Message, host: &mut impl Host) {
    expire_overdue(q, served, host);
    let call = message.call;
    let answer = match message.payload {
        Payload::Enqueue { lock, acq, session, owner, ttl, margin, find, opens, tell } => {
            let Some(params) = params(served, lock) else { return };
            let opened = sessions::touch_or_open(q, params, (lock, session, from), ttl, opens, tell, host);
            let ask = Asked { lock, acq, session, owner, margin, worker: from, call };
            if opened { enqueue(q, params, ask, find, host) } else { over(lock, acq, from, host) }
        }
        Payload::Look { lock, acq, owner } => {
            let Some(params) = params(served, lock) else { return };
            match place(q, lock, owner) {
                Some(i) => answer(q, lock, params, i, call),
                None => over(lock, acq, from, host),
            }
        }
        Payload::Renew { lock, acq, owner, .. } => match place(q, lock, owner) {
            Some(i) => {
                let session = q.lines[lock.index()][i].session;
                sessions::touch(q, served, session, host);
                Payload::Extended { lock, acq }
            }
            None => {
                host.did(Fact::NotExtended { lock, by: acq, worker: from });
                Payload::NotExtended { lock, acq }
            }
        },
        Payload::Release { lock, acq, owner, compare } => {
            let found = if compare == Compare::Nothing { q.first(lock).map(|_| 0) } else { place(q, lock, owner) };
            match found {
                Some(i) => {
                    q.index += 1;
                    let own = q.lines[lock.index()][i].index;
                    q.watches.retain(|w| w.own != own);
                    remove(q, lock, i, VoteEnd::Released { by: Some(acq) }, host);
                    Payload::Released { lock, acq }
                }
                None => {
                    host.did(Fact::NotHeld { lock, by: acq, worker: from });
                    Payload::NotHeld { lock, acq }
                }
            }
        }
        Payload::Break { lock } => {
            if q.first(lock).is_some() {
                q.index += 1;
                remove(q, lock, 0, VoteEnd::Released { by: None }, host);
            }
            Payload::Broken { lock }
        }
        Payload::Get { lock, acq, owner } => Payload::Owned { lock, acq, mine: owns(q, lock, owner) },
        Payload::Ask { lock, owner, re } => Payload::Answer { lock, owns: owns(q, lock, owner), re },
        Payload::Inspect { lock, .. } => Payload::Seen { lock, record: q.first(lock).map(|e| seen(q, e)) },
        _ => return, // Not a question for a lock service.
    };
    host.send(from, message.answer(answer));
}

/// The first entry, with the end of its session, for somebody who only looks.
#[cold]
fn seen(q: &Queue, e: &Entry) -> Seen {
    let session = q.sessions.iter().find(|s| s.id == e.session);
    let (until, ttl) = session.map_or((None, None), |s| (s.until, s.ttl));
    lease_seen(e.acq, e.owner, until, ttl, LocalTime::default())
}

/// Who asks for a place in line.
struct Asked {
    lock: LockId,
    acq: AcqId,
    session: OwnerId,
    owner: OwnerId,
    margin: Span,
    worker: NodeId,
    call: CallId,
}

/// A place at the end of the line, or the one that is there already.
fn enqueue(q: &mut Queue, params: &LockParams, ask: Asked, find: FindEntry, host: &mut impl Host) -> Payload {
    let Asked { lock, acq, session, owner, margin, worker, call } = ask;
    let line = &q.lines[lock.index()];
    let known = match find {
        FindEntry::BySession => line.iter().position(|e| e.session == session),
        FindEntry::ByName => line.iter().position(|e| e.owner == owner),
        FindEntry::Never => None,
    };
    if let Some(i) = known {
        return answer(q, lock, params, i, call); // The same again; its first answer, as far as it is still true.
    }
    q.index += 1;
    let number = params.first_token.get() + q.index - 1;
    let token = match params.token {
        TokenKind::None | TokenKind::Resource => None,
        TokenKind::Ordered | TokenKind::Memory => Some(Token::new(number)),
        TokenKind::Random => Some(Token::new(host.number(Purpose::Token, 1_000))),
    };
    let i = line.len();
    let entry = Entry { session, owner, index: q.index, token, margin, worker, acq };
    q.lines[lock.index()].push(entry);
    match i.checked_sub(1).map(|before| q.lines[lock.index()][before].acq) {
        None => grant(q, lock, host),
        Some(behind) => host.did(Fact::Queued { lock, acq, worker, behind }),
    }
    answer(q, lock, params, i, call)
}

/// What the one at this place is told; who waits is told later as well, if it wants to know.
fn answer(q: &mut Queue, lock: LockId, params: &LockParams, i: usize, call: CallId) -> Payload {
    let line = &q.lines[lock.index()];
    let Entry { acq, token, worker, index, .. } = line[i];
    q.watches.retain(|w| w.own != index);
    let Some(before) = i.checked_sub(1).map(|before| line[before]) else {
        return Payload::Granted { lock, acq, token };
    };
    let on = match params.wake {
        Wake::Poll => None,
        Wake::Notify => Some(On::Turn),
        Wake::WatchPrevious => Some(On::Entry(before.index)),
        Wake::WatchLock => Some(On::First),
    };
    if let Some(on) = on {
        q.watches.push(Watch { lock, on, own: index, worker, call, acq });
    }
    Payload::Queued { lock, acq, token, behind: before.worker }
}

/// Whoever asks has no entry any more: its session is over.
fn over(lock: LockId, acq: AcqId, worker: NodeId, host: &mut impl Host) -> Payload {
    host.did(Fact::Refused { lock, acq, worker });
    Payload::SessionOver { lock, acq }
}

/// An entry goes; if it was the first, the next one owns the lock from this instant on.
fn remove(q: &mut Queue, lock: LockId, i: usize, why: VoteEnd, host: &mut impl Host) {
    let Entry { acq, index, .. } = q.lines[lock.index()].remove(i);
    host.did(match why {
        _ if i > 0 => Fact::Unqueued { lock, acq, why },
        VoteEnd::Released { by } => Fact::Released { lock, acq, by },
        VoteEnd::Expired => Fact::Expired { lock, acq },
        VoteEnd::Forgotten => Fact::Forgotten { lock, acq },
    });
    if i == 0 && q.first(lock).is_some() {
        grant(q, lock, host);
    }
    let turn = q.first(lock).map(|e| e.index);
    let fires = |w: &Watch| {
        w.lock == lock
            && match w.on {
                On::Entry(n) => n == index,
                On::First => i == 0,
                On::Turn => turn == Some(w.own),
            }
    };
    for w in q.watches.iter().filter(|w| fires(w)) {
        let told = Payload::Notify { lock, acq: w.acq };
        host.send(w.worker, Message::request(Topic::Notify, w.call, told));
    }
    q.watches.retain(|w| !fires(w));
}

/// The first in line owns the lock, whether it knows or not.
fn grant(q: &Queue, lock: LockId, host: &mut impl Host) {
    let Some(&Entry { session, owner, token, margin, worker, acq, .. }) = q.first(lock) else { return };
    let Some(s) = q.sessions.iter().find(|s| s.id == session) else { return };
    let (ttl, until) = (s.ttl, s.until);
    let (asked, share) = Default::default();
    host.did(Fact::Granted(Grant { lock, acq, worker, owner, token, ttl, margin, asked, until, share }));
}

/// Records vanish without anybody's request: the owner's entry of one lock, or of all.
pub fn evict(q: &mut Queue, lock: Option<LockId>, host: &mut impl Host) {
    for i in 0..q.lines.len() {
        let id = LockId(i as u8);
        if lock.is_none_or(|l| l == id) && q.first(id).is_some() {
            q.index += 1;
            remove(q, id, 0, VoteEnd::Forgotten, host);
        }
    }
}

impl Queue {
    fn first(&self, lock: LockId) -> Option<&Entry> {
        self.lines.get(lock.index())?.first()
    }
}

fn owns(q: &Queue, lock: LockId, owner: OwnerId) -> bool {
    q.first(lock).is_some_and(|e| e.owner == owner)
}

/// Where in line the entry of that name stands.
fn place(q: &Queue, lock: LockId, owner: OwnerId) -> Option<usize> {
    q.lines.get(lock.index())?.iter().position(|e| e.owner == owner)
}

fn params<'a>(served: &'a Served, lock: LockId) -> Option<&'a LockParams> {
    served.locks.get(lock.index()).copied().flatten()
}
