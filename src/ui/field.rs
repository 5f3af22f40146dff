//! One field of the form.
//!
//! It shows what is being typed until that can be run; only then the text of the scenario changes. What is wrong stands under the field,
//! and what was typed stays in it. Both are kept in [`Desk`], so nothing here has a memory.

use super::markup::{made, on, put, yes};
use crate::app::form::{Field, Kind, split_unit};
use crate::app::{Desk, text};

/// Writes a field with its label. `of`: whose field it is, for those who hear it: "W1".
pub fn row(out: &mut String, field: &Field, of: &str, desk: &Desk) {
    let control = control(field, of, desk);
    let row = r#"<div key="{A}" class="row{b}" title="{C}"><span aria-hidden="true">{D}</span>{e}</div>"#;
    put(out, row, &[], &[&field.path, on(field.default, " dflt"), field.says, &field.label, &control]);
    error(out, field, desk);
}

/// Writes a field without its label, which stands somewhere near already.
pub fn bare(out: &mut String, field: &Field, of: &str, desk: &Desk) {
    out.push_str(&control(field, of, desk));
    error(out, field, desk);
}

/// An id for a field: paths have signs in them that a selector would have to escape.
fn id(path: &str) -> String {
    path.chars().map(|c| if matches!(c, '.' | '"' | ' ') { '-' } else { c }).collect()
}

fn error(out: &mut String, field: &Field, desk: &Desk) {
    if let Some(error) = desk.typing(&field.path).and_then(|t| t.error.as_ref()) {
        let line = r#"<p key="{A} error" class="fe" id="{B}-error" role="alert"><ic x>{C}</p>"#;
        put(out, line, &[], &[&field.path, &id(&field.path), error]);
    }
}

/// Everything but its kind.
const NAMED: &str = r#"id="{A}" aria-label="{B}""#;
const TYPED: &str = r#" aria-invalid="{a}"{b} value="{C}"{d} spellcheck="false" data-set="type {E} {F}""#;

fn control(field: &Field, of: &str, desk: &Desk) -> String {
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
    match &field.kind {
        Kind::Line => {
            let hint = made(r#" autocomplete="off" placeholder="{0}""#, &[text::TO_THE_END], &[]);
            let typed = typed(if field.value.is_empty() { &hint } else { r#" autocomplete="off""# });
            let beside = made("<i>{A}</i>", &[], &[unit]);
            let line = r#"<span key="{A}" class="num{b}"><input {c}{d}>{e}</span>"#;
            let beside = on(typing.is_none() && !unit.is_empty(), &beside);
            made(line, &[], &[&field.path, on(wrong, " err"), &named, &typed, beside])
        }
        Kind::Lines => {
            let lines = r#"<textarea key="{A}" class="{b}" rows="2" {c}{d}>"#;
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
        Kind::Fixed(why) => {
            let fixed = r#"<span key="{A}" class="fixed" title="{B}">{C}</span>"#;
            made(fixed, &[], &[&field.path, why, &field.value])
        }
    }
}

/// One choice of a list.
pub fn option(out: &mut String, value: &str, shown: &str, selected: bool) {
    put(out, r#"<option value="{A}"{b}>{C}</option>"#, &[], &[value, on(selected, " selected"), shown]);
}
