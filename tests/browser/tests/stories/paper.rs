//! What is printed: everything that was chosen, from whatever window, and text as text.

use browser_tests::engine::Engine;
use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use serde_json::json;

/// The other drivers cannot show what paper would look like.
pub const STORIES: &[Story] =
    stories![only &[Engine::Chromium]; a_phone_prints_every_design, three_designs_come_in_pairs];

const MARKUP: &str = "<img src=x onerror=hacked()> & <b>bold</b>";
const HEBREW: &str = "מנעול</svg><script>hacked()</script>";

fn story() -> String {
    let long = "Donaudampfschifffahrtsgesellschaft";
    [
        "schema = \"fencepost.scenario/1\"\n",
        &format!("title = '{MARKUP}'\nclaim = '{HEBREW}'\n"),
        &format!("[[worker]]\nname = '{long}'\nclient.check_deadline = false\n[[worker]]\nname = 'W2'\nstart = '2s'\n"),
        &format!("[[fault]]\npause = '{long}'\nat = '500ms'\nuntil = '15s'\n"),
        &format!("[[design]]\nname = '{MARKUP}'\nprotection = 'none'\n"),
        &format!("[[design]]\nname = '{HEBREW}'\nprotection = 'fencing'\n"),
    ]
    .concat()
}

/// As a browser does it: first it tells the page, then it lays it out for paper.
fn begin(page: &Browser, bodies: usize) {
    page.run_inside("dispatchEvent(new Event('beforeprint'))");
    page.emulate_print(true);
    page.wait_for_value("document.querySelectorAll('.body').length", bodies);
}

fn end(page: &Browser, bodies: usize) {
    page.emulate_print(false);
    page.run_inside("dispatchEvent(new Event('afterprint'))");
    page.wait_for_value("document.querySelectorAll('.body').length", bodies);
}

/// The texts of all elements that match and are on the paper.
const SHOWN: &str = "const shown = css => [...document.querySelectorAll(css)].filter(e => e.checkVisibility()).map(e => e.textContent);";

fn a_phone_prints_every_design(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, true);
    page.wait_for("#stories-button:not(:disabled)");
    page.run_inside("window.wasHacked = 0; window.hacked = () => { window.wasHacked++ }");
    page.click(".scn .seg button:nth-child(2)");
    page.put("#text", &story());
    page.wait_until("document.querySelector('h1').textContent.startsWith('<img')");
    page.resize(390, 844, 1);
    page.wait_for_value("document.querySelectorAll('.body').length", 1);
    begin(&page, 2);
    let names = page.eval(&format!("{SHOWN} return shown('.dh h2 > span:first-child')"));
    assert_eq!(names, json!([MARKUP, HEBREW]), "every design under its name");
    assert_eq!(page.eval(&format!("{SHOWN} return shown('h1, .claim')")), json!([MARKUP, HEBREW]));
    // All of both pictures, of the list, and what pins the runs down.
    let whole = page.eval(
        "return [...document.querySelectorAll('.body')].every(b => b.querySelectorAll('.m').length > 15 && b.querySelector('.mark'))",
    );
    assert_eq!(whole, true, "both pictures are drawn to their ends");
    assert_eq!(page.eval(&format!("{SHOWN} return shown('.evl li').length >= 24 && shown('footer, .prt').length")), 2);
    assert_eq!(page.eval(&format!("{SHOWN} return shown('.top, .tp, .ptabs, .scn, .txt, .seg, .grip')")), json!([]));
    // A sheet is light, whatever the screen is.
    assert_eq!(page.eval("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)");
    let strangers = page.eval(
        "return document.querySelectorAll('main img, main script, main b[onmouseover]').length + window.wasHacked",
    );
    assert_eq!(strangers, 0, "text stays text");
    // What is drawn at .6 of its size fits the 180 mm between the margins of a sheet.
    let wide = page.eval(
        "return Math.max(...[...document.querySelectorAll('.cols')].map(e => e.getBoundingClientRect().width)) <= 720",
    );
    assert_eq!(wide, true, "the picture fits the sheet");
    end(&page, 1);
    assert_eq!(page.eval("return document.querySelectorAll('.ptabs [role=tab]').length"), 2);
}

fn three_designs_come_in_pairs(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page.click(".dzn:nth-child(3) input");
    page.wait_for_value("document.querySelectorAll('.ptabs [role=tab]').length", 3);
    // Each beside the first.
    begin(&page, 4);
    let names = page.eval(&format!("{SHOWN} return [...new Set(shown('.dh h2 > span:first-child'))].length"));
    assert_eq!(names, 3);
    end(&page, 2);
}
