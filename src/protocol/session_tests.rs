//! (state, input) → commands, for a worker that stands in line: its session, its heartbeats, and how it learns what became of them.

use super::params::*;
use super::worker::{Access, Setting, Worker, on_input};
use super::{Command, Due, Input, Recorder, Slot};
use crate::base::fact::{Loss, TryEnd};
use crate::base::message::Topic;
use crate::base::*;

const LOCK: LockId = LockId(0);
const SERVICE: NodeId = NodeId(9);
const MAIN: Slot = Slot(0);
const LAG: Slot = Slot(3);
const PATIENCE: Slot = Slot(4);
const LEARN: Slot = Slot(15);
/// The heartbeat of its first session.
const KEEP: Slot = Slot(16);

/// A worker that acquires, works for ever, and has a session of 9 s that it keeps every 3 s.
struct Bench {
    worker: Worker,
    program: Program,
    client: ClientParams,
    locks: [Access; 1],
    host: Recorder,
}

impl Bench {
    fn new(client: ClientParams) -> Bench {
        let ttl = Some(Span::from_ms(9_000));
        let lock = LockParams {
            family: Family::SessionQueue,
            wake: Wake::WatchPrevious,
            mints_ids: true,
            ttl,
            ..LockParams::default()
        };
        let ops = vec![Op::Acquire { lock: LOCK, ttl: None, patience: None }, Op::Work { length: None }];
        let client = ClientParams { renew_every: Some(Span::from_ms(3_000)), renew_by: RenewBy::Thread, ..client };
        Bench {
            worker: Worker::default(),
            program: Program { ops, rounds: Some(1), ..Program::default() },
            client,
            locks: [Access { params: lock, nodes: vec![SERVICE] }],
            host: Recorder::new(NodeId(0)),
        }
    }

    fn at(&mut self, ms: i64) -> &mut Bench {
        self.host.now = TrueTime::from_ms(ms);
        self
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let set =
            Setting { program: &self.program, client: &self.client, locks: &self.locks, shards: &[], copied: &[] };
        on_input(&mut self.worker, &set, input, &mut self.host);
        self.host.take()
    }

    fn timer(&mut self, slot: Slot) -> Vec<Command> {
        self.input(Input::Timer { slot })
    }

    fn message(&mut self, message: &Message) -> Vec<Command> {
        self.input(Input::Message { from: SERVICE, message, stall: None })
    }

    /// Its first request, answered at once.
    fn asks(&mut self, answer: Payload) -> Message {
        let asked = sent(&self.input(Input::Start))[0];
        self.message(&asked.answer(answer));
        asked
    }

    /// What it watched has gone.
    fn told(&mut self, asked: Message) -> Vec<Command> {
        let told = Payload::Notify { lock: LOCK, acq: AcqId(0) };
        self.message(&Message::request(Topic::Notify, asked.call, told))
    }
}

fn sent(done: &[Command]) -> Vec<Message> {
    done.iter().filter_map(|c| if let Command::Send { message, .. } = c { Some(*message) } else { None }).collect()
}

fn facts(done: &[Command]) -> Vec<Fact> {
    let said = |c: &Command| if let Command::Did(f) = c { Some(*f) } else { None };
    done.iter().filter_map(said).collect()
}

fn sleeps(done: &[Command], of: Slot) -> Option<Due> {
    let due = |c: &Command| match c {
        Command::SetTimer { slot, due, .. } if *slot == of => Some(*due),
        _ => None,
    };
    done.iter().rev().find_map(due)
}

fn granted() -> Payload {
    Payload::Granted { lock: LOCK, acq: AcqId(0), token: None }
}

fn queued() -> Payload {
    Payload::Queued { lock: LOCK, acq: AcqId(0), token: None, behind: NodeId(1) }
}

fn over() -> Payload {
    Payload::SessionOver { lock: LOCK, acq: AcqId(0) }
}

fn pong(alive: bool) -> Payload {
    Payload::Pong { lock: LOCK, alive }
}

fn believed(done: &[Command]) -> bool {
    facts(done).iter().any(|f| matches!(f, Fact::Believed { .. }))
}

fn entry(m: &Message) -> (OwnerId, OwnerId, bool) {
    match m.payload {
        Payload::Enqueue { session, owner, opens, .. } => (session, owner, opens),
        p => panic!("it asks for a place: {p:?}"),
    }
}

