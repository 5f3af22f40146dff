//! Effects: under which grant they count, and what makes two of them one too many.

use super::{broken, holds, judge, not_reached};
use crate::base::fact::Loss;
use crate::base::{Fact, LockId, OpKey};
use crate::check::Property;
use crate::trace::Narrator;
use crate::trace::story::{Q, R, Story, W1, W2, W3};

// ------------------------------------------------------------------ which grant an effect counts under

#[test]
fn an_owners_write_from_an_earlier_tenure_is_stale() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).release(1, 1).at(10).grant(W2, 2).at(11).write(W2, 2, 0).release(2, 2);
    s.at(20).grant(W1, 3).at(30).write(W1, 1, 1);
    let report = judge(&s);
    broken(&report, Property::StaleWrite);
    let sentence = broken(&report, Property::NonOwnerWrite).sentence;
    assert_eq!(sentence, "W1 wrote under grant 1 at 0.030 s, when its own grant 3 was the latest.");
}

#[test]
fn a_straggling_copy_of_a_request_does_not_make_old_effects_young() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10).believe(W1, 1, 10_000).at(10_005).expire(1);
    s.at(10_195).grant(W2, 2).at(11_215).write(W2, 2, 0).at(11_225).release(2, 2);
    // The copy of W1's first request is granted again; W1 still acts on what it learned then.
    s.at(12_000).grant(W1, 1).at(15_005).write(W1, 1, 1);
    let report = judge(&s);
    broken(&report, Property::StaleWrite);
    broken(&report, Property::NonOwnerWrite);
}

#[test]
fn who_learns_only_of_the_second_grant_acts_under_it() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(6).forget(1).at(20).grant(W1, 1).at(25).believe(W1, 1, 10_000).at(30).write(W1, 1, 0);
    let report = judge(&s);
    holds(&report, Property::NonOwnerWrite);
    holds(&report, Property::BrokenPromise);
}

#[test]
fn a_record_that_comes_back_supersedes_nobody() {
    // The server restarts with a state in which W1 had not released yet.
    let mut s = Story::new();
    s.at(5).grant_token(W1, 1, 1).at(10).believe(W1, 1, 10_000).at(2_000).doubt(W1, 1, Loss::Released).release(1, 1);
    s.at(2_500).grant_token(W2, 2, 2).at(2_505).believe(W2, 2, 12_500).at(3_000).forget(2).grant_token(W1, 1, 1);
    s.at(4_000).write(W2, 2, 0);
    let report = judge(&s);
    for p in [Property::NonOwnerWrite, Property::TokenRegress, Property::BrokenPromise, Property::GrantOverlap] {
        holds(&report, p);
    }
    s.at(5_000).grant(W3, 3);
    broken(&judge(&s), Property::BrokenPromise);
}

#[test]
fn people_read_the_same_number_in_a_verdict_and_in_the_list() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(6).grant(W1, 1).at(10_005).expire(1).at(10_195).grant(W2, 2).at(12_020).write(W1, 1, 0);
    let sentence = broken(&judge(&s), Property::NonOwnerWrite).sentence;
    assert_eq!(sentence, "W1 wrote under grant 1 at 12.020 s, when W2’s grant 2 was the latest.");
    let mut narrator = Narrator::new(&s.roster);
    let lines: Vec<_> = s.log.events().iter().filter_map(|e| narrator.narrate(e)).collect();
    assert_eq!(lines[1].replace('\u{a0}', " "), "lock holds W1’s grant 1 again, until 10.006 s");
    assert_eq!(lines[3].replace('\u{a0}', " "), "lock grants W2, grant 2, until 20.195 s");
}

#[test]
fn an_ended_grant_without_a_successor_still_counts() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10_005).expire(1).at(15_020).write(W1, 1, 0).at(25_105).grant(W2, 2);
    holds(&judge(&s), Property::NonOwnerWrite);
}

#[test]
fn who_never_asked_or_was_never_granted_is_no_owner() {
    let mut s = Story::new();
    s.at(10).apply(R, W1, None, OpKey(1), Some(0), 0);
    let v = broken(&judge(&s), Property::NonOwnerWrite);
    assert_eq!(v.sentence, "W1 wrote at 0.010 s without asking for the lock.");
    let mut s = Story::new();
    s.at(5).believe(W1, 1, 10_000).at(10).write(W1, 1, 0);
    let report = judge(&s);
    assert_eq!(
        broken(&report, Property::NonOwnerWrite).sentence,
        "W1 wrote at 0.010 s, and had not been granted the lock."
    );
    not_reached(&report, Property::StaleWrite);
}

