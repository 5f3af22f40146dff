//! Ten thousand random scenarios: none panics, every log is well formed, every run is the same when run again, and the recorded
//! schedule alone gives it back. The digest over the first of them is pinned, and held against wasm in `wasm_fingerprints.rs`.

use fencepost::base::Fingerprint;
use fencepost::run::{replay, run};
use fencepost::scenario::{parse, random};
use std::hash::Hasher;

const SEEDS: u64 = 10_000;
/// As many as the wasm test runs too.
const PINNED: u64 = 300;
const GOLDEN: &str = "tests/golden/random.txt";

/// Runs every design of the scenario of a seed; returns the digests.
fn check(seed: u64) -> Vec<u64> {
    let text = random::scenario(seed);
    let parsed = parse(&text);
    let Some(scenario) = parsed.scenario else {
        panic!("seed {seed} is not valid: {:?}\n{text}", parsed.diagnostics);
    };
    (0..scenario.designs().len())
        .map(|i| {
            let first = run(&scenario, i);
            first.log.check_form(&first.roster).unwrap_or_else(|e| panic!("seed {seed}, design {i}: {e}\n{text}"));
            assert_eq!(
                replay(&scenario, i, &first.schedule),
                first,
                "seed {seed}, design {i}: the replay differs\n{text}"
            );
            first.digest.finish()
        })
        .collect()
}

#[test]
fn random_scenarios_run_and_run_again() {
    let halves: Vec<_> = (0..2)
        .map(|half| std::thread::spawn(move || (half..SEEDS).step_by(2).map(|s| (s, check(s))).collect::<Vec<_>>()))
        .collect();
    let mut all: Vec<_> = halves.into_iter().flat_map(|h| h.join().expect("no run panics")).collect();
    all.sort();
    assert_eq!(all.len() as u64, SEEDS);
    let mut digest = Fingerprint::new();
    for (_, runs) in &all[..PINNED as usize] {
        runs.iter().for_each(|d| digest.word(*d));
    }
    let found = format!("{PINNED} {digest}\n");
    if std::env::var_os("FENCEPOST_BLESS").is_some() {
        std::fs::write(GOLDEN, &found).expect("the golden file can be written");
    }
    let golden = std::fs::read_to_string(GOLDEN).expect("the golden file is there");
    assert_eq!(golden, found, "random runs have changed; renew as `tests/fingerprints.rs` says");
}
