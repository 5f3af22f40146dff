//! The bar at the top: which story, what can be undone, how the page looks, help, and how to hand the story on.

use super::context::{Document, use_document, use_send};
use super::icon;
use crate::app::{Action, Doc, Panel, Theme, link, text};
use crate::scenario::preset;
use crate::web::{clip, dom, save, url};
use yew::prelude::*;

#[component]
pub fn TopBar() -> Html {
    let Document { doc, .. } = use_document();
    let send = use_send();
    let act = |action: Action| send.on::<MouseEvent>(action);
    let toggle = |panel: Panel| act(Action::Panel((doc.panel != Some(panel)).then_some(panel)));
    let open = |panel: Panel| (doc.panel == Some(panel)).to_string();
    html! {
        <header class="top">
            <a class="jump" href="#main" onclick={Callback::from(|e: MouseEvent| { e.prevent_default(); dom::focus("#main h1"); })}>{ text::SKIP }</a>
            <span class="brand">{ icon::raw(LOGO.to_string()) }<span>{ text::BRAND }</span></span>
            <button class="btn preset" id="stories-button" aria-haspopup="dialog" aria-expanded={open(Panel::Stories)} onclick={toggle(Panel::Stories)}>
                <span>{ story_name(&doc) }</span><small class="hid">{ story_group(&doc) }</small>{ icon::icon(icon::DOWN) }
            </button>
            <span class="grow"></span>
            <button class="btn mob" id="scenario-button" aria-label={text::SCENARIO} aria-expanded={open(Panel::Scenario)} onclick={toggle(Panel::Scenario)}>
                { icon::icon(icon::SLIDERS) }<span class="hid">{ text::SCENARIO }</span>
            </button>
            <button class="btn" aria-label={text::UNDO} title={text::UNDO_TITLE} disabled={!doc.can_undo} onclick={act(Action::Undo)}>{ icon::icon(icon::UNDO) }</button>
            <button class="btn hid" aria-label={text::REDO} title={text::REDO_TITLE} disabled={!doc.can_redo} onclick={act(Action::Redo)}>{ icon::icon(icon::REDO) }</button>
            <span class="pop">
                <button class="btn" id="theme-button" aria-label={text::THEME} title={text::THEME} aria-haspopup="menu" aria-expanded={open(Panel::Theme)} onclick={toggle(Panel::Theme)}>{ icon::icon(icon::THEME) }</button>
                if doc.panel == Some(Panel::Theme) { <ThemeMenu theme={doc.theme} /> }
            </span>
            <button class="btn hid" id="help-button" aria-label={text::HELP} title={text::HELP_TITLE} aria-expanded={open(Panel::Help)} onclick={toggle(Panel::Help)}>{ icon::icon(icon::HELP) }</button>
            <span class="pop">
                <button class="btn main" id="share-button" aria-haspopup="dialog" aria-expanded={open(Panel::Share)} onclick={toggle(Panel::Share)}>{ text::SHARE }</button>
                if doc.panel == Some(Panel::Share) { <ShareMenu /> }
            </span>
        </header>
    }
}

/// Two pickets and two rails.
const LOGO: &str = r#"<svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6"><path d="M4 19V5l2.5-3L9 5v14M11 19V5l2.5-3L16 5v14" stroke-linejoin="round"/><path d="M1 9h18M1 14.5h18"/></svg>"#;

/// The title as the text now has it; a story that cannot be read keeps the name it had.
fn story_name(doc: &Doc) -> String {
    match doc.title() {
        "" => doc.origin.and_then(preset::by_id).map_or(text::UNTITLED.to_string(), |p| p.title),
        title => title.to_string(),
    }
}

fn story_group(doc: &Doc) -> String {
    match doc.origin.and_then(preset::by_id) {
        Some(_) if !doc.pristine => text::EDITED.to_string(),
        Some(p) => p.group.to_string(),
        None => String::new(),
    }
}

/// Closes a small menu when the keyboard or the pointer goes elsewhere.
#[hook]
fn use_close_outside(id: &'static str, button: &'static str) {
    let send = use_send();
    use_effect_with((), move |_| {
        dom::focus(&format!("#{id} button"));
        let watch = dom::Outside::new(id, button, move || send.act(Action::Panel(None)));
        move || {
            drop(watch);
            dom::give_back(&format!("#{id}"), &format!("#{button}"));
        }
    });
}

#[derive(Properties, PartialEq)]
struct ThemeMenuProps {
    theme: Theme,
}

#[component]
fn ThemeMenu(props: &ThemeMenuProps) -> Html {
    let send = use_send();
    use_close_outside("theme-menu", "theme-button");
    html! {
        <div class="drop" id="theme-menu" role="menu" aria-label={text::THEME} onkeydown={Callback::from(menu_keys)}>
            { for Theme::ALL.into_iter().map(|t| {
                let send = send.clone();
                let press = Callback::from(move |_: MouseEvent| {
                    send.act(Action::Theme(t));
                    send.act(Action::Panel(None));
                });
                html! {
                    <button key={t.word()} role="menuitemradio" aria-checked={(t == props.theme).to_string()} onclick={press}>
                        { icon::icon(icon::CHECK) }{ text::theme(t) }
                    </button>
                }
            }) }
        </div>
    }
}

/// ↑ and ↓ walk through a menu.
fn menu_keys(e: KeyboardEvent) {
    let forward = match e.key().as_str() {
        "ArrowDown" => true,
        "ArrowUp" => false,
        _ => return,
    };
    e.prevent_default();
    dom::focus_sibling(forward);
}

/// What can be handed on today: the story's name as a link, the scenario as text and as a file.
#[component]
fn ShareMenu() -> Html {
    let Document { doc, .. } = use_document();
    let send = use_send();
    let said = use_state(|| None::<&'static str>);
    use_close_outside("share-menu", "share-button");
    let story = doc.origin.filter(|_| doc.pristine);
    let tell = {
        let said = said.clone();
        move |ok: bool| said.set(Some(if ok { text::COPIED } else { text::COPY_REFUSED }))
    };
    let copy_link = {
        let tell = tell.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(id) = story {
                clip::copy(&url::address_with(&link::story(id)), tell.clone());
            }
        })
    };
    let copy_text = {
        let text = doc.text.clone();
        Callback::from(move |_: MouseEvent| clip::copy(&text, tell.clone()))
    };
    let download = {
        let (text, name) = (doc.text.clone(), format!("{}.toml", doc.origin.unwrap_or("scenario")));
        Callback::from(move |_: MouseEvent| {
            save::file(&name, "application/toml", &text);
            send.act(Action::Panel(None));
        })
    };
    html! {
        <div class="drop" id="share-menu" role="dialog" aria-label={text::SHARE} onkeydown={Callback::from(menu_keys)}>
            if story.is_some() { <button onclick={copy_link}>{ text::COPY_LINK }</button> }
            <button onclick={copy_text}>{ text::COPY_TEXT }</button>
            <button onclick={download}>{ text::DOWNLOAD }</button>
            <hr />
            <p role="status">{ said.unwrap_or(if story.is_some() { text::SHARE_NAMED } else { text::SHARE_EDITED }) }</p>
        </div>
    }
}
