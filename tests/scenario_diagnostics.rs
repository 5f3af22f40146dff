//! What is said about texts that are wrong, and about texts that are right and may surprise.
//!
//! A diagnostic is part of the product: people meet the language through it. So each kind of mistake stands here with the exact sentence.

use fencepost::scenario::{Diagnostic, Severity, parse};

const HEAD: &str = "schema = \"fencepost.scenario/1\"\n";

/// All diagnostics of a file with the schema line before the text.
fn said(text: &str) -> Vec<String> {
    parse(&format!("{HEAD}{text}")).diagnostics.iter().map(Diagnostic::to_string).collect()
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    assert_eq!(said(text), expected, "\n{text}");
}

#[test]
fn a_file_with_a_schema_line_is_complete() {
    let parsed = parse(HEAD);
    assert_eq!(parsed.diagnostics, []);
    let s = parsed.scenario.unwrap();
    assert_eq!((s.workers.len(), s.faults.len(), s.designs().len()), (1, 0, 1));
    assert_eq!(s.designs()[0].name, "As written");
}

#[test]
fn unknown_keys_get_a_suggestion() {
    says(
        "[[worker]]\nname = \"W1\"\ndeadline_check = true\n",
        &["line 4 · worker W1 · unknown key \"deadline_check\". Did you mean client.check_deadline?"],
    );
    says(
        "[lock]\nlease_duration = \"10s\"\n",
        &["line 3 · lock · unknown key \"lease_duration\". Every kind of lease is lock.ttl."],
    );
    says("workers = 1\n", &["line 2 · unknown key \"workers\". Did you mean worker?"]);
    says("lock.zzzzzz = 1\n", &["line 2 · lock · unknown key \"zzzzzz\". Its keys are in the reference."]);
    says("clock.W1.zzzzzz = 1\n", &["line 2 · clock W1 · unknown key \"zzzzzz\". Its keys are rate, offset."]);
    says("clock.rate = 1.1\n", &["line 2 · clock.rate · whose? Write clock.W1.rate or clock.lock.rate."]);
    let parsed = parse(&format!("{HEAD}[lock]\nlease_duration = \"10s\"\n"));
    assert_eq!(parsed.diagnostics[0].suggestion.as_deref(), Some("lock.ttl"));
    assert_eq!(parsed.diagnostics[0].path.as_deref(), Some("lock.lease_duration"));
    assert_eq!((parsed.diagnostics[0].line, parsed.diagnostics[0].column), (Some(3), Some(1)));
}

#[test]
fn times_need_one_unit() {
    says("lock.ttl = 10\n", &["line 2 · lock.ttl · 10 has no unit. Write \"10s\" or \"10ms\"."]);
    says("lock.ttl = \"10\"\n", &["line 2 · lock.ttl · 10 has no unit. Write \"10s\" or \"10ms\"."]);
    says("lock.ttl = \"1min30s\"\n", &["line 2 · lock.ttl · \"1min30s\" has two units. Write \"90s\"."]);
    says("worker = [{ gap = 3 }]\n", &["line 2 · worker W1 · gap: 3 has no unit. Write \"3s\" or \"3ms\"."]);
    says(
        "worker = [{ client.retry = 3 }]\n",
        &["line 2 · worker W1 · client.retry: 3 has no unit. Write \"3s\" or \"3ms\"."],
    );
    says(
        "design = [{ name = \"A\", client.retry = 3 }]\n",
        &["line 2 · design \"A\" · client.retry: 3 has no unit. Write \"3s\" or \"3ms\"."],
    );
}

