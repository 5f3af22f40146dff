//! Hands on the picture: what pointer and keyboard do with what can be moved there.
//!
//! A press is a press until the pointer has moved; then what it went down on comes along, and the picture follows live. The pointer is
//! captured by what holds the columns: grips come and go while the picture is drawn anew.

use super::deeds::{Deeds, Now, Then};
use super::menu::Hit;
use crate::app::drag::{Hand, Held, instant_at, stride, take};
use crate::app::{Action, Mark, Scene, text};
use crate::base::TrueTime;
use crate::base::text::number;
use crate::trace::EventSeq;
use crate::web::dom;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use web_sys::{Element, KeyboardEvent, MouseEvent, PointerEvent};

/// What the pointer is doing.
#[derive(Default)]
pub struct Pointer {
    /// It went down on something along which time is chosen.
    pub on_rail: Cell<bool>,
    pressed: RefCell<Option<Pressed>>,
    /// A finger rests: a menu opens when this has run down.
    long: RefCell<Option<Timeout>>,
    /// How far the wheel has been turned towards a step.
    turned: Cell<f64>,
    /// It has moved something just now: the click that follows means nothing.
    pub moved: Cell<bool>,
    /// The message of the picture that had the keyboard last, if nothing else on the page has had it since.
    pub held: RefCell<Option<String>>,
}

/// Where it went down on a grip.
#[derive(Clone)]
struct Pressed {
    column: usize,
    id: String,
    pointer: i32,
    x: f64,
    y: f64,
    /// From the grip's middle to the pointer.
    off: f64,
    moving: bool,
    /// Since when, and from where, a px is a single step.
    fine: Option<(f64, TrueTime)>,
}

/// A press that is so long asks for a menu. ms
const LONG_MS: u32 = 550;
/// How far a pointer strays while somebody only presses. px
const STRAY: f64 = 4.0;

/// The column and the id of the grip that an element is, or is in.
fn grip(target: &Element) -> Option<(usize, String)> {
    let id = dom::attribute_above(target, "data-grip")?;
    let column = crate::base::pieces::count(&dom::attribute_above(target, "data-col")?)?;
    Some((column, id))
}

fn place(event: &PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

/// How far down the picture a height of the window is.
fn height(client_y: f64) -> Option<f64> {
    Some(client_y - dom::find(".rail")?.get_bounding_client_rect().top())
}

pub fn down(event: &PointerEvent, target: &Element, now: Now, pointer: &Pointer) {
    pointer.moved.set(false);
    if event.pointer_type() == "touch" && dom::inside(target, ".body, .grips") {
        let (target, x, y) = (target.clone(), event.client_x(), event.client_y());
        pointer.long.replace(Some(Timeout::new(LONG_MS, move || dom::ask_for_menu(&target, x, y))));
    }
    let Some((column, id)) = grip(target).filter(|_| event.button() == 0) else { return };
    let y = now.scene.and_then(|s| s.picture.columns.get(column)?.grips.iter().find(|g| g.id == id).map(|g| g.y));
    let (x, client_y) = place(event);
    let off = height(client_y).zip(y).map_or(0.0, |(here, y)| here - y);
    let pressed = Pressed { column, id, pointer: event.pointer_id(), x, y: client_y, off, moving: false, fine: None };
    pointer.pressed.replace(Some(pressed));
}

pub fn moved(event: &PointerEvent, now: Now, pointer: &Pointer) -> Option<Deeds> {
    if event.movement_x().abs() + event.movement_y().abs() > 2 {
        pointer.long.take();
    }
    let mut held = pointer.pressed.borrow_mut();
    let pressed = held.as_mut().filter(|p| p.pointer == event.pointer_id())?;
    let scene = now.scene?;
    let (x, y) = place(event);
    let mut actions = Vec::new();
    let last = if pressed.moving {
        // Given up in the meantime.
        let Some(drag) = &now.state.desk.drag else {
            held.take();
            return None;
        };
        drag.to
    } else {
        if (x - pressed.x).abs().max((y - pressed.y).abs()) < STRAY {
            return None;
        }
        match take(scene, pressed.column, &pressed.id) {
            Ok(taken) => {
                pressed.moving = true;
                pointer.moved.set(true);
                let from = taken.from;
                actions.push(Action::Play(false));
                actions.push(Hand::Take { held: taken.into(), lines: lines() }.into());
                if let Some(columns) = dom::find(".cols") {
                    // Refused only for a pointer that is gone already.
                    let _ = columns.set_pointer_capture(pressed.pointer);
                }
                from
            }
            Err(why) => {
                held.take();
                return Some(refused(why));
            }
        }
    };
    let here = height(y)? - pressed.off;
    let to = if event.alt_key() {
        // Finer than the picture shows: a px is a millisecond, or a tenth of one where a millisecond is longer than that.
        let (start, at) = *pressed.fine.get_or_insert((y, last));
        let unit = if scene.picture.axis.reach(here).1 > 1_000.0 { 1_000.0 } else { 100.0 };
        TrueTime::from_us(at.as_us() + ((y - start) * unit) as i64)
    } else {
        pressed.fine = None;
        instant_at(&scene.picture.axis, here, event.shift_key())
    };
    event.prevent_default();
    actions.push(Hand::Move(to).into());
    Some(Deeds { actions, then: Vec::new() })
}

/// The wheel was turned: two fingers make many small turns of it, which come to a step when they are as long as one.
pub fn turned(by: f64, pointer: &Pointer) -> Option<&'static str> {
    const STEP: f64 = 40.0;
    let sum = pointer.turned.get() + by;
    pointer.turned.set(if sum.abs() < STEP { sum } else { 0.0 });
    (sum.abs() >= STEP).then_some(if sum < 0.0 { "in" } else { "out" })
}

