//! One shard of the protected resource: a version, a high-water mark, and a guard in front of them.
//!
//! The whole essay is `docs/protocols/resource.md`, which follows here in the documentation.
#![doc = ""]
#![doc = include_str!("../../docs/protocols/resource.md")]

mod issue;
mod mark;
mod transaction;

pub use transaction::{end, objection};

use super::params::ResourceParams;
use super::worker::Access;
use super::{Due, Host, Input, Purpose, Slot};
use crate::base::fact::Effect;
use crate::base::message::{Reject, Topic, Write};
use crate::base::{
    AcqId, CallId, ClockKind, Fact, LocalTime, LockId, Message, NodeId, OpKey, OwnerId, Payload, Span, Thread, Token,
};
use mark::{Mark, against_mark, lose_marks, mark_of, raise, set_mark};

/// The least time between a check and its effect when they are two steps.
const GAP: Span = Span::MILLI;

/// What a shard knows.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Shard {
    version: u64,
    exists: bool,
    /// Highest token seen, of all workers or of each.
    marks: Vec<Mark>,
    /// Stored by the last activation.
    owner: Option<OwnerId>,
    outcomes: Vec<Outcome>,
    /// Last request number under the newest token.
    last: Option<(Token, u32)>,
    /// Requests between arrival and effect; a slot is the index.
    pending: Vec<Option<Pending>>,
    /// Questions to lock services so far: names the next one.
    questions: u32,
    transactions: transaction::Open,
    /// For whom the mark was minted, as long as nothing was accepted under it.
    minted: Option<NodeId>,
}

/// The stored outcome of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Outcome {
    op: OpKey,
    version: u64,
    stored: LocalTime,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Pending {
    from: NodeId,
    message: Message,
    stage: Stage,
    /// A fault holds the request so long in the seam of a guard in two steps.
    stall: Option<Span>,
}

/// How far a request has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Stage {
    /// Before the decision.
    Handling,
    /// The lock service was asked, by this question; which of its nodes said yes and which no, one bit each.
    Asking { question: u32, yes: u16, no: u16 },
    /// The check has passed, the effect has not happened yet.
    Gap,
}

impl Shard {
    pub fn reset(&mut self) {
        self.version = 0;
        self.exists = false;
        self.marks.clear();
        self.owner = None;
        self.outcomes.clear();
        self.last = None;
        self.pending.clear();
        self.questions = 0;
        self.transactions.reset();
        self.minted = None;
    }

    /// A commit that is to be decided now, for all parts of the store at once.
    #[inline]
    pub fn due(&mut self) -> Option<(NodeId, Message)> {
        self.transactions.due.take()
    }
}

/// What the shard's handler may know besides its state.
pub struct Setting<'a> {
    pub params: &'a ResourceParams,
    /// Whom to ask about a lock, by `LockId`.
    pub locks: &'a [Access],
    /// By `LockId`: whose the lock is. Filled in only where the locks lie in the same store as this shard, which may then read them in
    /// the step of a write.
    pub rows: &'a [Option<OwnerId>],
}

pub fn on_input(s: &mut Shard, set: &Setting, input: Input, host: &mut impl Host) {
    match input {
        Input::Message { from, message, stall } => match message.payload {
            Payload::Read { .. }
            | Payload::Activate { .. }
            | Payload::Write(_)
            | Payload::Call { .. }
            | Payload::LongCall { .. }
            | Payload::Issue { .. }
            | Payload::Mint { .. }
            | Payload::Stage(_)
            | Payload::Commit { .. } => {
                arrive(s, set, from, message, stall, host);
            }
            Payload::Answer { owns, re, .. } => answered(s, set, from, owns, re, host),
            _ => {} // Nothing else is said to a resource.
        },
        Input::Timer { slot } => carry_on(s, set, slot, host),
        Input::Crash { .. } => crash(s, set, host),
        // A shard has no program and one thread, and holds no lock records.
        Input::Start
        | Input::Go { .. }
        | Input::ThreadDied { .. }
        | Input::Evict { .. }
        | Input::EndOfLife
        | Input::Promoted
        | Input::Replaced
        | Input::Demoted
        | Input::Merged { .. }
        | Input::Expire { .. }
        | Input::Disconnected { .. }
        | Input::Cancel
        | Input::ShutDown => {}
    }
}

#[allow(clippy::too_many_arguments)]
fn read(
    s: &mut Shard,
    set: &Setting,
    worker: NodeId,
    message: &Message,
    acq: Option<AcqId>,
    token: Option<Token>,
    host: &mut impl Host,
) {
    if set.params.reads_fence && set.params.guards.fence {
        if let Err(why) = against_mark(s, set.params, host, worker, token) {
            host.did(Fact::ReadRejected { worker, acq, why });
            answer(worker, message, Payload::Rejected(why), host);
            return;
        }
        raise(s, set.params, worker, token, host);
    }
    host.did(Fact::ReadServed { worker, acq, version: s.version });
    answer(worker, message, Payload::Value { version: s.version }, host);
}

