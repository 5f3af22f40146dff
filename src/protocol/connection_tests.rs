//! (state, request) → answer of a lock that lives with a connection.

use super::connection::{Server, on_input};
use super::params::{Family, LockParams, TokenKind};
use super::redis::Served;
use super::{Command, Due, Input, Recorder, Slot};
use crate::base::message::{Compare, Over, Topic};
use crate::base::{AcqId, CallId, Fact, LockId, Message, NodeId, OwnerId, Payload, Span, Thread};

struct Bench {
    server: Server,
    params: LockParams,
    host: Recorder,
}

const W1: NodeId = NodeId(1);
const W2: NodeId = NodeId(2);

impl Bench {
    fn new(params: LockParams) -> Bench {
        let params = LockParams { family: Family::Connection, ttl: None, ..params };
        Bench { server: Server::new(2), params, host: Recorder::new(NodeId(9)) }
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let locks = [Some(&self.params), Some(&self.params)];
        on_input(&mut self.server, &Served { locks: &locks, others: &[], journal: false }, input, &mut self.host);
        self.host.take()
    }

    fn send(&mut self, from: NodeId, topic: Topic, payload: Payload) -> Vec<Command> {
        let message = Message::request(topic, CallId(2), payload);
        self.input(Input::Message { from, message: &message, stall: None })
    }

    fn acquire(&mut self, from: NodeId, lock: u8) -> Vec<Command> {
        let (lock, acq, owner) = (LockId(lock), AcqId(from.0.into()), OwnerId(from.0.into()));
        self.send(from, Topic::Acquire, Payload::Acquire { lock, acq, owner, ttl: None, margin: Span::ZERO })
    }

    fn release(&mut self, from: NodeId) -> Vec<Command> {
        let (acq, owner) = (AcqId(from.0.into()), OwnerId(from.0.into()));
        self.send(from, Topic::Release, Payload::Release { lock: LockId(0), acq, owner, compare: Compare::Owner })
    }

    fn closed(&mut self, worker: NodeId, over: Over) -> Vec<Command> {
        self.send(worker, Topic::Withdraw, Payload::Hangup { connection: None, over })
    }
}

/// Who is told what.
fn said(commands: &[Command]) -> Vec<(NodeId, Payload)> {
    let sent = |c: &Command| if let Command::Send { to, message } = c { Some((*to, message.payload)) } else { None };
    commands.iter().filter_map(sent).collect()
}

fn granted(worker: NodeId) -> (NodeId, Payload) {
    (worker, Payload::Granted { lock: LockId(0), acq: AcqId(worker.0.into()), token: None })
}

#[test]
fn whoever_waits_is_answered_when_the_lock_is_free() {
    let mut b = Bench::new(LockParams::default());
    assert_eq!(said(&b.acquire(W1, 0)), [granted(W1)]);
    assert!(b.acquire(W2, 0).is_empty());
    let after = b.release(W1);
    let ok = Payload::Released { lock: LockId(0), acq: AcqId(1) };
    assert_eq!(said(&after), [(W1, ok), granted(W2)]);
}

#[test]
fn a_session_that_asks_again_gives_back_as_often() {
    let mut b = Bench::new(LockParams::default());
    b.acquire(W1, 0);
    assert_eq!(said(&b.acquire(W1, 0)), [granted(W1)]);
    b.acquire(W2, 0);
    assert_eq!(said(&b.release(W1)).len(), 1, "still held once");
    assert_eq!(said(&b.release(W1))[1], granted(W2));
}

#[test]
fn the_end_of_a_connection_frees_what_it_held_and_forgets_what_it_waited_for() {
    let mut b = Bench::new(LockParams { token: TokenKind::None, ..LockParams::default() });
    b.acquire(W1, 0);
    b.acquire(W2, 0);
    let broken = b.closed(W1, Over::Connection);
    assert!(broken.contains(&Command::Did(Fact::Closed { lock: LockId(0), acq: AcqId(1) })));
    assert_eq!(said(&broken), [granted(W2)]);
    b.acquire(W1, 0);
    assert_eq!(said(&b.closed(W1, Over::Connection)), [(W1, Payload::Failed)], "who waits hears of it");
    assert_eq!(said(&b.release(W2)).len(), 1, "nobody waits any more");
}

#[test]
fn a_connection_that_is_kept_outlives_its_owner() {
    let mut b = Bench::new(LockParams { keep_on_disconnect: true, ..LockParams::default() });
    b.acquire(W1, 0);
    b.acquire(W2, 0);
    assert!(b.closed(W1, Over::Process).is_empty());
}

#[test]
fn the_end_of_a_transaction_frees_what_lasts_as_long() {
    for (until_commit, freed) in [(true, 1), (false, 0)] {
        let mut b = Bench::new(LockParams { until_commit, ..LockParams::default() });
        b.acquire(W1, 0);
        b.acquire(W2, 0);
        assert_eq!(said(&b.closed(W1, Over::Transaction)).len(), freed);
    }
}

#[test]
fn a_silent_connection_is_closed() {
    let limit = Span::from_ms(30_000);
    let mut b = Bench::new(LockParams { idle_timeout: Some(limit), ..LockParams::default() });
    let asked = b.acquire(W1, 0);
    let timer = Command::SetTimer { slot: Slot(2), thread: Thread::Main, due: Due::Sleep(limit) };
    assert!(asked.contains(&timer));
    b.acquire(W2, 0);
    assert_eq!(said(&b.input(Input::Timer { slot: Slot(2) })), [granted(W2)]);
}

#[test]
fn a_wait_that_closes_a_circle_is_refused() {
    let mut b = Bench::new(LockParams::default());
    b.acquire(W1, 0);
    b.acquire(W2, 1);
    assert!(b.acquire(W1, 1).is_empty());
    assert_eq!(said(&b.acquire(W2, 0)), [(W2, Payload::Failed)]);
}

#[test]
fn a_crash_ends_every_connection() {
    let mut b = Bench::new(LockParams::default());
    b.acquire(W1, 0);
    b.acquire(W2, 0);
    assert_eq!(said(&b.input(Input::Crash { loses: None })), [(W2, Payload::Failed)]);
    assert_eq!(said(&b.acquire(W2, 0)), [granted(W2)]);
}

#[test]
fn a_try_does_not_wait() {
    let mut b = Bench::new(LockParams::default());
    let tries = |w: NodeId| Payload::Acquire {
        lock: LockId(0),
        acq: AcqId(w.0.into()),
        owner: OwnerId(w.0.into()),
        ttl: Some(Span::ZERO),
        margin: Span::ZERO,
    };
    assert_eq!(said(&b.send(W1, Topic::Acquire, tries(W1))), [granted(W1)]);
    let refused = Payload::Refused { lock: LockId(0), acq: AcqId(2) };
    assert_eq!(said(&b.send(W2, Topic::Acquire, tries(W2))), [(W2, refused)]);
    assert_eq!(said(&b.release(W1)).len(), 1, "nobody waits");
}
