//! Three kinds of time, because confusing them is the very bug this project teaches.
//!
//! [`TrueTime`] is the observer's axis: no node can read it. [`LocalTime`] is a reading of *one* node's clock: it may be
//! compared with another reading of the same clock and with nothing else. [`Span`] is a length. All are whole microseconds in
//! 64 bits, so that arithmetic is exact and equal natively and in wasm; 64 bits hold 292,000 years.

use super::pieces::times;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

/// A length of time in microseconds. May be negative (a clock step, an offset).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Span(i64);

impl Span {
    pub const ZERO: Span = Span(0);
    pub const MILLI: Span = Span(1_000);

    pub const fn from_us(us: i64) -> Span {
        Span(us)
    }

    pub const fn from_ms(ms: i64) -> Span {
        Span(ms * 1_000)
    }

    pub const fn as_us(self) -> i64 {
        self.0
    }

    /// Milliseconds, for people and for geometry; never for a decision.
    pub fn as_ms_f64(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    /// So many of it one after the other, at most the longest that there is.
    pub fn times(self, n: i64) -> Span {
        Span(self.0.saturating_mul(n))
    }

    pub fn is_negative(self) -> bool {
        self.0 < 0
    }
}

/// An instant on the observer's axis, in microseconds since the start of the run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct TrueTime(i64);

impl TrueTime {
    pub const ZERO: TrueTime = TrueTime(0);
    /// Later than every instant of every run.
    pub const NEVER: TrueTime = TrueTime(i64::MAX);

    pub const fn from_us(us: i64) -> TrueTime {
        TrueTime(us)
    }

    pub const fn from_ms(ms: i64) -> TrueTime {
        TrueTime(ms * 1_000)
    }

    pub const fn as_us(self) -> i64 {
        self.0
    }

    /// Milliseconds, for people and for geometry; never for a decision.
    pub fn as_ms_f64(self) -> f64 {
        self.0 as f64 / 1_000.0
    }

    pub fn since(self, earlier: TrueTime) -> Span {
        Span(self.0 - earlier.0)
    }
}

/// A reading of one node's clock, in microseconds since that clock's zero. Readings of two clocks must not be compared; the
/// type cannot know which clock it came from, so every function that takes two says that they must be of one clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct LocalTime(i64);

impl LocalTime {
    pub const fn from_us(us: i64) -> LocalTime {
        LocalTime(us)
    }

    pub const fn as_us(self) -> i64 {
        self.0
    }

    /// Length between two readings of the same clock.
    pub fn since(self, earlier: LocalTime) -> Span {
        Span(self.0 - earlier.0)
    }
}

/// Both together, at most the greatest and at least the least time that there is.
///
/// In the page one function for all is smaller; elsewhere it is a few instructions in the hottest places.
#[cfg_attr(target_arch = "wasm32", inline(never))]
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
fn sum(a: i64, b: i64) -> i64 {
    a.saturating_add(b)
}

/// `value · by / over` rounded down: a length at a rate, a share of a length. `None` if it does not fit. Exact without a wider type, because the
/// whole part and the rest of the quotient are scaled apart.
///
/// # Panics
/// If `over` is not above zero.
pub fn scaled(value: i64, by: i64, over: i64) -> Option<i64> {
    assert!(over > 0, "a part of {over}");
    let rest = times(value.rem_euclid(over), by, 0)?;
    times(value.div_euclid(over), by, rest.div_euclid(over))
}

impl Add<Span> for TrueTime {
    type Output = TrueTime;
    /// Saturates at [`TrueTime::NEVER`], so that "never plus 10 s" stays never.
    fn add(self, d: Span) -> TrueTime {
        TrueTime(sum(self.0, d.0))
    }
}

impl Sub<Span> for TrueTime {
    type Output = TrueTime;
    fn sub(self, d: Span) -> TrueTime {
        TrueTime(self.0 - d.0)
    }
}

impl Add<Span> for LocalTime {
    type Output = LocalTime;
    fn add(self, d: Span) -> LocalTime {
        LocalTime(sum(self.0, d.0))
    }
}

impl Sub<Span> for LocalTime {
    type Output = LocalTime;
    fn sub(self, d: Span) -> LocalTime {
        LocalTime(self.0 - d.0)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, d: Span) -> Span {
        Span(sum(self.0, d.0))
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, d: Span) {
        *self = *self + d;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, d: Span) -> Span {
        Span(self.0 - d.0)
    }
}

impl Neg for Span {
    type Output = Span;
    fn neg(self) -> Span {
        Span(-self.0)
    }
}

/// An instant for people: seconds with three decimals, "15.005 s"; what is finer than a millisecond gets six.
impl fmt::Display for TrueTime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(" "))
    }
}

