//! Faults that few stories have: a request that is stalled in a handler, a split between servers, an acquisition that is given up, an end that
//! is asked for.

use super::{Bounds, Ends, JUST, Kind, Menu, Move, begin, instant};
use crate::base::{NodeId, Span, TrueTime};
use crate::protocol::params::Draw;
use crate::sim::config::{FaultVerb, MessageFault, MessageVerb, Moment};
use crate::trace::{EventKind, TraceEvent};

/// As long as a request is stalled of which it is not decided when it goes on.
const FOR_EVER: Span = Span::from_ms(86_400_000);

impl Menu {
    /// A request can wait in the handler of the resource, from when it arrives.
    pub(super) fn at_arrivals(&self, log: &[TraceEvent], bounds: &Bounds, out: &mut Vec<Move>) {
        if bounds.each.of(Kind::Stall) == 0 {
            return;
        }
        let requests = || {
            log.iter().filter_map(|e| match e.kind {
                EventKind::Arrived { from, what, .. } if self.shards.contains(&e.node) => Some((e, from, what)),
                _ => None,
            })
        };
        let stream = |e: &TraceEvent, from: NodeId, kind: usize| {
            u32::from(from.0) << 20 | u32::from(e.node.0) << 8 | kind as u32
        };
        let mut last = Ends::default();
        requests().for_each(|(e, from, what)| last.note(stream(e, from, what.kind.index()), what.nth));
        for (e, from, what) in requests() {
            let is_edge = last.is_edge(stream(e, from, what.kind.index()), what.nth, bounds.edges);
            let is_struck =
                from.index() < self.workers && (bounds.targets[from.index()] || bounds.targets[e.node.index()]);
            if !is_edge || !is_struck {
                continue;
            }
            let verb = FaultVerb::Message(MessageFault {
                what: MessageVerb::Stall,
                kinds: 1 << what.kind.index(),
                from: Some(vec![from]),
                to: Some(vec![e.node]),
                nth: Some(vec![what.nth]),
                takes: Some(Draw::Fixed(FOR_EVER)),
                applied: false,
            });
            begin(out, Kind::Stall, verb, Moment::At(Draw::ms(0)), e.at, true);
        }
    }

    /// Just after something happened.
    pub(super) fn rarely(&self, instants: &[TrueTime], bounds: &Bounds, out: &mut Vec<Move>) {
        let has = |kind| bounds.each.of(kind) > 0;
        let is_struck = |node: &&NodeId| bounds.targets[node.index()];
        let workers: Vec<NodeId> = (0..self.workers).map(|i| NodeId(i as u16)).collect();
        for at in instants.iter().map(|at| *at + JUST) {
            for worker in workers.iter().filter(is_struck) {
                let workers = vec![*worker];
                if has(Kind::Cancel) {
                    let verb = FaultVerb::Cancel { workers: workers.clone() };
                    begin(out, Kind::Cancel, verb, instant(at), at, false);
                }
                if has(Kind::ShutDown) {
                    begin(out, Kind::ShutDown, FaultVerb::ShutDown { workers }, instant(at), at, false);
                }
            }
            // Servers of which another can answer talk to each other; those of a quorum do not.
            if has(Kind::Partition) && self.fails_over && self.lock_nodes.len() > 1 {
                for alone in self.lock_nodes.iter().filter(is_struck) {
                    let rest: Vec<NodeId> = self.lock_nodes.iter().filter(|n| *n != alone).copied().collect();
                    let beside = workers.iter().filter(is_struck).filter(|w| self.threads[w.index()][0] == **w);
                    let sides = beside.map(|w| &self.threads[w.index()][..]);
                    for side in [&[][..]].into_iter().chain(sides) {
                        let verb = FaultVerb::Partition { groups: vec![[&[*alone], side].concat(), rest.clone()] };
                        begin(out, Kind::Partition, verb, instant(at), at, true);
                    }
                }
            }
        }
    }
}
