//! ZooKeeper as a server for tests: how to start it, and how to ask it with words of four letters.
//!
//! No model is held against it yet; one will need a client with sessions.

use crate::server::{self, Recipe};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::Duration;

/// Where Debian's package `zookeeper` puts what Java needs.
const CLASSES: &str = "/etc/zookeeper/conf:/usr/share/java/zookeeper.jar";

/// The length of a tick. A session lasts between 2 and 20 of them.
pub const TICK_MS: u32 = 100;

/// One server alone. Its program is `java`, or the one in `FENCEPOST_JAVA`.
pub fn recipe() -> Recipe {
    Recipe { name: "zookeeper", program: server::program("FENCEPOST_JAVA", "java"), ports: 1, arguments, answers }
}

/// The answer to one of its administrative words, such as `srvr`.
pub fn ask(port: u16, word: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(word.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn arguments(folder: &Path, ports: &[u16]) -> Vec<String> {
    let configuration = folder.join("zoo.cfg");
    let lines = [
        format!("tickTime={TICK_MS}"),
        format!("dataDir={}", folder.join("data").display()),
        format!("clientPort={}", ports[0]),
        "clientPortAddress=127.0.0.1".to_owned(),
        "admin.enableServer=false".to_owned(),
        "4lw.commands.whitelist=*".to_owned(),
    ];
    fs::write(&configuration, lines.join("\n")).expect("a configuration in a folder of ours");
    let main = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    let configuration = configuration.to_string_lossy();
    ["-Xmx64m", "-cp", CLASSES, main, &configuration].map(str::to_owned).to_vec()
}

/// It listens before it serves, and says so.
fn answers(ports: &[u16], _: u32) -> bool {
    ask(ports[0], "srvr").is_ok_and(|it| it.starts_with("Zookeeper version"))
}
