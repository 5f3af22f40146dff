//! What breaks the story: a search in workers, what it has found, and one case opened.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![
    a_search_finds_what_breaks_the_story_and_opens_it,
    a_search_is_stopped_and_gone_on_with,
    a_search_without_workers_is_done_on_the_page,
    leaving_in_the_middle_of_a_search_leaves_nothing_behind,
    a_limit_is_told,
];

const BUTTON: &str = ".xp-run button";

fn open(page: &Browser) {
    page.wait_for("#stories-button:not(:disabled)");
    page.eval("document.querySelector('[data-do=\"panel explore\"]').click()");
    page.wait_for("#explore .xp-t");
    page.wait_until(&says("Search"));
}

/// What can be pressed now.
fn says(word: &str) -> String {
    format!(
        "document.querySelector('{BUTTON}')?.textContent == '{word}' && !document.querySelector('{BUTTON}').disabled"
    )
}

fn choose(page: &Browser, what: &str, value: &str) {
    let field = format!("[data-set='explore {what}']");
    page.wait_for(&field);
    page.eval(&format!(
        "const s = document.querySelector(\"{field}\"); s.value = '{value}'; s.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ));
    page.wait_until(&format!("document.querySelector(\"{field}\")?.value == '{value}'"));
}

const END: &str = "document.querySelector('.xp-run button')?.textContent == 'All searched'";

fn wait_for_the_end(page: &Browser) {
    page.wait_until(END);
}

/// The button is where the layout has put it by then, whatever moves on a phone.
fn press(page: &Browser) {
    page.eval(&format!("document.querySelector('{BUTTON}').click()"));
}

/// Only the first designs, and small bounds, so that a slow machine comes to an end.
fn small(page: &Browser, designs: usize) {
    choose(page, "edges", "1");
    for kind in ["drop", "step_clock"] {
        page.click(&format!("[data-set='explore kind {kind}']"));
        page.wait_until(&format!("!document.querySelector('[data-set=\"explore kind {kind}\"]').checked"));
    }
    page.eval(&format!(
        "for (const b of [...document.querySelectorAll('[data-set^=\"explore design\"]')].slice({designs})) b.click()"
    ));
    page.wait_until(&format!("document.querySelectorAll('.xp-t tbody tr').length == {designs}"));
    page.wait_until(&says("Search"));
}

/// Schedules of each design, as far as all of them have been told.
fn schedules(page: &Browser) -> String {
    page.eval("return [...document.querySelectorAll('.xp-t .n')].map(n => n.textContent).join('; ')")
        .as_str()
        .unwrap_or_default()
        .to_string()
}

fn a_search_finds_what_breaks_the_story_and_opens_it(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    open(&page);
    // Nothing is searched before somebody says so.
    assert_eq!(page.count(".xp-t .c.bad"), 0);
    choose(&page, "total", "1");
    page.wait_until(&says("Search"));
    press(&page);
    wait_for_the_end(&page);
    page.wait_for(".xp-case svg");
    // What holds and what does not, by the same engine as everywhere: a pause breaks the first, and the last holds.
    page.wait_for_text(".xp-t tbody tr:first-child td:nth-child(2)", |t| t.contains("pause"));
    assert!(page.text(".xp-t tbody tr:last-child td:nth-child(2)").contains("holds"));
    assert!(page.text(".xp-t tbody tr:last-child .n").contains("all with at most 1 fault"));
    assert!(page.hidden_text(".xp-res [role=status]").starts_with("All searched"));
    page.click(".xp-t tbody tr:first-child button");
    page.wait_for("[aria-pressed=true].c.bad");
    page.wait_for_text(".xp-case dl", |t| t.contains("stands still"));
    page.click(".xp-case .btn");
    page.wait_for("svg.dg");
    page.wait_until("document.querySelectorAll('.dh .vd.bad').length == 1");
    // It is an edit like any other, and what was found is still there.
    page.press("Control+z");
    page.wait_until("document.querySelectorAll('.dh .vd').length == 2");
    page.eval("document.querySelector('#explore-button').click()");
    page.wait_for(".xp-t .c.bad");
    wait_for_the_end(&page);
}

fn a_search_is_stopped_and_gone_on_with(visitor: &Visitor) {
    let page = visitor.open("", 390, 844, true);
    open(&page);
    page.click(".xp-set summary");
    small(&page, 9);
    press(&page);
    page.wait_until("/[1-9]/.test(document.querySelector('.xp-run .far')?.textContent)");
    page.wait_until(&says("Stop"));
    press(&page);
    page.wait_until(&says("Go on"));
    page.wait_until("document.querySelector('.xp-res [role=status]').textContent.startsWith('Stopped after')");
    assert!(schedules(&page).contains("first decisions done") || schedules(&page).contains("all with"));
    page.wait_until("document.documentElement.scrollWidth <= innerWidth");
    press(&page);
    wait_for_the_end(&page);
    let stopped = schedules(&page);
    // The same without a stop.
    choose(&page, "total", "1");
    choose(&page, "total", "2");
    page.wait_until(&says("Search"));
    press(&page);
    wait_for_the_end(&page);
    assert_eq!(schedules(&page), stopped);
}

fn a_search_without_workers_is_done_on_the_page(visitor: &Visitor) {
    let counted = |without: bool| {
        let page = visitor.open("", 1440, 900, false);
        page.wait_for("#stories-button:not(:disabled)");
        if without {
            page.run_inside("delete window.Worker; window.Worker = undefined");
        }
        open(&page);
        small(&page, 2);
        choose(&page, "total", "1");
        page.wait_until(&says("Search"));
        press(&page);
        if without {
            // The page answers meanwhile.
            page.click("#help-button");
            page.wait_for("#help");
            page.press("Escape");
            page.wait_for("#explore-button");
            page.eval("document.querySelector('#explore-button').click()");
            page.wait_for(".xp-t .n");
            page.wait_until(&[says("Search"), says("Go on"), END.to_string()].join(" || "));
            press(&page);
        }
        wait_for_the_end(&page);
        schedules(&page)
    };
    assert_eq!(counted(true), counted(false));
}

fn leaving_in_the_middle_of_a_search_leaves_nothing_behind(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page.run_inside(
        "const W = Worker; window.alive = 0; window.Worker = class { constructor(url) { const w = new W(url), end = w.terminate.bind(w); \
         window.alive++; w.terminate = () => { window.alive--; end() }; return w } }",
    );
    open(&page);
    press(&page);
    page.wait_until("/[1-9]/.test(document.querySelector('.xp-run .far')?.textContent)");
    assert!(page.eval("return window.alive").as_i64().is_some_and(|n| n >= 2));
    // Closed: its workers are gone, and what was counted is not.
    page.eval("document.querySelector('.cmp [data-do=close]').click()");
    page.wait_for("svg.dg");
    page.wait_until("window.alive <= 1");
    page.eval("document.querySelector('#explore-button').click()");
    page.wait_until(&says("Go on"));
    press(&page);
    page.wait_until(&says("Stop"));
    // Another story in the middle of it: nothing that was found stands under its name.
    page.click("#stories-button");
    page.click("#story-delayed-packet");
    page.wait_for_text("h1", |t| t != "GC pause");
    page.wait_until("window.alive <= 1");
    page.wait_for("#explore-button");
    page.eval("document.querySelector('#explore-button').click()");
    page.wait_until(&says("Search"));
    assert_eq!(page.count(".xp-t .c.bad") + page.count(".xp-case"), 0);
    // And an edit in the middle of it.
    press(&page);
    page.wait_until(&says("Stop"));
    page.press("Control+z");
    page.wait_for_text("h1", |t| t == "GC pause");
    page.wait_until(&says("Search"));
    assert_eq!(page.count(".xp-t .c.bad"), 0);
}

fn a_limit_is_told(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    open(&page);
    small(&page, 2);
    choose(&page, "total", "3");
    choose(&page, "memory", "1");
    page.wait_until(&says("Search"));
    press(&page);
    page.wait_until("document.querySelector('.xp-t')?.textContent.includes('stopped by the limit on memory')");
    page.eval("document.querySelector('.cmp [data-do=close]').click()");
}
