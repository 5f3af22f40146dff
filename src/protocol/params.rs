//! What can be set about a lock service, a client and a resource, resolved: every default filled in, every word an enum.
//!
//! The scenario reader builds these from a file; handlers only read them. The names are those of the scenario language, so that
//! a key can be looked up in one step. Lengths that a scenario may draw at random are [`Draw`]s, answered once per occurrence.

mod client;
mod kinds;
mod program;
mod resource;

pub use crate::base::message::FindEntry;
pub use client::*;
pub use kinds::*;
pub use program::*;
pub use resource::*;

use crate::base::message::Compare;
use crate::base::time::scaled;
use crate::base::{ClockKind, Span, Token};

/// A length, or how to draw one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    Fixed(Span),
    /// Uniform between both ends, inclusive, in whole microseconds.
    Uniform(Span, Span),
    /// Exponential, by mean.
    Exponential(Span),
    /// Log-normal, by median and 99th percentile.
    LogNormal(Span, Span),
    /// Pareto, by the least and 99th percentile: most are short, and a few are longer than any other draw makes them.
    Pareto(Span, Span),
    /// One of some lengths, each as likely as the others: what somebody has measured.
    OneOf(Lengths),
}

/// A few lengths, in place: a draw is copied wherever one is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lengths {
    n: u8,
    us: [u32; Lengths::MOST],
}

impl Lengths {
    /// At most so many.
    pub const MOST: usize = 8;

    /// Nothing if there are none or too many, or if one is negative or longer than an hour.
    pub fn new(all: &[Span]) -> Option<Lengths> {
        let mut lengths = Lengths { n: all.len() as u8, us: [0; Lengths::MOST] };
        if all.is_empty() || all.len() > Lengths::MOST {
            return None;
        }
        for (us, s) in lengths.us.iter_mut().zip(all) {
            *us = u32::try_from(s.as_us()).ok().filter(|us| *us <= 3_600_000_000)?;
        }
        Some(lengths)
    }

    pub fn len(&self) -> usize {
        usize::from(self.n)
    }

    /// Never: there is one at least.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// In the order in which they were given.
    pub fn at(&self, i: usize) -> Span {
        Span::from_us(i64::from(self.us[i]))
    }

    pub fn iter(&self) -> impl Iterator<Item = Span> {
        let Lengths { n, us } = *self;
        us.into_iter().take(usize::from(n)).map(|us| Span::from_us(i64::from(us)))
    }
}

impl Draw {
    pub const fn ms(ms: i64) -> Draw {
        Draw::Fixed(Span::from_ms(ms))
    }

    /// The least it can be.
    pub fn least(self) -> Span {
        match self {
            Draw::Fixed(s) | Draw::Uniform(s, _) => s,
            Draw::Exponential(_) | Draw::LogNormal(..) => Span::ZERO,
            Draw::Pareto(least, _) => least,
            Draw::OneOf(lengths) => lengths.iter().min().unwrap_or(Span::ZERO),
        }
    }
}

/// The part of a lease that the client does not use: a share of the TTL, cut to whole milliseconds, plus a constant. `1% + 2ms` is the
/// drift allowance of the Redlock reference client.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Margin {
    pub share_ppm: i64,
    pub plus: Span,
}

impl Margin {
    #[inline]
    pub fn of(self, ttl: Span) -> Span {
        if self.share_ppm == 0 {
            return self.plus;
        }
        let share_us = scaled(ttl.as_us(), self.share_ppm, 1_000_000).unwrap_or(i64::MAX / 2);
        Span::from_us(share_us - share_us % 1_000) + self.plus
    }
}

// ------------------------------------------------------------------ the lock service

/// Which model family serves a lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// A key with a TTL on one server.
    TtlKey,
    /// The same on several servers that know nothing of each other; the client makes a majority of them.
    Quorum,
    /// The same in a replicated log: an effect exists once a majority has it.
    Consensus,
    /// No lock at all: `acquire` succeeds at once and means nothing.
    None,
    /// Sessions and a line of entries, in a replicated log.
    SessionQueue,
    /// It lives as long as its owner's connection.
    Connection,
    /// A record in a store without a clock, which its clients judge.
    Record,
}

