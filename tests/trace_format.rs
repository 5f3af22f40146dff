//! The trace format and its page, `docs/trace-format.md`, held together.
//!
//! Every preset is run, and some stories for what no preset shows; every key and every event kind in their JSON must stand in the page, an
//! event's keys in the row of its kind. The other way round, no kind of the page is one that nothing produces.

use fencepost::check::Property;
use fencepost::run::{self, json};
use fencepost::scenario::{self, preset};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = include_str!("../docs/trace-format.md");
const SOURCE: &str = include_str!("../src/run/json/events.rs");

/// Keys of every event.
const COMMON: [&str; 7] = ["seq", "at_ms", "node", "local_ms", "cause", "kind", "text"];

/// What no preset shows: refused reads, cuts, lost counters, fallen marks, two steps, administrators, calls, errors.
const STORIES: [&str; 10] = [
    r#"
schema = "fencepost.scenario/1"
worker = { steps = ["acquire", "begin", "read", "write", "work 1s", "commit"] }
fault = { crash = "R", at = "500ms", for = "10ms" }
"#,
    r#"
schema = "fencepost.scenario/1"
lock   = { kind = "read-write", reentrant = "same-token", ttl = "5s", also = [{ name = "a", kind = "semaphore", permits = 2 }, { name = "b" }] }
worker = [
  { name = "W1", steps = ["acquire mode=read", "acquire mode=read", "release", "upgrade", "downgrade", "release"] },
  { name = "W2", steps = ["acquire a+b", "release a+b"] },
]
"#,
    r#"
schema = "fencepost.scenario/1"
lock.token = "ordered"
resource = { guard = "fence", reads_fence = true, mark = 9 }
worker = { steps = ["acquire", "read", "write", "release"], rounds = 2 }
"#,
    r#"
schema  = "fencepost.scenario/1"
horizon = "40s"
lock    = { ttl = "5s", token = "ordered", acquire = "two-step", release_in = "two-steps" }
client  = { renew_every = "1s", renew_by = "thread", check_by = "poll", call_timeout = "500ms", cleanup = "all" }
resource = { guard = ["fence", "owner", "idempotency"], atomic = false, mark_durable = false }
worker  = [
  { name = "W1", steps = ["activate", "acquire", "activate", "read", "call mail key=1", "call mail key=1", "work 3s", "write", "delete", "release"], client.activate = true },
  { name = "W2", start = "1s", steps = ["acquire patience=300ms", "write"], client.acquire_timeout = "20ms" },
  { name = "W3", start = "9s", steps = ["acquire", "break", "renew", "abandon", "stop"] },
]
fault   = [
  { cut = "W1", to = "lock", at = "4s", for = "1s" },
  { crash = "R", at = "2s", for = "10ms", answers = "error" },
  { evict = "lock", at = "9100ms" },
  { crash = "lock", at = "20s", for = "1s" },
  { step_clock = "W3", at = "1s", by = "-1s" },
  { drift_clock = "lock", at = "1s", rate = 1.01, for = "1s" },
  { pause = "W1.renewer", at = "1s", for = "10ms" },
  { crash = "W2", at = "30s", for = "1s" },
  { drop = "acquire-reply", to = "W2", nth = 1 },
  { duplicate = "read", from = "W1", takes = "7ms" },
]
"#,
    r#"
schema = "fencepost.scenario/1"
network.loss = "20%"
resource = { guard = ["version", "absent", "fence"], sequence = true, reads_fence = true, mark = 9 }
client = { on_reject = "continue", renew_every = "ttl/3", write_timeout = "1s", write_retries = 5, clock = "monotonic" }
lock = { ttl = "never", token = "ordered" }
worker = { count = 3, stagger = "10ms", steps = ["acquire", "read", "work 1s", "write base=none", "write", "release"], rounds = 4 }
"#,
    r#"
schema = "fencepost.scenario/1"
lock.token = "ordered"
resource = { guard = "fence", sequence = true }
worker = { steps = ["acquire", "read", "write", "write", "release"] }
fault = [
  { duplicate = "write", from = "W1", nth = 1, takes = "1s" },
  { fail = "read", from = "W1", nth = 1 },
]
client.on_reject = "continue"
"#,
    r#"
schema = "fencepost.scenario/1"
lock.service = "none"
resource.guard = "absent"
client.on_reject = "continue"
worker = { steps = ["acquire", "write", "write", "release"] }
"#,
    r#"
schema = "fencepost.scenario/1"
fault = { evict = "lock", at = "500ms" }
"#,
    r#"
schema  = "fencepost.scenario/1"
lock    = { service = "session-queue", ttl = "3s" }
client.learns_by = "notice"
worker  = [
  { name = "W1", steps = ["acquire", "work 6s", "release"] },
  { name = "W2", start = "1s" },
  { name = "W3", start = "1s", steps = ["acquire patience=500ms"] },
]
fault   = [{ cut = "W1", to = "lock", at = "2s", for = "1s" }, { expire = "W2", at = "3900ms" }]
"#,
    r#"
schema = "fencepost.scenario/1"
lock   = { service = "redisson-fair", waiter_timeout = "1s" }
worker = { count = 3, steps = ["acquire", "work 50s", "release"], client.poll = "10s" }
fault  = { crash = "W2", at = "1s" }
horizon = "3min"
"#,
];

