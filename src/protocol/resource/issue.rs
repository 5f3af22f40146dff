//! An issuer: numbers that a leader hands out from its own memory, and the place that they go to.
//!
//! The leader reads how far its predecessors came and counts on from there. What the issuer keeps is the highest number of all; a guard can
//! ask for the leader's token (`fence`), or that a number follows the highest one (`version`): then memory alone hands out nothing.

use super::super::Host;
use super::{Setting, Shard, answer, mark};
use crate::base::message::Reject;
use crate::base::{AcqId, Fact, Message, NodeId, Payload, Token};

/// A number reaches the issuer.
#[cold]
pub(super) fn issue(
    s: &mut Shard,
    set: &Setting,
    (from, message): (NodeId, &Message),
    (acq, token, number): (Option<AcqId>, Option<Token>, u64),
    host: &mut impl Host,
) {
    let p = set.params;
    let why = if p.guards.version && number != s.version + 1 {
        Some(Reject::Version { base: number - 1, current: s.version })
    } else if p.guards.fence {
        mark::against_mark(s, p, host, from, token).err()
    } else {
        None
    };
    if let Some(why) = why {
        host.did(Fact::IssueRejected { worker: from, acq, number, why });
        return answer(from, message, Payload::Rejected(why), host);
    }
    if p.guards.fence {
        mark::raise(s, p, from, token, host);
    }
    s.version = s.version.max(number);
    host.did(Fact::Issued { worker: from, acq, number });
    answer(from, message, Payload::Issued { number }, host);
}
