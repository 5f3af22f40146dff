//! The lock services that a scenario can name.
//!
//! Seven neutral ones stand for a family each; the products are profiles, that is, the neutral service with other values. Profiles are data and
//! never change: a product that moves gets a new name. `services.txt` has a block for each word, neutral ones first:
//!
//! ```text
//! [word]      `~` before it: part of the language, and not built yet
//! family      the neutral service whose behaviour it has
//! label, is   for people
//! sets        what it changes of the built-in defaults
//! text        what it promises, assumes and permits
//! token       what number comes with a grant
//! assumes     what exclusion of effects at a resource that checks nothing rests on
//! source      where this was read
//! ```
//!
//! The page's program has head, family, label and what is set; what is said of a service may have to be fetched (`scenario::texts`). How it
//! was compared with the real thing stands in `meanings.txt`, under `[held]`: only the reference shows it.

use super::meaning::meaning;
use crate::base::pieces::{cut, split};
use crate::scenario::shelf::SERVICES;
use crate::scenario::texts::said;
use std::sync::OnceLock;

/// A word for `lock.service`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Service {
    pub word: &'static str,
    /// Can this version run it?
    pub built: bool,
    /// The neutral service whose behaviour it has.
    pub family: &'static str,
    /// For people.
    pub label: &'static str,
    /// What it changes of the built-in defaults: paths with their values, `lock.ttl 30s, client.retry 0ms..200ms`.
    pub sets: &'static str,
    /// Its place among the services.
    nth: usize,
}

/// What is said of it; empty, as long as the texts are not there.
impl Service {
    /// One sentence.
    pub fn says(&self) -> &'static str {
        said(self.nth, 0)
    }

    /// One paragraph: what it promises, assumes and permits.
    pub fn text(&self) -> &'static str {
        said(self.nth, 1)
    }

    /// What number comes with a grant.
    pub fn token(&self) -> &'static str {
        said(self.nth, 2)
    }

    /// What exclusion of effects at a resource that checks nothing rests on.
    pub fn assumes(&self) -> &'static str {
        said(self.nth, 3)
    }

    /// Where this was read.
    pub fn source(&self) -> &'static str {
        said(self.nth, 4)
    }

    /// How it was compared with the real thing; empty where there is none.
    pub fn held(&self) -> &'static str {
        meaning("held", self.word).0
    }
}

/// Neutral ones first.
pub fn services() -> &'static [Service] {
    static SERVICES: OnceLock<Vec<Service>> = OnceLock::new();
    SERVICES.get_or_init(read)
}

/// A head in brackets begins a block; in its lines the first word says what the rest is.
fn read() -> Vec<Service> {
    let mut out: Vec<Service> = Vec::new();
    for line in split(SERVICES, "\n") {
        if let Some((mark, word)) = cut(line, "[")
            && let Some((word, "")) = cut(word, "]")
        {
            let nth = out.len();
            out.push(Service { word, built: mark.is_empty(), nth, ..Service::default() });
        } else if let (Some((key, rest)), Some(s)) = (cut(line, " "), out.last_mut()) {
            match key {
                "family" => s.family = rest,
                "label" => s.label = rest,
                _ => s.sets = rest,
            }
        }
    }
    out
}

pub fn service(word: &str) -> Option<&'static Service> {
    services().iter().find(|s| s.word == word)
}

/// The neutral service behind a word; the word itself if it is unknown.
pub fn family(word: &str) -> &str {
    service(word).map_or(word, |s| s.family)
}

/// What a service's profile sets beyond the built-in defaults.
pub fn profile(word: &str) -> &'static str {
    service(word).map_or("", |s| s.sets)
}

#[cfg(test)]
mod tests {
    use super::super::words_of;
    use super::*;

    #[test]
    fn every_line_of_a_block_is_understood() {
        const TEXT: &str = include_str!("services.txt");
        let keys = ["family", "label", "is", "sets", "text", "token", "assumes", "source"];
        let blocks: Vec<&str> = TEXT.split("\n\n").collect();
        assert_eq!(blocks.len(), services().len());
        for block in blocks {
            let lines: Vec<&str> = block.trim_end().lines().collect();
            assert!(lines[0].trim_start_matches('~').starts_with('['), "{}: no head", lines[0]);
            let found: Vec<&str> = lines[1..].iter().map(|l| l.split(' ').next().unwrap_or("")).collect();
            assert_eq!(found, keys, "{}", lines[0]);
        }
    }

    #[test]
    fn what_is_built_says_all_there_is_to_say() {
        for s in services().iter().filter(|s| s.built && s.word != "none") {
            for (what, text) in [
                ("label", s.label),
                ("is", s.says()),
                ("text", s.text()),
                ("token", s.token()),
                ("assumes", s.assumes()),
                ("source", s.source()),
                ("held", s.held()),
            ] {
                assert!(!text.is_empty(), "{} has no {what}", s.word);
            }
            assert!(service(s.family).is_some_and(|f| f.family == f.word), "{} has no family", s.word);
        }
        assert!(!words_of(profile("redis")).is_empty());
    }
}
