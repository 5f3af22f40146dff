//! Fencing tokens: the one thing in this subject whose *order* matters.

use std::fmt;
use std::num::NonZeroU64;

/// A number that grows with every grant. It has an order and a successor, and no arithmetic: a token is compared, not computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(NonZeroU64);

impl Token {
    /// The number `n`; the largest of all, which no service reaches, stands for the one before it.
    pub const fn new(n: u64) -> Token {
        // Stored one higher, so that "no token" costs no space in a message.
        match NonZeroU64::new(n.saturating_add(1)) {
            Some(stored) => Token(stored),
            None => Token(NonZeroU64::MIN),
        }
    }

    pub const fn next(self) -> Token {
        Token::new(self.get() + 1)
    }

    pub const fn get(self) -> u64 {
        self.0.get() - 1
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Token({})", self.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_its_number() {
        for n in [0, 1, 33, u64::MAX - 1] {
            assert_eq!(Token::new(n).get(), n);
        }
        assert!(Token::new(33) < Token::new(34));
        assert_eq!(Token::new(33).next(), Token::new(34));
    }
}
