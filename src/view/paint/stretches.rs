//! What lasts: lifelines, leases, beliefs, pauses, zones, cut links, local clocks, and the tears through them all.

use super::Painter;
use crate::base::TrueTime;
use crate::view::clock;
use crate::view::lanes::{LaneKind, hue, striped};
use crate::view::placing::PlacedGutter;
use crate::view::sequence::{Bar, BarKind, Down};
use crate::view::text::num;
use std::fmt::Write;

impl Painter<'_> {
    pub(super) fn zones(&self, o: &mut String) {
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

    pub(super) fn cuts(&self, o: &mut String) {
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

    pub(super) fn lifelines(&self, o: &mut String) {
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

    pub(super) fn bars(&self, o: &mut String) {
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

    /// Requests that wait in a shard's handler, beside its line.
    pub(super) fn stalls(&self, o: &mut String) {
        for w in &self.s.seq.stalls {
            let x = self.s.places.x[w.lane];
            put!(
                o,
                r#"<path class="stall {}" data-seq="{}" d="M{} {}h-4.5V{}h4.5"/>"#,
                hue(w.worker),
                w.seq.0,
                num(x - 3.5),
                num(self.s.y(w.from)),
                num(self.s.y(w.to))
            );
        }
    }

    /// Bars of further locks on one lane stand a little to the right.
    pub(super) fn bar_x(&self, b: &Bar) -> f64 {
        self.s.places.x[b.lane] + b.lock.index() as f64 * (self.layout().bar * 0.8)
    }

    pub(super) fn lease(&self, o: &mut String, b: &Bar, x: f64, width: f64, radius: f64, class: &str) {
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

    pub(super) fn belief(&self, o: &mut String, b: &Bar) {
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

    pub(super) fn pauses(&self, o: &mut String) {
        let w = self.layout().bar;
        for p in &self.s.seq.pauses {
            let (y0, y1) = (self.s.y(p.from), self.s.y_end(p.to));
            let x = self.s.pause_x(p);
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

    pub(super) fn downs(&self, o: &mut String) {
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

    pub(super) fn tears(&self, o: &mut String) {
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

    pub(super) fn clocks(&self, o: &mut String) {
        for (g, placed) in self.s.seq.clocks.iter().zip(&self.s.gutters) {
            let Some(PlacedGutter { x, ticks }) = placed else { continue };
            let x = *x;
            put!(o, r#"<path class="kink" d="{}"/>"#, clock::path(g, self.axis(), x));
            for (i, t) in ticks.iter().enumerate() {
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
