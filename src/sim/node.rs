//! The machine under an actor: its timers, and whether it runs at all.

use super::queue::{Place, Ticket};
use super::world::Pending;
use crate::base::{ClockKind, LocalTime, Thread, TrueTime};
use crate::protocol::Slot;
use crate::trace::EventSeq;

/// The machine under an actor: its timers, and whether it runs at all.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub up: bool,
    /// A worker's moment to start has come; a restart before it starts nothing.
    pub due: bool,
    /// It has begun for the first time.
    pub begun: bool,
    pub crashed_at: TrueTime,
    /// While down it answers with an error.
    pub refuses: bool,
    /// Some pause is in force; looked at before the rest.
    pub any_pause: bool,
    /// Pauses in force: of all, of the main thread, of the renewal thread.
    pub pauses: [u8; 3],
    pub paused_since: [TrueTime; 3],
    /// What waits until a pause is over.
    pub backlog: Vec<(Place, Thread, Pending)>,
    pub timers: Vec<Timer>,
}

/// A timer's slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Timer {
    /// Where it stands in the queue; `None`: it is not running.
    pub ticket: Option<Ticket>,
    pub thread: Thread,
    /// The clock and the reading at which it runs out, for timers that follow a clock.
    pub clock: Option<ClockKind>,
    pub target: LocalTime,
    /// The event during which it was set.
    pub cause: Option<EventSeq>,
}

impl Node {
    pub fn new() -> Node {
        Node {
            up: true,
            due: false,
            begun: false,
            crashed_at: TrueTime::ZERO,
            refuses: false,
            any_pause: false,
            pauses: [0; 3],
            paused_since: [TrueTime::ZERO; 3],
            backlog: Vec::new(),
            timers: vec![Timer::default(); 5],
        }
    }

    pub fn reset(&mut self) {
        self.up = true;
        self.due = false;
        self.begun = false;
        self.refuses = false;
        self.any_pause = false;
        self.pauses = [0; 3];
        self.backlog.clear();
        self.timers.fill(Timer::default());
    }

    /// The timer in this slot.
    #[inline]
    pub fn timer(&mut self, slot: Slot) -> &mut Timer {
        let slot = slot.0 as usize;
        if slot >= self.timers.len() {
            self.more_timers(slot);
        }
        &mut self.timers[slot]
    }

    #[cold]
    fn more_timers(&mut self, slot: usize) {
        self.timers.resize(slot + 1, Timer::default());
    }

    #[inline]
    pub fn is_paused(&self, thread: Thread) -> bool {
        self.any_pause && (self.pauses[0] > 0 || self.pauses[1 + thread.index()] > 0)
    }
}
