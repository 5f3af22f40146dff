//! Writing a scenario and reading it again, for stories that people wrote and for stories that nobody would think of.

use fencepost::scenario::{Diagnostic, Scenario, parse, preset, random, to_toml, tree};
use proptest::prelude::*;

fn read(text: &str) -> Scenario {
    let parsed = parse(text);
    let said: Vec<String> = parsed.diagnostics.iter().map(Diagnostic::to_string).collect();
    parsed.scenario.unwrap_or_else(|| panic!("{text}\n{said:#?}"))
}

/// Equal in every respect that a run or a reader can see.
#[track_caller]
fn same(a: &Scenario, b: &Scenario) {
    assert_eq!(a.canonical(), b.canonical());
    assert_eq!(a, b);
    assert_eq!(a.designs().len(), b.designs().len());
    for i in 0..a.designs().len() {
        assert_eq!(a.config(i), b.config(i), "design {i} of {}", a.canonical());
        assert_eq!(a.setup(i), b.setup(i));
        // Where in its table an entry stands means nothing; the canonical form has them by name.
        let expected = |s: &Scenario| {
            let mut expect = s.designs()[i].expect.clone();
            expect.ends.sort_by(|x, y| x.value.cmp(&y.value));
            expect
        };
        assert_eq!(expected(a), expected(b));
        assert_eq!(a.designs()[i].name, b.designs()[i].name);
    }
    assert_eq!((&a.title, &a.claim, &a.story, &a.source), (&b.title, &b.claim, &b.story, &b.source));
    assert_eq!((a.sweep(), a.explore(), a.lesson()), (b.sweep(), b.explore(), b.lesson()));
}

#[track_caller]
fn round_trip(text: &str) {
    let once = read(text);
    let again = read(once.canonical());
    same(&once, &again);
    let toml = to_toml(&tree::read(once.canonical()).unwrap());
    same(&once, &read(&toml));
    let rewritten = to_toml(&tree::read(text).unwrap());
    same(&once, &read(&rewritten));
}

#[test]
fn the_canonical_form_is_that_of_the_reference() {
    let s = read(&std::fs::read_to_string("tests/scenario_samples/gc-pause.toml").unwrap());
    assert_eq!(
        s.canonical(),
        concat!(
            r#"{"claim":"A paused holder writes after its lease has ended, whatever the lock service.","#,
            r#""design":[{"expect":{"violates":["stale-write","non-owner-write","lost-update"]},"protection":"safe-release"},"#,
            r#"{"expect":{"violates":[]},"protection":"fencing"}],"#,
            r#""fault":{"at":"500ms","pause":"W1","until":"15s"},"schema":"fencepost.scenario/1","title":"GC pause","#,
            r#""worker":[{"client":{"check_deadline":false},"name":"W1"},{"client":{"check_deadline":false},"name":"W2","start":"2s"}]}"#
        )
    );
}

