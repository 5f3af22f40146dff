//! One field of the form.
//!
//! It shows what is being typed until that can be run; only then the text of the scenario changes. What is wrong stands under the field,
//! and what was typed stays in it. Both are kept in [`Desk`], so nothing here has a memory. What is remarkable about a value that runs
//! stands there too.

use super::markup::{made, on, put, yes};
use crate::app::form::{Field, Kind, split_unit, with_word};
use crate::app::{Desk, Doc, text};
use crate::base::pieces::{find_any, split};

/// What a field is drawn with.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    pub doc: &'a Doc,
    pub desk: &'a Desk,
    /// Each field says what it means.
    pub explained: bool,
}

const ROW: &str =
    r#"<div key="{A}" class="row{b}{c}" title="{D}"><span class="lb" aria-hidden="true">{E}</span>{f}{g}</div>{h}"#;

/// Writes a field with its label. `of`: whose field it is, for those who hear it: "W1".
pub fn row(out: &mut String, field: &Field, of: &str, around: Around) {
    let control = control(field, of, around.desk, "");
    let back = r#"<button class="x" aria-label="{A}: {0}" title="{0}" data-do="unset {B}"><ic un></button>"#;
    let back = made(back, &[text::TO_DEFAULT], &[&field.label, &field.path]);
    let says = made(r#"<p key="{A} says" class="say">{B}</p>"#, &[], &[&field.path, field.says]);
    let tall = matches!(field.kind, Kind::Lines | Kind::Words(_));
    let args = [
        field.path.as_str(),
        on(field.default, " dflt"),
        on(tall, " tall"),
        field.says,
        &field.label,
        &control,
        on(!field.default, &back),
        on(around.explained, &says),
    ];
    put(out, ROW, &[], &args);
    beside(out, field, around);
}

/// Writes a field without its label, which stands somewhere near already; an empty one shows what it is for.
pub fn bare(out: &mut String, field: &Field, of: &str, around: Around) {
    out.push_str(&control(field, of, around.desk, &field.label));
    beside(out, field, around);
}

/// The field alone, whose errors stand elsewhere.
pub fn alone(field: &Field, of: &str, around: Around) -> String {
    control(field, of, around.desk, &field.label)
}

/// An id for a field: paths have signs in them that a selector would have to escape.
pub fn id(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    loop {
        let at = find_any(rest, ".\"# ");
        out.push_str(rest.get(..at).unwrap_or(""));
        match rest.get(at + 1..) {
            Some(after) => rest = after,
            None => return out,
        }
        out.push('-');
    }
}

/// What is wrong with what is typed, or remarkable about what stands there.
pub fn beside(out: &mut String, field: &Field, around: Around) {
    if let Some(error) = around.desk.typing(&field.path).and_then(|t| t.error.as_ref()) {
        let line = r#"<p key="{A} error" class="fe" id="{B}-error" role="alert"><ic x>{C}</p>"#;
        put(out, line, &[], &[&field.path, &id(&field.path), error]);
        return;
    }
    for d in around.doc.diagnostics.iter() {
        if d.path.as_deref().is_some_and(|path| is_at(&field.path, path)) {
            let line = r#"<p key="{A} {B}" class="fe{c}"><ic {d}>{B}</p>"#;
            let (class, icon) = if d.is_error() { ("", "x") } else { (" fn", "inf") };
            put(out, line, &[], &[&field.path, &d.message, class, icon]);
        }
    }
}

/// Is what is said of a path said of this field? A design's own value is where the story's would be.
pub fn is_at(field: &str, path: &str) -> bool {
    field == path || field.strip_suffix(path).is_some_and(|rest| rest.starts_with("design.") && rest.ends_with('.'))
}

/// Everything but its kind.
const NAMED: &str = r#"id="{A}" aria-label="{B}""#;
const TYPED: &str = r#" aria-invalid="{a}"{b} value="{C}"{d} spellcheck="false" data-set="type {E} {F}""#;

fn control(field: &Field, of: &str, desk: &Desk, empty: &str) -> String {
    let (number, unit) = split_unit(&field.value);
    let typing = desk.typing(&field.path);
    let wrong = typing.is_some_and(|t| t.error.is_some());
    let id = id(&field.path);
    let label = made("{a}{b}{c}", &[], &[of, on(!of.is_empty(), ", "), &field.label]);
    let named = made(NAMED, &[], &[&id, &label]);
    let described = made(r#" aria-describedby="{A}-error""#, &[], &[&id]);
    let typed = |more: &str| {
        let shown = typing.map_or(number, |t| &t.raw);
        let unit = if unit.is_empty() { "-" } else { unit };
        made(TYPED, &[], &[yes(wrong), on(wrong, &described), shown, more, unit, &field.path])
    };
    let endless = field.path.ends_with(".until");
    let empty = if endless { text::TO_THE_END } else { empty };
    let hint = made(r#" autocomplete="off" placeholder="{A}""#, &[], &[empty]);
    match &field.kind {
        Kind::Line => {
            let typed = typed(if empty.is_empty() { r#" autocomplete="off""# } else { &hint });
            let beside = made("<i>{A}</i>", &[], &[unit]);
            let line = r#"<span key="{A}" class="num{b}{c}"><input {d}{e}>{f}</span>"#;
            let beside = on(typing.is_none() && !unit.is_empty(), &beside);
            let long = number.len() > 9 || (unit.is_empty() && field.path.ends_with("name"));
            made(line, &[], &[&field.path, on(wrong, " err"), on(long, " long"), &named, &typed, beside])
        }
        Kind::Lines => {
            let lines = r#"<textarea key="{A}" class="{b}" rows="1" {c}{d}>"#;
            made(lines, &[], &[&field.path, on(wrong, "err"), &named, &typed("")])
        }
        Kind::Choice(words) => {
            let mut options = String::new();
            for (word, label) in words {
                option(&mut options, word, label, *word == field.value);
            }
            let pick =
                r#"<span key="{A}" class="num pick"><select {b} data-set="type - {A}">{c}</select><ic dn></span>"#;
            made(pick, &[], &[&field.path, &named, &options])
        }
        Kind::Words(words) => some_of(field, words, &id, &label),
    }
}

/// A list of words to tick, folded under what is ticked.
fn some_of(field: &Field, words: &[&str], id: &str, label: &str) -> String {
    let list = split(&field.value, ", ");
    let mut boxes = String::new();
    let mut tick = |shown: &str, ticked: bool, then: &str| {
        let label = r#"<label class="sw"><input type="checkbox" checked="{a}" data-set="flip {B}|{C}">{D}</label>"#;
        put(&mut boxes, label, &[], &[yes(ticked), &field.path, then, shown]);
    };
    let claimed = field.path.ends_with("violates");
    if claimed {
        let none = !field.default && field.value.is_empty();
        tick(text::NONE_OF_THEM, none, if none { "" } else { "[]" });
    }
    for word in words {
        let ticked = list.contains(word);
        tick(word, ticked, &with_word(&field.value, word, !ticked));
    }
    let shown = match (field.value.is_empty(), claimed, field.default) {
        (false, ..) => field.value.as_str(),
        (_, true, true) => text::NOT_TESTED,
        (_, true, false) => text::NONE_OF_THEM,
        _ => text::NOT_SET,
    };
    let details = r#"<details key="{A}" class="ws"><summary id="{B}" aria-label="{C}: {D}">{D}</summary>{e}</details>"#;
    made(details, &[], &[&field.path, id, label, shown, &boxes])
}

/// One choice of a list.
pub fn option(out: &mut String, value: &str, shown: &str, selected: bool) {
    put(out, r#"<option value="{A}"{b}>{C}</option>"#, &[], &[value, on(selected, " selected"), shown]);
}
