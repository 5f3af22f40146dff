//! What of a long page is in sight, and what of it is drawn: that, and a margin, so that the next turn of the wheel finds it drawn.

use super::state::{Frame, Mark};
use crate::view::Sight;

/// A stretch of the picture, and lines of the list of events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Down the picture, px.
    pub top: i32,
    pub bottom: i32,
    /// Lines of the list, from 0; the last one is no longer in sight.
    pub first: u32,
    pub last: u32,
}

impl Seen {
    /// Everything: for paper.
    pub const ALL: Seen = Seen { top: i32::MIN, bottom: i32::MAX, first: 0, last: u32::MAX };

    /// How much is drawn beyond what is in sight, and how much of that has to be left before more is drawn. px, lines
    const AHEAD: i32 = 700;
    const LEAST: i32 = 250;
    const LINES_AHEAD: u32 = 30;
    const LINES_LEAST: u32 = 8;

    /// Before anybody has scrolled.
    pub fn at_first(frame: Frame) -> Seen {
        Seen { top: 0, bottom: frame.window_height as i32, first: 0, last: 0 }.drawn()
    }

    /// What is drawn if this is in sight.
    fn drawn(self) -> Seen {
        self.grown(Seen::AHEAD, Seen::LINES_AHEAD)
    }

    fn grown(self, px: i32, lines: u32) -> Seen {
        Seen {
            top: self.top.saturating_sub(px),
            bottom: self.bottom.saturating_add(px),
            first: self.first.saturating_sub(lines),
            last: self.last.saturating_add(lines),
        }
    }

    /// What is to be drawn now that this is in sight; `None`: what is drawn is still enough.
    pub fn after(self, drawn: Seen) -> Option<Seen> {
        let least = self.grown(Seen::LEAST, Seen::LINES_LEAST);
        let picture = drawn.top <= least.top && least.bottom <= drawn.bottom;
        let lines = drawn.first <= least.first && least.last <= drawn.last;
        let new = self.drawn();
        match (picture, lines) {
            (true, true) => None,
            // What is enough stays as it is.
            (true, false) => Some(Seen { top: drawn.top, bottom: drawn.bottom, ..new }),
            (false, true) => Some(Seen { first: drawn.first, last: drawn.last, ..new }),
            (false, false) => Some(new),
        }
    }

    /// The same with this height of the picture in its middle, where it is not drawn yet.
    pub fn with(self, y: f64) -> Seen {
        let y = y as i32;
        if self.top <= y && y <= self.bottom {
            return self;
        }
        Seen { top: y - 2 * Seen::AHEAD, bottom: y + 2 * Seen::AHEAD, ..self }
    }

    /// What of a column is drawn. What has the keyboard there stays, wherever it is.
    pub fn of(self, column: usize, hover: Option<Mark>) -> Sight {
        let also = hover.filter(|m| m.column == column).map(|m| m.seq);
        Sight { top: self.top, bottom: self.bottom, also }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(top: i32, first: u32) -> Seen {
        Seen { top, bottom: top + 900, first, last: first + 20 }
    }

    #[test]
    fn more_is_drawn_before_it_is_in_sight() {
        let drawn = seen(5_000, 100).drawn();
        assert_eq!(seen(5_400, 110).after(drawn), None, "a little further, and nothing is to be done");
        let further = seen(5_500, 110).after(drawn).expect("less than the least is left below");
        assert_eq!((further.top, further.bottom), (4_800, 7_100));
        assert_eq!((further.first, further.last), (drawn.first, drawn.last), "lines are drawn far enough");
        assert_eq!(seen(5_100, 100).after(further), None, "and back again");
        let below = seen(5_000, 130).after(drawn).expect("lines are to be drawn");
        assert_eq!((below.top, below.first, below.last), (drawn.top, 100, 180));
        assert_eq!(seen(90_000, 7_000).after(drawn), Some(seen(90_000, 7_000).drawn()));
        assert_eq!(seen(90_000, 7_000).after(Seen::ALL), None);
    }

    #[test]
    fn what_is_looked_for_is_drawn() {
        let drawn = seen(0, 0).drawn();
        assert_eq!(drawn.with(1_000.0), drawn);
        let far = drawn.with(20_000.0);
        assert!(far.top < 19_000 && 21_000 < far.bottom);
        assert_eq!(far.with(20_500.0), far);
    }
}
