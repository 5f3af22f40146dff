//! What is computed from the state: the runs of the shown designs, and their picture.
//!
//! A [`Story`] depends on the scenario and the ticks, a [`Scene`] also on the room there is: a wider window draws again and runs
//! nothing. Neither is ever edited or kept; the page memoises them.

use super::state::{Frame, Mark};
use super::view::View;
use crate::base::TrueTime;
use crate::check::Property;
use crate::run::{self, Run};
use crate::scenario::Scenario;
use crate::trace::{EventKind, EventSeq, TraceEvent};
use crate::view::{self, EventLine, Layout, Picture, Shown};
use std::rc::Rc;

/// The runs of the shown designs.
#[derive(Debug)]
pub struct Story {
    pub scenario: Rc<Scenario>,
    pub runs: Vec<Run>,
    /// Those at which the story itself strikes: a pause, a crash, a cut begins or ends, a message is lost.
    faults: Vec<TrueTime>,
}

/// A story in the room there is.
#[derive(Debug)]
pub struct Scene {
    pub story: Rc<Story>,
    pub picture: Picture,
}

impl Story {
    pub fn of(scenario: Rc<Scenario>, ticked: &[usize]) -> Story {
        let runs: Vec<Run> =
            ticked.iter().filter(|i| **i < scenario.designs.len()).map(|i| run::run(&scenario, *i)).collect();
        let mut faults: Vec<TrueTime> = Vec::new();
        for r in &runs {
            for e in r.log.events() {
                if is_fault(&e.kind) {
                    faults.push(e.at);
                }
            }
        }
        view::order::instants(&mut faults);
        Story { scenario, runs, faults }
    }

    /// What decides about safe and unsafe in this story; the same for every design.
    pub fn judged(&self) -> &[Property] {
        self.runs.first().map_or(&[], |r| &r.judged)
    }

    /// The next instant at which the story strikes, or the one before.
    pub fn step_fault(&self, from: TrueTime, forward: bool) -> Option<TrueTime> {
        neighbour(&self.faults, from, forward)
    }

    /// An event, and the message that it answers: what arrived to bring it about, and the sending of that.
    pub fn carried(&self, mark: Mark) -> Vec<Mark> {
        let Some(log) = self.runs.get(mark.column).map(|r| &r.log) else { return Vec::new() };
        let mut out = vec![mark];
        let mut here = log.get(mark.seq);
        while let Some(event) = here {
            let cause = event.cause.and_then(|c| log.get(c));
            here = cause.filter(|c| matches!(c.kind, EventKind::Arrived { .. } | EventKind::Sent { .. }));
            out.extend(here.map(|e| Mark { column: mark.column, seq: e.seq }));
            // Before the sending begins another story.
            if here.is_some_and(|e| matches!(e.kind, EventKind::Sent { .. })) {
                break;
            }
        }
        out
    }

    /// The same event in every shown run that has it: same instant, same node, same kind, and the same place among its equals.
    pub fn twins(&self, mark: Mark) -> Vec<Mark> {
        let Some(events) = self.runs.get(mark.column).map(|r| r.log.events()) else { return Vec::new() };
        let Some((event, nth)) = events.get(mark.seq.0 as usize).zip(place(events, mark.seq)) else {
            return Vec::new();
        };
        let twin = |r: &Run| equals(r.log.events(), event).nth(nth).map(|e| e.seq);
        (0..self.runs.len()).filter_map(|column| twin(&self.runs[column]).map(|seq| Mark { column, seq })).collect()
    }
}

/// A run as the view wants it.
fn shown(run: &Run) -> Shown<'_> {
    Shown { name: &run.design, roster: &run.roster, log: &run.log, report: &run.report, ending: run.ending }
}

impl Scene {
    pub fn of(story: Rc<Story>, frame: Frame) -> Scene {
        Scene::with_prefix(story, frame, "v")
    }

    /// As somebody wants to look at it.
    pub fn viewed(story: Rc<Story>, frame: Frame, how: &View) -> Scene {
        Scene::made(story, frame, "v", how)
    }

    /// The ids in the picture begin with `prefix`, so that several pictures can stand on one page.
    pub fn with_prefix(story: Rc<Story>, frame: Frame, prefix: &str) -> Scene {
        Scene::made(story, frame, prefix, &View::default())
    }

