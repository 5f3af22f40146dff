//! Entries that are dragged to another place of their list.
//!
//! While the pointer is down on a handle, the entry trades places with each one whose middle the pointer passes; the page shows every
//! step, and all of them together are one change. Touch works alike, since a handle does not scroll.

use super::deeds::Deeds;
use super::hands;
use crate::app::Action;
use crate::base::pieces::{count, cut};
use crate::web::dom;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, PointerEvent};

thread_local! {
    /// The list of the entry that the pointer has, and where in it the entry is now.
    static HELD: RefCell<Option<(String, usize)>> = const { RefCell::new(None) };
}

/// What a pointer does to an entry; `None`: nothing.
pub fn pointer(event: &Event, target: &Element) -> Option<Deeds> {
    match event.type_().as_str() {
        "pointerdown" => {
            let grip = target.closest("[data-lift]").ok()??;
            let event: &PointerEvent = event.unchecked_ref();
            if event.button() != 0 {
                return None;
            }
            let words = grip.get_attribute("data-lift")?;
            let (list, at) = cut(&words, " ")?;
            let _ = grip.set_pointer_capture(event.pointer_id());
            HELD.set(Some((list.to_string(), count(at)?)));
            None
        }
        "pointermove" => {
            let (list, at) = HELD.with_borrow(Clone::clone)?;
            let to = under(event.unchecked_ref(), &list, at)?;
            HELD.set(Some((list.clone(), to)));
            Some(hands::moved(&list, at, to, true))
        }
        "pointerup" | "pointercancel" => HELD.take().map(|_| Action::Commit.into()),
        _ => None,
    }
}

/// The place in the list that the pointer has reached.
fn under(event: &PointerEvent, list: &str, at: usize) -> Option<usize> {
    let y = f64::from(event.client_y());
    let document = dom::document()?;
    let mut here = document.element_from_point(event.client_x() as f32, y as f32)?;
    loop {
        let entry = here.closest("[data-at]").ok()??;
        let parent = entry.parent_element()?;
        if parent.get_attribute("data-list").as_deref() == Some(list) {
            let to = count(&entry.get_attribute("data-at")?)?;
            let rect = entry.get_bounding_client_rect();
            let middle = rect.top() + rect.height() / 2.0;
            // Past its middle, so that entries of unequal heights do not trade places for ever.
            return (if to > at { y > middle } else { to < at && y < middle }).then_some(to);
        }
        here = parent;
    }
}

/// How many entries the list of a handle has.
pub fn entries(grip: &Element) -> usize {
    let list = grip.closest("[data-list]").ok().flatten();
    list.map_or(0, |l| l.child_element_count() as usize)
}
