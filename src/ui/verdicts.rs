//! The verdict table: designs across promises. A cell is a word, a glyph and a colour; a press on a broken one singles out the events
//! that prove it.

use super::markup::{made, put, yes};
use crate::app::{Cursor, Scene, text};
use crate::check::report::{Property, Verdict};

const TABLE: &str = r#"<section class="sec" id="verdicts"><h2>{0}</h2>
<table class="vt">
<thead><tr><th><span class="vh">{1}</span></th>{a}</tr></thead>
<tbody>{b}</tbody>
</table>
{c}</section>"#;

pub fn verdicts(out: &mut String, scene: &Scene, cursor: &Cursor) {
    let columns = columns(scene);
    // The cell whose witnesses are singled out.
    let pressed = cursor.selected.as_ref().and_then(|s| Some((s.column, s.verdict?)));
    let (mut heads, mut rows, mut proof) = (String::new(), String::new(), String::new());
    for p in &columns {
        put(&mut heads, r#"<th scope="col">{A}</th>"#, &[], &[p.promise()]);
    }
    for (i, run) in scene.story.runs.iter().enumerate() {
        put(&mut rows, r#"<tr><th scope="row">{A}</th>"#, &[], &[&run.design]);
        for p in &columns {
            let cell = cell(scene, i, *p, pressed == Some((i, *p)));
            put(&mut rows, r#"<td data-p="{A}">{b}</td>"#, &[], &[p.promise(), &cell]);
        }
        rows.push_str("</tr>");
    }
    if let Some((column, property)) = pressed {
        sentence(&mut proof, scene, column, property);
    }
    put(out, TABLE, &[text::VERDICTS, text::DESIGN], &[&heads, &rows, &proof]);
}

/// What is judged, without what was reached in no run; then the notes that say something. Beliefs last: information, no verdict.
fn columns(scene: &Scene) -> Vec<Property> {
    let judged = scene.story.judged();
    let runs = &scene.story.runs;
    let mut list: Vec<Property> = Vec::new();
    for p in judged {
        if runs.iter().any(|r| *r.report.verdict(*p) != Verdict::NotReached) {
            list.push(*p);
        }
    }
    for p in Property::ALL {
        if !judged.contains(&p) && p != Property::BeliefOverlap && runs.iter().any(|r| r.report.violated(p)) {
            list.push(p);
        }
    }
    if !list.contains(&Property::BeliefOverlap) {
        list.push(Property::BeliefOverlap);
    }
    list
}

fn cell(scene: &Scene, column: usize, property: Property, pressed: bool) -> String {
    let story = &scene.story;
    let judged = story.judged().contains(&property);
    match story.runs[column].report.verdict(property) {
        Verdict::Holds => {
            let class = if judged { "good" } else { "info" };
            made(r#"<span class="c {a}"><ic ok>{0}</span>"#, &[text::HELD], &[class])
        }
        Verdict::NotReached => {
            let none = r#"<span class="c none" title="{0}">{1}</span>"#;
            made(none, &[text::NOT_REACHED_TITLE, text::NOT_REACHED], &[])
        }
        Verdict::Violated(v) => {
            let words = match (judged, v.property, v.length) {
                (false, Property::BeliefOverlap, Some(length)) => {
                    made("<span>{A}</span>", &[], &[&text::two_for(&length.to_string())])
                }
                _ => made("<span>{0} <small>{A}</small></span>", &[text::BROKEN], &[&v.at.to_string()]),
            };
            let (class, icon) = if judged { ("bad", "x") } else { ("info", "inf") };
            let button = r#"<button class="c {a}" aria-pressed="{b}" title="{C}" data-do="verdict {d} {e}"><ic {f}>{g}</button>"#;
            let column = column.to_string();
            made(button, &[], &[class, yes(pressed), &v.sentence, &column, property.word(), icon, &words])
        }
    }
}

/// The violation in words, under the table.
fn sentence(out: &mut String, scene: &Scene, column: usize, property: Property) {
    let Some(run) = scene.story.runs.get(column) else { return };
    let Some(v) = run.report.verdict(property).violation() else { return };
    let proof = r#"<p class="wit" role="status"><span><b>{A}</b>: {B}</span><button class="lk" data-do="why {c} {d}">{1}</button><button class="lk" data-do="clear">{0}</button></p>"#;
    let args = [&run.design, &v.sentence, &column.to_string(), property.word()];
    put(out, proof, &[text::CLEAR, text::WHY], &args);
}
