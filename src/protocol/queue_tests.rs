//! (state, input) → commands, for sessions and lines: the state machine alone, and its leader.

use super::consensus::{self, Group, Machine, Member};
use super::params::*;
use super::queue::{self, Queue};
use super::redis::Served;
use super::{Command, Due, Input, Recorder};
use crate::base::fact::VoteEnd;
use crate::base::message::{Compare, Topic};
use crate::base::*;

const LOCK: LockId = LockId(0);
const SECOND: i64 = 1_000_000;

/// A service of one lock, and everything that it did.
struct Line {
    queue: Queue,
    params: LockParams,
    host: Recorder,
}

impl Line {
    fn new(params: LockParams) -> Line {
        Line { queue: Queue::new(1), params, host: Recorder::new(NodeId(100)) }
    }

    fn etcd() -> Line {
        Line::new(params())
    }

    fn at(&mut self, ms: i64) -> &mut Line {
        self.host.now = TrueTime::from_ms(ms);
        self
    }

    fn serve(&mut self, from: u16, payload: Payload) -> Vec<Command> {
        let locks = [Some(&self.params)];
        let served = Served { locks: &locks, others: &[], journal: false };
        let message = Message::request(Topic::Acquire, CallId(2 * u32::from(from)), payload);
        match payload {
            Payload::Ping { .. } => queue::on_ping(&mut self.queue, &served, NodeId(from), &message, &mut self.host),
            _ => queue::serve(&mut self.queue, &served, NodeId(from), &message, &mut self.host),
        }
        self.host.take()
    }

    fn expire(&mut self) -> Vec<Command> {
        let locks = [Some(&self.params)];
        queue::expire_overdue(&mut self.queue, &Served { locks: &locks, others: &[], journal: false }, &mut self.host);
        self.host.take()
    }

    fn sessions(&self) -> Vec<u32> {
        self.queue.line(LOCK).iter().map(|e| e.session.0).collect()
    }

    fn indices(&self) -> Vec<u64> {
        self.queue.line(LOCK).iter().map(|e| e.index).collect()
    }
}

fn params() -> LockParams {
    LockParams {
        family: Family::SessionQueue,
        clock: ClockKind::Monotonic,
        token: TokenKind::Ordered,
        wake: Wake::WatchPrevious,
        ..LockParams::default()
    }
}

/// Worker `n` wants in, by its session `n`.
fn enqueue(n: u32) -> Payload {
    asks(n, n, FindEntry::BySession)
}

fn asks(session: u32, name: u32, find: FindEntry) -> Payload {
    Payload::Enqueue {
        lock: LOCK,
        acq: AcqId(name),
        session: OwnerId(session),
        owner: OwnerId(name),
        ttl: Some(Span::from_ms(10_000)),
        margin: Span::ZERO,
        find,
        opens: true,
        tell: false,
    }
}

fn leave(n: u32) -> Payload {
    Payload::Release { lock: LOCK, acq: AcqId(n), owner: OwnerId(n), compare: Compare::Owner }
}

fn ping(n: u32) -> Payload {
    Payload::Ping { session: OwnerId(n), lock: LOCK }
}

/// Who was sent what.
fn sent(done: &[Command]) -> Vec<(u16, Payload)> {
    let sent = |c: &Command| match c {
        Command::Send { to, message } => Some((to.0, message.payload)),
        _ => None,
    };
    done.iter().filter_map(sent).collect()
}

fn facts(done: &[Command]) -> Vec<Fact> {
    done.iter().filter_map(|c| if let Command::Did(f) = c { Some(*f) } else { None }).collect()
}

/// To whom the lock was granted, with which token.
fn granted(done: &[Command]) -> Vec<(u32, u64)> {
    let grant = |f: Fact| match f {
        Fact::Granted(g) => Some((g.acq.0, g.token.map_or(0, Token::get))),
        _ => None,
    };
    facts(done).into_iter().filter_map(grant).collect()
}

#[test]
fn the_first_in_line_owns_the_lock_and_tokens_are_numbers_of_changes() {
    let mut l = Line::etcd();
    assert_eq!(granted(&l.serve(1, enqueue(1))), [(1, 1)]);
    let queued = l.serve(2, enqueue(2));
    let told = Payload::Queued { lock: LOCK, acq: AcqId(2), token: Some(Token::new(2)), behind: NodeId(1) };
    assert_eq!((granted(&queued), sent(&queued)), (vec![], vec![(2, told)]));
    l.serve(3, enqueue(3));
    assert_eq!(l.indices(), [1, 2, 3]);
    let left = l.serve(1, leave(1));
    assert_eq!(granted(&left), [(2, 2)], "the number of its own entry, not of the hand-over");
    l.serve(1, enqueue(4));
    assert_eq!(l.indices(), [2, 3, 5], "the release was the fourth change");
}