    fn made(story: Rc<Story>, frame: Frame, prefix: &str, how: &View) -> Scene {
        let shown: Vec<Shown> = story.runs.iter().map(shown).collect();
        let lanes = |r: &Run| view::lanes::seen(&r.roster, &how.lanes);
        let most = story.runs.iter().map(lanes).max().unwrap_or(0);
        let (width, height) = (f64::from(frame.width), f64::from(frame.picture_height()));
        let fit = |width: f64| Layout::fit(width, height, most, shown.len()).with_prefix(prefix);
        let mut layout = fit(width);
        if how.unfolded {
            // What a group needs when it stands apart is taken from all columns alike.
            let more = |r: &Run| view::lanes::largest_group(&r.roster).map_or(0.0, |n| layout.unfolding(n));
            let more: Vec<f64> = story.runs.iter().map(more).collect();
            let all: f64 = if layout.tabs { 0.0 } else { more.iter().sum() };
            let narrower = fit(width - all);
            let widest = more.iter().fold(0.0, |a: f64, b| a.max(*b));
            layout = narrower;
            layout.scroll |= layout.tabs && layout.rail + layout.column + widest > width;
        }
        layout.zoom = how.factor();
        layout.steps = how.steps;
        layout.unfolded = how.unfolded;
        layout.tries = how.tries;
        layout.arrange = how.lanes.clone();
        let picture = view::picture(&shown, story.judged(), &layout);
        Scene { story: story.clone(), picture }
    }

    /// The same, on the rows that `before` has: while something is dragged, nothing else may move.
    pub fn held(story: Rc<Story>, before: &Scene) -> Scene {
        let shown: Vec<Shown> = story.runs.iter().map(shown).collect();
        let picture = view::picture_on(&before.picture.axis, &shown, story.judged(), &before.picture.layout);
        Scene { story: story.clone(), picture }
    }

    /// Where the picture ends: nothing is drawn later.
    pub fn end(&self) -> TrueTime {
        self.picture.axis.last()
    }

    /// The rows of the picture, ascending.
    pub fn instants(&self) -> &[TrueTime] {
        self.picture.axis.instants()
    }

    /// The next row, or the one before. `None`: there is none.
    pub fn step(&self, from: TrueTime, forward: bool) -> Option<TrueTime> {
        neighbour(self.instants(), from, forward)
    }

    /// The events of one run as text.
    pub fn lines(&self, column: usize) -> &[EventLine] {
        self.picture.columns.get(column).map_or(&[], |c| &c.events)
    }
}

fn is_fault(kind: &EventKind) -> bool {
    matches!(
        kind,
        EventKind::Paused { .. }
            | EventKind::Resumed { .. }
            | EventKind::Crashed { .. }
            | EventKind::Restarted
            | EventKind::ClockStepped { .. }
            | EventKind::ClockRateSet { .. }
            | EventKind::CutFrom { .. }
            | EventKind::Healed { .. }
            | EventKind::Lost { .. }
    )
}

fn neighbour(list: &[TrueTime], from: TrueTime, forward: bool) -> Option<TrueTime> {
    if forward { list.iter().copied().find(|t| *t > from) } else { list.iter().copied().rev().find(|t| *t < from) }
}

/// Events of a log, at the instant of `event`, on its node, of its kind.
fn equals<'a>(events: &'a [TraceEvent], event: &'a TraceEvent) -> impl Iterator<Item = &'a TraceEvent> {
    let first = events.partition_point(|e| e.at < event.at);
    events[first..]
        .iter()
        .take_while(|e| e.at == event.at)
        .filter(|e| e.node == event.node && kind_word(&e.kind) == kind_word(&event.kind))
}

fn place(events: &[TraceEvent], seq: EventSeq) -> Option<usize> {
    let event = events.get(seq.0 as usize)?;
    equals(events, event).position(|e| e.seq == seq)
}