/// When somebody who wants a lock may replace the record of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Takeover {
    /// When the service has ended the lease.
    #[default]
    Expiry,
    /// After seeing no change for the length that the observer itself is set to.
    UnchangedOwn,
    /// After seeing no change for the length that the owner wrote down.
    UnchangedRecorded,
    /// When its stamp is older than the length that the owner wrote down.
    Timestamp,
}

/// What a crash of a lock node keeps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Persistence {
    #[default]
    None,
    /// What is older than one second.
    EverySecond,
    Always,
}

/// Where the number on a grant comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum TokenKind {
    #[default]
    None,
    /// A counter in the atomic step of the grant, as durable as the record.
    Ordered,
    /// A number without an order.
    Random,
    /// A counter in a leader's memory: the next leader begins again.
    Memory,
    /// None from the service: the resource mints one at the activation.
    Resource,
}

/// In which order the nodes of a quorum are asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Order {
    /// All at once.
    #[default]
    Parallel,
    /// One after another, each with the whole time-out of a node.
    Sequential,
}

/// How many answers of a quorum a client waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Take {
    /// All, or their time-outs.
    #[default]
    All,
    /// It goes on as soon as the outcome is decided.
    Quorum,
}

/// Who goes on when two sides of a group meet again that both have served.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Merge {
    /// The side with more members; of equal ones the older.
    #[default]
    LargerSide,
    /// The side that granted last.
    Newest,
    /// The larger side, and the other's records where it has none.
    Union,
}

/// How those who wait learn that it may be their turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Wake {
    /// They ask again after their retry time.
    #[default]
    Poll,
    /// The service tells the one whose turn it is.
    Notify,
    /// Each watches the one before it.
    WatchPrevious,
    /// All watch the lock: a herd.
    WatchLock,
}

/// One lock and the service behind it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LockParams {
    pub family: Family,
    /// Length of a lease; `None`: never ends.
    pub ttl: Option<Span>,
    /// What is really stored (a unit mistake); usually equal to `ttl`.
    pub stored_ttl: Option<Span>,
    /// Which clock of the server decides expiry.
    pub clock: ClockKind,
    /// Set and expire in two commands.
    pub acquire_two_step: bool,
    /// A repeated acquire of the same owner gets its first answer.
    pub request_id: bool,
    pub release: Compare,
    /// Whether to release at all the client asks its own clock.
    pub release_by_clock: bool,
    /// Compare, then delete, as two commands.
    pub release_two_steps: bool,
    pub renew: Compare,
    /// An extension that a majority confirms is followed by another one that stores the record again where it was missing.
    pub repairs: bool,
    /// Length of an extension; `None`: never ends. Zero deletes, as the real command does.
    pub renew_ttl: Option<Span>,
    pub token: TokenKind,
    pub first_token: Token,
    pub max_token: Option<Token>,
    pub persistence: Persistence,
    /// A crashed node stays out at least so long.
    pub delayed_restart: Span,
    /// After a lock was lost (not released), nobody gets it for so long.
    pub lock_delay: Span,
    /// A released lock stays taken until so long after its grant.
    pub min_hold: Span,
    /// How long a change is on its way to a replica.
    pub replication_lag: Draw,
    /// A change is answered only when so many replicas have it.
    pub wait_replicas: u8,
    /// From the end of a primary to the new one; of a leader to the next.
    pub promotion_delay: Draw,
    /// A new primary grants nothing for so long.
    pub promotion_hold: Span,
    /// The service names the owner itself, so no client can use an id twice.
    pub mints_ids: bool,
    /// So many nodes that say yes make a yes.
    pub quorum: u8,
    pub order: Order,
    pub take: Take,
    pub wake: Wake,
    /// A waiter that is told looks at its own entry again before it believes.
    pub recheck: bool,
    /// Ends are noticed on this grid only; zero: at once.
    pub scan: Span,
    /// A new leader gives every session so much more.
    pub cleanup_after: Span,
    /// A broken connection leaves the session alone, or what it has locked.
    pub keep_on_disconnect: bool,
    /// A leader that slept through its replacement goes on ending and keeping sessions.
    pub keeps_acting: bool,
    /// It lasts as long as the transaction that took it.
    pub until_commit: bool,
    /// A lock inside one machine: asking takes no time.
    pub in_process: bool,
    /// The mutex of a process: it outlives the thread that has it, and ends with the process.
    pub of_process: bool,
    /// A connection that is silent for so long is closed.
    pub idle_timeout: Option<Span>,
    /// Who waits to be told is told of a lease that ran out, too: it watches the key, whatever happens to it.
    pub tells_of_ends: bool,
    /// Waiters stand in a line beside the key.
    pub fair: bool,
    /// Who has stood first in that line for so long after the lease before counts as dead.
    pub waiter_timeout: Option<Span>,
    /// The TTL is a lower bound: the service ends a lease at twice its length.
    pub ends_at_twice: bool,
    /// A lock-delay in force is gone with the leader.
    pub delay_in_memory: bool,
    /// A lock that is lost takes its counter with it.
    pub token_restarts: bool,
    /// How long a client whose own lease is over waits for word of its session before it takes it for lost; zero: not at all.
    pub grace: Span,
    /// A group that serves on each side of a partition, and how the sides are joined again; `None`: only a majority serves.
    pub merge: Option<Merge>,
    /// With fewer copies heard of lately, a primary refuses to write.
    pub min_replicas: u8,
    /// How long ago a copy may have been heard of.
    pub max_lag: Span,
    /// How many may hold it at once, and how often.
    pub kind: Sharing,
    pub takeover: Takeover,
    /// How much older than its length a stamp must be.
    pub skew_bound: Span,
    /// Whose clock stamps a record: the writer's, or the store's.
    pub stamped_by_client: bool,
    /// A stored end never moves back.
    pub end_is_monotone: bool,
}

