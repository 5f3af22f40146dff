//! Where notes, badges and marks stand. They go before the labels of messages, and then they are fixed.
//!
//! A note tries its stretches or its instant, its sides, its ways to say it; within a line it takes the longest form that fits between
//! its lane and what stands next to it. The first place that costs least wins; one that would stand on another text is no place.

use super::axis::Axis;
use super::clock::{self, Tick};
use super::grid::{Boxes, Line as Segment, Lines, Rect};
use super::lanes::LaneKind;
use super::layout::{Layout, Places};
use super::notes::{Anchor, Note, Tone, When};
use super::sequence::{Arrow, ArrowFate, BarKind, Pause, Sequence, What};
use super::text;
use crate::base::{Span, TrueTime};
use std::rc::Rc;

/// A line of text with its place. px.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedText {
    pub x: f64,
    pub base: f64,
    /// The text ends at `x`.
    pub end: bool,
    pub tone: Tone,
    pub rect: Rect,
    pub text: String,
}

/// A token on an arrow: its middle. px.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Badge {
    pub x: f64,
    pub y: f64,
    /// A square for one digit, wider for more.
    pub width: f64,
    pub arrow: usize,
    pub token: u64,
}

/// A column while it is filled: what stands where, for placing and painting alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    pub seq: Rc<Sequence>,
    pub axis: Rc<Axis>,
    pub layout: Rc<Layout>,
    pub places: Rc<Places>,
    /// By arrow: from lane to lane (a lost one: to its cross).
    pub lines: Vec<Segment>,
    pub badges: Vec<Badge>,
    pub texts: Vec<PlacedText>,
    pub bars: Boxes,
    pub tears: Boxes,
    pub taken: Boxes,
    pub arrows: Lines,
    /// By gutter of the sequence: its place, if the lane has one.
    pub gutters: Vec<Option<PlacedGutter>>,
}

/// A local clock beside its lane. px.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacedGutter {
    pub x: f64,
    /// None where there is no room for numbers: then only the kinks tell.
    pub ticks: Vec<Tick>,
}

/// How far a lost message comes.
const LOST_AT: f64 = 0.6;

impl Scene {
    /// Everything but words: arrows, bars, tears, discs and badges take their places.
    pub fn new(seq: Rc<Sequence>, axis: Rc<Axis>, layout: Rc<Layout>, places: Rc<Places>) -> Scene {
        let q = axis.typical();
        let lines: Vec<Segment> =
            seq.arrows.iter().enumerate().map(|(i, a)| line(a, seq.levels.get(i), &axis, &places, q)).collect();
        let mut s = Scene {
            seq,
            axis,
            layout,
            places,
            lines,
            badges: Vec::new(),
            texts: Vec::new(),
            bars: Boxes::default(),
            tears: Boxes::default(),
            taken: Boxes::default(),
            arrows: Lines::default(),
            gutters: Vec::new(),
        };
        s.lines.iter().for_each(|l| s.arrows.add(*l));
        s.solids();
        s.badges();
        s
    }

    pub fn y(&self, at: TrueTime) -> f64 {
        self.axis.y(at)
    }

    /// px down to the end of what has one, else to the bottom.
    pub fn y_end(&self, at: Option<TrueTime>) -> f64 {
        at.map_or(self.axis.height(), |t| self.axis.y(t))
    }

    fn solids(&mut self) {
        let half = self.layout.bar / 2.0;
        for b in &self.seq.bars {
            let (x, half) = match b.kind {
                BarKind::Vote => (self.member_x(b.lane, b.node), self.layout.vote().width / 2.0 + 1.0),
                _ => (self.places.x(b.lane), half),
            };
            self.bars.add(Rect::new(x - half, self.y(b.from), x + half, self.y_end(b.to)));
        }
        for p in &self.seq.pauses {
            let x = self.pause_x(p);
            self.bars.add(Rect::new(x - half, self.y(p.from), x + half, self.y_end(p.to)));
        }
        for (a, b) in self.axis.tears() {
            let y = self.axis.middle(*a, *b);
            for x in &self.places.x {
                self.tears.add(Rect::new(x - 5.0, y - 3.2, x + 5.0, y + 3.2));
            }
        }
        for b in &self.seq.ballots {
            for (m, (_, at)) in b.votes.iter().enumerate() {
                let (x, y, r) = (self.places.node(b.lane, m), self.y(*at), self.layout.vote().dot + 1.0);
                self.taken.add(Rect::new(x - r, y - r, x + r, y + r));
            }
        }
        for m in &self.seq.moments {
            if mark(&m.what).is_some() {
                let (x, y) = (self.places.x(self.seq.lanes.lane(m.node)), self.y(m.at));
                self.taken.add(Rect::new(x - 8.5, y - 8.5, x + 8.5, y + 8.5));
            }
        }
        self.gutters = self.seq.clocks.iter().map(|g| self.gutter(g)).collect();
        for g in self.gutters.iter().flatten() {
            self.bars.add(Rect::new(g.x - 5.0, 0.0, g.x + 5.0, self.axis.height()));
            for t in &g.ticks {
                self.taken.add(Rect::new(g.x - 31.0, t.y - 5.0, g.x - 5.0, t.y + 5.0));
            }
        }
    }

