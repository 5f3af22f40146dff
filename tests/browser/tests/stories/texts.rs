//! Texts that the program does not carry: they come when they are wanted, and the page does without them as long as it must.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![
    what_did_not_come_is_said_and_can_be_tried_again,
    a_link_to_a_story_that_does_not_come_says_so,
    a_link_shows_its_own_story_and_no_other,
    the_texts_are_there_before_anybody_asks,
];

const FILE: &str = "texts-";

/// The page, told that the file of texts does not come.
fn without_texts(visitor: &Visitor, path: &str) -> Browser {
    // A page without a program first: what blocks has to be there before the page is.
    let page = visitor.open("favicon.svg", 1440, 900, false);
    page.console_errors();
    page.withhold(Some(FILE));
    page.go(path);
    page.wait_for("#stories-button:not(:disabled)");
    page
}

fn what_did_not_come_is_said_and_can_be_tried_again(visitor: &Visitor) {
    let page = without_texts(visitor, "");
    // The first story can be worked with.
    page.fill("#lock-ttl", "12");
    page.wait_for_text("#stories-button small", |t| t == "basics" || t == "edited");
    page.wait_until("document.querySelector('textarea, #lock-ttl').value == '12'");
    // Asked for when nothing else was to be done, and again by whoever wants to see them.
    page.wait_for_refusals(1);
    page.click("#stories-button");
    page.wait_for_refusals(2);
    page.wait_for_text("#picker .none", |t| t.contains("did not come"));
    page.wait_until("!document.querySelector('#picker [role=option]')");
    page.withhold(None);
    page.click("#picker .none button");
    page.wait_until("document.querySelectorAll('#picker [role=option]').length > 80");
    page.press("Escape");
    page.press("?");
    page.wait_for("#help details");
    // A browser may complain of a file that does not come.
    page.console_errors();
}

fn a_link_to_a_story_that_does_not_come_says_so(visitor: &Visitor) {
    let page = without_texts(visitor, "#p=delayed-packet");
    page.wait_for_text(".note", |t| t.contains("delayed-packet") && t.contains("did not come"));
    page.wait_for_text("h1", |t| t == "GC pause");
    page.withhold(None);
    page.click(".note button");
    page.wait_for_text("h1", |t| t != "GC pause");
    page.wait_until("!document.querySelector('.note')");
    page.wait_for_value("location.hash", "#p=delayed-packet");
    page.console_errors();
}

fn a_link_shows_its_own_story_and_no_other(visitor: &Visitor) {
    let page = visitor.open("#p=delayed-packet", 1440, 900, false);
    // Until it is there, the page says that it is opened.
    page.wait_until(
        "document.documentElement.className == 'opens' || document.querySelector('#stories-button:not(:disabled)')",
    );
    page.wait_for_text("h1", |t| t != "GC pause");
    page.wait_until("document.documentElement.className == ''");
    // A draft that is somebody else's story is told from it when the texts are there.
    page.go("#p=no-such-story");
    page.wait_for_text(".note", |t| t.contains("no-such-story"));
}

fn the_texts_are_there_before_anybody_asks(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_until(
        "performance.getEntriesByType('resource').some(r => r.name.includes('/texts-') && r.responseEnd > 0)",
    );
    page.click("#stories-button");
    page.wait_for("#picker [role=option]");
}
