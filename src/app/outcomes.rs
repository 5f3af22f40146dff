//! How every story ends under the nine standard designs: learned from the second program, a few stories at a time, and kept for as long
//! as the page is open. The picker shows it, and the table of all stories.

use super::job::{Job, Place, Standing};
use super::state::{AppState, Doc, Panel};
use super::text;
use crate::base::markup::made;
use crate::scenario::Scenario;
use crate::scenario::preset;
use crate::scenario::profile::PROTECTIONS;
use std::rc::Rc;

/// The standard designs in the order in which they are compared, as places among [`PROTECTIONS`]: better locks, then resources that check.
pub const ORDER: [usize; 9] = [0, 1, 5, 6, 4, 2, 3, 7, 8];
/// How many of them are better locks.
pub const LOCK_SIDE: usize = 5;

/// A story to be told about: what its row says, and its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Its group, if it is the first of it.
    pub group: Rc<str>,
    pub number: Rc<str>,
    pub id: Rc<str>,
    pub title: Rc<str>,
    pub text: Rc<str>,
}

impl Told {
    /// The story as texts.
    pub fn write(self, out: &mut Vec<Rc<str>>) {
        out.extend([self.group, self.number, self.id, self.title, self.text]);
    }

    /// The stories that were written.
    pub fn read(texts: &[Rc<str>]) -> Vec<Told> {
        let told = |five: &[Rc<str>; 5]| {
            let [group, number, id, title, text] = five.clone();
            Told { group, number, id, title, text }
        };
        texts.as_chunks().0.iter().map(told).collect()
    }
}

/// How many stories one job asks about: small, so that a person sees how far it is, and can stop it.
const AT_ONCE: usize = 12;

/// How a story ends under one design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A promise about the data or about the lock is broken.
    Broken,
    Safe,
    /// Nothing happened to the data, though a lease ended before its promised end.
    CutLease,
    Stuck,
    /// The run reached its limit on events.
    CutShort,
    /// The story has no such design.
    None,
}

impl Outcome {
    pub const ALL: [Outcome; 6] =
        [Outcome::Broken, Outcome::Safe, Outcome::CutLease, Outcome::Stuck, Outcome::CutShort, Outcome::None];

    /// In an answer.
    pub const fn letter(self) -> char {
        match self {
            Outcome::Broken => 'x',
            Outcome::Safe => 'v',
            Outcome::CutLease => 'o',
            Outcome::Stuck => 'i',
            Outcome::CutShort => 'c',
            Outcome::None => '-',
        }
    }

    /// A sign, and the word for those who do not see it.
    pub fn mark(self) -> String {
        let word = made(r#"<span class="vh">{A}</span>"#, &[], &[text::outcome(self)]);
        self.sign(&word)
    }

    /// A sign beside its word.
    pub fn mark_mute(self) -> String {
        self.sign("")
    }

    fn sign(self, word: &str) -> String {
        let (class, icon) = match self {
            Outcome::Broken => ("bad", "x"),
            Outcome::Safe => ("good", "ok"),
            Outcome::CutLease => ("good cut", "ok"),
            Outcome::Stuck => ("info", "inf"),
            Outcome::CutShort => ("info", "dots"),
            Outcome::None => return String::new(),
        };
        made(r#"<span class="oc {a}"><ic {b}>{c}</span>"#, &[], &[class, icon, word])
    }

    pub fn of(letter: char) -> Outcome {
        Outcome::ALL.into_iter().find(|o| o.letter() == letter).unwrap_or(Outcome::None)
    }
}

/// What is known so far, in the order of the picker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    /// For each story one letter for each standard design, in the order of [`PROTECTIONS`].
    letters: Vec<String>,
    /// The table of them, as markup.
    head: String,
    rows: String,
    foot: String,
}

impl Outcomes {
    pub fn known(&self) -> usize {
        self.letters.len()
    }

    /// The table of what is known; empty before anything is.
    pub fn table(&self) -> String {
        [&*self.head, &self.rows, &self.foot].concat()
    }

