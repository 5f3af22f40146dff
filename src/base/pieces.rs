//! Texts, cut into pieces.
//!
//! The standard library has all of this for every kind of pattern, and compiles it anew for each; here is what little grammars need, byte by
//! byte and once. Places are bytes. A piece whose ends are not between characters is empty; none of this panics.

/// The text between two bytes.
#[inline(never)]
pub fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or("")
}

/// What stands before and behind the first separator.
#[inline(never)]
pub fn cut<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    for at in 0..text.len() {
        if starts(text, at, separator) {
            return Some((part(text, 0, at), part(text, at + separator.len(), text.len())));
        }
    }
    None
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

/// A whole number, with a sign if it has one.
#[inline(never)]
pub fn whole(text: &str) -> Option<i64> {
    text.parse().ok()
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
            }
            assert_eq!(words(text), text.split_whitespace().collect::<Vec<_>>());
        }
        assert_eq!((part("aéb", 0, 2), part("aéb", 1, 3), part("a", 0, 9)), ("", "é", ""));
        assert_eq!((whole("-7"), whole("7s"), whole("")), (Some(-7), None, None));
    }
}
