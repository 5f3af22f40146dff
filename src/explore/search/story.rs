//! A case as a scenario that anybody can open, and the plainest numbers with which it still breaks what it broke.

use super::count::Faults;
use crate::base::Span;
use crate::check::Property;
use crate::run::{Run, run};
use crate::scenario::edit::typed_value;
use crate::scenario::quantity::{time, write_time};
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::registry::{Type, by_path};
use crate::scenario::tree::{self, Node, Table, Value};
use crate::scenario::value::from_words;
use crate::scenario::{Scenario, parse, to_toml};

/// A story to which faults are added, under one of its designs.
pub struct Base {
    tree: Table,
    design: usize,
}

/// A counterexample, ready to be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    pub faults: Faults,
    /// The whole scenario as TOML; the design at hand claims what was found.
    pub text: String,
}

/// Round lengths, the roundest first.
const ROUND: [i64; 8] = [10_000_000, 5_000_000, 1_000_000, 500_000, 100_000, 10_000, 1_000, 100];

impl Base {
    pub fn new(scenario: &Scenario, design: usize) -> Base {
        let mut tree = tree::read(scenario.canonical()).expect("a canonical form can be read");
        // What was claimed of the story says nothing about the story with more faults.
        for key in ["expect", "sweep", "explore", "lesson"] {
            tree.remove(key);
        }
        for key in ["design", "fault"] {
            as_list(&mut tree, key);
        }
        for d in list(&mut tree, "design") {
            if let Value::Table(t) = &mut d.value {
                t.remove("expect");
            }
        }
        Base { tree, design }
    }

    /// The story without any fault of its own, and with its bounds of a search.
    pub fn bare(scenario: &Scenario) -> Scenario {
        let mut tree = tree::read(scenario.canonical()).expect("a canonical form can be read");
        for key in ["fault", "expect"] {
            tree.remove(key);
        }
        as_list(&mut tree, "design");
        for d in list(&mut tree, "design") {
            if let Value::Table(t) = &mut d.value {
                t.remove("expect");
            }
        }
        tree.entries.retain(|e| !matches!(&e.node.value, Value::List(l) if l.is_empty()));
        parse(&to_toml(&tree)).scenario.expect("a story is one without its faults, too")
    }

    fn with(&self, faults: &Faults) -> Table {
        let mut tree = self.tree.clone();
        for keys in faults {
            let mut fault = Table::default();
            for (key, value) in keys {
                let node = match (fault_verb(key), by_path(&["fault.", key].concat())) {
                    (Some(verb), _) if verb.row().ty == Type::Groups => {
                        Node::new(typed_value(Some(&verb.row()), value))
                    }
                    (Some(verb), _) => from_words(&verb.row(), value),
                    (None, Some(row)) => from_words(row, value),
                    (None, None) => Node::text(value.as_str()),
                };
                fault.set(key, node);
            }
            list(&mut tree, "fault").push(Node::new(Value::Table(fault)));
        }
        tree.entries.retain(|e| !matches!(&e.node.value, Value::List(l) if l.is_empty()));
        tree
    }

    /// The run of the story with these faults; nothing if that cannot be said.
    pub fn run(&self, faults: &Faults) -> Option<Run> {
        let scenario = parse(&to_toml(&self.with(faults))).scenario?;
        Some(run(&scenario, self.design))
    }

    fn breaks(&self, faults: &Faults, p: Property) -> bool {
        self.run(faults).is_some_and(|r| r.report.violated(p))
    }

    /// The scenario with these faults, as text.
    pub fn text(&self, faults: &Faults) -> String {
        let mut tree = self.with(faults);
        if let Some(run) = self.run(faults) {
            let words = run.violated().iter().map(|p| Node::text(p.word())).collect();
            let mut expect = Table::default();
            expect.set("violates", Node::new(Value::List(words)));
            let expect = Node::new(Value::Table(expect));
            match list(&mut tree, "design").get_mut(self.design).map(|d| &mut d.value) {
                Some(Value::Table(design)) => design.set("expect", expect),
                _ => tree.set("expect", expect),
            }
        }
        tree.entries.retain(|e| !matches!(&e.node.value, Value::List(l) if l.is_empty()));
        to_toml(&tree)
    }

    /// The case with fewer words and rounder numbers, as long as it breaks the same property.
    pub fn shrink(&self, faults: &Faults, p: Property) -> Example {
        let mut best = faults.clone();
        let attempt = |best: &mut Faults, change: &dyn Fn(&mut Faults)| {
            let mut other = best.clone();
            change(&mut other);
            let is_better = other != *best && self.breaks(&other, p);
            if is_better {
                *best = other;
            }
            is_better
        };
        let mut i = 0;
        while i < best.len() {
            if !attempt(&mut best, &|f| drop(f.remove(i))) {
                i += 1;
            }
        }
        for i in 0..best.len() {
            for (key, plain) in [("to", "lock"), ("to", ""), ("from", ""), ("nth", ""), ("until", "")] {
                attempt(&mut best, &|f| put(&mut f[i], key, plain));
            }
            for key in ["until", "takes", "by", "at"] {
                let Some(now) = best[i].iter().find(|k| k.0 == key).and_then(|k| time(&k.1).ok()) else { continue };
                let us = now.as_us();
                let rounder = ROUND.iter().filter(|unit| us % **unit != 0);
                let mut texts: Vec<i64> = Vec::new();
                for unit in rounder {
                    texts.push((us / unit + 1) * unit);
                    texts.push(us / unit * unit);
                }
                for us in texts {
                    let text = write_time(Span::from_us(us));
                    if attempt(&mut best, &|f| put(&mut f[i], key, &text)) {
                        break;
                    }
                }
            }
        }
        let text = self.text(&best);
        Example { faults: best, text }
    }
}

/// Gives a key that is there another value; an empty one takes it out.
fn put(fault: &mut Vec<(String, String)>, key: &str, value: &str) {
    if value.is_empty() {
        fault.retain(|k| k.0 != key);
    } else if let Some(k) = fault.iter_mut().find(|k| k.0 == key) {
        k.1 = value.to_string();
    }
}

/// One table stands for a list of one: here it is always a list.
fn as_list(tree: &mut Table, key: &str) {
    if let Some(node) = tree.get_mut(key)
        && node.as_table().is_some()
    {
        let one = node.clone();
        *node = Node::new(Value::List(vec![one]));
    }
}

fn list<'a>(tree: &'a mut Table, key: &str) -> &'a mut Vec<Node> {
    if !matches!(tree.get(key).map(|n| &n.value), Some(Value::List(_))) {
        tree.set(key, Node::new(Value::List(Vec::new())));
    }
    match tree.get_mut(key).map(|n| &mut n.value) {
        Some(Value::List(l)) => l,
        _ => unreachable!("it is a list by now"),
    }
}
