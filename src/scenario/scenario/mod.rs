//! A scenario: a validated story and the designs that answer it.
//!
//! Text is what people edit; this is what everything else reads. It exists only if the text had no errors, and then every value is in range and
//! every name leads somewhere. Counts are unrolled (`count = 3` is three workers here) and steps are structures. Whatever is looked up by its key
//! stays in the normalized tree, where a new key costs nothing: faults, links, clocks, and the settings of lock, client and resource, which are
//! resolved through the layers (`layers`), so that an editor can say where each one came from.

mod from_tree;
mod more;
pub(crate) mod read;

pub use more::{Explore, Lesson, Sweep};

use super::expect::{Claim, Expect, ExpectInstant, ExpectMeasure};
use super::moment::When;
use super::profile::protection_row;
use super::quantity::{signed_time, write_time};
use super::registry::faults::FaultVerb;
use super::registry::{Row, Section};
use super::step::{Action, Step};
use super::tree::{Node, Pos, Table};
use crate::base::pieces::count;
use crate::base::text::number;
use crate::base::{Span, TrueTime};
use crate::protocol::params::Draw;
pub use crate::sim::config::MessageVerb;

/// What the first line of every file says.
pub const SCHEMA: &str = "fencepost.scenario/1";
/// Most workers, after `count`.
pub const MAX_WORKERS: usize = 64;
/// Most steps in all lists together, as written.
pub const MAX_STEPS: usize = 1_000;
pub const MAX_FAULTS: usize = 200;
pub const MAX_DESIGNS: usize = 12;

/// Written keys of one table, sorted: canonical values with their places.
pub type Settings = Table;

/// What is written in `[lock]`, `[client]` and `[resource]`, of the story or of a design.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Written {
    pub lock: Settings,
    pub client: Settings,
    pub resource: Settings,
}

impl Written {
    /// What is written in one of the three.
    ///
    /// # Panics
    /// If the section has no settings.
    pub fn of(&self, section: Section) -> &Settings {
        match section {
            Section::Lock => &self.lock,
            Section::Client => &self.client,
            Section::Resource => &self.resource,
            _ => panic!("only lock, client and resource have settings"),
        }
    }

    /// The three sections that have settings, and what is written in each.
    pub fn sections(&self) -> [(Section, &Settings); 3] {
        [(Section::Lock, &self.lock), (Section::Client, &self.client), (Section::Resource, &self.resource)]
    }
}

/// A story and its designs, without errors.
///
/// Two scenarios are equal if they mean the same: if their canonical forms are.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub title: Option<String>,
    pub claim: Option<String>,
    pub story: Option<String>,
    pub source: Vec<String>,
    /// The run ends here at the latest.
    pub horizon: TrueTime,
    pub seed: u64,
    pub max_events: u32,
    /// Words of the properties that count as wrong.
    pub judge: Vec<String>,
    /// At least one, counts unrolled.
    pub workers: Vec<Worker>,
    pub faults: Vec<Fault>,
    /// At least one: a file without designs runs once, as written.
    pub designs: Vec<Design>,
    pub written: Written,
    /// `[[lock.also]]` and `[[resource.also]]`, each with its name among its keys.
    pub more_locks: Vec<Settings>,
    pub more_resources: Vec<Settings>,
    /// Names of the copies of shards, of all designs.
    pub(crate) copies: Vec<String>,
    /// Everything that could be read, normalized.
    pub(crate) tree: Table,
    pub(crate) canonical: String,
}

impl PartialEq for Scenario {
    fn eq(&self, other: &Scenario) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for Scenario {}

/// One worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Worker {
    pub name: String,
    /// Workers with one process are its threads.
    pub process: String,
    pub start: When,
    pub steps: Vec<Step>,
    /// Its keys; what is looked up once stays there: `life`, `gap`, `every`.
    pub keys: Table,
    /// What this worker says of `client` itself.
    pub client: Settings,
    /// Which entry of the file made it, from 0; which of its count it is, from 0, and how many these are.
    pub entry: usize,
    pub copy: u32,
    pub count: u32,
    pub at: Pos,
}

impl Worker {
    /// `worker W1`.
    pub fn place(&self) -> String {
        ["worker ", &self.name].concat()
    }

    /// A length or a draw among its keys; `None`: not written, or a word for "no limit".
    pub fn draw(&self, key: &str) -> Option<Draw> {
        read::draw(&self.keys, key)
    }

    /// How often its steps run.
    pub fn rounds(&self) -> u32 {
        read::int(&self.keys, "rounds").unwrap_or(1) as u32
    }

    /// From the end of a round to the next; `None`: at once.
    pub fn gap(&self) -> Option<Draw> {
        self.draw("gap").filter(|d| *d != Draw::Fixed(Span::ZERO))
    }

    /// Every action of its steps, in order, each once.
    pub fn actions(&self) -> Vec<&Action> {
        let mut actions = Vec::new();
        for step in &self.steps {
            step.actions(&mut actions);
        }
        actions
    }

