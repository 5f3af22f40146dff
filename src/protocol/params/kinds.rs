//! How many may hold a lock at once, and how often: the kind of a lock, resolved.

use crate::base::LockId;
use crate::base::fact::Share;
use crate::base::message::Mode;

/// How many holders a lock has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum LockKind {
    /// One.
    #[default]
    Mutex,
    /// One writer, or readers.
    ReadWrite,
    /// So many as there are permits.
    Semaphore,
}

/// What a holder hears that asks again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Reentrant {
    /// The same as everybody else.
    #[default]
    No,
    /// It is let in, and counted, under the token that it has (Hazelcast).
    SameToken,
    /// It is let in, and counted, under a new token (Redisson's RFencedLock).
    NewToken,
}

/// Whose end counts when several hold one key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SharedTtl {
    /// Everybody's own.
    #[default]
    PerHolder,
    /// The latest: nobody's entry is gone before the key is.
    Max,
    /// That of whoever asked last.
    Overwrite,
}

/// What kind of lock it is, and what follows from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sharing {
    pub holders: LockKind,
    /// Of a semaphore.
    pub permits: u16,
    pub reentrant: Reentrant,
    pub shared_ttl: SharedTtl,
    /// Of several locks asked for at once, a majority is a success; otherwise all.
    pub majority: bool,
    /// An extension brings a new token.
    pub renew_token: bool,
    /// Quirk: an extension moves the end of the key, and leaves the holder's own as it was.
    pub renews_key_only: bool,
    /// Quirk: whoever reads and wants to write waits until all readers have gone, itself among them.
    pub waits_for_own_read: bool,
}

impl Sharing {
    /// One holder, once: nothing is counted.
    pub fn is_plain(&self) -> bool {
        self.holders == LockKind::Mutex && self.reentrant == Reentrant::No
    }

    /// Beside whom somebody is let in who asks in this way.
    pub fn share(&self, mode: Mode) -> Share {
        match (self.holders, mode) {
            (LockKind::Semaphore, _) => Share::Permit(self.permits),
            (LockKind::ReadWrite, Mode::Read | Mode::Downgrade) => Share::Read,
            _ => Share::Alone,
        }
    }
}

/// The locks of one step, in the order in which they are asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Locks {
    all: [LockId; Locks::MOST],
    n: u8,
}

impl Locks {
    /// So many can be asked for at once.
    pub const MOST: usize = 8;

    pub fn one(lock: LockId) -> Locks {
        let mut out = Locks::default();
        out.push(lock);
        out
    }

    /// One more, if there is room.
    pub fn push(&mut self, lock: LockId) {
        if let Some(place) = self.all.get_mut(usize::from(self.n)) {
            *place = lock;
            self.n += 1;
        }
    }

    pub fn len(&self) -> usize {
        self.n.into()
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    pub fn at(&self, i: usize) -> LockId {
        self.all[i]
    }
}
