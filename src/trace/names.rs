//! What participants are called in running text, and how instants and lengths are set in it.
//!
//! A person who reads "W1 → lock acquire" should not have to know that the node's name in the scenario is `redis-0`. So the only
//! lock node of a run is called "lock" and the only shard "resource"; as soon as there are two of a kind each has its own name.
//! Numbers keep to their unit and to their noun with a no-break space, so that a line never ends in "15.005" or in "grant".

use super::log::{Role, Roster};
use crate::base::{LocalTime, LockId, NodeId, Span, TrueTime};

/// A no-break space: before units, and after "grant", "token", "version".
pub const NBSP: char = '\u{a0}';
const UNBROKEN: &str = "\u{a0}";

/// Names of a roster's participants, as running text uses them.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    roster: &'a Roster,
    lone_lock: Option<NodeId>,
    lone_shard: Option<NodeId>,
}

impl<'a> Names<'a> {
    pub fn new(roster: &'a Roster) -> Names<'a> {
        let lone = |is: fn(&Role) -> bool| {
            let mut ids = roster.ids().filter(|id| roster.role(*id).is_some_and(is));
            let first = ids.next();
            if ids.next().is_none() { first } else { None }
        };
        Names {
            roster,
            lone_lock: lone(|r| matches!(r, Role::LockNode { .. })),
            lone_shard: lone(|r| matches!(r, Role::Shard { .. })),
        }
    }

    /// "W1"; "lock" and "resource" where there is one of them.
    pub fn node(&self, id: NodeId) -> &'a str {
        if self.lone_lock == Some(id) {
            "lock"
        } else if self.lone_shard == Some(id) {
            "resource"
        } else {
            self.roster.name(id)
        }
    }

    /// "the lock", or "lock jobs" where there are several.
    pub fn lock(&self, id: LockId) -> String {
        match self.roster.locks.get(id.index()) {
            Some(name) if self.roster.locks.len() > 1 => ["lock\u{a0}", name].concat(),
            _ => "the lock".to_string(),
        }
    }

    /// "grant 1", or "grant 1 of jobs" where there are several locks; `number` counts the grants of one lock from 1.
    pub fn grant(&self, lock: LockId, number: u32) -> String {
        ["grant\u{a0}", &self.number(lock, number)].concat()
    }

    /// What follows the word "grant": "1", or "1 of jobs".
    pub fn number(&self, lock: LockId, number: u32) -> String {
        match self.roster.locks.get(lock.index()) {
            Some(name) if self.roster.locks.len() > 1 => [&number.to_string(), " of ", name].concat(),
            _ => number.to_string(),
        }
    }
}

/// "15.005 s".
pub fn at(t: TrueTime) -> String {
    t.text(UNBROKEN)
}

/// A reading of somebody's clock, written like an instant.
pub fn reading(t: LocalTime) -> String {
    t.text(UNBROKEN)
}

/// "1.02 s", "480 ms".
pub fn length(s: Span) -> String {
    s.text(UNBROKEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::Participant;

    fn roster(locks: usize) -> Roster {
        let mut nodes = vec![Participant { name: "W1".into(), role: Role::Worker { process: 0 } }];
        for i in 0..locks {
            nodes.push(Participant { name: format!("redis-{i}"), role: Role::LockNode { service: "redis".into() } });
        }
        nodes.push(Participant { name: "R".into(), role: Role::Shard { resource: "R".into() } });
        Roster { nodes, locks: vec!["a".into(), "b".into()], horizon: TrueTime::from_ms(60_000) }
    }

    #[test]
    fn the_only_one_of_its_kind_is_called_by_its_kind() {
        let one = roster(1);
        let names = Names::new(&one);
        assert_eq!([0, 1, 2].map(|i| names.node(NodeId(i))), ["W1", "lock", "resource"]);
        let two = roster(2);
        let names = Names::new(&two);
        assert_eq!([1, 2, 3].map(|i| names.node(NodeId(i))), ["redis-0", "redis-1", "resource"]);
    }

    #[test]
    fn numbers_stay_with_their_unit_and_their_noun() {
        let r = roster(1);
        assert_eq!(Names::new(&r).grant(LockId(1), 3), "grant\u{a0}3 of b");
        assert_eq!(at(TrueTime::from_ms(15_005)), "15.005\u{a0}s");
        assert_eq!(length(Span::from_ms(480)), "480\u{a0}ms");
    }
}
