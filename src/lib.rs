//! Fencepost: what distributed locks, leases and fencing tokens do when things go wrong.
pub mod base;
