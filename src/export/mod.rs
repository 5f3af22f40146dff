//! What can be taken away from the page: the scenario, its runs and their picture, in formats that other programs read.
//!
//! Pure functions, one file for each format, called by the page and by the command line alike. Names, titles and texts come from anybody: each
//! format escapes them in its own way, and a test feeds one hostile scenario through all of them. [`link`] packs a whole scenario into the
//! page's address and reads it again, whatever it holds; [`import`] finds out what a text, a file or an address is that somebody brings.

pub mod address;
pub mod import;
pub mod jobs;
pub mod json;
pub mod link;
pub mod markdown;
pub mod mermaid;
mod moments;
pub mod panel;
pub mod plantuml;
pub mod png;
pub mod qr;
pub mod svg;
pub mod toml;
pub mod trace;

use crate::run::{self, Run};
use crate::scenario::{self, Scenario};
use crate::view::Shown;

/// What is taken away: a text that could be run, and its runs.
pub struct Source<'a> {
    /// As a person wrote it.
    pub text: &'a str,
    pub scenario: &'a Scenario,
    /// Under the designs that are asked for, in their order.
    pub runs: &'a [Run],
    /// Where a reader finds the same story alive; empty if nobody knows.
    pub link: &'a str,
}

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Svg,
    Mermaid,
    PlantUml,
    Toml,
    Json,
    Trace,
    Markdown,
}

impl Format {
    pub const ALL: [Format; 7] =
        [Format::Svg, Format::Mermaid, Format::PlantUml, Format::Toml, Format::Json, Format::Trace, Format::Markdown];

    /// Its word on the command line and in the page's markup.
    pub const fn word(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Mermaid => "mmd",
            Format::PlantUml => "puml",
            Format::Toml => "toml",
            Format::Json => "json",
            Format::Trace => "trace",
            Format::Markdown => "md",
        }
    }

    pub fn from_word(word: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|f| f.word() == word)
    }

    /// The end of a file's name.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Trace => "trace.json",
            other => other.word(),
        }
    }

    pub const fn mime(self) -> &'static str {
        match self {
            Format::Svg => "image/svg+xml",
            Format::Toml => "application/toml",
            Format::Json | Format::Trace => "application/json",
            Format::Markdown => "text/markdown",
            Format::Mermaid | Format::PlantUml => "text/plain",
        }
    }

    pub fn write(self, source: &Source) -> String {
        match self {
            Format::Svg => svg::write(source),
            Format::Mermaid => mermaid::write(source),
            Format::PlantUml => plantuml::write(source),
            Format::Toml => toml::write(source),
            Format::Json => json::write(source),
            Format::Trace => trace::write(source),
            Format::Markdown => markdown::write(source),
        }
    }
}

/// Writes a text's story in a format: reads it, runs the designs with these numbers (from 0), and writes. `None`: the text cannot be run.
pub fn of_text(format: Format, text: &str, designs: &[usize], link: &str) -> Option<String> {
    let scenario = scenario::parse(text).scenario?;
    let known = designs.iter().filter(|i| **i < scenario.designs().len());
    let runs: Vec<Run> = known.map(|i| run::run(&scenario, *i)).collect();
    Some(format.write(&Source { text, scenario: &scenario, runs: &runs, link }))
}

/// The story's title, or what stands for it.
fn title<'a>(source: &'a Source) -> &'a str {
    source.scenario.title.as_deref().filter(|t| !t.trim().is_empty()).unwrap_or(crate::app::text::UNTITLED)
}

/// A run as the view wants it.
fn shown(run: &Run) -> Shown<'_> {
    Shown { name: &run.design, roster: &run.roster, log: &run.log, report: &run.report, ending: run.ending }
}

/// The first thing that is wrong, at a length that can be quoted.
fn first_error(diagnostics: &[scenario::Diagnostic]) -> String {
    let first = diagnostics.iter().find(|d| d.is_error()).map(ToString::to_string).unwrap_or_default();
    match first.char_indices().nth(MOST_QUOTED) {
        Some((end, _)) => [&line(&first[..end]), "…."].concat(),
        None => line(&first),
    }
}

/// Characters of a diagnostic that are quoted; the editor shows it whole.
const MOST_QUOTED: usize = 300;

/// One line for formats of plain text: white space is one blank, and what would turn the rest of the line around or hide in it is shown as a
/// replacement character.
fn line(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            c if c.is_whitespace() && c != crate::trace::names::NBSP => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            // Directional overrides, embeddings and isolates; signs of no width.
            '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2060}'
            | '\u{feff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.trim().to_string()
}
