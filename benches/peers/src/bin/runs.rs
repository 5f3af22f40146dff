//! Runs a second of one story, the GC pause (preset 09, "No fencing"): our engine without a log, the crate `nexosim` and SimPy, in turn, on one
//! core:
//!
//! ```sh
//! cd benches/peers && cargo build --release && taskset -c 0 target/release/runs
//! ```
//!
//! SimPy is started as a program (`pause_simpy.py`) and left out with a message where `python3` does not have it (`pip install simpy`). Each takes
//! its turn several times, and the best window counts: what else the machine does comes and goes.

#![allow(clippy::disallowed_methods, reason = "a benchmark measures the machine, not a simulated world")]

use fencepost::check::Checker;
use fencepost::run;
use fencepost::scenario::{parse, preset};
use fencepost::sim::{Seeded, World};
use fencepost::trace::Nothing;
use peers::pause::Pause;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

const ROUNDS: u32 = 5;

fn main() {
    let text = preset::by_id("gc-pause").expect("the default story").text;
    let scenario = parse(text).scenario.expect("presets have no errors");
    let config = scenario.config(0);
    let seed = Seeded { seed: 1 };
    let mut world = World::new(&config, seed);
    let mut checker = Checker::new(&run::setup(&config));
    let mut pause = Pause::default();
    let mut best = [0f64; 4];
    for _ in 0..ROUNDS {
        let figures = [
            simpy(),
            windows(|| pause.run()),
            windows(|| {
                world.reset(seed);
                black_box(world.run(&mut Nothing));
            }),
            windows(|| {
                world.reset(seed);
                checker.reset();
                let ending = world.run(&mut checker);
                black_box(checker.close(ending));
            }),
        ];
        best.iter_mut().zip(figures).for_each(|(best, n)| *best = best.max(n));
    }
    if best[0] == 0.0 {
        println!("python3 has no simpy (pip install simpy); it is left out.\n");
    }
    println!("| what | runs a second | against SimPy |\n| --- | --- | --- |");
    for (what, n) in ["SimPy", "nexosim", "ours, no log", "ours, every property judged"].iter().zip(best) {
        println!("| {what} | {n:.0} | {:.1} |", n / best[0]);
    }
}

/// Runs a second in the fastest of many short windows.
fn windows(mut run: impl FnMut()) -> f64 {
    const WINDOW: u32 = 50;
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        (0..WINDOW).for_each(|_| run());
        best = best.min(start.elapsed());
    }
    f64::from(WINDOW) / best.as_secs_f64()
}

/// The same of SimPy; 0 if it is not there.
fn simpy() -> f64 {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/pause_simpy.py");
    let Ok(out) = Command::new("python3").args([script, "10000"]).output() else { return 0.0 };
    let said = String::from_utf8_lossy(&out.stdout);
    said.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0.0)
}
