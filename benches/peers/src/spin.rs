//! SPIN, if it is there: a model is translated to C, compiled and run.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// The model, and a folder for what is made of it.
pub struct Spin {
    model: PathBuf,
    folder: PathBuf,
}

/// Are `spin` and a C compiler installed?
pub fn find() -> Option<Spin> {
    let runs = |name: &str, arg: &str| Command::new(name).arg(arg).output().is_ok_and(|o| o.status.success());
    if !runs("spin", "-V") || !runs("cc", "--version") {
        return None;
    }
    let folder = std::env::temp_dir().join(format!("fencepost-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder can be made");
    Some(Spin { model: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/lease.pml")), folder })
}

impl Drop for Spin {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Spin {
    /// Whether it holds that no write is stale, and that no update is lost; how many states were stored, and how long the verifier took. It
    /// stops at the first error, so where both together are broken each is asked for itself.
    pub fn ask(&self, workers: usize, rounds: u8, guard: u8) -> ([bool; 2], u64, Duration) {
        let (holds, states, took) = self.verify(workers, rounds, guard, 3);
        if holds {
            return ([true; 2], states, took);
        }
        let (stale, n, first) = self.verify(workers, rounds, guard, 1);
        let (lost, m, second) = self.verify(workers, rounds, guard, 2);
        ([stale, lost], n + m, first + second)
    }

    fn verify(&self, workers: usize, rounds: u8, guard: u8, ask: u8) -> (bool, u64, Duration) {
        let defines =
            [format!("-DW={workers}"), format!("-DR={rounds}"), format!("-DGUARD={guard}"), format!("-DASK={ask}")];
        self.run(Command::new("spin").args(&defines).arg("-a").arg(&self.model));
        // Hash compaction: states are told apart by digests, as the others do.
        self.run(Command::new("cc").args(["-O3", "-w", "-DSAFETY", "-DHC4", "-DMEMLIM=12000", "-o", "pan", "pan.c"]));
        // Places in its hash table, by how many states are to be expected: clearing them takes time as well.
        let places = match workers * usize::from(rounds) {
            7.. if guard > 0 => "-w25",
            _ => "-w18",
        };
        let mut best = Duration::MAX;
        let mut all = Duration::ZERO;
        loop {
            let start = Instant::now();
            let said = self.run(Command::new("./pan").args(["-m100000", places]));
            let took = start.elapsed();
            (best, all) = (best.min(took), all + took);
            if all < Duration::from_millis(200) {
                continue;
            }
            let number = |mark: &str, before: bool| -> u64 {
                let line = said.lines().find(|l| l.contains(mark)).unwrap_or_else(|| panic!("no {mark} in {said}"));
                let (left, right) = line.split_once(mark).expect("it is there");
                let word = if before { left.trim() } else { right.trim() };
                word.parse::<f64>().unwrap_or_else(|_| panic!("{line}")) as u64
            };
            assert!(!said.contains("max search depth too small") && !said.contains("out of memory"), "{said}");
            return (number("errors:", false) == 0, number("states, stored", true), best);
        }
    }

    fn run(&self, command: &mut Command) -> String {
        let out = command.current_dir(&self.folder).output().expect("it can be started");
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success(), "{command:?}: {said}{}", String::from_utf8_lossy(&out.stderr));
        said
    }
}
