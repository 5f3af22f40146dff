//! Reads traces only: one fold per property. Nothing here can reach the simulator; a checker must work on a log from anywhere.

pub mod report;
