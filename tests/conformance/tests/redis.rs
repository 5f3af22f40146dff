//! The model of a key with a TTL, held against a real Redis.

use conformance::compare::{Found, Tally, hold, number_from};
use conformance::model::{Mistake, Model, Setting};
use conformance::op::{self, Answer, Op, State, Step};
use conformance::pairs::{self, Pair};
use conformance::redis::Redis;
use conformance::report::{grouped, say};
use fencepost::base::message::Compare;
use fencepost::protocol::params::Persistence;
use proptest::prelude::*;
use std::thread;

/// Ends so near that they come often.
const SOON_MS: u16 = 15;
/// Ends that are reached before, during and after a restart.
const LATER_MS: u16 = 250;

const WITHOUT_DISK: Setting = Setting { tokens: true, persistence: Persistence::None };

/// Each stands on the page of the protocol, with its reason; tests below hold the real server to the first three.
const KNOWN: [&str; 4] =
    ["The last millisecond", "A lease of no length", "A torn transaction", "What a dying process loses"];

#[test]
fn every_known_difference_stands_on_the_page_of_the_protocol() {
    let page = include_str!("../../../docs/protocols/redis.md");
    for known in KNOWN {
        assert!(page.contains(&format!("- **{known}.**")), "{known}");
    }
}

fn requests() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(op::step(SOON_MS), 1..150)
}

fn with_crashes() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![15 => op::step(LATER_MS), 1 => op::crash()];
    (prop::collection::vec(step, 1..60), op::crash()).prop_map(|(mut steps, last)| {
        steps.push(last);
        steps
    })
}

#[test]
fn the_model_answers_as_redis_does() {
    let operations = number_from("FENCEPOST_OPERATIONS", 10_000);
    let compare = |setting: Setting, crashes: bool, operations: u64| {
        let redis = Redis::start(setting);
        let version = redis.version.clone();
        let sequence = if crashes { with_crashes().boxed() } else { requests().boxed() };
        let tally = hold(redis, setting, Mistake::None, &sequence, operations);
        (version, tally.unwrap_or_else(|found| panic!("{}", found.report)))
    };
    // Each has a server of its own, and they wait most of the time.
    let done: Vec<(String, Tally)> = thread::scope(|scope| {
        let requests = [true, false].map(|tokens| (Setting { tokens, ..WITHOUT_DISK }, false, operations / 2));
        let crashes = [Persistence::None, Persistence::EverySecond, Persistence::Always]
            .map(|persistence| (Setting { tokens: true, persistence }, true, operations / 8));
        let all = requests.into_iter().chain(crashes);
        let running: Vec<_> =
            all.map(|(setting, crashes, n)| scope.spawn(move || compare(setting, crashes, n))).collect();
        running.into_iter().map(|it| it.join().expect("no difference; the report stands above")).collect()
    });
    let version = &done[0].0;
    let sum = |count: fn(&Tally) -> u64| done.iter().map(|(_, tally)| count(tally)).sum::<u64>();
    let (compared, undecided) = (sum(|it| it.operations), sum(|it| it.undecided));
    let of_them = format!(
        "{} within a millisecond of an end, {} crashes; {} undecided",
        grouped(sum(|it| it.at_an_end)),
        grouped(sum(|it| it.crashes)),
        grouped(undecided),
    );
    say(&format!("Redis {version}"), compared, &of_them, &KNOWN);
    assert!(undecided * 4 < compared, "too much is left undecided to say anything");
}

/// Runs until the mistake is found, in a sequence of at most so many steps, and returns its last operation.
fn found(mistake: Mistake, setting: Setting, sequence: impl Strategy<Value = Vec<Step>>, at_most: usize) -> Op {
    match hold(Redis::start(setting), setting, mistake, &sequence, 3_000) {
        Ok(tally) => panic!("{mistake:?} was not found in {tally:?}"),
        Err(Found { steps, report }) => {
            assert!((1..=at_most).contains(&steps.len()), "{mistake:?} can be shown in fewer steps:\n{report}");
            assert!(report.contains("the server") && report.contains("the model"), "{report}");
            steps[steps.len() - 1].op
        }
    }
}

#[test]
fn a_mistake_in_a_comparison_is_found() {
    // A grant and a request by another would do.
    let last = found(Mistake::ReleasesForAnybody, WITHOUT_DISK, requests(), 8);
    assert!(matches!(last, Op::Release { compare: Compare::Owner, .. }), "{last}");
    let last = found(Mistake::ExtendsForAnybody, WITHOUT_DISK, requests(), 8);
    assert!(matches!(last, Op::Extend { .. }), "{last}");
}

#[test]
fn a_mistake_of_one_millisecond_is_found() {
    // The first grant shows it.
    found(Mistake::EndsTooEarly, WITHOUT_DISK, requests(), 5);
}

#[test]
fn a_mistake_about_the_disk_is_found() {
    for persistence in [Persistence::None, Persistence::EverySecond, Persistence::Always] {
        let last = found(Mistake::ForgetsNothing, Setting { tokens: true, persistence }, with_crashes(), 10);
        assert!(matches!(last, Op::Crash(_)), "{last}");
    }
}

// The differences that are known: see `docs/protocols/redis.md`.

