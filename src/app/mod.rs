//! The state of the page, and the only way it changes. Pure: no browser, no clock, no Yew.
//!
//! The ground state is one thing: the text of the scenario. What can be read from it (the scenario, its diagnostics), what can be
//! computed from that (the runs, their picture) and what a person looks at right now (ticks, panels, the cursor) are kept apart,
//! because they change at different rates: a drag of the cursor must not read the text again, and a wider window must not run
//! anything again.
//!
//! Read in this order: [`state`] (what there is), [`action`] (what can happen to it), [`update`] (what then changes), `fetched` (texts
//! that come later), [`history`] (what can be taken back), [`story`] (runs and picture, computed from the state), [`form`] (the scenario as
//! fields), [`effect`] (what the browser has to do about a change), [`job`] (what the second program does for the page) and [`outcomes`]
//! (what it says about all stories), [`sweep`] (many runs of one), [`explore`] (what breaks it), [`link`] (the page's address), [`text`] (every word that the page says itself).

pub mod action;
pub mod causes;
pub mod drag;
pub mod effect;
pub mod explore;
mod fetched;
pub mod form;
pub mod highlight;
pub mod history;
pub mod job;
pub mod link;
pub mod outcomes;
pub mod reference;
pub mod seen;
pub mod share;
pub mod state;
pub mod story;
pub mod sweep;
pub mod text;
pub mod update;
pub mod view;

pub use action::Action;
pub use state::{AppState, Cursor, Desk, Doc, Frame, Mark, Mode, Panel, Room, Selection, Speed, Texts, Theme};
pub use story::{Scene, Story};
pub use view::View;
