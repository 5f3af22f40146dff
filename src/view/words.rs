//! The words of a picture. Everything that is said about a message, a bar or an instant is worded here, from long to short.
//!
//! Names are clipped before they come here; a sentence on a picture has fewer than twelve words, a subject and one fact.

use super::read::Flight;
use super::sequence::{Arrow, ArrowFate, BarEnd, Sequence, What, Written, Wrong};
use super::text::{self, NBSP};
use crate::base::fact::StopWhy;
use crate::base::message::{Reject, Topic};
use crate::base::{NodeId, Payload, Span, Thread, TrueTime};
use crate::trace::Fate;

/// What stands at a message.
pub(super) struct Label {
    /// From long to short.
    pub forms: Vec<String>,
    /// Without what the network did to it.
    pub plain: Vec<String>,
    /// 0 is always worth its label, 4 the first to lose it.
    pub rank: u8,
}

/// The label of a message.
pub(super) fn message(f: &Flight) -> Label {
    let (word, short, rank): (String, Option<&str>, u8) = match f.what.payload {
        _ if f.what.kind.topic == Topic::Replicate => ("replicate".into(), Some("copy"), 3),
        _ if f.what.kind.topic == Topic::Notify => ("notify".into(), None, 2),
        _ if f.what.kind.topic == Topic::Ping => (if f.what.kind.reply { "ok" } else { "ping" }.into(), None, 3),
        _ if f.what.kind.topic == Topic::Withdraw => {
            (if f.what.kind.reply { "ok" } else { "withdraw" }.into(), None, 3)
        }
        Payload::Acquire { .. } => ("acquire".into(), None, 1),
        Payload::Set { .. } => ("set".into(), None, 1),
        Payload::Expire { .. } => ("expire".into(), None, 1),
        Payload::Renew { .. } => ("renew".into(), None, 2),
        Payload::Release { .. } => ("release".into(), None, 3),
        Payload::Get { .. } => ("mine?".into(), None, 3),
        Payload::Break { .. } => ("break the lock".into(), Some("break"), 1),
        Payload::Ask { .. } => ("who owns it?".into(), Some("who?"), 2),
        Payload::Granted { .. } => ("granted".into(), None, 1),
        Payload::Refused { .. } => ("refused".into(), None, 1),
        Payload::Extended { .. } => ("extended".into(), None, 3),
        Payload::NotExtended { .. } => ("not extended".into(), Some("refused"), 1),
        Payload::Released { .. } => ("ok".into(), None, 4),
        Payload::NotHeld { .. } => ("not held".into(), None, 3),
        Payload::Owned { mine, .. } => (if mine { "mine" } else { "not mine" }.into(), None, 3),
        Payload::Broken { .. } => ("ok".into(), None, 4),
        Payload::Answer { owns, .. } => {
            (if owns { "its owner" } else { "not its owner" }.into(), Some(if owns { "yes" } else { "no" }), 2)
        }
        Payload::Read { .. } => ("read".into(), None, 2),
        Payload::Write(w) if w.delete => ("delete".into(), None, 0),
        Payload::Write(w) => match w.base {
            Some(v) => (format!("write{NBSP}{}", v + 1), Some("write"), 0),
            None => ("write".into(), None, 0),
        },
        Payload::Activate { .. } => ("activate".into(), None, 1),
        Payload::Call { .. } => ("call".into(), None, 0),
        Payload::Value { version } => (version.to_string(), None, 3),
        Payload::Written { .. } | Payload::Called => ("ok".into(), None, 3),
        Payload::Replayed { .. } => ("first answer again".into(), Some("as before"), 1),
        Payload::Activated => ("ok".into(), None, 4),
        Payload::Rejected(_) => ("refused".into(), None, 1),
        Payload::Failed => ("error".into(), None, 1),
    };
    let mut plain = vec![word.clone()];
    plain.extend(short.map(str::to_string));
    let mut forms = plain.clone();
    let mut rank = rank;
    match (f.fate, f.arrival) {
        (Fate::Delayed, Some((_, at))) => {
            forms.insert(0, format!("{word}, {}", text::span(at.since(f.sent))));
            rank = rank.min(1);
        }
        (Fate::Copy { .. }, _) => {
            forms.insert(0, format!("{word}, copy"));
            rank = rank.min(1);
        }
        _ => {}
    }
    if f.lost.is_some() {
        rank = rank.min(1);
    }
    Label { forms, plain, rank }
}

