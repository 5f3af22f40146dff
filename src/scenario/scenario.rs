//! A scenario: a validated story and the designs that answer it.
//!
//! Text is what people edit; this is what everything else reads. It exists only if the text had no errors, and then every value is in range and
//! every name leads somewhere. Counts are unrolled (`count = 3` is three workers here), steps are structures, and each design knows what it
//! overrides, while the values themselves are looked up through the layers (`layers`), so that an editor can say where each one came from.

use super::expect::{Claim, Expect, ExpectInstant, ExpectMeasure};
use super::moment::When;
use super::profile::protection_row;
use super::quantity::share;
use super::step::Step;
use super::tree::{Node, Pos, Table};
use super::value::{as_bool, as_draw, as_int, as_ppm, as_span, as_texts, steps};
use crate::base::{Span, TrueTime};
use crate::protocol::params::Draw;
use crate::sim::config::MessageVerb;
use std::collections::BTreeMap;

/// What the first line of every file says.
pub const SCHEMA: &str = "fencepost.scenario/1";
/// Most workers, after `count`.
pub const MAX_WORKERS: usize = 64;
/// Most steps in all lists together, as written.
pub const MAX_STEPS: usize = 1_000;
pub const MAX_FAULTS: usize = 200;
pub const MAX_DESIGNS: usize = 12;

/// Written keys of one table: canonical values with their places.
pub type Settings = BTreeMap<String, Node>;

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

/// How the clock of a worker, a node or a group goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockSetting {
    pub name: String,
    pub rate_ppm: i64,
    pub offset: Span,
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
    pub at: Pos,
    /// Where `at` and `until` stand, for what is said about them.
    pub moments_at: (Pos, Pos),
}

impl Fault {
    /// `fault 2`, `fault gc`.
    pub fn place(&self, index: usize) -> String {
        self.name.as_ref().map_or(format!("fault {}", index + 1), |n| format!("fault {n}"))
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

    /// From a normalized tree. What could not be read is not in it; its defaults serve, so that later checks still find their mistakes.
    pub(crate) fn from_tree(t: &Table) -> Scenario {
        let designs = designs(t, table(t, "expect"));
        Scenario {
            title: text(t, "title"),
            claim: text(t, "claim"),
            story: text(t, "story"),
            source: t.get("source").map(as_texts).unwrap_or_default(),
            horizon: TrueTime::from_us(t.get("horizon").and_then(as_span).unwrap_or(Span::from_ms(60_000)).as_us()),
            seed: t.get("seed").and_then(as_int).unwrap_or(1) as u64,
            max_events: t.get("max_events").and_then(as_int).unwrap_or(10_000) as u32,
            judge: judged(t),
            network: network(table(t, "network")),
            links: tables(t, "link").map(|(l, at)| link(l, at)).collect(),
            clocks: table(t, "clock").entries.iter().filter_map(clock).collect(),
            workers: workers(t),
            faults: tables(t, "fault").filter_map(|(f, at)| fault(f, at)).collect(),
            lesson: t.get("lesson").and_then(Node::as_table).map(|l| lesson(l, &designs)),
            designs,
            sweep: t.get("sweep").and_then(Node::as_table).map(sweep),
            explore: t.get("explore").and_then(Node::as_table).map(|e| explore(e, t)),
            lock: settings(table(t, "lock")),
            client: settings(table(t, "client")),
            resource: settings(table(t, "resource")),
            more_locks: also(table(t, "lock")),
            more_resources: also(table(t, "resource")),
            canonical: String::new(),
        }
    }
}

// ------------------------------------------------------------------ from the normalized tree

static EMPTY: Table = Table { entries: Vec::new() };

fn table<'a>(t: &'a Table, key: &str) -> &'a Table {
    t.get(key).and_then(Node::as_table).unwrap_or(&EMPTY)
}

fn tables<'a>(t: &'a Table, key: &str) -> impl Iterator<Item = (&'a Table, Pos)> {
    t.get(key).map_or(&[][..], Node::items).iter().filter_map(|n| n.as_table().map(|t| (t, n.at)))
}

fn text(t: &Table, key: &str) -> Option<String> {
    t.get(key).and_then(Node::as_text).map(str::to_string)
}

fn texts(t: &Table, key: &str) -> Option<Vec<String>> {
    t.get(key).map(as_texts)
}

fn span(t: &Table, key: &str) -> Option<Span> {
    t.get(key).and_then(as_span)
}

fn draw(t: &Table, key: &str) -> Option<Draw> {
    t.get(key).and_then(as_draw)
}

fn int(t: &Table, key: &str) -> Option<i64> {
    t.get(key).and_then(as_int)
}

fn flag(t: &Table, key: &str) -> bool {
    t.get(key).is_some_and(as_bool)
}

fn loss(t: &Table) -> Option<u32> {
    t.get("loss").and_then(Node::as_text).and_then(|s| share(s).ok())
}

fn when(t: &Table, key: &str) -> Option<When> {
    t.get(key).and_then(Node::as_text).and_then(|s| When::parse(s).ok())
}

