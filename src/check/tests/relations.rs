//! What follows from what, and what does not: the relations between the promises.

use super::{broken, gc_pause, holds, judge};
use crate::base::NodeId;
use crate::base::fact::Loss;
use crate::check::{Property, Standing, Verdict};
use crate::trace::story::{Story, W1, W2, W3};
use proptest::prelude::*;

fn standing(story: &Story, p: Property) -> Standing {
    match judge(story).verdict(p) {
        Verdict::Holds => Standing::Holds,
        Verdict::Violated(_) => Standing::Violated,
        Verdict::NotReached => Standing::NotReached,
    }
}

#[test]
fn the_pause_breaks_all_three_at_one_instant() {
    let report = judge(&gc_pause());
    for p in [Property::StaleWrite, Property::NonOwnerWrite, Property::LostUpdate] {
        assert_eq!(broken(&report, p).at.as_us(), 15_005_000);
    }
    for p in [Property::BrokenPromise, Property::GrantOverlap, Property::NoProgress, Property::DuplicateEffect] {
        holds(&report, p);
    }
    assert_eq!(broken(&report, Property::BeliefOverlap).length.map(|l| l.to_string()), Some("1.02 s".into()));
    assert_eq!(broken(&report, Property::LateSend).at.as_us(), 15_000_000);
}

/// A random run of grants, beliefs and writes of three workers; every acquisition is granted once.
fn writes() -> impl Strategy<Value = Story> {
    let step = (0..4u8, 0..3u16, 0..6u32);
    proptest::collection::vec(step, 1..40).prop_map(|steps| {
        let mut s = Story::new();
        let (mut acq, mut version, mut owner) = (0, 0, [0u32; 3]);
        for (i, (what, worker, back)) in steps.into_iter().enumerate() {
            s.at(100 * i as i64);
            let w = NodeId(worker);
            match what {
                0 => {
                    acq += 1;
                    owner[usize::from(worker)] = acq;
                    s.grant(w, acq);
                }
                1 | 2 if owner[usize::from(worker)] > 0 => {
                    let base = version - u64::from(back).min(version);
                    s.write_over(w, owner[usize::from(worker)], base, version);
                    version += 1;
                }
                _ => {
                    s.expire(back);
                }
            }
        }
        s
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn only_owners_writing_means_no_stale_write(s in writes()) {
        if standing(&s, Property::NonOwnerWrite) == Standing::Holds {
            prop_assert_ne!(standing(&s, Property::StaleWrite), Standing::Violated);
        }
    }

    #[test]
    fn a_lost_update_is_counted_and_a_counted_one_is_lost(s in writes()) {
        let report = judge(&s);
        prop_assert_eq!(report.violated(Property::LostUpdate), report.measures.updates_lost > 0);
    }

    #[test]
    fn witnesses_are_in_order_and_end_with_the_breach(s in writes()) {
        for (p, verdict) in judge(&s).verdicts {
            let Some(v) = verdict.violation() else { continue };
            prop_assert!(v.witnesses.is_sorted(), "{p}");
            let last = v.witnesses.last().and_then(|w| s.log.get(*w));
            if !matches!(p, Property::NoProgress | Property::Leak | Property::Deadlock) {
                prop_assert_eq!(last.map(|e| e.at), Some(v.at), "{}", p);
            }
        }
    }
}

#[test]
fn discipline_and_exclusive_belief_do_not_make_owners() {
    // W1 sends in time and gives the lock back; its write is on the wire for six seconds.
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10).believe(W1, 1, 10_000);
    s.at(9_020).send_write(W1, 1, 0, 1).at(9_030).doubt(W1, 1, Loss::Released).at(9_035).release(1, 1);
    s.at(10_195).grant(W2, 2).at(10_200).believe(W2, 2, 20_190);
    s.at(11_215).apply_op(W2, 2, 2, 0, 0).at(15_020).apply_op(W1, 1, 1, 0, 1);
    let report = judge(&s);
    holds(&report, Property::BeliefOverlap);
    holds(&report, Property::LateSend);
    holds(&report, Property::BrokenPromise);
    broken(&report, Property::NonOwnerWrite);
}

#[test]
fn no_stale_write_is_not_no_lost_update() {
    // The gap before the first write: fencing lets W1's old write in, because W2 has not written yet.
    let mut s = Story::new();
    s.at(5).grant_token(W1, 1, 1).at(10_005).expire(1).at(10_195).grant_token(W2, 2, 2);
    s.at(12_020).write(W1, 1, 0).mark(None, Some(1)).at(16_215).write_over(W2, 2, 0, 1).mark(Some(1), Some(2));
    let report = judge(&s);
    for p in [Property::StaleWrite, Property::TokenRegress, Property::MarkRegress] {
        holds(&report, p);
    }
    broken(&report, Property::NonOwnerWrite);
    broken(&report, Property::LostUpdate);
}

#[test]
fn a_kept_promise_and_one_grant_at_a_time_are_two_things() {
    // Forgotten and granted again: never two at once, and yet not what was promised.
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(20).forget(1).at(1_005).grant(W2, 2);
    let report = judge(&s);
    holds(&report, Property::GrantOverlap);
    broken(&report, Property::BrokenPromise);

    // A record that outlives its promise (the service's clock is slow) overlaps with a grant of another master.
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10_500).grant(W3, 2).at(11_000).expire(1);
    let report = judge(&s);
    broken(&report, Property::GrantOverlap);
    holds(&report, Property::BrokenPromise);
}

#[test]
fn a_shard_may_be_consistent_and_the_shards_not() {
    use crate::trace::story::{Q, R};
    let mut s = Story::two_shards();
    s.at(5).grant(W1, 1).at(4_025).write_at(R, W1, 1, 0).at(10_005).expire(1).at(10_055).grant(W2, 2);
    s.at(11_075).write_at(R, W2, 2, 1).at(15_005).write_at(Q, W1, 1, 0);
    let report = judge(&s);
    holds(&report, Property::StaleWrite);
    holds(&report, Property::LostUpdate);
    broken(&report, Property::SplitShards);
    broken(&report, Property::NonOwnerWrite);
}
