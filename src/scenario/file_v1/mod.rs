//! Reading the tree by the registry: version 1 of the file.
//!
//! The walk visits every key once. What is known, in its place and of the right kind goes into a *normalized* tree, in which every value is
//! written canonically; everything else becomes a diagnostic and is left out, so that the walk goes on and finds the next mistake. Names are
//! not looked up here: that needs the whole file (see `validate`).

mod designs;
mod faults;
mod keys;
mod workers;

use super::diagnostic::{Diagnostics, Phase};
use super::registry::{Section, row};
use super::scenario::{MAX_DESIGNS, MAX_FAULTS, SCHEMA};
use super::step::is_name;
use super::tree::{Entry, Node, Pos, Table, Value};

/// What to do with a key that nobody knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// A file: somebody made a slip.
    IsAnError,
    /// A link, perhaps made by a later version: the key is kept, ignored and named.
    IsKept,
}

/// The normalized tree of everything that could be read.
pub(crate) fn read(table: &Table, unknown: Unknown, found: &mut Diagnostics) -> Table {
    let mut walk = Walk { unknown, found };
    walk.file(table)
}

/// Where a key stands: the table's words for people, its path for programs.
#[derive(Clone)]
struct Place {
    section: Section,
    /// `lock`, `worker W1`, `design "Fencing"`.
    words: String,
    /// `lock`, `worker.0`, `design.1.lock`.
    path: String,
    /// One of several tables of this kind, so that a message must name the key.
    listed: bool,
}

impl Place {
    fn table(section: Section) -> Place {
        Place { section, words: section.word().to_string(), path: section.word().to_string(), listed: false }
    }

    fn join(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) }
    }
}

struct Walk<'a> {
    unknown: Unknown,
    found: &'a mut Diagnostics,
}

