//! The scenario beside the picture: form and text are two views of one thing.

use super::compare::comparing;
use super::editor::editor;
use super::form::form;
use super::markup::{made, on, put, yes};
use crate::app::{Desk, Doc, Mode, Panel, text};
use crate::scenario::preset;

const STRIP: &str = r#"<aside class="scn strip" aria-label="{0}"><button class="btn" aria-label="{1}" title="{1}" data-do="unfold"><ic sld></button></aside>"#;

const PANEL: &str = r#"<aside class="scn{a}{b}" aria-label="{0}">
<header key="">
<h2>{0}</h2>{c}
<div class="seg" role="group" aria-label="{0}"><button aria-pressed="{d}" data-do="form">{1}</button><button aria-pressed="{e}" data-do="text">{2}</button></div>
<button class="btn fold" aria-label="{3}" title="{3}" data-do="fold"><ic fo></button>
<button class="btn done" data-do="close">{4}</button>
</header>
{f}</aside>"#;

pub fn scenario(out: &mut String, doc: &Doc, desk: &Desk) {
    let open = doc.panel == Some(Panel::Scenario);
    if (doc.folded || comparing(doc).is_some()) && !open {
        put(out, STRIP, &[text::SCENARIO, text::UNFOLD], &[]);
        return;
    }
    let as_text = doc.mode == Mode::Text;
    let mut inner = String::new();
    if as_text {
        editor(&mut inner, doc, desk)
    } else {
        form(&mut inner, doc, desk)
    }
    let reset =
        made(r#"<button class="btn" title="{0}" data-do="reset">{1}</button>"#, &[text::RESET_TITLE, text::RESET], &[]);
    let args = [
        on(as_text, " txt"),
        on(open, " open"),
        on(doc.origin.and_then(preset::text).is_some() && !doc.pristine, &reset),
        yes(!as_text),
        yes(as_text),
        &inner,
    ];
    put(out, PANEL, &[text::SCENARIO, text::FORM, text::TEXT, text::FOLD, text::DONE], &args);
}
