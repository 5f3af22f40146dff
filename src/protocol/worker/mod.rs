//! A worker: a list of steps, and the discipline of the client library it uses.
//!
//! The rooms: this file (inputs), `state`, `program` (steps, loops, rounds, work), `ballot` (calls to a quorum), `acquire`, `hold` (belief, deadline, loss), `renew`,
//! `kinds` (locks that count, are shared, or are asked for together), `effect` (read, activate, write, call), `copies` (the same, of a shard that has several), `transact` (begin, commit), `connect` (connections, poolers), `release`, `observe` (records that clients judge, third parties). The whole essay is `docs/protocols/worker.md`, which follows here in the
//! documentation.
#![doc = ""]
#![doc = include_str!("../../../docs/protocols/worker.md")]

mod acquire;
mod ballot;
mod connect;
mod copies;
mod effect;
mod hold;
mod jeopardy;
mod kinds;
mod observe;
mod patience;
mod program;
mod release;
mod renew;
mod session;
mod state;
mod transact;
mod wait;

use super::params::{ClientParams, Draw, Family, LockParams, Op, Program};
use super::{Due, Host, Input, Purpose, Slot};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::Over;
use crate::base::message::Topic;
use crate::base::{AcqId, CallId, Fact, LockId, Message, NodeId, OpKey, OwnerId, Payload, Thread, Token};
use ballot::Outcome;
pub use copies::Copied;
use hold::{Hold, Poll};
use renew::{Renewal, Renewer};
pub use state::Worker;
use state::{Frame, Phase, Then};

/// The main thread's timer: work, sleep, time-out of the call under way.
const MAIN: Slot = Slot(0);
/// The renewal thread's timer.
const RENEW: Slot = Slot(1);
/// Stops the worker at its own deadline.
const DEADLINE: Slot = Slot(2);
/// From knowing of a loss to having stopped.
const LAG: Slot = Slot(3);
/// The caller gives up waiting for the lock.
const PATIENCE: Slot = Slot(4);
/// The next try of a loop that may outlive its caller.
const LOOSE: Slot = Slot(5);

/// What a worker may know besides its state: its program, its discipline, and how to reach what it uses.
pub struct Setting<'a> {
    pub program: &'a Program,
    pub client: &'a ClientParams,
    /// By `LockId`.
    pub locks: &'a [Access],
    /// All shards, for activation; of one with copies the first.
    pub shards: &'a [NodeId],
    /// Those that have copies.
    pub copied: &'a [Copied],
}

/// A lock, as those who use it know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    pub params: LockParams,
    /// Whom to ask: nobody where there is no service, one server, or every node of a quorum.
    pub nodes: Vec<NodeId>,
}

impl Setting<'_> {
    fn nodes(&self, lock: LockId) -> &[NodeId] {
        self.locks.get(lock.index()).map_or(&[], |l| &l.nodes)
    }

    /// Is this lock a record that its clients judge, in a store without a clock?
    fn is_record(&self, lock: LockId) -> bool {
        self.locks.get(lock.index()).is_some_and(|l| l.params.family == Family::Record)
    }

    /// Is this lock's service a quorum of servers that know nothing of each other?
    fn is_quorum(&self, lock: LockId) -> bool {
        self.locks.get(lock.index()).is_some_and(|l| l.params.family == Family::Quorum)
    }
}

