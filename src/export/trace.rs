//! The runs as JSON, for programs: `docs/trace-format.md`.

use super::Source;
use crate::run::json;

pub fn write(source: &Source) -> String {
    // The canonical form is JSON, and a document of texts and numbers can always be written.
    let canonical = serde_json::from_str(source.scenario.canonical()).unwrap_or_default();
    serde_json::to_string_pretty(&json::document(canonical, source.runs)).unwrap_or_default() + "\n"
}
