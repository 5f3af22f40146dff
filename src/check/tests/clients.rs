//! Workers: their own deadlines by their own clocks, and their waiting.

use super::{broken, holds, judge, judge_with, not_reached};
use crate::base::fact::{Loss, StopWhy};
use crate::base::{AcqId, ClockKind, Fact, LocalTime, LockId, NodeId, Span, TrueTime, Verb};
use crate::check::{Property, Service};
use crate::trace::story::{LOCK, R, Story, W1, W2, W3};
use crate::trace::{EndWhy, Ending, EventKind, Fate};

// ------------------------------------------------------------------ the client's own clock

#[test]
fn at_the_deadline_is_too_late() {
    for (ms, late) in [(9_999, false), (10_000, true)] {
        let mut s = Story::new();
        s.at(10).believe(W1, 1, 10_000).at(ms).send_write(W1, 1, 0, 1);
        assert_eq!(judge(&s).violated(Property::LateSend), late);
    }
}

#[test]
fn a_clock_that_lies_excuses_its_worker() {
    let mut s = Story::new();
    s.at(10).believe(W1, 1, 10_000).at(3_000).step_clock(W1, -8_000).at(12_020).send_write(W1, 1, 0, 1);
    holds(&judge(&s), Property::LateSend);
    // The monotonic clock does not notice the step.
    let mut s = Story::new();
    s.at(10).believe_by(W1, 1, 10_000, ClockKind::Monotonic);
    s.at(3_000).step_clock(W1, -8_000).at(12_020).send_write(W1, 1, 0, 1);
    let v = broken(&judge(&s), Property::LateSend);
    assert_eq!(v.sentence, "W1 sent a write at 12.020 s; its own deadline was 10.000 s.");
}

#[test]
fn a_wall_clock_that_began_wrong_is_no_matter_to_the_monotonic_one() {
    let mut s = Story::new();
    s.step_clock(W1, 5_000);
    s.log.clear();
    s.at(10).believe_by(W1, 1, 10_000, ClockKind::Monotonic).at(9_020).send_write(W1, 1, 0, 1);
    let wrong = judge_with(&s, |_| {}, s.horizon());
    let right = judge_with(&s, |setup| setup.wall_offsets = vec![Span::from_ms(5_000)], s.horizon());
    broken(&wrong, Property::LateSend);
    holds(&right, Property::LateSend);
}

#[test]
fn a_suspend_blind_clock_has_missed_the_pause() {
    let mut s = Story::new();
    s.at(10).believe_by(W1, 1, 10_000, ClockKind::SuspendBlind).at(500).pause(W1);
    s.at(15_000).resume(W1).send_write(W1, 1, 0, 1);
    holds(&judge(&s), Property::LateSend);
}

#[test]
fn a_renewed_deadline_counts_and_a_copy_by_the_network_does_not() {
    let mut s = Story::new();
    let until = Some(LocalTime::from_us(20_000_000));
    s.at(10).believe(W1, 1, 10_000).at(9_000);
    s.fact(W1, Fact::Reckoned { lock: LockId(0), acq: AcqId(1), until });
    s.at(15_000).send_write(W1, 1, 0, 1);
    let copy = *s.log.events().last().expect("just sent");
    let EventKind::Sent { what, msg, .. } = copy.kind else { panic!("a sending") };
    s.at(25_000).send_with(W1, R, what.payload, Fate::Copy { of: msg });
    holds(&judge(&s), Property::LateSend);
}

#[test]
fn a_deadline_binds_even_who_no_longer_believes() {
    let mut s = Story::new();
    s.at(10).believe(W1, 1, 10_000).at(10_500).doubt(W1, 1, Loss::Deadline).at(11_000).send_write(W1, 1, 0, 1);
    broken(&judge(&s), Property::LateSend);
}

// ------------------------------------------------------------------ progress

fn waiting() -> Story {
    let mut s = Story::new();
    s.at(1_000).before(W2, Verb::Acquire).ask(W2, 1);
    s
}

#[test]
fn who_is_not_healthy_or_gave_up_is_owed_no_progress() {
    let pause: fn(&mut Story) -> &mut Story = |s| s.pause(W2);
    let crash: fn(&mut Story) -> &mut Story = |s| s.crash(W2);
    let gave_up: fn(&mut Story) -> &mut Story = |s| s.stop(W2, StopWhy::GaveUp);
    let cut: fn(&mut Story) -> &mut Story = |s| s.cut(LOCK, W2);
    let down: fn(&mut Story) -> &mut Story = |s| s.crash(LOCK);
    for fault in [pause, crash, gave_up, cut, down] {
        let mut s = waiting();
        fault(s.at(2_000));
        holds(&judge(&s), Property::NoProgress);
    }
}

#[test]
fn what_is_over_is_forgiven() {
    let mut s = waiting();
    s.at(2_000).pause(W2).cut(W2, LOCK).crash(LOCK).at(3_000).resume(W2);
    s.push(W2, EventKind::Healed { peer: LOCK }).push(LOCK, EventKind::Restarted);
    broken(&judge(&s), Property::NoProgress);
}

#[test]
fn a_quorum_is_what_the_setup_says() {
    let five = || (3..8).map(NodeId).collect::<Vec<_>>();
    for (cuts, starves) in [(2, true), (3, false)] {
        let mut s = waiting();
        for i in 0..4 {
            s.roster.nodes.push(s.roster.nodes[3].clone());
            s.roster.nodes[3 + i].name = format!("N{i}");
        }
        s.roster.nodes.swap(4, 7);
        for node in five().into_iter().take(cuts) {
            s.cut(W2, node);
        }
        let service = Service { nodes: five(), quorum: 3 };
        let report = judge_with(&s, |setup| setup.services = vec![service], s.horizon());
        assert_eq!(report.violated(Property::NoProgress), starves, "{cuts} cuts");
    }
}

#[test]
fn a_run_cut_short_says_nothing_about_progress_and_a_quiet_one_goes_on_to_its_horizon() {
    let s = waiting();
    let at = TrueTime::from_ms(20_000);
    let short = judge_with(&s, |_| {}, Ending { at, why: EndWhy::Events });
    not_reached(&short, Property::NoProgress);
    let quiet = judge_with(&s, |_| {}, Ending { at, why: EndWhy::Quiet });
    assert_eq!(broken(&quiet, Property::NoProgress).at.as_us(), 60_000_000);
    let horizon = judge_with(&s, |_| {}, Ending { at, why: EndWhy::Horizon });
    holds(&horizon, Property::NoProgress);
}

#[test]
fn who_has_waited_longest_is_named() {
    let mut s = Story::new();
    s.at(500).before(W3, Verb::Acquire).at(1_000).before(W2, Verb::Acquire);
    let v = broken(&judge(&s), Property::NoProgress);
    assert_eq!(v.sentence, "W3 asked from 0.500 s on and was not granted the lock by 60.000 s.");
}
