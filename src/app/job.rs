//! What the page has done for it by the second program, and what has become of that.
//!
//! A [`Job`] is a question that can be written as a list of texts; the answer is a list of texts too. The page never waits: it says what it
//! wants ([`settle`] reads that off the state after every action), goes on, and draws the answer when it is there. Each job has a *place*,
//! and a place shows one answer at a time. What is wanted anew takes the place over, and an answer to what was wanted before is dropped.
//!
//! To add a job: a variant here, with its place and its texts; the arm in `annex::answer`; and in [`settle`] when it is wanted, or
//! [`Action::Ask`](super::Action::Ask) where a person asks for it once.
//!
//! Absent: who carries the texts (`web::annex`), and who answers (`crate::annex`).

use super::outcomes;
use super::share::{self, Wish};
use super::state::{AppState, Panel};
use super::{explore, sweep, text};
use crate::base::text::number;
use std::rc::Rc;

/// Both programs say it with every message: a program that is left from another version is not listened to.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " jobs/1");

/// In the place of a format: a picture is to carry its scenario.
const PICTURE: &str = "picture";

/// A question to the second program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Job {
    /// How some stories end under the nine standard designs: what [`outcomes::Told::write`] wrote of each. The answer is the head of their
    /// table, letters and a row for each story, and the table's foot.
    Outcomes { texts: Vec<Rc<str>> },
    /// One story under all nine, as a panel: the story, `own` if it is not a preset as it came, and the places of the shown designs.
    Nine { texts: Vec<Rc<str>> },
    /// Why a promise broke: the story, the design, its column, the promise, the height of the window. The answer is the design and a panel.
    Why { texts: Vec<Rc<str>> },
    /// A sweep as far as it has come, as a panel: see `annex::sweep`.
    Sweep { texts: Vec<Rc<str>> },
    /// Some runs of a sweep: the story, its shown designs, and which runs. Several lanes work at once.
    Unit { lane: u8, texts: Vec<Rc<str>> },
    /// A change to the story that the panel of its sweep offers. The answer is how the new text is to be taken, and the text.
    Make { texts: Vec<Rc<str>> },
    /// A search as far as it has come, as a panel: see `annex::explore`.
    Explore { texts: Vec<Rc<str>> },
    /// A part of a search is gone on with. Each lane has its own.
    Search { lane: u8, texts: Vec<Rc<str>> },
    /// What a search has found, as a scenario. The answer is as that of [`Job::Make`].
    Found { texts: Vec<Rc<str>> },
    /// The panel in which the story is handed on, as markup.
    Share(Box<Wish>),
    /// The story in some format: name of the file, kind, contents.
    Export { word: Rc<str>, wish: Box<Wish> },
    /// A picture that carries its scenario; pictures are base64.
    Picture { name: Rc<str>, picture: Rc<str>, text: Rc<str> },
    /// What something is that was brought: see `share::brought`.
    Bring { kind: Brought, what: Rc<str> },
}

/// What somebody brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Brought {
    Text,
    /// As base64.
    File,
    /// What GitHub answered about a gist.
    Answer,
    /// The fragment of an address.
    Link,
}

impl Brought {
    pub const fn word(self) -> &'static str {
        match self {
            Brought::Text => "text",
            Brought::File => "file",
            Brought::Answer => "answer",
            Brought::Link => "link",
        }
    }

    fn from_word(word: &str) -> Brought {
        let all = [Brought::File, Brought::Answer, Brought::Link];
        all.into_iter().find(|k| k.word() == word).unwrap_or(Brought::Text)
    }
}

/// Where an answer is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    Outcomes,
    Nine,
    Why,
    Sweep,
    /// One of the lanes in which a sweep runs.
    Unit(u8),
    Make,
    Explore,
    /// One of the lanes in which a search runs.
    Search(u8),
    Found,
    Share,
    Export,
    Bring,
}

impl Job {
    pub const fn place(&self) -> Place {
        match self {
            Job::Outcomes { .. } => Place::Outcomes,
            Job::Nine { .. } => Place::Nine,
            Job::Why { .. } => Place::Why,
            Job::Sweep { .. } => Place::Sweep,
            Job::Unit { lane, .. } => Place::Unit(*lane),
            Job::Make { .. } => Place::Make,
            Job::Explore { .. } => Place::Explore,
            Job::Search { lane, .. } => Place::Search(*lane),
            Job::Found { .. } => Place::Found,
            Job::Share(_) => Place::Share,
            Job::Export { .. } | Job::Picture { .. } => Place::Export,
            Job::Bring { .. } => Place::Bring,
        }
    }

