//! The trace as text: one line per event of the design in front. It is what a screen reader reads, and it is tied to the picture:
//! hover, focus and click light the event there.

use super::markup::{made, on, put, yes};
use crate::app::seen::Seen;
use crate::app::{Cursor, Mark, Scene, text};
use crate::base::time::seconds;
use crate::trace::EventSeq;
use crate::view::EventLine;
use crate::view::text::{fill, whole};

/// Longest list that is shown. The picture and the verdicts know all events.
const MOST: usize = 20_000;

/// Longest list all lines of which are elements. A longer one stands in one column, and what of it is out of sight is text: it can be
/// searched and printed, and costs a page next to nothing.
const LONG: usize = 200;

/// So many lines become elements, or text, together; and how high each is, where it needs no second one. px
const BAND: usize = 50;
const LINE: f64 = 26.0;

const EVENTS: &str = r#"<section class="sec long" id="events">
<header><h2>{0}</h2>{a}</header>
<ol class="evl{f}" aria-label="{B}" data-col="{c}" data-do="pick">{d}</ol>
{e}</section>"#;

pub fn events(out: &mut String, scene: &Scene, front: usize, cursor: &Cursor, seen: &Seen) {
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
    let shown = &lines[..lines.len().min(MOST)];
    for (i, band) in shown.chunks(BAND).enumerate() {
        let (first, last) = (i * BAND, i * BAND + band.len());
        // The ends of the list are where the keyboard comes in.
        let end = first == 0 || last == shown.len();
        let near = (first as u32) < seen.last && seen.first < last as u32;
        let held = || cursor.hover.is_some_and(|m| m.column == front && band.iter().any(|l| l.seq == m.seq));
        if shown.len() <= LONG || end || near || held() {
            rows_of(&mut rows, band, &lit);
        } else {
            text_of(&mut rows, i, band);
        }
    }
    let name = scene.story.runs.get(front).map(|r| r.design.as_str()).unwrap_or_default();
    let more = made(r#"<p class="hint">{A}</p>"#, &[], &[&text::more_events(MOST, lines.len())]);
    let args = [
        &choice(scene, front),
        &text::events_of(name),
        &front.to_string(),
        &rows,
        on(lines.len() > MOST, &more),
        on(shown.len() > LONG, " one"),
    ];
    put(out, EVENTS, &[text::EVENTS], &args);
}

/// Lines out of sight.
fn text_of(out: &mut String, nth: usize, band: &[EventLine]) {
    fill(
        out,
        r#"<li key="b{0}" class="far" style="contain-intrinsic-height:{1}px">"#,
        &[nth as f64, LINE * band.len() as f64],
        &[],
    );
    for line in band {
        put(out, "{a} {b} {C}\n", &[], &[&whole(line.n.into()), &seconds(line.at.as_us()), &line.text]);
    }
    out.push_str("</li>");
}

/// Lines as what can be pressed.
fn rows_of(rows: &mut String, band: &[EventLine], lit: &[EventSeq]) {
    for line in band {
        let is = lit.contains(&line.seq);
        let hot = if line.hot { "hot" } else { "" };
        let row = r#"<li key="{a}"><button data-seq="{b}" class="{c}{d}" aria-pressed="{e}"><span>{a}</span><time>{f}</time><span>{G}</span></button></li>"#;
        let (n, seq, at) = (whole(line.n.into()), whole(line.seq.0.into()), seconds(line.at.as_us()));
        put(rows, row, &[], &[&n, &seq, hot, on(is, if line.hot { " on" } else { "on" }), yes(is), &at, &line.text]);
    }
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
