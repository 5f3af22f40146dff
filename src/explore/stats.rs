//! What many runs say, in numbers that add up exactly: a rate with its interval, a distribution.

use serde::{Deserialize, Serialize};

/// Where a rate lies, with 95 % confidence.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The interval of Wilson (1927, "Probable inference, the law of succession, and statistical inference") for `hits` of `runs`, at 95 %.
/// Unlike the textbook's one it says something sensible for rare events: none in 10,000 is "at most 0.04 %", not "never".
/// Without a run anything is possible.
pub fn wilson(hits: u64, runs: u64) -> Interval {
    /// The quantile of the normal distribution that leaves 2.5 % on either side.
    const Z: f64 = 1.959_963_984_540_054;
    if runs == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = runs as f64;
    let p = hits as f64 / n;
    let shrunk = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / shrunk;
    let half = Z * libm::sqrt(p * (1.0 - p) / n + Z * Z / (4.0 * n * n)) / shrunk;
    // What was seen is possible, whatever rounding says.
    let low = if hits == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if hits == runs { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

/// Whole numbers, counted in buckets that grow with what they count: each is at most 1/64 wide, relative to what is in it. Up to 127
/// every number has a bucket of its own. Sum, least and greatest are exact.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// By bucket; shorter where the rest is empty. Written as pairs of a bucket and its count: most are empty.
    #[serde(with = "sparse")]
    counts: Vec<u64>,
    count: u64,
    sum: u128,
    least: Option<u64>,
    greatest: Option<u64>,
}

/// Counts, written without the empty ones.
mod sparse {
    use super::{MOST, Serialize};
    use serde::de::{Deserialize, Deserializer, Error};

    pub fn serialize<S: serde::Serializer>(counts: &[u64], to: S) -> Result<S::Ok, S::Error> {
        let pairs: Vec<(usize, u64)> = counts.iter().copied().enumerate().filter(|(_, n)| *n > 0).collect();
        pairs.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
        let mut counts = Vec::new();
        for (at, n) in Vec::<(usize, u64)>::deserialize(from)? {
            if at > MOST {
                return Err(Error::custom("a histogram has no such bucket"));
            }
            if at >= counts.len() {
                counts.resize(at + 1, 0);
            }
            counts[at] += n;
        }
        Ok(counts)
    }
}

/// Buckets within one doubling.
const PER_DOUBLING: u64 = 64;

fn bucket(value: u64) -> usize {
    if value < 2 * PER_DOUBLING {
        return value as usize;
    }
    // How many bits are too many to tell.
    let blur = u64::from(value.ilog2() - PER_DOUBLING.ilog2());
    (blur * PER_DOUBLING + (value >> blur)) as usize
}

/// The bucket of the greatest number.
const MOST: usize = (64 - 6) * PER_DOUBLING as usize + PER_DOUBLING as usize;

/// The greatest number in a bucket.
fn upper(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    if bucket < 2 * PER_DOUBLING {
        return bucket;
    }
    let blur = bucket / PER_DOUBLING - 1;
    let top = bucket - blur * PER_DOUBLING;
    (top << blur) + ((1 << blur) - 1)
}

impl Histogram {
    pub fn add(&mut self, value: u64) {
        let at = bucket(value);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.count += 1;
        self.sum += u128::from(value);
        self.least = Some(self.least.map_or(value, |l| l.min(value)));
        self.greatest = self.greatest.max(Some(value));
    }

    pub fn merge(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (mine, its) in self.counts.iter_mut().zip(&other.counts) {
            *mine += its;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.least = match (self.least, other.least) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.greatest = self.greatest.max(other.greatest);
    }

    /// How many numbers were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// `None` where there is nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    pub fn least(&self) -> Option<u64> {
        self.least
    }

    pub fn greatest(&self) -> Option<u64> {
        self.greatest
    }

    /// The least number that at least `percent` of all do not exceed, rounded up within its bucket. `None` where there is nothing.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let wanted = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1) as u64;
        let mut seen = 0;
        for (at, n) in self.counts.iter().enumerate() {
            seen += n;
            if seen >= wanted {
                return self.greatest.map(|g| g.min(upper(at)));
            }
        }
        None
    }

    /// The buckets that are not empty: from, to (inclusive), how many.
    pub fn bars(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        let from = |at: usize| if at == 0 { 0 } else { upper(at - 1) + 1 };
        self.counts.iter().enumerate().filter(|(_, n)| **n > 0).map(move |(at, n)| (from(at), upper(at), *n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn intervals_are_those_of_the_formula() {
        // Computed with SciPy, `binomtest(hits, runs).proportion_ci(method="wilson")`.
        for (hits, runs, low, high) in [
            (0, 10, 0.0, 0.277_533),
            (1, 10, 0.017_876, 0.404_150),
            (5, 10, 0.236_593, 0.763_407),
            (10, 10, 0.722_467, 1.0),
            (3, 10_000, 0.000_102, 0.000_882),
        ] {
            let i = wilson(hits, runs);
            assert!((i.low - low).abs() < 1e-5 && (i.high - high).abs() < 1e-5, "{hits} of {runs}: {i:?}");
        }
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn small_numbers_are_exact() {
        let mut h = Histogram::default();
        (1..=100).for_each(|v| h.add(v));
        assert_eq!([50, 95, 99, 100].map(|p| h.percentile(p)), [Some(50), Some(95), Some(99), Some(100)]);
        assert_eq!((h.mean(), h.least(), h.greatest()), (Some(50.5), Some(1), Some(100)));
        assert_eq!(Histogram::default().percentile(50), None);
    }

    proptest! {
        #[test]
        fn a_bucket_holds_what_is_put_into_it(value: u64) {
            let at = bucket(value);
            let below = if at == 0 { None } else { Some(upper(at - 1)) };
            prop_assert!(value <= upper(at) && below.is_none_or(|b| b < value));
            prop_assert!(upper(at) - value <= value / PER_DOUBLING);
        }

        #[test]
        fn parts_add_up_to_the_whole(values: Vec<u32>, cut in 0usize..64) {
            let (left, right) = values.split_at(cut.min(values.len()));
            let of = |values: &[u32]| {
                let mut h = Histogram::default();
                values.iter().for_each(|v| h.add(u64::from(*v)));
                h
            };
            let mut sum = of(right);
            sum.merge(&of(left));
            prop_assert_eq!(sum, of(&values));
        }
    }
}
