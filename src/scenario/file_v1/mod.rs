//! Reading the tree by the registry: version 1 of the file.
//!
//! The walk visits every key once. What is known, in its place and of the right kind goes into a *normalized* tree, in which every value is
//! written canonically; everything else becomes a diagnostic and is left out, so that the walk goes on and finds the next mistake. Names are
//! not looked up here: that needs the whole file (see `validate`).

mod designs;
mod faults;
pub(crate) mod keys;
mod workers;

use super::diagnostic::{Diagnostic, Diagnostics, Phase, Severity};
use super::registry::{Section, row};
use super::scenario::{MAX_DESIGNS, MAX_FAULTS, MAX_WORKERS, SCHEMA};
use super::step::is_name;
use super::tree::{Entry, Node, Pos, Table, Value};
use crate::base::text::{integer, number, said};

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
    let mut walk = Walk { unknown, found, next_worker: 1, steps: 0 };
    walk.schema(table);
    walk.table(&Place::table(Section::Header), table)
}

/// Where a key stands: the table's words for people, its path for programs.
#[derive(Clone, Copy)]
struct Place<'a> {
    section: Section,
    /// `lock`, `worker W1`, `design "Fencing"`.
    words: &'a str,
    /// `lock`, `worker.0`, `design.1.lock`.
    path: &'a str,
    /// One of several tables of this kind, so that a message must name the key.
    listed: bool,
}

impl Place<'_> {
    fn table(section: Section) -> Place<'static> {
        Place { section, words: section.word(), path: section.word(), listed: false }
    }

    #[inline(never)]
    fn join(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_string() } else { said("{0}.{1}", &[self.path, key]) }
    }
}

struct Walk<'a> {
    unknown: Unknown,
    found: &'a mut Diagnostics,
    /// The number of the next worker without a name, from 1.
    next_worker: i64,
    /// Steps of all workers so far.
    steps: usize,
}