#[test]
fn each_watches_the_one_before_it() {
    let mut l = Line::etcd();
    for n in 1..=3 {
        l.serve(n as u16, enqueue(n));
    }
    let told = sent(&l.serve(1, leave(1)));
    assert_eq!(told[0], (2, Payload::Notify { lock: LOCK, acq: AcqId(2) }));
    assert_eq!(told.len(), 2, "the third hears nothing; the last is the answer: {told:?}");
    assert_eq!(sent(&l.serve(3, leave(3))).len(), 1, "nobody watches the last");
}

#[test]
fn a_herd_is_all_who_wait() {
    let mut l = Line::new(LockParams { wake: Wake::WatchLock, ..params() });
    for n in 1..=4 {
        l.serve(n as u16, enqueue(n));
    }
    let notified = |done: &[Command]| sent(done).iter().filter(|s| matches!(s.1, Payload::Notify { .. })).count();
    assert_eq!(notified(&l.serve(4, leave(4))), 0, "somebody behind has left: the lock is where it was");
    assert_eq!(notified(&l.serve(1, leave(1))), 2);
}

#[test]
fn only_whose_turn_it_is_is_told() {
    let mut l = Line::new(LockParams { wake: Wake::Notify, ..params() });
    for n in 1..=3 {
        l.serve(n as u16, enqueue(n));
    }
    l.serve(2, leave(2));
    let told = sent(&l.serve(1, leave(1)));
    assert_eq!(told[0], (3, Payload::Notify { lock: LOCK, acq: AcqId(3) }));
}

#[test]
fn a_watch_outlives_the_session_of_whoever_watches() {
    let mut l = Line::etcd();
    l.serve(1, enqueue(1));
    l.at(5_000).serve(2, enqueue(2));
    l.at(9_000).serve(1, ping(1));
    let over = l.at(15_000).expire();
    assert_eq!(facts(&over), [Fact::Unqueued { lock: LOCK, acq: AcqId(2), why: VoteEnd::Expired }]);
    let told = sent(&l.serve(1, leave(1)));
    assert_eq!(
        told[0],
        (2, Payload::Notify { lock: LOCK, acq: AcqId(2) }),
        "the one before it has gone, and so it has itself"
    );
    let look = l.serve(2, Payload::Look { lock: LOCK, acq: AcqId(2), owner: OwnerId(2) });
    assert_eq!(sent(&look), [(2, Payload::SessionOver { lock: LOCK, acq: AcqId(2) })]);
}

#[test]
fn a_session_ends_when_nothing_was_heard_of_it_and_the_next_one_owns_the_lock() {
    let mut l = Line::etcd();
    l.serve(1, enqueue(1));
    l.at(100).serve(2, enqueue(2));
    let pong = l.at(4_000).serve(2, ping(2));
    assert!(matches!(facts(&pong)[..], [Fact::Kept { acq: AcqId(2), .. }]), "{pong:?}");
    assert_eq!(l.at(9_999).expire(), []);
    let over = l.at(10_000).expire();
    assert_eq!(facts(&over)[0], Fact::Expired { lock: LOCK, acq: AcqId(1) });
    assert_eq!(granted(&over), [(2, 2)]);
    assert_eq!(sent(&l.serve(1, ping(1))), [(1, Payload::Pong { lock: LOCK, alive: false })]);
}

#[test]
fn an_end_is_noticed_on_the_grid_and_never_on_its_own_instant() {
    let mut l = Line::new(LockParams { scan: Span::from_ms(2_000), ..params() });
    l.at(2_000).serve(1, enqueue(1));
    assert_eq!(l.queue.open_sessions()[0].1, Some(LocalTime::from_us(14 * SECOND)), "12 s is on the grid");
    l.at(2_001).serve(1, ping(1));
    assert_eq!(l.queue.open_sessions()[0].1, Some(LocalTime::from_us(14 * SECOND)));
}

#[test]
fn the_same_request_again_finds_its_entry_by_session_or_by_name_or_makes_another() {
    for (find, line) in
        [(FindEntry::BySession, vec![1]), (FindEntry::ByName, vec![1, 1]), (FindEntry::Never, vec![1, 1])]
    {
        let mut l = Line::etcd();
        l.serve(1, asks(1, 1, find));
        l.serve(1, asks(1, 2, find));
        assert_eq!(l.sessions(), line, "another name, {find:?}");
    }
    let mut l = Line::etcd();
    l.serve(1, asks(1, 1, FindEntry::ByName));
    let again = l.serve(1, asks(1, 1, FindEntry::ByName));
    assert_eq!((l.sessions(), granted(&again)), (vec![1], vec![]), "told again, and granted once");
    assert!(matches!(sent(&again)[..], [(1, Payload::Granted { .. })]));
}

#[test]
fn who_has_left_an_entry_behind_waits_for_itself_as_long_as_its_session_lives() {
    let mut l = Line::etcd();
    l.serve(1, asks(1, 1, FindEntry::Never));
    let again = l.serve(1, asks(1, 2, FindEntry::Never));
    assert!(matches!(sent(&again)[..], [(1, Payload::Queued { behind: NodeId(1), .. })]), "{again:?}");
    let over = l.at(10_000).expire();
    assert!(granted(&over).is_empty(), "nothing is handed to what ends with it: {over:?}");
    assert_eq!(l.sessions(), [0u32; 0]);
}

