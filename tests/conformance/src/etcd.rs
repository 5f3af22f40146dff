//! etcd as a server for tests: how to start it, and how to ask it in JSON.
//!
//! No model is held against it yet.

use crate::server::{self, Recipe};
use std::path::Path;

/// One member. Its program is `etcd`, or the one in `FENCEPOST_ETCD`.
pub fn recipe() -> Recipe {
    Recipe { name: "etcd", program: server::program("FENCEPOST_ETCD", "etcd"), ports: 2, arguments, answers }
}

/// The answer of the JSON gateway at this path below `/v3/`. Keys and values in it are in base 64, and numbers are texts.
pub fn ask(port: u16, path: &str, request: &serde_json::Value) -> serde_json::Value {
    let url = format!("http://127.0.0.1:{port}/v3/{path}");
    let answer = ureq::post(&url).send_json(request).and_then(|mut it| it.body_mut().read_json());
    answer.unwrap_or_else(|error| panic!("{path} {request}: {error}"))
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
