//! (state, input) → commands, for the services of several servers of which one answers: a replicated log, and copies.

use super::consensus::{self, Group, Machine, Member};
use super::params::*;
use super::redis::{self, Served, Server};
use super::{Command, Due, Input, Recorder, Slot};
use crate::base::message::Topic;
use crate::base::*;

const MEMBERS: [NodeId; 3] = [NodeId(1), NodeId(2), NodeId(3)];

fn acquire(lock: u8, n: u32) -> Message {
    let ttl = Some(Span::from_ms(10_000));
    let acquire = Payload::Acquire { lock: LockId(lock), acq: AcqId(n), owner: OwnerId(n), ttl, margin: Span::ZERO };
    Message::request(Topic::Acquire, CallId(2 * n), acquire)
}

/// What went to this node.
fn to(done: &[Command], node: u16) -> Vec<Message> {
    let sent = |c: &Command| match c {
        Command::Send { to, message } if to.0 == node => Some(*message),
        _ => None,
    };
    done.iter().filter_map(sent).collect()
}

fn grants(done: &[Command]) -> usize {
    done.iter().filter(|c| matches!(c, Command::Did(Fact::Granted(_)))).count()
}

// ------------------------------------------------------------------ a replicated log

struct Log {
    member: Member,
    params: LockParams,
    host: Recorder,
}

impl Log {
    fn new() -> Log {
        let params = LockParams { family: Family::Consensus, clock: ClockKind::Monotonic, ..LockParams::default() };
        Log { member: Member::new(1, false, true), params, host: Recorder::new(MEMBERS[0]) }
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let locks = [Some(&self.params)];
        let served = Served { locks: &locks, others: &[], journal: false };
        consensus::on_input(&mut self.member, &Group { served, members: &MEMBERS }, input, &mut self.host);
        self.host.take()
    }

    fn message(&mut self, from: u16, message: Message) -> Vec<Command> {
        self.input(Input::Message { from: NodeId(from), message: &message, stall: None })
    }

    fn stored(&mut self, by: u16, number: u32) -> Vec<Command> {
        self.message(by, Message::request(Topic::Replicate, CallId(number), Payload::Append).answer(Payload::Appended))
    }
}

#[test]
fn an_entry_counts_once_a_majority_has_it() {
    let mut l = Log::new();
    let asked = l.message(9, acquire(0, 1));
    assert!(to(&asked, 9).is_empty() && grants(&asked) == 0, "the leader alone decides nothing");
    assert_eq!((to(&asked, 2).len(), to(&asked, 3).len()), (1, 1));
    let done = l.stored(2, 1);
    assert_eq!((to(&done, 9).len(), grants(&done)), (1, 1));
    assert!(l.stored(3, 1).is_empty(), "and the third is told nothing new");
}

#[test]
fn a_copy_of_an_answer_is_no_second_member() {
    let params = LockParams { family: Family::Consensus, ..LockParams::default() };
    let five: Vec<NodeId> = (1..=5).map(NodeId).collect();
    let (mut m, mut host) = (Member::new(1, false, true), Recorder::new(NodeId(1)));
    let locks = [Some(&params)];
    let group = || Group { served: Served { locks: &locks, others: &[], journal: false }, members: &five };
    let ask = acquire(0, 1);
    consensus::on_input(&mut m, &group(), Input::Message { from: NodeId(9), message: &ask, stall: None }, &mut host);
    let stored = Message::request(Topic::Replicate, CallId(1), Payload::Append).answer(Payload::Appended);
    for (by, granted) in [(2, 0), (2, 0), (3, 1)] {
        host.take();
        let input = Input::Message { from: NodeId(by), message: &stored, stall: None };
        consensus::on_input(&mut m, &group(), input, &mut host);
        assert_eq!(grants(&host.take()), granted);
    }
}

#[test]
fn a_later_entry_brings_the_earlier_ones_along() {
    let mut l = Log::new();
    l.message(8, acquire(0, 1));
    l.message(9, acquire(0, 2));
    let done = l.stored(3, 2);
    assert_eq!(grants(&done), 1, "in the order of the log: the first gets it");
    let answers = (to(&done, 8)[0].payload, to(&done, 9)[0].payload);
    assert!(matches!(answers, (Payload::Granted { .. }, Payload::Refused { .. })), "{answers:?}");
}

