//! How long it takes from a key press to both pictures repainted, in the built page and a real browser; and beside it how long Mermaid takes
//! to lay out as many messages.
//!
//! `cargo run -p browser-tests --bin latency [presets] [long] [50] [200] [1000] [4000]`; with a page from `cargo xtask dist`. It prints
//! tables for docs/performance.md. It is no test: what a machine needs depends on the machine, and on what else it does. So beside what
//! the clock on the wall says stands the time that the page's main thread worked.
//!
//! A key press begins with a frame, so that the wait for the next one does not count: the value of a field is changed, the page hears of
//! it, and a message that is posted in the same frame arrives when style, layout and painting of that frame are done. All columns have to
//! have got another picture by then, or the next frames count as well.

use browser_tests::engine::Engine;
use browser_tests::harness::Browser;
use browser_tests::story::Visitor;
use browser_tests::work::Work;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// What is compared with. The figures in docs/performance.md are of this version.
const MERMAID: &str = "12.3.0";

/// How many messages a long story has.
const SIZES: [usize; 4] = [50, 200, 1_000, 4_000];

/// Key presses for each preset, and for each long story.
const PRESSES: usize = 40;
const PRESSES_LONG: usize = 10;

/// Changes the value of a field, back and forth, and measures each change until it is painted; ms.
const PRESS: &str = r#"
const measure = async (css, values, times) => {
  const all = [];
  let drawn = new Set();
  const seen = new MutationObserver(list => list.forEach(change => {
    const body = change.target.parentElement?.closest('.body') || change.target.closest?.('.body');
    if (body) drawn.add(body);
  }));
  seen.observe(document.querySelector('#main'), { childList: true, attributes: true, characterData: true, subtree: true });
  const columns = document.querySelectorAll('.body').length;
  for (let i = 0; i < times; i++) {
    const field = document.querySelector(css);
    drawn = new Set();
    const took = await new Promise((done, failed) => requestAnimationFrame(() => {
      const channel = new MessageChannel(), start = performance.now();
      channel.port1.onmessage = () => {
        const now = performance.now();
        if (drawn.size >= columns) done(now - start);
        else if (now - start > 10000) failed(Error(`press ${i} of ${css} drew ${drawn.size} of ${columns} pictures anew`));
        else requestAnimationFrame(() => channel.port2.postMessage(0));
      };
      field.value = values[i % 2];
      field.dispatchEvent(new Event('input', { bubbles: true }));
      channel.port2.postMessage(0);
    }));
    all.push(took);
    await new Promise(done => setTimeout(done, 20));
  }
  seen.disconnect();
  return all;
};
"#;

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |part: &str| only.is_empty() || only.iter().any(|o| o == part);
    if wanted("presets") {
        presets();
    }
    let sizes: Vec<usize> = SIZES.into_iter().filter(|size| wanted("long") || wanted(&size.to_string())).collect();
    if !sizes.is_empty() {
        long(&sizes);
    }
}

/// A new browser, as every reader has one.
fn visitor() -> Visitor {
    Visitor::passing(Engine::Chromium)
}

/// What a row of key presses took: each, on the clock of the wall, ms; and what the main thread did for one on the average.
struct Presses {
    times: Vec<f64>,
    work: Work,
}

/// Measures key presses in a field of the page: its value goes to one of two and back.
fn press(page: &Browser, css: &str, values: [&str; 2], times: usize) -> Presses {
    let script = |times: usize| format!("{PRESS}\nreturn measure({}, {}, {times});", json!(css), json!(values));
    // The first ones meet code that the browser has not yet made fast.
    page.eval(&script(2));
    let before = page.work();
    // By twos, so that no driver loses its patience.
    let times: Vec<f64> = (0..times / 2).flat_map(|_| numbers(&page.eval(&script(2)))).collect();
    let work = page.work().since(before);
    Presses { times, work }
}

impl Presses {
    /// What the main thread did for one press: all, script, style and layout; ms.
    fn each(&self) -> [f64; 3] {
        let each = |seconds: f64| seconds * 1_000.0 / self.times.len() as f64;
        [each(self.work.all), each(self.work.script), each(self.work.style + self.work.layout)]
    }
}

/// A story with its median and its 95th percentile, and the work for a press; ms.
type Row = (String, f64, f64, f64);

fn presets() {
    let page = visitor().open("", 1440, 900, false);
    page.count_work();
    page.click("#stories-button");
    page.wait_for("#picker [role=option]");
    let ids = page.eval("return [...document.querySelectorAll('#picker [role=option]')].map(o => o.id.slice(6))");
    page.press("Escape");
    let mut all: Vec<Row> = Vec::new();
    for id in ids.as_array().into_iter().flatten().filter_map(Value::as_str) {
        page.eval(&format!("location.hash = 'p={id}'"));
        page.eval("return new Promise(done => setTimeout(done, 100))");
        let field = page.eval(
            "const plain = css => /^\\d+$/.test(document.querySelector(css)?.value); \
             const css = ['#network-one_way', '#lock-ttl', '#client-retry'].find(plain); \
             return css && [css, document.querySelector(css).value]",
        );
        let (Some(css), Some(value)) = (field[0].as_str(), field[1].as_str()) else {
            println!("{id}: no field with a plain number");
            continue;
        };
        let more = value.parse::<u64>().map_or_else(|_| value.to_owned(), |n| (n + 1).to_string());
        let pressed = press(&page, css, [&more, value], PRESSES);
        all.push((id.to_owned(), share(&pressed.times, 0.5), share(&pressed.times, 0.95), pressed.each()[0]));
    }
    page.console_errors();
    all.sort_by(|a, b| b.3.total_cmp(&a.3));
    println!("\n| story | median ms | 95 % ms | work of the main thread ms |\n| --- | --- | --- | --- |");
    for (id, median, p95, work) in all.iter().take(6) {
        println!("| `{id}` | {median:.1} | {p95:.1} | {work:.1} |");
    }
    let of = |which: fn(&Row) -> f64| share(&all.iter().map(which).collect::<Vec<_>>(), 0.5);
    println!("| the median of {} stories | {:.1} | {:.1} | {:.1} |", all.len(), of(|a| a.1), of(|a| a.2), of(|a| a.3));
    println!("\nstories over 16 ms at 95 %: {}", all.iter().filter(|a| a.2 > 16.0).count());
}

