//! From the normalized tree to the structures. Nothing can fail here: every value is of its kind, and what could not be read is not there.

use super::*;
use crate::scenario::quantity::share;
use crate::scenario::registry::claims::PROPERTIES;
use crate::scenario::registry::faults::fault_verb;
use crate::scenario::tree::{Entry, Table, Value};
use crate::scenario::value::{as_bool, as_draw, as_int, as_ppm, as_span, as_texts, steps};

impl Scenario {
    /// From a normalized tree. What could not be read is not in it; its defaults serve, so that later checks still find their mistakes.
    pub(crate) fn from_tree(t: &Table) -> Scenario {
        let designs = designs(t, table(t, "expect"));
        Scenario {
            title: text(t, "title"),
            claim: text(t, "claim"),
            story: text(t, "story"),
            source: t.get("source").map(as_texts).unwrap_or_default(),
            horizon: TrueTime::from_us(t.get("horizon").and_then(as_span).unwrap_or(Span::from_ms(60_000)).as_us()),
            seed: t.get("seed").and_then(as_int).unwrap_or(1) as u64,
            max_events: t.get("max_events").and_then(as_int).unwrap_or(10_000) as u32,
            judge: judged(t),
            network: network(table(t, "network")),
            links: tables(t, "link").map(|(l, at)| link(l, at)).collect(),
            clocks: table(t, "clock").entries.iter().filter_map(clock).collect(),
            workers: workers(t),
            faults: tables(t, "fault").enumerate().filter_map(|(i, (f, at))| fault(i, f, at)).collect(),
            lesson: t.get("lesson").and_then(Node::as_table).map(|l| lesson(l, &designs)),
            designs,
            sweep: t.get("sweep").and_then(Node::as_table).map(sweep),
            explore: t.get("explore").and_then(Node::as_table).map(|e| explore(e, t)),
            lock: settings(table(t, "lock")),
            client: settings(table(t, "client")),
            resource: settings(table(t, "resource")),
            more_locks: also(table(t, "lock")),
            more_resources: also(table(t, "resource")),
            canonical: String::new(),
        }
    }
}

static EMPTY: Table = Table { entries: Vec::new() };

fn table<'a>(t: &'a Table, key: &str) -> &'a Table {
    t.get(key).and_then(Node::as_table).unwrap_or(&EMPTY)
}

fn tables<'a>(t: &'a Table, key: &str) -> impl Iterator<Item = (&'a Table, Pos)> {
    t.get(key).map_or(&[][..], Node::items).iter().filter_map(|n| n.as_table().map(|t| (t, n.at)))
}

fn text(t: &Table, key: &str) -> Option<String> {
    t.get(key).and_then(Node::as_text).map(str::to_string)
}

fn texts(t: &Table, key: &str) -> Option<Vec<String>> {
    t.get(key).map(as_texts)
}

fn span(t: &Table, key: &str) -> Option<Span> {
    t.get(key).and_then(as_span)
}

fn draw(t: &Table, key: &str) -> Option<Draw> {
    t.get(key).and_then(as_draw)
}

fn int(t: &Table, key: &str) -> Option<i64> {
    t.get(key).and_then(as_int)
}

fn flag(t: &Table, key: &str) -> bool {
    t.get(key).is_some_and(as_bool)
}

fn loss(t: &Table) -> Option<u32> {
    t.get("loss").and_then(Node::as_text).and_then(|s| share(s).ok())
}

fn when(t: &Table, key: &str) -> Option<When> {
    t.get(key).and_then(Node::as_text).and_then(|s| When::parse(s).ok())
}

fn settings(t: &Table) -> Settings {
    t.entries.iter().filter(|e| e.key != "also").map(|e| (e.key.clone(), e.node.clone())).collect()
}

fn also(t: &Table) -> Vec<(String, Settings)> {
    tables(t, "also").filter_map(|(a, _)| Some((text(a, "name")?, settings(a)))).collect()
}

fn network(t: &Table) -> Network {
    Network {
        one_way: draw(t, "one_way").unwrap_or(Draw::ms(5)),
        loss_ppm: loss(t).unwrap_or(0),
        ordered: flag(t, "ordered"),
    }
}

fn link(t: &Table, at: Pos) -> Link {
    Link {
        from: texts(t, "from"),
        to: texts(t, "to"),
        one_way: draw(t, "one_way"),
        loss_ppm: loss(t),
        ordered: t.get("ordered").map(as_bool),
        one_sided: flag(t, "one_sided"),
        at,
    }
}

