//! Stories: what a person does with the page, from opening it to what they came for. Few and long.

use browser_tests::engine::Engine;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![the_page_opens_without_a_complaint, a_phone_gets_a_page_of_its_own_width,];

fn the_page_opens_without_a_complaint(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for_text("h1", |text| text == "GC pause");
    page.wait_for_value("document.title", "GC pause · Fencepost");
    assert_eq!(page.path(), "");
}

fn a_phone_gets_a_page_of_its_own_width(visitor: &Visitor) {
    let page = visitor.open("", 390, 844, true);
    if visitor.engine() != Engine::WebKit {
        page.emulate("prefers-reduced-motion", "reduce");
    }
    page.wait_for("h1");
    page.wait_for_value("innerWidth", 390);
    page.wait_for_value("document.documentElement.scrollWidth", 390);
    page.wait_for_value("matchMedia('(prefers-color-scheme: dark)').matches", true);
}
