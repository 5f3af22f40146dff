//! What is wrong with a text, where, and what to do about it.
//!
//! A scenario is read to the end whatever is wrong with it, so that a person sees every mistake at once and each one beside the field it
//! belongs to. Three degrees: an *error* means that there is nothing to run; a *warning* says that the story probably does not mean what it
//! says; a *note* explains something that a person may not expect. Only errors keep a scenario from existing.

use super::tree::Pos;
use crate::base::text::{number, said};
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// There is no scenario.
    Error,
    /// It runs, and probably means something else.
    Warning,
    /// It runs; this may surprise.
    Note,
}

/// The order in which diagnostics are shown: from the letters of the text to its meaning. A mistake early in this list often causes later ones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Phase {
    Syntax,
    Keys,
    Values,
    Names,
    Steps,
    Faults,
    Designs,
    Resolved,
    Lints,
}

/// One thing to say about a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    /// From 1; `None` in JSON, where `path` tells the place, and for what concerns no single line.
    pub line: Option<u32>,
    /// In characters, from 1.
    pub column: Option<u32>,
    /// What it is about, in words: `worker W1`, `lock.ttl`, `fault 2`, `design "Fencing"`. Empty if the message says it all.
    pub place: String,
    /// What is wrong and what to do, in plain sentences.
    pub message: String,
    /// The key, for an editor that shows the diagnostic beside its field: `worker.0.start`, `lock.ttl`.
    pub path: Option<String>,
    /// The replacement for the key or the value that is wrong, if there is an obvious one: `client.check_deadline`, `"10s"`.
    pub suggestion: Option<String>,
    /// It is part of the language, and only this version cannot run it.
    pub not_built: bool,
    pub(crate) phase: Phase,
}

impl Diagnostic {
    #[inline(never)]
    pub(crate) fn new(severity: Severity, phase: Phase, at: Pos, place: &str, message: String) -> Diagnostic {
        Diagnostic {
            severity,
            line: at.line(),
            column: at.column(),
            place: place.to_string(),
            message,
            path: None,
            suggestion: None,
            not_built: false,
            phase,
        }
    }

    pub(crate) fn at_path(mut self, path: &str) -> Diagnostic {
        self.path = Some(path.to_string());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// `line 12 · worker W1 · unknown key …`; in JSON the path stands where the line would. Notes and warnings begin with their degree.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let whence = match (self.severity, self.line, &self.path) {
            (Severity::Warning, ..) => "warning".to_string(),
            (Severity::Note, ..) => "note".to_string(),
            (Severity::Error, Some(line), _) => said("line {0}", &[&number(line as usize)]),
            // A path that the place repeats is said once.
            (Severity::Error, None, Some(path)) if *path != self.place => path.clone(),
            (Severity::Error, None, _) => String::new(),
        };
        for part in [&whence, &self.place] {
            if !part.is_empty() {
                f.write_str(part)?;
                f.write_str(" · ")?;
            }
        }
        f.write_str(&self.message)
    }
}

/// Longer lists help nobody.
const MOST_SHOWN: usize = 200;

/// Collects while a text is read.
#[derive(Default, Debug)]
pub(crate) struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    pub fn push(&mut self, d: Diagnostic) {
        self.list.push(d);
    }

    #[inline(never)]
    pub fn error(&mut self, phase: Phase, at: Pos, place: &str, path: &str, message: String) {
        self.say(Severity::Error, phase, at, place, path, message);
    }

    /// Adds one, and gives it back for what few have.
    #[inline(never)]
    pub fn say(
        &mut self,
        severity: Severity,
        phase: Phase,
        at: Pos,
        place: &str,
        path: &str,
        message: String,
    ) -> &mut Diagnostic {
        let mut said = Diagnostic::new(severity, phase, at, place, message);
        said.path = Some(path.to_string());
        let last = self.list.len();
        self.list.push(said);
        &mut self.list[last]
    }

    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Diagnostic::is_error)
    }

    /// Is there an error at a path for which this holds?
    pub fn error_at(&self, path: impl Fn(&str) -> bool) -> bool {
        self.list.iter().any(|d| d.is_error() && d.path.as_deref().is_some_and(&path))
    }

    /// So much is wrong that guessing what was meant would only cost time.
    pub fn is_long(&self) -> bool {
        self.list.len() >= MOST_SHOWN
    }

    /// In the order in which they are shown: by phase, and in one phase as found (the order of the text). What is beyond the limit is counted.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        crate::base::flat::sort_by_key(&mut self.list, |d| d.phase);
        let more = self.list.len().saturating_sub(MOST_SHOWN);
        if more > 0 {
            // An error must not be cut off: whether there is one decides whether there is a scenario.
            let hidden_error = self.list[MOST_SHOWN..].iter().any(Diagnostic::is_error);
            let severity = if hidden_error { Severity::Error } else { Severity::Note };
            self.list.truncate(MOST_SHOWN);
            let message = said("and {0} more like these.", &[&number(more)]);
            self.list.push(Diagnostic::new(severity, Phase::Lints, Pos::UNKNOWN, "", message));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_says_where_what_and_what_to_do() {
        let at = Pos::new(12, 3);
        let d = Diagnostic::new(Severity::Error, Phase::Keys, at, "worker W1", "unknown key \"x\".".into());
        let d = Diagnostic { path: Some("worker.0.x".into()), ..d };
        assert_eq!(d.to_string(), "line 12 · worker W1 · unknown key \"x\".");
        let d = Diagnostic { line: None, ..d };
        assert_eq!(d.to_string(), "worker.0.x · worker W1 · unknown key \"x\".");
        let d = Diagnostic { severity: Severity::Warning, place: String::new(), ..d };
        assert_eq!(d.to_string(), "warning · unknown key \"x\".");
    }
}
