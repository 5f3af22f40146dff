//! A sweep under way: which runs are asked for, what they have counted, and when its charts are drawn anew.
//!
//! The second program does the work and keeps nothing ([`annex::sweep`](crate::annex)); here are the texts that it gives, and who has
//! which. Units of runs go to several lanes at once, each a worker of its own; what they count is added up when the panel is drawn. It can be
//! stopped at any moment, and what it has by then is an answer; it goes on where it was. Another story, or other designs, begin anew.

use super::history::{EditKey, Snapshot};
use super::job::{self, Job, Place, Standing};
use super::share;
use super::state::{AppState, Panel};
use crate::base::pieces::{count, joined};
use crate::base::text::number;
use std::rc::Rc;

/// What a person does in the panel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sweep {
    Run(bool),
    /// Another cost is looked at, by its word.
    Cost(Rc<str>),
    /// A change to the story: what, and a value.
    Make(Rc<str>, Rc<str>),
    /// So many ms have passed since the page was opened; and so many workers can be had at once.
    Now {
        ms: u32,
        lanes: u8,
    },
}

/// More workers than this are not started, whatever the machine has: a page is a guest.
const MOST_LANES: u8 = 8;

/// How far a sweep is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sweeping {
    /// What is swept: the story's text and the shown designs, as numbers with commas.
    story: Rc<str>,
    designs: Rc<str>,
    cost: Rc<str>,
    /// What has been added up, and what has not been yet.
    sum: Rc<str>,
    parts: Vec<Rc<str>>,
    /// Parts that are being added now, at the beginning of `parts`.
    adding: usize,
    /// The number of the unit that comes next; those before that have to be done again; how many are done.
    next: usize,
    again: Vec<usize>,
    pub done: usize,
    /// In all; 0 until the second program has said so.
    pub units: usize,
    pub runs: usize,
    pub running: bool,
    lanes: u8,
    now: u32,
    /// When it was set going, and what was done by then.
    began: (u32, usize),
    /// What the panel was drawn from last: cost, room, units.
    drawn: Option<(Rc<str>, u32, usize)>,
    pub markup: Rc<str>,
}

impl Sweeping {
    /// Runs done so far.
    pub fn runs_done(&self) -> usize {
        if self.units == 0 { 0 } else { (self.runs as u64 * self.done as u64 / self.units as u64) as usize }
    }

    /// Runs a second since it was set going, and seconds left; `None` in the first moment.
    pub fn pace(&self) -> Option<(usize, usize)> {
        let (ms, done) = (self.now.checked_sub(self.began.0)?, self.done - self.began.1.min(self.done));
        if !self.running || ms < 300 || done == 0 || self.units == 0 {
            return None;
        }
        let rate = (self.runs as u64 * done as u64 * 1_000 / (self.units as u64 * u64::from(ms))) as usize;
        Some((rate, (self.runs - self.runs_done()).div_ceil(rate.max(1))))
    }

    /// The lanes that may have work.
    pub fn lanes(&self) -> impl Iterator<Item = Place> {
        (0..self.lanes.clamp(1, MOST_LANES)).map(Place::Unit)
    }

    fn is_of(&self, story: &str, designs: &str) -> bool {
        *self.story == *story && *self.designs == *designs
    }
}

fn sweeping(s: &mut AppState) -> &mut Sweeping {
    Rc::make_mut(&mut s.sweep)
}

/// What a person does.
pub fn act(s: &mut AppState, what: Sweep) {
    match what {
        Sweep::Run(on) => {
            let w = sweeping(s);
            (w.running, w.began) = (on && w.done < w.units, (w.now, w.done));
        }
        Sweep::Cost(word) => sweeping(s).cost = word,
        Sweep::Make(what, value) => {
            let w = &s.sweep;
            let texts = vec![what, value, s.doc.text.clone(), w.designs.clone(), w.sum.clone()];
            job::ask(s, Job::Make { texts });
        }
        Sweep::Now { ms, lanes } => {
            if s.doc.panel == Some(Panel::Sweep) {
                let w = sweeping(s);
                (w.now, w.lanes) = (ms, lanes);
            }
        }
    }
}

