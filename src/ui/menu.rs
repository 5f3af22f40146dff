//! The menu of something on the picture: opened by the pointer's other button, by a long press, or by the keyboard.

use super::deeds::{Deeds, Now, Then};
use super::markup::{made, on, put};
use crate::app::drag::menu::Does;
use crate::app::drag::{Hand, Menu, menu};
use crate::app::history::EditKey;
use crate::app::{Action, Mark, Scene};
use crate::base::TrueTime;
use crate::trace::{EventKind, EventSeq};
use crate::view::text::fill;

/// px that a menu may take.
const WIDTH: i32 = 270;
const ROW: i32 = 30;

pub fn menu(out: &mut String, menu: &Menu) {
    let menu_is = r#"<div id="ctx" class="ctx" role="menu" aria-label="{A}""#;
    put(out, menu_is, &[], &[&menu.title]);
    fill(out, r#" style="left:{0}px;top:{1}px">"#, &[f64::from(menu.x), f64::from(menu.y)], &[]);
    put(out, "<p>{A}</p>", &[], &[&menu.title]);
    for (i, item) in menu.items.iter().enumerate() {
        let why = item.made.as_ref().err();
        let small = why.map_or(String::new(), |why| made("<small>{A}</small>", &[], &[why]));
        let entry = r#"<button role="menuitem" tabindex="-1"{c} data-do="choose {a}"><span>{B}</span>{d}</button>"#;
        let off = on(why.is_some(), r#" aria-disabled="true""#);
        put(out, entry, &[], &[&i.to_string(), &item.label, off, &small]);
    }
    out.push_str("</div>");
}

/// Where something was hit: px of the window, and of its column.
#[derive(Clone, Copy, Default)]
pub struct Hit {
    pub window: (i32, i32),
    pub room: (i32, i32),
    pub at: (f64, f64),
}

/// The menu of what was hit in a column. `from`: what gets the keyboard back.
pub fn open(now: Now, column: usize, seq: Option<EventSeq>, hit: Hit, from: String) -> Option<Deeds> {
    let found = found(now.scene?, &now.state.doc.text, column, seq, hit.at)?;
    Some(shown(found, hit, from))
}

/// The menu of a participant, from its head.
pub fn head(now: Now, column: usize, lane: usize, hit: Hit, from: String) -> Option<Deeds> {
    let (scene, doc) = (now.scene?, &now.state.doc);
    let at = now.state.cursor.at.unwrap_or_else(|| scene.end());
    let found = menu::of_head(scene, &doc.text, &doc.view, (column, lane), at)?;
    Some(shown(found, hit, from))
}

fn shown((title, items): (String, Vec<menu::Item>), hit: Hit, from: String) -> Deeds {
    let height = ROW * items.len() as i32 + 40;
    let (x, y) = hit.window;
    let (x, y) = (x.min(hit.room.0 - WIDTH).max(4), y.min(hit.room.1 - height).max(4));
    let menu = Menu { title, items, x, y, from };
    let actions = vec![Action::Play(false), Hand::Menu(Some(menu.into())).into()];
    Deeds { actions, then: vec![Then::Focus("#ctx button".to_string())] }
}

type Found = Option<(String, Vec<menu::Item>)>;

/// A message, if one was hit; else the lifeline, or what lies between two.
fn found(scene: &Scene, text: &str, column: usize, seq: Option<EventSeq>, (x, y): (f64, f64)) -> Found {
    let c = scene.picture.columns.get(column)?;
    let run = scene.story.runs.get(column)?;
    let at = super::cursor::pick(scene, y).unwrap_or_else(|| scene.end());
    if let Some(seq) = seq {
        let event = run.log.get(seq)?;
        if matches!(event.kind, EventKind::Sent { .. } | EventKind::Arrived { .. } | EventKind::Lost { .. }) {
            return menu::of_message(scene, text, column, seq);
        }
        return menu::of_lane(scene, text, column, event.node, at);
    }
    /// px beside a lifeline that are its own.
    const NEAR: f64 = 18.0;
    let lane = c.lanes.iter().find(|l| (l.x - x).abs() <= NEAR || (l.x <= x && x <= l.right));
    if let Some(lane) = lane {
        return menu::of_lane(scene, text, column, *lane.nodes.first()?, at);
    }
    let side = |n| c.lanes.iter().find(|l| l.nodes.contains(&n)).is_some_and(|l| l.x < x);
    let across: Vec<_> = menu::links(run).into_iter().filter(|(a, b)| side(*a) != side(*b)).collect();
    menu::of_links(scene, text, column, &across, at)
}

/// One entry was chosen.
pub fn choose(now: Now, nth: usize) -> Option<Deeds> {
    let menu = now.state.desk.menu.as_ref()?;
    let item = menu.items.get(nth)?;
    match &item.made {
        Ok(Does::View(view)) => Some(Deeds {
            actions: vec![Hand::Menu(None).into(), Action::View(view.clone())],
            then: vec![Then::Focus(menu.from.clone()), Then::Say(item.label.clone())],
        }),
        Ok(Does::Text(draft)) => Some(Deeds {
            actions: vec![Hand::Write { key: EditKey::Once, draft: draft.clone() }.into()],
            then: vec![Then::Focus(menu.from.clone()), Then::Verdicts(item.label.clone())],
        }),
        Err(why) => Some(Then::Say(why.clone()).into()),
    }
}

/// It goes, and nothing has happened.
pub fn close(now: Now) -> Option<Deeds> {
    let menu = now.state.desk.menu.as_ref()?;
    Some(Deeds { actions: vec![Hand::Menu(None).into()], then: vec![Then::Focus(menu.from.clone())] })
}

/// The stops of the keyboard in a column, in the order of time: events that are drawn as messages, and what can be moved.
pub fn rank(scene: &Scene, mark: Option<Mark>, column: usize, grip: Option<&str>) -> Option<(TrueTime, u8)> {
    match grip {
        Some(id) => scene.picture.columns.get(column)?.grips.iter().find(|g| g.id == id).map(|g| (g.at, 1)),
        None => scene.story.runs.get(column)?.log.get(mark?.seq).map(|e| (e.at, 0)),
    }
}
