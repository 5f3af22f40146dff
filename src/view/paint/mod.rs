//! A column as SVG. Layers from back to front: zones, cut links, beats, lifelines, bars, pauses, tears, clocks, the first difference,
//! arrows, votes, outcomes, tokens, words.
//!
//! Classes only, no colours: the page's style sheet (`static/diagram.css`) knows two themes. Every shape that shows an event carries its
//! number as `data-seq`, so that the page can light the same event in all columns and in the list.

use super::axis::Axis;
use super::grid::Rect;
use super::labels::{self, Ground, Label, Sizes, Wish};
use super::lanes::{LaneKind, hue, striped};
use super::layout::Layout;
use super::placing::Scene;
use super::sequence::*;
use super::sight::Sight;
use super::text::{FORM, fill, longest, parts, whole};
use super::words;
use super::{PlacedBox, Tip};
use crate::base::TrueTime;
use crate::base::pieces::tail;
use crate::trace::EventSeq;
use std::rc::Rc;

pub mod heads;
mod messages;
pub mod rail;
pub mod standalone;
mod stretches;

/// What a column needs besides its scene.
#[derive(Clone, PartialEq, Debug)]
pub struct Words {
    /// Prefix of all ids.
    pub uid: String,
    pub title: String,
    pub description: String,
    /// Instants of the rail's beats.
    pub beats: Rc<[TrueTime]>,
    pub first_difference: Option<TrueTime>,
    /// By event: its number in the list, if it has a line there.
    pub numbers: Vec<u32>,
}

/// A column ready to be written down, whole or in part.
#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    scene: Scene,
    words: Words,
    /// By arrow.
    labels: Vec<Option<Label>>,
}

impl Body {
    pub fn new(scene: Scene, words: Words) -> Body {
        let labels = place_labels(&scene);
        Body { scene, words, labels }
    }

    /// The whole of it as SVG.
    pub fn whole(&self) -> String {
        self.svg(&Sight::ALL)
    }

