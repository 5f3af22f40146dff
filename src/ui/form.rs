//! The scenario as a form: lock, network, workers, faults, designs.

use super::editor::findings;
use super::field::{bare, option, row};
use super::markup::{made, on, put};
use crate::app::form::{self, FaultCard, Field, NewFault, WorkerCard};
use crate::app::{Desk, Doc, text};
use crate::scenario::Scenario;

const FORM: &str = r#"{a}<fieldset key="form" class="root"{b}>
<h3>{0}</h3>{c}
<h3>{1}</h3>{d}
<details><summary>{2}</summary>{e}</details>
<h3>{3}<button aria-label="{4}" title="{4}" data-do="add worker"><ic pls></button></h3>{f}
<h3>{5}{g}</h3>{h}{i}
<h3>{6}{j}</h3>
</fieldset>"#;

const FORM_WORDS: &[&str] =
    &[text::LOCK, text::NETWORK, text::MORE, text::WORKERS, text::ADD_WORKER, text::FAULTS, text::DESIGNS];

pub fn form(out: &mut String, doc: &Doc, desk: &Desk) {
    let Some(scenario) = &doc.good else {
        hint(out, text::NOTHING_YET);
        return;
    };
    // The design in front decides which values are shown; without any, the first.
    let design = doc.ticked.get(doc.front).copied().unwrap_or(0).min(scenario.designs.len().saturating_sub(1));
    let fields = form::fields(scenario, design);
    let rows = |list: &[Field]| {
        let mut out = String::new();
        for f in list {
            row(&mut out, f, "", desk);
        }
        out
    };
    let (mut stale, mut workers, mut faults, mut none) = Default::default();
    hint(&mut stale, text::FORM_STALE);
    hint(&mut none, text::NO_FAULT);
    for w in form::workers(scenario) {
        worker(&mut workers, &w, desk);
    }
    for f in form::faults(scenario) {
        fault(&mut faults, &f, desk);
    }
    let args = [
        on(doc.stale, &stale),
        on(doc.stale, " disabled"),
        &rows(&fields.lock),
        &rows(&fields.network),
        &rows(&fields.more),
        &workers,
        &add_fault(),
        on(scenario.faults.is_empty(), &none),
        &faults,
        &add_design(scenario),
    ];
    put(out, FORM, FORM_WORDS, &args);
    for (i, d) in scenario.designs.iter().enumerate() {
        design_row(out, i, &d.name, doc, scenario);
    }
    if !doc.diagnostics.is_empty() && !doc.stale {
        findings(out, doc);
    }
}

fn hint(out: &mut String, what: &str) {
    put(out, r#"<p key="hint" class="hint">{A}</p>"#, &[], &[what]);
}

/// A plus that opens a list: a native one, which every keyboard and every phone knows.
const PLUS: &str =
    r#"<span class="plus" title="{A}"><ic pls><select aria-label="{A}" data-set="{b}">{c}</select></span>"#;

fn add_fault() -> String {
    let mut options = String::new();
    option(&mut options, "", text::ADD_FAULT, true);
    for (i, f) in NewFault::ALL.iter().enumerate() {
        option(&mut options, &i.to_string(), text::new_fault(*f), false);
    }
    made(PLUS, &[], &[text::ADD_FAULT, "fault", &options])
}

fn add_design(scenario: &Scenario) -> String {
    let protections = form::protections(scenario);
    if protections.is_empty() {
        return String::new();
    }
    let mut options = String::new();
    option(&mut options, "", text::ADD_DESIGN, true);
    for word in protections {
        option(&mut options, word, &text::capital(word), false);
    }
    made(PLUS, &[], &[text::ADD_DESIGN, "design", &options])
}

/// The button that takes `what` out.
fn remove(what: &str, how: &str) -> String {
    let button = r#"<button class="x" aria-label="{A}" title="{A}" data-do="remove {B}"><ic x></button>"#;
    made(button, &[], &[&text::remove(what), how])
}

/// A name as a chip in its hue.
fn chip(out: &mut String, name: &str, hue: &str) {
    put(out, r#"<span class="id {a}">{B}</span>"#, &[], &[hue, name]);
}

fn worker(out: &mut String, w: &WorkerCard, desk: &Desk) {
    let (mut name, mut steps) = (String::new(), String::new());
    chip(&mut name, &w.name, w.hue);
    row(&mut steps, &w.start, &w.name, desk);
    bare(&mut steps, &w.steps, &w.name, desk);
    for f in &w.own {
        row(&mut steps, f, &w.name, desk);
    }
    let remove = remove(&w.name, &made("worker {a}", &[], &[&w.name]));
    let card = r#"<div key="w {A}" class="wk wkr">{b}<div class="steps">{c}</div>{d}</div>"#;
    put(out, card, &[], &[&w.name, &name, &steps, on(w.removable, &remove)]);
}

fn fault(out: &mut String, f: &FaultCard, desk: &Desk) {
    let mut whom: Vec<&str> = Vec::new();
    let (mut chips, mut rows) = (String::new(), String::new());
    for (name, hue) in &f.whom {
        whom.push(name);
        chip(&mut chips, name, hue);
    }
    let name = made("{a} {b}", &[], &[&whom.join(", "), &f.what]);
    let name = name.trim();
    for field in &f.fields {
        row(&mut rows, field, name, desk);
    }
    let entry = f.entry.to_string();
    let remove = remove(name, &made("fault {a}", &[], &[&entry]));
    let card =
        r#"<div key="f {a}" class="ft"><div key="" class="wk">{b}<div class="steps">{C}</div>{d}</div>{e}</div>"#;
    put(out, card, &[], &[&entry, &chips, &f.what, &remove, &rows]);
}

fn design_row(out: &mut String, i: usize, name: &str, doc: &Doc, scenario: &Scenario) {
    let number = i.to_string();
    let removable = scenario.designs.len() > 1 && !doc.stale;
    let remove = remove(name, &made("design {a}", &[], &[&number]));
    let ticked = super::markup::yes(doc.ticked.contains(&i));
    let row = r#"<div key="d {A}" class="dz"><label class="sw"><input type="checkbox" checked="{b}" data-set="tick {c}">{A}</label>{d}</div>"#;
    put(out, row, &[], &[name, ticked, &number, on(removable, &remove)]);
}
