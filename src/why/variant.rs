//! The story at hand with one thing changed: what a counterfactual run is made of.
//!
//! The scenario is taken as its canonical text, changed as a tree, and read again, so that nothing can be run that could not be written
//! down. What cannot be said of this story is no variant.

use crate::base::Span;
use crate::run::{Run, run};
use crate::scenario::profile::pairs;
use crate::scenario::quantity::write_time;
use crate::scenario::registry::by_path;
use crate::scenario::tree::{self, Form, Node, Table, Value};
use crate::scenario::value::from_words;
use crate::scenario::{Scenario, parse};

/// The name of a design that is made up. A design may be called as it likes, but not have two spaces.
const MADE_UP: &str = "what  if";

/// A scenario under change.
#[derive(Clone)]
pub struct Variant {
    tree: Table,
    /// Which design is run.
    design: usize,
    /// How many there were.
    designs: usize,
}

impl Variant {
    pub fn of(scenario: &Scenario, design: usize) -> Option<Variant> {
        let mut tree = tree::read(scenario.canonical()).ok()?;
        // What is claimed, searched and taught has nothing to do with the run, and may name what is taken out.
        for key in ["expect", "sweep", "explore", "lesson"] {
            tree.remove(key);
        }
        for key in ["design", "fault", "worker", "link"] {
            as_list(&mut tree, key);
        }
        let designs = list(&mut tree, "design").len();
        for d in list(&mut tree, "design") {
            if let Some(t) = d.as_table_mut() {
                t.remove("expect");
            }
        }
        Some(Variant { tree, design, designs })
    }

    /// Without this fault.
    pub fn without_fault(mut self, i: usize) -> Option<Variant> {
        let faults = list(&mut self.tree, "fault");
        if i >= faults.len() {
            return None;
        }
        faults.remove(i);
        Some(self)
    }

    /// Without any fault.
    pub fn without_faults(mut self) -> Variant {
        self.tree.remove("fault");
        self
    }

    /// This fault lasts so long.
    pub fn fault_lasts(mut self, i: usize, length: Span) -> Option<Variant> {
        let fault = list(&mut self.tree, "fault").get_mut(i)?.as_table_mut()?;
        fault.remove("until");
        fault.set("for", Node::text(write_time(length)));
        Some(self)
    }

    /// A key of this fault has another value.
    pub fn fault_has(mut self, i: usize, key: &str, value: &str) -> Option<Variant> {
        let row = by_path(&["fault.", key].concat())?;
        list(&mut self.tree, "fault").get_mut(i)?.as_table_mut()?.set(key, from_words(row, value));
        Some(self)
    }

    /// One more fault.
    pub fn with_fault(mut self, keys: &[(&str, &str)]) -> Variant {
        let mut fault = Table::default();
        for (key, value) in keys {
            fault.set(key, Node::text(*value));
        }
        if self.tree.get("fault").is_none() {
            self.tree.set("fault", Node::new(Value::List(Vec::new())));
        }
        list(&mut self.tree, "fault").push(Node::new(Value::Table(fault)));
        self
    }

    /// Without this entry of a list of the story.
    pub fn without(mut self, key: &str, i: usize) -> Option<Variant> {
        let entries = list(&mut self.tree, key);
        if i >= entries.len() {
            return None;
        }
        entries.remove(i);
        Some(self)
    }

    /// The clocks of which the story says something, with the keys that it says.
    pub fn clocks(&self) -> Vec<(String, Vec<(String, String)>)> {
        let mut out = Vec::new();
        for e in self.tree.get("clock").and_then(Node::as_table).map_or(&[][..], |t| &t.entries) {
            let keys = e.node.as_table().map_or(&[][..], |t| &t.entries);
            out.push((e.key.clone(), keys.iter().map(|k| (k.key.clone(), k.node.shown())).collect()));
        }
        out
    }

