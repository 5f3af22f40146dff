//! A search under way: which parts of it lanes walk, what these have counted, and when its matrix is drawn anew.
//!
//! The second program searches ([`annex::explore`](crate::annex)); here are the texts that it gives, and who has which. A lane goes on with its
//! part in slices that take about a quarter of a second, so that it can be stopped at any moment, and what is known by then is an answer; it goes
//! on where it was. Another story or other bounds begin anew, and so does nothing else. When nobody looks at the panel any more, the workers are
//! let go with all that they remember: parts that they were walking are walked again, and come to the same counts.

use super::job::{self, Job, Place, Standing};
use super::state::{AppState, Panel};
use super::sweep;
use crate::base::pieces::{count, joined, split};
use crate::base::text::number;
use std::rc::Rc;

/// What a person does in the panel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explore {
    Run(bool),
    /// Something of its setting has another value.
    Set(Rc<str>, Rc<str>),
    /// Another cell of the matrix is looked at.
    Case(Rc<str>),
    /// What a cell shows becomes the story.
    Open(Rc<str>),
    /// So many ms have passed since the page was opened; and so many workers can be had at once, none if jobs are done on the page.
    Now {
        ms: u32,
        lanes: u8,
    },
}

/// More workers than this are not started, whatever the machine has: a page is a guest.
const MOST_LANES: u8 = 8;

/// A slice takes about so long, ms: in a worker, and on the page, where nothing else can be done meanwhile and some time is waited before it.
const SLICE_MS: usize = 250;
const SLICE_ON_PAGE_MS: usize = 45;

/// Schedules in a first slice, and in the longest.
const FIRST_SLICE: usize = 200;
const MOST_SLICE: usize = 200_000;

/// While lanes are at work, the matrix is drawn no sooner than so many ms after the last time.
const DRAW_MS: u32 = 250;

/// A lane of the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Lane {
    /// The part that it is walking; empty: none.
    part: Rc<str>,
    /// Schedules in its next slice.
    slice: usize,
    /// When it was given its last one.
    since: u32,
}

/// How far a search is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Searching {
    /// What is searched: the story's text, and what was changed of its setting, as lines.
    story: Rc<str>,
    changes: Rc<str>,
    case: Rc<str>,
    /// What has been added up, and what has not been yet: the part if all of it is walked, and what it came to.
    sum: Rc<str>,
    walked: Vec<(Rc<str>, Rc<str>)>,
    /// Of those, so many are being added now, from the first.
    adding: usize,
    /// Parts that are to be walked next; and those that somebody has, or whose counts are not in the sum.
    next: Vec<Rc<str>>,
    given: Vec<Rc<str>>,
    at_work: Vec<Lane>,
    /// Schedules looked at, and about how many there are.
    pub done: usize,
    pub all: usize,
    pub running: bool,
    lanes: u8,
    now: u32,
    /// When it was set going, and what was done by then.
    began: Option<(u32, usize)>,
    /// How many answers there were.
    answers: u32,
    /// What the panel was drawn from last (cell, room, going on, answers), and when.
    drawn: Option<(Rc<str>, u32, bool, u32)>,
    drawn_at: u32,
    /// How often the workers were let go, and whether they have anything to let go.
    pub let_go: u32,
    warm: bool,
    pub far: Rc<str>,
    pub controls: Rc<str>,
    pub results: Rc<str>,
}

impl Searching {
    /// It is known what is searched.
    pub fn is_known(&self) -> bool {
        !self.sum.is_empty()
    }

    /// Nothing is left to look at.
    pub fn is_over(&self) -> bool {
        self.is_known() && self.next.is_empty() && self.given.is_empty() && self.walked.is_empty()
    }

    /// Schedules a second since it was set going, and seconds left; `None` in the first moment.
    pub fn pace(&self) -> Option<(usize, usize)> {
        let (since, before) = self.began?;
        let (ms, done) = (self.now.checked_sub(since)?, self.done - before.min(self.done));
        if !self.running || ms < 700 || done == 0 {
            return None;
        }
        let rate = (done as u64 * 1_000 / u64::from(ms)) as usize;
        Some((rate, (self.all - self.done.min(self.all)).div_ceil(rate.max(1))))
    }