#[test]
fn an_answer_to_an_earlier_leadership_is_none_to_this_one() {
    let mut l = Log::new();
    l.message(8, acquire(0, 1));
    // It steps down before anybody has stored that, and is the leader again.
    let state = l.member.step_down(false).expect("it led");
    l.member.seat(state);
    l.input(Input::Promoted);
    l.message(9, acquire(0, 2));
    assert!(l.stored(2, 1).is_empty(), "that was about an entry that is gone");
    assert_eq!(to(&l.stored(2, 2), 9).len(), 1);
}

#[test]
fn a_crash_in_the_middle_of_a_commit_leaves_nothing_behind() {
    let mut l = Log::new();
    l.message(8, acquire(0, 1));
    l.input(Input::Crash { loses: None });
    assert!(l.stored(2, 1).is_empty());
    let Some(Machine::Keys(state)) = l.member.step_down(false) else { panic!("it led") };
    assert!(state.stored(LockId(0)).record.is_none());
}

#[test]
fn a_new_leader_grants_every_lease_its_full_length() {
    let mut l = Log::new();
    l.message(8, acquire(0, 1));
    l.stored(2, 1);
    let state = l.member.step_down(false).expect("it led");
    l.host.now = TrueTime::from_ms(9_000);
    l.member.seat(state);
    let due = Due::Reading(ClockKind::Monotonic, LocalTime::from_us(19_000_000));
    let promoted = l.input(Input::Promoted);
    assert!(promoted.iter().any(|c| matches!(c, Command::SetTimer { due: d, .. } if *d == due)), "{promoted:?}");
}

#[test]
fn who_does_not_lead_says_nothing() {
    let mut l = Log::new();
    l.member.step_down(false);
    assert!(l.message(8, acquire(0, 1)).is_empty());
}

#[test]
fn expiry_is_an_entry_too() {
    let mut l = Log::new();
    l.message(8, acquire(0, 1));
    l.stored(2, 1);
    l.host.now = TrueTime::from_ms(10_000);
    let expired = |done: &[Command]| done.iter().any(|c| matches!(c, Command::Did(Fact::Expired { .. })));
    assert!(!expired(&l.input(Input::Timer { slot: Slot(0) })));
    assert!(expired(&l.stored(3, 2)));
}

// ------------------------------------------------------------------ copies

/// A server with two locks; it is node 1, the others 2 and 3.
struct Copied {
    server: Server,
    params: LockParams,
    others: [NodeId; 2],
    host: Recorder,
}

impl Copied {
    fn primary(params: LockParams) -> Copied {
        let others = [NodeId(2), NodeId(3)];
        Copied { server: Server::new(2), params, others, host: Recorder::new(NodeId(1)) }
    }

    fn replica() -> Copied {
        Copied { server: Server::replica(2), ..Copied::primary(ordered()) }
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let locks = [Some(&self.params), Some(&self.params)];
        let served = Served { locks: &locks, others: &self.others, journal: false };
        redis::on_input(&mut self.server, &served, input, &mut self.host);
        self.host.take()
    }

    fn message(&mut self, from: u16, message: Message) -> Vec<Command> {
        self.input(Input::Message { from: NodeId(from), message: &message, stall: None })
    }

    fn owner(&self, lock: u8) -> Option<OwnerId> {
        self.server.stored(LockId(lock)).record.map(|r| r.0)
    }
}

fn ordered() -> LockParams {
    LockParams { token: TokenKind::Ordered, ..LockParams::default() }
}

/// The copies of grants: of lock 0 to 1, of lock 1 to 2.
fn two_changes() -> (Message, Message) {
    let mut p = Copied::primary(ordered());
    (to(&p.message(8, acquire(0, 1)), 2)[0], to(&p.message(9, acquire(1, 2)), 2)[0])
}

#[test]
fn the_answer_does_not_wait_for_the_copies() {
    let done = Copied::primary(ordered()).message(8, acquire(0, 1));
    assert_eq!((to(&done, 8).len(), to(&done, 2).len(), to(&done, 3).len()), (1, 1, 1));
}

#[test]
fn two_replicas_are_two_different_ones() {
    let mut p = Copied::primary(LockParams { wait_replicas: 2, ..LockParams::default() });
    let first = to(&p.message(8, acquire(0, 1)), 2)[0];
    let second = to(&p.message(9, acquire(1, 2)), 2)[0];
    let stored = |m: Message, lock| m.answer(Payload::Replicated { lock: LockId(lock) });
    assert!(to(&p.message(2, stored(first, 0)), 8).is_empty());
    assert!(to(&p.message(2, stored(first, 0)), 8).is_empty(), "a copy of the answer");
    assert!(to(&p.message(2, stored(second, 1)), 8).is_empty(), "the same replica, a later change");
    assert_eq!(to(&p.message(3, stored(first, 0)), 8).len(), 1);
}

