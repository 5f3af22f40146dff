//! Participants on top of a column: chips for workers, a padlock for what locks, a cylinder for what is protected.

use crate::view::lanes::{LaneKind, hue, striped};
use crate::view::layout::{Layout, Places};
use crate::view::sequence::Sequence;
use crate::view::text::{clip, fill, width, width_bold};

const PADLOCK: &str = r#"<path d="M-4.5-1v-3.2a4.5 4.5 0 0 1 9 0V-1"/><rect x="-7" y="-1" width="14" height="10" rx="2"/><path d="M0 3v2.6"/>"#;
const CYLINDER: &str =
    r#"<path d="M-7-5.5v11c0 1.8 3.1 3.2 7 3.2s7-1.4 7-3.2v-11"/><ellipse cx="0" cy="-5.5" rx="7" ry="3"/>"#;

/// The head of a column, `layout.heads` px high.
pub fn heads(seq: &Sequence, layout: &Layout, places: &Places, uid: &str) -> String {
    let h = layout.heads;
    let mut o = String::with_capacity(2 * 1024);
    fill(
        &mut o,
        r#"<svg class="dg hd" viewBox="0 0 {0} {1}" width="{0}" height="{1}" aria-hidden="true">"#,
        &[places.width, h],
        &[],
    );
    if seq.lanes.lanes.iter().any(|l| l.kind == LaneKind::Worker && l.nodes.iter().any(|n| striped(*n))) {
        fill(
            &mut o,
            r#"<defs><pattern id="{a}-hs" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M1 0V4" class="stripe"/></pattern></defs>"#,
            &[],
            &[uid],
        );
    }
    for (i, lane) in seq.lanes.lanes.iter().enumerate() {
        let x = places.x(i);
        let name = if layout.short || layout.tiny { &lane.short } else { &lane.name };
        match lane.kind {
            LaneKind::Worker => chip(&mut o, lane.nodes[0], name, x, places.sp, uid, layout),
            LaneKind::Group => group(&mut o, seq, i, x, name, layout, places),
            LaneKind::Lock | LaneKind::Shard => {
                let glyph = if lane.kind == LaneKind::Lock { PADLOCK } else { CYLINDER };
                fill(&mut o, r#"<g class="glyph" transform="translate({0} 12.5)">{a}</g>"#, &[x], &[glyph]);
                if layout.tiny {
                    let room = places.x.get(i + 1).map_or(places.width - x - 13.0, |next| next - x - 24.0);
                    fill(
                        &mut o,
                        r#"<text class="nm" x="{0}" y="17" font-size="11">{A}</text>"#,
                        &[x + 13.0],
                        &[&fitting(name, room, 11.0)],
                    );
                } else {
                    under(&mut o, x, name, places.sp);
                }
            }
        }
        fill(&mut o, r#"<path class="life" d="M{0} {1}V{2}"/>"#, &[x, h - 4.0, h], &[]);
    }
    o.push_str("</svg>");
    o
}

fn chip(o: &mut String, node: crate::base::NodeId, name: &str, x: f64, sp: f64, uid: &str, layout: &Layout) {
    let mut name = name.to_string();
    let mut most = name.chars().count();
    while width_bold(&name, 12.0) + 10.0 > sp - 6.0 && most > 3 {
        most -= 1;
        name = clip(&name, most);
    }
    let w = (width_bold(&name, 12.0) + 10.0).max(30.0);
    fill(
        o,
        r#"<g class="who {a}"><rect x="{0}" y="3" width="{1}" height="20" rx="5"/>"#,
        &[x - w / 2.0, w],
        &[hue(node)],
    );
    if striped(node) {
        fill(
            o,
            r#"<rect x="{0}" y="18" width="{1}" height="4" style="fill:url(#{a}-hs)"/>"#,
            &[x - w / 2.0 + 3.0, w - 6.0],
            &[uid],
        );
    }
    fill(o, r#"<text x="{0}" y="17.4" text-anchor="middle">{A}</text></g>"#, &[x], &[&name]);
    if !layout.tiny && !layout.short {
        under(o, x, "worker", sp);
    }
}

/// A group of nodes: one padlock over a bracket as wide as the lane.
fn group(o: &mut String, seq: &Sequence, lane: usize, x: f64, name: &str, layout: &Layout, places: &Places) {
    let (left, right) = (x - layout.bar / 2.0, places.right_edge(lane, layout));
    let (mid, h) = ((left + right) / 2.0, layout.heads);
    if layout.unfolded && !layout.tiny {
        // The glyph gives way to letters: one over each node, a word over the bar.
        let nodes = &places.nodes[lane];
        fill(o, r#"<text class="nm" x="{0}" y="12" text-anchor="middle">{A}</text>"#, &[mid], &[name]);
        fill(o, r#"<path class="brk" d="M{0} 22V18H{1}V22"/>"#, &[left, right], &[]);
        let own = |n: &crate::base::NodeId| seq.lanes.name(*n);
        if nodes.first().is_some_and(|first| first - x >= 30.0) {
            fill(o, r#"<text class="nm" x="{0}" y="38" text-anchor="middle">lease</text>"#, &[x], &[]);
        }
        for (node, x) in seq.lanes.lanes[lane].nodes.iter().zip(nodes) {
            let letter = r#"<text class="nm nd" x="{0}" y="38" text-anchor="middle">{A}</text>"#;
            fill(o, letter, &[*x], &[&clip(own(node), 4)]);
        }
        return;
    }
    fill(o, r#"<g class="glyph" transform="translate({0} 11.5)">{a}</g>"#, &[mid], &[PADLOCK]);
    fill(o, r#"<path class="brk" d="M{0} {1}V{2}H{3}V{1}"/>"#, &[left, h, h - 4.0, right], &[]);
    if layout.tiny {
        fill(
            o,
            r#"<text class="nm" x="{0}" y="17" font-size="11">{1}</text>"#,
            &[mid + 13.0, seq.lanes.lanes[lane].nodes.len() as f64],
            &[],
        );
    } else {
        under(o, mid, name, places.sp);
    }
}

fn under(o: &mut String, x: f64, name: &str, sp: f64) {
    fill(
        o,
        r#"<text class="nm" x="{0}" y="38" text-anchor="middle">{A}</text>"#,
        &[x],
        &[&fitting(name, sp - 4.0, 12.0)],
    );
}

/// A name that loses its middle until it fits.
fn fitting(name: &str, room: f64, size: f64) -> String {
    let mut out = name.to_string();
    let mut most = name.chars().count();
    while width(&out, size) > room && most > 3 {
        most -= 1;
        out = clip(name, most);
    }
    out
}
