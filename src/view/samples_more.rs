//! More hand-written stories: one or two for every mark of the notation.

use super::samples::{LOCK, Reply, Sample, Script, W1, W2};
use crate::base::fact::{Loss, StopWhy};
use crate::base::message::{Compare, Topic};
use crate::base::{AcqId, Fact, Kind, NodeId, OwnerId, Payload, Span, Thread};
use crate::check::report::Property;
use crate::trace::{EndWhy, EventKind, Fate, LostWhy};

const W3: NodeId = NodeId(2);

/// What a node of a group says to a call; one that is cut off cannot be reached.
#[derive(Clone, Copy, PartialEq)]
enum Say {
    Yes,
    No,
    Cut,
}

fn fan(s: &mut Script, at: i64, w: NodeId, first: u16, topic: Topic, acq: AcqId, says: [Say; 5]) {
    let call = s.call();
    let owner = OwnerId(u32::from(w.0));
    let ask = match topic {
        Topic::Acquire => {
            Payload::Acquire { lock: LOCK, acq, owner, ttl: Some(Span::from_ms(10_000)), margin: Span::from_ms(102) }
        }
        _ => Payload::Release { lock: LOCK, acq, owner, compare: Compare::Owner },
    };
    for (i, say) in says.into_iter().enumerate() {
        let node = NodeId(first + i as u16);
        if say == Say::Cut {
            s.lose(at, w, node, None, call, Kind::request(topic), ask, LostWhy::Cut);
            continue;
        }
        let a = s.send(at, w, node, None, call, Kind::request(topic), ask, 5);
        let answer = match (topic, say) {
            (Topic::Acquire, Say::Yes) => {
                s.grant(at + 5, w, node, acq, a, None, Some(Span::from_ms(10_000)));
                Payload::Granted { lock: LOCK, acq, token: None }
            }
            (Topic::Acquire, _) => Payload::Refused { lock: LOCK, acq },
            (_, Say::Yes) => {
                s.did(at + 5, node, Some(a), Fact::Released { lock: LOCK, acq, by: Some(acq) });
                Payload::Released { lock: LOCK, acq }
            }
            _ => Payload::NotHeld { lock: LOCK, acq },
        };
        s.send(at + 5, node, w, Some(a), call, Kind::reply(topic), answer, 5);
    }
}

/// Preset 18: node C's clock jumps, so C votes twice.
pub fn redlock() -> Sample {
    use Say::{Cut, No, Yes};
    let mut s = Script::new("Redlock", 2, &["A", "B", "C", "D", "E"], &["resource"]);
    let (c, r) = (NodeId(4), NodeId(7));
    let a1 = s.acq();
    fan(&mut s, 0, W1, 2, Topic::Acquire, a1, [Yes, Yes, Yes, Cut, Cut]);
    s.believe(50, W1, a1, None, None);
    s.read(50, W1, r, a1, 0);
    s.event(1_000, c, None, EventKind::ClockStepped { by: Span::from_ms(20_000) });
    s.offsets.push((c, 1_000, 20_000));
    s.expire(1_000, c, a1);
    let a2 = s.acq();
    fan(&mut s, 1_500, W2, 2, Topic::Acquire, a2, [Cut, Cut, Yes, Yes, Yes]);
    s.believe(1_550, W2, a2, None, None);
    s.read(1_550, W2, r, a2, 0);
    s.write(2_560, W2, r, a2, None, 0, 0, None, 5);
    s.end_belief(2_570, W2, a2, Loss::Released);
    fan(&mut s, 2_570, W2, 2, Topic::Release, a2, [Cut, Cut, Yes, Yes, Yes]);
    s.write(4_060, W1, r, a1, None, 0, 1, None, 5);
    s.end_belief(4_070, W1, a1, Loss::Released);
    fan(&mut s, 4_070, W1, 2, Topic::Release, a1, [Yes, Yes, No, Cut, Cut]);
    s.done(
        5_300,
        EndWhy::Quiet,
        &[(Property::StaleWrite, 4_065, "C votes twice; W1’s write lands after W2’s, at 4.065\u{a0}s.")],
    )
}

