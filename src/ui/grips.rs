//! What can be moved on the picture, as elements over it: the picture itself is put in anew whenever it changes, and a hand or the
//! keyboard must not lose what it holds.

use super::columns::shown;
use super::markup::{on, put};
use crate::app::drag::{Drag, words};
use crate::app::{Scene, text};
use crate::base::flat::sort_by_key;
use crate::base::time::seconds;
use crate::view::Sight;
use crate::view::grips::Grip;
use crate::view::text::{fill, whole};

/// A layer over each column.
pub fn grips(out: &mut String, scene: &Scene, front: usize, drag: Option<&Drag>, sight: &dyn Fn(usize) -> Sight) {
    /// So many are few: they stand wherever they are, as elements that nothing has to be drawn for.
    const FEW: usize = 60;
    for (place, column) in shown(scene, front).into_iter().enumerate() {
        let c = &scene.picture.columns[column];
        let layer =
            r#"<div key="g{a}" class="grips{c}" style="grid-area:3/{b}" role="group" aria-label="{0}" data-col="{a}">"#;
        let (n, at) = (whole(column as u64), whole(place as u64 + 2));
        put(
            out,
            layer,
            &[text::drag::GRIPS],
            &[
                &n,
                &at,
                drag.map_or("", |d| [" dragging l1", " dragging l2", " dragging l3"][usize::from(d.lines - 1) % 3]),
            ],
        );
        let held = drag.filter(|d| d.held.column == column);
        // In an order that no move changes: an element that changes places with another one loses the keyboard.
        let (few, sight) = (c.grips.len() <= FEW, sight(column));
        let seen = |g: &Grip| {
            few || sight.meets(g.y, g.y) || sight.also == Some(g.seq) || held.is_some_and(|d| d.held.id == g.id)
        };
        let mut grips: Vec<&Grip> = Vec::with_capacity(c.grips.len());
        for g in c.grips.iter() {
            if seen(g) {
                grips.push(g);
            }
        }
        sort_by_key(&mut grips, |g| g.id.as_str());
        for g in grips {
            let (name, value) = words(scene, column, g);
            let is = held.is_some_and(|d| d.held.id == g.id);
            let grip = r#"<div key="{a}" class="grip {b}{c}" data-grip="{a}" data-seq="{d}" data-do="pick" role="slider" tabindex="-1" aria-orientation="vertical" aria-label="{E}" aria-valuenow="{f}" aria-valuetext="{G}""#;
            let (seq, now) = (whole(g.seq.0.into()), seconds(g.at.as_us()));
            put(out, grip, &[], &[&g.id, g.hold.letter(), on(is, " held"), &seq, &name, &now, &value]);
            fill(out, r#" style="left:{0}px;top:{1}px"></div>"#, &[g.x, g.y], &[]);
        }
        if let Some(drag) = held {
            tag(out, scene, column, drag);
        }
        out.push_str("</div>");
    }
}

/// The value beside what is moved, where there is room for it.
fn tag(out: &mut String, scene: &Scene, column: usize, drag: &Drag) {
    let c = &scene.picture.columns[column];
    let x = c.grips.iter().find(|g| g.id == drag.held.id).map_or(c.width / 2.0, |g| g.x);
    let y = scene.picture.axis.y(drag.to);
    let (side, x) = if x > c.width * 0.6 { ("right", c.width - x + 14.0) } else { ("left", x + 14.0) };
    let tag = r#"<span key="tag" class="gtag{b}" style="{a}:{0}px;top:{1}px">{C}</span>"#;
    fill(out, tag, &[x, y], &[side, on(drag.why.is_some(), " no"), &drag.says()]);
}
