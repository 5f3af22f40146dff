//! (state, request) → decision, for one shard and each of its guards.

use super::params::*;
use super::resource::*;
use super::worker::Access;
use super::{Command, Input, Recorder, Slot};
use crate::base::message::{Reject, Topic, Write};
use crate::base::*;

struct Bench {
    shard: Shard,
    params: ResourceParams,
    host: Recorder,
}

fn fenced() -> ResourceParams {
    ResourceParams { guards: Guards { fence: true, ..Guards::default() }, ..ResourceParams::default() }
}

fn write(token: u64, base: Option<u64>, op: u64) -> Write {
    let token = Some(Token::new(token));
    let owner = OwnerId(token.map_or(0, |t| t.get() as u32));
    Write { acq: None, owner, lock: LockId(0), token, base, op: OpKey(op), number: op as u32, delete: false }
}

fn token_below(token: u64, mark: u64) -> Payload {
    Payload::Rejected(Reject::Token { token: Some(Token::new(token)), mark: Token::new(mark) })
}

impl Bench {
    fn new(params: ResourceParams) -> Bench {
        Bench { shard: Shard::default(), params, host: Recorder::new(NodeId(9)) }
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let locks = [Access { params: LockParams::default(), nodes: vec![NodeId(8)] }];
        let set = Setting { params: &self.params, locks: &locks, rows: &[] };
        on_input(&mut self.shard, &set, input, &mut self.host);
        self.host.take()
    }

    fn send(&mut self, payload: Payload, stall: Option<Span>) -> Vec<Command> {
        let message = Message::request(Topic::Write, CallId(2), payload);
        self.input(Input::Message { from: NodeId(1), message: &message, stall })
    }

    /// The answer, if it comes at once.
    fn answer(&mut self, payload: Payload) -> Option<Payload> {
        answered(&self.send(payload, None))
    }

    fn write(&mut self, w: Write) -> Option<Payload> {
        self.answer(Payload::Write(w))
    }

    fn activate(&mut self, token: u64) -> Option<Payload> {
        let owner = OwnerId(token as u32);
        self.answer(Payload::Activate { acq: None, owner, token: Some(Token::new(token)) })
    }
}

fn answered(done: &[Command]) -> Option<Payload> {
    done.iter().find_map(|c| match c {
        Command::Send { to: NodeId(1), message } => Some(message.payload),
        _ => None,
    })
}

fn written(version: u64) -> Option<Payload> {
    Some(Payload::Written { version })
}

#[test]
fn without_a_guard_everything_is_applied() {
    let mut b = Bench::new(ResourceParams::default());
    assert_eq!(b.write(write(2, Some(0), 1)), written(1));
    assert_eq!(b.write(write(1, Some(0), 2)), written(2));
}

#[test]
fn a_fence_refuses_what_is_older_than_it_has_seen() {
    let mut b = Bench::new(fenced());
    assert_eq!(b.write(write(2, Some(0), 1)), written(1));
    assert_eq!(b.write(write(1, Some(0), 2)), Some(token_below(1, 2)));
    assert_eq!(b.write(write(2, Some(1), 3)), written(2), "its owner may write again");
    let none = Write { token: None, ..write(0, None, 4) };
    assert_eq!(b.write(none), Some(Payload::Rejected(Reject::Token { token: None, mark: Token::new(2) })));
}

#[test]
fn a_strict_rule_refuses_its_owners_second_write_and_the_first_after_activation() {
    let strict = ResourceParams { rule: Rule::Above, ..fenced() };
    let mut b = Bench::new(strict.clone());
    assert_eq!(b.write(write(1, Some(0), 1)), written(1));
    assert_eq!(b.write(write(1, Some(1), 2)), Some(token_below(1, 1)));
    let mut b = Bench::new(strict);
    assert_eq!(b.activate(1), Some(Payload::Activated));
    assert_eq!(b.write(write(1, Some(0), 1)), Some(token_below(1, 1)));
}

#[test]
fn an_activation_shuts_out_the_old_owner_before_the_new_ones_first_write() {
    let mut b = Bench::new(fenced());
    assert_eq!(b.activate(2), Some(Payload::Activated));
    assert_eq!(b.write(write(1, Some(0), 1)), Some(token_below(1, 2)));
    assert_eq!(b.activate(1), Some(token_below(1, 2)));
}

