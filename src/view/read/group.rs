//! From messages to arrows: one call to a group of nodes is one mark, never five.
//!
//! A fan-out is one request from the worker to the group's bar, one reply back, and between them the *vote*: a disc per node at the instant
//! at which the call reached it. The reply leaves with the last counted answer and carries the count.

use super::fold;
use super::{Effect, Flight};
use crate::base::flat::FlatMap;
use crate::base::message::Topic;
use crate::base::{NodeId, Payload, TrueTime};
use crate::trace::Fate;
use crate::view::lanes::Lanes;
use crate::view::sequence::{Answer, Arrow, ArrowFate, Ballot, BarEnd, BarKind, Sequence};
use crate::view::text::{said, whole};
use crate::view::words;

/// All arrows of a run in order of sending, and the votes.
pub(super) fn arrows(flights: &[Flight], seq: &Sequence) -> (Vec<Arrow>, Vec<Ballot>) {
    let lanes = &seq.lanes;
    let mut arrows = Vec::new();
    let mut ballots = Vec::new();
    let grouped = |f: &Flight| {
        (lanes.is_worker(f.from) && lanes.in_group(f.to)) || (lanes.in_group(f.from) && lanes.is_worker(f.to))
    };
    for f in flights.iter().filter(|f| !f.hidden) {
        // What members of one group tell each other happens inside one lane.
        if !grouped(f) && lanes.lane(f.from) != lanes.lane(f.to) {
            arrows.push(single(f, lanes));
        }
    }
    for call in fold::calls(flights, lanes) {
        let own: Vec<&Flight> = call.flights.iter().map(|i| &flights[*i]).filter(|f| !f.hidden && grouped(f)).collect();
        // One call may ask twice (an identical request after a time-out): every sending is a fan-out of its own.
        let mut sendings: FlatMap<(usize, TrueTime), Vec<&Flight>> = FlatMap::new();
        for f in own.iter().filter(|f| !f.what.kind.reply) {
            sendings.entry((lanes.lane(f.to), f.sent)).or_default().push(f);
        }
        let starts: Vec<TrueTime> = sendings.keys().map(|k| k.1).collect();
        for ((lane, sent), requests) in &sendings {
            let next = starts.iter().copied().filter(|s| s > sent).min().unwrap_or(TrueTime::NEVER);
            let replies: Vec<&Flight> = own
                .iter()
                .copied()
                .filter(|f| f.what.kind.reply && lanes.lane(f.from) == *lane && f.sent >= *sent && f.sent < next)
                .collect();
            fan_out(call.worker, *lane, requests, &replies, seq, &mut arrows, &mut ballots);
        }
    }
    crate::base::flat::sort_by_key(&mut arrows, |a| (a.sent, a.seq));
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
        Payload::Write(w) => w.token.map(|t| t.get()),
        _ => None,
    }
}

/// An effect, as opposed to talk.
fn is_heavy(f: &Flight) -> bool {
    matches!(f.what.payload, Payload::Write(_) | Payload::Call { .. }) && !f.what.kind.reply
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
    let landed = requests.iter().filter(|f| f.lost.is_none()).filter_map(|f| f.arrival).min_by_key(|a| a.1);
    let words = words::message(head);
    let lost = requests.iter().all(|f| f.lost.is_some());
    let mut request = Arrow { to: lane, fate: if lost { fate(head) } else { ArrowFate::Plain }, ..single(head, lanes) };
    if requests.iter().all(|f| f.fate == Fate::Delayed) && !lost {
        request.fate = ArrowFate::Delayed;
    } else if !lost {
        request.label = words.plain;
    }
    request.arrival = landed.map(|a| a.0);
    request.arrived = landed.map(|a| a.1);
    if landed.is_none() && !lost {
        request.fate = ArrowFate::UnderWay;
    }
    // Discs: what the node did, whether or not the worker learned of it.
    let reached = request.arrived.unwrap_or(head.sent);
    let quiet = !matches!(topic, Topic::Acquire | Topic::Renew);
    let votes: Vec<(Answer, TrueTime)> = nodes
        .iter()
        .map(|n| {
            let asked = requests.iter().find(|f| f.to == *n);
            let said = replies.iter().find(|f| f.from == *n).and_then(|f| vote(&f.what.payload).map(|v| (v, f.sent)));
            match (asked.filter(|f| f.lost.is_none()).and_then(|f| f.arrival), said) {
                (Some(a), Some((v, _))) => (v, a.1),
                (None, Some((v, sent))) => (v, sent),
                _ => (Answer::Silent, reached),
            }
        })
        .collect();
    if !lost {
        let again = (0..nodes.len())
            .filter(|m| {
                topic == Topic::Acquire && votes[*m].0 == Answer::Yes && breaks_promise(nodes[*m], votes[*m].1, seq)
            })
            .collect();
        ballots.push(Ballot { lane, worker, quiet, votes, again });
    }
    let counted: Vec<&&Flight> =
        replies.iter().filter(|f| f.lost.is_none() && f.arrival.is_some() && !f.ignored).collect();
    let last = counted.iter().max_by_key(|f| (f.arrival.map(|a| a.1), f.seq));
    if let Some(last) = last {
        let yes = counted.iter().filter(|f| vote(&f.what.payload) == Some(Answer::Yes)).count();
        let majority = yes > nodes.len() / 2;
        let label = if quiet && majority {
            "ok".to_string()
        } else {
            said("{a} of {b}", &[&whole(yes as u64), &whole(nodes.len() as u64)])
        };
        let rank = if topic == Topic::Acquire { 1 } else { 4 };
        arrows.push(Arrow { label: vec![label], rank, token: None, ..single(last, lanes) });
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
