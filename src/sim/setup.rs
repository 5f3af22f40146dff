//! What follows from a description once, for all its runs: who serves what, and who talks to whom.

use super::config::{FaultVerb, LockSpec, SimConfig};
use super::world::Actor;
use crate::base::NodeId;
use crate::protocol::params::{Family, LockParams};
use crate::protocol::redis::{self, Server};
use crate::protocol::resource::Shard;
use crate::protocol::worker::{Access, Worker};

/// What follows from the description once, for all runs.
pub(super) struct Setup<'c> {
    /// By `LockId`: parameters, and whom to talk to.
    pub locks: Vec<Access>,
    pub lock_nodes: Vec<Option<NodeId>>,
    pub shards: Vec<NodeId>,
    /// By lock node (in node order, after the workers): which locks it serves.
    pub served: Vec<Vec<Option<&'c LockParams>>>,
    pub journal: bool,
    pub workers: usize,
    /// First shard's node number.
    pub first_shard: usize,
}

impl<'c> Setup<'c> {
    pub fn new(config: &'c SimConfig) -> Setup<'c> {
        let roster = &config.roster;
        let workers = roster.ids().take_while(|id| roster.is_worker(*id)).count();
        let lock_nodes_count = roster.ids().filter(|id| roster.is_lock_node(*id)).count();
        let first_shard = workers + lock_nodes_count;
        let serves = |lock: usize, node: NodeId| {
            let l = &config.locks[lock];
            (redis::has_server(&l.params) && l.nodes.contains(&node)).then_some(&l.params)
        };
        let served: Vec<Vec<Option<&LockParams>>> = (workers..first_shard)
            .map(|n| (0..config.locks.len()).map(|l| serves(l, NodeId(n as u16))).collect())
            .collect();
        let loses = config.faults.iter().any(|f| matches!(f.verb, FaultVerb::Crash { loses: Some(_), .. }));
        let params: Vec<&LockParams> = config.locks.iter().map(|l| &l.params).collect();
        let node_of = |l: &LockSpec| l.nodes.first().copied().filter(|_| redis::has_server(&l.params));
        Setup {
            locks: config.locks.iter().map(access).collect(),
            lock_nodes: config.locks.iter().map(node_of).collect(),
            shards: config.shards.iter().map(|s| s.node).collect(),
            journal: redis::needs_journal(&params, loses),
            served,
            workers,
            first_shard,
        }
    }

    pub fn actor(&self, config: &SimConfig, id: NodeId) -> Actor {
        if id.index() < self.workers {
            Actor::Worker(Worker::default())
        } else if id.index() < self.first_shard {
            Actor::Server(Server::new(config.locks.len()))
        } else {
            Actor::Shard(Shard::default())
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
