//! What the browser carries in and out for a person: copies, files, pictures, what lies elsewhere, and what was edited before.

use super::app::App;
use super::deeds::{Deeds, Then};
use crate::app::effect::Effect;
use crate::app::job::Brought;
use crate::app::share::Recent;
use crate::app::text::{self, share as words};
use crate::app::{Action, AppState};
use crate::base::pieces::{joined, split};
use crate::base::text::said;
use crate::web::{bring, clip, save, store, url};
use std::rc::Rc;
use yew::html::Scope;

fn send(scope: &Scope<App>, action: Action) {
    scope.send_message(Deeds::from(action));
}

fn notice(scope: &Scope<App>, what: String) {
    send(scope, Action::Notice(Some(what.into())));
}

/// Does what was pressed.
pub fn finish(then: Then, scope: &Scope<App>) {
    let scope = scope.clone();
    match then {
        Then::Copy(what) => clip::copy(&what, move |ok| {
            send(&scope, Action::Said(if ok { text::COPIED } else { text::COPY_REFUSED }));
        }),
        Then::Take(selector) => {
            let what = bring::text_of(&selector);
            clip::copy(&what, move |ok| {
                if !ok {
                    bring::select(&selector);
                }
                send(&scope, Action::Said(if ok { text::COPIED } else { words::PRESS_COPY }));
            });
        }
        Then::Save { name, mime, text } => {
            save::file(&name, mime, &text);
        }
        Then::Pasted => send(&scope, Action::Bring(Brought::Text, bring::text_of("#pasted").into())),
        Then::File => bring::dropped("#file", move |what, is_file| {
            let kind = if is_file { Brought::File } else { Brought::Text };
            send(&scope, Action::Bring(kind, what.into()));
        }),
        Then::Fetch { url, gist } => {
            let address = url.clone();
            bring::fetch(&url, move |answer| match answer {
                Ok(what) => {
                    let kind = if gist { Brought::Answer } else { Brought::Text };
                    send(&scope, Action::Bring(kind, what.into()));
                }
                Err(status) => {
                    let why = status.map_or(words::NO_ANSWER.to_string(), |s| words::answered_with(&s));
                    notice(&scope, words::not_fetched(&address, &why));
                }
            });
        }
        _ => {}
    }
}

/// Does what follows from a change of the state.
pub fn tell(effect: Effect, scope: &Scope<App>) {
    let scope = scope.clone();
    match effect {
        Effect::Save { text, origin } => {
            let kept = store::set("text", &text) & store::set("origin", origin.unwrap_or_default());
            if !kept && store::get("told").is_none() {
                // Once is enough, and only for as long as the page is open.
                store::set("told", "1");
                notice(&scope, words::FORGETS.to_string());
            }
        }
        Effect::Leave(mut left) => {
            left.when = bring::now();
            let mut list: Vec<Recent> = recent().into_iter().filter(|r| r.text != left.text).collect();
            list.insert(0, left);
            list.truncate(MOST_RECENT);
            keep(&list);
            send(&scope, Action::Recent(list.into()));
        }
        Effect::Draw(name, svg) => bring::draw(&svg, move |drawn| match drawn {
            Some(picture) => send(&scope, Action::Drawn(name.clone(), picture.into())),
            None => send(&scope, Action::Said(words::NOT_WRITTEN)),
        }),
        Effect::Give(name, picture) => {
            save::picture(&name, &picture);
        }
        _ => {}
    }
}

/// How many texts are kept besides the one that is worked on.
const MOST_RECENT: usize = 8;

/// Between the texts that are kept, and between the parts of one: signs that no scenario may hold.
const ENTRY: &str = "\u{1e}";
const PART: &str = "\u{1f}";

fn keep(list: &[Recent]) {
    let mut kept: Vec<String> = Vec::new();
    for r in list {
        kept.push(said(ROW, &[&r.when, &r.title, &r.origin, &r.text]));
    }
    store::set("recent", &joined(&kept, ENTRY));
}

const ROW: &str = "{0}\u{1f}{1}\u{1f}{2}\u{1f}{3}";

/// What was edited and left behind, newest first. What is damaged is left out.
pub fn recent() -> Vec<Recent> {
    let kept = store::get("recent").unwrap_or_default();
    let mut out = Vec::new();
    for entry in split(&kept, ENTRY) {
        if let [when, title, origin, text] = *split(entry, PART) {
            let [when, title, origin] = [when, title, origin].map(str::to_string);
            out.push(Recent { when, title, origin, text: text.into() });
        }
    }
    out.truncate(MOST_RECENT);
    out
}

/// What the page knows of the browser when it opens.
pub fn begin(state: &mut AppState) {
    let doc = Rc::make_mut(&mut state.doc);
    doc.base = url::base().into();
    doc.recent = recent().into();
}
