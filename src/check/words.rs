//! How a verdict says who and which grant.
//!
//! Nothing here runs while events are folded: a property keeps ids, and only the report at the end turns them into a sentence.

use super::ledger::{GrantId, GrantRecord, Ledger};
use crate::base::{NodeId, Token};
use crate::trace::Names;
use crate::trace::names::NBSP;

pub use crate::trace::names::{at, length, reading};

/// Names of participants, and of grants.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    pub names: Names<'a>,
    pub ledger: &'a Ledger,
}

impl<'a> Words<'a> {
    pub fn who(&self, id: NodeId) -> &'a str {
        self.names.node(id)
    }

    pub fn record(&self, id: GrantId) -> &'a GrantRecord {
        self.ledger.grant(id)
    }

    /// "grant 1".
    pub fn grant(&self, id: GrantId) -> String {
        let g = self.record(id);
        self.names.grant(g.lock, g.number)
    }

    /// "W2’s grant 2", or "its own grant 2" if `by` owns it.
    pub fn whose_grant(&self, id: GrantId, by: NodeId) -> String {
        let g = self.record(id);
        if g.worker == by {
            format!("its own {}", self.grant(id))
        } else {
            format!("{}’s {}", self.who(g.worker), self.grant(id))
        }
    }
}

/// "token 3".
pub fn token(t: Token) -> String {
    format!("token{NBSP}{t}")
}

/// "version 3".
pub fn version(v: u64) -> String {
    format!("version{NBSP}{v}")
}
