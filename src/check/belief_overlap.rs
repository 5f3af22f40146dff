//! MX-B: no two workers believe that they hold one lock at once.
//!
//! A worker believes from the moment it learns of the grant until it sends its release, learns of the loss, *notices* that its own
//! deadline has passed, crashes or ends. A deadline that passes unnoticed ends nothing: that gap between truth and opinion is what
//! this property shows. It is information and not a verdict, since no lease has it without assumptions about time; two believers do
//! no harm as long as only one of them has an effect. Not reached while nobody believed.

use super::overlap::{Kind, Overlaps};

/// The beliefs at present, and how long two workers held one.
pub fn beliefs() -> Overlaps {
    Overlaps::new(Kind::Belief)
}
