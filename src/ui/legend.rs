//! What the marks mean: under the picture those that occur in it. The full list is in the help panel.

use super::markup::{made, put};
use crate::app::{Scene, text};
use crate::base::pieces::divide;
use crate::view::text::fill;

/// The marks, drawn small as they are in the picture, in the order of [`text::sign`]: width, height, and what is in between.
const SIGNS: [&str; 19] = [
    r#"10 18 <rect class="lease w1" width="10" height="18" rx="1.5"/>"#,
    r#"12 18 <rect class="belief w1" x="1" y="1" width="10" height="16"/>"#,
    r#"12 18 <rect class="belief stale" x="1" y="1" width="10" height="16"/>"#,
    // Drawn line by line: a pattern would need an id, and two keys can stand on one page.
    r#"16 18 <path class="hatch" d="M0 4L4 0M0 11L11 0M0 18L16 2M7 18L16 9M14 18L16 16"/>"#,
    r#"15 15 <g class="tok w1"><rect width="15" height="15" rx="3.5"/><text x="7.5" y="11.5" text-anchor="middle">1</text></g>"#,
    r#"14 10 <path class="tearl" d="M0 8.5L14 4.5M0 5.5L14 1.5"/>"#,
    r#"12 12 <path class="dia" d="M6 .5l5.5 5.5-5.5 5.5-5.5-5.5Z"/>"#,
    r#"26 12 <path class="msg" d="M0 6H19"/><path class="head m" d="M26 6l-8 3.5v-7Z"/>"#,
    r#"26 12 <path class="msg reply" d="M0 6H19"/><path class="head m" d="M26 6l-8 3.5v-7Z"/>"#,
    r#"26 12 <path class="msg key w1" d="M0 6H19"/><path class="head w1" d="M26 6l-8 3.5v-7Z"/>"#,
    r#"22 12 <path class="msg" d="M0 6H13"/><path class="xx lost" d="M12 2l8 8m0-8l-8 8"/>"#,
    r#"19 19 <g class="mark bad"><circle cx="9.5" cy="9.5" r="8.5"/><path d="M6.5 6.5l6 6m0-6l-6 6"/></g>"#,
    r#"19 19 <g class="mark good"><circle cx="9.5" cy="9.5" r="8.5"/><path d="M5.5 5.5l8 8"/></g>"#,
    r#"24 16 <g class="zone"><rect width="24" height="16"/><path d="M0 .5H24M0 15.5H24"/></g>"#,
    r#"12 16 <path class="xx" d="M1 3l10 10m0-10l-10 10"/>"#,
    r#"24 16 <rect class="cutb" width="24" height="16"/><path class="cutl" d="M0 .5H24M0 15.5H24"/>"#,
    r#"8 8 <circle class="ballot w1" cx="4" cy="4" r="3.2"/>"#,
    r#"22 8 <circle class="ballot no" cx="4" cy="4" r="2.8"/><path class="noans" d="M14 1l6 6m0-6l-6 6"/>"#,
    r#"12 16 <path class="kink" d="M8 0V6L4 10V16"/>"#,
];

/// The order in the help panel.
const IN_HELP: [usize; 19] = [7, 8, 9, 4, 10, 0, 1, 2, 13, 3, 14, 15, 16, 17, 18, 11, 12, 5, 6];

/// The key under the picture, in line with the columns where these begin beside a rail with words.
pub fn legend(out: &mut String, scene: &Scene) {
    let layout = &scene.picture.layout;
    let left = if layout.captions && layout.columns > 1 && layout.rail > 150.0 { layout.rail } else { 0.0 };
    fill(out, r#"<div class="lgd" role="group" aria-label="{A}" style="padding-left:{0}px">"#, &[left], &[text::KEY]);
    for (i, s) in SIGNS.iter().enumerate().filter(|s| scene.picture.marks >> s.0 & 1 == 1) {
        put(out, "<span>{a}{B}</span>", &[], &[&sign(s), text::sign(i)]);
    }
    out.push_str("</div>");
    if layout.steps {
        let says = r#"<p class="lgd" style="padding-left:{0}px">{A}</p>"#;
        fill(out, says, &[left], &[text::drag::STEPS_SAYS]);
    }
}

/// Every mark with what it means, for the help panel.
pub fn all(out: &mut String) {
    for i in IN_HELP {
        put(out, "{a}<span>{B}</span>", &[], &[&sign(SIGNS[i]), text::sign_long(i)]);
    }
}

fn sign(sign: &str) -> String {
    let (w, rest) = divide(sign, " ");
    let (h, body) = divide(rest, " ");
    let svg = r#"<svg class="dg" width="{a}" height="{b}" viewBox="0 0 {a} {b}" aria-hidden="true">{c}</svg>"#;
    made(svg, &[], &[w, h, body])
}
