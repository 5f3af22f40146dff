//! The scenario as text.
//!
//! What is seen is a copy of the text with its marks; over it lies a text area with transparent letters and a visible caret. Both wrap
//! alike because they share font, width and padding; the copy gives the height, so that nothing scrolls inside of anything. The text
//! area keeps the browser's own editing: selection, its own undo, spelling, touch.
//!
//! The text area is not controlled by the state: whatever is typed is there already, and writing it back would cost the caret its
//! place. Only a text that came from elsewhere (a field, undo, another story) is written into it.

use super::context::{Document, use_document, use_send};
use super::icon;
use crate::app::{Action, Mode, highlight, text};
use crate::scenario::{Diagnostic, Severity};
use crate::web::{clip, dom};
use gloo_timers::callback::Timeout;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

/// Typing that rests for so long is one change.
const REST_MS: u32 = 900;

/// The longest text that is shown with its marks.
const MARKED_LIMIT: usize = 64 * 1024;

/// The longest text that the text area takes, in UTF-16 units. Longer than any scenario may be, so that what is too long by a little can
/// be shortened here; but a pasted log file of megabytes would keep the browser busy for many seconds, whoever reads it.
const AREA_LIMIT: u32 = 256 * 1024;

#[component]
pub fn Editor() -> Html {
    let Document { doc, .. } = use_document();
    let send = use_send();
    let area = use_node_ref();
    // What the text area holds, as far as the state knows.
    let held = use_mut_ref(|| None::<Rc<str>>);
    let timer = use_mut_ref(|| None::<Timeout>);
    let caret = use_state(|| 0_u32);

    {
        let (area, held) = (area.clone(), held.clone());
        use_effect_with(doc.text.clone(), move |text| {
            let known = held.borrow().as_ref().is_some_and(|h| Rc::ptr_eq(h, text) || h == text);
            if !known && let Some(a) = area.cast::<HtmlTextAreaElement>() {
                a.set_value(text);
            }
            *held.borrow_mut() = Some(text.clone());
        });
    }
    let input = {
        let (send, area, held, timer) = (send.clone(), area.clone(), held.clone(), timer.clone());
        Callback::from(move |_: InputEvent| {
            let Some(a) = area.cast::<HtmlTextAreaElement>() else { return };
            let text: Rc<str> = a.value().into();
            *held.borrow_mut() = Some(text.clone());
            send.act(Action::Type(text));
            let send = send.clone();
            *timer.borrow_mut() = Some(Timeout::new(REST_MS, move || send.act(Action::Commit)));
        })
    };
    let blur = {
        let send = send.clone();
        Callback::from(move |_: FocusEvent| send.act(Action::Commit))
    };
    let pasted = {
        let send = send.clone();
        Callback::from(move |e: Event| {
            let length = clip::pasted_length(&e);
            if length > AREA_LIMIT {
                e.prevent_default();
                send.act(Action::Notice(Some(text::too_much_pasted(length).into())));
            }
        })
    };
    let look = {
        let (area, caret) = (area.clone(), caret.clone());
        move || {
            if let Some(a) = area.cast::<HtmlTextAreaElement>() {
                caret.set(line_of_caret(&a));
            }
        }
    };
    let (on_key, on_click) = {
        let (a, b) = (look.clone(), look);
        (Callback::from(move |_: KeyboardEvent| a()), Callback::from(move |_: MouseEvent| b()))
    };
    let marked = doc.text.len() <= MARKED_LIMIT;
    html! {
        <>
        <div class={classes!("ed", (!marked).then_some("plain"))}>
            <div class="in">
                if marked { <Copy text={doc.text.clone()} diagnostics={Listed(doc.diagnostics.clone())} /> }
                <textarea id="text" ref={area} aria-label={text::TEXT_LABEL} spellcheck="false" autocapitalize="off" autocomplete="off"
                    aria-describedby="diagnostics" maxlength={AREA_LIMIT.to_string()} onpaste={pasted} oninput={input} onblur={blur} onkeyup={on_key} onclick={on_click} />
            </div>
        </div>
        <Findings text={doc.text.clone()} diagnostics={Listed(doc.diagnostics.clone())} />
        { super::reference::reference(&doc.text, *caret) }
        </>
    }
}

/// Diagnostics as a prop, compared by pointer.
#[derive(Clone)]
pub struct Listed(pub Rc<[Diagnostic]>);

