//! What an edit of the form makes of the text, and whether that can be run.
//!
//! Every edit writes keys; comments and order of the text survive. An edit that would leave a text which cannot be run is not made: its
//! reason is shown where it was tried.

use super::{at, steps};
use crate::app::history::EditKey;
use crate::app::state::{Draft, Reading};
use crate::app::text;
use crate::base::pieces::{count, cut, divide, find, part, tail, whole};
use crate::base::text::number;
use crate::scenario::registry::faults::{Victim, fault_verb};
use crate::scenario::registry::services::service;
use crate::scenario::scenario::{Fault, path};
use crate::scenario::step::Step;
use crate::scenario::tree::{self, Node, Table, Value};
use crate::scenario::{Diagnostic, Scenario, edit};

/// The text with what somebody typed into a field, if that can be run; otherwise what is wrong with it. Nothing typed takes the key out,
/// so that its default holds again.
pub fn attempt(text: &str, path: &str, typed: &str) -> Result<Draft, String> {
    let typed = typed.trim();
    let worker = path.strip_prefix("worker.").and_then(|rest| rest.strip_suffix(".name"));
    let made = match (cut(path, "#"), worker) {
        (Some((step, part)), _) => set_part(text, step, part, typed),
        (_, Some(entry)) if !typed.is_empty() => edit::rename_worker(text, entry, typed),
        _ if typed.is_empty() => edit::remove(text, path),
        _ if path.ends_with(".loop") => {
            let times = whole(typed).map_or_else(|| Value::Text(typed.to_string()), Value::Int);
            edit::set(text, path, &times)
        }
        _ => edit::set_typed(text, path, typed),
    };
    runnable(made.map_err(|d| d.message)?)
}

/// A text that can be run, or the first thing that is wrong with it.
fn runnable(text: String) -> Result<Draft, String> {
    let parsed = Reading::of(&text);
    match parsed.diagnostics.iter().find(|d| d.is_error()) {
        Some(d) if parsed.scenario.is_none() => Err(d.message.clone()),
        _ => Ok(Draft { text: text.into(), parsed: Some(parsed) }),
    }
}

/// A change of the scenario that is more than one value. Entries are named by their place: `worker.0`, `fault.2`, `worker.0.steps.3`,
/// `clock.W1`, `lock.also.0`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// `what`: the verb of a fault or a step; the word of a design's protection, or `@` and its service; whose clock.
    Add {
        list: String,
        what: String,
    },
    /// With a worker go the faults that strike nobody else.
    Remove(String),
    Duplicate(String),
    /// To another place in its list.
    Move(String, usize),
}

impl Change {
    /// The steps of one drag are one change, until it is committed.
    pub(in crate::app) fn key(&self) -> EditKey {
        match self {
            Change::Move(path, _) => EditKey::Field(["move ", entry(path).0].concat()),
            _ => EditKey::Once,
        }
    }
}

/// The list of an entry, and which of it.
pub(super) fn entry(path: &str) -> (&str, &str) {
    let (mut list, mut place) = ("", path);
    while let Some(dot) = find(place, ".") {
        let upto = path.len() - place.len() + dot;
        (list, place) = (part(path, 0, upto), tail(path, upto + 1));
    }
    (list, place)
}

/// The text after a change, if it can be run; otherwise what is in the way.
pub fn change(text: &str, scenario: &Scenario, change: &Change) -> Result<Draft, String> {
    let made = match change {
        Change::Add { list, what } => add(text, scenario, list, what),
        Change::Remove(path) => remove(text, scenario, path),
        Change::Duplicate(path) => duplicate(text, path),
        Change::Move(path, to) => moved(text, path, *to),
    };
    runnable(made?)
}

type Made = Result<String, String>;

/// In the words of the form, what an edit refused.
fn told(made: Result<String, Diagnostic>) -> Made {
    made.map_err(|d| d.message)
}

fn read(text: &str) -> Table {
    tree::read(text).unwrap_or_default()
}

// ------------------------------------------------------------------ add