impl Default for LockParams {
    fn default() -> Self {
        let ttl = Some(Span::from_ms(10_000));
        LockParams {
            family: Family::TtlKey,
            ttl,
            stored_ttl: ttl,
            clock: ClockKind::Wall,
            acquire_two_step: false,
            request_id: false,
            release: Compare::Owner,
            release_by_clock: false,
            release_two_steps: false,
            renew: Compare::Owner,
            repairs: false,
            renew_ttl: ttl,
            token: TokenKind::None,
            first_token: Token::new(1),
            max_token: None,
            persistence: Persistence::None,
            delayed_restart: Span::ZERO,
            lock_delay: Span::ZERO,
            min_hold: Span::ZERO,
            replication_lag: Draw::ms(10),
            wait_replicas: 0,
            promotion_delay: Draw::ms(0),
            promotion_hold: Span::ZERO,
            mints_ids: false,
            quorum: 1,
            order: Order::Parallel,
            take: Take::All,
            wake: Wake::Poll,
            recheck: true,
            scan: Span::ZERO,
            cleanup_after: Span::ZERO,
            keep_on_disconnect: false,
            keeps_acting: false,
            until_commit: false,
            in_process: false,
            of_process: false,
            idle_timeout: None,
            tells_of_ends: false,
            fair: false,
            waiter_timeout: None,
            ends_at_twice: false,
            delay_in_memory: false,
            token_restarts: false,
            grace: Span::ZERO,
            merge: None,
            min_replicas: 0,
            max_lag: Span::from_ms(10_000),
            kind: Sharing::default(),
            takeover: Takeover::Expiry,
            skew_bound: Span::ZERO,
            stamped_by_client: false,
            end_is_monotone: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_of_the_reference_client() {
        // Catalogue 1.3: TTL 10 000 → 102, so validity 9 888 after 10 elapsed; TTL 1 000 → 12; TTL 100 → 3.
        let m = Margin { share_ppm: 10_000, plus: Span::from_ms(2) };
        for (ttl, margin) in [(10_000, 102), (1_000, 12), (100, 3)] {
            assert_eq!(m.of(Span::from_ms(ttl)), Span::from_ms(margin));
        }
    }
}
