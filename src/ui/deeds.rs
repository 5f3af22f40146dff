//! What the page's elements do. An element says it in words (`data-do="front 1"`, `data-set="tick 0"`), and here the words become
//! actions and what the browser has to do besides. Pure: it can be tested without a browser.

use super::editor::repair;
use super::menu::Hit;
use super::{hands, sight, stories, transport, why};
use crate::app::job::Place;
use crate::app::share::{self, Offer, Ways};
use crate::app::{
    Action, AppState, Mark, Mode, Panel, Room, Scene, Selection, Texts, Theme, View, highlight, reference,
};
use crate::base::TrueTime;
use crate::base::pieces::{cut, divide};
use crate::check::report::Property;
use crate::scenario::preset;
use crate::trace::EventSeq;
use std::rc::Rc;

/// Where a deed is done.
#[derive(Clone, Copy)]
pub struct Now<'a> {
    pub state: &'a AppState,
    /// Runs and picture of the last scenario that could be run.
    pub scene: Option<&'a Rc<Scene>>,
}

/// What follows from something that a person did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Deeds {
    /// In this order.
    pub actions: Vec<Action>,
    /// When the page shows what the actions made.
    pub then: Vec<Then>,
}

/// What the browser has to do, and nobody can read off the state.
#[derive(Clone, PartialEq, Debug)]
pub enum Then {
    /// Say it to those who do not see it.
    Say(String),
    /// Put the caret on a line of the text, from 1.
    Line(u32),
    /// Say this, and how every design shown has come out.
    Verdicts(String),
    /// Scroll to what matches.
    Reveal(String),
    /// Give the keyboard to what matches.
    Focus(String),
    /// Give the keyboard back to the message of the picture that had it, and scroll nowhere for it.
    Keep,
    Copy(String),
    /// Copy the text of what matches.
    Take(String),
    Save {
        name: String,
        mime: &'static str,
        text: Rc<str>,
    },
    /// Open what was pasted into the panel's field.
    Pasted,
    /// Open the file that was chosen, or what was dropped.
    File,
    /// Fetch a scenario from elsewhere.
    Fetch {
        url: Rc<str>,
        gist: bool,
    },
}

impl From<Action> for Deeds {
    fn from(action: Action) -> Deeds {
        Deeds { actions: vec![action], then: Vec::new() }
    }
}

impl From<Then> for Deeds {
    fn from(then: Then) -> Deeds {
        Deeds { actions: Vec::new(), then: vec![then] }
    }
}

/// The number at the beginning of `words`, and what comes after it.
fn number(words: &str) -> Option<(usize, &str)> {
    let (digits, rest) = divide(words, " ");
    let mut n = None;
    for d in digits.bytes() {
        n = Some(n.unwrap_or(0_usize) * 10 + usize::from(d.checked_sub(b'0').filter(|d| *d < 10)?));
    }
    n.map(|n| (n, rest))
}

