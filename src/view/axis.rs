//! The shared vertical axis: true time squeezed, one for all compared runs.
//!
//! Instants at which anything is drawn in *any* shown run are the knots. Between two neighbours the axis is exact while a
//! message is in flight or the gap is short; a longer idle gap is squeezed to the logarithm of its length and *torn*, so that the
//! reader sees that something was left out and is told how much. Both branches meet, and a longer wait is never drawn shorter. Equal
//! latencies therefore have equal slants everywhere, and a row means the same instant in every column. Scrubbing and dragging use the
//! inverse.
//!
//! It is made in two steps because what must be written in a gap (a note needs its height) is known only when the gaps are: [`Knots`]
//! say where the tears are, [`Axis`] says where everything stands.

use crate::base::{Span, TrueTime};

/// A gap is squeezed only if it is longer than so many typical latencies.
const KNEE: f64 = 1.5;
/// Height added per factor of ten beyond the knee, in typical latencies; here per factor of e, whose logarithm is in the program anyway.
const STEP: f64 = 0.34 / std::f64::consts::LN_10;
/// A message slower than so many typical latencies does not hold the scale: it is one straight line through the tears.
pub const SLOW: i64 = 8;
/// Nothing is drawn closer together than this. px.
const LEAST: f64 = 6.0;
/// Bounds of the pitch. px per typical latency.
pub const PITCH_MIN: f64 = 8.0;
pub const PITCH_MAX: f64 = 20.0;

/// The instants of a picture, and which gaps between them are squeezed. Times only, no pixels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Knots {
    t: Vec<TrueTime>,
    /// Per gap (one fewer than knots): it is drawn to exact scale.
    exact: Vec<bool>,
    /// The typical latency.
    q: Span,
}

/// Room that something needs: the stretch from `from` to `to` shall be at least `px` high.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Need {
    pub from: TrueTime,
    pub to: TrueTime,
    pub px: f64,
}

impl Knots {
    /// `instants`: everything drawn in any shown run, in any order. `flights`: sending and arrival of every message drawn in any of them.
    /// `q`: the typical latency, see [`typical`].
    pub fn new(mut instants: Vec<TrueTime>, flights: &[(TrueTime, TrueTime)], q: Span) -> Knots {
        super::order::instants(&mut instants);
        if instants.is_empty() {
            instants.push(TrueTime::ZERO);
        }
        let q_us = q.as_us().max(1);
        // Count how many fast messages are in flight over each gap: +1 where one starts, −1 where it ends.
        let mut open = vec![0i32; instants.len() + 1];
        for (from, to) in flights {
            if to.since(*from).as_us() <= SLOW * q_us
                && let (Ok(a), Ok(b)) = (instants.binary_search(from), instants.binary_search(to))
            {
                open[a] += 1;
                open[b] -= 1;
            }
        }
        let mut flying = 0;
        let exact = (0..instants.len() - 1)
            .map(|i| {
                flying += open[i];
                let d = instants[i + 1].since(instants[i]).as_us() as f64;
                flying > 0 || d <= KNEE * q_us as f64
            })
            .collect();
        Knots { t: instants, exact, q: Span::from_us(q_us) }
    }

    pub fn instants(&self) -> &[TrueTime] {
        &self.t
    }

