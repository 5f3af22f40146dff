//! The list of events beside the picture: the same log as text, with folded retries in one line.
//!
//! The wording is behind [`line`], one event in, one sentence out, so that it can be exchanged as a whole.

use super::EventLine;
use super::Shown;
use super::lanes::{LaneKind, Lanes};
use super::read::Flight;
use super::sequence::{Fold, Sequence, What, Written, Wrong};
use super::text::{self, said, whole};
use super::words;
use crate::base::fact::{Share, StopWhy, TryEnd, VoteEnd};
use crate::base::flat::FlatMap;
use crate::base::message::{Reject, Topic};
use crate::base::time::seconds;
use crate::base::{AcqId, Fact, LocalTime, LockId, NodeId, Thread, TrueTime};
use crate::trace::{EventKind, EventSeq, Fate, LostWhy, TraceEvent};

/// By event: the number of its line, from 1; 0 for events without one.
pub fn numbers(s: &Shown, seq: &Sequence) -> Vec<u32> {
    let mut out = vec![0; s.log.len()];
    for l in entries(s, seq) {
        out[l.seq.0 as usize] = l.n;
        for e in &l.also {
            out[e.seq.0 as usize] = l.n;
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

fn entries<'a>(s: &Shown<'a>, seq: &'a Sequence) -> Vec<Entry<'a>> {
    let mut folds: &[Fold] = &seq.folds;
    let mut out: Vec<Entry> = Vec::new();
    for e in s.log.events() {
        let hidden = seq.hidden.get(e.seq.0 as usize).copied().unwrap_or(false);
        // They are in order of their events.
        while folds.first().is_some_and(|f| f.seq < e.seq) {
            folds = &folds[1..];
        }
        let what = match folds.first().filter(|f| f.seq == e.seq) {
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
    match (&a.kind, &b.kind) {
        (EventKind::Sent { to: x, what: m, fate: f, .. }, EventKind::Sent { to: y, what: n, fate: g, .. }) => {
            let same = m.kind == n.kind
                && m.call == n.call
                && f == g
                && std::mem::discriminant(&m.payload) == std::mem::discriminant(&n.payload);
            same && ((a.node == b.node && one_group(*x, *y)) || (x == y && one_group(a.node, b.node)))
        }
        (EventKind::Did(x), EventKind::Did(y)) if one_group(a.node, b.node) => {
            in_common(x).is_some_and(|x| in_common(y) == Some(x))
        }
        _ => false,
    }
}

/// What a fact is and what has to be equal, where nodes of a group do alike: the acquisition, and until when or why.
type Doing = (u8, LockId, AcqId, Option<LocalTime>, Option<VoteEnd>);

fn in_common(fact: &Fact) -> Option<Doing> {
    Some(match *fact {
        Fact::Voted(g) => (0, g.lock, g.acq, g.until, None),
        Fact::VoteEnded { lock, acq, why } => (1, lock, acq, None, Some(why)),
        Fact::Granted(g) => (2, g.lock, g.acq, g.until, None),
        Fact::Released { lock, acq, by } => (3, lock, acq, None, Some(VoteEnd::Released { by })),
        Fact::Expired { lock, acq } => (4, lock, acq, None, None),
        Fact::Forgotten { lock, acq } => (5, lock, acq, None, None),
        _ => return None,
    })
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
                | Fact::TryFailed { why: TryEnd::Refused | TryEnd::TimedOut | TryEnd::Failed | TryEnd::GaveUp, .. }
                | Fact::ReadServed { .. }
                | Fact::MarkMoved { .. }
                | Fact::CheckPassed { .. }
                | Fact::TimedOut { topic: Topic::Ping }
                | Fact::Staged { .. }
                | Fact::Kept { .. }
                | Fact::Finished
        ),
        _ => true,
    }
}

/// The list of a run.
pub fn events(s: &Shown, seq: &Sequence) -> Vec<EventLine> {
    let mut grants: Grants = FlatMap::new();
    let mut numbered = 0;
    let mut wrong: FlatMap<EventSeq, Wrong> = FlatMap::new();
    for m in &seq.moments {
        if let What::Writes(Written { wrong: Some(x), .. }) = &m.what {
            wrong.insert(m.seq, *x);
        }
    }
    let mut witnesses: Vec<EventSeq> = Vec::new();
    for (p, v) in &s.report.verdicts {
        if crate::check::report::Property::JUDGED.contains(p)
            && let Some(last) = v.violation().and_then(|v| v.witnesses.last())
        {
            witnesses.push(*last);
        }
    }
    // Who stands in line has a name before it has a grant.
    for e in s.log.events() {
        if let EventKind::Did(Fact::Queued { lock, acq, worker, .. }) = e.kind {
            grants.insert((lock, acq), Grant { number: 0, worker, votes: false });
        }
    }
    let mut out = Vec::new();
    for e in entries(s, seq) {
        let text = match e.what {
            Source::Fold(f) => folded(f, &seq.lanes),
            Source::Event(event) => {
                match event.kind {
                    EventKind::Did(Fact::Voted(g)) => {
                        grants.entry((g.lock, g.acq)).or_insert(Grant { number: 0, worker: g.worker, votes: true });
                    }
                    EventKind::Did(Fact::Granted(g)) => {
                        let known = grants.entry((g.lock, g.acq)).or_insert(Grant {
                            number: 0,
                            worker: g.worker,
                            votes: false,
                        });
                        if known.number == 0 {
                            numbered += 1;
                            known.number = numbered;
                        }
                    }
                    _ => {}
                }
                line(event, &e.also, &seq.lanes, &grants, wrong.get(&e.seq).copied())
            }
        };
        let hot = wrong.contains_key(&e.seq) || witnesses.contains(&e.seq);
        out.push(EventLine { n: e.n, at: e.at, text, hot, seq: e.seq });
    }
    out
}

fn folded(f: &Fold, lanes: &Lanes) -> String {
    let times = text::count(f.n, "more time", "more times");
    let (template, outcome) = match (f.topic, f.outcome) {
        (Topic::Renew, "granted each time") => ("{a} renews {b}, {c}", "extended each time"),
        (Topic::Renew, other) => ("{a} renews {b}, {c}", other),
        (Topic::Ping, "granted each time") => ("{a} pings {b}, {c}", "alive each time"),
        (Topic::Ping, other) => ("{a} pings {b}, {c}", other),
        (Topic::Ask, other) => ("{a} looks {b}, {c}", other),
        (_, outcome) => ("{a} tries {b}, {c}", outcome),
    };
    said(template, &[lanes.name(f.worker), &times, outcome])
}

/// What was granted so far.
type Grants = FlatMap<(LockId, AcqId), Grant>;

#[derive(Clone, Copy)]
struct Grant {
    /// Among all grants, from 1; 0: no majority has come together.
    number: u64,
    worker: NodeId,
    /// It is for the nodes of a quorum to give.
    votes: bool,
}

/// The names of nodes, each once.
fn list(nodes: &[NodeId], lanes: &Lanes) -> String {
    let mut out = String::new();
    for (i, n) in nodes.iter().enumerate() {
        let name = called(*n, lanes);
        if nodes[..i].iter().all(|m| called(*m, lanes) != name) {
            if i > 0 {
                out.push_str(", ");
            }
            out.push_str(name);
        }
    }
    out
}

/// One event in words.
fn line(e: &TraceEvent, also: &[&TraceEvent], lanes: &Lanes, grants: &Grants, wrong: Option<Wrong>) -> String {
    let (mut from, mut peers) = (Vec::new(), Vec::new());
    for o in std::iter::once(&e).chain(also) {
        from.push(o.node);
        if let EventKind::Sent { to, .. } = o.kind {
            peers.push(to);
        }
    }
    let here = list(&from, lanes);
    let several = also.iter().any(|o| o.node != e.node);
    let (template, peer, word) = match &e.kind {
        EventKind::Sent { msg, to, what, fate } => {
            let message = words::message(&Flight::alone(e, *msg, *to, *what, *fate)).plain;
            let template = match fate {
                Fate::Plain => "{a} → {b}  {c}",
                Fate::Delayed => "{a} → {b}  {c}, delayed",
                Fate::Copy { .. } => "{a} → {b}  {c}, copy",
                Fate::Lost => "{a} → {b}  {c}, lost",
            };
            return said(template, &[&here, &list(&peers, lanes), text::longest(&message)]);
        }
        EventKind::Did(fact) => return did(fact, e, (&here, several), lanes, grants, wrong),
        EventKind::ClockStepped { by } => {
            return said("{a}: its {b}", &[&here, text::longest(&words::clock_step(*by))]);
        }
        EventKind::ClockRateSet { ppm } => {
            return said("{a}: its {b}", &[&here, text::longest(&words::clock_rate(*ppm))]);
        }
        EventKind::Arrived { from, .. } => ("{a}: a message from {b} arrives", *from, ""),
        EventKind::Lost { from, kind, .. } => ("{a} is down: {c} from {b} is lost", *from, kind.topic.word()),
        EventKind::Paused { thread: None } => ("{a} pauses", e.node, ""),
        EventKind::Paused { thread: Some(Thread::Main) } => ("{a}’s main thread pauses", e.node, ""),
        EventKind::Paused { thread: Some(Thread::Renewer) } => ("{a}’s renewals pause", e.node, ""),
        EventKind::Resumed { .. } => ("{a} resumes", e.node, ""),
        EventKind::Crashed { thread: None } => ("{a} crashes", e.node, ""),
        EventKind::Crashed { thread: Some(_) } => ("{a}: one of its threads ends", e.node, ""),
        EventKind::Restarted => ("{a} restarts", e.node, ""),
        EventKind::Disconnected => ("{a}’s connections break", e.node, ""),
        EventKind::Promoted => ("{a} answers from now on", e.node, ""),
        EventKind::CutFrom { peer } => ("{a} is cut off from {b}", *peer, ""),
        EventKind::Healed { peer } => ("{a} reaches {b} again", *peer, ""),
    };
    said(template, &[&here, called(peer, lanes), word])
}

/// The end of a record. It is the service's own reading; where its clock is right that is also the instant.
fn until_by(end: Option<LocalTime>, e: &TraceEvent) -> String {
    match end {
        None => ", without an end".to_string(),
        Some(u) if e.local.as_us() == e.at.as_us() => until(u, ", until {a} s"),
        Some(u) => until(u, ", until {a} s by its clock"),
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
    // In the templates `{a}` is where it was, `{b}` whose it is, `{c}` and `{d}` are what else is said.
    let name = |n: NodeId| lanes.name(n);
    let lease = |lock: LockId, acq: AcqId| {
        let owner = grants.get(&(lock, acq)).map(|g| name(g.worker));
        (owner.unwrap_or_default(), owner.is_some())
    };
    let (mut c, mut d) = (String::new(), String::new());
    let (template, b) = match fact {
        Fact::Voted(g) => {
            d = until_by(g.until, e);
            (if several { "{a} vote for {b}{d}" } else { "{a} votes for {b}{d}" }, name(g.worker))
        }
        Fact::VoteEnded { lock, acq, why } => {
            let template = match why {
                VoteEnd::Released { by } if *by == Some(*acq) => "{a}: {b} takes its vote back",
                VoteEnd::Released { .. } => "{a}: {b}’s vote is removed by another’s request",
                VoteEnd::Expired => "{a}: {b}’s vote runs out",
                VoteEnd::Forgotten if several => "{a} forget {b}’s vote",
                VoteEnd::Forgotten => "{a} forgets {b}’s vote",
            };
            (template, lease(*lock, *acq).0)
        }
        // The node of the deciding vote decides nothing else.
        Fact::Granted(g) if grants.get(&(g.lock, g.acq)).is_some_and(|x| x.votes) => {
            c = whole(grants.get(&(g.lock, g.acq)).map_or(0, |x| x.number));
            ("{b} has a majority, grant\u{a0}{c}", name(g.worker))
        }
        Fact::Granted(g) => {
            c = whole(grants.get(&(g.lock, g.acq)).map_or(0, |x| x.number));
            d = match (g.until, g.ttl) {
                (None, Some(ttl)) => said(", for {a}", &[&text::span(ttl)]),
                (until, _) => until_by(until, e),
            };
            let grant = match g.share {
                Share::Alone if several => "{a} grant {b}, grant\u{a0}{c}{d}",
                Share::Alone => "{a} grants {b}, grant\u{a0}{c}{d}",
                Share::Read => "{a} grants {b} to read, grant\u{a0}{c}{d}",
                Share::Permit(_) => "{a} gives {b} a permit, grant\u{a0}{c}{d}",
            };
            (grant, name(g.worker))
        }
        Fact::Extended { worker, until: end, .. } => {
            c = end.map_or(String::new(), |u| until(u, ", until {a} s"));
            ("{a} extends {b}’s lease{c}", name(*worker))
        }
        Fact::Reentered { worker, holds, until: end, .. } => {
            (c, d) = (whole((*holds).into()), until_by(*end, e));
            ("{a} lets {b} in again, {c} times now{d}", name(*worker))
        }
        Fact::CountedDown { lock, acq, holds, .. } => {
            c = text::count((*holds).into(), "time", "times");
            ("{a}: {b} is in {c} still", lease(*lock, *acq).0)
        }
        Fact::Released { lock, acq, by } => match (*by == Some(*acq), lease(*lock, *acq)) {
            (true, (who, true)) => ("{a}: {b} releases", who),
            (true, _) => ("{a}: a record is released", ""),
            (false, (who, true)) => ("{a}: {b}’s lease is released by another’s request", who),
            (false, _) => ("{a}: a lease is released by another’s request", ""),
        },
        Fact::Expired { lock, acq } => match lease(*lock, *acq) {
            (who, true) => ("{a}: {b}’s lease runs out", who),
            _ => ("{a}: a lease runs out", ""),
        },
        Fact::TakenOver { lock, acq, .. } => ("{a}: {b}’s lease is taken over", lease(*lock, *acq).0),
        Fact::Forgotten { lock, acq } => match (several, lease(*lock, *acq)) {
            (true, (who, true)) => ("{a} forget {b}’s lease", who),
            (false, (who, true)) => ("{a} forgets {b}’s lease", who),
            (true, _) => ("{a} forget a lease", ""),
            (false, _) => ("{a} forgets a lease", ""),
        },
        Fact::CounterLost { from, to, .. } => {
            (c, d) = (whole(*from), whole(*to));
            ("{a}: the counter falls from {c} to {d}", "")
        }
        Fact::TryFailed { .. } => ("{a}: its acquisition is cancelled", ""),
        Fact::Checked { valid: false, .. } => ("{a} finds its deadline passed", ""),
        Fact::TimedOut { topic } => ("{a}: no answer to its {b}", topic.word()),
        Fact::Ignored { topic } => ("{a} ignores a late answer to its {b}", topic.word()),
        Fact::Stopped { why } => (stopped(*why), ""),
        Fact::Applied(x) => {
            // The value as the arrow says it: one more than what was read (see `trace::values`).
            c = whole(x.base.map_or(x.after, |b| b + 1));
            d = x.base.map_or(String::new(), |b| said(", read {a}", &[&whole(b)]));
            let (template, other) = match wrong {
                Some(Wrong::Lost(v)) => ("; {a}’s update lost", v),
                Some(Wrong::Again) => ("; done a second time", x.worker),
                Some(Wrong::After(v)) => ("; after {a}’s", v),
                Some(Wrong::NotOwner(v)) => ("; {a} has the lock", v),
                None => ("", x.worker),
            };
            d.push_str(&said(template, &[name(other)]));
            ("{a}: {b} writes {c}{d}", name(x.worker))
        }
        Fact::Rejected { worker, why, .. } => {
            c = reason(*why);
            ("{a} refuses {b}: {c}", name(*worker))
        }
        Fact::ReadRejected { worker, why, .. } => {
            c = reason(*why);
            ("{a} refuses {b}’s read: {c}", name(*worker))
        }
        Fact::ActivationRejected { worker, why, .. } => {
            c = reason(*why);
            ("{a} refuses {b}’s activation: {c}", name(*worker))
        }
        Fact::Replayed { worker, .. } => ("{a} gives {b} its first answer again", name(*worker)),
        Fact::Activated { worker, token: None, .. } => ("{a} is activated for {b}", name(*worker)),
        Fact::Activated { worker, token: Some(t), .. } => {
            c = whole(t.get());
            ("{a} is activated for {b}, token\u{a0}{c}", name(*worker))
        }
        Fact::Closed { lock, acq } => match lease(*lock, *acq) {
            (who, true) => ("{a}: {b}’s lock goes with its connection", who),
            _ => ("{a}: a lock goes with its connection", ""),
        },
        Fact::Issued { worker, number, .. } => {
            c = whole(*number);
            ("{a}: {c}, from {b}", name(*worker))
        }
        Fact::IssueRejected { worker, number, why, .. } => {
            (c, d) = (whole(*number), reason(*why));
            ("{a} refuses {c} from {b}: {d}", name(*worker))
        }
        Fact::RolledBack { worker, .. } => ("{a} drops {b}’s write: not committed", name(*worker)),
        Fact::Called { worker, .. } => ("{a}: done for {b}", name(*worker)),
        Fact::Queued { worker, .. } => ("{a}: {b} joins the line", name(*worker)),
        Fact::Unqueued { lock, acq, why } => {
            let template = match why {
                VoteEnd::Released { .. } => "{a}: {b} leaves the line",
                VoteEnd::Expired => "{a}: {b} counts as dead, and loses its place in line",
                VoteEnd::Forgotten => "{a} forgets {b}’s place in line",
            };
            (template, lease(*lock, *acq).0)
        }
        Fact::Suspended => ("{a} has not heard of its service for too long", ""),
        Fact::Reconnected => ("{a} hears of its service again", ""),
        // None of the others is listed.
        _ => ("{a}", ""),
    };
    said(template, &[here, b, &c, &d])
}

/// A reading of a service's clock in a template.
fn until(reading: LocalTime, template: &str) -> String {
    said(template, &[&seconds(reading.as_us())])
}

fn stopped(why: StopWhy) -> &'static str {
    match why {
        StopWhy::Deadline => "{a} stops: its deadline has passed",
        StopWhy::LostLease => "{a} stops: its lease is lost",
        StopWhy::Rejected => "{a} stops: it was refused",
        StopWhy::GaveUp => "{a} stops: it gives up",
        StopWhy::Failed => "{a} stops: an error",
        StopWhy::Ended => "{a} stops",
    }
}

fn reason(why: Reject) -> String {
    let (template, a, b) = match why {
        Reject::Token { token: Some(t), mark } => ("token\u{a0}{a}, seen\u{a0}{b}", t.get(), mark.get()),
        Reject::Token { token: None, .. } => ("no token", 0, 0),
        Reject::Owner => ("not the owner", 0, 0),
        Reject::Version { base, current } => ("computed from {a}, the value is {b}", base, current),
        Reject::Exists => ("it exists", 0, 0),
        Reject::Sequence { number, last } => ("request {a} after {b}", number.into(), last.into()),
    };
    said(template, &[&whole(a), &whole(b)])
}

/// The only lock service is "lock".
fn called(n: NodeId, lanes: &Lanes) -> &str {
    let kind = lanes.kind(lanes.lane(n));
    if kind == LaneKind::Lock && lanes.only(LaneKind::Lock) && !lanes.lanes.iter().any(|l| l.kind == LaneKind::Group) {
        return "lock";
    }
    lanes.name(n)
}
