//! Links, for ever: what was once written is read, and what is broken, cut off, hostile or too large gets a sentence that says so.

// A person waits in real time.
#![allow(clippy::disallowed_methods)]

use fencepost::export::address::{Asked, Fetch, Opened, read};
use fencepost::export::link::{self, Promise, pack};
use fencepost::export::{Format, import};
use fencepost::run::{self, Run};
use fencepost::scenario::{self, Scenario, preset, random};
use std::fs;
use std::time::{Duration, Instant};

/// What a person waits for at most.
const AT_ONCE: Duration = Duration::from_millis(100);

fn table(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(format!("tests/links/{name}")).expect("the table is there");
    let rows = text.lines().filter(|l| !l.starts_with("# ") && !l.is_empty());
    rows.map(|l| l.split('\t').map(str::to_string).collect()).collect()
}

fn opened(fragment: &str) -> Opened {
    match read(fragment) {
        Asked::Opened(opened) => opened,
        other => panic!("{fragment} was not opened: {other:?}"),
    }
}

fn story(text: &str) -> Scenario {
    let parsed = scenario::parse(text);
    parsed.scenario.unwrap_or_else(|| panic!("{:?}\n{text}", parsed.diagnostics))
}

fn all_runs(s: &Scenario) -> (Vec<usize>, Vec<Run>) {
    let designs: Vec<usize> = (0..s.designs().len()).collect();
    let runs = designs.iter().map(|d| run::run(s, *d)).collect();
    (designs, runs)
}

