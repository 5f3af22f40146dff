//! What a reader waits for: the first picture, a page that answers, and what is fetched for it, on slow lines and slow machines.
//!
//! `cargo run -p browser-tests --bin loading [times]`; with a page from `cargo xtask dist`. It prints a table for docs/performance.md, the
//! median of some openings (5). It is no test: other programs on the machine lengthen all times.

use browser_tests::engine::Engine;
use browser_tests::slow::Reader;
use browser_tests::story::Visitor;
use serde_json::Value;

/// The first two are what Lighthouse measures with: its phone, and its desk.
const READERS: [Reader; 3] = [
    Reader { name: "phone, 1.6 Mbit/s", kilobits: 1_638.0, latency_ms: 150.0, slower: 4.0, width: 390, height: 844 },
    Reader { name: "desk, 10 Mbit/s", kilobits: 10_240.0, latency_ms: 40.0, slower: 1.0, width: 1440, height: 900 },
    Reader { name: "desk, no limit", kilobits: 1e6, latency_ms: 0.0, slower: 1.0, width: 1440, height: 900 },
];

/// Notes when the page answers for the first time, what keeps it busy, and what moves by itself.
const WATCH: &str = r#"
window.seen = { answers: 0, busy: 0, moved: 0, largest: 0 };
const watch = () => {
  if (document.querySelector('#stories-button:not(:disabled)')) seen.answers = performance.now();
  else requestAnimationFrame(watch);
};
requestAnimationFrame(watch);
const observe = (type, note) => new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true });
observe('longtask', task => { seen.busy += Math.max(0, task.duration - 50); });
observe('layout-shift', shift => { if (!shift.hadRecentInput) seen.moved += shift.value; });
observe('largest-contentful-paint', paint => { seen.largest = paint.startTime; });
"#;

const ASK: &str = r#"
const answers = Math.min(seen.answers, 1e9), sizes = [performance.getEntriesByType('navigation')[0], ...performance.getEntriesByType('resource')];
const size = before => sizes.filter(it => before === undefined || it.startTime < before).reduce((sum, it) => sum + it.encodedBodySize, 0);
return [performance.getEntriesByName('first-contentful-paint')[0].startTime, seen.largest, answers, seen.busy, size(answers), size(), seen.moved];
"#;

fn main() {
    let times = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(5);
    println!(
        "| reader | first picture ms | largest part ms | answers ms | busy beyond 50 ms | bytes until then | bytes in all | moved |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for reader in READERS {
        let mut rows: Vec<Vec<f64>> = (0..times).map(|_| open(reader)).collect();
        let middle = |place: usize| {
            rows.sort_by(|a, b| a[place].total_cmp(&b[place]));
            rows[rows.len() / 2][place]
        };
        let [first, largest, answers, busy, before, all, moved] = [0, 1, 2, 3, 4, 5, 6].map(middle);
        println!(
            "| {} | {first:.0} | {largest:.0} | {answers:.0} | {busy:.0} | {before:.0} | {all:.0} | {moved:.3} |",
            reader.name
        );
    }
}

/// Opens the page as somebody who has never been there.
fn open(reader: Reader) -> Vec<f64> {
    let visitor = Visitor::passing(Engine::Chromium);
    let page = visitor.open("", reader.width, reader.height, false);
    page.be(reader);
    page.prepare(WATCH);
    page.reload();
    page.wait_until("window.seen?.answers > 0");
    // What it fetches of its own accord when it has begun to answer.
    page.eval("return new Promise(done => setTimeout(done, 5000))");
    let told = page.eval(ASK);
    told.as_array().map_or(&[][..], Vec::as_slice).iter().map(|it: &Value| it.as_f64().unwrap_or(f64::NAN)).collect()
}
