//! What nodes do: one file per protocol, and the contract between a protocol and the loop.

pub mod params;
