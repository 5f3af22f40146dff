//! Where a picture can be taken hold of: what of it has an instant that a story decides.
//!
//! The view knows only what was drawn: whose pause ends here, which message arrives there. What moving it writes into a scenario is for
//! whoever knows the scenario. A grip's id says what it is and which of its kind, not which event, so that it stays the same one while
//! everything around it moves.

use super::placing::Scene;
use super::sequence::{ArrowFate, BarEnd, BarKind, What};
use crate::base::text::number;
use crate::base::{NodeId, TrueTime};
use crate::trace::{EventKind, EventSeq, Fate, TraceLog};

/// More messages than this, and their arrivals are no grips: the menu of each says the same in words.
const MOST_ARRIVALS: usize = 200;

/// What one takes hold of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// A pause begins, and ends.
    Pause,
    Wake,
    /// A message arrives.
    Arrival,
    /// A lease runs out.
    Lease,
    /// A worker begins.
    Start,
    /// A node goes out of service, and comes back.
    Crash,
    Restart,
    /// A clock jumps.
    Step,
    /// A link is cut, and works again.
    Cut,
    Heal,
}

impl Hold {
    /// One letter, for ids and classes.
    pub const fn letter(self) -> &'static str {
        match self {
            Hold::Pause => "p",
            Hold::Wake => "w",
            Hold::Arrival => "a",
            Hold::Lease => "l",
            Hold::Start => "s",
            Hold::Crash => "c",
            Hold::Restart => "r",
            Hold::Step => "j",
            Hold::Cut => "x",
            Hold::Heal => "h",
        }
    }
}

/// A place of a picture that can be moved in time.
#[derive(Clone, PartialEq, Debug)]
pub struct Grip {
    pub hold: Hold,
    /// Unique in its column, and the same in the run after an edit.
    pub id: String,
    /// The event that it is about: of a stretch its beginning, of a message its sending, of a lease its grant.
    pub seq: EventSeq,
    pub node: NodeId,
    /// Where the stretch begins, and where this is.
    pub from: TrueTime,
    pub at: TrueTime,
    /// px
    pub x: f64,
    pub y: f64,
}

/// The grips of a column, in the order of time.
pub fn grips(s: &Scene, log: &TraceLog) -> Vec<Grip> {
    let mut all = Grips { s, list: Vec::new() };
    for p in &s.seq.pauses {
        let x = s.pause_x(p);
        all.add(Hold::Pause, p.seq, p.node, (p.from, p.from), x);
        if let Some(to) = p.to {
            all.add(Hold::Wake, p.seq, p.node, (p.from, to), x);
        }
    }
    for d in &s.seq.downs {
        let x = if s.seq.lanes.in_group(d.node) { s.member_x(d.lane, d.node) } else { s.places.x(d.lane) };
        all.add(Hold::Crash, d.seq, d.node, (d.from, d.from), x);
        if let Some(to) = d.to {
            all.add(Hold::Restart, d.seq, d.node, (d.from, to), x);
        }
    }
    for c in &s.seq.cuts {
        let x = (s.places.x(c.a) + s.places.x(c.b)) / 2.0;
        let node = log.get(c.seq).map_or(NodeId(0), |e| e.node);
        all.add(Hold::Cut, c.seq, node, (c.from, c.from), x);
        if let Some(to) = c.to {
            all.add(Hold::Heal, c.seq, node, (c.from, to), x);
        }
    }
    for b in &s.seq.bars {
        if b.kind == BarKind::Lease
            && b.end == BarEnd::Expired
            && let Some(to) = b.to
        {
            all.add(Hold::Lease, b.seq, b.worker, (b.from, to), s.bar_x(b));
        }
    }
    for m in &s.seq.moments {
        if matches!(m.what, What::ClockStep(_)) {
            all.add(Hold::Step, m.seq, m.node, (m.at, m.at), s.places.x(s.seq.lanes.lane(m.node)));
        }
    }
    // The first thing that somebody does.
    let mut begun: Vec<NodeId> = Vec::new();
    for e in log.events() {
        if matches!(e.kind, EventKind::Did(_)) && s.seq.lanes.is_worker(e.node) && !begun.contains(&e.node) {
            begun.push(e.node);
            all.add(Hold::Start, e.seq, e.node, (TrueTime::ZERO, e.at), s.places.x(s.seq.lanes.lane(e.node)));
            if begun.len() == s.seq.lanes.len() {
                break;
            }
        }
    }
    if s.seq.arrows.len() <= MOST_ARRIVALS {
        for (a, line) in s.seq.arrows.iter().zip(&s.lines) {
            let Some(at) = a.arrived.filter(|_| !matches!(a.fate, ArrowFate::Lost(_))) else { continue };
            let Some((node, what)) = log.get(a.seq).and_then(|e| match &e.kind {
                EventKind::Sent { to, what, fate, .. } => Some((e.node, (*to, what, *fate))),
                _ => None,
            }) else {
                continue;
            };
            let (to, message, fate) = what;
            let copy = if matches!(fate, Fate::Copy { .. }) { "c" } else { "" };
            let n = |n: usize| number(n);
            let id = [
                Hold::Arrival.letter(),
                &n(message.kind.index()),
                ".",
                &n(node.index()),
                ".",
                &n(to.index()),
                ".",
                &n(message.nth as usize),
                copy,
            ]
            .concat();
            let x = line.x1 + if line.x1 > line.x0 { -7.0 } else { 7.0 };
            all.put(Grip { hold: Hold::Arrival, id, seq: a.seq, node, from: a.sent, at, x, y: s.y(at) });
        }
    }
    let mut list = all.list;
    super::order::by_key(&mut list, |g| (g.at.as_us(), 0));
    list
}

struct Grips<'a> {
    s: &'a Scene,
    list: Vec<Grip>,
}

impl Grips<'_> {
    /// The next of its kind on its node.
    fn add(&mut self, hold: Hold, seq: EventSeq, node: NodeId, (from, at): (TrueTime, TrueTime), x: f64) {
        let before = self.list.iter().filter(|g| g.hold == hold && g.node == node).count();
        let id = [hold.letter(), &number(node.index()), ".", &number(before)].concat();
        self.put(Grip { hold, id, seq, node, from, at, x, y: self.s.y(at) });
    }

    fn put(&mut self, grip: Grip) {
        // Two that are the same to a story are one: the first.
        if !self.list.iter().any(|g| g.id == grip.id) {
            self.list.push(grip);
        }
    }
}
