//! Seams of a program: where a fault can strike, and what an expectation can name.
//!
//! Most points are the two edges of a step ("before W1 write", "after W1 check"). The others are seams inside a protocol that matter
//! to people who debug locks: between SET and EXPIRE, between compare and delete, the instant a grant is stored.

use std::fmt;

/// What a step of a worker's program does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Verb {
    Acquire,
    Renew,
    Release,
    Abandon,
    Upgrade,
    Downgrade,
    Check,
    Activate,
    Read,
    Write,
    Delete,
    Call,
    Issue,
    Begin,
    Commit,
    Work,
    Wait,
    Reap,
    Break,
    Hand,
    Receive,
    Stop,
}

impl Verb {
    /// All verbs, in the order of the enum.
    pub const ALL: [Verb; 22] = [
        Verb::Acquire,
        Verb::Renew,
        Verb::Release,
        Verb::Abandon,
        Verb::Upgrade,
        Verb::Downgrade,
        Verb::Check,
        Verb::Activate,
        Verb::Read,
        Verb::Write,
        Verb::Delete,
        Verb::Call,
        Verb::Issue,
        Verb::Begin,
        Verb::Commit,
        Verb::Work,
        Verb::Wait,
        Verb::Reap,
        Verb::Break,
        Verb::Hand,
        Verb::Receive,
        Verb::Stop,
    ];

    /// The word in a scenario file.
    pub const fn word(self) -> &'static str {
        match self {
            Verb::Acquire => "acquire",
            Verb::Renew => "renew",
            Verb::Release => "release",
            Verb::Abandon => "abandon",
            Verb::Upgrade => "upgrade",
            Verb::Downgrade => "downgrade",
            Verb::Check => "check",
            Verb::Activate => "activate",
            Verb::Read => "read",
            Verb::Write => "write",
            Verb::Delete => "delete",
            Verb::Call => "call",
            Verb::Issue => "issue",
            Verb::Begin => "begin",
            Verb::Commit => "commit",
            Verb::Work => "work",
            Verb::Wait => "wait",
            Verb::Reap => "reap",
            Verb::Break => "break",
            Verb::Hand => "hand",
            Verb::Receive => "receive",
            Verb::Stop => "stop",
        }
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Which side of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edge {
    Before,
    After,
}

/// A kind of point. With a worker and a number (the n-th of this kind by that worker, over rounds and loops) it is one instant of a run,
/// or none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PointKind {
    /// An edge of a step.
    Step(Edge, Verb),
    /// The client has computed its own deadline.
    Stamp,
    /// Two-step acquire: the key is set and has no TTL yet.
    Set,
    /// Two-step release: the owner was compared and the key is not deleted yet.
    Compare,
    /// A copy of the worker's record reached a replica.
    Replicate,
    /// The service stored the worker's grant (a quorum: the last vote it needed).
    Grant,
    /// The service refused the worker.
    Refuse,
    /// The worker learned of its grant.
    Belief,
    /// The worker's lease ran out at the service.
    Expiry,
    /// The resource applied the worker's write.
    Apply,
    /// The resource refused the worker's write or activation.
    Reject,
}

impl PointKind {
    /// Number of distinct kinds; [`PointKind::index`] is below it.
    pub const COUNT: usize = Verb::ALL.len() * 2 + 10;

    /// A dense index, for counters.
    #[inline]
    pub const fn index(self) -> usize {
        let seams = Verb::ALL.len() * 2;
        match self {
            PointKind::Step(Edge::Before, v) => v as usize * 2,
            PointKind::Step(Edge::After, v) => v as usize * 2 + 1,
            PointKind::Stamp => seams,
            PointKind::Set => seams + 1,
            PointKind::Compare => seams + 2,
            PointKind::Replicate => seams + 3,
            PointKind::Grant => seams + 4,
            PointKind::Refuse => seams + 5,
            PointKind::Belief => seams + 6,
            PointKind::Expiry => seams + 7,
            PointKind::Apply => seams + 8,
            PointKind::Reject => seams + 9,
        }
    }

    /// The word that names the point in a moment or an expectation; a step's edge is not part of it.
    pub const fn word(self) -> &'static str {
        match self {
            PointKind::Step(_, v) => v.word(),
            PointKind::Stamp => "stamp",
            PointKind::Set => "set",
            PointKind::Compare => "compare",
            PointKind::Replicate => "replicate",
            PointKind::Grant => "grant",
            PointKind::Refuse => "refuse",
            PointKind::Belief => "belief",
            PointKind::Expiry => "expiry",
            PointKind::Apply => "apply",
            PointKind::Reject => "reject",
        }
    }

    /// The seams that are no step, by word.
    pub const SEAMS: [PointKind; 10] = [
        PointKind::Stamp,
        PointKind::Set,
        PointKind::Compare,
        PointKind::Replicate,
        PointKind::Grant,
        PointKind::Refuse,
        PointKind::Belief,
        PointKind::Expiry,
        PointKind::Apply,
        PointKind::Reject,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_dense_and_distinct() {
        let mut seen = [false; PointKind::COUNT];
        let steps = Verb::ALL.iter().flat_map(|v| [Edge::Before, Edge::After].map(|e| PointKind::Step(e, *v)));
        for p in steps.chain(PointKind::SEAMS) {
            assert!(!seen[p.index()], "{p:?} shares an index");
            seen[p.index()] = true;
        }
        assert!(seen.iter().all(|s| *s));
    }
}
