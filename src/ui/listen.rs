//! What a person does, heard in one place.
//!
//! No element has a listener of its own. The document has one for each kind of event; from the element that an event is about, the way
//! leads up to the nearest one with words (`data-do`, `data-set`), with a rail to drag on (`data-drag`), or with an event of a run
//! (`data-seq`, under `data-col`).

use super::cursor::pick;
use super::deeds::{Deeds, Now, Then, go, open, press, select, set, step, tick, zoom};
use super::editor::AREA_LIMIT;
use super::hands::path;
use super::pointing::{self, Pointer};
use super::{hands, lift, menu, stories};
use crate::app::drag::Hand;
use crate::app::form::FormAction;
use crate::app::job::Brought;
use crate::app::{Action, Mark, Panel, text};
use crate::base::TrueTime;
use crate::base::pieces::count;
use crate::scenario::preset;
use crate::trace::EventSeq;
use crate::web::keys::{Holder, holder};
use crate::web::{bring, clip, dom};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlInputElement, KeyboardEvent, PointerEvent, WheelEvent};

/// The kinds of events that are listened to.
pub const KINDS: [&str; 17] = [
    "dragover",
    "drop",
    "click",
    "input",
    "keydown",
    "keyup",
    "focusin",
    "focusout",
    "paste",
    "pointerdown",
    "pointermove",
    "pointerup",
    "pointercancel",
    "pointerover",
    "pointerout",
    "contextmenu",
    "wheel",
];

/// What an event means. `pointer`: where it went down, as long as it is not up.
pub fn hear(event: &Event, now: Now, pointer: &Pointer) -> Option<Deeds> {
    // What is not about an element is about the whole page.
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok()).or_else(|| dom::root().map(Into::into))?;
    if let Some(deeds) = lift::pointer(event, &target) {
        return Some(deeds);
    }
    match event.type_().as_str() {
        "click" if pointer.moved.take() => None,
        "click" => click(event, &target, now),
        "input" => input(&target, now),
        "dragover" => {
            // Whatever is dropped is looked at; the browser must not leave the page for it.
            event.prevent_default();
            None
        }
        "drop" => {
            event.prevent_default();
            bring::hold(event).then(|| Then::File.into())
        }
        "keydown" => key(event.unchecked_ref(), &target, now),
        "keyup" => line(&target),
        "focusin" => {
            pointer.held.replace(super::sight::held());
            match mark(&target) {
                Some(m) => hover(now, Some(m)),
                None => outside(&target, now).or_else(|| field(&target, now)),
            }
        }
        "focusout" => left(&target, now),
        "paste" => paste(event, &target),
        "pointerdown" => {
            pointing::down(event.unchecked_ref(), &target, now, pointer);
            down(event.unchecked_ref(), &target, now, pointer).or_else(|| outside(&target, now))
        }
        "pointermove" if pointer.on_rail.get() => seek(event.unchecked_ref(), &target, now),
        "pointermove" => pointing::moved(event.unchecked_ref(), now, pointer),
        "pointerup" | "pointercancel" => {
            pointer.on_rail.set(false);
            pointing::up(event.unchecked_ref(), now, pointer)
        }
        "contextmenu" => {
            let deeds = pointing::menu(event.unchecked_ref(), &target, now, pointer);
            if deeds.is_some() {
                event.prevent_default();
            }
            deeds
        }
        // What a browser does with the wheel and Ctrl, and with two fingers: here it is the picture that grows.
        "wheel" if dom::inside(&target, ".cols") => {
            let wheel: &WheelEvent = event.unchecked_ref();
            if !wheel.ctrl_key() {
                return None;
            }
            event.prevent_default();
            pointing::turned(wheel.delta_y(), pointer).map(|word| zoom(now, word))
        }
        "pointerover" => hover(now, mark(&target)),
        // Out of the window: nothing else will tell.
        "pointerout" if event.unchecked_ref::<PointerEvent>().related_target().is_none() => hover(now, None),
        _ => None,
    }
}

