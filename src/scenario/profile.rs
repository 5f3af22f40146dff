//! Ready sets of values: what a protection stands for, and the servers that a service has if it names none.
//!
//! Both are data. A *profile* sits between the built-in defaults and the story's own tables; it says how one product differs, and stands in
//! `registry/services.txt`. A *protection* is one of the standard answers of the catalogue, as overrides that an editor can write out.

use super::registry::{meaning::meaning, words_of};
use crate::base::pieces::cut;

/// Paths with their values, as they would be written without quotes: `lock.release if-owner, lock.renew if-owner`. One text, because a table of
/// pairs would be pointers more than words.
pub type Values = &'static str;

/// Each path with its value.
#[inline(never)]
pub fn pairs(values: Values) -> Vec<(&'static str, &'static str)> {
    let mut out = Vec::new();
    for pair in words_of(values) {
        out.extend(cut(pair, " "));
    }
    out
}

/// The value of a key in a section, if it has one. Asked for every value of every scenario that is read, so nothing is put together for it.
#[inline(never)]
pub fn value(values: Values, section: &str, key: &str) -> Option<&'static str> {
    let mut rest = values;
    loop {
        let (pair, behind) = cut(rest, ", ").unwrap_or((rest, ""));
        let found =
            pair.strip_prefix(section).and_then(|it| it.strip_prefix('.')?.strip_prefix(key)?.strip_prefix(' '));
        if found.is_some() {
            return found;
        }
        if behind.is_empty() {
            return None;
        }
        rest = behind;
    }
}

/// The servers of a service that names none.
pub fn default_nodes(service: &str) -> &'static [&'static str] {
    match super::registry::services::family(service) {
        "none" => &[],
        "redlock" => &["A", "B", "C", "D", "E"],
        "consensus" | "session-queue" => &["L1", "L2", "L3"],
        _ => &["L"],
    }
}

/// A standard answer to a story.
#[derive(Clone, Copy, Debug)]
pub struct Protection {
    pub word: &'static str,
    /// The design's name if it gives none.
    pub label: &'static str,
    pub sets: Values,
}

impl Protection {
    /// One sentence.
    pub fn says(&self) -> &'static str {
        meaning("protections", self.word).0
    }

    /// Its code in the catalogue.
    pub fn code(&self) -> &'static str {
        meaning("protections", self.word).1
    }
}

const fn protection(word: &'static str, label: &'static str, sets: Values) -> Protection {
    Protection { word, label, sets }
}

pub const PROTECTIONS: &[Protection] = &[
    protection(
        "none",
        "No protection",
        "lock.release unconditional, lock.renew unconditional, client.check_deadline false",
    ),
    protection(
        "safe-release",
        "Safe release",
        "lock.release if-owner, lock.renew if-owner, client.owner_id per-try, client.check_deadline true",
    ),
    protection(
        "fencing",
        "Fencing at the resource",
        "lock.release if-owner, lock.renew if-owner, client.owner_id per-try, client.check_deadline true, lock.token \
         ordered, resource.guard fence",
    ),
    protection(
        "activation",
        "Activation fence",
        "lock.release if-owner, lock.renew if-owner, client.owner_id per-try, client.check_deadline true, lock.token \
         ordered, resource.guard fence, client.activate true",
    ),
    protection(
        "idempotency",
        "Idempotency key",
        "lock.release if-owner, lock.renew if-owner, client.owner_id per-try, client.check_deadline true, \
         resource.guard idempotency",
    ),
    protection(
        "consensus",
        "Consensus lease",
        "lock.service consensus, lock.release if-owner, lock.renew if-owner, client.owner_id per-try, \
         client.check_deadline true",
    ),
    protection(
        "redlock",
        "Redlock",
        "lock.service redlock, lock.release if-owner, lock.renew if-owner, client.owner_id per-try, \
         client.check_deadline true",
    ),
    protection(
        "consensus+fencing",
        "Consensus and fencing",
        "lock.service consensus, lock.release if-owner, lock.renew if-owner, client.owner_id per-try, \
         client.check_deadline true, lock.token ordered, resource.guard fence",
    ),
    protection(
        "consensus+activation",
        "Consensus and activation",
        "lock.service consensus, lock.release if-owner, lock.renew if-owner, client.owner_id per-try, \
         client.check_deadline true, lock.token ordered, resource.guard fence, client.activate true",
    ),
];

pub fn protection_row(word: &str) -> Option<&'static Protection> {
    PROTECTIONS.iter().find(|p| p.word == word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::registry::{by_path, services::services};
    use crate::scenario::value::{from_words, normalize};

    #[test]
    fn words_and_protections_agree() {
        let words: Vec<(&str, bool)> =
            by_path("design.protection").unwrap().words.iter().map(|w| (w.text, w.built)).collect();
        let rows: Vec<(&str, bool)> = PROTECTIONS.iter().map(|p| (p.word, true)).collect();
        assert_eq!(words, rows);
    }

    #[test]
    fn every_value_of_a_profile_or_a_protection_is_in_the_language() {
        let profiles = services().iter().map(|s| s.sets);
        let all = PROTECTIONS.iter().map(|p| p.sets).chain(profiles).flat_map(pairs);
        for (path, value) in all {
            let row = by_path(path).unwrap_or_else(|| panic!("{path} is no key"));
            normalize(row, &from_words(row, value)).unwrap_or_else(|e| panic!("{path} = {value}: {}", e.message));
        }
    }

    #[test]
    fn one_value_is_the_one_among_all() {
        for sets in services().iter().map(|s| s.sets).chain(PROTECTIONS.iter().map(|p| p.sets)) {
            for (path, is) in pairs(sets) {
                let (section, key) = cut(path, ".").expect("a section and a key");
                assert_eq!(
                    value(sets, section, key),
                    pairs(sets).iter().find(|p| p.0 == path).map(|p| p.1),
                    "{path} {is}"
                );
                assert_eq!(value(sets, section, &key[..key.len() - 1]), None, "part of a path is none");
            }
            assert_eq!(value(sets, "lock", ""), None);
        }
    }
}
