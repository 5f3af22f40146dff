//! The program comes in two parts: the first view does with one of them, and what needs the other waits for it.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![
    the_first_view_does_without_the_rest,
    another_story_brings_the_rest_with_it,
    a_rest_that_does_not_come_loses_nothing,
];

const FILE: &str = "rest-";

/// The page, told that the rest of the program does not come.
fn without_rest(visitor: &Visitor, width: u32, height: u32, dark: bool) -> Browser {
    // A page without a program first: what blocks has to be there before the page is.
    let page = visitor.open("favicon.svg", width, height, dark);
    page.console_errors();
    page.withhold(Some(FILE));
    page.go("");
    page.wait_for("#stories-button:not(:disabled)");
    page
}

fn the_first_view_does_without_the_rest(visitor: &Visitor) {
    for (width, height, dark) in [(1440, 900, false), (1024, 900, true), (390, 844, false)] {
        let page = without_rest(visitor, width, height, dark);
        assert_eq!(page.text("h1"), "GC pause");
        page.wait_until("document.querySelectorAll('svg.dg').length > 0");
        // Nobody has moved a hand: it was not even asked for.
        page.wait_until("document.querySelector('#opens').offsetWidth == 0");
        assert_eq!(page.refusals(), 0);
        // A hand asks for it. Steps and play go on without.
        page.press("Home");
        page.wait_until("document.querySelector('.tp output').textContent == '0.000 s'");
        page.press("ArrowRight");
        page.wait_until("document.querySelector('.tp output').textContent == '0.005 s'");
        page.wait_for_refusals(1);
        page.press(" ");
        page.wait_until("document.querySelector('.tp output').textContent != '0.005 s'");
        page.press("Home");
        page.wait_until("document.querySelector('.tp output').textContent == '0.000 s'");
        assert_eq!(page.count("#crash:not([hidden])"), 0, "{}", page.hidden_text("#crash"));
        // A browser may complain of a file that does not come.
        page.console_errors();
        page.withhold(None);
    }
}

fn another_story_brings_the_rest_with_it(visitor: &Visitor) {
    let page = visitor.open("#p=split-votes", 1440, 900, false);
    page.wait_until("performance.getEntriesByType('resource').filter(e => /rest-/.test(e.name)).length == 1");
    // One request, and none for which everything waited.
    page.wait_for("#stories-button:not(:disabled)");
    let of_script =
        "performance.getEntriesByType('resource').filter(e => /rest-/.test(e.name)).map(e => e.initiatorType).join()";
    assert_eq!(page.eval(&format!("return {of_script}")), "fetch");
}

fn a_rest_that_does_not_come_loses_nothing(visitor: &Visitor) {
    let page = without_rest(visitor, 1440, 900, false);
    // Something that the first view does not have.
    page.fill("#lock-ttl", "12");
    page.wait_for("#crash:not([hidden])");
    page.wait_for_text("#crash-head", |t| t.contains("did not come"));
    page.wait_for_text("#crash-why", |t| t.contains("could not be fetched"));
    page.console_errors();
    // The connection is there again.
    page.withhold(None);
    page.click("#crash button");
    page.wait_for("#stories-button:not(:disabled)");
    // What was thrown into the middle of the program's work broke that for good; its later complaints come late.
    page.console_errors();
    assert_eq!(page.count(".note"), 0);
    page.fill("#lock-ttl", "14");
    page.wait_until("localStorage.getItem('fencepost.text').includes('\"14s\"')");
}
