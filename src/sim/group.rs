//! Services of several servers of which one answers: which one, and how that changes.
//!
//! Finding the one that answers costs a client nothing here: a request goes to the newest one that its sender can reach. What a partition
//! makes of that, and how long a service is without anybody who answers, is the story's.

use super::chooser::Chooser;
use super::config::SimConfig;
use super::door::KEY_FAULT;
use super::queue::Rank;
use super::world::{Actor, Body, Pending, World};
use crate::base::{LockId, NodeId};
use crate::protocol::Input;
use crate::protocol::consensus::Machine;
use crate::protocol::params::{Family, Merge};
use crate::trace::{EventKind, EventSink};

/// The servers of one service.
#[derive(Clone, Hash, Debug)]
pub(super) struct Group {
    lock: LockId,
    pub(super) nodes: Vec<NodeId>,
    is_consensus: bool,
    /// Who takes requests: the newest last. An old primary that nobody told is among them.
    pub(super) acting: Vec<NodeId>,
    /// Place of the newest that took requests, whether it still does: who comes next is behind it.
    newest: usize,
    /// What a replicated log has committed, while nobody leads.
    state: Option<Machine>,
    pub(super) changes: u64,
    /// Somebody is about to be chosen.
    pub(super) is_changing: bool,
    /// Each side of a partition answers; who gives way when they meet.
    pub(super) merge: Option<Merge>,
    /// How many members each of those who answer reached when the sides parted, in their order.
    pub(super) sides: Vec<usize>,
    /// A former leader that does not know it, for those who reach nobody else.
    past: Option<NodeId>,
}

impl Group {
    /// Services with replicas, and replicated logs.
    pub fn of(config: &SimConfig) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for (i, l) in config.locks.iter().enumerate() {
            let is_consensus = matches!(l.params.family, Family::Consensus | Family::SessionQueue);
            let several = is_consensus || (l.params.family == Family::TtlKey && l.nodes.len() > 1);
            if several && groups.iter().all(|g| g.nodes != l.nodes) {
                let acting = l.nodes.iter().take(1).copied().collect();
                let (lock, nodes) = (LockId(i as u8), l.nodes.clone());
                groups.push(Group {
                    lock,
                    nodes,
                    is_consensus,
                    acting,
                    newest: 0,
                    state: None,
                    changes: 0,
                    is_changing: false,
                    merge: l.params.merge,
                    sides: Vec::new(),
                    past: None,
                });
            }
        }
        groups
    }

    pub fn reset(&mut self) {
        self.acting.clear();
        self.acting.extend(self.nodes.first());
        self.newest = 0;
        self.state = None;
        self.changes = 0;
        self.is_changing = false;
        self.sides.clear();
        self.past = None;
    }
}

impl<C: Chooser> Body<'_, C> {
    /// Whom a request to this server reaches: of a group, the newest that answers and that the sender can reach.
    pub(super) fn route(&self, from: NodeId, to: NodeId) -> NodeId {
        let Some(g) = self.groups.iter().find(|g| g.nodes.contains(&to) && !g.nodes.contains(&from)) else {
            return to;
        };
        let reachable = g.acting.iter().rev().chain(&g.past).find(|n| !self.network.is_cut(from, **n));
        reachable.or(g.acting.last()).copied().unwrap_or(to)
    }
}

