//! (state, input) → commands, for a worker that asks several servers: what their answers come to.

use super::params::*;
use super::worker::{Access, Setting, Worker, on_input};
use super::{Command, Input, Recorder, Slot};
use crate::base::message::Topic;
use crate::base::*;

const LOCK: LockId = LockId(0);
const MAIN: Slot = Slot(0);

/// A worker that acquires, waits a second and releases, and the five servers that it asks.
struct Bench {
    worker: Worker,
    program: Program,
    client: ClientParams,
    locks: [Access; 1],
    host: Recorder,
}

/// What went to whom.
type Sent = Vec<(u16, Message)>;

impl Bench {
    fn new(lock: LockParams, client: ClientParams) -> Bench {
        let wait = Op::Wait { length: Some(Draw::ms(1_000)) };
        let ops = vec![Op::Acquire { lock: LOCK, ttl: None, patience: None }, wait, Op::Release { lock: LOCK }];
        let params = LockParams { family: Family::Quorum, quorum: 3, ..lock };
        Bench {
            worker: Worker::default(),
            program: Program { ops, rounds: Some(1), ..Program::default() },
            client,
            locks: [Access { params, nodes: (1..=5).map(NodeId).collect() }],
            host: Recorder::new(NodeId(0)),
        }
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let set =
            Setting { program: &self.program, client: &self.client, locks: &self.locks, shards: &[], copied: &[] };
        on_input(&mut self.worker, &set, input, &mut self.host);
        self.host.take()
    }

    fn start(&mut self) -> Sent {
        sent(&self.input(Input::Start))
    }

    fn time_out(&mut self) -> Vec<Command> {
        self.input(Input::Timer { slot: MAIN })
    }

    /// This node's answer to a request.
    fn answer(&mut self, node: u16, request: Message, payload: Payload) -> Vec<Command> {
        let message = request.answer(payload);
        self.input(Input::Message { from: NodeId(node), message: &message, stall: None })
    }
}

fn sent(done: &[Command]) -> Sent {
    let sent = |c: &Command| if let Command::Send { to, message } = c { Some((to.0, *message)) } else { None };
    done.iter().filter_map(sent).collect()
}

fn nodes(sent: &Sent) -> Vec<u16> {
    sent.iter().map(|(to, _)| *to).collect()
}

fn did(done: &[Command], is: impl Fn(&Fact) -> bool) -> bool {
    done.iter().any(|c| matches!(c, Command::Did(f) if is(f)))
}

fn believed(done: &[Command]) -> bool {
    did(done, |f| matches!(f, Fact::Believed { .. }))
}

fn granted() -> Payload {
    Payload::Granted { lock: LOCK, acq: AcqId(0), token: None }
}

fn refused() -> Payload {
    Payload::Refused { lock: LOCK, acq: AcqId(0) }
}

fn in_turn() -> LockParams {
    LockParams { order: Order::Sequential, ..LockParams::default() }
}

fn cleans_up() -> ClientParams {
    ClientParams { cleanup: Cleanup::All, ..ClientParams::default() }
}

#[test]
fn all_at_once_and_all_are_waited_for() {
    let mut b = Bench::new(LockParams::default(), ClientParams::default());
    let ask = b.start();
    assert_eq!(nodes(&ask), [1, 2, 3, 4, 5]);
    for n in 1..=4 {
        assert!(!believed(&b.answer(n, ask[0].1, granted())), "node {n} is not the last");
    }
    assert!(believed(&b.answer(5, ask[0].1, refused())), "four of five");
}

#[test]
fn a_copy_of_an_answer_is_no_second_vote() {
    let quorum = LockParams { take: Take::Quorum, ..LockParams::default() };
    let mut b = Bench::new(quorum, ClientParams::default());
    let ask = b.start()[0].1;
    for n in [1, 1, 1, 2] {
        assert!(!believed(&b.answer(n, ask, granted())));
    }
    assert!(believed(&b.answer(3, ask, granted())), "who is in a hurry goes on at a majority");
    assert!(did(&b.answer(4, ask, granted()), |f| matches!(f, Fact::Ignored { .. })), "and ignores the rest");
}

#[test]
fn one_after_another_each_with_its_own_time_out() {
    let mut b = Bench::new(in_turn(), ClientParams::default());
    let first = b.start();
    assert_eq!(nodes(&first), [1]);
    let ask = first[0].1;
    assert_eq!(nodes(&sent(&b.time_out())), [2], "the next one's turn");
    assert!(sent(&b.answer(1, ask, granted())).is_empty(), "too late");
    for n in 2..=4 {
        assert_eq!(nodes(&sent(&b.answer(n, ask, granted()))), [n + 1]);
    }
    assert!(believed(&b.answer(5, ask, refused())), "three in time");
}

#[test]
fn late_answers_of_an_earlier_try_are_no_votes() {
    let mut b = Bench::new(LockParams::default(), ClientParams::default());
    let first = b.start()[0].1;
    b.time_out(); // Nobody has answered.
    let second = sent(&b.time_out()); // The time to wait is over.
    assert_eq!(nodes(&second), [1, 2, 3, 4, 5]);
    for n in 1..=5 {
        assert!(!believed(&b.answer(n, first, granted())));
    }
}

