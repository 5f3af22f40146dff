//! One line per event: snapshots, command line, accessible fallback.
//!
//! Two readers want two things. A person wants the story: "W1 → lock acquire", "lock grants W1, grant 1, until 10.005 s", and nothing about
//! what follows anyway; that is [`Narrator::narrate`]. A test wants every event and every field; that is [`full`].
//!
//! The narrator is a fold, because a line refers to what was before: grants are numbered as the log makes them, and a write is told by
//! the value it carries ([`Values`]). Feed it every event in order, also those whose line is not wanted.

use super::event::{EventKind, Fate, LostWhy, TraceEvent};
use super::log::Roster;
use super::names::{NBSP, Names, at, length, reading};
use super::values::Values;
use crate::base::fact::{Effect, Grant, Loss, Share, StopWhy, TryEnd, VoteEnd};
use crate::base::message::{Mode, Over, Reject, Topic};
use crate::base::{AcqId, Fact, LocalTime, LockId, Message, NodeId, Payload, Span, Thread, Token, TrueTime};

/// Tells a log line by line.
#[derive(Clone, Debug)]
pub struct Narrator<'a> {
    names: Names<'a>,
    /// Every acquisition granted so far: whose, of which lock, and its number there.
    grants: Vec<Told>,
    /// Nodes of a quorum and the acquisitions that they have a record of; whose each acquisition is.
    voters: Vec<(NodeId, AcqId)>,
    owners: Vec<(AcqId, NodeId)>,
    values: Values,
    /// Who wrote each shard last.
    writers: Vec<(NodeId, NodeId)>,
    /// The cut or repair that was told last, since both ends report it.
    link: Option<(TrueTime, NodeId, NodeId, bool)>,
}

#[derive(Clone, Copy, Debug)]
struct Told {
    acq: AcqId,
    worker: NodeId,
    lock: LockId,
    number: u32,
}

/// The whole event on one line, every field, for golden traces: number, instant, node, its wall clock, cause, what happened.
pub fn full(e: &TraceEvent, roster: &Roster) -> String {
    let cause = e.cause.map_or("-".to_string(), |c| c.0.to_string());
    let TraceEvent { seq, at, node, local, kind, .. } = e;
    format!("{:>4} {at} {} [{local}] <{cause} {kind:?}", seq.0, roster.name(*node))
}

