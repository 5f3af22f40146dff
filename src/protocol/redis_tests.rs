//! (state, request) → answer, for a key with a TTL on one server.

use super::params::*;
use super::redis::*;
use super::{Command, Input, Recorder, Slot};
use crate::base::message::{Compare, Topic};
use crate::base::*;

const LOCK: LockId = LockId(0);

/// A server, its host, and whoever calls.
struct Bench {
    server: Server,
    params: LockParams,
    host: Recorder,
}

impl Bench {
    fn new(params: LockParams) -> Bench {
        Bench { server: Server::new(1), params, host: Recorder::new(NodeId(9)) }
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let locks = [Some(&self.params)];
        let served = Served { locks: &locks, others: &[], journal: needs_journal(&[&self.params], true) };
        on_input(&mut self.server, &served, input, &mut self.host);
        self.host.take()
    }

    /// The answer to one request by worker `w` at so many ms.
    fn ask(&mut self, at_ms: i64, w: u16, payload: Payload) -> (Payload, Vec<Fact>) {
        self.host.now = TrueTime::from_ms(at_ms);
        let message = Message::request(Topic::Acquire, CallId(2), payload);
        let done = self.input(Input::Message { from: NodeId(w), message: &message, stall: None });
        let answer = done.iter().find_map(|c| match c {
            Command::Send { to, message } if *to == NodeId(w) => Some(message.payload),
            _ => None,
        });
        (answer.expect("every request is answered"), facts(&done))
    }

    fn acquire(&mut self, at_ms: i64, n: u32) -> Payload {
        let ttl = Some(Span::from_ms(10_000));
        let acquire = Payload::Acquire { lock: LOCK, acq: AcqId(n), owner: OwnerId(n), ttl, margin: Span::ZERO };
        self.ask(at_ms, n as u16, acquire).0
    }

    fn release(&mut self, at_ms: i64, n: u32, compare: Compare) -> (Payload, Vec<Fact>) {
        let release = Payload::Release { lock: LOCK, acq: AcqId(n), owner: OwnerId(n), compare };
        self.ask(at_ms, n as u16, release)
    }

    fn renew(&mut self, at_ms: i64, n: u32, compare: Compare) -> (Payload, Vec<Fact>) {
        let ttl = self.params.renew_ttl;
        let renew = Payload::Renew { lock: LOCK, acq: AcqId(n), owner: OwnerId(n), ttl, margin: Span::ZERO, compare };
        self.ask(at_ms, n as u16, renew)
    }
}

fn facts(done: &[Command]) -> Vec<Fact> {
    done.iter().filter_map(|c| if let Command::Did(f) = c { Some(*f) } else { None }).collect()
}

fn granted(n: u32, token: Option<u64>) -> Payload {
    Payload::Granted { lock: LOCK, acq: AcqId(n), token: token.map(Token::new) }
}

fn refused(n: u32) -> Payload {
    Payload::Refused { lock: LOCK, acq: AcqId(n) }
}

fn ordered() -> LockParams {
    LockParams { token: TokenKind::Ordered, ..LockParams::default() }
}

#[test]
fn one_owner_until_the_very_instant_of_expiry() {
    let mut b = Bench::new(ordered());
    assert_eq!(b.acquire(5, 1), granted(1, Some(1)));
    assert_eq!(b.acquire(10_004, 2), refused(2));
    assert_eq!(b.acquire(10_005, 3), granted(3, Some(2)));
}

#[test]
fn a_release_by_owner_leaves_a_successor_alone() {
    let mut b = Bench::new(ordered());
    b.acquire(5, 1);
    b.acquire(10_005, 2);
    let (answer, said) = b.release(10_010, 1, Compare::Owner);
    assert_eq!(answer, Payload::NotHeld { lock: LOCK, acq: AcqId(1) });
    assert_eq!(said, [Fact::NotHeld { lock: LOCK, by: AcqId(1), worker: NodeId(1) }]);
    assert_eq!(b.acquire(10_015, 3), refused(3));
}

#[test]
fn a_plain_del_removes_whoever_holds() {
    let mut b = Bench::new(ordered());
    b.acquire(5, 1);
    b.acquire(10_005, 2);
    let (_, said) = b.release(10_010, 1, Compare::Nothing);
    assert_eq!(said, [Fact::Released { lock: LOCK, acq: AcqId(2), by: Some(AcqId(1)) }]);
    assert_eq!(b.acquire(10_015, 3), granted(3, Some(3)));
}

