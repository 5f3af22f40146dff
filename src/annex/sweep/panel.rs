//! The panel of a sweep: what is varied, charts, all points as a table, and sweeps to start from.

use super::make::READY;
use super::{Ready, Sum, added};
use crate::app::text;
use crate::app::text::sweep as words;
use crate::base::markup::{made, on, put};
use crate::base::text::number;
use crate::chart::{self, Chart, Colours, Counted, Size, shown_rate};
use crate::explore::{Cost, Tally, csv};
use crate::scenario::{self, Scenario};
use crate::view::text::grouped;

/// px between which a chart is drawn, and its height.
const WIDE: u32 = 640;
const NARROW: u32 = 330;
const HIGH: u32 = 320;

/// The panel: the story, the designs by number, the cost that is looked at (empty: the first that the story names), the room in px, what has
/// been counted, and parts to be added to it. The answer is the sum, how many units there are, how many runs, and markup.
pub(in super::super) fn panel(texts: &[&str]) -> Result<Vec<String>, String> {
    let [story, designs, cost, width, sum, parts @ ..] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let Some(scenario) = scenario::parse(story).scenario else { return Err(text::ANNEX_UNREADABLE.into()) };
    let cost = cost_of(cost, &scenario);
    let mut out = String::new();
    put(&mut out, "<style>{a}</style>", &[], &[include_str!("../../../static/sweep.css")]);
    put(&mut out, r#"<p class="swp-says">{0}</p>"#, &[words::SAYS], &[]);
    let ready = Ready::of(story, designs);
    controls(&mut out, &scenario, cost);
    let (sum, units, runs) = match ready {
        Ok(ready) if ready.plan.designs.is_empty() => {
            put(&mut out, r#"<p class="swp-none">{0}</p>"#, &[words::NO_DESIGN], &[]);
            (Sum::default(), 0, 0)
        }
        Ok(ready) => {
            let sum = added(&ready, sum, parts)?;
            results(&mut out, &ready, &sum, cost, width.parse().unwrap_or(1_000).min(1_364));
            let runs = ready.asked.runs * ready.asked.arms() as u64;
            (sum, ready.asked.units(), runs)
        }
        Err(why) => {
            put(&mut out, r#"<p class="swp-none" role="alert">{A}</p>"#, &[], &[&why]);
            (Sum::default(), 0, 0)
        }
    };
    start_from(&mut out);
    let sum = serde_json::to_string(&sum).map_err(|e| e.to_string())?;
    Ok(vec![sum, units.to_string(), runs.to_string(), out])
}

fn cost_of(word: &str, scenario: &Scenario) -> Cost {
    let known = |word: &str| Cost::ALL.into_iter().find(|c| c.word() == word);
    let declared = || scenario.sweep()?.measures.iter().find_map(|m| known(m));
    known(word).or_else(declared).unwrap_or(Cost::Wait)
}

fn option(out: &mut String, value: &str, label: &str, chosen: bool) {
    put(out, r#"<option value="{A}"{b}>{C}</option>"#, &[], &[value, on(chosen, " selected"), label]);
}

/// What is varied and how often: edits of the story's own `[sweep]`.
fn controls(out: &mut String, scenario: &Scenario, cost: Cost) {
    let sweep = scenario.sweep();
    let axes = sweep.as_ref().map(|s| &s.axes[..]).unwrap_or_default();
    let mut known = scenario.axes();
    for (path, _) in axes {
        // One that stands there already is offered, whatever the story says of it.
        if !known.iter().any(|k| k.0 == *path) {
            known.push((path.clone(), String::new()));
        }
    }
    out.push_str(r#"<div class="swp-set">"#);
    let template = r#"<label><span>{0}</span><select data-set="sweep axis {a}" aria-label="{0}">{b}</select></label>"#;
    for place in 0..=axes.len().min(1) {
        let mut options = String::new();
        let chosen = axes.get(place).map(|a| a.0.as_str());
        option(&mut options, "", words::NOTHING, chosen.is_none());
        for (path, value) in &known {
            let label = if value.is_empty() { path.clone() } else { format!("{path} ({value})") };
            if chosen == Some(path.as_str()) || !axes.iter().any(|a| a.0 == *path) {
                option(&mut options, path, &label, chosen == Some(path.as_str()));
            }
        }
        let said = if place == 0 { words::VARY } else { words::AND };
        put(out, template, &[said], &[&number(place), &options]);
        if let Some((path, values)) = axes.get(place) {
            let template = r#"<label class="vals"><span>{0}</span><input key="vals {A}" value="{B}" data-set="sweep values {c}" aria-label="{D}" spellcheck="false" autocomplete="off"></label>"#;
            let label = [words::VALUES, " ", path].concat();
            put(out, template, &[words::VALUES], &[path, &values.join(", "), &number(place), &label]);
        }
    }
    let runs = sweep.as_ref().map_or(10_000, |s| s.runs);
    let mut options = String::new();
    let mut offered = vec![1_000, 10_000, 100_000];
    if !offered.contains(&runs) {
        offered.push(runs);
        offered.sort_unstable();
    }
    for n in offered {
        option(&mut options, &n.to_string(), &grouped(u64::from(n)), n == runs);
    }
    let template = r#"<label><span>{0}</span><select data-set="sweep runs" aria-label="{0}">{a}</select></label>"#;
    put(out, template, &[words::RUNS], &[&options]);
    let mut options = String::new();
    for c in Cost::ALL {
        option(&mut options, c.word(), c.word(), c == cost);
    }
    let template = r#"<label><span>{0}</span><select data-set="sweep cost" aria-label="{0}">{a}</select></label>"#;
    put(out, template, &[words::COST], &[&options]);
    out.push_str("</div>");
}

fn results(out: &mut String, ready: &Ready, sum: &Sum, cost: Cost, room: u32) {
    let many = ready.plan.designs.len();
    let tallies: Vec<Vec<Tally>> = sum.arms.chunks(many).map(<[Tally]>::to_vec).collect();
    let counted = Counted { axes: &ready.plan.axes, designs: &ready.plan.designs, tallies: &tallies };
    if sum.arms.iter().all(|t| t.runs == 0) {
        put(out, r#"<p class="swp-none">{0}</p>"#, &[words::NO_RUNS], &[]);
        return;
    }
    if sum.arms.iter().all(same_in_all_runs) {
        put(out, r#"<p class="swp-none">{0}</p>"#, &[words::NO_LUCK], &[]);
    }
    let beside = room > 1_020;
    let width = if beside { (room * 11 / 20).clamp(NARROW, WIDE) } else { room.clamp(NARROW, WIDE) };
    let size = Size { width, height: HIGH };
    let small = Size { width: if beside { (room - width - 40).clamp(NARROW, 440) } else { width }, height: HIGH };
    let with_two = ready.plan.axes.len() > 1;
    if !with_two {
        legend(out, &ready.plan.designs);
    }
    out.push_str(r#"<div class="swp-charts">"#);
    if with_two {
        for (design, name) in ready.plan.designs.iter().enumerate() {
            let chart = chart::heat(counted, design, size, Colours::Page);
            figure(out, &[words::RATES, " · ", name].concat(), words::BANDS, &chart, ready, &tallies);
        }
    } else {
        let chart = chart::rates(counted, size, Colours::Page);
        let says = [&*grouped(sum.arms.iter().map(|t| t.runs).max().unwrap_or(0)), " ", "runs a point; ", words::BANDS]
            .concat();
        figure(out, words::RATES, &says, &chart, ready, &tallies);
        let trade = chart::cost(counted, cost, small, Colours::Page);
        let says = [words::TRADE_SAYS, " · ", words::counts(cost.word())].concat();
        figure(out, words::TRADE, &says, &trade, ready, &tallies);
    }
    let spread = chart::spread(counted, 0, cost, size, Colours::Page);
    figure(out, words::SPREAD, &at_point(ready, 0), &spread, ready, &tallies);
    out.push_str("</div>");
    table(out, ready, &tallies, cost);
    put(out, r#"<p class="swp-note">{0}</p>"#, &[words::NONE_MEANS], &[]);
    files(out, ready, counted, &tallies);
}

/// Whether chance has no part in it, as far as counts can say.
fn same_in_all_runs(tally: &Tally) -> bool {
    let even = |cost: Cost| tally.cost(cost).is_none_or(|h| h.least() == h.greatest());
    (tally.broken == 0 || tally.broken == tally.runs) && Cost::ALL.into_iter().all(even)
}

/// The values of a point: `lock.ttl 10s`.
fn at_point(ready: &Ready, point: usize) -> String {
    let values = ready.plan.axes.iter().zip(&ready.plan.points[point].values);
    values.map(|((path, _), value)| format!("{path} {value}")).collect::<Vec<_>>().join(", ")
}

/// A chart with its head, and a place to press on at every mark.
fn figure(out: &mut String, head: &str, says: &str, chart: &Chart, ready: &Ready, tallies: &[Vec<Tally>]) {
    let mut marks = String::new();
    for mark in &chart.marks {
        let style = format!("left:{}px;top:{}px", mark.at.0, mark.at.1);
        let tally = &tallies[mark.point][mark.design];
        let name = &ready.plan.designs[mark.design];
        let label = words::open_case(name, &at_point(ready, mark.point));
        let title = format!("{name}, {}: {}", at_point(ready, mark.point), shown_rate(tally.rate().0));
        let place = format!("{} {}", mark.point, mark.design);
        // The table below has the same for the keyboard.
        let template = r#"<button class="pt" tabindex="-1" style="{a}" title="{B}" aria-label="{C}" data-do="sweep case {d}"></button>"#;
        put(&mut marks, template, &[], &[&style, &title, &label, &place]);
    }
    let style = format!("width:{}px;height:{}px", chart.size.width, chart.size.height);
    let template = r#"<figure><figcaption><b>{A}</b><span>{B}</span></figcaption><div class="chart" style="{c}">{d}{e}</div></figure>"#;
    put(out, template, &[], &[head, says, &style, &chart.svg, &marks]);
}

/// The shapes and colours of the designs.
fn legend(out: &mut String, designs: &[String]) {
    const SHAPES: [&str; 6] = ["●", "◆", "■", "▲", "▼", "✕"];
    let mut items = String::new();
    for (i, name) in designs.iter().enumerate() {
        put(
            &mut items,
            r#"<li class="s{a}"><i aria-hidden="true">{B}</i>{C}</li>"#,
            &[],
            &[&number(i % 6), SHAPES[i % 6], name],
        );
    }
    put(out, r#"<ul class="swp-key">{a}</ul>"#, &[], &[&items]);
}

/// Every point with every design; a rate opens one run.
fn table(out: &mut String, ready: &Ready, tallies: &[Vec<Tally>], cost: Cost) {
    let mut rows = String::new();
    let unit = |v: Option<u64>| match v {
        None => "–".to_string(),
        Some(v) if cost.is_length() => format!("{} s", in_seconds(v)),
        Some(v) => v.to_string(),
    };
    for (point, of_point) in tallies.iter().enumerate() {
        for (design, tally) in of_point.iter().enumerate() {
            let name = &ready.plan.designs[design];
            let (rate, within) = tally.rate();
            let between = format!("{} to {}", shown_rate(within.low).replace("none", "0"), shown_rate(within.high));
            let label = words::open_case(name, &at_point(ready, point));
            let place = format!("{point} {design}");
            let h = tally.cost(cost);
            let (half, most) = (unit(h.and_then(|h| h.percentile(50))), unit(h.and_then(|h| h.percentile(95))));
            let first = if design == 0 { at_point(ready, point) } else { String::new() };
            let class = if tally.broken > 0 { "bad" } else { "good" };
            let template = r#"<tr><th scope="row">{A}</th><td>{B}</td><td class="{c}"><button class="lk" aria-label="{D}" data-do="sweep case {e}">{F}</button> <small>{G}</small></td><td>{H}</td><td>{I}</td></tr>"#;
            put(
                &mut rows,
                template,
                &[],
                &[&first, name, class, &label, &place, &shown_rate(rate), &between, &half, &most],
            );
        }
    }
    let template = r#"<details class="swp-table"><summary>{0}</summary><div class="wide"><table><thead><tr><th></th><th>{1}</th><th>{2}</th><th>{A}, {3}</th><th>{4}</th></tr></thead><tbody>{b}</tbody></table></div></details>"#;
    put(out, template, &[words::TABLE, words::DESIGN, words::BROKE, words::HALF, words::MOST], &[cost.word(), &rows]);
}

fn in_seconds(us: u64) -> String {
    let text = format!("{:.3}", us as f64 / 1e6);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// The counts and the chart, to be taken away.
fn files(out: &mut String, ready: &Ready, counted: Counted, tallies: &[Vec<Tally>]) {
    let points: Vec<(&[String], &[Tally])> =
        ready.plan.points.iter().zip(tallies).map(|(p, t)| (&p.values[..], &t[..])).collect();
    let counts = csv(&ready.plan.axes, &ready.plan.designs, &points);
    let svg = match ready.plan.axes.len() {
        0 | 1 => chart::rates(counted, Size { width: WIDE, height: HIGH }, Colours::Own).svg,
        _ => chart::heat(counted, 0, Size { width: WIDE, height: HIGH }, Colours::Own).svg,
    };
    let link = |kind: &str, name: &str, data: &str, label: &str| {
        let address = format!("data:{kind};charset=utf-8,{}", percent_encoded(data));
        made(r#"<a class="lk" download="{A}" href="{B}">{C}</a>"#, &[], &[name, &address, label])
    };
    let links = [
        link("text/csv", "sweep.csv", &counts, words::AS_CSV),
        link("image/svg+xml", "sweep.svg", &svg, words::AS_SVG),
    ];
    put(out, r#"<p class="swp-files">{a}</p>"#, &[], &[&links.concat()]);
}

/// A text as part of an address.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 3 / 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b','
            | b'/'
            | b':'
            | b'='
            | b'('
            | b')' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// The sweeps that come with the page.
fn start_from(out: &mut String) {
    let mut items = String::new();
    for (i, text) in READY.iter().enumerate() {
        let Some(story) = scenario::parse(text).scenario else { continue };
        let claim = story.claim.as_deref().unwrap_or_default();
        let template = r#"<li><button data-do="sweep ready {a}"><b>{B}</b><span>{C}</span></button></li>"#;
        put(&mut items, template, &[], &[&number(i), story.title.as_deref().unwrap_or_default(), claim]);
    }
    put(out, r#"<h2 class="swp-h">{0}</h2><ul class="swp-ready">{a}</ul>"#, &[words::READY], &[&items]);
}
