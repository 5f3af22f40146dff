//! The question without time: workers that acquire, read, write and release in rounds, under a lease that may end at any moment.
//!
//! It is the question that general model checkers are asked about locks, and it is here so that they and we can be asked the same. Time is
//! abstracted away: there are no clocks, messages or pauses, every step is one indivisible change, any worker may be next, and the lease may
//! be over before any step. So it knows no number of faults, and what holds here holds for any lengths of leases, pauses and delays, as
//! long as a step at the lock or at the resource is indivisible.
//!
//! This is a second description of lock and resource, and could differ from the first. Therefore each of its schedules can be written as an
//! ordinary story ([`Question::story`]), and `tests/untimed.rs` runs every schedule of a small question on the engine and compares verdicts.
//!
//! Left out of the search is, if it is asked to leave out anything (`reduce`): who is interchangeable, what no longer matters, and the
//! order of what is independent.

mod reduce;
mod search;
mod story;

pub use search::{Checked, Reduction};

use crate::check::Property;

/// At most so many workers.
pub const WORKERS: usize = 5;

/// What stands between a late writer and the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Nothing.
    Unfenced,
    /// The resource refuses a write whose token is below the highest that has written.
    Fenced,
    /// A new owner shows its token before it reads, and the resource refuses what is below the highest that was shown.
    Activated,
}

impl Guard {
    pub const ALL: [Guard; 3] = [Guard::Unfenced, Guard::Fenced, Guard::Activated];

    pub const fn word(self) -> &'static str {
        match self {
            Guard::Unfenced => "unfenced",
            Guard::Fenced => "fenced",
            Guard::Activated => "activated",
        }
    }
}

/// So many workers, each so many rounds, behind this guard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    pub workers: usize,
    pub rounds: u8,
    pub guard: Guard,
}

/// What a worker does next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Step {
    #[default]
    Acquire,
    Activate,
    Read,
    Write,
    Release,
    /// All rounds are done.
    Done,
}

/// A worker, and what it remembers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Worker {
    pub rounds_done: u8,
    pub next: Step,
    /// Of the grant that it works under; 0: none.
    pub token: u8,
    /// The version that it read.
    pub read: u8,
}

/// Lock, resource and workers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    /// The token under which the lock is held; 0: it is free.
    pub held: u8,
    /// Grants so far: the newest token.
    pub granted: u8,
    /// What the guard compares with.
    pub mark: u8,
    /// The highest token under which anything was written.
    pub newest: u8,
    pub version: u8,
    /// Which properties have been broken, one bit each, in the order of [`PROPERTIES`].
    pub broken: u8,
    pub workers: [Worker; WORKERS],
}

/// What is asked about every schedule.
pub const PROPERTIES: [Property; 2] = [Property::StaleWrite, Property::LostUpdate];

const STALE: u8 = 1;
const LOST: u8 = 2;

/// What can happen next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// The lease is over.
    Expire,
    /// This worker does its next step.
    Go(u8),
}

impl Question {
    /// # Panics
    /// If there are more workers or rounds than it can be asked about.
    pub fn new(workers: usize, rounds: u8, guard: Guard) -> Question {
        assert!(workers <= WORKERS && usize::from(rounds) * workers < 16, "{workers} workers with {rounds} rounds");
        Question { workers, rounds, guard }
    }

    /// Before anything has happened.
    pub fn start(&self) -> State {
        State::default()
    }

    /// Everything that can happen next, the workers in their order.
    pub fn acts(&self, s: &State) -> impl Iterator<Item = Act> {
        let (held, workers) = (s.held, s.workers);
        let can = move |w: &usize| match workers[*w].next {
            Step::Acquire => held == 0,
            Step::Done => false,
            _ => true,
        };
        let expires = (held != 0).then_some(Act::Expire);
        expires.into_iter().chain((0..self.workers).filter(can).map(|w| Act::Go(w as u8)))
    }

    /// Is this worker's next step refused, now and for ever? A mark never falls.
    pub fn is_refused(&self, s: &State, w: &Worker) -> bool {
        let asks = matches!(w.next, Step::Activate | Step::Write);
        asks && self.guard != Guard::Unfenced && w.token < s.mark
    }

    /// After this.
    pub fn after(&self, s: &State, act: Act) -> State {
        let mut s = *s;
        let Act::Go(i) = act else {
            s.held = 0;
            return s;
        };
        let mut w = s.workers[usize::from(i)];
        let refused = self.is_refused(&s, &w);
        match w.next {
            Step::Acquire => {
                s.granted += 1;
                (s.held, w.token) = (s.granted, s.granted);
                w.next = if self.guard == Guard::Activated { Step::Activate } else { Step::Read };
            }
            Step::Activate if refused => w.next = Step::Release,
            Step::Activate => {
                s.mark = w.token;
                w.next = Step::Read;
            }
            Step::Read => {
                w.read = s.version;
                w.next = Step::Write;
            }
            Step::Write => {
                if !refused {
                    s.broken |= if w.token < s.newest { STALE } else { 0 };
                    s.broken |= if w.read != s.version { LOST } else { 0 };
                    s.newest = s.newest.max(w.token);
                    s.version += 1;
                    if self.guard != Guard::Unfenced {
                        s.mark = s.mark.max(w.token);
                    }
                }
                (w.read, w.next) = (0, Step::Release);
            }
            Step::Release => {
                if s.held == w.token {
                    s.held = 0;
                }
                let rounds_done = w.rounds_done + 1;
                let next = if rounds_done == self.rounds { Step::Done } else { Step::Acquire };
                w = Worker { rounds_done, next, ..Worker::default() };
            }
            Step::Done => unreachable!("{i} has nothing left to do"),
        }
        s.workers[usize::from(i)] = w;
        s
    }
}