/// How many lines the longest sentence over the columns takes.
fn lines() -> u8 {
    let tall = |n: u8| {
        dom::find(".dh p")
            .is_some_and(|p| p.parent_element().is_some_and(|d| d.client_height() > 30 + 21 * i32::from(n)))
    };
    1 + u8::from(tall(1)) + u8::from(tall(2))
}

/// The menu of what the pointer is on, or what has the keyboard.
pub fn menu(event: &MouseEvent, target: &Element, now: Now, pointer: &Pointer) -> Option<Deeds> {
    pointer.long.take();
    let column = crate::base::pieces::count(&dom::attribute_above(target, "data-col")?)?;
    if !dom::inside(target, ".body, .grips") {
        return None;
    }
    // A long press is no press.
    pointer.moved.set(pointer.pressed.take().is_some());
    let mut window = (event.client_x(), event.client_y());
    let body = dom::find(&[".body[data-col=\"", &number(column), "\"]"].concat())?.get_bounding_client_rect();
    let grip = dom::attribute_above(target, "data-grip");
    let seq = dom::attribute_above(target, "data-seq");
    if event.button() != 2 && window == (0, 0) {
        // From the keyboard: beside what has it.
        let r = target.get_bounding_client_rect();
        window = ((r.left() + r.width() / 2.0) as i32, (r.top() + r.height() / 2.0) as i32);
    }
    let from = match (&grip, &seq) {
        (Some(id), _) => [".grips[data-col=\"", &number(column), "\"] [data-grip=\"", id, "\"]"].concat(),
        (None, Some(seq)) => [".body[data-col=\"", &number(column), "\"] .m[data-seq=\"", seq, "\"]"].concat(),
        _ => String::from("#main h1"),
    };
    let (width, height) = dom::window_size()?;
    let hit = Hit {
        window,
        room: (width as i32, height as i32),
        at: (f64::from(window.0) - body.left(), f64::from(window.1) - body.top()),
    };
    let seq = seq.and_then(|s| crate::base::pieces::count(&s)).map(|s| EventSeq(s as u32));
    super::menu::open(now, column, seq, hit, from)
}

/// The menu of a participant, below its head.
pub fn head(words: &str, target: &Element, now: Now) -> Option<Deeds> {
    let parts = crate::base::pieces::words(words);
    let number = |i: usize| crate::base::pieces::count(parts.get(i)?);
    let (column, lane) = (number(1)?, number(2)?);
    let r = target.get_bounding_client_rect();
    let window = (r.left() as i32, r.bottom() as i32);
    let (width, height) = dom::window_size()?;
    let hit = Hit { window, room: (width as i32, height as i32), at: (0.0, 0.0) };
    super::menu::head(now, column, lane, hit, ["#", &target.id()].concat())
}

