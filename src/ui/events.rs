//! The trace as text: one line per event of the design in front. It is what a screen reader reads, and it is tied to the picture:
//! hover, focus and click light the event there.

use super::columns::select;
use super::context::{SceneRef, Send, use_cursor, use_document, use_send};
use crate::app::{Action, Mark, Scene, text};
use crate::base::time::seconds;
use crate::trace::EventSeq;
use crate::web::dom;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// Longest list that is shown at once. A run may have ten thousand events; the picture and the verdicts know them all.
const MOST: usize = 2_000;

#[derive(Properties, PartialEq)]
pub struct EventsProps {
    pub scene: SceneRef,
    pub front: usize,
}

#[component]
pub fn Events(props: &EventsProps) -> Html {
    let cursor = use_cursor();
    let scene = &props.scene.0;
    let on: Vec<EventSeq> = match &cursor.selected {
        Some(s) => s
            .seqs
            .iter()
            .flat_map(|seq| scene.story.twins(Mark { column: s.column, seq: *seq }))
            .filter(|m| m.column == props.front)
            .map(|m| m.seq)
            .collect(),
        None => Vec::new(),
    };
    html! { <List scene={props.scene.clone()} front={props.front} {on} /> }
}

#[derive(Properties, PartialEq)]
struct ListProps {
    scene: SceneRef,
    front: usize,
    /// What is singled out.
    on: Vec<EventSeq>,
}

#[component]
fn List(props: &ListProps) -> Html {
    let send = use_send();
    let document = use_document();
    let (scene, front) = (&props.scene.0, props.front);
    let mark = move |e: &Event| -> Option<Mark> {
        let element: Element = e.target()?.dyn_into().ok()?;
        Some(Mark { column: front, seq: EventSeq(dom::attribute_above(&element, "data-seq")?.parse().ok()?) })
    };
    let over = {
        let send = send.clone();
        Callback::from(move |e: PointerEvent| send.act(Action::Hover(mark(&e))))
    };
    let leave = send.on(Action::Hover(None));
    let focus = {
        let send = send.clone();
        Callback::from(move |e: FocusEvent| send.act(Action::Hover(mark(&e))))
    };
    let blur = send.on(Action::Hover(None));
    let click = {
        let send = send.clone();
        Callback::from(move |e: MouseEvent| {
            if let Some(m) = mark(&e) {
                select(&send, &document, m);
            }
        })
    };
    let lines = scene.lines(front);
    let more = lines.len().saturating_sub(MOST);
    let name = scene.story.runs.get(front).map(|r| r.design.clone()).unwrap_or_default();
    html! {
        <section class="sec long" id="events">
            <header><h2>{ text::EVENTS }</h2>{ choice(scene, front, &send) }</header>
            <ol class="evl" aria-label={text::events_of(&name)} onpointerover={over} onpointerleave={leave}
                onfocusin={focus} onfocusout={blur} onclick={click}>
                { for lines.iter().take(MOST).map(|line| {
                    let on = props.on.contains(&line.seq);
                    html! {
                        <li key={line.n}>
                            <button data-seq={line.seq.0.to_string()} class={classes!(line.hot.then_some("hot"), on.then_some("on"))} aria-pressed={on.to_string()}>
                                <span>{ line.n }</span><time>{ seconds(line.at.as_us()) }</time><span>{ line.text.clone() }</span>
                            </button>
                        </li>
                    }
                }) }
            </ol>
            if more > 0 { <p class="hint">{ text::more_events(MOST, lines.len()) }</p> }
        </section>
    }
}

/// Whose events. Where there are tabs, they are the choice.
fn choice(scene: &Scene, front: usize, send: &Send) -> Html {
    if scene.story.runs.len() < 2 || scene.picture.layout.tabs {
        return html! {};
    }
    html! {
        <div class="seg" role="group" aria-label={text::DESIGN}>
            { for scene.story.runs.iter().enumerate().map(|(i, run)| html! {
                <button key={i} aria-pressed={(i == front).to_string()} onclick={send.on(Action::Front(i))}>{ run.design.clone() }</button>
            }) }
        </div>
    }
}

/// Brings the picture of an event into sight, if it is out of sight: on a phone the table stands far below it.
pub fn reveal(mark: Option<Mark>) {
    if let Some(m) = mark {
        dom::reveal(&format!(".body[data-col=\"{}\"] [data-seq=\"{}\"]", m.column, m.seq.0));
    }
}
