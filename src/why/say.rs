//! One event in one sentence. What has nothing to tell in a chain of causes has none.

use super::tale::Tale;
use super::words::*;
use crate::base::fact::{Grant, StopWhy, TryEnd, VoteEnd};
use crate::base::message::{Over, Topic};
use crate::base::text::{natural, said};
use crate::base::{AcqId, Fact, LocalTime, Message, NodeId, Payload, Span, Thread, TrueTime};
use crate::trace::names::{at, length, reading};
use crate::trace::{EventKind, EventSeq, Fate, LostWhy, TraceEvent};

/// The sentence of an event that is one of the causes in `chain`.
pub fn say(tale: &Tale, e: &TraceEvent, chain: &[EventSeq]) -> Option<String> {
    let sentence = Say { tale, e, chain }.sentence()?;
    Some(upper(&sentence))
}

/// The first letter as a sentence has it. A name that begins with a small letter keeps it.
pub fn upper(sentence: &str) -> String {
    for begin in [THE_SERVICE, THE_RESOURCE] {
        if sentence.starts_with(begin) {
            return ["T", &sentence[1..]].concat();
        }
    }
    sentence.to_string()
}

/// "A", "A and B", "A, B and C".
pub fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first @ .., last] => [&first.join(", "), AND, last].concat(),
    }
}

/// What a request is called after "its".
pub fn noun(topic: Topic) -> &'static str {
    match topic {
        Topic::Acquire => "request",
        Topic::Renew => "renewal",
        Topic::Release => "release",
        Topic::Read => "read",
        Topic::Write => "write",
        Topic::Activate => "activation",
        Topic::Call => "call",
        Topic::Commit => "commit",
        Topic::Break => "order",
        Topic::Ask => "question",
        Topic::Ping => "heartbeat",
        Topic::Notify => "notice",
        Topic::Replicate => "copy",
        Topic::Withdraw => "clean-up",
    }
}

/// What this request is called after "its".
pub fn named(what: &Message) -> &'static str {
    if matches!(what.payload, Payload::Issue { .. }) { "request" } else { noun(what.kind.topic) }
}

struct Say<'a> {
    tale: &'a Tale<'a>,
    e: &'a TraceEvent,
    chain: &'a [EventSeq],
}

