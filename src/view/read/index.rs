//! What an observer keeps about ids: maps from one or two numbers to a number, compiled once for all of them.

use crate::base::flat::FlatMap;

/// What one of the maps is about: which numbers it is asked with, and what it answers.
#[derive(Clone, Copy, Debug)]
pub(super) enum About {
    /// By message: its flight.
    Message,
    /// By acquisition: its worker.
    Worker,
    /// By acquisition: its length as asked for, where no fact tells it. µs.
    Ttl,
    /// By acquisition: its holding.
    Holding,
    /// By lock: the holding of its latest grant.
    Latest,
    /// By node and holding: the bar of the record.
    Record,
    /// By node and acquisition: the bar of the belief.
    Belief,
    /// By node and thread: the pause in force.
    Pause,
    /// By node: since when it is down.
    Down,
    /// By node: it forgot a record.
    Forgot,
    /// By lanes: the cut in force.
    Cut,
    /// By shard: an operation took effect.
    Done,
    /// By call, and by worker and topic: its place among the calls.
    Call,
    /// By worker and lock: whether its last call was in vain.
    Asking,
    /// By issuer: the highest number so far.
    Issued,
}

/// All the maps. Where one number is enough the second is 0; what is answered is mostly a place in a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Index([FlatMap<(u64, u64), u64>; 15]);

impl Index {
    #[inline(never)]
    pub fn get(&self, about: About, a: u64, b: u64) -> Option<usize> {
        self.0[about as usize].get(&(a, b)).map(|v| *v as usize)
    }

    /// True if there was none.
    #[inline(never)]
    pub fn insert(&mut self, about: About, a: u64, b: u64, value: u64) -> bool {
        self.0[about as usize].insert((a, b), value).is_none()
    }

    /// What is there, put there first if there is none.
    pub fn or_insert(&mut self, about: About, a: u64, b: u64, value: u64) -> u64 {
        match self.get(about, a, b) {
            Some(there) => there as u64,
            None => {
                self.insert(about, a, b, value);
                value
            }
        }
    }

    #[inline(never)]
    pub fn remove(&mut self, about: About, a: u64, b: u64) -> Option<usize> {
        self.0[about as usize].remove(&(a, b)).map(|v| v as usize)
    }
}
