//! The cards: which rows of the registry each one has, and which of them are shown.

use super::{Field, at, field, of_design, of_place, shown};
use crate::app::text;
use crate::base::pieces::{count, cut, divide, has, joined, words};
use crate::scenario::Scenario;
use crate::scenario::profile::default_nodes;
use crate::scenario::registry::faults::{COMMON, Victim};
use crate::scenario::registry::{Row, Section, row, words_of};
use crate::scenario::scenario::read::texts;
use crate::scenario::scenario::{Fault, path};
use crate::scenario::step::Step;
use crate::scenario::tree::Node;

/// Keys that are shown in every story, set or not.
const ALWAYS: &str =
    "lock.service lock.ttl client.retry network.one_way worker.start link.from link.to link.one_way clock.rate";

/// One entry of the file that makes a worker, or several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkerCard {
    pub entry: usize,
    pub name: String,
    /// Class of its hue.
    pub hue: &'static str,
    /// In one line, and whether there is a block in them, which a line cannot say.
    pub steps: String,
    pub blocks: bool,
    /// It is not the last.
    pub removable: bool,
}

/// One fault, as the form shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultCard {
    /// Whom it strikes, each with the class of its hue.
    pub whom: Vec<(String, &'static str)>,
    pub what: String,
    /// Its place in the file.
    pub entry: usize,
}

/// The fields of a card: what is always shown and what is set; of an open one all that have these words, if there are any.
pub fn card(scenario: &Scenario, design: usize, card: &str, open: bool, query: &str) -> Vec<Field> {
    let (head, rest) = divide(card, ".");
    let mut all = Cards { scenario, design, open, query, out: Vec::new() };
    let below = |table: &str| [card, ".", table].concat();
    match head {
        "story" => all.section(Section::Header, "", true),
        "lock" | "resource" if rest.is_empty() => {
            let sections = if head == "lock" { &[Section::Lock, Section::Client][..] } else { &[Section::Resource] };
            for section in sections {
                for row in section.rows() {
                    if let Some(f) = of_design(scenario, design, row) {
                        all.offer(row, f, true);
                    }
                }
            }
        }
        "lock" => all.own(Section::Lock, &below(""), name_at(scenario, card)),
        "resource" => all.own(Section::Resource, &below(""), name_at(scenario, card)),
        "worker" => {
            all.section(Section::Worker, &below(""), true);
            let entry = count(rest).unwrap_or(0);
            let worker = scenario.workers.iter().find(|w| w.entry == entry).map(|w| w.name.as_str());
            all.own(Section::Client, &below("client."), worker);
        }
        "fault" => {
            if let Some(f) = scenario.faults.iter().find(|f| path("fault", f.entry, "") == card) {
                all.fault(f);
            }
        }
        "design" => {
            all.design = count(rest).unwrap_or(0);
            all.section(Section::Design, &below(""), true);
            for section in [Section::Lock, Section::Client, Section::Resource] {
                all.own(section, &below(&[section.word(), "."].concat()), None);
            }
            all.section(Section::Expect, &below("expect."), true);
        }
        "link" | "clock" => {
            let section = if head == "link" { Section::Link } else { Section::Clock };
            all.section(section, &below(""), true);
        }
        _ => {
            if let Some(section) = Section::from_word(card) {
                all.section(section, &below(""), true);
            }
        }
    }
    all.out
}

/// The name of a further lock or resource.
fn name_at<'a>(scenario: &'a Scenario, card: &str) -> Option<&'a str> {
    at(&scenario.tree, &[card, ".name"].concat())?.as_text()
}

struct Cards<'a> {
    scenario: &'a Scenario,
    design: usize,
    open: bool,
    query: &'a str,
    out: Vec<Field>,
}

