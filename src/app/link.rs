//! The page's address: what stands in the fragment, where no server sees it.
//!
//! `#p=gc-pause` names a story; whatever says more is read by the second program (`export::address`). What is shown of it stands in the query.

use super::state::Theme;
use crate::base::TrueTime;
use crate::base::pieces::{count, divide, split};
use crate::scenario::preset;

/// What a fragment asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Link {
    /// Nothing.
    Plain,
    Story(&'static str),
    /// More than a name: for the second program to read.
    More,
}

/// Reads a fragment, with or without its `#`.
pub fn read(fragment: &str) -> Link {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    if fragment.is_empty() {
        return Link::Plain;
    }
    let named = fragment.strip_prefix("p=").and_then(preset::known);
    named.map_or(Link::More, Link::Story)
}

/// How the address wants what it opens to be shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    pub theme: Option<Theme>,
    /// The cursor rests there.
    pub at: Option<TrueTime>,
    /// The designs that are shown, by name, by protection or by number from 1.
    pub compare: Vec<String>,
}

/// Reads the query of an address: `?t=15005&compare=none,fencing&theme=dark`. Other keys are somebody else's.
pub fn options(query: &str) -> Options {
    let mut out = Options::default();
    for pair in split(query.strip_prefix('?').unwrap_or(query), "&") {
        let (key, value) = divide(pair, "=");
        match key {
            "theme" => out.theme = Theme::from_word(value),
            "t" => out.at = count(value).map(|ms| TrueTime::from_us((ms.min(MOST_MS) * 1_000) as i64)),
            "compare" => out.compare.extend(split(value, ",").into_iter().filter(|w| !w.is_empty()).map(String::from)),
            _ => {}
        }
    }
    out
}

/// No story is longer, in ms.
const MOST_MS: usize = 2_000_000_000;

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
        for more in ["#p=gc-pause&lock.ttl=4s", "#p=<script>", "#events", "#s1d.x"] {
            assert_eq!(read(more), Link::More, "{more}");
        }
    }

    #[test]
    fn the_query_says_how_to_show_it() {
        assert_eq!(options(""), Options::default());
        let o = options("?utm_source=x&t=15005&compare=none,2,&theme=dark");
        assert_eq!((o.theme, o.at), (Some(Theme::Dark), Some(TrueTime::from_ms(15_005))));
        assert_eq!(o.compare, ["none", "2"]);
        assert_eq!(options("?t=-1&theme=pink&compare=&t=1e9"), Options::default());
        assert!(options("?t=99999999999999999").at.is_some(), "and no overflow");
    }
}
