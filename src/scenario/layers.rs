//! Where a value comes from: general yields to particular.
//!
//! From the most general to the most particular: the built-in default → the profile of the service in force → the story's `[lock]`, `[client]`,
//! `[resource]` → the design's protection → the design's own keys → what is written on one named worker, lock or resource. The last is a fact
//! of the story ("this program does not check its deadline") and holds under every design.

use super::profile::{Values, protection_row, value};
use super::quantity::{draw, margin, signed_time};
use super::registry::services::profile;
use super::registry::{Row, Section, by_path, row, words_of};
use super::scenario::read::words;
use super::scenario::{Design, Scenario, Settings};
use super::tree::{Node, Pos};
use super::value::{as_bool, as_int};
use crate::base::Span;
use crate::base::pieces::whole;
use crate::protocol::params::{Draw, Margin};

/// The layer that had the last word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// The language's own default.
    Default,
    /// The profile of the service in force.
    Profile,
    /// `[lock]`, `[client]`, `[resource]`.
    Story,
    /// The design's `protection`.
    Protection,
    /// The design's own keys.
    Design,
    /// A worker's `client`, `[[lock.also]]`, `[[resource.also]]`.
    Named,
}

impl Layer {
    /// For people: "set by …".
    pub const fn words(self) -> &'static str {
        match self {
            Layer::Default => "the language's default",
            Layer::Profile => "the service's profile",
            Layer::Story => "the story",
            Layer::Protection => "the design's protection",
            Layer::Design => "the design",
            Layer::Named => "this one itself",
        }
    }
}

impl Scenario {
    /// The value of `lock.ttl`, `client.retry`, `resource.guard` under a design, as text, and the layer it comes from. `None` if there is no
    /// such key of a lock, a client or a resource, or no such design.
    pub fn resolved(&self, design: usize, path: &str) -> Option<(String, Layer)> {
        self.resolved_for(design, path, None)
    }

    /// As [`Scenario::resolved`], for one worker (`client.…`), one lock (`lock.…`) or one resource (`resource.…`), by name.
    pub fn resolved_for(&self, design: usize, path: &str, name: Option<&str>) -> Option<(String, Layer)> {
        let row = by_path(path).filter(|r| matches!(r.section, Section::Lock | Section::Client | Section::Resource))?;
        let resolver = Resolver::new(self, self.designs.get(design)?);
        let called = |list: &'_ [Settings], name: &str| {
            list.iter().position(|s| super::scenario::read::text(s, "name") == Some(name))
        };
        let named = match (row.section, name) {
            (_, None) => None,
            (Section::Client, Some(n)) => Some(&self.workers[self.worker(n)?].client),
            (Section::Lock, Some(n)) => called(&self.more_locks, n).map(|i| &self.more_locks[i]),
            (_, Some(n)) => called(&self.more_resources, n).map(|i| &self.more_resources[i]),
        };
        let (value, layer) = resolver.look(row, named);
        Some((value.to_text(), layer))
    }
}

/// A value, wherever it stands: in the file, or in a table of the language in the same words.
#[derive(Clone, Copy)]
pub(crate) enum Setting<'a> {
    Written(&'a Node),
    Words(&'static str),
}

impl<'a> Setting<'a> {
    /// Its place, if it stands in the file.
    pub fn at(self) -> Pos {
        match self {
            Setting::Written(node) => node.at,
            Setting::Words(_) => Pos::UNKNOWN,
        }
    }

    /// A word, a time, a name; empty for what is no text.
    #[inline(never)]
    pub fn text(self) -> &'a str {
        match self {
            Setting::Written(node) => node.as_text().unwrap_or_default(),
            Setting::Words(words) => words,
        }
    }

    /// As people write it: a list with commas.
    pub fn to_text(self) -> String {
        match self {
            Setting::Written(node) => node.shown(),
            Setting::Words(words) => words.to_string(),
        }
    }

    fn texts(self) -> Vec<&'a str> {
        match self {
            Setting::Written(node) => words(node),
            Setting::Words(words) => words_of(words),
        }
    }
}

/// The value of a path in a table of the language.
pub(crate) fn set_to(values: Values, row: &Row) -> Option<&'static str> {
    value(values, row.section.word(), row.key)
}

/// Looks values up under one design.
#[derive(Clone, Copy)]
pub(crate) struct Resolver<'a> {
    pub scenario: &'a Scenario,
    pub design: &'a Design,
}