#[test]
fn an_extension_counts_from_its_arrival_and_only_for_the_owner() {
    let mut b = Bench::new(ordered());
    b.acquire(0, 1);
    assert_eq!(b.renew(9_999, 1, Compare::Owner).0, Payload::Extended { lock: LOCK, acq: AcqId(1) });
    assert_eq!(b.acquire(19_998, 2), refused(2));
    assert_eq!(b.acquire(19_999, 2), granted(2, Some(2)));
    assert_eq!(b.renew(20_000, 1, Compare::Owner).0, Payload::NotExtended { lock: LOCK, acq: AcqId(1) });
    // The unsafe twin prolongs the other's lease and answers "ok".
    let (answer, said) = b.renew(20_000, 1, Compare::Nothing);
    assert_eq!(answer, Payload::Extended { lock: LOCK, acq: AcqId(1) });
    assert!(matches!(said[..], [Fact::Extended { acq: AcqId(2), by: AcqId(1), .. }]));
}

#[test]
fn a_blind_extension_revives_nothing_but_set_if_missing_does() {
    let mut b = Bench::new(ordered());
    b.acquire(0, 1);
    assert_eq!(b.renew(10_000, 1, Compare::Nothing).0, Payload::NotExtended { lock: LOCK, acq: AcqId(1) });
    assert_eq!(b.renew(10_001, 1, Compare::OwnerOrAbsent).0, granted(1, Some(2)));
    assert_eq!(b.acquire(10_002, 2), refused(2));
}

#[test]
fn an_extension_to_nothing_deletes() {
    let mut b = Bench::new(LockParams { renew_ttl: Some(Span::ZERO), ..ordered() });
    b.acquire(0, 1);
    b.renew(100, 1, Compare::Owner);
    assert_eq!(b.acquire(101, 2), granted(2, Some(2)));
}

#[test]
fn set_without_expire_never_ends() {
    let mut b = Bench::new(ordered());
    let set = Payload::Set { lock: LOCK, acq: AcqId(1), owner: OwnerId(1), margin: Span::ZERO };
    assert_eq!(b.ask(0, 1, set).0, granted(1, Some(1)));
    assert_eq!(b.acquire(1_000_000_000, 2), refused(2));
    let ttl = Some(Span::from_ms(10_000));
    b.ask(1_000_000_001, 1, Payload::Expire { lock: LOCK, acq: AcqId(1), ttl, margin: Span::ZERO });
    assert_eq!(b.acquire(1_000_010_001, 2), granted(2, Some(2)));
}

#[test]
fn a_stored_unit_mistake_is_what_counts() {
    let mut b = Bench::new(LockParams { stored_ttl: Some(Span::from_ms(10)), ..ordered() });
    b.acquire(0, 1);
    assert_eq!(b.acquire(10, 2), granted(2, Some(2)));
}

#[test]
fn lock_delay_holds_after_a_loss_and_not_after_a_release() {
    let delayed = LockParams { lock_delay: Span::from_ms(15_000), ..ordered() };
    let mut b = Bench::new(delayed.clone());
    b.acquire(5, 1);
    assert_eq!(b.acquire(25_004, 2), refused(2));
    assert_eq!(b.acquire(25_005, 2), granted(2, Some(2)));
    let mut b = Bench::new(delayed);
    b.acquire(5, 1);
    b.release(20, 1, Compare::Owner);
    assert_eq!(b.acquire(21, 2), granted(2, Some(2)));
}

#[test]
fn a_repeated_request_gets_its_first_answer_where_requests_have_ids() {
    let mut b = Bench::new(LockParams { request_id: true, ..ordered() });
    b.acquire(0, 1);
    let again = Payload::Acquire {
        lock: LOCK,
        acq: AcqId(7),
        owner: OwnerId(1),
        ttl: Some(Span::from_ms(10_000)),
        margin: Span::ZERO,
    };
    assert_eq!(b.ask(500, 1, again).0, granted(1, Some(1)));
    assert_eq!(b.acquire(10_000, 2), granted(2, Some(2)), "the lease was not prolonged");
}

#[test]
fn a_clock_step_past_the_stamp_ends_the_lease_at_once() {
    for (clock, survives) in [(ClockKind::Wall, false), (ClockKind::Monotonic, true)] {
        let mut b = Bench::new(LockParams { clock, ..ordered() });
        b.acquire(5, 1);
        b.host.clock.step(Span::from_ms(20_000));
        b.host.now = TrueTime::from_ms(1_000);
        let said = facts(&b.input(Input::Timer { slot: Slot(0) }));
        assert_eq!(said.is_empty(), survives, "{clock:?}");
        assert_eq!(b.acquire(1_001, 2) == refused(2), survives, "{clock:?}");
    }
}

