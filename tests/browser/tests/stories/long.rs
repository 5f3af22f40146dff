//! A run of ten thousand events: what is out of sight costs the page nothing, and is there when somebody looks. Counts are what is
//! asserted, never a time.

use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use serde_json::json;

pub const STORIES: &[Story] = stories![ten_thousand_events_are_drawn_where_one_looks];

/// So many shapes are drawn of a picture that would need a hundred thousand.
const SHAPES: usize = 4_000;

/// One worker reads and writes two thousand times.
fn scenario() -> String {
    "schema = \"fencepost.scenario/1\"\ntitle = \"A long story\"\nhorizon = \"10000s\"\nmax_events = 100000\n\
     [lock]\nttl = \"9000s\"\n[network]\none_way = \"5ms\"\n\
     [[worker]]\nname = \"W1\"\nsteps = [\"acquire\", { loop = 2000, steps = [\"read\", \"work 1s\", \"write\"] }, \"release\"]\n\
     [[design]]\nname = \"One\"\n[[design]]\nname = \"Two\"\nresource.guard = \"idempotency\"\n"
        .to_owned()
}

/// A message of the first column is in the window.
const MESSAGES: &str = "[...document.querySelectorAll('.body g.m .hit')].some(m => { const r = m.getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight })";

fn few(page: &Browser) {
    let shapes = page.count(".cols svg *");
    assert!(0 < shapes && shapes < SHAPES, "{shapes} shapes");
    let lines = page.count(".evl button");
    assert!(0 < lines && lines < 400, "{lines} lines");
}

fn ten_thousand_events_are_drawn_where_one_looks(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#stories-button:not(:disabled)");
    page.eval("document.querySelector('[data-do=text]').click()");
    page.wait_for("textarea");
    let text = json!(scenario()).to_string();
    page.eval(&format!(
        "const t = document.querySelector('textarea'); t.value = {text}; t.dispatchEvent(new Event('input', {{ bubbles: true }}))"
    ));
    page.wait_until("parseInt(document.querySelector('.evl li:last-child span').textContent) >= 10000");
    few(&page);
    page.wait_until(MESSAGES);

    // The end of the picture, and its middle.
    for part in ["1", ".5"] {
        page.eval(&format!(
            "const r = document.querySelector('.rail').getBoundingClientRect(); scrollBy(0, r.top + r.height * {part} - innerHeight)"
        ));
        page.wait_until(MESSAGES);
        few(&page);
    }

    // ↓ goes from message to message, over the border of what is drawn. The message that has the keyboard keeps it.
    page.eval("document.querySelector('.body g.m').focus()");
    let mut walked: Vec<i64> = Vec::new();
    // By tens, so that no driver loses its patience.
    for _ in 0..10 {
        let some = page.eval(
            "return (async () => {\n\
             const all = [], frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));\n\
             const here = () => document.activeElement.closest('.body, .grips');\n\
             for (let i = 0; i < 10; i++) {\n\
               document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));\n\
               do await frame(); while (!here());\n\
               if (document.activeElement.hasAttribute('data-n')) all.push(+document.activeElement.getAttribute('data-n'));\n\
             }\n\
             return all;\n\
             })()",
        );
        walked.extend(some.as_array().into_iter().flatten().filter_map(|n| n.as_i64()));
    }
    // One stop is no message: where the worker begins can be moved.
    assert!(walked.len() >= 98, "{walked:?}");
    // Between two messages stands at most one line that is none.
    assert!(walked.windows(2).all(|pair| (1..=3).contains(&(pair[1] - pair[0]))), "{walked:?}");
    few(&page);

    // All lines are there as text, so that they can be searched; where one looks they can be pressed.
    let told = page.hidden_text(".evl");
    assert_eq!(told.matches("writes").count(), 2_000, "{} letters", told.len());
    page.eval("const l = document.querySelector('.evl').getBoundingClientRect(); scrollBy(0, l.top + l.height / 2)");
    page.wait_until(
        "[...document.querySelectorAll('.evl button')].some(b => { const r = b.getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight })",
    );
    few(&page);
}