impl Cards<'_> {
    /// The rows of a table that has one place.
    fn section(&mut self, section: Section, prefix: &str, unasked: bool) {
        for row in section.rows().filter(|r| r.built) {
            // Tables have fields of their own; the name of the language is no choice, and steps have a list.
            let table = matches!(row.key, "lock" | "client" | "resource" | "expect" | "schema" | "steps");
            if !table || row.section == Section::Lesson {
                let mut f = of_place(self.scenario, [prefix, row.key].concat(), row);
                if row.key == "name" && f.default {
                    f.value = self.name(prefix).unwrap_or_default();
                }
                self.offer(row, f, unasked);
            }
        }
    }

    /// What a worker or a design is called where the file does not say it.
    fn name(&self, prefix: &str) -> Option<String> {
        let entry = count(cut(prefix, ".")?.1.strip_suffix('.')?)?;
        match prefix.starts_with("design") {
            true => Some(self.scenario.designs.get(entry)?.name.clone()),
            false => Some(self.scenario.workers.iter().find(|w| w.entry == entry)?.name.clone()),
        }
    }

    /// The rows of lock, client or resource that one named thing, or one design, says itself: a great many, so they are shown if they are
    /// set, or searched for, or decide most stories.
    fn own(&mut self, section: Section, prefix: &str, name: Option<&str>) {
        let s = self.scenario;
        for row in section.rows().filter(|r| r.built) {
            let path = [prefix, row.key].concat();
            let node = at(&s.tree, &path);
            let service = s.resolved_for(self.design, "lock.service", name.filter(|_| section == Section::Lock));
            if node.is_none() && !row.uses.has(&service.map(|s| s.0).unwrap_or_default()) {
                continue;
            }
            let value = match node {
                Some(node) => shown(node, row.ty),
                None => s.resolved_for(self.design, &row.path(), name).map(|v| v.0).unwrap_or_default(),
            };
            // What makes or breaks most stories has its place without being searched for.
            let first = match section {
                Section::Client => row.key == "check_deadline",
                _ => row.key == "service" || row.key == "name",
            };
            self.offer(row, field(path, row, value, node.is_none()), first);
        }
    }

    fn fault(&mut self, f: &Fault) {
        let verb = f.verb.row();
        let field = Field { says: f.verb.says(), ..of_place(self.scenario, f.path(verb.key), &verb) };
        self.offer(&verb, field, true);
        for key in words_of(COMMON).into_iter().chain(words_of(f.verb.keys)) {
            let Some(row) = row(Section::Fault, key) else { continue };
            // What happens at one instant has no end.
            if f.verb.lasts || !["until", "for"].contains(&key) {
                let mut field = of_place(self.scenario, f.path(key), row);
                if key == "at" && f.verb.lasts {
                    field.label = "from".to_string();
                }
                let stays = key == "at"
                    || (key == "until" && f.verb.lasts && f.message().is_none() && f.keys.get("for").is_none());
                if stays && (!self.open || has_words(row, &field, self.query)) {
                    self.out.push(field);
                } else {
                    self.offer(row, field, true);
                }
            }
        }
    }

    /// Shows a field, if it is one of those that are shown. `unasked`: an open card shows it also if nobody searches.
    fn offer(&mut self, row: &Row, f: Field, unasked: bool) {
        let one_place = !matches!(row.section, Section::Lock | Section::Client) || f.path == row.path();
        let always = one_place && words(ALWAYS).contains(&row.path().as_str());
        let found = has_words(row, &f, self.query) && (unasked || !self.query.is_empty() || !f.default || always);
        // A closed card of a design or a fault shows in its head who and what.
        let told = f.path.starts_with("design.")
            || (row.section == Section::Fault && !super::is_key(&row.path()))
            || (row.key == "name" && f.path.starts_with("worker."));
        if if self.open { found } else { (always || !f.default) && !told } {
            self.out.push(f);
        }
    }
}

/// Does the row have all these words, in its key, its label or its sentence?
fn has_words(row: &Row, f: &Field, query: &str) -> bool {
    let all = [&row.path(), " ", &f.label, " ", f.says].concat().to_ascii_lowercase();
    words(&query.to_ascii_lowercase()).iter().all(|w| has(&all, w))
}

/// The workers, one card for each entry of the file.
pub fn workers(scenario: &Scenario) -> Vec<WorkerCard> {
    let mut out: Vec<WorkerCard> = Vec::new();
    let several = scenario.workers.iter().any(|w| w.entry > 0);
    for (i, w) in scenario.workers.iter().enumerate().filter(|(_, w)| w.copy == 0) {
        let name = match w.count {
            1 => w.name.clone(),
            n => [w.name.as_str(), "…", scenario.workers.get(i + n as usize - 1).map_or("", |w| &w.name)].concat(),
        };
        let (steps, blocks) = steps(&w.steps);
        out.push(WorkerCard { entry: w.entry, name, hue: hue(i), steps, blocks, removable: several });
    }
    out
}