impl<'a> Narrator<'a> {
    pub fn new(roster: &'a Roster) -> Narrator<'a> {
        Narrator {
            names: Names::new(roster),
            grants: Vec::new(),
            voters: Vec::new(),
            owners: Vec::new(),
            values: Values::new(),
            writers: Vec::new(),
            link: None,
        }
    }

    /// The line for this event; `None` for what nobody needs to read.
    pub fn narrate(&mut self, e: &TraceEvent) -> Option<String> {
        let line = self.line(e);
        self.values.observe(e);
        line
    }

    fn line(&mut self, e: &TraceEvent) -> Option<String> {
        let who = self.who(e.node);
        match &e.kind {
            EventKind::Sent { to, what, fate, .. } => Some(self.sent(e.node, *to, what, *fate)),
            EventKind::Did(fact) => self.fact(e, fact),
            EventKind::Paused { thread } => Some(format!("{} pauses", self.part(e.node, *thread))),
            EventKind::Resumed { thread, .. } => Some(format!("{} resumes", self.part(e.node, *thread))),
            EventKind::Crashed { thread } => Some(format!("{} crashes", self.part(e.node, *thread))),
            EventKind::Restarted => Some(format!("{who} restarts")),
            EventKind::Promoted => Some(format!("{who} answers for the service from now on")),
            EventKind::Disconnected => Some(format!("{who}’s connections break")),
            EventKind::ClockStepped { by } if by.is_negative() => {
                Some(format!("{who}’s clock jumps {} back", length(-*by)))
            }
            EventKind::ClockStepped { by } => Some(format!("{who}’s clock jumps {} ahead", length(*by))),
            EventKind::ClockRateSet { ppm } => Some(format!("{who}’s clock runs {}", rate(*ppm))),
            EventKind::CutFrom { peer } => self.link(e, *peer, true),
            EventKind::Healed { peer } => self.link(e, *peer, false),
            EventKind::Lost { from, kind, why: LostWhy::Down, .. } => {
                Some(format!("{who} is down: {kind} from {} is lost", self.who(*from)))
            }
            EventKind::Lost { to, kind, why: LostWhy::Gone, .. } => {
                Some(format!("{who}’s {kind} to {} is lost with it", self.who(*to)))
            }
            // That it was lost on the way is said where it was sent; that it arrived shows in the answer.
            EventKind::Lost { .. } | EventKind::Arrived { .. } => None,
        }
    }

    fn sent(&self, from: NodeId, to: NodeId, what: &Message, fate: Fate) -> String {
        let note = match fate {
            Fate::Plain => "",
            Fate::Delayed => ", delayed",
            Fate::Copy { .. } => ", a copy",
            Fate::Lost => ", lost",
        };
        format!("{} → {} {}{note}", self.who(from), self.who(to), self.says(from, to, what))
    }

    fn says(&self, from: NodeId, to: NodeId, what: &Message) -> String {
        if let Payload::Hangup { over, .. } = what.payload {
            return if over == Over::Transaction { "transaction over" } else { "connection closed" }.to_string();
        }
        if !what.kind.reply
            && let Topic::Withdraw | Topic::Ping | Topic::Replicate = what.kind.topic
            && !matches!(what.payload, Payload::Revoke { .. })
        {
            return what.kind.topic.word().to_string();
        }
        let fixed = match what.payload {
            Payload::Acquire { .. } => "acquire",
            Payload::Enter { mode, n, .. } => entering(mode, n),
            Payload::Set { .. } => "set",
            Payload::Expire { .. } => "expire",
            Payload::Renew { .. } => "renew",
            Payload::Release { .. } => "release",
            Payload::Get { .. } => "get",
            Payload::Break { .. } => "break",
            Payload::Ask { .. } => "ask",
            Payload::Granted { token, .. } => return with_token("granted", token),
            Payload::Refused { .. } => "refused",
            Payload::Extended { .. } => "extended",
            Payload::NotExtended { .. } => "not extended",
            Payload::NotHeld { .. } => "not held",
            Payload::Owned { mine: true, .. } => "yours",
            Payload::Owned { mine: false, .. } => "not yours",
            Payload::Answer { owns: true, .. } => "owner",
            Payload::Answer { owns: false, .. } => "not owner",
            Payload::Read { token, .. } => return with_token("read", token),
            Payload::Write(w) if w.delete => return with_token("delete", w.token),
            Payload::Write(w) => {
                let value = self.values.computed(to, w.base).map_or(String::new(), |v| format!(" {v}"));
                return with_token(&format!("write{value}"), w.token);
            }
            Payload::Activate { token, .. } => return with_token("activate", token),
            Payload::Call { .. } | Payload::LongCall { .. } => "call",
            Payload::Value { version } => return self.values.value(from, version).to_string(),
            Payload::Rejected(_) => "refused",
            Payload::Released { .. } | Payload::Broken { .. } | Payload::Written { .. } => "ok",
            Payload::Activated | Payload::Called => "ok",
            Payload::Replayed { .. } => "ok, as before",
            Payload::Append => "store this",
            Payload::Replicate { .. } => "a copy",
            Payload::Appended | Payload::Replicated { .. } => "stored",
            Payload::Enqueue { .. } => "acquire",
            Payload::Look { .. } => "look again",
            Payload::Queued { behind, .. } => return format!("queued behind {}", self.who(behind)),
            Payload::SessionOver { .. } => "session over",
            Payload::Ping { .. } => "ping",
            Payload::Pong { alive: true, .. } => "alive",
            Payload::Pong { alive: false, .. } => "session over",
            Payload::Revoke { .. } => "end that session",
            Payload::Stage(w) => {
                let value = self.values.computed(to, w.base).map_or(String::new(), |v| format!(" {v}"));
                let verb = if w.delete { "delete" } else { "write" };
                return with_token(&format!("{verb}{value}, until the commit"), w.token);
            }
            Payload::Issue { token, number, .. } => return with_token(&format!("hand out {number}"), token),
            Payload::Issued { .. } => "ok",
            Payload::Mint { .. } => "activate",
            Payload::Minted { token } => return with_token("ok", Some(token)),
            Payload::Staged => "kept",
            Payload::Commit { .. } => "commit",
            Payload::Committed { .. } => "ok",
            Payload::Hangup { .. } => "connection closed",
            Payload::Failed => "error",
            Payload::Notify { .. } => "notify",
            Payload::Taken { left: Some(left), .. } => return format!("refused, {} left", length(left)),
            Payload::Taken { .. } => "refused",
            Payload::Listen { on: true, .. } => "subscribe",
            Payload::Listen { on: false, .. } => "unsubscribe",
            Payload::Listening { .. } => "subscribed",
            Payload::Alive => "alive",
            Payload::Inspect { .. } => "look",
            Payload::Seen { record: None, .. } => "nothing there",
            Payload::Seen { record: Some(r), .. } if r.released => "given back",
            Payload::Seen { .. } => "taken",
            Payload::Put(_) => what.kind.topic.word(),
        };
        fixed.to_string()
    }

    fn fact(&mut self, e: &TraceEvent, fact: &Fact) -> Option<String> {
        let here = self.who(e.node);
        Some(match fact {
            Fact::Voted(g) => match self.voters.contains(&(e.node, g.acq)) {
                true => format!("{here} extends {}’s vote{}", self.who(g.worker), until_end(g.until, None)),
                false => {
                    self.voters.push((e.node, g.acq));
                    self.owners.push((g.acq, g.worker));
                    format!("{here} votes for {}{}", self.who(g.worker), until_end(g.until, None))
                }
            },
            Fact::VoteEnded { acq, why, .. } => {
                self.voters.retain(|v| *v != (e.node, *acq));
                let whose = self.owners.iter().find(|o| o.0 == *acq).map_or("?", |o| self.who(o.1));
                match why {
                    VoteEnd::Released { by } if *by == Some(*acq) => format!("{here}: {whose} takes its vote back"),
                    VoteEnd::Released { .. } => format!("{here}: another release removes {whose}’s vote"),
                    VoteEnd::Expired => format!("{here}: {whose}’s vote runs out"),
                    VoteEnd::Forgotten => format!("{here} forgets {whose}’s vote"),
                }
            }
            Fact::Granted(g) if self.voters.iter().any(|v| v.1 == g.acq) => self.elected(g),
            Fact::Granted(g) => self.granted(here, g),
            Fact::Extended { acq, by, worker, until, ttl, .. } => {
                let end = until_end(*until, *ttl);
                match acq == by {
                    true => format!("{here} extends {}{end}", self.whose(*acq)),
                    false => format!("{here}: {}’s renewal extends {}{end}", self.who(*worker), self.whose(*acq)),
                }
            }
            Fact::Reentered { acq, holds, until, token, .. } => {
                let line = format!("{here} lets {} in again, {holds} times now", self.holder(*acq));
                with_token(&(line + &until_end(*until, None)), *token)
            }
            Fact::CountedDown { acq, holds, .. } => {
                let times = if *holds == 1 { "once".to_string() } else { format!("{holds} times") };
                format!("{here}: {} is in {times} still", self.holder(*acq))
            }
            Fact::Released { acq, by: Some(by), .. } if acq == by => match self.told(*acq) {
                Some(g) => format!("{here}: {} releases", self.who(g.worker)),
                None => format!("{here}: a release removes a record"),
            },
            Fact::Released { acq, by: Some(by), .. } => match self.told(*by) {
                Some(g) => format!("{here}: {}’s release removes {}", self.who(g.worker), self.whose(*acq)),
                None => format!("{here}: a release removes {}", self.whose(*acq)),
            },
            Fact::Released { acq, by: None, .. } => format!("{here}: {} is broken by order", self.whose(*acq)),
            Fact::Expired { acq, .. } => match self.told(*acq) {
                Some(g) => format!("{here}: {}’s lease runs out", self.who(g.worker)),
                None => format!("{here}: a lease runs out"),
            },
            Fact::Closed { acq, .. } => format!("{here}: {} goes with its connection", self.whose(*acq)),
            Fact::Forgotten { acq, .. } => format!("{here} forgets {}", self.whose(*acq)),
            Fact::TakenOver { acq, .. } => format!("{here}: {} is taken over", self.whose(*acq)),
            Fact::CounterLost { from, to, .. } => format!("{here}: the token counter falls from {from} to {to}"),

            Fact::BeliefEnded { why, .. } => return ended(here, *why),
            Fact::Checked { valid: true, .. } => format!("{here} checks: in time"),
            Fact::Checked { valid: false, .. } => format!("{here} checks: too late"),
            Fact::TimedOut { topic } => format!("{here}’s {} times out", topic.word()),
            Fact::Ignored { topic } => format!("{here} ignores a late {} reply", topic.word()),
            Fact::TryFailed { why: TryEnd::Failed, .. } => format!("{here}’s try fails"),
            Fact::TryFailed { why: TryEnd::GaveUp, .. } => format!("{here} gives up waiting"),
            Fact::TryFailed { why: TryEnd::Cancelled, .. } => format!("{here}’s acquisition is cancelled"),
            Fact::Stopped { why } => format!("{here} stops{}", stopped(*why)),

            Fact::Applied(effect) => self.applied(here, e.node, effect),
            Fact::Rejected { worker, why, .. } => {
                format!("{here} refuses {}’s write: {}", self.who(*worker), reason(why))
            }
            Fact::Replayed { worker, .. } => {
                format!("{here}: {}’s write was done before, same answer", self.who(*worker))
            }
            Fact::Issued { worker, number, .. } => format!("{here}: {number}, from {}", self.who(*worker)),
            Fact::IssueRejected { worker, number, why, .. } => {
                format!("{here} refuses {number} from {}: {}", self.who(*worker), reason(why))
            }
            Fact::Staged { worker, .. } => format!("{here} keeps {}’s write for its commit", self.who(*worker)),
            Fact::RolledBack { worker, .. } => format!("{here} drops {}’s write: not committed", self.who(*worker)),
            Fact::CheckPassed { worker, .. } => format!("{here}: {}’s write passes the check", self.who(*worker)),
            Fact::Activated { worker, token, .. } => {
                with_token(&format!("{here}: {} activates", self.who(*worker)), *token)
            }
            Fact::ActivationRejected { worker, why, .. } => {
                format!("{here} refuses {}’s activation: {}", self.who(*worker), reason(why))
            }
            Fact::ReadRejected { worker, why, .. } => {
                format!("{here} refuses {}’s read: {}", self.who(*worker), reason(why))
            }
            Fact::MarkMoved { from, to } if to < from => {
                let name = |m: &Option<Token>| m.map_or("nothing".to_string(), |t| t.to_string());
                format!("{here}: the mark falls from {} to {}", name(from), name(to))
            }
            Fact::Called { worker, .. } => format!("{here}: {}’s call takes effect", self.who(*worker)),

            Fact::Unqueued { acq, why, .. } => {
                let whose = self.owners.iter().find(|o| o.0 == *acq).map_or("?", |o| self.who(o.1));
                match why {
                    VoteEnd::Released { .. } => format!("{here}: {whose} leaves the line"),
                    VoteEnd::Expired => format!("{here}: {whose} counts as dead, and loses its place in line"),
                    VoteEnd::Forgotten => format!("{here} forgets {whose}’s place in line"),
                }
            }
            Fact::Queued { acq, worker, .. } => {
                self.owners.push((*acq, *worker));
                format!("{here}: {} joins the line", self.who(*worker))
            }
            Fact::Suspended => format!("{here} has not heard of its service for too long"),
            Fact::Reconnected => format!("{here} hears of its service again"),

            // Said by the message that tells it, by the value it gives, or of interest to machines only.
            Fact::Refused { .. }
            | Fact::NotExtended { .. }
            | Fact::NotHeld { .. }
            | Fact::Passed { .. }
            | Fact::Believed { .. }
            | Fact::Reckoned { .. }
            | Fact::TryFailed { why: TryEnd::Refused | TryEnd::TimedOut, .. }
            | Fact::Finished
            | Fact::ReadServed { .. }
            | Fact::Kept { .. }
            | Fact::MarkMoved { .. } => return None,
        })
    }

    /// The deciding vote has come.
    fn elected(&mut self, g: &Grant) -> String {
        let number = self.grants.iter().filter(|t| t.lock == g.lock).count() as u32 + 1;
        self.grants.push(Told { acq: g.acq, worker: g.worker, lock: g.lock, number });
        format!("{} has a majority: {}", self.who(g.worker), self.names.grant(g.lock, number))
    }

    fn granted(&mut self, here: &str, g: &Grant) -> String {
        if self.told(g.acq).is_some() {
            return format!("{here} holds {} again{}", self.whose(g.acq), until_end(g.until, g.ttl));
        }
        let number = self.grants.iter().filter(|t| t.lock == g.lock).count() as u32 + 1;
        self.grants.push(Told { acq: g.acq, worker: g.worker, lock: g.lock, number });
        let grant = self.names.grant(g.lock, number);
        let (verb, what) = match g.share {
            Share::Alone => ("grants", ""),
            Share::Read => ("grants", " to read"),
            Share::Permit(_) => ("gives", " a permit"),
        };
        let line = format!("{here} {verb} {}{what}, {grant}{}", self.who(g.worker), until_end(g.until, g.ttl));
        with_token(&line, g.token)
    }

    fn applied(&mut self, here: &str, shard: NodeId, effect: &Effect) -> String {
        let (who, value) = (self.who(effect.worker), self.values.written(shard, effect));
        let last = self.last_write(shard, effect.worker);
        let Some(base) = effect.base else { return format!("{here}: {who} writes {value}, without reading") };
        let lost = match last {
            Some(other) if base != effect.before && other == effect.worker => "; its own update lost".to_string(),
            Some(other) if base != effect.before => format!("; {}’s update lost", self.who(other)),
            _ => String::new(),
        };
        format!("{here}: {who} writes {value}, read {}{lost}", self.values.value(shard, base))
    }

    /// Who wrote this shard last; from now on `now`.
    fn last_write(&mut self, shard: NodeId, now: NodeId) -> Option<NodeId> {
        match self.writers.iter_mut().find(|(s, _)| *s == shard) {
            Some((_, writer)) => Some(std::mem::replace(writer, now)),
            None => {
                self.writers.push((shard, now));
                None
            }
        }
    }

    fn link(&mut self, e: &TraceEvent, peer: NodeId, cut: bool) -> Option<String> {
        let ends = (e.at, e.node.min(peer), e.node.max(peer), cut);
        if self.link == Some(ends) {
            return None;
        }
        self.link = Some(ends);
        let verb = if cut { "is cut off from" } else { "reaches" };
        Some(format!("{} {verb} {}{}", self.who(e.node), self.who(peer), if cut { "" } else { " again" }))
    }

    fn who(&self, id: NodeId) -> &'a str {
        self.names.node(id)
    }

