//! What the words of the language mean, and an example of each.
//!
//! For the reference and for tests, and stands apart from the tables that the reader needs, so that the page does not carry it. What the verbs
//! of steps and faults mean stands in a text of its own: the page's form shows it, and adds a fault as it stands in its example.

use crate::base::pieces::{cut, divide, split};

/// Tables in brackets; below each, a line for each word: `word|one sentence|an example`, and for keys `path|an example`. `\n` is a line break.
const TEXT: &str = include_str!("meanings.txt");

/// The tables of verbs.
const VERBS: &str = include_str!("verbs.txt");

/// What stands behind a word in a table; empty if nothing does.
pub(crate) fn meaning(table: &str, word: &str) -> (&'static str, &'static str) {
    look(TEXT, table, word)
}

/// The same, of a verb of steps or of faults.
pub(crate) fn of_verb(table: &str, word: &str) -> (&'static str, &'static str) {
    look(VERBS, table, word)
}

#[inline(never)]
fn look(text: &'static str, table: &str, word: &str) -> (&'static str, &'static str) {
    let mut here = false;
    for line in split(text, "\n") {
        match line.strip_prefix('[') {
            Some(name) => here = name.strip_suffix(']') == Some(table),
            None if here => {
                if let Some((key, rest)) = cut(line, "|")
                    && key == word
                {
                    return divide(rest, "|");
                }
            }
            None => {}
        }
    }
    ("", "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::profile::PROTECTIONS;
    use crate::scenario::registry::services::services;
    use crate::scenario::registry::{claims, faults, rows, steps};

    #[test]
    fn every_word_of_the_language_is_explained_and_nothing_else() {
        let mut words: Vec<(&str, String)> = Vec::new();
        words.extend(rows().map(|r| ("keys", r.path())));
        words.extend(PROTECTIONS.iter().map(|p| ("protections", p.word.to_string())));
        words.extend(steps::STEPS.iter().map(|s| ("steps", s.verb.word().to_string())));
        words.extend(faults::VERBS.iter().map(|v| ("faults", v.word.to_string())));
        words.extend(claims::PROPERTIES.iter().map(|p| ("properties", p.word.text.to_string())));
        words.extend(claims::MEASURES.iter().map(|m| ("measures", m.word.to_string())));
        words.extend(claims::ENDS.iter().map(|e| ("ends", e.to_string())));
        words.extend(services().iter().filter(|s| s.word != "none").map(|s| ("held", s.word.to_string())));
        for (table, word) in &words {
            let verbs = ["steps", "faults"].contains(table);
            let (says, _) = if verbs { of_verb(table, word) } else { meaning(table, word) };
            assert!(says.len() > 3, "{word} of {table} is not explained");
        }
        let lines = TEXT.lines().chain(VERBS.lines()).filter(|l| !l.is_empty() && !l.starts_with('[')).count();
        assert_eq!(lines, words.len(), "something is explained that is not in the language, or twice");
    }
}
