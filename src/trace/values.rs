//! What a version says: the number that people read on an arrow.
//!
//! A resource counts *versions*: each accepted mutation makes a new one. What a reader of the diagram wants to see is the *value*: two
//! workers that both read 0 and add one both write 1, and that is the whole point of a lost update, though the second 1 is version 2.
//! So the value of a mutation is one more than that of the version it was computed from. A blind write has no such version; its value
//! is named by the version it makes.

use crate::base::fact::Effect;
use crate::base::{Fact, NodeId};
use crate::trace::{EventKind, TraceEvent};

/// Values by version, per shard, where they are not equal.
#[derive(Clone, Default, Debug)]
pub struct Values {
    known: Vec<(NodeId, u64, u64)>,
}

impl Values {
    pub fn new() -> Values {
        Values::default()
    }

    /// Takes note of a mutation; other events say nothing about values.
    pub fn observe(&mut self, e: &TraceEvent) {
        if let EventKind::Did(Fact::Applied(effect)) = &e.kind {
            let value = self.written(e.node, effect);
            if value != effect.after {
                self.known.push((e.node, effect.after, value));
            }
        }
    }

    /// The value of a version of this shard.
    pub fn value(&self, shard: NodeId, version: u64) -> u64 {
        self.known.iter().rfind(|(s, v, _)| (*s, *v) == (shard, version)).map_or(version, |k| k.2)
    }

    /// The value that a write computed from `base` carries; `None` if it is blind.
    pub fn computed(&self, shard: NodeId, base: Option<u64>) -> Option<u64> {
        base.map(|b| self.value(shard, b) + 1)
    }

    /// The value that a mutation gave the shard.
    pub fn written(&self, shard: NodeId, effect: &Effect) -> u64 {
        self.computed(shard, effect.base).unwrap_or(effect.after)
    }
}
