//! Broken variants of protocols, as people have met them: each is found by a search that is told neither when nor where, within its budget,
//! and the correct twin is clean in all the schedules that the same budget allows.

use fencepost::check::Property::{self, *};
use fencepost::explore::search::{Base, Bounds, Counts, Kind, Search, Verdict};
use fencepost::scenario::{self, Scenario};

/// A story of the shelf without its faults; two of its designs; what breaks one of them; the only kind of fault that is used, once.
type Row = (&'static str, &'static str, &'static str, Property, Kind);

/// Files of `static/presets` and `static/reports`.
const STORIES: [Row; 27] = [
    ("presets/asynchronous-failover", "Safe release", "Consensus lease", LostUpdate, Kind::FailOver),
    ("presets/client-clock-steps-back", "Safe release", "Monotonic clock", StaleWrite, Kind::StepClock),
    ("presets/compare-and-set-instead", "No protection", "Compare and set, no lock", LostUpdate, Kind::Pause),
    (
        "presets/connection-lost-effect-outside",
        "Advisory lock",
        "Row lock, same transaction",
        StaleWrite,
        Kind::Disconnect,
    ),
    ("presets/delayed-packet", "No protection", "Fencing at the resource", StaleWrite, Kind::Delay),
    ("presets/gap-before-first-write", "Fencing at the resource", "Activation fence", LostUpdate, Kind::Delay),
    ("presets/gc-pause", "No fencing", "Fencing at the resource", StaleWrite, Kind::Pause),
    ("presets/late-renewal", "No protection", "Safe release", ForeignRenewal, Kind::Delay),
    ("presets/leader-with-a-slow-clock", "Defaults", "Lease of 18 s", BeliefOverlap, Kind::Cut),
    ("presets/lost-ack-and-retry", "No protection", "Idempotency key", LostUpdate, Kind::Delay),
    ("presets/no-end-by-default", "As it comes", "timeout = 10", NoProgress, Kind::Crash),
    ("presets/no-expiry", "No protection", "Consensus lease", NoProgress, Kind::Crash),
    ("presets/pause-between-check-and-send", "No protection", "Fencing at the resource", StaleWrite, Kind::Pause),
    ("presets/pruned-key", "Key kept for 24 h", "Key kept for ever", DuplicateEffect, Kind::Drop),
    ("presets/redlock-pause-after-the-check", "Redlock", "Consensus and fencing", StaleWrite, Kind::Pause),
    ("presets/redlock-pause-while-answers-are-under-way", "No protection", "Redlock", ForeignRelease, Kind::Pause),
    ("presets/reused-owner-id", "Activation fence", "Consensus lease", ForeignRelease, Kind::Duplicate),
    ("presets/session-expired-owner-not-told", "No protection", "Fencing at the resource", StaleWrite, Kind::Cut),
    ("presets/session-expired-owner-stops", "No protection", "Safe release", StaleWrite, Kind::Cut),
    ("presets/unique-owner-id", "No protection", "Safe release", ForeignRelease, Kind::Duplicate),
    ("presets/waited-past-its-own-session", "No second look", "No second look, activation", LostUpdate, Kind::Pause),
    ("reports/bookkeeper-4462", "As reported", "The deletion leaves a mark", StaleWrite, Kind::Cut),
    ("reports/bull-308", "As reported", "Completion asks for the current token", StaleWrite, Kind::Pause),
    ("reports/curator-206", "As reported", "Stops when it is suspended", StaleWrite, Kind::Cut),
    ("reports/dynamodb-lock-1", "As reported", "A sequence number on each item", StaleWrite, Kind::Pause),
    ("reports/etcd-10811", "As reported", "Looks at its own deadline", StaleWrite, Kind::Cut),
    ("reports/etcd-11456", "As reported", "Activation", LostUpdate, Kind::Pause),
];

const ALL: [&str; 3] = ["workers", "lock", "resources"];

/// No search of the table looks at more schedules than this.
const BUDGET: u64 = 4_000;

fn read(text: &str) -> Scenario {
    let parsed = scenario::parse(text);
    parsed.scenario.unwrap_or_else(|| panic!("{text}\n{:?}", parsed.diagnostics))
}

/// What one fault of this kind does to the design.
fn searched(
    scenario: &Scenario,
    design: &str,
    property: Property,
    kind: Kind,
    targets: &[&str],
) -> Result<u64, (u8, u64)> {
    let d = scenario.design(design).unwrap_or_else(|| panic!("no design \"{design}\""));
    let mut bounds = Bounds {
        each: Counts::default().with(kind),
        total: 1,
        schedules: BUDGET,
        properties: [property].into_iter().collect(),
        ..Bounds::of(scenario, d)
    };
    bounds.aim(scenario, d, targets);
    let mut search = Search::new(scenario, d, bounds);
    while search.run_for(1_000) {}
    let answer = search.into_answer();
    match answer.verdict(property) {
        Verdict::Holds { schedules, reached } => {
            assert!(reached > 0, "{design}: {property} never came up");
            Ok(schedules)
        }
        Verdict::Broken { faults, by } => {
            let run = Base::new(scenario, d).run(&by.faults).expect("what was found can be written down");
            assert!(run.report.violated(property), "{design}: the case as a scenario breaks {property}");
            Err((faults, answer.schedules()))
        }
        Verdict::NoneYet => panic!("{design}: {property} is not known after {BUDGET} schedules"),
    }
}

#[test]
fn broken_variants_of_known_stories_are_found_and_their_twins_are_clean() {
    let mut wrong = Vec::new();
    for (file, broken, twin, property, kind) in STORIES {
        let path = format!("{}/static/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let scenario = Base::bare(&read(&text));
        let (found, clean) =
            (searched(&scenario, broken, property, kind, &ALL), searched(&scenario, twin, property, kind, &ALL));
        if !matches!(found, Err((1, _))) || clean.is_err() {
            wrong.push(format!("{file}: {broken} {found:?}, {twin} {clean:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One switch, its broken and its right value, beside what both need; what breaks; by one fault of which kind, at whom.
type Switch = (&'static str, &'static str, &'static str, &'static str, Property, Kind, &'static str);

const SWITCHES: [Switch; 8] = [
    ("lock.persistence", "none", "always", "", BrokenPromise, Kind::Crash, "lock"),
    ("lock.release", "unconditional", "if-owner", "", ForeignRelease, Kind::Pause, "workers"),
    ("lock.release_in", "two-steps", "one-step", "", ForeignRelease, Kind::Pause, "workers"),
    ("lock.acquire", "two-step", "atomic", "", NoProgress, Kind::Crash, "workers"),
    ("lock.clock", "wall", "monotonic", "", BrokenPromise, Kind::StepClock, "lock"),
    (
        "resource.mark_durable",
        "no",
        "yes",
        "lock.token = \"ordered\", resource.guard = \"fence\", ",
        MarkRegress,
        Kind::Crash,
        "resources",
    ),
    (
        "lock.wait_replicas",
        "0",
        "1",
        "lock.replicas = 1, lock.replication_lag = \"50ms\", ",
        LostUpdate,
        Kind::FailOver,
        "lock",
    ),
    ("client.owner_id", "constant", "per-try", "", ForeignRelease, Kind::Duplicate, "workers"),
];

#[test]
fn one_switch_the_wrong_way_is_found_and_the_right_way_is_clean() {
    let mut wrong = Vec::new();
    for (key, broken, right, besides, property, kind, whom) in SWITCHES {
        let value = |v: &str| match v {
            "yes" => "true".to_string(),
            "no" => "false".to_string(),
            v if v.parse::<u32>().is_ok() => v.to_string(),
            v => format!("\"{v}\""),
        };
        let design = |name: &str, v: &str| format!("{{ name = \"{name}\", {besides}{key} = {} }}", value(v));
        let scenario = read(&format!(
            r#"
schema = "fencepost.scenario/1"
horizon = "30s"
lock = {{ ttl = "3s", release = "if-owner", release_in = "one-step" }}
client = {{ retry = "1s", owner_id = "per-try", check_deadline = true }}
worker = [{{ name = "W", count = 2, stagger = "20ms" }}, {{ name = "Late", start = "3500ms" }}]
design = [{}, {}]
"#,
            design("Broken", broken),
            design("Right", right)
        ));
        let (found, clean) = (
            searched(&scenario, "Broken", property, kind, &[whom]),
            searched(&scenario, "Right", property, kind, &[whom]),
        );
        if !matches!(found, Err((1, _))) || clean.is_err() {
            wrong.push(format!("{key}: {broken} {found:?}, {right} {clean:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
