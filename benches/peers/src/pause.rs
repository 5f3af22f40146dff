//! The GC pause (preset 09, "No fencing") as a model for NexoSim, and runs of it.
//!
//! Two workers, a lock key with a TTL of 10 s, a resource with a version, 5 ms one way, a retry every 200 ms after a refusal. W1 is paused from
//! 0.5 s to 15 s. As in the SimPy model every message and every wait is an event, and nothing is logged. A bench of NexoSim cannot be used
//! again; so that its making is not counted, the story begins anew in the same bench every 60 s.

use nexosim::model::{Context, Model, schedulable};
use nexosim::ports::{EventSource, Output};
use nexosim::simulation::{EventId, Mailbox, SimInit, Simulation};
use nexosim::time::MonotonicTime;
use serde::{Deserialize, Serialize};
use std::time::Duration;

const ONE_WAY: Duration = Duration::from_millis(5);
const RETRY: Duration = Duration::from_millis(200);
const TTL: Duration = Duration::from_secs(10);
const WORK: Duration = Duration::from_secs(1);
const HORIZON: Duration = Duration::from_secs(60);

/// What must come of it: when, who, and from which version. Asserted in every run.
const WRITES: [(u64, u64, u64); 2] = [(11_215, 1, 0), (15_005, 0, 0)];

#[derive(Default, Serialize, Deserialize)]
struct Lock {
    owner: Option<u64>,
    until: Duration,
    begun: Duration,
    answers: [Output<bool>; 2],
}

#[Model]
impl Lock {
    async fn begin(&mut self, _: (), cx: &Context<Self>) {
        (self.owner, self.begun) = (None, since_epoch(cx.time()));
    }

    async fn acquire(&mut self, who: u64, cx: &Context<Self>) {
        let now = since_epoch(cx.time()) - self.begun;
        let granted = self.owner.is_none() || now >= self.until;
        if granted {
            (self.owner, self.until) = (Some(who), now + TTL);
        }
        cx.schedule_event(ONE_WAY, schedulable!(Self::answer), (who, granted)).unwrap();
    }

    async fn release(&mut self, who: u64, cx: &Context<Self>) {
        if self.owner == Some(who) {
            self.owner = None;
        }
        cx.schedule_event(ONE_WAY, schedulable!(Self::answer), (who, true)).unwrap();
    }