/// A unit is done.
pub fn counted(s: &mut AppState, job: &[Rc<str>], answer: &[String]) {
    if let ([story, designs, _], [part]) = (job, answer)
        && s.sweep.is_of(story, designs)
    {
        let w = sweeping(s);
        w.parts.push(part.as_str().into());
        w.done += 1;
        w.running &= w.done < w.units;
    }
}

/// A unit was not done: it is still to be done, and nothing goes on until a person says so.
pub fn missed(s: &mut AppState, job: &[Rc<str>]) {
    if let [story, designs, unit] = job
        && s.sweep.is_of(story, designs)
    {
        let unit = count(unit);
        let w = sweeping(s);
        w.again.extend(unit);
        w.running = false;
    }
}

/// The panel has been drawn, and parts have been added up for it.
pub fn drawn(s: &mut AppState, job: &[Rc<str>], answer: &[String]) {
    let ([story, designs, ..], [sum, units, runs, markup]) = (job, answer) else { return };
    if !s.sweep.is_of(story, designs) {
        return;
    }
    let w = sweeping(s);
    let added = w.adding.min(w.parts.len());
    w.parts.drain(..added);
    w.adding = 0;
    (w.sum, w.markup) = (sum.as_str().into(), markup.as_str().into());
    (w.units, w.runs) = (count(units).unwrap_or(0), count(runs).unwrap_or(0));
}

/// A change to the story is there.
pub fn made(s: &mut AppState, answer: &[String]) {
    let [how, text, more @ ..] = answer else { return };
    match how.as_str() {
        "edit" => {
            let present = Snapshot { text: text.as_str().into(), origin: s.doc.origin };
            s.history.edit(EditKey::Once, present);
            s.read();
        }
        how => {
            share::open_text(s, text.as_str().into(), None);
            let designs = s.doc.good.as_ref().map_or(0, |g| g.designs.len());
            let doc = Rc::make_mut(&mut s.doc);
            match more.first().and_then(|d| count(d)).filter(|d| *d < designs) {
                Some(design) if how == "case" => {
                    doc.ticked = [design].into();
                    doc.panel = None;
                }
                // As many as can be told apart.
                _ => doc.ticked = (0..designs.min(6)).collect(),
            }
            doc.front = 0;
        }
    }
}

/// Asks for what is wanted now: called after every action.
pub fn settle(s: &mut AppState) {
    if s.doc.panel != Some(Panel::Sweep) || s.doc.stale {
        if s.sweep.running {
            sweeping(s).running = false;
        }
        return;
    }
    let mut ticked: Vec<String> = Vec::new();
    for design in s.doc.ticked.iter() {
        ticked.push(number(*design));
    }
    let designs = joined(&ticked, ",");
    if !s.sweep.is_of(&s.doc.text, &designs) {
        let before = sweeping(s);
        let (cost, lanes, now) = (before.cost.clone(), before.lanes, before.now);
        let (story, designs) = (s.doc.text.clone(), designs.into());
        // The panel stays as it was until the new one has been drawn.
        let markup = s.sweep.markup.clone();
        *sweeping(s) = Sweeping { story, designs, cost, lanes, now, markup, ..Sweeping::default() };
    }
    draw(s);
    if s.sweep.running {
        run(s);
    }
}

