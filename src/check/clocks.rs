//! Which time a node's other clocks show, from a log that carries the wall clock only.
//!
//! Every event notes the wall clock of its node. The monotonic clock of the same node differs from it by the wall's offset at the start
//! and by the steps since, both of which are in whole local microseconds, so it can be had exactly. The suspend-blind clock has
//! missed what the monotonic one counted while the whole node was suspended. The offset is not in the log: the setup says it, and
//! where it does not, 0 is taken (a clock that was right at the start).

use crate::base::{ClockKind, LocalTime, NodeId, Span};
use crate::trace::TraceEvent;

#[derive(Clone, Default, Debug)]
pub struct Clocks {
    nodes: Vec<Face>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Face {
    /// What the wall clock is ahead of the monotonic one.
    ahead: Span,
    /// What the suspend-blind clock has missed.
    missed: Span,
    /// What the monotonic clock showed when the node was suspended.
    suspended: Option<LocalTime>,
}

impl Clocks {
    pub fn new(nodes: usize, offsets: &[Span]) -> Clocks {
        let face = |i: usize| Face { ahead: offsets.get(i).copied().unwrap_or_default(), ..Face::default() };
        Clocks { nodes: (0..nodes).map(face).collect() }
    }

    pub fn reset(&mut self, offsets: &[Span]) {
        self.nodes.fill(Face::default());
        for (face, offset) in self.nodes.iter_mut().zip(offsets) {
            face.ahead = *offset;
        }
    }

    pub fn stepped(&mut self, node: NodeId, by: Span) {
        if let Some(f) = self.nodes.get_mut(node.index()) {
            f.ahead += by;
        }
    }

    pub fn suspended(&mut self, e: &TraceEvent) {
        if let Some(f) = self.nodes.get_mut(e.node.index()) {
            f.suspended.get_or_insert(e.local - f.ahead);
        }
    }

    pub fn resumed(&mut self, e: &TraceEvent) {
        if let Some(f) = self.nodes.get_mut(e.node.index())
            && let Some(from) = f.suspended.take()
        {
            f.missed += (e.local - f.ahead).since(from);
        }
    }

    /// What this clock of the event's node shows at the event.
    pub fn read(&self, kind: ClockKind, e: &TraceEvent) -> LocalTime {
        let Some(f) = self.nodes.get(e.node.index()) else { return e.local };
        match kind {
            ClockKind::Wall => e.local,
            ClockKind::Monotonic => e.local - f.ahead,
            ClockKind::SuspendBlind => e.local - f.ahead - f.missed,
        }
    }
}
