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
    let says = |selector: &str, words: &[&str]| {
        page.wait_for_text(selector, |text| {
            let text = text.replace('\u{a0}', " ");
            words.iter().all(|words| text.contains(words))
        });
    };
    // The most telling promise first; another one is a press away.
    page.click("#why [data-do='why 0 lost-update']");
    page.wait_for_text("#why h2", |t| t == "Why “No fencing” lost an update");
    says("#why .chn li:first-child", &["0.005 The service grants W1 the lock until 10.005 s."]);
    says("#why .chn li:last-child", &["15.005 The resource accepts W1’s write. W2’s update is gone."]);
    says("#why .asm", &["Assumption broken: a bounded pause. Needed: under 9.701 s; was: 14.5 s."]);
    says("#why .cf section:nth-child(1)", &["Fencing at the resource", "refuses W1 at 15.005 s"]);
    says("#why .cf section:nth-child(2)", &["A longer lease", "a longer pause breaks it"]);
    // What each costs; and what is no cause is set back.
    page.wait_until("document.querySelectorAll('#why .pt tbody tr').length >= 9");
    page.wait_until("document.querySelectorAll('#why .wd [data-back]').length > 5");
    // Esc gives the keyboard back to what opened it.
    page.press("Escape");
    page.wait_until("!document.querySelector('#why')");
    page.wait_for_value("document.activeElement.dataset.do", "why 0");
}

fn a_broken_cell_says_why_with_the_keyboard_alone(visitor: &Visitor) {
    let page = open(visitor, 1440);
    page.eval("document.querySelector('[data-do=\"verdict 0 stale-write\"]').focus(); return 0");
    page.press("Enter");
    page.wait_for(".wit [data-do='why 0 stale-write']");
    page.eval("document.querySelector('.wit [data-do^=why]').focus(); return 0");
    page.press("Enter");
    page.wait_for_text("#why h2", |t| t == "Why “No fencing” let an old write in");
    page.wait_for_value("document.activeElement.id", "why");
    page.press("Escape");
    page.wait_until("!document.querySelector('#why')");
    page.wait_for_value("document.activeElement.dataset.do", "why 0 stale-write");
}

fn on_a_phone_the_chain_is_a_list(visitor: &Visitor) {
    let page = open(visitor, 390);
    page.click(".dh > [data-do='why 0']");
    page.wait_for("#why .chn li");
    let overlap = "[...document.querySelectorAll('#why .chn li')].map(e => e.getBoundingClientRect()) \
                   .some((r, i, all) => i > 0 && r.top < all[i - 1].bottom - 1)";
    page.wait_for_value(overlap, false);
    page.wait_until("document.querySelector('#why').scrollWidth <= document.querySelector('#why').clientWidth");
    page.wait_for_value("getComputedStyle(document.querySelector('#why .wp')).display", "none");
    page.click("#why > .btn");
    page.wait_until("!document.querySelector('#why')");
}
