//! Workers: their count, and their steps.

use super::keys::place_of;
use super::{Place, Walk, name};
use crate::base::text::{integer, number, said};
use crate::scenario::diagnostic::Phase;
use crate::scenario::scenario::MAX_STEPS;
use crate::scenario::tree::{Entry, Node, Value};
use crate::scenario::value::steps;

/// How many workers there are in all: a count of a million must cost nothing, so that the sum is taken before anything is built.
pub(super) fn count(items: &[Node]) -> i64 {
    items.iter().fold(0, |sum, item| sum.saturating_add(copies(item)))
}

fn copies(item: &Node) -> i64 {
    match item.as_table().and_then(|t| t.get("count")).map(|n| &n.value) {
        Some(Value::Int(n)) => (*n).max(1),
        _ => 1,
    }
}

impl Walk<'_> {
    /// `worker W1`.
    pub(super) fn worker_words(&mut self, item: &Node) -> String {
        let first = self.next_worker;
        self.next_worker += copies(item);
        name(item).map_or_else(|| said("worker W{0}", &[&integer(first)]), |n| said("worker {0}", &[n]))
    }

    pub(super) fn steps(&mut self, place: &Place, e: &Entry) -> Option<Value> {
        let path = place.join("steps");
        let place = Place { path: &path, ..*place };
        let list = match steps(&e.node) {
            Ok(list) => list,
            Err(problem) => {
                let named = problem.item.map_or(String::new(), |i| said("step {0}: ", &[&number(i + 1)]));
                let at = place_of(&problem, &e.node);
                self.refuse(Phase::Steps, at, &place, &named, *problem);
                return None;
            }
        };
        let (mut actions, mut nodes) = (Vec::new(), Vec::new());
        for step in &list {
            step.actions(&mut actions);
            nodes.push(step.node());
        }
        for action in actions {
            if let Some(message) = crate::scenario::build::not_built(action) {
                self.wrong(Phase::Steps, e.node.at, &place, "{0}", &[&message]).not_built = true;
            }
        }
        if list.is_empty() {
            let message = "steps: a worker without steps does nothing. Take it out, or let it wait.";
            self.wrong(Phase::Steps, e.node.at, &place, message, &[]);
        }
        let before = self.steps;
        self.steps += count_steps(&nodes);
        if self.steps > MAX_STEPS && before <= MAX_STEPS {
            let message = "more than {0} steps in all; a scenario has at most {0}.";
            self.wrong(Phase::Values, e.at, &place, message, &[&number(MAX_STEPS)]);
        }
        Some(Value::List(nodes))
    }
}

fn count_steps(nodes: &[Node]) -> usize {
    let mut sum = nodes.len();
    for node in nodes {
        if let Some(inner) = node.as_table().and_then(|t| t.get("steps")) {
            sum += count_steps(inner.items());
        }
    }
    sum
}
