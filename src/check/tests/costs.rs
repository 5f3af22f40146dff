//! The measures, on stories whose numbers can be worked out by hand.

use super::{gc_pause, judge, judge_with};
use crate::base::fact::{Loss, StopWhy, TryEnd};
use crate::base::message::Reject;
use crate::base::{AcqId, Fact, LockId, OpKey, Span, TrueTime, Verb};
use crate::check::WorkerEnd;
use crate::trace::story::{R, Story, W1, W2, W3};
use crate::trace::{EndWhy, Ending};

fn ms(ms: i64) -> Span {
    Span::from_ms(ms)
}

#[test]
fn the_pause_costs_what_the_picture_says() {
    let m = judge(&gc_pause()).measures;
    assert_eq!(m.belief_overlap, ms(1_020));
    assert_eq!((m.updates, m.updates_lost), (2, 1));
    assert_eq!(m.work_twice, ms(1_000), "W2's update is gone");
    assert_eq!(m.work_wasted, Span::ZERO);
    assert_eq!(m.last_writer, Some(W1));
    assert_eq!(m.messages, 5);
    assert_eq!(m.workers[W1.index()].wait, ms(10));
    assert_eq!(m.workers[W2.index()].wait, ms(8_200));
    assert_eq!(m.workers[W1.index()].held, ms(15_000));
    assert_eq!(m.workers[W2.index()].held, ms(1_020));
    // From its own first request to its grant nobody used the lock: 10 ms of W1, and all of W2's wait, since W1 stood still.
    assert_eq!(m.blocked, ms(10) + ms(8_200));
    assert_eq!(m.recovery, None, "W1 came back");
    assert_eq!(
        m.workers.iter().map(|w| w.end).collect::<Vec<_>>(),
        [WorkerEnd::Done, WorkerEnd::Done, WorkerEnd::NotStarted]
    );
}

#[test]
fn a_crash_is_recovered_from_at_the_next_grant() {
    let mut s = Story::new();
    s.at(0).before(W1, Verb::Acquire).at(5).grant(W1, 1).at(10).believe(W1, 1, 10_000).after(W1, Verb::Acquire);
    s.at(500).crash(W1).at(1_000).before(W2, Verb::Acquire).ask(W2, 2).at(10_005).expire(1);
    s.at(10_035).grant(W2, 3).at(10_040).believe(W2, 3, 20_000).after(W2, Verb::Acquire);
    let m = judge(&s).measures;
    assert_eq!(m.recovery, Some(ms(9_535)));
    assert_eq!(m.blocked, ms(9_040));
    assert_eq!(m.workers[0].end, WorkerEnd::Crashed);
    assert_eq!(m.workers[1].end, WorkerEnd::Busy);
    assert_eq!(m.workers[1].held, ms(60_000 - 10_040));
}

#[test]
fn who_gave_back_leaves_nothing_to_recover_from() {
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10).believe(W1, 1, 10_000).at(100).doubt(W1, 1, Loss::Released);
    s.at(101).stop(W1, StopWhy::Ended).at(105).release(1, 1).at(200).grant(W2, 2);
    assert_eq!(judge(&s).measures.recovery, None);
    // Its lease was over before it ended.
    let mut s = Story::new();
    s.at(5).grant(W1, 1).at(10_005).expire(1).at(15_000).crash(W1).at(30_000).grant(W2, 2);
    assert_eq!(judge(&s).measures.recovery, None);
}

#[test]
fn an_unanswered_wait_counts_to_the_end() {
    let mut s = Story::new();
    s.at(2_000)
        .before(W2, Verb::Acquire)
        .ask(W2, 1)
        .at(3_000)
        .before(W3, Verb::Acquire)
        .at(5_000)
        .stop(W3, StopWhy::GaveUp);
    let m = judge(&s).measures;
    assert_eq!((m.workers[1].wait, m.workers[1].end), (ms(58_000), WorkerEnd::Waiting));
    assert_eq!((m.workers[2].wait, m.workers[2].end), (ms(2_000), WorkerEnd::GaveUp));
}

