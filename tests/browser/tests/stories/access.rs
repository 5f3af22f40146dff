//! axe-core finds no fault in any view that shuts people out: light and dark, on a desk and on a phone.

use browser_tests::engine::Engine;
use browser_tests::harness::Browser;
use browser_tests::stories;
use browser_tests::story::{Story, Visitor};
use serde_json::Value;
use std::fs;

/// What axe looks at is the tree and its styles, which are the same in all engines but for their faults.
pub const STORIES: &[Story] = stories![only &[Engine::Chromium]; a_desk_by_day, a_desk_by_night, a_phone_by_day, a_phone_by_night, a_service_of_five];
/// A few in the others too, whose menus, fields and dialogs are their own.
pub const ELSEWHERE: &[Story] = stories![only &[Engine::Firefox, Engine::WebKit]; a_few_views];

/// A view: what is pressed to come there, and what is there then.
struct View {
    name: &'static str,
    press: &'static [&'static str],
    shows: &'static str,
    on: Screens,
}

#[derive(PartialEq)]
enum Screens {
    All,
    Desks,
    Phones,
}
use Screens::{All, Desks, Phones};

const STARTED: &str = "#stories-button:not(:disabled)";

const TABLE: &str = "#table:not(:has(.job)) tbody tr[id]";

const VIEWS: &[View] = &[
    View { name: "page", press: &[], shows: STARTED, on: All },
    View { name: "scenario", press: &["#scenario-button"], shows: ".scn.open", on: Phones },
    View { name: "text", press: &[".scn .seg button:nth-child(2)"], shows: "#text", on: Desks },
    View { name: "picker", press: &["#stories-button"], shows: "#picker .oc", on: All },
    View { name: "theme", press: &["#theme-button"], shows: "#theme-menu", on: All },
    View { name: "help", press: &["#help-button"], shows: "#help", on: Desks },
    View { name: "nine", press: &["#nine-button"], shows: "#nine .cell:nth-child(3) svg", on: Desks },
    View { name: "sweep", press: &["#sweep-button"], shows: ".swp-ready button", on: Desks },
    View { name: "sweep", press: &[".cmp.below [data-do='panel sweep']"], shows: ".swp-ready button", on: Phones },
    View {
        name: "nine",
        press: &[".cmp.below [data-do='panel nine']"],
        shows: "#nine .cell:nth-child(3) svg",
        on: Phones,
    },
    View { name: "table", press: &["#table-button"], shows: TABLE, on: Desks },
    View { name: "table", press: &[".cmp.below [data-do='panel table']"], shows: TABLE, on: Phones },
    View {
        name: "search",
        press: &["#explore-button", "[data-set='explore kind drop']", ".xp-run button:not(:disabled)"],
        shows: ".xp-t .c.bad",
        on: Desks,
    },
    View {
        name: "search",
        press: &[".cmp.below [data-do='panel explore']", ".xp-set summary", ".xp-run button:not(:disabled)"],
        shows: ".xp-t .c.bad",
        on: Phones,
    },
    View {
        name: "order",
        press: &["[data-do='look order']"],
        shows: "[data-do='look order'][aria-pressed=true]",
        on: All,
    },
    View { name: "worker", press: &["#all-worker-0", "#all-worker-0-steps-2"], shows: "#find-worker-0", on: Desks },
    View { name: "faults", press: &["#add-fault"], shows: ".menu", on: Desks },
    View { name: "designs", press: &["#add-design"], shows: ".menu", on: Desks },
    View { name: "lock", press: &["#all-lock"], shows: "#find-lock", on: Desks },
    View { name: "lane", press: &["[data-do='lane 0 0']"], shows: "#ctx", on: Desks },
    View { name: "share", press: &["#share-button"], shows: "#share-link", on: All },
    View { name: "export", press: &["#share-button", "#share [data-do='export toml']"], shows: "#taken", on: All },
    View { name: "open", press: &["#share-button", "#share [data-do='panel open']"], shows: "#open", on: All },
    View { name: "why", press: &[".vt button.c.bad", ".wit [data-do^=why]"], shows: "#why .chn li", on: All },
    View { name: "witnesses", press: &[".vt button.c.bad"], shows: ".wit", on: Desks },
];

