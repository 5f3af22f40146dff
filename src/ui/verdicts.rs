//! The verdict table: designs across promises. A cell is a word, a glyph and a colour; a press on a broken one singles out the events
//! that prove it.

use super::context::{SceneRef, Send, use_cursor, use_send};
use super::icon;
use crate::app::{Action, Mark, Scene, Selection, text};
use crate::check::report::{Property, Verdict, Violation};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct VerdictsProps {
    pub scene: SceneRef,
}

#[component]
pub fn Verdicts(props: &VerdictsProps) -> Html {
    let cursor = use_cursor();
    let verdict = cursor.selected.as_ref().and_then(|s| Some((s.column, s.verdict?)));
    html! { <Table scene={props.scene.clone()} {verdict} /> }
}

#[derive(Properties, PartialEq)]
struct TableProps {
    scene: SceneRef,
    /// The cell whose witnesses are singled out.
    verdict: Option<(usize, Property)>,
}

#[component]
fn Table(props: &TableProps) -> Html {
    let scene = &props.scene.0;
    let columns = columns(scene);
    let send = use_send();
    html! {
        <section class="sec" id="verdicts"><h2>{ text::VERDICTS }</h2>
            <table class="vt">
                <thead><tr>
                    <th><span class="vh">{ text::DESIGN }</span></th>
                    { for columns.iter().map(|p| html! { <th scope="col">{ p.promise() }</th> }) }
                </tr></thead>
                <tbody>
                { for scene.story.runs.iter().enumerate().map(|(i, run)| html! {
                    <tr key={i}>
                        <th scope="row">{ run.design.clone() }</th>
                        { for columns.iter().map(|p| html! {
                            <td data-p={p.promise()}>
                                { cell(scene, i, *p, props.verdict == Some((i, *p)), &send) }
                            </td>
                        }) }
                    </tr>
                }) }
                </tbody>
            </table>
            if let Some((column, property)) = props.verdict { { sentence(scene, column, property, &send) } }
        </section>
    }
}

/// What is judged, without what was reached in no run; then the notes that say something. Beliefs last: information, no verdict.
fn columns(scene: &Scene) -> Vec<Property> {
    let judged = &scene.story.judged();
    let said = |p: &Property| scene.story.runs.iter().any(|r| *r.report.verdict(*p) != Verdict::NotReached);
    let broken = |p: &Property| scene.story.runs.iter().any(|r| r.report.violated(*p));
    let mut list: Vec<Property> = judged.iter().copied().filter(said).collect();
    let notes = Property::ALL.into_iter().filter(|p| !judged.contains(p) && *p != Property::BeliefOverlap);
    list.extend(notes.filter(broken));
    if !list.contains(&Property::BeliefOverlap) {
        list.push(Property::BeliefOverlap);
    }
    list
}

fn cell(scene: &Scene, column: usize, property: Property, pressed: bool, send: &Send) -> Html {
    let story = &scene.story;
    let judged = story.judged().contains(&property);
    match story.runs[column].report.verdict(property) {
        Verdict::Holds => {
            let class = if judged { "c good" } else { "c info" };
            html! { <span {class}>{ icon::icon(icon::CHECK) }{ text::HELD }</span> }
        }
        Verdict::NotReached => {
            html! { <span class="c none" title={text::NOT_REACHED_TITLE}>{ text::NOT_REACHED }</span> }
        }
        Verdict::Violated(v) => {
            let (seqs, at, send) = (v.witnesses.clone(), v.at, send.clone());
            let end = scene.end();
            let press = Callback::from(move |_: MouseEvent| {
                if pressed {
                    send.act(Action::Select(None));
                    return;
                }
                send.act(Action::Play(false));
                send.act(Action::Front(column));
                send.act(Action::Select(Some(Selection {
                    column,
                    seqs: seqs.clone().into(),
                    verdict: Some(property),
                })));
                send.act(Action::Seek((at < end).then_some(at)));
                super::events::reveal(seqs.last().map(|s| Mark { column, seq: *s }));
            });
            let class = if judged { "c bad" } else { "c info" };
            html! {
                <button {class} aria-pressed={pressed.to_string()} onclick={press} title={v.sentence.clone()}>
                    { icon::icon(if judged { icon::CROSS } else { icon::INFO }) }
                    { words(v, judged) }
                </button>
            }
        }
    }
}

fn words(v: &Violation, judged: bool) -> Html {
    match (judged, v.property, v.length) {
        (false, Property::BeliefOverlap, Some(length)) => html! { <span>{ text::two_for(&length.to_string()) }</span> },
        _ => html! { <span>{ text::BROKEN }{ " " }<small>{ v.at.to_string() }</small></span> },
    }
}

/// The violation in words, under the table.
fn sentence(scene: &Scene, column: usize, property: Property, send: &Send) -> Html {
    let Some(run) = scene.story.runs.get(column) else { return html! {} };
    let Some(v) = run.report.verdict(property).violation() else { return html! {} };
    let clear = send.on::<MouseEvent>(Action::Select(None));
    html! {
        <p class="wit" role="status">
            <span><b>{ run.design.clone() }</b>{ ": " }{ v.sentence.clone() }</span>
            <button class="lk" onclick={clear}>{ text::CLEAR }</button>
        </p>
    }
}
