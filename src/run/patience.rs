//! How long a worker may have to wait for a lock before that counts as no progress.

use crate::base::time::scaled;
use crate::base::{LockId, Span};
use crate::protocol::params::{Draw, Op};
use crate::sim::SimConfig;
use crate::sim::config::LockSpec;

/// Longer than this nobody should have to wait: the longest time that one holder can keep a lock from the others without doing anything,
/// and the longest retry, both by the slowest clock, and a second to notice.
pub(super) fn liveness_bound(config: &SimConfig) -> Span {
    let slowest = config.clocks.iter().map(|c| c.rate_ppm).min().unwrap_or(1_000_000).min(1_000_000);
    let locks = config.locks.iter().enumerate();
    let longest = locks.map(|(i, l)| blocked(config, LockId(i as u8), l)).max().unwrap_or(Span::ZERO);
    let retry = config.workers.iter().map(|w| longest_draw(w.client.retry)).max().unwrap_or(Span::ZERO);
    let stretched = scaled((longest + retry).as_us(), 1_000_000, slowest.max(1));
    Span::from_us(stretched.unwrap_or(i64::MAX).min(i64::MAX / 4)) + Span::from_ms(1_000)
}

/// How long a lock can stay taken after its holder has vanished, with its server: the lease of whoever asks for the longest (or the least
/// time of hold), the lock-delay, and the time that a server stays out. Where a lease never ends there is no such bound by design; ten
/// seconds are then taken for patience.
fn blocked(config: &SimConfig, lock: LockId, spec: &LockSpec) -> Span {
    let steps = config.workers.iter().flat_map(|w| &w.program.ops);
    let asked = steps.filter_map(|op| match op {
        Op::Acquire { lock: l, ttl: Some(ttl), .. } if *l == lock => Some(*ttl),
        Op::AcquireAs { locks, ttl: Some(ttl), .. } if (0..locks.len()).any(|i| locks.at(i) == lock) => Some(*ttl),
        _ => None,
    });
    let leases = asked.chain([spec.params.ttl]).map(|ttl| ttl.unwrap_or(Span::from_ms(10_000)));
    let lease = leases.max().unwrap_or(Span::ZERO).max(spec.params.min_hold);
    lease + spec.params.lock_delay + spec.params.delayed_restart + spec.params.scan + spec.params.cleanup_after
}

/// The longest that a draw is, or mostly is: 99 of 100 draws from a long tail are shorter.
fn longest_draw(draw: Draw) -> Span {
    match draw {
        Draw::Fixed(s) => s,
        Draw::Uniform(a, b) => a.max(b),
        Draw::Exponential(mean) => mean.times(5),
        Draw::LogNormal(_, p99) | Draw::Pareto(_, p99) => p99,
        Draw::OneOf(lengths) => lengths.iter().max().unwrap_or(Span::ZERO),
    }
}
