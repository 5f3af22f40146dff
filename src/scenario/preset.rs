//! The stories that come with Fencepost.
//!
//! Each is a file of its own in `static/presets`, with a claim that its `expect` blocks test. The numbers are those of the catalogue of known
//! failures; stories about one product or one kind of resource begin with an X. Field reports stand in `static/reports`: what people have
//! told in public, with its reference. Which there are stands in `shelf`; their texts may have to be fetched first (`texts`).

use super::{shelf, texts, tree};

/// One story.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// For links: never changed.
    pub id: &'static str,
    /// Its number in the catalogue; variants share one. A field report has none.
    pub number: &'static str,
    /// For the picker.
    pub group: &'static str,
    /// From the file.
    pub title: String,
    /// From the file: the one sentence that its expectations test.
    pub claim: String,
    /// Where it comes from: the first that the file names.
    pub source: String,
    /// The whole file.
    pub text: &'static str,
}

/// What the page opens with.
pub const DEFAULT: &str = "gc-pause";

/// The group of what people have told.
pub const REPORTS: &str = "field reports";

/// Group, number and id of all stories, in the order of the picker; field reports come last.
fn listed() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let told = shelf::REPORTS.iter().chain(shelf::ELSEWHERE.iter().map(|(id, _)| id));
    shelf::STORIES.iter().copied().chain(told.map(|id| (REPORTS, "", *id)))
}

/// Are the stories there? The first one always is.
pub fn here() -> bool {
    texts::here()
}

/// All stories, in the order of the picker: by group, then from simple to odd; field reports come last. None, as long as they are not there.
pub fn all() -> Vec<Preset> {
    if !here() {
        return Vec::new();
    }
    listed().enumerate().filter_map(|(nth, listed)| preset(nth, listed)).collect()
}

/// The id of a story that there is, whether its text is there or not.
pub fn known(id: &str) -> Option<&'static str> {
    listed().map(|(_, _, known)| known).find(|known| *known == id)
}

/// The group of the story with this id, whether its text is there or not.
pub fn group(id: &str) -> Option<&'static str> {
    listed().find(|(_, _, known)| *known == id).map(|(group, ..)| group)
}

/// The story with this id, if its text is there.
pub fn by_id(id: &str) -> Option<Preset> {
    let (nth, listed) = listed().enumerate().find(|(_, (_, _, known))| *known == id)?;
    preset(nth, listed)
}

/// The text of the story with this id, if it is there.
pub fn text(id: &str) -> Option<&'static str> {
    let (nth, (.., id)) = listed().enumerate().find(|(_, (_, _, known))| *known == id)?;
    text_of(nth, id)
}

fn text_of(nth: usize, id: &str) -> Option<&'static str> {
    let elsewhere = || Some(shelf::ELSEWHERE.get(nth.checked_sub(shelf::STORIES.len() + shelf::REPORTS.len())?)?.1);
    if id == DEFAULT { Some(shelf::FIRST) } else { elsewhere().or_else(|| texts::story(nth)) }
}

fn preset(nth: usize, (group, number, id): (&'static str, &'static str, &'static str)) -> Option<Preset> {
    let text = text_of(nth, id)?;
    // A test reads the text, so a title is there; the tree is enough to find it.
    let table = tree::read(text).unwrap_or_default();
    let get = |key: &str| table.get(key).and_then(|n| n.as_text()).unwrap_or("").to_string();
    let source = table.get("source").and_then(|n| n.items().first()?.as_text()).unwrap_or("").to_string();
    Some(Preset { id, number, group, title: get("title"), claim: get("claim"), source, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::parse;
    use std::collections::BTreeSet;

    #[test]
    fn every_story_is_read_without_a_mistake() {
        let mut ids = BTreeSet::new();
        for p in all() {
            let parsed = parse(p.text);
            let errors: Vec<String> =
                parsed.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", p.id);
            let s = parsed.scenario.unwrap();
            assert!(ids.insert(p.id), "{} twice", p.id);
            assert!(
                !p.title.is_empty() && p.claim.ends_with('.') && s.story.is_some() && !s.source.is_empty(),
                "{}",
                p.id
            );
            for (i, d) in s.designs().iter().enumerate() {
                // What a report claims of its designs is for its own test.
                assert!(p.group == REPORTS || d.expect.violates.is_some(), "{}: {} claims nothing", p.id, d.name);
                assert_eq!(s.config(i).workers.len(), s.workers.len());
            }
        }
        assert_eq!(by_id(DEFAULT).map(|p| p.text), all().into_iter().find(|p| p.id == DEFAULT).map(|p| p.text));
        assert_eq!(known("etcd-10811"), Some("etcd-10811"));
        assert_eq!((group("gc-pause"), group("etcd-10811")), (Some("basics"), Some(REPORTS)));
        assert!(all().iter().all(|p| text(p.id) == Some(p.text)));
        assert_eq!((known("no such story"), by_id("no such story"), text("no such story")), (None, None, None));
    }

    #[test]
    fn every_file_is_listed() {
        for (folder, reports) in [("static/presets", false), ("static/reports", true)] {
            let listed: BTreeSet<&str> =
                all().iter().filter(|p| (p.group == REPORTS) == reports).map(|p| p.id).collect();
            assert_eq!(listed.len(), std::fs::read_dir(folder).expect("a folder").count(), "{folder}");
        }
    }

    #[test]
    fn the_first_story_opens_with_two_designs() {
        let s = parse(by_id(DEFAULT).unwrap().text).scenario.unwrap();
        let names: Vec<&str> = s.designs().iter().map(|d| d.name.as_str()).collect();
        assert_eq!(names[..2], ["No fencing", "Fencing at the resource"]);
    }
}
