//! Menus of the picture: what can be done to a message, at an instant of a lifeline, to a link. Every entry is an edit of the scenario;
//! one that cannot be said of what was hit stands there with the reason.

use super::held::add_fault;
use super::hold::{fault_of, keys_of, kind_word, name};
use super::runnable;
use crate::app::state::Draft;
use crate::app::story::Scene;
use crate::app::text::drag as text;
use crate::app::view::View;
use crate::base::{NodeId, Span, TrueTime};
use crate::scenario::edit;
use crate::scenario::quantity::write_time;
use crate::scenario::registry::faults::NO_REPLY;
use crate::trace::{EventKind, EventSeq, LostWhy};
use crate::view::lanes::LaneKind;
use std::rc::Rc;

/// A menu, and where it opens: px of the window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Menu {
    pub title: String,
    pub items: Vec<Item>,
    pub x: i32,
    pub y: i32,
    /// What had the keyboard, and gets it back.
    pub from: String,
}

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub label: String,
    /// What the text becomes, or how the picture is looked at then; or why that cannot be.
    pub made: Result<Does, String>,
}

/// What an entry does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Does {
    Text(Draft),
    View(Rc<View>),
}

/// How long what is begun from a menu lasts: long enough to be seen, and then its end can be dragged.
const LASTS: Span = Span::from_ms(2_000);
/// How far a clock is stepped.
const STEP: &str = "5s";

type Keys = Vec<(&'static str, String)>;

struct Writer<'a> {
    text: &'a str,
    items: Vec<Item>,
}

impl Writer<'_> {
    fn fault(&mut self, label: String, keys: Keys) {
        let made = add_fault(self.text, keys.iter().map(|(k, v)| (*k, v.as_str())));
        self.put(label, made.map_err(|d| d.message));
    }

    fn put(&mut self, label: String, made: Result<String, String>) {
        self.items.push(Item { label, made: made.and_then(runnable).map(Does::Text) });
    }

    fn look(&mut self, label: &str, view: Option<View>, why: &str) {
        let made = view.map(|v| Does::View(v.into())).ok_or_else(|| why.to_string());
        self.items.push(Item { label: label.to_string(), made });
    }

    fn cannot(&mut self, label: &str, why: &str) {
        self.items.push(Item { label: label.to_string(), made: Err(why.to_string()) });
    }
}

