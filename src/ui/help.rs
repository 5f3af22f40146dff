//! Help: what one looks at, what the marks mean, which keys there are.

use super::context::use_send;
use super::legend::{ALL, sign};
use crate::app::{Action, text};
use crate::web::dom;
use yew::prelude::*;

#[component]
pub fn Help() -> Html {
    let send = use_send();
    let close = send.on::<MouseEvent>(Action::Panel(None));
    use_effect_with((), |_| {
        dom::focus("#help");
        || dom::give_back("#help", "#help-button")
    });
    html! {
        <>
        <div class="scrim" onclick={close.clone()}></div>
        <section class="pan hp" id="help" role="dialog" aria-modal="true" aria-label={text::HELP} tabindex="-1"
            onkeydown={Callback::from(|e: KeyboardEvent| dom::keep_tab_inside(&e, "#help"))}>
            <h2>{ text::HELP_HEAD }<button class="btn cls" onclick={close}>{ text::CLOSE }</button></h2>
            { for text::HELP_TEXT.iter().map(|(word, sentence)| html! { <p><b>{ *word }</b>{ " " }{ *sentence }</p> }) }
            <h3>{ text::HELP_MARKS }</h3>
            <div class="marks">
                { for ALL.iter().map(|s| html! { <>{ sign(*s) }<span>{ text::sign_long(*s as usize) }</span></> }) }
            </div>
            <h3>{ text::HELP_KEYS }</h3>
            <dl>{ for text::KEYS.iter().map(|(keys, what)| html! { <><dt>{ *keys }</dt><dd>{ *what }</dd></> }) }</dl>
        </section>
        </>
    }
}
