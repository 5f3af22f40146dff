//! What the browser has to do after a change: worked out by comparing the state before with the state after, so that the reducer
//! stays pure and every effect can be tested without a browser.

use super::job::{Job, Place, Standing, Task};
use super::link;
use super::share::Recent;
use super::state::{AppState, FIRST_STORY, Panel, Texts, Theme};
use std::rc::Rc;

#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Keep the text where a reload finds it.
    Save { text: Rc<str>, origin: Option<&'static str> },
    /// Wear a theme, and remember it.
    Theme(Theme),
    /// The document's title.
    Title(String),
    /// The fragment of the address; empty: none. It never claims more than is true: an edited story has none.
    Address(String),
    /// A panel has gone: the keyboard goes back to what opened it.
    Closed(Panel),
    /// A panel is there: the keyboard goes into it.
    Opened(Panel),
    /// Another row of the picker is chosen: it has to be in sight.
    Row,
    /// The texts that the program does not carry are asked for.
    Fetch,
    /// What was edited is left behind: to be kept among what can be opened again.
    Leave(Recent),
    /// A picture has to be drawn from SVG: the name of its file, and the SVG.
    Draw(Rc<str>, Rc<str>),
    /// A person is given a picture: the name of its file, and its bytes as base64.
    Give(Rc<str>, Rc<str>),
    /// The second program has to stop what it works on, and forget what it was asked for.
    Stop,
    /// All its workers but the first have to end, with what they remember.
    LetGo,
    /// The second program has to do a job, of this number, in one of its lanes.
    Ask { number: u32, job: Vec<Rc<str>>, lane: u8 },
}

/// What is to be done about the change from `before` (`None`: the page has just opened) to `after`.
pub fn effects(before: Option<&AppState>, after: &AppState) -> Vec<Effect> {
    let mut out = Vec::new();
    let changed = |differs: &dyn Fn(&AppState) -> bool| before.is_none_or(differs);
    if before.is_some_and(|b| b.doc.text != after.doc.text || b.doc.origin != after.doc.origin) {
        out.push(Effect::Save { text: after.doc.text.clone(), origin: after.doc.origin });
        let address = match after.doc.origin {
            Some(id) if after.doc.pristine && id != FIRST_STORY => link::story(id),
            _ => String::new(),
        };
        out.push(Effect::Address(address));
    }
    if changed(&|b| b.doc.theme != after.doc.theme) {
        out.push(Effect::Theme(after.doc.theme));
    }
    if changed(&|b| b.doc.good != after.doc.good) {
        out.push(Effect::Title(super::text::document_title(after.doc.title())));
    }
    let (was, is) = (before.and_then(|b| b.doc.panel), after.doc.panel);
    if was != is {
        out.extend(was.map(Effect::Closed));
        out.extend(is.map(Effect::Opened));
    }
    if after.desk.texts == Texts::Coming && changed(&|b| b.desk.texts != Texts::Coming) {
        out.push(Effect::Fetch);
    }
    if is == Some(Panel::Stories) && changed(&|b| was != is || b.desk != after.desk) {
        out.push(Effect::Row);
    }
    if let Some(b) =
        before.filter(|b| b.doc.opened != after.doc.opened && !b.doc.pristine && b.doc.text != after.doc.text)
    {
        let (title, origin) = (b.doc.title().to_string(), b.doc.origin.unwrap_or_default().to_string());
        out.push(Effect::Leave(Recent { when: String::new(), title, origin, text: b.doc.text.clone() }));
    }
    if before.is_some_and(|b| b.explore.let_go != after.explore.let_go) {
        out.push(Effect::LetGo);
    }
    if changed(&|b| !Rc::ptr_eq(&b.jobs, &after.jobs)) {
        written(&mut out, before, after);
        asked(&mut out, before, after);
    }
    out
}

