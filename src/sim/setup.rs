//! What follows from a description once, for all its runs: who serves what, and who talks to whom.

use super::config::{FaultVerb, LockSpec, SimConfig};
use super::world::{Actor, Post};
use crate::base::NodeId;
use crate::protocol::connection;
use crate::protocol::consensus::Member;
use crate::protocol::params::{Family, LockParams};
use crate::protocol::record::Store;
use crate::protocol::redis::{self, Server};
use crate::protocol::resource::Shard;
use crate::protocol::worker::{Access, Worker};

/// What follows from the description once, for all runs.
pub(super) struct Setup {
    /// By `LockId`: parameters, and whom to talk to.
    pub locks: Vec<Access>,
    pub shards: Vec<NodeId>,
    pub journal: bool,
    /// Some resource lies in the same store as the locks.
    pub one_store: bool,
}

impl Setup {
    pub fn new(config: &SimConfig) -> Setup {
        let loses = config.faults.iter().any(|f| matches!(f.verb, FaultVerb::Crash { loses: Some(_), .. }));
        let params: Vec<&LockParams> = config.locks.iter().map(|l| &l.params).collect();
        Setup {
            locks: config.locks.iter().map(access).collect(),
            shards: config.shards.iter().map(|s| s.node).collect(),
            journal: redis::needs_journal(&params, loses),
            one_store: config.shards.iter().any(|s| s.params.guards.same_store || s.params.guards.lease_id),
        }
    }
}

/// Of a quorum every node is asked; elsewhere the one that answers for the service.
fn access(l: &LockSpec) -> Access {
    let all = l.params.family == Family::Quorum;
    let served = redis::has_server(&l.params);
    let count = if !served {
        0
    } else if all {
        l.nodes.len()
    } else {
        1
    };
    Access { params: l.params.clone(), nodes: l.nodes.iter().take(count).copied().collect() }
}

/// What runs on each node, in node order: workers, lock nodes, shards.
pub(super) fn actors(config: &SimConfig) -> Vec<Actor<'_>> {
    let roster = &config.roster;
    let workers = config.workers.iter().map(|spec| Actor::Worker(Worker::default(), spec));
    let servers = roster.ids().filter(|id| roster.is_lock_node(*id)).map(|node| lock_node(config, node));
    let shards = config.shards.iter().map(|spec| Actor::Shard(Shard::default(), &spec.params));
    let actors: Vec<Actor> = workers.chain(servers).chain(shards).collect();
    assert!(actors.len() == roster.nodes.len(), "workers come first, each has a program, and shards come last");
    actors
}

/// A server of the first service that names it; further locks on it share its fate.
fn lock_node(config: &SimConfig, node: NodeId) -> Actor<'_> {
    let n = config.locks.len();
    let serves = |l: &LockSpec| redis::has_server(&l.params) && l.nodes.contains(&node);
    let locks = config.locks.iter().map(|l| serves(l).then_some(&l.params)).collect();
    let service = config.locks.iter().find(|l| serves(l));
    let family = service.map_or(Family::TtlKey, |l| l.params.family);
    let all = service.map_or(&[][..], |l| &l.nodes);
    let is_replica = family != Family::Quorum && all.first().is_some_and(|first| *first != node);
    let is_queue = family == Family::SessionQueue;
    match family {
        Family::Consensus | Family::SessionQueue => {
            let post = Post { locks, peers: all.to_vec(), is_replica, is_queue };
            Actor::Member(Member::new(n, is_queue, !is_replica), post)
        }
        Family::Connection => {
            let post = Post { locks, peers: Vec::new(), is_replica, is_queue };
            Actor::Sessions(connection::Server::new(n), post)
        }
        Family::Record => Actor::Store(Store::new(n), Post { locks, peers: Vec::new(), is_replica: false, is_queue }),
        family => {
            let others = |id: &NodeId| family == Family::TtlKey && *id != node;
            let peers = all.iter().copied().filter(others).collect();
            let server = if is_replica { Server::replica(n) } else { Server::new(n) };
            Actor::Server(server, Post { locks, peers, is_replica, is_queue })
        }
    }
}
