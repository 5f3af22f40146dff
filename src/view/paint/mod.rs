//! A column as SVG. Layers from back to front: zones, cut links, beats, lifelines, bars, pauses, tears, clocks, the first difference,
//! arrows, votes, outcomes, tokens, words.
//!
//! Classes only, no colours: the page's style sheet (`static/diagram.css`) knows two themes. Every shape that shows an event carries its
//! number as `data-seq`, so that the page can light the same event in all columns and in the list.

use super::axis::Axis;
use super::labels::{self, Ground, Label, Sizes, Wish};
use super::lanes::{LaneKind, hue, striped};
use super::layout::Layout;
use super::placing::Scene;
use super::sequence::*;
use super::text::{FORM, fill, longest, parts};
use super::words;
use crate::base::TrueTime;
use crate::base::pieces::tail;
use crate::view::Tip;

pub mod heads;
mod messages;
pub mod rail;
pub mod standalone;
mod stretches;

/// What a column needs besides its scene.
pub struct Words<'a> {
    /// Prefix of all ids.
    pub uid: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    /// Instants of the rail's beats.
    pub beats: &'a [TrueTime],
    pub first_difference: Option<TrueTime>,
    /// By event: its number in the list, if it has a line there.
    pub numbers: &'a [u32],
}

/// A column's SVG, its labels, and what those say that found no room.
pub fn column(s: &Scene, w: &Words) -> (String, Vec<Label>, Vec<Tip>) {
    let (width, height) = (s.places.width, s.axis.height());
    let mut o = String::with_capacity(16 * 1024);
    // An image hides what is inside from a screen reader, so a picture whose messages take the focus is a group.
    let role = if s.layout.live { r#"role="group" aria-roledescription="sequence diagram""# } else { r#"role="img""# };
    fill(
        &mut o,
        r#"<svg class="dg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" {a} aria-labelledby="{b}-t" aria-describedby="{b}-d" font-size="{2}">"#,
        &[width, height, s.layout.font],
        &[role, w.uid],
    );
    fill(&mut o, r#"<title id="{a}-t">{B}</title><desc id="{a}-d">{C}</desc>"#, &[], &[w.uid, w.title, w.description]);
    defs(&mut o, s, w.uid);
    let p = Painter { s, uid: w.uid, w };
    p.zones(&mut o);
    p.cuts(&mut o);
    for t in w.beats {
        fill(&mut o, r#"<path class="beat" d="M0 {0}H{1}"/>"#, &[s.y(*t), width], &[]);
    }
    p.lifelines(&mut o);
    p.bars(&mut o);
    p.pauses(&mut o);
    p.stalls(&mut o);
    p.downs(&mut o);
    p.tears(&mut o);
    p.clocks(&mut o);
    if let Some(t) = w.first_difference {
        fill(&mut o, r#"<path class="div" d="M0 {0}H{1}"/>"#, &[s.y(t), width], &[]);
    }
    p.arrows(&mut o);
    p.ballots(&mut o);
    p.marks(&mut o);
    p.badges(&mut o);
    let mut tips = Vec::new();
    let placed = p.words(&mut o, &mut tips);
    o.push_str("</svg>");
    (o, placed, tips)
}

fn defs(o: &mut String, s: &Scene, uid: &str) {
    o.push_str("<defs>");
    if !s.seq.pauses.is_empty() {
        fill(
            o,
            r#"<pattern id="{a}-h" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" class="hatch"/></pattern>"#,
            &[],
            &[uid],
        );
    }
    if s.seq.bars.iter().any(|b| striped(b.worker)) {
        fill(
            o,
            r#"<pattern id="{a}-s" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 1.5H6" class="stripe"/></pattern>"#,
            &[],
            &[uid],
        );
    }
    let mut kinds = vec!["m"];
    for a in &s.seq.arrows {
        let kind = head(a);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    for k in kinds {
        let (d, class) = if k == "o" { ("M0 .6 8 4 0 7.4", "open") } else { ("M0 .6 8 4 0 7.4Z", "head") };
        fill(
            o,
            r#"<marker id="{a}-a{b}" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="{c}" class="{d} {b}"/></marker>"#,
            &[],
            &[uid, k, d, class],
        );
    }
    o.push_str("</defs>");
}

/// Which head an arrow has.
fn head(a: &Arrow) -> &'static str {
    match a.worker {
        Some(w) if a.heavy => hue(w),
        _ if a.fate == ArrowFate::AnswerNo => "good",
        _ if a.one_way => "o",
        _ => "m",
    }
}

struct Painter<'a> {
    s: &'a Scene<'a>,
    uid: &'a str,
    w: &'a Words<'a>,
}

impl Painter<'_> {
    fn axis(&self) -> &Axis {
        self.s.axis
    }

    fn layout(&self) -> &Layout {
        self.s.layout
    }

    fn in_zone(&self, y: f64) -> bool {
        let width = self.s.places.width - self.layout().gutter;
        width > 0.0 && self.s.seq.zones.iter().any(|z| self.s.y(z.from) <= y && y <= self.s.y(z.to))
    }

    /// Notes, and labels on what is left.
    fn words(&self, o: &mut String, tips: &mut Vec<Tip>) -> Vec<Label> {
        for t in &self.s.texts {
            let z = if self.in_zone(t.base - 4.0) { " z" } else { "" };
            let anchor = if t.end { r#" text-anchor="end""# } else { "" };
            fill(
                o,
                r#"<text class="nt {a}{b}" x="{0}" y="{1}"{c}>{D}</text>"#,
                &[t.x, t.base],
                &[t.tone.class(), z, anchor, &t.text],
            );
        }
        let mut placed = Vec::new();
        for ((a, line), label) in self.s.seq.arrows.iter().zip(&self.s.lines).zip(self.place_labels()) {
            let Some(l) = label else {
                if self.layout().live {
                    let (x, y) = ((line.x0 + line.x1) / 2.0, (line.y0 + line.y1) / 2.0);
                    tips.push(Tip { seq: a.seq, x, y, text: longest(&a.label).to_string() });
                }
                continue;
            };
            let mut class = String::from("lb");
            match (a.heavy, a.worker, a.fate) {
                (true, Some(w), _) => {
                    class.push_str(" key ");
                    class.push_str(hue(w));
                }
                (_, _, ArrowFate::AnswerNo) => class.push_str(" good"),
                (_, _, ArrowFate::Ignored) => class.push_str(" ink3"),
                _ => {}
            }
            if self.in_zone(l.base - 4.0) {
                class.push_str(" z");
            }
            let anchor = if l.end { r#" text-anchor="end""# } else { "" };
            fill(
                o,
                r#"<text class="{a}" data-seq="{0}" x="{1}" y="{2}"{b}>{C}</text>"#,
                &[f64::from(a.seq.0), l.x, l.base],
                &[&class, anchor, &l.text],
            );
            placed.push(l);
        }
        placed
    }

    fn place_labels(&self) -> Vec<Option<Label>> {
        let layout = self.layout();
        // Where bursts are dense, routine arrows go without words; asking for the lock and the answer keep theirs.
        let rank = if self.axis().pitch() < 14.0 { layout.labels.min(1) } else { layout.labels };
        let mute = layout.words == super::layout::Words::None;
        let wishes: Vec<Wish> = self
            .s
            .seq
            .arrows
            .iter()
            .zip(&self.s.lines)
            .map(|(a, line)| {
                let from_worker = self.s.seq.lanes.kind(a.from) == LaneKind::Worker;
                let mut forms = if words::rank(a) <= rank && !mute { a.label.as_str() } else { "" };
                // What the network did to it goes first; that it is a write 1 stays.
                if layout.short
                    && matches!(a.fate, ArrowFate::Delayed | ArrowFate::Copy | ArrowFate::Late)
                    && parts(forms, FORM) > 2
                {
                    forms = tail(forms, longest(forms).len() + 1);
                }
                Wish {
                    line: *line,
                    worker_first: from_worker || self.s.seq.lanes.kind(a.to) != LaneKind::Worker,
                    forms,
                    bold: a.heavy || a.fate == ArrowFate::AnswerNo,
                    rank: words::rank(a),
                }
            })
            .collect();
        let ground = Ground {
            bars: &self.s.bars,
            tears: &self.s.tears,
            taken: &self.s.taken,
            arrows: &self.s.arrows,
            lives: &self.s.places.x,
            width: self.s.places.width,
            height: self.axis().height(),
        };
        labels::place(&wishes, &ground, Sizes { font: layout.font, bar: layout.bar })
    }
}
