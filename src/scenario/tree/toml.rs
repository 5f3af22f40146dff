//! TOML text to the tree: statements to tables, each key once.

use super::scan::{Read, Scan, stop};
use super::statement::{Head, Key, Toml};
use super::{Entry, Node, Table, Value, syntax};
use crate::base::FlatMap;
use crate::base::text::number;
use crate::scenario::diagnostic::Diagnostics;

/// How a table came to be; a key is said twice if it comes to be once more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Made {
    Value,
    /// By a heading of its own.
    Headed,
    /// By the heading of a table below it.
    Implied,
    /// By dotted keys, under this heading.
    Dotted(usize),
    List,
}

pub(super) fn read(text: &str, found: &mut Diagnostics) -> Option<Table> {
    let mut toml = Toml::new(text);
    let mut out = Table::default();
    let result = file(&mut toml, &mut out);
    let mut stops = std::mem::take(&mut toml.odd);
    stops.extend(result.err().map(|stop| *stop));
    for stop in stops {
        let at = toml.scan.pos(stop.at);
        found.push(syntax(at, stop.message));
    }
    Some(out)
}

/// The tables that a text has made, by their paths.
#[derive(Default)]
pub(super) struct Tables {
    made: FlatMap<String, Made>,
}

impl Tables {
    /// The table that some keys lead to; `path` is that of `table` and becomes that of the result.
    fn walk<'t>(
        &mut self,
        mut table: &'t mut Table,
        path: &mut String,
        keys: &[Key],
        make: Made,
        scan: &mut Scan,
    ) -> Read<&'t mut Table> {
        for key in keys {
            step(path, &key.name);
            match self.made.get(path.as_str()) {
                None => {
                    let at = scan.pos(key.at.start);
                    self.made.insert(path.clone(), make);
                    let node = Node { value: Value::Table(Table::default()), at };
                    table.entries.push(Entry { key: key.name.clone(), at, node });
                }
                Some(Made::Value) => return twice(key, scan),
                // Dotted keys add to what dotted keys under the same heading have made, and to nothing else.
                Some(made) if matches!(make, Made::Dotted(_)) && *made != make => return twice(key, scan),
                Some(_) => {}
            }
            let Some(i) = table.entries.iter().position(|e| e.key == key.name) else { return twice(key, scan) };
            let mut value = &mut table.entries[i].node.value;
            if let Value::List(l) = value {
                path.push_str(&number(l.len()));
                let Some(last) = l.last_mut() else { return twice(key, scan) };
                value = &mut last.value;
            }
            match value {
                Value::Table(t) => table = t,
                _ => return twice(key, scan),
            }
        }
        Ok(table)
    }

    pub fn put(
        &mut self,
        table: &mut Table,
        mut path: String,
        keys: &[Key],
        section: usize,
        node: Node,
        scan: &mut Scan,
    ) -> Read<()> {
        let Some((last, before)) = keys.split_last() else { return Ok(()) };
        let table = self.walk(table, &mut path, before, Made::Dotted(section), scan)?;
        step(&mut path, &last.name);
        if self.made.insert(path, Made::Value).is_some() {
            return twice(last, scan);
        }
        table.entries.push(Entry { key: last.name.clone(), at: scan.pos(last.at.start), node });
        Ok(())
    }
}

#[inline(never)]
fn step(path: &mut String, name: &str) {
    path.push('\u{1f}');
    path.push_str(name);
}

#[inline(never)]
fn twice<T>(key: &Key, scan: &Scan) -> Read<T> {
    Err(stop(key.at.start, super::TWICE, &[scan.slice(key.at.start, key.at.end)]))
}

fn file(toml: &mut Toml, out: &mut Table) -> Read<()> {
    let mut tables = Tables::default();
    let mut heading: Vec<Key> = Vec::new();
    let mut section = 0;
    while let Some(s) = toml.statement()? {
        let scan = &mut toml.scan;
        let mut path = String::new();
        if s.head == Head::Pair {
            let table = tables.walk(out, &mut path, &heading, Made::Implied, scan)?;
            tables.put(table, path, &s.keys, section, s.node, scan)?;
            continue;
        }
        section += 1;
        let Some((last, before)) = s.keys.split_last() else { continue };
        let table = tables.walk(out, &mut path, before, Made::Implied, scan)?;
        step(&mut path, &last.name);
        let at = scan.pos(last.at.start);
        let make = if s.head == Head::List { Made::List } else { Made::Headed };
        match (tables.made.insert(path, make), make) {
            (None, Made::List) => {
                let node = Node { value: Value::List(vec![s.node]), at };
                table.entries.push(Entry { key: last.name.clone(), at, node });
            }
            (None, _) => table.entries.push(Entry { key: last.name.clone(), at, node: s.node }),
            (Some(Made::List), Made::List) => match table.get_mut(&last.name).map(|n| &mut n.value) {
                Some(Value::List(l)) => l.push(s.node),
                _ => return twice(last, scan),
            },
            (Some(Made::Implied), Made::Headed) => {
                if let Some(node) = table.get_mut(&last.name) {
                    node.at = s.node.at;
                }
            }
            _ => return twice(last, scan),
        }
        heading = s.keys;
    }
    Ok(())
}