#[test]
fn a_question_waits_for_nobody_even_if_it_finds_a_record_over() {
    let mut p = Copied::primary(LockParams { wait_replicas: 2, ..LockParams::default() });
    p.message(8, acquire(0, 1));
    p.host.now = TrueTime::from_ms(10_000);
    let get = Payload::Get { lock: LockId(0), acq: AcqId(2), owner: OwnerId(2) };
    let done = p.message(9, Message::request(Topic::Release, CallId(0), get));
    assert_eq!((to(&done, 9).len(), to(&done, 2).len()), (1, 1), "the replicas hear that it is over: {done:?}");
}

#[test]
fn the_dead_answer_nobody_and_replicate_nothing() {
    let always = LockParams { wait_replicas: 1, persistence: Persistence::Always, ..LockParams::default() };
    let mut p = Copied::primary(always);
    let change = to(&p.message(8, acquire(0, 1)), 2)[0];
    p.input(Input::Crash { loses: None });
    p.host.now = TrueTime::from_ms(10_000);
    assert!(to(&p.input(Input::Timer { slot: Slot(0) }), 2).is_empty(), "the record runs out on a disk");
    let back = p.input(Input::Start);
    assert_eq!(to(&back, 2).len(), 2, "back again, it tells its replicas what it still knows");
    let stored = change.answer(Payload::Replicated { lock: LockId(0) });
    assert!(to(&p.message(2, stored), 8).is_empty(), "that process is gone, and its callers with it");
}

#[test]
fn changes_of_two_keys_may_overtake_each_other_and_changes_of_one_may_not() {
    let (first, second) = two_changes();
    let mut r = Copied::replica();
    r.message(1, second);
    r.message(1, first);
    assert_eq!((r.owner(0), r.owner(1)), (Some(OwnerId(1)), Some(OwnerId(2))));
    let mut p = Copied::primary(ordered());
    let granted = to(&p.message(8, acquire(0, 1)), 2)[0];
    let break_it = Message::request(Topic::Break, CallId(4), Payload::Break { lock: LockId(0) });
    let broken = to(&p.message(8, break_it), 2)[0];
    let mut r = Copied::replica();
    r.message(1, broken);
    r.message(1, granted);
    assert_eq!(r.owner(0), None);
}

#[test]
fn what_a_new_primary_sends_is_newer_than_all_that_an_old_one_did() {
    let (first, second) = two_changes();
    let (mut new, mut other) = (Copied::replica(), Copied::replica());
    other.message(1, first);
    other.message(1, second);
    // The new one has heard of nothing, and grants the first lock again, with the token that was given out before.
    new.input(Input::Promoted);
    let done = new.message(9, acquire(0, 3));
    assert!(matches!(to(&done, 9)[0].payload, Payload::Granted { token: Some(t), .. } if t.get() == 1));
    other.message(1, to(&done, 3)[0]);
    assert_eq!(other.owner(0), Some(OwnerId(3)));
    // Stragglers of the old primary are of the past, of every key.
    let mut p = Copied::primary(ordered());
    let late = to(&p.message(8, acquire(1, 7)), 2)[0];
    other.message(2, late);
    assert_eq!(other.owner(1), Some(OwnerId(2)));
}

#[test]
fn a_replica_answers_nobody_and_a_promoted_one_does() {
    let mut r = Copied::replica();
    assert!(matches!(to(&r.message(8, acquire(0, 1)), 8)[0].payload, Payload::Failed));
    let (first, _) = two_changes();
    r.message(1, first);
    let promoted = r.input(Input::Promoted);
    assert_eq!(grants(&promoted), 1, "what it knows is the truth from now on");
    assert!(matches!(to(&r.message(8, acquire(0, 2)), 8)[0].payload, Payload::Refused { .. }));
}

#[test]
fn a_promoted_replica_may_hold_back_for_a_while() {
    let mut r = Copied::replica();
    r.params.promotion_hold = Span::from_ms(10_000);
    r.input(Input::Promoted);
    assert!(matches!(to(&r.message(8, acquire(0, 1)), 8)[0].payload, Payload::Refused { .. }));
    r.host.now = TrueTime::from_ms(10_000);
    assert!(matches!(to(&r.message(8, acquire(0, 2)), 8)[0].payload, Payload::Granted { .. }));
}
