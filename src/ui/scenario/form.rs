//! The scenario as a form: lock, network, workers, faults, designs.

use super::super::context::{Document, Send, use_document, use_send};
use super::super::editor::{Findings, Listed};
use super::super::icon;
use super::field::FieldRow;
use crate::app::form::{self, Change, FaultCard, Field, NewFault, WorkerCard};
use crate::app::{Action, Doc, text};
use crate::scenario::Scenario;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

#[component]
pub fn Form() -> Html {
    let Document { doc, .. } = use_document();
    let send = use_send();
    let Some(scenario) = &doc.good else {
        return html! { <p class="hint">{ text::NOTHING_YET }</p> };
    };
    // The design in front decides which values are shown; without any, the first.
    let design = doc.ticked.get(doc.front).copied().unwrap_or(0).min(scenario.designs.len().saturating_sub(1));
    let fields = form::fields(scenario, design);
    let rows = |list: &[Field]| -> Html { list.iter().map(|f| row(f, &doc.text, "")).collect() };
    let workers = form::workers(scenario);
    html! {
        <>
        if doc.stale { <p class="hint">{ text::FORM_STALE }</p> }
        <fieldset class="root" disabled={doc.stale}>
            <h3>{ text::LOCK }</h3>
            { rows(&fields.lock) }
            <h3>{ text::NETWORK }</h3>
            { rows(&fields.network) }
            <details><summary>{ text::MORE }</summary>{ rows(&fields.more) }</details>
            <h3>{ text::WORKERS }{ plus(text::ADD_WORKER, send.on(Action::Change(Change::AddWorker))) }</h3>
            { for workers.iter().map(|w| worker(w, &doc, &send)) }
            <h3>{ text::FAULTS }{ add_fault(&send) }</h3>
            if scenario.faults.is_empty() { <p class="hint">{ text::NO_FAULT }</p> }
            { for form::faults(scenario).iter().map(|f| fault(f, &doc, &send)) }
            <h3>{ text::DESIGNS }{ add_design(scenario, &send) }</h3>
        </fieldset>
        { for scenario.designs.iter().enumerate().map(|(i, d)| design_row(i, &d.name, &doc, scenario, &send)) }
        if !doc.diagnostics.is_empty() && !doc.stale {
            <Findings text={doc.text.clone()} diagnostics={Listed(doc.diagnostics.clone())} />
        }
        </>
    }
}

fn row(field: &Field, scenario_text: &Rc<str>, of: &str) -> Html {
    html! { <FieldRow key={field.path.clone()} field={field.clone()} text={scenario_text.clone()} of={of.to_string()} /> }
}

fn plus(label: &'static str, press: Callback<MouseEvent>) -> Html {
    html! { <button aria-label={label} title={label} onclick={press}>{ icon::icon(icon::PLUS) }</button> }
}

/// A plus that opens a list: a native one, which every keyboard and every phone knows.
fn plus_list(label: &'static str, options: Vec<(String, String)>, choose: impl Fn(String) + 'static) -> Html {
    let chosen = Callback::from(move |e: Event| {
        let Some(select) = e.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok()) else { return };
        let value = select.value();
        select.set_value("");
        choose(value);
    });
    html! {
        <span class="plus" title={label}>
            { icon::icon(icon::PLUS) }
            <select aria-label={label} onchange={chosen}>
                <option value="" selected=true>{ label }</option>
                { for options.into_iter().map(|(value, shown)| html! { <option {value}>{ shown }</option> }) }
            </select>
        </span>
    }
}

fn add_fault(send: &Send) -> Html {
    let options =
        NewFault::ALL.iter().enumerate().map(|(i, f)| (i.to_string(), text::new_fault(*f).to_string())).collect();
    let send = send.clone();
    plus_list(text::ADD_FAULT, options, move |value| {
        if let Some(fault) = value.parse::<usize>().ok().and_then(|i| NewFault::ALL.get(i)) {
            send.act(Action::Change(Change::AddFault(*fault)));
        }
    })
}

fn add_design(scenario: &Scenario, send: &Send) -> Html {
    let options: Vec<(String, String)> =
        form::protections(scenario).into_iter().map(|w| (w.to_string(), text::capital(w))).collect();
    if options.is_empty() {
        return html! {};
    }
    let send = send.clone();
    plus_list(text::ADD_DESIGN, options, move |word| {
        if !word.is_empty() {
            send.act(Action::Change(Change::AddDesign(word)));
        }
    })
}

fn remove(what: &str, press: Callback<MouseEvent>) -> Html {
    let label = text::remove(what);
    html! { <button class="x" aria-label={label.clone()} title={label} onclick={press}>{ icon::icon(icon::CROSS) }</button> }
}

fn worker(w: &WorkerCard, doc: &Doc, send: &Send) -> Html {
    html! {
        <div class="wk wkr" key={format!("w-{}", w.name)}>
            <span class={classes!("id", w.hue)}>{ w.name.clone() }</span>
            <div class="steps">
                { row(&w.start, &doc.text, &w.name) }
                <FieldRow field={w.steps.clone()} text={doc.text.clone()} of={w.name.clone()} bare=true />
                { for w.own.iter().map(|f| row(f, &doc.text, &w.name)) }
            </div>
            if w.removable {
                { remove(&w.name, send.on(Action::Change(Change::RemoveWorker(w.name.clone())))) }
            }
        </div>
    }
}

fn fault(f: &FaultCard, doc: &Doc, send: &Send) -> Html {
    let whom: Vec<String> = f.whom.iter().map(|(n, _)| n.clone()).collect();
    let name = format!("{} {}", whom.join(", "), f.what).trim().to_string();
    html! {
        <div class="ft" key={format!("f-{}", f.entry)}>
            <div class="wk">
                { for f.whom.iter().map(|(n, hue)| html! { <span class={classes!("id", *hue)}>{ n.clone() }</span> }) }
                <div class="steps">{ f.what.clone() }</div>
                { remove(&name, send.on(Action::Change(Change::RemoveFault(f.entry)))) }
            </div>
            { for f.fields.iter().map(|field| row(field, &doc.text, &name)) }
        </div>
    }
}

fn design_row(i: usize, name: &str, doc: &Doc, scenario: &Scenario, send: &Send) -> Html {
    let ticked = doc.ticked.contains(&i);
    let send_tick = send.clone();
    let tick = Callback::from(move |e: Event| {
        if let Some(input) = e.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()) {
            send_tick.act(Action::Tick { design: i, on: input.checked() });
        }
    });
    let removable = scenario.designs.len() > 1 && !doc.stale;
    html! {
        <div class="dz" key={format!("d-{name}")}>
            <label class="sw"><input type="checkbox" checked={ticked} onchange={tick} />{ name.to_string() }</label>
            if removable { { remove(name, send.on(Action::Change(Change::RemoveDesign(i)))) } }
        </div>
    }
}
