//! Numbers: how values of a story become places on an axis, and how numbers are written beside it.

/// The first number of a value, lengths in seconds: 10 for `"10s"`, 0.5 for `"exp 500ms"`. `None`: there is none.
pub fn number_of(value: &str) -> Option<f64> {
    let word = value.split([' ', '.']).find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    let from = value.find(word)?;
    let rest = &value[from..];
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
    let number: f64 = rest[..end].trim_end_matches('.').parse().ok()?;
    let unit: String = rest[end..].chars().take_while(char::is_ascii_alphabetic).collect();
    let factor = match unit.as_str() {
        "us" => 1e-6,
        "ms" => 1e-3,
        "min" => 60.0,
        "h" => 3_600.0,
        _ => 1.0,
    };
    Some(number * factor)
}

/// What stands below an axis: the key, with the unit that its numbers have there; values that stand as they are have theirs.
pub(super) fn axis_name(path: &str, values: &[String], is_numeric: bool) -> String {
    let is_length = |v: &String| v.ends_with(|c: char| c.is_ascii_alphabetic());
    let unit = if is_numeric && values.iter().all(is_length) { ", s" } else { "" };
    [path, unit].concat()
}

/// A number in few digits: `0.05`, `1.5`, `120`.
pub(super) fn short(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 100.0 || v == 0.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        v => (-libm::floor(libm::log10(v)) as usize).min(6) + 1,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

/// A rate as people read it.
pub fn shown_rate(rate: f64) -> String {
    if rate == 0.0 { "none".to_string() } else { format!("{} %", short(100.0 * rate)) }
}

/// One direction of a chart: from a value to a number that a linear axis can have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Scale {
    pub log: bool,
    pub low: f64,
    pub high: f64,
}

impl Scale {
    /// For values that stand on a line: logarithmic where they span more than a decade.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Scale {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        if !low.is_finite() {
            return Scale { log: false, low: 0.0, high: 1.0 };
        }
        let log = low > 0.0 && high / low > 10.0;
        let place = |v: f64| if log { libm::log10(v) } else { v };
        let (low, high) = (place(low), place(high));
        let room = if low == high { 0.5 } else { 0.0 };
        Scale { log, low: low - room, high: high + room }
    }

    /// From nothing to the greatest value.
    pub fn from_zero(values: impl Iterator<Item = f64>) -> Scale {
        let high = values.fold(0.0, f64::max);
        Scale { log: false, low: 0.0, high: if high == 0.0 { 1.0 } else { high } }
    }

    pub fn place(self, value: f64) -> f64 {
        if self.log { libm::log10(value.max(1e-12)) } else { value }
    }

    /// Values at which a line helps to read: about `n`.
    pub fn ticks(self, n: usize) -> Vec<f64> {
        if self.log {
            let (from, to) = (libm::floor(self.low) as i32, libm::ceil(self.high) as i32);
            let steps: &[f64] = if (to - from) as usize * 3 <= n { &[1.0, 2.0, 5.0] } else { &[1.0] };
            let all = (from..=to).flat_map(|d| steps.iter().map(move |s| s * libm::pow(10.0, f64::from(d))));
            let inside = |v: &f64| libm::log10(*v) >= self.low - 1e-9 && libm::log10(*v) <= self.high + 1e-9;
            return all.filter(inside).collect();
        }
        let raw = (self.high - self.low) / n.max(1) as f64;
        let decade = libm::pow(10.0, libm::floor(libm::log10(raw)));
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * decade).find(|s| *s >= raw * 0.999).unwrap_or(raw);
        let first = libm::ceil(self.low / step - 1e-9) as i64;
        let last = libm::floor(self.high / step + 1e-9) as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// Where rates are placed: by their decade, with a place for "none" below the least.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rates {
    /// The least decade that is drawn: -4 is 0.01 %.
    pub least: i32,
}

impl Rates {
    /// How far below the least decade "none" is.
    const BELOW: f64 = 0.55;

    /// For rates of so many runs: down to the decade of one in that many.
    pub fn of(runs: u64) -> Rates {
        let least = libm::floor(-libm::log10(runs.max(10) as f64)) as i32;
        Rates { least: least.clamp(-8, -1) }
    }

    pub fn none(self) -> f64 {
        f64::from(self.least) - Self::BELOW
    }

    /// A rate's place; nothing that happened is as low as "none".
    pub fn place(self, rate: f64) -> f64 {
        if rate <= 0.0 { self.none() } else { libm::log10(rate).max(f64::from(self.least) - 0.3) }
    }

    pub fn ticks(self) -> impl Iterator<Item = (f64, String)> {
        (self.least..=0).map(|d| (f64::from(d), shown_rate(libm::pow(10.0, f64::from(d)))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_numbers() {
        let cases = [
            ("10s", 10.0),
            ("500ms", 0.5),
            ("exp 1.5s", 1.5),
            ("2min", 120.0),
            ("lognormal 2s 9s", 2.0),
            ("3", 3.0),
            ("0.25", 0.25),
        ];
        for (text, number) in cases {
            assert_eq!(number_of(text), Some(number), "{text}");
        }
        assert_eq!(number_of("never"), None);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.000_123, 0.05, 0.5, 1.0, 2.25, 12.34, 1_234.0].map(short);
        assert_eq!(shown, ["0", "0.00012", "0.05", "0.5", "1", "2.25", "12.3", "1234"]);
        assert_eq!([0.0, 0.0001, 0.123].map(shown_rate), ["none", "0.01 %", "12.3 %"]);
    }

    #[test]
    fn an_axis_of_lengths_says_its_unit() {
        let named = |values: &[&str], is_numeric| {
            axis_name("k", &values.iter().map(|v| v.to_string()).collect::<Vec<_>>(), is_numeric)
        };
        assert_eq!(named(&["500ms", "2s"], true), "k, s");
        assert_eq!(named(&["1", "2"], true), "k");
        assert_eq!(named(&["100ms", "90ms..110ms"], false), "k");
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let linear = Scale { log: false, low: 0.0, high: 47.0 };
        assert_eq!(linear.ticks(5), [0.0, 10.0, 20.0, 30.0, 40.0]);
        let log = Scale::of([1.0, 120.0].into_iter());
        assert!(log.log);
        assert_eq!(log.ticks(9), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        let alone = Scale::of([3.0].into_iter());
        assert!(alone.low < 3.0 && alone.high > 3.0);
    }

    #[test]
    fn nothing_is_below_everything() {
        let rates = Rates::of(40_000);
        assert_eq!(rates.least, -5);
        assert!(rates.none() < rates.place(1.0 / 40_000.0) && rates.place(0.0) == rates.none());
        assert_eq!(rates.place(1.0), 0.0);
    }
}
