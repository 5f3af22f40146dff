//! Records that clients judge, as they go over the wire: what somebody sees who looks, and a conditional write.

use super::id::{AcqId, CallId, LockId, NodeId, OwnerId};
use super::message::Compare;
use super::time::{LocalTime, Span};

/// The name of one state of a record (a record version, an entity tag, a generation): compared for equality, and never used twice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Version(pub u32);

impl Version {
    /// As a condition: there is no record.
    pub const ABSENT: Version = Version(0);
    /// As a condition: none.
    pub const ANY: Version = Version(u32::MAX);

    /// The state that a put makes is named after the put: whose it is, and which of its calls. A copy of the put has the same name.
    pub fn of(writer: NodeId, call: CallId) -> Version {
        Version(u32::from(writer.0) << 22 | call.0 & 0x3f_ffff)
    }
}

/// What the answer to a look says about the age of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stamp {
    /// Written when the clock of whoever stamped it showed this.
    At(LocalTime),
    /// Written so long ago, by the clock of the service alone.
    Ago(Span),
}

/// A record, as somebody sees it who looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Seen {
    pub acq: AcqId,
    pub owner: OwnerId,
    pub version: Version,
    /// Its owner gave it back; the record stays.
    pub released: bool,
    /// The length of the lease, as its owner wrote it down; `None`: no end, or not written down.
    pub ttl: Option<Span>,
    pub stamp: Stamp,
}

/// A conditional write of a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Put {
    pub lock: LockId,
    pub acq: AcqId,
    pub owner: OwnerId,
    pub ttl: Option<Span>,
    pub margin: Span,
    /// What the writer's wall clock shows.
    pub stamp: LocalTime,
    /// Which state it replaces.
    pub expect: Version,
    /// What else must be true.
    pub compare: Compare,
}