impl Walk<'_> {
    /// Says that something at a place is wrong, in a sentence from a template.
    #[inline(never)]
    fn wrong(&mut self, phase: Phase, at: Pos, place: &Place, template: &str, args: &[&str]) -> &mut Diagnostic {
        self.found.say(Severity::Error, phase, at, place.words, place.path, said(template, args))
    }

    /// As [`Walk::wrong`], of a key at the place.
    #[inline(never)]
    fn wrong_key(&mut self, phase: Phase, place: &Place, e: &Entry, template: &str, args: &[&str]) -> &mut Diagnostic {
        let path = place.join(&e.key);
        self.wrong(phase, e.at, &Place { path: &path, ..*place }, template, args)
    }

    fn schema(&mut self, table: &Table) {
        let entry = table.entry("schema");
        let (at, written) = entry.map_or((Pos::UNKNOWN, None), |e| (e.node.at, e.node.as_text()));
        let template = match written {
            Some(SCHEMA) => return,
            _ if entry.is_none() => "is missing. Begin with schema = \"{0}\".",
            Some(s) if s.starts_with("fencepost.scenario/") => "this version reads \"{0}\", not \"{1}\".",
            _ => "write schema = \"{0}\".",
        };
        let place = Place { section: Section::Header, words: "schema", path: "schema", listed: false };
        self.wrong(Phase::Keys, at, &place, template, &[SCHEMA, written.unwrap_or("")]);
    }

    /// Every key of a table that can be read.
    #[inline(never)]
    fn table(&mut self, place: &Place, t: &Table) -> Table {
        let mut out = Table::default();
        for e in &t.entries {
            if let Some(value) = self.entry(place, e) {
                out.push_as(e, value);
            }
        }
        out
    }

    /// What stands at a key: a table or a list of its own, or a value.
    fn entry(&mut self, place: &Place, e: &Entry) -> Option<Value> {
        let inside = match (place.section, e.key.as_str()) {
            (Section::Header, "schema") => return Some(e.node.value.clone()),
            (Section::Header, key) => Section::from_word(key),
            (Section::Worker, "client") => Some(Section::Client),
            (Section::Worker, "steps") => return self.steps(place, e),
            (Section::Design, _) => return self.of_design(place, e),
            (Section::Fault, _) => return self.of_fault(place, e),
            (Section::Lock | Section::Resource, "also") if !place.listed => return self.also(place.section, e),
            _ => None,
        };
        match inside {
            None | Some(Section::Header) => self.key(place, e),
            Some(Section::Clock) => self.clocks(e),
            Some(s @ (Section::Link | Section::Worker | Section::Fault | Section::Design)) => self.list(s, e),
            Some(s) if place.section == Section::Header => {
                let place = Place::table(s);
                let t = self.expect_table(&place, &e.node)?;
                Some(Value::Table(self.table(&place, t)))
            }
            Some(s) => self.inner(place, s, e),
        }
    }

    /// A table of keys inside a worker or a design. Its places are named after the outer one.
    #[inline(never)]
    fn inner(&mut self, outer: &Place, section: Section, e: &Entry) -> Option<Value> {
        let place = Place { section, words: outer.words, path: &outer.join(&e.key), listed: true };
        let t = self.expect_table(&place, &e.node)?;
        Some(Value::Table(self.table(&place, t)))
    }

    #[inline(never)]
    fn expect_table<'t>(&mut self, place: &Place, node: &'t Node) -> Option<&'t Table> {
        let t = node.as_table();
        if t.is_none() {
            let what = if place.words.is_empty() { "file" } else { place.words };
            self.wrong(Phase::Values, node.at, place, "{0} is a table, not {1}.", &[what, node.kind()]);
        }
        t
    }

    /// `[[lock.also]]`, `[[resource.also]]`.
    fn also(&mut self, section: Section, e: &Entry) -> Option<Value> {
        let word = section.word();
        let mut list = Vec::new();
        for (i, item) in e.node.items().iter().enumerate() {
            let name = name(item);
            let nth = number(i + 1);
            let words = name.map_or_else(|| said("{0} also {1}", &[word, &nth]), |n| said("{0} {1}", &[word, n]));
            let path = said("{0}.also.{1}", &[word, &number(i)]);
            let place = Place { section, words: &words, path: &path, listed: true };
            let Some(t) = self.expect_table(&place, item) else { continue };
            let value = Value::Table(self.table(&place, t));
            if name.is_none() {
                self.wrong(Phase::Names, item.at, &place, "needs a name.", &[]);
            }
            list.push(Node { value, at: item.at });
        }
        Some(Value::List(list))
    }

    fn clocks(&mut self, e: &Entry) -> Option<Value> {
        let t = self.expect_table(&Place::table(Section::Clock), &e.node)?;
        let mut out = Table::default();
        for c in &t.entries {
            let (words, path) = (said("clock {0}", &[&c.key]), said("clock.{0}", &[&c.key]));
            let place = Place { section: Section::Clock, words: &words, path: &path, listed: true };
            if !is_name(&c.key) {
                let place = Place { words: "clock", ..place };
                let message = "\"{0}\" is no name of a worker, a node or a group.";
                self.wrong(Phase::Names, c.at, &place, message, &[&c.key]);
                continue;
            }
            // `clock.rate = 1.1` forgets whose clock.
            if c.node.as_table().is_none() && row(Section::Clock, &c.key).is_some() {
                let place = Place { words: &path, ..place };
                self.wrong(Phase::Keys, c.at, &place, "whose? Write clock.W1.{0} or clock.lock.{0}.", &[&c.key]);
                continue;
            }
            if let Some(keys) = self.expect_table(&place, &c.node) {
                out.push_as(c, Value::Table(self.table(&place, keys)));
            }
        }
        Some(Value::Table(out))
    }

    /// A list of tables, or one of them.
    fn list(&mut self, section: Section, e: &Entry) -> Option<Value> {
        let word = section.word();
        let place = Place::table(section);
        if !matches!(e.node.value, Value::List(_) | Value::Table(_)) {
            let message = "{0} is a list of tables, not {1}. Write [[{0}]] and its keys below.";
            self.wrong(Phase::Values, e.node.at, &place, message, &[word, e.node.kind()]);
            return None;
        }
        let items = e.node.items();
        let (count, most) = match section {
            Section::Worker => (workers::count(items), MAX_WORKERS),
            Section::Fault => (items.len() as i64, MAX_FAULTS),
            Section::Design => (items.len() as i64, MAX_DESIGNS),
            _ => (0, 0),
        };
        if count > most as i64 {
            let (count, most) = (integer(count), number(most));
            self.wrong(Phase::Values, e.at, &place, "{0} {1}s; a scenario has at most {2}.", &[&count, word, &most]);
            return None;
        }
        let mut out = Vec::new();
        for (i, item) in items.iter().enumerate() {
            // What could not be read leaves an empty place, so that the others keep their numbers.
            let t = self.listed(section, i, item).unwrap_or_default();
            out.push(Node { value: Value::Table(t), at: item.at });
        }
        Some(Value::List(out))
    }

    /// One table of a list.
    fn listed(&mut self, section: Section, i: usize, item: &Node) -> Option<Table> {
        let words = match section {
            Section::Worker => self.worker_words(item),
            Section::Design => designs::words(item, i),
            _ => match name(item).filter(|_| section == Section::Fault) {
                Some(name) => said("fault {0}", &[name]),
                None => said("{0} {1}", &[section.word(), &number(i + 1)]),
            },
        };
        let path = said("{0}.{1}", &[section.word(), &number(i)]);
        let place = Place { section, words: &words, path: &path, listed: true };
        let t = self.expect_table(&place, item)?;
        let out = self.table(&place, t);
        match section {
            Section::Fault if !self.verbs(&place, item.at, t) => return None,
            Section::Link if ["one_way", "loss", "ordered"].iter().all(|k| t.get(k).is_none()) => {
                let message = "changes nothing. Give it one_way, loss or ordered.";
                self.wrong(Phase::Keys, item.at, &place, message, &[]);
            }
            _ => {}
        }
        Some(out)
    }
}

fn name(item: &Node) -> Option<&str> {
    item.as_table()?.get("name")?.as_text()
}
