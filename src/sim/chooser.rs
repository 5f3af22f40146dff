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

/// A length of the given distribution, from a mixed word. The result is part of the formats, since links promise the same run: `libm`'s
/// software functions give the same bits natively and in wasm, and so do roots and roundings, for which one result is the right one.
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
        Draw::Pareto(least, p99) => {
            // p99 = least · 100^(1/α), and a share u of all is longer than least · u^(−1/α).
            let inverse = libm::log(p99.as_us() as f64 / (least.as_us() as f64).max(1.0)).max(0.0) / LN_100;
            least.as_us() as f64 * libm::exp(-libm::log(prng::unit(word)) * inverse)
        }
        Draw::OneOf(lengths) => return lengths.at(prng::up_to(word, lengths.len() as u64 - 1) as usize),
    };
    Span::from_us(us.clamp(0.0, LONGEST).round_ties_even() as i64)
}

/// The natural logarithm of 100.
const LN_100: f64 = 4.605_170_185_988_092;

/// 99th percentile of the standard normal distribution.
const Z99: f64 = 2.326_347_874_040_841;

/// A standard normal number from one mixed word: the number below which that share of all lies. Wichura's rational approximation PPND7
/// (algorithm AS 241, Applied Statistics 37, 1988), good to seven digits, in nothing but arithmetic, a root and a logarithm.
fn normal(word: u64) -> f64 {
    let share = prng::unit(word);
    let q = share - 0.5;
    if q.abs() <= 0.425 {
        return q * ratio(0.180_625 - q * q, &MIDDLE);
    }
    let r = (-libm::log(if q < 0.0 { share } else { 1.0 - share })).sqrt();
    let far = if r <= 5.0 { ratio(r - 1.6, &TAIL) } else { ratio(r - 5.0, &END) };
    if q < 0.0 { -far } else { far }
}

/// Coefficients of a numerator and of a denominator, the highest power first.
type Ratio = [[f64; 4]; 2];

/// Shares from 0.075 to 0.925.
const MIDDLE: Ratio = [
    [59.109_374_720, 159.291_132_02, 50.434_271_938, 3.387_132_717_9],
    [67.187_563_600, 78.757_757_664, 17.895_169_469, 1.0],
];
/// Nearer to an end.
const TAIL: Ratio = [
    [0.170_238_211_03, 1.306_728_481_6, 2.756_815_390_0, 1.423_437_277_7],
    [0.0, 0.120_211_329_75, 0.737_001_642_50, 1.0],
];
/// Nearer than 1.4 in 10^11.
const END: Ratio = [
    [0.017_337_203_997, 0.428_682_943_37, 3.081_226_386_0, 6.657_905_115_0],
    [0.0, 0.012_258_202_635, 0.241_978_942_25, 1.0],
];

fn ratio(r: f64, of: &Ratio) -> f64 {
    let [over, under] = of.map(|[a, b, c, d]| ((a * r + b) * r + c) * r + d);
    over / under
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::params::Lengths;

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
        // With 100 times the least at 99 % the exponent is one, and half of all are longer than twice the least.
        let v = sample(Draw::Pareto(Span::from_ms(1), Span::from_ms(100)));
        assert!(v[0] >= 1_000 && (v[10_000] - 2_000).abs() < 60, "least {}, median {}", v[0], v[10_000]);
        assert!((v[19_800] - 100_000).abs() < 15_000, "p99 {}", v[19_800]);
        let lengths = [5, 7, 120].map(Span::from_ms);
        let v = sample(Draw::OneOf(Lengths::new(&lengths).expect("a few")));
        for s in lengths {
            let n = v.iter().filter(|us| **us == s.as_us()).count();
            assert!((6_400..6_900).contains(&n), "{n} of {s}");
        }
    }

    #[test]
    fn normal_numbers_have_the_shares_of_the_table() {
        // The share below a whole number, as tables print it, and that number.
        for (share, number) in [
            (0.5, 0.0),
            (0.841_344_746_068_543, 1.0),
            (0.977_249_868_051_821, 2.0),
            (0.990, Z99),
            (0.999_968_328_758_167, 4.0),
            (2.866_515_718_791_939e-7, -5.0),
            (1.279_812_543_885_835e-12, -7.0),
        ] {
            let word = (share * 2f64.powi(53)) as u64;
            let got = normal(word << 11);
            assert!((got - number).abs() < 1e-5, "{share}: {got}, not {number}");
        }
    }

    #[test]
    fn draws_are_pinned_because_links_promise_the_same_run() {
        let w = prng::answer(1, &[1, 2, 3, 4]);
        let draws = [
            Draw::Uniform(Span::from_ms(0), Span::from_ms(200)),
            Draw::Exponential(Span::from_ms(2_000)),
            Draw::LogNormal(Span::from_ms(50), Span::from_ms(2_000)),
            Draw::Pareto(Span::from_ms(1), Span::from_ms(2_000)),
            Draw::OneOf(Lengths::new(&[5, 7, 120].map(Span::from_ms)).expect("a few")),
        ];
        assert_eq!(draws.map(|d| length(d, w).as_us()), PINNED);
    }

    const PINNED: [i64; 5] = [104_021, 1_307_451, 54_161, 2_942, 7_000];

    #[test]
    fn a_replay_answers_as_recorded() {
        let p = ChoicePoint { what: Question::Lost { ppm: 1 }, key: [0; 4] };
        let mut r = Replay::new(Schedule(vec![1, 0, 1]));
        assert_eq!([r.choose(&p), r.choose(&p), r.choose(&p), r.choose(&p)], [1, 0, 1, 0]);
    }
}
