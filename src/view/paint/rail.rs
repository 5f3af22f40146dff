//! The rail: the one axis of true time beside all columns, and the story in a few short lines.

use crate::base::{Span, TrueTime};
use crate::view::Beat;
use crate::view::axis::Axis;
use crate::view::layout::Layout;
use crate::view::sight::Sight;
use crate::view::text::{bare, fill, instant, said, span};

/// The rail's SVG.
pub fn rail(axis: &Axis, layout: &Layout, beats: &[Beat], first_difference: Option<TrueTime>, sight: &Sight) -> String {
    let (w, h, x) = (layout.rail, axis.height(), layout.axis_x);
    let mut o = String::with_capacity(8 * 1024);
    fill(
        &mut o,
        r#"<svg class="dg rail" viewBox="0 0 {0} {1}" width="{0}" height="{1}" aria-hidden="true">"#,
        &[w, h],
        &[],
    );
    if !axis.rows().is_empty() {
        steps(&mut o, axis, layout, beats, first_difference, sight);
        o.push_str("</svg>");
        return o;
    }
    let top = axis.instants().first().map_or(0.0, |t| axis.y(*t));
    fill(&mut o, r#"<path class="axis" d="M{0} {1}V{2}"/>"#, &[x, top, h], &[]);
    // Ticks in one path: there may be thousands.
    o.push_str(r#"<path class="tick" d=""#);
    let mut last = f64::NEG_INFINITY;
    for t in axis.instants() {
        let y = axis.y(*t);
        if y - last >= 2.0 {
            last = y;
            if !sight.meets(y, y) {
                continue;
            }
            fill(&mut o, "M{0} {1}h-4", &[x, y], &[]);
        }
    }
    o.push_str(r#""/>"#);
    let times: Vec<f64> = beats.iter().map(|b| axis.y(b.at)).collect();
    let mut skip = f64::NEG_INFINITY;
    for (a, b) in axis.tears() {
        let y = axis.middle(*a, *b);
        let seen = sight.meets(y, y);
        if seen {
            fill(
                &mut o,
                r#"<path class="cut" d="M{0} {1}l12-4v-2.4l-12 4Z"/><path class="tearl" d="M{0} {1}l12-4m-12 1.6l12-4"/>"#,
                &[x - 6.0, y + 3.2],
                &[],
            );
        }
        if !seen && layout.captions {
            continue;
        }
        if layout.captions {
            fill(
                &mut o,
                r#"<text class="skip" x="{0}" y="{1}">{a}</text>"#,
                &[x + 9.0, y + 3.6],
                &[&span(b.since(*a))],
            );
            continue;
        }
        // On a narrow rail skipped times and beats share the left side.
        let i = times.partition_point(|t| *t < y);
        let lo = if i == 0 { f64::NEG_INFINITY } else { times[i - 1] + 11.5 };
        let hi = times.get(i).map_or(f64::INFINITY, |t| t - 11.5);
        let at = y.max(lo).min(hi);
        if lo <= hi && at - skip >= 11.5 {
            if seen {
                fill(
                    &mut o,
                    r#"<text class="skip" x="{0}" y="{1}" text-anchor="end">{a}</text>"#,
                    &[x - 9.0, at + 3.4],
                    &[&near_span(b.since(*a))],
                );
            }
            // Also one that is not in sight: whether the next one is written does not depend on what is.
            skip = at;
        }
    }
    for b in beats {
        let y = axis.y(b.at);
        fill(
            &mut o,
            r#"<path class="beat" d="M{0} {1}H{2}"/><circle class="dot" cx="{0}" cy="{1}" r="2.5"/>"#,
            &[x, y, w],
            &[],
        );
        if layout.captions {
            fill(
                &mut o,
                r#"<text class="bt" x="{0}" y="{1}" text-anchor="end">{a}</text>"#,
                &[x - 10.0, y + 4.0],
                &[&instant(b.at)],
            );
            for (i, line) in b.caption.iter().enumerate() {
                fill(
                    &mut o,
                    r#"<text class="bc" x="{0}" y="{1}" text-anchor="end">{A}</text>"#,
                    &[x - 10.0, y + 18.0 + 14.0 * i as f64],
                    &[line],
                );
            }
        } else {
            fill(
                &mut o,
                r#"<text class="bt" x="{0}" y="{1}" text-anchor="end" font-size="11">{a}</text>"#,
                &[x - 8.0, y + 4.0],
                &[&near(b.at)],
            );
        }
    }
    if let Some(t) = first_difference {
        let y = axis.y(t);
        fill(
            &mut o,
            r#"<path class="div" d="M{0} {1}H{2}"/><path class="dia" d="M{0} {3}l5.5 5.5-5.5 5.5-5.5-5.5Z"/>"#,
            &[x, y, w, y - 5.5],
            &[],
        );
    }
    o.push_str("</svg>");
    o
}

/// Rows have no length: no axis, no ticks, each row's instant and its number.
fn steps(
    o: &mut String,
    axis: &Axis,
    layout: &Layout,
    beats: &[Beat],
    first_difference: Option<TrueTime>,
    sight: &Sight,
) {
    let (w, x) = (layout.rail, layout.axis_x);
    let mut last = None;
    for (n, (t, y)) in axis.rows().iter().enumerate() {
        let new = last.replace(*t) != Some(*t);
        if !sight.meets(*y, *y) {
            continue;
        }
        // What arrives is told where it was sent: a level arrow has one row.
        let parts = first_difference.is_some_and(|d| axis.y(d) == *y);
        let bold = new && (parts || beats.iter().any(|b| axis.y(b.at) == *y));
        if bold && !parts {
            fill(o, r#"<path class="beat" d="M{0} {1}H{2}"/>"#, &[x + 12.0, *y, w], &[]);
        }
        let class = if bold { "bt" } else { "bc" };
        // The number has its place where there is one for words.
        let right = if layout.captions { x - 22.0 } else { x - 5.0 };
        if new {
            let time = if layout.captions { instant(*t) } else { near(*t) };
            let text = r#"<text class="{a}" x="{0}" y="{1}" text-anchor="end" font-size="11">{b}</text>"#;
            fill(o, text, &[right, y + 4.0], &[class, &time]);
        }
        if layout.captions {
            let number = r#"<text class="skip" x="{0}" y="{1}" text-anchor="end">{2}</text>"#;
            fill(o, number, &[x + 4.0, y + 4.0, n as f64 + 1.0], &[]);
        }
    }
    if let Some(t) = first_difference {
        let (x, y) = (if layout.captions { x + 18.0 } else { x + 4.5 }, axis.y(t));
        fill(
            o,
            r#"<path class="div" d="M{0} {1}H{2}"/><path class="dia" d="M{0} {3}l5.5 5.5-5.5 5.5-5.5-5.5Z"/>"#,
            &[x, y, w, y - 5.5],
            &[],
        );
    }
}

/// An instant on a narrow rail: to the millisecond, with a sign where that is not all of it. The list has the rest.
fn near(at: TrueTime) -> String {
    let ms = TrueTime::from_ms(at.as_us() / 1_000);
    if ms == at { bare(at) } else { said("~{a}", &[&bare(ms)]) }
}

/// Skipped time on a narrow rail.
fn near_span(d: Span) -> String {
    let ms = Span::from_ms(d.as_us() / 1_000);
    if ms == d || ms == Span::ZERO || d.as_us() >= 1_000_000 { span(d) } else { said("~{a}", &[&span(ms)]) }
}
