//! The same digests in wasm as natively: what a link promises in the browser is what the command line computes.
#![cfg(target_arch = "wasm32")]

use fencepost::run::run;
use fencepost::scenario::{parse, preset};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn presets_run_in_wasm_as_they_run_natively() {
    let golden = include_str!("golden/fingerprints.txt");
    let mut lines = golden.lines();
    for p in preset::all() {
        let scenario = parse(p.text).scenario.expect("presets have no errors");
        for (i, design) in scenario.designs().iter().enumerate() {
            let found = format!("{}\t{}\t{}", p.id, design.name, run(&scenario, i).digest);
            assert_eq!(lines.next(), Some(found.as_str()));
        }
    }
    assert_eq!(lines.next(), None);
}

#[wasm_bindgen_test]
fn random_scenarios_run_in_wasm_as_they_run_natively() {
    use fencepost::base::Fingerprint;
    use fencepost::scenario::random;
    use std::hash::Hasher;
    let golden = include_str!("golden/random.txt");
    let count: u64 = golden.split(' ').next().and_then(|n| n.parse().ok()).expect("a number comes first");
    let mut digest = Fingerprint::new();
    for seed in 0..count {
        let scenario = parse(&random::scenario(seed)).scenario.expect("random scenarios are valid");
        for i in 0..scenario.designs().len() {
            digest.word(run(&scenario, i).digest.finish());
        }
    }
    assert_eq!(golden, format!("{count} {digest}\n"));
}
