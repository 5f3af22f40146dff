//! Sentences from templates: text with places to be filled.
//!
//! `format!` compiles each sentence to code; a template is data, which is smaller and compresses better. What is said to people goes through
//! here.

use super::pieces::{cut, tail};

/// The template with `{0}` to `{9}` replaced by the texts in their order.
///
/// ```
/// assert_eq!(fencepost::base::text::said("{1} is no {0}.", &["key", "tll"]), "tll is no key.");
/// ```
///
/// # Panics
/// If the template asks for more texts than there are, or a brace in it opens no slot.
#[inline(never)]
pub fn said(template: &str, args: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, slot)) = cut(rest, "{") {
        out.push_str(before);
        out.push_str(args[usize::from(slot.as_bytes()[0] - b'0')]);
        rest = tail(slot, 2);
    }
    out.push_str(rest);
    out
}

/// A number of things in digits.
#[inline(never)]
pub fn number(n: usize) -> String {
    integer(n as i64)
}

/// A whole number in digits.
#[inline(never)]
pub fn integer(n: i64) -> String {
    [if n < 0 { "-" } else { "" }, &natural(n.unsigned_abs())].concat()
}

/// A number without a sign in digits.
#[inline(never)]
pub fn natural(n: u64) -> String {
    let mut out = String::new();
    digits(&mut out, n);
    out
}

/// Writes the digits of a number.
#[inline(never)]
pub fn digits(out: &mut String, mut n: u64) {
    let mut buffer = [0u8; 20];
    let mut at = buffer.len();
    loop {
        at -= 1;
        buffer[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    buffer[at..].iter().for_each(|d| out.push(char::from(*d)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_in_any_order() {
        assert_eq!(said("{1}, {0}, {1}.", &["a", "b"]), "b, a, b.");
        assert_eq!(said("no slot", &[]), "no slot");
        assert_eq!(said("{0}", &["{1}"]), "{1}", "what is filled in is no template");
        assert_eq!((number(120), integer(0), integer(-7)), ("120".into(), "0".into(), "-7".into()));
        assert_eq!((integer(i64::MIN), integer(i64::MAX)), (i64::MIN.to_string(), i64::MAX.to_string()));
    }
}
