//! Each event of a log as an object.

use super::super::Run;
use super::words::{clock_word, fate_word, loss_word, mode_word, point_word, stop_word, try_word};
use super::{local, ms, span};
use crate::base::fact::{Effect, Grant, Share, VoteEnd};
use crate::base::message::Reject;
use crate::base::row::Version;
use crate::base::{AcqId, ClockKind, Fact, LockId, Message, NodeId, OpKey, Payload, Thread};
use crate::trace::{EventKind, Fate, LostWhy, Narrator, Roster, TraceEvent};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn events(run: &Run) -> Vec<Value> {
    let mut narrator = Narrator::new(&run.roster);
    let mut known = Known::default();
    run.log
        .events()
        .iter()
        .map(|e| {
            let mut o = Map::new();
            o.insert("seq".into(), json!(e.seq.0));
            o.insert("at_ms".into(), ms(e.at));
            o.insert("node".into(), json!(run.roster.name(e.node)));
            o.insert("local_ms".into(), local(e.local));
            o.insert("cause".into(), json!(e.cause.map(|c| c.0)));
            Writer { roster: &run.roster, known: &mut known, o: &mut o }.kind(e);
            if let Some(text) = narrator.narrate(e) {
                o.insert("text".into(), json!(text));
            }
            Value::Object(o)
        })
        .collect()
}

/// What earlier events say about later ones.
#[derive(Default)]
struct Known {
    /// By tenure: the clock that its deadline is counted on.
    clocks: BTreeMap<AcqId, ClockKind>,
    /// Operations that delete: the shard, the worker and the name.
    deletes: BTreeSet<(NodeId, NodeId, OpKey)>,
}

/// Writes what happened into an event's object.
struct Writer<'a> {
    roster: &'a Roster,
    known: &'a mut Known,
    o: &'a mut Map<String, Value>,
}