#[test]
fn faults_have_one_verb_and_moments_that_can_be() {
    let two = "worker = [{}, {}]\n";
    says(
        &format!("{two}fault = [{{ pause = \"W1\" }}, {{ pause = \"W2\", at = \"3ms before W1 write\" }}]\n"),
        &[
            "line 3 · fault 2 · \"3ms before W1 write\": time before a point needs foresight. Use an instant, or an earlier point.",
        ],
    );
    says(
        &format!("{two}fault = [{{ pause = \"W1\" }}, {{ pause = \"W2\", at = \"after W3 write\" }}]\n"),
        &["line 3 · fault 2 · there is no worker \"W3\". Workers: W1, W2."],
    );
    says(
        "fault = [{ pause = \"W1\" }, { pause = \"W1\", crash = \"W1\" }]\n",
        &["line 2 · fault 2 · has two verbs, pause and crash. Split it."],
    );
    says(
        "fault = { at = \"1s\" }\n",
        &[
            "line 2 · fault 1 · has no verb. Verbs are pause, crash, cut, partition, delay, drop, duplicate, fail, stall, \
           step_clock, drift_clock, fail_over, evict, expire, disconnect, change_identity, cancel, shut_down.",
        ],
    );
    says(
        "fault = { pause = \"W1\", takes = \"1s\" }\n",
        &[
            "line 2 · fault 1 · takes does not belong to pause. Its keys are none of its own, and at, until, for, every, name.",
        ],
    );
    says("fault = { delay = \"write\" }\n", &["line 2 · fault 1 · delay needs takes."]);
    says(
        "fault = { pause = \"W1\", until = \"3s\", for = \"1s\" }\n",
        &["line 2 · fault 1 · has both until and for. Keep one."],
    );
    says(
        "fault = { step_clock = \"W1\", by = \"1s\", until = \"3s\" }\n",
        &["line 2 · fault 1 · step_clock happens at one instant; it has no until."],
    );
    says("fault = { pause = \"W1\", every = \"1s\" }\n", &["line 2 · fault 1 · every needs for: how long each time."]);
    says(
        "fault = { pause = \"W1\", at = \"3s\", until = \"1s\" }\n",
        &["line 2 · fault 1 · ends at 1s, before it begins at 3s."],
    );
    says(
        "fault = { name = \"gc\", pause = \"W9\" }\n",
        &[
            "line 2 · fault gc · there is no \"W9\". There are W1, L, R, and the groups workers, resources, lock, lock-node.",
        ],
    );
    says(
        "fault = { cut = \"W1.main\", to = \"lock\" }\n",
        &["line 2 · fault 1 · \"W1.main\" is a thread; only pause and crash strike one. Write \"W1\"."],
    );
    says("fault = { evict = \"R\" }\n", &["line 2 · fault 1 · evict strikes servers of the lock, and \"R\" is none."]);
    says(
        "fault = { partition = [[\"W1\"]] }\n",
        &["line 2 · fault 1 · partition: a partition has at least two groups: [[\"W1\", \"lock\"], [\"R\"]]."],
    );
    says(
        "fault = { drop = \"writes\" }\n",
        &["line 2 · fault 1 · drop: there is no \"writes\". Did you mean \"write\"?"],
    );
    says("fault = { pause = [] }\n", &["line 2 · fault 1 · pause names nobody."]);
}

#[test]
fn a_design_sets_lock_client_resource_and_expect() {
    says(
        "[[design]]\nname = \"Fencing\"\nworker.start = \"1s\"\n",
        &[
            "line 4 · design \"Fencing\" · worker.start belongs to the story; a design may set lock, client, resource, expect.",
        ],
    );
    says(
        "[[design]]\nname = \"Long\"\nhorizon = \"1s\"\nttl = \"3s\"\n",
        &[
            "line 5 · design \"Long\" · unknown key \"ttl\". Did you mean lock.ttl?",
            "line 4 · design \"Long\" · horizon belongs to the story; a design may set lock, client, resource, expect.",
        ],
    );
    says(
        "[[design]]\nname = \"No lock\"\nlock = { service = \"none\", lock_delay = \"15s\" }\n",
        &[
            "line 4 · design \"No lock\" · lock.lock_delay: a design without a lock has none. Services with it: consensus, chubby, consul, redis, redlock.",
        ],
    );
    says(
        "lock.lock_delay = \"15s\"\n[[design]]\nname = \"No lock\"\nlock.service = \"none\"\n",
        &["note · lock.lock_delay is not used: a design without a lock has none."],
    );
    says(
        "lock.wait_replicas = 2\nlock.replicas = 1\n",
        &["warning · lock.wait_replicas is more than there are (1): no change is ever answered."],
    );
    // What one of the designs uses is well said; what none does is told once.
    says(
        "lock.lock_delay = \"15s\"\n[[design]]\nname = \"A\"\n[[design]]\nname = \"No lock\"\nlock.service = \"none\"\n",
        &[],
    );
    says(
        "client.node_timeout = \"20ms\"\n[[design]]\nprotection = \"consensus\"\n[[design]]\nprotection = \"fencing\"\n[[design]]\nprotection = \"none\"\n",
        &["note · client.node_timeout is not used: no service here has one."],
    );
    // A clock that runs fast is told once, whoever counts on it under whatever design.
    says(
        "clock.W1 = { rate = 0.7 }\n[[worker]]\nname = \"W1\"\n[[worker]]\nname = \"W2\"\n[[design]]\nprotection = \"fencing\"\n[[design]]\nprotection = \"redlock\"\n[[design]]\nprotection = \"consensus\"\n",
        &["warning · clock of W1 runs at 0.7: W1's 10s may last longer than L's 10s, by 4.285714 s."],
    );
    says(
        "[[design]]\nname = \"A\"\n[[design]]\nname = \"A\"\n",
        &["line 4 · design \"A\" · there are two designs of this name. Give one another name."],
    );
}

