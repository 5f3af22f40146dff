//! What the page does about texts that are not there yet: it asks for them once, remembers which story was wanted, and opens it when they
//! have come. All that can be done without them goes on.

use super::state::{AppState, Texts, is_pristine};
use super::update::{desk, doc, open};
use crate::scenario::preset;

/// Asks for the texts, if they are not there or under way.
pub(super) fn ask(s: &mut AppState) {
    if !preset::here() && s.desk.texts != Texts::Coming {
        desk(s).texts = Texts::Coming;
    }
}

/// A story is wanted whose text is not there. One that there is none of is wanted by nobody.
pub(super) fn want(s: &mut AppState, id: &str) {
    if let Some(id) = preset::known(id) {
        desk(s).wanted = Some(id);
        ask(s);
    }
}

/// The texts have come, or not.
pub(super) fn arrive(s: &mut AppState, texts: Texts) {
    let here = texts == Texts::Here;
    if texts == Texts::Coming {
        return ask(s);
    }
    desk(s).texts = texts;
    if !here {
        return;
    }
    // Only now it can be told whether a draft from the last visit is a story as it was opened.
    let pristine = is_pristine(s.history.present());
    if s.doc.pristine != pristine {
        doc(s).pristine = pristine;
    }
    if let Some(id) = s.desk.wanted {
        open(s, id);
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{Frame, Room, Theme};
    use super::super::{Action, update::update};
    use super::*;
    use std::rc::Rc;

    #[test]
    fn a_story_that_is_wanted_is_opened_when_the_texts_come() {
        let mut s = AppState::first(Theme::Auto, Frame { room: Room::Wide, width: 1160, window_height: 900 });
        want(&mut s, "no such story");
        assert_eq!(s.desk.wanted, None);
        want(&mut s, "quiet-handover");
        let s = update(Rc::new(s), Action::Texts(Texts::Failed("404".into())));
        assert_eq!((s.doc.origin, s.desk.wanted), (Some("gc-pause"), Some("quiet-handover")));
        let s = update(s, Action::Texts(Texts::Here));
        assert_eq!((s.doc.origin, s.desk.wanted, s.doc.pristine), (Some("quiet-handover"), None, true));
        let s = update(s, Action::Undo);
        assert_eq!(s.doc.origin, Some("gc-pause"));
    }

    #[test]
    fn what_is_there_is_not_asked_for() {
        let s = AppState::first(Theme::Auto, Frame { room: Room::Wide, width: 1160, window_height: 900 });
        let s = update(Rc::new(s), Action::Texts(Texts::Coming));
        assert_eq!(s.desk.texts, Texts::Away);
    }
}
