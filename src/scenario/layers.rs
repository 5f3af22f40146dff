//! Where a value comes from: general yields to particular.
//!
//! From the most general to the most particular: the built-in default → the profile of the service in force → the story's `[lock]`, `[client]`,
//! `[resource]` → the design's protection → the design's own keys → what is written on one named worker, lock or resource. The last is a fact
//! of the story ("this program does not check its deadline") and holds under every design.

use super::profile::{profile, protection_row};
use super::quantity::{margin, time};
use super::registry::{Row, Section, by_path, row};
use super::scenario::{Design, Scenario, Settings};
use super::tree::Node;
use super::value::{as_bool, as_draw, as_int, as_span, as_texts, from_words, normalize};
use crate::base::Span;
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
        let named = match (row.section, name) {
            (_, None) => None,
            (Section::Client, Some(n)) => Some(&self.workers.get(self.worker(n)?)?.client),
            (Section::Lock, Some(n)) => self.more_locks.iter().find(|(name, _)| name == n).map(|(_, s)| s),
            (_, Some(n)) => self.more_resources.iter().find(|(name, _)| name == n).map(|(_, s)| s),
        };
        let (node, layer) = resolver.look(row, named);
        Some((node.to_string(), layer))
    }
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
    pub fn service(&self, named: Option<&Settings>) -> String {
        let row = row(Section::Lock, "service").expect("the registry has lock.service");
        let (node, _) = self.written(row, named).unwrap_or_else(|| (from_words(row, row.default), Layer::Default));
        node.to_string()
    }

    /// The value, canonical, and its layer.
    #[inline(never)]
    pub fn look(&self, row: &Row, named: Option<&Settings>) -> (Node, Layer) {
        if let Some(found) = self.written(row, named) {
            return found;
        }
        let path = row.path();
        let service = self.service(if row.section == Section::Lock { named } else { None });
        if let Some((_, value)) = profile(&service).iter().find(|(p, _)| *p == path) {
            return (canonical(row, value), Layer::Profile);
        }
        (canonical(row, row.default), Layer::Default)
    }

    /// What some layer above the profile says.
    #[inline(never)]
    fn written(&self, row: &Row, named: Option<&Settings>) -> Option<(Node, Layer)> {
        if let Some(node) = named.and_then(|s| s.get(row.key)) {
            return Some((node.clone(), Layer::Named));
        }
        let (own, story) = match row.section {
            Section::Lock => (&self.design.lock, &self.scenario.lock),
            Section::Client => (&self.design.client, &self.scenario.client),
            Section::Resource => (&self.design.resource, &self.scenario.resource),
            _ => return None,
        };
        if let Some(node) = own.get(row.key) {
            return Some((node.clone(), Layer::Design));
        }
        if let Some(node) = self.protected(row) {
            return Some((node, Layer::Protection));
        }
        story.get(row.key).map(|node| (node.clone(), Layer::Story))
    }

    /// What the design's protection sets. It sets only what the service in force has, and a guard by tokens only where there are tokens.
    fn protected(&self, row: &Row) -> Option<Node> {
        let protection = protection_row(self.design.protection.as_deref()?)?;
        let path = row.path();
        let (_, value) = protection.sets.iter().find(|(p, _)| *p == path)?;
        if path == "lock.service" {
            return Some(canonical(row, value));
        }
        let service = self.service(None);
        let fits = match (path.as_str(), *value) {
            ("resource.guard", "fence") => by_path("lock.token").is_some_and(|r| r.uses.has(&service)),
            _ => row.uses.has(&service),
        };
        fits.then(|| canonical(row, value))
    }

    // -------------------------------------------------------------- typed

    #[inline(never)]
    pub fn get(&self, section: Section, key: &str, named: Option<&Settings>) -> Node {
        self.look(key_row(section, key), named).0
    }

    #[inline(never)]
    pub fn word(&self, section: Section, key: &str, named: Option<&Settings>) -> String {
        self.get(section, key, named).to_string()
    }

    pub fn flag(&self, section: Section, key: &str, named: Option<&Settings>) -> bool {
        as_bool(&self.get(section, key, named))
    }

    pub fn int(&self, section: Section, key: &str, named: Option<&Settings>) -> Option<i64> {
        as_int(&self.get(section, key, named))
    }

    /// `None`: a word for "no limit".
    pub fn draw(&self, section: Section, key: &str, named: Option<&Settings>) -> Option<Draw> {
        as_draw(&self.get(section, key, named))
    }

    /// `None`: a word for "no limit". The words `ttl` and `ttl/3` are looked up in `ttl`.
    pub fn span(&self, section: Section, key: &str, named: Option<&Settings>, ttl: Option<Span>) -> Option<Span> {
        let node = self.get(section, key, named);
        match node.as_text()? {
            "ttl" => ttl,
            s if s.starts_with("ttl/") => {
                let divisor: i64 = s["ttl/".len()..].parse().ok()?;
                ttl.map(|t| Span::from_us(t.as_us() / divisor))
            }
            _ => as_span(&node),
        }
    }

    /// `lock.nodes`, if some layer says it: its default depends on the service.
    pub fn written_nodes(&self) -> Option<Vec<String>> {
        self.written(key_row(Section::Lock, "nodes"), None).map(|(n, _)| as_texts(&n))
    }

    pub fn texts(&self, section: Section, key: &str, named: Option<&Settings>) -> Vec<String> {
        as_texts(&self.get(section, key, named))
    }

    /// The TTL of the main lock, or of one of the others; `None`: never ends.
    #[inline(never)]
    pub fn ttl(&self, named: Option<&Settings>) -> Option<Span> {
        let node = self.get(Section::Lock, "ttl", named);
        node.as_text().and_then(|s| time(s).ok())
    }

    pub fn margin(&self, named: Option<&Settings>) -> Margin {
        self.get(Section::Client, "margin", named).as_text().and_then(|s| margin(s).ok()).unwrap_or_default()
    }
}

fn key_row(section: Section, key: &str) -> &'static Row {
    row(section, key).unwrap_or_else(|| panic!("{}.{key} is no key of the language", section.word()))
}

/// A value of a table in code, in canonical form.
pub(crate) fn canonical(row: &Row, value: &str) -> Node {
    let node = from_words(row, value);
    normalize(row, &node).unwrap_or(node)
}
