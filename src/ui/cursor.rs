//! The cursor over the picture, and what is lit in it. Both are laid over the picture: it is never drawn again for them.

use super::context::{SceneRef, use_cursor, use_document};
use crate::app::{Mark, Scene};
use crate::base::{TrueTime, time::seconds};
use crate::view::text::num;
use std::fmt::Write;
use yew::prelude::*;

/// The instant at a height of the picture; `None`: at the end. Near an instant at which something happens, that instant: a pointer
/// cannot hit a millisecond that is a tenth of a pixel high.
pub fn pick(scene: &Scene, y: f64) -> Option<TrueTime> {
    /// px within which the cursor snaps.
    const NEAR: f64 = 4.0;
    let axis = &scene.picture.axis;
    let at = axis.time(y);
    let instants = scene.instants();
    let after = instants.partition_point(|t| *t < at);
    let nearest = [after.checked_sub(1), Some(after)]
        .into_iter()
        .flatten()
        .filter_map(|i| instants.get(i).copied())
        .map(|t| (t, (axis.y(t) - y).abs()))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    let at = match nearest {
        Some((t, distance)) if distance <= NEAR => t,
        // Whole milliseconds: nobody aims at a microsecond.
        _ => TrueTime::from_us(at.as_us() / 1_000 * 1_000),
    };
    (at < scene.end()).then_some(at)
}

#[derive(Properties, PartialEq)]
pub struct HairlineProps {
    pub scene: SceneRef,
}

/// The hairline with its time; what is not yet, under a veil. At the end of the story there is neither.
///
/// A layer of its own in the grid, moved by one style: an `svg` around a line would be one more thing to size.
#[component]
pub fn Hairline(props: &HairlineProps) -> Html {
    let cursor = use_cursor();
    let Some(at) = cursor.at else { return html! {} };
    let picture = &props.scene.0.picture;
    let y = num(picture.axis.y(at));
    // Over the times of the rail, so that it covers one that says the same.
    let layout = &picture.layout;
    let width = if layout.captions { 66.0 } else { 48.0 };
    let label =
        format!("transform:translateY({y}px);left:{}px;width:{}px", num(layout.axis_x - 4.0 - width), num(width));
    let time = if layout.captions { at.to_string() } else { seconds(at.as_us()) };
    html! {
        <div class="cursor" aria-hidden="true">
            // What somebody singled out is looked at as a whole.
            if cursor.selected.is_none() {
                <div class="veil" style={format!("top:{y}px;left:{}px", num(picture.layout.rail))}></div>
            }
            <div class="hair" style={format!("transform:translateY({y}px);left:{}px", num(picture.layout.axis_x))}></div>
            <span class="hairt" style={label}>{ time }</span>
        </div>
    }
}

/// Lights what is hovered and what is selected, by a few lines of style that name events: no shape and no row is drawn again.
#[component]
pub fn Lit() -> Html {
    let cursor = use_cursor();
    let document = use_document();
    let Some(scene) = &document.scene else { return html! {} };
    let mut css = String::new();
    if let Some(selection) = &cursor.selected {
        let marks: Vec<Mark> = selection
            .seqs
            .iter()
            .flat_map(|seq| scene.story.carried(Mark { column: selection.column, seq: *seq }))
            .flat_map(|mark| scene.story.twins(mark))
            .collect();
        if !marks.is_empty() {
            css.push_str(".body [data-seq]{opacity:.3}");
            rule(&mut css, &marks, "", "opacity:1");
            rule(&mut css, &marks, " .hit", "stroke:var(--focus);stroke-opacity:.22");
            rule(&mut css, &marks, ".hit", "stroke:var(--focus);stroke-opacity:.22");
        }
    }
    if let Some(mark) = cursor.hover {
        let marks = scene.story.twins(mark);
        rule(&mut css, &marks, "", "opacity:1");
        rule(&mut css, &marks, " .msg:not(.key)", "stroke:var(--ink);stroke-width:1.8");
        rule(&mut css, &marks, ".msg:not(.key)", "stroke:var(--ink);stroke-width:1.8");
        rule(&mut css, &marks, " text", "fill:var(--ink)");
        rule(&mut css, &marks, "text", "fill:var(--ink)");
        let front = document.doc.front;
        for m in marks.iter().filter(|m| m.column == front) {
            let _ = write!(css, ".evl [data-seq=\"{}\"]{{background:var(--sel);color:var(--ink)}}", m.seq.0);
        }
    }
    html! { <style>{ css }</style> }
}

/// One rule for all `marks` in their columns. `part`: a selector that continues the event's own.
fn rule(css: &mut String, marks: &[Mark], part: &str, what: &str) {
    if marks.is_empty() {
        return;
    }
    for (i, m) in marks.iter().enumerate() {
        // Writing into a string does not fail.
        let _ =
            write!(css, "{}[data-col=\"{}\"] [data-seq=\"{}\"]{part}", if i > 0 { "," } else { "" }, m.column, m.seq.0);
    }
    let _ = write!(css, "{{{what}}}");
}
