//! What services with sessions do differently: Consul and Chubby.
//!
//! The whole essay is `docs/protocols/sessions.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../../docs/protocols/sessions.md")]

use super::super::Host;
use super::super::params::LockParams;
use super::key::Key;
use crate::base::{Fact, LocalTime, LockId, Span};

/// When a lease of this length ends that begins now.
#[inline]
pub(super) fn end(params: &LockParams, ttl: Option<Span>, now: LocalTime) -> Option<LocalTime> {
    ttl.map(|ttl| if params.ends_at_twice { now + ttl + ttl } else { now + ttl })
}

/// What a new leader knows of a lock-delay in force: that there is one, and no more; or nothing.
pub(super) fn delay_after_a_change(params: &LockParams, now: LocalTime) -> Option<LocalTime> {
    (!params.delay_in_memory).then(|| now + params.lock_delay.max(params.min_hold))
}

/// The key goes with the session, and its counter with the key.
#[cold]
pub(super) fn delete(key: &mut Key, lock: LockId, host: &mut impl Host) {
    if let Some(from) = key.counter.take() {
        host.did(Fact::CounterLost { lock, from, to: 0 });
    }
}