fn activate(
    s: &mut Shard,
    set: &Setting,
    worker: NodeId,
    message: &Message,
    (acq, owner, token): (Option<AcqId>, OwnerId, Option<Token>),
    host: &mut impl Host,
) {
    let p = set.params;
    if p.guards.fence {
        // Always `>=`, whatever the rule for writes: a repeated announcement of the same owner is harmless.
        let mark = mark_of(s, p, host, worker);
        if token.is_none_or(|t| t < mark) {
            let why = Reject::Token { token, mark };
            host.did(Fact::ActivationRejected { worker, acq, why });
            answer(worker, message, Payload::Rejected(why), host);
            return;
        }
        raise(s, p, worker, token, host);
    }
    if p.guards.owner {
        s.owner = Some(owner);
    }
    host.did(Fact::Activated { worker, acq, token });
    answer(worker, message, Payload::Activated, host);
}

/// Announces an owner under a token that is minted here: one above the mark. Whoever repeats an attempt under which nothing was accepted yet gets
/// the same number again, unless every attempt counts. When the last number is used up nobody can be announced any more.
#[cold]
fn mint(
    s: &mut Shard,
    set: &Setting,
    (worker, message): (NodeId, &Message),
    (acq, lock, owner): (Option<AcqId>, LockId, OwnerId),
    host: &mut impl Host,
) {
    let p = set.params;
    let mark = mark_of(s, p, host, worker);
    let again = s.minted == Some(worker) && !p.bump_attempts;
    let token = if again { mark } else { Token::new(mark.get() + 1) };
    let most = set.locks.get(lock.index()).and_then(|l| l.params.max_token);
    if most.is_some_and(|most| token > most) {
        let why = Reject::Token { token: None, mark };
        host.did(Fact::ActivationRejected { worker, acq, why });
        return answer(worker, message, Payload::Rejected(why), host);
    }
    raise(s, p, worker, Some(token), host);
    s.minted = Some(worker);
    if p.guards.owner {
        s.owner = Some(owner);
    }
    host.did(Fact::Activated { worker, acq, token: Some(token) });
    answer(worker, message, Payload::Minted { token }, host);
}

/// A request arrives: it may have to wait before its one step, or between its two.
fn arrive(s: &mut Shard, set: &Setting, from: NodeId, message: &Message, stall: Option<Span>, host: &mut impl Host) {
    let handling = host.draw(Purpose::Handling, &set.params.handling);
    let (payload, takes) = match message.payload {
        Payload::LongCall { acq, op, takes } => (Payload::Call { acq, op }, takes),
        ref p @ Payload::Issue { takes, .. } => (*p, takes),
        _ => (Payload::Failed, Span::ZERO),
    };
    if takes > Span::ZERO {
        let message = Message { payload, ..*message };
        park(s, Pending { from, message, stage: Stage::Handling, stall }, handling + takes, host);
    } else if handling > Span::ZERO {
        park(s, Pending { from, message: *message, stage: Stage::Handling, stall }, handling, host);
    } else {
        decide(s, set, from, message, stall, host);
    }
}

/// Does this request have a seam between check and effect? A stall then lies there, else before the handler.
pub fn two_steps(p: &ResourceParams, message: &Message) -> bool {
    (!p.atomic || p.guards.ask) && matches!(message.payload, Payload::Write(_) | Payload::Stage(_))
}

fn park(s: &mut Shard, pending: Pending, length: Span, host: &mut impl Host) -> usize {
    let free = s.pending.iter().position(Option::is_none).unwrap_or_else(|| {
        s.pending.push(None);
        s.pending.len() - 1
    });
    s.pending[free] = Some(pending);
    host.timer(Slot(free as u16), Thread::Main, Due::Busy(length));
    free
}

fn carry_on(s: &mut Shard, set: &Setting, slot: Slot, host: &mut impl Host) {
    let Some(pending) = s.pending.get_mut(slot.0 as usize).and_then(Option::take) else { return };
    match (pending.stage, pending.message.payload) {
        (Stage::Handling, _) => decide(s, set, pending.from, &pending.message, pending.stall, host),
        (Stage::Gap, Payload::Write(w) | Payload::Stage(w)) => {
            take_effect(s, set, pending.from, &pending.message, w, host)
        }
        // A question has no timer, and a call has no gap.
        (Stage::Gap | Stage::Asking { .. }, _) => {}
    }
}

