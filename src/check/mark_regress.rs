//! HWM: a shard's high-water mark never decreases, whatever crashes or is restored.
//!
//! The mark is the resource's memory of the youngest owner it has met. A resource that forgets it lets every older owner in again. A
//! mark that disappears has fallen, too. Not reached while no shard had a mark that moved.

use super::found::{Found, Hole};
use crate::base::Token;
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct MarkRegress {
    pub found: Found,
    /// By shard: the event that last raised its mark.
    raised: Vec<Option<EventSeq>>,
}

impl MarkRegress {
    pub fn new(nodes: usize) -> MarkRegress {
        MarkRegress { found: Found::default(), raised: vec![None; nodes] }
    }

    pub fn reset(&mut self) {
        self.found.reset();
        self.raised.fill(None);
    }

    pub fn moved(&mut self, e: &TraceEvent, from: Option<Token>, to: Option<Token>) {
        self.found.reach();
        let Some(raised) = self.raised.get_mut(e.node.index()) else { return };
        if to < from {
            let holes = [Hole::The(e.node), Hole::mark(from), Hole::mark(to), Hole::At(e.at)];
            let witnesses = [raised.unwrap_or(e.seq), e.seq];
            self.found.breach(e.at, "The mark of * fell from * to *, at *.", &holes, &witnesses);
        } else {
            *raised = Some(e.seq);
        }
    }
}
