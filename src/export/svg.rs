//! The picture as one document, light, participants repeated at the foot. See `view::paint::standalone`.

use super::{Source, shown};
use crate::view::{self, Shown};

pub fn write(source: &Source) -> String {
    let runs: Vec<Shown> = source.runs.iter().map(shown).collect();
    let judged = source.runs.first().map(|r| r.judged.as_slice()).unwrap_or_default();
    let text = |t: &Option<String>| t.clone().unwrap_or_default();
    view::standalone(&text(&source.scenario.title), &text(&source.scenario.claim), &runs, judged)
}