/// How soon a message loses its label: its word's rank, less where something was wrong with it.
pub(super) fn rank(a: &Arrow) -> u8 {
    match a.fate {
        ArrowFate::Late | ArrowFate::TurnedBack => 0,
        ArrowFate::Ignored | ArrowFate::Delayed | ArrowFate::Copy => a.rank.min(1),
        _ => a.rank,
    }
}

/// One line of a note, from long to short; empty: the line may be left out.
pub(super) type Line = Vec<String>;

fn line(forms: &[&str]) -> Line {
    forms.iter().map(|s| s.to_string()).collect()
}

pub(super) fn lease(name: &str, ttl: Option<Span>, tell_length: bool) -> Line {
    let mut forms = vec![format!("{name}’s lease"), "lease".to_string()];
    if tell_length {
        forms
            .insert(0, ttl.map_or(format!("{name}’s lease, no end"), |d| format!("{name}’s lease, {}", text::span(d))));
    }
    forms
}

pub(super) fn holds(name: &str) -> Line {
    vec![format!("{name} holds"), "holds".to_string()]
}

/// How a lease ended, at the service.
pub(super) fn lease_end(end: BarEnd, seq: &Sequence, worker: NodeId) -> Option<Line> {
    Some(match end {
        BarEnd::Expired => line(&["lease runs out", "runs out", "ends"]),
        BarEnd::Forgotten => line(&["lease forgotten", "forgotten"]),
        BarEnd::MajorityLost => line(&["majority lost", "lost"]),
        BarEnd::Taken(Some(by)) if by == worker => line(&["released by its old release", "old release", "released"]),
        BarEnd::Taken(Some(by)) => vec![
            format!("{} releases {}’s lease", seq.lanes.name(by), seq.lanes.name(worker)),
            format!("released by {}", seq.lanes.name(by)),
            format!("by {}", seq.lanes.name(by)),
        ],
        BarEnd::Taken(None) => line(&["lock broken by hand", "broken"]),
        _ => return None,
    })
}

/// What a belief without a lease looks like from outside.
pub(super) fn stale(end: BarEnd, ago: Span) -> Vec<Line> {
    let ago = text::span(ago);
    let since = match end {
        BarEnd::Expired => vec![format!("lease ended {ago} ago"), "lease is over".to_string()],
        BarEnd::MajorityLost => {
            vec![format!("majority lost {ago} ago"), format!("lost {ago} ago"), "majority lost".to_string()]
        }
        BarEnd::Forgotten => vec![format!("lease forgotten {ago} ago"), "lease is gone".to_string()],
        BarEnd::Taken(_) => vec![format!("lease taken {ago} ago"), "lease is gone".to_string()],
        _ => vec![format!("lease ended {ago} ago"), "lease is over".to_string()],
    };
    vec![line(&["still believes it holds", "still believes", "believes"]), since]
}

/// Two lines beside a bar, and the same in one where there is room to the right.
pub(super) fn pause(thread: Option<Thread>, length: Option<Span>) -> Vec<Line> {
    let length = length.map_or("to the end".to_string(), text::span);
    match thread {
        None => vec![line(&["paused"]), vec![length]],
        Some(Thread::Main) => vec![line(&["main thread", "main"]), vec![format!("paused {length}"), length]],
        Some(Thread::Renewer) => vec![line(&["renewals", "renewer"]), vec![format!("paused {length}"), length]],
    }
}

/// A request that waits in a handler.
pub(super) fn stall(length: Span) -> Line {
    vec![format!("waits {}", text::span(length)), "waits".to_string()]
}

