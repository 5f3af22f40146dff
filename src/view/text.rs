//! Text on a picture: how wide it is, how it is escaped, how numbers and lengths are written.
//!
//! Nothing may measure text in a browser: the same log must give the same picture everywhere. So widths come from a small table that is
//! about 5 % generous for the system fonts of all platforms, which differ among themselves by about 12 %.

use crate::base::pieces::{self, cut, tail};
use crate::base::text::digits;
pub use crate::base::text::natural as whole;
use crate::base::time::seconds;
use crate::base::{Span, TrueTime};

/// No-break space, before units and inside names such as "grant 2".
pub const NBSP: char = '\u{a0}';

/// Width of a string in px at a font size in px.
pub fn width(s: &str, size: f64) -> f64 {
    size * s.chars().map(advance).sum::<f64>()
}

/// Width of bold text (weight 600 and up), which is about 6 % wider.
pub fn width_bold(s: &str, size: f64) -> f64 {
    1.06 * width(s, size)
}

/// Advance of one character, in em.
fn advance(c: char) -> f64 {
    match c {
        'i' | 'l' | '.' | ',' | ':' | ';' | '\'' | '’' | '|' | '!' | '(' | ')' | '[' | ']' | 'j' | 't' | 'f' | 'r'
        | ' ' | NBSP => 0.31,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '—' => 0.86,
        // Capitals of the scripts that are about as wide. All capitals there are would be a table larger than this file.
        '0'..='9' | 'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ω' | 'Ѐ'..='Я' => 0.64,
        // Scripts with full-width glyphs, and pictographs: nobody knows their advance, so they get a whole em.
        c if (c as u32) >= 0x1100 => 1.0,
        _ => 0.575,
    }
}

/// The longest of `forms` that fits into `room` px, or `None`.
pub fn fit(forms: &str, room: f64, size: f64, bold: bool) -> Option<&str> {
    let mut n = 0;
    loop {
        let form = part(forms, FORM, n)?;
        if (if bold { width_bold(form, size) } else { width(form, size) }) <= room {
            return Some(form);
        }
        n += 1;
    }
}

/// A coordinate with at most one decimal: the only way floats get into a picture.
pub fn num(v: f64) -> Num {
    Num(v)
}

/// See [`num`].
#[derive(Clone, Copy, Debug)]
pub struct Num(f64);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let mut out = String::new();
        decimal(&mut out, self.0);
        f.write_str(&out)
    }
}

/// Writes a number as [`num`] does.
#[inline(never)]
fn decimal(out: &mut String, v: f64) {
    // Integer arithmetic: rounding is the same on every target, and this is what most of a picture's bytes go through.
    let tenths = (v * 10.0).round() as i64;
    if tenths < 0 {
        out.push('-');
    }
    let tenths = tenths.unsigned_abs();
    digits(out, tenths / 10);
    if !tenths.is_multiple_of(10) {
        out.push('.');
        digits(out, tenths % 10);
    }
}

/// Fills a template: `{0}` to `{9}` stand for numbers, written as by [`num`]; `{a}` to `{h}` for strings as they are, `{A}` to `{H}` for
/// strings escaped. One small interpreter instead of code at every place that writes something.
#[inline(never)]
pub fn fill(out: &mut String, template: &str, numbers: &[f64], strings: &[&str]) {
    let mut rest = template;
    while let Some((before, slot)) = cut(rest, "{") {
        out.push_str(before);
        match slot.as_bytes()[0] {
            d @ b'0'..=b'9' => decimal(out, numbers[usize::from(d - b'0')]),
            s @ b'a'..=b'h' => out.push_str(strings[usize::from(s - b'a')]),
            s => escape_into(out, strings[usize::from(s - b'A')]),
        }
        rest = tail(slot, 2);
    }
    out.push_str(rest);
}

/// A template with strings.
#[inline(never)]
pub fn said(template: &str, strings: &[&str]) -> String {
    let mut out = String::new();
    fill(&mut out, template, &[], strings);
    out
}

/// Between ways to say one line, from long to short; in templates it is written `|`.
pub const FORM: char = '\u{1f}';
/// Between lines of one note; in templates it is a line break.
pub const LINE: char = '\u{1e}';
/// Between ways to set one note.
pub const BLOCK: char = '\u{1d}';

/// Lines of a note, each with its forms, from a template. Names have no control characters, so that nothing else separates.
#[inline(never)]
pub fn forms(template: &str, strings: &[&str]) -> String {
    let mut separated = String::new();
    for c in template.chars() {
        separated.push(match c {
            '|' => FORM,
            '\n' => LINE,
            c => c,
        });
    }
    said(&separated, strings)
}

/// What stands before the first `separator`, or between it and the next: part `n` of a text, from 0.
#[inline(never)]
pub fn part(text: &str, separator: char, n: usize) -> Option<&str> {
    let (mut start, mut before) = (0, n);
    for (i, b) in text.bytes().enumerate() {
        if b == separator as u8 {
            if before == 0 {
                return Some(pieces::part(text, start, i));
            }
            before -= 1;
            start = i + 1;
        }
    }
    (before == 0).then_some(tail(text, start))
}

/// The longest form of a line.
pub fn longest(forms: &str) -> &str {
    part(forms, FORM, 0).unwrap_or_default()
}

/// How many parts a text has.
pub fn parts(text: &str, separator: char) -> usize {
    1 + text.bytes().filter(|b| *b == separator as u8).count()
}

/// Text for an SVG or HTML text node or a quoted attribute. Control characters, which XML forbids, become a replacement character.
pub fn escape(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    escape_into(&mut out, s);
    out
}

fn escape_into(out: &mut String, s: &str) {
    for c in s.chars() {
        let safe = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\t' | '\n' | '\r' => " ",
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => "\u{fffd}",
            c => {
                out.push(c);
                continue;
            }
        };
        out.push_str(safe);
    }
}

/// A length for a picture, with a no-break space: "480 ms", "1.5 s".
pub fn span(d: Span) -> String {
    crate::trace::names::length(d)
}

/// An instant for a picture, with a no-break space: "15.005 s".
pub fn instant(at: TrueTime) -> String {
    crate::trace::names::at(at)
}

/// An instant in a list, without its unit: "15.005".
pub fn bare(at: TrueTime) -> String {
    seconds(at.as_us())
}

/// "1 more try", "38 more tries".
pub fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { said("1 {a}", &[one]) } else { said("{a} {b}", &[&grouped(n as u64), many]) }
}

/// Thousands set apart by commas: "10,000".
pub fn grouped(n: u64) -> String {
    let digits = whole(n);
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A participant's name as it may stand on a picture: one that is too long loses its middle, because names differ at their ends.
pub fn clip(name: &str, max: usize) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= max || max < 3 {
        return name.to_string();
    }
    let head = (max - 1).div_ceil(2);
    let tail = max - 1 - head;
    chars[..head].iter().chain(['…'].iter()).chain(&chars[chars.len() - tail..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_at_most_one_decimal() {
        for (v, s) in [(14.0, "14"), (117.86, "117.9"), (-0.04, "0"), (-3.25, "-3.3"), (0.05, "0.1"), (1e6, "1000000")]
        {
            assert_eq!(num(v).to_string(), s);
        }
    }

    #[test]
    fn hostile_text_is_harmless() {
        assert_eq!(escape("<a href=\"x\">&'\u{0}\n"), "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u{fffd} ");
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(clip("W1", 12), "W1");
        assert_eq!(clip("payment-worker-17", 10), "payme…r-17");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }
}
