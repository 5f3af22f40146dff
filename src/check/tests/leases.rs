//! Leases: what was promised to whom, and when two hold at once.

use super::{broken, holds, judge, not_reached};
use crate::base::fact::{Loss, StopWhy};
use crate::base::{AcqId, Fact, LockId, Span, Thread, TrueTime};
use crate::check::{Property, Verdict};
use crate::trace::story::{LOCK, Story, W1, W2, W3};

// ------------------------------------------------------------------ promises

#[test]
fn a_release_for_another_grant_lifts_no_promise() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).release(1, 1).at(100).grant(W1, 2).at(200).release(2, 1).at(300).grant(W2, 3);
    let report = judge(&s);
    broken(&report, Property::ForeignRelease);
    assert_eq!(
        broken(&report, Property::ForeignRelease).sentence,
        "W1’s release, issued for grant 1, removed its own grant 2, at 0.200 s."
    );
    broken(&report, Property::BrokenPromise);
}

#[test]
fn an_administrator_breaks_the_promise_and_strikes_nobodys_release() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(100).break_up(1).at(300).grant(W2, 3);
    let report = judge(&s);
    broken(&report, Property::BrokenPromise);
    not_reached(&report, Property::ForeignRelease);
}

#[test]
fn a_release_that_finds_nothing_lifts_the_promise_all_the_same() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(20).forget(1).at(1_000).not_held(W1, 1).at(2_000).grant(W2, 2);
    let report = judge(&s);
    holds(&report, Property::BrokenPromise);
    holds(&report, Property::ForeignRelease);
}

#[test]
fn the_promise_counts_from_the_sending_and_less_the_margin() {
    for (margin_ms, granted_ms, kept) in [(0, 9_999, false), (0, 10_000, true), (102, 9_898, true), (102, 9_897, false)]
    {
        let mut s = Story::new();
        s.at(5).grant_with(W1, 1, |g| g.margin = Span::from_ms(margin_ms)).at(granted_ms).expire(1).grant(W2, 2);
        assert_eq!(judge(&s).verdict(Property::BrokenPromise) == &Verdict::Holds, kept, "{margin_ms} {granted_ms}");
    }
}

#[test]
fn an_own_extension_moves_the_promise_and_a_foreign_one_does_not() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(6_005).extend(1, 1, W1).at(12_000).forget(1).grant(W2, 2);
    let v = broken(&judge(&s), Property::BrokenPromise);
    assert_eq!(v.sentence, "W2 was granted the lock at 12.000 s, 4 s before W1’s grant 1 was to end.");
    assert_eq!(v.witnesses.iter().map(|w| w.0).collect::<Vec<_>>(), [0, 1, 3]);
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(6_005).extend(1, 9, W2).at(12_000).forget(1).grant(W2, 2);
    holds(&judge(&s), Property::BrokenPromise);
}

#[test]
fn an_old_extension_that_straggles_in_shortens_nothing() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(6_005).extend(1, 1, W1);
    let old = Fact::Extended {
        lock: LockId(0),
        acq: AcqId(1),
        by: AcqId(1),
        worker: W1,
        ttl: Some(Span::from_ms(10_000)),
        margin: Span::ZERO,
        asked: TrueTime::from_ms(3_000),
        until: None,
    };
    s.at(7_000).fact(LOCK, old).at(15_000).forget(1).grant(W2, 2);
    broken(&judge(&s), Property::BrokenPromise);
}

#[test]
fn without_a_ttl_the_promise_has_no_end() {
    let mut s = Story::new();
    s.at(5).grant_with(W1, 1, |g| g.ttl = None).at(50_000).forget(1).grant(W2, 2);
    let v = broken(&judge(&s), Property::BrokenPromise);
    assert_eq!(
        v.sentence,
        "W2 was granted the lock at 50.000 s, though W1’s grant 1 was to last until it is released."
    );
}

#[test]
fn a_promise_binds_against_the_same_worker_too() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(20).forget(1).at(1_005).grant(W1, 2);
    let v = broken(&judge(&s), Property::BrokenPromise);
    assert_eq!(v.sentence, "W1 was granted the lock at 1.005 s, 8.995 s before its own grant 1 was to end.");
}

// ------------------------------------------------------------------ two at once

#[test]
fn letting_go_and_taking_at_one_instant_is_no_overlap_in_either_order() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).believe(W1, 1, 10).at(9).grant(W2, 2).believe(W2, 2, 10).expire(1).doubt(W1, 1, Loss::Refused);
    let report = judge(&s);
    holds(&report, Property::GrantOverlap);
    holds(&report, Property::BeliefOverlap);
}

#[test]
fn a_belief_ends_with_its_worker_and_not_with_its_deadline() {
    let crash: fn(&mut Story) -> &mut Story = |s| s.crash(W1);
    let main: fn(&mut Story) -> &mut Story = |s| s.crash_thread(W1, Thread::Main);
    let stop: fn(&mut Story) -> &mut Story = |s| s.stop(W1, StopWhy::Ended);
    let done: fn(&mut Story) -> &mut Story = |s| s.finish(W1);
    for end in [crash, main, stop, done] {
        let mut s = Story::new();
        end(s.at(10).believe(W1, 1, 100).at(50));
        holds(&judge(s.at(60).believe(W2, 2, 100)), Property::BeliefOverlap);
    }
    let mut s = Story::new();
    s.at(10).believe(W1, 1, 100).at(50).crash_thread(W1, Thread::Renewer).at(200).believe(W2, 2, 300);
    broken(&judge(&s), Property::BeliefOverlap);
}

#[test]
fn overlaps_add_up_and_the_first_is_told() {
    let mut s = Story::new();
    s.at(10).believe(W1, 1, 100).at(20).believe(W2, 2, 100).at(30).doubt(W2, 2, Loss::Released);
    s.at(40).believe(W3, 3, 100).at(45).believe(W2, 4, 100).at(50).doubt(W3, 3, Loss::Released);
    s.at(60).doubt(W1, 1, Loss::Released).at(90).doubt(W2, 4, Loss::Released);
    let v = broken(&judge(&s), Property::BeliefOverlap);
    assert_eq!((v.at.as_us(), v.length), (20_000, Some(Span::from_ms(30))));
}
