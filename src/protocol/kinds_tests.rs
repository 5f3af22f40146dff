//! (state, request) → answer, for locks that count and for locks that several hold.

use super::params::*;
use super::redis::*;
use super::{Command, Input, Recorder, Slot};
use crate::base::fact::Share;
use crate::base::message::{Compare, Mode, Topic};
use crate::base::*;

const LOCK: LockId = LockId(0);

/// A server, its host, and whoever calls: worker `n` has the owner id `n`.
struct Bench {
    server: Server,
    params: LockParams,
    host: Recorder,
    acq: u32,
}

impl Bench {
    fn new(kind: Sharing) -> Bench {
        let params = LockParams { token: TokenKind::Ordered, kind, ..LockParams::default() };
        Bench { server: Server::new(1), params, host: Recorder::new(NodeId(99)), acq: 0 }
    }

    fn input(&mut self, at_ms: i64, input: Input) -> Vec<Command> {
        self.host.now = TrueTime::from_ms(at_ms);
        let locks = [Some(&self.params)];
        let served = Served { locks: &locks, others: &[], journal: false };
        on_input(&mut self.server, &served, input, &mut self.host);
        self.host.take()
    }

    fn ask(&mut self, at_ms: i64, w: u16, payload: Payload) -> (Payload, Vec<Fact>) {
        let message = Message::request(Topic::Acquire, CallId(2), payload);
        let done = self.input(at_ms, Input::Message { from: NodeId(w), message: &message, stall: None });
        let answer =
            done.iter().find_map(|c| if let Command::Send { message, .. } = c { Some(message.payload) } else { None });
        (answer.expect("every request is answered"), facts(&done))
    }

    /// The token of the grant, if it is one.
    fn enter(&mut self, at_ms: i64, w: u16, mode: Mode, n: u16, ttl_ms: i64) -> Option<u64> {
        self.acq += 1;
        let (acq, ttl) = (AcqId(self.acq), Some(Span::from_ms(ttl_ms)));
        let owner = OwnerId(w.into());
        let enter = Payload::Enter { lock: LOCK, acq, owner, ttl, margin: Span::ZERO, mode, n };
        match self.ask(at_ms, w, enter).0 {
            Payload::Granted { token, .. } => Some(token.map_or(0, |t| t.get())),
            _ => None,
        }
    }

    fn release(&mut self, at_ms: i64, w: u16) -> Vec<Fact> {
        let (acq, owner) = (AcqId(w.into()), OwnerId(w.into()));
        self.ask(at_ms, w, Payload::Release { lock: LOCK, acq, owner, compare: Compare::Owner }).1
    }

    fn renew(&mut self, at_ms: i64, w: u16, ttl_ms: i64) -> (Payload, Vec<Fact>) {
        let (acq, owner, ttl) = (AcqId(w.into()), OwnerId(w.into()), Some(Span::from_ms(ttl_ms)));
        let compare = Compare::Owner;
        self.ask(at_ms, w, Payload::Renew { lock: LOCK, acq, owner, ttl, margin: Span::ZERO, compare })
    }

    /// Who runs out by then.
    fn expired(&mut self, at_ms: i64) -> usize {
        let done = self.input(at_ms, Input::Timer { slot: Slot(0) });
        facts(&done).iter().filter(|f| matches!(f, Fact::Expired { .. })).count()
    }
}

fn facts(done: &[Command]) -> Vec<Fact> {
    done.iter().filter_map(|c| if let Command::Did(f) = c { Some(*f) } else { None }).collect()
}

fn read_write(shared_ttl: SharedTtl) -> Sharing {
    Sharing { holders: LockKind::ReadWrite, shared_ttl, ..Sharing::default() }
}

#[test]
fn who_holds_a_lock_that_counts_is_let_in_again_and_out_as_often() {
    for (reentrant, second) in [(Reentrant::SameToken, 1), (Reentrant::NewToken, 2)] {
        let mut b = Bench::new(Sharing { reentrant, ..Sharing::default() });
        assert_eq!(b.enter(0, 1, Mode::Write, 1, 10_000), Some(1));
        assert_eq!(b.enter(10, 2, Mode::Write, 1, 10_000), None);
        assert_eq!(b.enter(4_000, 1, Mode::Write, 2, 10_000), Some(second));
        assert_eq!(
            b.server.stored(LOCK).record.unwrap().1,
            Some(LocalTime::from_us(14_000_000)),
            "a whole lease again"
        );
        assert!(matches!(b.release(5_000, 1)[..], [Fact::CountedDown { holds: 1, .. }]));
        assert_eq!(b.enter(5_001, 2, Mode::Write, 1, 10_000), None, "it is in once still");
        assert!(matches!(b.release(6_000, 1)[..], [Fact::Released { .. }]));
        assert_eq!(b.enter(6_001, 2, Mode::Write, 1, 10_000), Some(second + 1));
    }
}

#[test]
fn a_repeated_call_is_counted_once_if_the_service_looks_at_its_number() {
    let mut b = Bench::new(Sharing { reentrant: Reentrant::SameToken, ..Sharing::default() });
    b.enter(0, 1, Mode::Write, 1, 10_000);
    b.enter(10, 1, Mode::Write, 1, 10_000);
    assert!(matches!(b.release(20, 1)[..], [Fact::CountedDown { .. }]), "counted twice");
    b.params.request_id = true;
    let mut b = Bench { server: Server::new(1), ..b };
    b.enter(0, 1, Mode::Write, 1, 10_000);
    b.enter(10, 1, Mode::Write, 1, 10_000);
    assert!(matches!(b.release(20, 1)[..], [Fact::Released { .. }]));
}

