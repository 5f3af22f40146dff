//! Stores: what several nodes of the picture do at one instant, because they are one machine.
//!
//! The shards of a resource decide about a commit together, and a lock that lies in the same store as the data can be read in the step of a
//! write. A handler still sees nothing but its own state: the loop, which is the store's own transaction manager here, asks each part what
//! it has against a commit, and tells each how it ends; what a part may read of a lock it is handed with its turn.

use super::chooser::Chooser;
use super::config::Role;
use super::host::Turn;
use super::world::{Actor, Site, World};
use crate::base::message::{Over, Topic};
use crate::base::{CallId, Message, NodeId, OwnerId, Payload};
use crate::protocol::{Input, resource};
use crate::trace::{EventSeq, EventSink};

impl<C: Chooser> World<'_, C> {
    /// Carries out a commit that one part of a resource was asked for, at all its parts at once.
    #[cold]
    #[inline(never)]
    pub(super) fn commit<S: EventSink>(
        &mut self,
        asked: NodeId,
        (worker, message): (NodeId, &Message),
        rows: &[Option<OwnerId>],
        cause: Option<EventSeq>,
        sink: &mut S,
    ) {
        let Payload::Commit { since, .. } = message.payload else { return };
        let parts = self.parts(asked);
        let one_store = matches!(&self.sites[asked.index()].actor, Actor::Shard(_, p) if p.guards.same_store);
        let mut refused = None;
        for (round, part) in parts.iter().map(|p| (false, p)).chain(parts.iter().map(|p| (true, p))) {
            let Site { actor: Actor::Shard(s, params), node } = &mut self.sites[part.index()] else { continue };
            let mut turn = Turn::new(&mut self.body, node, *part, cause, (Default::default(), CallId::default()), sink);
            let set = resource::Setting { params, locks: &self.setup.locks, rows };
            if round {
                let answers = (*part == asked).then_some((message, params.guards.same_store));
                resource::end(s, &set, (worker, since), refused, answers, &mut turn);
            } else {
                refused = refused.or_else(|| resource::objection(s, &set, (worker, since), &mut turn));
            }
        }
        if one_store {
            // With the transaction end its locks, in the same step.
            self.end_locks(worker, cause, sink);
        }
    }

    /// A worker's transaction is over, and with it what it had locked.
    fn end_locks<S: EventSink>(&mut self, worker: NodeId, cause: Option<EventSeq>, sink: &mut S) {
        let over = Payload::Hangup { connection: None, over: Over::Transaction };
        let message = Message::request(Topic::Withdraw, CallId(0), over);
        for i in 0..self.sites.len() {
            let Site { actor: Actor::Sessions(..), node } = &self.sites[i] else { continue };
            if node.up {
                let input = Input::Message { from: worker, message: &message, stall: None };
                self.interrupt(NodeId(i as u16), input, cause, sink);
            }
        }
    }

    /// The shards of the resource that this one belongs to; the one that was asked comes last, since it answers for all.
    fn parts(&self, asked: NodeId) -> Vec<NodeId> {
        let resource = |n: NodeId| match &self.config.roster.nodes[n.index()].role {
            Role::Shard { resource } => Some(resource),
            _ => None,
        };
        let mut parts: Vec<NodeId> =
            self.setup.shards.iter().copied().filter(|s| *s != asked && resource(*s) == resource(asked)).collect();
        parts.push(asked);
        parts
    }

    /// By lock: whose it is, as a transaction of the same store reads it. Nobody's where the server is down, or where several servers that know
    /// nothing of each other serve it.
    #[cold]
    pub(super) fn lock_rows(&self) -> Vec<Option<OwnerId>> {
        let mut rows = Vec::new();
        for (lock, access) in self.setup.locks.iter().enumerate() {
            let first = access.nodes.first().filter(|_| access.nodes.len() == 1);
            rows.push(first.and_then(|first| {
                let node = self.body.route(NodeId(0), *first);
                let site = &self.sites[node.index()];
                let now = self.body.reading(node, access.params.clock);
                match &site.actor {
                    Actor::Server(s, _) if site.node.up => s.owner(lock, now),
                    Actor::Sessions(s, _) if site.node.up => s.owner(lock),
                    Actor::Member(m, _) if site.node.up => m.owner(lock, now),
                    Actor::Store(s, _) if site.node.up => s.owner(lock),
                    _ => None,
                }
            }));
        }
        rows
    }
}
