//! What the engine can do beyond the presets, story by story: each file of `tests/variants/` is a scenario whose `expect` blocks say
//! what must come of it. Together they are the table of broken variants: a design that breaks a promise beside a twin that keeps it.

use fencepost::check::Property;
use fencepost::run::{expect, run};
use fencepost::scenario::parse;
use std::collections::BTreeSet;
use std::fs;

fn files() -> Vec<(String, String)> {
    let mut files: Vec<_> = fs::read_dir("tests/variants")
        .expect("the folder is there")
        .map(|f| f.expect("it can be listed").path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| (p.display().to_string(), fs::read_to_string(&p).expect("it can be read")))
        .collect();
    files.sort();
    files
}

#[test]
fn every_variant_does_what_it_says() {
    let mut wrong = Vec::new();
    for (name, text) in files() {
        let parsed = parse(&text);
        let Some(scenario) = parsed.scenario else {
            wrong.extend(parsed.diagnostics.iter().map(|d| format!("{name}: {d}")));
            continue;
        };
        for (i, design) in scenario.designs().iter().enumerate() {
            assert!(!design.expect.is_empty(), "{name}: design \"{}\" claims nothing", design.name);
            let run = run(&scenario, i);
            run.log.check_form(&run.roster).unwrap_or_else(|e| panic!("{name}: {e}"));
            for f in expect::check(&scenario, i, &run) {
                wrong.push(format!("{name}: design \"{}\": {}", design.name, f.sentence));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// Of every property that this engine can break, some story breaks it and some story, having come to where it matters, keeps it.
#[test]
fn every_property_can_fail_and_can_hold() {
    let presets = fencepost::scenario::preset::all().into_iter().map(|p| p.text.to_string());
    let texts: Vec<String> = presets.chain(files().into_iter().map(|(_, t)| t)).collect();
    let (mut fails, mut holds) = (BTreeSet::new(), BTreeSet::new());
    for text in texts {
        let Some(scenario) = parse(&text).scenario else { continue };
        for i in 0..scenario.designs().len() {
            for (p, v) in run(&scenario, i).report.verdicts {
                match v {
                    fencepost::check::Verdict::Violated(_) => fails.insert(p),
                    fencepost::check::Verdict::Holds => holds.insert(p),
                    fencepost::check::Verdict::NotReached => false,
                };
            }
        }
    }
    for p in Property::ALL {
        assert!(holds.contains(&p), "{p} never holds where it is reached");
        // One server hands out one record at a time; two at once need two servers (see the checkers' own tests).
        assert!(fails.contains(&p) || p == Property::GrantOverlap, "{p} never fails");
    }
}
