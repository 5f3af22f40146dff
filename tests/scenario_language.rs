//! The language as a whole: every key's own example, every worked example, and the words that other rooms share.

use fencepost::base::{Edge, LockId, NodeId, PointKind, Span, Thread, Token, Verb};
use fencepost::check::Property;
use fencepost::protocol::params::{Draw, Family, LateGrant, Op, OwnerIdKind, TokenKind, ValidFrom};
use fencepost::scenario::registry::{self, claims};
use fencepost::scenario::{Diagnostic, Layer, Scenario, parse};
use fencepost::sim::config::{FaultVerb, Moment, Role, SimConfig, Target, Until};

fn read(text: &str) -> Scenario {
    let text = format!("schema = \"fencepost.scenario/1\"\n{text}");
    let parsed = parse(&text);
    let said: Vec<String> = parsed.diagnostics.iter().map(Diagnostic::to_string).collect();
    parsed.scenario.unwrap_or_else(|| panic!("{text}\n{said:#?}"))
}

#[track_caller]
fn reads_or_is_not_built(name: &str, text: &str) -> bool {
    let parsed = parse(text);
    let wrong: Vec<String> =
        parsed.diagnostics.iter().filter(|d| d.is_error() && !d.not_built).map(Diagnostic::to_string).collect();
    assert!(wrong.is_empty(), "{name}\n{text}\n{wrong:#?}");
    parsed.scenario.is_some()
}

#[test]
fn the_example_of_every_key_is_read_or_said_to_be_not_built() {
    for row in registry::rows() {
        let schema = if row.key == "schema" { "" } else { "schema = \"fencepost.scenario/1\"\n" };
        let read = reads_or_is_not_built(&row.path(), &format!("{schema}{}\n", row.example()));
        assert_eq!(read, row.built, "{}: built says {}, and its example {}", row.path(), row.built, row.example());
    }
}

#[test]
fn the_example_of_every_verb_and_step_is_read_or_said_to_be_not_built() {
    for verb in registry::faults::VERBS {
        let read =
            reads_or_is_not_built(verb.word, &format!("schema = \"fencepost.scenario/1\"\n{}\n", verb.example()));
        assert_eq!(read, verb.built, "{}", verb.word);
    }
    for step in registry::steps::STEPS {
        let text = format!(
            "schema = \"fencepost.scenario/1\"\nresource.shards = \"debit\"\nworker = {{ steps = [\"acquire\", \"{}\"] }}\n",
            step.example().replace("\"", "")
        );
        let text = if step.example().contains("R.") { text } else { text.replace("resource.shards = \"debit\"\n", "") };
        // Some steps are for one kind of lock only.
        let grade = step.verb.word().ends_with("grade");
        let text = if grade { text.replace("worker", "lock.kind = \"read-write\"\nworker") } else { text };
        let read = reads_or_is_not_built(step.verb.word(), &text);
        assert_eq!(read, step.built, "{}", step.example());
    }
}

#[test]
fn worked_examples_are_read_or_only_not_built_yet() {
    let mut runs = Vec::new();
    for entry in std::fs::read_dir("tests/scenario_samples").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        if reads_or_is_not_built(&name, &std::fs::read_to_string(&path).unwrap()) {
            runs.push(name);
        }
    }
    runs.sort();
    // What this version can run of them; a new service makes this list longer.
    let expected = [
        "a-short-read-lock-cuts-a-long-one",
        "check-then-delete",
        "cut-off-from-the-lock-service-only",
        "failover-before-replication",
        "gc-pause",
        "granted-to-a-dead-lease",
        "kubernetes-leader-election-slow-clock",
        "leaked-permits",
        "missed-unlock-message",
        "redlock-clock-jump-on-node-c",
        "released-inside-the-transaction",
        "split-votes",
        "the-gap-before-the-first-write",
        "the-untouched-shard",
        "two-reapers-one-zombie",
        "watchdog-gone-work-goes-on",
    ];
    assert_eq!(runs, expected);
}

#[test]
fn properties_are_the_same_in_the_language_and_in_the_checkers() {
    let built: Vec<&str> = claims::PROPERTIES.iter().filter(|p| p.word.built).map(|p| p.word.text).collect();
    let known: Vec<&str> = Property::ALL.into_iter().map(Property::word).collect();
    assert_eq!(built, known);
    let judged: Vec<&str> = claims::PROPERTIES.iter().filter(|p| p.judged).map(|p| p.word.text).collect();
    assert_eq!(judged, Property::JUDGED.map(Property::word));
}

