use fencepost::base::{LockId, NodeId, Span, TrueTime};
use fencepost::check::Property;
use fencepost::protocol::params::{ClientParams, Draw, Guards, LockParams, Op, Program, ResourceParams, TokenKind};
use fencepost::run::{replay, simulate};
use fencepost::sim::config::{
    ClockSpec, FaultSpec, FaultVerb, LinkSpec, LockSpec, Moment, ShardSpec, SimConfig, Target, Until, WorkerSpec,
};
use fencepost::trace::{Participant, Role, Roster};

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

fn main() {
    use fencepost::sim::*;
    use fencepost::trace::*;
    let config = gc_pause(std::env::args().nth(1).is_some());
    let mut w = World::new(&config, Seeded { seed: 1 });
    let n: u32 = std::env::var("N").ok().and_then(|s| s.parse().ok()).unwrap_or(300_000);
    let mut sum = 0u64;
    for round in 0..1 {
        let t = std::time::Instant::now();
        for i in 0..n {
            w.reset(Seeded { seed: i as u64 });
            let e = w.run(&mut Nothing);
            sum += e.at.as_us() as u64;
        }
        let d = t.elapsed();
        println!(
            "{round} nothing: {:.0} runs/s, handled {} {:.1} ns/event",
            n as f64 / d.as_secs_f64(),
            w.handled(),
            d.as_nanos() as f64 / n as f64 / w.handled() as f64
        );
    }
    if std::env::var("ONLY").is_ok() {
        return;
    }
    let mut ck = fencepost::check::Checker::new(&fencepost::run::setup(&config));
    let t = std::time::Instant::now();
    for i in 0..n {
        w.reset(Seeded { seed: i as u64 });
        ck.reset();
        let e = w.run(&mut ck);
        std::hint::black_box(ck.close(e));
        sum += e.at.as_us() as u64;
    }
    println!("checked: {:.0} runs/s", n as f64 / t.elapsed().as_secs_f64());
    let mut log = TraceLog::new();
    let t = std::time::Instant::now();
    for i in 0..n {
        w.reset(Seeded { seed: i as u64 });
        log.clear();
        let e = w.run(&mut log);
        sum += e.at.as_us() as u64;
    }
    println!("logged: {:.0} runs/s, {} events", n as f64 / t.elapsed().as_secs_f64(), log.len());
    println!("{sum}");
}