fn clock(e: &Entry) -> Option<ClockSetting> {
    let t = e.node.as_table()?;
    Some(ClockSetting {
        name: e.key.clone(),
        rate_ppm: t.get("rate").and_then(as_ppm),
        offset: span(t, "offset"),
        at: e.at,
    })
}

fn workers(t: &Table) -> Vec<Worker> {
    let mut out = Vec::new();
    for (entry, (w, at)) in tables(t, "worker").enumerate() {
        let count = int(w, "count").unwrap_or(1).clamp(1, MAX_WORKERS as i64) as u32;
        let written = text(w, "name");
        for copy in 0..count {
            if out.len() >= MAX_WORKERS {
                return out;
            }
            let name = match (&written, w.get("count")) {
                (None, _) => format!("W{}", out.len() + 1),
                (Some(name), None) => name.clone(),
                (Some(name), Some(_)) if count == 1 => name.clone(),
                (Some(name), Some(_)) => format!("{name}{}", copy + 1),
            };
            let stagger = span(w, "stagger").unwrap_or(Span::ZERO);
            let later = Span::from_us(stagger.as_us().saturating_mul(i64::from(copy)));
            out.push(Worker {
                process: text(w, "process").unwrap_or_else(|| name.clone()),
                name,
                start: delayed(when(w, "start").unwrap_or(When::START), later),
                life: draw(w, "life"),
                steps: w.get("steps").and_then(|n| steps(n).ok()).unwrap_or_else(Step::default_list),
                rounds: int(w, "rounds").unwrap_or(1) as u32,
                gap: draw(w, "gap").filter(|d| *d != Draw::Fixed(Span::ZERO)),
                every: draw(w, "every"),
                client: settings(table(w, "client")),
                entry,
                copy,
                at,
            });
        }
    }
    if t.get("worker").is_none_or(|n| n.items().is_empty()) {
        // "Everything has a default": a file without workers has one.
        let mut list = Table::default();
        list.set("worker", Node::new(Value::Table(Table::default())));
        return workers(&list);
    }
    out
}

/// The same moment, so much later. Draws that are no sum of a draw and a length stay as they are (`validate` says so).
fn delayed(w: When, by: Span) -> When {
    match w {
        When::At(Draw::Fixed(t)) => When::At(Draw::Fixed(t + by)),
        When::At(Draw::Uniform(a, b)) => When::At(Draw::Uniform(a + by, b + by)),
        When::At(d) => When::At(d),
        When::Point { offset, worker, point, n } => When::Point { offset: offset + by, worker, point, n },
    }
}

fn fault(entry: usize, t: &Table, at: Pos) -> Option<Fault> {
    let pos = |key| t.entry(key).map_or(at, |e| e.node.at);
    let end = match (when(t, "until"), draw(t, "for")) {
        (Some(w), _) => End::Until(w),
        (None, Some(d)) => End::For(d),
        (None, None) => End::WithTheRun,
    };
    Some(Fault {
        name: text(t, "name"),
        verb: verb(t)?,
        start: when(t, "at").unwrap_or(When::START),
        end,
        every: draw(t, "every"),
        entry,
        at,
        moments_at: (pos("at"), pos("until")),
    })
}

fn verb(t: &Table) -> Option<Verb> {
    let message = |word, what| {
        Some(Verb::Message {
            what,
            kinds: texts(t, word)?,
            from: texts(t, "from"),
            to: texts(t, "to"),
            nth: t.get("nth").and_then(|n| n.items().iter().map(|i| as_int(i).map(|n| n as u32)).collect()),
            takes: draw(t, "takes"),
            applied: flag(t, "applied"),
        })
    };
    let e = t.entries.iter().find(|e| fault_verb(&e.key).is_some())?;
    match e.key.as_str() {
        "pause" => Some(Verb::Pause { targets: as_texts(&e.node) }),
        "crash" => Some(Verb::Crash {
            targets: as_texts(&e.node),
            loses: span(t, "loses"),
            answers_error: t.get("answers").and_then(Node::as_text) == Some("error"),
        }),
        "cut" => Some(Verb::Cut { from: as_texts(&e.node), to: texts(t, "to"), one_sided: flag(t, "one_sided") }),
        "partition" => Some(Verb::Partition { groups: e.node.items().iter().map(as_texts).collect() }),
        "delay" => message("delay", MessageVerb::Delay),
        "drop" => message("drop", MessageVerb::Drop),
        "duplicate" => message("duplicate", MessageVerb::Duplicate),
        "fail" => message("fail", MessageVerb::Fail),
        "stall" => message("stall", MessageVerb::Stall),
        "step_clock" => Some(Verb::StepClock { names: as_texts(&e.node), by: span(t, "by").unwrap_or(Span::ZERO) }),
        "drift_clock" => Some(Verb::DriftClock {
            names: as_texts(&e.node),
            rate_ppm: t.get("rate").and_then(as_ppm).unwrap_or(1_000_000),
        }),
        "fail_over" => {
            Some(Verb::FailOver { names: as_texts(&e.node), serves: text(t, "old").as_deref() == Some("serves") })
        }
        "evict" => Some(Verb::Evict { names: as_texts(&e.node), lock: text(t, "lock_name") }),
        // Verbs that are not built have been said to be so.
        _ => None,
    }
}

