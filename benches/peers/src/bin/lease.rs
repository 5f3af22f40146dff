//! The same question about a lease, asked of our explorer, of the crate `stateright` and of SPIN, in one run on one core:
//!
//! ```sh
//! cd benches/peers && cargo build --release && taskset -c 0 target/release/lease
//! ```
//!
//! Workers acquire, read, write and release in rounds, under a lease that may end at any moment; without a fence, with one, and with one that
//! every new owner activates before it reads. Asked is whether a stale write or a lost update can happen. Each of the three has a model of its
//! own: `fencepost::explore::untimed`, `peers::lease`, `lease.pml`. The program ends with an error if they do not agree.
//!
//! What takes less than a fifth of a second is measured as the best of several times. SPIN (Debian's package `spin`, and a C compiler) is left
//! out with a message where it is not installed; compiling its verifier is not counted.

#![allow(clippy::disallowed_methods, reason = "a benchmark measures the machine, not a simulated world")]

use fencepost::check::Property::{LostUpdate, StaleWrite};
use fencepost::explore::untimed::{Guard, Question, Reduction};
use peers::{lease::Lease, spin};
use stateright::{Checker, Model};
use std::time::{Duration, Instant};

const SIZES: [(usize, u8); 6] = [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)];
const MEMORY: u64 = 8 << 30;

/// What one of them says: does it hold that no write is stale, that no update is lost; how many states it looked at, and how long it took.
struct Said {
    holds: [bool; 2],
    states: u64,
    took: Duration,
}

fn main() {
    let spin = spin::find();
    if spin.is_none() {
        println!("SPIN is not installed (Debian: apt-get install spin gcc); it is left out.\n");
    }
    println!("states, and milliseconds\n");
    println!(
        "| workers × rounds | guard | stale write, lost update | ours | ours, nothing left out | stateright | stateright, symmetry | SPIN |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for (workers, rounds) in SIZES {
        for guard in Guard::ALL {
            let question = Question::new(workers, rounds, guard);
            let lease = Lease { workers, rounds, guard: guard as u8 };
            let mut said = vec![
                best(|| ours(question, Reduction::Full)),
                best(|| ours(question, Reduction::None)),
                best(|| theirs(|| lease.checker().spawn_bfs())),
                best(|| theirs(|| lease.checker().symmetry().spawn_dfs())),
            ];
            if let Some(spin) = &spin {
                let (holds, states, took) = spin.ask(workers, rounds, guard as u8);
                said.push(Said { holds, states, took });
            }
            let holds = said[0].holds;
            assert!(said.iter().all(|s| s.holds == holds), "they do not agree on {question:?}");
            if holds[0] || holds[1] {
                assert_eq!(said[1].states, said[2].states, "{question:?}: two models, the same states");
            }
            let words = holds.map(|h| if h { "holds" } else { "broken" }).join(", ");
            let cells: Vec<String> =
                said.iter().map(|s| format!("{}, {:.3}", grouped(s.states), s.took.as_secs_f64() * 1e3)).collect();
            println!("| {workers} × {rounds} | {} | {words} | {} |", guard.word(), cells.join(" | "));
        }
    }
}

/// The best of as many times as fit into a fifth of a second.
fn best(mut ask: impl FnMut() -> Said) -> Said {
    let mut best = ask();
    let mut all = best.took;
    while all < Duration::from_millis(200) {
        let said = ask();
        all += said.took.max(Duration::from_micros(10));
        best.took = best.took.min(said.took);
    }
    best
}

fn ours(question: Question, reduction: Reduction) -> Said {
    let start = Instant::now();
    let checked = question.check(reduction, MEMORY);
    let took = start.elapsed();
    assert!(checked.limit.is_none(), "{question:?} does not fit");
    Said { holds: [StaleWrite, LostUpdate].map(|p| checked.holds(p)), states: checked.states, took }
}

fn theirs<C: Checker<Lease>>(spawn: impl FnOnce() -> C) -> Said {
    let start = Instant::now();
    let checker = spawn().join();
    let took = start.elapsed();
    let holds = ["no stale write", "no lost update"].map(|p| checker.discovery(p).is_none());
    Said { holds, states: checker.unique_state_count() as u64, took }
}

fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(|c| std::str::from_utf8(c).unwrap()).collect();
    parts.join(",")
}
