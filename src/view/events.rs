//! The list of events beside the picture: the same log as text, with folded retries in one line.
//!
//! The wording is behind [`line`], one event in, one sentence out, so that it can be exchanged as a whole.

use super::EventLine;
use super::Shown;
use super::lanes::{LaneKind, Lanes};
use super::read::Flight;
use super::sequence::{Fold, Sequence, What, Wrong};
use super::text::{self, NBSP};
use super::words;
use crate::base::fact::StopWhy;
use crate::base::flat::FlatMap;
use crate::base::message::{Reject, Topic};
use crate::base::{AcqId, Fact, LockId, NodeId, Thread, TrueTime};
use crate::trace::{EventKind, EventSeq, Fate, LostWhy, TraceEvent};

/// By event: the number of its line, from 1; 0 for events without one.
pub fn numbers(s: &Shown, seq: &Sequence) -> Vec<u32> {
    let mut out = vec![0; s.log.len()];
    for l in entries(s, seq) {
        for q in l.events() {
            out[q.0 as usize] = l.n;
        }
    }
    out
}

/// One line of the list before it is worded.
struct Entry<'a> {
    n: u32,
    at: TrueTime,
    seq: EventSeq,
    what: Source<'a>,
    /// The same at other nodes of a group.
    also: Vec<&'a TraceEvent>,
}

enum Source<'a> {
    Event(&'a TraceEvent),
    Fold(&'a Fold),
}

impl Entry<'_> {
    fn events(&self) -> impl Iterator<Item = EventSeq> + '_ {
        std::iter::once(self.seq).chain(self.also.iter().map(|e| e.seq))
    }
}

fn entries<'a>(s: &Shown<'a>, seq: &'a Sequence) -> Vec<Entry<'a>> {
    let folds: FlatMap<EventSeq, &Fold> = seq.folds.iter().map(|f| (f.seq, f)).collect();
    let mut out: Vec<Entry> = Vec::new();
    for e in s.log.events() {
        let hidden = seq.hidden.get(e.seq.0 as usize).copied().unwrap_or(false);
        let what = match folds.get(&e.seq) {
            Some(f) => Source::Fold(f),
            None if hidden || !is_listed(&e.kind) => continue,
            None => Source::Event(e),
        };
        // What a group's nodes do alike at one instant is one line.
        if matches!(what, Source::Event(_)) {
            let twin = |o: &&mut Entry| matches!(o.what, Source::Event(first) if alike(first, e, &seq.lanes));
            if let Some(o) = out.iter_mut().rev().take_while(|o| o.at == e.at).find(twin) {
                o.also.push(e);
                continue;
            }
        }
        out.push(Entry { n: out.len() as u32 + 1, at: e.at, seq: e.seq, what, also: Vec::new() });
    }
    out
}

/// Two events at one instant differ only in which node of a group they are about.
fn alike(a: &TraceEvent, b: &TraceEvent, lanes: &Lanes) -> bool {
    let one_group = |x: NodeId, y: NodeId| x != y && lanes.in_group(x) && lanes.lane(x) == lanes.lane(y);
    match (a.kind, b.kind) {
        (EventKind::Sent { to: x, what: m, fate: f, .. }, EventKind::Sent { to: y, what: n, fate: g, .. }) => {
            let same = m.kind == n.kind
                && m.call == n.call
                && f == g
                && std::mem::discriminant(&m.payload) == std::mem::discriminant(&n.payload);
            same && ((a.node == b.node && one_group(x, y)) || (x == y && one_group(a.node, b.node)))
        }
        (EventKind::Did(x), EventKind::Did(y)) if one_group(a.node, b.node) => match (x, y) {
            (Fact::Granted(g), Fact::Granted(h)) => (g.lock, g.acq, g.until) == (h.lock, h.acq, h.until),
            (Fact::Released { .. }, Fact::Released { .. }) | (Fact::Expired { .. }, Fact::Expired { .. }) => x == y,
            (Fact::Forgotten { .. }, Fact::Forgotten { .. }) => x == y,
            _ => false,
        },
        _ => false,
    }
}

/// Arrivals and inner progress are not listed: the picture shows the one, and nobody outside sees the other.
fn is_listed(kind: &EventKind) -> bool {
    match kind {
        EventKind::Arrived { .. } => false,
        EventKind::Lost { why, .. } => *why == LostWhy::Down,
        EventKind::Did(fact) => !matches!(
            fact,
            Fact::Passed { .. }
                | Fact::Believed { .. }
                | Fact::Reckoned { .. }
                | Fact::BeliefEnded { .. }
                | Fact::Checked { valid: true, .. }
                | Fact::Refused { .. }
                | Fact::NotExtended { .. }
                | Fact::NotHeld { .. }
                | Fact::TryFailed { .. }
                | Fact::ReadServed { .. }
                | Fact::MarkMoved { .. }
                | Fact::CheckPassed { .. }
                | Fact::Finished
        ),
        _ => true,
    }
}

