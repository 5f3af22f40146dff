//! The words of a picture. Everything that is said about a message, a bar or an instant is worded here, from long to short.
//!
//! Names are clipped before they come here; a sentence on a picture has fewer than twelve words, a subject and one fact.

use super::read::Flight;
use super::sequence::{Arrow, ArrowFate, BarEnd, Sequence, What, Written, Wrong};
use super::text::{self, forms, whole};
use crate::base::fact::StopWhy;
use crate::base::message::{Mode, Reject, Topic};
use crate::base::{NodeId, Payload, Span, Thread, TrueTime};
use crate::trace::Fate;

/// What stands at a message.
pub(super) struct Label {
    /// From long to short.
    pub forms: String,
    /// Without what the network did to it.
    pub plain: String,
    /// 0 is always worth its label, 4 the first to lose it.
    pub rank: u8,
}

/// The label of a message: its word, a shorter one after `|` if there is one, and how soon it loses it.
fn word(f: &Flight) -> (&'static str, u8) {
    let reply = f.what.kind.reply;
    if let Payload::Hangup { .. } = f.what.payload {
        return ("connection closed|closed", 1);
    }
    match f.what.kind.topic {
        _ if matches!(f.what.payload, Payload::SessionOver { .. } | Payload::Pong { alive: false, .. }) => {
            return ("session over|over", 1);
        }
        Topic::Replicate if !matches!(f.what.payload, Payload::Revoke { .. }) => {
            return (if reply { "stored" } else { "replicate|copy" }, 3);
        }
        Topic::Notify => {
            return match f.what.payload {
                Payload::Listen { on: true, .. } => ("subscribe", 2),
                Payload::Listen { .. } => ("unsubscribe", 4),
                Payload::Listening { .. } => ("subscribed|ok", 3),
                _ => ("notify", 1),
            };
        }
        Topic::Ping => return (if reply { "ok" } else { "ping" }, 3),
        Topic::Withdraw => return (if reply { "ok" } else { "withdraw" }, 3),
        _ => {}
    }
    match &f.what.payload {
        Payload::Acquire { .. } => ("acquire", 1),
        Payload::Enter { mode: Mode::Upgrade, .. } => ("upgrade", 1),
        Payload::Enter { mode: Mode::Downgrade, .. } => ("downgrade", 1),
        Payload::Enter { n: 2.., .. } => ("acquire again|again", 1),
        Payload::Enter { mode: Mode::Read, .. } => ("acquire to read|to read", 1),
        Payload::Enter { .. } => ("acquire", 1),
        Payload::Set { .. } => ("set", 1),
        Payload::Expire { .. } => ("expire", 1),
        Payload::Renew { .. } => ("renew", 2),
        Payload::Release { .. } => ("release", 3),
        Payload::Get { .. } => ("mine?", 3),
        Payload::Break { .. } => ("break the lock|break", 1),
        Payload::Ask { .. } => ("who owns it?|who?", 2),
        Payload::Granted { .. } => ("granted", 1),
        Payload::Refused { .. } | Payload::Taken { .. } => ("refused", 1),
        Payload::Extended { .. } => ("extended", 3),
        Payload::NotExtended { .. } => ("not extended|refused", 1),
        Payload::Released { .. } => ("ok", 4),
        Payload::NotHeld { .. } => ("not held", 3),
        Payload::Owned { mine: true, .. } => ("mine", 3),
        Payload::Owned { .. } => ("not mine", 3),
        Payload::Broken { .. } => ("ok", 4),
        Payload::Answer { owns: true, .. } => ("its owner|yes", 2),
        Payload::Answer { .. } => ("not its owner|no", 2),
        Payload::Read { .. } => ("read", 2),
        Payload::Write(w) if w.delete => ("delete", 0),
        Payload::Write(w) if w.base.is_some() => ("write\u{a0}{a}|write", 0),
        Payload::Write(_) => ("write", 0),
        Payload::Stage(w) if w.base.is_some() && !w.delete => ("write\u{a0}{a}, kept|write", 0),
        Payload::Stage(_) => ("write, kept|write", 0),
        Payload::Commit { .. } => ("commit", 0),
        Payload::Committed { .. } => ("ok", 3),
        Payload::Staged => ("kept", 3),
        Payload::Issue { .. } => ("hand out\u{a0}{a}|{a}", 0),
        Payload::Issued { .. } => ("ok", 3),
        Payload::Mint { .. } => ("activate", 1),
        Payload::Minted { .. } => ("ok", 4),
        Payload::Activate { .. } => ("activate", 1),
        Payload::Call { .. } | Payload::LongCall { .. } => ("call", 0),
        Payload::Value { .. } => ("{a}", 3),
        Payload::Written { .. } | Payload::Called => ("ok", 3),
        Payload::Replayed { .. } => ("first answer again|as before", 1),
        Payload::Activated => ("ok", 4),
        Payload::Rejected(_) => ("refused", 1),
        Payload::Failed => ("error", 1),
        Payload::Enqueue { .. } => ("acquire", 1),
        Payload::Look { .. } => ("look again|look", 3),
        Payload::Queued { .. } => ("queued", 2),
        Payload::Revoke { .. } => ("end the session|end it", 1),
        Payload::Inspect { .. } => ("look", 3),
        Payload::Seen { record: None, .. } => ("nothing there|free", 3),
        Payload::Seen { record: Some(r), .. } if r.released => ("given back|free", 3),
        Payload::Seen { .. } => ("taken", 3),
        Payload::Put(_) => (f.what.kind.topic.word(), 2),
        // Their topic has spoken already.
        Payload::SessionOver { .. } | Payload::Ping { .. } | Payload::Pong { .. } | Payload::Notify { .. } => {
            ("ping", 3)
        }
        Payload::Hangup { .. }
        | Payload::Append
        | Payload::Appended
        | Payload::Replicate { .. }
        | Payload::Replicated { .. } => ("copy", 3),
        Payload::Alive => ("alive", 4),
        Payload::Listen { .. } | Payload::Listening { .. } => ("notify", 1),
    }
}

