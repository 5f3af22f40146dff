//! What happens at once: arrows, votes, outcomes and tokens.

use super::{Painter, head};
use crate::trace::{EventSeq, LostWhy};
use crate::view::grid::Line;
use crate::view::lanes::{LaneKind, hue};
use crate::view::placing::{Mark, mark};
use crate::view::sequence::{Answer, Arrow, ArrowFate};
use crate::view::text::{escape, instant, num};
use std::fmt::Write;

impl Painter<'_> {
    pub(super) fn arrows(&self, o: &mut String) {
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
            let d = format!("M{} {}L{} {}", num(p.0), num(p.1), num(q.0), num(q.1));
            // One stop for the tab key; arrows move on from there.
            let tab = if std::mem::take(&mut first) { 0 } else { -1 };
            let n = self.w.numbers.get(a.seq.0 as usize).copied().unwrap_or(0);
            put!(o, r#"<g class="m" data-seq="{}""#, a.seq.0);
            if n > 0 {
                put!(o, r#" data-n="{n}""#);
            }
            // The same message in another column: sent at the same instant, between the same lanes, of the same kind.
            put!(o, r#" data-key="{}.{}.{}.{}""#, a.sent.as_us(), a.from, a.to, a.kind.index());
            if let Some(EventSeq(to)) = a.arrival {
                put!(o, r#" data-to="{to}""#);
            }
            if self.layout().live {
                put!(
                    o,
                    r#" tabindex="{tab}" role="img" aria-label="{}"><path class="hit" d="{d}"/>"#,
                    escape(&self.spoken(a))
                );
            } else {
                o.push('>');
            }
            put!(o, r#"<path class="{class}" d="{d}""#);
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
    pub(super) fn trimmed(&self, a: &Arrow, l: &Line) -> ((f64, f64), (f64, f64)) {
        let half = self.layout().bar / 2.0;
        let shard = |lane: usize| self.s.seq.lanes.kind(lane) == LaneKind::Shard;
        let cut_head = match a.fate {
            ArrowFate::Late | ArrowFate::TurnedBack => 10.0,
            ArrowFate::Lost(LostWhy::Down) => half + 3.0,
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
    pub(super) fn spoken(&self, a: &Arrow) -> String {
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

    pub(super) fn ballots(&self, o: &mut String) {
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

    pub(super) fn marks(&self, o: &mut String) {
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

    pub(super) fn badges(&self, o: &mut String) {
        let size = self.layout().badge;
        for b in &self.s.badges {
            let a = &self.s.seq.arrows[b.arrow];
            let class = a.worker.map_or("", hue);
            put!(
                o,
                r#"<g class="tok {class}" data-seq="{}"><rect x="{}" y="{}" width="{}" height="{}" rx="3.5"/>"#,
                a.seq.0,
                num(b.x - b.width / 2.0),
                num(b.y - size / 2.0),
                num(b.width),
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
}
