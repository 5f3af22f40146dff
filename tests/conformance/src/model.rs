//! Our side: the pure handler of `fencepost::protocol::redis`, without a simulated network.
//!
//! One difference to the real server is known and is bridged here, so that everything else can be compared exactly: the model counts
//! microseconds and a record is gone at its end; the real server counts whole milliseconds and a record lives *through* the millisecond
//! of its end. So the model is asked for an end one millisecond later ([`LAST_MS`]).

use crate::op::{Answer, LOCKS, Op, State};
use fencepost::base::message::{Compare, Topic};
use fencepost::base::{AcqId, CallId, Fact, LocalTime, LockId, Message, NodeId, OwnerId, Payload, Span, TrueTime};
use fencepost::protocol::params::{LockParams, Persistence, TokenKind};
use fencepost::protocol::redis::{self, Served, Server};
use fencepost::protocol::{Command, Input, Recorder, Slot};
use std::collections::VecDeque;

/// The known difference: a real record is still there in the millisecond at which it ends.
const LAST_MS: i64 = 1;

/// What both sides are set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Whether a grant raises a counter in the same step.
    pub tokens: bool,
    pub persistence: Persistence,
}

/// A mistake made on purpose, to see that it is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// A record is gone in the millisecond of its end: a `>=` where the real server has a `>`.
    EndsTooEarly,
    /// A release that does not compare.
    ReleasesForAnybody,
    /// An extension that does not compare.
    ExtendsForAnybody,
    /// A crash that loses nothing, whatever the policy.
    ForgetsNothing,
    /// A fail-over that loses nothing, whatever was on its way.
    LosesNothing,
}

#[derive(Clone)]
pub struct Model {
    server: Server,
    replica: Option<Replica>,
    params: LockParams,
    host: Recorder,
    /// The observer's next number.
    next: u32,
    mistake: Mistake,
}

/// A copy of the server, and what is on its way to it.
#[derive(Clone)]
struct Replica {
    server: Server,
    host: Recorder,
    under_way: VecDeque<Message>,
}

const PRIMARY: NodeId = NodeId(99);
const REPLICA: NodeId = NodeId(98);

impl Model {
    pub fn new(setting: Setting, mistake: Mistake) -> Model {
        let token = if setting.tokens { TokenKind::Ordered } else { TokenKind::None };
        let params = LockParams { token, persistence: setting.persistence, ..LockParams::default() };
        let host = Recorder::new(PRIMARY);
        Model { server: Server::new(usize::from(LOCKS)), replica: None, params, host, next: 0, mistake }
    }

    /// One with a replica. `waits`: what has changed something is answered when the replica has it.
    pub fn with_replica(setting: Setting, mistake: Mistake, waits: bool) -> Model {
        let mut model = Model::new(setting, mistake);
        model.params.wait_replicas = u8::from(waits);
        let server = Server::replica(usize::from(LOCKS));
        model.replica = Some(Replica { server, host: Recorder::new(REPLICA), under_way: VecDeque::new() });
        model
    }

    /// Everything that is on its way to the replica arrives. Whether an answer that waited for it can go out now.
    pub fn flow(&mut self, at_ms: i64) -> bool {
        let mut answered = false;
        while let Some(replica) = &mut self.replica
            && let Some(message) = replica.under_way.pop_front()
        {
            replica.host.now = TrueTime::from_ms(at_ms);
            let input = Input::Message { from: PRIMARY, message: &message, stall: None };
            let done = turn(&mut replica.server, &self.params, &[PRIMARY], input, &mut replica.host);
            self.host.now = TrueTime::from_ms(at_ms);
            for command in &done {
                let Command::Send { message, .. } = command else { continue };
                let sent = self.input(Input::Message { from: REPLICA, message, stall: None });
                answered |= sent.iter().any(|it| matches!(it, Command::Send { .. }));
            }
        }
        answered
    }

