//! Texts that are not there yet: fetching them, and what stands in their place meanwhile.

use super::markup::{made, put};
use crate::app::{Desk, Texts, text};
use crate::base::mixing::Unpacker;
use crate::scenario::texts;
use crate::web;
use gloo_timers::callback::Timeout;

/// So many letters are unpacked before the page gets its turn: a few milliseconds of work.
const SLICE: usize = 8_000;

/// What is told when the texts are there, or when they are not to be had.
type Done = Box<dyn FnOnce(Texts)>;

/// Fetches the texts and unpacks them.
pub fn fetch(done: Done) {
    web::texts::fetch(move |got| match got.map(texts::unpacker) {
        Ok(Some(unpacker)) => go_on(unpacker, done),
        Ok(None) => done(Texts::Failed(text::NOT_THE_FILE.into())),
        Err(why) => done(Texts::Failed(why.into())),
    });
}

fn go_on(mut unpacker: Unpacker, done: Done) {
    let slice = move || {
        if !unpacker.go_on(SLICE) {
            go_on(unpacker, done);
        } else if texts::provide(unpacker.text()) {
            done(Texts::Here);
        } else {
            done(Texts::Failed(text::NOT_THE_FILE.into()));
        }
    };
    Timeout::new(0, slice).forget();
}

const AGAIN: &str = r#"<p class="none" role="status">{A} <button class="lk" data-do="fetch">{0}</button></p>"#;

/// In place of what is not there yet.
pub fn waiting(out: &mut String, desk: &Desk, coming: &str) {
    match &desk.texts {
        Texts::Failed(why) => put(out, AGAIN, &[text::TRY_AGAIN], &[&text::texts_failed(why)]),
        _ => put(out, r#"<p class="none" role="status">{A}</p>"#, &[], &[coming]),
    }
}

/// Over the picture, as long as another story is wanted than the one that stands there.
pub fn wanted(out: &mut String, desk: &Desk) {
    let Some(id) = desk.wanted else { return };
    let (says, again) = match &desk.texts {
        Texts::Failed(why) => {
            let again = r#"<button class="lk" data-do="fetch">{0}</button>"#;
            (text::story_failed(id, why), made(again, &[text::TRY_AGAIN], &[]))
        }
        _ => (text::story_coming(id), String::new()),
    };
    put(out, r#"<div key="wanted" class="note" role="status"><p>{A}</p>{b}</div>"#, &[], &[&says, &again]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let (mut out, mut desk) = (String::new(), Desk::default());
        wanted(&mut out, &desk);
        assert!(out.is_empty());
        waiting(&mut out, &desk, text::STORIES_COMING);
        assert!(out.contains(text::STORIES_COMING) && !out.contains("button"));
        desk.texts = Texts::Failed("503 <b>".into());
        desk.wanted = Some("quiet-handover");
        out.clear();
        waiting(&mut out, &desk, text::STORIES_COMING);
        wanted(&mut out, &desk);
        assert_eq!(out.matches("503 &lt;b&gt;").count(), 2, "{out}");
        assert_eq!(out.matches("data-do=\"fetch\"").count(), 2);
        assert!(out.contains("quiet-handover"));
    }
}
