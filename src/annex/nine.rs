//! All nine standard designs of one story as small pictures on one axis, in two rows by where the protection sits. The order is fixed,
//! never by outcome.
//!
//! A preset states its designs, and one that it does not have is no case of it. For a person's own scenario a missing one is made from the
//! protection as data, where the story can be run with it; a tick then adds it.

use super::outcomes::outcome;
use crate::app::form::{Change, change};
use crate::app::outcomes::{LOCK_SIDE, ORDER, Outcome, design};
use crate::app::text;
use crate::base::markup::{made, put, yes};
use crate::run::{self, Run};
use crate::scenario::profile::{PROTECTIONS, Protection};
use crate::scenario::{self, Scenario};
use crate::view::layout::Words;
use crate::view::text::{fill, instant};
use crate::view::{self, Column, Layout, Picture, Shown, Sight, verdict};
use std::rc::Rc;

/// px of one picture, of its lanes, and from one typical latency to the next.
const WIDTH: f64 = 250.0;
const SP: f64 = 64.0;
const LEFT: f64 = 20.0;
const PITCH: f64 = 4.6;
/// A picture that comes out higher is drawn once more, with rows closer together. px.
const HIGH: f64 = 420.0;
const PITCH_LOW: f64 = 2.6;

/// One design with its run.
struct Case {
    protection: &'static Protection,
    /// Its place in the scenario; `None`: it does not stand there.
    place: Option<usize>,
    run: Run,
}

/// The panel, from what [`Job::Nine`](crate::app::job::Job::Nine) says.
pub(super) fn nine(texts: &[Rc<str>]) -> Result<String, String> {
    let [source, own, shown @ ..] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let ticked: Vec<usize> = shown.iter().filter_map(|place| place.parse().ok()).collect();
    panel(source, &ticked, &**own == "own")
}

fn panel(source: &str, ticked: &[usize], own: bool) -> Result<String, String> {
    let Some(scenario) = scenario::parse(source).scenario else { return Err(text::ANNEX_UNREADABLE.into()) };
    let cases: Vec<Option<Case>> = ORDER.iter().map(|i| case(source, &scenario, &PROTECTIONS[*i], own)).collect();
    let there: Vec<&Case> = cases.iter().flatten().collect();
    let Some(first) = there.first() else { return Err(text::NO_STANDARD.into()) };
    let judged = &first.run.judged;
    let shown: Vec<Shown> = there.iter().map(|c| shown(&c.run)).collect();
    let lanes = there.iter().map(|c| view::lanes::count(&c.run.roster)).max().unwrap_or(0);
    let mut picture = view::picture(&shown, judged, &layout(lanes, PITCH));
    if picture.height > HIGH {
        picture = view::picture(&shown, judged, &layout(lanes, PITCH_LOW));
    }
    let mut out = String::new();
    put(&mut out, "<style>{a}</style>", &[], &[include_str!("../../static/nine.css")]);
    let mut drawn = there.iter().zip(&picture.columns);
    for (lock_side, range) in [(true, 0..LOCK_SIDE), (false, LOCK_SIDE..ORDER.len())] {
        let mut cells = String::new();
        for (case, i) in cases[range.clone()].iter().zip(range) {
            match case {
                Some(_) => drawn.next().into_iter().for_each(|(case, column)| cell(&mut cells, case, column, ticked)),
                None => none(&mut cells, &PROTECTIONS[ORDER[i]]),
            }
        }
        row(&mut out, lock_side, &picture, &cells);
    }
    Ok(out)
}

fn case(source: &str, scenario: &Scenario, protection: &'static Protection, own: bool) -> Option<Case> {
    if let Some(place) = design(scenario, protection.word) {
        return Some(Case { protection, place: Some(place), run: run::run(scenario, place) });
    }
    let (_, with, place) = own.then(|| added(source, scenario, protection))??;
    Some(Case { protection, place: None, run: run::run(&with, place) })
}

