//! What can be set about a resource: its checks, its mark, its copies.

use super::Draw;
use crate::base::{Span, Token};

/// The checks of a resource; all that are set must pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Guards {
    /// Token against mark.
    pub fence: bool,
    /// Owner id against the one stored by activation.
    pub owner: bool,
    /// Asks the lock service first.
    pub ask: bool,
    /// Base version against the current one.
    pub version: bool,
    /// Create only.
    pub absent: bool,
    /// One outcome per operation, replayed.
    pub idempotency: bool,
    /// Lock and data lie in one store: the lock's row is read in the step of the write.
    pub same_store: bool,
    /// The resource is the lock service: who writes under a lease names it, and who names none writes when there is no lease.
    pub lease_id: bool,
}

/// How a token passes the mark.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Rule {
    /// `>=`: the owner may send several requests.
    #[default]
    AtLeast,
    /// `>`: a fresh token with each request.
    Above,
}

/// One resource; each of its shards has a mark, a version and a memory of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceParams {
    pub guards: Guards,
    pub rule: Rule,
    /// Check and effect in one step; otherwise 1 ms (or a stall) lies between them.
    pub atomic: bool,
    /// Requests under one token must count up.
    pub sequence: bool,
    /// Reads carry the token and move the mark.
    pub reads_fence: bool,
    pub mark: Token,
    pub mark_durable: bool,
    pub mark_survives_delete: bool,
    /// The mark is forgotten so long after its last move.
    pub mark_retention: Option<Span>,
    /// One mark per worker instead of one for all.
    pub mark_per_worker: bool,
    /// How long outcomes are kept for replay; `None`: for ever.
    pub retention: Option<Span>,
    /// From arrival to decision.
    pub handling: Draw,
    /// Every attempt to mint a token uses up a number, also one that repeats an attempt of the same worker.
    pub bump_attempts: bool,
    /// How many copies there are of each shard, and how many answers suffice.
    pub copies: Copies,
}

/// Copies of a shard, each on a node of its own, and how many of them make one answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Copies {
    pub count: u8,
    /// For a write.
    pub ack: u8,
    /// For the announcement of a token.
    pub mark: u8,
    pub read: u8,
}

impl Default for ResourceParams {
    fn default() -> Self {
        ResourceParams {
            guards: Guards::default(),
            rule: Rule::AtLeast,
            atomic: true,
            sequence: false,
            reads_fence: false,
            mark: Token::new(0),
            mark_durable: true,
            mark_survives_delete: true,
            mark_retention: None,
            mark_per_worker: false,
            retention: None,
            handling: Draw::ms(0),
            bump_attempts: false,
            copies: Copies { count: 1, ack: 1, mark: 1, read: 1 },
        }
    }
}
