//! A shard that has copies: one request to each of them, and what their answers come to.
//!
//! So many acknowledgements as the quorum asks for are one, with the highest version among them; so many refusals that no quorum is left
//! are a refusal. Who answers later is not listened to.

use super::super::Host;
use super::super::params::Copies;
use super::{Phase, Setting, Worker, effect};
use crate::base::message::Topic;
use crate::base::{CallId, Fact, Message, NodeId, Payload};

/// A shard that has copies, on nodes side by side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Copied {
    pub first: NodeId,
    pub quorums: Copies,
}

impl Copied {
    /// Which copy this node is, if it is one.
    pub fn place(&self, node: NodeId) -> Option<u16> {
        node.0.checked_sub(self.first.0).filter(|i| *i < u16::from(self.quorums.count))
    }
}

/// The answers so far, one bit for each copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Round {
    shard: NodeId,
    call: CallId,
    yes: u16,
    no: u16,
    /// What is answered if it is a yes, or a no.
    said: [Option<Payload>; 2],
}

/// Sends a request to a shard: to every copy, where it has some.
#[inline]
pub(super) fn send(w: &mut Worker, set: &Setting, shard: NodeId, request: Message, host: &mut impl Host) {
    if set.copied.is_empty() { host.send(shard, request) } else { send_all(w, set, shard, request, host) }
}

#[cold]
#[inline(never)]
fn send_all(w: &mut Worker, set: &Setting, shard: NodeId, request: Message, host: &mut impl Host) {
    let call = request.call;
    w.rounds.retain(|r| r.call == call);
    let Some(copied) = of(set, shard) else { return host.send(shard, request) };
    w.rounds.push(Round { shard: copied.first, call, yes: 0, no: 0, said: [None; 2] });
    for i in 0..u16::from(copied.quorums.count) {
        host.send(NodeId(copied.first.0 + i), request);
    }
}

fn of<'a>(set: &Setting<'a>, node: NodeId) -> Option<&'a Copied> {
    set.copied.iter().find(|c| c.place(node).is_some())
}

/// An answer to the call under way, which went to copies, or to some shard beside them.
#[cold]
#[inline(never)]
pub(super) fn heard(w: &mut Worker, set: &Setting, from: NodeId, m: &Message, host: &mut impl Host) {
    let Some(copied) = of(set, from) else { return settled(w, set, from, m, host) };
    let Some(i) = w.rounds.iter().position(|r| r.shard == copied.first) else {
        return host.did(Fact::Ignored { topic: m.kind.topic }); // This shard has answered.
    };
    let Copies { count, ack, mark, read } = copied.quorums;
    let quorum = u32::from(match m.kind.topic {
        Topic::Read => read,
        Topic::Activate => mark,
        _ => ack,
    });
    let r = &mut w.rounds[i];
    let bit = copied.place(from).map_or(0, |i| 1 << i);
    let no = matches!(m.payload, Payload::Rejected(_) | Payload::Failed);
    *(if no { &mut r.no } else { &mut r.yes }) |= bit;
    let said = &mut r.said[usize::from(no)];
    if said.as_ref().is_none_or(|s| weight(s) < weight(&m.payload)) {
        *said = Some(m.payload);
    }
    let decided = r.yes.count_ones() >= quorum || r.no.count_ones() + quorum > u32::from(count);
    let Some(said) = r.said[usize::from(no)].filter(|_| decided) else { return };
    w.rounds.remove(i);
    settled(w, set, copied.first, &Message { payload: said, ..*m }, host);
}

/// Of several answers the one that says most: the highest version or number, and a refusal rather than an error.
fn weight(p: &Payload) -> u64 {
    match *p {
        Payload::Value { version } | Payload::Written { version } | Payload::Replayed { version } => version,
        Payload::Minted { token } => token.get(),
        Payload::Rejected(_) => 1,
        _ => 0,
    }
}

fn settled(w: &mut Worker, set: &Setting, shard: NodeId, m: &Message, host: &mut impl Host) {
    match w.phase {
        Phase::Activating(then) | Phase::ActivateRetry(then) => {
            effect::on_activation_reply(w, set, shard, m, then, host);
        }
        Phase::Reading { shard } => effect::on_read_reply(w, set, shard, m, host),
        _ => effect::on_write_reply(w, set, m, host),
    }
}
