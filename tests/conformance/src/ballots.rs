//! A real client of Redlock beside the engine: the same cases, and a report where they differ.

use crate::clients::{Acquired, RealClient, Wanted};
use crate::engine::{self, Predicted};
use crate::ensemble::{Ensemble, Learned};
use crate::server::wait_for;
use crate::votes::{Case, Client, NODES, Outcome, Reach, Record, Request, Seen, Weather};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A lease that does not end while anybody looks.
pub const LONG_MS: u32 = 1_000_000;
/// One that is over before a silent server's time is.
pub const SHORT_MS: u32 = 150;

/// Known differences: what no value of the language says, or what is smaller than what is modelled. Each stands, in these words and with its
/// reason, on the page of the protocol, `docs/protocols/redlock.md`.
pub const KNOWN: [(&[Client], &str); 5] = [
    (&[Client::Rslock], "the acquisition ends when the time ran out"),
    (&[Client::Rslock], "a failed extension releases everything"),
    (&[Client::Rslock, Client::NodeRedlock], "A failed extension is tried again"),
    (&[Client::NodeRedlock], "a lease that is over is not extended"),
    (&[Client::Rslock, Client::NodeRedlock], "The margin is whole milliseconds"),
];

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub operations: u64,
    pub cases: u64,
    pub granted: u64,
    /// Groups that were done again, since this machine was too busy.
    pub undecided: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.operations += other.operations;
        self.cases += other.cases;
        self.granted += other.granted;
        self.undecided += other.undecided;
    }
}

/// Locks of one group, all under the same circumstances: somebody else holds each set of servers once, and where all are free each set of
/// them loses the record once.
pub fn cases(client: Client, weather: &Weather, turn: usize) -> Vec<Case> {
    let sets = 0..1u8 << NODES;
    // A try that waits for a silent server is long.
    let most = if weather.has_silent() { 2 } else { 3 };
    let attempts = |set: u8| 1 + (u32::from(set) + turn as u32) % most;
    // A longer lease with every case: what is deducted of it is cut to whole milliseconds.
    let ttl_ms = |set: u8| LONG_MS + u32::from(set) * 37;
    let held = sets.clone().map(|held| Case { ttl_ms: ttl_ms(held), attempts: attempts(held), held, lost: 0b1 });
    let lost = sets.map(|lost| Case { ttl_ms: ttl_ms(lost), attempts: attempts(lost), held: 0, lost });
    let mut cases: Vec<Case> = held.chain(lost).collect();
    if client == Client::Rslock && weather.has_silent() {
        cases.extend([0, 0b1, 0b111].map(|held| Case { ttl_ms: SHORT_MS, attempts: 3, held, lost: 0 }));
    }
    cases
}

/// Carries out the cases, and compares. The error says what differs, and how.
///
/// A client takes a server that answers too late for a silent one. So a difference counts only if all servers that were up answered
/// somebody else in good time all along; otherwise this machine was too busy, and everything is done again.
pub fn hold(
    ensemble: &mut Ensemble,
    real: &mut dyn RealClient,
    weather: &Weather,
    cases: &[Case],
) -> Result<Tally, String> {
    let mut undecided = 0;
    loop {
        let up = |place: &usize| weather.acquire[*place] == Reach::Up && weather.extend[*place] == Reach::Up;
        let ports: Vec<u16> = (0..NODES).filter(up).map(|place| ensemble.ports()[place]).collect();
        let (outcome, slowest) = while_watched(&ports, || compare(ensemble, real, weather, cases));
        let limit = Duration::from_millis(u64::from(weather.node_timeout_ms(real.client()))) / 4;
        match outcome {
            Err(_) if slowest > limit && undecided < 5 => undecided += 1,
            outcome => return outcome.map(|tally| Tally { undecided, ..tally }),
        }
    }
}

/// What comes of it, and the longest that any of these servers, or a thread of this process, was away meanwhile.
fn while_watched<T>(ports: &[u16], work: impl FnOnce() -> T) -> (T, Duration) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let mut connections: Vec<_> = Vec::new();
            let mut slowest = Duration::ZERO;
            while !done.load(Ordering::Relaxed) {
                let start = Instant::now();
                // A server that has just been started again is connected to anew.
                connections.retain_mut(|it| redis::cmd("PING").exec(it).is_ok());
                let took = start.elapsed();
                if connections.len() < ports.len() {
                    connections = ports.iter().filter_map(|port| crate::redis::connect(*port).ok()).collect();
                }
                let start = Instant::now();
                thread::sleep(Duration::from_millis(10));
                slowest = slowest.max(took).max(start.elapsed());
            }
            slowest
        });
        let outcome = work();
        done.store(true, Ordering::Relaxed);
        (outcome, watch.join().expect("it does not panic"))
    })
}

