//! Pointer and keyboard on the page: who has the keyboard, what a drag does, what stays as it is while one types.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![
    a_field_stays_itself_while_one_types,
    a_list_shows_what_was_taken_back,
    menus_close_and_give_the_keyboard_back,
    the_cursor_follows_pointer_and_keyboard,
];

/// Waits until the element that has the keyboard matches.
fn wait_for_focus(page: &Browser, css: &str) {
    page.wait_until(&format!("document.activeElement.matches({css:?})"));
}

fn open(visitor: &Visitor) -> Browser {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page
}

fn a_field_stays_itself_while_one_types(visitor: &Visitor) {
    let page = open(visitor);
    // The unit beside the number goes while one types; the field, the keyboard and the caret stay.
    page.fill("#lock-ttl", "12");
    page.eval("window.field = document.activeElement; field.setSelectionRange(1, 1)");
    page.press("3");
    page.wait_until("document.querySelector('#lock-ttl').value == '132'");
    page.wait_until("field == document.activeElement && field.selectionStart == 2");
    // What cannot be run is said under the field, and stays there until it is mended or given up.
    page.fill("#lock-ttl", "12x");
    page.wait_for("#lock-ttl-error");
    page.wait_for("#lock-ttl[aria-invalid=true]");
    page.click("h1");
    page.wait_for("#lock-ttl-error");
    page.click("#lock-ttl");
    page.press("Escape");
    page.wait_until("!document.querySelector('#lock-ttl-error')");
    page.wait_until("document.querySelector('#lock-ttl').value != '12x'");
    // A text area keeps its caret too.
    page.click(".scn .seg button:nth-child(2)");
    page.wait_for("#text");
    page.eval("const t = document.querySelector('#text'); t.focus(); t.setSelectionRange(0, 0)");
    page.press("#");
    page.wait_until("document.querySelector('.ed .l em')");
    page.wait_for_value("document.querySelector('#text').selectionStart", 1);
    page.eval("const t = document.querySelector('#text'); const at = t.value.indexOf('title'); t.setSelectionRange(at, at); t.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true}))");
    page.wait_for_text(".ref .cur code", |t| t == "title");
}

fn a_list_shows_what_was_taken_back(visitor: &Visitor) {
    let page = open(visitor);
    let choose = |word: &str| {
        page.eval(&format!(
            "const s = document.querySelector('#lock-service'); s.value = '{word}'; s.dispatchEvent(new Event('input', {{bubbles: true}}))"
        ));
        page.wait_until(&format!("document.querySelector('#lock-service').value == '{word}' && document.querySelector('[aria-label=Undo]:not(:disabled)')"));
    };
    for _ in 0..2 {
        choose("none");
        page.click("[aria-label=Undo]");
        page.wait_until("document.querySelector('#lock-service').value == 'redis'");
    }
    // What can be added is chosen from a list that shows its plus again.
    let faults = page.count("[data-list=fault]>*");
    page.click("#add-fault");
    page.click(".menu button:nth-child(2)");
    page.wait_until(&format!("document.querySelectorAll('[data-list=fault]>*').length == {}", faults + 1));
    // What was added has the keyboard, and the list is closed.
    page.wait_until("!document.querySelector('.menu')");
    page.wait_for_text("[data-list=fault]>:last-child .steps", |t| t == "crashes");
    page.eval("[...document.querySelectorAll('[data-list=fault] [data-do^=remove]')].pop().click()");
    page.wait_until(&format!("document.querySelectorAll('[data-list=fault]>*').length == {faults}"));
    page.click(".dz input");
    page.wait_until("document.querySelectorAll('.dh').length == 1");
    page.click(".dz input");
    page.wait_until("document.querySelectorAll('.dh').length == 2");
}

