//! Which part of a picture is written down. A picture may be forty screens tall, and a browser works for every shape that it is given,
//! seen or not; so a page asks for what is in sight and a margin, and a file for all of it.
//!
//! What is drawn does not depend on the part: a shape stands where it would stand in the whole, or is left out.

use crate::trace::EventSeq;

/// A stretch of a picture, downwards. px
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sight {
    pub top: i32,
    pub bottom: i32,
    /// The message that is drawn wherever it stands, because it has the keyboard.
    pub also: Option<EventSeq>,
}

impl Sight {
    /// The whole picture.
    pub const ALL: Sight = Sight { top: i32::MIN, bottom: i32::MAX, also: None };

    /// How far words and marks reach beyond the instant at which they stand. px
    const OVER: f64 = 60.0;

    /// Something between these heights may be in sight.
    pub fn meets(&self, top: f64, bottom: f64) -> bool {
        top - Sight::OVER <= f64::from(self.bottom) && bottom + Sight::OVER >= f64::from(self.top)
    }

    /// It covers the other one.
    pub fn covers(&self, other: &Sight) -> bool {
        self.top <= other.top && other.bottom <= self.bottom
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_met_by_what_reaches_into_it() {
        let part = Sight { top: 1_000, bottom: 2_000, also: None };
        assert!(part.meets(0.0, 5_000.0) && part.meets(900.0, 950.0) && part.meets(2_050.0, 2_050.0));
        assert!(!part.meets(0.0, 900.0) && !part.meets(2_100.0, 9_000.0));
        assert!(Sight::ALL.meets(-1e9, -1e9) && Sight::ALL.meets(1e9, 1e9));
        assert!(Sight::ALL.covers(&part) && !part.covers(&Sight::ALL));
    }
}