/// Preset 18 again, where the jump changes nothing.
pub fn consensus() -> Sample {
    let mut s = Script::new("Consensus lease + fencing", 2, &["lock"], &["resource"]);
    let (l, r) = (NodeId(2), NodeId(3));
    let a1 = s.acquire(0, W1, l, Reply::Grant(Some(1)), Some(10_000));
    s.read(10, W1, r, a1, 0);
    for i in 0..13 {
        s.acquire(1_500 + 210 * i, W2, l, Reply::No, Some(10_000));
    }
    s.write(4_020, W1, r, a1, Some(1), 0, 0, None, 5);
    s.release(4_030, W1, l, a1, Some(a1));
    let a2 = s.acquire(4_230, W2, l, Reply::Grant(Some(2)), Some(10_000));
    s.read(4_240, W2, r, a2, 1);
    s.write(5_250, W2, r, a2, Some(2), 1, 1, Some(1), 5);
    s.release(5_260, W2, l, a2, Some(a2));
    s.done(5_300, EndWhy::Quiet, &[])
}

/// Preset 02 and 03: W1 crashes; with a lease W2 takes over, without an end it waits for ever.
pub fn crash(ttl: bool) -> Sample {
    let mut s = Script::new(if ttl { "With a lease" } else { "No expiry" }, 2, &["lock"], &["resource"]);
    let (l, r) = (NodeId(2), NodeId(3));
    let length = ttl.then_some(10_000);
    let a1 = s.acquire(0, W1, l, Reply::Grant(None), length);
    s.read(10, W1, r, a1, 0);
    s.event(500, W1, None, EventKind::Crashed { thread: None });
    s.event(3_000, W1, None, EventKind::Restarted);
    let until = if ttl { 9_990 } else { 59_800 };
    for at in (1_000..until).step_by(210) {
        s.acquire(at, W2, l, Reply::No, length);
    }
    if !ttl {
        return s.done(
            60_000,
            EndWhy::Horizon,
            &[(Property::NoProgress, 60_000, "W2 waits for a lock whose holder is gone, until 60\u{a0}s.")],
        );
    }
    s.expire(10_005, l, a1);
    let a2 = s.acquire(10_030, W2, l, Reply::Grant(None), length);
    s.read(10_040, W2, r, a2, 0);
    s.write(11_050, W2, r, a2, None, 0, 0, None, 5);
    s.release(11_060, W2, l, a2, Some(a2));
    s.done(11_070, EndWhy::Quiet, &[])
}

/// Preset 05: W1's unconditional release removes W2's lease, and W3 gets it.
pub fn foreign_release(checked: bool) -> Sample {
    let mut s = Script::new(if checked { "Compare and delete" } else { "Plain DEL" }, 3, &["lock"], &["resource"]);
    let (l, r) = (NodeId(3), NodeId(4));
    let a1 = s.acquire(0, W1, l, Reply::Grant(None), Some(10_000));
    s.read(10, W1, r, a1, 0);
    s.write(1_020, W1, r, a1, None, 0, 0, None, 5);
    for i in 0..5 {
        s.acquire(9_000 + 210 * i, W2, l, Reply::No, Some(10_000));
        s.acquire(9_500 + 210 * i, W3, l, Reply::No, Some(10_000));
    }
    s.expire(10_005, l, a1);
    let a2 = s.acquire(10_050, W2, l, Reply::Grant(None), Some(10_000));
    s.read(10_060, W2, r, a2, 1);
    s.release(12_030, W1, l, a1, if checked { None } else { Some(a2) });
    s.write(15_070, W2, r, a2, None, 1, 1, None, 5);
    s.release(15_080, W2, l, a2, if checked { Some(a2) } else { None });
    let from = if checked { 15_170 } else { 12_230 };
    for at in (10_550..from).step_by(210) {
        s.acquire(at, W3, l, Reply::No, Some(10_000));
    }
    let a3 = s.acquire(from, W3, l, Reply::Grant(None), Some(10_000));
    s.read(from + 10, W3, r, a3, if checked { 2 } else { 1 });
    s.write(from + 5_020, W3, r, a3, None, if checked { 2 } else { 1 }, 2, None, 5);
    s.release(from + 5_030, W3, l, a3, Some(a3));
    if checked {
        return s.done(20_300, EndWhy::Quiet, &[]);
    }
    s.done(
        20_300,
        EndWhy::Quiet,
        &[(Property::LostUpdate, 17_255, "W3’s write, computed from 1, removed W2’s update at 17.255\u{a0}s.")],
    )
}

