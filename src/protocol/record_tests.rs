//! (state, request) → answer of the store without a clock.

use super::params::{Family, LockParams, Takeover, TokenKind};
use super::record::{Store, on_input};
use super::{Command, Input, Recorder};
use crate::base::message::{Compare, Topic};
use crate::base::row::{Put, Stamp, Version};
use crate::base::{AcqId, CallId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, Span, Token, TrueTime};

const L: LockId = LockId(0);
const STORE: NodeId = NodeId(9);
const TTL: Span = Span::from_ms(10_000);

struct Bench {
    store: Store,
    params: LockParams,
    host: Recorder,
}

impl Bench {
    fn new() -> Bench {
        let params = LockParams { family: Family::Record, stamped_by_client: true, ..LockParams::default() };
        Bench { store: Store::new(1), params, host: Recorder::new(STORE) }
    }

    /// The answer, and what was done before it.
    fn ask(&mut self, from: u16, topic: Topic, call: u32, payload: Payload) -> (Payload, Vec<Fact>) {
        let message = Message::request(topic, CallId(call), payload);
        let input = Input::Message { from: NodeId(from), message: &message, stall: None };
        on_input(&mut self.store, &[Some(&self.params)], input, &mut self.host);
        let mut commands = self.host.take();
        let Some(Command::Send { to, message: answer }) = commands.pop() else { panic!("an answer comes last") };
        assert_eq!((to, answer.call, answer.kind.reply), (NodeId(from), CallId(call), true));
        let facts = commands.into_iter().map(|c| match c {
            Command::Did(fact) => fact,
            other => panic!("a store has no clock: {other:?}"),
        });
        (answer.payload, facts.collect())
    }

    fn put(&mut self, from: u16, topic: Topic, call: u32, acq: u32, expect: Version) -> (Payload, Vec<Fact>) {
        self.ask(from, topic, call, put(from, acq, expect, call.into()))
    }

    fn look(&mut self) -> Option<crate::base::row::Seen> {
        match self.ask(8, Topic::Ask, 99, Payload::Inspect { lock: L, acq: None }).0 {
            Payload::Seen { record, .. } => record,
            other => panic!("{other:?}"),
        }
    }
}

/// The writer's node is its owner id; its clock shows so many milliseconds.
fn put(from: u16, acq: u32, expect: Version, stamp_ms: i64) -> Payload {
    let compare = Compare::Nothing;
    Payload::Put(Put {
        lock: L,
        acq: AcqId(acq),
        owner: OwnerId(from.into()),
        ttl: Some(TTL),
        margin: Span::ZERO,
        stamp: LocalTime::from_us(stamp_ms * 1_000),
        expect,
        compare,
    })
}

fn is_granted(p: &Payload) -> bool {
    matches!(p, Payload::Granted { .. })
}

#[test]
fn of_two_that_create_one_does() {
    let mut b = Bench::new();
    assert_eq!(b.look(), None);
    let (answer, facts) = b.put(1, Topic::Acquire, 2, 10, Version::ABSENT);
    assert!(is_granted(&answer));
    assert!(matches!(facts[..], [Fact::Granted(g)] if g.until.is_none() && g.ttl == Some(TTL)));
    let (answer, facts) = b.put(2, Topic::Acquire, 2, 11, Version::ABSENT);
    assert_eq!(answer, Payload::Refused { lock: L, acq: AcqId(11) });
    assert!(matches!(facts[..], [Fact::Refused { worker: NodeId(2), .. }]));
}

#[test]
fn who_saw_the_state_that_stands_takes_over_and_is_the_only_one() {
    let mut b = Bench::new();
    b.put(1, Topic::Acquire, 2, 10, Version::ABSENT);
    let seen = b.look().expect("a record").version;
    assert_eq!(seen, Version::of(NodeId(1), CallId(2)));
    let (answer, facts) = b.put(2, Topic::Acquire, 2, 11, seen);
    assert!(is_granted(&answer));
    assert!(matches!(facts[..], [Fact::TakenOver { acq: AcqId(10), by: AcqId(11), .. }, Fact::Granted(_)]));
    assert!(matches!(b.put(3, Topic::Acquire, 2, 12, seen).0, Payload::Refused { .. }));
    // The old owner's renewal finds another state.
    let (answer, _) = b.put(1, Topic::Renew, 4, 10, seen);
    assert_eq!(answer, Payload::NotExtended { lock: L, acq: AcqId(10) });
}