    /// The job as texts, the version before it.
    pub fn write(&self) -> Vec<Rc<str>> {
        let mut out: Vec<Rc<str>> = vec![VERSION.into(), self.place().word().into()];
        match self {
            Job::Outcomes { texts }
            | Job::Nine { texts }
            | Job::Why { texts }
            | Job::Sweep { texts }
            | Job::Unit { texts, .. }
            | Job::Make { texts }
            | Job::Explore { texts }
            | Job::Search { texts, .. }
            | Job::Found { texts } => out.extend(texts.iter().cloned()),
            Job::Share(wish) => out.append(&mut wish.write()),
            Job::Export { word, wish } => {
                out.push(word.clone());
                out.append(&mut wish.write());
            }
            Job::Picture { name, picture, text } => {
                for t in [&PICTURE.into(), name, picture, text] {
                    out.push(t.clone());
                }
            }
            Job::Bring { kind, what } => {
                out.push(kind.word().into());
                out.push(what.clone());
            }
        }
        out
    }

    /// What [`Job::write`] wrote, without the version.
    pub fn read(texts: &[String]) -> Option<Job> {
        let (word, rest) = texts.split_first()?;
        let texts = || rest.iter().map(|t| t.as_str().into()).collect();
        match Place::from_word(word)? {
            Place::Outcomes => Some(Job::Outcomes { texts: texts() }),
            Place::Nine => Some(Job::Nine { texts: texts() }),
            Place::Why => Some(Job::Why { texts: texts() }),
            Place::Sweep => Some(Job::Sweep { texts: texts() }),
            Place::Unit(lane) => Some(Job::Unit { lane, texts: texts() }),
            Place::Make => Some(Job::Make { texts: texts() }),
            Place::Explore => Some(Job::Explore { texts: texts() }),
            Place::Search(lane) => Some(Job::Search { lane, texts: texts() }),
            Place::Found => Some(Job::Found { texts: texts() }),
            Place::Share => Some(Job::Share(Box::new(Wish::read(rest)?))),
            Place::Export => match rest {
                [word, name, picture, text] if word == PICTURE => {
                    let [name, picture, text] = [name, picture, text].map(|t| t.as_str().into());
                    Some(Job::Picture { name, picture, text })
                }
                [word, wish @ ..] => {
                    Some(Job::Export { word: word.as_str().into(), wish: Box::new(Wish::read(wish)?) })
                }
                [] => None,
            },
            Place::Bring => match rest {
                [kind, what] => Some(Job::Bring { kind: Brought::from_word(kind), what: what.as_str().into() }),
                _ => None,
            },
        }
    }
}

impl Place {
    pub const ALL: [Place; 12] = [
        Place::Outcomes,
        Place::Nine,
        Place::Why,
        Place::Sweep,
        Place::Unit(0),
        Place::Make,
        Place::Explore,
        Place::Search(0),
        Place::Found,
        Place::Share,
        Place::Export,
        Place::Bring,
    ];

    /// Which of several workers does the jobs of this place.
    pub const fn lane(self) -> u8 {
        match self {
            Place::Unit(lane) => lane,
            // The first is free for what a person waits for.
            Place::Search(lane) => lane + 1,
            _ => 0,
        }
    }

    /// In a message, and on the buttons that stop a job and try it again.
    pub const fn word(self) -> &'static str {
        match self {
            Place::Outcomes => "outcomes",
            Place::Nine => "nine",
            Place::Why => "why",
            Place::Sweep => "sweep",
            Place::Unit(_) => "unit",
            Place::Make => "make",
            Place::Explore => "explore",
            Place::Search(_) => "search",
            Place::Found => "found",
            Place::Share => "share",
            Place::Export => "export",
            Place::Bring => "bring",
        }
    }

    pub fn from_word(word: &str) -> Option<Place> {
        Place::ALL.into_iter().find(|p| p.word() == word)
    }
}

/// What became of the last job in one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub job: Job,
    /// Counts all jobs of the page; an answer bears it.
    pub number: u32,
    pub standing: Standing,
    /// The last answer that this place had; while a job is under way, that of the one before.
    pub answer: Rc<[String]>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Under way. `slow`: for more than a second, so that a person is told and can stop it.
    Working {
        slow: bool,
    },
    Done,
    /// A person has stopped it.
    Stopped,
    /// Why there is no answer, as a sentence.
    Failed(Rc<str>),
}

/// All places that have had a job.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Jobs {
    tasks: Vec<Task>,
    last: u32,
}

impl Jobs {
    pub fn at(&self, place: Place) -> Option<&Task> {
        self.tasks.iter().find(|t| t.job.place() == place)
    }

    /// What became of the job of this number, if its place has had none since.
    pub fn standing(&self, number: u32) -> Option<&Standing> {
        self.tasks.iter().find(|t| t.number == number).map(|t| &t.standing)
    }

