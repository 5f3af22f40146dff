//! What can happen to the page. Whatever a person does, and whatever the browser reports, is one of these.

use super::form::Change;
use super::history::EditKey;
use super::state::{Draft, Frame, Mark, Mode, Panel, Selection, Speed, Theme};
use crate::base::TrueTime;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    // --- the scenario: these can be undone
    /// The whole text, as it now stands in the editor.
    Type(Rc<str>),
    /// A text made by an edit of the form.
    Edit {
        key: EditKey,
        draft: Draft,
    },
    /// A change made in the form that is more than one value.
    Change(Change),
    /// The change under way is finished: a field was left, or typing paused.
    Commit,
    /// Opens a story by its id.
    Open(&'static str),
    /// Back to the story as it was opened.
    Reset,
    Undo,
    Redo,

    // --- what is shown
    Tick {
        design: usize,
        on: bool,
    },
    /// Brings a shown design to the front, by its column.
    Front(usize),
    Mode(Mode),
    Panel(Option<Panel>),
    Fold(bool),
    Theme(Theme),
    Frame(Frame),
    Notice(Option<Rc<str>>),

    // --- where a person looks
    /// `None`: to the end.
    Seek(Option<TrueTime>),
    Hover(Option<Mark>),
    Select(Option<Selection>),
    Play(bool),
    Speed(Speed),
}
