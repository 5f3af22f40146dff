//! Which table and which key of the language stand on a line of a scenario's text, and what may be written there.
//!
//! Read from the text as it stands, broken or not: the nearest head above, and what is left of the first `=`. Keys inside of inline
//! tables are not found; there the line's own key is.

use crate::base::pieces::{cut, divide, part, split, words};
use crate::scenario::edit::typed_value;
use crate::scenario::registry::faults::{COMMON, VERBS, fault_verb};
use crate::scenario::registry::{Row, Section, Type, by_path, row, words_of};
use crate::scenario::tree::Form;

/// The parts of the path that the nearest head above a line gives.
fn head<'a>(above: &[&'a str]) -> Vec<&'a str> {
    let head = above.iter().rev().find_map(|l| l.trim().strip_prefix('[')).unwrap_or_default();
    let head = divide(head, "]").0;
    let mut path = split(head.strip_prefix('[').unwrap_or(head), ".");
    path.retain(|part| !part.is_empty());
    path
}

/// The key on a line, counted from 1.
pub fn key_at(text: &str, line: u32) -> Option<Row> {
    let lines = split(text, "\n");
    let (here, above) = lines.get(..line as usize)?.split_last()?;
    let key = cut(here, "=")?.0.trim();
    let mut path = head(above);
    path.extend(split(key, "."));
    path.iter_mut().for_each(|part| *part = part.trim());
    path.retain(|part| !part.is_empty());
    // A clock is named; its name is no part of the language.
    if path.first() == Some(&"clock") && path.len() == 3 {
        path.remove(1);
    }
    match path.as_slice() {
        [key] => by_path(key).copied(),
        ["fault", verb] if fault_verb(verb).is_some() => fault_verb(verb).map(|v| v.row()),
        [.., table, key] => {
            Section::from_word(table).or_else(|| Section::from_word(path[0])).and_then(|s| row(s, key)).copied()
        }
        [] => None,
    }
}

/// The table around a line.
pub struct Here {
    /// As its head is written; empty at the top of the file.
    pub head: String,
    /// The keys that may stand in it, each with the line where it stands, if it does.
    pub keys: Vec<(Row, Option<u32>)>,
}

/// The table around a line, counted from 1.
pub fn here(text: &str, line: u32) -> Here {
    let lines = split(text, "\n");
    let upto = (line as usize).min(lines.len());
    let path = head(lines.get(..upto).unwrap_or_default());
    let section = path.last().and_then(|t| Section::from_word(t)).or_else(|| Section::from_word(path.first()?));
    let section = section.unwrap_or(Section::Header);
    let is_head = |l: &&str| l.trim_start().starts_with('[');
    let from = lines.iter().take(upto).rposition(is_head).map_or(0, |at| at + 1);
    let mut set: Vec<(&str, u32)> = Vec::new();
    for (i, l) in lines.iter().enumerate().skip(from).take_while(|(_, l)| !is_head(l)) {
        if let Some((key, _)) = cut(l, "=") {
            set.push((key.trim(), i as u32 + 1));
        }
    }
    let mut rows: Vec<Row> = Vec::new();
    if section == Section::Fault {
        let verb = VERBS.iter().find(|v| set.iter().any(|(key, _)| *key == v.word));
        match verb {
            Some(v) => {
                rows.push(v.row());
                for key in words_of(COMMON).into_iter().chain(words_of(v.keys)) {
                    rows.extend(row(section, key).copied());
                }
            }
            None => rows.extend(VERBS.iter().filter(|v| v.built).map(|v| v.row())),
        }
    } else {
        rows.extend(section.rows().filter(|r| r.built).copied());
    }
    let mut keys = Vec::new();
    for row in rows {
        let at = set.iter().find(|(key, _)| *key == row.key).map(|(_, at)| *at);
        keys.push((row, at));
    }
    let head = if section == Section::Header { "" } else { lines.get(from.saturating_sub(1)).copied().unwrap_or("") };
    Here { head: divide(head, "#").0.trim().to_string(), keys }
}

/// What is written for a key that somebody chooses: its default, or what is nearest to nothing.
fn first_value(row: &Row) -> String {
    let default = match row.ty {
        _ if !row.default.is_empty() && row.key != "name" && row.key != "process" => row.default,
        Type::Names | Type::Name => "W1",
        Type::Groups => "W1, lock | R",
        Type::Kinds => "write",
        Type::Bool => "false",
        Type::Share => "1%",
        Type::Rate => "1",
        Type::Counts => "1",
        Type::Int { .. } => "1",
        Type::Text | Type::Texts | Type::Instants | Type::MeasureClaims | Type::Properties | Type::Ends => "",
        Type::Word => words_first(row),
        Type::Table => return "{}".to_string(),
        _ => "1s",
    };
    typed_value(Some(row), default).written(Form::Toml)
}

