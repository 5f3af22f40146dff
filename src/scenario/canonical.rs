//! The one way to write a scenario down.
//!
//! A link carries this text, and two scenarios are equal if theirs are. Rules: (1) a list of one becomes its value; (2) what equals the value it
//! would have anyway is dropped, except a design's keys and what a named worker, lock or resource says of `client`, `lock` or `resource`, where
//! being written has a meaning, and except names; (3) times in the largest unit that leaves a whole number, numbers shortest (the normalized
//! tree has that already); (4) keys in code-point order, lists as given; (5) no white space.
//!
//! "The value it would have anyway" depends on the service: a product's profile may have another default. A key of the story is dropped only
//! if it changes nothing under every design.

use super::layers::{Resolver, set_to};
use super::names::{Names, with_more};
use super::profile::default_nodes;
use super::quantity::signed_time;
use super::registry::services::profile;
use super::registry::{Row, Section, row};
use super::scenario::Scenario;
use super::scenario::read::{sort, words};
use super::tree::{Entry, Form, Node, Table, Value};

/// The canonical JSON of a scenario.
pub(crate) fn write(scenario: &Scenario) -> String {
    let canon = Canon { services: services(scenario), scenario };
    let mut tree = scenario.tree.clone();
    tree.entries.retain_mut(|e| canon.keeps(e));
    let mut value = Value::Table(tree);
    collapse(&mut value);
    value.written(Form::Json)
}

/// Every service that some design asks for some lock.
fn services(s: &Scenario) -> Vec<&str> {
    let mut out: Vec<&str> = Vec::new();
    for d in &s.designs {
        for lock in with_more(&s.more_locks) {
            let service = Resolver::new(s, d).service(lock);
            if !out.contains(&service) {
                out.push(service);
            }
        }
    }
    out
}

struct Canon<'a> {
    services: Vec<&'a str>,
    scenario: &'a Scenario,
}

impl Canon<'_> {
    /// Takes out of a key of the file what need not be said. Is there anything left to say?
    fn keeps(&self, e: &mut Entry) -> bool {
        let section = Section::ALL.into_iter().find(|s| s.word() == e.key).unwrap_or(Section::Header);
        if section == Section::Header {
            return !self.is_default(section, e);
        }
        if let Value::Table(t) = &mut e.node.value {
            match section {
                Section::Expect => without_empty(t),
                Section::Clock => self.clocks(t),
                _ => self.drop_defaults(section, t),
            }
            // That there is one of these is part of the story.
            return !t.is_empty() || matches!(section, Section::Sweep | Section::Explore | Section::Lesson);
        }
        let Value::List(list) = &mut e.node.value else { return true };
        for t in list.iter_mut().filter_map(Node::as_table_mut) {
            match section {
                Section::Design => without_empty(t),
                _ => self.drop_defaults(section, t),
            }
        }
        // One worker without a word about it is what a file without workers has.
        let alone = |n: &Node| section == Section::Worker && n.as_table().is_some_and(Table::is_empty);
        match list.as_slice() {
            [] => false,
            [one] => !alone(one),
            _ => true,
        }
    }

    fn drop_defaults(&self, section: Section, t: &mut Table) {
        // A count of one is none; so is a process of one's own name.
        let own_process = section == Section::Worker
            && t.get("count").is_none_or(|c| c.value == Value::Int(1))
            && t.get("name").is_some_and(|n| t.get("process") == Some(n));
        t.entries.retain_mut(|e| match (&mut e.node.value, section, e.key.as_str()) {
            (Value::Table(inner), Section::Worker, "client") => {
                without_empty(inner);
                !inner.is_empty()
            }
            (Value::List(list), Section::Lock | Section::Resource, "also") => {
                list.iter_mut().filter_map(Node::as_table_mut).for_each(without_empty);
                !list.is_empty()
            }
            (_, Section::Worker, "process") if own_process => false,
            _ => !self.is_default(section, e),
        });
    }

    /// Is this the value that the key would have anyway, under every design?
    fn is_default(&self, section: Section, e: &Entry) -> bool {
        let Some(r) = row(section, &e.key) else { return false };
        // Without a default of its own, a key of a link or a fault says something, and elsewhere only an empty list does not.
        let silent = !r.default.is_empty() || (r.ty.is_list() && !matches!(section, Section::Link | Section::Fault));
        // Names are never dropped, nor is a reference to one.
        if r.key == "name" || (section, r.key) == (Section::Lesson, "design") || !silent {
            return false;
        }
        self.services.iter().all(|service| is_default(r, service, &e.node))
    }

    /// Takes out the defaults that change no node's clock under any design: what is said of one meets what is said of its group key by key,
    /// so a default may have a meaning. Taken out one by one until nothing more can go.
    fn clocks(&self, t: &mut Table) {
        let names: Vec<Names> = self.scenario.designs.iter().map(|d| Names::of(self.scenario, d)).collect();
        let all = |clocks: &Table| names.iter().map(|n| n.clocks(clocks)).collect::<Vec<_>>();
        let meant = all(t);
        sort(t);
        let mut i = 0;
        while i < t.entries.len() * 2 {
            let mut without = t.clone();
            let key = ["rate", "offset"][i % 2];
            let dropped = without.entries[i / 2].node.as_table_mut().and_then(|clock| clock.remove(key));
            let default = dropped.is_some_and(|n| row(Section::Clock, key).is_some_and(|r| n.shown() == r.default));
            if default && all(&without) == meant {
                *t = without;
                // What had to stay beside this one may go now.
                i = 0;
            } else {
                i += 1;
            }
        }
        t.entries.retain(|clock| clock.node.as_table().is_some_and(|keys| !keys.is_empty()));
    }
}

/// Is this the value of a key that nobody writes, under a service? Equal values are written equally, and times may be written in two units.
fn is_default(r: &Row, service: &str, node: &Node) -> bool {
    if (r.section, r.key) == (Section::Lock, "nodes") {
        return words(node) == default_nodes(service);
    }
    let default = set_to(profile(service), r).unwrap_or(r.default);
    if default.is_empty() {
        return node.items().is_empty();
    }
    node.shown() == default || node.as_text().is_some_and(|text| same_time(text, default))
}

fn same_time(a: &str, b: &str) -> bool {
    matches!((signed_time(a), signed_time(b)), (Ok(a), Ok(b)) if a == b)
}

/// Everything that is written, with empty tables left out.
fn without_empty(t: &mut Table) {
    t.entries.retain_mut(|e| match &mut e.node.value {
        Value::Table(inner) => {
            without_empty(inner);
            !inner.is_empty()
        }
        _ => true,
    });
}

/// Lists of one become their value and keys are sorted, at every depth.
fn collapse(value: &mut Value) {
    match value {
        Value::List(list) => {
            list.iter_mut().for_each(|n| collapse(&mut n.value));
            // A list inside a list stays one: it is a group of a partition, and groups are never alone.
            if list.len() == 1
                && let Some(one) = list.pop()
            {
                *value = one.value;
            }
        }
        Value::Table(t) => {
            t.entries.iter_mut().for_each(|e| collapse(&mut e.node.value));
            sort(t);
        }
        _ => {}
    }
}
