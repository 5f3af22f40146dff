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
    /// Each of a worker's equal tries is drawn, and none counted.
    pub tries: bool,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Frame, Room, Scene, Story};
    use crate::scenario::{parse, preset};
    use std::rc::Rc;

    const FRAME: Frame = Frame { room: Room::Wide, width: 1160, window_height: 900 };

    fn scene(id: &str, ticked: &[usize], how: &View) -> Scene {
        let text = preset::by_id(id).expect("a story").text;
        let story = Story::of(Rc::new(parse(text).scenario.expect("it runs")), ticked);
        Scene::viewed(Rc::new(story), FRAME, how)
    }

    fn names(scene: &Scene) -> Vec<&str> {
        scene.picture.columns[0].lanes.iter().map(|l| l.name.as_str()).collect()
    }

    #[test]
    fn in_order_a_row_is_a_step_in_all_columns_and_nothing_is_torn() {
        let s = scene("gc-pause", &[0, 1], &View { steps: true, ..View::default() });
        let rows = s.picture.axis.rows();
        assert!(s.picture.axis.tears().is_empty());
        assert!(rows.windows(2).all(|w| w[0].0 <= w[1].0 && w[1].1 - w[0].1 == crate::view::steps::ROW));
        // Sixteen messages on the left, a pause, a fold, a lease that runs out, and what only one of the columns has.
        assert!((19..=23).contains(&rows.len()), "{}", rows.len());
        // Scrubbing finds each instant again.
        for t in s.instants() {
            let back = s.picture.axis.time(s.picture.axis.y(*t));
            assert!(s.picture.axis.y(back) == s.picture.axis.y(*t), "{t}");
        }
    }

    #[test]
    fn lanes_are_hidden_moved_and_shown_again() {
        let plain = scene("gc-pause", &[0], &View::default());
        let lanes = &plain.picture.columns[0].lanes;
        assert_eq!(names(&plain), ["W1", "W2", "lock service", "resource"]);
        let without = View::default().hiding(&lanes[3]);
        let hidden = scene("gc-pause", &[0], &without);
        assert_eq!(names(&hidden), ["W1", "W2", "lock service"]);
        assert!(!hidden.picture.columns[0].body.whole().contains("class=\"val"), "its value goes with it");
        let moved = View::default().moving(lanes, 1, false).expect("there is room at its left");
        assert_eq!(names(&scene("gc-pause", &[0], &moved)), ["W2", "W1", "lock service", "resource"]);
        assert_eq!(View::default().moving(lanes, 0, false), None);
        assert_eq!(View::default().moving(lanes, 3, true), None);
        // Nobody can be the last to be hidden.
        let all = lanes.iter().fold(View::default(), |v, l| v.hiding(l));
        assert_eq!(names(&scene("gc-pause", &[0], &all)).len(), 4);
    }

    #[test]
    fn a_group_unfolds_on_the_same_rows() {
        let folded = scene("redlock-clock-jump", &[0], &View::default());
        let open = scene("redlock-clock-jump", &[0], &View { unfolded: true, ..View::default() });
        assert_eq!(folded.picture.axis.instants(), open.picture.axis.instants());
        let width = |s: &Scene| s.picture.columns[0].lanes.iter().map(|l| l.right - l.x).fold(0.0, f64::max);
        assert!(width(&open) > width(&folded) + 60.0);
        assert!(open.picture.columns[0].body.whole().contains("class=\"bus\""));
        assert!(open.picture.columns[0].heads.contains(">C</text>"));
    }

    #[test]
    fn zoomed_in_it_is_taller_and_zoomed_out_it_is_not() {
        let height = |zoom| scene("gc-pause", &[0], &View { zoom, ..View::default() }).picture.height;
        assert!(height(3) > height(0) * 1.3 && height(-3) < height(0));
        assert_eq!(View::default().zoomed(100).zoom, MOST);
        assert_eq!(View::default().zoomed(1).zoomed(-1), View::default());
    }
}
