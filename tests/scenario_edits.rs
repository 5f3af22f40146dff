//! Edits of texts: what is asked for changes, and nothing else does.

use fencepost::scenario::tree::{Node, Table, Value, read_number};
use fencepost::scenario::{Scenario, edit, parse, preset, random};

/// A text as a person would write it, with comments in odd places.
const STORY: &str = r#"# A story.
schema = "fencepost.scenario/1"   # the version
title  = "T"

[lock]
# Long enough.
ttl = "10s"          # ten seconds

[[worker]]
name  = "W1"
client.check_deadline = false     # careless

[[worker]]
name  = "W2"
start = "2s"

[[fault]]
name  = "gc"
pause = "W1"
at    = "500ms"
until = "15s"        # wakes up

[[design]]           # the first
protection = "safe-release"
expect.violates = ["stale-write"]

[[design]]
name = "No fencing"
lock.ttl = "5s"
"#;

const INLINE: &str = r#"schema = "fencepost.scenario/1"
worker = [
  { name = "W1", client.check_deadline = false },   # careless
  { name = "W2", start = "2s" },
]
fault  = { pause = "W1", at = "500ms", until = "15s" }
design = [{ protection = "fencing" }]
"#;

#[track_caller]
fn changed(before: &str, after: &str, lines: &[(&str, &str)]) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    assert_eq!(old.len(), new.len(), "{after}");
    let differ: Vec<(&str, &str)> = old.into_iter().zip(new).filter(|(a, b)| a != b).collect();
    assert_eq!(differ, lines, "{after}");
}

fn text(s: &str) -> Value {
    Value::Text(s.to_string())
}

#[test]
fn one_value_changes_and_its_comment_stays() {
    for (path, value, before, after) in [
        ("lock.ttl", "4s", "ttl = \"10s\"          # ten seconds", "ttl = \"4s\"          # ten seconds"),
        ("fault.gc.until", "12s", "until = \"15s\"        # wakes up", "until = \"12s\"        # wakes up"),
        ("fault.0.until", "12s", "until = \"15s\"        # wakes up", "until = \"12s\"        # wakes up"),
        ("worker.W2.start", "3s", "start = \"2s\"", "start = \"3s\""),
        ("worker.1.start", "3s", "start = \"2s\"", "start = \"3s\""),
        ("design.\"No fencing\".lock.ttl", "6s", "lock.ttl = \"5s\"", "lock.ttl = \"6s\""),
        ("design.\"Safe release\".protection", "none", "protection = \"safe-release\"", "protection = \"none\""),
        ("title", "U", "title  = \"T\"", "title  = \"U\""),
    ] {
        let edited = edit::set(STORY, path, &text(value)).unwrap();
        changed(STORY, &edited, &[(before, after)]);
    }
    let edited = edit::set(STORY, "worker.W1.client.check_deadline", &Value::Bool(true)).unwrap();
    changed(
        STORY,
        &edited,
        &[("client.check_deadline = false     # careless", "client.check_deadline = true     # careless")],
    );
}

#[test]
fn inline_tables_stay_inline() {
    let edited = edit::set(INLINE, "worker.W2.start", &text("3s")).unwrap();
    changed(INLINE, &edited, &[("  { name = \"W2\", start = \"2s\" },", "  { name = \"W2\", start = \"3s\" },")]);
    let edited = edit::set(INLINE, "worker.W2.client.retry", &text("1s")).unwrap();
    changed(
        INLINE,
        &edited,
        &[("  { name = \"W2\", start = \"2s\" },", "  { name = \"W2\", start = \"2s\", client.retry = \"1s\" },")],
    );
    let edited = edit::set(INLINE, "worker.W1.client.retry", &text("1s")).unwrap();
    changed(
        INLINE,
        &edited,
        &[(
            "  { name = \"W1\", client.check_deadline = false },   # careless",
            "  { name = \"W1\", client.check_deadline = false, client.retry = \"1s\" },   # careless",
        )],
    );
    let edited = edit::set(INLINE, "fault.0.until", &text("9s")).unwrap();
    changed(
        INLINE,
        &edited,
        &[(
            "fault  = { pause = \"W1\", at = \"500ms\", until = \"15s\" }",
            "fault  = { pause = \"W1\", at = \"500ms\", until = \"9s\" }",
        )],
    );
    let edited = edit::remove(INLINE, "worker.W1.client.check_deadline").unwrap();
    changed(
        INLINE,
        &edited,
        &[("  { name = \"W1\", client.check_deadline = false },   # careless", "  { name = \"W1\" },   # careless")],
    );
}

