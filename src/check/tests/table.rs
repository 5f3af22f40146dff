//! For every property: a log that breaks it, what is said about it, and a twin that keeps it.

use super::{broken, holds, judge, judge_with, not_reached};
use crate::base::fact::Loss;
use crate::base::{LockId, NodeId, Span, Verb};
use crate::check::Property;
use crate::trace::story::{Q, R, Story, W1, W2};

struct Row {
    property: Property,
    /// What both logs begin with.
    before: fn(&mut Story) -> &mut Story,
    bad: fn(&mut Story) -> &mut Story,
    good: fn(&mut Story) -> &mut Story,
    at_ms: i64,
    /// By number of the event.
    witnesses: &'static [u32],
    sentence: &'static str,
}

/// W1 is granted, its lease runs out, W2 is granted.
fn handover(s: &mut Story) -> &mut Story {
    s.at(5).grant_token(W1, 1, 1).at(10_005).expire(1).at(10_195).grant_token(W2, 2, 2)
}

const TABLE: &[Row] = &[
    Row {
        property: Property::StaleWrite,
        before: handover,
        bad: |s| s.at(11_215).write(W2, 2, 0).at(15_005).write_over(W1, 1, 0, 1),
        good: |s| s.at(11_215).write_over(W1, 1, 0, 0).at(15_005).write(W2, 2, 1),
        at_ms: 15_005,
        witnesses: &[0, 2, 3, 4],
        sentence: "W1’s write, computed under grant 1, landed after W2’s, at 15.005 s.",
    },
    Row {
        property: Property::NonOwnerWrite,
        before: handover,
        bad: |s| s.at(12_020).write(W1, 1, 0),
        good: |s| s.at(12_020).write(W2, 2, 0),
        at_ms: 12_020,
        witnesses: &[0, 2, 3],
        sentence: "W1 wrote under grant 1 at 12.020 s, when W2’s grant 2 was the latest.",
    },
    Row {
        property: Property::LostUpdate,
        before: handover,
        bad: |s| s.at(12_020).write(W1, 1, 0).at(16_215).write_over(W2, 2, 0, 1),
        good: |s| s.at(12_020).write(W1, 1, 0).at(16_215).write_over(W2, 2, 1, 1),
        at_ms: 16_215,
        witnesses: &[3, 4],
        sentence: "W2’s write, computed from version 0, replaced W1’s version 1, at 16.215 s.",
    },
    Row {
        property: Property::ForeignRelease,
        before: handover,
        bad: |s| s.at(12_035).release(2, 1),
        good: |s| s.at(12_035).release(2, 2).not_held(W1, 1),
        at_ms: 12_035,
        witnesses: &[0, 2, 3],
        sentence: "W1’s release, issued for grant 1, removed W2’s grant 2, at 12.035 s.",
    },
    Row {
        property: Property::ForeignRenewal,
        before: handover,
        bad: |s| s.at(10_520).extend(2, 1, W1),
        good: |s| s.at(10_520).extend(2, 2, W2),
        at_ms: 10_520,
        witnesses: &[0, 2, 3],
        sentence: "W1’s renewal, issued for grant 1, extended W2’s grant 2, at 10.520 s.",
    },
    Row {
        property: Property::DuplicateEffect,
        before: |s| s.at(525).apply_op(W1, 1, 7, 0, 0),
        bad: |s| s.at(1_525).apply_op(W1, 1, 7, 0, 1),
        good: |s| s.at(1_525).apply_op(W1, 1, 8, 1, 1),
        at_ms: 1_525,
        witnesses: &[0, 1],
        sentence: "W1’s operation took effect at 0.525 s and again at 1.525 s.",
    },
    Row {
        property: Property::BrokenPromise,
        before: |s| s.at(5).grant(W1, 1),
        bad: |s| s.at(1_000).forget(1).at(1_505).grant(W2, 2),
        good: |s| s.at(1_000).release(1, 1).at(1_505).grant(W2, 2),
        at_ms: 1_505,
        witnesses: &[0, 2],
        sentence: "W2 was granted the lock at 1.505 s, 8.495 s before W1’s grant 1 was to end.",
    },
    Row {
        property: Property::NoProgress,
        before: |s| s.at(5).grant(W1, 1).at(2_000).before(W2, Verb::Acquire).ask(W2, 2),
        bad: |s| s.at(2_500).ask(W2, 3),
        good: |s| s.at(10_195).grant(W2, 3).at(10_200).believe(W2, 3, 20_190).after(W2, Verb::Acquire),
        at_ms: 60_000,
        witnesses: &[1],
        sentence: "W2 asked from 2.000 s on and was not granted the lock by 60.000 s.",
    },
    Row {
        property: Property::BeliefOverlap,
        before: |s| s.at(10).believe(W1, 1, 10_000),
        bad: |s| s.at(10_200).believe(W2, 2, 20_190).at(11_220).doubt(W2, 2, Loss::Released),
        good: |s| s.at(10_200).doubt(W1, 1, Loss::Released).believe(W2, 2, 20_190),
        at_ms: 10_200,
        witnesses: &[0, 1],
        sentence: "W1 and W2 both believed that they held the lock, from 10.200 s, for 1.02 s.",
    },
    Row {
        property: Property::GrantOverlap,
        before: |s| s.at(2_005).grant(W1, 1),
        bad: |s| s.at(2_505).grant(W2, 2).at(5_035).release(1, 1),
        good: |s| s.at(2_505).release(1, 1).grant(W2, 2),
        at_ms: 2_505,
        witnesses: &[0, 1],
        sentence: "The service had granted the lock to W1 and W2 at once, from 2.505 s, for 2.53 s.",
    },
    Row {
        property: Property::LateSend,
        before: |s| s.at(10).believe(W1, 1, 10_000),
        bad: |s| s.at(15_000).send_write(W1, 1, 0, 1),
        good: |s| s.at(9_999).send_write(W1, 1, 0, 1),
        at_ms: 15_000,
        witnesses: &[0, 1],
        sentence: "W1 sent a write at 15.000 s; its own deadline was 10.000 s.",
    },
    Row {
        property: Property::TokenRegress,
        before: |s| s.at(5).grant_token(W1, 1, 1).at(20).forget(1),
        bad: |s| s.at(1_005).grant_token(W2, 2, 1),
        good: |s| s.at(1_005).grant_token(W2, 2, 2),
        at_ms: 1_005,
        witnesses: &[0, 2],
        sentence: "Grant 2 carried token 1 to W2 at 1.005 s; W1’s earlier grant 1 also had it.",
    },
    Row {
        property: Property::MarkRegress,
        before: |s| s.at(11_215).mark(None, Some(2)),
        bad: |s| s.at(14_000).mark(Some(2), None),
        good: |s| s.at(14_000).mark(Some(2), Some(3)),
        at_ms: 14_000,
        witnesses: &[0, 1],
        sentence: "The mark of R fell from 2 to nothing, at 14.000 s.",
    },
    Row {
        property: Property::SplitShards,
        before: |s| s.at(5).grant(W1, 1).at(4_025).write_at(R, W1, 1, 0).at(10_055).expire(1).grant(W2, 2),
        bad: |s| s.at(11_075).write_at(R, W2, 2, 1).at(15_005).write_at(Q, W1, 1, 0),
        good: |s| s.at(11_075).write_at(Q, W1, 1, 0).at(15_005).write_at(R, W2, 2, 1),
        at_ms: 15_005,
        witnesses: &[0, 1, 3, 4, 5],
        sentence: "W1 wrote R at 4.025 s and Q at 15.005 s, on both sides of W2’s grant 2.",
    },
    Row {
        property: Property::FalseAcquire,
        before: |s| s.at(5).grant(W1, 1).at(2_005).expire(1),
        bad: |s| s.at(2_010).believe(W1, 1, 10_000),
        good: |s| s.at(2_010).grant(W1, 2).believe(W1, 2, 10_000),
        at_ms: 2_010,
        witnesses: &[0, 2],
        sentence: "W1 began to believe that it held the lock, at 2.010 s; its grant 1 was over.",
    },
    Row {
        property: Property::IssueRegress,
        before: |s| s.at(100).issue(W1, 1).at(200).issue(W2, 2),
        bad: |s| s.at(300).issue(W1, 2),
        good: |s| s.at(300).issue(W1, 3),
        at_ms: 300,
        witnesses: &[1, 2],
        sentence: "W1 handed out 2 at 0.300 s, after W2 had handed out 2.",
    },
    Row {
        property: Property::Leak,
        before: |s| s.at(5).grant_with(W1, 1, |g| g.ttl = None),
        bad: |s| s.at(10).believe(W1, 1, 10_000).at(500).crash(W1),
        good: |s| s.at(10).believe(W1, 1, 10_000).at(500).release(1, 1),
        at_ms: 60_000,
        witnesses: &[0],
        sentence: "W1’s grant 1 is still in force at 60.000 s, and nobody has used it since 0.500 s.",
    },
    Row {
        property: Property::Deadlock,
        before: |s| s.at(5).grant(W1, 1).at(10).believe(W1, 1, 10_000).before(W1, Verb::Upgrade),
        bad: |s| s.at(11).ask(W1, 2),
        good: |s| s.at(11).ask(W1, 2).at(12).release(1, 1),
        at_ms: 60_000,
        witnesses: &[2],
        sentence: "W1 has waited since 0.010 s for the lock, which it holds itself.",
    },
];

