//! What can only be said once the whole file is known: whether names lead somewhere, and what each design makes of the story.
//!
//! Three rooms: `references` (names, and what names them), `resolved` (each design's own configuration), `lints` (what is allowed and probably
//! not meant). All of them look at the scenario as it could be read; mistakes that were found before are not repeated.

mod advice;
mod lints;
mod points;
mod references;
mod resolved;

use super::diagnostic::{Diagnostic, Diagnostics, Phase, Severity};
use super::names::Names;
use super::scenario::{Design, Fault, Scenario, Worker, path};
use super::tree::Pos;
use crate::base::text::number;

/// Everything the checks look at.
struct Context<'a> {
    scenario: &'a Scenario,
    /// One per design.
    names: Vec<Names<'a>>,
}

/// Adds what is to be said about a file that could be read.
pub(crate) fn validate(scenario: &Scenario, found: &mut Diagnostics) {
    let mut names = Vec::new();
    for design in &scenario.designs {
        names.push(Names::of(scenario, design));
    }
    let context = Context { scenario, names };
    references::check(&context, found);
    // A value that could not be read would make nonsense of what is derived from it.
    if !found.has_errors() {
        resolved::check(&context, found);
    }
    if !found.has_errors() {
        lints::check(&context, found);
        advice::check(&context, found);
    }
}

impl<'a> Context<'a> {
    /// The workers of the file: of those that a count makes, the first.
    fn written_workers(&self) -> impl Iterator<Item = &'a Worker> {
        self.scenario.workers.iter().filter(|w| w.copy == 0)
    }
}

/// What something is said about.
#[derive(Clone, Copy)]
enum Subject<'a> {
    Worker(&'a Worker),
    Fault(&'a Fault),
    /// A design and its place in the list.
    Design(&'a Design, usize),
    /// The n-th link, from 0.
    Link(usize),
    /// Words and path.
    Table(&'a str, &'a str),
}

/// A place to speak of: whose, and which key of it; empty for all of it. Words and path are made only if there is something to say.
#[derive(Clone, Copy)]
struct Place<'a> {
    at: Pos,
    of: Subject<'a>,
    key: &'a str,
}

impl Place<'_> {
    fn words(&self) -> String {
        match self.of {
            Subject::Worker(w) => w.place(),
            Subject::Fault(f) => f.place(),
            Subject::Design(d, _) => d.place(),
            Subject::Link(i) => ["link ", &number(i + 1)].concat(),
            Subject::Table(words, _) => words.to_string(),
        }
    }

    /// In a sentence: `W1`, `fault gc`.
    fn who(&self) -> String {
        match self.of {
            Subject::Worker(w) => w.name.clone(),
            _ => self.words(),
        }
    }

    fn path(&self) -> String {
        match self.of {
            Subject::Worker(w) => w.path(self.key),
            Subject::Fault(f) => f.path(self.key),
            Subject::Design(_, i) => path("design", i, self.key),
            Subject::Link(i) => path("link", i, self.key),
            Subject::Table(_, path) if self.key.is_empty() => path.to_string(),
            Subject::Table(_, path) => [path, ".", self.key].concat(),
        }
    }
}

fn of_worker<'a>(w: &'a Worker, key: &'a str) -> Place<'a> {
    Place { at: w.at, of: Subject::Worker(w), key }
}

fn of_fault<'a>(f: &'a Fault, key: &'a str) -> Place<'a> {
    Place { at: f.at, of: Subject::Fault(f), key }
}

/// A place that is named by its path.
fn table_at(at: Pos, path: &str) -> Place<'_> {
    Place { at, of: Subject::Table(path, path), key: "" }
}

impl Diagnostics {
    /// Says something of a place.
    #[inline(never)]
    fn tell(&mut self, severity: Severity, phase: Phase, place: Place, message: String) -> &mut Diagnostic {
        self.say(severity, phase, place.at, &place.words(), &place.path(), message)
    }
}

/// Something to say about some of the designs: once, and of all of them if it holds for all.
struct PerDesign {
    severity: Severity,
    phase: Phase,
    said: Vec<Said>,
}

/// What is said, where, and under which designs it holds.
struct Said {
    message: String,
    at: Pos,
    path: String,
    /// By their places, ascending.
    designs: Vec<usize>,
}

impl PerDesign {
    fn new(severity: Severity, phase: Phase) -> PerDesign {
        PerDesign { severity, phase, said: Vec::new() }
    }

    #[inline(never)]
    fn say(&mut self, design: usize, place: Place, message: String) {
        match self.said.iter_mut().find(|s| s.message == message) {
            Some(s) if s.designs.last() == Some(&design) => {}
            Some(s) => s.designs.push(design),
            None => self.said.push(Said { message, at: place.at, path: place.path(), designs: vec![design] }),
        }
    }

    fn finish(self, scenario: &Scenario, found: &mut Diagnostics) {
        for s in &self.said {
            let mut say =
                |place: &str| _ = found.say(self.severity, self.phase, s.at, place, &s.path, s.message.clone());
            // A place for each design that differs; none if all agree.
            if s.designs.len() == scenario.designs.len() {
                say("");
                continue;
            }
            for d in &s.designs {
                say(&scenario.designs[*d].place());
            }
        }
    }
}
