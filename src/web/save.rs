//! Giving a person a file.

use super::dom;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Offers a picture whose bytes are `base64` as a file called `name`.
pub fn picture(name: &str, base64: &str) -> Option<()> {
    offer(name, &["data:image/png;base64,", base64].concat())
}

/// Offers `text` as a file called `name`. A data address: it needs no storage and works in a file opened from disk.
pub fn file(name: &str, mime: &str, text: &str) -> Option<()> {
    let encoded = String::from(js_sys::encode_uri_component(text));
    offer(name, &["data:", mime, ";charset=utf-8,", &encoded].concat())
}

fn offer(name: &str, address: &str) -> Option<()> {
    let document = dom::document()?;
    let link: HtmlElement = document.create_element("a").ok()?.dyn_into().ok()?;
    link.set_attribute("href", address).ok()?;
    link.set_attribute("download", name).ok()?;
    document.body()?.append_child(&link).ok()?;
    link.click();
    link.remove();
    Some(())
}