#[test]
fn watches_need_a_service_that_has_them() {
    let note = "note · lock.wake: redis has nothing to watch; who waits asks again.";
    says("lock.wake = \"watch-lock\"\n", &[note]);
    says(
        "lock.wake = \"watch-lock\"\n[[design]]\nname = \"A\"\n[[design]]\nname = \"B\"\nlock.service = \"etcd\"\n",
        &[],
    );
}

#[test]
fn what_is_not_built_is_said_to_be_so() {
    says(
        "client.on_lost = \"exit\"\n",
        &[
            "line 2 · client.on_lost · \"exit\" is part of the language, but this version cannot run it yet. It can run: stop, log, reacquire.",
        ],
    );
    says(
        "lock.grant_if = \"up-to-date\"\n",
        &["line 2 · lock.grant_if · part of the language, but this version cannot run it yet."],
    );
    says(
        "worker = { steps = [\"hand W1\"] }\n",
        &["line 2 · worker W1 · \"hand W1\" is part of the language, but this version cannot run it yet."],
    );
    says(
        "fault = { change_identity = \"W1\" }\n",
        &[
            "line 2 · fault 1 · \"change_identity\" is part of the language, but this version cannot run it yet. It can run: pause, crash, \
           cut, partition, delay, drop, duplicate, fail, stall, step_clock, drift_clock, fail_over, evict, expire, disconnect, cancel, shut_down.",
        ],
    );
    assert!(parse(&format!("{HEAD}client.on_lost = \"exit\"\n")).diagnostics[0].not_built);
}

#[test]
fn kinds_of_locks_need_what_they_are_for() {
    says(
        "worker = { steps = [\"acquire mode=read\", \"upgrade\"] }\n",
        &[
            "line 2 · design \"As written\" · worker W1, \"acquire mode=read\": lock main is no read-write lock.",
            "line 2 · design \"As written\" · worker W1, \"upgrade\": lock main is no read-write lock.",
        ],
    );
    says(
        "lock = { kind = \"semaphore\", replicas = 1, acquire = \"two-step\" }\n",
        &[
            "line 2 · lock.acquire: only a plain mutex is set and then given its end.",
            "line 2 · lock.replicas: copies of a semaphore are not built; a copy carries one holder.",
        ],
    );
    says(
        "lock.kind = \"semaphore\"\n[[design]]\nlock = { service = \"redlock\", permits = 2 }\n",
        &[
            "line 4 · design \"Design 1\" · lock.permits: redlock has none. Services with it: redis, consensus.",
            "note · lock.kind is not used: redlock has none.",
        ],
    );
}

#[test]
fn notes_and_warnings_do_not_stop_a_run() {
    says(
        "[[worker]]\nname = \"C1\"\n[[fault]]\npause = \"C1\"\nat = \"after C1 compare\"\nfor = \"1s\"\n\
         [[design]]\nname = \"Two calls\"\nlock.release_in = \"two-steps\"\n[[design]]\nname = \"One script\"\n",
        &["note · design \"One script\" · the point \"C1 compare\" does not occur; fault 1 does not strike."],
    );
    says(
        "[[worker]]\nclient.check_deadline = false\n[[design]]\nname = \"Careful\"\nclient.check_deadline = true\n",
        &["note · worker W1 sets client.check_deadline itself; design \"Careful\" cannot change it there."],
    );
    says(
        "worker = { steps = [\"acquire\", \"read\", \"work 25s\", \"write\", \"release\"] }\n",
        &["warning · W1 works 25s, ttl is 10s, nothing renews: the lease will end during the work."],
    );
    says(
        "worker = { steps = [\"acquire\", { loop = 3, steps = [\"work 4s\"] }, \"release\"] }\n",
        &["warning · W1 works 12s, ttl is 10s, nothing renews: the lease will end during the work."],
    );
    says(
        "client.renew_every = \"12s\"\nworker = { steps = [\"acquire\", \"work 25s\", \"release\"] }\n",
        &["warning · W1 renews every 12s, ttl is 10s: the lease ends before the first extension."],
    );
    says("client.renew_every = \"ttl/3\"\nworker = { steps = [\"acquire\", \"work 25s\", \"release\"] }\n", &[]);
    says(
        "clock.W1.rate = 0.7\n",
        &["warning · clock of W1 runs at 0.7: W1's 10s may last longer than L's 10s, by 4.285714 s."],
    );
    says(
        "resource.guard = \"fence\"\n",
        &["warning · resource.guard is fence, and lock.token is none: no write carries a token."],
    );
    says(
        "fault = { pause = \"W1\", at = \"70s\", for = \"1s\" }\n",
        &["warning · fault 1 begins after the end of the run at 1min."],
    );
    assert!(parse(&format!("{HEAD}clock.W1.rate = 0.7\n")).scenario.is_some());
}

