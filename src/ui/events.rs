//! The trace as text: one line per event of the design in front. It is what a screen reader reads, and it is tied to the picture:
//! hover, focus and click light the event there.

use super::markup::{made, on, put, yes};
use crate::app::{Cursor, Mark, Scene, text};
use crate::base::time::seconds;
use crate::trace::EventSeq;
use crate::view::text::whole;

/// Longest list that is shown at once. A run may have ten thousand events; the picture and the verdicts know them all.
const MOST: usize = 2_000;

const EVENTS: &str = r#"<section class="sec long" id="events">
<header><h2>{0}</h2>{a}</header>
<ol class="evl" aria-label="{B}" data-col="{c}" data-do="pick">{d}</ol>
{e}</section>"#;

pub fn events(out: &mut String, scene: &Scene, front: usize, cursor: &Cursor) {
    // What is singled out.
    let mut lit: Vec<EventSeq> = Vec::new();
    if let Some(s) = &cursor.selected {
        for seq in s.seqs.iter() {
            let twins = scene.story.twins(Mark { column: s.column, seq: *seq });
            lit.extend(twins.iter().filter(|m| m.column == front).map(|m| m.seq));
        }
    }
    let lines = scene.lines(front);
    let mut rows = String::new();
    for line in lines.iter().take(MOST) {
        let is = lit.contains(&line.seq);
        let hot = if line.hot { "hot" } else { "" };
        let row = r#"<li key="{a}"><button data-seq="{b}" class="{c}{d}" aria-pressed="{e}"><span>{a}</span><time>{f}</time><span>{G}</span></button></li>"#;
        let (n, seq, at) = (whole(line.n.into()), whole(line.seq.0.into()), seconds(line.at.as_us()));
        put(
            &mut rows,
            row,
            &[],
            &[&n, &seq, hot, on(is, if line.hot { " on" } else { "on" }), yes(is), &at, &line.text],
        );
    }
    let name = scene.story.runs.get(front).map(|r| r.design.as_str()).unwrap_or_default();
    let more = made(r#"<p class="hint">{A}</p>"#, &[], &[&text::more_events(MOST, lines.len())]);
    let args =
        [&choice(scene, front), &text::events_of(name), &front.to_string(), &rows, on(lines.len() > MOST, &more)];
    put(out, EVENTS, &[text::EVENTS], &args);
}

/// Whose events. Where there are tabs, they are the choice.
fn choice(scene: &Scene, front: usize) -> String {
    let mut out = String::new();
    if scene.story.runs.len() < 2 || scene.picture.layout.tabs {
        return out;
    }
    put(&mut out, r#"<div class="seg" role="group" aria-label="{0}">"#, &[text::DESIGN], &[]);
    for (i, run) in scene.story.runs.iter().enumerate() {
        let button = r#"<button key="{a}" aria-pressed="{b}" data-do="front {a}">{C}</button>"#;
        put(&mut out, button, &[], &[&i.to_string(), yes(i == front), &run.design]);
    }
    out + "</div>"
}