fn add(text: &str, scenario: &Scenario, list: &str, what: &str) -> Made {
    if list.ends_with("steps") {
        return add_step(text, list, what);
    }
    let mut entry = Table::default();
    match list {
        "worker" => return told(add_worker(text)),
        "fault" => return add_fault(text, scenario, what),
        "design" => {
            let service = what.strip_prefix('@').and_then(service);
            let label = match service {
                Some(s) => s.label,
                None if what.is_empty() => text::PLAIN_DESIGN,
                None => crate::scenario::profile::protection_row(what).map_or(what, |p| p.label),
            };
            let name = free(label, |name| scenario.designs.iter().any(|d| d.written && d.name == name));
            if service.is_some() || what.is_empty() || name != label {
                entry.set("name", Node::text(name));
            }
            match service {
                Some(s) => {
                    let mut lock = Table::default();
                    lock.set("service", Node::text(s.word));
                    entry.set("lock", Node::new(Value::Table(lock)));
                }
                None if !what.is_empty() => entry.set("protection", Node::text(what)),
                None => {}
            }
        }
        "link" => {
            entry.set("from", Node::text(first_worker(scenario)));
            entry.set("one_way", Node::text("50ms"));
        }
        "clock" => return told(edit::set_typed(text, &["clock.", what, ".rate"].concat(), "1.1")),
        also => {
            let (name, taken) = match also {
                "lock.also" => ("second", &scenario.more_locks),
                _ => ("Other", &scenario.more_resources),
            };
            let called = |name: &str| taken.iter().any(|s| s.get("name").and_then(Node::as_text) == Some(name));
            let mut n = 1;
            let mut free = name.to_string();
            while called(&free) {
                n += 1;
                free = [name, &number(n)].concat();
            }
            entry.set("name", Node::text(free));
        }
    }
    told(edit::add(text, list, &entry))
}

/// The name, or with a number behind it if it is taken.
fn free(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let (mut n, mut out) = (1, name.to_string());
    while taken(&out) {
        n += 1;
        out = text::numbered(name, n);
    }
    out
}

fn first_worker(scenario: &Scenario) -> &str {
    scenario.workers.first().map_or("W1", |w| w.name.as_str())
}

/// The new one starts late enough to come second.
fn add_worker(text: &str) -> Result<String, Diagnostic> {
    let (text, name) = edit::add_worker(text)?;
    edit::set_typed(&text, &["worker.", &name, ".start"].concat(), "2s")
}

/// As it stands in the example of its verb, but that it strikes the first worker; everything about it can be changed then.
fn add_fault(text: &str, scenario: &Scenario, verb: &str) -> Made {
    let example = fault_verb(verb).map_or("", |v| v.example());
    let example = read(example);
    let Some(fault) = example.get("fault").and_then(Node::as_table) else { return Err(text::NO_SUCH.to_string()) };
    let mut entry = fault.clone();
    for e in &mut entry.entries {
        named(&mut e.node, "W1", first_worker(scenario));
        named(&mut e.node, "R", resource(scenario));
    }
    told(edit::add(text, "fault", &entry))
}

fn resource(scenario: &Scenario) -> &str {
    scenario.written.resource.get("name").and_then(Node::as_text).unwrap_or("R")
}

/// Every text `old` in a value becomes `new`.
fn named(node: &mut Node, old: &str, new: &str) {
    match &mut node.value {
        Value::Text(s) if s == old => *s = new.to_string(),
        Value::List(all) => all.iter_mut().for_each(|one| named(one, old, new)),
        _ => {}
    }
}

// ------------------------------------------------------------------ remove, duplicate, move

fn remove(text: &str, scenario: &Scenario, path: &str) -> Made {
    let (list, place) = entry(path);
    match list {
        "worker" => told(remove_worker(text, scenario, count(place).unwrap_or(0))),
        "fault" | "design" | "link" => told(edit::remove_entry(text, list, place)),
        _ if list.ends_with("steps") => {
            let text = with_steps(text, list)?;
            if steps_at(&text, list).len() < 2 {
                return Err(text::LAST_STEP.to_string());
            }
            told(edit::remove(&text, path))
        }
        _ => told(edit::remove(text, path)),
    }
}

fn remove_worker(text: &str, scenario: &Scenario, entry: usize) -> Result<String, Diagnostic> {
    let mut gone: Vec<&str> = Vec::new();
    for w in scenario.workers.iter().filter(|w| w.entry == entry) {
        gone.push(&w.name);
    }
    let mut out = edit::remove_entry(text, "worker", &number(entry))?;
    // From the last to the first, so that numbers stay true.
    for f in scenario.faults.iter().rev().filter(|f| strikes_only(f, &gone)) {
        out = edit::remove_fault(&out, &number(f.entry))?;
    }
    // What the file claims about instants and lengths was claimed of a story with that worker.
    for key in ["instants", "measures", "ends"] {
        let key = ["expect.", key].concat();
        out = edit::remove(&out, &key)?;
        for (design, _) in scenario.designs.iter().enumerate().filter(|(_, d)| d.written) {
            out = edit::remove(&out, &path("design", design, &key))?;
        }
    }
    Ok(out)
}

fn strikes_only(f: &Fault, workers: &[&str]) -> bool {
    let named = |list: &[&str]| !list.is_empty() && list.iter().all(|n| workers.contains(&divide(n, ".").0));
    match f.message() {
        Some(_) => ["from", "to"].into_iter().filter_map(|key| f.names(key)).any(|l| named(&l)),
        None => f.verb.victim != Victim::Groups && named(&f.whom()),
    }
}