/// The list of a run.
pub fn events(s: &Shown, seq: &Sequence) -> Vec<EventLine> {
    let mut grants = FlatMap::new();
    let wrong: FlatMap<EventSeq, Wrong> = seq
        .moments
        .iter()
        .filter_map(|m| match &m.what {
            What::Writes(w) => w.wrong.map(|x| (m.seq, x)),
            _ => None,
        })
        .collect();
    let last_witness = |seq: EventSeq| {
        let broken = s.report.verdicts.iter().filter_map(|(p, v)| v.violation().map(|v| (p, v)));
        broken
            .filter(|(p, _)| crate::check::report::Property::JUDGED.contains(p))
            .any(|(_, v)| v.witnesses.last() == Some(&seq))
    };
    let mut out = Vec::new();
    for e in entries(s, seq) {
        let text = match e.what {
            Source::Fold(f) => folded(f, &seq.lanes),
            Source::Event(event) => {
                if let EventKind::Did(Fact::Granted(g)) = event.kind {
                    let next = grants.len() + 1;
                    grants.entry((g.lock, g.acq)).or_insert((next, g.worker));
                }
                line(event, &e.also, &seq.lanes, &grants, wrong.get(&e.seq).copied())
            }
        };
        let hot = wrong.contains_key(&e.seq) || last_witness(e.seq);
        out.push(EventLine { n: e.n, at: e.at, text, hot, seq: e.seq });
    }
    out
}

fn folded(f: &Fold, lanes: &Lanes) -> String {
    let who = lanes.name(f.worker);
    match f.topic {
        Topic::Renew => format!(
            "{who} renews {}, {}",
            text::count(f.n, "more time", "more times"),
            f.outcome.replace("granted", "extended")
        ),
        _ => format!("{who} tries {}, {}", text::count(f.n, "more time", "more times"), f.outcome),
    }
}

/// Number and worker of each grant so far.
type Grants = FlatMap<(LockId, AcqId), (usize, NodeId)>;

