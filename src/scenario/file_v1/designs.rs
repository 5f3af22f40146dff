//! Designs: what they may set, and what belongs to the story.

use super::{Place, Walk};
use crate::scenario::diagnostic::Phase;
use crate::scenario::registry::{Section, row};
use crate::scenario::scenario::design_name;
use crate::scenario::tree::{Entry, Node, Table, Value};

impl Walk<'_> {
    pub(super) fn design(&mut self, i: usize, item: &Node) -> Option<Table> {
        let text = |key| item.as_table().and_then(|t: &Table| t.get(key)).and_then(Node::as_text);
        let name = design_name(text("name"), text("protection"), i);
        let place = Place {
            section: Section::Design,
            words: format!("design \"{name}\""),
            path: format!("design.{i}"),
            listed: true,
        };
        let t = self.expect_table(&place, item)?;
        let mut out = Table::default();
        for e in &t.entries {
            let section = Section::ALL.into_iter().find(|s| s.word() == e.key && s.of_designs());
            let node = match section {
                Some(section) => self.inner(&place, section, e),
                None if row(Section::Design, &e.key).is_some() => self.key(&place, e),
                None => {
                    self.not_of_designs(&place, e);
                    None
                }
            };
            if let Some(node) = node {
                out.entries.push(Entry { key: e.key.clone(), at: e.at, node });
            }
        }
        Some(out)
    }

    fn not_of_designs(&mut self, place: &Place, e: &Entry) {
        let of_story = Section::ALL.iter().any(|s| s.word() == e.key) || row(Section::Header, &e.key).is_some();
        if !of_story {
            self.unknown_key(place, e);
            return;
        }
        let inner = match &e.node.value {
            Value::Table(t) => t.entries.first().map(|k| k.key.clone()),
            Value::List(l) => {
                l.first().and_then(|n| n.as_table()).and_then(|t| t.entries.first()).map(|k| k.key.clone())
            }
            _ => None,
        };
        let path = inner.map_or(e.key.clone(), |k| format!("{}.{k}", e.key));
        let message = format!("{path} belongs to the story; a design may set lock, client, resource, expect.");
        self.found.error(Phase::Designs, e.at, &place.words, &place.join(&e.key), message);
    }
}
