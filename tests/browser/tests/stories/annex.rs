//! The second program in a browser: in a worker, where workers are refused, and where it is not to be had at all.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use serde_json::json;

pub const STORIES: &[Story] = stories![
    the_picker_learns_how_stories_end,
    a_page_without_workers_does_it_itself,
    what_cannot_be_fetched_says_so_and_is_tried_again,
    a_job_that_takes_long_can_be_stopped,
];

/// Opens the picker.
fn pick(page: &Browser) {
    page.wait_for("#stories-button:not(:disabled)");
    page.click("#stories-button");
    page.wait_for("#picker");
}

/// Waits until the list says how a story ends under the two shown designs, by the classes of its signs.
fn wait_for_ends(page: &Browser, id: &str, ends: [&str; 2]) {
    page.wait_for_value(
        &format!("[...document.querySelectorAll('#story-{id} .oc')].map(e => e.className)"),
        json!(ends),
    );
}

/// All stories that can be picked have their outcomes.
const ALL_KNOWN: &str = "document.querySelectorAll('#picker [role=option]').length > 50 && document.querySelector('#picker li:last-child .ocs') \
     && document.querySelectorAll('#picker [role=option]:has(.oc)').length > 40";

/// Which of the ways to start it were taken: the page counts the workers that it makes.
fn count_workers(page: &Browser, way: &str) {
    page.eval(&format!(
        "const W = Worker; window.made = 0; window.Worker = class {{ constructor(url) {{ window.made++; {way} }} }}; return 0"
    ));
}

fn the_picker_learns_how_stories_end(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    // Nothing of it is fetched before it is needed.
    let fetched = "return performance.getEntriesByType('resource').filter(e => e.name.includes('annex')).length";
    assert_eq!(page.eval(fetched), 0);
    count_workers(&page, "return new W(url)");
    pick(&page);
    page.wait_until(ALL_KNOWN);
    assert_eq!(page.eval("return window.made"), 1);
    wait_for_ends(&page, "gc-pause", ["oc bad", "oc good"]);
    wait_for_ends(&page, "quiet-handover", ["oc good", "oc good"]);
    page.wait_for_value("document.querySelector('#story-gc-pause .oc .vh').textContent", "broken");
    // It is known from now on, and nothing is asked twice.
    page.press("Escape");
    page.wait_until("!document.querySelector('#picker')");
    pick(&page);
    wait_for_ends(&page, "gc-pause", ["oc bad", "oc good"]);
}

fn a_page_without_workers_does_it_itself(visitor: &Visitor) {
    for (way, tries) in [
        // Refused at once, as in a frame without an origin.
        ("throw new DOMException('no', 'SecurityError')", 2),
        // Refused later, as by a policy: it never lives.
        ("return new W('data:text/javascript,throw 1')", 2),
    ] {
        let page = visitor.open("", 1440, 900, false);
        page.wait_for("#stories-button:not(:disabled)");
        count_workers(&page, way);
        pick(&page);
        page.wait_until(ALL_KNOWN);
        assert_eq!(page.eval("return window.made"), tries, "{way}");
        wait_for_ends(&page, "gc-pause", ["oc bad", "oc good"]);
    }
}

fn what_cannot_be_fetched_says_so_and_is_tried_again(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    // Not a missing file, of which the browser itself would complain: one that is empty offers nothing.
    page.eval(
        "window.real = document.body.dataset.annex; document.body.dataset.annex = 'data:text/javascript,'; return 0",
    );
    pick(&page);
    page.wait_for_text("#picker .job:has(button)", |t| t.contains("could not be fetched"));
    page.eval("document.body.dataset.annex = window.real; return 0");
    page.click("#picker .job button");
    page.wait_until(ALL_KNOWN);
    page.wait_until("!document.querySelector('#picker .job')");

    // A worker that dies says so, and the next one is started when it is asked for.
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    count_workers(
        &page,
        "if (window.made > 1) return new W(url); \
         return new W('data:text/javascript,postMessage(0);onmessage=()=>{throw new Error(\"gone\")}')",
    );
    pick(&page);
    page.wait_for_text("#picker .job:has(button)", |t| t.contains("broke while it worked"));
    page.click("#picker .job button");
    page.wait_until(ALL_KNOWN);
    assert_eq!(page.eval("return window.made"), 2);
}

fn a_job_that_takes_long_can_be_stopped(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    count_workers(&page, "if (window.made > 1) return new W(url); return new W('data:text/javascript,postMessage(0)')");
    pick(&page);
    page.wait_for_text("#picker .job:has(button)", |t| t.starts_with("Working"));
    page.click("#picker .job button");
    page.wait_for_text("#picker .job:has(button)", |t| t.starts_with("Stopped"));
    page.click("#picker .job button");
    page.wait_until(ALL_KNOWN);
}
