//! Draws all hand-written stories at all layouts: tests of the geometry, and a page to look at.
//!
//! `cargo test --lib gallery -- --ignored` writes `target/gallery/*.html`.

use super::samples::{self, Sample};
use super::samples_more as more;
use super::{Chip, Layout, Picture, Shown, picture};
use crate::check::report::Property;
use std::fmt::Write;

/// All stories, each as the columns of one comparison.
fn stories() -> Vec<(&'static str, Vec<Sample>)> {
    vec![
        ("gc-pause", vec![samples::gc_pause(false), samples::gc_pause(true)]),
        ("redlock", vec![more::redlock(), more::consensus()]),
        ("crash", vec![more::crash(true), more::crash(false)]),
        ("foreign-release", vec![more::foreign_release(false), more::foreign_release(true)]),
        ("faults", vec![more::faults()]),
        ("copy", vec![more::copy()]),
        ("renewals", vec![more::renewals()]),
        ("shards", vec![more::shards()]),
        ("hostile", vec![more::hostile()]),
        ("crowd", vec![more::crowd(12)]),
    ]
}

/// The layouts of the design: name, width of the page, and how to fit.
fn layouts() -> Vec<(&'static str, fn(usize, usize) -> Layout)> {
    vec![
        ("wide", |lanes, cols| Layout::fit(1160.0, 573.0, lanes, cols)),
        ("mid", |lanes, cols| Layout::fit(992.0, 557.0, lanes, cols)),
        ("phone", |lanes, cols| Layout::fit(374.0, 478.0, lanes, cols)),
        ("embed", |lanes, cols| Layout::embed(692.0, 280.0, lanes, cols)),
        ("embed-phone", |lanes, cols| Layout::embed(366.0, 281.0, lanes, cols)),
    ]
}

fn draw(samples: &[Sample], fit: fn(usize, usize) -> Layout) -> Picture {
    let shown: Vec<Shown> = samples.iter().map(Sample::shown).collect();
    let lanes = shown.iter().map(|s| super::lanes::count(s.roster)).max().unwrap_or(2);
    picture(&shown, &Property::JUDGED, &fit(lanes, shown.len()))
}

fn page(name: &str, samples: &[Sample], p: &Picture, theme: &str) -> String {
    let css = include_str!("../../static/diagram.css");
    let mut o = format!("<!doctype html><html data-theme={theme}><meta charset=utf-8><title>{name}</title><style>{css}\n
:root{{--sans:'Liberation Sans',sans-serif}}body{{margin:16px;background:var(--paper);color:var(--ink);font:14px/1.5 var(--sans)}}.row{{display:flex}}h2{{font-size:17px;margin:0}}p{{margin:4px 0 12px;color:var(--ink2)}}ol{{columns:2;font-size:13px;color:var(--ink2)}}.hot{{color:var(--bad);font-weight:600}}</style>");
    let _ = write!(o, "<div class=row><div style='width:{}px;flex:none'></div>", p.layout.rail);
    for (s, c) in samples.iter().zip(&p.columns) {
        let _ = write!(
            o,
            "<div style='width:{}px;flex:none'><h2>{} {} {}</h2><p>{}</p>{}</div>",
            c.width,
            s.name,
            c.chip.glyph(),
            c.chip.word(),
            c.sentence,
            c.heads
        );
    }
    let _ = write!(o, "</div><div class=row><div style='width:{}px;flex:none'>{}</div>", p.layout.rail, p.rail);
    for c in &p.columns {
        o.push_str(&c.body);
    }
    o.push_str("</div><ol>");
    for e in &p.columns[0].events {
        let _ = write!(
            o,
            "<li{}>{} {}</li>",
            if e.hot { " class=hot" } else { "" },
            super::text::bare(e.at),
            super::text::escape(&e.text)
        );
    }
    o.push_str("</ol>");
    o
}

#[test]
#[ignore = "writes files to look at"]
fn gallery() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/gallery");
    std::fs::create_dir_all(&dir).unwrap();
    for (story, samples) in stories() {
        for (layout, fit) in layouts() {
            let p = draw(&samples, fit);
            for theme in ["light", "dark"] {
                std::fs::write(dir.join(format!("{story}-{layout}-{theme}.html")), page(story, &samples, &p, theme))
                    .unwrap();
            }
        }
    }
}

#[test]
fn no_text_stands_on_other_text() {
    for (story, samples) in stories() {
        for (layout, fit) in layouts() {
            for (i, c) in draw(&samples, fit).columns.iter().enumerate() {
                for (n, a) in c.boxes.iter().enumerate() {
                    for b in &c.boxes[..n] {
                        let apart = a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h;
                        assert!(apart, "{story}, {layout}, column {i}: “{}” and “{}” overlap", a.text, b.text);
                    }
                }
            }
        }
    }
}

#[test]
fn the_chips_say_what_the_reports_say() {
    let p = draw(&[samples::gc_pause(false), samples::gc_pause(true)], layouts()[0].1);
    assert_eq!(p.columns[0].chip, Chip::Unsafe);
    assert_eq!(p.columns[0].sentence, "W1’s write, computed under grant\u{a0}1, landed after W2’s, at 15.005\u{a0}s.");
    assert_eq!(p.columns[1].chip, Chip::Safe);
    assert_eq!(p.columns[1].sentence, "The resource refused token\u{a0}1 because it had seen 2.");
}
