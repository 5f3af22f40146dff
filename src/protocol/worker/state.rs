//! What a worker remembers: where its threads stand, and what it holds.

use super::acquire::Want;
use super::ballot::Ballot;
use super::copies::Round;
use super::hold::Hold;
use super::observe::Observation;
use super::patience::{Loose, Tried};
use super::renew::Renewer;
use super::session::Session;
use super::transact::Transaction;
use crate::base::fact::{Loss, StopWhy};
use crate::base::{CallId, LocalTime, LockId, NodeId, Span, Thread, Token};
use std::hash::{Hash, Hasher};

/// The state of one worker.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Worker {
    pub(super) phase: Phase,
    pub(super) pc: u16,
    pub(super) round: u32,
    /// When this round was due, for rounds on a grid.
    pub(super) round_due: LocalTime,
    pub(super) loops: Vec<Frame>,
    pub(super) holds: Vec<Hold>,
    pub(super) want: Want,
    /// The latest tries, by those who hand back what is granted late.
    pub(super) tried: Vec<Tried>,
    /// A loop of tries that goes on without its caller.
    pub(super) loose: Option<Loose>,
    /// It listens for the release of this lock; it was told of one while it did something else; how long the record had left.
    pub(super) listens: Option<LockId>,
    pub(super) woken: bool,
    pub(super) left: Option<Span>,
    pub(super) renewer: Renewer,
    /// Versions read, by shard: the bases of later writes.
    pub(super) bases: Vec<(NodeId, u64)>,
    /// Shards whose answer an activation still awaits.
    pub(super) awaiting: Vec<NodeId>,
    /// The call under way of the main thread.
    pub(super) call: CallId,
    /// Calls under way that go to a quorum: at most one a thread.
    pub(super) ballots: Vec<Ballot>,
    /// Which nodes of a quorum said that the record is this worker's, for the second half of a release in two steps.
    pub(super) mine: u16,
    /// When the last quorum said yes, by the clock that the client reckons by.
    pub(super) decided: LocalTime,
    /// The latest call that stores a record again where it was missing; nobody waits for its answers.
    pub(super) repair: Option<CallId>,
    pub(super) calls: u32,
    /// Write steps completed: names the next logical operation.
    pub(super) writes: u32,
    /// Requests under the current token.
    pub(super) number: u32,
    /// How often the request under way goes out again.
    pub(super) again: u32,
    /// Steps ended, for renewals that want to see progress.
    pub(super) progress: u32,
    /// How often the process has started.
    pub(super) incarnation: u32,
    /// It knows that it lost the lease and is about to stop.
    pub(super) stopping: Option<StopWhy>,
    pub(super) gave_up: bool,
    /// With services that keep lines.
    pub(super) sessions: Vec<Session>,
    /// The session with this service is over, and the program does not know yet.
    pub(super) flag: Option<(NodeId, Loss)>,
    pub(super) transaction: Transaction,
    /// Some lock server knows a connection of this worker.
    pub(super) connected: bool,
    /// The release step at `pc` is left out.
    pub(super) skipped: bool,
    /// A polite end has been asked for: this round is the last.
    pub(super) closing: bool,
    /// Tokens of the entries around the one under way, of locks that count them.
    pub(super) outer: Vec<(LockId, Option<Token>)>,
    /// What it has seen of records that it waits for.
    pub(super) seen: Vec<Observation>,
    /// A tenure that was given back, and that the renewal thread still renews for.
    pub(super) ghost: Option<Box<Hold>>,
    /// Requests under way to all copies of a shard.
    pub(super) rounds: Vec<Round>,
}

/// Where the main thread stands. The first group can run on; the second waits for a time or a reply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    Idle,
    /// The step at `pc` is next.
    Begin,
    /// Behind the step's first edge.
    Enter,
    Ask,
    /// A grant is here and the deadline computed.
    Stamped {
        token: Option<Token>,
        until: Option<LocalTime>,
    },
    Believed,
    Check(Then),
    Checked(Then),
    Activate(Then),
    Effect,
    SetDone {
        token: Option<Token>,
    },
    CompareDone,
    /// The step's work is done; its second edge is next.
    After,
    /// Behind the step's second edge.
    Next,

    Asking,
    Expiring,
    RetryWait,
    /// The entry stands in line; it has this token.
    InLine {
        token: Option<Token>,
    },
    /// Asks where it stands now.
    Looking {
        token: Option<Token>,
    },
    /// It tells the service that it listens.
    Subscribing,
    /// It sleeps until it is told, or asks anyway.
    Listening,
    Withdrawing,
    Activating(Then),
    /// Some shard has answered with an error; the others may still answer.
    ActivateRetry(Then),
    Reading {
        shard: NodeId,
    },
    ReadRetry,
    /// Working or idling; `left` after the current slice, `None`: for ever.
    Busy {
        left: Option<Span>,
    },
    Renewing {
        lock: LockId,
        left: Option<Span>,
        sent: LocalTime,
        work: bool,
    },
    /// It may not act while nobody knows whether its session lives.
    Blocked(Then),
    Polling {
        then: Then,
        lock: LockId,
        sent: LocalTime,
    },
    Writing,
    Comparing,
    Releasing,
    Breaking,
    /// It has asked for a record, or will ask again.
    Inspecting,
    InspectWait,
    GapWait,
    LoopWait,

    Done,
    Stopped,
    /// The main thread died; the process goes on.
    Dead,
}