fn lost(done: &[Command], why: Loss) -> bool {
    facts(done).iter().any(|f| matches!(f, Fact::BeliefEnded { why: w, .. } if *w == why))
}

#[test]
fn the_first_acquire_opens_a_session_and_its_answer_starts_the_heartbeats() {
    let mut b = Bench::new(ClientParams::default());
    let asked = sent(&b.input(Input::Start))[0];
    assert!(entry(&asked).2);
    let done = b.at(10).message(&asked.answer(queued()));
    assert_eq!(sleeps(&done, KEEP), Some(Due::Sleep(Span::from_ms(3_000))));
    let ping = b.at(3_010).timer(KEEP);
    let session = entry(&asked).0;
    assert_eq!(sent(&ping)[0].payload, Payload::Ping { session, lock: LOCK });
    assert_eq!(sent(&ping)[0].call.0 & 1, 1, "by the renewal thread");
}

#[test]
fn who_is_told_looks_whether_its_entry_is_still_there() {
    let mut b = Bench::new(ClientParams::default());
    let asked = b.asks(queued());
    let look = sent(&b.at(500).told(asked));
    assert!(matches!(look[0].payload, Payload::Look { owner, .. } if owner == entry(&asked).1));
    assert!(!believed(&b.message(&look[0].answer(queued()))), "somebody else is before it");
    let look = sent(&b.told(Message { call: look[0].call, ..asked }));
    assert!(believed(&b.message(&look[0].answer(granted()))));
}

#[test]
fn without_a_second_look_it_believes_at_once() {
    let mut b = Bench::new(ClientParams::default());
    b.locks[0].params.recheck = false;
    let asked = b.asks(queued());
    let done = b.told(asked);
    assert!(believed(&done) && sent(&done).is_empty());
}

#[test]
fn an_entry_that_went_with_its_session_is_asked_for_anew_under_another_session() {
    let mut b = Bench::new(ClientParams::default());
    let asked = b.asks(queued());
    let look = sent(&b.told(asked));
    let done = b.message(&look[0].answer(over()));
    assert!(matches!(facts(&done)[..], [Fact::TryFailed { why: TryEnd::Refused, .. }]));
    let again = sent(&b.timer(MAIN));
    let ((old, ..), (new, _, opens)) = (entry(&asked), entry(&again[0]));
    assert!(opens && old != new);
}

#[test]
fn an_entry_keeps_its_name_from_try_to_try_if_the_client_would_know_it_again() {
    for (find_entry, same) in [(FindEntry::BySession, true), (FindEntry::ByName, true), (FindEntry::Never, false)] {
        let mut b = Bench::new(ClientParams { find_entry, ..ClientParams::default() });
        let asked = sent(&b.input(Input::Start))[0];
        b.timer(MAIN); // No answer.
        let again = sent(&b.timer(MAIN))[0];
        assert_eq!(entry(&asked).0, entry(&again).0, "one session");
        assert_eq!(entry(&asked).1 == entry(&again).1, same, "{find_entry:?}");
    }
}

#[test]
fn a_heartbeat_without_an_answer_when_the_next_is_due_suspends_once() {
    let mut b = Bench::new(ClientParams::default());
    b.asks(granted());
    b.at(3_000).timer(KEEP);
    let done = b.at(6_000).timer(KEEP);
    assert_eq!(facts(&done), [Fact::TimedOut { topic: Topic::Ping }, Fact::Suspended]);
    assert_eq!(sent(&done).len(), 1, "and it tries again");
    assert_eq!(facts(&b.at(9_000).timer(KEEP)), [Fact::TimedOut { topic: Topic::Ping }]);
}

#[test]
fn the_policy_decides_what_a_suspension_means() {
    for (on_unknown, stops) in [(OnUnknown::Stop, true), (OnUnknown::UntilDeadline, false), (OnUnknown::Ignore, false)]
    {
        let mut b = Bench::new(ClientParams { on_unknown, ..ClientParams::default() });
        b.asks(granted());
        b.at(3_000).timer(KEEP);
        let done = b.at(6_000).timer(KEEP);
        assert_eq!(lost(&done, Loss::Unrenewed), stops, "{on_unknown:?}");
    }
}

