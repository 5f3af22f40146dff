//! What stands beside the scenario: the claim, the picture, the transport, and below them the verdicts and the events.

use super::columns::{Columns, tabs};
use super::context::{Document, SceneRef, Send, use_document, use_send};
use super::events::Events;
use super::legend::legend;
use super::transport::Transport;
use super::verdicts::Verdicts;
use crate::app::{Action, Doc, Frame, Mode, Panel, Room, Scene, text};
use crate::run::ENGINE;
use crate::trace::EndWhy;
use std::rc::Rc;
use yew::prelude::*;

/// The three widths at which the static first picture is drawn: rail and columns on a desk, on a small screen, on a phone.
const STATIC: [(&str, Frame); 3] = [
    ("vw", Frame { room: Room::Wide, width: 1160, window_height: 900 }),
    ("vm", Frame { room: Room::Middle, width: 992, window_height: 900 }),
    ("vp", Frame { room: Room::Narrow, width: 366, window_height: 844 }),
];

#[derive(Properties, PartialEq)]
pub struct StageProps {
    pub live: bool,
}

#[component]
pub fn Stage(props: &StageProps) -> Html {
    let Document { doc, scene } = use_document();
    let send = use_send();
    let claim = doc.good.as_ref().and_then(|g| g.claim.clone());
    let gray = doc.stale.then_some("old");
    html! {
        <main id="main">
            if let Some(notice) = &doc.notice {
                <div class="note" role="status"><p>{ notice.to_string() }</p><button class="lk" onclick={send.on(Action::Notice(None))}>{ text::CLOSE }</button></div>
            }
            <div class="hero"><div>
                <h1 tabindex="-1">{ if doc.title().is_empty() { text::UNTITLED.to_string() } else { doc.title().to_string() } }</h1>
                if let Some(claim) = claim { <p class="claim">{ claim }</p> }
            </div></div>
            if doc.stale && doc.good.is_some() { { stale(&doc, &send) } }
            <div class={classes!(gray)}>
                { match (&scene, doc.good.is_some()) {
                    (Some(scene), _) if !scene.story.runs.is_empty() => picture(props.live, &doc, scene, &send),
                    (_, true) => no_design(&doc, &send),
                    (_, false) => html! { <p class="empty">{ text::NOTHING_YET }</p> },
                } }
            </div>
            if let Some(scene) = scene.filter(|s| !s.story.runs.is_empty()) {
                <Transport scene={SceneRef(scene.clone())} stale={doc.stale} />
                <Verdicts scene={SceneRef(scene.clone())} />
                <Events scene={SceneRef(scene.clone())} front={doc.front} />
                { footer(&scene) }
            }
        </main>
    }
}

/// The picture in the room there is; without an engine, in each of the three static ones, of which the style sheet shows one.
fn picture(live: bool, doc: &Doc, scene: &Rc<Scene>, send: &Send) -> Html {
    if live {
        return html! {
            <>
                if scene.picture.layout.tabs { { tabs(scene, doc.front, send) } }
                <Columns scene={SceneRef(scene.clone())} front={doc.front} />
                { legend(scene) }
            </>
        };
    }
    STATIC
        .into_iter()
        .map(|(class, frame)| {
            let scene = SceneRef(Rc::new(Scene::with_prefix(scene.story.clone(), frame, class)));
            html! {
                <div class={class}>
                    if scene.0.picture.layout.tabs { { tabs(&scene.0, doc.front, send) } }
                    <Columns scene={scene.clone()} front={doc.front} />
                    { legend(&scene.0) }
                </div>
            }
        })
        .collect()
}

/// Over the last good run: since when it is not what the text says.
fn stale(doc: &Doc, send: &Send) -> Html {
    let line = doc.error_line();
    let narrow = doc.frame.room != Room::Wide;
    let send = send.clone();
    let go = Callback::from(move |_: MouseEvent| {
        send.act(Action::Mode(Mode::Text));
        send.act(if narrow { Action::Panel(Some(Panel::Scenario)) } else { Action::Fold(false) });
        if let Some(line) = line {
            super::editor::go_to_line_later(line);
        }
    });
    html! {
        <div class="stl" role="status">
            <p>{ text::stale(line) }</p>
            <button class="lk" onclick={go}>{ line.map_or(text::SHOW_WHAT_IS_WRONG.to_string(), text::go_to_line) }</button>
        </div>
    }
}

/// No design is ticked: one sentence with the act in it.
fn no_design(doc: &Doc, send: &Send) -> Html {
    let first = doc.good.as_ref().and_then(|g| g.designs.first()).map(|d| d.name.clone()).unwrap_or_default();
    let tick = send.on(Action::Tick { design: 0, on: true });
    html! {
        <p class="empty">
            { text::NO_DESIGN }<button class="lk" onclick={tick}>{ text::tick(&first) }</button>{ " " }{ text::NO_DESIGN_TICK }
        </p>
    }
}

/// What pins the run down: version, seed, digest, and how each run ended.
fn footer(scene: &Scene) -> Html {
    let story = &scene.story;
    let endings: Vec<String> = story
        .runs
        .iter()
        .map(|r| match r.ending.why {
            EndWhy::Quiet => text::ended_quiet(r.ending.at),
            EndWhy::Horizon => text::ended_horizon(r.ending.at),
            EndWhy::Events => text::ended_events(r.log.len()),
        })
        .collect();
    // Equal endings are said once.
    let endings = match endings.as_slice() {
        [first, rest @ ..] if rest.iter().all(|e| e == first) => first.clone(),
        several => several.join(" · "),
    };
    let mut digests: Vec<String> = story.runs.iter().map(|r| r.digest.to_string()).collect();
    digests.dedup();
    html! {
        <footer>{ text::footer(ENGINE, story.scenario.seed, &digests.join(", "), &endings) }</footer>
    }
}