/// A lost answer, a late one, a cut link, a clock that steps, a deadline that holds.
pub fn faults() -> Sample {
    let mut s = Script::new("Everything at once", 2, &["lock"], &["resource"]);
    let (l, r) = (NodeId(2), NodeId(3));
    // The first request is answered, but the answer is lost; W1 gives up after 500 ms and tries again in vain.
    let (call, acq) = (s.call(), s.acq());
    let ask =
        Payload::Acquire { lock: LOCK, acq, owner: OwnerId(7), ttl: Some(Span::from_ms(3_000)), margin: Span::ZERO };
    let a = s.send(0, W1, l, None, call, Kind::request(Topic::Acquire), ask, 5);
    s.grant(5, W1, l, acq, a, None, Some(Span::from_ms(3_000)));
    s.lose(
        5,
        l,
        W1,
        Some(a),
        call,
        Kind::reply(Topic::Acquire),
        Payload::Granted { lock: LOCK, acq, token: None },
        LostWhy::Dropped,
    );
    s.did(500, W1, None, Fact::TimedOut { topic: Topic::Acquire });
    for at in (700..2_900).step_by(210) {
        s.acquire(at, W1, l, Reply::No, Some(3_000));
    }
    s.expire(3_005, l, acq);
    let a2 = s.acquire(3_010, W1, l, Reply::Grant(None), Some(3_000));
    s.read(3_020, W1, r, a2, 0);
    s.event(3_500, W1, None, EventKind::ClockStepped { by: Span::from_ms(-8_000) });
    s.offsets.push((W1, 3_500, -8_000));
    s.event(4_000, W2, None, EventKind::CutFrom { peer: l });
    let (call2, acq2) = (s.call(), s.acq());
    let ask2 = Payload::Acquire {
        lock: LOCK,
        acq: acq2,
        owner: OwnerId(8),
        ttl: Some(Span::from_ms(3_000)),
        margin: Span::ZERO,
    };
    s.lose(4_500, W2, l, None, call2, Kind::request(Topic::Acquire), ask2, LostWhy::Cut);
    s.did(5_000, W2, None, Fact::TimedOut { topic: Topic::Acquire });
    s.event(5_200, W2, None, EventKind::Healed { peer: l });
    s.expire(6_015, l, a2);
    s.end_belief(6_500, W1, a2, Loss::Deadline);
    s.did(6_500, W1, None, Fact::Stopped { why: StopWhy::Deadline });
    let a3 = s.acquire(7_000, W2, l, Reply::Grant(None), Some(3_000));
    s.read(7_010, W2, r, a3, 0);
    s.pause(7_300, Some(8_200), W2, Some(Thread::Renewer));
    s.write(7_500, W2, r, a3, None, 0, 0, None, 400);
    s.release(7_910, W2, l, a3, Some(a3));
    s.event(8_400, r, None, EventKind::Crashed { thread: None });
    s.event(8_900, r, None, EventKind::Restarted);
    s.done(9_000, EndWhy::Quiet, &[])
}

/// Preset 06 in part: a copy of a release on a longer way frees the worker's own later lease.
pub fn copy() -> Sample {
    let mut s = Script::new("Reused owner id", 2, &["lock"], &["resource"]);
    let (l, r) = (NodeId(2), NodeId(3));
    let a1 = s.acquire(0, W1, l, Reply::Grant(None), Some(10_000));
    s.read(10, W1, r, a1, 0);
    s.write(2_020, W1, r, a1, None, 0, 0, None, 5);
    s.release(2_030, W1, l, a1, Some(a1));
    let a2 = s.acquire(2_140, W1, l, Reply::Grant(None), Some(10_000));
    s.read(2_150, W1, r, a2, 1);
    s.acquire(2_300, W2, l, Reply::No, Some(10_000));
    let of = s.sent_releases()[0];
    s.copy(2_030, W1, l, of, 905, |s, a, call| {
        s.did(2_935, l, Some(a), Fact::Released { lock: LOCK, acq: a2, by: Some(a1) });
        let answer = Payload::Released { lock: LOCK, acq: a1 };
        let b = s.send(2_935, l, W1, Some(a), call, Kind::reply(Topic::Release), answer, 5);
        s.did(2_940, W1, Some(b), Fact::Ignored { topic: Topic::Release });
    });
    let a3 = s.acquire(2_940, W2, l, Reply::Grant(None), Some(10_000));
    s.read(2_950, W2, r, a3, 1);
    s.write(4_160, W1, r, a2, None, 1, 1, None, 5);
    s.release(4_170, W1, l, a2, Some(a3));
    s.write(5_950, W2, r, a3, None, 1, 2, None, 5);
    s.release(5_960, W2, l, a3, None);
    s.done(
        5_970,
        EndWhy::Quiet,
        &[(Property::LostUpdate, 5_955, "W2’s write, computed from 1, removed W1’s update at 5.955\u{a0}s.")],
    )
}

