//! The story told in Markdown: claim, story, and for each design what held, what broke, and what happened, line by line.

use super::{Source, line, shown, title};
use crate::app::text::{self, share as words};
use crate::base::TrueTime;
use crate::check::Verdict;
use crate::run::{ENGINE, Run};
use crate::view::{events, lanes::Lanes, read, verdict};

pub fn write(source: &Source) -> String {
    let mut out = String::new();
    let mut push = |parts: &[&str]| {
        parts.iter().for_each(|p| out.push_str(p));
        out.push('\n');
    };
    push(&["# ", &escape(title(source)), "\n"]);
    if let Some(claim) = &source.scenario.claim {
        push(&["**", &escape(claim), "**\n"]);
    }
    if let Some(story) = &source.scenario.story {
        push(&[&escape(story), "\n"]);
    }
    for from in &source.scenario.source {
        push(&["- ", words::MD_SOURCE, " ", &escape(from)]);
    }
    for run in source.runs {
        design(&mut push, run);
    }
    let digests: Vec<String> = source.runs.iter().map(|r| r.digest.to_string()).collect();
    push(&["\n---\n\n", &words::made_by(ENGINE, source.scenario.seed, &digests.join(", "))]);
    if !source.link.is_empty() {
        push(&["\n[", words::MD_OPEN, "](<", &address(source.link), ">)"]);
    }
    out
}

fn design(push: &mut impl FnMut(&[&str]), run: &Run) {
    let s = shown(run);
    let seq = read::read(&run.roster, &run.log, run.ending, &Default::default());
    let chip = verdict::chip(&s, &run.judged);
    push(&["\n## ", &escape(&run.design), ": ", text::chip(chip), "\n"]);
    push(&[&escape(&verdict::sentence(&s, &seq, &run.judged, None)), "\n"]);
    push(&["### ", words::MD_VERDICTS, "\n"]);
    for (property, verdict) in &run.report.verdicts {
        let judged = run.judged.contains(property);
        let word = match verdict {
            Verdict::Violated(_) if judged => text::BROKEN,
            Verdict::Violated(_) => words::MD_SEEN,
            Verdict::Holds if judged => text::HELD,
            Verdict::NotReached if judged => text::NOT_REACHED,
            _ => continue,
        };
        let sentence = verdict.violation().map_or(String::new(), |v| [". ", &escape(&v.sentence)].concat());
        push(&["- `", property.word(), "`: ", word, &sentence]);
    }
    push(&["\n### ", words::MD_EVENTS, "\n"]);
    push(&["| ", words::TRUE_TIME_S, " | |\n| ---: | --- |"]);
    let lanes = Lanes::of(&run.roster);
    for e in events::events(&s, &seq) {
        let hot = if e.hot && !lanes.is_empty() { "**" } else { "" };
        push(&["| ", &seconds(e.at), " | ", hot, &escape(&e.text), hot, " |"]);
    }
}

fn seconds(at: TrueTime) -> String {
    super::moments::seconds(at)
}

/// Text in Markdown, as GitHub and CommonMark read it: signs that mean something are escaped, and no address in it becomes a link.
pub fn escape(text: &str) -> String {
    let mut out = String::new();
    let text = line(text);
    for (at, c) in text.char_indices() {
        let sign = "\\`*_{}[]<>&#|~$!@^=".contains(c)
            || (c == ':' && text[at + 1..].starts_with("//"))
            || (c == '.' && text[..at].to_ascii_lowercase().ends_with("www"))
            || (at == 0 && "+-".contains(c));
        if sign {
            out.push('\\');
        }
        out.push(c);
    }
    // "1." at the beginning of a line begins a list.
    let digits = out.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && out[digits..].starts_with(['.', ')']) {
        out.insert(digits, '\\');
    }
    out
}

/// An address between angle brackets, which it must not close.
pub fn address(link: &str) -> String {
    let mut out = String::new();
    for c in line(link).chars() {
        match c {
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            ' ' => out.push_str("%20"),
            c => out.push(c),
        }
    }
    out
}