/// A picture that was asked for has been written: as SVG first, and then with its scenario.
fn written(out: &mut Vec<Effect>, before: Option<&AppState>, after: &AppState) {
    let Some(task) = after.jobs.at(Place::Export).filter(|t| t.standing == Standing::Done) else { return };
    let [name, _, contents] = &*task.answer else { return };
    if before.is_some_and(|b| b.jobs.standing(task.number) == Some(&Standing::Done)) {
        return;
    }
    let (name, contents) = (name.as_str().into(), contents.as_str().into());
    match &task.job {
        Job::Export { word, .. } if **word == *"png" => out.push(Effect::Draw(name, contents)),
        Job::Picture { .. } => out.push(Effect::Give(name, contents)),
        _ => {}
    }
}

/// What is new among the jobs, and what is given up.
fn asked(out: &mut Vec<Effect>, before: Option<&AppState>, after: &AppState) {
    let was = |number: u32| before.is_some_and(|b| b.jobs.working().any(|t| t.number == number));
    let given_up = |number: u32| after.jobs.standing(number) == Some(&Standing::Stopped);
    // What a search was walking ends with its workers.
    let is_other = |t: &Task| !matches!(t.job, Job::Search { .. });
    if before.is_some_and(|b| b.jobs.working().any(|t| is_other(t) && given_up(t.number))) {
        out.push(Effect::Stop);
    }
    for task in after.jobs.working().filter(|t| !was(t.number)) {
        out.push(Effect::Ask { number: task.number, job: task.job.write(), lane: task.job.place().lane() });
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{Frame, Room};
    use super::super::{Action, update::update};
    use super::*;

    fn start() -> Rc<AppState> {
        Rc::new(AppState::first(Theme::Auto, Frame { room: Room::Wide, width: 1160, window_height: 900 }))
    }

    #[test]
    fn opening_the_page_saves_nothing() {
        let s = start();
        assert!(effects(None, &s).iter().all(|e| !matches!(e, Effect::Save { .. } | Effect::Address(_))));
    }

    #[test]
    fn an_edit_is_saved_and_the_address_claims_no_more() {
        let s = start();
        let t = update(s.clone(), Action::Type("# x".into()));
        let list = effects(Some(&s), &t);
        assert!(list.contains(&Effect::Save { text: "# x".into(), origin: s.doc.origin }));
        assert!(list.contains(&Effect::Address(String::new())));
    }

    #[test]
    fn moving_the_cursor_has_no_effect() {
        let s = start();
        let t = update(s.clone(), Action::Seek(Some(crate::base::TrueTime::from_ms(5))));
        assert!(effects(Some(&s), &t).is_empty());
    }

    #[test]
    fn the_keyboard_follows_panels() {
        let s = start();
        let t = update(s.clone(), Action::Panel(Some(Panel::Stories)));
        let list = effects(Some(&s), &t);
        assert_eq!(list[..2], [Effect::Opened(Panel::Stories), Effect::Row]);
        assert!(matches!(list[2..], [Effect::Ask { number: 1, .. }]), "and how all stories end");
        let u = update(t.clone(), Action::Row(3));
        assert_eq!(effects(Some(&t), &u), [Effect::Row]);
        let v = update(u.clone(), Action::Panel(Some(Panel::Help)));
        assert_eq!(effects(Some(&u), &v), [Effect::Closed(Panel::Stories), Effect::Opened(Panel::Help)]);
    }

    #[test]
    fn a_job_is_asked_once_and_can_be_stopped() {
        use super::super::job::{Job, Place};
        let s = start();
        let job = Job::Nine { texts: vec!["a".into()] };
        let t = update(s.clone(), Action::Ask(job.clone()));
        assert_eq!(effects(Some(&s), &t), [Effect::Ask { number: 1, job: job.write(), lane: 0 }]);
        let slow = update(t.clone(), Action::Slow(1));
        assert!(effects(Some(&t), &slow).is_empty());
        let u = update(slow.clone(), Action::Stop(Place::Nine));
        assert_eq!(effects(Some(&slow), &u), [Effect::Stop]);
        let v = update(u.clone(), Action::Again(Place::Nine));
        assert_eq!(effects(Some(&u), &v), [Effect::Ask { number: 2, job: job.write(), lane: 0 }]);
    }

    #[test]
    fn a_theme_is_worn_at_once() {
        let s = start();
        let t = update(s.clone(), Action::Theme(Theme::Dark));
        assert_eq!(effects(Some(&s), &t), [Effect::Theme(Theme::Dark)]);
    }
}
