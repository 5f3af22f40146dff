//! The one way to write a scenario down.
//!
//! A link carries this text, and two scenarios are equal if theirs are. Rules: (1) a list of one becomes its value; (2) what equals the value it
//! would have anyway is dropped, except a design's keys and what a named worker, lock or resource says of `client`, `lock` or `resource`, where
//! being written has a meaning, and except names; (3) times in the largest unit that leaves a whole number, numbers shortest (the normalized
//! tree has that already); (4) keys in code-point order, lists as given; (5) no white space.
//!
//! "The value it would have anyway" depends on the service: a product's profile may have another default. A key of the story is dropped only
//! if it changes nothing under every design.

use super::layers::{Resolver, canonical};
use super::names::Names;
use super::profile::{default_nodes, profile};
use super::registry::faults::fault_verb;
use super::registry::{Row, Section, row};
use super::scenario::{ClockSetting, Scenario};
use super::step::Step;
use super::tree::{Entry, Node, Table, Value, json};
use crate::base::Span;

/// The canonical JSON of a normalized tree.
pub(crate) fn write(tree: &Table, scenario: &Scenario) -> String {
    let table = Canon { services: services(scenario), scenario }.file(tree);
    let mut out = String::new();
    json::write(&Value::Table(table), &mut out);
    out
}

/// Every service that some design asks for some lock.
fn services(s: &Scenario) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for d in &s.designs {
        let r = Resolver::new(s, d);
        let locks = std::iter::once(None).chain(s.more_locks.iter().map(|(_, l)| Some(l)));
        for service in locks.map(|l| r.service(l)) {
            if !out.contains(&service) {
                out.push(service);
            }
        }
    }
    out
}

struct Canon<'a> {
    services: Vec<String>,
    scenario: &'a Scenario,
}

impl Canon<'_> {
    fn file(&self, tree: &Table) -> Table {
        let mut out = Table::default();
        for e in &tree.entries {
            let section = Section::ALL.into_iter().find(|s| s.word() == e.key && *s != Section::Header);
            let value = match (section, e.node.as_table()) {
                (Some(Section::Lock | Section::Client | Section::Resource), Some(t)) => self.story_table(section, t),
                (Some(Section::Expect), Some(t)) => some_table(written(t)),
                // That there is one is part of the story.
                (Some(s @ (Section::Sweep | Section::Explore | Section::Lesson)), Some(t)) => {
                    Some(Value::Table(self.dropping(s, t)))
                }
                (Some(Section::Network), Some(t)) => some_table(self.dropping(Section::Network, t)),
                (Some(Section::Clock), Some(t)) => some_table(clocks(t, self.scenario)),
                (Some(Section::Worker), _) => self.workers(&e.node),
                (Some(s @ (Section::Link | Section::Fault | Section::Design)), _) => self.list(s, &e.node),
                _ if row(Section::Header, &e.key).is_some_and(|r| self.is_default(r, &e.node)) => None,
                _ => Some(collapse(&e.node)),
            };
            if let Some(value) = value {
                push(&mut out, e, value);
            }
        }
        sorted(out)
    }

    /// `[lock]`, `[client]`, `[resource]`.
    fn story_table(&self, section: Option<Section>, t: &Table) -> Option<Value> {
        let section = section?;
        let mut out = Table::default();
        for e in &t.entries {
            if e.key == "also" {
                let list: Vec<Node> = e
                    .node
                    .items()
                    .iter()
                    .filter_map(Node::as_table)
                    .map(|t| Node::new(Value::Table(written(t))))
                    .collect();
                if !list.is_empty() {
                    push(&mut out, e, collapse(&Node::new(Value::List(list))));
                }
            } else if !row(section, &e.key).is_some_and(|r| self.is_default(r, &e.node)) {
                push(&mut out, e, collapse(&e.node));
            }
        }
        some_table(sorted(out))
    }

    fn dropping(&self, section: Section, t: &Table) -> Table {
        let mut out = Table::default();
        for e in &t.entries {
            if !row(section, &e.key).is_some_and(|r| self.is_default(r, &e.node)) {
                push(&mut out, e, collapse(&e.node));
            }
        }
        sorted(out)
    }

    fn workers(&self, node: &Node) -> Option<Value> {
        let mut list = Vec::new();
        for t in node.items().iter().filter_map(Node::as_table) {
            let mut out = Table::default();
            for e in &t.entries {
                match e.key.as_str() {
                    "client" => {
                        if let Some(value) = e.node.as_table().and_then(|t| some_table(written(t))) {
                            push(&mut out, e, value);
                        }
                    }
                    // A count of one is none; so is a process of one's own name.
                    "process"
                        if t.get("count").is_none_or(|c| c.value == Value::Int(1))
                            && t.get("name") == Some(&e.node) => {}
                    "steps" if e.node.items() == default_steps() => {}
                    "name" | "steps" => push(&mut out, e, collapse(&e.node)),
                    _ if row(Section::Worker, &e.key).is_some_and(|r| self.is_default(r, &e.node)) => {}
                    _ => push(&mut out, e, collapse(&e.node)),
                }
            }
            list.push(Node::new(Value::Table(sorted(out))));
        }
        // One worker without a word about it is what a file without workers has.
        let alone = matches!(list.as_slice(), [one] if one.as_table().is_some_and(Table::is_empty));
        if list.is_empty() || alone { None } else { Some(collapse(&Node::new(Value::List(list)))) }
    }

    fn list(&self, section: Section, node: &Node) -> Option<Value> {
        let each = |t: &Table| match section {
            Section::Design => written(t),
            _ => {
                let mut out = Table::default();
                for e in &t.entries {
                    let known = if fault_verb(&e.key).is_some() { None } else { row(section, &e.key) };
                    // Without a default of its own, a key of a link says something: it overrides.
                    if !known.is_some_and(|r| !r.default.is_empty() && self.is_default(r, &e.node)) {
                        push(&mut out, e, collapse(&e.node));
                    }
                }
                sorted(out)
            }
        };
        let list: Vec<Node> =
            node.items().iter().filter_map(Node::as_table).map(|t| Node::new(Value::Table(each(t)))).collect();
        if list.is_empty() { None } else { Some(collapse(&Node::new(Value::List(list)))) }
    }

    /// Is this the value that the key would have anyway, under every design?
    fn is_default(&self, r: &Row, node: &Node) -> bool {
        let path = r.path();
        // Names are never dropped, nor is a reference to one; without a default of its own, only an empty list says nothing.
        if r.key == "name" || path == "lesson.design" || (r.default.is_empty() && !r.ty.is_list()) {
            return false;
        }
        let default = |service: &str| {
            if path == "lock.nodes" {
                let nodes = default_nodes(service).iter().map(|n| Node::text(*n)).collect();
                return Node::new(Value::List(nodes));
            }
            let special = profile(service).iter().find(|(p, _)| *p == path).map(|(_, v)| *v);
            canonical(r, special.unwrap_or(r.default))
        };
        self.services.iter().all(|s| default(s) == *node)
    }
}

