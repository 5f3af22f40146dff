//! What the page knows at one instant.
//!
//! Three parts that change at different rates. [`Doc`] is what a person works on: the text, what was read from it, which designs are
//! ticked, what is open. [`Desk`] is what lies there half done: a value that cannot be run yet, a search. [`Cursor`] is where a person
//! looks: time, hover, selection. The picture is drawn from the first, the hairline from the last.

use super::drag::{Drag, Menu};
use super::explore::Searching;
use super::history::{History, Snapshot};
use super::job::Jobs;
use super::link::Options;
use super::outcomes::Outcomes;
use super::seen::Seen;
use super::share::{Offer, Recent, Ways};
use super::sweep::Sweeping;
use super::view::View;
use crate::base::TrueTime;
use crate::check::report::Property;
use crate::scenario::{self, Diagnostic, Scenario, preset};
use crate::trace::EventSeq;
use std::rc::Rc;

/// The story that the page opens with.
pub const FIRST_STORY: &str = preset::DEFAULT;

/// How many designs are shown when a story is opened.
pub const SHOWN_AT_FIRST: usize = 2;

/// Everything. Cheap to clone: all that is big is shared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AppState {
    pub history: History,
    pub doc: Rc<Doc>,
    pub desk: Rc<Desk>,
    /// What the second program has been asked for.
    pub jobs: Rc<Jobs>,
    /// What it has said about all stories.
    pub outcomes: Rc<Outcomes>,
    /// How often the story goes wrong, as far as that is known.
    pub sweep: Rc<Sweeping>,
    /// What is the least that breaks it, as far as that is known.
    pub explore: Rc<Searching>,
    pub cursor: Cursor,
    /// What of the page is drawn.
    pub seen: Seen,
}

/// What a person works on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doc {
    /// Ground state: the scenario as it stands in the editor.
    pub text: Rc<str>,
    /// The story that the text was opened as.
    pub origin: Option<&'static str>,
    /// The text is exactly the story it was opened as.
    pub pristine: bool,
    /// The last text that could be run, read. `None` until there was one.
    pub good: Option<Rc<Scenario>>,
    /// What is wrong with the text, or remarkable about it.
    pub diagnostics: Rc<[Diagnostic]>,
    /// Set while `good` is not what the text says, because the text has an error.
    pub stale: bool,
    /// The designs that are shown, by their place in the scenario, ascending.
    pub ticked: Rc<[usize]>,
    /// Which of the shown designs is in front: in the tabs, and in the list of events. An index into `ticked`.
    pub front: usize,
    pub mode: Mode,
    /// How the picture is looked at.
    pub view: Rc<View>,
    pub panel: Option<Panel>,
    /// On wide screens the scenario can be folded to a strip.
    pub folded: bool,
    pub theme: Theme,
    pub frame: Frame,
    /// Something that a person should be told once.
    pub notice: Option<Rc<str>>,
    /// What the notice offers to do.
    pub offer: Option<Offer>,
    /// How often something else has been opened: a new number, and what was there before may be worth keeping.
    pub opened: u32,
    /// How the address wants what it opens to be shown; taken when that has been opened.
    pub opening: Option<Rc<Options>>,
    /// The page's address without query and fragment; empty where there is no browser.
    pub base: Rc<str>,
    /// What was edited and left behind, newest first, as the browser keeps it.
    pub recent: Rc<[Recent]>,
    pub can_undo: bool,
    pub can_redo: bool,
}

/// What is begun and not finished. None of it is part of the scenario, and none of it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Desk {
    /// Fields that show what is being typed instead of their value.
    pub typing: Vec<Typing>,
    /// What stories are searched for.
    pub query: String,
    /// Only this group of stories.
    pub group: Option<&'static str>,
    /// The row of the picker that Enter would open; `None`: that of the story which is open.
    pub row: Option<usize>,
    /// How the story is to be handed on.
    pub ways: Ways,
    /// What became of the last copy.
    pub said: Option<&'static str>,
    /// The line of the caret in the text, from 1; 0 before there was one.
    pub line: u32,
    /// What is being moved on the picture.
    pub drag: Option<Drag>,
    /// The menu of something on the picture.
    pub menu: Option<Rc<Menu>>,
    /// How far the texts are that the program does not carry.
    pub texts: Texts,
    /// The story that is to be opened when they are there.
    pub wanted: Option<&'static str>,
    /// What of the form is open.
    pub form: super::form::Bench,
}

/// The texts that are fetched: stories, and what is said about keys and services (`scenario::texts`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Texts {
    /// Nobody has asked for them; natively nobody needs to.
    #[default]
    Away,
    Coming,
    Here,
    /// They did not come, and this is why.
    Failed(Rc<str>),
}

/// What somebody is typing into a field of the form, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typing {
    pub path: String,
    pub raw: String,
    pub error: Option<String>,
}

impl Desk {
    /// What is being typed into a field.
    pub fn typing(&self, path: &str) -> Option<&Typing> {
        self.typing.iter().find(|t| t.path == path)
    }
}