impl PartialEq for Listed {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub struct CopyProps {
    pub text: Rc<str>,
    pub diagnostics: Listed,
}

/// The text with its marks, for the eye only.
#[component]
fn Copy(props: &CopyProps) -> Html {
    html! {
        <pre aria-hidden="true">
            { for props.text.split('\n').enumerate().map(|(i, line)| {
                let here = || props.diagnostics.0.iter().filter(move |d| d.line == Some(i as u32 + 1));
                let columns: Vec<u32> = here().map(|d| d.column.unwrap_or(0)).collect();
                let degree = here().map(|d| d.severity).min().map(|s| if s == Severity::Error { "er" } else { "wa" });
                html! { <span class={classes!("l", degree)}>{ for highlight::pieces(line, &columns).into_iter().map(piece) }</span> }
            }) }
        </pre>
    }
}

fn piece(p: highlight::Piece) -> Html {
    let inner = match p.kind {
        highlight::Kind::Plain => html! { { p.text } },
        highlight::Kind::Head => html! { <b>{ p.text }</b> },
        highlight::Kind::String => html! { <s>{ p.text }</s> },
        highlight::Kind::Remark => html! { <em>{ p.text }</em> },
    };
    if p.marked {
        html! { <u>{ inner }</u> }
    } else {
        inner
    }
}

/// What is wrong, and what may surprise: a press goes to the line, a repair is one press away where there is an obvious one.
#[component]
pub fn Findings(props: &CopyProps) -> Html {
    let send = use_send();
    let list = &props.diagnostics.0;
    html! {
        <div class="dgs" id="diagnostics" role="status">
            { for list.iter().enumerate().map(|(i, d)| {
                let line = d.line;
                let to_text = send.clone();
                let go = Callback::from(move |_: MouseEvent| {
                    to_text.act(Action::Mode(Mode::Text));
                    if let Some(l) = line {
                        go_to_line_later(l);
                    }
                });
                let repair = d.suggestion.clone().filter(|_| d.is_error()).zip(d.line.zip(d.column));
                html! {
                    <div key={i} class={classes!("dgn", d.is_error().then_some("er"))}>
                        { icon::icon(if d.is_error() { icon::CROSS } else { icon::INFO }) }
                        <button onclick={go}><b>{ whence(d) }</b>{ " " }{ d.message.clone() }</button>
                        if let Some((word, (line, column))) = repair {
                            <button class="lk" onclick={{
                                let (send, text, word) = (send.clone(), props.text.clone(), word.clone());
                                Callback::from(move |_: MouseEvent| {
                                    send.act(Action::Commit);
                                    send.act(Action::Type(highlight::replace(&text, line, column, &word).into()));
                                    send.act(Action::Commit);
                                })
                            }}>{ text::write(&word) }</button>
                        }
                    </div>
                }
            }) }
        </div>
    }
}

fn whence(d: &Diagnostic) -> String {
    let degree = match d.severity {
        Severity::Error => None,
        Severity::Warning => Some(text::WARNING),
        Severity::Note => Some(text::NOTE),
    };
    let line = d.line.map(text::line);
    let place = (!d.place.is_empty()).then(|| d.place.clone());
    [degree.map(str::to_string), line, place].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The line of the caret, from 1.
fn line_of_caret(area: &HtmlTextAreaElement) -> u32 {
    let at = area.selection_start().ok().flatten().unwrap_or(0) as usize;
    let value = area.value();
    // The caret counts in UTF-16 units.
    let mut units = 0;
    let mut line = 1;
    for c in value.chars() {
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

/// Puts the caret on a line, and the line in sight.
pub fn go_to_line(line: u32) {
    let Some(area) = dom::by_id("text").and_then(|e| e.dyn_into::<HtmlTextAreaElement>().ok()) else { return };
    let value = area.value();
    let (mut from, mut length) = (0, 0);
    for (i, l) in value.split('\n').enumerate() {
        length = l.encode_utf16().count() as u32;
        if i as u32 + 1 == line {
            break;
        }
        from += length + 1;
    }
    let _ = area.focus();
    // Refused by no text area.
    let _ = area.set_selection_range(from, from + length);
    dom::reveal(&format!(".ed .l:nth-child({line})"));
}

/// The same, once the editor is there: it may be about to be opened.
pub fn go_to_line_later(line: u32) {
    Timeout::new(30, move || go_to_line(line)).forget();
}
