//! A session with a service that keeps lines: opened by the first acquire, kept by heartbeats, and lost.
//!
//! The thread that keeps it is the renewal thread (`W1.renewer`): its heartbeats go on while the main thread waits in line, works or hangs.
//! A heartbeat that has no answer when the next one is due makes the session *suspended*: nobody here knows whether it lives. Only an answer
//! tells for certain.

use super::super::params::{Family, FindEntry, LearnsBy, OnError, OnUnknown, RenewBy, RenewIf};
use super::super::{Due, Host, Purpose, Slot};
use super::renew::Renewer;
use super::{MAIN, Phase, Setting, Worker, acquire, ballot, hold, next_call, program, stop};
use crate::base::fact::{Loss, StopWhy, TryEnd};
use crate::base::message::{Compare, Topic};
use crate::base::{
    CallId, ClockKind, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, PointKind, Span, Thread, Token,
};

/// The timers of sessions, in the order in which they were opened: the next heartbeat.
const KEEP: u16 = 16;
/// The program looks at its flag.
pub(super) const LEARN: Slot = Slot(15);

/// One session, as its client knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Session {
    id: OwnerId,
    /// The lock by which it was opened, and the service that it is with.
    lock: LockId,
    node: NodeId,
    /// Sending and answer of the last sign of life that the service confirmed; nothing before the first answer.
    confirmed: Option<(LocalTime, LocalTime)>,
    /// The heartbeat under way, and when it was sent.
    ping: Option<(CallId, LocalTime)>,
    suspended: Option<LocalTime>,
    /// It is over, and the client knows.
    over: bool,
    since: LocalTime,
    pings: u32,
    /// Steps of the program at the last heartbeat.
    progress: u32,
}

impl Setting<'_> {
    /// Is this lock's service one of sessions?
    pub(super) fn is_line(&self, lock: LockId) -> bool {
        self.locks.get(lock.index()).is_some_and(|l| l.params.family == Family::SessionQueue)
    }
}

fn of(w: &Worker, set: &Setting, lock: LockId) -> Option<usize> {
    let node = set.nodes(lock).first()?;
    w.sessions.iter().position(|s| s.node == *node && !s.over)
}

/// The request for a place in line. The name of an entry stays the same from try to try, if the client would know it again: its own, or that
/// of the session.
#[cold]
pub(super) fn request(w: &mut Worker, set: &Setting, first: bool, before: OwnerId) -> Payload {
    let (lock, acq, sent) = (w.want.lock, w.want.acq, w.want.sent);
    let i = of(w, set, lock).unwrap_or_else(|| {
        let fresh = Session {
            id: OwnerId(1 << 29 | acq.0),
            lock,
            node: set.nodes(lock)[0],
            confirmed: None,
            ping: None,
            suspended: None,
            over: false,
            since: sent,
            pings: 0,
            progress: 0,
        };
        // One that is over leaves its place, and its timer, to the next.
        match w.sessions.iter().position(|s| s.over) {
            Some(i) => {
                w.sessions[i] = fresh;
                i
            }
            None => {
                w.sessions.push(fresh);
                w.sessions.len() - 1
            }
        }
    });
    let s = w.sessions[i];
    w.want.owner = match set.client.find_entry {
        FindEntry::BySession => s.id,
        FindEntry::ByName if !first => before,
        FindEntry::ByName | FindEntry::Never => w.want.owner,
    };
    let ttl = w.want.ttl;
    Payload::Enqueue {
        lock,
        acq,
        session: s.id,
        owner: w.want.owner,
        ttl,
        margin: ttl.map_or(Span::ZERO, |t| set.client.margin.of(t)),
        find: set.client.find_entry,
        opens: s.confirmed.is_none(),
        tell: set.client.learns_by == LearnsBy::Notice,
    }
}

/// When the last sign of life was sent and answered that the belief in this lock rests on.
pub(super) fn confirmed(w: &Worker, set: &Setting, lock: LockId) -> Option<(LocalTime, LocalTime)> {
    w.sessions[of(w, set, lock)?].confirmed
}

// ------------------------------------------------------------------ in line