/// A text, and what it says if somebody has read it already: reading is most of what an edit costs.
#[derive(Clone, Debug)]
pub struct Draft {
    pub text: Rc<str>,
    pub parsed: Option<Reading>,
}

/// What a text says, shared.
#[derive(Clone, Debug)]
pub struct Reading {
    pub scenario: Option<Rc<Scenario>>,
    pub diagnostics: Rc<[Diagnostic]>,
}

impl Reading {
    pub fn of(text: &str) -> Reading {
        let parsed = scenario::parse(text);
        Reading { scenario: parsed.scenario.map(Rc::new), diagnostics: parsed.diagnostics.into() }
    }
}

/// What a text says follows from the text.
impl PartialEq for Draft {
    fn eq(&self, other: &Draft) -> bool {
        self.text == other.text
    }
}

impl Eq for Draft {}

/// Where a person looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cursor {
    /// `None`: at the end of the story, where the page stands before anybody touches it.
    pub at: Option<TrueTime>,
    pub hover: Option<Mark>,
    pub selected: Option<Selection>,
    pub playing: bool,
    pub speed: Speed,
}

/// One event of one shown run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mark {
    /// Index into the shown designs.
    pub column: usize,
    pub seq: EventSeq,
}

/// Events of one run that a person singled out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    pub column: usize,
    /// Ascending; the last is what it is about.
    pub seqs: Rc<[EventSeq]>,
    /// They are the witnesses of this verdict.
    pub verdict: Option<Property>,
}

/// How the scenario is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    #[default]
    Form,
    Text,
}

/// What is open over the page; one at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Panel {
    Stories,
    Help,
    Share,
    /// Bringing something in, or going back to what was edited before.
    Open,
    Theme,
    /// Why a promise broke.
    Why,
    /// The scenario, where there is no room for it beside the picture.
    Scenario,
    /// All nine designs, in place of the picture.
    Nine,
    /// How often the story goes wrong, in place of the picture.
    Sweep,
    /// What breaks it, in place of the picture.
    Explore,
    /// The table of all stories, in place of the picture.
    Table,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    Light,
    Dark,
}

/// How fast the cursor plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Speed {
    Half,
    #[default]
    One,
    Two,
    Four,
}

/// How much room there is. Pixels, whole, so that equal frames compare equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    pub room: Room,
    /// For rail and columns.
    pub width: u32,
    /// Of the window.
    pub window_height: u32,
}

/// What the width of the window means for the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Room {
    /// Below 1024: designs are tabs, panels are pages.
    Narrow,
    /// Below 1280: the scenario is behind a button.
    Middle,
    Wide,
}

impl AppState {
    /// The page as it opens, with the story `text`. A text that was being worked on before goes under it, so that undo brings it back.
    pub fn new(
        text: Rc<str>,
        origin: Option<&'static str>,
        before: Option<Snapshot>,
        theme: Theme,
        frame: Frame,
    ) -> AppState {
        let present = Snapshot { text, origin };
        let mut history = History::new(before.unwrap_or_else(|| present.clone()));
        history.edit(super::history::EditKey::Once, present);
        let mut state = AppState {
            history,
            doc: Rc::new(Doc {
                text: "".into(),
                origin: None,
                pristine: false,
                good: None,
                diagnostics: Rc::new([]),
                stale: false,
                ticked: Rc::new([]),
                front: 0,
                mode: Mode::Form,
                view: Rc::default(),
                panel: None,
                folded: false,
                theme,
                frame,
                notice: None,
                offer: None,
                opened: 0,
                opening: None,
                base: "".into(),
                recent: [].into(),
                can_undo: false,
                can_redo: false,
            }),
            desk: Rc::default(),
            jobs: Rc::default(),
            outcomes: Rc::default(),
            sweep: Rc::default(),
            explore: Rc::default(),
            cursor: Cursor { at: None, hover: None, selected: None, playing: false, speed: Speed::One },
            seen: Seen::at_first(frame),
        };
        state.read();
        state
    }

    /// The page with its first story.
    pub fn first(theme: Theme, frame: Frame) -> AppState {
        let (text, origin) = match preset::by_id(FIRST_STORY) {
            Some(p) => (p.text, Some(p.id)),
            None => ("schema = \"fencepost.scenario/1\"\n", None),
        };
        AppState::new(text.into(), origin, None, theme, frame)
    }

    /// Reads the present text into the document: the one place where derived state is made.
    pub(super) fn read(&mut self) {
        self.read_as(None);
    }

