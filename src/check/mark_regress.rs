//! HWM: a shard's high-water mark never decreases, whatever crashes or is restored.
//!
//! The mark is the resource's memory of the youngest owner it has met. A resource that forgets it lets every older owner in again. A
//! mark that disappears has fallen, too. Not reached while no shard had a mark that moved.

use super::found::{Breach, Found};
use super::words::{Words, at};
use crate::base::{NodeId, Token, TrueTime};
use crate::trace::{EventSeq, TraceEvent};

#[derive(Clone, Default, Debug)]
pub struct MarkRegress {
    pub found: Found<Fall>,
    /// By shard: the event that last raised its mark.
    raised: Vec<Option<EventSeq>>,
}

/// A mark that fell.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    at: TrueTime,
    seq: EventSeq,
    shard: NodeId,
    raised: Option<EventSeq>,
    from: Option<Token>,
    to: Option<Token>,
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
            self.found.breach(Fall { at: e.at, seq: e.seq, shard: e.node, raised: *raised, from, to });
        } else {
            *raised = Some(e.seq);
        }
    }
}

impl Breach for Fall {
    fn at(&self) -> TrueTime {
        self.at
    }

    fn sentence(&self, words: &Words) -> String {
        let mark = |m: Option<Token>| m.map_or("nothing".to_string(), |t| t.to_string());
        let (from, to) = (mark(self.from), mark(self.to));
        let shard = words.who(self.shard);
        let the = if shard == "resource" { "the " } else { "" };
        format!("The mark of {the}{shard} fell from {from} to {to}, at {}.", at(self.at))
    }

    fn witnesses(&self, _: &Words) -> Vec<EventSeq> {
        self.raised.into_iter().chain([self.seq]).collect()
    }
}
