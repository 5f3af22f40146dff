//! What a browser may refuse. The page works on, and says what it cannot do.

use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![without_a_clipboard_one_copies_by_hand];

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