    /// The lanes that may have work.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        (0..self.lanes.clamp(1, MOST_LANES)).map(Place::Search)
    }

    fn is_of(&self, story: &str, changes: &str) -> bool {
        *self.story == *story && *self.changes == *changes
    }

    fn lane(&mut self, lane: u8) -> &mut Lane {
        while self.at_work.len() <= usize::from(lane) {
            self.at_work.push(Lane { slice: FIRST_SLICE, ..Lane::default() });
        }
        &mut self.at_work[usize::from(lane)]
    }

    fn forget(&mut self, part: &str) {
        self.given.retain(|p| **p != *part);
    }
}

fn searching(s: &mut AppState) -> &mut Searching {
    Rc::make_mut(&mut s.explore)
}

fn is_working(s: &AppState, place: Place) -> bool {
    s.jobs.at(place).is_some_and(|t| matches!(t.standing, Standing::Working { .. }))
}

/// What a person does.
pub fn act(s: &mut AppState, what: Explore) {
    match what {
        Explore::Run(on) => {
            let w = searching(s);
            w.running = on && !w.is_over();
            // The time is only known again with the next answer.
            w.began = None;
        }
        Explore::Set(what, value) => {
            let w = &s.explore;
            // One line for each thing, the last value counts.
            let beginning = [&*what, "="].concat();
            let mut lines: Vec<String> = Vec::new();
            for line in split(&w.changes, "\n") {
                if !line.is_empty() && !line.starts_with(&beginning) {
                    lines.push(line.to_string());
                }
            }
            lines.push([&beginning, &*value].concat());
            let (story, changes) = (w.story.clone(), joined(&lines, "\n"));
            begin(s, story, changes.into());
        }
        Explore::Case(which) => searching(s).case = which,
        Explore::Open(which) => {
            let w = &s.explore;
            let texts = vec![w.story.clone(), w.changes.clone(), which, w.sum.clone()];
            job::ask(s, Job::Found { texts });
        }
        Explore::Now { ms, lanes } => {
            if s.doc.panel == Some(Panel::Explore) {
                let w = searching(s);
                (w.now, w.lanes) = (ms, lanes);
                w.began = w.began.or(Some((ms, w.done)));
            }
        }
    }
}

/// Begins anew, with another story or another setting. How it is set stays in sight until that has been drawn anew; what was found does not.
fn begin(s: &mut AppState, story: Rc<str>, changes: Rc<str>) {
    let_go(s);
    let w = searching(s);
    let (lanes, now, let_go) = (w.lanes, w.now, w.let_go);
    let controls = w.controls.clone();
    *w = Searching { story, changes, lanes, now, let_go, controls, ..Searching::default() };
}

/// The workers end, and what they were walking has to be walked again.
fn let_go(s: &mut AppState) {
    searching(s).running = false;
    if !s.explore.warm {
        return;
    }
    job::end_lanes(s);
    let w = searching(s);
    w.let_go += 1;
    w.warm = false;
    w.at_work.clear();
    let waiting: Vec<Rc<str>> = w.walked.iter().map(|p| p.0.clone()).collect();
    w.given.retain(|p| waiting.contains(p));
    w.drawn = None;
}

/// A slice is walked.
pub fn walked(s: &mut AppState, lane: u8, job: &[Rc<str>], answer: &[String]) {
    let ([story, changes, part, _], [came_to, more]) = (job, answer) else { return };
    if !s.explore.is_of(story, changes) {
        return;
    }
    let w = searching(s);
    let (target, now) = (if w.lanes == 0 { SLICE_ON_PAGE_MS } else { SLICE_MS }, w.now);
    let at = w.lane(lane);
    let took = now.saturating_sub(at.since).max(1) as usize;
    at.slice = (at.slice * target / took).clamp(at.slice / 4, at.slice * 2).clamp(20, MOST_SLICE);
    let whole = more.is_empty();
    if whole {
        at.part = "".into();
    }
    w.walked.push((if whole { part.clone() } else { "".into() }, came_to.as_str().into()));
    w.answers += 1;
}

/// A slice was not walked: nothing goes on until a person says so.
pub fn missed(s: &mut AppState, lane: u8, job: &[Rc<str>]) {
    if let [story, changes, part, _] = job
        && s.explore.is_of(story, changes)
    {
        let w = searching(s);
        w.lane(lane).part = "".into();
        w.forget(part);
        (w.running, w.drawn) = (false, None);
    }
}

