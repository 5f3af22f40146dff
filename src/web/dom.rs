//! Small questions to the document.

use wasm_bindgen::prelude::*;
use web_sys::{
    AddEventListenerOptions, Document, Element, Event, EventTarget, FocusOptions, HtmlElement, HtmlTextAreaElement,
    KeyboardEvent, MouseEvent, MouseEventInit, Node, ScrollIntoViewOptions, ScrollLogicalPosition, Window,
};

pub fn window() -> Option<Window> {
    web_sys::window()
}

pub fn document() -> Option<Document> {
    window()?.document()
}

/// The element of the whole page.
pub fn root() -> Option<HtmlElement> {
    find(":root")
}

pub fn find(selector: &str) -> Option<HtmlElement> {
    document()?.query_selector(selector).ok()??.dyn_into().ok()
}

/// Gives the keyboard to the first element that matches.
pub fn focus(selector: &str) {
    if let Some(element) = find_any(selector) {
        // Refused only by elements that cannot be focused, and then nothing is lost. Shapes of a picture are no HTML elements; the method
        // is the same.
        let _ = element.unchecked_ref::<HtmlElement>().focus();
    }
}

/// The same, and scrolls nowhere for it.
pub fn keep(selector: &str) {
    // Whatever else has the keyboard by now is to have it.
    let free = document().and_then(|d| d.active_element()).is_none_or(|e| e.tag_name() == "BODY");
    if !free {
        return;
    }
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    if let Some(element) = find_any(selector) {
        let _ = element.unchecked_ref::<HtmlElement>().focus_with_options(&options);
    }
}

/// The first element that matches, of whatever kind.
pub fn find_any(selector: &str) -> Option<Element> {
    document()?.query_selector(selector).ok()?
}

/// Gives the keyboard back to `button` when what matches `closing` is about to go, unless something else has taken it already.
pub fn give_back(closing: &str, button: &str) {
    let inside = |e: &HtmlElement| e.tag_name() == "BODY" || e.closest(closing).is_ok_and(|c| c.is_some());
    if active().is_none_or(|e| inside(&e)) {
        focus(button);
    }
}

/// Marks the element that has the keyboard with `data-opener`, so that it can be given back to it.
pub fn mark_opener() {
    if let Some(old) = find("[data-opener]") {
        let _ = old.remove_attribute("data-opener");
    }
    if let Some(now) = active() {
        let _ = now.set_attribute("data-opener", "");
    }
}

/// The element that has the keyboard.
pub fn active() -> Option<HtmlElement> {
    document()?.active_element()?.dyn_into().ok()
}

/// The nearest element at or above `element` that carries `attribute`, and its value.
pub fn attribute_above(element: &Element, attribute: &str) -> Option<String> {
    element.closest(&["[", attribute, "]"].concat()).ok()??.get_attribute(attribute)
}

/// Inner width and height of the window, px.
pub fn window_size() -> Option<(u32, u32)> {
    let w = window()?;
    let px = |v: Result<wasm_bindgen::JsValue, wasm_bindgen::JsValue>| Some(v.ok()?.as_f64()?.max(0.0) as u32);
    Some((px(w.inner_width())?, px(w.inner_height())?))
}

/// Whether a media query holds.
pub fn matches_media(query: &str) -> bool {
    window().and_then(|w| w.match_media(query).ok().flatten()).is_some_and(|m| m.matches())
}

/// ms of a clock that goes on; only differences mean anything.
pub fn now_ms() -> u32 {
    (js_sys::Date::now() % f64::from(1_u32 << 31)) as u32
}

