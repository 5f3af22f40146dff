//! The fragment of the page's address.
//!
//! Inside somebody else's frame the address is never touched: it would put entries into the history of a page that is not ours.

use super::dom;
use crate::base::pieces::divide;
use wasm_bindgen::JsValue;

/// The fragment with its `#`, or nothing.
pub fn fragment() -> String {
    dom::window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// The query with its `?`, or nothing.
pub fn query() -> String {
    dom::window().and_then(|w| w.location().search().ok()).unwrap_or_default()
}

/// The address without query and fragment.
pub fn base() -> String {
    let href = dom::window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    divide(divide(&href, "#").0, "?").0.to_string()
}

/// Replaces the fragment without a new entry in the history. `""` removes it.
pub fn set_fragment(fragment: &str) {
    let Some(window) = dom::window() else { return };
    if framed() || self::fragment() == fragment {
        return;
    }
    // Refused under an opaque origin; the address then stays as it is.
    if let Ok(history) = window.history() {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address_with(fragment)));
    }
}

/// The whole address with another fragment.
pub fn address_with(fragment: &str) -> String {
    let Some(location) = dom::window().map(|w| w.location()) else { return fragment.to_string() };
    let href = location.href().unwrap_or_default();
    let base = divide(&href, "#").0;
    [base, fragment].concat()
}

/// The page stands in a frame of another page.
pub fn framed() -> bool {
    let Some(window) = dom::window() else { return false };
    // A parent that may not even be asked is somebody else's.
    window.parent().map_or(true, |p| p.is_some_and(|p| p != window))
}
