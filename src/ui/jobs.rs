//! What the second program works on, for those who wait for it: nothing for a second, then words and a way to stop; and why there is no
//! answer, with a way to try again.

use super::app::App;
use super::deeds::Deeds;
use super::markup::put;
use crate::app::explore::Explore;
use crate::app::job::{Place, Standing};
use crate::app::sweep::Sweep;
use crate::app::{Action, AppState, text};
use crate::web::annex::{self, Heard};
use crate::web::dom;
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use yew::html::Scope;

/// What has to be said about a place besides its answer.
pub fn standing(out: &mut String, state: &AppState, place: Place) {
    let (what, act, verb) = match state.jobs.at(place).map(|t| &t.standing) {
        Some(Standing::Working { slow: true }) => (text::WORKING, text::STOP, "stop"),
        Some(Standing::Stopped) => (text::STOPPED, text::GO_ON, "again"),
        Some(Standing::Failed(why)) => (&**why, text::TRY_AGAIN, "again"),
        _ => return,
    };
    let line = r#"<p class="job" role="status"><span>{A}</span><button class="lk" data-do="{b} {c}">{D}</button></p>"#;
    put(out, line, &[], &[what, verb, place.word(), act]);
}

/// Why there is no answer, where something else than trying again is to be done.
pub fn failure(out: &mut String, state: &AppState, place: Place) {
    if let Some(Standing::Failed(why)) = state.jobs.at(place).map(|t| &t.standing) {
        put(out, r#"<p class="job" role="status"><span>{A}</span></p>"#, &[], &[why]);
    }
}

/// How long somebody waits before being told, ms.
const SLOW_MS: u32 = 1_000;

/// Has a job done, and tells the state what comes of it.
pub fn ask(number: u32, job: &[Rc<str>], lane: u8, scope: &Scope<App>) {
    let slow = scope.clone();
    Timeout::new(SLOW_MS, move || slow.send_message(Deeds::from(Action::Slow(number)))).forget();
    let scope = scope.clone();
    annex::ask(number, job, lane, move |number, heard| {
        let action = match heard {
            Heard::Texts(texts) => Action::Answered(number, texts),
            Heard::Unfetched => Action::Unanswered(number, text::ANNEX_UNFETCHED.into()),
            Heard::Refused(why) => Action::Unanswered(number, why.into()),
            Heard::Broken(why) => Action::Unanswered(number, text::annex_broke(&why).into()),
        };
        // Whoever measures how fast answers come has no clock of its own.
        let (ms, lanes) = (dom::now_ms(), dom::cores());
        let of_sweep = Action::Sweep(Sweep::Now { ms, lanes });
        let of_search = Action::Explore(Explore::Now { ms, lanes: if annex::is_here() { 0 } else { lanes } });
        scope.send_message(Deeds { actions: vec![of_sweep, of_search, action], then: Vec::new() });
    });
}