    /// What of it is in sight, as SVG of the size of the whole.
    pub fn svg(&self, sight: &Sight) -> String {
        let (s, w) = (&self.scene, &self.words);
        let (width, height) = (s.places.width, s.axis.height());
        let mut o = String::with_capacity(16 * 1024);
        // An image hides what is inside from a screen reader, so a picture whose messages take the focus is a group.
        let role =
            if s.layout.live { r#"role="group" aria-roledescription="sequence diagram""# } else { r#"role="img""# };
        fill(
            &mut o,
            r#"<svg class="dg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" {a} aria-labelledby="{b}-t" aria-describedby="{b}-d" font-size="{2}">"#,
            &[width, height, s.layout.font],
            &[role, &w.uid],
        );
        let title = r#"<title id="{a}-t">{B}</title><desc id="{a}-d">{C}</desc>"#;
        fill(&mut o, title, &[], &[&w.uid, &w.title, &w.description]);
        defs(&mut o, s, &w.uid);
        let p = Painter { s, uid: &w.uid, w, sight };
        p.zones(&mut o);
        p.cuts(&mut o);
        for t in w.beats.iter() {
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
        p.words(&mut o, &self.labels);
        o.push_str("</svg>");
        o
    }

    /// The message that is drawn after another event, or before it, in the order of time.
    pub fn beside(&self, seq: EventSeq, forward: bool) -> Option<EventSeq> {
        let arrows = self.scene.seq.arrows.iter().map(|a| a.seq);
        if forward { arrows.filter(|a| *a > seq).min() } else { arrows.filter(|a| *a < seq).max() }
    }

    /// The words of a message that found no room, and where they belong.
    pub fn tip(&self, seq: EventSeq) -> Option<Tip> {
        let s = &self.scene;
        let at = s.seq.arrows.iter().position(|a| a.seq == seq)?;
        if self.labels[at].is_some() || !s.layout.live {
            return None;
        }
        let line = s.lines[at];
        let (x, y) = ((line.x0 + line.x1) / 2.0, (line.y0 + line.y1) / 2.0);
        Some(Tip { x, y, text: longest(&s.seq.arrows[at].label).to_string() })
    }

    /// Where text and badges stand, for tests of the geometry.
    pub fn boxes(&self) -> Vec<PlacedBox> {
        let s = &self.scene;
        let texts = s.texts.iter().map(|t| PlacedBox::new(&t.rect, &t.text));
        let labels = self.labels.iter().flatten().map(|l| PlacedBox::new(&l.rect, &l.text));
        let half = s.layout.badge / 2.0;
        let badges = s.badges.iter().map(|b| {
            let rect = Rect::new(b.x - b.width / 2.0, b.y - half, b.x + b.width / 2.0, b.y + half);
            PlacedBox::new(&rect, &whole(b.token))
        });
        texts.chain(labels).chain(badges).collect()
    }
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
    s: &'a Scene,
    uid: &'a str,
    w: &'a Words,
    sight: &'a Sight,
}

impl Painter<'_> {
    fn axis(&self) -> &Axis {
        &self.s.axis
    }

    fn layout(&self) -> &Layout {
        &self.s.layout
    }

    /// Something that lasts from one instant to another, or to the end, may be in sight.
    fn lasts(&self, from: TrueTime, to: Option<TrueTime>) -> bool {
        self.sight.meets(self.s.y(from), self.s.y_end(to))
    }

    /// So may something at an instant.
    fn meets(&self, at: TrueTime) -> bool {
        self.lasts(at, Some(at))
    }

    /// So may a message, which stands on a line; or it is wanted wherever it stands.
    fn crosses(&self, arrow: usize) -> bool {
        let l = &self.s.lines[arrow];
        self.sight.meets(l.y0.min(l.y1), l.y0.max(l.y1)) || self.sight.also == Some(self.s.seq.arrows[arrow].seq)
    }

    fn in_zone(&self, y: f64) -> bool {
        let width = self.s.places.width - self.layout().gutter;
        width > 0.0 && self.s.seq.zones.iter().any(|z| self.s.y(z.from) <= y && y <= self.s.y(z.to))
    }

    /// Notes, and labels on what is left.
    fn words(&self, o: &mut String, labels: &[Option<Label>]) {
        for t in &self.s.texts {
            if !self.sight.meets(t.base, t.base) {
                continue;
            }
            let z = if self.in_zone(t.base - 4.0) { " z" } else { "" };
            let anchor = if t.end { r#" text-anchor="end""# } else { "" };
            fill(
                o,
                r#"<text class="nt {a}{b}" x="{0}" y="{1}"{c}>{D}</text>"#,
                &[t.x, t.base],
                &[t.tone.class(), z, anchor, &t.text],
            );
        }
        for (a, label) in self.s.seq.arrows.iter().zip(labels) {
            let Some(l) = label.as_ref().filter(|l| self.sight.meets(l.base, l.base)) else { continue };
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
        }
    }
}

/// Where the labels of all messages stand; by arrow.
fn place_labels(s: &Scene) -> Vec<Option<Label>> {
    let layout = &*s.layout;
    // Where bursts are dense, routine arrows go without words; asking for the lock and the answer keep theirs.
    let rank = if s.axis.pitch() < 14.0 { layout.labels.min(1) } else { layout.labels };
    let mute = layout.words == super::layout::Words::None;
    let wishes: Vec<Wish> = s
        .seq
        .arrows
        .iter()
        .zip(&s.lines)
        .map(|(a, line)| {
            let from_worker = s.seq.lanes.kind(a.from) == LaneKind::Worker;
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
                worker_first: from_worker || s.seq.lanes.kind(a.to) != LaneKind::Worker,
                forms,
                bold: a.heavy || a.fate == ArrowFate::AnswerNo,
                rank: words::rank(a),
            }
        })
        .collect();
    let ground = Ground {
        bars: &s.bars,
        tears: &s.tears,
        taken: &s.taken,
        arrows: &s.arrows,
        lives: &s.places.x,
        width: s.places.width,
        height: s.axis.height(),
    };
    labels::place(&wishes, &ground, Sizes { font: layout.font, bar: layout.bar })
}
