//! Where chance enters a run: named draws go to the chooser, every answer is written down, acquisitions get the observer's numbers.

use super::chooser::{ChoicePoint, Chooser, Question, Schedule};
use super::config::Roster;
use crate::base::{AcqId, Message, NodeId, Payload, Span, prng};
use crate::protocol::Purpose;
use crate::protocol::params::Draw;
use std::hash::{Hash, Hasher};

/// Everything that answers questions of chance in one run.
#[derive(Clone, Debug)]
pub(super) struct Chance<C> {
    pub chooser: C,
    pub schedule: Schedule,
    /// Draws so far, by node and purpose.
    drawn: Vec<u32>,
    /// By node: a word for its name. Numbers of nodes differ between designs, names do not.
    names: Vec<u64>,
    /// Whose each acquisition is.
    pub owners: Vec<NodeId>,
}

impl<C: Chooser> Chance<C> {
    pub fn new(chooser: C, roster: &Roster) -> Chance<C> {
        let names: Vec<u64> = roster.ids().map(|id| prng::name(roster.name(id))).collect();
        let drawn = vec![0; names.len() * Purpose::COUNT];
        Chance { chooser, schedule: Schedule::default(), drawn, names, owners: Vec::new() }
    }

    pub fn reset(&mut self, chooser: C) {
        self.chooser = chooser;
        if !self.schedule.0.is_empty() {
            self.schedule.0.clear();
            self.drawn.iter_mut().for_each(|n| *n = 0);
        }
        self.owners.clear();
    }

    /// Adds to `h` what later answers depend on: how often each question was asked, and the number of the next acquisition.
    pub fn digest(&self, h: &mut impl Hasher) {
        self.owners.hash(h);
        if !self.schedule.0.is_empty() {
            self.drawn.hash(h);
        }
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
        let key = self.key(node, purpose);
        self.length(draw, key)
    }

    /// A number for a node's purpose, this time.
    pub fn number(&mut self, node: NodeId, purpose: Purpose, below: u64) -> u64 {
        let key = self.key(node, purpose);
        self.choose(Question::Number { below }, key)
    }

    fn key(&mut self, node: NodeId, purpose: Purpose) -> [u64; 4] {
        let count = &mut self.drawn[node.index() * Purpose::COUNT + purpose as usize];
        *count += 1;
        [KEY_NODE | purpose as u64, self.names[node.index()], u64::from(*count), 0]
    }

    /// Names one question about one message on its way.
    pub fn key_of_message(&self, from: NodeId, to: NodeId, message: &Message, what: u64) -> [u64; 4] {
        // Both halves of a call in two steps have one number; each meets a network of its own all the same.
        let half = matches!(message.payload, Payload::Set { .. } | Payload::Get { .. } | Payload::Owned { .. });
        let about = KEY_LINK | what << 8 | u64::from(half) << 7 | message.kind.index() as u64;
        [about, self.names[from.index()], self.names[to.index()], u64::from(message.nth)]
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
const KEY_LINK: u64 = 1 << 32;
const KEY_NODE: u64 = 2 << 32;
pub(super) const KEY_FAULT: u64 = 3 << 32;
