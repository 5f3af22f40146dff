//! The bar at the top: which story, what can be undone, how the page looks, help, and how to hand the story on.

use super::markup::{on, put, yes};
use crate::app::{Doc, Panel, Theme, text};
use crate::scenario::preset;

/// Its mark: two pickets and two rails.
const TOP: &str = r##"<header class="top">
<a class="jump" href="#main" data-do="jump">{0}</a>
<span class="brand"><svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6"><path d="M4 19V5l2.5-3L9 5v14M11 19V5l2.5-3L16 5v14" stroke-linejoin="round"/><path d="M1 9h18M1 14.5h18"/></svg><span>{1}</span></span>
<button class="btn preset" id="stories-button" aria-haspopup="dialog" aria-expanded="{c}" data-do="panel stories"><span>{A}</span><small class="hid">{B}</small><ic dn></button>
<span class="grow"></span>
<button class="btn mob" id="scenario-button" aria-label="{2}" aria-expanded="{d}" data-do="panel scenario"><ic sld><span class="hid">{2}</span></button>
<button class="btn" aria-label="{3}" title="{4}"{e} data-do="undo"><ic un></button>
<button class="btn hid" aria-label="{5}" title="{6}"{f} data-do="redo"><ic re></button>
<span class="pop"><button class="btn" id="theme-button" aria-label="{7}" title="{7}" aria-haspopup="menu" aria-expanded="{g}" data-do="panel theme"><ic th></button>{h}</span>
<button class="btn hid" id="help-button" aria-label="{8}" title="{9}" aria-expanded="{i}" data-do="panel help"><ic hp></button>
<button class="btn main" id="share-button" aria-haspopup="dialog" aria-expanded="{j}" data-do="panel share">{10}</button>
</header>"##;

const TOP_WORDS: &[&str] = &[
    text::SKIP,
    text::BRAND,
    text::SCENARIO,
    text::UNDO,
    text::UNDO_TITLE,
    text::REDO,
    text::REDO_TITLE,
    text::THEME,
    text::HELP,
    text::HELP_TITLE,
    text::SHARE,
];

pub fn top(out: &mut String, doc: &Doc) {
    let open = |panel: Panel| yes(doc.panel == Some(panel));
    let mut themes = String::new();
    if doc.panel == Some(Panel::Theme) {
        theme_menu(&mut themes, doc.theme);
    }
    let args = [
        &story_name(doc),
        story_group(doc),
        open(Panel::Stories),
        open(Panel::Scenario),
        on(!doc.can_undo, " disabled"),
        on(!doc.can_redo, " disabled"),
        open(Panel::Theme),
        &themes,
        open(Panel::Help),
        open(Panel::Share),
    ];
    put(out, TOP, TOP_WORDS, &args);
}

/// The title as the text now has it; a story that cannot be read keeps the name it had.
fn story_name(doc: &Doc) -> String {
    match doc.title() {
        "" => doc.origin.and_then(preset::by_id).map_or(text::UNTITLED.to_string(), |p| p.title),
        title => title.to_string(),
    }
}

fn story_group(doc: &Doc) -> &'static str {
    let Some(id) = doc.origin else { return "" };
    // Whether it is edited is known when its own text is there.
    if !doc.pristine && preset::text(id).is_some() { text::EDITED } else { preset::group(id).unwrap_or_default() }
}

fn theme_menu(out: &mut String, worn: Theme) {
    let mut items = String::new();
    for t in Theme::ALL {
        let item = r#"<button role="menuitemradio" aria-checked="{a}" data-do="theme {b}"><ic ok>{C}</button>"#;
        put(&mut items, item, &[], &[yes(t == worn), t.word(), text::theme(t)]);
    }
    put(out, r#"<div class="drop" id="theme-menu" role="menu" aria-label="{0}">{a}</div>"#, &[text::THEME], &[&items]);
}
