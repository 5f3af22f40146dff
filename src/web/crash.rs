//! When the program itself is wrong.
//!
//! A panic ends the wasm instance: nothing on the page answers any more. The panel for that stands in `index.html`, hidden, because
//! whatever draws the page may be what broke. The hook fills it in with one sentence and the scenario, so that nothing typed is lost.

use super::{dom, store};
use std::cell::RefCell;
use std::panic::PanicHookInfo;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

thread_local! {
    static LAST_TEXT: RefCell<Rc<str>> = RefCell::new("".into());
}

/// The text to offer if anything breaks from here on. It lies ready in the panel: who stops without words cannot put it there any more.
pub fn remember(text: &Rc<str>) {
    if LAST_TEXT.with(|t| Rc::ptr_eq(&t.borrow(), text)) {
        return;
    }
    LAST_TEXT.with(|t| *t.borrow_mut() = text.clone());
    // A page that is drawn natively has no panel.
    if cfg!(target_arch = "wasm32")
        && let Some(area) = dom::find("#crash-text")
    {
        area.unchecked_ref::<HtmlTextAreaElement>().set_value(text);
    }
}

/// Whether the page broke the last time it was open; asked once, at the start.
pub fn happened() -> bool {
    let broke = store::get("broke").is_some_and(|v| v == "1");
    if broke {
        store::set("broke", "0");
    }
    broke
}

/// What to call for a panic.
pub fn hook(info: &PanicHookInfo) {
    let message = info.payload_as_str().unwrap_or_default();
    let line = info.location().map_or(0, |l| l.line()).to_string();
    let report = [message, " (", info.location().map_or("", |l| l.file()), ":", &line, ")"].concat();
    web_sys::console::error_1(&report.as_str().into());
    let (Some(panel), Some(what), Some(area)) =
        (dom::find("#crash"), dom::find("#crash-what"), dom::find("#crash-text"))
    else {
        return;
    };
    if panel.get_attribute("hidden").is_none() {
        // The first report is the true one; what follows is its wreckage.
        return;
    }
    // The text may be what broke it: it must not do so again on every reload.
    store::set("broke", "1");
    what.set_text_content(Some(&report));
    let text = LAST_TEXT.with(|t| t.try_borrow().map(|t| t.to_string())).unwrap_or_default();
    let text = if text.is_empty() { store::get("text").unwrap_or_default() } else { text };
    store::set("text", &text);
    area.unchecked_ref::<HtmlTextAreaElement>().set_value(&text);
    let _ = panel.remove_attribute("hidden");
    let _ = panel.focus();
}
