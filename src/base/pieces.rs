//! Texts, cut into pieces.
//!
//! The standard library has all of this for every kind of pattern, and compiles it anew for each; here is what little grammars need, byte by
//! byte and once. Places are bytes. A piece whose ends are not between characters is empty; none of this panics.

/// The text between two bytes.
#[inline(never)]
pub fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or("")
}

/// The text from a byte on.
#[inline(never)]
pub fn tail(text: &str, at: usize) -> &str {
    part(text, at, text.len())
}

/// Where this stands first. Nothing stands nowhere.
#[inline(never)]
pub fn find(text: &str, what: &str) -> Option<usize> {
    let first = *what.as_bytes().first()?;
    for (at, byte) in text.bytes().enumerate() {
        if byte == first && starts(text, at, what) {
            return Some(at);
        }
    }
    None
}

/// Does this stand anywhere in the text?
pub fn has(text: &str, what: &str) -> bool {
    find(text, what).is_some()
}

/// Where the first of these signs stands, or where the text ends. The signs are ASCII.
#[inline(never)]
pub fn find_any(text: &str, signs: &str) -> usize {
    let mut at = 0;
    while at < text.len() && !signs.as_bytes().contains(&text.as_bytes()[at]) {
        at += 1;
    }
    at
}

/// What stands before and behind the first separator.
#[inline(never)]
pub fn cut<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, separator)?;
    Some((part(text, 0, at), tail(text, at + separator.len())))
}

/// What stands before the first separator, and what behind it: nothing, if there is none.
#[inline(never)]
pub fn divide<'a>(text: &'a str, separator: &str) -> (&'a str, &'a str) {
    cut(text, separator).unwrap_or((text, ""))
}

/// Does this stand in the text at this byte?
#[inline(never)]
pub fn starts(text: &str, at: usize, what: &str) -> bool {
    text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(what.as_bytes()))
}

/// The pieces between separators, empty ones too: one more than there are separators.
#[inline(never)]
pub fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((piece, behind)) = cut(rest, separator) {
        out.push(piece);
        rest = behind;
    }
    out.push(rest);
    out
}

/// The pieces between stretches of white space, none of them empty.
#[inline(never)]
pub fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        out.push(word);
    }
    out
}

/// With a comma and a space between them.
#[inline(never)]
pub fn listed(words: &[&str]) -> String {
    words.join(", ")
}

/// Texts of their own, with something between them.
#[inline(never)]
pub fn joined(texts: &[String], between: &str) -> String {
    let mut out = String::new();
    for (i, text) in texts.iter().enumerate() {
        out.push_str(if i > 0 { between } else { "" });
        out.push_str(text);
    }
    out
}

/// A whole number, with a sign if it has one; `None` if it is none, or too large.
#[inline(never)]
pub fn whole(text: &str) -> Option<i64> {
    let (minus, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    let mut n = 0;
    for digit in digits {
        let digit = digit.checked_sub(b'0').filter(|d| *d < 10)?;
        // Counted below zero, where there is room for one number more.
        n = times(n, 10, -i64::from(digit))?;
    }
    match digits {
        [] => None,
        _ if minus => Some(n),
        _ => n.checked_neg(),
    }
}

/// A number of things, or the place of one.
#[inline(never)]
pub fn count(text: &str) -> Option<usize> {
    whole(text).and_then(|n| usize::try_from(n).ok())
}

/// `n · by + more`, if it fits.
#[inline(never)]
pub fn times(n: i64, by: i64, more: i64) -> Option<i64> {
    n.checked_mul(by)?.checked_add(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_those_of_the_standard_library() {
        for text in ["", "a", "a, b", ", a,, b, ", "é, ü", "1..2...3", "a\u{a0}b  c"] {
            for separator in [", ", "..", "é"] {
                assert_eq!(split(text, separator), text.split(separator).collect::<Vec<_>>());
                assert_eq!(cut(text, separator), text.split_once(separator));
                assert_eq!(find(text, separator), text.find(separator));
            }
            assert_eq!(words(text), text.split_whitespace().collect::<Vec<_>>());
        }
        assert_eq!((find_any("é=>", ">="), find_any("é", ">=")), (2, 2));
        assert_eq!((divide("a b c", " "), divide("a", " "), tail("aéb", 1)), (("a", "b c"), ("a", ""), "éb"));
        assert_eq!((part("aéb", 0, 2), part("aéb", 1, 3), part("a", 0, 9)), ("", "é", ""));
        let ends = [i64::MIN.to_string(), i64::MAX.to_string()];
        for text in ["-", "+", "+7", "007", "9223372036854775808", "-9223372036854775809", "1_0", &ends[0], &ends[1]] {
            assert_eq!(whole(text), text.parse().ok(), "{text}");
        }
        let texts = ["a".to_string(), "é".to_string()];
        assert_eq!(
            (joined(&texts, ", "), joined(&texts[..1], ", "), joined(&[], ", ")),
            ("a, é".into(), "a".into(), String::new())
        );
        assert_eq!((count("12"), count("-1"), count("x")), (Some(12), None, None));
        assert_eq!((whole("-7"), whole("7s"), whole("")), (Some(-7), None, None));
    }
}
