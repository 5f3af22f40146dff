//! What each grip and each entry of a menu writes, and that it has its effect.

use super::*;
use crate::app::text::drag as text;
use crate::app::update::update;
use crate::app::{Action, Frame, Room, Scene, Story, Theme};
use crate::base::Span;
use crate::scenario::preset;
use crate::trace::{EventKind, Fate, TraceEvent};
use crate::view::Chip;

const FRAME: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

fn opened(id: &str) -> Rc<AppState> {
    update(Rc::new(AppState::first(Theme::Auto, FRAME)), Action::Open(preset::by_id(id).expect("a story").id))
}

fn scene(state: &AppState) -> Scene {
    let good = state.doc.good.clone().expect("it runs");
    Scene::of(Rc::new(Story::of(good, &state.doc.ticked)), FRAME)
}

fn chips(state: &AppState) -> Vec<Chip> {
    scene(state).picture.columns.iter().map(|c| c.chip).collect()
}

fn act(state: Rc<AppState>, hand: Hand) -> Rc<AppState> {
    update(state, hand.into())
}

/// Takes a grip of the first column and moves it to each of these instants.
fn dragged(state: Rc<AppState>, id: &str, to_ms: &[i64]) -> Rc<AppState> {
    let held = take(&scene(&state), 0, id).unwrap_or_else(|why| panic!("{id}: {why}"));
    let state = act(state, Hand::Take { held: held.into(), lines: 1 });
    to_ms.iter().fold(state, |s, ms| act(s, Hand::Move(TrueTime::from_ms(*ms))))
}

#[test]
fn the_end_of_a_pause_is_dragged_until_the_verdict_turns_and_undone_in_one_step() {
    let before = opened("gc-pause");
    assert_eq!(chips(&before), [Chip::Unsafe, Chip::Safe]);
    let moving = dragged(before.clone(), "w0.0", &[14_000, 12_300, 9_000]);
    assert_eq!(moving.desk.drag.as_ref().map(Drag::says).as_deref(), Some("paused 14.5\u{a0}s → 8.5\u{a0}s"));
    let after = act(moving.clone(), Hand::Drop);
    assert_eq!(chips(&after), [Chip::Safe, Chip::Safe]);
    assert_eq!(*after.doc.text, before.doc.text.replace("until = \"15s\"", "until = \"9s\""));
    let undone = update(after, Action::Undo);
    assert_eq!((&undone.doc.text, undone.doc.can_undo), (&before.doc.text, before.doc.can_undo));
    // Given up, nothing has happened, and nothing can be done again either.
    let given_up = act(moving, Hand::GiveUp);
    assert_eq!(given_up.doc.text, before.doc.text);
    assert!(!given_up.doc.can_redo);
    // Back where it was: no change.
    let back = act(dragged(before.clone(), "w0.0", &[14_000, 15_000]), Hand::Drop);
    assert_eq!((&back.doc.text, back.doc.can_undo), (&before.doc.text, before.doc.can_undo));
}

#[test]
fn an_arrowhead_becomes_a_delay_of_that_very_message_and_stays_one_fault() {
    let s = opened("gc-pause");
    let grip = scene(&s).picture.columns[0].grips.iter().find(|g| g.id.starts_with('a')).expect("a message").clone();
    let s = act(dragged(s, &grip.id, &[3_000, 1_000]), Hand::Drop);
    assert!(
        s.doc.text.contains("[[fault]]\ndelay = \"acquire\"\nfrom = \"W1\"\nnth = 1\ntakes = \"1s\"\n"),
        "{}",
        s.doc.text
    );
    let moved = scene(&s).picture.columns[0].grips.iter().find(|g| g.id == grip.id).map(|g| g.at);
    assert_eq!(moved, Some(TrueTime::from_ms(1_000)));
    let again = act(dragged(s.clone(), &grip.id, &[2_000]), Hand::Drop);
    assert_eq!(*again.doc.text, s.doc.text.replace("takes = \"1s\"", "takes = \"2s\""));
}