fn default_steps() -> Vec<Node> {
    Step::default_list().iter().map(Step::node).collect()
}

/// Clocks without the defaults that change no node's clock under any design: what is said of one meets what is said of its group key by key, so a
/// default may have a meaning. Taken out one by one until nothing more can go.
fn clocks(t: &Table, scenario: &Scenario) -> Table {
    let names: Vec<Names> = scenario.designs.iter().map(|d| Names::of(scenario, d)).collect();
    let all = |settings: &[ClockSetting]| names.iter().map(|n| n.clocks(settings)).collect::<Vec<_>>();
    let meant = all(&scenario.clocks);
    let mut left = scenario.clocks.clone();
    crate::base::flat::sort_by(&mut left, |a, b| a.name.cmp(&b.name));
    let mut i = 0;
    while i < left.len() * 2 {
        let mut without = left.clone();
        let setting = &mut without[i / 2];
        let dropped = if i % 2 == 0 {
            setting.rate_ppm.take() == Some(1_000_000)
        } else {
            setting.offset.take() == Some(Span::ZERO)
        };
        if dropped && all(&without) == meant {
            left = without;
            // What had to stay beside this one may go now.
            i = 0;
        } else {
            i += 1;
        }
    }
    let mut out = Table::default();
    for c in &t.entries {
        let Some(setting) = left.iter().find(|s| s.name == c.key) else { continue };
        let mut keys = Table::default();
        for e in c.node.as_table().map_or(&[][..], |k| &k.entries) {
            let dropped = match e.key.as_str() {
                "rate" => setting.rate_ppm.is_none(),
                "offset" => setting.offset.is_none(),
                _ => false,
            };
            if !dropped {
                push(&mut keys, e, collapse(&e.node));
            }
        }
        if !keys.is_empty() {
            push(&mut out, c, Value::Table(sorted(keys)));
        }
    }
    sorted(out)
}

/// Everything that is written, with lists of one collapsed and empty tables left out.
fn written(t: &Table) -> Table {
    let mut out = Table::default();
    for e in &t.entries {
        match e.node.as_table() {
            Some(inner) => {
                if let Some(value) = some_table(written(inner)) {
                    push(&mut out, e, value);
                }
            }
            None => push(&mut out, e, collapse(&e.node)),
        }
    }
    sorted(out)
}

fn some_table(t: Table) -> Option<Value> {
    (!t.is_empty()).then_some(Value::Table(t))
}

fn push(out: &mut Table, e: &Entry, value: Value) {
    out.entries.push(Entry { key: e.key.clone(), at: e.at, node: Node { value, at: e.node.at } });
}

fn sorted(mut t: Table) -> Table {
    crate::base::flat::sort_by(&mut t.entries, |a, b| a.key.cmp(&b.key));
    t
}

/// Lists of one become their value, at every depth; tables inside are sorted.
fn collapse(node: &Node) -> Value {
    match &node.value {
        Value::List(l) => match l.as_slice() {
            // A list inside a list stays one: it is a group of a partition, and groups are never alone.
            [one] => collapse(one),
            several => Value::List(several.iter().map(|n| Node { value: collapse(n), at: n.at }).collect()),
        },
        Value::Table(t) => {
            let mut out = Table::default();
            for e in &t.entries {
                push(&mut out, e, collapse(&e.node));
            }
            Value::Table(sorted(out))
        }
        other => other.clone(),
    }
}
