//! What is on the disk of a lock server, and what a crash makes of it.

use super::super::params::{LockParams, Persistence};
use super::super::{Host, Slot};
use super::key::{arm, back as told_again};
use super::{Served, Server, each, purge, shared};
use crate::base::{ClockKind, Fact, Span};

/// Whether a crash may bring back an older state, so that the journal is worth keeping.
pub fn needs_journal(locks: &[&LockParams], loses: bool) -> bool {
    loses || locks.iter().any(|p| p.persistence == Persistence::EverySecond)
}

/// After a change, remember the state if a crash may come back to it.
#[inline]
pub(super) fn journal(s: &mut Server, served: &Served, host: &impl Host) {
    if served.journal {
        write_down(s, host);
    }
}

#[cold]
fn write_down(s: &mut Server, host: &impl Host) {
    if s.journal.last().is_none_or(|(_, keys)| *keys != s.keys) {
        let keys = s.keys.clone();
        s.journal.push((host.read(ClockKind::Monotonic), keys));
    }
}

/// The process ends. What comes back with it is decided here, since nothing happens to a disk in between; what does not come back is
/// forgotten at this instant, since from now on nobody can ask for it.
pub(super) fn crash(s: &mut Server, served: &Served, loses: Option<Span>, host: &mut impl Host) {
    let now = host.read(ClockKind::Monotonic);
    for (lock, params) in each(served) {
        purge(s, lock, params, host);
        let lost = match (loses, params.persistence) {
            (Some(lost), _) => Some(lost),
            (None, Persistence::None) => None,
            (None, Persistence::EverySecond) => Some(Span::from_ms(1_000)),
            (None, Persistence::Always) => continue,
        };
        let kept = lost
            .and_then(|lost| s.journal.iter().rev().find(|(since, _)| *since + lost <= now))
            .map(|(_, keys)| keys[lock.index()].clone())
            .unwrap_or_default();
        if let Some(lost) = lost {
            // What was younger never came to the disk: no later crash brings it back.
            let younger = s.journal.iter_mut().filter(|(since, _)| *since + lost > now);
            younger.for_each(|(_, keys)| keys[lock.index()] = kept.clone());
        }
        let key = &mut s.keys[lock.index()];
        if let Some(r) = key.record
            && kept.record.is_none_or(|k| k.acq != r.acq)
        {
            host.cancel(Slot(u16::from(lock.0)));
            host.did(Fact::Forgotten { lock, acq: r.acq });
        }
        shared::lost(key, &kept, lock, host);
        if let Some(from) = key.counter
            && kept.counter != Some(from)
        {
            host.did(Fact::CounterLost { lock, from, to: kept.counter.unwrap_or(0) });
        }
        let back = kept.record.filter(|k| key.record.is_none_or(|r| r.acq != k.acq));
        let before = std::mem::replace(key, kept);
        shared::back(key, &before, lock, params, host);
        if let Some(r) = key.record {
            // An older record is back, perhaps one that its owner had released.
            arm(lock, params, &r, host);
        }
        if let Some(r) = back {
            host.did(told_again(lock, params, &r));
        }
    }
    journal(s, served, host);
}
