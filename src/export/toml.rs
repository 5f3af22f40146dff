//! The scenario as TOML: the text as it stands, comments and all. What was written as JSON is told anew.

use super::Source;
use crate::scenario::{to_toml, tree};

pub fn write(source: &Source) -> String {
    if tree::is_json(source.text) {
        return to_toml(&source.scenario.tree);
    }
    let mut out = source.text.to_string();
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}
