//! The columns of the comparison: sticky heads, the rail, the bodies, all on one axis.
//!
//! The geometry is the view's; its SVG is put in as it comes. One set of listeners stands on the whole: shapes carry `data-seq`, their
//! column `data-col`, and that is enough to know what the pointer is on.

use super::context::{Document, SceneRef, Send, use_document, use_send};
use super::cursor::{Hairline, pick};
use super::icon;
use super::transport::announce;
use crate::app::{Action, Mark, Scene, Selection, text};
use crate::trace::EventSeq;
use crate::view::{Chip, Column, text::num};
use crate::web::dom;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ColumnsProps {
    pub scene: SceneRef,
    pub front: usize,
}

#[component]
pub fn Columns(props: &ColumnsProps) -> Html {
    let send = use_send();
    let document = use_document();
    let scene = &props.scene.0;
    let picture = &scene.picture;
    let layout = &picture.layout;
    let shown: Vec<usize> = if layout.tabs { vec![props.front] } else { (0..picture.columns.len()).collect() };
    let shown: Vec<usize> = shown.into_iter().filter(|i| *i < picture.columns.len()).collect();
    let mut grid = format!("grid-template-columns:{}px", num(layout.rail));
    for i in &shown {
        grid.push_str(&format!(" {}px", num(picture.columns[*i].width)));
    }

    let over = {
        let send = send.clone();
        Callback::from(move |e: PointerEvent| send.act(Action::Hover(mark_under(&e))))
    };
    let leave = send.on(Action::Hover(None));
    let click = {
        let (send, document) = (send.clone(), document.clone());
        Callback::from(move |e: MouseEvent| match mark_under(&e) {
            Some(mark) => select(&send, &document, mark),
            None => send.act(Action::Select(None)),
        })
    };
    let focus = {
        let send = send.clone();
        Callback::from(move |e: FocusEvent| send.act(Action::Hover(mark_under(&e))))
    };
    let blur = send.on(Action::Hover(None));
    let key = Callback::from(move |e: KeyboardEvent| on_key(&e, &send, &document));
    let right = format!("padding-right:{}px", num(layout.rail - layout.axis_x + 8.0));
    html! {
        <div class={classes!("cols", layout.tabs.then_some("tabs"), layout.scroll.then_some("wide"))} style={grid}
            onpointerover={over} onpointerleave={leave} onclick={click} onfocusin={focus} onfocusout={blur} onkeydown={key}>
            if !layout.tabs { <div class="ax0"></div> }
            { for shown.iter().map(|i| head(scene, *i)) }
            <div class="ax0 stk" style={right} title={text::TRUE_TIME_TITLE}>{ text::TRUE_TIME }</div>
            { for shown.iter().map(|i| html! { <div class="stk" key={format!("h{i}")}>{ svg(&picture.columns[*i].heads) }</div> }) }
            <Rail scene={props.scene.clone()} />
            { for shown.iter().enumerate().map(|(place, i)| html! {
                <div class="body" key={format!("b{i}")} style={format!("grid-area:3/{}", place + 2)} data-col={i.to_string()}>
                    { svg(&picture.columns[*i].body) }
                </div>
            }) }
            <Hairline scene={props.scene.clone()} />
        </div>
    }
}

/// The keyboard on the events of a picture: one of them is a stop for Tab, ↑ and ↓ go on from there, Enter singles out.
fn on_key(e: &KeyboardEvent, send: &Send, document: &Document) {
    let Some(mark) = mark_under(e) else { return };
    match e.key().as_str() {
        "ArrowDown" | "ArrowUp" => {
            dom::focus_next(&format!(".body[data-col=\"{}\"] .m", mark.column), e.key() == "ArrowDown")
        }
        "Enter" | " " => select(send, document, mark),
        _ => return,
    }
    e.prevent_default();
    e.stop_propagation();
}

/// What the view painted. It escapes every text that it puts in.
fn svg(markup: &str) -> Html {
    Html::from_html_unchecked(AttrValue::from(markup.to_string()))
}

/// Name, verdict, and the one sentence about it.
fn head(scene: &Scene, column: usize) -> Html {
    let c = &scene.picture.columns[column];
    html! {
        <div class="dh" key={format!("d{column}")}>
            <h2><span>{ scene.story.runs[column].design.clone() }</span>{ chip(c.chip) }</h2>
            <p>{ c.sentence.clone() }</p>
        </div>
    }
}

