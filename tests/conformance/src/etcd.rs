//! etcd as a server for tests: how to start it, how to ask it in JSON, and a line of sessions as its package `concurrency` makes one.
//!
//! A session is a lease; an entry is a key below the lock's prefix that is named by the lease and bound to it. The oldest key by its
//! create-revision owns.

use crate::line::{Answer, Entry, LOCKS, Session};
use crate::lines::Store;
use crate::server::{self, Recipe, Server};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fencepost::protocol::params::FindEntry;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use ureq::Agent;

/// One member. Its program is `etcd`, or the one in `FENCEPOST_ETCD`.
pub fn recipe() -> Recipe {
    Recipe { name: "etcd", program: server::program("FENCEPOST_ETCD", "etcd"), ports: 2, arguments, answers }
}

/// The answer of the JSON gateway at this path below `/v3/`. Keys and values in it are in base 64, and numbers are texts.
pub fn ask(port: u16, path: &str, request: &Value) -> Value {
    let agent = agent();
    try_ask(&agent, port, path, request).unwrap_or_else(|error| panic!("{path} {request}: {error}"))
}

fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).build().into()
}

/// The same; the error is what the server says.
fn try_ask(agent: &Agent, port: u16, path: &str, request: &Value) -> Result<Value, String> {
    let url = format!("http://127.0.0.1:{port}/v3/{path}");
    let mut answer = agent.post(&url).send_json(request).map_err(|error| error.to_string())?;
    let is_well = answer.status().is_success();
    let body: Value = answer.body_mut().read_json().map_err(|error| error.to_string())?;
    if is_well { Ok(body) } else { Err(body.to_string()) }
}

fn arguments(folder: &Path, ports: &[u16]) -> Vec<String> {
    let [clients, peers] = [ports[0], ports[1]].map(|port| format!("http://127.0.0.1:{port}"));
    let pairs = [
        ("--data-dir", folder.join("data").to_string_lossy().into_owned()),
        ("--listen-client-urls", clients.clone()),
        ("--advertise-client-urls", clients),
        ("--listen-peer-urls", peers.clone()),
        ("--initial-advertise-peer-urls", peers.clone()),
        ("--initial-cluster", format!("default={peers}")),
    ];
    pairs.into_iter().flat_map(|(key, value)| [key.to_owned(), value]).collect()
}

/// Healthy means that it has a leader, itself.
fn answers(ports: &[u16], _: u32) -> bool {
    let health = ureq::get(format!("http://127.0.0.1:{}/health", ports[0])).call();
    health.and_then(|mut it| it.body_mut().read_to_string()).is_ok_and(|it| it.contains("true"))
}

// --- a line of sessions -----------------------------------------------------------------------------------------------

pub struct Etcd {
    server: Server,
    agent: Agent,
    version: String,
    /// Leases of sessions, those that are over included.
    leases: BTreeMap<Session, String>,
    /// Create-revisions of entries, as their clients know them.
    revisions: BTreeMap<u32, String>,
}

/// One key, as a look at it shows it.
struct Kv {
    lease: String,
    name: u32,
    revision: u64,
}

impl Etcd {
    pub fn start() -> Etcd {
        // Leases may be as short as one and a half elections.
        let server = Server::start(recipe(), &["--heartbeat-interval", "100", "--election-timeout", "1000"]);
        let url = format!("http://127.0.0.1:{}/version", server.port(0));
        let about: Value = ureq::get(url).call().and_then(|mut it| it.body_mut().read_json()).expect("a version");
        let version = about["etcdserver"].as_str().expect("a version").to_owned();
        Etcd { server, agent: agent(), version, leases: BTreeMap::new(), revisions: BTreeMap::new() }
    }

    pub fn port(&self) -> u16 {
        self.server.port(0)
    }

    /// Where files may be put that are gone with the server.
    pub fn folder(&self) -> &Path {
        self.server.folder()
    }

    /// How many stand in line for the lock of this name, as etcd's own client names it.
    pub fn in_line(&self, lock: &str) -> usize {
        let looked = self.ask("kv/range", &with(below(&format!("{lock}/")), json!({ "count_only": true })));
        looked["count"].as_str().map_or(0, |it| it.parse().expect("a number"))
    }

    fn ask(&self, path: &str, request: &Value) -> Value {
        self.try_ask(path, request).unwrap_or_else(|error| panic!("{path} {request}: {error}"))
    }

    fn try_ask(&self, path: &str, request: &Value) -> Result<Value, String> {
        try_ask(&self.agent, self.server.port(0), path, request)
    }

    fn key(&self, lock: u8, session: Session) -> String {
        let lease = self.leases.get(&session).map_or("0", String::as_str);
        encode(&format!("{}{lease}", prefix(lock)))
    }

    /// All keys of a lock, oldest first.
    fn keys(&self, lock: u8) -> Vec<Kv> {
        let range = below(&prefix(lock));
        self.ask("kv/range", &with(range, json!({ "sort_target": "CREATE", "sort_order": "ASCEND" })))["kvs"]
            .as_array()
            .map_or_else(Vec::new, |kvs| kvs.iter().map(kv).collect())
    }

