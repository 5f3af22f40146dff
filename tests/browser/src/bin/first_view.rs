//! Opens the first view as people do, looks at it, and prints the numbers of the functions that ran, of a page whose functions note that
//! (`cargo xtask record`).

use browser_tests::engine::Engine;
use browser_tests::story::Visitor;

fn main() {
    let visitor = Visitor::passing(Engine::Chromium);
    for (width, height, dark) in [(1440, 900, false), (1024, 900, true), (390, 844, false)] {
        let page = visitor.open("", width, height, dark);
        page.wait_until("document.querySelectorAll('svg.dg').length > 0");
        page.resize(width - 30, height + 20, 1);
        // A few steps, and some play.
        for key in ["ArrowRight", "ArrowRight", "ArrowLeft", "Space"] {
            page.press(key);
        }
        page.eval("return new Promise(done => setTimeout(done, 2000))");
        let ran = page.eval("return [...ran].join(' ')");
        println!("{}", ran.as_str().unwrap_or_default());
    }
}
