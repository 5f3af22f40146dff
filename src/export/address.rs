//! What an address asks for.
//!
//! `#p=gc-pause&lock.ttl=4s`: a story by name, with some of its values changed. `#s1d.…`: a whole scenario, see [`link`](super::link).
//! `#gist:ID/REVISION` and `#src=https://…`: a scenario that has to be fetched, and nothing is fetched before a person says so. Behind each,
//! `&o=…`: what its maker's engine answered. Words of a later version are told and ignored: such a link must open.

use super::link::{self, Promise, Refusal};
use crate::app::form;
use crate::app::text::share as words;
use crate::scenario::{self, preset, registry};

/// What the page opens.
#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    pub text: String,
    /// The story that it was made from.
    pub origin: Option<&'static str>,
    /// What a person should be told, in sentences.
    pub notices: Vec<String>,
}

/// What came of an address.
#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    Opened(Opened),
    /// Something has to be fetched from elsewhere.
    Fetch(Fetch),
    Refused(Refusal),
}

/// Where a scenario has to be fetched from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetch {
    /// What is fetched.
    pub url: String,
    /// For people: whose it is.
    pub host: String,
    /// What comes is the answer of GitHub about a gist.
    pub gist: bool,
}

/// Reads a fragment, with or without `#`.
pub fn read(fragment: &str) -> Asked {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    if let Some(url) = fragment.strip_prefix("src=") {
        return fetch(&decoded(url)).map_or_else(Asked::Refused, Asked::Fetch);
    }
    if let Some(gist) = fragment.strip_prefix("gist:") {
        return gist_of(gist.split('&').next().unwrap_or_default()).map_or_else(Asked::Refused, Asked::Fetch);
    }
    let made = match fragment.strip_prefix('s').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        Some(packed) => packed_story(packed),
        None => named(fragment),
    };
    made.map_or_else(Asked::Refused, Asked::Opened)
}

fn packed_story(packed: &str) -> Result<Opened, Refusal> {
    let mut pairs = packed.split('&');
    let carried = link::unpack(pairs.next().unwrap_or_default())?;
    let mut opened = Opened { text: carried.text, origin: None, notices: carried.ignored };
    let mut promise = None;
    for pair in pairs {
        match pair.split_once('=') {
            Some(("o", written)) => promise = Some(written),
            _ => opened.notices.push(words::ignored(&quoted(pair))),
        }
    }
    keep(&mut opened, promise);
    Ok(opened)
}

fn named(fragment: &str) -> Result<Opened, Refusal> {
    let mut pairs = fragment.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let id = pairs.clone().find(|(key, _)| *key == "p").map(|(_, id)| decoded(id));
    let Some(id) = id else { return Err(Refusal::new(words::LINK_UNKNOWN)) };
    let Some(preset) = preset::by_id(&id) else { return Err(Refusal::new(words::link_no_story(&quoted(&id)))) };
    let mut opened = Opened { text: preset.text.to_string(), origin: Some(preset.id), notices: Vec::new() };
    let mut promise = None;
    for (key, value) in pairs.by_ref() {
        match key {
            "" | "p" => {}
            "o" => promise = Some(value),
            key => match changed(&opened.text, &decoded(key), &decoded(value)) {
                Ok(text) => opened.text = text,
                Err(why) => opened.notices.push(words::not_changed(&quoted(&decoded(key)), &why)),
            },
        }
    }
    keep(&mut opened, promise);
    Ok(opened)
}

/// Compares what the link says of its outcome with what this engine answers.
fn keep(opened: &mut Opened, promise: Option<&str>) {
    let Some(written) = promise else { return };
    let Some(promise) = Promise::read(written) else {
        opened.notices.push(words::PROMISE_UNREADABLE.to_string());
        return;
    };
    let scenario = scenario::parse(&opened.text).scenario;
    opened.notices.extend(scenario.and_then(|s| promise.broken_by(&s)));
}

/// The text with one value changed: `lock.ttl` and `4s`; for short `ttl`, and `4000` where a time is meant, in ms.
fn changed(text: &str, key: &str, value: &str) -> Result<String, String> {
    let path = if key.contains('.') { key.to_string() } else { long(key) };
    let draft = form::attempt(text, &path, value).or_else(|why| {
        let bare = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
        if bare { form::attempt(text, &path, &[value, "ms"].concat()).map_err(|_| why) } else { Err(why) }
    });
    draft.map(|d| d.text.to_string())
}

/// The path of a key that is said without its table.
fn long(key: &str) -> String {
    use registry::Section::{Client, Header, Lock, Network, Resource};
    let table = [Header, Lock, Client, Network, Resource].into_iter().find(|s| registry::row(*s, key).is_some());
    match table {
        None | Some(Header) => key.to_string(),
        Some(section) => [section.word(), ".", key].concat(),
    }
}

/// A gist by its id, and perhaps its revision.
fn gist_of(words_of: &str) -> Result<Fetch, Refusal> {
    let (id, revision) = words_of.split_once('/').unwrap_or((words_of, ""));
    let hex = |s: &str| !s.is_empty() && s.len() <= 64 && s.bytes().all(|b| b.is_ascii_hexdigit());
    if !hex(id) || !(revision.is_empty() || hex(revision)) {
        return Err(Refusal::new(words::link_no_gist(&quoted(words_of))));
    }
    let rest = if revision.is_empty() { String::new() } else { ["/", revision].concat() };
    let url = ["https://api.github.com/gists/", id, &rest].concat();
    Ok(Fetch { url, host: "gist.github.com".to_string(), gist: true })
}

/// A page or a file on the web: pages of GitHub and GitLab are turned into the files that they show.
///
/// # Errors
/// It is no address that a page may fetch.
pub fn fetch(url: &str) -> Result<Fetch, Refusal> {
    let url = url.trim();
    let refused = || Refusal::new(words::link_no_address(&quoted(url)));
    let rest = url.strip_prefix("https://").ok_or_else(refused)?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    // A name and a password before the host would show one place and fetch from another.
    let plain = |b: u8| b.is_ascii_alphanumeric() || b".-:".contains(&b);
    if host.is_empty() || !host.bytes().all(plain) || url.len() > 2_000 || url.chars().any(char::is_whitespace) {
        return Err(refused());
    }
    let parts: Vec<&str> = path.split(['?', '#']).next().unwrap_or_default().split('/').collect();
    let url = match (host, parts.as_slice()) {
        ("gist.github.com", [_, id]) => return gist_of(id),
        ("gist.github.com", [_, id, revision]) => return gist_of(&[id, "/", revision].concat()),
        ("github.com", [owner, name, "blob" | "raw", place @ ..]) if place.len() > 1 => {
            ["https://raw.githubusercontent.com/", owner, "/", name, "/", &place.join("/")].concat()
        }
        _ => url.replacen("/-/blob/", "/-/raw/", 1),
    };
    let host = if host == "github.com" { "raw.githubusercontent.com" } else { host };
    Ok(Fetch { url, host: host.to_string(), gist: false })
}

/// `%20` and the like, undone; what is no such code stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (b, ..) => {
                out.push(b);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// What a sentence can quote.
fn quoted(word: &str) -> String {
    super::line(&word.chars().take(80).collect::<String>())
}
