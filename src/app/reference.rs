//! Which key of the language stands on a line of a scenario's text.
//!
//! Read from the text as it stands, broken or not: the nearest head above, and what is left of the first `=`. Keys inside of inline
//! tables are not found; there the line's own key is.

use crate::base::pieces::{cut, divide, split};
use crate::scenario::registry::{Row, Section, by_path, row};

/// The key on a line, counted from 1.
pub fn key_at(text: &str, line: u32) -> Option<&'static Row> {
    let lines = split(text, "\n");
    let (here, above) = lines.get(..line as usize)?.split_last()?;
    let key = cut(here, "=")?.0.trim();
    let head = above.iter().rev().find_map(|l| l.trim().strip_prefix('[')).unwrap_or_default();
    let head = divide(head, "]").0;
    let mut path = split(head.strip_prefix('[').unwrap_or(head), ".");
    path.extend(split(key, "."));
    path.iter_mut().for_each(|part| *part = part.trim());
    path.retain(|part| !part.is_empty());
    // A clock is named; its name is no part of the language.
    if path.first() == Some(&"clock") && path.len() == 3 {
        path.remove(1);
    }
    match path.as_slice() {
        [key] => by_path(key),
        [.., table, key] => Section::from_word(table).or_else(|| Section::from_word(path[0])).and_then(|s| row(s, key)),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_under_the_caret_is_found_by_head_and_line() {
        let text = "title = \"x\"\nlock.ttl = \"4s\"\n\n[network]\none_way = \"5ms\"\n[[worker]]\nclient.retry = \"1s\"\nstart = \"2s\"\n\
                    [[design]]\nexpect.violates = []\n[clock.W1]\nrate = 2\n";
        let found: Vec<Option<String>> = (1..=12).map(|l| key_at(text, l).map(|r| r.path())).collect();
        let want = [
            Some("title"),
            Some("lock.ttl"),
            None,
            None,
            Some("network.one_way"),
            None,
            Some("client.retry"),
            Some("worker.start"),
            None,
            Some("expect.violates"),
            None,
            Some("clock.rate"),
        ];
        assert_eq!(found, want.map(|w| w.map(str::to_string)));
        assert!(key_at(text, 99).is_none());
        assert!(key_at("", 1).is_none());
    }
}
