//! The second program. It is fetched with the first job; `static/annex-start.js` starts it, in a worker if the browser lets it have one, and
//! carries jobs and answers.

use super::dom;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// What came of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    Texts(Vec<String>),
    /// The program, or the file that starts it, is not to be had.
    Unfetched,
    /// It does not do this.
    Refused(String),
    /// It stopped where it stood. The next job starts it anew.
    Broken(String),
}

/// Who is told, for all jobs.
type Hear = Rc<dyn Fn(u32, Heard)>;

thread_local! {
    static HEAR: RefCell<Option<Hear>> = const { RefCell::new(None) };
    /// Jobs that wait for the file; `None`: nobody has asked for the file.
    static WAITING: RefCell<Option<Vec<(u32, js_sys::Array, u8)>>> = const { RefCell::new(None) };
}

/// Has a job done, in one of several lanes, which each have a worker of their own. Whoever asked first is told of all answers.
pub fn ask(number: u32, job: &[Rc<str>], lane: u8, hear: impl Fn(u32, Heard) + 'static) {
    let list = js_sys::Array::new();
    for text in job {
        list.push(&JsValue::from_str(text));
    }
    HEAR.with(|h| {
        h.borrow_mut().get_or_insert_with(|| Rc::new(hear));
    });
    if let Some(door) = door("annexAsk") {
        // What this throws it has told already.
        let _ = door.call3(&JsValue::NULL, &number.into(), &list, &lane.into());
        return;
    }
    let first = WAITING.with(|w| {
        let mut waiting = w.borrow_mut();
        let first = waiting.is_none();
        waiting.get_or_insert_with(Vec::new).push((number, list, lane));
        first
    });
    if first && fetch().is_none() {
        loaded(false);
    }
}

/// Stops whatever is worked on in this lane and those after it. Nothing is heard of it any more.
pub fn stop(lane: u8) {
    WAITING.with(|w| {
        if let Some(waiting) = w.borrow_mut().as_mut() {
            waiting.retain(|job| job.2 < lane);
        }
    });
    if let Some(door) = door("annexStop") {
        let _ = door.call1(&JsValue::NULL, &lane.into());
    }
}

/// Jobs are done on the page, because no worker was to be had.
pub fn is_here() -> bool {
    let here = dom::window().and_then(|w| js_sys::Reflect::get(&w, &"annexHere".into()).ok());
    here.is_some_and(|here| here.is_truthy())
}

/// A function that the file offers, once it is there.
fn door(name: &str) -> Option<js_sys::Function> {
    let window = dom::window()?;
    let door = js_sys::Reflect::get(&window, &name.into()).ok()?;
    door.is_function().then(|| door.unchecked_into())
}

/// Fetches the file, whose name stands on the page.
fn fetch() -> Option<()> {
    let (window, document) = (dom::window()?, dom::document()?);
    let body = document.body()?;
    let heard = Closure::<dyn Fn(js_sys::Array)>::new(|message: js_sys::Array| hear(&message)).into_js_value();
    js_sys::Reflect::set(&window, &"annexHear".into(), &heard).ok()?;
    let script = document.create_element("script").ok()?;
    script.set_attribute("src", &body.get_attribute("data-annex")?).ok()?;
    dom::listen(&script, &["load", "error"], |event| loaded(event.type_() == "load"));
    body.append_child(&script).ok()?;
    Some(())
}

/// The file is there, or is not to be had; the next job tries again.
fn loaded(there: bool) {
    for (number, job, lane) in WAITING.with(|w| w.borrow_mut().take()).unwrap_or_default() {
        match door("annexAsk").filter(|_| there) {
            Some(door) => drop(door.call3(&JsValue::NULL, &number.into(), &job, &lane.into())),
            None => tell(number, Heard::Unfetched),
        }
    }
}

/// A message: the job's number, what came of it, and the texts.
fn hear(message: &js_sys::Array) {
    let Some(number) = message.get(0).as_f64() else { return };
    let mut texts: Vec<String> = Vec::new();
    for i in 2..message.length() {
        texts.push(message.get(i).as_string().unwrap_or_default());
    }
    let heard = match message.get(1).as_string().as_deref() {
        Some("") => Heard::Texts(texts),
        Some("unfetched") => Heard::Unfetched,
        Some("refused") => Heard::Refused(texts.concat()),
        _ => Heard::Broken(texts.concat()),
    };
    tell(number as u32, heard);
}

fn tell(number: u32, heard: Heard) {
    if let Some(hear) = HEAR.with(|h| h.borrow().clone()) {
        hear(number, heard);
    }
}
