//! The page's address: what stands in the fragment, where no server sees it.
//!
//! `#p=gc-pause` names a story. Unknown words are told, never an error: a link from a later version must open.

use crate::base::pieces::split;
use crate::scenario::preset;

/// What a fragment asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Link {
    /// Nothing.
    Plain,
    Story(&'static str),
    /// A story that this build does not know.
    UnknownStory(String),
    /// Something else.
    Unknown,
}

/// Reads a fragment, with or without its `#`.
pub fn read(fragment: &str) -> Link {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    if fragment.is_empty() {
        return Link::Plain;
    }
    for pair in split(fragment, "&") {
        if let Some(id) = pair.strip_prefix("p=") {
            return match preset::known(id) {
                Some(id) => Link::Story(id),
                None => Link::UnknownStory(id.chars().take(80).collect()),
            };
        }
    }
    Link::Unknown
}

/// The fragment that names a story.
pub fn story(id: &str) -> String {
    ["#p=", id].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_story_is_named_in_the_fragment() {
        assert_eq!(read(""), Link::Plain);
        assert_eq!(read("#"), Link::Plain);
        assert_eq!(read(&story("gc-pause")), Link::Story("gc-pause"));
        assert_eq!(read("#p=gc-pause&lock.ttl=4s"), Link::Story("gc-pause"));
        assert_eq!(read("#p=<script>"), Link::UnknownStory("<script>".into()));
        assert_eq!(read("#events"), Link::Unknown);
    }
}
