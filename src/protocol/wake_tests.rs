//! (state, request) → answer, for servers that tell of a release, keep a line of waiters, end sessions late, or want to hear of their copies.

use super::params::*;
use super::redis::*;
use super::{Command, Input, Recorder};
use crate::base::message::{Compare, Topic};
use crate::base::*;

const LOCK: LockId = LockId(0);
const COPY: NodeId = NodeId(8);

struct Bench {
    server: Server,
    params: LockParams,
    others: Vec<NodeId>,
    host: Recorder,
}

fn seconds(n: i64) -> Option<Span> {
    Some(Span::from_ms(n * 1_000))
}

impl Bench {
    fn new(params: LockParams) -> Bench {
        Bench { server: Server::new(1), params, others: Vec::new(), host: Recorder::new(NodeId(9)) }
    }

    fn input(&mut self, at_ms: i64, input: Input) -> Vec<Command> {
        self.host.now = TrueTime::from_ms(at_ms);
        let locks = [Some(&self.params)];
        on_input(
            &mut self.server,
            &Served { locks: &locks, others: &self.others, journal: false },
            input,
            &mut self.host,
        );
        self.host.take()
    }

    /// What the server sends at one request, and to whom.
    fn ask(&mut self, at_ms: i64, w: u16, payload: Payload) -> Vec<(u16, Payload)> {
        let message = Message::request(Topic::Acquire, CallId(2), payload);
        let done = self.input(at_ms, Input::Message { from: NodeId(w), message: &message, stall: None });
        let sent =
            |c: Command| if let Command::Send { to, message } = c { Some((to.0, message.payload)) } else { None };
        done.into_iter().filter_map(sent).collect()
    }

    fn acquire(&mut self, at_ms: i64, n: u32) -> Payload {
        let (acq, owner) = (AcqId(n), OwnerId(n));
        let sent = self.ask(
            at_ms,
            n as u16,
            Payload::Acquire { lock: LOCK, acq, owner, ttl: self.params.ttl, margin: Span::ZERO },
        );
        sent.last().expect("it is answered").1
    }

    fn listen(&mut self, at_ms: i64, n: u32, on: bool) -> Vec<(u16, Payload)> {
        self.ask(at_ms, n as u16, Payload::Listen { lock: LOCK, acq: AcqId(n), on })
    }

    fn release(&mut self, at_ms: i64, n: u32) -> Vec<(u16, Payload)> {
        let (acq, owner) = (AcqId(n), OwnerId(n));
        self.ask(at_ms, n as u16, Payload::Release { lock: LOCK, acq, owner, compare: Compare::Owner })
    }
}

fn is_granted(p: Payload) -> bool {
    matches!(p, Payload::Granted { .. })
}

fn taken(n: u32, left: Option<Span>) -> Payload {
    Payload::Taken { lock: LOCK, acq: AcqId(n), left }
}

fn notify(n: u32) -> (u16, Payload) {
    (n as u16, Payload::Notify { lock: LOCK, acq: AcqId(n) })
}

fn telling() -> LockParams {
    LockParams { wake: Wake::Notify, ..LockParams::default() }
}

#[test]
fn a_release_is_told_to_those_who_listen_at_that_instant() {
    let mut b = Bench::new(telling());
    assert!(is_granted(b.acquire(0, 1)));
    assert_eq!(b.acquire(4_000, 2), taken(2, seconds(6)), "it says how long the record has left");
    assert_eq!(b.listen(4_010, 2, true), [(2, Payload::Listening { lock: LOCK })]);
    b.listen(4_020, 3, true);
    assert_eq!(b.listen(4_030, 3, false), [], "nobody waits for an answer to that");
    let sent = b.release(5_000, 1);
    assert_eq!(sent, [(1, Payload::Released { lock: LOCK, acq: AcqId(1) }), notify(2)]);
}

#[test]
fn a_lease_that_runs_out_is_told_to_nobody() {
    let mut b = Bench::new(telling());
    b.acquire(0, 1);
    b.listen(1, 2, true);
    let sent = b.ask(10_000, 3, Payload::Ask { lock: LOCK, owner: OwnerId(1), re: 0 });
    assert_eq!(sent, [(3, Payload::Answer { lock: LOCK, owns: false, re: 0 })]);
    let mut b = Bench::new(LockParams { tells_of_ends: true, ..telling() });
    b.acquire(0, 1);
    b.listen(1, 2, true);
    let sent = b.ask(10_000, 3, Payload::Ask { lock: LOCK, owner: OwnerId(1), re: 0 });
    assert_eq!(sent[0], notify(2), "unless the key is watched, whatever happens to it");
}

#[test]
fn a_crash_ends_every_subscription() {
    let mut b = Bench::new(LockParams { persistence: Persistence::Always, ..telling() });
    b.acquire(0, 1);
    b.listen(1, 2, true);
    b.input(2, Input::Crash { loses: None });
    assert_eq!(b.release(3, 1).len(), 1, "the record is still there, and nobody listens");
}