#[test]
fn names_are_unique_free_and_lead_somewhere() {
    says(
        "worker = [{ name = \"A\" }, { name = \"A\" }]\n",
        &["line 2 · worker A · there are two workers \"A\". Give one another name."],
    );
    says(
        "worker = { name = \"lock\" }\n",
        &["line 2 · worker · \"lock\" stands for a group, so no worker can have that name."],
    );
    says(
        "worker = { name = \"L\" }\n",
        &["line 2 · \"L\" is a worker and a lock server. Give one of them another name."],
    );
    says(
        "worker = { steps = [\"acquire other\", \"read R.x\", \"release\"] }\n",
        &[
            "line 2 · worker W1 · \"acquire other\": there is no lock \"other\". Locks: main.",
            "line 2 · worker W1 · \"read R.x\": there is no shard \"R.x\". There is R.",
        ],
    );
    says(
        "resource.shards = [\"a\", \"b\"]\n",
        &[
            "line 2 · worker W1 · \"read\": R has the shards a, b. Say which: R.a.",
            "line 2 · worker W1 · \"write\": R has the shards a, b. Say which: R.a.",
        ],
    );
    says(
        "expect.instants = [\"W2 grant never\"]\nexpect.ends = { W3 = \"done\" }\n",
        &[
            "line 2 · expect · instants: there is no worker \"W2\". Workers: W1.",
            "line 3 · expect · ends: there is no worker \"W3\". Workers: W1.",
        ],
    );
    says("lesson.design = \"X\"\n", &["line 2 · lesson.design · there is no design \"X\". Designs: As written."]);
    says(
        "sweep.axes = { \"fault.gc.for\" = \"1s\", \"lock.tll\" = \"1s\" }\n",
        &[
            "line 2 · sweep.axes · \"lock.tll\" is no path of a key. Write \"lock.ttl\" or \"fault.gc.for\".",
            "line 2 · sweep.axes · fault.gc.for: there is no fault \"gc\".",
        ],
    );
    // A mistake in a worker's name is not repeated by everything that names it.
    says(
        "worker = [{ name = \"1\" }]\nfault = { pause = \"A\" }\n",
        &[
            "line 2 · worker 1 · name: \"1\" is no name. A name is a letter, then letters, digits, - or _, at most 40 of them.",
        ],
    );
}

#[test]
fn limits_are_said_and_cost_nothing() {
    says("worker = { count = 10000 }\n", &["line 2 · worker · 10000 workers; a scenario has at most 64."]);
    says(
        "worker = { count = 9223372036854775807 }\n",
        &["line 2 · worker · 9223372036854775807 workers; a scenario has at most 64."],
    );
    let many = |n: usize, one: &str| vec![one; n].join(", ");
    says(
        &format!("fault = [{}]\n", many(201, "{ pause = \"W1\" }")),
        &["line 2 · fault · 201 faults; a scenario has at most 200."],
    );
    says(&format!("design = [{}]\n", many(13, "{}")), &["line 2 · design · 13 designs; a scenario has at most 12."]);
    says(
        &format!("worker = {{ steps = [{}] }}\n", many(1_001, "\"read\"")),
        &["line 2 · worker W1 · more than 1000 steps in all; a scenario has at most 1000."],
    );
    assert_eq!(
        parse(&"x".repeat(10_000_000)).diagnostics[0].to_string(),
        "The text is 9.5 MiB long; a scenario has at most 64 KiB."
    );
}

#[test]
fn a_long_list_of_mistakes_is_cut_and_counted() {
    let text: String = (0..1_000).map(|i| format!("k{i} = 1\n")).collect();
    let said = said(&text);
    assert_eq!(said.len(), 201);
    assert_eq!(said[200], "and 800 more like these.");
}

