//! The picture as an editor: what one takes hold of there, and what moving it writes into the scenario.
//!
//! A gesture is an edit of the text like any other: it writes keys, keeps anchors (`"5ms after …"` stays one) and can be undone in one
//! step. Here is the pure half: from a grip of the picture to a [`Held`], from that and an instant to a text. Who moves pointers is `ui`.

mod held;
mod hold;
pub mod menu;

pub use held::{Held, Hold, Tells, instant_at, stride};
pub use hold::{take, words};
pub use menu::Menu;

use super::action::Action;
use super::history::{EditKey, History};
use super::state::{AppState, Draft, Reading};
use super::update;
use crate::base::TrueTime;
use std::rc::Rc;

/// What a hand does on the picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Hand {
    /// Something is taken, to be moved. `lines`: how many the longest sentence over the columns takes; it keeps them, or everything below
    /// would move under the pointer.
    Take { held: Rc<Held>, lines: u8 },
    /// It is here now.
    Move(TrueTime),
    /// It stays where it is.
    Drop,
    /// It goes back to where it was taken.
    GiveUp,
    /// A menu opens, or goes.
    Menu(Option<Rc<Menu>>),
    /// A text that an edit has made already.
    Write { key: EditKey, draft: Draft },
}

impl From<Hand> for Action {
    fn from(hand: Hand) -> Action {
        Action::Hand(hand)
    }
}

/// Something on its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drag {
    pub held: Rc<Held>,
    pub to: TrueTime,
    /// Why it does not go further.
    pub why: Option<String>,
    pub lines: u8,
    /// Everything as it was before.
    before: History,
}

impl Drag {
    /// What stands beside the pointer.
    pub fn says(&self) -> String {
        match &self.why {
            Some(why) => why.clone(),
            None => self.held.says(self.to),
        }
    }
}

/// Does it.
pub(super) fn apply(s: &mut AppState, hand: Hand) {
    match hand {
        Hand::Take { held, lines } => {
            s.history.commit();
            let before = s.history.clone();
            Rc::make_mut(&mut s.desk).drag = Some(Drag { to: held.from, held, why: None, lines, before });
        }
        Hand::Move(to) => {
            let Some(mut drag) = s.desk.drag.clone() else { return };
            match drag.held.draft(&drag.before.present().text, to) {
                Ok(draft) => {
                    (drag.to, drag.why) = (to, None);
                    update::edit(s, drag.held.key(), draft);
                }
                Err(why) => drag.why = Some(why),
            }
            Rc::make_mut(&mut s.desk).drag = Some(drag);
        }
        Hand::Drop => {
            let Some(drag) = Rc::make_mut(&mut s.desk).drag.take() else { return };
            if drag.before.present() == s.history.present() {
                s.history = drag.before;
            }
            s.history.commit();
            s.read();
        }
        Hand::GiveUp => {
            let Some(drag) = Rc::make_mut(&mut s.desk).drag.take() else { return };
            s.history = drag.before;
            s.read();
        }
        Hand::Menu(menu) => Rc::make_mut(&mut s.desk).menu = menu,
        Hand::Write { key, draft } => {
            Rc::make_mut(&mut s.desk).menu = None;
            update::edit(s, key, draft);
        }
    }
}

/// A text that can be run, or the first thing that is wrong with it.
pub(super) fn runnable(text: String) -> Result<Draft, String> {
    let parsed = Reading::of(&text);
    match parsed.diagnostics.iter().find(|d| d.is_error()) {
        Some(d) if parsed.scenario.is_none() => Err(d.message.clone()),
        _ => Ok(Draft { text: text.into(), parsed: Some(parsed) }),
    }
}

#[cfg(test)]
mod tests;
