//! Links: how long a message takes, and whether it arrives.
//!
//! Latency belongs to a pair of nodes and a direction. A cut or a partition loses what is *sent* while it lasts; what is under way
//! arrives. Message faults name a kind, a sender, a receiver and an occurrence.

use super::config::{FaultVerb, LinkSpec, MessageFault, MessageVerb, SimConfig};
use crate::base::{Kind, NodeId, Span, TrueTime};
use crate::protocol::params::{Draw, Family};
use std::hash::{Hash, Hasher};

/// The state of all links.
#[derive(Clone, Debug, Default)]
pub struct Network {
    nodes: usize,
    links: Vec<LinkSpec>,
    /// By link: its latency if it does nothing else to a message: no chance, no order.
    plain: Vec<Option<Span>>,
    /// Something else may happen to messages: a link is cut, or was; a message fault is in force, or was.
    troubled: bool,
    /// How many cuts lie on each link.
    cuts: Vec<u8>,
    /// For ordered links: when the last message arrives.
    last_arrival: Vec<TrueTime>,
    any_ordered: bool,
    /// Message faults in force: indices into the story's faults.
    pub active: Vec<usize>,
}

impl Network {
    pub fn new(config: &SimConfig) -> Network {
        let nodes = config.roster.nodes.len();
        let mut links = vec![config.network; nodes * nodes];
        for l in config.locks.iter().filter(|l| l.params.in_process) {
            // Inside one machine nothing is on its way.
            for a in &l.nodes {
                for b in 0..nodes {
                    links[a.index() * nodes + b].one_way = Draw::ms(0);
                    links[b * nodes + a.index()].one_way = Draw::ms(0);
                }
            }
        }
        for l in &config.locks {
            // The servers of one service have a network of their own: a replica is as far behind as its lag says, members of a group
            // are next to each other.
            let way = match l.params.family {
                Family::TtlKey => l.params.replication_lag,
                Family::Consensus | Family::SessionQueue => Draw::ms(0),
                Family::Quorum | Family::None | Family::Connection | Family::Record => continue,
            };
            for a in &l.nodes {
                for b in &l.nodes {
                    links[a.index() * nodes + b.index()].one_way = way;
                }
            }
        }
        for o in &config.links {
            for a in &o.from {
                for b in &o.to {
                    override_link(&mut links[a.index() * nodes + b.index()], o);
                    if !o.one_sided {
                        override_link(&mut links[b.index() * nodes + a.index()], o);
                    }
                }
            }
        }
        Network {
            nodes,
            any_ordered: links.iter().any(|l| l.ordered),
            plain: links.iter().map(plain).collect(),
            troubled: false,
            links,
            cuts: vec![0; nodes * nodes],
            last_arrival: vec![TrueTime::ZERO; nodes * nodes],
            active: Vec::new(),
        }
    }

    /// Back to the first state, keeping allocations.
    pub fn reset(&mut self) {
        if self.troubled {
            self.cuts.fill(0);
            self.troubled = false;
        }
        if self.any_ordered {
            self.last_arrival.fill(TrueTime::ZERO);
        }
        self.active.clear();
    }

    #[inline]
    fn at(&self, from: NodeId, to: NodeId) -> usize {
        from.index() * self.nodes + to.index()
    }

    #[inline]
    pub fn link(&self, from: NodeId, to: NodeId) -> &LinkSpec {
        &self.links[self.at(from, to)]
    }

    /// The latency of a link that does nothing else to a message: no chance, no order, no cut, no fault.
    #[inline]
    pub fn plain(&self, from: NodeId, to: NodeId) -> Option<Span> {
        if self.troubled { None } else { self.plain[self.at(from, to)] }
    }

    /// Adds to `h` which links are cut, and what the next message on an ordered one may not overtake.
    pub fn digest(&self, h: &mut impl Hasher) {
        if self.troubled {
            for (link, cuts) in self.cuts.iter().enumerate().filter(|(_, cuts)| **cuts > 0) {
                (link, cuts).hash(h);
            }
        }
        if self.any_ordered {
            self.last_arrival.hash(h);
        }
    }