#[test]
fn two_steps_let_the_world_change_between_check_and_effect() {
    let mut b = Bench::new(ResourceParams { atomic: false, ..fenced() });
    let stalled = b.send(Payload::Write(write(1, Some(0), 1)), Some(Span::from_ms(2_000)));
    assert_eq!(answered(&stalled), None);
    let quick = b.send(Payload::Write(write(2, Some(0), 2)), None);
    assert_eq!(answered(&quick), None, "the gap is there even without a stall");
    assert_eq!(answered(&b.input(Input::Timer { slot: Slot(1) })), written(1));
    let done = b.input(Input::Timer { slot: Slot(0) });
    assert_eq!(answered(&done), written(2), "the old write lands after the new one");
    let fell = Fact::MarkMoved { from: Some(Token::new(2)), to: Some(Token::new(1)) };
    assert!(done.contains(&Command::Did(fell)), "and takes the mark back");
}

#[test]
fn one_step_decides_when_the_request_is_handled() {
    let mut b = Bench::new(ResourceParams { handling: Draw::ms(100), ..fenced() });
    let (token, other) = (Some(Token::new(2)), Some(Token::new(1)));
    let requests = [
        Payload::Write(write(1, Some(0), 1)),
        Payload::Activate { acq: None, owner: OwnerId(2), token },
        Payload::Read { acq: None, token: other },
    ];
    for payload in requests {
        assert_eq!(answered(&b.send(payload, None)), None, "{payload:?} takes its time");
    }
    let done = |b: &mut Bench, slot| answered(&b.input(Input::Timer { slot: Slot(slot) }));
    assert_eq!(done(&mut b, 1), Some(Payload::Activated));
    assert_eq!(done(&mut b, 0), Some(token_below(1, 2)), "the other was served meanwhile");
    assert_eq!(done(&mut b, 2), Some(Payload::Value { version: 0 }));
}

#[test]
fn a_read_that_the_fence_refuses_is_told() {
    let mut b = Bench::new(ResourceParams { reads_fence: true, mark: Token::new(5), ..fenced() });
    let done = b.send(Payload::Read { acq: None, token: Some(Token::new(4)) }, None);
    let why = Reject::Token { token: Some(Token::new(4)), mark: Token::new(5) };
    assert!(done.contains(&Command::Did(Fact::ReadRejected { worker: NodeId(1), acq: None, why })));
    assert_eq!(answered(&done), Some(Payload::Rejected(why)));
}

/// Between the question and the effect every guard but `ask` may have changed its mind.
#[test]
fn what_can_be_compared_is_compared_with_the_effect_even_behind_a_question() {
    let with = |f: fn(&mut Guards)| {
        let mut guards = Guards { ask: true, ..Guards::default() };
        f(&mut guards);
        guards
    };
    let late = write(1, Some(0), 1);
    let cases: [(Guards, Write, Payload); 4] = [
        (with(|g| g.fence = true), write(2, Some(0), 2), token_below(1, 2)),
        (with(|g| g.version = true), write(2, None, 2), Payload::Rejected(Reject::Version { base: 0, current: 1 })),
        (with(|g| g.absent = true), write(2, None, 2), Payload::Rejected(Reject::Exists)),
        (with(|g| g.idempotency = true), write(2, None, 1), Payload::Replayed { version: 1 }),
    ];
    for (guards, meanwhile, outcome) in cases {
        for (atomic, outcome) in [(true, outcome), (false, Payload::Written { version: 2 })] {
            let mut b = Bench::new(ResourceParams { guards, atomic, ..ResourceParams::default() });
            for w in [late, meanwhile] {
                b.send(Payload::Write(w), None);
            }
            let mut last = None;
            for re in [2, 1] {
                let answer = Payload::Answer { lock: LockId(0), owns: true, re };
                let message = Message::request(Topic::Ask, CallId(0), answer);
                last = answered(&b.input(Input::Message { from: NodeId(8), message: &message, stall: None }));
            }
            assert_eq!(last, Some(outcome), "{guards:?}, atomic = {atomic}");
        }
    }
}

#[test]
fn asking_the_service_is_true_when_it_is_said() {
    let guards = Guards { ask: true, ..Guards::default() };
    for (owns, outcome) in [(true, written(1)), (false, Some(Payload::Rejected(Reject::Owner)))] {
        let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
        let asked = b.send(Payload::Write(write(1, Some(0), 1)), None);
        let [Command::Send { to: NodeId(8), message }] = asked[..] else { panic!("it asks first: {asked:?}") };
        let Payload::Ask { re, .. } = message.payload else { panic!("{message:?}") };
        let reply = message.answer(Payload::Answer { lock: LockId(0), owns, re });
        assert_eq!(answered(&b.input(Input::Message { from: NodeId(8), message: &reply, stall: None })), outcome);
    }
}

#[test]
fn a_stored_owner_has_no_order() {
    let guards = Guards { owner: true, ..Guards::default() };
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    b.activate(2);
    b.activate(1); // The stale owner comes late, and wins.
    assert_eq!(b.write(write(2, Some(0), 1)), Some(Payload::Rejected(Reject::Owner)));
    assert_eq!(b.write(write(1, Some(0), 2)), written(1));
}

