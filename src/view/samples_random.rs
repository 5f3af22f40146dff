//! Logs that nobody would write: very many messages, and whatever comes to mind.

use super::samples::{LOCK, Reply, Sample, Script};
use crate::base::fact::Loss;
use crate::base::message::{Compare, Topic};
use crate::base::prng::{answer, up_to};
use crate::base::{AcqId, Fact, Kind, NodeId, OwnerId, Payload, Span, Thread};
use crate::trace::{EndWhy, EventKind, LostWhy};

/// Many messages: `rounds` rounds of six workers one after another, with refusals in between.
pub fn crowd(rounds: i64) -> Sample {
    let mut s = Script::new("A crowd", 6, &["lock"], &["resource"]);
    let (l, r) = (NodeId(6), NodeId(7));
    for i in 0..rounds {
        let (w, at) = (NodeId((i % 6) as u16), i * 400);
        let a = s.acquire(at, w, l, Reply::Grant(Some(i as u64 + 1)), Some(10_000));
        s.read(at + 10, w, r, a, i as u64);
        s.acquire(at + 60, NodeId(((i + 1) % 6) as u16), l, Reply::No, Some(10_000));
        s.write(at + 120, w, r, a, Some(i as u64 + 1), i as u64, i as u64, Some(i as u64), 5);
        s.release(at + 130, w, l, a, Some(a));
    }
    s.done(rounds * 400, EndWhy::Horizon, &[])
}

/// Whatever comes to mind: well-formed, and that is all.
pub fn chaos(seed: u64) -> Sample {
    let mut n = 0;
    let mut roll = |max: u64| {
        n += 1;
        up_to(answer(seed, &[n]), max) as i64
    };
    let workers = 1 + roll(5) as usize;
    let nodes: &[&str] =
        [&["lock"][..], &["old", "new"], &["A", "B", "C"], &["A", "B", "C", "D", "E"]][roll(3) as usize];
    let shards: &[&str] = [&["resource"][..], &["accounts", "ledger"]][roll(1) as usize];
    let mut s = Script::new("Chaos", workers, nodes, shards);
    let mut acqs: Vec<(NodeId, AcqId)> = Vec::new();
    let mut at = 0;
    for _ in 0..40 {
        at += [0, 1, 5, 7, 200, 4_000][roll(5) as usize];
        let w = NodeId(roll(workers as u64 - 1) as u16);
        let lock = NodeId((workers as i64 + roll(nodes.len() as u64 - 1)) as u16);
        let shard = NodeId((workers as i64 + nodes.len() as i64 + roll(shards.len() as u64 - 1)) as u16);
        let any = acqs.get(roll(acqs.len().max(1) as u64 - 1) as usize).copied();
        match (roll(13), any) {
            (0 | 1, _) => {
                acqs.push((w, s.acquire(at, w, lock, Reply::Grant(Some(acqs.len() as u64)), Some(1 + roll(5_000)))))
            }
            (2, _) => drop(s.acquire(at, w, lock, Reply::No, None)),
            (3, Some((o, a))) => s.read(at, o, shard, a, roll(3) as u64),
            (4 | 5, Some((o, a))) => {
                let token = (roll(1) == 0).then_some(roll(4) as u64);
                s.write(
                    at,
                    o,
                    shard,
                    a,
                    token,
                    roll(2) as u64,
                    roll(2) as u64,
                    token.map(|_| roll(4) as u64),
                    [5, 5, 900][roll(2) as usize],
                );
            }
            (6, Some((o, a))) => s.release(at, o, lock, a, (roll(1) == 0).then_some(a)),
            (7, Some((_, a))) => s.expire(at, lock, a),
            (8, _) => s.pause(
                at,
                (roll(1) == 0).then_some(at + 300),
                w,
                [None, Some(Thread::Main), Some(Thread::Renewer)][roll(2) as usize],
            ),
            (9, _) => {
                let node = [w, lock, shard][roll(2) as usize];
                s.event(at, node, None, EventKind::Crashed { thread: None });
                if roll(1) == 0 {
                    s.event(at + 100, node, None, EventKind::Restarted);
                }
            }
            (10, _) => {
                let by = roll(20_000) - 10_000;
                let node = [w, lock][roll(1) as usize];
                s.event(at, node, None, EventKind::ClockStepped { by: Span::from_ms(by) });
                s.offsets.push((node, at, by));
            }
            (11, _) => {
                s.event(at, w, None, EventKind::CutFrom { peer: lock });
                if roll(1) == 0 {
                    s.event(at + 700, w, None, EventKind::Healed { peer: lock });
                }
            }
            (12, Some((o, a))) => {
                let call = s.call();
                let ask = Payload::Release { lock: LOCK, acq: a, owner: OwnerId(7), compare: Compare::Owner };
                s.lose(
                    at,
                    o,
                    lock,
                    None,
                    call,
                    Kind::request(Topic::Release),
                    ask,
                    [LostWhy::Loss, LostWhy::Cut][roll(1) as usize],
                );
                s.did(at + 500, o, None, Fact::TimedOut { topic: Topic::Release });
            }
            (_, Some((o, a))) => s.end_belief(at, o, a, Loss::Ended),
            _ => {}
        }
    }
    let why = [EndWhy::Quiet, EndWhy::Horizon, EndWhy::Events][roll(2) as usize];
    s.done(at + 1_000, why, &[])
}