    /// All that is under way.
    pub fn working(&self) -> impl Iterator<Item = &Task> {
        self.tasks.iter().filter(|t| matches!(t.standing, Standing::Working { .. }))
    }

    /// Takes on a job, unless it is the one that its place has had last.
    fn want(&mut self, job: Job) {
        if self.at(job.place()).is_none_or(|t| t.job != job) {
            self.ask(job);
        }
    }

    /// Takes on a job, whatever its place has had.
    fn ask(&mut self, job: Job) {
        self.last += 1;
        let number = self.last;
        let standing = Standing::Working { slow: false };
        match self.tasks.iter_mut().find(|t| t.job.place() == job.place()) {
            Some(t) => (t.job, t.number, t.standing) = (job, number, standing),
            None => self.tasks.push(Task { job, number, standing, answer: [].into() }),
        }
    }

    /// Whose number it is, if it is still under way.
    fn task(&mut self, number: u32) -> Option<&mut Task> {
        let under_way = |t: &&mut Task| t.number == number && matches!(t.standing, Standing::Working { .. });
        self.tasks.iter_mut().find(under_way)
    }
}

/// The jobs, to be changed.
pub fn jobs(s: &mut AppState) -> &mut Jobs {
    Rc::make_mut(&mut s.jobs)
}

/// A person asks for something once.
pub fn ask(s: &mut AppState, job: Job) {
    jobs(s).ask(job);
}

/// An answer: texts with the version before them.
pub fn answered(s: &mut AppState, number: u32, texts: Vec<String>) {
    let Some(task) = jobs(s).task(number) else { return };
    match texts.split_first() {
        Some((version, rest)) if version == VERSION => {
            task.standing = Standing::Done;
            task.answer = rest.into();
            let task = task.clone();
            match task.job {
                Job::Outcomes { .. } => outcomes::learned(s, &task.answer),
                Job::Bring { .. } => share::brought(s, &task.answer),
                Job::Sweep { texts } => sweep::drawn(s, &texts, &task.answer),
                Job::Unit { texts, .. } => sweep::counted(s, &texts, &task.answer),
                Job::Make { .. } => sweep::made(s, &task.answer),
                Job::Explore { texts } => explore::drawn(s, &texts, &task.answer),
                Job::Search { lane, texts } => explore::walked(s, lane, &texts, &task.answer),
                Job::Found { texts } => explore::opened(s, &texts, &task.answer),
                // The panel shows them, and a file is given away (see `effect`).
                Job::Nine { .. } | Job::Why { .. } | Job::Share(_) | Job::Export { .. } | Job::Picture { .. } => {}
            }
        }
        _ => task.standing = Standing::Failed(text::ANNEX_OTHER.into()),
    }
}

/// There is no answer, and why.
pub fn failed(s: &mut AppState, number: u32, why: Rc<str>) {
    if let Some(task) = jobs(s).task(number) {
        task.standing = Standing::Failed(why);
        match task.job.clone() {
            Job::Unit { texts, .. } => sweep::missed(s, &texts),
            Job::Search { lane, texts } => explore::missed(s, lane, &texts),
            _ => {}
        }
    }
}

/// A second has passed.
pub fn slow(s: &mut AppState, number: u32) {
    if let Some(task) = jobs(s).task(number) {
        task.standing = Standing::Working { slow: true };
    }
}

/// A person stops a job. Whoever works is stopped with all that lies before it, so what else is under way is asked anew.
pub fn stop(s: &mut AppState, place: Place) {
    let under_way: Vec<Job> = s.jobs.working().map(|t| t.job.clone()).collect();
    for job in under_way {
        if job.place() != place {
            jobs(s).ask(job);
        } else if let Some(task) = jobs(s).tasks.iter_mut().find(|t| t.job == job) {
            task.standing = Standing::Stopped;
        }
    }
}

/// All workers but the first end, and the search with them; what else they work on is asked anew.
pub fn end_lanes(s: &mut AppState) {
    let under_way: Vec<Job> = s.jobs.working().map(|t| t.job.clone()).collect();
    for job in under_way.iter().filter(|job| job.place().lane() > 0) {
        if !matches!(job, Job::Search { .. }) {
            jobs(s).ask(job.clone());
        } else if let Some(task) = jobs(s).tasks.iter_mut().find(|t| t.job == *job) {
            task.standing = Standing::Stopped;
        }
    }
}

/// Tries again what was stopped or failed.
pub fn again(s: &mut AppState, place: Place) {
    if let Some(job) = s.jobs.at(place).map(|t| t.job.clone()) {
        jobs(s).ask(job);
    }
}

