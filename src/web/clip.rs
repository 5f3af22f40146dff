//! Copying a text.
//!
//! The browser answers later and may refuse (no focus, no permission in a frame, no secure context). Whoever asked is told, and can say
//! where the text stands to be copied by hand.

use super::dom;
use wasm_bindgen::prelude::*;

/// Copies `text` and says whether it worked.
pub fn copy(text: &str, done: impl Fn(bool) + Clone + 'static) {
    let clipboard = dom::window()
        .map(|w| w.navigator())
        .and_then(|n| js_sys::Reflect::get(&n, &"clipboard".into()).ok())
        // Absent outside secure contexts.
        .filter(|c| !c.is_undefined() && !c.is_null())
        .map(|c| c.unchecked_into::<web_sys::Clipboard>());
    let Some(clipboard) = clipboard else {
        done(false);
        return;
    };
    let failed = done.clone();
    let yes = Closure::once_into_js(move |_: JsValue| done(true));
    let no = Closure::once_into_js(move |_: JsValue| failed(false));
    let promise: js_sys::Promise = clipboard.write_text(text).unchecked_into();
    let then: js_sys::Function = js_sys::Reflect::get(&promise, &"then".into()).unwrap_or_default().unchecked_into();
    // `then` of a real promise does not throw.
    let _ = then.call2(&promise, &yes, &no);
}

/// How long the text is that a paste event brings, in UTF-16 units.
pub fn pasted_length(event: &web_sys::Event) -> u32 {
    let data = event.unchecked_ref::<web_sys::ClipboardEvent>().clipboard_data();
    // The length is asked of the browser's own string: the text itself need not come over.
    let get = |d: &web_sys::DataTransfer| -> Option<u32> {
        let get: js_sys::Function = js_sys::Reflect::get(d, &"getData".into()).ok()?.unchecked_into();
        Some(get.call1(d, &"text/plain".into()).ok()?.unchecked_into::<js_sys::JsString>().length())
    };
    data.as_ref().and_then(get).unwrap_or(0)
}
