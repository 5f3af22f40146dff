//! The rail: the one axis of true time beside all columns, and the story in a few short lines.

use crate::base::TrueTime;
use crate::view::Beat;
use crate::view::axis::Axis;
use crate::view::layout::Layout;
use crate::view::text::{bare, escape, instant, num, span};
use std::fmt::Write;

/// The rail's SVG.
pub fn rail(axis: &Axis, layout: &Layout, beats: &[Beat], first_difference: Option<TrueTime>) -> String {
    let (w, h, x) = (layout.rail, axis.height(), layout.axis_x);
    let mut o = String::with_capacity(8 * 1024);
    put!(
        o,
        r#"<svg class="dg rail" viewBox="0 0 {0} {1}" width="{0}" height="{1}" aria-hidden="true">"#,
        num(w),
        num(h)
    );
    let top = axis.instants().first().map_or(0.0, |t| axis.y(*t));
    put!(o, r#"<path class="axis" d="M{} {}V{}"/>"#, num(x), num(top), num(h));
    // Ticks in one path: there may be thousands.
    o.push_str(r#"<path class="tick" d=""#);
    let mut last = f64::NEG_INFINITY;
    for t in axis.instants() {
        let y = axis.y(*t);
        if y - last >= 2.0 {
            put!(o, "M{} {}h-4", num(x), num(y));
            last = y;
        }
    }
    o.push_str(r#""/>"#);
    let times: Vec<f64> = beats.iter().map(|b| axis.y(b.at)).collect();
    let mut skip = f64::NEG_INFINITY;
    for (a, b) in axis.tears() {
        let y = axis.middle(*a, *b);
        let (y0, y1, y2, y3) = (num(y + 3.2), num(y - 0.8), num(y - 3.2), num(y + 0.8));
        let (x0, x1) = (num(x - 6.0), num(x + 6.0));
        put!(
            o,
            r#"<path class="cut" d="M{x0} {y0}L{x1} {y1}V{y2}L{x0} {y3}Z"/><path class="tearl" d="M{x0} {y0}L{x1} {y1}M{x0} {y3}L{x1} {y2}"/>"#
        );
        if layout.captions {
            put!(o, r#"<text class="skip" x="{}" y="{}">{}</text>"#, num(x + 9.0), num(y + 3.6), span(b.since(*a)));
            continue;
        }
        // On a narrow rail skipped times and beats share the left side.
        let i = times.partition_point(|t| *t < y);
        let lo = if i == 0 { f64::NEG_INFINITY } else { times[i - 1] + 11.5 };
        let hi = times.get(i).map_or(f64::INFINITY, |t| t - 11.5);
        let at = y.max(lo).min(hi);
        if lo <= hi && at - skip >= 11.5 {
            put!(
                o,
                r#"<text class="skip" x="{}" y="{}" text-anchor="end">{}</text>"#,
                num(x - 9.0),
                num(at + 3.4),
                span(b.since(*a))
            );
            skip = at;
        }
    }
    for b in beats {
        let y = axis.y(b.at);
        put!(
            o,
            r#"<path class="beat" d="M{} {}H{}"/><circle class="dot" cx="{0}" cy="{1}" r="2.5"/>"#,
            num(x),
            num(y),
            num(w)
        );
        if layout.captions {
            put!(
                o,
                r#"<text class="bt" x="{}" y="{}" text-anchor="end">{}</text>"#,
                num(x - 10.0),
                num(y + 4.0),
                instant(b.at)
            );
            for (i, line) in b.caption.iter().enumerate() {
                put!(
                    o,
                    r#"<text class="bc" x="{}" y="{}" text-anchor="end">{}</text>"#,
                    num(x - 10.0),
                    num(y + 18.0 + 14.0 * i as f64),
                    escape(line)
                );
            }
        } else {
            put!(
                o,
                r#"<text class="bt" x="{}" y="{}" text-anchor="end" font-size="11">{}</text>"#,
                num(x - 8.0),
                num(y + 4.0),
                bare(b.at)
            );
        }
    }
    if let Some(t) = first_difference {
        let y = axis.y(t);
        put!(
            o,
            r#"<path class="div" d="M{} {}H{}"/><path class="dia" d="M{0} {3}l5.5 5.5-5.5 5.5-5.5-5.5Z"/>"#,
            num(x),
            num(y),
            num(w),
            num(y - 5.5)
        );
    }
    o.push_str("</svg>");
    o
}
