//! Scenarios that nobody would think of, for tests that must hold for every scenario.
//!
//! A number gives a valid text within what this version can run: any keys of the registry with values of their kind, workers with sensible and
//! with senseless steps, faults of every verb, designs of every protection. The same number gives the same text, natively and in wasm; it needs
//! no crate and no generator but the house's own.

use super::registry::faults::{FaultVerb, KINDS, NO_REPLY, VERBS, Victim};
use super::registry::{Row, Section, Type, words_of};
use super::to_toml::to_toml;
use super::tree::{Decimal, Node, Table, Value};
use crate::base::prng::{answer, up_to};

/// TOML text of a random scenario without errors.
pub fn scenario(seed: u64) -> String {
    let mut dice = Dice { seed, thrown: 0 };
    to_toml(&Story::new(&mut dice).file())
}

/// A stream of answers from one number.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn word(&mut self) -> u64 {
        self.thrown += 1;
        answer(self.seed, &[0x5261_6e64, self.thrown])
    }

    /// From 0 to `max`, inclusive.
    fn below(&mut self, max: u64) -> u64 {
        let word = self.word();
        up_to(word, max)
    }

    /// True in one of `n` cases.
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n - 1) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        let i = self.below(of.len() as u64 - 1) as usize;
        of[i]
    }
}

/// Lengths that make runs interesting without drowning them in events.
const TIMES: [&str; 10] = ["1ms", "7ms", "50ms", "100ms", "500ms", "1s", "2500ms", "5s", "10s", "15s"];
const DRAWS: [&str; 6] = ["0s..20ms", "5ms..2s", "exp 100ms", "exp 3s", "lognormal 5ms 80ms", "lognormal 1s 10s"];

/// Keys of `[resource]` that only go with others of it.
const NOT_BY_CHANCE: [&str; 6] = ["name", "shards", "replicas", "ack_quorum", "mark_quorum", "read_quorum"];

struct Story<'d> {
    dice: &'d mut Dice,
    workers: Vec<String>,
    shards: Vec<&'static str>,
    /// What a step may write: `R`, `R.a`.
    targets: Vec<String>,
    locks: Vec<&'static str>,
    /// Keys of `[lock]` that do not go with others here: either kinds of locks, or what only a plain mutex has.
    not: [&'static str; 2],
}

