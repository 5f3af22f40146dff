//! How fast a story runs: `cargo bench --bench simulate`.
//!
//! Four figures about the GC pause under "No fencing": the bare run (no log, no verdicts), with verdicts folded on the way, with a stored
//! log, and all that the page needs (log, verdicts in words, digest). `benches/peers/pause_simpy.py` is the same story in SimPy;
//! docs/performance.md has the ratio from one sitting.
//!
//! Before criterion's statistics each figure is printed as the best of many windows of a few milliseconds. On a machine that does other
//! things as well, the best window is what the code costs; an average is what the machine was doing. The peer counts in the same way.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fencepost::check::Checker;
use fencepost::run;
use fencepost::scenario::{parse, preset};
use fencepost::sim::{Seeded, World};
use fencepost::trace::{Nothing, TraceLog};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn gc_pause(c: &mut Criterion) {
    let text = preset::by_id("gc-pause").expect("the default story").text;
    let scenario = parse(text).scenario.expect("presets have no errors");
    let config = scenario.config(0);
    let seed = Seeded { seed: 1 };
    let mut world = World::new(&config, seed);
    world.run(&mut Nothing);
    println!("one run is {} handled events", world.handled());

    measure(c, "bare", || {
        world.reset(seed);
        black_box(world.run(&mut Nothing));
    });

    let mut checker = Checker::new(&run::setup(&config));
    measure(c, "with verdicts", || {
        world.reset(seed);
        checker.reset();
        let ending = world.run(&mut checker);
        black_box(checker.close(ending));
    });

    let mut log = TraceLog::new();
    measure(c, "with a log", || {
        world.reset(seed);
        log.clear();
        world.run(&mut log);
        black_box(log.len());
    });

    measure(c, "for the page", || {
        black_box(run::run(&scenario, 0).digest);
    });
}

/// Runs in the fastest of many short windows, then criterion's view of the same.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures the machine, not a simulated world")]
fn measure(c: &mut Criterion, name: &str, mut run: impl FnMut()) {
    const WINDOW: u32 = 50;
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_secs(2) {
        let start = Instant::now();
        (0..WINDOW).for_each(|_| run());
        best = best.min(start.elapsed());
    }
    println!("{name}: {:.0} runs a second in the best window", f64::from(WINDOW) / best.as_secs_f64());

    let mut group = c.benchmark_group("gc-pause");
    // One element is one run, so that criterion's "elements a second" are runs a second.
    group.throughput(Throughput::Elements(1));
    group.bench_function(name, |b| b.iter(&mut run));
    group.finish();
}

criterion_group!(benches, gc_pause);
criterion_main!(benches);
