//! What people read, pinned.

use super::*;
use crate::trace::story::{LOCK, R, Story, W1, W2, release_of};

fn told(story: &Story) -> Vec<String> {
    let mut narrator = Narrator::new(&story.roster);
    story.log.events().iter().filter_map(|e| narrator.narrate(e).map(|l| timed(e, &l).replace(NBSP, " "))).collect()
}

#[test]
fn a_lost_update_reads_like_this() {
    let mut s = Story::new();
    let lock = LockId(0);
    s.at(0).before(W1, crate::base::Verb::Acquire).ask(W1, 1);
    s.at(5).grant(W1, 1).send(LOCK, W1, Payload::Granted { lock, acq: AcqId(1), token: None });
    s.at(10).believe(W1, 1, 10_000).send(W1, R, Payload::Read { acq: Some(AcqId(1)), token: None });
    s.at(15).read(W1, 1, 0).send(R, W1, Payload::Value { version: 0 });
    s.at(500).pause(W1);
    s.at(2_000).ask(W2, 2);
    s.at(2_005).send(LOCK, W2, Payload::Refused { lock, acq: AcqId(2) });
    s.at(10_005).expire(1);
    s.at(10_195).grant(W2, 3);
    s.at(11_210).send_write(W2, 3, 0, 7);
    s.at(11_215).apply_op(W2, 3, 7, 0, 0).send(R, W2, Payload::Written { version: 1 });
    s.at(11_220).send(W2, LOCK, release_of(3));
    s.at(11_225).release(3, 3).send(LOCK, W2, Payload::Released { lock, acq: AcqId(3) });
    s.at(15_000).resume(W1).send_write(W1, 1, 0, 8);
    s.at(15_005).apply_op(W1, 1, 8, 0, 1);
    s.at(15_010).send(W1, LOCK, release_of(1));
    s.at(15_015).not_held(W1, 1).send(LOCK, W1, Payload::NotHeld { lock, acq: AcqId(1) });
    s.at(16_000).send(R, W2, Payload::Value { version: 2 });
    let expected = [
        "   0.000  W1 → lock acquire",
        "   0.005  lock grants W1, grant 1, until 10.005 s",
        "   0.005  lock → W1 granted",
        "   0.010  W1 → resource read",
        "   0.015  resource → W1 0",
        "   0.500  W1 pauses",
        "   2.000  W2 → lock acquire",
        "   2.005  lock → W2 refused",
        "  10.005  lock: W1’s lease runs out",
        "  10.195  lock grants W2, grant 2, until 20.195 s",
        "  11.210  W2 → resource write 1",
        "  11.215  resource: W2 writes 1, read 0",
        "  11.215  resource → W2 ok",
        "  11.220  W2 → lock release",
        "  11.225  lock: W2 releases",
        "  11.225  lock → W2 ok",
        "  15.000  W1 resumes",
        "  15.000  W1 → resource write 1",
        "  15.005  resource: W1 writes 1, read 0; W2’s update lost",
        "  15.010  W1 → lock release",
        "  15.015  lock → W1 not held",
        "  16.000  resource → W2 1",
    ];
    assert_eq!(told(&s), expected);
}

#[test]
fn faults_and_foreign_requests_read_like_this() {
    let mut s = Story::new();
    s.at(1).grant_token(W1, 1, 1).at(2).extend(1, 1, W1).expire(1).grant_token(W2, 2, 2);
    s.at(3).extend(2, 1, W1).release(2, 1).grant(W1, 3).break_up(3).grant(W2, 4).forget(4);
    s.at(4).step_clock(W1, -8_000).step_clock(LOCK, 20_000).cut(W1, LOCK).cut(LOCK, W1);
    s.push(LOCK, EventKind::ClockRateSet { ppm: 1_005_000 }).push(W1, EventKind::ClockRateSet { ppm: 700_000 });
    s.push(W1, EventKind::Healed { peer: LOCK }).crash_thread(W1, Thread::Renewer).crash(LOCK);
    s.push(LOCK, EventKind::Restarted).mark(None, Some(2)).mark(Some(2), None);
    let refused = Reject::Token { token: Some(Token::new(1)), mark: Token::new(2) };
    let op = crate::base::OpKey(1);
    s.fact(R, Fact::Rejected { worker: W1, acq: Some(AcqId(1)), op, token: Some(Token::new(1)), why: refused });
    s.fact(W1, Fact::TimedOut { topic: Topic::Acquire }).fact(W1, Fact::Ignored { topic: Topic::Acquire });
    s.fact(W1, Fact::Checked { acq: AcqId(1), valid: false }).stop(W1, StopWhy::Deadline).finish(W2);
    s.at(4).apply(R, W2, None, op, None, 0);
    let lines: Vec<String> = told(&s).iter().map(|l| l[10..].to_string()).collect();
    let expected = [
        "lock grants W1, grant 1, until 10.001 s, token 1",
        "lock extends W1’s grant 1, until 10.002 s",
        "lock: W1’s lease runs out",
        "lock grants W2, grant 2, until 10.002 s, token 2",
        "lock: W1’s renewal extends W2’s grant 2, until 10.003 s",
        "lock: W1’s release removes W2’s grant 2",
        "lock grants W1, grant 3, until 10.003 s",
        "lock: W1’s grant 3 is broken by order",
        "lock grants W2, grant 4, until 10.003 s",
        "lock forgets W2’s grant 4",
        "W1’s clock jumps 8 s back",
        "lock’s clock jumps 20 s ahead",
        "W1 is cut off from lock",
        "lock’s clock runs 0.5 % fast",
        "W1’s clock runs 30 % slow",
        "W1 reaches lock again",
        "W1’s renewer crashes",
        "lock crashes",
        "lock restarts",
        "resource: the mark falls from 2 to nothing",
        "resource refuses W1’s write: token 1, seen 2",
        "W1’s acquire times out",
        "W1 ignores a late acquire reply",
        "W1 checks: too late",
        "W1 stops: its own deadline has passed",
        "resource: W2 writes 1, without reading",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_full_line_has_every_field() {
    let mut s = Story::new();
    s.at(10_005).step_clock(LOCK, 3);
    let e = s.log.events()[0];
    assert_eq!(full(&e, &s.roster), "   0 10.005 s redis [10.008 s] <- ClockStepped { by: Span(3000) }");
}
