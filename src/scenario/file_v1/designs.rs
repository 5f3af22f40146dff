//! Designs: what they may set, and what belongs to the story.

use super::{Place, Walk, name};
use crate::base::text::said;
use crate::scenario::diagnostic::Phase;
use crate::scenario::registry::{Section, row};
use crate::scenario::scenario::design_name;
use crate::scenario::tree::{Entry, Node, Value};

/// `design "Fencing"`.
pub(super) fn words(item: &Node, i: usize) -> String {
    let protection = item.as_table().and_then(|t| t.get("protection")).and_then(Node::as_text);
    said("design \"{0}\"", &[&design_name(name(item), protection, i)])
}

impl Walk<'_> {
    pub(super) fn of_design(&mut self, place: &Place, e: &Entry) -> Option<Value> {
        let section = Section::from_word(&e.key);
        if let Some(section) = section.filter(|s| s.of_designs()) {
            return self.inner(place, section, e);
        }
        if row(Section::Design, &e.key).is_some() {
            return self.key(place, e);
        }
        let of_story = section.is_some() || row(Section::Header, &e.key).is_some();
        if !of_story {
            self.unknown_key(place, e);
            return None;
        }
        let table = e.node.items().first().and_then(Node::as_table);
        let (dot, inner) = table.and_then(|t| t.entries.first()).map_or(("", ""), |e| (".", &e.key));
        let message = "{0}{1}{2} belongs to the story; a design may set lock, client, resource, expect.";
        self.wrong_key(Phase::Designs, place, e, message, &[&e.key, dot, inner]);
        None
    }
}
