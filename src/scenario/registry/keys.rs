//! The rows of the table, read from `keys.txt` when the first one is wanted.
//!
//! A table of structures would be half pointers, which do not compress; the page carries the text, which does. Below the name of a table in
//! brackets stands a line for each of its keys:
//!
//! ```text
//! key|type|default|words|used by|one sentence
//! ```
//!
//! A `~` before a key or a word: part of the language, and not built yet. The types are those of [`Type`]; a whole number with its bounds. `used by`
//! is empty (every service), `locks` (every service except `none`), `families …` (with all products in them) or `only …`. In `[client]` the
//! keys hold for all workers; on one worker they are a fact of the story and hold under every design.
//!
//! The page's program has the lines without their sentences, which may have to be fetched (`scenario::texts`).

use super::services::services;
use super::{Row, Section, Type, Uses, Word};
use crate::base::pieces::{cut, split, whole, words};
use crate::scenario::shelf::KEYS;
use std::sync::OnceLock;

/// Types by name, without whole numbers, which have bounds.
const TYPES: [(&str, Type); 26] = [
    ("Text", Type::Text),
    ("Texts", Type::Texts),
    ("Bool", Type::Bool),
    ("Rate", Type::Rate),
    ("Votes", Type::Votes),
    ("Time", Type::Time),
    ("FixedTime", Type::FixedTime),
    ("SignedTime", Type::SignedTime),
    ("Period", Type::Period),
    ("Draw", Type::Draw),
    ("Moment", Type::Moment),
    ("Share", Type::Share),
    ("Margin", Type::Margin),
    ("Name", Type::Name),
    ("Names", Type::Names),
    ("Groups", Type::Groups),
    ("Word", Type::Word),
    ("Words", Type::Words),
    ("Steps", Type::Steps),
    ("Kinds", Type::Kinds),
    ("Counts", Type::Counts),
    ("Table", Type::Table),
    ("Properties", Type::Properties),
    ("Measures", Type::Measures),
    ("MeasureClaims", Type::MeasureClaims),
    ("Instants", Type::Instants),
];

pub(super) fn all() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(read)
}

fn read() -> Vec<Row> {
    let mut out = Vec::new();
    let mut section = Section::Header;
    for line in split(KEYS, "\n") {
        let fields = split(line, "|");
        if let [key, ty, default, listed, used_by] = fields[..] {
            let key = mark(key);
            let mut allowed = Vec::new();
            for word in words(listed) {
                allowed.push(mark(word));
            }
            if listed == "services" {
                // They have a table of their own.
                allowed.clear();
                for s in services() {
                    allowed.push(Word { text: s.word, built: s.built });
                }
            }
            out.push(Row {
                section,
                key: key.text,
                ty: kind(ty),
                default,
                words: allowed.leak(),
                uses: uses(used_by),
                built: key.built,
                nth: out.len(),
            });
        } else if let Some((_, word)) = cut(line, "[") {
            section = Section::from_word(word.trim_end_matches(']')).unwrap_or(section);
        }
    }
    out
}

fn uses(used_by: &'static str) -> Uses {
    let words: &'static [&'static str] = words(used_by).leak();
    match words {
        [] => Uses::All,
        ["families", families @ ..] => Uses::Families(families),
        ["only", services @ ..] => Uses::Only(services),
        _ => Uses::Locks,
    }
}

/// A key or a word, with its mark if it is not built yet.
fn mark(text: &'static str) -> Word {
    match cut(text, "~") {
        Some((_, text)) => Word { text, built: false },
        None => Word { text, built: true },
    }
}

fn kind(text: &str) -> Type {
    let words = words(text);
    if words.first() == Some(&"Int") {
        let bound = |at: usize, other: i64| words.get(at).and_then(|n| whole(n)).unwrap_or(other);
        return Type::Int { min: bound(1, 0), max: bound(2, i64::MAX) };
    }
    TYPES.iter().find(|(name, _)| *name == text).map_or(Type::Ends, |(_, ty)| *ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_row() {
        const TEXT: &str = include_str!("keys.txt");
        for line in TEXT.lines().filter(|l| !l.is_empty() && !l.starts_with('#') && !l.starts_with('[')) {
            let parts: Vec<&str> = line.split('|').collect();
            assert_eq!(parts.len(), 6, "{line}");
            assert!(kind(parts[1]) != Type::Ends || parts[1] == "Ends", "{line}: there is no such type");
            let which = parts[4].split(' ').next().unwrap();
            assert!(["", "locks", "families", "only"].contains(&which), "{line}: used by whom?");
        }
        let sections: Vec<&str> = TEXT.lines().filter_map(|l| l.strip_prefix('[')?.strip_suffix(']')).collect();
        assert_eq!(sections, Section::ALL.map(Section::word).to_vec());
    }
}
