//! The connection that a worker's statements go over, where a lock lives as long as one.
//!
//! Without a pooler each worker has one connection, and so it has with a pooler that lends one for a whole session. A pooler that lends a
//! connection for one transaction gives each `begin`, and each statement outside a transaction, another one: a lock that was taken over
//! one of them is not its owner's over the next. Nothing here happens by chance: the next connection is never the same.

use super::super::Host;
use super::super::params::{Family, Pool};
use super::acquire::Want;
use super::{Phase, Setting, Worker, ballot, next_call};
use crate::base::message::{Compare, Over, Topic};
use crate::base::{Message, OwnerId, Payload, Thread};

/// The server's name for the connection that the next statement goes over.
#[cold]
pub(super) fn current(w: &mut Worker, set: &Setting, host: &impl Host) -> OwnerId {
    w.connected = true;
    let me = u32::from(host.me().0) << 16;
    if set.client.pool != Pool::PerTransaction {
        return OwnerId(1 << 31 | me | w.incarnation & 0xffff);
    }
    let lent = w.transaction.lent_since().unwrap_or(w.calls + 1);
    OwnerId(1 << 29 | me | lent & 0xffff)
}

/// The program or the process ends, and with it the connection: the machine says so, as it does for the dead. A pooler keeps the
/// connection; whether what it held goes with its user is the pooler's.
#[cold]
pub(super) fn hang_up(w: &mut Worker, set: &Setting, over: Over, host: &mut impl Host) {
    let closes = match set.client.pool {
        Pool::None => true,
        Pool::PerSession => set.client.pool_reset,
        // Given back after each transaction already.
        Pool::PerTransaction => false,
    };
    if std::mem::take(&mut w.connected) && closes {
        say(w, set, None, over, host);
    }
}

/// Nobody waits for the statement under way any more: the server is told to forget it.
#[cold]
pub(super) fn cancel(w: &mut Worker, set: &Setting, host: &mut impl Host) {
    let Want { lock, acq, owner, .. } = w.want;
    if w.phase == Phase::Asking && set.locks[lock.index()].params.family == Family::Connection {
        let payload = Payload::Release { lock, acq, owner, compare: Compare::Owner };
        let call = next_call(w, Thread::Main);
        ballot::tell(set, lock, Message::request(Topic::Withdraw, call, payload), host);
    }
}

/// A lock was taken by a statement that was a transaction of its own: a pooler that cleans its connections has cleaned this one.
#[cold]
pub(super) fn given_back(w: &mut Worker, set: &Setting, connection: OwnerId, host: &mut impl Host) {
    if set.client.pool == Pool::PerTransaction && set.client.pool_reset && w.transaction.lent_since().is_none() {
        say(w, set, Some(connection), Over::Process, host);
    }
}

/// Tells every server that keeps something for a connection, and for which there is something to end.
fn say(w: &mut Worker, set: &Setting, connection: Option<OwnerId>, over: Over, host: &mut impl Host) {
    let call = next_call(w, Thread::Main);
    let mut told = None;
    for (i, l) in set.locks.iter().enumerate() {
        let waits = matches!(w.phase, Phase::Asking) && w.want.lock.index() == i;
        let concerned = waits || w.holds.iter().any(|h| h.lock.index() == i);
        let here = concerned && l.params.family == Family::Connection && (over == Over::Crash || !l.params.of_process);
        let Some(node) = l.nodes.first().filter(|_| here) else { continue };
        if told != Some(*node) {
            host.send(*node, Message::request(Topic::Withdraw, call, Payload::Hangup { connection, over }));
            told = Some(*node);
        }
    }
}
