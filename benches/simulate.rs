//! How fast a story runs: `cargo bench --bench simulate`.
//!
//! Four figures about the GC pause under "No fencing": the bare run (no log, no verdicts), with verdicts folded on the way, with a stored
//! log, and all that the page needs (log, verdicts in words, digest). `benches/peers/gc_pause_simpy.py` is the same story in SimPy;
//! docs/performance.md has the ratio from one sitting.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fencepost::check::Checker;
use fencepost::run;
use fencepost::scenario::{parse, preset};
use fencepost::sim::{Seeded, World};
use fencepost::trace::{Nothing, TraceLog};
use std::hint::black_box;

fn gc_pause(c: &mut Criterion) {
    let text = preset::by_id("gc-pause").expect("the default story").text;
    let scenario = parse(text).scenario.expect("presets have no errors");
    let config = scenario.config(0);
    let mut world = World::new(&config, Seeded { seed: 1 });
    world.run(&mut Nothing);
    let mut group = c.benchmark_group("gc-pause");
    // One element is one run, so that criterion's "elements a second" are runs a second.
    group.throughput(Throughput::Elements(1));
    println!("one run is {} handled events", world.handled());

    group.bench_function("bare", |b| {
        b.iter(|| {
            world.reset(Seeded { seed: 1 });
            black_box(world.run(&mut Nothing))
        });
    });

    let mut checker = Checker::new(&run::setup(&config));
    group.bench_function("with verdicts", |b| {
        b.iter(|| {
            world.reset(Seeded { seed: 1 });
            checker.reset();
            let ending = world.run(&mut checker);
            black_box(checker.close(ending))
        });
    });

    let mut log = TraceLog::new();
    group.bench_function("with a log", |b| {
        b.iter(|| {
            world.reset(Seeded { seed: 1 });
            log.clear();
            world.run(&mut log);
            black_box(log.len())
        });
    });

    group.bench_function("for the page", |b| b.iter(|| black_box(run::run(&scenario, 0).digest)));
    group.finish();
}

criterion_group!(benches, gc_pause);
criterion_main!(benches);
