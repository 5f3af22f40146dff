//! Workers: their count, their steps, and what they say of `client` themselves.

use super::{Place, Walk};
use crate::scenario::diagnostic::{Phase, Severity};
use crate::scenario::registry::Section;
use crate::scenario::scenario::{MAX_STEPS, MAX_WORKERS};
use crate::scenario::step::Step;
use crate::scenario::tree::{Entry, Node, Table, Value};
use crate::scenario::value::steps;

impl Walk<'_> {
    pub(super) fn workers(&mut self, e: &Entry) -> Option<Node> {
        // The sum is taken before anything is built: a count of a million must cost nothing.
        let count = |n: &Node| match n.as_table().and_then(|t| t.get("count")).map(|n| &n.value) {
            Some(Value::Int(n)) => (*n).max(1),
            _ => 1,
        };
        let total = e.node.items().iter().fold(0i64, |sum, n| sum.saturating_add(count(n)));
        if total > MAX_WORKERS as i64 {
            let message = format!("{total} workers; a scenario has at most {MAX_WORKERS}.");
            self.found.error(Phase::Values, e.at, "worker", "worker", message);
            return None;
        }
        let (mut next, mut written) = (1, 0);
        self.list(Section::Worker, e, MAX_WORKERS, |w, i, item| {
            let first = next;
            next += count(item);
            let name = item.as_table().and_then(|t| t.get("name")).and_then(Node::as_text);
            let words = format!("worker {}", name.map_or(format!("W{first}"), str::to_string));
            let place = Place { section: Section::Worker, words, path: format!("worker.{i}"), listed: true };
            let t = w.expect_table(&place, item)?;
            let mut out = Table::default();
            for k in &t.entries {
                let node = if k.key == "client" {
                    w.inner(&place, Section::Client, k)
                } else if k.key == "steps" {
                    let node = w.steps(&place, k);
                    let before = written;
                    written += node.as_ref().map_or(0, count_steps);
                    if written > MAX_STEPS && before <= MAX_STEPS {
                        let message =
                            format!("more than {MAX_STEPS} steps in all; a scenario has at most {MAX_STEPS}.");
                        w.found.error(Phase::Values, k.at, &place.words, &place.join("steps"), message);
                    }
                    node
                } else {
                    w.key(&place, k)
                };
                if let Some(node) = node {
                    out.entries.push(Entry { key: k.key.clone(), at: k.at, node });
                }
            }
            Some(out)
        })
    }

    /// A table of keys inside a worker or a design. Its places are named after the outer one.
    pub(super) fn inner(&mut self, outer: &Place, section: Section, e: &Entry) -> Option<Node> {
        let place = Place { section, words: outer.words.clone(), path: outer.join(&e.key), listed: true };
        let t = self.expect_table(&place, &e.node)?;
        Some(Node { value: Value::Table(self.keys(&place, t)), at: e.node.at })
    }

    fn steps(&mut self, place: &Place, e: &Entry) -> Option<Node> {
        match steps(&e.node) {
            Ok(list) => {
                let mut actions = Vec::new();
                list.iter().for_each(|s| s.actions(&mut actions));
                for action in actions {
                    if let Some(message) = crate::scenario::build::not_built(action) {
                        self.found
                            .say(Severity::Error, Phase::Steps, e.node.at, &place.words, &place.join("steps"), message)
                            .not_built = true;
                    }
                }
                if list.is_empty() {
                    let message =
                        "steps: a worker without steps does nothing. Take it out, or let it wait.".to_string();
                    self.found.error(Phase::Steps, e.node.at, &place.words, &place.join("steps"), message);
                }
                let node = Node { value: Value::List(list.iter().map(Step::node).collect()), at: e.node.at };
                Some(node)
            }
            Err(r) => {
                let at = r.item.and_then(|i| e.node.items().get(i)).map_or(e.node.at, |n| n.at);
                let number = r.item.map_or(String::new(), |i| format!("step {}: ", i + 1));
                let message = format!("{number}{}", r.problem.message);
                self.found
                    .say(Severity::Error, Phase::Steps, at, &place.words, &place.join("steps"), message)
                    .suggestion = r.problem.suggestion;
                None
            }
        }
    }
}

fn count_steps(node: &Node) -> usize {
    node.items()
        .iter()
        .map(|n| match n.as_table().and_then(|t| t.get("steps")) {
            Some(inner) => 1 + count_steps(inner),
            None => 1,
        })
        .sum()
}
