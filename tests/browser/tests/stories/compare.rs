//! Comparing: all nine designs of a story, and all stories.

use browser_tests::stories;
use browser_tests::story::{Story, Visitor};

pub const STORIES: &[Story] = stories![
    all_nine_designs_are_compared_by_mouse_and_by_keyboard,
    a_cell_of_all_stories_opens_the_story_with_that_design,
];

fn all_nine_designs_are_compared_by_mouse_and_by_keyboard(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, false);
    page.wait_for("#nine-button:not(:disabled)");
    page.click("#nine-button");
    page.wait_until("document.querySelectorAll('#nine .cell').length == 9");
    page.wait_for_value("document.querySelectorAll('#nine .cell .vd.bad').length", 5);
    page.wait_for_value("document.querySelectorAll('#nine .th svg.dg:not(.hd)').length", 9);
    page.wait_until("!document.querySelector('.cols')");
    // Five pictures beside each other, and nothing reaches over the page.
    page.wait_for_value("document.documentElement.scrollWidth", 1440);
    let tops = "new Set([...document.querySelectorAll('#nine .grp9:nth-of-type(1) .th')].map(e => e.getBoundingClientRect().top)).size";
    page.wait_for_value(tops, 1);
    // A tick chooses a column, Esc leads back to where the keyboard was, and three designs stand side by side.
    page.click("#nine [data-set='tick 5']");
    page.wait_until("document.querySelectorAll('#nine input:checked').length == 3");
    page.press("Escape");
    page.wait_for("#nine-button:focus");
    page.wait_until(
        "document.querySelectorAll('.body').length == 2 && document.querySelectorAll('.ptabs button').length == 3",
    );
    page.click("[data-do=fold]");
    page.wait_until("document.querySelectorAll('.body').length == 3 && !document.querySelector('.ptabs')");
    // A picture opens its design, in front.
    page.eval("document.querySelector('#nine-button').focus()");
    page.press("Enter");
    page.wait_for("#nine .th");
    page.eval("document.querySelector('#nine [data-do=\"show consensus+fencing\"]').focus()");
    page.press("Enter");
    page.wait_until("!document.querySelector('#nine') && document.querySelectorAll('.ptabs button').length == 4");
    page.wait_for_text(".ptabs [tabindex='0']", |t| t.starts_with("Consensus and fencing"));
}

fn a_cell_of_all_stories_opens_the_story_with_that_design(visitor: &Visitor) {
    for width in [1440, 390] {
        let page = visitor.open("", width, 844, false);
        page.wait_for("#stories-button:not(:disabled)");
        page.click(if width > 1000 { "#table-button" } else { ".cmp.below [data-do='panel table']" });
        page.wait_until(
            "document.querySelectorAll('#table tbody tr[id]').length > 40 && !document.querySelector('#table .job')",
        );
        page.wait_for_value("document.querySelectorAll('#row-gc-pause td.bad').length", 5);
        page.wait_for_value("document.querySelectorAll('#row-gc-pause td.good').length", 4);
        page.wait_for_value("document.documentElement.scrollWidth", width);
        page.click("#row-delayed-packet [data-do='case delayed-packet activation']");
        page.wait_for_text("h1", |t| t == "Delayed packet");
        page.wait_until("!document.querySelector('#table')");
        page.wait_until("[...document.querySelectorAll('.ptabs [tabindex=\"0\"]')].some(e => e.textContent.startsWith('Activation fence'))");
    }
}
