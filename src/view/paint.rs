//! A column as SVG. Layers from back to front: zones, cut links, beats, lifelines, bars, pauses, tears, clocks, the first difference,
//! arrows, votes, outcomes, tokens, words.
//!
//! Classes only, no colours: the page's style sheet (`static/diagram.css`) knows two themes. Every shape that shows an event carries its
//! number as `data-seq`, so that the page can light the same event in all columns and in the list.

use super::axis::Axis;
use super::clock;
use super::grid::Line;
use super::labels::{self, Ground, Label, Sizes, Wish};
use super::lanes::{LaneKind, hue, striped};
use super::layout::Layout;
use super::placing::{Mark, Scene, mark};
use super::sequence::*;
use super::text::{escape, instant, num};
use super::words;
use crate::base::TrueTime;
use crate::trace::EventSeq;
use std::fmt::Write;

/// Writes into a `String`, which cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = write!($out, $($arg)*); }};
}
pub(super) use put;

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

/// A column's SVG, and its labels.
pub fn column(s: &Scene, w: &Words) -> (String, Vec<Label>) {
    let (width, height) = (s.places.width, s.axis.height());
    let mut o = String::with_capacity(16 * 1024);
    put!(
        o,
        r#"<svg class="dg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="group" aria-roledescription="sequence diagram" aria-labelledby="{2}-t" aria-describedby="{2}-d" font-size="{3}">"#,
        num(width),
        num(height),
        w.uid,
        num(s.layout.font)
    );
    put!(
        o,
        r#"<title id="{0}-t">{1}</title><desc id="{0}-d">{2}</desc>"#,
        w.uid,
        escape(w.title),
        escape(w.description)
    );
    defs(&mut o, s, w.uid);
    let p = Painter { s, uid: w.uid, w };
    p.zones(&mut o);
    p.cuts(&mut o);
    for t in w.beats {
        put!(o, r#"<path class="beat" d="M0 {}H{}"/>"#, num(s.y(*t)), num(width));
    }
    p.lifelines(&mut o);
    p.bars(&mut o);
    p.pauses(&mut o);
    p.downs(&mut o);
    p.tears(&mut o);
    p.clocks(&mut o);
    if let Some(t) = w.first_difference {
        put!(o, r#"<path class="div" d="M0 {}H{}"/>"#, num(s.y(t)), num(width));
    }
    p.arrows(&mut o);
    p.ballots(&mut o);
    p.marks(&mut o);
    p.badges(&mut o);
    let placed = p.words(&mut o);
    o.push_str("</svg>");
    (o, placed)
}

fn defs(o: &mut String, s: &Scene, uid: &str) {
    o.push_str("<defs>");
    if !s.seq.pauses.is_empty() {
        put!(
            o,
            r#"<pattern id="{uid}-h" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" class="hatch"/></pattern>"#
        );
    }
    if s.seq.bars.iter().any(|b| striped(b.worker)) {
        put!(
            o,
            r#"<pattern id="{uid}-s" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 1.5H6" class="stripe"/></pattern>"#
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
        put!(
            o,
            r#"<marker id="{uid}-a{k}" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="{d}" class="{class} {k}"/></marker>"#
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

    fn zones(&self, o: &mut String) {
        let right = num(self.s.places.width - self.layout().gutter);
        for z in &self.s.seq.zones {
            let (y0, y1) = (self.s.y(z.from), self.s.y(z.to));
            put!(
                o,
                r#"<g class="zone"><rect x="0" y="{0}" width="{right}" height="{1}"/><path d="M0 {0}H{right}M0 {2}H{right}"/></g>"#,
                num(y0),
                num(y1 - y0),
                num(y1)
            );
        }
    }

    fn cuts(&self, o: &mut String) {
        for c in &self.s.seq.cuts {
            let (x0, x1, y0, y1) = (self.s.places.x[c.a], self.s.places.x[c.b], self.s.y(c.from), self.s.y_end(c.to));
            put!(
                o,
                r#"<g data-seq="{}"><rect class="cutb" x="{}" y="{}" width="{}" height="{}"/>"#,
                c.seq.0,
                num(x0),
                num(y0),
                num(x1 - x0),
                num(y1 - y0)
            );
            put!(o, r#"<path class="cutl" d="M{} {}H{}"#, num(x0), num(y0), num(x1));
            if c.to.is_some() {
                put!(o, "M{} {}H{}", num(x0), num(y1), num(x1));
            }
            o.push_str(r#""/></g>"#);
        }
    }

    fn lifelines(&self, o: &mut String) {
        let bottom = self.axis().height();
        for (i, x) in self.s.places.x.iter().enumerate() {
            let downs: Vec<&Down> = self.s.seq.downs.iter().filter(|d| d.lane == i).collect();
            let grouped = self.s.seq.lanes.kind(i) == LaneKind::Group;
            if downs.is_empty() || grouped {
                put!(o, r#"<path class="life" d="M{} 0V{}"/>"#, num(*x), num(bottom));
            } else {
                // No lifeline while down: dots instead.
                let mut at = 0.0;
                for d in downs {
                    let (y0, y1) = (self.s.y(d.from), self.s.y_end(d.to));
                    put!(
                        o,
                        r#"<path class="life" d="M{0} {1}V{2}"/><path class="off" d="M{0} {3}V{4}"/>"#,
                        num(*x),
                        num(at),
                        num(y0),
                        num(y0 + 4.0),
                        num(y1 - 2.0)
                    );
                    at = y1;
                }
                if at < bottom {
                    put!(o, r#"<path class="life" d="M{} {}V{}"/>"#, num(*x), num(at), num(bottom));
                }
            }
            for x in &self.s.places.nodes[i] {
                put!(o, r#"<path class="life grpl" d="M{} 0V{}"/>"#, num(*x), num(bottom));
            }
        }
    }

    fn bars(&self, o: &mut String) {
        for v in &self.s.seq.values {
            let (x, y0, y1) = (self.s.places.x[v.lane], self.s.y(v.from), self.s.y_end(v.to));
            let class = v.writer.map_or("nil", hue);
            put!(
                o,
                r#"<rect class="val {class}" x="{}" y="{}" width="3" height="{}"/>"#,
                num(x - 1.5),
                num(y0),
                num(y1 - y0)
            );
        }
        for b in &self.s.seq.bars {
            match b.kind {
                BarKind::Lease => self.lease(o, b, self.bar_x(b), self.layout().bar, 1.5, ""),
                BarKind::Vote => {
                    self.lease(o, b, self.s.member_x(b.lane, b.node), self.layout().vote().width, 1.0, " vote")
                }
                BarKind::Belief => self.belief(o, b),
            }
        }
    }

    /// Bars of further locks on one lane stand a little to the right.
    fn bar_x(&self, b: &Bar) -> f64 {
        self.s.places.x[b.lane] + b.lock.index() as f64 * (self.layout().bar * 0.8)
    }

    fn lease(&self, o: &mut String, b: &Bar, x: f64, width: f64, radius: f64, class: &str) {
        let (y0, y1, half) = (self.s.y(b.from), self.s.y_end(b.to), width / 2.0);
        put!(
            o,
            r#"<g data-seq="{}"><rect class="lease{class} {}" x="{}" y="{}" width="{}" height="{}" rx="{}"/>"#,
            b.seq.0,
            hue(b.worker),
            num(x - half),
            num(y0),
            num(width),
            num(y1 - y0),
            num(radius)
        );
        if striped(b.worker) {
            put!(
                o,
                r#"<rect x="{}" y="{}" width="{}" height="{}" fill="url(#{}-s)"/>"#,
                num(x - half),
                num(y0),
                num(width),
                num(y1 - y0),
                self.uid
            );
        }
        let over = if class.is_empty() { 4.0 } else { 3.0 };
        if b.end.is_sudden() {
            put!(o, r#"<path class="expire" d="M{} {}h{}"/>"#, num(x - half - over), num(y1), num(width + 2.0 * over));
        }
        o.push_str("</g>");
    }

    fn belief(&self, o: &mut String, b: &Bar) {
        let (x, w) = (self.bar_x(b), self.layout().bar);
        let (y0, y1) = (self.s.y(b.from), self.s.y_end(b.to));
        let turn = b.stale.map_or(y1, |s| self.s.y(s.0));
        put!(o, r#"<g data-seq="{}">"#, b.seq.0);
        if turn > y0 {
            let close = if b.to.is_some() && turn == y1 { "Z" } else { "" };
            put!(
                o,
                r#"<path class="belief {}" d="M{} {}V{}h{}V{}{close}"/>"#,
                hue(b.worker),
                num(x - w / 2.0),
                num(turn),
                num(y0),
                num(w),
                num(turn)
            );
            if striped(b.worker) {
                put!(
                    o,
                    r#"<rect x="{}" y="{}" width="{}" height="{}" fill="url(#{}-s)"/>"#,
                    num(x - w / 2.0),
                    num(y0),
                    num(w),
                    num(turn - y0),
                    self.uid
                );
            }
        }
        if turn < y1 {
            put!(
                o,
                r#"<path class="belief stale" d="M{0} {1}V{2}h{3}V{1}"/>"#,
                num(x - w / 2.0),
                num(turn),
                num(y1),
                num(w)
            );
        }
        o.push_str("</g>");
    }

    fn pauses(&self, o: &mut String) {
        let w = self.layout().bar;
        for p in &self.s.seq.pauses {
            let (y0, y1) = (self.s.y(p.from), self.s.y_end(p.to));
            // One thread of two: the hatch stands beside the bar, because the other thread goes on.
            let x = self.s.places.x[p.lane] + if p.thread.is_some() { w + 3.0 } else { 0.0 };
            put!(
                o,
                r#"<g class="pause" data-seq="{}"><rect x="{}" y="{}" width="{}" height="{}" fill="url(#{}-h)"/>"#,
                p.seq.0,
                num(x - w / 2.0),
                num(y0),
                num(w),
                num(y1 - y0),
                self.uid
            );
            put!(o, r#"<path d="M{0} {1}h{2}"#, num(x - w / 2.0 - 4.0), num(y0), num(w + 8.0));
            if p.to.is_some() {
                put!(o, "M{} {}h{}", num(x - w / 2.0 - 4.0), num(y1), num(w + 8.0));
            }
            o.push_str(r#""/></g>"#);
        }
    }

    fn downs(&self, o: &mut String) {
        for d in &self.s.seq.downs {
            let x = if self.s.seq.lanes.in_group(d.node) {
                self.s.member_x(d.lane, d.node)
            } else {
                self.s.places.x[d.lane]
            };
            put!(
                o,
                r#"<path class="xx" data-seq="{}" d="M{} {}l10 10m0-10l-10 10"/>"#,
                d.seq.0,
                num(x - 5.0),
                num(self.s.y(d.from) - 5.0)
            );
            if let Some(to) = d.to {
                put!(o, r#"<circle class="dot" cx="{}" cy="{}" r="3"/>"#, num(x), num(self.s.y(to)));
            }
        }
    }

    fn tears(&self, o: &mut String) {
        let half = self.layout().bar / 2.0;
        for (a, b) in self.axis().tears() {
            let y = self.axis().middle(*a, *b);
            let z = if self.in_zone(y) { " z" } else { "" };
            for (lane, x) in self.s.places.x.iter().enumerate() {
                let spans = |from: TrueTime, to: Option<TrueTime>| from <= *a && to.is_none_or(|t| *b <= t);
                let wide =
                    self.s.seq.bars.iter().any(|r| r.lane == lane && r.kind != BarKind::Vote && spans(r.from, r.to))
                        || self.s.seq.pauses.iter().any(|p| p.lane == lane && spans(p.from, p.to));
                let hw = if wide { half + 3.0 } else { 5.0 };
                tear(o, &format!("tear{z}"), x - hw, x + hw, y);
                let nodes = &self.s.places.nodes[lane];
                if let (Some(first), Some(last)) = (nodes.first(), nodes.last()) {
                    let over = self.layout().vote().width / 2.0 + 2.0;
                    tear(o, &format!("tear{z}"), first - over, last + over, y);
                }
            }
        }
    }

    fn clocks(&self, o: &mut String) {
        for g in &self.s.seq.clocks {
            // A folded group has no room for its members' clocks; their steps are noted in words.
            if self.s.seq.lanes.kind(g.lane) == LaneKind::Group {
                continue;
            }
            let x = self.s.places.x[g.lane] - 16.0;
            put!(o, r#"<path class="kink" d="{}"/>"#, clock::path(g, self.axis(), x));
            for (i, t) in clock::ticks(g, self.axis()).iter().enumerate() {
                let unit = if i == 0 { "\u{a0}s" } else { "" };
                let sign = if t.second < 0 { "−" } else { "" };
                put!(o, r#"<path class="thin" d="M{} {}h8"/>"#, num(x - 4.0), num(t.y));
                put!(
                    o,
                    r#"<text class="clk" x="{}" y="{}" text-anchor="end">{sign}{}{unit}</text>"#,
                    num(x - 7.0),
                    num(t.y + 3.8),
                    t.second.abs()
                );
            }
        }
    }

    fn arrows(&self, o: &mut String) {
        let mut first = true;
        for (i, a) in self.s.seq.arrows.iter().enumerate() {
            let l = self.s.lines[i];
            let (p, q) = self.trimmed(a, &l);
            let mut class = String::from("msg");
            if a.kind.reply {
                class.push_str(" reply");
            }
            if let (true, Some(w)) = (a.heavy, a.worker) {
                put!(class, " key {}", hue(w));
            }
            match a.fate {
                ArrowFate::AnswerNo => class.push_str(" no"),
                ArrowFate::Ignored => class.push_str(" ignored"),
                _ => {}
            }
            // One stop for the tab key; arrows move on from there.
            let tab = if std::mem::take(&mut first) { 0 } else { -1 };
            let n = self.w.numbers.get(a.seq.0 as usize).copied().unwrap_or(0);
            put!(o, r#"<g class="m" data-seq="{}""#, a.seq.0);
            if n > 0 {
                put!(o, r#" data-n="{n}""#);
            }
            if let Some(EventSeq(to)) = a.arrival {
                put!(o, r#" data-to="{to}""#);
            }
            put!(o, r#" tabindex="{tab}" role="img" aria-label="{}">"#, escape(&self.spoken(a)));
            let d = format!("M{} {}L{} {}", num(p.0), num(p.1), num(q.0), num(q.1));
            put!(o, r#"<path class="hit" d="{d}"/><path class="{class}" d="{d}""#);
            match a.fate {
                ArrowFate::Lost(_) => {
                    put!(o, r#"/><path class="xx lost" d="M{} {}l9 9m0-9l-9 9"/></g>"#, num(q.0 - 4.5), num(q.1 - 4.5));
                }
                ArrowFate::UnderWay => o.push_str("/></g>"),
                _ => put!(o, r#" marker-end="url(#{}-a{})"/></g>"#, self.uid, head(a)),
            }
        }
    }

    /// From bar edge to bar edge.
    fn trimmed(&self, a: &Arrow, l: &Line) -> ((f64, f64), (f64, f64)) {
        let half = self.layout().bar / 2.0;
        let shard = |lane: usize| self.s.seq.lanes.kind(lane) == LaneKind::Shard;
        let cut_head = match a.fate {
            ArrowFate::Late | ArrowFate::TurnedBack => 10.0,
            ArrowFate::Lost(crate::trace::LostWhy::Down) => half + 3.0,
            ArrowFate::Lost(_) | ArrowFate::UnderWay => 0.0,
            _ if shard(a.to) => 3.5,
            _ => half + 1.0,
        };
        let cut_tail = match a.fate {
            ArrowFate::AnswerNo if shard(a.from) => 8.0,
            _ if shard(a.from) => 2.0,
            _ => half,
        };
        let (dx, dy) = (l.x1 - l.x0, l.y1 - l.y0);
        // Both are horizontal distances, so that heads stop at the edge whatever the slant.
        let (t0, t1) = (cut_tail / dx.abs().max(1.0), 1.0 - cut_head / dx.abs().max(1.0));
        ((l.x0 + dx * t0, l.y0 + dy * t0), (l.x0 + dx * t1, l.y0 + dy * t1))
    }

    /// A message for those who hear it.
    fn spoken(&self, a: &Arrow) -> String {
        let lanes = &self.s.seq.lanes.lanes;
        let what = a.label.first().map_or("", String::as_str);
        let mut s = format!("{} to {}: {what}, sent at {}", lanes[a.from].name, lanes[a.to].name, instant(a.sent));
        match (a.fate, a.arrived) {
            (ArrowFate::Lost(_), _) => s.push_str(", lost"),
            (ArrowFate::UnderWay, _) => s.push_str(", still under way"),
            (_, Some(at)) => put!(s, ", arrives at {}", instant(at)),
            _ => {}
        }
        if let Some(t) = a.token {
            put!(s, ", token {t}");
        }
        s
    }

    fn ballots(&self, o: &mut String) {
        let r = self.layout().vote().dot;
        let mut rings = String::new();
        for b in &self.s.seq.ballots {
            for (m, (answer, at)) in b.votes.iter().enumerate() {
                let (x, y) = (self.s.places.nodes[b.lane][m], self.s.y(*at));
                match answer {
                    Answer::Silent => {
                        let k = r * 0.8;
                        put!(
                            o,
                            r#"<path class="nohalo" d="M{} {}h{}"/>"#,
                            num(x - k - 2.0),
                            num(y),
                            num(2.0 * k + 4.0)
                        );
                        put!(
                            o,
                            r#"<path class="noans" d="M{} {}l{2} {2}m0-{2}l-{2} {2}"/>"#,
                            num(x - k),
                            num(y - k),
                            num(2.0 * k)
                        );
                    }
                    Answer::No => {
                        put!(o, r#"<circle class="ballot no" cx="{}" cy="{}" r="{}"/>"#, num(x), num(y), num(r - 0.4))
                    }
                    Answer::Yes => {
                        let quiet = if b.quiet { " q" } else { "" };
                        put!(
                            o,
                            r#"<circle class="ballot {}{quiet}" cx="{}" cy="{}" r="{}"/>"#,
                            hue(b.worker),
                            num(x),
                            num(y),
                            num(r)
                        );
                    }
                }
                if b.again.contains(&m) {
                    put!(rings, r#"<circle class="again" cx="{}" cy="{}" r="{}"/>"#, num(x), num(y), num(r + 3.4));
                }
            }
        }
        // Over the neighbours' discs.
        o.push_str(&rings);
    }

    fn marks(&self, o: &mut String) {
        for m in &self.s.seq.moments {
            let Some(kind) = mark(&m.what) else { continue };
            let (x, y) = (self.s.places.x[self.s.seq.lanes.lane(m.node)], self.s.y(m.at));
            let class = match kind {
                Mark::Bad => "bad",
                Mark::Good => "good",
                Mark::Quiet => "quiet",
            };
            put!(
                o,
                r#"<g class="mark {class}" data-seq="{}"><circle cx="{}" cy="{}" r="8.5"/>"#,
                m.seq.0,
                num(x),
                num(y)
            );
            match kind {
                Mark::Bad => put!(o, r#"<path d="M{} {}l6 6m0-6l-6 6"/></g>"#, num(x - 3.0), num(y - 3.0)),
                _ => put!(o, r#"<path d="M{} {}l8 8"/></g>"#, num(x - 4.0), num(y - 4.0)),
            }
        }
    }

    fn badges(&self, o: &mut String) {
        let size = self.layout().badge;
        for b in &self.s.badges {
            let a = &self.s.seq.arrows[b.arrow];
            let class = a.worker.map_or("", hue);
            put!(
                o,
                r#"<g class="tok {class}" data-seq="{}"><rect x="{}" y="{}" width="{3}" height="{3}" rx="3.5"/>"#,
                a.seq.0,
                num(b.x - size / 2.0),
                num(b.y - size / 2.0),
                num(size)
            );
            put!(
                o,
                r#"<text x="{}" y="{}" text-anchor="middle">{}</text></g>"#,
                num(b.x),
                num(b.y + size * 0.27),
                b.token
            );
        }
    }

    /// Notes, and labels on what is left.
    fn words(&self, o: &mut String) -> Vec<Label> {
        for t in &self.s.texts {
            let z = if self.in_zone(t.base - 4.0) { " z" } else { "" };
            let anchor = if t.end { r#" text-anchor="end""# } else { "" };
            put!(
                o,
                r#"<text class="nt {}{z}" x="{}" y="{}"{anchor}>{}</text>"#,
                t.tone.class(),
                num(t.x),
                num(t.base),
                escape(&t.text)
            );
        }
        let mut placed = Vec::new();
        for (a, label) in self.s.seq.arrows.iter().zip(self.place_labels()) {
            let Some(l) = label else { continue };
            let mut class = String::from("lb");
            match (a.heavy, a.worker, a.fate) {
                (true, Some(w), _) => put!(class, " key {}", hue(w)),
                (_, _, ArrowFate::AnswerNo) => class.push_str(" good"),
                (_, _, ArrowFate::Ignored) => class.push_str(" ink3"),
                _ => {}
            }
            if self.in_zone(l.base - 4.0) {
                class.push_str(" z");
            }
            let anchor = if l.end { r#" text-anchor="end""# } else { "" };
            put!(
                o,
                r#"<text class="{class}" data-seq="{}" x="{}" y="{}"{anchor}>{}</text>"#,
                a.seq.0,
                num(l.x),
                num(l.base),
                escape(&l.text)
            );
            placed.push(l);
        }
        placed
    }

    fn place_labels(&self) -> Vec<Option<Label>> {
        let layout = self.layout();
        // Where bursts are dense, routine arrows go without words; asking for the lock and the answer keep theirs.
        let rank = if self.axis().pitch() < 14.0 { layout.labels.min(1) } else { layout.labels };
        let wishes: Vec<Wish> = self
            .s
            .seq
            .arrows
            .iter()
            .zip(&self.s.lines)
            .map(|(a, line)| {
                let from_worker = self.s.seq.lanes.kind(a.from) == LaneKind::Worker;
                let mut forms = if words::rank(a) <= rank { a.label.clone() } else { Vec::new() };
                // What the network did to it goes first; that it is a write 1 stays.
                if layout.short
                    && matches!(a.fate, ArrowFate::Delayed | ArrowFate::Copy | ArrowFate::Late)
                    && forms.len() > 2
                {
                    forms.remove(0);
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
            bars: self.s.bars.clone(),
            tears: self.s.tears.clone(),
            taken: self.s.taken.clone(),
            arrows: self.s.arrows.clone(),
            lives: self.s.places.x.clone(),
            width: self.s.places.width,
            height: self.axis().height(),
        };
        labels::place(&wishes, &ground, Sizes { font: layout.font, bar: layout.bar })
    }
}

/// A slanted cut with two edges, from `x0` to `x1` around `y`.
pub(super) fn tear(o: &mut String, class: &str, x0: f64, x1: f64, y: f64) {
    let (a, b, c, d) = (num(y + 3.2), num(y - 0.8), num(y - 3.2), num(y + 0.8));
    let (x0, x1) = (num(x0), num(x1));
    put!(
        o,
        r#"<g class="{class}"><path class="cut" d="M{x0} {a}L{x1} {b}V{c}L{x0} {d}Z"/><path d="M{x0} {a}L{x1} {b}M{x0} {d}L{x1} {c}"/></g>"#
    );
}