#[test]
fn grants_of_different_locks_have_no_order() {
    let mut s = Story::new();
    s.roster.locks.push("other".into());
    s.at(5).grant(W1, 1).at(6).grant_with(W2, 2, |g| g.lock = LockId(1));
    s.at(10).write(W2, 2, 0).at(20).write(W1, 1, 1);
    let report = judge(&s);
    for p in [Property::StaleWrite, Property::NonOwnerWrite, Property::BrokenPromise, Property::GrantOverlap] {
        holds(&report, p);
    }
    // Where there are several locks, a grant says which.
    s.at(25).grant_with(W2, 3, |g| g.lock = LockId(1)).at(30).write(W2, 2, 2);
    let v = broken(&judge(&s), Property::NonOwnerWrite);
    assert_eq!(v.sentence, "W2 wrote under grant 1 of other at 0.030 s, when its own grant 2 of other was the latest.");
}

// ------------------------------------------------------------------ operations

#[test]
fn one_operation_on_two_shards_is_no_repetition() {
    let mut s = Story::two_shards();
    let key = OpKey(42);
    s.at(1).apply(R, W1, None, key, None, 0).apply(Q, W1, None, key, None, 0);
    holds(&judge(&s), Property::DuplicateEffect);
    s.at(2).fact(Q, Fact::Called { worker: W2, acq: None, op: key });
    let v = broken(&judge(&s), Property::DuplicateEffect);
    assert_eq!(v.sentence, "The same operation took effect twice: for W1 at 0.001 s and for W2 at 0.002 s.");
}

#[test]
fn a_blind_write_loses_nothing() {
    let mut s = Story::new();
    s.at(1).apply(R, W1, None, OpKey(1), None, 0).at(2).apply(R, W2, None, OpKey(2), None, 1);
    not_reached(&judge(&s), Property::LostUpdate);
}

#[test]
fn a_repeated_request_replaces_its_own_effect() {
    let mut s = Story::new();
    s.at(525).apply_op(W1, 1, 7, 0, 0).at(1_525).apply_op(W1, 1, 7, 0, 1);
    let v = broken(&judge(&s), Property::LostUpdate);
    assert_eq!(
        v.sentence,
        "W1’s write, computed from version 0, replaced its own first effect, version 1, at 1.525 s."
    );
}

// ------------------------------------------------------------------ tokens, shards

#[test]
fn one_acquisition_may_repeat_its_token_but_not_pass_anothers() {
    let mut s = Story::new();
    s.at(5).grant_token(W1, 1, 33).at(6).grant_token(W1, 1, 33);
    holds(&judge(&s), Property::TokenRegress);
    s.at(7).grant_token(W2, 2, 34).at(8).grant_token(W2, 2, 33);
    let v = broken(&judge(&s), Property::TokenRegress);
    assert_eq!(v.sentence, "Grant 2 carried token 33 to W2 at 0.008 s; W1’s earlier grant 1 also had it.");
    let mut s = Story::new();
    s.at(5).grant_token(W1, 1, 40).at(6).grant_token(W2, 2, 36);
    let v = broken(&judge(&s), Property::TokenRegress);
    assert_eq!(v.sentence, "Grant 2 carried token 36 to W2 at 0.006 s; W1’s earlier grant 1 had token 40.");
}

#[test]
fn an_activation_splits_before_any_write_of_the_new_owner() {
    let mut s = Story::two_shards();
    s.at(5).grant(W1, 1).at(100).write_at(R, W1, 1, 0).at(200).grant(W2, 2).at(300).activate(R, W2, 2);
    s.at(400).write_at(Q, W1, 1, 0);
    broken(&judge(&s), Property::SplitShards);
}

#[test]
fn an_old_straggler_does_not_split_the_rightful_owner() {
    let mut s = Story::two_shards();
    s.at(5).grant(W1, 1).at(200).grant(W2, 2).at(300).write_at(R, W2, 2, 0).at(350).write_at(Q, W1, 1, 0);
    s.at(400).write_at(Q, W2, 2, 1);
    holds(&judge(&s), Property::SplitShards);
}
