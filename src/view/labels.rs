//! Where the labels of messages stand: level text, near the worker, on no line and on no other text.
//!
//! Each message tries twelve places: the worker's end and the other one, above and below the line, at three distances from the bar. A place
//! costs what makes it worse to read; the choice is greedy in time order and then improved three times. What finds no good place is
//! dropped to its number: the full text stands in the list of events. Nothing is measured, so the same picture comes out everywhere.

use super::grid::{Boxes, Line, Lines, Movable, Rect};
use super::text;

/// A message that wants a label.
#[derive(Clone, Debug)]
pub struct Wish<'a> {
    /// From lane to lane, whole.
    pub line: Line,
    /// The end at which its worker stands is the first one (`x0`).
    pub worker_first: bool,
    /// See [`text::forms`]; empty: no label.
    pub forms: &'a str,
    pub bold: bool,
    /// Of two labels that cannot both stay, the one with the lower rank does.
    pub rank: u8,
}

/// A label with its place. px.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// Where the text starts (or ends).
    pub x: f64,
    pub base: f64,
    /// The text ends at `x` instead of starting there.
    pub end: bool,
    pub rect: Rect,
    pub text: String,
}

/// What the labels must keep clear of.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Bars and tears: better not.
    pub bars: &'a Boxes,
    pub tears: &'a Boxes,
    /// Notes, badges, marks: never.
    pub taken: &'a Boxes,
    /// Arrows.
    pub arrows: &'a Lines,
    /// Lifelines.
    pub lives: &'a [f64],
    pub width: f64,
    pub height: f64,
}

/// Sizes the placing depends on. px.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub font: f64,
    pub bar: f64,
}

/// A place that costs so much is worse than no label.
const TOO_DEAR: f64 = 20.0;
/// The highest rank.
const LEAST: u8 = 4;

struct Place {
    preference: f64,
    label: Label,
}

/// Places the labels; `None`: no wish, or no room.
pub fn place(wishes: &[Wish], ground: &Ground, sizes: Sizes) -> Vec<Option<Label>> {
    let mut form = vec![0usize; wishes.len()];
    let mut places: Vec<Vec<Place>> = wishes.iter().map(|w| candidates(w, 0, ground, sizes)).collect();
    let mut chosen: Vec<Option<usize>> = vec![None; wishes.len()];
    let mut taken = Movable::new(wishes.len());
    for pass in 0..5 {
        for i in 0..wishes.len() {
            // In the last pass a label that is still too dear tries its shorter forms.
            let shorter = if pass == 4 { text::parts(wishes[i].forms, text::FORM) - 1 } else { 0 };
            for attempt in 0..=shorter {
                if attempt > 0 {
                    form[i] += 1;
                    places[i] = candidates(&wishes[i], form[i], ground, sizes);
                }
                let best = cheapest(&places[i], i, &taken);
                chosen[i] = best.map(|b| b.0);
                taken.set(i, best.map(|b| places[i][b.0].label.rect));
                if best.is_none_or(|b| b.1 < TOO_DEAR) {
                    break;
                }
            }
        }
    }
    // Of those that cannot stay the least important go first.
    for rank in (0..=LEAST).rev() {
        for i in 0..wishes.len() {
            if wishes[i].rank == rank && chosen[i].is_none_or(|c| cost(&places[i][c], i, &taken) >= TOO_DEAR) {
                chosen[i] = None;
                taken.set(i, None);
            }
        }
    }
    chosen.iter().enumerate().map(|(i, c)| c.map(|c| places[i][c].label.clone())).collect()
}

/// The first of the cheapest places, and its cost.
fn cheapest(places: &[Place], owner: usize, taken: &Movable) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (i, p) in places.iter().enumerate() {
        // What is already dearer cannot win by hitting nothing.
        if best.is_some_and(|b| p.preference >= b.1) {
            continue;
        }
        let c = cost(p, owner, taken);
        if best.is_none_or(|b| c < b.1) {
            best = Some((i, c));
        }
    }
    best
}

fn cost(p: &Place, owner: usize, taken: &Movable) -> f64 {
    p.preference + 20.0 * taken.hits(owner, &p.label.rect, 2.0) as f64
}