impl<'d> Story<'d> {
    fn new(dice: &'d mut Dice) -> Story<'d> {
        let sharded = dice.one_in(4);
        let shards = if sharded { vec!["a", "b"] } else { Vec::new() };
        let targets = if sharded { vec!["R.a".to_string(), "R.b".to_string()] } else { vec!["R".to_string()] };
        let workers = (1..=1 + dice.below(3)).map(|i| format!("W{i}")).collect();
        let locks = if dice.one_in(6) { vec!["main", "other"] } else { vec!["main"] };
        let not = if dice.one_in(3) { ["replicas", "acquire"] } else { ["kind", "reentrant"] };
        Story { dice, workers, shards, targets, locks, not }
    }

    fn file(mut self) -> Table {
        let mut t = Table::default();
        t.set("schema", Node::text(super::scenario::SCHEMA));
        let horizon = self.dice.pick(&["10s", "30s", "1min", "2min"]);
        t.set("horizon", Node::text(horizon));
        t.set("seed", Node::new(Value::Int(self.dice.below(1_000) as i64)));
        t.set("max_events", Node::new(Value::Int(3_000)));
        put(&mut t, "network", self.keys(Section::Network, 2, "redis", &[]));
        self.links(&mut t);
        self.clocks(&mut t);
        self.story_tables(&mut t);
        let workers = (0..self.workers.len()).map(|i| self.worker(i)).collect();
        t.set("worker", Node::new(Value::List(workers)));
        let faults: Vec<Node> = (0..self.dice.below(4)).map(|_| self.fault()).collect();
        if !faults.is_empty() {
            t.set("fault", Node::new(Value::List(faults)));
        }
        let designs: Vec<Node> = (0..self.dice.below(3)).map(|i| self.design(i)).collect();
        if !designs.is_empty() {
            t.set("design", Node::new(Value::List(designs)));
        }
        t
    }

    // -------------------------------------------------------------- tables of the registry

    /// One in `rare` of the keys of a table that this service uses, with random values.
    fn keys(&mut self, section: Section, rare: u64, service: &str, but: &[&str]) -> Table {
        let mut t = Table::default();
        for row in section.rows().filter(|r| r.built && r.uses.has(service) && !but.contains(&r.key)) {
            if self.dice.one_in(rare)
                && let Some(value) = self.value(row)
            {
                t.set(row.key, Node::new(value));
            }
        }
        t
    }

    fn value(&mut self, row: &Row) -> Option<Value> {
        let text = |s: &str| Some(Value::Text(s.to_string()));
        // A word that stands beside the numbers or times, now and then.
        if !row.words.is_empty() && !matches!(row.ty, Type::Word | Type::Words) && self.dice.one_in(4) {
            let words: Vec<&str> = row.words.iter().filter(|w| w.built).map(|w| w.text).collect();
            return text(self.dice.pick(&words));
        }
        match row.ty {
            Type::Bool => Some(Value::Bool(self.dice.one_in(2))),
            Type::Int { min, .. } => Some(Value::Int(min + self.dice.below(5) as i64)),
            Type::Rate => Some(Value::Decimal(Decimal::new(70 + self.dice.below(60) as i64, 2))),
            Type::Time => text(self.dice.pick(&TIMES)),
            Type::Period => text(self.dice.pick(&["ttl/3", "ttl/2", "100ms", "3s"])),
            Type::Draw if self.dice.one_in(3) => text(self.dice.pick(&DRAWS)),
            Type::Draw => text(self.dice.pick(&TIMES)),
            Type::SignedTime => text(self.dice.pick(&["-8s", "-250ms", "1s", "20s", "0s"])),
            Type::Share => text(self.dice.pick(&["0%", "1%", "10%", "0.5%"])),
            Type::Margin => text(self.dice.pick(&["1% + 2ms", "5%", "100ms"])),
            Type::Word => {
                let words: Vec<&str> = row.words.iter().filter(|w| w.built).map(|w| w.text).collect();
                text(self.dice.pick(&words))
            }
            Type::Words => {
                let words: Vec<&str> =
                    row.words.iter().filter(|w| w.built && w.text != "none").map(|w| w.text).collect();
                let list = (0..=self.dice.below(1)).map(|_| Node::text(self.dice.pick(&words))).collect();
                Some(Value::List(list))
            }
            _ => None,
        }
    }

    fn story_tables(&mut self, t: &mut Table) {
        let [a, b] = self.not;
        let but = ["service", "max_token", "name", "nodes", "wake", a, b];
        let mut lock = self.keys(Section::Lock, 6, "redis", &but);
        if self.dice.one_in(8) {
            lock.set("max_token", Node::new(Value::Int(9)));
        }
        if self.dice.one_in(8) {
            lock.set("nodes", Node::text("Server"));
        }
        if self.dice.one_in(6) {
            lock.set("wake", Node::text("notify"));
        }
        if self.locks.len() > 1 {
            let mut other = self.keys(Section::Lock, 6, "redis", &but);
            other.set("name", Node::text("other"));
            lock.set("also", Node::new(Value::Table(other)));
        }
        put(t, "lock", lock);
        put(t, "client", self.keys(Section::Client, 8, "redis", &[]));
        let mut resource = self.keys(Section::Resource, 6, "redis", &NOT_BY_CHANCE);
        if !self.shards.is_empty() {
            resource.set("shards", Node::new(Value::List(self.shards.iter().map(|s| Node::text(*s)).collect())));
        }
        put(t, "resource", resource);
    }

    fn links(&mut self, t: &mut Table) {
        let mut list = Vec::new();
        for _ in 0..self.dice.below(2) {
            let mut link = self.keys(Section::Link, 2, "redis", &["from", "to"]);
            link.set("one_way", Node::text(self.dice.pick(&["2ms", "9ms", "50ms", "0s..30ms"])));
            link.set("from", self.somebody());
            if self.dice.one_in(2) {
                link.set("to", self.somebody());
            }
            list.push(Node::new(Value::Table(link)));
        }
        if !list.is_empty() {
            t.set("link", Node::new(Value::List(list)));
        }
    }

    fn clocks(&mut self, t: &mut Table) {
        let mut clocks = Table::default();
        for _ in 0..self.dice.below(2) {
            let name = self.somebody();
            let keys = self.keys(Section::Clock, 2, "redis", &[]);
            clocks.set(name.as_text().unwrap_or("workers"), Node::new(Value::Table(keys)));
        }
        put(t, "clock", clocks);
    }

    /// A worker or a group.
    fn somebody(&mut self) -> Node {
        if self.dice.one_in(2) {
            return Node::text(self.a_worker());
        }
        Node::text(self.dice.pick(&["workers", "lock", "resources", "lock-node"]))
    }

    fn a_worker(&mut self) -> String {
        let i = self.dice.below(self.workers.len() as u64 - 1) as usize;
        self.workers[i].clone()
    }

    // -------------------------------------------------------------- workers

    fn worker(&mut self, i: usize) -> Node {
        let mut t = Table::default();
        t.set("name", Node::text(self.workers[i].clone()));
        if self.dice.one_in(2) {
            let start = self.moment(self.workers.len() > 1);
            t.set("start", Node::text(start));
        }
        if self.dice.one_in(8) {
            t.set("life", Node::text(self.dice.pick(&TIMES)));
        }
        if i > 0 && self.dice.one_in(8) {
            t.set("process", Node::text(self.workers[0].clone()));
        }
        if self.dice.one_in(4) {
            let rounds = 1 + self.dice.below(2) as i64;
            t.set("rounds", Node::new(Value::Int(rounds)));
            let how = self.dice.pick(&["gap", "every"]);
            t.set(how, Node::text(self.dice.pick(&TIMES)));
        }
        if self.dice.one_in(2) {
            let steps = if self.dice.one_in(3) { self.senseless_steps() } else { self.sensible_steps() };
            t.set("steps", Node::new(Value::List(steps)));
        } else if !self.shards.is_empty() {
            // The default steps do not say which shard.
            let steps = self.sensible_steps();
            t.set("steps", Node::new(Value::List(steps)));
        }
        put(&mut t, "client", self.keys(Section::Client, 16, "redis", &[]));
        Node::new(Value::Table(t))
    }

    fn moment(&mut self, others: bool) -> String {
        if others && self.dice.one_in(4) {
            let who = self.a_worker();
            let point = self.dice.pick(&["grant", "read", "write", "release", "belief", "expiry", "apply", "work"]);
            let offset = self.dice.pick(&["", "5ms ", "1s "]);
            return format!("{offset}after {who} {point}");
        }
        self.dice.pick(&["0s", "1ms", "500ms", "1s", "2s", "9s", "10s", "0s..5s"]).to_string()
    }

    fn sensible_steps(&mut self) -> Vec<Node> {
        let target = self.target();
        let lock = self.lock();
        let mut steps = vec![format!("acquire{lock}")];
        if self.dice.one_in(6) {
            steps[0].push_str(self.dice.pick(&[" ttl=2s", " patience=3s", " ttl=never"]));
        }
        for _ in 0..=self.dice.below(1) {
            steps.push(format!("read {target}"));
            let length = self.dice.pick(&["100ms", "1s", "4s", "12s", "0s..3s", "exp 2s"]);
            steps.push(format!("work {length}"));
            if self.dice.one_in(5) {
                steps.push("check".to_string());
            }
            let key = self.dice.pick(&["", "", "", " key=job", " key=job-{round}"]);
            steps.push(format!("write {target}{key}"));
        }
        if !self.dice.one_in(8) {
            steps.push(format!("release{lock}"));
        }
        steps.into_iter().map(Node::text).collect()
    }

    fn senseless_steps(&mut self) -> Vec<Node> {
        let mut steps: Vec<Node> = (0..=self.dice.below(6)).map(|_| Node::text(self.any_step())).collect();
        if self.dice.one_in(3) {
            let mut block = Table::default();
            let times = if self.dice.one_in(3) {
                Node::text("forever")
            } else {
                Node::new(Value::Int(1 + self.dice.below(3) as i64))
            };
            block.set("loop", times);
            let mut inner: Vec<Node> = (0..=self.dice.below(3)).map(|_| Node::text(self.any_step())).collect();
            // Time must go by in it.
            inner.push(Node::text("wait 200ms"));
            block.set("steps", Node::new(Value::List(inner)));
            steps.push(Node::new(Value::Table(block)));
        }
        steps
    }

    fn any_step(&mut self) -> String {
        let (target, lock) = (self.target(), self.lock());
        match self.dice.below(14) {
            0 | 1 => format!("acquire{lock}"),
            2 => format!("renew{lock}"),
            3 | 4 => format!("release{lock}"),
            5 => format!("abandon{lock}"),
            6 => "check".to_string(),
            7 => "activate".to_string(),
            8 => format!("read {target}"),
            9 => format!("write {target} base=none"),
            10 => format!("write {target}"),
            11 => format!("delete {target}"),
            12 => "call mail key=letter".to_string(),
            13 => format!("work {}", self.dice.pick(&TIMES)),
            _ => self
                .dice
                .pick(&["wait 1s", "wait until 5s", "break", "stop", "work forever", "wait 0s..2s"])
                .to_string(),
        }
    }

    fn target(&mut self) -> String {
        let i = self.dice.below(self.targets.len() as u64 - 1) as usize;
        self.targets[i].clone()
    }

    fn lock(&mut self) -> String {
        if self.locks.len() > 1 && self.dice.one_in(3) { " other".to_string() } else { String::new() }
    }

    // -------------------------------------------------------------- faults

    fn fault(&mut self) -> Node {
        let built: Vec<&FaultVerb> = VERBS.iter().filter(|v| v.built).collect();
        let verb = self.dice.pick(&built);
        let mut t = Table::default();
        let victim = match verb.victim {
            Victim::Kinds => self.kind(),
            Victim::Groups => {
                let (a, b) = (Node::text(self.a_worker()), Node::text(self.dice.pick(&["lock", "resources"])));
                Node::new(Value::List(vec![Node::new(Value::List(vec![a])), Node::new(Value::List(vec![b]))]))
            }
            Victim::LockNodes => Node::text(self.dice.pick(&["lock", "lock-node"])),
            Victim::Targets if self.dice.one_in(3) => {
                let who = self.a_worker();
                Node::text(format!("{who}.{}", self.dice.pick(&["main", "renewer"])))
            }
            _ => self.somebody(),
        };
        t.set(verb.word, victim);
        let at = self.moment(true);
        t.set("at", Node::text(at));
        if verb.lasts {
            let length = self.dice.pick(&["0s", "100ms", "1s", "12s", "exp 3s"]);
            match self.dice.below(3) {
                0 => {}
                1 => t.set("until", Node::text(self.dice.pick(&["20s", "25s"]))),
                _ => t.set("for", Node::text(length)),
            }
            if t.get("for").is_some() && self.dice.one_in(4) {
                t.set("every", Node::text(self.dice.pick(&["5s", "exp 10s"])));
            }
        }
        for key in words_of(verb.keys) {
            if verb.needs == key || self.dice.one_in(3) {
                let value = match key {
                    "from" | "to" => Some(self.somebody()),
                    "nth" => Some(Node::new(Value::Int(1 + self.dice.below(2) as i64))),
                    "lock_name" => Some(Node::text("main")),
                    key => super::registry::row(Section::Fault, key).and_then(|r| self.value(r)).map(Node::new),
                };
                if let Some(value) = value {
                    t.set(key, value);
                }
            }
        }
        Node::new(Value::Table(t))
    }

    fn kind(&mut self) -> Node {
        let kinds: Vec<&str> = KINDS.iter().filter(|k| k.built).map(|k| k.text).collect();
        let kind = self.dice.pick(&kinds);
        let reply = !NO_REPLY.contains(&kind) && self.dice.one_in(3);
        Node::text(if reply { format!("{kind}-reply") } else { kind.to_string() })
    }

    // -------------------------------------------------------------- designs

    fn design(&mut self, i: u64) -> Node {
        let mut t = Table::default();
        t.set("name", Node::text(format!("Design {}", i + 1)));
        if self.dice.one_in(2) {
            t.set(
                "protection",
                Node::text(self.dice.pick(&["none", "safe-release", "fencing", "activation", "idempotency"])),
            );
        }
        let service = if self.dice.one_in(8) { "none" } else { "redis" };
        // A block that only waits for the lock takes no time without one.
        let [a, b] = self.not;
        let but = ["service", "max_token", "first_token", "name", "nodes", "wake", a, b];
        let mut lock = self.keys(Section::Lock, 10, service, &but);
        if service == "none" {
            lock.set("service", Node::text("none"));
        }
        put(&mut t, "lock", lock);
        put(&mut t, "client", self.keys(Section::Client, 12, service, &[]));
        put(&mut t, "resource", self.keys(Section::Resource, 10, service, &NOT_BY_CHANCE));
        Node::new(Value::Table(t))
    }
}

/// Adds a table unless it is empty.
fn put(t: &mut Table, key: &str, inner: Table) {
    if !inner.is_empty() {
        t.set(key, Node::new(Value::Table(inner)));
    }
}
