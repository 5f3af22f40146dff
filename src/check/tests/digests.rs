//! A search that takes two pasts for one must not be wrong: all short pasts with one digest, under all short futures.

use crate::base::fact::Loss;
use crate::base::{Fingerprint, OpKey, Span, Token, TrueTime, Verb};
use crate::check::{Checker, Property, PropertySet, Setup, Summary};
use crate::trace::EventSink;
use crate::trace::story::{Q, R, Story, W1, W2};
use std::collections::BTreeMap;
use std::hash::Hasher;

/// What can happen.
const STEPS: [fn(&mut Story) -> &mut Story; 15] = [
    // A short lease, so that a promise may be over or not.
    |s| s.grant_with(W1, 1, |g| (g.token, g.ttl) = (Some(Token::new(1)), Some(Span::from_ms(38)))),
    |s| s.grant_token(W2, 3, 1),
    |s| s.grant_token(W2, 2, 2),
    |s| s.release(1, 1),
    |s| s.release(2, 1),
    |s| s.expire(1),
    |s| s.extend(1, 1, W1),
    |s| s.believe(W1, 1, 35),
    |s| s.believe(W2, 2, 100),
    |s| s.doubt(W1, 1, Loss::Released),
    |s| s.send_write(W1, 1, 0, 1),
    |s| s.apply_op(W1, 1, 1, 0, 0),
    |s| s.apply_op(W2, 2, 1, 0, 1),
    |s| s.write_at(Q, W1, 1, 0),
    |s| s.before(W2, Verb::Acquire),
];

fn told(steps: &[usize], from_ms: i64) -> Story {
    let mut s = Story::two_shards();
    for (i, step) in steps.iter().enumerate() {
        STEPS[*step](s.at(from_ms + 10 * i as i64));
    }
    s
}

fn checker(story: &Story) -> Checker {
    let mut checker = Checker::new(&Setup::new(story.roster.clone(), true, Span::from_ms(30_000)));
    story.log.events().iter().for_each(|e| checker.on_event(e));
    checker
}

fn digest(story: &Story, now_ms: i64, of: PropertySet) -> u64 {
    let mut h = Fingerprint::new();
    checker(story).digest(TrueTime::from_ms(now_ms), of, &mut h);
    h.finish()
}

/// The verdicts when `past` is followed by what `future` holds from 30 ms on.
fn verdicts(past: &Checker, future: &Story, of: PropertySet) -> (PropertySet, PropertySet) {
    let mut checker = past.clone();
    future.log.events().iter().for_each(|e| checker.on_event(e));
    let Summary { violated, reached, .. } = checker.close(future.horizon());
    (violated.and(of), reached.and(of))
}

#[test]
fn pasts_with_one_digest_have_one_future() {
    let n = STEPS.len();
    let futures: Vec<Story> = (0..n * n).map(|i| told(&[i / n, i % n], 30)).collect();
    // Each property for itself, lest what another remembers keep two states apart; and those that are judged, together.
    let alone = Property::ALL.into_iter().map(|p| PropertySet::NONE.with(p));
    let sets: Vec<PropertySet> = alone.chain([Property::JUDGED.into_iter().collect()]).collect();
    let mut merged = 0;
    for of in sets {
        let mut states: BTreeMap<u64, Checker> = BTreeMap::new();
        for i in 0..n * n * n {
            let past = told(&[i / n / n, i / n % n, i % n], 0);
            let state = checker(&past);
            let digest = digest(&past, 30, of);
            let Some(first) = states.get(&digest) else {
                states.insert(digest, state);
                continue;
            };
            merged += 1;
            // A prime stride: a spread of futures for each pair, and every future for many pairs.
            for f in futures.iter().skip(i % 19).step_by(19) {
                assert_eq!(verdicts(first, f, of), verdicts(&state, f, of), "past {i}, {of:?}");
            }
        }
    }
    assert!(merged > 30_000, "only {merged} pasts were taken for another");
}

#[test]
fn when_it_happened_does_not_matter_but_how_long_ago() {
    let of = Property::JUDGED.into_iter().collect();
    let steps = [0, 7, 14, 11];
    assert_eq!(digest(&told(&steps, 100), 200, of), digest(&told(&steps, 5_100), 5_200, of));
    assert_ne!(digest(&told(&steps, 100), 200, of), digest(&told(&steps, 100), 201, of), "a promise and a wait run");
    let write = PropertySet::NONE.with(Property::NonOwnerWrite);
    assert_eq!(digest(&told(&steps, 100), 200, write), digest(&told(&steps, 100), 201, write));
}

#[test]
fn what_is_remembered_is_told_apart() {
    let of = PropertySet::NONE.with(Property::DuplicateEffect);
    let once = |op: u64| {
        let mut s = Story::new();
        s.at(1).apply(R, W1, None, OpKey(op), None, 0);
        digest(&s, 2, of)
    };
    assert_ne!(once(1), once(2));
}