#[test]
fn a_suspended_session_counts_as_lost_after_the_deadline_of_renewals() {
    let mut b = Bench::new(ClientParams { renew_deadline: Some(Span::from_ms(4_000)), ..ClientParams::default() });
    b.asks(granted());
    b.at(3_000).timer(KEEP);
    b.at(6_000).timer(KEEP);
    let done = b.at(9_000).timer(KEEP);
    assert_eq!(sleeps(&done, KEEP), Some(Due::Sleep(Span::from_ms(1_000))), "the rest of four seconds");
    let done = b.at(10_000).timer(KEEP);
    assert!(lost(&done, Loss::Unrenewed) && sent(&done).is_empty());
}

#[test]
fn an_answer_sets_the_deadline_anew_and_tells_of_the_end() {
    let mut b = Bench::new(ClientParams { valid_from: ValidFrom::Reply, ..ClientParams::default() });
    b.asks(granted());
    let ping = sent(&b.at(3_000).timer(KEEP))[0];
    let until = Some(LocalTime::from_us(12_010_000));
    let done = facts(&b.at(3_010).message(&ping.answer(pong(true))));
    assert_eq!(done, [Fact::Reckoned { lock: LOCK, acq: AcqId(0), until }], "from the answer");
    let ping = sent(&b.at(6_010).timer(KEEP))[0];
    assert!(lost(&b.message(&ping.answer(pong(false))), Loss::Refused));
    assert!(facts(&b.timer(LAG)).iter().any(|f| matches!(f, Fact::Stopped { .. })), "the main thread hears of it next");
}

#[test]
fn who_is_back_looks_for_what_it_may_have_missed() {
    let mut b = Bench::new(ClientParams::default());
    b.asks(queued());
    b.at(3_000).timer(KEEP);
    let ping = sent(&b.at(6_000).timer(KEEP))[0];
    let done = b.at(6_010).message(&ping.answer(pong(true)));
    assert!(facts(&done).contains(&Fact::Reconnected));
    assert_eq!(sleeps(&done, MAIN), Some(Due::Sleep(Span::ZERO)));
    assert!(matches!(sent(&b.timer(MAIN))[0].payload, Payload::Look { .. }));
}

#[test]
fn a_program_that_looks_at_a_flag_learns_at_its_next_look() {
    let learns_by = LearnsBy::Poll;
    let mut b = Bench::new(ClientParams { learns_by, learn_every: Span::from_ms(2_500), ..ClientParams::default() });
    b.asks(granted());
    let ping = sent(&b.at(3_000).timer(KEEP))[0];
    let done = b.at(3_010).message(&ping.answer(pong(false)));
    assert!(!lost(&done, Loss::Refused));
    let next = LocalTime::from_us(5_000_000);
    assert_eq!(sleeps(&done, LEARN), Some(Due::Reading(ClockKind::Monotonic, next)));
    assert!(lost(&b.at(5_000).timer(LEARN), Loss::Refused));
}

#[test]
fn a_notice_is_for_the_thread_that_keeps_the_session() {
    let mut b = Bench::new(ClientParams { learns_by: LearnsBy::Notice, ..ClientParams::default() });
    b.asks(granted());
    let notice = Message::request(Topic::Notify, CallId(1), over());
    assert!(lost(&b.at(2_000).message(&notice), Loss::Refused));
}

#[test]
fn a_broken_connection_ends_the_call_under_way_and_suspends() {
    let mut b = Bench::new(ClientParams::default());
    let asked = b.asks(queued());
    b.told(asked);
    let done = b.at(1_000).input(Input::Disconnected { peer: SERVICE });
    assert!(facts(&done).contains(&Fact::Suspended));
    assert!(matches!(sent(&done)[0].payload, Payload::Ping { .. }), "it connects again at once");
    assert_eq!(sleeps(&done, MAIN), Some(Due::Sleep(Span::ZERO)), "the look has no answer any more");
}

#[test]
fn who_gives_up_leaves_the_line() {
    let mut b = Bench::new(ClientParams { patience: Some(Draw::ms(500)), ..ClientParams::default() });
    let asked = b.asks(queued());
    let done = sent(&b.at(500).timer(PATIENCE));
    assert!(done.iter().any(|m| m.kind.topic == Topic::Withdraw
        && matches!(m.payload, Payload::Release { owner, .. } if owner == entry(&asked).1)));
}

#[test]
fn a_dead_renewer_keeps_nothing_alive() {
    let mut b = Bench::new(ClientParams::default());
    b.asks(granted());
    b.input(Input::ThreadDied { thread: Thread::Renewer });
    assert!(sent(&b.at(3_000).timer(KEEP)).is_empty());
}