// ------------------------------------------------------------------ from text to parameters

fn gc_pause() -> Scenario {
    parse(&std::fs::read_to_string("tests/scenario_samples/gc-pause.toml").unwrap()).scenario.unwrap()
}

#[test]
fn the_gc_pause_becomes_the_parameters_of_the_catalogue() {
    let s = gc_pause();
    let c: SimConfig = s.config(1);
    let names: Vec<&str> = c.roster.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["W1", "W2", "L", "R"]);
    assert_eq!(c.roster.nodes[2].role, Role::LockNode { service: "lock".into() });
    assert_eq!(c.roster.nodes[3].role, Role::Shard { resource: "R".into() });
    assert_eq!(c.roster.locks, ["main"]);
    assert_eq!(c.workers[1].start, Moment::At(Draw::ms(2_000)));
    let (lock, shard) = (LockId(0), NodeId(3));
    assert_eq!(
        c.workers[0].program.ops,
        [
            Op::Acquire { lock, ttl: None, patience: None },
            Op::Read { shard },
            Op::Work { length: Some(Draw::ms(1_000)) },
            Op::Write { shard, key: None, blind: false },
            Op::Release { lock },
        ]
    );
    assert!(!c.workers[0].client.check_deadline, "a fact of the worker holds under every design");
    assert_eq!(c.locks[0].params.token, TokenKind::Ordered);
    assert!(c.shards[0].params.guards.fence);
    assert_eq!(s.config(0).locks[0].params.token, TokenKind::None);
    assert_eq!(c.faults[0].verb, FaultVerb::Pause { targets: vec![Target { node: NodeId(0), thread: None }] });
    assert_eq!(c.faults[0].until, Until::Moment(Moment::At(Draw::ms(15_000))));
    let setup = s.setup(0);
    assert!(setup.owners && setup.judged.len() == 8);
}

#[test]
fn each_value_knows_its_layer() {
    let s = read(
        "client.retry = \"100ms\"\nclient.check_deadline = false\nworker = { client.margin = \"1ms\" }\n\
         design = [{ protection = \"none\" }, { protection = \"fencing\", client.retry = \"1s\" }]\n",
    );
    let of = |d, path| s.resolved(d, path).unwrap();
    assert_eq!(of(0, "lock.ttl"), ("10s".into(), Layer::Default));
    assert_eq!(of(0, "client.late_grant"), ("keep".into(), Layer::Profile));
    assert_eq!(of(0, "client.retry"), ("100ms".into(), Layer::Story));
    assert_eq!(of(1, "client.retry"), ("1s".into(), Layer::Design));
    assert_eq!(of(0, "lock.release"), ("unconditional".into(), Layer::Protection));
    assert_eq!(of(1, "client.check_deadline"), ("true".into(), Layer::Protection));
    assert_eq!(s.resolved_for(0, "client.margin", Some("W1")), Some(("1ms".into(), Layer::Named)));
    assert_eq!(s.resolved(0, "fault.at"), None);
    assert_eq!(s.resolved(9, "lock.ttl"), None);
}

#[test]
fn protections_are_those_of_the_catalogue() {
    let s = read(
        "design = [{ protection = \"none\" }, { protection = \"safe-release\" }, { protection = \"activation\" }, { protection = \"idempotency\" }, { name = \"Nothing\" }]\n",
    );
    let c: Vec<SimConfig> = (0..5).map(|i| s.config(i)).collect();
    use fencepost::base::message::Compare;
    let releases: Vec<Compare> = c.iter().map(|c| c.locks[0].params.release).collect();
    assert_eq!(releases, [Compare::Nothing, Compare::Owner, Compare::Owner, Compare::Owner, Compare::Owner]);
    let checks: Vec<bool> = c.iter().map(|c| c.workers[0].client.check_deadline).collect();
    assert_eq!(checks, [false, true, true, true, true]);
    assert!(c[2].workers[0].client.activate && c[2].shards[0].params.guards.fence);
    assert!(c[3].shards[0].params.guards.idempotency && !c[3].shards[0].params.guards.fence);
    let names: Vec<&str> = s.designs().iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["No protection", "Safe release", "Activation fence", "Idempotency key", "Nothing"]);
}