/// What a press on an element with these words does; `None`: nothing.
pub fn press(words: &str, now: Now) -> Option<Deeds> {
    let (verb, rest) = divide(words, " ");
    let doc = &now.state.doc;
    let nth = || number(rest).map(|n| n.0);
    let action = match verb {
        "panel" => {
            let panel = match rest {
                "stories" => Panel::Stories,
                "scenario" => Panel::Scenario,
                "theme" => Panel::Theme,
                "help" => Panel::Help,
                "nine" => Panel::Nine,
                "table" => Panel::Table,
                "sweep" => Panel::Sweep,
                "explore" => Panel::Explore,
                "open" => Panel::Open,
                _ => Panel::Share,
            };
            Action::Panel((doc.panel != Some(panel)).then_some(panel))
        }
        "close" => Action::Panel(None),
        "stop" => Action::Stop(Place::from_word(rest)?),
        "again" => Action::Again(Place::from_word(rest)?),
        "undo" => Action::Undo,
        "redo" => Action::Redo,
        "reset" => Action::Reset,
        "form" => Action::Mode(Mode::Form),
        "text" => Action::Mode(Mode::Text),
        "fold" => Action::Fold(true),
        "unfold" => Action::Fold(false),
        "look" => Action::View(View { steps: rest == "order", ..(*doc.view).clone() }.into()),
        "nodes" => Action::View(View { unfolded: true, ..(*doc.view).clone() }.into()),
        "zoom" => return Some(zoom(now, rest)),
        "fetch" => Action::Texts(Texts::Coming),
        "dismiss" => Action::Notice(None),
        "clear" => Action::Select(None),
        "front" => Action::Front(nth()?),
        "tick" => Action::Tick { design: 0, on: true },
        "play" => Action::Play(!now.state.cursor.playing),
        "speed" => Action::Speed(now.state.cursor.speed.next()),
        "group" => Action::Group(stories::group(rest)),
        "theme" => return Some(and(Action::Theme(Theme::from_word(rest)?), Action::Panel(None))),
        "open" => return Some(open(rest)),
        "show" => return Some(and(Action::Panel(None), Action::Show(rest.to_string()))),
        "case" => {
            let (id, word) = cut(rest, " ")?;
            let mut deeds = open(id);
            deeds.actions.push(Action::Show(word.to_string()));
            return Some(deeds);
        }
        "lane" => {
            let (column, rest) = number(rest)?;
            return super::menu::head(now, column, number(rest)?.0, Hit::default(), String::new());
        }
        "choose" => return super::menu::choose(now, nth()?),
        "step" | "back" => return step(now, verb == "step"),
        "verdict" => return verdict(now, rest),
        "why" => return why::open(now, rest),
        "mistake" => return Some(mistake(now)),
        "finding" => return Some(line(Action::Mode(Mode::Text).into(), doc.diagnostics.get(nth()?)?.line)),
        "mend" => return mend(now, nth()?),
        "key" | "word" => return written(now, verb == "key", rest),
        "sweep" => return super::sweep::press(rest),
        "explore" => return super::explore::press(rest),
        "jump" => return Some(Then::Focus("#main h1".to_string()).into()),
        "share" => Action::Ways(Ways { everything: rest == "everything", ..now.state.desk.ways }),
        "export" => Action::Export(rest.into()),
        "take" => return Some(Then::Take(rest.to_string()).into()),
        "save" => return save(now),
        "bring" => return Some(Then::Pasted.into()),
        "new" => {
            let blank = Action::OpenText { text: share::BLANK.into(), origin: None };
            return Some(and(Action::Panel(None), blank));
        }
        "recent" => {
            let left = doc.recent.get(nth()?)?;
            let origin = preset::known(&left.origin);
            return Some(and(Action::Panel(None), Action::OpenText { text: left.text.clone(), origin }));
        }
        "offer" => match doc.offer.clone()? {
            Offer::Raw(_) => Action::TakeOffer,
            Offer::Fetch { url, gist } => return Some(Then::Fetch { url, gist }.into()),
        },
        "copy" => return Some(Then::Copy(doc.text.to_string()).into()),
        "download" => {
            let name = [doc.origin.unwrap_or("scenario"), ".toml"].concat();
            return Some(Then::Save { name, mime: "application/toml", text: doc.text.clone() }.into());
        }
        _ => return hands::press(verb, rest, now),
    };
    Some(action.into())
}

/// What it does that a field with these words now holds `value`; for a box that can be ticked, `"true"` or not.
pub fn set(words: &str, value: String) -> Option<Deeds> {
    let (verb, rest) = divide(words, " ");
    let action = match verb {
        "type" => {
            let (unit, path) = cut(rest, " ")?;
            let unit = if unit == "-" { "" } else { unit };
            Action::Typed { path: path.to_string(), unit: unit.to_string(), raw: value }
        }
        "text" => Action::Type(value.into()),
        "file" => return Some(Then::File.into()),
        "search" => Action::Search(value),
        "tick" => Action::Tick { design: number(rest)?.0, on: value == "true" },
        "try" => Action::Show(rest.to_string()),
        "sweep" => return super::sweep::set(rest, &value),
        "explore" => return super::explore::set(rest, &value),
        _ => return hands::set(verb, rest, &value),
    };
    Some(action.into())
}

/// A view of the story that is in the link, or is not.
pub fn tick(words: &str, on: bool, now: Now) -> Option<Deeds> {
    let mut ways = now.state.desk.ways;
    match words.strip_prefix("tick-share ")? {
        "at" => ways.at = on,
        "designs" => ways.designs = on,
        _ => ways.theme = on,
    }
    Some(Action::Ways(ways).into())
}

/// Saves the text that was written last.
fn save(now: Now) -> Option<Deeds> {
    let task = now.state.jobs.at(Place::Export)?;
    let [name, mime, text] = &*task.answer else { return None };
    let known = ["image/svg+xml", "application/toml", "application/json", "text/markdown"];
    let mime = known.into_iter().find(|m| m == mime).unwrap_or("text/plain");
    Some(Then::Save { name: name.clone(), mime, text: text.as_str().into() }.into())
}

