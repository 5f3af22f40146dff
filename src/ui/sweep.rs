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
    let (done, all) = (w.runs_done(), w.runs);
    let (act, verb) = match (w.running, w.done) {
        (true, _) => (words::STOP, "off"),
        // Not known yet: nothing to be run, for a moment.
        (_, 0) if w.units == 0 => (words::START, ""),
        (_, done) if done == w.units => (words::ALL_RUN, ""),
        (_, 0) => (words::START, "on"),
        _ => (words::GO_ON, "on"),
    };
    let pace = w.pace();
    let rate = pace.map_or(String::new(), |p| grouped(p.0 as u64));
    let left = pace.map_or(String::new(), |p| number(p.1));
    let told = match all {
        0 => String::new(),
        _ => words::progress(&grouped(done as u64), &grouped(all as u64), &rate, &left),
    };
    let share = number(done * 1_000 / all.max(1));
    let bar = r#"<div class="swp-run"><span class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="{a}" aria-label="{0}"><i style="width:calc({a}% / 10)"></i></span><span class="far">{B}</span><button class="btn main"{c} data-do="sweep {d}">{E}</button></div>"#;
    put(&mut inner, bar, &[words::HOW_OFTEN], &[&share, &told, on(verb.is_empty(), " disabled"), verb, act]);
    for place in [Place::Sweep, Place::Make] {
        jobs::standing(&mut inner, state, place);
    }
    // What a lane did not do is done when the sweep goes on: one button for all of them.
    for place in w.lanes() {
        jobs::failure(&mut inner, state, place);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::update::update;
    use crate::app::{Frame, Panel, Room, Theme};
    use std::rc::Rc;

    const STORY: &str = include_str!("../../static/sweeps/retry-policy.toml");

    #[test]
    fn what_a_lane_did_not_do_is_said_and_the_sweep_goes_on_as_one() {
        let frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };
        let mut s = Rc::new(AppState::new(STORY.into(), None, None, Theme::Auto, frame));
        let answer = |s: &AppState, place: Place, texts: &[&str]| {
            let all = [&[crate::app::job::VERSION], texts].concat();
            Action::Answered(s.jobs.at(place).expect("asked").number, all.iter().map(|t| t.to_string()).collect())
        };
        s = update(s, Action::Panel(Some(Panel::Sweep)));
        let shown = |s: &AppState| {
            let mut out = String::new();
            panel(&mut out, s);
            out
        };
        assert!(shown(&s).contains("disabled"), "nothing can be run before it is known what");
        let drawn = answer(&s, Place::Sweep, &["{}", "5", "1000", ""]);
        s = update(s, drawn);
        s = update(s, Action::Sweep(Sweep::Now { ms: 0, lanes: 2 }));
        s = update(s, Action::Sweep(Sweep::Run(true)));
        let number = s.jobs.at(Place::Unit(1)).expect("under way").number;
        s = update(s, Action::Slow(number));
        assert!(!shown(&s).contains("stop unit"));
        s = update(s, Action::Unanswered(number, "It broke.".into()));
        let page = shown(&s);
        assert!(page.contains("It broke.") && page.contains("sweep on") && !page.contains("again unit"), "{page}");
    }
}
