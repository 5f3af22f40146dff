//! What happens at once: arrows, votes, outcomes and tokens.

use super::{Painter, head};
use crate::trace::LostWhy;
use crate::view::grid::Line;
use crate::view::lanes::{LaneKind, hue};
use crate::view::placing::{Mark, mark};
use crate::view::sequence::{Answer, Arrow, ArrowFate, Ballot};
use crate::view::text::{fill, instant, longest, said, whole};

impl Painter<'_> {
    pub(super) fn arrows(&self, o: &mut String) {
        for (i, a) in self.s.seq.arrows.iter().enumerate() {
            // The first one is the way in for the keyboard.
            if i > 0 && !self.crosses(i) {
                continue;
            }
            let l = self.s.lines[i];
            let (p, q) = self.trimmed(a, &l);
            let mut class = String::from("msg");
            if a.kind.reply {
                class.push_str(" reply");
            }
            if let (true, Some(w)) = (a.heavy, a.worker) {
                class.push_str(" key ");
                class.push_str(hue(w));
            }
            match a.fate {
                ArrowFate::AnswerNo => class.push_str(" no"),
                ArrowFate::Ignored => class.push_str(" ignored"),
                _ => {}
            }
            let mut d = String::new();
            fill(&mut d, "M{0} {1}L{2} {3}", &[p.0, p.1, q.0, q.1], &[]);
            // One stop for the tab key; arrows move on from there.
            let tab = if i == 0 { "0" } else { "-1" };
            let n = self.w.numbers.get(a.seq.0 as usize).copied().unwrap_or(0);
            fill(o, r#"<g class="m" data-seq="{0}""#, &[f64::from(a.seq.0)], &[]);
            if n > 0 {
                fill(o, r#" data-n="{0}""#, &[f64::from(n)], &[]);
            }
            if self.layout().live {
                fill(
                    o,
                    r#" tabindex="{a}" role="img" aria-label="{B}"><path class="hit" d="{c}"/>"#,
                    &[],
                    &[tab, &self.spoken(a), &d],
                );
            } else {
                o.push('>');
            }
            fill(o, r#"<path class="{a}" d="{b}""#, &[], &[&class, &d]);
            match a.fate {
                ArrowFate::Lost(_) => {
                    fill(o, r#"/><path class="xx lost" d="M{0} {1}l9 9m0-9l-9 9"/></g>"#, &[q.0 - 4.5, q.1 - 4.5], &[]);
                }
                ArrowFate::UnderWay => o.push_str("/></g>"),
                _ => fill(o, r#" marker-end="url(#{a}-a{b})"/></g>"#, &[], &[self.uid, head(a)]),
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
        let what = longest(&a.label);
        let mut s =
            said("{a} to {b}: {c}, sent at {d}", &[&lanes[a.from].name, &lanes[a.to].name, what, &instant(a.sent)]);
        match (a.fate, a.arrived) {
            (ArrowFate::Lost(_), _) => s.push_str(", lost"),
            (ArrowFate::UnderWay, _) => s.push_str(", still under way"),
            (_, Some(at)) => fill(&mut s, ", arrives at {a}", &[], &[&instant(at)]),
            _ => {}
        }
        if let Some(t) = a.token {
            fill(&mut s, ", token {a}", &[], &[&whole(t)]);
        }
        s
    }

    pub(super) fn ballots(&self, o: &mut String) {
        let r = self.layout().vote().dot;
        let mut rings = String::new();
        for b in &self.s.seq.ballots {
            if !b.votes.iter().any(|v| self.meets(v.1)) {
                continue;
            }
            if self.layout().unfolded {
                self.bus(o, b);
            }
            for (m, (answer, at)) in b.votes.iter().enumerate() {
                let (x, y) = (self.s.places.node(b.lane, m), self.s.y(*at));
                match answer {
                    Answer::Silent => {
                        let k = r * 0.8;
                        fill(o, r#"<path class="nohalo" d="M{0} {1}h{2}"/>"#, &[x - k - 2.0, y, 2.0 * k + 4.0], &[]);
                        fill(
                            o,
                            r#"<path class="noans" d="M{0} {1}l{2} {2}m0-{2}l-{2} {2}"/>"#,
                            &[x - k, y - k, 2.0 * k],
                            &[],
                        );
                    }
                    Answer::No => {
                        fill(o, r#"<circle class="ballot no" cx="{0}" cy="{1}" r="{2}"/>"#, &[x, y, r - 0.4], &[])
                    }
                    Answer::Yes => {
                        let quiet = if b.quiet { " q" } else { "" };
                        fill(
                            o,
                            r#"<circle class="ballot {a}{b}" cx="{0}" cy="{1}" r="{2}"/>"#,
                            &[x, y, r],
                            &[hue(b.worker), quiet],
                        );
                    }
                }
                if b.again.contains(&m) {
                    fill(&mut rings, r#"<circle class="again" cx="{0}" cy="{1}" r="{2}"/>"#, &[x, y, r + 3.4], &[]);
                }
            }
        }
        // Over the neighbours' discs.
        o.push_str(&rings);
    }

    /// What joins the bar and the nodes that a call reached: level where the arrivals are one instant, else from disc to disc.
    fn bus(&self, o: &mut String, b: &Ballot) {
        let mut d = String::new();
        let from = self.s.places.x(b.lane) + self.layout().bar / 2.0;
        for (m, (answer, at)) in b.votes.iter().enumerate() {
            let (x, y) = (self.s.places.node(b.lane, m), self.s.y(*at));
            if d.is_empty() {
                fill(&mut d, "M{0} {1}", &[from, y], &[]);
            }
            if *answer != Answer::Silent {
                fill(&mut d, "L{0} {1}", &[x, y], &[]);
            }
        }
        fill(o, r#"<path class="bus" d="{a}"/>"#, &[], &[&d]);
    }

    pub(super) fn marks(&self, o: &mut String) {
        for m in &self.s.seq.moments {
            let Some(kind) = mark(&m.what).filter(|_| self.meets(m.at)) else { continue };
            let (x, y) = (self.s.places.x(self.s.seq.lanes.lane(m.node)), self.s.y(m.at));
            let class = match kind {
                Mark::Bad => "bad",
                Mark::Good => "good",
                Mark::Quiet => "quiet",
            };
            fill(
                o,
                r#"<g class="mark {a}" data-seq="{0}"><circle cx="{1}" cy="{2}" r="8.5"/>"#,
                &[f64::from(m.seq.0), x, y],
                &[class],
            );
            match kind {
                Mark::Bad => fill(o, r#"<path d="M{0} {1}l6 6m0-6l-6 6"/></g>"#, &[x - 3.0, y - 3.0], &[]),
                _ => fill(o, r#"<path d="M{0} {1}l8 8"/></g>"#, &[x - 4.0, y - 4.0], &[]),
            }
        }
    }

    pub(super) fn badges(&self, o: &mut String) {
        let size = self.layout().badge;
        for b in &self.s.badges {
            if !self.sight.meets(b.y, b.y) {
                continue;
            }
            let a = &self.s.seq.arrows[b.arrow];
            let class = a.worker.map_or("", hue);
            fill(
                o,
                r#"<g class="tok {a}" data-seq="{0}"><rect x="{1}" y="{2}" width="{3}" height="{4}" rx="3.5"/>"#,
                &[f64::from(a.seq.0), b.x - b.width / 2.0, b.y - size / 2.0, b.width, size],
                &[class],
            );
            fill(
                o,
                r#"<text x="{0}" y="{1}" text-anchor="middle">{a}</text></g>"#,
                &[b.x, b.y + size * 0.27],
                &[&whole(b.token)],
            );
        }
    }
}