#[test]
fn a_version_guard_is_compare_and_set() {
    let guards = Guards { version: true, ..Guards::default() };
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    assert_eq!(b.write(write(1, Some(0), 1)), written(1));
    assert_eq!(b.write(write(1, Some(0), 2)), Some(Payload::Rejected(Reject::Version { base: 0, current: 1 })));
    assert_eq!(b.write(write(1, None, 3)), written(2), "a blind write compares nothing");
}

#[test]
fn an_operation_has_one_outcome_for_as_long_as_it_is_remembered() {
    let guards = Guards { idempotency: true, ..Guards::default() };
    let kept = Some(Span::from_ms(1_000));
    let mut b = Bench::new(ResourceParams { guards, retention: kept, ..ResourceParams::default() });
    assert_eq!(b.write(write(1, Some(0), 42)), written(1));
    b.host.now = TrueTime::from_ms(999);
    assert_eq!(b.write(write(2, Some(1), 42)), Some(Payload::Replayed { version: 1 }));
    b.host.now = TrueTime::from_ms(1_000);
    assert_eq!(b.write(write(2, Some(1), 42)), written(2), "pruned: it happens again");
}

#[test]
fn create_only_and_request_numbers() {
    let guards = Guards { absent: true, ..Guards::default() };
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    assert_eq!(b.write(write(1, None, 1)), written(1));
    assert_eq!(b.write(write(1, None, 2)), Some(Payload::Rejected(Reject::Exists)));
    let mut b = Bench::new(ResourceParams { sequence: true, ..fenced() });
    assert_eq!(b.write(write(1, None, 2)), written(1));
    assert_eq!(b.write(write(1, None, 2)), Some(Payload::Rejected(Reject::Sequence { number: 2, last: 2 })));
    assert_eq!(b.write(write(2, None, 1)), written(2), "a new token counts anew");
}

#[test]
fn a_crash_keeps_the_data_and_a_durable_mark() {
    for (mark_durable, outcome) in [(true, Some(token_below(1, 2))), (false, written(2))] {
        let mut b = Bench::new(ResourceParams { mark_durable, ..fenced() });
        b.write(write(2, Some(0), 1));
        b.input(Input::Crash { loses: None });
        assert_eq!(b.write(write(1, Some(0), 2)), outcome);
    }
}

#[test]
fn reads_may_carry_the_token_and_raise_the_mark() {
    let mut b = Bench::new(ResourceParams { reads_fence: true, ..fenced() });
    let read = |t| Payload::Read { acq: None, token: Some(Token::new(t)) };
    assert_eq!(b.answer(read(2)), Some(Payload::Value { version: 0 }));
    assert_eq!(b.write(write(1, Some(0), 1)), Some(token_below(1, 2)));
    assert_eq!(b.answer(read(1)), Some(token_below(1, 2)));
}

#[test]
fn a_mark_can_be_forgotten_by_time_or_by_a_delete() {
    let mut b = Bench::new(ResourceParams { mark_retention: Some(Span::from_ms(100)), ..fenced() });
    b.write(write(2, None, 1));
    b.host.now = TrueTime::from_ms(100);
    assert_eq!(b.write(write(1, None, 2)), written(2));
    let mut b = Bench::new(ResourceParams { mark_survives_delete: false, ..fenced() });
    b.write(Write { delete: true, ..write(2, None, 1) });
    assert_eq!(b.write(write(1, None, 2)), written(2));
}

// ------------------------------------------------------------------ transactions

/// Sends a write of worker 1's transaction that began with call `since`, as this call.
fn stage(b: &mut Bench, call: u32, w: Write) -> Vec<Command> {
    let message = Message::request(Topic::Write, CallId(call), Payload::Stage(w));
    b.input(Input::Message { from: NodeId(1), message: &message, stall: None })
}

/// Commits what worker 1 has staged since this call, as the loop does at a resource of one part.
fn commit(b: &mut Bench, since: u32) -> Vec<Command> {
    let message = Message::request(Topic::Commit, CallId(99), Payload::Commit { acq: None, since: CallId(since) });
    assert!(b.input(Input::Message { from: NodeId(1), message: &message, stall: None }).is_empty());
    let (from, message) = b.shard.due().expect("a commit is to be decided");
    let set = Setting { params: &b.params, locks: &[], rows: &[] };
    let refused = objection(&mut b.shard, &set, (from, CallId(since)), &mut b.host);
    end(&mut b.shard, &set, (from, CallId(since)), refused, Some((&message, false)), &mut b.host);
    b.host.take()
}