/// One event in words.
fn line(e: &TraceEvent, also: &[&TraceEvent], lanes: &Lanes, grants: &Grants, wrong: Option<Wrong>) -> String {
    let all = |nodes: Vec<NodeId>| {
        let mut names: Vec<String> = Vec::new();
        for n in nodes {
            let name = called(n, lanes);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    };
    let here = all(std::iter::once(e.node).chain(also.iter().map(|o| o.node)).collect());
    let several = also.iter().any(|o| o.node != e.node);
    match e.kind {
        EventKind::Sent { msg, to, what, fate } => {
            let flight = Flight::alone(e, msg, to, what, fate);
            let said = words::message(&flight).plain.swap_remove(0);
            let fate = match fate {
                Fate::Plain => "",
                Fate::Delayed => ", delayed",
                Fate::Copy { .. } => ", copy",
                Fate::Lost => ", lost",
            };
            let others =
                also.iter().filter_map(|o| if let EventKind::Sent { to, .. } = o.kind { Some(to) } else { None });
            format!("{here} → {}  {said}{fate}", all(std::iter::once(to).chain(others).collect()))
        }
        EventKind::Arrived { from, .. } => format!("{here}: a message from {} arrives", called(from, lanes)),
        EventKind::Lost { from, kind, .. } => {
            format!("{here} is down: {} from {} is lost", kind.topic.word(), called(from, lanes))
        }
        EventKind::Paused { thread: None } => format!("{here} pauses"),
        EventKind::Paused { thread: Some(Thread::Main) } => format!("{here}’s main thread pauses"),
        EventKind::Paused { thread: Some(Thread::Renewer) } => format!("{here}’s renewals pause"),
        EventKind::Resumed { .. } => format!("{here} resumes"),
        EventKind::Crashed { thread: None } => format!("{here} crashes"),
        EventKind::Crashed { thread: Some(_) } => format!("{here}: one of its threads ends"),
        EventKind::Restarted => format!("{here} restarts"),
        EventKind::ClockStepped { by } => format!("{here}: its {}", words::clock_step(by).swap_remove(0)),
        EventKind::ClockRateSet { ppm } => format!("{here}: its {}", words::clock_rate(ppm).swap_remove(0)),
        EventKind::CutFrom { peer } => format!("{here} is cut off from {}", called(peer, lanes)),
        EventKind::Healed { peer } => format!("{here} reaches {} again", called(peer, lanes)),
        EventKind::Did(fact) => did(&fact, e, (&here, several), lanes, grants, wrong),
    }
}

fn did(
    fact: &Fact,
    e: &TraceEvent,
    (here, several): (&str, bool),
    lanes: &Lanes,
    grants: &Grants,
    wrong: Option<Wrong>,
) -> String {
    let name = |n: NodeId| lanes.name(n);
    match *fact {
        Fact::Granted(g) => {
            let number = grants.get(&(g.lock, g.acq)).map_or(0, |x| x.0);
            let until = match g.until {
                None => ", without an end".to_string(),
                // The end is the service's own reading; where its clock is right that is also the instant.
                Some(u) if e.local.as_us() == e.at.as_us() => format!(", until {u}"),
                Some(u) => format!(", until {u} by its clock"),
            };
            format!("{here} grant{} {}, grant{NBSP}{number}{until}", if several { "" } else { "s" }, name(g.worker))
        }
        Fact::Extended { worker, until, .. } => {
            format!(
                "{here} extends {}’s lease{}",
                name(worker),
                until.map_or(String::new(), |u| format!(", until {u}"))
            )
        }
        Fact::Released { lock, acq, by } if by == Some(acq) => match grants.get(&(lock, acq)) {
            Some((_, w)) => format!("{here}: {} releases", name(*w)),
            None => format!("{here}: a record is released"),
        },
        Fact::Released { lock, acq, .. } => {
            format!("{here}: {} is released by another’s request", whose(grants, lock, acq, lanes))
        }
        Fact::Expired { lock, acq } => format!("{here}: {} runs out", whose(grants, lock, acq, lanes)),
        Fact::Forgotten { lock, acq } => {
            format!("{here} forget{} {}", if several { "" } else { "s" }, whose(grants, lock, acq, lanes))
        }
        Fact::CounterLost { from, to, .. } => format!("{here}: the counter falls from {from} to {to}"),
        Fact::Checked { valid: false, .. } => format!("{here} finds its deadline passed"),
        Fact::TimedOut { topic } => format!("{here}: no answer to its {}", topic.word()),
        Fact::Ignored { topic } => format!("{here} ignores a late answer to its {}", topic.word()),
        Fact::Stopped { why } => format!("{here} stops{}", stopped(why)),
        Fact::Applied(x) => {
            let base = x.base.map_or(String::new(), |b| format!(", read {b}"));
            let ill = match wrong {
                Some(Wrong::Lost(v)) => format!("; {}’s update lost", name(v)),
                Some(Wrong::Again) => "; done a second time".to_string(),
                Some(Wrong::After(v)) => format!("; after {}’s", name(v)),
                Some(Wrong::NotOwner(v)) => format!("; {} has the lock", name(v)),
                None => String::new(),
            };
            format!("{here}: {} writes {}{base}{ill}", name(x.worker), x.after)
        }
        Fact::Rejected { worker, why, .. } => format!("{here} refuses {}: {}", name(worker), reason(why)),
        Fact::ActivationRejected { worker, why, .. } => {
            format!("{here} refuses {}’s activation: {}", name(worker), reason(why))
        }
        Fact::ReadRejected { worker, why, .. } => format!("{here} refuses {}’s read: {}", name(worker), reason(why)),
        Fact::Replayed { worker, .. } => format!("{here} gives {} its first answer again", name(worker)),
        Fact::Activated { worker, token, .. } => {
            format!(
                "{here} is activated for {}{}",
                name(worker),
                token.map_or(String::new(), |t| format!(", token{NBSP}{t}"))
            )
        }
        Fact::Called { worker, .. } => format!("{here}: done for {}", name(worker)),
        _ => format!("{here}: {fact:?}"),
    }
}

/// "W1’s lease".
fn whose(grants: &Grants, lock: LockId, acq: AcqId, lanes: &Lanes) -> String {
    grants.get(&(lock, acq)).map_or("a lease".to_string(), |(_, w)| format!("{}’s lease", lanes.name(*w)))
}

fn stopped(why: StopWhy) -> &'static str {
    match why {
        StopWhy::Deadline => ": its deadline has passed",
        StopWhy::LostLease => ": its lease is lost",
        StopWhy::Rejected => ": it was refused",
        StopWhy::GaveUp => ": it gives up",
        StopWhy::Failed => ": an error",
        StopWhy::Ended => "",
    }
}

fn reason(why: Reject) -> String {
    match why {
        Reject::Token { token: Some(t), mark } => format!("token{NBSP}{t}, seen{NBSP}{mark}"),
        Reject::Token { token: None, .. } => "no token".to_string(),
        Reject::Owner => "not the owner".to_string(),
        Reject::Version { base, current } => format!("computed from {base}, the value is {current}"),
        Reject::Exists => "it exists".to_string(),
        Reject::Sequence { number, last } => format!("request {number} after {last}"),
    }
}

/// The only lock service is "lock".
fn called(n: NodeId, lanes: &Lanes) -> String {
    let kind = lanes.kind(lanes.lane(n));
    if kind == LaneKind::Lock && lanes.only(LaneKind::Lock) && !lanes.lanes.iter().any(|l| l.kind == LaneKind::Group) {
        return "lock".to_string();
    }
    lanes.name(n).to_string()
}
