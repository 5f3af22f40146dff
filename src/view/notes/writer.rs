//! Which notes a run gets: one look at every bar, zone, fold, pause, moment, cut link, lost message and vote.

use super::{Anchor, Note, Tone, When};
use crate::base::fact::StopWhy;
use crate::base::{AcqId, NodeId, Thread, TrueTime};
use crate::trace::LostWhy;
use crate::view::axis::Knots;
use crate::view::lanes::LaneKind;
use crate::view::layout::{Layout, Words};
use crate::view::order;
use crate::view::sequence::{Answer, ArrowFate, BarEnd, BarKind, Moment, Sequence, What};
use crate::view::text::{FORM, LINE, forms, said, whole};
use crate::view::words;

/// How a moment with plain words is noted.
struct Plain {
    left: bool,
    dy: f64,
    tone: Tone,
    rank: u8,
    key: bool,
}

fn plain(what: &What) -> Option<Plain> {
    let note = |tone, rank, key| Some(Plain { left: RIGHT, dy: 4.0, tone, rank, key });
    match what {
        What::Called { again: true, .. } => {
            Some(Plain { left: RIGHT, dy: 16.0, tone: Tone::BadBold, rank: 0, key: true })
        }
        What::Issued { again: true, .. } => note(Tone::BadBold, 0, true),
        What::Issued { worker, .. } => note(Tone::Of(*worker), 2, true),
        What::Called { worker, .. } => note(Tone::Of(*worker), 0, true),
        What::Replayed { .. } => Some(Plain { left: RIGHT, dy: 16.0, tone: Tone::Good, rank: 0, key: true }),
        What::Activated { worker, .. } => {
            Some(Plain { left: RIGHT, dy: -3.0, tone: Tone::Of(*worker), rank: 2, key: false })
        }
        What::Wakes { thread } => {
            let left = *thread != Some(Thread::Renewer);
            Some(Plain { left, dy: 4.0, tone: Tone::Ink, rank: 3, key: false })
        }
        What::Unqueued => note(Tone::Ink, 2, true),
        What::Crashes { .. }
        | What::Disconnects
        | What::Restarts { .. }
        | What::Leads
        | What::ClockStep(_)
        | What::ClockRate(_) => note(Tone::Ink, 1, true),
        What::CounterLost { .. } | What::ExtendsForeign { .. } | What::MarkFell { .. } => note(Tone::BadBold, 1, true),
        What::StillWaits => note(Tone::Ink, 2, true),
        What::Touch { .. } => note(Tone::Ink, 1, true),
        What::FirstRead { .. } | What::CheckPassed { .. } | What::RolledBack { .. } => note(Tone::Ink2, 2, false),
        What::ChecksInTime { .. } => note(Tone::Ink2, 4, false),
        What::TimedOut { .. } | What::Ignored { .. } => note(Tone::Ink3, 5, false),
        _ => None,
    }
}

pub(super) struct Writer<'a> {
    seq: &'a Sequence,
    knots: &'a Knots,
    layout: &'a Layout,
    out: Vec<Note>,
}

const RIGHT: bool = false;
const LEFT: bool = true;

impl<'a> Writer<'a> {
    /// Everything there is to say, in no order of importance.
    pub(super) fn write(seq: &'a Sequence, knots: &'a Knots, layout: &'a Layout) -> Vec<Note> {
        let mut w = Writer { seq, knots, layout, out: Vec::new() };
        w.bars();
        w.zones();
        w.folds();
        w.pauses();
        w.moments();
        w.rest();
        w.out
    }

    /// `weight`: rank and whether it carries the story.
    fn add(&mut self, (lane, left): (usize, bool), when: When, text: String, tone: Tone, (rank, key): (u8, bool)) {
        // What carries the story stands on the other side rather than nowhere.
        let flips = key;
        let anchor = Anchor::Lane { lane, left, flips };
        // What happens twice at one place and instant is said once: leases that end together.
        if self.out.iter().rev().take(8).any(|n| n.anchor == anchor && n.when == when && n.text == text) {
            return;
        }
        self.out.push(Note { anchor, when, text, tone, key, rank });
    }

