//! From messages to arrows: one call to a group of nodes is one mark, never five.
//!
//! A request to one member only (the leader of a replicated group) is an arrow like any other. A fan-out is one request from the worker
//! to the group's bar, one reply back, and between them the *vote*: a disc per node at the instant at which the call reached it. The
//! reply leaves with the last counted answer and carries the count.

use super::fold;
use super::{Effect, Flight};
use crate::base::message::Topic;
use crate::base::{NodeId, Payload, TrueTime};
use crate::trace::{EventSeq, Fate};
use crate::view::lanes::Lanes;
use crate::view::order;
use crate::view::sequence::{Answer, Arrow, ArrowFate, Ballot, BarEnd, BarKind, Sequence};
use crate::view::text::{said, whole};
use crate::view::words;

/// All arrows of a run in order of sending, and the votes.
pub(super) fn arrows(flights: &[Flight], seq: &Sequence) -> (Vec<Arrow>, Vec<Ballot>) {
    let lanes = &seq.lanes;
    let mut arrows = Vec::new();
    let mut ballots = Vec::new();
    // What nobody asked for is an arrow by itself.
    let grouped = |f: &Flight| {
        f.what.kind.topic != Topic::Notify
            && ((lanes.is_worker(f.from) && lanes.in_group(f.to)) || (lanes.in_group(f.from) && lanes.is_worker(f.to)))
    };
    for f in flights.iter().filter(|f| !f.hidden) {
        // What members of one group tell each other happens inside one lane.
        if !grouped(f) && lanes.lane(f.from) != lanes.lane(f.to) {
            arrows.push(single(f, lanes));
        }
    }
    for call in fold::calls(flights, lanes) {
        let mut own: Vec<&Flight> = Vec::new();
        for i in &call.flights {
            let f = &flights[*i];
            if !f.hidden && grouped(f) {
                own.push(f);
            }
        }
        // One call may ask twice (an identical request after a time-out): every sending is a fan-out of its own.
        let mut sendings: Vec<(usize, TrueTime)> = Vec::new();
        for f in &own {
            let sending = (lanes.lane(f.to), f.sent);
            if !f.what.kind.reply && !sendings.contains(&sending) {
                sendings.push(sending);
            }
        }
        order::by_key(&mut sendings, |s| (s.0 as i64, s.1.as_us()));
        for (lane, sent) in &sendings {
            let mut next = TrueTime::NEVER;
            for (_, start) in &sendings {
                if start > sent {
                    next = next.min(*start);
                }
            }
            let (mut requests, mut replies): (Vec<&Flight>, Vec<&Flight>) = (Vec::new(), Vec::new());
            for f in &own {
                let there = if f.what.kind.reply { f.from } else { f.to };
                if lanes.lane(there) != *lane {
                    continue;
                }
                if !f.what.kind.reply {
                    if f.sent == *sent {
                        requests.push(f);
                    }
                } else if f.sent >= *sent && f.sent < next {
                    replies.push(f);
                }
            }
            if requests.len() == 1 {
                // One member answers for the group: a leader's word is the group's, and no vote.
                requests.extend(replies);
                requests.iter().for_each(|f| arrows.push(single(f, lanes)));
            } else {
                fan_out(call.worker, *lane, &requests, &replies, seq, &mut arrows, &mut ballots);
            }
        }
    }
    order::by_key(&mut arrows, |a| (a.sent.as_us(), a.seq.0.into()));
    (arrows, ballots)
}

/// A message between two lanes.
fn single(f: &Flight, lanes: &Lanes) -> Arrow {
    let worker = [f.from, f.to].into_iter().find(|n| lanes.is_worker(*n));
    let words = words::message(f);
    Arrow {
        seq: f.seq,
        arrival: f.arrival.map(|a| a.0),
        from: lanes.lane(f.from),
        to: lanes.lane(f.to),
        sent: f.sent,
        arrived: f.arrival.map(|a| a.1),
        worker,
        kind: f.what.kind,
        label: words.forms,
        token: badge(f),
        heavy: is_heavy(f),
        one_way: f.what.kind.topic == Topic::Notify,
        fate: fate(f),
        // That the resource said yes to what it should have refused is part of the story.
        rank: if f.effect == Effect::LateAnswer { words.rank.min(2) } else { words.rank },
    }
}

/// Tokens stand on grants and on what carries them to the resource.
fn badge(f: &Flight) -> Option<u64> {
    match f.what.payload {
        Payload::Granted { token, .. } | Payload::Activate { token, .. } => token.map(|t| t.get()),
        Payload::Write(w) | Payload::Stage(w) => w.token.map(|t| t.get()),
        _ => None,
    }
}

/// An effect, as opposed to talk.
fn is_heavy(f: &Flight) -> bool {
    matches!(
        f.what.payload,
        Payload::Write(_)
            | Payload::Stage(_)
            | Payload::Commit { .. }
            | Payload::Call { .. }
            | Payload::LongCall { .. }
            | Payload::Issue { .. }
    ) && !f.what.kind.reply
}

