//! The cards of the form, in the order in which one tells a story: lock, network, workers, faults, designs; then what few stories say.

use super::field::{alone, beside, id, row};
use super::form::{Form, choice, hint, remove, tools};
use super::markup::{made, on, put, yes};
use crate::app::form::{self, FaultCard, Field, Kind, WorkerCard};
use crate::app::text;
use crate::base::text::number;
use crate::scenario::profile::PROTECTIONS;
use crate::scenario::registry::Section;
use crate::scenario::registry::faults::VERBS;
use crate::scenario::registry::services::services;
use crate::scenario::registry::steps::STEPS;
use crate::scenario::tree::Node;

pub fn all(out: &mut String, f: &Form) {
    card(out, f, text::LOCK, "lock", &f.add("lock.also", text::ADD_LOCK));
    more(out, f, "lock.also", f.scenario.more_locks.len());
    card(out, f, text::NETWORK, "network", &f.add("link", text::ADD_LINK));
    more(out, f, "link", form::count_at(f.scenario, "link"));
    workers(out, f);
    faults(out, f);
    designs(out, f);
    card(out, f, text::STORY, "story", "");
    card(out, f, text::RESOURCE, "resource", &f.add("resource.also", text::ADD_RESOURCE));
    more(out, f, "resource.also", f.scenario.more_resources.len());
    clocks(out, f);
    card(out, f, text::CLAIMS, "expect", "");
    card(out, f, text::SWEEP, "sweep", "");
    card(out, f, text::EXPLORE, "explore", "");
    card(out, f, text::LESSON, "lesson", "");
}

/// A card of one table.
fn card(out: &mut String, f: &Form, title: &str, card: &str, end: &str) {
    f.head(out, title, card, end);
    f.fields(out, card, "", &[]);
}

