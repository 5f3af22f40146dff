//! The second program in a browser: in a worker, where workers are refused, and where it is not to be had at all.

use browser_tests::harness::Browser;
use serde_json::{Value, json};

/// Opens the picker.
fn pick(page: &Browser) {
    page.wait_for("#stories-button:not(:disabled)");
    page.click("#stories-button");
    page.wait_for("#picker");
}

/// How a story ends under the two shown designs, by the classes of its signs.
fn ends(page: &Browser, id: &str) -> Value {
    page.eval(&format!("return [...document.querySelectorAll('#story-{id} .oc')].map(e => e.className)"))
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

#[test]
fn the_picker_learns_how_stories_end() {
    let page = Browser::open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    // Nothing of it is fetched before it is needed.
    let fetched = "return performance.getEntriesByType('resource').filter(e => e.name.includes('annex')).length";
    assert_eq!(page.eval(fetched), 0);
    count_workers(&page, "return new W(url)");
    pick(&page);
    page.wait_until(ALL_KNOWN);
    assert_eq!(page.eval("return window.made"), 1);
    assert_eq!(ends(&page, "gc-pause"), json!(["oc bad", "oc good"]));
    assert_eq!(ends(&page, "quiet-handover"), json!(["oc good", "oc good"]));
    assert_eq!(page.text("#story-gc-pause .oc .vh"), "broken");
    // It is known from now on, and nothing is asked twice.
    page.press("Escape");
    page.wait_until("!document.querySelector('#picker')");
    pick(&page);
    assert_eq!(ends(&page, "gc-pause"), json!(["oc bad", "oc good"]));
}

#[test]
fn a_page_without_workers_does_it_itself() {
    for (way, tries) in [
        // Refused at once, as in a frame without an origin.
        ("throw new DOMException('no', 'SecurityError')", 2),
        // Refused later, as by a policy: it never lives.
        ("return new W('data:text/javascript,throw 1')", 2),
    ] {
        let page = Browser::open("", 1440, 900, false);
        page.wait_for("#stories-button:not(:disabled)");
        count_workers(&page, way);
        pick(&page);
        page.wait_until(ALL_KNOWN);
        assert_eq!(page.eval("return window.made"), tries, "{way}");
        assert_eq!(ends(&page, "gc-pause"), json!(["oc bad", "oc good"]));
    }
}

#[test]
fn what_cannot_be_fetched_says_so_and_is_tried_again() {
    let page = Browser::open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    // Not a missing file, of which the browser itself would complain: one that is empty offers nothing.
    page.eval(
        "window.real = document.body.dataset.annex; document.body.dataset.annex = 'data:text/javascript,'; return 0",
    );
    pick(&page);
    page.wait_for("#picker .job button");
    assert!(page.text("#picker .job").contains("could not be fetched"));
    page.eval("document.body.dataset.annex = window.real; return 0");
    page.click("#picker .job button");
    page.wait_until(ALL_KNOWN);
    assert_eq!(page.count("#picker .job"), 0);

    // A worker that dies says so, and the next one is started when it is asked for.
    let page = Browser::open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    count_workers(
        &page,
        "if (window.made > 1) return new W(url); \
         return new W('data:text/javascript,postMessage(0);onmessage=()=>{throw new Error(\"gone\")}')",
    );
    pick(&page);
    page.wait_for("#picker .job button");
    assert!(page.text("#picker .job").contains("broke while it worked"));
    page.click("#picker .job button");
    page.wait_until(ALL_KNOWN);
    assert_eq!(page.eval("return window.made"), 2);
}

#[test]
fn a_job_that_takes_long_can_be_stopped() {
    let page = Browser::open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    count_workers(&page, "if (window.made > 1) return new W(url); return new W('data:text/javascript,postMessage(0)')");
    pick(&page);
    page.wait_for_text("#picker .job", |t| t.starts_with("Working"));
    page.click("#picker .job button");
    page.wait_for_text("#picker .job", |t| t.starts_with("Stopped"));
    page.click("#picker .job button");
    page.wait_until(ALL_KNOWN);
}

#[test]
fn all_nine_designs_are_compared_by_mouse_and_by_keyboard() {
    let page = Browser::open("", 1440, 900, false);
    page.wait_for("#nine-button:not(:disabled)");
    page.click("#nine-button");
    page.wait_until("document.querySelectorAll('#nine .cell').length == 9");
    assert_eq!(page.eval("return document.querySelectorAll('#nine .cell .vd.bad').length"), 5);
    assert_eq!(page.count("#nine .th svg.dg:not(.hd)"), 9);
    assert_eq!(page.count(".cols"), 0);
    // Five pictures beside each other, and nothing reaches over the page.
    assert_eq!(page.eval("return document.documentElement.scrollWidth"), 1440);
    let tops = "return new Set([...document.querySelectorAll('#nine .grp9:nth-of-type(1) .th')].map(e => e.getBoundingClientRect().top)).size";
    assert_eq!(page.eval(tops), 1);
    // A tick chooses a column, Esc leads back to where the keyboard was, and three designs stand side by side.
    page.click("#nine [data-set='tick 5']");
    page.wait_until("document.querySelectorAll('#nine input:checked').length == 3");
    page.press("Escape");
    page.wait_for("#nine-button:focus");
    page.wait_until(
        "document.querySelectorAll('.body').length == 2 && document.querySelectorAll('.ptabs button').length == 3",
    );
    page.click("[data-do=fold]");
    page.wait_until("document.querySelectorAll('.body').length == 3 && !document.querySelector('.ptabs')");
    // A picture opens its design, in front.
    page.eval("document.querySelector('#nine-button').focus()");
    page.press("Enter");
    page.wait_for("#nine .th");
    page.eval("document.querySelector('#nine [data-do=\"show consensus+fencing\"]').focus()");
    page.press("Enter");
    page.wait_until("!document.querySelector('#nine') && document.querySelectorAll('.ptabs button').length == 4");
    page.wait_for_text(".ptabs [tabindex='0']", |t| t.starts_with("Consensus and fencing"));
}

#[test]
fn a_cell_of_all_stories_opens_the_story_with_that_design() {
    for width in [1440, 390] {
        let page = Browser::open("", width, 844, false);
        page.wait_for("#stories-button:not(:disabled)");
        page.click(if width > 1000 { "#table-button" } else { ".cmp.below [data-do='panel table']" });
        page.wait_until(
            "document.querySelectorAll('#table tbody tr[id]').length > 40 && !document.querySelector('#table .job')",
        );
        assert_eq!(page.count("#row-gc-pause td.bad"), 5);
        assert_eq!(page.count("#row-gc-pause td.good"), 4);
        assert_eq!(page.eval("return document.documentElement.scrollWidth"), width);
        page.click("#row-delayed-packet [data-do='case delayed-packet activation']");
        page.wait_for_text("h1", |t| t == "Delayed packet");
        assert_eq!(page.count("#table"), 0);
        page.wait_until("[...document.querySelectorAll('.ptabs [tabindex=\"0\"]')].some(e => e.textContent.startsWith('Activation fence'))");
    }
}