#[test]
fn a_staged_write_takes_effect_at_the_commit_and_not_before() {
    let mut b = Bench::new(ResourceParams::default());
    assert_eq!(answered(&stage(&mut b, 4, write(1, Some(0), 1))), Some(Payload::Staged));
    assert_eq!(b.answer(Payload::Read { acq: None, token: None }), Some(Payload::Value { version: 0 }));
    stage(&mut b, 6, write(1, Some(1), 2));
    assert_eq!(answered(&commit(&mut b, 4)), Some(Payload::Committed { version: 2, freed: false }));
    assert_eq!(b.answer(Payload::Read { acq: None, token: None }), Some(Payload::Value { version: 2 }));
    // The same commit again, because its answer was lost: nothing more happens.
    assert_eq!(answered(&commit(&mut b, 4)), Some(Payload::Committed { version: 2, freed: false }));
}

#[test]
fn one_refused_write_rolls_the_whole_transaction_back() {
    let guards = Guards { version: true, ..Guards::default() };
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    stage(&mut b, 4, write(1, None, 1));
    let late = write(1, Some(0), 2);
    stage(&mut b, 6, late);
    b.write(write(1, None, 70)); // Somebody else's comes between.
    let said = commit(&mut b, 4);
    assert_eq!(answered(&said), Some(Payload::Committed { version: 3, freed: false }), "its own write counts as read");
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    stage(&mut b, 4, late);
    stage(&mut b, 6, write(1, None, 1));
    b.write(write(1, None, 70));
    let said = commit(&mut b, 4);
    let why = Reject::Version { base: 0, current: 1 };
    assert_eq!(answered(&said), Some(Payload::Rejected(why)));
    assert!(said.contains(&Command::Did(Fact::RolledBack { worker: NodeId(1), acq: None, op: OpKey(1) })));
    assert_eq!(answered(&commit(&mut b, 4)), Some(Payload::Rejected(why)), "asked again, it says the same");
}

#[test]
fn what_an_older_transaction_left_is_never_committed() {
    let mut b = Bench::new(ResourceParams::default());
    stage(&mut b, 4, write(1, None, 1));
    stage(&mut b, 8, write(1, None, 2));
    assert_eq!(answered(&commit(&mut b, 8)), Some(Payload::Committed { version: 1, freed: false }));
}

#[test]
fn a_write_in_the_store_of_its_lock_needs_the_lock() {
    let guards = Guards { same_store: true, ..Guards::default() };
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    for (rows, passes) in [(&[Some(OwnerId(1))][..], true), (&[Some(OwnerId(2))], false), (&[None], false)] {
        let set = Setting { params: &b.params, locks: &[], rows };
        let message = Message::request(Topic::Write, CallId(2), Payload::Write(write(1, None, 1)));
        on_input(&mut b.shard, &set, Input::Message { from: NodeId(1), message: &message, stall: None }, &mut b.host);
        let said = answered(&b.host.take());
        assert_eq!(said != Some(Payload::Rejected(Reject::Owner)), passes, "{rows:?}");
    }
}

#[test]
fn an_issuer_keeps_the_highest_number_and_may_ask_for_the_next() {
    let issue = |number| Payload::Issue { acq: None, token: None, number, takes: Span::ZERO };
    let mut b = Bench::new(ResourceParams::default());
    assert_eq!(b.answer(issue(5)), Some(Payload::Issued { number: 5 }));
    assert_eq!(b.answer(issue(3)), Some(Payload::Issued { number: 3 }), "memory is believed");
    assert_eq!(b.answer(Payload::Read { acq: None, token: None }), Some(Payload::Value { version: 5 }));
    let guards = Guards { version: true, ..Guards::default() };
    let mut b = Bench::new(ResourceParams { guards, ..ResourceParams::default() });
    assert_eq!(b.answer(issue(1)), Some(Payload::Issued { number: 1 }));
    let why = Reject::Version { base: 0, current: 1 };
    assert_eq!(b.answer(issue(1)), Some(Payload::Rejected(why)));
}

#[test]
fn a_minted_token_counts_attempts_or_successes() {
    let mint = Payload::Mint { acq: None, lock: LockId(0), owner: OwnerId(1) };
    let minted = |token| Some(Payload::Minted { token: Token::new(token) });
    for (bump_attempts, second) in [(true, 2), (false, 1)] {
        let guards = Guards { fence: true, ..Guards::default() };
        let mut b = Bench::new(ResourceParams { guards, bump_attempts, ..ResourceParams::default() });
        assert_eq!(b.answer(mint), minted(1));
        assert_eq!(b.answer(mint), minted(second));
        assert_eq!(b.write(write(second, None, 1)), Some(Payload::Written { version: 1 }));
        assert_eq!(b.answer(mint), minted(second + 1), "something was accepted under the last one");
        assert_eq!(b.write(write(second, None, 2)), Some(token_below(second, second + 1)));
    }
}
