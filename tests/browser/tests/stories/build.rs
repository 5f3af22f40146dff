//! Somebody who has never seen the format builds the first story anew from a blank page, by form or by text alone; and goes all the way
//! with the keyboard, or with a finger.

use browser_tests::engine::Engine;
use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use serde_json::json;

pub const STORIES: &[Story] = stories![
    a_blank_page_becomes_the_first_story_by_form_alone,
    the_same_by_typing_it,
    all_the_way_by_keyboard_alone,
    all_the_way_with_a_finger,
];

const CHIPS: &str = "[...document.querySelectorAll('.dh .vd')].map(e => e.textContent)";
const SAFE: &str = "[...document.querySelectorAll('.dh .vd')].every(c => c.classList.contains('good'))";
/// The digests of the traces of both runs: equal ones are of equal runs, event by event.
const DIGESTS: &str = "document.querySelector('footer').textContent.match(/[0-9a-f]{8}·[0-9a-f]{8}/g)";

fn open(visitor: &Visitor, width: u32, height: u32) -> Browser {
    let page = visitor.open("", width, height, false);
    page.wait_for("#stories-button:not(:disabled)");
    page
}

/// A page on which nothing is told yet, and the digests of the story that was there.
fn blank(visitor: &Visitor) -> (Browser, serde_json::Value) {
    let page = open(visitor, 1440, 900);
    page.wait_until(&format!("({DIGESTS})?.length == 2"));
    let digests = page.eval(&format!("return {DIGESTS}"));
    page.click("#stories-button");
    page.click("#picker [data-do='panel open']");
    page.click("#open [data-do=new]");
    page.wait_until("!document.querySelector('#open') && document.querySelector('h1').textContent != 'GC pause'");
    page.wait_for_value(CHIPS, json!(["Safe"]));
    (page, digests)
}

fn is_the_first_story(page: &Browser, digests: &serde_json::Value) {
    page.wait_for_text("h1", |t| t == "GC pause");
    page.wait_for_value(CHIPS, json!(["Unsafe", "Safe"]));
    page.wait_for_value(
        "[...document.querySelectorAll('.dh h2')].map(e => e.textContent.replace(/(Uns|S)afe$/, ''))",
        json!(["No fencing", "Fencing at the resource"]),
    );
    page.wait_for_value(DIGESTS, digests.clone());
    page.wait_for_text(".dh p", |t| t.contains("15.005"));
}

/// Scrolls an open list to what is wanted, as one who reads it does, and presses it.
fn choose_from_menu(page: &Browser, entry: &str) {
    let entry = format!(".menu {entry}");
    page.scroll_to(&entry);
    page.click(&entry);
}

fn a_blank_page_becomes_the_first_story_by_form_alone(visitor: &Visitor) {
    let (page, digests) = blank(visitor);
    // What it is called.
    page.click("#all-story");
    page.fill("#title", "GC pause");
    page.wait_for_text("h1", |t| t == "GC pause");
    page.click("#all-story");
    // Nobody looks at the clock, and the second comes later.
    for worker in [0, 1] {
        page.click(&format!("#all-worker-{worker}"));
        // What few workers say of themselves is found by searching for it.
        page.fill(&format!("#find-worker-{worker}"), "deadline");
        tab_to(&page, "Tab", &format!("#worker-{worker}-client-check_deadline"));
        page.press("ArrowDown");
        page.wait_for(&format!("[data-do='unset worker.{worker}.client.check_deadline']"));
        page.click(&format!("#all-worker-{worker}"));
    }
    page.fill("#worker-1-start", "2s");
    // What goes wrong.
    page.click("#add-fault");
    choose_from_menu(&page, "[data-do^='add fault'][data-do$=pause]");
    page.fill("#fault-0-at", "500ms");
    page.fill("#fault-0-until", "15s");
    // Two answers to it.
    page.click("#add-design");
    choose_from_menu(&page, "[data-do^='add design'][data-do$=safe-release]");
    page.click("#all-design-0");
    page.fill("#design-0-name", "No fencing");
    page.click("#all-design-0");
    page.click("#add-design");
    choose_from_menu(&page, "[data-do^='add design'][data-do$=' fencing']");
    is_the_first_story(&page, &digests);
    // All of it can be taken back, and be done again.
    page.scroll_to("h1");
    page.click("h1");
    page.press_until("Control+z", 100, "document.querySelector('[aria-label=Undo]:disabled')");
    page.wait_for_text("h1", |t| t == "GC pause");
    page.press_until("Control+Shift+z", 100, "document.querySelector('[aria-label=Redo]:disabled')");
    is_the_first_story(&page, &digests);
}

fn the_same_by_typing_it(visitor: &Visitor) {
    const TEXT: &str = "schema = \"fencepost.scenario/1\"\ntitle = \"GC pause\"\n\n\
        [[worker]]\nname = \"W1\"\nclient.check_deadline = false\n\n[[worker]]\nname = \"W2\"\nstart = \"2s\"\nclient.check_deadline = false\n\n\
        [[fault]]\npause = \"W1\"\nat = \"500ms\"\nuntil = \"15s\"\n\n\
        [[design]]\nname = \"No fencing\"\nprotection = \"safe-release\"\n\n\
        [[design]]\nprotection = \"fencing\"\n";
    let (page, digests) = blank(visitor);
    page.click(".scn .seg button:nth-child(2)");
    page.click("#text");
    page.press("Control+a");
    page.type_text(TEXT);
    page.wait_for_value("document.querySelector('#text').value", TEXT);
    page.wait_until("!document.querySelector('.stl')");
    page.click("[data-do='form']");
    page.wait_for_value("document.querySelector('#fault-0-until').value", "15");
    // Designs that were written while none was ticked are ticked by whoever wants to see them.
    for design in 0..2 {
        if page.count(&format!("[data-set='tick {design}']:checked")) == 0 {
            page.click(&format!("[data-set='tick {design}']"));
        }
    }
    is_the_first_story(&page, &digests);
}