#[test]
fn who_gives_up_a_round_waited_until_its_last_try() {
    let mut s = Story::new();
    let failed = Fact::TryFailed { lock: LockId(0), acq: AcqId(1), why: TryEnd::Refused };
    s.at(1_000).before(W2, Verb::Acquire).ask(W2, 1).at(3_000).fact(W2, failed);
    s.at(50_000).before(W2, Verb::Acquire).ask(W2, 2).at(50_010).after(W2, Verb::Acquire);
    s.at(51_000).before(W2, Verb::Acquire).ask(W2, 3).at(53_000).fact(W2, failed).at(58_000).before(W2, Verb::Wait);
    assert_eq!(judge(&s).measures.workers[1].wait, ms(2_000 + 10 + 2_000));
}

#[test]
fn a_quiet_run_is_measured_to_its_horizon() {
    let mut s = Story::new();
    s.at(10).believe(W1, 1, 10_000).at(20).believe(W2, 2, 10_000).before(W3, Verb::Acquire);
    let ending = Ending { at: TrueTime::from_ms(20), why: EndWhy::Quiet };
    let m = judge_with(&s, |_| {}, ending).measures;
    assert_eq!((m.belief_overlap, m.workers[0].held, m.workers[2].wait), (ms(59_980), ms(59_990), ms(59_980)));
}

#[test]
fn a_worker_has_one_opinion_about_a_lock() {
    let mut s = Story::new();
    s.at(10).believe(W1, 1, 10_000).at(20_000).believe(W1, 2, 30_000).at(25_000).doubt(W1, 2, Loss::Released);
    s.at(30_000).believe(W2, 3, 40_000);
    let m = judge(&s).measures;
    assert_eq!((m.belief_overlap, m.workers[0].held), (Span::ZERO, ms(24_990)));
}

/// W1 reads, works a second with a pause of 300 ms in it, and sends its write, operation 1, at 2.000 s.
fn worked() -> Story {
    let mut s = Story::new();
    s.at(5).read(W1, 1, 0).at(700).before(W1, Verb::Work).at(800).pause(W1).at(1_100).resume(W1);
    s.at(2_000).after(W1, Verb::Work).send_write(W1, 1, 0, 1);
    s
}

#[test]
fn refused_or_never_accepted_work_is_wasted() {
    let mut s = worked();
    s.at(2_005).fact(R, Fact::Rejected { worker: W1, acq: None, op: OpKey(1), token: None, why: Reject::Owner });
    assert_eq!(judge(&s).measures.work_wasted, ms(1_000));
    assert_eq!(judge(&worked()).measures.work_wasted, ms(1_000), "never arrived");
    let mut s = worked();
    s.at(2_005).apply_op(W1, 1, 1, 0, 0);
    assert_eq!(judge(&s).measures.work_wasted, Span::ZERO);
}

#[test]
fn work_broken_off_is_wasted_if_it_was_to_have_an_effect() {
    for (reads, crashes, wasted) in [(true, true, 500), (true, false, 500), (false, true, 0)] {
        let mut s = Story::new();
        if reads {
            s.at(5).read(W1, 1, 0);
        }
        s.at(1_000).before(W1, Verb::Work).at(1_500);
        match crashes {
            true => s.crash(W1),
            false => s.stop(W1, StopWhy::Deadline),
        };
        assert_eq!(judge(&s).measures.work_wasted, ms(wasted));
    }
}

#[test]
fn work_for_what_somebody_else_has_done_is_done_twice() {
    // Both do job 1. The resource remembers it and answers W1 from memory; or it does not and does it again.
    for replayed in [true, false] {
        let mut s = worked();
        s.at(2_001).before(W2, Verb::Work).at(2_101).after(W2, Verb::Work).send_write(W2, 2, 0, 1);
        s.at(2_110).apply_op(W2, 2, 1, 0, 0);
        match replayed {
            true => s.at(2_120).fact(R, Fact::Replayed { worker: W1, acq: None, op: OpKey(1) }),
            false => s.at(2_120).apply_op(W1, 1, 1, 0, 1),
        };
        let m = judge(&s).measures;
        assert_eq!((m.work_twice, m.work_wasted), (ms(1_000), Span::ZERO), "replayed: {replayed}");
    }
}

#[test]
fn a_request_repeated_by_its_sender_costs_no_work() {
    let mut s = worked();
    s.at(2_005).apply_op(W1, 1, 1, 0, 0).at(3_000).send_write(W1, 1, 0, 1).at(3_005).apply_op(W1, 1, 1, 0, 1);
    let m = judge(&s).measures;
    assert_eq!((m.work_twice, m.work_wasted, m.updates_lost), (Span::ZERO, Span::ZERO, 1));
}
