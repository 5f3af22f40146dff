//! What the second program does for those who hand a story on or bring one in: texts in, texts out.

use super::address::{self, Asked};
use super::{Format, import, panel, png};
use crate::app::share::Wish;
use crate::scenario;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

/// Writes what somebody wants to take away: the file's name, its kind, and what stands in it. Empty: the text cannot be run.
///
/// For `png` that is the picture to be drawn, and a browser has to draw it: see [`picture`].
pub fn export(word: &str, wish: &Wish) -> Vec<String> {
    let Some(link) = panel::link(wish) else { return Vec::new() };
    let named = |extension: &str| [&name(wish), ".", extension].concat();
    match (word, Format::from_word(if word == "png" { "svg" } else { word })) {
        ("qr", _) => {
            super::qr::svg(&link).map_or(Vec::new(), |svg| vec![named("qr.svg"), Format::Svg.mime().into(), svg])
        }
        (_, Some(format)) => {
            let extension = if word == "png" { "png" } else { format.extension() };
            let mime = if word == "png" { "image/png" } else { format.mime() };
            match super::of_text(format, &wish.text, &wish.designs, &link) {
                Some(written) => vec![named(extension), mime.into(), written],
                None => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// A drawn picture and the scenario that it shall carry; both ways, pictures are base64.
pub fn picture(drawn: &str, name: &str, text: &str) -> Vec<String> {
    let bytes = BASE64_STANDARD.decode(drawn).ok();
    match bytes.and_then(|b| png::put(&b, text)) {
        Some(with) => vec![name.to_string(), "image/png".to_string(), BASE64_STANDARD.encode(with)],
        None => Vec::new(),
    }
}

/// Finds out what somebody brings: a `text`, a `file` as base64, an `answer` of GitHub's about a gist, or the fragment of a `link`.
pub fn bring(kind: &str, what: &str) -> Vec<String> {
    told(match kind {
        "link" => address::read(what),
        "answer" => import::gist(what),
        "file" => import::file(&BASE64_STANDARD.decode(what).unwrap_or_default()),
        _ => import::text(what),
    })
}

/// As `app::share::brought` reads it.
fn told(asked: Asked) -> Vec<String> {
    match asked {
        Asked::Opened(o) => {
            let head = ["opened".to_string(), o.text, o.origin.unwrap_or_default().to_string()];
            head.into_iter().chain(o.notices).collect()
        }
        Asked::Fetch(f) => vec!["fetch".into(), f.url, f.host, if f.gist { "gist" } else { "" }.into()],
        Asked::Refused(r) => ["refused".to_string(), r.why].into_iter().chain(r.raw).collect(),
    }
}

/// What a file is called: as the story is, in letters that every system takes.
fn name(wish: &Wish) -> String {
    let title = scenario::parse(&wish.text).scenario.and_then(|s| s.title).unwrap_or_default();
    let mut out = String::new();
    let words = if wish.origin.is_empty() { title.as_str() } else { wish.origin.as_str() };
    for c in words.chars().take(60) {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "scenario".to_string() } else { out.to_string() }
}