#[test]
fn a_renewal_is_another_state_and_the_same_tenure() {
    let mut b = Bench::new();
    b.put(1, Topic::Acquire, 2, 10, Version::ABSENT);
    let (answer, facts) = b.put(1, Topic::Renew, 4, 10, Version::of(NodeId(1), CallId(2)));
    assert_eq!(answer, Payload::Extended { lock: L, acq: AcqId(10) });
    assert!(matches!(facts[..], [Fact::Extended { acq: AcqId(10), by: AcqId(10), until: None, .. }]));
    assert_eq!(b.look().map(|r| r.version), Some(Version::of(NodeId(1), CallId(4))));
    // A copy of it finds the state that it has made itself, which is not the one that it expects.
    assert!(matches!(b.put(1, Topic::Renew, 4, 10, Version::of(NodeId(1), CallId(2))).0, Payload::NotExtended { .. }));
}

#[test]
fn a_client_that_knows_its_id_gets_the_answer_that_was_lost() {
    let mut b = Bench::new();
    b.params.request_id = true;
    b.put(1, Topic::Acquire, 2, 10, Version::ABSENT);
    let (answer, facts) = b.put(1, Topic::Acquire, 4, 11, Version::of(NodeId(1), CallId(2)));
    assert_eq!(answer, Payload::Granted { lock: L, acq: AcqId(10), token: None });
    assert!(matches!(facts[..], [Fact::Extended { acq: AcqId(10), .. }]), "no new grant");
}

#[test]
fn what_was_given_back_stays_with_its_counter() {
    let mut b = Bench::new();
    b.params.token = TokenKind::Ordered;
    let token = |p: Payload| if let Payload::Granted { token, .. } = p { token } else { None };
    assert_eq!(token(b.put(1, Topic::Acquire, 2, 10, Version::ABSENT).0), Some(Token::new(1)));
    let (answer, facts) = b.put(1, Topic::Release, 4, 10, Version::of(NodeId(1), CallId(2)));
    assert_eq!(answer, Payload::Released { lock: L, acq: AcqId(10) });
    assert!(matches!(facts[..], [Fact::Released { by: Some(AcqId(10)), .. }]));
    let seen = b.look().expect("the record is still there");
    assert!(seen.released);
    // Given back once: the second release finds nothing.
    assert!(matches!(b.put(1, Topic::Release, 6, 10, seen.version).0, Payload::NotHeld { .. }));
    assert_eq!(token(b.put(2, Topic::Acquire, 2, 11, seen.version).0), Some(Token::new(2)));
    // An eviction takes the row, and the counter with it.
    on_input(&mut b.store, &[Some(&b.params)], Input::Evict { lock: None }, &mut b.host);
    assert_eq!(b.host.take(), [Command::Did(Fact::Forgotten { lock: L, acq: AcqId(11) })]);
    assert_eq!(token(b.put(1, Topic::Acquire, 8, 12, Version::ABSENT).0), Some(Token::new(1)));
}

#[test]
fn an_end_does_not_move_back() {
    let mut b = Bench::new();
    b.params.takeover = Takeover::Timestamp;
    for monotone in [false, true] {
        b.params.end_is_monotone = monotone;
        b.store.reset();
        b.ask(1, Topic::Acquire, 2, put(1, 10, Version::ABSENT, 5_000));
        let (early, _) = b.ask(1, Topic::Renew, 4, put(1, 10, Version::of(NodeId(1), CallId(2)), 4_999));
        assert_eq!(matches!(early, Payload::Extended { .. }), !monotone);
        let seen = b.look().expect("a record");
        assert_eq!(seen.stamp, Stamp::At(LocalTime::from_us(if monotone { 5_000_000 } else { 4_999_000 })));
        assert!(matches!(b.ask(1, Topic::Renew, 6, put(1, 10, seen.version, 5_000)).0, Payload::Extended { .. }));
    }
}

#[test]
fn the_store_may_stamp_by_its_own_clock_and_says_how_old_a_record_is() {
    let mut b = Bench::new();
    b.params.stamped_by_client = false;
    b.ask(1, Topic::Acquire, 2, put(1, 10, Version::ABSENT, 77_000));
    b.host.now = TrueTime::from_us(3_000_000);
    assert_eq!(b.look().map(|r| r.stamp), Some(Stamp::Ago(Span::from_ms(3_000))));
}

#[test]
fn an_order_removes_it_whoever_has_it() {
    let mut b = Bench::new();
    b.put(1, Topic::Acquire, 2, 10, Version::ABSENT);
    let (answer, facts) = b.ask(8, Topic::Break, 2, Payload::Break { lock: L });
    assert_eq!(answer, Payload::Broken { lock: L });
    assert_eq!(facts, [Fact::Released { lock: L, acq: AcqId(10), by: None }]);
    assert_eq!(b.look(), None);
}
