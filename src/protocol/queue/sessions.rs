//! Sessions: how they are opened, kept, and ended.
//!
//! A session is what all entries of one client hang on. It ends when the service has not heard of it for its whole length, by the clock of
//! whoever leads, and with it go all its entries. How far each is, only the leader knows: heartbeats go past the log, so a new leader gives
//! every session its full length again.

use super::{Queue, params, remove};
use crate::base::fact::VoteEnd;
use crate::base::message::Topic;
use crate::base::{CallId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, Span, Thread};
use crate::protocol::params::LockParams;
use crate::protocol::redis::Served;
use crate::protocol::{Due, Host, Slot};

/// A client, as the service knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Session {
    pub id: OwnerId,
    pub ttl: Option<Span>,
    /// Its end by the leader's clock, already on the grid; `None` never ends.
    pub until: Option<LocalTime>,
    pub worker: NodeId,
    /// The lock by which it was opened: whose service keeps it.
    pub lock: LockId,
    /// Its client wants to be told when it is over.
    pub tell: bool,
}

/// The timer of the soonest end. It is for those whom nobody asks about; every request looks at the ends itself.
const SOONEST: Slot = Slot(0);

/// Notices are for the thread that keeps the session, whose calls are odd.
const NOTICE: CallId = CallId(1);

/// A sign of life of this session; it is opened if it is new. False if it is neither there nor new.
pub(super) fn touch_or_open(
    q: &mut Queue,
    params: &LockParams,
    (lock, id, worker): (LockId, OwnerId, NodeId),
    ttl: Option<Span>,
    opens: bool,
    tell: bool,
    host: &mut impl Host,
) -> bool {
    let known = q.sessions.iter().position(|s| s.id == id);
    if known.is_none() && !opens {
        return false;
    }
    let i = known.unwrap_or_else(|| {
        q.sessions.push(Session { id, ttl, until: None, worker, lock, tell });
        q.sessions.len() - 1
    });
    let s = &mut q.sessions[i];
    s.until = end(s.ttl, params, host);
    told_of_life(q, id, host);
    arm(q, params, host);
    true
}

/// The same for one that is there.
pub(super) fn touch(q: &mut Queue, served: &Served, id: OwnerId, host: &mut impl Host) {
    let Some(s) = q.sessions.iter_mut().find(|s| s.id == id) else { return };
    let Some(params) = params(served, s.lock) else { return };
    s.until = end(s.ttl, params, host);
    told_of_life(q, id, host);
    arm(q, params, host);
}

/// A heartbeat. The leader answers from memory; no log has heard of it.
pub fn on_ping(q: &mut Queue, served: &Served, from: NodeId, message: &Message, host: &mut impl Host) {
    let Payload::Ping { session, lock } = message.payload else { return };
    let alive = q.sessions.iter().any(|s| s.id == session && !is_over(s.until, served, s.lock, host));
    if alive {
        touch(q, served, session, host);
    }
    host.send(from, message.answer(Payload::Pong { lock, alive }));
}

/// What a sign of life means for the entries of a session: owners have the lock for longer, and who waits is still there.
fn told_of_life(q: &Queue, id: OwnerId, host: &mut impl Host) {
    let Some(&Session { ttl, until, .. }) = q.sessions.iter().find(|s| s.id == id) else { return };
    for (l, line) in q.lines.iter().enumerate() {
        let lock = LockId(l as u8);
        for (i, e) in line.iter().enumerate().filter(|(_, e)| e.session == id) {
            let (acq, worker, margin) = (e.acq, e.worker, e.margin);
            host.did(if i == 0 {
                let asked = Default::default();
                Fact::Extended { lock, acq, by: acq, worker, ttl, margin, asked, until }
            } else {
                Fact::Kept { lock, acq, worker, until }
            });
        }
    }
}

