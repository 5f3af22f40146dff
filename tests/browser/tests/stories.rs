//! Stories: what a person does with the page, from opening it to what they came for. Few and long.

use browser_tests::harness::Browser;

#[test]
fn the_page_opens_without_a_complaint() {
    let page = Browser::open("", 1440, 900, false);
    page.wait_for_text("h1", |text| text == "GC pause");
    assert_eq!(page.path(), "");
    assert_eq!(page.eval("return document.title"), "GC pause · Fencepost");
}

#[test]
fn a_phone_gets_a_page_of_its_own_width() {
    let page = Browser::open("", 390, 844, true);
    page.emulate("prefers-reduced-motion", "reduce");
    page.wait_for("h1");
    assert_eq!(page.eval("return innerWidth"), 390);
    assert_eq!(page.eval("return document.documentElement.scrollWidth"), 390);
    assert_eq!(page.eval("return matchMedia('(prefers-color-scheme: dark)').matches"), true);
}
