//! Text on a picture: how wide it is, how it is escaped, how numbers and lengths are written.
//!
//! Nothing may measure text in a browser: the same log must give the same picture everywhere. So widths come from a small table that is
//! about 5 % generous for the system fonts of all platforms, which differ among themselves by about 12 %.

use crate::base::time::seconds;
use crate::base::{Span, TrueTime};
use std::fmt::Write;

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
        c if c.is_ascii_digit() || c.is_uppercase() => 0.64,
        // Scripts with full-width glyphs, and pictographs: nobody knows their advance, so they get a whole em.
        c if (c as u32) >= 0x1100 => 1.0,
        _ => 0.575,
    }
}

/// The longest of `forms` (ordered from long to short) that fits into `room` px, or `None`.
pub fn fit(forms: &[String], room: f64, size: f64, bold: bool) -> Option<usize> {
    forms.iter().position(|f| (if bold { width_bold(f, size) } else { width(f, size) }) <= room)
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
        // Integer arithmetic: rounding is the same on every target, and this is what most of a picture's bytes go through.
        let tenths = (self.0 * 10.0).round() as i64;
        let (whole, part) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        if tenths < 0 {
            f.write_char('-')?;
        }
        if part == 0 { write!(f, "{whole}") } else { write!(f, "{whole}.{part}") }
    }
}

/// Text for an SVG or HTML text node or a quoted attribute. Control characters, which XML forbids, become a replacement character.
pub fn escape(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A length for a picture, with a no-break space: "480 ms", "1.5 s".
pub fn span(d: Span) -> String {
    d.to_string().replace(' ', "\u{a0}")
}

/// An instant for a picture, with a no-break space: "15.005 s".
pub fn instant(at: TrueTime) -> String {
    at.to_string().replace(' ', "\u{a0}")
}

/// An instant in a list, without its unit: "15.005".
pub fn bare(at: TrueTime) -> String {
    seconds(at.as_us())
}

/// "1 more try", "38 more tries".
pub fn count(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("{n} {one}") } else { format!("{} {many}", grouped(n as u64)) }
}

/// Thousands set apart by commas: "10,000".
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
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
