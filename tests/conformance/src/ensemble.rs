//! The real side of a client of Redlock: five Redis servers that know nothing of each other, and what each of them is asked.
//!
//! `MONITOR` tells every command in the order in which a server carries it out, so that a request can be counted that the client itself
//! has long given up. A server that has been silent is looked at only when all that waited for it has been carried out.

use crate::redis;
use crate::server::{Server, wait_for};
use crate::votes::{NAMES, NODES, Reach, Record, Request};
use ::redis::{Connection, Value, cmd};
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The value of a record that is not the client's.
pub const FOREIGN: &str = "somebody else";

/// How long to wait for a command to be told. Generous: only a broken server takes so long.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Ensemble {
    nodes: Vec<Node>,
    pub version: String,
    markers: u32,
}

struct Node {
    server: Server,
    /// `None` while the process is gone.
    asked: Option<Asked>,
    told: Arc<Mutex<Vec<Vec<String>>>>,
}

struct Asked {
    connection: Connection,
}

impl Ensemble {
    pub fn start() -> Ensemble {
        let server = || Server::start(redis::recipe(), &["--appendonly", "no"]);
        let nodes: Vec<Node> =
            (0..NODES).map(|_| Node { server: server(), asked: None, told: Arc::default() }).collect();
        let mut ensemble = Ensemble { nodes, version: String::new(), markers: 0 };
        ensemble.nodes.iter_mut().for_each(Node::attach);
        ensemble.version = redis::version(ensemble.connection(0));
        ensemble
    }

    pub fn ports(&self) -> Vec<u16> {
        self.nodes.iter().map(|it| it.server.port(0)).collect()
    }

    /// All up and empty.
    pub fn clear(&mut self) {
        for node in &mut self.nodes {
            if !node.server.is_running() {
                node.server.restart();
                node.attach();
            }
        }
        for place in 0..NODES {
            cmd("FLUSHALL").exec(self.connection(place)).expect("FLUSHALL");
        }
        self.settle();
        self.nodes.iter().for_each(|it| it.lines().clear());
    }

    /// From here on a call finds the servers like this.
    pub fn set(&mut self, reach: &[Reach; NODES]) {
        for (node, reach) in self.nodes.iter_mut().zip(reach) {
            match reach {
                Reach::Up => {}
                Reach::Silent => node.server.pause(),
                Reach::Down if node.server.is_running() => {
                    node.asked = None;
                    node.server.kill();
                }
                Reach::Down => {}
            }
        }
    }

    /// Everybody who is there answers again, and has carried out what waited for them.
    pub fn answer(&mut self, reach: &[Reach; NODES]) {
        self.resume(reach);
        self.settle();
    }

    pub fn resume(&self, reach: &[Reach; NODES]) {
        for (node, reach) in self.nodes.iter().zip(reach) {
            if *reach == Reach::Silent {
                node.server.resume();
            }
        }
    }

    /// Waits until every server has told of a command that was sent after all else; several times, since a server that wakes up may take
    /// its connections in any order, and only so much from each.
    pub fn settle(&mut self) {
        for _ in 0..16 {
            self.markers += 1;
            let marker = format!("marker {}", self.markers);
            for place in 0..NODES {
                if self.nodes[place].asked.is_some() {
                    cmd("ECHO").arg(&marker).exec(self.connection(place)).expect("ECHO");
                }
            }
            for node in self.nodes.iter().filter(|it| it.asked.is_some()) {
                let is_told = || node.lines().iter().any(|words| words.get(1) == Some(&marker));
                wait_for("a command to be told", PATIENCE, is_told);
            }
        }
    }

    /// Waits until every server knows every script: a client may go on before the slowest has been told.
    pub fn knows(&mut self, learned: &Learned) {
        for place in 0..NODES {
            let mut ask = cmd("SCRIPT");
            ask.arg("EXISTS");
            learned.scripts.iter().for_each(|it| {
                ask.arg(&it.0);
            });
            let connection = self.connection(place);
            let knows_all = || ask.query::<Vec<u8>>(connection).expect("SCRIPT EXISTS").iter().all(|it| *it == 1);
            wait_for("the scripts to be known", PATIENCE, knows_all);
        }
    }

    /// Somebody else's record, on the servers whose bits are set.
    pub fn hold(&mut self, key: &str, servers: u8) {
        for place in places(servers) {
            cmd("SET").arg(key).arg(FOREIGN).exec(self.connection(place)).expect("SET");
        }
    }

    /// The record goes, whoever has it. Servers that are gone are left out.
    pub fn lose(&mut self, key: &str, servers: u8) {
        for place in places(servers) {
            if self.nodes[place].asked.is_some() {
                cmd("DEL").arg(key).exec(self.connection(place)).expect("DEL");
            }
        }
    }

