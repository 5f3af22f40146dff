//! Runs a second of a sweep: natively on one core, in one worker of Chromium, and in the page's panel with as many workers as it chooses.
//!
//! `cargo run -p browser-tests --bin rate`; with a page from `cargo xtask dist` and the command line from `cargo build --release --features
//! cli`. It is no test: what a machine does depends on the machine, and on what else it does. Native runs and those in Chromium take turns,
//! and the best of each counts.
//!
//! The story is the GC pause (preset 09) under "No fencing", every property judged and every cost counted, as in any sweep.

#![allow(clippy::disallowed_methods, reason = "a benchmark measures the machine, not a simulated world")]

use browser_tests::engine::Engine;
use browser_tests::harness::Browser;
use browser_tests::story::Visitor;
use serde_json::json;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// So many points and runs has the sweep in the panel.
const POINTS: usize = 20;
const RUNS: usize = 100_000;

/// Turns that native runs and those in one worker take.
const TURNS: usize = 4;

/// Units that one worker does in its turn; a unit is 5,000 runs.
const UNITS: usize = 6;

/// Keeps the first job of a sweep that the page gives away, and lets it go on.
const CATCH: &str = r#"
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function(message) {
  const job = message?.[1];
  if (job?.[1] == 'unit') self.caught ||= job;
  return post.apply(this, arguments);
};
"#;

/// Milliseconds that a worker of its own needs for so many units, after one that is not counted.
const TURN: &str = r#"
return (async () => {
const script = new URL(document.body.dataset.annex, location.href).href;
const worker = new Worker(script);
const next = () => new Promise(done => worker.onmessage = e => done(e.data));
await next();
const unit = async n => {
  worker.postMessage([n, [...self.caught.slice(0, -1), String(n)]]);
  const [, problem] = await next();
  if (problem) throw problem;
};
await unit(0);
const start = performance.now();
for (let n = 1; n <= UNITS; n++) await unit(n);
const took = performance.now() - start;
worker.terminate();
return took;
})()
"#;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/release/fencepost");
    if !program.is_file() {
        println!("first: cargo build --release --features cli");
        std::process::exit(1);
    }
    let text = story(&root);
    let file = std::env::temp_dir().join(format!("fencepost-rate-{}.toml", std::process::id()));
    std::fs::write(&file, &text).expect("a temporary file can be written");

    let page = Visitor::passing(Engine::Chromium).open("", 1440, 900, false);
    let cores = page.eval("return navigator.hardwareConcurrency");
    page.eval(CATCH);
    let took = panel(&page, &text);
    println!(
        "{POINTS} points × {RUNS} runs in the panel, {cores} cores: {took:.1} s, {:.0} runs a second",
        (POINTS * RUNS) as f64 / took
    );
    let (mut native, mut worker) = (0f64, 0f64);
    for _ in 0..TURNS {
        let runs = 10 * UNITS * 1_000;
        let start = Instant::now();
        let mut command = Command::new(&program);
        command.arg("sweep").arg(&file).args([
            "--jobs",
            "1",
            "--format",
            "csv",
            "--runs",
            &(runs / POINTS).to_string(),
        ]);
        assert!(command.output().is_ok_and(|out| out.status.success()), "{command:?}");
        native = native.max(runs as f64 / start.elapsed().as_secs_f64());
        let ms = page.eval(&TURN.replace("UNITS", &UNITS.to_string())).as_f64().expect("a number");
        worker = worker.max(5_000.0 * UNITS as f64 / ms * 1_000.0);
    }
    page.console_errors();
    let _ = std::fs::remove_file(&file);
    println!("natively on one core: {native:.0} runs a second");
    println!("in one worker of Chromium: {worker:.0} runs a second, {:.2} of that", worker / native);
}

/// The preset with one design, and a sweep of it.
fn story(root: &Path) -> String {
    let preset = std::fs::read_to_string(root.join("static/presets/gc-pause.toml")).expect("the preset is there");
    let end = preset.match_indices("[[design]]").nth(1).expect("it has several designs").0;
    let values: Vec<String> = (0..POINTS).map(|i| format!("\"{}ms\"", 10_000 + 100 * i)).collect();
    format!("{}\n[sweep]\nruns = {RUNS}\naxes = {{ \"lock.ttl\" = [{}] }}\n", &preset[..end], values.join(", "))
}

/// Runs the story's sweep in the page's panel, and says how many seconds it took.
fn panel(page: &Browser, text: &str) -> f64 {
    page.wait_for("#stories-button:not(:disabled)");
    page.eval("document.querySelector('[data-do=text]').click()");
    page.wait_for("textarea");
    let text = json!(text).to_string();
    page.eval(&format!(
        "const t = document.querySelector('textarea'); t.value = {text}; t.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ));
    page.wait_until("document.querySelectorAll('.body').length == 1");
    page.click("#sweep-button");
    page.wait_until("document.querySelector('.swp-run .far')?.textContent.startsWith('0 of 2,000,000')");
    let start = Instant::now();
    page.click(".swp-run button");
    while page.text(".swp-run .far").split(" of ").next() != Some("2,000,000") {
        assert!(start.elapsed().as_secs() < 600, "{}", page.text(".swp-run .far"));
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    start.elapsed().as_secs_f64()
}