/// Keys that lead from stop to stop of a column, and to the menu of one.
pub fn around(key: &str, target: &Element, now: Now) -> Option<Deeds> {
    if key == "m" || key == "Enter" {
        let r = target.get_bounding_client_rect();
        let (x, y) = (r.left() + r.width() / 2.0, r.top() + r.height() / 2.0);
        dom::ask_for_menu(target, x as i32, y as i32);
        return Some(Deeds::default());
    }
    let scene = now.scene?;
    let column = dom::attribute_above(target, "data-col")?;
    let n = crate::base::pieces::count(&column)?;
    let all = [".body[data-col=\"", &column, "\"] .m, .grips[data-col=\"", &column, "\"] .grip"].concat();
    // The next one may not be drawn yet.
    let from = dom::attribute_above(target, "data-seq").and_then(|s| crate::base::pieces::count(&s));
    let beyond = from.and_then(|seq| super::sight::beyond(now, n, EventSeq(seq as u32), key == "ArrowDown"));
    if beyond.is_some() {
        return beyond;
    }
    let rank = |e: &Element| {
        let seq = e.get_attribute("data-seq").and_then(|s| crate::base::pieces::count(&s));
        let mark = seq.map(|s| Mark { column: n, seq: EventSeq(s as u32) });
        let (at, after) = super::menu::rank(scene, mark, n, e.get_attribute("data-grip").as_deref())?;
        Some((at.as_us(), i64::from(after)))
    };
    dom::focus_by(&all, target, &rank, key == "ArrowDown");
    Some(Deeds::default())
}

/// The pointer went up, or was taken away.
pub fn up(event: &PointerEvent, now: Now, pointer: &Pointer) -> Option<Deeds> {
    pointer.long.take();
    pointer.pressed.take().filter(|p| p.moving)?;
    let drag = now.state.desk.drag.as_ref()?;
    if event.type_() == "pointercancel" {
        return Some(Action::Hand(Hand::GiveUp).into());
    }
    let said = drag.held.says(drag.to);
    Some(Deeds { actions: vec![Hand::Drop.into()], then: vec![Then::Verdicts(said)] })
}

/// What has been done, and what has come of it in every design shown.
pub fn outcome(said: &str, scene: &Scene) -> String {
    let mut out = said.to_string();
    for (c, r) in scene.picture.columns.iter().zip(&scene.story.runs) {
        out.push_str(&text::drag::outcome(&r.design, text::chip(c.chip), &c.sentence));
    }
    out
}

fn refused(why: String) -> Deeds {
    let said = Then::Say(why.clone());
    Deeds { actions: vec![Action::Notice(Some(why.into()))], then: vec![said] }
}

/// A key on a grip: how far it goes. ← and → by what a px is worth there, with Shift or by pages ten times as far, with Alt a millisecond.
pub fn key(event: &KeyboardEvent, key: &str, target: &Element, now: Now) -> Option<Deeds> {
    let (column, id) = grip(target)?;
    let later = match key {
        "ArrowRight" | "PageDown" => true,
        "ArrowLeft" | "PageUp" => false,
        _ => return None,
    };
    let far = event.shift_key() || key.starts_with("Page");
    let scene = now.scene?;
    let held = match take(scene, column, &id) {
        Ok(held) => held,
        Err(why) => return Some(refused(why)),
    };
    // What a px is worth on the side to which it goes: a burst may begin where a long wait ends.
    let side = if later { 0.5 } else { -0.5 };
    let (_, per_px) = scene.picture.axis.reach(scene.picture.axis.y(held.from) + side);
    let step = if event.alt_key() { 1_000 } else { stride(per_px) };
    Some(stepped(now, &held, next(held.from, step, later, far)))
}

/// The next multiple of a step. `far`: of ten of them.
fn next(from: TrueTime, step: i64, later: bool, far: bool) -> TrueTime {
    let (us, step) = (from.as_us(), step * if far { 10 } else { 1 });
    let to = if later { us / step * step + step } else { (us - 1).max(0) / step * step };
    TrueTime::from_us(to)
}

fn stepped(now: Now, held: &Held, to: TrueTime) -> Deeds {
    match held.draft(&now.state.doc.text, to) {
        Ok(draft) => Deeds {
            actions: vec![Hand::Write { key: held.key(), draft }.into()],
            then: vec![Then::Verdicts(held.says_at(to))],
        },
        Err(why) => refused(why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_goes_to_the_next_round_value() {
        let ms = TrueTime::from_ms;
        assert_eq!(next(ms(15_000), 100_000, false, false), ms(14_900));
        assert_eq!(next(ms(15_000), 100_000, true, true), ms(16_000));
        assert_eq!(next(ms(14_950), 100_000, true, false), ms(15_000));
        assert_eq!(next(ms(14_950), 100_000, false, false), ms(14_900));
        assert_eq!(next(ms(0), 1_000, false, false), ms(0));
    }
}
