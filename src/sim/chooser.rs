//! The one door for chance.
//!
//! Whether a message is lost, how long something takes where the story says "0 ms to 200 ms": each is a [`ChoicePoint`] put to a
//! [`Chooser`], and each answer is appended to the [`Schedule`]. A bug report is a scenario plus a schedule, independent of any
//! generator.
//!
//! [`Seeded`] answers are keyed by what is asked (which nodes by name, what, which occurrence), not by a global order of draws: two
//! designs under one seed meet the same network, and an edit in one place does not reshuffle the rest.

use crate::base::{Span, prng};
use crate::protocol::params::Draw;

/// A question of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChoicePoint {
    pub what: Question,
    /// What makes this occurrence this one: who, with whom, about what, for the how many-th time.
    pub key: [u64; 4],
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Is this message lost, at so many in a million? Answer: 0 or 1.
    Lost { ppm: u32 },
    /// How long does it take? Answer: microseconds.
    Length(Draw),
    /// Which number below this?
    Number { below: u64 },
}

/// Answers questions of chance.
pub trait Chooser {
    fn choose(&mut self, point: &ChoicePoint) -> u64;
}

/// All answers of a run, in the order in which they were asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Schedule(pub Vec<u64>);

/// Answers by seed and question.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    pub seed: u64,
}

impl Chooser for Seeded {
    fn choose(&mut self, point: &ChoicePoint) -> u64 {
        let word = prng::answer(self.seed, &point.key);
        match point.what {
            Question::Lost { ppm } => u64::from(prng::up_to(word, 999_999) < u64::from(ppm)),
            Question::Length(draw) => length(draw, word).as_us().max(0) as u64,
            Question::Number { below } => prng::up_to(word, below.saturating_sub(1)),
        }
    }
}

/// Answers as recorded; after the end of the record, the least answer.
#[derive(Clone, Debug)]
pub struct Replay {
    schedule: Schedule,
    next: usize,
}

impl Replay {
    pub fn new(schedule: Schedule) -> Replay {
        Replay { schedule, next: 0 }
    }
}

impl Chooser for Replay {
    fn choose(&mut self, point: &ChoicePoint) -> u64 {
        let answer = self.schedule.0.get(self.next).copied();
        self.next += 1;
        answer.unwrap_or_else(|| least(point))
    }
}

/// Answers written by hand: the n-th question asked gets the n-th answer, `None` and what is beyond the list the least one.
#[derive(Clone, Debug, Default)]
pub struct Scripted {
    pub answers: Vec<Option<u64>>,
    next: usize,
}

impl Scripted {
    pub fn new(answers: Vec<Option<u64>>) -> Scripted {
        Scripted { answers, next: 0 }
    }
}

impl Chooser for Scripted {
    fn choose(&mut self, point: &ChoicePoint) -> u64 {
        let answer = self.answers.get(self.next).copied().flatten();
        self.next += 1;
        answer.unwrap_or_else(|| least(point))
    }
}

fn least(point: &ChoicePoint) -> u64 {
    match point.what {
        Question::Lost { .. } | Question::Number { .. } => 0,
        Question::Length(draw) => draw.least().as_us().max(0) as u64,
    }
}

/// The least upper bound of a drawn length: a draw from a long tail is cut at a year, so that time stays in range.
const LONGEST: f64 = 365.0 * 86_400.0 * 1e6;

/// A length of the given distribution, from a mixed word. `libm`'s software functions give the same bits natively and in wasm; the
/// result is part of the formats, since links promise the same run.
pub fn length(draw: Draw, word: u64) -> Span {
    let us = match draw {
        Draw::Fixed(s) => return s,
        Draw::Uniform(a, b) => {
            let (lo, hi) = if a <= b { (a, b) } else { (b, a) };
            return lo + Span::from_us(prng::up_to(word, (hi - lo).as_us() as u64) as i64);
        }
        Draw::Exponential(mean) => -libm::log(prng::unit(word)) * mean.as_us() as f64,
        Draw::LogNormal(median, p99) => {
            // p99 = median · exp(σ · z99)
            let sigma = libm::log(p99.as_us() as f64 / (median.as_us() as f64).max(1.0)).max(0.0) / Z99;
            median.as_us() as f64 * libm::exp(sigma * normal(word))
        }
    };
    Span::from_us(libm::rint(us.clamp(0.0, LONGEST)) as i64)
}

/// 99th percentile of the standard normal distribution.
const Z99: f64 = 2.326_347_874_040_841;

/// A standard normal number by Box and Muller, from one mixed word.
fn normal(word: u64) -> f64 {
    let u = prng::unit(word);
    let v = prng::unit(prng::mix(word, 1));
    libm::sqrt(-2.0 * libm::log(u)) * libm::cos(std::f64::consts::TAU * v)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(draw: Draw) -> Vec<i64> {
        let mut v: Vec<i64> = (0..20_000).map(|i| length(draw, prng::answer(3, &[i])).as_us()).collect();
        v.sort_unstable();
        v
    }

    #[test]
    fn draws_have_the_stated_shape() {
        let v = sample(Draw::Uniform(Span::from_ms(0), Span::from_ms(200)));
        assert!(v[0] >= 0 && v[19_999] <= 200_000);
        assert!((v[10_000] - 100_000).abs() < 3_000, "median {}", v[10_000]);
        let v = sample(Draw::Exponential(Span::from_ms(2_000)));
        let mean = v.iter().sum::<i64>() / 20_000;
        assert!((mean - 2_000_000).abs() < 60_000, "mean {mean}");
        let v = sample(Draw::LogNormal(Span::from_ms(50), Span::from_ms(2_000)));
        assert!((v[10_000] - 50_000).abs() < 2_500, "median {}", v[10_000]);
        assert!((v[19_800] - 2_000_000).abs() < 300_000, "p99 {}", v[19_800]);
    }

    #[test]
    fn draws_are_pinned_because_links_promise_the_same_run() {
        let w = prng::answer(1, &[1, 2, 3, 4]);
        let draws = [
            Draw::Uniform(Span::from_ms(0), Span::from_ms(200)),
            Draw::Exponential(Span::from_ms(2_000)),
            Draw::LogNormal(Span::from_ms(50), Span::from_ms(2_000)),
        ];
        assert_eq!(draws.map(|d| length(d, w).as_us()), PINNED);
    }

    const PINNED: [i64; 3] = [104_021, 1_307_451, 131_172];

    #[test]
    fn a_replay_answers_as_recorded() {
        let p = ChoicePoint { what: Question::Lost { ppm: 1 }, key: [0; 4] };
        let mut r = Replay::new(Schedule(vec![1, 0, 1]));
        assert_eq!([r.choose(&p), r.choose(&p), r.choose(&p), r.choose(&p)], [1, 0, 1, 0]);
    }
}
