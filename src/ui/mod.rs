//! The page, drawn: Yew components over [`app`](crate::app), [`view`](crate::view) and [`web`](crate::web).
//!
//! Components hold no truth. They read three contexts, which change at three rates, and dispatch [`Action`](crate::app::Action)s:
//!
//! - [`Send`](context::Send): the dispatcher; never changes.
//! - [`Document`](context::Document): the document and its picture; changes with an edit, a tick, a panel.
//! - [`Cursor`](crate::app::Cursor): where a person looks; changes with every move of the pointer. Only the hairline, the transport
//!   and the marks of hover and selection listen to it, and none of them draws the picture again.
//!
//! Exception to the first sentence: a text field holds what is being typed until it is valid; otherwise "1" on the way to "15" would
//! be a scenario.
//!
//! Read [`app`] first (state, effects, keyboard), then [`stage`] (the picture and what stands around it).

pub mod app;
pub mod context;
pub mod icon;

pub mod columns;
pub mod cursor;
pub mod legend;
pub mod stage;
pub mod transport;

pub mod events;
pub mod verdicts;

pub mod editor;
pub mod reference;
pub mod scenario;

pub mod help;
pub mod stories;
pub mod top;
