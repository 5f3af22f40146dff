//! One call that goes to every node of a quorum, and what its answers come to.
//!
//! A service of one server needs none of this: its answer is the answer. Asked are all nodes at once or one after another; the call ends
//! when all have answered or run into their time-out (or, for clients in a hurry, as soon as it is decided). So many yeses as the
//! quorum asks for are a yes; so many noes that no quorum is left are a no; anything else is unknown, since a silent node may have
//! done what it was asked.
//!
//! The whole essay is `docs/protocols/redlock.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../../docs/protocols/redlock.md")]

use super::super::params::{Order, Take};
use super::super::{Due, Host, Purpose};
use super::{MAIN, RENEW, Setting, Worker};
use crate::base::message::{Compare, Topic};
use crate::base::{CallId, Fact, LocalTime, LockId, Message, NodeId, Payload, Thread};

/// The answers so far, one bit per place in the list of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ballot {
    lock: LockId,
    request: Message,
    /// Whom it concerns: usually all.
    electorate: u16,
    asked: u16,
    yes: u16,
    no: u16,
    /// Nothing in time.
    silent: u16,
    /// An error: it says as little.
    failed: u16,
    /// When the yes came that makes a quorum.
    decided: LocalTime,
    /// What the first yes and the first no said.
    said_yes: Option<Payload>,
    said_no: Option<Payload>,
}

/// What the answers to a call come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// It was no ballot: the one answer stands for itself.
    Plain,
    /// Others may still answer.
    Open,
    /// This is the answer.
    Answer(Message),
    /// Undecided, and nobody answers any more.
    Unknown(Topic),
}

/// Sends a request about a lock to its service.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn ask(w: &mut Worker, set: &Setting, lock: LockId, request: Message, host: &mut impl Host) {
    match set.nodes(lock) {
        [] => {}
        [only] => host.send(*only, request),
        nodes => ask_some(w, set, lock, bits(nodes.len()), request, host),
    }
}

/// Sends a request to those nodes of a quorum whose bits are set.
#[cold]
#[inline(never)]
pub(super) fn ask_some(
    w: &mut Worker,
    set: &Setting,
    lock: LockId,
    electorate: u16,
    request: Message,
    host: &mut impl Host,
) {
    // One call under way per thread: an older one of the same thread is over.
    forget(w, super::thread_of(request.call));
    let parallel = set.locks[lock.index()].params.order == Order::Parallel;
    let asked = if parallel { electorate } else { lowest(electorate) };
    for (i, node) in set.nodes(lock).iter().enumerate() {
        if asked & 1 << i != 0 {
            host.send(*node, request);
        }
    }
    let (said_yes, said_no) = (None, None);
    let decided = LocalTime::default();
    w.ballots.push(Ballot {
        lock,
        request,
        electorate,
        asked,
        yes: 0,
        no: 0,
        silent: 0,
        failed: 0,
        decided,
        said_yes,
        said_no,
    });
}

/// Nobody waits for this thread's call any more: nobody else is asked.
#[inline]
pub(super) fn forget(w: &mut Worker, thread: Thread) {
    if !w.ballots.is_empty() {
        w.ballots.retain(|b| super::thread_of(b.request.call) != thread);
    }
}

/// The same for an acquire that is broken off: what has been granted so far is kept in mind, for whoever cleans up.
#[cold]
pub(super) fn break_off(w: &mut Worker, thread: Thread) {
    for b in &w.ballots {
        if super::thread_of(b.request.call) == thread {
            w.want.yes |= b.yes;
        }
    }
    forget(w, thread);
}

/// Sends a request about a lock to its service; nobody waits for the answer.
pub(super) fn tell(set: &Setting, lock: LockId, request: Message, host: &mut impl Host) {
    for node in set.nodes(lock) {
        host.send(*node, request);
    }
}

/// Arms the time-out of a call, or of the next node's part in it.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn arm(set: &Setting, lock: LockId, topic: Topic, thread: Thread, host: &mut impl Host) {
    let client = set.client;
    let limit = match topic {
        _ if set.is_quorum(lock) => &client.node_timeout,
        // A thread waits for its process's mutex as long as it takes.
        Topic::Acquire if set.locks.get(lock.index()).is_some_and(|l| l.params.of_process) => &None,
        Topic::Acquire => &client.acquire_timeout,
        _ => &client.call_timeout,
    };
    if let Some(limit) = limit {
        let limit = host.draw(Purpose::TimeOut, limit);
        let slot = if thread == Thread::Main { MAIN } else { RENEW };
        host.timer(slot, thread, Due::Sleep(limit));
    }
}

/// An answer has come.
#[inline]
pub(super) fn collect(w: &mut Worker, set: &Setting, from: NodeId, m: &Message, host: &mut impl Host) -> Outcome {
    if w.ballots.is_empty() { Outcome::Plain } else { count(w, set, from, m, host) }
}

