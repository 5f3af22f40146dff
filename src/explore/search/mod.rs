//! A search over schedules: what is the least that breaks a design, and does anything within these bounds?
//!
//! A *schedule* here is a story and some faults added to it, each of which begins at a seam and ends just after something happened (see
//! `menu`). Every schedule is run on the engine itself and judged by its checkers, so that nothing is searched but what the rest of the
//! program runs, and every schedule that is found is a scenario that anybody can open.

mod alike;
mod answer;
mod bounds;
mod case;
mod count;
mod menu;
#[allow(clippy::module_inception)]
mod search;
mod seen;
mod story;
mod walk;

pub use answer::{Answer, Level, Verdict};
pub use bounds::{Bounds, Counts, Kind, MEMORY};
pub use count::{Count, Faults, Found, Limit};
pub use search::{Search, Unit};
pub(super) use seen::Seen;
pub use story::{Base, Example};
