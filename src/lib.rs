//! Fencepost: what distributed locks, leases and fencing tokens do when things go wrong.
//!
//! `(Scenario, Design, Schedule) → Run { trace, verdicts }` is a pure function. Read the modules in this order.

pub mod base;
pub mod trace;

pub mod protocol;
pub mod sim;

pub mod check;

pub mod scenario;

pub mod run;

pub mod view;

pub mod app;

#[cfg(feature = "ui")]
pub mod ui;
#[cfg(feature = "ui")]
pub mod web;
