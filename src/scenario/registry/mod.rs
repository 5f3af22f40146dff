//! The language as one table.
//!
//! Every key that a scenario may contain has a row here: what it is called, what kind of value it takes, its default, its words, who uses it, one
//! sentence, one example, and whether this version can run it. The reader, the diagnostics, the canonical form, the form in the page and the
//! reference in `docs/scenario-format.md` all read this table; nothing about a key is said anywhere else.
//!
//! The language is larger than what one version can run: a key or word that is part of it and not built yet is known here, so that a person
//! who meets it in somebody's link is told "not yet" and not "unknown". When an engine learns a key, its row loses its `~`.
//!
//! The rows stand in `keys.txt`; `keys.rs` says how to read it. Read on in [`steps`], [`faults`] and [`claims`] (expectations); [`services`] names
//! the lock services, [`words`] guesses what somebody meant. Examples, and what words mean, stand apart in `meanings.txt`: only the
//! reference shows them. What verbs mean stands in `verbs.txt`.

pub mod claims;
pub mod faults;
mod keys;
pub(super) mod meaning;
pub mod reference;
pub mod services;
pub mod steps;
pub mod words;

pub use reference::reference;

use crate::base::pieces::{cut, listed, split};
use crate::base::text::said;
use crate::scenario::texts::sentence;

/// Which table a key stands in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Section {
    /// At the top of the file, outside any table.
    Header,
    Network,
    Link,
    Clock,
    Lock,
    Client,
    Worker,
    Resource,
    Fault,
    Design,
    Expect,
    Sweep,
    Explore,
    Lesson,
}

impl Section {
    pub const ALL: [Section; 14] = [
        Section::Header,
        Section::Network,
        Section::Link,
        Section::Clock,
        Section::Lock,
        Section::Client,
        Section::Worker,
        Section::Resource,
        Section::Fault,
        Section::Design,
        Section::Expect,
        Section::Sweep,
        Section::Explore,
        Section::Lesson,
    ];

    /// The key of the table at the top of the file; empty for the header itself.
    pub const fn word(self) -> &'static str {
        match self {
            Section::Header => "",
            Section::Network => "network",
            Section::Link => "link",
            Section::Clock => "clock",
            Section::Lock => "lock",
            Section::Client => "client",
            Section::Worker => "worker",
            Section::Resource => "resource",
            Section::Fault => "fault",
            Section::Design => "design",
            Section::Expect => "expect",
            Section::Sweep => "sweep",
            Section::Explore => "explore",
            Section::Lesson => "lesson",
        }
    }

    /// May a design set keys of this table?
    pub const fn of_designs(self) -> bool {
        matches!(self, Section::Lock | Section::Client | Section::Resource | Section::Expect)
    }

    /// Where a key of this table may stand, for the reference.
    pub const fn places(self) -> &'static str {
        match self {
            Section::Header => "at the top of the file",
            Section::Network => "`[network]`",
            Section::Link => "`[[link]]`",
            Section::Clock => "`[clock.<name>]`",
            Section::Lock => "`[lock]`, a design's `lock`, `[[lock.also]]`",
            Section::Client => "`[client]`, a design's `client`, a worker's `client`",
            Section::Worker => "`[[worker]]`",
            Section::Resource => "`[resource]`, a design's `resource`, `[[resource.also]]`",
            Section::Fault => "`[[fault]]`",
            Section::Design => "`[[design]]`",
            Section::Expect => "`[expect]`, a design's `expect`",
            Section::Sweep => "`[sweep]`",
            Section::Explore => "`[explore]`",
            Section::Lesson => "`[lesson]`",
        }
    }

    pub fn rows(self) -> impl Iterator<Item = &'static Row> {
        rows().filter(move |r| r.section == self)
    }

    /// Its keys, in the order of the reference.
    #[inline(never)]
    pub fn keys(self) -> Vec<&'static str> {
        let mut out = Vec::new();
        for r in self.rows() {
            out.push(r.key);
        }
        out
    }

    /// The table with this key at the top of the file; the header for an empty one.
    #[inline(never)]
    pub fn from_word(word: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|s| s.word() == word)
    }
}

/// What kind of value a key takes. Words of a row may stand beside a time or a number (`"never"`, `"forever"`, `"ttl"`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    Text,
    Texts,
    Bool,
    Int {
        min: i64,
        max: i64,
    },
    /// A decimal number above zero with at most six decimals: seconds shown per true second.
    Rate,
    /// A least number of votes: a decimal above zero.
    Votes,
    /// A length, fixed. A draw is part of the language and this engine cannot run it here.
    Time,
    /// A length that can never be a draw.
    FixedTime,
    /// A length that may be negative.
    SignedTime,
    /// A length, or a part of the TTL: `"ttl/3"`.
    Period,
    /// A length or a draw.
    Draw,
    Moment,
    Share,
    Margin,
    Name,
    Names,
    /// A list of lists of names.
    Groups,
    Word,
    Words,
    Steps,
    /// Message kinds.
    Kinds,
    /// Whole numbers from 1.
    Counts,
    /// A table with keys of its own; the sentence says which.
    Table,
    Properties,
    Measures,
    /// `"wait W2 < 10.1s"`.
    MeasureClaims,
    /// `"W1 apply 2 at 4.165s"`.
    Instants,
    /// Ends by worker.
    Ends,
}