#[test]
fn a_real_record_lives_through_the_millisecond_of_its_end() {
    let mut redis = Redis::start(WITHOUT_DISK);
    let (mut at_the_end, mut after_it) = (0, 0);
    while at_the_end < 20 || after_it < 20 {
        redis.clear();
        let granted = redis.carry_out(Some(Op::Acquire { lock: 0, owner: 1, ttl: Some(5) }));
        let (_, end) = granted.states[0].record.expect("nobody has had it before");
        let end = end.expect("it has an end");
        assert!(
            (granted.from_ms + 5..=granted.to_ms + 5).contains(&end),
            "the end counts from the request: {granted:?}"
        );
        for (plus_ms, count, is_there) in [(0, &mut at_the_end, true), (1, &mut after_it, false)] {
            redis.wait_until_ms(end + plus_ms);
            let seen = redis.carry_out(None);
            if (seen.from_ms, seen.to_ms) == (end + plus_ms, end + plus_ms) {
                assert_eq!(seen.states[0].record.is_some(), is_there, "{plus_ms} ms after the end");
                *count += 1;
            }
        }
    }
}

#[test]
fn a_lease_of_no_length_is_an_error_there_and_a_grant_here() {
    let acquire = Op::Acquire { lock: 0, owner: 1, ttl: Some(0) };
    for tokens in [true, false] {
        let setting = Setting { tokens, ..WITHOUT_DISK };
        let there = Redis::start(setting).carry_out(Some(acquire));
        assert_eq!((there.answer, there.states[0]), (Answer::Odd, State::default()));
        let mut model = Model::new(setting, Mistake::None);
        assert_eq!(model.carry_out(5, acquire), Answer::Granted(tokens.then_some(1)));
        assert_eq!(model.states(5)[0].record, None);
    }
}

/// A fault of the server, mended in Valkey by its pull request 4342: what is written after a torn transaction is lost at the next restart,
/// although it was on the disk.
#[test]
fn a_torn_transaction_swallows_what_is_written_after_it() {
    let mut redis = Redis::start(Setting { tokens: true, persistence: Persistence::Always });
    redis.clear();
    let grant = |redis: &mut Redis, lock| {
        redis.carry_out(Some(Op::Acquire { lock, owner: 1, ttl: None }));
        redis.log_length()
    };
    let (first, second) = (grant(&mut redis, 0), grant(&mut redis, 1));
    redis.kill();
    redis.restart(Some((first + second) / 2));
    let [kept, torn, _] = redis.carry_out(None).states[..] else { panic!("three locks") };
    assert_eq!((kept.record, kept.counter), (Some((1, None)), Some(1)));
    assert_eq!((torn.record, torn.counter), (None, None), "record and counter are lost together");
    let deleted = redis.carry_out(Some(Op::Break { lock: 0 }));
    assert_eq!((deleted.answer, deleted.states[0].record), (Answer::Yes, None));
    redis.log_length();
    redis.kill();
    redis.restart(None);
    let is_back = redis.carry_out(None).states[0].record.is_some();
    if redis.version.starts_with("7.0.") {
        assert!(is_back, "Redis {} keeps what it has acknowledged: this difference is none any more", redis.version);
    }
}

// With a replica.

#[test]
fn the_model_fails_over_as_redis_does() {
    let operations = number_from("FENCEPOST_OPERATIONS", 10_000) / 10;
    let done: Vec<(String, pairs::Tally)> = thread::scope(|scope| {
        let run = |tokens: bool, waits: bool| {
            let setting = Setting { tokens, ..WITHOUT_DISK };
            let mut pair = Pair::start(setting, waits);
            let tally = pair.hold(setting, Mistake::None, operations).unwrap_or_else(|report| panic!("{report}"));
            assert_eq!(pair.ask_replica(setting), (Answer::Odd, Answer::Odd), "a replica takes no orders");
            (pair.version().to_owned(), tally)
        };
        let running: Vec<_> = [(true, false), (false, false), (true, true)]
            .map(|(tokens, waits)| scope.spawn(move || run(tokens, waits)))
            .into();
        running.into_iter().map(|it| it.join().expect("no difference; the report stands above")).collect()
    });
    let sum = |count: fn(&pairs::Tally) -> u64| done.iter().map(|(_, tally)| count(tally)).sum::<u64>();
    let of_them = format!(
        "{} fail-overs, of which {} left an old primary at work, {} forgot a lock and {} took a counter back; {} answers waited for the \
         replica; {} undecided",
        sum(|it| it.fail_overs),
        sum(|it| it.split),
        sum(|it| it.forgot),
        sum(|it| it.rolled_back),
        sum(|it| it.waited),
        sum(|it| it.undecided),
    );
    say(&format!("Redis {} with a replica", done[0].0), sum(|it| it.operations), &of_them, &[]);
    assert!(sum(|it| it.rolled_back) > 0 && sum(|it| it.waited) > 0, "these sequences show too little");
    assert!(sum(|it| it.undecided) < sum(|it| it.fail_overs), "too much is left undecided to say anything");
}

#[test]
fn a_mistake_about_a_fail_over_is_found() {
    let mut pair = Pair::start(WITHOUT_DISK, false);
    let report = pair.hold(WITHOUT_DISK, Mistake::LosesNothing, 2_000).expect_err("it is found");
    assert!(report.contains("fail-over") && report.contains("the model"), "{report}");
}
