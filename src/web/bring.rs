//! What a person brings and takes: files, what is dropped, what lies elsewhere, and pictures that the browser draws.
//!
//! Each answer comes later, or not at all; whoever asked is told of both.

use super::dom;
use js_sys::{Array, Function, Reflect};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use web_sys::{Element, Event};

thread_local! {
    /// A file exists for the page only while the drop is heard, unless somebody holds it.
    static DROPPED: RefCell<Option<JsValue>> = const { RefCell::new(None) };
}

/// A member of a browser's object.
fn of(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

/// Calls a method; what it throws is no value.
fn call(object: &JsValue, name: &str, args: &[JsValue]) -> JsValue {
    let method = of(object, name);
    let Some(method) = method.dyn_ref::<Function>() else { return JsValue::UNDEFINED };
    let list = Array::new();
    for a in args {
        list.push(a);
    }
    Reflect::apply(method, object, &list).unwrap_or_default()
}

/// Waits for a promise.
fn later(promise: &JsValue, then: impl Fn(Option<JsValue>) + Clone + 'static) {
    if !of(promise, "then").is_function() {
        then(None);
        return;
    }
    let failed = then.clone();
    let yes = Closure::once_into_js(move |v: JsValue| then(Some(v)));
    let no = Closure::once_into_js(move |_: JsValue| failed(None));
    call(promise, "then", &[yes, no]);
}

/// What is dropped on the page, if it is a file or a text: it is held until [`dropped`] asks for it.
pub fn hold(event: &Event) -> bool {
    let data = of(event, "dataTransfer");
    let file = of(&of(&data, "files"), "0");
    let held = if file.is_truthy() { file } else { call(&data, "getData", &["text/plain".into()]) };
    let is = held.is_truthy();
    DROPPED.with(|d| *d.borrow_mut() = is.then_some(held));
    is
}

/// The file that was chosen in a field, or what was dropped: as text, or as base64 with `true`.
pub fn dropped(field: &str, then: impl Fn(String, bool) + Clone + 'static) {
    let chosen = dom::find(field).map(|f| of(&of(&f, "files"), "0")).filter(|f| f.is_truthy());
    let Some(held) = DROPPED.with(|d| d.borrow_mut().take()).or(chosen) else { return };
    if let Some(text) = held.as_string() {
        then(text, false);
        return;
    }
    let Some(window) = dom::window() else { return };
    let maker = of(&window, "FileReader");
    let Some(reader) = maker.dyn_ref::<Function>().and_then(|f| Reflect::construct(f, &Array::new()).ok()) else {
        return;
    };
    let told = reader.clone();
    let done = Closure::once_into_js(move |_: JsValue| {
        let address = of(&told, "result").as_string().unwrap_or_default();
        then(base64(&address), true);
    });
    let _ = Reflect::set(&reader, &"onload".into(), &done);
    call(&reader, "readAsDataURL", &[held]);
    if let Some(field) = dom::find(field) {
        // The same file can be chosen again.
        let _ = Reflect::set(&field, &"value".into(), &"".into());
    }
}

/// What stands behind the comma of a data address.
fn base64(address: &str) -> String {
    crate::base::pieces::divide(address, ",").1.to_string()
}

/// Fetches a text from elsewhere; if there is none, says what the server answered, if it did.
pub fn fetch(url: &str, then: impl Fn(Result<String, Option<String>>) + Clone + 'static) {
    let Some(window) = dom::window() else { return };
    later(&call(&window, "fetch", &[url.into()]), move |reply| {
        let then = then.clone();
        match reply {
            Some(reply) if of(&reply, "ok").is_truthy() => later(&call(&reply, "text", &[]), move |text| {
                then(text.and_then(|t| t.as_string()).ok_or(None));
            }),
            Some(reply) => then(Err(of(&reply, "status").as_f64().map(|s| crate::base::text::number(s as usize)))),
            None => then(Err(None)),
        }
    });
}

/// Draws SVG at twice its size; the picture as base64.
pub fn draw(svg: &str, then: impl Fn(Option<String>) + Clone + 'static) {
    let Some(document) = dom::document() else { return };
    let made = document.create_element("img").ok().zip(document.create_element("canvas").ok());
    let Some((image, canvas)) = made else { return };
    let (drawn, failed) = (image.clone(), then.clone());
    let done = Closure::once_into_js(move |_: JsValue| then(painted(&drawn, &canvas)));
    let not = Closure::once_into_js(move |_: JsValue| failed(None));
    let _ = Reflect::set(&image, &"onload".into(), &done);
    let _ = Reflect::set(&image, &"onerror".into(), &not);
    let address = ["data:image/svg+xml;charset=utf-8,", &String::from(js_sys::encode_uri_component(svg))].concat();
    let _ = image.set_attribute("src", &address);
}

fn painted(image: &Element, canvas: &Element) -> Option<String> {
    for (side, natural) in [("width", "naturalWidth"), ("height", "naturalHeight")] {
        let twice = of(image, natural).as_f64()? * 2.0;
        Reflect::set(canvas, &side.into(), &twice.into()).ok()?;
    }
    let pen = call(canvas, "getContext", &["2d".into()]);
    call(&pen, "scale", &[2.into(), 2.into()]);
    call(&pen, "drawImage", &[image.into(), 0.into(), 0.into()]);
    let address = call(canvas, "toDataURL", &[]).as_string()?;
    // A canvas that is too large gives an empty picture and no error.
    Some(base64(&address)).filter(|b| !b.is_empty())
}

/// The text of an element, or of a field.
pub fn text_of(selector: &str) -> String {
    let Some(element) = dom::find(selector) else { return String::new() };
    of(&element, "value").as_string().or_else(|| element.text_content()).unwrap_or_default()
}

/// Selects the text of an element or a field, for whoever has to copy by hand.
pub fn select(selector: &str) {
    let (Some(element), Some(window)) = (dom::find(selector), dom::window()) else { return };
    let _ = element.focus();
    if of(&element, "select").is_function() {
        call(&element, "select", &[]);
    } else {
        call(&call(&window, "getSelection", &[]), "selectAllChildren", &[element.into()]);
    }
}

/// What a paste event brings.
pub fn pasted(event: &Event) -> String {
    call(&of(event, "clipboardData"), "getData", &["text/plain".into()]).as_string().unwrap_or_default()
}

/// This moment, as people say it here.
pub fn now() -> String {
    let moment = js_sys::Date::new_0();
    String::from(moment.to_locale_string("default", &JsValue::UNDEFINED))
}
