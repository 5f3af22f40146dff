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

/// A whole number in digits.
#[inline(never)]
pub fn number(n: usize) -> String {
    n.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_in_any_order() {
        assert_eq!(said("{1}, {0}, {1}.", &["a", "b"]), "b, a, b.");
        assert_eq!(said("no slot", &[]), "no slot");
        assert_eq!(said("{0}", &["{1}"]), "{1}", "what is filled in is no template");
        assert_eq!(number(120), "120");
    }
}
