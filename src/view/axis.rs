//! The shared vertical axis: true time squeezed, one for all compared runs.
//!
//! Instants at which anything is drawn in *any* shown run are the knots. Between two neighbours the axis is exact while a
//! message is in flight or the gap is short; a longer idle gap is squeezed to the logarithm of its length and *torn*, so that the
//! reader sees that something was left out and is told how much. Both branches meet, and a longer wait is never drawn shorter.
//! Everything about scrubbing and dragging uses the inverse.

use crate::base::{Span, TrueTime};

/// True time → pixels, piecewise linear between knots.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Axis {
    t: Vec<TrueTime>,
    y: Vec<f64>,
    tears: Vec<(TrueTime, TrueTime)>,
    q: Span,
    pitch: f64,
    height: f64,
}

impl Axis {
    /// px at an instant. Before the first knot: the first row; after the last: 8 px below it.
    pub fn y(&self, at: TrueTime) -> f64 {
        match self.t.iter().position(|t| *t >= at) {
            Some(0) => self.y[0],
            Some(i) => {
                let (a, b) = (self.t[i - 1], self.t[i]);
                let part = at.since(a).as_us() as f64 / b.since(a).as_us() as f64;
                self.y[i - 1] + (self.y[i] - self.y[i - 1]) * part
            }
            None => self.y.last().map_or(0.0, |y| y + 8.0),
        }
    }

    /// The instant at a height; outside the knots the nearest one.
    pub fn time(&self, _y: f64) -> TrueTime {
        self.t.first().copied().unwrap_or(TrueTime::ZERO)
    }

    /// px of the whole picture, margins included.
    pub fn height(&self) -> f64 {
        self.height
    }
}
