//! Lengths of time, draws, shares and margins: how they are written, and what they mean.
//!
//! A length is a text with exactly one unit (`"1.5s"`), because a bare number has cost many people an afternoon: was the TTL in seconds or in
//! milliseconds? Where a length may differ from occurrence to occurrence, a *draw* stands in its place: `"0ms..200ms"` uniform, `"exp 2s"` by
//! mean, `"lognormal 50ms 2s"` by median and 99th percentile. All arithmetic is exact: a decimal is read digit by digit into whole
//! microseconds, never through a floating-point number.

use crate::base::Span;
use crate::protocol::params::{Draw, Margin};

/// Why a value cannot be read: a sentence that begins with the value, and a replacement if there is an obvious one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub message: String,
    pub suggestion: Option<String>,
}

impl Problem {
    pub fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), suggestion: None }
    }

    pub fn with(message: impl Into<String>, suggestion: impl Into<String>) -> Problem {
        Problem { message: message.into(), suggestion: Some(suggestion.into()) }
    }
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
pub fn time(text: &str) -> Result<Span, Problem> {
    let span = signed_time(text)?;
    if span.is_negative() {
        return Err(Problem::new(format!("\"{text}\" is negative; a length is not.")));
    }
    Ok(span)
}

/// Reads a length that may be negative: a clock's offset or step.
///
/// # Errors
/// As [`time`].
pub fn signed_time(text: &str) -> Result<Span, Problem> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (number, unit) = rest.split_at(digits);
    if number.is_empty() || number.starts_with('.') || number.ends_with('.') || number.matches('.').count() > 1 {
        return Err(Problem::new(format!(
            "\"{text}\" is no length of time. Write a number and a unit, such as \"10s\" or \"250ms\"."
        )));
    }
    if unit.is_empty() {
        return Err(no_unit(text));
    }
    let Some((_, scale)) = UNITS.iter().find(|(u, _)| *u == unit) else { return Err(strange_unit(text, number, unit)) };
    match decimal(number, *scale) {
        Some(us) if us <= LONGEST => Ok(Span::from_us(sign * us)),
        Some(_) => Err(Problem::new(format!("\"{text}\" is too long; the longest is \"1000d\"."))),
        None => Err(Problem::new(format!("\"{text}\" is finer than a microsecond, or too large."))),
    }
}

/// What to say of a bare number.
#[inline(never)]
pub fn no_unit(number: &str) -> Problem {
    Problem::with(format!("{number} has no unit. Write \"{number}s\" or \"{number}ms\"."), format!("{number}s"))
}

fn strange_unit(text: &str, number: &str, unit: &str) -> Problem {
    if let Some(us) = several_units(text) {
        let one = write_time(Span::from_us(us));
        return Problem::with(format!("\"{text}\" has two units. Write \"{one}\"."), one);
    }
    let meant = match unit.trim_start() {
        "d" | "h" | "min" | "s" | "ms" | "us" => unit.trim_start(),
        "sec" | "secs" | "second" | "seconds" | "S" => "s",
        "mins" | "minute" | "minutes" => "min",
        "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" | "MS" => "ms",
        "µs" | "μs" | "usec" | "micros" | "microseconds" => "us",
        "hour" | "hours" | "hr" => "h",
        "day" | "days" => "d",
        "m" => return Problem::new(format!("\"{text}\": m is not a unit. Write \"{number}min\" or \"{number}ms\".")),
        _ => "",
    };
    if meant.is_empty() {
        return Problem::new(format!(
            "\"{text}\": {} is not a unit. Units are us, ms, s, min, h, d.",
            unit.trim_start()
        ));
    }
    let better = format!("{number}{meant}");
    Problem::with(format!("\"{text}\": write \"{better}\"."), better)
}

/// The sum of a text such as `1min30s`.
fn several_units(text: &str) -> Option<i64> {
    let mut rest = text;
    let (mut sum, mut parts) = (0i64, 0);
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, tail) = rest.split_at(digits);
        let letters = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        let (_, scale) = UNITS.iter().find(|(u, _)| *u == unit)?;
        sum = sum.checked_add(decimal(number, *scale)?)?;
        parts += 1;
        rest = tail;
    }
    (parts > 1 && sum <= LONGEST).then_some(sum)
}

/// `number * scale` exactly, for a decimal with digits only; `None` if that is no whole number or does not fit.
#[inline(never)]
fn decimal(number: &str, scale: i64) -> Option<i64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let whole: i64 = whole.parse().ok()?;
    let part = part.trim_end_matches('0');
    if part.len() > 15 {
        return None;
    }
    let mut us = whole.checked_mul(scale)?;
    if !part.is_empty() {
        let ten = 10i64.checked_pow(part.len() as u32)?;
        let scaled = i128::from(part.parse::<i64>().ok()?) * i128::from(scale);
        if scaled % i128::from(ten) != 0 {
            return None;
        }
        us = us.checked_add(i64::try_from(scaled / i128::from(ten)).ok()?)?;
    }
    Some(us)
}

/// The largest unit that leaves a whole number: `1500ms`, `2min`.
#[inline(never)]
pub fn write_time(span: Span) -> String {
    let us = span.as_us();
    if us == 0 {
        return "0s".to_string();
    }
    let (unit, scale) = UNITS.iter().find(|(_, scale)| us % scale == 0).expect("a microsecond divides every length");
    format!("{}{unit}", us / scale)
}