fn fate(f: &Flight) -> ArrowFate {
    if let Some(why) = f.lost {
        return ArrowFate::Lost(why);
    }
    match (f.effect, f.fate, f.what.payload) {
        (Effect::Late, ..) => ArrowFate::Late,
        (Effect::TurnedBack | Effect::Wronged, ..) => ArrowFate::TurnedBack,
        // Green says that something was held; here it was not.
        (Effect::WrongedAnswer, ..) => ArrowFate::Plain,
        (_, _, Payload::Rejected(_)) => ArrowFate::AnswerNo,
        _ if f.ignored => ArrowFate::Ignored,
        _ if f.arrival.is_none() => ArrowFate::UnderWay,
        (_, Fate::Delayed, _) => ArrowFate::Delayed,
        (_, Fate::Copy { .. }, _) => ArrowFate::Copy,
        _ => ArrowFate::Plain,
    }
}

/// What a node's answer says, or was meant to say.
fn vote(p: &Payload) -> Option<Answer> {
    match p {
        Payload::Granted { .. }
        | Payload::Extended { .. }
        | Payload::Released { .. }
        | Payload::Owned { mine: true, .. } => Some(Answer::Yes),
        Payload::Refused { .. } | Payload::NotExtended { .. } | Payload::NotHeld { .. } | Payload::Owned { .. } => {
            Some(Answer::No)
        }
        _ => None,
    }
}

fn fan_out(
    worker: NodeId,
    lane: usize,
    requests: &[&Flight],
    replies: &[&Flight],
    seq: &Sequence,
    arrows: &mut Vec<Arrow>,
    ballots: &mut Vec<Ballot>,
) {
    let lanes = &seq.lanes;
    let nodes = &lanes.lanes[lane].nodes;
    let Some(head) = requests.iter().find(|f| f.lost.is_none()).or_else(|| requests.first()).copied() else { return };
    let topic = head.what.kind.topic;
    let mut landed: Option<(EventSeq, TrueTime)> = None;
    let (mut lost, mut delayed) = (true, true);
    for f in requests {
        delayed &= f.fate == Fate::Delayed;
        if f.lost.is_none() {
            lost = false;
            if let Some(a) = f.arrival
                && landed.is_none_or(|l| a.1 < l.1)
            {
                landed = Some(a);
            }
        }
    }
    let mut request = single(head, lanes);
    request.to = lane;
    request.arrival = landed.map(|a| a.0);
    request.arrived = landed.map(|a| a.1);
    if !lost {
        request.fate = if landed.is_none() {
            ArrowFate::UnderWay
        } else if delayed {
            ArrowFate::Delayed
        } else {
            ArrowFate::Plain
        };
        if !delayed {
            request.label = words::message(head).plain;
        }
    }
    // Discs: what the node did, whether or not the worker learned of it.
    let reached = request.arrived.unwrap_or(head.sent);
    let quiet = !matches!(topic, Topic::Acquire | Topic::Renew);
    if !lost {
        let (mut votes, mut again): (Vec<(Answer, TrueTime)>, Vec<usize>) = (Vec::new(), Vec::new());
        for (m, n) in nodes.iter().enumerate() {
            let asked = requests.iter().find(|f| f.to == *n).filter(|f| f.lost.is_none()).and_then(|f| f.arrival);
            let said = replies.iter().find(|f| f.from == *n).and_then(|f| vote(&f.what.payload).map(|v| (v, f.sent)));
            let vote = said.map_or((Answer::Silent, reached), |(v, sent)| (v, asked.map_or(sent, |a| a.1)));
            if topic == Topic::Acquire && vote.0 == Answer::Yes && breaks_promise(*n, vote.1, seq) {
                again.push(m);
            }
            votes.push(vote);
        }
        ballots.push(Ballot { lane, worker, quiet, votes, again });
    }
    let (mut yes, mut last): (usize, Option<&Flight>) = (0, None);
    for f in replies {
        if f.lost.is_none() && f.arrival.is_some() && !f.ignored {
            yes += usize::from(vote(&f.what.payload) == Some(Answer::Yes));
            let when = |f: &Flight| (f.arrival.map(|a| a.1), f.seq);
            if last.is_none_or(|l| when(l) <= when(f)) {
                last = Some(f);
            }
        }
    }
    if let Some(last) = last {
        let mut answer = single(last, lanes);
        let label = if quiet && yes > nodes.len() / 2 {
            "ok".to_string()
        } else {
            said("{a} of {b}", &[&whole(yes as u64), &whole(nodes.len() as u64)])
        };
        answer.label = label;
        answer.rank = if topic == Topic::Acquire { 1 } else { 4 };
        answer.token = None;
        arrows.push(answer);
    }
    arrows.push(request);
}

/// This node gave its vote although an earlier one, by a true clock, had not run out.
fn breaks_promise(node: NodeId, at: TrueTime, seq: &Sequence) -> bool {
    let keys = || seq.bars.iter().filter(|b| b.kind == BarKind::Vote && b.node == node);
    let Some(new) = keys().find(|b| b.from == at) else { return false };
    keys().any(|b| {
        b.acq != new.acq
            && b.from < at
            && !matches!(b.end, BarEnd::Released | BarEnd::Taken(_))
            && b.to.is_some_and(|to| to <= at)
            && b.ttl.is_some_and(|ttl| b.from + ttl > at)
    })
}