#[test]
fn programs_that_never_let_time_go_by_are_refused() {
    let expected =
        "line 2 · worker W1 · steps: some of them repeat without taking any time. Put a wait into the block.";
    for steps in [
        "[{ loop = \"forever\", steps = [\"check\"] }]",
        "[{ loop = \"forever\", steps = [\"release\", \"work 0s\"] }]",
        "[{ loop = 1000, steps = [{ loop = 1000, steps = [\"check\"] }] }]",
    ] {
        says(&format!("worker = {{ steps = {steps} }}\n"), &[expected]);
    }
    says("worker = { steps = [\"check\"], rounds = 1000000 }\n", &[expected]);
    says("worker = { steps = [{ loop = \"forever\", steps = [\"check\", \"wait 1ms\"] }] }\n", &[]);
    says("worker = { every = \"0s\" }\n", &["line 2 · worker W1 · every: rounds need a grid above 0s."]);
    says(
        "client.renew_every = \"0s\"\n",
        &["line 2 · client.renew_every: W1 would extend without end; it needs a length above 0s."],
    );
}

#[test]
fn json_names_paths_instead_of_lines() {
    let parsed = parse(r#"{"schema":"fencepost.scenario/1","lock":{"ttl":10},"worker":[{"deadline_check":true}]}"#);
    let said: Vec<String> = parsed.diagnostics.iter().map(Diagnostic::to_string).collect();
    assert_eq!(
        said,
        [
            "worker.0.deadline_check · worker W1 · unknown key \"deadline_check\". Did you mean client.check_deadline?",
            "lock.ttl · 10 has no unit. Write \"10s\" or \"10ms\".",
        ]
    );
}

#[test]
fn the_order_is_from_letters_to_meaning() {
    says(
        "fault = [{ pause = \"W1\", crash = \"W1\" }, { pause = \"W9\" }]\nlock.ttl = 10\nlock.tll = \"1s\"\nworker = { steps = [\"nap\"] }\n",
        &[
            "line 4 · lock · unknown key \"tll\". Did you mean lock.ttl?",
            "line 3 · lock.ttl · 10 has no unit. Write \"10s\" or \"10ms\".",
            "line 2 · fault 2 · there is no \"W9\". There are W1, L, R, and the groups workers, resources, lock, lock-node.",
            "line 5 · worker W1 · step 1: there is no step \"nap\". Steps begin with acquire, renew, release, abandon, upgrade, \
             downgrade, check, activate, read, write, delete, call, issue, begin, commit, work, wait, reap, break, hand, receive, stop.",
            "line 2 · fault 1 · has two verbs, pause and crash. Split it.",
        ],
    );
}

#[test]
fn the_schema_line_says_the_version() {
    for (text, says) in [
        ("title = \"x\"\n", "schema · is missing. Begin with schema = \"fencepost.scenario/1\"."),
        (
            "schema = \"fencepost.scenario/2\"\n",
            "line 1 · schema · this version reads \"fencepost.scenario/1\", not \"fencepost.scenario/2\".",
        ),
        ("schema = 1\n", "line 1 · schema · write schema = \"fencepost.scenario/1\"."),
        ("", "schema · is missing. Begin with schema = \"fencepost.scenario/1\"."),
        ("a = \"x", "line 1 · a text is not closed: its last quote is missing."),
    ] {
        let parsed = parse(text);
        assert_eq!(parsed.diagnostics[0].to_string(), says);
        assert_eq!(parsed.diagnostics[0].severity, Severity::Error);
        assert!(parsed.scenario.is_none());
    }
}

#[test]
fn values_that_stand_in_each_others_way_are_told() {
    says(
        "client.patience = \"1s\"\nclient.retry = \"2s\"\n",
        &[
            "warning · W1 gives up after 1s and would try again after 2s: it asks once. Make client.retry shorter than client.patience.",
        ],
    );
    says(
        "client.renew_every = \"6s\"\n",
        &[
            "note · W1 renews every 6s, ttl is 10s: after one lost extension the next comes too late. Half of the ttl or less leaves room.",
        ],
    );
    says("client.renew_every = \"ttl/3\"\n", &[]);
    says(
        "lock = { service = \"redlock\", quorum = 5.5 }\n",
        &[
            "warning · lock.quorum is 5.5, and there are 5 nodes: nobody is ever granted. Ask for fewer votes, or name more nodes.",
        ],
    );
    says("lock = { service = \"redlock\", quorum = 5 }\n", &[]);
    says(
        "design = [{ protection = \"fencing\" }, { name = \"B\", protection = \"safe-release\", lock.token = \"ordered\", resource.guard = \"fence\" }]\n",
        &[
            "note · design \"B\" · says the same as design \"Fencing at the resource\": every value is equal, so their runs are. \
             Change one, or remove it.",
        ],
    );
    says("design = [{ protection = \"fencing\" }, { protection = \"safe-release\" }]\n", &[]);
}
