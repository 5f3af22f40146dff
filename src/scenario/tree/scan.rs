//! What both readers share: a cursor over the text, places, escapes, and numbers.
//!
//! The readers are our own because the page carries them: a general TOML document with its formatting, a general deserializer and the tables
//! with which the standard library turns texts into floating-point numbers and back weigh several times as much as the language needs. Numbers
//! here are whole, or decimals of at most fifteen digits, for which one division is exact.

use super::{Pos, Value};

/// Nesting of tables and lists, at most.
pub(super) const MAX_DEPTH: usize = 80;

/// Why reading stopped, and at which byte.
pub(crate) struct Stop {
    pub at: usize,
    pub message: String,
}

pub(crate) struct Scan<'a> {
    pub text: &'a str,
    /// The next byte; between two characters.
    pub at: usize,
    /// A byte whose place is known: byte, line, column.
    mark: (usize, u32, u32),
}

impl<'a> Scan<'a> {
    pub fn new(text: &'a str) -> Scan<'a> {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Scan { text, at, mark: (0, 1, 1) }
    }

    /// The next byte; zero behind the end.
    pub fn peek(&self) -> u8 {
        self.ahead(0)
    }

    pub fn ahead(&self, n: usize) -> u8 {
        self.text.as_bytes().get(self.at + n).copied().unwrap_or(0)
    }

    pub fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    pub fn eat(&mut self, byte: u8) -> bool {
        let yes = self.peek() == byte && !self.ended();
        self.at += usize::from(yes);
        yes
    }

    #[inline(never)]
    pub fn eat_word(&mut self, word: &str) -> bool {
        let yes = self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()));
        self.at += if yes { word.len() } else { 0 };
        yes
    }

    /// Up to the next byte that is one of these, or the end.
    #[inline(never)]
    pub fn until(&mut self, stops: &[u8]) -> &'a str {
        let start = self.at;
        while !self.ended() && !stops.contains(&self.peek()) {
            self.at += 1;
        }
        self.slice(start, self.at)
    }

    /// The text between two bytes.
    #[inline(never)]
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or("")
    }

    #[inline(never)]
    pub fn stop<T>(&self, at: usize, pieces: &[&str]) -> Result<T, Stop> {
        Err(Stop { at, message: pieces.concat() })
    }

    /// Line and column of a byte. Cheap if bytes are asked for in order.
    #[inline(never)]
    pub fn pos(&mut self, at: usize) -> Pos {
        if at < self.mark.0 {
            self.mark = (0, 1, 1);
        }
        let (from, mut line, mut column) = self.mark;
        for b in self.text.as_bytes().get(from..at.min(self.text.len())).unwrap_or(&[]) {
            if *b == b'\n' {
                (line, column) = (line + 1, 1);
            } else if b & 0xc0 != 0x80 {
                column += 1;
            }
        }
        self.mark = (at, line, column);
        Pos::new(line, column)
    }

    /// The code point of so many hexadecimal digits.
    #[inline(never)]
    pub fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut n: u32 = 0;
        for _ in 0..digits {
            n = n.checked_mul(16)? + char::from(self.peek()).to_digit(16)?;
            self.at += 1;
        }
        Some(n)
    }
}

/// What is wrong with a number.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum NoNumber {
    /// It is none.
    NotOne,
    TooLarge,
}