impl Writer<'_> {
    fn put(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.o.insert(key.to_string(), value.into());
        self
    }

    fn node(&mut self, key: &str, id: NodeId) -> &mut Self {
        let name = self.roster.name(id).to_string();
        self.put(key, name)
    }

    fn lock(&mut self, id: LockId) -> &mut Self {
        let name = self.roster.locks.get(id.index()).cloned().unwrap_or_default();
        self.put("lock", name)
    }

    fn acq(&mut self, acq: Option<AcqId>) -> &mut Self {
        self.put("acquisition", json!(acq.map(|a| a.0)))
    }

    fn op(&mut self, op: OpKey) -> &mut Self {
        self.put("operation", format!("{:016x}", op.0))
    }

    fn kind(&mut self, e: &TraceEvent) {
        match e.kind {
            EventKind::Sent { msg, to, what, fate } => {
                self.put("kind", "sent").put("message", msg.0).node("to", to).put("fate", fate_word(fate));
                if let Fate::Copy { of } = fate {
                    self.put("copy_of", of.0);
                }
                self.message(&what);
            }
            EventKind::Arrived { msg, from, what } => {
                if let Payload::Write(w) | Payload::Stage(w) = what.payload {
                    let key = (e.node, from, w.op);
                    let _ = if w.delete { self.known.deletes.insert(key) } else { self.known.deletes.remove(&key) };
                }
                self.put("kind", "arrived").put("message", msg.0).node("from", from);
                self.message(&what);
            }
            EventKind::Lost { msg, from, to, kind, why } => {
                let why = match why {
                    LostWhy::Loss => "loss",
                    LostWhy::Dropped => "dropped",
                    LostWhy::Cut => "cut",
                    LostWhy::Down => "down",
                    LostWhy::Gone => "gone",
                };
                self.put("kind", "lost").put("message", msg.0).node("from", from).node("to", to);
                self.put("what", kind.to_string()).put("why", why);
            }
            EventKind::Did(fact) => self.fact(&fact, e.node),
            EventKind::Paused { thread } => {
                self.put("kind", "paused").thread(thread);
            }
            EventKind::Resumed { thread, since } => {
                self.put("kind", "resumed").thread(thread).put("since_ms", ms(since));
            }
            EventKind::Crashed { thread } => {
                self.put("kind", "crashed").thread(thread);
            }
            EventKind::Restarted => {
                self.put("kind", "restarted");
            }
            EventKind::Disconnected => {
                self.put("kind", "disconnected");
            }
            EventKind::Promoted => {
                self.put("kind", "promoted");
            }
            EventKind::ClockStepped { by } => {
                self.put("kind", "clock-stepped").put("by_ms", span(by));
            }
            EventKind::ClockRateSet { ppm } => {
                self.put("kind", "clock-rate-set").put("rate", ppm as f64 / 1e6);
            }
            EventKind::CutFrom { peer } => {
                self.put("kind", "cut").node("to", peer);
            }
            EventKind::Healed { peer } => {
                self.put("kind", "healed").node("to", peer);
            }
        }
    }

    fn thread(&mut self, thread: Option<Thread>) -> &mut Self {
        let word = match thread {
            None => return self,
            Some(Thread::Main) => "main",
            Some(Thread::Renewer) => "renewer",
        };
        self.put("thread", word)
    }

    fn message(&mut self, m: &Message) {
        self.put("what", m.kind.to_string()).put("nth", m.nth).put("call", m.call.0);
        if let Some(acq) = m.payload.acq() {
            self.acq(Some(acq));
        }
        if let Some(token) = m.payload.token() {
            self.put("token", token.get());
        }
        match m.payload {
            Payload::Enter { mode, n, .. } => {
                self.put("mode", mode_word(mode)).put("entry", n);
            }
            Payload::Write(w) | Payload::Stage(w) => {
                self.put("base", json!(w.base)).op(w.op).put("delete", w.delete);
            }
            Payload::Value { version }
            | Payload::Written { version }
            | Payload::Replayed { version }
            | Payload::Committed { version, .. } => {
                self.put("version", version);
            }
            Payload::Issue { number, .. } | Payload::Issued { number } => {
                self.put("number", number);
            }
            Payload::Rejected(why) => self.reject(why),
            Payload::Taken { left, .. } => {
                self.put("left_ms", json!(left.map(span)));
            }
            Payload::Listen { on, .. } => {
                self.put("on", on);
            }
            Payload::Put(p) => {
                self.put("expects", json!((p.expect != Version::ANY).then_some(p.expect.0)));
            }
            Payload::Seen { record, .. } => {
                let record = record.filter(|r| !r.released);
                self.put("taken", record.is_some()).put("version", json!(record.map(|r| r.version.0)));
            }
            _ => {}
        }
    }

    fn reject(&mut self, why: Reject) {
        match why {
            Reject::Token { token, mark } => {
                self.put("why", "token").put("token", json!(token.map(|t| t.get()))).put("mark", mark.get());
            }
            Reject::Owner => {
                self.put("why", "owner");
            }
            Reject::Version { base, current } => {
                self.put("why", "version").put("base", base).put("version", current);
            }
            Reject::Exists => {
                self.put("why", "exists");
            }
            Reject::Sequence { number, last } => {
                self.put("why", "sequence").put("number", number).put("last", last);
            }
        }
    }

    fn grant(&mut self, grant: Grant) {
        let Grant { lock, acq, worker, token, ttl, margin, asked, until, share, .. } = grant;
        self.lock(lock).acq(Some(acq)).node("worker", worker);
        self.put("token", json!(token.map(|t| t.get()))).put("ttl_ms", json!(ttl.map(span)));
        self.put("margin_ms", span(margin)).put("asked_ms", ms(asked));
        self.put("until_local_ms", json!(until.map(local)));
        match share {
            Share::Alone => {}
            Share::Read => {
                self.put("share", "read");
            }
            Share::Permit(of) => {
                self.put("share", "permit").put("permits", of);
            }
        }
    }

    fn vote_end(&mut self, why: VoteEnd) {
        match why {
            VoteEnd::Released { by } => self.put("why", "released").put("by", json!(by.map(|b| b.0))),
            VoteEnd::Expired => self.put("why", "expired"),
            VoteEnd::Forgotten => self.put("why", "forgotten"),
        };
    }

    fn fact(&mut self, fact: &Fact, at: NodeId) {
        match *fact {
            Fact::Granted(grant) => {
                self.put("kind", "granted");
                self.grant(grant);
            }
            Fact::Voted(grant) => {
                self.put("kind", "voted");
                self.grant(grant);
            }
            Fact::Refused { lock, acq, worker } => {
                self.put("kind", "refused").lock(lock).acq(Some(acq)).node("worker", worker);
            }
            Fact::Extended { lock, acq, by, worker, ttl, margin, asked, until } => {
                self.put("kind", "extended").lock(lock).acq(Some(acq)).put("by", by.0).node("worker", worker);
                self.put("ttl_ms", json!(ttl.map(span))).put("margin_ms", span(margin)).put("asked_ms", ms(asked));
                self.put("until_local_ms", json!(until.map(local)));
            }
            Fact::Reentered { lock, acq, by, worker, token, holds, ttl, margin, asked, until } => {
                self.put("kind", "reentered").lock(lock).acq(Some(acq)).put("by", by.0).node("worker", worker);
                self.put("holds", holds).put("token", json!(token.map(|t| t.get())));
                self.put("ttl_ms", json!(ttl.map(span))).put("margin_ms", span(margin)).put("asked_ms", ms(asked));
                self.put("until_local_ms", json!(until.map(local)));
            }
            Fact::CountedDown { lock, acq, by, holds } => {
                self.put("kind", "counted-down").lock(lock).acq(Some(acq)).put("by", by.0).put("holds", holds);
            }
            Fact::NotExtended { lock, by, worker } => {
                self.put("kind", "not-extended").lock(lock).put("by", by.0).node("worker", worker);
            }
            Fact::Released { lock, acq, by } => {
                self.put("kind", "released").lock(lock).acq(Some(acq)).put("by", json!(by.map(|b| b.0)));
            }
            Fact::NotHeld { lock, by, worker } => {
                self.put("kind", "not-held").lock(lock).put("by", by.0).node("worker", worker);
            }
            Fact::Expired { lock, acq } => {
                self.put("kind", "expired").lock(lock).acq(Some(acq));
            }
            Fact::Closed { lock, acq } => {
                self.put("kind", "closed").lock(lock).acq(Some(acq));
            }
            Fact::Forgotten { lock, acq } => {
                self.put("kind", "forgotten").lock(lock).acq(Some(acq));
            }
            Fact::TakenOver { lock, acq, by } => {
                self.put("kind", "taken-over").lock(lock).acq(Some(acq)).put("by", by.0);
            }
            Fact::VoteEnded { lock, acq, why } => {
                self.put("kind", "vote-ended").lock(lock).acq(Some(acq));
                self.vote_end(why);
            }
            Fact::Queued { lock, acq, worker, behind } => {
                self.put("kind", "queued").lock(lock).acq(Some(acq)).node("worker", worker).put("behind", behind.0);
            }
            Fact::Kept { lock, acq, worker, until } => {
                self.put("kind", "kept").lock(lock).acq(Some(acq)).node("worker", worker);
                self.put("until_local_ms", json!(until.map(local)));
            }
            Fact::Unqueued { lock, acq, why } => {
                self.put("kind", "unqueued").lock(lock).acq(Some(acq));
                self.vote_end(why);
            }
            Fact::Suspended => {
                self.put("kind", "suspended");
            }
            Fact::Reconnected => {
                self.put("kind", "reconnected");
            }
            Fact::CounterLost { lock, from, to } => {
                self.put("kind", "counter-lost").lock(lock).put("from", from).put("to", to);
            }
            Fact::Passed { point, n } => {
                self.put("kind", "passed").put("point", point_word(point)).put("n", n);
            }
            Fact::Believed { lock, acq, token, until, clock } => {
                self.known.clocks.insert(acq, clock);
                self.put("kind", "believed").lock(lock).acq(Some(acq));
                self.put("token", json!(token.map(|t| t.get()))).put("until_local_ms", json!(until.map(local)));
                self.put("clock", clock_word(clock));
            }
            Fact::Reckoned { lock, acq, until } => {
                let clock = self.known.clocks.get(&acq).map(|c| clock_word(*c));
                self.put("kind", "reckoned").lock(lock).acq(Some(acq)).put("until_local_ms", json!(until.map(local)));
                self.put("clock", json!(clock));
            }
            Fact::BeliefEnded { lock, acq, why } => {
                self.put("kind", "belief-ended").lock(lock).acq(Some(acq)).put("why", loss_word(why));
            }
            Fact::Checked { acq, valid } => {
                self.put("kind", "checked").acq(Some(acq)).put("valid", valid);
            }
            Fact::TimedOut { topic } => {
                self.put("kind", "timed-out").put("what", topic.word());
            }
            Fact::Ignored { topic } => {
                self.put("kind", "ignored").put("what", topic.word());
            }
            Fact::TryFailed { lock, acq, why } => {
                self.put("kind", "try-failed").lock(lock).acq(Some(acq)).put("why", try_word(why));
            }
            Fact::Stopped { why } => {
                self.put("kind", "stopped").put("why", stop_word(why));
            }
            Fact::Finished => {
                self.put("kind", "finished");
            }
            Fact::ReadServed { worker, acq, version } => {
                self.put("kind", "read").node("worker", worker).acq(acq).put("version", version);
            }
            Fact::Applied(Effect { worker, acq, op, token, base, before, after }) => {
                self.put("kind", "applied").node("worker", worker).acq(acq).op(op);
                self.put("token", json!(token.map(|t| t.get()))).put("base", json!(base));
                let delete = self.known.deletes.contains(&(at, worker, op));
                self.put("before", before).put("after", after).put("delete", delete);
            }
            Fact::Rejected { worker, acq, op, why, .. } => {
                self.put("kind", "rejected").node("worker", worker).acq(acq).op(op);
                self.reject(why);
            }
            Fact::Replayed { worker, acq, op } => {
                self.put("kind", "replayed").node("worker", worker).acq(acq).op(op);
            }
            Fact::Staged { worker, acq, op } => {
                self.put("kind", "staged").node("worker", worker).acq(acq).op(op);
            }
            Fact::Issued { worker, acq, number } => {
                self.put("kind", "issued").node("worker", worker).acq(acq).put("number", number);
            }
            Fact::IssueRejected { worker, acq, number, why } => {
                self.put("kind", "issue-rejected").node("worker", worker).acq(acq).put("number", number);
                self.reject(why);
            }
            Fact::RolledBack { worker, acq, op } => {
                self.put("kind", "rolled-back").node("worker", worker).acq(acq).op(op);
            }
            Fact::CheckPassed { worker, acq, op } => {
                self.put("kind", "check-passed").node("worker", worker).acq(acq).op(op);
            }
            Fact::Activated { worker, acq, token } => {
                self.put("kind", "activated").node("worker", worker).acq(acq);
                self.put("token", json!(token.map(|t| t.get())));
            }
            Fact::ActivationRejected { worker, acq, why } => {
                self.put("kind", "activation-rejected").node("worker", worker).acq(acq);
                self.reject(why);
            }
            Fact::ReadRejected { worker, acq, why } => {
                self.put("kind", "read-rejected").node("worker", worker).acq(acq);
                self.reject(why);
            }
            Fact::MarkMoved { from, to } => {
                self.put("kind", "mark-moved").put("from", json!(from.map(|t| t.get())));
                self.put("to", json!(to.map(|t| t.get())));
            }
            Fact::Called { worker, acq, op } => {
                self.put("kind", "called").node("worker", worker).acq(acq).op(op);
            }
        }
    }
}