/// Stories of all kinds: one server, five, copies, a replicated log, sessions, many workers.
const STORIES: [&str; 8] = [
    "gc-pause",
    "redlock-clock-jump",
    "asynchronous-failover",
    "untouched-shard",
    "etcd-10811",
    "redisson-1604",
    "drift-inside-the-margin",
    "kombu-337",
];

/// Where something else decides as well: a clock that jumps, a restart, a check by ticks.
const OTHERWISE: [(&str, &str); 3] =
    [("etcd-10811", "l0.0"), ("redlock-clock-jump", "l0.0"), ("redisson-1604", "l1.0")];

#[test]
fn what_is_moved_is_then_where_it_was_moved_to_or_says_why_not() {
    let mut kinds = Vec::new();
    for id in STORIES {
        let state = opened(id);
        let before = scene(&state);
        for (column, c) in before.picture.columns.iter().enumerate() {
            let mut arrivals = 0;
            for g in &c.grips {
                if g.hold == Hold::Arrival {
                    arrivals += 1;
                    if arrivals > 12 {
                        continue;
                    }
                }
                let held = match take(&before, column, &g.id) {
                    Ok(held) => held,
                    Err(why) => {
                        assert!(why.ends_with('.') && why.len() > 20, "{id} {}: {why}", g.id);
                        continue;
                    }
                };
                let to = g.at + Span::from_ms(7);
                let draft =
                    held.draft(&state.doc.text, to).unwrap_or_else(|why| panic!("{id} {} {}: {why}", g.id, g.at));
                let after = scene(&update(state.clone(), Action::Type(draft.text)));
                let now = after.picture.columns[column].grips.iter().find(|n| n.id == g.id).map(|g| g.at);
                let off = now.map_or(i64::MAX, |now| now.since(to).as_us().abs());
                // A clock that runs at its own pace is right to the microsecond.
                assert!(
                    off <= 10 || OTHERWISE.contains(&(id, &g.id)),
                    "{id} {} at {}: {to} wanted, {now:?}",
                    g.id,
                    g.at
                );
                if !kinds.contains(&g.hold) {
                    kinds.push(g.hold);
                }
            }
        }
    }
    for hold in [Hold::Pause, Hold::Wake, Hold::Arrival, Hold::Lease, Hold::Start, Hold::Step] {
        assert!(kinds.contains(&hold), "no story has {hold:?}");
    }
}

/// The events of a run that a test counts.
fn count(scene: &Scene, what: impl Fn(&EventKind) -> bool) -> usize {
    scene.story.runs[0].log.events().iter().filter(|e| what(&e.kind)).count()
}

fn choose(state: &Rc<AppState>, items: &[menu::Item], label: &str) -> Rc<AppState> {
    let item = items.iter().find(|i| i.label == label).unwrap_or_else(|| panic!("no {label}"));
    let Ok(menu::Does::Text(draft)) = item.made.clone() else { panic!("{label}: {:?}", item.made) };
    act(state.clone(), Hand::Write { key: EditKey::Once, draft })
}