/// One input, one turn.
pub fn on_input(w: &mut Worker, set: &Setting, input: Input, host: &mut impl Host) {
    match input {
        Input::Start => {
            w.round_due = host.read(crate::base::ClockKind::Monotonic);
            w.phase = Phase::Begin;
            program::turn(w, set, host);
        }
        Input::Go { thread: Thread::Main } => program::turn(w, set, host),
        Input::Go { thread: Thread::Renewer } => {} // The renewal thread passes no points.
        Input::Message { from, message, .. } => on_message(w, set, from, message, host),
        Input::Timer { slot: MAIN } => on_main_timer(w, set, host),
        Input::Timer { slot: RENEW } => renew::thread_timer(w, set, host),
        Input::Timer { slot: DEADLINE } => hold::deadline_passed(w, set, host),
        Input::Timer { slot: LAG } => hold::react(w, set, host),
        Input::Timer { slot: PATIENCE } => patience::ran_out(w, set, host),
        Input::Timer { slot: LOOSE } => patience::loose_timer(w, set, host),
        Input::Timer { slot: session::LEARN } => session::look_at_flag(w, set, host),
        Input::Timer { slot } => session::timer(w, set, slot, host),
        Input::Crash { .. } => {
            if w.connected {
                connect::hang_up(w, set, Over::Crash, host);
            }
            w.restart();
            w.incarnation += 1;
        }
        Input::ThreadDied { thread: Thread::Renewer } => {
            w.renewer = Renewer::Dead;
            ballot::forget(w, Thread::Renewer);
            session::close(w, host);
            host.cancel(RENEW);
        }
        Input::ThreadDied { thread: Thread::Main } => {
            w.phase = Phase::Dead;
            ballot::forget(w, Thread::Main);
            w.loose = None;
            for slot in [MAIN, DEADLINE, LAG, PATIENCE, LOOSE] {
                host.cancel(slot);
            }
        }
        Input::EndOfLife => {
            w.loose = None;
            host.cancel(LOOSE);
            if !over(w.phase) {
                stop(w, set, StopWhy::Ended, host);
            }
        }
        Input::Cancel => kinds::cancelled(w, set, host),
        Input::ShutDown => kinds::shut_down(w, set, host),
        // A worker stores no lock records and answers for no service.
        Input::Evict { .. }
        | Input::Promoted
        | Input::Replaced
        | Input::Demoted
        | Input::Merged { .. }
        | Input::Expire { .. } => {}
        Input::Disconnected { peer } => session::disconnected(w, set, peer, host),
    }
}

fn over(phase: Phase) -> bool {
    matches!(phase, Phase::Idle | Phase::Done | Phase::Stopped | Phase::Dead)
}

/// Call numbers tell both threads' answers apart: the renewal thread's are odd.
fn thread_of(call: CallId) -> Thread {
    if call.0 & 1 == 1 { Thread::Renewer } else { Thread::Main }
}

/// Which thread of a worker a message is for.
pub fn addressee(message: &Message) -> Thread {
    thread_of(message.call)
}

fn next_call(w: &mut Worker, thread: Thread) -> CallId {
    w.calls += 1;
    CallId(w.calls << 1 | thread as u32)
}

fn on_message(w: &mut Worker, set: &Setting, from: NodeId, message: &Message, host: &mut impl Host) {
    if w.ballots.is_empty() {
        on_answer(w, set, from, message, host);
    } else {
        on_vote(w, set, from, message, host);
    }
}

/// A call to a quorum is under way: the answer may be one of several.
#[cold]
#[inline(never)]
fn on_vote(w: &mut Worker, set: &Setting, from: NodeId, message: &Message, host: &mut impl Host) {
    let thread = thread_of(message.call);
    match ballot::collect(w, set, from, message, host) {
        Outcome::Plain => on_answer(w, set, from, message, host),
        Outcome::Open => {}
        Outcome::Answer(message) => on_answer(w, set, from, &message, host),
        Outcome::Unknown(_) if thread == Thread::Main => {
            host.cancel(MAIN);
            undecided(w, set, host);
        }
        Outcome::Unknown(_) => renew::thread_undecided(w, set, host),
    }
}

