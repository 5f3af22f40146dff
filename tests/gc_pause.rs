//! The engine without the scenario language: the GC pause written out as data, against the instants of the catalogue.

use fencepost::base::{Fact, LockId, NodeId, Span, TrueTime};
use fencepost::check::Property;
use fencepost::protocol::params::{ClientParams, Draw, Guards, LockParams, Op, Program, ResourceParams, TokenKind};
use fencepost::run::{simulate, simulate_with};
use fencepost::sim::Replay;
use fencepost::sim::config::{
    ClockSpec, FaultSpec, FaultVerb, LinkSpec, LockSpec, Moment, ShardSpec, SimConfig, Target, Until, WorkerSpec,
};
use fencepost::trace::{EndWhy, EventKind, Participant, Role, Roster};

fn gc_pause(fenced: bool) -> SimConfig {
    let node = |name: &str, role| Participant { name: name.into(), role };
    let (lock, shard) = (LockId(0), NodeId(3));
    let ops = vec![
        Op::Acquire { lock, ttl: None, patience: None },
        Op::Read { shard },
        Op::Work { length: Some(Draw::ms(1_000)) },
        Op::Write { shard, key: None, blind: false },
        Op::Release { lock },
    ];
    let program = Program { ops, rounds: Some(1), gap: None, every: None };
    let client = ClientParams { check_deadline: false, ..ClientParams::default() };
    let worker = |start| WorkerSpec {
        start: Moment::At(Draw::ms(start)),
        life: None,
        program: program.clone(),
        client: client.clone(),
    };
    let token = if fenced { TokenKind::Ordered } else { TokenKind::None };
    SimConfig {
        roster: Roster {
            nodes: vec![
                node("W1", Role::Worker { process: 0 }),
                node("W2", Role::Worker { process: 1 }),
                node("L", Role::LockNode { service: "lock".into() }),
                node("R", Role::Shard { resource: "R".into() }),
            ],
            locks: vec!["main".into()],
            horizon: TrueTime::from_ms(60_000),
        },
        clocks: vec![ClockSpec { rate_ppm: 1_000_000, offset: Span::ZERO }; 4],
        network: LinkSpec { one_way: Draw::ms(5), loss_ppm: 0, ordered: false },
        links: vec![],
        workers: vec![worker(0), worker(2_000)],
        locks: vec![LockSpec { nodes: vec![NodeId(2)], params: LockParams { token, ..LockParams::default() } }],
        shards: vec![ShardSpec {
            node: shard,
            params: ResourceParams {
                guards: Guards { fence: fenced, ..Guards::default() },
                ..ResourceParams::default()
            },
        }],
        faults: vec![FaultSpec {
            name: None,
            verb: FaultVerb::Pause { targets: vec![Target { node: NodeId(0), thread: None }] },
            at: Moment::At(Draw::ms(500)),
            until: Until::Moment(Moment::At(Draw::ms(15_000))),
            every: None,
        }],
        horizon: TrueTime::from_ms(60_000),
        seed: 1,
        max_events: 10_000,
    }
}

#[test]
fn the_unfenced_run_is_that_of_the_catalogue() {
    let config = gc_pause(false);
    let run = simulate(&config);
    run.log.check_form(&config.roster).expect("well formed");
    let mut seen = Vec::new();
    for e in run.log.events() {
        let ms = e.at.as_us() / 1_000;
        match e.kind {
            EventKind::Did(Fact::Granted(g)) => seen.push(format!("{ms} grant W{}", g.worker.0 + 1)),
            EventKind::Did(Fact::Applied(x)) => seen.push(format!("{ms} apply W{} base {:?}", x.worker.0 + 1, x.base)),
            EventKind::Did(Fact::Expired { .. }) => seen.push(format!("{ms} expired")),
            _ => {}
        }
    }
    assert_eq!(
        seen,
        ["5 grant W1", "10005 expired", "10195 grant W2", "11215 apply W2 base Some(0)", "15005 apply W1 base Some(0)"]
    );
    assert_eq!(run.ending.why, EndWhy::Quiet);
    let broken: Vec<_> = Property::JUDGED.into_iter().filter(|p| run.report.violated(*p)).collect();
    assert_eq!(broken, [Property::StaleWrite, Property::NonOwnerWrite, Property::LostUpdate]);
    assert_eq!(simulate_with(&config, Replay::new(run.schedule.clone())), run);
    assert_eq!(simulate(&config), run);
}

#[test]
fn the_fence_refuses_the_late_write() {
    let run = simulate(&gc_pause(true));
    let rejected = run.log.events().iter().find(|e| matches!(e.kind, EventKind::Did(Fact::Rejected { .. })));
    assert_eq!(rejected.map(|e| e.at), Some(TrueTime::from_ms(15_005)));
    assert!(Property::JUDGED.iter().all(|p| !run.report.violated(*p)));
    assert!(run.report.violated(Property::BeliefOverlap));
}