fn and(first: Action, second: Action) -> Deeds {
    Deeds { actions: vec![first, second], then: Vec::new() }
}

/// Opens a story from the picker.
pub fn open(id: &str) -> Deeds {
    match crate::scenario::preset::known(id) {
        Some(id) => and(Action::Panel(None), Action::Open(id)),
        None => Action::Panel(None).into(),
    }
}

/// Makes the picture taller, or less tall.
pub fn zoom(now: Now, word: &str) -> Deeds {
    let view = &now.state.doc.view;
    let view = match word {
        "in" => view.zoomed(1),
        "out" => view.zoomed(-1),
        _ => View { zoom: 0, ..(**view).clone() },
    };
    Action::View(view.into()).into()
}

/// Moves the cursor, and says what happens there.
pub fn go(now: Now, at: Option<TrueTime>) -> Deeds {
    let said = now.scene.map(|scene| transport::sentence(scene, now.state.doc.front, at)).unwrap_or_default();
    Deeds { actions: vec![Action::Play(false), Action::Seek(at)], then: vec![Then::Say(said)] }
}

/// To the next row of the picture, or to the one before.
pub fn step(now: Now, forward: bool) -> Option<Deeds> {
    let scene = now.scene?;
    let here = now.state.cursor.at.unwrap_or_else(|| scene.end());
    let to = scene.step(here, forward);
    (forward || to.is_some()).then(|| go(now, to.filter(|t| *t < scene.end())))
}

/// Singles out one event: lit in every column that has it, and the cursor goes there.
pub fn select(now: Now, mark: Mark) -> Option<Deeds> {
    let scene = now.scene?;
    let event = scene.story.runs.get(mark.column)?.log.get(mark.seq)?;
    let mut deeds = go(now, (event.at < scene.end()).then_some(event.at));
    deeds.actions.push(Action::Select(Some(Selection { column: mark.column, seqs: [mark.seq].into(), verdict: None })));
    Some(deeds)
}

