//! The columns of the comparison: sticky heads, the rail, the bodies, all on one axis.
//!
//! The geometry is the view's; its SVG is put in as it comes. Shapes carry `data-seq`, their column `data-col`, and that is enough to
//! know what the pointer is on.

use super::markup::{made, on, put, yes};
use crate::app::text::drag as words;
use crate::app::{Scene, text};
use crate::view::lanes::LaneKind;
use crate::view::layout::Layout;
use crate::view::text::fill;
use crate::view::{Chip, Sight};

/// The designs that are drawn: all, or, where they do not fit beside each other, the one in front; where two fit, the first and the one in
/// front.
pub fn shown(scene: &Scene, front: usize) -> Vec<usize> {
    let (layout, count) = (&scene.picture.layout, scene.picture.columns.len());
    match (layout.tabs, layout.columns) {
        (false, _) => (0..count).collect(),
        (true, 2) => vec![0, front.clamp(1, count - 1)],
        _ => (front.min(count)..(front + 1).min(count)).collect(),
    }
}

/// The attributes of the element that holds the columns.
pub fn style(scene: &Scene, front: usize) -> String {
    let layout = &scene.picture.layout;
    let mut out = made(
        r#"class="cols{a}{b}" data-do="pick""#,
        &[],
        &[on(layout.tabs && layout.columns < 2, " tabs"), on(layout.scroll, " wide")],
    );
    fill(&mut out, r#" style="grid-template-columns:{0}px"#, &[layout.rail], &[]);
    for i in shown(scene, front) {
        fill(&mut out, " {0}px", &[scene.picture.columns[i].width], &[]);
    }
    out.push('"');
    out
}

/// How far from the right edge of its corner the word over the axis ends. px.
pub fn corner(layout: &Layout) -> f64 {
    layout.rail - layout.axis_x + 8.0
}

/// What the columns consist of, but for the cursor, which is laid over them. `sight`: what of a column is drawn.
pub fn columns(out: &mut String, scene: &Scene, front: usize, sight: &dyn Fn(usize) -> Sight) {
    let picture = &scene.picture;
    let layout = &picture.layout;
    if !layout.tabs || layout.columns == 2 {
        out.push_str(r#"<div key="corner" class="ax0"></div>"#);
    }
    // Name, verdict, and the one sentence about it.
    for i in shown(scene, front) {
        let (c, name) = (&picture.columns[i], &scene.story.runs[i].design);
        let head = r#"<div key="d{a}" class="dh"><h2><span>{B}</span>{c}</h2><p>{D}</p>{e}</div>"#;
        // Behind tabs the verdict stands in the tab, where nothing else can be pressed.
        let why = if layout.tabs && has_reasons(c.chip) {
            made(r#"<button class="lk" data-do="why {a}">{0}</button>"#, &[text::WHY], &[&i.to_string()])
        } else {
            String::new()
        };
        put(out, head, &[], &[&i.to_string(), name, &asked(c.chip, i), &c.sentence, &why]);
    }
    let axis = r#"<div key="axis" class="ax0 stk" style="padding-right:{0}px" title="{A}">{c}<span>{B}</span></div>"#;
    let (title, word) =
        if layout.steps { (words::STEPS_SAYS, words::STEPS) } else { (text::TRUE_TIME_TITLE, text::TRUE_TIME) };
    let zoom = if layout.captions && !layout.steps { zoom() } else { String::new() };
    fill(out, axis, &[corner(layout)], &[title, word, &zoom]);
    for i in shown(scene, front) {
        let c = &picture.columns[i];
        let mut buttons = String::new();
        for (lane, l) in c.lanes.iter().enumerate() {
            let button = r#"<button key="{c}" id="{d}h{a}-{c}" class="hb" style="left:{0}px" aria-haspopup="menu" aria-label="{B}" data-do="lane {a} {c}"></button>"#;
            let (x, n) = ((l.x + l.right) / 2.0, lane.to_string());
            fill(&mut buttons, button, &[x], &[&i.to_string(), &words::head(&l.name), &n, &layout.prefix]);
            if l.kind == LaneKind::Group && !layout.unfolded {
                let apart = r#"<button key="n{a}" class="ug" style="left:{0}px" aria-label="{B}" title="{B}" data-do="nodes">‹›</button>"#;
                fill(&mut buttons, apart, &[x + 12.0], &[&n, words::UNFOLD_NODES]);
            }
        }
        put(out, r#"<div key="h{a}" class="stk hds">{b}{c}</div>"#, &[], &[&i.to_string(), &c.heads, &buttons]);
    }
    put(
        out,
        r#"<div key="rail" class="rail" data-do="" data-drag="rail">{a}</div>"#,
        &[],
        &[&picture.rail(&sight(usize::MAX))],
    );
    for (place, i) in shown(scene, front).into_iter().enumerate() {
        let body = r#"<div key="b{a}" class="body" style="grid-area:3/{b}" data-col="{a}">{c}</div>"#;
        put(out, body, &[], &[&i.to_string(), &(place + 2).to_string(), &picture.columns[i].body.svg(&sight(i))]);
    }
}

/// On paper nothing is behind a tab: what is not in front follows below, each beside the first where two fit.
pub fn behind_tabs(out: &mut String, scene: &Scene, front: usize) {
    let seen = shown(scene, front);
    for i in (0..scene.picture.columns.len()).filter(|i| !seen.contains(i)) {
        let mut inner = String::new();
        columns(&mut inner, scene, i, &|_| Sight::ALL);
        put(out, r#"<div key="paper{a}" {b}>{c}</div>"#, &[], &[&i.to_string(), &style(scene, i), &inner]);
    }
}

/// Buttons that make the picture taller and less tall.
fn zoom() -> String {
    let mut out = String::new();
    put(&mut out, r#"<div class="zm" role="group" aria-label="{0}">"#, &[words::ZOOM], &[]);
    for (word, sign, says) in
        [("out", "−", words::ZOOM_OUT), ("fit", "◦", words::ZOOM_FIT), ("in", "+", words::ZOOM_IN)]
    {
        let button = r#"<button aria-label="{0}" title="{0}" data-do="zoom {a}">{b}</button>"#;
        put(&mut out, button, &[says], &[word, sign]);
    }
    out.push_str("</div>");
    out
}

/// A verdict that can be asked why, where there is something to say.
fn asked(verdict: Chip, column: usize) -> String {
    if !has_reasons(verdict) {
        return chip(verdict);
    }
    let (class, icon) = looks(verdict);
    let button = r#"<button class="vd {a}" data-do="why {b}" title="{0}"><ic {c}>{D}</button>"#;
    made(button, &[text::WHY_TITLE], &[class, &column.to_string(), icon, text::chip(verdict)])
}

/// A verdict as glyph, word and colour: never one of them alone.
fn chip(chip: Chip) -> String {
    let (class, icon) = looks(chip);
    made(r#"<span class="vd {a}"><ic {b}>{C}</span>"#, &[], &[class, icon, text::chip(chip)])
}

const fn has_reasons(verdict: Chip) -> bool {
    matches!(verdict, Chip::Unsafe | Chip::Stuck)
}

const fn looks(chip: Chip) -> (&'static str, &'static str) {
    match chip {
        Chip::Unsafe => ("bad", "x"),
        Chip::Safe => ("good", "ok"),
        Chip::Stuck => ("info", "inf"),
        Chip::CutShort => ("info", "dots"),
    }
}

/// Designs as tabs, each with its verdict, where columns do not fit beside each other.
pub fn tabs(out: &mut String, scene: &Scene, front: usize) {
    if !scene.picture.layout.tabs {
        return;
    }
    let seen = shown(scene, front);
    let pair = on(seen.len() > 1, r#" aria-multiselectable="true""#);
    put(out, r#"<div class="ptabs" role="tablist" aria-label="{0}"{a}>"#, &[text::DESIGN], &[pair]);
    for (i, c) in scene.picture.columns.iter().enumerate() {
        let in_front = i == front;
        let tab = r#"<button key="{a}" id="tab-{a}" role="tab" aria-selected="{b}" tabindex="{c}" data-do="front {a}"><span>{D}</span>{e}</button>"#;
        let stop = if in_front { "0" } else { "-1" };
        put(out, tab, &[], &[&i.to_string(), yes(seen.contains(&i)), stop, &scene.story.runs[i].design, &chip(c.chip)]);
    }
    out.push_str("</div>");
}