/// The story with a standard design that it does not have, where it can be run with it: its text, what it says, the design's number.
pub(super) fn added(
    source: &str,
    scenario: &Scenario,
    protection: &Protection,
) -> Option<(Rc<str>, Rc<Scenario>, usize)> {
    let added = Change::Add { list: "design".to_string(), what: protection.word.to_string() };
    let draft = change(source, scenario, &added).ok()?;
    let with = draft.parsed?.scenario?;
    let place = design(&with, protection.word)?;
    Some((draft.text, with, place))
}

fn shown(run: &Run) -> Shown<'_> {
    Shown { name: &run.design, roster: &run.roster, log: &run.log, report: &run.report, ending: run.ending }
}

fn layout(lanes: usize, pitch: f64) -> Layout {
    Layout {
        rail: 54.0,
        axis_x: 48.0,
        column: WIDTH,
        x0: LEFT,
        sp: SP,
        lanes: lanes.clamp(2, 4),
        scroll: false,
        tiny: false,
        heads: 46.0,
        bar: 6.0,
        badge: 12.0,
        gutter: 0.0,
        words: Words::None,
        live: false,
        pitch: Some(pitch),
        ..Layout::embed(WIDTH, HIGH, 4, 1)
    }
    .with_prefix("n")
}

/// A row of pictures beside their axis.
fn row(out: &mut String, lock_side: bool, picture: &Picture, cells: &str) {
    let words: &[&str] =
        if lock_side { &[text::BETTER_LOCKS, text::BETTER_LOCKS_SAYS] } else { &[text::CHECKING, text::CHECKING_SAYS] };
    let width = picture.columns.iter().map(|c| c.width).fold(WIDTH, f64::max);
    let mut style = String::new();
    fill(&mut style, "--w:{0}px", &[width], &[]);
    let row = r#"<section class="grp9"><h2>{0} <span>{1}</span></h2><div class="g9" style="{a}"><div class="rl9">{b}</div><ol>{c}</ol></div></section>"#;
    put(out, row, words, &[&style, &picture.rail(&Sight::ALL), cells]);
}

fn cell(out: &mut String, case: &Case, column: &Column, ticked: &[usize]) {
    let word = case.protection.word;
    let (on, set) = match case.place {
        Some(place) => (ticked.contains(&place), made("tick {a}", &[], &[&place.to_string()])),
        None => (false, made("try {a}", &[], &[word])),
    };
    let name = text::standard(word);
    let end = outcome(&case.run);
    let (class, icon) = match column.chip {
        view::Chip::Unsafe => ("bad", "x"),
        view::Chip::Safe => ("good", "ok"),
        view::Chip::Stuck => ("info", "inf"),
        view::Chip::CutShort => ("info", "dots"),
    };
    let cell = r#"<li class="cell" key="{a}"><div class="ch0"><label class="sw"><input type="checkbox" checked="{b}" data-set="{c}"><b>{D}</b></label><span class="vd {e}"><ic {f}>{G}</span></div>
<p>{H}<span class="{i}">{J}</span></p>
<div class="th"><div aria-hidden="true">{l}{m}</div><button aria-label="{K}" data-do="show {a}"></button></div></li>"#;
    let args = [
        word,
        yes(on),
        &set,
        name,
        class,
        icon,
        text::chip(column.chip),
        text::adds(word),
        if end == Outcome::CutLease { "info" } else { class },
        &happened(case, column),
        &text::open_design(name),
        &column.heads,
        &column.body.whole(),
    ];
    put(out, cell, &[], &args);
}

/// What happened, in a few words: the picture shows the rest.
fn happened(case: &Case, column: &Column) -> String {
    match verdict::telling(&shown(&case.run), &case.run.judged) {
        Some(v) => text::breach_at(v.property, &instant(v.at)),
        None => column.sentence.clone(),
    }
}

fn none(out: &mut String, protection: &Protection) {
    let cell = r#"<li class="cell" key="{a}"><div class="ch0"><b>{B}</b></div><p>{C}<span>{0}</span></p></li>"#;
    let word = protection.word;
    put(out, cell, &[text::NO_CASE], &[word, text::standard(word), text::adds(word)]);
}