#[test]
fn a_protection_sets_only_what_the_service_has() {
    let s = read("design = [{ name = \"None at all\", protection = \"fencing\", lock.service = \"none\" }]\n");
    let c = s.config(0);
    assert_eq!(c.locks[0].params.family, Family::None);
    assert!(c.locks[0].nodes.is_empty() && !c.shards[0].params.guards.fence);
    assert_eq!(c.roster.nodes.len(), 2);
    assert!(!s.setup(0).owners);
}

#[test]
fn defaults_follow_other_keys() {
    let s = read("lock.ttl = \"30s\"\nclient = { call_timeout = \"2s\", renew_every = \"ttl/3\" }\n");
    let c = s.config(0);
    let (lock, client) = (&c.locks[0].params, &c.workers[0].client);
    assert_eq!((lock.ttl, lock.stored_ttl, lock.renew_ttl), (Some(Span::from_ms(30_000)), lock.ttl, lock.ttl));
    assert_eq!(client.acquire_timeout, Some(Draw::ms(2_000)));
    assert_eq!(client.renew_every, Some(Span::from_ms(10_000)));
    assert_eq!((client.believed_ttl, client.valid_from, client.owner_id), (None, ValidFrom::Send, OwnerIdKind::PerTry));
    assert_eq!((client.late_grant, client.renew_deadline), (LateGrant::Keep, None));
    let never = read("lock.ttl = \"never\"\nclient.renew_every = \"ttl/3\"\n").config(0);
    assert_eq!((never.locks[0].params.stored_ttl, never.workers[0].client.renew_every), (None, None));
}

#[test]
fn counts_are_unrolled_and_named() {
    let s = read(
        "worker = [{ count = 2, stagger = \"10ms\" }, { name = \"Late\", start = \"after W1 grant\" }, {}, { name = \"P\", count = 2 }, { name = \"Q\", count = 1 }]\n",
    );
    let names: Vec<&str> = s.workers.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["W1", "W2", "Late", "W4", "P1", "P2", "Q"]);
    let c = s.config(0);
    assert_eq!(c.workers[1].start, Moment::At(Draw::ms(10)));
    assert_eq!(
        c.workers[2].start,
        Moment::Point { offset: Span::ZERO, worker: NodeId(0), point: PointKind::Grant, n: 1 }
    );
}

#[test]
fn names_mean_processes_groups_shards_and_threads() {
    let s = read(
        "resource.shards = [\"debit\", \"credit\"]\nclock = { lock = { rate = 1.1 }, A = { offset = \"-1s\" } }\n\
         worker = [{ name = \"A\", process = \"Pod\", steps = [\"wait 1s\"] }, { name = \"B\", process = \"Pod\", steps = [\"wait 1s\"] }]\n\
         fault = [{ pause = \"A\" }, { pause = \"A.renewer\" }, { crash = \"Pod\" }, { cut = \"workers\", to = \"R.debit\" },\n\
                  { drop = [\"write\", \"read-reply\"], from = \"A\" }, { drop = \"any\" }, { evict = \"lock-node\", at = \"before B wait\" }]\n",
    );
    let c = s.config(0);
    let whole = |i| Target { node: NodeId(i), thread: None };
    let verbs: Vec<&FaultVerb> = c.faults.iter().map(|f| &f.verb).collect();
    assert_eq!(*verbs[0], FaultVerb::Pause { targets: vec![whole(0), whole(1)] });
    assert_eq!(
        *verbs[1],
        FaultVerb::Pause { targets: vec![Target { node: NodeId(0), thread: Some(Thread::Renewer) }] }
    );
    assert!(matches!(verbs[2], FaultVerb::Crash { targets, .. } if *targets == [whole(0), whole(1)]));
    assert_eq!(*verbs[3], FaultVerb::Cut { from: vec![NodeId(0), NodeId(1)], to: vec![NodeId(3)], one_sided: false });
    let FaultVerb::Message(m) = verbs[4] else { panic!() };
    use fencepost::base::message::{Kind, Topic};
    assert_eq!(m.kinds, 1 << Kind::request(Topic::Write).index() | 1 << Kind::reply(Topic::Read).index());
    assert_eq!(m.from, Some(vec![NodeId(0)]), "a message is one thread's");
    let FaultVerb::Message(m) = verbs[5] else { panic!() };
    assert_eq!(m.kinds.count_ones() as usize, Topic::ALL.len() * 2);
    assert_eq!(*verbs[6], FaultVerb::Evict { nodes: vec![NodeId(2)], lock: None });
    let point = PointKind::Step(Edge::Before, Verb::Wait);
    assert_eq!(c.faults[6].at, Moment::Point { offset: Span::ZERO, worker: NodeId(1), point, n: 1 });
    assert_eq!((c.clocks[2].rate_ppm, c.clocks[1].offset), (1_100_000, Span::from_ms(-1_000)));
    assert_eq!(c.roster.nodes[4].role, Role::Shard { resource: "R".into() });
    assert_eq!(c.roster.nodes[0].role, c.roster.nodes[1].role);
}

