//! What both readers share: a cursor over the text, places, escapes, and numbers.
//!
//! The readers are our own because the page carries them: a general TOML document with its formatting, a general deserializer and the tables
//! with which the standard library turns texts into floating-point numbers and back weigh several times as much as the language needs. Numbers
//! here are whole, or decimals with their digits and places as whole numbers: exact, and without any floating point.

use super::{Pos, Value};
use crate::base::pieces::{part, starts, times};
use crate::base::text::said;

/// Nesting of tables and lists, at most.
pub(super) const MAX_DEPTH: usize = 80;

/// Why reading stopped, and at which byte.
pub(crate) struct Stop {
    pub at: usize,
    pub message: String,
}

/// What is read, or why reading stopped.
pub(crate) type Read<T> = Result<T, Box<Stop>>;

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
    #[inline(never)]
    pub fn peek(&self) -> u8 {
        self.ahead(0)
    }

    pub fn ahead(&self, n: usize) -> u8 {
        self.text.as_bytes().get(self.at + n).copied().unwrap_or(0)
    }

    pub fn ended(&self) -> bool {
        self.at >= self.text.len()
    }

    #[inline(never)]
    pub fn eat(&mut self, byte: u8) -> bool {
        let yes = self.peek() == byte && !self.ended();
        self.at += usize::from(yes);
        yes
    }

    #[inline(never)]
    pub fn eat_word(&mut self, word: &str) -> bool {
        let yes = starts(self.text, self.at, word);
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

    /// Past the bytes that are among these.
    #[inline(never)]
    pub fn skip(&mut self, bytes: &[u8]) {
        while !self.ended() && bytes.contains(&self.peek()) {
            self.at += 1;
        }
    }

    /// The text between two bytes.
    pub fn slice(&self, start: usize, end: usize) -> &'a str {
        part(self.text, start, end)
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

/// Stops at a byte, with a sentence from a template.
#[inline(never)]
pub(crate) fn stop(at: usize, template: &str, args: &[&str]) -> Box<Stop> {
    Box::new(Stop { at, message: said(template, args) })
}

/// A decimal number: its digits without the point, and how many of them stand behind it. The last of these is not zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decimal {
    digits: i64,
    places: u32,
}

impl Decimal {
    /// So many parts of a power of ten: `Decimal::new(15, 1)` is 1.5. Places beyond the eighteenth are dropped.
    pub fn new(mut digits: i64, mut places: u32) -> Decimal {
        while places > 0 && (digits % 10 == 0 || places > 18) {
            digits /= 10;
            places -= 1;
        }
        Decimal { digits, places }
    }

    pub fn digits(self) -> i64 {
        self.digits
    }

    /// Zero: it is a whole number.
    pub fn places(self) -> u32 {
        self.places
    }

    /// `None` if it has more than six places, or is too large.
    pub fn millionths(self) -> Option<i64> {
        times(self.digits, 10i64.pow(6u32.checked_sub(self.places)?), 0)
    }

    /// As people write it.
    pub fn text(self) -> String {
        crate::scenario::quantity::shortest(self.digits, 10i64.pow(self.places))
    }
}

/// What is wrong with a number.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum NoNumber {
    /// It is none.
    NotOne,
    TooLarge,
}

/// Digits with their sign, and the bytes behind it.
fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    }
}

/// A whole number or a decimal, with a sign, a fraction and an exponent if it has them. Of a fraction fifteen digits count.
#[inline(never)]
pub(super) fn number(word: &str) -> Result<Value, NoNumber> {
    let (minus, digits) = sign(word.as_bytes());
    let (mut mantissa, mut places, mut shift) = (0u64, 0i64, 0i64);
    let (mut decimal, mut large) = (false, false);
    let digit = |at: usize| digits.get(at).is_some_and(u8::is_ascii_digit);
    for (i, b) in digits.iter().enumerate() {
        let after_digit = i > 0 && digit(i - 1);
        match b {
            b'0'..=b'9' => {
                let more = mantissa.checked_mul(10).and_then(|m| m.checked_add(u64::from(b - b'0')));
                match more {
                    Some(m) if !decimal || mantissa < 1_000_000_000_000_000 => {
                        mantissa = m;
                        places += i64::from(decimal);
                    }
                    // A digit that no number of ours can hold: before the point it counts, behind it is nothing.
                    _ => large |= !decimal,
                }
            }
            b'.' if after_digit && digit(i + 1) && !decimal => decimal = true,
            b'e' | b'E' if after_digit => {
                shift = exponent(digits.get(i + 1..).unwrap_or(&[])).ok_or(NoNumber::NotOne)?;
                decimal = true;
                break;
            }
            _ => return Err(NoNumber::NotOne),
        }
    }
    if digits.is_empty() || (digits[0] == b'0' && digit(1)) {
        return Err(NoNumber::NotOne);
    }
    // What the exponent leaves of the places: fewer than none are zeros at the end.
    places -= shift;
    while places < 0 && mantissa > 0 && !large {
        let more = mantissa.checked_mul(10);
        large = more.is_none();
        mantissa = more.unwrap_or(0);
        places += 1;
    }
    let signed = if minus { 0i64.checked_sub_unsigned(mantissa) } else { i64::try_from(mantissa).ok() };
    match signed {
        Some(n) if !large && decimal => Ok(Value::Decimal(Decimal::new(n, places.max(0) as u32))),
        Some(n) if !large => Ok(Value::Int(n)),
        _ => Err(NoNumber::TooLarge),
    }
}

fn exponent(digits: &[u8]) -> Option<i64> {
    let (minus, digits) = sign(digits);
    let mut n = 0;
    for b in digits {
        n = (n * 10 + i64::from(b.is_ascii_digit().then(|| b - b'0')?)).min(10_000);
    }
    (!digits.is_empty()).then_some(if minus { -n } else { n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_and_written_as_the_standard_library_does() {
        for n in 0..20_000i64 {
            let n = (n * 7_919) % 10_000_019 - 5_000_000;
            for places in [1, 3, 6, 9] {
                let d = Decimal::new(n, places).text();
                assert_eq!(d, (n as f64 / 10f64.powi(places as i32)).to_string());
                let read = if d.contains('.') { number(&d) } else { number(&format!("{d}.0")) };
                assert_eq!(read, Ok(Value::Decimal(Decimal::new(n, places))));
            }
        }
        for text in ["0.7", "1.10", "-2.5", "1e3", "1.5e-3", "2.0", "0.000001", "123456789.123456", "1e15", "2.5e2"] {
            let Ok(Value::Decimal(d)) = number(text) else { panic!("{text}") };
            assert_eq!(d.text(), text.parse::<f64>().unwrap().to_string());
        }
        assert_eq!(number("1e-30"), Ok(Value::Decimal(Decimal::new(0, 0))), "beyond the digits that are kept");
        for text in ["", "-", "1.", ".5", "1..2", "1e", "01", "1x", "1.2.3", "--1", "1e5.5"] {
            assert_eq!(number(text), Err(NoNumber::NotOne), "{text}");
        }
        assert_eq!(number("9223372036854775808"), Err(NoNumber::TooLarge));
        assert_eq!(number("-9223372036854775808"), Ok(Value::Int(i64::MIN)));
        assert_eq!(number("99999999999999999999999"), Err(NoNumber::TooLarge));
        for text in ["1e999", "1e20", "-1e20"] {
            assert_eq!(number(text), Err(NoNumber::TooLarge), "{text}");
        }
    }
}
