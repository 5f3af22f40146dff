//! The harness on itself: a net that catches nothing would let every story pass.

use browser_tests::engine::Engine;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub const STORIES: &[Story] = stories![
    errors_on_the_console_are_seen_once,
    a_story_fails_for_an_error_that_it_did_not_ask_for,
    a_missing_file_and_a_call_elsewhere_are_errors,
    acting_is_what_a_person_does,
];

fn errors_on_the_console_are_seen_once(visitor: &Visitor) {
    let page = visitor.open("", 800, 600, false);
    page.eval("console.warn('no matter'); console.error('told on purpose')");
    let errors = page.console_errors();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains("told on purpose"), "{errors:?}");
    assert!(page.console_errors().is_empty());
}

fn a_story_fails_for_an_error_that_it_did_not_ask_for(visitor: &Visitor) {
    let page = visitor.open("", 800, 600, false);
    page.run_inside(
        "addEventListener('error', () => window.thrown = true); setTimeout(() => { throw new Error('nobody catches this') })",
    );
    page.wait_until("window.thrown");
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(page)));
    assert!(dropped.is_err());
}

fn a_missing_file_and_a_call_elsewhere_are_errors(visitor: &Visitor) {
    let page = visitor.open("", 800, 600, false);
    page.eval("return fetch('missing.json').then(() => true)");
    page.eval("return fetch('http://elsewhere.invalid/').catch(() => true)");
    page.wait_for_complaint("404");
    // A call that the page minds itself is heard by Chromium alone.
    if visitor.engine() == Engine::Chromium {
        page.wait_for_complaint("ERR_NAME_NOT_RESOLVED");
    }
}

fn acting_is_what_a_person_does(visitor: &Visitor) {
    let page = visitor.open("", 800, 600, false);
    page.eval(
        "document.body.innerHTML = '<button id=b>Go</button><input id=i value=old><p id=p>-</p><div id=d>drag</div>'; \
         const said = document.querySelector('#p'); \
         b.onclick = () => setTimeout(() => said.textContent = 'clicked', 50); \
         i.onkeydown = e => { if (e.ctrlKey && e.shiftKey) said.textContent = 'Ctrl+Shift+' + e.key; }; \
         d.onpointermove = e => said.textContent = e.buttons ? 'dragged' : 'hovered'; \
         d.onpointerdown = e => d.setPointerCapture(e.pointerId);",
    );
    page.click("#b");
    page.wait_for_text("#p", |text| text == "clicked");
    page.fill("#i", "new text");
    assert_eq!(page.property("#i", "value"), "new text");
    page.press("Control+Shift+k");
    page.wait_for_text("#p", |text| text.eq_ignore_ascii_case("ctrl+shift+k"));
    page.hover("#d");
    page.wait_for_text("#p", |text| text == "hovered");
    page.drag("#d", 40, 120);
    page.wait_for_text("#p", |text| text == "dragged");
    page.press("Tab");
    assert_eq!(page.count("button, input"), 2);
}
