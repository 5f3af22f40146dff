//! A node's own clock beside its lifeline, where it is off: ticks at that clock's seconds, a kink where it steps.
//!
//! Only where a clock is off: a gutter for every node would say nothing twelve times.

use super::axis::Axis;
use super::sequence::Gutter;
use super::text::fill;
use crate::base::TrueTime;

/// Ticks keep this distance from each other and from a kink. px.
const APART: f64 = 20.0;

/// A tick of a local clock: how high it stands (px) and which second it shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tick {
    pub y: f64,
    pub second: i64,
}

/// The seconds of a local clock that find room along the axis.
pub fn ticks(g: &Gutter, axis: &Axis) -> Vec<Tick> {
    let mut out: Vec<Tick> = Vec::new();
    for pair in g.readings.windows(2) {
        let ((from, a), (to, b)) = (pair[0], pair[1]);
        if from == to || b <= a {
            continue;
        }
        // Whole seconds of this stretch; of very many only every so many, so that the work stays small.
        let (first, last) =
            (a.div_euclid(1_000_000) + i64::from(a.rem_euclid(1_000_000) != 0), b.div_euclid(1_000_000));
        let step = [1, 2, 5, 10, 20, 60, 600, 3_600].into_iter().find(|s| (last - first) / s <= 200).unwrap_or(86_400);
        let mut second = first + (step - first.rem_euclid(step)) % step;
        while second <= last {
            let part = (second * 1_000_000 - a) as f64 / (b - a) as f64;
            let at = TrueTime::from_us(from.as_us() + (to.since(from).as_us() as f64 * part).round() as i64);
            let y = axis.y(at);
            let free = out.iter().all(|t| (t.y - y).abs() >= APART)
                && g.steps.iter().all(|s| (axis.y(s.0) - y).abs() >= APART * 0.6);
            if free && at <= axis.last() {
                out.push(Tick { y, second });
            }
            second += step;
        }
    }
    out
}

/// The line of the gutter at `x`, with its kinks: SVG path data.
pub fn path(g: &Gutter, axis: &Axis, x: f64) -> String {
    let mut d = String::new();
    fill(&mut d, "M{0} {1}", &[x, axis.y(TrueTime::ZERO) - 6.0], &[]);
    for (at, _) in &g.steps {
        let y = axis.y(*at);
        fill(&mut d, "V{0}L{1} {2}H{3}", &[y - 4.0, x - 8.0, y + 4.0, x], &[]);
    }
    fill(&mut d, "V{0}", &[axis.y(axis.last()) + 6.0], &[]);
    d
}