impl Walk<'_> {
    fn file(&mut self, table: &Table) -> Table {
        let header = Place::table(Section::Header);
        let mut out = Table::default();
        self.schema(table);
        for e in &table.entries {
            let node = match e.key.as_str() {
                "schema" => Some(e.node.clone()),
                "network" => self.plain(Section::Network, e),
                "client" => self.plain(Section::Client, e),
                "expect" => self.plain(Section::Expect, e),
                "sweep" => self.plain(Section::Sweep, e),
                "explore" => self.plain(Section::Explore, e),
                "lesson" => self.plain(Section::Lesson, e),
                "lock" | "resource" => self.with_also(e),
                "clock" => self.clocks(e),
                "link" => self.list(Section::Link, e, usize::MAX, |w, i, t| w.link(i, t)),
                "worker" => self.workers(e),
                "fault" => self.list(Section::Fault, e, MAX_FAULTS, |w, i, t| w.fault(i, t)),
                "design" => self.list(Section::Design, e, MAX_DESIGNS, |w, i, t| w.design(i, t)),
                _ => self.key(&header, e),
            };
            if let Some(node) = node {
                out.entries.push(Entry { key: e.key.clone(), at: e.at, node });
            }
        }
        out
    }

    fn schema(&mut self, table: &Table) {
        let Some(e) = table.entry("schema") else {
            self.found.error(
                Phase::Keys,
                Pos::UNKNOWN,
                "schema",
                "schema",
                format!("is missing. Begin with schema = \"{SCHEMA}\"."),
            );
            return;
        };
        let message = match e.node.as_text() {
            Some(SCHEMA) => return,
            Some(s) if s.starts_with("fencepost.scenario/") => format!("this version reads \"{SCHEMA}\", not \"{s}\"."),
            _ => format!("write schema = \"{SCHEMA}\"."),
        };
        self.found.error(Phase::Keys, e.node.at, "schema", "schema", message);
    }

    fn plain(&mut self, section: Section, e: &Entry) -> Option<Node> {
        let place = Place::table(section);
        let t = self.expect_table(&place, &e.node)?;
        Some(Node { value: Value::Table(self.keys(&place, t)), at: e.node.at })
    }

    fn keys(&mut self, place: &Place, t: &Table) -> Table {
        let mut out = Table::default();
        for e in &t.entries {
            if let Some(node) = self.key(place, e) {
                out.entries.push(Entry { key: e.key.clone(), at: e.at, node });
            }
        }
        out
    }

    fn expect_table<'t>(&mut self, place: &Place, node: &'t Node) -> Option<&'t Table> {
        let t = node.as_table();
        if t.is_none() {
            let what = if place.words.is_empty() { "file" } else { &place.words };
            let message = format!("{what} is a table, not {}.", node.kind());
            self.found.error(Phase::Values, node.at, &place.words, &place.path, message);
        }
        t
    }

    /// `[lock]` with `[[lock.also]]`, `[resource]` with `[[resource.also]]`.
    fn with_also(&mut self, e: &Entry) -> Option<Node> {
        let section = if e.key == "lock" { Section::Lock } else { Section::Resource };
        let place = Place::table(section);
        let t = self.expect_table(&place, &e.node)?;
        let mut out = Table::default();
        for k in &t.entries {
            let node = if k.key == "also" {
                let mut list = Vec::new();
                for (i, item) in k.node.items().iter().enumerate() {
                    let name = item.as_table().and_then(|t| t.get("name")).and_then(Node::as_text);
                    let words =
                        format!("{} {}", section.word(), name.map_or(format!("also {}", i + 1), str::to_string));
                    let place = Place { section, words, path: format!("{}.also.{i}", section.word()), listed: true };
                    let Some(t) = self.expect_table(&place, item) else { continue };
                    let keys = self.keys(&place, t);
                    if name.is_none() {
                        self.found.error(Phase::Names, item.at, &place.words, &place.path, "needs a name.".into());
                    }
                    list.push(Node { value: Value::Table(keys), at: item.at });
                }
                Some(Node { value: Value::List(list), at: k.node.at })
            } else {
                self.key(&place, k)
            };
            if let Some(node) = node {
                out.entries.push(Entry { key: k.key.clone(), at: k.at, node });
            }
        }
        Some(Node { value: Value::Table(out), at: e.node.at })
    }

    fn clocks(&mut self, e: &Entry) -> Option<Node> {
        let t = self.expect_table(&Place::table(Section::Clock), &e.node)?;
        let mut out = Table::default();
        for c in &t.entries {
            let place = Place {
                section: Section::Clock,
                words: format!("clock {}", c.key),
                path: format!("clock.{}", c.key),
                listed: true,
            };
            if !is_name(&c.key) {
                self.found.error(
                    Phase::Names,
                    c.at,
                    "clock",
                    &place.path,
                    format!("\"{}\" is no name of a worker, a node or a group.", c.key),
                );
                continue;
            }
            // `clock.rate = 1.1` forgets whose clock.
            if c.node.as_table().is_none() && row(Section::Clock, &c.key).is_some() {
                let message = format!("whose? Write clock.W1.{} or clock.lock.{}.", c.key, c.key);
                self.found.error(Phase::Keys, c.at, &format!("clock.{}", c.key), &place.path, message);
                continue;
            }
            let Some(keys) = self.expect_table(&place, &c.node) else { continue };
            let keys = self.keys(&place, keys);
            out.entries.push(Entry {
                key: c.key.clone(),
                at: c.at,
                node: Node { value: Value::Table(keys), at: c.node.at },
            });
        }
        Some(Node { value: Value::Table(out), at: e.node.at })
    }

    fn list(
        &mut self,
        section: Section,
        e: &Entry,
        most: usize,
        mut each: impl FnMut(&mut Self, usize, &Node) -> Option<Table>,
    ) -> Option<Node> {
        let word = section.word();
        if let Some(other) = (!matches!(e.node.value, Value::List(_) | Value::Table(_))).then_some(&e.node) {
            let message =
                format!("{word} is a list of tables, not {}. Write [[{word}]] and its keys below.", other.kind());
            self.found.error(Phase::Values, other.at, word, word, message);
            return None;
        }
        let items = e.node.items();
        if items.len() > most {
            let message = format!("{} {word}s; a scenario has at most {most}.", items.len());
            self.found.error(Phase::Values, e.at, word, word, message);
            return None;
        }
        let mut out = Vec::new();
        for (i, item) in items.iter().enumerate() {
            // What could not be read leaves an empty place, so that the others keep their numbers.
            let t = each(self, i, item).unwrap_or_default();
            out.push(Node { value: Value::Table(t), at: item.at });
        }
        Some(Node { value: Value::List(out), at: e.node.at })
    }

    fn link(&mut self, i: usize, item: &Node) -> Option<Table> {
        let place =
            Place { section: Section::Link, words: format!("link {}", i + 1), path: format!("link.{i}"), listed: true };
        let t = self.expect_table(&place, item)?;
        let keys = self.keys(&place, t);
        if ["one_way", "loss", "ordered"].iter().all(|k| t.get(k).is_none()) {
            self.found.error(
                Phase::Keys,
                item.at,
                &place.words,
                &place.path,
                "changes nothing. Give it one_way, loss or ordered.".into(),
            );
        }
        Some(keys)
    }
}
