//! Handing a story on and bringing one in, as far as the page's state is concerned: what somebody wishes to hand on, what is offered to them,
//! and what becomes of an answer of the second program.

use super::history::{EditKey, Snapshot};
use super::job::Job;
use super::link::Options;
use super::state::{AppState, Doc, Mode, Panel, Theme};
use super::text::share as words;
use crate::base::pieces::{count, joined, split, whole};
use crate::base::text::{integer, number};
use crate::scenario::{Design, preset};
use std::rc::Rc;

/// How somebody wants to hand the story on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ways {
    /// The link carries the scenario, although it has a name.
    pub everything: bool,
    /// It opens at the instant where the cursor stands.
    pub at: bool,
    /// It opens with the designs that are shown.
    pub designs: bool,
    /// It opens in the theme that is worn.
    pub theme: bool,
}

impl Default for Ways {
    fn default() -> Ways {
        Ways { everything: false, at: true, designs: false, theme: false }
    }
}

/// What was edited and left behind.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recent {
    /// When it was left, as people say it where the browser stands.
    pub when: String,
    pub title: String,
    /// The id of the story it was opened as; empty: none.
    pub origin: String,
    pub text: Rc<str>,
}

/// All that a link and a panel about it follow from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wish {
    pub text: Rc<str>,
    /// The id of the story it was opened as; empty: none.
    pub origin: String,
    /// The page's address without query and fragment.
    pub base: Rc<str>,
    /// Those that are shown.
    pub designs: Vec<usize>,
    /// Where the cursor stands, in microseconds; `None`: at the end.
    pub at: Option<i64>,
    /// The theme that a person has chosen; empty: none.
    pub theme: String,
    pub everything: bool,
    pub opens_there: bool,
    pub these_designs: bool,
    pub this_theme: bool,
}

impl Wish {
    pub fn of(s: &AppState) -> Wish {
        let (doc, ways) = (&s.doc, s.desk.ways);
        Wish {
            text: doc.text.clone(),
            origin: doc.origin.unwrap_or_default().to_string(),
            base: doc.base.clone(),
            designs: doc.ticked.to_vec(),
            // While it plays, the instant is no place that anybody means.
            at: s.cursor.at.filter(|_| !s.cursor.playing).map(|t| t.as_us()),
            theme: if doc.theme == Theme::Auto { String::new() } else { doc.theme.word().to_string() },
            everything: ways.everything,
            opens_there: ways.at,
            these_designs: ways.designs,
            this_theme: ways.theme,
        }
    }

    /// As texts, for the second program.
    pub fn write(&self) -> Vec<Rc<str>> {
        let mut flags = String::new();
        for on in [self.everything, self.opens_there, self.these_designs, self.this_theme] {
            flags.push(if on { 'y' } else { 'n' });
        }
        let mut designs: Vec<String> = Vec::new();
        for d in &self.designs {
            designs.push(number(*d));
        }
        vec![
            self.text.clone(),
            self.origin.as_str().into(),
            self.base.clone(),
            joined(&designs, ",").into(),
            self.at.map_or(String::new(), integer).into(),
            self.theme.as_str().into(),
            flags.into(),
        ]
    }

    /// What [`Wish::write`] wrote.
    pub fn read(texts: &[String]) -> Option<Wish> {
        let [text, origin, base, designs, at, theme, flags] = texts else { return None };
        let flag = |i: usize| flags.as_bytes().get(i) == Some(&b'y');
        Some(Wish {
            text: text.as_str().into(),
            origin: origin.clone(),
            base: base.as_str().into(),
            designs: split(designs, ",").into_iter().filter_map(count).collect(),
            at: whole(at),
            theme: theme.clone(),
            everything: flag(0),
            opens_there: flag(1),
            these_designs: flag(2),
            this_theme: flag(3),
        })
    }
}

/// Something that a notice offers to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Offer {
    /// To show a text that is no scenario.
    Raw(Rc<str>),
    /// To fetch a scenario from elsewhere; `gist`: what comes is GitHub's answer about one.
    Fetch { url: Rc<str>, gist: bool },
}

/// A text as a page begins with one.
pub const BLANK: &str =
    "schema = \"fencepost.scenario/1\"\ntitle = \"\"\n\n[[worker]]\nname = \"W1\"\n\n[[worker]]\nname = \"W2\"\n";

/// Opens a text that is no story of ours: undone, the one before is there again.
pub fn open_text(s: &mut AppState, text: Rc<str>, origin: Option<&'static str>) {
    s.history.edit(EditKey::Once, Snapshot { text, origin });
    s.read();
    s.cursor.at = None;
    s.cursor.playing = false;
    Rc::make_mut(&mut s.desk).typing.clear();
    let doc = Rc::make_mut(&mut s.doc);
    (doc.notice, doc.offer) = (None, None);
    doc.opened += 1;
}

/// Does what a notice offers: shows the text that is no scenario, so that it can be mended.
pub fn take(s: &mut AppState) {
    if let Some(Offer::Raw(text)) = s.doc.offer.clone() {
        open_text(s, text, None);
        Rc::make_mut(&mut s.doc).mode = Mode::Text;
    }
}

/// What the second program is asked for while the panel stands open.
pub fn wanted(s: &AppState) -> Option<Job> {
    (s.doc.panel == Some(Panel::Share)).then(|| Job::Share(Box::new(Wish::of(s))))
}

/// Shows what was opened as the address wants it.
pub fn show(s: &mut AppState, options: &Options) {
    let Some(good) = s.doc.good.clone() else { return };
    let mut ticked: Vec<usize> = Vec::new();
    for word in &options.compare {
        let called = |d: &Design| d.name == *word || d.protection.as_deref() == Some(word);
        let number = || count(word).and_then(|n| n.checked_sub(1)).filter(|n| *n < good.designs.len());
        let found = good.designs.iter().position(called).or_else(number);
        ticked.extend(found.filter(|d| !ticked.contains(d)));
    }
    if !ticked.is_empty() {
        // Columns stand in the order of the scenario.
        let all: Vec<usize> = (0..good.designs.len()).filter(|d| ticked.contains(d)).collect();
        let doc = Rc::make_mut(&mut s.doc);
        (doc.ticked, doc.front) = (all.into(), 0);
    }
    s.cursor.at = options.at.or(s.cursor.at);
}

/// What came of something that was brought: `opened`, text, origin, notices; or `fetch`, address, whose it is, `gist` or not; or `refused`,
/// why, and the text that is no scenario.
pub fn brought(s: &mut AppState, answer: &[String]) {
    let at = |i: usize| answer.get(i).map(String::as_str).unwrap_or_default();
    let tell = |doc: &mut Doc, notice: String, offer: Option<Offer>| {
        doc.panel = None;
        doc.notice = (!notice.is_empty()).then(|| notice.into());
        doc.offer = offer;
    };
    match at(0) {
        "opened" => {
            open_text(s, at(1).into(), preset::by_id(at(2)).map(|p| p.id));
            if let Some(options) = Rc::make_mut(&mut s.doc).opening.take() {
                show(s, &options);
            }
            tell(Rc::make_mut(&mut s.doc), joined(&answer[3..], " "), None);
        }
        "fetch" => {
            let offer = Offer::Fetch { url: at(1).into(), gist: at(3) == "gist" };
            tell(Rc::make_mut(&mut s.doc), words::fetches(at(2)), Some(offer));
        }
        _ => {
            let raw = answer.get(2).map(|raw| Offer::Raw(raw.as_str().into()));
            tell(Rc::make_mut(&mut s.doc), at(1).to_string(), raw);
        }
    }
}