/// The kind of an event without what it carries: tokens, versions and outcomes may differ between designs.
fn kind_word(kind: &EventKind) -> (u8, u8) {
    match kind {
        EventKind::Sent { what, .. } => (0, what.kind.index() as u8),
        EventKind::Arrived { what, .. } => (1, what.kind.index() as u8),
        EventKind::Lost { kind, .. } => (2, kind.index() as u8),
        // What the resource decided about a request is one kind: refused here, accepted there, and still the same event.
        EventKind::Did(_) => (3, 0),
        EventKind::Paused { .. } => (4, 0),
        EventKind::Resumed { .. } => (5, 0),
        EventKind::Crashed { .. } => (6, 0),
        EventKind::Restarted => (7, 0),
        EventKind::ClockStepped { .. } => (8, 0),
        EventKind::ClockRateSet { .. } => (9, 0),
        EventKind::CutFrom { .. } => (10, 0),
        EventKind::Healed { .. } => (11, 0),
        EventKind::Promoted => (12, 0),
        EventKind::Disconnected => (13, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::Room;
    use super::*;
    use crate::base::Fact;
    use crate::scenario::{parse, preset};

    fn scene(id: &str, ticked: &[usize]) -> Scene {
        let text = preset::by_id(id).expect("a story").text;
        let story = Story::of(Rc::new(parse(text).scenario.expect("it runs")), ticked);
        Scene::of(Rc::new(story), Frame { room: Room::Wide, width: 1160, window_height: 900 })
    }

    /// The event of one run that a test picks.
    fn find(scene: &Scene, column: usize, pick: impl Fn(&TraceEvent) -> bool) -> Mark {
        let e = scene.story.runs[column].log.events().iter().find(|e| pick(e)).expect("it is there");
        Mark { column, seq: e.seq }
    }

    #[test]
    fn stepping_goes_from_row_to_row_and_from_fault_to_fault() {
        let s = scene("gc-pause", &[0, 1]);
        let ms = TrueTime::from_ms;
        assert_eq!(s.step(TrueTime::ZERO, true), Some(ms(5)));
        assert_eq!(s.step(ms(5), false), Some(TrueTime::ZERO));
        assert_eq!(s.step(s.end(), true), None);
        assert_eq!(s.end(), ms(15_020));
        assert_eq!(s.story.step_fault(TrueTime::ZERO, true), Some(ms(500)));
        assert_eq!(s.story.step_fault(ms(500), true), Some(ms(15_000)));
        assert_eq!(s.story.step_fault(ms(15_000), true), None);
    }

    #[test]
    fn what_happens_in_both_columns_is_found_in_both() {
        let s = scene("gc-pause", &[0, 1]);
        let pause = find(&s, 0, |e| matches!(e.kind, EventKind::Paused { .. }));
        assert_eq!(s.story.twins(pause).len(), 2);
        // The late write is decided on in both, differently: it is the same event.
        let late =
            find(&s, 0, |e| matches!(e.kind, EventKind::Did(Fact::Applied(_))) && e.at == TrueTime::from_ms(15_005));
        let twins = s.story.twins(late);
        assert_eq!(twins.iter().map(|m| m.column).collect::<Vec<_>>(), [0, 1]);
        let other = s.story.runs[1].log.get(twins[1].seq).expect("an event");
        assert!(matches!(other.kind, EventKind::Did(Fact::Rejected { .. })));
        // What only one design does has no twin.
        let after = find(&s, 0, |e| e.at == TrueTime::from_ms(15_015));
        assert_eq!(s.story.twins(after).iter().map(|m| m.column).collect::<Vec<_>>(), [0]);
        assert!(s.story.twins(Mark { column: 9, seq: EventSeq(0) }).is_empty());
        assert!(s.story.twins(Mark { column: 0, seq: EventSeq(99_999) }).is_empty());
    }

    #[test]
    fn an_effect_comes_with_the_message_that_brought_it() {
        let s = scene("gc-pause", &[0]);
        let late =
            find(&s, 0, |e| matches!(e.kind, EventKind::Did(Fact::Applied(_))) && e.at == TrueTime::from_ms(15_005));
        let kinds: Vec<(TrueTime, bool)> = s
            .story
            .carried(late)
            .iter()
            .map(|m| s.story.runs[0].log.get(m.seq).expect("an event"))
            .map(|e| (e.at, matches!(e.kind, EventKind::Sent { .. })))
            .collect();
        let ms = TrueTime::from_ms;
        assert_eq!(kinds, [(ms(15_005), false), (ms(15_005), false), (ms(15_000), true)]);
    }
}
