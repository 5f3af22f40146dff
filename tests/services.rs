//! `docs/protocols/README.md` is what the registry says of every lock service, and what its runs say.
//!
//! Which stories break a product is found by running them: each preset under the product as its makers ship it, at a resource that checks
//! nothing. `FENCEPOST_WRITE=1 cargo test --features cli --test services` writes the file anew.

use fencepost::run::run;
use fencepost::scenario::preset;
use fencepost::scenario::registry::services::{Service, services};
use fencepost::scenario::{parse, profile};
use std::fmt::Write as _;
use std::fs;

const PATH: &str = "docs/protocols/README.md";

const TOP: &str = "\
# The lock services

Written from the registry (`src/scenario/registry/services.txt`) and from runs; `tests/services.rs` keeps it current.

Seven services are neutral and stand for a family each; the others are products: the behaviour of a family, with the values that a product
comes with. How a family works is told in an essay of its own: [a key with a time to live](redis.md), [Redlock](redlock.md), ";

const TABLE: &str = "
*Broken by* lists the presets in which something went wrong (any of the properties that the story judges) when the service ran them as it
comes, with a resource that checks nothing. Numbers are those of the catalogue of failures. The stories are timed for a lease of 10 s:
a product whose lease is longer comes unharmed out of a pause that would break it if it were longer too.

| service | like | token | rests on | broken by | compared with the real one |
| --- | --- | --- | --- | --- | --- |
";

/// A line for each, then what it is and what it sets.
fn written() -> String {
    let mut out = String::from(TOP);
    let others: Vec<String> = essays().iter().map(|(file, title)| format!("[{title}]({file})")).collect();
    out.push_str(&others.join(", "));
    out.push_str(".\n");
    out.push_str(TABLE);
    for s in services().iter().filter(|s| s.built) {
        let broken = broken_by(s);
        let broken = if broken.is_empty() { "–".to_string() } else { broken.join(" ") };
        let _ = writeln!(
            out,
            "| [`{}`](#{}) | {} | {} | {} | {broken} | {} |",
            s.word,
            anchor(s.label),
            if s.family == s.word { "a family" } else { s.family },
            or_dash(s.token()),
            or_dash(s.assumes()),
            or_dash(s.held())
        );
    }
    for s in services().iter().filter(|s| s.built) {
        let _ = write!(out, "\n## {}\n\n`lock.service = \"{}\"`. {}\n\n{}\n", s.label, s.word, s.says(), s.text());
        let sets: Vec<String> =
            profile::pairs(s.sets).iter().map(|(path, value)| format!("`{path} = {value}`")).collect();
        if !sets.is_empty() {
            let _ = write!(out, "\nSets {}.\n", sets.join(", "));
        }
        if !s.source().is_empty() {
            let _ = write!(out, "\nSource: {}.\n", s.source());
        }
    }
    out
}

/// The other files beside this one, with their titles.
fn essays() -> Vec<(String, String)> {
    let mut files: Vec<String> = fs::read_dir("docs/protocols")
        .expect("the folder is there")
        .map(|f| f.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .filter(|f| !["README.md", "redis.md", "redlock.md"].contains(&f.as_str()))
        .collect();
    files.sort();
    let title = |file: &String| {
        let text = fs::read_to_string(format!("docs/protocols/{file}")).expect("it can be read");
        let first = text.lines().find(|l| l.starts_with('#')).unwrap_or_else(|| panic!("{file} has no title"));
        first.trim_start_matches(['#', ' ']).to_string()
    };
    files.iter().map(|f| (f.clone(), title(f))).collect()
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}

/// As the usual renderers make one of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Numbers of the presets in which something went wrong under this service.
fn broken_by(service: &Service) -> Vec<&'static str> {
    let mut found: Vec<&str> = Vec::new();
    for preset in preset::all().into_iter().filter(|p| !p.number.is_empty()) {
        let story = preset.text.split("[[design]]").next().unwrap_or("");
        let text = format!("{story}\n[[design]]\nname = \"As it comes\"\nlock.service = \"{}\"\n", service.word);
        // A story may say something that this service cannot do; then it is no story about it.
        let Some(scenario) = parse(&text).scenario else { continue };
        if !run(&scenario, 0).violated().is_empty() {
            found.push(preset.number);
        }
    }
    found.sort();
    found.dedup();
    found
}

#[test]
fn the_table_of_services_is_what_the_registry_and_the_runs_say() {
    let now = written();
    if std::env::var("FENCEPOST_WRITE").is_ok() {
        fs::write(PATH, &now).expect("it can be written");
    }
    let there = fs::read_to_string(PATH).unwrap_or_default();
    assert!(
        there == now,
        "{PATH} is not current; FENCEPOST_WRITE=1 cargo test --features cli --test services writes it"
    );
}