    /// `worker.0.start`; without a key the entry's own path.
    pub fn path(&self, key: &str) -> String {
        path("worker", self.entry, key)
    }
}

/// One fault. What its verb strikes, and with what, stays in its table: `victims`, `draw("takes")`.
#[derive(Clone, Debug)]
pub struct Fault {
    pub verb: &'static FaultVerb,
    /// Its keys, the verb's among them.
    pub keys: Table,
    pub start: When,
    pub end: End,
    /// Which entry of the file it is, from 0.
    pub entry: usize,
    pub at: Pos,
    /// Where `at` and `until` stand, for what is said about them.
    pub moments_at: (Pos, Pos),
}

impl Fault {
    pub fn name(&self) -> Option<&str> {
        self.text("name")
    }

    /// `fault 2`, `fault gc`.
    pub fn place(&self) -> String {
        match self.name() {
            Some(name) => ["fault ", name].concat(),
            None => ["fault ", &number(self.entry + 1)].concat(),
        }
    }

    /// `fault.1.until`; without a key the entry's own path.
    pub fn path(&self, key: &str) -> String {
        path("fault", self.entry, key)
    }

    /// The value of the verb: names, message kinds, or groups of names.
    pub fn victims(&self) -> &Node {
        self.keys.get(self.verb.word).expect("a fault has the key that is its verb")
    }

    /// One text of its table, such as `lock_name`.
    pub fn text(&self, key: &str) -> Option<&str> {
        read::text(&self.keys, key)
    }

    /// The value of a key as people write it.
    pub fn shown(&self, key: &str) -> Option<String> {
        self.keys.get(key).map(Node::shown)
    }

    /// The names that the verb strikes, or the kinds of the messages.
    pub fn whom(&self) -> Vec<&str> {
        read::words(self.victims())
    }

    /// The names of a list such as `from`; `None` if it is not there, which means everybody.
    pub fn names(&self, key: &str) -> Option<Vec<&str>> {
        self.keys.get(key).map(read::words)
    }

    pub fn flag(&self, key: &str) -> bool {
        read::flag(&self.keys, key)
    }

    pub fn draw(&self, key: &str) -> Option<Draw> {
        read::draw(&self.keys, key)
    }

    pub fn span(&self, key: &str) -> Option<Span> {
        read::span(&self.keys, key)
    }

    /// What it does to messages, if it is about messages.
    pub fn message(&self) -> Option<MessageVerb> {
        Some(match self.verb.word {
            "delay" => MessageVerb::Delay,
            "drop" => MessageVerb::Drop,
            "duplicate" => MessageVerb::Duplicate,
            "fail" => MessageVerb::Fail,
            "stall" => MessageVerb::Stall,
            _ => return None,
        })
    }
}

/// When a fault ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    WithTheRun,
    Until(When),
    For(Draw),
}

/// One answer to the story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    pub name: String,
    pub note: Option<String>,
    /// The word of its protection.
    pub protection: Option<String>,
    /// Its own keys.
    pub own: Written,
    /// What the file claims of it, the story's own claims included.
    pub expect: Expect,
    /// Stands in the file; `false` for the one run of a file without designs.
    pub written: bool,
    pub at: Pos,
}

impl Design {
    /// `design "Fencing"`.
    pub fn place(&self) -> String {
        ["design \"", &self.name, "\""].concat()
    }
}

/// `worker.0.steps`: a key of one entry of a list.
pub(crate) fn path(list: &str, entry: usize, key: &str) -> String {
    [list, ".", &number(entry), if key.is_empty() { "" } else { "." }, key].concat()
}

/// A design's name: its own, its protection's, or its number.
pub(crate) fn design_name(name: Option<&str>, protection: Option<&str>, index: usize) -> String {
    match (name, protection.and_then(protection_row)) {
        (Some(name), _) => name.to_string(),
        (None, Some(p)) => p.label.to_string(),
        (None, None) => ["Design ", &number(index + 1)].concat(),
    }
}

impl Scenario {
    /// The canonical JSON of the file format: equal for scenarios that mean the same, and what a link carries.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// The fault with this name, or with this number from 0.
    pub fn fault(&self, key: &str) -> Option<usize> {
        let by_name = self.faults.iter().position(|f| f.name() == Some(key));
        by_name.or_else(|| count(key).filter(|i| *i < self.faults.len()))
    }

    /// A value of the story's own as people write it, such as `network.loss` or `seed`: the written one, or the default.
    pub fn shown(&self, row: &Row) -> String {
        let of = match row.section {
            Section::Header => &self.tree,
            section => read::table(&self.tree, section.word()),
        };
        match of.get(row.key) {
            Some(node) => node.shown(),
            None => signed_time(row.default).map_or(row.default.to_string(), write_time),
        }
    }

    pub fn worker(&self, name: &str) -> Option<usize> {
        self.workers.iter().position(|w| w.name == name)
    }

    pub fn design(&self, name: &str) -> Option<usize> {
        self.designs.iter().position(|d| d.name == name)
    }
}