#[test]
fn readers_are_in_together_and_a_writer_alone() {
    let mut b = Bench::new(read_write(SharedTtl::PerHolder));
    assert_eq!(b.enter(0, 1, Mode::Read, 1, 10_000), Some(1));
    assert_eq!(b.enter(1, 2, Mode::Read, 1, 10_000), Some(2));
    assert_eq!(b.enter(2, 3, Mode::Write, 1, 10_000), None);
    b.release(3, 1);
    assert_eq!(b.enter(4, 3, Mode::Write, 1, 10_000), None);
    b.release(5, 2);
    assert_eq!(b.enter(6, 3, Mode::Write, 1, 10_000), Some(3));
    assert_eq!(b.enter(7, 1, Mode::Read, 1, 10_000), None);
    assert_eq!(b.enter(8, 3, Mode::Downgrade, 1, 10_000), Some(4));
    assert_eq!(b.enter(9, 1, Mode::Read, 1, 10_000), Some(5), "beside one that only reads now");
    assert_eq!(b.enter(10, 1, Mode::Upgrade, 1, 10_000), None, "there is another reader");
    b.release(11, 3);
    assert_eq!(b.enter(12, 1, Mode::Upgrade, 1, 10_000), Some(6));
}

#[test]
fn whose_end_counts_of_several() {
    // W1 reads for 5 s, W2 half a second later for 1 s.
    for (shared, at_1500, at_5000) in
        [(SharedTtl::PerHolder, 1, 1), (SharedTtl::Max, 0, 2), (SharedTtl::Overwrite, 2, 0)]
    {
        let mut b = Bench::new(read_write(shared));
        b.enter(0, 1, Mode::Read, 1, 5_000);
        b.enter(500, 2, Mode::Read, 1, 1_000);
        assert_eq!((b.expired(1_499), b.expired(1_500), b.expired(5_000)), (0, at_1500, at_5000), "{shared:?}");
    }
}

#[test]
fn a_key_that_is_renewed_without_its_holders_lives_until_somebody_leaves() {
    let mut b = Bench::new(Sharing { renews_key_only: true, ..read_write(SharedTtl::Max) });
    b.enter(0, 1, Mode::Read, 1, 10_000);
    b.enter(3_000, 2, Mode::Read, 1, 10_000);
    assert!(matches!(b.renew(9_000, 1, 10_000).0, Payload::Extended { .. }));
    assert_eq!(b.expired(13_000), 0, "the key is there until 19 s");
    assert_eq!(b.enter(13_001, 3, Mode::Write, 1, 10_000), None);
    let left = b.release(14_000, 2);
    assert!(matches!(left[..], [Fact::Released { .. }, Fact::Expired { .. }]), "W1's own time was over: {left:?}");
    assert_eq!(b.enter(14_001, 3, Mode::Write, 1, 10_000), Some(3));
}

#[test]
fn a_semaphore_has_so_many_permits_each_with_its_own_end() {
    let mut b = Bench::new(Sharing { holders: LockKind::Semaphore, permits: 2, ..Sharing::default() });
    assert_eq!(b.enter(0, 1, Mode::Write, 1, 10_000), Some(1));
    assert_eq!(b.enter(1, 2, Mode::Write, 1, 5_000), Some(2));
    assert_eq!(b.enter(2, 3, Mode::Write, 1, 10_000), None);
    assert_eq!(b.expired(5_001), 1);
    assert_eq!(b.enter(5_002, 3, Mode::Write, 1, 10_000), Some(3));
    assert!(matches!(b.release(5_003, 2)[..], [Fact::NotHeld { .. }]), "its permit is gone, and no other is taken");
    b.release(5_004, 1);
    assert_eq!(b.enter(5_005, 2, Mode::Write, 1, 10_000), Some(4));
    assert_eq!(b.params.kind.share(Mode::Write), Share::Permit(2));
}

#[test]
fn a_reader_that_wants_to_write_waits_for_itself_where_it_is_not_told_apart() {
    let mut b =
        Bench::new(Sharing { reentrant: Reentrant::SameToken, waits_for_own_read: true, ..read_write(SharedTtl::Max) });
    b.enter(0, 1, Mode::Read, 1, 10_000);
    assert_eq!(b.enter(1, 1, Mode::Upgrade, 1, 10_000), None);
    assert_eq!(b.enter(2, 1, Mode::Write, 2, 10_000), None);
    assert_eq!(b.enter(3, 1, Mode::Read, 2, 10_000), Some(1), "once more to read is another matter");
}

#[test]
fn tokens_may_come_with_extensions() {
    let mut b = Bench::new(Sharing { renew_token: true, ..Sharing::default() });
    let acquire = |n| Payload::Acquire { lock: LOCK, acq: AcqId(n), owner: OwnerId(n), ttl: None, margin: Span::ZERO };
    b.ask(0, 1, acquire(1));
    assert!(matches!(b.renew(1, 1, 10_000).0, Payload::Granted { token: Some(t), .. } if t.get() == 2));
    b.release(2, 1);
    assert!(matches!(b.ask(3, 2, acquire(2)).0, Payload::Granted { token: Some(t), .. } if t.get() == 3));
}

#[test]
fn what_vanishes_vanishes_for_all_holders() {
    let mut b = Bench::new(read_write(SharedTtl::PerHolder));
    b.enter(0, 1, Mode::Read, 1, 10_000);
    b.enter(1, 2, Mode::Read, 1, 10_000);
    let done = b.input(2, Input::Evict { lock: None });
    assert_eq!(facts(&done).iter().filter(|f| matches!(f, Fact::Forgotten { .. })).count(), 2);
    b.enter(3, 1, Mode::Read, 1, 10_000);
    let done = b.input(4, Input::Crash { loses: None });
    assert!(matches!(facts(&done)[..], [Fact::Forgotten { .. }, Fact::CounterLost { .. }]));
}