/// Steps in one line, and whether there is a block in them.
fn steps(list: &[Step]) -> (String, bool) {
    let mut blocks = false;
    let one = |s: &Step| match s {
        Step::One(action) => action.text(),
        Step::Loop { times, steps: inner, .. } => {
            blocks = true;
            text::looped(*times, &steps(inner).0)
        }
    };
    let words: Vec<String> = list.iter().map(one).collect();
    (joined(&words, ", "), blocks)
}

/// The class of the n-th worker's hue: three hues, then again from the first.
pub fn hue(index: usize) -> &'static str {
    ["w1", "w2", "w3"][index % 3]
}

/// The faults.
pub fn faults(scenario: &Scenario) -> Vec<FaultCard> {
    scenario.faults.iter().map(|f| fault(scenario, f)).collect()
}

fn fault(scenario: &Scenario, f: &Fault) -> FaultCard {
    let whom = match (f.verb.victim, f.message()) {
        (_, Some(_)) => f.names("from").unwrap_or_default(),
        (Victim::Groups, _) => Vec::new(),
        _ => f.whom(),
    };
    let chip = |name: &str| {
        let base = divide(name, ".").0;
        (name.to_string(), scenario.worker(base).map_or("nd", hue))
    };
    FaultCard { whom: whom.into_iter().map(chip).collect(), what: text::fault(f), entry: f.entry }
}

/// Everything in the scenario that has a name: workers, servers, resources, and groups of them.
pub(super) fn names(scenario: &Scenario, design: usize) -> Vec<String> {
    let mut out = Vec::new();
    for w in &scenario.workers {
        out.push(w.name.clone());
    }
    for group in ["workers", "lock", "lock-node"] {
        out.push(group.to_string());
    }
    let own = |node: Option<&Node>| node.and_then(Node::as_text).unwrap_or("R").to_string();
    out.push(own(scenario.written.resource.get("name")));
    for more in &scenario.more_resources {
        out.push(own(more.get("name")));
    }
    let service = scenario.resolved(design, "lock.service").map(|v| v.0).unwrap_or_default();
    let written = texts(&scenario.written.lock, "nodes");
    for node in if written.is_empty() { default_nodes(&service).to_vec() } else { written } {
        if !out.iter().any(|n| n == node) {
            out.push(node.to_string());
        }
    }
    out
}

/// Whose clock can still be set.
pub fn unused(scenario: &Scenario, design: usize) -> Vec<String> {
    let mut out = names(scenario, design);
    out.retain(|name| at(&scenario.tree, &["clock.", name].concat()).is_none());
    out
}

/// Whose clocks the story sets.
pub fn clocks(scenario: &Scenario) -> Vec<String> {
    let mut out = Vec::new();
    for e in scenario.tree.get("clock").and_then(Node::as_table).map_or(&[][..], |t| &t.entries) {
        out.push(e.key.clone());
    }
    out
}

/// How many entries a list has.
pub fn count_at(scenario: &Scenario, list: &str) -> usize {
    at(&scenario.tree, list).map_or(0, |n| n.items().len())
}

/// The name of an entry, if it has one.
pub fn name_of(scenario: &Scenario, path: &str) -> Option<String> {
    name_at(scenario, path).map(str::to_string)
}

/// The steps of a list, as they stand there; the default ones, where nobody has written any.
pub fn steps_of(scenario: &Scenario, list: &str) -> Vec<Node> {
    match at(&scenario.tree, list) {
        Some(node) => node.items().to_vec(),
        None => Step::default_list().iter().map(Step::node).collect(),
    }
}

/// How often a block repeats, and on which grid.
pub fn block_fields(scenario: &Scenario, path: &str) -> Vec<Field> {
    let mut out = Vec::new();
    for (key, of) in [("loop", "rounds"), ("every", "every")] {
        if let Some(row) = row(Section::Worker, of) {
            let path = [path, ".", key].concat();
            let node = at(&scenario.tree, &path);
            let value = node.map_or(String::new(), Node::shown);
            out.push(Field { label: key.to_string(), ..field(path, row, value, node.is_none()) });
        }
    }
    out
}