    /// The node, or the thread of it that something happened to.
    fn part(&self, id: NodeId, thread: Option<Thread>) -> String {
        match thread {
            None => self.who(id).to_string(),
            Some(Thread::Main) => format!("{}’s main thread", self.who(id)),
            Some(Thread::Renewer) => format!("{}’s renewer", self.who(id)),
        }
    }

    fn told(&self, acq: AcqId) -> Option<Told> {
        self.grants.iter().rfind(|g| g.acq == acq).copied()
    }

    /// Whose record it is.
    fn holder(&self, acq: AcqId) -> &'a str {
        self.told(acq).map_or("somebody", |g| self.who(g.worker))
    }

    /// "W2’s grant 2".
    fn whose(&self, acq: AcqId) -> String {
        match self.told(acq) {
            Some(g) => format!("{}’s {}", self.who(g.worker), self.names.grant(g.lock, g.number)),
            None => "a record".to_string(),
        }
    }
}

/// How a lock with several holders, or one that counts, is asked for.
fn entering(mode: Mode, n: u16) -> &'static str {
    match mode {
        Mode::Upgrade => "upgrade",
        Mode::Downgrade => "downgrade",
        _ if n > 1 => "acquire again",
        Mode::Read => "acquire to read",
        Mode::Write => "acquire",
    }
}

