//! Small questions to the document.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, Window};

pub fn window() -> Option<Window> {
    web_sys::window()
}

pub fn document() -> Option<Document> {
    window()?.document()
}

pub fn by_id(id: &str) -> Option<HtmlElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

pub fn find(selector: &str) -> Option<HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// Gives the keyboard to the first element that matches.
pub fn focus(selector: &str) {
    if let Some(element) = find(selector) {
        // Refused only by elements that cannot be focused, and then nothing is lost.
        let _ = element.focus();
    }
}

/// The element that has the keyboard.
pub fn active() -> Option<HtmlElement> {
    document()?.active_element()?.dyn_into().ok()
}

/// The nearest element at or above `element` that carries `attribute`, and its value.
pub fn attribute_above(element: &Element, attribute: &str) -> Option<String> {
    element.closest(&format!("[{attribute}]")).ok()??.get_attribute(attribute)
}

/// Inner width and height of the window, px.
pub fn window_size() -> Option<(u32, u32)> {
    let w = window()?;
    let px = |v: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| Some(v.ok()?.as_f64()?.max(0.0) as u32);
    Some((px(w.inner_width())?, px(w.inner_height())?))
}

/// Width of an element's box without its padding, px.
pub fn content_width(element: &HtmlElement) -> u32 {
    let padding = |name: &str| -> f64 {
        let style = window().and_then(|w| w.get_computed_style(element).ok().flatten());
        let value = style.and_then(|s| s.get_property_value(name).ok()).unwrap_or_default();
        value.trim_end_matches("px").parse().unwrap_or(0.0)
    };
    let inside = f64::from(element.client_width()) - padding("padding-left") - padding("padding-right");
    inside.max(0.0) as u32
}

/// Whether a media query holds.
pub fn matches_media(query: &str) -> bool {
    window().and_then(|w| w.match_media(query).ok().flatten()).is_some_and(|m| m.matches())
}

/// The person has asked for less motion.
pub fn calm() -> bool {
    matches_media("(prefers-reduced-motion: reduce)")
}

pub fn set_title(title: &str) {
    if let Some(d) = document() {
        d.set_title(title);
    }
}

/// Wears a theme: `light`, `dark`, or whatever the system says.
pub fn set_theme(word: &str) {
    let Some(root) = document().and_then(|d| d.document_element()) else { return };
    // An attribute with a constant name cannot be refused.
    let _ = match word {
        "light" | "dark" => root.set_attribute("data-theme", word),
        _ => root.remove_attribute("data-theme"),
    };
}
