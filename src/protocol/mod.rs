//! What nodes do: one file per protocol, and the contract between a protocol and the loop.
//!
//! A handler is a function `(state, context, input) → commands`. The [`Ctx`] offers a node its own clocks, its own name and a door
//! for named random draws; nothing else. It cannot see true time, the network, the generator or another node's state, so it
//! cannot cheat. [`Out`] collects what the node wants done; the loop does it. A protocol test therefore needs no fake network:
//! it asserts on a list of commands.
//!
//! Invariant: nothing here can reach `sim` or `trace`.

pub mod params;
pub mod redis;
pub mod resource;
pub mod worker;

use crate::base::{AcqId, Clock, ClockKind, Fact, LocalTime, Message, NodeId, PointKind, Span, Thread, TrueTime};
use params::Draw;

/// What reaches a handler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// The node's program begins, or begins again after a crash.
    Start,
    /// A message; `stall` is how long a fault holds it in this handler.
    Message { from: NodeId, message: Message, stall: Option<Span> },
    /// The timer in this slot ran out.
    Timer { slot: Slot },
    /// The point that the handler passed is behind it; carry on.
    Go { thread: Thread },
    /// The process is gone; what survives is up to the node's durability. No command but facts and timers of what survives.
    Crash { loses: Option<Span> },
    /// One thread of the process is gone.
    ThreadDied { thread: Thread },
    /// The record of a lock vanishes; `None`: of all.
    Evict { lock: Option<crate::base::LockId> },
    /// The process ends by itself.
    EndOfLife,
}

/// A timer's place at its node. Setting a slot replaces what was in it. What the numbers mean is each protocol's own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u16);

/// When a timer runs out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Due {
    /// So long from now, counted by the node's own monotonic clock (a sleep, a time-out).
    Sleep(Span),
    /// So long from now in the world (a computation takes as long as it takes, whatever the clock says).
    Busy(Span),
    /// When the node's clock shows this, or more.
    Reading(ClockKind, LocalTime),
}

/// What a node wants done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    Send {
        to: NodeId,
        message: Message,
    },
    SetTimer {
        slot: Slot,
        thread: Thread,
        due: Due,
    },
    CancelTimer {
        slot: Slot,
    },
    /// Something observable was done.
    Did(Fact),
    /// The program passes a point. Always the last command of a thread's turn: the loop looks whether a fault strikes here, and
    /// hands back [`Input::Go`] if not.
    Pass {
        point: PointKind,
        thread: Thread,
    },
}

/// The commands of one turn, in order.
#[derive(Clone, Debug, Default)]
pub struct Out {
    pub commands: Vec<Command>,
}

impl Out {
    #[inline]
    pub fn send(&mut self, to: NodeId, message: Message) {
        self.commands.push(Command::Send { to, message });
    }

    #[inline]
    pub fn timer(&mut self, slot: Slot, thread: Thread, due: Due) {
        self.commands.push(Command::SetTimer { slot, thread, due });
    }

    #[inline]
    pub fn cancel(&mut self, slot: Slot) {
        self.commands.push(Command::CancelTimer { slot });
    }

    #[inline]
    pub fn did(&mut self, fact: Fact) {
        self.commands.push(Command::Did(fact));
    }

    #[inline]
    pub fn pass(&mut self, point: PointKind, thread: Thread) {
        self.commands.push(Command::Pass { point, thread });
    }
}

/// What a draw is for. Each purpose of each node counts its own occurrences, so that an edit in one place does not reshuffle the rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Purpose {
    Retry,
    TimeOut,
    Patience,
    Work,
    Wait,
    Gap,
    Every,
    Lag,
    Handling,
}

impl Purpose {
    pub const COUNT: usize = 9;
}

/// What only the loop can give: answers to named draws, and the observer's numbers for acquisitions.
pub trait Door {
    /// The length for this purpose, this time.
    fn draw(&mut self, node: NodeId, purpose: Purpose, draw: Draw) -> Span;
    /// A fresh acquisition of this worker. Ghost state: nothing may be decided by it.
    fn acquisition(&mut self, worker: NodeId) -> AcqId;
}

/// What a handler may know: who it is, and what its own clocks show.
pub struct Ctx<'a> {
    pub me: NodeId,
    clock: &'a Clock,
    /// Private to the loop: needed to read the clock, never handed out.
    now: TrueTime,
    door: &'a mut dyn Door,
}

impl<'a> Ctx<'a> {
    pub fn new(me: NodeId, clock: &'a Clock, now: TrueTime, door: &'a mut dyn Door) -> Ctx<'a> {
        Ctx { me, clock, now, door }
    }

    /// What this node's clock of that kind shows.
    #[inline]
    pub fn read(&self, kind: ClockKind) -> LocalTime {
        self.clock.read(kind, self.now)
    }

    #[inline]
    pub fn draw(&mut self, purpose: Purpose, draw: Draw) -> Span {
        match draw {
            Draw::Fixed(span) => span,
            _ => self.door.draw(self.me, purpose, draw),
        }
    }

    #[inline]
    pub fn acquisition(&mut self) -> AcqId {
        self.door.acquisition(self.me)
    }
}
