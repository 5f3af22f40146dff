//! How often a story goes wrong. The second program runs it and draws the charts; here is what starts and stops it, and how far it is.

use super::deeds::Deeds;
use super::jobs;
use super::markup::{on, put};
use crate::app::job::Place;
use crate::app::sweep::Sweep;
use crate::app::text::sweep as words;
use crate::app::{Action, AppState};
use crate::base::pieces::divide;
use crate::base::text::number;
use crate::view::text::grouped;

/// What stands in place of the picture.
pub fn panel(out: &mut String, state: &AppState) {
    let w = &state.sweep;
    let mut inner = String::new();
    if w.units > 0 {
        let (done, all) = (w.runs_done(), w.runs);
        let (act, verb) = match (w.running, w.done) {
            (true, _) => (words::STOP, "off"),
            (_, done) if done == w.units => (words::ALL_RUN, ""),
            (_, 0) => (words::START, "on"),
            _ => (words::GO_ON, "on"),
        };
        let pace = w.pace();
        let rate = pace.map_or(String::new(), |p| grouped(p.0 as u64));
        let left = pace.map_or(String::new(), |p| number(p.1));
        let told = words::progress(&grouped(done as u64), &grouped(all as u64), &rate, &left);
        let share = number(done * 1_000 / all.max(1));
        let bar = r#"<div class="swp-run"><span class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="{a}" aria-label="{0}"><i style="width:calc({a}% / 10)"></i></span><span class="far">{B}</span><button class="btn main"{c} data-do="sweep {d}">{E}</button></div>"#;
        put(&mut inner, bar, &[words::HOW_OFTEN], &[&share, &told, on(verb.is_empty(), " disabled"), verb, act]);
    }
    for place in [Place::Sweep, Place::Make].into_iter().chain(w.lanes()) {
        jobs::standing(&mut inner, state, place);
    }
    inner.push_str(&w.markup);
    let panel = r#"<div class="sweep" id="sweep" tabindex="-1" role="region" aria-label="{0}">{a}</div>"#;
    put(out, panel, &[words::HOW_OFTEN], &[&inner]);
}

/// What a press in the panel does.
pub fn press(words: &str) -> Option<Deeds> {
    let act = match words {
        "on" => Sweep::Run(true),
        "off" => Sweep::Run(false),
        "" => return None,
        what => Sweep::Make(what.into(), "".into()),
    };
    Some(Action::Sweep(act).into())
}

/// A field of the panel was left, with this in it.
pub fn left(words: &str, value: &str) -> Option<Deeds> {
    divide(words, " ").0.eq("values").then(|| Action::Sweep(Sweep::Make(words.into(), value.into())).into())
}

/// What a field of the panel does.
pub fn set(words: &str, value: &str) -> Option<Deeds> {
    let act = match divide(words, " ").0 {
        "cost" => Sweep::Cost(value.into()),
        // A list of values is taken when it is whole: when its field is left.
        "values" => return None,
        _ => Sweep::Make(words.into(), value.into()),
    };
    Some(Action::Sweep(act).into())
}
