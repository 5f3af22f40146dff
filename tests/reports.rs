//! The field reports: each file of `static/reports/` does what it claims, and `docs/field-reports.md` lists exactly what is there.
//!
//! A file tells what somebody reported and what would have changed it. So its first design is the report, and what is claimed of that
//! design must be untrue of another: a claim that holds whatever one does says nothing about the report.

use fencepost::run::{Run, expect, run};
use fencepost::scenario::{Scenario, Severity, parse, preset};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// In these the mistake is one that reading the file reveals: a lease that ends during the work or before its first extension.
const WARNED: [&str; 7] =
    ["laravel-53342", "mozilla-417", "redisobjects-234", "redispy-416", "redlockrb-36", "shedlock-1502", "spring-1888"];

/// Id and text of every file.
fn files() -> BTreeMap<String, String> {
    let files = fs::read_dir("static/reports").expect("the folder is there");
    let files = files.map(|f| f.expect("it can be listed").path()).map(|p| {
        let id = p.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        assert!(p.extension().is_some_and(|e| e == "toml"), "{} is no scenario", p.display());
        (id, fs::read_to_string(&p).expect("it can be read"))
    });
    files.collect()
}

fn scenario(id: &str, text: &str) -> Scenario {
    let parsed = parse(text);
    parsed.scenario.unwrap_or_else(|| panic!("{id} has errors: {:?}", parsed.diagnostics))
}

fn runs(scenario: &Scenario) -> Vec<Run> {
    (0..scenario.designs().len()).map(|i| run(scenario, i)).collect()
}

#[test]
fn every_file_stands_on_a_list_of_the_program() {
    let listed: BTreeSet<&str> = preset::all().iter().filter(|p| p.group == preset::REPORTS).map(|p| p.id).collect();
    let files = files();
    let there: BTreeSet<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(listed, there, "src/scenario/preset.rs lists other reports than static/reports has");
}

#[test]
fn reports_keep_their_word() {
    let mut wrong = Vec::new();
    for (id, text) in files() {
        let scenario = scenario(&id, &text);
        for (i, run) in runs(&scenario).iter().enumerate() {
            let name = &scenario.designs()[i].name;
            assert!(expect::count(&scenario, i) > 0, "{id}: design \"{name}\" claims nothing");
            run.log.check_form(&run.roster).unwrap_or_else(|e| panic!("{id}: {e}"));
            wrong.extend(expect::check(&scenario, i, run).iter().map(|f| format!("{id}: \"{name}\": {}", f.sentence)));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_first_design_is_the_report_and_another_differs() {
    for (id, text) in files() {
        let scenario = scenario(&id, &text);
        let first = &scenario.designs()[0];
        assert!(first.name.starts_with("As reported"), "{id}: the first design is called \"{}\"", first.name);
        let differs = runs(&scenario).iter().any(|run| !expect::check(&scenario, 0, run).is_empty());
        assert!(differs, "{id}: what is claimed of the report is true of every design");
    }
}

#[test]
fn only_where_the_mistake_shows_is_there_a_warning() {
    let warned = files().into_iter().filter(|(_, text)| {
        let said = parse(text).diagnostics;
        said.iter().any(|d| d.severity != Severity::Note)
    });
    let warned: Vec<String> = warned.map(|(id, _)| id).collect();
    assert_eq!(warned, WARNED);
}

#[test]
fn the_page_lists_every_report_and_no_file_that_is_not_there() {
    let page = fs::read_to_string("docs/field-reports.md").expect("the page is there");
    let files = files();
    let (mut listed, mut told) = (BTreeSet::new(), 0);
    for row in page.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [id, title, _, reference, status] = cells[..] else { panic!("five cells, please: {row}") };
        let id = id.trim_matches('`');
        assert!(listed.insert(id.to_string()), "{id} stands twice");
        match files.get(id) {
            Some(text) => {
                told += 1;
                let scenario = scenario(id, text);
                assert_eq!(status, format!("[file](../static/reports/{id}.toml)"), "{id}: there is a file");
                assert_eq!(scenario.title.as_deref(), Some(title), "{id}: page and file have other titles");
                assert!(scenario.source.iter().any(|s| s == reference), "{id}: the file does not name {reference}");
                assert!(scenario.claim.is_some() && scenario.story.is_some(), "{id}: without a claim or a story");
            }
            None => {
                assert!(
                    ["waits for ", "cannot, because "].iter().any(|s| status.starts_with(s)),
                    "{id}: no file, and no word on why: {status}"
                );
            }
        }
    }
    assert_eq!(told, files.len(), "a file is not listed: {:?}", files.keys().filter(|f| !listed.contains(*f)));
    assert!(listed.len() >= 71, "rows have been lost");
}
