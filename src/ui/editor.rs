//! The scenario as text.
//!
//! What is seen is a copy of the text with its marks; over it lies a text area with transparent letters and a visible caret. Both wrap
//! alike because they share font, width and padding; the copy gives the height, so that nothing scrolls inside of anything. The text
//! area keeps the browser's own editing: selection, its own undo, spelling, touch. What is typed is the state's text at once, so it is
//! never written back, and the caret stays.

use super::markup::{made, on, put};
use crate::app::{Desk, Doc, highlight, reference, text};
use crate::base::pieces::{joined, split};
use crate::scenario::registry::Row;
use crate::scenario::{Diagnostic, Severity};

/// The longest text that is shown with its marks.
const MARKED_LIMIT: usize = 64 * 1024;

/// The longest text that the text area takes, in UTF-16 units. Longer than any scenario may be, so that what is too long by a little can
/// be shortened here; but a pasted log file of megabytes would keep the browser busy for many seconds, whoever reads it.
pub const AREA_LIMIT: u32 = 256 * 1024;

const EDITOR: &str = r#"<div key="text" class="ed{a}"><div class="in">
{b}<textarea id="text" aria-label="{0}" spellcheck="false" autocapitalize="off" autocomplete="off" aria-describedby="diagnostics" maxlength="{c}" data-set="text" value="{D}">
</div></div>"#;

pub fn editor(out: &mut String, doc: &Doc, desk: &Desk) {
    let marked = doc.text.len() <= MARKED_LIMIT;
    let copy = if marked { copy(doc) } else { String::new() };
    let args = [on(!marked, " plain"), &copy, &AREA_LIMIT.to_string(), &doc.text];
    put(out, EDITOR, &[text::TEXT_LABEL], &args);
    findings(out, doc);
    reference(out, &doc.text, desk.line);
}

/// The text with its marks, for the eye only.
fn copy(doc: &Doc) -> String {
    let mut out = r#"<pre aria-hidden="true">"#.to_string();
    for (i, line) in split(&doc.text, "\n").into_iter().enumerate() {
        let (mut columns, mut degree, mut said) = (Vec::new(), "", "");
        for d in doc.diagnostics.iter().filter(|d| d.line == Some(i as u32 + 1)) {
            columns.push(d.column.unwrap_or(0));
            // The first error of a line, or its first remark.
            if said.is_empty() || (d.is_error() && degree != " er") {
                said = d.message.as_str();
            }
            match d.severity {
                Severity::Error => degree = " er",
                _ if degree.is_empty() => degree = " wa",
                _ => {}
            }
        }
        put(&mut out, r#"<span class="l{a}">"#, &[], &[degree]);
        for piece in highlight::pieces(line, &columns) {
            let inner = match piece.kind {
                highlight::Kind::Plain => "{A}",
                highlight::Kind::Head => "<b>{A}</b>",
                highlight::Kind::String => "<s>{A}</s>",
                highlight::Kind::Remark => "<em>{A}</em>",
            };
            let inner = made(inner, &[], &[piece.text]);
            put(&mut out, if piece.marked { "<u>{a}</u>" } else { "{a}" }, &[], &[&inner]);
        }
        // It takes no room: text and text area have to break their lines alike. What is cut off stands below as well.
        if !said.is_empty() {
            put(&mut out, r#"<i class="at"><span>{A}</span></i>"#, &[], &[said]);
        }
        out.push_str("</span>");
    }
    out + "</pre>"
}

/// What is wrong, and what may surprise: a press goes to the line, a repair is one press away where there is an obvious one.
pub fn findings(out: &mut String, doc: &Doc) {
    out.push_str(r#"<div key="findings" class="dgs" id="diagnostics" role="status">"#);
    for (i, d) in doc.diagnostics.iter().enumerate() {
        let number = i.to_string();
        let mend = match repair(d) {
            Some((word, ..)) => {
                made(r#"<button class="lk" data-do="mend {a}">{B}</button>"#, &[], &[&number, &text::write(word)])
            }
            None => String::new(),
        };
        let line = r#"<div class="dgn{a}"><ic {b}><button data-do="finding {c}"><b>{D}</b> {E}</button>{f}</div>"#;
        let (class, icon) = if d.is_error() { (" er", "x") } else { ("", "inf") };
        put(out, line, &[], &[class, icon, &number, &whence(d), &d.message, &mend]);
    }
    out.push_str("</div>");
}

/// The word that would mend an error, with the line and the column of what it replaces.
pub fn repair(d: &Diagnostic) -> Option<(&str, u32, u32)> {
    Some((d.suggestion.as_deref().filter(|_| d.is_error())?, d.line?, d.column?))
}

fn whence(d: &Diagnostic) -> String {
    let mut parts: Vec<String> = Vec::new();
    match d.severity {
        Severity::Error => {}
        Severity::Warning => parts.push(text::WARNING.to_string()),
        Severity::Note => parts.push(text::NOTE.to_string()),
    }
    parts.extend(d.line.map(text::line));
    if !d.place.is_empty() {
        parts.push(d.place.clone());
    }
    joined(&parts, " · ")
}

/// Most words that are offered for the key under the caret.
const WORDS: usize = 30;

/// The table around the caret: its keys, each written with a press; of the key under the caret, its words.
fn reference(out: &mut String, text: &str, line: u32) {
    if line == 0 {
        return;
    }
    let here = reference::here(text, line);
    let current = reference::key_at(text, line);
    let (mut words, mut keys) = (String::new(), String::new());
    if let Some(row) = current {
        for w in row.words.iter().filter(|w| w.built).take(WORDS) {
            put(&mut words, r#"<button class="val" data-do="word {A}">{A}</button>"#, &[], &[w.text]);
        }
    }
    // What is begun on the line comes first.
    let begun = split(text, "\n").get(line as usize - 1).map_or("", |l| l.trim());
    let of = |(row, _): &&(Row, Option<u32>)| !begun.is_empty() && row.key.starts_with(begun);
    let sorted = here.keys.iter().filter(of).chain(here.keys.iter().filter(|k| !of(k)));
    for (row, at) in sorted {
        let is = current.is_some_and(|c| c.key == row.key && c.section == row.section);
        let default = if row.default.is_empty() { String::new() } else { text::default_is(row.default) };
        let key = r#"<li key="{A}"><button{b}{c} data-do="key {A}"><code>{A}</code> {D} {E}</button></li>"#;
        put(
            &mut keys,
            key,
            &[],
            &[row.key, on(is, r#" class="cur""#), on(at.is_some(), r#" aria-current="true""#), row.says(), &default],
        );
    }
    let pane = r#"<section key="reference" class="ref" aria-label="{0}"><h3>{0} <code>{A}</code></h3>{b}<ul>{c}</ul></section>"#;
    let words = made("<div>{a}</div>", &[], &[&words]);
    let args = [here.head.as_str(), on(current.is_some_and(|c| !c.words.is_empty()), &words), &keys];
    put(out, pane, &[text::KEYS_HERE], &args);
}
