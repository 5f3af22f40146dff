//! Reading the tree by the registry: version 1 of the file.
//!
//! The walk visits every key once. What is known, in its place and of the right kind goes into a *normalized* tree, in which every value is
//! written canonically; everything else becomes a diagnostic and is left out, so that the walk goes on and finds the next mistake. Names are
//! not looked up here: that needs the whole file (see `validate`).

use super::diagnostic::{Diagnostic, Diagnostics, Phase, Severity};
use super::registry::claims::ENDS;
use super::registry::faults::{COMMON, FaultVerb, VERBS, Victim, fault_verb};
use super::registry::words::{guess_key, nearest};
use super::registry::{self, Row, Section, Type, row};
use super::scenario::{MAX_DESIGNS, MAX_FAULTS, MAX_STEPS, MAX_WORKERS, SCHEMA};
use super::step::{Step, is_name};
use super::tree::{Entry, Node, Pos, Table, Value};
use super::value::{normalize, not_yet, steps};

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

    // -------------------------------------------------------------- tables

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
            if let Some(t) = each(self, i, item) {
                out.push(Node { value: Value::Table(t), at: item.at });
            }
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

    // -------------------------------------------------------------- workers

    fn workers(&mut self, e: &Entry) -> Option<Node> {
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
    fn inner(&mut self, outer: &Place, section: Section, e: &Entry) -> Option<Node> {
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
                    if let Some(message) = super::build::not_built(action) {
                        self.found.error(Phase::Steps, e.node.at, &place.words, &place.join("steps"), message);
                    }
                }
                let node = Node { value: Value::List(list.iter().map(Step::node).collect()), at: e.node.at };
                Some(node)
            }
            Err(r) => {
                let at = r.item.and_then(|i| e.node.items().get(i)).map_or(e.node.at, |n| n.at);
                let number = r.item.map_or(String::new(), |i| format!("step {}: ", i + 1));
                let message = format!("{number}{}", r.problem.message);
                let d = Diagnostic::new(Severity::Error, Phase::Steps, at, &place.words, message);
                self.found.push(d.at_path(&place.join("steps")).suggest(r.problem.suggestion));
                None
            }
        }
    }

    // -------------------------------------------------------------- faults

    fn fault(&mut self, i: usize, item: &Node) -> Option<Table> {
        let name = item.as_table().and_then(|t| t.get("name")).and_then(Node::as_text);
        let words = name.map_or(format!("fault {}", i + 1), |n| format!("fault {n}"));
        let place = Place { section: Section::Fault, words, path: format!("fault.{i}"), listed: true };
        let t = self.expect_table(&place, item)?;
        let verbs: Vec<&FaultVerb> = t.entries.iter().filter_map(|e| fault_verb(&e.key)).collect();
        let mut out = Table::default();
        for e in &t.entries {
            let node = match fault_verb(&e.key) {
                Some(v) => self.victim(&place, v, e),
                None => self.key(&place, e),
            };
            if let Some(node) = node {
                out.entries.push(Entry { key: e.key.clone(), at: e.at, node });
            }
        }
        let mut say =
            |at: Pos, message: String| self.found.error(Phase::Faults, at, &place.words, &place.path, message);
        match verbs.as_slice() {
            [] => {
                let words: Vec<&str> = VERBS.iter().map(|v| v.word).collect();
                say(item.at, format!("has no verb. Verbs are {}.", words.join(", ")));
                return None;
            }
            [verb] => {
                for e in t.entries.iter().filter(|e| row(Section::Fault, &e.key).is_some()) {
                    let key = e.key.as_str();
                    if !verb.keys.contains(&key) && !COMMON.contains(&key) {
                        let own =
                            if verb.keys.is_empty() { "none of its own".to_string() } else { verb.keys.join(", ") };
                        say(
                            e.at,
                            format!(
                                "{key} does not belong to {}. Its keys are {own}, and {}.",
                                verb.word,
                                COMMON.join(", ")
                            ),
                        );
                    }
                }
                for key in verb.needs.iter().filter(|k| t.get(k).is_none()) {
                    say(item.at, format!("{} needs {key}.", verb.word));
                }
                if !verb.lasts
                    && let Some(e) = t.entries.iter().find(|e| e.key == "until" || e.key == "for")
                {
                    say(e.at, format!("{} happens at one instant; it has no {}.", verb.word, e.key));
                }
                if t.get("until").is_some() && t.get("for").is_some() {
                    say(item.at, "has both until and for. Keep one.".into());
                } else if t.get("every").is_some() && t.get("for").is_none() && verb.lasts {
                    say(item.at, "every needs for: how long each time.".into());
                }
            }
            several => {
                let words: Vec<&str> = several.iter().map(|v| v.word).collect();
                let count = if words.len() == 2 { "two".to_string() } else { words.len().to_string() };
                let (last, others) = words.split_last().expect("there are several");
                say(item.at, format!("has {count} verbs, {} and {last}. Split it.", others.join(", ")));
                return None;
            }
        }
        Some(out)
    }

    /// The value of a verb.
    fn victim(&mut self, place: &Place, verb: &FaultVerb, e: &Entry) -> Option<Node> {
        if !verb.built {
            let words: Vec<&str> = VERBS.iter().filter(|v| v.built).map(|v| v.word).collect();
            let message = format!("{} It can run: {}.", not_yet(&format!("\"{}\"", verb.word)), words.join(", "));
            self.found.error(Phase::Faults, e.at, &place.words, &place.join(verb.word), message);
        }
        let ty = match verb.victim {
            Victim::Kinds => Type::Kinds,
            Victim::Groups => Type::Groups,
            _ => Type::Names,
        };
        let node = self.value(place, &Row::new(Section::Fault, verb.word, ty, "", verb.says, verb.example), e)?;
        if node.items().is_empty() {
            self.found.error(
                Phase::Faults,
                e.node.at,
                &place.words,
                &place.join(verb.word),
                format!("{} names nobody.", verb.word),
            );
        }
        Some(node)
    }

    // -------------------------------------------------------------- designs

    fn design(&mut self, i: usize, item: &Node) -> Option<Table> {
        let text = |key| item.as_table().and_then(|t: &Table| t.get(key)).and_then(Node::as_text);
        let name = super::scenario::design_name(text("name"), text("protection"), i);
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

    // -------------------------------------------------------------- keys and values

    fn key(&mut self, place: &Place, e: &Entry) -> Option<Node> {
        let Some(row) = row(place.section, &e.key) else { return self.unknown_key(place, e) };
        self.value(place, row, e)
    }

    fn unknown_key(&mut self, place: &Place, e: &Entry) -> Option<Node> {
        if self.unknown == Unknown::IsKept {
            let d = Diagnostic::new(
                Severity::Note,
                Phase::Keys,
                e.at,
                &place.words,
                format!("the key \"{}\" is not known to this version. It is kept and ignored.", e.key),
            );
            self.found.push(d.at_path(&place.join(&e.key)));
            return Some(e.node.clone());
        }
        // Two tables and a misplaced list have reasons of their own.
        let special = match (place.section, e.key.as_str()) {
            (Section::Lock | Section::Resource, "also") => {
                Some(format!("{}.also belongs to the story; a design sets the keys of all.", place.section.word()))
            }
            _ => None,
        };
        let guess = if special.is_none() { guess_key(place.section, &e.key) } else { None };
        let message = match (&special, &guess) {
            (Some(s), _) => s.clone(),
            (None, Some(g)) => format!("unknown key \"{}\". {}", e.key, g.says),
            (None, None) => {
                let keys: Vec<&str> = place.section.rows().map(|r| r.key).collect();
                let keys = if keys.len() > 16 {
                    "Its keys are in the reference.".to_string()
                } else {
                    format!("Its keys are {}.", keys.join(", "))
                };
                format!("unknown key \"{}\". {keys}", e.key)
            }
        };
        let d = Diagnostic::new(Severity::Error, Phase::Keys, e.at, &place.words, message);
        self.found.push(d.at_path(&place.join(&e.key)).suggest(guess.map(|g| g.path)));
        None
    }

    fn value(&mut self, place: &Place, row: &Row, e: &Entry) -> Option<Node> {
        // In `[lock]` the place is the key itself; in one of several workers or faults the place is that one, and the message names the key.
        let path = place.join(&e.key);
        let named = match row.section {
            Section::Fault if row.ty == Type::Moment => String::new(),
            _ if place.section == Section::Client && place.words.starts_with("worker") => format!("client.{}: ", e.key),
            _ if place.words.starts_with("design") && place.section != Section::Design => format!("{}: ", row.path()),
            _ => format!("{}: ", e.key),
        };
        let (words, named) = if place.listed { (place.words.clone(), named) } else { (path.clone(), String::new()) };
        if !row.built {
            let message = format!("{named}part of the language, but this version cannot run it yet.");
            self.found.error(Phase::Values, e.at, &words, &path, message);
            return None;
        }
        let result = match row.ty {
            Type::Ends => return self.ends(&words, &path, &e.node),
            Type::Table if row.section == Section::Sweep => return self.axes(&words, &path, &e.node),
            Type::Table if row.section == Section::Explore => return self.budgets(&words, &path, &e.node),
            _ => normalize(row, &e.node),
        };
        match result {
            Ok(node) => Some(node),
            Err(r) => {
                let at = r.item.and_then(|i| e.node.items().get(i)).map_or(e.node.at, |n| n.at);
                let d = Diagnostic::new(
                    Severity::Error,
                    Phase::Values,
                    at,
                    &words,
                    format!("{named}{}", r.problem.message),
                );
                self.found.push(d.at_path(&path).suggest(r.problem.suggestion));
                None
            }
        }
    }

    /// `ends = { W1 = "stopped" }`.
    fn ends(&mut self, words: &str, path: &str, node: &Node) -> Option<Node> {
        let place = Place { section: Section::Expect, words: words.to_string(), path: path.to_string(), listed: true };
        for e in &self.expect_table(&place, node)?.entries {
            let word = e.node.as_text().unwrap_or("");
            if !ENDS.iter().any(|(w, _)| *w == word) {
                let all: Vec<&str> = ENDS.iter().map(|(w, _)| *w).collect();
                let guess = nearest(word, all.iter().copied());
                let message = format!("ends: \"{word}\" is no end. A worker is {} in the end.", all.join(", "));
                let d = Diagnostic::new(Severity::Error, Phase::Values, e.node.at, words, message);
                self.found.push(d.at_path(path).suggest(guess.map(str::to_string)));
            }
        }
        Some(node.clone())
    }

    /// `axes = { "lock.ttl" = ["5s", "10s"] }`.
    fn axes(&mut self, words: &str, path: &str, node: &Node) -> Option<Node> {
        let place = Place { section: Section::Sweep, words: words.to_string(), path: path.to_string(), listed: true };
        let mut out = Table::default();
        for e in &self.expect_table(&place, node)?.entries {
            let known = axis_row(&e.key);
            let Some(row) = known else {
                let message = format!("\"{}\" is no path of a key. Write \"lock.ttl\" or \"fault.gc.for\".", e.key);
                self.found.error(Phase::Values, e.at, words, path, message);
                continue;
            };
            let mut values = Vec::new();
            for item in e.node.items() {
                match normalize(row, item) {
                    Ok(n) => values.push(n),
                    Err(r) => {
                        let d = Diagnostic::new(
                            Severity::Error,
                            Phase::Values,
                            item.at,
                            words,
                            format!("{}: {}", e.key, r.problem.message),
                        );
                        self.found.push(d.at_path(path).suggest(r.problem.suggestion));
                    }
                }
            }
            out.entries.push(Entry {
                key: e.key.clone(),
                at: e.at,
                node: Node { value: Value::List(values), at: e.node.at },
            });
        }
        Some(Node { value: Value::Table(out), at: node.at })
    }

    /// `faults = { pause = 1, drop = 2 }`.
    fn budgets(&mut self, words: &str, path: &str, node: &Node) -> Option<Node> {
        let place = Place { section: Section::Explore, words: words.to_string(), path: path.to_string(), listed: true };
        for e in &self.expect_table(&place, node)?.entries {
            let message = match (fault_verb(&e.key), &e.node.value) {
                (None, _) => format!("there is no verb \"{}\".", e.key),
                (Some(v), _) if !v.built => not_yet(&format!("\"{}\"", e.key)),
                (Some(_), Value::Int(0..=16)) => continue,
                (Some(_), _) => format!("{}: at most how many? A number from 0 to 16.", e.key),
            };
            self.found.error(Phase::Values, e.at, words, path, message);
        }
        Some(node.clone())
    }
}

/// The row of a sweep's axis: `lock.ttl`, `fault.gc.for`, `worker.W1.start`.
pub(crate) fn axis_row(path: &str) -> Option<&'static Row> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts.as_slice() {
        ["fault", _, key] => row(Section::Fault, key),
        ["worker", _, "client", key] => row(Section::Client, key),
        ["worker", _, key] => row(Section::Worker, key),
        ["link", _, key] => row(Section::Link, key),
        ["clock", _, key] => row(Section::Clock, key),
        [_] | [_, _] => registry::by_path(path),
        _ => None,
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