#[test]
fn what_says_nothing_is_dropped() {
    for (text, canonical) in [
        ("", "{}"),
        ("worker = []\ndesign = []\nfault = []\nlink = []\nnetwork = {}\nlock = {}\n", "{}"),
        (
            "horizon = \"60s\"\nseed = 1\nlock.ttl = \"10000ms\"\nclient.late_grant = \"keep\"\nnetwork.loss = \"0%\"\nlock.nodes = [\"L\"]\n",
            "{}",
        ),
        (
            "worker = { steps = [\"acquire\", \"read\", \"work 1000ms\", \"write\", \"release\"], start = \"0s\", rounds = 1 }\n",
            "{}",
        ),
        ("worker = { name = \"A\", process = \"A\", count = 1, client = {} }\n", r#"{"worker":{"name":"A"}}"#),
        // What is written by a design or a named thing has a meaning, whatever it says.
        ("design = { lock.ttl = \"10s\", client = {} }\n", r#"{"design":{"lock":{"ttl":"10s"}}}"#),
        ("worker = { client.check_deadline = true }\n", r#"{"worker":{"client":{"check_deadline":true}}}"#),
        ("lock.also = { name = \"b\", ttl = \"10s\" }\n", r#"{"lock":{"also":{"name":"b","ttl":"10s"}}}"#),
        ("client.late_grant = \"release\"\n", r#"{"client":{"late_grant":"release"}}"#),
        // The profile of one service is not that of another.
        (
            "client.late_grant = \"keep\"\ndesign = [{ name = \"a\" }, { name = \"b\", lock.service = \"none\" }]\n",
            r#"{"client":{"late_grant":"keep"},"design":[{"name":"a"},{"lock":{"service":"none"},"name":"b"}]}"#,
        ),
        ("link = { to = [\"R\"], ordered = false, one_sided = false }\n", r#"{"link":{"ordered":false,"to":"R"}}"#),
        (
            "clock = { workers = { rate = 0.7 }, W1 = { rate = 1.0, offset = \"0s\" } }\n",
            r#"{"clock":{"W1":{"rate":1},"workers":{"rate":0.7}}}"#,
        ),
        ("clock = { W1 = { rate = 1.0 } }\n", "{}"),
        (
            "fault = [{ partition = [[\"W1\"], [\"R\"]], at = \"0s\", for = \"120s\" }]\n",
            r#"{"fault":{"for":"2min","partition":["W1","R"]}}"#,
        ),
        (
            "fault = { drop = \"write\", nth = \"all\", at = \"0ms after W1 write 1\" }\n",
            r#"{"fault":{"at":"after W1 write","drop":"write"}}"#,
        ),
        ("fault = { drop = \"write\", nth = [2] }\n", r#"{"fault":{"drop":"write","nth":2}}"#),
        (
            "worker = { steps = [{ loop = 2, steps = [\"wait 1500ms\"] }] }\n",
            r#"{"worker":{"steps":{"loop":2,"steps":"wait 1500ms"}}}"#,
        ),
        ("sweep = { runs = 10000 }\n", r#"{"sweep":{}}"#),
        ("story = \"\"\"\nTwo\n  lines.\"\"\"\n", r#"{"story":"Two lines."}"#),
    ] {
        let s = read(&format!("schema = \"fencepost.scenario/1\"\n{text}"));
        // The expectations leave the schema line out.
        let without = s.canonical().replace(r#""schema":"fencepost.scenario/1""#, "");
        let without = without.replace(",,", ",").replace("{,", "{").replace(",}", "}");
        assert_eq!(without, canonical, "{text}");
    }
}

#[test]
fn stories_round_trip() {
    for p in preset::all() {
        round_trip(p.text);
    }
}

#[test]
fn links_are_short() {
    for p in preset::all() {
        let s = read(p.text);
        assert!(s.canonical().len() < 4_000, "{}: {}", p.id, s.canonical().len());
    }
}

#[test]
fn random_scenarios_are_valid_and_round_trip() {
    for seed in 0..500 {
        let text = random::scenario(seed);
        assert_eq!(text, random::scenario(seed));
        round_trip(&text);
    }
}

#[test]
fn a_link_with_keys_of_a_later_version_still_opens() {
    use fencepost::scenario::{Unknown, parse_with};
    let text = r#"{"future":{"x":1},"lock":{"shine":"bright","ttl":"5s"},"schema":"fencepost.scenario/1"}"#;
    assert!(parse(text).scenario.is_none());
    let parsed = parse_with(text, Unknown::IsKept);
    let said: Vec<String> = parsed.diagnostics.iter().map(Diagnostic::to_string).collect();
    assert_eq!(
        said,
        [
            "note · the key \"future\" is not known to this version. It is kept and ignored.",
            "note · lock · the key \"shine\" is not known to this version. It is kept and ignored.",
        ]
    );
    assert_eq!(parsed.scenario.unwrap().canonical(), text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_answered_without_a_panic(text in ".{0,200}") {
        parse(&text);
        parse(&format!("schema = \"fencepost.scenario/1\"\n{text}"));
        parse(&format!("{{{text}"));
    }

    /// Real texts with something knocked out or repeated: closer to what people type than noise is.
    #[test]
    fn a_damaged_story_is_answered_without_a_panic(which in 0usize..28, from in 0usize..3_000, length in 0usize..40, with in "[a-z0-9=\\[\\]{}\", .]{0,6}") {
        let all = preset::all();
        let chars: Vec<char> = all[which % all.len()].text.chars().collect();
        let from = from.min(chars.len());
        let to = (from + length).min(chars.len());
        let damaged: String = chars[..from].iter().copied().chain(with.chars()).chain(chars[to..].iter().copied()).collect();
        let parsed = parse(&damaged);
        prop_assert_eq!(parsed.scenario.is_none(), parsed.diagnostics.iter().any(Diagnostic::is_error));
        if let Some(s) = parsed.scenario {
            same(&s, &read(s.canonical()));
        }
    }
}
