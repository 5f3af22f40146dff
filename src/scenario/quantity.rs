//! Lengths of time, draws, shares and margins: how they are written, and what they mean.
//!
//! A length is a text with exactly one unit (`"1.5s"`), because a bare number has cost many people an afternoon: was the TTL in seconds or in
//! milliseconds? Where a length may differ from occurrence to occurrence, a *draw* stands in its place: `"0ms..200ms"` uniform, `"exp 2s"` by
//! mean, `"lognormal 50ms 2s"` by median and 99th percentile. All arithmetic is exact: a decimal is read digit by digit into whole
//! microseconds, never through a floating-point number.

use crate::base::Span;
use crate::base::pieces::{cut, part, split, starts, times, words};
use crate::base::text::{integer, said};
use crate::protocol::params::{Draw, Lengths, Margin};

/// Why a value is not one of its key: a sentence that begins with the value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Problem {
    pub message: String,
    /// A replacement, if there is an obvious one.
    pub suggestion: Option<String>,
    /// It is part of the language, and this version cannot run it.
    pub not_built: bool,
    /// Which element of a list, from 0.
    pub item: Option<usize>,
}

/// What is read, or why it cannot be.
pub type Read<T> = Result<T, Box<Problem>>;

/// A problem told by a template.
#[inline(never)]
pub fn wrong(template: &str, args: &[&str]) -> Box<Problem> {
    Box::new(Problem { message: said(template, args), ..Problem::default() })
}

/// A problem with a replacement, which is the last of the texts.
#[inline(never)]
pub fn better(template: &str, args: &[&str]) -> Box<Problem> {
    let mut problem = wrong(template, args);
    problem.suggestion = args.last().map(|s| s.to_string());
    problem
}

