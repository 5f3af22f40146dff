//! The state of one run: every node, every message under way, everything pending.
//!
//! A world is its *sites*, and a *body* that all of them share: queue, network, chance, clocks, faults. At each site an *actor*, the
//! state of a protocol, runs on a *node*, a machine with timers. While an actor takes its turn, its node and the body are its host
//! (see `host`).

use super::asks::Asks;
use super::chooser::{Chooser, Schedule};
use super::config::{FaultVerb, Moment, SimConfig, Until, WorkerSpec};
use super::copies::Copied;
use super::door::{Chance, KEY_FAULT};
use super::group::Group;
use super::network::Network;
use super::node::Node;
use super::queue::{Place, Queue, Rank, Ticket};
use super::setup::{self, Setup};
use super::tally::Tally;
use crate::base::message::Topic;
use crate::base::{CallId, Clock, LockId, Message, MsgId, NodeId, OwnerId, Payload, PointKind, Span, Thread, TrueTime};
use crate::protocol::Slot;
use crate::protocol::connection;
use crate::protocol::consensus::Member;
use crate::protocol::params::{Family, LockParams, ResourceParams};
use crate::protocol::record::Store;
use crate::protocol::redis::Server;
use crate::protocol::resource::Shard;
use crate::protocol::worker::Worker;
use crate::trace::{EventSeq, Role};

/// One run under way. It borrows its description, so that thousands of runs share one.
pub struct World<'c, C: Chooser> {
    pub(super) config: &'c SimConfig,
    pub(super) setup: Setup,
    /// By node.
    pub(super) sites: Vec<Site<'c>>,
    pub(super) body: Body<'c, C>,
}

/// A node, and what runs on it.
#[derive(Clone, Debug)]
pub(super) struct Site<'c> {
    pub actor: Actor<'c>,
    pub node: Node,
}