    pub fn records(&mut self, key: &str) -> [Record; NODES] {
        std::array::from_fn(|place| {
            if self.nodes[place].asked.is_none() {
                return Record::Unseen;
            }
            match cmd("GET").arg(key).query::<Value>(self.connection(place)).expect("GET") {
                Value::Nil => Record::None,
                Value::BulkString(value) if value == FOREIGN.as_bytes() => Record::Foreign,
                Value::BulkString(_) => Record::Mine,
                other => panic!("a record is {other:?}"),
            }
        })
    }

    /// All commands about a key so far, in words, by server.
    pub fn commands(&self, key: &str) -> [Vec<Vec<String>>; NODES] {
        std::array::from_fn(|place| {
            let lines = self.nodes[place].lines();
            lines.iter().filter(|words| words.iter().any(|word| word == key)).cloned().collect()
        })
    }

    /// The requests about a key so far.
    pub fn requests(&self, key: &str, learned: &Learned) -> [Vec<Request>; NODES] {
        self.commands(key).map(|lines| learned.requests(&lines))
    }

    fn connection(&mut self, place: usize) -> &mut Connection {
        let name = NAMES[place];
        let asked = self.nodes[place].asked.as_mut();
        &mut asked.unwrap_or_else(|| panic!("server {name} is gone")).connection
    }
}

/// Which script does what.
#[derive(Clone, Debug)]
pub struct Learned {
    /// Digests of the scripts, with what they do.
    pub scripts: Vec<(String, Request)>,
}

impl Learned {
    /// From a key for which everything was done once in this order: a request for each script.
    pub fn from(ensemble: &Ensemble, key: &str, order: &[Request]) -> Learned {
        let mut digests: Vec<String> = Vec::new();
        // A client that goes on at a majority may be ahead of this server.
        wait_for("every script to be used", PATIENCE, || {
            for words in &ensemble.commands(key)[0] {
                if words[0].eq_ignore_ascii_case("EVALSHA") && !digests.contains(&words[1]) {
                    digests.push(words[1].clone());
                }
            }
            digests.len() == order.len()
        });
        Learned { scripts: digests.into_iter().zip(order.iter().copied()).collect() }
    }

    pub fn requests(&self, commands: &[Vec<String>]) -> Vec<Request> {
        commands.iter().filter_map(|words| self.request(words)).collect()
    }

    fn request(&self, words: &[String]) -> Option<Request> {
        match words[0].to_ascii_uppercase().as_str() {
            "SET" if words.get(2).is_some_and(|value| value == FOREIGN) => None,
            "SET" => Some(Request::Acquire),
            "EVALSHA" => {
                let script = self.scripts.iter().find(|it| it.0 == words[1]);
                Some(script.unwrap_or_else(|| panic!("an unknown script: {words:?}")).1)
            }
            "EVAL" => panic!("a script that has been there: {words:?}"),
            _ => None,
        }
    }
}

impl Node {
    /// Connects, and listens to all that the server is asked.
    fn attach(&mut self) {
        let port = self.server.port(0);
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("it has just answered");
        stream.write_all(b"MONITOR\r\n").expect("it has just answered");
        let mut lines = BufReader::new(stream);
        let mut first = String::new();
        lines.read_line(&mut first).expect("an answer");
        assert_eq!(first.trim(), "+OK");
        let told = self.told.clone();
        thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                // What a script does is its own business.
                if !line.contains(" lua] ") {
                    told.lock().expect("nobody panics with it").push(words(&line));
                }
            }
        });
        self.asked = Some(Asked { connection: redis::connect(port).expect("it has just answered") });
    }

    fn lines(&self) -> std::sync::MutexGuard<'_, Vec<Vec<String>>> {
        self.told.lock().expect("nobody panics with it")
    }
}

/// The words of a line of `MONITOR`: what stands in quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (&mut word, letter) {
            (None, '"') => word = Some(String::new()),
            (None, _) => {}
            (Some(_), '"') => words.extend(word.take()),
            (Some(text), '\\') => text.extend(letters.next()),
            (Some(text), letter) => text.push(letter),
        }
    }
    words
}

fn places(bits: u8) -> impl Iterator<Item = usize> {
    (0..NODES).filter(move |place| bits & 1 << place != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_into_its_words() {
        let line = r#"1.5 [0 127.0.0.1:1] "set" "a key" "x\"\\y" "NX""#;
        assert_eq!(words(line), ["set", "a key", "x\"\\y", "NX"]);
    }
}
