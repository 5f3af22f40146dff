//! A scenario: a validated story and the designs that answer it.
//!
//! Text is what people edit; this is what everything else reads. It exists only if the text had no errors, and then every value is in range and
//! every name leads somewhere. Counts are unrolled (`count = 3` is three workers here), steps are structures, and each design knows what it
//! overrides, while the values themselves are looked up through the layers (`layers`), so that an editor can say where each one came from.

mod from_tree;

use super::expect::{Claim, Expect, ExpectInstant, ExpectMeasure};
use super::moment::When;
use super::profile::protection_row;
use super::step::Step;
use super::tree::{Node, Pos};
use crate::base::flat::FlatMap;
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

/// Written keys of one table: canonical values with their places.
pub type Settings = FlatMap<String, Node>;

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
    pub network: Network,
    pub links: Vec<Link>,
    pub clocks: Vec<ClockSetting>,
    /// At least one, counts unrolled.
    pub workers: Vec<Worker>,
    pub faults: Vec<Fault>,
    /// At least one: a file without designs runs once, as written.
    pub designs: Vec<Design>,
    pub sweep: Option<Sweep>,
    pub explore: Option<Explore>,
    pub lesson: Option<Lesson>,
    /// `[lock]`, `[client]`, `[resource]` as written.
    pub lock: Settings,
    pub client: Settings,
    pub resource: Settings,
    /// `[[lock.also]]` and `[[resource.also]]`, each with its name.
    pub more_locks: Vec<(String, Settings)>,
    pub more_resources: Vec<(String, Settings)>,
    pub(crate) canonical: String,
}

impl PartialEq for Scenario {
    fn eq(&self, other: &Scenario) -> bool {
        self.canonical == other.canonical
    }
}

impl Eq for Scenario {}

/// What every link does unless told otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Network {
    pub one_way: Draw,
    pub loss_ppm: u32,
    pub ordered: bool,
}

/// An override between names; `None` for an end: everybody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    pub from: Option<Vec<String>>,
    pub to: Option<Vec<String>>,
    pub one_way: Option<Draw>,
    pub loss_ppm: Option<u32>,
    pub ordered: Option<bool>,
    pub one_sided: bool,
    pub at: Pos,
}

/// How the clock of a worker, a node or a group goes. What is said of one beats what is said of its group, key by key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockSetting {
    pub name: String,
    pub rate_ppm: Option<i64>,
    pub offset: Option<Span>,
    pub at: Pos,
}

/// One worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Worker {
    pub name: String,
    /// Workers with one process are its threads.
    pub process: String,
    pub start: When,
    /// So long after the start; `None`: as long as the run.
    pub life: Option<Draw>,
    pub steps: Vec<Step>,
    pub rounds: u32,
    pub gap: Option<Draw>,
    pub every: Option<Draw>,
    /// What this worker says of `client` itself.
    pub client: Settings,
    /// Which entry of the file made it, from 0, and which of its count, from 0.
    pub entry: usize,
    pub copy: u32,
    pub at: Pos,
}

/// One fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub name: Option<String>,
    pub verb: Verb,
    pub start: When,
    pub end: End,
    pub every: Option<Draw>,
    /// Which entry of the file it is, from 0.
    pub entry: usize,
    pub at: Pos,
    /// Where `at` and `until` stand, for what is said about them.
    pub moments_at: (Pos, Pos),
}

impl Fault {
    /// `fault 2`, `fault gc`.
    pub fn place(&self) -> String {
        self.name.as_ref().map_or(format!("fault {}", self.entry + 1), |n| format!("fault {n}"))
    }
}

/// When a fault ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    WithTheRun,
    Until(When),
    For(Draw),
}

/// What a fault does, with names as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verb {
    Pause {
        targets: Vec<String>,
    },
    Crash {
        targets: Vec<String>,
        loses: Option<Span>,
        answers_error: bool,
    },
    Cut {
        from: Vec<String>,
        /// `None`: everybody.
        to: Option<Vec<String>>,
        one_sided: bool,
    },
    Partition {
        groups: Vec<Vec<String>>,
    },
    Message {
        what: MessageVerb,
        /// Words of message kinds; `any` for all.
        kinds: Vec<String>,
        from: Option<Vec<String>>,
        to: Option<Vec<String>>,
        nth: Option<Vec<u32>>,
        takes: Option<Draw>,
        applied: bool,
    },
    StepClock {
        names: Vec<String>,
        by: Span,
    },
    DriftClock {
        names: Vec<String>,
        rate_ppm: i64,
    },
    FailOver {
        names: Vec<String>,
        serves: bool,
    },
    Evict {
        names: Vec<String>,
        lock: Option<String>,
    },
}

/// One answer to the story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Design {
    pub name: String,
    pub note: Option<String>,
    /// The word of its protection.
    pub protection: Option<String>,
    /// Its own keys.
    pub lock: Settings,
    pub client: Settings,
    pub resource: Settings,
    /// What the file claims of it, the story's own claims included.
    pub expect: Expect,
    /// Stands in the file; `false` for the one run of a file without designs.
    pub written: bool,
    pub at: Pos,
}

/// Random runs over some axes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweep {
    pub runs: u32,
    /// Paths with their values, as text.
    pub axes: Vec<(String, Vec<String>)>,
    /// Words of measures.
    pub measures: Vec<String>,
}

/// Bounds of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explore {
    /// At most so many of each verb.
    pub faults: Vec<(String, u32)>,
    pub total: u32,
    pub targets: Vec<String>,
    pub schedules: u32,
    /// Words of properties.
    pub properties: Vec<String>,
}

/// A question and a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    pub ask: Option<String>,
    pub choices: Vec<String>,
    pub answer: Option<String>,
    /// Index of the design that it is about.
    pub design: usize,
    pub task: Option<String>,
    pub locked: Vec<String>,
    pub hints: Vec<String>,
    pub next: Option<String>,
}

/// A design's name: its own, its protection's, or its number.
pub(crate) fn design_name(name: Option<&str>, protection: Option<&str>, index: usize) -> String {
    match (name, protection.and_then(protection_row)) {
        (Some(name), _) => name.to_string(),
        (None, Some(p)) => p.label.to_string(),
        (None, None) => format!("Design {}", index + 1),
    }
}

impl Scenario {
    /// The canonical JSON of the file format: equal for scenarios that mean the same, and what a link carries.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// The fault with this name, or with this number from 0.
    pub fn fault(&self, key: &str) -> Option<usize> {
        let by_name = self.faults.iter().position(|f| f.name.as_deref() == Some(key));
        by_name.or_else(|| key.parse().ok().filter(|i| *i < self.faults.len()))
    }

    pub fn worker(&self, name: &str) -> Option<usize> {
        self.workers.iter().position(|w| w.name == name)
    }

    pub fn design(&self, name: &str) -> Option<usize> {
        self.designs.iter().position(|d| d.name == name)
    }
}
