//! What can only be said once the whole file is known: whether names lead somewhere, and what each design makes of the story.
//!
//! Three rooms: `references` (names, and what names them), `resolved` (each design's own configuration), `lints` (what is allowed and probably
//! not meant). All of them look at the scenario as it could be read; mistakes that were found before are not repeated.

mod lints;
mod points;
mod references;
mod resolved;

use super::diagnostic::{Diagnostics, Phase, Severity};
use super::names::Names;
use super::scenario::{Scenario, Worker};
use super::tree::Pos;

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
    }
}

impl<'a> Context<'a> {
    /// The workers of the file: of those that a count makes, the first.
    fn written_workers(&self) -> impl Iterator<Item = &'a Worker> {
        self.scenario.workers.iter().filter(|w| w.copy == 0)
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
    fn say(&mut self, design: usize, at: Pos, path: String, message: String) {
        match self.said.iter_mut().find(|s| s.message == message) {
            Some(s) if s.designs.last() == Some(&design) => {}
            Some(s) => s.designs.push(design),
            None => self.said.push(Said { message, at, path, designs: vec![design] }),
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