/// A reading for people, written like an instant.
impl fmt::Display for LocalTime {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(" "))
    }
}

/// A length for people, exact with zeros trimmed: "480 ms", "1.5 s", "7.995 s".
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(" "))
    }
}

impl TrueTime {
    /// As it is displayed, with `space` before the unit.
    pub fn text(self, space: &str) -> String {
        if self == TrueTime::NEVER { "never".to_string() } else { LocalTime(self.0).text(space) }
    }
}

impl LocalTime {
    /// As it is displayed, with `space` before the unit.
    pub fn text(self, space: &str) -> String {
        let mut out = seconds(self.0);
        out.push_str(space);
        out.push('s');
        out
    }
}

impl Span {
    /// As it is displayed, with `space` before the unit.
    pub fn text(self, space: &str) -> String {
        let (digits, unit) = match self.0.unsigned_abs() {
            1..1_000 => (0, "µs"),
            0..1_000_000 => (3, "ms"),
            _ => (6, "s"),
        };
        let mut out = decimal(self.0, digits, true);
        out.push_str(space);
        out.push_str(unit);
        out
    }
}

/// Seconds with three decimals, or six where microseconds matter: "15.005".
pub fn seconds(us: i64) -> String {
    if us % 1_000 == 0 { decimal(us / 1_000, 3, false) } else { decimal(us, 6, false) }
}

/// A number whose last `digits` digits stand behind the point; `trim`: zeros at the end are left out.
#[inline(never)]
fn decimal(value: i64, digits: u32, trim: bool) -> String {
    let mut out = String::new();
    if value < 0 {
        out.push('−');
    }
    let unit = 10u64.pow(digits);
    let (whole, mut part) = (value.unsigned_abs() / unit, value.unsigned_abs() % unit);
    super::text::digits(&mut out, whole);
    if digits > 0 && !(trim && part == 0) {
        out.push('.');
        let mut unit = unit;
        // Digit by digit, the highest first.
        while unit > 1 && !(trim && part == 0) {
            unit /= 10;
            out.push(char::from(b'0' + (part / unit) as u8));
            part %= unit;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_lengths_exactly() {
        for (us, text) in [
            (0, "0 ms"),
            (250, "250 µs"),
            (480_000, "480 ms"),
            (1_500, "1.5 ms"),
            (1_500_000, "1.5 s"),
            (7_995_000, "7.995 s"),
            (-8_000_000, "−8 s"),
        ] {
            assert_eq!(Span::from_us(us).to_string(), text);
        }
    }

    #[test]
    fn people_read_instants_with_three_decimals() {
        assert_eq!(TrueTime::from_ms(15_005).to_string(), "15.005 s");
        assert_eq!(TrueTime::from_us(9_955_249).to_string(), "9.955249 s");
    }

    #[test]
    fn a_length_at_a_rate_is_rounded_down_and_may_not_fit() {
        for (value, by, over) in
            [(0, 3, 7), (100, 3, 7), (-100, 3, 7), (-7, 3, 7), (i64::MAX / 2, 1_000_000, 1_000_001)]
        {
            let exact = (i128::from(value) * i128::from(by)).div_euclid(i128::from(over));
            assert_eq!(scaled(value, by, over).map(i128::from), Some(exact));
        }
        assert_eq!(scaled(i64::MAX, 1_000_001, 1_000_000), None);
    }

    #[test]
    fn never_stays_never() {
        assert_eq!(TrueTime::NEVER + Span::from_ms(10), TrueTime::NEVER);
    }
}
