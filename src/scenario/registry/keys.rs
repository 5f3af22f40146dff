//! The rows of the table, read from `keys.txt` when the first one is wanted.
//!
//! A table of structures would be half pointers, which do not compress; the page carries the text, which does.

use super::{Row, Section, Type, Uses, Word};
use std::sync::OnceLock;

const TEXT: &str = include_str!("keys.txt");

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
    for line in TEXT.lines() {
        if let Some(word) = line.strip_prefix('[') {
            let word = word.trim_end_matches(']');
            section = Section::ALL.into_iter().find(|s| s.word() == word).unwrap_or(section);
        } else if !line.is_empty() && !line.starts_with('#') {
            out.push(row(section, line));
        }
    }
    out
}

fn row(section: Section, line: &'static str) -> Row {
    let mut parts = line.split('|');
    let mut part = || parts.next().unwrap_or("");
    let key = mark(part());
    let ty = kind(part());
    let default = part();
    let mut words = Vec::new();
    for word in part().split_ascii_whitespace() {
        words.push(mark(word));
    }
    let mut services = part().split_ascii_whitespace();
    let which = services.next();
    let mut named = Vec::new();
    for service in services {
        named.push(service);
    }
    let named: &'static [&'static str] = named.leak();
    let uses = match which {
        None => Uses::All,
        Some("families") => Uses::Families(named),
        Some("only") => Uses::Only(named),
        Some(_) => Uses::Locks,
    };
    let says = part();
    let mut example = part();
    if example.contains("\\n") {
        example = example.replace("\\n", "\n").leak();
    }
    Row { section, key: key.text, ty, default, words: words.leak(), uses, built: key.built, says, example }
}

/// A key or a word, with its mark if it is not built yet.
fn mark(text: &'static str) -> Word {
    match text.strip_prefix('~') {
        Some(text) => Word { text, built: false },
        None => Word { text, built: true },
    }
}

fn kind(text: &str) -> Type {
    if let Some(bounds) = text.strip_prefix("Int ") {
        let (min, max) = bounds.split_once(' ').unwrap_or((bounds, ""));
        return Type::Int { min: min.parse().unwrap_or(0), max: max.parse().unwrap_or(i64::MAX) };
    }
    TYPES.iter().find(|(name, _)| *name == text).map_or(Type::Ends, |(_, ty)| *ty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_row() {
        for line in TEXT.lines().filter(|l| !l.is_empty() && !l.starts_with('#') && !l.starts_with('[')) {
            let parts: Vec<&str> = line.split('|').collect();
            assert_eq!(parts.len(), 7, "{line}");
            assert!(kind(parts[1]) != Type::Ends || parts[1] == "Ends", "{line}: there is no such type");
            let which = parts[4].split(' ').next().unwrap();
            assert!(["", "locks", "families", "only"].contains(&which), "{line}: used by whom?");
        }
        let sections: Vec<&str> = TEXT.lines().filter_map(|l| l.strip_prefix('[')?.strip_suffix(']')).collect();
        assert_eq!(sections, Section::ALL.map(Section::word).to_vec());
    }
}
