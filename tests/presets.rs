//! Every preset's runs bear out what the preset claims of them: outcomes and instants per design, to the millisecond.

use fencepost::run::{expect, run};
use fencepost::scenario::{parse, preset};

#[test]
fn presets_keep_their_word() {
    let (mut claims, mut failed) = (0, Vec::new());
    for p in preset::all() {
        let scenario = parse(p.text).scenario.expect("presets have no errors");
        for (i, design) in scenario.designs().iter().enumerate() {
            claims += expect::count(&scenario, i);
            let run = run(&scenario, i);
            failed.extend(
                expect::check(&scenario, i, &run)
                    .iter()
                    .map(|f| format!("{}: design \"{}\": {}", p.id, design.name, f.sentence)),
            );
        }
    }
    assert!(failed.is_empty(), "\n{}\n", failed.join("\n"));
    assert!(claims > 700, "only {claims} claims: presets have lost some");
}

/// An expectation that cannot fail proves nothing: shifted by a millisecond, every claimed instant is refused.
#[test]
fn a_wrong_instant_is_noticed() {
    let text = preset::by_id("gc-pause").expect("the default story").text;
    let wrong = text.replace("at 15.005s", "at 15.006s");
    assert_ne!(text, wrong);
    let scenario = parse(&wrong).scenario.expect("still a scenario");
    let said: Vec<_> =
        (0..scenario.designs().len()).flat_map(|i| expect::check(&scenario, i, &run(&scenario, i))).collect();
    assert!(said.iter().any(|f| f.sentence.contains("found at 15.005 s")), "{said:?}");
}
