//! The built page in a real browser.
//!
//! Reading order: `story` (who does what in which engines), `harness` (what a page is driven with and looked
//! at), `acting` (what a person does with it), `screen` (what it is shown on), `work` (how much it works), `slow` (a slow line and a slow machine). Below them: `engine` (the engines and what is peculiar about each), `driver` (WebDriver), `display`
//! (a screen for a browser that needs one), `pool` (browsers that are used
//! again), `server` (stands in for the web server) and `ears` (what it hears of a page's complaints). A story needs none of
//! those by name. Absent: the product itself. A story sees what a person sees.

// A tool may look at the clock.
#![allow(clippy::disallowed_methods)]

mod acting;
mod display;
mod driver;
mod ears;
pub mod engine;
pub mod harness;
mod pool;
mod screen;
mod server;
pub mod slow;
pub mod story;
pub mod work;