impl Type {
    /// For the reference and for diagnostics: "a time", "a word".
    pub const fn word(self) -> &'static str {
        match self {
            Type::Text => "text",
            Type::Texts => "list of text",
            Type::Bool => "true or false",
            Type::Int { .. } => "whole number",
            Type::Rate | Type::Votes => "number",
            Type::Time | Type::FixedTime | Type::SignedTime | Type::Period => "time",
            Type::Draw => "time or draw",
            Type::Moment => "moment",
            Type::Share => "share",
            Type::Margin => "share, time or both",
            Type::Name => "name",
            Type::Names => "list of name",
            Type::Groups => "list of lists of name",
            Type::Word => "word",
            Type::Words => "list of word",
            Type::Steps => "list of step",
            Type::Kinds => "list of message kind",
            Type::Counts => "list of whole number",
            Type::Table => "table",
            Type::Properties => "list of property",
            Type::Measures => "list of measure",
            Type::MeasureClaims => "list of claim about a measure",
            Type::Instants => "list of instant",
            Type::Ends => "table of ends by worker",
        }
    }

    /// A list, where one value may stand for a list of one.
    pub const fn is_list(self) -> bool {
        matches!(
            self,
            Type::Texts
                | Type::Names
                | Type::Words
                | Type::Steps
                | Type::Kinds
                | Type::Counts
                | Type::Properties
                | Type::Measures
                | Type::MeasureClaims
                | Type::Instants
        )
    }
}

/// One word that a key allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    pub text: &'static str,
    pub built: bool,
}

/// A word that this version can run.
pub const fn w(text: &'static str) -> Word {
    Word { text, built: true }
}

/// A word that is part of the language, and not built yet.
pub const fn later(text: &'static str) -> Word {
    Word { text, built: false }
}

/// Which services a key means something to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uses {
    All,
    /// Every service except `none`.
    Locks,
    /// Families, with all products in them.
    Families(&'static [&'static str]),
    /// Exactly these services.
    Only(&'static [&'static str]),
}

impl Uses {
    pub fn has(self, service: &str) -> bool {
        match self {
            Uses::All => true,
            Uses::Locks => service != "none",
            Uses::Families(list) => list.contains(&services::family(service)),
            Uses::Only(list) => list.contains(&service),
        }
    }

    /// For a sentence: "consensus, chubby, consul, redis, redlock".
    pub fn words(self) -> String {
        match self {
            Uses::All => "all".to_string(),
            Uses::Locks => "all but none".to_string(),
            Uses::Families(list) | Uses::Only(list) => listed(list),
        }
    }
}

/// One key of the language.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub section: Section,
    pub key: &'static str,
    pub ty: Type,
    /// As it would be written, without quotes; empty if there is none. May name another key (`ttl`).
    pub default: &'static str,
    /// Words it allows, or words beside a time or a number.
    pub words: &'static [Word],
    pub uses: Uses,
    /// Can this version run it?
    pub built: bool,
    /// Its place in the table.
    pub(crate) nth: usize,
}

impl Row {
    /// A row that is made on the way: a verb of a fault with the kind of its value.
    pub(crate) const fn new(section: Section, key: &'static str, ty: Type) -> Row {
        Row { section, key, ty, default: "", words: &[], uses: Uses::All, built: true, nth: usize::MAX }
    }

    /// `lock.ttl`, `horizon`.
    #[inline(never)]
    pub fn path(&self) -> String {
        match self.section {
            Section::Header => self.key.to_string(),
            s => said("{0}.{1}", &[s.word(), self.key]),
        }
    }

    #[inline(never)]
    pub fn word(&self, text: &str) -> Option<&'static Word> {
        self.words.iter().find(|w| w.text == text)
    }

    /// One sentence; empty, as long as the texts are not there.
    pub fn says(&self) -> &'static str {
        match (self.section, faults::fault_verb(self.key)) {
            (Section::Fault, Some(verb)) => verb.says(),
            _ => sentence(self.nth),
        }
    }

    /// A text of TOML that uses it.
    pub fn example(&self) -> String {
        meaning::meaning("keys", &self.path()).0.replace("\\n", "\n")
    }
}

/// The words of a list with commas, as tables of this language hold them.
#[inline(never)]
pub fn words_of(list: &'static str) -> Vec<&'static str> {
    if list.is_empty() { Vec::new() } else { split(list, ", ") }
}

/// How many rows the table has.
pub(crate) fn count() -> usize {
    keys::all().len()
}

/// All rows, in the order of the reference.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    keys::all().iter()
}

/// The row of a key in its table.
#[inline(never)]
pub fn row(section: Section, key: &str) -> Option<&'static Row> {
    section.rows().find(|r| r.key == key)
}

/// The row of a path such as `lock.ttl` or `horizon`.
#[inline(never)]
pub fn by_path(path: &str) -> Option<&'static Row> {
    match cut(path, ".") {
        None => row(Section::Header, path),
        Some((section, key)) => row(Section::from_word(section)?, key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_is_complete_and_alone() {
        let mut seen = BTreeSet::new();
        for r in rows() {
            assert!(seen.insert(r.path()), "{} has two rows", r.path());
            assert!(r.says().ends_with('.') && r.says().len() > 10, "{}: a sentence, please", r.path());
            assert!(r.example().contains(r.key), "the example of {} does not show it", r.path());
            if matches!(r.ty, Type::Word) && !r.default.is_empty() {
                assert!(
                    !r.words.is_empty() && r.word(r.default).is_some_and(|w| w.built),
                    "{}: the default is a built word",
                    r.path()
                );
            }
            assert_eq!(by_path(&r.path()).map(Row::path), Some(r.path()));
            if let Uses::Families(list) | Uses::Only(list) = r.uses {
                assert!(list.iter().all(|s| services::service(s).is_some()), "{}: unknown service", r.path());
            }
        }
    }
}
