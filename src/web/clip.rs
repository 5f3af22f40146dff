//! Copying a text.
//!
//! The modern way answers later and may refuse (no focus, no permission in a frame, no secure context); then the old way is tried,
//! and if that fails too the caller is told, so that it can show the text to be copied by hand.

use super::dom;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlDocument, HtmlTextAreaElement};

/// Copies `text` and says whether it worked.
pub fn copy(text: &str, done: impl Fn(bool) + Clone + 'static) {
    let clipboard = dom::window()
        .map(|w| w.navigator())
        .and_then(|n| js_sys::Reflect::get(&n, &"clipboard".into()).ok())
        // Absent outside secure contexts.
        .filter(|c| !c.is_undefined() && !c.is_null())
        .map(|c| c.unchecked_into::<web_sys::Clipboard>());
    let Some(clipboard) = clipboard else {
        done(copy_selected(text));
        return;
    };
    let (owned, failed) = (text.to_string(), done.clone());
    let yes = Closure::once_into_js(move |_: JsValue| done(true));
    let no = Closure::once_into_js(move |_: JsValue| failed(copy_selected(&owned)));
    let promise: js_sys::Promise = clipboard.write_text(text).unchecked_into();
    let then: js_sys::Function = js_sys::Reflect::get(&promise, &"then".into()).unwrap_or_default().unchecked_into();
    // `then` of a real promise does not throw.
    let _ = then.call2(&promise, &yes, &no);
}

/// How long the text is that a paste event brings, in UTF-16 units.
pub fn pasted_length(event: &web_sys::Event) -> u32 {
    let data = event.dyn_ref::<web_sys::ClipboardEvent>().and_then(web_sys::ClipboardEvent::clipboard_data);
    // The length is asked of the browser's own string: the text itself need not come over.
    let get = |d: &web_sys::DataTransfer| -> Option<u32> {
        let get: js_sys::Function = js_sys::Reflect::get(d, &"getData".into()).ok()?.dyn_into().ok()?;
        Some(get.call1(d, &"text/plain".into()).ok()?.dyn_into::<js_sys::JsString>().ok()?.length())
    };
    data.as_ref().and_then(get).unwrap_or(0)
}

/// Through a text area that is put into the page, selected, and taken out again.
fn copy_selected(text: &str) -> bool {
    let Some(document) = dom::document() else { return false };
    let had_keyboard = dom::active();
    let attempt = || -> Option<bool> {
        let area: HtmlTextAreaElement = document.create_element("textarea").ok()?.dyn_into().ok()?;
        area.set_value(text);
        area.set_class_name("vh");
        let body = document.body()?;
        body.append_child(&area).ok()?;
        area.select();
        let copied = document.unchecked_ref::<HtmlDocument>().exec_command("copy").unwrap_or(false);
        area.remove();
        Some(copied)
    };
    let copied = attempt().unwrap_or(false);
    if let Some(element) = had_keyboard {
        let _ = element.focus();
    }
    copied
}
