//! Groups that would rather serve than agree: each side of a partition answers, and one of them gives way when they meet again.
//!
//! A side that reaches nobody who answers gets somebody after a while, a minority too. When two who answer reach each other, one steps back,
//! and what it had granted is forgotten.

use super::chooser::Chooser;
use super::world::{Actor, World};
use crate::base::NodeId;
use crate::protocol::Input;
use crate::protocol::params::Merge;
use crate::protocol::redis::Server;
use crate::trace::{EventKind, EventSink};

impl<C: Chooser> World<'_, C> {
    /// Links have changed, or somebody is up again.
    #[cold]
    pub(super) fn look_at_sides<S: EventSink>(&mut self, sink: &mut S) {
        for g in 0..self.body.groups.len() {
            let Some(merge) = self.body.groups[g].merge else { continue };
            while let Some((kept, dropped)) = self.meeting(g, merge) {
                self.unite(g, merge, (kept, dropped), sink);
            }
            if !self.body.groups[g].is_changing && self.silent(g).is_some() {
                self.schedule_change(g);
            }
        }
    }

    /// Each side without anybody who answers gets its first member that is up.
    pub(super) fn promote_sides<S: EventSink>(&mut self, g: usize, sink: &mut S) {
        while let Some(new) = self.silent(g) {
            self.body.groups[g].acting.push(new);
            let cause = self.body.emit(new, None, EventKind::Promoted, sink);
            self.interrupt(new, Input::Promoted, Some(cause), sink);
        }
        let sizes: Vec<usize> = self.body.groups[g].acting.iter().map(|a| self.side(g, *a)).collect();
        self.body.groups[g].sides = sizes;
    }

    /// One who answers is gone; it comes back as one that does not.
    pub(super) fn side_lost<S: EventSink>(&mut self, id: NodeId, sink: &mut S) {
        let led = |g: &super::group::Group| g.merge.is_some() && g.acting.contains(&id);
        if let Some(g) = self.body.groups.iter().position(led) {
            self.body.groups[g].acting.retain(|a| *a != id);
            self.body.groups[g].sides.clear();
            self.interrupt(id, Input::Replaced, None, sink);
            self.schedule_change(g);
        }
    }

    fn reaches(&self, a: NodeId, b: NodeId) -> bool {
        a == b || !(self.body.network.is_cut(a, b) || self.body.network.is_cut(b, a))
    }

    /// A member that is up and reaches nobody who answers.
    fn silent(&self, g: usize) -> Option<NodeId> {
        let group = &self.body.groups[g];
        let alone = |n: &&NodeId| group.acting.iter().all(|a| !self.reaches(**n, *a));
        group.nodes.iter().filter(|n| self.sites[n.index()].node.up).find(alone).copied()
    }

    /// How many members this one reaches, itself included.
    fn side(&self, g: usize, of: NodeId) -> usize {
        self.body.groups[g].nodes.iter().filter(|n| self.reaches(of, **n)).count()
    }

    /// Two who answer and reach each other: who goes on, and who gives way.
    fn meeting(&self, g: usize, merge: Merge) -> Option<(NodeId, NodeId)> {
        let group = &self.body.groups[g];
        for (i, a) in group.acting.iter().enumerate() {
            for (j, b) in group.acting.iter().enumerate().skip(i + 1) {
                if self.reaches(*a, *b) {
                    let size = |i: usize| group.sides.get(i).copied().unwrap_or(0);
                    let later = match merge {
                        Merge::LargerSide | Merge::Union => size(j) > size(i),
                        Merge::Newest => self.server(*b).youngest() > self.server(*a).youngest(),
                    };
                    return Some(if later { (*b, *a) } else { (*a, *b) });
                }
            }
        }
        None
    }

    fn unite<S: EventSink>(&mut self, g: usize, merge: Merge, (kept, dropped): (NodeId, NodeId), sink: &mut S) {
        let other = self.server(dropped).clone();
        self.interrupt(dropped, Input::Demoted, None, sink);
        if merge == Merge::Union
            && let Actor::Server(s, _) = &mut self.sites[kept.index()].actor
        {
            s.adopt(&other);
        }
        let group = &mut self.body.groups[g];
        if let Some(i) = group.acting.iter().position(|a| *a == dropped) {
            group.acting.remove(i);
            if i < group.sides.len() {
                group.sides.remove(i);
            }
        }
        group.changes += 1;
        let epoch = group.changes as u32 + group.nodes.len() as u32;
        self.interrupt(kept, Input::Merged { epoch }, None, sink);
    }

    fn server(&self, id: NodeId) -> &Server {
        match &self.sites[id.index()].actor {
            Actor::Server(s, _) => s,
            _ => unreachable!("members of such a group are servers with copies"),
        }
    }
}
