//! Who has a lifeline in a picture, and in which hue.
//!
//! Left to right: workers, lock nodes, shards, as in the roster. A service of three nodes or more is *one* participant, a folded group: what
//! counts there is the majority. Two nodes (an old and a new primary) are two lanes, because which of them one talks to is the story.

use super::text;
use crate::base::NodeId;
use crate::trace::{Participant, Role, Roster};

/// How many nodes of one service are folded into one lane.
const GROUP_FROM: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LaneKind {
    Worker,
    Lock,
    /// Several nodes of one lock service.
    Group,
    Shard,
}

/// One lifeline of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    pub kind: LaneKind,
    /// One node; all of them for a group.
    pub nodes: Vec<NodeId>,
    /// The name under the glyph, and a shorter one.
    pub name: String,
    pub short: String,
}

/// All lanes of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lanes {
    pub lanes: Vec<Lane>,
    /// By node: its lane.
    of: Vec<usize>,
    /// By node: its name as it is used in sentences and on the picture.
    names: Vec<String>,
}

impl Lanes {
    pub fn of(roster: &Roster) -> Lanes {
        let mut all = Lanes { names: roster.nodes.iter().map(display_name).collect(), ..Lanes::default() };
        for id in roster.ids() {
            let name = all.names[id.index()].clone();
            let lane = match roster.role(id) {
                Some(Role::LockNode { service }) => {
                    let same =
                        |i: &NodeId| matches!(roster.role(*i), Some(Role::LockNode { service: s }) if s == service);
                    let nodes: Vec<NodeId> = roster.ids().filter(same).collect();
                    if nodes.len() >= GROUP_FROM {
                        if let Some(lane) = all.lanes.iter().position(|l| l.nodes.contains(&id)) {
                            all.of.push(lane);
                            continue;
                        }
                        let n = nodes.len();
                        Lane {
                            kind: LaneKind::Group,
                            nodes,
                            name: text::said("{a} lock nodes", &[&text::whole(n as u64)]),
                            short: text::said("{a} nodes", &[&text::whole(n as u64)]),
                        }
                    } else {
                        let long = if name == "lock" { "lock service".to_string() } else { name.clone() };
                        Lane { kind: LaneKind::Lock, nodes: vec![id], name: long, short: name }
                    }
                }
                Some(Role::Shard { resource }) => {
                    if is_copy(&roster.nodes[id.index()].name, resource)
                        && let Some(lane) =
                            all.lanes.last_mut().filter(|l| l.nodes.last() == id.0.checked_sub(1).map(NodeId).as_ref())
                        && roster.role(lane.nodes[0]) == roster.role(id)
                    {
                        // Copies are one participant, as what happens to them is told as of one.
                        lane.name = part_of(resource).to_string();
                        if lane.name == "R" {
                            lane.name = "resource".to_string();
                        }
                        lane.short.clone_from(&lane.name);
                        lane.nodes.push(id);
                        all.of.push(all.lanes.len() - 1);
                        continue;
                    }
                    Lane { kind: LaneKind::Shard, nodes: vec![id], name: name.clone(), short: name }
                }
                _ => Lane { kind: LaneKind::Worker, nodes: vec![id], name: name.clone(), short: name },
            };
            all.of.push(all.lanes.len());
            all.lanes.push(lane);
        }
        all
    }

    /// Puts lanes in another order and keeps the first `seen`. `order`: by new place the old one; `new`: the reverse.
    pub(super) fn reorder(&mut self, order: &[usize], new: &[usize], seen: usize) {
        self.lanes = order.iter().take(seen).map(|i| self.lanes[*i].clone()).collect();
        for lane in &mut self.of {
            *lane = new[*lane];
        }
    }

    #[inline(never)]
    /// The lane of a node. A log that names a node its roster does not have is drawn on the last lane rather than not at all.
    pub fn lane(&self, node: NodeId) -> usize {
        self.of.get(node.index()).copied().unwrap_or(self.lanes.len().saturating_sub(1))
    }

    #[inline(never)]
    /// The node's name, clipped to what a picture can carry.
    pub fn name(&self, node: NodeId) -> &str {
        self.names.get(node.index()).map_or("?", String::as_str)
    }

    /// Which of its group's nodes this is; 0 outside groups.
    pub fn member(&self, node: NodeId) -> usize {
        self.lanes.get(self.lane(node)).and_then(|l| l.nodes.iter().position(|n| *n == node)).unwrap_or(0)
    }

    #[inline(never)]
    pub fn kind(&self, lane: usize) -> LaneKind {
        self.lanes.get(lane).map_or(LaneKind::Worker, |l| l.kind)
    }

    pub fn in_group(&self, node: NodeId) -> bool {
        self.kind(self.lane(node)) == LaneKind::Group
    }

    pub fn is_worker(&self, node: NodeId) -> bool {
        self.kind(self.lane(node)) == LaneKind::Worker
    }

    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// There is only one of this kind, so that it needs no name of its own in a sentence.
    pub fn only(&self, kind: LaneKind) -> bool {
        self.lanes.iter().filter(|l| l.kind == kind).count() == 1
    }
}

/// A node's name in sentences. The usual single letters of a service and a resource mean nothing to a reader who did not write the story.
fn display_name(p: &Participant) -> String {
    match (&p.role, p.name.as_str()) {
        (Role::LockNode { .. }, "L") => "lock".to_string(),
        (Role::Shard { .. }, "R") => "resource".to_string(),
        // No control character, so that none of them separates parts of a text.
        (_, name) => text::clip(name, 14).chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect(),
    }
}

/// The shard of a resource, as copies say whose they are: `R`, or `R.debit`.
fn part_of(resource: &str) -> &str {
    crate::base::pieces::cut(resource, ".").map_or(resource, |(_, part)| part)
}

/// Is this the name of a second or later copy?
fn is_copy(name: &str, resource: &str) -> bool {
    matches!(name.strip_prefix(part_of(resource)).map(str::as_bytes), Some([b'2'..=b'9']))
}

/// How many lifelines the picture of a run has.
pub fn count(roster: &Roster) -> usize {
    Lanes::of(roster).len()
}

/// How many of them are seen, by how somebody arranged them.
pub fn seen(roster: &Roster, arrange: &super::arrange::Arrange) -> usize {
    let lanes = Lanes::of(roster).lanes;
    let seen = lanes.iter().filter(|l| !arrange.hides(l)).count();
    if seen == 0 { lanes.len() } else { seen }
}

/// How many nodes the largest group of a run has, if it has one.
pub fn largest_group(roster: &Roster) -> Option<usize> {
    let lanes = Lanes::of(roster).lanes;
    lanes.iter().filter(|l| l.kind == LaneKind::Group).map(|l| l.nodes.len()).max()
}

/// The class of a worker's hue. From the fourth on the hues come again; [`striped`] tells those apart.
pub fn hue(worker: NodeId) -> &'static str {
    ["w1", "w2", "w3"][worker.index() % 3]
}

/// From the fourth worker on bars are striped.
pub fn striped(worker: NodeId) -> bool {
    worker.index() >= 3
}