/// Reads a length or a draw.
///
/// # Errors
/// As [`time`]; or ends in the wrong order; or a mean or median of zero.
#[inline(never)]
pub fn draw(text: &str) -> Result<Draw, Problem> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let Some((low, high)) = text.split_once("..") {
        let (a, b) = (time(low.trim())?, time(high.trim())?);
        if a > b {
            return Err(Problem::with(
                format!("\"{text}\" begins after its end. Write \"{}..{}\".", high.trim(), low.trim()),
                format!("{}..{}", high.trim(), low.trim()),
            ));
        }
        return Ok(if a == b { Draw::Fixed(a) } else { Draw::Uniform(a, b) });
    }
    match words.as_slice() {
        ["exp", mean] => match time(mean)? {
            Span::ZERO => Err(Problem::new(format!("\"{text}\": a mean of zero draws nothing."))),
            mean => Ok(Draw::Exponential(mean)),
        },
        ["lognormal", median, high] => {
            let (m, h) = (time(median)?, time(high)?);
            if m == Span::ZERO || h <= m {
                return Err(Problem::new(format!(
                    "\"{text}\": first the median, above zero, then the 99th percentile, above the median."
                )));
            }
            Ok(Draw::LogNormal(m, h))
        }
        ["exp", ..] => Err(Problem::new(format!("\"{text}\": after exp comes one time, the mean: \"exp 2s\"."))),
        ["lognormal", ..] => Err(Problem::new(format!(
            "\"{text}\": after lognormal come two times, median and 99th percentile: \"lognormal 50ms 2s\"."
        ))),
        _ => time(text).map(Draw::Fixed),
    }
}

/// Canonical text of a draw.
pub fn write_draw(d: Draw) -> String {
    match d {
        Draw::Fixed(s) => write_time(s),
        Draw::Uniform(a, b) => format!("{}..{}", write_time(a), write_time(b)),
        Draw::Exponential(mean) => format!("exp {}", write_time(mean)),
        Draw::LogNormal(median, high) => format!("lognormal {} {}", write_time(median), write_time(high)),
    }
}

/// Reads a share, `"1%"`, into parts per million.
///
/// # Errors
/// No percent sign, more than four decimals, above 100 %.
#[inline(never)]
pub fn share(text: &str) -> Result<u32, Problem> {
    let Some(number) = text.strip_suffix('%') else {
        return Err(Problem::new(format!("\"{text}\" is no share. Write it with a percent sign, such as \"1%\".")));
    };
    match decimal(number, 10_000) {
        Some(ppm) if ppm <= 1_000_000 => Ok(ppm as u32),
        Some(_) => Err(Problem::new(format!("\"{text}\" is more than all. A share is at most \"100%\"."))),
        None => Err(Problem::new(format!(
            "\"{text}\" is no share. Write a number with at most four decimals and a percent sign: \"0.5%\"."
        ))),
    }
}

/// Canonical text of a share.
pub fn write_share(ppm: u32) -> String {
    format!("{}%", shortest(i64::from(ppm), 10_000))
}

/// Reads a margin: a share of the TTL, a time, or both: `"1% + 2ms"`.
///
/// # Errors
/// A part that is neither; two parts of a kind.
#[inline(never)]
pub fn margin(text: &str) -> Result<Margin, Problem> {
    let (mut share_ppm, mut plus) = (None, None);
    for part in text.split('+').map(str::trim) {
        let again = if part.ends_with('%') {
            share_ppm.replace(i64::from(share(part)?)).is_some()
        } else {
            plus.replace(time(part)?).is_some()
        };
        if again {
            return Err(Problem::new(format!(
                "\"{text}\": a margin is a share, a time, or one of each: \"1% + 2ms\"."
            )));
        }
    }
    Ok(Margin { share_ppm: share_ppm.unwrap_or(0), plus: plus.unwrap_or(Span::ZERO) })
}

/// Canonical text of a margin.
pub fn write_margin(m: Margin) -> String {
    match (m.share_ppm, m.plus) {
        (0, plus) => write_time(plus),
        (share, Span::ZERO) => write_share(share as u32),
        (share, plus) => format!("{} + {}", write_share(share as u32), write_time(plus)),
    }
}

/// `value / scale` as the shortest decimal; `scale` is a power of ten.
#[inline(never)]
pub fn shortest(value: i64, scale: i64) -> String {
    let (whole, part) = (value / scale, (value % scale).abs());
    if part == 0 {
        return whole.to_string();
    }
    let digits = scale.ilog10() as usize;
    let decimals = format!("{part:0digits$}");
    let sign = if value < 0 && whole == 0 { "-" } else { "" };
    format!("{sign}{whole}.{}", decimals.trim_end_matches('0'))
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
        for text in ["0s..200ms", "exp 2s", "lognormal 50ms 2s", "10s"] {
            assert_eq!(write_draw(draw(text).unwrap()), text);
        }
        assert_eq!(draw("5ms..5ms").unwrap(), Draw::ms(5));
        for bad in ["200ms..0ms", "exp", "exp 0s", "lognormal 2s 50ms", "lognormal 2s", "exp 1s 2s", "..1s"] {
            assert!(draw(bad).is_err(), "{bad}");
        }
        for (text, ppm) in [("1%", 10_000), ("0.5%", 5_000), ("100%", 1_000_000), ("0.0001%", 1)] {
            assert_eq!(share(text).unwrap(), ppm);
            assert_eq!(write_share(ppm), text);
        }
        assert!(share("101%").is_err() && share("1").is_err() && share("%").is_err());
        for text in ["1% + 2ms", "1%", "2ms", "0s"] {
            assert_eq!(write_margin(margin(text).unwrap()), text);
        }
        assert!(margin("1ms + 2ms").is_err());
    }
}