    /// A folded group has no room for its members' clocks, and an unfolded one none for their numbers; steps are noted in words.
    fn gutter(&self, g: &super::sequence::Gutter) -> Option<PlacedGutter> {
        if self.seq.lanes.kind(g.lane) == LaneKind::Group {
            let x = self.member_x(g.lane, g.node) - self.layout.vote().step * 0.42;
            return self.layout.unfolded.then_some(PlacedGutter { x, ticks: Vec::new() });
        }
        let x = self.places.x(g.lane);
        let room = if g.lane == 0 { x } else { x - self.places.right_edge(g.lane - 1, &self.layout) };
        if room >= 46.0 {
            return Some(PlacedGutter { x: x - 16.0, ticks: clock::ticks(g, &self.axis) });
        }
        (room >= 20.0 && !g.steps.is_empty()).then_some(PlacedGutter { x: x - 11.0, ticks: Vec::new() })
    }

    /// One thread of two: the hatch stands beside the bar, because the other thread goes on; at the left, where fewer words are.
    pub fn pause_x(&self, p: &Pause) -> f64 {
        self.places.x(p.lane) - if p.thread.is_some() { self.layout.bar + 3.0 } else { 0.0 }
    }

    /// Bars of further locks on one lane stand a little to the right, and beside each other those who hold one at once.
    pub fn bar_x(&self, b: &super::sequence::Bar) -> f64 {
        let bar = self.layout.bar;
        self.places.x(b.lane) + b.lock.index() as f64 * (bar * 0.8) + f64::from(b.place) * (bar + 1.0)
    }

    /// Where a node of a group stands.
    pub fn member_x(&self, lane: usize, node: crate::base::NodeId) -> f64 {
        self.places.node(lane, self.seq.lanes.member(node))
    }

    fn badges(&mut self) {
        let (sp, size) = (self.places.sp, self.layout.badge);
        for (i, a) in self.seq.arrows.iter().enumerate() {
            let Some(token) = a.token else { continue };
            let digits = text::whole(token);
            let wide = if digits.len() > 1 { size.max(text::width_bold(&digits, 10.5) + 5.0) } else { size };
            let l = self.lines[i];
            let (dx, dy) = (l.x1 - l.x0, l.y1 - l.y0);
            let dir = if dx > 0.0 { 1.0 } else { -1.0 };
            let length = dx.abs().max(1.0);
            // Effects carry theirs on the way, grants next to the service.
            let home = self.layout.bar / 2.0 + size / 2.0 + 8.0;
            let first = if a.kind.reply {
                home
            } else if sp > 90.0 {
                0.72 * sp
            } else {
                1.42 * sp
            };
            let tries = [first, 0.72 * sp, 1.42 * sp, 0.4 * sp, 1.1 * sp, 0.5 * length];
            let spot = |off: f64| {
                // Not `clamp`: its panic prints both bounds, and with it all of floating-point printing would come into the page.
                let off = off.min((length - size).max(size)).max(size);
                let (x, y) = (l.x0 + dir * off, l.y0 + dy * off / length);
                (
                    x,
                    y,
                    Rect::new(x - wide / 2.0 - 1.0, y - size / 2.0 - 1.0, x + wide / 2.0 + 1.0, y + size / 2.0 + 1.0),
                )
            };
            let free = tries.into_iter().map(spot).find(|s| self.taken.hits(&s.2, 1.0) == 0);
            if let Some((x, y, rect)) = free {
                self.taken.add(rect);
                self.badges.push(Badge { x, y, width: wide, arrow: i, token });
            }
        }
    }

