//! Markup from templates: text with slots, in which hostile text stays text.
//!
//! What stands on the page is written so, in the page's program and in the second one. The language of the markup is that of
//! `ui::markup`, which reads it.

use super::pieces::{cut, divide};

/// Writes a template. `{0}`, `{1}`, … stand for `words`, escaped; `{A}` to `{Z}` for `args`, escaped; `{a}` to `{z}` for `args` as they
/// are, which must be markup already. Words are the page's own and constant: a list of them costs no code where it is used.
///
/// A slot without a value, and in tests a value without a slot, is a mistake of this program.
pub fn put(out: &mut String, template: &str, words: &[&str], args: &[&str]) {
    debug_assert_eq!(unused(template, words.len(), args.len()), None, "{template}");
    let mut rest = template;
    while let Some((text, slot)) = cut(rest, "{") {
        out.push_str(text);
        let (name, after) = divide(slot, "}");
        match name.bytes().next() {
            Some(c @ b'a'..=b'z') => out.push_str(args[usize::from(c - b'a')]),
            Some(c @ b'A'..=b'Z') => escape(out, args[usize::from(c - b'A')]),
            _ => escape(out, words[name.bytes().fold(0, |n, d| n * 10 + usize::from(d - b'0'))]),
        }
        rest = after;
    }
    out.push_str(rest);
}

/// The first value that a template has no slot for.
fn unused(template: &str, words: usize, args: usize) -> Option<String> {
    let has = |slot: String| template.contains(&format!("{{{slot}}}"));
    let words = (0..words).map(|i| i.to_string()).find(|w| !has(w.clone()));
    let letter = |i: usize| char::from(b'a' + i as u8).to_string();
    words.or_else(|| (0..args).map(letter).find(|a| !has(a.clone()) && !has(a.to_uppercase())))
}

/// A template on its own.
pub fn made(template: &str, words: &[&str], args: &[&str]) -> String {
    let mut out = String::new();
    put(&mut out, template, words, args);
    out
}

/// `markup` if `is`, else nothing.
pub fn on(is: bool, markup: &str) -> &str {
    if is { markup } else { "" }
}

/// A truth as the value of an attribute.
pub fn yes(is: bool) -> &'static str {
    if is { "true" } else { "false" }
}

/// Writes text so that it is text wherever it stands: between elements, and in quotes.
pub fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_take_words_text_and_markup() {
        assert_eq!(made("<b>{0}{a}</b>{B}{B}", &["x<y"], &["<i></i>", "&"]), "<b>x&lt;y<i></i></b>&amp;&amp;");
        assert_eq!(unused("{0}{A}{b}", 1, 2), None);
        assert_eq!(unused("{0}{b}", 1, 2).as_deref(), Some("a"));
        assert_eq!(unused("{0}", 2, 0).as_deref(), Some("1"));
    }
}
