//! What lasts: lifelines, leases, beliefs, pauses, zones, cut links, local clocks, and the tears through them all.

use super::Painter;
use crate::base::TrueTime;
use crate::view::clock;
use crate::view::lanes::{LaneKind, hue, striped};
use crate::view::placing::PlacedGutter;
use crate::view::sequence::{Bar, BarKind, Down};
use crate::view::text::{fill, whole};

impl Painter<'_> {
    pub(super) fn zones(&self, o: &mut String) {
        let right = self.s.places.width - self.layout().gutter;
        for z in self.s.seq.zones.iter().filter(|z| self.lasts(z.from, Some(z.to))) {
            let (y0, y1) = (self.s.y(z.from), self.s.y(z.to));
            fill(
                o,
                r#"<g class="zone"><rect x="0" y="{0}" width="{1}" height="{2}"/><path d="M0 {0}H{1}M0 {3}H{1}"/></g>"#,
                &[y0, right, y1 - y0, y1],
                &[],
            );
        }
    }

    pub(super) fn cuts(&self, o: &mut String) {
        for c in self.s.seq.cuts.iter().filter(|c| self.lasts(c.from, c.to)) {
            let (x0, x1, y0, y1) = (self.s.places.x(c.a), self.s.places.x(c.b), self.s.y(c.from), self.s.y_end(c.to));
            fill(
                o,
                r#"<g data-seq="{0}"><rect class="cutb" x="{1}" y="{2}" width="{3}" height="{4}"/>"#,
                &[f64::from(c.seq.0), x0, y0, x1 - x0, y1 - y0],
                &[],
            );
            fill(o, r#"<path class="cutl" d="M{0} {1}H{2}"#, &[x0, y0, x1], &[]);
            if c.to.is_some() {
                fill(o, "M{0} {1}H{2}", &[x0, y1, x1], &[]);
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
                fill(o, r#"<path class="life" d="M{0} 0V{1}"/>"#, &[*x, bottom], &[]);
            } else {
                // No lifeline while down: dots instead.
                let mut at = 0.0;
                for d in downs {
                    let (y0, y1) = (self.s.y(d.from), self.s.y_end(d.to));
                    fill(
                        o,
                        r#"<path class="life" d="M{0} {1}V{2}"/><path class="off" d="M{0} {3}V{4}"/>"#,
                        &[*x, at, y0, y0 + 4.0, y1 - 2.0],
                        &[],
                    );
                    at = y1;
                }
                if at < bottom {
                    fill(o, r#"<path class="life" d="M{0} {1}V{2}"/>"#, &[*x, at, bottom], &[]);
                }
            }
            for x in &self.s.places.nodes[i] {
                fill(o, r#"<path class="life grpl" d="M{0} 0V{1}"/>"#, &[*x, bottom], &[]);
            }
        }
    }

    pub(super) fn bars(&self, o: &mut String) {
        for v in self.s.seq.values.iter().filter(|v| self.lasts(v.from, v.to)) {
            let (x, y0, y1) = (self.s.places.x(v.lane), self.s.y(v.from), self.s.y_end(v.to));
            let class = v.writer.map_or("nil", hue);
            fill(
                o,
                r#"<rect class="val {a}" x="{0}" y="{1}" width="3" height="{2}"/>"#,
                &[x - 1.5, y0, y1 - y0],
                &[class],
            );
        }
        for b in self.s.seq.bars.iter().filter(|b| self.lasts(b.from, b.to)) {
            match b.kind {
                BarKind::Lease => self.lease(o, b, self.s.bar_x(b), self.layout().bar, 1.5, ""),
                BarKind::Vote => {
                    self.lease(o, b, self.s.member_x(b.lane, b.node), self.layout().vote().width, 1.0, " vote")
                }
                BarKind::Belief => self.belief(o, b),
            }
        }
    }

    /// Requests that wait in a shard's handler, beside its line.
    pub(super) fn stalls(&self, o: &mut String) {
        for w in self.s.seq.stalls.iter().filter(|w| self.lasts(w.from, Some(w.to))) {
            let x = self.s.places.x(w.lane);
            fill(
                o,
                r#"<path class="stall {a}" data-seq="{0}" d="M{1} {2}h-4.5V{3}h4.5"/>"#,
                &[f64::from(w.seq.0), x - 3.5, self.s.y(w.from), self.s.y(w.to)],
                &[hue(w.worker)],
            );
        }
    }

    pub(super) fn lease(&self, o: &mut String, b: &Bar, x: f64, width: f64, radius: f64, class: &str) {
        let (y0, y1, half) = (self.s.y(b.from), self.s.y_end(b.to), width / 2.0);
        fill(
            o,
            r#"<g data-seq="{0}"><rect class="lease{a} {b}" x="{1}" y="{2}" width="{3}" height="{4}" rx="{5}"/>"#,
            &[f64::from(b.seq.0), x - half, y0, width, y1 - y0, radius],
            &[class, hue(b.worker)],
        );
        if striped(b.worker) {
            fill(
                o,
                r#"<rect x="{0}" y="{1}" width="{2}" height="{3}" fill="url(#{a}-s)"/>"#,
                &[x - half, y0, width, y1 - y0],
                &[self.uid],
            );
        }
        let over = if class.is_empty() { 4.0 } else { 3.0 };
        if b.end.is_sudden() {
            fill(o, r#"<path class="expire" d="M{0} {1}h{2}"/>"#, &[x - half - over, y1, width + 2.0 * over], &[]);
        }
        o.push_str("</g>");
    }

    pub(super) fn belief(&self, o: &mut String, b: &Bar) {
        let (x, w) = (self.s.bar_x(b), self.layout().bar);
        let (y0, y1) = (self.s.y(b.from), self.s.y_end(b.to));
        let turn = b.stale.map_or(y1, |s| self.s.y(s.0));
        fill(o, r#"<g data-seq="{0}">"#, &[f64::from(b.seq.0)], &[]);
        if turn > y0 {
            let close = if b.to.is_some() && turn == y1 { "Z" } else { "" };
            fill(
                o,
                r#"<path class="belief {a}" d="M{0} {1}V{2}h{3}V{1}{b}"/>"#,
                &[x - w / 2.0, turn, y0, w],
                &[hue(b.worker), close],
            );
            if striped(b.worker) {
                fill(
                    o,
                    r#"<rect x="{0}" y="{1}" width="{2}" height="{3}" fill="url(#{a}-s)"/>"#,
                    &[x - w / 2.0, y0, w, turn - y0],
                    &[self.uid],
                );
            }
        }
        if turn < y1 {
            fill(o, r#"<path class="belief stale" d="M{0} {1}V{2}h{3}V{1}"/>"#, &[x - w / 2.0, turn, y1, w], &[]);
        }
        o.push_str("</g>");
    }

    pub(super) fn pauses(&self, o: &mut String) {
        let w = self.layout().bar;
        for p in self.s.seq.pauses.iter().filter(|p| self.lasts(p.from, p.to)) {
            let (y0, y1) = (self.s.y(p.from), self.s.y_end(p.to));
            let x = self.s.pause_x(p);
            fill(
                o,
                r#"<g class="pause" data-seq="{0}"><rect x="{1}" y="{2}" width="{3}" height="{4}" fill="url(#{a}-h)"/>"#,
                &[f64::from(p.seq.0), x - w / 2.0, y0, w, y1 - y0],
                &[self.uid],
            );
            fill(o, r#"<path d="M{0} {1}h{2}"#, &[x - w / 2.0 - 4.0, y0, w + 8.0], &[]);
            if p.to.is_some() {
                fill(o, "M{0} {1}h{2}", &[x - w / 2.0 - 4.0, y1, w + 8.0], &[]);
            }
            o.push_str(r#""/></g>"#);
        }
    }

    pub(super) fn downs(&self, o: &mut String) {
        for d in self.s.seq.downs.iter().filter(|d| self.lasts(d.from, d.to)) {
            let x = if self.s.seq.lanes.in_group(d.node) {
                self.s.member_x(d.lane, d.node)
            } else {
                self.s.places.x(d.lane)
            };
            fill(
                o,
                r#"<path class="xx" data-seq="{0}" d="M{1} {2}l10 10m0-10l-10 10"/>"#,
                &[f64::from(d.seq.0), x - 5.0, self.s.y(d.from) - 5.0],
                &[],
            );
            if let Some(to) = d.to {
                fill(o, r#"<circle class="dot" cx="{0}" cy="{1}" r="3"/>"#, &[x, self.s.y(to)], &[]);
            }
        }
    }

    pub(super) fn tears(&self, o: &mut String) {
        let half = self.layout().bar / 2.0;
        for (a, b) in self.axis().tears() {
            let y = self.axis().middle(*a, *b);
            if !self.sight.meets(y, y) {
                continue;
            }
            let z = if self.in_zone(y) { "tear z" } else { "tear" };
            for (lane, x) in self.s.places.x.iter().enumerate() {
                let spans = |from: TrueTime, to: Option<TrueTime>| from <= *a && to.is_none_or(|t| *b <= t);
                let wide =
                    self.s.seq.bars.iter().any(|r| r.lane == lane && r.kind != BarKind::Vote && spans(r.from, r.to))
                        || self.s.seq.pauses.iter().any(|p| p.lane == lane && spans(p.from, p.to));
                let hw = if wide { half + 3.0 } else { 5.0 };
                tear(o, z, x - hw, x + hw, y);
                let nodes = &self.s.places.nodes[lane];
                if let (Some(first), Some(last)) = (nodes.first(), nodes.last()) {
                    let over = self.layout().vote().width / 2.0 + 2.0;
                    tear(o, z, first - over, last + over, y);
                }
            }
        }
    }

    pub(super) fn clocks(&self, o: &mut String) {
        for (g, placed) in self.s.seq.clocks.iter().zip(&self.s.gutters) {
            let Some(PlacedGutter { x, ticks }) = placed else { continue };
            let x = *x;
            fill(o, r#"<path class="kink" d="{a}"/>"#, &[], &[&clock::path(g, self.axis(), x)]);
            for (i, t) in ticks.iter().enumerate().filter(|(_, t)| self.sight.meets(t.y, t.y)) {
                let unit = if i == 0 { "\u{a0}s" } else { "" };
                let sign = if t.second < 0 { "−" } else { "" };
                fill(o, r#"<path class="thin" d="M{0} {1}h8"/>"#, &[x - 4.0, t.y], &[]);
                fill(
                    o,
                    r#"<text class="clk" x="{0}" y="{1}" text-anchor="end">{a}{b}{c}</text>"#,
                    &[x - 7.0, t.y + 3.8],
                    &[sign, &whole(t.second.unsigned_abs()), unit],
                );
            }
        }
    }
}

/// A slanted cut with two edges, from `x0` to `x1` around `y`.
pub(super) fn tear(o: &mut String, class: &str, x0: f64, x1: f64, y: f64) {
    // From corner to corner: but for where it begins, one tear is written as the next.
    fill(
        o,
        r#"<g class="{a}"><path class="cut" d="M{0} {1}l{2}-4v-2.4l-{2} 4Z"/><path d="M{0} {1}l{2}-4m-{2} 1.6l{2}-4"/></g>"#,
        &[x0, y + 3.2, x1 - x0],
        &[class],
    );
}
