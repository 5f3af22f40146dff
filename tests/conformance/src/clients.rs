//! Real clients of Redlock, as people use them: the crate `rslock`, and the npm package `redlock` in a process of Node.js.
//!
//! What a client does of its own accord is left as it is. Set are the number of tries, a short wait between them, and for Node.js the limit
//! for one server, which its Redis library does not have by itself.

use crate::votes::{Case, Client, Request};
use rslock::{Lock, LockError, LockManager};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// The longest wait between two tries, ms. Who waits when is not compared.
const RETRY_MS: u32 = 60;

/// What the client made of an acquisition.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Acquired {
    /// From where it counts, it believes in a lease of at least and at most so many milliseconds.
    Granted {
        at_least_ms: i64,
        at_most_ms: i64,
    },
    Refused,
    Late,
}

/// One lock of a group.
pub struct Wanted<'a> {
    pub key: &'a str,
    pub case: Case,
}

pub trait RealClient {
    fn client(&self) -> Client;

    fn version(&self) -> String;

    /// New connections, all in use once: every script is at every server. The answer is the order in which scripts were first used.
    fn connect(&mut self, ports: &[u16], node_timeout_ms: u32, key: &str) -> Vec<Request>;

    /// All at once; each has as many tries as its case says.
    fn acquire(&mut self, wanted: &[Wanted]) -> Vec<Acquired>;

    /// For each of those that were granted. `None`: it was not.
    fn extend(&mut self, wanted: &[Wanted], tries: u32) -> Vec<Option<bool>>;

    /// One try for each of those that are still held.
    fn release(&mut self, wanted: &[Wanted]);
}

// --- rslock -----------------------------------------------------------------------------------------------------------

pub struct Rslock {
    runtime: Runtime,
    uris: Vec<String>,
    manager: LockManager,
    /// By place in the group.
    held: Vec<Option<Lock>>,
}

impl Rslock {
    pub fn start() -> Rslock {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let none: Vec<&str> = Vec::new();
        let manager = LockManager::new(none);
        Rslock { runtime: runtime.expect("a runtime"), uris: Vec::new(), manager, held: Vec::new() }
    }

    /// The same connections, and so many tries.
    fn with_tries(&self, tries: u32) -> LockManager {
        let mut manager = self.manager.clone();
        manager.set_retry(tries, Duration::from_millis(u64::from(RETRY_MS)));
        manager
    }
}

impl RealClient for Rslock {
    fn client(&self) -> Client {
        Client::Rslock
    }

    fn version(&self) -> String {
        // The crate does not tell; Cargo knows.
        let lock = include_str!("../../../Cargo.lock");
        let mut lines = lock.lines().skip_while(|line| *line != "name = \"rslock\"");
        let version = lines.nth(1).and_then(|line| line.split('"').nth(1)).expect("the version that is locked");
        format!("rslock {version}")
    }

    fn connect(&mut self, ports: &[u16], node_timeout_ms: u32, key: &str) -> Vec<Request> {
        assert_eq!(
            node_timeout_ms,
            Client::Rslock.node_timeout_ms(),
            "its Redis library's own limit cannot be changed"
        );
        self.uris = ports.iter().map(|port| format!("redis://127.0.0.1:{port}/")).collect();
        self.manager = self.runtime.block_on(async { LockManager::new(self.uris.clone()) });
        let manager = self.with_tries(1);
        let ttl = Duration::from_secs(100);
        self.runtime.block_on(async {
            let lock = manager.lock(key, ttl).await.expect("everybody is up, and nobody holds it");
            let lock = manager.extend(&lock, ttl).await.expect("it is held");
            manager.unlock(&lock).await;
        });
        vec![Request::Extend, Request::Release]
    }

    fn acquire(&mut self, wanted: &[Wanted]) -> Vec<Acquired> {
        let tasks: Vec<_> = wanted
            .iter()
            .map(|it| {
                let manager = self.with_tries(it.case.attempts);
                let (key, ttl) = (it.key.to_owned(), Duration::from_millis(u64::from(it.case.ttl_ms)));
                self.runtime.spawn(async move {
                    let start = Instant::now();
                    let outcome = manager.lock(&*key, ttl).await;
                    (outcome, start.elapsed())
                })
            })
            .collect();
        self.held.clear();
        let mut acquired = Vec::new();
        for task in tasks {
            let (outcome, took) = self.runtime.block_on(task).expect("it does not panic");
            let (lock, it) = match outcome {
                Ok(lock) => {
                    let valid_ms = i64::try_from(lock.validity_time).expect("not that long");
                    let took_ms = i64::try_from(took.as_millis()).expect("not that long");
                    // What is left, and what has passed since the call began: of that the last try took a part.
                    (Some(lock), Acquired::Granted { at_least_ms: valid_ms, at_most_ms: valid_ms + took_ms + 1 })
                }
                Err(LockError::TtlExceeded) => (None, Acquired::Late),
                Err(LockError::Unavailable) => (None, Acquired::Refused),
                Err(error) => panic!("{error}"),
            };
            self.held.push(lock);
            acquired.push(it);
        }
        acquired
    }

    fn extend(&mut self, wanted: &[Wanted], tries: u32) -> Vec<Option<bool>> {
        let manager = self.with_tries(tries);
        let one = |(lock, it): (Option<Lock>, &Wanted)| {
            let manager = manager.clone();
            let ttl = Duration::from_millis(u64::from(it.case.ttl_ms));
            self.runtime.spawn(async move { Some(manager.extend(&lock?, ttl).await) })
        };
        let tasks: Vec<_> = std::mem::take(&mut self.held).into_iter().zip(wanted).map(one).collect();
        let mut extended = Vec::new();
        for task in tasks {
            let outcome = self.runtime.block_on(task).expect("it does not panic");
            extended.push(outcome.as_ref().map(Result::is_ok));
            self.held.push(outcome.and_then(Result::ok));
        }
        extended
    }

