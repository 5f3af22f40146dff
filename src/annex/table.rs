//! The table of all stories under the nine standard designs: its head, and one row for each story.

use super::outcomes::letters;
use crate::app::outcomes::{LOCK_SIDE, ORDER, Outcome, Told};
use crate::app::text;
use crate::base::markup::{made, on, put};
use crate::scenario::profile::PROTECTIONS;

/// What stands over the rows: how to read the signs, and the names of the designs.
pub(super) fn head() -> String {
    let (mut signs, mut names) = (String::new(), String::new());
    for o in [Outcome::Broken, Outcome::Safe, Outcome::CutLease, Outcome::Stuck] {
        put(&mut signs, r#"<span class="k1">{a}{B}</span>"#, &[], &[&o.mark_mute(), text::outcome(o)]);
    }
    for (i, place) in ORDER.iter().enumerate() {
        let name = r#"<th scope="col"{a}>{B}</th>"#;
        put(
            &mut names,
            name,
            &[],
            &[on(i + 1 == LOCK_SIDE, r#" class="last""#), text::standard(PROTECTIONS[*place].word)],
        );
    }
    let head = r#"<style>{a}</style><p class="lead0">{b}</p>
<table class="sty" aria-label="{0}"><thead><tr><th scope="col"><span class="vh">{1}</span></th>{c}</tr></thead><tbody>"#;
    made(head, &[text::ALL_STORIES, text::ONE_STORY], &[include_str!("../../static/table.css"), &signs, &names])
}

/// What the table ends with.
pub(super) const FOOT: &str = "</tbody></table>";

/// How one story ends, as letters, and its row, unless it has none of the nine. A story that begins a group brings the group's name.
pub(super) fn row(told: &Told) -> (String, String) {
    let letters = letters(&told.text);
    let mut out = String::new();
    if !told.group.is_empty() {
        let group = r#"<tr class="sg" key="g-{A}"><th colspan="10" scope="colgroup">{A}</th></tr>"#;
        put(&mut out, group, &[], &[&text::capital(&told.group)]);
    }
    if letters.chars().all(|c| Outcome::of(c) == Outcome::None) {
        return (letters, out);
    }
    let mut cells = String::new();
    for (i, place) in ORDER.iter().enumerate() {
        let outcome = letters.chars().nth(*place).map_or(Outcome::None, Outcome::of);
        let class = match outcome {
            Outcome::Broken => "bad",
            Outcome::Safe | Outcome::CutLease => "good",
            Outcome::Stuck | Outcome::CutShort => "inf",
            Outcome::None => "",
        };
        let word = PROTECTIONS[*place].word;
        let button = made(
            r#"<button data-do="case {a} {b}" aria-label="{C}">{d}</button>"#,
            &[],
            &[&told.id, word, &text::case(text::standard(word), outcome), &outcome.mark_mute()],
        );
        let cell = r#"<td class="{a}{b}">{c}</td>"#;
        let last = on(i + 1 == LOCK_SIDE, " last");
        put(&mut cells, cell, &[], &[class, last, on(outcome != Outcome::None, &button)]);
    }
    let row = r#"<tr key="{a}" id="row-{a}"><th scope="row"><span>{B}</span><button class="lnk" data-do="open {a}">{C}</button></th>{d}</tr>"#;
    put(&mut out, row, &[], &[&told.id, &told.number, &told.title, &cells]);
    (letters, out)
}