fn designs(t: &Table, story: &Table) -> Vec<Design> {
    let mut out: Vec<Design> = Vec::new();
    for (i, (d, at)) in tables(t, "design").enumerate() {
        let (name, protection) = (text(d, "name"), text(d, "protection"));
        out.push(Design {
            name: design_name(name.as_deref(), protection.as_deref(), i),
            note: text(d, "note"),
            protection,
            lock: settings(table(d, "lock")),
            client: settings(table(d, "client")),
            resource: settings(table(d, "resource")),
            expect: expect(story, table(d, "expect")),
            written: true,
            at,
        });
    }
    if out.is_empty() {
        out.push(Design {
            name: text(t, "title").unwrap_or_else(|| "As written".to_string()),
            note: None,
            protection: None,
            lock: Settings::new(),
            client: Settings::new(),
            resource: Settings::new(),
            expect: expect(story, &EMPTY),
            written: false,
            at: Pos::UNKNOWN,
        });
    }
    out
}

/// A design's claims over the story's, key by key.
fn expect(story: &Table, design: &Table) -> Expect {
    let get = |key: &str| design.get(key).or_else(|| story.get(key));
    let words = |key: &str| get(key).map(|n| Claim { value: as_texts(n), at: n.at });
    let items = |key: &str| get(key).map_or(&[][..], Node::items);
    Expect {
        violates: words("violates"),
        notes: words("notes"),
        instants: items("instants")
            .iter()
            .filter_map(|n| Some(Claim { value: ExpectInstant::parse(n.as_text()?).ok()?, at: n.at }))
            .collect(),
        measures: items("measures")
            .iter()
            .filter_map(|n| Some(Claim { value: ExpectMeasure::parse(n.as_text()?).ok()?, at: n.at }))
            .collect(),
        ends: get("ends")
            .and_then(Node::as_table)
            .map_or(&[][..], |t| &t.entries)
            .iter()
            .filter_map(|e| Some(Claim { value: (e.key.clone(), e.node.as_text()?.to_string()), at: e.at }))
            .collect(),
    }
}

fn sweep(t: &Table) -> Sweep {
    Sweep {
        runs: int(t, "runs").unwrap_or(10_000) as u32,
        axes: table(t, "axes")
            .entries
            .iter()
            .map(|e| (e.key.clone(), e.node.items().iter().map(Node::to_string).collect()))
            .collect(),
        measures: texts(t, "measure").unwrap_or_else(|| vec!["violated".to_string()]),
    }
}

fn explore(e: &Table, file: &Table) -> Explore {
    let properties = texts(e, "properties").filter(|p| p != &["judge"]);
    Explore {
        faults: table(e, "faults")
            .entries
            .iter()
            .filter_map(|f| Some((f.key.clone(), as_int(&f.node)? as u32)))
            .collect(),
        total: int(e, "total").unwrap_or(2) as u32,
        targets: texts(e, "targets").unwrap_or_else(|| vec!["workers".to_string()]),
        schedules: int(e, "schedules").unwrap_or(200_000) as u32,
        properties: properties.unwrap_or_else(|| judged(file)),
    }
}

fn judged(t: &Table) -> Vec<String> {
    match t.get("judge") {
        Some(n) => as_texts(n),
        None => PROPERTIES.iter().filter(|p| p.judged).map(|p| p.word.text.to_string()).collect(),
    }
}

fn lesson(t: &Table, designs: &[Design]) -> Lesson {
    Lesson {
        ask: text(t, "ask"),
        choices: texts(t, "choices").unwrap_or_default(),
        answer: texts(t, "answer").and_then(|a| a.into_iter().next()),
        design: text(t, "design").and_then(|name| designs.iter().position(|d| d.name == name)).unwrap_or(0),
        task: text(t, "task"),
        locked: texts(t, "locked").unwrap_or_default(),
        hints: texts(t, "hints").unwrap_or_default(),
        next: text(t, "next"),
    }
}
