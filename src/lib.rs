//! Fencepost: what distributed locks, leases and fencing tokens do when things go wrong.
//!
//! `(Scenario, Design, Schedule) → Run { trace, verdicts }` is a pure function. Read the modules in this order: [`base`] is the
//! vocabulary, [`trace`] the one log, [`protocol`] what nodes do, [`sim`] how it happens, [`check`] what is judged, [`scenario`]
//! what people write, [`run`] all of that in one call, [`explore`] many runs, [`view`] what people see of one, `chart` of many.
//!
//! ```
//! use fencepost::check::Property;
//! use fencepost::{run, scenario};
//!
//! let preset = scenario::preset::by_id("gc-pause").expect("the default story");
//! let story = scenario::parse(preset.text).scenario.expect("presets have no errors");
//! let unfenced = run::run(&story, 0);
//! let late = unfenced.report.verdict(Property::StaleWrite).violation().expect("W1 writes late");
//! assert_eq!(late.at.to_string(), "15.005 s");
//!
//! let fenced = run::run(&story, 1);
//! assert!(!fenced.report.violated(Property::StaleWrite));
//! ```

pub mod base;
pub mod trace;

pub mod protocol;
pub mod sim;

pub mod check;

pub mod scenario;

pub mod run;

pub mod explore;

pub mod view;

#[cfg(feature = "charts")]
pub mod chart;

pub mod why;

pub mod app;

pub mod export;

pub mod annex;

#[cfg(feature = "ui")]
pub mod ui;
#[cfg(feature = "ui")]
pub mod web;