/// Preset 04: renewals keep a long job alive.
pub fn renewals() -> Sample {
    let mut s = Script::new("Renewed in time", 1, &["lock"], &["resource"]);
    let (l, r) = (NodeId(1), NodeId(2));
    let a = s.acquire(0, W1, l, Reply::Grant(None), Some(10_000));
    s.read(10, W1, r, a, 0);
    for i in 0..8 {
        let (call, at) = (s.call(), 3_020 + 3_010 * i);
        let ask = Payload::Renew {
            lock: LOCK,
            acq: a,
            owner: OwnerId(7),
            ttl: Some(Span::from_ms(10_000)),
            margin: Span::ZERO,
            compare: Compare::Owner,
        };
        let b = s.send(at, W1, l, None, call, Kind::request(Topic::Renew), ask, 5);
        s.send(at + 5, l, W1, Some(b), call, Kind::reply(Topic::Renew), Payload::Extended { lock: LOCK, acq: a }, 5);
    }
    s.write(25_100, W1, r, a, None, 0, 0, None, 5);
    s.release(25_110, W1, l, a, Some(a));
    s.done(25_120, EndWhy::Quiet, &[])
}

/// Preset 29: the second shard has never seen the newer token.
pub fn shards() -> Sample {
    let mut s = Script::new("Fencing", 2, &["lock"], &["accounts", "ledger"]);
    let (l, r0, r1) = (NodeId(2), NodeId(3), NodeId(4));
    let a1 = s.acquire(0, W1, l, Reply::Grant(Some(1)), Some(10_000));
    s.read(10, W1, r0, a1, 0);
    s.write(4_020, W1, r0, a1, Some(1), 0, 0, None, 5);
    s.pause(5_000, Some(15_000), W1, None);
    for at in (9_000..9_900).step_by(210) {
        s.acquire(at, W2, l, Reply::No, Some(10_000));
    }
    s.expire(10_005, l, a1);
    let a2 = s.acquire(10_050, W2, l, Reply::Grant(Some(2)), Some(10_000));
    s.read(10_060, W2, r0, a2, 1);
    s.write(11_070, W2, r0, a2, Some(2), 1, 1, Some(1), 5);
    s.release(11_080, W2, l, a2, Some(a2));
    s.write(15_000, W1, r1, a1, Some(1), 0, 0, None, 5);
    s.release(15_010, W1, l, a1, None);
    s.done(
        15_020,
        EndWhy::Quiet,
        &[(Property::NonOwnerWrite, 15_005, "W1 wrote to the ledger at 15.005\u{a0}s; W2 had the latest grant.")],
    )
}

/// Names that try to break out of the picture, and more workers than hues.
pub fn hostile() -> Sample {
    let mut s = Script::new("<script>alert(1)</script>", 5, &["lo\"ck"], &["a & b <c>"]);
    for (i, n) in
        ["<b>W1</b>", "payment-worker-with-a-long-name-17", "W'3", "ワーカー四", "w\u{0}5"].into_iter().enumerate()
    {
        s.roster.nodes[i].name = n.to_string();
    }
    let (l, r) = (NodeId(5), NodeId(6));
    for i in 0..5u16 {
        let at = i64::from(i) * 1_000;
        let a = s.acquire(at, NodeId(i), l, Reply::Grant(Some(u64::from(i) + 1)), Some(500));
        s.write(at + 20, NodeId(i), r, a, Some(u64::from(i) + 1), u64::from(i), u64::from(i), Some(u64::from(i)), 5);
        s.release(at + 700, NodeId(i), l, a, Some(a));
    }
    s.done(5_000, EndWhy::Events, &[])
}

impl Script {
    /// Releases sent so far: their events.
    fn sent_releases(&self) -> Vec<usize> {
        let release = |k: &EventKind| matches!(k, EventKind::Sent { what, .. } if matches!(what.payload, Payload::Release { .. }));
        (0..self.count()).filter(|i| release(&self.kind(*i))).collect()
    }

    /// A second copy of a message, on a longer way.
    fn copy(
        &mut self,
        at: i64,
        from: NodeId,
        to: NodeId,
        of: usize,
        takes: i64,
        then: impl FnOnce(&mut Script, usize, crate::base::CallId),
    ) {
        let EventKind::Sent { msg, what, .. } = self.kind(of) else { return };
        let copy = self.msg();
        let sent = self.event(at, from, None, EventKind::Sent { msg: copy, to, what, fate: Fate::Copy { of: msg } });
        let a = self.event(at + takes, to, Some(sent), EventKind::Arrived { msg: copy, from, what });
        then(self, a, what.call);
    }
}