/// The panel has been drawn, and parts have been added up for it.
pub fn drawn(s: &mut AppState, job: &[Rc<str>], answer: &[String]) {
    let ([story, changes, ..], [sum, next, done, all, far, controls, results]) = (job, answer) else { return };
    if !s.explore.is_of(story, changes) {
        return;
    }
    let w = searching(s);
    let added: Vec<(Rc<str>, Rc<str>)> = w.walked.drain(..w.adding.min(w.walked.len())).collect();
    for (part, _) in added {
        w.forget(&part);
    }
    w.adding = 0;
    let mut free: Vec<Rc<str>> = Vec::new();
    for part in split(next, ",") {
        if !part.is_empty() && w.given.iter().all(|p| **p != *part) {
            free.push(part.into());
        }
    }
    w.next = free;
    (w.sum, w.far) = (sum.as_str().into(), far.as_str().into());
    (w.done, w.all) = (count(done).unwrap_or(0), count(all).unwrap_or(0));
    (w.controls, w.results) = (controls.as_str().into(), results.as_str().into());
    w.running &= !w.is_over();
}

/// What was found is there as a scenario. Nobody gets one of a story that is not open any more.
pub fn opened(s: &mut AppState, job: &[Rc<str>], answer: &[String]) {
    if s.doc.panel == Some(Panel::Explore) && job.first() == Some(&s.doc.text) {
        sweep::made(s, answer);
    }
}

/// Asks for what is wanted now: called after every action.
pub fn settle(s: &mut AppState) {
    let open = s.doc.panel == Some(Panel::Explore);
    if !open || s.doc.stale {
        if s.explore.warm || s.explore.running {
            let_go(s);
        }
        return;
    }
    if *s.explore.story != *s.doc.text {
        let (story, changes) = (s.doc.text.clone(), s.explore.changes.clone());
        begin(s, story, changes);
    }
    draw(s);
    if s.explore.running {
        run(s);
    }
}

/// Has the panel drawn anew, if it would look different.
fn draw(s: &mut AppState) {
    let w = &s.explore;
    let wanted = (w.case.clone(), s.doc.frame.width, w.running, w.answers);
    if w.drawn.as_ref() == Some(&wanted) {
        return;
    }
    if let Some(task) = s.jobs.at(Place::Explore).filter(|t| matches!(t.standing, Standing::Working { .. })) {
        // One that is about something else is not waited for.
        if matches!(&task.job, Job::Explore { texts } if matches!(&texts[..], [story, changes, ..] if w.is_of(story, changes)))
        {
            return;
        }
    }
    let only_counts = w.drawn.as_ref().is_some_and(|d| (&d.0, d.1, d.2) == (&wanted.0, wanted.1, wanted.2));
    let busy = w.places().any(|p| is_working(s, p)) || w.running && !w.next.is_empty();
    if only_counts && w.running && busy && w.now.saturating_sub(w.drawn_at) < DRAW_MS {
        return;
    }
    let mut texts = vec![
        w.story.clone(),
        w.changes.clone(),
        w.case.clone(),
        number(s.doc.frame.width as usize).into(),
        w.sum.clone(),
        if w.running { "on" } else { "" }.into(),
    ];
    for (_, came_to) in &w.walked {
        texts.push(came_to.clone());
    }
    let w = searching(s);
    (w.adding, w.drawn, w.drawn_at) = (w.walked.len(), Some(wanted), w.now);
    job::ask(s, Job::Explore { texts });
}

/// Gives every lane that has nothing to do its next slice.
fn run(s: &mut AppState) {
    let places: Vec<Place> = s.explore.places().collect();
    for (lane, place) in places.into_iter().enumerate() {
        if is_working(s, place) {
            continue;
        }
        let lane = lane as u8;
        let w = searching(s);
        if w.lane(lane).part.is_empty() {
            if w.next.is_empty() {
                continue;
            }
            let part = w.next.remove(0);
            w.given.push(part.clone());
            w.lane(lane).part = part;
        }
        w.warm = true;
        let now = w.now;
        let at = w.lane(lane);
        at.since = now;
        let (part, slice) = (at.part.clone(), number(at.slice).into());
        let texts = vec![w.story.clone(), w.changes.clone(), part, slice];
        job::ask(s, Job::Search { lane, texts });
    }
}
