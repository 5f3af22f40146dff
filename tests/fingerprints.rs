//! Every preset under every design: the run is pinned by its digest, equal when run twice, equal when its schedule is replayed, and its
//! log is well formed. `tests/wasm_fingerprints.rs` holds the same digests against a wasm build.
//!
//! A change of a digest is a change of what links mean. Renew the file with `FENCEPOST_BLESS=1 cargo test --test fingerprints` and
//! say in the commit why every run that changed had to.

use fencepost::run::{replay, run};
use fencepost::scenario::{parse, preset};
use std::fmt::Write as _;

const GOLDEN: &str = "tests/golden/fingerprints.txt";

#[test]
fn presets_run_as_pinned() {
    let mut found = String::new();
    for p in preset::all() {
        let scenario = parse(p.text).scenario.expect("presets have no errors");
        for (i, design) in scenario.designs().iter().enumerate() {
            let first = run(&scenario, i);
            let place = format!("{} · {}", p.id, design.name);
            first.log.check_form(&first.roster).unwrap_or_else(|e| panic!("{place}: {e}"));
            assert_eq!(run(&scenario, i), first, "{place}: a second run differs");
            assert_eq!(replay(&scenario, i, &first.schedule), first, "{place}: the replay differs");
            writeln!(found, "{}\t{}\t{}", p.id, design.name, first.digest).expect("writing to a string");
        }
    }
    if std::env::var_os("FENCEPOST_BLESS").is_some() {
        std::fs::write(GOLDEN, &found).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(GOLDEN).expect("the golden file is there");
    for (was, is) in golden.lines().zip(found.lines()) {
        assert_eq!(was, is, "a run has changed; see the head of this test");
    }
    assert_eq!(golden.lines().count(), found.lines().count(), "runs were added or removed");
}