/// The end of a session that is alive now: the service looks only so often, and what ends on the very instant of a look waits for the next.
fn end(ttl: Option<Span>, params: &LockParams, host: &impl Host) -> Option<LocalTime> {
    let end = host.read(params.clock) + ttl?;
    let scan = params.scan.as_us();
    Some(if scan > 0 { LocalTime::from_us((end.as_us().div_euclid(scan) + 1) * scan) } else { end })
}

fn is_over(until: Option<LocalTime>, served: &Served, lock: LockId, host: &impl Host) -> bool {
    params(served, lock).is_some_and(|p| until.is_some_and(|until| host.read(p.clock) >= until))
}

/// Sets the timer of the soonest end.
fn arm(q: &mut Queue, params: &LockParams, host: &mut impl Host) {
    let soonest = q.sessions.iter().filter_map(|s| s.until).min();
    if soonest != q.armed {
        q.armed = soonest;
        match soonest {
            Some(until) => host.timer(SOONEST, Thread::Main, Due::Reading(params.clock, until)),
            None => host.cancel(SOONEST),
        }
    }
}

/// Ends every session whose end has come.
pub fn expire_overdue(q: &mut Queue, served: &Served, host: &mut impl Host) {
    while let Some(i) = q.sessions.iter().position(|s| is_over(s.until, served, s.lock, host)) {
        end_session(q, served, i, host);
    }
}

/// Which sessions' ends have come; they are forgotten here, and ended by whoever has the say.
pub fn take_overdue(q: &mut Queue, served: &Served, host: &mut impl Host) -> Vec<OwnerId> {
    let mut over = Vec::new();
    while let Some(i) = q.sessions.iter().position(|s| is_over(s.until, served, s.lock, host)) {
        let s = q.sessions.remove(i);
        over.push(s.id);
        if let Some(params) = params(served, s.lock) {
            arm(q, params, host);
        }
    }
    over
}

/// Ends these sessions now: those of a worker, or the one of that name.
pub fn expire(q: &mut Queue, served: &Served, worker: Option<NodeId>, id: Option<OwnerId>, host: &mut impl Host) {
    let meant = |s: &Session| worker.is_none_or(|w| w == s.worker) && id.is_none_or(|id| id == s.id);
    while let Some(i) = q.sessions.iter().position(meant) {
        end_session(q, served, i, host);
    }
}

/// The connection of this worker is broken. To most services that means nothing: a session outlives its connections.
pub fn disconnected(q: &mut Queue, served: &Served, worker: NodeId, host: &mut impl Host) {
    let keeps = |s: &Session| params(served, s.lock).is_none_or(|p| p.keep_on_disconnect);
    while let Some(i) = q.sessions.iter().position(|s| s.worker == worker && !keeps(s)) {
        end_session(q, served, i, host);
    }
}

fn end_session(q: &mut Queue, served: &Served, i: usize, host: &mut impl Host) {
    let Session { id, worker, lock, tell, .. } = q.sessions.remove(i);
    q.index += 1;
    for l in 0..q.lines.len() {
        // From the back, so that no entry that is about to go is handed the lock.
        for place in (0..q.lines[l].len()).rev() {
            if q.lines[l][place].session == id {
                let acq = q.lines[l][place].acq;
                remove(q, LockId(l as u8), place, VoteEnd::Expired, host);
                if tell {
                    let told = Payload::SessionOver { lock: LockId(l as u8), acq };
                    host.send(worker, Message::request(Topic::Notify, NOTICE, told));
                }
            }
        }
    }
    if let Some(params) = params(served, lock) {
        arm(q, params, host);
    }
}

/// Another leader: how much of each session is over, only the old one knew. All begin anew, at full length, by this leader's clock.
pub fn rearm(q: &mut Queue, served: &Served, host: &mut impl Host) {
    q.armed = None;
    for i in 0..q.sessions.len() {
        let s = q.sessions[i];
        if let Some(params) = params(served, s.lock) {
            q.sessions[i].until = end(s.ttl, params, host).map(|until| until + params.cleanup_after);
            arm(q, params, host);
        }
    }
}
