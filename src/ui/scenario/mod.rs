//! The scenario beside the picture: form and text are two views of one thing.

mod field;
mod form;

use super::context::{Document, use_document, use_send};
use super::editor::Editor;
use super::icon;
use crate::app::{Action, Mode, Panel, text};
use form::Form;
use yew::prelude::*;

#[component]
pub fn ScenarioPanel() -> Html {
    let Document { doc, .. } = use_document();
    let send = use_send();
    let act = |action: Action| send.on::<MouseEvent>(action);
    let open = doc.panel == Some(Panel::Scenario);
    if doc.folded && !open {
        return html! {
            <aside class="scn strip" aria-label={text::SCENARIO}>
                <button class="btn" aria-label={text::UNFOLD} title={text::UNFOLD} onclick={act(Action::Fold(false))}>{ icon::icon(icon::SLIDERS) }</button>
            </aside>
        };
    }
    let as_text = doc.mode == Mode::Text;
    html! {
        <aside class={classes!("scn", as_text.then_some("txt"), open.then_some("open"))} aria-label={text::SCENARIO}>
            <header>
                <h2>{ text::SCENARIO }</h2>
                if doc.origin.is_some() && !doc.pristine {
                    <button class="btn" title={text::RESET_TITLE} onclick={act(Action::Reset)}>{ text::RESET }</button>
                }
                <div class="seg" role="group" aria-label={text::SCENARIO}>
                    <button aria-pressed={(!as_text).to_string()} onclick={act(Action::Mode(Mode::Form))}>{ text::FORM }</button>
                    <button aria-pressed={as_text.to_string()} onclick={act(Action::Mode(Mode::Text))}>{ text::TEXT }</button>
                </div>
                <button class="btn fold" aria-label={text::FOLD} title={text::FOLD} onclick={act(Action::Fold(true))}>{ icon::icon(icon::FOLD) }</button>
                <button class="btn done" onclick={act(Action::Panel(None))}>{ text::DONE }</button>
            </header>
            if as_text { <Editor /> } else { <Form /> }
        </aside>
    }
}
