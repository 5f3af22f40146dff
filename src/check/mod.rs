//! Reads traces only: one fold per property. Nothing here can reach the simulator; a checker must work on a log from anywhere.
//!
//! A simulated design can keep or break a promise in many senses of "only one at a time". Each sense is a [`Property`] with a file of
//! its own, which begins with what exactly is promised. Read [`report`] for the answers, [`ledger`] for what a *grant* and a
//! *tenure* are, then any property; [`checker`] puts them together and is all that the rest of the project calls:
//!
//! ```text
//! let mut checker = Checker::new(&setup);
//! for event in log.events() { checker.on_event(event) }
//! let report = checker.finish(ending);
//! ```
//!
//! Three answers are possible, because a property that had nothing to judge has not been kept: it was not reached. A log
//! that is not well formed ([`crate::trace::TraceLog::check_form`]) gives odd verdicts, never a panic.

pub mod report;

pub mod ledger;
pub mod lifelines;

pub mod belief_overlap;
pub mod broken_promise;
pub mod deadlock;
pub mod duplicate_effect;
pub mod false_acquire;
pub mod foreign;
pub mod grant_overlap;
pub mod issue_regress;
pub mod late_send;
pub mod leak;
pub mod lost_update;
pub mod mark_regress;
pub mod no_progress;
pub mod non_owner_write;
pub mod split_shards;
pub mod stale_write;
pub mod token_regress;

pub mod measures;
pub mod work;

pub mod checker;
pub mod listen;

#[cfg(test)]
mod tests;

mod clocks;
mod digest;
mod found;
mod overlap;
mod words;

pub use checker::{Checker, Service, Setup};
pub use report::{
    Measures, Property, PropertySet, Report, Standing, Summary, Verdict, Violation, WorkerEnd, WorkerMeasures,
};