/// The value of an attribute at or above an element.
fn above(element: &Element, attribute: &str) -> Option<String> {
    dom::attribute_above(element, attribute)
}

/// The event of a run that an element stands for.
fn mark(element: &Element) -> Option<Mark> {
    let seq = count(&above(element, "data-seq")?)? as u32;
    let column = count(&above(element, "data-col")?)?;
    Some(Mark { column, seq: EventSeq(seq) })
}

fn hover(now: Now, mark: Option<Mark>) -> Option<Deeds> {
    (now.state.cursor.hover != mark).then(|| Action::Hover(mark).into())
}

/// The keyboard has come to a field of the form.
fn field(target: &Element, now: Now) -> Option<Deeds> {
    let words = above(target, "data-set")?;
    let path = path(&words)?;
    if now.state.desk.form.at == path {
        return None;
    }
    // The sentence about it must not stand over it. What is ticked stays where the pointer pressed it.
    let reveal = words.starts_with("type ").then(|| Then::Reveal(["#", &super::field::id(path)].concat()));
    let actions = vec![Action::Form(FormAction::At(path.to_string()))];
    Some(Deeds { actions, then: reveal.into_iter().collect() })
}

fn click(event: &Event, target: &Element, now: Now) -> Option<Deeds> {
    let words = above(target, "data-do");
    match words.as_deref() {
        Some("pick") => match mark(target) {
            Some(m) => select(now, m),
            // Beside everything in the picture: everything is shown again.
            None if dom::inside(target, ".cols") => Some(Action::Select(None).into()),
            None => None,
        },
        Some(words) if words.starts_with("lane ") => pointing::head(words, target, now),
        Some(words) => {
            if words == "jump" {
                event.prevent_default();
            }
            press(words, now)
        }
        None => line(target),
    }
}

/// Something was typed, chosen or ticked.
fn input(target: &Element, now: Now) -> Option<Deeds> {
    let words = target.get_attribute("data-set")?;
    // Text areas and lists have a value too, and what has one is asked alike.
    let field: &HtmlInputElement = target.unchecked_ref();
    let value = if words.starts_with("tick") { field.checked().to_string() } else { field.value() };
    tick(&words, value == "true", now).or_else(|| set(&words, value))
}

/// The caret of the text may have moved.
fn line(target: &Element) -> Option<Deeds> {
    dom::inside(target, "#text").then(|| Action::Line(dom::line_of_caret(target.unchecked_ref())).into())
}

fn left(target: &Element, now: Now) -> Option<Deeds> {
    match target.get_attribute("data-set") {
        Some(words) if words == "text" => Some(Action::Commit.into()),
        Some(words) if words.starts_with("sweep ") => {
            super::sweep::left(&words[6..], &target.unchecked_ref::<HtmlInputElement>().value())
        }
        Some(words) => path(&words).map(|p| Action::Left(p.to_string()).into()),
        None => mark(target).and_then(|_| hover(now, None)),
    }
}

fn paste(event: &Event, target: &Element) -> Option<Deeds> {
    if holder(target) != Holder::Field {
        // On the page itself there is nothing that a text could be put into: it is opened.
        return Some(Action::Bring(Brought::Text, bring::pasted(event).into()).into());
    }
    let length = clip::pasted_length(event);
    if !dom::inside(target, "#text") || length <= AREA_LIMIT {
        return None;
    }
    event.prevent_default();
    Some(Action::Notice(Some(text::too_much_pasted(length).into())).into())
}

/// Closes a small menu when the pointer or the keyboard goes elsewhere.
fn outside(target: &Element, now: Now) -> Option<Deeds> {
    if now.state.desk.menu.is_some() && !dom::inside(target, "#ctx") {
        return Some(Action::Hand(Hand::Menu(None)).into());
    }
    let small = now.state.doc.panel == Some(Panel::Theme);
    (small && !dom::inside(target, ".drop,[aria-expanded=true]")).then(|| Action::Panel(None).into())
}

