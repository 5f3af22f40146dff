//! What is computed from the state: the runs of the shown designs, and their picture.
//!
//! A [`Story`] depends on the scenario and the ticks, a [`Scene`] also on the room there is: a wider window draws again and runs
//! nothing. Neither is ever edited or kept; the page memoises them.

use super::state::{Frame, Mark};
use crate::base::TrueTime;
use crate::run::{self, Run};
use crate::scenario::Scenario;
use crate::trace::{EventKind, EventSeq, TraceEvent};
use crate::view::{self, Layout, Picture, Shown};
use std::rc::Rc;

/// The runs of the shown designs.
#[derive(Debug)]
pub struct Story {
    pub scenario: Rc<Scenario>,
    pub runs: Vec<Run>,
    /// Every instant at which something happens in a shown run, ascending.
    instants: Vec<TrueTime>,
    /// Those at which the story itself strikes: a pause, a crash, a cut begins or ends.
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
        let mut instants: Vec<TrueTime> = Vec::new();
        let mut faults: Vec<TrueTime> = Vec::new();
        for event in runs.iter().flat_map(|r| r.log.events()) {
            if is_fault(&event.kind) {
                faults.push(event.at);
            }
        }
        for run in &runs {
            instants.extend(view::events(&shown(run)).iter().map(|line| line.at));
        }
        for list in [&mut instants, &mut faults] {
            list.sort_unstable();
            list.dedup();
        }
        Story { scenario, runs, instants, faults }
    }

    /// Where the story ends: nothing happens later in any shown run.
    pub fn end(&self) -> TrueTime {
        self.instants.last().copied().unwrap_or(TrueTime::ZERO)
    }

    pub fn instants(&self) -> &[TrueTime] {
        &self.instants
    }

    /// The next instant at which something happens, or the one before. `None`: there is none.
    pub fn step(&self, from: TrueTime, forward: bool) -> Option<TrueTime> {
        neighbour(&self.instants, from, forward)
    }

    /// The next instant at which the story strikes, or the one before.
    pub fn step_fault(&self, from: TrueTime, forward: bool) -> Option<TrueTime> {
        neighbour(&self.faults, from, forward)
    }

    /// The same event in every shown run that has it: same instant, same node, same kind, and the same place among its equals.
    pub fn twins(&self, mark: Mark) -> Vec<Mark> {
        let Some((event, nth)) =
            self.runs.get(mark.column).and_then(|r| Some((r.log.get(mark.seq)?, place(r.log.events(), mark.seq)?)))
        else {
            return Vec::new();
        };
        let twin = |run: &Run| -> Option<EventSeq> { equals(run.log.events(), event).nth(nth).map(|e| e.seq) };
        (0..self.runs.len())
            .filter_map(|column| twin(&self.runs[column]).map(|seq| Mark { column, seq }))
            .collect()
    }
}

impl Scene {
    pub fn of(story: Rc<Story>, frame: Frame) -> Scene {
        let shown: Vec<Shown> = story.runs.iter().map(shown).collect();
        let lanes = story.runs.iter().map(|r| r.roster.nodes.len()).max().unwrap_or(0);
        let layout = Layout::fit(f64::from(frame.width), f64::from(frame.picture_height()), lanes, shown.len());
        let picture = view::picture(&shown, &story.scenario.judge, &layout);
        Scene { story: story.clone(), picture }
    }
}

/// A run as the view wants it.
pub fn shown(run: &Run) -> Shown<'_> {
    Shown { name: &run.design, roster: &run.roster, log: &run.log, report: &run.report, ending: run.ending }
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
    if forward {
        list.iter().copied().find(|t| *t > from)
    } else {
        list.iter().copied().rev().find(|t| *t < from)
    }
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
    }
}