/// The JSON of every preset and every story above.
fn documents() -> Vec<(String, Value)> {
    let presets = preset::all().into_iter().map(|p| (p.id.to_string(), p.text));
    let stories = STORIES.iter().enumerate().map(|(i, text)| (format!("story {i}"), *text));
    presets
        .chain(stories)
        .map(|(name, text)| {
            let parsed = scenario::parse(text);
            let story = parsed.scenario.unwrap_or_else(|| panic!("{name}: {:#?}", parsed.diagnostics));
            let runs: Vec<_> = (0..story.designs().len()).map(|i| run::run(&story, i)).collect();
            let canonical = serde_json::from_str(story.canonical()).unwrap_or(Value::Null);
            (name, json::document(canonical, &runs))
        })
        .collect()
}

/// Words in back-quotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The rows of the tables of events: by kind, the keys it lists.
fn rows() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let mut rows = BTreeMap::new();
    let mut in_events = false;
    for line in PAGE.lines() {
        if line.starts_with('#') {
            in_events = [
                "### Messages",
                "### At a lock service",
                "### At a worker",
                "### At a resource",
                "### What the story does",
            ]
            .contains(&line);
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let (true, ["", kind, _, keys, _, ""]) = (in_events, cells.as_slice())
            && let Some(kind) = kind.strip_prefix('`').and_then(|k| k.strip_suffix('`'))
        {
            assert!(rows.insert(kind, quoted(keys)).is_none(), "`{kind}` has two rows");
        }
    }
    rows
}

/// Every key of objects in `value`, but for those below `scenario` and for names of workers.
fn keys<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                found.insert(key);
                match (key.as_str(), inner) {
                    ("scenario", _) => {}
                    ("workers", Value::Object(workers)) => workers.values().for_each(|w| keys(w, found)),
                    _ => keys(inner, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|v| keys(v, found)),
        _ => {}
    }
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn every_key_and_every_kind_of_event_is_in_the_page() {
    let (named, rows) = (quoted(PAGE), rows());
    let mut missing: BTreeSet<String> = BTreeSet::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (name, document) in documents() {
        let mut found = BTreeSet::new();
        keys(&document, &mut found);
        missing.extend(found.difference(&named).map(|key| format!("{name}: the key `{key}`")));
        for event in list(&document, "designs").iter().flat_map(|d| list(d, "events")) {
            let kind = event["kind"].as_str().expect("every event has a kind");
            seen.insert(kind.to_string());
            let Some(row) = rows.get(kind) else {
                missing.insert(format!("{name}: the event `{kind}`"));
                continue;
            };
            let event = event.as_object().expect("an event is an object");
            for key in event.keys().map(String::as_str).filter(|k| !COMMON.contains(k) && !row.contains(k)) {
                missing.insert(format!("{name}: the key `{key}` in the row of `{kind}`"));
            }
        }
    }
    assert!(missing.is_empty(), "docs/trace-format.md does not name\n{}", join(missing));
    let idle: BTreeSet<String> = rows.keys().map(|k| k.to_string()).filter(|k| !seen.contains(k)).collect();
    assert!(idle.is_empty(), "no run of this test shows these events; add a story that does:\n{}", join(idle));
}

/// Also what no run shows: the source is read as text.
#[test]
fn every_kind_that_the_writer_knows_has_a_row() {
    let rows = rows();
    let written: BTreeSet<&str> = SOURCE
        .split("put(\"kind\", \"")
        .skip(1)
        .map(|rest| rest.split('"').next().expect("a word ends with a quote"))
        .collect();
    assert!(written.len() > 30, "the writer is read in the wrong way: {written:?}");
    assert_eq!(written, rows.keys().copied().collect());
}

#[test]
fn every_property_and_every_verdict_is_in_the_page() {
    let named = quoted(PAGE);
    for word in ["holds", "violated", "not-reached", json::FORMAT] {
        assert!(named.contains(word) || named.contains(format!("\"{word}\"").as_str()), "{word}");
    }
    for property in Property::ALL {
        let judged = if Property::JUDGED.contains(&property) { "yes" } else { "no" };
        let row = format!("| `{property}` | {judged} |");
        assert!(PAGE.contains(&row), "docs/trace-format.md has no row that begins with {row}");
    }
}

#[test]
fn events_stand_as_the_page_says() {
    for (name, document) in documents() {
        for design in list(&document, "designs") {
            let names: BTreeSet<&str> = list(design, "nodes").iter().filter_map(Value::as_str).collect();
            let mut last = 0.0;
            for (i, event) in list(design, "events").iter().enumerate() {
                assert_eq!(event["seq"], i, "{name}");
                assert!(event["cause"].as_u64().is_none_or(|c| c < i as u64), "{name}: event {i}");
                let at = event["at_ms"].as_f64().expect("an instant");
                assert!(at >= last, "{name}: event {i}");
                last = at;
                assert!(event["node"].as_str().is_some_and(|n| names.contains(n)), "{name}: event {i}");
            }
            assert_eq!(list(design, "verdicts").len(), Property::ALL.len());
        }
    }
}

fn join(lines: BTreeSet<String>) -> String {
    lines.into_iter().collect::<Vec<_>>().join("\n")
}
