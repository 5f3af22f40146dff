//! The scenario as JSON, for programs: its canonical form, with line breaks.

use super::Source;
use crate::scenario::tree;

pub fn write(source: &Source) -> String {
    let mut out = tree::json_lines(source.scenario.canonical());
    out.push('\n');
    out
}