pub(super) fn more(topic: Topic, n: usize, outcome: &str) -> Line {
    let mut forms = vec![match topic {
        Topic::Renew => text::count(n, "more renewal", "more renewals"),
        Topic::Ping => text::count(n, "more ping", "more pings"),
        _ => text::count(n, "more try", "more tries"),
    }];
    if outcome == "no answer" {
        forms.insert(0, format!("{}, no answer", forms[0]));
    }
    forms.push(format!("×{} more", text::grouped(n as u64)));
    forms.push(format!("×{}", text::grouped(n as u64)));
    forms
}

/// The lines of a zone in which several believe; a line may be missing where there is no room.
pub(super) fn zone(believers: usize, length: Span) -> [Vec<Line>; 2] {
    let who = match believers {
        2 => "both",
        3 => "three",
        _ => "several",
    };
    let (two, hold, length) = (
        format!("{who} believe"),
        line(&["they hold", ""]),
        vec![format!("for {}", text::span(length)), String::new()],
    );
    [vec![vec![two], hold.clone(), length.clone()], vec![line(&[who]), line(&["believe"]), hold, length]]
}

pub(super) fn cut(from: TrueTime, to: Option<TrueTime>) -> Line {
    let at = |t: TrueTime| text::span(t.since(TrueTime::ZERO));
    match to {
        Some(to) => vec![format!("cut {} – {}", at(from), at(to)), "cut".to_string()],
        None => vec![format!("cut from {}", at(from)), "cut".to_string()],
    }
}

pub(super) fn clock_step(by: Span) -> Line {
    let by = if by.is_negative() { text::span(by) } else { format!("+{}", text::span(by)) };
    vec![format!("clock steps {by}"), format!("clock {by}"), by]
}

/// A rate in parts per million of the true one: "10 % fast".
pub(super) fn clock_rate(ppm: i64) -> Line {
    let off = ppm - 1_000_000;
    if off == 0 {
        return line(&["clock runs true", "clock true"]);
    }
    let tenth = (off.abs() + 500) / 1_000;
    let percent = if tenth % 10 == 0 { (tenth / 10).to_string() } else { format!("{}.{}", tenth / 10, tenth % 10) };
    let word = if off > 0 { "fast" } else { "slow" };
    vec![format!("clock {percent}{NBSP}% {word}"), format!("{percent}{NBSP}% {word}")]
}

/// What the resource shows after a write that was in order.
pub(super) fn value(w: &Written, name: &str) -> Vec<Line> {
    let v = w.version;
    let mut lines = vec![vec![format!("value{NBSP}{v}, by {name}"), format!("{v}, by {name}"), format!("by {name}")]];
    lines.extend(w.mark.map(|m| vec![format!("seen:{NBSP}{m}")]));
    lines
}

/// An effect that should not have been.
pub(super) fn wrong(w: Wrong, seq: &Sequence) -> Vec<Line> {
    let name = |n| seq.lanes.name(n);
    let why = match w {
        Wrong::Lost(v) => vec![format!("{}’s write lost", name(v)), format!("{}’s lost", name(v)), "lost".to_string()],
        Wrong::Again => line(&["done a second time", "done twice", "twice"]),
        Wrong::After(v) => vec![format!("after {}’s write", name(v)), format!("after {}’s", name(v))],
        Wrong::NotOwner(v) => vec![format!("{} has the lock", name(v)), format!("{} has it", name(v))],
    };
    vec![line(&["accepted"]), why]
}