#[test]
fn each_entry_of_a_message_has_its_effect_and_its_way_back() {
    for id in STORIES {
        let state = opened(id);
        let before = scene(&state);
        // An edit before it gives an event another number.
        let of = |s: &AppState, e: &TraceEvent| {
            let scene = scene(s);
            let same = |o: &&TraceEvent| match (&o.kind, &e.kind) {
                (EventKind::Sent { to: a, what: x, .. }, EventKind::Sent { to: b, what: y, .. }) => {
                    (o.node, a, x.kind, x.nth) == (e.node, b, y.kind, y.nth)
                }
                _ => false,
            };
            let seq = scene.story.runs[0].log.events().iter().find(same)?.seq;
            menu::of_message(&scene, &s.doc.text, 0, seq)
        };
        let messages = before.story.runs[0].log.events().iter().filter(|e| matches!(e.kind, EventKind::Sent { .. }));
        for e in messages.take(4) {
            let (title, items) = of(&state, e).expect("a message");
            assert_eq!(items.len(), 4, "{id} {title}");
            let lost = |s: &Scene| count(s, |k| matches!(k, EventKind::Lost { .. }));
            if items[0].label != text::DROP || items[0].made.is_err() {
                continue;
            }
            let dropped = choose(&state, &items, text::DROP);
            assert!(lost(&scene(&dropped)) > lost(&before), "{id} {title}");
            let back = of(&dropped, e).expect("it is still sent").1;
            assert_eq!(scene(&choose(&dropped, &back, text::LET_ARRIVE)).story.scenario, before.story.scenario);
            let copies = |s: &Scene| count(s, |k| matches!(k, EventKind::Sent { fate: Fate::Copy { .. }, .. }));
            let twice = choose(&state, &items, text::DUPLICATE);
            assert!(copies(&scene(&twice)) > copies(&before), "{id} {title}");
            let late = |s: &Scene| count(s, |k| matches!(k, EventKind::Sent { fate: Fate::Delayed, .. }));
            let delayed = choose(&state, &items, text::DELAY);
            assert!(late(&scene(&delayed)) > 0, "{id} {title}");
            let again = of(&delayed, e).expect("it is still sent").1;
            // So late, somebody may be down when it comes.
            if again[1].made.is_ok() {
                let more = choose(&delayed, &again, text::DELAY);
                let faults = |s: &AppState| s.doc.good.as_ref().map(|g| g.faults.len());
                assert_eq!(faults(&more), faults(&delayed));
            }
            let back = choose(&delayed, &again, text::IN_TIME);
            assert_eq!(scene(&back).story.scenario, before.story.scenario);
            match &items[3].made {
                Ok(_) => assert!(late(&scene(&choose(&state, &items, text::REORDER))) > 0),
                Err(why) => assert!([text::NOTHING_FOLLOWS, text::BEHIND_ALREADY].contains(&why.as_str()), "{why}"),
            }
        }
    }
}

#[test]
fn each_entry_of_a_lifeline_has_its_effect_or_says_why_not() {
    for id in STORIES {
        let state = opened(id);
        let before = scene(&state);
        let lanes = &before.picture.columns[0].lanes;
        let at = TrueTime::from_us(before.end().as_us() / 2_000 * 1_000);
        for lane in lanes {
            let (title, items) = menu::of_lane(&before, &state.doc.text, 0, lane.nodes[0], at).expect("a lane");
            for item in &items {
                match &item.made {
                    Err(why) => assert!(why.ends_with('.') || why.len() > 20, "{id} {title} {}: {why}", item.label),
                    Ok(menu::Does::View(_)) => panic!("a lifeline is not looked at otherwise from here"),
                    Ok(menu::Does::Text(draft)) => {
                        let after = act(state.clone(), Hand::Write { key: EditKey::Once, draft: draft.clone() });
                        let scene = scene(&after);
                        assert_eq!(scene.story.scenario.faults.len(), before.story.scenario.faults.len() + 1);
                        let begun = &scene.story.runs[0].begun;
                        let last = scene.story.scenario.faults.len() as u16 - 1;
                        assert!(begun.contains(&(last, at)), "{id} {title} {}", item.label);
                        assert_eq!(update(after, Action::Undo).doc.text, state.doc.text);
                    }
                }
            }
            assert!(items.iter().any(|i| i.made.is_ok()), "{id} {title}");
        }
        let links = menu::links(&before.story.runs[0]);
        let (_, items) = menu::of_links(&before, &state.doc.text, 0, &links, at).expect("links");
        assert!(items.iter().all(|i| i.made.is_ok()), "{id}");
    }
}