impl<C: Chooser> World<'_, C> {
    /// The one that answers for these locks is replaced. `serves`: an isolated primary is not told, and goes on.
    pub(super) fn fail_over<S: EventSink>(&mut self, locks: &[LockId], serves: bool, sink: &mut S) {
        for (i, lock) in locks.iter().enumerate() {
            let spec = &self.config.locks[lock.index()];
            // Several locks of one service fail over together, once.
            if locks[..i].iter().any(|l| self.config.locks[l.index()].nodes == spec.nodes) {
                continue;
            }
            if spec.params.family == Family::Quorum && !serves {
                // Nobody leads: it loses one of its servers.
                let lost = spec.nodes[spec.nodes.len() / 2];
                self.lose_node(lost, Input::Crash { loses: None }, sink);
            } else if let Some(g) = self.body.groups.iter().position(|g| g.nodes == spec.nodes) {
                let Some(old) = self.body.groups[g].acting.last().copied() else { continue };
                if self.body.groups[g].is_consensus {
                    self.step_down(g, old, spec.params.keeps_acting);
                } else if !serves {
                    self.lose_node(old, Input::Replaced, sink);
                    self.body.groups[g].acting.clear();
                }
                self.schedule_change(g);
            }
        }
    }

    fn lose_node<S: EventSink>(&mut self, id: NodeId, input: Input, sink: &mut S) {
        if self.sites[id.index()].node.up {
            let cause = self.goes_down(id, false, sink);
            self.interrupt(id, input, Some(cause), sink);
        }
    }

    fn step_down(&mut self, g: usize, old: NodeId, unaware: bool) {
        if let Actor::Member(m, _) = &mut self.sites[old.index()].actor {
            let group = &mut self.body.groups[g];
            group.state = m.step_down(unaware);
            group.acting.clear();
            group.past = Some(old).filter(|_| unaware);
        }
    }

    pub(super) fn schedule_change(&mut self, g: usize) {
        let group = &mut self.body.groups[g];
        group.changes += 1;
        group.is_changing = true;
        let delay = self.config.locks[group.lock.index()].params.promotion_delay;
        let delay = self.body.chance.length(delay, [KEY_FAULT, 6 << 16 | g as u64, group.changes, 0]);
        let pending = Pending::Promote { group: g as u16 };
        self.body.queue.push(self.body.now + delay, Rank::Story, pending);
    }

    /// Somebody else answers from now on, if there is anybody who can.
    pub(super) fn promote<S: EventSink>(&mut self, g: usize, sink: &mut S) {
        self.body.groups[g].is_changing = false;
        if self.body.groups[g].merge.is_some() {
            return self.promote_sides(g, sink);
        }
        let group = &self.body.groups[g];
        if group.is_consensus && !group.acting.is_empty() {
            return; // One leader is enough.
        }
        let n = group.nodes.len();
        let mut next = (1..=n).map(|i| (group.newest + i) % n);
        let Some(place) = next.find(|i| self.may_lead(g, group.nodes[*i])) else { return };
        let group = &mut self.body.groups[g];
        let new = group.nodes[place];
        group.past = group.past.filter(|past| *past != new);
        group.newest = place;
        group.acting.push(new);
        if let (Actor::Member(m, _), Some(state)) = (&mut self.sites[new.index()].actor, group.state.take()) {
            m.seat(state);
        }
        let cause = self.body.emit(new, None, EventKind::Promoted, sink);
        self.interrupt(new, Input::Promoted, Some(cause), sink);
    }

    fn may_lead(&self, g: usize, id: NodeId) -> bool {
        let group = &self.body.groups[g];
        let up = |n: &NodeId| self.sites[n.index()].node.up;
        let reaches = |n: &&NodeId| up(n) && !self.body.network.is_cut(id, **n) && !self.body.network.is_cut(**n, id);
        up(&id)
            && !group.acting.contains(&id)
            && (!group.is_consensus || group.nodes.iter().filter(reaches).count() > group.nodes.len() / 2)
    }

    /// A leader that is gone is replaced; the group agrees on that by itself.
    pub(super) fn leader_lost(&mut self, id: NodeId) {
        let led = |g: &super::group::Group| g.is_consensus && g.acting.contains(&id);
        if let Some(g) = self.body.groups.iter().position(led) {
            self.step_down(g, id, false);
            self.schedule_change(g);
        }
    }

    /// Servers are back, or reach each other again: a group of which nobody answers gets somebody.
    pub(super) fn seek_leaders<S: EventSink>(&mut self, sink: &mut S) {
        if self.body.groups.iter().any(|g| g.merge.is_some()) {
            return self.look_at_sides(sink);
        }
        for g in 0..self.body.groups.len() {
            let group = &self.body.groups[g];
            if group.acting.is_empty() && !group.is_changing {
                self.promote(g, sink);
            }
        }
    }
}