/// The answer to a call is here.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn on_answer(w: &mut Worker, set: &Setting, from: NodeId, message: &Message, host: &mut impl Host) {
    if thread_of(message.call) == Thread::Renewer {
        return renew::thread_reply(w, set, message, host);
    }
    if message.call != w.call {
        return ignore(w, set, from, message, host);
    }
    match w.phase {
        Phase::Activating(_) | Phase::ActivateRetry(_) | Phase::Reading { .. } | Phase::Writing
            if !w.rounds.is_empty() =>
        {
            copies::heard(w, set, from, message, host)
        }
        Phase::Asking | Phase::Expiring => acquire::on_reply(w, set, message, host),
        Phase::Subscribing => wait::subscribed(w, set, host),
        Phase::Withdrawing => acquire::withdrawn(w, set, message, host),
        Phase::InLine { token } if message.kind.topic == Topic::Notify => session::told(w, set, token, host),
        Phase::Looking { .. } => session::on_look(w, set, message, host),
        Phase::Activating(then) | Phase::ActivateRetry(then) => {
            effect::on_activation_reply(w, set, from, message, then, host)
        }
        Phase::Reading { shard } => effect::on_read_reply(w, set, shard, message, host),
        Phase::Renewing { lock, left, sent, work } => {
            renew::on_renewed(w, set, message.payload, Renewal { lock, sent, left, work }, host);
        }
        Phase::Polling { then, lock, sent } => {
            hold::on_polled(w, set, message.payload, Poll { then, lock, sent }, host);
        }
        Phase::Writing => effect::on_write_reply(w, set, message, host),
        Phase::Comparing => release::on_compared(w, set, message, host),
        // Both halves of a release are one call: a copy of the first one's answer is not the second one's.
        Phase::Releasing if matches!(message.payload, Payload::Owned { .. }) => {
            host.did(Fact::Ignored { topic: message.kind.topic });
        }
        Phase::Releasing => release::on_reply(w, set, message, host),
        Phase::Inspecting => observe::on_seen(w, set, message.payload, host),
        Phase::Breaking => {
            host.cancel(MAIN);
            w.phase = Phase::After;
            program::turn(w, set, host);
        }
        // The call has ended: no other phase awaits an answer.
        _ => ignore(w, set, from, message, host),
    }
}

#[cold]
fn ignore(w: &mut Worker, set: &Setting, from: NodeId, message: &Message, host: &mut impl Host) {
    if let Payload::Notify { lock, .. } = message.payload {
        return wait::told(w, set, lock, host);
    }
    if patience::loose_answer(w, set, message, host) || w.repair == Some(message.call) {
        return;
    }
    host.did(Fact::Ignored { topic: message.kind.topic });
    patience::late_answer(w, from, message, host);
}

fn on_main_timer(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    if w.ballots.is_empty() || vote_timed_out(w, set, host) {
        undecided(w, set, host);
    }
}

/// The time of a call to a quorum, or of one node's part in it, is over. True if the call is, and nothing came of it.
#[cold]
#[inline(never)]
fn vote_timed_out(w: &mut Worker, set: &Setting, host: &mut impl Host) -> bool {
    match ballot::timed_out(w, set, w.call, host) {
        Outcome::Open => return false,
        Outcome::Answer(message) => on_answer(w, set, host.me(), &message, host),
        Outcome::Plain | Outcome::Unknown(_) => return true,
    }
    false
}

