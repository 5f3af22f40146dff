//! The search over schedules: what it finds, what it says holds, how many it looked at, and that what it leaves out makes no difference.

use fencepost::check::Property::{self, *};
use fencepost::check::report::PropertySet;
use fencepost::explore::search::{Answer, Base, Bounds, Counts, Kind, Limit, Search, Verdict};
use fencepost::run;
use fencepost::scenario::{self, Scenario};
use std::collections::BTreeSet;

const TWO_WORKERS: &str = include_str!("explore/two-workers.toml");

fn story(text: &str) -> Scenario {
    let parsed = scenario::parse(text);
    parsed.scenario.unwrap_or_else(|| panic!("{:?}", parsed.diagnostics))
}

fn counts(each: &[(Kind, u8)]) -> Counts {
    let mut counts = Counts::default();
    each.iter().for_each(|(kind, n)| counts.set(*kind, *n));
    counts
}

/// What the story says of its search, and of what repeats itself the first and the last.
fn bounds(scenario: &Scenario, design: usize) -> Bounds {
    Bounds { edges: 1, ..Bounds::of(scenario, design) }
}

fn answer(scenario: &Scenario, design: usize, bounds: Bounds) -> Answer {
    let mut search = Search::new(scenario, design, bounds);
    while search.run_for(10_000) {}
    search.into_answer()
}

fn set(properties: &[Property]) -> PropertySet {
    properties.iter().copied().collect()
}

/// Of each property the fewest faults; `None`: it holds.
fn row(answer: &Answer, properties: &[Property]) -> Vec<Option<u8>> {
    properties
        .iter()
        .map(|p| match answer.verdict(*p) {
            Verdict::Broken { faults, .. } => Some(faults),
            Verdict::Holds { .. } => None,
            Verdict::NoneYet => panic!("{p} is not known"),
        })
        .collect()
}

/// The designs with what breaks them: stale-write, lost-update, foreign-release, broken-promise; and how many schedules were looked at.
const MATRIX: [(&str, [Option<u8>; 4], u64); 9] = [
    ("No protection", [Some(1), Some(1), Some(1), Some(2)], 12_087),
    ("Safe release", [Some(1), Some(1), None, None], 10_853),
    ("Fencing at the resource", [None, Some(1), None, None], 10_827),
    ("Activation fence", [None, None, None, None], 17_188),
    ("Idempotency key", [Some(1), Some(1), None, None], 10_853),
    ("Consensus lease", [Some(1), Some(1), None, None], 10_767),
    ("Redlock", [Some(1), Some(1), None, None], 24_808),
    ("Consensus and fencing", [None, Some(1), None, None], 10_741),
    ("Consensus and activation", [None, None, None, None], 17_088),
];

const COLUMNS: [Property; 4] = [StaleWrite, LostUpdate, ForeignRelease, BrokenPromise];

#[test]
fn the_matrix_is_that_of_the_protocols_claims() {
    let scenario = story(TWO_WORKERS);
    let mut got = Vec::new();
    for (design, _) in MATRIX.iter().enumerate() {
        let bounds = Bounds { properties: set(&COLUMNS), ..bounds(&scenario, design) };
        let answer = answer(&scenario, design, bounds);
        assert!(answer.is_complete());
        got.push((scenario.designs()[design].name.clone(), row(&answer, &COLUMNS), answer.schedules()));
    }
    let expected: Vec<_> = MATRIX.iter().map(|(d, row, n)| (d.to_string(), row.to_vec(), *n)).collect();
    assert_eq!(got, expected);
}

fn three_faults(rows: &[Three]) {
    let scenario = story(TWO_WORKERS);
    let mut got = Vec::new();
    for (name, each, _, _) in rows {
        let design = scenario.design(name).expect("a design");
        let each = counts(each);
        let bounds = Bounds { total: 3, each, properties: set(&COLUMNS), ..bounds(&scenario, design) };
        let answer = answer(&scenario, design, bounds);
        assert!(answer.is_complete());
        assert!(answer.levels.iter().all(|l| l.count.reached[StaleWrite as usize] > 0), "nothing was written");
        got.push((row(&answer, &COLUMNS), answer.schedules()));
    }
    let expected: Vec<_> = rows.iter().map(|(_, _, row, n)| (row.to_vec(), *n)).collect();
    assert_eq!(got, expected);
}