/// What can be done to a message, by its sending or its arrival.
pub fn of_message(scene: &Scene, text: &str, column: usize, seq: EventSeq) -> Option<(String, Vec<Item>)> {
    let run = scene.story.runs.get(column)?;
    let event = run.log.get(seq)?;
    let event = match &event.kind {
        EventKind::Arrived { msg, .. } => {
            run.log.events().iter().find(|e| matches!(&e.kind, EventKind::Sent { msg: sent, .. } if sent == msg))?
        }
        _ => event,
    };
    let EventKind::Sent { msg, to, what, .. } = &event.kind else { return None };
    let kind = kind_word(what.kind);
    let nth = crate::base::text::number(what.nth as usize);
    let title = text::message(&kind, &nth, &name(run, event.node, false), &name(run, *to, false));
    let mut w = Writer { text, items: Vec::new() };
    if what.kind.reply && NO_REPLY.contains(&what.kind.topic.word()) {
        for label in [text::DROP, text::DELAY, text::DUPLICATE, text::REORDER] {
            w.cannot(label, text::UNNAMED);
        }
        return Some((title, w.items));
    }
    let scenario = &scene.story.scenario;
    let keys = |verb: &'static str| keys_of(run, event.node, *to, what, verb);
    let with = |mut keys: Keys, takes: Span| {
        keys.push(("takes", write_time(takes)));
        keys
    };
    let arrived = run.log.events().iter().find_map(|e| match &e.kind {
        EventKind::Arrived { msg: m, .. } if m == msg => Some(e.at),
        _ => None,
    });
    let lost = run.log.events().iter().find_map(|e| match &e.kind {
        EventKind::Lost { msg: m, why, .. } if m == msg => Some(*why),
        _ => None,
    });
    match (lost, fault_of(scenario, &keys("drop"))) {
        (_, Some(f)) => w.put(text::LET_ARRIVE.to_string(), without(text, f.entry)),
        (Some(LostWhy::Dropped), None) => w.cannot(text::LET_ARRIVE, text::DROPPED_WITH_OTHERS),
        (Some(_), None) => w.cannot(text::DROP, text::LOST_ALREADY),
        (None, None) => w.fault(text::DROP.to_string(), keys("drop")),
    }
    let flight = arrived.map_or(Span::from_ms(5), |at| at.since(event.at));
    let longer = |more: Span| Span::from_us(flight.as_us() + more.as_us());
    let delayed = fault_of(scenario, &keys("delay"));
    let delay = |w: &mut Writer, label: &str, takes: Span| match delayed {
        Some(f) => {
            let made = edit::set_typed(text, &f.path("takes"), &write_time(takes));
            w.put(label.to_string(), made.map_err(|d| d.message));
        }
        None => w.fault(label.to_string(), with(keys("delay"), takes)),
    };
    if lost.is_some() {
        w.cannot(text::DELAY, text::LOST_ALREADY);
    } else {
        delay(&mut w, text::DELAY, longer(Span::from_ms(1_000)));
    }
    match fault_of(scenario, &keys("duplicate")) {
        Some(f) => w.put(text::ONCE.to_string(), without(text, f.entry)),
        None if lost.is_some() => w.cannot(text::DUPLICATE, text::LOST_ALREADY),
        None => {
            let takes = longer(Span::from_us(flight.as_us().max(10_000)));
            w.fault(text::DUPLICATE.to_string(), with(keys("duplicate"), takes));
        }
    }
    // Behind the next one on its way between these two.
    let sent_later = |e: &&crate::trace::TraceEvent| e.seq > event.seq && e.node == event.node;
    let next = run.log.events().iter().filter(sent_later).find_map(|e| match &e.kind {
        EventKind::Sent { msg, to: other, .. } if other == to => Some(*msg),
        _ => None,
    });
    let next = next.and_then(|m| {
        run.log.events().iter().find_map(|e| match &e.kind {
            EventKind::Arrived { msg, .. } if *msg == m => Some(e.at),
            _ => None,
        })
    });
    match next {
        Some(at) if lost.is_none() && arrived.is_some_and(|mine| mine <= at) => {
            let takes = Span::from_us(at.since(event.at).as_us() + 1_000);
            delay(&mut w, text::REORDER, takes);
        }
        Some(_) => w.cannot(text::REORDER, text::BEHIND_ALREADY),
        None => w.cannot(text::REORDER, text::NOTHING_FOLLOWS),
    }
    if let Some(f) = delayed {
        w.put(text::IN_TIME.to_string(), without(text, f.entry));
    }
    Some((title, w.items))
}

fn without(text: &str, entry: usize) -> Result<String, String> {
    edit::remove_fault(text, &crate::base::text::number(entry)).map_err(|d| d.message)
}

/// What can be done to a participant at an instant.
pub fn of_lane(scene: &Scene, text: &str, column: usize, node: NodeId, at: TrueTime) -> Option<(String, Vec<Item>)> {
    let run = scene.story.runs.get(column)?;
    let one = name(run, node, true);
    let mut w = Writer { text, items: Vec::new() };
    let when = write_time(at.since(TrueTime::ZERO));
    let lasts = || ("for", write_time(LASTS));
    let strikes = |verb: &'static str| vec![(verb, one.clone()), ("at", when.clone())];
    let and = |mut keys: Keys, more: (&'static str, String)| {
        keys.push(more);
        keys
    };
    w.fault(text::PAUSE_HERE.to_string(), and(strikes("pause"), lasts()));
    w.fault(text::CRASH_HERE.to_string(), strikes("crash"));
    w.fault(text::RESTART_HERE.to_string(), and(strikes("crash"), lasts()));
    w.fault(text::CLOCK_AHEAD.to_string(), and(strikes("step_clock"), ("by", STEP.to_string())));
    w.fault(text::CLOCK_BACK.to_string(), and(strikes("step_clock"), ("by", ["-", STEP].concat())));
    for peer in peers(run, node) {
        cut(&mut w, run, (node, peer), &when);
    }
    Some((text::at(&one, &crate::view::text::instant(at)), w.items))
}

