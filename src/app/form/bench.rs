//! What of the form is open: none of it is part of the scenario.

use super::Change;
use crate::base::pieces::{count, cut, part, tail};
use crate::base::text::number;

/// Which cards are open, what is searched for, and where the keyboard is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bench {
    /// Cards that show everything, by the path of what they show: `lock`, `worker.0`; a list that something is chosen from, by what it
    /// adds to: `+fault`.
    pub open: Vec<String>,
    /// In which card something is searched for.
    pub card: String,
    pub query: String,
    /// The field that has the keyboard, or had it last.
    pub at: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormAction {
    /// Opens a card, or closes it.
    Card(String),
    /// Opens a card.
    Show(String),
    /// Searches in a card.
    Find(String, String),
    /// The keyboard is at a field.
    At(String),
}

impl Bench {
    pub fn is_open(&self, card: &str) -> bool {
        self.open.iter().any(|c| c == card)
    }

    /// What is searched for in this card.
    pub fn query(&self, card: &str) -> &str {
        if self.card == card { &self.query } else { "" }
    }

    pub fn act(&mut self, action: FormAction) {
        match action {
            FormAction::Card(card) => {
                let was = self.is_open(&card);
                // One list to choose from at a time.
                let menu = card.starts_with('+');
                self.open.retain(|c| *c != card && !(menu && c.starts_with('+')));
                if !was {
                    self.open.push(card);
                }
                self.query.clear();
            }
            FormAction::Show(card) => {
                if !self.is_open(&card) {
                    self.open.push(card);
                }
            }
            FormAction::Find(card, query) => (self.card, self.query) = (card, query),
            FormAction::At(path) => self.at = path,
        }
    }

    /// Entries are numbered: what is open stays open when they move.
    pub fn follow(&mut self, change: &Change) {
        self.open.retain(|c| !c.starts_with('+'));
        let (list, place) = match change {
            Change::Add { .. } => return,
            Change::Remove(path) | Change::Duplicate(path) | Change::Move(path, _) => super::change::entry(path),
        };
        let Some(at) = count(place) else { return };
        let after = |i: usize| match change {
            Change::Remove(_) => (i != at).then_some(if i > at { i - 1 } else { i }),
            Change::Duplicate(_) => Some(if i > at { i + 1 } else { i }),
            Change::Move(_, to) if i == at => Some(*to),
            Change::Move(_, to) if at < i && i <= *to => Some(i - 1),
            Change::Move(_, to) if *to <= i && i < at => Some(i + 1),
            _ => Some(i),
        };
        let mut open = Vec::new();
        for card in &self.open {
            let below = card.strip_prefix(list).and_then(|rest| rest.strip_prefix('.'));
            let Some(below) = below else {
                open.push(card.clone());
                continue;
            };
            let end = cut(below, ".").map_or(below.len(), |(head, _)| head.len());
            let Some(i) = count(part(below, 0, end)) else {
                open.push(card.clone());
                continue;
            };
            if let Some(i) = after(i) {
                open.push([list, ".", &number(i), tail(below, end)].concat());
            }
        }
        self.open = open;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_follows_its_entry() {
        let mut bench = Bench::default();
        for card in ["lock", "worker.0", "worker.1", "worker.1.steps.2"] {
            bench.act(FormAction::Card(card.into()));
        }
        bench.follow(&Change::Move("worker.1".into(), 0));
        assert_eq!(bench.open, ["lock", "worker.1", "worker.0", "worker.0.steps.2"]);
        bench.follow(&Change::Remove("worker.1".into()));
        assert_eq!(bench.open, ["lock", "worker.0", "worker.0.steps.2"]);
        bench.follow(&Change::Remove("worker.0.steps.0".into()));
        assert_eq!(bench.open, ["lock", "worker.0", "worker.0.steps.1"]);
        bench.act(FormAction::Card("+fault".into()));
        bench.act(FormAction::Card("+design".into()));
        assert!(!bench.is_open("+fault") && bench.is_open("+design"));
    }
}