/// Once.
fn compare(
    ensemble: &mut Ensemble,
    real: &mut dyn RealClient,
    weather: &Weather,
    cases: &[Case],
) -> Result<Tally, String> {
    let seen = carry_out(ensemble, real, weather, cases);
    let client = real.client();
    let mut tally = Tally::default();
    let mut report = String::new();
    for (case, (there, acquired)) in cases.iter().zip(&seen) {
        let Predicted { seen: here, believed } = engine::predict(client, weather, case);
        tally.cases += 1;
        tally.operations += here.operations();
        tally.granted += u64::from(here.outcome == Outcome::Granted);
        let same = here == *there || is_over(client, case) && without_extensions(&here) == *there;
        if !same {
            let _ = writeln!(report, "{weather}, {case}:\n  {}  {there:?}\n  the engine\n  {here:?}", real.version());
        }
        if let (Acquired::Granted { at_least_ms, at_most_ms }, Some(believed)) = (acquired, believed) {
            tally.operations += 1;
            // Both clients deduct whole milliseconds: a known difference of less than one.
            let (low, high) = ((at_least_ms - 1) * 1_000, (at_most_ms + 1) * 1_000);
            if !(low..=high).contains(&believed.as_us()) {
                let _ = writeln!(report, "{weather}, {case}: it believes {acquired:?}, the engine {believed:?}");
            }
        }
    }
    if report.is_empty() { Ok(tally) } else { Err(format!("{} and its profile differ:\n{report}", real.version())) }
}

/// The real side.
fn carry_out(
    ensemble: &mut Ensemble,
    real: &mut dyn RealClient,
    weather: &Weather,
    cases: &[Case],
) -> Vec<(Seen, Acquired)> {
    let learned = begin(ensemble, real, weather);
    let keys: Vec<String> = (0..cases.len()).map(|it| format!("lock-{it}")).collect();
    let wanted: Vec<Wanted> = keys.iter().zip(cases).map(|(key, case)| Wanted { key, case: *case }).collect();

    for Wanted { key, case } in &wanted {
        ensemble.hold(key, case.held);
    }
    ensemble.set(&weather.acquire);
    let acquired = match weather.answers_after_ms {
        None => {
            let acquired = real.acquire(&wanted);
            ensemble.answer(&weather.acquire);
            acquired
        }
        Some(ms) => thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(u64::from(ms)));
                ensemble.resume(&weather.acquire);
            });
            real.acquire(&wanted)
        }),
    };
    ensemble.settle();
    // What is short is over before anybody looks.
    if cases.iter().any(|it| it.ttl_ms == SHORT_MS) {
        thread::sleep(Duration::from_millis(u64::from(SHORT_MS) + 50));
    }
    let mut records: Vec<[[Record; NODES]; 3]> = vec![[[Record::None; NODES]; 3]; cases.len()];
    let look = |ensemble: &mut Ensemble, records: &mut Vec<[[Record; NODES]; 3]>, n: usize| {
        for (records, key) in records.iter_mut().zip(&keys) {
            records[n] = ensemble.records(key);
        }
    };
    look(ensemble, &mut records, 0);

    for Wanted { key, case } in &wanted {
        ensemble.lose(key, case.lost);
    }
    ensemble.set(&weather.extend);
    let extended = real.extend(&wanted, 1);
    ensemble.answer(&weather.extend);
    look(ensemble, &mut records, 1);

    real.release(&wanted);
    ensemble.settle();
    look(ensemble, &mut records, 2);

    let seen = |place: usize| {
        let outcome = match acquired[place] {
            Acquired::Granted { .. } => Outcome::Granted,
            Acquired::Refused => Outcome::Refused,
            Acquired::Late => Outcome::Late,
        };
        let requests = ensemble.requests(&keys[place], &learned);
        (Seen { outcome, extended: extended[place], records: records[place], requests }, acquired[place])
    };
    (0..cases.len()).map(seen).collect()
}

/// Known: who does not look at the time may believe in a lease that is over, and then does not even ask for an extension.
fn is_over(client: Client, case: &Case) -> bool {
    client == Client::NodeRedlock && case.ttl_ms == SHORT_MS
}

