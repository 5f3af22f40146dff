//! How every story ends under the nine standard designs: learned from the second program, a few stories at a time, and kept for as long
//! as the page is open. The picker shows it, and the table of all stories.

use super::job::{Job, Place, Standing};
use super::state::{AppState, Doc, Panel};
use super::text;
use crate::base::markup::made;
use crate::scenario::preset;
use crate::scenario::profile::PROTECTIONS;
use std::rc::Rc;

/// How many stories one job asks about: small, so that a person sees how far it is, and can stop it.
const AT_ONCE: usize = 8;

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
        let (class, icon) = match self {
            Outcome::Broken => ("bad", "x"),
            Outcome::Safe => ("good", "ok"),
            Outcome::CutLease => ("good cut", "ok"),
            Outcome::Stuck => ("info", "inf"),
            Outcome::CutShort => ("info", "dots"),
            Outcome::None => return String::new(),
        };
        let mark = r#"<span class="oc {a}"><ic {b}><span class="vh">{C}</span></span>"#;
        made(mark, &[], &[class, icon, text::outcome(self)])
    }

    fn of(letter: char) -> Outcome {
        Outcome::ALL.into_iter().find(|o| o.letter() == letter).unwrap_or(Outcome::None)
    }
}

/// What is known so far, in the order of the picker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcomes {
    /// For each story one letter for each standard design, in the order of [`PROTECTIONS`].
    letters: Vec<String>,
}

impl Outcomes {
    pub fn known(&self) -> usize {
        self.letters.len()
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
    let looked_at = matches!(s.doc.panel, Some(Panel::Stories));
    let rests = s.jobs.at(Place::Outcomes).is_none_or(|t| t.standing == Standing::Done);
    if !looked_at || !rests {
        return None;
    }
    let mut texts: Vec<Rc<str>> = Vec::new();
    for p in preset::all().into_iter().skip(s.outcomes.known()).take(AT_ONCE) {
        texts.push(p.text.into());
    }
    (!texts.is_empty()).then_some(Job::Outcomes { texts })
}

pub(super) fn learned(s: &mut AppState, answer: &[String]) {
    Rc::make_mut(&mut s.outcomes).letters.extend(answer.iter().cloned());
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
            asked += texts.len();
            let mut answer = vec![VERSION.to_string()];
            answer.extend(texts.iter().map(|_| "xv-oicxvx".to_string()));
            s = update(s, Action::Answered(task.number, answer));
        }
        assert_eq!((asked, s.outcomes.known()), (all, all));
        assert_eq!(s.outcomes.of(0, 1), Some(Outcome::Safe));
        assert_eq!(s.outcomes.of(all, 0), None);
        let closed = update(s, Action::Panel(None));
        let open = update(closed, Action::Panel(Some(Panel::Stories)));
        assert_eq!(open.jobs.working().count(), 0, "what is known is not asked again");
    }
}