/// Where to go on after something that several steps need.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Then {
    /// It was the step itself.
    After,
    /// An automatic check before an effect.
    Effect,
    /// An automatic activation after an acquire.
    Next,
}

/// A block under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Frame {
    pub(super) begin: u16,
    pub(super) left: Option<u32>,
    /// When this run of the block was due, for blocks on a grid.
    pub(super) due: LocalTime,
    /// When this run of the block began.
    pub(super) began: LocalTime,
}

impl Default for Worker {
    fn default() -> Self {
        Worker {
            phase: Phase::Idle,
            pc: 0,
            round: 0,
            round_due: LocalTime::default(),
            loops: Vec::new(),
            holds: Vec::new(),
            want: Want::default(),
            tried: Vec::new(),
            loose: None,
            listens: None,
            woken: false,
            left: None,
            renewer: Renewer::Off,
            bases: Vec::new(),
            awaiting: Vec::new(),
            call: CallId::default(),
            ballots: Vec::new(),
            mine: 0,
            decided: LocalTime::default(),
            repair: None,
            calls: 0,
            writes: 0,
            number: 0,
            again: 0,
            progress: 0,
            incarnation: 0,
            stopping: None,
            gave_up: false,
            sessions: Vec::new(),
            flag: None,
            transaction: Transaction::default(),
            connected: false,
            skipped: false,
            closing: false,
            outer: Vec::new(),
            seen: Vec::new(),
            ghost: None,
            rounds: Vec::new(),
        }
    }
}

impl Worker {
    /// Adds to `h` what its future depends on. `on_grid`: its rounds begin on a grid, so that it matters when this one was due.
    ///
    /// Of one whose program is over and that holds nothing and listens to nothing only that matters, until it starts anew.
    pub fn digest(&self, on_grid: bool, h: &mut impl Hasher) {
        let holds = !self.holds.is_empty() || self.ghost.is_some() || self.connected;
        let listens = self.loose.is_some() || self.listens.is_some() || !self.tried.is_empty() || self.repair.is_some();
        let serves = self.renewer != Renewer::Off || !self.sessions.is_empty() || !self.rounds.is_empty();
        if matches!(self.phase, Phase::Done | Phase::Stopped) && !holds && !listens && !serves {
            (self.phase, self.incarnation, self.calls, &self.seen, self.closing).hash(h);
            return;
        }
        if on_grid || self.round_due == LocalTime::default() {
            self.hash(h);
        } else {
            Worker { round_due: LocalTime::default(), ..self.clone() }.hash(h);
        }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self) {
        self.restart();
        self.incarnation = 0;
        self.calls = 0;
    }

    /// Has this thread died for good?
    pub fn is_dead(&self, thread: Thread) -> bool {
        match thread {
            Thread::Main => self.phase == Phase::Dead,
            Thread::Renewer => self.renewer == Renewer::Dead,
        }
    }

    /// A process that starts again knows nothing; only its incarnation and its call numbers differ.
    pub(super) fn restart(&mut self) {
        self.phase = Phase::Idle;
        self.pc = 0;
        self.round = 0;
        self.round_due = LocalTime::default();
        self.loops.clear();
        self.holds.clear();
        self.want = Want::default();
        self.tried.clear();
        self.loose = None;
        self.listens = None;
        self.woken = false;
        self.left = None;
        self.renewer = Renewer::Off;
        self.bases.clear();
        self.awaiting.clear();
        self.call = CallId::default();
        self.ballots.clear();
        self.rounds.clear();
        self.mine = 0;
        self.repair = None;
        self.writes = 0;
        self.number = 0;
        self.again = 0;
        self.progress = 0;
        self.stopping = None;
        self.gave_up = false;
        self.sessions.clear();
        self.flag = None;
        self.transaction = Transaction::default();
        self.connected = false;
        self.skipped = false;
        self.closing = false;
        self.outer.clear();
        self.seen.clear();
        self.ghost = None;
    }
}