/// The decision about one request, in one step with its effect unless the guard has two.
fn decide(s: &mut Shard, set: &Setting, from: NodeId, message: &Message, stall: Option<Span>, host: &mut impl Host) {
    let w = match message.payload {
        Payload::Write(w) | Payload::Stage(w) => w,
        // Not for this part alone to decide.
        Payload::Commit { .. } => return s.transactions.due = Some((from, *message)),
        Payload::Read { acq, token } => return read(s, set, from, message, acq, token, host),
        Payload::Activate { acq, owner, token } => return activate(s, set, from, message, (acq, owner, token), host),
        Payload::LongCall { acq, op, .. } => return call(s, set, from, message, acq, op, host),
        Payload::Mint { acq, lock, owner } => return mint(s, set, (from, message), (acq, lock, owner), host),
        Payload::Issue { acq, token, number, .. } => {
            return issue::issue(s, set, (from, message), (acq, token, number), host);
        }
        Payload::Call { acq, op } => return call(s, set, from, message, acq, op, host),
        _ => return,
    };
    if !passes(s, set, from, message, &w, host) {
        return;
    }
    if !two_steps(set.params, message) {
        return apply(s, set, from, message, w, host);
    }
    if set.params.guards.ask {
        let nodes = set.locks.get(w.lock.index()).map_or(&[][..], |l| &l.nodes);
        if nodes.is_empty() {
            return apply(s, set, from, message, w, host); // No service to ask: nothing to check.
        }
        let slot = s.pending.iter().position(Option::is_none).unwrap_or(s.pending.len());
        if slot == s.pending.len() {
            s.pending.push(None);
        }
        s.questions += 1;
        let stage = Stage::Asking { question: s.questions, yes: 0, no: 0 };
        s.pending[slot] = Some(Pending { from, message: *message, stage, stall });
        let ask = Payload::Ask { lock: w.lock, owner: w.owner, re: s.questions };
        for node in nodes {
            host.send(*node, Message::request(Topic::Ask, CallId(0), ask));
        }
        return;
    }
    host.did(Fact::CheckPassed { worker: from, acq: w.acq, op: w.op });
    park(s, Pending { from, message: *message, stage: Stage::Gap, stall }, stall.unwrap_or(GAP), host);
}

/// The lock service has answered, or a node of a quorum: then the majority's word counts. Ownership may move between its answer and the
/// effect.
fn answered(s: &mut Shard, set: &Setting, node: NodeId, owns: bool, re: u32, host: &mut impl Host) {
    let asked = |p: &mut Option<Pending>| matches!(p, Some(p) if matches!(p.stage, Stage::Asking { question, .. } if question == re));
    let Some(i) = s.pending.iter_mut().position(asked) else { return };
    let Some(Pending { stage: Stage::Asking { yes, no, .. }, message, .. }) = &mut s.pending[i] else { return };
    let (Payload::Write(w) | Payload::Stage(w)) = message.payload else { return };
    let Some(lock) = set.locks.get(w.lock.index()) else { return };
    let bit = lock.nodes.iter().position(|n| *n == node).map_or(1, |i| 1 << i);
    *(if owns { &mut *yes } else { &mut *no }) |= bit;
    // Of anything but a quorum one answers for all.
    let quorum = if lock.nodes.len() == 1 { 1 } else { u32::from(lock.params.quorum) };
    let decided = yes.count_ones() >= quorum || no.count_ones() + quorum > lock.nodes.len() as u32;
    let owns = yes.count_ones() >= quorum;
    let Some(pending) = s.pending[i].take_if(|_| decided) else { return };
    if !owns {
        return reject(pending.from, &pending.message, &w, Reject::Owner, host);
    }
    match pending.stall {
        Some(stall) => {
            host.did(Fact::CheckPassed { worker: pending.from, acq: w.acq, op: w.op });
            park(s, Pending { stage: Stage::Gap, ..pending }, stall, host);
        }
        None => take_effect(s, set, pending.from, &pending.message, w, host),
    }
}

/// The effect of a check in two steps. What the resource can check by itself it checks again here, unless it is the careless kind that
/// trusts what was true a while ago.
fn take_effect(s: &mut Shard, set: &Setting, from: NodeId, message: &Message, w: Write, host: &mut impl Host) {
    if !set.params.atomic || passes(s, set, from, message, &w, host) {
        apply(s, set, from, message, w, host);
    }
}

/// Every guard but those that must ask somebody. What does not pass is answered here.
fn passes(s: &mut Shard, set: &Setting, from: NodeId, message: &Message, w: &Write, host: &mut impl Host) -> bool {
    if let Some(version) = remembered(s, set.params, host, w.op) {
        host.did(Fact::Replayed { worker: from, acq: w.acq, op: w.op });
        answer(from, message, Payload::Replayed { version }, host);
        return false;
    }
    let verdict = check(s, set, host, from, w);
    if let Err(why) = verdict {
        reject(from, message, w, why, host);
    }
    verdict.is_ok()
}