/// The service has answered an acquire: the session is open, and from now on it is kept.
fn entered(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Some(i) = of(w, set, w.want.lock) else { return };
    let now = host.read(set.client.clock);
    let s = &mut w.sessions[i];
    let opened = s.confirmed.is_none();
    s.confirmed = Some((w.want.sent, now));
    s.suspended = None;
    if opened {
        sleep(w, set, i, host);
    } else {
        reckon(w, set, i, host);
    }
}

/// The answer to an acquire.
#[cold]
pub(super) fn on_answer(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    match message.payload {
        Payload::Granted { token, .. } => {
            entered(w, set, host);
            granted(w, set, token, host);
        }
        Payload::Queued { acq, token, .. } => {
            w.want.acq = acq;
            entered(w, set, host);
            wait(w, set, token, host);
        }
        _ => {
            if let Some(i) = of(w, set, w.want.lock) {
                end(w, i, host);
            }
            fail(w, set, host);
        }
    }
}

/// Waits in line: to be told, or to ask.
fn wait(w: &mut Worker, set: &Setting, token: Option<Token>, host: &mut impl Host) {
    host.cancel(MAIN);
    w.phase = Phase::InLine { token };
    if set.locks[w.want.lock.index()].params.wake == super::super::params::Wake::Poll {
        let retry = host.draw(Purpose::Retry, &set.client.retry);
        host.timer(MAIN, Thread::Main, Due::Sleep(retry));
    }
}

/// What it watched has gone. Some look whether their own entry is still there; others take it that it is their turn.
pub(super) fn told(w: &mut Worker, set: &Setting, token: Option<Token>, host: &mut impl Host) {
    if set.locks[w.want.lock.index()].params.recheck {
        look(w, set, token, host);
    } else {
        granted(w, set, token, host);
    }
}

/// Looks where its own entry stands now.
pub(super) fn look(w: &mut Worker, set: &Setting, token: Option<Token>, host: &mut impl Host) {
    let acquire::Want { lock, acq, owner, .. } = w.want;
    w.call = next_call(w, Thread::Main);
    w.phase = Phase::Looking { token };
    ballot::ask(w, set, lock, Message::request(Topic::Ask, w.call, Payload::Look { lock, acq, owner }), host);
    ballot::arm(set, lock, Topic::Ask, Thread::Main, host);
}

/// The answer to a look; it may come twice.
pub(super) fn on_look(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    match message.payload {
        Payload::Granted { token, .. } => granted(w, set, token, host),
        Payload::Queued { token, .. } => wait(w, set, token, host),
        Payload::SessionOver { .. } => on_answer(w, set, message, host),
        // An error: where the entry stands is unknown. What it watches it was told by the last answer.
        _ => ask_later(w, set, host),
    }
}

/// No answer to a look: it goes out again.
pub(super) fn look_timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TimedOut { topic: Topic::Ask });
    ask_later(w, set, host);
}

fn ask_later(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let token = if let Phase::Looking { token } = w.phase { token } else { None };
    w.phase = Phase::InLine { token };
    let retry = host.draw(Purpose::Retry, &set.client.retry);
    host.timer(MAIN, Thread::Main, Due::Sleep(retry));
}

fn granted(w: &mut Worker, set: &Setting, token: Option<Token>, host: &mut impl Host) {
    host.cancel(MAIN);
    let until = acquire::deadline_of(w, set, w.want.lock, w.want.ttl, host);
    w.phase = Phase::Stamped { token, until };
    if host.pass(PointKind::Stamp, Thread::Main) {
        program::turn(w, set, host);
    }
}

/// The place in line is gone, with its session.
fn fail(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    host.did(Fact::TryFailed { lock: w.want.lock, acq: w.want.acq, why: TryEnd::Refused });
    if set.client.on_error == OnError::Fail {
        return stop(w, set, StopWhy::Failed, host);
    }
    acquire::wait_to_retry(w, set, host);
}

/// Nobody waits any more: the entry is taken out of the line, so that nobody stands behind it.
#[cold]
pub(super) fn leave(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let acquire::Want { lock, acq, owner, .. } = w.want;
    let call = next_call(w, Thread::Main);
    let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
    ballot::tell(set, lock, Message::request(Topic::Withdraw, call, payload), host);
}

// ------------------------------------------------------------------ heartbeats

/// A tenure of this lock is kept by its session, not by extensions of its own.
pub(super) fn keeps(set: &Setting, lock: LockId) -> bool {
    set.client.renew_by == RenewBy::Thread && set.is_line(lock)
}

