//! The search as the page has it done: sliced, in several lanes, stopped and gone on with, it counts what it counts on the command line.
#![cfg(not(target_arch = "wasm32"))]

use fencepost::app::explore::Explore;
use fencepost::app::job::{Place, Standing};
use fencepost::app::{Action, Panel};

#[path = "explore/driven.rs"]
mod driven;
#[path = "explore/pinned.rs"]
mod pinned;

use driven::{Page, SMALL, TWO_WORKERS};

#[test]
fn lanes_slices_and_lost_walks_make_no_difference_to_the_counts() {
    pinned::compare();
    for lanes in [3, 0] {
        let mut page = Page::open(TWO_WORKERS, lanes);
        page.set(&SMALL);
        page.run(true);
        page.work(usize::MAX);
        assert!(page.state.explore.is_over() && !page.state.explore.running);
        assert_eq!(page.counts(), pinned::PINNED, "{lanes} lanes");
    }
}

#[test]
fn it_stops_with_a_partial_answer_and_goes_on_to_the_same_counts() {
    let mut page = Page::open(TWO_WORKERS, 2);
    page.set(&SMALL);
    page.run(true);
    page.work(40);
    page.run(false);
    let more = page.work(usize::MAX);
    assert!(more < 6, "what was under way, and the panel: {more}");
    let at_rest = page.state.explore.done;
    assert!(at_rest > 100 && !page.state.explore.is_over());
    let shown = page.state.explore.results.to_string();
    assert!(shown.contains("none yet") && shown.contains("first decisions done") && shown.contains("Stopped after"));
    page.run(true);
    page.work(usize::MAX);
    assert_eq!(page.counts(), pinned::PINNED);
    assert!(page.state.explore.results.contains("all with at most 2 faults"));
    assert!(page.state.explore.results.contains("All searched: 46,032 schedules. Broken: 9/9."));
}

#[test]
fn a_closed_panel_lets_the_workers_go_and_forgets_nothing_that_was_counted() {
    let mut page = Page::open(TWO_WORKERS, 2);
    page.set(&SMALL);
    page.run(true);
    page.work(30);
    let before = page.state.explore.let_go;
    page.act(Action::Panel(None));
    assert_eq!(page.state.explore.let_go, before + 1);
    assert!(!page.state.explore.running);
    let search =
        |s: &fencepost::app::AppState| s.jobs.working().filter(|t| matches!(t.job.place(), Place::Search(_))).count();
    assert_eq!(search(&page.state), 0);
    page.act(Action::Panel(Some(Panel::Explore)));
    page.work(usize::MAX);
    assert!(page.state.explore.done > 100 && search(&page.state) == 0);
    page.run(true);
    page.work(usize::MAX);
    assert_eq!(page.counts(), pinned::PINNED);
}

#[test]
fn another_story_or_another_bound_begins_anew() {
    let mut page = Page::open(TWO_WORKERS, 2);
    page.set(&SMALL);
    page.run(true);
    page.work(30);
    assert!(page.state.explore.done > 0);
    let lane = page.state.jobs.at(Place::Search(0)).expect("under way").clone();
    assert!(matches!(lane.standing, Standing::Working { .. }));
    page.act(Action::Type(format!("{TWO_WORKERS}# a remark\n").into()));
    let w = page.state.explore.clone();
    assert!(!w.running && w.done == 0 && w.results.is_empty() && !w.controls.is_empty());
    // What was under way is nobody's any more, even if it comes.
    page.act(Action::Answered(lane.number, vec![fencepost::app::job::VERSION.into(), "{}".into(), "".into()]));
    page.work(usize::MAX);
    assert!(page.state.explore.results.contains("not searched"));
    page.set(&[("total", "1")]);
    page.run(true);
    page.work(usize::MAX);
    assert!(page.state.explore.results.contains("all with at most 1 fault<"));
    // A text that cannot be read has nothing searched.
    page.run(true);
    page.act(Action::Type("[".into()));
    assert!(!page.state.explore.running);
}