#[test]
fn blocks_become_jumps_and_keys_numbers() {
    let s = read(
        "worker = { steps = [\"acquire\", { loop = 3, every = \"1s\", steps = [\"read\", { loop = \"forever\", steps = [\"wait 1ms\"] }] }, \
         \"write key=slot-{round} base=none\", \"call mail key=a\", \"call fax key=a\"], rounds = 2, gap = \"5ms\" }\n",
    );
    let ops = s.config(0).workers[0].program.ops.clone();
    assert_eq!(ops[1], Op::LoopBegin { times: Some(3), every: Some(Draw::ms(1_000)), end: 6 });
    assert_eq!(ops[3], Op::LoopBegin { times: None, every: None, end: 5 });
    assert_eq!((ops[5], ops[6]), (Op::LoopEnd { begin: 3 }, Op::LoopEnd { begin: 1 }));
    let Op::Write { key: Some(key), blind: true, .. } = ops[7] else { panic!() };
    assert!(key.per_round);
    let (Op::Call { key: Some(a), .. }, Op::Call { key: Some(b), .. }) = (ops[8], ops[9]) else { panic!() };
    assert_ne!(a.hash, b.hash, "the same key of another effect is another operation");
}

#[test]
fn more_locks_and_resources_inherit_and_differ() {
    let s = read(
        "lock = { ttl = \"5s\", also = [{ name = \"cache\", ttl = \"1s\" }, { name = \"far\", nodes = \"F\" }, { name = \"free\", service = \"none\" }] }\n\
         resource = { mark = 7, also = { name = \"Log\", guard = \"version\" } }\n\
         worker = { steps = [\"acquire\", \"acquire cache\", \"read\", \"write Log base=none\", \"release cache\", \"release\"] }\n\
         design = { protection = \"fencing\" }\n",
    );
    let c = s.config(0);
    let ttls: Vec<i64> = c.locks.iter().map(|l| l.params.ttl.unwrap().as_us() / 1_000_000).collect();
    assert_eq!(ttls, [5, 1, 5, 5]);
    let nodes: Vec<Vec<NodeId>> = c.locks.iter().map(|l| l.nodes.clone()).collect();
    assert_eq!(nodes, [vec![NodeId(1)], vec![NodeId(1)], vec![NodeId(2)], vec![]]);
    assert_eq!(c.locks[3].params.family, Family::None);
    assert_eq!(c.shards[0].params.mark, Token::new(7));
    assert!(c.shards[0].params.guards.fence && !c.shards[1].params.guards.fence && c.shards[1].params.guards.version);
    assert!(matches!(c.workers[0].program.ops[3], Op::Write { shard: NodeId(4), .. }));
}

// ------------------------------------------------------------------ the reference

#[test]
fn the_reference_is_that_of_the_table() {
    let path = "docs/scenario-format.md";
    let text = registry::reference();
    if std::env::var_os("FENCEPOST_WRITE").is_some() {
        std::fs::create_dir_all("docs").unwrap();
        std::fs::write(path, &text).unwrap();
    }
    let standing = std::fs::read_to_string(path).unwrap_or_default();
    assert!(standing == text, "{path} is out of date: run FENCEPOST_WRITE=1 cargo test --test scenario_language");
}

#[test]
fn every_block_of_the_reference_is_a_scenario() {
    let text = registry::reference();
    let blocks: Vec<&str> = text.split("```toml\n").skip(1).map(|b| b.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 8);
    for block in blocks {
        let parsed = parse(block);
        let said: Vec<String> = parsed.diagnostics.iter().map(Diagnostic::to_string).collect();
        assert!(parsed.scenario.is_some() && said.is_empty(), "{block}\n{said:#?}");
    }
}

#[test]
fn the_reference_shows_every_key() {
    let text = registry::reference();
    for row in registry::rows() {
        assert!(text.contains(&format!("| `{}` |", row.key)) && text.contains(row.says()), "{}", row.path());
    }
}