    /// Where the entry of this session stands.
    fn place(&self, lock: u8, session: Session) -> Answer {
        let keys = self.keys(lock);
        let own = &self.leases[&session];
        match keys.iter().position(|it| it.lease == *own) {
            None => Answer::Over,
            Some(0) => Answer::First,
            Some(place) => Answer::Behind(self.session_of(&keys[place - 1].lease)),
        }
    }

    fn session_of(&self, lease: &str) -> Session {
        *self.leases.iter().find(|it| it.1 == lease).expect("a lease of ours").0
    }
}

impl Store for Etcd {
    fn name(&self) -> String {
        format!("etcd {}", self.version)
    }

    fn find(&self) -> FindEntry {
        FindEntry::BySession
    }

    fn clear(&mut self) {
        for lease in std::mem::take(&mut self.leases).into_values() {
            let _ = self.try_ask("lease/revoke", &json!({ "ID": lease }));
        }
        self.revisions.clear();
        for lock in 0..LOCKS {
            assert!(self.keys(lock).is_empty(), "a key that is bound to no lease");
        }
    }

    fn open(&mut self, session: Session, ttl_ms: i64) {
        let granted = self.ask("lease/grant", &json!({ "TTL": ttl_ms / 1_000 }));
        assert_eq!(granted["TTL"], (ttl_ms / 1_000).to_string());
        self.leases.insert(session, granted["ID"].as_str().expect("an id").to_owned());
    }

    fn enter(&mut self, lock: u8, session: Session, name: u32) -> Answer {
        let key = self.key(lock, session);
        let value = encode(&name.to_string());
        let transaction = json!({
            "compare": [{ "target": "CREATE", "key": key, "create_revision": "0" }],
            "success": [{ "request_put": { "key": key, "value": value, "lease": self.leases[&session] } }],
            "failure": [{ "request_range": { "key": key } }],
        });
        match self.try_ask("kv/txn", &transaction) {
            Ok(answer) => {
                if answer["succeeded"] == true {
                    self.revisions.insert(name, answer["header"]["revision"].as_str().expect("a revision").to_owned());
                }
                self.place(lock, session)
            }
            Err(error) => {
                assert!(error.contains("requested lease not found"), "{error}");
                Answer::Over
            }
        }
    }

    fn leave(&mut self, lock: u8, session: Session, _: u32) -> Answer {
        let deleted = self.ask("kv/deleterange", &json!({ "key": self.key(lock, session) }));
        if deleted["deleted"] == "1" { Answer::Yes } else { Answer::No }
    }

    fn look(&mut self, lock: u8, session: Session, _: u32) -> Answer {
        self.place(lock, session)
    }

    fn guarded(&mut self, lock: u8, session: Session, name: u32) -> bool {
        // Whoever has no entry has no revision either; 0 would mean that there must be none.
        let revision = self.revisions.get(&name).map_or("1", String::as_str);
        let transaction = json!({
            "compare": [{ "target": "CREATE", "key": self.key(lock, session), "create_revision": revision }],
            "success": [{ "request_put": { "key": encode("data"), "value": encode(&name.to_string()) } }],
        });
        self.ask("kv/txn", &transaction)["succeeded"] == true
    }

    fn break_first(&mut self, lock: u8) -> Answer {
        let Some(first) = self.keys(lock).into_iter().next() else { return Answer::No };
        let session = self.session_of(&first.lease);
        self.leave(lock, session, first.name)
    }

    fn end(&mut self, session: Session) {
        self.ask("lease/revoke", &json!({ "ID": self.leases[&session] }));
    }

    fn ping(&mut self, session: Session) -> bool {
        let answer = self.ask("lease/keepalive", &json!({ "ID": self.leases[&session] }));
        // A lease that is over has none left.
        answer["result"]["TTL"].as_str().is_some_and(|it| it != "0")
    }

    fn is_over(&mut self, session: Session) -> bool {
        let left = self.ask("lease/timetolive", &json!({ "ID": self.leases[&session] }));
        left["TTL"] == "-1"
    }

    fn line(&mut self, lock: u8) -> Vec<(Entry, u64)> {
        let entry = |it: &Kv| (Entry { session: self.session_of(&it.lease), name: it.name }, it.revision);
        self.keys(lock).iter().map(entry).collect()
    }

    fn told(&mut self) -> Option<Vec<u32>> {
        None
    }

    fn restart(&mut self) -> bool {
        self.server.restart();
        self.agent = agent();
        true
    }
}

fn prefix(lock: u8) -> String {
    format!("lock-{lock}/")
}

/// A range of all keys that begin like this.
fn below(prefix: &str) -> Value {
    let mut end = prefix.as_bytes().to_vec();
    *end.last_mut().expect("not empty") += 1;
    json!({ "key": encode(prefix), "range_end": STANDARD.encode(end) })
}

fn with(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

fn kv(kv: &Value) -> Kv {
    let text = |name: &str| decode(kv[name].as_str().unwrap_or_default());
    let key = text("key");
    let lease = key.split_once('/').expect("a prefix").1.to_owned();
    let revision = kv["create_revision"].as_str().and_then(|it| it.parse().ok()).expect("a revision");
    Kv { lease, name: text("value").parse().expect("a number"), revision }
}

fn encode(text: &str) -> String {
    STANDARD.encode(text)
}

fn decode(text: &str) -> String {
    let bytes = STANDARD.decode(text).expect("base 64");
    String::from_utf8(bytes).expect("a text of ours")
}