#[test]
fn limits_are_reported_with_how_far_it_came_whoever_walks() {
    // Fewer designs are enough.
    let with = |words: &[&str]| {
        let kept = |l: &&str| !l.contains("protection") || words.iter().any(|w| l.contains(&format!("\"{w}\"")));
        TWO_WORKERS.lines().filter(kept).map(|l| [l, "\n"].concat()).collect::<String>()
    };
    let (one, two) = (with(&["activation"]), with(&["none", "activation"]));
    let stopped = |story: &str, lanes: u8, changes: &[(&str, &str)]| {
        let mut page = Page::open(story, lanes);
        page.set(&SMALL);
        page.set(changes);
        page.run(true);
        page.work(usize::MAX);
        (page.counts(), page.state.explore.results.to_string())
    };
    let few = [("schedules", "2000")];
    let (counts, shown) = stopped(&two, 3, &few);
    assert!(counts.iter().all(|c| c.0 + c.1 == 2_000), "{counts:?}");
    assert_eq!(stopped(&two, 1, &few).0, counts);
    assert!(shown.contains("stopped by the limit on schedules, with 2 faults: "));
    let little = [("memory", "1"), ("total", "3"), ("most pause", "3"), ("most delay", "3")];
    let (counts, shown) = stopped(&one, 2, &little);
    assert_eq!(stopped(&one, 0, &little).0, counts);
    assert!(shown.contains("stopped by the limit on memory, with "), "{shown}");
    assert!(shown.contains("none yet"));
}

#[test]
fn what_breaks_a_preset_is_found_and_opened() {
    let story = fencepost::scenario::preset::by_id("gc-pause").expect("the first story").text;
    let mut page = Page::open(story, 2);
    let shown = page.state.explore.results.to_string();
    assert!(shown.contains("not searched") && shown.contains("The story's own faults are left out."));
    page.set(&[("total", "1")]);
    page.run(true);
    page.work(usize::MAX);
    let shown = page.state.explore.results.to_string();
    assert!(shown.contains("1\u{a0}pause") && shown.contains("Stopped by"));
    page.act(Action::Explore(Explore::Case("0 stale-write".into())));
    page.work(usize::MAX);
    let shown = page.state.explore.results.to_string();
    assert!(shown.contains("W1 stands still") || shown.contains("W2 stands still"), "{shown}");
    page.act(Action::Explore(Explore::Open("0 stale-write".into())));
    page.work(usize::MAX);
    let s = &page.state;
    assert_eq!((s.doc.panel, s.doc.ticked.as_ref(), s.doc.can_undo), (None, [0].as_slice(), true));
    let scenario = s.doc.good.clone().expect("a story");
    let run = fencepost::run::run(&scenario, 0);
    assert!(run.report.violated(fencepost::check::Property::StaleWrite));
    assert_eq!(scenario.config(0).faults.len(), 1);
    page.act(Action::Undo);
    assert_eq!(*page.state.doc.text, *story);
}

#[test]
fn standard_designs_can_be_added_and_bounds_that_leave_nothing_are_told() {
    let story = "schema = \"fencepost.scenario/1\"\n[[worker]]\nname = \"W1\"\n[[worker]]\nname = \"W2\"\nstart = \"20ms\"\n\
                 [[design]]\nprotection = \"safe-release\"\n";
    let mut page = Page::open(story, 1);
    assert_eq!(page.counts().len(), 1);
    page.set(&[("add activation", "true"), ("total", "1")]);
    assert_eq!(page.counts().len(), 2);
    page.run(true);
    page.work(usize::MAX);
    let shown = page.state.explore.results.to_string();
    assert!(shown.contains("Activation fence") && shown.contains("Safe release"));
    page.act(Action::Explore(Explore::Open("0 stale-write".into())));
    page.work(usize::MAX);
    assert_eq!(page.state.doc.good.as_ref().map(|g| g.designs().len()), Some(2));
    page.act(Action::Undo);
    page.act(Action::Panel(Some(Panel::Explore)));
    page.work(usize::MAX);
    for kind in ["pause", "delay", "drop", "step_clock"] {
        page.set(&[(&["kind ", kind].concat(), "false")]);
    }
    assert!(page.state.explore.results.contains("No kind of fault is ticked"));
    page.run(true);
    page.work(usize::MAX);
    assert_eq!(
        (page.state.explore.done, &*page.state.explore.far),
        (2, ""),
        "only the story as it is, once for each design"
    );
}
