//! MX-S: no two grants of one lock to different workers overlap at the service.
//!
//! A grant lasts at the service from the instant at which its record was stored (a quorum: the deciding vote) until it is released,
//! runs out, or is forgotten. Nobody's opinion enters, and no promise: a service that forgets a grant and makes another keeps this
//! and breaks [`super::broken_promise`]. Two masters after a split break it. Not reached while nothing was granted.

use super::overlap::{Kind, Overlaps};

/// The grants in force at present, and how long two workers had one.
pub fn grants() -> Overlaps {
    Overlaps::new(Kind::Grant)
}