fn a_desk_by_day(visitor: &Visitor) {
    every_view(visitor, 1440, false);
}

fn a_desk_by_night(visitor: &Visitor) {
    every_view(visitor, 1440, true);
}

fn a_phone_by_day(visitor: &Visitor) {
    every_view(visitor, 390, false);
}

fn a_phone_by_night(visitor: &Visitor) {
    every_view(visitor, 390, true);
}

fn a_few_views(visitor: &Visitor) {
    let page = visitor.open("", 1440, 900, true);
    let few = ["page", "picker", "share", "text", "why"];
    let all = faults_of(&page, VIEWS.iter().filter(|it| it.on != Phones && few.contains(&it.name)));
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// A service of five nodes, pulled apart, and the menu of a participant.
fn a_service_of_five(visitor: &Visitor) {
    let mut all = Vec::new();
    for dark in [false, true] {
        let page = visitor.open("#p=redlock-clock-jump", 1440, 900, dark);
        page.wait_for_text("h1", |t| t != "GC pause");
        unfold(&page);
        page.click("[data-do='lane 0 0']");
        page.wait_for("#ctx [role=menuitem]");
        bring_axe(&page);
        all.extend(faults(&page));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// Opens the participants' menus one after another, until one offers to show each node, and takes that.
fn unfold(page: &Browser) {
    for lane in 0.. {
        page.click(&format!("[data-do='lane 0 {lane}']"));
        page.wait_for("#ctx [role=menuitem]");
        let offer = page.eval(
            "return [...document.querySelectorAll('#ctx [role=menuitem]')].find(e => e.textContent.includes('each node'))?.dataset.do",
        );
        if let Some(offer) = offer.as_str() {
            page.click(&format!("#ctx [data-do='{offer}']"));
            page.wait_until("!document.querySelector('#ctx')");
            return;
        }
        page.press("Escape");
        page.wait_until("!document.querySelector('#ctx')");
    }
}

fn every_view(visitor: &Visitor, width: u32, dark: bool) {
    let left_out = if width < 600 { Desks } else { Phones };
    let page = visitor.open("", width, 844, dark);
    let all = faults_of(&page, VIEWS.iter().filter(|it| it.on != left_out));
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

/// Goes to each view and lets axe look.
fn faults_of<'a>(page: &Browser, views: impl Iterator<Item = &'a View>) -> Vec<String> {
    let mut all = Vec::new();
    for view in views {
        page.leave();
        page.go("");
        page.wait_for(STARTED);
        for css in view.press {
            page.click(css);
        }
        page.wait_for(view.shows);
        bring_axe(page);
        all.extend(faults(page).into_iter().map(|fault| format!("{}: {fault}", view.name)));
    }
    all
}

fn bring_axe(page: &Browser) {
    let path = std::env::var("FENCEPOST_AXE").expect(
        "FENCEPOST_AXE names axe-core's axe.min.js, which `cargo xtask test --only browser` puts into its cache",
    );
    page.run_inside(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}")));
}

/// One line for each rule that is broken: the rule, how bad it is, and where.
fn faults(page: &Browser) -> Vec<String> {
    let found = page.eval(
        "return axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations.map(it => \
         `${it.id} (${it.impact}): ${it.help}: ` + it.nodes.slice(0, 4).map(node => node.target.join(' ') + ' ' + \
         node.any.concat(node.all, node.none).map(why => why.message).slice(0, 1).join()).join(' | ')))",
    );
    let found: &[Value] = found.as_array().map_or(&[], Vec::as_slice);
    found.iter().map(|it| it.as_str().unwrap_or_default().to_owned()).collect()
}
