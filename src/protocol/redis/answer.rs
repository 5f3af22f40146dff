//! One request, one atomic step, one answer.

use super::super::Host;
use super::super::params::{LockKind, LockParams};
use super::super::record::lease_seen;
use super::key::{Asked, arm, extended, grant, release, renew, stored};
use super::{Served, Server, session, shared};
use crate::base::{Fact, LockId, NodeId, Payload};

pub(super) fn lock_of<'a>(payload: &Payload, served: &'a Served<'a>) -> Option<(LockId, &'a LockParams)> {
    let lock = match *payload {
        Payload::Acquire { lock, .. }
        | Payload::Enter { lock, .. }
        | Payload::Set { lock, .. }
        | Payload::Expire { lock, .. }
        | Payload::Renew { lock, .. }
        | Payload::Release { lock, .. }
        | Payload::Get { lock, .. }
        | Payload::Break { lock }
        | Payload::Listen { lock, .. }
        | Payload::Inspect { lock, .. }
        | Payload::Ask { lock, .. } => lock,
        _ => return None,
    };
    served.locks.get(lock.index()).copied().flatten().map(|p| (lock, p))
}

/// One request, one atomic step.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn on_request(
    s: &mut Server,
    lock: LockId,
    params: &LockParams,
    worker: NodeId,
    request: &Payload,
    host: &mut impl Host,
) -> Payload {
    let now = host.read(params.clock);
    let key = &mut s.keys[lock.index()];
    if params.kind.holders != LockKind::Mutex {
        return shared::on_request(key, lock, params, worker, request, now, host);
    }
    match *request {
        Payload::Acquire { acq, owner, ttl, margin, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            grant(key, params, ask, stored(params, ttl), now, host)
        }
        Payload::Enter { acq, owner, ttl, margin, n, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            shared::enter_mutex(key, params, ask, n, now, host)
        }
        // Set-if-absent alone: a lock without an end until EXPIRE comes, for ever if it never does.
        Payload::Set { acq, owner, margin, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl: None, margin };
            grant(key, params, ask, None, now, host)
        }
        Payload::Expire { acq, ttl, margin, .. } => match &mut key.record {
            Some(r) => {
                r.until = session::end(params, stored(params, ttl), now);
                let r = *r;
                arm(lock, params, &r, host);
                host.did(extended(lock, &r, acq, worker, ttl, margin));
                Payload::Granted { lock, acq, token: r.token }
            }
            None => {
                host.did(Fact::NotExtended { lock, by: acq, worker });
                Payload::Refused { lock, acq }
            }
        },
        Payload::Renew { acq, owner, ttl, margin, compare, .. } => {
            let ask = Asked { lock, acq, owner, worker, ttl, margin };
            renew(key, params, ask, compare, now, host)
        }
        Payload::Release { acq, owner, compare, .. } => match key.record {
            Some(r) if compare.meets(r.owner, owner) => {
                if r.holds > 1 {
                    shared::count_down(key.record.as_mut(), lock, acq, host);
                } else {
                    release(key, lock, params, r, Some(acq), now, host);
                }
                Payload::Released { lock, acq }
            }
            _ => {
                host.did(Fact::NotHeld { lock, by: acq, worker });
                Payload::NotHeld { lock, acq }
            }
        },
        Payload::Get { acq, owner, .. } => {
            Payload::Owned { lock, acq, mine: key.record.is_some_and(|r| r.owner == owner) }
        }
        Payload::Break { .. } => {
            if let Some(r) = key.record {
                release(key, lock, params, r, None, now, host);
            }
            Payload::Broken { lock }
        }
        Payload::Inspect { .. } => {
            Payload::Seen { lock, record: key.record.map(|r| lease_seen(r.acq, r.owner, r.until, params.ttl, r.since)) }
        }
        Payload::Ask { owner, re, .. } => {
            Payload::Answer { lock, owns: key.record.is_some_and(|r| r.owner == owner), re }
        }
        _ => Payload::Failed,
    }
}