/// The copy stands behind its original.
fn duplicate(text: &str, path: &str) -> Made {
    let (list, place) = entry(path);
    let Some(i) = count(place) else { return Err(text::NO_SUCH.to_string()) };
    if list.ends_with("steps") {
        let text = with_steps(text, list)?;
        let all = steps_at(&text, list);
        let Some(step) = all.get(i) else { return Err(text::NO_SUCH.to_string()) };
        let last = [list, ".", &number(all.len())].concat();
        let text = told(edit::set(&text, &last, &step.value))?;
        return moved(&text, &last, i + 1);
    }
    let table = read(text);
    let all = at(&table, list).map_or(&[][..], Node::items);
    let Some(mut entry) = all.get(i).and_then(Node::as_table).cloned() else {
        return Err(text::NO_SUCH.to_string());
    };
    let taken = |name: &str| all.iter().any(|n| n.as_table().and_then(|t| t.get("name")?.as_text()) == Some(name));
    let name = entry.get("name").and_then(Node::as_text).map(str::to_string);
    match (list, name) {
        ("worker", _) => {
            // The next free number.
            let (_, name) = edit::add_worker(text).map_err(|d| d.message)?;
            entry.set("name", Node::text(name));
        }
        ("design", name) => {
            let protection = entry.get("protection").and_then(Node::as_text);
            let name =
                name.or_else(|| protection.and_then(crate::scenario::profile::protection_row).map(|p| p.label.into()));
            let name = name.unwrap_or_else(|| text::PLAIN_DESIGN.to_string());
            // Its number is no part of it that a copy would keep.
            entry.set("name", Node::text(free(&name, |n| n == name || taken(n))));
        }
        (_, Some(name)) => {
            let (mut n, mut new) = (2, [&name, "2"].concat());
            while taken(&new) {
                n += 1;
                new = [&name, number(n).as_str()].concat();
            }
            entry.set("name", Node::text(new));
        }
        _ => {}
    }
    let text = told(edit::add(text, list, &entry))?;
    if edit::LISTS.contains(&list) && !list.ends_with("also") {
        return told(edit::move_entry(&text, list, all.len(), i + 1));
    }
    Ok(text)
}

fn moved(text: &str, path: &str, to: usize) -> Made {
    let (list, place) = entry(path);
    let Some(from) = count(place) else { return Err(text::NO_SUCH.to_string()) };
    if !list.ends_with("steps") {
        return told(edit::move_entry(text, list, from, to));
    }
    // Steps trade places; what stands between them stays.
    let mut text = with_steps(text, list)?;
    let mut all = steps_at(&text, list);
    if from >= all.len() || to >= all.len() {
        return Err(text::NO_SUCH.to_string());
    }
    let one = all.remove(from);
    all.insert(to, one);
    for (i, step) in all.iter().enumerate().take(from.max(to) + 1).skip(from.min(to)) {
        text = told(edit::set(&text, &[list, ".", &number(i)].concat(), &step.value))?;
    }
    Ok(text)
}

// ------------------------------------------------------------------ steps

/// The steps of a list as they are written; the default ones, where nobody has written any.
fn steps_at(text: &str, list: &str) -> Vec<Node> {
    match at(&read(text), list) {
        Some(node) => node.items().to_vec(),
        None => Step::default_list().iter().map(Step::node).collect(),
    }
}

/// The text with the list written out.
fn with_steps(text: &str, list: &str) -> Made {
    if at(&read(text), list).is_some_and(|n| matches!(n.value, Value::List(_))) {
        return Ok(text.to_string());
    }
    told(edit::set(text, list, &Value::List(steps_at(text, list))))
}

fn add_step(text: &str, list: &str, verb: &str) -> Made {
    let step = if verb == text::REPEATED {
        let mut block = Table::default();
        block.set("loop", Node::new(Value::Int(3)));
        let inner = ["read", "work 1s", "write"].map(Node::text);
        block.set("steps", Node::new(Value::List(inner.to_vec())));
        Value::Table(block)
    } else {
        Value::Text(steps::first_text(verb).to_string())
    };
    let text = with_steps(text, list)?;
    let last = number(steps_at(&text, list).len());
    told(edit::set(&text, &[list, ".", &last].concat(), &step))
}

/// A step with another word in one of its parts.
fn set_part(text: &str, step: &str, part: &str, typed: &str) -> Result<String, Diagnostic> {
    let (list, place) = entry(step);
    let all = steps_at(text, list);
    let old = count(place).and_then(|i| all.get(i)?.as_text()).unwrap_or_default();
    edit::set(text, step, &Value::Text(steps::with(old, part, typed)))
}
