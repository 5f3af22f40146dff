//! Models of Fencepost's stories for other tools, to be run beside it.

#![allow(clippy::disallowed_methods, reason = "a benchmark measures the machine, not a simulated world")]

pub mod lease;
pub mod spin;