/// Singles out the witnesses of a broken promise; pressed again, nothing.
fn verdict(now: Now, words: &str) -> Option<Deeds> {
    let scene = now.scene?;
    let (column, word) = number(words)?;
    let property = Property::ALL.into_iter().find(|p| p.word() == word)?;
    if now.state.cursor.selected.as_ref().is_some_and(|s| s.column == column && s.verdict == Some(property)) {
        return Some(Action::Select(None).into());
    }
    let v = scene.story.runs.get(column)?.report.verdict(property).violation()?;
    let seqs: Rc<[EventSeq]> = v.witnesses.as_slice().into();
    let last = v.witnesses.last().map(|s| s.0.to_string()).unwrap_or_default();
    let place = super::markup::made(r#".body[data-col="{a}"] [data-seq="{b}"]"#, &[], &[&column.to_string(), &last]);
    let mut actions = vec![
        Action::Play(false),
        Action::Front(column),
        Action::Select(Some(Selection { column, seqs, verdict: Some(property) })),
        Action::Seek((v.at < scene.end()).then_some(v.at)),
    ];
    actions.extend(v.witnesses.last().and_then(|seq| sight::bring(now, scene, column, *seq)));
    // On a phone the table stands far below the picture.
    Some(Deeds { actions, then: vec![Then::Reveal(place)] })
}

/// To the text, and there to the line of the first error.
fn mistake(now: Now) -> Deeds {
    let doc = &now.state.doc;
    let show = if doc.frame.room == Room::Wide { Action::Fold(false) } else { Action::Panel(Some(Panel::Scenario)) };
    line(and(Action::Mode(Mode::Text), show), doc.error_line())
}

fn line(mut deeds: Deeds, line: Option<u32>) -> Deeds {
    deeds.then.extend(line.map(Then::Line));
    deeds
}

/// Writes a key of the table around the caret, or a word of the key under it.
fn written(now: Now, key: bool, word: &str) -> Option<Deeds> {
    let (text, line) = (&now.state.doc.text, now.state.desk.line);
    let (text, line) =
        if key { reference::insert(text, line, word)? } else { (reference::write(text, line, word)?, line) };
    let actions = vec![Action::Commit, Action::Type(text.into()), Action::Commit, Action::Line(line)];
    Some(Deeds { actions, then: vec![Then::Line(line)] })
}

/// Writes the word that a finding proposes.
fn mend(now: Now, nth: usize) -> Option<Deeds> {
    let doc = &now.state.doc;
    let (word, line, column) = repair(doc.diagnostics.get(nth)?)?;
    let text = highlight::replace(&doc.text, line, column, word);
    Some(Deeds { actions: vec![Action::Commit, Action::Type(text.into()), Action::Commit], then: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::form::Change;
    use crate::app::{Frame, Story, update::update};

    const FRAME: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

    /// The state after some actions, and its picture.
    fn after(actions: &[Action]) -> (Rc<AppState>, Rc<Scene>) {
        let start = Rc::new(AppState::first(Theme::Auto, FRAME));
        let state = actions.iter().fold(start, |s, a| update(s, a.clone()));
        let good = state.doc.good.clone().expect("a story that runs");
        let scene = Scene::of(Rc::new(Story::of(good, &state.doc.ticked)), FRAME);
        (state, Rc::new(scene))
    }

    fn pressed(words: &str, actions: &[Action]) -> Option<Deeds> {
        let (state, scene) = after(actions);
        press(words, Now { state: &state, scene: Some(&scene) })
    }

    #[test]
    fn words_become_actions() {
        assert_eq!(pressed("undo", &[]), Some(Action::Undo.into()));
        assert_eq!(pressed("front 1", &[]), Some(Action::Front(1).into()));
        assert_eq!(pressed("panel help", &[]), Some(Action::Panel(Some(Panel::Help)).into()));
        assert_eq!(pressed("panel help", &[Action::Panel(Some(Panel::Help))]), Some(Action::Panel(None).into()));
        let remove = Action::Change(Change::Remove("worker.1".into()));
        assert_eq!(pressed("remove worker.1", &[]).map(|d| d.actions), Some(vec![remove]));
        for nothing in ["", "unheard of", "front", "front x", "front 99999999x", "finding 7", "mend 0", "theme pink"] {
            assert_eq!(pressed(nothing, &[]), None, "{nothing}");
        }
    }

    #[test]
    fn values_become_actions() {
        let typed = |path: &str, unit: &str| {
            Some(Action::Typed { path: path.into(), unit: unit.into(), raw: "12".into() }.into())
        };
        assert_eq!(set("type s lock.ttl", "12".into()), typed("lock.ttl", "s"));
        assert_eq!(set("type - worker.\"W 1\".start", "12".into()), typed("worker.\"W 1\".start", ""));
        assert_eq!(hands::path("type - worker.\"W 1\".start"), Some("worker.\"W 1\".start"));
        assert_eq!(hands::path("flip judge|leak, deadlock"), Some("judge"));
        assert_eq!(set("tick 1", "false".into()), Some(Action::Tick { design: 1, on: false }.into()));
        assert_eq!(set("unheard of", String::new()), None);
    }

    #[test]
    fn a_step_says_where_it_leads() {
        let deeds = pressed("back", &[]).expect("there is a row before the last");
        assert_eq!(deeds.actions[0], Action::Play(false));
        assert!(matches!(deeds.then.as_slice(), [Then::Say(what)] if what.starts_with("15.0")));
        assert_eq!(pressed("back", &[Action::Seek(Some(TrueTime::ZERO))]), None);
        let end = pressed("step", &[]).expect("a step from the end stays there");
        assert_eq!(end.actions[1], Action::Seek(None));
    }

    #[test]
    fn a_verdict_is_pressed_and_released() {
        let deeds = pressed("verdict 0 stale-write", &[]).expect("it is broken");
        let Some(Action::Select(Some(selection))) = deeds.actions.iter().find(|a| matches!(a, Action::Select(_)))
        else {
            panic!("{deeds:?}");
        };
        assert!(!selection.seqs.is_empty());
        assert!(matches!(deeds.then.as_slice(), [Then::Reveal(_)]));
        let again = pressed("verdict 0 stale-write", &deeds.actions);
        assert_eq!(again, Some(Action::Select(None).into()));
        assert_eq!(pressed("verdict 1 stale-write", &[]), None, "it is kept there");
    }

    #[test]
    fn a_mistake_is_mended_from_its_finding() {
        let (state, _) = after(&[]);
        let broken = state.doc.text.replace("[lock]", "[lokc]");
        let broken = if broken == *state.doc.text { state.doc.text.replacen("title", "titel", 1) } else { broken };
        let deeds = pressed("mend 0", &[Action::Type(broken.into())]).expect("a word is proposed");
        assert_eq!(deeds.actions[1], Action::Type(state.doc.text.clone()));
    }
}