fn menus_close_and_give_the_keyboard_back(visitor: &Visitor) {
    let page = open(visitor);
    page.click("#theme-button");
    wait_for_focus(&page, "#theme-menu button");
    page.press("ArrowDown");
    page.press("ArrowDown");
    page.press("Enter");
    page.wait_until("!document.querySelector('#theme-menu')");
    wait_for_focus(&page, "#theme-button");
    page.wait_for_value("document.documentElement.dataset.theme", "dark");
    // A press elsewhere closes, and so does the keyboard when it leaves.
    page.click("#theme-button");
    wait_for_focus(&page, "#theme-menu button");
    page.click("h1");
    page.wait_until("!document.querySelector('#theme-menu')");
    page.click("#theme-button");
    page.wait_for("#theme-menu");
    page.eval("document.querySelector('#stories-button').focus()");
    page.wait_until("!document.querySelector('#theme-menu')");
    page.click("#theme-button");
    page.wait_for("#theme-menu");
    page.click("#share-button");
    page.wait_until("!document.querySelector('#theme-menu') && document.querySelector('#share')");
    wait_for_focus(&page, "#share");
    page.press("Escape");
    wait_for_focus(&page, "#share-button");
    // Tab stays inside a panel.
    page.click("#help-button");
    wait_for_focus(&page, "#help");
    page.press("Tab");
    wait_for_focus(&page, "#help .cls");
    page.press("Tab");
    wait_for_focus(&page, "#help .cls");
    page.press("Enter");
    wait_for_focus(&page, "#help-button");
    // A group of stories, and another row.
    page.click("#stories-button");
    page.click("#picker .gnav button:nth-child(3)");
    page.wait_for("#picker .gnav button:nth-child(3)[aria-pressed=true]");
    let first = page.text("#picker [aria-selected=true] .n");
    page.press("ArrowDown");
    page.wait_for_text("#picker [aria-selected=true] .n", |t| t != first);
    page.click("#picker [aria-selected=true]");
    page.wait_for_text("h1", |t| t != "GC pause" && t != first);
    page.wait_until("!document.querySelector('#picker')");
}

fn the_cursor_follows_pointer_and_keyboard(visitor: &Visitor) {
    let page = open(visitor);
    let time = "document.querySelector('.tp output').textContent";
    page.drag(".rail", 0, 100);
    page.wait_for(".hair");
    let dragged = page.eval(&format!("return {time}"));
    page.hover("h1");
    page.hover(".rail");
    assert_eq!(page.eval(&format!("return {time}")), dragged, "only a pointer that is down drags");
    page.drag(".tk", 200, 0);
    page.wait_until(&format!("{time} != {dragged}"));
    wait_for_focus(&page, ".tk");
    let before = page.text(".tp output");
    page.press("ArrowUp");
    page.wait_for_text(".tp output", |t| t != before);
    page.wait_until("document.querySelector('#live').textContent");
    page.click(".tp [aria-label='Step back']");
    page.wait_for_text(".tp output", |t| t == before);
    // An event of the picture is lit under the pointer, singled out by a press, and let go of beside it.
    page.eval("document.querySelector('.evl li:nth-child(3) button').scrollIntoView({block: 'center'})");
    page.hover(".evl li:nth-child(3) button");
    page.wait_until("document.querySelector('fieldset.root > style').textContent.includes('.evl')");
    page.click(".evl li:nth-child(3) button");
    page.wait_for(".evl li:nth-child(3) button.on");
    wait_for_focus(&page, ".evl li:nth-child(3) button");
    page.eval("document.querySelector('.body .m[tabindex=\"0\"]').focus()");
    // On the way there are handles, too; Enter opens their menu, and singles out a message.
    for _ in 0..2 {
        page.press("ArrowDown");
        page.press_until("ArrowDown", 10, "document.activeElement.matches('.body .m')");
    }
    page.press("Enter");
    page.wait_until(
        "document.querySelectorAll('.evl .on').length > 0 && !document.querySelector('.evl li:nth-child(3) button.on')",
    );
    page.eval("scrollTo(0, 0)");
    page.click(".dh p");
    page.wait_until("!document.querySelector('.evl .on')");
    // A verdict keeps the keyboard while it is pressed and released.
    page.click(".vt button.c.bad");
    page.wait_for(".wit");
    wait_for_focus(&page, ".vt button.c.bad");
    page.press("Enter");
    page.wait_until("!document.querySelector('.wit')");
    wait_for_focus(&page, ".vt button.c.bad");
    // The speed goes round, and the other design comes to the front of the list.
    page.click(".tp .hid");
    page.wait_for_text(".tp .hid", |t| t == "2×");
    page.click("#events .seg button:nth-child(2)");
    page.wait_for(".evl[data-col='1']");
}