    /// Squeezed gaps within a stretch, outside `avoid`.
    fn gaps(&self, from: TrueTime, to: TrueTime, avoid: &[(TrueTime, TrueTime)]) -> Vec<(TrueTime, TrueTime)> {
        let free = |g: &(TrueTime, TrueTime, bool)| !g.2 && !avoid.iter().any(|a| a.0 <= g.0 && g.1 <= a.1);
        self.knots.gaps_within(from, to).filter(free).map(|g| (g.0, g.1)).collect()
    }

    fn bars(&mut self) {
        let mut told = Vec::new();
        let end = self.seq.end;
        let zones: Vec<(TrueTime, TrueTime)> = self.seq.zones.iter().map(|z| (z.from, z.to)).collect();
        for b in &self.seq.bars {
            let name = self.seq.lanes.name(b.worker);
            let to = b.to.unwrap_or(end);
            match b.kind {
                BarKind::Lease if self.seq.lanes.kind(b.lane) == LaneKind::Lock => {
                    // The length is told once; every further lease of that length only says whose it is.
                    let tell = !told.contains(&b.ttl);
                    let gaps: Vec<_> = self.gaps(b.from, to, &[]).into_iter().take(3).collect();
                    if !gaps.is_empty() {
                        told.extend(tell.then_some(b.ttl));
                        self.add(
                            (b.lane, RIGHT),
                            When::In(gaps),
                            words::lease(name, b.ttl, tell),
                            Tone::Of(b.worker),
                            (3, true),
                        );
                    }
                }
                BarKind::Belief => {
                    let sound = b.stale.map_or(to, |s| s.0);
                    let gaps: Vec<_> = self.gaps(b.from, sound, &zones).into_iter().take(2).collect();
                    if !gaps.is_empty() {
                        self.add((b.lane, RIGHT), When::In(gaps), words::holds(name), Tone::Of(b.worker), (4, false));
                    }
                    if let Some((since, how)) = b.stale {
                        let mut gaps = self.gaps(since, to, &zones);
                        gaps.reverse();
                        gaps.truncate(1);
                        if let Some(gap) = gaps.first() {
                            let lines = words::stale(how, gap.1.since(since));
                            self.add((b.lane, RIGHT), When::In(gaps), lines, Tone::Bad, (3, false));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn zones(&mut self) {
        for z in &self.seq.zones {
            // The length has room where lanes are far apart; it is information, and it stands in the table as well.
            let told = self.layout.words == Words::All && self.layout.sp >= 90.0;
            let gaps = self.gaps(z.from, z.to, &[]);
            let mut when = vec![(z.from, z.to)];
            if let Some(g) = gaps.first() {
                when.insert(0, *g);
            }
            self.out.push(Note {
                anchor: Anchor::Lane { lane: z.first, left: RIGHT, flips: true },
                when: When::In(when),
                text: words::zone(z.believers, z.to.since(z.from), told),
                tone: Tone::BadBold,
                key: true,
                rank: 1,
            });
        }
    }

    fn folds(&mut self) {
        for f in &self.seq.folds {
            let mut gaps = self.gaps(f.from, f.to, &[]);
            order::by_key(&mut gaps, |g| (g.0.since(g.1).as_us(), 0));
            gaps.truncate(2);
            if gaps.is_empty() {
                gaps.push((f.from, f.to));
            }
            // That nobody answered stands beside it already, where the last try gives up.
            let gives_up = |m: &Moment| matches!(m.what, What::TimedOut { .. }) && m.node == f.worker;
            let told = self.seq.moments.iter().any(|m| gives_up(m) && f.from <= m.at && m.at <= f.to);
            let outcome = if told { "" } else { f.outcome };
            self.add((f.lane, RIGHT), When::In(gaps), words::more(f.topic, f.n, outcome), Tone::Ink3, (2, true));
        }
    }

    fn pauses(&mut self) {
        for p in &self.seq.pauses {
            let to = p.to.unwrap_or(self.seq.end);
            // Where the pause begins, because that is where the eye is.
            let next = self.knots.instants().iter().copied().find(|t| *t > p.from).unwrap_or(to);
            let lines = words::pause(p.thread, p.to.map(|t| t.since(p.from)));
            self.add((p.lane, LEFT), When::In(vec![(p.from, next.min(to))]), lines, Tone::Ink, (1, true));
        }
    }

    fn moments(&mut self) {
        for m in &self.seq.moments {
            let lane = self.seq.lanes.lane(m.node);
            let grouped = self.seq.lanes.in_group(m.node);
            let name = self.seq.lanes.name(m.node);
            let at = |dy| When::At(m.at, dy);
            match &m.what {
                What::LeaseEnds { worker, end, .. } => {
                    let n = self.seq.lanes.lanes[lane].nodes.len();
                    let Some(line) = words::lease_end(*end, self.seq, *worker, n) else { continue };
                    let (left, tone) = match end {
                        BarEnd::MajorityLost => (LEFT, Tone::BadBold),
                        BarEnd::Taken(_) => (grouped, Tone::BadBold),
                        _ => (grouped, Tone::Ink),
                    };
                    self.add((lane, left), at(4.0), line, tone, (1, true));
                }
                What::Writes(w) => match w.wrong {
                    Some(wrong) => {
                        self.add((lane, RIGHT), at(16.0), words::wrong(wrong, self.seq), Tone::BadBold, (0, true))
                    }
                    None => {
                        let lines = words::value(w, self.seq.lanes.name(w.worker));
                        let dy = if w.mark.is_some() { -3.0 } else { 4.0 };
                        self.add((lane, RIGHT), at(dy), lines, Tone::Of(w.worker), (2, true));
                    }
                },
                What::Rejected { why, rightful, kept, .. } => {
                    let tone = if *rightful { Tone::Ink } else { Tone::Good };
                    self.add((lane, RIGHT), at(16.0), words::refused(*why, *kept, self.seq), tone, (0, true));
                }
                What::Stops { why } => {
                    if let Some(line) = words::stops(*why) {
                        let held = matches!(why, StopWhy::Deadline | StopWhy::LostLease);
                        self.add((lane, RIGHT), at(4.0), line, if held { Tone::Good } else { Tone::Ink }, (1, true));
                    }
                }
                // Worth a word only where it was not enough: the same grant's write came too late all the same.
                What::ChecksInTime { acq } if !self.came_too_late(*acq) => {}
                // What the step did to the node's keys is said at this place.
                What::ClockStep(_) if grouped && self.forgets_at(m.node, m.at) => {}
                what => {
                    let Some(p) = plain(what) else { continue };
                    let mut lines = words::plain(what, self.seq).unwrap_or_default();
                    if grouped {
                        // A node of a group is named: the lane is not its own.
                        let mut named = said("{a} ", &[name]);
                        for c in lines.chars() {
                            named.push(c);
                            if c == FORM || c == LINE {
                                named.push_str(name);
                                named.push(' ');
                            }
                        }
                        lines = named;
                    }
                    self.add((lane, p.left), at(p.dy), lines, p.tone, (p.rank, p.key));
                }
            }
        }
    }

    fn came_too_late(&self, acq: AcqId) -> bool {
        let late = |x: &What| matches!(x, What::Writes(w) if w.acq == Some(acq) && w.wrong.is_some());
        self.seq.moments.iter().any(|m| late(&m.what))
    }

    /// A node of a group loses a key at this instant and that is noted.
    fn forgets_at(&self, node: NodeId, at: TrueTime) -> bool {
        self.seq.moments.iter().any(|m| {
            m.node == node && m.at == at && matches!(m.what, What::LeaseEnds { end: BarEnd::MajorityLost, .. })
        })
    }

    fn rest(&mut self) {
        for w in &self.seq.stalls {
            let told = self.seq.moments.iter().any(|m| m.at == w.from && matches!(m.what, What::CheckPassed { .. }));
            if !told && !self.gaps(w.from, w.to, &[]).is_empty() {
                let line = words::stall(w.to.since(w.from));
                self.add((w.lane, RIGHT), When::At(w.from, 4.0), line, Tone::Ink2, (2, false));
            }
        }
        for c in &self.seq.cuts {
            let mut when: Vec<_> = self.gaps(c.from, c.to.unwrap_or(self.seq.end), &[]).into_iter().take(3).collect();
            when.push((c.from, c.to.unwrap_or(self.seq.end)));
            self.add((c.a, RIGHT), When::In(when), words::cut(c.from, c.to), Tone::Ink, (2, true));
        }
        for (i, a) in self.seq.arrows.iter().enumerate() {
            if let ArrowFate::Lost(why) = a.fate {
                let word = if why == LostWhy::Down { "not there" } else { "lost" };
                let when = When::At(a.sent, 4.0);
                self.out.push(Note {
                    anchor: Anchor::Cross(i),
                    when,
                    text: word.to_string(),
                    tone: Tone::BadBold,
                    key: false,
                    rank: 4,
                });
            }
        }
        self.groups();
    }

    /// About single nodes of a group: who forgot, who voted twice, who was silent.
    fn groups(&mut self) {
        for b in self.seq.bars.iter().filter(|b| b.kind == BarKind::Vote) {
            // Said only where it cost the majority; the others' stripes show it without a word.
            let lost = |x: &What| matches!(x, What::LeaseEnds { acq, end: BarEnd::MajorityLost, .. } if *acq == b.acq);
            if let Some(to) = b.to
                && matches!(b.end, BarEnd::Expired | BarEnd::Forgotten | BarEnd::Closed)
                && self.seq.moments.iter().any(|m| m.at == to && m.node == b.node && lost(&m.what))
            {
                let name = self.seq.lanes.name(b.node);
                let line = forms("{a} forgets|forgets", &[name]);
                self.add((b.lane, RIGHT), When::At(to, 4.0), line, Tone::Ink, (2, false));
            }
        }
        for b in &self.seq.ballots {
            for m in &b.again {
                let name = self.seq.lanes.name(self.seq.lanes.lanes[b.lane].nodes[*m]);
                let line = forms("{a} votes again|{a}’s 2nd vote|2nd vote", &[name]);
                self.add((b.lane, RIGHT), When::At(b.votes[*m].1, 4.0), line, Tone::BadBold, (1, true));
            }
            let (mut silent, mut n) = (String::new(), 0);
            let mut reached = TrueTime::ZERO;
            for (i, (answer, at)) in b.votes.iter().enumerate() {
                reached = reached.max(*at);
                if *answer == Answer::Silent {
                    if n > 0 {
                        silent.push_str(", ");
                    }
                    silent.push_str(self.seq.lanes.name(self.seq.lanes.lanes[b.lane].nodes[i]));
                    n += 1;
                }
            }
            if n == 0 || b.quiet {
                continue;
            }
            // Until the worker does something it waits for them.
            let mut next = TrueTime::NEVER;
            for a in &self.seq.arrows {
                if a.worker == Some(b.worker) && !a.kind.reply && a.sent > reached {
                    next = next.min(a.sent);
                }
            }
            for r in &self.seq.bars {
                if r.kind == BarKind::Belief && r.worker == b.worker && r.from > reached {
                    next = next.min(r.from);
                }
            }
            if next == TrueTime::NEVER {
                next = self.seq.end;
            }
            if let Some(gap) = self.gaps(reached, next, &[]).first() {
                let line = forms("{a} silent|{b} silent", &[&silent, &whole(n)]);
                let lane = self.seq.lanes.lane(b.worker);
                self.add((lane, RIGHT), When::In(vec![(gap.0, gap.1)]), line, Tone::Ink3, (5, false));
            }
        }
    }
}
