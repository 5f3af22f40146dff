//! What breaks the story. The second program searches and draws what it has found; here is what starts and stops it, and how far it is.

use super::deeds::Deeds;
use super::jobs;
use super::markup::{on, put};
use crate::app::explore::Explore;
use crate::app::job::Place;
use crate::app::text::explore as words;
use crate::app::{Action, AppState, Room};
use crate::base::pieces::divide;
use crate::base::text::number;
use crate::view::text::grouped;

/// What stands in place of the picture.
pub fn panel(out: &mut String, state: &AppState) {
    let w = &state.explore;
    let mut inner = String::new();
    let over = w.is_over();
    const ON: &str = r#" data-do="explore on""#;
    const NOT: &str = " disabled";
    let (act, does) = match (w.running, w.far.is_empty()) {
        (true, _) => (words::STOP, r#" data-do="explore off""#),
        _ if state.doc.stale => (words::START, NOT),
        // Nothing to be searched, or not known yet.
        (_, true) => (words::START, if w.is_known() && !over { ON } else { NOT }),
        _ if over => (words::ALL_DONE, NOT),
        _ => (words::GO_ON, ON),
    };
    let pace = match w.pace() {
        Some((rate, left)) => words::pace(&grouped(rate as u64), &number(left)),
        None => String::new(),
    };
    let share = number(if over { 1_000 } else { w.done * 1_000 / w.all.max(1) });
    let bar = r#"<div class="xp-run"><span class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="1000" aria-valuenow="{a}" aria-label="{0}"><i style="width:calc({a}% / 10)"></i></span><p class="far">{B}{C}</p><button class="btn main"{d}>{E}</button></div>"#;
    put(&mut inner, bar, &[words::BREAK_IT], &[&share, &w.far, &pace, does, act]);
    for place in [Place::Explore, Place::Found] {
        jobs::standing(&mut inner, state, place);
    }
    // What a lane did not walk is walked when the search goes on: one button for all of them.
    for place in w.places() {
        jobs::failure(&mut inner, state, place);
    }
    if state.doc.stale {
        put(&mut inner, r#"<p class="xp-none">{0}</p>"#, &[words::WAITS], &[]);
    } else {
        inner.push_str(&w.results);
    }
    let open = on(state.doc.frame.room != Room::Narrow, " open");
    let panel = r#"<div class="xp" id="explore" tabindex="-1" role="region" aria-label="{0}"><details class="xp-set"{a}><summary>{1}</summary><div>{b}</div></details><div class="xp-res"><h2>{0}</h2><p class="says">{2}</p>{c}</div></div>"#;
    put(out, panel, &[words::BREAK_IT, words::SETTING, words::SAYS], &[open, &w.controls, &inner]);
}

/// What a press in the panel does.
pub fn press(words: &str) -> Option<Deeds> {
    let (verb, rest) = divide(words, " ");
    let act = match verb {
        "on" => Explore::Run(true),
        "off" => Explore::Run(false),
        "case" => Explore::Case(rest.into()),
        "open" => Explore::Open(rest.into()),
        _ => return None,
    };
    Some(Action::Explore(act).into())
}

/// What a field of the panel does: `kind pause` has another value.
pub fn set(words: &str, value: &str) -> Option<Deeds> {
    Some(Action::Explore(Explore::Set(words.into(), value.into())).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::job::VERSION;
    use crate::app::update::update;
    use crate::app::{Frame, Panel, Theme};
    use std::rc::Rc;

    fn shown(s: &AppState) -> String {
        let mut out = String::new();
        panel(&mut out, s);
        out
    }

    fn answer(s: &Rc<AppState>, place: Place, texts: &[&str]) -> Rc<AppState> {
        let all = [&[VERSION], texts].concat();
        let number = s.jobs.at(place).expect("asked").number;
        update(s.clone(), Action::Answered(number, all.iter().map(|t| t.to_string()).collect()))
    }

    #[test]
    fn it_is_started_stopped_and_gone_on_with() {
        let s = Rc::new(AppState::first(Theme::Auto, Frame { room: Room::Wide, width: 1160, window_height: 900 }));
        let s = update(s, Action::Panel(Some(Panel::Explore)));
        assert!(shown(&s).contains(" disabled"), "nothing can be searched before it is known what");
        let s = answer(&s, Place::Explore, &["{}", "0 1 0 9 5,0 1 9 18 5", "1", "100", "", "", "<p>drawn</p>"]);
        assert!(shown(&s).contains("explore on\">Search") && shown(&s).contains("<p>drawn</p>"));
        let s = update(s, Action::Explore(Explore::Now { ms: 0, lanes: 2 }));
        let s = update(s, Action::Explore(Explore::Run(true)));
        assert!(shown(&s).contains("explore off\">Stop"));
        let number = s.jobs.at(Place::Search(1)).expect("under way").number;
        let broken = update(s.clone(), Action::Unanswered(number, "It broke.".into()));
        let page = shown(&broken);
        assert!(page.contains("It broke.") && page.contains("explore on") && !page.contains("again search"), "{page}");
        let s = update(s, Action::Explore(Explore::Run(false)));
        let s = answer(&s, Place::Search(0), &["{}", "more"]);
        let s = answer(&s, Place::Explore, &["{}", "", "40", "100", "40 schedules, by now with 1 fault", "", ""]);
        let page = shown(&s);
        assert!(page.contains("explore on\">Go on") && page.contains("aria-valuenow=\"400\""), "{page}");
        let s = update(s, Action::Type("[".into()));
        assert!(shown(&s).contains(words::WAITS) && shown(&s).contains(" disabled"));
    }

    #[test]
    fn words_become_actions() {
        assert_eq!(press("case 2 lost-update"), Some(Action::Explore(Explore::Case("2 lost-update".into())).into()));
        assert_eq!(press(""), None);
        let set = set("most pause", "2");
        assert_eq!(set, Some(Action::Explore(Explore::Set("most pause".into(), "2".into())).into()));
    }
}