/// The label of a message.
pub(super) fn message(f: &Flight) -> Label {
    let (words, mut rank) = word(f);
    let number = match &f.what.payload {
        Payload::Write(w) | Payload::Stage(w) => w.base.map_or(0, |v| v + 1),
        Payload::Value { version } => *version,
        Payload::Issue { number, .. } => *number,
        _ => 0,
    };
    let plain = forms(words, &[&whole(number)]);
    let note = match (f.fate, f.arrival) {
        (Fate::Delayed, Some((_, at))) => Some(text::span(at.since(f.sent))),
        (Fate::Copy { .. }, _) => Some("copy".to_string()),
        _ => None,
    };
    if note.is_some() || f.lost.is_some() {
        rank = rank.min(1);
    }
    let forms = match note {
        Some(note) => forms("{a}, {b}|{c}", &[text::longest(&plain), &note, &plain]),
        None => plain.clone(),
    };
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

pub(super) fn lease(name: &str, ttl: Option<Span>, tell_length: bool) -> String {
    let ttl = ttl.map(text::span);
    let templates = match ttl {
        _ if !tell_length => "{a}’s lease|lease",
        None => "{a}’s lease, no end|{a}’s lease|lease",
        Some(_) => "{a}’s lease, {b}|{a}’s lease|lease",
    };
    forms(templates, &[name, &ttl.unwrap_or_default()])
}

pub(super) fn holds(name: &str) -> String {
    forms("{a} holds|holds", &[name])
}

/// How a lease ended, at the service.
pub(super) fn lease_end(end: BarEnd, seq: &Sequence, worker: NodeId, nodes: usize) -> Option<String> {
    let by = if let BarEnd::Taken(Some(by)) | BarEnd::TakenOver(Some(by)) = end { by } else { worker };
    let templates = match end {
        BarEnd::Expired => "lease runs out|runs out|ends",
        BarEnd::Forgotten => "lease forgotten|forgotten",
        BarEnd::Closed => "connection gone|gone",
        BarEnd::MajorityLost => "majority lost|{c} of {d}|lost",
        BarEnd::TakenOver(_) => "taken over by {a}|taken over",
        BarEnd::Taken(None) => "lock broken by hand|broken",
        BarEnd::Taken(_) if by == worker => "released by its old release|old release|released",
        BarEnd::Taken(_) => "{a} releases {b}’s lease|released by {a}|by {a}",
        _ => return None,
    };
    let (half, all) = (whole(nodes as u64 / 2), whole(nodes as u64));
    Some(forms(templates, &[seq.lanes.name(by), seq.lanes.name(worker), &half, &all]))
}

/// What a belief without a lease looks like from outside.
pub(super) fn stale(end: BarEnd, ago: Span) -> String {
    let templates = match end {
        BarEnd::MajorityLost => {
            "still believes it holds|still believes|believes\nmajority lost {a} ago|lost {a} ago|majority lost"
        }
        BarEnd::Forgotten => "still believes it holds|still believes|believes\nlease forgotten {a} ago|lease is gone",
        BarEnd::Closed => "still believes it holds|still believes|believes\nlock gone {a} ago|lock is gone",
        BarEnd::Taken(_) | BarEnd::TakenOver(_) => {
            "still believes it holds|still believes|believes\nlease taken {a} ago|lease is gone"
        }
        BarEnd::Open => "believes it holds|believes\nwas never granted it|never granted",
        _ => "still believes it holds|still believes|believes\nlease ended {a} ago|lease is over",
    };
    forms(templates, &[&text::span(ago)])
}

/// Two lines beside a bar, and the same in one where there is room to the right.
pub(super) fn pause(thread: Option<Thread>, length: Option<Span>) -> String {
    let length = length.map_or("to the end".to_string(), text::span);
    let templates = match thread {
        None => "paused\n{a}",
        Some(Thread::Main) => "main thread|main\npaused {a}|{a}",
        Some(Thread::Renewer) => "renewals|renewer\npaused {a}|{a}",
    };
    forms(templates, &[&length])
}

/// A request that waits in a handler.
pub(super) fn stall(length: Span) -> String {
    forms("waits {a}|waits", &[&text::span(length)])
}

pub(super) fn more(topic: Topic, n: usize, outcome: &str) -> String {
    let (one, many) = match topic {
        Topic::Renew => ("more renewal", "more renewals"),
        Topic::Ping => ("more ping", "more pings"),
        Topic::Ask => ("more look", "more looks"),
        _ => ("more try", "more tries"),
    };
    let templates = if outcome == "no answer" { "{a}, no answer|{a}|×{b} more|×{b}" } else { "{a}|×{b} more|×{b}" };
    forms(templates, &[&text::count(n, one, many), &text::grouped(n as u64)])
}

/// Two ways to set the lines of a zone in which several believe; `told`: with its length, where there is room for that.
pub(super) fn zone(believers: usize, length: Span, told: bool) -> String {
    let who = match believers {
        2 => "both",
        3 => "three",
        _ => "several",
    };
    let templates = if told {
        "{a} believe\nthey hold|\nfor {b}|\u{1d}{a}\nbelieve\nthey hold|\nfor {b}|"
    } else {
        "{a} believe\nthey hold|\u{1d}{a}\nbelieve\nthey hold|"
    };
    forms(templates, &[who, &text::span(length)])
}

pub(super) fn cut(from: TrueTime, to: Option<TrueTime>) -> String {
    let at = |t: TrueTime| text::span(t.since(TrueTime::ZERO));
    let templates = if to.is_some() { "cut {a} – {b}|cut" } else { "cut from {a}|cut" };
    forms(templates, &[&at(from), &at(to.unwrap_or(from))])
}

pub(super) fn clock_step(by: Span) -> String {
    let sign = if by.is_negative() { "" } else { "+" };
    forms("clock steps {a}{b}|clock {a}{b}|{a}{b}", &[sign, &text::span(by)])
}

/// A rate in parts per million of the true one: "10 % fast".
pub(super) fn clock_rate(ppm: i64) -> String {
    let off = ppm - 1_000_000;
    let mut percent = String::new();
    text::fill(&mut percent, "{0}", &[((off.abs() + 500) / 1_000) as f64 / 10.0], &[]);
    let templates = if off == 0 { "clock runs true|clock true" } else { "clock {a}\u{a0}% {b}|{a}\u{a0}% {b}" };
    forms(templates, &[&percent, if off > 0 { "fast" } else { "slow" }])
}

/// What the resource shows after a write that was in order.
pub(super) fn value(w: &Written, name: &str) -> String {
    let templates = match w.mark {
        None => "value\u{a0}{a}, by {b}|{a}, by {b}|by {b}",
        Some(_) => "value\u{a0}{a}, by {b}|{a}, by {b}|by {b}\nseen:\u{a0}{c}",
    };
    forms(templates, &[&whole(w.version), name, &whole(w.mark.unwrap_or(0))])
}

/// An effect that should not have been.
pub(super) fn wrong(w: Wrong, seq: &Sequence) -> String {
    let (templates, who) = match w {
        Wrong::Lost(v) => ("accepted\n{a}’s write lost|{a}’s lost|lost", v),
        Wrong::Again => ("accepted\ndone a second time|done twice|twice", NodeId(0)),
        Wrong::After(v) => ("accepted\nafter {a}’s write|after {a}’s", v),
        Wrong::NotOwner(v) => ("accepted\n{a} has the lock|{a} has it", v),
    };
    forms(templates, &[seq.lanes.name(who)])
}

/// Why a resource turned something back, and whose write stands.
pub(super) fn refused(why: Reject, kept: Option<NodeId>, seq: &Sequence) -> String {
    let (templates, a, b) = match why {
        Reject::Token { token: Some(t), mark } if t < mark => ("refused:\u{a0}{a} < {b}|refused", t.get(), mark.get()),
        Reject::Token { token: Some(t), mark } => ("refused:\u{a0}{a} ≤ {b}|refused", t.get(), mark.get()),
        Reject::Token { token: None, .. } => ("refused:\u{a0}no token|refused", 0, 0),
        Reject::Owner => ("refused:\u{a0}not the owner|refused", 0, 0),
        Reject::Version { base, current } => ("refused:\u{a0}from {a}, is {b}|refused", base, current),
        Reject::Exists => ("refused:\u{a0}exists|refused", 0, 0),
        Reject::Sequence { number, last } => ("refused:\u{a0}no. {a} after {b}|refused", number.into(), last.into()),
    };
    let line = forms(templates, &[&whole(a), &whole(b)]);
    match kept {
        Some(k) => forms("{a}\n{b}’s write kept|{b}’s kept|kept", &[&line, seq.lanes.name(k)]),
        None => line,
    }
}

/// Why a worker stopped, if that is not plain from the picture.
pub(super) fn stops(why: StopWhy) -> Option<String> {
    let templates = match why {
        StopWhy::Deadline => "stops: deadline passed|stops: too late|stops",
        StopWhy::LostLease => "stops: lease lost|stops",
        StopWhy::GaveUp => "gives up",
        StopWhy::Failed => "stops: error|stops",
        StopWhy::Rejected | StopWhy::Ended => return None,
    };
    Some(forms(templates, &[]))
}

/// The simple words for what happens at an instant.
pub(super) fn plain(what: &What, seq: &Sequence) -> Option<String> {
    let (mut who, mut whose, mut numbers) = ("", "another", (0, 0));
    let templates = match what {
        What::Wakes { thread: None } => "wakes",
        What::Wakes { thread: Some(_) } => "goes on",
        What::Crashes { thread: None } => "crashes",
        What::Crashes { thread: Some(Thread::Renewer) } => "renewals end|no renewals",
        What::Crashes { thread: Some(Thread::Main) } => "main thread ends|main ends",
        What::Disconnects => "connection breaks|disconnected",
        What::Leads => "answers from now on|answers now",
        What::Restarts { empty: true } => "restarts, empty|restarts",
        What::Restarts { empty: false } => "restarts",
        What::ClockStep(by) => return Some(clock_step(*by)),
        What::ClockRate(ppm) => return Some(clock_rate(*ppm)),
        What::TimedOut { .. } => "no answer",
        What::Touch { lost: true } => "no word of its session|no word",
        What::Touch { lost: false } => "its session lives|lives",
        What::Ignored { .. } => "too late: ignored|ignored",
        What::CounterLost { from, to } => {
            numbers = (*from, *to);
            "counter falls {c} → {d}|counter falls"
        }
        What::FirstRead { version } => {
            numbers.0 = *version;
            "value\u{a0}{c}|{c}"
        }
        What::Replayed { .. } => "same answer again|as before\nnothing changed|no change",
        What::Activated { worker, mark } => {
            who = seq.lanes.name(*worker);
            numbers.0 = mark.unwrap_or(0);
            if mark.is_some() { "activated, {a}|for {a}\nseen:\u{a0}{c}" } else { "activated, {a}|for {a}" }
        }
        What::Called { worker, again: false } => {
            who = seq.lanes.name(*worker);
            "done, by {a}|done"
        }
        What::Called { again: true, .. } => "done again|again",
        What::StillWaits => "still waits|waits",
        What::MarkFell { to: None } => "mark forgotten|forgotten",
        What::MarkFell { to: Some(to) } => {
            numbers.0 = *to;
            "mark falls to\u{a0}{c}|mark falls"
        }
        What::CheckPassed { .. } => "check passed|passed",
        What::Unqueued => "loses its place in line|loses its place",
        What::RolledBack { .. } => "write dropped|dropped",
        What::Issued { worker, number, .. } => {
            who = seq.lanes.name(*worker);
            numbers.0 = *number;
            "{c}, by {a}|{c}"
        }
        What::ChecksInTime { .. } => "checks: in time|in time",
        What::ExtendsForeign { worker, holder } => {
            who = seq.lanes.name(*worker);
            whose = holder.map_or("another", |h| seq.lanes.name(h));
            "{a} extends {b}’s lease|extended by {a}|by {a}"
        }
        _ => return None,
    };
    Some(forms(templates, &[who, whose, &whole(numbers.0), &whole(numbers.1)]))
}