/// The state of what runs on a node, and what it was told before the run.
#[derive(Clone, Debug)]
#[cfg_attr(
    target_arch = "wasm32",
    expect(
        clippy::large_enum_variant,
        reason = "most sites are workers, and a box would be one jump more in every turn"
    )
)]
pub(super) enum Actor<'c> {
    Worker(Worker, &'c WorkerSpec),
    Server(Server, Post<'c>),
    Member(Member, Post<'c>),
    Store(Store, Post<'c>),
    Shard(Shard, &'c ResourceParams),
    Sessions(connection::Server, Post<'c>),
}

/// What a lock server was told before the run.
#[derive(Clone, Debug)]
pub(super) struct Post<'c> {
    /// By `LockId`: what it serves.
    pub locks: Vec<Option<&'c LockParams>>,
    /// Of a service with replicas the other servers, of a replicated log all members; nobody for those that stand alone.
    pub peers: Vec<NodeId>,
    /// It does not answer at the beginning.
    pub is_replica: bool,
    /// What its group agrees on are sessions and lines.
    pub is_queue: bool,
}

/// Everything that nodes share.
pub(super) struct Body<'c, C: Chooser> {
    pub config: &'c SimConfig,
    pub now: TrueTime,
    pub queue: Queue<Pending>,
    /// Messages that a fault holds in their receiver's handler: where they stand in the queue.
    pub held: Vec<(Ticket, NodeId, u32)>,
    /// What fell due during a pause that is over, soonest last; handled before anything that is due now.
    pub ready: Vec<(Place, NodeId, Pending)>,
    /// By node.
    pub clocks: Vec<Clock>,
    pub network: Network,
    pub flights: Vec<Flight>,
    free_flights: Vec<u32>,
    pub chance: Chance<C>,
    /// How often each worker passed each kind of point. Counted only if somebody looks: a log, or a fault that waits for a point.
    pub points: Vec<u32>,
    /// Something in the story waits for a point.
    pub waits: bool,
    /// Some clock is not perfect, or will not stay so: timers remember the reading that they wait for.
    pub clocks_matter: bool,
    /// Which kinds of points of a worker something waits for, as bits.
    watched: Vec<u64>,
    pub triggers: Vec<Trigger>,
    /// Actions that a point has set off, for the end of the turn.
    pub struck_here: Vec<Action>,
    /// The last event of the latest turn.
    pub last_of_turn: Option<EventSeq>,
    /// By node and kind: call and number of the last request.
    pub numbered: Vec<(u32, u32)>,
    /// Requests whose own answer is replaced by an error: the asker, the asked, the call.
    pub muted: Vec<(NodeId, NodeId, u32)>,
    /// Owner ids that threads of one process keep in one place: process, lock, id.
    pub shared_ids: Vec<(u16, LockId, OwnerId)>,
    /// Locks that are served by a quorum: who voted for whom.
    pub tallies: Vec<Tally>,
    /// Shards that have copies: what they come to as one.
    pub copies: Vec<Copied>,
    /// Services of sessions: who was last heard of when.
    pub asks: Option<Asks>,
    /// What nodes say they did is not told as it is: there are tallies or asks.
    pub interprets: bool,
    /// Services of several servers of which one answers.
    pub groups: Vec<Group>,
    pub faults: Vec<FaultState>,
    /// Faults that struck at least once.
    pub used: Vec<bool>,
    /// When each fault began, in that order; one that comes again and again has many.
    pub begun: Vec<(u16, TrueTime)>,
    pub next_seq: u32,
    pub next_msg: u32,
    pub handled: u32,
}

/// Something that will happen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pending {
    /// A message reaches its node.
    Arrive {
        flight: u32,
    },
    /// A message that has arrived is handled: it was held by a stall or a pause.
    Handle {
        flight: u32,
    },
    Timer {
        node: NodeId,
        slot: Slot,
    },
    /// A turn that was stopped at a point goes on.
    Go {
        node: NodeId,
        thread: Thread,
    },
    Start {
        node: NodeId,
    },
    EndOfLife {
        node: NodeId,
    },
    FaultBegins {
        fault: u16,
    },
    FaultEnds {
        fault: u16,
        round: u32,
    },
    Restart {
        node: NodeId,
    },
    /// A service of several servers gets another one that answers.
    Promote {
        group: u16,
    },
}

/// A message under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Flight {
    pub message: Message,
    pub msg: MsgId,
    pub from: NodeId,
    pub to: NodeId,
    pub sent_at: TrueTime,
    /// Its sending; its arrival once it has arrived.
    pub cause: EventSeq,
    pub stall: Option<Span>,
}

impl Flight {
    /// Holds a place among the flights until a message takes it.
    const PLACE: Flight = Flight {
        message: Message::request(Topic::Ask, CallId(0), Payload::Failed),
        msg: MsgId(0),
        from: NodeId(0),
        to: NodeId(0),
        sent_at: TrueTime::ZERO,
        cause: EventSeq(0),
        stall: None,
    };
}

/// Something that waits for a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Trigger {
    pub worker: NodeId,
    pub point: PointKind,
    pub n: u32,
    pub offset: Span,
    pub action: Action,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    StartWorker(NodeId),
    BeginFault(u16),
    EndFault(u16),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FaultState {
    pub active: bool,
    /// How often it has begun.
    pub round: u32,
}

impl<'c, C: Chooser> World<'c, C> {
    /// A world at time 0, with everything scheduled that the story schedules.
    pub fn new(config: &'c SimConfig, chooser: C) -> World<'c, C> {
        let sites: Vec<Site> =
            setup::actors(config).into_iter().map(|actor| Site { actor, node: Node::new() }).collect();
        let n = sites.len();
        assert!(config.clocks.len() == n, "{} clocks for {n} nodes", config.clocks.len());
        let mut world = World { config, setup: Setup::new(config), sites, body: Body::new(config, chooser) };
        world.body.schedule_story();
        world
    }

    /// Back to time 0 for another run of the same description, keeping allocations.
    pub fn reset(&mut self, chooser: C) {
        for Site { actor, node } in &mut self.sites {
            match actor {
                Actor::Worker(w, _) => w.reset(),
                Actor::Server(s, l) => s.reset(l.is_replica),
                Actor::Member(m, l) => m.reset(l.locks.len(), l.is_queue, !l.is_replica),
                Actor::Store(s, _) => s.reset(),
                Actor::Shard(s, _) => s.reset(),
                Actor::Sessions(s, _) => s.reset(),
            }
            node.reset();
        }
        self.body.reset(chooser);
        self.body.schedule_story();
    }

    pub fn now(&self) -> TrueTime {
        self.body.now
    }

    /// Handled events so far.
    pub fn handled(&self) -> u32 {
        self.body.handled
    }

    /// Answers of chance given so far.
    pub fn schedule_so_far(&self) -> &Schedule {
        &self.body.chance.schedule
    }

    /// Which faults of the story have struck.
    pub fn struck(&self) -> &[bool] {
        &self.body.used
    }

    /// Which fault of the story began when.
    pub fn begun(&self) -> &[(u16, TrueTime)] {
        &self.body.begun
    }
}

impl<'c, C: Chooser> Body<'c, C> {
    fn new(config: &'c SimConfig, chooser: C) -> Body<'c, C> {
        let n = config.roster.nodes.len();
        Body {
            config,
            now: TrueTime::ZERO,
            queue: Queue::default(),
            held: Vec::new(),
            ready: Vec::new(),
            clocks: config.clocks.iter().map(|c| Clock::new(c.rate_ppm, c.offset)).collect(),
            network: Network::new(config),
            flights: Vec::new(),
            free_flights: Vec::new(),
            chance: Chance::new(chooser, &config.roster),
            points: vec![0; config.workers.len() * PointKind::COUNT],
            waits: waits_for_points(config),
            clocks_matter: clocks_matter(config),
            watched: vec![0; config.workers.len()],
            triggers: Vec::new(),
            struck_here: Vec::new(),
            last_of_turn: None,
            numbered: vec![(u32::MAX, 0); n * 32],
            muted: Vec::new(),
            shared_ids: Vec::new(),
            tallies: Tally::of(config),
            copies: Copied::of(config),
            asks: Asks::of(config),
            interprets: config.shards.iter().any(|s| s.params.copies.count > 1)
                || config.locks.iter().any(|l| matches!(l.params.family, Family::Quorum | Family::SessionQueue)),
            groups: Group::of(config),
            faults: vec![FaultState::default(); config.faults.len()],
            used: vec![false; config.faults.len()],
            begun: Vec::new(),
            next_seq: 0,
            next_msg: 0,
            handled: 0,
        }
    }

    fn reset(&mut self, chooser: C) {
        self.now = TrueTime::ZERO;
        self.queue.clear();
        self.held.clear();
        self.ready.clear();
        for (clock, spec) in self.clocks.iter_mut().zip(&self.config.clocks) {
            *clock = Clock::new(spec.rate_ppm, spec.offset);
        }
        self.network.reset();
        self.free_flights.clear();
        self.free_flights.extend(0..self.flights.len() as u32);
        self.chance.reset(chooser);
        self.points.fill(0);
        self.numbered.fill((u32::MAX, 0));
        self.watched.fill(0);
        self.triggers.clear();
        self.struck_here.clear();
        self.last_of_turn = None;
        self.muted.clear();
        self.shared_ids.clear();
        self.tallies.iter_mut().for_each(Tally::reset);
        self.copies.iter_mut().for_each(Copied::reset);
        self.asks.iter_mut().for_each(Asks::reset);
        self.groups.iter_mut().for_each(Group::reset);
        self.faults.fill(FaultState::default());
        self.used.fill(false);
        self.begun.clear();
        self.next_seq = 0;
        self.next_msg = 0;
        self.handled = 0;
    }

    fn schedule_story(&mut self) {
        for (i, fault) in self.config.faults.iter().enumerate() {
            self.schedule(fault.at, Action::BeginFault(i as u16));
        }
        for l in self.config.locks.iter().filter(|l| l.params.min_replicas > 0) {
            for node in l.nodes.iter().skip(1) {
                self.queue.push(self.now, Rank::Nodes, Pending::Start { node: *node });
            }
        }
        for (i, worker) in self.config.workers.iter().enumerate() {
            self.schedule(worker.start, Action::StartWorker(NodeId(i as u16)));
        }
    }

    /// Puts an action where its moment says: into the queue, or behind a point.
    pub(super) fn schedule(&mut self, moment: Moment, action: Action) {
        match moment {
            Moment::At(draw) => {
                let (what, round) = match action {
                    Action::StartWorker(w) => (u64::from(w.0), 0),
                    Action::BeginFault(f) => (1 << 16 | u64::from(f), self.faults[f as usize].round),
                    Action::EndFault(f) => (2 << 16 | u64::from(f), self.faults[f as usize].round),
                };
                let after = self.chance.length(draw, [KEY_FAULT, what, u64::from(round), 0]);
                self.act_at((TrueTime::ZERO + after).max(self.now), action);
            }
            Moment::Point { offset, worker, point, n } => {
                if let Some(watched) = self.watched.get_mut(worker.index()) {
                    *watched |= 1 << point.index();
                    self.triggers.push(Trigger { worker, point, n, offset, action });
                }
            }
        }
    }

    pub(super) fn act_at(&mut self, at: TrueTime, action: Action) {
        match action {
            Action::StartWorker(node) => self.queue.push(at, Rank::Nodes, Pending::Start { node }),
            Action::BeginFault(fault) => self.queue.push(at, Rank::Story, Pending::FaultBegins { fault }),
            Action::EndFault(fault) => {
                let round = self.faults[fault as usize].round;
                self.queue.push(at, Rank::Story, Pending::FaultEnds { fault, round })
            }
        };
    }

    /// Does anything wait for this kind of point of this worker?
    #[inline]
    pub(super) fn is_watched(&self, worker: NodeId, point: PointKind) -> bool {
        self.watched.get(worker.index()).is_some_and(|w| w & (1 << point.index()) != 0)
    }

    /// The process that this node is a thread of; a node that is no worker is one by itself.
    pub(super) fn process(&self, id: NodeId) -> u16 {
        match self.config.roster.nodes[id.index()].role {
            Role::Worker { process } => process,
            _ => u16::MAX,
        }
    }

    /// A place for one more message under way.
    #[inline]
    pub(super) fn free_flight(&mut self) -> u32 {
        self.free_flights.pop().unwrap_or_else(|| self.one_more_flight())
    }

    /// More messages are under way at once than ever before.
    #[cold]
    fn one_more_flight(&mut self) -> u32 {
        self.flights.push(Flight::PLACE);
        self.flights.len() as u32 - 1
    }

    /// The message has come to an end; its place may be used again.
    #[inline]
    pub(super) fn land(&mut self, flight: u32) {
        self.free_flights.push(flight);
    }
}

fn waits_for_points(config: &SimConfig) -> bool {
    let point = |m: &Moment| matches!(m, Moment::Point { .. });
    config.workers.iter().any(|w| point(&w.start))
        || config.faults.iter().any(|f| point(&f.at) || matches!(&f.until, Until::Moment(m) if point(m)))
}

fn clocks_matter(config: &SimConfig) -> bool {
    let perfect = |c: &super::config::ClockSpec| Clock::new(c.rate_ppm, c.offset) == Clock::perfect();
    let changes = |v: &FaultVerb| matches!(v, FaultVerb::StepClock { .. } | FaultVerb::DriftClock { .. });
    !config.clocks.iter().all(perfect) || config.faults.iter().any(|f| changes(&f.verb))
}

impl Actor<'_> {
    /// Which thread of the node a message is for.
    pub fn addressee(&self, message: &Message) -> Thread {
        match self {
            Actor::Worker(..) => crate::protocol::worker::addressee(message),
            Actor::Server(..) | Actor::Member(..) | Actor::Store(..) | Actor::Shard(..) | Actor::Sessions(..) => {
                Thread::Main
            }
        }
    }

    pub fn is_dead(&self, thread: Thread) -> bool {
        matches!(self, Actor::Worker(w, _) if w.is_dead(thread))
    }
}
