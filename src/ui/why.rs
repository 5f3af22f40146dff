//! Why a promise broke. The second program draws the panel; here is its frame, and what opens it.

use super::deeds::{Deeds, Now};
use super::jobs;
use super::markup::put;
use crate::app::job::{Job, Place};
use crate::app::{Action, AppState, Panel, text};
use crate::base::pieces::{count, divide};
use crate::base::text::number;

const PANEL: &str = r#"<div class="scrim" data-do="close"></div>
<div class="pan" id="why" role="dialog" aria-modal="true" aria-label="{0}" tabindex="-1"><button class="btn" data-do="close" aria-label="{1}"><ic x></button>{a}{b}</div>"#;

pub fn panel(out: &mut String, state: &AppState) {
    let mut standing = String::new();
    jobs::standing(&mut standing, state, Place::Why);
    // An answer begins with the design that it is about: that of another one is not shown.
    let answer = state.jobs.at(Place::Why).and_then(|t| match (&t.job, &*t.answer) {
        (Job::Why { texts }, [about, markup]) if **about == *texts[1] => Some(markup.as_str()),
        _ => None,
    });
    put(out, PANEL, &[text::WHY, text::CLOSE], &[&standing, answer.unwrap_or_default()]);
}

/// Asks why the run in a column broke a promise; without a word for it, the most telling one.
pub fn open(now: Now, words: &str) -> Option<Deeds> {
    let (column, property) = divide(words, " ");
    let place = count(column)?;
    let doc = &now.state.doc;
    let scenario = &now.scene?.story.scenario;
    let design = doc.ticked.get(place)?;
    let texts = [
        scenario.canonical().into(),
        number(*design).into(),
        column.into(),
        property.into(),
        number(doc.frame.window_height as usize).into(),
    ];
    let ask = Action::Ask(Job::Why { texts: texts.into() });
    Some(Deeds { actions: vec![Action::Play(false), Action::Panel(Some(Panel::Why)), ask], then: Vec::new() })
}