    /// Gaps that are squeezed, in order.
    pub fn tears(&self) -> impl Iterator<Item = (TrueTime, TrueTime)> + '_ {
        self.gaps().filter(|g| !g.2).map(|g| (g.0, g.1))
    }

    /// All gaps in order: from, to, drawn to exact scale.
    pub fn gaps(&self) -> impl Iterator<Item = (TrueTime, TrueTime, bool)> + '_ {
        self.exact.iter().enumerate().map(|(i, exact)| (self.t[i], self.t[i + 1], *exact))
    }

    /// Gaps that lie wholly within a stretch of time.
    pub fn gaps_within(&self, from: TrueTime, to: TrueTime) -> impl Iterator<Item = (TrueTime, TrueTime, bool)> + '_ {
        let first = self.t.partition_point(|t| *t < from);
        (first..self.exact.len()).map(|i| (self.t[i], self.t[i + 1], self.exact[i])).take_while(move |g| g.1 <= to)
    }

    /// Height of gap `i` at a pitch. px.
    fn gap_height(&self, i: usize, pitch: f64) -> f64 {
        let d = self.t[i + 1].since(self.t[i]).as_us() as f64 / self.q.as_us() as f64;
        if self.exact[i] { (pitch * d).max(LEAST) } else { pitch * (KNEE + STEP * libm::log(d / KNEE)) }
    }

    /// Heights of all gaps at a pitch, with the needs met. px.
    fn heights(&self, pitch: f64, needs: &[Need]) -> Vec<f64> {
        let mut h: Vec<f64> = (0..self.exact.len()).map(|i| self.gap_height(i, pitch)).collect();
        for need in needs {
            let (a, b) = (self.t.partition_point(|t| *t < need.from), self.t.partition_point(|t| *t <= need.to));
            let range = a..b.saturating_sub(1);
            if range.is_empty() {
                continue;
            }
            let lack = need.px - h[range.clone()].iter().sum::<f64>();
            // Only squeezed gaps may be stretched: an exact one would no longer be exact. The longest wait gets the room.
            let longest = range
                .filter(|i| !self.exact[*i])
                .max_by_key(|i| (self.t[i + 1].since(self.t[*i]), std::cmp::Reverse(*i)));
            if lack > 0.0
                && let Some(i) = longest
            {
                h[i] += lack;
            }
        }
        h
    }

    /// The largest pitch (in steps of 0.1 px, within the bounds) at which the picture is at most `available` px high.
    pub fn pitch_for(&self, available: f64, top: f64, tail: f64, needs: &[Need]) -> f64 {
        let fits = |tenths: i64| {
            let inner: f64 = self.heights(tenths as f64 / 10.0, needs).iter().sum();
            top + inner + tail <= available
        };
        let (mut lo, mut hi) = ((PITCH_MIN * 10.0) as i64, (PITCH_MAX * 10.0) as i64);
        // The height grows with the pitch, so bisect; below the least pitch the diagram scrolls.
        while lo < hi {
            let mid = (lo + hi + 1) / 2;
            if fits(mid) { lo = mid } else { hi = mid - 1 }
        }
        lo as f64 / 10.0
    }
}

/// The typical latency: the 10th percentile of those given; 5 ms where there are none.
pub fn typical(mut latencies: Vec<Span>) -> Span {
    latencies.retain(|l| *l > Span::ZERO);
    if latencies.is_empty() {
        return Span::from_ms(5);
    }
    super::order::by_key(&mut latencies, |l| (l.as_us(), 0));
    latencies[(latencies.len() - 1) / 10]
}

/// True time → px, piecewise linear between knots.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Axis {
    t: Vec<TrueTime>,
    y: Vec<f64>,
    tears: Vec<(TrueTime, TrueTime)>,
    q: Span,
    pitch: f64,
    height: f64,
    /// Of a picture in order: its rows, with the instants that they stand for.
    rows: Vec<(TrueTime, f64)>,
}

impl Axis {
    /// An axis of rows that have no length: each instant has a height, and nothing is torn.
    pub fn of_rows(t: Vec<TrueTime>, y: Vec<f64>, rows: Vec<(TrueTime, f64)>, q: Span, tail: f64) -> Axis {
        let height = rows.last().map_or(0.0, |r| r.1) + tail;
        Axis { t, y, tears: Vec::new(), q, pitch: PITCH_MAX, height, rows }
    }

    pub fn rows(&self) -> &[(TrueTime, f64)] {
        &self.rows
    }