/// A name as a chip in its hue.
fn chip(out: &mut String, name: &str, hue: &str) {
    put(out, r#"<span class="id {a}">{B}</span>"#, &[], &[hue, name]);
}

const ENTRY: &str =
    r#"<div key="{A}" class="ft" data-at="{b}"><div class="wk">{c}<div class="steps">{D}</div>{e}{f}</div>{g}</div>"#;

/// Links, and further locks and resources: each with all its fields.
fn more(out: &mut String, f: &Form, list: &str, count: usize) {
    let mut inner = String::new();
    for i in 0..count {
        let path = [list, ".", &number(i)].concat();
        let name = form::name_of(f.scenario, &path).unwrap_or_else(|| text::numbered(text::entry(list), i + 1));
        let mut fields = String::new();
        f.fields(&mut fields, &path, &name, &[]);
        if f.desk.form.is_open(&path) {
            tools(&mut fields, &path, i, count, list == "link");
        }
        let args = [&path, &number(i), "", &name, &f.all_of(&path, &name), &remove(&name, &path), &fields];
        put(&mut inner, ENTRY, &[], &args);
    }
    put(out, r#"<div key="list {A}" data-list="{A}">{b}</div>"#, &[], &[list, &inner]);
}

fn clocks(out: &mut String, f: &Form) {
    f.head(out, text::CLOCKS, "", &f.plus("clock", text::ADD_CLOCK));
    f.menu(out, "clock", text::ADD_CLOCK, &|out| {
        for name in form::unused(f.scenario, f.design) {
            choice(out, "clock", &name, &name, "");
        }
    });
    for name in form::clocks(f.scenario) {
        let path = ["clock.", &name].concat();
        let mut fields = String::new();
        f.fields(&mut fields, &path, &name, &[]);
        let args = [&path, "", "", &name, &f.all_of(&path, &name), &remove(&name, &path), &fields];
        put(out, ENTRY, &[], &args);
    }
}

// ------------------------------------------------------------------ workers

const WORKER: &str = r#"<div key="{A}" class="wk wkr" data-at="{b}"><button class="id {c} lift" id="lift-worker-{b}" aria-label="{D}" title="{D}" data-lift="worker {b}">{E}</button><div class="steps">{f}</div><span class="hb">{g}{h}</span></div>"#;

fn workers(out: &mut String, f: &Form) {
    f.head(out, text::WORKERS, "", &f.add("worker", text::ADD_WORKER));
    let mut inner = String::new();
    let all = form::workers(f.scenario);
    for w in &all {
        worker(&mut inner, f, w, all.len());
    }
    put(out, r#"<div key="list worker" data-list="worker">{a}</div>"#, &[], &[&inner]);
}

fn worker(out: &mut String, f: &Form, w: &WorkerCard, count: usize) {
    let path = ["worker.", &number(w.entry)].concat();
    let list = [&path, ".steps"].concat();
    let open = f.desk.form.is_open(&path);
    let mut inner = String::new();
    if open {
        steps(&mut inner, f, &list, &w.name);
    } else {
        let start = [&path, ".start"].concat();
        let cards = form::card(f.scenario, f.design, &path, false, "");
        // When it starts, then what it does, then what it says of itself.
        for field in cards.iter().filter(|c| c.path == start) {
            row(&mut inner, field, &w.name, f.around(&path));
        }
        if w.blocks {
            put(&mut inner, r#"<p key="steps">{A}</p>"#, &[], &[&w.steps]);
        } else {
            let field = Field {
                path: list,
                label: text::STEPS.to_string(),
                value: w.steps.clone(),
                kind: Kind::Lines,
                default: false,
                says: "",
                section: Section::Worker,
            };
            inner.push_str(&alone(&field, &w.name, f.around(&path)));
            beside(&mut inner, &field, f.around(&path));
        }
        for field in cards.iter().filter(|c| c.path != start) {
            row(&mut inner, field, &w.name, f.around(&path));
        }
    }
    if open {
        f.fields(&mut inner, &path, &w.name, &[]);
        tools(&mut inner, &path, w.entry, count, true);
    }
    let remove = remove(&w.name, &path);
    let args = [
        path.as_str(),
        &number(w.entry),
        w.hue,
        &text::grip(&w.name),
        &w.name,
        &inner,
        &f.all_of(&path, &w.name),
        on(w.removable, &remove),
    ];
    put(out, WORKER, &[], &args);
}

const STEP: &str = r#"<li key="{A}" data-at="{b}"><div class="st"><button class="lift" id="lift-{C}" aria-label="{D}" title="{D}" data-lift="{E} {b}"><ic gr></button>{f}<span class="hb">{g}{h}</span></div>{i}</li>"#;

/// A list of steps that can be put in order; blocks are lists in it.
fn steps(out: &mut String, f: &Form, list: &str, of: &str) {
    let mut inner = String::new();
    let all = form::steps_of(f.scenario, list);
    for (i, node) in all.iter().enumerate() {
        step(&mut inner, f, list, i, node, of, all.len());
    }
    let adds = f.plus(list, text::ADD_STEP);
    put(
        out,
        r#"<ol key="list {A}" class="sl" data-list="{A}">{b}</ol><div key="add {A}" class="stp">{C}{d}</div>"#,
        &[],
        &[list, &inner, text::ADD_STEP, &adds],
    );
    f.menu(out, list, text::ADD_STEP, &|out| {
        for row in STEPS.iter().filter(|r| r.built) {
            choice(out, list, row.verb.word(), row.verb.word(), row.says());
        }
        choice(out, list, text::REPEATED, text::REPEATED, text::REPEATED_SAYS);
    });
}

fn step(out: &mut String, f: &Form, list: &str, i: usize, node: &Node, of: &str, count: usize) {
    let path = [list, ".", &number(i)].concat();
    let name = text::step_of(of, i);
    let open = f.desk.form.is_open(&path);
    let around = f.around("");
    let (mut head, mut below) = (String::new(), String::new());
    match node.as_text() {
        Some(words) => {
            let fields = form::step_fields(&path, words);
            for (n, field) in fields.iter().enumerate() {
                if n < 2 {
                    head.push_str(&alone(field, &name, around));
                    beside(&mut below, field, around);
                } else if open || !field.default {
                    row(&mut below, field, &name, around);
                }
            }
        }
        None => {
            put(&mut head, "<b>{0}</b>", &[text::REPEATED], &[]);
            for field in form::block_fields(f.scenario, &path) {
                row(&mut below, &field, &name, around);
            }
            steps(&mut below, f, &[&path, ".steps"].concat(), &name);
        }
    }
    if open {
        tools(&mut below, &path, i, count, true);
    }
    let remove = remove(&name, &path);
    let args = [
        &path,
        &number(i),
        &id(&path),
        &text::grip(&name),
        list,
        &head,
        &f.all_of(&path, &name),
        on(count > 1, &remove),
        &below,
    ];
    put(out, STEP, &[], &args);
}

// ------------------------------------------------------------------ faults

fn faults(out: &mut String, f: &Form) {
    f.head(out, text::FAULTS, "", &f.plus("fault", text::ADD_FAULT));
    f.menu(out, "fault", text::ADD_FAULT, &|out| {
        for v in VERBS.iter().filter(|v| v.built) {
            choice(out, "fault", v.word, &v.word.replace('_', " "), v.says());
        }
    });
    if f.scenario.faults.is_empty() {
        hint(out, text::NO_FAULT);
    }
    let mut inner = String::new();
    let all = form::faults(f.scenario);
    for card in &all {
        fault(&mut inner, f, card, all.len());
    }
    put(out, r#"<div key="list fault" data-list="fault">{a}</div>"#, &[], &[&inner]);
}

fn fault(out: &mut String, f: &Form, card: &FaultCard, count: usize) {
    let mut whom: Vec<&str> = Vec::new();
    let (mut chips, mut fields) = (String::new(), String::new());
    for (name, hue) in &card.whom {
        whom.push(name);
        chip(&mut chips, name, hue);
    }
    let name = made("{a} {b}", &[], &[&whom.join(", "), &card.what]);
    let name = name.trim();
    let entry = number(card.entry);
    let path = ["fault.", &entry].concat();
    f.fields(&mut fields, &path, name, &[]);
    if f.desk.form.is_open(&path) {
        tools(&mut fields, &path, card.entry, count, true);
    }
    put(out, ENTRY, &[], &[&path, &entry, &chips, &card.what, &f.all_of(&path, name), &remove(name, &path), &fields]);
}

// ------------------------------------------------------------------ designs

const DESIGN: &str = r#"<div key="{A}" class="dzn" data-at="{b}"><div class="dz"><label class="sw"><input type="checkbox" checked="{c}" data-set="tick {b}">{D}</label><span class="hb">{e}{f}{g}</span></div>{h}</div>"#;

fn designs(out: &mut String, f: &Form) {
    f.head(out, text::DESIGNS, "", &f.plus("design", text::ADD_DESIGN));
    f.menu(out, "design", text::ADD_DESIGN, &|out| {
        choice(out, "design", "", text::PLAIN_DESIGN, text::PLAIN_DESIGN_SAYS);
        put(out, r#"<h4 key="p">{0}</h4>"#, &[text::PROTECTIONS], &[]);
        for p in PROTECTIONS {
            choice(out, "design", p.word, p.label, p.sets);
        }
        put(out, r#"<h4 key="s">{0}</h4>"#, &[text::SERVICES], &[]);
        for s in services().iter().filter(|s| s.built) {
            choice(out, "design", &["@", s.word].concat(), s.label, s.says());
        }
    });
    let mut inner = String::new();
    let designs = &f.scenario.designs;
    for (i, d) in designs.iter().enumerate() {
        let path = ["design.", &number(i)].concat();
        let mut fields = String::new();
        if d.written && f.desk.form.is_open(&path) {
            if let Some(p) = d.protection.as_deref().and_then(crate::scenario::profile::protection_row) {
                put(&mut fields, r#"<p key="sets" class="say">{0} {A}.</p>"#, &[text::SETS], &[p.sets]);
            }
            f.fields(&mut fields, &path, &d.name, &[]);
            tools(&mut fields, &path, i, designs.len(), true);
        }
        let grip = r#"<button class="lift" id="lift-design-{a}" aria-label="{B}" title="{B}" data-lift="design {a}"><ic gr></button>"#;
        let grip = made(grip, &[], &[&number(i), &text::grip(&d.name)]);
        let args = [
            path.as_str(),
            &number(i),
            yes(f.doc.ticked.contains(&i)),
            &d.name,
            on(designs.len() > 1, &grip),
            &if d.written { f.all_of(&path, &d.name) } else { String::new() },
            &if designs.len() > 1 { remove(&d.name, &path) } else { String::new() },
            &fields,
        ];
        put(&mut inner, DESIGN, &[], &args);
    }
    put(out, r#"<div key="list design" data-list="design">{a}</div>"#, &[], &[&inner]);
}
