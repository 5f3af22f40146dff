//! How the picture is looked at: in time or in order, how tall, which participants, and whether the nodes of a group stand apart. None
//! of it changes what happens, so none of it is part of the scenario, and undo leaves it alone.

use crate::view::PlacedLane;
use crate::view::arrange::{Arrange, key_of};

/// How the picture is looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// Steps taller than it fits, or less tall.
    pub zoom: i8,
    /// In order instead of in time.
    pub steps: bool,
    pub unfolded: bool,
    pub lanes: Arrange,
}

/// So many steps each way.
const MOST: i8 = 12;

impl View {
    pub fn zoomed(&self, by: i8) -> View {
        View { zoom: (self.zoom + by).clamp(-MOST, MOST), ..self.clone() }
    }

    pub fn factor(&self) -> f64 {
        let mut factor = 1.0;
        for _ in 0..self.zoom.abs() {
            factor *= 1.25;
        }
        if self.zoom < 0 { 1.0 / factor } else { factor }
    }

    /// Without one lane.
    pub fn hiding(&self, lane: &PlacedLane) -> View {
        let mut view = self.clone();
        view.lanes.hidden.push(key_of(lane.kind, &lane.name).to_string());
        view
    }

    /// With a lane one place further right, or left.
    pub fn moving(&self, lanes: &[PlacedLane], lane: usize, right: bool) -> Option<View> {
        let other = if right { lane + 1 } else { lane.checked_sub(1)? };
        let mut order: Vec<String> = Vec::new();
        for l in lanes {
            order.push(key_of(l.kind, &l.name).to_string());
        }
        if other >= order.len() {
            return None;
        }
        order.swap(lane, other);
        let mut view = self.clone();
        // What is hidden keeps its place at the end, and comes back there.
        view.lanes.order = order;
        Some(view)
    }
}