    /// Places the notes, in their order.
    pub fn notes(&mut self, notes: &[Note]) {
        for n in notes {
            let mut best: Option<(f64, Vec<PlacedText>)> = None;
            for (penalty, spot) in self.spots(n) {
                if best.as_ref().is_some_and(|b| penalty >= b.0) {
                    continue;
                }
                for i in 0..text::parts(&n.text, text::BLOCK) {
                    let Some(texts) = self.set(n, &spot, i) else { continue };
                    let Some(cost) = self.cost(&texts) else { continue };
                    let cost = cost + penalty + i as f64 * 0.5;
                    if best.as_ref().is_none_or(|b| cost < b.0) {
                        best = Some((cost, texts));
                    }
                    // Another way to say it is for want of room, and there was room.
                    break;
                }
            }
            for t in best.map(|b| b.1).unwrap_or_default() {
                self.taken.add(t.rect);
                self.texts.push(t);
            }
        }
    }

    /// Where a note may stand, with what is wrong with each place.
    fn spots(&self, n: &Note) -> Vec<(f64, Spot)> {
        let lane_sides: Vec<(f64, Spot)> = match n.anchor {
            Anchor::Cross(i) => {
                let l = self.lines[i];
                let right = l.x1 > l.x0;
                let y = l.y1 - self.y(self.seq.arrows[i].sent);
                let spot = |right: bool| Spot {
                    x: l.x1 + if right { 9.0 } else { -9.0 },
                    right,
                    room: self.places.sp,
                    dy: y,
                    slot: 0,
                };
                vec![(0.0, spot(right)), (2.0, spot(!right))]
            }
            Anchor::Lane { lane, left, flips } => {
                let (a, b) = match &n.when {
                    When::At(t, _) => (*t, *t),
                    When::In(s) => s.first().copied().unwrap_or_default(),
                };
                let mut sides = vec![(0.0, self.side(lane, !left, a, b))];
                if !left && self.seq.lanes.kind(lane) == LaneKind::Group {
                    // Over the next lifeline rather than not at all; never at the side where the majority is spoken of.
                    let wide = Spot { room: sides[0].1.room + 0.7 * self.places.sp, ..sides[0].1 };
                    return self.shifted(n, vec![sides[0], (3.0, wide)]);
                }
                if flips {
                    sides.push((6.0, self.side(lane, left, a, b)));
                }
                sides
            }
        };
        self.shifted(n, lane_sides)
    }

    /// The same spots a little higher and lower, and in the note's other stretches.
    fn shifted(&self, n: &Note, lane_sides: Vec<(f64, Spot)>) -> Vec<(f64, Spot)> {
        let line = self.layout.line();
        let mut out = Vec::new();
        for (penalty, spot) in lane_sides {
            match &n.when {
                When::At(_, dy) => {
                    for (more, shift) in
                        [(0.0, 0.0), (1.5, 12.0), (1.5, -12.0), (3.0, line + 10.0), (3.0, -line - 10.0)]
                    {
                        out.push((penalty + more, Spot { dy: spot.dy + dy + shift, ..spot }));
                    }
                }
                When::In(stretches) => {
                    for slot in 0..stretches.len() {
                        for (more, shift) in [(0.0, 0.0), (2.0, 9.0), (2.0, -9.0), (3.5, 18.0), (3.5, -18.0)] {
                            out.push((penalty + more + 1.5 * slot as f64, Spot { dy: shift, slot, ..spot }));
                        }
                    }
                }
            }
        }
        out
    }

    /// The room beside a lane at some time.
    fn side(&self, lane: usize, right: bool, from: TrueTime, to: TrueTime) -> Spot {
        let (lanes, x, half) = (&self.seq.lanes, &self.places.x, self.layout.bar / 2.0);
        let shard = lanes.kind(lane) == LaneKind::Shard;
        let off = if shard { 11.0 } else { half + 7.0 };
        if !right {
            let room = if lane == 0 {
                x[0] - off
            } else {
                x[lane] - off - self.places.right_edge(lane - 1, &self.layout) - 4.0
            };
            return Spot { x: x[lane] - off, right, room, dy: 0.0, slot: 0 };
        }
        let edge = self.places.right_edge(lane, &self.layout);
        let start = if lanes.kind(lane) == LaneKind::Group { edge + 7.0 } else { x[lane] + off };
        let room = match x.get(lane + 1) {
            None => self.places.width - start,
            Some(next) => {
                let gap = next - start - 4.0;
                // Over a bare lifeline a note may reach into the next gap.
                let bare =
                    lanes.kind(lane + 1) != LaneKind::Shard && lane + 2 < x.len() && !self.has_bar(lane + 1, from, to);
                if bare { gap + 0.7 * self.places.sp } else { gap }
            }
        };
        Spot { x: start, right, room, dy: 0.0, slot: 0 }
    }