fn with_token(text: &str, token: Option<Token>) -> String {
    token.map_or(text.to_string(), |t| format!("{text}, token{NBSP}{t}"))
}

/// The end of a record by the service's own clock, or its length where the service has none.
fn until_end(until: Option<LocalTime>, ttl: Option<Span>) -> String {
    match (until, ttl) {
        (Some(u), _) => format!(", until {}", reading(u)),
        (None, Some(ttl)) => format!(", for {}", length(ttl)),
        (None, None) => ", without end".to_string(),
    }
}

fn rate(ppm: i64) -> String {
    let off = ppm - crate::base::clock::TRUE_RATE;
    let percent = |n: i64| {
        let (whole, part) = (n / 10_000, n % 10_000);
        let digits = format!("{whole}.{part:04}");
        format!("{}{NBSP}%", digits.trim_end_matches('0').trim_end_matches('.'))
    };
    match off {
        0 => "true".to_string(),
        1.. => format!("{} fast", percent(off)),
        _ => format!("{} slow", percent(-off)),
    }
}

fn ended(who: &str, why: Loss) -> Option<String> {
    Some(match why {
        Loss::Deadline => format!("{who} notices that its own deadline has passed"),
        Loss::Refused => format!("{who} learns that it has lost the lock"),
        Loss::Unrenewed => format!("{who} gives the lock up: no renewal succeeded"),
        Loss::Abandoned => format!("{who} abandons the lock"),
        // Said by the release, the refusal, the end or the crash itself.
        Loss::Released | Loss::Rejected | Loss::Ended | Loss::Crashed => return None,
    })
}

fn stopped(why: StopWhy) -> &'static str {
    match why {
        StopWhy::Deadline => ": its own deadline has passed",
        StopWhy::LostLease => ": it has lost the lock",
        StopWhy::Rejected => ": the resource refused it",
        StopWhy::GaveUp => ": it gives up",
        StopWhy::Failed => ": an error",
        StopWhy::Ended => "",
    }
}

fn reason(why: &Reject) -> String {
    match *why {
        Reject::Token { token: Some(t), mark } => format!("token{NBSP}{t}, seen{NBSP}{mark}"),
        Reject::Token { token: None, mark } => format!("no token, seen{NBSP}{mark}"),
        Reject::Owner => "not the owner".to_string(),
        Reject::Version { base, current } => format!("computed from version{NBSP}{base}, now {current}"),
        Reject::Exists => "it exists".to_string(),
        Reject::Sequence { number, last } => format!("request{NBSP}{number} after {last}"),
    }
}

/// A line with its instant, as lists show it: "15.005  W1 → lock release".
pub fn timed(e: &TraceEvent, line: &str) -> String {
    format!("{:>8}  {line}", at(e.at).trim_end_matches(['s', NBSP]))
}

#[cfg(test)]
mod tests;