#[test]
fn what_should_hold_holds_in_all_schedules_with_three_faults() {
    three_faults(&THREE[..4]);
}

#[test]
fn a_better_lock_holds_no_more_than_it_promises_in_all_schedules_with_three_faults() {
    three_faults(&THREE[4..]);
}

type Three = (&'static str, &'static [(Kind, u8)], [Option<u8>; 4], u64);

/// Two pauses and a packet that is late; three pauses, where there are five times as many packets.
const LATE: &[(Kind, u8)] = &[(Kind::Pause, 2), (Kind::Delay, 1)];
const PAUSES: &[(Kind, u8)] = &[(Kind::Pause, 3)];

/// Columns and counts as above.
const THREE: [Three; 9] = [
    ("No protection", LATE, [Some(1), Some(1), Some(1), Some(2)], 5_864),
    ("Safe release", LATE, [Some(1), Some(1), None, None], 43_679),
    ("Fencing at the resource", LATE, [None, Some(1), None, None], 43_396),
    ("Activation fence", LATE, [None, None, None, None], 78_576),
    ("Idempotency key", LATE, [Some(1), Some(1), None, None], 43_679),
    ("Consensus lease", LATE, [Some(1), Some(1), None, None], 43_799),
    ("Redlock", PAUSES, [Some(1), Some(1), None, None], 6_508),
    ("Consensus and fencing", LATE, [None, Some(1), None, None], 43_512),
    ("Consensus and activation", LATE, [None, None, None, None], 79_439),
];

#[test]
fn an_effect_is_repeated_by_a_second_copy_unless_it_has_a_key() {
    let scenario = story(TWO_WORKERS);
    for (design, d) in scenario.designs().iter().enumerate() {
        let each = counts(&[(Kind::Duplicate, 1)]);
        let bounds = Bounds { total: 1, each, properties: set(&[DuplicateEffect]), ..bounds(&scenario, design) };
        let expected = if d.protection.as_deref() == Some("idempotency") { None } else { Some(1) };
        assert_eq!(row(&answer(&scenario, design, bounds), &[DuplicateEffect]), [expected], "{}", d.name);
    }
}

/// Nobody says where the clock jumps or which requests are lost.
#[test]
fn the_clock_jump_of_the_debate_about_redlock_is_found() {
    let scenario = story(
        r#"
schema = "fencepost.scenario/1"
horizon = "15s"
client.retry = "2s"
worker = [{ name = "W1", steps = ["acquire", "read", "work 4s", "write", "release"] }, { name = "W2", start = "1500ms" }]
design = [{ protection = "redlock" }, { protection = "redlock", name = "Monotonic", lock.clock = "monotonic" }]
[explore]
total = 3
faults = { drop = 2, step_clock = 1 }
targets = ["W1", "lock"]
schedules = 1000000
properties = ["lost-update", "broken-promise"]
"#,
    );
    let found = answer(&scenario, 0, bounds(&scenario, 0));
    assert_eq!(row(&found, &[LostUpdate, BrokenPromise]), [Some(3), Some(3)]);
    let Verdict::Broken { by, .. } = found.verdict(LostUpdate) else { panic!("it was broken just now") };
    let example = Base::new(&scenario, 0).shrink(&by.faults, LostUpdate);
    let verbs: Vec<&str> = example.faults.iter().map(|f| f[0].0.as_str()).collect();
    assert_eq!(verbs, ["drop", "drop", "step_clock"], "two requests of the first never arrive; then a clock jumps");
    assert_eq!(example.faults[2][0].1, "C", "the clock of the only node that both have");
    assert!(example.faults[2].contains(&("by".to_string(), "10s".to_string())));

    let monotonic = answer(&scenario, 1, bounds(&scenario, 1));
    assert_eq!(row(&monotonic, &[LostUpdate, BrokenPromise]), [None, None]);
}