fn sleep(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) {
    if let (RenewBy::Thread, Some(every)) = (set.client.renew_by, set.client.renew_every)
        && w.renewer != Renewer::Dead
    {
        w.sessions[i].progress = w.progress;
        host.timer(slot(i), Thread::Renewer, Due::Sleep(every));
    }
}

fn slot(i: usize) -> Slot {
    Slot(KEEP + i as u16)
}

/// The next heartbeat is due; or the time is over after which a client takes a session for lost that it hears nothing of.
#[cold]
pub(super) fn timer(w: &mut Worker, set: &Setting, slot: Slot, host: &mut impl Host) {
    let i = slot.0.wrapping_sub(KEEP) as usize;
    let Some(s) = w.sessions.get_mut(i).filter(|s| !s.over) else { return };
    if s.ping.take().is_some() {
        host.did(Fact::TimedOut { topic: Topic::Ping });
        suspend(w, set, i, host);
    } else if set.client.renew_if == RenewIf::Progress && s.progress == w.progress {
        return sleep(w, set, i, host);
    }
    let now = host.read(set.client.clock);
    let Some(s) = w.sessions.get(i).filter(|s| !s.over) else { return };
    if let Some(end) = lost_at(s, set)
        && now >= end
    {
        // It has waited long enough, and takes its session for lost, whether it is or not.
        lose(w, set, i, Loss::Unrenewed, host);
    } else if !super::over(w.phase) {
        ping(w, set, i, host);
    }
}

/// When a suspended session counts as lost, by the client's own clock.
fn lost_at(s: &Session, set: &Setting) -> Option<LocalTime> {
    match set.client.on_unknown {
        OnUnknown::Ignore => None,
        _ => Some(s.suspended? + set.client.renew_deadline?),
    }
}

fn ping(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) {
    let Some(every) = set.client.renew_every.filter(|_| w.renewer != Renewer::Dead) else { return };
    let now = host.read(set.client.clock);
    let s = &w.sessions[i];
    let capped = set.client.renew_max.is_some_and(|most| s.pings >= most)
        || set.client.renew_hold.is_some_and(|most| now.since(s.since) >= most);
    if capped {
        return;
    }
    let call = next_call(w, Thread::Renewer);
    let s = &mut w.sessions[i];
    s.pings += 1;
    s.ping = Some((call, now));
    let (session, lock) = (s.id, s.lock);
    let wait = match lost_at(s, set) {
        Some(end) => every.min(end.since(now)),
        None => every,
    };
    ballot::tell(set, lock, Message::request(Topic::Ping, call, Payload::Ping { session, lock }), host);
    host.timer(slot(i), Thread::Renewer, Due::Sleep(wait));
}

/// Something for the thread that keeps sessions: the answer to a heartbeat, or the news that a session is over.
#[cold]
pub(super) fn heard(w: &mut Worker, set: &Setting, message: &Message, host: &mut impl Host) {
    let now = host.read(set.client.clock);
    let i = match message.payload {
        Payload::SessionOver { lock, .. } => of(w, set, lock),
        _ => w.sessions.iter().position(|s| s.ping.is_some_and(|p| p.0 == message.call)),
    };
    let Some(i) = i.filter(|_| w.renewer != Renewer::Dead) else {
        return host.did(Fact::Ignored { topic: message.kind.topic });
    };
    let s = &mut w.sessions[i];
    match message.payload {
        Payload::Pong { alive: true, .. } => {
            let sent = s.ping.take().map_or(now, |p| p.1);
            s.confirmed = Some((sent, now));
            let was_suspended = s.suspended.take().is_some();
            if was_suspended {
                host.did(Fact::Reconnected);
            }
            sleep(w, set, i, host);
            reckon(w, set, i, host);
            // Whatever it was to be told meanwhile is lost.
            if was_suspended && let Phase::InLine { token } = w.phase {
                w.phase = Phase::InLine { token };
                host.timer(MAIN, Thread::Main, Due::Sleep(Span::ZERO));
            }
        }
        Payload::Failed => {} // An error says no more than silence; the time for the next one comes.
        _ => lose(w, set, i, Loss::Refused, host),
    }
}

