//! Texts that may not be there yet: stories, and what is said about keys and services.
//!
//! Natively they are part of the program. The page (feature `fetched`) has the first story, and gets the rest as one file; whoever has
//! fetched it hands it over once ([`unpacker`], then [`provide`]; [`provide_packed`] at once, for a worker). Until then a sentence is empty, a story is not there, and [`here`] says so.

use super::shelf;
use crate::base::mixing::Unpacker;
use std::sync::OnceLock;

static PARTS: OnceLock<Vec<&'static str>> = OnceLock::new();

#[cfg(not(all(target_arch = "wasm32", feature = "fetched")))]
fn parts() -> Option<&'static [&'static str]> {
    Some(PARTS.get_or_init(shelf::parts))
}

#[cfg(all(target_arch = "wasm32", feature = "fetched"))]
fn parts() -> Option<&'static [&'static str]> {
    PARTS.get().map(|parts| &parts[..])
}

/// How many parts the file has.
fn count() -> usize {
    first_said() + super::registry::services::services().len() * shelf::SAID
}

/// Where the sentences about services begin.
fn first_said() -> usize {
    first_sentence() + super::registry::count()
}

/// Where the sentences about keys begin.
fn first_sentence() -> usize {
    shelf::STORIES.len() + shelf::REPORTS.len()
}

fn part(nth: usize) -> Option<&'static str> {
    parts()?.get(nth).copied()
}

/// Are the texts there?
pub fn here() -> bool {
    parts().is_some()
}

/// What unpacks the file, slice by slice; `None`: it is no such file.
pub fn unpacker(packed: Vec<u8>) -> Option<Unpacker> {
    Unpacker::new(packed, shelf::KNOWN)
}

/// Takes the file, unpacked. False: it is another one. It is taken once, and kept for as long as the program runs.
pub fn provide(text: Option<String>) -> bool {
    let Some(text) = text else { return false };
    let text: &'static str = text.leak();
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte == 0 {
            parts.push(crate::base::pieces::part(text, from, at));
            from = at + 1;
        }
    }
    parts.push(crate::base::pieces::tail(text, from));
    parts.len() == count() && PARTS.set(parts).is_ok()
}

/// Takes the file as it was fetched. False: it is another one.
pub fn provide_packed(packed: Vec<u8>) -> bool {
    here() || provide(crate::base::mixing::unpack(packed, shelf::KNOWN))
}

/// The text of a story, or behind them of a report.
pub(crate) fn story(nth: usize) -> Option<&'static str> {
    part(nth)
}

/// The sentence about a key.
pub(crate) fn sentence(key: usize) -> &'static str {
    part(first_sentence().saturating_add(key)).unwrap_or("")
}

/// A line of what is said about a service: its sentence, its paragraph, token, assumptions, source.
pub(crate) fn said(service: usize, line: usize) -> &'static str {
    part(first_said() + service * shelf::SAID + line).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::mixing::pack;

    #[test]
    fn the_file_has_a_part_for_everything() {
        assert_eq!(shelf::parts().len(), count());
        assert!(shelf::parts().iter().all(|p| !p.contains('\0')));
        let text = shelf::whole();
        assert_eq!(text.split('\0').collect::<Vec<_>>(), shelf::parts());
        assert!(text.len() < crate::base::mixing::MOST);
    }

    #[test]
    fn the_file_can_be_unpacked() {
        let text = shelf::whole();
        let packed = pack(&text, shelf::KNOWN);
        assert!(packed.len() * 7 < text.len(), "{} bytes became {}", text.len(), packed.len());
        let mut unpacker = unpacker(packed).expect("it was packed");
        while !unpacker.go_on(10_000) {}
        assert_eq!(unpacker.text(), Some(text));
        assert!(self::unpacker(vec![1, 2, 3]).is_none());
    }

    #[test]
    fn what_the_program_carries_has_no_sentences() {
        assert!(shelf::KEYS.contains("\nttl|Time|10s|never|locks\n") && shelf::SERVICES.contains("\nlabel Redlock\n"));
        assert!(shelf::SERVICES.lines().all(|l| !l.starts_with("text ") && !l.starts_with("is ")));
        assert_eq!(sentence(0).split(' ').next(), Some("Says"));
        assert_eq!(said(1, 2), "none");
    }

    #[test]
    fn another_text_is_not_taken() {
        assert!(!provide(Some("a\0b".to_string())) && !provide(None));
    }
}