fn settings(t: &Table) -> Settings {
    t.entries.iter().filter(|e| e.key != "also").map(|e| (e.key.clone(), e.node.clone())).collect()
}

fn also(t: &Table) -> Vec<(String, Settings)> {
    tables(t, "also").filter_map(|(a, _)| Some((text(a, "name")?, settings(a)))).collect()
}

fn network(t: &Table) -> Network {
    Network {
        one_way: draw(t, "one_way").unwrap_or(Draw::ms(5)),
        loss_ppm: loss(t).unwrap_or(0),
        ordered: flag(t, "ordered"),
    }
}

fn link(t: &Table, at: Pos) -> Link {
    Link {
        from: texts(t, "from"),
        to: texts(t, "to"),
        one_way: draw(t, "one_way"),
        loss_ppm: loss(t),
        ordered: t.get("ordered").map(as_bool),
        one_sided: flag(t, "one_sided"),
        at,
    }
}

fn clock(e: &super::tree::Entry) -> Option<ClockSetting> {
    let t = e.node.as_table()?;
    Some(ClockSetting {
        name: e.key.clone(),
        rate_ppm: t.get("rate").and_then(as_ppm).unwrap_or(1_000_000),
        offset: span(t, "offset").unwrap_or(Span::ZERO),
        at: e.at,
    })
}

fn workers(t: &Table) -> Vec<Worker> {
    let mut out = Vec::new();
    for (entry, (w, at)) in tables(t, "worker").enumerate() {
        let count = int(w, "count").unwrap_or(1).clamp(1, MAX_WORKERS as i64) as u32;
        let written = text(w, "name");
        for copy in 0..count {
            if out.len() >= MAX_WORKERS {
                return out;
            }
            let name = match (&written, w.get("count")) {
                (None, _) => format!("W{}", out.len() + 1),
                (Some(name), None) => name.clone(),
                (Some(name), Some(_)) if count == 1 => name.clone(),
                (Some(name), Some(_)) => format!("{name}{}", copy + 1),
            };
            let stagger = span(w, "stagger").unwrap_or(Span::ZERO);
            let later = Span::from_us(stagger.as_us().saturating_mul(i64::from(copy)));
            out.push(Worker {
                process: text(w, "process").unwrap_or_else(|| name.clone()),
                name,
                start: delayed(when(w, "start").unwrap_or(When::START), later),
                life: draw(w, "life"),
                steps: w.get("steps").and_then(|n| steps(n).ok()).unwrap_or_else(Step::default_list),
                rounds: int(w, "rounds").unwrap_or(1) as u32,
                gap: draw(w, "gap").filter(|d| *d != Draw::Fixed(Span::ZERO)),
                every: draw(w, "every"),
                client: settings(table(w, "client")),
                entry,
                copy,
                at,
            });
        }
    }
    if t.get("worker").is_none_or(|n| n.items().is_empty()) {
        // "Everything has a default": a file without workers has one.
        let mut list = Table::default();
        list.set("worker", Node::new(super::tree::Value::Table(Table::default())));
        return workers(&list);
    }
    out
}

/// The same moment, so much later. Draws that are no sum of a draw and a length stay as they are (`validate` says so).
fn delayed(w: When, by: Span) -> When {
    match w {
        When::At(Draw::Fixed(t)) => When::At(Draw::Fixed(t + by)),
        When::At(Draw::Uniform(a, b)) => When::At(Draw::Uniform(a + by, b + by)),
        When::At(d) => When::At(d),
        When::Point { offset, worker, point, n } => When::Point { offset: offset + by, worker, point, n },
    }
}

fn fault(t: &Table, at: Pos) -> Option<Fault> {
    let pos = |key| t.entry(key).map_or(at, |e| e.node.at);
    let end = match (when(t, "until"), draw(t, "for")) {
        (Some(w), _) => End::Until(w),
        (None, Some(d)) => End::For(d),
        (None, None) => End::WithTheRun,
    };
    Some(Fault {
        name: text(t, "name"),
        verb: verb(t)?,
        start: when(t, "at").unwrap_or(When::START),
        end,
        every: draw(t, "every"),
        at,
        moments_at: (pos("at"), pos("until")),
    })
}

