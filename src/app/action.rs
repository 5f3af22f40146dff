//! What can happen to the page. Whatever a person does, and whatever the browser reports, is one of these.

use super::drag::Hand;
use super::explore::Explore;
use super::form::{Change, FormAction};
use super::job::{Brought, Job, Place};
use super::seen::Seen;
use super::share::{Recent, Ways};
use super::state::{Frame, Mark, Mode, Panel, Selection, Speed, Texts, Theme};
use super::sweep::Sweep;
use super::view::View;
use crate::base::TrueTime;
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    // --- the scenario: these can be undone
    /// The whole text, as it now stands in the editor.
    Type(Rc<str>),
    /// What a field of the form now holds. `unit`: what stands beside it. The text changes only if that can be run; until then the field
    /// keeps what was typed, with what is wrong about it.
    Typed {
        path: String,
        unit: String,
        raw: String,
    },
    /// A change made in the form that is more than one value.
    Change(Change),
    /// What is done on the picture itself.
    Hand(Hand),
    /// The change under way is finished: a field was left, or typing paused.
    Commit,
    /// A field was left: it shows its value again, unless that cannot be run; and the change under way is finished.
    Left(String),
    /// What was typed into a field is given up.
    GiveUp(String),
    /// Opens a story by its id.
    Open(&'static str),
    /// Back to the story as it was opened.
    Reset,
    Undo,
    Redo,

    /// Opens a text: a blank page, or what was edited before. Can be undone, like all of these.
    OpenText {
        text: Rc<str>,
        origin: Option<&'static str>,
    },
    /// Something was brought: to be looked at by the second program.
    Bring(Brought, Rc<str>),
    /// What the notice offers.
    TakeOffer,

    // --- what is shown
    Tick {
        design: usize,
        on: bool,
    },
    /// Shows a standard design, in front, by the word of its protection. One that the story does not have is added.
    Show(String),
    /// Brings a shown design to the front, by its column.
    Front(usize),
    Mode(Mode),
    View(Rc<View>),
    Panel(Option<Panel>),
    Fold(bool),
    Theme(Theme),
    Frame(Frame),
    Notice(Option<Rc<str>>),

    /// What was edited and left behind, as the browser keeps it.
    Recent(Rc<[Recent]>),
    /// Somebody wants something written, to be taken away: its word, see `export::Format`.
    Export(Rc<str>),
    /// A picture was drawn, and is to carry the scenario: its name, and the picture.
    Drawn(Rc<str>, Rc<str>),

    // --- what is under way in a panel
    /// How the story is to be handed on.
    Ways(Ways),
    Search(String),
    /// Only one group of stories, or all of them.
    Group(Option<&'static str>),
    /// The row of the picker that Enter would open.
    Row(usize),
    /// What became of a copy.
    Said(&'static str),
    /// The line of the caret in the text, from 1.
    Line(u32),
    /// The texts that the program does not carry: asked for, there, or not to be had.
    Texts(Texts),
    /// What of the form is open.
    Form(FormAction),

    // --- what the second program is asked for
    Ask(Job),
    /// Its answer to the job of this number, with its version before it.
    Answered(u32, Vec<String>),
    /// Why there is no answer.
    Unanswered(u32, Rc<str>),
    /// A second has passed.
    Slow(u32),
    Stop(Place),
    /// Once more what was stopped or failed.
    Again(Place),
    /// What is done in the panel of a sweep.
    Sweep(Sweep),
    /// What is done in the panel of a search.
    Explore(Explore),

    // --- where a person looks
    /// `None`: to the end.
    Seek(Option<TrueTime>),
    Hover(Option<Mark>),
    Select(Option<Selection>),
    Play(bool),
    Speed(Speed),
    /// What of the page is to be drawn.
    See(Seen),
}
