//! What somebody brings: a text from the clipboard or a file, a picture, an answer from the web.
//!
//! A text may be a scenario as TOML or JSON, a trace that holds one, a link to a page of ours, or an address where one lies. Whatever it is, the
//! answer is the same kind: something to open, something to fetch, or a refusal that says why and keeps the text.

use super::address::{self, Asked, Opened};
use super::link::Refusal;
use super::png;
use crate::app::text::share as words;
use crate::scenario::tree::{MAX_TEXT, is_json};
use crate::scenario::{self, to_toml};
use serde_json::Value;

/// Finds out what a text is.
pub fn text(text: &str) -> Asked {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    if trimmed.is_empty() {
        return Asked::Refused(Refusal::new(words::NOTHING_BROUGHT));
    }
    let one_line = !trimmed.contains('\n');
    if one_line && let Some(fragment) = fragment(trimmed) {
        return address::read(fragment);
    }
    if one_line && trimmed.starts_with("https://") {
        return address::fetch(trimmed).map_or_else(Asked::Refused, Asked::Fetch);
    }
    story(unfenced(trimmed))
}

/// Finds out what a file is: a picture that carries a scenario, or a text.
pub fn file(bytes: &[u8]) -> Asked {
    if bytes.starts_with(b"\x89PNG") {
        return match png::take(bytes) {
            Ok(text) => story(&text),
            Err(refusal) => Asked::Refused(refusal),
        };
    }
    // A trace of many runs is that long, and holds a scenario.
    if bytes.len() > 512 * MAX_TEXT {
        return Asked::Refused(Refusal::new(words::file_long(bytes.len())));
    }
    match std::str::from_utf8(bytes) {
        Ok(read) => text(read),
        Err(_) => Asked::Refused(Refusal::new(words::FILE_NO_TEXT)),
    }
}

/// Reads what GitHub answers about a gist: the first file that is a scenario, else the first that looks like one.
pub fn gist(answer: &str) -> Asked {
    let Ok(Value::Object(answer)) = serde_json::from_str(answer) else {
        return Asked::Refused(Refusal::new(words::GIST_NO_ANSWER));
    };
    let Some(Value::Object(files)) = answer.get("files") else {
        let said = answer.get("message").and_then(Value::as_str).unwrap_or_default();
        return Asked::Refused(Refusal::new(words::gist_refused(&super::line(said))));
    };
    let contents = || files.values().filter_map(|f| f.get("content").and_then(Value::as_str));
    let whole = contents().find(|c| c.len() <= MAX_TEXT && scenario::parse(c).scenario.is_some());
    let named = || {
        let ours = |name: &str| name.ends_with(".toml") || name.ends_with(".json");
        files.iter().find(|(name, _)| ours(name)).and_then(|(_, f)| f.get("content").and_then(Value::as_str))
    };
    match whole.or_else(named) {
        Some(found) => story(found),
        None => Asked::Refused(Refusal::new(words::GIST_EMPTY)),
    }
}

/// The fragment of a link to a page like ours, wherever that page stands.
fn fragment(text: &str) -> Option<&str> {
    let at = text.find('#')?;
    let front = &text[..at];
    let ours = |f: &str| {
        ["p=", "gist:", "src="].iter().any(|w| f.starts_with(w))
            || (f.starts_with('s') && f[1..].starts_with(|c: char| c.is_ascii_digit()) && f.contains('.'))
    };
    let address = front.is_empty() || front.contains("://");
    (address && ours(&text[at + 1..])).then_some(&text[at..])
}

/// What stands between the fences of a code block, if all of the text is one.
fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|t| t.trim_end().strip_suffix("```"));
    inner.and_then(|t| t.split_once('\n')).map_or(text, |(_, body)| body)
}

/// A scenario, or a trace with one in it.
fn story(text: &str) -> Asked {
    if let Some(inner) = of_trace(text) {
        return story(&inner);
    }
    let parsed = scenario::parse(text);
    match parsed.scenario {
        // A text of people's own stays as it is; JSON is for programs.
        Some(scenario) => {
            let mut text = if is_json(text) { to_toml(&scenario.tree) } else { text.to_string() };
            if !text.ends_with('\n') {
                text.push('\n');
            }
            Asked::Opened(Opened { text, origin: None, notices: Vec::new() })
        }
        None => {
            let first = super::first_error(&parsed.diagnostics);
            // What is too long to be a scenario is not carried about.
            let raw = (text.len() <= MAX_TEXT).then(|| text.to_string());
            Asked::Refused(Refusal { why: words::no_scenario(&first), raw })
        }
    }
}

/// The scenario in a document of `fencepost.trace/1`.
fn of_trace(text: &str) -> Option<String> {
    if !is_json(text) || !text.contains("fencepost.trace/") {
        return None;
    }
    let document: Value = serde_json::from_str(text).ok()?;
    let scenario = document.get("scenario").filter(|s| s.is_object())?;
    serde_json::to_string(scenario).ok()
}
