//! Where designs and stories are compared: all nine designs of this story, and the table of all stories. Both are drawn by the second program
//! and stand in place of the picture.

use super::markup::{on, put, yes};
use super::texts::waiting;
use super::{explore, jobs, sweep};
use crate::app::job::Place;
use crate::app::text::explore::BREAK_IT;
use crate::app::text::sweep::HOW_OFTEN;
use crate::app::{AppState, Doc, Panel, text};
use crate::base::text::number;
use crate::scenario::preset;

/// What is compared, if it is not the shown designs side by side.
pub fn comparing(doc: &Doc) -> Option<Panel> {
    doc.panel.filter(|p| matches!(p, Panel::Nine | Panel::Table | Panel::Explore | Panel::Sweep))
}

/// The ways to compare.
pub fn ways(out: &mut String, doc: &Doc) {
    let open = comparing(doc);
    let seg = r#"<div class="seg cmp{e}" role="group" aria-label="{0}"><button aria-pressed="{a}" data-do="close">{1}, {b}</button><button id="nine-button" aria-pressed="{c}" data-do="panel nine">{2}</button><button id="table-button" aria-pressed="{d}" data-do="panel table">{3}</button><button id="explore-button" aria-pressed="{g}" data-do="panel explore">{5}</button><button id="sweep-button" aria-pressed="{f}" data-do="panel sweep">{4}</button></div>"#;
    let words = [text::COMPARED, text::SIDE_BY_SIDE, text::ALL_NINE, text::ALL_STORIES, HOW_OFTEN, BREAK_IT];
    let pressed = |p: Option<Panel>| yes(open == p);
    let count = number(doc.ticked.len());
    let open = on(open.is_some(), " on");
    let [nine, table, sweep, explore] =
        [Panel::Nine, Panel::Table, Panel::Sweep, Panel::Explore].map(|p| pressed(Some(p)));
    put(out, seg, &words, &[pressed(None), &count, nine, table, open, sweep, explore]);
}

/// What stands in place of the picture.
pub fn compare(out: &mut String, state: &AppState, panel: Panel) {
    match panel {
        Panel::Sweep => return sweep::panel(out, state),
        Panel::Explore => return explore::panel(out, state),
        _ => {}
    }
    let mut inner = String::new();
    if panel == Panel::Nine {
        jobs::standing(&mut inner, state, Place::Nine);
        if let Some(task) = state.jobs.at(Place::Nine) {
            inner.push_str(&task.answer.concat());
        }
        put(
            out,
            r#"<div class="nine" id="nine" tabindex="-1" role="region" aria-label="{0}">{a}</div>"#,
            &[text::ALL_NINE],
            &[&inner],
        );
        return;
    }
    let (known, all) = (state.outcomes.known(), preset::all().len());
    jobs::standing(&mut inner, state, Place::Outcomes);
    if !preset::here() {
        waiting(&mut inner, &state.desk, text::STORIES_COMING);
    } else if inner.is_empty() && known < all {
        let share = number(known * 100 / all.max(1));
        let bar = r#"<p class="job" role="status"><span class="bar"><i style="width:{a}%"></i></span><span>{B}</span><button class="lk" data-do="stop outcomes">{0}</button></p>"#;
        put(&mut inner, bar, &[text::STOP], &[&share, &text::stories_done(&number(known), &number(all))]);
    }
    if let Some(id) = state.doc.origin {
        // The open story is marked, as nobody could when the rows were written.
        put(
            &mut inner,
            "<style>#row-{a} th{b}</style>",
            &[],
            &[id, "{font-weight:600!important;padding-left:44px!important;box-shadow:inset 3px 0 var(--ink)}"],
        );
    }
    inner.push_str(&state.outcomes.table());
    let table = r#"<div class="stories" id="table" tabindex="-1" role="region" aria-label="{0}">{a}</div>"#;
    put(out, table, &[text::ALL_STORIES], &[&inner]);
}

/// On a phone the ways to compare stand below the picture, where there is room.
pub fn ways_below(out: &mut String) {
    let seg = r#"<div class="seg cmp below" role="group" aria-label="{0}"><button data-do="panel nine">{1}</button><button data-do="panel table">{2}</button><button data-do="panel explore">{4}</button><button data-do="panel sweep">{3}</button></div>"#;
    put(out, seg, &[text::COMPARED, text::ALL_NINE, text::ALL_STORIES, HOW_OFTEN, BREAK_IT], &[]);
}