    #[nexosim(schedulable)]
    async fn answer(&mut self, (who, granted): (u64, bool)) {
        self.answers[who as usize].send(granted).await;
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Resource {
    version: u64,
    begun: Duration,
    answers: [Output<u64>; 2],
}

#[Model]
impl Resource {
    async fn begin(&mut self, _: (), cx: &Context<Self>) {
        assert!(self.begun.is_zero() || self.version == WRITES.len() as u64, "{} writes", self.version);
        (self.version, self.begun) = (0, since_epoch(cx.time()));
    }

    async fn read(&mut self, who: u64, cx: &Context<Self>) {
        cx.schedule_event(ONE_WAY, schedulable!(Self::answer), (who, self.version)).unwrap();
    }

    async fn write(&mut self, (who, base): (u64, u64), cx: &Context<Self>) {
        let at = (since_epoch(cx.time()) - self.begun).as_millis() as u64;
        assert_eq!((at, who, base), WRITES[self.version as usize]);
        self.version += 1;
        cx.schedule_event(ONE_WAY, schedulable!(Self::answer), (who, self.version)).unwrap();
    }

    #[nexosim(schedulable)]
    async fn answer(&mut self, (who, version): (u64, u64)) {
        self.answers[who as usize].send(version).await;
    }
}

/// What a worker waits for, or has on its way.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
enum Stage {
    #[default]
    Acquire,
    Read,
    Write,
    Release,
}

#[derive(Default, Serialize, Deserialize)]
struct Worker {
    name: u64,
    start: Duration,
    pause: Option<(Duration, Duration)>,
    begun: Duration,
    stage: Stage,
    base: u64,
    acquire: Output<u64>,
    read: Output<u64>,
    write: Output<(u64, u64)>,
    release: Output<u64>,
}

#[Model]
impl Worker {
    async fn begin(&mut self, _: (), cx: &Context<Self>) {
        self.begun = since_epoch(cx.time());
        self.stage = Stage::Acquire;
        if self.start.is_zero() {
            self.send((), cx).await;
        } else {
            cx.schedule_event(self.start, schedulable!(Self::send), ()).unwrap();
        }
    }

    /// A request is on its way.
    #[nexosim(schedulable)]
    async fn send(&mut self, _: (), cx: &Context<Self>) {
        cx.schedule_event(ONE_WAY, schedulable!(Self::arrive), ()).unwrap();
    }

    /// It arrives.
    #[nexosim(schedulable)]
    async fn arrive(&mut self) {
        match self.stage {
            Stage::Acquire => self.acquire.send(self.name).await,
            Stage::Read => self.read.send(self.name).await,
            Stage::Write => self.write.send((self.name, self.base)).await,
            Stage::Release => self.release.send(self.name).await,
        }
    }

    async fn from_lock(&mut self, granted: bool, cx: &Context<Self>) {
        if self.stage == Stage::Release {
            return;
        }
        if granted {
            self.stage = Stage::Read;
            self.send((), cx).await;
        } else {
            cx.schedule_event(RETRY, schedulable!(Self::send), ()).unwrap();
        }
    }

    async fn from_resource(&mut self, version: u64, cx: &Context<Self>) {
        if self.stage == Stage::Read {
            self.base = version;
            cx.schedule_event(WORK, schedulable!(Self::worked), ()).unwrap();
        } else {
            self.stage = Stage::Release;
            self.send((), cx).await;
        }
    }

    /// What falls due in the pause is handled when it ends.
    #[nexosim(schedulable)]
    async fn worked(&mut self, _: (), cx: &Context<Self>) {
        let now = since_epoch(cx.time()) - self.begun;
        self.stage = Stage::Write;
        match self.pause {
            Some((from, to)) if from <= now && now < to => {
                cx.schedule_event(to - now, schedulable!(Self::send), ()).unwrap();
            }
            _ => self.send((), cx).await,
        }
    }
}

fn since_epoch(t: MonotonicTime) -> Duration {
    t.duration_since(MonotonicTime::EPOCH)
}

/// A bench with the story in it.
pub struct Pause {
    simulation: Simulation,
    begin: EventId<()>,
}

impl Default for Pause {
    fn default() -> Pause {
        let (mut lock, mut resource) = (Lock::default(), Resource::default());
        let mut workers = [
            Worker { name: 0, pause: Some((Duration::from_millis(500), Duration::from_secs(15))), ..Worker::default() },
            Worker { name: 1, start: Duration::from_secs(2), ..Worker::default() },
        ];
        let (for_lock, for_resource) = (Mailbox::new(), Mailbox::new());
        let for_workers = [Mailbox::new(), Mailbox::new()];
        for (i, (worker, mailbox)) in workers.iter_mut().zip(&for_workers).enumerate() {
            worker.acquire.connect(Lock::acquire, &for_lock);
            worker.release.connect(Lock::release, &for_lock);
            worker.read.connect(Resource::read, &for_resource);
            worker.write.connect(Resource::write, &for_resource);
            lock.answers[i].connect(Worker::from_lock, mailbox);
            resource.answers[i].connect(Worker::from_resource, mailbox);
        }
        let mut bench = SimInit::with_num_threads(1);
        let begin = EventSource::new()
            .connect(Lock::begin, &for_lock)
            .connect(Resource::begin, &for_resource)
            .connect(Worker::begin, &for_workers[0])
            .connect(Worker::begin, &for_workers[1])
            .register(&mut bench);
        bench = bench.add_model(lock, for_lock, "lock").add_model(resource, for_resource, "resource");
        for (worker, mailbox) in workers.into_iter().zip(for_workers) {
            bench = bench.add_model(worker, mailbox, "worker");
        }
        let simulation = bench.init(MonotonicTime::EPOCH).expect("a bench without init methods");
        Pause { simulation, begin }
    }
}

impl Pause {
    /// The story once.
    pub fn run(&mut self) {
        self.simulation.process_event(&self.begin, ()).expect("nobody panics");
        self.simulation.step_until(HORIZON).expect("nobody panics");
    }
}
