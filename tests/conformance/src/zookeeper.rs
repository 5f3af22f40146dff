//! ZooKeeper as a server for tests: how to start it, how to ask it with words of four letters, and a line of sessions as its recipe makes one.
//!
//! An entry is an ephemeral sequential node below the lock's. The lowest owns; everybody else watches the next lower one.

use crate::line::{Answer, Entry, LOCKS, Session};
use crate::lines::Store;
use crate::server::{self, Recipe, Server};
use crate::zk_wire::{Connection, EPHEMERAL_SEQUENTIAL, Error, NO_NODE, PERSISTENT, Pass, SESSION_EXPIRED};
use fencepost::protocol::params::FindEntry;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::Duration;

/// Where Debian's package `zookeeper` puts what Java needs.
const CLASSES: &str = "/etc/zookeeper/conf:/usr/share/java/zookeeper.jar";

/// The length of a tick: ends of sessions are noticed so often.
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
        "maxSessionTimeout=600000".to_owned(),
        "maxClientCnxns=0".to_owned(),
        "admin.enableServer=false".to_owned(),
        "4lw.commands.whitelist=*".to_owned(),
    ];
    fs::write(&configuration, lines.join("\n")).expect("a configuration in a folder of ours");
    let main = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
    let configuration = configuration.to_string_lossy();
    // Empty containers are looked for often.
    ["-Xmx64m", "-Dznode.container.checkIntervalMs=200", "-cp", CLASSES, main, &configuration]
        .map(str::to_owned)
        .to_vec()
}

/// It listens before it serves, and says so.
fn answers(ports: &[u16], _: u32) -> bool {
    ask(ports[0], "srvr").is_ok_and(|it| it.starts_with("Zookeeper version"))
}

/// From its answer to `srvr`.
pub fn version(port: u16) -> String {
    let about = ask(port, "srvr").expect("it has just answered");
    let word = about.split([' ', '-', ',']).find(|it| it.starts_with(|letter: char| letter.is_ascii_digit()));
    word.unwrap_or("?").to_owned()
}

// --- a line of sessions -----------------------------------------------------------------------------------------------

pub struct ZooKeeper {
    server: Server,
    find: FindEntry,
    /// A session of its own, to look without giving a sign of life for anybody.
    looker: Connection,
    open: BTreeMap<Session, Connection>,
    /// All that were ever opened.
    passes: BTreeMap<Session, Pass>,
    /// Paths of entries, by name.
    paths: BTreeMap<u32, String>,
    /// Whose entry waits for the end of this path.
    watched: BTreeMap<String, u32>,
    /// A folder for each sequence.
    round: u32,
}

const LOOKER_MS: i32 = 600_000;

impl ZooKeeper {
    /// `find`: whether a client looks for an entry that it may have made already, by a name of its own in the node's name.
    pub fn start(find: FindEntry) -> ZooKeeper {
        let server = Server::start(recipe(), &[]);
        let looker = Connection::open(server.port(0), LOOKER_MS).expect("it has just answered");
        let (open, passes, paths, watched) = Default::default();
        ZooKeeper { server, find, looker, open, passes, paths, watched, round: 0 }
    }

    pub fn port(&self) -> u16 {
        self.server.port(0)
    }

    fn folder(&self, lock: u8) -> String {
        format!("/locks-{}-{lock}", self.round)
    }

    fn data(&self) -> String {
        format!("/data-{}", self.round)
    }

    /// The nodes below a lock's, lowest first.
    fn children(&mut self, lock: u8) -> Vec<String> {
        let folder = self.folder(lock);
        let mut names = self.looker.children(&folder).expect("the lock's node");
        names.sort_by_key(|it| suffix(it));
        names.iter().map(|it| format!("{folder}/{it}")).collect()
    }

    /// Where this node stands; who waits watches the next lower one.
    fn place(&mut self, lock: u8, session: Session, path: &str) -> Answer {
        let all = self.children(lock);
        let name = self.name_of(path);
        self.watched.retain(|_, waits| *waits != name);
        match all.iter().position(|it| it == path) {
            None => Answer::Over,
            Some(0) => Answer::First,
            Some(place) => {
                let before = &all[place - 1];
                let own = self.open.get_mut(&session).expect("it has an entry");
                let owner = own.exists(before, true).expect("it has just been listed").owner;
                self.watched.insert(before.clone(), name);
                Answer::Behind(self.session_of(owner))
            }
        }
    }

    fn session_of(&self, id: i64) -> Session {
        *self.passes.iter().find(|it| it.1.id == id).expect("a session of ours").0
    }

    fn name_of(&self, path: &str) -> u32 {
        *self.paths.iter().find(|it| it.1 == path).expect("a path of ours").0
    }
}

impl Store for ZooKeeper {
    fn name(&self) -> String {
        format!("ZooKeeper {}", version(self.port()))
    }

    fn find(&self) -> FindEntry {
        self.find
    }

