//! What of the past can still matter: a digest of a checker's state, for a search that prunes.
//!
//! Two ways of coming to the same world may be continued as one, if the same continuation gets the same verdicts. So the digest holds
//! what a property may still look at, and nothing else: no event numbers, no names, no measures, and times only relative to now. It is
//! taken for the properties that the search is about; what others remember does not keep two states apart. A property that is
//! broken already has nothing left to remember.
//!
//! It may tell apart what could be one (a search that sees a state twice wastes time); it must not take for one what is two.

use super::checker::Checker;
use super::ledger::GrantId;
use super::report::{Property, PropertySet, Standing};
use crate::base::{Fingerprint, TrueTime};
use std::hash::Hash;

impl Checker {
    /// Adds to `h` all that the future verdicts about `of` depend on, as of `now`.
    pub fn digest(&self, now: TrueTime, of: PropertySet, h: &mut Fingerprint) {
        let mut grants_matter = false;
        for p in of.iter() {
            let standing = self.standing(p);
            (p, standing).hash(h);
            if standing == Standing::Violated || !self.applies(p) {
                continue;
            }
            match p {
                Property::StaleWrite => self.stale_write.youngest().for_each(|y| y.hash(h)),
                Property::DuplicateEffect => self.duplicate_effect.keys().for_each(|k| k.hash(h)),
                Property::BrokenPromise => {
                    // What is given back stays so; what has run out can still be extended, by a request sent after the last.
                    for (id, g) in self.ledger.latest_records().filter(|(_, g)| !g.given_back) {
                        (id, now.since(g.asked())).hash(h);
                        if g.promised > now && self.broken_promise.watches(id) {
                            (g.promised != TrueTime::NEVER).then(|| g.promised.since(now)).hash(h);
                        }
                    }
                }
                Property::NoProgress => {
                    // Whether a wait is too long is asked at the end of the run, which the world's digest knows how far away it is.
                    self.no_progress.has_asked().hash(h);
                    for (id, life) in self.lifelines.iter() {
                        if let Some((since, _)) = life.waiting {
                            (id, now.since(since), life.wants).hash(h);
                        }
                    }
                }
                Property::BeliefOverlap => self.beliefs.digest(now, h),
                Property::GrantOverlap | Property::FalseAcquire => self.grants.digest(now, h),
                Property::LateSend => self.ledger.deadlines().for_each(|d| d.hash(h)),
                Property::TokenRegress => self.token_regress.highest().for_each(|t| t.hash(h)),
                Property::IssueRegress => self.issue_regress.highest().for_each(|n| n.hash(h)),
                Property::SplitShards => self.split_shards.digest(h),
                Property::Leak | Property::Deadlock => {
                    // Both are judged at the end: what is in force, since when nobody uses it, and who waits.
                    self.no_progress.has_asked().hash(h);
                    self.grants.each().for_each(|held| held.hash(h));
                    for (acq, since) in self.ledger.idle() {
                        (acq, (since != TrueTime::NEVER).then(|| now.since(since))).hash(h);
                    }
                    for (id, life) in self.lifelines.iter() {
                        (id, life.waiting.map(|(since, _)| now.since(since)), life.wants).hash(h);
                    }
                }
                // They look at the world and at the event alone, or at the grants below.
                Property::NonOwnerWrite
                | Property::LostUpdate
                | Property::ForeignRelease
                | Property::ForeignRenewal
                | Property::MarkRegress => {}
            }
            grants_matter |= matches!(
                p,
                Property::StaleWrite
                    | Property::NonOwnerWrite
                    | Property::BrokenPromise
                    | Property::GrantOverlap
                    | Property::FalseAcquire
                    | Property::TokenRegress
                    | Property::SplitShards
                    | Property::Leak
            );
        }
        if grants_matter {
            // Under which grant each acquisition acts, and which grant of each lock is the latest.
            self.ledger.bindings().for_each(|b| b.hash(h));
            self.ledger.latest_grants().collect::<Vec<GrantId>>().hash(h);
        }
    }
}
