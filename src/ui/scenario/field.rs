//! One field of the form.
//!
//! It holds what is being typed until that can be run; only then the text of the scenario changes. What is wrong stands under the field,
//! and what was typed stays in it.

use super::super::context::use_send;
use super::super::icon;
use crate::app::form::{Field, Kind, attempt, split_unit, with_unit};
use crate::app::history::EditKey;
use crate::app::{Action, text};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct FieldProps {
    pub field: Field,
    /// The scenario's text, which an edit starts from.
    pub text: Rc<str>,
    /// Whose field it is, for those who hear it: "W1, from".
    #[prop_or_default]
    pub of: String,
    /// The label is left out; it stands somewhere near already.
    #[prop_or_default]
    pub bare: bool,
}

/// What somebody is typing, and what is wrong with it.
#[derive(Clone, PartialEq, Default)]
struct Typing {
    raw: Option<String>,
    error: Option<String>,
}

#[component]
pub fn FieldRow(props: &FieldProps) -> Html {
    let send = use_send();
    let typing = use_state(Typing::default);
    let field = &props.field;
    let (number, unit) = split_unit(&field.value);
    let shown = typing.raw.clone().unwrap_or_else(|| number.to_string());

    let typed = {
        let (typing, send) = (typing.clone(), send.clone());
        let (path, text, unit) = (field.path.clone(), props.text.clone(), unit.to_string());
        move |raw: String| {
            let made = attempt(&text, &path, &with_unit(&raw, &unit));
            let error = made.as_ref().err().cloned();
            typing.set(Typing { raw: Some(raw), error });
            if let Ok(draft) = made {
                send.act(Action::Edit { key: EditKey::Field(path.clone()), draft });
            }
        }
    };
    let input = {
        let typed = typed.clone();
        Callback::from(move |e: InputEvent| {
            if let Some(raw) = value_of(&e) {
                typed(raw);
            }
        })
    };
    let left = {
        let (typing, send) = (typing.clone(), send.clone());
        Callback::from(move |_: FocusEvent| {
            // What cannot be run stays to be mended; what could be is shown as it is written.
            if typing.error.is_none() {
                typing.set(Typing::default());
            }
            send.act(Action::Commit);
        })
    };
    let key = {
        let typing = typing.clone();
        Callback::from(move |e: KeyboardEvent| {
            if e.key() == "Escape" && typing.raw.is_some() {
                e.prevent_default();
                typing.set(Typing::default());
            }
        })
    };
    let chosen = Callback::from(move |e: Event| {
        if let Some(word) = value_of(&e) {
            typed(word);
        }
    });

    let id = field.path.replace(['.', '"', ' '], "-");
    let label = if props.of.is_empty() { field.label.clone() } else { format!("{}, {}", props.of, field.label) };
    let title = field.says;
    let wrong = typing.error.is_some();
    let described = wrong.then(|| format!("{id}-error"));
    let control = match &field.kind {
        Kind::Line => html! {
            <span class={classes!("num", wrong.then_some("err"))}>
                <input {id} aria-label={label} aria-invalid={wrong.to_string()} aria-describedby={described.clone()} value={shown}
                    placeholder={field.value.is_empty().then_some(text::TO_THE_END)} autocomplete="off" spellcheck="false"
                    oninput={input} onblur={left} onkeydown={key} />
                if typing.raw.is_none() && !unit.is_empty() { <i>{ unit.to_string() }</i> }
            </span>
        },
        Kind::Lines => html! {
            <textarea {id} class={classes!(wrong.then_some("err"))} rows="2" aria-label={label} aria-invalid={wrong.to_string()}
                aria-describedby={described.clone()} value={shown} spellcheck="false" oninput={input} onblur={left} onkeydown={key} />
        },
        Kind::Choice(words) => html! {
            <span class="num pick">
                <select {id} aria-label={label} onchange={chosen}>
                    { for words.iter().map(|(word, label)| html! { <option value={*word} selected={*word == field.value}>{ *label }</option> }) }
                </select>
                { icon::icon(icon::DOWN) }
            </span>
        },
        Kind::Fixed(why) => html! { <span class="fixed" title={*why}>{ field.value.clone() }</span> },
    };
    html! {
        <>
        if props.bare { { control } } else {
            <div class={classes!("row", field.default.then_some("dflt"))} {title}><span aria-hidden="true">{ field.label.clone() }</span>{ control }</div>
        }
        if let Some(error) = &typing.error { <p class="fe" id={described} role="alert">{ icon::icon(icon::CROSS) }{ error.clone() }</p> }
        </>
    }
}

/// What the field that an event comes from now holds.
fn value_of(e: &Event) -> Option<String> {
    let target = e.target()?;
    if let Some(i) = target.dyn_ref::<HtmlInputElement>() {
        return Some(i.value());
    }
    if let Some(a) = target.dyn_ref::<HtmlTextAreaElement>() {
        return Some(a.value());
    }
    target.dyn_ref::<HtmlSelectElement>().map(HtmlSelectElement::value)
}