/// Moves the keyboard on, until it has come to an element.
fn tab_to(page: &Browser, key: &str, css: &str) {
    page.press_until(key, 160, &format!("document.activeElement.matches({css:?})"));
}

fn all_the_way_by_keyboard_alone(visitor: &Visitor) {
    const WAKE: &str = ".grips[data-col='0'] [data-grip='w0.0']";
    let page = open(visitor, 1440, 900);
    let lease = "document.querySelector('#lock-ttl').value";
    // Another story, and the first again.
    tab_to(&page, "Tab", "#stories-button");
    for (words, title) in [("delayed pack", "Delayed packet"), ("gc pause", "GC pause")] {
        page.press("Enter");
        page.wait_for("#picker input:focus");
        page.wait_for("#picker [role=option]");
        page.type_text(words);
        page.wait_until(&format!(
            "document.querySelector('#picker [aria-selected=true] .n')?.textContent == {title:?}"
        ));
        page.press("Enter");
        page.wait_for_text("h1", |t| t == title);
        page.wait_for("#stories-button:focus");
    }
    // A number.
    tab_to(&page, "Tab", "#lock-ttl");
    page.press("Control+a");
    page.type_text("12");
    page.wait_for_value(lease, "12");
    // The end of the pause, until the verdict turns.
    tab_to(&page, "Tab", ".body .m[tabindex='0']");
    page.wait_for_value(SAFE, false);
    page.press_until("ArrowDown", 60, &format!("document.activeElement.matches({WAKE:?})"));
    page.press_until("PageUp", 250, SAFE);
    page.wait_until(&format!("document.activeElement.matches({WAKE:?})"));
    page.press("Control+z");
    page.wait_for_value(SAFE, false);
    // Step by step.
    tab_to(&page, "Tab", ".tp [data-do=play]");
    page.press("Home");
    page.wait_for_text(".tp output", |t| t == "0.000 s");
    page.press("ArrowRight");
    page.wait_for_text(".tp output", |t| t == "0.005 s");
    page.wait_until("document.querySelector('#live').textContent.startsWith('0.005')");
    // Why.
    tab_to(&page, "Tab", ".vt button.c.bad");
    page.press("Enter");
    page.wait_for(".wit");
    tab_to(&page, "Tab", ".wit [data-do^=why]");
    page.press("Enter");
    page.wait_for("#why .chn li");
    page.press("Escape");
    page.wait_until("!document.querySelector('#why')");
    page.wait_until("document.activeElement.matches('[data-do^=why]')");
    // Handed on.
    tab_to(&page, "Shift+Tab", "#share-button");
    page.press("Enter");
    page.wait_until("document.querySelector('#share-link')?.textContent.includes('#s1d.')");
    page.press("Escape");
    page.wait_for("#share-button:focus");
    // And all of it taken back.
    page.press_until("Control+z", 20, "document.querySelector('[aria-label=Undo]:disabled')");
    page.wait_for_text("h1", |t| t == "GC pause");
    page.wait_for_value(lease, "10");
}

fn all_the_way_with_a_finger(visitor: &Visitor) {
    let page = open(visitor, 390, 844);
    // WebKitGTK's driver has no finger.
    let tap = |css: &str| if visitor.engine() == Engine::WebKit { page.click(css) } else { page.tap(css) };
    let fits = |what: &str| {
        page.wait_until(&format!("document.documentElement.scrollWidth <= innerWidth /* {what} */"));
    };
    // Another story, and back.
    tap("#stories-button");
    page.wait_for("#picker [role=option]");
    fits("picker");
    tap("#story-delayed-packet");
    page.wait_for_text("h1", |t| t == "Delayed packet");
    fits("another story");
    tap("[aria-label=Undo]");
    page.wait_for_text("h1", |t| t == "GC pause");
    // A number, in the sheet with the scenario.
    tap("#scenario-button");
    page.wait_for(".scn.open");
    tap("#fault-0-until");
    page.press("Control+a");
    page.type_text("9");
    fits("scenario");
    tap(".scn .done");
    page.wait_until("!document.querySelector('.scn.open')");
    page.wait_until(SAFE);
    tap("[aria-label=Undo]");
    page.wait_until(&format!("!({SAFE})"));
    // The other design, and an event of the picture.
    tap("#tab-1");
    page.wait_for_text(".dh p", |t| t.contains("refused"));
    tap("#tab-0");
    page.wait_until("document.querySelector('.dh .vd.bad')");
    tap(".tp [aria-label='Step back']");
    page.wait_for_text(".tp output", |t| t != "15.020 s");
    // Why.
    tap(".dh > [data-do='why 0']");
    page.wait_for("#why .chn li");
    fits("why");
    tap("#why > .btn");
    page.wait_until("!document.querySelector('#why')");
    // Handed on.
    tap("#share-button");
    page.wait_until("document.querySelector('#share-link')?.textContent.includes('#')");
    fits("share");
    tap("#share .cls");
    page.wait_until("!document.querySelector('#share')");
    // All stories, and one of them.
    tap(".cmp.below [data-do='panel table']");
    page.wait_for("#row-delayed-packet [data-do='case delayed-packet activation']");
    fits("all stories");
}