/// What can be done with a participant, from its head: how it is looked at, and what can happen to it at an instant.
pub fn of_head(
    scene: &Scene,
    text: &str,
    view: &View,
    (column, lane): (usize, usize),
    at: TrueTime,
) -> Option<(String, Vec<Item>)> {
    let lanes = &scene.picture.columns.get(column)?.lanes;
    let placed = lanes.get(lane)?;
    let mut w = Writer { text, items: Vec::new() };
    if placed.kind == LaneKind::Group {
        let label = if view.unfolded { text::FOLD_NODES } else { text::UNFOLD_NODES };
        w.look(label, Some(View { unfolded: !view.unfolded, ..view.clone() }), "");
    }
    if placed.kind == LaneKind::Worker {
        let label = if view.tries { text::FOLD_TRIES } else { text::SHOW_TRIES };
        w.look(label, Some(View { tries: !view.tries, ..view.clone() }), "");
    }
    w.look(text::MOVE_LEFT, view.moving(lanes, lane, false), text::AT_THE_EDGE);
    w.look(text::MOVE_RIGHT, view.moving(lanes, lane, true), text::AT_THE_EDGE);
    w.look(text::HIDE, (lanes.len() > 1).then(|| view.hiding(placed)), text::THE_LAST_LANE);
    if view.lanes != Default::default() {
        w.look(text::SHOW_ALL, Some(View { lanes: Default::default(), ..view.clone() }), "");
    }
    let (title, items) = of_lane(scene, text, column, *placed.nodes.first()?, at)?;
    w.items.extend(items);
    Some((title, w.items))
}

/// What can be done to a link: to all links between what stands left and right of a place.
pub fn of_links(
    scene: &Scene,
    text: &str,
    column: usize,
    pairs: &[(NodeId, NodeId)],
    at: TrueTime,
) -> Option<(String, Vec<Item>)> {
    let run = scene.story.runs.get(column)?;
    let mut w = Writer { text, items: Vec::new() };
    let when = write_time(at.since(TrueTime::ZERO));
    for pair in pairs {
        cut(&mut w, run, *pair, &when);
    }
    if w.items.is_empty() {
        w.cannot(text::CUT_ANY, text::NO_LINK);
    }
    Some((text::at(text::LINK, &crate::view::text::instant(at)), w.items))
}

fn cut(w: &mut Writer, run: &crate::run::Run, (a, b): (NodeId, NodeId), when: &str) {
    let (one, other) = (name(run, a, false), name(run, b, false));
    if one == other || w.items.iter().any(|i| i.label == text::cut(&one, &other)) {
        return;
    }
    let keys = vec![("cut", one.clone()), ("to", other.clone()), ("at", when.to_string()), ("for", write_time(LASTS))];
    w.fault(text::cut(&one, &other), keys);
}

/// With whom a node exchanges messages, in the order of the picture.
fn peers(run: &crate::run::Run, node: NodeId) -> Vec<NodeId> {
    let mut all: Vec<NodeId> = Vec::new();
    for (a, b) in links(run) {
        let peer = if a == node { b } else { a };
        if (a == node || b == node) && !all.contains(&peer) {
            all.push(peer);
        }
    }
    all
}

/// Who exchanges messages with whom; the one further left first.
pub fn links(run: &crate::run::Run) -> Vec<(NodeId, NodeId)> {
    let mut all: Vec<(NodeId, NodeId)> = Vec::new();
    for e in run.log.events() {
        if let EventKind::Sent { to, .. } = &e.kind {
            let pair = (e.node.min(*to), e.node.max(*to));
            if !all.contains(&pair) {
                all.push(pair);
            }
        }
    }
    crate::view::order::by_key(&mut all, |p| (i64::from(p.0.0), i64::from(p.1.0)));
    all
}