#[test]
fn a_session_that_is_over_is_not_opened_again_by_an_old_client() {
    let mut l = Line::etcd();
    let Payload::Enqueue { lock, acq, session, owner, ttl, margin, find, tell, .. } = enqueue(1) else {
        unreachable!()
    };
    let old = Payload::Enqueue { lock, acq, session, owner, ttl, margin, find, opens: false, tell };
    assert_eq!(sent(&l.serve(1, old)), [(1, Payload::SessionOver { lock: LOCK, acq: AcqId(1) })]);
}

#[test]
fn a_broken_connection_ends_a_session_only_where_the_service_says_so() {
    for (keeps, left) in [(true, vec![1]), (false, vec![])] {
        let mut l = Line::new(LockParams { keep_on_disconnect: keeps, ..params() });
        l.serve(1, enqueue(1));
        let locks = [Some(&l.params)];
        let served = Served { locks: &locks, others: &[], journal: false };
        queue::disconnected(&mut l.queue, &served, NodeId(1), &mut l.host);
        assert_eq!(l.sessions(), left);
    }
}

#[test]
fn the_owner_can_be_removed_by_order_or_forgotten() {
    let mut l = Line::etcd();
    for n in 1..=3 {
        l.serve(n as u16, enqueue(n));
    }
    assert_eq!(granted(&l.serve(9, Payload::Break { lock: LOCK })), [(2, 2)]);
    queue::evict(&mut l.queue, None, &mut l.host);
    assert_eq!(granted(&l.host.take()), [(3, 3)]);
}

// ------------------------------------------------------------------ its leader

const MEMBERS: [NodeId; 3] = [NodeId(1), NodeId(2), NodeId(3)];

struct Leader {
    member: Member,
    params: LockParams,
    host: Recorder,
}

impl Leader {
    fn new(me: u16, leads: bool) -> Leader {
        Leader { member: Member::new(1, true, leads), params: params(), host: Recorder::new(NodeId(me)) }
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

    fn stored(&mut self, number: u32) -> Vec<Command> {
        self.message(2, Message::request(Topic::Replicate, CallId(number), Payload::Append).answer(Payload::Appended))
    }
}

#[test]
fn a_place_in_line_is_agreed_on_and_a_heartbeat_is_not() {
    let mut l = Leader::new(1, true);
    let asked = l.message(9, Message::request(Topic::Acquire, CallId(2), enqueue(9)));
    assert!(granted(&asked).is_empty());
    assert_eq!(granted(&l.stored(1)), [(9, 1)]);
    let pong = l.message(9, Message::request(Topic::Ping, CallId(3), ping(9)));
    assert_eq!(sent(&pong), [(9, Payload::Pong { lock: LOCK, alive: true })], "and nobody else hears of it");
}

#[test]
fn a_new_leader_gives_every_session_its_full_length() {
    let mut l = Leader::new(1, true);
    l.message(9, Message::request(Topic::Acquire, CallId(2), enqueue(9)));
    l.stored(1);
    let state = l.member.step_down(false).expect("it led");
    let mut next = Leader::new(2, false);
    next.host.now = TrueTime::from_ms(8_000);
    next.member.seat(state);
    let due = Due::Reading(ClockKind::Monotonic, LocalTime::from_us(18 * SECOND));
    assert!(next.input(Input::Promoted).iter().any(|c| matches!(c, Command::SetTimer { due: d, .. } if *d == due)));
}

#[test]
fn who_slept_through_its_replacement_wants_sessions_ended_that_live() {
    let mut old = Leader::new(1, true);
    old.message(9, Message::request(Topic::Acquire, CallId(2), enqueue(9)));
    old.stored(1);
    let state = old.member.step_down(true).expect("it led");
    let alone = old.message(9, Message::request(Topic::Ping, CallId(3), ping(9)));
    assert_eq!(sent(&alone), [(9, Payload::Pong { lock: LOCK, alive: true })], "it answers its clients");
    old.host.now = TrueTime::from_ms(10_000);
    let revokes = sent(&old.input(Input::Timer { slot: super::Slot(0) }));
    let revoke = Payload::Revoke { session: OwnerId(9) };
    assert_eq!(revokes, [(2, revoke), (3, revoke)]);
    // The leader does as it is told, though it has heard of that session a moment ago.
    let mut new = Leader::new(2, false);
    new.member.seat(state);
    new.input(Input::Promoted);
    new.message(1, Message::request(Topic::Replicate, CallId(5), revoke));
    let done = new.message(3, Message::request(Topic::Replicate, CallId(1), Payload::Append).answer(Payload::Appended));
    assert_eq!(facts(&done), [Fact::Expired { lock: LOCK, acq: AcqId(9) }]);
    let Some(Machine::Line(q)) = new.member.step_down(false) else { panic!("it led") };
    assert!(q.open_sessions().is_empty());
}