fn down(event: &PointerEvent, target: &Element, now: Now, pointer: &Pointer) -> Option<Deeds> {
    let on = target.closest("[data-drag]").ok()??;
    if event.button() != 0 {
        return None;
    }
    // Refused only for a pointer that is gone already.
    let _ = on.set_pointer_capture(event.pointer_id());
    pointer.on_rail.set(true);
    let deeds = seek(event, target, now);
    if on.get_attribute("data-drag").as_deref() == Some("rail") {
        // The slider takes the keyboard, the picture does not.
        event.prevent_default();
    }
    deeds
}

/// Where the pointer is, as an instant: on the rail down the picture, on the track along it.
fn seek(event: &PointerEvent, target: &Element, now: Now) -> Option<Deeds> {
    let on = target.closest("[data-drag]").ok()??;
    let (scene, box_) = (now.scene?, on.get_bounding_client_rect());
    let y = if on.get_attribute("data-drag").as_deref() == Some("rail") {
        f64::from(event.client_y()) - box_.top()
    } else {
        let length = scene.picture.columns.get(now.state.doc.front)?.track.total;
        let part = ((f64::from(event.client_x()) - box_.left()) / box_.width().max(1.0)).clamp(0.0, 1.0);
        // Snapping is by height in the picture, where a burst has room.
        scene.picture.axis.y(TrueTime::from_us((part * length.as_us() as f64) as i64))
    };
    let actions = vec![Action::Play(false), Action::Seek(pick(scene, y))];
    Some(Deeds { actions, then: Vec::new() })
}

/// A key: what has the keyboard comes first, then the page.
fn key(event: &KeyboardEvent, target: &Element, now: Now) -> Option<Deeds> {
    if event.default_prevented() {
        return None;
    }
    let key = event.key();
    let deeds = near(event, &key, target, now).or_else(|| page(event, &key, target, now));
    if deeds.is_some() {
        event.prevent_default();
    }
    deeds
}

/// What a key means to what has the keyboard; `None`: it has no use for it.
fn near(event: &KeyboardEvent, key: &str, target: &Element, now: Now) -> Option<Deeds> {
    let inside = |selector: &str| dom::inside(target, selector);
    let down = key == "ArrowDown";
    let vertical = down || key == "ArrowUp";
    if inside("#picker") {
        dom::keep_tab_inside(event, "#picker");
        return picker(key, target, now);
    }
    if let Some(dialog) = ["#why", "#help", "#share", "#open"].into_iter().find(|d| inside(d)) {
        dom::keep_tab_inside(event, dialog);
    } else if inside(".drop") && vertical {
        dom::focus_next(".drop button", down);
        return Some(Deeds::default());
    } else if inside("#ctx") {
        return match key {
            "ArrowDown" | "ArrowUp" => {
                dom::focus_next("#ctx button", down);
                Some(Deeds::default())
            }
            "Escape" | "Tab" => menu::close(now),
            _ => None,
        };
    } else if inside(".ptabs") {
        let (front, count) = (now.state.doc.front, now.scene?.picture.columns.len());
        let to = match key {
            "ArrowRight" => (front + 1) % count,
            "ArrowLeft" => (front + count - 1) % count,
            _ => return None,
        };
        return Some(Deeds {
            then: vec![Then::Focus(["#tab-", &to.to_string()].concat())],
            ..Action::Front(to).into()
        });
    } else if inside(".body, .grips") && (vertical || key == "m" || (key == "Enter" && inside(".grips"))) {
        // One event of a picture is a stop for Tab; ↑ and ↓ go on from there, over events and what can be moved.
        return pointing::around(key, target, now);
    } else if inside(".grips")
        && let Some(deeds) = pointing::key(event, key, target, now)
    {
        return Some(deeds);
    } else if inside(".body")
        && let Some(mark) = mark(target)
    {
        return if key == "Enter" || key == " " { select(now, mark) } else { None };
    } else if inside(".tk") {
        // ← and → are the whole page's; a slider that has the keyboard answers to ↑ and ↓ as well.
        return match key {
            "ArrowUp" | "PageUp" => step(now, true),
            "ArrowDown" | "PageDown" => step(now, false),
            _ => None,
        };
    }
    if let Some(words) = target.get_attribute("data-lift") {
        return hands::key(&words, key, lift::entries(target));
    }
    if inside(".menu") && vertical {
        dom::focus_next(".menu button", down);
        return Some(Deeds::default());
    }
    if inside(".menu") && key == "Escape" {
        let menu = now.state.desk.form.open.iter().find(|c| c.starts_with('+'))?;
        let button = ["#add-", &super::field::id(menu.strip_prefix('+')?)].concat();
        return Some(Deeds { then: vec![Then::Focus(button)], ..Action::Form(FormAction::Card(menu.clone())).into() });
    }
    let words = target.get_attribute("data-set").filter(|_| key == "Escape")?;
    let typing = now.state.desk.typing(path(&words)?)?;
    Some(Action::GiveUp(typing.path.clone()).into())
}

