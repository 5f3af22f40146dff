//! A primary with a replica, on both sides: the same operations, a link that is held and opened again, and a fail-over.
//!
//! What has not passed the link when the primary is killed is lost, record and counter together. Between two of these events nothing is
//! left to chance: before the link is held or the primary killed, all that may pass has passed.

use crate::compare::{self, clock_us};
use crate::link::Link;
use crate::model::{Mistake, Model, Setting};
use crate::op::{Answer, Op, State, Step};
use crate::redis::{Redis, Seen};
use crate::server::wait_for;
use proptest::prelude::*;
use std::time::Duration;

/// One thing that is done.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    Op(Step),
    /// What is sent to the replica waits.
    Hold,
    /// It arrives.
    Open,
    /// The primary is killed, or cut off and goes on by itself; the replica is the service.
    FailOver {
        old_serves: bool,
    },
    /// At the old primary, by somebody who does not know better.
    AtOld(Step),
}

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub operations: u64,
    pub fail_overs: u64,
    /// Of these: the old primary went on.
    pub split: u64,
    /// Of these: something that had been acknowledged was gone.
    pub forgot: u64,
    /// Of these: a counter stood lower than it had.
    pub rolled_back: u64,
    /// Answers that waited for the replica.
    pub waited: u64,
    pub undecided: u64,
}

/// Random acts: a fail-over in the middle, and operations at the new primary after it.
pub fn acts(longest_ms: u16) -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        8 => crate::op::step(longest_ms).prop_filter("eviction of all is one server's business", |it| it.op != Op::Evict).prop_map(Act::Op),
        1 => Just(Act::Hold),
        1 => Just(Act::Open),
    ];
    let after = (any::<bool>(), crate::op::step(longest_ms).prop_filter("the same", |it| it.op != Op::Evict));
    let after = prop::collection::vec(after, 1..16);
    (prop::collection::vec(act, 1..30), any::<bool>(), after).prop_map(|(mut acts, old_serves, after)| {
        acts.push(Act::FailOver { old_serves });
        acts.extend(after.into_iter().map(
            |(at_old, step)| {
                if old_serves && at_old { Act::AtOld(step) } else { Act::Op(step) }
            },
        ));
        acts
    })
}

pub struct Pair {
    primary: Redis,
    replica: Redis,
    link: Link,
    /// What has changed something is followed by `WAIT`.
    waits: bool,
}

/// A `WAIT` that nobody can answer takes this long; one that somebody can is over as soon as it is answered.
const IN_VAIN_MS: u32 = 20;
const PATIENCE: Duration = Duration::from_secs(30);

impl Pair {
    pub fn start(setting: Setting, waits: bool) -> Pair {
        let (primary, mut replica) = (Redis::start(setting), Redis::start(setting));
        let link = Link::to(primary.port());
        replica.follow(Some(link.port()));
        Pair { primary, replica, link, waits }
    }

    pub fn version(&self) -> &str {
        &self.primary.version
    }

    /// Runs random sequences until so many operations have been compared; the error says what differs.
    pub fn hold(&mut self, setting: Setting, mistake: Mistake, operations: u64) -> Result<Tally, String> {
        let seed = compare::number_from("FENCEPOST_SEED", 1);
        let mut tally = Tally::default();
        for round in 1.. {
            let acts = compare::random(&acts(250), seed, round);
            self.begin();
            let model = Model::with_replica(setting, mistake, self.waits);
            let mut both = Sequence {
                pair: self,
                model,
                states: Vec::new(),
                told: Vec::new(),
                tally: &mut tally,
                is_held: false,
                old: None,
            };
            if let Err(difference) = both.run(&acts) {
                let told = both.told.join("\n");
                let version = &self.primary.version;
                return Err(format!(
                    "the model and Redis {version} with a replica differ ({setting:?}, FENCEPOST_SEED={seed}, sequence \
                     {round}):\n{told}\n{difference}"
                ));
            }
            if tally.operations >= operations {
                break;
            }
        }
        Ok(tally)
    }

    /// A new primary, empty, and a replica that has all of it.
    fn begin(&mut self) {
        self.link.cut();
        self.primary.restart(None);
        self.replica.follow(None);
        self.primary.clear();
        self.link = Link::to(self.primary.port());
        self.replica.follow(Some(self.link.port()));
        self.replica.counts_from(&self.primary);
        let primary = &mut self.primary;
        wait_for("the replica to be in step", PATIENCE, || primary.wait_for_replica(1_000));
    }
}

struct Sequence<'a> {
    pair: &'a mut Pair,
    model: Model,
    states: Vec<State>,
    told: Vec<String>,
    tally: &'a mut Tally,
    /// Nothing of the primary's arrives at the replica.
    is_held: bool,
    /// The old primary that goes on, and what stood there after its last operation.
    old: Option<(Model, Vec<State>)>,
}