impl Say<'_> {
    fn sentence(&self) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let here = tale.the(e.node);
        Some(match &e.kind {
            EventKind::Paused { thread } => self.paused(*thread),
            EventKind::Resumed { thread, .. } => return self.resumed(*thread),
            EventKind::Crashed { thread: Some(Thread::Renewer) } => said(RENEWER_DIES, &[here]),
            EventKind::Crashed { thread: Some(Thread::Main) } => said(MAIN_DIES, &[here]),
            EventKind::Crashed { thread: None } if self.holds() => said(CRASHES_HOLDING, &[here]),
            EventKind::Crashed { thread: None } => said(CRASHES, &[here]),
            EventKind::Restarted => said(RESTARTS, &[here]),
            EventKind::Promoted => said(PROMOTED, &[tale.who(e.node)]),
            EventKind::CutFrom { peer } => return self.cut(*peer),
            EventKind::ClockStepped { by } if by.is_negative() => said(CLOCK_BACK, &[here, &length(-*by)]),
            EventKind::ClockStepped { by } => said(CLOCK_AHEAD, &[here, &length(*by)]),
            EventKind::ClockRateSet { ppm } => said(CLOCK_RATE, &[here, &length(Span::from_us(1_000_000 + ppm))]),
            EventKind::Disconnected => said(DISCONNECTED, &[here]),
            EventKind::Sent { .. } => return self.sent(),
            EventKind::Lost { from, kind, why: LostWhy::Down, .. } => {
                said(DOWN, &[here, tale.who(*from), noun(kind.topic)])
            }
            EventKind::Lost { to, why: LostWhy::Gone, .. } => said(COPY_LOST, &[here, tale.who(*to)]),
            EventKind::Did(fact) => return self.fact(fact),
            EventKind::Arrived { .. } | EventKind::Lost { .. } | EventKind::Healed { .. } => return None,
        })
    }

    /// Does the node believe in something now?
    fn holds(&self) -> bool {
        self.tale.roster.is_worker(self.e.node) && self.tale.believes(self.e.node, None, self.e.seq)
    }

    fn paused(&self, thread: Option<Thread>) -> String {
        let (here, wakes) = (self.tale.the(self.e.node), self.tale.waking(self.e).map(|w| at(w.at)));
        let worker = self.tale.roster.is_worker(self.e.node);
        match (thread, wakes) {
            (None, Some(t)) if worker => said(PAUSES_UNTIL, &[here, &t]),
            (None, Some(t)) => said(NODE_PAUSES, &[here, &t]),
            (None, None) => said(PAUSES, &[here]),
            (Some(Thread::Renewer), Some(t)) => said(RENEWER_PAUSES, &[here, &t]),
            (Some(Thread::Renewer), None) => said(RENEWER_PAUSES_EVER, &[here]),
            (Some(Thread::Main), Some(t)) => said(MAIN_PAUSES, &[here, &t]),
            (Some(Thread::Main), None) => said(MAIN_PAUSES_EVER, &[here]),
        }
    }

    fn resumed(&self, thread: Option<Thread>) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        if thread == Some(Thread::Renewer) || !tale.roster.is_worker(e.node) {
            return None;
        }
        let here = tale.the(e.node);
        // What it does at once is told with it.
        if let Some((noun, base)) = self.sends_at_once() {
            let its = said(ITS, &[noun]);
            return Some(match base {
                Some(v) => said(WAKES_AND_SENDS_COMPUTED, &[here, &its, &natural(v)]),
                None => said(WAKES_AND_SENDS, &[here, &its]),
            });
        }
        if !tale.believes(e.node, None, e.seq) {
            return Some(said(WAKES, &[here]));
        }
        Some(said(WAKES_BELIEVING, &[here, &self.its_lock()]))
    }

    /// The lock that the worker at hand believes in.
    fn its_lock(&self) -> String {
        let held = self.tale.facts_before(self.e.seq).find_map(|(e, f)| match f {
            Fact::Believed { lock, .. } if e.node == self.e.node => Some(*lock),
            _ => None,
        });
        self.tale.names.lock(held.unwrap_or_default())
    }

    /// The plain request in the chain that this waking worker sends at this very instant.
    fn sends_at_once(&self) -> Option<(&'static str, Option<u64>)> {
        let (tale, e) = (self.tale, self.e);
        let sent =
            self.chain.iter().map(|s| tale.event(*s)).find(|s| s.at == e.at && s.node == e.node && s.seq > e.seq)?;
        let EventKind::Sent { to, what, fate: Fate::Plain, .. } = &sent.kind else { return None };
        let believes = tale.believes(e.node, what.payload.acq(), e.seq);
        believes.then(|| (named(what), self.base(*to, &what.payload)))
    }

    fn base(&self, to: NodeId, payload: &Payload) -> Option<u64> {
        match payload {
            Payload::Write(w) | Payload::Stage(w) => w.base.map(|b| self.tale.value(to, b)),
            _ => None,
        }
    }

    /// Both ends report a cut, and a node may be cut from several: the first tells of all.
    fn cut(&self, peer: NodeId) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let at_once = || {
            tale.events.iter().filter(|o| o.at == e.at).filter_map(|o| match o.kind {
                EventKind::CutFrom { peer } => Some((o.seq, o.node, peer)),
                _ => None,
            })
        };
        let told = |seq: EventSeq| self.chain.contains(&seq);
        if at_once().any(|(seq, a, b)| seq < e.seq && told(seq) && (a == e.node || (a, b) == (peer, e.node))) {
            return None;
        }
        let mut peers: Vec<&str> = Vec::new();
        for (_, a, b) in at_once().filter(|c| c.1 == e.node || c.2 == e.node) {
            let other = tale.the(if a == e.node { b } else { a });
            if !peers.contains(&other) {
                peers.push(other);
            }
        }
        Some(said(CUT, &[tale.the(e.node), &listed(&peers)]))
    }

    fn sent(&self) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let EventKind::Sent { msg, to, what, fate } = &e.kind else { return None };
        let kind = what.kind;
        let took = tale.end_of(*msg).map(|a| a.at.since(e.at));
        let slow = took.filter(|t| *fate == Fate::Delayed || *t > tale.typical.times(4)).map(length);
        let (here, there) = (tale.the(e.node), tale.who(*to));
        if let Payload::Hangup { over: Over::Crash | Over::Process | Over::Transaction, .. } = what.payload {
            return None;
        }
        if kind.reply || !tale.roster.is_worker(e.node) {
            let noun = if tale.roster.is_worker(*to) { noun(kind.topic) } else { self::noun(Topic::Replicate) };
            return match fate {
                Fate::Lost => Some(said(ANSWER_LOST, &[here, there, noun])),
                Fate::Copy { .. } => Some(said(ANSWER_COPY, &[here, there])),
                _ if what.payload == Payload::Failed => Some(said(ANSWER_ERROR, &[here, there, noun])),
                _ => slow.map(|t| said(ANSWER_SLOW, &[here, there, noun, &t])),
            };
        }
        let its = said(ITS, &[named(what)]);
        Some(match (fate, slow) {
            (Fate::Lost, _) => said(SENDS_LOST, &[here, &its]),
            (Fate::Copy { .. }, Some(t)) => said(COPY, &[here, noun(kind.topic), &t]),
            (Fate::Copy { .. }, None) => said(COPY_SETS_OUT, &[here, noun(kind.topic)]),
            (_, Some(t)) => said(SENDS_SLOW, &[here, &its, &t]),
            _ => return self.plainly(*to, &what.payload, &its),
        })
    }

    /// A request that nothing was done to.
    fn plainly(&self, to: NodeId, payload: &Payload, its: &str) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let here = tale.the(e.node);
        // Told with its sender's waking.
        let woke = |o: &TraceEvent| o.node == e.node && o.at == e.at && matches!(o.kind, EventKind::Resumed { .. });
        let told = self.chain.iter().map(|s| tale.event(*s)).any(woke);
        if told && tale.believes(e.node, payload.acq(), e.seq) {
            return None;
        }
        if let Some(lock) = super::tale::asks_for(payload) {
            return Some(said(ASKS, &[here, &tale.names.lock(lock)]));
        }
        Some(match self.base(to, payload) {
            Some(v) => said(SENDS_COMPUTED, &[here, its, &natural(v)]),
            None => said(SENDS, &[here, its]),
        })
    }

    fn fact(&self, fact: &Fact) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let here = tale.the(e.node);
        let whose = |acq: AcqId| tale.owner_name(acq);
        let clock = (e.local.as_us() != e.at.as_us()).then_some(());
        Some(match fact {
            Fact::Granted(g) => self.granted(g),
            Fact::Extended { acq, by, worker, .. } if acq != by => match tale.owner(*acq) == Some(*worker) {
                true => said(OWN_RENEWAL, &[tale.who(*worker)]),
                false => said(FOREIGN_RENEWAL, &[tale.who(*worker), whose(*acq)]),
            },
            Fact::Extended { acq, until: Some(t), .. } | Fact::Reentered { acq, until: Some(t), .. } => {
                said(EXTENDS, &[here, whose(*acq), &self.until(*t)])
            }
            Fact::Extended { acq, .. } | Fact::Reentered { acq, .. } => said(EXTENDS_FREE, &[here, whose(*acq)]),
            Fact::Expired { acq, .. } | Fact::Forgotten { acq, .. } if tale.by_votes(*acq) => {
                said(NO_MAJORITY, &[whose(*acq)])
            }
            Fact::Expired { acq, .. } if self.is_session(*acq) => said(SESSION_OVER, &[whose(*acq)]),
            Fact::Expired { acq, .. } => match clock {
                Some(()) => said(RUNS_OUT_CLOCK, &[whose(*acq), here]),
                None => said(RUNS_OUT, &[whose(*acq)]),
            },
            Fact::Forgotten { acq, .. } => said(FORGETS, &[here, whose(*acq)]),
            Fact::Released { lock, acq, by } => match by {
                None => said(BROKEN, &[whose(*acq)]),
                Some(by) if by == acq => said(RELEASES, &[whose(*acq), &tale.names.lock(*lock)]),
                Some(by) if tale.owner(*by) == tale.owner(*acq) => said(REMOVES_OWN, &[whose(*by)]),
                Some(by) => said(REMOVES, &[whose(*by), whose(*acq)]),
            },
            Fact::TakenOver { acq, by, .. } => said(TAKEN_OVER, &[whose(*by), whose(*acq)]),
            Fact::Closed { acq, .. } => said(CLOSED, &[whose(*acq)]),
            Fact::Queued { worker, behind, .. } => said(QUEUED, &[here, tale.who(*worker), whose(*behind)]),
            Fact::Unqueued { acq, .. } => said(UNQUEUED, &[whose(*acq)]),
            Fact::VoteEnded { acq, why, .. } => return self.vote_ended(*acq, *why),
            Fact::CountedDown { acq, .. } => said(COUNTED, &[whose(*acq)]),
            Fact::CounterLost { from, to, .. } => said(COUNTER, &[here, &natural(*from), &natural(*to)]),

            Fact::Believed { lock, acq, .. } => {
                let template = if tale.grant_before(*acq, e.seq).is_some() { LEARNS } else { BELIEVES };
                said(template, &[here, &tale.names.lock(*lock)])
            }
            Fact::Checked { valid: true, .. } => said(CHECKS, &[here]),
            Fact::TimedOut { topic } => said(HEARS_NOTHING, &[here, noun(*topic)]),
            Fact::TryFailed { why, .. } => match why {
                TryEnd::GaveUp => said(GIVES_UP, &[here]),
                TryEnd::Cancelled => said(CANCELLED, &[here]),
                TryEnd::Failed => said(TRY_FAILS, &[here]),
                TryEnd::Refused | TryEnd::TimedOut => said(TRY_REFUSED, &[here, &self.tries()]),
            },
            Fact::Refused { worker, .. } => said(REFUSED, &[here, tale.who(*worker)]),
            Fact::Stopped { why: StopWhy::Ended } | Fact::Finished if self.orphaned() => said(FINISHES, &[here]),
            Fact::Stopped { .. } if self.orphaned() => said(STOPS_HOLDING, &[here]),

            Fact::ReadServed { worker, version, .. } => self.read(*worker, *version),
            Fact::Applied(x) => said(ACCEPTS, &[here, tale.who(x.worker), &natural(tale.value(e.node, x.after))]),
            Fact::Called { worker, .. } => said(CALLED, &[tale.who(*worker)]),
            Fact::CheckPassed { worker, .. } => said(PASSES, &[here, tale.who(*worker)]),
            Fact::Activated { worker, .. } => said(ACTIVATES, &[here, tale.who(*worker)]),
            Fact::MarkMoved { from, to } => {
                let name = |t: &Option<crate::base::Token>| t.map_or(NOTHING.to_string(), |t| natural(t.get()));
                if to < from {
                    said(MARK_FALLS, &[here, &name(from), &name(to)])
                } else {
                    said(MARK_RISES, &[here, &name(to)])
                }
            }
            Fact::Issued { worker, number, .. } => said(HANDED_OUT, &[here, &natural(*number), tale.who(*worker)]),
            _ => return None,
        })
    }

    /// The first of several nodes whose records end at one instant tells of all.
    fn vote_ended(&self, acq: AcqId, why: VoteEnd) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let like = |o: &&TraceEvent| {
            let ended = |f: &Fact| matches!(f, Fact::VoteEnded { acq: a, why: w, .. } if *a == acq && *w == why);
            o.at == e.at && matches!(&o.kind, EventKind::Did(f) if ended(f))
        };
        let all: Vec<&TraceEvent> = self.chain.iter().map(|s| tale.event(*s)).filter(like).collect();
        if all.first().is_some_and(|first| first.seq < e.seq) {
            return None;
        }
        let (mut names, mut true_clocks): (Vec<&str>, bool) = (Vec::new(), true);
        for o in &all {
            names.push(tale.who(o.node));
            true_clocks &= o.local.as_us() == o.at.as_us();
        }
        if names.is_empty() {
            names.push(tale.who(e.node));
        }
        let template = match (why, names.len(), true_clocks) {
            (VoteEnd::Released { by }, ..) if by == Some(acq) => return None,
            (VoteEnd::Released { .. }, ..) => VOTE_REMOVED,
            (VoteEnd::Forgotten, 1, _) => VOTE_FORGOTTEN,
            (VoteEnd::Forgotten, ..) => VOTES_FORGOTTEN,
            (VoteEnd::Expired, 1, true) => VOTE_ENDS,
            (VoteEnd::Expired, 1, false) => VOTE_ENDS_CLOCK,
            (VoteEnd::Expired, _, true) => VOTES_END,
            (VoteEnd::Expired, _, false) => VOTES_END_CLOCK,
        };
        Some(said(template, &[&listed(&names), tale.owner_name(acq)]))
    }

    /// How many tries of this worker have ended by now.
    fn tries(&self) -> String {
        let ended = |f: &Fact| matches!(f, Fact::TryFailed { .. });
        let before = self.tale.facts_before(self.e.seq).filter(|(e, f)| e.node == self.e.node && ended(f)).count();
        natural(before as u64 + 1)
    }

    /// The worker comes to its end while a record of its stands.
    fn orphaned(&self) -> bool {
        let (tale, e) = (self.tale, self.e);
        tale.facts_before(e.seq).any(|(g, f)| match f {
            Fact::Granted(x) if x.worker == e.node => {
                g.seq < e.seq && tale.facts_after(g.seq).all(|(_, f)| super::tale::ends(f) != Some(x.acq))
            }
            _ => false,
        })
    }

    fn is_session(&self, acq: AcqId) -> bool {
        self.tale.events.iter().any(
            |e| matches!(&e.kind, EventKind::Sent { what, .. } if matches!(what.payload, Payload::Enqueue { acq: a, .. } if a == acq)),
        )
    }

    /// An end by the service's clock, as people read it.
    fn until(&self, t: LocalTime) -> String {
        let mut out = reading(t);
        if self.e.local.as_us() != self.e.at.as_us() {
            out.push_str(BY_ITS_CLOCK);
        }
        out
    }

    fn granted(&self, g: &Grant) -> String {
        let (tale, e) = (self.tale, self.e);
        let (here, whom, lock) = (tale.the(e.node), tale.who(g.worker), tale.names.lock(g.lock));
        if tale.grant_before(g.acq, e.seq).is_some() {
            return said(GRANTS_AGAIN, &[here, whom]);
        }
        let token = g.token.map_or(String::new(), |t| natural(t.get()));
        if tale.by_votes(g.acq) {
            let voters: Vec<&str> = tale.voters(g.acq, e.seq).iter().map(|n| tale.who(*n)).collect();
            let template = if g.token.is_some() { VOTES_TOKEN } else { VOTES };
            return said(template, &[&listed(&voters), whom, &token]);
        }
        // A store without a clock knows of no end.
        if tale
            .request_behind(e)
            .is_some_and(|r| matches!(&r.kind, EventKind::Sent { what, .. } if matches!(what.payload, Payload::Put(_))))
        {
            return said(RECORDS, &[here, whom]);
        }
        let until = g.until.map(|t| self.until(t));
        let template = match (&until, g.token) {
            (Some(_), None) => GRANTS_UNTIL,
            (Some(_), Some(_)) => GRANTS_TOKEN,
            (None, None) => GRANTS_FREE,
            (None, Some(_)) => GRANTS_FREE_TOKEN,
        };
        said(template, &[here, whom, &lock, until.as_deref().unwrap_or_default(), &token])
    }

    fn read(&self, worker: NodeId, version: u64) -> String {
        let (tale, e) = (self.tale, self.e);
        let before = self.chain.iter().map(|s| tale.event(*s)).any(|o| {
            let same =
                |f: &Fact| matches!(f, Fact::ReadServed { worker: w, version: v, .. } if *w != worker && *v == version);
            o.seq < e.seq && o.node == e.node && matches!(&o.kind, EventKind::Did(f) if same(f))
        });
        said(if before { READS_TOO } else { READS }, &[tale.who(worker), &natural(tale.value(e.node, version))])
    }
}

/// How long after.
pub fn after(from: TrueTime, to: TrueTime) -> String {
    length(to.since(from))
}
