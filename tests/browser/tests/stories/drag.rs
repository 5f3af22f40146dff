//! The picture as an editor, with a real pointer and with the keyboard alone.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] =
    stories![the_end_of_a_pause_is_dragged_until_both_verdicts_turn, the_same_by_keyboard_alone_and_a_menu,];

const WAKE: &str = ".grips[data-col='0'] [data-grip='w0.0']";
const SAFE: &str = "[...document.querySelectorAll('.dh .vd')].every(c => c.classList.contains('good'))";
const UNTIL: &str = "document.querySelector('[data-set$=\"fault.0.until\"]').value";

fn open(visitor: &Visitor) -> Browser {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page.wait_for(WAKE);
    page
}

fn the_end_of_a_pause_is_dragged_until_both_verdicts_turn(visitor: &Visitor) {
    let page = open(visitor);
    page.wait_for_value(SAFE, false);
    let before = page.eval(&format!("return {UNTIL}"));
    page.drag(WAKE, 0, -300);
    page.wait_until(SAFE);
    page.wait_until("!document.querySelector('.gtag')");
    // The form says the same; what was heard says what has been done and how it came out.
    page.wait_until(&format!("{UNTIL} != {before}"));
    page.wait_until("document.querySelector('#live').textContent.includes('paused')");
    // One drag is one step.
    page.click("[aria-label=Undo]");
    page.wait_until(&format!("!({SAFE})"));
    page.wait_for_value(UNTIL, before);
    page.wait_for("[aria-label=Undo]:disabled");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

fn the_same_by_keyboard_alone_and_a_menu(visitor: &Visitor) {
    let page = open(visitor);
    page.eval("document.querySelector('.body .m[tabindex=\"0\"]').focus()");
    page.press_until("ArrowDown", 60, &format!("document.activeElement.matches(\"{WAKE}\")"));
    // Past every event on the way, without losing the keyboard.
    page.press_until("PageUp", 250, SAFE);
    // It keeps the keyboard, and says where it stands.
    page.wait_until(&format!("document.activeElement.matches(\"{WAKE}\")"));
    page.wait_until(&format!("document.querySelector(\"{WAKE}\").ariaValueText.includes('paused')"));
    // The menu of the message that has the keyboard: the first write is lost.
    page.eval("document.querySelector('.body .m').focus()");
    page.press("m");
    page.wait_for("#ctx [role=menuitem]");
    let faults = page.count(".ft");
    page.press("Enter");
    page.wait_until(&format!("!document.querySelector('#ctx') && document.querySelectorAll('.ft').length > {faults}"));
    page.press("Escape");
}