/// The other case of the debate: a pause between the last look at the clock and the write.
#[test]
fn the_pause_of_the_debate_about_redlock_is_found() {
    let scenario = story(TWO_WORKERS);
    let design = scenario.design("Redlock").expect("a design");
    let bounds = Bounds { total: 1, properties: set(&[StaleWrite]), ..bounds(&scenario, design) };
    let answer = answer(&scenario, design, bounds);
    let Verdict::Broken { faults: 1, by } = answer.verdict(StaleWrite) else { panic!("one pause is enough") };
    let example = Base::new(&scenario, design).shrink(&by.faults, StaleWrite);
    let [fault] = &example.faults[..] else { panic!("one fault") };
    let has = |key: &str, value: &str| fault.contains(&(key.to_string(), value.to_string()));
    assert!(has("pause", "W1") && has("at", "after W1 check") && has("until", "20s"), "{fault:?}");
}

#[test]
fn a_replica_that_never_heard_of_the_lock_is_found() {
    let preset = scenario::preset::by_id("asynchronous-failover").expect("a preset");
    let scenario = Base::bare(&story(preset.text));
    for (name, expected) in [("Safe release", Some(1)), ("Activation fence", Some(1)), ("Consensus lease", None)] {
        let design = scenario.design(name).expect("a design");
        let each = counts(&[(Kind::FailOver, 1)]);
        let mut bounds = Bounds { total: 1, each, properties: set(&[LostUpdate]), ..bounds(&scenario, design) };
        bounds.aim(&scenario, design, &["lock"]);
        assert_eq!(row(&answer(&scenario, design, bounds), &[LostUpdate]), [expected], "{name}");
    }
}

/// Every case that is shown is a scenario by itself, and claims what its run does.
#[test]
fn a_case_is_an_ordinary_scenario_that_breaks_the_same() {
    let scenario = story(TWO_WORKERS);
    for design in [0, 1, 4, 6] {
        let answer = answer(&scenario, design, Bounds { total: 1, ..bounds(&scenario, design) });
        for p in [StaleWrite, LostUpdate, NonOwnerWrite] {
            let Verdict::Broken { faults: 1, by } = answer.verdict(p) else { panic!("{p} breaks under {design}") };
            let base = Base::new(&scenario, design);
            let as_found = base.run(&by.faults).expect("what was found can be written down");
            assert!(as_found.report.violated(p));
            let text = base.shrink(&by.faults, p).text;
            let opened = story(&text);
            let run = run::run(&opened, design);
            assert!(run.report.violated(p), "{text}");
            assert!(run::expect::check(&opened, design, &run).is_empty(), "{text}");
            assert!(!text.contains("000001") && !text.contains("001us"), "numbers are round: {text}");
        }
    }
}

