//! What already stands on a picture, found by height: boxes and lines in rows of equal height.
//!
//! A picture is tall and narrow and its things are short, so rows alone make placing nearly linear in their number. A thing that
//! spans several rows is reported once: in the first row that it shares with the question.

/// Height of a row. px.
const ROW: f64 = 32.0;

/// An upright rectangle: left, top, right, bottom. px.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rect {
    pub x0: f64,
    pub y0: f64,
    pub x1: f64,
    pub y1: f64,
}

impl Rect {
    pub fn new(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect {
        Rect { x0, y0, x1, y1 }
    }

    /// They share a point once this one is grown by `pad` on all sides.
    pub fn hits(&self, o: &Rect, pad: f64) -> bool {
        self.x0 < o.x1 + pad && o.x0 < self.x1 + pad && self.y0 < o.y1 + pad && o.y0 < self.y1 + pad
    }

    /// The box of a line of text with its baseline at `base`, from a font size; descenders are counted by a fifth.
    pub fn text(left: f64, width: f64, base: f64, size: f64) -> Rect {
        Rect::new(left, base - size * 0.78, left + width, base + size * 0.2)
    }
}

/// A straight stretch from one corner of a rectangle to the other; the corners may stand in any order.
pub type Line = Rect;

impl Line {
    /// It passes through the inside of the rectangle (Liang and Barsky's clipping).
    pub fn crosses(&self, r: &Rect) -> bool {
        let (dx, dy) = (self.x1 - self.x0, self.y1 - self.y0);
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (p, q) in [(-dx, self.x0 - r.x0), (dx, r.x1 - self.x0), (-dy, self.y0 - r.y0), (dy, r.y1 - self.y0)] {
            if p == 0.0 {
                if q <= 0.0 {
                    return false;
                }
            } else if p < 0.0 {
                from = from.max(q / p);
            } else {
                to = to.min(q / p);
            }
        }
        from < to
    }
}

/// The first and the last row of what is grown by `pad`.
fn rows(r: &Rect, pad: f64) -> (usize, usize) {
    let row = |y: f64| (y.max(0.0) / ROW) as usize;
    (row(r.y0.min(r.y1) - pad), row(r.y0.max(r.y1) + pad))
}

/// Things with a height, by row. A thing is the box around it: of a line it says which way it goes in the order of its corners.
#[derive(Clone, PartialEq, Debug, Default)]
struct Rows {
    items: Vec<Rect>,
    rows: Vec<Vec<u32>>,
}

impl Rows {
    /// Writes item `i` into its rows.
    #[inline(never)]
    fn enter(&mut self, i: usize) {
        let (first, last) = rows(&self.items[i], 0.0);
        if self.rows.len() <= last {
            self.rows.resize_with(last + 1, Vec::new);
        }
        for row in &mut self.rows[first..=last] {
            row.push(i as u32);
        }
    }

    /// How many of the things that share a row with the rectangle, grown by `pad`, are hit. Each is asked once, with its index.
    #[inline(never)]
    fn count(&self, r: &Rect, pad: f64, hit: &dyn Fn(usize, &Rect) -> bool) -> usize {
        let (first, last) = rows(r, pad);
        let mut n = 0;
        for row in first..(last + 1).min(self.rows.len()) {
            for i in &self.rows[row] {
                let item = &self.items[*i as usize];
                n += usize::from(row == rows(item, 0.0).0.max(first) && hit(*i as usize, item));
            }
        }
        n
    }
}

/// Boxes by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Boxes(Rows);

impl Boxes {
    pub fn add(&mut self, r: Rect) {
        self.0.items.push(r);
        self.0.enter(self.0.items.len() - 1);
    }

    /// How many boxes come within `pad` of `r`.
    pub fn hits(&self, r: &Rect, pad: f64) -> usize {
        self.0.count(r, pad, &|_, b| r.hits(b, pad))
    }
}

/// Lines by row.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lines(Boxes);

impl Lines {
    pub fn add(&mut self, l: Line) {
        self.0.add(l);
    }

    /// How many lines pass through `r`.
    pub fn crossing(&self, r: &Rect) -> usize {
        self.0.0.count(r, 0.0, &|_, l| l.crosses(r))
    }
}

/// Boxes that move: at most one per owner, replaced while labels are improved.
#[derive(Clone, Debug, Default)]
pub struct Movable(Rows);

impl Movable {
    pub fn new(owners: usize) -> Movable {
        Movable(Rows { items: vec![Rect::default(); owners], rows: Vec::new() })
    }

    pub fn set(&mut self, owner: usize, r: Option<Rect>) {
        let (first, last) = rows(&self.0.items[owner], 0.0);
        for row in self.0.rows.iter_mut().take(last + 1).skip(first) {
            row.retain(|i| *i as usize != owner);
        }
        if let Some(r) = r {
            self.0.items[owner] = r;
            self.0.enter(owner);
        }
    }

    /// How many other owners' boxes come within `pad` of `r`.
    pub fn hits(&self, owner: usize, r: &Rect, pad: f64) -> usize {
        self.0.count(r, pad, &|i, b| i != owner && r.hits(b, pad))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_crosses_only_what_it_passes_through() {
        let r = Rect::new(10.0, 10.0, 20.0, 20.0);
        let line = |x0, y0, x1, y1| Line { x0, y0, x1, y1 };
        assert!(line(0.0, 15.0, 30.0, 15.0).crosses(&r));
        assert!(line(0.0, 0.0, 30.0, 30.0).crosses(&r));
        assert!(!line(0.0, 25.0, 30.0, 25.0).crosses(&r));
        assert!(!line(0.0, 10.0, 30.0, 10.0).crosses(&r), "along the edge is outside");
        assert!(!line(0.0, 15.0, 9.0, 15.0).crosses(&r));
        assert!(line(15.0, 12.0, 15.0, 13.0).crosses(&r), "wholly inside");
    }

    #[test]
    fn what_spans_rows_is_counted_once() {
        let mut b = Boxes::default();
        b.add(Rect::new(0.0, 0.0, 10.0, 400.0));
        b.add(Rect::new(0.0, 100.0, 10.0, 110.0));
        assert_eq!(b.hits(&Rect::new(5.0, 50.0, 6.0, 300.0), 0.0), 2);
        assert_eq!(b.hits(&Rect::new(5.0, 500.0, 6.0, 510.0), 0.0), 0);
        let mut m = Movable::new(2);
        m.set(0, Some(Rect::new(0.0, 20.0, 10.0, 90.0)));
        assert_eq!(m.hits(1, &Rect::new(0.0, 0.0, 10.0, 200.0), 0.0), 1);
        m.set(0, None);
        assert_eq!(m.hits(1, &Rect::new(0.0, 0.0, 10.0, 200.0), 0.0), 0);
    }
}