/// One link of every form that was ever written. A row is never changed and never taken out: somebody has kept it. A new row is a name and a
/// link; `FENCEPOST_BLESS=1` writes behind them what they mean today.
#[test]
fn every_link_that_was_ever_made_opens_as_it_did() {
    let path = "tests/links/kept.txt";
    if std::env::var_os("FENCEPOST_BLESS").is_some() {
        let mut text = String::new();
        for line in fs::read_to_string(path).expect("the table is there").lines() {
            text.push_str(line);
            if let [_, fragment] = line.split('\t').collect::<Vec<_>>().as_slice() {
                let s = story(&opened(fragment).text);
                text.push_str(&format!("\t{}\t{}", s.canonical(), link::digest(&all_runs(&s).1)));
            }
            text.push('\n');
        }
        fs::write(path, text).expect("the table can be written");
    }
    let rows = table("kept.txt");
    assert!(rows.len() >= 6);
    for row in rows {
        let [name, fragment, meant, digest] = row.as_slice() else { panic!("{row:?}") };
        let opened = opened(fragment);
        let s = story(&opened.text);
        assert_eq!(s.canonical(), meant, "{name}");
        assert_eq!(&link::digest(&all_runs(&s).1), digest, "{name}");
        assert_eq!(opened.notices, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn what_has_to_be_fetched_is_named_and_not_fetched() {
    let fetch = |url: &str, host: &str, gist| Asked::Fetch(Fetch { url: url.into(), host: host.into(), gist });
    let raw = "https://raw.githubusercontent.com/a/b/main/dir/x.toml";
    let cases = [
        ("#gist:00ff", fetch("https://api.github.com/gists/00ff", "gist.github.com", true)),
        ("#gist:00ff/12ab", fetch("https://api.github.com/gists/00ff/12ab", "gist.github.com", true)),
        ("#src=https://example.com/x.toml", fetch("https://example.com/x.toml", "example.com", false)),
        ("#src=https%3A%2F%2Fexample.com%2Fx", fetch("https://example.com/x", "example.com", false)),
        ("#src=https://github.com/a/b/blob/main/dir/x.toml", fetch(raw, "raw.githubusercontent.com", false)),
        ("#src=https://gist.github.com/a/00ff", fetch("https://api.github.com/gists/00ff", "gist.github.com", true)),
        ("#src=https://gitlab.com/a/-/blob/m/x", fetch("https://gitlab.com/a/-/raw/m/x", "gitlab.com", false)),
    ];
    for (link, wanted) in cases {
        assert_eq!(read(link), wanted, "{link}");
    }
}

#[test]
fn every_broken_link_is_refused_in_a_sentence_and_at_once() {
    let rows = table("broken.txt");
    assert!(rows.len() >= 40);
    for row in rows {
        let [name, fragment, wanted] = row.as_slice() else { panic!("{row:?}") };
        let began = Instant::now();
        let asked = read(fragment);
        let took = began.elapsed();
        let Asked::Refused(refusal) = asked else { panic!("{name}: {asked:?}") };
        assert!(wanted.split('|').any(|w| refusal.why.contains(w)), "{name}: {}", refusal.why);
        assert!(refusal.why.ends_with('.'), "{name}: {}", refusal.why);
        assert!(refusal.why.len() < 700, "{name} is quoted at length: {}", refusal.why);
        assert!(!refusal.why.contains('\u{202e}'), "{name} turns the sentence around");
        assert!(took < AT_ONCE, "{name} took {took:?}");
    }
}

#[test]
fn a_link_of_any_length_is_refused_at_once() {
    for length in [100_000, 1_000_000, 20_000_000] {
        let link = format!("#s1d.{}", "A".repeat(length));
        let began = Instant::now();
        let Asked::Refused(refusal) = read(&link) else { panic!("{length} letters were read") };
        assert!(began.elapsed() < AT_ONCE, "{length} letters took {:?}: {}", began.elapsed(), refusal.why);
    }
}

/// Real links with something knocked out: never a panic, and never another scenario without a word.
#[test]
fn a_damaged_link_is_answered() {
    let whole = pack(&story(preset::all()[0].text));
    for at in (5..whole.len()).step_by(7) {
        for with in ["", "A", "_", "%20", "é"] {
            let damaged = format!("#{}{with}{}", &whole[..at], &whole[at + 1..]);
            match read(&damaged) {
                Asked::Opened(o) => drop(story(&o.text)),
                Asked::Refused(r) => assert!(!r.why.is_empty()),
                Asked::Fetch(f) => panic!("{f:?}"),
            }
        }
    }
}

#[test]
fn every_scenario_comes_out_of_a_link_as_it_went_in() {
    let texts = preset::all().into_iter().map(|p| p.text.to_string()).chain((0..200).map(random::scenario));
    for text in texts {
        let s = story(&text);
        let link = pack(&s);
        assert!(link.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)), "{link}");
        assert_eq!(story(&opened(&link).text).canonical(), s.canonical());
    }
}

#[test]
fn equal_scenarios_have_equal_links() {
    let text = preset::by_id("gc-pause").expect("it is there").text;
    let remark = format!("# a remark\n{}", text.replace("10s", "10000ms"));
    assert_eq!(pack(&story(text)), pack(&story(&remark)));
}

/// `FENCEPOST_BLESS=1` writes the table; its twin runs in wasm.
#[test]
fn links_are_the_same_bytes_as_ever() {
    let found: Vec<String> =
        preset::all().into_iter().map(|p| format!("{}\t{}\n", p.id, pack(&story(p.text)))).collect();
    let path = "tests/golden/links.txt";
    if std::env::var_os("FENCEPOST_BLESS").is_some() {
        fs::write(path, found.concat()).expect("the table can be written");
    }
    assert_eq!(fs::read_to_string(path).expect("the table is there"), found.concat());
}

#[test]
fn a_story_by_name_takes_other_values() {
    let p = opened("#p=gc-pause&ttl=4000&network.one_way=7ms&seed=9");
    assert_eq!(p.notices, Vec::<String>::new());
    assert_eq!(p.origin, Some("gc-pause"));
    let s = story(&p.text);
    let value = |path| s.resolved(0, path).expect("a key").0;
    assert_eq!((value("lock.ttl").as_str(), s.seed), ("4s", 9));
    assert!(s.canonical().contains(r#""one_way":"7ms""#), "{}", s.canonical());
    assert!(p.text.contains("the default, written out to be read"), "remarks stay");

    let p = opened("#p=gc-pause&lock.ttl=soon&shine=bright&%3Cb%3E=1");
    assert_eq!(p.notices.len(), 3, "{:?}", p.notices);
    assert!(p.notices[0].starts_with("The link’s “lock.ttl” was ignored:"), "{:?}", p.notices);
    assert_eq!(p.text, preset::by_id("gc-pause").expect("it is there").text, "and nothing else changed");
}

#[test]
fn what_a_later_version_says_is_told_and_ignored() {
    let later = r#"{"schema":"fencepost.scenario/1","future":{"x":1},"lock":{"ttl":"5s","shine":"bright"},"worker":[{"name":"W1","mood":"good"}]}"#;
    let p = opened(&format!("#s1j.{}&colour=red", link::letters(later.as_bytes())));
    assert_eq!(
        story(&p.text).canonical(),
        r#"{"lock":{"ttl":"5s"},"schema":"fencepost.scenario/1"}"#.replace(
            r#""schema":"fencepost.scenario/1"}"#,
            r#""schema":"fencepost.scenario/1","worker":{"name":"W1"}}"#
        )
    );
    assert_eq!(p.notices.len(), 4, "{:?}", p.notices);
    assert!(p.notices.iter().all(|n| n.contains("this version")), "{:?}", p.notices);
}

#[test]
fn a_link_knows_what_its_maker_saw() {
    let s = story(preset::by_id("gc-pause").expect("it is there").text);
    let (designs, runs) = all_runs(&s);
    let promise = Promise::of(&designs[..2], &runs[..2]);
    let written = promise.written();
    assert_eq!(Promise::read(&written), Some(promise.clone()));
    assert_eq!(opened(&format!("#p=gc-pause&o={written}")).notices, Vec::<String>::new());
    assert_eq!(opened(&format!("#{}&o={written}", pack(&s))).notices, Vec::<String>::new());

    let other = Promise { engine: "0.0.7".into(), digest: "00c0ffee".into(), ..promise }.written();
    let said = opened(&format!("#p=gc-pause&o={other}")).notices.concat();
    assert!(said.starts_with("This is not what was shared: under engine 0.0.7 the outcome was 00c0·ffee"), "{said}");
    for unreadable in
        ["", "x", "0.1.0-1", "0.1.0-0-00c0ffee", "0.1.0-x-00c0ffee", "0.1.0-1-<script>", "0.1.0-1-00c0ffe"]
    {
        let said = opened(&format!("#p=gc-pause&o={unreadable}")).notices.concat();
        assert!(said.starts_with("What the link says of its outcome cannot be read"), "{unreadable}: {said}");
    }
    // Designs that are not there, and more than there can be.
    for many in ["0.1.0-99-00c0ffee".to_string(), format!("0.1.0-{}1-00c0ffee", "1.".repeat(5_000))] {
        assert_eq!(opened(&format!("#p=gc-pause&o={many}")).notices.len(), 1);
    }
}

#[test]
fn what_was_taken_away_can_be_brought_back() {
    for p in preset::all() {
        let meant = story(p.text).canonical().to_string();
        let same = |asked: Asked, how: &str| match asked {
            Asked::Opened(o) => assert_eq!(story(&o.text).canonical(), meant, "{} as {how}", p.id),
            other => panic!("{} as {how}: {other:?}", p.id),
        };
        for format in [Format::Toml, Format::Json, Format::Trace] {
            let written = fencepost::export::of_text(format, p.text, &[0], "").expect("a preset runs");
            same(import::file(written.as_bytes()), format.word());
        }
        same(import::text(&format!("```toml\n{}\n```\n", p.text)), "code");
        same(import::text(&format!(" https://example.org/x/?t=5#{} \n", pack(&story(p.text)))), "link");
        same(import::text(&format!("https://example.org/#p={}", p.id)), "name");
    }
}

#[test]
fn what_is_no_scenario_is_refused_and_kept() {
    let refused = |asked: Asked| match asked {
        Asked::Refused(r) => r,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(import::text("Dear all,\nsee below")).raw.as_deref(), Some("Dear all,\nsee below"));
    assert_eq!(refused(import::text(" \n ")).raw, None);
    assert!(refused(import::file(&[0xff; 90])).why.contains("neither a text nor a picture"));
    assert!(refused(import::file(b"\x89PNG\r\n\x1a\nnonsense")).why.contains("damaged"));
    assert!(refused(import::file(&vec![b'x'; 50_000_000])).why.contains("KiB"));
    assert!(matches!(import::text("https://example.com/x.toml"), Asked::Fetch(_)));
    assert!(refused(import::text("{\"format\":\"fencepost.trace/1\"}")).raw.is_some());
}

#[test]
fn a_gist_gives_its_scenario_or_says_why_not() {
    let text = preset::by_id("gc-pause").expect("it is there").text;
    let answer = |files: serde_json::Value| serde_json::json!({ "files": files }).to_string();
    let two = answer(serde_json::json!({ "README.md": { "content": "Hello." }, "x.toml": { "content": text } }));
    let Asked::Opened(o) = import::gist(&two) else { panic!("not opened") };
    assert_eq!(o.text.trim(), text.trim());
    let says = |answer: &str, what: &str| match import::gist(answer) {
        Asked::Refused(r) => assert!(r.why.contains(what), "{}", r.why),
        other => panic!("{other:?}"),
    };
    says("<html>", "cannot be read");
    says(r#"{"message":"Not Found"}"#, "“Not Found”");
    says(&answer(serde_json::json!({ "a.md": { "content": "x" } })), "no scenario in the gist");
    says(&answer(serde_json::json!({ "a.toml": { "content": "x = [" } })), "no scenario");
}