    fn release(&mut self, _: &[Wanted]) {
        let manager = self.manager.clone();
        let held: Vec<Lock> = self.held.drain(..).flatten().collect();
        let tasks: Vec<_> = held
            .into_iter()
            .map(|lock| {
                let manager = manager.clone();
                self.runtime.spawn(async move { manager.unlock(&lock).await })
            })
            .collect();
        tasks.into_iter().for_each(|task| self.runtime.block_on(task).expect("it does not panic"));
    }
}

// --- node-redlock -----------------------------------------------------------------------------------------------------

const SCRIPT: &str = include_str!("node_redlock.js");

pub struct NodeRedlock {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    version: String,
    held: Vec<bool>,
}

impl NodeRedlock {
    pub fn start() -> NodeRedlock {
        let modules = std::env::var_os("FENCEPOST_NODE_MODULES").map(PathBuf::from);
        let modules = modules.expect(
            "FENCEPOST_NODE_MODULES names no folder with npm's packages redlock and ioredis: `cargo xtask test --only conformance` \
             installs them",
        );
        let about = std::fs::read_to_string(modules.join("redlock/package.json")).expect("npm's package redlock");
        let about: Value = serde_json::from_str(&about).expect("a package's description");
        let version = about["version"].as_str().expect("a version").trim_start_matches('v').to_owned();
        let mut child = Command::new("node")
            .args(["-e", SCRIPT])
            .env("NODE_PATH", &modules)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node.js");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        NodeRedlock { child, to, from, version, held: Vec::new() }
    }

    /// All at once; the answers are in the order of the questions.
    fn ask(&mut self, questions: Vec<Value>) -> Vec<Value> {
        let number = questions.len();
        for (id, mut question) in questions.into_iter().enumerate() {
            question["id"] = id.into();
            writeln!(self.to, "{question}").expect("Node.js listens");
        }
        let mut answers = vec![Value::Null; number];
        for _ in 0..number {
            let mut line = String::new();
            self.from.read_line(&mut line).expect("Node.js answers");
            let answer: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: `{line}`"));
            let id = answer["id"].as_u64().and_then(|id| usize::try_from(id).ok()).expect("the id of the question");
            answers[id] = answer;
        }
        answers
    }

    fn ask_held(&mut self, deed: &str, wanted: &[Wanted], tries: u32) -> Vec<Option<bool>> {
        let held: Vec<usize> = (0..wanted.len()).filter(|place| self.held[*place]).collect();
        let question = |place: &usize| {
            let Wanted { key, case } = &wanted[*place];
            json!({ "deed": deed, "key": key, "ttl": case.ttl_ms, "settings": settings(tries) })
        };
        let answers = self.ask(held.iter().map(question).collect());
        let mut outcome = vec![None; wanted.len()];
        for (place, answer) in held.iter().zip(answers) {
            outcome[*place] = answer["ok"].as_bool();
        }
        outcome
    }
}

impl RealClient for NodeRedlock {
    fn client(&self) -> Client {
        Client::NodeRedlock
    }

    fn version(&self) -> String {
        format!("node-redlock {}", self.version)
    }

    fn connect(&mut self, ports: &[u16], node_timeout_ms: u32, key: &str) -> Vec<Request> {
        let connect = json!({ "deed": "connect", "ports": ports, "timeout": node_timeout_ms });
        let once = |deed: &str| json!({ "deed": deed, "key": key, "ttl": 100_000, "settings": settings(1) });
        // One after another.
        for question in [connect, once("acquire"), once("extend"), once("release")] {
            let answer = self.ask(vec![question]).remove(0);
            assert_eq!(answer["ok"], true, "everybody is up, and nobody holds it: {answer}");
        }
        vec![Request::Acquire, Request::Extend, Request::Release]
    }

    fn acquire(&mut self, wanted: &[Wanted]) -> Vec<Acquired> {
        let question = |it: &Wanted| json!({ "deed": "acquire", "key": it.key, "ttl": it.case.ttl_ms, "settings": settings(it.case.attempts) });
        let answers = self.ask(wanted.iter().map(question).collect());
        let acquired = |it: &Value| {
            let number = |name: &str| it[name].as_i64().unwrap_or_else(|| panic!("{name}: {it}"));
            if it["ok"] == true {
                let end = number("expiration");
                Acquired::Granted { at_least_ms: end - number("after"), at_most_ms: end - number("before") }
            } else {
                assert!(it["error"].as_str().is_some_and(|it| it.starts_with("ExecutionError")), "{it}");
                Acquired::Refused
            }
        };
        let acquired: Vec<Acquired> = answers.iter().map(acquired).collect();
        self.held = acquired.iter().map(|it| matches!(it, Acquired::Granted { .. })).collect();
        acquired
    }

    fn extend(&mut self, wanted: &[Wanted], tries: u32) -> Vec<Option<bool>> {
        let extended = self.ask_held("extend", wanted, tries);
        self.held = extended.iter().map(|it| *it == Some(true)).collect();
        extended
    }

    fn release(&mut self, wanted: &[Wanted]) {
        // Too few records to delete are an error there; what was deleted is seen at the servers.
        self.ask_held("release", wanted, 1);
        self.held.clear();
    }
}

fn settings(tries: u32) -> Value {
    json!({ "retryCount": tries - 1, "retryDelay": RETRY_MS / 2, "retryJitter": RETRY_MS / 2 })
}

impl Drop for NodeRedlock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