    /// A message fault is in force from now on.
    pub fn strike_with(&mut self, fault: usize) {
        self.troubled = true;
        self.active.push(fault);
    }

    #[inline]
    pub fn is_cut(&self, from: NodeId, to: NodeId) -> bool {
        self.cuts[self.at(from, to)] > 0
    }

    /// One more cut on the link, in this direction. True if the link worked until now.
    pub fn cut(&mut self, from: NodeId, to: NodeId) -> bool {
        self.troubled = true;
        let i = self.at(from, to);
        self.cuts[i] += 1;
        self.cuts[i] == 1
    }

    /// One cut less. True if the link works again.
    pub fn heal(&mut self, from: NodeId, to: NodeId) -> bool {
        let i = self.at(from, to);
        self.cuts[i] = self.cuts[i].saturating_sub(1);
        self.cuts[i] == 0
    }

    /// On an ordered link nothing overtakes: the arrival is put off to that of what was sent before.
    #[inline]
    pub fn in_order(&mut self, from: NodeId, to: NodeId, arrival: TrueTime) -> TrueTime {
        if !self.any_ordered || !self.link(from, to).ordered {
            return arrival;
        }
        let i = self.at(from, to);
        self.last_arrival[i] = self.last_arrival[i].max(arrival);
        self.last_arrival[i]
    }
}

fn plain(link: &LinkSpec) -> Option<Span> {
    match *link {
        LinkSpec { one_way: Draw::Fixed(latency), loss_ppm: 0, ordered: false } => Some(latency),
        _ => None,
    }
}

fn override_link(link: &mut LinkSpec, o: &super::config::LinkOverride) {
    if let Some(one_way) = o.one_way {
        link.one_way = one_way;
    }
    if let Some(loss) = o.loss_ppm {
        link.loss_ppm = loss;
    }
    if let Some(ordered) = o.ordered {
        link.ordered = ordered;
    }
}

/// What the message faults in force do to one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Struck {
    pub dropped: bool,
    pub delay: Option<Draw>,
    /// A second copy goes out: as fast as the link is, or as the fault says.
    pub copy: Option<Option<Draw>>,
    pub stall: Option<Draw>,
    pub fail: Option<Failure>,
}

/// The sender gets an error instead of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure {
    pub after: Option<Draw>,
    /// The request took effect all the same.
    pub applied: bool,
}

/// Applies the faults in force, in the order of the story; marks in `used` those that struck.
pub fn strike(
    config: &SimConfig,
    active: &[usize],
    from: NodeId,
    to: NodeId,
    kind: Kind,
    nth: u32,
    used: &mut [bool],
) -> Struck {
    let mut s = Struck::default();
    for &i in active {
        let FaultVerb::Message(f) = &config.faults[i].verb else { continue };
        if !concerns(f, from, to, kind, nth) {
            continue;
        }
        used[i] = true;
        match f.what {
            MessageVerb::Drop => s.dropped = true,
            MessageVerb::Delay => s.delay = f.takes.or(s.delay),
            MessageVerb::Duplicate => s.copy = Some(f.takes.or(s.copy.flatten())),
            MessageVerb::Stall => s.stall = f.takes.or(s.stall),
            MessageVerb::Fail => s.fail = Some(Failure { after: f.takes, applied: f.applied }),
        }
    }
    s
}

fn concerns(f: &MessageFault, from: NodeId, to: NodeId, kind: Kind, nth: u32) -> bool {
    f.kinds & (1 << kind.index()) != 0
        && f.from.as_ref().is_none_or(|list| list.contains(&from))
        && f.to.as_ref().is_none_or(|list| list.contains(&to))
        && f.nth.as_ref().is_none_or(|list| list.contains(&nth))
}
