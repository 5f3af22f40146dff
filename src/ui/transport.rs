//! Play, step, scrub: moving the cursor through a run that is already there. Nothing here runs anything.
//!
//! The cursor plays at an even pace down the *picture*, so that bursts of messages can be followed and idle seconds pass quickly. The
//! track below shows the same story *unsqueezed*: leases and pauses in true proportion, so that nobody is misled.

use super::context::{Document, SceneRef, use_cursor, use_document, use_send};
use super::icon;
use crate::app::{Action, Scene, text};
use crate::base::{TrueTime, time::seconds};
use crate::view::text::num;
use crate::view::track::{Stretch, Track};
use crate::web::{dom, frame::Ticker};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

/// px of the picture that the cursor passes per second at speed 1.
const PACE: f64 = 56.0;

/// How long the cursor rests on each instant for those who asked for less motion, ms.
const REST: f64 = 900.0;

#[derive(Properties, PartialEq)]
pub struct TransportProps {
    pub scene: SceneRef,
    pub stale: bool,
}

#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let cursor = use_cursor();
    let document = use_document();
    let send = use_send();
    let scene = &props.scene.0;
    let end = scene.end();
    let at = cursor.at.unwrap_or(end);
    use_playing(&props.scene);

    let play = send.on::<MouseEvent>(Action::Play(!cursor.playing));
    let step = |forward: bool| {
        let (send, scene, document) = (send.clone(), scene.clone(), document.clone());
        Callback::from(move |_: MouseEvent| {
            let to = scene.step(at, forward);
            if forward || to.is_some() {
                let to = to.filter(|t| *t < end);
                send.act(Action::Play(false));
                send.act(Action::Seek(to));
                announce(&document, to);
            }
        })
    };
    let speed = send.on::<MouseEvent>(Action::Speed(cursor.speed.next()));
    let (name, glyph) = if cursor.playing { (text::PAUSE, icon::PAUSE) } else { (text::PLAY, icon::PLAY) };
    html! {
        <div class="tp" role="group" aria-label={text::TRANSPORT}>
            <button class="btn" aria-label={name} title={name} onclick={play}>{ icon::icon(glyph) }</button>
            <button class="btn" aria-label={text::STEP_BACK} title={text::STEP_BACK} onclick={step(false)}>{ icon::icon(icon::STEP_BACK) }</button>
            <button class="btn" aria-label={text::STEP} title={text::STEP} onclick={step(true)}>{ icon::icon(icon::STEP) }</button>
            <output>{ at.to_string() }</output>
            <Slider scene={props.scene.clone()} at={At(at)} stale={props.stale} />
            <button class="btn hid" aria-label={text::speed_label(cursor.speed)} onclick={speed}>{ text::speed(cursor.speed) }</button>
        </div>
    }
}

/// An instant as a prop.
#[derive(Clone, Copy, PartialEq)]
struct At(TrueTime);

/// Moves the cursor while it plays.
#[hook]
fn use_playing(scene: &SceneRef) {
    let cursor = use_cursor();
    let send = use_send();
    let from = cursor.at;
    use_effect_with((cursor.playing, cursor.speed, scene.clone()), move |(playing, speed, scene)| {
        let ticker = playing.then(|| {
            let (scene, factor) = (scene.0.clone(), speed.factor());
            let end = scene.end();
            let axis_y = |t: TrueTime| scene.picture.axis.y(t);
            let last = axis_y(end);
            // From the end, it starts over.
            let mut y = from.map_or(axis_y(TrueTime::ZERO), axis_y);
            let (calm, mut rested) = (dom::calm(), 0.0);
            let mut here = from.unwrap_or(TrueTime::ZERO);
            Ticker::new(move |ms| {
                if calm {
                    rested += ms * factor;
                    if rested < REST {
                        return;
                    }
                    rested = 0.0;
                    here = scene.step(here, true).unwrap_or(end);
                    y = scene.picture.axis.y(here);
                } else {
                    y += PACE * factor * ms / 1_000.0;
                    here = TrueTime::from_us(scene.picture.axis.time(y).as_us() / 1_000 * 1_000);
                }
                if y >= last || here >= end {
                    send.act(Action::Play(false));
                    send.act(Action::Seek(None));
                } else {
                    send.act(Action::Seek(Some(here)));
                }
            })
        });
        move || drop(ticker)
    });
}

#[derive(Properties, PartialEq)]
struct SliderProps {
    scene: SceneRef,
    at: At,
    stale: bool,
}

