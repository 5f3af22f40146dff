//! Drawing what is in sight: where the window stands over a long page, and what that means for the keyboard.

use super::deeds::{Deeds, Now, Then};
use crate::app::seen::Seen;
use crate::app::{Action, Frame, Room, Scene};
use crate::base::text::number;
use crate::trace::EventSeq;
use crate::web::dom;

/// What is to be drawn now, if that is more than what is.
pub fn look(now: Now) -> Option<Action> {
    let (scene, (_, height)) = (now.scene?, dom::window_size()?);
    let height = f64::from(height);
    let (mut top, mut bottom) = (0, 0);
    // Where nothing is, nothing is in sight.
    if let Some(rail) = dom::find(".rail") {
        let from = rail.get_bounding_client_rect().top();
        (top, bottom) = (-from as i32, (height - from) as i32);
    }
    let (mut first, mut last) = (0, 0);
    if let Some(list) = dom::find(".evl") {
        let (r, lines) = (list.get_bounding_client_rect(), scene.lines(now.state.doc.front).len() as f64);
        let line = |y: f64| ((y - r.top()) / r.height().max(1.0) * lines).max(0.0).min(lines) as u32;
        (first, last) = (line(0.0), line(height));
    }
    Seen { top, bottom, first, last }.after(now.state.seen).map(Action::See)
}

/// The room that a sheet of paper has, whatever window it is printed from.
const PAPER: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

/// Paper has no window: everything is drawn, beside each other if it fits there, and afterwards again what is in sight.
pub fn printing(begins: bool, now: Now) -> Deeds {
    let (seen, frame) = if begins {
        (Seen::ALL, Some(PAPER))
    } else {
        (Seen::at_first(now.state.doc.frame), dom::find("main").as_ref().and_then(super::app::measure))
    };
    let frame = frame.map(Action::Frame);
    Deeds { actions: [Action::See(seen)].into_iter().chain(frame).collect(), then: Vec::new() }
}

/// Has the place of an event drawn, if it is not.
pub fn bring(now: Now, scene: &Scene, column: usize, seq: EventSeq) -> Option<Action> {
    let at = scene.story.runs.get(column)?.log.get(seq)?.at;
    let seen = now.state.seen.with(scene.picture.axis.y(at));
    (seen != now.state.seen).then_some(Action::See(seen))
}

/// Where a message of a column stands on the page.
pub fn message(column: usize, seq: EventSeq) -> String {
    [".body[data-col=\"", &number(column), "\"] .m[data-seq=\"", &number(seq.0 as usize), "\"]"].concat()
}

/// The way from a message to the next one or the one before, where that is not drawn yet.
pub fn beyond(now: Now, column: usize, from: EventSeq, forward: bool) -> Option<Deeds> {
    let scene = now.scene?;
    let next = scene.picture.columns.get(column)?.body.beside(from, forward)?;
    let place = message(column, next);
    if dom::find_any(&place).is_some() {
        return None;
    }
    let actions = vec![bring(now, scene, column, next)?];
    Some(Deeds { actions, then: vec![Then::Focus(place)] })
}

/// The message of the picture that has the keyboard: it will be put in anew, and has to get it back.
pub fn held() -> Option<String> {
    let element = dom::document()?.active_element()?;
    if !dom::inside(&element, ".body") {
        return None;
    }
    let part = |attribute| crate::base::pieces::count(&dom::attribute_above(&element, attribute)?);
    Some(message(part("data-col")?, EventSeq(part("data-seq")? as u32)))
}
