//! Fencing tokens: the one thing in this subject whose *order* matters.

use std::fmt;

/// A number that grows with every grant. It has an order and a successor, and no arithmetic: a token is compared, not computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Token(u64);

impl Token {
    pub const fn new(n: u64) -> Token {
        Token(n)
    }

    pub const fn next(self) -> Token {
        Token(self.0 + 1)
    }

    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}