/// The track, in true proportion.
#[component]
fn Slider(props: &SliderProps) -> Html {
    let send = use_send();
    let document = use_document();
    let pressed = use_mut_ref(|| false);
    let scene = props.scene.0.clone();
    let Some(track) = scene.picture.columns.get(document.doc.front).map(|c| &c.track) else { return html! {} };
    let length = TrueTime::ZERO + track.total;
    let seek = {
        let (send, scene) = (send.clone(), scene.clone());
        move |e: &PointerEvent| {
            let Some(track) = e.current_target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
            let rect = track.get_bounding_client_rect();
            let part = ((f64::from(e.client_x()) - rect.left()) / rect.width().max(1.0)).clamp(0.0, 1.0);
            let at = TrueTime::from_us((part * length.as_us() as f64) as i64);
            // Snapping is by height in the picture, where a burst has room.
            let at = super::cursor::pick(&scene, scene.picture.axis.y(at));
            send.act(Action::Play(false));
            send.act(Action::Seek(at));
        }
    };
    let down = {
        let (pressed, seek) = (pressed.clone(), seek.clone());
        Callback::from(move |e: PointerEvent| {
            if let Some(track) = e.current_target().and_then(|t| t.dyn_into::<Element>().ok()) {
                // Refused only for a pointer that is gone already.
                let _ = track.set_pointer_capture(e.pointer_id());
            }
            *pressed.borrow_mut() = true;
            seek(&e);
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
    // ← and → are the whole page's; a slider that has the keyboard answers to ↑ and ↓ as well.
    let key = {
        let (scene, document, at) = (scene.clone(), document.clone(), props.at.0);
        Callback::from(move |e: KeyboardEvent| {
            let forward = match e.key().as_str() {
                "ArrowUp" | "PageUp" => true,
                "ArrowDown" | "PageDown" => false,
                _ => return,
            };
            e.prevent_default();
            if let Some(to) = scene.step(at, forward) {
                let to = (to < scene.end()).then_some(to);
                send.act(Action::Seek(to));
                announce(&document, to);
            }
        })
    };
    let percent = 100.0 * props.at.0.as_us() as f64 / length.as_us().max(1) as f64;
    html! {
        <div class={classes!("tk", props.stale.then_some("old"))} role="slider" tabindex="0" aria-label={text::TIME}
            aria-valuemin="0" aria-valuemax={seconds(length.as_us())} aria-valuenow={seconds(props.at.0.as_us())} aria-valuetext={props.at.0.to_string()}
            onpointerdown={down} onpointermove={moved} onpointerup={up.clone()} onpointercancel={up} onkeydown={key}>
            { bars(track) }
            <span class="kn" style={format!("left:{}%", num(percent))}></span>
        </div>
    }
}

/// Leases and pauses of the design in front. A label that has no room before the next one begins is left out.
fn bars(track: &Track) -> Html {
    // Percent of the track that a character takes, about, on a track of 800 px.
    let fits = |s: &Stretch| s.label.chars().count() as f64 * 0.75 <= s.room;
    let bar = |s: &Stretch, pause: bool| {
        let style = format!("left:{}%;width:{}%", num(s.left), num(s.width.max(0.2)));
        let label = fits(s).then(|| {
            let at = format!("left:{}%", num(s.left));
            html! { <span class={classes!("lab", pause.then_some("lo"))} style={at}>{ s.label.clone() }</span> }
        });
        let class = if pause { "pz" } else { s.hue };
        html! { <><i {class} {style}></i>{ label }</> }
    };
    html! { <>{ for track.leases.iter().map(|s| bar(s, false)) }{ for track.pauses.iter().map(|s| bar(s, true)) }</> }
}

/// Says what happens at the instant that the cursor has come to, for those who do not see it move.
pub fn announce(document: &Document, at: Option<TrueTime>) {
    let Some(live) = dom::by_id("live") else { return };
    let said = document.scene.as_ref().map(|scene| sentence(scene, document.doc.front, at)).unwrap_or_default();
    live.set_text_content(Some(&said));
}

/// The events of the design in front at one instant, as one sentence.
fn sentence(scene: &Rc<Scene>, front: usize, at: Option<TrueTime>) -> String {
    let at = at.unwrap_or_else(|| scene.end());
    let lines = scene.lines(front).iter().filter(|l| l.at == at).map(|l| l.text.as_str());
    let what = lines.collect::<Vec<_>>().join("; ");
    if what.is_empty() { at.to_string() } else { format!("{at}: {what}") }
}