/// What a search leaves out makes no difference to what it finds: small cases, with and without.
#[test]
fn the_reductions_change_no_verdict() {
    let two = story(TWO_WORKERS);
    let alike = story(
        r#"
schema = "fencepost.scenario/1"
horizon = "12s"
lock.ttl = "3s"
client.retry = "1s"
worker = [{ name = "W", count = 3 }]
design = [{ protection = "none" }, { protection = "redlock" }]
"#,
    );
    let steps = [(Kind::Pause, 1), (Kind::StepClock, 1), (Kind::Drop, 1)];
    type Case<'a> = (&'a Scenario, usize, u8, &'a [(Kind, u8)]);
    let cases: [Case; 7] = [
        (&two, 0, 2, &[(Kind::Pause, 2)]),
        (&two, 2, 2, &[(Kind::Pause, 1), (Kind::Delay, 1)]),
        (&two, 3, 2, &[(Kind::Crash, 1), (Kind::Drop, 1), (Kind::Duplicate, 1)]),
        (&two, 6, 1, &steps),
        (&alike, 0, 1, &[(Kind::Pause, 1), (Kind::Crash, 1), (Kind::Delay, 1)]),
        (&alike, 0, 2, &[(Kind::Pause, 2), (Kind::Crash, 1)]),
        (&alike, 1, 1, &steps),
    ];
    for (scenario, design, total, each) in cases {
        let mut with =
            Bounds { total, each: counts(each), properties: set(&Property::JUDGED), ..bounds(scenario, design) };
        with.aim(scenario, design, &["workers", "lock"]);
        let without = Bounds { reduces: false, ..with.clone() };
        let (with, without) = (answer(scenario, design, with), answer(scenario, design, without));
        assert_eq!(row(&with, &Property::JUDGED), row(&without, &Property::JUDGED), "design {design} of {total}");
        // What a schedule can come to, of everything that is asked for at once, is the same too.
        let outcomes =
            |a: &Answer| -> BTreeSet<u32> { a.levels.iter().flat_map(|l| l.count.outcomes.iter().copied()).collect() };
        assert_eq!(outcomes(&with), outcomes(&without), "design {design} of {total}");
        assert!(with.schedules() < without.schedules(), "design {design}: something was left out");
    }
}

#[path = "explore/pinned.rs"]
mod pinned;

#[test]
fn counts_are_pinned() {
    pinned::compare();
}

#[test]
fn a_search_goes_on_where_it_stopped_and_units_add_up() {
    let scenario = story(TWO_WORKERS);
    let bounds = || Bounds { each: counts(&[(Kind::Pause, 2), (Kind::Drop, 1)]), ..bounds(&scenario, 1) };
    let whole = answer(&scenario, 1, bounds());
    let mut sliced = Search::new(&scenario, 1, bounds());
    let mut last = 0;
    while sliced.run_for(7) {
        assert!(sliced.seen_so_far() >= last, "it only ever knows more");
        last = sliced.seen_so_far();
    }
    assert_eq!(*sliced.answer(), whole);

    // Walked in any order, put together in the search's own.
    let walker = Search::new(&scenario, 1, bounds());
    let mut counts: Vec<_> = (1..=2)
        .flat_map(|faults| (0..walker.units()).rev().map(move |unit| (faults, unit)))
        .map(|(faults, unit)| (faults, unit, walker.unit(faults, unit, u64::MAX)))
        .collect();
    counts.sort_by_key(|c| (c.0, c.1));
    let mut put_together = Search::new(&scenario, 1, bounds());
    while let Some((faults, unit)) = put_together.wants() {
        let count = counts.iter().find(|c| c.0 == faults && c.1 == unit).expect("all units");
        put_together.add_unit(&count.2);
    }
    assert_eq!(*put_together.answer(), whole);
}

#[test]
fn limits_are_named_and_nothing_is_said_to_hold_then() {
    let scenario = story(TWO_WORKERS);
    let few = Bounds { schedules: 500, ..bounds(&scenario, 3) };
    let stopped = answer(&scenario, 3, few.clone());
    assert_eq!(stopped.limit(), Some(Limit::Schedules));
    assert_eq!(stopped.schedules(), 500);
    assert_eq!(stopped.verdict(LostUpdate), Verdict::NoneYet);
    let last = stopped.levels.last().expect("a depth");
    assert!(last.faults == 2 && last.done < last.units, "how far it came is told");

    // The same, of units that were walked without regard to the limit.
    let walker = Search::new(&scenario, 3, few.clone());
    let mut put_together = Search::new(&scenario, 3, few);
    while let Some((faults, unit)) = put_together.wants() {
        let count = walker.unit(faults, unit, 500);
        put_together.add_unit(&count);
    }
    assert_eq!(*put_together.answer(), stopped);

    let small = Bounds { memory: 1 << 12, ..bounds(&scenario, 3) };
    let stopped = answer(&scenario, 3, small);
    assert_eq!(stopped.limit(), Some(Limit::Memory));
    assert_eq!(stopped.verdict(LostUpdate), Verdict::NoneYet);
}