    /// Places the knots from `top` px downwards, at `pitch` px per typical latency; `tail` px stay free below the last.
    pub fn new(knots: &Knots, pitch: f64, top: f64, tail: f64, needs: &[Need]) -> Axis {
        let mut y = Vec::with_capacity(knots.t.len());
        y.push(top);
        let mut last = top;
        for h in knots.heights(pitch, needs) {
            last += h;
            y.push(last);
        }
        Axis {
            t: knots.t.clone(),
            y,
            tears: knots.tears().collect(),
            q: knots.q,
            pitch,
            height: last + tail,
            rows: Vec::new(),
        }
    }

    /// px at an instant. Before the first knot: the first row; after the last: 8 px below it.
    pub fn y(&self, at: TrueTime) -> f64 {
        let i = self.t.partition_point(|t| *t < at);
        match (i, self.t.get(i)) {
            (_, None) => self.y.last().map_or(0.0, |y| y + 8.0),
            (0, Some(_)) => self.y[0],
            (_, Some(b)) => {
                let a = self.t[i - 1];
                let part = at.since(a).as_us() as f64 / b.since(a).as_us() as f64;
                self.y[i - 1] + (self.y[i] - self.y[i - 1]) * part
            }
        }
    }

    /// The instant at a height, to the nearest millisecond between knots and exactly on them; outside, the nearest knot.
    pub fn time(&self, y: f64) -> TrueTime {
        let i = self.y.partition_point(|v| *v < y);
        match (i, self.y.get(i)) {
            (0, _) => self.t.first().copied().unwrap_or(TrueTime::ZERO),
            (_, None) => self.t.last().copied().unwrap_or(TrueTime::ZERO),
            (_, Some(below)) => {
                let (a, b) = (self.t[i - 1], self.t[i]);
                let part = (y - self.y[i - 1]) / (below - self.y[i - 1]);
                let us = b.since(a).as_us() as f64 * part;
                // Whole milliseconds where there are any between the two knots: nobody wants to drag to 4.99731 s.
                let at = TrueTime::from_us(a.as_us() + us.round() as i64);
                let ms = TrueTime::from_ms((at.as_us() as f64 / 1_000.0).round() as i64);
                if ms >= a && ms <= b { ms } else { at }
            }
        }
    }

    /// Where a hand that drags is, and how much time a px there is, both in µs: as [`Axis::time`], but not rounded, and beyond the last
    /// row faster and faster, since nobody knows how far that will be.
    pub fn reach(&self, y: f64) -> (f64, f64) {
        let last = self.y.last().copied().unwrap_or(0.0);
        let exact = self.q.as_us() as f64 / self.pitch.max(1.0);
        if y > last || self.t.len() < 2 {
            let d = (y - last).max(0.0);
            return (self.last().as_us() as f64 + exact * d * (1.0 + d), exact * (1.0 + 2.0 * d));
        }
        let i = self.y.partition_point(|v| *v < y).max(1);
        let (a, b) = (self.t[i - 1].as_us() as f64, self.t[i].as_us() as f64);
        let rate = (b - a) / (self.y[i] - self.y[i - 1]);
        (a + (y - self.y[i - 1]).max(0.0) * rate, rate)
    }

    /// All instants that have a row of their own: what stepping goes through.
    pub fn instants(&self) -> &[TrueTime] {
        &self.t
    }

    /// Squeezed gaps, in order.
    pub fn tears(&self) -> &[(TrueTime, TrueTime)] {
        &self.tears
    }

    /// Middle of a gap. px.
    pub fn middle(&self, from: TrueTime, to: TrueTime) -> f64 {
        (self.y(from) + self.y(to)) / 2.0
    }

    pub fn last(&self) -> TrueTime {
        self.t.last().copied().unwrap_or(TrueTime::ZERO)
    }

    /// px of the whole picture, margins included.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// px per typical latency.
    pub fn pitch(&self) -> f64 {
        self.pitch
    }