/// Takes on what the state wants: called after every action.
pub fn settle(s: &mut AppState) {
    if let Some(job) = share::wanted(s) {
        jobs(s).want(job);
    }
    if let Some(job) = outcomes::wanted(s) {
        jobs(s).want(job);
    }
    sweep::settle(s);
    explore::settle(s);
    if s.doc.panel == Some(Panel::Nine) && !s.doc.stale {
        let mut texts = vec![s.doc.text.clone(), if s.doc.pristine { "" } else { "own" }.into()];
        for place in s.doc.ticked.iter() {
            texts.push(number(*place).into());
        }
        jobs(s).want(Job::Nine { texts });
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{Frame, Panel, Room, Theme};
    use super::super::{Action, AppState, update::update};
    use super::*;

    fn start() -> Rc<AppState> {
        Rc::new(AppState::first(Theme::Auto, Frame { room: Room::Wide, width: 1160, window_height: 900 }))
    }

    fn job(text: &str) -> Job {
        Job::Nine { texts: vec![text.into(), "own".into(), "12".into()] }
    }

    fn texts(list: &[&str]) -> Vec<String> {
        [VERSION].iter().chain(list).map(|t| t.to_string()).collect()
    }

    #[test]
    fn a_job_is_what_was_written() {
        let wish = Box::new(Wish { at: Some(-5), designs: vec![0, 2], this_theme: true, ..Wish::of(&start()) });
        let jobs = [
            job("a\nb"),
            Job::Outcomes { texts: Vec::new() },
            Job::Why { texts: vec!["".into()] },
            Job::Share(wish.clone()),
            Job::Export { word: "svg".into(), wish },
            Job::Picture { name: "a".into(), picture: "b".into(), text: "c".into() },
            Job::Bring { kind: Brought::File, what: "x".into() },
        ];
        for job in jobs {
            let written: Vec<String> = job.write().iter().map(|t| t.to_string()).collect();
            assert_eq!(written[0], VERSION);
            assert_eq!(Job::read(&written[1..]), Some(job));
        }
        assert_eq!(Job::read(&["unheard of".to_string()]), None);
        assert_eq!(Job::read(&[]), None);
    }

    #[test]
    fn a_page_that_needs_nothing_asks_for_nothing() {
        let s = start();
        assert_eq!(s.jobs.working().count(), 0);
        let t = update(s, Action::Seek(None));
        assert_eq!(t.jobs.working().count(), 0);
        let u = update(t, Action::Panel(Some(Panel::Stories)));
        assert_eq!(u.jobs.working().count(), 1);
    }

    #[test]
    fn answers_to_older_questions_are_dropped() {
        let s = update(start(), Action::Ask(job("a")));
        let old = s.jobs.at(Place::Nine).unwrap().number;
        let t = update(s, Action::Ask(job("b")));
        let u = update(t.clone(), Action::Answered(old, texts(&["x"])));
        assert!(Rc::ptr_eq(&t, &u));
        let number = t.jobs.at(Place::Nine).unwrap().number;
        let v = update(t, Action::Answered(number, texts(&[])));
        assert_eq!(v.jobs.at(Place::Nine).unwrap().standing, Standing::Done);
        let again = update(v.clone(), Action::Answered(number, texts(&[])));
        assert!(Rc::ptr_eq(&v, &again), "what is done is done");
    }

    #[test]
    fn another_version_is_not_listened_to() {
        let s = update(start(), Action::Ask(job("a")));
        let t = update(s, Action::Answered(1, vec!["0.0.0".into(), "x".into()]));
        assert!(matches!(t.jobs.at(Place::Nine).unwrap().standing, Standing::Failed(_)));
    }

    #[test]
    fn what_failed_or_was_stopped_waits_to_be_asked_again() {
        let s = update(start(), Action::Ask(job("a")));
        let t = update(s.clone(), Action::Unanswered(1, "No.".into()));
        assert_eq!(t.jobs.at(Place::Nine).unwrap().standing, Standing::Failed("No.".into()));
        assert_eq!(update(t.clone(), Action::Seek(None)).jobs, t.jobs, "by itself it is not");
        let u = update(t, Action::Again(Place::Nine));
        assert_eq!(u.jobs.working().map(|t| t.number).collect::<Vec<_>>(), [2]);
        let slow = update(s, Action::Slow(1));
        assert_eq!(slow.jobs.at(Place::Nine).unwrap().standing, Standing::Working { slow: true });
        let v = update(slow, Action::Stop(Place::Nine));
        assert_eq!(v.jobs.at(Place::Nine).unwrap().standing, Standing::Stopped);
        assert_eq!(v.jobs.working().count(), 0);
    }
}