/// The twelve places of a label, each with all of its cost that does not depend on other labels.
fn candidates(w: &Wish, form: usize, ground: &Ground, sizes: Sizes) -> Vec<Place> {
    let Some(text) = text::part(w.forms, text::FORM, form).filter(|t| !t.is_empty()) else { return Vec::new() };
    let fs = sizes.font;
    let width = if w.bold { text::width_bold(text, fs) } else { text::width(text, fs) };
    let l = w.line;
    let dx = l.x1 - l.x0;
    let slope = if dx == 0.0 { 0.0 } else { (l.y1 - l.y0) / dx };
    let ends =
        if w.worker_first { [(0.0, l.x0, l.x1), (1.3, l.x1, l.x0)] } else { [(0.0, l.x1, l.x0), (1.3, l.x0, l.x1)] };
    let mut out = Vec::with_capacity(12);
    for (far, end, other) in ends {
        let dir = if other > end { 1.0 } else { -1.0 };
        for off in [6.0, 14.0, 26.0] {
            let xa = end + dir * (sizes.bar / 2.0 + off);
            let xb = xa + dir * width;
            let (ya, yb) = (l.y0 + slope * (xa - l.x0), l.y0 + slope * (xb - l.x0));
            for (below, base) in [(0.0, ya.min(yb) - 3.5), (0.35, ya.max(yb) + fs * 0.74 + 2.5)] {
                let rect = Rect::text(xa.min(xb), width, base, fs);
                let label = Label { x: xa, base, end: dir < 0.0, rect, text: text.to_string() };
                out.push(Place { preference: far + below + (off - 6.0) * 0.03 + ground.cost(&rect), label });
            }
        }
    }
    out
}

impl Ground<'_> {
    /// What a place costs because of everything that does not move.
    fn cost(&self, r: &Rect) -> f64 {
        let outside = r.x0 < 2.0 || r.x1 > self.width - 2.0 || r.y0 < -4.0 || r.y1 > self.height + 4.0;
        3.0 * self.arrows.crossing(r) as f64
            + 8.0 * (self.bars.hits(r, 1.0) + self.tears.hits(r, 1.0)) as f64
            + 20.0 * self.taken.hits(r, 1.0) as f64
            + if outside { 30.0 } else { 0.0 }
            + self.lives.iter().filter(|x| r.x0 < **x && **x < r.x1).count() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(y: f64, text: &str) -> Wish<'_> {
        Wish {
            line: Line { x0: 20.0, y0: y, x1: 200.0, y1: y + 8.0 },
            worker_first: true,
            forms: text,
            bold: false,
            rank: 1,
        }
    }

    fn ground<'a>(width: f64, bars: &'a Boxes, taken: &'a Boxes, arrows: &'a Lines) -> Ground<'a> {
        Ground { bars, tears: bars, taken, arrows, lives: &[], width, height: 200.0 }
    }

    #[test]
    fn a_lone_label_stands_above_its_line_at_the_workers_end() {
        let (none, lines) = (Boxes::default(), Lines::default());
        let ground = ground(300.0, &none, &none, &lines);
        let l = place(&[wish(50.0, "acquire")], &ground, Sizes { font: 11.5, bar: 10.0 });
        let l = l[0].as_ref().expect("there is room");
        assert_eq!((l.x, l.end), (31.0, false));
        assert!(l.base < 50.0);
    }

    #[test]
    fn labels_avoid_each_other_or_are_dropped() {
        let (none, lines) = (Boxes::default(), Lines::default());
        let ground = ground(300.0, &none, &none, &lines);
        let wishes: Vec<Wish> = (0..40).map(|i| wish(50.0 + f64::from(i), "a long label indeed")).collect();
        let placed: Vec<Label> =
            place(&wishes, &ground, Sizes { font: 11.5, bar: 10.0 }).into_iter().flatten().collect();
        assert!(!placed.is_empty() && placed.len() < 40);
        for (i, a) in placed.iter().enumerate() {
            for b in &placed[..i] {
                assert!(!a.rect.hits(&b.rect, 0.0));
            }
        }
    }

    #[test]
    fn a_shorter_form_is_tried_before_the_label_is_dropped() {
        let (none, mut taken, lines) = (Boxes::default(), Boxes::default(), Lines::default());
        taken.add(Rect::new(70.0, 0.0, 120.0, 200.0));
        let ground = ground(120.0, &none, &taken, &lines);
        let forms = text::forms("write 1, 9.28 s|write", &[]);
        let w = wish(50.0, &forms);
        let l = place(&[w], &ground, Sizes { font: 11.5, bar: 10.0 });
        assert_eq!(l[0].as_ref().map(|l| l.text.as_str()), Some("write"));
    }
}