fn without_extensions(seen: &Seen) -> Seen {
    let mut seen = seen.clone();
    seen.requests.iter_mut().for_each(|it| it.retain(|request| *request != Request::Extend));
    seen
}

/// Somebody else has A, B and C, and loses A between two tries of a client. Who gives back what a failed try was granted has a majority then;
/// who does not finds its own records in its way.
pub fn freed_in_between(ensemble: &mut Ensemble, real: &mut dyn RealClient) -> Result<Tally, String> {
    const KEY: &str = "lock";
    const TRIES: usize = 11;
    let client = real.client();
    let case = Case { ttl_ms: LONG_MS, attempts: TRIES as u32, held: 0b111, lost: 0 };
    let weather = Weather::fair();
    let learned = begin(ensemble, real, &weather);
    ensemble.hold(KEY, case.held);
    let tries = |ensemble: &Ensemble| {
        let requests = ensemble.requests(KEY, &learned);
        requests[0].iter().filter(|it| **it == Request::Acquire).count()
    };
    let ports = ensemble.ports();
    let acquired = thread::scope(|scope| {
        let ensemble = &*ensemble;
        scope.spawn(|| {
            wait_for("two tries", Duration::from_secs(60), || tries(ensemble) >= 2);
            let mut stranger = crate::redis::connect(ports[0]).expect("it is up");
            redis::cmd("DEL").arg(KEY).exec(&mut stranger).expect("DEL");
        });
        real.acquire(&[Wanted { key: KEY, case }]).remove(0)
    });
    ensemble.settle();
    // How many tries had come before, the server knows.
    let commands = &ensemble.commands(KEY)[0];
    let before = commands.iter().position(|it| it[0].eq_ignore_ascii_case("DEL")).expect("the stranger's command");
    let failed = learned.requests(&commands[..before]).iter().filter(|it| **it == Request::Acquire).count();
    let records = ensemble.records(KEY);
    let requests = ensemble.requests(KEY, &learned);
    let Predicted { seen: here, .. } = engine::predict_freed(client, &case, 0, failed);
    let acquired_here = here.outcome == Outcome::Granted;
    let acquired_there = matches!(acquired, Acquired::Granted { .. });
    // The run goes on to extend and release; what came before is compared.
    let acquiring = |requests: &[Vec<Request>; NODES]| {
        requests.each_ref().map(|it| it.iter().copied().take_while(|it| *it != Request::Extend).collect::<Vec<_>>())
    };
    if (acquired_here, here.records[0], acquiring(&here.requests)) != (acquired_there, records, requests.clone()) {
        return Err(format!("{}: {acquired:?} {records:?} {requests:?}\nthe engine: {here:?}", real.version()));
    }
    Ok(Tally { operations: here.operations(), cases: 1, granted: u64::from(acquired_here), undecided: 0 })
}

/// What each server is asked by a client that holds a lock and extends it when three of five have lost it, with three tries.
pub fn extended_in_vain(ensemble: &mut Ensemble, real: &mut dyn RealClient) -> [Vec<Request>; NODES] {
    const KEY: &str = "lock";
    let learned = begin(ensemble, real, &Weather::fair());
    let wanted = [Wanted { key: KEY, case: Case { ttl_ms: LONG_MS, attempts: 1, held: 0, lost: 0b111 } }];
    assert!(matches!(real.acquire(&wanted)[0], Acquired::Granted { .. }));
    ensemble.lose(KEY, 0b111);
    assert_eq!(real.extend(&wanted, 3), [Some(false)]);
    ensemble.settle();
    ensemble.requests(KEY, &learned)
}

/// Empty servers, all up, and a client that has used each of its scripts at each of them.
fn begin(ensemble: &mut Ensemble, real: &mut dyn RealClient, weather: &Weather) -> Learned {
    ensemble.clear();
    let order = real.connect(&ensemble.ports(), weather.node_timeout_ms(real.client()), "learned");
    let learned = Learned::from(ensemble, "learned", &order);
    ensemble.knows(&learned);
    learned
}

/// Three servers answer, the third of them only when the lease is over. Whoever looks at the time refuses what it was given.
pub fn late_majority() -> (Weather, Vec<Case>) {
    let acquire = [Reach::Up, Reach::Up, Reach::Silent, Reach::Down, Reach::Down];
    let extend = acquire.map(|it| if it == Reach::Silent { Reach::Up } else { it });
    let weather = Weather { acquire, extend, answers_after_ms: Some(300) };
    let case = Case { ttl_ms: SHORT_MS, attempts: 1, held: 0, lost: 0 };
    (weather, vec![case])
}
