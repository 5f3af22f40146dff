//! Help: what one looks at, what the marks mean, which keys there are, what each lock service promises.

use super::legend;
use super::markup::put;
use super::texts::waiting;
use crate::app::{Desk, text};
use crate::scenario::preset;
use crate::scenario::registry::services::services;

const HELP: &str = r#"<div class="scrim" data-do="close"></div>
<section class="pan hp" id="help" role="dialog" aria-modal="true" aria-label="{0}" tabindex="-1">
<h2>{1}<button class="btn cls" data-do="close">{2}</button></h2>
{a}<h3>{3}</h3>
<div class="marks">{b}</div>
<h3>{4}</h3>
<dl>{c}</dl>
<h3>{5}</h3>
{d}</section>"#;

const SERVICE: &str = r#"<details><summary><b>{A}</b> {B}</summary>
<p>{C}</p>
<p><b>{0}</b> {D}. <b>{1}</b> {E}. <b>{2}</b> {F}.</p></details>"#;

pub fn help(out: &mut String, desk: &Desk) {
    let (mut says, mut marks, mut keys) = (String::new(), String::new(), String::new());
    for (word, sentence) in text::HELP_TEXT {
        put(&mut says, "<p><b>{A}</b> {B}</p>", &[], &[word, sentence]);
    }
    legend::all(&mut marks);
    for (key, what) in text::KEYS {
        put(&mut keys, "<dt>{A}</dt><dd>{B}</dd>", &[], &[key, what]);
    }
    let mut all = String::new();
    if !preset::here() {
        waiting(&mut all, desk, text::SERVICES_COMING);
    }
    for s in services().iter().filter(|s| s.built && !s.source().is_empty()) {
        let words = &[text::HELP_TOKEN, text::HELP_RESTS, text::HELP_SOURCE];
        put(&mut all, SERVICE, words, &[s.label, s.says(), s.text(), s.token(), s.assumes(), s.source()]);
    }
    let words = &[text::HELP, text::HELP_HEAD, text::CLOSE, text::HELP_MARKS, text::HELP_KEYS, text::HELP_SERVICES];
    put(out, HELP, words, &[&says, &marks, &keys, &all]);
}