#[test]
fn what_a_crash_keeps_is_up_to_the_durability() {
    // Two grants, 1.5 s and 0.5 s before the crash; the second begins with the release of the first.
    let first_and_second = |persistence, loses| {
        let mut b = Bench::new(LockParams { persistence, ..ordered() });
        b.acquire(0, 1);
        b.release(1_000, 1, Compare::Owner);
        b.acquire(1_000, 2);
        b.host.now = TrueTime::from_ms(1_500);
        let lost = facts(&b.input(Input::Crash { loses }));
        b.input(Input::Start);
        (lost, b.acquire(1_501, 3))
    };
    let forgets = |acq| Fact::Forgotten { lock: LOCK, acq: AcqId(acq) };
    let counter = |to| Fact::CounterLost { lock: LOCK, from: 2, to };
    let (lost, next) = first_and_second(Persistence::None, None);
    assert_eq!(
        (lost, next),
        (vec![forgets(2), counter(0)], granted(3, Some(1))),
        "all forgotten, and the token repeats"
    );
    let (lost, next) = first_and_second(Persistence::Always, None);
    assert_eq!((lost, next), (vec![], refused(3)));
    // One second is gone: the released lock is back, and so is its counter.
    let (lost, next) = first_and_second(Persistence::EverySecond, None);
    assert_eq!(lost[..2], [forgets(2), counter(1)]);
    assert!(matches!(lost[2..], [Fact::Granted(g)] if g.acq == AcqId(1)));
    assert_eq!(next, refused(3));
    let (lost, _) = first_and_second(Persistence::Always, Some(Span::from_ms(5_000)));
    assert_eq!(lost, [forgets(2), counter(0)], "a fault may lose more than the policy");
}

#[test]
fn what_a_crash_has_lost_stays_lost() {
    let crash = |b: &mut Bench, at_ms, loses: Option<i64>| {
        b.host.now = TrueTime::from_ms(at_ms);
        let lost = facts(&b.input(Input::Crash { loses: loses.map(Span::from_ms) }));
        b.input(Input::Start);
        lost
    };
    for persistence in [Persistence::None, Persistence::EverySecond] {
        let mut b = Bench::new(LockParams { persistence, ..ordered() });
        b.acquire(0, 1);
        assert!(crash(&mut b, 500, None).contains(&Fact::Forgotten { lock: LOCK, acq: AcqId(1) }));
        assert_eq!(crash(&mut b, 2_000, None), [], "{persistence:?}: nothing comes back");
        assert_eq!(b.acquire(2_001, 2), granted(2, Some(1)));
    }
    // What the first crash kept, the second one keeps as well.
    let mut b = Bench::new(LockParams { persistence: Persistence::EverySecond, ..ordered() });
    b.acquire(0, 1);
    assert_eq!(crash(&mut b, 1_500, None), []);
    assert_eq!(crash(&mut b, 1_600, None), []);
    assert_eq!(b.acquire(1_601, 2), refused(2));
    // A state restored from so long ago that the lock was still held by another is all there is from then on.
    let mut b = Bench::new(LockParams { persistence: Persistence::Always, ..ordered() });
    b.acquire(0, 1);
    b.release(1_000, 1, Compare::Owner);
    b.acquire(2_000, 2);
    assert_eq!(crash(&mut b, 2_500, Some(1_600)).len(), 3, "2 is forgotten, its token too, and 1 is back");
    assert_eq!(crash(&mut b, 3_000, Some(500)), []);
}

#[test]
fn an_extension_creates_nothing_while_the_lock_is_blocked() {
    let lock_delay = Span::from_ms(5_000);
    let mut b = Bench::new(LockParams { lock_delay, ..ordered() });
    b.acquire(0, 1);
    let (answer, said) = b.renew(12_000, 1, Compare::OwnerOrAbsent);
    assert_eq!(answer, Payload::NotExtended { lock: LOCK, acq: AcqId(1) });
    assert_eq!(said[1..], [Fact::NotExtended { lock: LOCK, by: AcqId(1), worker: NodeId(1) }]);
    assert_eq!(b.renew(15_000, 1, Compare::OwnerOrAbsent).0, granted(1, Some(2)));
}

#[test]
fn an_eviction_forgets_the_record_and_keeps_the_counter() {
    let mut b = Bench::new(ordered());
    b.acquire(0, 1);
    assert_eq!(facts(&b.input(Input::Evict { lock: Some(LOCK) })), [Fact::Forgotten { lock: LOCK, acq: AcqId(1) }]);
    assert_eq!(b.acquire(1, 2), granted(2, Some(2)));
}

#[test]
fn tokens_start_where_they_are_told_and_wrap_where_they_must() {
    let mut b = Bench::new(LockParams { first_token: Token::new(33), max_token: Some(Token::new(34)), ..ordered() });
    for (n, token) in [(1, 33), (2, 34), (3, 1)] {
        assert_eq!(b.acquire(i64::from(n) * 20_000, n), granted(n, Some(token)));
    }
}

#[test]
fn a_question_is_answered_by_what_stands() {
    let mut b = Bench::new(ordered());
    b.acquire(0, 1);
    for (owner, owns) in [(1, true), (2, false)] {
        let ask = Payload::Ask { lock: LOCK, owner: OwnerId(owner), re: 4 };
        assert_eq!(b.ask(1, 8, ask).0, Payload::Answer { lock: LOCK, owns, re: 4 });
    }
}
