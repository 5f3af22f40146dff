//! The cursor over the picture, and what is lit in it. Both are laid over the picture: it is never drawn again for them.

use super::markup::{on, put};
use crate::app::causes::{causes, effects};
use crate::app::{Cursor, Mark, Scene};
use crate::base::{TrueTime, time::seconds};
use crate::view::text::{fill, whole};

/// The instant at a height of the picture; `None`: at the end. Near an instant at which something happens, that instant: a pointer
/// cannot hit a millisecond that is a tenth of a pixel high.
pub fn pick(scene: &Scene, y: f64) -> Option<TrueTime> {
    /// px within which the cursor snaps.
    const NEAR: f64 = 4.0;
    let axis = &scene.picture.axis;
    // Whole milliseconds: nobody aims at a microsecond.
    let mut at = TrueTime::from_us(axis.time(y).as_us() / 1_000 * 1_000);
    let mut nearest = NEAR;
    for t in scene.instants() {
        let distance = (axis.y(*t) - y).abs();
        if distance < nearest {
            (at, nearest) = (*t, distance);
        }
    }
    (at < scene.end()).then_some(at)
}

/// The hairline with its time; what is not yet, under a veil. At the end of the story there is neither.
///
/// A layer of its own in the grid, moved by one style: an `svg` around a line would be one more thing to size.
pub fn hairline(out: &mut String, scene: &Scene, cursor: &Cursor) {
    let Some(at) = cursor.at else { return };
    let layout = &scene.picture.layout;
    let y = scene.picture.axis.y(at);
    // Over the times of the rail, so that it covers one that says the same.
    let width = if layout.captions { 66.0 } else { 48.0 };
    let time = if layout.captions { at.to_string() } else { seconds(at.as_us()) };
    let numbers = [y, layout.rail, layout.axis_x, layout.axis_x - 4.0 - width, width];
    out.push_str(r#"<div class="cursor" aria-hidden="true">"#);
    // What somebody singled out is looked at as a whole.
    let veil = r#"<div class="veil" style="top:{0}px;left:{1}px"></div>"#;
    fill(out, on(cursor.selected.is_none(), veil), &numbers, &[]);
    let hair = r#"<div class="hair" style="transform:translateY({0}px);left:{2}px"></div><span class="hairt" style="transform:translateY({0}px);left:{3}px;width:{4}px">{A}</span></div>"#;
    fill(out, hair, &numbers, &[&time]);
}

/// Lights what is hovered and what is selected, by a few lines of style that name events: no shape and no row is drawn again.
pub fn lit(out: &mut String, scene: &Scene, cursor: &Cursor, front: usize) {
    const HIT: &str = "stroke:var(--focus);stroke-opacity:.22";
    const MESSAGE: &str = "stroke:var(--ink);stroke-width:1.8";
    const WORD: &str = "fill:var(--ink)";
    let mut css = String::new();
    if let Some(selection) = &cursor.selected {
        let mut marks: Vec<Mark> = Vec::new();
        for seq in selection.seqs.iter() {
            for mark in scene.story.carried(Mark { column: selection.column, seq: *seq }) {
                marks.extend(scene.story.twins(mark));
            }
        }
        if !marks.is_empty() {
            css.push_str(".body [data-seq]{opacity:.3}");
            rule(&mut css, &marks, "", "opacity:1");
            rule(&mut css, &marks, " .hit", HIT);
            rule(&mut css, &marks, ".hit", HIT);
        }
    }
    if let Some(mark) = cursor.hover {
        let marks = scene.story.twins(mark);
        rule(&mut css, &marks, "", "opacity:1");
        rule(&mut css, &marks, " .msg:not(.key)", MESSAGE);
        rule(&mut css, &marks, ".msg:not(.key)", MESSAGE);
        rule(&mut css, &marks, " text", WORD);
        rule(&mut css, &marks, "text", WORD);
        related(&mut css, scene, mark, front);
        for m in marks.iter().filter(|m| m.column == front) {
            fill(&mut css, r#".evl [data-seq="{a}"]"#, &[], &[&whole(u64::from(m.seq.0))]);
            css.push_str("{background:var(--sel);color:var(--ink)}");
        }
    }
    put(out, "<style>{a}</style>", &[], &[&css]);
}

/// What led to an event and what came of it, lit in its own column and in the list.
fn related(css: &mut String, scene: &Scene, mark: Mark, front: usize) {
    /// More than this is no help, and would cost a person's patience.
    const MOST: usize = 60;
    let Some(run) = scene.story.runs.get(mark.column) else { return };
    let mut seqs = causes(&run.log, mark.seq);
    seqs.extend(effects(&run.log, mark.seq).into_iter().take(MOST));
    let marks: Vec<Mark> = seqs.into_iter().map(|seq| Mark { column: mark.column, seq }).collect();
    rule(css, &marks, "", "opacity:1");
    rule(css, &marks, " .msg:not(.key)", "stroke:var(--ink);stroke-width:1.4");
    rule(css, &marks, "text", "fill:var(--ink)");
    if mark.column == front {
        for m in &marks {
            fill(
                css,
                r#".evl [data-seq="{a}"]{b}"#,
                &[],
                &[&whole(u64::from(m.seq.0)), "{box-shadow:inset 2px 0 var(--ink3)}"],
            );
        }
    }
}

/// The full words of what is hovered or has the keyboard, where there was no room for them.
pub fn tip(out: &mut String, scene: &Scene, cursor: &Cursor, front: usize) {
    let Some(mark) = cursor.hover else { return };
    let mut left = scene.picture.layout.rail;
    for i in super::columns::shown(scene, front) {
        let c = &scene.picture.columns[i];
        if i == mark.column {
            let Some(tip) = c.body.tip(mark.seq) else { return };
            out.push_str(r#"<div class="cursor" aria-hidden="true">"#);
            let text = r#"<span class="tip" style="left:{0}px;top:{1}px">{A}</span></div>"#;
            fill(out, text, &[left + tip.x, tip.y], &[&tip.text]);
            return;
        }
        left += c.width;
    }
}

/// One rule for all `marks` in their columns. `part`: a selector that continues the event's own.
fn rule(css: &mut String, marks: &[Mark], part: &str, what: &str) {
    for (i, m) in marks.iter().enumerate() {
        let selector = r#"{a}.body[data-col="{b}"] [data-seq="{c}"]{d}"#;
        let comma = on(i > 0, ",");
        fill(css, selector, &[], &[comma, &whole(m.column as u64), &whole(u64::from(m.seq.0)), part]);
    }
    if !marks.is_empty() {
        css.push('{');
        css.push_str(what);
        css.push('}');
    }
}