/// The main thread has waited long enough, or has nobody left to wait for.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn undecided(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    match w.phase {
        Phase::Asking | Phase::Expiring => acquire::timed_out(w, set, host),
        Phase::Withdrawing => acquire::withdrawal_timed_out(w, set, host),
        Phase::RetryWait | Phase::Listening => acquire::ask(w, set, host),
        Phase::Subscribing => wait::subscription_timed_out(w, set, host),
        Phase::Inspecting => observe::timed_out(w, set, host),
        Phase::InspectWait => observe::look_again(w, set, host),
        Phase::Activating(then) => effect::activation_timed_out(w, set, then, host),
        Phase::ActivateRetry(then) => effect::activate_again(w, set, then, host),
        Phase::InLine { token } => session::look(w, set, token, host),
        Phase::Looking { .. } => session::look_timed_out(w, set, host),
        Phase::ReadRetry => {
            w.phase = Phase::Enter;
            program::turn(w, set, host);
        }
        Phase::Busy { left } => program::slice_done(w, set, left, host),
        Phase::Renewing { lock, left, sent, work } => {
            renew::timed_out(w, set, Renewal { lock, sent, left, work }, host);
        }
        Phase::Polling { then, lock, sent } => hold::poll_timed_out(w, set, Poll { then, lock, sent }, host),
        Phase::Writing => effect::write_timed_out(w, set, host),
        Phase::Comparing | Phase::Releasing => release::timed_out(w, set, host),
        Phase::Breaking => {
            host.did(Fact::TimedOut { topic: crate::base::message::Topic::Break });
            w.phase = Phase::After;
            program::turn(w, set, host);
        }
        Phase::Blocked(then) => {
            w.phase = Phase::Check(then);
            program::turn(w, set, host);
        }
        Phase::GapWait | Phase::LoopWait => {
            w.phase = Phase::Begin;
            program::turn(w, set, host);
        }
        _ => {}
    }
}

/// Ends the worker for good. It sends nothing more, unless every exit path of its program releases.
fn stop(w: &mut Worker, set: &Setting, why: StopWhy, host: &mut impl Host) {
    for i in 0..w.holds.len() {
        let entries = if set.client.release_on_stop { 1 + kinds::depth(w, w.holds[i].lock) } else { 0 };
        for _ in 0..entries {
            let call = next_call(w, Thread::Main);
            release::send(w, &w.holds[i], set, call, host);
        }
        hold::end_belief(&mut w.holds[i], Loss::Ended, host);
    }
    for slot in [MAIN, RENEW, DEADLINE, LAG, PATIENCE, LOOSE] {
        host.cancel(slot);
    }
    if w.connected {
        connect::hang_up(w, set, Over::Process, host);
    }
    w.loose = None;
    w.ballots.clear();
    session::close(w, host);
    w.renewer = Renewer::Off;
    w.phase = Phase::Stopped;
    w.stopping = None;
    host.did(Fact::Stopped { why });
}

/// Arms the time-out of a call of the main thread; `None` waits for ever.
fn arm(limit: &Option<Draw>, host: &mut impl Host) {
    if let Some(limit) = limit {
        let limit = host.draw(Purpose::TimeOut, limit);
        host.timer(MAIN, Thread::Main, Due::Sleep(limit));
    }
}

/// The current hold of a lock.
fn held(w: &Worker, lock: LockId) -> Option<&Hold> {
    w.holds.iter().find(|h| h.lock == lock)
}

/// The hold under which an effect is sent: the latest acquisition.
fn tenure(w: &Worker) -> Option<&Hold> {
    w.holds.last()
}

fn op_at<'a>(w: &Worker, set: &'a Setting) -> Option<&'a Op> {
    set.program.ops.get(w.pc as usize)
}

/// The name of the logical operation under way.
fn op_key(w: &Worker, me: NodeId, key: Option<super::params::Key>) -> OpKey {
    use crate::base::prng::mix;
    match key {
        Some(k) => OpKey(mix(k.hash, if k.per_round { u64::from(w.round) + 1 } else { 0 })),
        None => {
            let who = u64::from(me.0) << 32 | u64::from(w.incarnation);
            OpKey(mix(who, u64::from(w.writes)))
        }
    }
}

fn owner_of(hold: Option<&Hold>) -> (Option<AcqId>, OwnerId, LockId, Option<Token>) {
    match hold {
        Some(h) => (Some(h.acq), h.owner, h.lock, h.token),
        None => (None, OwnerId(0), LockId::default(), None),
    }
}

fn payload_is_failure(p: &Payload) -> bool {
    matches!(p, Payload::Failed)
}