    /// What the replica answers to somebody who takes it for the service.
    pub fn ask_replica(&mut self, at_ms: i64) -> Answer {
        let replica = self.replica.as_mut().expect("a model with a replica");
        replica.host.now = TrueTime::from_ms(at_ms);
        let payload =
            Payload::Acquire { lock: LockId(0), acq: AcqId(0), owner: OwnerId(0), ttl: None, margin: Span::ZERO };
        let message = Message::request(Topic::Acquire, CallId(0), payload);
        let input = Input::Message { from: NodeId(0), message: &message, stall: None };
        let done = turn(&mut replica.server, &self.params, &[PRIMARY], input, &mut replica.host);
        answer(&done).expect("a server without replicas of its own answers at once")
    }

    /// The server ends, what was on its way is lost, and the replica is the service from now on.
    pub fn fail_over(&mut self, at_ms: i64) {
        let Replica { mut server, mut host, .. } = self.replica.take().expect("a model with a replica");
        host.now = TrueTime::from_ms(at_ms);
        turn(&mut server, &self.params, &[PRIMARY], Input::Promoted, &mut host);
        let everything = Mistake::LosesNothing == self.mistake;
        if !everything {
            self.server = server;
        }
        self.params.wait_replicas = 0;
    }

    /// Carries out one operation while the server's clock shows `at_ms`.
    pub fn carry_out(&mut self, at_ms: i64, op: Op) -> Answer {
        self.host.now = TrueTime::from_ms(at_ms);
        self.next += 1;
        let acq = AcqId(self.next);
        let margin = Span::ZERO;
        match op {
            Op::Acquire { lock, owner, ttl } => {
                let ttl = self.length(ttl);
                self.ask(owner, Payload::Acquire { lock: LockId(lock), acq, owner: OwnerId(owner), ttl, margin })
            }
            Op::SetIfAbsent { lock, owner } => {
                self.ask(owner, Payload::Set { lock: LockId(lock), acq, owner: OwnerId(owner), margin })
            }
            Op::Expire { lock, ttl } => {
                let ttl = self.length(Some(ttl));
                match self.ask(0, Payload::Expire { lock: LockId(lock), acq, ttl, margin }) {
                    // The model also tells whose record it was, which the command does not.
                    Answer::Granted(_) => Answer::Yes,
                    other => other,
                }
            }
            Op::Extend { lock, owner, ttl, mut compare } => {
                let ttl = self.length(ttl);
                if self.mistake == Mistake::ExtendsForAnybody {
                    compare = Compare::Nothing;
                }
                let (lock, owner_id) = (LockId(lock), OwnerId(owner));
                self.ask(owner, Payload::Renew { lock, acq, owner: owner_id, ttl, margin, compare })
            }
            Op::Release { lock, owner, mut compare } => {
                if self.mistake == Mistake::ReleasesForAnybody {
                    compare = Compare::Nothing;
                }
                self.ask(owner, Payload::Release { lock: LockId(lock), acq, owner: OwnerId(owner), compare })
            }
            Op::Ask { lock, owner } => {
                let (lock, owner_id) = (LockId(lock), OwnerId(owner));
                let first_half = self.ask(owner, Payload::Get { lock, acq, owner: owner_id });
                let question = self.ask(owner, Payload::Ask { lock, owner: owner_id, re: 0 });
                assert_eq!(first_half, question, "the model has two ways to ask the same");
                question
            }
            Op::Break { lock } => self.ask(0, Payload::Break { lock: LockId(lock) }),
            Op::Vanish { lock } => {
                self.tick();
                yes_if(self.evict(lock))
            }
            Op::Evict => {
                let with_an_end = |it: &State| matches!(it.record, Some((_, Some(_))));
                let states = self.states(at_ms);
                (0..LOCKS).filter(|lock| with_an_end(&states[usize::from(*lock)])).for_each(|lock| {
                    self.evict(lock);
                });
                Answer::Yes
            }
            Op::Crash(_) => panic!("a crash is not a request: see `crash`"),
        }
    }