/// Units with their microseconds, largest first.
pub const UNITS: [(&str, i64); 6] =
    [("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000), ("ms", 1_000), ("us", 1)];

/// The longest length, in microseconds: a thousand days.
const LONGEST: i64 = 1_000 * UNITS[0].1;

/// Reads a length that is not negative: `"250ms"`, `"1.5s"`.
///
/// # Errors
/// No unit, two units, a unit that does not exist, more than six digits below a second, longer than a thousand days.
#[inline(never)]
pub fn time(text: &str) -> Read<Span> {
    let span = signed_time(text)?;
    if span.is_negative() {
        return Err(wrong("\"{0}\" is negative; a length is not.", &[text]));
    }
    Ok(span)
}

/// Reads a length that may be negative: a clock's offset or step.
///
/// # Errors
/// As [`time`].
#[inline(never)]
pub fn signed_time(text: &str) -> Read<Span> {
    let minus = starts(text, 0, "-");
    let start = usize::from(minus);
    let end = number_end(text, start);
    let (number, unit) = (part(text, start, end), part(text, end, text.len()));
    if !is_number(number) {
        return Err(wrong(
            "\"{0}\" is no length of time. Write a number and a unit, such as \"10s\" or \"250ms\".",
            &[text],
        ));
    }
    if unit.is_empty() {
        return Err(no_unit(text));
    }
    let Some(scale) = unit_us(unit) else { return Err(strange_unit(text, number, unit)) };
    match decimal(number, scale) {
        Some(us) if us <= LONGEST => Ok(Span::from_us(if minus { -us } else { us })),
        Some(_) => Err(wrong("\"{0}\" is too long; the longest is \"1000d\".", &[text])),
        None => Err(wrong("\"{0}\" is finer than a microsecond, or too large.", &[text])),
    }
}

/// Where the digits and points that begin at a byte end.
fn number_end(text: &str, start: usize) -> usize {
    let mut end = start;
    while matches!(text.as_bytes().get(end), Some(b'0'..=b'9' | b'.')) {
        end += 1;
    }
    end
}

/// Digits, with at most one point and digits on both of its sides.
fn is_number(text: &str) -> bool {
    let (whole, part) = cut(text, ".").unwrap_or((text, "0"));
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(part)
}

fn unit_us(unit: &str) -> Option<i64> {
    UNITS.iter().find(|(u, _)| *u == unit).map(|(_, us)| *us)
}

/// What to say of a bare number.
#[inline(never)]
pub fn no_unit(number: &str) -> Box<Problem> {
    better("{0} has no unit. Write \"{1}\" or \"{0}ms\".", &[number, &[number, "s"].concat()])
}

/// What people write for a unit, behind the unit.
const SPELLINGS: &str = "\
d day days
h hour hours hr
min mins minute minutes
s sec secs second seconds S
ms msec msecs millis millisecond milliseconds MS
us µs μs usec micros microseconds";

fn strange_unit(text: &str, number: &str, unit: &str) -> Box<Problem> {
    if let Some(us) = several_units(text) {
        return better("\"{0}\" has two units. Write \"{1}\".", &[text, &write_time(Span::from_us(us))]);
    }
    let unit = unit.trim_start();
    if unit == "m" {
        return wrong("\"{0}\": m is not a unit. Write \"{1}min\" or \"{1}ms\".", &[text, number]);
    }
    for line in split(SPELLINGS, "\n") {
        let spellings = words(line);
        if spellings.contains(&unit) {
            return better("\"{0}\": write \"{1}\".", &[text, &[number, spellings[0]].concat()]);
        }
    }
    wrong("\"{0}\": {1} is not a unit. Units are us, ms, s, min, h, d.", &[text, unit])
}

/// The sum of a text such as `1min30s`.
fn several_units(text: &str) -> Option<i64> {
    let (mut sum, mut parts, mut at) = (0i64, 0, 0);
    while at < text.len() {
        let digits = number_end(text, at);
        let mut end = digits;
        while text.as_bytes().get(end).is_some_and(u8::is_ascii_alphabetic) {
            end += 1;
        }
        let us = decimal(part(text, at, digits), unit_us(part(text, digits, end))?)?;
        sum = sum.checked_add(us)?;
        parts += 1;
        at = end;
    }
    (parts > 1 && sum <= LONGEST).then_some(sum)
}

/// `number * scale` exactly, for a decimal with digits only; `None` if that is no whole number or does not fit.
#[inline(never)]
fn decimal(number: &str, scale: i64) -> Option<i64> {
    let (whole, part) = cut(number, ".").unwrap_or((number, ""));
    // From the last digit on: what is no whole number in one place does not become one further up.
    let mut below = 0i64;
    for digit in part.bytes().rev() {
        let sum = i64::from(digit_of(digit)?) * scale + below;
        if sum % 10 != 0 {
            return None;
        }
        below = sum / 10;
    }
    let mut n = 0i64;
    for digit in whole.bytes() {
        n = times(n, 10, i64::from(digit_of(digit)?))?;
    }
    if whole.is_empty() { None } else { times(n, scale, below) }
}

fn digit_of(byte: u8) -> Option<u8> {
    byte.is_ascii_digit().then(|| byte - b'0')
}

/// The largest unit that leaves a whole number: `1500ms`, `2min`.
#[inline(never)]
pub fn write_time(span: Span) -> String {
    let us = span.as_us();
    for (unit, scale) in UNITS {
        if us != 0 && us % scale == 0 {
            return [&shortest(us / scale, 1), unit].concat();
        }
    }
    "0s".to_string()
}

/// Reads a length or a draw.
///
/// # Errors
/// As [`time`]; or ends in the wrong order; or a mean or median of zero.
#[inline(never)]
pub fn draw(text: &str) -> Read<Draw> {
    if let Some((low, high)) = cut(text, "..") {
        let (low, high) = (low.trim(), high.trim());
        let (a, b) = (time(low)?, time(high)?);
        if a > b {
            let other = [high, "..", low].concat();
            return Err(better("\"{0}\" begins after its end. Write \"{1}\".", &[text, &other]));
        }
        return Ok(if a == b { Draw::Fixed(a) } else { Draw::Uniform(a, b) });
    }
    if text.contains('|') {
        let mut lengths = Vec::new();
        for part in text.split('|') {
            lengths.push(time(part.trim())?);
        }
        return Lengths::new(&lengths)
            .map(Draw::OneOf)
            .ok_or_else(|| wrong("\"{0}\": a list has at most eight lengths, none above an hour.", &[text]));
    }
    let message = match words(text)[..] {
        ["exp", mean] => match time(mean)? {
            Span::ZERO => "\"{0}\": a mean of zero draws nothing.",
            mean => return Ok(Draw::Exponential(mean)),
        },
        ["lognormal", median, high] => {
            let (m, h) = (time(median)?, time(high)?);
            if m != Span::ZERO && h > m {
                return Ok(Draw::LogNormal(m, h));
            }
            "\"{0}\": first the median, above zero, then the 99th percentile, above the median."
        }
        ["pareto", least, high] => {
            let (l, h) = (time(least)?, time(high)?);
            if l != Span::ZERO && h > l {
                return Ok(Draw::Pareto(l, h));
            }
            "\"{0}\": first the least, above zero, then the 99th percentile, above the least."
        }
        ["pareto", ..] => "\"{0}\": after pareto come two times, the least and the 99th percentile: \"pareto 1ms 2s\".",
        ["exp", ..] => "\"{0}\": after exp comes one time, the mean: \"exp 2s\".",
        ["lognormal", ..] => {
            "\"{0}\": after lognormal come two times, median and 99th percentile: \"lognormal 50ms 2s\"."
        }
        _ => return time(text).map(Draw::Fixed),
    };
    Err(wrong(message, &[text]))
}

/// Canonical text of a draw.
#[inline(never)]
pub fn write_draw(d: Draw) -> String {
    let (template, a, b) = match d {
        Draw::Fixed(s) => ("{0}", s, s),
        Draw::Uniform(a, b) => ("{0}..{1}", a, b),
        Draw::Exponential(mean) => ("exp {0}", mean, mean),
        Draw::LogNormal(median, high) => ("lognormal {0} {1}", median, high),
        Draw::Pareto(least, high) => ("pareto {0} {1}", least, high),
        Draw::OneOf(lengths) => {
            let mut out = write_time(lengths.at(0));
            for s in lengths.iter().skip(1) {
                out.push('|');
                out.push_str(&write_time(s));
            }
            return out;
        }
    };
    said(template, &[&write_time(a), &write_time(b)])
}

/// Reads a share, `"1%"`, into parts per million.
///
/// # Errors
/// No percent sign, more than four decimals, above 100 %.
#[inline(never)]
pub fn share(text: &str) -> Read<u32> {
    let message = match text.strip_suffix('%') {
        None => "\"{0}\" is no share. Write it with a percent sign, such as \"1%\".",
        Some(number) => match decimal(number, 10_000) {
            Some(ppm) if ppm <= 1_000_000 => return Ok(ppm as u32),
            Some(_) => "\"{0}\" is more than all. A share is at most \"100%\".",
            None => "\"{0}\" is no share. Write a number with at most four decimals and a percent sign: \"0.5%\".",
        },
    };
    Err(wrong(message, &[text]))
}

/// Canonical text of a share.
#[inline(never)]
pub fn write_share(ppm: u32) -> String {
    [&shortest(i64::from(ppm), 10_000), "%"].concat()
}

/// Reads a margin: a share of the TTL, a time, or both: `"1% + 2ms"`.
///
/// # Errors
/// A part that is neither; two parts of a kind.
#[inline(never)]
pub fn margin(text: &str) -> Read<Margin> {
    let (mut share_ppm, mut plus) = (None, None);
    for part in split(text, "+") {
        let part = part.trim();
        let again = if part.ends_with('%') {
            share_ppm.replace(i64::from(share(part)?)).is_some()
        } else {
            plus.replace(time(part)?).is_some()
        };
        if again {
            return Err(wrong("\"{0}\": a margin is a share, a time, or one of each: \"1% + 2ms\".", &[text]));
        }
    }
    Ok(Margin { share_ppm: share_ppm.unwrap_or(0), plus: plus.unwrap_or(Span::ZERO) })
}

/// Canonical text of a margin.
#[inline(never)]
pub fn write_margin(m: Margin) -> String {
    let template = match (m.share_ppm, m.plus) {
        (0, _) => "{1}",
        (_, Span::ZERO) => "{0}",
        _ => "{0} + {1}",
    };
    said(template, &[&write_share(m.share_ppm as u32), &write_time(m.plus)])
}

/// `value / scale` as the shortest decimal; `scale` is a power of ten.
#[inline(never)]
pub fn shortest(value: i64, scale: i64) -> String {
    let (whole, mut part) = (value / scale, value % scale);
    let mut out = String::new();
    if value < 0 && whole == 0 {
        out.push('-');
    }
    out.push_str(&integer(whole));
    if part != 0 {
        out.push('.');
    }
    let mut place = scale;
    while part != 0 {
        place /= 10;
        out.push(char::from(b'0' + (part / place).unsigned_abs() as u8));
        part %= place;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_exactly_and_written_in_the_largest_whole_unit() {
        for (text, us, canonical) in [
            ("0s", 0, "0s"),
            ("0ms", 0, "0s"),
            ("250us", 250, "250us"),
            ("1.5s", 1_500_000, "1500ms"),
            ("120s", 120_000_000, "2min"),
            ("1.000001s", 1_000_001, "1000001us"),
            ("26h", 93_600_000_000, "26h"),
            ("24h", 86_400_000_000, "1d"),
            ("0.25d", 21_600_000_000, "6h"),
            ("1.50s", 1_500_000, "1500ms"),
        ] {
            let span = time(text).unwrap();
            assert_eq!(span.as_us(), us, "{text}");
            assert_eq!(write_time(span), canonical);
            assert_eq!(time(canonical).unwrap(), span);
        }
        assert_eq!(write_time(signed_time("-8s").unwrap()), "-8s");
    }

    #[test]
    fn a_wrong_time_says_what_to_write() {
        for (text, says) in [
            ("10", "10 has no unit. Write \"10s\" or \"10ms\"."),
            ("1min30s", "\"1min30s\" has two units. Write \"90s\"."),
            ("10 s", "\"10 s\": write \"10s\"."),
            ("10sec", "\"10sec\": write \"10s\"."),
            ("10m", "\"10m\": m is not a unit. Write \"10min\" or \"10ms\"."),
            ("10y", "\"10y\": y is not a unit. Units are us, ms, s, min, h, d."),
            ("-1s", "\"-1s\" is negative; a length is not."),
            ("soon", "\"soon\" is no length of time. Write a number and a unit, such as \"10s\" or \"250ms\"."),
            ("1.0000001s", "\"1.0000001s\" is finer than a microsecond, or too large."),
            ("1001d", "\"1001d\" is too long; the longest is \"1000d\"."),
            ("99999999999999999999s", "\"99999999999999999999s\" is finer than a microsecond, or too large."),
            (".5s", "\".5s\" is no length of time. Write a number and a unit, such as \"10s\" or \"250ms\"."),
            ("1é", "\"1é\": é is not a unit. Units are us, ms, s, min, h, d."),
        ] {
            assert_eq!(time(text).unwrap_err().message, says);
        }
    }

    #[test]
    fn draws_shares_and_margins_round_trip() {
        for text in ["0s..200ms", "exp 2s", "lognormal 50ms 2s", "10s", "pareto 1ms 2s", "5ms|7ms|2s", "0s|1h"] {
            assert_eq!(write_draw(draw(text).unwrap()), text);
        }
        assert_eq!(draw("5ms..5ms").unwrap(), Draw::ms(5));
        assert_eq!(draw("5ms | 7ms").unwrap(), draw("5ms|7ms").unwrap());
        let many = ["1s"; 9].join("|");
        for bad in ["pareto 2s", "pareto 2s 1s", "pareto 0s 1s", "5ms|", "|", "1s|soon", "1s|61min", &many] {
            assert!(draw(bad).is_err(), "{bad}");
        }
        for bad in ["200ms..0ms", "exp", "exp 0s", "lognormal 2s 50ms", "lognormal 2s", "exp 1s 2s", "..1s"] {
            assert!(draw(bad).is_err(), "{bad}");
        }
        for (text, ppm) in [("1%", 10_000), ("0.5%", 5_000), ("100%", 1_000_000), ("0.0001%", 1)] {
            assert_eq!(share(text).unwrap(), ppm);
            assert_eq!(write_share(ppm), text);
        }
        for bad in ["101%", "1", "%", "-5%", ".5%", "0.00001%"] {
            assert!(share(bad).is_err(), "{bad}");
        }
        for text in ["1% + 2ms", "1%", "2ms", "0s"] {
            assert_eq!(write_margin(margin(text).unwrap()), text);
        }
        assert!(margin("1ms + 2ms").is_err());
    }
}