    fn clear(&mut self) {
        for connection in std::mem::take(&mut self.open).into_values() {
            let _ = connection.close();
        }
        self.passes.clear();
        self.paths.clear();
        self.watched.clear();
        self.round += 1;
        let nodes: Vec<String> = (0..LOCKS).map(|lock| self.folder(lock)).chain([self.data()]).collect();
        for folder in nodes {
            self.looker.create(&folder, PERSISTENT).expect("a new node");
        }
    }

    fn open(&mut self, session: Session, ttl_ms: i64) {
        let ttl_ms = i32::try_from(ttl_ms).expect("not that long");
        let connection = Connection::open(self.port(), ttl_ms).expect("a new session");
        assert_eq!(connection.timeout_ms(), ttl_ms, "what was asked for is what it gets");
        self.passes.insert(session, connection.pass.clone());
        self.open.insert(session, connection);
    }

    fn enter(&mut self, lock: u8, session: Session, name: u32) -> Answer {
        let folder = self.folder(lock);
        if !self.open.contains_key(&session) {
            // It is over; whoever comes back with it is told so.
            let again = Connection::again(self.port(), self.passes[&session].clone());
            let Err(Error::Code(SESSION_EXPIRED)) = again.map(|_| ()) else {
                panic!("session {session} is still there")
            };
            return Answer::Over;
        }
        let own = format!("name-{name}-");
        let known = self.children(lock).into_iter().find(|it| self.find == FindEntry::ByName && it.contains(&own));
        let path = known.unwrap_or_else(|| {
            let connection = self.open.get_mut(&session).expect("it is open");
            let (path, stat) = connection.create(&format!("{folder}/{own}"), EPHEMERAL_SEQUENTIAL).expect("a new node");
            assert_eq!(stat.version, 0, "data that nobody has changed");
            path
        });
        self.paths.insert(name, path.clone());
        self.place(lock, session, &path)
    }

    fn leave(&mut self, _: u8, session: Session, name: u32) -> Answer {
        let Some(path) = self.paths.get(&name) else { return Answer::No };
        let connection = self.open.get_mut(&session).expect("a session that is alive");
        let left = connection.delete(path);
        self.watched.retain(|_, waits| *waits != name);
        match left {
            Ok(()) => Answer::Yes,
            Err(Error::Code(NO_NODE)) => Answer::No,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn look(&mut self, lock: u8, session: Session, name: u32) -> Answer {
        let Some(path) = self.paths.get(&name).cloned() else { return Answer::Over };
        self.place(lock, session, &path)
    }

    fn guarded(&mut self, _: u8, session: Session, name: u32) -> bool {
        let Some(path) = self.paths.get(&name).cloned() else { return false };
        let data = self.data();
        let connection = self.open.get_mut(&session).expect("a session that is alive");
        match connection.check_and_set(&path, 0, &data) {
            Ok(()) => true,
            Err(Error::Code(NO_NODE)) => false,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn break_first(&mut self, lock: u8) -> Answer {
        let Some(first) = self.children(lock).into_iter().next() else { return Answer::No };
        self.looker.delete(&first).expect("it has just been listed");
        Answer::Yes
    }

    fn end(&mut self, session: Session) {
        let connection = self.open.remove(&session).expect("a session that is alive");
        connection.close().expect("in good order");
    }

    fn ping(&mut self, session: Session) -> bool {
        self.open.get_mut(&session).is_some_and(|it| it.ping().is_ok())
    }

    fn is_over(&mut self, session: Session) -> bool {
        let id = format!("0x{:x}", self.passes[&session].id);
        let over = !ask(self.port(), "dump").expect("a word that it knows").split_whitespace().any(|it| it == id);
        if over {
            self.open.remove(&session);
        }
        over
    }

    fn line(&mut self, lock: u8) -> Vec<(Entry, u64)> {
        let mut line = Vec::new();
        for path in self.children(lock) {
            let stat = self.looker.exists(&path, false).expect("it has just been listed");
            let number = u64::try_from(stat.czxid).expect("a number of a change");
            line.push((Entry { session: self.session_of(stat.owner), name: self.name_of(&path) }, number));
        }
        line
    }

    fn told(&mut self) -> Option<Vec<u32>> {
        let mut told = Vec::new();
        for connection in self.open.values_mut() {
            // What was told before this is answered has come before the answer.
            let _ = connection.exists("/", false);
            for path in connection.deleted.drain(..) {
                told.extend(self.watched.remove(&path));
            }
        }
        Some(told)
    }

    fn restart(&mut self) -> bool {
        self.server.restart();
        let port = self.port();
        self.looker = Connection::again(port, self.looker.pass.clone()).expect("a session that lasts");
        let open: Vec<Session> = self.open.keys().copied().collect();
        open.into_iter().all(|session| match Connection::again(port, self.passes[&session].clone()) {
            Ok(connection) => self.open.insert(session, connection).is_some(),
            Err(Error::Code(SESSION_EXPIRED)) => false,
            Err(error) => panic!("{error:?}"),
        })
    }
}

/// The number that the server puts at the end of a sequential node's name.
pub fn suffix(name: &str) -> u32 {
    name[name.len() - 10..].parse().expect("a sequential node")
}
