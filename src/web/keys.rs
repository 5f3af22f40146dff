//! The keyboard, as far as the page as a whole listens to it.

use web_sys::Element;

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

pub fn holder(element: &Element) -> Holder {
    match element.tag_name().as_str() {
        "INPUT" if element.get_attribute("type").as_deref() == Some("checkbox") => Holder::Button,
        "INPUT" | "TEXTAREA" | "SELECT" => Holder::Field,
        "BUTTON" | "A" | "SUMMARY" => Holder::Button,
        _ => Holder::Page,
    }
}