    /// How the story at this place of the picker ends under a standard design; `None`: not known yet.
    pub fn of(&self, story: usize, protection: usize) -> Option<Outcome> {
        let letters = self.letters.get(story)?;
        letters.chars().nth(protection).map(Outcome::of)
    }
}

/// Those of the shown designs that are standard ones: their places among the nine, each once, and their names.
pub fn shown(doc: &Doc) -> Vec<(usize, &str)> {
    let mut out: Vec<(usize, &str)> = Vec::new();
    let Some(good) = &doc.good else { return out };
    for design in doc.ticked.iter().filter_map(|i| good.designs.get(*i)) {
        let place = PROTECTIONS.iter().position(|p| Some(p.word) == design.protection.as_deref());
        if let Some(place) = place.filter(|p| out.iter().all(|known| known.0 != *p)) {
            out.push((place, &design.name));
        }
    }
    out
}

/// What is still to be asked, once what was asked is answered.
pub(super) fn wanted(s: &AppState) -> Option<Job> {
    let looked_at = matches!(s.doc.panel, Some(Panel::Stories | Panel::Table));
    let rests = s.jobs.at(Place::Outcomes).is_none_or(|t| t.standing == Standing::Done);
    if !looked_at || !rests {
        return None;
    }
    let known = s.outcomes.known();
    let shelf = preset::all();
    let mut texts: Vec<Rc<str>> = Vec::new();
    for (i, p) in shelf.iter().enumerate().skip(known).take(AT_ONCE) {
        let first = i == 0 || shelf[i - 1].group != p.group;
        let told = Told {
            group: if first { p.group } else { "" }.into(),
            number: p.number.into(),
            id: p.id.into(),
            title: p.title.as_str().into(),
            text: p.text.into(),
        };
        told.write(&mut texts);
    }
    (!texts.is_empty()).then_some(Job::Outcomes { texts })
}

/// The design of a story that is this standard one: of several with one protection the plain one, or else the first.
pub fn design(scenario: &Scenario, word: &str) -> Option<usize> {
    let all = || scenario.designs.iter().enumerate().filter(|(_, d)| d.protection.as_deref() == Some(word));
    let plain = all().find(|(_, d)| d.own.sections().iter().all(|(_, written)| written.is_empty()));
    plain.or_else(|| all().next()).map(|(i, _)| i)
}

pub(super) fn learned(s: &mut AppState, answer: &[String]) {
    let [head, told @ .., foot] = answer else { return };
    let known = Rc::make_mut(&mut s.outcomes);
    (known.head, known.foot) = (head.clone(), foot.clone());
    for pair in told.chunks_exact(2) {
        known.letters.push(pair[0].clone());
        known.rows.push_str(&pair[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::VERSION;
    use super::super::state::{Frame, Room, Theme};
    use super::super::{Action, update::update};
    use super::*;

    #[test]
    fn all_stories_are_asked_about_in_turn_and_once() {
        let frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };
        let mut s = Rc::new(AppState::first(Theme::Auto, frame));
        s = update(s, Action::Panel(Some(Panel::Stories)));
        let all = preset::all().len();
        let mut asked = 0;
        loop {
            let working = s.jobs.working().next().cloned();
            let Some(task) = working else { break };
            let Job::Outcomes { texts } = &task.job else { panic!("nothing else is asked") };
            let stories = Told::read(texts);
            asked += stories.len();
            let mut answer = vec![VERSION.to_string(), "<table>".to_string()];
            answer.extend(stories.iter().flat_map(|s| ["xv-oicxvx".to_string(), format!("<tr>{}", s.id)]));
            answer.push("</table>".to_string());
            s = update(s, Action::Answered(task.number, answer));
        }
        assert_eq!((asked, s.outcomes.known()), (all, all));
        assert_eq!(s.outcomes.of(0, 1), Some(Outcome::Safe));
        assert_eq!(s.outcomes.of(all, 0), None);
        assert_eq!(s.outcomes.table().matches("<tr>").count(), all);
        assert!(s.outcomes.table().starts_with("<table><tr>quiet-handover<tr>"));
        let closed = update(s, Action::Panel(None));
        let open = update(closed, Action::Panel(Some(Panel::Stories)));
        assert_eq!(open.jobs.working().count(), 0, "what is known is not asked again");
    }
}