/// Has the panel drawn anew, if it would look different: soon after the first counts, then as often as that can be done.
fn draw(s: &mut AppState) {
    if s.jobs.at(Place::Sweep).is_some_and(|t| matches!(t.standing, Standing::Working { .. })) {
        return;
    }
    let w = &s.sweep;
    let wanted = (w.cost.clone(), s.doc.frame.width, w.done);
    let failed = s.jobs.at(Place::Sweep).is_some_and(|t| !matches!(t.standing, Standing::Done));
    if w.drawn.as_ref() == Some(&wanted) || failed && w.drawn.as_ref().is_some_and(|d| d.2 == w.done) {
        return;
    }
    let mut texts = vec![
        w.story.clone(),
        w.designs.clone(),
        w.cost.clone(),
        number(s.doc.frame.width as usize).into(),
        w.sum.clone(),
    ];
    texts.extend(w.parts.iter().cloned());
    let w = sweeping(s);
    (w.adding, w.drawn) = (w.parts.len(), Some(wanted));
    job::ask(s, Job::Sweep { texts });
}

/// Gives every lane that has nothing to do its next unit.
fn run(s: &mut AppState) {
    let lanes: Vec<Place> = s.sweep.lanes().collect();
    for place in lanes {
        let busy = s.jobs.at(place).is_some_and(|t| matches!(t.standing, Standing::Working { .. }));
        if busy {
            continue;
        }
        let w = sweeping(s);
        let unit = match w.again.pop() {
            Some(unit) => unit,
            None if w.next < w.units => {
                w.next += 1;
                w.next - 1
            }
            None => return,
        };
        let texts = vec![w.story.clone(), w.designs.clone(), number(unit).into()];
        job::ask(s, Job::Unit { lane: place.lane(), texts });
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::{Frame, Room, Theme};
    use super::super::{Action, update::update};
    use super::*;

    const STORY: &str = include_str!("../../static/sweeps/retry-policy.toml");

    fn start() -> Rc<AppState> {
        let frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };
        let s = Rc::new(AppState::new(STORY.into(), None, None, Theme::Auto, frame));
        let s = update(s, Action::Panel(Some(Panel::Sweep)));
        update(s, Action::Sweep(Sweep::Now { ms: 1_000, lanes: 2 }))
    }

    fn answer(s: Rc<AppState>, place: Place, texts: &[&str]) -> Rc<AppState> {
        let number = s.jobs.at(place).expect("it was asked").number;
        let mut all = vec![job::VERSION.to_string()];
        all.extend(texts.iter().map(|t| t.to_string()));
        update(s, Action::Answered(number, all))
    }

    /// The number of the unit that a lane works on.
    fn unit(s: &AppState, lane: u8) -> Option<String> {
        let task = s.jobs.at(Place::Unit(lane)).filter(|t| matches!(t.standing, Standing::Working { .. }))?;
        let Job::Unit { texts, .. } = &task.job else { return None };
        Some(texts[2].to_string())
    }

    fn ready() -> Rc<AppState> {
        answer(start(), Place::Sweep, &["{}", "5", "1000", "<p>drawn</p>"])
    }

    #[test]
    fn two_lanes_share_the_units_and_it_ends_by_itself() {
        let s = ready();
        assert_eq!((s.sweep.units, s.sweep.running, unit(&s, 0)), (5, false, None));
        let mut s = update(s, Action::Sweep(Sweep::Run(true)));
        assert_eq!((unit(&s, 0).as_deref(), unit(&s, 1).as_deref()), (Some("0"), Some("1")));
        for lane in [0, 1, 0, 1, 0] {
            s = answer(s, Place::Unit(lane), &["part"]);
        }
        assert_eq!((s.sweep.done, s.sweep.running), (5, false));
        assert_eq!((unit(&s, 0), unit(&s, 1)), (None, None));
        assert_eq!(s.sweep.runs_done(), 1_000);
        // What came while the panel was being drawn is added the next time, and nothing twice.
        let Some(Job::Sweep { texts }) = s.jobs.at(Place::Sweep).map(|t| &t.job) else { panic!("not asked") };
        let first = texts.len() - 5;
        let s = answer(s, Place::Sweep, &["{1}", "5", "1000", ""]);
        let Some(Job::Sweep { texts }) = s.jobs.at(Place::Sweep).map(|t| &t.job) else { panic!("not asked") };
        assert_eq!((first + texts.len() - 5, &*texts[4]), (5, "{1}"));
    }

    #[test]
    fn it_stops_at_any_moment_and_goes_on_where_it_was() {
        let s = update(ready(), Action::Sweep(Sweep::Run(true)));
        let s = update(s, Action::Sweep(Sweep::Run(false)));
        // What was under way still counts.
        let s = answer(s, Place::Unit(0), &["part"]);
        let s = answer(s, Place::Unit(1), &["part"]);
        assert_eq!((s.sweep.done, unit(&s, 0)), (2, None));
        let s = update(s, Action::Sweep(Sweep::Run(true)));
        assert_eq!(unit(&s, 0).as_deref(), Some("2"));
    }

    #[test]
    fn what_a_worker_did_not_do_is_done_again() {
        let s = update(ready(), Action::Sweep(Sweep::Run(true)));
        let number = s.jobs.at(Place::Unit(1)).expect("under way").number;
        let s = update(s, Action::Unanswered(number, "gone".into()));
        assert!(!s.sweep.running);
        let s = answer(s, Place::Unit(0), &["part"]);
        let s = update(s, Action::Sweep(Sweep::Run(true)));
        assert_eq!(unit(&s, 0).as_deref(), Some("1"));
        assert_eq!(unit(&s, 1).as_deref(), Some("2"));
    }

    #[test]
    fn another_story_begins_anew_and_a_closed_panel_stops() {
        let s = update(ready(), Action::Sweep(Sweep::Run(true)));
        let closed = update(s.clone(), Action::Panel(None));
        assert!(!closed.sweep.running);
        let s = update(s, Action::Type(format!("{STORY}# a remark\n").into()));
        assert_eq!((s.sweep.units, s.sweep.running), (0, false));
        // An answer about the story before is nobody's any more.
        let s = answer(s, Place::Unit(0), &["part"]);
        assert_eq!(s.sweep.done, 0);
    }

    #[test]
    fn a_panel_that_was_drawn_for_another_story_is_nobodys() {
        // The story changes while its panel is being drawn: what comes then has counts of the story before.
        let s = update(start(), Action::Type(format!("{STORY}# a remark\n").into()));
        let s = answer(s, Place::Sweep, &["{of the first}", "5", "1000", "<p>drawn</p>"]);
        assert_eq!((&*s.sweep.sum, s.sweep.units, &*s.sweep.markup), ("", 0, ""));
        // It is drawn again, for what is open now.
        let Some(Job::Sweep { texts }) = s.jobs.at(Place::Sweep).map(|t| &t.job) else { panic!("not asked") };
        assert!(texts[0].ends_with("# a remark\n"));
        let s = answer(s, Place::Sweep, &["{of this}", "6", "1000", "<p>this</p>"]);
        assert_eq!((&*s.sweep.sum, s.sweep.units), ("{of this}", 6));
    }

    #[test]
    fn pace_is_that_of_this_going() {
        let s = update(ready(), Action::Sweep(Sweep::Run(true)));
        let s = answer(s, Place::Unit(0), &["part"]);
        assert_eq!(s.sweep.pace(), None);
        let s = update(s, Action::Sweep(Sweep::Now { ms: 2_000, lanes: 2 }));
        assert_eq!(s.sweep.pace(), Some((200, 4)));
    }

    #[test]
    fn a_case_is_opened_in_place_of_the_panel() {
        let s = update(ready(), Action::Sweep(Sweep::Make("case 0 0".into(), "".into())));
        let s = answer(s, Place::Make, &["case", STORY, "0"]);
        assert_eq!((s.doc.panel, s.doc.ticked.as_ref()), (None, [0].as_slice()));
        let s = update(ready(), Action::Sweep(Sweep::Make("ready 0".into(), "".into())));
        let s = answer(s, Place::Make, &["open", share::BLANK]);
        assert_eq!(s.doc.panel, Some(Panel::Sweep));
        assert!(s.doc.can_undo);
    }
}