fn long(sizes: &[usize]) {
    let mermaid = mermaid();
    println!(
        "\n| messages | key press to both pictures: median, 95 % ms | its work: all, script, style and layout ms | \
         Mermaid, one picture: median ms | its work ms | ratio of work |\n| --- | --- | --- | --- | --- | --- |"
    );
    for &size in sizes {
        let page = visitor().open("", 1440, 900, false);
        page.count_work();
        page.wait_for("#stories-button:not(:disabled)");
        page.eval("document.querySelector('[data-do=text]').click()");
        page.wait_for("textarea");
        let text = json!(story(size)).to_string();
        page.eval(&format!(
            "const t = document.querySelector('textarea'); t.value = {text}; t.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ));
        page.wait_for_text("h1", |t| t.contains("long"));
        // All of the story has been run and listed; drawn is what is in sight.
        page.wait_until(&format!("parseInt(document.querySelector('.evl li:last-child span').textContent) >= {size}"));
        page.eval("document.querySelector('[data-do=form]').click()");
        page.wait_for("#network-one_way");
        let ours = press(&page, "#network-one_way", ["6", "5"], PRESSES_LONG);
        page.console_errors();
        let (theirs, their_work) = theirs(&mermaid, size);
        let [all, script, style] = ours.each();
        println!(
            "| {size} | {:.0}, {:.0} | {all:.1}, {script:.1}, {style:.1} | {:.0} | {their_work:.0} | {:.1} |",
            share(&ours.times, 0.5),
            share(&ours.times, 0.95),
            share(&theirs, 0.5),
            their_work / all
        );
    }
}

/// A story of about so many messages, under two designs that both draw all of it: each turn of the loop sends a read and a write, and gets
/// two answers.
fn story(messages: usize) -> String {
    let turns = messages / 4;
    format!(
        "schema = \"fencepost.scenario/1\"\ntitle = \"A long story\"\nhorizon = \"10000s\"\nmax_events = 100000\n\
         [lock]\nttl = \"9000s\"\n[network]\none_way = \"5ms\"\n\
         [[worker]]\nname = \"W1\"\nsteps = [\"acquire\", {{ loop = {turns}, steps = [\"read\", \"work 1s\", \"write\"] }}, \"release\"]\n\
         [[design]]\nname = \"One\"\n[[design]]\nname = \"Two\"\nresource.guard = \"idempotency\"\n"
    )
}

/// How long Mermaid takes for a sequence diagram of so many messages, in a page of its own, and what the main thread does for one on the
/// average; ms.
fn theirs(source: &str, messages: usize) -> (Vec<f64>, f64) {
    let page = visitor().open("", 1440, 900, false);
    page.eval("document.location = 'about:blank'");
    page.wait_until("document.body && document.readyState == 'complete'");
    page.count_work();
    page.run_inside(source);
    page.eval("mermaid.initialize({ startOnLoad: false, maxTextSize: 1e7, maxEdges: 1e6 })");
    let script = format!(
        "return (async () => {{\n\
         const lines = ['sequenceDiagram', 'participant W', 'participant L', 'participant R'];\n\
         for (let i = 0; i < {messages} / 4; i++) lines.push('W->>R: read', 'R-->>W: value ' + i, 'W->>R: write ' + i, 'R-->>W: done');\n\
         const start = performance.now();\n\
         const {{ svg }} = await mermaid.render('m' + start.toFixed(), lines.join('\\n'));\n\
         if (!svg.includes('value 1')) throw Error('Mermaid drew something else');\n\
         return performance.now() - start;\n\
         }})()"
    );
    // Here too the first one is not counted.
    page.eval(&script);
    let before = page.work();
    let times: Vec<f64> = (0..3).filter_map(|_| page.eval(&script).as_f64()).collect();
    let work = page.work().since(before).all * 1_000.0 / times.len() as f64;
    page.console_errors();
    (times, work)
}

/// The source of Mermaid, from the folder where tools of this version are kept; npm brings it there once.
fn mermaid() -> String {
    let cache = std::env::var_os("FENCEPOST_CACHE").map(PathBuf::from).unwrap_or_else(|| {
        let home = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
        home.expect("a folder where tools may be kept: FENCEPOST_CACHE").join("fencepost")
    });
    let folder = cache.join(format!("mermaid-{MERMAID}"));
    let file = folder.join("node_modules/mermaid/dist/mermaid.min.js");
    if !file.is_file() {
        std::fs::create_dir_all(&folder).expect("a folder for Mermaid");
        let package = format!("mermaid@{MERMAID}");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--prefix"]).arg(&folder).arg(package).current_dir(&folder);
        assert!(npm.status().expect("npm is there").success(), "npm cannot install Mermaid");
    }
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

/// The number below which such a share of them lies.
fn share(numbers: &[f64], share: f64) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}
