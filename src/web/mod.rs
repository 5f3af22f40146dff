//! What the browser offers, behind narrow functions. Each handles its own failure, once, here: storage may be forbidden, the address
//! may not be changed inside a frame, the clipboard may refuse. Nothing here knows the state of the page.
//!
//! Everything compiles natively, so that components can be rendered in tests; there it is never called.

pub mod annex;
pub mod bring;
pub mod clip;
pub mod crash;
pub mod dom;
pub mod frame;
pub mod keys;
pub mod save;
pub mod store;
pub mod texts;
pub mod url;