#[test]
fn new_keys_go_where_they_belong() {
    let edited = edit::set(STORY, "network.one_way", &text("9ms")).unwrap();
    let at = edited.find("network.one_way = \"9ms\"").unwrap();
    assert!(at < edited.find("[lock]").unwrap(), "{edited}");
    assert_eq!(edited.len(), STORY.len() + "network.one_way = \"9ms\"\n".len());
    let edited = edit::set(STORY, "lock.token", &text("ordered")).unwrap();
    assert!(edited.contains("ttl = \"10s\"          # ten seconds\ntoken = \"ordered\"\n"), "{edited}");
    let edited = edit::set(STORY, "worker.W2.client.retry", &text("1s")).unwrap();
    assert!(edited.contains("start = \"2s\"\nclient.retry = \"1s\"\n"), "{edited}");
    let edited = edit::set(STORY, "clock.W1.rate", &read_number("0.7").unwrap()).unwrap();
    assert!(edited.contains("clock.W1.rate = 0.7\n"), "{edited}");
    assert!(parse(&edited).scenario.is_some());
    // The worker that every file has is written down by the first edit of it.
    let edited = edit::set("schema = \"fencepost.scenario/1\"\n", "worker.W1.start", &text("1s")).unwrap();
    assert_eq!(edited, "schema = \"fencepost.scenario/1\"\n\n[[worker]]\nstart = \"1s\"\n");
}

#[test]
fn removing_a_key_leaves_its_neighbours() {
    let edited = edit::remove(STORY, "lock.ttl").unwrap();
    assert!(edited.contains("[lock]\n") && !edited.contains("ten seconds"), "{edited}");
    let edited = edit::remove(STORY, "worker.W1.client.check_deadline").unwrap();
    assert!(!edited.contains("client"), "{edited}");
    assert_eq!(edit::remove(STORY, "lock.token").unwrap(), STORY);
    assert_eq!(edit::remove(STORY, "network.loss").unwrap(), STORY);
}

#[test]
fn steps_change_one_by_one() {
    let edited = edit::set(STORY, "worker.W2.steps.2", &text("work 5s")).unwrap();
    assert!(edited.contains("steps = [\"acquire\", \"read\", \"work 5s\", \"write\", \"release\"]"), "{edited}");
    let edited = edit::set(&edited, "worker.W2.steps.5", &text("stop")).unwrap();
    assert!(edited.contains("\"release\", \"stop\"]"), "{edited}");
    let edited = edit::remove(&edited, "worker.W2.steps.0").unwrap();
    assert!(edited.contains("steps = [\"read\","), "{edited}");
}