/// How many workers the machine can keep busy, as far as the browser says.
pub fn cores() -> u8 {
    window().map_or(1, |w| w.navigator().hardware_concurrency().clamp(1.0, 64.0) as u8)
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

/// The page shows what it was opened for; until then `index.html` may say that it is opened.
pub fn opened() {
    if let Some(root) = root() {
        // A class with a constant name cannot be refused.
        let _ = root.class_list().remove_1("opens");
    }
}

/// Wears a theme: `light`, `dark`, or whatever the system says.
pub fn set_theme(word: &str) {
    let Some(root) = root() else { return };
    // An attribute with a constant name cannot be refused.
    let _ = match word {
        "light" | "dark" => root.set_attribute("data-theme", word),
        _ => root.remove_attribute("data-theme"),
    };
}

/// Scrolls an element into sight, and no further than needed.
pub fn reveal(selector: &str) {
    let Some(element) = document().and_then(|d| d.query_selector(selector).ok().flatten()) else { return };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Among the elements that match, gives the keyboard to the one after, or before, the one that has it.
pub fn focus_next(selector: &str, forward: bool) {
    let Some(document) = document() else { return };
    let (Ok(list), Some(here)) = (document.query_selector_all(selector), document.active_element()) else { return };
    let Some(at) = (0..list.length()).find(|i| list.get(*i).is_some_and(|n| n == *here.unchecked_ref::<Node>())) else {
        return;
    };
    let to = if forward { at.checked_add(1) } else { at.checked_sub(1) };
    // Shapes of a picture are no HTML elements; the method is the same.
    if let Some(element) = to.and_then(|i| list.get(i)) {
        let _ = element.unchecked_ref::<HtmlElement>().focus();
    }
}

/// Among the elements that match, in the order of their ranks, gives the keyboard to the one after, or before, `here`.
pub fn focus_by(selector: &str, here: &Element, rank: &dyn Fn(&Element) -> Option<(i64, i64)>, forward: bool) {
    let Some(list) = document().and_then(|d| d.query_selector_all(selector).ok()) else { return };
    let ranked = |i: u32| {
        let element = list.get(i)?.unchecked_into::<Element>();
        let (a, b) = rank(&element)?;
        Some(((a, b, i), element))
    };
    let all = || (0..list.length()).filter_map(ranked);
    let Some((mut own, _)) = all().find(|(_, e)| e == here) else { return };
    // What a style hides takes no keyboard: then it is the turn of the one after it.
    loop {
        let next = if forward {
            all().filter(|(r, _)| *r > own).min_by_key(|(r, _)| *r)
        } else {
            all().filter(|(r, _)| *r < own).max_by_key(|(r, _)| *r)
        };
        let Some((rank, element)) = next else { return };
        let _ = element.unchecked_ref::<HtmlElement>().focus();
        if document().and_then(|d| d.active_element()) == Some(element) {
            return;
        }
        own = rank;
    }
}

/// Asks an element for its menu, as the pointer's other button does.
pub fn ask_for_menu(element: &Element, x: i32, y: i32) {
    let init = MouseEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_client_x(x);
    init.set_client_y(y);
    init.set_button(2);
    if let Ok(event) = MouseEvent::new_with_mouse_event_init_dict("contextmenu", &init) {
        let _ = element.dispatch_event(&event);
    }
}

/// Keeps the keyboard inside a dialog: Tab goes from the last thing that can be focused to the first, and back.
pub fn keep_tab_inside(event: &KeyboardEvent, dialog: &str) {
    if event.key() != "Tab" {
        return;
    }
    let selector = [dialog, " :is(button:not(:disabled), input, textarea, [tabindex=\"0\"], a[href])"].concat();
    let Some(list) = document().and_then(|d| d.query_selector_all(&selector).ok()) else { return };
    let at = |i: u32| list.get(i).and_then(|n| n.dyn_into::<HtmlElement>().ok());
    let seen = |e: &HtmlElement| e.offset_width() > 0;
    let all: Vec<HtmlElement> = (0..list.length()).filter_map(at).filter(seen).collect();
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        event.prevent_default();
        return;
    };
    let here = active();
    let is = |e: &HtmlElement| here.as_ref() == Some(e);
    let inside = here.as_ref().is_some_and(|h| inside(h, dialog));
    let to = match event.shift_key() {
        true if is(first) || !inside => last,
        false if is(last) || !inside => first,
        _ => return,
    };
    event.prevent_default();
    let _ = to.focus();
}

/// Calls back for events of these kinds, for as long as the page is open; also for one that is caused while it is called back.
pub fn listen(target: &EventTarget, kinds: &[&str], call: impl Fn(Event) + 'static) {
    let closure = Closure::<dyn Fn(Event)>::new(call).into_js_value();
    // Or else a wheel that this page answers would move more than the picture.
    let active = AddEventListenerOptions::new();
    active.set_passive(false);
    for kind in kinds {
        // Adding a listener to a document or a window cannot fail.
        let _ = target.add_event_listener_with_callback_and_add_event_listener_options(
            kind,
            closure.unchecked_ref(),
            &active,
        );
    }
}

/// Whether an element, or one that it stands in, matches.
pub fn inside(element: &Element, selector: &str) -> bool {
    element.closest(selector).is_ok_and(|e| e.is_some())
}

/// Says something to those who do not see it.
pub fn say(what: &str) {
    if let Some(live) = find("#live") {
        live.set_text_content(Some(what));
    }
}

/// The line of the caret, from 1.
pub fn line_of_caret(area: &HtmlTextAreaElement) -> u32 {
    let at = area.selection_start().ok().flatten().unwrap_or(0) as usize;
    // The caret counts in UTF-16 units.
    let mut units = 0;
    let mut line = 1;
    for c in area.value().chars() {
        if units >= at {
            break;
        }
        units += c.len_utf16();
        if c == '\n' {
            line += 1;
        }
    }
    line
}

/// Puts the caret of the scenario's text on a line, and the line in sight.
pub fn go_to_line(line: u32) {
    let Some(area) = find("#text").map(JsCast::unchecked_into::<HtmlTextAreaElement>) else { return };
    let (mut from, mut to, mut at) = (0, 0, 1);
    for c in area.value().chars() {
        if c == '\n' {
            if at == line {
                break;
            }
            (at, from) = (at + 1, to + 1);
        }
        to += c.len_utf16() as u32;
    }
    let _ = area.focus();
    // Refused by no text area.
    let _ = area.set_selection_range(from, to);
    reveal(&[".ed .l:nth-child(", &line.to_string(), ")"].concat());
}
