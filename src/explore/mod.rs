//! Many runs of one story: how often it goes wrong, and what it costs.
//!
//! A single run shows that a design *can* fail. A [`Sweep`] runs the story under many seeds, at the points of a grid of parameters, and
//! counts: per design, how often each property is violated, with an interval of confidence, and how the costs are distributed. Seeds are
//! shared: at every point and under every design the n-th run has the n-th seed, so that what differs between two designs is the
//! designs and not the luck.
//!
//! Counts are whole numbers and add up exactly, so that a sweep can be cut by seeds into shards that run anywhere, in any order.

pub mod search;
mod stats;
mod sweep;
mod table;
mod tally;
pub mod untimed;

pub use stats::{Histogram, Interval, wilson};
pub use sweep::{Plan, Point, Problem, Sweep};
pub use table::{csv, quoted};
pub use tally::{Cost, Tally};

/// The GC pause with a pause drawn anew in each run, for tests of what many runs come to.
#[cfg(test)]
pub(crate) const SAMPLE: &str = r#"
schema = "fencepost.scenario/1"
[[worker]]
name = "W1"
client.check_deadline = false
[[worker]]
name = "W2"
start = "2s"
[[fault]]
name = "gc"
pause = "W1"
at = "500ms"
for = "exp 6s"
[[design]]
protection = "safe-release"
[[design]]
protection = "fencing"
"#;
