//! The scenario room: from the text that people write to the parameters that the loop runs.
//!
//! A scenario is a *story* (workers and their steps, the network, clocks, faults) and some *designs* that answer it (which lock service, which
//! client discipline, which guard at the resource). It is written as TOML or JSON in the language that `docs/scenario-format.md` describes.
//!
//! ```
//! let parsed = fencepost::scenario::parse("schema = \"fencepost.scenario/1\"\nlock.ttl = \"30s\"\n");
//! let scenario = parsed.scenario.expect("nothing is wrong with it");
//! assert_eq!(scenario.config(0).workers.len(), 1);
//! assert_eq!(scenario.resolved(0, "lock.ttl").unwrap().0, "30s");
//! ```
//!
//! Read in this order: [`registry`] (the language as a table), [`tree`] (text to a tree with positions), [`quantity`], [`moment`], [`step`],
//! [`expect`] (the small grammars inside texts), [`value`] (a value meets its row), [`file_v1`] (the walk over the tree), [`scenario`] (what comes
//! out), `names` and [`layers`] (who exists, and where each value comes from), `validate` (what only the whole file can tell), [`build`] (what the
//! loop gets). Then what works on texts: `canonical` and [`to_toml`] (writing), [`edit`] (changing), [`preset`] and [`random`] (stories), [`texts`] (what may have
//! to be fetched).

pub mod build;
mod canonical;
pub mod diagnostic;
pub mod edit;
pub mod expect;
pub mod file_v1;
pub mod layers;
pub mod moment;
mod names;
pub mod preset;
pub mod profile;
pub mod quantity;
pub mod random;
pub mod registry;
#[allow(clippy::module_inception)]
pub mod scenario;
pub mod shelf;
pub mod step;
pub mod texts;
pub mod to_toml;
pub mod tree;
mod validate;
pub mod value;

pub use build::Setup;
pub use diagnostic::{Diagnostic, Severity};
pub use expect::{Claim, Cmp, Expect, ExpectInstant, ExpectMeasure, MeasureValue};
pub use file_v1::Unknown;
pub use layers::Layer;
pub use scenario::{Design, Scenario};
pub use to_toml::to_toml;

/// A text, read: what it means, if it means anything, and what there is to say about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    /// There if and only if no diagnostic is an error.
    pub scenario: Option<Scenario>,
    /// In the order in which they should be shown.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file, TOML or JSON. Keys that nobody knows are errors.
pub fn parse(text: &str) -> Parsed {
    parse_with(text, Unknown::IsAnError)
}

/// Reads a file or the text of a link, in which keys of a later version are kept and ignored.
pub fn parse_with(text: &str, unknown: Unknown) -> Parsed {
    let table = match tree::read(text) {
        Ok(t) => t,
        Err(diagnostics) => return Parsed { scenario: None, diagnostics },
    };
    let mut found = diagnostic::Diagnostics::default();
    let normalized = file_v1::read(&table, unknown, &mut found);
    let mut scenario = Scenario::from_tree(normalized);
    scenario.copies = names::copies(&scenario);
    validate::validate(&scenario, &mut found);
    if found.has_errors() {
        return Parsed { scenario: None, diagnostics: found.finish() };
    }
    scenario.canonical = canonical::write(&scenario);
    Parsed { scenario: Some(scenario), diagnostics: found.finish() }
}
