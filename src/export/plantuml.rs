//! Runs as PlantUML sequence diagrams, one block for each design.
//!
//! PlantUML can let an arrow fall: `->(n)` puts its head n points lower. The slant follows from the latency, and long waits are written where they
//! were left out. Messages that overtake each other it cannot draw; rows stand in order of arrival.

use super::moments::{Row, Rows, seconds};
use super::{Source, line, title};
use crate::app::text::share as words;
use crate::base::{Span, TrueTime};
use crate::run::{ENGINE, Run};
use crate::trace::names;
use crate::view::lanes::LaneKind;
use crate::view::sequence::{Arrow, ArrowFate};

/// How far the head of a message of typical latency falls, points; and of any message at most.
const SLANT: i64 = 12;
const STEEPEST: i64 = 60;

pub fn write(source: &Source) -> String {
    let mut out = String::new();
    for run in source.runs {
        diagram(&mut out, source, run);
    }
    out
}

fn diagram(out: &mut String, source: &Source, run: &Run) {
    let rows = Rows::of(run);
    let lanes = &rows.seq.lanes;
    let mut push = |parts: &[&str]| {
        parts.iter().for_each(|p| out.push_str(p));
        out.push('\n');
    };
    push(&["@startuml"]);
    push(&["' ", &words::made_by(ENGINE, source.scenario.seed, &run.digest.to_string())]);
    push(&["hide footbox"]);
    push(&["title ", &escape(title(source)), " – ", &escape(&run.design)]);
    for (i, lane) in lanes.lanes.iter().enumerate() {
        let shape = match lane.kind {
            LaneKind::Worker => "participant",
            LaneKind::Lock => "control",
            LaneKind::Group => "collections",
            LaneKind::Shard => "database",
        };
        push(&[shape, " \"", &escape(&lane.name), "\" as p", &i.to_string()]);
    }
    let mut last = TrueTime::ZERO;
    let squeezed = Span::from_us(rows.typical.as_us() * 3);
    for row in &rows.rows {
        let (begins, ends) = match row {
            Row::Message(i) => {
                let a = &rows.seq.arrows[*i];
                (a.sent, a.lands(rows.typical))
            }
            Row::Note(_, event) => (event.at, event.at),
        };
        if begins > last && begins.since(last) > squeezed {
            push(&["...", &escape(&names::length(begins.since(last))), "..."]);
        }
        last = if ends > last { ends } else { last };
        match row {
            Row::Message(i) => {
                let a = &rows.seq.arrows[*i];
                let fall = slant(a, rows.typical);
                let text = [&escape(&seconds(a.sent)), " ", &escape(Rows::label(a)), &escape(became(a))].concat();
                let answer = lanes.kind(a.to) == LaneKind::Worker;
                let arrow = head(a, answer);
                push(&["p", &a.from.to_string(), " ", arrow, &fall, " p", &a.to.to_string(), " : ", &text]);
            }
            Row::Note(lane, event) => {
                let text = [&seconds(event.at), " ", event.text.as_str()].concat();
                push(&["note over p", &lane.to_string(), " : ", &escape(&text)]);
            }
        }
    }
    push(&["@enduml"]);
}

fn slant(a: &Arrow, typical: Span) -> String {
    // A cross does not fall: PlantUML reads no slant behind it.
    let Some(arrived) = a.arrived.filter(|_| !a.is_lost()) else { return String::new() };
    let fall = (arrived.since(a.sent).as_us() * SLANT / typical.as_us().max(1)).clamp(0, STEEPEST);
    if fall == 0 { String::new() } else { ["(", &fall.to_string(), ")"].concat() }
}

fn head(a: &Arrow, answer: bool) -> &'static str {
    match a.fate {
        ArrowFate::Lost(_) if answer => "-->x",
        ArrowFate::Lost(_) => "->x",
        _ if a.one_way => "->>",
        _ if answer => "-->",
        _ => "->",
    }
}

/// What the network did to it, in words: a cross is seen and not read.
fn became(a: &Arrow) -> &'static str {
    match a.fate {
        ArrowFate::Lost(_) => words::PUML_LOST,
        ArrowFate::UnderWay => words::PUML_UNDER_WAY,
        _ => "",
    }
}

/// Text in a PlantUML diagram: letters, digits and a few signs as they are, all else as the number of its character, so that neither the
/// preprocessor nor the mark-up sees anything of its own.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in line(text).chars() {
        if c.is_ascii_alphanumeric() || c == ' ' || c == '.' || c == ',' || !c.is_ascii() {
            out.push(c);
        } else {
            out.push_str("<U+");
            for shift in [12, 8, 4, 0] {
                let digit = (u32::from(c) >> shift) & 15;
                out.extend(char::from_digit(digit, 16).map(|d| d.to_ascii_uppercase()));
            }
            out.push('>');
        }
    }
    out
}
