//! The keyboard, as far as the page as a whole listens to it.

use super::dom;
use wasm_bindgen::prelude::*;
use web_sys::{Element, KeyboardEvent};

/// What has the keyboard while a key is pressed: that decides which keys the page may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// A field: letters, arrows and Space are its own.
    Field,
    /// A button or link: Space and Enter are its own.
    Button,
    /// Nothing that wants keys.
    Page,
}

pub fn holder(event: &KeyboardEvent) -> Holder {
    let Some(element) = event.target().and_then(|t| t.dyn_into::<Element>().ok()) else { return Holder::Page };
    match element.tag_name().as_str() {
        "INPUT" if element.get_attribute("type").as_deref() == Some("checkbox") => Holder::Button,
        "INPUT" | "TEXTAREA" | "SELECT" => Holder::Field,
        "BUTTON" | "A" | "SUMMARY" => Holder::Button,
        _ => Holder::Page,
    }
}

/// Calls back for every key pressed anywhere on the page; ends when dropped.
pub struct KeyWatch(Closure<dyn FnMut(KeyboardEvent)>);

impl KeyWatch {
    pub fn new(pressed: impl FnMut(KeyboardEvent) + 'static) -> KeyWatch {
        let closure = Closure::new(pressed);
        if let Some(d) = dom::document() {
            let _ = d.add_event_listener_with_callback("keydown", closure.as_ref().unchecked_ref());
        }
        KeyWatch(closure)
    }
}

impl Drop for KeyWatch {
    fn drop(&mut self) {
        if let Some(d) = dom::document() {
            let _ = d.remove_event_listener_with_callback("keydown", self.0.as_ref().unchecked_ref());
        }
    }
}