fn words_first(row: &Row) -> &'static str {
    row.words.iter().find(|w| w.built).map_or("", |w| w.text)
}

/// The text with a key of the table around a line, and the line of it: where it stands already, or on the line itself if that is empty or
/// holds the beginning of a word, or below it.
pub fn insert(text: &str, line: u32, key: &str) -> Option<(String, u32)> {
    let place = here(text, line);
    let (row, stands) = place.keys.iter().find(|(row, _)| row.key == key)?;
    if let Some(at) = stands {
        return Some((text.to_string(), *at));
    }
    let mut lines = split(text, "\n");
    let at = (line.max(1) as usize).min(lines.len());
    let new = [key, " = ", &first_value(row)].concat();
    let here = lines.get(at - 1)?.trim();
    let begun = here.is_empty()
        || (words(here).len() == 1 && !here.starts_with(['[', '#', '{', ']']) && cut(here, "=").is_none());
    let at = if begun {
        lines[at - 1] = &new;
        at
    } else {
        lines.insert(at, &new);
        at + 1
    };
    Some((lines.join("\n"), at as u32))
}

/// The text with another value for the key on a line; a remark behind it stays.
pub fn write(text: &str, line: u32, value: &str) -> Option<String> {
    let row = key_at(text, line)?;
    let mut lines = split(text, "\n");
    let here = *lines.get(line as usize - 1)?;
    let (key, old) = cut(here, "=")?;
    let blank = old.len() - old.trim_start().len();
    let column = here.chars().count() - part(old, blank, old.len()).chars().count();
    let word = super::highlight::word_at(here, column as u32 + 1);
    let list = part(here, word.start, word.end).starts_with('[');
    let after = if list { cut(here, "]").map_or("", |(_, rest)| rest) } else { part(here, word.end, here.len()) };
    let new = typed_value(Some(&row), value).written(Form::Toml);
    let gap = if blank == 0 { " " } else { part(old, 0, blank) };
    let made = [key, "=", gap, &new, after].concat();
    lines[line as usize - 1] = &made;
    Some(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = \"x\"\nlock.ttl = \"4s\"\n\n[network]\none_way = \"5ms\"\n[[worker]]\nclient.retry = \"1s\"\nstart = \"2s\"\n\
                        [[design]]\nexpect.violates = []\n[clock.W1]\nrate = 2\n[[fault]]\npause = \"W1\"\nfo\n";

    #[test]
    fn the_key_under_the_caret_is_found_by_head_and_line() {
        let found: Vec<Option<String>> = (1..=12).map(|l| key_at(TEXT, l).map(|r| r.path())).collect();
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
        assert!(key_at(TEXT, 99).is_none());
        assert!(key_at("", 1).is_none());
    }

    #[test]
    fn the_keys_of_the_table_under_the_caret_are_found() {
        let keys = |line: u32| -> Vec<&str> { here(TEXT, line).keys.iter().map(|(r, _)| r.key).collect() };
        assert!(keys(1).contains(&"horizon"));
        assert_eq!(keys(5), ["one_way", "loss", "ordered"]);
        assert_eq!(here(TEXT, 8).head, "[[worker]]");
        assert_eq!(keys(12), ["rate", "offset"]);
        assert_eq!(keys(14), ["pause", "at", "until", "for", "every", "name"]);
        assert!(here("[[fault]]\n", 2).keys.iter().any(|(r, _)| r.key == "step_clock"), "a fault begins with its verb");
        assert_eq!(here(TEXT, 5).keys[0].1, Some(5));
    }

    #[test]
    fn a_key_is_written_where_the_caret_is() {
        let (text, line) = insert(TEXT, 5, "loss").expect("a key of networks");
        assert_eq!((split(&text, "\n")[5], line), ("loss = \"0%\"", 6));
        let (text, line) = insert(TEXT, 15, "for").expect("a key of faults");
        assert_eq!((split(&text, "\n")[14], line), ("for = \"1s\"", 15), "it takes the place of what was begun");
        assert_eq!(insert(TEXT, 5, "one_way"), Some((TEXT.to_string(), 5)), "it stands there already");
        assert_eq!(insert(TEXT, 5, "ttl"), None);
    }

    #[test]
    fn a_value_is_written_in_place_of_another() {
        let text = "[lock]\nclock = \"wall\"   # of the service\n[resource]\nguard = [\"fence\", \"version\"] # both\n";
        assert!(write(text, 2, "monotonic").expect("a word").contains("clock = \"monotonic\"   # of the service"));
        assert!(write(text, 4, "owner").expect("a word").contains("guard = \"owner\" # both"));
    }

    /// Whatever is chosen can be read.
    #[test]
    fn every_key_has_a_first_value_that_is_toml() {
        for row in crate::scenario::registry::rows() {
            let text = ["a = ", &first_value(row), "\n"].concat();
            assert!(crate::scenario::tree::read(&text).is_ok(), "{}: {text}", row.path());
        }
    }
}
