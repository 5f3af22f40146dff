//! What a search is set to, as fields: kinds of faults, bounds, designs, promises.

use super::setting::{Offered, Ready};
use crate::app::text::explore as words;
use crate::base::markup::{made, on, put, yes};
use crate::check::Property;
use crate::explore::search::Kind;
use crate::view::text::grouped;

/// Kinds that stand open; the others are behind a word, unless one of them is ticked.
const PLAIN: usize = 6;

pub(super) fn controls(ready: &Ready) -> String {
    let mut out = String::new();
    // What is found comes and goes; the fields stay, and with them how all of it looks.
    put(&mut out, "<style>{a}</style>", &[], &[include_str!("../../../static/explore.css")]);
    kinds(&mut out, ready);
    bounds(&mut out, ready);
    designs(&mut out, ready);
    promises(&mut out, ready);
    out
}

fn head(out: &mut String, words: &str) {
    put(out, "<h2>{0}</h2>", &[words], &[]);
}

fn tick(what: &str, label: &str, ticked: bool) -> String {
    let template =
        r#"<label class="sw"><input type="checkbox" checked="{a}" data-set="explore {B}"><span>{C}</span></label>"#;
    made(template, &[], &[yes(ticked), what, label])
}

/// What stands open, and the rest behind a word.
fn some_of(out: &mut String, word: &str, plain: &str, rest: &str, open: bool) {
    out.push_str(plain);
    if !rest.is_empty() {
        let more = r#"<details{a}><summary>{0}</summary>{b}</details>"#;
        put(out, more, &[word], &[on(open, " open"), rest]);
    }
}

fn kinds(out: &mut String, ready: &Ready) {
    head(out, words::FAULTS);
    let s = &ready.setting;
    let (mut plain, mut rest) = (String::new(), String::new());
    let order = Kind::ALL.into_iter().filter(|k| !matches!(k, Kind::Duplicate));
    let order = order.chain([Kind::Duplicate]).enumerate();
    for (i, kind) in order {
        let [name, ..] = words::kind(kind.word());
        let most = s.most(kind);
        let mut row = tick(&["kind ", kind.word()].concat(), name, most.is_some());
        if let Some(most) = most.filter(|_| s.total > 1) {
            let mut options = String::new();
            for n in 1..=s.total {
                option(&mut options, &n.to_string(), &n.to_string(), n == most);
            }
            let field = r#"<select data-set="explore most {a}" aria-label="{B}">{c}</select>"#;
            put(&mut row, field, &[], &[kind.word(), &words::at_most(name), &options]);
        }
        let into = if i < PLAIN { &mut plain } else { &mut rest };
        put(into, r#"<div class="row">{a}</div>"#, &[], &[&row]);
    }
    let open = s
        .each
        .iter()
        .any(|(k, _)| !matches!(k, Kind::Pause | Kind::Delay | Kind::Drop | Kind::Crash | Kind::StepClock));
    some_of(out, words::MORE_FAULTS, &plain, &rest, open);
    if ready.has_own {
        out.push_str(&tick("own", words::OWN, s.own));
    }
}

fn option(out: &mut String, value: &str, label: &str, chosen: bool) {
    put(out, r#"<option value="{A}"{b}>{C}</option>"#, &[], &[value, on(chosen, " selected"), label]);
}

fn field(out: &mut String, what: &str, says: &str, label: &str, choices: &[(u64, String)], chosen: u64) {
    let mut options = String::new();
    for (value, label) in choices {
        option(&mut options, &value.to_string(), label, *value == chosen);
    }
    let row = r#"<label class="row" title="{0}"><span>{1}</span><select data-set="explore {a}">{b}</select></label>"#;
    put(out, row, &[says, label], &[what, &options]);
}

/// The values that are offered, and the one at hand.
fn with(offered: &[u64], own: u64, told: &dyn Fn(u64) -> String) -> Vec<(u64, String)> {
    let mut all: Vec<u64> = offered.to_vec();
    if !all.contains(&own) {
        all.push(own);
        all.sort_unstable();
    }
    all.into_iter().map(|n| (n, told(n))).collect()
}

fn bounds(out: &mut String, ready: &Ready) {
    head(out, words::BOUNDS);
    let s = &ready.setting;
    field(
        out,
        "total",
        "",
        words::TOTAL,
        &with(&[1, 2, 3, 4], u64::from(s.total), &|n| n.to_string()),
        u64::from(s.total),
    );
    let schedules = with(&[10_000, 50_000, 200_000, 1_000_000, 10_000_000], s.schedules, &grouped);
    field(out, "schedules", words::SCHEDULES_SAYS, words::SCHEDULES, &schedules, s.schedules);
    let memory = |n: u64| if n == 1 << 10 { "1 GiB".to_string() } else { format!("{n} MiB") };
    field(out, "memory", words::MEMORY_SAYS, words::MEMORY, &with(&[1, 16, 128, 1 << 10], s.memory, &memory), s.memory);
    let edges = with(&[1, 2, 4], u64::from(s.edges), &|n| words::edges(&n.to_string()));
    field(out, "edges", words::EDGES_SAYS, words::EDGES, &edges, u64::from(s.edges));
}

fn designs(out: &mut String, ready: &Ready) {
    head(out, words::DESIGNS);
    let tick =
        |d: &&Offered| tick(&d.what, if d.name.is_empty() { words::AS_IT_IS } else { &d.name }, d.place.is_some());
    let (own, more): (Vec<&Offered>, Vec<&Offered>) = ready.designs.iter().partition(|d| d.what.starts_with("design"));
    let lines = |of: &[&Offered]| of.iter().map(tick).collect::<String>();
    some_of(out, words::MORE_DESIGNS, &lines(&own), &lines(&more), more.iter().any(|d| d.place.is_some()));
}

fn promises(out: &mut String, ready: &Ready) {
    head(out, words::PROMISES);
    let chosen = ready.setting.properties;
    let line = |p: &Property| tick(&["property ", p.word()].concat(), words::broken(*p), chosen.has(*p));
    let (judged, more): (Vec<Property>, Vec<Property>) =
        Property::ALL.into_iter().partition(|p| Property::JUDGED.contains(p));
    let lines = |of: &[Property]| of.iter().map(line).collect::<String>();
    some_of(out, words::MORE_PROMISES, &lines(&judged), &lines(&more), more.iter().any(|p| chosen.has(*p)));
}