#[test]
fn each_property_can_fail_and_can_hold() {
    for (row, property) in TABLE.iter().zip(Property::ALL) {
        assert_eq!(row.property, property, "the table has every property, in order");
        let mut bad = Story::two_shards();
        (row.before)(&mut bad);
        let mut good = bad.clone();
        (row.bad)(&mut bad);
        (row.good)(&mut good);

        let v = broken(&judge(&bad), row.property);
        assert_eq!(v.sentence, row.sentence);
        assert_eq!(v.at.as_us(), row.at_ms * 1_000, "{}", row.property);
        assert_eq!(v.witnesses.iter().map(|s| s.0).collect::<Vec<_>>(), row.witnesses, "{}", row.property);
        let words = v.sentence.split_whitespace().count();
        assert!(words <= 25, "{words} words: {}", v.sentence);
        holds(&judge(&good), row.property);
    }
    assert_eq!(TABLE.len(), Property::ALL.len());
}

#[test]
fn an_empty_log_reaches_nothing() {
    let report = judge(&Story::new());
    for p in Property::ALL {
        not_reached(&report, p);
    }
    assert!(!report.held);
}

#[test]
fn where_there_is_no_lock_only_the_data_is_judged() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10).believe(W1, 1, 1).at(20).believe(W2, 2, 1).forget(1).grant(W2, 2).release(2, 1);
    s.at(30).send_write(W1, 1, 0, 1).at(40).apply_op(W2, 2, 2, 0, 0).at(50).apply_op(W1, 1, 1, 0, 1);
    let report = judge_with(&s, |setup| setup.owners_apply = false, s.horizon());
    for p in Property::ALL.into_iter().filter(|p| p.about_owners()) {
        not_reached(&report, p);
    }
    broken(&report, Property::LostUpdate);
    assert_eq!(report.measures.belief_overlap, Span::ZERO);
}

#[test]
fn odd_logs_are_survived() {
    // Nodes, locks and acquisitions that nobody has heard of.
    let nobody = NodeId(999);
    let mut s = Story::new();
    s.at(1).release(9, 8).extend(7, 6, nobody).expire(5).not_held(nobody, 4).write(nobody, 3, 7);
    s.grant_with(nobody, 2, |g| g.lock = LockId(255)).doubt(W1, 1, Loss::Refused);
    s.at(2).release(2, 1).activate(R, nobody, 77).mark(Some(3), Some(1)).resume(W1).finish(W1).crash(W1);
    let report = judge(&s);
    assert_eq!(
        broken(&report, Property::NonOwnerWrite).sentence,
        "? wrote at 0.001 s, and had not been granted the lock."
    );
    broken(&report, Property::ForeignRelease);
}
