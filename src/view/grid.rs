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

/// A straight stretch between two points. px.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Line {
    pub x0: f64,
    pub y0: f64,
    pub x1: f64,
    pub y1: f64,
}

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

    fn rows(&self) -> (usize, usize) {
        rows(self.y0.min(self.y1), self.y0.max(self.y1))
    }
}

fn rows(y0: f64, y1: f64) -> (usize, usize) {
    ((y0.max(0.0) / ROW) as usize, (y1.max(0.0) / ROW) as usize)
}

/// Things with a height, by row.
#[derive(Clone, Debug, Default)]
pub struct Rows<T> {
    items: Vec<(T, usize)>,
    rows: Vec<Vec<u32>>,
}

impl<T: Copy> Rows<T> {
    fn insert(&mut self, item: T, (first, last): (usize, usize)) -> usize {
        let i = self.items.len();
        self.items.push((item, first));
        if self.rows.len() <= last {
            self.rows.resize_with(last + 1, Vec::new);
        }
        for row in &mut self.rows[first..=last] {
            row.push(i as u32);
        }
        i
    }

    /// How many of the things that share a row with the stretch are hit. Each is asked once, with its index.
    fn count(&self, (first, last): (usize, usize), hit: impl Fn(usize, &T) -> bool) -> usize {
        let mut n = 0;
        for row in first..(last + 1).min(self.rows.len()) {
            for i in &self.rows[row] {
                let (item, starts) = &self.items[*i as usize];
                n += usize::from(row == (*starts).max(first) && hit(*i as usize, item));
            }
        }
        n
    }
}

/// Boxes by row.
#[derive(Clone, Debug, Default)]
pub struct Boxes(Rows<Rect>);

impl Boxes {
    pub fn add(&mut self, r: Rect) {
        self.0.insert(r, rows(r.y0, r.y1));
    }

    /// How many boxes come within `pad` of `r`.
    pub fn hits(&self, r: &Rect, pad: f64) -> usize {
        self.0.count(rows(r.y0 - pad, r.y1 + pad), |_, b| r.hits(b, pad))
    }
}

/// Lines by row.
#[derive(Clone, Debug, Default)]
pub struct Lines(Rows<Line>);

impl Lines {
    pub fn add(&mut self, l: Line) {
        self.0.insert(l, l.rows());
    }

    /// How many lines pass through `r`.
    pub fn crossing(&self, r: &Rect) -> usize {
        self.0.count(rows(r.y0, r.y1), |_, l| l.crosses(r))
    }
}

/// Boxes that move: at most one per owner, replaced while labels are improved.
#[derive(Clone, Debug, Default)]
pub struct Movable {
    of: Vec<Option<Rect>>,
    rows: Vec<Vec<u32>>,
}

impl Movable {
    pub fn new(owners: usize) -> Movable {
        Movable { of: vec![None; owners], rows: Vec::new() }
    }

    pub fn set(&mut self, owner: usize, r: Option<Rect>) {
        if let Some(old) = self.of[owner].take() {
            let (a, b) = rows(old.y0, old.y1);
            for row in &mut self.rows[a..=b] {
                row.retain(|i| *i as usize != owner);
            }
        }
        if let Some(r) = r {
            let (a, b) = rows(r.y0, r.y1);
            if self.rows.len() <= b {
                self.rows.resize_with(b + 1, Vec::new);
            }
            for row in &mut self.rows[a..=b] {
                row.push(owner as u32);
            }
            self.of[owner] = Some(r);
        }
    }

    /// How many other owners' boxes come within `pad` of `r`.
    pub fn hits(&self, owner: usize, r: &Rect, pad: f64) -> usize {
        let (first, last) = rows(r.y0 - pad, r.y1 + pad);
        let end = (last + 1).min(self.rows.len());
        let mut n = 0;
        for row in first.min(end)..end {
            for i in &self.rows[row] {
                let (i, Some(o)) = (*i as usize, self.of[*i as usize]) else { continue };
                n += usize::from(i != owner && row == rows(o.y0, o.y1).0.max(first) && r.hits(&o, pad));
            }
        }
        n
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
