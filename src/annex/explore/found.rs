//! One smallest case: made as plain as it can be, told, drawn, and opened as a scenario.

use super::setting::Ready;
use super::{Sum, added};
use crate::app::text;
use crate::app::text::explore as words;
use crate::base::markup::{made, put};
use crate::base::text::said;
use crate::check::Property;
use crate::explore::search::{Answer, Base, Example, Faults, Verdict};
use crate::run::{self, Run};
use crate::scenario;
use crate::view::text::{fill, grouped};
use crate::view::{self, Layout, Shown, Sight, lanes};
use serde::{Deserialize, Serialize};

/// px of the picture, as wide as it stands beside the words, and as high as it is made to be.
const WIDE: f64 = 540.0;
const HIGH: f64 = 480.0;

/// A case with its plainest numbers. It is kept with the counts, because to find them takes many runs.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Case {
    arm: usize,
    property: String,
    /// As the search found it.
    found: Faults,
    faults: Faults,
    text: String,
}

/// `2 lost-update`: among the designs searched, and what is broken.
pub(super) fn read(which: &str) -> Option<(usize, Property)> {
    let (arm, word) = which.split_once(' ')?;
    Some((arm.parse().ok()?, Property::from_word(word)?))
}

impl Case {
    /// The case of this cell, if it is broken there by something that was added.
    pub fn of(ready: &Ready, arm: usize, property: Property, answer: &Answer, known: Option<&Case>) -> Option<Case> {
        let Verdict::Broken { by, .. } = answer.verdict(property) else { return None };
        let same = |c: &&Case| c.arm == arm && c.property == property.word() && c.found == by.faults;
        if let Some(case) = known.filter(same) {
            return Some(case.clone());
        }
        let design = *ready.chosen().get(arm)?;
        let Example { faults, text } = Base::new(&ready.scenario, design).shrink(&by.faults, property);
        Some(Case { arm, property: property.word().to_string(), found: by.faults.clone(), faults, text })
    }

    /// What it is about, words and picture.
    pub fn shown(&self, out: &mut String, ready: &Ready, answer: &Answer, room: u32) {
        let (Some(property), Some(scenario)) =
            (Property::from_word(&self.property), scenario::parse(&self.text).scenario)
        else {
            return;
        };
        let designs = ready.chosen();
        let Some(design) = designs.get(self.arm) else { return };
        let run = run::run(&scenario, *design);
        let (mut also, mut stopped): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        for other in designs.iter().filter(|d| *d != design) {
            let name = scenario.designs()[*other].name.as_str();
            let list = if run::run(&scenario, *other).report.violated(property) { &mut also } else { &mut stopped };
            list.push(name);
        }
        let listed = |names: &[&str]| if names.is_empty() { words::NO_ONE.to_string() } else { names.join(", ") };
        let mut rows = String::new();
        let mut row = |head: &str, body: &str| put(&mut rows, "<dt>{0}</dt><dd>{A}</dd>", &[head], &[body]);
        for fault in &self.faults {
            row(words::FAULT, &sentence(fault));
        }
        if let Verdict::Broken { faults, .. } = answer.verdict(property)
            && let Some(level) = answer.levels.get(usize::from(faults))
        {
            let (broken, all) = (grouped(level.count.broken(property)), grouped(level.count.schedules));
            row(words::SEEN, &words::found_in(&broken, &all, &words::faults(faults)));
        }
        if designs.len() > 1 {
            row(words::ALSO, &listed(&also));
            row(words::STOPPED_BY, &listed(&stopped));
        }
        let (sentence, picture) = drawn(&run, room);
        let title = words::title(&run.design, &words::broken(property).to_lowercase(), &kinds(&self.faults));
        let which = [&self.arm.to_string(), " ", self.property.as_str()].concat();
        let template = r#"<section class="xp-case" aria-labelledby="xp-case"><div><h2 id="xp-case">{A}</h2><p>{B}</p><dl>{c}</dl><p class="acts"><button class="btn main" data-do="explore open {D}">{0}</button></p></div><div class="pic">{e}</div></section>"#;
        put(out, template, &[words::OPEN], &[&title, &sentence, &rows, &which, &picture]);
    }
}

