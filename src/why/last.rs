//! The last sentence of a chain: the promise breaks here. One for each property.

use super::say::{after, named, say, upper};
use super::tale::Tale;
use super::words::*;
use crate::base::fact::Effect;
use crate::base::text::{natural, said};
use crate::base::{Fact, NodeId, Payload};
use crate::check::report::{Property, Violation};
use crate::trace::names::{length, reading};
use crate::trace::{EventKind, EventSeq, TraceEvent};

/// What breaks the promise, in one sentence.
pub fn last(tale: &Tale, v: &Violation) -> String {
    let Some(e) = v.witnesses.last().map(|s| tale.event(*s)) else { return v.sentence.clone() };
    let sentence = Last { tale, v, e }.sentence();
    let told = sentence.or_else(|| say(tale, e, &v.witnesses)).unwrap_or_else(|| v.sentence.clone());
    upper(&told)
}

struct Last<'a> {
    tale: &'a Tale<'a>,
    v: &'a Violation,
    e: &'a TraceEvent,
}

impl Last<'_> {
    fn sentence(&self) -> Option<String> {
        let (tale, v, e) = (self.tale, self.v, self.e);
        let here = tale.the(e.node);
        Some(match (v.property, &e.kind) {
            (Property::NoProgress, _) => {
                let lock = tale.names.lock(tale.wanted(e)?.1);
                said(LAST_WAITS, &[here, &lock, &after(e.at, v.at)])
            }
            (Property::Deadlock, _) => {
                let mut names: Vec<&str> = Vec::new();
                for w in &v.witnesses {
                    names.push(tale.who(tale.event(*w).node));
                }
                match names[..] {
                    [a, b, ..] => said(LAST_RING, &[a, b]),
                    _ => said(LAST_RING_ALONE, &[here, &tale.names.lock(tale.wanted(e)?.1)]),
                }
            }
            (Property::Leak, _) => said(LAST_LEAK, &[self.granted_to()?]),
            (Property::StaleWrite, EventKind::Did(Fact::Applied(x))) => match self.younger(x)? {
                w if w == x.worker => said(LAST_STALE_OWN, &[here, tale.who(w)]),
                w => said(LAST_STALE, &[here, tale.who(x.worker), tale.who(w)]),
            },
            (Property::NonOwnerWrite, EventKind::Did(Fact::Applied(x))) => self.non_owner(x),
            (Property::LostUpdate, EventKind::Did(Fact::Applied(x))) => match self.overwritten(x) {
                Some(w) if w == x.worker => said(LAST_LOST_OWN, &[here, tale.who(w)]),
                Some(w) => said(LAST_LOST, &[here, tale.who(x.worker), tale.who(w)]),
                None => said(LAST_LOST_OLD, &[here, tale.who(x.worker)]),
            },
            (Property::SplitShards, EventKind::Did(Fact::Applied(x))) => {
                said(LAST_SPLIT, &[here, tale.who(x.worker), self.successor(x)?])
            }
            (
                Property::DuplicateEffect,
                EventKind::Did(Fact::Applied(Effect { worker, .. }) | Fact::Called { worker, .. }),
            ) => said(LAST_TWICE, &[here, tale.who(*worker)]),
            (Property::BrokenPromise, EventKind::Did(Fact::Granted(g))) => {
                let (_, old) = tale.rival_before(g.lock, g.acq, e.seq)?;
                let (who, lock, owner) = (tale.who(g.worker), tale.names.lock(g.lock), self.promised_to()?);
                match (old.ttl, self.early()) {
                    (Some(_), Some(early)) => said(LAST_EARLY, &[who, &lock, &early, owner]),
                    _ => said(LAST_EARLY_FREE, &[who, &lock, owner]),
                }
            }
            (Property::GrantOverlap, EventKind::Did(Fact::Granted(g))) => {
                said(LAST_TWO_GRANTS, &[tale.who(g.worker), &tale.names.lock(g.lock), self.granted_to()?])
            }
            (Property::GrantOverlap, EventKind::Did(Fact::Extended { worker, .. })) => {
                let first = v.witnesses.iter().map(|s| tale.event(*s)).find_map(|o| match &o.kind {
                    EventKind::Did(Fact::Granted(g)) if g.worker != *worker => Some(g.worker),
                    _ => None,
                });
                said(LAST_EXTENDED, &[here, tale.who(*worker), tale.who(first?)])
            }
            (Property::TokenRegress, EventKind::Did(Fact::Granted(g))) => {
                let first = tale.event(*v.witnesses.first()?);
                let EventKind::Did(Fact::Granted(old)) = &first.kind else { return None };
                let lock = tale.names.lock(g.lock);
                let (new, had) = (natural(g.token?.get()), natural(old.token?.get()));
                said(LAST_TOKEN, &[tale.who(g.worker), &lock, &new, tale.who(old.worker), &had])
            }
            (Property::BeliefOverlap, EventKind::Did(Fact::Believed { lock, .. })) => {
                said(LAST_BELIEVES, &[here, &tale.names.lock(*lock), self.others()?])
            }
            (Property::FalseAcquire, EventKind::Did(Fact::Believed { lock, acq, .. })) => {
                let template = if tale.grant_before(*acq, e.seq).is_some() { LAST_FALSE_OVER } else { LAST_FALSE };
                said(template, &[here, &tale.names.lock(*lock)])
            }
            (Property::LateSend, EventKind::Sent { what, .. }) => self.late(&what.payload, named(what))?,
            (Property::IssueRegress, EventKind::Did(Fact::Issued { number, .. })) => {
                said(LAST_ISSUE, &[here, &natural(*number)])
            }
            _ => return None,
        })
    }

    /// Whom the first grant among the witnesses belongs to.
    fn granted_to(&self) -> Option<&str> {
        self.v.witnesses.iter().map(|s| self.tale.event(*s)).find_map(|e| match &e.kind {
            EventKind::Did(Fact::Granted(g)) => Some(self.tale.who(g.worker)),
            _ => None,
        })
    }

    /// Whom the promise was made to that breaks: the grant among the witnesses that is not the last.
    fn promised_to(&self) -> Option<&str> {
        let other = self.v.witnesses.iter().rev().skip(1).map(|s| self.tale.event(*s));
        other.into_iter().find_map(|e| match &e.kind {
            EventKind::Did(Fact::Granted(g)) => Some(self.tale.who(g.worker)),
            EventKind::Did(Fact::Extended { worker, .. }) => Some(self.tale.who(*worker)),
            _ => None,
        })
    }

    /// How long before the promised end, as far as the witnesses say: the last request that the promise rests on, plus its length.
    fn early(&self) -> Option<String> {
        let mut end = None;
        for w in self.v.witnesses.iter().rev().skip(1) {
            let promise = match &self.tale.event(*w).kind {
                EventKind::Did(Fact::Granted(g)) => Some((g.asked, g.ttl, g.margin)),
                EventKind::Did(
                    Fact::Extended { asked, ttl, margin, .. } | Fact::Reentered { asked, ttl, margin, .. },
                ) => Some((*asked, *ttl, *margin)),
                _ => None,
            };
            if let Some((asked, ttl, margin)) = promise {
                end = end.max(Some(asked + (ttl? - margin)));
            }
        }
        let early = end?.since(self.v.at);
        (!early.is_negative()).then(|| length(early))
    }

    /// Whose younger mutation came before.
    fn younger(&self, x: &Effect) -> Option<NodeId> {
        let others = self.v.witnesses.iter().rev().map(|s| self.tale.event(*s));
        others.into_iter().find_map(|e| match &e.kind {
            EventKind::Did(Fact::Applied(y)) if y.acq != x.acq => Some(y.worker),
            _ => None,
        })
    }

    fn non_owner(&self, x: &Effect) -> String {
        let (tale, here) = (self.tale, self.tale.the(self.e.node));
        let who = tale.who(x.worker);
        match (x.acq, self.successor(x)) {
            (None, _) => said(LAST_UNASKED, &[here, who]),
            (Some(acq), _) if tale.grant_before(acq, self.e.seq).is_none() => said(LAST_UNGRANTED, &[here, who]),
            (_, Some(next)) if next != who => said(LAST_NON_OWNER, &[here, who, next]),
            _ => said(LAST_NON_OWNER_OWN, &[here, who]),
        }
    }

    /// Who was granted the lock after this mutation's own grant.
    fn successor(&self, x: &Effect) -> Option<&str> {
        let acq = x.acq?;
        let (own, g) = self.tale.grant_before(acq, self.e.seq)?;
        let (next, new) = self.tale.rival_before(g.lock, acq, self.e.seq)?;
        (next.seq > own.seq).then(|| self.tale.who(new.worker))
    }

    /// Who had written the version that is overwritten.
    fn overwritten(&self, x: &Effect) -> Option<NodeId> {
        self.tale.facts_before(self.e.seq).find_map(|(e, f)| match f {
            Fact::Applied(y) if e.node == self.e.node && y.after == x.before => Some(y.worker),
            _ => None,
        })
    }

    /// The other believer among the witnesses.
    fn others(&self) -> Option<&str> {
        let mut names: Vec<&str> = Vec::new();
        for w in &self.v.witnesses {
            let e = self.tale.event(*w);
            if e.node != self.e.node {
                names.push(self.tale.who(e.node));
            }
        }
        names.first().copied()
    }

    fn late(&self, payload: &Payload, noun: &str) -> Option<String> {
        let (tale, e) = (self.tale, self.e);
        let acq = payload.acq()?;
        let deadline = tale.facts_before(e.seq).find_map(|(b, f)| match f {
            Fact::Believed { acq: a, until, .. } | Fact::Reckoned { acq: a, until, .. }
                if *a == acq && b.node == e.node =>
            {
                Some(*until)
            }
            _ => None,
        });
        let its = said(ITS, &[noun]);
        let deadline = reading(deadline??);
        let template = if e.local.as_us() == e.at.as_us() { LAST_LATE } else { LAST_LATE_CLOCK };
        Some(said(template, &[tale.the(e.node), &its, &deadline]))
    }
}

/// The witness that a chain ends in, and when.
pub fn witness(v: &Violation) -> Option<EventSeq> {
    v.witnesses.last().copied()
}
