//! The page, drawn: markup over [`app`](crate::app) and [`view`](crate::view), and what a person does with it.
//!
//! The page is a function of the state. Each part of it is a function that writes markup, in templates with slots
//! ([`markup`]): `top(&mut out, doc, desk)`. Nothing here has a memory, but for what the browser itself keeps in its fields.
//!
//! What elements do stands on them as words: `data-do="front 1"` for a press, `data-set="type s lock.ttl"` for what is typed, chosen or
//! ticked. [`listen`] hears every event of the document in one place and finds the words; [`deeds`] makes of them
//! [`Action`](crate::app::Action)s, and what the browser has to do besides.
//!
//! [`app`] is the root: it keeps the state, writes down again what may look different, and leaves to Yew what of it differs. Yew knows
//! three components: the root, a [`Part`](markup::Part) of the page, and a [`Drawing`](drawing::Drawing). A part whose markup is what it was is not looked at, so the
//! cursor can move sixty times a second.
//!
//! Read [`markup`] first, then [`app`] and [`deeds`]; then any part, for example [`top`].

pub mod app;
pub mod deeds;
pub mod drawing;
pub mod jobs;
pub mod listen;
pub mod markup;
pub mod patch;

pub mod carry;
pub mod columns;
pub mod compare;
pub mod cursor;
pub mod grips;
pub mod legend;
pub mod menu;
pub mod play;
pub mod pointing;
pub mod share;
pub mod sight;
pub mod stage;
pub mod transport;

pub mod events;
pub mod verdicts;
pub mod why;

pub mod cards;
pub mod editor;
pub mod field;
pub mod form;
pub mod hands;
pub mod lift;
pub mod scenario;

pub mod explore;
pub mod help;
pub mod stories;
pub mod sweep;
pub mod texts;
pub mod top;
