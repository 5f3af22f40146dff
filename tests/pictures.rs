//! Every preset, drawn: no text on other text, nothing unescaped, the same picture each time.
//!
//! `cargo test --test pictures -- --ignored` writes `target/gallery/` to look at.

use fencepost::run::{Run, run};
use fencepost::scenario::{self, preset};
use fencepost::view::{Layout, Picture, Shown, lanes, picture, standalone};
use std::fmt::Write as _;

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
                for (n, a) in c.boxes.iter().enumerate() {
                    for b in &c.boxes[..n] {
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
            assert!(!c.body.contains("NaN") && !c.body.contains("inf"), "{}", p.id);
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

#[test]
#[ignore = "writes files to look at"]
fn gallery() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/gallery");
    std::fs::create_dir_all(&dir).expect("target can be written");
    let css = include_str!("../static/diagram.css");
    for p in preset::all() {
        let runs = runs(&p, 0..2);
        for (name, fit) in LAYOUTS {
            let drawn = draw(&runs, fit);
            let mut o = format!(
                "<!doctype html><html data-theme=light><meta charset=utf-8><title>{}</title><style>{css}\n:root{{--sans:'Liberation Sans',sans-serif}}body{{margin:16px;background:var(--paper);color:var(--ink);font:14px/1.5 var(--sans)}}.r{{display:flex}}.h{{min-height:96px;display:flex;flex-direction:column;justify-content:space-between;flex:none}}</style><b>{}</b><div class=r><div class=h style='width:{}px'></div>",
                p.id, p.id, drawn.layout.rail
            );
            for (r, c) in runs.iter().zip(&drawn.columns) {
                let _ = write!(
                    o,
                    "<div class=h style='width:{}px'><div><b>{}</b> {} {}<br>{}</div>{}</div>",
                    c.width,
                    r.design,
                    c.chip.glyph(),
                    c.chip.word(),
                    c.sentence,
                    c.heads
                );
            }
            let _ = write!(o, "</div><div class=r><div style='flex:none'>{}</div>", drawn.rail);
            for c in &drawn.columns {
                o.push_str(&c.body);
            }
            o.push_str("</div>");
            std::fs::write(dir.join(format!("preset-{}-{name}.html", p.id)), o).expect("target can be written");
        }
        let sheet = standalone(p.id, "", &shown(&runs), &runs[0].judged);
        std::fs::write(dir.join(format!("preset-{}.svg", p.id)), sheet).expect("target can be written");
    }
}
