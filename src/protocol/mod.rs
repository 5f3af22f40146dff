//! What nodes do: one file per protocol, and the contract between a protocol and the loop.
//!
//! A handler is a function `(state, setting, host, input)`. The [`Host`] is all that a node can reach: its own clocks, named draws,
//! timers, a network card, and a place to say what it did. It cannot see true time, the network, the generator or another node's
//! state, so it cannot cheat. In a run the loop is the host and does at once what it is asked; in a protocol test a [`Recorder`]
//! writes the requests down as a list of [`Command`]s, and no fake network is needed.
//!
//! Invariant: nothing here can reach `sim` or `trace`.

pub mod connection;
pub mod consensus;
pub mod params;
pub mod queue;
pub mod record;
pub mod redis;
pub mod resource;
pub mod worker;

#[cfg(test)]
mod connection_tests;
#[cfg(test)]
mod group_tests;
#[cfg(test)]
mod kinds_tests;
#[cfg(test)]
mod queue_tests;
#[cfg(test)]
mod quorum_tests;
#[cfg(test)]
mod record_tests;
#[cfg(test)]
mod redis_tests;
#[cfg(test)]
mod resource_tests;
#[cfg(test)]
mod session_tests;
#[cfg(test)]
mod wake_tests;

use crate::base::{
    AcqId, Clock, ClockKind, Fact, LocalTime, LockId, Message, NodeId, OwnerId, PointKind, Span, Thread, TrueTime,
};
use params::Draw;

/// What reaches a handler.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Input<'m> {
    /// The node's program begins, or begins again after a crash.
    Start,
    /// A message; `stall` is how long a fault holds it between two steps of this handler. Where a message has one step, the loop holds
    /// it before the handler, and the handler knows nothing of it.
    Message { from: NodeId, message: &'m Message, stall: Option<Span> },
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
    /// The node answers for its service from now on.
    Promoted,
    /// The node is replaced, and whatever it knew no longer counts.
    Replaced,
    /// The node answered for one side of a group, and gives way to another.
    Demoted,
    /// It goes on answering, for those who have given way too. Changes that it makes are newer than all before: their numbers begin here.
    Merged { epoch: u32 },
    /// The service ends what this worker has.
    Expire { worker: NodeId },
    /// The connection to this node is broken: of a worker to its service, of a server to its client.
    Disconnected { peer: NodeId },
    /// The caller does not want the lock any more that the worker asks for.
    Cancel,
    /// The worker is to end politely.
    ShutDown,
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

/// What a node may ask of the machine it runs on, and of nobody else: its own clocks, named draws, timers, and a network card. It cannot
/// see true time, the network, the generator or another node's state.
pub trait Host {
    /// Its own name.
    fn me(&self) -> NodeId;
    /// What its clock of that kind shows.
    fn read(&self, kind: ClockKind) -> LocalTime;
    /// The length for this purpose, this time.
    fn draw(&mut self, purpose: Purpose, draw: &Draw) -> Span;
    /// A number below the limit for this purpose, this time.
    fn number(&mut self, purpose: Purpose, below: u64) -> u64;
    /// The observer's number for a fresh acquisition. Ghost state: nothing may be decided by it.
    fn acquisition(&mut self) -> AcqId;
    /// What the threads of this process keep in one place: the owner id under which the lock was last taken, if it has not been given back.
    fn shared_id(&self, _: LockId) -> Option<OwnerId> {
        None
    }
    fn share_id(&mut self, _: LockId, _: Option<OwnerId>) {}
    fn send(&mut self, to: NodeId, message: Message);
    /// Sets the timer in this slot, in place of what was in it.
    fn timer(&mut self, slot: Slot, thread: Thread, due: Due);
    fn cancel(&mut self, slot: Slot);
    /// Something observable was done.
    fn did(&mut self, fact: Fact);
    /// The program passes a point. True: go on. False: something strikes here; the turn must end at once, and goes on with
    /// [`Input::Go`] when the thread may run again.
    #[must_use]
    fn pass(&mut self, point: PointKind, thread: Thread) -> bool;
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
    Token,
}

impl Purpose {
    pub const COUNT: usize = 10;
}

/// What was asked of a [`Recorder`], in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Command {
    Send { to: NodeId, message: Message },
    SetTimer { slot: Slot, thread: Thread, due: Due },
    CancelTimer { slot: Slot },
    Did(Fact),
    Pass { point: PointKind, thread: Thread },
}

/// A host that does nothing but write down, for protocol tests: (state, input) → commands.
#[derive(Clone, Debug)]
pub struct Recorder {
    pub me: NodeId,
    pub clock: Clock,
    /// True time, which only the test knows.
    pub now: TrueTime,
    pub commands: Vec<Command>,
    acquisitions: u32,
}

impl Recorder {
    pub fn new(me: NodeId) -> Recorder {
        Recorder { me, clock: Clock::perfect(), now: TrueTime::ZERO, commands: Vec::new(), acquisitions: 0 }
    }

    /// What was asked since the last call.
    pub fn take(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }
}

impl Host for Recorder {
    fn me(&self) -> NodeId {
        self.me
    }

    fn read(&self, kind: ClockKind) -> LocalTime {
        self.clock.read(kind, self.now)
    }

    fn draw(&mut self, _: Purpose, draw: &Draw) -> Span {
        draw.least()
    }

    fn number(&mut self, _: Purpose, _: u64) -> u64 {
        0
    }

    fn acquisition(&mut self) -> AcqId {
        self.acquisitions += 1;
        AcqId(self.acquisitions - 1)
    }

    fn send(&mut self, to: NodeId, message: Message) {
        self.commands.push(Command::Send { to, message });
    }

    fn timer(&mut self, slot: Slot, thread: Thread, due: Due) {
        self.commands.push(Command::SetTimer { slot, thread, due });
    }

    fn cancel(&mut self, slot: Slot) {
        self.commands.push(Command::CancelTimer { slot });
    }

    fn did(&mut self, fact: Fact) {
        self.commands.push(Command::Did(fact));
    }

    fn pass(&mut self, point: PointKind, thread: Thread) -> bool {
        self.commands.push(Command::Pass { point, thread });
        true
    }
}
