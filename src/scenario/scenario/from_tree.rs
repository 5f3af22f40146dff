//! From the normalized tree to the structures. Nothing can fail here: every value is of its kind, and what could not be read is not there.

use super::read::{draw, int, items, of, owned, sort, span, table, text, when};
use super::*;
use crate::scenario::registry::claims::PROPERTIES;
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::tree::Value;
use crate::scenario::value::{as_texts, steps};

impl Scenario {
    /// From a normalized tree. What could not be read is not in it; its defaults serve, so that later checks still find their mistakes.
    pub(crate) fn from_tree(tree: Table) -> Scenario {
        let t = &tree;
        Scenario {
            title: owned(t, "title"),
            claim: owned(t, "claim"),
            story: owned(t, "story"),
            source: t.get("source").map_or(Vec::new(), as_texts),
            horizon: TrueTime::from_us(span(t, "horizon").map_or(60_000_000, Span::as_us)),
            seed: int(t, "seed").unwrap_or(1) as u64,
            max_events: int(t, "max_events").unwrap_or(10_000) as u32,
            judge: judged(t),
            workers: workers(t),
            faults: faults(t),
            designs: designs(t),
            written: written(t),
            more_locks: also(table(t, "lock")),
            more_resources: also(table(t, "resource")),
            copies: Vec::new(),
            canonical: String::new(),
            tree,
        }
    }
}

/// The keys of a table, sorted, without the further locks or resources in it.
#[inline(never)]
fn settings(t: &Table) -> Settings {
    let mut out = t.clone();
    out.remove("also");
    sort(&mut out);
    out
}

#[inline(never)]
fn written(t: &Table) -> Written {
    Written {
        lock: settings(table(t, "lock")),
        client: settings(table(t, "client")),
        resource: settings(table(t, "resource")),
    }
}

#[inline(never)]
fn also(t: &Table) -> Vec<Settings> {
    let mut out = Vec::new();
    for node in items(t, "also") {
        // Without a name there is an error, and nobody who could be meant.
        if text(of(node), "name").is_some() {
            out.push(settings(of(node)));
        }
    }
    out
}

fn workers(t: &Table) -> Vec<Worker> {
    let mut out = Vec::new();
    // "Everything has a default": a file without workers has one.
    let default = [Node::new(Value::Table(Table::default()))];
    let written = items(t, "worker");
    let list = if written.is_empty() { &default } else { written };
    for (entry, node) in list.iter().enumerate() {
        let w = of(node);
        let count = int(w, "count").unwrap_or(1) as u32;
        for copy in 0..count {
            if out.len() >= MAX_WORKERS {
                return out;
            }
            let name = match text(w, "name") {
                None => ["W", &number(out.len() + 1)].concat(),
                Some(name) if count == 1 => name.to_string(),
                Some(name) => [name, &number(copy as usize + 1)].concat(),
            };
            let stagger = span(w, "stagger").unwrap_or(Span::ZERO);
            let later = stagger.times(i64::from(copy));
            out.push(Worker {
                process: owned(w, "process").unwrap_or_else(|| name.clone()),
                name,
                start: delayed(when(w, "start").unwrap_or(When::START), later),
                steps: w.get("steps").and_then(|n| steps(n).ok()).unwrap_or_else(Step::default_list),
                keys: w.clone(),
                client: settings(table(w, "client")),
                entry,
                copy,
                count,
                at: node.at,
            });
        }
    }
    out
}

/// The same moment, so much later. Draws that are no sum of a draw and a length stay as they are (`validate` says so).
fn delayed(mut w: When, by: Span) -> When {
    match &mut w {
        When::At(Draw::Fixed(t)) => *t += by,
        When::At(Draw::Uniform(a, b)) => (*a, *b) = (*a + by, *b + by),
        When::At(_) => {}
        When::Point { offset, .. } => *offset += by,
    }
    w
}

fn faults(t: &Table) -> Vec<Fault> {
    let mut out = Vec::new();
    for (entry, node) in items(t, "fault").iter().enumerate() {
        let (keys, at) = (of(node), node.at);
        // Verbs that are not built have been said to be so.
        let Some(verb) = keys.entries.iter().find_map(|e| fault_verb(&e.key)).filter(|v| v.built) else { continue };
        let end = match (when(keys, "until"), draw(keys, "for")) {
            (Some(w), _) => End::Until(w),
            (None, Some(d)) => End::For(d),
            (None, None) => End::WithTheRun,
        };
        let pos = |key| keys.get(key).map_or(at, |n| n.at);
        let moments_at = (pos("at"), pos("until"));
        let start = when(keys, "at").unwrap_or(When::START);
        out.push(Fault { verb, keys: keys.clone(), start, end, entry, at, moments_at });
    }
    out
}

fn designs(t: &Table) -> Vec<Design> {
    let mut out = Vec::new();
    let none = Node::new(Value::Table(Table::default()));
    let list = items(t, "design");
    let written_down = !list.is_empty();
    for (i, node) in (if written_down { list } else { std::slice::from_ref(&none) }).iter().enumerate() {
        let d = of(node);
        let protection = owned(d, "protection");
        let name = match written_down {
            true => design_name(text(d, "name"), protection.as_deref(), i),
            false => text(t, "title").unwrap_or("As written").to_string(),
        };
        out.push(Design {
            name,
            note: owned(d, "note"),
            protection,
            own: written(d),
            expect: expect(table(t, "expect"), table(d, "expect")),
            written: written_down,
            at: node.at,
        });
    }
    out
}

/// A design's claims over the story's, key by key.
fn expect(story: &Table, design: &Table) -> Expect {
    let get = |key: &str| design.get(key).or_else(|| story.get(key));
    let items = |key: &str| get(key).map_or(&[][..], Node::items);
    let words = |key: &str| get(key).map(|n| Claim { value: as_texts(n), at: n.at });
    let mut out = Expect { violates: words("violates"), notes: words("notes"), ..Expect::default() };
    for n in items("instants") {
        if let Some(Ok(value)) = n.as_text().map(ExpectInstant::parse) {
            out.instants.push(Claim { value, at: n.at });
        }
    }
    for n in items("measures") {
        if let Some(Ok(value)) = n.as_text().map(ExpectMeasure::parse) {
            out.measures.push(Claim { value, at: n.at });
        }
    }
    for e in get("ends").map_or(&[][..], |n| &of(n).entries) {
        if let Some(word) = e.node.as_text() {
            out.ends.push(Claim { value: (e.key.clone(), word.to_string()), at: e.at });
        }
    }
    out
}

/// Words of the properties that count as wrong.
pub(super) fn judged(t: &Table) -> Vec<String> {
    let mut out = t.get("judge").map_or(Vec::new(), as_texts);
    if t.get("judge").is_none() {
        for p in PROPERTIES.iter().filter(|p| p.judged) {
            out.push(p.word.text.to_string());
        }
    }
    out
}