/// A whole number or a decimal, with a sign, a fraction and an exponent if it has them.
#[inline(never)]
pub(super) fn number(word: &str) -> Result<Value, NoNumber> {
    let (minus, digits) = match word.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let (mut mantissa, mut places, mut shift) = (0i128, 0i32, 0i32);
    let (mut decimal, mut in_part, mut large) = (false, false, false);
    let mut last = 0u8;
    for (i, b) in digits.iter().enumerate() {
        let next_is_digit = digits.get(i + 1).is_some_and(u8::is_ascii_digit);
        match b {
            b'0'..=b'9' => {
                // A digit that no number of ours can hold: before the point it counts, behind it is nothing.
                let fits = mantissa < if in_part { 1_000_000_000_000_000 } else { i128::from(i64::MAX) * 2 };
                if fits {
                    mantissa = mantissa * 10 + i128::from(b - b'0');
                    places += i32::from(in_part);
                } else if !in_part {
                    large = true;
                }
            }
            b'.' if last.is_ascii_digit() && next_is_digit && !decimal => (decimal, in_part) = (true, true),
            b'e' | b'E' if last.is_ascii_digit() => {
                shift = exponent(digits.get(i + 1..).unwrap_or(&[])).ok_or(NoNumber::NotOne)?;
                decimal = true;
                break;
            }
            _ => return Err(NoNumber::NotOne),
        }
        last = *b;
    }
    if digits.is_empty() || (digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit()) {
        return Err(NoNumber::NotOne);
    }
    if large {
        return Err(NoNumber::TooLarge);
    }
    let signed = if minus { -mantissa } else { mantissa };
    if !decimal {
        return i64::try_from(signed).map(Value::Int).map_err(|_| NoNumber::TooLarge);
    }
    let mut d = signed as f64;
    let by = shift - places;
    if by > 300 {
        return Err(NoNumber::TooLarge);
    }
    // One division by a power of ten that is exact gives the nearest number.
    let power = power_of_ten(by.unsigned_abs().min(300));
    d = if by < 0 { d / power } else { d * power };
    if d.is_finite() { Ok(Value::Decimal(d)) } else { Err(NoNumber::TooLarge) }
}

fn exponent(digits: &[u8]) -> Option<i32> {
    let (minus, digits) = match digits {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    let mut n = 0i32;
    for b in digits {
        n = (n * 10 + i32::from(b.is_ascii_digit().then(|| b - b'0')?)).min(10_000);
    }
    (!digits.is_empty()).then_some(if minus { -n } else { n })
}

fn power_of_ten(n: u32) -> f64 {
    let mut p = 1.0;
    for _ in 0..n {
        p *= 10.0;
    }
    p
}

/// A decimal as people write it: no exponent, at most fifteen digits, as few as tell it.
pub(super) fn decimal(d: f64) -> String {
    let size = d.abs();
    let sign = if d < 0.0 { "-" } else { "" };
    if !size.is_finite() {
        return "0".to_string();
    }
    let (mut best, mut places) = (0u64, 0usize);
    let mut power = 1.0;
    while places <= 15 {
        let scaled = size * power;
        if scaled >= 1e15 && places > 0 {
            break;
        }
        best = (scaled + 0.5) as u64;
        if best as f64 / power == size {
            break;
        }
        power *= 10.0;
        places += 1;
    }
    if best as f64 / power != size || places > 15 {
        // What arithmetic left behind: the digits that are sure.
        places = places.saturating_sub(1);
        best = (size * (power / 10.0) + 0.5) as u64;
    }
    let mut digits = best.to_string();
    if places > 0 {
        while digits.len() <= places {
            digits.insert(0, '0');
        }
        digits.insert(digits.len() - places, '.');
        while digits.ends_with('0') {
            digits.pop();
        }
        if digits.ends_with('.') {
            digits.pop();
        }
    }
    digits.insert_str(0, sign);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_written_as_the_standard_library_does() {
        for n in 0..200_000i64 {
            let n = (n * 7_919) % 10_000_019 - 5_000_000;
            for scale in [10.0, 1_000.0, 1_000_000.0, 1e9] {
                let d = n as f64 / scale;
                assert_eq!(decimal(d), d.to_string());
            }
        }
        for text in ["0.7", "1.10", "-2.5", "1e3", "1.5e-3", "2.0", "0.000001", "123456789.123456"] {
            assert_eq!(number(text), Ok(Value::Decimal(text.parse().unwrap())), "{text}");
        }
        assert_eq!(decimal(0.7 + 0.1), "0.8");
        for text in ["", "-", "1.", ".5", "1..2", "1e", "01", "1x", "1.2.3", "--1"] {
            assert_eq!(number(text), Err(NoNumber::NotOne), "{text}");
        }
        assert_eq!(number("9223372036854775808"), Err(NoNumber::TooLarge));
        assert_eq!(number("-9223372036854775808"), Ok(Value::Int(i64::MIN)));
        assert_eq!(number("1e999"), Err(NoNumber::TooLarge));
    }
}
