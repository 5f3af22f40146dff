//! Servers that no model is held against yet: that they start, answer, die and come back.
//!
//! They are not installed for the tests, and not part of a run, unless one asks: `cargo test -p conformance -- --ignored`.

use conformance::server::Server;
use conformance::{etcd, zookeeper};
use serde_json::{Value, json};

/// `lock` in base 64.
const LOCK: &str = "bG9jaw==";

/// Set if absent, bound to a lease: whether it was done, and the revision at which the standing record was created.
fn acquire(port: u16, lease: &Value) -> (bool, u64) {
    let look = json!({ "requestRange": { "key": LOCK } });
    let answer = etcd::ask(
        port,
        "kv/txn",
        &json!({
            "compare": [{ "target": "CREATE", "key": LOCK, "createRevision": "0" }],
            "success": [{ "requestPut": { "key": LOCK, "value": "", "lease": lease } }, look],
            "failure": [look],
        }),
    );
    let looked = answer["responses"].as_array().and_then(|it| it.last()).expect("a look in either case");
    let created = looked["response_range"]["kvs"][0]["create_revision"].as_str().and_then(|it| it.parse().ok());
    (answer["succeeded"] == true, created.expect("a record stands in either case"))
}

#[test]
#[ignore = "needs Debian's package etcd-server"]
fn etcd_keeps_a_record_and_its_revision_through_a_crash() {
    let mut server = Server::start(etcd::recipe(), &[]);
    let port = server.port(0);
    let grant = |ttl: u32| etcd::ask(port, "lease/grant", &json!({ "TTL": ttl }));
    // Shorter than an election may take, and so it is made longer.
    assert_eq!(grant(1)["TTL"], "2");
    let lease = grant(60);
    assert_eq!(lease["TTL"], "60");
    let (done, revision) = acquire(port, &lease["ID"]);
    assert!(done);
    assert_eq!(acquire(port, &lease["ID"]), (false, revision), "somebody has it");
    server.restart();
    assert_eq!(acquire(port, &lease["ID"]), (false, revision), "killed and back, with the record and its revision");
    etcd::ask(port, "lease/revoke", &json!({ "ID": lease["ID"] }));
    let (done, later) = acquire(port, &grant(60)["ID"]);
    assert!(done && later > revision, "the revision is an order of grants: {revision}, {later}");
}

#[test]
#[ignore = "needs Debian's package zookeeper"]
fn zookeeper_starts_and_comes_back() {
    let mut server = Server::start(zookeeper::recipe(), &[]);
    let srvr = || zookeeper::ask(server.port(0), "srvr").expect("it has just answered");
    assert!(srvr().contains("Mode: standalone"), "{}", srvr());
    server.restart();
    assert_eq!(zookeeper::ask(server.port(0), "ruok").expect("it has just answered"), "imok");
}