fn fair(timeout: Option<Span>) -> LockParams {
    LockParams { fair: true, waiter_timeout: timeout, ..telling() }
}

#[test]
fn who_came_first_is_told_and_served_first() {
    let mut b = Bench::new(fair(seconds(5)));
    b.acquire(0, 1);
    // The first expects the end of the lease; the next so much later, in case the first is dead.
    assert_eq!(b.acquire(1_000, 2), taken(2, seconds(9)));
    assert_eq!(b.acquire(2_000, 3), taken(3, seconds(13)));
    b.listen(2_010, 2, true);
    b.listen(2_020, 3, true);
    assert_eq!(b.release(3_000, 1)[1..], [notify(2)]);
    assert!(!is_granted(b.acquire(3_001, 3)), "free, and not its turn");
    assert!(!is_granted(b.acquire(3_002, 4)));
    assert!(is_granted(b.acquire(3_003, 2)));
}

#[test]
fn the_silent_first_counts_as_dead_after_its_time_out() {
    let mut b = Bench::new(fair(seconds(5)));
    b.acquire(0, 1);
    b.acquire(1_000, 2);
    assert!(!is_granted(b.acquire(14_999, 3)), "the lease is over, and the first may still come");
    assert!(is_granted(b.acquire(15_000, 3)));
}

#[test]
fn who_asks_again_keeps_its_place_and_the_end_of_it() {
    let mut b = Bench::new(fair(seconds(5)));
    b.acquire(0, 1);
    b.acquire(1_000, 2);
    assert_eq!(b.acquire(9_000, 2), taken(2, seconds(1)));
    assert_eq!(b.acquire(11_000, 2), Payload::Granted { lock: LOCK, acq: AcqId(2), token: None });
    let mut b = Bench::new(LockParams { ttl: None, stored_ttl: None, ..fair(seconds(5)) });
    b.acquire(0, 1);
    b.acquire(1_000, 2);
    assert_eq!(b.acquire(2_000, 2), taken(2, None), "its turn should have come: it sleeps until it is told");
}

#[test]
fn a_ttl_that_is_a_lower_bound_ends_at_twice_its_length() {
    let mut b =
        Bench::new(LockParams { ends_at_twice: true, lock_delay: Span::from_ms(1_000), ..LockParams::default() });
    b.acquire(0, 1);
    assert!(!is_granted(b.acquire(19_999, 2)));
    assert!(!is_granted(b.acquire(20_999, 3)), "the lock-delay");
    assert!(is_granted(b.acquire(21_000, 4)));
}

#[test]
fn an_index_that_goes_with_its_key_begins_again_unless_the_lock_was_given_back() {
    let params = LockParams { token: TokenKind::Ordered, token_restarts: true, ..LockParams::default() };
    let token = |p| if let Payload::Granted { token, .. } = p { token.map(|t: Token| t.get()) } else { None };
    let mut b = Bench::new(params);
    assert_eq!(token(b.acquire(0, 1)), Some(1));
    b.release(10, 1);
    assert_eq!(token(b.acquire(20, 2)), Some(2));
    assert_eq!(token(b.acquire(10_020, 3)), Some(1), "that session died");
}

#[test]
fn a_primary_that_has_not_heard_of_a_copy_for_too_long_writes_nothing() {
    let mut b = Bench::new(LockParams { min_replicas: 1, ..LockParams::default() });
    b.others = vec![COPY];
    let alive = Message::request(Topic::Replicate, CallId(0), Payload::Alive);
    b.input(1_000, Input::Message { from: COPY, message: &alive, stall: None });
    assert!(is_granted(b.acquire(11_000, 1)));
    assert_eq!(b.acquire(11_001, 2), Payload::Failed);
    assert_eq!(b.release(11_002, 1)[0].1, Payload::Failed);
    b.input(12_000, Input::Message { from: COPY, message: &alive, stall: None });
    assert!(matches!(b.release(12_001, 1).last(), Some((1, Payload::Released { .. }))));
}

#[test]
fn the_side_that_gives_way_forgets_and_the_other_tells_everybody() {
    let mut b = Bench::new(LockParams { merge: Some(Merge::Union), ..LockParams::default() });
    b.others = vec![COPY];
    b.acquire(0, 1);
    let kept = b.server.clone();
    let done = b.input(100, Input::Demoted);
    assert!(done.contains(&Command::Did(Fact::Forgotten { lock: LOCK, acq: AcqId(1) })));
    assert_eq!(b.acquire(101, 2), Payload::Failed, "it copies now");
    let mut other = Bench::new(b.params.clone());
    other.others = vec![COPY];
    other.server.adopt(&kept);
    let done = other.input(100, Input::Merged { epoch: 7 });
    assert!(done.iter().any(|c| matches!(c, Command::Did(Fact::Granted(g)) if g.acq == AcqId(1))));
    assert!(done.iter().any(|c| matches!(c, Command::Send { to, .. } if *to == COPY)));
}