    /// The typical latency.
    pub fn typical(&self) -> Span {
        self.q
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(t: i64) -> TrueTime {
        TrueTime::from_ms(t)
    }

    /// Preset 09 as two designs draw it: instants and flights in ms.
    fn gc_pause() -> Knots {
        let hops = [
            0, 5, 10, 15, 2000, 2005, 10190, 10195, 10200, 10205, 11210, 11215, 11220, 11225, 15000, 15005, 15010,
            15015,
        ];
        let flights: Vec<_> = hops.iter().map(|t| (ms(*t), ms(t + 5))).collect();
        let mut instants: Vec<_> = flights.iter().flat_map(|(a, b)| [*a, *b]).collect();
        instants.extend([500, 10005, 15020].map(ms));
        let latencies = flights.iter().map(|(a, b)| b.since(*a)).collect();
        Knots::new(instants, &flights, typical(latencies))
    }

    #[test]
    fn the_squeeze_is_what_the_design_says() {
        let axis = Axis::new(&gc_pause(), 17.0, 14.0, 22.0, &[]);
        let rows = [
            (0, 14.0),
            (10, 48.0),
            (20, 82.0),
            (500, 117.9),
            (2000, 156.7),
            (2010, 190.7),
            (10005, 233.7),
            (10190, 267.3),
            (10200, 301.3),
            (10210, 335.3),
            (11210, 373.1),
            (11230, 441.1),
            (15000, 482.2),
            (15005, 499.2),
            (15020, 550.2),
        ];
        for (t, y) in rows {
            assert!((axis.y(ms(t)) - y).abs() < 0.051, "{t} ms stands at {}, not at {y}", axis.y(ms(t)));
        }
        assert_eq!(axis.tears().len(), 6);
    }

    #[test]
    fn the_pitch_fills_the_height_there_is() {
        let knots = gc_pause();
        assert_eq!(knots.pitch_for(573.0, 14.0, 22.0, &[]), 17.0);
        assert_eq!(knots.pitch_for(100.0, 14.0, 22.0, &[]), PITCH_MIN);
        assert_eq!(knots.pitch_for(5_000.0, 14.0, 22.0, &[]), PITCH_MAX);
    }

    #[test]
    fn dragging_is_the_inverse_of_drawing() {
        let axis = Axis::new(&gc_pause(), 17.0, 14.0, 22.0, &[]);
        for t in [0, 3, 20, 250, 500, 1999, 7777, 10005, 14_999, 15_020] {
            assert_eq!(axis.time(axis.y(ms(t))), ms(t));
        }
        assert_eq!(axis.time(-5.0), ms(0));
        assert_eq!(axis.time(9e9), ms(15_020));
    }

    #[test]
    fn a_longer_wait_is_never_drawn_shorter() {
        let mut last = 0.0;
        for d in 1..2_000 {
            let knots = Knots::new(vec![ms(0), ms(d)], &[], Span::from_ms(5));
            let axis = Axis::new(&knots, 17.0, 0.0, 0.0, &[]);
            assert!(axis.height() >= last, "{d} ms");
            last = axis.height();
        }
    }

    #[test]
    fn a_slow_message_does_not_hold_the_scale() {
        let flights = [(ms(0), ms(5)), (ms(5), ms(6_000))];
        let knots = Knots::new(vec![ms(0), ms(5), ms(6_000)], &flights, Span::from_ms(5));
        assert_eq!(knots.tears().count(), 1);
    }

    #[test]
    fn a_need_stretches_the_longest_squeezed_gap_only() {
        let knots = gc_pause();
        let plain = Axis::new(&knots, 10.0, 14.0, 22.0, &[]);
        let need = Need { from: ms(10_200), to: ms(11_220), px: 200.0 };
        let axis = Axis::new(&knots, 10.0, 14.0, 22.0, &[need]);
        assert!((axis.y(ms(11_220)) - axis.y(ms(10_200)) - 200.0).abs() < 1e-9);
        assert_eq!(axis.y(ms(10_210)), plain.y(ms(10_210)));
        let met = Axis::new(&knots, 10.0, 14.0, 22.0, &[Need { px: 20.0, ..need }]);
        assert_eq!(met, plain);
    }
}
