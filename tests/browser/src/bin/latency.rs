//! How long it takes from a key press to both pictures repainted, in the built page and a real browser; and beside it how long Mermaid takes
//! to lay out as many messages.
//!
//! `cargo run -p browser-tests --bin latency`; with a page from `cargo xtask dist`. It prints tables for docs/performance.md. It is no test:
//! what a machine needs depends on the machine.
//!
//! A key press begins with a frame, so that the wait for the next one does not count: the value of a field is changed, the page hears of it, and a message
//! that is posted in the same frame arrives when style, layout and painting of that frame are done. What is drawn has to be another
//! picture than before, or the number would mean nothing.

use browser_tests::engine::Engine;
use browser_tests::story::Visitor;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// What is compared with. The figures in docs/performance.md are of this version.
const MERMAID: &str = "12.3.0";

/// How many messages a long story has.
const SIZES: [usize; 4] = [50, 200, 1_000, 4_000];

/// Key presses for each preset, and for each long story.
const PRESSES: usize = 40;
const PRESSES_LONG: usize = 15;

/// Changes the value of a field, back and forth, and measures each change until it is painted; ms.
const PRESS: &str = r#"
const measure = async (css, values, times) => {
  const picture = () => [...document.querySelectorAll('.body svg')].map(svg => svg.outerHTML.length + svg.outerHTML.slice(-4000)).join();
  const all = [];
  for (let i = 0; i < times; i++) {
    const field = document.querySelector(css), before = picture();
    const took = await new Promise(done => requestAnimationFrame(() => {
      const channel = new MessageChannel(), start = performance.now();
      channel.port1.onmessage = () => done(performance.now() - start);
      field.value = values[i % 2];
      field.dispatchEvent(new Event('input', { bubbles: true }));
      channel.port2.postMessage(0);
    }));
    if (picture() === before) throw Error(`press ${i} of ${css} changed no picture`);
    all.push(took);
    await new Promise(done => setTimeout(done, 20));
  }
  return all;
};
"#;

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |part: &str| only.is_empty() || only.iter().any(|o| o == part);
    if wanted("presets") {
        presets();
    }
    if wanted("long") {
        long();
    }
}

/// A new browser, as every reader has one.
fn visitor() -> Visitor {
    Visitor::passing(Engine::Chromium)
}

fn presets() {
    let page = visitor().open("", 1440, 900, false);
    page.click("#stories-button");
    page.wait_for("#picker [role=option]");
    let ids = page.eval("return [...document.querySelectorAll('#picker [role=option]')].map(o => o.id.slice(6))");
    page.press("Escape");
    let mut all: Vec<(f64, f64, String)> = Vec::new();
    for id in ids.as_array().into_iter().flatten().filter_map(Value::as_str) {
        page.eval(&format!("location.hash = 'p={id}'"));
        page.wait_until(&format!("document.querySelector('h1') && location.hash == '#p={id}'"));
        page.eval("return new Promise(done => setTimeout(done, 60))");
        let script = format!(
            "{PRESS}\nconst css = ['#network-one_way', '#lock-ttl', '#client-retry'].find(c => /^\\d+$/.test(document.querySelector(c)?.value));\n\
             if (!css) return [];\n\
             const value = document.querySelector(css).value;\n\
             return measure(css, [String(+value + 1), value], {PRESSES});"
        );
        let times = numbers(&page.eval(&script));
        if times.is_empty() {
            println!("{id}: no field with a plain number");
            continue;
        }
        // The first press of a story meets code that the browser has not yet made fast.
        all.push((share(&times, 0.5), share(&times, 0.95), id.to_owned()));
    }
    page.console_errors();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    let over = all.iter().filter(|(_, p95, _)| *p95 > 16.0).count();
    println!("\n| story | median ms | 95 % ms |\n| --- | --- | --- |");
    for (median, p95, id) in all.iter().take(8) {
        println!("| `{id}` | {median:.1} | {p95:.1} |");
    }
    let medians: Vec<f64> = all.iter().map(|a| a.0).collect();
    println!(
        "| median of {} stories | {:.1} | {:.1} |",
        all.len(),
        share(&medians, 0.5),
        share(&all.iter().map(|a| a.1).collect::<Vec<_>>(), 0.5)
    );
    println!("\nstories over 16 ms at 95 %: {over}");
}

fn long() {
    let mermaid = mermaid();
    let mut table = String::from(
        "\n| messages | key press to both pictures: median, 95 % ms | Mermaid, one picture: median ms | ratio |\n| --- | --- | --- | --- |\n",
    );
    for size in SIZES {
        let page = visitor().open("", 1440, 900, false);
        page.wait_for("#stories-button:not(:disabled)");
        page.eval("document.querySelector('[data-do=text]').click()");
        page.wait_for("textarea");
        let text = json!(story(size)).to_string();
        page.eval(&format!(
            "const t = document.querySelector('textarea'); t.value = {text}; t.dispatchEvent(new Event('input', {{ bubbles: true }}))"
        ));
        page.wait_for_text("h1", |t| t.contains("long"));
        let drawn =
            page.eval("return [...document.querySelectorAll('.body')].map(b => b.querySelectorAll('.m').length)");
        page.eval("document.querySelector('[data-do=form]').click()");
        page.wait_for("#network-one_way");
        let script = format!("{PRESS}\nreturn measure('#network-one_way', ['6', '5'], {PRESSES_LONG});");
        let ours = numbers(&page.eval(&script));
        page.console_errors();
        let theirs = theirs(&mermaid, size);
        let (median, p95, beside) = (share(&ours, 0.5), share(&ours, 0.95), share(&theirs, 0.5));
        println!("{size}: drawn {drawn}, ours {ours:.1?}, Mermaid {theirs:.0?}");
        let _ = writeln!(table, "| {size} | {median:.0}, {p95:.0} | {beside:.0} | {:.1} |", beside / median);
    }
    println!("{table}");
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

/// How long Mermaid takes for a sequence diagram of so many messages, in a page of its own; ms.
fn theirs(source: &str, messages: usize) -> Vec<f64> {
    let page = visitor().open("favicon.svg", 1440, 900, false);
    page.eval("document.location = 'about:blank'");
    page.wait_until("document.body && document.readyState == 'complete'");
    page.eval(&format!("{source}\nwindow.mermaid ||= globalThis.mermaid; return !!window.mermaid"));
    let times = if messages > 1_000 { 3 } else { 5 };
    let script = format!(
        "mermaid.initialize({{ startOnLoad: false, maxTextSize: 1e7, maxEdges: 1e6 }});\n\
         const lines = ['sequenceDiagram', 'participant W', 'participant L', 'participant R'];\n\
         for (let i = 0; i < {messages} / 4; i++) lines.push('W->>R: read', 'R-->>W: value ' + i, 'W->>R: write ' + i, 'R-->>W: done');\n\
         const all = [];\n\
         for (let i = 0; i < {times}; i++) {{\n\
           const start = performance.now();\n\
           const {{ svg }} = await mermaid.render('m' + i, lines.join('\\n'));\n\
           if (!svg.includes('value 1')) throw Error('Mermaid drew something else');\n\
           all.push(performance.now() - start);\n\
         }}\n\
         return all;"
    );
    let times = numbers(&page.eval(&format!("return (async () => {{ {script} }})()")));
    page.console_errors();
    times
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