    /// The process ends at `at_ms`; the disk keeps what the policy says, or what is older than `loses_ms`.
    pub fn crash(&mut self, at_ms: i64, loses_ms: Option<i64>) {
        self.host.now = TrueTime::from_ms(at_ms);
        if self.mistake != Mistake::ForgetsNothing {
            self.input(Input::Crash { loses: loses_ms.map(Span::from_ms) });
        }
        self.input(Input::Start);
    }

    /// What stands while the server's clock shows `at_ms`.
    pub fn states(&mut self, at_ms: i64) -> Vec<State> {
        self.host.now = TrueTime::from_ms(at_ms);
        self.tick();
        let last_ms = |until: LocalTime| until.as_us() / 1_000 - LAST_MS;
        let state = |lock| {
            let stored = self.server.stored(LockId(lock));
            let record = stored.record.map(|(owner, until)| (owner.0, until.map(last_ms)));
            State { record, counter: stored.counter }
        };
        (0..LOCKS).map(state).collect()
    }

    /// The length that the model is asked for. What is to end at once ends at once on both sides.
    fn length(&self, ttl_ms: Option<u16>) -> Option<Span> {
        let last_ms = if self.mistake == Mistake::EndsTooEarly { 0 } else { LAST_MS };
        ttl_ms.map(|ms| if ms == 0 { Span::ZERO } else { Span::from_ms(i64::from(ms) + last_ms) })
    }

    fn ask(&mut self, owner: u32, payload: Payload) -> Answer {
        let message = Message::request(Topic::Acquire, CallId(0), payload);
        let done = self.input(Input::Message { from: NodeId(owner as u16), message: &message, stall: None });
        answer(&done).unwrap_or(Answer::Waits)
    }

    /// Lets what has ended by now be gone.
    fn tick(&mut self) {
        for lock in 0..LOCKS {
            self.input(Input::Timer { slot: Slot(u16::from(lock)) });
        }
    }

    /// Whether there was one.
    fn evict(&mut self, lock: u8) -> bool {
        let done = self.input(Input::Evict { lock: Some(LockId(lock)) });
        done.iter().any(|it| matches!(it, Command::Did(Fact::Forgotten { .. })))
    }

    fn input(&mut self, input: Input) -> Vec<Command> {
        let others: &[NodeId] = if self.replica.is_some() { &[REPLICA] } else { &[] };
        let mut done = turn(&mut self.server, &self.params, others, input, &mut self.host);
        if let Some(replica) = &mut self.replica {
            done.retain(|it| match it {
                Command::Send { to, message } if *to == REPLICA => {
                    replica.under_way.push_back(*message);
                    false
                }
                _ => true,
            });
        }
        done
    }
}

fn turn(
    server: &mut Server,
    params: &LockParams,
    others: &[NodeId],
    input: Input,
    host: &mut Recorder,
) -> Vec<Command> {
    let locks = [Some(params); LOCKS as usize];
    let served = Served { locks: &locks, others, journal: redis::needs_journal(&[params], true) };
    redis::on_input(server, &served, input, host);
    host.take()
}

/// What was answered, if anything was.
fn answer(done: &[Command]) -> Option<Answer> {
    let message =
        done.iter().find_map(|it| if let Command::Send { message, .. } = it { Some(message) } else { None })?;
    Some(match message.payload {
        Payload::Granted { token, .. } => Answer::Granted(token.map(|it| it.get())),
        Payload::Extended { .. } | Payload::Released { .. } => Answer::Yes,
        Payload::Owned { mine: yes, .. } | Payload::Answer { owns: yes, .. } => yes_if(yes),
        Payload::Refused { .. } | Payload::NotExtended { .. } | Payload::NotHeld { .. } => Answer::No,
        // The model's answer is the same whether there was one or not; what happened tells.
        Payload::Broken { .. } => yes_if(done.iter().any(|it| matches!(it, Command::Did(Fact::Released { .. })))),
        _ => Answer::Odd,
    })
}

fn yes_if(it: bool) -> Answer {
    if it { Answer::Yes } else { Answer::No }
}
