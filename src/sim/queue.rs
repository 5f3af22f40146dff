//! What is still to happen, in its total order.
//!
//! Pending events are ordered by (true time, rank, number). The number counts schedulings, so that events of one instant come out in the
//! order in which they were scheduled: first in, first out. The rank lets what the *story* does (a pause, a cut, a clock step) come
//! before what the nodes do at the same instant: a pause over `[a, b)` holds what falls due at `a`.
//!
//! A run has a dozen pending events, so a sorted array beats a heap: the soonest stands last, popping is a decrement, and a timer is
//! withdrawn for good instead of being left to rot.

use crate::base::TrueTime;
use std::num::NonZeroU64;

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
    ticket: Ticket,
}

/// Rank in the highest bit, number below; names an event for as long as it is pending.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket(NonZeroU64);

const NODES: u64 = 1 << 63;

impl Place {
    #[inline]
    pub fn is_story(self) -> bool {
        self.ticket.0.get() & NODES == 0
    }
}

/// The pending events of a run.
#[derive(Clone, Debug)]
pub struct Queue<T> {
    /// Latest first, soonest last.
    items: Vec<(Place, T)>,
    issued: u64,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { items: Vec::new(), issued: 0 }
    }
}

impl<T: Copy> Queue<T> {
    pub fn clear(&mut self) {
        self.items.clear();
        self.issued = 0;
    }

    /// Schedules, and returns the ticket by which it can be withdrawn.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn push(&mut self, at: TrueTime, rank: Rank, item: T) -> Ticket {
        let ticket = self.ticket(rank);
        self.put_back(at, ticket, item);
        ticket
    }

    #[inline]
    fn ticket(&mut self, rank: Rank) -> Ticket {
        self.issued += 1;
        let bits = self.issued | if rank == Rank::Nodes { NODES } else { 0 };
        Ticket(NonZeroU64::new(bits).expect("the number is at least one"))
    }

    /// Puts an item where its ticket says.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn put_back(&mut self, at: TrueTime, ticket: Ticket, item: T) {
        let place = Place { at, ticket };
        self.items.push((place, item));
        let items = self.items.as_mut_slice();
        // Most new events are soon ones: look from the end.
        let last = items.len() - 1;
        let mut i = last;
        while i > 0 && items[i - 1].0 < place {
            items[i] = items[i - 1];
            i -= 1;
        }
        if i < last {
            items[i] = (place, item);
        }
    }

    /// A place at this instant, behind everything scheduled so far, for what waits outside the queue.
    pub fn here(&mut self, now: TrueTime) -> Place {
        Place { at: now, ticket: self.ticket(Rank::Nodes) }
    }

    #[inline]
    pub fn peek(&self) -> Option<(Place, T)> {
        self.items.last().copied()
    }

    #[inline]
    pub fn pop(&mut self) -> Option<(Place, T)> {
        self.items.pop()
    }

    /// Everything, the soonest first.
    pub fn each(&self, mut look: impl FnMut(Place, T)) {
        self.items.iter().rev().for_each(|(place, item)| look(*place, *item));
    }

    /// The soonest that is meant.
    #[cold]
    pub fn find(&self, meant: impl Fn(&T) -> bool) -> Option<(Ticket, T)> {
        self.items.iter().rev().find(|(_, item)| meant(item)).map(|(place, item)| (place.ticket, *item))
    }

    /// Withdraws what this ticket names; returns when it would have been.
    #[inline]
    pub fn withdraw(&mut self, ticket: Ticket) -> Option<TrueTime> {
        // What is withdrawn is mostly a time-out, far in the future: look from the front.
        let items = self.items.as_mut_slice();
        let i = items.iter().position(|(p, _)| p.ticket == ticket)?;
        let at = items[i].0.at;
        // A dozen items at most are moved: a loop beats a call.
        for j in i + 1..items.len() {
            items[j - 1] = items[j];
        }
        self.items.pop();
        Some(at)
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
        assert_eq!(q.withdraw(a), Some(TrueTime::from_ms(5)));
        assert_eq!(q.withdraw(a), None);
        assert_eq!(drain(&mut q), [2]);
    }
}