impl<'a> Resolver<'a> {
    pub fn new(scenario: &'a Scenario, design: &'a Design) -> Resolver<'a> {
        Resolver { scenario, design }
    }

    /// The service in force for the main lock, or for one of the others.
    #[inline(never)]
    pub fn service(&self, named: Option<&'a Settings>) -> &'a str {
        let row = key_row(Section::Lock, "service");
        self.written(row, named).map_or(row.default, |(value, _)| value.text())
    }

    /// The value and its layer.
    #[inline(never)]
    pub fn look(&self, row: &Row, named: Option<&'a Settings>) -> (Setting<'a>, Layer) {
        if let Some(found) = self.written(row, named) {
            return found;
        }
        let service = self.service(if row.section == Section::Lock { named } else { None });
        match set_to(profile(service), row) {
            Some(value) => (Setting::Words(value), Layer::Profile),
            None => (Setting::Words(row.default), Layer::Default),
        }
    }

    /// What some layer above the profile says.
    #[inline(never)]
    fn written(&self, row: &Row, named: Option<&'a Settings>) -> Option<(Setting<'a>, Layer)> {
        if let Some(node) = named.and_then(|s| s.get(row.key)) {
            return Some((Setting::Written(node), Layer::Named));
        }
        if let Some(node) = self.design.own.of(row.section).get(row.key) {
            return Some((Setting::Written(node), Layer::Design));
        }
        if let Some(words) = self.protected(row) {
            return Some((Setting::Words(words), Layer::Protection));
        }
        let node = self.scenario.written.of(row.section).get(row.key)?;
        Some((Setting::Written(node), Layer::Story))
    }

    /// What the design's protection sets. It sets only what the service in force has, and a guard by tokens only where there are tokens.
    fn protected(&self, row: &Row) -> Option<&'static str> {
        let value = set_to(protection_row(self.design.protection.as_deref()?)?.sets, row)?;
        // The service itself waits for nobody.
        if (row.section, row.key) == (Section::Lock, "service") {
            return Some(value);
        }
        let needs = if value == "fence" { key_row(Section::Lock, "token") } else { row };
        needs.uses.has(self.service(None)).then_some(value)
    }

    // -------------------------------------------------------------- typed

    #[inline(never)]
    pub fn get(&self, section: Section, key: &str, named: Option<&'a Settings>) -> Setting<'a> {
        self.look(key_row(section, key), named).0
    }

    #[inline(never)]
    pub fn text(&self, section: Section, key: &str, named: Option<&'a Settings>) -> &'a str {
        self.get(section, key, named).text()
    }

    /// Which of its words the value is.
    #[inline(never)]
    pub fn choice(&self, section: Section, key: &str, named: Option<&'a Settings>) -> usize {
        let row = key_row(section, key);
        let word = self.look(row, named).0.text();
        row.words.iter().position(|w| w.text == word).unwrap_or(0)
    }

    #[inline(never)]
    pub fn flag(&self, section: Section, key: &str, named: Option<&'a Settings>) -> bool {
        match self.get(section, key, named) {
            Setting::Written(node) => as_bool(node),
            Setting::Words(words) => words == "true",
        }
    }

    /// `None`: a word for "no limit".
    #[inline(never)]
    pub fn int(&self, section: Section, key: &str, named: Option<&'a Settings>) -> Option<i64> {
        match self.get(section, key, named) {
            Setting::Written(node) => as_int(node),
            Setting::Words(words) => whole(words),
        }
    }

    /// `None`: a word for "no limit".
    #[inline(never)]
    pub fn draw(&self, section: Section, key: &str, named: Option<&'a Settings>) -> Option<Draw> {
        draw(self.text(section, key, named)).ok()
    }

    /// `None`: a word for "no limit". The words `ttl` and `ttl/3` are looked up in `ttl`.
    #[inline(never)]
    pub fn span(&self, section: Section, key: &str, named: Option<&'a Settings>, ttl: Option<Span>) -> Option<Span> {
        let text = self.text(section, key, named);
        match text.strip_prefix("ttl") {
            None => signed_time(text).ok(),
            Some("") => ttl,
            Some(part) => {
                let divisor = whole(part.strip_prefix('/')?)?;
                ttl.map(|t| Span::from_us(t.as_us() / divisor))
            }
        }
    }

    /// `lock.nodes`, if some layer says it: its default depends on the service.
    pub fn written_nodes(&self) -> Option<Vec<&'a str>> {
        self.written(key_row(Section::Lock, "nodes"), None).map(|(nodes, _)| nodes.texts())
    }

    /// Is this word in the list?
    #[inline(never)]
    pub fn has(&self, section: Section, key: &str, named: Option<&'a Settings>, word: &str) -> bool {
        self.texts(section, key, named).contains(&word)
    }

    pub fn texts(&self, section: Section, key: &str, named: Option<&'a Settings>) -> Vec<&'a str> {
        self.get(section, key, named).texts()
    }

    /// The TTL of the main lock, or of one of the others; `None`: never ends.
    pub fn ttl(&self, named: Option<&'a Settings>) -> Option<Span> {
        self.span(Section::Lock, "ttl", named, None)
    }

    pub fn margin(&self, named: Option<&'a Settings>) -> Margin {
        margin(self.text(Section::Client, "margin", named)).unwrap_or_default()
    }
}

fn key_row(section: Section, key: &str) -> &'static Row {
    row(section, key).expect("this is a key of the language")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::profile::PROTECTIONS;
    use crate::scenario::registry::rows;
    use crate::scenario::value::{from_words, normalize};

    /// What a table of the language says is read as it stands there.
    #[test]
    fn words_of_the_language_are_canonical() {
        let settings = [Section::Lock, Section::Client, Section::Resource];
        let defaults = rows().filter(|r| settings.contains(&r.section)).map(|r| (r.path(), r.default));
        let sets = PROTECTIONS
            .iter()
            .map(|p| p.sets)
            .chain([profile("redis")])
            .flat_map(super::super::profile::pairs)
            .map(|(p, v)| (p.to_string(), v));
        for (path, value) in defaults.chain(sets) {
            let row = by_path(&path).expect("a key");
            // Some defaults are a description: "own name".
            if let Ok(node) = normalize(row, &from_words(row, value)) {
                assert_eq!(node.to_string(), value, "{path}");
            }
        }
    }
}