/// The scenario of a case: the story, what was changed of its setting, the case, what has been counted. The answer is how the text is to be
/// taken, the text, and the design's number.
pub(in super::super) fn open(texts: &[&str]) -> Result<Vec<String>, String> {
    let [story, changes, which, counted] = texts else { return Err(text::ANNEX_UNKNOWN.into()) };
    let ready = Ready::of(story, changes)?;
    let sum: Sum = added(&ready, counted, &[])?;
    let (arm, property) = read(which).ok_or(text::ANNEX_UNKNOWN)?;
    let design = *ready.chosen().get(arm).ok_or(text::ANNEX_UNKNOWN)?;
    let answer = sum.arms.get(arm).ok_or(text::ANNEX_UNKNOWN)?.answer_so_far(&ready.bounds(design));
    let case = Case::of(&ready, arm, property, &answer, sum.case.as_ref()).ok_or(text::ANNEX_UNKNOWN)?;
    Ok(vec!["case".to_string(), case.text, design.to_string()])
}

/// How it ends, in a sentence, and its picture.
fn drawn(run: &Run, room: u32) -> (String, String) {
    let shown =
        Shown { name: &run.design, roster: &run.roster, log: &run.log, report: &run.report, ending: run.ending };
    let layout = Layout::fit(WIDE.min(f64::from(room)), HIGH, lanes::count(&run.roster), 1).with_prefix("xp");
    let drawn = view::picture(&[shown], &run.judged, &Layout { live: false, ..layout });
    let Some(column) = drawn.columns.first() else { return (String::new(), String::new()) };
    let template = r#"<div class="xd" style="grid-template-columns:{0}px {1}px"><span></span>{a}{b}{c}</div>"#;
    let mut picture = String::new();
    let parts: [&str; 3] = [&column.heads, &drawn.rail(&Sight::ALL), &column.body.whole()];
    fill(&mut picture, template, &[drawn.layout.rail, column.width], &parts);
    (column.sentence.clone(), picture)
}

/// `1 pause and 2 delays`.
pub(super) fn kinds(faults: &Faults) -> String {
    let mut all: Vec<(&str, usize)> = Vec::new();
    for word in faults.iter().filter_map(|f| f.first()).map(|key| key.0.as_str()) {
        match all.iter_mut().find(|k| k.0 == word) {
            Some(k) => k.1 += 1,
            None => all.push((word, 1)),
        }
    }
    let told = |(word, n): &(&str, usize)| {
        let [_, one, many] = words::kind(word);
        made("{A}\u{a0}{B}", &[], &[&n.to_string(), if *n == 1 { one } else { many }])
    };
    all.iter().map(told).collect::<Vec<_>>().join(" + ")
}

/// A fault as a sentence: `W1 stands still before write, until 12s`.
fn sentence(fault: &[(String, String)]) -> String {
    let Some(((word, whom), rest)) = fault.split_first() else { return String::new() };
    let mut out = said(words::whom(word), &[whom]);
    for (key, value) in rest {
        // "before write", "after W1 check" say when by themselves.
        let is_point = key == "at" && value.starts_with(|c: char| c.is_ascii_alphabetic());
        out.push_str(&if is_point { [" ", value].concat() } else { said(words::detail(key), &[value]) });
    }
    if !rest.iter().any(|key| key.0 == "until") && matches!(word.as_str(), "pause" | "crash" | "cut") {
        out.push_str(words::FOR_EVER);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(keys: &[(&str, &str)]) -> Vec<(String, String)> {
        keys.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
    }

    #[test]
    fn faults_are_told_in_sentences() {
        let pause = fault(&[("pause", "W1"), ("at", "before W1 write"), ("until", "12s")]);
        assert_eq!(sentence(&pause), "W1 stands still before W1 write, until 12s");
        let late = fault(&[("delay", "write"), ("from", "W1"), ("nth", "1"), ("takes", "9s")]);
        assert_eq!(sentence(&late), "write is late from W1 (number 1), 9s on its way");
        let crash = fault(&[("crash", "L"), ("at", "3s")]);
        assert_eq!(sentence(&crash), "L crashes at 3s, for ever");
        assert_eq!(kinds(&vec![pause.clone(), late, pause]), "2\u{a0}pauses + 1\u{a0}delay");
    }

    #[test]
    fn a_cell_is_a_design_and_a_promise() {
        assert_eq!(read("2 lost-update"), Some((2, Property::LostUpdate)));
        assert!(read("").is_none() && read("2 tea").is_none() && read("x lost-update").is_none());
    }
}
