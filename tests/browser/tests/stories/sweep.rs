//! How often a story goes wrong: many runs in workers, charts of them, and one of them opened.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![
    a_sweep_is_run_stopped_and_gone_on_with,
    a_parameter_is_chosen_and_taken_back,
    a_sweep_without_workers_is_run_on_the_page,
    leaving_in_the_middle_leaves_nothing_behind,
];

/// The panel with the first sweep that comes with the page.
fn ready_sweep(page: &Browser) {
    page.wait_for("#stories-button:not(:disabled)");
    page.click("#sweep-button");
    page.wait_for(".swp-ready button");
    page.click(".swp-ready button");
    page.wait_for_text("h1", |t| t == "Lease length against pauses");
    page.wait_until("document.querySelector('.swp-run .far')?.textContent.startsWith('0 of')");
}

/// Fewer runs, so that a slow machine comes to an end.
fn few_runs(page: &Browser) {
    page.eval("const s = document.querySelector('[data-set=\"sweep runs\"]'); s.value = '1000'; s.dispatchEvent(new Event('input', { bubbles: true }))");
    page.wait_until("document.querySelector('.swp-run .far')?.textContent.startsWith('0 of 24,000')");
}

fn a_sweep_is_run_stopped_and_gone_on_with(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    ready_sweep(&page);
    // Nothing is run before somebody says so.
    assert_eq!(page.count(".chart"), 0);
    page.click(".swp-run button");
    page.wait_for(".chart svg");
    page.wait_until("document.querySelector('.swp-run button')?.textContent == 'Stop'");
    page.click(".swp-run button");
    page.wait_until("document.querySelector('.swp-run button')?.textContent == 'Go on'");
    // What is known by then is an answer, with a mark for every point of every design.
    page.wait_for(".swp-charts figure:first-child .pt");
    few_runs(&page);
    page.click(".swp-run button");
    page.wait_until("document.querySelector('.swp-run .far')?.textContent.startsWith('24,000 of 24,000')");
    page.wait_until("document.querySelector('.swp-run button')?.disabled");
    // A longer lease is rarer, and the fence is never passed.
    page.click(".swp-table summary");
    page.wait_until("document.querySelectorAll('.swp-table tbody tr').length == 24");
    assert_eq!(page.count(".swp-charts figure:first-child .pt"), 24);
    let rate = |row: usize| {
        let text = page.text(&format!(".swp-table tbody tr:nth-child({row}) .lk"));
        text.trim_end_matches(" %").parse().unwrap_or(0.0)
    };
    let (short, long, fenced): (f64, f64, f64) = (rate(1), rate(22), rate(3));
    assert!(short > 10.0 && long < 2.0 && fenced == 0.0, "{short} {long} {fenced}");
    // One run of it opens as a story, and is unsafe.
    page.click(".swp-table tbody tr:first-child .lk");
    page.wait_for("svg.dg");
    page.wait_until("document.querySelectorAll('.dh .vd.bad').length == 1");
    page.press("Control+z");
    page.click("#sweep-button");
    page.wait_for(".swp-set");
}

fn a_parameter_is_chosen_and_taken_back(visitor: &Visitor) {
    let page = visitor.open("", 390, 844, true);
    page.wait_for("#stories-button:not(:disabled)");
    page.eval("document.querySelector('[data-do=\"panel sweep\"]').click()");
    page.wait_for("[data-set='sweep axis 0']");
    page.eval("const s = document.querySelector('[data-set=\"sweep axis 0\"]'); s.value = 'lock.ttl'; s.dispatchEvent(new Event('input', { bubbles: true }))");
    page.wait_until("document.querySelector('.vals input')?.value == '1s, 2s, 5s, 10s, 20s, 50s, 100s'");
    // A value that the story cannot have is refused with a reason, and the story stays as it was.
    page.fill(".vals input", "1s, soon");
    page.press("Tab");
    page.wait_until("[...document.querySelectorAll('#sweep .job')].some(p => p.textContent.includes('soon'))");
    assert!(page.eval("return localStorage.getItem('fencepost.text')").as_str().is_some_and(|t| !t.contains("soon")));
    // Nothing of the story is random, and the panel says so once it has run.
    page.click(".swp-run button");
    page.wait_until("document.querySelector('.swp-none')?.textContent.includes('left to chance')");
    page.wait_until("document.documentElement.scrollWidth <= innerWidth");
    page.click("[aria-label=Undo]");
    page.wait_until("document.querySelectorAll('.vals').length == 0");
}

fn a_sweep_without_workers_is_run_on_the_page(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.run_inside("delete window.Worker; window.Worker = undefined");
    ready_sweep(&page);
    few_runs(&page);
    page.click(".swp-run button");
    // The page answers meanwhile.
    page.wait_for(".chart svg");
    page.click("#help-button");
    page.wait_for("#help");
    page.press("Escape");
    page.wait_for("#sweep-button");
}

fn leaving_in_the_middle_leaves_nothing_behind(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    ready_sweep(&page);
    page.click(".swp-run button");
    page.wait_for(".chart svg");
    // Another story in the middle of it: what was under way is dropped, and the new one has its own.
    page.press("Control+z");
    page.wait_for_text("h1", |t| t == "GC pause");
    page.wait_until("document.querySelector('.swp-run .far')?.textContent.startsWith('0 of')");
    page.press("Escape");
    page.click(".cmp [data-do=close]");
    page.wait_for("svg.dg");
    page.click("#sweep-button");
    page.wait_until("document.querySelector('.swp-run button')?.textContent == 'Run'");
}
