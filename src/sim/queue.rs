//! What is still to happen, in its total order.
//!
//! Pending events are ordered by (true time, rank, number). The number counts schedulings, so that events of one instant come out in the
//! order in which they were scheduled: first in, first out. The rank lets what the *story* does (a pause, a cut, a clock step) come
//! before what the nodes do at the same instant: a pause over `[a, b)` holds what falls due at `a`.
//!
//! A run has a dozen pending events, so a sorted array beats a heap: the soonest stands last, popping is a decrement, and a timer is
//! withdrawn for good instead of being left to rot.

use crate::base::TrueTime;

/// Story before nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    Story,
    Nodes,
}

/// Place of an event among all; equal only to itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    pub at: TrueTime,
    /// Rank in the highest bit, number below.
    order: u64,
}

const NODES: u64 = 1 << 63;

impl Place {
    pub fn is_story(self) -> bool {
        self.order & NODES == 0
    }
}

/// The pending events of a run.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    /// Latest first, soonest last.
    items: Vec<(Place, T)>,
    next: u64,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { items: Vec::new(), next: 0 }
    }
}

impl<T: Copy> Queue<T> {
    pub fn clear(&mut self) {
        self.items.clear();
        self.next = 0;
    }

    /// Schedules and returns the place, by which it can be withdrawn.
    #[inline]
    pub fn push(&mut self, at: TrueTime, rank: Rank, item: T) -> Place {
        let order = self.next | if rank == Rank::Nodes { NODES } else { 0 };
        self.next += 1;
        let place = Place { at, order };
        self.insert(place, item);
        place
    }

    #[inline]
    fn insert(&mut self, place: Place, item: T) {
        // Most new events are soon ones: look from the end.
        let mut i = self.items.len();
        while i > 0 && self.items[i - 1].0 < place {
            i -= 1;
        }
        self.items.insert(i, (place, item));
    }

    /// A place at this instant, behind everything scheduled so far, for what waits outside the queue.
    pub fn here(&mut self, now: TrueTime) -> Place {
        let order = self.next | NODES;
        self.next += 1;
        Place { at: now, order }
    }

    #[inline]
    pub fn peek(&self) -> Option<Place> {
        self.items.last().map(|(p, _)| *p)
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(Place, T)> {
        self.items.pop()
    }

    /// Withdraws what stands at this place.
    #[inline]
    pub fn withdraw(&mut self, place: Place) {
        // What is withdrawn is mostly a time-out, far in the future: look from the front.
        if let Some(i) = self.items.iter().position(|(p, _)| *p == place) {
            self.items.remove(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(q: &mut Queue<u32>) -> Vec<u32> {
        std::iter::from_fn(|| q.pop()).map(|(_, x)| x).collect()
    }

    #[test]
    fn equal_times_are_first_in_first_out() {
        let mut q = Queue::default();
        for (at, x) in [(5, 1), (3, 2), (5, 3), (3, 4), (4, 5)] {
            q.push(TrueTime::from_ms(at), Rank::Nodes, x);
        }
        assert_eq!(drain(&mut q), [2, 4, 5, 1, 3]);
    }

    #[test]
    fn the_story_comes_before_the_nodes_at_one_instant() {
        let mut q = Queue::default();
        q.push(TrueTime::from_ms(5), Rank::Nodes, 1);
        q.push(TrueTime::from_ms(5), Rank::Story, 2);
        q.push(TrueTime::from_ms(4), Rank::Nodes, 3);
        assert_eq!(drain(&mut q), [3, 2, 1]);
    }

    #[test]
    fn what_is_withdrawn_never_happens() {
        let mut q = Queue::default();
        let a = q.push(TrueTime::from_ms(5), Rank::Nodes, 1);
        q.push(TrueTime::from_ms(5), Rank::Nodes, 2);
        q.withdraw(a);
        q.withdraw(a);
        assert_eq!(drain(&mut q), [2]);
    }
}