    fn has_bar(&self, lane: usize, from: TrueTime, to: TrueTime) -> bool {
        let meets = |a: TrueTime, b: Option<TrueTime>| a <= to && b.is_none_or(|b| from <= b);
        self.seq.bars.iter().any(|b| b.lane == lane && meets(b.from, b.to))
            || self.seq.pauses.iter().any(|p| p.lane == lane && meets(p.from, p.to))
    }

    /// Sets one of a note’s blocks of lines at a spot; `None` if a line fits in none of its forms.
    fn set(&self, n: &Note, spot: &Spot, block: usize) -> Option<Vec<PlacedText>> {
        let fs = self.layout.font;
        let block = text::part(&n.text, text::BLOCK, block)?;
        let mut lines: Vec<&str> = Vec::new();
        for i in 0..text::parts(block, text::LINE) {
            let line = text::fit(text::part(block, text::LINE, i)?, spot.room, fs, n.tone.bold())?;
            if !line.is_empty() {
                lines.push(line);
            }
        }
        let step = self.layout.line();
        let first = match &n.when {
            When::At(t, _) => self.y(*t) + spot.dy,
            When::In(s) => {
                let (a, b) = *s.get(spot.slot)?;
                self.axis.middle(a, b) + fs * 0.36 - (lines.len().max(1) - 1) as f64 * step / 2.0 + spot.dy
            }
        };
        let place = |(i, s): (usize, &&str)| {
            let w = if n.tone.bold() { text::width_bold(s, fs) } else { text::width(s, fs) };
            let base = first + i as f64 * step;
            let rect = Rect::text(if spot.right { spot.x } else { spot.x - w }, w, base, fs);
            PlacedText { x: spot.x, base, end: !spot.right, tone: n.tone, rect, text: s.to_string() }
        };
        Some(lines.iter().enumerate().map(place).collect())
    }

    /// What a place costs; `None` where other text, a badge or a mark stands, or outside.
    fn cost(&self, texts: &[PlacedText]) -> Option<f64> {
        let mut sum = 0.0;
        for t in texts {
            let r = &t.rect;
            // Words of neighbours that touch read as one sentence.
            let apart = Rect::new(r.x0 - 4.0, r.y0, r.x1 + 4.0, r.y1);
            if self.taken.hits(&apart, 1.0) > 0
                || r.x0 < 0.0
                || r.x1 > self.places.width
                || r.y0 < -4.0
                || r.y1 > self.axis.height() + 4.0
            {
                return None;
            }
            // A halo keeps words readable over a tear; a bar is somebody's lease.
            sum += 4.0 * self.arrows.crossing(r) as f64
                + 6.0 * self.bars.hits(r, 0.0) as f64
                + 0.5 * self.tears.hits(r, 0.0) as f64;
        }
        Some(sum)
    }
}

/// A place for a note. px.
#[derive(Clone, Copy, Debug)]
struct Spot {
    x: f64,
    /// The text runs to the right of `x`.
    right: bool,
    room: f64,
    /// Below the instant or the middle of the stretch.
    dy: f64,
    /// Which of the note's stretches.
    slot: usize,
}

/// From lane to lane, or to where it is lost.
fn line(a: &Arrow, level: Option<&(f64, f64)>, axis: &Axis, places: &Places, q: Span) -> Segment {
    let (x0, x1) = (places.x(a.from), places.x(a.to));
    let (y0, y1) = level.copied().unwrap_or_else(|| (axis.y(a.sent), axis.y(a.lands(q))));
    let part = match a.fate {
        ArrowFate::Lost(crate::trace::LostWhy::Down) => 1.0,
        ArrowFate::Lost(_) | ArrowFate::UnderWay => LOST_AT,
        _ => 1.0,
    };
    Segment { x0, y0, x1: x0 + (x1 - x0) * part, y1: y0 + (y1 - y0) * part }
}

/// The disc that stands for an outcome at a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Accepted though it should not have been.
    Bad,
    /// Turned back, rightly.
    Good,
    /// Turned back although it had the right.
    Quiet,
}

pub fn mark(what: &What) -> Option<Mark> {
    match what {
        What::Writes(w) if w.wrong.is_some() => Some(Mark::Bad),
        What::Called { again: true, .. } => Some(Mark::Bad),
        What::Rejected { rightful: true, .. } => Some(Mark::Quiet),
        What::Rejected { .. } => Some(Mark::Good),
        _ => None,
    }
}