fn picker(key: &str, target: &Element, now: Now) -> Option<Deeds> {
    let (doc, desk) = (&now.state.doc, &now.state.desk);
    let list = stories::found(preset::all(), desk);
    let (row, last) = (stories::row(&list, doc, desk), list.len().saturating_sub(1));
    let to = match key {
        "ArrowDown" => row + 1,
        "ArrowUp" => row.saturating_sub(1),
        "PageDown" => row + 10,
        "PageUp" => row.saturating_sub(10),
        // On a button, Enter presses it.
        "Enter" if target.tag_name() == "INPUT" => return list.get(row).map(|p| open(p.id)),
        _ => return None,
    };
    Some(Action::Row(to.min(last)).into())
}

/// What a key means to the page as a whole.
fn page(event: &KeyboardEvent, key: &str, target: &Element, now: Now) -> Option<Deeds> {
    let holder = holder(target);
    let (doc, cursor) = (&now.state.doc, &now.state.cursor);
    let command = event.ctrl_key() || event.meta_key();
    if command && !event.alt_key() {
        // In a field the browser's own undo is nearer to what a person means.
        return match (holder, key, event.shift_key()) {
            (Holder::Field, ..) => None,
            (_, "z" | "Z", false) => Some(Action::Undo.into()),
            (_, "z" | "Z", true) | (_, "y" | "Y", _) => Some(Action::Redo.into()),
            _ => None,
        };
    }
    if command || event.alt_key() {
        return None;
    }
    if key == "Escape" {
        if now.state.desk.drag.is_some() {
            return Some(Action::Hand(Hand::GiveUp).into());
        }
        return match (doc.panel, &cursor.selected) {
            (Some(_), _) => Some(Action::Panel(None).into()),
            (None, Some(_)) => Some(Action::Select(None).into()),
            (None, None) if cursor.playing => Some(Action::Play(false).into()),
            _ => None,
        };
    }
    let covered = doc.panel.is_some_and(|p| p != Panel::Scenario);
    if holder == Holder::Field || covered {
        return None;
    }
    let scene = now.scene?;
    let here = cursor.at.unwrap_or_else(|| scene.end());
    match key {
        " " if holder == Holder::Page => Some(Action::Play(!cursor.playing).into()),
        "ArrowRight" | "." => step(now, true),
        "ArrowLeft" | "," => step(now, false),
        "Home" => Some(go(now, Some(*scene.instants().first()?))),
        "End" => Some(go(now, None)),
        "]" => Some(go(now, Some(scene.story.step_fault(here, true)?).filter(|t| *t < scene.end()))),
        "[" => Some(go(now, Some(scene.story.step_fault(here, false)?))),
        "+" | "=" => Some(zoom(now, "in")),
        "-" => Some(zoom(now, "out")),
        "0" => Some(zoom(now, "fit")),
        "PageDown" if holder == Holder::Page => step(now, true),
        "PageUp" if holder == Holder::Page => step(now, false),
        "?" => Some(Action::Panel(Some(Panel::Help)).into()),
        _ => None,
    }
}
