//! What a client of Redlock is asked to do, under which circumstances, and what can be seen of it: the vocabulary of [`crate::engine`] (our
//! side) and of [`crate::ensemble`] (five real servers and a real client).
//!
//! Compared is what does not depend on how fast this machine is: who was asked what in which order, what the client made of the answers,
//! and whose record stands on which server when everybody has come to rest. A server is either there, or there and silent until the
//! client has decided, or gone: nothing in between.

use std::fmt;

/// Servers of the ensemble.
pub const NODES: usize = 5;

/// Their names in a scenario.
pub const NAMES: [&str; NODES] = ["A", "B", "C", "D", "E"];

/// The clients that are run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Client {
    Rslock,
    NodeRedlock,
}

impl Client {
    /// The word of its profile, `lock.service`.
    pub fn profile(self) -> &'static str {
        match self {
            Client::Rslock => "rslock",
            Client::NodeRedlock => "node-redlock",
        }
    }

    /// How long it waits for one server, ms: the Redis library's own limit for one, what it is set to here for the other.
    pub fn node_timeout_ms(self) -> u32 {
        match self {
            Client::Rslock => 500,
            Client::NodeRedlock => 500,
        }
    }
}

/// Whether a server can be had while a call goes out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reach {
    Up,
    /// Stopped; what it is sent waits, and is carried out after the client has decided.
    Silent,
    /// Its process is gone, and its records with it. It does not come back.
    Down,
}

/// The same for all locks of a group: how the servers are while the lock is acquired, and while it is extended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weather {
    pub acquire: [Reach; NODES],
    pub extend: [Reach; NODES],
    /// Who is silent answers so long after the acquisition began; without it, when the client has decided.
    pub answers_after_ms: Option<u32>,
}

/// One lock, with what happens to its records besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Case {
    pub ttl_ms: u32,
    pub attempts: u32,
    /// Servers on which somebody else's record stands, one bit each.
    pub held: u8,
    /// Servers that lose the record between grant and extension.
    pub lost: u8,
}

/// What a server was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Request {
    Acquire,
    Extend,
    Release,
}

/// What came of the acquisition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Granted,
    /// All tries were in vain.
    Refused,
    /// Enough servers said yes, and the lease was over by then.
    Late,
}

/// Whose record stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Record {
    None,
    Mine,
    Foreign,
    /// Nobody can look: the server is gone.
    Unseen,
}

/// All that is compared of one lock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    pub outcome: Outcome,
    pub extended: Option<bool>,
    /// After the acquisition, after the extension, and in the end.
    pub records: [[Record; NODES]; 3],
    /// In the order in which each server got them.
    pub requests: [Vec<Request>; NODES],
}

impl Seen {
    /// How many things there are to compare: requests, looks at a record, decisions.
    pub fn operations(&self) -> u64 {
        let requests: usize = self.requests.iter().map(Vec::len).sum();
        let looks = self.records.as_flattened().iter().filter(|it| **it != Record::Unseen).count();
        (requests + looks + 1 + usize::from(self.extended.is_some())) as u64
    }
}

impl Weather {
    pub fn fair() -> Weather {
        let all = [Reach::Up; NODES];
        Weather { acquire: all, extend: all, answers_after_ms: None }
    }

    /// How long a client waits for one server: where it has no limit of its own, for as long as it takes if it is to be answered.
    pub fn node_timeout_ms(&self, client: Client) -> u32 {
        match (client, self.answers_after_ms) {
            (Client::NodeRedlock, Some(_)) => 60_000,
            _ => client.node_timeout_ms(),
        }
    }

    /// Every way in which five servers can be up, silent or down while a lock is acquired, up to their order. Who is which changes from one
    /// to the next, and so does what has changed when it is extended.
    pub fn all() -> Vec<Weather> {
        let mut all = Vec::new();
        for silent in 0..=NODES {
            for down in 0..=NODES - silent {
                let turn = all.len();
                let mut acquire = Self::fair().acquire;
                for place in 0..silent + down {
                    let reach = if place < silent { Reach::Silent } else { Reach::Down };
                    acquire[(place * 2 + turn) % NODES] = reach;
                }
                // What was silent answers again; somebody else falls silent, and now and then one more is gone.
                let mut extend = acquire.map(|it| if it == Reach::Silent { Reach::Up } else { it });
                for place in 0..turn % 4 {
                    let node = &mut extend[(place * 3 + turn) % NODES];
                    if *node == Reach::Up {
                        *node = if place == 2 { Reach::Down } else { Reach::Silent };
                    }
                }
                all.push(Weather { acquire, extend, answers_after_ms: None });
            }
        }
        all
    }

    pub fn has_silent(&self) -> bool {
        self.acquire.contains(&Reach::Silent)
    }
}

impl fmt::Display for Weather {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = |reach: &[Reach; NODES]| -> String {
            let letter = |it: &Reach| match it {
                Reach::Up => '+',
                Reach::Silent => '?',
                Reach::Down => '-',
            };
            reach.iter().map(letter).collect()
        };
        write!(f, "servers {} while acquiring, {} while extending", letters(&self.acquire), letters(&self.extend))
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Case { ttl_ms, attempts, held, lost } = self;
        write!(f, "lease {ttl_ms} ms, {attempts} tries, held {held:05b}, lost {lost:05b} (A last)")
    }
}
