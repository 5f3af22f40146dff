//! Every preset, drawn: no text on other text, nothing unescaped, the same picture each time.
//!
//! To look at one: `fencepost run ID --format svg`.

use fencepost::run::{Run, run};
use fencepost::scenario::{self, preset};
use fencepost::view::{Layout, Picture, Shown, lanes, picture};

fn shown(runs: &[Run]) -> Vec<Shown<'_>> {
    runs.iter()
        .map(|r| Shown { name: &r.design, roster: &r.roster, log: &r.log, report: &r.report, ending: r.ending })
        .collect()
}

/// Runs of the given designs of a preset.
fn runs(p: &preset::Preset, designs: std::ops::Range<usize>) -> Vec<Run> {
    let story = scenario::parse(p.text).scenario.expect("presets have no errors");
    let n = story.designs().len();
    (designs.start.min(n)..designs.end.min(n)).map(|d| run(&story, d)).collect()
}

type Fit = fn(usize, usize) -> Layout;

const LAYOUTS: [(&str, Fit); 5] = [
    ("wide", |lanes, columns| Layout::fit(1160.0, 573.0, lanes, columns)),
    ("mid", |lanes, columns| Layout::fit(992.0, 557.0, lanes, columns)),
    ("phone", |lanes, columns| Layout::fit(374.0, 478.0, lanes, columns)),
    ("embed", |lanes, columns| Layout::embed(692.0, 300.0, lanes, columns)),
    ("embed-phone", |lanes, columns| Layout::embed(366.0, 300.0, lanes, columns)),
];

fn draw(runs: &[Run], fit: Fit) -> Picture {
    let shown = shown(runs);
    let most = runs.iter().map(|r| lanes::count(&r.roster)).max().unwrap_or(2);
    picture(&shown, &runs[0].judged, &fit(most, runs.len()))
}

#[test]
fn no_text_of_any_preset_stands_on_other_text() {
    for p in preset::all() {
        let runs = runs(&p, 0..2);
        for (name, fit) in LAYOUTS {
            for (i, c) in draw(&runs, fit).columns.iter().enumerate() {
                let boxes = c.body.boxes();
                for (n, a) in boxes.iter().enumerate() {
                    for b in &boxes[..n] {
                        let apart = a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
                        assert!(apart, "{}, {name}, column {i}: “{}” and “{}” overlap", p.id, a.text, b.text);
                    }
                }
            }
        }
    }
}

#[test]
fn pictures_do_not_depend_on_who_draws_them() {
    for p in preset::all() {
        let runs = runs(&p, 0..3);
        let once = draw(&runs, LAYOUTS[0].1);
        assert_eq!(once, draw(&runs, LAYOUTS[0].1), "{}", p.id);
        for c in &once.columns {
            let svg = c.body.whole();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", p.id);
            assert!(!c.sentence.is_empty(), "{}: a column without a sentence", p.id);
        }
    }
}

#[test]
fn every_listed_event_says_what_happened() {
    for p in preset::all() {
        let all = runs(&p, 0..usize::MAX);
        for (r, c) in all.iter().zip(&draw(&all, LAYOUTS[0].1).columns) {
            for e in &c.events {
                // Names alone are no sentence.
                let is_name = |w: &str| w.is_empty() || r.roster.nodes.iter().any(|n| n.name == w);
                assert!(!e.text.split([' ', ',', ':']).all(is_name), "{} {}: {:?}", p.id, r.design, e.text);
            }
        }
    }
}