/// The session lives: what is held by it has a new deadline.
fn reckon(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) {
    let node = w.sessions[i].node;
    let Some((sent, _)) = w.sessions[i].confirmed else { return };
    for h in 0..w.holds.len() {
        let lock = w.holds[h].lock;
        if set.nodes(lock).first() == Some(&node) && w.holds[h].believes {
            let until = acquire::deadline_of(w, set, lock, w.holds[h].ttl, host);
            let h = &mut w.holds[h];
            (h.until, h.confirmed) = (until, sent);
            host.did(Fact::Reckoned { lock: h.lock, acq: h.acq, until });
        }
    }
    hold::arm_deadline(w, set, None, host);
}

// ------------------------------------------------------------------ suspended, lost

/// Nothing was heard for too long.
fn suspend(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) {
    let now = host.read(set.client.clock);
    let s = &mut w.sessions[i];
    if s.suspended.is_none() {
        s.suspended = Some(now);
        host.did(Fact::Suspended);
        if set.client.on_unknown == OnUnknown::Stop {
            tell_program(w, set, i, Loss::Unrenewed, host);
        }
    }
}

fn lose(w: &mut Worker, set: &Setting, i: usize, why: Loss, host: &mut impl Host) {
    end(w, i, host);
    tell_program(w, set, i, why, host);
}

/// The session is over, as far as its client is concerned.
fn end(w: &mut Worker, i: usize, host: &mut impl Host) {
    let s = &mut w.sessions[i];
    s.over = true;
    s.ping = None;
    host.cancel(slot(i));
}

/// The thread that keeps the session tells the program, or raises a flag that the program looks at from time to time.
fn tell_program(w: &mut Worker, set: &Setting, i: usize, why: Loss, host: &mut impl Host) {
    if set.client.learns_by == LearnsBy::Poll && set.client.learn_every > Span::ZERO {
        let now = host.read(ClockKind::Monotonic);
        let every = set.client.learn_every.as_us();
        let next = LocalTime::from_us((now.as_us().div_euclid(every) + 1) * every);
        w.flag = Some((w.sessions[i].node, why));
        return host.timer(LEARN, Thread::Main, Due::Reading(ClockKind::Monotonic, next));
    }
    learn(w, set, w.sessions[i].node, why, host);
}

/// The program looks at its flag.
#[cold]
pub(super) fn look_at_flag(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if let Some((node, why)) = w.flag.take() {
        learn(w, set, node, why, host);
    }
}

fn learn(w: &mut Worker, set: &Setting, node: NodeId, why: Loss, host: &mut impl Host) {
    for i in 0..w.holds.len() {
        let Some(h) = w.holds.get(i) else { return };
        if h.believes && set.nodes(h.lock).first() == Some(&node) && !hold::lost(w, set, h.lock, why, host) {
            return;
        }
    }
    let waits = matches!(w.phase, Phase::InLine { .. });
    if waits && why == Loss::Refused && set.locks[w.want.lock.index()].params.recheck {
        // The main thread hears of it at its next turn, which a pause may put off; its look will tell.
        host.timer(MAIN, Thread::Main, Due::Sleep(Span::ZERO));
    }
}

/// The connection to this service is broken: what was under way on it has no answer.
#[cold]
pub(super) fn disconnected(w: &mut Worker, set: &Setting, node: NodeId, host: &mut impl Host) {
    let under_way = matches!(
        w.phase,
        Phase::Asking | Phase::Looking { .. } | Phase::Renewing { .. } | Phase::Releasing | Phase::Withdrawing
    );
    if let Some(i) = w.sessions.iter().position(|s| s.node == node && !s.over && s.confirmed.is_some()) {
        w.sessions[i].ping = None;
        suspend(w, set, i, host);
        if !super::over(w.phase) && !w.sessions[i].over && set.client.renew_by == RenewBy::Thread {
            ping(w, set, i, host);
        }
    }
    if under_way && !super::over(w.phase) {
        host.timer(MAIN, Thread::Main, Due::Sleep(Span::ZERO));
    }
}

/// Its program is over: nobody keeps its sessions any more.
#[cold]
pub(super) fn close(w: &mut Worker, host: &mut impl Host) {
    for i in 0..w.sessions.len() {
        host.cancel(slot(i));
        w.sessions[i].ping = None;
    }
    host.cancel(LEARN);
    w.flag = None;
}
