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
use super::scenario::Scenario;
use super::tree::{Pos, Table};

/// Everything the checks look at.
struct Context<'a> {
    scenario: &'a Scenario,
    /// The normalized tree, for places and for what the structures do not keep.
    tree: &'a Table,
    /// One per design.
    names: Vec<Names>,
}

/// Adds what is to be said about a file that could be read.
pub(crate) fn validate(scenario: &Scenario, tree: &Table, found: &mut Diagnostics) {
    let names = scenario.designs.iter().map(|d| Names::of(scenario, d)).collect();
    let context = Context { scenario, tree, names };
    references::check(&context, found);
    // A value that could not be read would make nonsense of what is derived from it.
    if !found.has_errors() {
        resolved::check(&context, found);
    }
    if !found.has_errors() {
        lints::check(&context, found);
    }
}

/// Something to say about some of the designs: once, and of all of them if it holds for all.
struct PerDesign {
    severity: Severity,
    phase: Phase,
    /// What is said, where, and under which designs it holds.
    said: Vec<(String, Pos, String, Vec<usize>)>,
}

impl PerDesign {
    fn new(severity: Severity, phase: Phase) -> PerDesign {
        PerDesign { severity, phase, said: Vec::new() }
    }

    fn say(&mut self, design: usize, at: Pos, path: &str, message: String) {
        match self.said.iter_mut().find(|(m, ..)| *m == message) {
            Some((.., designs)) if !designs.contains(&design) => designs.push(design),
            Some(_) => {}
            None => self.said.push((message, at, path.to_string(), vec![design])),
        }
    }

    fn finish(self, scenario: &Scenario, found: &mut Diagnostics) {
        for (message, at, path, designs) in self.said {
            let all = designs.len() == scenario.designs.len();
            // A place for each design that differs; none if all agree.
            let places = if all { vec![String::new()] } else { designs.iter().map(|d| place(scenario, *d)).collect() };
            for words in places {
                found.say(self.severity, self.phase, at, &words, &path, message.clone());
            }
        }
    }
}

/// `design "Fencing"`.
fn place(scenario: &Scenario, design: usize) -> String {
    format!("design \"{}\"", scenario.designs[design].name)
}