impl Sequence<'_> {
    fn run(&mut self, acts: &[Act]) -> Result<(), String> {
        let mut failed_over = false;
        for act in acts {
            match *act {
                Act::Op(step) => {
                    compare::wait(&self.pair.primary, step.wait, &self.states);
                    if !self.carry_out(step.op, failed_over)? {
                        self.tally.undecided += 1;
                        return Ok(());
                    }
                    self.tally.operations += 1;
                }
                Act::Hold if self.is_held => {}
                Act::Hold => {
                    self.catch_up();
                    self.pair.link.hold();
                    self.is_held = true;
                    self.told.push("          what is sent to the replica waits".to_owned());
                }
                Act::Open => {
                    self.pair.link.open();
                    self.is_held = false;
                    self.catch_up();
                    self.told.push("          it arrives".to_owned());
                }
                Act::AtOld(step) => {
                    let (model, states) = self.old.take().expect("it goes on");
                    let new = (std::mem::replace(&mut self.model, model), std::mem::replace(&mut self.states, states));
                    compare::wait(&self.pair.primary, step.wait, &self.states);
                    self.told.push("          at the old primary:".to_owned());
                    if !self.carry_out(step.op, false)? {
                        self.tally.undecided += 1;
                        return Ok(());
                    }
                    self.tally.operations += 1;
                    let old = (std::mem::replace(&mut self.model, new.0), std::mem::replace(&mut self.states, new.1));
                    self.old = Some(old);
                }
                Act::FailOver { old_serves } => {
                    if !self.fail_over(old_serves)? {
                        self.tally.undecided += 1;
                        return Ok(());
                    }
                    failed_over = true;
                    self.tally.fail_overs += 1;
                    self.tally.operations += 1;
                }
            }
        }
        Ok(())
    }

    /// The replica has all that the primary has, on both sides.
    fn catch_up(&mut self) {
        if !self.is_held {
            let primary = &mut self.pair.primary;
            wait_for("the replica to have everything", PATIENCE, || primary.wait_for_replica(1_000));
            self.model.flow(self.pair.primary.now_ms());
        }
    }

    /// True: the same on both sides. False: nobody can tell.
    fn carry_out(&mut self, op: Op, failed_over: bool) -> Result<bool, String> {
        let seen = self.pair.server(failed_over).carry_out(Some(op));
        let mut ours = None;
        for at_ms in seen.from_ms..=seen.to_ms {
            let mut model = self.model.clone();
            let mut answer = model.carry_out(at_ms, op);
            let waits = answer == Answer::Waits;
            if waits {
                // What it says when it says something is what the command said; when it says it is compared apart.
                answer = seen.answer;
            }
            let states = model.states(at_ms);
            if (answer, &states) == (seen.answer, &seen.states) {
                self.model = model;
                self.tell(at_ms, op, &seen);
                return if waits { self.waits_too(at_ms).map(|()| true) } else { Ok(true) };
            }
            ours.get_or_insert(Seen { answer, states, ..seen.clone() });
        }
        let ours = ours.expect("the clock does not run backwards within one operation");
        if compare::is_undecided(&seen, &[&self.states, &seen.states, &ours.states]) {
            return Ok(false);
        }
        Err(format!(
            "{op}\n  the server  {}  {:?}\n  the model   {}  {:?}",
            seen.answer, seen.states, ours.answer, ours.states
        ))
    }

    /// The model answers when the replica has what was changed: `WAIT` tells when that is there.
    fn waits_too(&mut self, at_ms: i64) -> Result<(), String> {
        self.tally.waited += 1;
        self.tally.operations += 1;
        let there = if self.is_held {
            self.pair.primary.wait_for_replica(IN_VAIN_MS)
        } else {
            let primary = &mut self.pair.primary;
            wait_for("the replica to have it", PATIENCE, || primary.wait_for_replica(1_000));
            true
        };
        let here = !self.is_held && self.model.flow(at_ms);
        if here == there { Ok(()) } else { Err(format!("WAIT: the server {there}, the model {here}")) }
    }

    fn fail_over(&mut self, old_serves: bool) -> Result<bool, String> {
        self.catch_up();
        let before = self.states.clone();
        let Pair { primary, replica, link, .. } = &mut *self.pair;
        if old_serves {
            self.old = Some((self.model.clone(), before.clone()));
            self.tally.split += 1;
        } else {
            primary.kill();
        }
        self.is_held = true;
        link.cut();
        replica.follow(None);
        let seen = replica.carry_out(None);
        let at_ms = seen.from_ms;
        let mut model = self.model.clone();
        model.fail_over(at_ms);
        let states = model.states(at_ms);
        if states != seen.states {
            if compare::is_undecided(&seen, &[&before, &seen.states, &states]) {
                return Ok(false);
            }
            return Err(format!("fail-over\n  the server  {:?}\n  the model   {states:?}", seen.states));
        }
        self.model = model;
        let is_gone = |(before, after): (&State, &State)| {
            let stood = before.record.filter(|(_, end)| end.is_none_or(|end| end > seen.to_ms));
            stood.is_some_and(|(owner, _)| after.record.is_none_or(|it| it.0 != owner))
        };
        self.tally.forgot += u64::from(before.iter().zip(&states).any(is_gone));
        self.tally.rolled_back +=
            u64::from(before.iter().zip(&states).any(|(before, after)| after.counter < before.counter));
        self.told.push(format!("{at_ms:6} ms  the replica is the service: {states:?}"));
        self.states = states;
        Ok(true)
    }

    fn tell(&mut self, at_ms: i64, op: Op, seen: &Seen) {
        self.states.clone_from(&seen.states);
        self.told.push(format!("{at_ms:6} ms  {op}: {}  {:?}", seen.answer, seen.states));
    }
}

impl Pair {
    /// Whoever is the service.
    fn server(&mut self, failed_over: bool) -> &mut Redis {
        if failed_over { &mut self.replica } else { &mut self.primary }
    }

    /// A replica takes no orders. What it says to one, on both sides.
    pub fn ask_replica(&mut self, setting: Setting) -> (Answer, Answer) {
        self.begin();
        let there = if self.replica.refuses_to_write() { Answer::Odd } else { Answer::Yes };
        let mut model = Model::with_replica(setting, Mistake::None, self.waits);
        (there, model.ask_replica(clock_us() / 1_000))
    }
}