/// The guards that compare.
fn check(s: &Shard, set: &Setting, host: &impl Host, worker: NodeId, w: &Write) -> Result<(), Reject> {
    let p = set.params;
    if p.guards.fence {
        against_mark(s, p, host, worker, w.token)?;
    }
    if p.sequence
        && let (Some(token), Some((last_token, last))) = (w.token, s.last)
        && token == last_token
        && w.number <= last
    {
        return Err(Reject::Sequence { number: w.number, last });
    }
    if p.guards.owner && s.owner != Some(w.owner) {
        return Err(Reject::Owner);
    }
    if p.guards.same_store && set.rows.get(w.lock.index()).copied().flatten() != Some(w.owner) {
        return Err(Reject::Owner);
    }
    if p.guards.lease_id && set.rows.get(w.lock.index()).copied().flatten() != w.acq.map(|_| w.owner) {
        return Err(Reject::Owner);
    }
    if p.guards.absent && s.exists && !w.delete {
        return Err(Reject::Exists);
    }
    if p.guards.version
        && let Some(base) = w.base
        && base != s.version
    {
        return Err(Reject::Version { base, current: s.version });
    }
    Ok(())
}

/// The effect, or inside a transaction the promise of one.
fn apply(s: &mut Shard, set: &Setting, from: NodeId, message: &Message, w: Write, host: &mut impl Host) {
    if let Payload::Stage(_) = message.payload {
        return transaction::stage(s, from, message, w, host);
    }
    effect(s, set, from, w, host);
    answer(from, message, Payload::Written { version: s.version }, host);
}

fn effect(s: &mut Shard, set: &Setting, from: NodeId, w: Write, host: &mut impl Host) {
    let p = set.params;
    let before = s.version;
    s.version += 1;
    s.minted = None;
    s.exists = !w.delete;
    if p.guards.idempotency {
        s.outcomes.push(Outcome { op: w.op, version: s.version, stored: host.read(ClockKind::Wall) });
    }
    if let Some(token) = w.token {
        s.last = Some((token, w.number));
    }
    host.did(Fact::Applied(Effect {
        worker: from,
        acq: w.acq,
        op: w.op,
        token: w.token,
        base: w.base,
        before,
        after: s.version,
    }));
    if p.guards.fence {
        match (p.atomic, w.token) {
            (true, token) => raise(s, p, from, token, host),
            // The careless twin writes its own token, which may be lower than what has been seen since the check.
            (false, Some(token)) => set_mark(s, p, from, token, host),
            (false, None) => {}
        }
    }
    if w.delete && !p.mark_survives_delete {
        lose_marks(s, p, host);
    }
}

#[allow(clippy::too_many_arguments)]
fn call(
    s: &mut Shard,
    set: &Setting,
    from: NodeId,
    message: &Message,
    acq: Option<AcqId>,
    op: OpKey,
    host: &mut impl Host,
) {
    if let Some(version) = remembered(s, set.params, host, op) {
        host.did(Fact::Replayed { worker: from, acq, op });
        answer(from, message, Payload::Replayed { version }, host);
        return;
    }
    if set.params.guards.idempotency {
        s.outcomes.push(Outcome { op, version: s.version, stored: host.read(ClockKind::Wall) });
    }
    host.did(Fact::Called { worker: from, acq, op });
    answer(from, message, Payload::Called, host);
}

/// The stored outcome of this operation, if it is kept and not pruned yet.
fn remembered(s: &mut Shard, p: &ResourceParams, host: &impl Host, op: OpKey) -> Option<u64> {
    if !p.guards.idempotency {
        return None;
    }
    if let Some(kept) = p.retention {
        let now = host.read(ClockKind::Wall);
        s.outcomes.retain(|o| now < o.stored + kept);
    }
    s.outcomes.iter().find(|o| o.op == op).map(|o| o.version)
}

fn reject(from: NodeId, message: &Message, w: &Write, why: Reject, host: &mut impl Host) {
    host.did(Fact::Rejected { worker: from, acq: w.acq, op: w.op, token: w.token, why });
    answer(from, message, Payload::Rejected(why), host);
}

fn answer(to: NodeId, request: &Message, payload: Payload, host: &mut impl Host) {
    host.send(to, request.answer(payload));
}

/// Data and stored outcomes are durable; requests in hand are lost; marks and the stored owner survive if they were written down.
fn crash(s: &mut Shard, set: &Setting, host: &mut impl Host) {
    for (i, p) in s.pending.iter_mut().enumerate() {
        if p.take().is_some() {
            host.cancel(Slot(i as u16));
        }
    }
    transaction::crash(s, host);
    if !set.params.mark_durable {
        s.owner = None;
        s.last = None;
        lose_marks(s, set.params, host);
    }
}
