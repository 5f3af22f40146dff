//! What a browser may refuse: storage that is full or forbidden, a clipboard, workers. The page works on, and says what it cannot do.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] =
    stories![a_full_storage_is_told_once, a_sandbox_is_enough_to_play, without_a_clipboard_one_copies_by_hand];

/// All that a visit needs, where nothing can be kept for the next one.
fn works(page: &Browser) {
    page.wait_for("#stories-button:not(:disabled)");
    page.fill("#fault-0-until", "9");
    page.wait_until("document.querySelectorAll('.dh .vd.good').length == 2");
    page.wait_for_text(".note p", |t| t.contains("when this tab closes"));
    page.click(".note [data-do=dismiss]");
    // Once is enough.
    // What explains the field lies over it, until one scrolls.
    page.scroll_to("#fault-0-until");
    page.fill("#fault-0-until", "16");
    page.wait_until("document.querySelectorAll('.dh .vd.bad').length == 1");
    assert_eq!(page.count(".note"), 0);
    page.click("h1");
    page.click("[aria-label=Undo]");
    page.wait_until("document.querySelectorAll('.dh .vd.good').length == 2");
    page.click("#theme-button");
    page.click("#theme-menu [data-do='theme dark']");
    page.wait_until("document.documentElement.dataset.theme == 'dark'");
    page.click("#stories-button");
    page.click("#story-delayed-packet");
    page.wait_for_text("h1", |t| t != "GC pause");
    page.press("Control+z");
    page.wait_for_text("h1", |t| t == "GC pause");
    page.click("#share-button");
    page.wait_for("#share-link");
}

fn a_full_storage_is_told_once(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.eval(
        "let size = 1 << 20; for (let k = 0; size > 0; k++) \
         try { localStorage.setItem('filled' + k, 'x'.repeat(size)) } catch { size >>= 1 }",
    );
    works(&page);
}

fn a_sandbox_is_enough_to_play(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.go_into_sandbox();
    let storage = page.eval("try { localStorage.length; return 'allowed' } catch (e) { return e.name }");
    assert_eq!(storage, "SecurityError");
    works(&page);
}

fn without_a_clipboard_one_copies_by_hand(visitor: &Visitor) {
    for clipboard in ["{ writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }", "undefined"] {
        let page = visitor.open("", 1440, 900, false);
        page.wait_for("#stories-button:not(:disabled)");
        page.run_inside(&format!("Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard} }})"));
        page.click("#share-button");
        page.wait_for("#share-link");
        page.click("#share [data-do='take #share-link']");
        let said = page.wait_for_text("#share [role=status]", |t| !t.is_empty());
        assert!(said.contains("Ctrl"), "{clipboard}: {said}");
        let selected = page.eval("return getSelection().toString().trim()");
        assert_eq!(selected, page.hidden_text("#share-link"), "{clipboard}: it lies ready to be copied");
    }
}
