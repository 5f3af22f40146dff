//! Why a promise broke, in a browser: from the verdict to the causes and back.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] =
    stories![a_verdict_says_why, a_broken_cell_says_why_with_the_keyboard_alone, on_a_phone_the_chain_is_a_list,];

fn open(visitor: &Visitor, width: u32) -> Browser {
    let page = visitor.open("", width, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page
}

fn a_verdict_says_why(visitor: &Visitor) {
    let page = open(visitor, 1440);
    page.click("button.vd[data-do='why 0']");
    page.wait_for("#why .chn li");
    let text = |selector: &str| page.text(selector).replace('\u{a0}', " ");
    // The most telling promise first; another one is a press away.
    page.click("#why [data-do='why 0 lost-update']");
    page.wait_for_text("#why h2", |t| t == "Why “No fencing” lost an update");
    assert_eq!(text("#why .chn li:first-child"), "0.005 The service grants W1 the lock until 10.005 s.");
    assert_eq!(text("#why .chn li:last-child"), "15.005 The resource accepts W1’s write. W2’s update is gone.");
    assert_eq!(text("#why .asm"), "Assumption broken: a bounded pause. Needed: under 9.701 s; was: 14.5 s.");
    let section = |n: u32| text(&format!("#why .cf section:nth-child({n})"));
    assert!(section(1).contains("Fencing at the resource") && section(1).contains("refuses W1 at 15.005 s"));
    assert!(section(2).contains("A longer lease") && section(2).contains("a longer pause breaks it"));
    assert!(page.count("#why .pt tbody tr") >= 9, "what each costs");
    assert!(page.count("#why .wd [data-back]") > 5, "what is no cause is set back");
    // Esc gives the keyboard back to what opened it.
    page.press("Escape");
    page.wait_until("!document.querySelector('#why')");
    assert_eq!(page.eval("return document.activeElement.dataset.do"), "why 0");
}

fn a_broken_cell_says_why_with_the_keyboard_alone(visitor: &Visitor) {
    let page = open(visitor, 1440);
    page.eval("document.querySelector('[data-do=\"verdict 0 stale-write\"]').focus(); return 0");
    page.press("Enter");
    page.wait_for(".wit [data-do='why 0 stale-write']");
    page.eval("document.querySelector('.wit [data-do^=why]').focus(); return 0");
    page.press("Enter");
    page.wait_for_text("#why h2", |t| t == "Why “No fencing” let an old write in");
    assert_eq!(page.eval("return document.activeElement.id"), "why");
    page.press("Escape");
    page.wait_until("!document.querySelector('#why')");
    assert_eq!(page.eval("return document.activeElement.dataset.do"), "why 0 stale-write");
}

fn on_a_phone_the_chain_is_a_list(visitor: &Visitor) {
    let page = open(visitor, 390);
    page.click(".dh > [data-do='why 0']");
    page.wait_for("#why .chn li");
    let overlap = "const all = [...document.querySelectorAll('#why .chn li')].map(e => e.getBoundingClientRect()); \
                   return all.some((r, i) => i > 0 && r.top < all[i - 1].bottom - 1)";
    assert_eq!(page.eval(overlap), false);
    assert_eq!(
        page.eval("return document.querySelector('#why').scrollWidth > document.querySelector('#why').clientWidth"),
        false
    );
    assert_eq!(page.eval("return getComputedStyle(document.querySelector('#why .wp')).display"), "none");
    page.click("#why > .btn");
    page.wait_until("!document.querySelector('#why')");
}