/// Why a resource turned something back, and whose write stands.
pub(super) fn refused(why: Reject, kept: Option<NodeId>, seq: &Sequence) -> Vec<Line> {
    let reason = match why {
        Reject::Token { token: Some(t), mark } if t < mark => format!("refused: {t} < {mark}"),
        Reject::Token { token: Some(t), mark } => format!("refused: {t} ≤ {mark}"),
        Reject::Token { token: None, .. } => "refused: no token".to_string(),
        Reject::Owner => "refused: not the owner".to_string(),
        Reject::Version { base, current } => format!("refused: from {base}, is {current}"),
        Reject::Exists => "refused: exists".to_string(),
        Reject::Sequence { number, last } => format!("refused: no. {number} after {last}"),
    };
    let reason = reason.replace(": ", &format!(":{NBSP}"));
    let mut lines = vec![vec![reason, "refused".to_string()]];
    lines.extend(kept.map(|k| {
        let k = seq.lanes.name(k);
        vec![format!("{k}’s write kept"), format!("{k}’s kept"), "kept".to_string()]
    }));
    lines
}

/// Why a worker stopped, if that is not plain from the picture.
pub(super) fn stops(why: StopWhy) -> Option<Line> {
    Some(match why {
        StopWhy::Deadline => line(&["stops: deadline passed", "stops: too late", "stops"]),
        StopWhy::LostLease => line(&["stops: lease lost", "stops"]),
        StopWhy::GaveUp => line(&["gives up"]),
        StopWhy::Failed => line(&["stops: error", "stops"]),
        StopWhy::Rejected | StopWhy::Ended => return None,
    })
}

/// The simple words for what happens at an instant.
pub(super) fn plain(what: &What, seq: &Sequence) -> Option<Vec<Line>> {
    Some(match what {
        What::Wakes { thread: None } => vec![line(&["wakes"])],
        What::Wakes { thread: Some(_) } => vec![line(&["goes on"])],
        What::Crashes { thread: None } => vec![line(&["crashes"])],
        What::Crashes { thread: Some(Thread::Renewer) } => vec![line(&["renewals end", "no renewals"])],
        What::Crashes { thread: Some(Thread::Main) } => vec![line(&["main thread ends", "main ends"])],
        What::Restarts { empty: true } => vec![line(&["restarts, empty", "restarts"])],
        What::Restarts { empty: false } => vec![line(&["restarts"])],
        What::ClockStep(by) => vec![clock_step(*by)],
        What::ClockRate(ppm) => vec![clock_rate(*ppm)],
        What::TimedOut { .. } => vec![line(&["no answer"])],
        What::Ignored { .. } => vec![line(&["too late: ignored", "ignored"])],
        What::CounterLost { from, to } => {
            vec![vec![format!("counter falls {from} → {to}"), "counter falls".to_string()]]
        }
        What::FirstRead { version } => vec![vec![format!("value{NBSP}{version}"), version.to_string()]],
        What::Replayed { .. } => {
            vec![line(&["same answer again", "as before"]), line(&["nothing changed", "no change"])]
        }
        What::Activated { worker, mark } => {
            let name = seq.lanes.name(*worker);
            let mut lines = vec![vec![format!("activated, {name}"), format!("for {name}")]];
            lines.extend(mark.map(|m| vec![format!("seen:{NBSP}{m}")]));
            lines
        }
        What::Called { worker, again: false } => {
            vec![vec![format!("done, by {}", seq.lanes.name(*worker)), "done".to_string()]]
        }
        What::Called { again: true, .. } => vec![line(&["done again", "again"])],
        What::StillWaits => vec![line(&["still waits", "waits"])],
        What::MarkFell { to: None } => vec![line(&["mark forgotten", "forgotten"])],
        What::MarkFell { to: Some(to) } => vec![vec![format!("mark falls to{NBSP}{to}"), "mark falls".to_string()]],
        What::CheckPassed { .. } => vec![line(&["check passed", "passed"])],
        What::ChecksInTime { .. } => vec![line(&["checks: in time", "in time"])],
        What::ExtendsForeign { worker, holder } => {
            let who = seq.lanes.name(*worker);
            let whose = holder.map_or("another", |h| seq.lanes.name(h));
            vec![vec![format!("{who} extends {whose}’s lease"), format!("extended by {who}"), format!("by {who}")]]
        }
        _ => return None,
    })
}
