//! Where chance enters a run: named draws go to the chooser, every answer is written down, acquisitions get the observer's numbers.

use super::chooser::{ChoicePoint, Chooser, Question, Schedule};
use crate::base::{AcqId, NodeId, Span};
use crate::protocol::Purpose;
use crate::protocol::params::Draw;

/// Everything that answers questions of chance in one run.
#[derive(Clone, Debug)]
pub(super) struct Chance<C> {
    pub chooser: C,
    pub schedule: Schedule,
    /// Draws so far, by node and purpose.
    drawn: Vec<u32>,
    /// Whose each acquisition is.
    pub owners: Vec<NodeId>,
}

impl<C: Chooser> Chance<C> {
    pub fn new(chooser: C, nodes: usize) -> Chance<C> {
        Chance { chooser, schedule: Schedule::default(), drawn: vec![0; nodes * Purpose::COUNT], owners: Vec::new() }
    }

    pub fn reset(&mut self, chooser: C) {
        self.chooser = chooser;
        if !self.schedule.0.is_empty() {
            self.schedule.0.clear();
            self.drawn.iter_mut().for_each(|n| *n = 0);
        }
        self.owners.clear();
    }

    /// The one place where an answer of chance enters a run.
    pub fn choose(&mut self, what: Question, key: [u64; 4]) -> u64 {
        let answer = self.chooser.choose(&ChoicePoint { what, key });
        self.schedule.0.push(answer);
        answer
    }

    /// A length for which `key` names the occurrence.
    #[inline]
    pub fn length(&mut self, draw: Draw, key: [u64; 4]) -> Span {
        match draw {
            Draw::Fixed(span) => span,
            _ => Span::from_us(self.choose(Question::Length(draw), key) as i64),
        }
    }

    /// A length for a node's purpose, this time.
    pub fn draw(&mut self, node: NodeId, purpose: Purpose, draw: Draw) -> Span {
        let count = &mut self.drawn[node.index() * Purpose::COUNT + purpose as usize];
        *count += 1;
        let key = [KEY_NODE | u64::from(node.0), purpose as u64, u64::from(*count), 0];
        self.length(draw, key)
    }

    /// The observer's number for a fresh acquisition of this worker.
    #[inline]
    pub fn acquisition(&mut self, worker: NodeId) -> AcqId {
        let id = AcqId(self.owners.len() as u32);
        self.owners.push(worker);
        id
    }
}

/// First words of the keys, so that a link's third message and a worker's third sleep are different questions.
pub(super) const KEY_LINK: u64 = 1 << 32;
pub(super) const KEY_NODE: u64 = 2 << 32;
pub(super) const KEY_FAULT: u64 = 3 << 32;