#[test]
fn who_has_given_up_asks_nobody_else() {
    let client = ClientParams { patience: Some(Draw::ms(20)), ..ClientParams::default() };
    let mut b = Bench::new(in_turn(), client);
    let ask = b.start()[0].1;
    b.input(Input::Timer { slot: Slot(4) }); // Out of patience.
    let late = b.answer(1, ask, granted());
    assert!(sent(&late).is_empty() && !late.iter().any(|c| matches!(c, Command::SetTimer { .. })), "{late:?}");
    // The same for a life that ends in the middle of a call.
    let mut b = Bench::new(in_turn(), ClientParams::default());
    let ask = b.start()[0].1;
    b.input(Input::EndOfLife);
    assert!(sent(&b.answer(1, ask, granted())).is_empty());
}

#[test]
fn errors_of_all_are_an_error_and_a_silence_is_a_time_out() {
    let client = ClientParams { on_error: OnError::Fail, ..ClientParams::default() };
    let mut b = Bench::new(LockParams::default(), client.clone());
    let ask = b.start()[0].1;
    let last = (1..=5).map(|n| b.answer(n, ask, Payload::Failed)).last();
    assert!(did(&last.unwrap(), |f| matches!(f, Fact::Stopped { .. })));
    let mut b = Bench::new(LockParams::default(), client);
    let ask = b.start()[0].1;
    for n in 1..=4 {
        b.answer(n, ask, Payload::Failed);
    }
    assert!(did(&b.time_out(), |f| matches!(f, Fact::TimedOut { .. })));
}

#[test]
fn an_undecided_call_leaves_no_time_out_behind() {
    let mut b = Bench::new(LockParams::default(), ClientParams::default());
    let ask = b.start()[0].1;
    for n in 1..=5 {
        b.answer(n, ask, granted());
    }
    let release = sent(&b.time_out())[0].1; // The wait is over.
    let mut last = Vec::new();
    for n in 1..=5 {
        last = b.answer(n, release, Payload::Failed);
    }
    assert!(last.contains(&Command::CancelTimer { slot: MAIN }), "{last:?}");
}

#[test]
fn set_then_expire_only_where_it_was_set() {
    let mut b = Bench::new(LockParams { acquire_two_step: true, ..LockParams::default() }, cleans_up());
    let set = b.start()[0].1;
    let mut expire = Vec::new();
    for n in 1..=5 {
        let answer = if n <= 3 { granted() } else { refused() };
        expire = sent(&b.answer(n, set, answer));
    }
    assert_eq!(nodes(&expire), [1, 2, 3], "the others have somebody else's record");
    // A copy of an answer to the first half is none to the second.
    for n in 1..=3 {
        assert!(!believed(&b.answer(n, set, granted())));
    }
    // One refusal, and no majority is left; whatever either half has touched is given back.
    b.answer(1, expire[0].1, granted());
    b.answer(2, expire[0].1, granted());
    let last = b.answer(3, expire[0].1, refused());
    assert!(!believed(&last));
    assert_eq!(nodes(&sent(&last)), [1, 2, 3, 4, 5]);
}

#[test]
fn compare_then_delete_only_where_it_was_ones_own() {
    let lock = LockParams { release_two_steps: true, take: Take::Quorum, ..LockParams::default() };
    let mut b = Bench::new(lock, ClientParams::default());
    let ask = b.start()[0].1;
    for n in 1..=3 {
        b.answer(n, ask, granted());
    }
    let get = sent(&b.time_out())[0].1;
    let owned = |mine| Payload::Owned { lock: LOCK, acq: AcqId(0), mine };
    b.answer(5, get, owned(false));
    b.answer(1, get, owned(true));
    b.answer(2, get, owned(true));
    b.answer(4, get, owned(false));
    let delete = sent(&b.answer(3, get, owned(true)));
    assert_eq!(nodes(&delete), [1, 2, 3], "node 5 is somebody else's by now");
}

#[test]
fn who_gives_back_one_after_another_gives_back_everywhere() {
    let lock = LockParams { take: Take::Quorum, ..in_turn() };
    let mut b = Bench::new(lock, ClientParams::default());
    let mut ask = b.start();
    for n in 1..=3 {
        let done = b.answer(n, ask[0].1, granted());
        assert_eq!(believed(&done), n == 3);
        ask = if n < 3 { sent(&done) } else { ask };
    }
    let mut release = sent(&b.time_out());
    for n in 1..=5 {
        assert_eq!(nodes(&release), [n], "decided or not");
        release = sent(&b.answer(n, release[0].1, Payload::Released { lock: LOCK, acq: AcqId(0) }));
    }
    assert!(release.is_empty());
}

#[test]
fn what_only_some_granted_can_be_given_back_to_them_alone() {
    let client = ClientParams { cleanup: Cleanup::Granted, ..ClientParams::default() };
    let mut b = Bench::new(LockParams::default(), client);
    let ask = b.start()[0].1;
    let mut last = Vec::new();
    for n in 1..=5 {
        last = sent(&b.answer(n, ask, if n % 2 == 0 { granted() } else { refused() }));
    }
    assert_eq!(nodes(&last), [2, 4]);
    assert!(last.iter().all(|(_, m)| m.kind.topic == Topic::Withdraw));
}
