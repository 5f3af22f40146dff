//! What need not be looked at, because it goes on like something else.

use super::{Act, Question, State, Step, Worker};
use crate::base::prng;

impl Question {
    /// A digest of the state as it is.
    pub(super) fn plain(&self, s: &State) -> u64 {
        let globals = [s.held, s.granted, s.mark, s.newest, s.version, s.broken];
        let globals = globals.iter().fold(0, |word, x| word << 4 | u64::from(*x));
        s.workers[..self.workers].iter().fold(prng::mix(0, globals), |h, w| {
            prng::mix(
                h,
                u64::from(w.rounds_done) << 16 | (w.next as u64) << 8 | u64::from(w.token) << 4 | u64::from(w.read),
            )
        })
    }

    /// A digest that is equal for states that go on alike.
    ///
    /// * Workers have one program: only what each of them is in is looked at, not who is in it.
    /// * Tokens are only ever compared: only their order matters, among those that somebody may still show and the two marks.
    /// * A version that was read is only ever compared with that at hand: it is current, or it never will be.
    /// * Whether the lock is held makes no difference to what can follow, since the lease may end before any step; nor does what was
    ///   broken.
    pub(super) fn essence(&self, s: &State) -> u64 {
        let shown = s.workers[..self.workers].iter().filter(|w| shows_it(w));
        let compared = shown.fold(1u32 << s.mark | 1 << s.newest, |set, w| set | 1 << w.token);
        let rank = |token: u8| u64::from((compared & ((1 << token) - 1)).count_ones());
        let mut each = [0u64; super::WORKERS];
        for (word, w) in each.iter_mut().zip(&s.workers[..self.workers]) {
            let token = if shows_it(w) { rank(w.token) + 1 } else { 0 };
            let is_current = w.next == Step::Write && w.read == s.version;
            *word = u64::from(w.rounds_done) << 8 | (w.next as u64) << 5 | token << 1 | u64::from(is_current);
        }
        let each = &mut each[..self.workers];
        each.sort_unstable();
        let marks = rank(s.mark) << 4 | rank(s.newest);
        each.iter().fold(prng::mix(marks, self.workers as u64), |h, word| prng::mix(h, *word))
    }

    /// Will whatever this worker still asks of the resource be refused, or of no use?
    fn is_too_late(&self, s: &State, w: &Worker) -> bool {
        self.is_refused(s, w)
            || self.is_refused(s, &Worker { next: if w.next == Step::Read { Step::Write } else { w.next }, ..*w })
    }

    /// What has to be looked at next: one act that is independent of all that the others may ever do, if there is one, or else each.
    ///
    /// The end of a lease is independent of all but an acquisition and the holder's release, so it is put off until somebody acquires; with
    /// that a release changes nothing that can be seen. What is refused is refused for ever and changes nothing, and what was read before it
    /// is of no use.
    pub(super) fn needed(&self, s: &State) -> impl Iterator<Item = Act> {
        let workers = s.workers;
        let alone = (0..self.workers).find(|i| workers[*i].next == Step::Release || self.is_too_late(s, &workers[*i]));
        let each = alone.map_or(0..self.workers, |i| i..i + 1);
        each.filter(move |i| workers[*i].next != Step::Done).map(|i| Act::Go(i as u8))
    }
}

/// May its token still be compared with another?
fn shows_it(w: &Worker) -> bool {
    matches!(w.next, Step::Activate | Step::Read | Step::Write)
}
