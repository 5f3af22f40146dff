//! One run as a Mermaid sequence diagram.
//!
//! Mermaid's arrows are level and its rows have no length, so each message carries the times of its sending and its arrival, rows stand in order of
//! arrival, and a note at the top says so. One document is one diagram: the first of the given designs.

use super::moments::{Row, Rows};
use super::{Source, line, title};
use crate::app::text::share as words;
use crate::run::{ENGINE, Run};
use crate::view::lanes::LaneKind;
use crate::view::sequence::{Arrow, ArrowFate};

pub fn write(source: &Source) -> String {
    let mut out = String::new();
    // The front matter is YAML, of which a JSON text is one.
    out.push_str("---\ntitle: ");
    crate::scenario::tree::json::quote(&line(title(source)), &mut out);
    out.push_str("\n---\nsequenceDiagram\n");
    if let Some(run) = source.runs.first() {
        diagram(&mut out, source, run);
    }
    out
}

fn diagram(out: &mut String, source: &Source, run: &Run) {
    let rows = Rows::of(run);
    let lanes = &rows.seq.lanes;
    let mut push = |parts: &[&str]| {
        out.push_str("    ");
        parts.iter().for_each(|p| out.push_str(p));
        out.push('\n');
    };
    push(&["%% ", &words::made_by(ENGINE, source.scenario.seed, &run.digest.to_string())]);
    for (i, lane) in lanes.lanes.iter().enumerate() {
        // A stick figure says "a person" to nobody here: workers are programs.
        push(&["participant p", &i.to_string(), " as ", &escape(&lane.name)]);
    }
    let all = match lanes.len() {
        0 | 1 => "p0".to_string(),
        n => ["p0,p", &(n - 1).to_string()].concat(),
    };
    let said = [words::MERMAID_LOSES, " ", &words::only_first(&line(&run.design), source.runs.len() - 1)].concat();
    push(&["Note over ", &all, ": ", &escape(&said)]);
    for row in &rows.rows {
        match row {
            Row::Message(i) => {
                let a = &rows.seq.arrows[*i];
                let answer = lanes.kind(a.to) == LaneKind::Worker;
                let text = [&escape(Rows::label(a)), " · ", &escape(&Rows::times(a))].concat();
                push(&["p", &a.from.to_string(), head(a, answer), "p", &a.to.to_string(), ": ", &text]);
            }
            Row::Note(lane, event) => {
                let text = [&super::moments::seconds(event.at), " s ", event.text.as_str()].concat();
                push(&["Note over p", &lane.to_string(), ": ", &escape(&text)]);
            }
        }
    }
}

/// A cross for what is lost, an open head for what nobody answers, a broken line for answers.
fn head(a: &Arrow, answer: bool) -> &'static str {
    match a.fate {
        ArrowFate::Lost(_) if answer => "--x",
        ArrowFate::Lost(_) => "-x",
        _ if a.one_way => "-)",
        _ if answer => "-->>",
        _ => "->>",
    }
}

/// Text in a Mermaid diagram: whatever could mean something to Mermaid, Markdown or HTML is written as the number of its character.
fn escape(text: &str) -> String {
    let mut out = String::new();
    // A lone "end" closes a block.
    let text = line(text);
    for c in text.chars() {
        let plain = c.is_alphanumeric() || " .,()'’“”→·–−+=\u{a0}\u{fffd}".contains(c);
        // Also the letters beyond ASCII that combine with others: those stay as they are.
        if plain || (!c.is_ascii() && !c.is_control()) {
            out.push(c);
        } else {
            out.push('#');
            out.push_str(&u32::from(c).to_string());
            out.push(';');
        }
    }
    if out.eq_ignore_ascii_case("end") { ["#", &u32::from('e').to_string(), ";nd"].concat() } else { out }
}