#[test]
fn entries_come_go_and_move() {
    let (edited, name) = edit::add_worker(STORY).unwrap();
    assert_eq!(name, "W3");
    assert!(edited.contains("start = \"2s\"\n\n[[worker]]\nname = \"W3\"\n\n[[fault]]"), "{edited}");
    let (edited, name) = edit::add_worker(INLINE).unwrap();
    assert_eq!(name, "W3");
    assert!(edited.contains("  { name = \"W2\", start = \"2s\" },\n  { name = \"W3\" },\n]\n"), "{edited}");
    let (edited, name) = edit::add_worker("schema = \"fencepost.scenario/1\"\n").unwrap();
    assert_eq!((name.as_str(), parse(&edited).scenario.unwrap().workers.len()), ("W2", 2));

    let edited = edit::remove_worker(STORY, "W1").unwrap();
    assert!(!edited.contains("careless") && edited.contains("name  = \"W2\""), "{edited}");
    let edited = edit::remove_worker(INLINE, "W2").unwrap();
    assert!(edited.contains("  { name = \"W1\", client.check_deadline = false },   # careless\n]"), "{edited}");

    let mut rest = Table::default();
    rest.set("at", Node::text("1s"));
    rest.set("for", Node::text("2s"));
    let edited = edit::add_fault(STORY, "crash", &text("W2"), &rest).unwrap();
    assert!(
        edited.contains("\n\n[[fault]]\ncrash = \"W2\"\nat = \"1s\"\nfor = \"2s\"\n\n[[design]]           # the first"),
        "{edited}"
    );
    let edited = edit::add_fault(INLINE, "crash", &text("W2"), &rest).unwrap();
    assert!(
        edited.contains(
            r#"fault  = [{ pause = "W1", at = "500ms", until = "15s" }, { crash = "W2", at = "1s", for = "2s" }]"#
        ),
        "{edited}"
    );
    let edited = edit::remove_fault(STORY, "gc").unwrap();
    assert!(!edited.contains("[[fault]]"), "{edited}");

    let edited = edit::toggle_design(STORY, "fencing").unwrap();
    assert!(edited.ends_with("\n\n[[design]]\nprotection = \"fencing\"\n"), "{edited}");
    assert_eq!(edit::toggle_design(&edited, "fencing").unwrap(), STORY);
    let edited = edit::remove_design(INLINE, "Fencing at the resource").unwrap();
    assert!(!edited.contains("design"), "{edited}");

    let edited = edit::move_entry(STORY, "design", 1, 0).unwrap();
    let names: Vec<String> = parse(&edited).scenario.unwrap().designs.iter().map(|d| d.name.clone()).collect();
    assert_eq!(names, ["No fencing", "Safe release"], "{edited}");
    assert!(edited.contains("# the first"));
    let edited = edit::move_entry(INLINE, "worker", 0, 1).unwrap();
    assert_eq!(parse(&edited).scenario.unwrap().workers[1].name, "W1", "{edited}");
}

#[test]
fn a_worker_is_renamed_everywhere() {
    let story = STORY.replace("[lock]", "[clock.W1]\nrate = 0.9\n\n[expect]\ninstants = [\"W1 grant at 5ms\", \"W11 grant never\"]\nends.W1 = \"done\"\n\n[lock]");
    let story = story.replace("start = \"2s\"", "start = \"after W1 grant\"");
    let edited = edit::rename_worker(&story, "W1", "Old").unwrap();
    assert_eq!(edited.matches("Old").count(), 6, "{edited}");
    assert!(edited.contains("\"Old grant at 5ms\", \"W11 grant never\""), "{edited}");
    assert!(edited.contains("start = \"after Old grant\"") && edited.contains("pause = \"Old\""), "{edited}");
    assert!(edit::rename_worker(STORY, "W1", "W2").is_err());
    assert!(edit::rename_worker(STORY, "W1", "9").is_err());
    assert!(edit::rename_worker(STORY, "W9", "X").is_err());
}

#[test]
fn what_leads_nowhere_is_said() {
    for (path, says) in [
        ("worker.W9.start", "worker · there is no worker \"W9\"."),
        ("fault.9.at", "fault · there is no fault \"9\"."),
        ("design.Nobody.name", "design · there is no design \"Nobody\"."),
        ("worker.W1", "worker.W1 · which key of it?"),
        ("lock..ttl", "lock..ttl · this is no path of a key."),
        ("title.x", "title.x · \"title\" is no table."),
    ] {
        assert_eq!(edit::set(STORY, path, &text("1s")).unwrap_err().to_string(), says);
    }
    let counted = "schema = \"fencepost.scenario/1\"\nworker = { name = \"W\", count = 3 }\n";
    assert_eq!(
        edit::set(counted, "worker.W2.start", &text("1s")).unwrap_err().to_string(),
        "worker · \"W2\" is one of 3 that a count makes. Give it an entry of its own first."
    );
    assert!(edit::set("a = ", "lock.ttl", &text("1s")).unwrap_err().to_string().contains("a value is missing"));
}

