//! What a search has found, as a matrix: designs, and the fewest faults that break each promise; below it what exactly was searched, and
//! one smallest case.

use super::setting::Ready;
use super::{Sum, found};
use crate::app::text::explore as words;
use crate::base::markup::{put, yes};
use crate::base::text::said;
use crate::check::Property;
use crate::explore::search::{Answer, Bounds, Limit, Verdict};
use crate::view::text::grouped;

pub(super) struct View<'a> {
    pub ready: &'a Ready,
    /// It goes on by itself.
    pub running: bool,
    pub room: u32,
    /// The cell that is looked at.
    pub case: &'a str,
}

/// What stands in a cell.
enum Cell {
    Broken(String),
    Holds,
    Never,
    NoneYet,
}

impl View<'_> {
    /// How far it is, as a sentence, and markup.
    pub fn results(&self, sum: &mut Sum) -> (String, String) {
        let mut out = String::new();
        let s = &self.ready.setting;
        let designs = self.ready.chosen();
        let nothing = match () {
            () if designs.is_empty() => words::NO_DESIGN,
            () if s.each.is_empty() => words::NO_FAULTS,
            () if s.properties.is_empty() => words::NO_PROMISE,
            () => "",
        };
        if !nothing.is_empty() {
            put(&mut out, r#"<p class="xp-none">{0}</p>"#, &[nothing], &[]);
            return (String::new(), out);
        }
        let bounds: Vec<Bounds> = designs.iter().map(|d| self.ready.bounds(*d)).collect();
        let answers: Vec<Answer> = sum.arms.iter().zip(&bounds).map(|(arm, b)| arm.answer_so_far(b)).collect();
        let over = sum.arms.iter().all(|arm| arm.over);
        let begun = answers.iter().any(|a| a.schedules() > 1);
        let schedules = grouped(answers.iter().map(Answer::schedules).sum());
        let depth = sum.arms.iter().filter(|a| !a.over).map(|a| a.levels.len() - 1).min().unwrap_or(0) as u8;
        let far = match (over, begun) {
            (true, _) => words::far_done(&schedules),
            (_, false) => String::new(),
            _ => words::far(&schedules, &words::faults(depth)),
        };
        // Said when something has changed that is worth it, and not with every number.
        let said = match (over, self.running, begun) {
            (true, ..) => words::done(&schedules, &self.broken(&answers)),
            (_, true, _) => words::searching(&words::faults(depth)),
            (_, _, true) => words::stopped(&schedules),
            _ => String::new(),
        };
        put(&mut out, r#"<p class="vh" role="status">{A}</p>"#, &[], &[&said]);
        let picked = self.picked(&answers, over || begun && !self.running);
        self.matrix(&mut out, sum, &answers, begun, picked);
        self.says(&mut out);
        sum.case = picked.and_then(|(arm, property)| {
            let answer = answers.get(arm)?;
            let case = found::Case::of(self.ready, arm, property, answer, sum.case.as_ref())?;
            case.shown(&mut out, self.ready, answer, self.room);
            Some(case)
        });
        (far, out)
    }

    /// The cell whose case is shown: what a person has chosen, or when all is quiet the last design that is broken, since it is the one
    /// that withstands most.
    fn picked(&self, answers: &[Answer], quiet: bool) -> Option<(usize, Property)> {
        let broken = |(arm, p): &(usize, Property)| answers.get(*arm).and_then(|a| a.fewest(*p)).is_some_and(|n| n > 0);
        let chosen = found::read(self.case).filter(broken);
        let all =
            || (0..answers.len()).rev().flat_map(|arm| self.ready.setting.properties.iter().map(move |p| (arm, p)));
        chosen.or_else(|| quiet.then(|| all().find(broken))?)
    }

    /// The designs of which anything is broken, in words.
    fn broken(&self, answers: &[Answer]) -> String {
        let is_broken = |a: &Answer| a.properties.iter().any(|p| a.fewest(p).is_some());
        let n = answers.iter().filter(|a| is_broken(a)).count();
        [&n.to_string(), "/", &answers.len().to_string()].concat()
    }

    fn matrix(&self, out: &mut String, sum: &Sum, answers: &[Answer], begun: bool, picked: Option<(usize, Property)>) {
        let properties: Vec<Property> = self.ready.setting.properties.iter().collect();
        let (mut heads, mut rows) = (String::new(), String::new());
        for p in &properties {
            put(&mut heads, r#"<th scope="col">{0}</th>"#, &[words::broken(*p)], &[]);
        }
        put(&mut heads, r#"<th scope="col">{0}</th>"#, &[words::SEARCHED], &[]);
        let designs = self.ready.chosen();
        for (arm, answer) in answers.iter().enumerate() {
            let name = &self.ready.scenario.designs()[designs[arm]].name;
            put(&mut rows, r#"<tr><th scope="row">{A}</th>"#, &[], &[name]);
            for p in &properties {
                let (class, icon, told) = match cell(answer, *p) {
                    Cell::Broken(by) => {
                        let label = words::cell(name, words::broken(*p), &by);
                        let which = [&arm.to_string(), " ", p.word()].concat();
                        let is = yes(picked == Some((arm, *p)));
                        // As it is, nothing was added that could be shown.
                        let template = match answer.fewest(*p) {
                            Some(0) => r#"<td data-p="{A}"><span class="c bad"><ic x>{B}</span></td>"#,
                            _ => {
                                r#"<td data-p="{A}"><button class="c bad" aria-pressed="{c}" aria-label="{D}" data-do="explore case {E}"><ic x>{B}</button></td>"#
                            }
                        };
                        if answer.fewest(*p) == Some(0) {
                            put(&mut rows, template, &[], &[words::broken(*p), &by]);
                        } else {
                            put(&mut rows, template, &[], &[words::broken(*p), &by, is, &label, &which]);
                        }
                        continue;
                    }
                    Cell::Holds => ("good", "<ic ok>", words::HOLDS),
                    Cell::Never => ("run", "", words::NEVER),
                    Cell::NoneYet if !begun => ("run", "", words::NOT_RUN),
                    Cell::NoneYet => ("run", "<ic dots>", words::NONE_YET),
                };
                let template = r#"<td data-p="{A}"><span class="c {b}">{c}{D}</span></td>"#;
                put(&mut rows, template, &[], &[words::broken(*p), class, icon, told]);
            }
            let (n, how) = coverage(&sum.arms[arm].answer(&self.ready.bounds(designs[arm])), answer, begun);
            let template = r#"<td data-p="{A}" class="n"><span>{B}<small>{C}</small></span></td></tr>"#;
            put(&mut rows, template, &[], &[words::SEARCHED, &n, &how]);
        }
        // Many columns scroll on their own.
        let wide = if properties.len() > 5 && self.room > 1_000 { " wide" } else { "" };
        let table = r#"<div class="xp-t{a}" tabindex="0" role="region" aria-label="{0}"><table><caption>{0} <span>{1}</span></caption><thead><tr><th scope="col"><span class="vh">{2}</span></th>{b}</tr></thead><tbody>{c}</tbody></table></div>"#;
        put(out, table, &[words::FEWEST, words::CELL, words::DESIGN], &[wide, &heads, &rows]);
    }

    /// What was searched, and what the words in the cells mean.
    fn says(&self, out: &mut String) {
        let s = &self.ready.setting;
        let kinds: Vec<String> = s
            .each
            .iter()
            .map(|(kind, most)| {
                let [name, ..] = words::kind(kind.word());
                if *most < s.total { said(words::AT_MOST, &[name, &most.to_string()]) } else { name.to_string() }
            })
            .collect();
        let targets =
            self.ready.scenario.explore().map_or(vec!["workers".to_string(), "lock".to_string()], |e| e.targets);
        let targets: Vec<&str> = targets.iter().map(|t| words::target(t)).collect();
        let edges = words::edges(&s.edges.to_string());
        let most = words::faults(s.total);
        let text = words::searched(&most, &kinds.join(", ").to_lowercase(), &targets.join(", "), &edges);
        let own = match (self.ready.has_own, s.own) {
            (false, _) => "",
            (_, true) => words::OWN_IN,
            (_, false) => words::OWN_OUT,
        };
        let means = words::means(&most, &words::faults(s.total + 1));
        put(out, r#"<p class="xp-foot">{A} {B}</p><p class="xp-foot">{C}</p>"#, &[], &[&means, own, &text]);
    }
}

fn cell(answer: &Answer, p: Property) -> Cell {
    match answer.verdict(p) {
        Verdict::Broken { faults: 0, .. } => Cell::Broken(words::AS_IT_IS.to_string()),
        Verdict::Broken { by, .. } => Cell::Broken(found::kinds(&by.faults)),
        Verdict::Holds { reached: 0, .. } => Cell::Never,
        Verdict::Holds { .. } => Cell::Holds,
        Verdict::NoneYet => Cell::NoneYet,
    }
}

/// How many schedules of a design were looked at, and how far that is: of what is known for certain.
fn coverage(known: &Answer, so_far: &Answer, begun: bool) -> (String, String) {
    let n = grouped(so_far.schedules());
    let last = known.levels.last();
    let faults = last.map_or(0, |l| l.faults);
    let (done, units) = last.map_or((0, 0), |l| (l.done, l.units));
    let (done, units) = (grouped(done), grouped(units));
    let how = match known.limit() {
        _ if !begun => return (String::new(), String::new()),
        Some(limit) => {
            let limit = if limit == Limit::Memory { words::LIMIT_MEMORY } else { words::LIMIT_SCHEDULES };
            words::stopped_at(limit, &words::faults(faults), &done, &units)
        }
        None if known.is_complete() && known.all_broken() && faults < known.total => {
            words::all_broken(&words::faults(faults))
        }
        None if known.is_complete() => words::all_within(&words::faults(faults)),
        None => words::so_far(&words::faults(faults), &done, &units),
    };
    (n, how)
}