    /// The clock of this name, with another value of a key; `None`: as it would be anyway.
    pub fn clock(mut self, name: &str, key: &str, value: Option<&str>) -> Option<Variant> {
        let clock = self.tree.get_mut("clock")?.as_table_mut()?.get_mut(name)?.as_table_mut()?;
        match value {
            Some(v) => clock.set(key, tree::read_number(v).map_or_else(|| Node::text(v), Node::new)),
            None => {
                clock.remove(key)?;
            }
        }
        Some(self)
    }

    /// How many entries a list of the story has.
    pub fn count(&self, key: &str) -> usize {
        match self.tree.get(key).map(|n| &n.value) {
            Some(Value::List(l)) => l.len(),
            _ => 0,
        }
    }

    /// Under this protection; the design's own keys stay unless the protection says something of them.
    pub fn protected(self, word: &str, sets: &'static str) -> Option<Variant> {
        let mut v = self.made_up()?;
        let design = v.made()?;
        for (path, _) in pairs(sets) {
            let (section, key) = crate::base::pieces::cut(path, ".")?;
            if let Some(t) = design.get_mut(section).and_then(Node::as_table_mut) {
                t.remove(key);
            }
        }
        // Another service has other servers.
        if sets.contains("lock.service")
            && let Some(t) = design.get_mut("lock").and_then(Node::as_table_mut)
        {
            t.remove("nodes");
        }
        design.set("protection", Node::text(word));
        Some(v)
    }

    /// These settings, whoever said something else.
    pub fn set(self, sets: &[(&str, &str)]) -> Option<Variant> {
        let mut v = if self.design < self.designs { self.made_up()? } else { self };
        for (path, value) in sets {
            let row = by_path(path)?;
            let (section, key) = crate::base::pieces::cut(path, ".")?;
            let value = from_words(row, value);
            let design = v.made()?;
            if design.get(section).is_none() {
                design.set(section, Node::new(Value::Table(Table::default())));
            }
            design.get_mut(section)?.as_table_mut()?.set(key, value);
            // What a named worker says of itself holds under every design: so it is said no longer.
            if section == "client" {
                for w in list(&mut v.tree, "worker") {
                    if let Some(t) = w.as_table_mut().and_then(|t| t.get_mut("client")).and_then(Node::as_table_mut) {
                        t.remove(key);
                    }
                }
            }
        }
        Some(v)
    }

    /// A copy of the design, to be changed.
    fn made_up(mut self) -> Option<Variant> {
        let designs = list_or_new(&mut self.tree, "design");
        let mut copy = match designs.get(self.design) {
            Some(d) => d.as_table()?.clone(),
            None => Table::default(),
        };
        copy.set("name", Node::text(MADE_UP));
        // A story may have only so many.
        if designs.len() >= crate::scenario::scenario::MAX_DESIGNS {
            let gone = usize::from(self.design == 0);
            designs.remove(gone);
        }
        designs.push(Node::new(Value::Table(copy)));
        self.design = designs.len() - 1;
        self.designs = self.design;
        Some(self)
    }

    fn made(&mut self) -> Option<&mut Table> {
        let at = self.design;
        list(&mut self.tree, "design").get_mut(at)?.as_table_mut()
    }

    /// The scenario, if it can be said.
    pub fn scenario(&self) -> Option<(Scenario, usize)> {
        let mut tree = self.tree.clone();
        tree.entries.retain(|e| !matches!(&e.node.value, Value::List(l) if l.is_empty()));
        let text = Value::Table(tree).written(Form::Json);
        let scenario = parse(&text).scenario?;
        (self.design < scenario.designs().len()).then_some((scenario, self.design))
    }

    /// Its run, if it can be run.
    pub fn run(&self) -> Option<Run> {
        let (scenario, design) = self.scenario()?;
        Some(run(&scenario, design))
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
    list_or_new(tree, key)
}

fn list_or_new<'a>(tree: &'a mut Table, key: &str) -> &'a mut Vec<Node> {
    if !matches!(tree.get(key).map(|n| &n.value), Some(Value::List(_))) {
        tree.set(key, Node::new(Value::List(Vec::new())));
    }
    match tree.get_mut(key).map(|n| &mut n.value) {
        Some(Value::List(l)) => l,
        _ => unreachable!("it is a list by now"),
    }
}