fn count(w: &mut Worker, set: &Setting, from: NodeId, m: &Message, host: &mut impl Host) -> Outcome {
    let Some(i) = find(w, m.call) else { return Outcome::Plain };
    let b = &mut w.ballots[i];
    let Some(place) = set.nodes(b.lock).iter().position(|n| *n == from) else { return Outcome::Plain };
    let bit = 1 << place;
    // Both halves of a release are one call.
    let of_first_half = matches!(m.payload, Payload::Owned { .. }) && !matches!(b.request.payload, Payload::Get { .. });
    if b.answered() & bit != 0 || of_first_half {
        // A copy of an answer that was counted, or one that came after its time.
        host.did(Fact::Ignored { topic: m.kind.topic });
        return Outcome::Open;
    }
    match m.payload {
        Payload::Failed => b.failed |= bit,
        ref p if is_yes(p) => {
            b.yes |= bit;
            if b.yes.count_ones() == u32::from(set.locks[b.lock.index()].params.quorum) {
                b.decided = host.read(set.client.clock);
            }
            b.said_yes.get_or_insert(m.payload);
        }
        _ => {
            b.no |= bit;
            b.said_no.get_or_insert(m.payload);
        }
    }
    go_on(w, set, i, host)
}

/// The time-out of a call, or of one node's part in it.
pub(super) fn timed_out(w: &mut Worker, set: &Setting, call: CallId, host: &mut impl Host) -> Outcome {
    let Some(i) = find(w, call) else { return Outcome::Plain };
    let b = &mut w.ballots[i];
    b.silent |= b.asked & !b.answered();
    go_on(w, set, i, host)
}

/// Asks the next node, waits for more, or closes the ballot.
fn go_on(w: &mut Worker, set: &Setting, i: usize, host: &mut impl Host) -> Outcome {
    let b = &mut w.ballots[i];
    let params = &set.locks[b.lock.index()].params;
    let nodes = set.nodes(b.lock);
    let answered = b.answered();
    let topic = b.request.kind.topic;
    let quorum = u32::from(params.quorum);
    let granted = b.yes.count_ones() >= quorum;
    let denied = b.no.count_ones() + quorum > b.electorate.count_ones();
    // Whoever gives a lock back tells everybody who may have it, however soon it is decided, and where it has to ask first, hears everybody.
    let gives_back = matches!(topic, Topic::Release | Topic::Withdraw | Topic::Break);
    let asks_first = matches!(b.request.payload, Payload::Get { .. });
    // Some clients take an error of one node for an error of all.
    let aborts = set.client.aborts_on_node_error && b.failed != 0 && topic == Topic::Acquire;
    let decided = (granted || denied) && !asks_first && (!gives_back || b.asked == b.electorate);
    let waits = params.take == Take::All || !decided;
    if waits && !aborts && answered != b.electorate {
        if answered == b.asked {
            // One after another: the next node's turn, with a time-out of its own.
            let next = lowest(b.electorate & !b.asked);
            b.asked |= next;
            let (lock, request) = (b.lock, b.request);
            host.send(nodes[next.trailing_zeros() as usize], request);
            arm(set, lock, topic, super::thread_of(request.call), host);
        }
        return Outcome::Open;
    }
    let b = w.ballots.remove(i);
    w.decided = b.decided;
    match b.request.payload {
        // Set and expire are two calls of one try: what either has touched is to be cleaned up.
        _ if topic == Topic::Acquire => w.want.yes |= b.yes,
        Payload::Get { .. } => w.mine = b.yes,
        Payload::Renew { .. } if params.repairs && granted => repair(w, set, &b, host),
        _ => {}
    }
    let said = match topic {
        _ if aborts => Some(Payload::Failed),
        // Whoever gives a lock back wants to be done with it, whatever the nodes say.
        _ if gives_back => b.said_yes.or(b.said_no),
        _ if granted => b.said_yes,
        _ if denied => b.said_no,
        _ => None,
    };
    match said {
        Some(payload) => Outcome::Answer(b.request.answer(payload)),
        // Errors alone are an error; a time-out leaves it open.
        None if b.silent == 0 && b.failed != 0 => Outcome::Answer(b.request.answer(Payload::Failed)),
        None => Outcome::Unknown(topic),
    }
}

/// A majority still shows the owner: where the record was missing it is stored again, unless somebody else has it there. Nobody waits for
/// the answers, which change nothing.
#[cold]
fn repair(w: &mut Worker, set: &Setting, b: &Ballot, host: &mut impl Host) {
    let Payload::Renew { lock, acq, owner, ttl, margin, .. } = b.request.payload else { return };
    if b.no == 0 {
        return;
    }
    let call = super::next_call(w, super::thread_of(b.request.call));
    w.repair = Some(call);
    let payload = Payload::Renew { lock, acq, owner, ttl, margin, compare: Compare::OwnerOrAbsent };
    for (i, node) in set.nodes(lock).iter().enumerate() {
        if b.no & 1 << i != 0 {
            host.send(*node, Message::request(Topic::Renew, call, payload));
        }
    }
}

impl Ballot {
    /// Who has had a say, or the time for it.
    fn answered(&self) -> u16 {
        self.yes | self.no | self.silent | self.failed
    }
}

fn find(w: &Worker, call: CallId) -> Option<usize> {
    w.ballots.iter().position(|b| b.request.call == call)
}

fn is_yes(p: &Payload) -> bool {
    matches!(
        p,
        Payload::Granted { .. }
            | Payload::Extended { .. }
            | Payload::Released { .. }
            | Payload::Broken { .. }
            | Payload::Owned { mine: true, .. }
            | Payload::Answer { owns: true, .. }
    )
}

fn lowest(mask: u16) -> u16 {
    mask & mask.wrapping_neg()
}

/// The lowest `n` bits.
fn bits(n: usize) -> u16 {
    ((1u32 << n) - 1) as u16
}