/// A verdict as glyph, word and colour: never one of them alone.
pub fn chip(chip: Chip) -> Html {
    let (class, glyph) = match chip {
        Chip::Unsafe => ("bad", icon::CROSS),
        Chip::Safe => ("good", icon::CHECK),
        Chip::Stuck => ("info", icon::INFO),
        Chip::CutShort => ("info", icon::DOTS),
    };
    html! { <span class={classes!("vd", class)}>{ icon::icon(glyph) }{ text::chip(chip) }</span> }
}

/// The event that a pointer is on.
fn mark_under(event: &Event) -> Option<Mark> {
    let element: Element = event.target()?.dyn_into().ok()?;
    let seq = dom::attribute_above(&element, "data-seq")?.parse().ok()?;
    let column = dom::attribute_above(&element, "data-col")?.parse().ok()?;
    Some(Mark { column, seq: EventSeq(seq) })
}

/// Singles out one event: lit in every column that has it, and the cursor goes there.
pub fn select(send: &Send, document: &Document, mark: Mark) {
    let Some(scene) = &document.scene else { return };
    let Some(event) = scene.story.runs.get(mark.column).and_then(|r| r.log.get(mark.seq)) else { return };
    let at = (event.at < scene.end()).then_some(event.at);
    send.act(Action::Play(false));
    send.act(Action::Select(Some(Selection { column: mark.column, seqs: [mark.seq].into(), verdict: None })));
    send.act(Action::Seek(at));
    announce(document, at);
}

#[derive(Properties, PartialEq)]
struct RailProps {
    scene: SceneRef,
}

/// The axis: times and beats. Press and drag moves the cursor.
#[component]
fn Rail(props: &RailProps) -> Html {
    let send = use_send();
    let scene = props.scene.0.clone();
    let pressed = use_mut_ref(|| false);
    let seek = {
        let send = send.clone();
        move |e: &PointerEvent| {
            let Some(rail) = e.current_target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
            let y = f64::from(e.client_y()) - rail.get_bounding_client_rect().top();
            send.act(Action::Play(false));
            send.act(Action::Seek(pick(&scene, y)));
        }
    };
    let down = {
        let (pressed, seek) = (pressed.clone(), seek.clone());
        Callback::from(move |e: PointerEvent| {
            if e.button() != 0 {
                return;
            }
            if let Some(rail) = e.current_target().and_then(|t| t.dyn_into::<Element>().ok()) {
                // Refused only for a pointer that is gone already.
                let _ = rail.set_pointer_capture(e.pointer_id());
            }
            *pressed.borrow_mut() = true;
            seek(&e);
            e.prevent_default();
        })
    };
    let moved = {
        let pressed = pressed.clone();
        Callback::from(move |e: PointerEvent| {
            if *pressed.borrow() {
                seek(&e);
            }
        })
    };
    let up = Callback::from(move |_: PointerEvent| *pressed.borrow_mut() = false);
    html! {
        <div class="rail" onpointerdown={down} onpointermove={moved} onpointerup={up.clone()} onpointercancel={up}
            onclick={Callback::from(|e: MouseEvent| e.stop_propagation())}>
            { svg(&props.scene.0.picture.rail) }
        </div>
    }
}

/// Designs as tabs, each with its verdict, where columns do not fit beside each other.
pub fn tabs(scene: &Scene, front: usize, send: &Send) -> Html {
    let count = scene.picture.columns.len();
    let key = {
        let send = send.clone();
        Callback::from(move |e: KeyboardEvent| {
            let to = match e.key().as_str() {
                "ArrowRight" => (front + 1) % count,
                "ArrowLeft" => (front + count - 1) % count,
                _ => return,
            };
            e.prevent_default();
            e.stop_propagation();
            send.act(Action::Front(to));
            dom::focus(&format!("#tab-{to}"));
        })
    };
    let tab = |(i, c): (usize, &Column)| {
        let on = i == front;
        html! {
            <button key={i} id={format!("tab-{i}")} role="tab" aria-selected={on.to_string()} tabindex={if on { "0" } else { "-1" }}
                onclick={send.on(Action::Front(i))}>
                <span>{ scene.story.runs[i].design.clone() }</span>{ chip(c.chip) }
            </button>
        }
    };
    html! {
        <div class="ptabs" role="tablist" aria-label={text::DESIGN} onkeydown={key}>
            { for scene.picture.columns.iter().enumerate().map(tab) }
        </div>
    }
}
