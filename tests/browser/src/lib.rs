//! The built page in a real browser.
//!
//! `harness` is what stories are written with. Below it, `driver` speaks WebDriver to a browser and `server` stands in for
//! the web server; a story needs neither by name. Absent: the product itself. A story sees what a person sees.

// A tool may look at the clock.
#![allow(clippy::disallowed_methods)]

mod driver;
pub mod harness;
mod server;
