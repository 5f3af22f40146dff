//! Parts of a scenario that no run needs: a sweep, a search, a lesson. Read from the tree by whoever asks.

use super::from_tree::judged;
use super::read::{int, items, of, owned, table, text};
use super::{Scenario, Table};
use crate::scenario::file_v1::keys::axis_row;
use crate::scenario::registry::by_path;
use crate::scenario::value::as_texts;

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

fn texts(t: &Table, key: &str) -> Option<Vec<String>> {
    t.get(key).map(as_texts)
}

impl Scenario {
    /// The paths of the story that hold a number, a length or a draw, with what they hold: what a sweep can vary. The lease first.
    pub fn axes(&self) -> Vec<(String, String)> {
        let ttl = by_path("lock.ttl").map(|row| self.shown(row));
        let mut out: Vec<(String, String)> = ttl.into_iter().map(|value| ("lock.ttl".to_string(), value)).collect();
        let mut from = |prefix: &str, t: &Table| {
            for e in &t.entries {
                let (path, value) = (format!("{prefix}.{}", e.key), e.node.shown());
                let varies = value.split(' ').any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
                if varies && e.node.items().len() <= 1 && path != "lock.ttl" && axis_row(&path).is_some() {
                    out.push((path, value));
                }
            }
        };
        for section in ["lock", "network", "client"] {
            from(section, table(&self.tree, section));
        }
        for e in &table(&self.tree, "clock").entries {
            from(&format!("clock.{}", e.key), of(&e.node));
        }
        for list in ["fault", "worker"] {
            for (i, node) in items(&self.tree, list).iter().enumerate() {
                let name = text(of(node), "name").map_or_else(|| i.to_string(), str::to_string);
                from(&format!("{list}.{name}"), of(node));
            }
        }
        out
    }

    pub fn sweep(&self) -> Option<Sweep> {
        let t = of(self.tree.get("sweep")?);
        let axes = &table(t, "axes").entries;
        Some(Sweep {
            runs: int(t, "runs").unwrap_or(10_000) as u32,
            axes: axes
                .iter()
                .map(|e| (e.key.clone(), e.node.items().iter().map(|n| n.to_string()).collect()))
                .collect(),
            measures: texts(t, "measure").unwrap_or_else(|| vec!["violated".to_string()]),
        })
    }

    pub fn explore(&self) -> Option<Explore> {
        let t = of(self.tree.get("explore")?);
        let faults = &table(t, "faults").entries;
        let properties = texts(t, "properties").filter(|p| p != &["judge"]);
        Some(Explore {
            faults: faults
                .iter()
                .map(|f| (f.key.clone(), int(table(t, "faults"), &f.key).unwrap_or(0) as u32))
                .collect(),
            total: int(t, "total").unwrap_or(2) as u32,
            targets: texts(t, "targets").unwrap_or_else(|| vec!["workers".to_string()]),
            schedules: int(t, "schedules").unwrap_or(200_000) as u32,
            properties: properties.unwrap_or_else(|| judged(&self.tree)),
        })
    }

    pub fn lesson(&self) -> Option<Lesson> {
        let t = of(self.tree.get("lesson")?);
        let list = |key| texts(t, key).unwrap_or_default();
        Some(Lesson {
            ask: owned(t, "ask"),
            choices: list("choices"),
            answer: items(t, "answer").first().and_then(|n| n.as_text()).map(str::to_string),
            design: text(t, "design").and_then(|name| self.design(name)).unwrap_or(0),
            task: owned(t, "task"),
            locked: list("locked"),
            hints: list("hints"),
            next: owned(t, "next"),
        })
    }
}
