//! The state of the page, and the only way it changes. Pure: no browser, no clock, no Yew.
pub mod history;