#[test]
fn typed_text_becomes_the_kind_of_value_that_the_key_takes() {
    for (path, typed, line) in [
        ("lock.ttl", "4s", "ttl = \"4s\""),
        ("lock.first_token", "36", "first_token = 36"),
        ("worker.W1.client.check_deadline", "true", "client.check_deadline = true"),
        ("clock.W1.rate", "1.1", "clock.W1.rate = 1.1"),
        ("resource.guard", "fence, version", "resource.guard = [\"fence\", \"version\"]"),
        ("resource.guard", "fence", "resource.guard = \"fence\""),
        ("design.0.expect.violates", "", "expect.violates = []"),
        ("source", "a, b", "source = \"a, b\""),
        ("lock.first_token", "many", "first_token = \"many\""),
        ("seed", " 7 ", "seed = 7"),
    ] {
        let edited = edit::set_typed(STORY, path, typed).unwrap();
        assert!(edited.lines().any(|l| l.starts_with(line)), "{path}: {edited}");
    }
}

#[test]
fn json_is_edited_as_a_tree() {
    let canonical = parse(STORY).scenario.unwrap().canonical().to_string();
    let edited = edit::set(&canonical, "fault.gc.until", &text("12s")).unwrap();
    assert!(edited.starts_with("{\n  \"design\": [\n    {"), "{edited}");
    let expected = edit::set(STORY, "fault.gc.until", &text("12s")).unwrap();
    assert_eq!(parse(&edited).scenario, parse(&expected).scenario);
    let (edited, _) = edit::add_worker(&edited).unwrap();
    let edited = edit::set(&edited, "worker.W3.steps.2", &text("work 5s")).unwrap();
    let edited = edit::toggle_design(&edited, "fencing").unwrap();
    let edited = edit::move_entry(&edited, "design", 2, 0).unwrap();
    let edited = edit::remove(&edited, "worker.W1.client.check_deadline").unwrap();
    let edited = edit::remove_fault(&edited, "gc").unwrap();
    let s: Scenario = parse(&edited).scenario.unwrap();
    assert_eq!((s.workers.len(), s.faults.len(), s.designs().len()), (3, 0, 3));
    assert_eq!(s.designs()[0].name, "Fencing at the resource");
    assert!(s.workers[0].client.is_empty());
}

/// The same edit of a text and of its canonical JSON means the same.
#[test]
fn toml_and_json_take_the_same_edits() {
    let texts = preset::all().into_iter().map(|p| p.text.to_string()).chain((0..100).map(random::scenario));
    for toml in texts {
        let s = parse(&toml).scenario.unwrap();
        let json = s.canonical().to_string();
        let mut edits: Vec<(String, Value)> = vec![
            ("lock.ttl".into(), text("7s")),
            ("network.one_way".into(), text("3ms")),
            ("clock.lock.rate".into(), read_number("1.01").unwrap()),
        ];
        // One of several that a count makes has no entry of its own.
        if let Some(worker) = s.workers.iter().find(|w| w.count == 1) {
            edits.push((format!("worker.{}.start", worker.name), text("123ms")));
            edits.push((format!("worker.{}.client.retry", worker.name), text("77ms")));
        }
        if !s.faults.is_empty() {
            edits.push(("fault.0.at".into(), text("321ms")));
        }
        if s.designs()[0].written {
            edits.push(("design.0.client.margin".into(), text("1ms")));
        }
        let (mut a, mut b) = (toml.clone(), json);
        for (path, value) in &edits {
            a = edit::set(&a, path, value).unwrap_or_else(|d| panic!("{path}: {d}\n{a}"));
            b = edit::set(&b, path, value).unwrap_or_else(|d| panic!("{path}: {d}\n{b}"));
        }
        let (x, y) = (parse(&a), parse(&b));
        match (&x.scenario, &y.scenario) {
            (Some(x), Some(y)) => assert_eq!(x.canonical(), y.canonical(), "{a}"),
            (None, None) => {}
            _ => panic!("{a}\n{:#?}\n{b}\n{:#?}", x.diagnostics, y.diagnostics),
        }
    }
}

#[test]
fn a_control_character_in_a_text_that_an_edit_writes_is_read_back() {
    for text in ["a\u{7f}b", "a\u{1}b", "a\"\\b"] {
        let edited = edit::set(STORY, "claim", &Value::Text(text.to_string())).unwrap();
        assert_eq!(parse(&edited).scenario.unwrap().claim.as_deref(), Some(text), "{edited}");
    }
}
