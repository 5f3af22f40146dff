//! Time and size as the browser reports them: a tick per frame, and a call whenever an element or the window changes its size.

use super::dom;
use gloo_timers::callback::Timeout;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Event, HtmlElement, ResizeObserver};

/// The closure that a frame calls, shared with itself so that it can ask for the next one.
type FrameCall = Rc<RefCell<Option<Closure<dyn FnMut(f64)>>>>;

/// Calls back once per frame with the milliseconds since the last one; ends when dropped.
pub struct Ticker {
    asked: Rc<Cell<i32>>,
    call: FrameCall,
}

impl Ticker {
    pub fn new(mut tick: impl FnMut(f64) + 'static) -> Ticker {
        let asked = Rc::new(Cell::new(0));
        let call: FrameCall = Rc::default();
        let (next, again) = (asked.clone(), Rc::downgrade(&call));
        let mut last: Option<f64> = None;
        *call.borrow_mut() = Some(Closure::new(move |now: f64| {
            // A tab that was hidden for an hour must not make the cursor jump.
            let passed = last.map_or(0.0, |l| (now - l).clamp(0.0, 100.0));
            last = Some(now);
            tick(passed);
            if let Some(call) = again.upgrade() {
                next.set(ask(&call));
            }
        }));
        asked.set(ask(&call));
        Ticker { asked, call }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if let Some(w) = dom::window() {
            let _ = w.cancel_animation_frame(self.asked.get());
        }
        // May be dropped from inside its own call; the closure then lives until that call returns.
        if let Ok(mut call) = self.call.try_borrow_mut()
            && let Some(closure) = call.take()
        {
            closure.forget();
        }
    }
}

fn ask(call: &FrameCall) -> i32 {
    let call = call.borrow();
    let (Some(w), Some(closure)) = (dom::window(), call.as_ref()) else { return 0 };
    w.request_animation_frame(closure.as_ref().unchecked_ref()).unwrap_or(0)
}

/// Calls back when what now stands on the page has been painted.
pub fn after_paint(call: impl FnOnce() + 'static) {
    let Some(window) = dom::window() else { return };
    let painted = Closure::once_into_js(move || Timeout::new(0, call).forget());
    // Refused by no window.
    let _ = window.request_animation_frame(painted.unchecked_ref());
}

/// Calls back whenever the element that matches or the window gets another size or is scrolled, and once at the start: with the next frame, since
/// a page that changes sizes while it is told of sizes is an error to some browsers.
pub fn on_size(selector: &str, changed: impl Fn(&HtmlElement) + 'static) {
    let (Some(window), Some(element)) = (dom::window(), dom::find(selector)) else { return };
    let watched = element.clone();
    let frame = Closure::<dyn Fn(Event)>::new(move |_| changed(&watched)).into_js_value();
    let asked = window.clone();
    let call = Closure::<dyn Fn(Event)>::new(move |_| {
        let _ = asked.request_animation_frame(frame.unchecked_ref());
    });
    let call = call.into_js_value();
    if let Ok(observer) = ResizeObserver::new(call.unchecked_ref()) {
        observer.observe(&element);
    }
    // Adding a listener to the window cannot fail.
    let _ = window.add_event_listener_with_callback("resize", call.unchecked_ref());
    let _ = window.add_event_listener_with_callback("scroll", call.unchecked_ref());
}