fn verb(t: &Table) -> Option<Verb> {
    let message = |word, what| {
        Some(Verb::Message {
            what,
            kinds: texts(t, word)?,
            from: texts(t, "from"),
            to: texts(t, "to"),
            nth: t.get("nth").and_then(|n| n.items().iter().map(|i| as_int(i).map(|n| n as u32)).collect()),
            takes: draw(t, "takes"),
            applied: flag(t, "applied"),
        })
    };
    let e = t.entries.iter().find(|e| super::registry::faults::fault_verb(&e.key).is_some())?;
    match e.key.as_str() {
        "pause" => Some(Verb::Pause { targets: as_texts(&e.node) }),
        "crash" => Some(Verb::Crash {
            targets: as_texts(&e.node),
            loses: span(t, "loses"),
            answers_error: t.get("answers").and_then(Node::as_text) == Some("error"),
        }),
        "cut" => Some(Verb::Cut { from: as_texts(&e.node), to: texts(t, "to"), one_sided: flag(t, "one_sided") }),
        "partition" => Some(Verb::Partition { groups: e.node.items().iter().map(as_texts).collect() }),
        "delay" => message("delay", MessageVerb::Delay),
        "drop" => message("drop", MessageVerb::Drop),
        "duplicate" => message("duplicate", MessageVerb::Duplicate),
        "fail" => message("fail", MessageVerb::Fail),
        "stall" => message("stall", MessageVerb::Stall),
        "step_clock" => Some(Verb::StepClock { names: as_texts(&e.node), by: span(t, "by").unwrap_or(Span::ZERO) }),
        "drift_clock" => Some(Verb::DriftClock {
            names: as_texts(&e.node),
            rate_ppm: t.get("rate").and_then(as_ppm).unwrap_or(1_000_000),
        }),
        "evict" => Some(Verb::Evict { names: as_texts(&e.node), lock: text(t, "lock_name") }),
        // Verbs that are not built have been said to be so.
        _ => None,
    }
}

fn designs(t: &Table, story: &Table) -> Vec<Design> {
    let mut out: Vec<Design> = Vec::new();
    for (i, (d, at)) in tables(t, "design").enumerate() {
        let (name, protection) = (text(d, "name"), text(d, "protection"));
        out.push(Design {
            name: design_name(name.as_deref(), protection.as_deref(), i),
            note: text(d, "note"),
            protection,
            lock: settings(table(d, "lock")),
            client: settings(table(d, "client")),
            resource: settings(table(d, "resource")),
            expect: expect(story, table(d, "expect")),
            written: true,
            at,
        });
    }
    if out.is_empty() {
        out.push(Design {
            name: text(t, "title").unwrap_or_else(|| "As written".to_string()),
            note: None,
            protection: None,
            lock: Settings::new(),
            client: Settings::new(),
            resource: Settings::new(),
            expect: expect(story, &EMPTY),
            written: false,
            at: Pos::UNKNOWN,
        });
    }
    out
}

/// A design's claims over the story's, key by key.
fn expect(story: &Table, design: &Table) -> Expect {
    let get = |key: &str| design.get(key).or_else(|| story.get(key));
    let words = |key: &str| get(key).map(|n| Claim { value: as_texts(n), at: n.at });
    let items = |key: &str| get(key).map_or(&[][..], Node::items);
    Expect {
        violates: words("violates"),
        notes: words("notes"),
        instants: items("instants")
            .iter()
            .filter_map(|n| Some(Claim { value: ExpectInstant::parse(n.as_text()?).ok()?, at: n.at }))
            .collect(),
        measures: items("measures")
            .iter()
            .filter_map(|n| Some(Claim { value: ExpectMeasure::parse(n.as_text()?).ok()?, at: n.at }))
            .collect(),
        ends: get("ends")
            .and_then(Node::as_table)
            .map_or(&[][..], |t| &t.entries)
            .iter()
            .filter_map(|e| Some(Claim { value: (e.key.clone(), e.node.as_text()?.to_string()), at: e.at }))
            .collect(),
    }
}

fn sweep(t: &Table) -> Sweep {
    Sweep {
        runs: int(t, "runs").unwrap_or(10_000) as u32,
        axes: table(t, "axes")
            .entries
            .iter()
            .map(|e| (e.key.clone(), e.node.items().iter().map(Node::to_string).collect()))
            .collect(),
        measures: texts(t, "measure").unwrap_or_else(|| vec!["violated".to_string()]),
    }
}

fn explore(e: &Table, file: &Table) -> Explore {
    let properties = texts(e, "properties").filter(|p| p != &["judge"]);
    Explore {
        faults: table(e, "faults")
            .entries
            .iter()
            .filter_map(|f| Some((f.key.clone(), as_int(&f.node)? as u32)))
            .collect(),
        total: int(e, "total").unwrap_or(2) as u32,
        targets: texts(e, "targets").unwrap_or_else(|| vec!["workers".to_string()]),
        schedules: int(e, "schedules").unwrap_or(200_000) as u32,
        properties: properties.unwrap_or_else(|| judged(file)),
    }
}

fn judged(t: &Table) -> Vec<String> {
    match t.get("judge") {
        Some(n) => as_texts(n),
        None => {
            super::registry::claims::PROPERTIES.iter().filter(|p| p.judged).map(|p| p.word.text.to_string()).collect()
        }
    }
}

fn lesson(t: &Table, designs: &[Design]) -> Lesson {
    Lesson {
        ask: text(t, "ask"),
        choices: texts(t, "choices").unwrap_or_default(),
        answer: texts(t, "answer").and_then(|a| a.into_iter().next()),
        design: text(t, "design").and_then(|name| designs.iter().position(|d| d.name == name)).unwrap_or(0),
        task: text(t, "task"),
        locked: texts(t, "locked").unwrap_or_default(),
        hints: texts(t, "hints").unwrap_or_default(),
        next: text(t, "next"),
    }
}