    /// As [`AppState::read`], where the text has been read already.
    pub(super) fn read_as(&mut self, known: Option<Reading>) {
        let snapshot = self.history.present().clone();
        let doc = Rc::make_mut(&mut self.doc);
        doc.can_undo = self.history.can_undo();
        doc.can_redo = self.history.can_redo();
        if doc.text != snapshot.text || (doc.good.is_none() && doc.diagnostics.is_empty()) {
            let parsed = known.unwrap_or_else(|| Reading::of(&snapshot.text));
            doc.diagnostics = parsed.diagnostics;
            doc.stale = parsed.scenario.is_none();
            if let Some(new) = parsed.scenario {
                let fresh = doc.origin != snapshot.origin;
                let same = doc.good.as_ref() == Some(&new);
                doc.ticked = ticks(doc.good.as_deref(), &new, &doc.ticked, fresh);
                doc.front = doc.front.min(doc.ticked.len().saturating_sub(1));
                if fresh {
                    doc.front = 0;
                }
                if !same {
                    doc.good = Some(new);
                    // Numbers of events mean nothing in another run.
                    self.cursor.hover = None;
                    self.cursor.selected = None;
                }
                if fresh {
                    self.cursor.at = None;
                    self.cursor.playing = false;
                }
            }
        }
        if doc.text != snapshot.text || doc.origin != snapshot.origin {
            doc.pristine = is_pristine(&snapshot);
        }
        doc.text = snapshot.text;
        doc.origin = snapshot.origin;
    }
}

/// Is a text exactly the story that it was opened as, as far as anybody knows?
pub(super) fn is_pristine(snapshot: &Snapshot) -> bool {
    snapshot.origin.and_then(preset::text).is_some_and(|text| *text == *snapshot.text)
}

/// Which designs are shown after the scenario changed: the same ones, by place as long as their number is equal (so that a new name
/// does not untick anything), else by name; what was added by hand is shown; if nothing is left, the first ones.
fn ticks(old: Option<&Scenario>, new: &Scenario, ticked: &[usize], fresh: bool) -> Rc<[usize]> {
    let count = new.designs.len();
    let kept: Vec<usize> = match old {
        Some(old) if !fresh && old.designs.len() == count && !moved(old, new) => ticked.to_vec(),
        Some(old) if !fresh => {
            let was = |name: &str| old.designs.iter().position(|d| d.name == name);
            (0..count)
                .filter(|i| match was(&new.designs[*i].name) {
                    Some(j) => ticked.contains(&j),
                    None => count > old.designs.len(),
                })
                .collect()
        }
        _ => Vec::new(),
    };
    let empty_by_hand = !fresh && ticked.is_empty() && old.is_some();
    if kept.is_empty() && !empty_by_hand { first_ticks(new).into() } else { kept.into() }
}

/// The same names, in another order.
fn moved(old: &Scenario, new: &Scenario) -> bool {
    new.designs.iter().all(|d| old.design(&d.name).is_some())
}

/// The two designs that a story is opened with: where it turns. That is the first one that holds, by what the file claims, beside the
/// one before it, which does not. Where nothing turns, the first two.
fn first_ticks(scenario: &Scenario) -> Vec<usize> {
    let holds: Vec<Option<bool>> =
        scenario.designs.iter().map(|d| d.expect.violates.as_ref().map(|c| c.value.is_empty())).collect();
    let turn = (1..holds.len()).find(|i| holds[*i] == Some(true) && holds[*i - 1] == Some(false));
    match turn {
        Some(i) => vec![i - 1, i],
        None => (0..holds.len().min(SHOWN_AT_FIRST)).collect(),
    }
}

impl Doc {
    /// The story's name; empty if it has none.
    pub fn title(&self) -> &str {
        self.good.as_ref().and_then(|g| g.title.as_deref()).unwrap_or_default()
    }

    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|d| d.is_error())
    }

    /// The line of the first error, if it has one.
    pub fn error_line(&self) -> Option<u32> {
        self.errors().find_map(|d| d.line)
    }
}

impl Speed {
    pub fn next(self) -> Speed {
        match self {
            Speed::Half => Speed::One,
            Speed::One => Speed::Two,
            Speed::Two => Speed::Four,
            Speed::Four => Speed::Half,
        }
    }

    pub const fn factor(self) -> f64 {
        match self {
            Speed::Half => 0.5,
            Speed::One => 1.0,
            Speed::Two => 2.0,
            Speed::Four => 4.0,
        }
    }
}

impl Theme {
    pub const ALL: [Theme; 3] = [Theme::Auto, Theme::Light, Theme::Dark];

    /// The word in storage and in the page's address.
    pub const fn word(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    pub fn from_word(word: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|t| t.word() == word)
    }
}

impl Frame {
    /// px of the picture's height that can be seen without scrolling, roughly: what bar, title, heads, key and transport leave. Not
    /// more than the static first picture has, so that nothing moves on a tall screen when the engine arrives.
    pub fn picture_height(self) -> u32 {
        let (taken, most) = match self.room {
            Room::Wide => (330, 572),
            Room::Middle => (340, 560),
            Room::Narrow => (346, 514),
        };
        self.window_height.saturating_sub(taken).clamp(320, most)
    }
}

impl Room {
    pub fn of(window_width: u32) -> Room {
        match window_width {
            0..1024 => Room::Narrow,
            1024..1280 => Room::Middle,
            _ => Room::Wide,
        }
    }
}
